/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_H

/* The determinant of a matrix of doubles: certified log|det| and sign, and how sensitive they are to
 * rounding.
 *
 * Where elimination in double bounds the inverse, one more in integers gives all digits
 * (reference/ops/determinant/determinant_fixed.h). Elsewhere enclosures by Gaussian elimination over intervals on the
 * precision ladder; det = 0 and |det| = 1, which no enclosure of log|det| can settle, are decided in integers
 * (reference/numeric/exact/exact_determinant.h). */

#include "reference/operator/truth.h"

enum { DETERMINANT_TRACES = 8 };

struct determinant {
    int sign;            /* −1, 0, +1: exact */
    struct value logabs; /* log |det|; −infinity when singular */
    int bits;            /* certified relative bits of logabs; INT_MAX when exact */

    /* Upper bounds, the greater of eliminations with partial pivoting of A and of Aᵀ, PA = LU: */
    double condition; /* C = tr(|A⁻¹| |L||U|); infinity when singular. |δ log det| ≤ n·u·C to first order,
                         since LU = A + ΔA with |ΔA| ≤ n·u·|L||U| (Higham, Accuracy and Stability, thm 9.3) */
    double inverse_sum; /* Σ_ij |A⁻¹|_ij: what an absolute error η in each entry can do; infinity when
                           singular */
    /* W = |A⁻¹||L||U|: an admissible |ΔA| ≤ c·|L||U| with c·spr(W) < 1 keeps the sign, and |δ log det| ≤
     * −log det(I − c·W) = Σ_k c^k·tr(W^k)/k, since |tr((A⁻¹ΔA)^k)| ≤ tr((cW)^k); tr(W) alone bounds nothing.
     * All infinite when singular. */
    double trace[DETERMINANT_TRACES]; /* tr(W^k), k = 1 … */
    double radius;                    /* spr(W) */
    double underflow_sum; /* yᵀ|A⁻¹|1·max_j (1 + Σ_k|u_kj|)/y_j with yᵀW ≤ radius·yᵀ: errors of η in each
                             entry and in each multiplier, which row k of U then multiplies, add at most
                             −log(1 − n·η·underflow_sum/(1 − c·radius)): rank one */
    double log_sum;        /* Σ |log |u_ii|| over nonzero pivots */
    int near_one;          /* pivots in [1/2, 2] */
    double log_hadamard;   /* log Π ‖row_i‖₂ ≥ log |det| */
    double log2_abs;       /* log2 |det|, −infinity when singular */
    double log2_frobenius; /* log2 F of what follows */
    double *log2_coefficient; /* [k−1] = log2 of s_{n−k}(σ)·F^k, k = 1..n; F = ‖|L||U|‖_F, s_j the elementary
                                 symmetric functions of the singular values: perturbing A by ε = n·u·F changes
                                 det by at most D = Σ_k coefficient_k·(n·u)^k (Ipsen and Rehman, "Perturbation
                                 bounds for determinants and characteristic polynomials", SIMAX 30 (2008),
                                 cor. 2.7). Owned. */
};

/* a: n×n row-major, finite, n ≥ 1. `least_roundoff`: the smallest u for which D may be asked, `underflow`:
 * the greatest η; coefficients are only computed where spr(c·W) can come near 1 at 8 times the one, or
 * n·η·Σ|A⁻¹| at the other (determinant_coefficients.h), otherwise log2_coefficient is NULL. */
bool determinant_compute(int n, const double *a, double least_roundoff, double underflow,
                         struct determinant *determinant, struct error *error);

/* The same by the ladder and in MPFR alone, as where elimination in double proves nothing. */
bool determinant_by_ziv(int n, const double *a, double least_roundoff, double underflow,
                           struct determinant *determinant, struct error *error);

void determinant_clear(struct determinant *determinant);

/* Sign, log|det|, its log2 and bits alone. */
bool determinant_value(int n, const double *a, struct determinant *determinant, struct error *error);

/* Sensitivities alone, from a plain elimination at `precision` bits; for determinant.c, where elimination in
 * double proves nothing. */
bool determinant_sensitivities(int n, const double *a, double least_roundoff, double underflow,
                               mpfr_prec_t precision, struct determinant *determinant);

#endif
