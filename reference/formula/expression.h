/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_H

/* An operator written once as a formula: a chain of scalar primitives and sums over a row.
 *
 *     x / (1 + exp(-x))
 *     r = rsqrt(mean(x * x) + eps); x * r * weight
 *
 * The formula yields the enclosure at any precision, a double within a proved radius, the error bound, the
 * spread of independent roundings, and the formulas of its gradients. docs/explanation/formulas.md has the
 * mathematics.
 *
 * A formula is any number of statements `name = term;` and one last term, the result. Its operators are, from
 * the strongest: unary minus; * and /; + and −; a comparison (< <= > >= == !=), which may stand only as the
 * condition of a choice; the choice c ? a : b. The functions of one argument are abs sqrt rsqrt exp exp2
 * expm1 log log2 log10 log1p sin cos tan atan tanh erf erfc erfinv lgamma (log|Γ|) digamma sigmoid signbit (1
 * or 0); min, max and pow take two; sum, mean and row_max reduce over the row. Numbers are decimal and exact,
 * however many digits they have; pi, inf and nan are numbers too; n is the length of the row. A term that is
 * written twice is computed twice and rounded independently; a term that has a name is computed once.
 *
 * Special values are those that IEEE 754 and C's Annex F give for the formula, operation by operation; min
 * and max return NaN if an argument is NaN. An operator with other special values states them in its formula:
 * x == -inf ? -0 : x / (1 + exp(-x)).
 *
 * An expression is immutable, so any number of threads may share it. A workspace belongs to one thread. */

#include "reference/operator/primitive_errors.h"
#include "reference/operator/profile.h"
#include "reference/operator/truth.h"

#include <mpfi.h>

enum expression_role {
    EXPRESSION_ELEMENT,  /* an operand with one number for each element */
    EXPRESSION_ROW,      /* an operand with one number for the whole row */
    EXPRESSION_ATTRIBUTE /* one number, which a program rounds to its type */
};

struct expression_input {
    const char *name;
    enum expression_role role;
};

struct expression;

/* Parses a formula. `inputs` lists the names that it may use and ends with a NULL name; names and formula are
 * copied. Returns NULL where the text is no valid formula; `error` then says what is wrong and in which
 * column. The caller destroys the result. */
struct expression *expression_parse(const char *formula, const struct expression_input *inputs,
                                    struct error *error);
void expression_destroy(struct expression **expression); /* accepts NULL, leaves NULL */

bool expression_is_row(const struct expression *expression); /* true if the row has one result: sum(x * x) */
/* Writes the formula with numbered intermediates to `text`, cut off after `size` bytes. */
void expression_print(const struct expression *expression, char *text, size_t size);

/* Returns the formula of Σ grad·∂result/∂input, summed over all results that depend on the input. Its inputs
 * are those of the expression and one more, `grad`, which has one number for each element where the result
 * has, else one for the row. Returns NULL with the reason if `input` is no input, if `grad` already is one,
 * if the formula contains digamma, or without memory. The caller destroys the result. */
struct expression *expression_gradient(const struct expression *expression, const char *input,
                                       const char *grad, struct error *error);

/* A row of n elements. input[k] points to n numbers, or to one number where the input is not of the elements;
 * k is the place of the input among the names. */
struct expression_row {
    int64_t n;
    const double *const *input;
    const double *value, *radius; /* the results of expression_values if they are known, else NULL */
};

struct expression_workspace;
struct expression_workspace *expression_workspace_create(const struct expression *expression); /* or NULL */
void expression_workspace_destroy(struct expression_workspace **workspace);

/* --- tier 1
 *
 * Evaluates a double and a radius for each element, or one for the row: |truth − value| ≤ radius.
 *
 *   radius 0          the truth is value, including NaN, infinities and the sign of a zero
 *   0 < radius < ∞    value is finite, and so is the truth
 *   radius ∞          unknown: the element needs expression_certify
 *
 * It uses + − × ÷, square roots and reference/numeric/elementary/elementary.h in one fixed order, so results
 * have the same bits on every machine. */
void expression_values(struct expression_workspace *workspace, const struct expression_row *row,
                       double *value, double *radius);

/* --- any precision */

/* Encloses one element at this precision; `element` is 0 for a formula with one result for the row. The
 * result is [−inf, inf] or NaN where nothing is known. Infinite and NaN operands are left to tier 1. Returns
 * false when out of memory. */
bool expression_enclose(const struct expression *expression, const struct expression_row *row,
                        int64_t element, mpfr_prec_t precision, mpfi_ptr out);

/* Certifies elements by the precision ladder: all elements, or those that `wanted` marks if it is not NULL.
 * An element that has radius 0 in tier 1 gets its value. A truth beyond 2^±(2^20) is represented by that
 * power with the truth's sign. Lowers *bits to the least number of certified bits. Returns false with the
 * reason when out of memory, or if the precision ladder ends before an element is certified. */
bool expression_certify(struct expression_workspace *workspace, const struct expression_row *row,
                        const bool *wanted, struct value *out, int *bits, struct error *error);

/* --- the certified bound
 *
 * Operation i of a program computes f(arguments) + e_i with |e_i| ≤ Σ_c primitive_error[c]·weight_i[c]: the
 * primitive error that a profile allows class c, times the quantity that measures the class. The error bound
 * is Σ_i |∂result/∂i|·|e_i| with derivatives over all values that legal intermediates may have, so no
 * second-order term is neglected. It equals Σ_c primitive_error[c]·class[c], where class[c] belongs to the
 * element. The classes and the primitive errors of a profile are in
 * reference/operator/primitive_errors.h. */

/* The measures of one element. */
struct expression_measure {
    double class[EXPRESSION_CLASSES]; /* upper bounds; infinite: unbounded */
    bool may_overflow; /* an intermediate may leave the range of the type: the formula gives no bound */
};

/* Measures each element, or the one result of the row. The measures hold under every profile of the same type
 * that allows no more than `widest`, because derivatives are taken over all intermediates that `widest`
 * allows. All classes are 0 where the truth is a special value that every legal program returns. */
void expression_measures(struct expression_workspace *workspace, const struct expression_row *row,
                         const struct primitive_errors *widest, struct expression_measure *measure);

/* Returns the error bound Σ_c primitive_error[c]·class[c] (E_compute of struct op's `bound`), rounded up;
 * infinite if it is unbounded. */
double expression_bound(const struct expression_measure *measure,
                        const struct primitive_errors *primitive_errors);

/* How one of several legal formulas for the same result treats overflow. */
enum expression_form {
    EXPRESSION_FORM_PLAIN,  /* gives no bound where an intermediate may leave the range */
    EXPRESSION_FORM_SCALED, /* programs scale by powers of two: it bounds everywhere */
    EXPRESSION_FORM_NAIVE   /* as plain, but only under the profile's RANGE_NAIVE */
};

/* Returns the greatest bound of the forms that apply; infinite where none applies. */
double expression_forms_bound(const struct expression_measure *measure, const enum expression_form *form,
                              int forms, const struct primitive_errors *primitive_errors, enum range range);

/* Computes the error bound of each element, or of the one result, under one profile; infinite where an
 * intermediate may leave the range. */
void expression_limits(struct expression_workspace *workspace, const struct expression_row *row,
                       const struct primitive_errors *primitive_errors, double *bound);

/* The primitive errors of up to EXPRESSION_KINDS profiles for one type; of[0] must be the widest.
 *
 * `in_range`: a truth beyond the range still gets a bound. A program whose intermediates leave the range has
 * infinities in their place, and the bound covers the results of those unless one may be NaN
 * (reference/formula/expression_range.c). `one_order`: the same for truths within the range, because all
 * programs compute the formula in one order as far as range is concerned. Neither is for formulas with nodes
 * of the row. */
enum { EXPRESSION_KINDS = 4 };
struct expression_kinds {
    int kinds;
    bool in_range, one_order;
    const bool *far; /* for float64, whose range is that of tier 1: true where the truth lies beyond 2^1026;
                        NULL: unknown */
    struct primitive_errors of[EXPRESSION_KINDS];
};

/* As expression_limits, under each of the kinds at once: bound[k] is filled for the k-th. Derivatives are
 * taken over the intermediates of the widest kind, so bounds of the others are wider by a second-order term;
 * an element that is unbounded for this reason alone is computed by itself. Returns true only if every bound
 * is finite; false does not mean that one is infinite. */
bool expression_limits_each(struct expression_workspace *workspace, const struct expression_row *row,
                            const struct expression_kinds *kinds, double *const *bound);

/* --- the envelope (reference/operator/envelope.h)
 *
 * Fills spread and drift of each element for judged tensors of `dtype`. Every operation is one independent
 * rounding; a sum over the row takes the greater of its natural order and the mean over all orders. The
 * caller adds groups. Returns false when out of memory. */
bool expression_envelope(struct expression_workspace *workspace, const struct expression_row *row,
                         enum dtype dtype, struct envelope *envelope);

/* True if every legal program returns the exact result rounded once: the formula is at most one + − × or ÷ of
 * operands, followed by signs and choices. A division counts on condition that the profile allows it no more
 * than half an ulp. */
bool expression_rounds_once(const struct expression *expression);

#endif
