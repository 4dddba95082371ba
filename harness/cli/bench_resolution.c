/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What verdicts resolve: random problems (suites/problems.h) run by the witness and judged, as they come back
 * and spoiled in ways that a verdict must see. Ratios and counts, not times. */

#include "harness/backends.h"
#include "harness/cli/bench.h"
#include "harness/cli/bench_trial.h"
#include "harness/cli/options.h"
#include "harness/verdict/evidence.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One row of the table: problems of an operator, size and kind of data. */
struct row {
    const char *op;
    enum dtype dtype;
    int64_t size;
    enum problem_data data;
    int problems;
};

struct tally {
    int problems, tried[SPOILS], caught[SPOILS];
    double *bound, *reach, *ratio, *t, *g, *resolution; /* one per problem */
    double greatest_q;
};

/* Which spoils an operator is asked for. */
static bool applies(enum spoil spoil, const struct row *row)
{
    bool determinant = strstr(row->op, "logdet") != NULL, exponential = strcmp(row->op, "matrix_exp") == 0;
    bool product = strcmp(row->op, "matmul") == 0 || strcmp(row->op, "linear") == 0;
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
        return product && row->dtype == DTYPE_FLOAT32;
    case SPOIL_SIGN:
    case SPOIL_SINGULAR:
    case SPOIL_LOG:
        return determinant;
    default:
        return true;
    }
}

/* Medians over the elements of B, Q, and of error/S. */
static void measure_elements(const struct trial *t, struct tally *tally, int problem)
{
    int64_t n = shape_elements(&t->output.shape), counted = 0;
    double u = dtype_unit_roundoff(t->output.dtype), square = 0, bound = 0, reach = 0, magnitude = 0;
    for (int64_t i = 0; i < n; i++) {
        struct bound_query query = trial_query(t, i);
        struct envelope_limit limit;
        struct accept accept;
        op_envelope(&query, &limit);
        op_accept(&query, &accept);
        const struct value *value = &t->truth.truth[0]->output[t->tensor].value[i];
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
    tally->bound[problem] = counted ? bound / (u * magnitude) : NAN;
    tally->reach[problem] = counted ? reach / (u * magnitude) : NAN;
    tally->ratio[problem] = counted ? sqrt(square / (double)counted) : NAN;
}

static void tally_record(struct tally *tally, enum spoil spoil, int problem, const struct record *record)
{
    if (spoil == SPOIL_NONE) {
        tally->t[problem] = record->envelope_t;
        tally->g[problem] = record->envelope_g;
        tally->resolution[problem] = record->resolution;
        tally->greatest_q = fmax(tally->greatest_q, record->envelope_q);
    }
    tally->tried[spoil]++;
    tally->caught[spoil] += record->status == STATUS_FAIL;
}

static bool measure_problem(const struct row *row, int number, uint64_t seed,
                            const struct backend_class *class, struct backend *backend, struct tally *tally,
                            struct error *error)
{
    struct problem problem = {row->op, row->dtype, row->size, row->data, seed + 1000 * (uint64_t)number};
    struct trial t;
    struct images computed = {.storages = 0};
    bool good = trial_open(&t, &problem, class, backend, error) && images_create(&computed, t.program);
    if (good) {
        measure_elements(&t, tally, number);
        trial_copy(&t, &computed, &t.images, -1);
    }
    for (int spoil = SPOIL_NONE; good && spoil < SPOILS; spoil++) {
        struct record record;
        if (!applies((enum spoil)spoil, row) || !trial_has_value(&t, (enum spoil)spoil)) {
            continue;
        }
        good = trial_spoil(&t, (enum spoil)spoil, &computed, class, backend, error) &&
               trial_judge(&t, &record, error);
        if (good) {
            tally_record(tally, (enum spoil)spoil, number, &record);
            record_clear(&record);
        }
    }
    images_destroy(&computed);
    trial_close(&t);
    return good;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y) + (isnan(x) && !isnan(y)) - (isnan(y) && !isnan(x));
}

static double median(double *x, int count)
{
    qsort(x, (size_t)count, sizeof *x, ascending);
    return count ? x[(count - 1) / 2] : NAN;
}

static double greatest(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, x[i]);
    }
    return most;
}

static void print_tally(const struct row *row, struct tally *t)
{
    int n = t->problems;
    double u = dtype_unit_roundoff(row->dtype), most_t = greatest(t->t, n), most_g = greatest(t->g, n);
    printf("%-22s %-8s %6lld %-12s %8.3g %8.3g %6.2f %6.2f %6.2f %9.3g\n", row->op,
           dtype_info(row->dtype)->name, (long long)row->size, problem_data_name(row->data),
           median(t->bound, n), median(t->reach, n), median(t->ratio, n), most_t, most_g,
           median(t->resolution, n) / u);
    printf("    failing:");
    for (int s = SPOIL_NONE; s < SPOILS; s++) {
        if (t->tried[s]) {
            printf("%s %s %d/%d", s ? "," : "", spoil_name((enum spoil)s), t->caught[s], t->tried[s]);
        }
    }
    putchar('\n');
}

static bool measure_row(const struct row *row, uint64_t seed, const struct backend_class *class,
                        struct backend *backend, int *accused, struct error *error)
{
    size_t n = (size_t)row->problems;
    double *numbers = calloc(6 * n + 1, sizeof *numbers);
    struct tally t = {.bound = numbers,
                      .reach = numbers + n,
                      .ratio = numbers + 2 * n,
                      .t = numbers + 3 * n,
                      .g = numbers + 4 * n,
                      .resolution = numbers + 5 * n};
    bool good = numbers != NULL;
    for (int i = 0; good && i < row->problems; i++) {
        good = measure_problem(row, i, seed, class, backend, &t, error);
        t.problems += good;
    }
    if (good) {
        print_tally(row, &t);
        fflush(stdout);
        *accused += t.caught[SPOIL_NONE];
    }
    free(numbers);
    return good;
}

/* Determinants of many sizes, exponentials of five families, sums of many lengths. */
static int rows_of(const char *op, enum level level, struct row *rows)
{
    static const int64_t orders[] = {8, 16, 32, 48, 64, 96, 128, 256},
                         sums[] = {16, 33, 256, 1024, 2048, 65536};
    static const enum problem_data families[] = {PROBLEM_SMALL_MATRIX, PROBLEM_LARGE_MATRIX, PROBLEM_NORMAL,
                                                 PROBLEM_SKEW, PROBLEM_GENERATOR};
    bool smoke = level == LEVEL_SMOKE, product = strcmp(op, "matmul") == 0 || strcmp(op, "linear") == 0;
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
        for (int k = 0; k < (smoke ? 3 : product ? 6 : 5); k++) {
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

/* All the rows of the operators that are asked for; *asked: how many rows that are. */
static bool measure_operators(const struct plan_options *options, const struct texts *globs,
                              const struct backend_class *class, struct backend *backend, int *asked,
                              int *accused, struct error *error)
{
    struct row rows[64];
    bool good = true;
    for (int o = 0; good && problem_operator(o); o++) {
        const char *op = problem_operator(o);
        bool wanted = named(op, globs, globs->count == 0) && !named(op, &options->excludes, false);
        int count = wanted ? rows_of(op, options->level, rows) : 0;
        *asked += count;
        for (int r = 0; good && r < count; r++) {
            good = measure_row(&rows[r], options->seed, class, backend, accused, error);
        }
    }
    return good;
}

int bench_resolution(const struct plan_options *options, const struct texts *globs)
{
    const char *selector;
    struct error error = {.text = ""};
    int accused = 0, asked = 0;
    if (options->backends.count) {
        return options_fault("bench resolution measures limits with the witness, cpu: leave --backend out");
    }
    const struct backend_class *class = backends_find("cpu", &selector, &error);
    struct backend_options open = {.selector = NULL};
    struct backend *backend = class ? class->open(&open, &error) : NULL;
    bool good = backend != NULL;
    printf("B and Q over u|truth|, error/S: medians; T and G: greatest; resolution in u: median\n");
    printf("%-22s %-8s %6s %-12s %8s %8s %6s %6s %6s %9s\n", "operator", "dtype", "size", "data", "B", "Q",
           "err/S", "T", "G", "resolves");
    good = good && measure_operators(options, globs, class, backend, &asked, &accused, &error);
    if (backend) {
        class->close(&backend);
    }
    if (!good || asked == 0) {
        options_fault("bench resolution: %s",
                      good ? "no such operator among those of random problems" : error.text);
        return good ? EXIT_USAGE : EXIT_NOTHING_RUN;
    }
    return accused ? EXIT_GATE : EXIT_HOLDS;
}
