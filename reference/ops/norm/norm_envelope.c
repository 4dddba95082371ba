/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* With s = Σ x^p and y = s^(1/p), a relative error R of s causes a relative error R/p of y. In units of u, R²
 * = (order(x^p)² + 9·Σx^2p)/s², where 9 covers the roundings of a power and of its scale; y itself adds 3/2.
 * The second-order term is 2y(4·u·R/p)². For p = 1, only order(x) and its drift remain. */

#include "reference/ops/norm/norm_envelope.h"

#include <math.h>
#include <stdlib.h>

/* Computes (x/lead)^p: by products for p = 1 to 4, else by MPFR, whose results are the same on every
 * platform. */
static void shares(const double *x, int64_t n, double p, double *share)
{
    double lead = p > 0 ? 0 : INFINITY;
    for (int64_t k = 0; k < n; k++) {
        lead = (p > 0) == (x[k] > lead) ? x[k] : lead;
    }
    bool whole = p == 1 || p == 2 || p == 3 || p == 4;
    mpfr_t base, exponent;
    mpfr_inits2(53, base, exponent, (mpfr_ptr)0);
    mpfr_set_d(exponent, p, MPFR_RNDN);
    for (int64_t k = 0; k < n; k++) {
        double ratio = x[k] / lead;
        share[k] = ratio;
        for (int i = 1; whole && i < (int)p; i++) {
            share[k] *= ratio;
        }
        if (!whole) {
            mpfr_set_d(base, ratio, MPFR_RNDN);
            mpfr_pow(base, base, exponent, MPFR_RNDN);
            share[k] = mpfr_get_d(base, MPFR_RNDN);
        }
    }
    mpfr_clears(base, exponent, (mpfr_ptr)0);
}

bool norm_envelope(const double *x, int64_t n, double p, enum dtype dtype, double y, int64_t element,
                   struct envelope *envelope)
{
    double *share = malloc(((size_t)n + 1) * sizeof *share), u[ENVELOPE_WIDTHS];
    struct envelope_sum sum;
    if (!share || p == 0 || isinf(p) || !(y > 0)) {
        bool good = share != NULL;
        free(share);
        return good;
    }
    envelope_widths(dtype, u);
    shares(x, n, p, share);
    envelope_sum(share, n, u, &sum);
    free(share);
    double relative = envelope_join(sum.order, p == 1 ? 0 : 3 * sum.squares) / sum.total / fabs(p);
    envelope->spread = p == 1 ? y * relative : y * envelope_join(relative, 1.5);
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        double second = 4 * u[w] * relative;
        envelope->drift[w] = y * (sum.drift[w] / sum.total / fabs(p) + (p == 1 ? 0 : 2 * second * second));
    }
    envelope_alone(envelope, element, y);
    return true;
}
