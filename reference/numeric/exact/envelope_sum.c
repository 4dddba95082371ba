/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Prefix energy: recursive summation s_k = s_{k−1} + x_k commits an error of at most u·|s_k| in each step, so
 * S² = u²·Σ_{k≥2} s_k² for that order. The mean of Σ s_k² over all n! orders is (n + 1)(q/6 + t²/3) with q =
 * Σx² and t = Σx, because a prefix of k terms drawn without replacement has
 *
 *     E s_k² = q·k(n − k)/(n(n − 1)) + t²·k(k − 1)/(n(n − 1)).
 *
 * Trees have less energy than either order. D, the error of roundings that all go one way, is the sum of two
 * parts. One is Σ|x_k| over the terms that the greatest prefix s* absorbs entirely (|x_k| ≤ u·s*). The other
 * is Σ u·s_k over the steps at which the lattice of spacing 2u·s_k is coarser than the deviation of the data;
 * s_k is there the greater of the natural prefix and its root mean square over the orders. */

#include "reference/numeric/exact/envelope_sum.h"

#include <math.h>

void envelope_widths(enum dtype dtype, double u[ENVELOPE_WIDTHS])
{
    u[ENVELOPE_OWN] = dtype_unit_roundoff(dtype_info(dtype)->component);
    u[ENVELOPE_FLOAT32] = dtype_unit_roundoff(DTYPE_FLOAT32);
    u[ENVELOPE_FLOAT64] = dtype_unit_roundoff(DTYPE_FLOAT64);
}

double envelope_join_all(const double *x, int count)
{
    double sum = 0, joined = 0;
    for (int k = 0; k < count; k++) {
        sum += x[k] * x[k];
    }
    if (sum > 0x1p-900 && sum < 0x1p900) { /* no square overflowed, and an underflow did not matter */
        return sqrt(sum);
    }
    for (int k = 0; k < count; k++) {
        joined = envelope_join(joined, x[k]);
    }
    return joined;
}

/* The terms of a sum, as doubles or as floats; the other pointer is NULL. */
struct terms {
    const double *wide;
    const float *narrow;
};

static inline double term_at(const struct terms *x, int64_t k)
{
    return x->wide ? x->wide[k] : (double)x->narrow[k];
}

static int exponent_of_greatest(const struct terms *x, int64_t n)
{
    double greatest = 0;
    int e = 0;
    for (int64_t k = 0; k < n; k++) {
        double term = fabs(term_at(x, k));
        greatest = term > greatest ? term : greatest;
    }
    frexp(greatest, &e); /* exact; e is 0 for zero, NaN and infinity */
    return e;
}

static double unit_of(const struct envelope_prefixes *p)
{
    return p->scale == 0 ? 1 : ldexp(1, p->scale < -1000 ? 1000 : -p->scale);
}

/* Collects the statistics of the prefixes. Sets *least to the least scaled magnitude that is not 0, infinity
 * if there is none. */
static struct envelope_prefixes prefixes_of(const struct terms *x, int64_t n, double *least)
{
    struct envelope_prefixes p = {.n = n, .scale = exponent_of_greatest(x, n)};
    double unit = unit_of(&p), least_term = INFINITY;
    for (int64_t k = 0; k < n; k++) {
        double term = term_at(x, k) * unit;
        p.total += term;
        p.absolute += fabs(term);
        least_term = fabs(term) < least_term && term != 0 ? fabs(term) : least_term;
        p.squares += term * term;
        double prefix = k > 0 ? p.total : 0;
        p.natural += prefix * prefix;
        p.greatest = fabs(prefix) > p.greatest ? fabs(prefix) : p.greatest;
    }
    *least = least_term;
    return p;
}

/* Returns E s_k² over all orders. */
static double permuted(const struct envelope_prefixes *p, double k)
{
    double n = (double)p->n, pairs = n * (n - 1);
    return k * (n - k) / pairs * p->squares + k * (k - 1) / pairs * p->total * p->total;
}

/* Returns the greatest E s_k² over 2 ≤ k ≤ n; it is a parabola in k. */
static double greatest_permuted(const struct envelope_prefixes *p)
{
    double n = (double)p->n, squared = p->total * p->total, most = squared;
    double curvature = p->squares - squared, peak = (p->squares * n - squared) / (2 * curvature);
    if (curvature > 0 && peak < n) {
        double at = permuted(p, peak < 2 ? 2 : peak);
        most = at > most ? at : most;
    }
    return most;
}

static double deviation_of(const struct terms *x, const struct envelope_prefixes *p, double unit)
{
    double mean = p->total / (double)p->n, sum = 0;
    for (int64_t k = 0; k < p->n; k++) {
        double d = term_at(x, k) * unit - mean;
        sum += d * d;
    }
    return sqrt(sum / (double)p->n);
}

/* Returns D, scaled, for one unit roundoff. */
static double drift_of(const struct terms *x, const struct envelope_prefixes *p, double unit, double u,
                       double greatest, double deviation)
{
    double drift = 0;
    for (int64_t k = 0; k < p->n; k++) {
        double term = fabs(term_at(x, k) * unit);
        drift += term <= u * greatest ? term : 0;
    }
    if (!(2 * u * greatest > deviation)) {
        return drift;
    }
    double prefix = 0;
    for (int64_t k = 0; k < p->n; k++) {
        prefix += term_at(x, k) * unit;
        double mean = sqrt(fmax(0, permuted(p, (double)(k + 1))));
        double s = fabs(prefix) > mean ? fabs(prefix) : mean;
        drift += k > 0 && 2 * u * s > deviation ? u * s : 0;
    }
    return drift;
}

double envelope_sum_of(const struct envelope_prefixes *p, struct envelope_sum *sum)
{
    double unit = unit_of(p), n = (double)p->n;
    *sum = (struct envelope_sum){.total = p->total / unit, .absolute = p->absolute / unit};
    sum->squares = sqrt(p->squares) / unit;
    if (p->n < 2) {
        return 0;
    }
    double energy = (n + 1) * (p->squares / 6 + p->total * p->total / 3);
    sum->order = sqrt(energy > p->natural ? energy : p->natural) / unit;
    double mean = sqrt(greatest_permuted(p));
    return mean > p->greatest ? mean : p->greatest;
}

bool envelope_coarse(const struct envelope_prefixes *p, double greatest, double u)
{
    double n = (double)p->n, mean = p->total / n, square = p->squares / n;
    double variance = square - mean * mean; /* errs by a few n·2^-53 of `square` */
    double reach = 2 * u * greatest;
    return p->n >= 2 && !(reach * reach < variance * (1 - 0x1p-20) - (n + 8) * 0x1p-50 * square);
}

static void sum_up(const struct terms *x, int64_t n, const double u[ENVELOPE_WIDTHS],
                   struct envelope_sum *sum)
{
    double least;
    struct envelope_prefixes p = prefixes_of(x, n, &least);
    double unit = unit_of(&p), greatest = envelope_sum_of(&p, sum);
    if (n < 2) {
        return;
    }
    double deviation = NAN; /* computed only where a lattice may be coarse */
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        bool again = w > 0 && u[w] == u[w - 1], coarse = !again && envelope_coarse(&p, greatest, u[w]);
        if (coarse && isnan(deviation)) {
            deviation = deviation_of(x, &p, unit);
        }
        coarse = coarse && 2 * u[w] * greatest > deviation;
        bool none = least > u[w] * greatest && !coarse; /* no part of D has a term */
        sum->drift[w] = again  ? sum->drift[w - 1]
                        : none ? 0
                               : drift_of(x, &p, unit, u[w], greatest, coarse ? deviation : INFINITY) / unit;
    }
}

void envelope_sum(const double *x, int64_t n, const double u[ENVELOPE_WIDTHS], struct envelope_sum *sum)
{
    sum_up(&(struct terms){.wide = x}, n, u, sum);
}

void envelope_sum_narrow(const float *x, int64_t n, const double u[ENVELOPE_WIDTHS], struct envelope_sum *sum)
{
    sum_up(&(struct terms){.narrow = x}, n, u, sum);
}

void envelope_sum_started(double *x, int64_t n, const double u[ENVELOPE_WIDTHS], struct envelope_sum *sum)
{
    envelope_sum(x, n, u, sum);
    if (n < 2) {
        return;
    }
    double last = x[n - 1];
    for (int64_t k = n - 1; k > 0; k--) {
        x[k] = x[k - 1];
    }
    x[0] = last;
    struct envelope_sum started;
    envelope_sum(x, n, u, &started);
    sum->order = started.order > sum->order ? started.order : sum->order;
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        sum->drift[w] = started.drift[w] > sum->drift[w] ? started.drift[w] : sum->drift[w];
    }
}
