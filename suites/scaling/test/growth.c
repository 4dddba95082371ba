/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/scaling/cost_curves.h"

#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* Tests exponents of known curves, and the stated rates: of false alarms over healthy curves under noise, and
 * of detected growth. */

enum { POINTS_MAX = 40, LAST = 17, WINDOWS = 3, ROUNDS = 11, CURVES = 20000 };

static struct philox generator;
static double x[POINTS_MAX], y[POINTS_MAX];
static int points;

/* Batches as in the procedure: 1, 2, 4, … with the same neighbours. */
static void batches(int last)
{
    points = 0;
    for (int k = 0; k <= last; k++) {
        if (k == 16) {
            x[points++] = 65535;
        }
        x[points++] = ldexp(1, k);
        if (k == 16 || (k >= 4 && k % 2 == 0 && k <= 14)) {
            x[points++] = ldexp(1, k) + 1;
        }
    }
}

/* --- healthy and unhealthy costs */

/* A model of the cost of a batch: a fixed part that adds to the cost of the items or hides it, steps at which
 * caches are left, each over an octave or two, and a factor of growth. */
struct cost {
    double fixed, item, power, knee; /* item·n^power, or item·n·(1 + n/knee) */
    bool hidden;
    int steps;
    double at[3], factor[3], width[3];
};

static double cost_of(const struct cost *cost, double n)
{
    double work = cost->item * (cost->power > 0 ? pow(n, cost->power) : n * (1 + n / cost->knee));
    for (int s = 0; s < cost->steps; s++) {
        double part = fmin(1, fmax(0, log2(n / cost->at[s]) / cost->width[s]));
        work *= 1 + (cost->factor[s] - 1) * part;
    }
    return cost->hidden ? fmax(cost->fixed, work) : cost->fixed + work;
}

static struct cost healthy(void)
{
    struct cost cost = {.fixed = 1e3 * pow(10, 3 * philox_unit(&generator)),
                        .item = pow(10, 4 * philox_unit(&generator) - 1),
                        .power = 1,
                        .hidden = philox_unit(&generator) < 0.5,
                        .steps = (int)philox_below(&generator, 4)};
    for (int s = 0; s < cost.steps; s++) { /* a cache is eight times as large as the one before it, or more */
        double first = s ? 8 * cost.at[s - 1] : 1;
        cost.at[s] = ldexp(first, (int)philox_below(&generator, 6));
        cost.factor[s] = 1.2 + 2.8 * philox_unit(&generator);
        cost.width[s] = 0.5 + 1.5 * philox_unit(&generator);
    }
    return cost;
}

/* --- noise */

enum noise { QUIET, BUSY, DRIFTING, SLOWING, NOISES };
static double slowness; /* the logarithm of the current slowness of the machine */

static double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += philox_unit(&generator);
    }
    return sum;
}

static double measured(double cost, enum noise noise)
{
    double times = exp(0.05 * fabs(normal()));
    if (noise == BUSY) { /* two of five runs wait for a busy core, some for long */
        times *= philox_unit(&generator) < 0.4 ? 1 + 4 * philox_unit(&generator) : 1;
    } else if (noise == DRIFTING) {
        slowness = 0.95 * slowness + 0.15 * normal();
        times *= exp(slowness);
    } else if (noise == SLOWING) { /* the machine heats up or is shared: 1 % slower each time */
        slowness = fmin(1.5, slowness + 0.01);
        times *= exp(slowness);
    }
    return cost * times;
}

/* Applies the whole procedure to one curve: the least of four ascending rounds, and three windows for a
 * suspect. True if growth is reported. */
static bool reported_falsely(const struct cost *cost, int last, enum noise noise)
{
    double window[ROUNDS * GROWTH_POINTS];
    batches(last);
    slowness = 0;
    for (int i = 0; i < points; i++) {
        y[i] = INFINITY;
    }
    for (int r = 0; r < 4; r++) {
        for (int i = 0; i < points; i++) {
            y[i] = fmin(y[i], measured(cost_of(cost, x[i]), noise));
        }
    }
    struct growth fit = growth_fit(x, y, points);
    bool exceeds = growth_suspect(&fit, 1);
    for (int w = 0; w < WINDOWS && exceeds; w++) {
        for (int r = 0; r < ROUNDS; r++) {
            for (int k = 0; k < GROWTH_POINTS; k++) {
                int at = r % 2 ? GROWTH_OCTAVES - k : k;
                window[r * GROWTH_POINTS + at] = measured(cost_of(cost, x[fit.point[at]]), noise);
            }
        }
        struct growth again = growth_in_turn(&fit, x, window, ROUNDS);
        exceeds = growth_exceeds(&again, 1);
    }
    return exceeds;
}

Test(growth, exponents_of_powers)
{
    batches(LAST);
    for (double p = 0; p < 3; p += 0.25) {
        for (int i = 0; i < points; i++) {
            y[i] = 7 * pow(x[i], p);
        }
        struct growth fit = growth_fit(x, y, points);
        cr_expect_eq(fit.octaves, 3);
        cr_expect_float_eq(fit.exponent, p, 1e-3, "%g for %g", fit.exponent, p);
        cr_expect_eq(fit.from, 16384, "powers of two, not their neighbours");
        cr_expect_eq(fit.to, 131072);
        cr_expect_eq(growth_exceeds(&fit, 1), p > 1.4, "%g", p);
    }
    struct growth none = growth_fit(x, y, 1);
    cr_expect_eq(none.octaves, 0);
    cr_expect_not(growth_exceeds(&none, 1));
    struct growth two = growth_fit(x, y, 3);
    cr_expect_not(growth_exceeds(&two, 1), "two octaves are a step");
}

/* Steps of a factor of four, up to two octaves wide, at every batch, are no growth. */
Test(growth, a_step_is_none)
{
    batches(LAST);
    for (int at = 0; at <= LAST; at++) {
        for (double width = 0.1; width < 2.1; width += 0.1) {
            struct cost cost = {.fixed = 10,
                                .item = 1,
                                .power = 1,
                                .steps = 1,
                                .at = {ldexp(1, at)},
                                .factor = {4},
                                .width = {width}};
            for (int i = 0; i < points; i++) {
                y[i] = cost_of(&cost, x[i]);
            }
            struct growth fit = growth_fit(x, y, points);
            cr_expect_not(growth_exceeds(&fit, 1), "at 2^%d over %g octaves", at, width);
        }
    }
}

/* Measures the rate of false alarms over healthy curves on four kinds of machine: 3 of 20,000 would be
 * 1.5e-4. */
Test(growth, healthy_curves_are_not_reported_falsely, .timeout = 120)
{
    static const char *const names[] = {"quiet", "busy", "drifting", "slowing"};
    philox_start(&generator, 11);
    for (int noise = 0; noise < NOISES; noise++) {
        int alarms = 0;
        for (int trial = 0; trial < CURVES; trial++) {
            struct cost cost = healthy();
            alarms += reported_falsely(&cost, 8 + (int)philox_below(&generator, 10), (enum noise)noise);
        }
        cr_expect_leq(alarms, growth_false_alarm * CURVES, "%s machine: %d of %d", names[noise], alarms,
                      CURVES);
    }
}

/* n², n·(1 + n/256) and n^1.6 are detected under the same noise. */
Test(growth, growth_is_seen)
{
    const struct cost kinds[] = {{.fixed = 20e3, .item = 40, .power = 2},
                                 {.fixed = 20e3, .item = 40, .knee = 256},
                                 {.fixed = 20e3, .item = 400, .power = 1.6}};
    philox_start(&generator, 12);
    for (int noise = 0; noise < NOISES; noise++) {
        for (int k = 0; k < 3; k++) {
            int seen = 0;
            for (int trial = 0; trial < 500; trial++) {
                seen += reported_falsely(&kinds[k], k == 0 ? 10 : 14, (enum noise)noise);
            }
            int least = noise == QUIET ? 500 : k == 2 ? 325 : 450; /* n^1.6 is near the threshold */
            cr_expect_geq(seen, least, "noise %d, kind %d: %d of 500", noise, k, seen);
        }
    }
}

/* --- allocators */

static double rounded(double bytes, double block)
{
    return block > 0 ? block * ceil(bytes / block) : exp2(ceil(log2(bytes)));
}

/* Peaks of an operand and a result of 64 bytes a row, each rounded up to blocks; block 0: to a power of
 * two. */
static void peaks(double block, double guard)
{
    batches(LAST);
    for (int i = 0; i < points; i++) {
        y[i] = 2 * rounded(64 * x[i] + guard, block);
    }
}

static struct series_set set;

static struct finding judge(double factor)
{
    struct finding finding = {.kind = FINDING_NONE};
    series_clear(&set);
    for (int i = 0; i < points; i++) {
        cr_assert(series_add(&set, "peak memory", "bytes", x[i], y[i]));
        cr_assert(series_add(&set, "time", "ns", x[i], 20e3 + 10 * x[i]));
    }
    curves_fit(series_find(&set, "peak memory"));
    curves_fit(series_find(&set, "time"));
    series_find(&set, "peak memory")->factor = factor;
    curves_verdict(&set, &finding);
    return finding;
}

static int index_of(double batch)
{
    for (int i = 0; i < points; i++) {
        if (x[i] == batch) {
            return i;
        }
    }
    cr_assert_fail("no batch %g", batch);
    return 0;
}

Test(growth, an_allocator_that_rounds_is_not_reported_falsely)
{
    const double blocks[] = {0, 1, 512, 4096, 65536, 2 << 20, 20 << 20}, guards[] = {0, 512, 3000};
    for (int b = 0; b < 7; b++) {
        for (int g = 0; g < 3; g++) {
            peaks(blocks[b], guards[g]);
            struct finding finding = judge(1);
            cr_expect_eq(finding.kind, FINDING_NONE, "blocks of %g, guards of %g: %s", blocks[b], guards[g],
                         finding.reason);
        }
    }
    peaks(0, 0);
    cr_expect_float_eq(growth_rounding(x, y, points, index_of(65537)), 2, 1e-9);
    peaks(1, 0);
    cr_expect_lt(growth_rounding(x, y, points, -3), 1.01);
    series_clear(&set);
}

/* A cliff is reported although the allocator rounds; one cliff does not count as rounding. */
Test(growth, a_cliff_of_memory_is_reported)
{
    const double blocks[] = {0, 512};
    for (int b = 0; b < 2; b++) {
        peaks(blocks[b], 0);
        y[index_of(65537)] *= 2.1;
        struct finding finding = judge(1);
        cr_expect_eq(finding.kind, FINDING_FAIL);
        cr_expect(strstr(finding.reason, "a cliff at batch 65537"), "%s", finding.reason);
    }
    series_clear(&set);
}

/* No batch on the recorded limit is a cliff, one just above it is; the ends have no limit. */
Test(growth, limits_are_where_a_cliff_begins)
{
    for (int above = 0; above < 2; above++) {
        peaks(512, 0);
        int at = index_of(4096);
        judge(1);
        curves_limits(&set);
        struct series *peak = series_find(&set, "peak memory");
        cr_expect(isnan(peak->limit[0]) && isnan(peak->limit[points - 1]));
        cr_expect_not(peak->breaks);
        cr_expect_float_eq(peak->exponent_limit, 1.4, 1e-12);
        y[at] = peak->limit[at] * (above ? 1.0001 : 0.9999);
        struct finding finding = judge(1);
        curves_limits(&set);
        cr_expect_eq(finding.kind, above ? FINDING_FAIL : FINDING_NONE, "%s", finding.reason);
        cr_expect_eq(series_find(&set, "peak memory")->breaks, above);
        cr_expect_not(series_find(&set, "time")->breaks, "the other curve keeps to its own");
        cr_expect(isfinite(series_find(&set, "time")->limit[5]));
    }
    series_clear(&set);
}

Test(growth, memory_that_grows_is_reported_and_named)
{
    peaks(512, 0);
    for (int i = 0; i < points; i++) {
        y[i] += 4 * x[i] * x[i];
    }
    struct finding finding = judge(1);
    cr_expect_eq(finding.kind, FINDING_FAIL);
    cr_expect(strstr(finding.reason, "peak memory grows as batch^2.00 from 16384 to 131072"), "%s",
              finding.reason);
    series_clear(&set);
}

/* A peak of several times the need is remarked with its factor, unless rounding explains it. */
Test(growth, a_peak_of_several_times_is_reported)
{
    peaks(512, 0);
    struct finding finding = judge(5.2);
    cr_expect_eq(finding.kind, FINDING_NONE);
    cr_expect(strstr(finding.remark, "5.2 times what operands and results take (batch 131072)"), "%s",
              finding.remark);
    cr_expect(strstr(finding.remark, "time grows as batch^0.9") &&
                  strstr(finding.remark, "memory as batch^1.00"),
              "the exponents are named: %s", finding.remark);
    finding = judge(2.5);
    cr_expect_null(strstr(finding.remark, "finding"), "%s", finding.remark);
    peaks(0, 0);
    finding = judge(5.2);
    cr_expect_null(strstr(finding.remark, "finding"), "%s", finding.remark);
    finding = judge(6.2);
    cr_expect(strstr(finding.remark, "finding"), "%s", finding.remark);
    series_clear(&set);
}

/* Repeated measurements decide, if there are any. */
Test(growth, a_closer_look_decides)
{
    batches(LAST);
    for (int looked = 0; looked < 3; looked++) {
        struct finding finding = {.kind = FINDING_NONE};
        series_clear(&set);
        for (int i = 0; i < points; i++) {
            cr_assert(series_add(&set, "time", "ns", x[i], 1e3 + x[i] * x[i]));
        }
        for (int k = 0; k < 3 && looked; k++) {
            cr_assert(series_add(&set, "time exponent in turn", "exponent", k, looked == 1 ? 1.1 : 1.9));
        }
        curves_verdict(&set, &finding);
        cr_expect_eq(finding.kind, looked == 1 ? FINDING_NONE : FINDING_FAIL);
    }
    series_clear(&set);
}
