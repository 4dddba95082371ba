/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests erfinv, lgamma and digamma against Arb: enclosures at several precisions and over intervals, doubles
 * within their radius at difficult arguments, and slopes. */
#include "reference/numeric/elementary/special_functions.h"
#include "reference/formula/expression_intervals.h"
#include "reference/test/arb.h"

enum { BITS = 3000 };

typedef void enclosing(mpfi_ptr, mpfi_srcptr);
typedef void in_doubles(const double *x, double *value, double *radius, size_t count);

static const struct {
    const char *name;
    enum node_kind kind;
    enclosing *enclose;
    in_doubles *values;
    void (*arb)(arb_t y, const arb_t x, slong p);
} rows[] = {{"erfinv", NODE_ERFINV, special_enclose_erfinv, special_erfinv_values, arb_hypgeom_erfinv},
            {"lgamma", NODE_LGAMMA, special_enclose_lgamma, special_lgamma_values, arb_log_gamma},
            {"digamma", NODE_DIGAMMA, special_enclose_digamma, special_digamma_values, arb_digamma}};
enum { ROWS = sizeof rows / sizeof *rows };

/* Certainly not below (above) y. */
static bool at_most(mpfr_srcptr end, const arb_t y)
{
    arf_t f;
    arb_t e;
    arf_init(f);
    arb_init(e);
    arf_set_mpfr(f, end);
    arb_set_arf(e, f);
    bool less = !arb_gt(e, y);
    arf_clear(f);
    arb_clear(e);
    return less;
}

static bool at_least(mpfr_srcptr end, const arb_t y)
{
    mpfr_t other;
    arb_t minus;
    mpfr_init2(other, mpfr_get_prec(end));
    arb_init(minus);
    mpfr_neg(other, end, MPFR_RNDN);
    arb_neg(minus, y);
    bool more = at_most(other, minus);
    mpfr_clear(other);
    arb_clear(minus);
    return more;
}

/* A number of the domain: near 1 and next to poles as often as elsewhere. */
static double drawn(struct philox *g, int row)
{
    double unit = philox_unit(g), small = ldexp(unit, -(int)philox_below(g, 54));
    if (row == 0) {
        return (philox_below(g, 2) ? small : 1 - small * 0.5) * (philox_below(g, 2) ? 1 : -1);
    }
    double whole = (double)philox_below(g, 12) - 8;
    return philox_below(g, 3) ? whole + small : ldexp(1 + unit, (int)philox_below(g, 100) - 40);
}

Test(special_functions, enclosures_at_any_precision)
{
    static const mpfr_prec_t precisions[] = {53, 160, 700};
    struct philox g;
    philox_start(&g, 5);
    for (int i = 0; i < 900; i++) {
        int row = i % ROWS;
        mpfr_prec_t precision = precisions[i / ROWS % 3];
        double x = drawn(&g, row);
        mpfi_t from, to;
        arb_t y;
        mpfr_t width;
        mpfi_init2(from, 53);
        mpfi_init2(to, precision);
        mpfr_init2(width, precision);
        arb_init(y);
        mpfi_set_d(from, x);
        rows[row].enclose(to, from);
        arb_set_d(y, x);
        rows[row].arb(y, y, BITS);
        if (arb_is_finite(y)) {
            cr_expect(at_most(&to->left, y) && at_least(&to->right, y), "%s(%a) at %d bits", rows[row].name,
                      x, (int)precision);
            mpfr_sub(width, &to->right, &to->left, MPFR_RNDU);
            cr_expect(mpfr_zero_p(width) ||
                          mpfr_get_exp(width) <= mpfr_get_exp(&to->right) - (long)precision + 2,
                      "%s(%a) at %d bits is wide", rows[row].name, x, (int)precision);
        }
        mpfi_clear(from);
        mpfi_clear(to);
        mpfr_clear(width);
        arb_clear(y);
    }
}

/* Neighbours of zeros, of 1 and of poles, subnormals, the ends of the range. */
Test(special_functions, doubles_within_their_radius)
{
    static const double about[ROWS][10] = {
        {1, 0.5, 0x1p-1074, 0x1p-1022, 0x1p-5, 1e-300, 0.99, 0.0312500001, 0.97, 0x1p-27},
        {1, 2, -2.4570247382208006, -2.7476826467274127, -3.1432046152, 0x1p-1074, 2.55e305, 1e308, -1.5,
         -30.0000001},
        {1.4616321449683622, -0.50408300826445537, -1.5734984731623906, -2.6107208684441446, 0x1p-1074, 1e308,
         1, -0x1p-30, -1000.5, 0x1p-1022}};
    for (int row = 0; row < ROWS; row++) {
        for (int k = 0; k < 10; k++) {
            for (int near = -3; near <= 3; near++) {
                double x = about[row][k], value, radius;
                for (int step = 0; step < abs(near); step++) {
                    x = nextafter(x, near < 0 ? -INFINITY : INFINITY);
                }
                rows[row].values(&x, &value, &radius, 1);
                arb_t y, f;
                arb_init(y);
                arb_init(f);
                arb_set_d(y, x);
                rows[row].arb(y, y, BITS);
                if (arb_is_finite(y) && isfinite(value)) {
                    arb_set_d(f, value);
                    arb_sub(f, f, y, BITS);
                    arb_abs(f, f);
                    arb_set_d(y, radius);
                    cr_expect(!arb_gt(f, y), "%s(%a) is not %a within %g", rows[row].name, x, value, radius);
                    cr_expect_leq(radius,
                                  fmax((fabs(value) + (row > 0) * (1 + fabs(x))) * 0x1p-40, 0x1p-1074),
                                  "%s(%a)", rows[row].name, x);
                } else if (arb_is_finite(y)) {
                    arb_set_d(f, 0x1p1022);
                    arb_abs(y, y);
                    cr_expect(arb_gt(y, f) && radius == INFINITY && isinf(value), "%s(%a)", rows[row].name,
                              x);
                }
                arb_clear(y);
                arb_clear(f);
            }
        }
    }
}

/* Every point of an interval, those about the least of log Γ and of |Γ| between poles among them. */
Test(special_functions, intervals_hold_their_points)
{
    struct philox g;
    philox_start(&g, 6);
    for (int i = 0; i < 3000; i++) {
        int row = i % ROWS;
        double a = drawn(&g, row),
               b = i % 2 ? drawn(&g, row) : a + ldexp(philox_unit(&g), -(int)philox_below(&g, 8));
        double low = fmin(a, b), high = fmax(a, b), from, to;
        if (row == 0 && !(high < 1)) {
            continue;
        }
        struct intervals out = {&from, &to};
        intervals_evaluate(rows[row].kind, out, (struct intervals[3]){{&low, &high}}, false, 1);
        for (int k = 0; k <= 8; k++) {
            double x = fmin(high, low + (high - low) * k / 8), value, radius;
            rows[row].values(&x, &value, &radius, 1);
            bool inside = isnan(value) || (value + radius >= from && value - radius <= to);
            cr_expect(inside, "%s(%a) = %g is not in [%g, %g] of [%a, %a]", rows[row].name, x, value, from,
                      to, low, high);
        }
    }
}

/* f(b) − f(a) = slope·(b − a). */
Test(special_functions, slopes_hold_the_secants)
{
    struct philox g;
    philox_start(&g, 8);
    int known = 0;
    for (int i = 0; i < 3000; i++) {
        int row = i % ROWS;
        double a =
            row == 0 ? philox_signed(&g) * 0.9 : ldexp(0.25 + philox_unit(&g), (int)philox_below(&g, 5));
        double width = i % 8 == 1 && row > 0 ? 4 : 0x1p-8; /* of a few, so that both ends matter */
        double b = a + width * philox_unit(&g), one = 1, f[2], least = 0, most = 0;
        struct intervals x = {&a, &b}, out = {&f[0], &f[1]}, of = {&one, &one}, adjoint = {&least, &most};
        double point[4] = {a, a, 0, 0}, radius;
        rows[row].values(&a, &point[2], &radius, 1);
        point[3] = point[2];
        struct intervals truth[4] = {{&point[0], &point[1]}, {0}, {0}, {&point[2], &point[3]}};
        intervals_evaluate(rows[row].kind, out, (struct intervals[3]){x}, false, 1);
        intervals_propagate(rows[row].kind, of, out, (struct intervals[3]){x}, truth,
                            (struct intervals[3]){adjoint}, (bool[3]){true}, 1);
        double end, away;
        rows[row].values(&b, &end, &away, 1);
        double secant = (end - point[2]) / (b - a), slack = (radius + away) / (b - a) + 1e-9 * fabs(secant);
        cr_expect(secant + slack >= least && secant - slack <= most,
                  "%s: %g between %a and %a is not in [%g, %g]", rows[row].name, secant, a, b, least, most);
        known += most - least < 0.25 * fabs(secant) + 0.05;
    }
    cr_expect_gt(known, 2000);
}

Test(special_functions, log_gamma_of_1_and_2_is_0_in_doubles_too)
{
    const double x[] = {1, 2};
    double value[2], radius[2];
    special_lgamma_values(x, value, radius, 2);
    for (int i = 0; i < 2; i++) {
        cr_expect(value[i] == 0 && radius[i] == 0, "lgamma(%g) = %a within %a", x[i], value[i], radius[i]);
    }
}
