/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_SPECIAL_FUNCTIONS_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_SPECIAL_FUNCTIONS_H

/* erfinv, lgamma and digamma: by MPFR at any precision, as enclosures over intervals, and in doubles within a
 * radius, which tier 1 of a formula uses (docs/explanation/special-functions.md). Special values are
 * PyTorch's:
 *
 *   erfinv    ±∞ at ±1, NaN beyond; ±0 at ±0
 *   lgamma    log|Γ(x)|: ∞ at 0, at negative integers and at ±∞; 0 at 1 and 2
 *   digamma   −∞ at 0, ∞ at −0, NaN at negative integers and −∞, ∞ at ∞ */

#include <mpfi.h>
#include <stdbool.h>
#include <stddef.h>

/* Sets y to the function's value at x rounded downwards (upwards). Returns a negative number, 0 or a positive
 * number where y is below, at or above the exact value. y is as near as its precision allows, except for a
 * few last places of erfinv. */
int special_erfinv(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t down_or_up);
int special_lgamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t round);

/* Set `out` to an enclosure of the function over the interval x, or to [−∞, ∞] where x contains a pole or
 * leaves the domain. Between poles digamma rises, because ψ′ > 0, and log|Γ| is convex, because its second
 * derivative is ψ′: its greatest value is at an end of x, and its tangent at the left end is a lower bound.
 */
void special_enclose_erfinv(mpfi_ptr out, mpfi_srcptr x);
void special_enclose_lgamma(mpfi_ptr out, mpfi_srcptr x);
void special_enclose_digamma(mpfi_ptr out, mpfi_srcptr x);

/* Sets *below and *above to doubles that enclose one of these functions over [low, high]; NaN if an end is
 * NaN. */
void special_interval(void (*enclose)(mpfi_ptr, mpfi_srcptr), double low, double high, double *below,
                      double *above);

/* Sets *value and *radius for one of these functions at x, from an enclosure at 80 bits; the guarantee is
 * that of reference/numeric/elementary/elementary.h. */
void special_point(void (*enclose)(mpfi_ptr, mpfi_srcptr), double x, double *value, double *radius);

/* special_point for `count` elements: from the double functions of reference/numeric/elementary/elementary.h
 * where their radius suffices, else by special_point. */
void special_erfinv_values(const double *x, double *value, double *radius, size_t count);
void special_lgamma_values(const double *x, double *value, double *radius, size_t count);
void special_digamma_values(const double *x, double *value, double *radius, size_t count);

#endif
