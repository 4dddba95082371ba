/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/formula/expression_range_ends.h"
#include "reference/formula/expression_double_intervals.h"

static bool sign_known(struct ball a)
{
    return a.r == 0 || fabs(a.v) > a.r;
}

static bool is_half_line(struct ball a)
{
    return a.r == INFINITY && fabs(a.v) >= BALLS_FAR;
}

/* The least and the greatest magnitude of the numbers of a ball whose sign is known. */
static double least_of(struct ball a)
{
    return !is_half_line(a) ? fabs(a.v) - a.r : isinf(a.v) ? 0x1p1022 : fabs(a.v);
}

static double most_of(struct ball a)
{
    return fabs(a.v) + a.r;
}

static struct ball half_line(double least, double sign)
{
    double far = fmin(least * (1 - 0x1p-48), 0x1p1022);
    return far >= BALLS_FAR ? (struct ball){copysign(far, sign), INFINITY} : ball_unknown;
}

/* x + y for two half-lines of one sign, or for a half-line and a number that does not lead back from it. */
static struct ball far_sum(struct ball x, struct ball y)
{
    bool one = is_half_line(x), other = is_half_line(y), alike = signbit(x.v) == signbit(y.v);
    if (one && other) {
        return alike ? half_line(fmax(least_of(x), least_of(y)), x.v) : ball_unknown;
    }
    struct ball line = one ? x : y, number = one ? y : x;
    return one || other ? half_line(least_of(line) - most_of(number), line.v) : ball_unknown;
}

/* Products and quotients that overflow, or of a half-line and a ball of known sign. */
static struct ball far_product(enum node_kind kind, struct ball x, struct ball y)
{
    double sign = signbit(x.v) == signbit(y.v) ? 1 : -1, least = least_of(x), other = least_of(y);
    bool lines = least < INFINITY && other < INFINITY; /* an infinite operand is no half-line */
    if (!(lines && least > 0 && other > 0)) {
        return ball_unknown;
    }
    if (kind == NODE_MULTIPLY) {
        return half_line(least * other, sign);
    }
    if (!is_half_line(y)) {
        return half_line(least / most_of(y), sign);
    }
    double half = balls_wider(most_of(x) / other) + 0x1p-1022; /* (0, 2·half) */
    return half < 1 ? (struct ball){copysign(half, sign), half} : ball_unknown;
}

struct ball ball_exceptional(enum node_kind kind, double v, struct ball a, struct ball b)
{
    bool adds = kind == NODE_ADD || kind == NODE_SUBTRACT;
    bool pole = kind == NODE_DIVIDE && b.v == 0 && b.r == 0;
    bool known = a.r < INFINITY && b.r < INFINITY;
    bool special = known && (isinf(a.v) || isinf(b.v) || pole);
    if (ball_is_nan(a) || ball_is_nan(b)) {
        return (struct ball){NAN, 0};
    }
    if (special) {
        return adds || (sign_known(a) && sign_known(b)) ? (struct ball){v, 0} : ball_unknown;
    }
    b.v = kind == NODE_SUBTRACT ? -b.v : b.v;
    return adds ? far_sum(a, b) : far_product(kind, a, b);
}
