/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_PROFILE_H
#define ASSAY_REFERENCE_OPERATOR_PROFILE_H

/* What a backend promises about its arithmetic: filled by the backend, read by the bounds.
 *
 * The truth never depends on it; the acceptance set does. A promise that is not made costs resolving power (a
 * wider bound), never a false accusation. Copy freely: the lists belong to the backend that filled it in, and
 * live as long as that is open. */

#include "reference/base/dtype.h"
#include "reference/operator/primitives.h"

enum rounding {
    ROUNDING_OPEN,
    ROUNDING_RTE
}; /* direction unspecified: u doubles (SPIR-V env. §"Precision") */
enum subnormals { SUBNORMALS_MAY_FLUSH, SUBNORMALS_KEPT }; /* inputs and results may be flushed to a zero */
/* The order in which an operator adds n terms, and so h, the additions that any one of them goes through. */
enum summation {
    SUMMATION_UNDECLARED, /* any: h = n − 1 */
    SUMMATION_DECLARED,   /* the tree that assay's own kernels document, and their form of each statistic */
    SUMMATION_RECURSIVE,  /* one after the other: n − 1 */
    SUMMATION_PAIRWISE,   /* halves: ⌈log2 n⌉ */
    SUMMATION_BLOCKED     /* `size` running sums, then pairwise: ⌈n/size⌉ − 1 + ⌈log2 size⌉ */
};

struct summation_order {
    enum summation kind;
    int64_t size; /* of SUMMATION_BLOCKED; else 0 */
};

struct operator_summation {
    const char *operator_name; /* NULL ends a list */
    struct summation_order order;
};

/* Products by a bilinear algorithm that multiplies fewer blocks (Strassen, Winograd), down to blocks of
 * `crossover`: its error is bounded normwise only. */
struct operator_algorithm {
    const char *operator_name; /* NULL ends a list */
    int64_t crossover;
};
enum { FAST_CROSSOVER = 64 }; /* where "fast" states none */

/* sgn(NaN): NumPy and IEEE 754 give NaN, PyTorch's real sign gives 0. */
enum sgn_nan { SGN_NAN_IS_NAN, SGN_NAN_IS_ZERO };
/* sgn(±0): keep the sign (IEEE 754's view: f(−0) of an odd function is −0), give +0, or leave it open. */
enum sgn_zero { SGN_ZERO_KEPT, SGN_ZERO_POSITIVE, SGN_ZERO_OPEN };

/* The same element in another batch, place or length: the same bits, or only within its bound (libraries that
 * choose an algorithm by size). Special values must agree in either case. */
enum invariance { INVARIANCE_BITS, INVARIANCE_BOUND };

/* Whether an operator's intermediates keep the range (the sum of squares of a norm is scaled), or only its
 * result does: what a naive form overflows or underflows is then a finding of class RANGE. */
enum range { RANGE_SAFE, RANGE_NAIVE };

/* Operands that PyTorch refuses must be refused, or may be taken. */
enum refusals { REFUSALS_PYTORCH, REFUSALS_OPEN };

/* slogdet of a matrix that holds a NaN: sign NaN, as of all that comes of one, or whatever elimination
 * leaves, −1, 0, 1 or NaN.
 */
enum slogdet_nan_sign { SLOGDET_NAN_SIGN_NAN, SLOGDET_NAN_SIGN_NUMBER };

/* Of several elements that lead (argmax), the place of any, or of the first one, is returned. */
enum tied { TIES_ANY, TIES_FIRST };

struct profile {
    enum rounding rounding[DTYPE_COUNT];
    enum subnormals subnormals[DTYPE_COUNT];
    bool special_values[DTYPE_COUNT];   /* rules on NaN, infinity and −0 hold (SignedZeroInfNanPreserve) */
    enum dtype accumulate[DTYPE_COUNT]; /* type of sums and intermediates of an operator on this dtype */
    enum summation summation;           /* of operators that `summations` does not name, */
    int64_t summation_size;             /* and its size: profile_summation answers for an operator */
    enum primitives primitives;
    enum sgn_nan sgn_nan[DTYPE_COUNT];
    enum sgn_zero sgn_zero[DTYPE_COUNT];
    enum invariance invariance;
    enum range range;     /* of the profile for one operator: RANGE_NAIVE where naive_range names it */
    bool documented_form; /* of the profile for one operator: `documented` names it */
    enum refusals refusals;
    enum slogdet_nan_sign slogdet_nan_sign;
    enum tied ties;
    bool attributes_float32; /* real attributes are held in float32 (program_adapt) */
    bool epsilon_float32;    /* the eps that 16-bit rms_norm leaves out is float32's (program_adapt) */
    /* Lists that end in NULL, of any length; NULL: empty. Operators whose repeats may differ within the
     * bound; whose intermediates have the operands' own dtype, whatever `accumulate` says of the rest; whose
     * sums of narrower products matrix units take, in an order and with roundings that are open; whose
     * intermediates may leave the range. */
    const char *const *nondeterministic;
    const char *const *accumulate_own;
    const char *const *matrix_units;
    const char *const *naive_range;
    const char *const
        *documented; /* operators that may be computed by the formula of PyTorch's documentation */
    const struct operator_summation *summations;
    const struct operator_algorithm *fast;
    bool matrix_unit;             /* of the profile for one operator: it is among matrix_units */
    bool conversions_via_float32; /* into float16 and bfloat16, from any dtype: may be rounded to float32
                                     first */
};

/* A strict IEEE 754 profile: RTE, subnormals kept, special values, accumulation in the dtype itself, libm. */
struct profile profile_ieee(void);

/* u of the rounding of results, and of intermediates, of an operator on `dtype`; doubled where direction is
 * open. */
double profile_unit_roundoff(const struct profile *profile, enum dtype dtype);
double profile_accumulate_roundoff(const struct profile *profile, enum dtype dtype);

/* Whether the direction of rounding is open where sums of an operator on `dtype` are held. */
bool profile_accumulate_is_open(const struct profile *profile, enum dtype dtype);

/* Whether results of dtype are rounded to nearest, and whatever is computed on the way to them. */
bool profile_rounds_to_nearest(const struct profile *profile, enum dtype dtype);

/* What a sum of products may be off by, over Σ|ab|, where each term goes through at most so many roundings
 * of the accumulation type: K·u under round to nearest, without restriction on K (Jeannerod and Rump,
 * "Improved error bounds for inner products in floating-point arithmetic", SIMAX 34 (2013)); else K·u/(1 −
 * K·u) (Higham, Accuracy and Stability, lemma 3.1), infinite where K·u ≥ 1. */
double profile_sum_error(const struct profile *profile, enum dtype dtype, double roundings);

/* η: the least positive error unit near zero: least subnormal with gradual underflow, least normal if
 * flushing. */
double profile_underflow_unit(const struct profile *profile, enum dtype dtype);

/* Whether subnormal operands of `dtype` may be taken for zeros; bfloat16's are float32's as well. */
bool profile_loses_subnormals(const struct profile *profile, enum dtype dtype);

/* The profile as it holds for one operator: the one that bounds are given. */
struct profile profile_of_operator(const struct profile *profile, const char *operator_name);

bool profile_is_nondeterministic(const struct profile *profile, const char *operator_name);

/* Whether the operator gives a sample the bits that it gives it alone: what differs from run to run cannot,
 * whatever `invariance` says of the others. */
bool profile_is_invariant(const struct profile *profile, const char *operator_name);

/* The declared order of an operator's sums. */
struct summation_order profile_summation(const struct profile *profile, const char *operator_name);

/* h of n terms in this order; −1 where that is the operator's own affair (SUMMATION_DECLARED). */
double summation_depth(struct summation_order order, double n);

/* The least block of an operator's fast products; 0: they are classical. */
int64_t profile_fast_crossover(const struct profile *profile, const char *operator_name);

/* Allowance of one primitive evaluated in `dtype` at a result of magnitude y (argument x where it matters),
 * as an absolute error. Tables: Vulkan 1.3 specification, appendix "Precision of SPIR-V instructions"; OpenCL
 * C 3.0 §7.4. */
double profile_log_error(const struct profile *profile, enum dtype dtype, double x, double y);
double profile_divide_error(const struct profile *profile, enum dtype dtype, double y);
double profile_sqrt_error(const struct profile *profile, enum dtype dtype, double y);
double profile_rsqrt_error(const struct profile *profile, enum dtype dtype, double y); /* or 1/sqrt */

#endif
