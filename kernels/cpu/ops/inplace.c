/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operators that write into an operand, element by element. */

#include "kernels/cpu/convert.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/half.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum operation { ADD, MULTIPLY, DIVIDE, ADD_PRODUCT, ADD_QUOTIENT, LERP, CLAMP, COPY, FILL, MASKED_FILL };

enum { OPERANDS = 3 };

struct update {
    const char *name;
    enum operation operation;
    int target;       /* index of the operand that is written */
    int sign;         /* factor of alpha: 1, or −1 for a subtraction */
    bool floats_only; /* integers are refused, because the result is a fraction */
};

/* A call. The operands are broadcast to the shape of `to`, the written view; an absent one has no data. */
struct work {
    const struct update *update;
    const struct attributes *attributes;
    struct cpu_view to, operand[OPERANDS];
};

/* Broadcasts `other` to the shape; false if it does not broadcast. */
static bool widen(const struct cpu_view *other, const struct shape *shape, struct cpu_view *wide)
{
    int skip = shape->rank - other->shape.rank;
    *wide = (struct cpu_view){.data = other->data, .dtype = other->dtype, .shape = *shape};
    for (int d = 0; skip >= 0 && d < other->shape.rank; d++) {
        if (other->shape.dim[d] == shape->dim[d + skip]) {
            wide->stride[d + skip] = other->stride[d];
        } else if (other->shape.dim[d] != 1) {
            return false;
        }
    }
    return skip >= 0;
}

/* --- memory: for each byte between the least and the greatest written address, the element that writes it */

struct marks {
    unsigned char *low;
    int64_t bytes;
    int64_t *owner; /* element + 1; 0: the byte is not written */
};

/* Fills *marks, whose `owner` the caller frees. Returns CPU_REJECTED, without a reason, if two elements of
 * `to` share a byte. */
static enum cpu_status mark_written(struct marks *marks, const struct cpu_view *to, struct error *reason)
{
    int64_t count = shape_elements(&to->shape), size = (int64_t)dtype_info(to->dtype)->size;
    unsigned char *high = NULL;
    for (int64_t i = 0; i < count; i++) {
        unsigned char *at = cpu_at(to, i);
        marks->low = !marks->low || at < marks->low ? at : marks->low;
        high = !high || at + size > high ? at + size : high;
    }
    marks->bytes = high - marks->low;
    marks->owner = count ? cpu_allocate(marks->bytes, sizeof *marks->owner, reason) : NULL;
    if (count && !marks->owner) {
        return CPU_OUT_OF_MEMORY;
    }
    bool sound = true;
    for (int64_t i = 0; sound && i < count; i++) {
        int64_t *mark = marks->owner + (cpu_at(to, i) - marks->low);
        sound = mark[0] == 0 && mark[size - 1] == 0;
        for (int64_t b = 0; b < size; b++) {
            mark[b] = i + 1;
        }
    }
    return sound ? CPU_OK : CPU_REJECTED;
}

/* True if every element of the operand shares written bytes only with the same element of the result. */
static bool reads_soundly(const struct marks *marks, const struct cpu_view *operand)
{
    int64_t count = shape_elements(&operand->shape), size = (int64_t)dtype_info(operand->dtype)->size;
    for (int64_t i = 0; i < count; i++) {
        const unsigned char *at = cpu_at(operand, i);
        for (int64_t b = 0; b < size; b++) {
            int64_t place = at + b - marks->low;
            if (place >= 0 && place < marks->bytes && marks->owner[place] && marks->owner[place] != i + 1) {
                return false;
            }
        }
    }
    return true;
}

static enum cpu_status check_memory(const struct work *work, struct error *reason)
{
    struct marks marks = {.low = NULL};
    enum cpu_status status = mark_written(&marks, &work->to, reason);
    if (status == CPU_OUT_OF_MEMORY) {
        return status;
    }
    bool sound = status == CPU_OK || work->update->operation == FILL;
    for (int k = 0; sound && marks.owner && k < OPERANDS; k++) {
        sound =
            !work->operand[k].data || k == work->update->target || reads_soundly(&marks, &work->operand[k]);
    }
    free(marks.owner);
    return sound ? CPU_OK : cpu_reject(reason, "what is written overlaps itself or a part of an operand");
}

/* --- elements */

static float load_float(enum dtype dtype, const unsigned char *from)
{
    uint16_t bits;
    float x;
    if (dtype == DTYPE_FLOAT32) {
        memcpy(&x, from, sizeof x);
        return x;
    }
    memcpy(&bits, from, sizeof bits);
    return dtype == DTYPE_FLOAT16 ? float16_to_float(bits) : bfloat16_to_float(bits);
}

static void store_float(enum dtype dtype, unsigned char *to, float x)
{
    if (dtype == DTYPE_FLOAT32) {
        memcpy(to, &x, sizeof x);
        return;
    }
    uint16_t bits = dtype == DTYPE_FLOAT16 ? float16_from_float(x) : bfloat16_from_float(x);
    memcpy(to, &bits, sizeof bits);
}

static double load_double(enum dtype dtype, const unsigned char *from)
{
    double x;
    (void)dtype;
    memcpy(&x, from, sizeof x);
    return x;
}

static void store_double(enum dtype dtype, unsigned char *to, double x)
{
    (void)dtype;
    memcpy(to, &x, sizeof x);
}

static int64_t load_integer(enum dtype dtype, const unsigned char *from)
{
    int32_t narrow;
    int64_t wide;
    if (dtype == DTYPE_INT32) {
        memcpy(&narrow, from, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, from, sizeof wide);
    return wide;
}

static void store_integer(enum dtype dtype, unsigned char *to, uint64_t x)
{
    uint32_t low = (uint32_t)x;
    if (dtype == DTYPE_INT32) {
        memcpy(to, &low, sizeof low);
    } else {
        memcpy(to, &x, sizeof x);
    }
}

/* Returns an attribute in float32. A value or a limit is rounded to the dtype later, and is therefore rounded
 * to odd here, so that it is rounded once; a factor is rounded to float32. */
static float attribute_float(const struct work *work, double x)
{
    enum operation operation = work->update->operation;
    bool stored = operation == CLAMP || operation == FILL || operation == MASKED_FILL;
    return stored && work->to.dtype != DTYPE_FLOAT32 ? half_odd_from_double(x) : (float)x;
}

static double attribute_double(const struct work *work, double x)
{
    (void)work;
    return x;
}

/* The computation of one element, in float32 and in float64. */
#define DEFINE_ELEMENT(real)                                                                                 \
    static real operand_##real(const struct work *work, int k, int64_t i, const char *name, double without)  \
    {                                                                                                        \
        return work->operand[k].data                                                                         \
                   ? load_##real(work->operand[k].dtype, cpu_at(&work->operand[k], i))                       \
                   : attribute_##real(work, attributes_real(work->attributes, name, without));               \
    }                                                                                                        \
    static real clamp_##real(real x, real low, real high)                                                    \
    {                                                                                                        \
        if (isnan(x) || isnan(low) || isnan(high)) {                                                         \
            return x + low + high;                                                                           \
        }                                                                                                    \
        x = x < low ? low : x;                                                                               \
        return x > high ? high : x;                                                                          \
    }                                                                                                        \
    static void element_##real(const struct work *work, int64_t i)                                           \
    {                                                                                                        \
        const struct attributes *a = work->attributes;                                                       \
        real alpha = (real)work->update->sign * (real)attributes_real(a, "alpha", 1),                        \
             value = attribute_##real(work, attributes_real(a, "value", 1)), result = 0,                     \
             x = operand_##real(work, 0, i, "", 0), y = operand_##real(work, 1, i, "min", -INFINITY);        \
        switch (work->update->operation) {                                                                   \
        case ADD:                                                                                            \
            result = x + alpha * y;                                                                          \
            break;                                                                                           \
        case MULTIPLY:                                                                                       \
            result = x * y;                                                                                  \
            break;                                                                                           \
        case DIVIDE:                                                                                         \
            result = x / y;                                                                                  \
            break;                                                                                           \
        case ADD_PRODUCT:                                                                                    \
            result = x + value * (y * operand_##real(work, 2, i, "", 0));                                    \
            break;                                                                                           \
        case ADD_QUOTIENT:                                                                                   \
            result = x + value * y / operand_##real(work, 2, i, "", 0);                                      \
            break;                                                                                           \
        case LERP:                                                                                           \
            result = x + operand_##real(work, 2, i, "weight", 0) * (y - x);                                  \
            break;                                                                                           \
        case CLAMP:                                                                                          \
            result = clamp_##real(x, y, operand_##real(work, 2, i, "max", INFINITY));                        \
            break;                                                                                           \
        default:                                                                                             \
            result = value;                                                                                  \
        }                                                                                                    \
        store_##real(work->to.dtype, cpu_at(&work->to, i), result);                                          \
    }
DEFINE_ELEMENT(float)
DEFINE_ELEMENT(double)

static int64_t operand_integer(const struct work *work, int k, int64_t i, const char *name, int64_t without)
{
    return work->operand[k].data ? load_integer(work->operand[k].dtype, cpu_at(&work->operand[k], i))
                                 : attributes_integer(work->attributes, name, without);
}

static void element_integer(const struct work *work, int64_t i)
{
    uint64_t alpha =
                 (uint64_t)work->update->sign * (uint64_t)attributes_integer(work->attributes, "alpha", 1),
             value = (uint64_t)attributes_integer(work->attributes, "value", 1), result = value;
    int64_t x = operand_integer(work, 0, i, "", 0), y = operand_integer(work, 1, i, "min", INT64_MIN),
            z = operand_integer(work, 2, i, "max", INT64_MAX);
    switch (work->update->operation) {
    case ADD:
        result = (uint64_t)x + alpha * (uint64_t)y;
        break;
    case MULTIPLY:
        result = (uint64_t)x * (uint64_t)y;
        break;
    case ADD_PRODUCT:
        result = (uint64_t)x + value * (uint64_t)y * (uint64_t)z;
        break;
    case CLAMP:
        x = x < y ? y : x;
        result = (uint64_t)(x > z ? z : x);
        break;
    default:
        break;
    }
    store_integer(work->to.dtype, cpu_at(&work->to, i), result);
}

static void compute(const struct work *work, int64_t i)
{
    if (dtype_is_integer(work->to.dtype)) {
        element_integer(work, i);
    } else if (work->to.dtype == DTYPE_FLOAT64) {
        element_double(work, i);
    } else {
        element_float(work, i);
    }
}

static void convert(const struct work *work, int64_t i)
{
    cpu_convert(work->operand[1].dtype, cpu_at(&work->operand[1], i), work->to.dtype, cpu_at(&work->to, i));
}

static bool has_dtype(enum dtype dtype)
{
    return dtype_is_real(dtype) || dtype == DTYPE_INT32 || dtype == DTYPE_INT64;
}

static enum cpu_status check_dtypes(const struct work *work, struct error *reason)
{
    const struct update *update = work->update;
    enum dtype dtype = work->to.dtype;
    double alpha = attributes_real(work->attributes, "alpha", 1);
    if (!has_dtype(dtype)) {
        error_set(reason, "the CPU backend has no in-place arithmetic for %s", dtype_info(dtype)->name);
        return CPU_UNSUPPORTED;
    }
    bool sound = !dtype_is_integer(dtype) || (!update->floats_only && alpha == trunc(alpha));
    for (int k = 0; k < OPERANDS; k++) {
        enum dtype expected = update->operation == MASKED_FILL && k == 1 ? DTYPE_BOOL : dtype;
        sound = sound &&
                (!work->operand[k].data || update->operation == COPY || work->operand[k].dtype == expected);
    }
    if (!sound) {
        error_set(reason, "the result cannot be stored in %s", dtype_info(dtype)->name);
        return CPU_REJECTED;
    }
    return CPU_OK;
}

static void run(const struct work *work)
{
    struct work filling = *work; /* masked_fill_ reads neither self nor the mask as a value */
    filling.operand[0].data = filling.operand[1].data = NULL;
    int64_t count = shape_elements(&work->to.shape);
    for (int64_t i = 0; i < count; i++) {
        if (work->update->operation == COPY) {
            convert(work, i);
        } else if (work->update->operation != MASKED_FILL) {
            compute(work, i);
        } else if (*cpu_at(&work->operand[1], i)) {
            compute(&filling, i);
        }
    }
}

/* A row per operator: the constant that is its number, and the members of struct update. */
#define UPDATES(X)                                                                                           \
    X(ADD_IN, "add_", ADD, 0, 1, false)                                                                      \
    X(SUB_IN, "sub_", ADD, 0, -1, false)                                                                     \
    X(MUL_IN, "mul_", MULTIPLY, 0, 1, false)                                                                 \
    X(DIV_IN, "div_", DIVIDE, 0, 1, true)                                                                    \
    X(ADD_OUT, "add_out", ADD, 2, 1, false)                                                                  \
    X(SUB_OUT, "sub_out", ADD, 2, -1, false)                                                                 \
    X(MUL_OUT, "mul_out", MULTIPLY, 2, 1, false)                                                             \
    X(DIV_OUT, "div_out", DIVIDE, 2, 1, true)                                                                \
    X(ADDCMUL_IN, "addcmul_", ADD_PRODUCT, 0, 1, false)                                                      \
    X(ADDCDIV_IN, "addcdiv_", ADD_QUOTIENT, 0, 1, true)                                                      \
    X(LERP_IN, "lerp_", LERP, 0, 1, true)                                                                    \
    X(CLAMP_IN, "clamp_", CLAMP, 0, 1, false)                                                                \
    X(COPY_IN, "copy_", COPY, 0, 1, false)                                                                   \
    X(FILL_IN, "fill_", FILL, 0, 1, false)                                                                   \
    X(MASKED_FILL_IN, "masked_fill_", MASKED_FILL, 0, 1, false)
#define NUMBER(variant_, ...)    variant_,
#define UPDATE(variant_, ...)    {__VA_ARGS__},
#define OP(variant_, name_, ...) {.name = name_, .variant = variant_, .run = apply},

enum { UPDATES(NUMBER) };

static const struct update updates[] = {UPDATES(UPDATE)};

static enum cpu_status apply(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                             const struct cpu_view *input, int outputs, const struct cpu_view *output,
                             struct error *reason)
{
    (void)outputs, (void)output;
    const struct update *update = &updates[op->variant];
    struct work work = {.update = update, .attributes = attributes, .to = input[update->target]};
    for (int k = 0; k < inputs; k++) {
        if (!input[k].data || (k == 2 && update->target == 2)) {
            continue;
        }
        if (!widen(&input[k], &work.to.shape, &work.operand[k])) {
            error_set(reason, "operand %d does not broadcast to what is written", k);
            return CPU_REJECTED;
        }
    }
    enum cpu_status status = check_dtypes(&work, reason);
    status = status == CPU_OK ? check_memory(&work, reason) : status;
    if (status == CPU_OK) {
        run(&work);
    }
    return status;
}

static const struct cpu_op ops[] = {UPDATES(OP)};

const struct cpu_op_set cpu_op_set_inplace = {.op = ops, .count = sizeof ops / sizeof *ops};
