/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_REPRO_CHILD_H
#define ASSAY_HARNESS_REPRO_REPRO_CHILD_H

/* One backend of `assay repro --op` in a process of its own, so that a crash or a hang costs that backend. */

#include "harness/repro/repro_parts.h"
#include "harness/workers/child.h"

/* repro_answer's object, or one of status "crash" or "timeout": `limit` seconds for the reference, for the
 * backend's answer and for the comparison each, and as `assay run` has it for opening the backend. Its
 * "reference_late" is true where the reference was too slow. With files->in_process no other process and no
 * limit. */
json_t *repro_ask(struct repro *repro, double limit);

/* --- the parts of it, for those who ask more than once */

enum { REPRO_OPENING = -1 }; /* before the first case_phase */

/* What the child does; `from`: requests. False: it ends with a failure. */
typedef bool repro_serve(struct repro *repro, int from);

/* Seconds for the backend's answer, and for everything else each. */
struct repro_time_limits {
    double run, rest;
};

bool repro_child_start(struct repro *repro, repro_serve *serve, struct child *child);
void repro_child_say(const struct repro *repro, const json_t *json); /* the child's answer */

/* Reads until an answer is there, the pipe ends, or the time is up (NULL). *phase: where it begins, and where
 * it was. */
json_t *repro_child_listen(struct child *child, const struct repro_time_limits *limits, int *phase,
                           bool *late);
void repro_child_reap(struct child *child, bool kill);
/* "the process was killed by SIGSEGV … in phase run"; of one that is reaped. */
void repro_child_reason(const struct child *child, int phase, char *reason, size_t size);

#endif
