/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/bench_checked.h"

#include "harness/host/clock.h"
#include "harness/host/platform.h"
#include "harness/judge/judge.h"
#include "harness/judge/traversal.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

static double peak_mebibytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)platform_peak_kibibytes(&usage) / 1024;
}

/* Writes results for the current slice. */
static void answer(const struct traversal *t, const struct images *images)
{
    bool may_err = t->query.op->bound != NULL; /* otherwise the operator rounds once */
    for (int64_t i = t->first; i < t->end; i++) {
        unsigned char *to = images_element(images, &t->view, i);
        double truth_of = value_approximately(&t->output->value[i - t->first]);
        dtype_store(t->view.dtype, to, truth_of);
        double x = dtype_load(t->view.dtype, to), side = (x < truth_of) - (x > truth_of);
        dtype_store(t->view.dtype, to, may_err && i % 3 ? x + side * dtype_ulp(t->view.dtype, x) : x);
    }
}

/* Fills the images with results. Returns the seconds that the truth takes in slices; NaN if a truth is
 * missing. */
static double answer_all(const struct program *program, const struct program_truth *truth,
                         const struct profile *profile, const struct images *images)
{
    struct ownership ownership;
    double seconds = 0;
    if (!ownership_create(&ownership, program, NULL)) {
        return NAN;
    }
    struct traversal t = traversal_of(program, truth, profile, &ownership);
    while (traversal_next_tensor(&t)) {
        double start = clock_seconds();
        while (traversal_next_slice(&t)) {
            seconds += clock_seconds() - start;
            answer(&t, images);
            start = clock_seconds();
        }
    }
    ownership_destroy(&ownership);
    return t.failed ? NAN : seconds;
}

static bool judge_answers(const struct program *program, const struct program_truth *truth,
                          const struct profile *profile, struct images *images, int threads,
                          struct checked *checked, struct error *error)
{
    struct step_result result = {.status = STEP_OK};
    struct judge_run run = {images, &result};
    struct judge_request request = {
        .program = program, .truth = truth, .profile = profile, .runs = 1, .run = &run, .threads = threads};
    struct record record;
    memset(&record, 0, sizeof record);
    double start = clock_seconds();
    bool good = judge(&request, &record, error);
    checked->all = clock_seconds() - start;
    checked->elements = record.elements;
    good = good && (record.status != STATUS_FAIL || error_set(error, "%s", record.reason));
    record_clear(&record);
    return good;
}

bool checked_measure(const struct program *program, int threads, struct checked *checked, struct error *error)
{
    const struct truth_source source = {.sliced = true};
    const struct profile profile = profile_ieee();
    struct images images = {.storages = 0};
    struct program_truth truth = {.steps = 0};
    error_set(error, "out of memory");
    bool good = images_create(&images, program);
    if (good) {
        images_fill(&images, program, 0);
    }
    double before = peak_mebibytes(), start = clock_seconds();
    good = good && program_truth_compute(program, &source, &truth, error);
    double seconds = clock_seconds() - start, in_slices = 0;
    if (good) {
        in_slices = answer_all(program, &truth, &profile, &images);
        good = isfinite(in_slices) || error_set(error, "the truth of a slice could not be computed");
    }
    good = good && judge_answers(program, &truth, &profile, &images, threads, checked, error);
    bool sliced = truth.slices != NULL; /* the truth of slices is computed again while they are judged */
    checked->truth = !sliced ? seconds : threads > 1 ? NAN : in_slices;
    checked->all += sliced ? 0 : seconds;
    checked->mebibytes = peak_mebibytes() - before;
    program_truth_destroy(&truth);
    images_destroy(&images);
    return good;
}
