/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results of a single rounding, judged in batches, compared with the same elements judged alone: right
 * results, and results of which one or all are wrong, under profiles that leave different things open. */
#include "harness/judge/test/same_verdict.h"
#include "reference/base/philox.h"
#include "suites/suite.h"

#include <stdlib.h>

static struct profile strict(void)
{
    return profile_ieee();
}

static struct profile flushing(void)
{
    struct profile profile = profile_ieee();
    for (int d = 0; d < DTYPE_COUNT; d++) {
        profile.subnormals[d] = SUBNORMALS_MAY_FLUSH;
    }
    profile.conversions_via_float32 = true;
    return profile;
}

static struct profile open_rounding(void)
{
    struct profile profile = flushing();
    for (int d = 0; d < DTYPE_COUNT; d++) {
        profile.rounding[d] = ROUNDING_OPEN;
        profile.special_values[d] = false;
    }
    return profile;
}

static struct profile positive_zeros(void)
{
    struct profile profile = profile_ieee();
    for (int d = 0; d < DTYPE_COUNT; d++) {
        profile.sgn_zero[d] = SGN_ZERO_POSITIVE;
        profile.sgn_nan[d] = SGN_NAN_IS_ZERO;
    }
    return profile;
}

/* Both have the same truth and the same results. */
static void compare(struct mock *m, struct mock *other, const char *id)
{
    struct record together, alone;
    mock_judge(m, false, &together);
    mock_judge(other, true, &alone);
    expect_same_verdict(&together, &alone);
    cr_expect_eq(together.bias_resolution == INFINITY, alone.bias_resolution == INFINITY, "%s", id);
    cr_expect(together.bit_exact == alone.bit_exact && together.faithful == alone.faithful, "%s", id);
    record_clear(&together);
    record_clear(&alone);
}

/* What the test changes in the last judged tensor. */
enum spoiling { NOTHING, FIRST, EVERY, SIGNS, SPOILINGS };

/* The lowest bit of one element or of each, or the highest of each. */
static void spoil(struct mock *m, enum spoiling how)
{
    const struct step *step = &m->program->step[m->program->steps - 1];
    struct view judged[TRUTH_OUTPUTS_MAX];
    const struct view *view = &judged[step_judged(step, judged) - 1];
    int64_t elements = shape_elements(&view->shape);
    for (int64_t i = 0; i < (how == FIRST ? elements > 0 : elements); i++) {
        unsigned char *element = mock_element(m, 0, view, i);
        element[how == SIGNS ? dtype_info(view->dtype)->size - 1 : 0] ^= how == SIGNS ? 0x80 : 1;
    }
}

/* The element-wise family has as many cases as all others, of one operator class: each of them under one of
 * the profiles. */
enum { PROFILES = 4 };

static bool concerns(const struct suite_case *c, int number, int turn)
{
    if (strcmp(c->op->family, "elementwise") == 0 && number % PROFILES != turn) {
        return false;
    }
    static const char *const family[] = {"elementwise", "inplace", "sparse", "amp"};
    for (size_t f = 0; f < sizeof family / sizeof *family; f++) {
        if (strcmp(c->op->family, family[f]) == 0) {
            return !c->procedure && c->level == LEVEL_SMOKE;
        }
    }
    return false;
}

static void answer(struct mock *m, const struct suite_case *c, struct profile (*profile)(void),
                   enum spoiling how)
{
    mock_open(m, suite_build(c, 1, NULL), 1);
    m->profile = profile();
    mock_answer(m);
    if (how != NOTHING) {
        spoil(m, how);
    }
}

/* Each on a truth of its own: judging certifies elements of it. */
static int hold_against_alone(struct profile (*profile)(void), int turn)
{
    struct suite_list *list = suite_list_create();
    int compared = 0;
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        struct program *program = concerns(c, i, turn) ? suite_build(c, 1, NULL) : NULL;
        for (enum spoiling how = NOTHING; mock_takes(program) && how < SPOILINGS; how++) {
            struct mock together, alone;
            answer(&together, c, profile, how);
            answer(&alone, c, profile, how);
            compare(&together, &alone, suite_list_id(list, i));
            mock_close(&together);
            mock_close(&alone);
            compared++;
        }
        program_destroy(&program);
    }
    suite_list_destroy(&list);
    return compared;
}

Test(rounded, as_judged_alone)
{
    cr_expect_gt(hold_against_alone(strict, 0), 2000);
}

Test(rounded, as_judged_alone_where_subnormals_may_be_flushed_takes_seconds)
{
    cr_expect_gt(hold_against_alone(flushing, 1), 2000);
}

Test(rounded, as_judged_alone_under_open_rounding_takes_seconds)
{
    cr_expect_gt(hold_against_alone(open_rounding, 2), 2000);
}

Test(rounded, as_judged_alone_where_zeros_lose_their_sign_takes_seconds)
{
    cr_expect_gt(hold_against_alone(positive_zeros, 3), 2000);
}

/* A program that has two operands of `count` elements so far. */
static struct program *of_two(enum dtype dtype, int64_t count, struct view input[2])
{
    struct program *program = program_create();
    const struct shape shape = shape_of(1, count);
    for (int k = 0; k < 2; k++) {
        input[k] = program_input(program, dtype, &shape);
    }
    return program;
}

/* Squares of 2^-64 … 2^-74: normal ones, then subnormal ones that are rounded. */
Test(rounded, products_that_become_subnormal)
{
    struct program *program = program_create();
    const struct shape shape = shape_of(1, (int64_t)600);
    const struct view x = program_input(program, DTYPE_FLOAT32, &shape);
    struct philox g;
    struct mock m;
    philox_start(&g, 5);
    for (int64_t i = 0; i < 600; i++) {
        program_set(program, &x, i, 0, ldexp(1 + philox_unit(&g), -55 - (int)(i / 30)));
    }
    program_step(program, op_find("square"), NULL, 1, &x);
    mock_open(&m, program, 1);
    mock_answer(&m);
    compare(&m, &m, "square"); /* whose truth is certain */
    mock_close(&m);
}

/* Sums that no double holds: of numbers far from one another, ties, and next to a power of two. */
Test(rounded, sums_that_are_no_double)
{
    enum { COUNT = 1200 };
    for (enum spoiling how = NOTHING; how < SPOILINGS; how++) {
        struct view input[2];
        struct program *program = of_two(DTYPE_FLOAT64, COUNT, input);
        struct philox g;
        struct mock m;
        philox_start(&g, 7);
        for (int64_t i = 0; i < COUNT; i++) {
            double x = i % 5 == 3 ? 2 : 1 + (double)i * 0x1p-52;
            double y = i % 5 == 1   ? 0x1p-53
                       : i % 5 == 3 ? -0x1p-60 * philox_unit(&g)
                                    : philox_signed(&g) * ldexp(1, -(int)(i % 80));
            program_set(program, &input[0], i, 0, x);
            program_set(program, &input[1], i, 0, y);
        }
        program_step(program, op_find("add"), NULL, 2, input);
        mock_open(&m, program, 1);
        mock_answer(&m);
        spoil(&m, how);
        compare(&m, &m, "add");
        mock_close(&m);
    }
}

/* Of the last element any result is right: what its neighbours exclude stays excluded. */
Test(rounded, bools_beside_an_open_one)
{
    enum { COUNT = 600 };
    struct view input[2];
    struct program *program = of_two(DTYPE_FLOAT32, COUNT, input);
    struct mock m;
    for (int64_t i = 0; i < COUNT; i++) {
        program_set(program, &input[0], i, 0, i == COUNT - 1 ? INFINITY : i < 300 ? -1 : 1);
        program_set(program, &input[1], i, 0, 0.5);
    }
    program_step(program, op_find("gt"), NULL, 2, input);
    mock_open(&m, program, 1);
    m.profile = open_rounding();
    mock_answer(&m);
    compare(&m, &m, "gt");
    mock_close(&m);
}

/* What the test of a bias sees in quotients of float16; `between`: how float32, in which they are computed,
 * is rounded. */
static double bias_seen(enum rounding between)
{
    enum { COUNT = 20000 };
    struct view input[2];
    struct program *program = of_two(DTYPE_FLOAT16, COUNT, input);
    struct philox g;
    struct mock m;
    struct record record;
    philox_start(&g, 3);
    for (int64_t i = 0; i < COUNT; i++) {
        program_set(program, &input[0], i, 0, 1 + philox_unit(&g));
        program_set(program, &input[1], i, 0, 1 + philox_unit(&g));
    }
    program_step(program, op_find("div"), NULL, 2, input);
    mock_open(&m, program, 1);
    m.profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    m.profile.rounding[DTYPE_FLOAT32] = between;
    mock_answer(&m);
    mock_judge(&m, false, &record);
    double seen = record.bias_resolution;
    record_clear(&record);
    mock_close(&m);
    return seen;
}

/* A way to round twice may lean to one side; once to nearest does not. */
Test(rounded, once_to_nearest_without_a_bias)
{
    cr_expect_gt(bias_seen(ROUNDING_OPEN), 1.5 * bias_seen(ROUNDING_RTE));
}

/* The metrics of elements judged together and one by one, ties here, differ by the order of additions at
 * most. */
static void hold_beside_ties(uint64_t seed)
{
    enum { COUNT = 1500 };
    struct view input[2];
    struct program *program = of_two(DTYPE_FLOAT32, COUNT, input);
    struct philox g;
    struct mock m;
    struct record together, alone;
    philox_start(&g, seed);
    for (int64_t i = 0; i < COUNT; i++) {
        bool tie = i % 7 == 3;
        program_set(program, &input[0], i, 0, tie ? 2 + (double)i * 0x1p-11 : philox_signed(&g));
        program_set(program, &input[1], i, 0, tie ? 0x1p-23 : philox_signed(&g) / 3);
    }
    program_step(program, op_find("add_"), NULL, 2, input);
    mock_open(&m, program, 1);
    mock_answer(&m);
    spoil(&m, FIRST);
    mock_judge(&m, false, &together);
    mock_judge(&m, true, &alone);
    cr_expect(fabs(together.mean_ulp - alone.mean_ulp) <= 1e-14 * alone.mean_ulp &&
                  fabs(together.nmse - alone.nmse) <= 1e-14 * alone.nmse,
              "mean %.17g and %.17g, nmse %.17g and %.17g", together.mean_ulp, alone.mean_ulp, together.nmse,
              alone.nmse);
    expect_same_verdict(&together, &alone);
    record_clear(&together);
    record_clear(&alone);
    mock_close(&m);
}

Test(rounded, beside_elements_that_are_judged_alone)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        hold_beside_ties(seed);
    }
}
