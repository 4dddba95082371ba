/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/self_test.h"

#include "harness/options/options.h"
#include "reports/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of cases of a family that are tried before the family counts as one without a passing case. */
enum { TRIES_MAX = 50 };

struct family {
    const char *name; /* start of an id, up to '/' */
    int length;
    int tried, next; /* number of cases tried; where the search continues in the selection */
    bool sound;      /* the case at `index` passes unchanged */
    int index;
    bool ended, caught;
};

struct control {
    const struct run_plan *plan;
    int families;
    struct family *family;
    struct pool_task *task; /* of the current round */
    int *owner;             /* [task] the index of its family */
};

static bool belongs(const struct family *family, const char *id)
{
    return strncmp(id, family->name, (size_t)family->length) == 0 && id[family->length] == '/';
}

static bool find_families(struct control *control)
{
    const struct selection *selection = control->plan->selection;
    for (int i = 0; i < selection->count; i++) {
        const char *id = suite_list_id(control->plan->list, selection->index[i]);
        bool known = false;
        for (int f = 0; f < control->families; f++) {
            known = known || belongs(&control->family[f], id);
        }
        if (!known) {
            struct family *grown = realloc(control->family, ((size_t)control->families + 1) * sizeof *grown);
            if (!grown) {
                return false;
            }
            control->family = grown;
            grown[control->families++] =
                (struct family){.name = id, .length = (int)strcspn(id, "/"), .next = i};
        }
    }
    control->task = calloc((size_t)control->families + 1, sizeof *control->task);
    control->owner = calloc((size_t)control->families + 1, sizeof *control->owner);
    return control->task && control->owner;
}

/* Finds the family's next case to try unchanged. Returns false when there is none. */
static bool next_candidate(const struct control *control, struct family *family)
{
    const struct selection *selection = control->plan->selection;
    while (family->tried < TRIES_MAX && family->next < selection->count) {
        int index = selection->index[family->next++];
        if (belongs(family, suite_list_id(control->plan->list, index))) {
            family->tried++;
            family->index = index;
            return true;
        }
    }
    return false;
}

static int make_round(struct control *control)
{
    int tasks = 0;
    for (int f = 0; f < control->families; f++) {
        struct family *family = &control->family[f];
        if (family->ended) {
            continue;
        }
        if (!family->sound && !next_candidate(control, family)) {
            printf(
                "self-test: %.*s: NOT CHECKED, none of its first %d cases passes and has values to change\n",
                family->length, family->name, family->tried);
            family->ended = true;
            continue;
        }
        control->task[tasks] = (struct pool_task){.index = family->index, .self_test = family->sound};
        control->owner[tasks++] = f;
    }
    return tasks;
}

static enum pool_reply done(void *user, struct pool_outcome *outcome)
{
    struct control *control = user;
    const struct record *record = outcome->record;
    int task = outcome->task;
    struct family *family = &control->family[control->owner[task]];
    if (!control->task[task].self_test) {
        family->sound = record->status == STATUS_PASS && record->elements > 0;
        return POOL_NEXT;
    }
    family->ended = true;
    family->caught = record->status == STATUS_FAIL;
    printf("self-test: %.*s: %s in %s\n", family->length, family->name,
           family->caught ? "detected" : "NOT DETECTED, the changed value was accepted", record->id);
    if (family->caught && record->worst.got) {
        printf("           %s: truth %s, got %s\n", record->worst.where ? record->worst.where : "?",
               record->worst.truth ? record->worst.truth : "?", record->worst.got);
    } else {
        printf("           status %s: ", status_name(record->status));
        text_put_line(stdout, record->reason ? record->reason : "-");
        putchar('\n');
    }
    return POOL_NEXT;
}

int self_test(const struct run_plan *plan)
{
    struct control control = {.plan = plan};
    struct error error = {.text = "out of memory"};
    enum pool_end end = POOL_NOT_OPENED;
    int tasks, caught = 0;
    if (find_families(&control)) {
        struct pool_options options = {.setup = plan->setup,
                                       .list = plan->list,
                                       .jobs = plan->jobs,
                                       .time_limit = plan->time_limit,
                                       .program = plan->program,
                                       .done = done,
                                       .user = &control};
        do {
            struct pool_usage usage = {0};
            end = POOL_COMPLETE;
            tasks = make_round(&control);
            if (tasks) {
                end = pool_run(&options, control.task, tasks, &usage, &error);
            }
        } while (tasks && end == POOL_COMPLETE);
    }
    for (int f = 0; f < control.families; f++) {
        caught += control.family[f].caught;
    }
    bool all = end == POOL_COMPLETE && caught == control.families;
    if (end == POOL_NOT_OPENED) {
        options_fault("%s: %s", plan->setup.backend, error.text);
    } else {
        printf("self-test: %s: %d of %d changed values detected%s\n", plan->setup.backend, caught,
               control.families,
               end == POOL_INTERRUPTED ? ", interrupted"
               : all                   ? "; exit 1, as a run with wrong values must"
                                       : ": THIS ASSAY MISSES WRONG VALUES, or could not check (exit 3)");
    }
    free(control.family);
    free(control.task);
    free(control.owner);
    return all ? EXIT_GATE : EXIT_NOTHING_RUN;
}
