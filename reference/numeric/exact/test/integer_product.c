/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests products by residues against GMP's, with the loops of every isa that the processor has. */

#include "reference/numeric/exact/integer_product.h"
#include "reference/numeric/exact/residue_kernel.h"
#include "reference/test/support.h"

enum kind { RANDOM, GREATEST, ALTERNATING, SPARSE, MIXED, KINDS };

static mpz_t *matrix(int n)
{
    mpz_t *x = malloc((size_t)(n * n) * sizeof *x);
    for (int i = 0; i < n * n; i++) {
        mpz_init(x[i]);
    }
    return x;
}

static void matrix_free(int n, mpz_t *x)
{
    for (int i = 0; i < n * n; i++) {
        mpz_clear(x[i]);
    }
    free(x);
}

static void random_bits(struct philox *g, mp_bitcnt_t bits, mpz_t x)
{
    mpz_set_ui(x, 0);
    for (mp_bitcnt_t done = 0; done < bits; done += 32) {
        mpz_mul_2exp(x, x, 32);
        mpz_add_ui(x, x, philox_next(g));
    }
    mpz_fdiv_r_2exp(x, x, bits);
    if (philox_next(g) & 1) {
        mpz_neg(x, x);
    }
}

/* Entries of at most `bits` bits, times 2^zeros. */
static void fill(struct philox *g, enum kind kind, int n, mp_bitcnt_t bits, mp_bitcnt_t zeros, mpz_t *x)
{
    for (int i = 0; i < n * n; i++) {
        random_bits(g, kind == MIXED ? 1 + philox_below(g, (uint32_t)bits) : bits, x[i]);
        if (kind == GREATEST || kind == ALTERNATING) {
            mpz_set_ui(x[i], 0);
            mpz_setbit(x[i], bits);
            mpz_sub_ui(x[i], x[i], 1);
        }
        if (kind == ALTERNATING && i / n % 2 == 1) {
            mpz_neg(x[i], x[i]);
        }
        if (kind == SPARSE && philox_below(g, 5)) {
            mpz_set_ui(x[i], 0);
        }
        mpz_mul_2exp(x[i], x[i], zeros);
    }
}

static void times(int n, mpz_t *a, mpz_t *x, mpz_t *to)
{
    for (int i = 0; i < n; i++) {
        mpz_set_ui(to[i], 0);
        for (int k = 0; k < n; k++) {
            mpz_addmul(to[i], a[i * n + k], x[k]);
        }
    }
}

/* Each column of c·2^exponent, or, of large orders, all of them by one random vector: A(Bx) = Cx. */
static void check_product(int n, mpz_t *a, mpz_t *b, mpz_t *c, mp_bitcnt_t exponent, const char *what)
{
    mpz_t *work = matrix(n < 4 ? 4 : n), *x = work, *bx = work + n, *abx = work + 2 * n, *cx = work + 3 * n;
    struct philox g;
    philox_start(&g, 34);
    for (int j = 0; j < (n < 24 ? n : 1); j++) {
        for (int k = 0; k < n; k++) {
            mpz_set_ui(x[k], n < 24 ? k == j : philox_next(&g) | 1);
        }
        times(n, b, x, bx);
        times(n, a, bx, abx);
        times(n, c, x, cx);
        for (int i = 0; i < n; i++) {
            mpz_mul_2exp(cx[i], cx[i], exponent);
            cr_assert_eq(mpz_cmp(abx[i], cx[i]), 0, "%s: entry %d, %d", what, i, j);
        }
    }
    matrix_free(n < 4 ? 4 : n, work);
}

static void check(struct integer_product *product, struct philox *g, enum kind kind, int n,
                  const mp_bitcnt_t bits[2])
{
    mpz_t *a = matrix(n), *b = matrix(n), *c = matrix(n);
    char what[96];
    mp_bitcnt_t exponent;
    snprintf(what, sizeof what, "kind %d, n = %d, %d and %d bits", kind, n, (int)bits[0], (int)bits[1]);
    fill(g, kind, n, bits[0], kind == RANDOM ? 77 : 0, a);
    fill(g, kind, n, bits[1], 0, b);
    cr_assert(integer_product_compute(product, a, b, c, &exponent), "%s", what);
    check_product(n, a, b, c, exponent, what);
    cr_assert(integer_product_compute(product, b, b, c, &exponent), "%s", what);
    check_product(n, b, b, c, exponent, what);
    matrix_free(n, a);
    matrix_free(n, b);
    matrix_free(n, c);
}

static void check_orders(const int *order, int orders, mp_bitcnt_t most)
{
    static const mp_bitcnt_t bits[][2] = {{1, 1}, {22, 23}, {45, 64}, {200, 53}, {177, 177}, {700, 100}};
    struct philox g;
    philox_start(&g, 31);
    for (int o = 0; o < orders; o++) {
        struct integer_product *product = integer_product_create(order[o]);
        cr_assert_not_null(product);
        for (size_t k = 0; k < sizeof bits / sizeof *bits; k++) {
            for (int kind = 0; bits[k][0] <= most && kind < KINDS; kind++) {
                check(product, &g, (enum kind)kind, order[o], bits[k]);
            }
        }
        integer_product_destroy(&product);
        cr_assert_null(product);
    }
}

Test(integer_product, is_exact_on_every_machine)
{
    static const int order[] = {1, 2, 7, 8, 9, 24, 33};
    for (int isa = 0; isa < 8; isa++) {
        if (residue_force(isa)) {
            check_orders(order, sizeof order / sizeof *order, 700);
        }
    }
    cr_assert(residue_force(-1));
}

Test(integer_product, is_exact_in_several_blocks)
{
    static const int order[] = {65, 72};
    check_orders(order, 2, 200);
}

/* More terms than are added without a reduction, whose sums are as great as may be. */
Test(integer_product, is_exact_beyond_256_terms)
{
    static const mp_bitcnt_t bits[2] = {45, 23};
    struct philox g;
    philox_start(&g, 32);
    struct integer_product *product = integer_product_create(265);
    check(product, &g, GREATEST, 265, bits);
    check(product, &g, RANDOM, 265, bits);
    integer_product_destroy(&product);
}

Test(integer_product, is_exact_beyond_256_terms_of_any_kind_takes_seconds)
{
    static const int order[] = {256, 257, 530};
    check_orders(order, 3, 45);
}

Test(integer_product, takes_long_entries_and_refuses_longer_ones)
{
    static const mp_bitcnt_t bits[2] = {5632, 5600};
    struct philox g;
    philox_start(&g, 33);
    struct integer_product *product = integer_product_create(3);
    check(product, &g, RANDOM, 3, bits);
    check(product, &g, GREATEST, 3, bits);
    mpz_t *a = matrix(3), *c = matrix(3);
    mp_bitcnt_t exponent;
    fill(&g, GREATEST, 3, 5633, 0, a);
    cr_expect_not(integer_product_compute(product, a, a, c, &exponent));
    for (int i = 0; i < 9; i++) { /* 5,634 bits from the highest to the lowest of any entry */
        mpz_set_ui(a[i], i == 5);
        mpz_mul_2exp(a[i], a[i], 5633);
    }
    mpz_set_ui(a[0], 1);
    cr_expect_not(integer_product_compute(product, a, a, c, &exponent));
    mpz_set_ui(a[0], 0);
    cr_expect(integer_product_compute(product, a, a, c, &exponent));
    check_product(3, a, a, c, exponent, "one entry");
    matrix_free(3, a);
    matrix_free(3, c);
    integer_product_destroy(&product);
}

/* Sums at the limit of what residue_reduce takes, of either sign. */
Test(integer_product, residues_are_right_at_the_limits)
{
    _Alignas(64) double left[RESIDUE_TILE * RESIDUE_TERMS], panel[RESIDUE_TERMS * RESIDUE_TILE],
        tile[RESIDUE_TILE * RESIDUE_TILE];
    struct residue_moduli moduli;
    const int64_t prime = (1 << 23) - 15, most = 1 << 22;
    for (int i = 0; i < RESIDUE_TILE * RESIDUE_TERMS; i++) {
        left[i] = i / RESIDUE_TERMS % 2 ? -(double)most : (double)most;
        panel[i] = (double)(most - (i % RESIDUE_TILE));
    }
    for (int isa = 0; isa < 8; isa++) {
        if (!residue_force(isa)) {
            continue;
        }
        for (int r = 0; r < RESIDUE_TILE; r++) {
            moduli.prime[r] = (double)prime;
            moduli.inverse[r] = 1 / (double)prime;
            moduli.factor[r] = 1;
        }
        for (int i = 0; i < RESIDUE_TILE * RESIDUE_TILE; i++) {
            tile[i] = i / RESIDUE_TILE % 2 ? -(double)most : (double)most;
        }
        struct residue_factors factors = {left, RESIDUE_TERMS, panel, RESIDUE_TERMS};
        residue_add(tile, &factors);
        residue_reduce(tile, &moduli);
        for (int i = 0; i < RESIDUE_TILE * RESIDUE_TILE; i++) {
            int64_t sign = i / RESIDUE_TILE % 2 ? -1 : 1;
            int64_t sum = sign * (most + RESIDUE_TERMS * most * (most - i % RESIDUE_TILE));
            cr_assert_eq((sum - (int64_t)tile[i]) % prime, 0, "machine %d, %d", isa, i);
            cr_assert_leq(fabs(tile[i]), 0x1p22, "machine %d, %d: %g", isa, i, tile[i]);
        }
    }
    cr_assert(residue_force(-1));
}
