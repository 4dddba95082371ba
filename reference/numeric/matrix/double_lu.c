/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/matrix/double_lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 32,  /* columns that are eliminated before the rest of the matrix is updated */
    CHUNK = 256, /* terms of a product at a time, so that the factors stay in the first-level cache */
    SMALL = 8192 /* bytes */
};

static int block = BLOCK, chunk = CHUNK;

void lu_blocks(int columns, int terms)
{
    block = columns > 0 ? columns : BLOCK;
    chunk = terms > 0 ? terms : CHUNK;
}

/* Allocates doubles. Large blocks are aligned to gain speed; loads work without it, and small blocks are
 * allocated faster by malloc. */
static double *numbers(size_t count)
{
    size_t bytes = count * sizeof(double);
    return bytes <= SMALL ? malloc(bytes) : aligned_alloc(64, (bytes + 127) / 64 * 64);
}

double *lu_matrix(int stride)
{
    return lu_matrices(stride, 1);
}

double *lu_matrices(int stride, int matrices)
{
    size_t count = (size_t)stride * (size_t)stride * (size_t)matrices;
    double *m = numbers(count);
    return m ? memset(m, 0, count * sizeof *m) : NULL;
}

static double *row_of(const struct double_lu *f, int i)
{
    return f->lu + (size_t)i * (size_t)f->stride;
}

static void swap_integers(int *x, int p, int q)
{
    int t = x[p];
    x[p] = x[q];
    x[q] = t;
}

static void swap_rows(struct double_lu *f, int p, int q)
{
    double *a = row_of(f, p), *b = row_of(f, q);
    if (p == q) {
        return;
    }
    for (int j = 0; j < f->n; j++) {
        double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
    swap_integers(f->row, p, q);
    f->sign = -f->sign;
}

static void swap_columns(struct double_lu *f, int p, int q)
{
    if (p == q) {
        return;
    }
    for (int i = 0; i < f->n; i++) {
        double *row = row_of(f, i), t = row[p];
        row[p] = row[q];
        row[q] = t;
    }
    swap_integers(f->column, p, q);
    f->sign = -f->sign;
}

static bool usable(double pivot)
{
    return fabs(pivot) > 0 && !isinf(pivot);
}

/* Eliminates columns [from, to) of all rows from `from` on. Returns false at a pivot that is 0 or not finite.
 */
static bool eliminate_columns(struct double_lu *f, int from, int to)
{
    for (int k = from; k < to; k++) {
        int pivot = k;
        for (int i = k; i < f->n; i++) {
            pivot = fabs(row_of(f, i)[k]) > fabs(row_of(f, pivot)[k]) ? i : pivot;
        }
        swap_rows(f, k, pivot);
        const double *top = row_of(f, k);
        if (!usable(top[k])) {
            return false;
        }
        for (int i = k + 1; i < f->n; i++) {
            double *row = row_of(f, i), l = row[k] / top[k];
            row[k] = l;
            for (int j = k + 1; j < to; j++) {
                row[j] -= l * top[j];
            }
        }
    }
    return true;
}

/* Applies the elimination of columns [from, to) to the columns after them. `panel` has room for to − from
 * rows of a panel. */
static void eliminate_behind(struct double_lu *f, int from, int to, double *panel)
{
    for (int j = to; j < f->stride; j += LU_TILE) {
        for (int i = from; i < to; i++) {
            double *row = row_of(f, i) + j;
            for (int k = from; k < i; k++) {
                double l = row_of(f, i)[k];
                for (int lane = 0; lane < LU_TILE; lane++) {
                    row[lane] -= l * panel[(k - from) * LU_TILE + lane];
                }
            }
            memcpy(&panel[(i - from) * LU_TILE], row, LU_TILE * sizeof *panel);
        }
        for (int i = to; i < f->stride; i += LU_TILE) {
            struct lu_factors factors = {row_of(f, i) + from, f->stride, panel, to - from};
            lu_subtract(row_of(f, i) + j, f->stride, &factors);
        }
    }
}

static bool eliminate_partial(struct double_lu *f, double *panel)
{
    for (int from = 0; from < f->n; from += block) {
        int to = from + block < f->n ? from + block : f->n;
        if (!eliminate_columns(f, from, to)) {
            return false;
        }
        if (to < f->n) {
            eliminate_behind(f, from, to, panel);
        }
    }
    return true;
}

/* Finds the first of the greatest elements, column by column. most[i] is the greatest of row i from column k
 * on. */
static void find_greatest(const struct double_lu *f, int k, const double *most, int *row, int *column)
{
    double greatest = 0;
    *row = *column = k;
    for (int i = k; i < f->n; i++) {
        greatest = most[i] > greatest ? most[i] : greatest;
    }
    int first = f->n;
    for (int i = k; greatest > 0 && i < f->n; i++) {
        const double *entry = row_of(f, i);
        for (int j = k; most[i] == greatest && j < first; j++) {
            if (fabs(entry[j]) == greatest) {
                first = j;
                *row = i;
                *column = j;
            }
        }
    }
}

/* Subtracts a multiple of row k from row i and returns the greatest magnitude that remains after column k. */
static double eliminate_row(struct double_lu *f, int i, int k)
{
    double *row = row_of(f, i), *top = row_of(f, k), l = row[k] / top[k], most = 0;
    int aligned = lu_stride(k + 1);
    row[k] = l;
    for (int j = k + 1; j < aligned; j++) {
        row[j] -= l * top[j];
        most = fabs(row[j]) > most ? fabs(row[j]) : most;
    }
    double rest = lu_update(row + aligned, top + aligned, l, f->stride - aligned);
    return rest > most ? rest : most;
}

/* Factors with complete pivoting; `most` is scratch for n numbers. */
static bool eliminate_complete(struct double_lu *f, double *most)
{
    for (int i = 0; i < f->n; i++) {
        most[i] = 0;
        for (int j = 0; j < f->n; j++) {
            most[i] = fabs(row_of(f, i)[j]) > most[i] ? fabs(row_of(f, i)[j]) : most[i];
        }
    }
    for (int k = 0; k < f->n; k++) {
        int row, column;
        find_greatest(f, k, most, &row, &column);
        swap_rows(f, k, row);
        swap_columns(f, k, column);
        if (!usable(row_of(f, k)[k])) {
            return false;
        }
        for (int i = k + 1; i < f->n; i++) {
            most[i] = eliminate_row(f, i, k);
        }
    }
    return true;
}

bool double_lu_create(struct double_lu *f, int n, const double *a, bool transposed, enum lu_pivots pivots)
{
    size_t count = (size_t)n;
    *f = (struct double_lu){.n = n, .stride = lu_stride(n), .sign = 1};
    f->lu = lu_matrix(f->stride);
    f->row = malloc((count + 1) * sizeof *f->row);
    f->column = malloc((count + 1) * sizeof *f->column);
    double *most = malloc((count + 1) * sizeof *most);
    double *panel = numbers((size_t)f->stride * LU_TILE);
    bool good = f->lu && f->row && f->column && most && panel;
    for (int i = 0; good && i < n; i++) {
        f->row[i] = f->column[i] = i;
    }
    if (good) {
        double_lu_order(f, a, transposed, f->lu);
        f->regular = pivots == LU_COMPLETE ? eliminate_complete(f, most) : eliminate_partial(f, panel);
    }
    free(panel);
    free(most);
    return good;
}

void double_lu_destroy(struct double_lu *f)
{
    free(f->lu);
    free(f->row);
    free(f->column);
    *f = (struct double_lu){.n = 0};
}

void double_lu_order(const struct double_lu *f, const double *a, bool transposed, double *ordered)
{
    size_t n = (size_t)f->n;
    for (int i = 0; i < f->n; i++) {
        for (int j = 0; j < f->n; j++) {
            size_t row = (size_t)f->row[i], column = (size_t)f->column[j];
            ordered[i * f->stride + j] = transposed ? a[column * n + row] : a[row * n + column];
        }
    }
}

void double_lu_lower(const struct double_lu *f, double *lower)
{
    for (int i = 0; i < f->n; i++) {
        memcpy(lower + (size_t)i * (size_t)f->stride, row_of(f, i), (size_t)i * sizeof *lower);
        lower[i * f->stride + i] = 1;
    }
}

void double_lu_upper(const struct double_lu *f, double *upper)
{
    for (int j = 0; j < f->n; j++) {
        for (int i = 0; i <= j; i++) {
            upper[panel_at(f->stride, i, j)] = row_of(f, i)[j];
        }
    }
}

/* Solves L y = e in rows [i, i + LU_TILE) of a panel; the rows above must be done. */
static void forward(const struct double_lu *f, int i, double *x)
{
    for (int r = i; r < i + LU_TILE && r < f->n; r++) {
        for (int k = i; k < r; k++) {
            for (int lane = 0; lane < LU_TILE; lane++) {
                x[r * LU_TILE + lane] -= row_of(f, r)[k] * x[k * LU_TILE + lane];
            }
        }
    }
}

/* Solves U x = y in rows [i, i + LU_TILE) of a panel; the rows below must be done. */
static void backward(const struct double_lu *f, int i, double *x)
{
    int last = i + LU_TILE < f->n ? i + LU_TILE - 1 : f->n - 1;
    for (int r = last; r >= i; r--) {
        for (int lane = 0; lane < LU_TILE; lane++) {
            double y = x[r * LU_TILE + lane];
            for (int k = r + 1; k <= last; k++) {
                y -= row_of(f, r)[k] * x[k * LU_TILE + lane];
            }
            y /= row_of(f, r)[r];
            x[r * LU_TILE + lane] = fabs(y) < 0x1p-400 ? 0 : y;
        }
    }
}

void double_lu_invert(const struct double_lu *f, double *x)
{
    for (int j = 0; j < f->stride; j += LU_TILE, x += (size_t)f->stride * LU_TILE) {
        for (int lane = 0; lane < LU_TILE && j + lane < f->n; lane++) {
            x[(j + lane) * LU_TILE + lane] = 1;
        }
        for (int i = j; i < f->stride; i += LU_TILE) { /* y is 0 above the 1 of the unit vector */
            struct lu_factors factors = {row_of(f, i) + j, f->stride, x + (size_t)j * LU_TILE, i - j};
            lu_subtract(x + (size_t)i * LU_TILE, LU_TILE, &factors);
            forward(f, i, x);
        }
        for (int i = f->stride - LU_TILE; i >= 0; i -= LU_TILE) {
            int below = i + LU_TILE;
            struct lu_factors factors = {row_of(f, i) + below, f->stride, x + (size_t)below * LU_TILE,
                                         f->stride - below};
            lu_subtract(x + (size_t)i * LU_TILE, LU_TILE, &factors);
            backward(f, i, x);
        }
    }
}

void lu_multiply(int n, int stride, const double *left, const double *right, double *to)
{
    for (int k = 0; k < n; k += chunk) {
        int terms = n - k < chunk ? n - k : chunk;
        for (int j = 0; j < stride; j += LU_TILE) {
            const double *panel = right + panel_at(stride, k, j);
            for (int i = 0; i < stride; i += LU_TILE) {
                size_t row = (size_t)i * (size_t)stride;
                struct lu_factors factors = {left + row + k, stride, panel, terms};
                lu_add(to + row + j, stride, &factors);
            }
        }
    }
}

void lu_panels(int stride, const double *from, double *to)
{
    for (int j = 0; j < stride; j += LU_TILE) {
        for (int i = 0; i < stride; i++, to += LU_TILE) {
            memcpy(to, from + (size_t)i * (size_t)stride + j, LU_TILE * sizeof *to);
        }
    }
}
