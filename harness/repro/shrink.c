/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/shrink.h"
#include "harness/clock.h"
#include "harness/repro/shrink_parts.h"
#include "suites/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MARGIN = 4, PLAIN_SECONDS = 10 }; /* a hypothesis explains nothing nearer than four limits either */
static const double resolves = 0.1;      /* what is wider is vacuous: harness/verdict/judge.c */

bool shrink_late(struct shrink *s)
{
    s->late = s->late || clock_seconds() > s->deadline;
    return s->late || s->broken;
}

/* What passes, and is implausible. */
static bool is_finding(const struct outcome *outcome)
{
    return (outcome->status == STATUS_PASS || outcome->status == STATUS_VACUOUS) && outcome->implausible > 1;
}

static bool fails(const struct outcome *outcome)
{
    return outcome->known &&
           (is_finding(outcome) || outcome->status == STATUS_FAIL || outcome->status == STATUS_CRASH ||
            outcome->status == STATUS_TIMEOUT || outcome->status == STATUS_ERROR);
}

bool shrink_is_same(const struct outcome *wanted, const struct outcome *outcome)
{
    if (!fails(outcome) || outcome->status != wanted->status || strcmp(outcome->rule, wanted->rule) != 0) {
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

static void tell(struct shrink *s, bool end)
{
    char sizes[200];
    double now = clock_seconds();
    bool terminal = isatty(STDERR_FILENO) == 1;
    if (end) {
        fputs(terminal ? "\r\033[K" : "", stderr);
    } else if (now - s->told > (terminal ? 0.2 : PLAIN_SECONDS)) {
        shrink_sizes(&s->best, sizes, sizeof sizes);
        fprintf(stderr, "%sshrinking: %d tried, %d kept, %.0f s left, %.40s%s", terminal ? "\r\033[K" : "",
                s->asked, s->taken, fmax(s->deadline - now, 0), sizes, terminal ? "" : "\n");
        fflush(stderr);
        s->told = now;
    }
}

/* --- candidates */

/* The place of a digest in the table, or the free one where it would stand. */
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

/* Room for one more, half of the table free. Without it something is asked twice at worst. */
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

/* Whether it is a call with a truth, and was not asked before. */
static bool is_new(struct shrink *s, const struct problem *problem)
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
    bool good = !shrink_late(s) && is_new(s, candidate);
    if (good) {
        s->asked++;
        s->broken = !trials_ask(&s->trials, candidate, &outcome, &s->error);
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
    tell(s, false);
    return good;
}

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

/* Whether the problem fails in a process where nothing ran before, as a replay does. */
static bool holds_alone(struct shrink *s)
{
    struct outcome outcome;
    trials_close(&s->trials);
    s->trials.fresh = true;
    bool same = trials_ask(&s->trials, &s->best, &outcome, &s->error) && shrink_is_same(&s->wanted, &outcome);
    s->last = same ? outcome : s->last;
    return same;
}

static bool start(struct shrink *s, const struct problem *from, double seconds, struct error *error)
{
    if (!problem_copy(&s->best, from)) {
        return error_set(error, "out of memory");
    }
    s->trials.fresh = true;
    if (!trials_ask(&s->trials, from, &s->wanted, error)) {
        return false;
    }
    s->asked++;
    s->last = s->wanted;
    s->trials.drift->wanted_rule = s->wanted.rule;
    if (s->wanted.status == STATUS_TIMEOUT) { /* a hang costs its limit each time */
        s->trials.patience.run = fmin(s->trials.patience.run, fmax(1, seconds / 30));
    }
    if (!fails(&s->wanted)) {
        return error_set(error, "nothing to shrink: %s",
                         s->wanted.known ? s->wanted.status == STATUS_UNSUPPORTED
                                               ? "the backend does not support it"
                                               : "it does not fail, as one call alone"
                                         : "the reference or the comparison has no answer");
    }
    is_new(s, from);
    return true;
}

/* The search, and once more with a process for each problem where the end of it does not stand alone. */
static void run(struct shrink *s, const struct problem *from, double seconds, struct shrunk *shrunk)
{
    s->trials.fresh = false;
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

bool shrink_problem(struct drift *drift, const struct problem *from, double seconds, double time_limit,
                    struct shrunk *shrunk, struct error *error)
{
    const struct repro_patience patience = {time_limit, time_limit};
    struct drift *own = malloc(sizeof *own);
    struct shrink s = {.start = clock_seconds(), .taken = 0};
    *shrunk = (struct shrunk){.taken = 0};
    if (!own) {
        return error_set(error, "out of memory");
    }
    *own = *drift;
    own->c.row = own;
    own->setup.cache = NULL; /* thousands of truths that nobody asks for again */
    own->verdict_only = true;
    s.deadline = s.told = s.start;
    s.deadline += seconds;
    trials_open(&s.trials, own, &patience);
    bool good = start(&s, from, seconds, error);
    if (good) {
        run(&s, from, seconds, shrunk);
        tell(&s, true);
        good = !s.broken || error_set(error, "%.400s", s.error.text);
    }
    trials_close(&s.trials);
    shrunk->problem = s.best;
    shrunk->before = s.wanted;
    shrunk->after = s.last;
    shrunk->asked = s.asked;
    shrunk->taken = s.taken;
    shrunk->seconds = clock_seconds() - s.start;
    shrunk->late = s.late;
    free(s.seen);
    free(own);
    return good;
}

/* --- words */

static void by_shapes(const struct problem *problem, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < problem->inputs.inputs && used < size; i++) {
        char shape[160] = "none";
        if (!tensor_absent(&problem->inputs.input[i])) {
            shape_print(&problem->inputs.input[i].shape, shape, sizeof shape);
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", shape);
    }
}

void shrink_sizes(const struct problem *problem, char *text, size_t size)
{
    const struct plan_operator *planned = plan_find(problem->op->name);
    struct program *program = planned ? program_create() : NULL;
    struct error error;
    int64_t length[PLAN_AXES];
    size_t used = 0;
    text[0] = '\0';
    if (!program || !problem_place(problem->op, &problem->attributes, &problem->inputs, program, &error)) {
        by_shapes(problem, text, size);
    } else {
        plan_measure_all(planned, program, &program->step[0], length);
        for (int a = 0; a < plan_axes(planned) && used < size; a++) {
            if (length[a] >= 0 && !planned->axis[a].derived) {
                used += (size_t)snprintf(text + used, size - used, "%s%s %" PRId64, used ? ", " : "",
                                         plan_kind_name(planned->axis[a].kind), length[a]);
            }
        }
    }
    program_destroy(&program);
}
