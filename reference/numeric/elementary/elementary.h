/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_ELEMENTARY_H

/* Elementary functions of doubles by + − × ÷ and integers in one fixed order of operations: the same bits on
 * every machine, for any number of elements and any alignment. For every double x,
 *
 *     |f(x) − value| ≤ radius,
 *
 * which docs/explanation/elementary-functions.md proves function by function. The radius is one of
 *
 *   - ELEMENTARY_…_ERROR·|value|: the ordinary case. erfc beyond 11 has ELEMENTARY_ERFC_FAR·|value|. Odd
 *     functions, expm1 and log1p add 2^-1073 at |x| < 2^-900. At subnormal x these have 2^-1074, and
 * logarithms 2^-50·|value|;
 *   - 0: f(x) is value. So for NaN, infinities and zeros, outside the domain of f (as C's Annex F defines
 * it), and where f(x) is known to be a double;
 *   - |value|: f(x) has the sign of value, is not 0, and |f(x)| ≤ 2·|value|. So for results of exp and pow
 * far below the range (value ±2^-1022), and for erfc beyond 26 (2^-1001);
 *   - INFINITY with value ±INFINITY: f(x) is finite, has this sign, and |f(x)| > 2^1022;
 *   - INFINITY with value NaN: f(x) is unknown; use MPFR. This happens only for subnormal x of pow, and for
 * pow where −x is so near 1 that |x|^y is a double although |y| ≥ 2^52; never for float32, float16 or
 * bfloat16.
 *
 * Each function computes `count` elements. Arrays may have any alignment. `value` may be x; other arrays must
 * not overlap. Any number of threads may call at once. Methods: Muller et al., Handbook of Floating-Point
 * Arithmetic (2018), chapters 4, 5 and 10; Cody and Waite (1980) for argument reduction; Payne and Hanek,
 * SIGNUM Newsletter 18 (1983), for large angles; Tang, ACM TOMS 16 (1990), for logarithms from tables. */

#include <stdbool.h>
#include <stddef.h>

/* Lists the functions of one argument as ELEMENTARY(name, error): the function is elementary_name, and
 * `error` its radius relative to its value. */
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
#define ELEMENTARY_ERFC_FAR      0x1p-47 /* for x beyond 11 */
#define ELEMENTARY_ATAN_ERROR    0x1p-50
#define ELEMENTARY_POW_ERROR     0x1p-51

#define ELEMENTARY_DECLARE(name, error)                                                                      \
    void elementary_##name(const double *x, double *value, double *radius, size_t count);
ELEMENTARY_FUNCTIONS(ELEMENTARY_DECLARE)

/* Computes x to the power of y, with the special cases of Annex F's pow; `value` may be x or y. */
void elementary_pow(const double *x, const double *y, double *value, double *radius, size_t count);

/* For tests: selects the loops of one isa, 0 being the generic one; isa < 0 restores the best available, as
 * at the start. Returns false if this build or processor lacks that isa. Do not call it while another thread
 * computes. */
bool elementary_force(int isa);

#endif
