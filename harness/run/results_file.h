/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_RESULTS_FILE_H
#define ASSAY_HARNESS_RUN_RESULTS_FILE_H

/* The file to which a run writes its records one by one. Each record is flushed as soon as it is known. */

#include "reports/records/record.h"

#include <limits.h>

struct results_file {
    FILE *file; /* NULL: closed */
    char path[PATH_MAX];
    bool made;       /* results_file_open created the file */
    bool busy;       /* another run has locked the file */
    int64_t written; /* bytes written by this process */
};

/* Opens the file, creates missing directories, and locks the file against other runs until it is closed.
 * Existing contents stay until results_file_empty. Returns false with the fault, or with the process that
 * holds the lock. */
bool results_file_open(struct results_file *to, const char *path, struct error *error);

/* Removes what an earlier run has left in the file. Does nothing to a pipe or a device. */
bool results_file_empty(struct results_file *to, struct error *error);

/* Each writes one line and flushes it. Returns false when the write failed. */
bool results_file_header(struct results_file *to, const struct record_header *header, struct error *error);
bool results_file_record(struct results_file *to, const struct record *record, struct error *error);

/* Closes the file. Returns false with the reason if a write failed, or if a regular file does not hold what
 * was written: another process has truncated, changed, replaced or removed it meanwhile. */
bool results_file_close(struct results_file *to, struct error *error);

/* Closes a file to which nothing was written, and removes it if results_file_open created it. Does nothing
 * when it is closed. */
void results_file_drop(struct results_file *to);

#endif
