/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Products in programs of several steps: an operand that was cast, packed or planned for and cached must not
 * be used again when contents or shapes have changed. */

#include "suites/shared/products.h"
#include "suites/shared/update.h"

struct row {
    struct suite_row row;
    int which; /* of updated(): the operand, 0 left, 1 right; of shapes(): the row of inner dimensions */
};

/* Updates an operand in place: w ← w + d with d = ±1; x ← −x, then 2x. Every sum stays one of integers. */
static void change(struct builder *b, struct view *operand, bool left, int round)
{
    struct shape scalar = {.rank = 0};
    struct view other = build_tensor(b, operand->dtype, left ? &scalar : &operand->shape, LAYOUT_CONTIGUOUS);
    for (int64_t i = 0; i < shape_elements(&other.shape); i++) {
        build_set(b, &other, i, left ? round ? 2 : -1 : (double)(2 * ((i + round) % 2) - 1));
    }
    update_exactly(b, op_find(left ? "mul_" : "add_"), operand, &other);
}

/* x·w, and again after each of two updates of an operand. */
static void updated(struct builder *b)
{
    const struct row *row = b->c->row;
    struct product_case p = {
        .m = 6, .k = 9, .n = 7, .data = PRODUCT_INTEGERS, .low = (enum dtype)b->c->parameter};
    struct view input[3];
    struct step *step = product_step(b, &p, input);
    for (int round = 0; step && round < 2; round++) {
        change(b, &input[row->which], row->which == 0, round);
        step = product_again(b, &p, product_is_linear(b->c->op) ? 3 : 2, input);
        if (step) {
            step->exact = true;
        }
    }
}

/* Products of equal rank with another inner dimension in between, and other data each time. */
static void shapes(struct builder *b)
{
    const struct row *row = b->c->row;
    static const int64_t terms[2][3] = {{33, 31, 33}, {64, 65, 64}};
    for (int k = 0; k < 3; k++) {
        struct product_case p = {.m = 9,
                                 .k = terms[row->which][k],
                                 .n = 8,
                                 .data = PRODUCT_INTEGERS,
                                 .low = (enum dtype)b->c->parameter,
                                 .tensor = 10 * k};
        struct view input[3];
        product_step(b, &p, input);
    }
}

static const struct row rows[] = {
    {SUITE_ROW("chain-right-updated", STANDARD, "order product_kept", .build = updated), .which = 1},
    {SUITE_ROW("chain-left-updated", STANDARD, "order product_kept", .build = updated), .which = 0},
    {SUITE_ROW("chain-terms", STANDARD, "order product_kept", .build = shapes), .which = 0},
    {SUITE_ROW("chain-terms-64", STANDARD, "order product_kept", .build = shapes), .which = 1},
};

void product_declare_chains(struct suite_list *list, const struct product_types *types)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        product_declare_row(list, types, __FILE__, &rows[r].row, rows[r].row.level);
    }
}
