/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The envelope in verdicts: Q, T and G by their definitions, each failing alone; resolution against scaled
 * truths that are judged; wrong classes; where the envelope may fail a case, and where it is a finding. */

#include "harness/verdict/evidence.h"
#include "harness/verdict/judge.h"
#include "suites/problems.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A problem whose "backend" is the test. */
struct trial {
    struct program *program;
    struct program_truth truth;
    struct profile profile;
    struct images images;
    struct step_result result;
    struct view judged[TRUTH_OUTPUTS_MAX];
    int tensor; /* the one that is spoiled */
};

static void answer(struct trial *t)
{
    for (int o = 0; o < t->truth.truth[0]->outputs; o++) {
        const struct truth_output *out = &t->truth.truth[0]->output[o];
        for (int64_t i = 0; i < out->elements; i++) {
            size_t at = (size_t)view_element(&t->judged[o], i) * dtype_info(out->dtype)->size + BACKEND_GUARD;
            value_store(&out->value[i], out->dtype, t->images.image[t->judged[o].storage] + at);
        }
    }
}

static struct trial trial_of(const char *op, int64_t size, enum problem_data data, uint64_t seed)
{
    struct trial t;
    struct error error = {.text = ""};
    struct problem problem = {op, DTYPE_FLOAT32, size, data, seed};
    memset(&t, 0, sizeof t);
    t.program = problem_build(&problem, &error);
    t.profile = profile_ieee();
    cr_assert(t.program && program_truth_compute(t.program, NULL, &t.truth, &error), "%s", error.text);
    cr_assert(images_create(&t.images, t.program));
    images_fill(&t.images, t.program, 0);
    t.tensor = step_judged(&t.program->step[0], t.judged) - 1;
    t.result.status = STEP_OK;
    answer(&t);
    return t;
}

static void close_trial(struct trial *t)
{
    images_destroy(&t->images);
    program_truth_destroy(&t->truth);
    program_destroy(&t->program);
}

static struct record verdict(struct trial *t)
{
    struct judge_run run = {&t->images, &t->result};
    struct judge_request request = {
        .program = t->program, .truth = &t->truth, .profile = &t->profile, .runs = 1, .run = &run};
    struct record record = {.id = NULL};
    cr_assert(judge(&request, &record, NULL));
    return record;
}

static enum status status_of(struct trial *t)
{
    struct record record = verdict(t);
    enum status status = record.status;
    record_clear(&record);
    return status;
}

static const struct truth_output *output_of(const struct trial *t)
{
    return &t->truth.truth[0]->output[t->tensor];
}

static double truth_at(const struct trial *t, int64_t i)
{
    return value_approximately(&output_of(t)->value[i]);
}

static struct bound_query query_at(const struct trial *t, int64_t i)
{
    const struct step *step = &t->program->step[0];
    return (struct bound_query){.op = step->op,
                                .profile = &t->profile,
                                .attributes = &step->attributes,
                                .truth = t->truth.truth[0],
                                .output = t->tensor,
                                .element = i};
}

static struct envelope_limit limit_at(const struct trial *t, int64_t i)
{
    struct bound_query query = query_at(t, i);
    struct envelope_limit limit;
    op_envelope(&query, &limit);
    return limit;
}

static float *element_at(const struct trial *t, int64_t i)
{
    const struct view *view = &t->judged[t->tensor];
    return (float *)(void *)(t->images.image[view->storage] + BACKEND_GUARD) + view_element(view, i);
}

/* RN(truth + sign·(N + spreads·S)) */
static void err(struct trial *t, int64_t i, double spreads, double sign)
{
    struct envelope_limit limit = limit_at(t, i);
    *element_at(t, i) = (float)(truth_at(t, i) + sign * (limit.certain + spreads * limit.spread));
}

/* --- S and N of an element under a profile */

Test(evidence, limits_of_an_element)
{
    struct trial t = trial_of("matmul", 64, PROBLEM_NORMAL, 20);
    struct envelope *e = &output_of(&t)->envelope[3];
    double u = 0x1p-24, truth = fabs(truth_at(&t, 3)), tiny = 1e-40;
    cr_expect_eq(limit_at(&t, 3).spread, u * e->spread);
    cr_expect_eq(limit_at(&t, 3).group_spread, u * e->group_spread);
    cr_expect_float_eq(limit_at(&t, 3).certain, u * truth, tiny);
    e->drift[ENVELOPE_OWN] = 3 * u;
    e->drift[ENVELOPE_FLOAT64] = 5 * u;
    e->truncation = 7 * u;
    cr_expect_float_eq(limit_at(&t, 3).certain, u * (truth + 10), 1e-15 * u);
    t.profile.accumulate[DTYPE_FLOAT32] = DTYPE_FLOAT64;
    cr_expect_eq(limit_at(&t, 3).spread, 0x1p-53 * e->spread);
    cr_expect_float_eq(limit_at(&t, 3).certain, u * (truth + 12), 1e-15 * u);
    t.profile.accumulate[DTYPE_FLOAT32] = DTYPE_FLOAT32;
    t.profile.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    cr_expect_eq(limit_at(&t, 3).spread, 2 * u * e->spread);
    cr_expect_float_eq(limit_at(&t, 3).certain, u * (2 * truth + 13), 1e-15 * u);
    struct envelope_limit limit = {.spread = 2, .certain = 3};
    cr_expect_eq(envelope_limit_reach(&limit), 35);
    close_trial(&t);
}

/* While 16·S of the elimination is below 1. */
Test(evidence, a_sign_is_certain_or_nothing_is)
{
    struct trial t = trial_of("slogdet", 8, PROBLEM_NORMAL, 21);
    t.tensor = 0;
    struct envelope *e = &t.truth.truth[0]->output[0].envelope[0];
    e->sign_spread = 0x1.fp19;
    cr_expect(limit_at(&t, 0).fixed && limit_at(&t, 0).known);
    e->sign_spread = 0x1p20;
    cr_expect(!limit_at(&t, 0).fixed && !limit_at(&t, 0).known);
    e->sign_spread = 1;
    e->drift[ENVELOPE_OWN] = 1;
    cr_expect(!limit_at(&t, 0).fixed && !limit_at(&t, 0).known);
    close_trial(&t);
}

/* --- Q, T, G */

Test(evidence, an_element_beyond_q_fails_alone)
{
    struct trial t = trial_of("matmul", 64, PROBLEM_NORMAL, 1);
    int64_t widest = 0;
    for (int64_t i = 1; i < output_of(&t)->elements; i++) {
        struct envelope_limit a = limit_at(&t, i), b = limit_at(&t, widest);
        widest = a.spread / fabs(truth_at(&t, i)) > b.spread / fabs(truth_at(&t, widest)) ? i : widest;
    }
    err(&t, widest, 15.5, 1);
    struct record inside = verdict(&t);
    cr_expect_eq(inside.status, STATUS_PASS, "%s", inside.reason);
    cr_expect(inside.envelope_q > 0.9 && inside.envelope_q < 1, "%g", inside.envelope_q);
    record_clear(&inside);
    err(&t, widest, 16.5, -1);
    struct record outside = verdict(&t);
    cr_expect_eq(outside.status, STATUS_FAIL);
    cr_expect_eq(outside.over_bound, 1);
    cr_expect(outside.envelope_t < EVIDENCE_T_LIMIT && outside.envelope_g < EVIDENCE_G_LIMIT);
    cr_expect_eq(outside.worst.index, widest);
    cr_expect(strstr(outside.reason, "envelope"), "%s", outside.reason);
    record_clear(&outside);
    close_trial(&t);
}

/* Errors of `spreads`·S beyond N everywhere; signs that keep G small. */
static void spread_out(struct trial *t, double spreads)
{
    double balance = 0;
    for (int64_t i = 0; i < output_of(t)->elements; i++) {
        struct envelope_limit limit = limit_at(t, i);
        double weight = 1 / (limit.group_spread * truth_at(t, i)); /* c/S_c² with c = e/t, S_c = S/t */
        double sign = balance * weight > 0 ? -1 : 1;
        balance += sign * weight;
        err(t, i, spreads, sign);
    }
}

Test(evidence, t_is_a_root_mean_square_and_fails_alone)
{
    struct trial t = trial_of("matmul", 256, PROBLEM_NORMAL, 2);
    spread_out(&t, 3.7);
    struct record below = verdict(&t);
    cr_expect_eq(below.status, STATUS_PASS, "%s", below.reason);
    cr_expect_float_eq(below.envelope_t, 3.7, 0.1, "%g", below.envelope_t);
    record_clear(&below);
    spread_out(&t, 4.3);
    struct record above = verdict(&t);
    cr_expect_eq(above.status, STATUS_FAIL);
    cr_expect_eq(above.over_bound, 0);
    cr_expect_float_eq(above.envelope_t, 4.3, 0.1, "%g", above.envelope_t);
    cr_expect_lt(above.envelope_g, EVIDENCE_G_LIMIT);
    cr_expect(strstr(above.reason, "rule envelope: T = "), "%s", above.reason);
    record_clear(&above);
    close_trial(&t);
}

Test(evidence, g_is_a_common_scale_and_fails_alone)
{
    struct trial t = trial_of("matmul", 256, PROBLEM_NORMAL, 3);
    int64_t n = output_of(&t)->elements;
    for (int step = 0; step < 2; step++) {
        double spreads = step ? 0.6 : 0.2, sum = 0, weight = 0;
        for (int64_t i = 0; i < n; i++) {
            struct envelope_limit limit = limit_at(&t, i);
            double truth = truth_at(&t, i);
            err(&t, i, spreads, truth < 0 ? -1 : 1);
            double error = *element_at(&t, i) - truth, c = fmax(0, fabs(error) - limit.certain) / fabs(truth);
            sum += c / (limit.group_spread * limit.group_spread);
            weight += 1 / (limit.group_spread * limit.group_spread);
        }
        struct record record = verdict(&t);
        cr_expect_float_eq(record.envelope_g, sum / sqrt(weight), 1e-6 * record.envelope_g);
        cr_expect_lt(record.envelope_t, 1);
        cr_expect_eq(record.envelope_groups, n);
        cr_expect_eq(record.status, step ? STATUS_FAIL : STATUS_PASS, "%g", record.envelope_g);
        cr_expect(!step || strstr(record.reason, "rule envelope: G = "), "%s", record.reason);
        record_clear(&record);
    }
    close_trial(&t);
}

/* Elements of a row share errors: one c of ⟨e, t⟩/⟨t, t⟩. */
Test(evidence, a_group_is_one_number)
{
    struct trial t = trial_of("layer_norm", 33, PROBLEM_MEAN_10, 4);
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
    struct record record = verdict(&t);
    cr_expect_eq(record.envelope_groups, 32);
    cr_expect_float_eq(record.envelope_g, sum / sqrt(weight), 1e-6 * record.envelope_g);
    record_clear(&record);
    close_trial(&t);
}

static struct evidence_statistics statistics_of(const struct trial *t, int64_t elements)
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
    cr_assert(evidence_measure(&e, &s));
    evidence_close(&e);
    return s;
}

Test(evidence, g_needs_sixteen_groups)
{
    struct trial t = trial_of("matmul", 64, PROBLEM_NORMAL, 5);
    for (int64_t i = 0; i < 16; i++) {
        err(&t, i, 3, truth_at(&t, i) < 0 ? -1 : 1);
    }
    cr_expect_eq(statistics_of(&t, 15).g, 0);
    cr_expect_eq(statistics_of(&t, 15).groups, 15);
    cr_expect_gt(statistics_of(&t, 16).g, EVIDENCE_G_LIMIT);
    close_trial(&t);
}

/* --- resolution */

static bool scaled_fails(struct trial *t, double delta)
{
    for (int64_t i = 0; i < output_of(t)->elements; i++) {
        *element_at(t, i) = (float)(truth_at(t, i) * (1 + delta));
    }
    return status_of(t) == STATUS_FAIL;
}

static void resolution_is_what_fails(struct trial t)
{
    struct record record = verdict(&t);
    double r = record.resolution, u = 0x1p-24;
    cr_assert(isfinite(r) && r > 0, "%g", r);
    cr_expect(scaled_fails(&t, 1.06 * r + u) || scaled_fails(&t, -1.06 * r - u), "%s: %g u passes",
              t.program->step[0].op->name, r / u);
    for (double d = 0.9 * r - u; d > u; d /= 1.7) {
        cr_expect(!scaled_fails(&t, d) && !scaled_fails(&t, -d), "%s: %g u of %g u fails",
                  t.program->step[0].op->name, d / u, r / u);
    }
    record_clear(&record);
    close_trial(&t);
}

Test(evidence, resolution_of_products)
{
    resolution_is_what_fails(trial_of("matmul", 64, PROBLEM_NORMAL, 6));
    resolution_is_what_fails(trial_of("matmul", 1024, PROBLEM_UNIFORM, 7));
}

Test(evidence, resolution_of_rows_and_matrices)
{
    resolution_is_what_fails(trial_of("layer_norm", 33, PROBLEM_MEAN_1001, 8));
    resolution_is_what_fails(trial_of("logdet", 12, PROBLEM_UNIFORM, 11));
    resolution_is_what_fails(trial_of("matrix_exp", 8, PROBLEM_SMALL_MATRIX, 10));
}

Test(evidence, resolution_without_the_envelope_is_that_of_the_bound)
{
    struct trial t = trial_of("matmul", 256, PROBLEM_NORMAL, 11),
                 sharp = trial_of("matmul", 256, PROBLEM_NORMAL, 11);
    t.program->storage[0].origin = ORIGIN_STRUCTURED;
    struct record wide = verdict(&t), narrow = verdict(&sharp);
    cr_expect_gt(wide.resolution, 8 * narrow.resolution);
    record_clear(&wide);
    record_clear(&narrow);
    close_trial(&sharp);
    resolution_is_what_fails(t);
    t = trial_of("matmul", 2, PROBLEM_UNIFORM, 11); /* a few ulp */
    t.program->storage[0].origin = ORIGIN_STRUCTURED;
    resolution_is_what_fails(t);
}

/* --- wrong classes: with acceptance sets and limits of the test's own */

struct sets {
    double radius; /* about the truth, over |truth|; absolute where that is 0 */
    bool zero;     /* and about 0 */
    double spread; /* over |truth|; 0: no envelope */
    bool excepted; /* the last element is exact */
};

static const char *accepted_class(const struct trial *t, const struct sets *s, int64_t elements)
{
    struct evidence e;
    cr_assert(evidence_open(&e, elements, DTYPE_FLOAT32, true));
    for (int64_t i = 0; i < elements; i++) {
        struct bound_query query = query_at(t, i);
        double scale = truth_at(t, i) == 0 ? 1 : fabs(truth_at(t, i));
        double radius = s->excepted && i + 1 == elements ? 0 : s->radius * scale;
        struct envelope_limit limit = {
            .known = s->spread > 0, .may_fail = true, .spread = s->spread * scale, .group = -1};
        struct accept accept, around;
        struct value zero = value_of(0);
        accept_default(&accept, DTYPE_FLOAT32, &t->profile, &output_of(t)->value[i], radius);
        if (s->zero) {
            accept_default(&around, DTYPE_FLOAT32, &t->profile, &zero, 0);
            accept_union(&accept, &around);
        }
        evidence_add(&e, &query, &accept, &limit, element_at(t, i));
    }
    const char *class = evidence_accepts_class(&e);
    evidence_close(&e);
    return class;
}

static void expect_class(const struct trial *t, struct sets s, int64_t elements, const char *expected)
{
    const char *class = accepted_class(t, &s, elements);
    cr_expect(expected ? class && strcmp(class, expected) == 0 : !class, "%s in place of %s", class,
              expected);
}

Test(evidence, a_limit_that_takes_a_wrong_class_is_no_evidence)
{
    struct trial t = trial_of("matmul", 16, PROBLEM_NORMAL, 12);
    expect_class(&t, (struct sets){.radius = 0.5}, 9, NULL);
    expect_class(&t, (struct sets){.radius = 1.5}, 9, "twice the truth");
    expect_class(&t, (struct sets){.radius = 2.5}, 9, "the negated truth");
    expect_class(&t, (struct sets){.radius = 0.5, .zero = true}, 9, "zeros");
    expect_class(&t, (struct sets){.radius = 2.5, .zero = true, .excepted = true}, 9, "zeros");
    expect_class(&t, (struct sets){.radius = 2.5, .excepted = true}, 9, NULL); /* one element suffices */
    close_trial(&t);
}

/* Within Q everywhere, and beyond T together. */
Test(evidence, the_envelope_excludes_what_the_bound_takes)
{
    struct trial t = trial_of("matmul", 16, PROBLEM_NORMAL, 13);
    expect_class(&t, (struct sets){.radius = 2.5, .spread = 1.0 / 17}, 9, NULL);
    expect_class(&t, (struct sets){.radius = 2.5, .spread = 1.0 / 5}, 9, NULL);
    expect_class(&t, (struct sets){.radius = 2.5, .spread = 1.0 / 3}, 9, "twice the truth");
    expect_class(&t, (struct sets){.radius = 2.5, .spread = 1}, 9, "the negated truth");
    close_trial(&t);
}

Test(evidence, truth_and_one_where_all_are_zero)
{
    struct trial t = trial_of("matmul", 16, PROBLEM_NORMAL, 14);
    struct truth_output *out = &t.truth.truth[0]->output[0];
    for (int64_t i = 0; i < 8; i++) {
        out->value[i] = value_of(0);
    }
    expect_class(&t, (struct sets){.radius = 0.5}, 8, NULL);
    expect_class(&t, (struct sets){.radius = 1.5}, 8, "truth + 1");
    expect_class(&t, (struct sets){.radius = 1.5, .excepted = true}, 9, NULL); /* one is not zero */
    close_trial(&t);
}

/* The sign of a random determinant is certain, Hilbert's of order 8 is anything in float32: with either sign,
 * or NaN for the logarithm, it is evidence of nothing. */
static struct trial determinant_of(const char *op, bool hilbert)
{
    struct trial t = trial_of(op, 8, PROBLEM_NORMAL, 3);
    for (int64_t i = 0; hilbert && i < 64; i++) {
        program_set(t.program, &t.program->step[0].input[0], i, 0, 1.0 / (double)(i / 8 + i % 8 + 1));
    }
    struct error error = {.text = ""};
    program_truth_destroy(&t.truth);
    images_destroy(&t.images);
    cr_assert(program_truth_compute(t.program, NULL, &t.truth, &error), "%s", error.text);
    cr_assert(images_create(&t.images, t.program));
    images_fill(&t.images, t.program, 0);
    answer(&t);
    t.tensor = 0;
    return t;
}

Test(evidence, a_determinants_other_sign)
{
    for (int hilbert = 0; hilbert < 2; hilbert++) {
        for (int two = 0; two < 2; two++) {
            struct trial t = determinant_of(two ? "slogdet" : "logdet", hilbert);
            float right = *element_at(&t, 0);
            cr_expect_eq(status_of(&t), hilbert ? STATUS_VACUOUS : STATUS_PASS, "%d %d", hilbert, two);
            *element_at(&t, 0) = two ? -right : isnan(right) ? 1.0F : NAN;
            cr_expect_eq(status_of(&t), hilbert ? STATUS_VACUOUS : STATUS_FAIL, "%d %d", hilbert, two);
            close_trial(&t);
        }
    }
}

/* --- certain classes */

Test(evidence, a_fixed_class_is_beyond_every_limit)
{
    struct trial t = trial_of("matmul", 16, PROBLEM_NORMAL, 15);
    struct evidence e;
    struct bound_query query = query_at(&t, 0);
    struct accept accept;
    op_accept(&query, &accept);
    cr_assert(evidence_open(&e, 4, DTYPE_FLOAT32, true));
    const float nan = NAN, infinity = -INFINITY, one = 1;
    struct envelope_limit fixed = {.known = true, .fixed = true, .spread = 1e30},
                          loose = {.known = true, .spread = 1e30};
    cr_expect_eq(evidence_add(&e, &query, &accept, &fixed, &nan), INFINITY);
    cr_expect_eq(evidence_add(&e, &query, &accept, &fixed, &infinity), INFINITY);
    cr_expect_lt(evidence_add(&e, &query, &accept, &fixed, &one), 1);
    cr_expect_eq(evidence_add(&e, &query, &accept, &loose, &nan), 0);
    evidence_close(&e);
    close_trial(&t);
}

/* --- where it may fail a case */

/* A scale error that B accepts: a failure, or a finding. */
static void expect_finding(struct trial *t, bool failure, const char *what)
{
    for (int64_t i = 0; i < output_of(t)->elements; i++) {
        err(t, i, 2, truth_at(t, i) < 0 ? -1 : 1);
    }
    struct record record = verdict(t);
    cr_expect_eq(record.status, failure ? STATUS_FAIL : STATUS_PASS, "%s: %s", what, record.reason);
    cr_expect(failure ? record.implausible == 0 : record.implausible > 1, "%s: %g", what, record.implausible);
    record_clear(&record);
    close_trial(t);
}

Test(evidence, only_random_data_under_declared_rounding_may_fail)
{
    struct trial t = trial_of("matmul", 64, PROBLEM_NORMAL, 16);
    expect_finding(&t, true, "random");
    t = trial_of("matmul", 64, PROBLEM_NORMAL, 16);
    t.program->storage[1].origin = ORIGIN_STRUCTURED;
    expect_finding(&t, false, "structured");
    t = trial_of("matmul", 64, PROBLEM_NORMAL, 16);
    t.program->storage[0].origin = ORIGIN_UNDECLARED;
    expect_finding(&t, false, "undeclared");
    t = trial_of("matmul", 64, PROBLEM_NORMAL, 16);
    t.profile.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    expect_finding(&t, false, "open rounding");
    t = trial_of("matmul", 64, PROBLEM_NORMAL, 16);
    t.program->step[0].input[0].stride[0] = 0; /* one row in several places */
    expect_finding(&t, false, "expanded");
}

/* Accumulated in a type whose rounding is open, stored in one whose rounding is declared. */
Test(evidence, both_roundings_must_be_declared)
{
    struct trial t = trial_of("matmul", 64, PROBLEM_NORMAL, 17);
    t.profile.accumulate[DTYPE_FLOAT32] = DTYPE_FLOAT64;
    cr_expect(limit_at(&t, 0).may_fail);
    t.profile.rounding[DTYPE_FLOAT64] = ROUNDING_OPEN;
    cr_expect(!limit_at(&t, 0).may_fail);
    t.profile.rounding[DTYPE_FLOAT64] = ROUNDING_RTE;
    t.profile.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    cr_expect(!limit_at(&t, 0).may_fail);
    close_trial(&t);
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
    struct trial t = trial_of("matmul", 16, PROBLEM_NORMAL, 18);
    struct bound_query query = query_at(&t, 0);
    struct accept accept;
    op_accept(&query, &accept);
    struct envelope_limit limit = limit_at(&t, 0);
    cr_expect(evidence_decides(&accept, &limit));
    limit.certain = accept.set[0].radius * 1.01;
    cr_expect(!evidence_decides(&accept, &limit));
    limit.fixed = true; /* a class is certain nevertheless */
    cr_expect(evidence_decides(&accept, &limit));
    close_trial(&t);
}
