/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* group_norm, instance_norm and their gradients. */

#include "suites/norm/normalization.h"

enum { GROUP = 1, GROUP_GRADIENT = 2, INSTANCE = 4, INSTANCE_GRADIENT = 8 };
enum { FORWARD = GROUP | INSTANCE, GROUPS = GROUP | GROUP_GRADIENT, ALL = 15, GRADIENT = ALL & ~FORWARD };

static const char *const names[] = {"group_norm", "group_norm_backward", "instance_norm",
                                    "instance_norm_backward"};

struct normalization_call normalization_group(struct builder *b, const struct normalization_row *row)
{
    struct normalization_call o = {.inputs = 0};
    bool gradient = normalization_is_gradient(b->c->op), instance = b->c->op->name[0] == 'i';
    struct shape channels = {.rank = 1, .dim = {row->dim[1]}};
    struct normalization_map map = {.batch = row->dim[0], .channels = row->dim[1], .inner = 1};
    for (int d = 2; d < row->rank; d++) {
        map.inner *= row->dim[d];
    }
    map.groups = instance ? map.channels : row->parameter;
    if (gradient) {
        o.input[o.inputs++] = normalization_grad(b, row);
    }
    o.input[o.inputs++] = normalization_input(b, row, &map);
    for (int k = 0; instance && !gradient && k < 2; k++) {
        o.input[o.inputs++] = normalization_absent();
    }
    o.weight = o.inputs;
    o.input[o.inputs++] = row->absent & NO_WEIGHT
                              ? normalization_absent()
                              : normalization_random(b, row, 1, &channels, row->weight, 1);
    if (!gradient) {
        o.input[o.inputs++] = row->absent & NO_BIAS
                                  ? normalization_absent()
                                  : normalization_random(b, row, 2, &channels, row->bias, 0);
    }
    if (!instance) {
        normalization_set(&o.attributes, "num_groups", ATTRIBUTE_INTEGER, row->parameter);
    }
    normalization_set(&o.attributes, "eps", ATTRIBUTE_REAL, row->eps > 0 ? row->eps : 1e-5);
    return o;
}

/* Running statistics: the first alone, as the last operand of the call; both; and to be used. */
static void running(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call call = normalization_group(b, row);
    struct shape channels = {.rank = 1, .dim = {row->dim[1]}};
    call.input[1] = build_tensor(b, b->c->dtype, &channels, LAYOUT_CONTIGUOUS);
    build_rejection(b, b->c->op, &call.attributes, 2, call.input);
    call.input[2] = build_tensor(b, b->c->dtype, &channels, LAYOUT_CONTIGUOUS);
    build_rejection(b, b->c->op, &call.attributes, call.inputs, call.input);
    call.input[1] = call.input[2] = normalization_absent();
    normalization_set(&call.attributes, "use_input_stats", ATTRIBUTE_BOOL, 0);
    build_rejection(b, b->c->op, &call.attributes, call.inputs, call.input);
}

#define ROW(name_, level_, ops_, build_)                                                                     \
    NORMALIZATION_ROW(name_, level_, ops_, normalization_group, normalization_##build_)
#define SHAPE(name_, level_, ops_, groups_, rank_, covers_, ...)                                             \
    {                                                                                                        \
        ROW(name_, level_, ops_, plain), .rank = rank_, .dim = {__VA_ARGS__}, .parameter = groups_,          \
                                         .covers = covers_                                                   \
    }
#define CUBE(name_, level_, ops_, ...)                                                                       \
    {                                                                                                        \
        ROW(name_, level_, ops_, plain), .rank = 4, .dim = {3, 6, 4, 5}, .parameter = 2, __VA_ARGS__         \
    }
#define LAYOUT(which_, layout_name_, level_, layout_, ops_)                                                  \
    CUBE(#which_ "-" layout_name_, level_, ops_, .which_ = LAYOUT_##layout_, .covers = "layout_grid poison")

static const struct normalization_row rows[] = {
    SHAPE("groups-1", STANDARD, GROUPS, 1, 4, "normalize_lengths self_encoding", 3, 6, 4, 5),
    SHAPE("groups-2", SMOKE, GROUPS, 2, 4, "normalize_gradients self_encoding", 3, 6, 4, 5),
    SHAPE("groups-all", STANDARD, GROUPS, 6, 4, "normalize_lengths self_encoding", 3, 6, 4, 5),
    SHAPE("channels-only", STANDARD, GROUPS, 3, 2, "normalize_lengths", 5, 12),
    SHAPE("volume", STANDARD, ALL, 2, 5, "normalize_lengths", 2, 4, 3, 2, 5),
    SHAPE("length-33", STANDARD, ALL, 2, 3, "normalize_lengths", 3, 4, 33),
    SHAPE("length-257", STANDARD, ALL, 2, 3, "normalize_lengths", 2, 2, 257),
    SHAPE("batch-empty", SMOKE, ALL, 2, 3, "normalize_lengths", 0, 4, 5),
    SHAPE("channels-70", STANDARD, ALL, 35, 3, "normalize_lengths self_encoding", 3, 70, 9),
    {ROW("groups-65537", STANDARD, GROUP, plain), .rank = 3, .dim = {1, 65537, 2}, .parameter = 65537,
     .dtypes = 1U << DTYPE_FLOAT32, .covers = "size_limits normalize_lengths"},
    {ROW("groups-65537", EXHAUSTIVE, ALL & ~GROUP, plain), .rank = 3, .dim = {1, 65537, 2},
     .parameter = 65537, .dtypes = 1U << DTYPE_FLOAT32, .covers = "size_limits normalize_lengths"},
    {ROW("batch-65537", EXHAUSTIVE, ALL, plain), .rank = 3, .dim = {65537, 2, 2}, .parameter = 1,
     .dtypes = 1U << DTYPE_FLOAT32, .covers = "size_limits normalize_lengths"},
    CUBE("no-weight", SMOKE, ALL, .absent = NO_WEIGHT, .covers = "normalize_affine"),
    CUBE("no-bias", STANDARD, FORWARD, .absent = NO_BIAS, .covers = "normalize_affine"),
    CUBE("no-weight-no-bias", STANDARD, FORWARD, .absent = NO_WEIGHT | NO_BIAS, .covers = "normalize_affine"),
    CUBE("eps-0-5", STANDARD, ALL, .eps = 0.5, .covers = "normalize_affine flags"),
    CUBE("scales-2^12", STANDARD, ALL, .spread = 12, .covers = "normalize_range"),
    CUBE("mean-10", STANDARD, ALL, .mean = 10, .covers = "normalize_offset"),
    CUBE("mean-1e3", SMOKE, ALL, .mean = 1e3, .dtypes = FINE, .covers = "normalize_offset"),
    {ROW("mean-1e3-n34", STANDARD, ALL, plain), .rank = 3, .dim = {2, 4, 17}, .parameter = 2, .mean = 1e3,
     .dtypes = FINE, .covers = "normalize_offset"},
    CUBE("mean-1e5", STANDARD, INSTANCE, .mean = 1e5, .dtypes = WIDE, .covers = "normalize_offset"),
    CUBE("constant", STANDARD, ALL, .fill = FILL_CONSTANT, .eps = 100, .covers = "normalize_constant"),
    CUBE("variances", SMOKE, ALL, .fill = FILL_VARIANCES, .eps = 1e-2, .covers = "normalize_constant"),
    CUBE("range", STANDARD, FORWARD, .fill = FILL_RANGE, .covers = "normalize_range"),
    CUBE("ends-affine", STANDARD, FORWARD, .ends = ENDS_WEIGHT | ENDS_BIAS, .gain = 0.6,
         .dtypes = BELOW_DOUBLE, .covers = "normalize_ends"),
    CUBE("ends-grad", SMOKE, ALL & ~FORWARD, .fill = FILL_SIGNS, .ends = ENDS_GRAD, .gain = 0.25,
         .dtypes = BELOW_DOUBLE, .covers = "normalize_ends"),
    CUBE("outlier-last", STANDARD, ALL, .fill = FILL_OUTLIER, .covers = "normalize_range"),
    CUBE("specials", SMOKE, ALL, .fill = FILL_SPECIALS, .covers = "normalize_isolated special_values"),
    CUBE("specials-first", STANDARD, ALL, .fill = FILL_SPECIALS_FIRST,
         .covers = "normalize_isolated nan_places"),
    CUBE("specials-last", STANDARD, ALL, .fill = FILL_SPECIALS_LAST,
         .covers = "normalize_isolated nan_places"),
    {ROW("specials-each", STANDARD, ALL, plain), .rank = 3, .dim = {11, 6, 5}, .parameter = 3,
     .fill = FILL_SPECIALS_EACH, .covers = "nan_places special_values"},
    {ROW("alternating-n4", SMOKE, FORWARD, plain), .rank = 3, .dim = {2, 3, 4}, .parameter = 3,
     .fill = FILL_ALTERNATING, .eps = 7, .absent = NO_WEIGHT | NO_BIAS, .exact = true,
     .covers = "normalize_exact"},
    {ROW("pairs-n2", STANDARD, FORWARD, plain), .rank = 3, .dim = {2, 3, 2}, .parameter = 3,
     .fill = FILL_PAIRS, .eps = 3, .absent = NO_WEIGHT | NO_BIAS, .exact = true,
     .covers = "normalize_exact normalize_offset"},
    CUBE("x-channels-last", SMOKE, ALL, .channels_last = true, .covers = "layout_grid"),
    CUBE("x-channels-last-offset1", STANDARD, ALL, .channels_last = true, .x = LAYOUT_OFFSET1,
         .covers = "layout_grid"),
    CUBE("x-channels-last-block", STANDARD, ALL, .channels_last = true, .x = LAYOUT_BLOCK,
         .covers = "layout_grid poison"),
    CUBE("x-channels-last-mean-1e3", SMOKE, ALL, .channels_last = true, .mean = 1e3, .dtypes = FINE,
         .covers = "layout_grid normalize_offset"),
    CUBE("grad-channels-last", SMOKE, GRADIENT, .grad_channels_last = true, .covers = "layout_grid"),
    CUBE("both-channels-last", STANDARD, GRADIENT, .channels_last = true, .grad_channels_last = true,
         .covers = "layout_grid"),
    LAYOUT(x, "permuted", STANDARD, PERMUTED, ALL),
    LAYOUT(x, "reversed", STANDARD, REVERSED, ALL),
    LAYOUT(x, "block", SMOKE, BLOCK, ALL),
    LAYOUT(x, "stepped2", STANDARD, STEPPED2, ALL),
    LAYOUT(x, "rows-stepped", STANDARD, ROWS_STEPPED, ALL),
    LAYOUT(x, "transposed-block", STANDARD, TRANSPOSED_BLOCK, ALL),
    LAYOUT(grad, "transposed", STANDARD, TRANSPOSED, GRADIENT),
    LAYOUT(grad, "block", STANDARD, BLOCK, GRADIENT),
    LAYOUT(weight, "stepped2", STANDARD, STEPPED2, ALL),
    LAYOUT(weight, "offset1", STANDARD, OFFSET1, ALL),
    LAYOUT(bias, "stepped3", STANDARD, STEPPED3, FORWARD),
    LAYOUT(x, "heads", STANDARD, HEADS, ALL),
    LAYOUT(x, "far", STANDARD, FAR, ALL),
    LAYOUT(x, "expanded-rows", STANDARD, EXPANDED_ROWS, ALL),
    LAYOUT(grad, "heads", STANDARD, HEADS, GRADIENT),
    LAYOUT(grad, "expanded", STANDARD, EXPANDED, GRADIENT),
    LAYOUT(grad, "expanded-rows", STANDARD, EXPANDED_ROWS, GRADIENT),
    LAYOUT(weight, "expanded", STANDARD, EXPANDED, ALL),
    LAYOUT(bias, "expanded", STANDARD, EXPANDED, FORWARD),
    {ROW("grad-expanded-3d", STANDARD, GROUP_GRADIENT, plain), .rank = 3, .dim = {2, 4, 33}, .parameter = 2,
     .grad = LAYOUT_EXPANDED, .covers = "expanded"},
    {ROW("grad-expanded-rows-3d", STANDARD, GRADIENT, plain), .rank = 3, .dim = {2, 4, 33}, .parameter = 2,
     .grad = LAYOUT_EXPANDED_ROWS, .covers = "expanded"},
    {ROW("x-permuted-5d", STANDARD, ALL, plain), .rank = 5, .dim = {2, 4, 3, 2, 5}, .parameter = 2,
     .x = LAYOUT_PERMUTED, .grad = LAYOUT_REVERSED, .covers = "layout_grid"},
    {ROW("x-reversed-5d", STANDARD, ALL, plain), .rank = 5, .dim = {2, 4, 3, 2, 5}, .parameter = 2,
     .x = LAYOUT_REVERSED, .grad = LAYOUT_PERMUTED, .covers = "layout_grid"},
    {ROW("chain-eps", STANDARD, ALL, eps_chain), .rank = 3, .dim = {3, 6, 20}, .parameter = 2,
     .fill = FILL_VARIANCES, .eps = 1e-2, .covers = "order flags"},
    {ROW("chain-eps-reversed", STANDARD, ALL, eps_chain), .rank = 3, .dim = {3, 6, 20}, .parameter = 2,
     .fill = FILL_VARIANCES, .eps = 1e-2, .x = LAYOUT_REVERSED, .covers = "order flags"},
    {ROW("batch-invariance", SMOKE, ALL, alone), .rank = 3, .dim = {5, 6, 33}, .parameter = 3,
     .covers = "batch_invariance"},
    {ROW("refuse-groups", SMOKE, GROUPS, refused), .rank = 3, .dim = {2, 6, 4}, .parameter = 4,
     .covers = "normalize_refusals"},
    {ROW("refuse-single", SMOKE, INSTANCE, refused), .rank = 3, .dim = {2, 6, 1},
     .covers = "normalize_refusals"},
    {NORMALIZATION_ROW("refuse-running", SMOKE, INSTANCE, normalization_group, running), .rank = 3,
     .dim = {2, 6, 4}, .covers = "normalize_refusals"},
    {ROW("refuse-weight", SMOKE, ALL, short_weight), .rank = 3, .dim = {2, 6, 4}, .parameter = 3,
     .covers = "normalize_refusals"},
};

static void declare(struct suite_list *list)
{
    normalization_declare(list, names, 4, rows, sizeof rows / sizeof *rows, __FILE__);
}

const struct suite suite_norm_group_norm = {declare};
