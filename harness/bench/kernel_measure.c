/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/kernel_measure.h"

#include "harness/bench/kernel_compare.h"
#include "harness/bench/kernel_rows.h"
#include "harness/host/clock.h"
#include "harness/host/descriptors.h"
#include "harness/judge/memory/images.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS_MOST = 5, REPEATS_MOST = 50, WARM_UP_MOST = 20000, ZERO_COPY_BYTES = 1 << 20 };
_Static_assert((int)ROUNDS_MOST <= (int)BACKEND_ROUNDS_MAX, "one call of a backend runs all rounds");
/* A GPU that waited for the host clocks down, and takes tens of milliseconds of work to clock up: an H200
 * measured after 20 ms of warm-up ran at 555 of 1,980 MHz. */
static const double warm_up_seconds = 300e-3, round_seconds = 5e-3, all_seconds = 10,
                    second_run_seconds = 0.25;

struct session {
    const struct backend_class *class;
    struct backend *backend;
    const struct program *program;
    struct images images;
    struct kernel_measured *measured;
};

static void fail(struct kernel_measured *measured, const char *format, const char *detail)
{
    struct error error;
    error_set(&error, format, detail);
    measured->status = STEP_ERROR;
    memcpy(measured->message, error.text,
           sizeof error.text < sizeof measured->message ? sizeof error.text : sizeof measured->message);
    measured->message[sizeof measured->message - 1] = 0;
}

/* Runs the program. Returns false with the status if it has no result. *wall: the time of the call, most of
 * which large operands spend on their way to the device and back. */
static bool run(struct session *s, struct backend_run run, double *device, double *wall)
{
    struct step_result result = {.status = STEP_NOT_RUN};
    struct error error = {.text = ""};
    const double start = clock_seconds();
    run.image = s->images.image;
    run.in_place = true;
    run.result = &result;
    if (!s->class->run(s->backend, s->program, &run, &error)) {
        fail(s->measured, "the device is lost: %.200s", error.text);
        return false;
    }
    *wall = clock_seconds() - start;
    *device = (double)run.device_ns * 1e-9;
    s->measured->status = result.status;
    memcpy(s->measured->message, result.message, sizeof s->measured->message);
    return result.status == STEP_OK;
}

/* Returns a/b rounded up, at least 1 and at most `most`. */
static int times(double a, double b, int most)
{
    return a >= b * most ? most : a <= b ? 1 : (int)(a / b) + 1;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Runs a program that the backend does not repeat: each round transfers the operands. `wall`: of the run
 * before. */
static bool time_single_runs(struct session *s, double wall)
{
    struct kernel_measured *m = s->measured;
    double seconds[ROUNDS_MOST], ignored;
    m->rounds = times(all_seconds, wall, ROUNDS_MOST + 1) - 1;
    m->rounds = m->rounds < 1 ? 1 : m->rounds;
    for (int r = 0; r < m->rounds; r++) {
        if (!run(s, (struct backend_run){.repeats = 1}, &seconds[r], &ignored)) {
            return false;
        }
    }
    qsort(seconds, (size_t)m->rounds, sizeof *seconds, ascending);
    m->seconds = seconds[m->rounds / 2];
    return true;
}

static bool time_program(struct session *s)
{
    struct kernel_measured *m = s->measured;
    double wall;
    struct backend_info info;
    s->class->info(s->backend, &info);
    m->is_repeated = info.repeats && backend_may_repeat(s->program);
    m->rounds = m->repeats = 1;
    /* the first run of a program behind the backend may load its kernels */
    const int cold = m->is_repeated && info.greetings > 0 ? 1 : 0;
    if (!run(s, (struct backend_run){.repeats = 1, .warm_up = cold}, &m->seconds, &wall)) {
        return false;
    }
    if (wall < second_run_seconds && !run(s, (struct backend_run){.repeats = 1}, &m->seconds, &wall)) {
        return false;
    }
    if (m->seconds <= 0 || wall >= all_seconds) {
        return true;
    }
    if (!m->is_repeated) {
        return time_single_runs(s, wall);
    }
    const int warm_up = times(warm_up_seconds, m->seconds, WARM_UP_MOST);
    m->repeats = times(round_seconds, m->seconds, REPEATS_MOST);
    m->rounds =
        times(all_seconds - wall - warm_up * m->seconds, m->repeats * m->seconds, ROUNDS_MOST + 1) - 1;
    m->rounds = m->rounds < 1 ? 1 : m->rounds;
    return run(s, (struct backend_run){.repeats = m->repeats, .warm_up = warm_up, .rounds = m->rounds},
               &m->seconds, &wall);
}

static const unsigned char *result_of(const struct session *s, const struct view *view)
{
    return s->images.image[view->storage] + BACKEND_GUARD +
           view->offset * (int64_t)dtype_info(view->dtype)->size;
}

/* The results are contiguous: program_step creates them so. */
static void keep(const struct session *s, int file)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    const int count = step_judged(&s->program->step[0], judged);
    bool good = ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0;
    for (int k = 0; good && k < count; k++) {
        good = descriptor_write(file, result_of(s, &judged[k]),
                                (size_t)shape_bytes(&judged[k].shape, judged[k].dtype));
    }
    if (!good) {
        fail(s->measured, "the result cannot be kept for comparison: %s; set TMPDIR to a folder with room",
             strerror(errno));
    }
}

static void compare(const struct session *s, int file)
{
    struct kernel_measured *m = s->measured;
    struct view judged[TRUTH_OUTPUTS_MAX];
    const int count = step_judged(&s->program->step[0], judged);
    const off_t size = lseek(file, 0, SEEK_END);
    int64_t wanted = 0, at = 0;
    for (int k = 0; k < count; k++) {
        wanted += shape_bytes(&judged[k].shape, judged[k].dtype);
    }
    const unsigned char *kept = size == wanted && wanted > 0
                                    ? mmap(NULL, (size_t)wanted, PROT_READ, MAP_SHARED, file, 0)
                                    : MAP_FAILED;
    if (kept == MAP_FAILED) {
        fail(m, "the kept result cannot be read: %s", size == wanted ? strerror(errno) : "its size differs");
        return;
    }
    for (int k = 0; k < count; k++) {
        const double limit = kernel_difference_limit(judged[k].dtype);
        const double difference = kernel_difference(judged[k].dtype, shape_elements(&judged[k].shape),
                                                    result_of(s, &judged[k]), kept + at);
        if (k == 0 || (kernel_is_near(m->difference, m->limit) &&
                       (!kernel_is_near(difference, limit) || difference > m->difference))) {
            m->difference = difference;
            m->limit = limit;
        }
        at += shape_bytes(&judged[k].shape, judged[k].dtype);
    }
    m->is_compared = true;
    munmap((void *)(uintptr_t)kept, (size_t)wanted);
}

void kernel_measure(const struct backend_class *class, struct backend *backend, const struct program *program,
                    enum kernel_role role, int file, struct kernel_measured *measured)
{
    struct session s = {.class = class, .backend = backend, .program = program, .measured = measured};
    *measured = (struct kernel_measured){.status = STEP_NOT_RUN, .bytes = kernel_program_bytes(program)};
    if (!images_create_zero_copy(&s.images, program, ZERO_COPY_BYTES, NULL)) {
        fail(measured, "%s", "out of host memory");
        return;
    }
    images_fill(&s.images, program, 0);
    if (time_program(&s)) {
        if (role == KERNEL_KEEP) {
            keep(&s, file);
        } else if (role == KERNEL_COMPARE) {
            compare(&s, file);
        }
    }
    images_destroy(&s.images);
    class->empty_cache(backend);
}
