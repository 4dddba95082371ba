/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/int_products.h"
#include "suites/shared/products.h"

enum { OPERANDS = 4 };

/* Element (i, t) of one of the matrices; i counts its rows, or the columns of mat2. */
static int value_of_term(const struct int_product *p, struct philox *generator, int matrix, int64_t i,
                         int64_t t)
{
    uint32_t any = philox_below(generator, 16);
    switch (p->data) {
    case INT_EXTREMES:
        return any == 0 ? 126 : any == 1 ? -127 : matrix == 0 ? (i % 2 ? -128 : 127) : any < 8 ? 125 : 127;
    case INT_LEAST: /* each product is 2^14, the greatest possible; two of them exceed int16 */
        return -128;
    case INT_CANCEL: /* the second half cancels the first, except for the last term */
        return matrix == 0 || t < p->k / 2 ? 127 : t == p->k - 1 ? 3 : -127;
    case INT_ENCODED:
        return matrix == 0 ? (int)((i * 37 + t * 11) % 255 - 127) : t == (i * 3 + 1) % p->k;
    default:
        return (int)philox_below(generator, 256) - 128;
    }
}

static struct view matrix_of(struct builder *b, const struct int_product *p, int matrix)
{
    bool linear = product_is_linear(b->c->op), turned = matrix == 1 && !linear; /* [k, n] */
    int64_t count = matrix == 0 ? p->m : p->n, batches = matrix == 0 && p->several ? 2 : 1;
    struct shape shape = turned ? shape_of(2, p->k, count) : shape_of(2, count, p->k);
    if (matrix == 0 && p->several) {
        shape = shape_of(3, batches, count, p->k);
    } else if (matrix == 0 && p->vector) {
        shape = shape_of(1, p->k);
    }
    enum layout layout = p->laid == matrix || p->laid < 0 ? p->layout : LAYOUT_CONTIGUOUS;
    struct view x = build_tensor(b, DTYPE_INT8, &shape, layout);
    struct philox generator = build_generator(b, matrix);
    for (int64_t e = 0; e < shape_elements(&shape); e++) {
        int64_t i = turned ? e % count : e / p->k, t = turned ? e / count : e % p->k;
        build_set(b, &x, e, value_of_term(p, &generator, matrix, i, t));
    }
    return x;
}

static void scales_of(struct builder *b, const struct int_product *p, int64_t rows, struct view operand[2])
{
    struct shape scalar = {.rank = 0}, each = shape_of(1, rows);
    operand[0] = build_tensor(b, DTYPE_FLOAT32, &scalar, LAYOUT_OFFSET1);
    operand[1] = build_tensor(b, DTYPE_FLOAT32, &each, LAYOUT_STEPPED2);
    build_set(b, &operand[0], 0, p->scale);
    for (int64_t j = 0; j < rows; j++) {
        build_set(b, &operand[1], j,
                  p->powers ? (double)(1 << (j % 5)) / 8
                            : 0.013 * ((double)(1 + j * 5 % 16) + (double)(j / 16 % 61) / 4));
    }
}

static int operands_of(struct builder *b, const struct int_product *p, struct view operand[OPERANDS])
{
    operand[0] = matrix_of(b, p, 0);
    operand[1] = matrix_of(b, p, 1);
    if (!product_is_linear(b->c->op)) {
        return 2;
    }
    scales_of(b, p, p->n, &operand[2]);
    return OPERANDS;
}

struct step *int_product_step(struct builder *b, const struct int_product *p)
{
    static const struct attributes none = {.count = 0};
    struct view operand[OPERANDS];
    int count = operands_of(b, p, operand);
    return build_step(b, b->c->op, &none, count, operand);
}

void int_product_rejection(struct builder *b, const struct int_product *p, enum int_fault fault)
{
    static const struct attributes none = {.count = 0};
    struct view operand[OPERANDS];
    int count = operands_of(b, p, operand);
    struct int_product longer = *p;
    struct shape three = shape_of(3, (int64_t)1, p->k, p->n), same = operand[1].shape;
    switch (fault) {
    case INT_FAULT_INNER:
        longer.k++;
        operand[1] = matrix_of(b, &longer, 1);
        break;
    case INT_FAULT_RANK:
        operand[1] = build_tensor(b, DTYPE_INT8, &three, LAYOUT_CONTIGUOUS);
        break;
    case INT_FAULT_DTYPE:
        operand[1] = build_tensor(b, DTYPE_FLOAT32, &same, LAYOUT_CONTIGUOUS);
        break;
    case INT_FAULT_SCALES:
        scales_of(b, p, p->n + 1, &operand[2]);
        break;
    }
    build_rejection(b, b->c->op, &none, count, operand);
}
