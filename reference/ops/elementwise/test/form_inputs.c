/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/elementwise/test/form_inputs.h"

#include "reference/ops/elementwise/test/form_arithmetic.h"
#include "reference/test/support.h"

static double normal(struct philox *g)
{
    const double size = sqrt(-2 * log(1 - philox_unit(g)));
    return size * cos(2 * M_PI * philox_unit(g));
}

static double signed_power(struct philox *g, double low, double high) /* ±2^e, e uniform */
{
    const double size = exp2(low + (high - low) * philox_unit(g));
    return philox_next(g) & 1 ? size : -size;
}

/* A few units in the last place beside one of the places where formulas change. */
static double beside(struct philox *g, enum dtype dtype, double place)
{
    return place + ((int)philox_below(g, 7) - 3) * dtype_ulp(dtype, place);
}

static double draw(struct philox *g, enum dtype dtype, int kind)
{
    static const double kinks[] = {0, 0.5, 1, 1.5, 2, 3, 6, 10, 20, 89, 0.7, 1.7};
    static const double specials[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0.5, -3, 3};
    const struct dtype_info *info = dtype_info(dtype);
    const double sign = philox_next(g) & 1 ? 1 : -1, least = dtype_least_normal(dtype),
                 most = dtype_max(dtype);
    switch (kind) {
    case 0: /* uniform */
        return 8 * philox_signed(g);
    case 1:
        return normal(g);
    case 2: /* log-uniform */
        return signed_power(g, -12, 12);
    case 3: /* near zero */
        return signed_power(g, -info->precision - 4, -4);
    case 4: /* near kinks */
        return sign * beside(g, dtype, kinks[philox_below(g, sizeof kinks / sizeof *kinks)]);
    case 5: /* tiny */
        return signed_power(g, info->emin, info->emin + info->precision + 2.0);
    case 6: /* huge */
        return signed_power(g, info->emax - info->precision, info->emax + 0.9);
    case 7: /* subnormal */
        return least * philox_signed(g);
    case 8: /* special values */
        return philox_below(g, 8) == 0 ? sign * (philox_next(g) & 1 ? most : least)
                                       : specials[philox_below(g, sizeof specials / sizeof *specials)];
    default: /* near one and near midpoints: few digits, of which products and sums end in halves */
        return philox_next(g) & 1 ? sign * beside(g, dtype, 1)
                                  : sign * (1 + 2 * philox_below(g, 512)) / exp2(philox_below(g, 14));
    }
}

static double into_domain(enum form_domain domain, enum dtype dtype, double x)
{
    const double size = fabs(x), inside = size > 1 ? 1 / size : size;
    switch (domain) {
    case DOMAIN_UNIT:
        return inside;
    case DOMAIN_SIGNED_UNIT:
        return size > 1 ? 1 / x : x;
    case DOMAIN_POSITIVE:
        return size;
    case DOMAIN_ABOVE_ONE:
        return size < 1 ? 1 / size : size;
    case DOMAIN_INSIDE:
        return fmin(fmax(inside, 0x1p-20), 1 - 0x1p-8);
    case DOMAIN_LOGARITHM:
        return -fmod(size, 60);
    case DOMAIN_BELOW_END:
        return size > dtype_max(dtype) / 4 && !isinf(x) ? x / 4 : x;
    case DOMAIN_MODERATE:
        return isinf(x) ? x : fmod(x, 1024);
    case DOMAIN_WEIGHT:
        return isinf(x) ? size : fmod(size, 1024);
    case DOMAIN_ONE:
        return 1;
    case DOMAIN_ANY:
        break;
    }
    return x;
}

void form_draw(const struct forms *f, int operands, enum dtype dtype, int kind, struct philox *g, double *x)
{
    const int chosen = (int)philox_below(g, (uint32_t)operands);
    for (int k = 0; k < operands; k++) {
        const bool own = k == chosen || philox_next(g) & 1;
        x[k] = draw(g, dtype, own ? kind : 1);
        if (k > 0 && isfinite(x[k - 1]) && philox_below(g, 6) == 0) {
            x[k] = beside(g, dtype, x[k - 1]) * (philox_next(g) & 1 ? 1 : 1 + 0.01 * normal(g));
        }
        x[k] = form_round(dtype, into_domain(f->domain[k], dtype, x[k]));
    }
}
