/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Procedure: does a row's result depend on its batch? Batches of 1 to 65,537 rows, each row with one of 251
 * contents. Every row must give the bits that it gives alone, whatever the batch and its place. If the
 * backend does not promise equal bits, its result must be within the bound, and the deviation is reported. */

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
    int64_t without; /* a batch to leave out */
};

/* The numbers of elements that are judged by their truth: of rows alone, and of rows that differ. A truth
 * costs a thousand times as much as a comparison of bits, and every other suite judges values. */
enum { JUDGED_MAX = 4096, DEVIATING_MAX = 65536 };

/* The result of each of the 251 rows alone, and its truth. */
struct alone {
    size_t size; /* bytes of the result of one row */
    int64_t elements;
    unsigned char *result; /* 251 × size */
    struct key {
        struct program *program; /* one step over the row; NULL: its truth is not computed yet */
        struct program_truth truth;
    } key[WORKLOAD_KEYS];
    int64_t deviating; /* elements judged in rows that differed */
};

/* Returns the judged tensor of the step, of which there is one, [batch, …]. */
static struct view judged_view(const struct step *step)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    step_judged(step, judged);
    return judged[0];
}

static void alone_clear(struct alone *alone)
{
    for (int k = 0; k < WORKLOAD_KEYS; k++) {
        if (alone->key[k].program) {
            program_truth_destroy(&alone->key[k].truth);
            program_destroy(&alone->key[k].program);
        }
    }
    free(alone->result);
}

/* Runs one program of 251 steps, each over one row. */
static bool run_alone(const struct suite_case *c, struct bench *bench, struct alone *alone,
                      struct finding *finding, struct error *error)
{
    const struct workload *workload = workload_of_order(c->op->name, c->dtype);
    struct program *program = program_create();
    struct execution execution;
    if (!program) {
        return error_set(error, "out of memory for a program");
    }
    struct builder b = builder_of(c, bench->seed, program, error);
    for (int64_t k = 0; k < WORKLOAD_KEYS; k++) {
        workload_step(&b, workload, k, 1);
    }
    program_adapt(program, &bench->info->profile);
    bool good = build_done(&b) && bench->execute(bench, program, &execution, error);
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

/* Computes the truth of a row unless it is known. Returns false with the reason in `error`. */
static bool find_truth(const struct suite_case *c, struct bench *bench, struct key *key, int64_t number,
                       struct error *error)
{
    if (key->program) {
        return true;
    }
    struct program *program = program_create();
    if (!program) {
        return error_set(error, "out of memory for a program");
    }
    struct builder b = builder_of(c, bench->seed, program, error);
    workload_step(&b, workload_of_order(c->op->name, c->dtype), number, 1);
    program_adapt(program, &bench->info->profile);
    if (!build_done(&b) || !program_truth_compute(program, NULL, &key->truth, error)) {
        program_truth_destroy(&key->truth);
        program_destroy(&program);
        return false;
    }
    key->program = program;
    return true;
}

/* Returns the greatest error / bound in the result of a row whose truth is known; infinity if an element is
 * not accepted. */
static double row_error(const struct alone *alone, const struct profile *profile, int64_t number,
                        const unsigned char *got)
{
    const struct key *key = &alone->key[number];
    const struct step *step = &key->program->step[0];
    struct profile own = profile_of_operator(profile, step->op->name);
    size_t size = alone->size / (size_t)alone->elements;
    double worst = 0;
    for (int64_t i = 0; i < alone->elements; i++) {
        struct bound_query query = {.op = step->op,
                                    .profile = &own,
                                    .attributes = &step->attributes,
                                    .truth = key->truth.truth[0],
                                    .element = i};
        struct accept accept;
        op_accept(&query, &accept);
        struct accept_verdict verdict = accept_judge(&accept, got + (size_t)i * size);
        worst = fmax(worst, verdict.accepted ? verdict.error_over_bound : INFINITY);
    }
    return worst;
}

/* Returns the key of the row whose result is `got`; −1: none. */
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

static bool compare(const struct suite_case *c, struct bench *bench, struct alone *alone, int64_t batch,
                    const unsigned char *result, struct series_set *set, struct finding *finding,
                    struct error *error)
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
        bool first = differing++ == 0;
        if (!first && alone->deviating >= DEVIATING_MAX) {
            continue;
        }
        if (!find_truth(c, bench, &alone->key[key], key, error)) {
            return false;
        }
        double of_bound = row_error(alone, &bench->info->profile, key, got);
        alone->deviating += alone->elements;
        deviation = fmax(deviation, of_bound);
        if ((first && to_the_bit) || (isinf(of_bound) && finding->kind == FINDING_NONE)) {
            blame(alone, batch, r, got, of_bound, finding);
        }
    }
    return (series_add(set, "rows that differ", "rows", (double)batch, (double)differing) &&
            series_add(set, "deviation", "of the bound", (double)batch, deviation)) ||
           error_set(error, "out of memory for a series");
}

static bool run_batch(const struct suite_case *c, struct bench *bench, struct alone *alone, int64_t batch,
                      struct series_set *set, struct finding *finding, struct error *error)
{
    struct program *program = program_create();
    struct execution execution;
    if (!program) {
        return error_set(error, "out of memory for a program");
    }
    struct builder b = builder_of(c, bench->seed, program, error);
    workload_step(&b, workload_of_order(c->op->name, c->dtype), 0, batch);
    program_adapt(program, &bench->info->profile);
    bool good = build_done(&b) && bench->execute(bench, program, &execution, error);
    if (good && finding_ran(finding, &execution, "batch %lld", (long long)batch)) {
        struct view view = judged_view(&program->step[0]);
        good = compare(c, bench, alone, batch, execution.storage[view.storage], set, finding, error);
    }
    program_destroy(&program);
    return good;
}

static bool run(const struct suite_case *c, struct bench *bench, struct series_set *set,
                struct finding *finding, struct error *error)
{
    struct alone alone = {.size = 0};
    bool good = run_alone(c, bench, &alone, finding, error);
    const bool ran = good && finding->kind == FINDING_NONE;
    int64_t judged = 0;
    for (int64_t k = 0;
         ran && good && finding->kind == FINDING_NONE && k < WORKLOAD_KEYS && judged < JUDGED_MAX;
         k++, judged += alone.elements) {
        good = find_truth(c, bench, &alone.key[k], k, error);
        if (good &&
            isinf(row_error(&alone, &bench->info->profile, k, alone.result + (size_t)k * alone.size))) {
            finding_note(finding, FINDING_FAIL, "row %lld alone is outside its bound", (long long)k);
        }
    }
    const struct row *row = c->row;
    for (unsigned k = 0; k < sizeof batches / sizeof *batches && batches[k] <= c->parameter; k++) {
        bool requested = batches[k] != row->without;
        if (good && requested && finding->kind == FINDING_NONE) {
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

enum {
    F32 = 1 << DTYPE_FLOAT32,
    F16 = 1 << DTYPE_FLOAT16,
    REST = 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT64,
    FLOATS = F32 | F16 | REST,
    MATRICES = F32 | 1 << DTYPE_FLOAT64 /* logdet, matrix_exp */
};

/* The case's parameter is the greatest batch. */
#define UP_TO(most_, op_, dtypes_)                                                                           \
    SUITE_ROW("invariance", STANDARD, NULL, .op = op_, .dtypes = dtypes_, .parameter = most_)
#define SMOKED(op_, most_) SUITE_ROW("invariance", SMOKE, NULL, .op = op_, .dtypes = F32, .parameter = most_)
#define MORE(op_)                                                                                            \
    SUITE_ROW("invariance-65537", EXHAUSTIVE, NULL, .op = op_, .dtypes = F32, .parameter = 65537)

static const struct row rows[] = {
    {SMOKED("sgn", 65537)},
    {UP_TO(65537, "sgn", F16)},
    {UP_TO(257, "sgn", REST)},
    {UP_TO(65537, "square", F32)},
    {UP_TO(257, "square", F16 | REST)},
    {SMOKED("add_", 65537)},
    {UP_TO(65537, "add_", F16)},
    {UP_TO(257, "add_", REST)},
    {UP_TO(65537, "mul_", F32)},
    {UP_TO(257, "mul_", F16 | REST)},
    /* vector_norm uses a workgroup per row: 65,537 rows show whatever 65,536 would. */
    {SMOKED("vector_norm", 65537), .without = 65536},
    {UP_TO(257, "vector_norm", F16 | REST)},
    {UP_TO(257, "matrix_norm", FLOATS)},
    {SMOKED("sum", 257)},
    {UP_TO(257, "sum", F16 | REST)},
    {UP_TO(257, "mean", FLOATS)},
    {UP_TO(257, "prod", FLOATS)},
    {UP_TO(257, "var", FLOATS)},
    {UP_TO(257, "std", FLOATS)},
    {UP_TO(257, "logsumexp", FLOATS)},
    {SMOKED("softmax", 257)},
    {UP_TO(257, "softmax", F16 | REST)},
    {UP_TO(257, "softmin", FLOATS)},
    {UP_TO(257, "log_softmax", FLOATS)},
    {UP_TO(257, "softmax_backward", FLOATS)},
    {UP_TO(257, "log_softmax_backward", FLOATS)},
    {UP_TO(257, "rms_norm", FLOATS)},
    {UP_TO(257, "layer_norm_backward", FLOATS)},
    {UP_TO(257, "rms_norm_backward", FLOATS)},
    {SMOKED("layer_norm", 257)},
    {UP_TO(257, "layer_norm", F16 | REST)},
    {SMOKED("linear", 257)},
    {UP_TO(257, "linear", F16 | REST)},
    {MORE("linear")},
    {UP_TO(257, "mv", FLOATS)},
    {MORE("mv")},
    {MORE("layer_norm")},
    {UP_TO(257, "group_norm", FLOATS)},
    {UP_TO(65537, "csr_mm", F32)},
    {UP_TO(257, "csr_mm", F16 | REST)},
    {UP_TO(257, "csr_mv", FLOATS)},
    {UP_TO(257, "instance_norm", FLOATS)},
    {UP_TO(257, "batch_norm", FLOATS)},
    {UP_TO(257, "logdet", MATRICES)},
    {MORE("logdet")},
    {UP_TO(257, "matrix_exp", MATRICES)},
    {MORE("matrix_exp")},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .covers = "scaling_invariance",
                                                   .family = "scaling", .procedure = &invariance});
}

const struct suite suite_scaling_invariance = {.declare = declare};
