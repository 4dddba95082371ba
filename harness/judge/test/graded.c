/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Errors are graded against the bounds of good primitives as well. For an operator that is `plain` these
 * bounds are the same, for others some are narrower. */
#include "harness/judge/statistics/evidence.h"
#include "harness/judge/test/mock.h"
#include "suites/suite.h"

#include <math.h>
#include <string.h>

static struct profile with(enum primitives primitives)
{
    struct profile profile = profile_ieee();
    profile.primitives = primitives;
    profile.accumulate[DTYPE_FLOAT16] = profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    return profile;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_limits(struct bound_query query, bool quality, const struct profile *a,
                        const struct profile *b)
{
    struct accept x, y;
    struct envelope_limit s, t;
    query.profile = a;
    op_accept(&query, &x);
    op_envelope(&query, &s);
    query.profile = b;
    query.quality = quality;
    op_accept(&query, &y);
    op_envelope(&query, &t);
    bool alike = x.sets == y.sets && s.known == t.known && s.fixed == t.fixed && same(s.spread, t.spread) &&
                 same(s.certain, t.certain);
    for (int k = 0; alike && k < x.sets; k++) {
        alike = same(x.set[k].radius, y.set[k].radius) &&
                x.set[k].component[0].special == y.set[k].component[0].special &&
                x.set[k].component[0].finite == y.set[k].component[0].finite;
    }
    return alike;
}

/* Looks at all elements of a program's only step; returns how many have other bounds. */
static int64_t differing(const struct program *program, int64_t *elements)
{
    const struct profile vulkan = with(PRIMITIVES_VULKAN), opencl = with(PRIMITIVES_OPENCL);
    const struct profile libm = with(PRIMITIVES_LIBM);
    struct program_truth truth;
    struct error error = {.text = ""};
    int64_t count = 0;
    cr_assert(program_truth_compute(program, NULL, &truth, &error), "%s", error.text);
    for (int o = 0; truth.truth[0] && o < truth.truth[0]->outputs; o++) {
        struct bound_query query = {.op = program->step->op,
                                    .attributes = &program->step->attributes,
                                    .truth = truth.truth[0],
                                    .output = o,
                                    .exact = program->step->exact};
        for (query.element = 0; query.element < truth.truth[0]->output[o].elements; query.element++) {
            count +=
                !same_limits(query, true, &vulkan, &opencl) || !same_limits(query, false, &vulkan, &libm);
            ++*elements;
        }
    }
    program_truth_destroy(&truth);
    return count;
}

/* The greatest error over the bound of good primitives in the last judged tensor, computed element by element
 * without a memo. */
static double greatest_quality(const struct mock *m)
{
    struct profile good = m->profile;
    const struct step *step = m->program->step;
    struct view judged[TRUTH_OUTPUTS_MAX];
    int last = step_judged(step, judged) - 1;
    enum dtype component = dtype_info(judged[last].dtype)->component;
    double greatest = 0, error;
    good.primitives = PRIMITIVES_OPENCL;
    struct bound_query query = {.op = step->op,
                                .profile = &good,
                                .attributes = &step->attributes,
                                .truth = m->truth.truth[0],
                                .output = last,
                                .exact = step->exact,
                                .quality = true};
    for (; query.element < m->truth.truth[0]->output[last].elements; query.element++) {
        struct accept accept;
        struct envelope_limit limit;
        const void *got = mock_element(m, 0, &judged[last], query.element);
        op_envelope(&query, &limit);
        op_accept(&query, &accept);
        greatest = fmax(greatest, evidence_decides(&accept, &limit)
                                      ? evidence_beyond(&query, &limit, dtype_load(component, got), &error)
                                      : accept_judge(&accept, got).error_over_bound);
    }
    return greatest;
}

Test(graded, as_by_hand)
{
    static const char *const requested[] = {"layer_norm", "div_", "matmul", "add_", "to_dense", "logdet"};
    struct suite_list *list = suite_list_create();
    int compared = 0;
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        bool wanted = false;
        for (size_t k = 0; k < sizeof requested / sizeof *requested; k++) {
            wanted = wanted || strcmp(c->op->name, requested[k]) == 0;
        }
        wanted = wanted && !c->procedure && c->level == LEVEL_SMOKE && c->dtype == DTYPE_FLOAT32;
        struct program *program = wanted ? suite_build(c, 1, NULL) : NULL;
        struct view judged[TRUTH_OUTPUTS_MAX];
        if (!program || program->steps != 1 || program->step->expect != EXPECT_VALUE ||
            step_judged(program->step, judged) != 1 || shape_elements(&judged[0].shape) == 0) {
            program_destroy(&program);
            continue;
        }
        struct mock m;
        mock_open(&m, program, 1);
        m.profile.primitives = PRIMITIVES_VULKAN;
        mock_answer(&m);
        for (int64_t e = 0; e < shape_elements(&judged[0].shape); e += 5) {
            *(unsigned char *)mock_element(&m, 0, &judged[0], e) ^= 1;
        }
        double quality = mock_verdict(&m)->quality_nu, by_hand = greatest_quality(&m);
        cr_expect(quality == by_hand || fabs(quality - by_hand) <= 1e-9 * by_hand, "%s: %.17g, by hand %.17g",
                  suite_list_id(list, i), quality, by_hand); /* some truths are certified meanwhile */
        compared++;
        mock_close(&m);
    }
    suite_list_destroy(&list);
    cr_expect_gt(compared, 60);
}

Test(graded, plain_operators_are_the_same)
{
    struct suite_list *list = suite_list_create();
    int64_t plain = 0, other = 0, narrower = 0;
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        bool requested = !c->procedure && c->level == LEVEL_SMOKE &&
                         (c->op->plain || strcmp(c->op->name, "layer_norm") == 0);
        struct program *program = requested ? suite_build(c, 1, NULL) : NULL;
        if (program && program->steps == 1 && program->step->expect == EXPECT_VALUE) {
            int64_t differ = differing(program, c->op->plain ? &plain : &other);
            cr_expect(!c->op->plain || differ == 0, "%s: %lld elements", suite_list_id(list, i),
                      (long long)differ);
            narrower += c->op->plain ? 0 : differ;
        }
        program_destroy(&program);
    }
    suite_list_destroy(&list);
    cr_expect_gt(plain, 10000);
    cr_expect_gt(other, 1000);
    cr_expect_gt(narrower, other / 2);
}
