/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_WAITING_H
#define ASSAY_HARNESS_REPRO_WAITING_H

/* Shows on a terminal what a backend's process does, as one line on stderr that is rewritten: "cpu: judging
 * 42 %, 7 s". It appears after a second; where stderr is no terminal, nothing is shown. */

#include <stdbool.h>

struct waiting {
    const char *backend;
    bool terminal, shown;
    double since; /* clock_seconds at the start */
    double done;  /* part of the result that is judged, 0 to 1 */
};

void waiting_begin(struct waiting *waiting, const char *backend);
/* Shows the line. `phase`: of the child, see repro_child.h. Returns the seconds after which it is to be shown
 * again. */
double waiting_show(struct waiting *waiting, int phase);
/* Erases the line. Call it before anything else is printed. */
void waiting_end(struct waiting *waiting);

/* Formats the line, which has less than `size` characters. */
void waiting_format(const struct waiting *waiting, int phase, double seconds, char *text, int size);

#endif
