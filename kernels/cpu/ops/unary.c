/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of one number in plain C: a line each, in float32 (the 16-bit types too, rounded once more) and
 * in float64. */

#include "kernels/cpu/half.h"
#include "kernels/cpu/witness.h"

#include <math.h>

/* UNARY(name, term): `x` is the operand, of the type REAL; F(f) is the C library's f of that type. */
#define FUNCTIONS(UNARY, REAL, F)                                                                            \
    UNARY(reciprocal, REAL, 1 / x)                                                                           \
    UNARY(sqrt, REAL, F(sqrt)(x))                                                                            \
    UNARY(rsqrt, REAL, 1 / F(sqrt)(x))                                                                       \
    UNARY(floor, REAL, F(floor)(x))                                                                          \
    UNARY(ceil, REAL, F(ceil)(x))                                                                            \
    UNARY(trunc, REAL, F(trunc)(x))                                                                          \
    UNARY(round, REAL, F(rint)(x))                                                                           \
    UNARY(relu, REAL, x < 0 ? 0 : x)                                                                         \
    UNARY(exp, REAL, F(exp)(x))                                                                              \
    UNARY(exp2, REAL, F(exp2)(x))                                                                            \
    UNARY(expm1, REAL, F(expm1)(x))                                                                          \
    UNARY(log, REAL, F(log)(x))                                                                              \
    UNARY(log2, REAL, F(log2)(x))                                                                            \
    UNARY(log10, REAL, F(log10)(x))                                                                          \
    UNARY(log1p, REAL, F(log1p)(x))                                                                          \
    UNARY(tanh, REAL, F(tanh)(x))                                                                            \
    UNARY(erf, REAL, F(erf)(x))                                                                              \
    UNARY(erfc, REAL, F(erfc)(x))                                                                            \
    UNARY(sigmoid, REAL, (x < 0 ? F(exp)(x) : 1) / (1 + F(exp)(-F(fabs)(x))))                                \
    UNARY(silu, REAL, x *((x < 0 ? F(exp)(x) : 1) / (1 + F(exp)(-F(fabs)(x)))))                              \
    UNARY(logsigmoid, REAL, (x > 0 ? 0 : x) - F(log1p)(F(exp)(-F(fabs)(x))))                                 \
    UNARY(frac, REAL, x - F(trunc)(x))                                                                       \
    UNARY(hardsigmoid, REAL, (x < -3 ? 0 : x > 3 ? 6 : x + 3) / 6)                                           \
    UNARY(hardswish, REAL, x * ((x < -3 ? 0 : x > 3 ? 6 : x + 3) / 6))                                        \
    UNARY(selu, REAL, (REAL)1.0507009873554804934 * (x > 0 ? x : (REAL)1.6732632423543772848 * F(expm1)(x))) \
    UNARY(mish, REAL, x *F(tanh)((x > 0 ? x : 0) + F(log1p)(F(exp)(-F(fabs)(x)))))                           \
    UNARY(softsign, REAL, x / (1 + F(fabs)(x)))

#define OF_FLOAT(name)  name##f
#define OF_DOUBLE(name) name
#define DEFINE(name, REAL, term)                                                                             \
    static REAL name##_of_##REAL(REAL x)                                                                     \
    {                                                                                                        \
        return term;                                                                                         \
    }
FUNCTIONS(DEFINE, float, OF_FLOAT)
FUNCTIONS(DEFINE, double, OF_DOUBLE)

static const struct row {
    const char *name;
    float (*single)(float x);
    double (*wide)(double x);
} rows[] = {
#define ROW(name_, REAL, term) {#name_, name_##_of_float, name_##_of_double},
    FUNCTIONS(ROW, , OF_DOUBLE)};

enum { ABS = -1, NEG = -2 }; /* variants that change bits alone; the others are numbers of rows */

static void compute(const struct row *row, enum dtype dtype, const unsigned char *from, unsigned char *to)
{
    uint32_t bits = 0;
    double x;
    if (dtype == DTYPE_FLOAT64) {
        memcpy(&x, from, sizeof x);
        x = row->wide(x);
        memcpy(to, &x, sizeof x);
        return;
    }
    memcpy(&bits, from, dtype_info(dtype)->size);
    float y = row->single(dtype == DTYPE_FLOAT16    ? float16_to_float((uint16_t)bits)
                          : dtype == DTYPE_BFLOAT16 ? bfloat16_to_float((uint16_t)bits)
                                                    : half_from_bits32(bits));
    bits = dtype == DTYPE_FLOAT16    ? float16_from_float(y)
           : dtype == DTYPE_BFLOAT16 ? bfloat16_from_float(y)
                                     : half_bits32(y);
    memcpy(to, &bits, dtype_info(dtype)->size);
}

/* The highest bit cleared or turned over; an integer taken from 0, modulo 2^32. */
static void change(int how, enum dtype dtype, const unsigned char *from, unsigned char *to)
{
    size_t size = dtype_info(dtype)->size;
    if (dtype == DTYPE_INT32) {
        uint32_t n;
        memcpy(&n, from, sizeof n);
        n = how == NEG || n >> 31 ? 0 - n : n;
        memcpy(to, &n, sizeof n);
        return;
    }
    memcpy(to, from, size);
    to[size - 1] = how == ABS ? to[size - 1] & 0x7F : to[size - 1] ^ 0x80; /* little-endian */
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)attributes, (void)inputs, (void)outputs;
    enum dtype dtype = input[0].dtype;
    bool changes = op->variant < 0;
    if (!cpu_is_real(dtype) && !(changes && dtype == DTYPE_INT32)) {
        error_set(reason, "the witness has no %s for %s", op->name, dtype_info(dtype)->name);
        return CPU_UNSUPPORTED;
    }
    int64_t count = shape_elements(&output[0].shape);
    for (int64_t i = 0; i < count; i++) {
        if (changes) {
            change(op->variant, dtype, cpu_at(&input[0], i), cpu_at(&output[0], i));
        } else {
            compute(&rows[op->variant], dtype, cpu_at(&input[0], i), cpu_at(&output[0], i));
        }
    }
    return CPU_OK;
}

enum {
#define NUMBER(name, REAL, term) ROW_##name,
    FUNCTIONS(NUMBER, , OF_DOUBLE)
};

#define OP(name_, REAL, term) {.name = #name_, .variant = ROW_##name_, .run = run},
static const struct cpu_op ops[] = {{.name = "abs", .variant = ABS, .run = run},
                                    {.name = "neg", .variant = NEG, .run = run},
                                    FUNCTIONS(OP, , OF_DOUBLE)};

const struct cpu_op_set cpu_op_set_unary = {.op = ops, .count = sizeof ops / sizeof *ops};
