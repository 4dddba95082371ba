/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_REPORT_H
#define ASSAY_REPORTS_REPORT_H

/* Everything that is told about results: from records to files and terminals. Nothing here computes a
 * verdict. */

#include "reports/gate.h"
#include "reports/records/record.h"

/* JUnit XML (Jenkins' junit-10 dialect), one testsuite per backend, family and file that declares cases. */
bool report_junit(FILE *to, const struct results *results, unsigned gate, struct error *error);

/* Side by side, operator × dtype × backend. They refuse results whose inputs_digest differ for the same case
 * id: those answered different questions. Markdown is of the size of a comment on a forge, at most 65,000
 * bytes: totals, failures in clusters, a narrow matrix, implausible findings, the environment; what there was
 * no room for it says. */
bool report_markdown(FILE *to, const struct results *results, unsigned gate, struct error *error);
bool report_html(FILE *to, const struct results *results, struct error *error); /* one file, no network */
bool report_csv(FILE *to, const struct results *results, struct error *error);

/* The terminal's summary, at most 80 columns where the texts allow it: environment line, one row per family,
 * failures in clusters (reports/clusters.h), worst first, each with one example (at most `failures_max`; of
 * as many again times four a line, then a count), one closing line with the gate's verdict. */
enum { SUMMARY_SHOWN = 10 }; /* usual failures_max */
struct summary_options {
    unsigned gate;
    int64_t failures_max; /* clusters of failures that are shown, and entries of other lists; 0 = no limit */
    bool by_operator;     /* a row per operator, not per family */
    bool colour;          /* as text_colour says of where the summary goes */
    double seconds;       /* wall time of the run; NaN if unknown */
    double truth_from_cache; /* fraction, NaN if unknown */
    int64_t remembered;      /* verdicts that were found in an earlier run, on the same bits */
    const char *report_dir;  /* where the reports are, NULL if none */
    int exit_status;     /* with `verdict`: what the caller's exit says besides the records, else ignored */
    const char *verdict; /* "gate holds"; NULL: as report_exit_status says */
};
void report_summary(FILE *to, const struct results *results, const struct summary_options *options);

/* 0 when the gate holds, 1 when it does not, 3 when on some backend nothing was judged: every case is
 * unsupported (a single shard may well be so, it passes). */
int report_exit_status(const struct results *results, unsigned gate);

/* One failing case as text: what report_summary and JUnit print for it. */
void report_failure(FILE *to, const struct record *record);
void report_failure_in(bool colour, FILE *to, const struct record *record);

#endif
