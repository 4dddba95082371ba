/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SCALING_GROWTH_H
#define ASSAY_SUITES_SCALING_GROWTH_H

/* How does a cost grow with the batch? The exponent of its upper octaves, and how an allocator rounds. Pure
 * functions of what was measured.
 *
 * Exponents are of the whole cost, fixed part included: that only lowers them, whether it adds to the items'
 * cost or hides it (a launch that takes as long for one item as for a thousand). What raises them without
 * being growth is a step: a cache that is left, pages that are touched for the first time. A step ends, and
 * so three octaves in a row must be steep before anything is called growth. */

#include <stdbool.h>

enum { GROWTH_OCTAVES = 3, GROWTH_POINTS = GROWTH_OCTAVES + 1 };

/* More than declared by this much in the median octave, and in each. An allocator that rounds sizes to powers
 * of two can multiply three octaves' growth by 2 at most, 2^(3 + 1) in all: less than 0.2 + 0.4 + 0.4 more.
 */
static const double growth_median_excess = 0.4, growth_least_excess = 0.2;

/* The stated rate of false alarms per curve. For times whose noise has no order (exchangeable: each order of
 * the four costs per item as likely as any) all rise with a probability of 1/4! in each of three windows,
 * 7e-5 in all; suites/test/growth.c measures the whole with caches (steps three octaves apart), drifts and
 * busy machines. */
static const double growth_false_alarm = 1e-3;

struct growth {
    int octaves;              /* that were found, up to GROWTH_OCTAVES; 0: the exponent is unknown */
    double exponent;          /* median over the octaves */
    double least;             /* of them */
    double from, to;          /* batches */
    int point[GROWTH_POINTS]; /* their indices, ascending */
    double octave[GROWTH_OCTAVES];
};

/* Over the last octaves of the curve: points that double, seen from the last. */
struct growth growth_fit(const double *x, const double *y, int points);

/* The same of several rounds over the points of a fit, y[round * (octaves + 1) + k]: of each point the least
 * over the rounds, because noise only adds; taken in turn, because a machine may be slow for a while. */
struct growth growth_in_turn(const struct growth *fit, const double *x, const double *y, int rounds);

/* What is left of one in a record: the exponents of all its octaves. */
struct growth growth_of(const double octave[GROWTH_OCTAVES]);

/* Steeper than declared. Needs all octaves. A suspect, worth a closer look, may be less steep. */
bool growth_exceeds(const struct growth *growth, double declared);
bool growth_suspect(const struct growth *growth, double declared);

/* What an allocator makes of a size just above a power of two, in times of that power's: the median of
 * y(2^k + 1)/y(2^k) over the pairs that the curve has, but those next to x[except]; within [1, 2], 1 where
 * there are fewer than three. A cliff at one size is none: it is one pair. */
double growth_rounding(const double *x, const double *y, int points, int except);

#endif
