/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_COMPARE_TEST_COMPARE_FIXTURE_H
#define ASSAY_REPORTS_COMPARE_TEST_COMPARE_FIXTURE_H

/* Two runs of one backend, on two drivers, to compare. Static functions, as in fixture.h. */

#include "reports/compare/compare.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

static struct results before, after;
static struct comparison comparison;
static const struct compare_options options = {
    .error_ratio = 2, .least_error = 0.05, .curve_ratio = 1.5, .shown = 20};

FIXTURE void begin(void)
{
    before = after = (struct results){.headers = 0};
    free(add_header(&before, "vulkan", "gpu (driver 1)")->driver);
    before.header[0].driver = text("driver 1");
    free(add_header(&after, "vulkan", "gpu (driver 2)")->driver);
    after.header[0].driver = text("driver 2");
}

FIXTURE void end(void)
{
    compare_destroy(&comparison);
    results_destroy(&before);
    results_destroy(&after);
}

FIXTURE void add(struct results *to, const char *id, enum status status, double nu, const char *digest)
{
    struct record *record = add_record(to, id, "vulkan", status);
    record->max_nu = nu;
    free(record->inputs_digest);
    record->inputs_digest = strdup(digest);
}

FIXTURE struct record_series *add_curve(struct results *to, const char *id, const double *y, int points)
{
    add(to, id, STATUS_PASS, NAN, "d");
    struct record *record = &to->record[to->records - 1];
    record->series_count = 1;
    record->series = calloc(1, sizeof *record->series);
    record->series[0] = (struct record_series){.name = strdup("time per item"),
                                               .unit = strdup("ns"),
                                               .points = points,
                                               .x = calloc((size_t)points, sizeof(double)),
                                               .y = calloc((size_t)points, sizeof(double))};
    for (int i = 0; i < points; i++) {
        record->series[0].x[i] = 1 << i;
        record->series[0].y[i] = y[i];
    }
    return record->series;
}

/* Gives every point the same spread, a share of y, and the same pace of the machine. */
FIXTURE void add_beside(struct record_series *series, double spread, double pace)
{
    series->spread = calloc((size_t)series->points, sizeof(double));
    series->pace = calloc((size_t)series->points, sizeof(double));
    for (int i = 0; i < series->points; i++) {
        series->spread[i] = spread * series->y[i];
        series->pace[i] = pace;
    }
}

FIXTURE const struct change *change_of(const char *id)
{
    for (int c = 0; c < comparison.changes; c++) {
        if (strcmp(comparison.change[c].before->id, id) == 0) {
            return &comparison.change[c];
        }
    }
    return NULL;
}

FIXTURE char *as_text(const struct compare_options *how)
{
    char *shown;
    PRINT(shown, cr_assert(compare_text(to, &after, &comparison, how)));
    return shown;
}

#endif
