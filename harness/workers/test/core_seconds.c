/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests what `assay bench runner` reports of a run's CPU time and memory, with a backend that takes known
 * amounts. */

#include "harness/test/programs/faulty_work.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(core_seconds, .init = trial_begin, .fini = trial_end, .timeout = 120);

/* Cases of the standard level that are too large to count as tiny, so that nothing else runs. */
#define LARGE "elementwise/sgn/float32/length-65537"
#define SUM   "inplace/add_/float32/length-65537"

struct shown {
    double all, device, procedures, reference, judge, rest; /* core-seconds */
    double resident;                                        /* MiB */
    char largest[128];                                      /* id */
};

/* Reads the report on the run of this name. */
static struct shown shown_of(const char *name)
{
    struct shown t;
    const char *line = strstr(trial->output, name);
    cr_assert(line, "\"%s\" lacks \"%s\"", trial->output, name);
    const char *cost = strstr(line, "core-seconds");
    cr_assert(cost &&
                  sscanf(cost,
                         "core-seconds %lf: device %lf, procedures %lf, reference %lf, judge %lf, rest %lf "
                         "largest worker %lf MiB, after %127s",
                         &t.all, &t.device, &t.procedures, &t.reference, &t.judge, &t.rest, &t.resident,
                         t.largest) == 8,
              "%s", trial->output);
    double sum = t.device + t.procedures + t.reference + t.judge + t.rest;
    cr_expect(fabs(sum - t.all) < 0.031, "parts that are rounded to 0.01 make %g of %g", sum, t.all);
    cr_expect(t.rest > 0 && t.all >= t.rest - 0.001, "%s", trial->output);
    return t;
}

static void bench(const char *glob, const char *level)
{
    trial_run("bench runner %s --level %s --backend faulty --jobs 1", glob, level);
    cr_assert_eq(trial->status, 0, "exit %d: %s", trial->status, trial->output);
}

/* The device's part contains both runs and a driver's threads; sleeping takes no CPU time. */
Test(core_seconds, the_device_is_what_its_calls_take)
{
    const double burnt = 2 * WORK_BURNT_MS * 1e-3;
    bench(SUM, "standard");
    struct shown plain = shown_of("standard, cold");
    cr_expect(plain.device < burnt && plain.procedures == 0, "%s", trial->output);
    cr_expect(strcmp(plain.largest, SUM) == 0 && plain.resident > 4, "%s", trial->output);
    trial_faults("burn " SUM);
    bench(SUM, "standard");
    struct shown busy = shown_of("standard, cold");
    cr_expect(busy.device > burnt - 0.006 && busy.device < plain.device + burnt + 0.1, "%s", trial->output);
    const double lost = 2 * burnt / 3; /* must exceed the spread on a busy machine */
    cr_expect(busy.rest < plain.rest + lost && busy.judge < plain.judge + lost, "%s", trial->output);
    trial_faults("none " SUM);
    setenv("ASSAY_TEST_SLOW", "400", 1);
    bench(SUM, "standard");
    cr_expect(shown_of("standard, cold").all < plain.all + 0.2, "%s", trial->output);
}

/* Every element of a sum of several numbers has its own error bound, so the judge takes measurable time. */
Test(core_seconds, judging_is_reported_cold_and_warm)
{
    bench("sparse/to_dense/float32/rows-65537", "standard");
    struct shown cold = shown_of("standard, cold"), warm = shown_of("standard, warm");
    cr_expect(cold.judge > 0 && warm.judge > 0, "327,685 elements: %s", trial->output);
}

/* The worker grows by a known amount in one case. A few MiB more may differ between two runs. */
Test(core_seconds, the_largest_worker_is_reported_with_its_case)
{
    const char *const cases =
        "elementwise/sgn/float32/length-* --exclude *length-0 --exclude *length-1 --exclude *length-64";
    bench(cases, "standard");
    struct shown usual = shown_of("standard, warm");
    trial_faults("swell " LARGE);
    bench(cases, "standard");
    struct shown t = shown_of("standard, warm");
    cr_expect_str_eq(t.largest, LARGE, "%s", trial->output);
    cr_expect(usual.resident > 16 && t.resident > WORK_SWOLLEN_MIB + 16 &&
                  t.resident < WORK_SWOLLEN_MIB + usual.resident + 4,
              "%g MiB usually: %s", usual.resident, trial->output);
}

/* A truth that takes time is computed once, and then comes from the cache. */
Test(core_seconds, the_reference_is_what_is_not_kept_takes_seconds)
{
    bench("linalg/matrix_exp/float64", "standard");
    struct shown cold = shown_of("standard, cold"), warm = shown_of("standard, warm");
    cr_expect(cold.reference > 0.05 && warm.reference < cold.reference / 2, "%s", trial->output);
}

Test(core_seconds, a_procedure_is_one_part_takes_seconds)
{
    bench("memory/sgn/float32/epochs", "standard");
    struct shown t = shown_of("standard, warm");
    cr_expect(t.procedures > 0.01 && t.device == 0 && t.reference == 0 && t.judge == 0, "%s", trial->output);
}
