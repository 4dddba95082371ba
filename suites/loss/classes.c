/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/loss/classes.h"
#include "suites/shared/data.h"

#include <math.h>
#include <string.h>

static void fill_targets(struct builder *b, const struct view *target)
{
    const struct class_row *row = b->c->row;
    struct philox generator = build_generator(b, 1);
    const int64_t classes = row->dim[row->rank > 1], count = shape_elements(&target->shape);
    for (int64_t i = 0; i < count; i++) {
        int64_t t = (int64_t)philox_below(&generator, (uint32_t)classes);
        bool last = i == count - 1,
             ignored = row->targets == TARGETS_NONE || (row->targets == TARGETS_SOME && i % 3 == 1);
        t = ignored ? (row->given ? 2 : -100) : t;
        t = last && row->targets == TARGETS_OUTSIDE    ? classes
            : last && row->targets == TARGETS_NEGATIVE ? -1
            : last && row->targets == TARGETS_HIGH     ? INT64_C(1) << 32
                                                       : t;
        build_set_bits(b, target, i, 0, (uint64_t)t);
    }
}

static void fill(struct builder *b, const struct view *x, int tensor, double least, double most)
{
    struct philox generator = build_generator(b, tensor);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        build_set(b, x, i, least + (most - least) * philox_unit(&generator));
    }
    build_origin(b, x, true);
}

/* Puts each special value into x, one into each run of `classes` elements, at a class that changes from
 * sample to sample. */
static void put_specials(struct builder *b, const struct view *x, int64_t classes)
{
    uint64_t bits[SPECIALS_MAX];
    const int64_t count = special_bits(b->c->dtype, bits), n = shape_elements(&x->shape);
    for (int64_t i = 0; i < n; i += classes) {
        const int64_t k = i / classes;
        build_set_bits(b, x, i + k * 3 % classes, 0, bits[k % count]);
    }
}

static void fill_input(struct builder *b, const struct view *x, bool gradient)
{
    const struct class_row *row = b->c->row;
    const int64_t classes = row->dim[row->rank > 1];
    fill(b, x, 0, row->shift - 6, row->shift - 0.0625);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        const int64_t sample = i / classes, c = i % classes;
        if (row->special && i % 5 == 0 && (!gradient || sample % 4 != 1)) {
            build_set(b, x, i, i % 3 ? (double)NAN : -(double)INFINITY);
        } else if (row->masked && (sample % 5 == 4 || (sample % 5 && c % 3 == sample % 3))) {
            build_set(b, x, i, -(double)INFINITY);
        }
    }
    if (row->each == SPECIAL_INPUT) {
        put_specials(b, x, classes);
    }
}

/* Fills y with probabilities, some of them 0; each sample adds up to about 1. */
static void fill_probabilities(struct builder *b, const struct view *y)
{
    const struct class_row *row = b->c->row;
    struct philox generator = build_generator(b, 1);
    const int64_t classes = row->dim[row->rank > 1];
    for (int64_t i = 0; i < shape_elements(&y->shape); i++) {
        const double x = 2 * philox_unit(&generator) / (double)classes;
        build_set(b, y, i, i % 7 == 3 && !row->masked && !row->special ? 0 : x);
    }
    build_origin(b, y, true);
    if (row->each == SPECIAL_TARGET) {
        put_specials(b, y, classes);
    }
}

static void fill_weights(struct builder *b, const struct view *weight)
{
    const struct class_row *row = b->c->row;
    fill(b, weight, 2, 0.25, 2);
    for (int64_t c = 0; row->zeros && c < shape_elements(&weight->shape); c += 2) {
        build_set(b, weight, c, 0);
    }
    if (row->each == SPECIAL_WEIGHT) {
        put_specials(b, weight, 1);
    }
}

int class_operands(struct builder *b, struct view input[CLASS_OPERANDS])
{
    const struct class_row *row = b->c->row;
    const bool gradient = op_input_named(b->c->op, "grad_output") == 0;
    const int at = row->rank > 1;
    struct shape whole = {.rank = row->rank}, others = {.rank = 0}, scalar = {.rank = 0};
    memcpy(whole.dim, row->dim, sizeof row->dim);
    for (int d = 0; d < row->rank; d++) {
        if (d != at) {
            others.dim[others.rank++] = row->dim[d] - (row->narrow && d == 0);
        }
    }
    int k = 0;
    if (gradient) {
        input[k] = build_tensor(b, b->c->dtype, row->reduction == LOSS_NONE ? &others : &scalar, row->layout);
        fill(b, &input[k], 3, 0.5, 2);
        if (row->each == SPECIAL_GRAD) {
            put_specials(b, &input[k], 1);
        }
        k++;
    }
    input[k] = build_tensor(b, b->c->dtype, &whole, row->layout);
    fill_input(b, &input[k], gradient);
    k++;
    if (row->probable) {
        whole.dim[0] -= row->narrow;
        input[k] = build_tensor(b, b->c->dtype, &whole, row->layout);
        fill_probabilities(b, &input[k++]);
    } else {
        input[k] = build_tensor(b, DTYPE_INT64, &others, row->layout);
        fill_targets(b, &input[k++]);
    }
    if (row->weighs) {
        struct shape classes = shape_of(1, whole.dim[at]);
        input[k] = build_tensor(b, b->c->dtype, &classes, row->layout);
        fill_weights(b, &input[k++]);
    }
    return k;
}
