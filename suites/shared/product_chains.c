/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Products in programs of several steps: operands cast, packed or planned for once must not serve a second
 * time when their contents or shapes have changed. */

#include "suites/shared/products.h"
#include "suites/shared/update.h"

#include <stdio.h>

/* w ← w + d, of integers from −1 to 1; x ← −x, then 2x: every sum stays one of integers. */
static void change(struct builder *b, struct view *operand, bool left, int round)
{
    struct shape scalar = {.rank = 0};
    struct view other = build_tensor(b, operand->dtype, left ? &scalar : &operand->shape, LAYOUT_CONTIGUOUS);
    for (int64_t i = 0; i < shape_elements(&other.shape); i++) {
        build_set(b, &other, i, left ? round ? 2 : -1 : (double)(2 * ((i + round) % 2) - 1));
    }
    update_exactly(b, op_find(left ? "mul_" : "add_"), operand, &other);
}

/* x·w, then again and again on an operand that was updated in place. */
static void updated(struct builder *b, enum dtype low, int which)
{
    struct product_case p = {.m = 6, .k = 9, .n = 7, .data = PRODUCT_INTEGERS, .low = low};
    struct view input[3];
    struct step *step = product_step(b, &p, input);
    for (int round = 0; step && round < 2; round++) {
        change(b, &input[which], which == 0, round);
        step = product_again(b, &p, product_is_linear(b->c->op) ? 3 : 2, input);
        if (step) {
            step->exact = true;
        }
    }
}

/* The same rank with other inner dimensions in between, and other data each time. */
static void shapes(struct builder *b, enum dtype low, int which)
{
    static const int64_t terms[2][3] = {{33, 31, 33}, {64, 65, 64}};
    for (int k = 0; k < 3; k++) {
        struct product_case p = {
            .m = 9, .k = terms[which][k], .n = 8, .data = PRODUCT_INTEGERS, .low = low, .tensor = 10 * k};
        struct view input[3];
        product_step(b, &p, input);
    }
}

static const struct row {
    const char *name;
    void (*build)(struct builder *b, enum dtype low, int which);
    int which;
    int line;
} rows[] = {
    {"chain-right-updated", updated, 1, __LINE__},
    {"chain-left-updated", updated, 0, __LINE__},
    {"chain-terms", shapes, 0, __LINE__},
    {"chain-terms-64", shapes, 1, __LINE__},
};

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    row->build(b, (enum dtype)b->c->parameter, row->which);
}

void product_declare_chains(struct suite_list *list, const struct op *op, enum dtype dtype, enum dtype low,
                            bool named)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s%s%s", named ? "to-" : "", named ? dtype_info(low)->name : "",
                 named ? "-" : "", rows[r].name);
        suite_declare(list, &(struct suite_case){.op = op,
                                                 .dtype = dtype,
                                                 .name = name,
                                                 .level = LEVEL_STANDARD,
                                                 .covers = "order product_kept",
                                                 .file = __FILE__,
                                                 .line = rows[r].line,
                                                 .build = build,
                                                 .row = &rows[r],
                                                 .parameter = low});
    }
}
