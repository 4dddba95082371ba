/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of balls: f(x) by reference/numeric/elementary/elementary.h, and the error that the radius of x
 * adds. */

#include "reference/formula/expression_double_intervals.h"
#include "reference/numeric/elementary/elementary.h"
#include "reference/numeric/elementary/special_functions.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>

node_function *const node_functions[NODE_KINDS] = {[NODE_EXP] = elementary_exp,
                                                   [NODE_EXP2] = elementary_exp2,
                                                   [NODE_EXPM1] = elementary_expm1,
                                                   [NODE_LOG] = elementary_log,
                                                   [NODE_LOG2] = elementary_log2,
                                                   [NODE_LOG10] = elementary_log10,
                                                   [NODE_LOG1P] = elementary_log1p,
                                                   [NODE_SIN] = elementary_sin,
                                                   [NODE_COS] = elementary_cos,
                                                   [NODE_TAN] = elementary_tan,
                                                   [NODE_TANH] = elementary_tanh,
                                                   [NODE_ERF] = elementary_erf,
                                                   [NODE_ERFC] = elementary_erfc,
                                                   [NODE_ATAN] = elementary_atan,
                                                   [NODE_ERFINV] = special_erfinv_values,
                                                   [NODE_LGAMMA] = special_lgamma_values,
                                                   [NODE_DIGAMMA] = special_digamma_values};

/* Returns an upper bound of |f'| within r of x, where |f(x)| ≤ s; INFINITY where none is known. Each follows
 * from an equation of the function (docs/explanation/formulas.md). */
static double slope(enum node_kind kind, double x, double r, double s)
{
    bool near = r <= 0x1p-10, right = x > 2 * r, flat = fabs(x) - r >= 27; /* exp(−27²) < 2^-1051 */
    switch (kind) {
    case NODE_EXP:
        return near ? s * (1 + 0x1p-9) : INFINITY;
    case NODE_EXP2:
        return near ? s * 0.6945 : INFINITY;
    case NODE_EXPM1:
        return near ? (s + 1) * (1 + 0x1p-9) : INFINITY;
    case NODE_LOG:
        return right ? 1 / (x - r) : INFINITY;
    case NODE_LOG2:
        return right ? 1.4427 / (x - r) : INFINITY;
    case NODE_LOG10:
        return right ? 0.4343 / (x - r) : INFINITY;
    case NODE_LOG1P:
        return 1 + x > 2 * r ? 1 / (1 + x - r) : INFINITY;
    case NODE_TAN:
        return r * (1 + s * s) <= 0x1p-10 ? (1 + s * s) * (1 + 0x1p-6) : INFINITY;
    case NODE_TANH:
        return fmin(1, fabs(1 - s * s) + 2 * r + 0x1p-47);
    case NODE_ERFC:
        return flat                           ? 0x1p-1050
               : r * (fabs(x) + 2) <= 0x1p-10 ? s * (2 * fabs(x) + 2) * (1 + 0x1p-6)
                                              : 1.1284;
    case NODE_ERF:
        return flat ? 0x1p-1050 : 1.1284;
    case NODE_ATAN: {
        double least = fmax(fabs(x) - r, 0);
        return (1 + 0x1p-50) / (1 + least * least);
    }
    case NODE_ERFINV:
    case NODE_LGAMMA:
    case NODE_DIGAMMA:
        return INFINITY; /* such elements are certified */
    default:
        return 1; /* sin, cos */
    }
}

/* True for increasing functions with f(0) = 0: the sign is that of the argument. */
static bool keeps_sign(enum node_kind kind)
{
    return kind == NODE_EXPM1 || kind == NODE_LOG1P || kind == NODE_TANH || kind == NODE_ERF ||
           kind == NODE_ATAN;
}

MULTIVERSION void balls_function(enum node_kind kind, struct balls out, struct balls x, size_t count)
{
    const bool keeps = keeps_sign(kind);
    int inexact = 0;
    node_functions[kind](x.value, out.value, out.radius, count);
    for (size_t i = 0; i < count; i++) {
        inexact |= x.radius[i] != 0;
    }
    for (size_t i = 0; inexact && i < count; i++) {
        double r = x.radius[i], v = out.value[i];
        if (r > 0) {
            bool known = r < INFINITY && fabs(v) < INFINITY && out.radius[i] < INFINITY;
            double moved = known ? r * slope(kind, x.value[i], r, fabs(v) + out.radius[i]) : INFINITY;
            double radius = balls_wider(out.radius[i] + moved), half = balls_wider((fabs(v) + radius) / 2);
            bool side = keeps && r <= fabs(x.value[i]) && radius > fabs(v); /* (0, 2·half) */
            out.radius[i] = side ? half : radius;
            out.value[i] = !(radius < INFINITY) ? NAN : side ? copysign(half, x.value[i]) : v;
        }
    }
}

/* ∂(x^y) = x^y·(y/x·∂x + log x·∂y), |log x| ≤ 0.7·(|exponent| + 1). */
void balls_pow(struct balls out, struct balls x, struct balls y, size_t count)
{
    elementary_pow(x.value, y.value, out.value, out.radius, count);
    for (size_t i = 0; i < count; i++) {
        double a = x.value[i], b = y.value[i], ra = x.radius[i], rb = y.radius[i];
        if (ra + rb > 0) {
            int exponent = 0;
            frexp(a, &exponent);
            double s = fabs(out.value[i]) + out.radius[i], log_most = 0.7 * (fabs((double)exponent) + 1);
            double moved = a > 2 * ra ? (fabs(b) + rb) / (a - ra) * ra + log_most * rb : INFINITY;
            bool known = moved <= 0x1p-10 && s < INFINITY;
            out.radius[i] = known ? balls_wider(out.radius[i] + s * (1 + 0x1p-8) * moved) : INFINITY;
            out.value[i] = known ? out.value[i] : NAN;
        }
    }
}
