/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The worst element, which is found in batches, compared with the one that looking at each element alone
 * finds. */
#include "harness/judge/statistics/worst.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/judge/statistics/metrics.h"
#include "harness/judge/test/judging_profiles.h"
#include "harness/judge/test/mock.h"
#include "harness/judge/verification.h"
#include "reference/base/philox.h"
#include "reference/operator/bound_memo.h"
#include "reference/program/slices.h"
#include "suites/suite.h"

#include <math.h>

struct found {
    int64_t element;
    int step, judged;
    double rank, ulp, condition;
};

/* |error|/Q if the envelope decides, else NaN. */
static double beyond(const struct bound_query *query, const struct accept *accept, const void *got)
{
    struct envelope_limit limit;
    double error;
    op_envelope(query, &limit);
    return evidence_decides(accept, &limit)
               ? evidence_beyond(query, &limit, dtype_load(query->truth->output[query->output].dtype, got),
                                 &error)
               : NAN;
}

static void look(struct found *found, const struct bound_query *query, const struct mock *m, int s,
                 const struct view *view, int64_t i)
{
    const void *got = mock_element(m, 0, view, i);
    const struct value *truth = truth_value(&query->truth->output[query->output], i);
    static struct accept accept; /* large */
    op_accept(query, &accept);
    const struct accept_verdict verdict = accept_judge(&accept, got);
    double ulp = fabs(metrics_ulp_error(view->dtype, truth, got)),
           rank = fmax(verdict.error_over_bound, beyond(query, &accept, got)),
           unit = profile_unit_roundoff(query->profile, view->dtype), size = fabs(value_approximately(truth));
    if (!verdict.accepted && op_range_finding(query, got)) {
        return;
    }
    ulp = isnan(ulp) ? 0 : ulp;
    if (found->element < 0 || rank > found->rank || (rank >= found->rank && ulp > found->ulp)) {
        found->element = i;
        found->step = s;
        found->judged = query->output;
        found->rank = rank;
        found->ulp = ulp;
    }
    if (s == 0 && query->op->bound && unit > 0 && size > 0 && isfinite(size) && op_bound(query) > 0) {
        found->condition = fmax(found->condition, op_bound(query) / (unit * size));
    }
}

static struct found look_at_all(const struct mock *m)
{
    struct found found = {.element = -1};
    for (int s = 0; s < m->program->steps; s++) {
        const struct step *step = &m->program->step[s];
        const struct profile profile = profile_of_operator(&m->profile, step->op->name);
        struct view judged[TRUTH_OUTPUTS_MAX];
        int tensors = step_judged(step, judged);
        for (int o = 0; o < tensors; o++) {
            for (int64_t i = 0; !step_is_verified(step, o) && i < shape_elements(&judged[o].shape); i++) {
                struct bound_memo memo = {.other = NULL};
                const struct bound_query query = {.op = step->op,
                                                  .profile = &profile,
                                                  .attributes = &step->attributes,
                                                  .truth = m->truth.truth[s],
                                                  .output = o,
                                                  .element = i,
                                                  .exact = step->exact,
                                                  .memo = &memo};
                look(&found, &query, m, s, &judged[o], i);
            }
        }
    }
    return found;
}

/* Adds up to `most` units in the last place to each result. */
static void spoil(struct mock *m, double most)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    int tensors = step_judged(&m->program->step[0], judged);
    struct philox g;
    philox_start(&g, 11);
    for (int o = 0; o < tensors; o++) {
        for (int64_t i = 0; i < shape_elements(&judged[o].shape); i++) {
            unsigned char *element = mock_element(m, 0, &judged[o], i);
            enum dtype dtype = judged[o].dtype;
            if (dtype_is_floating(dtype) && dtype_info(dtype)->components == 1 &&
                isfinite(dtype_load(dtype, element)) && dtype_load(dtype, element) != 0) {
                dtype_store_bits(dtype, element,
                                 dtype_bits(dtype, element) + (uint64_t)llround(most * philox_signed(&g)));
            }
        }
    }
}

/* Takes ownership of the program. */
static void compare(struct program *program, struct profile profile, double most, const char *id)
{
    struct mock m;
    struct explained worst;
    double condition = 0;
    mock_open(&m, program, 1);
    m.profile = profile;
    mock_answer(&m);
    spoil(&m, most);
    const struct found found = look_at_all(&m);
    bool any = worst_find(m.program, &m.truth, &m.images[0], &m.profile, &worst, &condition);
    cr_assert_eq(any, found.element >= 0, "%s", id);
    if (any) {
        cr_expect(worst.element == found.element && worst.step == found.step && worst.judged == found.judged,
                  "%s: %d.%d[%lld] and %d.%d[%lld]", id, worst.step, worst.judged, (long long)worst.element,
                  found.step, found.judged, (long long)found.element);
    }
    cr_expect_eq(condition, found.condition, "%s: %.17g and %.17g", id, condition, found.condition);
    mock_close(&m);
}

static void compare_suite(struct profile profile, int part)
{
    enum { PARTS = 8 };
    struct suite_list *list = suite_list_create();
    int compared = 0;
    for (int i = part; i < suite_list_count(list); i += PARTS) {
        const struct suite_case *c = suite_list_at(list, i);
        struct program *program =
            c->procedure || c->level != LEVEL_SMOKE || !c->op->bound ? NULL : suite_build(c, 1, NULL);
        bool takes = mock_takes(program) && program->steps == 1 && !op_writes(c->op);
        program_destroy(&program);
        for (int k = 0; takes && k < 3; k++) {
            static const double most[] = {0, 3, 40};
            compare(suite_build(c, 1, NULL), profile, most[k], suite_list_id(list, i));
            compared++;
        }
    }
    suite_list_destroy(&list);
    cr_expect_gt(compared, 150);
}

Test(worst, the_element_is_that_of_looking_at_each_alone)
{
    compare_suite(strict(), 0);
}

Test(worst, the_same_beside_a_good_implementation)
{
    compare_suite(vulkan(), 1);
}

Test(worst, the_same_under_open_rounding)
{
    compare_suite(open_rounding(), 2);
}

/* Of a truth in slices, whose values are computed as numbers alone. */
Test(worst, the_same_in_slices)
{
    const struct shape shape = shape_of(2, (int64_t)1024, (int64_t)256);
    struct program *program = program_create();
    const struct view input = program_input(program, DTYPE_FLOAT32, &shape);
    const struct attributes over = {.count = 1,
                                    .item = {{.name = "normalized_shape",
                                              .type = ATTRIBUTE_INTEGERS,
                                              .integers = {.count = 1, .item = {256}}}}};
    const struct truth_source source = {.sliced = true};
    struct program_truth sliced;
    struct error error;
    struct philox g;
    struct mock m;
    struct explained one, other;
    double condition[2] = {0, 0};
    philox_start(&g, 12);
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        program_set(program, &input, i, 0, 8 * philox_signed(&g));
    }
    cr_assert(program_step(program, op_find("layer_norm"), &over, 1, &input));
    mock_open(&m, program, 1);
    mock_answer(&m);
    spoil(&m, 3);
    cr_assert(program_truth_compute(program, &source, &sliced, &error), "%s", error.text);
    cr_assert_not_null(sliced.slices);
    cr_assert(worst_find(program, &m.truth, &m.images[0], &m.profile, &one, &condition[0]));
    cr_assert(worst_find(program, &sliced, &m.images[0], &m.profile, &other, &condition[1]));
    cr_expect_eq(one.element, other.element);
    cr_expect_eq(one.q, other.q);
    cr_expect_eq(one.verdict.error_over_bound, other.verdict.error_over_bound);
    cr_expect_eq(value_approximately(&one.truth[0]), value_approximately(&other.truth[0]));
    cr_expect_eq(condition[0], condition[1]);
    cr_expect_gt(condition[0], 0);
    /* whoever comes next finds values */
    cr_assert(truth_slices_turn_to(sliced.slices[0], 0, &error));
    cr_expect_not_null(sliced.slices[0]->truth->output[0].value);
    program_truth_destroy(&sliced);
    mock_close(&m);
}
