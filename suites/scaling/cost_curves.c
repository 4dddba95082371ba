/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/scaling/cost_curves.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double BLOCK = 2 * 1024 * 1024; /* bytes that an allocator takes at a time */

void curves_fit(struct series *series)
{
    if (series) {
        struct growth fit = growth_fit(series->x, series->y, series->points);
        series->octaves = fit.octaves;
        series->exponent = fit.exponent;
    }
}

/* Returns the height of a point in repeated measurements with its neighbours; infinity if there are none. */
static double height_at(const struct series *heights, double batch)
{
    for (int i = 0; heights && i < heights->points; i++) {
        if (heights->x[i] == batch) {
            return heights->y[i];
        }
    }
    return INFINITY;
}

/* True if point i is a cliff even if the allocator rounds its size as it rounds others. */
static bool stands_out(const struct series *series, int i, double least, bool memory)
{
    double height = cliff_height(series->x, series->y, series->points, i);
    double rounding = memory ? growth_rounding(series->x, series->y, series->points, i) : 1;
    double expected = series->y[i] / height;
    return height > cliff_ratio * rounding && series->y[i] / rounding - expected > least;
}

static void judge_cliffs(const struct series *series, const struct series *heights, double least, bool memory,
                         struct finding *finding)
{
    for (int i = cliff_find(series->x, series->y, series->points, least, 1); i >= 0;
         i = cliff_find(series->x, series->y, series->points, least, i + 1)) {
        if (height_at(heights, series->x[i]) > cliff_ratio && stands_out(series, i, least, memory)) {
            finding_note(finding, FINDING_FAIL,
                         "%s: a cliff at batch %.0f, %.2f times what its neighbours let expect (%.0f: %.6g, "
                         "%.0f: %.6g, %.0f: %.6g %s)",
                         series->name, series->x[i], cliff_height(series->x, series->y, series->points, i),
                         series->x[i - 1], series->y[i - 1], series->x[i], series->y[i], series->x[i + 1],
                         series->y[i + 1], series->unit);
        }
    }
}

/* Repeated measurements, if there are any, decide. */
static void judge_growth(const struct series *series, const struct series *in_turn, struct finding *finding)
{
    struct growth fit = growth_fit(series->x, series->y, series->points), seen = fit;
    if (in_turn && in_turn->points == GROWTH_OCTAVES) {
        seen = growth_of(in_turn->y);
    }
    if (growth_exceeds(&seen, curves_growth)) {
        finding_note(finding, FINDING_FAIL,
                     "%s grows as batch^%.2f from %.0f to %.0f (octaves: %.2f, %.2f, %.2f), declared is "
                     "batch^%g; %.6g %s at %.0f, %.6g at %.0f (false alarms: %g)",
                     series->name, seen.exponent, fit.from, fit.to, seen.octave[0], seen.octave[1],
                     seen.octave[2], curves_growth, series->y[fit.point[0]], series->unit, fit.from,
                     series->y[fit.point[GROWTH_OCTAVES]], fit.to, growth_false_alarm);
    }
}

static void judge_time(const struct series *time, const struct series_set *set, struct finding *finding)
{
    judge_cliffs(time, series_find(set, "height beside neighbours"), curves_grain, false, finding);
    judge_growth(time, series_find(set, "time exponent in turn"), finding);
}

static void judge_peak(const struct series *peak, struct finding *finding)
{
    judge_cliffs(peak, NULL, BLOCK, true, finding);
    judge_growth(peak, NULL, finding);
}

static void remark(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void remark(struct finding *finding, const char *format, ...)
{
    size_t used = strlen(finding->remark);
    va_list arguments;
    used += (size_t)snprintf(finding->remark + used, sizeof finding->remark - used, "%s", used ? "; " : "");
    if (used < sizeof finding->remark) {
        va_start(arguments, format);
        vsnprintf(finding->remark + used, sizeof finding->remark - used, format, arguments);
        va_end(arguments);
    }
}

void curves_verdict(const struct series_set *set, struct finding *finding)
{
    const struct series *time = series_find(set, "time"), *peak = series_find(set, "peak memory");
    if (time) {
        judge_time(time, set, finding);
    }
    if (peak) {
        judge_peak(peak, finding);
    }
    double rounding = peak ? growth_rounding(peak->x, peak->y, peak->points, -3) : 1;
    if (peak && peak->points && peak->factor > curves_times * rounding) {
        remark(finding, "finding: the peak is %.3g times what operands and results take (batch %.0f)",
               peak->factor, peak->x[peak->points - 1]);
    }
    if (time && time->octaves) {
        remark(finding, "time grows as batch^%.2f", time->exponent);
    }
    if (peak && peak->octaves) {
        remark(finding, "peak memory as batch^%.2f", peak->exponent);
    }
}

/* Stores as limits the least cost with which stands_out() would report each point. */
static void note_limits(struct series *series, double least, bool memory, struct finding *finding)
{
    static const char said[] = "no cliff: every batch below the line, which its neighbours let expect; "
                               "growth below the limit";
    if (!series_limit(series, said)) {
        return;
    }
    series->exponent_limit = curves_growth + growth_median_excess;
    series->breaks = finding->kind == FINDING_FAIL;
    for (int i = 0; i < series->points; i++) {
        if (cliff_judges(series->x, series->points, i) && series->y[i] > 0) {
            double rounding = memory ? growth_rounding(series->x, series->y, series->points, i) : 1;
            double expected = series->y[i] / cliff_height(series->x, series->y, series->points, i);
            series->limit[i] = rounding * fmax(cliff_ratio * expected, expected + least);
        }
    }
}

void curves_limits(struct series_set *set)
{
    struct finding of_time = {.kind = FINDING_NONE}, of_peak = {.kind = FINDING_NONE};
    struct series *time = series_find(set, "time"), *peak = series_find(set, "peak memory");
    if (time) {
        judge_time(time, set, &of_time);
        note_limits(time, curves_grain, false, &of_time);
    }
    if (peak) {
        judge_peak(peak, &of_peak);
        note_limits(peak, BLOCK, true, &of_peak);
    }
}

void curves_spoil(struct series_set *set)
{
    struct series *time = series_find(set, "time");
    if (time && time->points > 2) {
        time->y[time->points - 2] = 3 * time->y[time->points - 1] + 10 * curves_grain;
    }
}
