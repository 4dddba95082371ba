/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Measures each elementary function with its radius beside a plain loop over the C library's double function:
 * the fastest of many rounds over inputs that stay in the nearest cache. Also measures what it costs to check
 * the float32 operator of that name, with truth, error bounds, verdict and all numbers of a record, beside
 * the truths of some inputs by the precision ladder alone. */

#include "harness/bench/bench.h"
#include "harness/bench/bench_checked.h"
#include "harness/host/clock.h"
#include "harness/options/options.h"
#include "reference/base/philox.h"
#include "reference/numeric/elementary/elementary.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>

enum { COUNT = 1024, ROUNDS = 1000 };
/* CHECKED: inputs of a check; CLIMBED: inputs of the precision ladder; STRETCH: checked inputs that follow
 * one another; CHECKS: repetitions, of which the fastest counts. */
enum { CHECKED = 1 << 22, CLIMBED = 1 << 10, BATCH = 1 << 12, CHECKS = 3 };

struct inputs {
    double x[COUNT], y[COUNT], value[COUNT], radius[COUNT];
};

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

typedef void elementary(const double *x, double *value, double *radius, size_t count);

/* For pow, x is from the range and y in (−10, 10). */
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

static void draw(const struct row *row, struct philox *generator, double *x, double *y)
{
    *x = (double)(float)(row->least + (row->most - row->least) * philox_unit(generator));
    *y = (double)(float)(10 * philox_signed(generator));
}

static void fill(const struct row *row, uint64_t seed, struct inputs *in)
{
    struct philox generator;
    philox_start(&generator, seed);
    for (int i = 0; i < COUNT; i++) {
        draw(row, &generator, &in->x[i], &in->y[i]);
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

/* Returns the nanoseconds per element of the fastest round. */
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

/* Builds a call of the float32 operator on `count` inputs, in groups of `stretch` successive float32 numbers,
 * as where all numbers are checked. The second operand of pow is random throughout. */
static struct program *program_of(const struct row *row, uint64_t seed, int count, int batch)
{
    struct program *program = program_create();
    const struct attributes none = {.count = 0};
    const struct shape shape = {.rank = 1, .dim = {count}};
    struct view operand[2];
    struct philox generator;
    if (!program) {
        return NULL;
    }
    const int operands = row->function ? 1 : 2;
    for (int k = 0; k < operands; k++) {
        operand[k] = program_input(program, DTYPE_FLOAT32, &shape);
    }
    philox_start(&generator, seed);
    double x[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        float next = nextafterf((float)x[0], INFINITY);
        draw(row, &generator, &x[0], &x[1]);
        x[0] = i % batch ? (double)next : x[0];
        for (int k = 0; k < operands; k++) {
            program_set(program, &operand[k], i, 0, x[k]);
        }
    }
    if (!program_step(program, op_find(row->name), &none, operands, operand)) {
        program_destroy(&program);
    }
    return program;
}

/* Measures the seconds that the precision ladder takes for the truths. */
static bool climb(const struct row *row, uint64_t seed, double *seconds, struct error *error)
{
    const struct truth_source source = {.certified = true};
    struct program *program = program_of(row, seed, CLIMBED, 1);
    struct program_truth truth = {.steps = 0};
    double start = clock_seconds();
    bool good = program && program_truth_compute(program, &source, &truth, error);
    *seconds = clock_seconds() - start;
    program_truth_destroy(&truth);
    program_destroy(&program);
    return good;
}

static bool print_checked(const struct row *row, uint64_t seed, struct error *error)
{
    double ziv, truth = INFINITY, all = INFINITY;
    struct program *program = program_of(row, seed, CHECKED, BATCH);
    bool good = program && climb(row, seed, &ziv, error);
    for (int k = 0; good && k < CHECKS; k++) {
        struct checked checked;
        good = checked_measure(program, 1, &checked, error);
        truth = fmin(truth, checked.truth);
        all = fmin(all, checked.all);
    }
    program_destroy(&program);
    if (good) {
        const double n = CHECKED * 1e-9, climbed = ziv / CLIMBED * 1e9;
        printf(" %8.1f %8.1f %8.1f %8.0f %8.0f\n", truth / n, all / n, 1e3 * n / all, climbed,
               climbed * n / all);
    }
    return good;
}

int bench_elementary(const struct plan_options *options, const struct texts *functions)
{
    struct inputs in;
    int measured = 0;
    printf("%-20s %8s %8s %8s %8s %8s %8s %8s %8s\n", "ns/element, one core", "assay", "libm", "ratio",
           "truth", "checked", "M/s", "MPFR", "/checked");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        bool wanted = functions->count == 0;
        for (int k = 0; k < functions->count; k++) {
            wanted = wanted || fnmatch(functions->text[k], rows[r].name, 0) == 0;
        }
        if (wanted) {
            fill(&rows[r], options->seed, &in);
            double assay = nanoseconds(ours, &rows[r], &in), peer = nanoseconds(peers, &rows[r], &in);
            struct error error = {.text = "out of memory"};
            printf("%-20s %8.2f %8.2f %8.2f", rows[r].name, assay, peer, assay / peer);
            if (!print_checked(&rows[r], options->seed, &error)) {
                printf("\n");
                options_fault("bench elementary: %s: %s", rows[r].name, error.text);
                return EXIT_GATE;
            }
            measured++;
        }
    }
    return measured ? EXIT_HOLDS
                    : options_fault("bench elementary: unknown function; assay bench elementary without a "
                                    "name measures all");
}
