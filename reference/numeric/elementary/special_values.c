/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* erfinv, lgamma and digamma in doubles within a radius, which docs/explanation/special-functions.md proves.
 * Elements without a useful radius go to MPFR. */
#include "reference/numeric/elementary/elementary.h"
#include "reference/numeric/elementary/special_functions.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { SHIFTED = 16, NEWTON = 5 }; /* SHIFTED: the asymptotic series are used from here on */

typedef void function(const double *x, double *value, double *radius, size_t count);

/* Returns f(x) and adds its radius to *lost; an unknown value makes *lost infinite. */
static double of(function *f, double x, double *lost)
{
    double value, radius;
    f(&x, &value, &radius, 1);
    *lost += radius;
    return value;
}

/* --- erfinv for 0 < x < 1: y errs by |erf(y) − x|/erf′ */

/* Returns erf(y) − x and adds its error to *lost; near 1 computed as c − erfc(y) with c = 1 − x. */
static double residue(double y, double x, double *lost)
{
    return x > 0.5 ? (1 - x) - of(elementary_erfc, y, lost) : of(elementary_erf, y, lost) - x;
}

static bool inverse_of_erf(double x, double *value, double *radius)
{
    double y = x * (0.88622692545275801 + x * x * 0.23201366653465449), none = 0, lost = 0;
    if (x > 0.125) {
        double l = of(elementary_log, (1 - x) * (1 + x), &none), half = 2 / (pi * 0.147) + l / 2;
        y = sqrt(sqrt(half * half - l / 0.147) - half);
    }
    for (int k = 0; k < NEWTON; k++) {
        y -= residue(y, x, &none) * of(elementary_exp, y * y, &none) * 0.88622692545275801;
    }
    double rest = fabs(residue(y, x, &lost)) + lost;
    double away = rest * of(elementary_exp, y * y, &none) * 0.88622692545275801 * (1 + 0x1p-8);
    *value = y;
    *radius = away;
    return x > 0x1p-800 && y > 0 && (2 * y + away) * away <= 0x1p-9; /* false for NaN */
}

/* --- lgamma and digamma for positive x, shifted by n to 16 and beyond */

static double shifted(double x, double *up)
{
    double n = x < SHIFTED ? SHIFTED - floor(x) : 0;
    *up = x + n;
    return n;
}

static bool psi_of_positive(double x, double *value, double *radius)
{
    double y, n = shifted(x, &y), sum = 0, lost = 0, series = 0;
    static const double term[] = {1.0 / 12,  -691.0 / 32760, 1.0 / 132, -1.0 / 240,
                                  1.0 / 252, -1.0 / 120,     1.0 / 12};
    for (int k = 0; k < n; k++) {
        sum += 1 / (x + k);
    }
    double log = of(elementary_log, y, &lost), z = 1 / y / y;
    for (int k = 0; k < 7; k++) {
        series = (series + term[k]) * z;
    }
    *value = log - 0.5 / y - series - sum;
    *radius = 0x1p-48 * (sum + log);
    return x >= 0x1p-1000 && x <= 0x1p1000 && lost < 1;
}

static bool log_gamma_of_positive(double x, double *value, double *radius)
{
    double y, n = shifted(x, &y), product = 1, lost = 0, series = 0;
    static const double term[] = {1.0 / 156,  -691.0 / 360360, 1.0 / 1188, -1.0 / 1680,
                                  1.0 / 1260, -1.0 / 360,      1.0 / 12};
    for (int k = 0; k < n; k++) {
        product *= x + k;
    }
    double log = of(elementary_log, y, &lost), shift = of(elementary_log, product, &lost), z = 1 / y / y;
    for (int k = 0; k < 6; k++) {
        series = (series + term[k]) * z;
    }
    series = (series + term[6]) / y;
    *value = (y - 0.5) * (log - 1) + 0.41893853320467274 + series - shift;
    *radius = 0x1p-49 * (y * log + fabs(shift));
    return x >= 0x1p-900 && x <= 0x1p1000 && lost < 0x1p-20 * y * log;
}

/* --- by reflection: a = |x| is no integer, r is its distance from the nearest one */

static double rest_of(double a)
{
    return fabs(a - rint(a));
}

static bool psi_of_negative(double a, double *value, double *radius)
{
    double r = rest_of(a), lost = 0, side = a - rint(a) > 0 ? -1 : 1; /* sign of cot(πx) */
    double tangent = of(elementary_tan, pi * (r > 0.25 ? 0.5 - r : r), &lost);
    double reflected = r == 0.5 ? 0 : r > 0.25 ? pi * tangent : pi / tangent;
    bool known = psi_of_positive(1 + a, value, radius);
    *value -= side * reflected;
    *radius += 0x1p-48 * (reflected + 1);
    return known && (r == 0.5 || (lost < 1 && r >= 0x1p-800));
}

static bool log_gamma_of_negative(double a, double *value, double *radius)
{
    double r = rest_of(a), lost = 0, sine = of(elementary_sin, pi * r, &lost);
    double share = of(elementary_log, sine / pi, &lost), size = of(elementary_log, a, &lost);
    bool known = log_gamma_of_positive(a, value, radius);
    *radius += 0x1p-48 * (1 + fabs(share) + fabs(size) + fabs(*value));
    *value = -share - size - *value;
    return known && lost < 1 && r >= 0x1p-800;
}

static bool erfinv_at(double x, double *value, double *radius)
{
    bool known = fabs(x) < 1 && inverse_of_erf(fabs(x), value, radius);
    *value = x < 0 ? -*value : *value;
    return known;
}

static bool lgamma_at(double x, double *value, double *radius)
{
    return x > 0 ? x != 1 && x != 2 && log_gamma_of_positive(x, value, radius)
                 : x > -0x1p50 && x != rint(x) && log_gamma_of_negative(-x, value, radius);
}

static bool digamma_at(double x, double *value, double *radius)
{
    return x > 0 ? psi_of_positive(x, value, radius)
                 : x > -0x1p50 && x != rint(x) && psi_of_negative(-x, value, radius);
}

static void each(bool (*at)(double, double *, double *), void (*beyond)(mpfi_ptr, mpfi_srcptr),
                 const double *x, double *value, double *radius, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double from = x[i], v = NAN, r = 0;
        if (!at(from, &v, &r) || !(fabs(v) + r < 0x1p1000)) {
            special_point(beyond, from, &v, &r);
        }
        value[i] = v;
        radius[i] = r;
    }
}

void special_erfinv_values(const double *x, double *value, double *radius, size_t count)
{
    each(erfinv_at, special_enclose_erfinv, x, value, radius, count);
}

void special_lgamma_values(const double *x, double *value, double *radius, size_t count)
{
    each(lgamma_at, special_enclose_lgamma, x, value, radius, count);
}

void special_digamma_values(const double *x, double *value, double *radius, size_t count)
{
    each(digamma_at, special_enclose_digamma, x, value, radius, count);
}
