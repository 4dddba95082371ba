/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/clock.h"
#include "harness/shrink/shrink_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MARGIN: hypotheses explain nothing nearer than four limits either */
enum { MARGIN = 4, PLAIN_SECONDS = 10 };
static const double resolves = 0.1; /* a wider resolution is vacuous: harness/judge/conclude.c */

bool shrink_late(struct shrink *s)
{
    s->late = s->late || clock_seconds() > s->deadline;
    return s->late || s->broken;
}

/* Returns true for a result that passes and is implausible. */
static bool is_finding(const struct outcome *outcome)
{
    return (outcome->status == STATUS_PASS || outcome->status == STATUS_VACUOUS) && outcome->implausible > 1;
}

bool shrink_fails(const struct outcome *outcome)
{
    return outcome->known &&
           (is_finding(outcome) || outcome->status == STATUS_FAIL || outcome->status == STATUS_CRASH ||
            outcome->status == STATUS_TIMEOUT || outcome->status == STATUS_ERROR);
}

bool shrink_is_same(const struct outcome *wanted, const struct outcome *outcome)
{
    if (!shrink_fails(outcome) || outcome->status != wanted->status ||
        strcmp(outcome->rule, wanted->rule) != 0) {
        return false;
    }
    if (wanted->status == STATUS_CRASH) {
        return strcmp(outcome->reason, wanted->reason) == 0;
    }
    if (!wanted->valued) {
        return true;
    }
    bool far = outcome->margin >= fmin(MARGIN, sqrt(wanted->margin)),
         alike = outcome->numbered == wanted->numbered,
         sharp = !(wanted->resolution <= resolves) || outcome->resolution <= resolves;
    return far && alike && sharp && (wanted->cut || strcmp(outcome->hypothesis, wanted->hypothesis) == 0);
}

/* --- progress */

void shrink_report(struct shrink *s, bool end)
{
    char sizes[200];
    double now = clock_seconds();
    bool terminal = isatty(STDERR_FILENO) == 1;
    if (end) {
        fputs(terminal ? "\r\033[K" : "", stderr);
    } else if (now - s->shown > (terminal ? 0.2 : PLAIN_SECONDS)) {
        shrink_sizes(&s->best, sizes, sizeof sizes);
        fprintf(stderr, "%sshrinking: %d tried, %d kept, %.0f s left, %.40s%s", terminal ? "\r\033[K" : "",
                s->tried, s->taken, fmax(s->deadline - now, 0), sizes, terminal ? "" : "\n");
        fflush(stderr);
        s->shown = now;
    }
}

/* --- candidates */

/* Returns the place of a digest in the table, or the free place for it. */
static int place_of(const struct shrink *s, const char digest[33])
{
    unsigned long start = 0;
    sscanf(digest, "%8lx", &start);
    int at = (int)(start & (unsigned)(s->seen_room - 1));
    while (s->seen[at][0] && memcmp(s->seen[at], digest, sizeof *s->seen) != 0) {
        at = (at + 1) & (s->seen_room - 1);
    }
    return at;
}

/* Makes room for one more digest; at least half of the table is free. On failure some problem may be asked
 * twice. */
static bool grow(struct shrink *s)
{
    if (2 * (s->seen_count + 1) <= s->seen_room) {
        return true;
    }
    struct shrink old = *s;
    s->seen_room = s->seen_room ? 2 * s->seen_room : 128;
    s->seen = calloc((size_t)s->seen_room, sizeof *s->seen);
    if (!s->seen) {
        s->seen = old.seen;
        s->seen_room = old.seen_room;
        return false;
    }
    for (int k = 0; k < old.seen_room; k++) {
        if (old.seen[k][0]) {
            memcpy(s->seen[place_of(s, old.seen[k])], old.seen[k], sizeof *s->seen);
        }
    }
    free(old.seen);
    return true;
}

bool shrink_is_new(struct shrink *s, const struct problem *problem)
{
    struct program *program = program_create();
    char digest[33] = "";
    if (program && problem_place(problem->op, &problem->attributes, &problem->inputs, program, &s->error) &&
        program->step[0].expect == EXPECT_VALUE) {
        program_digest(program, digest);
    }
    program_destroy(&program);
    if (!digest[0] || !grow(s)) {
        return digest[0];
    }
    int at = place_of(s, digest);
    bool known = s->seen[at][0];
    memcpy(s->seen[at], digest, sizeof digest);
    s->seen_count += !known;
    return !known;
}

bool shrink_try(struct shrink *s, struct problem *candidate)
{
    struct outcome outcome;
    bool good = !shrink_late(s) && shrink_is_new(s, candidate);
    if (good) {
        s->tried++;
        s->broken = !s->trials->ask(s->trials, candidate, &outcome, &s->error);
        good = !s->broken && shrink_is_same(&s->wanted, &outcome);
    }
    if (good) {
        problem_clear(&s->best);
        s->best = *candidate;
        s->last = outcome;
        s->taken++;
        *candidate = (struct problem){.op = NULL};
    } else {
        problem_clear(candidate);
    }
    shrink_report(s, false);
    return good;
}
