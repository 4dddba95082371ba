/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_TRIAL_H
#define ASSAY_HARNESS_TEST_TRIAL_H

/* For tests that run the whole program: build/test/assay-faulty (see faulty_backend.c) in a folder of the
 * test's own.
 *
 *     TestSuite(NAME, .init = trial_begin, .fini = trial_end);
 */

#include "reports/report.h"
#include "suites/suite.h"

#include <jansson.h>
#include <limits.h>
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

/* The running test's; each test is a process of its own. */
extern struct trial *trial;
void trial_begin(void);
void trial_end(void);

/* Sets ASSAY_TEST_FAULTS: lines "FAULT ID". */
void trial_faults(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs with these words (split at spaces; FOLDER stands for the trial's). */
void trial_run(const char *format, ...) __attribute__((format(printf, 1, 2)));
pid_t trial_start(const char *format, ...) __attribute__((format(printf, 1, 2)));
void trial_wait(pid_t pid);

/* What ran last ended with `status` and said `part`. */
void trial_expect(int status, const char *part);
void trial_run_expect(int status, const char *part,
                      const char *words); /* after it has run with these words */

/* All that it printed, as JSON; the caller's. */
json_t *trial_json(void);

/* FOLDER/NAME, valid until the fourth call from now. */
const char *trial_path(const char *name);
bool trial_has(const char *name);

/* Writes FOLDER/NAME: a text, the executable, a float64 .npy file. */
void trial_write(const char *name, const char *text);
void trial_script(const char *name, const char *text);
/* Writes FOLDER/p: peculiar_program.c with this peculiarity and these members of its greeting, JSON. */
void trial_peculiar(const char *peculiarity, const char *greeting);
void trial_array(const char *name, struct shape shape, const double *x);
void trial_matrix(const char *name, int64_t rows, int64_t columns, double (*entry)(int64_t i, int64_t j));

double trial_hilbert(int64_t i, int64_t j);

/* The absolute path of a program that stands beside assay-faulty. */
const char *trial_program(const char *name);

/* Skips the test where there is no python3. */
void trial_needs_python(void);

/* Reads FOLDER/NAME into trial->results. */
void trial_read(const char *name);
const struct record *trial_record(const char *id);
int trial_records(enum status status); /* how many have it */

/* The first component of FOLDER/out/NAME, a .npy file, and how many elements it has. */
double trial_first(const char *name, int64_t *elements);

/* The n-th id (from 0) that the selector's glob matches at level smoke. */
const char *trial_id(const char *glob, int n);
int trial_count(const char *glob);

/* How many processes have these words in their command line. */
int trial_processes(const char *words);

#endif
