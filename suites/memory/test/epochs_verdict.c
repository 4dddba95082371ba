/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/memory/epochs_verdict.h"

#include "reference/base/philox.h"
#include "suites/shared/series.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static struct series_set made;

static struct finding judge(const char *name, const char *unit, const double *y, int points)
{
    struct finding finding = {.kind = FINDING_NONE};
    series_clear(&made);
    for (int i = 0; i < points; i++) {
        cr_assert(series_add(&made, name, unit, i + 1, y[i]));
    }
    epochs_verdict(&made, &finding);
    series_clear(&made);
    return finding;
}

/* Measures the rate of false alarms on noise without a trend: at most the stated one. */
Test(epochs, noise_is_not_reported_falsely)
{
    struct philox generator;
    philox_start(&generator, 7);
    int reported_falsely = 0, trials = 20000;
    for (int t = 0; t < trials; t++) {
        double y[10];
        for (int i = 0; i < 10; i++) {
            y[i] = 100e6 + 16e6 * philox_unit(&generator); /* 16 MB of noise on 100 MB */
        }
        reported_falsely += judge("resident", "bytes", y, 10).kind != FINDING_NONE;
    }
    cr_expect_leq(reported_falsely, trials * 1e-3 + 3 * sqrt(trials * 1e-3), "%d of %d", reported_falsely,
                  trials);
}

Test(epochs, leaks_are_reported)
{
    struct philox generator;
    philox_start(&generator, 8);
    int caught = 0, trials = 500;
    for (int t = 0; t < trials; t++) {
        double y[10];
        for (int i = 0; i < 10; i++) {
            y[i] =
                100e6 + 0.5e6 * i + 0.5e6 * philox_unit(&generator); /* 0.5 MB an epoch, and as much noise */
        }
        caught += judge("resident", "bytes", y, 10).kind == FINDING_FAIL;
    }
    cr_expect_gt(caught, trials * 95 / 100, "%d of %d", caught, trials);
}

Test(epochs, plateaus_warm_ups_and_steps_are_not_reported_falsely)
{
    const double page[] = {80e6,     80e6,     80.004e6, 80.008e6, 80.008e6,
                           80.012e6, 80.016e6, 80.02e6,  80.024e6, 80.028e6};
    const double once[] = {80e6, 88e6, 88e6, 88e6, 88e6, 88e6, 88e6, 88e6, 88e6, 88e6};
    const double warms_up[] = {80e6, 80.5e6, 81e6, 81.5e6, 82e6, 82.5e6, 83e6, 83e6, 83e6, 83e6};
    const double files[] = {7, 7, 8, 7, 7, 7, 8, 7, 7, 7};
    cr_expect_eq(judge("resident", "bytes", page, 10).kind, FINDING_NONE, "pages of a C library");
    cr_expect_eq(judge("resident", "bytes", once, 10).kind, FINDING_NONE, "a buffer that is made once");
    cr_expect_eq(judge("resident", "bytes", warms_up, 10).kind, FINDING_NONE, "a heap that stops growing");
    cr_expect_eq(judge("descriptors", "files", files, 10).kind, FINDING_NONE,
                 "a log that is open now and then");
}

Test(epochs, each_rule_is_enforced)
{
    const double back[] = {512, 512, 512, 1024, 512, 512}, up[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const double zero[] = {0, 0, 0, 0}, again[] = {0, 0, 2097152, 0};
    const double more[] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 127};
    const double less[] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 125};
    cr_expect_eq(judge("allocated", "bytes", back, 6).kind, FINDING_FAIL, "exactly, after every epoch");
    cr_expect_eq(judge("allocated", "bytes", back, 3).kind, FINDING_NONE);
    cr_expect_eq(judge("live VkFence", "objects", up, 10).kind, FINDING_FAIL);
    cr_expect_eq(judge("descriptors", "files", up, 10).kind, FINDING_FAIL);
    cr_expect_eq(judge("reserved on repetition", "bytes", zero, 4).kind, FINDING_NONE);
    cr_expect_eq(judge("reserved on repetition", "bytes", again, 4).kind, FINDING_FAIL);
    struct finding finding = judge("reserved", "bytes", more, 10);
    cr_expect_eq(finding.kind, FINDING_FAIL, "27 %% is more than 26 %%");
    cr_expect(strstr(finding.reason, "26 %"), "%s", finding.reason);
    cr_expect_eq(judge("reserved", "bytes", less, 10).kind, FINDING_NONE, "25 %% in one step is not");
}

/* The recorded limit is where the verdict changes: a curve on it passes, one above it breaks it. */
Test(epochs, limits_are_where_the_verdict_turns)
{
    static const struct {
        const char *name, *unit;
        double start, limit;
    } rows[] = {{"allocated", "bytes", 512, 512},
                {"reserved on repetition", "bytes", 0, 0},
                {"reserved", "bytes", 100, 126},
                {"resident", "bytes", 1024, 1024 + 1048576},
                {"descriptors", "files", 7, 7 * 1.26}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (int above = 0; above < 2; above++) {
            struct series_set set = {.count = 0};
            struct finding finding = {.kind = FINDING_NONE};
            for (int i = 0; i < 10; i++) {
                double last = above ? rows[k].limit * 1.001 + 1 : rows[k].limit;
                cr_assert(series_add(&set, rows[k].name, rows[k].unit, i, i < 9 ? rows[k].start : last));
            }
            epochs_verdict(&set, &finding);
            epochs_limits(&set);
            cr_assert(set.item[0].limit && set.item[0].rule, "%s", rows[k].name);
            cr_expect_float_eq(set.item[0].limit[9], rows[k].limit, 1e-9, "%s: %g", rows[k].name,
                               set.item[0].limit[9]);
            cr_expect_eq(set.item[0].breaks, above, "%s", rows[k].name);
            cr_expect_eq(finding.kind, above ? FINDING_FAIL : FINDING_NONE, "%s", rows[k].name);
            series_clear(&set);
        }
    }
}

/* Refilling a cache that was emptied at the limit is no growth; reserving more than ever in the epoch is. */
Test(epochs, what_a_repetition_adds)
{
    cr_expect_eq(epochs_added(3, 8, 8), 0);
    cr_expect_eq(epochs_added(3, 9, 8), 1);
    cr_expect_eq(epochs_added(8, 12, 8), 4);
    cr_expect_eq(epochs_added(8, 12, 0), 4);
    cr_expect_eq(epochs_added(8, 8, 8), 0);
    cr_expect_eq(epochs_added(8, 5, 8), 0);
}

Test(epochs, rounding_shows_in_the_peak)
{
    cr_expect(epochs_rounds(2e6, 1e6));
    cr_expect(epochs_rounds(0, 1e6), "who does not tell is not contradicted");
    cr_expect_not(epochs_rounds(1.01e6, 1e6), "who takes what is needed rounds nothing");
    cr_expect_not(epochs_rounds(3e6, 1e6));
}

static bool suspected(const char *name, const char *unit, const double *y, int points)
{
    series_clear(&made);
    for (int i = 0; i < points; i++) {
        cr_assert(series_add(&made, name, unit, i + 1, y[i]));
    }
    bool suspect = epochs_suspect(&made);
    series_clear(&made);
    return suspect;
}

/* Three epochs are enough to see what ten would report, and only that. */
Test(epochs, a_rise_in_each_of_three_epochs_is_suspected)
{
    const double mib = 1024 * 1024;
    cr_expect(suspected("resident", "bytes", (double[]){50e6, 50e6 + 0.2 * mib, 50e6 + 0.4 * mib}, 3));
    cr_expect_not(suspected("resident", "bytes", (double[]){50e6, 50e6 + 0.1 * mib, 50e6 + 0.2 * mib}, 3),
                  "over ten epochs this stays within the slack");
    cr_expect_not(suspected("resident", "bytes", (double[]){50e6, 60e6, 60e6}, 3), "a step");
    cr_expect_not(suspected("resident", "bytes", (double[]){50e6, 49e6, 90e6}, 3));
    cr_expect_not(suspected("resident", "bytes", (double[]){1e9, 1.001e9, 1.002e9}, 3), "2 %% of slack");
    cr_expect(suspected("descriptors", "files", (double[]){9, 10, 11}, 3));
    cr_expect(suspected("reserved", "bytes", (double[]){1024, 1536, 2048}, 3));
    cr_expect_not(suspected("allocated", "bytes", (double[]){0, 512, 1024}, 3),
                  "fails at once, by its own rule");
    cr_expect_not(suspected("resident", "bytes", (double[]){50e6}, 1));
}
