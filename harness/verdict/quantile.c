/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/quantile.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OCTAVES = 2048, PARTS = 128, PART_BITS = 7 };

void quantile_clear(struct quantile *q)
{
    for (int o = 0; q->octave && o < OCTAVES; o++) {
        free(q->octave[o]);
    }
    free(q->octave);
    free(q->number);
    *q = (struct quantile){.count = 0};
}

/* A double's exponent and the first bits of its significand. */
static inline uint64_t place_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> (52 - PART_BITS);
}

static bool count_in(struct quantile *q, double x, int64_t times)
{
    uint64_t place = place_of(x);
    int64_t **octave = &q->octave[place / PARTS];
    if (x < DBL_MIN) { /* subnormal numbers lie in no octave */
        q->zeros += times;
        return true;
    }
    if (isinf(x)) {
        q->infinite += times;
        return true;
    }
    if (!*octave) {
        *octave = calloc(PARTS, sizeof **octave);
    }
    if (*octave) {
        (*octave)[place % PARTS] += times;
    }
    return *octave != NULL;
}

/* The middle of a bucket. */
static double middle_of(int octave, int part)
{
    uint64_t bits = ((uint64_t)octave * PARTS + (uint64_t)part) << (52 - PART_BITS) | (uint64_t)1
                                                                                          << (51 - PART_BITS);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool begin_counting(struct quantile *q)
{
    q->octave = calloc(OCTAVES, sizeof *q->octave);
    bool good = q->octave != NULL;
    for (int64_t i = 0; good && i < q->count; i++) {
        good = count_in(q, q->number[i], 1);
    }
    free(q->number);
    q->number = NULL;
    return good;
}

bool quantile_add(struct quantile *q, double x, int64_t times)
{
    bool good = true;
    x = fabs(x); /* −0 */
    q->greatest = times > 0 && x > q->greatest ? x : q->greatest;
    if (!q->octave && q->count + times > QUANTILE_EXACT) {
        good = begin_counting(q);
    }
    if (good && q->octave) {
        good = count_in(q, x, times);
    } else if (good) {
        q->number = q->number ? q->number : malloc(QUANTILE_EXACT * sizeof *q->number);
        good = q->number != NULL;
        for (int64_t i = 0; good && i < times; i++) {
            q->number[q->count + i] = x;
        }
    }
    q->count += times;
    return good;
}

/* The same number throughout, as of results that are all exact. */
static bool is_uniform(const double *x, int count)
{
    uint64_t first, bits, other = 0;
    memcpy(&first, x, sizeof first);
    for (int i = 1; i < count; i++) {
        memcpy(&bits, &x[i], sizeof bits);
        other |= bits ^ first;
    }
    return other == 0;
}

bool quantile_add_all(struct quantile *q, const double *x, int count)
{
    bool good = true;
    int i = 0;
    if (count > 1 && is_uniform(x, count)) {
        return quantile_add(q, x[0], count);
    }
    for (; good && i < count && !q->octave; i++) {
        good = quantile_add(q, x[i], 1);
    }
    double greatest = q->greatest;
    for (int k = i; good && k < count; k++) {
        double size = fabs(x[k]);
        int64_t *octave = q->octave[place_of(size) / PARTS];
        greatest = size > greatest ? size : greatest;
        if (octave) { /* as count_in: of zeros and infinities there is none */
            octave[place_of(size) % PARTS]++;
        } else {
            good = count_in(q, size, 1);
        }
    }
    q->greatest = greatest;
    q->count += count - i;
    return good;
}

bool quantile_add_scaled(struct quantile *q, struct quantile *from, double scale)
{
    bool good = true;
    for (int64_t i = 0; good && from->number && i < from->count; i++) {
        good = quantile_add(q, from->number[i] == 0 ? 0 : from->number[i] / scale, 1);
    }
    if (!from->octave) {
        return good;
    }
    good = quantile_add(q, 0, from->zeros) && quantile_add(q, INFINITY, from->infinite);
    for (int o = 0; good && o < OCTAVES; o++) {
        for (int p = 0; good && from->octave[o] && p < PARTS; p++) {
            int64_t times = from->octave[o][p];
            good = times == 0 || quantile_add(q, middle_of(o, p) / scale, times);
        }
    }
    return good;
}

bool quantile_merge(struct quantile *to, struct quantile *from)
{
    bool good = true;
    if (!from->octave) {
        good = quantile_add_all(to, from->number, from->number ? (int)from->count : 0);
    } else if (to->octave || (good = begin_counting(to))) {
        for (int o = 0; o < OCTAVES; o++) {
            if (!to->octave[o]) {
                to->octave[o] = from->octave[o];
                from->octave[o] = NULL;
            }
            for (int p = 0; from->octave[o] && p < PARTS; p++) {
                to->octave[o][p] += from->octave[o][p];
            }
        }
        to->greatest = from->greatest > to->greatest ? from->greatest : to->greatest;
        to->zeros += from->zeros;
        to->infinite += from->infinite;
        to->count += from->count;
    }
    quantile_clear(from);
    return good;
}

/* Hoare's selection: the number that would stand at `rank` if sorted. */
static double select_rank(double *x, int64_t count, int64_t rank)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = x[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) {
                i++;
            }
            while (x[j] > pivot) {
                j--;
            }
            if (i <= j) {
                double t = x[i];
                x[i++] = x[j];
                x[j--] = t;
            }
        }
        if (rank <= j) {
            high = j;
        } else if (rank >= i) {
            low = i;
        } else {
            break;
        }
    }
    return x[rank];
}

double quantile_at(struct quantile *q, double fraction)
{
    int64_t rank = (int64_t)(fraction * (double)(q->count - 1)), below = q->zeros;
    if (q->count == 0) {
        return 0;
    }
    if (!q->octave) {
        return q->number ? select_rank(q->number, q->count, rank) : 0;
    }
    if (rank < below) {
        return 0;
    }
    for (int o = 0; o < OCTAVES; o++) {
        for (int p = 0; q->octave[o] && p < PARTS; p++) {
            below += q->octave[o][p];
            if (rank < below) {
                return fmin(middle_of(o, p), q->greatest);
            }
        }
    }
    return INFINITY;
}
