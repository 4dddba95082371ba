/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_PROGRESS_H
#define ASSAY_HARNESS_RUN_PROGRESS_H

/* How far a run is, on stderr: one line that is rewritten on a terminal, a plain line every ten seconds
 * elsewhere. */

#include "harness/workers/pool.h"

struct progress {
    bool quiet;
    bool terminal;
    bool shown;  /* a line stands on the terminal */
    double told; /* seconds at the last plain line */
    const char *backend;
};

void progress_begin(struct progress *progress, bool quiet, const char *backend);
void progress_show(struct progress *progress, const struct pool_progress *state, int failures);
/* Erases the line: before anything else is printed, and at the end. */
void progress_clear(struct progress *progress);

/* The line, at most `columns` wide (a column per character; the id gives way). */
void progress_format(char *text, size_t size, const struct pool_progress *state, int failures, int columns);

#endif
