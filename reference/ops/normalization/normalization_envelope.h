/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_ENVELOPE_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_ENVELOPE_H

/* The envelopes of group statistics, used by normalization_envelope.c, which derives them, and
 * normalization_running_envelope.c. Open a workspace, call normalization_group_envelope for each group, then
 * use w->group and the scratch arrays; close the workspace. */

#include "reference/operator/envelope.h"
#include "reference/ops/normalization/normalization_statistics.h"

/* The statistics of one group and the deviations that rounding causes in them. */
struct group_envelope {
    double n, m, r;                                                  /* n = 0 in evaluation */
    double mean, root;                                               /* S_m/u, S_r/u */
    double drift_mean[ENVELOPE_WIDTHS], drift_root[ENVELOPE_WIDTHS]; /* D of m, absolute; of r, relative */
};

struct normalization_workspace {
    const struct normalization *n;
    double u[ENVELOPE_WIDTHS]; /* unit roundoffs of the accumulator widths */
    int64_t length;            /* elements of a group */
    double *a, *b, *c;         /* scratch, each with room for a group and for a channel */
    struct group_envelope *group;
};

/* Allocates the workspace and the envelopes of the `count` judged tensors in `out`. False when out of memory;
 * the workspace must be closed in either case. */
bool normalization_workspace_open(struct normalization_workspace *w, const struct normalization *n,
                                  const struct truth_output *out, int count);
void normalization_workspace_close(struct normalization_workspace *w);
/* Fills w->group[group], and w->a with the elements of the group. Overwrites w->b and w->c. */
void normalization_group_envelope(struct normalization_workspace *w, int64_t group);

#endif
