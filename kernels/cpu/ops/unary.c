/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of one number (kernels/cpu/elementwise.h). sin, cos and tan are computed in long double, because
 * those of glibc for double are off by 10^4 ulp next to large multiples of π/2 (2.36:
 * cos(0x1.e109a7163f279p962)). */

#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/special.h"

#include <math.h>

#define TANH(F, x) F(tanh)(x)

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
    UNARY(sin, REAL, (REAL)sinl(x))                                                                          \
    UNARY(cos, REAL, (REAL)cosl(x))                                                                          \
    UNARY(tan, REAL, (REAL)tanl(x))                                                                          \
    UNARY(asin, REAL, F(asin)(x))                                                                            \
    UNARY(acos, REAL, F(acos)(x))                                                                            \
    UNARY(atan, REAL, F(atan)(x))                                                                            \
    UNARY(sinh, REAL, F(sinh)(x))                                                                            \
    UNARY(cosh, REAL, F(cosh)(x))                                                                            \
    UNARY(asinh, REAL, F(asinh)(x))                                                                          \
    UNARY(acosh, REAL, F(acosh)(x))                                                                          \
    UNARY(atanh, REAL, F(atanh)(x))                                                                          \
    UNARY(logit, REAL, F(log)(x / (1 - x)))                                                                  \
    UNARY(tanh, REAL, TANH(F, x))                                                                            \
    UNARY(erf, REAL, F(erf)(x))                                                                              \
    UNARY(erfc, REAL, F(erfc)(x))                                                                            \
    UNARY(erfinv, REAL, (REAL)cpu_erfinv(x))                                                                 \
    UNARY(lgamma, REAL, F(lgamma)(x))                                                                        \
    UNARY(digamma, REAL, (REAL)cpu_digamma(x))                                                               \
    UNARY(sigmoid, REAL, (x < 0 ? F(exp)(x) : 1) / (1 + F(exp)(-F(fabs)(x))))                                \
    UNARY(silu, REAL, x *((x < 0 ? F(exp)(x) : 1) / (1 + F(exp)(-F(fabs)(x)))))                              \
    UNARY(logsigmoid, REAL, (x > 0 ? 0 : x) - F(log1p)(F(exp)(-F(fabs)(x))))                                 \
    UNARY(frac, REAL, x - F(trunc)(x))                                                                       \
    UNARY(hardsigmoid, REAL, (x < -3 ? 0 : x > 3 ? 6 : x + 3) / 6)                                           \
    UNARY(hardswish, REAL, x *((x < -3 ? 0 : x > 3 ? 6 : x + 3) / 6))                                        \
    UNARY(selu, REAL, (REAL)1.0507009873554804934 * (x > 0 ? x : (REAL)1.6732632423543772848 * F(expm1)(x))) \
    UNARY(mish, REAL, x *F(tanh)((x > 0 ? x : 0) + F(log1p)(F(exp)(-F(fabs)(x)))))                           \
    UNARY(sinc, REAL, x == 0 ? 1 : (REAL)(sinl(acosl(-1) * x) / (acosl(-1) * x)))                            \
    UNARY(softsign, REAL, x / (1 + F(fabs)(x)))

FUNCTIONS(CPU_DEFINE, float, CPU_FLOAT)
FUNCTIONS(CPU_DEFINE, double, CPU_DOUBLE)
CPU_DEFINE_BITS(abs, x & ~form->sign)
CPU_DEFINE_BITS(neg, x ^ form->sign)
CPU_DEFINE_INTEGER(abs, x < 0 ? (int64_t)(0 - (uint64_t)x) : x)
CPU_DEFINE_INTEGER(neg, (int64_t)(0 - (uint64_t)x))

static const struct cpu_op ops[] = {CPU_OP("abs", .bits = abs_of_bits, .integer = abs_of_integer) CPU_OP(
    "neg", .bits = neg_of_bits, .integer = neg_of_integer) FUNCTIONS(CPU_NUMBERS, , )};

const struct cpu_op_set cpu_op_set_unary = {.op = ops, .count = sizeof ops / sizeof *ops};
