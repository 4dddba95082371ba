/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_SERIES_H
#define ASSAY_SUITES_SHARED_SERIES_H

/* What a procedure measured: named curves, and the statistics that their verdicts rest on. */

#include <stdbool.h>

struct series {
    char *name;       /* "reserved", "live VkFence", "time per item" */
    const char *unit; /* "bytes", "ns"; static storage */
    int points, room;
    double *x, *y;   /* x: epoch, or batch */
    int octaves;     /* over which `exponent` was fitted; 0: it was not */
    double exponent; /* of y against x */
    double factor;   /* how many times what it needs the last point takes; 0: not known */
    double *spread;  /* of the repeats at each point: half of them lie from y to y + spread; NULL: unknown */
    double *pace;    /* ns that the same work took on the machine at each point; NULL: unknown */
    double *limit;   /* the threshold at each point, NaN where it is not judged; NULL: none */
    double exponent_limit; /* of the exponent; 0: none */
    const char *rule;      /* what they say, in words; static storage */
    bool breaks;           /* it does not keep to them */
};

enum { SERIES_MAX = 32 };

struct series_set {
    int count;
    struct series item[SERIES_MAX];
};

/* Appends a point to the series of that name, which is made on its first point. False when out of memory. */
bool series_add(struct series_set *set, const char *name, const char *unit, double x, double y);
/* NULL when there is none. As with strchr, the result may be changed where the set may. */
struct series *series_find(const struct series_set *set, const char *name);
void series_clear(struct series_set *set);

/* Sets the threshold of all points to NaN, for the caller to fill in, and the rule. False when out of memory:
 * the series then has none. */
bool series_limit(struct series *series, const char *rule);

/* Notes beside each point how far its repeats spread, and the machine's pace; arrays of `points`, copied.
 * False when out of memory. */
bool series_beside(struct series *series, const double *spread, const double *pace);

/* Of at least one; sorts them. */
double series_median(double *value, int count);

/* Median of the slopes between all pairs of points (Theil 1950, Sen 1968): up to 29 % of the points may lie
 * anywhere. 0 for fewer than two points. */
double series_slope(const double *x, const double *y, int points);

/* One-sided p of Mann and Kendall's test against a rising trend: the exact probability that points in random
 * order hold as many rising pairs more than falling ones. Ties count for neither, which makes it
 * conservative. points ≤ 64. */
double series_trend(const double *y, int points);

/* A level that must not rise, or at least not rise for ever: a heap that settles climbs for some epochs and
 * then stays, a leak climbs in the second half as it did in the first. `slack` is growth over the whole
 * series that is no finding whatever its trend: pages, blocks, what a C library keeps. */
enum plateau { PLATEAU_HOLDS, PLATEAU_RISES, PLATEAU_GROWS_26 };
static const double plateau_false_alarm = 1e-3; /* of the trend test, per series */
static const double plateau_growth = 0.26;      /* last over first, minus 1: a threshold by itself */

struct plateau_verdict {
    enum plateau verdict;
    double growth; /* Theil–Sen slope times the length of the series */
    double ratio;  /* last / first − 1 */
    double p;
};
struct plateau_verdict series_plateau(const struct series *series, double slack);

#endif
