/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The gradient of prelu's weight: a sum for each channel, beside dimensions of equal length, or one sum over
 * all; pairs of special values of grad_output and input, also at and near the kink; long sums that are exact,
 * one-sided or cancel; layouts of each operand in turn; refusals. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

#include "reference/ops/elementwise/elementwise.h"

#include <math.h>
#include <string.h>

enum { GRAD, INPUT, WEIGHT, OPERANDS };

enum fill {
    FILL_RANDOM,
    FILL_WHOLE,    /* whole numbers whose products every order sums exactly in float16 */
    FILL_ONE_SIGN, /* every product of 1/4 to 1 in size, and below 0 */
    FILL_CANCELS,  /* large products that cancel in pairs, small ones between */
    FILL_ENDS,     /* products beyond the range, beside positive inputs where they do not count */
    FILL_NAN, /* a NaN in each operand in turn, an infinity, at another place of each channel but the last */
    FILL_POSITIVE, /* no input counts but in the last channel; infinities and NaN of grad_output beside them
                    */
    FILL_SUBNORMAL /* of each operand in turn, in every other channel */
};

struct row {
    struct suite_row row;
    int rank;
    int64_t dim[5];
    enum {
        EACH,
        ONE,
        SCALAR,
        REFUSED_LENGTH,
        REFUSED_RANK,
        REFUSED_GRAD
    } weight; /* a number for each channel, one, one without a dimension; or what is refused */
    enum layout layout;
    enum fill fill;
};

/* What element i is: number k of the `terms` of channel c. */
struct place {
    int64_t c, channels, k, terms;
};

static struct place place_of(const struct row *row, int64_t i)
{
    struct place p = {.channels = 1, .terms = 1};
    int64_t inner = 1;
    const bool each = row->weight == EACH && row->rank > 1;
    for (int d = 0; d < row->rank; d++) {
        p.terms *= each && d == 1 ? 1 : row->dim[d];
        inner *= each && d > 1 ? row->dim[d] : 1;
    }
    p.channels = each ? row->dim[1] : 1;
    inner = each ? inner : p.terms;
    p.c = i / inner % p.channels;
    p.k = i / inner / p.channels * inner + i % inner;
    return p;
}

static double special_at(struct place p, int operand)
{
    const double special[] = {(double)NAN, -(double)INFINITY, (double)INFINITY};
    const bool there = p.k == (p.c * 7 + p.terms - 1) % p.terms && p.c < p.channels - 1 && p.c % 2 == operand;
    return there ? special[p.c / 2 % 3] : 0;
}

static double number(const struct builder *b, int operand, struct place p, struct philox *generator)
{
    const struct row *row = b->c->row;
    const bool x = operand == INPUT, last = p.c == p.channels - 1;
    const double most = dtype_max(b->c->dtype), unit = philox_unit(generator);
    const double special = row->fill == FILL_NAN ? special_at(p, operand) : 0;
    switch (row->fill) {
    case FILL_ONE_SIGN:
        return (x ? -1 : 1) * (0.5 + unit / 2);
    case FILL_CANCELS:
        return p.k % 3 == 2 ? (x ? -unit : unit)
               : x          ? -(double)(32 + p.k / 3 % 7 * 4)
                            : (p.k % 3 ? -1 : 1) * (double)(16 + p.k / 3 % 5);
    case FILL_ENDS: /* of x in turn −MAX/2n, where it counts, and MAX */
        return p.c % 2 == 0 ? (x         ? -most / (double)(2 * p.terms)
                               : p.k % 2 ? 1
                                         : -0.5)
               : x          ? (p.k % 2 ? most : -1)
                            : (p.k % 2 ? most : 1);
    case FILL_POSITIVE:
        return x             ? (last ? -1 : 1) * (1 + unit)
               : p.k % 5 < 3 ? unit - 0.25
               : last        ? unit
               : p.k % 2     ? (double)INFINITY
                             : (double)NAN;
    default:
        return special != 0 ? special : (double)philox_below(generator, x ? 8 : 7) - (x ? 5 : 3);
    }
}

static void fill(struct builder *b, const struct view *view, int operand)
{
    const struct row *row = b->c->row;
    struct philox generator = build_generator(b, operand);
    for (int64_t i = 0; i < shape_elements(&view->shape); i++) {
        if (operand == WEIGHT || row->fill == FILL_RANDOM) {
            build_set_bits(b, view, i, 0, data_between(&generator, b->c->dtype, -4, 4));
        } else if (row->fill == FILL_SUBNORMAL && place_of(row, i).c % 2 &&
                   (operand == INPUT) == (i % 2 == 0)) {
            build_set_bits(b, view, i, 0, data_subnormal(&generator, b->c->dtype, i));
        } else {
            build_set(b, view, i, number(b, operand, place_of(row, i), &generator));
        }
    }
    build_origin(b, view, row->fill == FILL_RANDOM);
}

static void operand(struct builder *b, struct view *input, int k, enum layout layout)
{
    const struct row *row = b->c->row;
    struct shape shape = {.rank = row->rank};
    memcpy(shape.dim, row->dim, sizeof row->dim);
    const int64_t channels = row->rank > 1 ? row->dim[1] : 1;
    const struct shape weights = row->weight == SCALAR ? (struct shape){.rank = 0}
                                 : row->weight == REFUSED_RANK
                                     ? shape_of(2, (int64_t)1, channels)
                                     : shape_of(1, row->weight == ONE              ? 1
                                                   : row->weight == REFUSED_LENGTH ? channels + 1
                                                                                   : channels);
    if (k == GRAD && row->weight == REFUSED_GRAD) {
        shape.dim[0] = 1;
    }
    input[k] = build_tensor(b, b->c->dtype, k == WEIGHT ? &weights : &shape, layout);
    fill(b, &input[k], k);
}

/* The operands in the layout one by one. */
static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    const int turns = row->layout == LAYOUT_CONTIGUOUS ? 1 : OPERANDS;
    for (int turn = 0; turn < turns && !b->failed; turn++) {
        struct view input[OPERANDS];
        b->stream = 16 * turn;
        for (int k = 0; k < OPERANDS; k++) {
            operand(b, input, k, k == turn ? row->layout : LAYOUT_CONTIGUOUS);
        }
        build_step(b, b->c->op, NULL, OPERANDS, input);
    }
}

static void refuse(struct builder *b)
{
    struct view input[OPERANDS];
    for (int k = 0; k < OPERANDS; k++) {
        operand(b, input, k, LAYOUT_CONTIGUOUS);
    }
    build_rejection(b, b->c->op, NULL, OPERANDS, input);
}

/* Each pair of special values of grad_output and input in a channel of its own, beside ordinary products. */
static void build_specials(struct builder *b)
{
    enum { TERMS = 3 };
    uint64_t bits[SPECIALS_MAX];
    const int64_t count = special_bits(b->c->dtype, bits), channels = count * count;
    const struct shape shape = shape_of(2, (int64_t)TERMS, channels), each = shape_of(1, channels);
    struct philox generator = build_generator(b, GRAD);
    struct view input[OPERANDS];
    for (int k = 0; k < OPERANDS; k++) {
        input[k] = build_tensor(b, b->c->dtype, k == WEIGHT ? &each : &shape, LAYOUT_CONTIGUOUS);
    }
    for (int64_t c = 0; c < channels; c++) {
        for (int64_t t = 0; t < TERMS; t++) {
            const int64_t i = t * channels + c;
            build_set(b, &input[GRAD], i, (double)philox_below(&generator, 9) - 4);
            build_set(b, &input[INPUT], i, (double)philox_below(&generator, 9) - 6);
        }
        const int64_t at = c % TERMS * channels + c;
        build_set_bits(b, &input[GRAD], at, 0, bits[c % count]);
        build_set_bits(b, &input[INPUT], at, 0, bits[c / count]);
        build_set(b, &input[WEIGHT], c, 0.25);
    }
    build_step(b, b->c->op, NULL, OPERANDS, input);
}

#define SHAPE(rank_, ...) .rank = rank_, .dim = {__VA_ARGS__}
#define WEIGHTS           "channel_weights self_encoding"
#define LAID(name_, level_, layout_)                                                                         \
    SUITE_ROW(name_, level_, "layout_grid poison"), SHAPE(3, 3, 5, 6), .layout = LAYOUT_##layout_
#define LONG    "row_sums size_limits"
#define REFUSED "halves_refusals", .build = refuse
#define WIDE    .dtypes = 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64

static const struct row rows[] = {
    {SUITE_ROW("specials", SMOKE, "special_values", .build = build_specials)},
    {SUITE_ROW("channels-equal", SMOKE, WEIGHTS), SHAPE(3, 4, 4, 4)},
    {SUITE_ROW("channels-4d", SMOKE, WEIGHTS), SHAPE(4, 2, 3, 5, 3)},
    {SUITE_ROW("channels-2d", STANDARD, WEIGHTS), SHAPE(2, 33, 5)},
    {SUITE_ROW("channels-5d", STANDARD, WEIGHTS), SHAPE(5, 2, 3, 2, 4, 3)},
    {SUITE_ROW("channels-65", STANDARD, WEIGHTS " many_channels"), SHAPE(3, 2, 65, 3)},
    {SUITE_ROW("channels-130", STANDARD, WEIGHTS " many_channels"), SHAPE(2, 3, 130)},
    {SUITE_ROW("channels-300", STANDARD, WEIGHTS), SHAPE(3, 3, 300, 7)},
    {SUITE_ROW("channels-one", STANDARD, WEIGHTS), SHAPE(3, 5, 1, 9)},
    {SUITE_ROW("channels-none", STANDARD, "size_limits"), SHAPE(3, 2, 0, 4)},
    {SUITE_ROW("batch-none", SMOKE, "size_limits"), SHAPE(3, 0, 3, 4)},
    {SUITE_ROW("batch-none-weight-one", STANDARD, "size_limits"), SHAPE(2, 0, 3), .weight = ONE},
    {SUITE_ROW("weight-one", SMOKE, WEIGHTS), SHAPE(3, 2, 3, 33), .weight = ONE},
    {SUITE_ROW("weight-scalar", STANDARD, WEIGHTS), SHAPE(3, 2, 3, 33), .weight = SCALAR},
    {SUITE_ROW("vector", STANDARD, "size_limits"), SHAPE(1, 65), .weight = ONE},
    {SUITE_ROW("scalar", STANDARD, "size_limits"), .weight = ONE, .fill = FILL_ONE_SIGN},
    {SUITE_ROW("inner-4097", STANDARD, LONG), SHAPE(3, 2, 3, 4097)},
    {SUITE_ROW("batch-4099", STANDARD, LONG), SHAPE(2, 4099, 3)},
    {SUITE_ROW("inner-65537", STANDARD, LONG), SHAPE(3, 1, 2, 65537)},
    {SUITE_ROW("weight-one-9001", STANDARD, LONG), SHAPE(2, 1, 9001), .weight = ONE},
    {SUITE_ROW("weight-one-65537", STANDARD, LONG), SHAPE(2, 3, 65537), .weight = ONE},
    {SUITE_ROW("positive-65537", STANDARD, "one_sided " LONG, WIDE), SHAPE(3, 1, 2, 65537),
     .fill = FILL_ONE_SIGN},
    {SUITE_ROW("one-sign", STANDARD, "one_sided"), SHAPE(3, 3, 5, 33), .fill = FILL_ONE_SIGN},
    {SUITE_ROW("whole", SMOKE, "row_sums"), SHAPE(3, 2, 5, 17), .fill = FILL_WHOLE},
    {SUITE_ROW("whole-weight-one", STANDARD, "row_sums"), SHAPE(3, 2, 5, 17), .weight = ONE,
     .fill = FILL_WHOLE},
    {SUITE_ROW("cancels", STANDARD, "row_sums"), SHAPE(3, 3, 5, 90), .fill = FILL_CANCELS},
    {SUITE_ROW("ends", STANDARD, "row_sums special_values"), SHAPE(3, 2, 6, 4), .fill = FILL_ENDS},
    {SUITE_ROW("nan-33", SMOKE, "nan_places row_places"), SHAPE(3, 1, 40, 33), .fill = FILL_NAN},
    {SUITE_ROW("nan-4099", STANDARD, "nan_places row_places"), SHAPE(3, 1, 13, 4099), .fill = FILL_NAN},
    {SUITE_ROW("all-positive", STANDARD, "special_values one_sided"), SHAPE(3, 2, 5, 7),
     .fill = FILL_POSITIVE},
    {SUITE_ROW("subnormals", STANDARD, "special_values"), SHAPE(3, 2, 5, 17), .fill = FILL_SUBNORMAL},
    {LAID("transposed", SMOKE, TRANSPOSED)},
    {LAID("block", STANDARD, BLOCK)},
    {LAID("stepped3", STANDARD, STEPPED3)},
    {LAID("permuted", STANDARD, PERMUTED)},
    {LAID("offset1", STANDARD, OFFSET1)},
    {SUITE_ROW("expanded", STANDARD, "expanded"), SHAPE(3, 3, 5, 6), .layout = LAYOUT_EXPANDED},
    {SUITE_ROW("rank-5-reversed", STANDARD, "layout_grid poison"), SHAPE(5, 2, 3, 2, 4, 3),
     .layout = LAYOUT_REVERSED},
    {SUITE_ROW("refuse-weight-length", SMOKE, REFUSED), SHAPE(3, 2, 3, 2), .weight = REFUSED_LENGTH},
    {SUITE_ROW("refuse-weight-rank", STANDARD, REFUSED), SHAPE(3, 2, 3, 3), .weight = REFUSED_RANK},
    {SUITE_ROW("refuse-grad", STANDARD, REFUSED), SHAPE(3, 2, 3, 2), .weight = REFUSED_GRAD},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(
        list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"prelu_backward_weight"}, .build = build});
}

const struct suite suite_elementwise_prelu_weight = {.declare = declare};
