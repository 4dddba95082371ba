/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Slopes: f(x̂) − f(x) = slope·(x̂ − x) for every x̂ of an interval and every truth x of a narrower interval
 * in it. The slopes below are sharper than derivatives over the interval, which are valid slopes too and
 * serve for most functions:
 *
 *     âb̂ − ab = (b̂ + b)/2·(â − a) + (â + a)/2·(b̂ − b)       â/b̂ − a/b = 1/b̂·(â − a) − (a/b)/b̂·(b̂ − b)
 *     √: 1/(f̂ + f)      1/√: −f²f̂²/(f + f̂)       exp, log: at most the mean of both derivatives, for
 *     exp′ and log′ are convex. */

#include "reference/formula/expression_intervals.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>

#define LN2      0x1.62e42fefa39efp-1 /* the doubles below and above log 2; the same for log 10 */
#define LN2_UP   0x1.62e42fefa39f0p-1
#define LN10     0x1.26bb1bbb55515p+1
#define LN10_UP  0x1.26bb1bbb55516p+1
#define SLOPE    0x1.20dd750429b6dp+0 /* below 2/√π */
#define SLOPE_UP 0x1.20dd750429b6ep+0

/* Columns for the slopes of one operation. */
struct room {
    double low[3][EXPRESSION_BLOCK], high[3][EXPRESSION_BLOCK];
};

MULTIVERSION void intervals_accumulate(struct intervals to, struct intervals a, struct intervals b,
                                       size_t count)
{
    double low[EXPRESSION_BLOCK], high[EXPRESSION_BLOCK];
    struct intervals product = {low, high};
    intervals_evaluate(NODE_MULTIPLY, product, (struct intervals[3]){a, b}, false, count);
    for (size_t i = 0; i < count; i++) {
        /* An adjoint or slope that is 0 times an unbounded one is 0: nothing moves along it. */
        bool none = ((a.low[i] == 0) & (a.high[i] == 0)) | ((b.low[i] == 0) & (b.high[i] == 0));
        to.low[i] = interval_below(to.low[i] + (none ? 0 : low[i]));
        to.high[i] = interval_above(to.high[i] + (none ? 0 : high[i]));
    }
}

static void set(struct intervals d, size_t i, double low, double high)
{
    d.low[i] = low;
    d.high[i] = high;
}

/* log and others: f′ = 1/(x·c), c between `least` and `most`. */
MULTIVERSION static void slope_of_log(struct intervals d, struct intervals x, struct intervals truth,
                                      double least, double most, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool positive = x.low[i] > 0;
        double mean = interval_above(1 / x.low[i]) / 2 + interval_above(1 / truth.low[i]) / 2;
        set(d, i, positive ? interval_below(interval_below(1 / x.high[i]) / most) : -INFINITY,
            positive ? interval_above(interval_above(mean) / least) : INFINITY);
    }
}

/* f′ = c·f with f ≥ 0 and c between `least` and `most`. */
MULTIVERSION static void slope_of_exp(struct intervals d, struct intervals f, struct intervals truth,
                                      double least, double most, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double lost = f.high[i] == 0 ? 0 : INTERVAL_LEAST;
        double mean = interval_above(f.high[i] / 2 + truth.high[i] / 2);
        set(d, i, interval_below(f.low[i] * least) - lost, interval_above(mean * most) + lost);
    }
}

MULTIVERSION static void slope_of_root(struct intervals d, struct intervals f, struct intervals truth,
                                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double least = interval_below(f.low[i] + truth.low[i]), most = f.high[i] + truth.high[i];
        set(d, i, f.low[i] >= 0 ? interval_below(1 / interval_above(most)) : -INFINITY,
            f.low[i] >= 0 && least > 0 ? interval_above(1 / least) : INFINITY);
    }
}

MULTIVERSION static void slope_of_reciprocal_root(struct intervals d, struct intervals f,
                                                  struct intervals truth, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double a = f.low[i] * truth.low[i], b = f.high[i] * truth.high[i];
        bool within = f.low[i] > 0;
        set(d, i, within ? -(b / (f.high[i] + truth.high[i]) * b) * (1 + 0x1p-49) : -INFINITY,
            within ? -(a / (f.low[i] + truth.low[i]) * a) * (1 - 0x1p-49) : INFINITY);
    }
}

MULTIVERSION static void slope_of_product(const struct intervals d[3], const struct intervals x[3],
                                          const struct intervals truth[3], size_t count)
{
    for (int k = 0; k < 2; k++) {
        struct intervals b = x[1 - k], t = truth[1 - k];
        for (size_t i = 0; i < count; i++) {
            set(d[k], i, interval_below(b.low[i] / 2 + t.low[i] / 2),
                interval_above(b.high[i] / 2 + t.high[i] / 2));
        }
    }
}

MULTIVERSION static void slope_of_division(const struct intervals d[3], struct intervals truth,
                                           struct intervals divisor, size_t count)
{
    double one[EXPRESSION_BLOCK];
    for (size_t i = 0; i < count; i++) {
        one[i] = 1;
    }
    struct intervals ones = {one, one};
    intervals_evaluate(NODE_DIVIDE, d[0], (struct intervals[3]){ones, divisor}, false, count);
    intervals_evaluate(NODE_DIVIDE, d[2], (struct intervals[3]){truth, divisor}, false, count);
    intervals_evaluate(NODE_NEGATE, d[1], (struct intervals[3]){d[2]}, false, count);
}

MULTIVERSION static void slope_of_choice(enum node_kind kind, const struct intervals d[3],
                                         const struct intervals x[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (kind == NODE_ABS) {
            set(d[0], i, x[0].low[i] >= 0 ? 1 : -1, x[0].high[i] <= 0 ? -1 : 1);
        } else if (kind == NODE_SELECT) { /* if undecided, EXPRESSION_JUMP covers the whole error */
            double a = x[0].low[i] != 0, b = x[0].high[i] == 0;
            set(d[0], i, 0, 0);
            set(d[1], i, a, a);
            set(d[2], i, b, b);
        } else {
            bool first = kind == NODE_MAX ? x[0].low[i] > x[1].high[i] : x[0].high[i] < x[1].low[i];
            bool second = kind == NODE_MAX ? x[1].low[i] > x[0].high[i] : x[1].high[i] < x[0].low[i];
            set(d[0], i, first, !second);
            set(d[1], i, second, !first);
        }
    }
}

/* sin′ = cos, cos′ = −sin, tan′ = 1 + tan². */
static void slope_of_angle(enum node_kind kind, struct intervals d, struct intervals f, struct intervals x,
                           size_t count)
{
    if (kind == NODE_TAN) {
        intervals_evaluate(NODE_MULTIPLY, d, (struct intervals[3]){f, f}, true, count);
    } else {
        intervals_evaluate(kind == NODE_SIN ? NODE_COS : NODE_SIN, d, (struct intervals[3]){x}, false, count);
    }
    for (size_t i = 0; i < count; i++) {
        double low = d.low[i], high = d.high[i];
        set(d, i,
            kind == NODE_COS   ? -high
            : kind == NODE_TAN ? interval_below(1 + low)
                               : low,
            kind == NODE_COS   ? -low
            : kind == NODE_TAN ? interval_above(1 + high)
                               : high);
    }
}

/* ±2/√π·exp(−x²) */
static void slope_of_error_function(struct intervals d, struct intervals x, bool falls, size_t count)
{
    double low[EXPRESSION_BLOCK], high[EXPRESSION_BLOCK];
    struct intervals squares = {low, high}, exponents = {low, high};
    intervals_evaluate(NODE_MULTIPLY, squares, (struct intervals[3]){x, x}, true, count);
    for (size_t i = 0; i < count; i++) {
        double least = -high[i];
        high[i] = -low[i];
        low[i] = least;
    }
    intervals_evaluate(NODE_EXP, d, (struct intervals[3]){exponents}, false, count);
    for (size_t i = 0; i < count; i++) {
        double least = interval_below(d.low[i] * SLOPE), most = interval_above(d.high[i] * SLOPE_UP);
        set(d, i, falls ? -most : least, falls ? -least : most);
    }
}

/* √π/2·exp(f²) */
static void slope_of_inverse_error_function(struct intervals d, struct intervals f, size_t count)
{
    double low[EXPRESSION_BLOCK], high[EXPRESSION_BLOCK];
    struct intervals squares = {low, high};
    intervals_evaluate(NODE_MULTIPLY, squares, (struct intervals[3]){f, f}, true, count);
    intervals_evaluate(NODE_EXP, d, (struct intervals[3]){squares}, false, count);
    for (size_t i = 0; i < count; i++) {
        set(d, i, interval_below(d.low[i] / SLOPE_UP), interval_above(d.high[i] / SLOPE));
    }
}

/* 1/x + 1/(2x²) < ψ′(x) < 1/x + 1/x² for x > 0 (Digital Library of Mathematical Functions, 5.11.2 and its
 * sign); elsewhere the slope is unbounded. */
static void slope_of_digamma(struct intervals d, struct intervals x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double a = x.low[i], b = x.high[i];
        double least = (1 / b + 0.5 / b / b) * (1 - 0x1p-50), most = (1 / a + 1 / a / a) * (1 + 0x1p-50);
        set(d, i, a > 0 ? interval_below(least) : -INFINITY, a > 0 ? interval_above(most) : INFINITY);
    }
}

/* y·x^(y−1) = f·y/x and f·log x; for a whole power of any x at most |f|·|y|/|x| at the end of greatest
 * |x|. */
static void slope_of_power(const struct intervals d[3], struct intervals f, const struct intervals x[3],
                           bool exponent, size_t count)
{
    struct intervals share = d[2];
    intervals_evaluate(NODE_DIVIDE, share, (struct intervals[3]){x[1], x[0]}, false, count);
    intervals_evaluate(NODE_MULTIPLY, d[0], (struct intervals[3]){f, share}, false, count);
    for (size_t i = 0; i < count; i++) {
        double size = interval_size(x[0].low[i], x[0].high[i]);
        bool whole = x[1].low[i] == x[1].high[i] && x[1].low[i] == floor(x[1].low[i]) && x[1].low[i] >= 1;
        if (!(x[0].low[i] > 0)) {
            double most =
                whole && size > 0
                    ? interval_above(interval_above(f.high[i] * x[1].low[i]) * (1 / size)) * (1 + 0x1p-50)
                    : INFINITY;
            set(d[0], i, -most, most);
        }
    }
    if (exponent) {
        intervals_evaluate(NODE_LOG, share, (struct intervals[3]){x[0]}, false, count);
        intervals_evaluate(NODE_MULTIPLY, d[1], (struct intervals[3]){f, share}, false, count);
    }
}

/* 1/(1 + x²) */
static void slope_of_arctangent(struct intervals d, struct intervals x, size_t count)
{
    intervals_evaluate(NODE_MULTIPLY, d, (struct intervals[3]){x, x}, true, count);
    for (size_t i = 0; i < count; i++) {
        double least = interval_below(1 / interval_above(1 + d.high[i])),
               most = interval_above(1 / interval_below(1 + d.low[i]));
        set(d, i, least, most);
    }
}

/* Returns an upper bound of exp(−x) for x ≥ 0: a power of two, which is enough where it is far below an
 * ulp. */
static double vanishing(double x)
{
    return ldexp(1, -(int)fmin(x * 1.44, 1000));
}

/* 1 − f²; where f rounds to ±1, at most 4·exp(−2|x|). */
static void slope_of_tangent(struct intervals d, struct intervals f, struct intervals x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double low = f.low[i], high = f.high[i], size = interval_size(low, high);
        double least = low > 0 ? low : high < 0 ? -high : 0; /* min |f| */
        double from = x.low[i] > 0 ? x.low[i] : x.high[i] < 0 ? -x.high[i] : 0;
        double most = interval_above(1 - interval_below(least * least)) + 0x1p-52;
        set(d, i, from > 20 ? 0 : interval_below(1 - interval_above(size * size)) - 0x1p-52,
            from > 20 ? 4 * vanishing(2 * from) : most);
    }
}

/* 1 + f = exp x */
static void slope_of_expm1(struct intervals d, struct intervals f, struct intervals x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool far = x.high[i] < -40;
        set(d, i, far ? 0 : interval_below(1 + f.low[i]),
            far ? vanishing(-x.high[i]) : interval_above(1 + f.high[i]));
    }
}

static void slope_of_function(enum node_kind kind, struct intervals d, struct intervals f, struct intervals x,
                              struct intervals truth, struct intervals truth_of_x, size_t count)
{
    switch (kind) {
    case NODE_EXP:
        slope_of_exp(d, f, truth, 1, 1, count);
        break;
    case NODE_EXP2:
        slope_of_exp(d, f, truth, LN2, LN2_UP, count);
        break;
    case NODE_LOG:
        slope_of_log(d, x, truth_of_x, 1, 1, count);
        break;
    case NODE_LOG2:
        slope_of_log(d, x, truth_of_x, LN2, LN2_UP, count);
        break;
    case NODE_LOG10:
        slope_of_log(d, x, truth_of_x, LN10, LN10_UP, count);
        break;
    case NODE_SQRT:
        slope_of_root(d, f, truth, count);
        break;
    case NODE_RSQRT:
        slope_of_reciprocal_root(d, f, truth, count);
        break;
    case NODE_ERF:
    case NODE_ERFC:
        slope_of_error_function(d, x, kind == NODE_ERFC, count);
        break;
    case NODE_ERFINV:
        slope_of_inverse_error_function(d, f, count);
        break;
    case NODE_LGAMMA:
        intervals_evaluate(NODE_DIGAMMA, d, (struct intervals[3]){x}, false, count);
        break;
    case NODE_DIGAMMA:
        slope_of_digamma(d, x, count);
        break;
    case NODE_SIN:
    case NODE_COS:
    case NODE_TAN:
        slope_of_angle(kind, d, f, x, count);
        break;
    case NODE_ATAN:
        slope_of_arctangent(d, x, count);
        break;
    case NODE_EXPM1:
        slope_of_expm1(d, f, x, count);
        break;
    case NODE_LOG1P:
        for (size_t i = 0; i < count; i++) {
            bool within = x.low[i] > -1;
            set(d, i, within ? interval_below(1 / interval_above(1 + x.high[i])) : -INFINITY,
                within ? interval_above(1 / interval_below(1 + x.low[i])) : INFINITY);
        }
        break;
    default:
        slope_of_tangent(d, f, x, count);
    }
}

void intervals_propagate(enum node_kind kind, struct intervals of, struct intervals out,
                         const struct intervals x[3], const struct intervals truth[4],
                         const struct intervals adjoint[3], const bool wanted[3], size_t count)
{
    struct room room;
    struct intervals d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = (struct intervals){room.low[k], room.high[k]};
    }
    if (kind == NODE_ADD || kind == NODE_SUBTRACT || kind == NODE_NEGATE) {
        for (size_t i = 0; i < count; i++) {
            double first = kind == NODE_NEGATE ? -1 : 1, second = kind == NODE_SUBTRACT ? -1 : 1;
            set(d[0], i, first, first);
            set(d[1], i, second, second);
        }
    } else if (kind == NODE_MULTIPLY) {
        slope_of_product(d, x, truth, count);
    } else if (kind == NODE_DIVIDE) {
        slope_of_division(d, truth[3], x[1], count);
    } else if (kind == NODE_POW) {
        slope_of_power(d, out, x, wanted[1], count);
    } else if (kind == NODE_ABS || kind == NODE_MIN || kind == NODE_MAX || kind == NODE_SELECT) {
        slope_of_choice(kind, d, x, count);
    } else {
        slope_of_function(kind, d[0], out, x[0], truth[3], truth[0], count);
    }
    for (int k = 0; k < 3; k++) {
        if (wanted[k]) {
            intervals_accumulate(adjoint[k], of, d[k], count);
        }
    }
}
