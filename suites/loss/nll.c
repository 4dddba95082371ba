/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* nll_loss, cross_entropy and their gradients: reductions, weights, smoothed labels, probabilities as
 * targets, targets that are ignored, classes before other dimensions, special values where they count and
 * where they do not, layouts, refusals. */

#include "suites/loss/classes.h"

#include <string.h>

static struct attributes attributes_of(const struct class_row *row, const struct op *op)
{
    struct attributes a = {.count = 1};
    a.item[0] = (struct attribute){.name = "reduction",
                                   .type = ATTRIBUTE_CHOICE,
                                   .integer = row->reduction,
                                   .word = op_choice_numbered(op, "reduction", row->reduction)->word};
    if (row->given) {
        a.item[a.count++] =
            (struct attribute){.name = "ignore_index", .type = ATTRIBUTE_INTEGER, .integer = 2};
    }
    if (row->smoothing != 0) {
        a.item[a.count++] =
            (struct attribute){.name = "label_smoothing", .type = ATTRIBUTE_REAL, .real = row->smoothing};
    }
    return a;
}

static void build(struct builder *b)
{
    struct view input[CLASS_OPERANDS];
    struct attributes attributes = attributes_of(b->c->row, b->c->op);
    int inputs = class_operands(b, input);
    build_step(b, b->c->op, &attributes, inputs, input);
}

static void refuse(struct builder *b)
{
    struct view input[CLASS_OPERANDS];
    struct attributes attributes = attributes_of(b->c->row, b->c->op);
    int inputs = class_operands(b, input);
    build_rejection(b, b->c->op, &attributes, inputs, input);
}

#define MATRIX(n) .rank = 2, .dim = {n, CLASSES}
#define MEAN      .reduction = LOSS_MEAN
#define TOTAL     .reduction = LOSS_SUM
#define HALF      (1U << DTYPE_FLOAT16) /* float16 cannot count 65,521 samples, nor add up their weights */
#define SOME      .targets = TARGETS_SOME

static const struct class_row rows[] = {
    {SUITE_ROW("none", SMOKE, "loss_reductions"), MATRIX(33)},
    {SUITE_ROW("mean", SMOKE, "loss_reductions"), MATRIX(33), MEAN},
    {SUITE_ROW("sum", STANDARD, "loss_reductions"), MATRIX(33), TOTAL},
    {SUITE_ROW("mean-4099", STANDARD, "loss_reductions"), .rank = 2, .dim = {4099, 3}, MEAN},
    {SUITE_ROW("mean-65521", STANDARD, "loss_reductions size_limits", .dtypes = HALF), .rank = 2,
     .dim = {65521, 2}, MEAN},
    {SUITE_ROW("mean-65521-weights", STANDARD, "loss_weights size_limits", .dtypes = HALF), .rank = 2,
     .dim = {65521, 2}, MEAN, .weighs = true},
    {SUITE_ROW("none-weights", STANDARD, "loss_weights"), MATRIX(33), .weighs = true},
    {SUITE_ROW("mean-weights", SMOKE, "loss_weights"), MATRIX(33), MEAN, .weighs = true},
    {SUITE_ROW("sum-weights", STANDARD, "loss_weights"), MATRIX(33), TOTAL, .weighs = true},
    {SUITE_ROW("none-ignored", STANDARD, "ignored_targets"), MATRIX(33), SOME},
    {SUITE_ROW("mean-ignored", SMOKE, "ignored_targets"), MATRIX(33), MEAN, SOME},
    {SUITE_ROW("sum-ignored", STANDARD, "ignored_targets"), MATRIX(33), TOTAL, SOME},
    {SUITE_ROW("mean-ignored-weights", STANDARD, "ignored_targets loss_weights"), MATRIX(65), MEAN, SOME,
     .weighs = true},
    {SUITE_ROW("mean-ignored-class", STANDARD, "ignored_targets flags"), MATRIX(33), MEAN, SOME,
     .given = true},
    {SUITE_ROW("none-all-ignored", STANDARD, "ignored_targets"), MATRIX(5), .targets = TARGETS_NONE},
    {SUITE_ROW("mean-all-ignored", SMOKE, "ignored_targets"), MATRIX(5), MEAN, .targets = TARGETS_NONE},
    {SUITE_ROW("none-special", SMOKE, "special_values ignored_targets"), MATRIX(33), SOME, .special = true},
    {SUITE_ROW("mean-special", STANDARD, "special_values"), MATRIX(3), MEAN, .special = true},
    {SUITE_ROW("one-sample", STANDARD, "loss_reductions"), .rank = 1, .dim = {CLASSES}, MEAN, .weighs = true},
    {SUITE_ROW("one-sample-none", STANDARD, "loss_reductions"), .rank = 1, .dim = {CLASSES}},
    {SUITE_ROW("images-none", STANDARD, "loss_reductions"), .rank = 4, .dim = {2, CLASSES, 3, 5}, SOME,
     .weighs = true},
    {SUITE_ROW("images-mean", STANDARD, "loss_reductions"), .rank = 4, .dim = {2, CLASSES, 3, 5}, MEAN, SOME},
    {SUITE_ROW("empty-mean", STANDARD, "loss_reductions"), MATRIX(0), MEAN},
    {SUITE_ROW("empty-sum", STANDARD, "loss_reductions"), MATRIX(0), TOTAL},
    {SUITE_ROW("transposed-none", STANDARD, "layout_grid poison"), MATRIX(17), .layout = LAYOUT_TRANSPOSED,
     .weighs = true},
    {SUITE_ROW("block-mean", STANDARD, "layout_grid poison"), .rank = 3, .dim = {3, CLASSES, 5}, MEAN,
     .layout = LAYOUT_BLOCK},
    {SUITE_ROW("stepped3-none", STANDARD, "layout_grid poison"), MATRIX(17), .layout = LAYOUT_STEPPED3,
     .weighs = true},
    {SUITE_ROW("refuse-outside", SMOKE, "loss_refusals", .build = refuse), MATRIX(5), MEAN,
     .targets = TARGETS_OUTSIDE},
    {SUITE_ROW("refuse-negative", STANDARD, "loss_refusals", .build = refuse), MATRIX(5), MEAN,
     .targets = TARGETS_NEGATIVE},
    {SUITE_ROW("refuse-high-word", STANDARD, "loss_refusals", .build = refuse), MATRIX(5), MEAN,
     .targets = TARGETS_HIGH},
    {SUITE_ROW("refuse-shape", STANDARD, "loss_refusals", .build = refuse), MATRIX(5), MEAN, .narrow = true},
};

#define SMOOTH .smoothing = 0.125
#define LABELS "label_smoothing attribute_values"

static const struct class_row entropies[] = {
    {SUITE_ROW("none", SMOKE, "loss_reductions"), MATRIX(33)},
    {SUITE_ROW("mean", SMOKE, "loss_reductions"), MATRIX(33), MEAN},
    {SUITE_ROW("sum", STANDARD, "loss_reductions"), MATRIX(33), TOTAL},
    {SUITE_ROW("mean-4099", STANDARD, "loss_reductions"), .rank = 2, .dim = {4099, 3}, MEAN},
    {SUITE_ROW("mean-65521", EXHAUSTIVE, "loss_reductions size_limits", .dtypes = HALF), .rank = 2,
     .dim = {65521, 2}, MEAN},
    {SUITE_ROW("mean-65521-weights", EXHAUSTIVE, "loss_weights size_limits", .dtypes = HALF), .rank = 2,
     .dim = {65521, 2}, MEAN, .weighs = true},
    {SUITE_ROW("mean-weights", STANDARD, "loss_weights"), MATRIX(33), MEAN, .weighs = true},
    {SUITE_ROW("none-smoothing", SMOKE, LABELS), MATRIX(17), SMOOTH},
    {SUITE_ROW("none-smoothing-weights", STANDARD, "loss_weights " LABELS), MATRIX(17), SMOOTH,
     .weighs = true},
    {SUITE_ROW("mean-smoothing", STANDARD, LABELS), MATRIX(33), MEAN, .smoothing = 0.1},
    {SUITE_ROW("mean-smoothing-weights", SMOKE, "loss_weights " LABELS), MATRIX(33), MEAN, SMOOTH,
     .weighs = true},
    {SUITE_ROW("sum-smoothing-whole", STANDARD, LABELS), MATRIX(5), TOTAL, .smoothing = 1},
    {SUITE_ROW("none-ignored", STANDARD, "ignored_targets"), MATRIX(17), SOME},
    {SUITE_ROW("mean-ignored", SMOKE, "ignored_targets"), MATRIX(33), MEAN, SOME},
    {SUITE_ROW("mean-ignored-smoothing-weights", STANDARD, "ignored_targets loss_weights " LABELS),
     MATRIX(33), MEAN, SOME, SMOOTH, .weighs = true},
    {SUITE_ROW("sum-ignored-class", STANDARD, "ignored_targets"), MATRIX(17), TOTAL, SOME, SMOOTH,
     .given = true},
    {SUITE_ROW("mean-all-ignored", SMOKE, "ignored_targets"), MATRIX(5), MEAN, .targets = TARGETS_NONE},
    {SUITE_ROW("sum-all-ignored", STANDARD, "ignored_targets"), MATRIX(5), TOTAL, SMOOTH,
     .targets = TARGETS_NONE},
    {SUITE_ROW("none-special", SMOKE, "special_values ignored_targets"), MATRIX(33), SOME, .special = true},
    {SUITE_ROW("none-special-smoothing", STANDARD, "special_values ignored_targets"), MATRIX(33), SOME,
     SMOOTH, .special = true},
    {SUITE_ROW("none-large", SMOKE, "logit_range"), MATRIX(9), .shift = 1000},
    {SUITE_ROW("mean-large-smoothing", STANDARD, "logit_range"), MATRIX(9), MEAN, SMOOTH, .shift = 1000},
    {SUITE_ROW("mean-small", STANDARD, "logit_range"), MATRIX(9), MEAN, .shift = -1000},
    {SUITE_ROW("none-masked", SMOKE, "special_values"), MATRIX(33), .masked = true},
    {SUITE_ROW("none-masked-smoothing", STANDARD, "special_values"), MATRIX(33), SMOOTH, SOME,
     .masked = true},
    {SUITE_ROW("none-each-input", STANDARD, "special_values"), MATRIX(65), .each = SPECIAL_INPUT},
    {SUITE_ROW("none-each-weight", STANDARD, "special_values"), .rank = 2, .dim = {65, 40}, .weighs = true,
     .each = SPECIAL_WEIGHT},
    {SUITE_ROW("none-weights-zero", STANDARD, "loss_weights"), MATRIX(17), SMOOTH, .weighs = true,
     .zeros = true},
    {SUITE_ROW("mean-weights-zero", STANDARD, "loss_weights"), MATRIX(33), MEAN, .weighs = true,
     .zeros = true},
    {SUITE_ROW("mean-one-class", STANDARD, LABELS), .rank = 2, .dim = {9, 1}, MEAN, .smoothing = 0.1},
    {SUITE_ROW("none-smoothing-whole", STANDARD, LABELS), MATRIX(17), .smoothing = 1},
    {SUITE_ROW("classes-4099", STANDARD, "many_classes"), .rank = 2, .dim = {2, 4099}, SMOOTH,
     .weighs = true},
    {SUITE_ROW("classes-32000", STANDARD, "many_classes"), .rank = 1, .dim = {32000}, MEAN, SMOOTH},
    {SUITE_ROW("one-sample", STANDARD, "loss_reductions"), .rank = 1, .dim = {CLASSES}, MEAN, .weighs = true},
    {SUITE_ROW("images-none", STANDARD, "loss_reductions"), .rank = 4, .dim = {2, CLASSES, 3, 5}, SOME,
     SMOOTH, .weighs = true},
    {SUITE_ROW("images-mean", STANDARD, "loss_reductions"), .rank = 4, .dim = {2, CLASSES, 3, 5}, MEAN, SOME},
    {SUITE_ROW("empty-mean", STANDARD, "loss_reductions"), MATRIX(0), MEAN},
    {SUITE_ROW("empty-sum", STANDARD, "loss_reductions"), MATRIX(0), TOTAL},
    {SUITE_ROW("empty-none", STANDARD, "loss_reductions"), MATRIX(0)},
    {SUITE_ROW("series-mean", STANDARD, "loss_reductions"), .rank = 3, .dim = {4, CLASSES, 5}, MEAN, SOME,
     SMOOTH, .weighs = true},
    {SUITE_ROW("transposed-none", STANDARD, "layout_grid poison"), MATRIX(17), SMOOTH,
     .layout = LAYOUT_TRANSPOSED, .weighs = true},
    {SUITE_ROW("block-mean", STANDARD, "layout_grid poison"), .rank = 3, .dim = {3, CLASSES, 5}, MEAN,
     .layout = LAYOUT_BLOCK},
    {SUITE_ROW("refuse-outside", SMOKE, "loss_refusals", .build = refuse), MATRIX(5), MEAN,
     .targets = TARGETS_OUTSIDE},
    {SUITE_ROW("refuse-high-word", STANDARD, "loss_refusals", .build = refuse), MATRIX(5), MEAN,
     .targets = TARGETS_HIGH},
    {SUITE_ROW("refuse-smoothing", STANDARD, "loss_refusals", .build = refuse), MATRIX(5), MEAN,
     .smoothing = 1.5},
    {SUITE_ROW("refuse-shape", STANDARD, "loss_refusals", .build = refuse), MATRIX(5), MEAN, .narrow = true},
};

#define PROBABLE .probable = true
#define SHARES   "class_probabilities"

static const struct class_row expectations[] = {
    {SUITE_ROW("shares-none", SMOKE, SHARES " loss_reductions"), MATRIX(33), PROBABLE},
    {SUITE_ROW("shares-mean", SMOKE, SHARES " loss_reductions"), MATRIX(33), MEAN, PROBABLE},
    {SUITE_ROW("shares-sum", STANDARD, SHARES " loss_reductions"), MATRIX(33), TOTAL, PROBABLE},
    {SUITE_ROW("shares-mean-4099", STANDARD, SHARES), .rank = 2, .dim = {4099, 3}, MEAN, PROBABLE},
    {SUITE_ROW("shares-none-weights", STANDARD, SHARES " loss_weights"), MATRIX(17), PROBABLE,
     .weighs = true},
    {SUITE_ROW("shares-mean-weights", SMOKE, SHARES " loss_weights"), MATRIX(33), MEAN, PROBABLE,
     .weighs = true},
    {SUITE_ROW("shares-none-smoothing", STANDARD, SHARES " " LABELS), MATRIX(17), SMOOTH, PROBABLE},
    {SUITE_ROW("shares-mean-smoothing-weights", STANDARD, SHARES " " LABELS), MATRIX(33), MEAN, PROBABLE,
     .smoothing = 0.1, .weighs = true},
    {SUITE_ROW("shares-sum-smoothing-whole", STANDARD, SHARES " " LABELS), MATRIX(5), TOTAL, PROBABLE,
     .smoothing = 1},
    {SUITE_ROW("shares-none-weights-zero", STANDARD, SHARES " loss_weights"), MATRIX(17), SMOOTH, PROBABLE,
     .weighs = true, .zeros = true},
    {SUITE_ROW("shares-none-special", SMOKE, SHARES " special_values"), MATRIX(33), PROBABLE,
     .special = true},
    {SUITE_ROW("shares-none-masked", STANDARD, SHARES " special_values"), MATRIX(33), PROBABLE,
     .masked = true},
    {SUITE_ROW("shares-none-each-input", STANDARD, SHARES " special_values"), MATRIX(65), PROBABLE,
     .each = SPECIAL_INPUT},
    {SUITE_ROW("shares-none-each-target", STANDARD, SHARES " special_values"), MATRIX(65), PROBABLE,
     .each = SPECIAL_TARGET},
    {SUITE_ROW("shares-none-each-weight", STANDARD, SHARES " special_values"), .rank = 2, .dim = {3, 40},
     PROBABLE, .weighs = true, .each = SPECIAL_WEIGHT},
    {SUITE_ROW("shares-none-large", SMOKE, SHARES " logit_range"), MATRIX(9), PROBABLE, .shift = 1000},
    {SUITE_ROW("shares-mean-small", STANDARD, SHARES " logit_range"), MATRIX(9), MEAN, PROBABLE,
     .shift = -1000},
    {SUITE_ROW("shares-classes-4099", STANDARD, SHARES " many_classes"), .rank = 2, .dim = {2, 4099}, SMOOTH,
     PROBABLE, .weighs = true},
    {SUITE_ROW("shares-classes-32000", STANDARD, SHARES " many_classes"), .rank = 1, .dim = {32000}, MEAN,
     PROBABLE},
    {SUITE_ROW("shares-one-sample", STANDARD, SHARES), .rank = 1, .dim = {CLASSES}, MEAN, PROBABLE,
     .weighs = true},
    {SUITE_ROW("shares-images-none", STANDARD, SHARES), .rank = 4, .dim = {2, CLASSES, 3, 5}, SMOOTH,
     PROBABLE, .weighs = true},
    {SUITE_ROW("shares-series-mean", STANDARD, SHARES), .rank = 3, .dim = {4, CLASSES, 5}, MEAN, PROBABLE},
    {SUITE_ROW("shares-empty-mean", STANDARD, SHARES), MATRIX(0), MEAN, PROBABLE},
    {SUITE_ROW("shares-empty-sum", STANDARD, SHARES), MATRIX(0), TOTAL, PROBABLE},
    {SUITE_ROW("shares-transposed-none", STANDARD, SHARES " layout_grid poison"), MATRIX(17), SMOOTH,
     PROBABLE, .layout = LAYOUT_TRANSPOSED, .weighs = true},
    {SUITE_ROW("shares-block-mean", STANDARD, SHARES " layout_grid poison"), .rank = 3,
     .dim = {3, CLASSES, 5}, MEAN, PROBABLE, .layout = LAYOUT_BLOCK},
    {SUITE_ROW("shares-refuse-shape", STANDARD, SHARES " loss_refusals", .build = refuse), MATRIX(5), MEAN,
     PROBABLE, .narrow = true},
    {SUITE_ROW("shares-refuse-ignored", SMOKE, SHARES " loss_refusals", .build = refuse), MATRIX(5), MEAN,
     PROBABLE, .given = true},
};

/* Of a gradient. */
static const struct class_row slopes[] = {
    {SUITE_ROW("none-each-grad", SMOKE, "special_values ignored_targets"), MATRIX(65), SOME,
     .each = SPECIAL_GRAD},
    {SUITE_ROW("shares-none-each-grad", STANDARD, SHARES " special_values"), MATRIX(65), PROBABLE,
     .each = SPECIAL_GRAD},
    {SUITE_ROW("none-each-grad-weights", STANDARD, "special_values"), MATRIX(65), .weighs = true,
     .each = SPECIAL_GRAD},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(entropies),
                                                   .ops = {"cross_entropy", "cross_entropy_backward"},
                                                   .build = build, .level = level_beyond_float16_32});
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(expectations),
                                                   .ops = {"cross_entropy", "cross_entropy_backward"},
                                                   .build = build, .level = level_beyond_float16_32});
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(slopes), .ops = {"cross_entropy_backward"},
                                                   .build = build, .level = level_beyond_float16_32});
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"nll_loss", "nll_loss_backward"},
                                                   .build = build, .level = level_beyond_float16_32});
}

const struct suite suite_loss_nll = {.declare = declare};
