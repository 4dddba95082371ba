/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/worst.h"
#include "harness/verdict/evidence.h"
#include "harness/verdict/metrics.h"

#include <math.h>

struct search {
    const struct program *program;
    const struct program_truth *truth;
    const struct images *images;
    const struct ownership *ownership;
    struct profile profile; /* as it holds for the step in hand */
    struct explained *worst;
    double rank, ulp;
    bool found;
};

/* What the envelope says of the element, as a finding: got beside Q. */
static void note_envelope(const struct bound_query *query, struct explained *e)
{
    struct envelope_limit limit;
    enum dtype component = dtype_info(e->output->dtype)->component;
    double error;
    e->q = e->reach = NAN;
    op_envelope(query, &limit);
    if (evidence_decides(&e->accept, &limit)) {
        e->q = evidence_beyond(query, &limit, dtype_load(component, e->got), &error);
        e->reach = envelope_limit_reach(&limit);
    }
}

static void weigh(struct search *s, int step, int judged, int64_t i, const unsigned char *got)
{
    const struct step *at = &s->program->step[step];
    const struct truth *truth = s->truth->truth[step];
    const struct truth_output *output = &truth->output[judged];
    struct bound_query query = {.op = at->op,
                                .profile = &s->profile,
                                .attributes = &at->attributes,
                                .truth = truth,
                                .output = judged,
                                .element = i,
                                .exact = at->exact};
    struct explained e = {
        .program = s->program, .output = output, .step = step, .judged = judged, .element = i, .got = got};
    op_accept(&query, &e.accept);
    op_envelope(&query, &e.limit);
    e.verdict = accept_judge(&e.accept, got);
    if (!e.verdict.accepted && op_range_finding(&query)) {
        return; /* a finding: no error of its own */
    }
    note_envelope(&query, &e);
    double rank = fmax(e.verdict.nu, e.q); /* fmax passes over NaN */
    double ulp = metrics_ulp_error(output->dtype, truth_value(output, i), got);
    ulp = isnan(ulp) ? 0 : fabs(ulp);
    if (!s->found || rank > s->rank || (rank >= s->rank && ulp > s->ulp)) {
        *s->worst = e;
        s->rank = rank;
        s->ulp = ulp;
        s->found = true;
    }
}

bool worst_find(const struct program *program, const struct program_truth *truth, const struct images *images,
                const struct profile *profile, struct explained *worst)
{
    struct ownership ownership;
    struct search s = {
        .program = program, .truth = truth, .images = images, .ownership = &ownership, .worst = worst};
    if (!ownership_create(&ownership, program)) {
        return false;
    }
    for (int step = 0; step < program->steps; step++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = truth->truth[step] ? step_judged(&program->step[step], judged) : 0;
        s.profile = profile_of_operator(profile, program->step[step].op->name);
        for (int o = 0; o < count; o++) {
            int64_t elements = shape_elements(&judged[o].shape);
            size_t size = dtype_info(judged[o].dtype)->size;
            for (int64_t i = 0; i < elements; i++) {
                size_t at = (size_t)view_element(&judged[o], i) * size;
                if (ownership.owner[judged[o].storage][at] == ownership_mark(step, o)) {
                    weigh(&s, step, o, i, images->image[judged[o].storage] + BACKEND_GUARD + at);
                }
            }
        }
    }
    ownership_destroy(&ownership);
    return s.found;
}

double worst_bound(const struct explained *worst)
{
    const struct accept_set *set = &worst->accept.set[0];
    return !set->component[0].finite ? NAN : set->unbounded_below ? INFINITY : set->radius;
}
