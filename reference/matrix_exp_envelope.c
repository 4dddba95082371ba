/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Scaling and squaring of Taylor polynomials in two legal forms, each run RUNS times in double with every
 * rounding replaced by a random relative error (Parker's Monte Carlo arithmetic): an element of a product by
 * ±u·sqrt(the energy of its prefixes), scaling and sum by ±u of their values. Prefix energies and values are
 * those of the undisturbed run, so that S is the first order. The signs are bits of Philox keyed by the
 * matrix, loops have a fixed order: the same S on every machine. S is the greater root mean square of the two
 * forms, which differ by 2 to 11 and are never pooled; RUNS samples underestimate a deviation to 0.39 of it
 * at worst in a million.
 *
 * A rational approximation solves with a denominator, whose errors spread over a whole column: of an entry that is
 * far below the greatest one S is at least 2·u of that one.
 *
 * The polynomials are cut as a float32 (float64) algorithm cuts them. N allows 4 times what the undisturbed runs
 * err in float32, and the backward error u·‖A‖₁ that the thresholds of other degrees promise, as a relative one. */

#include "reference/matrix_exp_envelope.h"
#include "reference/philox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { RUNS = 24, FORMS = 2 };

struct form {
    int degree;
    double theta; /* the greatest ‖A/2^s‖₁ */
};

/* Truncated at 2^-24, and at 2^-53 (θ of Taylor polynomials: tolerances by backward error). */
static const struct form forms_32[FORMS] = {{8, 0.58}, {18, 3.01}},
                         forms_64[FORMS] = {{12, 0.29962}, {18, 1.09086}};

static const double noise = 0x1p-30; /* u of the disturbed runs: far above double's, far below 1/condition */

struct runs {
    int n;
    size_t count;
    double *x;           /* the scaled matrix */
    double *e[RUNS + 1]; /* e[0] is undisturbed */
    double *next, *size; /* a product; what an element's error is multiplied with */
    struct philox generator;
    double *memory;
};

static bool runs_create(struct runs *r, int n, const double *a)
{
    *r = (struct runs){.n = n, .count = (size_t)n * (size_t)n};
    r->memory = malloc((size_t)(RUNS + 4) * r->count * sizeof *r->memory + 1);
    for (int k = 0; r->memory && k <= RUNS; k++) {
        r->e[k] = r->memory + (size_t)k * r->count;
    }
    if (r->memory) {
        r->x = r->memory + (RUNS + 1) * r->count;
        r->next = r->memory + (RUNS + 2) * r->count;
        r->size = r->memory + (RUNS + 3) * r->count;
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

static double norm_1(int n, const double *a)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += fabs(a[i * n + j]);
        }
        norm = sum > norm ? sum : norm;
    }
    return norm;
}

static void evaluate(struct runs *r, const double *a, const struct form *form)
{
    int squarings = 0;
    for (double norm = norm_1(r->n, a); norm > form->theta && squarings < 1100; norm /= 2) {
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
    for (int k = form->degree; k >= 1; k--) {
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
    double greatest = 0, backward = dtype_unit_roundoff(dtype) * norm_1(r->n, a);
    for (size_t i = 0; i < r->count; i++) {
        greatest = fabs(r->e[0][i]) > greatest ? fabs(r->e[0][i]) : greatest;
    }
    for (size_t i = 0; i < r->count; i++) {
        double cut = backward * fabs(r->e[0][i]);
        e[i].spread = envelope_join(e[i].spread, 2 * greatest);
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
    for (int f = 0; f < FORMS; f++) {
        evaluate(&r, a, dtype == DTYPE_FLOAT32 ? &forms_32[f] : &forms_64[f]);
        gather(&r, dtype, value, envelope);
    }
    add_floor(&r, a, dtype, envelope);
    free(r.memory);
    return true;
}
