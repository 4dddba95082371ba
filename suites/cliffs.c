/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/cliffs.h"

#include <math.h>

/* Greatest cost that the neighbours of i let expect: of their cost per item, and of their cost outright. */
static void expect(const double *x, const double *y, int i, double *linear, double *flat)
{
    *linear = x[i] * fmax(y[i - 1] / x[i - 1], y[i + 1] / x[i + 1]);
    *flat = fmax(y[i - 1], y[i + 1]);
}

double cliff_height(const double *x, const double *y, int i)
{
    double linear, flat;
    expect(x, y, i, &linear, &flat);
    return y[i] / fmin(linear, flat);
}

int cliff_find(const double *x, const double *y, int points, double least, int from)
{
    for (int i = from < 1 ? 1 : from; i + 1 < points; i++) {
        double linear, flat;
        expect(x, y, i, &linear, &flat);
        double expected = fmin(linear, flat);
        if (y[i] > cliff_ratio * expected && y[i] - expected > least) {
            return i;
        }
    }
    return -1;
}
