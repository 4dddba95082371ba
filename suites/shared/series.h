/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_SERIES_H
#define ASSAY_SUITES_SHARED_SERIES_H

/* What a procedure measured: named curves, and the statistics that verdicts use. */

#include <stdbool.h>

struct series {
    char *name;       /* "reserved", "live VkFence", "time per item" */
    const char *unit; /* "bytes", "ns"; static storage */
    int points, room;
    double *x, *y;   /* x: epoch or batch; y: in `unit` */
    int octaves;     /* octaves over which `exponent` was fitted; 0: not fitted */
    double exponent; /* of y as a power of x */
    double factor;   /* the last point over what operands and results take; 0: unknown */
    /* of the repeats at each point: half of them lie between y and y + spread; NULL: unknown */
    double *spread;
    /* ns that a fixed piece of work took at each point, which calibrates the machine's speed; NULL:
     * unknown */
    double *pace;
    double *limit;         /* threshold at each point, NaN where the point is not judged; NULL: none */
    double exponent_limit; /* threshold of the exponent; 0: none */
    const char *rule;      /* what the thresholds mean, in words; static storage */
    bool breaks;           /* the series breaks its thresholds */
};

enum { SERIES_MAX = 32 };

struct series_set {
    int count;
    struct series item[SERIES_MAX];
};

/* Appends a point to the series of that name, which is created with its first point. Returns false when out
 * of memory or of SERIES_MAX. */
bool series_add(struct series_set *set, const char *name, const char *unit, double x, double y);
/* Returns NULL if there is none. As with strchr, the result may be changed where the set may. */
struct series *series_find(const struct series_set *set, const char *name);
void series_clear(struct series_set *set);

/* Gives the series a rule and a threshold NaN at each point, for the caller to fill in. Returns false when
 * out of memory; the series is unchanged then. */
bool series_limit(struct series *series, const char *rule);

/* Copies `spread` and `pace`, arrays of `points` numbers, into the series. Returns false when out of
 * memory. */
bool series_beside(struct series *series, const double *spread, const double *pace);

/* The median of count ≥ 1 values. Sorts them. */
double series_median(double *value, int count);

/* Median of the slopes between all pairs of points (Theil 1950, Sen 1968): up to 29 % of the points may lie
 * anywhere. Uses the first 64 points; 0 for fewer than two. */
double series_slope(const double *x, const double *y, int points);

/* One-sided p of Mann and Kendall's test against a rising trend: the exact probability that points in random
 * order have at least as large an excess of rising over falling pairs. Ties count for neither, which makes
 * the test conservative. Uses the first 64 points. */
double series_trend(const double *y, int points);

/* Judges a level that must not rise for ever: a heap climbs for some epochs and then stays, a leak climbs in
 * the second half as it did in the first. Growth of at most `slack` over the whole series is accepted
 * whatever its trend: pages, blocks, memory that a C library keeps. */
enum plateau { PLATEAU_HOLDS, PLATEAU_RISES, PLATEAU_GROWS_26 };
static const double plateau_false_alarm = 1e-3; /* of the trend test, per series */
/* last over first, minus 1: more is too much whatever the trend */
static const double plateau_growth = 0.26;

struct plateau_verdict {
    enum plateau verdict;
    double growth; /* Theil–Sen slope times the length of the series */
    double ratio;  /* last / first − 1 */
    double p;
};
struct plateau_verdict series_plateau(const struct series *series, double slack);

#endif
