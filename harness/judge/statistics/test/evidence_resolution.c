/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What a case proves: its resolution, compared with verdicts on scaled truths, and the wrong classes that its
 * bounds accept. */

#include "harness/judge/statistics/evidence.h"
#include "harness/judge/test/answered.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* --- resolution */

static bool scaled_fails(struct answered *t, double delta)
{
    for (int64_t i = 0; i < output_of(t)->elements; i++) {
        *element_at(t, i) = (float)(truth_at(t, i) * (1 + delta));
    }
    return status_of(t) == STATUS_FAIL;
}

static void resolution_is_what_fails(struct answered t)
{
    const struct record *record = mock_verdict(&t.mock);
    double r = record->resolution, u = 0x1p-24;
    cr_assert(isfinite(r) && r > 0, "%g", r);
    cr_expect(scaled_fails(&t, 1.06 * r + u) || scaled_fails(&t, -1.06 * r - u), "%s: %g u passes",
              t.mock.program->step[0].op->name, r / u);
    for (double d = 0.9 * r - u; d > u; d /= 1.7) {
        cr_expect(!scaled_fails(&t, d) && !scaled_fails(&t, -d), "%s: %g u of %g u fails",
                  t.mock.program->step[0].op->name, d / u, r / u);
    }
    answered_close(&t);
}

Test(evidence, resolution_of_products)
{
    resolution_is_what_fails(answered_problem("matmul", 64, PROBLEM_NORMAL, 6));
    resolution_is_what_fails(answered_problem("matmul", 1024, PROBLEM_UNIFORM, 7));
}

Test(evidence, resolution_of_rows_and_matrices)
{
    resolution_is_what_fails(answered_problem("layer_norm", 33, PROBLEM_MEAN_1001, 8));
    resolution_is_what_fails(answered_problem("logdet", 12, PROBLEM_UNIFORM, 11));
    resolution_is_what_fails(answered_problem("matrix_exp", 8, PROBLEM_SMALL_MATRIX, 10));
}

Test(evidence, resolution_without_the_envelope_is_that_of_the_bound)
{
    struct answered t = answered_problem("matmul", 256, PROBLEM_NORMAL, 11),
                    sharp = answered_problem("matmul", 256, PROBLEM_NORMAL, 11);
    t.mock.program->storage[0].origin = ORIGIN_STRUCTURED;
    const struct record *wide = mock_verdict(&t.mock), *narrow = mock_verdict(&sharp.mock);
    cr_expect_gt(wide->resolution, 8 * narrow->resolution);
    answered_close(&sharp);
    resolution_is_what_fails(t);
    t = answered_problem("matmul", 2, PROBLEM_UNIFORM, 11); /* a few ulp */
    t.mock.program->storage[0].origin = ORIGIN_STRUCTURED;
    resolution_is_what_fails(t);
}

/* --- wrong classes: with acceptance sets and limits of the test's own */

struct sets {
    double radius; /* about the truth, over |truth|; absolute where that is 0 */
    bool zero;     /* and about 0 */
    double spread; /* over |truth|; 0: no envelope */
    bool excepted; /* the last element is exact */
};

static const char *accepted_class(const struct answered *t, const struct sets *s, int64_t elements)
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
        accept_default(&accept, DTYPE_FLOAT32, &t->mock.profile, &output_of(t)->value[i], radius);
        if (s->zero) {
            accept_default(&around, DTYPE_FLOAT32, &t->mock.profile, &zero, 0);
            accept_union(&accept, &around);
        }
        evidence_add(&e, &query, &accept, &limit, element_at(t, i));
    }
    cr_assert(evidence_end_slice(&e));
    const char *class = evidence_accepts_class(&e);
    evidence_close(&e);
    return class;
}

static void expect_class(const struct answered *t, struct sets s, int64_t elements, const char *expected)
{
    const char *class = accepted_class(t, &s, elements);
    cr_expect(expected ? class && strcmp(class, expected) == 0 : !class, "%s in place of %s", class,
              expected);
}

Test(evidence, a_limit_that_takes_a_wrong_class_is_no_evidence)
{
    struct answered t = answered_problem("matmul", 16, PROBLEM_NORMAL, 12);
    expect_class(&t, (struct sets){.radius = 0.5}, 9, NULL);
    expect_class(&t, (struct sets){.radius = 1.5}, 9, "twice the truth");
    expect_class(&t, (struct sets){.radius = 2.5}, 9, "the negated truth");
    expect_class(&t, (struct sets){.radius = 0.5, .zero = true}, 9, "zeros");
    expect_class(&t, (struct sets){.radius = 2.5, .zero = true, .excepted = true}, 9, "zeros");
    expect_class(&t, (struct sets){.radius = 2.5, .excepted = true}, 9, NULL); /* one element suffices */
    answered_close(&t);
}

/* Within Q everywhere, and beyond T together. */
Test(evidence, the_envelope_excludes_what_the_bound_takes)
{
    struct answered t = answered_problem("matmul", 16, PROBLEM_NORMAL, 13);
    expect_class(&t, (struct sets){.radius = 2.5, .spread = 1.0 / 17}, 9, NULL);
    expect_class(&t, (struct sets){.radius = 2.5, .spread = 1.0 / 5}, 9, NULL);
    expect_class(&t, (struct sets){.radius = 2.5, .spread = 1.0 / 3}, 9, "twice the truth");
    expect_class(&t, (struct sets){.radius = 2.5, .spread = 1}, 9, "the negated truth");
    answered_close(&t);
}

Test(evidence, truth_and_one_where_all_are_zero)
{
    struct answered t = answered_problem("matmul", 16, PROBLEM_NORMAL, 14);
    struct truth_output *out = &t.mock.truth.truth[0]->output[0];
    for (int64_t i = 0; i < 8; i++) {
        out->value[i] = value_of(0);
    }
    expect_class(&t, (struct sets){.radius = 0.5}, 8, NULL);
    expect_class(&t, (struct sets){.radius = 1.5}, 8, "truth + 1");
    expect_class(&t, (struct sets){.radius = 1.5, .excepted = true}, 9, NULL); /* one is not zero */
    answered_close(&t);
}

/* The sign of a random determinant is certain, Hilbert's of order 8 is anything in float32: with either sign,
 * or NaN for the logarithm, it is evidence of nothing. */
static struct answered determinant_of(const char *op, bool hilbert)
{
    struct error error = {.text = ""};
    struct problem problem = {op, DTYPE_FLOAT32, 8, PROBLEM_NORMAL, 3};
    struct program *program = problem_build(&problem, &error);
    cr_assert_not_null(program, "%s", error.text);
    for (int64_t i = 0; hilbert && i < 64; i++) {
        program_set(program, &program->step[0].input[0], i, 0, 1.0 / (double)(i / 8 + i % 8 + 1));
    }
    struct answered t = answered_program(program);
    t.tensor = 0;
    return t;
}

Test(evidence, a_determinants_flipped_sign)
{
    for (int hilbert = 0; hilbert < 2; hilbert++) {
        for (int two = 0; two < 2; two++) {
            struct answered t = determinant_of(two ? "slogdet" : "logdet", hilbert);
            float right = *element_at(&t, 0);
            cr_expect_eq(status_of(&t), hilbert ? STATUS_VACUOUS : STATUS_PASS, "%d %d", hilbert, two);
            *element_at(&t, 0) = two ? -right : isnan(right) ? 1.0F : NAN;
            cr_expect_eq(status_of(&t), hilbert ? STATUS_VACUOUS : STATUS_FAIL, "%d %d", hilbert, two);
            answered_close(&t);
        }
    }
}

/* --- certain classes */

Test(evidence, a_fixed_class_is_beyond_every_limit)
{
    struct answered t = answered_problem("matmul", 16, PROBLEM_NORMAL, 15);
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
    answered_close(&t);
}
