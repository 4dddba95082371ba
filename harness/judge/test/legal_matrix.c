/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Legal implementations of determinants, by elimination of every kind, and of exponentials, by Taylor and
 * Padé with squaring. */

#include "harness/judge/test/legal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- determinants: pivots on the diagonal of `a`, the permutations' sign returned */

static void swap(double *x, double *y)
{
    double t = *x;
    *x = *y;
    *y = t;
}

static double swap_rows(double *a, int n, int p, int q)
{
    for (int j = 0; j < n; j++) {
        swap(&a[p * n + j], &a[q * n + j]);
    }
    return p == q ? 1 : -1;
}

static double swap_columns(double *a, int n, int p, int q)
{
    for (int i = 0; i < n; i++) {
        swap(&a[i * n + p], &a[i * n + q]);
    }
    return p == q ? 1 : -1;
}

static int greatest_below(const double *a, int n, int column, int k)
{
    int at = k;
    for (int i = k + 1; i < n; i++) {
        at = fabs(a[i * n + column]) > fabs(a[at * n + column]) ? i : at;
    }
    return at;
}

enum pivoting { PARTIAL, ROOK, COMPLETE };

static double pivot(double *a, int n, int k, enum pivoting pivoting)
{
    int row = greatest_below(a, n, k, k), column = k;
    for (int j = k + 1; pivoting == COMPLETE && j < n; j++) {
        int i = greatest_below(a, n, j, k);
        if (fabs(a[i * n + j]) > fabs(a[row * n + column])) {
            row = i;
            column = j;
        }
    }
    for (bool moved = pivoting == ROOK; moved;) { /* greatest of its row and of its column */
        int j = column;
        for (int c = k; c < n; c++) {
            j = fabs(a[row * n + c]) > fabs(a[row * n + j]) ? c : j;
        }
        int i = greatest_below(a, n, j, k);
        moved = fabs(a[i * n + j]) > fabs(a[row * n + column]);
        row = moved ? i : row;
        column = moved ? j : column;
    }
    return swap_rows(a, n, k, row) * swap_columns(a, n, k, column);
}

/* Right-looking, one column at a time; `jordan`: rows divided by the pivot, all others cleared. */
static double eliminate(struct legal *l, double *a, int n, enum pivoting pivoting, bool jordan)
{
    double sign = 1;
    for (int k = 0; k < n; k++) {
        sign *= pivot(a, n, k, pivoting);
        double diagonal = a[k * n + k], inverse = legal_divide(l, 1, diagonal);
        if (diagonal == 0) {
            return 0;
        }
        for (int j = k + 1; jordan && j < n; j++) {
            a[k * n + j] = legal_divide(l, a[k * n + j], diagonal);
        }
        for (int i = jordan ? 0 : k + 1; i < n; i++) {
            double x = a[i * n + k], f = jordan                   ? x
                                         : l->form == LEGAL_FUSED ? legal_multiply(l, x, inverse)
                                                                  : legal_divide(l, x, diagonal);
            for (int j = k + 1; i != k && j < n; j++) {
                double *at = &a[i * n + j], from = a[k * n + j];
                *at = l->form == LEGAL_FUSED ? legal_fma(l, -f, from, *at)
                                             : legal_add(l, *at, -legal_multiply(l, f, from));
            }
        }
    }
    return sign;
}

/* Column after column: a_ij − Σ l_ik·u_kj by one dot product each, in the form's order. */
static double eliminate_by_columns(struct legal *l, double *a, int n)
{
    double sign = 1, *negated = malloc((size_t)n * sizeof *negated);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            int terms = i < j ? i : j;
            for (int k = 0; k < terms; k++) {
                negated[k] = -a[i * n + k];
            }
            a[i * n + j] = legal_dot(l, negated, 1, a + j, n, terms, a[i * n + j]);
        }
        sign *= swap_rows(a, n, j, greatest_below(a, n, j, j));
        if (a[j * n + j] == 0) {
            sign = 0;
            break;
        }
        for (int i = j + 1; i < n; i++) {
            a[i * n + j] = legal_divide(l, a[i * n + j], a[j * n + j]);
        }
    }
    free(negated);
    return sign;
}

static double factored(struct legal *l, double *a, int n)
{
    switch (l->form) {
    case LEGAL_REVERSED:
        return eliminate(l, a, n, COMPLETE, false);
    case LEGAL_PERMUTED:
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                swap(&a[i * n + j], &a[j * n + i]);
            }
        }
        return eliminate(l, a, n, PARTIAL, false);
    case LEGAL_PAIRWISE:
    case LEGAL_LANES:
    case LEGAL_KAHAN:
        return eliminate_by_columns(l, a, n);
    case LEGAL_BLOCKED_32:
        return eliminate(l, a, n, PARTIAL, true);
    case LEGAL_BLOCKED_1024:
        return eliminate(l, a, n, ROOK, false);
    default:
        return eliminate(l, a, n, PARTIAL, false);
    }
}

bool legal_determinant(struct legal *l)
{
    int n = (int)l->step->input[0].shape.dim[0], outputs = l->step->outputs;
    double *a = malloc(((size_t)n + 1) * (size_t)n * sizeof *a), *log_of = a + (size_t)n * (size_t)n;
    memcpy(a, l->input[0], (size_t)n * (size_t)n * sizeof *a);
    double sign = factored(l, a, n);
    for (int k = 0; k < n; k++) {
        sign *= a[k * n + k] < 0 ? -1 : 1;
        log_of[k] = legal_round(l, log(fabs(a[k * n + k])));
    }
    double sum = sign == 0 ? -INFINITY : legal_sum(l, log_of, n);
    l->output[0][0] = sign;
    l->output[outputs - 1][0] = outputs == 1 && sign < 0 ? NAN : sum;
    free(a);
    return true;
}

/* --- exponentials */

struct square {
    struct legal *l;
    int n;
    size_t count;
};

static double *matrix(const struct square *s, double diagonal)
{
    double *m = calloc(s->count, sizeof *m);
    for (int i = 0; i < s->n; i++) {
        m[i * s->n + i] = diagonal;
    }
    return m;
}

/* a ← x·y */
static void multiply(const struct square *s, const double *x, const double *y, double *a)
{
    double *product = matrix(s, 0);
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            product[i * s->n + j] = legal_dot(s->l, x + i * s->n, 1, y + j, s->n, s->n, 0);
        }
    }
    memcpy(a, product, s->count * sizeof *a);
    free(product);
}

/* a ← a + c·x */
static void accumulate(const struct square *s, double c, const double *x, double *a)
{
    double factor = legal_round(s->l, c);
    for (size_t i = 0; i < s->count; i++) {
        a[i] = legal_add(s->l, a[i], legal_multiply(s->l, factor, x[i]));
    }
}

/* I + X(I + X/2(I + X/3(…))) */
static void taylor(const struct square *s, const double *x, int degree, double *e)
{
    for (int k = degree; k >= 1; k--) {
        multiply(s, x, e, e);
        for (size_t i = 0; i < s->count; i++) {
            e[i] = legal_divide(s->l, e[i], k);
        }
        for (int i = 0; i < s->n; i++) {
            e[i * s->n + i] = legal_add(s->l, 1, e[i * s->n + i]);
        }
    }
}

/* b ← a⁻¹·b, by partial pivoting. */
static void solve(const struct square *s, double *a, double *b)
{
    int n = s->n;
    struct legal *l = s->l;
    for (int k = 0; k < n; k++) {
        int p = greatest_below(a, n, k, k);
        swap_rows(a, n, k, p);
        swap_rows(b, n, k, p);
        for (int i = k + 1; i < n; i++) {
            double f = legal_divide(l, a[i * n + k], a[k * n + k]);
            for (int j = 0; j < n; j++) {
                double *x = &a[i * n + j], *y = &b[i * n + j];
                *x = j > k ? legal_add(l, *x, -legal_multiply(l, f, a[k * n + j])) : *x;
                *y = legal_add(l, *y, -legal_multiply(l, f, b[k * n + j]));
            }
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = 0; j < n; j++) {
            double *y = &b[k * n + j];
            for (int i = k + 1; i < n; i++) {
                *y = legal_add(l, *y, -legal_multiply(l, a[k * n + i], b[i * n + j]));
            }
            *y = legal_divide(l, *y, a[k * n + k]);
        }
    }
}

/* [m/m] with coefficients (2m − k)!·m!/((2m)!·k!·(m − k)!): V − U from even and odd powers. */
static void pade(const struct square *s, const double *x, int m, double *e)
{
    double *x2 = matrix(s, 0), *power = matrix(s, 1), *u = matrix(s, 0), *v = matrix(s, 0), c = 1;
    multiply(s, x, x, x2);
    for (int k = 0; k <= m; k++) {
        accumulate(s, c, power, k % 2 ? u : v);
        if (k % 2) {
            multiply(s, power, x2, power);
        }
        c *= (double)(m - k) / ((2 * m - k) * (k + 1.0));
    }
    multiply(s, x, u, u);
    for (size_t i = 0; i < s->count; i++) {
        e[i] = legal_add(s->l, v[i], u[i]);
        v[i] = legal_add(s->l, v[i], -u[i]);
    }
    solve(s, v, e);
    free(x2);
    free(power);
    free(u);
    free(v);
}

static const struct algorithm {
    int taylor, pade; /* degree of one of them */
    double theta;     /* the greatest 1-norm without scaling */
} single[LEGAL_FORMS] =
    {[LEGAL_SEQUENTIAL] = {8, 0, 0.5800524627688768}, [LEGAL_REVERSED] = {18, 0, 3.010066362817634},
     [LEGAL_PERMUTED] = {12, 0, 1.461661507209034},   [LEGAL_PAIRWISE] = {0, 7, 3.92572478313866},
     [LEGAL_BLOCKED_32] = {0, 13, 5.371920351148152}, [LEGAL_BLOCKED_1024] = {0, 5, 1.880152677804762},
     [LEGAL_LANES] = {8, 0, 0.5800524627688768},      [LEGAL_FUSED] = {8, 0, 0.5800524627688768},
     [LEGAL_KAHAN] = {18, 0, 3.010066362817634}},
  twice[LEGAL_FORMS] = {
      [LEGAL_SEQUENTIAL] = {12, 0, 0.299615891381158}, [LEGAL_REVERSED] = {18, 0, 1.090863719290036},
      [LEGAL_PERMUTED] = {12, 0, 0.299615891381158},   [LEGAL_PAIRWISE] = {0, 7, 0.9504178996162932},
      [LEGAL_BLOCKED_32] = {0, 13, 5.371920351148152}, [LEGAL_BLOCKED_1024] = {0, 5, 0.253939833006323},
      [LEGAL_LANES] = {12, 0, 0.299615891381158},      [LEGAL_FUSED] = {18, 0, 1.090863719290036},
      [LEGAL_KAHAN] = {18, 0, 1.090863719290036}};

static double norm_1(const double *a, int n)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += fabs(a[i * n + j]);
        }
        norm = fmax(norm, sum);
    }
    return norm;
}

/* Norms of rows or columns that differ by more than 100: no rational approximation of degree 13 there. */
static bool badly_scaled(const double *a, int n)
{
    double least = INFINITY, greatest = 0;
    for (int i = 0; i < n; i++) {
        double row = 0, column = 0;
        for (int j = 0; j < n; j++) {
            row += fabs(a[i * n + j]);
            column += fabs(a[j * n + i]);
        }
        least = fmin(least, fmin(row, column));
        greatest = fmax(greatest, fmax(row, column));
    }
    return greatest > 100 * least;
}

bool legal_exponential(struct legal *l)
{
    int n = (int)l->step->input[0].shape.dim[0], squarings = 0;
    struct square s = {.l = l, .n = n, .count = (size_t)n * (size_t)n};
    const struct algorithm *algorithm = l->wide == DTYPE_FLOAT32 ? &single[l->form] : &twice[l->form];
    if (algorithm->pade && badly_scaled(l->input[0], n)) {
        return false;
    }
    double norm = norm_1(l->input[0], n), *x = matrix(&s, 0), *e = matrix(&s, 1);
    for (; norm > algorithm->theta; norm /= 2) {
        squarings++;
    }
    for (size_t i = 0; i < s.count; i++) {
        x[i] = ldexp(l->input[0][i], -squarings);
    }
    if (algorithm->taylor) {
        taylor(&s, x, algorithm->taylor, e);
    } else {
        pade(&s, x, algorithm->pade, e);
    }
    for (int k = 0; k < squarings; k++) {
        multiply(&s, e, e, e);
    }
    memcpy(l->output[0], e, s.count * sizeof *e);
    free(x);
    free(e);
    return true;
}
