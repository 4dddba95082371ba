/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/scaling/cliffs.h"

#include <math.h>

/* Points whose batches differ by a smaller factor are no basis for a slope: 65,535 and 65,536 determine
 * none. */
static const double apart = 1.25;

int cliff_second(const double *x, int i)
{
    int far = i - 2;
    while (far >= 0 && x[far] * apart > x[i - 1]) {
        far--;
    }
    return far;
}

/* The cost at i predicted by the line through the two nearest points on the left. */
static double from_left(const double *x, const double *y, int i)
{
    int near = i - 1, far = cliff_second(x, i);
    return y[near] + fmax(0, (y[near] - y[far]) / (x[near] - x[far])) * (x[i] - x[near]);
}

/* The cost at i predicted by the points on the right, but at least the nearest one's cost per item: fixed
 * costs are not negative. */
static double from_right(const double *x, const double *y, int points, int i)
{
    int near = i + 1, far = near + 1;
    while (far < points && x[far] < x[near] * apart) {
        far++;
    }
    double least = y[near] / x[near] * x[i];
    double slope = far < points ? fmax(0, (y[far] - y[near]) / (x[far] - x[near])) : INFINITY;
    return fmax(least, y[near] - slope * (x[near] - x[i]));
}

static double expected(const double *x, const double *y, int points, int i)
{
    return fmax(from_left(x, y, i), from_right(x, y, points, i));
}

double cliff_height(const double *x, const double *y, int points, int i)
{
    return y[i] / expected(x, y, points, i);
}

bool cliff_judges(const double *x, int points, int i)
{
    return i >= 2 && i + 1 < points && cliff_second(x, i) >= 0;
}

int cliff_find(const double *x, const double *y, int points, double least, int from)
{
    for (int i = from < 2 ? 2 : from; i + 1 < points; i++) {
        if (!cliff_judges(x, points, i)) {
            continue;
        }
        double cost = expected(x, y, points, i);
        if (y[i] > cliff_ratio * cost && y[i] - cost > least) {
            return i;
        }
    }
    return -1;
}
