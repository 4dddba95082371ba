/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/statistics/worst.h"
#include "harness/judge/batch/bounded.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/judge/statistics/metrics.h"
#include "harness/judge/traversal.h"
#include "harness/judge/verification.h"
#include "reference/program/refine.h"

#include <math.h>

struct search {
    struct explained *worst;
    double *condition; /* see worst_find */
    double rank, ulp;
    bool found;
};

/* Sets q and reach: |error|/Q and Q, if the envelope decides. */
static void note_envelope(const struct bound_query *query, struct explained *e)
{
    enum dtype component = dtype_info(query->truth->output[query->output].dtype)->component;
    double error;
    e->q = e->reach = NAN;
    op_envelope(query, &e->limit);
    if (evidence_decides(&e->accept, &e->limit)) {
        e->q = evidence_beyond(query, &e->limit, dtype_load(component, e->got), &error);
        e->reach = envelope_limit_reach(&e->limit);
    }
}

static void weigh(struct search *s, const struct traversal *t, const unsigned char *got)
{
    const struct bound_query *query = &t->query;
    struct explained e = {.program = t->program,
                          .step = t->step,
                          .judged = t->judged,
                          .element = t->first + query->element,
                          .got = got};
    op_accept(query, &e.accept);
    e.verdict = accept_judge(&e.accept, got);
    if (!e.verdict.accepted && op_range_finding(query, got)) {
        return; /* a finding: no error of its own */
    }
    note_envelope(query, &e);
    double rank = fmax(e.verdict.error_over_bound, e.q); /* fmax passes over NaN */
    double ulp = metrics_ulp_error(t->output->dtype, truth_value(t->output, query->element), got);
    ulp = isnan(ulp) ? 0 : fabs(ulp);
    if (!s->found || rank > s->rank || (rank >= s->rank && ulp > s->ulp)) {
        *s->worst = e;
        s->worst->view = t->view;
        explained_take_truth(s->worst, t->output, query->element);
        s->rank = rank;
        s->ulp = ulp;
        s->found = true;
    }
}

/* Raises *condition to E_compute/(u·|truth|) of an element. */
static void raise(double *condition, double unit, double magnitude, double error)
{
    if (magnitude > 0 && isfinite(magnitude) && error > 0) {
        *condition = fmax(*condition, error / (unit * magnitude));
    }
}

/* Returns u of the results if the amplification of this tensor is wanted, else 0. */
static double conditioned_unit(const struct search *s, const struct traversal *t)
{
    return s->condition && t->step == 0 && t->query.op->bound
               ? profile_unit_roundoff(&t->profile, t->view.dtype)
               : 0;
}

/* Weighs one element, of the slice's truth. Returns false if out of memory. */
static bool weigh_alone(struct search *s, struct traversal *t, int64_t element, const unsigned char *got,
                        double unit)
{
    t->query.element = element;
    if (!truth_output_fill(t->output)) {
        return false;
    }
    weigh(s, t, got);
    if (unit > 0) {
        raise(s->condition, unit, fabs(value_approximately(truth_value(t->output, element))),
              op_bound(&t->query));
    }
    return true;
}

/* Weighs a batch: its error bounds are found together, and only elements that are no better than the worst so
 * far are weighed alone. */
static bool weigh_batch(struct search *s, struct traversal *t, int64_t first, int count,
                        const unsigned char *got, ptrdiff_t stride, double unit)
{
    struct bounded_batch run;
    bool good = true;
    bounded_load(t, first, count, got, stride, &run);
    bounded_rank(t, &run);
    for (int i = 0; good && i < count; i++) {
        bool plain = run.plain[i] != 0;
        if (plain && unit > 0) {
            raise(s->condition, unit, fabs(run.truth.hi[i]), run.limit.compute[i]);
        }
        if (!plain || !s->found || fmax(run.error_over_bound[i], run.q[i]) >= s->rank) {
            good = weigh_alone(s, t, first + i, got + i * stride, plain ? 0 : unit);
        }
    }
    return good;
}

static bool weigh_block(struct search *s, struct traversal *t, const struct element_block *block,
                        const unsigned char *got)
{
    const double unit = conditioned_unit(s, t);
    const bool batches = bound_batch_concerns(&t->query);
    const int64_t first = block->first - t->first;
    bool good = true;
    for (int64_t i = 0, count; good && i < block->count; i += count) {
        const unsigned char *at = got + i * block->stride;
        count = !batches ? 1 : block->count - i < BOUNDED_BATCH ? block->count - i : BOUNDED_BATCH;
        good = batches ? weigh_batch(s, t, first + i, (int)count, at, block->stride, unit)
                       : weigh_alone(s, t, first + i, at, unit);
    }
    return good;
}

/* While the search runs, truths of slices are computed as numbers alone; whoever needs values fills them. */
static void set_numbers(const struct program_truth *truth, bool numbers)
{
    for (int s = 0; truth->slices && s < truth->steps; s++) {
        if (truth->slices[s]) {
            truth->slices[s]->call.numbers = numbers;
            truth_destroy(&truth->slices[s]->truth); /* computed again in the other form */
        }
    }
}

/* Certifies the truth of the element that is shown. If memory is short it stays within its radius. */
static void certify(const struct program *program, const struct program_truth *truth, struct explained *worst)
{
    struct refine refine;
    struct error error;
    struct truth_slices *slices = program_truth_slices(truth, worst->step);
    if (slices && !truth_slices_turn_to(slices, worst->element, &error)) {
        return;
    }
    int64_t at = worst->element - (slices ? slices->first : 0);
    refine_open(&refine, program, truth);
    refine_seek(&refine, worst->step);
    refine_certify(&refine, worst->judged, at, &error);
    if (refine.truth) {
        explained_take_truth(worst, &refine.truth->output[worst->judged], at);
    }
    refine_close(&refine);
}

bool worst_find(const struct program *program, const struct program_truth *truth, const struct images *images,
                const struct profile *profile, struct explained *worst, double *condition)
{
    struct ownership ownership;
    struct search s = {.worst = worst, .condition = condition};
    bool good = true;
    if (!ownership_create(&ownership, program, NULL)) {
        return false;
    }
    set_numbers(truth, true);
    struct traversal t = traversal_of(program, truth, profile, &ownership);
    while (good && traversal_next_tensor(&t)) {
        if (step_is_verified(&program->step[t.step], t.judged)) {
            continue; /* verification_show has the worst of those */
        }
        while (good && traversal_next_slice(&t)) {
            struct element_block block;
            while (good && traversal_next_block(&t, &block)) {
                good = weigh_block(&s, &t, &block, element_block_in(&block, images));
            }
        }
    }
    set_numbers(truth, false);
    ownership_destroy(&ownership);
    if (good && s.found) {
        certify(program, truth, worst);
    }
    return good && s.found;
}

double worst_bound(const struct explained *worst)
{
    const struct accept_set *set = &worst->accept.set[0];
    return !set->component[0].finite ? NAN : set->unbounded_below ? INFINITY : set->radius;
}
