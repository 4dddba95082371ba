/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Procedure: what happens at a memory limit? A program that does not fit must say so and break nothing; one
 * that fits only after the cache is emptied must run; nothing may be reserved beyond the limit; results must
 * keep their bits. */

#include "suites/memory/epochs_verdict.h"
#include "suites/shared/rows.h"
#include "suites/shared/workload.h"

#include <string.h>

enum { MIB = 1024 * 1024 };
enum { ROUNDS = 5 };

enum size { SMALL, HALF, MOST, TOO_MUCH, SIZES };
/* Bytes of the input as shares of the limit; the output takes as much again. */
static const double share[SIZES] = {0.1, 0.2, 0.33, 0.9};
static const enum size order[] = {SMALL, HALF, MOST, TOO_MUCH, HALF, TOO_MUCH, SMALL, MOST};

/* Builds programs whose inputs have these shares of the limit. */
static bool build(const struct suite_case *c, uint64_t seed, struct program *program[SIZES], int from, int to,
                  double limit, struct error *error)
{
    const struct workload *workload = workload_find(c->op->name);
    for (int s = from; s < to; s++) {
        program[s] = program_create();
        if (!program[s]) {
            return error_set(error, "out of memory for a program");
        }
        struct builder b = builder_of(c, seed, program[s], error);
        workload_step(&b, workload, 0, (int64_t)(share[s] * limit) / workload_row_bytes(workload, c->dtype));
        if (!build_done(&b)) {
            return false;
        }
    }
    return true;
}

/* Compares the first 251 rows of the result, which are the same in every size, with `kept`; the first time
 * stores them there. */
static bool same_rows(const struct program *program, const struct execution *execution, unsigned char *kept,
                      bool first)
{
    const struct view *out = &program->step[0].output[0];
    size_t size = (size_t)(WORKLOAD_KEYS * out->shape.dim[1]) * dtype_info(out->dtype)->size;
    if (first) {
        memcpy(kept, execution->storage[out->storage], size);
    }
    return memcmp(kept, execution->storage[out->storage], size) == 0;
}

static bool one(struct bench *bench, uint64_t limit, struct program *const program[SIZES], enum size size,
                unsigned char *kept, bool first, struct finding *finding, struct error *error)
{
    struct execution execution;
    struct usage usage;
    if (!bench->execute(bench, program[size], &execution, error)) {
        return false;
    }
    bench->usage(bench, &usage);
    if (execution.status == STEP_UNSUPPORTED) {
        finding_note(finding, FINDING_UNSUPPORTED, "%s", execution.message);
    } else if (execution.status == STEP_ERROR) {
        finding_note(finding, FINDING_ERROR, "%s", execution.message);
    } else if (size == TOO_MUCH && execution.status != STEP_OUT_OF_MEMORY) {
        finding_note(finding, FINDING_FAIL,
                     "a program larger than the limit of %llu bytes is not refused: %s",
                     (unsigned long long)limit, execution.status == STEP_OK ? "it ran" : execution.message);
    } else if (size != TOO_MUCH && execution.status != STEP_OK) {
        finding_note(finding, FINDING_FAIL, "a program that takes %.0f %% of the limit does not run: %s",
                     200 * share[size], execution.message);
    } else if (size != TOO_MUCH && !same_rows(program[size], &execution, kept, first)) {
        finding_note(finding, FINDING_FAIL, "equal rows give other bits after memory had run out");
    }
    if (usage.memory.reserved > limit) {
        finding_note(finding, FINDING_FAIL, "%llu bytes are reserved, the limit is %llu",
                     (unsigned long long)usage.memory.reserved, (unsigned long long)limit);
    }
    return true;
}

static bool run(const struct suite_case *c, struct bench *bench, struct series_set *set,
                struct finding *finding, struct error *error)
{
    static unsigned char kept[WORKLOAD_KEYS * 16 * 8];
    struct program *program[SIZES] = {NULL};
    struct usage usage;
    uint64_t limit = 0;
    bool built = build(c, bench->seed, program, SMALL, TOO_MUCH, (double)c->parameter, error);
    bool good = !built || epochs_set_limit(bench, program[MOST], c->parameter, &limit, finding, error);
    if (built && good && limit == 0) {
        finding_note(finding, FINDING_UNSUPPORTED, "the backend cannot limit its memory");
    } else if (good && !(built && build(c, bench->seed, program, TOO_MUCH, SIZES, (double)limit, error))) {
        finding_note(finding, FINDING_ERROR, "%s", error->text);
    }
    for (int r = 0; good && r < ROUNDS && finding->kind == FINDING_NONE; r++) {
        for (unsigned k = 0; good && k < sizeof order / sizeof *order && finding->kind == FINDING_NONE; k++) {
            good = one(bench, limit, program, order[k], kept, r == 0 && k == 0, finding, error);
        }
        bench->empty_cache(bench);
        bench->usage(bench, &usage);
        good = good && epochs_note(set, r + 1, &usage);
    }
    bench->limit_memory(bench, 0);
    for (int s = 0; s < SIZES; s++) {
        program_destroy(&program[s]);
    }
    return good;
}

static const struct procedure limits = {
    .fresh = true, .run = run, .verdict = epochs_verdict, .limits = epochs_limits, .spoil = epochs_spoil};

struct row {
    struct suite_row row;
};

/* The case's parameter is the limit in bytes. Frameworks whose allocators take 20 MiB at a time need the
 * larger one. */
static const struct row rows[] = {
    {SUITE_ROW("out-of-memory", STANDARD, NULL, .op = "square", .parameter = 4 * MIB)},
    {SUITE_ROW("out-of-memory", STANDARD, NULL, .op = "sgn", .parameter = 4 * MIB)},
    {SUITE_ROW("out-of-memory-512-mib", EXHAUSTIVE, NULL, .op = "sgn", .parameter = 512 * MIB)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .dtypes = 1U << DTYPE_FLOAT32,
                                                   .covers = "memory_limit", .family = "memory",
                                                   .procedure = &limits});
}

const struct suite suite_memory_limits = {.declare = declare};
