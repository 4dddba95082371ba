/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_EXACT_INTEGER_PRODUCT_H
#define ASSAY_REFERENCE_NUMERIC_EXACT_INTEGER_PRODUCT_H

/* Products of square matrices of GMP integers, exactly: modulo primes of 23 bits in double, each entry put
 * together again from its residues. From order 24 or so on far less than n³ products of integers. */

#include <gmp.h>
#include <stdbool.h>

/* For products of one order: primes, and memory that is kept between them. One thread at a time. */
struct integer_product;
struct integer_product *integer_product_create(int n);          /* NULL when out of memory */
void integer_product_destroy(struct integer_product **product); /* accepts NULL, leaves NULL */

/* c·2^*exponent = a·b; n×n, row-major; c is neither a nor b. False, with c as it was, when out of memory or
 * when entries are so long (a and b together some 11,000 bits from their highest bit to the lowest) that this
 * way is none. */
bool integer_product_compute(struct integer_product *product, mpz_t *a, mpz_t *b, mpz_t *c,
                             mp_bitcnt_t *exponent);

#endif
