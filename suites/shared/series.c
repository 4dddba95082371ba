/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 64, PAIRS_MAX = POINTS_MAX * (POINTS_MAX - 1) / 2 };

struct series *series_find(const struct series_set *set, const char *name)
{
    for (int s = 0; s < set->count; s++) {
        if (strcmp(set->item[s].name, name) == 0) {
            return (struct series *)&set->item[s];
        }
    }
    return NULL;
}

static bool grow(struct series *series)
{
    int room = series->room ? 2 * series->room : 16;
    double *x = realloc(series->x, (size_t)room * sizeof *x);
    series->x = x ? x : series->x;
    double *y = realloc(series->y, (size_t)room * sizeof *y);
    series->y = y ? y : series->y;
    series->room = x && y ? room : series->room;
    return x && y;
}

bool series_add(struct series_set *set, const char *name, const char *unit, double x, double y)
{
    struct series *series = series_find(set, name);
    if (!series) {
        if (set->count == SERIES_MAX) {
            return false;
        }
        series = &set->item[set->count];
        *series = (struct series){.name = strdup(name), .unit = unit};
        if (!series->name) {
            return false;
        }
        set->count++;
    }
    if (series->points == series->room && !grow(series)) {
        return false;
    }
    series->x[series->points] = x;
    series->y[series->points++] = y;
    return true;
}

void series_clear(struct series_set *set)
{
    for (int s = 0; s < set->count; s++) {
        free(set->item[s].name);
        free(set->item[s].x);
        free(set->item[s].y);
        free(set->item[s].limit);
        free(set->item[s].spread);
        free(set->item[s].pace);
    }
    set->count = 0;
}

bool series_limit(struct series *series, const char *rule)
{
    double *limit = realloc(series->limit, ((size_t)series->points + 1) * sizeof *limit);
    if (!limit) {
        return false;
    }
    for (int i = 0; i < series->points; i++) {
        limit[i] = NAN;
    }
    series->limit = limit;
    series->rule = rule;
    return true;
}

bool series_beside(struct series *series, const double *spread, const double *pace)
{
    size_t size = (size_t)series->points * sizeof *spread;
    free(series->spread);
    free(series->pace);
    series->spread = malloc(size + 1);
    series->pace = malloc(size + 1);
    if (!series->spread || !series->pace) {
        return false;
    }
    memcpy(series->spread, spread, size);
    memcpy(series->pace, pace, size);
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double series_median(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, ascending);
    return count % 2 ? value[count / 2] : (value[count / 2 - 1] + value[count / 2]) / 2;
}

double series_slope(const double *x, const double *y, int points)
{
    double slope[PAIRS_MAX];
    int pairs = 0;
    for (int i = 0; i < points && i < POINTS_MAX; i++) {
        for (int j = i + 1; j < points && j < POINTS_MAX; j++) {
            slope[pairs++] = (y[j] - y[i]) / (x[j] - x[i]);
        }
    }
    return pairs ? series_median(slope, pairs) : 0;
}

/* Returns the probability that a random order of n points has at most k falling pairs, from the numbers of
 * permutations by inversions (MacMahon), computed for one more point at a time. */
static double at_most_falling(int n, int k)
{
    double share[PAIRS_MAX + 1] = {1}, next[PAIRS_MAX + 1];
    int most = 0;
    for (int m = 2; m <= n; m++) {
        for (int f = 0; f <= most + m - 1; f++) {
            next[f] = 0;
            for (int added = 0; added < m; added++) {
                next[f] += f >= added && f - added <= most ? share[f - added] / m : 0;
            }
        }
        most += m - 1;
        memcpy(share, next, ((size_t)most + 1) * sizeof *share);
    }
    double p = 0;
    for (int f = 0; f <= k && f <= most; f++) {
        p += share[f];
    }
    return fmin(p, 1);
}

double series_trend(const double *y, int points)
{
    int score = 0, n = points < POINTS_MAX ? points : POINTS_MAX;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            score += (y[j] > y[i]) - (y[j] < y[i]);
        }
    }
    return at_most_falling(n, (n * (n - 1) / 2 - score) / 2);
}

struct plateau_verdict series_plateau(const struct series *series, double slack)
{
    struct plateau_verdict v = {.verdict = PLATEAU_HOLDS, .p = 1};
    int n = series->points;
    if (n < 2) {
        return v;
    }
    double first = series->y[0], last = series->y[n - 1];
    v.growth = series_slope(series->x, series->y, n) * (series->x[n - 1] - series->x[0]);
    v.ratio = last <= first ? 0 : first > 0 ? last / first - 1 : INFINITY;
    v.p = series_trend(series->y, n);
    int half = n / 2;
    double late = series_slope(series->x + half, series->y + half, n - half);
    bool goes_on = late * (series->x[n - 1] - series->x[0]) > v.growth / 2;
    if (v.p <= plateau_false_alarm && v.growth > slack && goes_on) {
        v.verdict = PLATEAU_RISES;
    } else if (v.ratio > plateau_growth && last - first > slack) {
        v.verdict = PLATEAU_GROWS_26;
    }
    return v;
}
