/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Measures what truth, error bounds and verdict cost at realistic tensor sizes, with a BLAS for comparison.
 * Every row runs in a process of its own, so that its memory use is its own. */

#include "harness/bench/bench.h"
#include "harness/bench/bench_checked.h"
#include "harness/host/clock.h"
#include "harness/options/options.h"
#include "reference/base/philox.h"
#include "reference/numeric/exact/dot_enclosure.h"

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum data { NORMAL, COVARIANCE, SCALED }; /* N(0, 1); A·Aᵀ/n + I/8; N(0, 1/n) */
enum peer { NO_PEER, DGEMM };

struct row {
    const char *op;
    enum dtype dtype;
    struct shape shape[4];
    int operands;
    enum data data;
    enum peer peer;
    enum level level;
};

#define SHAPE(...)                                                                                           \
    {                                                                                                        \
        .rank = sizeof((int[]){__VA_ARGS__}) / sizeof(int), .dim = { __VA_ARGS__ }                           \
    }

static const struct row rows[] = {
    {"square", DTYPE_FLOAT32, {SHAPE(1 << 20)}, 1, NORMAL, NO_PEER, LEVEL_SMOKE},
    {"matmul", DTYPE_FLOAT32, {SHAPE(512, 512), SHAPE(512, 512)}, 2, NORMAL, DGEMM, LEVEL_SMOKE},
    {"matmul", DTYPE_FLOAT64, {SHAPE(512, 512), SHAPE(512, 512)}, 2, NORMAL, DGEMM, LEVEL_SMOKE},
    {"linear",
     DTYPE_FLOAT32,
     {SHAPE(32, 128, 768), SHAPE(768, 768), SHAPE(768)},
     3,
     NORMAL,
     DGEMM,
     LEVEL_STANDARD},
    {"matmul", DTYPE_FLOAT32, {SHAPE(4096, 4096), SHAPE(4096, 4096)}, 2, NORMAL, DGEMM, LEVEL_EXHAUSTIVE},
    {"conv2d",
     DTYPE_FLOAT32,
     {SHAPE(1, 256, 16, 16), SHAPE(256, 256, 3, 3)},
     2,
     NORMAL,
     NO_PEER,
     LEVEL_STANDARD},
    {"scaled_dot_product_attention",
     DTYPE_FLOAT32,
     {SHAPE(2, 8, 512, 64), SHAPE(2, 8, 512, 64), SHAPE(2, 8, 512, 64)},
     3,
     NORMAL,
     NO_PEER,
     LEVEL_STANDARD},
    {"scaled_dot_product_attention_backward",
     DTYPE_FLOAT32,
     {SHAPE(2, 8, 512, 64), SHAPE(2, 8, 512, 64), SHAPE(2, 8, 512, 64), SHAPE(2, 8, 512, 64)},
     4,
     NORMAL,
     NO_PEER,
     LEVEL_STANDARD},
    {"layer_norm",
     DTYPE_FLOAT32,
     {SHAPE(32, 128, 768), SHAPE(768), SHAPE(768)},
     3,
     NORMAL,
     NO_PEER,
     LEVEL_SMOKE},
    {"layer_norm",
     DTYPE_FLOAT32,
     {SHAPE(8, 4096, 4096), SHAPE(4096), SHAPE(4096)},
     3,
     NORMAL,
     NO_PEER,
     LEVEL_EXHAUSTIVE},
    {"logdet", DTYPE_FLOAT32, {SHAPE(256, 256)}, 1, COVARIANCE, NO_PEER, LEVEL_STANDARD},
    {"logdet", DTYPE_FLOAT32, {SHAPE(1000, 1000)}, 1, COVARIANCE, NO_PEER, LEVEL_EXHAUSTIVE},
    {"logdet", DTYPE_FLOAT64, {SHAPE(1000, 1000)}, 1, COVARIANCE, NO_PEER, LEVEL_EXHAUSTIVE},
    {"matrix_exp", DTYPE_FLOAT32, {SHAPE(64, 64)}, 1, SCALED, NO_PEER, LEVEL_SMOKE},
    {"matrix_exp", DTYPE_FLOAT32, {SHAPE(256, 256)}, 1, SCALED, NO_PEER, LEVEL_STANDARD},
};

/* Returns the sum of twelve uniform numbers, less 6: near enough to N(0, 1), the same on every machine, with
 * all digits of a double. */
static double normal(struct philox *generator)
{
    double sum = -6 + philox_unit(generator) * 0x1p-28;
    for (int k = 0; k < 12; k++) {
        sum += philox_unit(generator);
    }
    return sum;
}

static bool fill(struct program *program, const struct view *view, enum data data, uint64_t seed)
{
    struct philox generator;
    int64_t count = shape_elements(&view->shape), n = view->shape.dim[0];
    double *x = malloc((size_t)count * sizeof *x);
    philox_start(&generator, seed);
    for (int64_t i = 0; x && i < count; i++) {
        x[i] = normal(&generator) / (data == SCALED ? sqrt((double)n) : 1);
    }
    for (int64_t i = 0; x && i < count; i++) {
        double sum = x[i];
        for (int64_t k = 0; data == COVARIANCE && k < n; k++) {
            sum = (k == 0 ? (i / n == i % n) / 8.0 : sum) + x[i / n * n + k] * x[i % n * n + k] / (double)n;
        }
        program_set(program, view, i, 0, sum);
    }
    free(x);
    return x != NULL;
}

static struct program *build(const struct row *row, uint64_t seed)
{
    struct program *program = program_create();
    struct attributes attributes = {.count = 0};
    struct view input[4];
    if (strcmp(row->op, "layer_norm") == 0) {
        attributes =
            (struct attributes){.count = 1,
                                .item = {{.name = "normalized_shape",
                                          .type = ATTRIBUTE_INTEGERS,
                                          .integers = {.count = 1, .item = {row->shape[1].dim[0]}}}}};
    }
    for (int i = 0; program && i < row->operands; i++) {
        input[i] = program_input(program, row->dtype, &row->shape[i]);
        if (!fill(program, &input[i], row->data, seed + (uint64_t)i)) {
            program_destroy(&program);
        }
    }
    if (program && !program_step(program, op_find(row->op), &attributes, row->operands, input)) {
        program_destroy(&program);
    }
    return program;
}

typedef void dgemm(const char *, const char *, const int *, const int *, const int *, const double *,
                   const double *, const int *, const double *, const int *, const double *, double *,
                   const int *);

/* Returns the seconds of the fastest of five double products by the installed BLAS; 0: there is none. */
static double peer_seconds(const struct row *row)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void *library = row->peer == DGEMM ? dlopen("libblas.so.3", RTLD_NOW) : NULL;
    dgemm *multiply = NULL;
    *(void **)&multiply = library ? dlsym(library, "dgemm_") : NULL;
    if (!multiply) {
        return 0;
    }
    int64_t rows_of = shape_elements(&row->shape[0]),
            terms = row->shape[1].dim[strcmp(row->op, "linear") == 0];
    int m = (int)(rows_of / terms), k = (int)terms, n = (int)(shape_elements(&row->shape[1]) / terms);
    double *a = calloc((size_t)m * (size_t)k, sizeof *a), *b = calloc((size_t)k * (size_t)n, sizeof *b),
           *c = calloc((size_t)m * (size_t)n, sizeof *c), one = 1, zero = 0, least = INFINITY;
    for (int round = 0; a && b && c && round < 5; round++) {
        double start = clock_seconds();
        multiply("N", "N", &n, &m, &k, &one, b, &n, a, &k, &zero, c, &n);
        least = fmin(least, clock_seconds() - start);
    }
    free(a);
    free(b);
    free(c);
    return isinf(least) ? 0 : least;
}

/* Prints a number, or a dash if it is unknown. */
static void print_number(int width, double x)
{
    if (isfinite(x)) {
        printf(" %*.1f", width, x);
    } else {
        printf(" %*s", width, "-");
    }
}

static void print_times(const struct row *row, const struct checked *checked)
{
    const double truth = checked->truth, all = checked->all;
    double peer = peer_seconds(row);
    peer = peer > 0 ? peer : NAN;
    print_number(8, truth * 1e3);
    print_number(9, (all - truth) * 1e3);
    print_number(9, all * 1e3);
    print_number(9, all / (double)checked->elements * 1e9);
    printf(" %8.0f", checked->mebibytes);
    print_number(9, peer * 1e3);
    print_number(6, truth / peer);
    print_number(6, all / peer);
    printf("\n");
}

static int measure(const struct row *row, uint64_t seed, int threads)
{
    struct program *program = build(row, seed);
    struct checked checked;
    struct error error = {.text = "out of memory"};
    if (!program || !checked_measure(program, threads, &checked, &error)) {
        printf(" %s\n", error.text);
        return EXIT_GATE;
    }
    print_times(row, &checked);
    return EXIT_HOLDS;
}

static bool is_wanted(const struct row *row, enum level level, const struct texts *operators)
{
    bool wanted = operators->count == 0;
    for (int k = 0; k < operators->count; k++) {
        wanted = wanted || fnmatch(operators->text[k], row->op, 0) == 0;
    }
    return wanted && row->level <= level;
}

static int measure_apart(const struct row *row, uint64_t seed, int threads)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        status = measure(row, seed, threads);
        fflush(NULL);
        _exit(status);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        printf(" cannot start a process: %s\n", strerror(errno));
        return EXIT_GATE;
    }
    if (!WIFEXITED(status)) { /* the BLAS may have crashed */
        printf(" died of signal %d, %s\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
        return EXIT_GATE;
    }
    return WEXITSTATUS(status);
}

int bench_sizes(const struct plan_options *options, const struct texts *operators)
{
    int worst = EXIT_HOLDS, measured = 0;
    dot_enclosure_threads((int)options->jobs);
    char head[32] = "ms on one core";
    if (options->jobs > 1) {
        snprintf(head, sizeof head, "ms, %ld threads", (long)options->jobs);
    }
    printf("%-42s %8s %9s %9s %9s %8s %9s %6s %6s\n", head, "truth", "verdict", "all", "ns/elem.", "MiB",
           "dgemm", "truth/", "all/");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char name[128], shape[64];
        if (!is_wanted(&rows[r], options->level, operators)) {
            continue;
        }
        int used = snprintf(name, sizeof name, "%s %s", rows[r].op, dtype_info(rows[r].dtype)->name);
        for (int i = 0; i < rows[r].operands; i++) {
            shape_print(&rows[r].shape[i], shape, sizeof shape);
            used += snprintf(name + used, sizeof name - (size_t)used, " %s", shape);
        }
        printf("%-42s", name);
        int status = measure_apart(&rows[r], options->seed, (int)options->jobs);
        worst = status > worst ? status : worst;
        measured++;
    }
    return measured ? worst
                    : options_fault("bench sizes: unknown operator; it measures %s",
                                    "square, matmul, linear, layer_norm, logdet and matrix_exp");
}
