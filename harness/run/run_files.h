/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_RUN_FILES_H
#define ASSAY_HARNESS_RUN_RUN_FILES_H

/* The output files of a run: the records, which are written during the run, and the reports, which are
 * written at its end. Call run_files_check, run_files_open, run_files_begin, run_files_write and
 * run_files_close in this order. */

#include "harness/run/results_file.h"
#include "reports/report.h"

#include <limits.h>

struct run_files {
    const char *results, *junit, *report, *baseline; /* as on the command line; NULL: not requested */
    struct results_file to; /* the records; its file is NULL if they were not requested */
    bool busy;              /* another run writes to one of the places, which must stay as they are */
    int folder; /* descriptor of the directory `report`, locked while this run lasts; −1: none */
    bool folder_made;
};

/* Checks that no two outputs go to the same file, and that no output overwrites the baseline. */
bool run_files_check(const struct run_files *files, struct error *error);

/* Opens the file of records, and locks it and the report's directory until run_files_close. Returns false
 * with the holder of the lock where another run writes there. Existing contents stay until
 * run_files_begin. */
bool run_files_open(struct run_files *files, struct error *error);

/* Removes the records and reports of an earlier run, so that nobody takes them for those of this run, however
 * it ends. */
bool run_files_begin(struct run_files *files, struct error *error);

/* Closes the records and writes the reports. Returns false after printing the faults, also where another
 * process has changed the records or removed the report's directory meanwhile. */
bool run_files_write(struct run_files *files, const struct results *results,
                     const struct summary_options *options);

/* Releases the locks. Removes the file and the directory that this run created and did not write to. */
void run_files_close(struct run_files *files);

#endif
