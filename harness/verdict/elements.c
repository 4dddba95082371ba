/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/judging.h"
#include "harness/verdict/traversal.h"

#include <math.h>
#include <stdio.h>

/* E_compute for the bias test; −1 keeps the element out of it: special values, and a flushed operand, which
 * may move the result by any number of ulps. */
static double bias_allowance(const struct bound_query *query, const struct accept *accept,
                             const struct value *truth)
{
    const struct accept_set *set = &accept->set[0];
    enum dtype dtype = query->truth->output[query->output].dtype;
    if (!set->component[0].finite || set->unbounded_below || !isfinite(set->radius) || accept->sets > 1) {
        return -1;
    }
    double error = query->op->bound ? query->op->bound(query) : 0;
    if (dtype_is_floating(dtype) && query->profile->rounding[dtype] == ROUNDING_OPEN) {
        error += dtype_ulp(dtype, value_approximately(truth));
    }
    return error;
}

/* Error over Q with the primitives of a good implementation; over a strict bound where no envelope decides.
 */
static double quality(struct bound_query query, double nu, const void *got)
{
    enum dtype dtype = query.truth->output[query.output].dtype;
    double error;
    struct profile good = *query.profile;
    good.primitives = good.primitives == PRIMITIVES_VULKAN ? PRIMITIVES_OPENCL : good.primitives;
    query.profile = &good;
    query.quality = true;
    struct envelope_limit limit;
    struct accept strict;
    if (nu == 0) {
        return 0;
    }
    op_envelope(&query, &limit);
    op_accept(&query, &strict);
    return evidence_decides(&strict, &limit)
               ? evidence_beyond(&query, &limit, dtype_load(dtype_info(dtype)->component, got), &error)
               : accept_judge(&strict, got).nu;
}

/* Where the envelope may fail the case, an element beyond Q is outside, whatever B says. */
static void apply_envelope(struct judging *j, struct explained *e, const struct evidence *evidence, double q)
{
    if (evidence->may_fail && q > 1 && e->verdict.accepted) {
        j->beyond_envelope++;
        e->verdict.accepted = false;
        e->verdict.rule = RULE_ENVELOPE;
        e->verdict.nu = fmax(q, e->verdict.nu);
    }
}

static void judge_element(struct judging *j, const struct bound_query *query, struct evidence *evidence,
                          struct explained *e)
{
    const struct truth_output *output = e->output;
    op_accept(query, &e->accept);
    op_envelope(query, &e->limit);
    e->verdict = accept_judge(&e->accept, e->got);
    j->incomplete = j->incomplete || e->accept.incomplete;
    if (!e->verdict.accepted && op_range_finding(query)) {
        j->range_findings++;
        return;
    }
    const struct value *truth = truth_value(output, e->element);
    double q = evidence_add(evidence, query, &e->accept, &e->limit, e->got);
    apply_envelope(j, e, evidence, q);
    const struct accept *in_force = &e->accept;
    struct accept
        narrow; /* not cleared, like the set in e: the room for alternatives is large, and few are there */
    if (evidence->may_fail && evidence_decides(&e->accept, &e->limit)) {
        evidence_narrow(&narrow, &e->accept, &e->limit);
        in_force = &narrow;
    }
    struct measured measured = {.dtype = output->dtype,
                                .truth = truth,
                                .got = e->got,
                                .accepted = e->verdict.accepted,
                                .nu = e->verdict.nu,
                                .rho = op_resolving_power(query, in_force),
                                .quality_nu = quality(*query, e->verdict.nu, e->got),
                                .compute_error = bias_allowance(query, &e->accept, truth)};
    metrics_add(&j->metrics, &measured);
    if (e->verdict.nu > 0 && (!j->have_worst || e->verdict.nu > j->worst.verdict.nu)) {
        j->worst = *e;
        j->have_worst = true;
    }
}

static void keep_greatest(double *greatest, double x)
{
    *greatest = x > *greatest ? x : *greatest;
}

/* A finding where the envelope may not fail the case. */
static void note_implausible(struct envelope_result *r, double factor, const char *by)
{
    if (factor > r->implausible) {
        r->implausible = factor;
        r->implausible_by = by;
    }
}

/* What one tensor has proved goes into the case's result; false when out of memory. */
static bool conclude_tensor(struct judging *j, const struct traversal *t, const struct evidence *evidence)
{
    struct envelope_result *r = &j->envelope;
    struct evidence_statistics s;
    if (!evidence_measure(evidence, &s)) {
        return false;
    }
    const char *class = evidence_accepts_class(evidence);
    if (s.g >= r->g) {
        r->groups = s.groups;
    }
    keep_greatest(&r->q, evidence->greatest_q);
    keep_greatest(&r->t, s.t);
    keep_greatest(&r->g, s.g);
    if (evidence->may_fail) {
        keep_greatest(&r->failed_t, s.t);
        keep_greatest(&r->failed_g, s.g);
    } else {
        note_implausible(r, evidence->greatest_q, "Q");
        note_implausible(r, s.t / EVIDENCE_T_LIMIT, "T");
        note_implausible(r, s.g / EVIDENCE_G_LIMIT, "G");
    }
    r->resolution = fmin(r->resolution, s.resolution);
    if (class && !r->accepted_class) {
        r->accepted_class = class;
        if (j->request->program->steps == 1 && t->tensors == 1) {
            snprintf(r->accepted_where, sizeof r->accepted_where, "the result");
        } else {
            snprintf(r->accepted_where, sizeof r->accepted_where, "result %d of step %d", t->judged, t->step);
        }
    }
    return true;
}

static void judge_block(struct judging *j, struct traversal *t, const struct element_block *block,
                        struct evidence *evidence)
{
    const unsigned char *got = element_block_in(block, j->request->run[0].images);
    for (int64_t i = 0; i < block->count; i++, got += block->stride) {
        struct explained e;
        e.program = t->program;
        e.output = t->output;
        e.step = t->step;
        e.judged = t->judged;
        e.element = t->query.element = block->first + i;
        e.got = got;
        judge_element(j, &t->query, evidence, &e);
    }
}

static bool judge_tensor(struct judging *j, struct traversal *t)
{
    struct envelope_limit limit = {.may_fail = false};
    struct evidence evidence;
    struct element_block block;
    if (t->elements > 0) {
        op_envelope(&t->query, &limit);
    }
    bool may_fail = limit.may_fail && program_step_is_random(t->program, t->step);
    bool good = evidence_open(&evidence, t->elements, t->view.dtype, may_fail);
    while (good && traversal_next_block(t, &block)) {
        judge_block(j, t, &block, &evidence);
    }
    good = good && conclude_tensor(j, t, &evidence);
    evidence_close(&evidence);
    return good;
}

bool judging_elements(struct judging *j)
{
    const struct judge_request *request = j->request;
    struct traversal t = traversal_of(request->program, request->truth, request->profile, &j->ownership);
    bool good = true;
    while (good && traversal_next_tensor(&t)) {
        good = judge_tensor(j, &t);
        j->bits = t.query.truth->bits < j->bits ? t.query.truth->bits : j->bits;
    }
    return good;
}
