/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_OPTIONS_FILES_H
#define ASSAY_HARNESS_OPTIONS_FILES_H

/* Reads and writes results files and reports for the commands, and reports the faults. */

#include "harness/options/options.h"
#include "reports/report.h"

/* Makes the directories that lead to `path`, as mkdir -p does. Returns false on failure. */
bool files_make_parents(const char *path);

/* Reads results files and joins them as merge_results does (`whole`: see there); the records are sorted.
 * Files that contradict each other are refused. Returns false after printing the fault. Notes that are no
 * fault are printed as well. */
bool files_read_all(const struct texts *paths, bool whole, struct results *results);

/* Reads one file in the same way, with `whole` false. Messages start with the path. */
bool files_read(const char *path, struct results *results);

enum report_format { REPORT_TEXT, REPORT_JUNIT, REPORT_MARKDOWN, REPORT_CSV, REPORT_HTML, REPORT_FORMATS };

/* Finds a format by name: "text" (the summary on the terminal), "junit", "markdown", "csv", "html". The error
 * names the nearest one. */
bool files_format(const char *name, enum report_format *format, struct error *error);

/* Writes all headers and records to `path`; "-" is the standard output (output.h). */
bool files_write_results(const char *path, const struct results *results, struct error *error);

/* Writes one report to `path`; "-" is the standard output. */
bool files_write_report(const char *path, enum report_format format, const struct results *results,
                        const struct summary_options *options, struct error *error);

/* Sorts the records by id, then by the order of the backends in the headers, so that reports do not depend on
 * the order in which cases finished. */
void files_sort(struct results *results);

#endif
