/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_RUN_FILES_H
#define ASSAY_HARNESS_RUN_RUN_FILES_H

/* Where a run writes: records while it goes on, reports at its end. */

#include "harness/run/results_file.h"
#include "reports/report.h"

#include <limits.h>

struct run_files {
    const char *results, *junit, *report, *baseline; /* as on the command line; NULL: not asked for */
    struct results_file to;                          /* the records; without a file: not asked for */
    bool busy;  /* another run writes to one of them: they are its own, and stay as they are */
    int folder; /* `report`, locked against other runs while this one lasts; −1: none */
    bool folder_made;
};

/* No two things may go to one file. */
bool run_files_check(const struct run_files *files, struct error *error);

/* Opens the records' file. It and the report's folder are this run's alone until run_files_close: false, with
 * who holds it, where another run writes there. What stands there stays until run_files_begin. */
bool run_files_open(struct run_files *files, struct error *error);

/* Takes away the records and reports of an earlier run: nobody may take them for this one's, however it ends.
 */
bool run_files_begin(struct run_files *files, struct error *error);

/* Closes the records and writes the reports. False with the faults told: also where another process has
 * changed the records or removed the report's folder meanwhile. */
bool run_files_write(struct run_files *files, const struct results *results,
                     const struct summary_options *options);

/* Frees the places; what was not there before and was not written goes. */
void run_files_close(struct run_files *files);

#endif
