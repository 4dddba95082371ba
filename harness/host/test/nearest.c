/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/nearest.h"

#include <criterion/criterion.h>

Test(nearest, distance)
{
    cr_expect_eq(nearest_distance("", ""), 0);
    cr_expect_eq(nearest_distance("jobs", "jobs"), 0);
    cr_expect_eq(nearest_distance("jbos", "jobs"), 1, "two neighbours swapped are one edit");
    cr_expect_eq(nearest_distance("job", "jobs"), 1);
    cr_expect_eq(nearest_distance("jobss", "jobs"), 1);
    cr_expect_eq(nearest_distance("jabs", "jobs"), 1);
    cr_expect_eq(nearest_distance("JOBS", "jobs"), 0, "case is ignored");
    cr_expect_eq(nearest_distance("", "jobs"), 4);
    cr_expect_eq(nearest_distance("kitten", "sitting"), 3);
    cr_expect_eq(nearest_distance("logdet", "slogdet"), nearest_distance("slogdet", "logdet"));
}

static const char *best_of(const char *word, int count, const char *const *candidate)
{
    struct nearest nearest = {.word = word};
    for (int i = 0; i < count; i++) {
        nearest_offer(&nearest, candidate[i]);
    }
    return nearest.best;
}

Test(nearest, offers)
{
    static const char *const options[] = {"jobs", "junit", "seed", "shuffle", "results", "repeat", "report"};
    cr_expect_str_eq(best_of("jbos", 7, options), "jobs");
    cr_expect_str_eq(best_of("shufle", 7, options), "shuffle");
    cr_expect_str_eq(best_of("res", 7, options), "results", "a beginning is near");
    cr_expect_null(best_of("xyzzy", 7, options), "what is far is not named");
    cr_expect_null(best_of("frobnicate", 7, options));
}
