/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/statistics/worst.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/judge/statistics/metrics.h"
#include "harness/judge/traversal.h"
#include "harness/judge/verification.h"
#include "reference/program/refine.h"

#include <math.h>

struct search {
    struct explained *worst;
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

/* Raises *condition to E_compute/(u·|truth|) of an element of the first step. */
static void note_condition(const struct traversal *t, double *condition)
{
    double unit = profile_unit_roundoff(&t->profile, t->view.dtype);
    double magnitude = fabs(value_approximately(truth_value(t->output, t->query.element)));
    if (t->step == 0 && t->query.op->bound && unit > 0 && magnitude > 0 && isfinite(magnitude)) {
        double error = op_bound(&t->query);
        *condition = error > 0 ? fmax(*condition, error / (unit * magnitude)) : *condition;
    }
}

/* Certifies the truth of the element that is shown. If memory is short it stays within its radius. */
static void certify(const struct program *program, const struct program_truth *truth, struct explained *worst)
{
    struct refine refine;
    struct error error;
    struct truth_slices *slices = truth->slices;
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
    struct search s = {.worst = worst};
    if (!ownership_create(&ownership, program, NULL)) {
        return false;
    }
    struct traversal t = traversal_of(program, truth, profile, &ownership);
    while (traversal_next_tensor(&t)) {
        if (step_is_verified(&program->step[t.step], t.judged)) {
            continue; /* verification_show has the worst of those */
        }
        while (traversal_next_slice(&t)) {
            struct element_block block;
            while (traversal_next_block(&t, &block)) {
                const unsigned char *got = element_block_in(&block, images);
                for (int64_t i = 0; i < block.count; i++, got += block.stride) {
                    t.query.element = block.first - t.first + i;
                    weigh(&s, &t, got);
                    if (condition) {
                        note_condition(&t, condition);
                    }
                }
            }
        }
    }
    ownership_destroy(&ownership);
    if (s.found) {
        certify(program, truth, worst);
    }
    return s.found;
}

double worst_bound(const struct explained *worst)
{
    const struct accept_set *set = &worst->accept.set[0];
    return !set->component[0].finite ? NAN : set->unbounded_below ? INFINITY : set->radius;
}
