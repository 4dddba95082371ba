/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/round_up.h"
#include "reference/ops/matrix_exp/matrix_component.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

void matrix_reachability(int n, const double *a, bool *reach)
{
    for (int i = 0; i < n * n; i++) {
        reach[i] = a[i] != 0 || i / n == i % n; /* NaN and infinities are edges, too */
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; reach[i * n + k] && j < n; j++) {
                reach[i * n + j] = reach[i * n + j] || reach[k * n + j];
            }
        }
    }
}

/* --- the whole matrix */

static int halvings(double norm, double limit) /* least s ≥ 0 with norm/2^s ≤ limit */
{
    int s = 0;
    while (ldexp(norm, -s) > limit) {
        s++;
    }
    return s;
}

double matrix_one_norm(int n, const double *a)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += fabs(a[i * n + j]);
        }
        norm = fmax(norm, sum);
    }
    return fmin(norm, DBL_MAX);
}

static void block_free(struct block *block)
{
    free(block->a);
    free(block->reach);
    free(block->stage);
    free(block->exponent);
    free(block->half_sign);
    free(block->value);
}

/* The component with the rows and columns member[0..n) of the whole matrix. */
static bool block_make(struct block *block, int whole, const double *a, const bool *reach, int n,
                       const int *member)
{
    size_t count = (size_t)n * (size_t)n;
    double norm = 0;
    block->n = n;
    block->a = malloc(count * sizeof *block->a);
    block->reach = malloc(count * sizeof *block->reach);
    block->value = malloc(count * sizeof *block->value);
    block->half_sign = calloc(count, sizeof *block->half_sign);
    if (!block->a || !block->reach || !block->value || !block->half_sign) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) {
            block->a[i * n + j] = a[member[i] * whole + member[j]];
            block->reach[i * n + j] = reach[member[i] * whole + member[j]];
            row += fabs(block->a[i * n + j]);
        }
        norm = fmax(norm, fmin(row, DBL_MAX));
    }
    int needed = halvings(norm, ldexp(1, -TAYLOR_BITS)) + 1; /* + 1: a row sum rounded down */
    block->squarings = norm > 0 && needed > block->greatest && n > 1 ? needed : block->greatest;
    size_t stages = (size_t)block->squarings + 1;
    block->stage = malloc(stages * count * sizeof *block->stage);
    block->exponent = malloc(stages * sizeof *block->exponent);
    return block->stage && block->exponent;
}

/* Copies the component's results to their places. */
static void scatter(struct matrix_exponential *result, int whole, const struct block *block,
                    const int *member, const double *s)
{
    int n = block->n, count = n * n;
    for (int i = 0; i < count; i++) {
        int to = member[i / n] * whole + member[i % n];
        result->value[to] = block->value[i];
        /* 0 would mean that the entry is exact; a bound that underflows is replaced by the least double. */
        result->rounding[to] = s[i] == 0 && !block->value[i].exact ? 0x1p-1074 : s[i];
        result->underflow[to] = s[count + i];
        result->overflow[to] = s[2 * count + i];
        result->opposed[to] = s[3 * count + i];
        result->log2_rounding[to] = s[4 * count + i];
    }
    result->bits = block->bits < result->bits ? block->bits : result->bits;
    for (int k = 1; k <= block->greatest; k++) {
        for (int i = 0; i < count; i++) {
            double x = block->stage[(size_t)k * (size_t)count + (size_t)i];
            double hump = portable_log2_above(x) + (double)block->exponent[k];
            result->log2_hump = fmax(result->log2_hump, hump);
        }
    }
}

static bool component(int n, const double *a, const bool *reach, double u, struct block *block, int members,
                      const int *member, struct matrix_exponential *result, struct error *error)
{
    double *s = malloc(5 * (size_t)members * (size_t)members * sizeof *s);
    bool good = s && block_make(block, n, a, reach, members, member);
    if (!good) {
        error_set(error, "out of memory");
    }
    good = good && block_compute(block, error);
    good = good && (block_sensitivities(block, u, s) || error_set(error, "out of memory"));
    if (good) {
        scatter(result, n, block, member, s);
    }
    block_free(block);
    free(s);
    return good;
}

/* Stores the members of the weakly connected component of `seed`, marks them in `seen`, and returns their
 * number. */
static int gather(int n, const double *a, int seed, bool *seen, int *member)
{
    int members = 0;
    seen[seed] = true;
    member[members++] = seed;
    for (int at = 0; at < members; at++) {
        for (int j = 0; j < n; j++) {
            if (!seen[j] && (a[member[at] * n + j] != 0 || a[j * n + member[at]] != 0)) {
                seen[j] = true;
                member[members++] = j;
            }
        }
    }
    return members;
}

bool matrix_exponential_compute(int n, const double *a, double u,
                                const struct matrix_exponential_scaling *scaling,
                                struct matrix_exponential *result, struct error *error)
{
    size_t count = (size_t)n * (size_t)n;
    *result = (struct matrix_exponential){.bits = INT_MAX, .log2_hump = -INFINITY};
    result->value = malloc((count + 1) * sizeof *result->value);
    result->rounding = calloc(5 * count + 1, sizeof *result->rounding);
    bool *reach = malloc(count + 1), *seen = calloc((size_t)n + 1, sizeof *seen);
    int *member = malloc(((size_t)n + 1) * sizeof *member);
    bool good = result->value && result->rounding && reach && seen && member;
    if (!good) {
        error_set(error, "out of memory");
    } else {
        result->underflow = result->rounding + count;
        result->overflow = result->rounding + 2 * count;
        result->opposed = result->rounding + 3 * count;
        result->log2_rounding = result->rounding + 4 * count;
        matrix_reachability(n, a, reach);
        for (size_t i = 0; i < count; i++) { /* across components */
            result->value[i] = value_of(0);
            result->overflow[i] = result->opposed[i] = result->log2_rounding[i] = -INFINITY;
        }
    }
    double norm = good ? matrix_one_norm(n, a) : 0;
    for (int i = 0; good && i < n; i++) {
        if (!seen[i]) {
            struct block block = {.norm = norm,
                                  .least = halvings(norm, scaling->greatest),
                                  .greatest = halvings(norm, scaling->least),
                                  .bits = INT_MAX};
            int members = gather(n, a, i, seen, member);
            good = component(n, a, reach, u, &block, members, member, result, error);
        }
    }
    free(reach);
    free(seen);
    free(member);
    if (!good) {
        matrix_exponential_clear(result);
    }
    return good;
}

void matrix_exponential_clear(struct matrix_exponential *result)
{
    free(result->value);
    free(result->rounding);
    *result = (struct matrix_exponential){.value = NULL};
}
