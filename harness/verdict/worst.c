/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/worst.h"
#include "harness/verdict/evidence.h"
#include "harness/verdict/metrics.h"
#include "harness/verdict/traversal.h"

#include <math.h>

struct search {
    struct explained *worst;
    double rank, ulp;
    bool found;
};

/* What the envelope says of the element, as a finding: got beside Q. */
static void note_envelope(const struct bound_query *query, struct explained *e)
{
    enum dtype component = dtype_info(e->output->dtype)->component;
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
                          .output = t->output,
                          .step = t->step,
                          .judged = t->judged,
                          .element = query->element,
                          .got = got};
    op_accept(query, &e.accept);
    e.verdict = accept_judge(&e.accept, got);
    if (!e.verdict.accepted && op_range_finding(query)) {
        return; /* a finding: no error of its own */
    }
    note_envelope(query, &e);
    double rank = fmax(e.verdict.nu, e.q); /* fmax passes over NaN */
    double ulp = metrics_ulp_error(t->output->dtype, truth_value(t->output, query->element), got);
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
    struct search s = {.worst = worst};
    if (!ownership_create(&ownership, program, NULL)) {
        return false;
    }
    struct traversal t = traversal_of(program, truth, profile, &ownership);
    while (traversal_next_tensor(&t)) {
        struct element_block block;
        while (traversal_next_block(&t, &block)) {
            const unsigned char *got = element_block_in(&block, images);
            for (int64_t i = 0; i < block.count; i++, got += block.stride) {
                t.query.element = block.first + i;
                weigh(&s, &t, got);
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
