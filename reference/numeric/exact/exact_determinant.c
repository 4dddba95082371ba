/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/exact/exact_determinant.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct integers {
    int n;
    mpz_t *entry;      /* n×n */
    long shift;        /* det(a) = det(entry)·2^shift */
    double log2_bound; /* log2 of Hadamard's bound on |det(entry)|, rounded up */
};

/* Returns e where x = odd·2^e, for x ≠ 0. */
static long last_bit(double x)
{
    int e;
    double m = frexp(x, &e);
    int64_t odd = (int64_t)ldexp(fabs(m), 53);
    long trailing = 0;
    while (!(odd >> trailing & 1)) {
        trailing++;
    }
    return e - 53 + trailing;
}

void exact_determinant_integer(mpz_t to, double x, long shift)
{
    int e;
    double m = frexp(x, &e);
    mpz_set_d(to, ldexp(m, 53));
    long left = e - 53 - shift;
    if (left >= 0) {
        mpz_mul_2exp(to, to, (mp_bitcnt_t)left);
    } else {
        mpz_tdiv_q_2exp(to, to, (mp_bitcnt_t)-left); /* exact if only zero bits are shifted out */
    }
}

/* Scales the rows of a to integers. Returns false if a row is zero; the determinant is then 0. */
static bool integers_create(struct integers *z, int n, const double *a)
{
    *z = (struct integers){.n = n, .entry = malloc((size_t)n * (size_t)n * sizeof *z->entry)};
    bool nonzero = true;
    for (int i = 0; i < n; i++) {
        long shift = 0;
        bool any = false;
        for (int j = 0; j < n; j++) {
            double x = a[i * n + j];
            long bit = x != 0 ? last_bit(x) : 0;
            if (x != 0 && (!any || bit < shift)) {
                shift = bit;
                any = true;
            }
        }
        size_t bits = 0;
        for (int j = 0; j < n; j++) {
            mpz_init(z->entry[i * n + j]);
            exact_determinant_integer(z->entry[i * n + j], a[i * n + j], shift);
            size_t size = mpz_sizeinbase(z->entry[i * n + j], 2);
            bits = size > bits ? size : bits;
        }
        z->shift += shift;
        z->log2_bound += (double)bits + portable_log2(n) / 2 + 1e-9; /* ‖row‖₂ ≤ √n·max */
        nonzero = nonzero && any;
    }
    return nonzero;
}

static void integers_destroy(struct integers *z)
{
    for (int i = 0; i < z->n * z->n; i++) {
        mpz_clear(z->entry[i]);
    }
    free(z->entry);
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t p)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            result = result * base % p;
        }
        base = base * base % p;
    }
    return result;
}

/* Returns the determinant modulo a prime p < 2^31, by elimination in the n×n scratch matrix m. */
static uint64_t residue(const struct integers *z, uint64_t p, uint64_t *m)
{
    int n = z->n;
    for (int i = 0; i < n * n; i++) {
        m[i] = mpz_fdiv_ui(z->entry[i], (unsigned long)p);
    }
    uint64_t det = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        while (pivot < n && m[pivot * n + k] == 0) {
            pivot++;
        }
        if (pivot == n) {
            return 0;
        }
        if (pivot != k) {
            for (int j = k; j < n; j++) {
                uint64_t t = m[k * n + j];
                m[k * n + j] = m[pivot * n + j];
                m[pivot * n + j] = t;
            }
            det = p - det;
        }
        det = det * m[k * n + k] % p;
        uint64_t inverse = power(m[k * n + k], p - 2, p);
        for (int i = k + 1; i < n; i++) {
            uint64_t factor = m[i * n + k] * inverse % p;
            for (int j = k + 1; factor && j < n; j++) {
                m[i * n + j] = (m[i * n + j] + (p - factor) * m[k * n + j]) % p;
            }
        }
    }
    return det;
}

/* Takes primes until their product decides. Each residue eliminates the candidates that it contradicts. */
static enum exact_determinant decide(const struct integers *z, uint64_t *scratch)
{
    bool zero = true;
    /* det(a) = ±1 needs det(entry) = ±2^−shift, an integer only for shift ≤ 0. */
    bool one = z->shift <= 0, minus_one = z->shift <= 0;
    double needed = fmax(z->log2_bound, z->shift <= 0 ? (double)-z->shift : 0) + 2;
    mpz_t prime;
    mpz_init_set_ui(prime, 1UL << 30);
    for (double have = 0; have < needed && (zero || one || minus_one); have += 30) {
        mpz_nextprime(prime, prime);
        uint64_t p = mpz_get_ui(prime);
        uint64_t det = residue(z, p, scratch);
        uint64_t target = z->shift <= 0 ? power(2, (uint64_t)-z->shift, p) : 0;
        zero = zero && det == 0;
        one = one && det == target;
        minus_one = minus_one && det == (p - target) % p;
    }
    mpz_clear(prime);
    return zero        ? DETERMINANT_ZERO
           : one       ? DETERMINANT_ONE
           : minus_one ? DETERMINANT_MINUS_ONE
                       : DETERMINANT_OTHER;
}

enum exact_determinant exact_determinant_decide(int n, const double *a)
{
    struct integers z;
    enum exact_determinant answer = DETERMINANT_ZERO;
    if (integers_create(&z, n, a)) {
        uint64_t *scratch = malloc((size_t)n * (size_t)n * sizeof *scratch);
        answer = decide(&z, scratch);
        free(scratch);
    }
    integers_destroy(&z);
    return answer;
}
