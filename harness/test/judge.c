/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/judge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A judged program whose "backend" is the test itself: it writes results into the images by hand. */
struct bench {
    struct program *program;
    struct program_truth truth;
    struct images images[2];
    struct step_result result[2][4];
    struct profile profile;
};

static void set_up(struct bench *b, struct program *program)
{
    memset(b, 0, sizeof *b);
    b->program = program;
    b->profile = profile_ieee();
    struct error error = {.text = ""};
    cr_assert(program_truth_compute(program, NULL, &b->truth, &error), "%s", error.text);
    for (int r = 0; r < 2; r++) {
        cr_assert(images_create(&b->images[r], program));
        images_fill(&b->images[r], program, r);
        for (int s = 0; s < program->steps; s++) {
            b->result[r][s].status = program->step[s].expect == EXPECT_VALUE ? STEP_OK : STEP_REJECTED;
        }
    }
}

/* Writes the correctly rounded truth of every step into both runs. */
static void answer(struct bench *b)
{
    for (int s = 0; s < b->program->steps; s++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = b->truth.truth[s] ? step_judged(&b->program->step[s], judged) : 0;
        for (int o = 0; o < count; o++) {
            const struct truth_output *out = &b->truth.truth[s]->output[o];
            const struct dtype_info *info = dtype_info(out->dtype);
            for (int64_t i = 0; i < out->elements; i++) {
                size_t at = (size_t)view_element(&judged[o], i) * info->size + BACKEND_GUARD;
                for (int r = 0; r < 2; r++) {
                    value_store(&out->value[i], info->component, b->images[r].image[judged[o].storage] + at);
                }
            }
        }
    }
}

static struct record verdict(struct bench *b)
{
    struct judge_run run[2] = {{&b->images[0], b->result[0]}, {&b->images[1], b->result[1]}};
    struct judge_request request = {
        .program = b->program, .truth = &b->truth, .profile = &b->profile, .runs = 2, .run = run};
    struct record record = {.id = NULL};
    cr_assert(judge(&request, &record, NULL));
    return record;
}

static void tear_down(struct bench *b, struct record *record)
{
    record_clear(record);
    images_destroy(&b->images[0]);
    images_destroy(&b->images[1]);
    program_truth_destroy(&b->truth);
    program_destroy(&b->program);
}

/* x[1::2] of nine floats, sgn of it into a fresh tensor: storage 0 has gaps, storage 1 is the output. */
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

static float *output(struct bench *b, int run)
{
    return (float *)(void *)(b->images[run].image[1] + BACKEND_GUARD);
}

Test(judge, right_results_pass)
{
    struct bench b;
    set_up(&b, gapped_sgn());
    answer(&b);
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_PASS, "%s", record.reason);
    cr_assert_eq(record.elements, 4);
    cr_assert_eq(record.bit_exact, 1);
    cr_assert_eq(record.distinct, 1);
    cr_assert_eq(record.worst.index, -1);
    tear_down(&b, &record);
}

Test(judge, an_unwritten_result_fails_by_poison)
{
    struct bench b;
    set_up(&b, gapped_sgn());
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_FAIL);
    cr_assert_eq(record.over_bound, 4);
    tear_down(&b, &record);
}

Test(judge, one_wrong_element_is_found_and_named)
{
    struct bench b;
    set_up(&b, gapped_sgn());
    answer(&b);
    output(&b, 0)[2] = output(&b, 1)[2] = 0.5F;
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_FAIL);
    cr_assert_eq(record.over_bound, 1);
    cr_assert_eq(record.worst.index, 2);
    cr_assert_str_eq(record.worst.truth, "1");
    cr_assert_str_eq(record.worst.got, "0.5 (0x3f000000)");
    cr_assert_str_eq(record.worst.inputs, "input 0 (input) = 5 (0x40a00000)");
    cr_assert_str_eq(record.worst.where, "output 0 [2]");
    cr_assert_eq(record.max_nu, INFINITY);
    cr_assert_not_null(strstr(record.reason, "rule 3"));
    tear_down(&b, &record);
}

Test(judge, a_byte_outside_every_result_fails)
{
    static const struct {
        int storage;
        int64_t byte;
        const char *what;
    } row[] = {{1, -1, "guard zone before"}, {1, 16, "guard zone behind"}, {0, 0, "gap"}, {0, 5, "operand"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bench b;
        set_up(&b, gapped_sgn());
        answer(&b);
        b.images[1].image[row[i].storage][BACKEND_GUARD + row[i].byte] ^= 0x10;
        struct record record = verdict(&b);
        cr_assert_eq(record.status, STATUS_FAIL, "%s", row[i].what);
        cr_assert_not_null(record.detail);
        cr_assert_not_null(strstr(record.detail, row[i].what), "%s: %s", row[i].what, record.detail);
        tear_down(&b, &record);
    }
}

Test(judge, runs_must_agree_unless_declared_nondeterministic)
{
    struct bench b;
    set_up(&b, gapped_sgn());
    answer(&b);
    output(&b, 1)[0] = nextafterf(output(&b, 1)[0], 0);
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_FAIL);
    cr_assert_eq(record.distinct, 2);
    record_clear(&record);
    b.profile.nondeterministic = (const char *const[]){"sgn", NULL};
    record = verdict(&b);
    cr_assert_eq(record.status, STATUS_PASS);
    cr_assert_eq(record.distinct, 2);
    tear_down(&b, &record);
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
    struct bench b;
    set_up(&b, program);
    answer(&b);
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_PASS);
    record_clear(&record);
    for (int r = 0; r < 2; r++) {
        float *y = (float *)(void *)(b.images[r].image[second.storage] + BACKEND_GUARD);
        *y = nextafterf(*y, 2);
    }
    record = verdict(&b);
    cr_assert_eq(record.status, STATUS_FAIL);
    cr_assert_eq(record.over_bound, 0);
    cr_assert_not_null(strstr(record.reason, "the same matrix twice"));
    record_clear(&record);
    b.profile.invariance = INVARIANCE_BOUND;
    record = verdict(&b);
    cr_assert_eq(record.status, STATUS_PASS, "%s", record.reason);
    tear_down(&b, &record);
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
    struct bench b;
    set_up(&b, program);
    answer(&b);
    for (int r = 0; r < 2; r++) {
        uint32_t other = 0xFFC12345;
        memcpy(b.images[r].image[second.storage] + BACKEND_GUARD, &other, sizeof other);
    }
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_PASS, "%s", record.reason);
    tear_down(&b, &record);
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
    struct bench b;
    set_up(&b, program);
    b.profile.invariance = INVARIANCE_BOUND;
    static const float quotient[2] = {NAN, 0}, direction[2] = {1, 0};
    for (int r = 0; r < 2; r++) {
        memcpy(b.images[r].image[first.storage] + BACKEND_GUARD, quotient, sizeof quotient);
        memcpy(b.images[r].image[second.storage] + BACKEND_GUARD, direction, sizeof direction);
    }
    struct record record = verdict(&b);
    cr_assert_eq(record.over_bound, 0);
    cr_assert_eq(record.status, STATUS_FAIL);
    cr_assert_not_null(strstr(record.reason, "infinity twice"));
    tear_down(&b, &record);
}

/* b[1:] += b[:-1] */
static struct program *overlapping_add(void)
{
    struct program *program = program_create();
    struct view x = {.storage = program_storage(program, 8 * 4),
                     .dtype = DTYPE_FLOAT32,
                     .shape = shape_of(1, (int64_t)7),
                     .stride = {1},
                     .offset = 1};
    struct view y = x;
    y.offset = 0;
    program_define(program, &x);
    program_define(program, &y);
    program_step(program, op_find("add_"), NULL, 2, (struct view[]){x, y});
    return program;
}

Test(judge, what_must_be_rejected_is_and_leaves_no_trace)
{
    struct bench b;
    set_up(&b, overlapping_add());
    cr_assert_eq(b.program->step[0].expect, EXPECT_REJECTION);
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_PASS);
    record_clear(&record);
    b.images[0].image[0][BACKEND_GUARD + 3] = 1;
    record = verdict(&b);
    cr_assert_eq(record.status, STATUS_FAIL);
    record_clear(&record);
    b.images[0].image[0][BACKEND_GUARD + 3] = 0;
    b.result[0][0].status = b.result[1][0].status = STEP_OK;
    record = verdict(&b);
    cr_assert_eq(record.status, STATUS_FAIL);
    cr_assert_not_null(strstr(record.reason, "must reject"));
    tear_down(&b, &record);
}

/* Where the profile leaves refusals open, operands that were taken are no failure, and prove nothing. */
Test(judge, refusals_may_be_open)
{
    struct bench b;
    set_up(&b, overlapping_add());
    b.profile.refusals = REFUSALS_OPEN;
    b.images[0].image[0][BACKEND_GUARD + 3] = 1; /* what it wrote */
    b.result[0][0].status = b.result[1][0].status = STEP_OK;
    struct record record = verdict(&b);
    cr_expect_eq(record.status, STATUS_UNSUPPORTED);
    cr_expect(strstr(record.reason, "took operands that PyTorch refuses"), "%s", record.reason);
    record_clear(&record);
    b.result[0][0].status = b.result[1][0].status = STEP_REJECTED; /* refused, and written to all the same */
    record = verdict(&b);
    cr_expect_eq(record.status, STATUS_FAIL);
    tear_down(&b, &record);
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
    struct bench b;
    set_up(&b, program);
    answer(&b);
    b.profile.range = RANGE_NAIVE;
    struct record record = verdict(&b); /* what is right is no finding */
    cr_expect_eq(record.status, STATUS_PASS);
    cr_expect_eq(record.range_findings, 0);
    cr_expect_eq(record.elements, 2);
    record_clear(&record);
    output(&b, 0)[0] = output(&b, 1)[0] = 0;
    b.profile.range = RANGE_SAFE;
    record = verdict(&b);
    cr_expect_eq(record.status, STATUS_FAIL);
    cr_expect_eq(record.range_findings, 0);
    record_clear(&record);
    b.profile.range = RANGE_NAIVE;
    record = verdict(&b);
    cr_expect_eq(record.status, STATUS_PASS);
    cr_expect_eq(record.range_findings, 1);
    cr_expect_eq(record.elements, 1);
    cr_expect(strstr(record.reason, "class RANGE: in 1 element"), "%s", record.reason);
    record_clear(&record);
    output(&b, 0)[1] = output(&b, 1)[1] = 0;
    record = verdict(&b);
    cr_expect_eq(record.status, STATUS_FAIL);
    tear_down(&b, &record);
}

Test(judge, an_undue_rejection_fails_and_unsupported_is_no_failure)
{
    struct bench b;
    set_up(&b, gapped_sgn());
    b.result[0][0].status = b.result[1][0].status = STEP_REJECTED;
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_FAIL);
    cr_assert_not_null(strstr(record.reason, "must accept"));
    record_clear(&record);
    b.result[0][0].status = STEP_UNSUPPORTED;
    strcpy(b.result[0][0].message, "no such kernel");
    record = verdict(&b);
    cr_assert_eq(record.status, STATUS_UNSUPPORTED);
    cr_assert_str_eq(record.reason, "no such kernel");
    record_clear(&record);
    b.result[0][0].status = STEP_ERROR;
    record = verdict(&b);
    cr_assert_eq(record.status, STATUS_ERROR);
    tear_down(&b, &record);
}

Test(judge, results_that_lean_one_way_fail_though_each_is_in_bound)
{
    enum { COUNT = 2000 };
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)COUNT);
    struct view operand[2] = {program_input(program, DTYPE_FLOAT32, &shape),
                              program_input(program, DTYPE_FLOAT32, &shape)};
    for (int i = 0; i < COUNT; i++) {
        program_set(program, &operand[0], i, 0, 1.25 + i * 0x1p-23);
        program_set(program, &operand[1], i, 0, 0x1p-8 + i * 0x1p-23);
    }
    struct attributes alpha = {.count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 0.3}}};
    /* sums near 1.25, of a small product that rounds as well: B spans 1.25 ulp */
    program_step(program, op_find("add_"), &alpha, 2, operand);
    struct bench b;
    set_up(&b, program);
    answer(&b);
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_PASS, "%s", record.reason);
    record_clear(&record);
    for (int64_t i = 0; i < COUNT;
         i++) { /* every third result rounded up instead of to nearest, where B allows */
        const struct value *truth = &b.truth.truth[0]->output[0].value[i];
        for (int r = 0; r < 2; r++) {
            float *x = (float *)(void *)(b.images[r].image[0] + BACKEND_GUARD) + i;
            float up = nextafterf(*x, 2);
            if (*x < truth->hi && up - truth->hi <= truth->hi * 0x1p-24) {
                *x = up;
            }
        }
    }
    record = verdict(&b);
    cr_assert_eq(record.over_bound, 0);
    cr_assert_eq(record.status, STATUS_FAIL);
    cr_assert_not_null(strstr(record.reason, "bias"));
    tear_down(&b, &record);
}

/* −3 + 3·(1 + 2^-23): what is left is as small as the product's rounding. */
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
    struct bench b;
    set_up(&b, program);
    answer(&b);
    struct record record = verdict(&b);
    cr_assert_eq(record.status, STATUS_VACUOUS, "rho %g", record.median_rho);
    cr_assert_float_eq(record.median_rho, 0.5, 1e-3);
    record_clear(&record);
    for (int r = 0; r < 2; r++) {
        *(float *)(void *)(b.images[r].image[0] + BACKEND_GUARD) = 1;
    }
    record = verdict(&b);
    cr_assert_eq(record.status, STATUS_FAIL, "fail beats vacuous");
    tear_down(&b, &record);
}
