/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A row of a product must have the same bits alone, in any batch, and at any place of it. */

#include "suites/shared/products.h"

#include <string.h>

/* Rows of A alone must give the rows of the product. */
void product_rows_alone(struct builder *b)
{
    struct product_case p = {
        .m = 5, .k = 130, .n = 6, .data = PRODUCT_RANDOM, .low = (enum dtype)b->c->parameter};
    struct view input[3];
    struct step *step = product_step(b, &p, input);
    struct view whole = step ? step->output[0] : input[0], every = input[0];
    for (int64_t i = 0; step && i < p.m; i += 2) {
        input[0] = view_window(&every, i, 1, 1);
        step = product_again(b, &p, step->inputs, input);
        if (step) {
            struct view row = view_window(&whole, i, 1, 1);
            build_relate(b, &row, &step->output[0], "a row of the product alone");
        }
    }
}

static unsigned char *element_of(struct builder *b, const struct view *view, int64_t e)
{
    return b->program->storage[view->storage].data +
           view_element(view, e) * (int64_t)dtype_info(view->dtype)->size;
}

/* Copies element `from` of a floating tensor to element `to`, with its sign flipped if `negated`. */
static void copy_element(struct builder *b, const struct view *view, int64_t to, int64_t from, bool negated)
{
    size_t size = dtype_info(view->dtype)->size;
    unsigned char *place = element_of(b, view, to);
    memcpy(place, element_of(b, view, from), size);
    place[size - 1] ^= negated ? 0x80 : 0; /* the sign of a little-endian number */
}

/* Whether the sum of row i and column j cancels: in every second column of a matrix, in every second row for
 * a vector. The other sums keep the case from being vacuous. */
static bool row_cancels(struct builder *b, int64_t i)
{
    return !product_is_vector(b->c->op) || i % 2 == 1;
}

static bool column_cancels(struct builder *b, int64_t j)
{
    return product_is_vector(b->c->op) || j % 2 == 1;
}

/* Makes the second half of a sum's terms cancel the first, except for two small terms. Such a sum has few
 * bits more than its rounding errors, so that another order shows even if the accumulator is wider. */
static void let_sums_cancel(struct builder *b, const struct product_case *p, const struct view input[2])
{
    const bool linear = product_is_linear(b->c->op);
    const int64_t half = p->k / 2, columns = product_is_vector(b->c->op) ? 1 : p->n;
    struct philox g = build_generator(b, 3);
    for (int64_t i = 0; !b->failed && i < p->m; i++) {
        for (int64_t k = 1; k < half && row_cancels(b, i); k++) {
            copy_element(b, &input[0], i * p->k + half + k, i * p->k + k, true);
        }
        for (int64_t k = 0; k <= half && row_cancels(b, i); k += half) {
            build_set_bits(b, &input[0], i * p->k + k, 0, data_between(&g, input[0].dtype, -14, -12));
        }
    }
    for (int64_t j = 0; !b->failed && j < columns; j++) {
        for (int64_t k = 0; k < half && column_cancels(b, j); k++) {
            int64_t from = linear ? j * p->k + k : k * columns + j;
            copy_element(b, &input[1], from + half * (linear ? 1 : columns), from, false);
        }
    }
}

/* Rows of A in batches of several sizes, from several places, must give these rows of the product. */
void product_rows_in_batches(struct builder *b)
{
    static const int64_t batch[][2] = {{0, 1},  {64, 1}, {130, 1}, {132, 1}, {0, 2},
                                       {1, 3},  {0, 4},  {127, 5}, {1, 8},   {3, 17},
                                       {0, 32}, {5, 33}, {0, 64},  {1, 65},  {3, 129}};
    struct product_case p = {.m = 133,
                             .k = 130,
                             .n = 6,
                             .no_bias = true,
                             .data = PRODUCT_RANDOM,
                             .low = (enum dtype)b->c->parameter};
    struct view input[3];
    struct step *step = product_step(b, &p, input);
    struct view whole = step ? step->output[0] : input[0], every = input[0];
    let_sums_cancel(b, &p, input);
    for (size_t k = 0; step && k < sizeof batch / sizeof *batch; k++) {
        input[0] = view_window(&every, batch[k][0], batch[k][1], 1);
        step = product_again(b, &p, 2, input);
        if (step) {
            struct view rows = view_window(&whole, batch[k][0], batch[k][1], 1);
            build_relate(b, &rows, &step->output[0], "rows of the product in a batch of another size");
        }
    }
}
