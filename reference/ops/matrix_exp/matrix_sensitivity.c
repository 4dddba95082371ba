/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/matrix/double_lu.h"
#include "reference/numeric/matrix/exponential_kernel.h"
#include "reference/numeric/round_up.h"
#include "reference/ops/matrix_exp/matrix_component.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the running bound: R0 = c0·u·e^(|A|/2^s), c0 = 10n; R ← |X|R + R|X| + R² + n·u·|X|², X = e^(A/2^k), k =
 * s..1; the greatest over all legal s. R is stored with the exponent of X. The truncated series adds
 * u‖A‖₁‖X‖₁: all legal polynomials and rational functions of A give e^(A + Δ) with Δ a series in A and
 * ‖Δ‖ ≤ u‖A‖ (Al-Mohy and Higham, SIMAX 31 (2009), sec. 2). Elimination stays within a component, so ‖X‖ is
 * that of the component. All terms of the sums are positive; the factor 1 + 2^-30 covers their rounding.
 *
 * Matrices are as in double_lu.h: row-major, rows `stride` apart, 0 beyond the order; or in panels. */

enum { CHUNK = 256 /* terms of a product whose factors fit in the first-level cache */ };

struct work {
    int n, stride;
    size_t size, used;                      /* elements of a matrix; of its first n rows */
    double *x, *panels, *square;            /* |e^(A/2^k)|, its panels, |e^(A/2^k)|² */
    double *first, *second, *third, *error; /* error: R of e^(A/2), with its exponent */
    double *r;                              /* R, a matrix for every s */
    double *memory;
};

static bool work_create(struct work *w, const struct block *block)
{
    size_t kept = (size_t)(block->greatest - block->least) + 1;
    w->n = block->n;
    w->stride = lu_stride(block->n);
    w->size = (size_t)w->stride * (size_t)w->stride;
    w->used = (size_t)w->n * (size_t)w->stride;
    w->memory = aligned_alloc(64, (kept + 7) * w->size * sizeof *w->memory);
    double **part[] = {&w->x, &w->panels, &w->square, &w->first, &w->second, &w->third, &w->error, &w->r};
    for (size_t i = 0; w->memory && i < sizeof part / sizeof *part; i++) {
        *part[i] = w->memory + i * w->size;
    }
    return w->memory && memset(w->memory, 0, (kept + 7) * w->size * sizeof *w->memory);
}

/* x ← x·2^e, rounded once. */
static void scale_all(double *x, size_t count, int e)
{
    double factor = ldexp(1, e);
    for (size_t i = 0; i < count; i++) {
        x[i] = abs(e) <= 1000 ? x[i] * factor : ldexp(x[i], e);
    }
}

/* x ← x/k, sum += x; returns the greatest x; all x ≥ 0. Works on whole tiles, so that the compiler
 * vectorizes. */
static double add_term(double *x, int k, double *sum, size_t count)
{
    double largest[LU_TILE] = {0}, most = 0;
    for (size_t i = 0; i < count; i += LU_TILE) {
        for (int lane = 0; lane < LU_TILE; lane++) {
            double y = x[i + (size_t)lane] / k;
            x[i + (size_t)lane] = y;
            sum[i + (size_t)lane] += y;
            largest[lane] = y > largest[lane] ? y : largest[lane];
        }
    }
    for (int lane = 0; lane < LU_TILE; lane++) {
        most = largest[lane] > most ? largest[lane] : most;
    }
    return most;
}

/* sum = e^(|A|/2^s) by its series: ‖A/2^s‖ ≤ 6. */
static void absolute_exponential(const struct block *block, int s, struct work *w, double *sum)
{
    int n = w->n;
    double *term = w->first, *next = w->second;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            w->x[i * w->stride + j] = ldexp(fabs(block->a[i * n + j]), -s);
        }
    }
    lu_panels(w->stride, w->x, w->panels);
    memset(term, 0, w->size * sizeof *term);
    for (int i = 0; i < n; i++) {
        term[i * w->stride + i] = sum[i * w->stride + i] = 1;
    }
    for (int k = 1; k <= 60; k++) {
        memset(next, 0, w->size * sizeof *next);
        lu_multiply(w->n, w->stride, term, w->panels, next);
        double largest = add_term(next, k, sum, w->used);
        double *swap = term;
        term = next;
        next = swap;
        if (largest < 0x1p-60) {
            return;
        }
    }
}

/* Loads |e^(A/2^k)| in w->x and w->panels, and its square in w->square. */
static void load_stage(const struct block *block, int k, struct work *w)
{
    const double *stage = &block->stage[(size_t)k * (size_t)w->n * (size_t)w->n];
    for (int i = 0; i < w->n; i++) {
        memcpy(w->x + (size_t)i * (size_t)w->stride, stage + i * w->n, (size_t)w->n * sizeof *stage);
    }
    lu_panels(w->stride, w->x, w->panels);
    memset(w->square, 0, w->size * sizeof *w->square);
    lu_multiply(w->n, w->stride, w->x, w->panels, w->square);
}

/* Replaces r by the bound after one squaring, scaled by 2^rescale to the exponent of the next stage. */
static void bound_square(struct work *w, double u, double *r, int rescale)
{
    int n = w->n, stride = w->stride;
    double *sum = w->first, *next = w->second, *panels = w->third;
    for (size_t i = 0; i < w->used; i++) {
        sum[i] = w->x[i] + r[i];
    }
    lu_panels(stride, r, panels);
    memset(next, 0, w->size * sizeof *next);
    for (int k = 0; k < n; k += CHUNK) {
        for (int j = 0; j < stride; j += LU_TILE) {
            for (int i = 0; i < stride; i += LU_TILE) {
                size_t row = (size_t)i * (size_t)stride, panel = panel_at(stride, k, j);
                struct exponential_factors factors = {
                    sum + row + k,  r + row + k,       stride,
                    panels + panel, w->panels + panel, n - k < CHUNK ? n - k : CHUNK};
                exponential_pairs(next + row + j, stride, &factors);
            }
        }
    }
    for (size_t i = 0; i < w->used; i++) {
        r[i] = next[i] + n * u * w->square[i];
    }
    scale_all(r, w->used, rescale);
}

static int clamp_exponent(long e)
{
    return (int)fmax(-4000, fmin(4000, (double)e));
}

static void raise_to(double *to, const double *r, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = fmax(to[i], r[i] * (1 + 0x1p-30));
    }
}

/* Stores the greatest bound over all s in `worst` (exponent of e^A), and, if there is a squaring, that of
 * e^(A/2) in w->error. */
static void running_bound(const struct block *block, double u, struct work *w, double *worst)
{
    int n = w->n;
    for (int s = block->least; s <= block->greatest; s++) {
        double *r = w->r + (size_t)(s - block->least) * w->size;
        absolute_exponential(block, s, w, r);
        for (size_t i = 0; i < w->used; i++) {
            r[i] *= 10 * n * u;
        }
        scale_all(r, w->used, clamp_exponent(-block->exponent[s]));
    }
    for (int k = block->greatest; k > 0; k--) {
        load_stage(block, k, w);
        for (int s = k > block->least ? k : block->least; s <= block->greatest; s++) {
            double *r = w->r + (size_t)(s - block->least) * w->size;
            if (k == 1) {
                raise_to(w->error, r, w->used);
            }
            bound_square(w, u, r, clamp_exponent(2 * block->exponent[k] - block->exponent[k - 1]));
        }
    }
    memset(w->first, 0, w->size * sizeof *w->first);
    for (int s = block->least; s <= block->greatest; s++) {
        raise_to(w->first, w->r + (size_t)(s - block->least) * w->size, w->used);
    }
    for (int i = 0; i < n; i++) {
        memcpy(worst + i * n, w->first + (size_t)i * (size_t)w->stride, (size_t)n * sizeof *worst);
    }
}

static double in_range(double x, long exponent) /* x·2^exponent, at most DBL_MAX if x is finite */
{
    double scaled = ldexp(x, clamp_exponent(exponent));
    return isfinite(x) && !isfinite(scaled) ? DBL_MAX : scaled;
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

/* Stores log2 of Σ|x||y| over the products of the last squaring for each entry, and over those of them whose
 * sign may differ from the entry's: the sign of a factor below `slack` times its error is unknown. */
static void describe_squaring(const struct block *block, struct work *w, double *all, double *opposed)
{
    const double slack = 4; /* covers a profile's u of twice the dtype's, and second-order terms */
    const double *half = &block->stage[block->n * block->n];
    int n = w->n, stride = w->stride;
    double *size = w->x, *enlarged = w->first, *sign = w->second;
    double *size_panels = w->panels, *enlarged_panels = w->square, *sign_panels = w->third;
    memset(enlarged, 0, w->size * sizeof *enlarged);
    memset(sign, 0, w->size * sizeof *sign);
    for (int i = 0; i < n * n; i++) {
        int at = i / n * stride + i % n;
        double p = slack * w->error[at];
        size[at] = half[i];
        enlarged[at] = block->reach[i] ? half[i] + p : 0;
        sign[at] = half[i] > p ? block->half_sign[i] : NAN;
    }
    lu_panels(stride, size, size_panels);
    lu_panels(stride, enlarged, enlarged_panels);
    lu_panels(stride, sign, sign_panels);
    for (int j = 0; j < n; j += LU_TILE) {
        size_t panel = panel_at(stride, 0, j);
        for (int i = 0; i < n; i++) {
            size_t row = (size_t)i * (size_t)stride;
            double expected[LU_TILE] = {0}, sum[LU_TILE], against[LU_TILE];
            for (int lane = 0; lane < LU_TILE && j + lane < n; lane++) {
                double hi = block->value[i * n + j + lane].hi;
                expected[lane] = hi > 0 ? 1 : hi < 0 ? -1 : 0;
            }
            struct exponential_squaring squaring = {size + row,
                                                    enlarged + row,
                                                    sign + row,
                                                    size_panels + panel,
                                                    enlarged_panels + panel,
                                                    sign_panels + panel,
                                                    n,
                                                    expected};
            exponential_squaring(&squaring, sum, against);
            for (int lane = 0; lane < LU_TILE && j + lane < n; lane++) {
                double exponent = 2 * (double)block->exponent[1];
                all[i * n + j + lane] = portable_log2_above(sum[lane]) + exponent;
                opposed[i * n + j + lane] = portable_log2_above(against[lane]) + exponent;
            }
        }
    }
}

bool block_sensitivities(const struct block *block, double u, double *out)
{
    int n = block->n, count = n * n;
    struct work w;
    if (!work_create(&w, block)) {
        return false;
    }
    running_bound(block, u, &w, out);
    double norm = column_norm(n, block->stage);
    double floor = block->greatest ? u * block->norm * column_norm(n, &block->stage[count]) : 0;
    for (size_t i = 0; i < w.size; i++) {
        w.error[i] += floor;
    }
    for (int i = 0; i < count; i++) {
        double rounding = block->norm == 0 ? 0 : (out[i] + u * block->norm * norm) * (1 + 0x1p-30);
        out[i] = in_range(rounding, block->exponent[0]);
        out[4 * count + i] = portable_log2(rounding) + (double)block->exponent[0] + 0x1p-30;
        double products = ldexp(4 * n, block->greatest); /* exact */
        out[count + i] = round_up_product(products, fmax(1, in_range(norm, block->exponent[0])));
        out[2 * count + i] = out[3 * count + i] = -INFINITY;
    }
    if (block->greatest) {
        describe_squaring(block, &w, out + 2 * (size_t)count, out + 3 * (size_t)count);
    }
    free(w.memory);
    return true;
}
