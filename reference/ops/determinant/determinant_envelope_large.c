/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/determinant/determinant_envelope_large.h"
#include "reference/numeric/elementary/double_log.h"
#include "reference/operator/envelope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One elimination; notation of determinant_envelope.c. */
struct form {
    int n, stride;
    const struct double_lu *lu;
    double *ordered, *inverse; /* the pivoted matrix and its inverse, row-major; then (inverse)² */
    double *upper, *v;         /* U and v in panels */
    double *w;
    double *line; /* n numbers */
};

static double entry(const struct form *f, const double *m, int i, int j)
{
    return m[(size_t)i * (size_t)f->stride + (size_t)j];
}

/* Stores the inverse of PAQ = LU, which is Qᵀ·A⁻¹·Pᵀ. */
static void take_inverse(struct form *f, const struct verified_determinant *v, bool transposed)
{
    for (int i = 0; i < f->n; i++) {
        for (int c = 0; c < f->n; c++) {
            int row = f->lu->column[i], column = f->lu->row[c];
            size_t at = transposed ? (size_t)column * (size_t)f->stride + (size_t)row
                                   : (size_t)row * (size_t)f->stride + (size_t)column;
            f->inverse[(size_t)i * (size_t)f->stride + (size_t)c] = v->inverse[at];
        }
    }
}

/* Adds the terms of entry (i, j) of v from step k on, and the term of its multiplier. */
static double finish(const struct form *f, int i, int j, int k, double rest, double energy)
{
    const double *panel = f->upper + panel_at(f->stride, 0, j);
    for (; k < i && k < j; k++) {
        double product = entry(f, f->lu->lu, i, k) * panel[k * LU_TILE];
        rest -= product;
        energy += product * product + rest * rest;
    }
    if (i > j) {
        double l = entry(f, f->lu->lu, i, j), pivot = panel[j * LU_TILE];
        energy += 4 * (l * pivot) * (l * pivot);
    }
    return energy;
}

/* Computes v by eliminating the pivoted matrix. */
static void gather(struct form *f)
{
    for (int j = 0; j < f->stride; j += LU_TILE) {
        for (int i = 0; i < f->stride; i += LU_TILE) {
            double rest[LU_TILE * LU_TILE], energy[LU_TILE * LU_TILE] = {0};
            int common = i < j ? i : j;
            struct lu_factors factors = {f->lu->lu + (size_t)i * (size_t)f->stride, f->stride,
                                         f->upper + panel_at(f->stride, 0, j), common};
            for (int r = 0; r < LU_TILE; r++) {
                memcpy(&rest[r * LU_TILE], f->ordered + (size_t)(i + r) * (size_t)f->stride + j,
                       LU_TILE * sizeof *rest);
            }
            lu_energy(rest, energy, &factors);
            for (int e = 0; e < LU_TILE * LU_TILE; e++) {
                int row = i + e / LU_TILE, column = j + e % LU_TILE;
                f->v[panel_at(f->stride, row, column)] = finish(f, row, column, common, rest[e], energy[e]);
            }
        }
    }
}

/* Σ_ij |A⁻¹|_ji·(1 + Σ_k|u_ki|): an error η of a multiplier is multiplied by row k of U. */
static double underflow_of(const struct form *f)
{
    double sum = 0;
    for (int j = 0; j < f->n; j++) {
        f->line[j] = 1;
    }
    for (int k = 0; k < f->n; k++) {
        for (int j = k; j < f->n; j++) {
            f->line[j] += fabs(entry(f, f->lu->lu, k, j));
        }
    }
    for (int j = 0; j < f->n; j++) {
        double row = 0;
        for (int i = 0; i < f->n; i++) {
            row += fabs(entry(f, f->inverse, j, i));
        }
        sum += row * f->line[j];
    }
    return sum;
}

static double logarithms(const struct form *f)
{
    double u[ENVELOPE_WIDTHS];
    struct envelope_sum sum;
    for (int i = 0; i < f->n; i++) {
        f->line[i] = double_log(fabs(entry(f, f->lu->lu, i, i)));
    }
    envelope_widths(DTYPE_FLOAT64, u);
    envelope_sum(f->line, f->n, u, &sum);
    return envelope_join(sum.order, 2 * sum.squares);
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Raises `out` to the first-order deviation Σ (A⁻¹)_ji²·v_ij and the second-order terms of this form. */
static void measure(struct form *f, struct determinant_envelope *out)
{
    double first = 0, mean = 0, mixed = 0;
    size_t count = (size_t)f->stride * (size_t)f->stride;
    for (size_t i = 0; i < count; i++) {
        f->inverse[i] *= f->inverse[i];
        f->w[i] = 0;
    }
    lu_multiply(f->n, f->stride, f->inverse, f->v, f->w);
    for (int i = 0; i < f->n; i++) {
        double row = 0;
        for (int k = 0; k < f->n; k++) {
            row += entry(f, f->inverse, i, k) * f->v[panel_at(f->stride, k, i)];
        }
        first += row;
        mean += entry(f, f->w, i, i);
        row = 0;
        for (int j = 0; j < f->n; j++) {
            row += entry(f, f->w, i, j) * entry(f, f->w, j, i);
        }
        mixed += row;
    }
    out->elimination = greater(out->elimination, sqrt(first));
    out->second = greater(out->second, mean / 2 + 4 * sqrt(mixed / 2));
    out->unstable = greater(out->unstable, sqrt(mixed));
}

static void one_form(struct form *f, const struct verified_determinant *v, const struct double_lu *lu,
                     bool transposed, struct determinant_envelope *out)
{
    size_t bytes = (size_t)f->stride * (size_t)f->stride * sizeof *f->upper;
    f->lu = lu;
    memset(f->upper, 0, bytes);
    double_lu_order(lu, v->a, transposed, f->ordered);
    double_lu_upper(lu, f->upper);
    take_inverse(f, v, transposed);
    out->logarithms = greater(out->logarithms, logarithms(f));
    out->underflow = greater(out->underflow, underflow_of(f));
    gather(f);
    measure(f, out);
}

bool determinant_envelope_large(const struct verified_determinant *v, struct determinant_envelope *out)
{
    struct form f = {.n = v->n, .stride = v->stride};
    struct double_lu complete;
    double **m[] = {&f.ordered, &f.inverse, &f.upper, &f.v, &f.w};
    bool good = double_lu_create(&complete, v->n, v->a, false, LU_COMPLETE);
    f.line = malloc((size_t)v->n * sizeof *f.line);
    good = good && f.line;
    for (size_t i = 0; i < sizeof m / sizeof *m; i++) {
        *m[i] = lu_matrix(v->stride);
        good = good && *m[i];
    }
    *out = (struct determinant_envelope){.elimination = 0};
    if (good && complete.regular) {
        one_form(&f, v, &v->lu[0], false, out);
        one_form(&f, v, &v->lu[1], true, out);
        one_form(&f, v, &complete, false, out);
    } else if (good) {
        *out = (struct determinant_envelope){INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    }
    for (size_t i = 0; i < sizeof m / sizeof *m; i++) {
        free(*m[i]);
    }
    free(f.line);
    double_lu_destroy(&complete);
    return good;
}
