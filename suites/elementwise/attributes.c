/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions with numbers as attributes, at attributes below and above the defaults. Operands are next to each
 * attribute, its negative, its reciprocal and the quotients of two of them, where a function may bend, or are
 * spread to twice as far. One step for each set of attributes. */

#include "reference/ops/elementwise/elementwise.h"
#include "suites/shared/data.h"
#include "suites/shared/functions.h"
#include "suites/shared/rows.h"

#include <math.h>

enum { POINTS = 64, NEAR = 2, SPREAD = 256 };

/* Where the function may bend, for one set of attributes. */
struct points {
    int count;
    double at[POINTS], most; /* the farthest of them; 20 at least */
};

static void add_point(struct points *points, double x)
{
    if (points->count < POINTS && isfinite(x) && x != 0) {
        points->at[points->count++] = x;
        points->most = fmax(points->most, fabs(x));
    }
}

static struct points points_of(const struct op *op, enum dtype dtype, const struct attributes *given)
{
    struct points points = {.most = 20};
    struct attributes all = *given;
    op_default_attributes(op, dtype, &all);
    for (int k = 0; k < all.count; k++) {
        const double x = all.item[k].real;
        if (all.item[k].type == ATTRIBUTE_REAL) {
            add_point(&points, x);
            add_point(&points, -x);
            add_point(&points, 1 / x);
            for (int other = 0; other < all.count; other++) {
                if (other != k && all.item[other].type == ATTRIBUTE_REAL) {
                    add_point(&points, x / all.item[other].real);
                }
            }
        }
    }
    return points;
}

/* Operand 0 of a gradient is grad_output, and of what adds a product the addend. */
static void fill_beside(struct builder *b, const struct function *f, int operand, const struct view *x)
{
    struct philox generator = build_generator(b, operand);
    const struct domain *u = &f->domain[operand];
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        const double most = fmin(u->most, 8);
        build_set(b, x, i, (i % 2 ? -most : most) * (0.25 + 0.75 * philox_unit(&generator)));
    }
}

/* The parameter: 1 spreads the operands, 0 takes the points and their neighbours. */
static void fill_points(struct builder *b, const struct points *points, const struct view *x)
{
    const bool spread = b->c->parameter != 0;
    const double end = fmin(2 * points->most, dtype_max(x->dtype) / 4);
    struct philox generator = build_generator(b, 9);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        unsigned char bytes[8] = {0};
        const double point = points->at[i / (2 * NEAR + 1) % (points->count ? points->count : 1)];
        if (spread) {
            build_set(b, x, i, end * (2 * philox_unit(&generator) - 1));
            continue;
        }
        dtype_store(x->dtype, bytes, points->count ? point : 1);
        build_set_bits(b, x, i, 0,
                       dtype_bits(x->dtype, bytes) + (uint64_t)(i % (2 * NEAR + 1)) - (uint64_t)NEAR);
    }
}

static void build_set_of(struct builder *b, const struct function *f, const struct attributes *attributes)
{
    const struct points points = points_of(b->c->op, b->c->dtype, attributes);
    const int operands = function_operands(f), last = operands == 2 ? 1 : 0;
    const int64_t length = b->c->parameter ? SPREAD : (int64_t)points.count * (2 * NEAR + 1);
    struct shape vector = shape_of(1, length);
    struct view operand[FUNCTION_OPERANDS];
    for (int k = 0; k < operands; k++) {
        operand[k] = function_tensor(b, f, k, &vector, LAYOUT_CONTIGUOUS);
        if (k == last && operands < 3) {
            fill_points(b, &points, &operand[k]);
        } else {
            fill_beside(b, f, k, &operand[k]);
        }
    }
    build_step(b, b->c->op, attributes, operands, operand);
}

static void build(struct builder *b)
{
    static const struct attributes none = {.count = 0};
    const struct function *f = function_named(b->c->op->name);
    build_set_of(b, f, &none);
    for (int g = 0; g < function_givens(f) && !b->failed; g++) {
        b->stream = 16 * (g + 1);
        build_set_of(b, f, &f->given[g].attributes);
    }
}

static const struct suite_row rows[] = {{.name = "attributes-near",
                                         .level = LEVEL_STANDARD,
                                         .line = __LINE__,
                                         .covers = "attribute_values flags"},
                                        {.name = "attributes-spread",
                                         .level = LEVEL_STANDARD,
                                         .line = __LINE__,
                                         .covers = "attribute_values flags",
                                         .parameter = 1}};

static bool goes_beyond(const struct function *f)
{
    bool beyond = false;
    for (int g = 0; g < function_givens(f); g++) {
        beyond = beyond || f->given[g].beyond;
    }
    return beyond;
}

static void declare(struct suite_list *list)
{
    for (int k = 0; k < function_count(); k++) {
        if (goes_beyond(function_at(k))) {
            suite_declare_rows(
                list, &(struct suite_table){SUITE_ROWS(rows), .ops = {function_at(k)->name}, .build = build});
        }
    }
}

const struct suite suite_elementwise_attributes = {.declare = declare};
