/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Measures what verdicts resolve: random problems (suites/problems.h) are computed by the CPU backend and
 * judged, unchanged and spoiled in ways that a verdict must detect. The table has ratios and counts, no
 * times. */

#include "harness/backends/backends.h"
#include "harness/bench/bench.h"
#include "harness/bench/bench_trial.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/options/options.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A row of the table: problems of one operator, size and kind of data. */
struct row {
    const char *op;
    enum dtype dtype;
    int64_t size;
    enum problem_data data;
    int problems;
};

/* The results of one problem, shared by the processes that measure a row. */
struct outcome {
    bool good, tried[SPOILS], caught[SPOILS];
    double bound, reach,
        ratio; /* of the elements: B and Q over u·|truth|, and error/S; NaN: no envelope decides */
    double t, g, resolution;
    char error[256];
};

static bool is_product(const char *op)
{
    return strcmp(op, "matmul") == 0 || strcmp(op, "linear") == 0 || strcmp(op, "conv2d") == 0;
}

/* Returns true if this way to spoil is tried on the operator. */
static bool applies(enum spoil spoil, const struct row *row)
{
    bool determinant = strstr(row->op, "logdet") != NULL, exponential = strcmp(row->op, "matrix_exp") == 0;
    switch (spoil) {
    case SPOIL_SCALE_8:
        return !determinant && !exponential;
    case SPOIL_SCALE_64:
        return !exponential;
    case SPOIL_SCALE_32:
        return determinant;
    case SPOIL_SCALE_1000:
    case SPOIL_NORMWISE:
        return exponential;
    case SPOIL_TF32:
        return is_product(row->op) && row->dtype == DTYPE_FLOAT32;
    case SPOIL_SIGN:
    case SPOIL_SINGULAR:
    case SPOIL_LOG:
        return determinant;
    default:
        return true;
    }
}

static void measure_elements(const struct trial *t, struct outcome *outcome)
{
    int64_t n = shape_elements(&t->output.shape), counted = 0;
    double u = dtype_unit_roundoff(t->output.dtype), square = 0, bound = 0, reach = 0, magnitude = 0;
    for (int64_t i = 0; i < n; i++) {
        struct bound_query query = trial_query(t, i);
        struct envelope_limit limit;
        struct accept accept;
        op_envelope(&query, &limit);
        op_accept(&query, &accept);
        const struct value *value = trial_truth(t, i);
        double truth = value_approximately(value),
               error = dtype_load(t->output.dtype, trial_element(t, i)) - truth;
        if (!limit.known || value->class != VALUE_FINITE || !(limit.spread > 0)) {
            continue;
        }
        counted++;
        square += error * error / (limit.spread * limit.spread);
        bound += accept.set[0].unbounded_below ? INFINITY : accept.set[0].radius;
        reach += envelope_limit_reach(&limit);
        magnitude += fabs(truth);
    }
    outcome->bound = counted ? bound / (u * magnitude) : NAN;
    outcome->reach = counted ? reach / (u * magnitude) : NAN;
    outcome->ratio = counted ? sqrt(square / (double)counted) : NAN;
}

static void keep_record(struct outcome *outcome, enum spoil spoil, const struct record *record)
{
    if (spoil == SPOIL_NONE) {
        outcome->t = record->envelope_t;
        outcome->g = record->envelope_g;
        outcome->resolution = record->resolution;
    }
    outcome->tried[spoil] = true;
    outcome->caught[spoil] = record->status == STATUS_FAIL;
}

static void measure_problem(const struct row *row, const struct cpu_backend *cpu_backend, uint64_t seed,
                            struct outcome *outcome)
{
    struct problem problem = {row->op, row->dtype, row->size, row->data, seed};
    struct trial t;
    struct images computed = {.storages = 0};
    struct error error = {.text = ""};
    bool good = trial_open(&t, &problem, cpu_backend, &error) && images_create(&computed, t.program);
    if (good) {
        measure_elements(&t, outcome);
        trial_copy(&t, &computed, &t.images, -1);
    }
    for (int spoil = SPOIL_NONE; good && spoil < SPOILS; spoil++) {
        struct record record;
        if (!applies((enum spoil)spoil, row) || !trial_has_value(&t, (enum spoil)spoil)) {
            continue;
        }
        good = trial_spoil(&t, (enum spoil)spoil, &computed, cpu_backend, &error) &&
               trial_judge(&t, &record, &error);
        if (good) {
            keep_record(outcome, (enum spoil)spoil, &record);
            record_clear(&record);
        }
    }
    outcome->good = good;
    snprintf(outcome->error, sizeof outcome->error, "%s", error.text);
    images_destroy(&computed);
    trial_close(&t);
}

/* Measures the problems of a row, with every `jobs`-th one in the same process. */
static void measure_problems(const struct row *row, const struct cpu_backend *cpu_backend, uint64_t seed,
                             int jobs, struct outcome *outcome)
{
    fflush(stdout);
    for (int j = 0; j < jobs; j++) {
        pid_t child = jobs > 1 ? fork() : -1; /* measured in this process if none can be started */
        if (child > 0) {
            continue;
        }
        for (int i = j; i < row->problems; i += jobs) {
            measure_problem(row, cpu_backend, seed + 1000 * (uint64_t)i, &outcome[i]);
        }
        if (child == 0) {
            _exit(0);
        }
    }
    while (jobs > 1 && (wait(NULL) > 0 || errno == EINTR)) {
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y) + (isnan(x) && !isnan(y)) - (isnan(y) && !isnan(x));
}

enum column { COLUMN_BOUND, COLUMN_REACH, COLUMN_RATIO, COLUMN_T, COLUMN_G, COLUMN_RESOLUTION };

static double entry(const struct outcome *o, enum column column)
{
    const double entries[] = {o->bound, o->reach, o->ratio, o->t, o->g, o->resolution};
    return entries[column];
}

static double median(const struct outcome *outcome, int count, enum column column, double *sorted)
{
    for (int i = 0; i < count; i++) {
        sorted[i] = entry(&outcome[i], column);
    }
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    return count ? sorted[(count - 1) / 2] : NAN;
}

static double greatest(const struct outcome *outcome, int count, enum column column)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, entry(&outcome[i], column));
    }
    return most;
}

/* Prints a row. Returns the number of problems whose unchanged result was reported as wrong. sorted: room for
 * one number per problem. */
static int print_row(const struct row *row, const struct outcome *o, double *sorted)
{
    int n = row->problems, reported_falsely = 0;
    double u = dtype_unit_roundoff(row->dtype);
    printf("%s %s, size %lld, %s\n", row->op, dtype_info(row->dtype)->name, (long long)row->size,
           problem_data_name(row->data));
    printf("%12.3g %10.3g %8.2f %8.2f %8.2f %10.3g\n", median(o, n, COLUMN_BOUND, sorted),
           median(o, n, COLUMN_REACH, sorted), median(o, n, COLUMN_RATIO, sorted), greatest(o, n, COLUMN_T),
           greatest(o, n, COLUMN_G), median(o, n, COLUMN_RESOLUTION, sorted) / u);
    printf("    failing:");
    for (int s = SPOIL_NONE; s < SPOILS; s++) {
        int tried = 0, caught = 0;
        for (int i = 0; i < n; i++) {
            tried += o[i].tried[s];
            caught += o[i].caught[s];
        }
        if (tried) {
            printf("%s %s %d/%d", s ? "," : "", spoil_name((enum spoil)s), caught, tried);
        }
        reported_falsely += s == SPOIL_NONE ? caught : 0;
    }
    putchar('\n');
    fflush(stdout);
    return reported_falsely;
}

static bool measure_row(const struct row *row, const struct plan_options *options,
                        const struct cpu_backend *cpu_backend, int *reported_falsely, struct error *error)
{
    size_t n = (size_t)row->problems;
    struct outcome *outcome =
        mmap(NULL, n * sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double *sorted = calloc(n + 1, sizeof *sorted);
    bool good = outcome != MAP_FAILED && sorted;
    if (good) {
        int jobs = options->jobs < row->problems ? (int)options->jobs : row->problems;
        measure_problems(row, cpu_backend, options->seed, jobs, outcome);
    } else {
        error_set(error, "out of memory");
    }
    for (size_t i = 0; good && i < n; i++) {
        good = outcome[i].good ||
               error_set(error, "%s of size %lld, problem %zu: %s", row->op, (long long)row->size, i,
                         outcome[i].error[0] ? outcome[i].error : "its process ended");
    }
    *reported_falsely += good ? print_row(row, outcome, sorted) : 0;
    if (outcome != MAP_FAILED) {
        munmap(outcome, n * sizeof *outcome);
    }
    free(sorted);
    return good;
}

/* Sets the rows of an operator: determinants of many sizes, exponentials of five families, sums of many
 * lengths, attention of many keys. Returns their number. */
static int rows_of(const char *op, enum level level, struct row *rows)
{
    enum { SUMS = 6 };
    static const int64_t orders[] = {8, 16, 32, 48, 64, 96, 128, 256},
                         terms[SUMS] = {16, 33, 256, 1024, 2048, 65536},
                         windows[SUMS] = {18, 33, 288, 1152, 2304, 18432},
                         keys[SUMS] = {1, 33, 128, 256, 512};
    const bool attention = strcmp(op, "scaled_dot_product_attention") == 0,
               convolution = strcmp(op, "conv2d") == 0;
    const int64_t *sums = attention ? keys : convolution ? windows : terms;
    static const enum problem_data families[] = {PROBLEM_SMALL_MATRIX, PROBLEM_LARGE_MATRIX, PROBLEM_NORMAL,
                                                 PROBLEM_SKEW, PROBLEM_GENERATOR};
    bool smoke = level == LEVEL_SMOKE;
    int count = 0;
    if (strstr(op, "logdet")) {
        for (int k = 0; k < (smoke ? 3 : 8); k++) {
            rows[count++] = (struct row){op, DTYPE_FLOAT32, orders[k], PROBLEM_NORMAL,
                                         smoke              ? 4
                                         : orders[k] == 256 ? 10
                                                            : 100};
        }
    } else if (strcmp(op, "matrix_exp") == 0) {
        for (int k = 0; k < 20 && (!smoke || k < 5); k++) {
            rows[count++] =
                (struct row){op, DTYPE_FLOAT32, (int64_t)8 << k / 5, families[k % 5], smoke ? 2 : 4};
        }
    } else {
        for (int k = 0; k < (smoke ? 3 : is_product(op) ? SUMS : SUMS - 1); k++) {
            rows[count++] = (struct row){op, DTYPE_FLOAT32, sums[k], PROBLEM_NORMAL,
                                         smoke            ? 2
                                         : sums[k] > 4096 ? 4
                                                          : 20};
        }
    }
    return count;
}

static bool named(const char *op, const struct texts *globs, bool all)
{
    bool found = all;
    for (int g = 0; g < globs->count; g++) {
        found = found || fnmatch(globs->text[g], op, 0) == 0;
    }
    return found;
}

/* Measures all rows of the requested operators; *asked: the number of these rows. */
static bool measure_operators(const struct plan_options *options, const struct texts *globs,
                              const struct cpu_backend *cpu_backend, int *requested, int *reported_falsely,
                              struct error *error)
{
    struct row rows[64];
    bool good = true;
    for (int o = 0; good && problem_operator(o); o++) {
        const char *op = problem_operator(o);
        bool wanted = named(op, globs, globs->count == 0) && !named(op, &options->excludes, false);
        int count = wanted ? rows_of(op, options->level, rows) : 0;
        *requested += count;
        for (int r = 0; good && r < count; r++) {
            good = measure_row(&rows[r], options, cpu_backend, reported_falsely, error);
        }
    }
    return good;
}

int bench_resolution(const struct plan_options *options, const struct texts *globs)
{
    const char *selector;
    struct error error = {.text = ""};
    int reported_falsely = 0, requested = 0;
    struct cpu_backend cpu_backend = {.class = backends_find("cpu", &selector, &error)};
    struct backend_options open = {.selector = NULL};
    cpu_backend.backend = cpu_backend.class ? cpu_backend.class->open(&open, &error) : NULL;
    bool good = cpu_backend.backend != NULL;
    printf("Medians: B, the certified bound, and Q, the limit of the envelope, both over\n"
           "u|truth|; error/S; the resolution in u. T and G: greatest.\n\n"
           "%12s %10s %8s %8s %8s %10s\n",
           "B", "Q", "error/S", "T", "G", "resolution");
    good = good && measure_operators(options, globs, &cpu_backend, &requested, &reported_falsely, &error);
    if (cpu_backend.backend) {
        cpu_backend.class->close(&cpu_backend.backend);
    }
    if (!good || requested == 0) {
        options_fault("bench resolution: %s",
                      good ? "unknown operator, or one without random problems" : error.text);
        return good ? EXIT_USAGE : EXIT_NOTHING_RUN;
    }
    return reported_falsely ? EXIT_GATE : EXIT_HOLDS;
}
