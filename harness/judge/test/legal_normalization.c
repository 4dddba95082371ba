/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Legal implementations of normalizations and their gradients. Statistics are computed by two passes over
 * sums in the form's order; by Welford's running mean if sums are reversed; by Chan's merging of halves
 * (pairwise), of blocks of 32 or of eight lanes, each by Welford's. Then follows (x − m)·r·g + b, or x·(g·r)
 * + (b − m·(g·r)): with multiply-adds if fused, rounded apart in blocks of 32. */

#include "harness/judge/test/legal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct layout {
    int64_t batch, channels, inner, per_sample; /* groups of a sample; 0: a channel of the whole batch */
    bool centred, gradient;
    double eps;
    const double *x, *dy, *weight, *bias;
};

static struct layout layout_of(const struct legal *l)
{
    const struct step *s = l->step;
    const char *name = s->op->name;
    bool rms = strncmp(name, "rms", 3) == 0, rows = rms || strncmp(name, "layer", 5) == 0;
    bool batch = strncmp(name, "batch", 5) == 0, gradient = strstr(name, "_backward") != NULL;
    bool instance = strncmp(name, "instance", 8) == 0;
    const struct shape *shape = &s->input[gradient].shape;
    int parameters = gradient + 1 + (batch || (instance && !gradient) ? 2 : 0);
    struct layout y = {.batch = shape->dim[0], .channels = shape->dim[1], .inner = 1, .per_sample = 1};
    for (int d = 2; d < shape->rank; d++) {
        y.inner *= shape->dim[d];
    }
    y.per_sample = rows       ? 1
                   : batch    ? 0
                   : instance ? y.channels
                              : attributes_integer(&s->attributes, "num_groups", 0);
    y.centred = !rms;
    y.gradient = gradient;
    y.eps = attributes_real(&s->attributes, "eps", rms ? 2 * dtype_unit_roundoff(s->input[0].dtype) : 1e-5);
    y.x = l->input[gradient];
    y.dy = gradient ? l->input[0] : NULL;
    y.weight = l->input[parameters];
    y.bias = gradient || rms ? NULL : l->input[parameters + 1];
    return y;
}

static int64_t channel_of(const struct layout *y, int64_t i)
{
    return i / y->inner % y->channels;
}

/* The j-th element of a group. */
static int64_t element_of(const struct layout *y, int64_t group, int64_t j)
{
    if (y->per_sample == 0) {
        return (j / y->inner * y->channels + group) * y->inner + j % y->inner;
    }
    return group * (y->channels / y->per_sample * y->inner) + j;
}

struct part { /* of a group: count, mean, sum of squared deviations */
    double n, mean, square;
};

static struct part welford(const struct legal *l, const double *x, int64_t first, int64_t end, int64_t step)
{
    struct part p = {.n = 0};
    for (int64_t k = first; k < end; k += step) {
        double d = legal_add(l, x[k], -p.mean);
        p.n++;
        p.mean = legal_add(l, p.mean, legal_divide(l, d, p.n));
        p.square = legal_add(l, p.square, legal_multiply(l, d, legal_add(l, x[k], -p.mean)));
    }
    return p;
}

static struct part merged(const struct legal *l, struct part a, struct part b)
{
    if (a.n == 0 || b.n == 0) {
        return a.n == 0 ? b : a;
    }
    double n = a.n + b.n, d = legal_add(l, b.mean, -a.mean), share = legal_divide(l, b.n, n);
    double more = legal_multiply(l, legal_multiply(l, d, d), legal_multiply(l, a.n, share));
    return (struct part){.n = n,
                         .mean = legal_add(l, a.mean, legal_multiply(l, d, share)),
                         .square = legal_add(l, legal_add(l, a.square, b.square), more)};
}

static struct part chan(const struct legal *l, const double *x, int64_t n)
{
    return n == 1 ? (struct part){1, x[0], 0} : merged(l, chan(l, x, n / 2), chan(l, x + n / 2, n - n / 2));
}

static struct part two_passes(struct legal *l, const double *x, int64_t n, bool centred)
{
    struct part p = {.n = (double)n};
    double *d = malloc(((size_t)n + 1) * sizeof *d);
    p.mean = centred ? legal_divide(l, legal_sum(l, x, n), p.n) : 0;
    for (int64_t k = 0; k < n; k++) {
        d[k] = legal_add(l, x[k], -p.mean);
    }
    p.square = legal_dot(l, d, 1, d, 1, n, 0);
    free(d);
    return p;
}

static struct part statistics(struct legal *l, const double *x, int64_t n, bool centred)
{
    struct part p = {.n = 0};
    if (!centred) {
        return two_passes(l, x, n, false);
    }
    switch (l->form) {
    case LEGAL_REVERSED:
        return welford(l, x, 0, n, 1);
    case LEGAL_PAIRWISE:
        return chan(l, x, n);
    case LEGAL_BLOCKED_32:
        for (int64_t k = 0; k < n; k += 32) {
            p = merged(l, p, welford(l, x, k, k + 32 < n ? k + 32 : n, 1));
        }
        return p;
    case LEGAL_LANES:
        for (int64_t k = 0; k < 8 && k < n; k++) {
            p = merged(l, p, welford(l, x, k, n, 8));
        }
        return p;
    default:
        return two_passes(l, x, n, true);
    }
}

static double root_of(const struct legal *l, const struct part *p, double eps)
{
    double v = legal_add(l, legal_divide(l, p->square, p->n), legal_round(l, eps));
    return legal_divide(l, 1, legal_round(l, sqrt(v)));
}

static double normal(const struct legal *l, double x, double m, double r)
{
    if (l->form == LEGAL_FUSED) {
        return legal_fma(l, x, r, -legal_multiply(l, m, r));
    }
    return l->form == LEGAL_BLOCKED_32 ? legal_add(l, legal_multiply(l, x, r), -legal_multiply(l, m, r))
                                       : legal_multiply(l, legal_add(l, x, -m), r);
}

static double applied(const struct legal *l, double x, double m, double r, double g, double b)
{
    double scale = legal_multiply(l, g, r);
    if (l->form == LEGAL_FUSED) {
        return legal_fma(l, x, scale, legal_fma(l, -m, scale, b));
    }
    if (l->form == LEGAL_BLOCKED_32) {
        double shift = legal_add(l, b, -legal_multiply(l, m, scale));
        return legal_add(l, legal_multiply(l, x, scale), shift);
    }
    return legal_add(l, legal_multiply(l, normal(l, x, m, r), g), b);
}

struct group {
    double m, r;
};

/* One group's dx: r·(w − mean(w) − X·mean(w·X)); where fused, or in blocks of 32, Σ w·x and Σ w are combined,
 * and dx is A·w + B·x + C. */
static void gradient_group(struct legal *l, const struct layout *y, int64_t group, int64_t n, struct group s,
                           double *room)
{
    double *w = room, *x = room + n, length = (double)n;
    bool combined = l->form == LEGAL_FUSED || l->form == LEGAL_BLOCKED_32;
    for (int64_t j = 0; j < n; j++) {
        int64_t i = element_of(y, group, j);
        w[j] = legal_multiply(l, y->weight[channel_of(y, i)], y->dy[i]);
        x[j] = combined ? y->x[i] : normal(l, y->x[i], s.m, s.r);
    }
    double sum = y->centred ? legal_sum(l, w, n) : 0, dot = legal_dot(l, w, 1, x, 1, n, 0);
    double alpha = legal_divide(l, sum, length);
    if (combined) {
        dot = legal_multiply(l, legal_add(l, dot, -legal_multiply(l, s.m, sum)), s.r);
        double beta = legal_divide(l, dot, length);
        double b = -legal_multiply(l, legal_multiply(l, s.r, s.r), beta);
        double c = legal_add(l, -legal_multiply(l, s.m, b), -legal_multiply(l, s.r, alpha));
        for (int64_t j = 0; j < n; j++) {
            double bx = legal_add(l, legal_multiply(l, b, x[j]), c);
            l->output[0][element_of(y, group, j)] = legal_add(l, legal_multiply(l, s.r, w[j]), bx);
        }
        return;
    }
    double beta = legal_divide(l, dot, length);
    for (int64_t j = 0; j < n; j++) {
        double rest = legal_add(l, legal_add(l, w[j], -alpha), -legal_multiply(l, x[j], beta));
        l->output[0][element_of(y, group, j)] = legal_multiply(l, s.r, rest);
    }
}

/* dg = Σ dy·X and db = Σ dy of every channel. */
static void gradient_parameters(struct legal *l, const struct layout *y, const struct group *groups,
                                double *room)
{
    int64_t terms = y->batch * y->inner;
    for (int64_t c = 0; c < y->channels; c++) {
        double *dy = room, *x = room + terms;
        for (int64_t j = 0; j < terms; j++) {
            int64_t i = (j / y->inner * y->channels + c) * y->inner + j % y->inner;
            int64_t group =
                y->per_sample == 0 ? c : j / y->inner * y->per_sample + c / (y->channels / y->per_sample);
            dy[j] = y->dy[i];
            x[j] = normal(l, y->x[i], groups[group].m, groups[group].r);
        }
        l->output[1][c] = legal_dot(l, dy, 1, x, 1, terms, 0);
        if (l->step->outputs > 2) {
            l->output[2][c] = legal_sum(l, dy, terms);
        }
    }
}

void legal_normalization(struct legal *l)
{
    struct layout y = layout_of(l);
    int64_t elements = y.batch * y.channels * y.inner;
    int64_t count = y.per_sample ? y.batch * y.per_sample : y.channels, n = elements / count;
    struct group *groups = malloc((size_t)count * sizeof *groups);
    double *room = malloc((2 * (size_t)elements + 1) * sizeof *room);
    for (int64_t g = 0; g < count; g++) {
        for (int64_t j = 0; j < n; j++) {
            room[j] = y.x[element_of(&y, g, j)];
        }
        struct part p = statistics(l, room, n, y.centred);
        groups[g] = (struct group){p.mean, root_of(l, &p, y.eps)};
        if (y.gradient) {
            gradient_group(l, &y, g, n, groups[g], room);
            continue;
        }
        for (int64_t j = 0; j < n; j++) {
            int64_t i = element_of(&y, g, j), c = channel_of(&y, i);
            l->output[0][i] = applied(l, y.x[i], groups[g].m, groups[g].r, y.weight ? y.weight[c] : 1,
                                      y.bias ? y.bias[c] : 0);
        }
    }
    if (y.gradient) {
        gradient_parameters(l, &y, groups, room);
    }
    free(room);
    free(groups);
}
