/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Energy and drift of sums against all orders of a few terms; norms. */

#include "reference/ops/norm/norm_envelope.h"
#include "reference/test/perturb.h"
#include "reference/test/support.h"

static const double widths[ENVELOPE_WIDTHS] = {0x1p-8, 0x1p-24, 0x1p-53};

static void draw(uint64_t seed, double mean, int n, double *x)
{
    struct philox g;
    philox_start(&g, seed);
    for (int k = 0; k < n; k++) {
        x[k] = mean + 2 * philox_unit(&g) - 1;
    }
}

static void expect_near(double got, double expected, const char *what)
{
    cr_expect(fabs(got - expected) <= 1e-12 * fabs(expected), "%s: %.17g, by force %.17g", what, got,
              expected);
}

Test(envelope_sum, energy_is_the_greater_of_this_order_and_the_mean_of_all)
{
    int natural = 0, permuted = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        int n = 2 + (int)(seed % 6);
        double x[7];
        struct envelope_sum sum;
        draw(seed, seed % 3 ? 0 : 2, n, x);
        x[0] *= seed % 5 == 0 ? 100 : 1; /* an outlier in front, and behind */
        x[n - 1] *= seed % 5 == 1 ? 100 : 1;
        envelope_sum(x, n, widths, &sum);
        double energy = energy_by_force(x, n, NULL), total = 0, absolute = 0, squares = 0, own = 0;
        for (int k = 0; k < n; k++) {
            total += x[k];
            absolute += fabs(x[k]);
            squares += x[k] * x[k];
            own += k > 0 ? total * total : 0;
        }
        natural += own == energy;
        permuted += own < energy;
        expect_near(sum.order, sqrt(energy), "order");
        expect_near(sum.absolute, absolute, "absolute");
        expect_near(sum.squares, sqrt(squares), "squares");
        cr_expect_float_eq(sum.total, total, 1e-14 * absolute);
    }
    cr_expect(natural > 5 && permuted > 5, "%d %d", natural, permuted);
}

/* D: terms that the greatest prefix swallows, and prefixes whose lattice is coarser than the data. */
static double drift_by_force(const double *x, int n, double u)
{
    double mean_square[8], greatest = 0, prefix = 0, mean = 0, variance = 0, drift = 0, s[8];
    energy_by_force(x, n, mean_square);
    for (int k = 0; k < n; k++) {
        prefix += x[k];
        mean += x[k] / n;
        s[k] = k > 0 ? fmax(fabs(prefix), sqrt(mean_square[k])) : 0;
        greatest = fmax(greatest, s[k]);
    }
    for (int k = 0; k < n; k++) {
        variance += (x[k] - mean) * (x[k] - mean) / n;
    }
    for (int k = 0; k < n; k++) {
        drift += fabs(x[k]) <= u * greatest ? fabs(x[k]) : 0;
        drift += 2 * u * s[k] > sqrt(variance) ? u * s[k] : 0;
    }
    return drift;
}

Test(envelope_sum, drift_of_small_terms_and_of_coarse_lattices)
{
    int swallowed = 0, coarse = 0, none = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        int n = 3 + (int)(seed % 5);
        double x[7];
        struct envelope_sum sum;
        draw(seed, seed % 2 ? 300 : 3, n, x); /* one sign: the greatest prefix is the whole */
        x[1] *= seed % 4 == 0 ? 0x1p-12 : 1;
        envelope_sum(x, n, widths, &sum);
        for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
            double drift = drift_by_force(x, n, widths[w]);
            expect_near(sum.drift[w], drift, "drift");
            none += drift == 0;
            swallowed += drift > 0 && seed % 4 == 0;
            coarse += drift > 0 && seed % 2;
        }
    }
    cr_expect(swallowed > 5 && coarse > 5 && none > 5, "%d %d %d", swallowed, coarse, none);
}

Test(envelope_sum, every_range_of_float64)
{
    static const int exponents[] = {-1060, -1010, -537, 0, 400, 1010};
    static const double x[5] = {3, -7, 0x1p-11, 5, 12};
    struct envelope_sum plain, sum;
    envelope_sum(x, 5, widths, &plain);
    for (int e = 0; e < 6; e++) {
        double scaled[5];
        for (int k = 0; k < 5; k++) {
            scaled[k] = ldexp(x[k], exponents[e]);
        }
        envelope_sum(scaled, 5, widths, &sum);
        cr_expect_eq(sum.order, ldexp(plain.order, exponents[e]), "2^%d", exponents[e]);
        cr_expect_eq(sum.squares, ldexp(plain.squares, exponents[e]));
        cr_expect_eq(sum.total, ldexp(plain.total, exponents[e]));
        cr_expect_eq(sum.drift[0], ldexp(plain.drift[0], exponents[e]));
        cr_expect_gt(sum.drift[0], 0);
    }
}

Test(envelope_sum, few_terms)
{
    struct envelope_sum sum;
    static const double x[2] = {3, 4};
    envelope_sum(x, 0, widths, &sum);
    cr_expect(sum.order == 0 && sum.total == 0 && sum.squares == 0 && sum.drift[0] == 0);
    envelope_sum(x, 1, widths, &sum);
    cr_expect(sum.order == 0 && sum.total == 3 && sum.squares == 3 && sum.drift[0] == 0);
    envelope_sum(x, 2, widths, &sum);
    expect_near(sum.order, sqrt(12.5 + 49), "order"); /* (3² + 4²)/2 and 7² */
}

Test(envelope_sum, a_last_term_that_may_come_first)
{
    double x[4] = {1, -1, 1, 500}, reversed[4] = {500, 1, -1, 1};
    struct envelope_sum sum, first;
    envelope_sum(reversed, 4, widths, &first);
    envelope_sum_started(x, 4, widths, &sum);
    cr_expect_eq(sum.order, first.order);
    cr_expect_gt(sum.order, 800); /* three prefixes of 500 */
    cr_expect_eq(sum.total, 501);
}

Test(envelope_sum, numbers_that_are_none)
{
    static const double x[3] = {1, NAN, 2};
    struct envelope_sum sum;
    envelope_sum(x, 3, widths, &sum);
    cr_expect(isnan(sum.order) && isnan(sum.total));
    cr_expect_float_eq(envelope_join(3e300, 4e300), 5e300, 1e286);
    cr_expect_float_eq(envelope_join(-3e-300, 4e-300), 5e-300, 1e-314);
    cr_expect_eq(envelope_join(0, -2), 2);
    cr_expect_eq(envelope_join(INFINITY, 2), INFINITY);
    cr_expect(isnan(envelope_join(NAN, 2)) && isnan(envelope_join(2, NAN)));
    cr_expect_float_eq(envelope_join_all((const double[]){3e300, -4e300}, 2), 5e300, 1e286);
    cr_expect_float_eq(envelope_join_all((const double[]){3e-300, 4e-300}, 2), 5e-300, 1e-314);
}

Test(envelope_sum, of_norms)
{
    static const double orders[] = {1, 2, 3, 0.5, -2};
    for (int o = 0; o < 5; o++) {
        double p = orders[o], x[6], power[6], sum = 0, squares = 0;
        draw((uint64_t)o, 3, 6, x);
        for (int k = 0; k < 6; k++) {
            power[k] = pow(x[k], p);
            sum += power[k];
            squares += power[k] * power[k];
        }
        double y = pow(sum, 1 / p), terms = p == 1 ? 0 : 9 * squares, root = p == 1 ? 0 : 1.5;
        double relative = sqrt(energy_by_force(power, 6, NULL) + terms) / sum / fabs(p);
        struct envelope e = {.group = -1};
        cr_assert(norm_envelope(x, 6, p, DTYPE_FLOAT32, y, 5, &e));
        double expected = y * hypot(relative, root);
        cr_expect_float_eq(e.spread, expected, 1e-9 * expected, "p = %g: %g, by force %g", p, e.spread,
                           expected);
        cr_expect_float_eq(e.group_spread, expected / y, 1e-9);
        cr_expect_eq(e.group, 5);
        double second = p == 1 ? 0 : 2 * y * pow(4 * 0x1p-24 * relative, 2);
        cr_expect_float_eq(e.drift[ENVELOPE_FLOAT32], second, 1e-9 * second);
    }
}
