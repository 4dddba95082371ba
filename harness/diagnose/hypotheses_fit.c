/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/hypotheses_parts.h"
#include "harness/judge/statistics/evidence.h"

#include <math.h>

const unsigned char *element_of(const struct tensor *tensor, int64_t element)
{
    return tensor->data + (size_t)element * dtype_info(tensor->dtype)->size;
}

struct holding holding_of(const struct search *s)
{
    return (struct holding){.op = s->of->call->op,
                            .truth = s->of->truth,
                            .attributes = s->of->call->attributes,
                            .profile = s->of->profile,
                            .got = s->of->got,
                            .factor = 1,
                            .through = DTYPE_COUNT};
}

static struct bound_query query_of(const struct holding *h, int output, int64_t element)
{
    return (struct bound_query){.op = h->op,
                                .profile = h->profile,
                                .attributes = h->attributes,
                                .truth = h->truth,
                                .output = output,
                                .element = element};
}

static struct limit limit_as_is(const struct bound_query *query, struct accept *accept,
                                struct envelope_limit *envelope)
{
    const struct value *value = truth_value(&query->truth->output[query->output], query->element);
    op_accept(query, accept);
    op_envelope(query, envelope);
    envelope->known = evidence_decides(accept, envelope);
    struct limit limit = {.centre = value_approximately(value),
                          .finite = value->class == VALUE_FINITE,
                          .reach = evidence_reach(accept),
                          .group = -1};
    if (envelope->known) {
        limit.reach = fmin(limit.reach, envelope_limit_reach(envelope));
        limit.spread = envelope->spread;
        limit.certain = envelope->certain;
        limit.group = envelope->group;
    }
    return limit;
}

/* The limit of an element, with its acceptance set and its envelope. A value whose radius is at most a
 * thousandth of the limit is as good as a certified one; others are certified, and stay as they are if that
 * fails. */
static struct limit limit_with(const struct holding *h, const struct bound_query *query,
                               struct accept *accept, struct envelope_limit *envelope)
{
    struct error error;
    bool certified = false;
    struct limit limit = limit_as_is(query, accept, envelope);
    if (h->refine &&
        refine_within(h->refine, query->output, query->element, 0x1p-10 * limit.reach, &certified, &error) &&
        certified) {
        limit = limit_as_is(query, accept, envelope);
    }
    return limit;
}

struct limit limit_of(const struct holding *h, int output, int64_t element)
{
    struct accept accept;
    struct envelope_limit envelope;
    struct bound_query query = query_of(h, output, element);
    return limit_with(h, &query, &accept, &envelope);
}

static double excess_of(const struct limit *limit, double error)
{
    double beyond = fabs(error) - limit->certain;
    return limit->spread > 0 && beyond > 0 ? beyond / limit->spread : 0;
}

bool limit_holds(const struct holding *h, int output, int64_t element, double got, double slack,
                 double *excess)
{
    struct limit limit = limit_of(h, output, element);
    struct bound_query query = query_of(h, output, element);
    double error = evidence_error(&query, got);
    limit.certain += slack;
    *excess = excess_of(&limit, error);
    return limit.finite && isfinite(got) && fabs(error) <= limit.reach + slack;
}

bool element_fits(const struct holding *h, int output, int64_t element, const void *got, double *excess)
{
    const struct dtype_info *info = dtype_info(h->truth->output[output].dtype);
    struct bound_query query = query_of(h, output, element);
    struct accept accept;
    struct envelope_limit envelope;
    struct limit limit = limit_with(h, &query, &accept, &envelope);
    *excess = 0;
    if (!accept_judge(&accept, got).accepted) {
        return false;
    }
    if (!envelope.known || info->components != 1) {
        return true;
    }
    double error, q = evidence_beyond(&query, &envelope, dtype_load(info->component, got), &error);
    *excess = excess_of(&limit, error);
    return q <= 1;
}

/* As element_fits, for results that are scaled or of a narrow format. */
static bool number_fits(const struct holding *h, int output, int64_t element, const void *got, double *excess)
{
    enum dtype component = dtype_info(h->truth->output[output].dtype)->component;
    double x = dtype_load(component, got), slack = dtype_ulp(component, x / h->factor);
    struct limit limit = limit_of(h, output, element);
    *excess = 0;
    if (!limit.finite || !isfinite(x)) {
        return h->factor > 0 && element_fits(h, output, element, got, excess);
    }
    if (h->through != DTYPE_COUNT) {
        if (!dtype_holds(h->through, x)) {
            return false;
        }
        double above = fabs(x) * (1 + 0x1p-20); /* at a power of two the wider of both spacings */
        slack = fmax(slack, dtype_ulp(h->through, above) / 2);
    }
    return limit_holds(h, output, element, x / h->factor, slack, excess);
}

/* The distance between got and the truth, over this hypothesis' bound. */
static double gain_of(const struct search *s, const struct holding *h, int output, int64_t element)
{
    enum dtype dtype = h->truth->output[output].dtype;
    if (dtype_info(dtype)->components != 1) {
        return INFINITY;
    }
    struct limit limit = limit_of(h, output, element);
    const struct value *truth = truth_value(&s->of->truth->output[output], element);
    double got = dtype_load(dtype, element_of(&s->of->got[output], element));
    if (truth->class != VALUE_FINITE || !isfinite(got)) {
        return INFINITY; /* a wrong class */
    }
    double reach = limit.reach;
    if (h->through != DTYPE_COUNT) {
        return INFINITY; /* that all are numbers of the format is the evidence */
    }
    return reach > 0 ? fabs(value_distance(truth, got)) / reach : INFINITY;
}

static bool by_number(const struct holding *h)
{
    return h->factor != 1 || h->through != DTYPE_COUNT;
}

bool fits(const struct holding *h, int output, int64_t element, const void *got, double *excess)
{
    return by_number(h) ? number_fits(h, output, element, got, excess)
                        : element_fits(h, output, element, got, excess);
}

struct fit fit_all(const struct search *s, const struct holding *h)
{
    struct fit fit = {.holds = true};
    double sum = 0;
    int64_t count = 0;
    for (int o = 0; fit.holds && o < h->truth->outputs; o++) {
        const struct truth_output *out = &h->truth->output[o];
        if (by_number(h) && (!dtype_is_floating(out->dtype) || dtype_info(out->dtype)->components != 1)) {
            fit.holds = false;
        }
        for (int64_t i = 0; fit.holds && i < out->elements; i++) {
            const unsigned char *got = element_of(&h->got[o], i);
            double excess = 0;
            if (h->refused_only && !s->refused[o][i]) {
                continue;
            }
            fit.holds = fits(h, o, i, got, &excess);
            if (fit.holds && s->refused[o][i]) {
                fit.gain = fmax(fit.gain, gain_of(s, h, o, i));
                fit.explained++;
            }
            sum += excess * excess;
            count++;
        }
    }
    fit.t = count ? sqrt(sum / (double)count) : 0;
    return fit;
}

bool fit_explains(const struct search *s, const struct fit *fit)
{
    const double sharp = 4; /* error bounds; or the factor by which T falls */
    bool gained =
        (fit->explained > 0 && fit->gain >= sharp) || (s->t > EVIDENCE_T_LIMIT && sharp * fit->t <= s->t);
    return fit->holds && fit->t <= EVIDENCE_T_LIMIT && gained;
}

double rounded_to(enum dtype format, double x)
{
    unsigned char bytes[8];
    dtype_store(format, bytes, x);
    return dtype_load(format, bytes);
}

/* Compares one refused or predicted element with its prediction. */
static bool predicted(const struct search *s, int output, int64_t element, const struct prediction *p,
                      struct fit *fit)
{
    enum dtype dtype = s->of->truth->output[output].dtype;
    const struct value *truth = truth_value(&s->of->truth->output[output], element);
    double got = dtype_load(dtype, element_of(&s->of->got[output], element));
    bool same = got == p->value || (isnan(got) && isnan(p->value));
    if (!same && !(fabs(got - p->value) <= p->slack)) {
        return false;
    }
    if (s->refused[output][element]) {
        bool numbers = truth->class == VALUE_FINITE && isfinite(got) && p->slack > 0;
        fit->gain = fmax(fit->gain, numbers ? fabs(value_distance(truth, got)) / p->slack : INFINITY);
        fit->explained++;
    }
    return true;
}

struct fit fit_predicted(const struct search *s, predictor *predict, void *user)
{
    struct fit fit = {.holds = true};
    for (int o = 0; fit.holds && o < s->of->truth->outputs; o++) {
        const struct truth_output *out = &s->of->truth->output[o];
        fit.holds = dtype_info(out->dtype)->components == 1;
        for (int64_t i = 0; fit.holds && i < out->elements; i++) {
            struct prediction prediction = {.slack = 0};
            fit.holds = predict(s, user, o, i, &prediction) ? predicted(s, o, i, &prediction, &fit)
                                                            : !s->refused[o][i];
        }
    }
    return fit;
}
