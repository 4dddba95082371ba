/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* instance_norm with running statistics: steps that update them by the mean over the samples, or that
 * normalize by them. */

#include "suites/norm/normalization.h"

/* Two steps that update the statistics, then one that normalizes by them, on running statistics that stay on
 * the device. Two small integers per channel and sample, two samples and momentum 1/2 keep them exact up to
 * the last step, even if the share of each sample is rounded to bfloat16. */
static void chain(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call o = normalization_group(b, row);
    struct shape shape = normalization_shape(row);
    const int64_t channels = row->dim[1];
    for (int64_t c = 0; c < channels; c++) {
        build_set(b, &o.input[1], c, 0);
        build_set(b, &o.input[2], c, 1);
    }
    for (int s = 0; s < 3; s++) {
        struct view x = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
        for (int64_t i = 0; i < shape_elements(&shape); i++) {
            const int64_t sample = i / 2 / channels, channel = i / 2 % channels;
            build_set(b, &x, i, (double)((channel % 3 + 1 + sample) * (i % 2 ? 3 : 1) + s));
        }
        struct attributes attributes = o.attributes;
        attributes.item[0].integer = s < 2;
        o.input[0] = x;
        build_step(b, b->c->op, &attributes, o.inputs, o.input);
    }
}

/* Calls that must be refused: with the first running statistic only, as the last operand; with the second one
 * only; and without any to normalize by. */
static void incomplete(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call call = normalization_group(b, row), second = call;
    build_rejection(b, b->c->op, &call.attributes, 2, call.input);
    second.input[1] = normalization_absent();
    build_rejection(b, b->c->op, &second.attributes, second.inputs, second.input);
    call.input[1] = call.input[2] = normalization_absent();
    call.attributes.item[0].integer = 0;
    build_rejection(b, b->c->op, &call.attributes, call.inputs, call.input);
}

static void short_running(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call call = normalization_group(b, row);
    call.input[1].shape.dim[0]--;
    call.input[2].shape.dim[0]--;
    build_rejection(b, b->c->op, &call.attributes, call.inputs, call.input);
}

#define ROW(name_, level_, ...)  SUITE_ROW(name_, level_, __VA_ARGS__), .make = normalization_group
#define MOVE(name_, level_, ...) ROW("running-" name_, level_, __VA_ARGS__), .statistics = STATISTICS_MOVED
#define GIVE(name_, level_, ...) ROW("eval-" name_, level_, __VA_ARGS__), .statistics = STATISTICS_GIVEN
#define IMAGES                   .rank = 4, .dim = {3, 5, 4, 6}
#define COVERS                   "normalize_running"

static const struct normalization_row rows[] = {
    {MOVE("2d", SMOKE, COVERS " self_encoding"), IMAGES},
    {MOVE("1d", SMOKE, COVERS), .rank = 3, .dim = {4, 3, 11}},
    {MOVE("3d", STANDARD, COVERS), .rank = 5, .dim = {2, 3, 4, 3, 5}},
    {MOVE("n2", STANDARD, COVERS " normalize_lengths"), .rank = 3, .dim = {5, 3, 2}},
    {MOVE("n257", STANDARD, COVERS " normalize_lengths"), .rank = 3, .dim = {3, 2, 257}},
    {MOVE("n20479", STANDARD, COVERS " normalize_lengths"), .rank = 3, .dim = {2, 1, 20479}},
    {MOVE("sample-alone", STANDARD, COVERS), .rank = 4, .dim = {1, 5, 4, 6}},
    {MOVE("samples-17", STANDARD, COVERS), .rank = 3, .dim = {17, 3, 5}},
    {MOVE("samples-257", STANDARD, COVERS), .rank = 3, .dim = {257, 2, 3}},
    {MOVE("samples-65537", EXHAUSTIVE, COVERS " size_limits", .dtypes = 1U << DTYPE_FLOAT32), .rank = 3,
     .dim = {65537, 1, 2}},
    {MOVE("channels-130", STANDARD, COVERS " many_channels"), .rank = 3, .dim = {2, 130, 3}},
    {MOVE("batch-empty", SMOKE, COVERS), .rank = 3, .dim = {0, 4, 5}},
    {MOVE("momentum-0", STANDARD, COVERS " flags"), IMAGES, .momentum = -1},
    {MOVE("momentum-1", SMOKE, COVERS " flags"), IMAGES, .momentum = 1},
    {MOVE("momentum-0-7", STANDARD, COVERS " flags"), .rank = 3, .dim = {4, 5, 3}, .momentum = 0.7},
    {MOVE("no-weight", STANDARD, COVERS " normalize_affine"), IMAGES, .absent = NO_WEIGHT},
    {MOVE("no-bias", STANDARD, COVERS " normalize_affine"), IMAGES, .absent = NO_BIAS},
    {MOVE("no-weight-no-bias", STANDARD, COVERS " normalize_affine"), IMAGES, .absent = NO_WEIGHT | NO_BIAS},
    {MOVE("eps-0-5", STANDARD, COVERS " flags"), IMAGES, .eps = 0.5},
    {MOVE("mean-10", STANDARD, COVERS " normalize_offset"), IMAGES, .mean = 10},
    {MOVE("mean-1e3", STANDARD, COVERS " normalize_offset", .dtypes = FINE), IMAGES, .mean = 1e3},
    {MOVE("constant", STANDARD, COVERS " normalize_constant"), IMAGES, .fill = FILL_CONSTANT, .eps = 100},
    {MOVE("variances", STANDARD, COVERS " normalize_constant"), IMAGES, .fill = FILL_VARIANCES, .eps = 1e-2},
    {MOVE("outlier-last", STANDARD, COVERS " normalize_range"), IMAGES, .fill = FILL_OUTLIER},
    {MOVE("specials", SMOKE, COVERS " normalize_isolated special_values"), IMAGES, .fill = FILL_SPECIALS},
    {MOVE("specials-first", STANDARD, COVERS " normalize_isolated nan_places"), IMAGES,
     .fill = FILL_SPECIALS_FIRST},
    {MOVE("specials-last", STANDARD, COVERS " normalize_isolated nan_places"), IMAGES,
     .fill = FILL_SPECIALS_LAST},
    {MOVE("x-channels-last", STANDARD, COVERS " layout_grid"), IMAGES, .channels_last = true},
    {MOVE("x-permuted", STANDARD, COVERS " layout_grid"), IMAGES, .x = LAYOUT_PERMUTED},
    {MOVE("x-expanded-rows", STANDARD, COVERS " layout_grid"), IMAGES, .x = LAYOUT_EXPANDED_ROWS},
    {MOVE("running-stepped2", SMOKE, "layout_grid poison gaps_untouched"), IMAGES,
     .running = LAYOUT_STEPPED2},
    {MOVE("running-offset1", STANDARD, "layout_grid poison gaps_untouched"), IMAGES,
     .running = LAYOUT_OFFSET1},
    {MOVE("float32-parameters", SMOKE, COVERS " normalize_affine", .dtypes = NARROW), IMAGES, .wide = true},
    {MOVE("float32-parameters-strided", STANDARD, COVERS " layout_grid poison", .dtypes = NARROW), IMAGES,
     .wide = true, .weight = LAYOUT_STEPPED2, .bias = LAYOUT_OFFSET1, .running = LAYOUT_STEPPED3,
     .x = LAYOUT_BLOCK},
    {GIVE("2d", SMOKE, COVERS), IMAGES},
    {GIVE("flat", STANDARD, COVERS), .rank = 2, .dim = {33, 7}},
    {GIVE("3d", STANDARD, COVERS), .rank = 5, .dim = {2, 3, 4, 3, 5}},
    {GIVE("single", SMOKE, COVERS " normalize_lengths"), .rank = 3, .dim = {1, 7, 1}},
    {GIVE("channels-130", STANDARD, COVERS " many_channels"), .rank = 3, .dim = {3, 130, 1}},
    {GIVE("momentum-1", STANDARD, COVERS " flags"), IMAGES, .momentum = 1},
    {GIVE("no-weight-no-bias", STANDARD, COVERS " normalize_affine"), IMAGES, .absent = NO_WEIGHT | NO_BIAS},
    {GIVE("eps-0-5", STANDARD, COVERS " flags"), IMAGES, .eps = 0.5},
    {GIVE("mean-1e3", STANDARD, COVERS " normalize_offset", .dtypes = FINE), IMAGES, .mean = 1e3},
    {GIVE("specials", SMOKE, COVERS " normalize_isolated special_values"), IMAGES, .fill = FILL_SPECIALS},
    {GIVE("ends", STANDARD, COVERS " normalize_ends", .dtypes = BELOW_DOUBLE), IMAGES, .ends = ENDS_X,
     .variance = 0.01, .gain = 1e-6, .fill = FILL_SIGNS},
    {GIVE("ends-mean", STANDARD, COVERS " normalize_ends", .dtypes = BELOW_DOUBLE), IMAGES,
     .ends = ENDS_X | ENDS_MEAN, .variance = 1e4, .gain = 0.25, .fill = FILL_SIGNS},
    {GIVE("x-channels-last", STANDARD, COVERS " layout_grid"), IMAGES, .channels_last = true},
    {GIVE("running-stepped3", STANDARD, "layout_grid poison gaps_untouched"), IMAGES,
     .running = LAYOUT_STEPPED3},
    {GIVE("float32-parameters", SMOKE, COVERS " normalize_affine", .dtypes = NARROW), IMAGES, .wide = true},
    {ROW("eval-batch-invariance", SMOKE, "batch_invariance", .build = normalization_alone),
     .statistics = STATISTICS_GIVEN, .rank = 4, .dim = {5, 3, 4, 6}},
    {ROW("chain-moved-moved-given", SMOKE, "order normalize_running", .build = chain),
     .statistics = STATISTICS_MOVED, .rank = 3, .dim = {2, 5, 2}, .momentum = 0.5},
    {ROW("refuse-running-single", SMOKE, "normalize_refusals", .build = normalization_refused),
     .statistics = STATISTICS_MOVED, .rank = 3, .dim = {2, 6, 1}},
    {ROW("refuse-running-incomplete", SMOKE, "normalize_refusals", .build = incomplete),
     .statistics = STATISTICS_MOVED, .rank = 3, .dim = {2, 6, 4}},
    {ROW("refuse-running-short", SMOKE, "normalize_refusals", .build = short_running),
     .statistics = STATISTICS_MOVED, .rank = 3, .dim = {2, 6, 4}},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list,
                       &(struct suite_table){SUITE_ROWS(rows), .ops = {"instance_norm"},
                                             .build = normalization_plain, .level = level_beyond_float32});
}

const struct suite suite_norm_instance_norm = {.declare = declare};
