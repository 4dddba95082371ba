/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tier 1 where an intermediate lies beyond the doubles or vanishes: half-lines, and balls that end in 0,
 * against Arb, whose exponents are unbounded. */

#include "reference/formula/expression_double_intervals.h"
#include "reference/formula/test/expression.h"

enum { EACH = 256, ROUNDS = 400 };

struct one {
    double v, r;
};

/* A random ball: a number, one within a radius, one of which only the sign is known, or a half-line; of any
 * size, often at the ends of the range. */
static struct one any_ball(struct philox *g)
{
    static const double ends[] = {0, 1, -0.5, 2, 0x1p-1022, 0x1p-1000, 0x1p699, 0x1p700, 0x1p1021, 1e308};
    double sign = elementary_any_sign(g, 1), size = elementary_mantissa(g);
    double x = philox_below(g, 3) == 0 ? ends[philox_below(g, sizeof ends / sizeof *ends)]
                                       : ldexp(size, (int)philox_below(g, 2044) - 1022);
    switch (philox_below(g, 4)) {
    case 0:
        return (struct one){sign * x, 0};
    case 1:
        return (struct one){sign * x, fabs(x) * ldexp(1, -(int)philox_below(g, 60))};
    case 2:
        return (struct one){sign * 0x1p-1022, 0x1p-1022};
    default:
        return (struct one){
            sign * (philox_below(g, 2) ? INFINITY : ldexp(size, 700 + (int)philox_below(g, 322))), INFINITY};
    }
}

static bool is_half_line(struct one a)
{
    return a.r == INFINITY && fabs(a.v) >= BALLS_FAR;
}

/* One of the numbers that a ball contains, including its first and last. */
static void member(struct philox *g, struct one a, arb_t out)
{
    arb_t part;
    arb_init(part);
    if (is_half_line(a)) {
        arb_set_d(out, isinf(a.v) ? copysign(0x1p1022, a.v) : a.v);
        arb_mul_2exp_si(out, out, philox_below(g, 3) == 0 ? 0 : (long)philox_below(g, 5000));
    } else {
        static const double shares[] = {1, -1, 0, 0.3, -0.999};
        double share = shares[philox_below(g, 5)];
        if (share == -1 && a.r == fabs(a.v)) { /* where the sign is known, 0 itself is excluded */
            share = -0x1.fffffffffffffp-1;
        }
        arb_set_d(out, a.r);
        arb_set_d(part, share * copysign(1, a.v));
        arb_mul(out, out, part, EXPRESSION_TEST_BITS);
        arb_set_d(part, a.v);
        arb_add(out, out, part, EXPRESSION_TEST_BITS);
    }
    arb_clear(part);
}

/* Expects the result's ball to contain what Arb knows of the result. */
static bool holds(struct one a, const arb_t truth)
{
    arb_t least;
    arb_init(least);
    bool good = true;
    if (is_half_line(a)) {
        arb_set_d(least, isinf(a.v) ? 0x1p1022 : fabs(a.v));
        arb_abs(least, least);
        if (a.v < 0) {
            arb_neg(least, least);
        }
        good = a.v < 0 ? !arb_gt(truth, least) : !arb_lt(truth, least);
    } else if (!isnan(a.v) && a.r < INFINITY) {
        arf_t from;
        arf_init(from);
        arb_set_d(least, a.v);
        arb_sub(least, truth, least, EXPRESSION_TEST_BITS);
        arb_get_abs_lbound_arf(from, least, 200);
        good = arf_cmp_d(from, a.r) <= 0;
        arf_clear(from);
    }
    arb_clear(least);
    return good;
}

static void by_arb_operation(enum node_kind kind, arb_t out, const arb_t x, const arb_t y)
{
    if (kind == NODE_ADD) {
        arb_add(out, x, y, EXPRESSION_TEST_BITS);
    } else if (kind == NODE_SUBTRACT) {
        arb_sub(out, x, y, EXPRESSION_TEST_BITS);
    } else if (kind == NODE_MULTIPLY) {
        arb_mul(out, x, y, EXPRESSION_TEST_BITS);
    } else {
        arb_div(out, x, y, EXPRESSION_TEST_BITS);
    }
}

Test(expression_range_ends, operations_hold_what_half_lines_give)
{
    static const enum node_kind kinds[] = {NODE_ADD, NODE_SUBTRACT, NODE_MULTIPLY, NODE_DIVIDE};
    struct philox g;
    philox_start(&g, 31);
    for (int k = 0; k < 4; k++) {
        int lines = 0, vanished = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double v[3][EACH], r[3][EACH];
            struct balls ball[] = {{v[0], r[0]}, {v[1], r[1]}, {v[2], r[2]}};
            for (int i = 0; i < 2 * EACH; i++) {
                struct one a = any_ball(&g);
                v[i % 2][i / 2] = a.v;
                r[i % 2][i / 2] = a.r;
            }
            balls_evaluate(kinds[k], ball[2], (struct balls[3]){ball[0], ball[1], ball[1]}, EACH);
            arb_t x, y, truth;
            arb_init(x);
            arb_init(y);
            arb_init(truth);
            for (int i = 0; i < EACH; i++) {
                struct one a = {v[0][i], r[0][i]}, b = {v[1][i], r[1][i]}, out = {v[2][i], r[2][i]};
                bool half = is_half_line(a) || is_half_line(b);
                lines += half && is_half_line(out);
                vanished += half && out.r == fabs(out.v) && out.v != 0;
                member(&g, a, x);
                member(&g, b, y);
                by_arb_operation(kinds[k], truth, x, y);
                cr_assert(!arb_is_finite(truth) || holds(out, truth), "%d: %a ± %a, %a ± %a: not %a ± %a",
                          (int)kinds[k], a.v, a.r, b.v, b.r, out.v, out.r);
            }
            arb_clear(x);
            arb_clear(y);
            arb_clear(truth);
        }
        cr_expect_gt(lines, ROUNDS * EACH / 20, "kind %d: only %d half-lines", (int)kinds[k], lines);
        cr_expect(kinds[k] != NODE_DIVIDE || vanished > ROUNDS, "only %d vanish", vanished);
    }
}

Test(expression_range_ends, infinite_operands_are_no_half_lines)
{
    double v[] = {INFINITY, 0x1p800, 0, INFINITY}, r[] = {0, INFINITY, 0, INFINITY}, value, radius;
    struct balls at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = (struct balls){&v[i], &r[i]};
    }
    static const enum node_kind kinds[] = {NODE_ADD, NODE_MULTIPLY, NODE_DIVIDE};
    for (int k = 0; k < 3; k++) {
        balls_evaluate(kinds[k], (struct balls){&value, &radius}, (struct balls[3]){at[0], at[1], at[1]}, 1);
        cr_expect(isnan(value) && radius == INFINITY, "kind %d: %a ± %a", (int)kinds[k], value, radius);
    }
    balls_evaluate(NODE_SUBTRACT, (struct balls){&value, &radius}, (struct balls[3]){at[3], at[1], at[1]}, 1);
    cr_expect(isnan(value) && radius == INFINITY,
              "two half-lines of one sign may lie anywhere from each other");
    balls_evaluate(NODE_ADD, (struct balls){&value, &radius}, (struct balls[3]){at[2], at[1], at[1]}, 1);
    cr_expect(value >= BALLS_FAR && radius == INFINITY, "0 leads nowhere: %a ± %a", value, radius);
}

/* f(0) = 0 and f is increasing: for (0, 2h] the result has that sign and contains f of the ends. */
Test(expression_range_ends, functions_keep_the_sign_of_what_vanishes)
{
    static const enum node_kind kinds[] = {NODE_EXPM1, NODE_LOG1P, NODE_TANH, NODE_ERF, NODE_ATAN};
    static const double sizes[] = {0x1p-1022, 0x1p-1000, 0x1p-600, 0x1p-30, 0x1p-11};
    for (int k = 0; k < 5; k++) {
        for (int s = 0; s < 10; s++) {
            double v = s % 2 ? -sizes[s / 2] : sizes[s / 2], r = fabs(v), value, radius;
            double end = 2 * v, high = kinds[k] == NODE_EXPM1   ? expm1(end)
                                       : kinds[k] == NODE_LOG1P ? log1p(end)
                                       : kinds[k] == NODE_TANH  ? tanh(end)
                                       : kinds[k] == NODE_ERF   ? erf(end)
                                                                : atan(end);
            balls_function(kinds[k], (struct balls){&value, &radius}, (struct balls){&v, &r}, 1);
            cr_expect(signbit(value) == signbit(v) && radius <= fabs(value) &&
                          fabs(value) + radius >= fabs(high) * (1 - 0x1p-50),
                      "%d of (0, %a]: %a ± %a", (int)kinds[k], end, value, radius);
        }
    }
}

/* A ball that may have both signs keeps them. */
Test(expression_range_ends, functions_of_what_has_no_sign)
{
    static const enum node_kind kinds[] = {NODE_LOG1P, NODE_TANH, NODE_ERF, NODE_ATAN};
    for (int k = 0; k < 4; k++) {
        double v = 0x1p-12, r = 0x1p-11, value, radius;
        balls_function(kinds[k], (struct balls){&value, &radius}, (struct balls){&v, &r}, 1);
        cr_expect(value - radius < -0x1p-13 && value + radius > 0x1.7p-11, "%d: %a ± %a", (int)kinds[k],
                  value, radius);
    }
}

/* float32, one number of each binade and sign: none needs MPFR. */
Test(expression_range_ends, every_binade_is_reported)
{
    static const char *const names[] = {"exp",        "sinh",     "cosh", "expm1", "tanh", "sigmoid",
                                        "silu",       "gelu",     "mish", "elu",   "erf",  "erfc",
                                        "logsigmoid", "softplus", "selu", "celu"};
    enum { BINADES = 2 * 254 };
    double x[BINADES];
    for (int b = 0; b < BINADES; b++) {
        x[b] = (b % 2 ? -1.37 : 1.37) * ldexp(1, b / 2 - 126);
    }
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct tensor input = tensor_from(DTYPE_FLOAT32, (struct shape){.rank = 1, .dim = {BINADES}}, x);
        struct truth *known = any_truth_of_call(names[n], NULL, 1, &input, true),
                     *certified = truth_of_call(names[n], NULL, 1, &input);
        const struct truth_output *out = &known->output[0], *by_mpfr = &certified->output[0];
        for (int b = 0; b < BINADES; b++) {
            const struct value *value = &out->value[b], *truth = &by_mpfr->value[b];
            double radius = out->radius[b], size = fabs(value_approximately(truth));
            cr_assert(radius > 0 || value->exact, "%s of %a is unknown", names[n], x[b]);
            bool far = radius == INFINITY && value->exponent == VALUE_FAR;
            bool beyond = size > 0x1p700 && signbit(value->hi) == signbit(truth->hi);
            bool within = fabs(value_approximately(value) - value_approximately(truth)) <=
                          radius * (1 + 0x1p-40) + size * 0x1p-52;
            cr_assert(far ? beyond : within, "%s of %a: %a ± %a, not %a", names[n], x[b],
                      value_approximately(value), radius, value_approximately(truth));
        }
        truth_destroy(&known);
        truth_destroy(&certified);
        tensor_destroy(&input);
    }
}
