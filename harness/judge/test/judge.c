/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/test/mock.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* A program that computes sgn of x[1::2] of nine floats into a new tensor: storage 0 has gaps, storage 1 is
 * the output. */
static struct program *gapped_sgn(void)
{
    struct program *program = program_create();
    struct view x = {.storage = program_storage(program, 9 * 4),
                     .dtype = DTYPE_FLOAT32,
                     .shape = shape_of(1, (int64_t)4),
                     .stride = {2},
                     .offset = 1};
    static const double values[4] = {-3, 0, 5, INFINITY};
    program_define(program, &x);
    for (int i = 0; i < 4; i++) {
        program_set(program, &x, i, 0, values[i]);
    }
    program_step(program, op_find("sgn"), NULL, 1, &x);
    return program;
}

static float *output(struct mock *m, int run)
{
    return (float *)(void *)mock_storage(m, run, 1);
}

Test(judge, right_results_pass)
{
    struct mock m;
    mock_open(&m, gapped_sgn(), 2);
    mock_answer(&m);
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS, "%s", record->reason);
    cr_assert_eq(record->elements, 4);
    cr_assert_eq(record->bit_exact, 1);
    cr_assert_eq(record->distinct, 1);
    cr_assert_eq(record->worst.index, -1);
    mock_close(&m);
}

Test(judge, an_unwritten_result_fails_by_poison)
{
    struct mock m;
    mock_open(&m, gapped_sgn(), 2);
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_eq(record->over_bound, 4);
    mock_close(&m);
}

Test(judge, one_wrong_element_is_found_and_named)
{
    struct mock m;
    mock_open(&m, gapped_sgn(), 2);
    mock_answer(&m);
    output(&m, 0)[2] = output(&m, 1)[2] = 0.5F;
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_eq(record->over_bound, 1);
    cr_assert_eq(record->worst.index, 2);
    cr_assert_str_eq(record->worst.truth, "1");
    cr_assert_str_eq(record->worst.got, "0.5 (0x3f000000)");
    cr_assert_str_eq(record->worst.inputs, "input 0 (input) = 5 (0x40a00000)");
    cr_assert_str_eq(record->worst.where, "output 0 [2]");
    cr_assert_eq(record->max_nu, INFINITY);
    cr_assert_not_null(strstr(record->reason, "rule 3"));
    mock_close(&m);
}

Test(judge, a_byte_outside_every_result_fails)
{
    static const struct {
        int storage;
        int64_t byte;
        const char *what;
    } row[] = {{1, -1, "guard zone before"}, {1, 16, "guard zone behind"}, {0, 0, "gap"}, {0, 5, "operand"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct mock m;
        mock_open(&m, gapped_sgn(), 2);
        mock_answer(&m);
        m.images[1].image[row[i].storage][BACKEND_GUARD + row[i].byte] ^= 0x10;
        const struct record *record = mock_verdict(&m);
        cr_assert_eq(record->status, STATUS_FAIL, "%s", row[i].what);
        cr_assert_not_null(record->detail);
        cr_assert_not_null(strstr(record->detail, row[i].what), "%s: %s", row[i].what, record->detail);
        mock_close(&m);
    }
}

/* A guard in which all bytes are the same, as a kernel that fills too much leaves it. */
Test(judge, a_guard_overwritten_throughout_fails)
{
    for (int behind = 0; behind < 2; behind++) {
        struct mock m;
        mock_open(&m, gapped_sgn(), 2);
        mock_answer(&m);
        size_t at = behind ? BACKEND_GUARD + m.program->storage[1].bytes : 0;
        memset(m.images[0].image[1] + at, 0x3F, BACKEND_GUARD);
        memset(m.images[1].image[1] + at, 0x3F, BACKEND_GUARD);
        const struct record *record = mock_verdict(&m);
        cr_assert_eq(record->status, STATUS_FAIL);
        cr_assert_not_null(record->detail);
        cr_assert_not_null(strstr(record->detail, behind ? "guard zone behind" : "guard zone before"), "%s",
                           record->detail);
        mock_close(&m);
    }
}

Test(judge, runs_must_agree_unless_declared_nondeterministic)
{
    struct mock m;
    mock_open(&m, gapped_sgn(), 2);
    mock_answer(&m);
    output(&m, 1)[0] = nextafterf(output(&m, 1)[0], 0);
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_eq(record->distinct, 2);
    m.profile.nondeterministic = (const char *const[]){"sgn", NULL};
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS);
    cr_assert_eq(record->distinct, 2);
    mock_close(&m);
}

Test(judge, broken_invariance_fails_though_every_value_is_in_bound)
{
    struct program *program = program_create();
    struct shape one = shape_of(3, (int64_t)1, (int64_t)2, (int64_t)2);
    struct view a = program_input(program, DTYPE_FLOAT32, &one),
                c = program_input(program, DTYPE_FLOAT32, &one);
    static const double entries[4] = {3, 1, 1, 2};
    for (int i = 0; i < 4; i++) {
        program_set(program, &a, i, 0, entries[i]);
        program_set(program, &c, i, 0, entries[i]);
    }
    struct view first = program_step(program, op_find("logdet"), NULL, 1, &a)->output[0];
    struct view second = program_step(program, op_find("logdet"), NULL, 1, &c)->output[0];
    program_relate(program, &first, &second, "the same matrix twice");
    struct mock m;
    mock_open(&m, program, 2);
    mock_answer(&m);
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS);
    for (int r = 0; r < 2; r++) {
        float *y = (float *)(void *)mock_storage(&m, r, second.storage);
        *y = nextafterf(*y, 2);
    }
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_eq(record->over_bound, 0);
    cr_assert_not_null(strstr(record->reason, "the same matrix twice"));
    m.profile.nondeterministic = (const char *const[]){"logdet", NULL}; /* which cannot give the same bits */
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS, "%s", record->reason);
    m.profile.nondeterministic = (const char *const[]){"sgn", NULL};
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL, "another operator's");
    m.profile.nondeterministic = NULL;
    m.profile.invariance = INVARIANCE_BOUND;
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS, "%s", record->reason);
    mock_close(&m);
}

Test(judge, invariance_does_not_look_into_a_nan)
{
    struct program *program = program_create();
    struct shape one = shape_of(1, (int64_t)1);
    struct view x = program_input(program, DTYPE_FLOAT32, &one);
    program_set(program, &x, 0, 0, NAN);
    struct view first = program_step(program, op_find("sgn"), NULL, 1, &x)->output[0];
    struct view second = program_step(program, op_find("sgn"), NULL, 1, &x)->output[0];
    program_relate(program, &first, &second, "NaN twice");
    struct mock m;
    mock_open(&m, program, 2);
    mock_answer(&m);
    for (int r = 0; r < 2; r++) {
        uint32_t other = 0xFFC12345;
        memcpy(mock_storage(&m, r, second.storage), &other, sizeof other);
    }
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS, "%s", record->reason);
    mock_close(&m);
}

/* sgn of an infinite complex number may be taken as the quotient or as the direction, but not as both. */
Test(judge, special_values_must_agree_even_where_bits_need_not)
{
    struct program *program = program_create();
    struct shape one = shape_of(1, (int64_t)1);
    struct view z = program_input(program, DTYPE_COMPLEX64, &one);
    program_set(program, &z, 0, 0, INFINITY);
    struct view first = program_step(program, op_find("sgn"), NULL, 1, &z)->output[0];
    struct view second = program_step(program, op_find("sgn"), NULL, 1, &z)->output[0];
    program_relate(program, &first, &second, "infinity twice");
    struct mock m;
    mock_open(&m, program, 2);
    m.profile.invariance = INVARIANCE_BOUND;
    static const float quotient[2] = {NAN, 0}, direction[2] = {1, 0};
    for (int r = 0; r < 2; r++) {
        memcpy(mock_storage(&m, r, first.storage), quotient, sizeof quotient);
        memcpy(mock_storage(&m, r, second.storage), direction, sizeof direction);
    }
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->over_bound, 0);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_not_null(strstr(record->reason, "infinity twice"));
    mock_close(&m);
}

Test(judge, what_must_be_rejected_is_and_leaves_no_trace)
{
    struct mock m;
    mock_open(&m, mock_overlapping_add(), 2);
    cr_assert_eq(m.program->step[0].expect, EXPECT_REJECTION);
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS);
    m.images[0].image[0][BACKEND_GUARD + 3] = 1;
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    m.images[0].image[0][BACKEND_GUARD + 3] = 0;
    m.result[0][0].status = m.result[1][0].status = STEP_OK;
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_not_null(strstr(record->reason, "must reject"));
    mock_close(&m);
}

/* If the profile leaves refusals open, accepted operands are no failure and prove nothing. */
Test(judge, refusals_may_be_open)
{
    struct mock m;
    mock_open(&m, mock_overlapping_add(), 2);
    m.profile.refusals = REFUSALS_OPEN;
    m.images[0].image[0][BACKEND_GUARD + 3] = 1; /* what it wrote */
    m.result[0][0].status = m.result[1][0].status = STEP_OK;
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_UNSUPPORTED);
    cr_expect(strstr(record->reason, "took operands that PyTorch refuses"), "%s", record->reason);
    m.result[0][0].status = m.result[1][0].status = STEP_REJECTED; /* refused, and written to all the same */
    record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_FAIL);
    mock_close(&m);
}

/* The norms of (3, 4)·1e-25 and of (3, 4): the one may be 0 where the profile is naive, the other never. */
Test(judge, naive_intermediates_are_findings_where_they_are_declared)
{
    struct program *program = program_create();
    struct shape shape = shape_of(2, (int64_t)2, (int64_t)2);
    struct view x = program_input(program, DTYPE_FLOAT32, &shape);
    static const double values[] = {3e-25, 4e-25, 3, 4};
    for (int i = 0; i < 4; i++) {
        program_set(program, &x, i, 0, values[i]);
    }
    struct attributes rows = {
        .count = 1,
        .item = {{.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {1}}}}};
    program_step(program, op_find("vector_norm"), &rows, 1, &x);
    struct mock m;
    mock_open(&m, program, 2);
    mock_answer(&m);
    static const char *const naive[] = {"vector_norm", NULL}, *const other[] = {"matrix_norm", NULL};
    m.profile.naive_range = naive;
    const struct record *record = mock_verdict(&m); /* what is right is no finding */
    cr_expect_eq(record->status, STATUS_PASS);
    cr_expect_eq(record->range_findings, 0);
    cr_expect_eq(record->elements, 2);
    output(&m, 0)[0] = output(&m, 1)[0] = 0;
    m.profile.naive_range = other;
    record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_FAIL);
    cr_expect_eq(record->range_findings, 0);
    m.profile.naive_range = naive;
    record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_PASS);
    cr_expect_eq(record->range_findings, 1);
    cr_expect_eq(record->elements, 1);
    cr_expect(strstr(record->reason, "class RANGE: in 1 element"), "%s", record->reason);
    cr_expect(record->worst.index == 0 && record->worst.nu > 1, "the finding is what is shown");
    cr_expect(record->worst.got && strncmp(record->worst.got, "0 (", 3) == 0, "%s", record->worst.got);
    output(&m, 0)[1] = output(&m, 1)[1] = 0;
    record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_FAIL);
    mock_close(&m);
}

Test(judge, an_undue_rejection_fails_and_unsupported_is_no_failure)
{
    struct mock m;
    mock_open(&m, gapped_sgn(), 2);
    m.result[0][0].status = m.result[1][0].status = STEP_REJECTED;
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_not_null(strstr(record->reason, "must accept"));
    m.result[0][0].status = STEP_UNSUPPORTED;
    strcpy(m.result[0][0].message, "no such kernel");
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_UNSUPPORTED);
    cr_assert_str_eq(record->reason, "no such kernel");
    m.result[0][0].status = STEP_ERROR;
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_ERROR);
    mock_close(&m);
}

/* COUNT sums near 1.25, of a small product that rounds as well, so that B spans 1.25 ulp. There are `truths`
 * different ones; of the first `leaning` of them every third is rounded up instead of to nearest, which B
 * allows. */
enum { LEANING_COUNT = 2000 };

static struct record leaning(int truths, int of)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)LEANING_COUNT);
    struct view operand[2] = {program_input(program, DTYPE_FLOAT32, &shape),
                              program_input(program, DTYPE_FLOAT32, &shape)};
    for (int i = 0; i < LEANING_COUNT; i++) {
        program_set(program, &operand[0], i, 0, 1.25 + i % truths * 0x1p-23);
        program_set(program, &operand[1], i, 0, 0x1p-8 + i % truths * 0x1p-23);
    }
    struct attributes alpha = {.count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 0.3}}};
    program_step(program, op_find("add_"), &alpha, 2, operand);
    struct mock m;
    mock_open(&m, program, 2);
    mock_answer(&m);
    cr_assert_eq(mock_verdict(&m)->status, STATUS_PASS);
    for (int64_t i = 0; i < LEANING_COUNT; i++) {
        const struct value *truth = &m.truth.truth[0]->output[0].value[i];
        for (int r = 0; r < 2 && i % truths < of; r++) {
            float *x = (float *)(void *)mock_storage(&m, r, 0) + i;
            float up = nextafterf(*x, 2);
            if (*x < truth->hi && up - truth->hi <= truth->hi * 0x1p-24) {
                *x = up;
            }
        }
    }
    const struct record *record = mock_verdict(&m);
    struct record shown = {.status = record->status, .over_bound = record->over_bound};
    cr_assert(record->status == STATUS_PASS || strstr(record->reason, "bias"));
    mock_close(&m);
    return shown;
}

Test(judge, results_that_lean_one_way_fail_though_each_is_in_bound)
{
    struct record record = leaning(LEANING_COUNT, LEANING_COUNT);
    cr_assert_eq(record.over_bound, 0);
    cr_assert_eq(record.status, STATUS_FAIL);
}

/* Elements of equal truth are one observation: a legal program may round all of them in the same way. */
Test(judge, elements_of_one_truth_lean_together)
{
    cr_expect_eq(leaning(40, 10).status, STATUS_PASS);
    cr_expect_eq(leaning(LEANING_COUNT, LEANING_COUNT / 4).status, STATUS_FAIL);
}

/* −3 + 3·(1 + 2^-23): the result is as small as the rounding error of the product. */
Test(judge, a_bound_too_wide_is_vacuous_and_never_a_pass)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)1);
    struct view operand[2] = {program_input(program, DTYPE_FLOAT32, &shape),
                              program_input(program, DTYPE_FLOAT32, &shape)};
    program_set(program, &operand[0], 0, 0, -3);
    program_set(program, &operand[1], 0, 0, 1 + 0x1p-23);
    struct attributes three = {.count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 3}}};
    program_step(program, op_find("add_"), &three, 2, operand);
    struct mock m;
    mock_open(&m, program, 2);
    mock_answer(&m);
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_VACUOUS, "rho %g", record->median_rho);
    cr_assert_float_eq(record->median_rho, 0.5, 1e-3);
    for (int r = 0; r < 2; r++) {
        *(float *)(void *)mock_storage(&m, r, 0) = 1;
    }
    record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL, "fail beats vacuous");
    mock_close(&m);
}
