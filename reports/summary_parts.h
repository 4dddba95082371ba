/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_SUMMARY_PARTS_H
#define ASSAY_REPORTS_SUMMARY_PARTS_H

/* Sections of the terminal's summary. */

#include "reports/groups.h"
#include "reports/report.h"

/* The state of one call of report_summary. */
struct summary {
    FILE *to;
    const struct results *results;
    const struct summary_options *options;
    struct groups groups;
    const struct record **chosen; /* room for a selection of records, as many as there are */
};

/* The number of entries to show of a list of n. */
static inline int summary_limit(const struct summary *summary, int n)
{
    int64_t most = summary->options->failures_max;
    return most > 0 && most < n ? (int)most : n;
}

/* Prints the cases of a backend that neither pass nor fail, and its findings. */
void summary_others(const struct summary *summary, const char *backend);

#endif
