/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/scaling/growth.h"

#include "reference/numeric/elementary/portable.h"
#include "suites/shared/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 32 };

/* Returns the point whose batch is half of that of i, within 5 %; −1 if there is none. */
static int half_of(const double *x, int i)
{
    int best = -1;
    for (int j = i - 1; j >= 0 && x[j] * 2.1 > x[i]; j--) {
        bool near = x[j] * 1.9 < x[i];
        if (near && (best < 0 || fabs(2 * x[j] - x[i]) < fabs(2 * x[best] - x[i]))) {
            best = j;
        }
    }
    return best;
}

static void summarise(struct growth *growth)
{
    double sorted[GROWTH_OCTAVES];
    memcpy(sorted, growth->octave, sizeof sorted);
    growth->exponent = growth->octaves ? series_median(sorted, growth->octaves) : 0;
    growth->least = growth->octaves ? sorted[0] : 0;
}

struct growth growth_fit(const double *x, const double *y, int points)
{
    struct growth growth = {.octaves = 0};
    int chain[GROWTH_POINTS], count = 0;
    for (int i = points - 1; i >= 0 && count < GROWTH_POINTS && y[i] > 0 && isfinite(y[i]);
         i = half_of(x, i)) {
        chain[count++] = i;
    }
    for (int k = 0; k < count; k++) {
        growth.point[k] = chain[count - 1 - k];
    }
    for (int k = 0; k + 1 < count; k++) {
        int low = growth.point[k], high = growth.point[k + 1];
        growth.octave[growth.octaves++] = portable_log2(y[high] / y[low]) / portable_log2(x[high] / x[low]);
    }
    growth.from = count ? x[growth.point[0]] : 0;
    growth.to = count ? x[growth.point[count - 1]] : 0;
    summarise(&growth);
    return growth;
}

struct growth growth_in_turn(const struct growth *fit, const double *x, const double *y, int rounds)
{
    struct growth growth = *fit;
    double least[GROWTH_POINTS];
    for (int k = 0; k <= growth.octaves; k++) {
        least[k] = INFINITY;
        for (int r = 0; r < rounds; r++) {
            least[k] = fmin(least[k], y[r * (growth.octaves + 1) + k]);
        }
    }
    for (int k = 0; k < growth.octaves; k++) {
        growth.octave[k] = portable_log2(least[k + 1] / least[k]) /
                           portable_log2(x[growth.point[k + 1]] / x[growth.point[k]]);
    }
    summarise(&growth);
    return growth;
}

struct growth growth_of(const double octave[GROWTH_OCTAVES])
{
    struct growth growth = {.octaves = GROWTH_OCTAVES};
    memcpy(growth.octave, octave, sizeof growth.octave);
    summarise(&growth);
    return growth;
}

static bool steeper(const struct growth *growth, double declared, double share)
{
    return growth->octaves == GROWTH_OCTAVES && growth->exponent > declared + share * growth_median_excess &&
           growth->least > declared + share * growth_least_excess;
}

bool growth_exceeds(const struct growth *growth, double declared)
{
    return steeper(growth, declared, 1);
}

bool growth_suspect(const struct growth *growth, double declared)
{
    return steeper(growth, declared, 0.5);
}

double growth_rounding(const double *x, const double *y, int points, int except)
{
    double ratio[PAIRS_MAX];
    int pairs = 0, exponent;
    for (int i = 0; i + 1 < points && pairs < PAIRS_MAX; i++) {
        bool power = frexp(x[i], &exponent) == 0.5, excepted = except >= i - 1 && except <= i + 2;
        if (power && x[i] > 8 && x[i + 1] == x[i] + 1 && y[i] > 0 && !excepted) {
            ratio[pairs++] = y[i + 1] / y[i];
        }
    }
    return pairs < 3 ? 1 : fmin(2, fmax(1, series_median(ratio, pairs)));
}
