/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_mask_gradient.h"

#include <math.h>
#include <stdlib.h>

bool attention_mask_gradient_create(struct attention_mask_gradient *m, const struct attention *a,
                                    struct truth *truth)
{
    *m = (struct attention_mask_gradient){.a = a, .truth = truth};
    if (truth->outputs <= GRADIENT_MASK) {
        return true;
    }
    m->elements = truth->output[GRADIENT_MASK].elements;
    m->each = a->batches * a->queries * a->keys / m->elements;
    m->most.known = true;
    m->term = malloc((size_t)(m->elements * m->each) * sizeof *m->term);
    m->count = calloc((size_t)m->elements, sizeof *m->count);
    m->sum = calloc((size_t)m->elements * TERMS, sizeof *m->sum);
    return m->term && m->count && m->sum;
}

void attention_mask_gradient_clear(struct attention_mask_gradient *m)
{
    free(m->term);
    free(m->count);
    free(m->sum);
}

static void join_most(struct attention_group *most, const struct attention_group *g)
{
    most->most.score_most = fmax(most->most.score_most, g->most.score_most);
    most->most.distance_most = fmax(most->most.distance_most, g->most.distance_most);
    most->most.far = fmax(most->most.far, g->most.far);
    most->most.plain = fmax(most->most.plain, g->most.plain);
    most->most.subnormal = fmax(most->most.subnormal, g->most.subnormal);
    most->maximum = fmax(most->maximum, g->maximum);
    most->has_empty = most->has_empty || g->has_empty;
    most->special = most->special || g->special;
    most->known = most->known && g->known;
    most->flushed = g->flushed;
    most->a = g->a;
}

void attention_mask_gradient_add(struct attention_mask_gradient *m, const struct attention_group *g)
{
    const struct attention *a = g->a;
    const double *ds = attention_group_numbers(g, GROUP_DS);
    for (int64_t at = 0; m->elements > 0 && at < g->count * a->queries * a->keys; at++) {
        int64_t batch = g->batch[at / (a->queries * a->keys)];
        int64_t e = attention_mask_element(a, batch, at / a->keys % a->queries, at % a->keys);
        double term[TERMS], *sum = m->sum + e * TERMS;
        attention_term(g, GRADIENT_MASK, at, term);
        for (int k = 0; k < TERMS; k++) {
            sum[k] += term[k];
        }
        m->term[e * m->each + m->count[e]++] = ds[at];
    }
    join_most(&m->most, g);
}

/* --- certified elements */

struct terms {
    const struct attention *a;
    int64_t element;
};

/* The n-th of all scores that the element is added to. */
static struct attention_term exact_term(const void *user, int64_t n)
{
    const struct terms *t = user;
    const struct attention *a = t->a;
    int64_t at = -1;
    do {
        at++;
        n -= attention_mask_element(a, at / (a->queries * a->keys), at / a->keys % a->queries,
                                    at % a->keys) == t->element;
    } while (n >= 0);
    return (struct attention_term){.batch = at / (a->queries * a->keys),
                                   .query = at / a->keys % a->queries,
                                   .key = at % a->keys,
                                   .factor = 1};
}

bool attention_mask_gradient_certify(struct attention_gradient_exact *exact, struct truth *truth,
                                     int64_t element, struct error *error)
{
    const struct attention *a = exact->a;
    struct truth_output *out = &truth->output[GRADIENT_MASK];
    const struct terms terms = {.a = a, .element = element};
    const struct attention_exact_sum sum = {
        .count = a->batches * a->queries * a->keys / out->elements, .term = exact_term, .user = &terms};
    if (out->radius) {
        out->radius[element] = 0;
    }
    return attention_gradient_certify(exact, &sum, &out->value[element], &truth->bits, error);
}

/* --- results */

static bool fill_element(struct attention_mask_gradient *m, struct attention_gradient_exact *exact, int64_t e,
                         bool certain, struct error *error)
{
    struct truth_output *out = &m->truth->output[GRADIENT_MASK];
    const double *sum = m->sum + e * TERMS;
    struct envelope_sum all;
    double u[ENVELOPE_WIDTHS];
    envelope_widths(out->dtype, u);
    envelope_sum(m->term + e * m->each, m->each, u, &all);
    struct envelope *envelope = &out->envelope[e];
    attention_gradient_fill(&m->most, sum, (double)m->each, 0,
                            &out->sensitivity[e * ATTENTION_GRADIENT_SENSITIVITIES]);
    if (!isfinite(all.total) || isnan(sum[TERM_RADIUS])) {
        out->value[e] = value_of(NAN);
        out->value[e].open = true;
        envelope->spread = INFINITY;
        return true;
    }
    attention_gradient_surround(sum, all.order, all.squares, all.total, false, envelope);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        envelope->drift[k] += all.drift[k];
    }
    envelope->group = -1; /* the scores of a query share errors */
    envelope->spread = m->most.known ? envelope->spread : INFINITY;
    if (sum[TERM_LOST] == 0 && sum[TERM_MAGNITUDE] == 0) {
        return true; /* no key takes part: 0 */
    }
    if (certain || !m->most.known) {
        return attention_mask_gradient_certify(exact, m->truth, e, error);
    }
    out->value[e] = value_of(all.total);
    out->value[e].exact = false;
    out->radius[e] = (sum[TERM_RADIUS] + ((double)m->each + 2) * 0x1p-52 * all.absolute) * (1 + 0x1p-30);
    return true;
}

bool attention_mask_gradient_fill(struct attention_mask_gradient *m, struct attention_gradient_exact *exact,
                                  bool certain, struct error *error)
{
    bool good = true;
    for (int64_t e = 0; good && e < m->elements; e++) {
        good = fill_element(m, exact, e, certain, error);
    }
    return good;
}
