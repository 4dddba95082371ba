/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static struct view view_of(struct trial *trial, enum dtype dtype, size_t elements, struct view view)
{
    view.dtype = dtype;
    view.storage = program_storage(trial->program, elements * dtype_info(dtype)->size);
    program_define(trial->program, &view);
    for (int64_t i = 0; i < shape_elements(&view.shape); i++) {
        program_set(trial->program, &view, i, 0, (double)(i + 1));
    }
    return view;
}

static struct step *apply(struct trial *trial, const char *name, struct view self, struct view other)
{
    return trial_step(trial, name, 2, (struct view[]){self, other});
}

static void set_alpha(struct step *step, double alpha)
{
    step->attributes.count = 1;
    step->attributes.item[0] = (struct attribute){.name = "alpha", .type = ATTRIBUTE_REAL, .real = alpha};
}

static void stepped_and_broadcast(enum dtype dtype)
{
    struct trial trial = trial_open(&plain);
    const struct view self = view_of(&trial, dtype, 64,
                                     (struct view){.shape = shape_of(3, (int64_t)2, (int64_t)3, (int64_t)4),
                                                   .stride = {1, 2, 13},
                                                   .offset = 5});
    const struct view other =
        view_of(&trial, dtype, 9,
                (struct view){.shape = shape_of(2, (int64_t)3, (int64_t)1), .stride = {-3, 1}, .offset = 7});
    set_alpha(apply(&trial, "add_", self, other), -2);
    apply(&trial, "mul_", self, other);
    trial_run(&trial);
    cr_assert_eq(trial.result[1].status, LAUNCH_OK, "%s", trial.result[1].message);
    for (int i = 0; i < 24; i++) {
        const double y = i / 4 % 3 + 1;
        cr_expect_eq(trial_value(&trial, &self, i, 0), (i + 1 - 2 * y) * y, "%s [%d]",
                     dtype_info(dtype)->name, i);
    }
    trial_untouched(&trial, &self);
    trial_close(&trial);
}

Test(vk_inplace, stepped_and_broadcast_in_every_dtype)
{
    stepped_and_broadcast(DTYPE_FLOAT16);
    stepped_and_broadcast(DTYPE_BFLOAT16);
    stepped_and_broadcast(DTYPE_FLOAT64);
    stepped_and_broadcast(DTYPE_INT64);
    stepped_and_broadcast(DTYPE_FLOAT32);
    stepped_and_broadcast(DTYPE_INT32);
}

static double one(enum dtype dtype, const char *name, double x, double y, double alpha)
{
    struct trial trial = trial_open(&plain);
    const struct shape scalar = shape_of(0);
    const struct view a = program_input(trial.program, dtype, &scalar),
                      b = program_input(trial.program, dtype, &scalar);
    program_set(trial.program, &a, 0, 0, x);
    program_set(trial.program, &b, 0, 0, y);
    struct step *step = apply(&trial, name, a, b);
    if (alpha != 1) {
        set_alpha(step, alpha);
    }
    trial_run(&trial);
    const double result = trial_value(&trial, &a, 0, 0);
    trial_close(&trial);
    return result;
}

Test(vk_inplace, integers_wrap)
{
    cr_expect_eq(one(DTYPE_INT32, "add_", 2147483647, 1, 1), -2147483648.0);
    cr_expect_eq(one(DTYPE_INT32, "mul_", 65537, 65537, 1), 131073);
    cr_expect_eq(one(DTYPE_INT32, "add_", 16777217, 16777217, -1), 0);
    cr_expect_eq(one(DTYPE_INT32, "add_", 1, 3, 2147483648.0), -2147483647.0);
}

/* The bits of self after one operator on one element; other and third are NULL where there is none. */
static uint64_t bits_after(const char *name, enum dtype dtype, uint64_t self, const uint64_t *other,
                           enum dtype other_dtype, const char *attribute, double value)
{
    struct trial trial = trial_open(&plain);
    const struct shape scalar = shape_of(0);
    struct view operand[2] = {program_input(trial.program, dtype, &scalar)};
    program_set_bits(trial.program, &operand[0], 0, 0, self);
    if (other) {
        operand[1] = program_input(trial.program, other_dtype, &scalar);
        program_set_bits(trial.program, &operand[1], 0, 0, *other);
    }
    struct step *step = trial_step(&trial, name, other ? 2 : 1, operand);
    if (attribute) {
        step->attributes.count = 1;
        step->attributes.item[0] =
            (struct attribute){.name = attribute, .type = ATTRIBUTE_REAL, .real = value};
    }
    trial_run(&trial);
    cr_expect_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    unsigned char stored[8] = {0};
    dtype_store(dtype, stored, trial_value(&trial, &operand[0], 0, 0));
    const uint64_t bits = dtype_bits(dtype, stored);
    trial_close(&trial);
    return bits;
}

Test(vk_inplace, int64_to_float32_rounds_once)
{
    /* 2^24 + 1 in the leading 25 bits and one bit far below: above a tie; without it: a tie to even. */
    const uint64_t above = 0x0100000100000001, tie = 0x0100000100000000, most = (uint64_t)1 << 63;
    cr_expect_eq(bits_after("copy_", DTYPE_FLOAT32, 0, &above, DTYPE_INT64, NULL, 0), 0x5B800001);
    cr_expect_eq(bits_after("copy_", DTYPE_FLOAT32, 0, &tie, DTYPE_INT64, NULL, 0), 0x5B800000);
    cr_expect_eq(bits_after("copy_", DTYPE_FLOAT32, 0, &most, DTYPE_INT64, NULL, 0), 0xDF000000);
}

static uint64_t converted(enum dtype from, uint64_t bits, enum dtype to)
{
    return bits_after("copy_", to, 0, &bits, from, NULL, 0);
}

/* Just above midpoints of the 16-bit formats, by what float32 (below 2^63: float64, too) rounds away. */
Test(vk_inplace, conversions_to_16_bits_round_once)
{
    cr_expect_eq(converted(DTYPE_FLOAT64, 0x3FF0020000001000, DTYPE_FLOAT16), 0x3C01);
    cr_expect_eq(converted(DTYPE_FLOAT64, 0x3FF0020000000000, DTYPE_FLOAT16), 0x3C00, "a tie");
    cr_expect_eq(converted(DTYPE_FLOAT64, 0xBE60000000000001, DTYPE_FLOAT16), 0x8001, "2^-25 and a bit");
    cr_expect_eq(converted(DTYPE_FLOAT64, 0xBE60000000000000, DTYPE_FLOAT16), 0x8000);
    cr_expect_eq(converted(DTYPE_FLOAT64, 0x40EFFDFFFFFFFFFF, DTYPE_FLOAT16), 0x7BFF, "just below 65520");
    cr_expect_eq(converted(DTYPE_FLOAT64, 0x40EFFE0000000000, DTYPE_FLOAT16), 0x7C00);
    cr_expect_eq(converted(DTYPE_FLOAT64, 0x3FF0100000001000, DTYPE_BFLOAT16), 0x3F81);
    cr_expect_eq(converted(DTYPE_FLOAT64, 0x3790000000000001, DTYPE_BFLOAT16), 1, "2^-134 and a bit");
    cr_expect_eq(converted(DTYPE_FLOAT64, 0x3790000000000000, DTYPE_BFLOAT16), 0);
    cr_expect_eq(converted(DTYPE_FLOAT64, 0x7FEFFFFFFFFFFFFF, DTYPE_BFLOAT16), 0x7F80);
    cr_expect_eq(converted(DTYPE_FLOAT64, 1, DTYPE_BFLOAT16), 0);
    cr_expect_eq(converted(DTYPE_INT32, 0x40400001, DTYPE_BFLOAT16), 0x4E81);
    cr_expect_eq(converted(DTYPE_INT32, 0x80000000, DTYPE_BFLOAT16), 0xCF00);
    cr_expect_eq(converted(DTYPE_INT32, 65519, DTYPE_FLOAT16), 0x7BFF);
    cr_expect_eq(converted(DTYPE_INT64, 0x1010000000000001, DTYPE_BFLOAT16), 0x5D81);
    cr_expect_eq(converted(DTYPE_INT64, 0xEFEFFFFFFFFFFFFF, DTYPE_BFLOAT16), 0xDD81);
    cr_expect_eq(converted(DTYPE_INT64, 0, DTYPE_BFLOAT16), 0);
    cr_expect_eq(converted(DTYPE_INT64, (uint64_t)-3, DTYPE_FLOAT16), 0xC200);
    cr_expect_eq(bits_after("fill_", DTYPE_FLOAT16, 0, NULL, DTYPE_BOOL, "value", 1 + 0x1p-11 + 0x1p-40),
                 0x3C01);
    cr_expect_eq(bits_after("clamp_", DTYPE_BFLOAT16, 0, NULL, DTYPE_BOOL, "min", 1 + 0x1p-8 + 0x1p-40),
                 0x3F81);
}

Test(vk_inplace, fills_and_clamps_by_attributes)
{
    const uint64_t on = 1, off = 0;
    cr_expect_eq(bits_after("fill_", DTYPE_FLOAT16, 0, NULL, DTYPE_BOOL, "value", -2), 0xC000);
    cr_expect_eq(bits_after("masked_fill_", DTYPE_FLOAT16, 0x3C00, &on, DTYPE_BOOL, "value", -2), 0xC000);
    cr_expect_eq(bits_after("masked_fill_", DTYPE_FLOAT16, 0x3C00, &off, DTYPE_BOOL, "value", -2), 0x3C00);
    cr_expect_eq(bits_after("clamp_", DTYPE_FLOAT32, 0x40A00000, NULL, DTYPE_BOOL, "max", 2), 0x40000000);
    cr_expect_eq(bits_after("clamp_", DTYPE_FLOAT32, 0x40A00000, NULL, DTYPE_BOOL, "min", 2), 0x40A00000);
}

Test(vk_inplace, float16_rounds_once_and_keeps_subnormals)
{
    cr_expect_eq(one(DTYPE_FLOAT16, "add_", 2048, 1, 1), 2048, "tie to even");
    cr_expect_eq(one(DTYPE_FLOAT16, "add_", 2050, 1, 1), 2052, "tie to even");
    cr_expect_eq(one(DTYPE_FLOAT16, "add_", 0x1p-24, 0x1p-24, 1), 0x1p-23);
    cr_expect_eq(one(DTYPE_FLOAT16, "mul_", 0x1p-12, 0x1p-13, 1), 0, "half the least subnormal ties to zero");
    cr_expect_eq(one(DTYPE_FLOAT16, "mul_", 0x1p-12, 0x1.8p-13, 1), 0x1p-24);
    cr_expect_eq(one(DTYPE_FLOAT16, "add_", 65504, 15.5, 1), 65504);
    cr_expect_eq(one(DTYPE_FLOAT16, "add_", 65504, 16, 1), INFINITY);
    cr_expect(isnan(one(DTYPE_FLOAT16, "mul_", INFINITY, 0, 1)));
}

Test(vk_inplace, float32_does_not_contract)
{
    /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 rounds to 1 + 2^-11, so that nothing is left; fma would leave 2^-24.
     */
    cr_expect_eq(one(DTYPE_FLOAT32, "add_", -(1 + 0x1p-11), 1 + 0x1p-12, 1 + 0x1p-12), 0);
}

static enum launch_status status_of(enum dtype dtype, struct view self, struct view other, double alpha)
{
    struct trial trial = trial_open(&plain);
    self.dtype = other.dtype = dtype;
    program_storage(trial.program, 64 * dtype_info(dtype)->size);
    struct step *step = apply(&trial, "add_", self, other);
    if (alpha != 1) {
        set_alpha(step, alpha);
    }
    trial_run(&trial);
    const enum launch_status status = trial.result[0].status;
    cr_expect((status == LAUNCH_OK) == (trial.result[0].message[0] == '\0'));
    trial_close(&trial);
    return status;
}

static struct view vector(int64_t offset, int64_t dim, int64_t stride)
{
    return (struct view){.shape = shape_of(1, dim), .stride = {stride}, .offset = offset};
}

Test(vk_inplace, refuses_what_must_be_refused)
{
    const struct view b = vector(0, 8, 1), scalar = {.shape = {.rank = 0}, .offset = 40};
    cr_expect_eq(status_of(DTYPE_FLOAT32, vector(1, 8, 1), b, 1), LAUNCH_REJECTED, "b[1:] += b[:-1]");
    cr_expect_eq(status_of(DTYPE_FLOAT32, vector(0, 8, 0), vector(30, 8, 1), 1), LAUNCH_REJECTED,
                 "expanded self");
    cr_expect_eq(status_of(DTYPE_FLOAT32, scalar, b, 1), LAUNCH_REJECTED, "self would broadcast");
    cr_expect_eq(status_of(DTYPE_FLOAT32, vector(0, 1, 1), vector(8, 8, 1), 1), LAUNCH_REJECTED);
    cr_expect_eq(status_of(DTYPE_INT32, b, scalar, 0.5), LAUNCH_REJECTED, "fractional alpha");
    cr_expect_eq(status_of(DTYPE_INT8, b, scalar, 1), LAUNCH_UNSUPPORTED);
}

Test(vk_inplace, allows_what_is_well_defined)
{
    const struct view b = vector(0, 8, 1);
    cr_expect_eq(status_of(DTYPE_FLOAT32, b, b, 1), LAUNCH_OK, "x.add_(x)");
    cr_expect_eq(status_of(DTYPE_FLOAT32, vector(0, 8, 2), vector(1, 8, 2), 1), LAUNCH_OK, "interleaved");
    cr_expect_eq(status_of(DTYPE_FLOAT16, vector(0, 0, 1), vector(0, 0, 1), 1), LAUNCH_OK, "empty");
    cr_expect_eq(status_of(DTYPE_INT32, b, vector(20, 1, 7), 3), LAUNCH_OK);
}

Test(vk_inplace, integer_self_refuses_a_float_and_dtypes_must_agree)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(1, (int64_t)4);
    const struct view i = program_input(trial.program, DTYPE_INT32, &shape);
    const struct view f = program_input(trial.program, DTYPE_FLOAT32, &shape);
    apply(&trial, "add_", i, f);
    apply(&trial, "add_", f, i);
    apply(&trial, "add_", f, f);
    trial_run(&trial);
    cr_expect_eq(trial.result[0].status, LAUNCH_REJECTED);
    cr_expect_eq(trial.result[1].status, LAUNCH_UNSUPPORTED);
    cr_expect_eq(trial.result[2].status, LAUNCH_NOT_RUN);
    trial_untouched(&trial, &(struct view){.storage = -1, .dtype = DTYPE_FLOAT32});
    trial_close(&trial);
}
