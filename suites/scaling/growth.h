/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SCALING_GROWTH_H
#define ASSAY_SUITES_SCALING_GROWTH_H

/* How a cost grows with the batch: the exponent of its upper octaves, and how an allocator rounds sizes. All
 * functions are pure.
 *
 * Exponents are of the total cost, fixed part included: that only lowers them, whether the fixed part adds to
 * the cost of the items or hides it (a launch that takes as long for one item as for a thousand). A step
 * raises them without being growth: a cache that is left, pages that are touched for the first time. A step
 * ends, so three octaves in a row must be steep before anything is called growth. */

#include <stdbool.h>

enum { GROWTH_OCTAVES = 3, GROWTH_POINTS = GROWTH_OCTAVES + 1 };

/* Growth exceeds the declared exponent by this much in the median octave, and in each octave. An allocator
 * that rounds sizes to powers of two can multiply three octaves' growth by 2 at most, 2^(3 + 1) in all: less
 * than 0.2 + 0.4 + 0.4 more. */
static const double growth_median_excess = 0.4, growth_least_excess = 0.2;

/* The stated rate of false alarms per curve. If the noise of times has no order (exchangeable: each order of
 * the four costs per item is as likely as any), all rise with probability 1/4! in each of three windows, 7e-5
 * in all. suites/scaling/test/growth.c measures the whole with caches (steps three octaves apart), drifts and
 * busy machines. */
static const double growth_false_alarm = 1e-3;

struct growth {
    int octaves;              /* octaves found, at most GROWTH_OCTAVES; 0: the exponent is unknown */
    double exponent;          /* median over the octaves */
    double least;             /* the least octave */
    double from, to;          /* the first and the last batch */
    int point[GROWTH_POINTS]; /* indices of the points, ascending */
    double octave[GROWTH_OCTAVES];
};

/* Fits the last octaves of the curve: points whose batches double (within 5 %), found from the last one
 * back. */
struct growth growth_fit(const double *x, const double *y, int points);

/* Fits repeated measurements of the points of a fit, y[round * (octaves + 1) + k]. Each point counts with its
 * least cost over the rounds, because noise only adds; rounds take the points in turn, because a machine may
 * be slow for a while. */
struct growth growth_in_turn(const struct growth *fit, const double *x, const double *y, int rounds);

/* Restores a fit from the exponents of all its octaves, as a record holds them. */
struct growth growth_of(const double octave[GROWTH_OCTAVES]);

/* True if growth is steeper than declared. Needs all octaves. A suspect, which is worth a repeated
 * measurement, needs half the excess. */
bool growth_exceeds(const struct growth *growth, double declared);
bool growth_suspect(const struct growth *growth, double declared);

/* Returns by what factor an allocator rounds up a size just above a power of two: the median of y(2^k +
 * 1)/y(2^k) over the pairs that the curve has, without those next to x[except]; within [1, 2], and 1 if there
 * are fewer than three pairs. A cliff at one size is one pair and does not change the median. */
double growth_rounding(const double *x, const double *y, int points, int except);

#endif
