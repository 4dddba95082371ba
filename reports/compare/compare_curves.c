/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare/compare_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double compare_median(double *ratio, int count)
{
    qsort(ratio, (size_t)count, sizeof *ratio, ascending);
    return count % 2 ? ratio[count / 2] : sqrt(ratio[count / 2 - 1] * ratio[count / 2]);
}

/* The points that both curves have. */
struct points {
    int count, beyond;   /* `beyond` points differ by more than their spreads together */
    double *raw, *ratio; /* new / old, and the same corrected for the machine's pace */
    double from, to, at, farthest;
};

static double beside(const double *value, int i, double otherwise)
{
    return value && isfinite(value[i]) && value[i] >= 0 ? value[i] : otherwise;
}

/* Adds a point. The machine's pace excuses a change but never causes one: a slower machine explains more
 * time, a faster machine less. It explains nothing about a device with a clock of its own; then a change is
 * reported only later, on a quieter machine. */
static void add_point(struct points *points, const struct record_series *p, int i,
                      const struct record_series *q, int j)
{
    double raw = q->y[j] / p->y[i];
    double before = beside(p->pace, i, 0), after = beside(q->pace, j, 0);
    double slower = before > 0 && after > 0 ? after / before : 1;
    double excuse = raw > 1 ? fmax(1, slower) : fmin(1, slower);
    double spread = beside(p->spread, i, 0) + beside(q->spread, j, 0) / excuse;
    double ratio = raw > 1 ? fmax(1, raw / excuse) : fmin(1, raw / excuse);
    double farther = fmax(raw, 1 / raw);
    if (farther > points->farthest) {
        points->farthest = farther;
        points->from = p->y[i], points->to = q->y[j], points->at = p->x[i];
    }
    points->beyond += fabs(q->y[j] / excuse - p->y[i]) > spread && ratio != 1;
    points->raw[points->count] = raw;
    points->ratio[points->count++] = ratio;
}

static bool far(const struct compare_options *options, double ratio)
{
    return ratio >= options->curve_ratio || ratio <= 1 / options->curve_ratio;
}

bool compare_curve(const struct compare_options *options, struct comparison *out,
                   const struct record_series *before, const struct record_series *after,
                   struct change *change)
{
    size_t size = ((size_t)before->points + 1) * sizeof(double);
    struct points points = {.raw = malloc(size), .ratio = malloc(size), .at = NAN};
    bool good = points.raw && points.ratio;
    for (int i = 0, j = 0; good && i < before->points; i++) {
        while (j < after->points && after->x[j] < before->x[i]) {
            j++;
        }
        if (j < after->points && after->x[j] == before->x[i] && before->y[i] > 0 && after->y[j] > 0) {
            add_point(&points, before, i, after, j);
        }
    }
    change->ratio = 0;
    if (good && points.count) {
        double raw = compare_median(points.raw, points.count),
               ratio = compare_median(points.ratio, points.count);
        bool timed = strcmp(after->unit, "ns") == 0;
        out->curves++;
        out->unsure += timed && !(before->spread && after->spread);
        if (far(options, ratio) && 2 * points.beyond > points.count) {
            change->kind = ratio > 1 ? CHANGE_CURVE_WORSE : CHANGE_CURVE_BETTER;
            change->ratio = ratio > 1 ? ratio : 1 / ratio;
            change->from = points.from, change->to = points.to, change->at = points.at;
        } else {
            out->excused += far(options, raw);
        }
    }
    free(points.raw);
    free(points.ratio);
    return good;
}
