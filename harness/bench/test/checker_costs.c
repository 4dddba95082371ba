/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests that checking a function costs at most a multiple of a loop over the C library's function. Both are
 * measured in turn, the best of several rounds, because machines are shared. */
#include "harness/bench/bench_checked.h"
#include "harness/host/clock.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { COUNT = 1 << 20, ROUNDS = 9 };

/* Builds a call of exp on neighbouring numbers, as an exhaustive case has them. */
static struct program *exponentials(double *x)
{
    const struct shape shape = shape_of(1, (int64_t)COUNT);
    const struct attributes none = {.count = 0};
    struct program *program = program_create();
    const struct view input = program_input(program, DTYPE_FLOAT32, &shape);
    struct philox g;
    philox_start(&g, 3);
    for (int i = 0; i < COUNT; i++) {
        bool next = i % 4096 != 0;
        x[i] = (double)(next ? nextafterf((float)x[i - 1], INFINITY) : (float)(80 * philox_signed(&g)));
        program_set(program, &input, i, 0, x[i]);
    }
    program_step(program, op_find("exp"), &none, 1, &input);
    return program;
}

static double seconds_of_libm(const double *x)
{
    volatile double kept;
    double sum = 0, start = clock_seconds();
    for (int i = 0; i < COUNT; i++) {
        sum += exp(x[i]);
    }
    kept = sum;
    (void)kept;
    return clock_seconds() - start;
}

Test(checker_costs, truth_and_all_of_it_beside_libm)
{
    double *x = malloc(COUNT * sizeof *x), libm = INFINITY, truth = INFINITY, all = INFINITY;
    struct program *program = exponentials(x);
    struct error error;
    for (int round = 0; round < ROUNDS; round++) {
        struct checked checked;
        cr_assert(checked_measure(program, 1, &checked, &error), "%s", error.text);
        truth = fmin(truth, checked.truth);
        all = fmin(all, checked.all);
        libm = fmin(libm, seconds_of_libm(x));
    }
    program_destroy(&program);
    free(x);
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2")) {
        cr_skip_test("the figures are those of a processor with AVX2");
    }
#endif
    cr_expect_lt(truth, 2 * libm, "truths take %.1f times libm's loop", truth / libm);
    cr_expect_lt(all, 8 * libm, "the whole checker takes %.1f times libm's loop", all / libm);
    cr_log_info("truths %.2f, all %.2f times libm's loop", truth / libm, all / libm);
}
