/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* layer_norm, rms_norm and their gradients. */

#include "suites/norm/normalization.h"

enum { LAYER = 1, RMS = 2, LAYER_GRADIENT = 4, RMS_GRADIENT = 8 };
enum { FORWARD = LAYER | RMS, GRADIENT = LAYER_GRADIENT | RMS_GRADIENT, ALL = FORWARD | GRADIENT };

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
    bool gradient = normalization_is_gradient(b->c->op),
         layer = normalization_kind(b->c->op) == NORMALIZATION_LAYER;
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
    o.attributes.item[o.attributes.count++] = (struct attribute){
        .name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = integers_of_shape(&tail)};
    if (!row->eps_left_out) {
        build_add_attribute(&o.attributes, "eps", ATTRIBUTE_REAL, row->eps > 0 ? row->eps : 1e-5);
    }
    return o;
}

/* Calls that must be refused: normalized_shape is not the end of the input's shape; the weight has another
 * shape. */
static void refuse_shapes(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call o = normalization_layer(b, row);
    struct attributes wrong = o.attributes;
    wrong.item[0].integers.item[0]++;
    build_rejection(b, b->c->op, &wrong, o.inputs, o.input);
    o.input[o.weight].shape.dim[0]--;
    build_rejection(b, b->c->op, &o.attributes, o.inputs, o.input);
}

/* normalized_shape is the last dimension, the last two, and the last again, on the same x: a plan or scratch
 * memory kept from the first call shows. */
static void chain_shapes(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_row wide = *row;
    wide.parameter = 2;
    struct normalization_call one = normalization_layer(b, row), two = normalization_layer(b, &wide);
    for (int k = 0; k <= normalization_is_gradient(b->c->op); k++) { /* grad_output and x */
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

#define ROW(name_, level_, ...) SUITE_ROW(name_, level_, __VA_ARGS__), .make = normalization_layer
#define LENGTH(n_, level_)                                                                                   \
    ROW("length-" #n_, level_, "normalize_lengths normalize_gradients"), .rank = 2, .dim = {4, n_},          \
                                                                         .parameter = 1
#define LONG_ROW(n_)                                                                                         \
    ROW("length-" #n_, STANDARD, "normalize_lengths", .ops = FORWARD), .rank = 2, .dim = {2, n_},            \
                                                                       .parameter = 1
#define OFFSET(name_, level_, n_, mean_, dtypes_)                                                            \
    ROW("mean-" name_ "-n" #n_, level_, "normalize_offset", .dtypes = dtypes_),                              \
        .rank = 2, .dim = {3, n_}, .parameter = 1, .mean = mean_
#define LAYOUT(name_, level_, ops_)                                                                          \
    ROW(name_, level_, "layout_grid poison", .ops = ops_), .rank = 2, .dim = {7, 33}, .parameter = 1

static const struct normalization_row rows[] = {
    {ROW("length-1", SMOKE, "normalize_lengths", .ops = FORWARD | RMS_GRADIENT), .rank = 2, .dim = {4, 1},
     .parameter = 1}, /* layer_norm has no gradient here */
    {LENGTH(33, SMOKE)},
    {LENGTH(1000, STANDARD)},
    /* Beside 4,096, 8,192 and 16,384 elements, which kernels hold in registers or shared memory; and rows
     * whose last part is a tenth of them or more. */
    {LONG_ROW(4097)},
    {LONG_ROW(8191)},
    {LENGTH(8193, STANDARD)},
    {LONG_ROW(16385)},
    {LENGTH(18431, STANDARD)},
    {LONG_ROW(20479)},
    {ROW("batch-empty", SMOKE, "normalize_lengths"), .rank = 2, .dim = {0, 33}, .parameter = 1},
    {ROW("batch-300", STANDARD, "signed_bias"), .rank = 2, .dim = {300, 33}, .parameter = 1},
    {ROW("batch-65537", STANDARD, "size_limits normalize_lengths", .ops = LAYER,
         .dtypes = 1U << DTYPE_FLOAT32),
     .rank = 2, .dim = {65537, 3}, .parameter = 1},
    {ROW("batch-65537", EXHAUSTIVE, "size_limits normalize_lengths", .ops = RMS | GRADIENT,
         .dtypes = 1U << DTYPE_FLOAT32),
     .rank = 2, .dim = {65537, 3}, .parameter = 1},
    /* More elements than float16 can count. */
    {ROW("length-65521", STANDARD, "normalize_lengths size_limits", .dtypes = 1U << DTYPE_FLOAT16), .rank = 2,
     .dim = {1, 65521}, .parameter = 1},
    {OFFSET("10", STANDARD, 33, 10, NARROW | WIDE)},
    {OFFSET("10", STANDARD, 1000, 10, NARROW | WIDE)},
    {OFFSET("1e3", SMOKE, 33, 1e3, FINE)},
    {OFFSET("1e3", STANDARD, 17, 1e3, FINE)},
    {OFFSET("1e3", STANDARD, 1000, 1e3, WIDE)},
    {OFFSET("1e5", STANDARD, 33, 1e5, WIDE)},
    {ROW("constant-1000", STANDARD, "normalize_constant normalize_affine"), .rank = 2, .dim = {2, 1000},
     .parameter = 1, .fill = FILL_CONSTANT, .eps = 100},
    {ROW("variances", SMOKE, "normalize_constant normalize_affine"), .rank = 2, .dim = {8, 33},
     .parameter = 1, .fill = FILL_VARIANCES, .eps = 1e-2},
    {ROW("eps-left-out", SMOKE, "normalize_constant flags"), .rank = 2, .dim = {4, 33}, .parameter = 1,
     .fill = FILL_VARIANCES, .eps_left_out = true},
    {ROW("variances-default-eps", STANDARD, "normalize_constant"), .rank = 2, .dim = {4, 65}, .parameter = 1,
     .fill = FILL_VARIANCES},
    {ROW("alternating-n4", STANDARD, "normalize_exact", .ops = FORWARD), .rank = 2, .dim = {3, 4},
     .parameter = 1, .fill = FILL_ALTERNATING, .eps = 7, .absent = NO_WEIGHT | NO_BIAS, .exact = true},
    {ROW("alternating-n64", STANDARD, "normalize_exact"), .rank = 2, .dim = {3, 64}, .parameter = 1,
     .fill = FILL_ALTERNATING, .eps = 7, .absent = NO_WEIGHT | NO_BIAS},
    {ROW("pairs-n2", SMOKE, "normalize_exact normalize_offset", .ops = LAYER), .rank = 2, .dim = {5, 2},
     .parameter = 1, .fill = FILL_PAIRS, .eps = 3, .absent = NO_WEIGHT | NO_BIAS, .exact = true},
    {ROW("range", SMOKE, "normalize_range", .ops = FORWARD), .rank = 2, .dim = {3, 65}, .parameter = 1,
     .fill = FILL_RANGE},
    {ROW("ends-affine", STANDARD, "normalize_ends", .ops = FORWARD, .dtypes = BELOW_DOUBLE), .rank = 2,
     .dim = {3, 65}, .parameter = 1, .ends = ENDS_WEIGHT | ENDS_BIAS, .gain = 0.6},
    {ROW("ends-grad", SMOKE, "normalize_ends", .ops = GRADIENT, .dtypes = BELOW_DOUBLE), .rank = 2,
     .dim = {8, 33}, .parameter = 1, .fill = FILL_SIGNS, .ends = ENDS_GRAD, .gain = 0.25},
    {ROW("ends-grad-257", STANDARD, "normalize_ends", .ops = GRADIENT, .dtypes = BELOW_DOUBLE), .rank = 2,
     .dim = {5, 257}, .parameter = 1, .fill = FILL_SIGNS, .ends = ENDS_GRAD, .gain = 0.25},
    {ROW("outlier-last", STANDARD, "normalize_range"), .rank = 2, .dim = {3, 257}, .parameter = 1,
     .fill = FILL_OUTLIER},
    {ROW("scales-2^12", STANDARD, "normalize_range"), .rank = 2, .dim = {3, 65}, .parameter = 1,
     .spread = 12},
    {ROW("specials", SMOKE, "normalize_isolated special_values"), .rank = 2, .dim = {5, 33}, .parameter = 1,
     .fill = FILL_SPECIALS},
    {ROW("specials-first", STANDARD, "normalize_isolated nan_places"), .rank = 2, .dim = {5, 33},
     .parameter = 1, .fill = FILL_SPECIALS_FIRST},
    {ROW("specials-last", STANDARD, "normalize_isolated nan_places"), .rank = 2, .dim = {5, 33},
     .parameter = 1, .fill = FILL_SPECIALS_LAST},
    {ROW("specials-last-4099", STANDARD, "normalize_isolated nan_places", .dtypes = 1U << DTYPE_FLOAT32),
     .rank = 2, .dim = {3, 4099}, .parameter = 1, .fill = FILL_SPECIALS_LAST},
    {ROW("specials-each", STANDARD, "nan_places special_values"), .rank = 2, .dim = {33, 33}, .parameter = 1,
     .fill = FILL_SPECIALS_EACH},
    {ROW("no-weight", SMOKE, "normalize_affine"), .rank = 2, .dim = {5, 33}, .parameter = 1,
     .absent = NO_WEIGHT},
    {ROW("no-bias", STANDARD, "normalize_affine", .ops = LAYER), .rank = 2, .dim = {5, 33}, .parameter = 1,
     .absent = NO_BIAS},
    {ROW("no-weight-no-bias", STANDARD, "normalize_affine", .ops = LAYER), .rank = 2, .dim = {5, 33},
     .parameter = 1, .absent = NO_WEIGHT | NO_BIAS},
    {ROW("eps-0-5", SMOKE, "normalize_affine flags"), .rank = 2, .dim = {5, 33}, .parameter = 1, .eps = 0.5},
    {ROW("eps-1e-12", STANDARD, "normalize_affine flags"), .rank = 2, .dim = {5, 33}, .parameter = 1,
     .eps = 1e-12},
    {ROW("shape-vector", SMOKE, "self_encoding"), .rank = 1, .dim = {37}, .parameter = 1},
    {ROW("shape-3x5x7-last-two", SMOKE, "self_encoding"), .rank = 3, .dim = {3, 5, 7}, .parameter = 2},
    {ROW("shape-3x5x7-last", STANDARD, "self_encoding"), .rank = 3, .dim = {3, 5, 7}, .parameter = 1},
    {ROW("shape-3x5x7-all", STANDARD, "self_encoding"), .rank = 3, .dim = {3, 5, 7}, .parameter = 3},
    {ROW("shape-2x3x4x5-last-three", STANDARD, "self_encoding"), .rank = 4, .dim = {2, 3, 4, 5},
     .parameter = 3},
    {LAYOUT("x-transposed", SMOKE, ALL), .x = LAYOUT_TRANSPOSED},
    {LAYOUT("x-block", STANDARD, ALL), .x = LAYOUT_BLOCK},
    {LAYOUT("x-columns", STANDARD, ALL), .x = LAYOUT_COLUMNS},
    {LAYOUT("x-stepped2", STANDARD, ALL), .x = LAYOUT_STEPPED2},
    {LAYOUT("x-rows-stepped", STANDARD, ALL), .x = LAYOUT_ROWS_STEPPED},
    {LAYOUT("x-offset1", STANDARD, ALL), .x = LAYOUT_OFFSET1},
    {LAYOUT("x-offset3", STANDARD, ALL), .x = LAYOUT_OFFSET3},
    {LAYOUT("x-transposed-block", STANDARD, ALL), .x = LAYOUT_TRANSPOSED_BLOCK},
    {LAYOUT("grad-transposed", SMOKE, GRADIENT), .grad = LAYOUT_TRANSPOSED},
    {LAYOUT("grad-block", STANDARD, GRADIENT), .grad = LAYOUT_BLOCK},
    {LAYOUT("grad-stepped3", STANDARD, GRADIENT), .grad = LAYOUT_STEPPED3},
    {LAYOUT("grad-offset1", STANDARD, GRADIENT), .grad = LAYOUT_OFFSET1},
    {LAYOUT("weight-stepped2", STANDARD, ALL), .weight = LAYOUT_STEPPED2},
    {LAYOUT("weight-offset1", STANDARD, ALL), .weight = LAYOUT_OFFSET1},
    {LAYOUT("bias-stepped3", STANDARD, LAYER), .bias = LAYOUT_STEPPED3},
    {LAYOUT("bias-offset3", STANDARD, LAYER), .bias = LAYOUT_OFFSET3},
    {LAYOUT("x-far", STANDARD, ALL), .x = LAYOUT_FAR},
    {LAYOUT("grad-far", STANDARD, GRADIENT), .grad = LAYOUT_FAR},
    {LAYOUT("weight-far", STANDARD, ALL), .weight = LAYOUT_FAR},
    {LAYOUT("x-expanded-rows", STANDARD, ALL), .x = LAYOUT_EXPANDED_ROWS},
    {LAYOUT("weight-expanded", STANDARD, ALL), .weight = LAYOUT_EXPANDED},
    {LAYOUT("bias-expanded", STANDARD, LAYER), .bias = LAYOUT_EXPANDED},
    {LAYOUT("grad-expanded", STANDARD, GRADIENT), .grad = LAYOUT_EXPANDED},
    {LAYOUT("grad-expanded-rows", STANDARD, GRADIENT), .grad = LAYOUT_EXPANDED_ROWS},
    {ROW("x-heads-4d", STANDARD, "layout_grid poison"), .rank = 4, .dim = {2, 3, 4, 33}, .parameter = 1,
     .x = LAYOUT_HEADS},
    {ROW("grad-heads-4d", STANDARD, "layout_grid poison", .ops = GRADIENT), .rank = 4, .dim = {2, 3, 4, 33},
     .parameter = 1, .grad = LAYOUT_HEADS},
    {ROW("x-grad-heads-4d", STANDARD, "layout_grid poison", .ops = GRADIENT), .rank = 4, .dim = {2, 3, 4, 33},
     .parameter = 1, .x = LAYOUT_HEADS, .grad = LAYOUT_HEADS},
    {ROW("x-block-3d", STANDARD, "layout_grid poison"), .rank = 3, .dim = {3, 4, 33}, .parameter = 1,
     .x = LAYOUT_BLOCK},
    {ROW("grad-block-3d", STANDARD, "layout_grid poison", .ops = GRADIENT), .rank = 3, .dim = {3, 4, 33},
     .parameter = 1, .grad = LAYOUT_BLOCK},
    {ROW("x-rows-stepped-3d", STANDARD, "layout_grid poison"), .rank = 3, .dim = {3, 4, 33}, .parameter = 1,
     .x = LAYOUT_ROWS_STEPPED},
    {ROW("grad-rows-stepped-3d", STANDARD, "layout_grid poison", .ops = GRADIENT), .rank = 3,
     .dim = {3, 4, 33}, .parameter = 1, .grad = LAYOUT_ROWS_STEPPED},
    {ROW("weight-expanded-rows-2d", STANDARD, "layout_grid poison"), .rank = 3, .dim = {3, 5, 7},
     .parameter = 2, .weight = LAYOUT_EXPANDED_ROWS},
    {ROW("grad-expanded-3d", STANDARD, "layout_grid poison", .ops = GRADIENT), .rank = 3, .dim = {3, 5, 7},
     .parameter = 2, .grad = LAYOUT_EXPANDED},
    {ROW("x-reversed-5d", STANDARD, "layout_grid poison"), .rank = 5, .dim = {2, 3, 2, 5, 9}, .parameter = 1,
     .x = LAYOUT_REVERSED, .grad = LAYOUT_PERMUTED},
    {ROW("x-permuted-5d-last-two", STANDARD, "layout_grid poison"), .rank = 5, .dim = {2, 3, 2, 5, 9},
     .parameter = 2, .x = LAYOUT_PERMUTED, .grad = LAYOUT_REVERSED},
    {ROW("all-strided", STANDARD, "layout_grid poison"), .rank = 3, .dim = {4, 5, 9}, .parameter = 2,
     .x = LAYOUT_REVERSED, .grad = LAYOUT_PERMUTED, .weight = LAYOUT_TRANSPOSED_BLOCK, .bias = LAYOUT_BLOCK},
    {ROW("batch-invariance-65", SMOKE, "batch_invariance", .build = normalization_alone), .rank = 2,
     .dim = {9, 65}, .parameter = 1},
    {ROW("batch-invariance-1000", STANDARD, "batch_invariance layout_grid", .build = normalization_alone),
     .rank = 2, .dim = {9, 1000}, .parameter = 1, .x = LAYOUT_BLOCK},
    {ROW("chain-eps", STANDARD, "order flags", .build = normalization_eps_chain), .rank = 2, .dim = {5, 33},
     .parameter = 1, .fill = FILL_VARIANCES, .eps = 1e-2},
    {ROW("chain-eps-65", STANDARD, "order flags", .build = normalization_eps_chain), .rank = 2,
     .dim = {4, 65}, .parameter = 1, .fill = FILL_VARIANCES, .eps = 1e-2},
    {ROW("chain-shapes", STANDARD, "order flags", .build = chain_shapes), .rank = 3, .dim = {3, 5, 33},
     .parameter = 1},
    {ROW("chain-shapes-reversed", STANDARD, "order flags", .build = chain_shapes), .rank = 3,
     .dim = {3, 5, 33}, .parameter = 1, .x = LAYOUT_REVERSED},
    {ROW("refuse-shapes", SMOKE, "normalize_refusals", .build = refuse_shapes), .rank = 2, .dim = {3, 8},
     .parameter = 1},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(
        list,
        &(struct suite_table){SUITE_ROWS(rows),
                              .ops = {"layer_norm", "rms_norm", "layer_norm_backward", "rms_norm_backward"},
                              .build = normalization_plain, .level = level_beyond_float32});
}

const struct suite suite_norm_layer_norm = {.declare = declare};
