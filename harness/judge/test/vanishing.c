/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/test/mock.h"

#include <criterion/criterion.h>
#include <math.h>

/* Results that are all zero or infinite because they leave the range: what the record says of them, and what
 * fails. */

enum { COUNT = 4 };

static struct profile vulkan(bool flushes)
{
    struct profile profile = profile_ieee();
    profile.primitives = PRIMITIVES_VULKAN;
    profile.subnormals[DTYPE_FLOAT32] = flushes ? SUBNORMALS_MAY_FLUSH : SUBNORMALS_KEPT;
    return profile;
}

/* Judges exp of `x` with Vulkan's own precision: right results, or `got` in place of the last one. */
static struct record exp_of(const double x[COUNT], bool flushes, const float *got)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)COUNT);
    struct view operand = program_input(program, DTYPE_FLOAT32, &shape);
    for (int i = 0; i < COUNT; i++) {
        program_set(program, &operand, i, 0, x[i]);
    }
    program_step(program, op_find("exp"), NULL, 1, &operand);
    struct mock m;
    mock_open(&m, program, 2);
    m.profile = vulkan(flushes);
    mock_answer(&m);
    for (int r = 0; r < 2 && got; r++) {
        ((float *)(void *)mock_storage(&m, r, 1))[COUNT - 1] = *got;
    }
    struct record record = *mock_verdict(&m);
    mock_close(&m);
    return record;
}

static const double far_below[COUNT] = {-200, -1e6, -1e15, -3e38}, far_above[COUNT] = {200, 1e6, 1e15, 3e38},
                    below[COUNT] = {-95, -96, -97, -98};

/* 3 + 2·|x| ulp of the least subnormal would be 1e-29 at −1e15, and of the greatest number anything at 1e15.
 */
Test(vanishing, exp_beyond_the_range_is_zero_or_infinite)
{
    for (int flushes = 0; flushes < 2; flushes++) {
        struct record zero = exp_of(far_below, flushes, NULL), infinite = exp_of(far_above, flushes, NULL);
        cr_expect_eq(zero.status, STATUS_PASS, "rho %g", zero.median_rho);
        cr_expect(isinf(zero.resolution), "zeros have no scale: %g", zero.resolution);
        cr_expect_eq(infinite.status, STATUS_PASS, "rho %g", infinite.median_rho);
        static const float wrong_zero[] = {1e-30F, 1.3e-38F, -1.3e-38F, 1, NAN, INFINITY},
                           wrong_infinity[] = {0, 3e38F, -INFINITY, NAN};
        for (size_t k = 0; k < sizeof wrong_zero / sizeof *wrong_zero; k++) {
            cr_expect_eq(exp_of(far_below, flushes, &wrong_zero[k]).status, STATUS_FAIL, "%g", wrong_zero[k]);
        }
        for (size_t k = 0; k < sizeof wrong_infinity / sizeof *wrong_infinity; k++) {
            cr_expect_eq(exp_of(far_above, flushes, &wrong_infinity[k]).status, STATUS_FAIL, "%g",
                         wrong_infinity[k]);
        }
    }
    static const float few = 100 * 0x1p-149F, many = 1000 * 0x1p-149F;
    cr_expect_eq(exp_of(far_below, false, &few).status, STATUS_PASS);
    cr_expect_eq(exp_of(far_below, false, &many).status, STATUS_FAIL, "where nothing may be flushed");
}

/* If subnormal results may be flushed, no subnormal result is distinguished from 0. */
Test(vanishing, subnormal_results_are_evidence_where_they_are_kept)
{
    struct record kept = exp_of(below, false, NULL), flushed = exp_of(below, true, NULL);
    cr_expect_eq(kept.status, STATUS_PASS, "rho %g", kept.median_rho);
    cr_expect(isfinite(kept.resolution));
    cr_expect_eq(flushed.status, STATUS_VACUOUS, "rho %g", flushed.median_rho);
}
