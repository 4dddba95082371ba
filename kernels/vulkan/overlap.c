/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/overlap.h"

#include <stdlib.h>

enum { TERMS_MAX = 2 * RANK_MAX, NODES_MAX = 1000000 };

/* The equation Σ coefficient·x = target in integers 0 ≤ x ≤ bound; coefficients positive, largest first. */
struct term {
    int64_t coefficient, bound;
};

struct equation {
    int terms;
    struct term term[TERMS_MAX];
    int64_t target;
    int64_t reach[TERMS_MAX + 1];   /* [k]: greatest sum of the terms from k on */
    int64_t divisor[TERMS_MAX + 1]; /* [k]: gcd of the coefficients from k on; 0 behind the last term */
    int nodes;
};

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns the inverse of a modulo m, where gcd(a, m) = 1 and m ≥ 1, by the extended Euclidean algorithm. */
static int64_t inverse(int64_t a, int64_t m)
{
    int64_t r0 = m, r1 = a % m, t0 = 0, t1 = 1;
    while (r1) {
        int64_t q = r0 / r1, r2 = r0 - q * r1, t2 = t0 - q * t1;
        r0 = r1, r1 = r2, t0 = t1, t1 = t2;
    }
    return t0 < 0 ? t0 + m : t0;
}

static bool solvable(struct equation *e, int k, int64_t target)
{
    if (target < 0 || target > e->reach[k]) {
        return false;
    }
    if (k == e->terms) {
        return true; /* reach[k] is 0, and so is the target */
    }
    if (target % e->divisor[k] || ++e->nodes > NODES_MAX) {
        return e->nodes > NODES_MAX;
    }
    const struct term term = e->term[k];
    int64_t low = 0, high = target / term.coefficient < term.bound ? target / term.coefficient : term.bound;
    if (target > e->reach[k + 1]) {
        low = (target - e->reach[k + 1] + term.coefficient - 1) / term.coefficient;
    }
    /* target − coefficient·x must be divisible by the gcd of the later coefficients: x ≡ first (mod step). */
    int64_t step = 1, first = 0;
    if (e->divisor[k + 1] == 0) {
        first = target / term.coefficient;
        return first >= low && first <= high;
    }
    step = e->divisor[k + 1] / e->divisor[k];
    first = target / e->divisor[k] % step * inverse(term.coefficient / e->divisor[k], step) % step;
    if (low > first) {
        first += (low - first + step - 1) / step * step;
    }
    for (int64_t x = first; x <= high; x += step) {
        if (solvable(e, k + 1, target - term.coefficient * x)) {
            return true;
        }
    }
    return false;
}

static int descending(const void *a, const void *b)
{
    const int64_t x = ((const struct term *)a)->coefficient, y = ((const struct term *)b)->coefficient;
    return x < y ? 1 : x > y ? -1 : 0;
}

static bool solve(struct equation *e)
{
    qsort(e->term, (size_t)e->terms, sizeof *e->term, descending);
    for (int k = e->terms; k-- > 0;) {
        e->reach[k] = e->reach[k + 1] + e->term[k].coefficient * e->term[k].bound;
        e->divisor[k] = gcd(e->term[k].coefficient, e->divisor[k + 1]);
    }
    return solvable(e, 0, e->target);
}

/* Adds the term coefficient·x, 0 ≤ x ≤ bound, to the left side. A negative coefficient is made positive by
 * the substitution of bound − x for x. */
static void add_term(struct equation *e, int64_t coefficient, int64_t bound)
{
    if (coefficient == 0 || bound == 0) {
        return;
    }
    if (coefficient < 0) {
        e->target -= coefficient * bound;
        coefficient = -coefficient;
    }
    e->term[e->terms++] = (struct term){coefficient, bound};
}

/* Searches index differences Δ with Σ stride·Δ = 0, whose first nonzero one, at dimension k, is positive. */
bool vk_overlaps_itself(const struct view *view)
{
    if (shape_elements(&view->shape) == 0) {
        return false;
    }
    for (int k = 0; k < view->shape.rank; k++) {
        struct equation e = {0};
        if (view->shape.dim[k] == 1) {
            continue;
        }
        if (view->stride[k] == 0) {
            return true;
        }
        e.target = -llabs(view->stride[k]);
        add_term(&e, llabs(view->stride[k]), view->shape.dim[k] - 2);
        for (int j = k + 1; j < view->shape.rank; j++) {
            int64_t span = view->shape.dim[j] - 1;
            if (span && view->stride[j] == 0) {
                return true;
            }
            e.target += llabs(view->stride[j]) * span;
            add_term(&e, llabs(view->stride[j]), 2 * span);
        }
        if (solve(&e)) {
            return true;
        }
    }
    return false;
}

bool vk_shares_memory(const struct view *a, const struct view *b)
{
    struct equation e = {.target = b->offset - a->offset};
    if (a->storage != b->storage || shape_elements(&a->shape) == 0 || shape_elements(&b->shape) == 0) {
        return false;
    }
    for (int d = 0; d < a->shape.rank; d++) {
        add_term(&e, a->stride[d], a->shape.dim[d] - 1);
    }
    for (int d = 0; d < b->shape.rank; d++) {
        add_term(&e, -b->stride[d], b->shape.dim[d] - 1);
    }
    return solve(&e);
}

bool vk_same_elements(const struct view *a, const struct view *b)
{
    if (a->storage != b->storage || a->offset != b->offset || !shape_equal(&a->shape, &b->shape)) {
        return false;
    }
    for (int d = 0; d < a->shape.rank; d++) {
        if (a->shape.dim[d] > 1 && a->stride[d] != b->stride[d]) {
            return false;
        }
    }
    return true;
}
