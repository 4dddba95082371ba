/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Errors by input: a wrong result appears in the binade and sign of its input, and nowhere else. */
#include "harness/judge/test/mock.h"
#include "suites/suite.h"

#include <math.h>

static struct program *program_named(const char *id)
{
    struct suite_list *list = suite_list_create();
    int index = suite_list_find(list, id);
    cr_assert_geq(index, 0, "%s is no case", id);
    struct program *program = suite_build(suite_list_at(list, index), 1, NULL);
    suite_list_destroy(&list);
    return program;
}

static const struct record_by_input *place_of(const struct record *record, bool negative, int exponent)
{
    for (int k = 0; k < record->by_inputs; k++) {
        const struct record_by_input *one = &record->by_input[k];
        if (one->negative == negative && one->exponent == exponent) {
            return one;
        }
    }
    return NULL;
}

/* tanh of every float16: right, then twelve units off at −0.75. */
Test(by_input, a_wrong_result_shows_in_its_binade)
{
    struct mock m;
    mock_open(&m, program_named("elementwise/tanh/float16/all-patterns"), 1);
    mock_answer(&m);
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS, "%s", record->reason ? record->reason : "");
    for (int negative = 0; negative < 2; negative++) {
        for (int e = -24; e <= 15; e++) {
            const struct record_by_input *one = place_of(record, negative, e);
            cr_assert(one, "nothing at %s2^%d", negative ? "-" : "", e);
            cr_expect(one->ulp <= 0.5 && one->allowed > 0.5 && one->allowed < 7, "%g of %g allowed at 2^%d",
                      one->ulp, one->allowed, e);
        }
    }
    cr_expect_eq(record->by_inputs, 80, "zeros, infinities and NaN have no binade");

    const struct step *step = &m.program->step[0];
    struct view judged[TRUTH_OUTPUTS_MAX];
    step_judged(step, judged);
    const int64_t at = 0xba00; /* −0.75; the operand holds the patterns in their order */
    cr_assert_eq(dtype_load(DTYPE_FLOAT16, mock_element(&m, 0, &step->input[0], at)), -0.75);
    unsigned char *got = mock_element(&m, 0, &judged[0], at);
    dtype_store_bits(DTYPE_FLOAT16, got, dtype_bits(DTYPE_FLOAT16, got) + 12);
    record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_FAIL);
    for (int k = 0; k < record->by_inputs; k++) {
        const struct record_by_input *one = &record->by_input[k];
        bool here = one->negative && one->exponent == -1;
        cr_expect_eq(one->ulp > one->allowed, here, "%g of %g allowed at %s2^%d", one->ulp, one->allowed,
                     one->negative ? "-" : "", one->exponent);
        cr_expect(!here || fabs(one->ulp - 12) <= 0.55, "%g ulp", one->ulp);
    }
    mock_close(&m);
}

/* Numbers of all exponents beside one another: each binade of them has its errors. */
Test(by_input, numbers_of_many_binades_in_turn)
{
    enum { COUNT = 6000, BINADES = 48 };
    double x[COUNT];
    for (int i = 0; i < COUNT; i++) { /* the first of each run is of a binade that has been there */
        const int other = i % 256 - 100;
        x[i] = ldexp(1 + (double)i / COUNT, i < 1024 || other < 0 || other >= BINADES ? 0 : other - 40);
    }
    struct mock m;
    struct view judged[TRUTH_OUTPUTS_MAX];
    mock_open(&m, mock_function(op_find("atan"), DTYPE_FLOAT32, COUNT, x), 1);
    mock_answer(&m);
    step_judged(&m.program->step[0], judged);
    unsigned char *got = mock_element(&m, 0, &judged[0], 512);
    dtype_store_bits(DTYPE_FLOAT32, got,
                     dtype_bits(DTYPE_FLOAT32, got) + 1); /* none behind it errs as much */
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS, "%s", record->reason ? record->reason : "");
    cr_expect_eq(record->by_inputs, BINADES);
    for (int e = -40; e < BINADES - 40; e++) {
        cr_expect(place_of(record, false, e), "nothing at 2^%d", e);
    }
    mock_close(&m);
}

/* What leaves the range in a binade of its own, and numbers behind it. */
Test(by_input, numbers_behind_what_leaves_the_range)
{
    enum { COUNT = 6000, BINADES = 46 };
    double x[COUNT];
    for (int i = 0; i < COUNT; i++) {
        bool beyond = i % 32 == 0 || i < 1024; /* the first of each run, and whole ones */
        x[i] = beyond ? 500 : ldexp(1 + (double)i / COUNT, i % BINADES - 40);
    }
    struct mock m;
    mock_open(&m, mock_function(op_find("exp"), DTYPE_FLOAT32, COUNT, x), 1);
    mock_answer(&m);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->by_inputs, BINADES, "%d", record->by_inputs);
    mock_close(&m);
}

/* The same in slices of the truth, whose places are added up. */
Test(by_input, parts_are_added_up)
{
    struct mock m;
    struct error error = {.text = ""};
    struct program_truth truth;
    const struct truth_source source = {.sliced = true};
    struct record whole, parts;
    mock_open(&m, program_named("elementwise/tanh/float32/patterns-0x0fc"), 1);
    mock_answer(&m);
    whole = *mock_verdict(&m);
    m.record = (struct record){.reason = NULL};
    cr_assert(program_truth_compute(m.program, &source, &truth, &error) && truth.slices, "%s", error.text);
    const struct judge_run run = {&m.images[0], m.result[0]};
    const struct judge_request request = {
        .program = m.program, .truth = &truth, .profile = &m.profile, .runs = 1, .run = &run, .threads = 2};
    memset(&parts, 0, sizeof parts);
    cr_assert(judge(&request, &parts, &error), "%s", error.text);
    cr_assert_gt(whole.by_inputs, 0);
    cr_assert_eq(whole.by_inputs, parts.by_inputs);
    for (int k = 0; k < parts.by_inputs; k++) {
        const struct record_by_input *a = &whole.by_input[k], *b = &parts.by_input[k];
        cr_expect(a->negative == b->negative && a->exponent == b->exponent && a->ulp == b->ulp &&
                  a->allowed == b->allowed);
    }
    record_clear(&whole);
    record_clear(&parts);
    program_truth_destroy(&truth);
    mock_close(&m);
}

/* A few inputs, or a few exponents of them, make no picture; nor do operators of two operands. */
Test(by_input, other_cases_have_none)
{
    static const char *const ids[] = {"elementwise/tanh/float16/ordinary",
                                      "elementwise/pow/float16/all-patterns",
                                      "elementwise/floor/float16/all-patterns"};
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        struct mock m;
        mock_open(&m, program_named(ids[k]), 1);
        mock_answer(&m);
        cr_expect_eq(mock_verdict(&m)->by_inputs, 0, "%s", ids[k]);
        mock_close(&m);
    }
}
