/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/convolution/winograd_tile.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>
#include <string.h>

static const double at2[] = {1, 1, 1, 0, 0, 1, -1, -1};
static const double g2[] = {1, 0, 0, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0, 0, 1};
static const double bt2[] = {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1};

static const double at4[] = {1, 1, 1, 1, 1, 0, 0, 1, -1, 2, -2, 0, 0, 1, 1, 4, 4, 0, 0, 1, -1, 8, -8, 1};
static const double g4[] = {1. / 4,  0,       0,      -1. / 6, -1. / 6,  -1. / 6, -1. / 6, 1. / 6, -1. / 6,
                            1. / 24, 1. / 12, 1. / 6, 1. / 24, -1. / 12, 1. / 6,  0,       0,      1};
static const double bt4[] = {4, 0,  -5, 0, 1, 0, 0, -4, -4, 1,  1, 0, 0, 4, -4, -1, 1, 0,
                             0, -2, -1, 2, 1, 0, 0, 2,  -1, -2, 1, 0, 0, 4, 0,  -5, 0, 1};

/* n_A, n_B, n_G: 3, 2, 3 for m = 2 and 5, 4, 3 for m = 4. */
static const struct winograd algorithms[] = {
    {2, 4, at2, g2, bt2, 4 + 2 * (3 + 2 + 3), 3, 2, 1.5, 2 * 3 * (1 + 3), 2 * 2 * (1 + 2), 2 * 3 * (1 + 1.5)},
    {4, 6, at4, g4, bt4, 4 + 2 * (5 + 4 + 3), 19, 10, 1, 2 * 5 * (1 + 19), 2 * 4 * (1 + 10), 2 * 3 * (1 + 1)},
};

const struct winograd *winograd_of(int m)
{
    return m == 2 ? &algorithms[0] : m == 4 ? &algorithms[1] : NULL;
}

/* Values on their way through a transform. */
struct field {
    double value[WINOGRAD_ENTRIES], magnitude[WINOGRAD_ENTRIES], variance[WINOGRAD_ENTRIES];
};

/* y = (L x)ᵀ for L of rows × inner and x of inner × columns; so two calls give L x Lᵀ. Each product counts as
 * two roundings, its own and that of the entry of L, each addition as one. */
static void transform(const double *l, int rows, int inner, int columns, const struct field *x,
                      struct field *y)
{
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            double value = 0, magnitude = 0, variance = 0;
            bool first = true;
            for (int k = 0; k < inner; k++) {
                const double factor = l[r * inner + k];
                if (factor == 0) {
                    continue; /* 0 times an infinity is no term */
                }
                const double term = factor * x->value[k * columns + c];
                value += term;
                magnitude += fabs(factor) * x->magnitude[k * columns + c];
                variance += factor * factor * x->variance[k * columns + c] + 2 * term * term +
                            (first ? 0 : value * value);
                first = false;
            }
            y->value[c * rows + r] = value;
            y->magnitude[c * rows + r] = magnitude;
            y->variance[c * rows + r] = variance;
        }
    }
}

static void transform_both(const double *l, int rows, int inner, const struct field *x, struct field *y)
{
    struct field half;
    transform(l, rows, inner, inner, x, &half);
    transform(l, rows, inner, rows, &half, y);
}

static void transform_exact(const double *l, int rows, int inner, const double *x, struct winograd_part *part)
{
    struct field from, to;
    for (int i = 0; i < inner * inner; i++) {
        from.value[i] = x[i];
        from.magnitude[i] = fabs(x[i]);
        from.variance[i] = 0;
    }
    transform_both(l, rows, inner, &from, &to);
    part->greatest = 0;
    for (int i = 0; i < rows * rows; i++) {
        part->value[i] = to.value[i];
        part->magnitude[i] = to.magnitude[i];
        part->variance[i] = to.variance[i];
        part->greatest = to.magnitude[i] < INFINITY ? fmax(part->greatest, to.magnitude[i]) : part->greatest;
    }
}

void winograd_kernel(const struct winograd *w, const double *g, struct winograd_part *u)
{
    transform_exact(w->g, w->n, 3, g, u);
}

void winograd_data(const struct winograd *w, const double *d, struct winograd_part *v)
{
    transform_exact(w->bt, w->n, w->n, d, v);
}

/* The sums over channels of one tile. */
struct sums {
    double value[WINOGRAD_ENTRIES], magnitude[WINOGRAD_ENTRIES], variance[WINOGRAD_ENTRIES];
    double squares[WINOGRAD_ENTRIES], prefixes[WINOGRAD_ENTRIES]; /* of terms; of sums from the second on */
};

/* Adds a channel. */
MULTIVERSION static void add_channel(const struct winograd_part *restrict u,
                                     const struct winograd_part *restrict v, double further, int entries,
                                     struct sums *restrict s)
{
    for (int i = 0; i < entries; i++) {
        const double a = u->value[i], b = v->value[i], term = a * b, sum = s->value[i] + term;
        s->value[i] = sum;
        s->squares[i] += term * term;
        s->prefixes[i] += further * (sum * sum);
        s->magnitude[i] += u->magnitude[i] * v->magnitude[i];
        s->variance[i] += a * a * v->variance[i] + b * b * u->variance[i];
    }
}

void winograd_multiply(const struct winograd *w, int64_t channels, const struct winograd_part *u,
                       const struct winograd_part *v, struct winograd_result *y)
{
    const int entries = w->n * w->n;
    struct sums sums;
    struct field all, out;
    memset(&sums, 0, sizeof sums);
    y->kernels = y->data = 0;
    for (int64_t c = 0; c < channels; c++) {
        add_channel(&u[c], &v[c], c > 0, entries, &sums);
        y->kernels += u[c].greatest;
        y->data += v[c].greatest;
    }
    for (int i = 0; i < entries; i++) { /* the natural order, and the mean over all permutations */
        const double total = sums.value[i],
                     mean = (double)(channels + 1) * (sums.squares[i] / 6 + total * total / 3);
        all.value[i] = total;
        all.magnitude[i] = sums.magnitude[i];
        all.variance[i] =
            sums.variance[i] + sums.squares[i] + (channels > 1 ? fmax(sums.prefixes[i], mean) : 0);
    }
    transform_both(w->at, w->m, w->n, &all, &out);
    for (int i = 0; i < w->m * w->m; i++) {
        y->magnitude[i] = out.magnitude[i];
        y->variance[i] = out.variance[i];
    }
}

double winograd_underflow(const struct winograd *w, int64_t channels, double kernels, double data)
{
    const double c_u = w->norm_g * w->norm_g + w->least_g, c_v = w->norm_b * w->norm_b + w->least_b,
                 sums = c_v * kernels + c_u * data + (double)channels * (c_u * c_v + 2);
    return 2 * (w->norm_a * w->norm_a * sums + w->least_a + 2);
}
