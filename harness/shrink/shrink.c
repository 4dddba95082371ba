/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/shrink/shrink.h"
#include "harness/host/clock.h"
#include "harness/shrink/shrink_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void search(struct shrink *s)
{
    static bool (*const steps[])(struct shrink *) = {shrink_layouts, shrink_operands,   shrink_lengths,
                                                     shrink_ranks,   shrink_attributes, shrink_values};
    bool changed = true;
    while (changed && !shrink_late(s)) {
        changed = false;
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            changed = steps[k](s) || changed;
        }
    }
}

/* --- all of it */

/* Returns true if the best problem fails in the same way in a process where nothing ran before, as in a
 * replay. */
static bool holds_alone(struct shrink *s)
{
    struct outcome outcome;
    s->trials->stop(s->trials);
    s->trials->fresh = true;
    bool same =
        s->trials->ask(s->trials, &s->best, &outcome, &s->error) && shrink_is_same(&s->wanted, &outcome);
    s->last = same ? outcome : s->last;
    return same;
}

static bool start(struct shrink *s, const struct problem *from, double seconds, struct error *error)
{
    if (!problem_copy(&s->best, from)) {
        return error_set(error, "out of memory");
    }
    s->trials->fresh = true;
    if (!s->trials->ask(s->trials, from, &s->wanted, error)) {
        return false;
    }
    s->tried++;
    s->last = s->wanted;
    s->trials->wanted_rule = s->wanted.rule;
    if (s->wanted.status == STATUS_TIMEOUT) { /* a hang costs its limit each time */
        s->trials->run_seconds = fmin(s->trials->run_seconds, fmax(1, seconds / 30));
    }
    if (!shrink_fails(&s->wanted)) {
        return error_set(error, "nothing to shrink: %s",
                         s->wanted.known ? s->wanted.status == STATUS_UNSUPPORTED
                                               ? "the backend does not support the call"
                                               : "the call does not fail when it runs alone"
                                         : "the reference or the comparison gave no result");
    }
    shrink_is_new(s, from);
    return true;
}

/* Searches; if the result does not fail in a fresh process, searches again with a process for each problem.
 */
static void run(struct shrink *s, const struct problem *from, double seconds, struct shrunk *shrunk)
{
    s->trials->fresh = false;
    search(s);
    if (s->taken && !s->broken && !holds_alone(s)) {
        shrunk->fresh = true;
        if (s->seen) {
            memset(s->seen, 0, (size_t)s->seen_room * sizeof *s->seen);
        }
        s->seen_count = s->taken = 0;
        s->late = false;
        s->deadline = clock_seconds() + seconds;
        s->last = s->wanted;
        problem_clear(&s->best);
        if (!problem_copy(&s->best, from)) {
            s->broken = true;
            error_set(&s->error, "out of memory");
            return;
        }
        search(s);
    }
}

bool shrink_problem(struct trials *trials, const struct problem *from, double seconds, struct shrunk *shrunk,
                    struct error *error)
{
    struct shrink s = {.trials = trials, .start = clock_seconds(), .taken = 0};
    *shrunk = (struct shrunk){.taken = 0};
    s.deadline = s.shown = s.start;
    s.deadline += seconds;
    bool good = start(&s, from, seconds, error);
    if (good) {
        run(&s, from, seconds, shrunk);
        shrink_report(&s, true);
        good = !s.broken || error_set(error, "%.400s", s.error.text);
    }
    trials->stop(trials);
    shrunk->problem = s.best;
    shrunk->before = s.wanted;
    shrunk->after = s.last;
    shrunk->tried = s.tried;
    shrunk->taken = s.taken;
    shrunk->seconds = clock_seconds() - s.start;
    shrunk->late = s.late;
    free(s.seen);
    return good;
}
