/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/scaling/cliffs.h"

#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <math.h>

enum { POINTS = 17 };
static double x[POINTS], y[POINTS];

/* Batches 1, 2, 4, … with a fixed cost and a cost per item. */
static void curve(double fixed, double item)
{
    for (int i = 0; i < POINTS; i++) {
        x[i] = ldexp(1, i);
        y[i] = fixed + item * x[i];
    }
}

Test(cliffs, straight_curves_have_none)
{
    for (double fixed = 0; fixed < 1e9; fixed = 10 * fixed + 1e3) {
        curve(fixed, 100);
        cr_expect_eq(cliff_find(x, y, POINTS, 0, 1), -1, "fixed cost %g", fixed);
    }
}

/* A batch that takes three times as long is found wherever it is, whatever the fixed cost. */
Test(cliffs, a_slow_size_is_found_everywhere)
{
    for (double fixed = 1; fixed < 1e9; fixed *= 4) {
        for (int i = 2; i + 1 < POINTS; i++) {
            curve(fixed, 100);
            y[i] *= 3;
            cr_expect_eq(cliff_find(x, y, POINTS, 0, 1), i, "fixed cost %g, batch %g", fixed, x[i]);
            cr_expect_gt(cliff_height(x, y, POINTS, i), 1.5);
        }
    }
}

/* Costs that rise from one size on (a cache is left), fall (another kernel), or begin with a size (a
 * workspace) are steps and no cliffs. */
Test(cliffs, a_step_is_none)
{
    for (double fixed = 0; fixed < 1e7; fixed = 10 * fixed + 1e3) {
        for (int from = 1; from + 1 < POINTS; from++) {
            const double factor[] = {1.8, 0.3, 1}, onset[] = {0, 0, 3e6};
            for (int kind = 0; kind < 3; kind++) {
                curve(fixed, 100);
                for (int i = from; i < POINTS; i++) {
                    y[i] = y[i] * factor[kind] + onset[kind];
                }
                cr_expect_eq(cliff_find(x, y, POINTS, 0, 1), -1, "kind %d from batch %g, fixed cost %g", kind,
                             x[from], fixed);
            }
        }
    }
}

Test(cliffs, the_clock_s_grain_is_none)
{
    struct philox generator;
    philox_start(&generator, 3);
    for (int trial = 0; trial < 2000; trial++) {
        curve(5e3, 0.5);
        for (int i = 0; i < POINTS; i++) {
            y[i] += 20e3 * philox_unit(&generator);
        }
        cr_expect_eq(cliff_find(x, y, POINTS, 30e3, 1), -1);
    }
}
