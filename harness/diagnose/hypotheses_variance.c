/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Hypotheses about the variance of a normalization: over n − 1, with another ε, or the naive E[x²] − E[x]².
 * With y = (x − m)·r·w + b, the result less b is the truth less b times one factor per group, r'/r.
 *
 * The error of the naive variance depends on the order of its sums, so that no single truth represents it.
 * The hypothesis is that each group has a variance V' of its own, |V' − V| within what rounding E[x²] and
 * E[x]² gives, and that every element of the group is right for that V'. Rounding of n positive terms errs by
 * about u·sqrt(n/3) of their sum to one standard deviation (n + 1 prefixes, the last the greatest); 16 of
 * them are admitted, as in Q. A negative V' + ε gives NaN in the whole group. */

#include "harness/diagnose/hypotheses_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x as [outer, channels, inner]: the groups are `per` channels of one outer index, or (batch) one channel
 * over all of them. */
struct grouping {
    int64_t outer, channels, inner, per, groups;
    bool batch, elementwise; /* the bias is one per element of the group, not per channel */
    const struct tensor *bias;
};

static bool grouping_of(const struct op_call *call, struct grouping *g)
{
    const struct attributes *a = call->attributes;
    const struct shape *shape = &call->input[0].shape;
    const char *name = call->op->name;
    bool layer = strcmp(name, "layer_norm") == 0, batch = strcmp(name, "batch_norm") == 0,
         group = strcmp(name, "group_norm") == 0, instance = strcmp(name, "instance_norm") == 0;
    int bias = layer || group ? 2 : 4;
    int64_t elements = shape_elements(shape);
    if (!(layer || batch || group || instance) || elements == 0 || shape->rank < 1 ||
        (batch && !attributes_integer(a, "training", 0)) ||
        (instance && !attributes_integer(a, "use_input_stats", 1))) {
        return false;
    }
    *g =
        (struct grouping){.outer = layer ? 1 : shape->dim[0], .per = 1, .batch = batch, .elementwise = layer};
    if (layer) {
        const struct integers *normal = attributes_integers(a, "normalized_shape");
        struct shape shape_of_one;
        bool given = normal && integers_to_shape(normal, &shape_of_one);
        g->inner = given ? shape_elements(&shape_of_one) : elements;
        g->channels = elements / g->inner;
    } else {
        g->channels = shape->rank > 1 ? shape->dim[1] : 1;
        g->inner = elements / (g->outer * g->channels);
        g->per = group ? g->channels / attributes_integer(a, "num_groups", 1) : 1;
    }
    g->groups = batch ? g->channels : g->outer * g->channels / g->per;
    g->bias = call->inputs > bias && !tensor_absent(&call->input[bias]) ? &call->input[bias] : NULL;
    return true;
}

static int64_t group_of(const struct grouping *g, int64_t i)
{
    int64_t channel = i / g->inner;
    return g->batch ? channel % g->channels : channel / g->per;
}

static double bias_of(const struct grouping *g, int64_t i)
{
    int64_t at = g->elementwise ? i % g->inner : i / g->inner % g->channels;
    return g->bias ? tensor_component(g->bias, at) : 0;
}

struct group {
    double n, sum, squares, mean, variance;
    double along, square, factor; /* least squares of got − b on t − b */
    int64_t numbers;
};

/* Finds mean, variance and factor of each group, in double. */
static void measure(const struct search *s, const struct grouping *g, struct group *groups)
{
    const struct tensor *x = &s->of->call->input[0];
    const struct truth_output *out = &s->of->truth->output[s->of->truth->outputs - 1];
    const struct tensor *got = &s->of->got[s->of->truth->outputs - 1];
    for (int64_t i = 0; i < out->elements; i++) {
        struct group *group = &groups[group_of(g, i)];
        double e = tensor_component(x, i), b = bias_of(g, i);
        double t = value_approximately(&out->value[i]) - b,
               y = dtype_load(got->dtype, element_of(got, i)) - b;
        group->n++;
        group->sum += e;
        group->squares += e * e;
        if (isfinite(y) && isfinite(t)) {
            group->along += y * t;
            group->square += t * t;
            group->numbers++;
        }
    }
    for (int64_t k = 0; k < g->groups; k++) {
        groups[k].mean = groups[k].sum / groups[k].n;
        groups[k].factor = groups[k].square > 0 ? groups[k].along / groups[k].square : 1;
    }
    for (int64_t i = 0; i < out->elements; i++) {
        struct group *group = &groups[group_of(g, i)];
        double d = tensor_component(x, i) - group->mean;
        group->variance += d * d / group->n;
    }
}

/* True if a variance within reach explains the factor; in a group of NaN, if V' + ε may be negative. */
static bool plausible(const struct group *group, double eps, double u)
{
    double reach = 16 * u * (1 + sqrt(group->n / 3)) * (group->squares / group->n);
    double wanted = (group->variance + eps) / (group->factor * group->factor) - eps;
    if (group->numbers == 0) {
        return group->variance + eps <= reach;
    }
    return group->numbers == (int64_t)group->n && group->n >= 3 && group->factor > 0 &&
           fabs(wanted - group->variance) <= reach;
}

static struct fit hold(const struct search *s, const struct grouping *g, const struct group *groups)
{
    int o = s->of->truth->outputs - 1;
    const struct holding h = holding_of(s);
    const struct truth_output *out = &s->of->truth->output[o];
    enum dtype dtype = out->dtype;
    struct fit fit = {.holds = true};
    double sum = 0;
    for (int64_t i = 0; fit.holds && i < out->elements; i++) {
        const struct group *group = &groups[group_of(g, i)];
        double x = dtype_load(dtype, element_of(&s->of->got[o], i)), b = bias_of(g, i), excess = 0;
        if (group->numbers > 0) {
            double slack = 2 * dtype_unit_roundoff(dtype) * (fabs(x) + fabs(b)) / group->factor;
            fit.holds = limit_holds(&h, o, i, (x - b) / group->factor + b, slack, &excess);
        }
        if (s->refused[o][i]) {
            struct limit limit = limit_of(&h, o, i);
            double gain = isfinite(x) ? fabs(x - limit.centre) / limit.reach : INFINITY;
            fit.gain = fmax(fit.gain, gain);
            fit.explained++;
        }
        sum += excess * excess;
    }
    fit.t = out->elements ? sqrt(sum / (double)out->elements) : 0;
    return fit;
}

/* Sets the factors that come of the variance times `times` and of another eps. False if a group has results
 * that are not finite, which neither explains. */
static bool rescale(const struct grouping *g, struct group *groups, double eps, double times, double other)
{
    bool numbers = true;
    for (int64_t k = 0; k < g->groups; k++) {
        groups[k].factor = sqrt((groups[k].variance + eps) / (groups[k].variance * times + other));
        numbers = numbers && groups[k].numbers == (int64_t)groups[k].n;
    }
    return numbers;
}

static void try_naive(struct search *s, const struct grouping *g, const struct group *groups, double eps)
{
    enum dtype dtype = s->of->call->input[0].dtype;
    double u = dtype_unit_roundoff(s->of->profile->accumulate[dtype]);
    bool all = true;
    for (int64_t k = 0; all && k < g->groups; k++) {
        all = plausible(&groups[k], eps, u);
    }
    if (all) {
        struct fit fit = hold(s, g, groups);
        search_offer(s, &fit, "naive-variance", "the variance is computed as E[x^2] - E[x]^2, which cancels");
    }
}

/* Tries the eps that the factor of the group of least variance implies, if it is positive: eps changes that
 * group most. */
static void try_eps(struct search *s, const struct grouping *g, struct group *groups, double eps)
{
    const struct group *least = &groups[0];
    for (int64_t k = 1; k < g->groups; k++) {
        least = groups[k].variance < least->variance ? &groups[k] : least;
    }
    double other = (least->variance + eps) / (least->factor * least->factor) - least->variance;
    if (isfinite(other) && other > 0 && rescale(g, groups, eps, 1, other)) {
        struct fit fit = hold(s, g, groups);
        search_offer(s, &fit, "eps-other", "eps is taken for %.3g", other);
    }
}

enum question { UNBIASED, NAIVE_OR_EPS };

/* Tries hypotheses on the last judged tensor. Running statistics are judged tensors as well, but are not
 * compared: they are right, or no more than their variance is wrong. */
static void ask(struct search *s, enum question question)
{
    struct grouping g;
    if (!grouping_of(s->of->call, &g)) {
        return;
    }
    struct group *groups = calloc((size_t)g.groups + 1, sizeof *groups);
    double eps = attributes_real(s->of->call->attributes, "eps", 1e-5);
    s->memory = s->memory || !groups;
    if (groups) {
        measure(s, &g, groups);
    }
    if (groups && question == UNBIASED) {
        double n = groups[0].n; /* all groups have as many */
        struct fit fit = {.holds = false};
        if (n > 1 && rescale(&g, groups, eps, n / (n - 1), eps)) {
            fit = hold(s, &g, groups);
        }
        search_offer(s, &fit, "unbiased-variance", "the variance is divided by n - 1, not by n");
    } else if (groups && question == NAIVE_OR_EPS) {
        try_naive(s, &g, groups, eps);
        try_eps(s, &g, groups, eps);
    }
    free(groups);
}

void try_unbiased(struct search *s)
{
    ask(s, UNBIASED);
}

void try_variance(struct search *s)
{
    ask(s, NAIVE_OR_EPS);
}
