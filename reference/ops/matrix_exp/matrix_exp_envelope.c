/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Scaling and squaring in three legal forms, each evaluated MCA_RUNS times in double with every rounding
 * replaced by a random relative error (Parker's Monte Carlo arithmetic): an element of a product is perturbed
 * by ±u·sqrt(the energy of its prefix sums), a scaling and a sum by ±u times their values. For polynomials
 * and squarings, energies and values are those of the nominal evaluation, so that S is of first order. The
 * signs are bits of Philox keyed by the matrix, and loops have a fixed order, so that S is bit-identical for
 * every isa. S is the greatest root mean square of the forms, which differ by factors of 2 to 11 and are
 * never pooled. MCA_RUNS samples underestimate a deviation by a factor of 0.39 at worst once in a million.
 *
 * A rational approximation solves a linear system, whose errors spread over a whole column. For an entry far
 * below the greatest one, S is therefore at least 2·u times the greatest, or the running bound if that is
 * less: for a matrix with small entries the denominator is near a multiple of I, and its errors spread
 * little.
 *
 * The polynomials are truncated as in a float32 or float64 algorithm. N contains 4 times the error of the
 * nominal evaluations in float32, and the backward error u·‖A‖₁ that the thresholds of other degrees
 * guarantee, as a relative error. */

#include "reference/ops/matrix_exp/matrix_exp_envelope.h"
#include "reference/ops/matrix_exp/matrix_exp_mca.h"
#include "reference/ops/matrix_exp/matrix_exponential.h"

#include <math.h>

struct form {
    int degree;
    bool pade;
    double theta; /* the greatest ‖A/2^s‖₁ */
};

/* Forms truncated at 2^-24 and at 2^-53 (θ by backward error: Higham, SIMAX 26 (2005), table 2.3, for Padé).
 *
 * [m/m] approximants solve (V − U)·E = V + U, with the even powers in V and the odd powers in U. V − U and V
 * + U are near e^(−X/2) and e^(X/2), so that an error u of V or U causes an error u·e^‖X‖ of E. At the θ of
 * 5.37 of [13/13] this exceeds the error of Taylor polynomials (7·S for positive matrices of order 3). In
 * float64, [5/5] squares most often, after five roundings of the diagonal where Horner's rule has one (5·S of
 * degree 12). */
static const struct form forms_32[] = {{8, false, 0.58}, {18, false, 3.01}, {13, true, 5.37192}},
                         forms_64[] = {{5, true, 0.25394}, {18, false, 1.09086}, {13, true, 5.37192}};
enum { FORMS_32 = sizeof forms_32 / sizeof *forms_32, FORMS_64 = sizeof forms_64 / sizeof *forms_64 };

/* E ← I + (X·E)/k in all evaluations, or E ← E·E if k is 0. */
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

/* Element i of the nominal evaluation, row-major. */
static double element(const struct runs *r, int i)
{
    return r->e[i / r->n * r->stride + i % r->n];
}

/* S/u of the common scale error: the perturbations projected on the nominal result. */
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

/* Raises spread, truncation and group_spread of each element to the values of this form. */
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
        /* Squares of smaller numbers would underflow: the envelope is undecided. */
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
