/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_SPECIAL_FUNCTIONS_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_SPECIAL_FUNCTIONS_H

/* erfinv, lgamma and digamma by MPFR, at any precision and, as tier 1 of a formula has them, in doubles
 * within a radius (docs/explanation/special-functions.md). Special values are PyTorch's:
 *
 *   erfinv    ±∞ at ±1, NaN beyond; ±0 at ±0
 *   lgamma    log|Γ(x)|: ∞ at 0, at negative integers and at ±∞; 0 at 1 and 2
 *   digamma   −∞ at 0, ∞ at −0, NaN at negative integers and −∞, ∞ at ∞ */

#include <mpfi.h>
#include <stdbool.h>
#include <stddef.h>

/* Of x the function's value rounded downwards (upwards): below, above or at it, and as near as the precision
 * of y allows, but for some last places of erfinv. */
int special_erfinv(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t down_or_up);
int special_lgamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t round);

/* Enclosures over an interval; [−∞, ∞] where that holds a pole or reaches beyond the domain. digamma rises
 * between poles, for ψ′ > 0; log|Γ| is convex there, for its second derivative is ψ′: its greatest value is
 * at an end, and its tangent at the left one lies below it. */
void special_enclose_erfinv(mpfi_ptr out, mpfi_srcptr x);
void special_enclose_lgamma(mpfi_ptr out, mpfi_srcptr x);
void special_enclose_digamma(mpfi_ptr out, mpfi_srcptr x);

/* Doubles below and above one of these over [low, high]; NaN of NaN. */
void special_interval(void (*enclose)(mpfi_ptr, mpfi_srcptr), double low, double high, double *below,
                      double *above);

/* A double within a radius of one of these at x, as reference/numeric/elementary/elementary.h means it: of an enclosure at 80
 * bits. */
void special_point(void (*enclose)(mpfi_ptr, mpfi_srcptr), double x, double *value, double *radius);

/* The same of each: by reference/numeric/elementary/elementary.h where that tells enough, else special_point. */
void special_erfinv_values(const double *x, double *value, double *radius, size_t count);
void special_lgamma_values(const double *x, double *value, double *radius, size_t count);
void special_digamma_values(const double *x, double *value, double *radius, size_t count);

#endif
