/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_PROFILE_H
#define ASSAY_REFERENCE_OPERATOR_PROFILE_H

/* What a backend promises about its arithmetic. The backend fills a profile, and the bounds read it.
 *
 * The truth never depends on the profile; the acceptance set does. A promise that is not made costs resolving
 * power (a wider bound) but never makes a correct backend fail. Profiles may be copied; their lists belong to
 * the backend that filled them in and live until it is closed. */

#include "reference/base/dtype.h"
#include "reference/operator/primitives.h"

enum rounding {
    ROUNDING_OPEN,
    ROUNDING_RTE
}; /* OPEN: the direction is unspecified, and u doubles (SPIR-V env. §"Precision") */
enum subnormals {
    SUBNORMALS_MAY_FLUSH,
    SUBNORMALS_KEPT
}; /* MAY_FLUSH: subnormal inputs and results may
      become zero */
/* The order in which an operator adds n terms. It determines h, the number of additions that any one term
 * goes through. */
enum summation {
    SUMMATION_UNDECLARED, /* any order: h = n − 1 */
    SUMMATION_DECLARED,   /* the tree that assay's own kernels document, with their form of each statistic */
    SUMMATION_RECURSIVE,  /* one after the other: h = n − 1 */
    SUMMATION_PAIRWISE,   /* halves: h = ⌈log2 n⌉ */
    SUMMATION_BLOCKED     /* `size` running sums, then pairwise: h = ⌈n/size⌉ − 1 + ⌈log2 size⌉ */
};

struct summation_order {
    enum summation kind;
    int64_t size; /* for SUMMATION_BLOCKED; else 0 */
};

struct operator_summation {
    const char *operator_name; /* NULL ends a list */
    struct summation_order order;
};

/* An algorithm that multiplies less than sums of products do. For products of matrices one that multiplies
 * fewer blocks (Strassen, Winograd), down to blocks of `crossover`, whose error is bounded normwise only. For
 * convolutions Winograd's F(m×m, 3×3) with m = `winograd`. 0: it does not use this one. */
struct operator_algorithm {
    const char *operator_name; /* NULL ends a list */
    int64_t crossover;
    int winograd; /* 2 or 4 */
};
enum { FAST_CROSSOVER = 64 }; /* the crossover where "fast" states none */

/* sgn(NaN): NumPy and IEEE 754 give NaN, PyTorch's real sign gives 0. */
enum sgn_nan { SGN_NAN_IS_NAN, SGN_NAN_IS_ZERO };
/* sgn(±0): keep the sign (IEEE 754's view: f(−0) of an odd function is −0), give +0, or leave it open. */
enum sgn_zero { SGN_ZERO_KEPT, SGN_ZERO_POSITIVE, SGN_ZERO_OPEN };

/* Whether the same element in another batch, place or length gets the same bits, or only a result within its
 * bound (for libraries that choose an algorithm by size). Special values must agree in either case. */
enum invariance { INVARIANCE_BITS, INVARIANCE_BOUND };

/* Whether an operator's intermediates stay in range (the sum of squares of a norm is scaled), or only its
 * result does. With RANGE_NAIVE, an overflow or underflow of the naive form is a finding of class RANGE. */
enum range { RANGE_SAFE, RANGE_NAIVE };

/* Whether a backend must refuse the operands that PyTorch refuses, or may accept them. */
enum refusals { REFUSALS_PYTORCH, REFUSALS_OPEN };

/* The sign that slogdet gives for a matrix that holds a NaN: NaN, as for everything computed from one, or
 * whatever elimination leaves, −1, 0, 1 or NaN. */
enum slogdet_nan_sign { SLOGDET_NAN_SIGN_NAN, SLOGDET_NAN_SIGN_NUMBER };

/* Which place argmax returns if several elements are greatest: any, or the first. */
enum tied { TIES_ANY, TIES_FIRST };

/* What a convolution does with a NaN or an infinity whose partner lies in the padding: it leaves the product
 * out, or takes it as NaN; open: either. */
enum padding { PADDING_OPEN, PADDING_SKIPPED, PADDING_ZEROS };
/* What attention gives for a query that no key takes part for: 0 or NaN, always 0, or always NaN. */
enum attention_empty_row { ATTENTION_EMPTY_ROW_OPEN, ATTENTION_EMPTY_ROW_ZERO, ATTENTION_EMPTY_ROW_NAN };

struct profile {
    enum rounding rounding[DTYPE_COUNT];
    enum subnormals subnormals[DTYPE_COUNT];
    bool special_values[DTYPE_COUNT];   /* the rules for NaN, infinity and −0 hold
                                           (SignedZeroInfNanPreserve) */
    enum dtype accumulate[DTYPE_COUNT]; /* type of sums and intermediates of an operator on this dtype */
    enum summation summation;           /* for operators that `summations` does not name */
    int64_t summation_size;             /* its size; profile_summation gives both for one operator */
    enum primitives primitives;
    enum sgn_nan sgn_nan[DTYPE_COUNT];
    enum sgn_zero sgn_zero[DTYPE_COUNT];
    enum invariance invariance;
    enum range range;     /* in the profile for one operator: RANGE_NAIVE if naive_range names it */
    bool documented_form; /* in the profile for one operator: `documented` names it */
    enum refusals refusals;
    enum slogdet_nan_sign slogdet_nan_sign;
    enum tied ties;
    enum padding padding;
    enum attention_empty_row attention_empty_row;
    /* The dtype to which attention on operands of a dtype rounds its probabilities before they multiply
     * values or gradients, and gradients of scores before they multiply keys and queries. */
    enum dtype attention_probabilities[DTYPE_COUNT];
    bool attributes_float32; /* real attributes are held in float32 (program_adapt) */
    bool epsilon_float32;    /* the eps that a 16-bit rms_norm call leaves out is float32's (program_adapt) */
    /* Lists of operator names, ended by NULL; NULL: empty. nondeterministic: repeats may differ within the
     * bound. accumulate_own: intermediates have the dtype of the operands, whatever `accumulate` says.
     * matrix_units: sums of narrower products run on matrix units, with an open order and open roundings.
     * naive_range: intermediates may overflow or underflow. */
    const char *const *nondeterministic;
    const char *const *accumulate_own;
    const char *const *matrix_units;
    const char *const *naive_range;
    const char *const
        *documented; /* operators that may be computed by the formula in PyTorch's documentation */
    const struct operator_summation *summations;
    const struct operator_algorithm *algorithms;
    bool matrix_unit;             /* in the profile for one operator: matrix_units names it */
    bool conversions_via_float32; /* conversions into float16 and bfloat16, from any dtype, may be rounded
                                     to float32 first */
};

/* Returns a strict IEEE 754 profile: rounding to nearest even, subnormals kept, special values, accumulation
 * in the dtype itself, primitives of libm. */
struct profile profile_ieee(void);

/* Return u for the rounding of results (profile_unit_roundoff) and of intermediates
 * (profile_accumulate_roundoff) of an operator on `dtype`; doubled where the direction is open. */
double profile_unit_roundoff(const struct profile *profile, enum dtype dtype);
double profile_accumulate_roundoff(const struct profile *profile, enum dtype dtype);

/* Returns whether the rounding direction is open in the type that holds the sums of an operator on `dtype`.
 */
bool profile_accumulate_is_open(const struct profile *profile, enum dtype dtype);

/* Returns whether results of `dtype` and all intermediates are rounded to nearest. */
bool profile_rounds_to_nearest(const struct profile *profile, enum dtype dtype);

/* Returns the error bound of a sum of products, over Σ|ab|, where each term goes through at most K =
 * `roundings` roundings of the accumulation type. Under round to nearest it is K·u, without restriction on K
 * (Jeannerod and Rump, "Improved error bounds for inner products in floating-point arithmetic", SIMAX 34
 * (2013)); else K·u/(1 − K·u) (Higham, Accuracy and Stability, lemma 3.1), infinite where K·u ≥ 1. */
double profile_sum_error(const struct profile *profile, enum dtype dtype, double roundings);

/* Returns η, the absolute error unit near zero: the least subnormal with gradual underflow, the least normal
 * number where results may be flushed; 0 for dtypes that are not floating. */
double profile_underflow_unit(const struct profile *profile, enum dtype dtype);

/* Returns whether subnormal operands of `dtype` may be replaced by zeros. bfloat16 has the exponent range of
 * float32, so its operands are also lost where its accumulation type float32 may flush. */
bool profile_loses_subnormals(const struct profile *profile, enum dtype dtype);

/* Returns the profile as it holds for one operator; bounds take this form. */
struct profile profile_of_operator(const struct profile *profile, const char *operator_name);

bool profile_is_nondeterministic(const struct profile *profile, const char *operator_name);

/* Returns whether the operator must give a sample in a batch the bits that it gives the sample alone. An
 * operator whose repeats may differ need not, whatever `invariance` says. */
bool profile_is_invariant(const struct profile *profile, const char *operator_name);

/* Returns the declared order of an operator's sums. */
struct summation_order profile_summation(const struct profile *profile, const char *operator_name);

/* Returns h for n terms in this order; −1 for SUMMATION_DECLARED, whose depth only the operator knows. */
double summation_depth(struct summation_order order, double n);

/* Returns the least block of an operator's fast products; 0 if they are classical. */
int64_t profile_fast_crossover(const struct profile *profile, const char *operator_name);

/* Returns the side of a tile of results of an operator's convolutions by Winograd's algorithm, 2 or 4; 0 if
 * they are sums of products. */
int profile_winograd(const struct profile *profile, const char *operator_name);

/* Return the error bound of one primitive evaluated in `dtype` at a result of magnitude y (with argument x
 * for log), as an absolute error. Tables: Vulkan 1.3 specification, appendix "Precision of SPIR-V
 * instructions"; OpenCL C 3.0 §7.4. */
double profile_log_error(const struct profile *profile, enum dtype dtype, double x, double y);
double profile_divide_error(const struct profile *profile, enum dtype dtype, double y);
double profile_sqrt_error(const struct profile *profile, enum dtype dtype, double y);
double profile_rsqrt_error(const struct profile *profile, enum dtype dtype, double y); /* rsqrt, or 1/sqrt */

/* Returns the word for it in profiles: "open", "skipped", "zeros". */
const char *padding_name(enum padding padding);

#endif
