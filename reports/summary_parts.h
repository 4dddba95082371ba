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

/* Lines of a summary are at most this wide where the texts allow it. */
enum { SUMMARY_WIDTH = 80 };

/* Begins a colour of the terminal, "31" for red and "0" for none, if the summary is to have colours. */
void summary_colour(const struct summary *summary, const char *code);

/* How many cases failed, crashed, hung or ended in an error. */
int summary_failed(const int count[STATUS_COUNT]);

/* Prints what the results lack, and the last line: "101 cases in 1.0 s · report · 0 failed · gate: PASS", or
 * "… · gate: FAIL: " and everything that failed it. */
void summary_closing(const struct summary *summary);

/* Prints the cases of a backend that neither pass nor fail, and its findings. */
void summary_others(const struct summary *summary, const char *backend);

#endif
