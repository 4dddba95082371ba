/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_H

/* Elementary functions of doubles by + − × ÷ and integers alone, in one order of operations: the same bits on
 * every machine, with any count of elements and any alignment. For every double x,
 *
 *     |f(x) − value| ≤ radius,
 *
 * which is proved function by function in docs/explanation/elementary-functions.md and not only observed. It
 * is one of
 *
 *   - radius = ELEMENTARY_…_ERROR·|value|: the ordinary case (erfc beyond 11: ELEMENTARY_ERFC_FAR·|value|;
 *     2^-1073 more at |x| < 2^-900 of the functions that are odd, and of expm1 and log1p). Of subnormal x
 *     2^-1074 of those, and 2^-50·|value| of logarithms;
 *   - radius = 0: f(x) is value: of NaN, infinities and zeros, outside f's domain, as C's Annex F has it,
 *     and where f(x) is known to be a double;
 *   - radius = |value|: f(x) has the sign of value, is not 0, and |f(x)| ≤ 2·|value|: what exp and pow leave
 *     far below (value ±2^-1022), and erfc beyond 26 (2^-1001);
 *   - radius = INFINITY, value ±INFINITY: f(x) is finite, of this sign, and |f(x)| > 2^1022;
 *   - radius = INFINITY, value NaN: f(x) is not told here, go to MPFR.
 *
 * Not told are: subnormal x of pow; pow where −x is so near 1 that |x|^y is a double though |y| ≥ 2^52. No
 * float32, float16 or bfloat16 is among them.
 *
 * Each takes `count` elements; arrays may be of any alignment. value may be x, else none may overlap another.
 * Any number of threads. Methods: Muller et al., Handbook of Floating-Point Arithmetic (2018), chapters 4, 5
 * and 10; Cody and Waite (1980) for reductions; Payne and Hanek, SIGNUM Newsletter 18 (1983), for large
 * angles; Tang, ACM TOMS 16 (1990), for logarithms from tables. */

#include <stdbool.h>
#include <stddef.h>

/* Of one argument: ELEMENTARY(name, error): elementary_name, its radius relative to its value. */
#define ELEMENTARY_FUNCTIONS(ELEMENTARY)                                                                     \
    ELEMENTARY(exp, ELEMENTARY_EXP_ERROR)                                                                    \
    ELEMENTARY(log, ELEMENTARY_LOG_ERROR)                                                                    \
    ELEMENTARY(tanh, ELEMENTARY_TANH_ERROR)                                                                  \
    ELEMENTARY(erf, ELEMENTARY_ERF_ERROR)                                                                    \
    ELEMENTARY(sin, ELEMENTARY_SIN_ERROR)                                                                    \
    ELEMENTARY(cos, ELEMENTARY_COS_ERROR)                                                                    \
    ELEMENTARY(expm1, ELEMENTARY_EXPM1_ERROR)                                                                \
    ELEMENTARY(log1p, ELEMENTARY_LOG1P_ERROR)                                                                \
    ELEMENTARY(exp2, ELEMENTARY_EXP2_ERROR)                                                                  \
    ELEMENTARY(log2, ELEMENTARY_LOG2_ERROR)                                                                  \
    ELEMENTARY(log10, ELEMENTARY_LOG10_ERROR)                                                                \
    ELEMENTARY(tan, ELEMENTARY_TAN_ERROR)                                                                    \
    ELEMENTARY(sigmoid, ELEMENTARY_SIGMOID_ERROR)                                                            \
    ELEMENTARY(erfc, ELEMENTARY_ERFC_ERROR)                                                                  \
    ELEMENTARY(atan, ELEMENTARY_ATAN_ERROR)

#define ELEMENTARY_EXP_ERROR     0x1p-51
#define ELEMENTARY_LOG_ERROR     0x1p-51
#define ELEMENTARY_TANH_ERROR    0x1p-50
#define ELEMENTARY_ERF_ERROR     0x1p-50
#define ELEMENTARY_SIN_ERROR     0x1p-51
#define ELEMENTARY_COS_ERROR     0x1p-51
#define ELEMENTARY_EXPM1_ERROR   0x1p-50
#define ELEMENTARY_LOG1P_ERROR   0x1p-51
#define ELEMENTARY_EXP2_ERROR    0x1p-51
#define ELEMENTARY_LOG2_ERROR    0x1p-50
#define ELEMENTARY_LOG10_ERROR   0x1p-50
#define ELEMENTARY_TAN_ERROR     0x1p-50
#define ELEMENTARY_SIGMOID_ERROR 0x1p-50
#define ELEMENTARY_ERFC_ERROR    0x1p-50
#define ELEMENTARY_ERFC_FAR      0x1p-47 /* beyond 11 */
#define ELEMENTARY_ATAN_ERROR    0x1p-50
#define ELEMENTARY_POW_ERROR     0x1p-51

#define ELEMENTARY_DECLARE(name, error)                                                                      \
    void elementary_##name(const double *x, double *value, double *radius, size_t count);
ELEMENTARY_FUNCTIONS(ELEMENTARY_DECLARE)

/* x to the power of y, as Annex F's pow; value may be x or y. */
void elementary_pow(const double *x, const double *y, double *value, double *radius, size_t count);

/* For tests: the loops of this machine alone, 0 the plainest; < 0: the best that there is, as at the start.
 * False where this machine or this build has no such. Not while others count. */
bool elementary_force(int isa);

#endif
