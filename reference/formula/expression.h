/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_H

/* An operator that is a chain of scalar primitives and sums over a row, written once as a formula:
 *
 *     x / (1 + exp(-x))
 *     r = rsqrt(mean(x * x) + eps); x * r * weight
 *
 * From it come the enclosure at any precision, a double within a proved radius, what a bound is made of, the
 * spread of independent roundings, and the formulas of its gradients. docs/explanation/formulas.md has the
 * mathematics.
 *
 * A formula is any number of `name = term;` and one last term, the result. Terms have, in this order of
 * strength: unary minus; * and /; + and −; a comparison (< <= > >= == !=), which stands before ? alone;
 * c ? a : b. Functions: abs sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan atan tanh erf erfc
 * erfinv lgamma (log|Γ|) digamma sigmoid signbit (1 or 0), min max pow of two, and over the row sum, mean and
 * row_max. Numbers are decimal, and exact whatever their digits; pi, inf and nan are numbers too; n is the
 * length of the row. What is written twice is computed twice, with roundings of its own; what has a name is
 * computed once.
 *
 * Special values come out as IEEE 754 and C's Annex F have them for the formula, operation by operation, and
 * min and max pass on NaN. Where an operator's are others it states them: x == -inf ? -0 : x / (1 + exp(-x)).
 *
 * An expression is never changed once it is there: any number of threads. A workspace belongs to one. */

#include "reference/operator/expression_allowances.h"
#include "reference/operator/profile.h"
#include "reference/operator/truth.h"

#include <mpfi.h>

enum expression_role {
    EXPRESSION_ELEMENT,  /* an operand with a number for each element of the row */
    EXPRESSION_ROW,      /* an operand with one number for the row */
    EXPRESSION_ATTRIBUTE /* one number, which a program rounds to the type that it computes in */
};

struct expression_input {
    const char *name;
    enum expression_role role;
};

struct expression;

/* `inputs`: the names that the formula may use, ended by a NULL name; both are copied. NULL with what is
 * wrong, and in which column, where the text is no formula. The caller destroys it. */
struct expression *expression_parse(const char *formula, const struct expression_input *inputs,
                                    struct error *error);
void expression_destroy(struct expression **expression); /* accepts NULL, leaves NULL */

bool expression_is_row(const struct expression *expression); /* one result for the row: sum(x * x) */
/* The formula, its intermediates by number, as far as there is room. */
void expression_print(const struct expression *expression, char *text, size_t size);

/* grad·∂result/∂input, summed over all results that the input goes into: of the same inputs and one more,
 * `grad`, which is of the elements where the result is, else of the row. NULL with the reason where there is
 * no such input, or `grad` is one already, or the formula has a digamma. The caller destroys it. */
struct expression *expression_gradient(const struct expression *expression, const char *input,
                                       const char *grad, struct error *error);

/* n elements; of each input, in the order of the names, n numbers or one. */
struct expression_row {
    int64_t n;
    const double *const *input;
    const double *value,
        *radius; /* what expression_values makes of each element, if that is known; or NULL */
};

struct expression_workspace;
struct expression_workspace *expression_workspace_create(const struct expression *expression); /* or NULL */
void expression_workspace_destroy(struct expression_workspace **workspace);

/* --- tier 1
 *
 * A double within a radius for each element, or one for the row: |truth − value| ≤ radius.
 *
 *   radius 0          the truth is value, NaN, infinities and the sign of a zero too
 *   0 < radius < ∞    value is finite, and so is the truth
 *   radius ∞          not told: to be certified
 *
 * By + − × ÷, square roots and reference/numeric/elementary/elementary.h in one order: the same bits on every machine. */
void expression_values(struct expression_workspace *workspace, const struct expression_row *row,
                       double *value, double *radius);

/* --- any precision */

/* Encloses one element (of a formula with one result for the row: 0) at this precision. [−inf, inf] or NaN
 * where it is not told. Special operands are tier 1's. False when out of memory. */
bool expression_enclose(const struct expression *expression, const struct expression_row *row,
                        int64_t element, mpfr_prec_t precision, mpfi_ptr out);

/* Certifies elements by the precision ladder (beyond 2^±(2^20): that power stands for them), those whose
 * radius tier 1 leaves at 0 by their value: of all elements or, where `wanted` is not NULL, of those that it
 * marks. Lowers *bits to what was certified. */
bool expression_certify(struct expression_workspace *workspace, const struct expression_row *row,
                        const bool *wanted, struct value *out, int *bits, struct error *error);

/* --- the certified bound
 *
 * A program's operation i gives f(arguments) + e, |e| ≤ Σ_c allowance[c]·weight[c]: what a profile allows
 * times what the operation's class is measured by. The bound is Σ_i |∂result/∂i|·|e_i|, the derivatives taken
 * over all values that legal intermediates may have: no neglected second order. So it is Σ_c allowance[c] ·
 * class[c], where class[c] belongs to the element. The classes and a profile's allowances are those of
 * reference/operator/primitive_errors.h. */

/* The classes of one element. */
struct expression_measure {
    double class[EXPRESSION_CLASSES]; /* upper bounds; infinite: not bounded */
    bool may_overflow; /* an intermediate may leave the range of the type: the formula binds nothing here */
};

/* Measures each element, or the one result of the row. Valid under every profile that allows no more than
 * `widest`, of the same type: derivatives are taken over what `widest` lets intermediates be. All 0 where the
 * truth is a special value. */
void expression_measures(struct expression_workspace *workspace, const struct expression_row *row,
                         const struct primitive_errors *widest, struct expression_measure *measure);

/* E_compute of struct op's `bound`: Σ_c allowance·class; infinite where it is no number. */
double expression_bound(const struct expression_measure *measure,
                        const struct primitive_errors *primitive_errors);

/* One of the formulas that are legal ways to the same result. */
enum expression_form {
    EXPRESSION_FORM_PLAIN,  /* binds nothing where an intermediate may leave the range */
    EXPRESSION_FORM_SCALED, /* programs scale by powers of two what would leave it: binds everywhere */
    EXPRESSION_FORM_NAIVE   /* plain, and counts under the profile's RANGE_NAIVE alone */
};

/* The greatest bound of the forms that count; infinite where none does. */
double expression_forms_bound(const struct expression_measure *measure, const enum expression_form *form,
                              int forms, const struct primitive_errors *primitive_errors, enum range range);

/* expression_bound of each element at once, for one profile; infinite where an intermediate may leave the
 * range. */
void expression_limits(struct expression_workspace *workspace, const struct expression_row *row,
                       const struct primitive_errors *primitive_errors, double *bound);

/* Several profiles' allowances, of one type: the first one's are the widest. `in_range`: of a truth that lies
 * beyond the range a program whose intermediates leave it has infinities in their place, and what comes of
 * those is the limit, if no NaN may (reference/formula/expression_range.c); else there is none. `one_order`: of one
 * within it, too, for every program computes the formula in one order, as far as the range goes. Of no
 * formula with nodes of the row. */
enum { EXPRESSION_KINDS = 4 };
struct expression_kinds {
    int kinds;
    bool in_range, one_order;
    const bool *far; /* of float64, whose range is that of tier 1: the truths of these elements lie beyond
                        2^1026. NULL: nothing is known */
    struct primitive_errors of[EXPRESSION_KINDS];
};

/* The same under each at once, bound[k] under the k-th: little more work than under one. Derivatives are
 * taken over what any of them lets intermediates be, so the limits of the first are its own, those of the
 * others by a second order wider; what that leaves without a limit is worked out by itself. Whether all have a
 * limit for sure, which nobody need look at then. */
bool expression_limits_each(struct expression_workspace *workspace, const struct expression_row *row,
                            const struct expression_kinds *kinds, double *const *bound);

/* --- the envelope (reference/operator/envelope.h): spread and drift of each element, for judged tensors of `dtype`.
 * Every operation is one independent rounding, a sum over the row the greater of the natural order and the
 * mean over all orders. The caller adds groups. False when out of memory. */
bool expression_envelope(struct expression_workspace *workspace, const struct expression_row *row,
                         enum dtype dtype, struct envelope *envelope);

/* Whether a legal program gives the exact result rounded once: one + − × or ÷ of operands, or none, then
 * signs and choices. Division: where the profile allows it no more than half a last place. */
bool expression_rounds_once(const struct expression *expression);

#endif
