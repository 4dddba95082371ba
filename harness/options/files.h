/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_OPTIONS_FILES_H
#define ASSAY_HARNESS_OPTIONS_FILES_H

/* Files that commands write and read, and what their errors say. */

#include "harness/options/options.h"
#include "reports/report.h"

/* mkdir -p of the directory that holds `path`. */
bool files_make_parents(const char *path);

/* Reads and joins results files as merge_results does (`whole`: see there), sorted. Files that contradict
 * each other are refused. False with the fault told; what is only worth knowing is told as well. */
bool files_read_all(const struct texts *paths, bool whole, struct results *results);

/* The same of one file; the path stands before what is told. */
bool files_read(const char *path, struct results *results);

enum report_format { REPORT_TEXT, REPORT_JUNIT, REPORT_MARKDOWN, REPORT_CSV, REPORT_HTML, REPORT_FORMATS };

/* "text" (the terminal's summary), "junit", "markdown", "csv", "html"; the fault names the nearest. */
bool files_format(const char *name, enum report_format *format, struct error *error);

/* Writes all headers and records; as output.h says, "-" is the standard output. */
bool files_write_results(const char *path, const struct results *results, struct error *error);

/* Writes one report, likewise. */
bool files_write_report(const char *path, enum report_format format, const struct results *results,
                        const struct summary_options *options, struct error *error);

/* Sorts the records by id, those of one id in the order of the headers' backends: reports do not depend on
 * the order of completion. */
void files_sort(struct results *results);

#endif
