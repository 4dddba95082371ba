/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Scaling and squaring in two or three legal forms, each run MCA_RUNS times in double with every
 * rounding replaced by a random relative error (Parker's Monte Carlo arithmetic): an element of a product by
 * ±u·sqrt(the energy of its prefixes), scaling and sum by ±u of their values. Prefix energies and values are
 * those of the undisturbed run, so that S is the first order. The signs are bits of Philox keyed by the
 * matrix, loops have a fixed order: the same S on every machine. S is the greatest root mean square of the
 * forms, which differ by 2 to 11 and are never pooled; MCA_RUNS samples underestimate a deviation to 0.39 of it
 * at worst in a million.
 *
 * A rational approximation solves with a denominator, whose errors spread over a whole column: of an entry
 * that is far below the greatest one S is at least 2·u of that one, or the whole running bound where that is
 * less: the denominator of a matrix with small entries is near a multiple of I, and its errors spread as
 * little as the entries do.
 *
 * The polynomials are cut as a float32 (float64) algorithm cuts them. N allows 4 times what the undisturbed
 * runs err in float32, and the backward error u·‖A‖₁ that the thresholds of other degrees promise, as a
 * relative one. */

#include "reference/ops/matrix_exp/matrix_exp_envelope.h"
#include "reference/ops/matrix_exp/matrix_exp_mca.h"
#include "reference/ops/matrix_exp/matrix_exponential.h"

#include <math.h>

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

/* E ← I + (X·E)/k in all runs; or E ← E·E where k is 0. */
static void step(struct runs *r, int k)
{
    size_t n = (size_t)r->n, stride = (size_t)r->stride;
    mca_multiply_energy(r, k ? r->x : r->e, r->e, r->next);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i * stride; j < i * stride + n; j++) {
            double scaled = k ? r->next[j] / k : 0, sum = k ? scaled + (j == i * stride + i) : 0;
            double product = k ? r->error[j] / ((double)k * k) : r->error[j];
            r->shared_error[i * n + j - i * stride] = noise * sqrt(product + scaled * scaled + sum * sum);
            r->e[j] = k ? sum : r->next[j];
        }
    }
    mca_step(r, k);
}

static void evaluate(struct runs *r, const double *a, const struct form *form)
{
    int squarings = 0;
    for (double norm = matrix_one_norm(r->n, a); norm > form->theta && squarings < 1100; norm /= 2) {
        squarings++;
    }
    mca_start(r, a, squarings);
    if (form->pade) {
        mca_approximate(r, form->degree);
    }
    for (int k = form->degree; !form->pade && k >= 1; k--) {
        step(r, k);
    }
    for (int s = 0; s < squarings; s++) {
        step(r, 0);
    }
}

/* Element i of the undisturbed run, row by row. */
static double element(const struct runs *r, int i)
{
    return r->e[i / r->n * r->stride + i % r->n];
}

/* S of the common scale error, from every run's part along the whole. */
static double group_spread(const struct runs *r)
{
    double square = 0, group = 0;
    int count = r->n * r->n;
    for (int i = 0; i < count; i++) {
        square += element(r, i) * element(r, i);
    }
    for (int g = 0; g < MCA_GROUPS; g++) {
        double along[MCA_LANES] = {0};
        for (int i = 0; i < count; i++) {
            double whole = element(r, i);
            for (int lane = 0; lane < MCA_LANES; lane++) {
                along[lane] += (r->lanes_e[g][i * MCA_LANES + lane] - whole) / noise * whole;
            }
        }
        for (int lane = 0; lane < MCA_LANES; lane++) {
            group += along[lane] * along[lane];
        }
    }
    return sqrt(group / MCA_RUNS) / square;
}

/* Raises spread, truncation and the group's spread to what this form gives. */
static void gather(const struct runs *r, enum dtype dtype, const struct value *value, struct envelope *e)
{
    double group = group_spread(r);
    for (int i = 0; i < r->n * r->n; i++) {
        double sum = 0, truth = value_approximately(&value[i]), whole = element(r, i),
               cut = 4 * fabs(whole - truth);
        for (int g = 0; g < MCA_GROUPS; g++) {
            for (int lane = 0; lane < MCA_LANES; lane++) {
                double d = (r->lanes_e[g][i * MCA_LANES + lane] - whole) / noise;
                sum += d * d;
            }
        }
        double spread = sqrt(sum / MCA_RUNS);
        e[i].spread = spread > e[i].spread || isnan(spread) ? spread : e[i].spread;
        e[i].truncation = dtype == DTYPE_FLOAT32 && cut > e[i].truncation ? cut : e[i].truncation;
        e[i].group_spread = group > e[i].group_spread || isnan(group) ? group : e[i].group_spread;
    }
}

static void add_floor(const struct runs *r, const double *a, enum dtype dtype, const double *rounding,
                      int stride, struct envelope *e)
{
    double greatest = 0, u = dtype_unit_roundoff(dtype), backward = u * matrix_one_norm(r->n, a);
    int count = r->n * r->n;
    for (int i = 0; i < count; i++) {
        double size = fabs(element(r, i));
        greatest = size > greatest ? size : greatest;
    }
    for (int i = 0; i < count; i++) {
        double cut = backward * fabs(element(r, i));
        double most = rounding[i * stride] > 0 ? rounding[i * stride] / u : INFINITY;
        double floor = 2 * greatest < most ? 2 * greatest : most;
        /* squares of less leave the range of double: undecided */
        e[i].spread = greatest < 0x1p-400 ? INFINITY : envelope_join(e[i].spread, floor);
        e[i].truncation = cut > e[i].truncation ? cut : e[i].truncation;
    }
}

bool matrix_exp_envelope(int n, const double *a, enum dtype dtype, const struct value *value, int64_t group,
                         const double *rounding, int stride, struct envelope *envelope)
{
    struct runs r;
    if (!mca_create(&r, n, a)) {
        return false;
    }
    for (int i = 0; i < n * n; i++) {
        envelope[i].spread = 0;
        envelope[i].group = group;
    }
    bool narrow = dtype == DTYPE_FLOAT32;
    for (int f = 0; f < (narrow ? FORMS_32 : FORMS_64); f++) {
        evaluate(&r, a, narrow ? &forms_32[f] : &forms_64[f]);
        gather(&r, dtype, value, envelope);
    }
    add_floor(&r, a, dtype, rounding, stride, envelope);
    mca_destroy(&r);
    return true;
}
