/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/batch/bounded.h"
#include "harness/judge/batch/rounded.h"
#include "harness/judge/judging.h"
#include "reference/operator/bound_memo.h"
#include "reference/program/observed.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct judging judging_of(const struct judge_request *request, struct refine *refine)
{
    return (struct judging){.request = request,
                            .observed = program_is_observed(request->program),
                            .refine = refine,
                            .bits = INT_MAX,
                            .envelope = {.resolution = INFINITY},
                            .error = {.text = "out of memory while judging"}};
}

/* E_compute for the bias test; −1 excludes the element: a special value, or a flushed operand, which may move
 * the result by any number of ulps. */
static double bias_bound(const struct bound_query *query, const struct accept *accept,
                         const struct value *truth)
{
    const struct accept_set *set = &accept->set[0];
    enum dtype dtype = query->truth->output[query->output].dtype;
    if (!set->component[0].finite || set->unbounded_below || !isfinite(set->radius) || accept->sets > 1) {
        return -1;
    }
    double error = op_is_rounded(query) ? 0 : op_bound(query);
    if (dtype_is_floating(dtype) && query->profile->rounding[dtype] == ROUNDING_OPEN) {
        error += dtype_ulp(dtype, value_approximately(truth));
    }
    return error;
}

/* The error over Q with the primitive errors of a good implementation, or over its B if no envelope decides.
 * `q` is as evidence_add returned it. */
static double quality(struct traversal *t, const struct explained *e, double q)
{
    double error;
    struct envelope_limit limit;
    struct accept strict;
    if (e->verdict.error_over_bound == 0) {
        return 0;
    }
    if (!traversal_is_graded(t)) {
        return evidence_decides(&e->accept, &e->limit) ? q : e->verdict.error_over_bound;
    }
    const struct bound_query query = traversal_graded(t);
    op_envelope(&query, &limit);
    op_accept(&query, &strict);
    return evidence_decides(&strict, &limit)
               ? evidence_beyond(&query, &limit, dtype_load(dtype_info(t->view.dtype)->component, e->got),
                                 &error)
               : accept_judge(&strict, e->got).error_over_bound;
}

/* If the envelope may fail the case, an element beyond Q is refused, whatever B says. */
static void apply_envelope(struct judging *j, struct explained *e, const struct evidence *evidence, double q)
{
    if (evidence->may_fail && q > 1 && e->verdict.accepted) {
        j->beyond_envelope++;
        e->verdict.accepted = false;
        e->verdict.rule = RULE_ENVELOPE;
        e->verdict.error_over_bound = fmax(q, e->verdict.error_over_bound);
    }
}

static void hold_against_limits(const struct bound_query *query, struct explained *e)
{
    op_accept(query, &e->accept);
    op_envelope(query, &e->limit);
    e->verdict = accept_judge(&e->accept, e->got);
}

/* Compares the element with its error bounds. If the radius of its truth leaves the verdict open, the truth
 * is certified and the element compared again. False if out of memory. */
static bool hold_element(struct judging *j, struct traversal *t, bool enclosed, struct explained *e)
{
    const struct bound_query *query = &t->query;
    struct error error;
    bool certified = false;
    hold_against_limits(query, e);
    const struct refine_view view = {query, e->got, &e->accept, &e->limit, e->verdict.error_over_bound};
    if (enclosed && !refine_element(j->refine, &view, &certified, &error)) {
        return false;
    }
    if (certified) {
        op_forget_bound(&t->memo, query->element);
        op_forget_bound(&t->graded, query->element);
        hold_against_limits(query, e);
    }
    return true;
}

static void take_explained(struct explained *to, const struct traversal *t, const struct explained *e)
{
    *to = *e;
    to->view = t->view;
    explained_take_truth(to, t->output, t->query.element);
}

/* Keeps the element with the greatest error over bound, the first of equals. */
static void keep_worst(struct judging *j, const struct traversal *t, const struct explained *e)
{
    if (e->verdict.error_over_bound > 0 &&
        (!j->have_worst || e->verdict.error_over_bound > j->worst.verdict.error_over_bound)) {
        take_explained(&j->worst, t, e);
        j->have_worst = true;
    }
}

static void judge_element(struct judging *j, struct traversal *t, struct evidence *evidence,
                          struct explained *e)
{
    const struct bound_query *query = &t->query;
    j->incomplete = j->incomplete || e->accept.incomplete;
    if (!e->verdict.accepted && op_range_finding(query, e->got)) {
        if (j->range_findings++ == 0) {
            take_explained(&j->finding, t, e);
        }
        return;
    }
    const struct value *truth = truth_value(t->output, query->element);
    double q = evidence_add(evidence, query, &e->accept, &e->limit, e->got);
    apply_envelope(j, e, evidence, q);
    const struct accept *in_force = &e->accept;
    struct accept
        narrow; /* not cleared, like the set in e: it has room for many alternatives, and few are there */
    if (evidence->may_fail && evidence_decides(&e->accept, &e->limit)) {
        evidence_narrow(&narrow, &e->accept, &e->limit);
        in_force = &narrow;
    }
    bool scaled;
    struct measured measured = {.dtype = t->view.dtype,
                                .truth = truth,
                                .got = e->got,
                                .accepted = e->verdict.accepted,
                                .error_over_bound = e->verdict.error_over_bound,
                                .power = op_resolving_power(query, in_force, &scaled),
                                .quality_nu = quality(t, e, q),
                                .compute_error = bias_bound(query, &e->accept, truth)};
    metrics_add(&j->metrics, &measured);
    j->scaled = scaled;
    keep_worst(j, t, e);
}

/* Compares element `element` of the tensor with its error bounds and fills `e`, which is not cleared because
 * its room for alternatives is large. */
static bool look_at(struct judging *j, struct traversal *t, int64_t element, const unsigned char *got,
                    bool enclosed, struct explained *e)
{
    e->program = t->program;
    e->step = t->step;
    e->judged = t->judged;
    e->element = element;
    e->got = got;
    t->query.element = element - t->first;
    return truth_output_fill(t->output) && hold_element(j, t, enclosed, e);
}

/* Judges one element. False if out of memory. */
static bool judge_one(struct judging *j, struct traversal *t, struct evidence *evidence, int64_t element,
                      const unsigned char *got, bool enclosed)
{
    struct explained e;
    if (!look_at(j, t, element, got, enclosed, &e)) {
        return false;
    }
    judge_element(j, t, evidence, &e);
    return true;
}

/* A batch: consecutive elements of a block. */
struct batch {
    int64_t first; /* element of the tensor */
    int count;
    const unsigned char *got;
    ptrdiff_t stride; /* in bytes */
};

static const unsigned char *got_at(const struct batch *s, int i)
{
    return s->got + i * s->stride;
}

/* Adds the batch to the errors by input. `known` is as in by_input_add. */
static void note_by_input(struct judging *j, struct traversal *t, const struct batch *s,
                          const struct by_input_errors *known)
{
    if (j->by_input) {
        by_input_add(j->by_input, t, s->first - t->first, s->count, s->got, s->stride, known);
    }
}

/* Judges a batch of results of a single rounding: those that qualify together, then the others one by one. */
static bool judge_run(struct judging *j, struct traversal *t, const struct batch *s,
                      struct evidence *evidence, bool enclosed)
{
    struct rounded_batch run;
    if (!truth_output_fill(t->output)) {
        return false;
    }
    bool good = true;
    rounded_find(t, s->first - t->first, s->count, s->got, s->stride, &run);
    rounded_take(j, t, evidence, &run, s->count);
    for (int i = 0; good && i < s->count; i++) {
        if (!run.taken[i]) {
            good = judge_one(j, t, evidence, s->first + i, got_at(s, i), enclosed);
        }
    }
    note_by_input(j, t, s, NULL);
    return good;
}

/* Of the elements taken last, from `from` on, keeps the one with the greatest error over bound if it is the
 * worst so far. */
static bool look_at_furthest(struct judging *j, struct traversal *t, const struct batch *s,
                             const struct bounded_batch *run, int from, bool enclosed)
{
    struct explained e;
    int at = bounded_furthest(run, from, j->have_worst ? j->worst.verdict.error_over_bound : 0);
    bool good = at < 0 || look_at(j, t, s->first + at, got_at(s, at), enclosed, &e);
    if (good && at >= 0) {
        keep_worst(j, t, &e);
    }
    return good;
}

/* Judges a batch of elements with error bounds B and Q: those well within both together, the others one by
 * one, in the order of the elements. */
static bool judge_bounded_run(struct judging *j, struct traversal *t, const struct batch *s,
                              struct evidence *evidence, bool enclosed)
{
    struct bounded_batch run;
    bool good = true;
    int64_t first = s->first - t->first;
    bounded_load(t, first, s->count, s->got, s->stride, &run);
    bool whole = bounded_take_whole(j, t, evidence, &run);
    if (whole) {
        good = look_at_furthest(j, t, s, &run, 0, enclosed);
    } else {
        j->fewer_bits = true;
        bounded_find(t, evidence, first, &run);
    }
    for (int i = whole ? s->count : 0, next; good && i < s->count; i = next) {
        const unsigned char *alone = memchr(&run.taken[i], BOUNDED_ALONE, (size_t)(s->count - i));
        next = alone ? (int)(alone - run.taken) : s->count;
        if (next == i) {
            good = judge_one(j, t, evidence, s->first + i, got_at(s, i), enclosed);
            next++;
            continue;
        }
        bounded_take(j, t, evidence, first, &run, i, next);
        good = look_at_furthest(j, t, s, &run, i, enclosed);
    }
    const struct by_input_errors known = {.off = run.error_ulp, .most = run.most};
    note_by_input(j, t, s, run.numbers ? &known : NULL);
    return good;
}

static bool judge_block(struct judging *j, struct traversal *t, const struct element_block *block,
                        struct evidence *evidence)
{
    const bool enclosed = refine_concerns(j->refine, t->judged), alone = j->request->one_by_one;
    const unsigned char *got = element_block_in(block, j->request->run[0].images);
    bool good = true;
    for (int64_t i = 0; good && i < block->count;) {
        int64_t room = block->count - i;
        const bool rounds = !alone && rounded_concerns(t, evidence, block->first + i - t->first);
        const int bounded = alone || rounds ? 0 : bounded_most(t, evidence), most = rounds ? ROUNDED_RUN
                                                                                    : bounded > 0 ? bounded
                                                                                                  : 1;
        const struct batch s = {.first = block->first + i,
                                .count = room < most ? (int)room : most,
                                .got = got + i * block->stride,
                                .stride = block->stride};
        j->fewer_bits = j->fewer_bits || bounded == 0;
        if (rounds) {
            good = judge_run(j, t, &s, evidence, enclosed);
        } else if (bounded > 0) {
            good = judge_bounded_run(j, t, &s, evidence, enclosed);
        } else {
            good = judge_one(j, t, evidence, s.first, s.got, enclosed);
            note_by_input(j, t, &s, NULL);
        }
        i += s.count;
    }
    return good;
}

bool judging_begin_evidence(struct traversal *t, int64_t capacity, struct evidence *evidence)
{
    bool may_fail =
        t->elements > 0 && op_envelope_may_fail(&t->query) && program_step_is_random(t->program, t->step);
    t->query.element = 0;
    return evidence_open(evidence, capacity, t->view.dtype, may_fail);
}

bool judging_slice(struct judging *j, struct traversal *t, struct evidence *evidence)
{
    struct element_block block;
    const int64_t begin = t->next;
    bool good = true;
    traversal_pair(t);
    op_forget_bounds(&t->memo); /* they belong to another slice */
    op_forget_bounds(&t->graded);
    refine_seek(j->refine, t->step);
    j->scale = fmax(j->scale, t->output->scale);
    j->fewer_bits = false;
    while (good && traversal_next_block(t, &block)) {
        good = judge_block(j, t, &block, evidence);
    }
    good = good && (!j->by_input || by_input_end_slice(j->by_input, t));
    refine_lock(j->refine);
    int bits = t->query.truth->bits;
    if (j->fewer_bits) {
        bits = refine_bits(t->query.truth, t->judged, begin - t->first, t->end - t->first);
    }
    refine_unlock(j->refine);
    j->bits = bits < j->bits ? bits : j->bits;
    return good && evidence_end_slice(evidence);
}
