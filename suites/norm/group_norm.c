/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* group_norm, instance_norm without running statistics (instance_norm.c has those), and their gradients. */

#include "suites/norm/normalization.h"

enum { GROUP = 1, GROUP_GRADIENT = 2, INSTANCE = 4, INSTANCE_GRADIENT = 8 };
enum { FORWARD = GROUP | INSTANCE, GROUPS = GROUP | GROUP_GRADIENT, ALL = 15, GRADIENT = ALL & ~FORWARD };

struct normalization_call normalization_group(struct builder *b, const struct normalization_row *row)
{
    struct normalization_call o = {.inputs = 0};
    bool gradient = normalization_is_gradient(b->c->op),
         instance = normalization_kind(b->c->op) == NORMALIZATION_INSTANCE;
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
    if (instance && !gradient) {
        o.input[1] = o.input[2] = normalization_absent();
        if (row->statistics != STATISTICS_OWN) {
            normalization_running(b, row, &channels, &o.input[1]);
        }
        o.inputs = 3;
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
        build_add_attribute(&o.attributes, "num_groups", ATTRIBUTE_INTEGER, row->parameter);
    }
    if (row->statistics != STATISTICS_OWN) {
        build_add_attribute(&o.attributes, "use_input_stats", ATTRIBUTE_BOOL,
                            row->statistics == STATISTICS_MOVED);
        build_add_attribute(&o.attributes, "momentum", ATTRIBUTE_REAL, normalization_momentum(row));
    }
    build_add_attribute(&o.attributes, "eps", ATTRIBUTE_REAL, row->eps > 0 ? row->eps : 1e-5);
    return o;
}

#define ROW(name_, level_, ...)     SUITE_ROW(name_, level_, __VA_ARGS__), .make = normalization_group
#define CUBE                        .rank = 4, .dim = {3, 6, 4, 5}, .parameter = 2
#define LAYOUT(name_, level_, ops_) ROW(name_, level_, "layout_grid poison", .ops = ops_), CUBE

static const struct normalization_row rows[] = {
    {ROW("groups-1", STANDARD, "normalize_lengths self_encoding", .ops = GROUPS), .rank = 4,
     .dim = {3, 6, 4, 5}, .parameter = 1},
    {ROW("groups-2", SMOKE, "normalize_gradients self_encoding", .ops = GROUPS), .rank = 4,
     .dim = {3, 6, 4, 5}, .parameter = 2},
    {ROW("groups-all", STANDARD, "normalize_lengths self_encoding", .ops = GROUPS), .rank = 4,
     .dim = {3, 6, 4, 5}, .parameter = 6},
    {ROW("channels-only", STANDARD, "normalize_lengths", .ops = GROUPS), .rank = 2, .dim = {5, 12},
     .parameter = 3},
    {ROW("volume", STANDARD, "normalize_lengths"), .rank = 5, .dim = {2, 4, 3, 2, 5}, .parameter = 2},
    {ROW("length-33", STANDARD, "normalize_lengths"), .rank = 3, .dim = {3, 4, 33}, .parameter = 2},
    {ROW("length-257", STANDARD, "normalize_lengths"), .rank = 3, .dim = {2, 2, 257}, .parameter = 2},
    {ROW("length-18446", STANDARD, "normalize_lengths", .ops = GROUP), .rank = 3, .dim = {2, 4, 9223},
     .parameter = 2},
    {ROW("batch-empty", SMOKE, "normalize_lengths"), .rank = 3, .dim = {0, 4, 5}, .parameter = 2},
    {ROW("channels-70", STANDARD, "normalize_lengths self_encoding"), .rank = 3, .dim = {3, 70, 9},
     .parameter = 35},
    {ROW("groups-65537", STANDARD, "size_limits normalize_lengths", .ops = GROUP,
         .dtypes = 1U << DTYPE_FLOAT32),
     .rank = 3, .dim = {1, 65537, 2}, .parameter = 65537},
    {ROW("groups-65537", EXHAUSTIVE, "size_limits normalize_lengths", .ops = ALL & ~GROUP,
         .dtypes = 1U << DTYPE_FLOAT32),
     .rank = 3, .dim = {1, 65537, 2}, .parameter = 65537},
    {ROW("batch-65537", EXHAUSTIVE, "size_limits normalize_lengths", .dtypes = 1U << DTYPE_FLOAT32),
     .rank = 3, .dim = {65537, 2, 2}, .parameter = 1},
    /* More elements than float16 can count. */
    {ROW("length-65521", STANDARD, "normalize_lengths size_limits", .dtypes = 1U << DTYPE_FLOAT16), .rank = 3,
     .dim = {1, 1, 65521}, .parameter = 1},
    {ROW("no-weight", SMOKE, "normalize_affine"), CUBE, .absent = NO_WEIGHT},
    {ROW("no-bias", STANDARD, "normalize_affine", .ops = FORWARD), CUBE, .absent = NO_BIAS},
    {ROW("no-weight-no-bias", STANDARD, "normalize_affine", .ops = FORWARD), CUBE,
     .absent = NO_WEIGHT | NO_BIAS},
    {ROW("eps-0-5", STANDARD, "normalize_affine flags"), CUBE, .eps = 0.5},
    {ROW("scales-2^12", STANDARD, "normalize_range"), CUBE, .spread = 12},
    {ROW("mean-10", STANDARD, "normalize_offset"), CUBE, .mean = 10},
    {ROW("mean-1e3", SMOKE, "normalize_offset", .dtypes = FINE), CUBE, .mean = 1e3},
    {ROW("mean-1e3-n34", STANDARD, "normalize_offset", .dtypes = FINE), .rank = 3, .dim = {2, 4, 17},
     .parameter = 2, .mean = 1e3},
    {ROW("mean-1e5", STANDARD, "normalize_offset", .ops = INSTANCE, .dtypes = WIDE), CUBE, .mean = 1e5},
    {ROW("constant", STANDARD, "normalize_constant"), CUBE, .fill = FILL_CONSTANT, .eps = 100},
    {ROW("variances", SMOKE, "normalize_constant"), CUBE, .fill = FILL_VARIANCES, .eps = 1e-2},
    {ROW("range", STANDARD, "normalize_range", .ops = FORWARD), CUBE, .fill = FILL_RANGE},
    {ROW("ends-affine", STANDARD, "normalize_ends", .ops = FORWARD, .dtypes = BELOW_DOUBLE), CUBE,
     .ends = ENDS_WEIGHT | ENDS_BIAS, .gain = 0.6},
    {ROW("ends-grad", SMOKE, "normalize_ends", .ops = ALL & ~FORWARD, .dtypes = BELOW_DOUBLE), CUBE,
     .fill = FILL_SIGNS, .ends = ENDS_GRAD, .gain = 0.25},
    {ROW("outlier-last", STANDARD, "normalize_range"), CUBE, .fill = FILL_OUTLIER},
    {ROW("specials", SMOKE, "normalize_isolated special_values"), CUBE, .fill = FILL_SPECIALS},
    {ROW("specials-first", STANDARD, "normalize_isolated nan_places"), CUBE, .fill = FILL_SPECIALS_FIRST},
    {ROW("specials-last", STANDARD, "normalize_isolated nan_places"), CUBE, .fill = FILL_SPECIALS_LAST},
    {ROW("specials-each", STANDARD, "nan_places special_values"), .rank = 3, .dim = {11, 6, 5},
     .parameter = 3, .fill = FILL_SPECIALS_EACH},
    {ROW("alternating-n4", SMOKE, "normalize_exact", .ops = FORWARD), .rank = 3, .dim = {2, 3, 4},
     .parameter = 3, .fill = FILL_ALTERNATING, .eps = 7, .absent = NO_WEIGHT | NO_BIAS, .exact = true},
    {ROW("pairs-n2", STANDARD, "normalize_exact normalize_offset", .ops = FORWARD), .rank = 3,
     .dim = {2, 3, 2}, .parameter = 3, .fill = FILL_PAIRS, .eps = 3, .absent = NO_WEIGHT | NO_BIAS,
     .exact = true},
    {ROW("x-channels-last", SMOKE, "layout_grid"), CUBE, .channels_last = true},
    {ROW("x-channels-last-offset1", STANDARD, "layout_grid"), CUBE, .channels_last = true,
     .x = LAYOUT_OFFSET1},
    {ROW("x-channels-last-block", STANDARD, "layout_grid poison"), CUBE, .channels_last = true,
     .x = LAYOUT_BLOCK},
    {ROW("x-channels-last-mean-1e3", SMOKE, "layout_grid normalize_offset", .dtypes = FINE), CUBE,
     .channels_last = true, .mean = 1e3},
    {ROW("grad-channels-last", SMOKE, "layout_grid", .ops = GRADIENT), CUBE, .grad_channels_last = true},
    {ROW("both-channels-last", STANDARD, "layout_grid", .ops = GRADIENT), CUBE, .channels_last = true,
     .grad_channels_last = true},
    {LAYOUT("x-permuted", STANDARD, ALL), .x = LAYOUT_PERMUTED},
    {LAYOUT("x-reversed", STANDARD, ALL), .x = LAYOUT_REVERSED},
    {LAYOUT("x-block", SMOKE, ALL), .x = LAYOUT_BLOCK},
    {LAYOUT("x-stepped2", STANDARD, ALL), .x = LAYOUT_STEPPED2},
    {LAYOUT("x-rows-stepped", STANDARD, ALL), .x = LAYOUT_ROWS_STEPPED},
    {LAYOUT("x-transposed-block", STANDARD, ALL), .x = LAYOUT_TRANSPOSED_BLOCK},
    {LAYOUT("grad-transposed", STANDARD, GRADIENT), .grad = LAYOUT_TRANSPOSED},
    {LAYOUT("grad-block", STANDARD, GRADIENT), .grad = LAYOUT_BLOCK},
    {LAYOUT("weight-stepped2", STANDARD, ALL), .weight = LAYOUT_STEPPED2},
    {LAYOUT("weight-offset1", STANDARD, ALL), .weight = LAYOUT_OFFSET1},
    {LAYOUT("bias-stepped3", STANDARD, FORWARD), .bias = LAYOUT_STEPPED3},
    {LAYOUT("x-heads", STANDARD, ALL), .x = LAYOUT_HEADS},
    {LAYOUT("x-far", STANDARD, ALL), .x = LAYOUT_FAR},
    {LAYOUT("x-expanded-rows", STANDARD, ALL), .x = LAYOUT_EXPANDED_ROWS},
    {LAYOUT("grad-heads", STANDARD, GRADIENT), .grad = LAYOUT_HEADS},
    {LAYOUT("grad-expanded", STANDARD, GRADIENT), .grad = LAYOUT_EXPANDED},
    {LAYOUT("grad-expanded-rows", STANDARD, GRADIENT), .grad = LAYOUT_EXPANDED_ROWS},
    {LAYOUT("weight-expanded", STANDARD, ALL), .weight = LAYOUT_EXPANDED},
    {LAYOUT("bias-expanded", STANDARD, FORWARD), .bias = LAYOUT_EXPANDED},
    {ROW("grad-expanded-3d", STANDARD, "expanded", .ops = GROUP_GRADIENT), .rank = 3, .dim = {2, 4, 33},
     .parameter = 2, .grad = LAYOUT_EXPANDED},
    {ROW("grad-expanded-rows-3d", STANDARD, "expanded", .ops = GRADIENT), .rank = 3, .dim = {2, 4, 33},
     .parameter = 2, .grad = LAYOUT_EXPANDED_ROWS},
    {ROW("x-permuted-5d", STANDARD, "layout_grid"), .rank = 5, .dim = {2, 4, 3, 2, 5}, .parameter = 2,
     .x = LAYOUT_PERMUTED, .grad = LAYOUT_REVERSED},
    {ROW("x-reversed-5d", STANDARD, "layout_grid"), .rank = 5, .dim = {2, 4, 3, 2, 5}, .parameter = 2,
     .x = LAYOUT_REVERSED, .grad = LAYOUT_PERMUTED},
    {ROW("channels-65", STANDARD, "many_channels"), .rank = 3, .dim = {2, 65, 4}, .parameter = 13},
    {ROW("channels-130", STANDARD, "many_channels"), .rank = 3, .dim = {2, 130, 2}, .parameter = 26},
    {ROW("chain-eps", STANDARD, "order flags", .build = normalization_eps_chain), .rank = 3,
     .dim = {3, 6, 20}, .parameter = 2, .fill = FILL_VARIANCES, .eps = 1e-2},
    {ROW("chain-eps-reversed", STANDARD, "order flags", .build = normalization_eps_chain), .rank = 3,
     .dim = {3, 6, 20}, .parameter = 2, .fill = FILL_VARIANCES, .eps = 1e-2, .x = LAYOUT_REVERSED},
    {ROW("batch-invariance", SMOKE, "batch_invariance", .build = normalization_alone), .rank = 3,
     .dim = {5, 6, 33}, .parameter = 3},
    {ROW("refuse-groups", SMOKE, "normalize_refusals", .ops = GROUPS, .build = normalization_refused),
     .rank = 3, .dim = {2, 6, 4}, .parameter = 4},
    {ROW("refuse-single", SMOKE, "normalize_refusals", .ops = INSTANCE, .build = normalization_refused),
     .rank = 3, .dim = {2, 6, 1}},
    {ROW("refuse-weight", SMOKE, "normalize_refusals", .build = normalization_short_weight), .rank = 3,
     .dim = {2, 6, 4}, .parameter = 3},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list,
                       &(struct suite_table){SUITE_ROWS(rows),
                                             .ops = {"group_norm", "group_norm_backward", "instance_norm",
                                                     "instance_norm_backward"},
                                             .build = normalization_plain, .level = level_beyond_float32});
}

const struct suite suite_norm_group_norm = {.declare = declare};
