/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/norm/orders.h"

#include <math.h>

const struct norm_order norm_orders[NORM_ORDERS] = {
    {ZERO, "p0", 0},
    {ONE, "p1", 1},
    {TWO, "p2", 2},
    {THREE, "p3", 3},
    {MAX, "pinf", INFINITY},
    {MIN, "p-inf", -INFINITY},
    {HALF, "p0-5", 0.5},
    {ONE_AND_HALF, "p1-5", 1.5},
    {MINUS_1, "p-1", -1},
    {MINUS_2, "p-2", -2},
    {FRO, "fro", 2},
    {P2_1, "p2-1", 2.1},
    {P0_3, "p0-3", 0.3},
    {P128, "p128", 128},
    {MINUS_128, "p-128", -128},
    {P1000, "p1000", 1000},
    {MINUS_1000, "p-1000", -1000},
    {P1E10, "p1e10", 1e10},
    {MINUS_1E10, "p-1e10", -1e10},
    {P1E300, "p1e300", 1e300},
    {MINUS_1E300, "p-1e300", -1e300},
    {TINY, "p1e-10", 1e-10},
    {TINIEST, "p1e-300", 1e-300},
    {SMALL_UP, "p0-015625", 0.015625},
    {SMALL_DOWN, "p-0-015625", -0.015625},
    {ROOT160, "p0-00625", 0.00625},
    {MINUS_ROOT160, "p-0-00625", -0.00625},
};
