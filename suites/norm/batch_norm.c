/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* batch_norm and its gradient, in training and in evaluation. */

#include "suites/norm/normalization.h"

enum { FORWARD = 1, GRADIENT = 2, BOTH = 3 };
enum { EVALUATION, TRAINING };

void normalization_running(struct builder *b, const struct normalization_row *row,
                           const struct shape *channels, struct view statistic[2])
{
    statistic[0] = normalization_random(b, row, 4, channels, row->running, 0);
    statistic[1] = normalization_random(b, row, 5, channels, row->running, 0);
    for (int64_t c = 0; c < channels->dim[0]; c++) {
        double mean = row->mean + (double)(c % 5) / 4 - 0.3, variance = 0.25 + 3.7 * (double)(c % 7) / 6;
        build_set(b, &statistic[0], c, row->ends & ENDS_MEAN ? -normalization_end(b, row, ENDS_MEAN) : mean);
        build_set(b, &statistic[1], c, row->variance > 0 ? row->variance : variance);
    }
}

double normalization_momentum(const struct normalization_row *row)
{
    return row->momentum < 0 ? 0 : row->momentum > 0 ? row->momentum : 0.1;
}

struct normalization_call normalization_channels(struct builder *b, const struct normalization_row *row)
{
    struct normalization_call o = {.inputs = 0};
    struct shape channels = {.rank = 1, .dim = {row->dim[1]}};
    struct normalization_map map = {
        .batch = row->dim[0], .channels = row->dim[1], .inner = 1, .over_batch = true, .groups = 1};
    for (int d = 2; d < row->rank; d++) {
        map.inner *= row->dim[d];
    }
    bool gradient = normalization_is_gradient(b->c->op);
    if (gradient) {
        o.input[o.inputs++] = normalization_grad(b, row);
    }
    o.input[o.inputs++] = normalization_input(b, row, &map);
    o.input[o.inputs] = o.input[o.inputs + 1] = normalization_absent();
    if (!(row->absent & NO_RUNNING)) {
        normalization_running(b, row, &channels, &o.input[o.inputs]);
    }
    o.inputs += 2;
    o.weight = o.inputs;
    o.input[o.inputs++] = row->absent & NO_WEIGHT
                              ? normalization_absent()
                              : normalization_random(b, row, 1, &channels, row->weight, 1);
    if (!gradient) {
        o.input[o.inputs++] = row->absent & NO_BIAS
                                  ? normalization_absent()
                                  : normalization_random(b, row, 2, &channels, row->bias, 0);
    }
    build_add_attribute(&o.attributes, "training", ATTRIBUTE_BOOL, row->parameter);
    if (!gradient) {
        build_add_attribute(&o.attributes, "momentum", ATTRIBUTE_REAL, normalization_momentum(row));
    }
    build_add_attribute(&o.attributes, "eps", ATTRIBUTE_REAL, row->eps > 0 ? row->eps : 1e-5);
    return o;
}

/* Two steps of training, then one of evaluation, on running statistics that stay on the device. Each channel
 * has two integer values and momentum is 1/2, which keeps the statistics exact up to the last step. */
static void chain(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call o = normalization_channels(b, row);
    struct shape shape = normalization_shape(row);
    for (int64_t c = 0; c < row->dim[1]; c++) {
        build_set(b, &o.input[1], c, 0);
        build_set(b, &o.input[2], c, 1);
    }
    for (int s = 0; s < 3; s++) {
        struct view x = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
        for (int64_t i = 0; i < shape_elements(&shape); i++) {
            build_set(b, &x, i, (double)(i % row->dim[1] + 1) * (i < row->dim[1] ? 1 : 3) + s);
        }
        struct attributes attributes = o.attributes;
        attributes.item[0].integer = s < 2;
        o.input[0] = x;
        build_step(b, b->c->op, &attributes, o.inputs, o.input);
    }
}

#define ROW(name_, level_, ...)      SUITE_ROW(name_, level_, __VA_ARGS__), .make = normalization_channels
#define TRAIN(name_, level_, ...)    ROW("train-" name_, level_, __VA_ARGS__), .parameter = TRAINING
#define EVALUATE(name_, level_, ...) ROW("eval-" name_, level_, __VA_ARGS__), .parameter = EVALUATION
#define IMAGES                       .rank = 4, .dim = {3, 5, 4, 6}

static const struct normalization_row rows[] = {
    {TRAIN("2d", SMOKE, "normalize_lengths normalize_gradients self_encoding"), IMAGES},
    {TRAIN("1d-flat", STANDARD, "normalize_lengths"), .rank = 2, .dim = {33, 7}},
    {TRAIN("1d", STANDARD, "normalize_lengths"), .rank = 3, .dim = {3, 5, 11}},
    {TRAIN("3d", SMOKE, "normalize_lengths"), .rank = 5, .dim = {2, 3, 4, 3, 5}},
    {TRAIN("n2", SMOKE, "normalize_lengths normalize_running", .ops = FORWARD), .rank = 2, .dim = {2, 5}},
    {TRAIN("n3", STANDARD, "normalize_lengths normalize_running"), .rank = 2, .dim = {3, 5}},
    {TRAIN("n257", STANDARD, "normalize_lengths"), .rank = 2, .dim = {257, 3}},
    {TRAIN("n1000", STANDARD, "normalize_lengths"), .rank = 3, .dim = {10, 3, 100}},
    {TRAIN("channels-257", STANDARD, "normalize_lengths self_encoding"), .rank = 2, .dim = {5, 257}},
    {TRAIN("momentum-0", STANDARD, "normalize_running flags", .ops = FORWARD), IMAGES, .momentum = -1},
    {TRAIN("momentum-1", STANDARD, "normalize_running flags", .ops = FORWARD), IMAGES, .momentum = 1},
    {TRAIN("momentum-0-7", STANDARD, "normalize_running flags", .ops = FORWARD), .rank = 2, .dim = {4, 5},
     .momentum = 0.7},
    {TRAIN("no-running", SMOKE, "normalize_running"), IMAGES, .absent = NO_RUNNING},
    {TRAIN("no-weight", STANDARD, "normalize_affine"), IMAGES, .absent = NO_WEIGHT},
    {TRAIN("no-bias", STANDARD, "normalize_affine", .ops = FORWARD), IMAGES, .absent = NO_BIAS},
    {TRAIN("nothing", STANDARD, "normalize_affine"), IMAGES, .absent = NO_WEIGHT | NO_BIAS | NO_RUNNING},
    {TRAIN("eps-0-5", STANDARD, "normalize_affine flags"), IMAGES, .eps = 0.5},
    {TRAIN("scales-2^12", STANDARD, "normalize_range"), IMAGES, .spread = 12},
    {TRAIN("mean-10", STANDARD, "normalize_offset"), IMAGES, .mean = 10},
    {TRAIN("mean-1e3", SMOKE, "normalize_offset", .dtypes = FINE), IMAGES, .mean = 1e3},
    {TRAIN("mean-1e3-n17", STANDARD, "normalize_offset", .dtypes = FINE), .rank = 2, .dim = {17, 4},
     .mean = 1e3},
    {TRAIN("mean-1e5", STANDARD, "normalize_offset", .ops = FORWARD, .dtypes = WIDE), IMAGES, .mean = 1e5},
    {TRAIN("constant", STANDARD, "normalize_constant"), IMAGES, .fill = FILL_CONSTANT, .eps = 100},
    {TRAIN("variances", SMOKE, "normalize_constant"), IMAGES, .fill = FILL_VARIANCES, .eps = 1e-2},
    {TRAIN("range", STANDARD, "normalize_range", .ops = FORWARD), IMAGES, .fill = FILL_RANGE,
     .absent = NO_RUNNING},
    {TRAIN("outlier-last", STANDARD, "normalize_range"), IMAGES, .fill = FILL_OUTLIER},
    {TRAIN("specials", SMOKE, "normalize_isolated special_values"), IMAGES, .fill = FILL_SPECIALS},
    {TRAIN("specials-alone", STANDARD, "normalize_isolated special_values", .ops = FORWARD), IMAGES,
     .fill = FILL_SPECIALS, .absent = NO_RUNNING},
    {TRAIN("specials-first", STANDARD, "normalize_isolated nan_places"), IMAGES, .fill = FILL_SPECIALS_FIRST},
    {TRAIN("specials-last", STANDARD, "normalize_isolated nan_places"), IMAGES, .fill = FILL_SPECIALS_LAST},
    {TRAIN("specials-each", STANDARD, "nan_places special_values"), .rank = 3, .dim = {3, 24, 4},
     .fill = FILL_SPECIALS_EACH, .absent = NO_RUNNING},
    /* More elements than float16 can count. */
    {TRAIN("length-65521", STANDARD, "size_limits normalize_lengths", .dtypes = 1U << DTYPE_FLOAT16),
     .rank = 3, .dim = {1, 1, 65521}},
    {TRAIN("channels-65537", EXHAUSTIVE, "size_limits normalize_lengths", .dtypes = 1U << DTYPE_FLOAT32),
     .rank = 2, .dim = {2, 65537}},
    {EVALUATE("channels-65537", STANDARD, "size_limits normalize_lengths", .ops = FORWARD,
              .dtypes = 1U << DTYPE_FLOAT32),
     .rank = 2, .dim = {2, 65537}},
    {EVALUATE("channels-65537", EXHAUSTIVE, "size_limits normalize_lengths", .ops = GRADIENT,
              .dtypes = 1U << DTYPE_FLOAT32),
     .rank = 2, .dim = {2, 65537}},
    {TRAIN("alternating-n4", SMOKE, "normalize_exact", .ops = FORWARD), .rank = 3, .dim = {2, 3, 2},
     .fill = FILL_ALTERNATING, .eps = 7, .absent = NO_WEIGHT | NO_BIAS | NO_RUNNING, .exact = true},
    {TRAIN("x-channels-last", SMOKE, "layout_grid"), IMAGES, .channels_last = true},
    {TRAIN("x-channels-last-3d", STANDARD, "layout_grid"), .rank = 5, .dim = {2, 3, 4, 3, 5},
     .channels_last = true},
    {TRAIN("x-channels-last-offset3", STANDARD, "layout_grid"), IMAGES, .channels_last = true,
     .x = LAYOUT_OFFSET3},
    {TRAIN("x-channels-last-mean-1e3", STANDARD, "layout_grid normalize_offset", .dtypes = FINE), IMAGES,
     .channels_last = true, .mean = 1e3},
    {TRAIN("grad-channels-last", STANDARD, "layout_grid", .ops = GRADIENT), IMAGES,
     .grad_channels_last = true},
    {TRAIN("both-channels-last", STANDARD, "layout_grid", .ops = GRADIENT), IMAGES, .channels_last = true,
     .grad_channels_last = true},
    {TRAIN("x-permuted", STANDARD, "layout_grid"), IMAGES, .x = LAYOUT_PERMUTED},
    {TRAIN("x-permuted-3d", STANDARD, "layout_grid"), .rank = 5, .dim = {2, 3, 4, 3, 5},
     .x = LAYOUT_PERMUTED},
    {TRAIN("x-block", SMOKE, "layout_grid poison"), IMAGES, .x = LAYOUT_BLOCK},
    {TRAIN("x-stepped2", STANDARD, "layout_grid poison"), IMAGES, .x = LAYOUT_STEPPED2},
    {TRAIN("x-transposed", STANDARD, "layout_grid"), .rank = 2, .dim = {33, 7}, .x = LAYOUT_TRANSPOSED},
    {TRAIN("x-heads", STANDARD, "layout_grid"), IMAGES, .x = LAYOUT_HEADS},
    {TRAIN("x-reversed-3d", STANDARD, "layout_grid"), .rank = 5, .dim = {2, 3, 4, 3, 5}, .x = LAYOUT_REVERSED,
     .grad = LAYOUT_PERMUTED},
    {TRAIN("x-far", STANDARD, "layout_grid poison"), IMAGES, .x = LAYOUT_FAR},
    {TRAIN("x-expanded-rows", STANDARD, "layout_grid"), IMAGES, .x = LAYOUT_EXPANDED_ROWS},
    {TRAIN("grad-expanded", STANDARD, "layout_grid", .ops = GRADIENT), IMAGES, .grad = LAYOUT_EXPANDED},
    {TRAIN("grad-expanded-rows", STANDARD, "layout_grid", .ops = GRADIENT), IMAGES,
     .grad = LAYOUT_EXPANDED_ROWS},
    {TRAIN("grad-expanded-rows-1d", STANDARD, "expanded", .ops = GRADIENT), .rank = 3, .dim = {3, 5, 11},
     .grad = LAYOUT_EXPANDED_ROWS},
    {EVALUATE("grad-expanded", STANDARD, "layout_grid", .ops = GRADIENT), IMAGES, .grad = LAYOUT_EXPANDED},
    {EVALUATE("x-expanded-rows", STANDARD, "layout_grid"), IMAGES, .x = LAYOUT_EXPANDED_ROWS},
    {TRAIN("weight-expanded", STANDARD, "layout_grid"), IMAGES, .weight = LAYOUT_EXPANDED,
     .bias = LAYOUT_EXPANDED},
    {TRAIN("grad-transposed-block", STANDARD, "layout_grid poison", .ops = GRADIENT), IMAGES,
     .grad = LAYOUT_TRANSPOSED_BLOCK},
    {TRAIN("weight-stepped2", STANDARD, "layout_grid poison"), IMAGES, .weight = LAYOUT_STEPPED2},
    {TRAIN("bias-stepped3", STANDARD, "layout_grid poison", .ops = FORWARD), IMAGES, .bias = LAYOUT_STEPPED3},
    {TRAIN("running-stepped2", SMOKE, "layout_grid poison gaps_untouched", .ops = FORWARD), IMAGES,
     .running = LAYOUT_STEPPED2},
    {TRAIN("running-offset1", STANDARD, "layout_grid poison gaps_untouched", .ops = FORWARD), IMAGES,
     .running = LAYOUT_OFFSET1},
    {EVALUATE("2d", SMOKE, "normalize_running normalize_gradients"), IMAGES},
    {TRAIN("length-18435", STANDARD, "normalize_lengths", .ops = FORWARD), .rank = 3, .dim = {3, 2, 6145}},
    {EVALUATE("channels-65", STANDARD, "many_channels"), .rank = 3, .dim = {2, 65, 2}},
    {EVALUATE("channels-130", STANDARD, "many_channels"), .rank = 2, .dim = {3, 130}},
    {TRAIN("channels-65", STANDARD, "many_channels"), .rank = 3, .dim = {3, 65, 2}},
    {TRAIN("channels-130", STANDARD, "many_channels"), .rank = 2, .dim = {5, 130}},
    {EVALUATE("1d-flat", STANDARD, "normalize_running"), .rank = 2, .dim = {33, 7}},
    {EVALUATE("3d", STANDARD, "normalize_running"), .rank = 5, .dim = {2, 3, 4, 3, 5}},
    {EVALUATE("single", SMOKE, "normalize_lengths normalize_running"), .rank = 2, .dim = {1, 7}},
    {EVALUATE("batch-empty", SMOKE, "normalize_lengths", .ops = FORWARD), .rank = 4, .dim = {0, 5, 4, 6}},
    {EVALUATE("momentum-1", STANDARD, "normalize_running flags", .ops = FORWARD), IMAGES, .momentum = 1},
    {EVALUATE("nothing", STANDARD, "normalize_affine"), IMAGES, .absent = NO_WEIGHT | NO_BIAS},
    {EVALUATE("eps-0-5", STANDARD, "normalize_affine flags"), IMAGES, .eps = 0.5},
    {EVALUATE("mean-1e3", STANDARD, "normalize_offset", .dtypes = FINE), IMAGES, .mean = 1e3},
    {EVALUATE("specials", SMOKE, "normalize_isolated special_values", .ops = FORWARD), IMAGES,
     .fill = FILL_SPECIALS},
    {EVALUATE("ends", SMOKE, "normalize_ends", .ops = FORWARD, .dtypes = BELOW_DOUBLE), IMAGES,
     .ends = ENDS_X, .variance = 0.01, .gain = 1e-6, .fill = FILL_SIGNS},
    {EVALUATE("ends", SMOKE, "normalize_ends", .ops = GRADIENT), IMAGES, .ends = ENDS_X, .variance = 4,
     .fill = FILL_SIGNS},
    {EVALUATE("ends-n33", STANDARD, "normalize_ends", .ops = GRADIENT), .rank = 2, .dim = {33, 7},
     .ends = ENDS_X, .variance = 4, .fill = FILL_SIGNS},
    {EVALUATE("ends-mean", STANDARD, "normalize_ends", .ops = FORWARD, .dtypes = BELOW_DOUBLE), IMAGES,
     .ends = ENDS_X | ENDS_MEAN, .variance = 1e4, .gain = 0.25, .fill = FILL_SIGNS},
    {EVALUATE("ends-mean", STANDARD, "normalize_ends", .ops = GRADIENT), IMAGES, .ends = ENDS_X | ENDS_MEAN,
     .variance = 1e4, .fill = FILL_SIGNS},
    {EVALUATE("ends-bias", STANDARD, "normalize_ends", .ops = FORWARD, .dtypes = BELOW_DOUBLE), IMAGES,
     .ends = ENDS_X | ENDS_BIAS, .variance = 0.25, .fill = FILL_SIGNS},
    {EVALUATE("ends-grad", STANDARD, "normalize_ends", .ops = GRADIENT), IMAGES, .ends = ENDS_GRAD,
     .variance = 1e4, .gain = 10, .fill = FILL_SIGNS},
    {TRAIN("ends-grad", SMOKE, "normalize_ends", .ops = GRADIENT, .dtypes = BELOW_DOUBLE), IMAGES,
     .ends = ENDS_GRAD, .gain = 0.25, .fill = FILL_SIGNS},
    {TRAIN("ends-grad-n257", STANDARD, "normalize_ends", .ops = GRADIENT, .dtypes = BELOW_DOUBLE), .rank = 2,
     .dim = {257, 3}, .ends = ENDS_GRAD, .gain = 0.25, .fill = FILL_SIGNS},
    {TRAIN("ends-affine", STANDARD, "normalize_ends", .ops = FORWARD, .dtypes = BELOW_DOUBLE), IMAGES,
     .ends = ENDS_WEIGHT | ENDS_BIAS, .gain = 0.6},
    {EVALUATE("x-channels-last", SMOKE, "layout_grid"), IMAGES, .channels_last = true},
    {EVALUATE("x-block", STANDARD, "layout_grid poison"), IMAGES, .x = LAYOUT_BLOCK},
    {EVALUATE("running-stepped3", STANDARD, "layout_grid poison gaps_untouched"), IMAGES,
     .running = LAYOUT_STEPPED3},
    {ROW("eval-batch-invariance", SMOKE, "batch_invariance", .build = normalization_alone),
     .parameter = EVALUATION, .rank = 4, .dim = {5, 3, 4, 6}},
    {ROW("chain-eps", STANDARD, "order flags", .build = normalization_eps_chain), .parameter = EVALUATION,
     IMAGES},
    {ROW("chain-eps-reversed", STANDARD, "order flags", .build = normalization_eps_chain),
     .parameter = EVALUATION, IMAGES, .x = LAYOUT_REVERSED},
    {TRAIN("float32-parameters", SMOKE, "normalize_affine normalize_running", .dtypes = NARROW), IMAGES,
     .wide = true},
    {TRAIN("float32-parameters-strided", STANDARD, "normalize_affine layout_grid poison", .dtypes = NARROW),
     IMAGES, .wide = true, .weight = LAYOUT_STEPPED2, .bias = LAYOUT_OFFSET1, .running = LAYOUT_STEPPED3,
     .x = LAYOUT_BLOCK},
    {TRAIN("float32-parameters-no-running", STANDARD, "normalize_affine", .dtypes = NARROW), .rank = 2,
     .dim = {33, 7}, .absent = NO_RUNNING, .wide = true},
    {EVALUATE("float32-parameters", SMOKE, "normalize_affine normalize_running", .dtypes = NARROW), IMAGES,
     .wide = true},
    {ROW("chain-train-train-eval", SMOKE, "order normalize_running", .ops = FORWARD, .build = chain),
     .parameter = TRAINING, .rank = 2, .dim = {2, 5}, .momentum = 0.5},
    {ROW("refuse-single", SMOKE, "normalize_refusals", .ops = FORWARD, .build = normalization_refused),
     .parameter = TRAINING, .rank = 3, .dim = {1, 5, 1}},
    {ROW("refuse-no-running", SMOKE, "normalize_refusals", .ops = FORWARD, .build = normalization_refused),
     .parameter = EVALUATION, .rank = 2, .dim = {3, 5}, .absent = NO_RUNNING},
    {ROW("refuse-weight", SMOKE, "normalize_refusals", .build = normalization_short_weight),
     .parameter = TRAINING, .rank = 3, .dim = {3, 5, 2}},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list,
                       &(struct suite_table){SUITE_ROWS(rows), .ops = {"batch_norm", "batch_norm_backward"},
                                             .build = normalization_plain, .level = level_beyond_float32});
}

const struct suite suite_norm_batch_norm = {.declare = declare};
