/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Proof of the radius. PA = LU + R, and X ≈ (PA)⁻¹ with H = I − PA·X; R and H are computed by Dot2. If ‖H‖ <
 * 1 (Frobenius norms throughout), PA is regular and (PA)⁻¹ = X(I − H)⁻¹, so that
 *
 *     det LU = det PA · det(I − F),   F = (PA)⁻¹R = X(I − H)⁻¹R,
 *     log|det A| = Σ log|u_ii| − log det(I − F) = Σ log|u_ii| + tr F + tr F²/2 + Σ_{k≥3} tr F^k/k,
 *
 * and with φ ≥ ‖F‖, φ < 1:
 *
 *   - I − tF is regular for t in [0, 1], so det(I − F) > 0, and P and the pivots give the sign;
 *   - |Σ_{k≥3} tr F^k/k| ≤ φ³/3/(1 − φ), since |tr(F·F^(k−1))| ≤ ‖F‖^k;
 *   - F − XR = X(I − H)⁻¹HR, so |tr F − tr XR| and ‖F − XR‖ are at most d = ‖X‖‖H‖‖R‖/(1 − ‖H‖), and
 *     |tr F² − tr (XR)²| ≤ d(2‖XR‖ + d).
 *
 * (PA)⁻¹ − X = XH(I − H)⁻¹, so that every entry of its row i is at most ‖row i of X‖·‖H‖/(1 − ‖H‖).
 *
 * The proof is carried out for DPA·E with diagonal D and E of powers of two that scale rows and columns to
 * norms near 1: for DLD⁻¹, DUE and E⁻¹XD⁻¹, which are exact. The scaling changes neither F's traces nor,
 * apart from exact factors, the pivots.
 *
 * Products neither overflow nor underflow: numbers of A, L and U are 0 or in [2^-440, 2^440], those of X 0 or
 * in [2^-400, 2^440]. A sum of at most n² terms of one sign has a relative error of n²·2^-53 ≤ 2^-25 (n ≤
 * 2^14), its square root less; the factor 1 + 2^-20 covers this and the few operations that follow. */

#include "reference/ops/determinant/determinant_verified.h"
#include "reference/numeric/elementary/double_log.h"

#include <math.h>
#include <stdlib.h>

static const double inflate = 1 + 0x1p-20, tiny = 0x1p-500; /* tiny: above the underflow errors of squares */

/* Matrices and bounds of the proof. */
struct proof {
    double *lower, *ordered, *x_rows;              /* L, PA, X row by row */
    double *upper, *x, *r_panels;                  /* U, X, R in panels */
    double *r, *f;                                 /* R, XR; row-major */
    double norm_a, norm_x, norm_r, norm_h, norm_f; /* upper bounds */
    double open_r;                                 /* error of R except its rounding to double */
    double trace, trace_error;                     /* tr XR */
    double square, square_error;                   /* tr (XR)² */
};

static bool in_range(double x)
{
    return x == 0 || (fabs(x) >= 0x1p-440 && fabs(x) <= 0x1p440);
}

static bool all_in_range(const double *m, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        good = good && in_range(m[i]);
    }
    return good;
}

static double norm_of(const double *m, int stride)
{
    double sum = 0;
    for (int i = 0; i < stride; i++) {
        double row = 0;
        for (int j = 0; j < stride; j++) {
            double x = m[(size_t)i * (size_t)stride + (size_t)j];
            row += x * x;
        }
        sum += row;
    }
    return sqrt(sum) * inflate + tiny;
}

/* The error of Dot2 for sums of at most n + 1 terms, relative to Σ|x|. */
static double dot2_share(int n)
{
    return ((double)n + 16) * ((double)n + 16) * 0x1p-104;
}

static void take_tile(const double *m, int stride, int i, int j, double *tile)
{
    for (int r = 0; r < LU_TILE; r++) {
        for (int lane = 0; lane < LU_TILE; lane++) {
            tile[r * LU_TILE + lane] = -m[(size_t)(i + r) * (size_t)stride + (size_t)(j + lane)];
        }
    }
}

/* The number of terms k of tile (i, j) of LU: up to the end of the diagonal tile, at most n. */
static int terms_of(int i, int j, int n)
{
    int end = (i < j ? i : j) + LU_TILE;
    return end < n ? end : n;
}

/* Computes R and |L||U|. */
static void find_r(struct proof *p, struct verified_determinant *v)
{
    int stride = v->stride;
    for (int j = 0; j < stride; j += LU_TILE) {
        for (int i = 0; i < stride; i += LU_TILE) {
            struct lu_pairs pairs;
            struct lu_factors factors = {p->lower + (size_t)i * (size_t)stride, stride,
                                         p->upper + panel_at(stride, 0, j), terms_of(i, j, v->n)};
            take_tile(p->ordered, stride, i, j, pairs.total);
            lu_dot2(&pairs, &factors);
            for (int e = 0; e < LU_TILE * LU_TILE; e++) {
                size_t at = (size_t)(i + e / LU_TILE) * (size_t)stride + (size_t)(j + e % LU_TILE);
                p->r[at] = -(pairs.total[e] + pairs.low[e]);
                v->g[at] = pairs.absolute[e];
            }
        }
    }
}

/* Returns an upper bound of ‖I − PA·X‖. */
static double find_h(const struct proof *p, int n, int stride)
{
    double sum = 0;
    for (int j = 0; j < stride; j += LU_TILE) {
        for (int i = 0; i < stride; i += LU_TILE) {
            struct lu_pairs pairs = {.total = {0}};
            struct lu_factors factors = {p->ordered + (size_t)i * (size_t)stride, stride,
                                         p->x + panel_at(stride, 0, j), n};
            for (int r = 0; i == j && r < LU_TILE && i + r < n; r++) {
                pairs.total[r * LU_TILE + r] = -1;
            }
            lu_dot2(&pairs, &factors);
            for (int e = 0; e < LU_TILE * LU_TILE; e++) {
                double h = pairs.total[e] + pairs.low[e];
                sum += h * h;
            }
        }
    }
    return sqrt(sum) * inflate + tiny + dot2_share(n) * (p->norm_a * p->norm_x + sqrt(n)) * inflate;
}

/* Computes tr XR and tr (XR)² with their errors, which include those of R. Each row is summed first, then the
 * rows: 2·stride roundings. */
static void find_traces(struct proof *p, const struct verified_determinant *v)
{
    int stride = v->stride;
    double absolute = 0, uncertain = 0, products = 0;
    for (int i = 0; i < stride; i++) {
        double row = 0, size = 0, open = 0, square = 0;
        for (int j = 0; j < stride; j++) {
            size_t to = (size_t)i * (size_t)stride + (size_t)j, back = (size_t)j * (size_t)stride + (size_t)i;
            double x = p->x_rows[to], term = x * p->r[back];
            row += term;
            size += fabs(term);
            open += fabs(x) * (v->g[back] + fabs(p->ordered[back]));
            square += p->f[to] * p->f[back];
        }
        p->trace += row;
        absolute += size;
        uncertain += open;
        products += square;
    }
    p->trace_error = ((2 * stride + 8) * 0x1p-53 * absolute + dot2_share(v->n) * uncertain) * inflate + tiny;
    p->square = products;
    p->square_error = (2 * stride + 8) * 0x1p-53 * p->norm_f * p->norm_f * inflate + tiny;
}

/* 1 over the power of two above the greatest magnitude of a row or column. */
static double unit_of(const double *x, int count, int apart, const double *weight)
{
    double greatest = 0;
    int exponent = 0;
    for (int i = 0; i < count; i++) {
        double size = fabs(x[(size_t)i * (size_t)apart]) * (weight ? weight[i] : 1);
        greatest = size > greatest ? size : greatest;
    }
    frexp(greatest, &exponent);
    return ldexp(1, -exponent);
}

/* Stores PA, L, U and X, scaled; entries of X below 2^-400 become 0. False if a number is out of range. */
static bool scale(struct proof *p, struct verified_determinant *v)
{
    const struct double_lu *lu = &v->lu[0];
    int n = v->n, stride = v->stride;
    double_lu_order(lu, v->a, false, p->ordered);
    double_lu_lower(lu, p->lower);
    double_lu_upper(lu, p->upper);
    for (int i = 0; i < n; i++) {
        v->row[i] = unit_of(p->ordered + (size_t)i * (size_t)stride, n, 1, NULL);
    }
    for (int j = 0; j < n; j++) {
        v->column[j] = unit_of(p->ordered + j, n, stride, v->row);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            size_t at = (size_t)i * (size_t)stride + (size_t)j, panel = panel_at(stride, i, j);
            double *x = &v->inverse[(size_t)i * (size_t)stride + (size_t)lu->row[j]];
            p->ordered[at] = p->ordered[at] * v->row[i] * v->column[j];
            p->lower[at] = p->lower[at] * v->row[i] / v->row[j];
            p->upper[panel] = p->upper[panel] * v->row[i] * v->column[j];
            p->x_rows[at] = *x / v->column[i] / v->row[j];
            if (fabs(p->x_rows[at]) < 0x1p-400) {
                p->x_rows[at] = *x = 0;
            }
            p->x[panel] = p->x_rows[at];
        }
    }
    size_t count = (size_t)stride * (size_t)stride;
    return all_in_range(p->ordered, count) && all_in_range(p->lower, count) &&
           all_in_range(p->upper, count) && all_in_range(p->x, count);
}

static bool prove(struct proof *p, struct verified_determinant *v)
{
    int n = v->n, stride = v->stride;
    if (!scale(p, v)) {
        return false;
    }
    p->norm_a = norm_of(p->ordered, stride);
    p->norm_x = norm_of(p->x_rows, stride);
    find_r(p, v);
    p->norm_h = find_h(p, n, stride);
    if (!(p->norm_h <= 0x1p-20)) {
        return false;
    }
    p->open_r = dot2_share(n) * (norm_of(v->g, stride) + p->norm_a) * inflate;
    p->norm_r = (norm_of(p->r, stride) + p->open_r) * inflate;
    lu_panels(stride, p->r, p->r_panels);
    lu_multiply(v->n, stride, p->x_rows, p->r_panels, p->f);
    p->norm_f = norm_of(p->f, stride);
    find_traces(p, v);
    return true;
}

/* Computes the bound of |A⁻¹ − X|, and removes the scaling from |L||U|. */
static void find_off(const struct proof *p, struct verified_determinant *v, double h)
{
    size_t stride = (size_t)v->stride;
    for (int i = 0; i < v->n; i++) {
        double sum = 0;
        for (int j = 0; j < v->n; j++) {
            double x = p->x_rows[(size_t)i * stride + (size_t)j];
            sum += x * x;
            double *g = &v->g[(size_t)i * stride + (size_t)j];
            *g = *g / v->row[i] / v->column[j];
        }
        v->off[i] = (sqrt(sum) * inflate + tiny) * h * inflate * v->column[i];
        v->off_column[v->lu[0].row[i]] = v->row[i];
    }
}

/* Σ log|u_ii| + tr XR + tr (XR)²/2: the logarithm of the pivots' product in 192 bits. For orders below
 * DETERMINANT_LARGE, whose truth determinant_fixed.h computes, in double and without the last term. */
static struct value logarithm_of(const struct proof *p, const struct verified_determinant *v)
{
    const struct double_lu *lu = &v->lu[0];
    double rough = 0;
    for (int i = 0; v->n < DETERMINANT_LARGE && i < v->n; i++) {
        rough += double_log(fabs(lu->lu[i * v->stride + i]));
    }
    if (v->n < DETERMINANT_LARGE) {
        return value_of(rough + p->trace);
    }
    mpfr_t sum;
    mpfr_init2(sum, 192);
    mpfr_set_ui(sum, 1, MPFR_RNDN);
    for (int i = 0; i < v->n; i++) {
        mpfr_mul_d(sum, sum, fabs(lu->lu[(size_t)i * (size_t)v->stride + (size_t)i]), MPFR_RNDN);
    }
    mpfr_log(sum, sum, MPFR_RNDN);
    mpfr_add_d(sum, sum, p->trace, MPFR_RNDN);
    mpfr_add_d(sum, sum, p->square / 2, MPFR_RNDN);
    struct value value = value_from_mpfr(sum, false);
    mpfr_clear(sum);
    return value;
}

static void conclude(const struct proof *p, struct verified_determinant *v)
{
    const struct double_lu *lu = &v->lu[0];
    int stride = v->stride;
    double h = p->norm_h / (1 - p->norm_h) * inflate, d = p->norm_x * h * p->norm_r * inflate;
    /* ≥ ‖F − p->f‖, where p->f is the computed XR */
    double e = (d + p->norm_x * ((stride + 8) * 0x1p-53 * p->norm_r + p->open_r)) * inflate,
           phi = (p->norm_f + e) * inflate;
    v->sign = lu->sign;
    for (int i = 0; i < v->n; i++) {
        v->sign = lu->lu[(size_t)i * (size_t)stride + (size_t)i] < 0 ? -v->sign : v->sign;
    }
    v->logabs = logarithm_of(p, v);
    double size = fabs(value_approximately(&v->logabs));
    /* The pivots' product rounds n times to 192 bits, its logarithm is below n·2^9; a double-double holds 104
     * bits. */
    double digits = 0x1p-104 * size + (double)v->n * (double)v->n * 0x1p-180;
    v->radius = (d + p->trace_error + (e * (2 * p->norm_f + e) + p->square_error) / 2 +
                 phi * phi * phi / 3 / (1 - phi) + digits) *
                inflate;
    v->verified = phi <= 0x1p-20 && v->radius <= 0x1p-40 * fmax(1, size);
    v->residual = p->norm_h;
    v->inverse_norm = p->norm_x / (1 - p->norm_h) * inflate;
    find_off(p, v, h);
}

/* Allocates all matrices as one block. */
static bool proof_create(struct proof *p, int stride)
{
    double **m[] = {&p->lower, &p->ordered, &p->x_rows, &p->upper, &p->x, &p->r_panels, &p->r, &p->f};
    size_t matrices = sizeof m / sizeof *m;
    p->lower = lu_matrices(stride, (int)matrices);
    for (size_t i = 1; p->lower && i < matrices; i++) {
        *m[i] = p->lower + i * (size_t)stride * (size_t)stride;
    }
    return p->lower != NULL;
}

static void proof_destroy(struct proof *p)
{
    free(p->lower);
}

/* Sets v->usable and, if it holds, X. False when out of memory. */
static bool invert(struct verified_determinant *v)
{
    const struct double_lu *lu = &v->lu[0];
    size_t count = (size_t)v->stride * (size_t)v->stride;
    double *x = lu_matrix(v->stride);
    v->usable = lu->regular && v->lu[1].regular && all_in_range(v->a, (size_t)v->n * (size_t)v->n) &&
                all_in_range(lu->lu, count) && all_in_range(v->lu[1].lu, count);
    if (x && v->usable) {
        double_lu_invert(lu, x);
        v->usable = all_in_range(x, count);
        for (int i = 0; i < v->n; i++) {
            for (int c = 0; c < v->n; c++) {
                v->inverse[(size_t)i * (size_t)v->stride + (size_t)lu->row[c]] = x[panel_at(v->stride, i, c)];
            }
        }
    }
    free(x);
    return x != NULL;
}

bool verified_determinant_create(struct verified_determinant *v, int n, const double *a)
{
    *v = (struct verified_determinant){.n = n, .stride = lu_stride(n), .a = a};
    size_t stride = (size_t)v->stride;
    v->inverse = lu_matrices(v->stride, 2);
    v->off = calloc(4 * stride, sizeof *v->off);
    if (v->inverse && v->off) {
        v->g = v->inverse + stride * stride;
        v->off_column = v->off + stride;
        v->row = v->off + 2 * stride;
        v->column = v->off + 3 * stride;
    }
    return v->inverse && v->off && double_lu_create(&v->lu[0], n, a, false, LU_PARTIAL) &&
           double_lu_create(&v->lu[1], n, a, true, LU_PARTIAL) && invert(v);
}

bool verified_determinant_prove(struct verified_determinant *v)
{
    struct proof p = {.trace = 0};
    bool good = !v->usable || proof_create(&p, v->stride);
    if (good && v->usable && prove(&p, v)) {
        conclude(&p, v);
    }
    proof_destroy(&p);
    return good;
}

void verified_determinant_destroy(struct verified_determinant *v)
{
    double_lu_destroy(&v->lu[0]);
    double_lu_destroy(&v->lu[1]);
    free(v->inverse); /* and g */
    free(v->off);     /* and the other lines */
    *v = (struct verified_determinant){.n = 0};
}
