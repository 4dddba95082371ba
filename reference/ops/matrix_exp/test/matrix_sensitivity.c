/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The running bound of matrix_exp is bit-identical to that of a simple program. */

#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/round_up.h"
#include "reference/ops/matrix_exp/matrix_component.h"
#include "reference/test/support.h"

enum { N = 19, STAGES = 6 };

struct data {
    double a[N * N], stage[STAGES * N * N];
    bool reach[N * N];
    long exponent[STAGES];
    signed char half_sign[N * N];
    struct value value[N * N];
};

/* Random magnitudes instead of powers of a matrix: the bound must follow its formula for these, too. */
static struct block problem(struct data *d, int n, int least, int greatest, double scale, struct philox *g)
{
    struct block block = {.n = n,
                          .a = d->a,
                          .reach = d->reach,
                          .norm = scale,
                          .least = least,
                          .greatest = greatest,
                          .squarings = greatest,
                          .stage = d->stage,
                          .exponent = d->exponent,
                          .half_sign = d->half_sign,
                          .value = d->value};
    for (int i = 0; i < n * n; i++) {
        d->a[i] = ldexp(philox_signed(g) * scale / n, greatest);
        d->reach[i] = i / n <= i % n || philox_below(g, 4);
        d->half_sign[i] = (signed char)(d->reach[i] * ((int)philox_below(g, 3) - 1));
        d->value[i] = value_of(philox_below(g, 8) ? philox_signed(g) : 0);
    }
    for (int k = 0; k <= greatest; k++) {
        d->exponent[k] = (long)philox_below(g, 7) - 3;
        for (int i = 0; i < n * n; i++) {
            double x = ldexp(philox_unit(g), -(int)philox_below(g, 30));
            d->stage[k * n * n + i] = d->reach[i] ? x : 0;
        }
    }
    return block;
}

static void start(const struct block *block, int s, double *term, double *next, double *sum)
{
    int n = block->n;
    for (int i = 0; i < n * n; i++) {
        sum[i] = term[i] = i / n == i % n;
    }
    for (int k = 1; k <= 60; k++) {
        double largest = 0;
        for (int i = 0; i < n * n; i++) {
            next[i] = 0;
            for (int l = 0; l < n; l++) {
                next[i] += term[i / n * n + l] * ldexp(fabs(block->a[l * n + i % n]), -s);
            }
            next[i] /= k;
        }
        for (int i = 0; i < n * n; i++) {
            term[i] = next[i];
            sum[i] += next[i];
            largest = fmax(largest, next[i]);
        }
        if (largest < 0x1p-60) {
            return;
        }
    }
}

static void follow(const struct block *block, int s, double u, double *worst, double *half)
{
    int n = block->n, count = n * n;
    double r[N * N], next[N * N], term[N * N];
    start(block, s, term, next, r);
    for (int i = 0; i < count; i++) {
        r[i] = ldexp(10 * n * u * r[i], (int)-block->exponent[s]);
    }
    for (int k = s; k > 0; k--) {
        const double *x = &block->stage[k * count];
        for (int i = 0; k == 1 && i < count; i++) {
            half[i] = fmax(half[i], r[i] * (1 + 0x1p-30));
        }
        for (int i = 0; i < count; i++) {
            double sum = 0, square = 0;
            for (int l = 0; l < n; l++) {
                int p = i / n * n + l, q = l * n + i % n;
                sum += (x[p] + r[p]) * r[q] + r[p] * x[q];
                square += x[p] * x[q];
            }
            next[i] = ldexp(sum + n * u * square, (int)(2 * block->exponent[k] - block->exponent[k - 1]));
        }
        memcpy(r, next, sizeof r);
    }
    for (int i = 0; i < count; i++) {
        worst[i] = fmax(worst[i], r[i] * (1 + 0x1p-30));
    }
}

static double column_norm(int n, const double *a)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum = round_up_sum(sum, a[i * n + j]);
        }
        norm = fmax(norm, sum);
    }
    return norm;
}

static void describe(const struct block *block, const double *error, int i, double *all, double *opposed)
{
    const double *half = &block->stage[block->n * block->n];
    double sum = 0, against = 0, sign = (block->value[i].hi > 0) - (block->value[i].hi < 0);
    for (int k = 0; k < block->n; k++) {
        int x = i / block->n * block->n + k, y = k * block->n + i % block->n;
        double p = 4 * error[x], q = 4 * error[y];
        bool sure = half[x] > p && half[y] > q && block->half_sign[x] * block->half_sign[y] == sign;
        sum = round_up_sum(sum, round_up_product(half[x], half[y]));
        if (!sure && block->reach[x] && block->reach[y]) {
            against = round_up_sum(against, round_up_product(half[x] + p, half[y] + q));
        }
    }
    *all = portable_log2_above(sum) + 2 * (double)block->exponent[1];
    *opposed = portable_log2_above(against) + 2 * (double)block->exponent[1];
}

static void check(struct data *d, int n, int least, int greatest, double u, struct philox *g)
{
    struct block block = problem(d, n, least, greatest, 3, g);
    double out[5 * N * N], worst[N * N] = {0}, half[N * N] = {0};
    int count = n * n;
    cr_assert(block_sensitivities(&block, u, out));
    for (int s = least; s <= greatest; s++) {
        follow(&block, s, u, worst, half);
    }
    double norm = column_norm(n, block.stage);
    for (int i = 0; greatest && i < count; i++) {
        half[i] += u * block.norm * column_norm(n, &block.stage[count]);
    }
    for (int i = 0; i < count; i++) {
        double rounding = ldexp((worst[i] + u * block.norm * norm) * (1 + 0x1p-30), (int)block.exponent[0]);
        double all = -INFINITY, opposed = -INFINITY;
        if (greatest) {
            describe(&block, half, i, &all, &opposed);
        }
        cr_assert_eq(out[i], rounding, "n = %d, entry %d: %a, not %a", n, i, out[i], rounding);
        cr_assert_eq(out[2 * count + i], all, "n = %d, entry %d", n, i);
        cr_assert_eq(out[3 * count + i], opposed, "n = %d, entry %d", n, i);
    }
}

/* Orders that are multiples of the tile size, and others; a roundoff that makes errors as large as
 * entries. */
Test(matrix_sensitivity, bounds_are_those_of_three_loops)
{
    struct data *d = malloc(sizeof *d);
    struct philox g;
    philox_start(&g, 51);
    for (int n = 2; n <= N; n += n < 9 ? 1 : 5) {
        check(d, n, 0, 0, 0x1p-24, &g);
        check(d, n, 0, 2, 0x1p-24, &g);
        check(d, n, 1, STAGES - 1, 0x1p-12, &g);
        check(d, n, 2, STAGES - 1, 0x1p-53, &g);
    }
    free(d);
}
