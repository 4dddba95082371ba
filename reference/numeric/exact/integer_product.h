/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_INTEGER_PRODUCT_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_INTEGER_PRODUCT_H

/* Exact products of square matrices of GMP integers: modulo primes of 23 bits in double arithmetic, after
 * which each entry is reconstructed from its residues. From order 24 or so this is much faster than n³
 * products of integers. */

#include <gmp.h>
#include <stdbool.h>

/* The primes and the memory for products of one order, kept between products. Threads must not share one. */
struct integer_product;
struct integer_product *integer_product_create(int n);          /* NULL when out of memory */
void integer_product_destroy(struct integer_product **product); /* accepts NULL, leaves NULL */

/* Computes c·2^*exponent = a·b. Matrices are n×n, row-major; c must be neither a nor b. Returns false, with c
 * unchanged, when out of memory or when the entries are too long for this method: from the highest bit to the
 * lowest, a and b together about 11,000 bits. */
bool integer_product_compute(struct integer_product *product, mpz_t *a, mpz_t *b, mpz_t *c,
                             mp_bitcnt_t *exponent);

#endif
