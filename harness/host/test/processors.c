/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/processors.h"

#include "harness/selection/plan.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A process that may run on one processor starts at most one worker, however many processors the machine has.
 */
Test(processors, those_that_the_process_may_run_on)
{
    cpu_set_t all, one;
    cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
    cr_expect_leq(processors_usable(), CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (size_t c = 0; c < CPU_SETSIZE && CPU_COUNT(&one) == 0; c++) {
        if (CPU_ISSET(c, &all)) {
            CPU_SET(c, &one);
        }
    }
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    cr_expect_eq(processors_usable(), 1);
    cr_expect_eq(plan_defaults().jobs, 1);
}

static char folder[] = "/tmp/assay-processors.XXXXXX";

static void make_group(const char *path, const char *quota)
{
    char name[200];
    snprintf(name, sizeof name, "%s%s", folder, path);
    mkdir(name, 0700);
    snprintf(name, sizeof name, "%s%s/cpu.max", folder, path);
    FILE *file = quota ? fopen(name, "w") : NULL;
    cr_assert(!quota || (file && fputs(quota, file) >= 0));
    if (file) {
        fclose(file);
    }
}

/* The least quota of our group and all above it counts; a fraction of a processor counts as one. */
Test(processors, no_more_than_groups_give_the_time_of)
{
    cr_assert(mkdtemp(folder));
    make_group("/half", "50000 100000\n");
    make_group("/part", "250000 100000\n");
    make_group("/part/wide", "max 100000\n");
    make_group("/part/wide/none", NULL);
    make_group("/part/narrow", "200000 100000\n");
    make_group("/part/odd", "much\n");
    make_group("/part/zero", "0 0\n");
    make_group("/vast", "99999999999999 1000\n");
    const struct {
        const char *path;
        int processors;
    } rows[] = {
        {"/", 16},           {"/half", 1},     {"/part", 3},      {"/part/wide", 3}, {"/part/wide/none", 3},
        {"/part/narrow", 2}, {"/part/odd", 3}, {"/part/zero", 3}, {"/vast", 16},     {"/not-there", 16}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        cr_expect_eq(processors_within(16, folder, rows[r].path), rows[r].processors, "%s: %d", rows[r].path,
                     processors_within(16, folder, rows[r].path));
    }
    cr_expect_eq(processors_within(2, folder, "/part"), 2, "fewer than the quota");
    make_group("", "400000 100000\n");
    cr_expect_eq(processors_within(16, folder, "/part/wide"), 3);
    cr_expect_eq(processors_within(16, folder, "/vast"), 4, "the root's own");
    char remove[200];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    cr_expect_eq(system(remove), 0);
}
