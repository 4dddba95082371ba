/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* T, G and the resolution, in one slice and in many, compared with loops over all elements. */
#include "harness/judge/statistics/evidence.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { ELEMENTS = 4000, TO_GROUP = 20 };

struct numbers {
    double truth[ELEMENTS], error[ELEMENTS], spread[ELEMENTS], certain[ELEMENTS], group_spread;
};

/* N over |t| within `octaves` of `certain`; S of one size; S_c 0: no groups. */
static void draw(struct numbers *n, uint64_t seed, double certain, int octaves, double spread,
                 double group_spread)
{
    struct philox g;
    philox_start(&g, seed);
    n->group_spread = group_spread;
    for (int i = 0; i < ELEMENTS; i++) {
        n->truth[i] = (philox_unit(&g) - 0.5) * 8;
        n->spread[i] = spread * (0.5 + philox_unit(&g));
        n->certain[i] = certain * fabs(n->truth[i]) * exp2(octaves * philox_unit(&g));
        n->error[i] =
            (philox_unit(&g) - 0.5) * 6 * n->spread[i] + copysign(n->certain[i], philox_unit(&g) - 0.5);
    }
}

static double left(double error, double certain)
{
    return fabs(error) > certain ? copysign(fabs(error) - certain, error) : 0;
}

/* T and G of the errors; of truth·δ where δ ≥ 0. */
static void by_loops(const struct numbers *n, double delta, double *t, double *g)
{
    double square = 0, along = 0, precision = 1 / (n->group_spread * n->group_spread);
    for (int k = 0; k < ELEMENTS; k += TO_GROUP) {
        double product = 0, norm = 0;
        for (int i = k; i < k + TO_GROUP; i++) {
            double x = left(delta < 0 ? n->error[i] : delta * n->truth[i], n->certain[i]);
            square += x / n->spread[i] * (x / n->spread[i]);
            product += x * n->truth[i];
            norm += n->truth[i] * n->truth[i];
        }
        along += product / norm * precision;
    }
    *t = sqrt(square / ELEMENTS);
    *g = n->group_spread > 0 ? fabs(along) / sqrt(precision * ELEMENTS / TO_GROUP) : 0;
}

/* The least of 20,000 δ, a thousandth apart, at which T or G fails. */
static double resolved_by_loops(const struct numbers *n)
{
    double t, g;
    for (double delta = 0x1p-20; delta < 0x1p9; delta *= 1.001) {
        by_loops(n, delta, &t, &g);
        if (t > EVIDENCE_T_LIMIT || g > EVIDENCE_G_LIMIT) {
            return delta;
        }
    }
    return INFINITY;
}

static struct evidence_statistics measured(const struct numbers *n, int slice, bool may_fail)
{
    struct evidence e;
    struct evidence_statistics s;
    cr_assert(evidence_open(&e, slice, DTYPE_FLOAT32, may_fail));
    for (int first = 0; first < ELEMENTS; first += slice) {
        e.count = slice;
        for (int i = 0; i < slice; i++) {
            e.truth[i] = n->truth[first + i];
            e.error[i] = n->error[first + i];
            e.spread[i] = n->spread[first + i];
            e.certain[i] = n->certain[first + i];
            e.group[i] = n->group_spread > 0 ? i / TO_GROUP : -1;
            e.group_spread[i] = n->group_spread;
        }
        cr_assert(evidence_end_slice(&e));
    }
    evidence_measure(&e, &s);
    evidence_close(&e);
    return s;
}

Test(evidence, sums_are_those_of_loops_however_sliced)
{
    static const struct {
        double certain;
        int octaves;
        double spread, group_spread;
    } row[] = {
        {0x1p-10, 0, 0x1p-12, 0}, {0x1p-10, 6, 0x1p-12, 0},       {0, 0, 0x1p-8, 0},
        {0x1p-10, 0, 1, 0x1p-11}, {0x1p-10, 6, 1, 0x1p-11},       {0, 0, 1, 0x1p-6},
        {0x1p-6, 0, 0x1p-16, 0},  {0x1p-14, 12, 0x1p-9, 0x1p-12},
    };
    static struct numbers n;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        double t, g, expect;
        draw(&n, r, row[r].certain, row[r].octaves, row[r].spread, row[r].group_spread);
        by_loops(&n, -1, &t, &g);
        expect = resolved_by_loops(&n);
        for (int slice = TO_GROUP; slice <= ELEMENTS; slice *= 10) {
            struct evidence_statistics s = measured(&n, slice, true);
            cr_expect_float_eq(s.t, t, 1e-9 * t, "row %zu: T %g, %g", r, s.t, t);
            cr_expect_float_eq(s.g, g, 1e-9 * g, "row %zu: G %g, %g", r, s.g, g);
            cr_expect_eq(s.elements, ELEMENTS);
            cr_expect_eq(s.groups, row[r].group_spread > 0 ? ELEMENTS / TO_GROUP : 0);
            cr_expect(s.resolution > 0.96 * expect && s.resolution < 1.03 * expect,
                      "row %zu: resolves %g, %g", r, s.resolution, expect);
        }
        cr_expect(isinf(measured(&n, ELEMENTS, false).resolution),
                  "what may not fail resolves nothing by T and G");
    }
}
