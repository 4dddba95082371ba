/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/formula/expression_intervals.h"
#include "reference/numeric/elementary/elementary.h"
#include "reference/numeric/elementary/special_functions.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>

static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

MULTIVERSION static void add(struct intervals out, struct intervals a, struct intervals b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out.low[i] = interval_below(a.low[i] + b.low[i]);
        out.high[i] = interval_above(a.high[i] + b.high[i]);
    }
}

MULTIVERSION static void subtract(struct intervals out, struct intervals a, struct intervals b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out.low[i] = interval_below(a.low[i] - b.high[i]);
        out.high[i] = interval_above(a.high[i] - b.low[i]);
    }
}

/* A NaN, from 0 times infinity, must stay: lesser and greater would drop it. */
static inline void hull(double p, double q, double r, double s, double least, double *low, double *high)
{
    double none = (p + q + r + s) * 0;
    bool nan = (p != p) | (q != q) | (r != r) | (s != s);
    double from = lesser(lesser(p, q), lesser(r, s)), to = greater(greater(p, q), greater(r, s));
    *low = nan ? none : interval_below(from) - least;
    *high = nan ? none : interval_above(to) + least;
}

MULTIVERSION static void multiply(struct intervals out, struct intervals a, struct intervals b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double al = a.low[i], ah = a.high[i], bl = b.low[i], bh = b.high[i];
        bool zero = ((al == 0) & (ah == 0)) | ((bl == 0) & (bh == 0));
        hull(al * bl, al * bh, ah * bl, ah * bh, zero ? 0 : INTERVAL_LEAST, &out.low[i], &out.high[i]);
    }
}

MULTIVERSION static void square(struct intervals out, struct intervals a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double p = a.low[i] * a.low[i], q = a.high[i] * a.high[i];
        bool straddles = (a.low[i] < 0) & (a.high[i] > 0), zero = (a.low[i] == 0) & (a.high[i] == 0);
        double least = zero ? 0 : INTERVAL_LEAST, low = straddles ? 0 : interval_below(lesser(p, q)) - least;
        out.low[i] = low > 0 ? low : 0;
        out.high[i] = interval_above(greater(p, q)) + least;
    }
}

MULTIVERSION static void divide(struct intervals out, struct intervals a, struct intervals b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double al = a.low[i], ah = a.high[i], bl = b.low[i], bh = b.high[i];
        bool zero = ((al == 0) & (ah == 0)) | ((bl == bh) & (fabs(bl) == INFINITY)),
             nan = (al != al) | (bl != bl), pole = !((bl > 0) | (bh < 0)) & !nan;
        hull(al / bl, al / bh, ah / bl, ah / bh, zero ? 0 : INTERVAL_LEAST, &out.low[i], &out.high[i]);
        out.low[i] = pole ? -INFINITY : out.low[i];
        out.high[i] = pole ? INFINITY : out.high[i];
    }
}

/* A result that overflows only in doubles is a large number: only infinite operands, or a division by zero,
 * make a certain infinity. */
MULTIVERSION static void keep_large(struct intervals out, struct intervals a, struct intervals b,
                                    bool divides, size_t count)
{
    int any = 0;
    for (size_t i = 0; i < count; i++) {
        any |= (out.low[i] == INFINITY) | (out.high[i] == -INFINITY);
    }
    for (size_t i = 0; any && i < count; i++) {
        double size = interval_size(a.low[i], a.high[i]), other = interval_size(b.low[i], b.high[i]);
        bool finite = size < INFINITY && other < INFINITY && !(divides && other == 0);
        if (finite && out.low[i] == INFINITY) {
            out.low[i] = 0x1p1022;
        } else if (finite && out.high[i] == -INFINITY) {
            out.high[i] = -0x1p1022;
        }
    }
}

/* --- choices */

MULTIVERSION static void least_or_most(struct intervals out, struct intervals a, struct intervals b,
                                       bool most, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double low = most ? greater(a.low[i], b.low[i]) : lesser(a.low[i], b.low[i]);
        double high = most ? greater(a.high[i], b.high[i]) : lesser(a.high[i], b.high[i]);
        double nan = (a.low[i] + b.low[i]) * 0;
        out.low[i] = isnan(a.low[i]) || isnan(b.low[i]) ? nan : low;
        out.high[i] = isnan(a.low[i]) || isnan(b.low[i]) ? nan : high;
    }
}

MULTIVERSION static void compare(enum node_kind kind, struct intervals out, struct intervals a,
                                 struct intervals b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double al = a.low[i], ah = a.high[i], bl = b.low[i], bh = b.high[i];
        bool points = (al == ah) & (bl == bh), apart = (ah < bl) | (al > bh), same = points & (al == bl);
        bool all = kind == NODE_LESS         ? ah < bl
                   : kind == NODE_LESS_EQUAL ? ah <= bl
                   : kind == NODE_EQUAL      ? same
                                             : apart;
        bool none = kind == NODE_LESS         ? al >= bh
                    : kind == NODE_LESS_EQUAL ? al > bh
                    : kind == NODE_EQUAL      ? apart
                                              : same;
        out.low[i] = all; /* [0, 1] where an end is NaN */
        out.high[i] = !none;
    }
}

/* [0, 1] where an interval has both signs or an end that is zero. */
MULTIVERSION static void sign_bit(struct intervals out, struct intervals a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool point = a.low[i] == a.high[i], bit = signbit(a.low[i]);
        out.low[i] = a.high[i] < 0 || (point && bit);
        out.high[i] = !(a.low[i] > 0 || (point && !bit));
    }
}

MULTIVERSION static void choose(struct intervals out, struct intervals condition, struct intervals a,
                                struct intervals b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool all = condition.low[i] != 0, none = condition.high[i] == 0;
        out.low[i] = all ? a.low[i] : none ? b.low[i] : lesser(a.low[i], b.low[i]);
        out.high[i] = all ? a.high[i] : none ? b.high[i] : greater(a.high[i], b.high[i]);
    }
}

/* --- functions */

/* The least and the greatest number of a ball as reference/numeric/elementary/elementary.h defines it. */
static double from(double value, double radius)
{
    return radius < INFINITY ? interval_below(value - radius) : value == INFINITY ? 0x1p1022 : -INFINITY;
}

static double to(double value, double radius)
{
    return radius < INFINITY ? interval_above(value + radius) : value == -INFINITY ? -0x1p1022 : INFINITY;
}

static void monotone(enum node_kind kind, struct intervals out, struct intervals x, size_t count)
{
    double value[EXPRESSION_BLOCK], radius[EXPRESSION_BLOCK];
    const double *left = kind == NODE_ERFC ? x.high : x.low, *right = kind == NODE_ERFC ? x.low : x.high;
    node_functions[kind](left, value, radius, count);
    for (size_t i = 0; i < count; i++) {
        out.low[i] = from(value[i], radius[i]);
    }
    node_functions[kind](right, value, radius, count);
    for (size_t i = 0; i < count; i++) {
        out.high[i] = to(value[i], radius[i]);
    }
}

/* sin and cos: the value at the middle ± half the width. tan: monotone between its poles, which are π
 * apart. */
static void angle(enum node_kind kind, struct intervals out, struct intervals x, size_t count)
{
    double middle[EXPRESSION_BLOCK] = {0}, value[EXPRESSION_BLOCK], radius[EXPRESSION_BLOCK];
    if (kind == NODE_TAN) {
        monotone(kind, out, x, count);
    }
    for (size_t i = 0; i < count; i++) {
        middle[i] = x.low[i] / 2 + x.high[i] / 2;
        bool pole = !isnan(x.low[i]) && (!(x.high[i] - x.low[i] < 1) || !(out.low[i] <= out.high[i]));
        if (kind == NODE_TAN && pole) {
            out.low[i] = -INFINITY;
            out.high[i] = INFINITY;
        }
    }
    if (kind == NODE_TAN) {
        return;
    }
    node_functions[kind](middle, value, radius, count);
    for (size_t i = 0; i < count; i++) {
        double half = interval_above(x.high[i] - x.low[i]) / 2 + fabs(middle[i]) * 0x1p-52 + 0x1p-1072;
        bool known = (radius[i] + half < 2) | isnan(value[i]);
        double low = interval_below(value[i] - radius[i] - half),
               high = interval_above(value[i] + radius[i] + half);
        out.low[i] = !known || low < -1 ? -1 : low;
        out.high[i] = !known || high > 1 ? 1 : high;
    }
}

static void root(struct intervals out, struct intervals x, bool reciprocal, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double low = interval_below(sqrt(x.low[i])), high = interval_above(sqrt(x.high[i]));
        bool within = (x.low[i] >= 0) | (x.low[i] != x.low[i]);
        out.low[i] = !within ? -INFINITY : reciprocal ? interval_below(1 / high) : low;
        out.high[i] = !within ? INFINITY : reciprocal ? interval_above(1 / low) : high;
    }
}

/* Powers of positive numbers by the four corners; a whole power of other numbers by its greatest size. */
static void power(struct intervals out, struct intervals x, struct intervals y, size_t count)
{
    double value[4][EXPRESSION_BLOCK], radius[4][EXPRESSION_BLOCK], size[EXPRESSION_BLOCK];
    for (int corner = 0; corner < 4; corner++) {
        elementary_pow(corner & 1 ? x.high : x.low, corner & 2 ? y.high : y.low, value[corner],
                       radius[corner], count);
    }
    for (size_t i = 0; i < count; i++) {
        out.low[i] = INFINITY;
        out.high[i] = -INFINITY;
        for (int corner = 0; corner < 4; corner++) {
            out.low[i] = lesser(out.low[i], from(value[corner][i], radius[corner][i]));
            out.high[i] = greater(out.high[i], to(value[corner][i], radius[corner][i]));
        }
        if (isnan(value[0][i]) && radius[0][i] == 0) {
            out.low[i] = out.high[i] = NAN;
        }
        size[i] = interval_size(x.low[i], x.high[i]);
    }
    elementary_pow(size, y.low, value[0], radius[0], count);
    for (size_t i = 0; i < count; i++) {
        bool whole = y.low[i] == y.high[i] && y.low[i] == floor(y.low[i]) && y.low[i] > 0;
        if (x.low[i] <= 0) {
            double most = whole ? to(value[0][i], radius[0][i]) : INFINITY;
            out.low[i] = -most;
            out.high[i] = most;
        }
    }
}

void intervals_evaluate(enum node_kind kind, struct intervals out, const struct intervals x[3], bool same,
                        size_t count)
{
    switch (kind) {
    case NODE_NEGATE:
        for (size_t i = 0; i < count; i++) {
            out.low[i] = -x[0].high[i];
            out.high[i] = -x[0].low[i];
        }
        break;
    case NODE_ABS:
        for (size_t i = 0; i < count; i++) {
            bool straddles = (x[0].low[i] < 0) & (x[0].high[i] > 0);
            double a = fabs(x[0].low[i]), b = fabs(x[0].high[i]);
            out.low[i] = straddles ? 0 : lesser(a, b);
            out.high[i] = greater(a, b);
        }
        break;
    case NODE_MIN:
    case NODE_MAX:
        least_or_most(out, x[0], x[1], kind == NODE_MAX, count);
        break;
    case NODE_LESS:
    case NODE_LESS_EQUAL:
    case NODE_EQUAL:
    case NODE_NOT_EQUAL:
        compare(kind, out, x[0], x[1], count);
        break;
    case NODE_SIGNBIT:
        sign_bit(out, x[0], count);
        break;
    case NODE_SELECT:
        choose(out, x[0], x[1], x[2], count);
        break;
    case NODE_ADD:
        add(out, x[0], x[1], count);
        keep_large(out, x[0], x[1], false, count);
        break;
    case NODE_SUBTRACT:
        subtract(out, x[0], x[1], count);
        keep_large(out, x[0], x[1], false, count);
        break;
    case NODE_MULTIPLY:
        if (same) {
            square(out, x[0], count);
        } else {
            multiply(out, x[0], x[1], count);
        }
        keep_large(out, x[0], x[1], false, count);
        break;
    case NODE_DIVIDE:
        divide(out, x[0], x[1], count);
        keep_large(out, x[0], x[1], true, count);
        break;
    case NODE_SQRT:
    case NODE_RSQRT:
        root(out, x[0], kind == NODE_RSQRT, count);
        break;
    case NODE_POW:
        power(out, x[0], x[1], count);
        break;
    case NODE_SIN:
    case NODE_COS:
    case NODE_TAN:
        angle(kind, out, x[0], count);
        break;
    case NODE_ERFINV:
    case NODE_LGAMMA:
    case NODE_DIGAMMA:
        for (size_t i = 0; i < count; i++) {
            special_interval(kind == NODE_ERFINV   ? special_enclose_erfinv
                             : kind == NODE_LGAMMA ? special_enclose_lgamma
                                                   : special_enclose_digamma,
                             x[0].low[i], x[0].high[i], &out.low[i], &out.high[i]);
        }
        break;
    default:
        monotone(kind, out, x[0], count);
    }
}
