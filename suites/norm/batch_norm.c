/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* batch_norm and its gradient, in training and in evaluation. */

#include "suites/norm/normalization.h"

enum { FORWARD = 1, GRADIENT = 2, BOTH = 3 };
enum { EVALUATION, TRAINING };

static const char *const names[] = {"batch_norm", "batch_norm_backward"};

/* Running means near the data's, running variances from 1/4 to 4. */
static void running(struct builder *b, const struct normalization_row *row, const struct shape *channels,
                    struct view statistic[2])
{
    statistic[0] = normalization_random(b, row, 4, channels, row->running, 0);
    statistic[1] = normalization_random(b, row, 5, channels, row->running, 0);
    for (int64_t c = 0; c < channels->dim[0]; c++) {
        double mean = row->mean + (double)(c % 5) / 4 - 0.3, variance = 0.25 + 3.7 * (double)(c % 7) / 6;
        build_set(b, &statistic[0], c, row->ends & ENDS_MEAN ? -normalization_end(b, row, ENDS_MEAN) : mean);
        build_set(b, &statistic[1], c, row->variance > 0 ? row->variance : variance);
    }
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
        running(b, row, &channels, &o.input[o.inputs]);
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
    normalization_set(&o.attributes, "training", ATTRIBUTE_BOOL, row->parameter);
    if (!gradient) {
        normalization_set(&o.attributes, "momentum", ATTRIBUTE_REAL,
                          row->momentum < 0   ? 0
                          : row->momentum > 0 ? row->momentum
                                              : 0.1);
    }
    normalization_set(&o.attributes, "eps", ATTRIBUTE_REAL, row->eps > 0 ? row->eps : 1e-5);
    return o;
}

/* Two steps of training, then evaluation, on running statistics that stay on the device. Two integers per
 * channel and momentum 1/2 keep them exact up to the last step. */
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

#define ROW(name_, level_, ops_, build_)                                                                     \
    NORMALIZATION_ROW(name_, level_, ops_, normalization_channels, normalization_##build_)
#define TRAIN(name_, level_, ops_, rank_, ...)                                                               \
    {                                                                                                        \
        ROW("train-" name_, level_, ops_, plain), .parameter = TRAINING, .rank = rank_, __VA_ARGS__          \
    }
#define EVALUATE(name_, level_, ops_, rank_, ...)                                                            \
    {                                                                                                        \
        ROW("eval-" name_, level_, ops_, plain), .parameter = EVALUATION, .rank = rank_, __VA_ARGS__         \
    }
#define IMAGES .dim = {3, 5, 4, 6}

static const struct normalization_row rows[] = {
    TRAIN("2d", SMOKE, BOTH, 4, IMAGES, .covers = "normalize_lengths normalize_gradients self_encoding"),
    TRAIN("1d-flat", STANDARD, BOTH, 2, .dim = {33, 7}, .covers = "normalize_lengths"),
    TRAIN("1d", STANDARD, BOTH, 3, .dim = {3, 5, 11}, .covers = "normalize_lengths"),
    TRAIN("3d", SMOKE, BOTH, 5, .dim = {2, 3, 4, 3, 5}, .covers = "normalize_lengths"),
    TRAIN("n2", SMOKE, FORWARD, 2, .dim = {2, 5}, .covers = "normalize_lengths normalize_running"),
    TRAIN("n3", STANDARD, BOTH, 2, .dim = {3, 5}, .covers = "normalize_lengths normalize_running"),
    TRAIN("n257", STANDARD, BOTH, 2, .dim = {257, 3}, .covers = "normalize_lengths"),
    TRAIN("n1000", STANDARD, BOTH, 3, .dim = {10, 3, 100}, .covers = "normalize_lengths"),
    TRAIN("channels-257", STANDARD, BOTH, 2, .dim = {5, 257}, .covers = "normalize_lengths self_encoding"),
    TRAIN("momentum-0", STANDARD, FORWARD, 4, IMAGES, .momentum = -1, .covers = "normalize_running flags"),
    TRAIN("momentum-1", STANDARD, FORWARD, 4, IMAGES, .momentum = 1, .covers = "normalize_running flags"),
    TRAIN("momentum-0-7", STANDARD, FORWARD, 2, .dim = {4, 5}, .momentum = 0.7,
          .covers = "normalize_running flags"),
    TRAIN("no-running", SMOKE, BOTH, 4, IMAGES, .absent = NO_RUNNING, .covers = "normalize_running"),
    TRAIN("no-weight", STANDARD, BOTH, 4, IMAGES, .absent = NO_WEIGHT, .covers = "normalize_affine"),
    TRAIN("no-bias", STANDARD, FORWARD, 4, IMAGES, .absent = NO_BIAS, .covers = "normalize_affine"),
    TRAIN("nothing", STANDARD, BOTH, 4, IMAGES, .absent = NO_WEIGHT | NO_BIAS | NO_RUNNING,
          .covers = "normalize_affine"),
    TRAIN("eps-0-5", STANDARD, BOTH, 4, IMAGES, .eps = 0.5, .covers = "normalize_affine flags"),
    TRAIN("scales-2^12", STANDARD, BOTH, 4, IMAGES, .spread = 12, .covers = "normalize_range"),
    TRAIN("mean-10", STANDARD, BOTH, 4, IMAGES, .mean = 10, .covers = "normalize_offset"),
    TRAIN("mean-1e3", SMOKE, BOTH, 4, IMAGES, .mean = 1e3, .dtypes = FINE, .covers = "normalize_offset"),
    TRAIN("mean-1e3-n17", STANDARD, BOTH, 2, .dim = {17, 4}, .mean = 1e3, .dtypes = FINE,
          .covers = "normalize_offset"),
    TRAIN("mean-1e5", STANDARD, FORWARD, 4, IMAGES, .mean = 1e5, .dtypes = WIDE,
          .covers = "normalize_offset"),
    TRAIN("constant", STANDARD, BOTH, 4, IMAGES, .fill = FILL_CONSTANT, .eps = 100,
          .covers = "normalize_constant"),
    TRAIN("variances", SMOKE, BOTH, 4, IMAGES, .fill = FILL_VARIANCES, .eps = 1e-2,
          .covers = "normalize_constant"),
    TRAIN("range", STANDARD, FORWARD, 4, IMAGES, .fill = FILL_RANGE, .absent = NO_RUNNING,
          .covers = "normalize_range"),
    TRAIN("outlier-last", STANDARD, BOTH, 4, IMAGES, .fill = FILL_OUTLIER, .covers = "normalize_range"),
    TRAIN("specials", SMOKE, BOTH, 4, IMAGES, .fill = FILL_SPECIALS,
          .covers = "normalize_isolated special_values"),
    TRAIN("specials-alone", STANDARD, FORWARD, 4, IMAGES, .fill = FILL_SPECIALS, .absent = NO_RUNNING,
          .covers = "normalize_isolated special_values"),
    TRAIN("specials-first", STANDARD, BOTH, 4, IMAGES, .fill = FILL_SPECIALS_FIRST,
          .covers = "normalize_isolated nan_places"),
    TRAIN("specials-last", STANDARD, BOTH, 4, IMAGES, .fill = FILL_SPECIALS_LAST,
          .covers = "normalize_isolated nan_places"),
    TRAIN("specials-each", STANDARD, BOTH, 3, .dim = {3, 24, 4}, .fill = FILL_SPECIALS_EACH,
          .absent = NO_RUNNING, .covers = "nan_places special_values"),
    TRAIN("channels-65537", EXHAUSTIVE, BOTH, 2, .dim = {2, 65537}, .dtypes = 1U << DTYPE_FLOAT32,
          .covers = "size_limits normalize_lengths"),
    EVALUATE("channels-65537", STANDARD, FORWARD, 2, .dim = {2, 65537}, .dtypes = 1U << DTYPE_FLOAT32,
             .covers = "size_limits normalize_lengths"),
    EVALUATE("channels-65537", EXHAUSTIVE, GRADIENT, 2, .dim = {2, 65537}, .dtypes = 1U << DTYPE_FLOAT32,
             .covers = "size_limits normalize_lengths"),
    TRAIN("alternating-n4", SMOKE, FORWARD, 3, .dim = {2, 3, 2}, .fill = FILL_ALTERNATING, .eps = 7,
          .absent = NO_WEIGHT | NO_BIAS | NO_RUNNING, .exact = true, .covers = "normalize_exact"),
    TRAIN("x-channels-last", SMOKE, BOTH, 4, IMAGES, .channels_last = true, .covers = "layout_grid"),
    TRAIN("x-channels-last-3d", STANDARD, BOTH, 5, .dim = {2, 3, 4, 3, 5}, .channels_last = true,
          .covers = "layout_grid"),
    TRAIN("x-channels-last-offset3", STANDARD, BOTH, 4, IMAGES, .channels_last = true, .x = LAYOUT_OFFSET3,
          .covers = "layout_grid"),
    TRAIN("x-channels-last-mean-1e3", STANDARD, BOTH, 4, IMAGES, .channels_last = true, .mean = 1e3,
          .dtypes = FINE, .covers = "layout_grid normalize_offset"),
    TRAIN("grad-channels-last", STANDARD, GRADIENT, 4, IMAGES, .grad_channels_last = true,
          .covers = "layout_grid"),
    TRAIN("both-channels-last", STANDARD, GRADIENT, 4, IMAGES, .channels_last = true,
          .grad_channels_last = true, .covers = "layout_grid"),
    TRAIN("x-permuted", STANDARD, BOTH, 4, IMAGES, .x = LAYOUT_PERMUTED, .covers = "layout_grid"),
    TRAIN("x-permuted-3d", STANDARD, BOTH, 5, .dim = {2, 3, 4, 3, 5}, .x = LAYOUT_PERMUTED,
          .covers = "layout_grid"),
    TRAIN("x-block", SMOKE, BOTH, 4, IMAGES, .x = LAYOUT_BLOCK, .covers = "layout_grid poison"),
    TRAIN("x-stepped2", STANDARD, BOTH, 4, IMAGES, .x = LAYOUT_STEPPED2, .covers = "layout_grid poison"),
    TRAIN("x-transposed", STANDARD, BOTH, 2, .dim = {33, 7}, .x = LAYOUT_TRANSPOSED, .covers = "layout_grid"),
    TRAIN("x-heads", STANDARD, BOTH, 4, IMAGES, .x = LAYOUT_HEADS, .covers = "layout_grid"),
    TRAIN("x-reversed-3d", STANDARD, BOTH, 5, .dim = {2, 3, 4, 3, 5}, .x = LAYOUT_REVERSED,
          .grad = LAYOUT_PERMUTED, .covers = "layout_grid"),
    TRAIN("x-far", STANDARD, BOTH, 4, IMAGES, .x = LAYOUT_FAR, .covers = "layout_grid poison"),
    TRAIN("x-expanded-rows", STANDARD, BOTH, 4, IMAGES, .x = LAYOUT_EXPANDED_ROWS, .covers = "layout_grid"),
    TRAIN("grad-expanded", STANDARD, GRADIENT, 4, IMAGES, .grad = LAYOUT_EXPANDED, .covers = "layout_grid"),
    TRAIN("grad-expanded-rows", STANDARD, GRADIENT, 4, IMAGES, .grad = LAYOUT_EXPANDED_ROWS,
          .covers = "layout_grid"),
    TRAIN("grad-expanded-rows-1d", STANDARD, GRADIENT, 3, .dim = {3, 5, 11}, .grad = LAYOUT_EXPANDED_ROWS,
          .covers = "expanded"),
    EVALUATE("grad-expanded", STANDARD, GRADIENT, 4, IMAGES, .grad = LAYOUT_EXPANDED,
             .covers = "layout_grid"),
    EVALUATE("x-expanded-rows", STANDARD, BOTH, 4, IMAGES, .x = LAYOUT_EXPANDED_ROWS,
             .covers = "layout_grid"),
    TRAIN("weight-expanded", STANDARD, BOTH, 4, IMAGES, .weight = LAYOUT_EXPANDED, .bias = LAYOUT_EXPANDED,
          .covers = "layout_grid"),
    TRAIN("grad-transposed-block", STANDARD, GRADIENT, 4, IMAGES, .grad = LAYOUT_TRANSPOSED_BLOCK,
          .covers = "layout_grid poison"),
    TRAIN("weight-stepped2", STANDARD, BOTH, 4, IMAGES, .weight = LAYOUT_STEPPED2,
          .covers = "layout_grid poison"),
    TRAIN("bias-stepped3", STANDARD, FORWARD, 4, IMAGES, .bias = LAYOUT_STEPPED3,
          .covers = "layout_grid poison"),
    TRAIN("running-stepped2", SMOKE, FORWARD, 4, IMAGES, .running = LAYOUT_STEPPED2,
          .covers = "layout_grid poison gaps_untouched"),
    TRAIN("running-offset1", STANDARD, FORWARD, 4, IMAGES, .running = LAYOUT_OFFSET1,
          .covers = "layout_grid poison gaps_untouched"),
    EVALUATE("2d", SMOKE, BOTH, 4, IMAGES, .covers = "normalize_running normalize_gradients"),
    EVALUATE("1d-flat", STANDARD, BOTH, 2, .dim = {33, 7}, .covers = "normalize_running"),
    EVALUATE("3d", STANDARD, BOTH, 5, .dim = {2, 3, 4, 3, 5}, .covers = "normalize_running"),
    EVALUATE("single", SMOKE, BOTH, 2, .dim = {1, 7}, .covers = "normalize_lengths normalize_running"),
    EVALUATE("batch-empty", SMOKE, FORWARD, 4, .dim = {0, 5, 4, 6}, .covers = "normalize_lengths"),
    EVALUATE("momentum-1", STANDARD, FORWARD, 4, IMAGES, .momentum = 1, .covers = "normalize_running flags"),
    EVALUATE("nothing", STANDARD, BOTH, 4, IMAGES, .absent = NO_WEIGHT | NO_BIAS,
             .covers = "normalize_affine"),
    EVALUATE("eps-0-5", STANDARD, BOTH, 4, IMAGES, .eps = 0.5, .covers = "normalize_affine flags"),
    EVALUATE("mean-1e3", STANDARD, BOTH, 4, IMAGES, .mean = 1e3, .dtypes = FINE,
             .covers = "normalize_offset"),
    EVALUATE("specials", SMOKE, FORWARD, 4, IMAGES, .fill = FILL_SPECIALS,
             .covers = "normalize_isolated special_values"),
#define ENDS .fill = FILL_SIGNS, .covers = "normalize_ends"
    EVALUATE("ends", SMOKE, FORWARD, 4, IMAGES, ENDS, .ends = ENDS_X, .variance = 0.01, .gain = 1e-6,
             .dtypes = BELOW_DOUBLE),
    EVALUATE("ends", SMOKE, GRADIENT, 4, IMAGES, ENDS, .ends = ENDS_X, .variance = 4),
    EVALUATE("ends-n33", STANDARD, GRADIENT, 2, .dim = {33, 7}, ENDS, .ends = ENDS_X, .variance = 4),
    EVALUATE("ends-mean", STANDARD, FORWARD, 4, IMAGES, ENDS, .ends = ENDS_X | ENDS_MEAN, .variance = 1e4,
             .gain = 0.25, .dtypes = BELOW_DOUBLE),
    EVALUATE("ends-mean", STANDARD, GRADIENT, 4, IMAGES, ENDS, .ends = ENDS_X | ENDS_MEAN, .variance = 1e4),
    EVALUATE("ends-bias", STANDARD, FORWARD, 4, IMAGES, ENDS, .ends = ENDS_X | ENDS_BIAS, .variance = 0.25,
             .dtypes = BELOW_DOUBLE),
    EVALUATE("ends-grad", STANDARD, GRADIENT, 4, IMAGES, ENDS, .ends = ENDS_GRAD, .variance = 1e4,
             .gain = 10),
    TRAIN("ends-grad", SMOKE, GRADIENT, 4, IMAGES, ENDS, .ends = ENDS_GRAD, .gain = 0.25,
          .dtypes = BELOW_DOUBLE),
    TRAIN("ends-grad-n257", STANDARD, GRADIENT, 2, .dim = {257, 3}, ENDS, .ends = ENDS_GRAD, .gain = 0.25,
          .dtypes = BELOW_DOUBLE),
    TRAIN("ends-affine", STANDARD, FORWARD, 4, IMAGES, .ends = ENDS_WEIGHT | ENDS_BIAS, .gain = 0.6,
          .dtypes = BELOW_DOUBLE, .covers = "normalize_ends"),
    EVALUATE("x-channels-last", SMOKE, BOTH, 4, IMAGES, .channels_last = true, .covers = "layout_grid"),
    EVALUATE("x-block", STANDARD, BOTH, 4, IMAGES, .x = LAYOUT_BLOCK, .covers = "layout_grid poison"),
    EVALUATE("running-stepped3", STANDARD, BOTH, 4, IMAGES, .running = LAYOUT_STEPPED3,
             .covers = "layout_grid poison gaps_untouched"),
    {ROW("eval-batch-invariance", SMOKE, BOTH, alone), .parameter = EVALUATION, .rank = 4,
     .dim = {5, 3, 4, 6}, .covers = "batch_invariance"},
    {ROW("chain-eps", STANDARD, BOTH, eps_chain), .parameter = EVALUATION, .rank = 4, IMAGES,
     .covers = "order flags"},
    {ROW("chain-eps-reversed", STANDARD, BOTH, eps_chain), .parameter = EVALUATION, .rank = 4, IMAGES,
     .x = LAYOUT_REVERSED, .covers = "order flags"},
    TRAIN("float32-parameters", SMOKE, BOTH, 4, IMAGES, .wide = true, .dtypes = NARROW,
          .covers = "normalize_affine normalize_running"),
    TRAIN("float32-parameters-strided", STANDARD, BOTH, 4, IMAGES, .wide = true, .dtypes = NARROW,
          .weight = LAYOUT_STEPPED2, .bias = LAYOUT_OFFSET1, .running = LAYOUT_STEPPED3, .x = LAYOUT_BLOCK,
          .covers = "normalize_affine layout_grid poison"),
    TRAIN("float32-parameters-no-running", STANDARD, BOTH, 2, .dim = {33, 7}, .absent = NO_RUNNING,
          .wide = true, .dtypes = NARROW, .covers = "normalize_affine"),
    EVALUATE("float32-parameters", SMOKE, BOTH, 4, IMAGES, .wide = true, .dtypes = NARROW,
             .covers = "normalize_affine normalize_running"),
    {NORMALIZATION_ROW("chain-train-train-eval", SMOKE, FORWARD, normalization_channels, chain),
     .parameter = TRAINING, .rank = 2, .dim = {2, 5}, .momentum = 0.5, .covers = "order normalize_running"},
    {ROW("refuse-single", SMOKE, FORWARD, refused), .parameter = TRAINING, .rank = 3, .dim = {1, 5, 1},
     .covers = "normalize_refusals"},
    {ROW("refuse-no-running", SMOKE, FORWARD, refused), .parameter = EVALUATION, .rank = 2, .dim = {3, 5},
     .absent = NO_RUNNING, .covers = "normalize_refusals"},
    {ROW("refuse-weight", SMOKE, BOTH, short_weight), .parameter = TRAINING, .rank = 3, .dim = {3, 5, 2},
     .covers = "normalize_refusals"},
};

static void declare(struct suite_list *list)
{
    normalization_declare(list, names, 2, rows, sizeof rows / sizeof *rows, __FILE__);
}

const struct suite suite_norm_batch_norm = {declare};
