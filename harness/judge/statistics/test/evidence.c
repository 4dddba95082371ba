/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The envelope in verdicts: Q, T and G by their definitions, each of which fails alone; where the envelope
 * may fail a case, and where it makes a finding. */

#include "harness/judge/statistics/evidence.h"
#include "harness/judge/test/answered.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* --- S and N of an element under a profile */

Test(evidence, limits_of_an_element)
{
    struct answered t = answered_problem("matmul", 64, PROBLEM_NORMAL, 20);
    struct envelope *e = &output_of(&t)->envelope[3];
    double u = 0x1p-24, truth = fabs(truth_at(&t, 3)), tiny = 1e-40;
    cr_expect_eq(limit_at(&t, 3).spread, u * e->spread);
    cr_expect_eq(limit_at(&t, 3).group_spread, u * e->group_spread);
    cr_expect_float_eq(limit_at(&t, 3).certain, u * truth, tiny);
    e->drift[ENVELOPE_OWN] = 3 * u;
    e->drift[ENVELOPE_FLOAT64] = 5 * u;
    e->truncation = 7 * u;
    cr_expect_float_eq(limit_at(&t, 3).certain, u * (truth + 10), 1e-15 * u);
    t.mock.profile.accumulate[DTYPE_FLOAT32] = DTYPE_FLOAT64;
    cr_expect_eq(limit_at(&t, 3).spread, 0x1p-53 * e->spread);
    cr_expect_float_eq(limit_at(&t, 3).certain, u * (truth + 12), 1e-15 * u);
    t.mock.profile.accumulate[DTYPE_FLOAT32] = DTYPE_FLOAT32;
    t.mock.profile.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    cr_expect_eq(limit_at(&t, 3).spread, 2 * u * e->spread);
    cr_expect_float_eq(limit_at(&t, 3).certain, u * (2 * truth + 13), 1e-15 * u);
    struct envelope_limit limit = {.spread = 2, .certain = 3};
    cr_expect_eq(envelope_limit_reach(&limit), 35);
    answered_close(&t);
}

/* While 16·S of the elimination is below 1. */
Test(evidence, a_sign_is_certain_or_nothing_is)
{
    struct answered t = answered_problem("slogdet", 8, PROBLEM_NORMAL, 21);
    t.tensor = 0;
    struct envelope *e = &t.mock.truth.truth[0]->output[0].envelope[0];
    e->sign_spread = 0x1.fp19;
    cr_expect(limit_at(&t, 0).fixed && limit_at(&t, 0).known);
    e->sign_spread = 0x1p20;
    cr_expect(!limit_at(&t, 0).fixed && !limit_at(&t, 0).known);
    e->sign_spread = 1;
    e->drift[ENVELOPE_OWN] = 1;
    cr_expect(!limit_at(&t, 0).fixed && !limit_at(&t, 0).known);
    answered_close(&t);
}

/* --- Q, T, G */

Test(evidence, an_element_beyond_q_fails_alone)
{
    struct answered t = answered_problem("matmul", 64, PROBLEM_NORMAL, 1);
    int64_t widest = 0;
    for (int64_t i = 1; i < output_of(&t)->elements; i++) {
        struct envelope_limit a = limit_at(&t, i), b = limit_at(&t, widest);
        widest = a.spread / fabs(truth_at(&t, i)) > b.spread / fabs(truth_at(&t, widest)) ? i : widest;
    }
    spoil(&t, widest, 15.5, 1);
    const struct record *inside = mock_verdict(&t.mock);
    cr_expect_eq(inside->status, STATUS_PASS, "%s", inside->reason);
    cr_expect(inside->envelope_q > 0.9 && inside->envelope_q < 1, "%g", inside->envelope_q);
    spoil(&t, widest, 16.5, -1);
    const struct record *outside = mock_verdict(&t.mock);
    cr_expect_eq(outside->status, STATUS_FAIL);
    cr_expect_eq(outside->over_bound, 1);
    cr_expect(outside->envelope_t < EVIDENCE_T_LIMIT && outside->envelope_g < EVIDENCE_G_LIMIT);
    cr_expect_eq(outside->worst.index, widest);
    cr_expect(strstr(outside->reason, "envelope"), "%s", outside->reason);
    answered_close(&t);
}

/* Errors of `spreads`·S beyond N everywhere; signs that keep G small. */
static void spread_out(struct answered *t, double spreads)
{
    double balance = 0;
    for (int64_t i = 0; i < output_of(t)->elements; i++) {
        struct envelope_limit limit = limit_at(t, i);
        double weight = 1 / (limit.group_spread * truth_at(t, i)); /* c/S_c² with c = e/t, S_c = S/t */
        double sign = balance * weight > 0 ? -1 : 1;
        balance += sign * weight;
        spoil(t, i, spreads, sign);
    }
}

Test(evidence, t_is_a_root_mean_square_and_fails_alone)
{
    struct answered t = answered_problem("matmul", 256, PROBLEM_NORMAL, 2);
    spread_out(&t, 3.7);
    const struct record *below = mock_verdict(&t.mock);
    cr_expect_eq(below->status, STATUS_PASS, "%s", below->reason);
    cr_expect_float_eq(below->envelope_t, 3.7, 0.1, "%g", below->envelope_t);
    spread_out(&t, 4.3);
    const struct record *above = mock_verdict(&t.mock);
    cr_expect_eq(above->status, STATUS_FAIL);
    cr_expect_eq(above->over_bound, 0);
    cr_expect_float_eq(above->envelope_t, 4.3, 0.1, "%g", above->envelope_t);
    cr_expect_lt(above->envelope_g, EVIDENCE_G_LIMIT);
    cr_expect(strstr(above->reason, "rule envelope: the root mean square of the errors (T = "), "%s",
              above->reason);
    answered_close(&t);
}

Test(evidence, g_is_a_common_scale_and_fails_alone)
{
    struct answered t = answered_problem("matmul", 256, PROBLEM_NORMAL, 3);
    int64_t n = output_of(&t)->elements;
    for (int step = 0; step < 2; step++) {
        double spreads = step ? 0.6 : 0.2, sum = 0, weight = 0;
        for (int64_t i = 0; i < n; i++) {
            struct envelope_limit limit = limit_at(&t, i);
            double truth = truth_at(&t, i);
            spoil(&t, i, spreads, truth < 0 ? -1 : 1);
            double error = *element_at(&t, i) - truth, c = fmax(0, fabs(error) - limit.certain) / fabs(truth);
            sum += c / (limit.group_spread * limit.group_spread);
            weight += 1 / (limit.group_spread * limit.group_spread);
        }
        const struct record *record = mock_verdict(&t.mock);
        cr_expect_float_eq(record->envelope_g, sum / sqrt(weight), 1e-6 * record->envelope_g);
        cr_expect_lt(record->envelope_t, 1);
        cr_expect_eq(record->envelope_groups, n);
        cr_expect_eq(record->status, step ? STATUS_FAIL : STATUS_PASS, "%g", record->envelope_g);
        cr_expect(!step || strstr(record->reason,
                                  "rule envelope: the scale error that the results have in common (G = "),
                  "%s", record->reason);
    }
    answered_close(&t);
}

/* Elements of a row share errors: one c of ⟨e, t⟩/⟨t, t⟩. */
Test(evidence, a_group_is_one_number)
{
    struct answered t = answered_problem("layer_norm", 33, PROBLEM_MEAN_10, 4);
    double sum = 0, weight = 0, u = 0x1p-24;
    for (int64_t row = 0; row < 32; row++) {
        double along = 0, square = 0, spread = 0;
        for (int64_t i = 33 * row; i < 33 * row + 33; i++) {
            struct envelope_limit limit = limit_at(&t, i);
            double truth = truth_at(&t, i);
            *element_at(&t, i) = (float)(truth + copysign(limit.certain, truth) + 20 * u * truth);
            double error = *element_at(&t, i) - truth, rest = fmax(0, fabs(error) - limit.certain);
            along += copysign(rest, error) * truth;
            square += truth * truth;
            spread = limit.group_spread;
            cr_expect_eq(limit.group, row);
        }
        sum += along / square / (spread * spread);
        weight += 1 / (spread * spread);
    }
    const struct record *record = mock_verdict(&t.mock);
    cr_expect_eq(record->envelope_groups, 32);
    cr_expect_float_eq(record->envelope_g, sum / sqrt(weight), 1e-6 * record->envelope_g);
    answered_close(&t);
}

static struct evidence_statistics statistics_of(const struct answered *t, int64_t elements)
{
    struct evidence e;
    cr_assert(evidence_open(&e, elements, DTYPE_FLOAT32, true));
    for (int64_t i = 0; i < elements; i++) {
        struct bound_query query = query_at(t, i);
        struct envelope_limit limit = limit_at(t, i);
        struct accept accept;
        op_accept(&query, &accept);
        evidence_add(&e, &query, &accept, &limit, element_at(t, i));
    }
    struct evidence_statistics s;
    cr_assert(evidence_end_slice(&e));
    evidence_measure(&e, &s);
    evidence_close(&e);
    return s;
}

Test(evidence, g_needs_sixteen_groups)
{
    struct answered t = answered_problem("matmul", 64, PROBLEM_NORMAL, 5);
    for (int64_t i = 0; i < 16; i++) {
        spoil(&t, i, 3, truth_at(&t, i) < 0 ? -1 : 1);
    }
    cr_expect_eq(statistics_of(&t, 15).g, 0);
    cr_expect_eq(statistics_of(&t, 15).groups, 15);
    cr_expect_gt(statistics_of(&t, 16).g, EVIDENCE_G_LIMIT);
    answered_close(&t);
}

/* --- where it may fail a case */

/* A scale error that B accepts is a failure or a finding. */
static void expect_finding(struct answered *t, bool failure, const char *what)
{
    for (int64_t i = 0; i < output_of(t)->elements; i++) {
        spoil(t, i, 2, truth_at(t, i) < 0 ? -1 : 1);
    }
    const struct record *record = mock_verdict(&t->mock);
    cr_expect_eq(record->status, failure ? STATUS_FAIL : STATUS_PASS, "%s: %s", what, record->reason);
    cr_expect(failure ? record->implausible == 0 : record->implausible > 1, "%s: %g", what,
              record->implausible);
    answered_close(t);
}

Test(evidence, only_random_data_under_declared_rounding_may_fail)
{
    struct answered t = answered_problem("matmul", 64, PROBLEM_NORMAL, 16);
    expect_finding(&t, true, "random");
    t = answered_problem("matmul", 64, PROBLEM_NORMAL, 16);
    t.mock.program->storage[1].origin = ORIGIN_STRUCTURED;
    expect_finding(&t, false, "structured");
    t = answered_problem("matmul", 64, PROBLEM_NORMAL, 16);
    t.mock.program->storage[0].origin = ORIGIN_UNDECLARED;
    expect_finding(&t, false, "undeclared");
    t = answered_problem("matmul", 64, PROBLEM_NORMAL, 16);
    t.mock.profile.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    expect_finding(&t, false, "open rounding");
    t = answered_problem("matmul", 64, PROBLEM_NORMAL, 16);
    t.mock.program->step[0].input[0].stride[0] = 0; /* one row in several places */
    expect_finding(&t, false, "expanded");
}

/* Accumulated in a type whose rounding is open, stored in one whose rounding is declared. */
Test(evidence, both_roundings_must_be_declared)
{
    struct answered t = answered_problem("matmul", 64, PROBLEM_NORMAL, 17);
    t.mock.profile.accumulate[DTYPE_FLOAT32] = DTYPE_FLOAT64;
    cr_expect(limit_at(&t, 0).may_fail);
    t.mock.profile.rounding[DTYPE_FLOAT64] = ROUNDING_OPEN;
    cr_expect(!limit_at(&t, 0).may_fail);
    t.mock.profile.rounding[DTYPE_FLOAT64] = ROUNDING_RTE;
    t.mock.profile.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    cr_expect(!limit_at(&t, 0).may_fail);
    answered_close(&t);
}

Test(evidence, what_a_step_has_written_is_not_random)
{
    struct program *program = program_create();
    struct shape shape = shape_of(2, (int64_t)4, (int64_t)4);
    struct view a = program_input(program, DTYPE_FLOAT32, &shape),
                b = program_input(program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; i < 16; i++) {
        program_set(program, &a, i, 0, 1.0 / (double)(i + 3));
        program_set(program, &b, i, 0, 1.0 / (double)(i + 5));
    }
    program->storage[0].origin = program->storage[1].origin = ORIGIN_RANDOM;
    struct view operands[2] = {a, b}, both[2] = {b, a};
    program_step(program, op_find("matmul"), NULL, 2, operands);
    program_step(program, op_find("add_"), NULL, 2, both);
    program_step(program, op_find("matmul"), NULL, 2, operands);
    cr_expect(program_step_is_random(program, 0));
    cr_expect(!program_step_is_random(program, 2)); /* b has been written */
    program->step[0].input[1].stride[1] = 0;
    cr_expect(!program_step_is_random(program, 0));
    program_destroy(&program);
}

/* Where N alone exceeds B, the envelope says nothing. */
Test(evidence, nothing_where_n_exceeds_b)
{
    struct answered t = answered_problem("matmul", 16, PROBLEM_NORMAL, 18);
    struct bound_query query = query_at(&t, 0);
    struct accept accept;
    op_accept(&query, &accept);
    struct envelope_limit limit = limit_at(&t, 0);
    cr_expect(evidence_decides(&accept, &limit));
    limit.certain = accept.set[0].radius * 1.01;
    cr_expect(!evidence_decides(&accept, &limit));
    limit.fixed = true; /* a class is certain nevertheless */
    cr_expect(evidence_decides(&accept, &limit));
    answered_close(&t);
}
