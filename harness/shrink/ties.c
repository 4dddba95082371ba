/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/shrink/ties.h"

#include <string.h>

struct listed {
    int count;
    struct {
        struct member member;
        int64_t length;
        bool tied;
    } item[MEMBERS_MAX];
};

static void list_one(struct listed *list, enum member_kind kind, int index, int place, int64_t length)
{
    if (length > 1 && list->count < MEMBERS_MAX) {
        list->item[list->count].member = (struct member){kind, index, place};
        list->item[list->count].length = length;
        list->item[list->count++].tied = false;
    }
}

static void list_all(struct listed *list, const struct problem *problem)
{
    const struct repro_inputs *inputs = &problem->inputs;
    for (int i = 0; i < inputs->inputs; i++) {
        const struct shape *shape = &inputs->input[i].shape;
        bool starts = op_is_csr(problem->op, inputs->inputs, i);
        int first = op_is_coo(problem->op, inputs->inputs, i); /* the 2 of [2, n] is not a length */
        for (int d = first; !tensor_absent(&inputs->input[i]) && d < shape->rank; d++) {
            list_one(list, starts ? MEMBER_ROW_STARTS : MEMBER_DIMENSION, i, d, shape->dim[d] - starts);
        }
    }
    for (int a = 0; a < problem->attributes.count; a++) {
        const struct attribute *attribute = &problem->attributes.item[a];
        for (int k = 0; attribute->type == ATTRIBUTE_INTEGERS && k < attribute->integers.count; k++) {
            list_one(list, MEMBER_ATTRIBUTE, a, k, attribute->integers.item[k]);
        }
    }
}

/* Returns true if the rule accepts the call with these members twice as long. The rule sees no values of
 * indices. */
static bool takes_twice(const struct problem *problem, const struct tie *tie)
{
    const struct repro_inputs *inputs = &problem->inputs;
    struct attributes attributes = problem->attributes;
    struct view view[OPERANDS_MAX];
    struct op_signature signature;
    struct error error;
    for (int i = 0; i < inputs->inputs; i++) {
        view[i] = problem_view(inputs, i);
    }
    for (int m = 0; m < tie->members; m++) {
        const struct member *member = &tie->member[m];
        int64_t *length = member->kind == MEMBER_ATTRIBUTE
                              ? &attributes.item[member->index].integers.item[member->place]
                              : &view[member->index].shape.dim[member->place];
        *length += tie->length;
    }
    for (int i = 0; i < inputs->inputs; i++) { /* contiguous views, because the strides would overlap now */
        if (view[i].storage >= 0) {
            view[i] = view_contiguous(i, view[i].dtype, &view[i].shape);
        }
    }
    const struct op_operands operands = {.attributes = &attributes, .inputs = inputs->inputs, .input = view};
    return op_signature(problem->op, &operands, &signature, &error);
}

/* Finds the smallest set of members of equal length that contains the seed and that the rule accepts; of
 * equal sizes the first. */
static bool tie_seed(struct tie *tie, const struct listed *list, int seed, const struct problem *problem)
{
    int other[TIE_MEMBERS_MAX - 1], others = 0;
    for (int k = 0; k < list->count && others < TIE_MEMBERS_MAX - 1; k++) {
        if (k != seed && !list->item[k].tied && list->item[k].length == list->item[seed].length) {
            other[others++] = k;
        }
    }
    for (int size = 0; size <= others; size++) {
        for (unsigned set = 0; set < 1U << others; set++) {
            if (__builtin_popcount(set) != size) {
                continue;
            }
            *tie = (struct tie){.length = list->item[seed].length, .members = 1};
            tie->member[0] = list->item[seed].member;
            for (int k = 0; k < others; k++) {
                if (set >> k & 1) {
                    tie->member[tie->members++] = list->item[other[k]].member;
                }
            }
            if (takes_twice(problem, tie)) {
                return true;
            }
        }
    }
    return false;
}

static void mark(struct listed *list, const struct tie *tie)
{
    for (int k = 0; k < list->count; k++) {
        for (int m = 0; m < tie->members; m++) {
            const struct member *a = &list->item[k].member, *b = &tie->member[m];
            list->item[k].tied =
                list->item[k].tied || (a->kind == b->kind && a->index == b->index && a->place == b->place);
        }
    }
}

void ties_find(struct ties *ties, const struct problem *problem)
{
    struct listed list = {.count = 0};
    list_all(&list, problem);
    ties->count = 0;
    for (int k = 0; k < list.count; k++) {
        /* A list attribute of a dense operator names dimensions, or repeats their lengths, so it starts no
         * tie. */
        bool alone = list.item[k].member.kind == MEMBER_ATTRIBUTE && !op_has_indices(problem->op);
        struct tie *tie = &ties->tie[ties->count];
        if (!list.item[k].tied && !alone && tie_seed(tie, &list, k, problem)) {
            mark(&list, tie);
            ties->count++;
        }
    }
}

const struct tie *ties_of(const struct ties *ties, int operand, int dimension)
{
    for (int t = 0; t < ties->count; t++) {
        for (int m = 0; m < ties->tie[t].members; m++) {
            const struct member *member = &ties->tie[t].member[m];
            if (member->kind != MEMBER_ATTRIBUTE && member->index == operand && member->place == dimension) {
                return &ties->tie[t];
            }
        }
    }
    return NULL;
}
