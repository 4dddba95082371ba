/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What verdicts resolve: random problems (suites/problems.h) run by the witness and judged, as they come back
 * and spoiled in ways that a verdict must see. Ratios and counts, not times. */

#include "harness/backends.h"
#include "harness/cli/bench.h"
#include "harness/cli/options.h"
#include "harness/verdict/evidence.h"
#include "harness/verdict/judge.h"
#include "suites/problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum spoil {
    SPOIL_NONE,
    SPOIL_SCALE_8,
    SPOIL_SCALE_64,
    SPOIL_SCALE_32,
    SPOIL_SCALE_1000,
    SPOIL_TF32,
    SPOIL_SIGN,
    SPOIL_SINGULAR,
    SPOIL_LOG,
    SPOIL_NORMWISE,
    SPOILS
};

static const char *const spoil_names[SPOILS] = {
    "as computed",   "scale N+8u", "scale N+64u", "scale N+32u", "scale N+1000u",
    "TF32 operands", "wrong sign", "-inf",        "log + 1e-4",  "norm 1e-4"};

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

/* One problem while it is measured. */
struct trial {
    struct program *program;
    struct program_truth truth;
    struct profile profile;
    struct images images;
    struct step_result result;
    struct view output; /* the last judged tensor */
    int tensor;
};

static void trial_close(struct trial *t)
{
    images_destroy(&t->images);
    program_truth_destroy(&t->truth);
    program_destroy(&t->program);
}

static bool trial_run(struct trial *t, const struct backend_class *class, struct backend *backend,
                      struct error *error)
{
    struct backend_run run = {.image = t->images.image, .result = &t->result};
    return class->run(backend, t->program, &run, error) &&
           (t->result.status == STEP_OK || error_set(error, "%s", t->result.message));
}

static bool trial_open(struct trial *t, const struct problem *problem, const struct backend_class *class,
                       struct backend *backend, struct error *error)
{
    struct backend_info info;
    struct view judged[TRUTH_OUTPUTS_MAX];
    memset(t, 0, sizeof *t);
    t->program = problem_build(problem, error);
    if (!t->program || !program_truth_compute(t->program, NULL, &t->truth, error) ||
        !images_create(&t->images, t->program)) {
        return false;
    }
    class->info(backend, &info);
    t->profile = info.profile;
    t->tensor = step_judged(&t->program->step[0], judged) - 1;
    t->output = judged[t->tensor];
    images_fill(&t->images, t->program, 0);
    return trial_run(t, class, backend, error);
}

static unsigned char *element_of(const struct trial *t, int64_t i)
{
    size_t at = (size_t)view_element(&t->output, i) * dtype_info(t->output.dtype)->size;
    return t->images.image[t->output.storage] + BACKEND_GUARD + at;
}

static struct bound_query query_of(const struct trial *t, int64_t element)
{
    const struct step *step = &t->program->step[0];
    return (struct bound_query){.op = step->op,
                                .profile = &t->profile,
                                .attributes = &step->attributes,
                                .truth = t->truth.truth[0],
                                .output = t->tensor,
                                .element = element};
}

/* Every operand rounded to TF32's 11 bits, then the witness again. */
static bool spoil_operands(struct trial *t, const struct backend_class *class, struct backend *backend,
                           struct error *error)
{
    const struct step *step = &t->program->step[0];
    for (int i = 0; i < step->inputs; i++) {
        const struct view *view = &step->input[i];
        for (int64_t k = 0; view->storage >= 0 && k < shape_elements(&view->shape); k++) {
            unsigned char *at = t->images.image[view->storage] + BACKEND_GUARD +
                                (size_t)view_element(view, k) * dtype_info(view->dtype)->size;
            int e;
            double m = frexp(dtype_load(view->dtype, at), &e);
            dtype_store(view->dtype, at, ldexp(nearbyint(ldexp(m, 11)), e - 11));
        }
    }
    return trial_run(t, class, backend, error);
}

static void spoil_scale(struct trial *t, double units)
{
    double u = dtype_unit_roundoff(t->output.dtype);
    for (int64_t i = 0; i < shape_elements(&t->output.shape); i++) {
        struct bound_query query = query_of(t, i);
        struct envelope_limit limit;
        op_envelope(&query, &limit);
        double truth = value_approximately(&t->truth.truth[0]->output[t->tensor].value[i]);
        double got = dtype_load(t->output.dtype, element_of(t, i));
        dtype_store(t->output.dtype, element_of(t, i),
                    got + truth * units * u + copysign(limit.certain, truth));
    }
}

static double frobenius(const struct trial *t)
{
    double sum = 0;
    for (int64_t i = 0; i < shape_elements(&t->output.shape); i++) {
        double x = value_approximately(&t->truth.truth[0]->output[t->tensor].value[i]);
        sum += x * x;
    }
    return sqrt(sum);
}

static void spoil_elements(struct trial *t, enum spoil spoil)
{
    double norm = spoil == SPOIL_NORMWISE ? frobenius(t) / sqrt((double)shape_elements(&t->output.shape)) : 0;
    bool sign_tensor =
        spoil == SPOIL_SIGN && t->program->step[0].op->outputs == 2; /* slogdet: the first output */
    struct trial first = *t;
    if (sign_tensor) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        step_judged(&t->program->step[0], judged);
        first.output = judged[0];
    }
    for (int64_t i = 0; i < shape_elements(&t->output.shape); i++) {
        unsigned char *at = element_of(&first, i);
        double x = dtype_load(t->output.dtype, at);
        struct bound_query query = query_of(t, i);
        if (sign_tensor) {
            dtype_store(t->output.dtype, at, -x);
        } else if (spoil == SPOIL_SIGN && query.op->other_sign) {
            query.op->other_sign(&query, at);
        } else {
            dtype_store(t->output.dtype, at,
                        spoil == SPOIL_SINGULAR ? -INFINITY
                        : spoil == SPOIL_LOG    ? x + 1e-4 * fmax(1, fabs(x))
                                                : x + (i % 3 == 1 ? -1 : 1) * 1e-4 * norm);
        }
    }
}

static bool judge_trial(const struct trial *t, struct record *record, struct error *error)
{
    struct judge_run run = {.images = &t->images, .result = &t->result};
    struct judge_request request = {
        .program = t->program, .truth = &t->truth, .profile = &t->profile, .runs = 1, .run = &run};
    memset(record, 0, sizeof *record);
    return judge(&request, record, error);
}

/* A negative determinant has no logarithm to spoil. */
static bool has_value(const struct trial *t, enum spoil spoil)
{
    const struct truth_output *out = &t->truth.truth[0]->output[t->tensor];
    bool scales = spoil >= SPOIL_SCALE_8 && spoil <= SPOIL_SCALE_1000;
    return !(scales || spoil == SPOIL_LOG) || out->value[0].class == VALUE_FINITE;
}

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

static double scale_units(enum spoil spoil)
{
    return spoil == SPOIL_SCALE_8 ? 8 : spoil == SPOIL_SCALE_32 ? 32 : spoil == SPOIL_SCALE_64 ? 64 : 1000;
}

/* Medians over the elements of B, Q, and of error/S. */
static void measure_elements(const struct trial *t, struct tally *tally, int problem)
{
    int64_t n = shape_elements(&t->output.shape), counted = 0;
    double u = dtype_unit_roundoff(t->output.dtype), square = 0, bound = 0, reach = 0, magnitude = 0;
    for (int64_t i = 0; i < n; i++) {
        struct bound_query query = query_of(t, i);
        struct envelope_limit limit;
        struct accept accept;
        op_envelope(&query, &limit);
        op_accept(&query, &accept);
        const struct value *value = &t->truth.truth[0]->output[t->tensor].value[i];
        double truth = value_approximately(value),
               error = dtype_load(t->output.dtype, element_of(t, i)) - truth;
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

static bool measure_problem(const struct row *row, int number, uint64_t seed,
                            const struct backend_class *class, struct backend *backend, struct tally *tally,
                            struct error *error)
{
    struct problem problem = {row->op, row->dtype, row->size, row->data, seed + 1000 * (uint64_t)number};
    struct trial t;
    bool good = trial_open(&t, &problem, class, backend, error);
    if (good) {
        measure_elements(&t, tally, number);
    }
    struct images computed = {.storages = 0};
    good = good && images_create(&computed, t.program);
    for (int s = 0; good && s < t.program->storages; s++) {
        memcpy(computed.image[s], t.images.image[s], t.program->storage[s].bytes + 2 * BACKEND_GUARD);
    }
    for (int spoil = SPOIL_NONE; good && spoil < SPOILS; spoil++) {
        struct record record;
        if (!applies((enum spoil)spoil, row) || !has_value(&t, (enum spoil)spoil)) {
            continue;
        }
        for (int s = 0; s < t.program->storages; s++) {
            memcpy(t.images.image[s], computed.image[s], t.program->storage[s].bytes + 2 * BACKEND_GUARD);
        }
        if (spoil == SPOIL_TF32) {
            good = spoil_operands(&t, class, backend, error);
            for (int s = 0; s < t.program->storages; s++) { /* the operands as they were */
                if (s != t.output.storage) {
                    memcpy(t.images.image[s], computed.image[s],
                           t.program->storage[s].bytes + 2 * BACKEND_GUARD);
                }
            }
        } else if (spoil >= SPOIL_SCALE_8 && spoil <= SPOIL_SCALE_1000) {
            spoil_scale(&t, scale_units((enum spoil)spoil));
        } else if (spoil != SPOIL_NONE) {
            spoil_elements(&t, (enum spoil)spoil);
        }
        good = good && judge_trial(&t, &record, error);
        if (good && spoil == SPOIL_NONE) {
            tally->t[number] = record.envelope_t;
            tally->g[number] = record.envelope_g;
            tally->resolution[number] = record.resolution;
            tally->greatest_q = fmax(tally->greatest_q, record.envelope_q);
        }
        tally->tried[spoil]++;
        tally->caught[spoil] += good && record.status == STATUS_FAIL;
        record_clear(&record);
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
            printf("%s %s %d/%d", s ? "," : "", spoil_names[s], t->caught[s], t->tried[s]);
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

int bench_resolution(const struct plan_options *options, const struct texts *globs)
{
    const struct backend_class *class;
    const char *selector;
    struct error error = {.text = ""};
    struct row rows[64];
    int accused = 0, asked = 0;
    class = backends_find("cpu", &selector, &error);
    struct backend_options open = {.selector = NULL};
    struct backend *backend = class ? class->open(&open, &error) : NULL;
    bool good = backend != NULL;
    printf("B and Q over u|truth|, error/S: medians; T and G: greatest; resolution in u: median\n");
    printf("%-22s %-8s %6s %-12s %8s %8s %6s %6s %6s %9s\n", "operator", "dtype", "size", "data", "B", "Q",
           "err/S", "T", "G", "resolves");
    for (int o = 0; good && problem_operator(o); o++) {
        bool named = globs->count == 0;
        for (int g = 0; g < globs->count; g++) {
            named = named || strcmp(globs->text[g], problem_operator(o)) == 0;
        }
        int count = named ? rows_of(problem_operator(o), options->level, rows) : 0;
        asked += count;
        for (int r = 0; good && r < count; r++) {
            good = measure_row(&rows[r], options->seed, class, backend, &accused, &error);
        }
    }
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
