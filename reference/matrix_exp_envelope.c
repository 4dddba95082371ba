/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Scaling and squaring in two or three legal forms, each run RUNS times in double with every
 * rounding replaced by a random relative error (Parker's Monte Carlo arithmetic): an element of a product by
 * ±u·sqrt(the energy of its prefixes), scaling and sum by ±u of their values. Prefix energies and values are
 * those of the undisturbed run, so that S is the first order. The signs are bits of Philox keyed by the
 * matrix, loops have a fixed order: the same S on every machine. S is the greatest root mean square of the
 * forms, which differ by 2 to 11 and are never pooled; RUNS samples underestimate a deviation to 0.39 of it
 * at worst in a million.
 *
 * A rational approximation solves with a denominator, whose errors spread over a whole column: of an entry
 * that is far below the greatest one S is at least 2·u of that one.
 *
 * The polynomials are cut as a float32 (float64) algorithm cuts them. N allows 4 times what the undisturbed
 * runs err in float32, and the backward error u·‖A‖₁ that the thresholds of other degrees promise, as a
 * relative one. */

#include "reference/matrix_exp_envelope.h"
#include "reference/matrix_exponential.h"
#include "reference/philox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { RUNS = 24, PADE_MATRICES = 5 };

struct form {
    int degree;
    bool pade;
    double theta; /* the greatest ‖A/2^s‖₁ */
};

/* Truncated at 2^-24, and at 2^-53 (θ by backward error: Higham, SIMAX 26 (2005), table 2.3, for Padé).
 *
 * [m/m] approximants solve (V − U)·E = V + U, V and U of even and odd powers: near e^(−X/2) and e^(X/2), so
 * that an error of u in V or U is one of u·e^‖X‖ in E. At [13/13]'s θ of 5.37 that is more than Taylor
 * polynomials err (7 of their S for positive matrices of order 3). In float64 [5/5] squares most often, with
 * five roundings of the diagonal before it where Horner's rule has one (5 S of degree 12). */
static const struct form forms_32[] = {{8, false, 0.58}, {18, false, 3.01}, {13, true, 5.37192}},
                         forms_64[] = {{5, true, 0.25394}, {18, false, 1.09086}, {13, true, 5.37192}};
enum { FORMS_32 = sizeof forms_32 / sizeof *forms_32, FORMS_64 = sizeof forms_64 / sizeof *forms_64 };

static const double noise = 0x1p-30; /* u of the disturbed runs: far above double's, far below 1/condition */

struct runs {
    int n;
    size_t count;
    double *x;           /* the scaled matrix */
    double *e[RUNS + 1]; /* e[0] is undisturbed */
    double *next, *size; /* a product; what an element's error is multiplied with */
    double *pade[PADE_MATRICES];
    struct philox generator;
    double *memory;
};

static bool runs_create(struct runs *r, int n, const double *a)
{
    *r = (struct runs){.n = n, .count = (size_t)n * (size_t)n};
    r->memory = malloc((size_t)(RUNS + 4 + PADE_MATRICES) * r->count * sizeof *r->memory + 1);
    for (int k = 0; r->memory && k <= RUNS; k++) {
        r->e[k] = r->memory + (size_t)k * r->count;
    }
    if (r->memory) {
        r->x = r->memory + (RUNS + 1) * r->count;
        r->next = r->memory + (RUNS + 2) * r->count;
        r->size = r->memory + (RUNS + 3) * r->count;
        for (int k = 0; k < PADE_MATRICES; k++) {
            r->pade[k] = r->memory + (size_t)(RUNS + 4 + k) * r->count;
        }
        philox_start(&r->generator, XXH3_64bits(a, r->count * sizeof *a));
    }
    return r->memory != NULL;
}

static void multiply(int n, const double *a, const double *b, double *c)
{
    memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double x = a[i * n + k];
            for (int j = 0; j < n; j++) {
                c[i * n + j] += x * b[k * n + j];
            }
        }
    }
}

/* c = a·b, and Σ_k s_k² + p_k² of each element's prefixes and products. */
static void multiply_energy(int n, const double *a, const double *b, double *c, double *energy)
{
    memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
    memset(energy, 0, (size_t)n * (size_t)n * sizeof *energy);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double x = a[i * n + k];
            for (int j = 0; j < n; j++) {
                double product = x * b[k * n + j], sum = c[i * n + j] + product;
                c[i * n + j] = sum;
                energy[i * n + j] += product * product + sum * sum;
            }
        }
    }
}

static void disturb(struct runs *r, double *e)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < r->count; i++) {
        bits = i % 32 == 0 ? philox_next(&r->generator) : bits >> 1;
        e[i] += bits & 1 ? r->size[i] : -r->size[i];
    }
}

/* E ← I + (X·E)/k in all runs; or E ← E·E where k is 0. */
static void step(struct runs *r, int k)
{
    int n = r->n;
    multiply_energy(n, k ? r->x : r->e[0], r->e[0], r->next, r->size);
    for (size_t i = 0; i < r->count; i++) {
        bool diagonal = i / (size_t)n == i % (size_t)n;
        double scaled = k ? r->next[i] / k : 0, sum = k ? scaled + diagonal : 0;
        double product = k ? r->size[i] / ((double)k * k) : r->size[i];
        r->size[i] = noise * sqrt(product + scaled * scaled + sum * sum);
        r->e[0][i] = k ? sum : r->next[i];
    }
    for (int run = 1; run <= RUNS; run++) {
        multiply(n, k ? r->x : r->e[run], r->e[run], r->next);
        for (size_t i = 0; k && i < r->count; i++) {
            r->next[i] = r->next[i] / k + (i / (size_t)n == i % (size_t)n);
        }
        memcpy(r->e[run], r->next, r->count * sizeof *r->next);
        disturb(r, r->e[run]);
    }
}

/* --- one run of an [m/m] approximant; run 0 is undisturbed */

/* ±u of a value, or nothing. */
static double rounded(struct runs *r, int run, double x)
{
    return run == 0 ? x : x + (philox_next(&r->generator) >> 31 ? noise : -noise) * x;
}

static void product(struct runs *r, int run, const double *a, const double *b, double *c)
{
    multiply_energy(r->n, a, b, r->next, r->size);
    for (size_t i = 0; i < r->count; i++) {
        r->size[i] = noise * sqrt(r->size[i]);
    }
    memcpy(c, r->next, r->count * sizeof *c);
    if (run) {
        disturb(r, c);
    }
}

static void swap_rows(int n, double *m, int p, int q)
{
    for (int j = 0; p != q && j < n; j++) {
        double t = m[p * n + j];
        m[p * n + j] = m[q * n + j];
        m[q * n + j] = t;
    }
}

/* b ← a⁻¹·b by elimination with partial pivoting. */
static void solve(struct runs *r, int run, double *a, double *b)
{
    int n = r->n;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        }
        swap_rows(n, a, k, pivot);
        swap_rows(n, b, k, pivot);
        for (int i = k + 1; i < n; i++) {
            double f = rounded(r, run, a[i * n + k] / a[k * n + k]);
            for (int j = 0; j < n; j++) {
                double *x = &a[i * n + j], *y = &b[i * n + j];
                *x = j > k ? rounded(r, run, *x - rounded(r, run, f * a[k * n + j])) : *x;
                *y = rounded(r, run, *y - rounded(r, run, f * b[k * n + j]));
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < n; j++) {
            double x = b[i * n + j];
            for (int k = i + 1; k < n; k++) {
                x = rounded(r, run, x - rounded(r, run, a[i * n + k] * b[k * n + j]));
            }
            b[i * n + j] = rounded(r, run, x / a[i * n + i]);
        }
    }
}

/* Σ c_k·X^k with c_k = (2m − k)!·m!/((2m)!·k!·(m − k)!), even powers in V, odd ones in U = X·W. */
static void approximate(struct runs *r, int run, int m, double *e)
{
    double *square = r->pade[0], *power = r->pade[1], *v = r->pade[2], *w = r->pade[3], *u = r->pade[4],
           c = 1;
    product(r, run, r->x, r->x, square);
    for (size_t i = 0; i < r->count; i++) {
        bool diagonal = i / (size_t)r->n == i % (size_t)r->n;
        power[i] = diagonal;
        v[i] = w[i] = 0;
    }
    for (int k = 0; k <= m; k++) {
        double *sum = k % 2 ? w : v;
        for (size_t i = 0; i < r->count; i++) {
            double term = rounded(r, run, c * power[i]);
            sum[i] = rounded(r, run, sum[i] + term);
        }
        if (k % 2 && k < m) {
            product(r, run, power, square, power);
        }
        c *= (double)(m - k) / ((2.0 * m - k) * (k + 1.0));
    }
    product(r, run, r->x, w, u);
    for (size_t i = 0; i < r->count; i++) {
        e[i] = rounded(r, run, v[i] + u[i]);
        v[i] = rounded(r, run, v[i] - u[i]);
    }
    solve(r, run, v, e);
}

static void evaluate(struct runs *r, const double *a, const struct form *form)
{
    int squarings = 0;
    for (double norm = matrix_one_norm(r->n, a); norm > form->theta && squarings < 1100; norm /= 2) {
        squarings++;
    }
    for (size_t i = 0; i < r->count; i++) {
        r->x[i] = ldexp(a[i], -squarings);
    }
    for (int run = 0; run <= RUNS; run++) {
        for (size_t i = 0; i < r->count; i++) {
            r->e[run][i] = i / (size_t)r->n == i % (size_t)r->n;
        }
    }
    for (int run = 0; form->pade && run <= RUNS; run++) {
        approximate(r, run, form->degree, r->e[run]);
    }
    for (int k = form->degree; !form->pade && k >= 1; k--) {
        step(r, k);
    }
    for (int s = 0; s < squarings; s++) {
        step(r, 0);
    }
}

/* Raises spread, truncation and the group's spread to what this form gives. */
static void gather(const struct runs *r, enum dtype dtype, const struct value *value, struct envelope *e)
{
    double square = 0, group = 0;
    for (size_t i = 0; i < r->count; i++) {
        double sum = 0, truth = value_approximately(&value[i]), cut = 4 * fabs(r->e[0][i] - truth);
        for (int run = 1; run <= RUNS; run++) {
            double d = (r->e[run][i] - r->e[0][i]) / noise;
            sum += d * d;
        }
        double spread = sqrt(sum / RUNS);
        e[i].spread = spread > e[i].spread || isnan(spread) ? spread : e[i].spread;
        e[i].truncation = dtype == DTYPE_FLOAT32 && cut > e[i].truncation ? cut : e[i].truncation;
        square += r->e[0][i] * r->e[0][i];
    }
    for (int run = 1; run <= RUNS; run++) {
        double along = 0;
        for (size_t i = 0; i < r->count; i++) {
            along += (r->e[run][i] - r->e[0][i]) / noise * r->e[0][i];
        }
        group += along * along;
    }
    double spread = sqrt(group / RUNS) / square;
    for (size_t i = 0; i < r->count; i++) {
        e[i].group_spread = spread > e[i].group_spread || isnan(spread) ? spread : e[i].group_spread;
    }
}

static void add_floor(const struct runs *r, const double *a, enum dtype dtype, struct envelope *e)
{
    double greatest = 0, backward = dtype_unit_roundoff(dtype) * matrix_one_norm(r->n, a);
    for (size_t i = 0; i < r->count; i++) {
        greatest = fabs(r->e[0][i]) > greatest ? fabs(r->e[0][i]) : greatest;
    }
    for (size_t i = 0; i < r->count; i++) {
        double cut = backward * fabs(r->e[0][i]);
        /* squares of less leave the range of double: undecided */
        e[i].spread = greatest < 0x1p-400 ? INFINITY : envelope_join(e[i].spread, 2 * greatest);
        e[i].truncation = cut > e[i].truncation ? cut : e[i].truncation;
    }
}

bool matrix_exp_envelope(int n, const double *a, enum dtype dtype, const struct value *value, int64_t group,
                         struct envelope *envelope)
{
    struct runs r;
    if (!runs_create(&r, n, a)) {
        return false;
    }
    for (size_t i = 0; i < r.count; i++) {
        envelope[i].spread = 0;
        envelope[i].group = group;
    }
    bool narrow = dtype == DTYPE_FLOAT32;
    for (int f = 0; f < (narrow ? FORMS_32 : FORMS_64); f++) {
        evaluate(&r, a, narrow ? &forms_32[f] : &forms_64[f]);
        gather(&r, dtype, value, envelope);
    }
    add_floor(&r, a, dtype, envelope);
    free(r.memory);
    return true;
}
