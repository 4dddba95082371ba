/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_TRIAL_H
#define ASSAY_HARNESS_TEST_TRIAL_H

/* For tests that run the whole program: build/test/assay-faulty (see faulty_backend.c), in a folder of the
 * test's own.
 *
 *   TestSuite(NAME, .init = trial_begin, .fini = trial_end);
 *
 * trial_run runs a command line, trial_expect checks how it ended, trial_read reads the records that it
 * wrote. */

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
    struct results results; /* of the results file that trial_read has read */
};

/* The trial of the running test; each test is a process of its own. */
extern struct trial *trial;
void trial_begin(void);
void trial_end(void);

/* Sets ASSAY_TEST_FAULTS to lines "FAULT ID". */
void trial_faults(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs the program with these words, split at spaces; FOLDER stands for the trial's folder. trial_start does
 * not wait for its end. */
void trial_run(const char *format, ...) __attribute__((format(printf, 1, 2)));
pid_t trial_start(const char *format, ...) __attribute__((format(printf, 1, 2)));
void trial_wait(pid_t pid);

/* Runs a shell command in the trial's folder, which must succeed. */
void trial_shell(const char *command);

/* Checks that the last run ended with `status` and printed `part`. */
void trial_expect(int status, const char *part);
void trial_run_expect(int status, const char *part,
                      const char *words); /* the same after a run with these words */

/* All that the program printed, as JSON; owned by the caller. */
json_t *trial_json(void);

/* The path FOLDER/NAME, valid until the fourth call after this one. */
const char *trial_path(const char *name);
bool trial_has(const char *name);

/* Write FOLDER/NAME: a text; an executable script. Further below: float64 .npy files. */
void trial_write(const char *name, const char *text);
void trial_script(const char *name, const char *text);
/* Writes FOLDER/p, a script that runs peculiar_program.c with this peculiarity and these JSON members of its
 * greeting. */
void trial_peculiar(const char *peculiarity, const char *greeting);
void trial_array(const char *name, struct shape shape, const double *x);
void trial_matrix(const char *name, int64_t rows, int64_t columns, double (*entry)(int64_t i, int64_t j));

double trial_hilbert(int64_t i, int64_t j);

/* The absolute path of a program in the folder of assay-faulty. */
const char *trial_program(const char *name);

/* Skips the test if there is no python3. */
void trial_needs_python(void);

/* Sets ASSAY_PYTHON to the first Python that has the modules: that of make adapters, ASSAY_PYTHON, python3.
 * Skips the test if there is none. */
void trial_needs_modules(const char *modules);

/* Reads FOLDER/NAME into trial->results. */
void trial_read(const char *name);
const struct record *trial_record(const char *id);
int trial_records(enum status status); /* how many records have this status */

/* The first component of FOLDER/out/NAME, a .npy file; *elements is the number of its elements. */
double trial_first(const char *name, int64_t *elements);

/* The n-th id (from 0) that matches the glob at level smoke. */
const char *trial_id(const char *glob, int n);
int trial_count(const char *glob);

/* The number of processes with these words in their command line. */
int trial_processes(const char *words);
/* Waits until there is such a process, 20 s at most. */
void trial_await(const char *words);

#endif
