/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/statistics/quantile.h"
#include "reference/numeric/simd/multiversion.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OCTAVES = 2048, PARTS = 128, PART_BITS = 7, PLACES = OCTAVES * PARTS };

void quantile_clear(struct quantile *q)
{
    for (int o = 0; q->octave && o < OCTAVES; o++) {
        free(q->octave[o]);
    }
    free(q->octave);
    free(q->number);
    *q = (struct quantile){.count = 0};
}

/* The bucket of a double: its exponent and the first bits of its significand. */
static inline int64_t place_of_bits(int64_t bits)
{
    return (int64_t)((uint64_t)bits >> (52 - PART_BITS));
}

static inline int64_t bits_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline int64_t place_of(double x)
{
    return place_of_bits(bits_of(x));
}

/* The middle of a bucket. */
static double middle_of(int64_t place)
{
    uint64_t bits = (uint64_t)place << (52 - PART_BITS) | (uint64_t)1 << (51 - PART_BITS);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Subnormal numbers and infinities lie in no octave. */
static bool has_octave(double x)
{
    return x >= DBL_MIN && x < INFINITY;
}

static bool count_in(struct quantile *q, double x, int64_t times)
{
    if (!has_octave(x)) {
        *(x < 1 ? &q->zeros : &q->infinite) += times;
        return true;
    }
    int64_t **octave = &q->octave[place_of(x) / PARTS];
    *octave = *octave ? *octave : calloc(PARTS, sizeof **octave);
    if (*octave) {
        (*octave)[place_of(x) % PARTS] += times;
    }
    return *octave != NULL;
}

static bool begin_counting(struct quantile *q)
{
    bool good = (q->octave = calloc(OCTAVES, sizeof *q->octave)) != NULL;
    for (int64_t i = 0; good && i < q->count; i++) {
        good = count_in(q, q->number[i], 1);
    }
    free(q->number);
    q->number = NULL;
    q->counts = q->octave != NULL;
    return good;
}

bool quantile_add(struct quantile *q, double x, int64_t times)
{
    bool good = true;
    x = fabs(x); /* −0 */
    q->greatest = times > 0 && x > q->greatest ? x : q->greatest;
    if (!q->counts && q->count + times > QUANTILE_EXACT) {
        good = begin_counting(q);
    }
    if (good && q->counts) {
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

/* Whether numbers are all equal, or all in one bucket; and the greatest. */
struct likeness {
    bool same, together;
    double greatest;
};

MULTIVERSION static struct likeness likeness_of(const double *x, int count)
{
    struct likeness of;
    int64_t first = bits_of(fabs(x[0])), other = 0; /* bits, in whose order numbers lie: none is negative */
    int64_t most = first;
    for (int i = 0; i < count; i++) {
        double size = fabs(x[i]);
        int64_t bits;
        memcpy(&bits, &size, sizeof bits);
        other |= bits ^ first;
        most = bits > most ? bits : most;
    }
    of.same = other == 0;
    of.together = place_of_bits(other) == 0;
    memcpy(&of.greatest, &most, sizeof of.greatest);
    return of;
}

/* Keeps up to `count` numbers while there is room; returns how many were kept. */
static int keep_few(struct quantile *q, const double *x, int count, bool *good)
{
    int64_t room = q->counts ? 0 : QUANTILE_EXACT - q->count;
    int some = count < room ? count : (int)room, kept = some > 0;
    *good = kept == 0 || quantile_add(q, x[0], 1); /* which allocates the room */
    for (; *good && kept < some; kept++) {
        double size = fabs(x[kept]);
        q->number[q->count++] = size;
        q->greatest = size > q->greatest ? size : q->greatest;
    }
    return kept;
}

/* Counts each number in its bucket; `greatest` is the greatest of them. */
static bool count_each(struct quantile *q, const double *x, int count, double greatest)
{
    bool good = true;
    q->count += count;
    q->greatest = greatest > q->greatest ? greatest : q->greatest;
    for (int i = 0; i < count; i++) {
        const double size = fabs(x[i]);
        const uint64_t place = (uint64_t)place_of(size);
        int64_t *octave = q->octave[place / PARTS];
        if (octave) {
            octave[place % PARTS]++;
        } else { /* what has no octave never gets one */
            good = count_in(q, size, 1) && good;
        }
    }
    return good;
}

bool quantile_add_all(struct quantile *q, const double *x, int count)
{
    bool good = true;
    if (count <= 0) {
        return true;
    }
    const struct likeness of = likeness_of(x, count);
    if (of.same || (of.together && q->counts)) {
        return quantile_add(q, of.greatest, count);
    }
    int i = keep_few(q, x, count, &good);
    if (i == count || !good || !(q->counts || begin_counting(q))) {
        return i == count && good;
    }
    return count_each(q, x + i, count - i, of.greatest);
}

bool quantile_add_various(struct quantile *q, const double *x, int count, double greatest)
{
    return q->counts ? count_each(q, x, count, greatest) : quantile_add_all(q, x, count);
}

/* The first bucket from `place` on that holds any, or the end of all. */
static int64_t next_place(const struct quantile *q, int64_t place)
{
    for (int64_t octave = place / PARTS, part = place % PARTS; octave < OCTAVES; octave++, part = 0) {
        for (; q->octave[octave] && part < PARTS; part++) {
            if (q->octave[octave][part] > 0) {
                return octave * PARTS + part;
            }
        }
    }
    return PLACES;
}

static int64_t times_at(const struct quantile *q, int64_t place)
{
    return q->octave[place / PARTS][place % PARTS];
}

bool quantile_add_scaled(struct quantile *q, struct quantile *from, double scale)
{
    bool good = true;
    for (int64_t i = 0; good && from->number && i < from->count; i++) {
        good = quantile_add(q, from->number[i] == 0 ? 0 : from->number[i] / scale, 1);
    }
    if (!from->counts) {
        return good;
    }
    good = quantile_add(q, 0, from->zeros) && quantile_add(q, INFINITY, from->infinite);
    for (int64_t place = 0; good && (place = next_place(from, place)) < PLACES; place++) {
        good = quantile_add(q, middle_of(place) / scale, times_at(from, place));
    }
    return good;
}

static void merge_octave(int64_t **to, int64_t **from)
{
    if (!*to) {
        *to = *from;
        *from = NULL;
    }
    for (int part = 0; *from && part < PARTS; part++) {
        (*to)[part] += (*from)[part];
    }
}

bool quantile_merge(struct quantile *to, struct quantile *from)
{
    bool good = true;
    if (!from->counts) {
        good = quantile_add_all(to, from->number, from->number ? (int)from->count : 0);
    } else if (to->counts || (good = begin_counting(to))) {
        for (int o = 0; o < OCTAVES; o++) {
            merge_octave(&to->octave[o], &from->octave[o]);
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
    if (!q->counts) {
        return q->number ? select_rank(q->number, q->count, rank) : 0;
    }
    if (rank < below) {
        return 0;
    }
    for (int64_t place = 0; (place = next_place(q, place)) < PLACES; place++) {
        below += times_at(q, place);
        if (rank < below) {
            return fmin(middle_of(place), q->greatest);
        }
    }
    return INFINITY;
}
