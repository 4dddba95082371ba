/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Procedures for memory and batch scaling, on a backend that misbehaves on demand (faulty_backend.c). */

TestSuite(procedures_slow, .init = trial_begin, .fini = trial_end, .timeout = 120);

/* Runs the case with that fault and checks that its reason contains `reason`, or that it has none if that is
 * NULL. */
static void check(const char *fault, const char *id, const char *reason)
{
    if (fault) {
        setenv("ASSAY_TEST_PROCEDURE", fault, 1);
    }
    trial_run("run %s --backend faulty --no-rerun --results FOLDER/r", id);
    trial_read("r");
    const struct record *record = trial_record(id);
    cr_expect_eq(record->status, reason ? STATUS_FAIL : STATUS_PASS, "%s with %s: %s, %s", id, fault,
                 status_name(record->status), record->reason);
    cr_expect(!reason || (record->reason && strstr(record->reason, reason)),
              "%s with %s: \"%s\" lacks \"%s\"", id, fault, record->reason, reason);
    cr_expect_gt(record->series_count, 0, "what was measured is kept");
    cr_expect(record->inputs_digest && record->repro, "and can be replayed");
}

Test(procedures_slow, a_sound_backend_passes)
{
    check("none", "memory/sgn/float32/epochs", NULL);
    check("none", "scaling/sgn/float32/curve", NULL);
    check("none", "scaling/sgn/float32/invariance", NULL);
}

Test(procedures_slow, a_leak_of_the_process_shows)
{
#ifndef __SANITIZE_ADDRESS__ /* which keeps what is freed, so that resident memory says nothing */
    check("leak-memory", "memory/sgn/float32/epochs", "resident");
#endif
    check("leak-file", "memory/sgn/float32/epochs", "descriptors");
}

static const struct record_series *series(const struct record *record, const char *name)
{
    for (int s = 0; s < record->series_count; s++) {
        if (strcmp(record->series[s].name, name) == 0) {
            return &record->series[s];
        }
    }
    cr_assert_fail("%s has no series %s", record->id, name);
    return NULL;
}

/* The smoke level's short case measures three epochs of a sound backend, and all ten where memory rises. */
Test(procedures_slow, a_leak_shows_at_the_smoke_level)
{
    static const char id[] = "memory/sgn/float32/epochs-3";
    check("none", id, NULL);
    cr_expect_eq(series(trial_record(id), "descriptors")->points, 3);
#ifndef __SANITIZE_ADDRESS__
    check("leak-memory", id, "resident");
    cr_expect_eq(series(trial_record(id), "resident")->points, 10);
#endif
    check("leak-file", id, "descriptors");
    cr_expect_eq(series(trial_record(id), "descriptors")->points, 10);
}

Test(procedures_slow, a_cliff_shows_and_noise_is_none)
{
    check("cliff", "scaling/sgn/float32/curve", "a cliff at batch 4096");
    check("noise", "scaling/sgn/float32/curve", NULL);
    const int64_t noisy = trial_record("scaling/sgn/float32/curve")->elements;
    check("none", "scaling/sgn/float32/curve", NULL);
    cr_expect_eq(trial_record("scaling/sgn/float32/curve")->elements, noisy,
                 "how often a busy machine asks for a closer look is no part of the record");
}

/* Time per item that grows with the batch, which no cliff shows; the record names the exponent. */
Test(procedures_slow, growth_beyond_the_batch_shows)
{
    check("square", "scaling/linear/float32/curve", "time grows as batch^");
    check("square", "scaling/matrix_exp/float32/curve", "time grows as batch^");
    check("rows-256", "scaling/vector_norm/float32/curve", "time grows as batch^1.");
    check("rows-256", "scaling/sgn/float32/curve", "time grows as batch^2.00 from 262144 to ");
    const struct record_series *time = series(trial_record("scaling/sgn/float32/curve"), "time");
    cr_expect_eq(time->octaves, 3);
    cr_expect_float_eq(time->exponent, 2, 0.01, "%g", time->exponent);
    check("none", "scaling/vector_norm/float32/curve", NULL);
    time = series(trial_record("scaling/vector_norm/float32/curve"), "time");
    cr_expect(time->octaves == 3 && time->exponent < 1.01, "%g", time->exponent);
}

/* An allocator that rounds sizes to powers of two is no defect: no cliff, no refusal, no growth. */
Test(procedures_slow, an_allocator_that_rounds_passes)
{
    static const char *const ids[] = {"scaling/sgn/float32/curve",
                                      "scaling/vector_norm/float32/curve",
                                      "memory/sgn/float32/epochs",
                                      "memory/linear/float32/epochs",
                                      "memory/layer_norm/float32/epochs",
                                      "memory/sgn/float32/out-of-memory",
                                      "memory/add_/float32/training-sign-descent"};
    int allowed = 0;
    for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++) {
        check("rounds", ids[i], NULL);
        const char *reason = trial_record(ids[i])->reason;
        allowed += reason && strstr(reason, "the allocator rounds sizes");
    }
    cr_expect_geq(allowed, 1, "%d limits were set for it", allowed);
    setenv("ASSAY_TEST_PROCEDURE", "stingy", 1); /* what rounds nothing and refuses is not excused */
    trial_run("run memory/sgn/float32/epochs --backend faulty --no-rerun --results FOLDER/r");
    trial_read("r");
    const struct record *record = trial_record("memory/sgn/float32/epochs");
    cr_expect_eq(record->status, STATUS_FAIL);
    cr_expect(strstr(record->reason, "bytes asked"), "%s", record->reason);
}

/* Memory that grows with the square of the batch fails; several times the memory that is needed is reported
 * and passes. */
Test(procedures_slow, memory_beyond_the_batch_shows)
{
    check("swells", "scaling/sgn/float32/curve", "peak memory grows as batch^");
    check("hoards", "scaling/sgn/float32/curve", NULL);
    const struct record *record = trial_record("scaling/sgn/float32/curve");
    cr_expect(strstr(record->reason, "5 times what operands and results take"), "%s", record->reason);
    cr_expect_float_eq(series(record, "peak memory")->factor, 5, 0.01);
    cr_expect(series(record, "peak memory")->limit && series(record, "peak memory")->rule,
              "what it was held against is kept");
    cr_expect_float_eq(series(record, "peak memory")->exponent, 1, 0.01);
}

Test(procedures_slow, a_row_from_elsewhere_and_a_row_of_its_batch_show)
{
    check("row", "scaling/sgn/float32/invariance", "row 0 holds the result of row 65536");
    check("batch", "scaling/sgn/float32/invariance", "batch 64: row 63 does not give the bits");
}

/* A shortage of this machine is not the end of a device's memory: nothing was measured to the end, so nothing
 * passes. */
Test(procedures_slow, a_shortage_without_a_limit_of_the_device_is_an_error)
{
    static const struct {
        const char *id, *reason;
    } rows[] = {{"scaling/sgn/float32/curve", "out of memory: malloc returns NULL"},
                {"scaling/sgn/float32/invariance", "out of memory: malloc returns NULL"},
                {"memory/sgn/float32/epochs", "out of memory: malloc returns NULL"}};
    setenv("ASSAY_TEST_PROCEDURE", "short", 1);
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        trial_run("run %s --backend faulty --no-rerun --results FOLDER/r", rows[r].id);
        cr_expect_eq(trial->status, 1, "exit %d: %s", trial->status, trial->output);
        trial_read("r");
        const struct record *record = trial_record(rows[r].id);
        cr_expect_eq(record->status, STATUS_ERROR, "%s: %s, %s", rows[r].id, status_name(record->status),
                     record->reason);
        cr_expect(record->reason && strstr(record->reason, rows[r].reason), "%s: %s", rows[r].id,
                  record->reason);
    }
}

/* Procedures run after the programs, and a memory procedure runs in a fresh worker, whatever else is
 * selected. The verdicts are the same with one worker and with three. */
Test(procedures_slow, beside_programs)
{
    for (int jobs = 1; jobs <= 3; jobs += 2) {
        trial_run("run elementwise/sgn/float32/* memory/sgn/float32/epochs scaling/sgn/float32/* --level "
                  "standard --backend faulty --jobs %d --results FOLDER/r",
                  jobs);
        cr_assert_eq(trial->status, 0, "exit %d: %s", trial->status, trial->output);
        trial_read("r");
        cr_expect_eq(trial_record("memory/sgn/float32/epochs")->status, STATUS_PASS);
        const char *last = trial->results.record[trial->results.records - 1].id;
        cr_expect_str_eq(last, "scaling/sgn/float32/curve", "%s came last", last);
    }
}
