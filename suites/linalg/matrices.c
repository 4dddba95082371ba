/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/linalg/matrices.h"

#include <math.h>
#include <stdlib.h>

enum { ORDER_MAX = 256 };

static double power(double base, int exponent)
{
    double x = 1;
    for (int k = 0; k < exponent; k++) {
        x *= base;
    }
    for (int k = 0; k > exponent; k--) {
        x /= base;
    }
    return x;
}

static double binomial(int n, int k)
{
    double x = 1;
    for (int i = 1; i <= k; i++) {
        x = x * (n - k + i) / i; /* exact at every step: C(n − k + i, i) */
    }
    return x;
}

/* Entry (i, j), with i, j ≥ 1. */
static double kahan(int i, int j)
{
    /* sine and cosine of 1.2 */
    static const double sine = 0.93203908596722629, cosine = 0.36235775447667357;
    return j < i ? 0 : power(sine, i - 1) * (i == j ? 1 : -cosine);
}

/* Stores entry (i, j), i, j ≥ 1, of a family that is given by a formula. Returns false for other families. */
static bool entry(enum family family, int n, int64_t p, int i, int j, double *x)
{
    int least = i < j ? i : j, greatest = i < j ? j : i;
    double on_diagonal = i == j ? 1 : 0;
    switch (family) {
    case HILBERT:
        *x = 1.0 / (i + j - 1);
        return true;
    case KAHAN:
        *x = kahan(i, j);
        return true;
    case VANDERMONDE:
        *x = power(i, j - 1);
        return true;
    case FRANK:
        *x = j < i - 1 ? 0 : n + 1 - greatest;
        return true;
    case PASCAL:
        *x = binomial(i + j - 2, least - 1);
        return true;
    case MOLER:
        *x = i == j ? i : least - 2;
        return true;
    case MIN_IJ:
        *x = least;
        return true;
    case LEHMER:
        *x = (double)least / greatest;
        return true;
    case TRIDIAGONAL:
        *x = i == j ? 2 : greatest - least == 1 ? -1 : 0;
        return true;
    case GROWTH:
        *x = i == j || j == n ? 1 : j < i ? -1 : 0;
        return true;
    case CYCLIC:
        *x = j == i % n + 1;
        return true;
    case REFLECTION:
        *x = on_diagonal - 2.0 / n;
        return true;
    case COUNTING:
        *x = n * (i - 1) + j;
        return true;
    case PROPORTIONAL:
        *x = i * j;
        return true;
    case DIAGONAL_DECIMAL:
        *x = on_diagonal * power(10, (int)p);
        return true;
    case DIAGONAL_MIXED:
        *x = on_diagonal * power(2, i % 2 ? 100 : -100);
        return true;
    case NEGATIVE_PAIR:
        *x = i != j ? 0 : i == 1 ? -2 : i == 2 ? -3 : 1;
        return true;
    case SCALED_IDENTITY:
        *x = on_diagonal * power(2, (int)p);
        return true;
    default:
        *x = 0;
        return false;
    }
}

static void exchange_rows(double *a, int n, int i, int k)
{
    for (int j = 0; j < n; j++) {
        double x = a[i * n + j];
        a[i * n + j] = a[k * n + j];
        a[k * n + j] = x;
    }
}

/* Fills `to` with a uniformly random permutation of 0 … n − 1 and returns its sign. */
static int permute(struct philox *generator, int n, int *to)
{
    int sign = 1;
    for (int i = 0; i < n; i++) {
        to[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
        int k = (int)philox_below(generator, (uint32_t)i + 1), x = to[i];
        sign = k == i ? sign : -sign;
        to[i] = to[k];
        to[k] = x;
    }
    return sign;
}

static void permutation(struct philox *generator, int n, int sign, double *a)
{
    int to[ORDER_MAX];
    int drawn = permute(generator, n, to);
    for (int i = 0; i < n; i++) {
        a[i * n + to[i]] = 1;
    }
    if (drawn != sign && n >= 2) {
        exchange_rows(a, n, 0, 1);
    }
}

static void permuted_diagonal(struct philox *generator, int n, bool negative, double *a)
{
    int to[ORDER_MAX], exponent[ORDER_MAX];
    int sign = permute(generator, n, to);
    permute(generator, n, exponent);
    for (int i = 0; i < n; i++) {
        int entry_sign = philox_next(generator) & 1 ? -1 : 1;
        if (i == n - 1) {
            /* `sign` is here that of all other entries and the permutation */
            entry_sign = sign == (negative ? -1 : 1) ? 1 : -1;
        }
        sign *= entry_sign;
        a[i * n + to[i]] = entry_sign * power(2, exponent[i] - n / 2);
    }
}

/* The diagonal has distinct powers of two from 2^1 on, so that each is the only possible pivot of its column
 * and multipliers are ±2^-k. Right of a pivot the row is zero (LOWER), or below it the column (UPPER):
 * elimination rounds nowhere. */
static void triangular(struct philox *generator, int n, bool upper, int64_t negatives, double *a)
{
    int exponent[ORDER_MAX];
    permute(generator, n, exponent);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (i == j) {
                a[i * n + j] = power(2, exponent[i] + 1) * (i < negatives ? -1 : 1);
            } else if ((j > i) == upper) {
                a[i * n + j] = philox_next(generator) & 1 ? 1 : -1;
            }
        }
    }
}

/* Off-diagonal entries lie in (−1, 1), diagonal ones are n + p plus a fraction: strictly dominant, so every
 * leading minor is positive. Two row exchanges (n = 3: a cycle) keep the sign and move the dominant entries
 * off the diagonal. */
static void dominant(struct philox *generator, int n, int64_t p, double *a)
{
    for (int i = 0; i < n * n; i++) {
        a[i] = philox_signed(generator);
    }
    for (int i = 0; i < n; i++) {
        a[i * n + i] = (double)(n + p) + philox_unit(generator);
    }
    if (n == 3) {
        exchange_rows(a, n, 0, 1);
        exchange_rows(a, n, 1, 2);
    } else if (n >= 4) {
        exchange_rows(a, n, 0, 1);
        exchange_rows(a, n, 2, n - 1);
    }
}

static void near_singular(enum dtype dtype, bool negative, double *a)
{
    double u = dtype_unit_roundoff(dtype);
    a[0] = a[1] = a[2] = 1;
    a[3] = negative ? 1 - u : 1 + 2 * u;
}

/* Rows 0 and 1 are equal; the other rows have powers of two that grow along the diagonal. In whichever order
 * equal candidates are chosen, pivots are 2, 4, 8, …, multipliers are 1 or 0, and one of the equal rows
 * becomes zero. */
static void duplicate_exact(int n, double *a)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int row = i < 2 ? 0 : i - 1;
            a[i * n + j] = j == row ? power(2, row + 1) : j > row ? 1 : 0;
        }
    }
}

static void rank_one(struct philox *generator, int n, double *a)
{
    double u[ORDER_MAX], v[ORDER_MAX];
    for (int i = 0; i < n; i++) {
        u[i] = 1 + philox_below(generator, 9);
        v[i] = 1 + philox_below(generator, 9);
    }
    for (int i = 0; i < n * n; i++) {
        a[i] = u[i / n] * v[i % n];
    }
}

static void diagonal_subnormal(enum dtype dtype, int n, double *a)
{
    int emin = dtype_info(dtype)->emin;
    for (int i = 0; i < n; i++) {
        a[i * n + i] = i == 0 ? power(2, emin - 1) : i == 1 ? power(2, -emin - 20) : 1;
    }
}

static void random_family(enum family family, struct philox *generator, enum dtype dtype, int n, int64_t p,
                          double *a)
{
    dominant(generator, n, family == NAN_ENTRY ? 0 : p, a);
    if (family == RANDOM_NEGATIVE) {
        if (n == 1) {
            a[0] = -a[0];
        } else {
            exchange_rows(a, n, 0, n - 1);
        }
    } else if (family == DUPLICATE_RANDOM) {
        for (int j = 0; j < n; j++) {
            a[(n - 1) * n + j] = a[j];
        }
    } else if (family == TINY_PIVOT) {
        a[0] = 16 * dtype_unit_roundoff(dtype);
    } else if (family == ZERO_PIVOT) {
        a[0] = 0;
    } else if (family == NAN_ENTRY) {
        a[p] = NAN;
    }
}

void matrix_make(struct builder *b, enum family family, int n, int64_t p, int tensor, double *a)
{
    struct philox generator = build_generator(b, tensor);
    enum dtype dtype = b->c->dtype;
    bool formula = true;
    for (int i = 0; i < n * n && formula; i++) {
        formula = entry(family, n, p, i / n + 1, i % n + 1, &a[i]);
    }
    if (formula) {
        return;
    }
    for (int i = 0; i < n * n; i++) {
        a[i] = 0;
    }
    switch (family) {
    case ZEROS:
        break;
    case TRANSPOSITION:
        for (int i = 0; i < n; i++) {
            a[i * n + i] = 1;
        }
        exchange_rows(a, n, (int)p, (int)p + 1);
        break;
    case EVEN_PERMUTATION:
    case ODD_PERMUTATION:
        permutation(&generator, n, family == EVEN_PERMUTATION ? 1 : -1, a);
        break;
    case NEAR_SINGULAR:
    case NEAR_SINGULAR_NEGATIVE:
        near_singular(dtype, family == NEAR_SINGULAR_NEGATIVE, a);
        break;
    case DUPLICATE_EXACT:
        duplicate_exact(n, a);
        break;
    case RANK_ONE:
        rank_one(&generator, n, a);
        break;
    case DIAGONAL_SUBNORMAL:
        diagonal_subnormal(dtype, n, a);
        break;
    case UPPER:
    case LOWER:
        triangular(&generator, n, family == UPPER, p, a);
        break;
    case PERMUTED_DIAGONAL:
        permuted_diagonal(&generator, n, p == 1, a);
        break;
    default:
        random_family(family, &generator, dtype, n, p, a);
    }
}

void matrix_store(struct builder *b, const struct view *view, enum family family, int64_t p, int tensor)
{
    int n = (int)view->shape.dim[view->shape.rank - 1];
    double *a = malloc(((size_t)n * (size_t)n + 1) * sizeof *a);
    if (!a) {
        build_fail(b, "out of memory for a matrix");
        return;
    }
    matrix_make(b, family, n, p, tensor, a);
    for (int i = 0; i < n * n; i++) {
        build_set(b, view, i, a[i]);
    }
    build_origin(b, view, family == RANDOM || family == RANDOM_NEGATIVE);
    free(a);
}

struct view matrix_batch(struct builder *b, int count, int n, enum layout layout)
{
    struct shape shape = shape_of(3, (int64_t)count, (int64_t)n, (int64_t)n);
    return build_tensor(b, b->c->dtype, &shape, layout);
}

struct view matrix_batch_random(struct builder *b, int count, int n, enum layout layout)
{
    struct view a = matrix_batch(b, count, n, layout);
    for (int m = 0; m < count; m++) {
        struct view one = view_at(&a, m);
        matrix_store(b, &one, RANDOM, 2 * (m % 50), m);
    }
    return a;
}

struct view matrix_determinant(struct builder *b, const struct view *a)
{
    struct step *step = build_step(b, b->c->op, NULL, 1, a);
    return step ? step->output[step->outputs - 1] : *a;
}
