/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/series.h"

#include <criterion/criterion.h>
#include <string.h>

/* Slopes 1/1, 3/2, …, computed by hand after Sen (1968): the median ignores the last point. */
Test(series, slope_is_the_median_of_slopes)
{
    const double x[] = {1, 2, 3, 4, 10}, y[] = {3, 5, 7, 9, -1000};
    cr_expect_eq(series_slope(x, y, 4), 2);
    cr_expect_eq(series_slope(x, y, 5), 2, "one of five points may lie anywhere");
    cr_expect_eq(series_slope(x, y, 1), 0);
}

/* Counts the orders of n ranks with at least this score: their share is p. */
static void permute(double *y, int n, int k, double score, int *all, int *many)
{
    if (k == n) {
        double s = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                s += y[j] > y[i] ? 1 : -1;
            }
        }
        (*all)++;
        *many += s >= score;
        return;
    }
    for (int i = k; i < n; i++) {
        double t = y[k];
        y[k] = y[i];
        y[i] = t;
        permute(y, n, k + 1, score, all, many);
        y[i] = y[k];
        y[k] = t;
    }
}

Test(series, trend_is_the_exact_probability)
{
    const double samples[][6] = {
        {1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}, {1, 3, 2, 4, 6, 5}, {3, 1, 2, 6, 4, 5}, {2, 1, 3, 4, 5, 6}};
    for (unsigned k = 0; k < sizeof samples / sizeof *samples; k++) {
        double y[6] = {1, 2, 3, 4, 5, 6}, score = 0;
        int all = 0, many = 0;
        for (int i = 0; i < 6; i++) {
            for (int j = i + 1; j < 6; j++) {
                score += samples[k][j] > samples[k][i] ? 1 : -1;
            }
        }
        permute(y, 6, 0, score, &all, &many);
        cr_expect_float_eq(series_trend(samples[k], 6), (double)many / all, 1e-12, "sample %u", k);
    }
    const double flat[] = {7, 7, 7, 7, 7, 7};
    cr_expect_gt(series_trend(flat, 6), 0.4, "ties are no trend");
}

Test(series, names_of_any_length)
{
    struct series_set set = {.count = 0};
    char name[301];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cr_assert(series_add(&set, name, "bytes", 1, 2));
    name[299] = 'm'; /* another one */
    cr_assert(series_add(&set, name, "bytes", 1, 3));
    cr_assert_eq(set.count, 2);
    cr_assert_str_eq(set.item[1].name, name);
    cr_assert_eq(series_find(&set, name)->y[0], 3);
    series_clear(&set);
}
