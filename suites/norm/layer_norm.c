/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* layer_norm, rms_norm and their gradients. */

#include "suites/norm/normalization.h"

enum { LAYER = 1, RMS = 2, LAYER_GRADIENT = 4, RMS_GRADIENT = 8 };
enum { FORWARD = LAYER | RMS, GRADIENT = LAYER_GRADIENT | RMS_GRADIENT, BOTH = FORWARD | GRADIENT };

static const char *const names[] = {"layer_norm", "rms_norm", "layer_norm_backward", "rms_norm_backward"};

struct normalization_call normalization_layer(struct builder *b, const struct normalization_row *row)
{
    struct normalization_call o = {.inputs = 0};
    struct shape tail = {.rank = 0};
    struct normalization_map map = {.batch = 1, .channels = 1, .inner = 1, .groups = 1};
    for (int d = 0; d < row->rank; d++) {
        bool normalized = d >= row->rank - row->parameter;
        *(normalized ? &map.channels : &map.batch) *= row->dim[d];
        if (normalized) {
            tail.dim[tail.rank++] = row->dim[d];
        }
    }
    bool gradient = normalization_is_gradient(b->c->op), layer = b->c->op->name[0] == 'l';
    if (gradient) {
        o.input[o.inputs++] = normalization_grad(b, row);
    }
    o.input[o.inputs++] = normalization_input(b, row, &map);
    o.weight = o.inputs;
    o.input[o.inputs++] = row->absent & NO_WEIGHT ? normalization_absent()
                                                  : normalization_random(b, row, 1, &tail, row->weight, 1);
    if (layer && !gradient) {
        o.input[o.inputs++] = row->absent & NO_BIAS ? normalization_absent()
                                                    : normalization_random(b, row, 2, &tail, row->bias, 0);
    }
    o.attributes.item[o.attributes.count++] =
        (struct attribute){.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = tail};
    if (!row->eps_left_out) {
        normalization_set(&o.attributes, "eps", ATTRIBUTE_REAL, row->eps > 0 ? row->eps : 1e-5);
    }
    return o;
}

/* A normalized_shape that is not the end of the shape; a weight of another shape. */
static void refuse_shapes(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call o = normalization_layer(b, row);
    struct attributes wrong = o.attributes;
    wrong.item[0].integers.dim[0]++;
    build_rejection(b, b->c->op, &wrong, o.inputs, o.input);
    o.input[o.weight].shape.dim[0]--;
    build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
}

/* The last dimension, the last two, the last again, on the same x: a plan or a scratch kept from the first
 * call shows. */
static void chain_shapes(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_row wide = *row;
    wide.parameter = 2;
    struct normalization_call one = normalization_layer(b, row), two = normalization_layer(b, &wide);
    for (int k = 0; k <= normalization_is_gradient(b->c->op); k++) { /* grad and x */
        two.input[k] = one.input[k];
    }
    struct view first = one.input[0];
    for (int k = 0; k < 3; k++) {
        const struct normalization_call *call = k == 1 ? &two : &one;
        struct step *step = build_step(b, b->c->op, &call->attributes, call->inputs, call->input);
        first = step && k == 0 ? step->output[0] : first;
        if (step && k == 2) {
            build_relate(b, &first, &step->output[0], "the same normalized_shape again gives the same bits");
        }
    }
}

#define ROW(name_, level_, ops_, build_)                                                                     \
    NORMALIZATION_ROW(name_, level_, ops_, normalization_layer, normalization_##build_)
#define LENGTH(n_, level_)                                                                                   \
    {                                                                                                        \
        ROW("length-" #n_, level_, BOTH, plain), .rank = 2, .dim = {4, n_}, .parameter = 1,                  \
                                                 .covers = "normalize_lengths normalize_gradients"           \
    }
#define OFFSET(name_, level_, mean_, n_, dtypes_)                                                            \
    {                                                                                                        \
        ROW("mean-" name_ "-n" #n_, level_, BOTH, plain), .rank = 2, .dim = {3, n_}, .parameter = 1,         \
                                                          .mean = mean_, .dtypes = dtypes_,                  \
                                                          .covers = "normalize_offset"                       \
    }
#define LAYOUT(which_, layout_name_, level_, layout_, ops_)                                                  \
    {                                                                                                        \
        ROW(#which_ "-" layout_name_, level_, ops_, plain), .rank = 2, .dim = {7, 33}, .parameter = 1,       \
                                                            .which_ = LAYOUT_##layout_,                      \
                                                            .covers = "layout_grid poison"                   \
    }
#define SHAPE(name_, level_, tail_, rank_, ...)                                                              \
    {                                                                                                        \
        ROW(name_, level_, BOTH, plain), .rank = rank_, .dim = {__VA_ARGS__}, .parameter = tail_,            \
                                         .covers = "self_encoding"                                           \
    }

#define STRIDED(name_, ops_, tail_, rank_, d0_, d1_, d2_, d3_, ...)                                          \
    {                                                                                                        \
        ROW(name_, STANDARD, ops_, plain), .rank = rank_, .dim = {d0_, d1_, d2_, d3_}, .parameter = tail_,   \
                                           .covers = "layout_grid poison", __VA_ARGS__                       \
    }
#define FIVE(name_, ops_, tail_, ...)                                                                        \
    {                                                                                                        \
        ROW(name_, STANDARD, ops_, plain), .rank = 5, .dim = {2, 3, 2, 5, 9}, .parameter = tail_,            \
                                           .covers = "layout_grid poison", __VA_ARGS__                       \
    }

static const struct normalization_row rows[] = {
    {ROW("length-1", SMOKE, FORWARD | RMS_GRADIENT, plain), .rank = 2, .dim = {4, 1}, .parameter = 1,
     .covers = "normalize_lengths"}, /* layer_norm has no gradient here */
    LENGTH(33, SMOKE),
    LENGTH(1000, STANDARD),
    {ROW("batch-empty", SMOKE, BOTH, plain), .rank = 2, .dim = {0, 33}, .parameter = 1,
     .covers = "normalize_lengths"},
    {ROW("batch-300", STANDARD, BOTH, plain), .rank = 2, .dim = {300, 33}, .parameter = 1,
     .covers = "signed_bias"},
    {ROW("batch-65537", STANDARD, LAYER, plain), .rank = 2, .dim = {65537, 3}, .parameter = 1,
     .dtypes = 1U << DTYPE_FLOAT32, .covers = "size_limits normalize_lengths"},
    {ROW("batch-65537", EXHAUSTIVE, RMS | GRADIENT, plain), .rank = 2, .dim = {65537, 3}, .parameter = 1,
     .dtypes = 1U << DTYPE_FLOAT32, .covers = "size_limits normalize_lengths"},
    OFFSET("10", STANDARD, 10, 33, 0),
    OFFSET("10", STANDARD, 10, 1000, 0),
    OFFSET("1e3", SMOKE, 1e3, 33, FINE),
    OFFSET("1e3", STANDARD, 1e3, 17, FINE),
    OFFSET("1e3", STANDARD, 1e3, 1000, WIDE),
    OFFSET("1e5", STANDARD, 1e5, 33, WIDE),
    {ROW("constant-1000", STANDARD, BOTH, plain), .rank = 2, .dim = {2, 1000}, .parameter = 1,
     .fill = FILL_CONSTANT, .eps = 100, .covers = "normalize_constant normalize_affine"},
    {ROW("variances", SMOKE, BOTH, plain), .rank = 2, .dim = {8, 33}, .parameter = 1, .fill = FILL_VARIANCES,
     .eps = 1e-2, .covers = "normalize_constant normalize_affine"},
    {ROW("eps-left-out", SMOKE, BOTH, plain), .rank = 2, .dim = {4, 33}, .parameter = 1,
     .fill = FILL_VARIANCES, .eps_left_out = true, .covers = "normalize_constant flags"},
    {ROW("variances-default-eps", STANDARD, BOTH, plain), .rank = 2, .dim = {4, 65}, .parameter = 1,
     .fill = FILL_VARIANCES, .covers = "normalize_constant"},
    {ROW("alternating-n4", STANDARD, FORWARD, plain), .rank = 2, .dim = {3, 4}, .parameter = 1,
     .fill = FILL_ALTERNATING, .eps = 7, .absent = NO_WEIGHT | NO_BIAS, .exact = true,
     .covers = "normalize_exact"},
    {ROW("alternating-n64", STANDARD, BOTH, plain), .rank = 2, .dim = {3, 64}, .parameter = 1,
     .fill = FILL_ALTERNATING, .eps = 7, .absent = NO_WEIGHT | NO_BIAS, .covers = "normalize_exact"},
    {ROW("pairs-n2", SMOKE, LAYER, plain), .rank = 2, .dim = {5, 2}, .parameter = 1, .fill = FILL_PAIRS,
     .eps = 3, .absent = NO_WEIGHT | NO_BIAS, .exact = true, .covers = "normalize_exact normalize_offset"},
    {ROW("range", SMOKE, FORWARD, plain), .rank = 2, .dim = {3, 65}, .parameter = 1, .fill = FILL_RANGE,
     .covers = "normalize_range"},
    {ROW("ends-affine", STANDARD, FORWARD, plain), .rank = 2, .dim = {3, 65}, .parameter = 1,
     .ends = ENDS_WEIGHT | ENDS_BIAS, .gain = 0.6, .dtypes = BELOW_DOUBLE, .covers = "normalize_ends"},
    {ROW("ends-grad", SMOKE, GRADIENT, plain), .rank = 2, .dim = {8, 33}, .parameter = 1, .fill = FILL_SIGNS,
     .ends = ENDS_GRAD, .gain = 0.25, .dtypes = BELOW_DOUBLE, .covers = "normalize_ends"},
    {ROW("ends-grad-257", STANDARD, GRADIENT, plain), .rank = 2, .dim = {5, 257}, .parameter = 1,
     .fill = FILL_SIGNS, .ends = ENDS_GRAD, .gain = 0.25, .dtypes = BELOW_DOUBLE, .covers = "normalize_ends"},
    {ROW("outlier-last", STANDARD, BOTH, plain), .rank = 2, .dim = {3, 257}, .parameter = 1,
     .fill = FILL_OUTLIER, .covers = "normalize_range"},
    {ROW("scales-2^12", STANDARD, BOTH, plain), .rank = 2, .dim = {3, 65}, .parameter = 1, .spread = 12,
     .covers = "normalize_range"},
    {ROW("specials", SMOKE, BOTH, plain), .rank = 2, .dim = {5, 33}, .parameter = 1, .fill = FILL_SPECIALS,
     .covers = "normalize_isolated special_values"},
    {ROW("specials-first", STANDARD, BOTH, plain), .rank = 2, .dim = {5, 33}, .parameter = 1,
     .fill = FILL_SPECIALS_FIRST, .covers = "normalize_isolated nan_places"},
    {ROW("specials-last", STANDARD, BOTH, plain), .rank = 2, .dim = {5, 33}, .parameter = 1,
     .fill = FILL_SPECIALS_LAST, .covers = "normalize_isolated nan_places"},
    {ROW("specials-last-4099", STANDARD, BOTH, plain), .rank = 2, .dim = {3, 4099}, .parameter = 1,
     .dtypes = 1U << DTYPE_FLOAT32, .fill = FILL_SPECIALS_LAST, .covers = "normalize_isolated nan_places"},
    {ROW("specials-each", STANDARD, BOTH, plain), .rank = 2, .dim = {33, 33}, .parameter = 1,
     .fill = FILL_SPECIALS_EACH, .covers = "nan_places special_values"},
    {ROW("no-weight", SMOKE, BOTH, plain), .rank = 2, .dim = {5, 33}, .parameter = 1, .absent = NO_WEIGHT,
     .covers = "normalize_affine"},
    {ROW("no-bias", STANDARD, LAYER, plain), .rank = 2, .dim = {5, 33}, .parameter = 1, .absent = NO_BIAS,
     .covers = "normalize_affine"},
    {ROW("no-weight-no-bias", STANDARD, LAYER, plain), .rank = 2, .dim = {5, 33}, .parameter = 1,
     .absent = NO_WEIGHT | NO_BIAS, .covers = "normalize_affine"},
    {ROW("eps-0-5", SMOKE, BOTH, plain), .rank = 2, .dim = {5, 33}, .parameter = 1, .eps = 0.5,
     .covers = "normalize_affine flags"},
    {ROW("eps-1e-12", STANDARD, BOTH, plain), .rank = 2, .dim = {5, 33}, .parameter = 1, .eps = 1e-12,
     .covers = "normalize_affine flags"},
    SHAPE("shape-vector", SMOKE, 1, 1, 37),
    SHAPE("shape-3x5x7-last-two", SMOKE, 2, 3, 3, 5, 7),
    SHAPE("shape-3x5x7-last", STANDARD, 1, 3, 3, 5, 7),
    SHAPE("shape-3x5x7-all", STANDARD, 3, 3, 3, 5, 7),
    SHAPE("shape-2x3x4x5-last-three", STANDARD, 3, 4, 2, 3, 4, 5),
    LAYOUT(x, "transposed", SMOKE, TRANSPOSED, BOTH),
    LAYOUT(x, "block", STANDARD, BLOCK, BOTH),
    LAYOUT(x, "columns", STANDARD, COLUMNS, BOTH),
    LAYOUT(x, "stepped2", STANDARD, STEPPED2, BOTH),
    LAYOUT(x, "rows-stepped", STANDARD, ROWS_STEPPED, BOTH),
    LAYOUT(x, "offset1", STANDARD, OFFSET1, BOTH),
    LAYOUT(x, "offset3", STANDARD, OFFSET3, BOTH),
    LAYOUT(x, "transposed-block", STANDARD, TRANSPOSED_BLOCK, BOTH),
    LAYOUT(grad, "transposed", SMOKE, TRANSPOSED, GRADIENT),
    LAYOUT(grad, "block", STANDARD, BLOCK, GRADIENT),
    LAYOUT(grad, "stepped3", STANDARD, STEPPED3, GRADIENT),
    LAYOUT(grad, "offset1", STANDARD, OFFSET1, GRADIENT),
    LAYOUT(weight, "stepped2", STANDARD, STEPPED2, BOTH),
    LAYOUT(weight, "offset1", STANDARD, OFFSET1, BOTH),
    LAYOUT(bias, "stepped3", STANDARD, STEPPED3, LAYER),
    LAYOUT(bias, "offset3", STANDARD, OFFSET3, LAYER),
    LAYOUT(x, "far", STANDARD, FAR, BOTH),
    LAYOUT(grad, "far", STANDARD, FAR, GRADIENT),
    LAYOUT(weight, "far", STANDARD, FAR, BOTH),
    LAYOUT(x, "expanded-rows", STANDARD, EXPANDED_ROWS, BOTH),
    LAYOUT(weight, "expanded", STANDARD, EXPANDED, BOTH),
    LAYOUT(bias, "expanded", STANDARD, EXPANDED, LAYER),
    LAYOUT(grad, "expanded", STANDARD, EXPANDED, GRADIENT),
    LAYOUT(grad, "expanded-rows", STANDARD, EXPANDED_ROWS, GRADIENT),
    STRIDED("x-heads-4d", BOTH, 1, 4, 2, 3, 4, 33, .x = LAYOUT_HEADS),
    STRIDED("grad-heads-4d", GRADIENT, 1, 4, 2, 3, 4, 33, .grad = LAYOUT_HEADS),
    STRIDED("x-grad-heads-4d", GRADIENT, 1, 4, 2, 3, 4, 33, .x = LAYOUT_HEADS, .grad = LAYOUT_HEADS),
    STRIDED("x-block-3d", BOTH, 1, 3, 3, 4, 33, 0, .x = LAYOUT_BLOCK),
    STRIDED("grad-block-3d", GRADIENT, 1, 3, 3, 4, 33, 0, .grad = LAYOUT_BLOCK),
    STRIDED("x-rows-stepped-3d", BOTH, 1, 3, 3, 4, 33, 0, .x = LAYOUT_ROWS_STEPPED),
    STRIDED("grad-rows-stepped-3d", GRADIENT, 1, 3, 3, 4, 33, 0, .grad = LAYOUT_ROWS_STEPPED),
    STRIDED("weight-expanded-rows-2d", BOTH, 2, 3, 3, 5, 7, 0, .weight = LAYOUT_EXPANDED_ROWS),
    STRIDED("grad-expanded-3d", GRADIENT, 2, 3, 3, 5, 7, 0, .grad = LAYOUT_EXPANDED),
    FIVE("x-reversed-5d", BOTH, 1, .x = LAYOUT_REVERSED, .grad = LAYOUT_PERMUTED),
    FIVE("x-permuted-5d-last-two", BOTH, 2, .x = LAYOUT_PERMUTED, .grad = LAYOUT_REVERSED),
    {ROW("all-strided", STANDARD, BOTH, plain), .rank = 3, .dim = {4, 5, 9}, .parameter = 2,
     .x = LAYOUT_REVERSED, .grad = LAYOUT_PERMUTED, .weight = LAYOUT_TRANSPOSED_BLOCK, .bias = LAYOUT_BLOCK,
     .covers = "layout_grid poison"},
    {ROW("batch-invariance-65", SMOKE, BOTH, alone), .rank = 2, .dim = {9, 65}, .parameter = 1,
     .covers = "batch_invariance"},
    {ROW("batch-invariance-1000", STANDARD, BOTH, alone), .rank = 2, .dim = {9, 1000}, .parameter = 1,
     .x = LAYOUT_BLOCK, .covers = "batch_invariance layout_grid"},
    {ROW("chain-eps", STANDARD, BOTH, eps_chain), .rank = 2, .dim = {5, 33}, .parameter = 1,
     .fill = FILL_VARIANCES, .eps = 1e-2, .covers = "order flags"},
    {ROW("chain-eps-65", STANDARD, BOTH, eps_chain), .rank = 2, .dim = {4, 65}, .parameter = 1,
     .fill = FILL_VARIANCES, .eps = 1e-2, .covers = "order flags"},
    {NORMALIZATION_ROW("chain-shapes", STANDARD, BOTH, normalization_layer, chain_shapes), .rank = 3,
     .dim = {3, 5, 33}, .parameter = 1, .covers = "order flags"},
    {NORMALIZATION_ROW("chain-shapes-reversed", STANDARD, BOTH, normalization_layer, chain_shapes), .rank = 3,
     .dim = {3, 5, 33}, .parameter = 1, .x = LAYOUT_REVERSED, .covers = "order flags"},
    {NORMALIZATION_ROW("refuse-shapes", SMOKE, BOTH, normalization_layer, refuse_shapes), .rank = 2,
     .dim = {3, 8}, .parameter = 1, .covers = "normalize_refusals"},
};

static void declare(struct suite_list *list)
{
    normalization_declare(list, names, 4, rows, sizeof rows / sizeof *rows, __FILE__);
}

const struct suite suite_norm_layer_norm = {declare};
