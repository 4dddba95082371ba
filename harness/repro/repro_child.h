/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_REPRO_CHILD_H
#define ASSAY_HARNESS_REPRO_REPRO_CHILD_H

/* Asks one backend of `assay repro --op` in a process of its own, so that a crash or a hang costs only that
 * backend. */

#include "harness/repro/repro_parts.h"
#include "harness/repro/waiting.h"
#include "harness/workers/child.h"

/* Returns repro_answer's object, or one with status "crash" or "timeout". `limit`: seconds each for the
 * reference, for the backend's answer and for the comparison; opening the backend has the limit of `assay
 * run`. "reference_late" is true in the object if the reference was too slow. With files->in_process there is
 * no other process and no limit. */
json_t *repro_ask(struct repro *repro, double limit);

/* --- for callers that ask more than once */

enum { REPRO_OPENING = -1 }; /* the phase before the first case_phase */

/* Serves requests from descriptor `from` in the child. Returns false to exit with a failure. */
typedef bool repro_serve(struct repro *repro, int from);

/* Seconds for the backend's answer, and for each other phase. */
struct repro_time_limits {
    double run, rest;
};

bool repro_child_start(struct repro *repro, repro_serve *serve, struct child *child);
void repro_child_say(const struct repro *repro, const json_t *json); /* sends the child's answer */

/* Waits for the child's next answer. Returns NULL when the pipe ends or the time is up (*late). *phase: in,
 * the phase in which the child is; out, its latest one. `waiting`: shows what the child does; NULL: nothing.
 */
json_t *repro_child_listen(struct child *child, const struct repro_time_limits *limits, int *phase,
                           struct waiting *waiting, bool *late);
void repro_child_reap(struct child *child, bool kill);
/* Says how a reaped child ended: "the process was killed by SIGSEGV … in phase run". */
void repro_child_reason(const struct child *child, int phase, char *reason, size_t size);

#endif
