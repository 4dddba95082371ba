/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/test/mock.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* What a verdict by the envelope says and leaves in the record: the product of [4, 512] and [512, 4] random
 * numbers in (−1, 1), with results from the test itself. B is some 30 times Q there. */
enum { ROWS = 4, TERMS = 512, ELEMENTS = ROWS * ROWS };

static void fill(struct program *program, const struct view *view, struct philox *generator, bool random)
{
    for (int64_t i = 0; i < shape_elements(&view->shape); i++) {
        program_set(program, view, i, 0, philox_signed(generator));
    }
    program->storage[view->storage].origin = random ? ORIGIN_RANDOM : ORIGIN_UNDECLARED;
}

static void open_product(struct mock *m, bool random)
{
    struct program *program = program_create();
    struct shape left = shape_of(2, (int64_t)ROWS, (int64_t)TERMS),
                 right = shape_of(2, (int64_t)TERMS, (int64_t)ROWS);
    struct view operand[2] = {program_input(program, DTYPE_FLOAT32, &left),
                              program_input(program, DTYPE_FLOAT32, &right)};
    struct philox generator;
    philox_start(&generator, 1);
    fill(program, &operand[0], &generator, random);
    fill(program, &operand[1], &generator, random);
    program_step(program, op_find("matmul"), NULL, 2, operand);
    mock_open(m, program, 2);
}

static double spread_of(const struct mock *m, int64_t i)
{
    return m->truth.truth[0]->output[0].envelope[i].spread * 0x1p-24;
}

static double truth_of(const struct mock *m, int64_t i)
{
    return value_approximately(&m->truth.truth[0]->output[0].value[i]);
}

/* Writes truth + error in both runs. */
static void put(struct mock *m, int64_t i, double error)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    step_judged(&m->program->step[0], judged);
    for (int r = 0; r < m->runs; r++) {
        dtype_store(judged[0].dtype, mock_element(m, r, &judged[0], i), truth_of(m, i) + error);
    }
}

static void says(const char *text, const char *words)
{
    cr_assert(text && strstr(text, words), "\"%s\" is not in: %s", words, text ? text : "(nothing)");
}

Test(verdict_texts, beyond_q)
{
    struct mock m;
    open_product(&m, true);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        put(&m, i, i == 5 ? 64 * spread_of(&m, i) : 0);
    }
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_str_eq(record->rule, RECORD_RULE_ENVELOPE);
    says(record->reason, "rule envelope: within B, but beyond Q = 16 S + N");
    says(record->reason, "times it; false alarms below 1e-50 per element (1 of 16 elements fail)");
    says(record->detail, "B = ");
    says(record->detail, "S = ");
    says(record->detail, "Q = 16 S + N = ");
    says(record->detail, "the error exceeds N by ");
    cr_assert(record->worst.index == 5 && record->worst.nu > 3 && record->worst.nu < 4, "%g",
              record->worst.nu);
    cr_assert(record->implausible == 0 && !record->implausible_by, "a failure is no finding");
    mock_close(&m);
}

Test(verdict_texts, errors_too_large_together)
{
    struct mock m;
    open_product(&m, true);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        put(&m, i, (i % 2 ? 6 : -6) * spread_of(&m, i));
    }
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_eq(record->over_bound, 0);
    cr_assert_str_eq(record->rule, RECORD_RULE_ENVELOPE);
    says(record->reason, "rule envelope: the root mean square of the errors (T = 5.");
    says(record->reason, "times the limit of 4");
    says(record->reason, "false alarms below 1e-6 per case");
    mock_close(&m);
}

Test(verdict_texts, a_common_error_of_scale)
{
    struct mock m;
    open_product(&m, true);
    double square = 0;
    for (int64_t i = 0; i < ELEMENTS; i++) {
        square += truth_of(&m, i) * truth_of(&m, i) / (spread_of(&m, i) * spread_of(&m, i));
    }
    for (int64_t i = 0; i < ELEMENTS; i++) {
        put(&m, i, truth_of(&m, i) * 10 / sqrt(square)); /* G = 10, T = 10/sqrt(16) */
    }
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_FAIL);
    cr_assert_eq(record->over_bound, 0);
    cr_assert_str_eq(record->rule, RECORD_RULE_ENVELOPE);
    says(record->reason, "rule envelope: the scale error that the results have in common (G = ");
    says(record->reason, "over 16 groups");
    says(record->reason, "times the limit of 6");
    says(record->reason, "false alarms below 1e-8 per case");
    mock_close(&m);
}

/* A result beyond B: the text mentions the envelope, but B is the rule. */
Test(verdict_texts, a_bound_broken_is_not_by_the_envelope)
{
    struct mock m;
    open_product(&m, true);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        put(&m, i, i == 5 ? 1 : 0);
    }
    const struct record *record = mock_verdict(&m);
    cr_assert(record->status == STATUS_FAIL);
    cr_assert_str_eq(record->rule, "bound");
    says(record->reason, "rule 3");
    says(record->detail, "Q = 16 S + N = ");
    mock_close(&m);
}

/* One element is beyond Q and one beyond B: the rule is then B's, whichever element is worse. */
Test(verdict_texts, the_rule_is_the_envelope_where_all_is)
{
    struct mock m;
    open_product(&m, true);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        put(&m, i, i == 5 ? 1 : i == 6 ? 64 * spread_of(&m, i) : 0);
    }
    cr_assert_str_eq(mock_verdict(&m)->rule, "bound");
    mock_close(&m);
    open_product(&m, true);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        put(&m, i, i == 5 ? 64 * spread_of(&m, i) : 0);
    }
    struct view judged[TRUTH_OUTPUTS_MAX];
    step_judged(&m.program->step[0], judged);
    m.images[1].image[judged[0].storage][BACKEND_GUARD] ^=
        1; /* and the second run differs in another element */
    const struct record *record = mock_verdict(&m);
    cr_assert_str_eq(record->rule, "not repeatable");
    says(record->reason, "rule envelope: within B");
    says(record->detail, "runs 0 and 1 on the same inputs differ");
    mock_close(&m);
}

Test(verdict_texts, a_finding_where_data_are_not_declared_random)
{
    struct mock m;
    open_product(&m, false);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        put(&m, i, (i % 2 ? 64 : -64) * spread_of(&m, i));
    }
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_PASS, "%s", record->reason);
    cr_assert(!record->rule && !record->reason);
    cr_assert(record->implausible > 10 && record->implausible < 20, "%g", record->implausible);
    cr_assert_str_eq(record->implausible_by, "T"); /* 64 S each: T = 64 against 4, Q = 64 against 16 */
    mock_close(&m);
}

/* The limits of a Hilbert matrix in float32 take either sign of its determinant. */
Test(verdict_texts, a_wrong_class_that_would_pass)
{
    struct program *program = program_create();
    struct shape shape = shape_of(2, (int64_t)8, (int64_t)8);
    struct view a = program_input(program, DTYPE_FLOAT32, &shape);
    for (int i = 0; i < 64; i++) {
        program_set(program, &a, i, 0, 1.0 / (i / 8 + i % 8 + 1));
    }
    program_step(program, op_find("logdet"), NULL, 1, &a);
    struct mock m;
    mock_open(&m, program, 2);
    put(&m, 0, 0);
    const struct record *record = mock_verdict(&m);
    cr_assert_eq(record->status, STATUS_VACUOUS);
    says(record->rule, RECORD_RULE_WRONG_CLASS);
    says(record->reason, "no evidence: ");
    says(record->reason, " in place of the result would pass");
    mock_close(&m);
}

/* A case in which no element is judged has no resolution. */
Test(verdict_texts, a_refusal_has_no_resolution)
{
    struct mock m;
    mock_open(&m, mock_overlapping_add(), 2);
    const struct record *record = mock_verdict(&m);
    cr_assert(record->status == STATUS_PASS && record->elements == 0);
    cr_assert(isnan(record->resolution));
    mock_close(&m);
}
