/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Candidates with simpler numbers: 0, 1, small whole numbers, powers of two, fewer bits. */

#include "harness/shrink/shrink_parts.h"

#include <math.h>
#include <string.h>

/* Ways to simplify a number, the simplest result first. */
enum simpler { TO_ZERO, TO_ONE, TO_SIGN, TO_WHOLE, TO_POWER, TO_BITS };
static const struct {
    enum simpler how;
    int bits;
} ways[] = {{TO_ZERO, 0}, {TO_ONE, 0},  {TO_SIGN, 0}, {TO_WHOLE, 0}, {TO_POWER, 1}, {TO_BITS, 2},
            {TO_BITS, 3}, {TO_BITS, 4}, {TO_BITS, 6}, {TO_BITS, 9},  {TO_BITS, 13}, {TO_BITS, 20}};

static int significant(double x)
{
    int bits = 1;
    while (bits < 53 && dtype_significant(x, bits, false) != x) {
        bits++;
    }
    return bits;
}

/* Returns how complex a number is to read. Every step of the search lowers the sum over all numbers. */
static int complexity(double x)
{
    int exponent;
    if (x == 0) {
        return signbit(x) ? 1 : 0;
    }
    if (!isfinite(x)) {
        return 2000;
    }
    if (fabs(x) <= 16 && x == trunc(x)) {
        return 1 + (int)fabs(x) + (x < 0);
    }
    frexp(x, &exponent);
    exponent = exponent < 0 ? -exponent : exponent;
    return 20 + 16 * significant(x) + (exponent < 120 ? exponent : 120) / 8 + (x < 0);
}

static double simpler(double x, size_t way)
{
    if (isnan(x) && ways[way].how >= TO_SIGN) {
        return x;
    }
    switch (ways[way].how) {
    case TO_ZERO:
        return 0;
    case TO_ONE:
        return 1;
    case TO_SIGN:
        return x < 0 ? -1 : x > 0 ? 1 : 0;
    case TO_WHOLE:
        return fabs(x) <= 16 ? nearbyint(x) : x;
    default:
        return isfinite(x) ? dtype_significant(x, ways[way].bits, false) : x;
    }
}

/* Returns true if the way keeps sums exact, for inputs whose every sum must be exact: a number becomes zero,
 * or ±1 if its magnitude is at least 1. */
static bool keeps_exact(double x, size_t way)
{
    return ways[way].how == TO_ZERO || (ways[way].how <= TO_SIGN && fabs(x) >= 1);
}

/* Simplifies components [start, start + count) of operand i. Returns false if none becomes simpler. */
static bool simplify(struct problem *p, int i, int64_t start, int64_t count, size_t way)
{
    struct tensor *tensor = &p->inputs.input[i];
    enum dtype component = dtype_info(tensor->dtype)->component;
    size_t size = dtype_info(component)->size;
    int64_t gain = 0;
    for (int64_t k = start; k < start + count; k++) {
        double x = tensor_component(tensor, k), y = simpler(x, way);
        int less = complexity(x) - complexity(y);
        bool exact = !p->inputs.exact || keeps_exact(x, way),
             whole = component != DTYPE_INT64 || fabs(x) < 0x1p53;
        if (less > 0 && exact && (whole || y == 0 || y == 1) && dtype_holds(component, y)) {
            dtype_store(component, tensor->data + (size_t)k * size, y);
            gain += less;
        }
    }
    return gain > 0;
}

/* Copies changed numbers to operands in the same memory. All of them lose their declared origin. */
static void follow(struct problem *p, int i)
{
    struct repro_layout *layout = &p->inputs.layout[i];
    layout->origin = ORIGIN_UNDECLARED;
    for (int j = 0; j < p->inputs.inputs; j++) {
        struct repro_layout *other = &p->inputs.layout[j];
        if (j != i && layout->given && other->given && other->storage == layout->storage) {
            other->origin = ORIGIN_UNDECLARED;
            memcpy(p->inputs.input[j].data, p->inputs.input[i].data, tensor_bytes(&p->inputs.input[i]));
        }
    }
}

static bool try_part(struct shrink *s, int i, int64_t start, int64_t count)
{
    for (size_t way = 0; way < sizeof ways / sizeof *ways && !shrink_late(s); way++) {
        struct problem candidate;
        if (!problem_copy(&candidate, &s->best)) {
            return false;
        }
        if (!simplify(&candidate, i, start, count, way)) {
            problem_clear(&candidate);
            continue;
        }
        follow(&candidate, i);
        if (shrink_try(s, &candidate)) {
            return true;
        }
    }
    return false;
}

/* Returns false where operands share memory in different ways or an operand has an element twice: then no
 * number can change alone. */
static bool stands_alone(const struct problem *p, int i)
{
    struct view view = problem_view(&p->inputs, i);
    bool alone = !view_overlaps_itself(&view);
    for (int j = 0; alone && j < p->inputs.inputs; j++) {
        struct view other = problem_view(&p->inputs, j);
        alone = j == i || other.storage != view.storage || view_sharing(&view, &other) == VIEWS_IDENTICAL;
    }
    return alone;
}

static bool simplify_operand(struct shrink *s, int i)
{
    const struct tensor *tensor = &s->best.inputs.input[i];
    bool changed = false;
    if (tensor_absent(tensor) || s->best.inputs.layout[i].filler ||
        op_is_indices(s->best.op, s->best.inputs.inputs, i) || !stands_alone(&s->best, i)) {
        return false;
    }
    int64_t count = shape_elements(&tensor->shape) * dtype_info(tensor->dtype)->components;
    int64_t least = count > 512 ? count / 64 : 1;
    for (int64_t part = count; part >= least && part > 0; part = part > 1 ? (part + 1) / 2 : 0) {
        for (int64_t start = 0; start < count && !shrink_late(s); start += part) {
            int64_t here = start + part < count ? part : count - start;
            changed = try_part(s, i, start, here) || changed;
        }
    }
    return changed;
}

bool shrink_values(struct shrink *s)
{
    bool changed = false;
    for (int i = 0; i < s->best.inputs.inputs; i++) {
        changed = simplify_operand(s, i) || changed;
    }
    return changed;
}

/* --- attributes */

/* Sets *value to the operator's default for this attribute. Returns false if it has none. */
static bool default_of(const struct problem *p, const char *name, struct attribute *value)
{
    struct attributes given = {.count = 0};
    op_default_attributes(p->op, p->inputs.input[op_leading_input(p->op)].dtype, &given);
    for (int a = 0; a < given.count; a++) {
        if (strcmp(given.item[a].name, name) == 0) {
            *value = given.item[a];
            return true;
        }
    }
    return false;
}

static bool same_number(const struct attribute *a, const struct attribute *b)
{
    return a->type == b->type && (a->type == ATTRIBUTE_REAL ? memcmp(&a->real, &b->real, sizeof a->real) == 0
                                                            : a->integer == b->integer);
}

bool shrink_attributes(struct shrink *s)
{
    bool changed = false;
    for (int a = 0; a < s->best.attributes.count; a++) {
        struct problem candidate;
        struct attribute usual, *attribute = &s->best.attributes.item[a];
        if (attribute->type == ATTRIBUTE_INTEGERS || !default_of(&s->best, attribute->name, &usual) ||
            same_number(attribute, &usual) || !problem_copy(&candidate, &s->best)) {
            continue;
        }
        usual.name = attribute->name;
        candidate.attributes.item[a] = usual;
        if (problem_is_taken(&candidate)) {
            changed = shrink_try(s, &candidate) || changed;
        } else {
            problem_clear(&candidate);
        }
    }
    return changed;
}
