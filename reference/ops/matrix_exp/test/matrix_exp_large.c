/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* e^A against Arb for many kinds of matrices, also of orders whose products are computed by residues. */

#include "reference/ops/matrix_exp/matrix_exponential.h"
#include "reference/test/support.h"

enum kind {
    NORMAL,      /* N(0, 1/n) */
    FULL_DIGITS, /* uniform, 53 bits, every size from 2^-6 to 2^4 */
    TRIANGLE,    /* off the diagonal to 2^20 */
    SCALED,      /* D·A·D⁻¹, D powers of two from 2^-40 to 2^40 */
    NEGATIVE,    /* −8·B·Bᵀ: sums of terms up to e^8 cancel */
    SUBNORMAL,   /* a third of the entries below 2^-1022 */
    SPARSE,      /* nine in ten are 0: several components and triangles among them */
    SKEW,        /* a rotation: all of ‖A‖ cancels */
    NILPOTENT,   /* strictly triangular behind a permutation */
    KINDS
};

static double small(struct philox *g)
{
    return philox_signed(g) + philox_signed(g) * 0x1p-25;
}

static double entry(struct philox *g, enum kind kind, int n, int i, int j)
{
    double x = small(g);
    switch (kind) {
    case FULL_DIGITS:
        return ldexp(x, (int)philox_below(g, 6) - 6) * 4;
    case TRIANGLE:
        return j < i ? 0 : j == i ? x : ldexp(x, (int)philox_below(g, 21));
    case SCALED:
        return ldexp(x / sqrt(n), (i * 29 % 81) - (j * 29 % 81));
    case SUBNORMAL:
        return philox_below(g, 3) ? x / n : x * 0x1p-1040;
    case SPARSE:
        return philox_below(g, 10) ? 0 : x * 3;
    case NILPOTENT: /* rows and columns in the order of 7·i mod 13, … */
        return (j * 7 + 3) % n > (i * 7 + 3) % n ? ldexp(x, (int)philox_below(g, 12)) : 0;
    default:
        return x * sqrt(3.0 / n);
    }
}

static double *matrix(struct philox *g, enum kind kind, int n)
{
    double *a = malloc((size_t)(n * n) * sizeof *a), *b = malloc((size_t)(n * n) * sizeof *b);
    for (int i = 0; i < n * n; i++) {
        b[i] = a[i] = entry(g, kind, n, i / n, i % n);
    }
    for (int i = 0; kind == NEGATIVE && i < n * n; i++) {
        a[i] = 0;
        for (int k = 0; k < n; k++) {
            a[i] -= 8 * b[i / n * n + k] * b[i % n * n + k];
        }
    }
    for (int i = 0; kind == SKEW && i < n * n; i++) {
        a[i] = 6 * (b[i] - b[i % n * n + i / n]);
    }
    free(b);
    return a;
}

/* e^A of Arb, to `bits` relative bits of every entry that is not 0. */
static void arb_exponential(int n, const double *a, slong bits, const struct value *value, arb_mat_t to)
{
    arb_mat_t m;
    arb_mat_init(m, n, n);
    for (int i = 0; i < n * n; i++) {
        arb_set_d(arb_mat_entry(m, i / n, i % n), a[i]);
    }
    bool done = false;
    for (slong precision = 2 * bits; !done && precision < 1 << 14; precision *= 2) {
        arb_mat_exp(to, m, precision);
        done = true;
        for (int i = 0; done && i < n * n; i++) {
            bool zero = value[i].hi == 0 && value[i].exact;
            done = zero || arb_rel_accuracy_bits(arb_mat_entry(to, i / n, i % n)) >= bits;
        }
    }
    arb_mat_clear(m);
}

static void check(enum kind kind, int n, struct philox *g)
{
    static const struct matrix_exponential_scaling scaling = {0.29962, 5.3719};
    struct matrix_exponential e;
    struct error error = {.text = ""};
    double *a = matrix(g, kind, n);
    arb_mat_t truth;
    cr_assert(matrix_exponential_compute(n, a, 0x1p-53, &scaling, &e, &error), "kind %d, n = %d: %s", kind, n,
              error.text);
    arb_mat_init(truth, n, n);
    arb_exponential(n, a, 112, e.value, truth);
    for (int i = 0; i < n * n; i++) {
        arb_ptr x = arb_mat_entry(truth, i / n, i % n);
        if (e.value[i].hi == 0 && e.value[i].exact) {
            cr_assert(arb_contains_zero(x), "kind %d, n = %d: entry %d called zero", kind, n, i);
        } else {
            double distance = value_distance_log2(&e.value[i], x);
            cr_assert_lt(distance, -103, "kind %d, n = %d: entry %d by 2^%g", kind, n, i, distance);
        }
    }
    arb_mat_clear(truth);
    matrix_exponential_clear(&e);
    free(a);
}

Test(matrix_exp_large, every_kind_agrees_with_arb)
{
    struct philox g;
    philox_start(&g, 41);
    for (int kind = 0; kind < KINDS; kind++) {
        check((enum kind)kind, 1, &g);
        check((enum kind)kind, 6, &g);
    }
    check(NORMAL, 24, &g);
    check(SPARSE, 25, &g);
    check(SKEW, 26, &g);
}

/* 300 squarings whose bound on the error squares itself: where no precision helps there is no answer, and no
 * wrong one. e^A is that of {1, 1; 1, −1} with its corners scaled. */
Test(matrix_exp_large, a_bound_beyond_all_numbers_certifies_nothing)
{
    static const struct matrix_exponential_scaling scaling = {0.29962, 5.3719};
    for (int e = 20; e <= 300; e += 40) {
        double a[] = {1, ldexp(1, e), ldexp(1, -e), -1}, r = sqrt(2);
        struct matrix_exponential x;
        struct error error = {.text = ""};
        if (!matrix_exponential_compute(2, a, 0x1p-53, &scaling, &x, &error)) {
            cr_expect(strstr(error.text, "cap") && e > 60, "2^%d: %s", e, error.text);
            continue;
        }
        cr_expect_lt(e, 300, "2^%d", e);
        double expected[] = {cosh(r) + sinh(r) / r, sinh(r) / r * a[1], sinh(r) / r * a[2],
                             cosh(r) - sinh(r) / r};
        for (int i = 0; i < 4; i++) {
            cr_expect_float_eq(value_approximately(&x.value[i]) / expected[i], 1, 1e-14, "2^%d: %d", e, i);
        }
        matrix_exponential_clear(&x);
    }
}

Test(matrix_exp_large, every_kind_and_order_to_48_agrees_with_arb_takes_seconds, .timeout = 600)
{
    struct philox g;
    philox_start(&g, 42);
    for (int n = 1; n <= 48; n++) {
        for (int kind = 0; kind < KINDS; kind++) {
            bool steep = kind == TRIANGLE || kind == SCALED; /* thousands of bits */
            if (kind == NILPOTENT ? n < 13 : !steep || n < 20 || n % 7 == 6) {
                check((enum kind)kind, n, &g);
            }
        }
    }
}

Test(matrix_exp_large, orders_from_64_to_128_agree_with_arb_takes_seconds, .timeout = 600)
{
    struct philox g;
    philox_start(&g, 43);
    for (int kind = 0; kind < NILPOTENT; kind++) {
        check((enum kind)kind, 64 + kind, &g);
    }
    check(NORMAL, 128, &g);
    check(NEGATIVE, 128, &g);
}
