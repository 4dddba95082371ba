/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Procedure: does memory come back? It runs ten epochs of one operator, or of a loop like training, after two
 * that are not judged (pipelines, one-time allocations of libraries). An epoch requests more bytes than the
 * allocator may reserve, in programs of several sizes. Every fourth program runs twice in a row, another one
 * in each epoch. At its end the cache is emptied and everything is counted. A short case ends after three
 * epochs unless memory rises in each of them; then it goes on to ten, so that it reports what a whole one
 * reports. */

#include "suites/block/training.h"
#include "suites/memory/epochs_verdict.h"
#include "suites/shared/rows.h"
#include "suites/shared/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 2, PROGRAMS = 8, TURNS = 4, KIB = 1024 };

/* Input bytes of an epoch's programs as shares of the limit, 1.6 in all. With outputs and guard zones no
 * program takes more than the limit. */
enum { LARGEST = 0 };
static const double share[PROGRAMS] = {[LARGEST] = 0.35, 0.1, 0.3, 0.02, 0.33, 0.2, 0.25, 0.05};

enum training { OPERATOR, SIGN_DESCENT, MIXED_PRECISION, ENCODER };

struct row {
    struct suite_row row;
    enum training training;
    int64_t limit; /* bytes that the backend may reserve */
    int least;     /* epochs after which the case ends if nothing rises; 0: it always takes all */
};

struct epoch {
    int programs;
    struct program *program[PROGRAMS];
};

/* One step of sign descent with weight decay on resident weights: the gradient's norm, its sign, w ← (1 −
 * λ)w, w ← w − η·sign. */
static bool build_training(struct builder *b, int64_t weights)
{
    static const struct attributes rate = {
        .count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = -0.0078125}}};
    static const struct attributes none = {.count = 0};
    struct view w = build_vector(b, b->c->dtype, weights), g = build_vector(b, b->c->dtype, weights);
    struct view decay = build_vector(b, b->c->dtype, 1);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; !b->failed && i < weights; i++) {
        build_set(b, &w, i, ((double)philox_below(&generator, 512) - 256) / 64);
        build_set(b, &g, i, ((double)philox_below(&generator, 512) - 256) / 64);
    }
    build_set(b, &decay, 0, 0.9921875);
    build_step(b, op_find("vector_norm"), &none, 1, &g);
    struct step *sign = build_step(b, op_find("sgn"), &none, 1, &g);
    if (!sign) {
        return false;
    }
    struct view direction = sign->output[0];
    build_step(b, op_find("mul_"), &none, 2, (struct view[]){w, decay});
    return build_step(b, op_find("add_"), &rate, 2, (struct view[]){w, direction});
}

/* A tensor of small numbers. */
static struct view filled(struct builder *b, enum dtype dtype, const struct shape *shape, int tensor)
{
    struct view view = build_tensor(b, dtype, shape, LAYOUT_CONTIGUOUS);
    struct philox generator = build_generator(b, tensor);
    for (int64_t i = 0; !b->failed && i < shape_elements(shape); i++) {
        build_set(b, &view, i, ((double)philox_below(&generator, 512) - 256) / 256);
    }
    return view;
}

static struct view scalar(struct builder *b, enum dtype dtype, double x)
{
    struct view view = build_vector(b, dtype, 1);
    build_set(b, &view, 0, x);
    return view;
}

static struct view result_of(struct builder *b, const char *op, const struct attributes *attributes,
                             int inputs, const struct view *input)
{
    struct step *step = b->failed ? NULL : build_step(b, op_find(op), attributes, inputs, input);
    return step && step->outputs ? step->output[0] : (struct view){.storage = -1};
}

/* One iteration of mixed-precision training on `batch` rows: a linear layer under autocast, its normalization
 * and the gradient of that, the gradient of the weight, then unscale, step and update as in a gradient
 * scaler. */
static bool build_mixed_precision(struct builder *b, int64_t batch)
{
    enum { WIDTH = 64, ONNX_FLOAT16 = 10 };
    static const struct attributes
        none = {.count = 0},
        low = {.count = 1, .item = {{.name = "dtype", .type = ATTRIBUTE_INTEGER, .integer = ONNX_FLOAT16}}},
        rows_of = {.count = 1,
                   .item = {{.name = "normalized_shape",
                             .type = ATTRIBUTE_INTEGERS,
                             .integers = {.count = 1, .item = {WIDTH}}}}},
        rate = {.count = 1, .item = {{.name = "lr", .type = ATTRIBUTE_REAL, .real = 0.0078125}}},
        scaling = {.count = 3,
                   .item = {{.name = "growth_factor", .type = ATTRIBUTE_REAL, .real = 2},
                            {.name = "backoff_factor", .type = ATTRIBUTE_REAL, .real = 0.5},
                            {.name = "growth_interval", .type = ATTRIBUTE_INTEGER, .integer = 2000}}};
    struct shape many = shape_of(2, batch, (int64_t)WIDTH),
                 square = shape_of(2, (int64_t)WIDTH, (int64_t)WIDTH);
    struct view x = filled(b, DTYPE_FLOAT32, &many, 0), weight = filled(b, DTYPE_FLOAT32, &square, 1);
    struct view master = filled(b, DTYPE_FLOAT16, &square, 2), upstream = filled(b, DTYPE_FLOAT16, &many, 3);
    struct view found = scalar(b, DTYPE_FLOAT32, 0), scale = scalar(b, DTYPE_FLOAT32, 65536);
    struct view inverse = scalar(b, DTYPE_FLOAT32, 0x1p-16), tracker = scalar(b, DTYPE_INT32, 0);
    struct view hidden = result_of(b, "autocast_linear", &low, 2, (struct view[]){x, weight});
    result_of(b, "layer_norm", &rows_of, 1, &hidden);
    struct view slope = result_of(b, "layer_norm_backward", &rows_of, 2, (struct view[]){upstream, hidden});
    if (b->failed || slope.storage < 0) {
        return build_fail(b, "no gradient");
    }
    struct view turned = view_transposed(&slope);
    struct view gradient = result_of(b, "autocast_matmul", &low, 2, (struct view[]){turned, x});
    result_of(b, "amp_unscale", &none, 3, (struct view[]){gradient, found, inverse});
    result_of(b, "amp_step", &rate, 3, (struct view[]){master, gradient, found});
    result_of(b, "amp_update_scale", &scaling, 3, (struct view[]){scale, tracker, found});
    return !b->failed;
}

static bool epoch_build(struct epoch *epoch, const struct suite_case *c, uint64_t seed, struct error *error)
{
    const struct row *row = c->row;
    const struct workload *workload = row->training == ENCODER ? &block_encoder_training
                                      : row->training          ? NULL
                                                               : workload_find(c->op->name);
    int64_t bytes = workload                        ? workload_row_bytes(workload, c->dtype)
                    : row->training == SIGN_DESCENT ? 6    /* weights, gradient and sign, twice */
                                                    : 640; /* a row and its results */
    for (int p = 0; p < PROGRAMS; p++) {
        struct program *program = program_create();
        if (!program) {
            return error_set(error, "out of memory for a program");
        }
        epoch->program[epoch->programs++] = program;
        struct builder b = builder_of(c, seed, program, error);
        int64_t batch = (int64_t)(share[p] * (double)row->limit) / bytes;
        if (workload) {
            workload_append(&b, workload, p, batch);
        } else if (row->training == SIGN_DESCENT) {
            build_training(&b, batch);
        } else {
            build_mixed_precision(&b, batch);
        }
        if (!build_done(&b)) {
            return false;
        }
    }
    return true;
}

static void epoch_clear(struct epoch *epoch)
{
    while (epoch->programs) {
        program_destroy(&epoch->program[--epoch->programs]);
    }
}

static bool execute(struct bench *bench, const struct program *program, int number, struct finding *finding,
                    struct error *error)
{
    struct execution execution;
    if (!bench->execute(bench, program, &execution, error)) {
        return false;
    }
    finding_ran(finding, &execution, "epoch %d", number);
    return true;
}

static bool epoch_run(struct bench *bench, const struct epoch *epoch, int number, struct series_set *set,
                      struct finding *finding, struct error *error)
{
    struct usage first, second, end;
    double repeated = 0, greatest = 0;
    for (int p = 0; p < epoch->programs && finding->kind == FINDING_NONE; p++) {
        if (!execute(bench, epoch->program[p], number, finding, error)) {
            return false;
        }
        bench->usage(bench, &first);
        greatest = fmax(greatest, (double)first.memory.reserved);
        if ((p + number) % TURNS != 0) {
            continue;
        }
        if (finding->kind == FINDING_NONE && !execute(bench, epoch->program[p], number, finding, error)) {
            return false;
        }
        bench->usage(bench, &second);
        repeated += epochs_added((double)first.memory.reserved, (double)second.memory.reserved, greatest);
        greatest = fmax(greatest, (double)second.memory.reserved);
    }
    bench->usage(bench, &second);
    bench->empty_cache(bench);
    bench->usage(bench, &end);
    int judged = number - WARM_UP;
    return judged < 1 ||
           (series_add(set, "reserved on repetition", "bytes", judged, repeated) &&
            series_add(set, "reserved in the epoch", "bytes", judged, (double)second.memory.reserved) &&
            epochs_note(set, judged, &end)) ||
           error_set(error, "out of memory for a series");
}

static bool run(const struct suite_case *c, struct bench *bench, struct series_set *set,
                struct finding *finding, struct error *error)
{
    struct epoch epoch = {.programs = 0};
    bool good = epoch_build(&epoch, c, bench->seed, error);
    if (!good) {
        finding_note(finding, FINDING_ERROR, "%s", error->text);
        good = true;
    }
    const struct row *row = c->row;
    uint64_t limit;
    good = good && (finding->kind != FINDING_NONE ||
                    epochs_set_limit(bench, epoch.program[LARGEST], row->limit, &limit, finding, error));
    bool ends = false;
    for (int e = 1; good && !ends && e <= WARM_UP + EPOCHS && finding->kind == FINDING_NONE; e++) {
        good = epoch_run(bench, &epoch, e, set, finding, error);
        ends = row->least > 0 && e == WARM_UP + row->least && !epochs_suspect(set);
    }
    bench->limit_memory(bench, 0);
    epoch_clear(&epoch);
    return good;
}

static const struct procedure epochs = {
    .fresh = true, .run = run, .verdict = epochs_verdict, .limits = epochs_limits, .spoil = epochs_spoil};

#define EPOCHS(op_, limit_) SUITE_ROW("epochs", STANDARD, "memory_epochs", .op = op_), .limit = limit_

/* The short cases take more bytes, so that few epochs show what is not given back. */
#define SHORT(op_, limit_) SUITE_ROW("epochs-3", SMOKE, NULL, .op = op_), .limit = limit_, .least = 3

/* One or two operators of each family. The limit is smaller for operators that work more per byte. */
static const struct row rows[] = {
    {SHORT("sgn", 4096 * KIB)},
    {SHORT("add_", 4096 * KIB)},
    {SHORT("vector_norm", 1024 * KIB)},
    {SHORT("layer_norm", 1024 * KIB)},
    {EPOCHS("sgn", 1024 * KIB)},
    {EPOCHS("add_", 1024 * KIB)},
    {EPOCHS("vector_norm", 256 * KIB)},
    {EPOCHS("linear", 128 * KIB)},
    {EPOCHS("layer_norm", 256 * KIB)},
    {EPOCHS("csr_mm", 512 * KIB)},
    {EPOCHS("logdet", 128 * KIB)},
    {EPOCHS("matrix_exp", 64 * KIB)},
    {SUITE_ROW("training-sign-descent", STANDARD, "memory_epochs memory_training", .op = "add_"),
     .training = SIGN_DESCENT, .limit = 512 * KIB},
    {SUITE_ROW("training-mixed-precision", STANDARD, "memory_epochs memory_training", .op = "amp_step",
               .dtypes = 1U << DTYPE_FLOAT16),
     .training = MIXED_PRECISION, .limit = 128 * KIB},
    {SUITE_ROW("training-encoder", STANDARD, "memory_epochs memory_training", .op = "layer_norm"),
     .training = ENCODER, .limit = 512 * KIB},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .dtypes = 1U << DTYPE_FLOAT32,
                                                   .family = "memory", .procedure = &epochs});
}

const struct suite suite_memory_epochs = {.declare = declare};
