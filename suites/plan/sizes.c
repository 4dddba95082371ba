/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every operator at every size of suites/plan/plan.def: the calls of its covering array, several per case,
 * each a step on its own storages. A case is named after the dimension and the sizes that its calls were made
 * for. */

#include "suites/plan/call_builder.h"
#include "suites/plan/size_coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 16, STREAMS = 2048 /* numbers of generators that one step uses at most */ };

struct group {
    const struct plan_operator *planned;
    int count;
    struct plan_call call[];
};

/* Sizes whose calls share a case. */
static const struct band {
    int64_t low, high;
    const char *name;
} bands[] = {
    {0, 3, "0to3"},
    {4, 17, "4to17"},
    {18, 65, "18to65"},
    {66, 257, "66to257"},
    {258, 769, "258to768"},
    {770, 2049, "769to2049"},
    {2050, 5120, "2050to5120"},
    {65535, 65537, "65535to65537"},
};

static const struct band *band_of(int64_t size)
{
    const struct band *band = bands;
    while (size > band->high) {
        band++;
    }
    return band;
}

static void build(struct builder *b)
{
    const struct group *group = b->c->row;
    for (int k = 0; k < group->count && !b->failed; k++) {
        b->stream = STREAMS * group->call[k].turn;
        plan_build(b, group->planned, &group->call[k]);
    }
}

/* Declares the n-th case of a kind of calls: "plan-columns-66to257", "plan-columns-66to257-2". */
static void declare_group(struct suite_list *list, const struct op *op, const struct group *group, int n)
{
    const struct plan_call *first = &group->call[0];
    const char *kind = plan_kind_name(group->planned->axis[first->axis].kind);
    char number[16] = "";
    if (n > 1) {
        snprintf(number, sizeof number, "-%d", n);
    }
    suite_declare_named(list,
                        &(struct suite_case){.op = op,
                                             .dtype = first->dtype,
                                             .level = first->level,
                                             .covers = "size_plan size_limits",
                                             .file = __FILE__,
                                             .line = __LINE__,
                                             .build = build,
                                             .row = group},
                        "plan-%s-%s%s%s", kind, band_of(plan_class_size(first->class))->name,
                        first->level == LEVEL_EXHAUSTIVE ? "-more" : "", number);
}

enum { BANDS = sizeof bands / sizeof *bands, KINDS = PLAN_AXES * DTYPE_COUNT * LEVEL_COUNT * BANDS };

/* Numbers the kind of a call: axis, dtype, level and band. Calls of a kind share cases. */
static int kind_of(const struct plan_call *call)
{
    int band = (int)(band_of(plan_class_size(call->class)) - bands);
    return ((call->axis * DTYPE_COUNT + (int)call->dtype) * LEVEL_COUNT + (int)call->level) * BANDS + band;
}

/* Declares the cases of all calls of the kind of call `first`, the first of its kind. */
static void declare_all(struct suite_list *list, const struct op *op, const struct plan_operator *planned,
                        const struct plan_array *array, int first)
{
    int kind = kind_of(&array->call[first]);
    for (int k = first, n = 1; k < array->count; n++) {
        struct plan_call call[STEPS_MAX];
        int count = 0;
        for (; k < array->count && count < STEPS_MAX; k++) {
            if (kind_of(&array->call[k]) == kind) {
                call[count++] = array->call[k];
            }
        }
        if (count == 0) {
            continue;
        }
        struct group *group = malloc(sizeof *group + (size_t)count * sizeof *call);
        if (!group) {
            suite_fail(list);
            return;
        }
        *group = (struct group){.planned = planned, .count = count};
        memcpy(group->call, call, (size_t)count * sizeof *call);
        if (suite_keep(list, group)) {
            declare_group(list, op, group, n);
        }
    }
}

/* The covering arrays made so far. */
struct arrays {
    int count;
    struct made {
        const struct plan_operator *planned;
        unsigned dtypes;
        struct plan_array array;
    } * made; /* room for all operators */
};

/* Returns the array of an equal operator (plan_alike), or a new one; NULL when out of memory. */
static const struct plan_array *array_of(struct arrays *arrays, const struct plan_operator *planned,
                                         unsigned dtypes)
{
    for (int m = 0; m < arrays->count; m++) {
        const struct made *made = &arrays->made[m];
        if (made->dtypes == dtypes && plan_alike(made->planned, planned)) {
            return &made->array;
        }
    }
    struct made *made = &arrays->made[arrays->count];
    *made = (struct made){.planned = planned, .dtypes = dtypes};
    if (!plan_array_create(&made->array, planned, dtypes)) {
        return NULL;
    }
    arrays->count++;
    return &made->array;
}

static void declare_array(struct suite_list *list, const struct op *op, const struct plan_operator *planned,
                          const struct plan_array *array)
{
    bool declared[KINDS] = {false};
    for (int k = 0; k < array->count; k++) {
        bool *known = &declared[kind_of(&array->call[k])];
        if (!*known) {
            declare_all(list, op, planned, array, k);
        }
        *known = true;
    }
}

static void declare(struct suite_list *list)
{
    struct arrays arrays = {.made = calloc((size_t)plan_operators(), sizeof *arrays.made)};
    for (int o = 0; arrays.made && o < plan_operators(); o++) {
        const struct plan_operator *planned = plan_operator(o);
        const struct op *op = op_find(planned->name);
        const struct plan_array *array = op ? array_of(&arrays, planned, plan_dtypes(planned)) : NULL;
        if (array) {
            declare_array(list, op, planned, array);
        } else if (op) {
            suite_fail(list);
        }
    }
    if (!arrays.made) {
        suite_fail(list);
    }
    for (int m = 0; m < arrays.count; m++) {
        plan_array_destroy(&arrays.made[m].array);
    }
    free(arrays.made);
}

const struct suite suite_plan_sizes = {.declare = declare, .coverage = plan_coverage_write};
