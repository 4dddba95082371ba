/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/hypotheses_parts.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>
#include <stdlib.h>

enum { RIVALS = 4 };

bool growth_open(struct growth *growth, int64_t capacity)
{
    *growth = (struct growth){.capacity = capacity};
    size_t bytes = ((size_t)capacity + 1) * sizeof *growth->error;
    growth->group = malloc(((size_t)capacity + 1) * sizeof *growth->group);
    growth->error = malloc(bytes);
    growth->base = malloc(bytes);
    growth->truth = malloc(bytes);
    bool good = growth->group && growth->error && growth->base && growth->truth;
    for (int r = 0; r < RIVALS; r++) {
        growth->rival[r] = malloc(bytes);
        good = good && growth->rival[r];
    }
    if (!good) {
        growth_close(growth);
    }
    return good;
}

void growth_close(struct growth *growth)
{
    free(growth->group);
    free(growth->error);
    free(growth->base);
    free(growth->truth);
    for (int r = 0; r < RIVALS; r++) {
        free(growth->rival[r]);
    }
    *growth = (struct growth){.count = 0};
}

void growth_add(struct growth *growth, int64_t group, double error, double base, double scale, double truth,
                double other)
{
    int64_t k = growth->count++;
    growth->group[k] = group;
    growth->error[k] = error;
    growth->base[k] = base;
    growth->truth[k] = truth;
    growth->rival[0][k] = scale;
    growth->rival[1][k] = fabs(truth);
    growth->rival[2][k] = 1;
    growth->rival[3][k] = other;
}

/* The logarithm of the likelihood of error k, up to a constant, if it is a times the rival's scale. */
static double likelihood_of(const struct growth *growth, int rival, double a, int64_t k)
{
    double scale = a * growth->rival[rival][k], base = growth->base[k],
           variance = scale * scale + base * base;
    if (variance > 0) {
        return -portable_log(variance) / 2 - growth->error[k] * growth->error[k] / variance / 2;
    }
    return growth->error[k] != 0 ? -INFINITY : 0;
}

static double likelihood(const struct growth *growth, int rival, double a)
{
    double sum = 0;
    for (int64_t k = 0; k < growth->count; k++) {
        sum += likelihood_of(growth, rival, a, k);
    }
    return sum;
}

/* The greatest likelihood over a, which is sought from root mean squares on: first in factors of 2, then of
 * 2^(1/8). */
static double greatest(const struct growth *growth, int rival, double *size)
{
    double square = 0, errors = 0, best = -INFINITY;
    for (int64_t k = 0; k < growth->count; k++) {
        square += growth->rival[rival][k] * growth->rival[rival][k];
        errors += growth->error[k] * growth->error[k];
    }
    double middle = square > 0 ? sqrt(errors / square) : 1;
    *size = middle;
    for (int fine = 0; fine <= 1; fine++) {
        double from = *size;
        for (int e = fine ? -8 : -12; e <= (fine ? 8 : 12); e++) {
            double a = from * portable_exp2(fine ? e / 8. : e), l = likelihood(growth, rival, a);
            if (l > best) {
                best = l;
                *size = a;
            }
        }
    }
    return best;
}

/* How much the differences of the likelihoods vary between groups, over how much they would if the elements
 * of a group were independent; at least 1. INFINITY where there are too few groups to know. */
static double inflation(const struct growth *growth, double size, int rival, double other)
{
    enum { GROUPS_LEAST = 4 };
    double sum = 0, square = 0, of_groups = 0, in_group = 0;
    int64_t groups = 0;
    for (int64_t k = 0; k < growth->count; k++) {
        double d = likelihood_of(growth, 0, size, k) - likelihood_of(growth, rival, other, k);
        sum += d;
        square += d * d;
        in_group += d;
        if (k + 1 == growth->count || growth->group[k] < 0 || growth->group[k] != growth->group[k + 1]) {
            of_groups += in_group * in_group;
            in_group = 0;
            groups++;
        }
    }
    if (groups == growth->count) {
        return 1;
    }
    double alone = square - sum * sum / (double)growth->count,
           together = of_groups - sum * sum / (double)groups;
    return groups < GROUPS_LEAST ? INFINITY : alone > 0 ? fmax(1, together / alone) : 1;
}

bool growth_favours(const struct growth *growth, double *size)
{
    const double margin = 4;
    double best = greatest(growth, 0, size);
    bool favoured = growth->count > 0 && isfinite(best);
    for (int r = 1; favoured && r < RIVALS; r++) {
        double other, gained = best - greatest(growth, r, &other);
        favoured =
            gained >= margin && (isinf(gained) || gained >= margin * inflation(growth, *size, r, other));
    }
    return favoured;
}

/* Adds to *left the squares of what a factor and a shift, fitted to elements `first` to `last` − 1, leave of
 * the errors, and to *expected the squares of the roundings less the two numbers that are fitted. */
static void take_common(const struct growth *growth, int64_t first, int64_t last, double *left,
                        double *expected)
{
    double n = (double)(last - first), t = 0, e = 0, tt = 0, te = 0, ee = 0, base = 0;
    for (int64_t k = first; k < last; k++) {
        t += growth->truth[k];
        e += growth->error[k];
        tt += growth->truth[k] * growth->truth[k];
        te += growth->truth[k] * growth->error[k];
        ee += growth->error[k] * growth->error[k];
        base += growth->base[k] * growth->base[k];
    }
    double along = te - t * e / n, square = tt - t * t / n, rest = ee - e * e / n;
    *left += fmax(0, rest - (square > 0 ? along * along / square : 0));
    *expected += base * (n > 2 ? (n - 2) / n : 0);
}

bool growth_is_common(const struct growth *growth)
{
    double left = 0, expected = 0;
    bool grouped = false;
    for (int64_t first = 0, last; first < growth->count; first = last) {
        last = first + 1;
        while (last < growth->count && growth->group[first] >= 0 &&
               growth->group[last] == growth->group[first]) {
            last++;
        }
        grouped = grouped || last > first + 1;
        take_common(growth, first, last, &left, &expected);
    }
    /* the squares of n roundings vary by less than sqrt(n) of one */
    return grouped && left < (1 + 8 / sqrt((double)growth->count)) * expected;
}
