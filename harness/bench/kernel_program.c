/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Builds the call of a row of `assay bench kernels --sizes` and fills its operands. Tensors have up to 2^28
 * elements, so that numbers are drawn and stored without a call for each. */

#include "harness/bench/kernel_call.h"
#include "harness/bench/parts.h"
#include "reference/base/philox.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lists the operands in the order of the operator's, omitted ones included. Returns their number. `storage`
 * of each is its place in call->operand, −1 for an omitted one. */
static int list_inputs(const struct kernel_call *call, struct view input[KERNEL_OPERANDS + KERNEL_ABSENT])
{
    int inputs = 0;
    for (int i = 0; i < call->operands; i++) {
        for (int a = 0; i == call->absent_before && a < call->absent; a++) {
            input[inputs++] = (struct view){.storage = -1};
        }
        input[inputs++] = view_contiguous(i, call->operand[i].dtype, &call->operand[i].shape);
    }
    return inputs;
}

int64_t kernel_row_bytes(const struct kernel_row *row)
{
    const struct kernel_call call = kernel_call_of(row);
    const struct op *op = op_find(row->op);
    static const struct tensor unknown[OPERANDS_MAX]; /* the values of indices */
    struct view input[KERNEL_OPERANDS + KERNEL_ABSENT];
    struct op_signature signature;
    const struct op_operands operands = {.attributes = &call.attributes,
                                         .inputs = list_inputs(&call, input),
                                         .input = input,
                                         .value = unknown};
    int64_t bytes = 0;
    for (int i = 0; i < call.operands; i++) {
        bytes += shape_bytes(&call.operand[i].shape, call.operand[i].dtype);
    }
    const bool known = op && op_signature(op, &operands, &signature, NULL);
    for (int o = 0; known && o < signature.outputs; o++) {
        bytes += shape_bytes(&signature.output[o].shape, signature.output[o].dtype);
    }
    return bytes;
}

int64_t kernel_program_bytes(const struct program *program)
{
    int64_t bytes = 0;
    for (int s = 0; s < program->storages; s++) {
        bytes += (int64_t)program->storage[s].bytes;
    }
    return bytes;
}

/* --- data */

/* An operand is filled in parts of PART elements, by several threads. The numbers of a part depend on its
 * place alone: element i takes words 2i and 2i + 1 of the stream, or word i. */
enum { PART = 1 << 18, PATTERNS = 2048 };

struct filling {
    unsigned char *data;
    const struct kernel_operand *operand;
    uint64_t seed;
    unsigned char pattern[PATTERNS][8]; /* the numbers of a dtype of 8 or 16 bits */
};

static void make_patterns(struct filling *f)
{
    const enum dtype dtype = f->operand->dtype;
    const double low = f->operand->fill == FILL_POSITIVE ? 0 : -1, width = -low + 1,
                 scale = f->operand->scale;
    for (int k = 0; k < PATTERNS; k++) {
        const double x = (k + 0.5) / PATTERNS;
        if (dtype_is_floating(dtype)) {
            dtype_store(dtype, f->pattern[k], scale * (low + width * x));
        } else {
            dtype_store_integer(dtype, f->pattern[k], k % 256 - 128);
        }
    }
}

/* Fills a part with numbers that are odd multiples of 2^-10, 2^-24 or 2^-53 times `scale`; none is zero. */
static void fill_part(void *user, int64_t part)
{
    const struct filling *f = user;
    const enum dtype dtype = f->operand->dtype;
    const double low = f->operand->fill == FILL_POSITIVE ? 0 : -1, width = -low + 1,
                 scale = f->operand->scale;
    const size_t size = dtype_info(dtype)->size;
    const int64_t first = part * PART, left = shape_elements(&f->operand->shape) - first,
                  count = left < PART ? left : PART;
    unsigned char *data = f->data + (size_t)first * size;
    struct philox generator;
    philox_start(&generator, f->seed);
    philox_seek(&generator, (uint64_t)first * (dtype == DTYPE_FLOAT64 ? 2 : 1));
    if (dtype == DTYPE_FLOAT32) {
        const float base = (float)(scale * low), step = (float)(scale * width);
        for (int64_t i = 0; i < count; i++) {
            const float x =
                base + step * (((float)(philox_next(&generator) >> 9) + 0.5f) * 0x1p-23f); /* 24 bits */
            memcpy(data + 4 * i, &x, sizeof x);
        }
    } else if (dtype == DTYPE_FLOAT64) {
        for (int64_t i = 0; i < count; i++) {
            const double x =
                scale * (low + width * (((double)(philox_next64(&generator) >> 12) + 0.5) * 0x1p-52));
            memcpy(data + 8 * i, &x, sizeof x);
        }
    } else {
        for (int64_t i = 0; i < count; i++) {
            memcpy(data + (size_t)i * size, f->pattern[philox_next(&generator) % PATTERNS], size);
        }
    }
}

static bool fill_uniform(unsigned char *data, const struct kernel_operand *o, uint64_t seed)
{
    struct filling *f = malloc(sizeof *f);
    if (f) {
        f->data = data;
        f->operand = o;
        f->seed = seed;
        make_patterns(f);
        parts_run((shape_elements(&o->shape) + PART - 1) / PART, fill_part, f);
    }
    free(f);
    return f != NULL;
}

static void fill_peaks(unsigned char *data, const struct kernel_operand *o, struct philox *generator)
{
    const int64_t rows = o->shape.dim[0], columns = o->shape.dim[1];
    const size_t size = dtype_info(o->dtype)->size;
    for (int64_t r = 0; r < rows; r++) {
        const int64_t at = r * columns + philox_below(generator, (uint32_t)columns);
        dtype_store(o->dtype, data + (size_t)at * size, 2 * o->scale);
    }
}

/* Replaces a matrix A by A·Aᵀ/n + I/8, computed in double. */
static bool make_positive(unsigned char *data, int64_t n, enum dtype dtype)
{
    const size_t size = dtype_info(dtype)->size;
    double *a = malloc((size_t)(n * n) * sizeof *a);
    for (int64_t i = 0; a && i < n * n; i++) {
        a[i] = dtype_load(dtype, data + (size_t)i * size);
    }
    for (int64_t i = 0; a && i < n; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double sum = i == j ? 0.125 : 0;
            for (int64_t k = 0; k < n; k++) {
                sum += a[i * n + k] * a[j * n + k];
            }
            dtype_store(dtype, data + (size_t)(i * n + j) * size, sum);
            dtype_store(dtype, data + (size_t)(j * n + i) * size, sum);
        }
    }
    free(a);
    return a != NULL;
}

static void fill_indices(unsigned char *data, const struct kernel_operand *o, struct philox *generator)
{
    const int64_t count = shape_elements(&o->shape), part = o->bound / KERNEL_ENTRIES;
    for (int64_t i = 0; i < count; i++) {
        int64_t index = KERNEL_ENTRIES * i;
        if (o->fill == FILL_BELOW) {
            index = philox_below(generator, (uint32_t)o->bound);
        } else if (o->fill == FILL_COLUMNS) {
            index = i % KERNEL_ENTRIES * part + philox_below(generator, (uint32_t)(part > 0 ? part : 1));
        }
        dtype_store_integer(o->dtype, data + 8 * i, index);
    }
}

static bool fill(unsigned char *data, const struct kernel_operand *o, uint64_t seed)
{
    const int64_t count = shape_elements(&o->shape);
    bool good = true;
    struct philox generator;
    philox_start(&generator, seed);
    if (o->fill >= FILL_BELOW) {
        fill_indices(data, o, &generator);
        return true;
    }
    good = fill_uniform(data, o, seed);
    if (o->fill == FILL_PEAKS) {
        philox_start(&generator, ~seed);
        fill_peaks(data, o, &generator);
    }
    if (o->fill == FILL_SQUARES) {
        const int64_t n = o->shape.dim[o->shape.rank - 1];
        const size_t each = (size_t)(n * n) * dtype_info(o->dtype)->size;
        for (int64_t m = 0; good && m < count / (n * n); m++) {
            good = make_positive(data + (size_t)m * each, n, o->dtype);
        }
    }
    return good;
}

struct program *kernel_row_build(const struct kernel_row *row, uint64_t seed, struct error *error)
{
    const struct kernel_call call = kernel_call_of(row);
    struct view input[KERNEL_OPERANDS + KERNEL_ABSENT];
    struct program *program = program_create();
    const struct op *op = op_find(row->op);
    const int inputs = list_inputs(&call, input);
    error_set(error, op ? "out of memory" : "assay has no operator of this name");
    bool good = program && op;
    for (int i = 0; good && i < inputs; i++) {
        const int at = input[i].storage;
        if (at >= 0) {
            const struct kernel_operand *o = &call.operand[at];
            input[i] = program_input(program, o->dtype, &o->shape);
            good = input[i].storage >= 0 &&
                   fill(program->storage[input[i].storage].data, o, seed + (uint64_t)at);
        }
    }
    const struct step *step = good ? program_step(program, op, &call.attributes, inputs, input) : NULL;
    if (step && step->expect == EXPECT_REJECTION) {
        error_set(error, "the operator refuses the operands of this row");
    }
    if (!step || step->expect == EXPECT_REJECTION) {
        program_destroy(&program);
    }
    return program;
}
