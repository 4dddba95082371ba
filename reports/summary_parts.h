/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_SUMMARY_PARTS_H
#define ASSAY_REPORTS_SUMMARY_PARTS_H

/* Sections of the terminal's summary. */

#include "reports/groups.h"
#include "reports/report.h"

/* What one call works on; the selections are indices into the records. */
struct summary {
    FILE *to;
    const struct results *results;
    const struct summary_options *options;
    struct groups groups;
    const struct record **chosen;
};

/* How many of `n` entries of a list are shown. */
static inline int summary_limit(const struct summary *summary, int n)
{
    int64_t most = summary->options->failures_max;
    return most > 0 && most < n ? (int)most : n;
}

/* Missing, unsupported, expected to fail, vacuous, range, implausible, flaky, passed unexpectedly. */
void summary_others(const struct summary *summary, const char *backend);

#endif
