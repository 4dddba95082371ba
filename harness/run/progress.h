/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_PROGRESS_H
#define ASSAY_HARNESS_RUN_PROGRESS_H

/* Shows the progress of a run on stderr: on a terminal as one line that is rewritten, elsewhere as a new line
 * every ten seconds. */

#include "harness/workers/pool.h"

struct progress_counts {
    int failures;
    int reruns; /* failing cases that are being run again */
};

struct progress {
    bool quiet;
    bool terminal;
    bool shown;     /* the line is on the terminal */
    double printed; /* seconds since the start at which the latest plain line was printed */
    const char *backend;
};

void progress_begin(struct progress *progress, bool quiet, const char *backend);
void progress_show(struct progress *progress, const struct pool_progress *state,
                   const struct progress_counts *counts);
/* Erases the line. Call it before anything else is printed, and at the end. */
void progress_clear(struct progress *progress);

/* Formats the line, at most `columns` wide (one column per character); a long id is shortened:
 * "788/791, 20 failed, 3 being rerun, 1:12, 0:01 left  norm/vector_norm/…". The first time has passed. */
void progress_format(char *text, size_t size, const struct pool_progress *state,
                     const struct progress_counts *counts, int columns);

#endif
