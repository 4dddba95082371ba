/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_FAULTY_H
#define ASSAY_HARNESS_TEST_FAULTY_H

/* For tests that run the whole program: build/test/assay-faulty (see faulty_backend.c) in a folder of the
 * test's own.
 */

#include "reports/report.h"
#include "suites/suite.h"

#include <sys/types.h>

enum { OUTPUT_MAX = 65536 };

struct trial {
    char folder[64];
    struct suite_list *list;
    int status;              /* exit status; 128 + n when a signal ended it */
    char output[OUTPUT_MAX]; /* stdout and stderr */
    double seconds;
    struct results results; /* of results.jsonl, once read */
};

struct trial *trial_create(void);
void trial_destroy(struct trial **trial);

/* Sets ASSAY_TEST_FAULTS: lines "FAULT ID". */
void trial_faults(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs with these words (split at spaces; FOLDER stands for the trial's). */
void trial_run(struct trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));
pid_t trial_start(struct trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));
void trial_wait(struct trial *trial, pid_t pid);

/* Writes the executable FOLDER/NAME. */
void trial_script(const struct trial *trial, const char *name, const char *text);

/* Reads FOLDER/NAME into trial->results. */
void trial_read(struct trial *trial, const char *name);
const struct record *trial_record(const struct trial *trial, const char *id);

/* The first component of FOLDER/out/NAME, a .npy file, and how many elements it has. */
double trial_first(const struct trial *trial, const char *name, int64_t *elements);

/* The n-th id (from 0) that the selector's glob matches at level smoke. */
const char *trial_id(const struct trial *trial, const char *glob, int n);
int trial_count(const struct trial *trial, const char *glob);

#endif
