/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What a value and its radius cost of each elementary function, beside a plain loop over the C library's
 * double function: the fastest of many rounds over inputs that stay in the nearest cache. */

#include "harness/cli/bench.h"
#include "harness/clock.h"
#include "harness/options/options.h"
#include "reference/elementary.h"
#include "reference/philox.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>

enum { COUNT = 1024, ROUNDS = 1000 };

struct inputs {
    double x[COUNT], y[COUNT], value[COUNT], radius[COUNT];
};

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

typedef void elementary(const double *x, double *value, double *radius, size_t count);

/* pow: x from the range, y on (−10, 10). */
static const struct row {
    const char *name;
    elementary *function;
    double (*peer)(double);
    double least, most;
} rows[] = {
    {"exp", elementary_exp, exp, -80, 80},
    {"log", elementary_log, log, 0, 1000},
    {"tanh", elementary_tanh, tanh, -5, 5},
    {"erf", elementary_erf, erf, -4, 4},
    {"sin", elementary_sin, sin, -100, 100},
    {"cos", elementary_cos, cos, -100, 100},
    {"pow", NULL, NULL, 0, 10},
    {"expm1", elementary_expm1, expm1, -5, 5},
    {"log1p", elementary_log1p, log1p, -0.9, 5},
    {"exp2", elementary_exp2, exp2, -120, 120},
    {"log2", elementary_log2, log2, 0, 1000},
    {"log10", elementary_log10, log10, 0, 1000},
    {"tan", elementary_tan, tan, -100, 100},
    {"sigmoid", elementary_sigmoid, sigmoid, -20, 20},
    {"erfc", elementary_erfc, erfc, -4, 10},
    {"atan", elementary_atan, atan, -10, 10},
};

static void fill(const struct row *row, uint64_t seed, struct inputs *in)
{
    struct philox generator;
    philox_start(&generator, seed);
    for (int i = 0; i < COUNT; i++) {
        in->x[i] = (double)(float)(row->least + (row->most - row->least) * philox_unit(&generator));
        in->y[i] = (double)(float)(10 * philox_signed(&generator));
    }
}

static void ours(const struct row *row, struct inputs *in)
{
    if (row->function) {
        row->function(in->x, in->value, in->radius, COUNT);
    } else {
        elementary_pow(in->x, in->y, in->value, in->radius, COUNT);
    }
}

static void peers(const struct row *row, struct inputs *in)
{
    for (int i = 0; i < COUNT; i++) {
        in->value[i] = row->peer ? row->peer(in->x[i]) : pow(in->x[i], in->y[i]);
    }
}

/* Per element. */
static double nanoseconds(void (*of)(const struct row *, struct inputs *), const struct row *row,
                          struct inputs *in)
{
    int64_t least = INT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t start = clock_ns();
        of(row, in);
        int64_t taken = clock_ns() - start;
        least = taken < least ? taken : least;
    }
    return (double)least / COUNT;
}

int bench_elementary(const struct plan_options *options, const struct texts *functions)
{
    struct inputs in;
    int measured = 0;
    printf("%-20s %8s %8s %8s\n", "ns/element, one core", "assay", "libm", "ratio");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        bool wanted = functions->count == 0;
        for (int k = 0; k < functions->count; k++) {
            wanted = wanted || fnmatch(functions->text[k], rows[r].name, 0) == 0;
        }
        if (wanted) {
            fill(&rows[r], options->seed, &in);
            double assay = nanoseconds(ours, &rows[r], &in), peer = nanoseconds(peers, &rows[r], &in);
            printf("%-20s %8.2f %8.2f %8.2f\n", rows[r].name, assay, peer, assay / peer);
            measured++;
        }
    }
    return measured ? EXIT_HOLDS : options_fault("bench elementary: no such function");
}
