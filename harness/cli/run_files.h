/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_FILES_H
#define ASSAY_HARNESS_RUN_FILES_H

/* Where a run writes: records while it goes on, reports at its end. */

#include "reports/report.h"

#include <limits.h>

struct run_files {
    const char *results, *junit, *report, *baseline; /* as on the command line; NULL: not asked for */
    FILE *to;                                        /* the records; NULL: none */
    char to_path[PATH_MAX];
    bool made;  /* that file, by this run */
    int folder; /* `report`, locked against other runs while this one lasts; −1: none */
    bool folder_made;
};

/* No two things may go to one file. */
bool run_files_check(const struct run_files *files, struct error *error);

/* Opens the records' file; what stands in it stays until the first header is written. It and the report's
 * folder are this run's alone until run_files_close: false, with who holds it, where another run writes
 * there. */
bool run_files_open(struct run_files *files, struct error *error);

/* Frees the places. Where nothing ran, what stood there stays, and what did not stand there goes. */
void run_files_close(struct run_files *files);

/* Reports of an earlier run: nobody may take them for this one's, however it ends. */
void run_files_remove_stale(const struct run_files *files);

/* Closes the records and writes the reports. False with the faults told. */
bool run_files_write(struct run_files *files, const struct results *results,
                     const struct summary_options *options);

#endif
