/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The envelope of normalization and its gradients. Notation of normalization_statistics.h and
 * normalization_bound.c.
 *
 * The deviations S of the statistics of a group of n elements cover all forms that the bound lists: a mean, a
 * two-pass variance, and Welford's and Chan's forms, whose running means are rounded at every step. (An error
 * u·m of the mean of j elements changes the sum of squares by 2·u·m·d·j(n − j)/n, where d is the difference
 * of the means of both parts; in all sqrt(2/3)·u·kappa·V, for which 3/2 is taken.)
 *
 *   S_m = u·sqrt((order(x)/n)² + m²)
 *   S_V = u·sqrt((order(d²)/n)² + 5·Σd⁴/n² + V² + (3/2·kappa·V)²),   second order: (4·S_m)²
 *   S_r = S_V/(2(V + eps)), relative, of the reciprocal root
 *
 * The deviation of an element y = g·X + b consists of g·r·S_m, g·X·S_r and its own roundings: those of (x −
 * m)·r or of x·r − m·r, and of the scale and shift that an implementation may fold first. So own² = g²r²(d² +
 * x² + m²) + 4(gX)² + b² + y². In the common scale error of a group, c = ⟨e, y⟩/⟨y, y⟩, all elements share
 * the errors of the mean and the root, the elements of a channel share those of a folded shift, and the own
 * roundings average.
 *
 * dx has a second-order term r·(4·S_X)·(4·S_beta): if X is nearly 0 and x is not (a group without variance),
 * the product of the errors of X and beta may exceed all first-order terms. */

#include "reference/ops/normalization/normalization_envelope.h"
#include "reference/ops/normalization/normalization_truth.h"

#include <math.h>
#include <stdlib.h>

static double weight_of(const struct normalization *n, int64_t i)
{
    return n->weight ? tensor_component(n->weight, normalization_channel_of(n, i)) : 1;
}

static struct group_envelope given_statistics(const struct normalization *n, int64_t group)
{
    double v = tensor_component(n->running_var, group);
    return (struct group_envelope){
        .m = tensor_component(n->running_mean, group), .r = 1 / sqrt(v + n->eps), .root = 2};
}

/* w->a holds x of the group; stores deviations in w->b and their squares in w->c. */
static struct group_envelope taken_statistics(struct normalization_workspace *w)
{
    struct group_envelope s = {.n = (double)w->length};
    struct envelope_sum x, square;
    envelope_sum(w->a, w->length, w->u, &x);
    s.m = w->n->centred ? x.total / s.n : 0;
    double fourth = 0;
    for (int64_t j = 0; j < w->length; j++) {
        w->b[j] = w->a[j] - s.m;
        w->c[j] = w->b[j] * w->b[j];
        fourth += w->c[j] * w->c[j];
    }
    envelope_sum(w->c, w->length, w->u, &square);
    double v = square.total / s.n, whole = v + w->n->eps;
    double kappa = w->n->centred ? 1.5 * sqrt(v) * envelope_join(sqrt(v), s.m) : 0; /* times V */
    s.r = 1 / sqrt(whole);
    s.mean = w->n->centred ? envelope_join(x.order / s.n, s.m) : 0;
    s.root =
        envelope_join(envelope_join(square.order / s.n, sqrt(5 * fourth) / s.n), envelope_join(v, kappa)) /
        (2 * whole);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        double u = w->u[k], mean = 4 * u * s.mean, root = 4 * u * s.root;
        s.drift_mean[k] = w->n->centred ? x.drift[k] / s.n : 0;
        s.drift_root[k] =
            (square.drift[k] / s.n + mean * mean + s.drift_mean[k] * s.drift_mean[k]) / (2 * whole) +
            2 * root * root;
    }
    return s;
}

void normalization_group_envelope(struct normalization_workspace *w, int64_t group)
{
    for (int64_t j = 0; j < w->length; j++) {
        w->a[j] = tensor_component(w->n->x, normalization_element(w->n, group, j));
    }
    w->group[group] = w->n->evaluates ? given_statistics(w->n, group) : taken_statistics(w);
}

/* Errors of the elements of a group, shared and own, projected on the group's truths t. */
struct projection {
    double own, mean, root, shift, channel, square; /* Σ of squares; Σ g·r·t; Σ (∂/∂root)·t; …; Σ t² */
};

static double scale_spread(const struct projection *p, const struct group_envelope *s)
{
    double mean = s->mean * p->mean, root = s->root * p->root;
    double shared = envelope_join(envelope_join(mean, root), envelope_join(sqrt(p->shift), sqrt(p->own)));
    return p->square > 0 ? shared / p->square : INFINITY;
}

static void close_channel(struct projection *p, double folded)
{
    double shared = folded * p->channel;
    p->shift += shared * shared;
    p->channel = 0;
}

static void forward_group(struct normalization_workspace *w, int64_t group, struct truth_output *y)
{
    const struct normalization *n = w->n;
    const struct group_envelope *s = &w->group[group];
    struct projection p = {.own = 0};
    for (int64_t j = 0; j < w->length; j++) {
        int64_t i = normalization_element(n, group, j), channel = normalization_channel_of(n, i);
        struct envelope *e = &y->envelope[i];
        double x = w->a[j], g = weight_of(n, i), b = n->bias ? tensor_component(n->bias, channel) : 0;
        double d = x - s->m, normal = d * s->r, t = g * normal + b, scale = g * s->r;
        const double parts[] = {scale * d,      scale * x, scale * s->m,    t,
                                2 * g * normal, b,         scale * s->mean, g * normal * s->root};
        double own = envelope_join_all(parts, 6);
        e->spread = envelope_join_all(parts, 8);
        for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
            e->drift[k] = fabs(scale) * s->drift_mean[k] + fabs(g * normal) * s->drift_root[k];
        }
        e->group = group;
        p.own += own * own * t * t;
        p.mean += scale * t;
        p.root += g * normal * t;
        p.channel += t;
        p.square += t * t;
        if (j + 1 == w->length ||
            normalization_channel_of(n, normalization_element(n, group, j + 1)) != channel) {
            close_channel(&p, n->centred ? 2 * fabs(s->m * scale) + fabs(b) : 0);
        }
    }
    double spread = scale_spread(&p, s);
    for (int64_t j = 0; j < w->length; j++) {
        y->envelope[normalization_element(n, group, j)].group_spread = spread;
    }
}

/* Means over a group for the gradient, with S/u and drift: alpha = mean(w), beta = mean(w·X). */
struct means {
    double alpha, beta;
    double spread_alpha, spread_beta;
    double drift_alpha[ENVELOPE_WIDTHS], drift_beta[ENVELOPE_WIDTHS];
};

static double part(const struct envelope_sum *sum, double roundings)
{
    return envelope_join(sum->order, roundings * sum->squares);
}

/* w->a holds x. */
static struct means means_of(struct normalization_workspace *w, int64_t group)
{
    const struct normalization *n = w->n;
    const struct group_envelope *s = &w->group[group];
    struct means m = {.alpha = 0};
    struct envelope_sum ws, dot, common;
    double length = (double)w->length;
    for (int64_t j = 0; j < w->length; j++) {
        int64_t i = normalization_element(n, group, j);
        w->b[j] = weight_of(n, i) * tensor_component(n->grad, i);
        w->c[j] = w->b[j] * ((w->a[j] - s->m) * s->r);
    }
    envelope_sum(w->b, w->length, w->u, &ws);
    envelope_sum(w->c, w->length, w->u, &dot);
    for (int64_t j = 0; j < w->length; j++) {
        w->c[j] = w->b[j] * w->a[j] * s->r;
    }
    envelope_sum(w->c, w->length, w->u, &common);
    double offset = fabs(s->m * s->r), mean = ws.total / length;
    m.alpha = n->centred ? mean : 0;
    m.beta = dot.total / length;
    m.spread_alpha = n->centred ? envelope_join(part(&ws, 1) / length, m.alpha) : 0;
    double natural = envelope_join(part(&dot, 3), part(&common, 2));
    m.spread_beta = envelope_join(natural, offset * part(&ws, 2)) / length;
    m.spread_beta = envelope_join(m.spread_beta, envelope_join(m.beta, s->root * m.beta));
    m.spread_beta = envelope_join(m.spread_beta, (s->mean * s->r + 2 * offset) * mean);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        m.drift_alpha[k] = n->centred ? ws.drift[k] / length : 0;
        m.drift_beta[k] = (dot.drift[k] + common.drift[k] + offset * ws.drift[k]) / length +
                          s->drift_mean[k] * s->r * fabs(mean) + s->drift_root[k] * fabs(m.beta);
    }
    return m;
}

static void gradient_group(struct normalization_workspace *w, int64_t group, struct truth_output *dx)
{
    const struct normalization *n = w->n;
    const struct group_envelope *s = &w->group[group];
    struct means m = n->evaluates ? (struct means){.alpha = 0} : means_of(w, group);
    struct projection p = {.own = 0};
    double sum = 0, along = 0, r = s->r;
    for (int64_t j = 0; j < w->length; j++) {
        int64_t i = normalization_element(n, group, j);
        struct envelope *e = &dx->envelope[i];
        double weighted = weight_of(n, i) * tensor_component(n->grad, i), x = w->a[j], d = x - s->m;
        double normal = n->evaluates ? 0 : d * r, t = r * (weighted - m.alpha - normal * m.beta);
        double place = n->evaluates ? 0 : r * m.beta * r; /* ∂dx/∂X·r: derivative with respect to x − m */
        double steep = fabs(t) + 2 * fabs(r * normal * m.beta); /* ∂dx/∂root, relative */
        const double parts[] = {2 * r * weighted,
                                r * m.alpha,
                                2 * r * normal * m.beta,
                                2 * t,
                                place * d,
                                place * x,
                                place * s->m,
                                steep * s->root,
                                r * m.spread_alpha,
                                place * s->mean,
                                r * normal * m.spread_beta};
        const double offset[] = {d, x, s->m, s->mean};
        double own = envelope_join_all(parts, 7);
        double off = r * envelope_join_all(offset, 4); /* S_X of an error of x − m */
        double second = n->evaluates ? 0 : 16 * r * off * m.spread_beta;
        e->spread = envelope_join_all(parts, 11);
        for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
            e->drift[k] = r * m.drift_alpha[k] + fabs(r * normal) * m.drift_beta[k] +
                          fabs(place) * s->drift_mean[k] + steep * s->drift_root[k] +
                          second * w->u[k] * w->u[k];
        }
        e->group = group;
        p.own += own * own * t * t;
        p.root += t * t + 2 * fabs(r * normal * m.beta * t);
        p.square += t * t;
        sum += t;
        along += normal * t;
    }
    double shift = envelope_join(r * m.spread_alpha, n->evaluates ? 0 : r * m.beta * r * s->mean) * sum;
    double dot = r * m.spread_beta * along;
    p.shift = shift * shift + dot * dot;
    double spread = scale_spread(&p, s);
    for (int64_t j = 0; j < w->length; j++) {
        dx->envelope[normalization_element(n, group, j)].group_spread = spread;
    }
}

/* Fills the envelope of dg = Σ dy·X over a channel, summed directly or as Σ dy·x·r − Σ dy·m·r. */
static void weight_channel(struct normalization_workspace *w, int64_t channel, struct truth_output *dweight)
{
    const struct normalization *n = w->n;
    int64_t terms = n->batch * n->inner, previous = -1;
    struct envelope *e = &dweight->envelope[channel];
    double means = 0, roots = 0, mean = 0, root = 0, drift[ENVELOPE_WIDTHS] = {0};
    for (int64_t j = 0; j < terms; j++) {
        int64_t i = normalization_channel_element(n, channel, j), group = normalization_group_of(n, i);
        const struct group_envelope *s = &w->group[group];
        double dy = tensor_component(n->grad, i), x = tensor_component(n->x, i);
        if (group != previous) {
            means += mean * mean;
            roots += root * root;
            mean = root = 0;
            previous = group;
        }
        w->a[j] = dy * ((x - s->m) * s->r);
        w->b[j] = dy * x * s->r;
        w->c[j] = dy * s->m * s->r;
        mean += s->mean * s->r * dy;
        root += s->root * w->a[j];
        for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
            drift[k] += fabs(dy) * s->r * s->drift_mean[k] + fabs(w->a[j]) * s->drift_root[k];
        }
    }
    struct envelope_sum whole, plain, offset;
    envelope_sum(w->a, terms, w->u, &whole);
    envelope_sum(w->b, terms, w->u, &plain);
    envelope_sum(w->c, terms, w->u, &offset);
    double form = n->centred ? envelope_join(part(&plain, 2), part(&offset, 2)) : part(&plain, 2);
    double shared = sqrt(means + mean * mean + roots + root * root);
    e->spread = envelope_join(envelope_join(part(&whole, 3), form), shared);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        e->drift[k] = drift[k] + whole.drift[k] + plain.drift[k] + (n->centred ? offset.drift[k] : 0);
    }
    /* Only if each group lies in one channel are the errors of the channels' sums independent. */
    if (n->over_batch || n->groups_per_sample == n->channels) {
        envelope_alone(e, channel, whole.total);
    }
}

static void bias_channel(struct normalization_workspace *w, int64_t channel, struct truth_output *dbias)
{
    const struct normalization *n = w->n;
    int64_t terms = n->batch * n->inner;
    struct envelope *e = &dbias->envelope[channel];
    struct envelope_sum sum;
    for (int64_t j = 0; j < terms; j++) {
        w->a[j] = tensor_component(n->grad, normalization_channel_element(n, channel, j));
    }
    envelope_sum(w->a, terms, w->u, &sum);
    e->spread = sum.order;
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        e->drift[k] = sum.drift[k];
    }
    envelope_alone(e, channel, sum.total);
}

/* The coarsest dtype among `count` judged tensors, which decides the narrowest accumulator. */
static enum dtype coarsest(const struct truth_output *out, int count)
{
    enum dtype dtype = DTYPE_FLOAT64;
    for (int o = 0; o < count; o++) {
        dtype = dtype_unit_roundoff(out[o].dtype) > dtype_unit_roundoff(dtype) ? out[o].dtype : dtype;
    }
    return dtype;
}

bool normalization_workspace_open(struct normalization_workspace *w, const struct normalization *n,
                                  const struct truth_output *out, int count)
{
    int64_t groups = normalization_groups(n), terms = n->batch * n->inner;
    *w = (struct normalization_workspace){.n = n, .length = normalization_length(n)};
    size_t room = (size_t)(terms > w->length ? terms : w->length) + 1;
    envelope_widths(coarsest(out, count), w->u);
    w->a = malloc(room * sizeof *w->a);
    w->b = malloc(room * sizeof *w->b);
    w->c = malloc(room * sizeof *w->c);
    w->group = malloc(((size_t)groups + 1) * sizeof *w->group);
    bool good = w->a && w->b && w->c && w->group;
    for (int o = 0; o < count; o++) {
        good = good && truth_output_envelope((struct truth_output *)&out[o]);
    }
    return good;
}

void normalization_workspace_close(struct normalization_workspace *w)
{
    free(w->a);
    free(w->b);
    free(w->c);
    free(w->group);
}

bool normalization_envelope(const struct normalization *n, struct truth_output *out, int outputs)
{
    struct normalization_workspace w;
    bool good = normalization_workspace_open(&w, n, out, outputs);
    int64_t groups = good && out[0].elements ? normalization_groups(n) : 0;
    for (int64_t g = 0; g < groups; g++) {
        normalization_group_envelope(&w, g); /* leaves the group's x in w.a */
        if (n->grad) {
            gradient_group(&w, g, &out[0]);
        } else {
            forward_group(&w, g, &out[0]);
        }
    }
    for (int64_t c = 0; groups && outputs > 1 && c < out[1].elements; c++) {
        weight_channel(&w, c, &out[1]);
    }
    for (int64_t c = 0; groups && outputs > 2 && c < out[2].elements; c++) {
        bias_channel(&w, c, &out[2]);
    }
    normalization_workspace_close(&w);
    return good;
}
