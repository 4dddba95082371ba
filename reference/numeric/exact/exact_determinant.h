/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_DETERMINANT_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_EXACT_DETERMINANT_H

/* Exact decisions about the determinant of a matrix of doubles, by GMP integers and residues, for every
 * order. */

#include <gmp.h>
#include <stdbool.h>

enum exact_determinant { DETERMINANT_OTHER, DETERMINANT_ZERO, DETERMINANT_ONE, DETERMINANT_MINUS_ONE };

/* Decides whether det(a) is 0, 1, −1 or another number. a: n×n, row-major, finite.
 *
 * Rows are scaled by powers of two to integers. The determinant of the integer matrix is computed modulo
 * primes whose product exceeds twice Hadamard's bound, so that agreement modulo all of them proves equality
 * (Chinese remainder theorem). One prime usually refutes all candidates. */
enum exact_determinant exact_determinant_decide(int n, const double *a);

/* Sets to = x·2^-shift, truncated. */
void exact_determinant_integer(mpz_t to, double x, long shift);

#endif
