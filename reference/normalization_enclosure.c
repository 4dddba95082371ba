/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Normalized elements in double-double, with their radii; notation of normalization_statistics.h.
 *
 * Sums of n terms are added up in eight lanes, each hi + lo with what rounding loses of hi in lo: they err by
 * at most n²·2^-104·Σ|terms| (Ogita, Rump and Oishi's Sum2). Each d_j = x_j − m errs by 2^-103·(|x_j| + |m|)
 * beside m's own error δm, which moves Σd² by n·δm² alone, since Σ(x − m) = 0. Hence, with D = Σd²,
 *
 *     δV·n ≤ n²·2^-104·D + 2^-101·sqrt(D·Σ(|x| + |m|)²) + 2^-200·Σ(|x| + |m|)² + n·δm²
 *
 * and the relative error of r is at most δV/(V + eps) + 2^-97, as long as that is small. */

#include "reference/normalization_bound.h"
#include "reference/normalization_truth.h"
#include "reference/pair.h"
#include "reference/upward.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 8 };

/* What leaves this range goes to the certified truth. */
static const double least_square = 0x1p-300, greatest = 0x1p300;

/* A sum in lanes. */
struct lanes {
    double hi[LANES], lo[LANES];
};

static inline void lanes_add(struct lanes *s, int lane, double x, double rest)
{
    struct pair sum = pair_sum(s->hi[lane], x);
    s->hi[lane] = sum.hi;
    s->lo[lane] += sum.lo + rest;
}

static struct pair lanes_total(const struct lanes *s)
{
    struct pair total = {0, 0};
    for (int lane = 0; lane < LANES; lane++) {
        struct pair sum = pair_sum(total.hi, s->hi[lane]);
        total.hi = sum.hi;
        total.lo += sum.lo + s->lo[lane];
    }
    return pair_sum(total.hi, total.lo);
}

/* One group. */
struct enclosed {
    struct pair mean, r;
    double error_mean, error_r; /* δm absolute, of r relative */
    struct moments moments;     /* for sensitivities alone: n, mean, mean_abs, deviation */
};

static bool in_range(const double *x, int64_t n)
{
    double most = 0;
    bool numbers = true;
    for (int64_t j = 0; j < n; j++) {
        most = fabs(x[j]) > most ? fabs(x[j]) : most;
        numbers = numbers && x[j] - x[j] == 0;
    }
    return numbers && most <= greatest;
}

static void take_mean(const double *x, int64_t n, struct enclosed *e)
{
    struct lanes sum = {{0}, {0}};
    double magnitude[LANES] = {0}, all = 0, count = (double)n;
    for (int64_t j = 0; j < n; j++) {
        lanes_add(&sum, (int)(j % LANES), x[j], 0);
        magnitude[j % LANES] += fabs(x[j]);
    }
    for (int lane = 0; lane < LANES; lane++) {
        all += magnitude[lane];
    }
    all *= 1 + (count + 8) * 0x1p-52;
    e->moments.mean_abs = upward_quotient(all, count);
    e->mean = pair_over(lanes_total(&sum), count);
    e->error_mean = (count * 0x1p-104 + 0x1p-100) * all; /* of the sum over n, and of the quotient */
}

/* Σ(x − m)² and δV·n. */
static double take_squares(const double *x, int64_t n, const struct enclosed *e, struct pair *squares)
{
    struct lanes sum = {{0}, {0}};
    double around[LANES] = {0}, both = 0, count = (double)n, m = fabs(e->mean.hi);
    for (int64_t j = 0; j < n; j++) {
        struct pair d = pair_sum(x[j], -e->mean.hi);
        d = pair_tidy(d.hi, d.lo - e->mean.lo);
        struct pair square = pair_product(d.hi, d.hi);
        lanes_add(&sum, (int)(j % LANES), square.hi, square.lo + 2 * d.hi * d.lo);
        around[j % LANES] += (fabs(x[j]) + m) * (fabs(x[j]) + m);
    }
    for (int lane = 0; lane < LANES; lane++) {
        both += around[lane];
    }
    *squares = lanes_total(&sum);
    double d = fabs(squares->hi);
    return count * count * 0x1p-104 * d + 0x1p-101 * sqrt(d) * sqrt(both) + 0x1p-200 * both +
           count * e->error_mean * e->error_mean;
}

/* False where the group is not for this arithmetic. */
static bool take_group(const struct normalization *n, int64_t group, const double *x, struct enclosed *e)
{
    int64_t length = normalization_length(n);
    double count = (double)length, error = 0;
    struct pair variance;
    *e = (struct enclosed){.moments = {.n = count}};
    if (n->evaluates) {
        double v = tensor_component(n->running_var, group);
        e->moments.n = 0;
        e->mean.hi = tensor_component(n->running_mean, group);
        variance = (struct pair){v, 0};
        if (!(fabs(e->mean.hi) <= greatest) || !(v >= 0)) {
            return false;
        }
    } else {
        if (!in_range(x, length)) {
            return false;
        }
        take_mean(x, length, e);
        if (!n->centred) {
            e->mean = (struct pair){0, 0};
            e->error_mean = 0;
        }
        error = take_squares(x, length, e, &variance) / count;
        variance = pair_over(variance, count);
    }
    struct pair sum = pair_sum(variance.hi, n->eps), whole = pair_tidy(sum.hi, sum.lo + variance.lo);
    if (!(whole.hi >= least_square) || !(whole.hi <= greatest)) {
        return false;
    }
    e->r = pair_rsqrt(whole);
    e->error_r = error / whole.hi * (1 + 0x1p-20) + 0x1p-97;
    e->moments.mean = e->mean.hi;
    e->moments.deviation =
        n->evaluates ? upward_root(variance.hi) : sqrt(variance.hi + error) * (1 + 0x1p-50);
    return e->error_r < 0x1p-60;
}

static double component_or(const struct tensor *tensor, int64_t k, double otherwise)
{
    return tensor ? tensor_component(tensor, k) : otherwise;
}

/* False where the element is to be certified: what may be an exact 0, and what is no number. */
static bool take_element(const struct normalization *n, const struct enclosed *e, int64_t i, double x,
                         struct truth_output *out)
{
    int64_t channel = normalization_channel_of(n, i);
    double scale = component_or(n->weight, channel, 1), shift = component_or(n->bias, channel, 0);
    struct pair d = pair_sum(x, -e->mean.hi);
    d = pair_tidy(d.hi, d.lo - e->mean.lo);
    double error = e->error_mean + 0x1p-103 * (fabs(x) + fabs(e->mean.hi));
    if (!(fabs(d.hi) > 4 * error) || !(fabs(scale) <= greatest) || !(fabs(shift) <= greatest) ||
        !(fabs(x) <= greatest) || fabs(d.hi) < 0x1p-400 || (scale != 0 && fabs(scale) < 0x1p-300)) {
        return false;
    }
    struct pair normal = pair_multiply(d, e->r), scaled = pair_times(normal, scale),
                y = pair_plus(scaled, shift);
    double size = fabs(scaled.hi);
    double relative = e->error_r + 0x1p-98 + error / fabs(d.hi) * (1 + 0x1p-20);
    out->value[i] = value_from_pair(y.hi, y.lo);
    out->value[i].exact = false;
    out->radius[i] = size * relative + 0x1p-103 * (size + fabs(shift));
    double *s = &out->sensitivity[i * FORWARD_SENSITIVITIES];
    normalization_describe(&e->moments, s);
    s[ELEMENT_X] = fabs(x);
    s[ELEMENT_WEIGHT] = fabs(scale);
    s[ELEMENT_BIAS] = fabs(shift);
    s[ELEMENT_NORMAL] = fabs(normal.hi) * (1 + 0x1p-40);
    return out->radius[i] > 0;
}

bool normalization_enclosure(const struct normalization *n, struct truth_output *y, int *bits,
                             struct error *error)
{
    int64_t groups = y->elements ? normalization_groups(n) : 0, length = normalization_length(n);
    double *x = malloc(((size_t)length + 1) * sizeof *x);
    struct normalization_certifier *certifier = normalization_certifier_create(n);
    bool good = (x && certifier && truth_output_radius(y)) || error_set(error, "out of memory");
    for (int64_t g = 0; good && g < groups; g++) {
        struct enclosed e;
        for (int64_t j = 0; j < length; j++) {
            x[j] = tensor_component(n->x, normalization_element(n, g, j));
        }
        bool known = take_group(n, g, x, &e);
        for (int64_t j = 0; good && j < length; j++) {
            int64_t i = normalization_element(n, g, j);
            if (!known || !take_element(n, &e, i, x[j], y)) {
                y->radius[i] = 0;
                good = normalization_certify(certifier, g, i, y, bits, error);
            }
        }
    }
    normalization_certifier_destroy(&certifier);
    free(x);
    return good;
}
