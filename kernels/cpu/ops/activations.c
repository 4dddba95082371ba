/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Activations with attributes, and gradients of activations (kernels/cpu/elementwise.h). In a gradient x is
 * grad_output and y the input; in those of sigmoid and tanh y is the output. */

#include "kernels/cpu/elementwise.h"

#include <math.h>

#define SIGMOID(F, t)  (((t) < 0 ? F(exp)(t) : 1) / (1 + F(exp)(-F(fabs)(t))))
#define REST(F, t)     (((t) < 0 ? 1 : F(exp)(-(t))) / (1 + F(exp)(-F(fabs)(t)))) /* 1 − sigmoid */
#define GAUSS(F, t)    (F(erfc)(-(t) / F(sqrt)(2)) / 2)
#define INNER(REAL, t) ((REAL)0.79788456080286536 * ((t) + (REAL)0.044715 * (t) * (t) * (t)))
#define STEEP(REAL, t) ((REAL)0.79788456080286536 * (1 + (REAL)0.134145 * (t) * (t)))
#define SOFTPLUS(F, t) (((t) > 0 ? (t) : 0) + F(log1p)(F(exp)(-F(fabs)(t))))

#define ACTIVATIONS(FUNCTION, REAL, F)                                                                       \
    FUNCTION(gelu, REAL, p[0] != 0 ? x * SIGMOID(F, 2 * INNER(REAL, x)) : x * GAUSS(F, x))                   \
    FUNCTION(elu, REAL, x > 0 ? x : p[0] * F(expm1)(x))                                                      \
    FUNCTION(celu, REAL, x > 0 ? x : p[0] * F(expm1)(x / p[0]))                                              \
    FUNCTION(leaky_relu, REAL, x > 0 ? x : p[0] * x)                                                         \
    FUNCTION(softplus, REAL, x *p[0] > p[1] ? x : SOFTPLUS(F, x * p[0]) / p[0])                              \
    FUNCTION(hardtanh, REAL, (x < p[0] ? p[0] : x) > p[1] ? p[1] : x < p[0] ? p[0] : x)                      \
    FUNCTION(prelu, REAL, x > 0 ? x : y * x)                                                                 \
    FUNCTION(glu, REAL, x *SIGMOID(F, y))                                                                    \
    FUNCTION(swiglu, REAL, x *SIGMOID(F, x) * y)

/* d tanh(softplus(t)) = sigmoid(t)·(1 − tanh²) = 4·sigmoid(t)·w/(w + 1)² by w = (1 + e^t)², here by its
 * reciprocal where that overflows. */
#define MISH(F, t) F(tanh)(SOFTPLUS(F, t))
#define LEVEL(F, t)                                                                                          \
    ((t) < 0 ? 4 * (1 + F(exp)(t)) * (1 + F(exp)(t)) / SQUARE((1 + F(exp)(t)) * (1 + F(exp)(t)) + 1)         \
             : 4 * SQUARE(F(exp)(-(t)) * (1 + F(exp)(-(t)))) /                                               \
                   SQUARE(1 + 2 * F(exp)(-(t)) + 2 * F(exp)(-2 * (t))))
#define SQUARE(t) ((t) * (t))

#define GRADIENTS(FUNCTION, REAL, F)                                                                         \
    FUNCTION(sigmoid_backward, REAL, x *((1 - y) * y))                                                       \
    FUNCTION(tanh_backward, REAL, x *(1 - y * y))                                                            \
    FUNCTION(relu_backward, REAL, y <= 0 ? 0 : x)                                                            \
    FUNCTION(silu_backward, REAL, x *(SIGMOID(F, y) * (1 + y * REST(F, y))))                                 \
    FUNCTION(logsigmoid_backward, REAL, x *REST(F, y))                                                       \
    FUNCTION(mish_backward, REAL, x *(MISH(F, y) + y * SIGMOID(F, y) * LEVEL(F, y)))                         \
    FUNCTION(selu_backward, REAL,                                                                            \
             (REAL)1.0507009873554804934 * (y > 0 ? x : x * ((REAL)1.6732632423543772848 * F(exp)(y))))      \
    FUNCTION(softsign_backward, REAL, x / (1 + F(fabs)(y)) / (1 + F(fabs)(y)))                               \
    FUNCTION(hardsigmoid_backward, REAL, y > -3 && y < 3 ? x / 6 : 0)                                        \
    FUNCTION(hardswish_backward, REAL, y <= -3 ? 0 : y < 3 ? x * (y / 3 + (REAL)0.5) : x)                    \
    FUNCTION(gelu_backward, REAL,                                                                            \
             p[0] != 0 && F(fabs)(y) > 50 ? x * (y > 0) /* the cube overflows */                             \
             : p[0] != 0                                                                                     \
                 ? x * (SIGMOID(F, 2 * INNER(REAL, y)) + 2 * y * SIGMOID(F, 2 * INNER(REAL, y)) *            \
                                                             REST(F, 2 * INNER(REAL, y)) * STEEP(REAL, y))   \
                 : x * (GAUSS(F, y) + y * (REAL)0.39894228040143268 * F(exp)(-y * y / 2)))                   \
    FUNCTION(elu_backward, REAL, y > 0 ? x : x * (p[0] * F(exp)(y)))                                         \
    FUNCTION(celu_backward, REAL, y > 0 ? x : x * F(exp)(y / p[0]))                                          \
    FUNCTION(leaky_relu_backward, REAL, y > 0 ? x : x * p[0])                                                \
    FUNCTION(softplus_backward, REAL, y *p[0] > p[1] ? x : x * SIGMOID(F, y * p[0]))                         \
    FUNCTION(hardtanh_backward, REAL, y <= p[0] || y >= p[1] ? 0 : x)                                        \
    FUNCTION(prelu_backward, REAL, y > 0 ? x : z * x)                                                        \
    FUNCTION(glu_backward, REAL, p[1] != 0 ? x * (y * (SIGMOID(F, z) * REST(F, z))) : x * SIGMOID(F, z))

ACTIVATIONS(CPU_DEFINE, float, CPU_FLOAT)
ACTIVATIONS(CPU_DEFINE, double, CPU_DOUBLE)
GRADIENTS(CPU_DEFINE, float, CPU_FLOAT)
GRADIENTS(CPU_DEFINE, double, CPU_DOUBLE)

static const struct cpu_op ops[] = {ACTIVATIONS(CPU_NUMBERS, , ) GRADIENTS(CPU_NUMBERS, , )};

const struct cpu_op_set cpu_op_set_activations = {.op = ops, .count = sizeof ops / sizeof *ops};
