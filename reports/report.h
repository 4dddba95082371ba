/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_REPORT_H
#define ASSAY_REPORTS_REPORT_H

/* The reports: files and terminal output made from result records. Nothing here computes a verdict. */

#include "reports/gate.h"
#include "reports/records/record.h"

/* JUnit XML (Jenkins' junit-10 dialect), one testsuite per backend, family and file that declares cases. */
bool report_junit(FILE *to, const struct results *results, unsigned gate, struct error *error);

/* Tables of operator × dtype × backend. They fail when two records of one case differ in inputs_digest,
 * because those backends had different inputs. Markdown fits a comment on a forge (at most 65,000 bytes):
 * totals, failures in clusters, a narrow matrix, implausible findings, the environment; it states what it
 * left out for want of room. */
bool report_markdown(FILE *to, const struct results *results, unsigned gate, struct error *error);
bool report_csv(FILE *to, const struct results *results, struct error *error);

/* The page, one file that needs no network. */
struct html_options {
    const char *title;            /* its heading; NULL: one made of the names of the backends */
    const struct results *before; /* an earlier release, with whose cells the page compares; NULL: none */
};
bool report_html(FILE *to, const struct results *results, const struct html_options *options,
                 struct error *error); /* options may be NULL */

/* The terminal's summary, at most 80 columns wide where the texts allow it: the environment, one row per
 * family, the failures, other statuses and findings, one closing line with the gate's verdict. Failures come
 * in clusters (reports/clusters.h), worst first: the first `failures_max` with an example each, four times as
 * many as one line each, the rest as a count. */
enum { SUMMARY_SHOWN = 10 }; /* the default of failures_max */
struct summary_options {
    unsigned gate;
    int64_t failures_max;    /* entries that are shown of each list; 0: no limit */
    bool by_operator;        /* one row per operator, not per family */
    bool colour;             /* use colour; text_colour decides */
    double seconds;          /* wall time of the run; NaN if unknown */
    double truth_from_cache; /* fraction of truths that came from the cache; NaN if unknown */
    int64_t remembered;      /* verdicts reused from an earlier run on the same bits */
    const char *report_dir;  /* the directory of the reports; NULL if none */
    bool baseline;           /* there is a baseline, so the gate says what is not in it */
    const char *cause; /* what else fails the gate, besides the records: "interrupted"; NULL: nothing does */
    int exit_status;   /* the exit status that goes with `verdict`; ignored without it */
    const char *verdict; /* in place of the gate's verdict, "1 of 2 backends could not run (exit 3)"; NULL:
                            the verdict follows from report_exit_status and `cause` */
    struct html_options html; /* of the page alone, which a report may be instead */
};
void report_summary(FILE *to, const struct results *results, const struct summary_options *options);

/* 0: gate PASS. 1: gate FAIL, also when there are no records or a loss (reports/records/losses.h). 3: every
 * case of some backend is unsupported, so nothing was judged; a backend that ran a single shard is exempt. */
int report_exit_status(const struct results *results, unsigned gate);

/* Prints one failing case, as the summary and JUnit show it. */
void report_failure(FILE *to, const struct record *record);
void report_failure_in(bool colour, FILE *to, const struct record *record);

#endif
