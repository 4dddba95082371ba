/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results beyond the range of their dtype, and zeros of truths far below it, judged in batches, compared with
 * the same elements judged alone. */
#include "harness/judge/test/judging_profiles.h"
#include "harness/judge/test/same_verdict.h"
#include "reference/base/philox.h"

/* Of numbers of every size and sign, NaN and the infinities: most results of these functions are none, or far
 * below the least number. Subnormal operands, if any, have other truths where they are flushed. */
static struct program *whole_range(const struct op *op, enum dtype dtype, bool subnormals)
{
    enum { COUNT = 3000 };
    double number[COUNT];
    struct philox g;
    philox_start(&g, 11);
    for (int i = 0; i < COUNT; i++) {
        double x = ldexp(philox_signed(&g), i % 3 == 0 ? i % 300 - 150 : i % 20 - 4);
        x = subnormals || fabs(x) >= 2 * dtype_least_normal(dtype) ? x : 1 + x;
        number[i] = i % 50 == 7 ? NAN : i % 50 == 8 ? -INFINITY : x;
    }
    return mock_function(op, dtype, COUNT, number);
}

/* What replaces a special result or a zero. */
static const double imposters[] = {INFINITY, -INFINITY, NAN,     0.0,           -0.0,
                                   3.0,      0x1p-149,  0x1p-24, 0x1.fffffep127};
enum { IMPOSTERS = sizeof imposters / sizeof *imposters, HONEST = IMPOSTERS };

static void judge_with(struct program *program, struct profile (*profile)(void), int imposter,
                       bool one_by_one, struct record *record)
{
    struct mock m;
    mock_open(&m, program, 1);
    m.profile = profile();
    mock_answer(&m);
    struct view judged[TRUTH_OUTPUTS_MAX];
    step_judged(m.program->step, judged);
    int64_t elements = shape_elements(&judged[0].shape);
    const int64_t first = elements > 1 ? elements / 2 + 5 : 0; /* within a run */
    for (int64_t i = first, spoiled = 0; imposter < IMPOSTERS && i < elements && spoiled < 3; i++) {
        unsigned char *element = mock_element(&m, 0, &judged[0], i);
        double x = dtype_load(judged[0].dtype, element);
        if (!isfinite(x) || x == 0) {
            dtype_store(judged[0].dtype, element, imposters[imposter]);
            spoiled++;
        }
    }
    mock_judge(&m, one_by_one, record);
    mock_close(&m);
}

Test(ends, the_ends_of_the_range_as_judged_alone)
{
    static const char *const name[] = {"exp",  "exp2", "expm1", "log", "log1p",
                                       "sinh", "tanh", "erfc",  "acos"};
    struct profile (*const profiles[])(void) = {strict, vulkan, open_rounding};
    int refused = 0;
    for (int k = 0; k < (int)(sizeof name / sizeof *name) * 9; k++) {
        const struct op *op = op_find(name[k / 9]);
        const enum dtype dtype[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16};
        for (int imposter = 0; imposter <= HONEST; imposter++) {
            struct record together, alone;
            const bool subnormals = (k / 9 + imposter) % 2 == 0;
            judge_with(whole_range(op, dtype[k % 3], subnormals), profiles[k / 3 % 3], imposter, false,
                       &together);
            judge_with(whole_range(op, dtype[k % 3], subnormals), profiles[k / 3 % 3], imposter, true,
                       &alone);
            cr_expect(imposter != HONEST || together.over_bound == 0, "%s of %s", op->name,
                      dtype_info(dtype[k % 3])->name);
            refused += together.over_bound > 0;
            expect_same_verdict(&together, &alone);
            cr_expect_eq(together.truth_bits, alone.truth_bits);
            bool same_error = together.nmse == alone.nmse || (isnan(together.nmse) && isnan(alone.nmse));
            cr_expect(same_error && together.mean_ulp == alone.mean_ulp &&
                          together.median_rho == alone.median_rho && together.faithful == alone.faithful &&
                          together.bit_exact == alone.bit_exact && together.bias_ulp == alone.bias_ulp &&
                          together.p99_nu == alone.p99_nu && together.resolution == alone.resolution,
                      "%s of %s, %d", op->name, dtype_info(dtype[k % 3])->name, imposter);
            record_clear(&together);
            record_clear(&alone);
        }
    }
    cr_expect_gt(refused, 150, "%d", refused);
}

/* Results that are all at the ends of the range: nothing else says what they resolve, or how near they are.
 */
enum { BELOW, ABOVE, BOTH, ENDS };

static struct program *at_the_ends(enum dtype dtype, int ends)
{
    enum { COUNT = 600 };
    double number[COUNT];
    struct philox g;
    philox_start(&g, 12);
    for (int i = 0; i < COUNT; i++) {
        double x = philox_unit(&g);
        bool above = ends == ABOVE || (ends == BOTH && i % 3 == 0);
        number[i] = above ? 90 + 30 * x : -300 - 100 * x;
    }
    return mock_function(op_find("exp"), dtype, COUNT, number);
}

/* Far beyond an end of the range all columns of a batch are constant, except for one result, a truth at the
 * other end, or an infinite truth somewhere in the batch. */
Test(ends, runs_of_elements_that_are_all_alike)
{
    enum { COUNT = 2048 };
    static const double odd[] = {-200, 200, 3, INFINITY, -INFINITY, NAN};
    struct profile (*const profiles[])(void) = {strict, vulkan, open_rounding};
    for (int k = 0; k < 2 * 3 * 7; k++) {
        double number[COUNT];
        for (int i = 0; i < COUNT; i++) {
            number[i] = k % 2 ? 300 : -300;
        }
        for (int i = 100; k / 6 < 6 && i < COUNT; i += 301) {
            number[i] = odd[k / 6];
        }
        for (int imposter = 0; imposter <= HONEST; imposter++) {
            struct record together, alone;
            struct program *program[2];
            for (int p = 0; p < 2; p++) {
                program[p] = mock_function(op_find("exp"), DTYPE_FLOAT32, COUNT, number);
            }
            judge_with(program[0], profiles[k / 2 % 3], imposter, false, &together);
            judge_with(program[1], profiles[k / 2 % 3], imposter, true, &alone);
            expect_same_verdict(&together, &alone);
            cr_expect_eq(together.truth_bits, alone.truth_bits, "%d, %d", k, imposter);
            record_clear(&together);
            record_clear(&alone);
        }
    }
}

/* Infinities resolve nothing, nor do zeros, which have no scale. */
Test(ends, results_at_the_ends_alone)
{
    struct profile (*const profiles[])(void) = {strict, vulkan, open_rounding};
    for (int k = 0; k < 6 * ENDS; k++) {
        const enum dtype dtype = k % 2 ? DTYPE_FLOAT32 : DTYPE_BFLOAT16;
        const int ends = k / 2 % ENDS;
        struct profile (*const profile)(void) = profiles[k / 2 / ENDS];
        struct record together, alone;
        judge_with(at_the_ends(dtype, ends), profile, HONEST, false, &together);
        judge_with(at_the_ends(dtype, ends), profile, HONEST, true, &alone);
        cr_expect_eq(together.over_bound, 0);
        expect_same_verdict(&together, &alone);
        cr_expect(isinf(together.resolution), "%d: %g", k, together.resolution);
        bool errs = ends != ABOVE && profile().subnormals[dtype] != SUBNORMALS_MAY_FLUSH;
        cr_expect_eq(together.max_nu > 0, errs, "%d: %g", k, together.max_nu);
        record_clear(&together);
        record_clear(&alone);
    }
}

/* exp 200, exp 1000: beyond float32's range, within and beyond double's. */
Test(ends, a_refused_result_shows_the_certified_truth)
{
    static const double argument[] = {200, 1000};
    static const char *const digits[] = {"7.2259737681257492581", "1.970071114017046993"};
    for (int k = 0; k < 2; k++) {
        struct record record;
        judge_with(mock_function(op_find("exp"), DTYPE_FLOAT32, 1, &argument[k]), strict, 2, false, &record);
        cr_expect_eq(record.over_bound, 1);
        cr_expect(record.worst.truth && strncmp(record.worst.truth, digits[k], strlen(digits[k])) == 0, "%s",
                  record.worst.truth);
        record_clear(&record);
    }
}
