/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_ENVELOPE_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_ENVELOPE_H

/* What the envelopes of normalizations and those of their running statistics share
 * (normalization_envelope.c). */

#include "reference/operator/envelope.h"
#include "reference/ops/normalization/normalization_statistics.h"

/* What rounding makes of the statistics of one group, in units of u. */
struct group_envelope {
    double n, m, r;
    double mean, root;                                               /* S_m, S_r */
    double drift_mean[ENVELOPE_WIDTHS], drift_root[ENVELOPE_WIDTHS]; /* absolute */
};

struct normalization_workspace {
    const struct normalization *n;
    double u[ENVELOPE_WIDTHS];
    int64_t length;
    double *a, *b, *c; /* `length` (or the terms of a channel) each */
    struct group_envelope *group;
};

/* `out` holds the `count` judged tensors, which get their envelopes. False when out of memory; close it then,
 * too. */
bool normalization_workspace_open(struct normalization_workspace *w, const struct normalization *n,
                                  const struct truth_output *out, int count);
void normalization_workspace_close(struct normalization_workspace *w);
/* Fills w->group[group], and w->a with the elements of the group. */
void normalization_group_envelope(struct normalization_workspace *w, int64_t group);

#endif
