/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the route wide of normalizations (kernels/vulkan/plans/normalization_wide.c) by sums in double. */
#include "kernels/test/trial.h"

enum { HELD_BYTES = 32768 /* the longest group that one workgroup holds */, CHUNK = 4096, BEFORE = 16 };

static struct trial trial_on(const char *route)
{
    return trial_open(&(struct vk_device_parameters){.no_disk_cache = true, .route = route});
}

/* Exact in every dtype; their mean is about 1.5. */
static double number_of(int64_t i)
{
    return (double)((i * 7 + i / 5) % 13 - 4) / 2;
}

/* A contiguous view in a storage that holds NaN before and behind it. */
static struct view within_nans(struct trial *trial, enum dtype dtype, struct shape shape)
{
    const int64_t count = shape_elements(&shape);
    struct view x =
        program_input(trial->program, dtype, &(struct shape){.rank = 1, .dim = {count + 2 * BEFORE}});
    for (int64_t i = 0; i < count + 2 * BEFORE; i++) {
        const int64_t at = i - BEFORE;
        program_set(trial->program, &x, i, 0, at < 0 || at >= count ? NAN : number_of(at));
    }
    const struct view whole = view_contiguous(x.storage, dtype, &shape);
    memcpy(x.stride, whole.stride, sizeof x.stride);
    x.shape = shape;
    x.offset = BEFORE;
    return x;
}

/* What a test normalizes: [batch, channels, inner]. */
struct call {
    const char *op;
    enum dtype dtype;
    int64_t batch, channels, inner, groups; /* of group_norm */
    bool centred, over_batch, by_row,
        plain; /* by_row: normalized_shape is the channels; plain: no parameters */
};

static int64_t group_of(const struct call *c, int64_t i)
{
    const int64_t sample = i / (c->channels * c->inner), channel = i / c->inner % c->channels;
    return c->by_row       ? sample
           : c->over_batch ? channel
                           : sample * c->groups + channel / (c->channels / c->groups);
}

static struct step *step_of(struct trial *trial, const struct call *c, struct view *x)
{
    struct attributes a = {.count = 1, .item = {{.name = "eps", .type = ATTRIBUTE_REAL, .real = 0.5}}};
    struct attribute *more = &a.item[a.count++];
    struct shape shape = shape_of(3, c->batch, c->channels, c->inner);
    struct view input[5] = {
        {.storage = -1}, {.storage = -1}, {.storage = -1}, {.storage = -1}, {.storage = -1}};
    int weight = 1;
    if (c->by_row) {
        *more = (struct attribute){.name = "normalized_shape",
                                   .type = ATTRIBUTE_INTEGERS,
                                   .integers = {.count = 1, .item = {c->channels}}};
        shape.rank = 2;
    } else if (strcmp(c->op, "group_norm") == 0) {
        *more = (struct attribute){.name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = c->groups};
    } else if (c->over_batch) {
        *more = (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1};
        weight = 3;
    } else {
        a.count--;
        weight = 3;
    }
    *x = input[0] = within_nans(trial, c->dtype, shape);
    const struct shape channels = shape_of(1, c->channels);
    int inputs = 1;
    for (int p = 0; !c->plain && p < (c->centred ? 2 : 1); p++) {
        input[weight + p] = within_nans(trial, c->dtype, channels);
        inputs = weight + p + 1;
    }
    struct step *step = program_step(trial->program, op_find(c->op), &a, inputs, input);
    cr_assert(step && step->expect == EXPECT_VALUE, "%s", c->op);
    return step;
}

static void check(struct call c)
{
    static const double relative[] = {[DTYPE_FLOAT16] = 0x1p-10,
                                      [DTYPE_BFLOAT16] = 0x1p-7,
                                      [DTYPE_FLOAT32] = 0x1p-19,
                                      [DTYPE_FLOAT64] = 0x1p-48};
    struct trial trial = trial_on("wide");
    struct view x;
    const int64_t count = c.batch * c.channels * c.inner;
    c.groups = c.groups > 0 ? c.groups : c.channels; /* of instance_norm */
    const int64_t groups = c.by_row ? c.batch : c.over_batch ? c.channels : c.batch * c.groups;
    const struct view y = step_of(&trial, &c, &x)->output[0];
    double *mean = calloc((size_t)groups, sizeof *mean), *variance = calloc((size_t)groups, sizeof *variance);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s: %s", c.op, trial.result[0].message);
    const double length = (double)count / (double)groups;
    for (int64_t i = 0; i < count; i++) { /* both sums are exact */
        mean[group_of(&c, i)] += number_of(i);
        variance[group_of(&c, i)] += number_of(i) * number_of(i);
    }
    for (int64_t g = 0; g < groups; g++) {
        variance[g] =
            c.centred ? (variance[g] - mean[g] * (mean[g] / length)) / length : variance[g] / length;
        mean[g] = c.centred ? mean[g] / length : 0;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t g = group_of(&c, i);
        const double number = number_of(i / c.inner % c.channels), weight = c.plain ? 1 : number,
                     bias = c.plain || !c.centred ? 0 : number,
                     wanted = weight * (number_of(i) - mean[g]) / sqrt(variance[g] + 0.5) + bias;
        cr_assert_float_eq(trial_value(&trial, &y, i, 0), wanted, 8 * relative[c.dtype],
                           "%s %s [%d, %d, %d] element %d: %g, not %g", c.op, dtype_info(c.dtype)->name,
                           (int)c.batch, (int)c.channels, (int)c.inner, (int)i, trial_value(&trial, &y, i, 0),
                           wanted);
    }
    trial_untouched(&trial, &y);
    free(mean);
    free(variance);
    trial_close(&trial);
}

static void check_row(enum dtype dtype, int64_t rows, int64_t length)
{
    check((struct call){"layer_norm", dtype, rows, length, 1, .centred = true, .by_row = true});
    check((struct call){"rms_norm", dtype, rows, length, 1, .by_row = true});
    check(
        (struct call){"layer_norm", dtype, rows, length, 1, .centred = true, .by_row = true, .plain = true});
}

Test(vk_wide_norm, rows_at_the_length_of_a_vector)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        const int64_t vector = 16 / (int64_t)dtype_info(dtypes[d])->size;
        for (int64_t n = vector - 1; n <= vector + 1; n++) {
            check_row(dtypes[d], 3, n);
            check_row(dtypes[d], 5, 8 * vector - vector + n);
        }
    }
}

Test(vk_wide_norm, rows_at_the_lengths_of_workgroups)
{
    for (int64_t n = -1; n <= 1; n++) {
        check_row(DTYPE_FLOAT32, 2, 256 + n);
        check_row(DTYPE_FLOAT32, 2, 1024 + n); /* 64 invocations, then 256 */
        check_row(DTYPE_FLOAT16, 2, 2048 + n);
        check_row(DTYPE_BFLOAT16, 2, 512 + n);
        check_row(DTYPE_FLOAT64, 2, 384 + n);
    }
    check_row(DTYPE_FLOAT32, 3, 768);
}

Test(vk_wide_norm, rows_at_the_length_that_no_longer_fits)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        const int64_t most = HELD_BYTES / (int64_t)dtype_info(dtypes[d])->size;
        for (int64_t n = most - 1; n <= most + 1; n++) {
            check_row(dtypes[d], 2, n);
        }
        check_row(dtypes[d], 1, 5 * CHUNK + 1);
    }
}

Test(vk_wide_norm, groups_and_channels)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    static const int64_t inner[] = {1, 7, 8, 9, 64, 2049, 10000};
    for (int d = 0; d < 3; d++) {
        for (int k = 0; k < 7; k++) {
            const bool is_long = inner[k] > 2000;
            check((struct call){"group_norm", dtypes[d], 2, 4, inner[k], 2, .centred = true});
            check((struct call){"batch_norm", dtypes[d], is_long ? 5 : 3, 3, inner[k], .centred = true,
                                .over_batch = true});
            if (inner[k] > 1) {
                check((struct call){"instance_norm", dtypes[d], 2, 3, inner[k], .centred = true});
            }
        }
    }
}

/* Runs a gradient by rows on a route. Returns its results, dx and dweight, which the caller frees. */
static double *gradient_on(const char *route, const char *op, enum dtype dtype, int64_t rows, int64_t length)
{
    struct trial trial = trial_on(route);
    struct attributes a = {.count = 1, .item = {{.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS}}};
    const struct shape shape = shape_of(2, rows, length);
    const struct view input[] = {within_nans(&trial, dtype, shape), within_nans(&trial, dtype, shape),
                                 within_nans(&trial, dtype, shape_of(1, length))};
    a.item[0].integers = (struct integers){.count = 1, .item = {length}};
    const struct step *step = program_step(trial.program, op_find(op), &a, 3, input);
    cr_assert(step && step->expect == EXPECT_VALUE, "%s", op);
    const struct view dx = step->output[0], dweight = step->output[1];
    double *result = calloc((size_t)(rows * length + length), sizeof *result);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t i = 0; i < rows * length; i++) {
        result[i] = trial_value(&trial, &dx, i, 0);
    }
    for (int64_t i = 0; i < length; i++) {
        result[rows * length + i] = trial_value(&trial, &dweight, i, 0);
    }
    trial_close(&trial);
    return result;
}

Test(vk_wide_norm, gradients_are_those_of_route_portable)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    static const double relative[] = {0x1p-9, 0x1p-6, 0x1p-18, 0x1p-46};
    static const int64_t lengths[] = {2, 7, 9, 64, 255, 257, 1025, 4095, 4097, 8193, 16385};
    for (int d = 0; d < 4; d++) {
        for (int k = 0; k < 11; k++) {
            for (int centred = 0; centred < 2; centred++) {
                const char *op = centred ? "layer_norm_backward" : "rms_norm_backward";
                double *wide = gradient_on("wide", op, dtypes[d], 2, lengths[k]),
                       *portable = gradient_on("portable", op, dtypes[d], 2, lengths[k]);
                for (int64_t i = 0; i < 3 * lengths[k]; i++) {
                    cr_assert(fabs(wide[i] - portable[i]) <= relative[d] * 16, "%s %s of %d, %d: %g, not %g",
                              op, dtype_info(dtypes[d])->name, (int)lengths[k], (int)i, wide[i], portable[i]);
                }
                free(wide);
                free(portable);
            }
        }
    }
}

/* The squares and the sum of 2^127 overflow float32; groups that are held, and groups of parts. */
Test(vk_wide_norm, sums_that_overflow)
{
    static const int64_t lengths[] = {16, 1028, 8192, 8196, 20000};
    for (int k = 0; k < 5; k++) {
        struct trial trial = trial_on("wide");
        const struct shape shape = shape_of(2, (int64_t)2, lengths[k]);
        const struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
        for (int64_t i = 0; i < 2 * lengths[k]; i++) {
            program_set(trial.program, &x, i, 0, i < lengths[k] && i % 2 ? -0x1p127 : 0x1p127);
        }
        struct attributes a = {.count = 1,
                               .item = {{.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS}}};
        a.item[0].integers = (struct integers){.count = 1, .item = {lengths[k]}};
        const struct view y = program_step(trial.program, op_find("layer_norm"), &a, 1, &x)->output[0];
        trial_run(&trial);
        cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
        for (int64_t i = 0; i < 2 * lengths[k]; i++) {
            /* 1/n rounds, and so does the mean of equal numbers */
            const double wanted = i >= lengths[k] ? 0 : i % 2 ? -1 : 1;
            cr_assert(fabs(trial_value(&trial, &y, i, 0) - wanted) < 1e-5 || i >= lengths[k], "%d of %d: %g",
                      (int)i, (int)lengths[k], trial_value(&trial, &y, i, 0));
            cr_assert(isfinite(trial_value(&trial, &y, i, 0)));
        }
        trial_close(&trial);
    }
}

/* A row has the same bits alone and in a batch. */
Test(vk_wide_norm, a_batch_changes_no_bit)
{
    static const int64_t lengths[] = {5, 768, 1023, 8191, 8193, 65537};
    for (int k = 0; k < 6; k++) {
        struct trial trial = trial_on("wide");
        struct attributes a = {.count = 1,
                               .item = {{.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS}}};
        a.item[0].integers = (struct integers){.count = 1, .item = {lengths[k]}};
        struct view y[2];
        for (int s = 0; s < 2; s++) {
            const struct shape shape = shape_of(2, (int64_t)(s ? 1 : 3), lengths[k]);
            const struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
            for (int64_t i = 0; i < shape_elements(&shape); i++) {
                program_set(trial.program, &x, i, 0, sin((double)(s ? i + 2 * lengths[k] : i)));
            }
            y[s] = program_step(trial.program, op_find("layer_norm"), &a, 1, &x)->output[0];
        }
        trial_run(&trial);
        for (int64_t i = 0; i < lengths[k]; i++) {
            cr_assert_eq(trial_value(&trial, &y[0], i + 2 * lengths[k], 0), trial_value(&trial, &y[1], i, 0));
        }
        trial_close(&trial);
    }
}

/* How the elements of an operand lie in its storage. */
enum lie { DENSE, UNALIGNED, GAPS, TURNED, LIES };

/* [4, length] with the same numbers however they lie. */
static struct view operand_that_lies(struct trial *trial, enum dtype dtype, enum lie lie, int64_t rows,
                                     int64_t length)
{
    const int64_t row = lie == GAPS ? length + 3 : length;
    struct view x =
        program_input(trial->program, dtype, &(struct shape){.rank = 1, .dim = {rows * row + 2 * BEFORE}});
    x.offset = lie == UNALIGNED ? 1 : 0;
    x.shape = shape_of(2, rows, length);
    x.stride[0] = lie == TURNED ? 1 : row;
    x.stride[1] = lie == TURNED ? rows : 1;
    for (int64_t i = 0; i < rows * length; i++) {
        program_set(trial->program, &x, i, 0, sin((double)i));
    }
    return x;
}

static void normalized(const char *op, enum dtype dtype, enum lie lie, int64_t length, double *result)
{
    enum { ROWS = 4 };
    struct trial trial = trial_on("wide");
    const bool gradient = strstr(op, "backward") != NULL, batch = strncmp(op, "batch", 5) == 0;
    struct attributes a = {.count = 1, .item = {{.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS}}};
    a.item[0].integers = (struct integers){.count = 1, .item = {length}};
    struct view input[5] = {
        {.storage = -1}, {.storage = -1}, {.storage = -1}, {.storage = -1}, {.storage = -1}};
    int inputs = 0;
    for (int i = 0; i < 1 + gradient; i++) {
        input[inputs++] = operand_that_lies(&trial, dtype, lie, ROWS, length);
    }
    if (batch) { /* in evaluation: a mean and a variance for each channel */
        a.item[0] = (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL};
        for (int i = 0; i < 2; i++) {
            input[inputs] = program_input(trial.program, dtype, &(struct shape){.rank = 1, .dim = {length}});
            for (int64_t k = 0; k < length; k++) {
                program_set(trial.program, &input[inputs], k, 0, 1.25);
            }
            inputs++;
        }
    }
    const struct step *step = program_step(trial.program, op_find(op), &a, inputs, input);
    cr_assert(step && step->expect == EXPECT_VALUE, "%s", op);
    const struct view y = step->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t i = 0; i < ROWS * length; i++) {
        result[i] = trial_value(&trial, &y, i, 0);
    }
    trial_close(&trial);
}

Test(vk_wide_norm, how_elements_lie_changes_no_bit)
{
    enum { MOST = 4 * 20000 };
    static const char *const ops[] = {"layer_norm", "rms_norm", "layer_norm_backward", "batch_norm"};
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    static const int64_t lengths[] = {7, 64, 1000, 20000};
    double *dense = calloc(MOST, sizeof *dense), *other = calloc(MOST, sizeof *other);
    for (int k = 0; k < 4 * 4 * 4; k++) {
        const char *op = ops[k % 4];
        const enum dtype dtype = dtypes[k / 4 % 4];
        const int64_t length = lengths[k / 16];
        normalized(op, dtype, DENSE, length, dense);
        for (enum lie lie = UNALIGNED; lie < LIES; lie++) {
            normalized(op, dtype, lie, length, other);
            cr_assert_arr_eq(dense, other, (size_t)(4 * length) * sizeof *dense, "%s %s of %d, lying as %d",
                             op, dtype_info(dtype)->name, (int)length, (int)lie);
        }
    }
    free(dense);
    free(other);
}
