/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_RESULTS_FILE_H
#define ASSAY_HARNESS_RUN_RESULTS_FILE_H

/* The file into which a run writes its records one by one, each flushed when it is known. */

#include "reports/records/record.h"

#include <limits.h>

struct results_file {
    FILE *file; /* NULL: none is open */
    char path[PATH_MAX];
    bool made;       /* by results_file_open: it was not there before */
    bool busy;       /* it could not be had, for another run writes there */
    int64_t written; /* bytes, by this process */
};

/* Opens the file, making the directories that lack, and keeps other runs away from it until it is closed.
 * What stands in it stays until results_file_empty. False, with the fault or with who writes there, when it
 * cannot be had. */
bool results_file_open(struct results_file *to, const char *path, struct error *error);

/* Takes away what an earlier run has left. A pipe or a device stays as it is. */
bool results_file_empty(struct results_file *to, struct error *error);

/* One line each, flushed. False when it could not be written. */
bool results_file_header(struct results_file *to, const struct record_header *header, struct error *error);
bool results_file_record(struct results_file *to, const struct record *record, struct error *error);

/* Closes. False, with what is wrong, where a write has failed, and where a regular file does not hold what
 * was written: another process has truncated it, written into it, replaced it or removed it meanwhile. */
bool results_file_close(struct results_file *to, struct error *error);

/* Closes a file that nothing was written to, and removes it if it was not there before. Nothing where it is
 * closed. */
void results_file_drop(struct results_file *to);

#endif
