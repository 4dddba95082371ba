/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Is a row's result its own? Batches of 1 to 65,537 rows, each row with one of 251 contents: every row must
 * give the bits that it gives alone, whatever the batch and wherever it lies; where the backend does not
 * promise bits, a value within its bound, and the deviation is reported. */

#include "suites/shared/procedure.h"
#include "suites/shared/rows.h"
#include "suites/shared/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t batches[] = {1, 2, 3, 8, 64, 65, 257, 65535, 65536, 65537};

struct row {
    struct suite_row row;
    int64_t without; /* a batch that is not asked */
};

/* The 251 results: what each row gives alone, and what it must be. */
struct alone {
    size_t size; /* of one row's result in bytes */
    int64_t elements;
    unsigned char *result;   /* 251 × size */
    struct program *program; /* one step over the 251 rows, for the truth */
    struct program_truth truth;
};

/* The step's judged tensor: one, [batch, …]. */
static struct view judged_view(const struct step *step)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    step_judged(step, judged);
    return judged[0];
}

static void alone_clear(struct alone *alone)
{
    program_truth_destroy(&alone->truth);
    program_destroy(&alone->program);
    free(alone->result);
}

/* One program of 251 steps, each over one row. */
static bool run_alone(const struct suite_case *c, struct bench *bench, struct alone *alone,
                      struct finding *finding, struct error *error)
{
    const struct workload *workload = workload_find(c->op->name);
    struct program *program = program_create();
    struct execution execution;
    alone->program = program_create();
    if (!program || !alone->program) {
        program_destroy(&program);
        return error_set(error, "out of memory for a program");
    }
    struct builder b = builder_of(c, bench->seed, program, error);
    struct builder whole = builder_of(c, bench->seed, alone->program, error);
    for (int64_t k = 0; k < WORKLOAD_KEYS; k++) {
        workload_step(&b, workload, k, 1);
    }
    workload_step(&whole, workload, 0, WORKLOAD_KEYS);
    if (bench->info->profile.attributes_float32) {
        program_round_attributes(program);
        program_round_attributes(alone->program);
    }
    bool good = build_done(&b) && build_done(&whole) &&
                program_truth_compute(alone->program, NULL, &alone->truth, error) &&
                bench->execute(bench, program, &execution, error);
    if (good && finding_ran(finding, &execution, "rows alone")) {
        struct view one = judged_view(&program->step[0]);
        alone->elements = shape_elements(&one.shape);
        alone->size = (size_t)alone->elements * dtype_info(one.dtype)->size;
        alone->result = malloc(WORKLOAD_KEYS * alone->size + 1);
        for (int k = 0; alone->result && k < WORKLOAD_KEYS; k++) {
            memcpy(alone->result + (size_t)k * alone->size,
                   execution.storage[judged_view(&program->step[k]).storage], alone->size);
        }
        good = alone->result || error_set(error, "out of memory for results");
    }
    program_destroy(&program);
    return good;
}

/* Greatest error / bound over one row's result; infinity where a special value differs. */
static double row_error(const struct alone *alone, const struct profile *profile, int64_t key,
                        const unsigned char *got)
{
    const struct step *step = &alone->program->step[0];
    struct profile own = profile_of_operator(profile, step->op->name);
    size_t size = alone->size / (size_t)alone->elements;
    double worst = 0;
    for (int64_t i = 0; i < alone->elements; i++) {
        struct bound_query query = {.op = step->op,
                                    .profile = &own,
                                    .attributes = &step->attributes,
                                    .truth = alone->truth.truth[0],
                                    .element = key * alone->elements + i};
        struct accept accept;
        op_accept(&query, &accept);
        struct accept_verdict verdict = accept_judge(&accept, got + (size_t)i * size);
        worst = fmax(worst, verdict.accepted ? verdict.nu : INFINITY);
    }
    return worst;
}

/* Whose result lies here? The key, or −1. */
static int64_t owner_of(const struct alone *alone, const unsigned char *got)
{
    for (int64_t k = 0; k < WORKLOAD_KEYS; k++) {
        if (memcmp(alone->result + (size_t)k * alone->size, got, alone->size) == 0) {
            return k;
        }
    }
    return -1;
}

static void blame(const struct alone *alone, int64_t batch, int64_t r, const unsigned char *got, double error,
                  struct finding *finding)
{
    int64_t owner = owner_of(alone, got);
    if (owner >= 0) {
        int64_t other = owner; /* the nearest row of that key */
        for (int64_t candidate = owner; candidate < batch; candidate += WORKLOAD_KEYS) {
            other =
                llabs(candidate - r) == 65536 || llabs(candidate - r) < llabs(other - r) ? candidate : other;
            if (llabs(candidate - r) == 65536) {
                break;
            }
        }
        finding_note(finding, FINDING_FAIL, "batch %lld: row %lld holds the result of row %lld",
                     (long long)batch, (long long)r, (long long)other);
    } else {
        finding_note(finding, FINDING_FAIL,
                     "batch %lld: row %lld does not give the bits that it gives alone (error / bound %.3g)",
                     (long long)batch, (long long)r, error);
    }
}

static bool compare(const struct suite_case *c, struct bench *bench, const struct alone *alone, int64_t batch,
                    const unsigned char *result, struct series_set *set, struct finding *finding)
{
    int64_t differing = 0;
    double deviation = 0;
    bool to_the_bit = profile_is_invariant(&bench->info->profile, c->op->name);
    for (int64_t r = 0; r < batch; r++) {
        const unsigned char *got = result + (size_t)r * alone->size;
        int64_t key = r % WORKLOAD_KEYS;
        if (memcmp(got, alone->result + (size_t)key * alone->size, alone->size) == 0) {
            continue;
        }
        double error = row_error(alone, &bench->info->profile, key, got);
        deviation = fmax(deviation, error);
        if (differing++ == 0 && (to_the_bit || isinf(error))) {
            blame(alone, batch, r, got, error, finding);
        } else if (isinf(error) && finding->kind == FINDING_NONE) {
            blame(alone, batch, r, got, error, finding);
        }
    }
    return series_add(set, "rows that differ", "rows", (double)batch, (double)differing) &&
           series_add(set, "deviation", "of the bound", (double)batch, deviation);
}

static bool run_batch(const struct suite_case *c, struct bench *bench, const struct alone *alone,
                      int64_t batch, struct series_set *set, struct finding *finding, struct error *error)
{
    struct program *program = program_create();
    struct execution execution;
    if (!program) {
        return error_set(error, "out of memory for a program");
    }
    struct builder b = builder_of(c, bench->seed, program, error);
    workload_step(&b, workload_find(c->op->name), 0, batch);
    if (bench->info->profile.attributes_float32) {
        program_round_attributes(program);
    }
    bool good = build_done(&b) && bench->execute(bench, program, &execution, error);
    if (good && finding_ran(finding, &execution, "batch %lld", (long long)batch)) {
        struct view view = judged_view(&program->step[0]);
        good = compare(c, bench, alone, batch, execution.storage[view.storage], set, finding) ||
               error_set(error, "out of memory for a series");
    }
    program_destroy(&program);
    return good;
}

static bool run(const struct suite_case *c, struct bench *bench, struct series_set *set,
                struct finding *finding, struct error *error)
{
    struct alone alone = {.size = 0};
    bool good = run_alone(c, bench, &alone, finding, error);
    for (int64_t k = 0; good && finding->kind == FINDING_NONE && k < WORKLOAD_KEYS; k++) {
        if (isinf(row_error(&alone, &bench->info->profile, k, alone.result + (size_t)k * alone.size))) {
            finding_note(finding, FINDING_FAIL, "row %lld alone is outside its bound", (long long)k);
        }
    }
    const struct row *row = c->row;
    for (unsigned k = 0; k < sizeof batches / sizeof *batches && batches[k] <= c->parameter; k++) {
        bool asked = batches[k] != row->without;
        if (good && asked && finding->kind == FINDING_NONE) {
            good = run_batch(c, bench, &alone, batches[k], set, finding, error);
        }
    }
    alone_clear(&alone);
    return good;
}

static void verdict(const struct series_set *set, struct finding *finding)
{
    for (int s = 0; s < set->count; s++) {
        for (int i = 0; strcmp(set->item[s].name, "deviation") == 0 && i < set->item[s].points; i++) {
            if (!(set->item[s].y[i] <= 1)) {
                finding_note(finding, FINDING_FAIL, "batch %.0f: a row deviates by %.3g of its bound",
                             set->item[s].x[i], set->item[s].y[i]);
            }
        }
    }
}

static void limits(struct series_set *set)
{
    struct series *deviation = series_find(set, "deviation");
    if (deviation && series_limit(deviation, "every row within its bound")) {
        for (int i = 0; i < deviation->points; i++) {
            deviation->limit[i] = 1;
            deviation->breaks = deviation->breaks || !(deviation->y[i] <= 1);
        }
    }
}

static void spoil(struct series_set *set)
{
    struct series *deviation = series_find(set, "deviation");
    if (deviation && deviation->points) {
        deviation->y[deviation->points - 1] = 2;
    }
}

static const struct procedure invariance = {.run = run, .verdict = verdict, .limits = limits, .spoil = spoil};

enum { F32 = 1 << DTYPE_FLOAT32, F16 = 1 << DTYPE_FLOAT16 };

/* The parameter is the greatest batch. */
#define UP_TO(most_, op_, dtypes_)                                                                           \
    SUITE_ROW("invariance", STANDARD, NULL, .op = op_, .dtypes = dtypes_, .parameter = most_)
#define MORE(op_)                                                                                            \
    SUITE_ROW("invariance-65537", EXHAUSTIVE, NULL, .op = op_, .dtypes = F32, .parameter = 65537)

static const struct row rows[] = {
    {UP_TO(65537, "sgn", F16 | F32)},
    {UP_TO(65537, "square", F32)},
    {UP_TO(65537, "add_", F16 | F32)},
    {UP_TO(65537, "mul_", F32)},
    /* A workgroup per row: what 65,536 rows could show, 65,537 do too. */
    {UP_TO(65537, "vector_norm", F32), .without = 65536},
    {UP_TO(257, "vector_norm", F16)},
    {UP_TO(257, "matrix_norm", F32)},
    {UP_TO(257, "layer_norm", F16 | F32)},
    {UP_TO(257, "linear", F16 | F32)},
    {MORE("linear")},
    {UP_TO(257, "mv", F16 | F32)},
    {MORE("mv")},
    {MORE("layer_norm")},
    {UP_TO(257, "group_norm", F32)},
    {UP_TO(65537, "csr_mm", F32)},
    {UP_TO(257, "logdet", F32)},
    {MORE("logdet")},
    {UP_TO(257, "matrix_exp", F32)},
    {MORE("matrix_exp")},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .covers = "scaling_invariance",
                                                   .family = "scaling", .procedure = &invariance});
}

const struct suite suite_scaling_invariance = {.declare = declare};
