/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Judges all tensors, one after the other, and concludes what each has proved as a whole. */

#include "harness/judge/judging.h"
#include "reference/program/observed.h"

#include <math.h>
#include <stdio.h>

static void keep_greatest(double *greatest, double x)
{
    *greatest = x > *greatest ? x : *greatest;
}

/* Notes an implausible error where the envelope may not fail the case. */
static void note_implausible(struct envelope_result *r, int step, double factor, const char *by)
{
    if (factor > r->implausible) {
        r->implausible = factor;
        r->implausible_by = by;
        r->implausible_step = step;
    }
}

/* True if the greatest truth rounds to zero. */
static bool vanishing(double greatest, enum dtype dtype)
{
    enum dtype component = dtype_info(dtype)->component;
    return dtype_is_floating(component) && greatest <= dtype_least_subnormal(component) / 2;
}

/* The scale to which error bounds are related: the greatest truth, and at least the least normal number. If
 * all truths round to zero it is 16 times that number: a bound of one least normal number, which flushing
 * takes, still distinguishes them from every normal number. */
static double scale_of(double greatest, enum dtype dtype)
{
    enum dtype component = dtype_info(dtype)->component;
    return dtype_is_floating(component)
               ? fmax(greatest, dtype_least_normal(component) * (vanishing(greatest, dtype) ? 16 : 1))
               : greatest;
}

/* Adds what one tensor has proved to the case's result. False if out of memory. */
static bool conclude_tensor(struct judging *j, const struct traversal *t, const struct evidence *evidence)
{
    struct envelope_result *r = &j->envelope;
    struct evidence_statistics s;
    evidence_measure(evidence, &s);
    bool vanishes = j->scaled && vanishing(j->scale, t->view.dtype);
    if (!metrics_end_tensor(&j->metrics, j->scaled ? scale_of(j->scale, t->view.dtype) : 1)) {
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
        /* In a step that observes, equal operands (zeros behind relu) may round alike in all groups, which is
         * no common scale error: G is a finding there (docs/explanation/families/block.md). */
        if (program_step_observes(t->program, t->step)) {
            note_implausible(r, t->step, s.g / EVIDENCE_G_LIMIT, "G");
        } else {
            r->failed_groups = s.g >= r->failed_g ? s.groups : r->failed_groups;
            keep_greatest(&r->failed_g, s.g);
        }
    } else {
        note_implausible(r, t->step, evidence->greatest_q, "Q");
        note_implausible(r, t->step, s.t / EVIDENCE_T_LIMIT, "T");
        note_implausible(r, t->step, s.g / EVIDENCE_G_LIMIT, "G");
    }
    r->resolution = fmin(r->resolution, vanishes ? INFINITY : s.resolution); /* a truth of 0 has no scale */
    if (class && !r->accepted_class) {
        r->accepted_class = class;
        if (j->request->program->steps == 1 && t->tensors == 1) {
            snprintf(r->accepted_where, sizeof r->accepted_where, "the result");
        } else {
            char name[JUDGED_TEXT], step[STEP_TEXT];
            step_print_judged(&t->program->step[t->step], t->judged, name);
            snprintf(step, sizeof step, "step %d", t->step);
            if (j->observed) {
                program_print_step(t->program, t->step, step);
            }
            snprintf(r->accepted_where, sizeof r->accepted_where, "%s of %s", name, step);
        }
    }
    return true;
}

bool judging_tensor(struct judging *j, struct traversal *t)
{
    struct evidence evidence = {.capacity = 0};
    bool good = true;
    j->scale = 0;
    if (!judging_in_chunks(j, t, &evidence, &good)) {
        good = traversal_next_slice(t) && judging_begin_evidence(t, t->elements, &evidence) &&
               judging_slice(j, t, &evidence);
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
        good = step_is_verified(&t.program->step[t.step], t.judged) || judging_tensor(j, &t);
    }
    return good;
}

/* Certifies the worst element's truth before it is shown, which may need its slice again. */
bool judging_certify_worst(struct judging *j)
{
    struct explained *worst = &j->worst;
    struct truth_slices *slices = program_truth_slices(j->request->truth, worst->step);
    if (slices && !truth_slices_turn_to(slices, worst->element, &j->error)) {
        return false;
    }
    refine_seek(j->refine, worst->step);
    int64_t at = worst->element - (slices ? slices->first : 0);
    if (!refine_certify(j->refine, worst->judged, at, &j->error)) {
        return false;
    }
    const struct truth *truth = slices ? slices->truth : j->request->truth->truth[worst->step];
    explained_take_truth(worst, &truth->output[worst->judged], at);
    return true;
}
