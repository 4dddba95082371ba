/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_H
#define ASSAY_REFERENCE_OPS_DETERMINANT_DETERMINANT_H

/* The determinant of a matrix of doubles: certified sign and log|det|, and their sensitivities to rounding.
 *
 * If elimination in double yields a bound of the inverse (determinant_verified.h), a second elimination in
 * integers yields log|det| (determinant_fixed.h). Otherwise intervals are eliminated on the precision ladder.
 * No enclosure of log|det| can prove det = 0 or |det| = 1; exact integer arithmetic decides these
 * (reference/numeric/exact/exact_determinant.h). */

#include "reference/operator/truth.h"

enum { DETERMINANT_TRACES = 8 };

struct determinant {
    int sign;            /* −1, 0, +1: exact */
    struct value logabs; /* log |det|; −infinity when singular */
    int bits;            /* certified relative bits of logabs; INT_MAX when exact */

    /* The rest are upper bounds, each the greater of the eliminations PA = LU of A and of Aᵀ with partial
     * pivoting. */
    double condition; /* C = tr(|A⁻¹| |L||U|); infinity when singular. |δ log det| ≤ n·u·C to first order,
                         since LU = A + ΔA with |ΔA| ≤ n·u·|L||U| (Higham, Accuracy and Stability, thm 9.3) */
    double inverse_sum; /* Σ_ij |A⁻¹|_ij; errors of at most η in each entry change log|det| by at most
                           η·inverse_sum to first order; infinity when singular */
    /* With W = |A⁻¹||L||U|, every |ΔA| ≤ c·|L||U| with c·spr(W) < 1 keeps the sign, and |δ log det| ≤
     * −log det(I − c·W) = Σ_k c^k·tr(W^k)/k, since |tr((A⁻¹ΔA)^k)| ≤ tr((cW)^k); c·tr(W) alone is no bound.
     * The next three are infinite when singular. */
    double trace[DETERMINANT_TRACES]; /* tr(W^k), k = 1 … */
    double radius;                    /* spr(W) */
    double underflow_sum; /* yᵀ|A⁻¹|1·max_j (1 + Σ_k|u_kj|)/y_j with yᵀW ≤ radius·yᵀ. Errors of η in each
                             entry and in each multiplier, by which row k of U is multiplied, add at most
                             −log(1 − n·η·underflow_sum/(1 − c·radius)), a perturbation of rank one */
    double log_sum;        /* Σ |log |u_ii|| over nonzero pivots */
    int near_one;          /* pivots in [1/2, 2] */
    double log_hadamard;   /* log Π ‖row_i‖₂ ≥ log |det| */
    double log2_abs;       /* log2 |det|, −infinity when singular */
    double log2_frobenius; /* log2 F, F as in log2_coefficient; 0 if that is NULL */
    double *log2_coefficient; /* [k−1] = log2 of s_{n−k}(σ)·F^k, k = 1..n; F = ‖|L||U|‖_F, s_j the elementary
                                 symmetric functions of the singular values: perturbing A by ε = n·u·F changes
                                 det by at most D = Σ_k coefficient_k·(n·u)^k (Ipsen and Rehman, "Perturbation
                                 bounds for determinants and characteristic polynomials", SIMAX 30 (2008),
                                 cor. 2.7). Owned. */
};

/* Fills `determinant`; a: n×n row-major, finite, n ≥ 1. log2_coefficient stays NULL unless
 * determinant_needs_coefficients (determinant_coefficients.h) with the least unit roundoff u and the greatest
 * underflow unit η that bounds will be computed for. False with the reason: out of memory, or the precision
 * precision ladder has reached its cap. */
bool determinant_compute(int n, const double *a, double least_roundoff, double underflow,
                         struct determinant *determinant, struct error *error);

/* The same without elimination in double: by the precision ladder and in MPFR. */
bool determinant_by_ziv(int n, const double *a, double least_roundoff, double underflow,
                        struct determinant *determinant, struct error *error);

void determinant_clear(struct determinant *determinant);

/* Fills only sign, logabs, log2_abs and bits. */
bool determinant_value(int n, const double *a, struct determinant *determinant, struct error *error);

/* Fills only the sensitivities, from an MPFR elimination at `precision` bits; d->sign must be set. Called by
 * determinant.c if elimination in double proves nothing. False when out of memory. */
bool determinant_sensitivities(int n, const double *a, double least_roundoff, double underflow,
                               mpfr_prec_t precision, struct determinant *determinant);

#endif
