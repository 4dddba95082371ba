/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_ELEMENTWISE_H
#define ASSAY_KERNELS_CPU_ELEMENTWISE_H

/* Element-wise functions of the CPU backend. They are computed in float32, in float64, in int64 modulo
 * 2^bits, or on bit patterns; the 16-bit types are computed in float32 and then rounded. A file lists its
 * functions and expands the list once for each type:
 *
 *     #define FUNCTIONS(FUNCTION, REAL, F) FUNCTION(silu, REAL, x / (1 + F(exp)(-x)))
 *     FUNCTIONS(CPU_DEFINE, float, CPU_FLOAT)
 *     FUNCTIONS(CPU_DEFINE, double, CPU_DOUBLE)
 *     static const struct cpu_op ops[] = {FUNCTIONS(CPU_NUMBERS, , )};
 *
 * In a term, x, y and z are one number of each operand, in the order of the operands, or what the views of
 * the operator make of them (reference/ops/elementwise/elementwise_views.h). p[k] is attribute k in the order
 * in which reference/ declares them, converted to the type of the computation. In the gradient of a function
 * of two halves, the number behind the attributes is 0 for the first half and 1 for the second. F(f) is the C
 * library's function f for the type. */

#include "kernels/cpu/cpu_backend.h"

struct cpu_bits { /* bit patterns of a dtype: the sign bit, and infinity (0 for integers) */
    uint64_t sign, infinity;
};

struct cpu_function {
    float (*single)(float x, float y, float z, const float *p);
    double (*wide)(double x, double y, double z, const double *p);
    int64_t (*integer)(int64_t x, int64_t y, int64_t z,
                       const int64_t *p); /* NULL: integers are unsupported */
    uint64_t (*bits)(uint64_t x, uint64_t y, uint64_t z,
                     const struct cpu_bits *form); /* in place of `single` and `wide` */
};

/* Applies op->function to every element of the first output. If that is bool, a result other than 0
 * becomes 1. */
enum cpu_status cpu_elementwise(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                struct error *reason);

#define CPU_FLOAT(name)  name##f
#define CPU_DOUBLE(name) name
#define CPU_DEFINE(name, REAL, term)                                                                         \
    static REAL name##_of_##REAL(REAL x, REAL y, REAL z, const REAL *p)                                      \
    {                                                                                                        \
        (void)x, (void)y, (void)z, (void)p;                                                                  \
        return term;                                                                                         \
    }
#define CPU_DEFINE_INTEGER(name, term)                                                                       \
    static int64_t name##_of_integer(int64_t x, int64_t y, int64_t z, const int64_t *p)                      \
    {                                                                                                        \
        (void)x, (void)y, (void)z, (void)p;                                                                  \
        return term;                                                                                         \
    }
#define CPU_DEFINE_BITS(name, term)                                                                          \
    static uint64_t name##_of_bits(uint64_t x, uint64_t y, uint64_t z, const struct cpu_bits *form)          \
    {                                                                                                        \
        (void)x, (void)y, (void)z, (void)form;                                                               \
        return term;                                                                                         \
    }
#define CPU_OP(name_, ...)                                                                                   \
    {.name = name_, .run = cpu_elementwise, .function = &(const struct cpu_function){__VA_ARGS__}},
#define CPU_NUMBERS(name, REAL, term) CPU_OP(#name, .single = name##_of_float, .wide = name##_of_double)

#endif
