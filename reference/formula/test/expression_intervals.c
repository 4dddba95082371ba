/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operations on intervals of doubles against MPFR, whose exponent range is wider than that of doubles. */

#include "reference/formula/expression_intervals.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <math.h>
#include <mpfr.h>

/* A finite double of either sign, at the ends of the range as often as between them. */
static double strewn(struct philox *generator)
{
    static const int middle[] = {0, 1020, -1060, 500, -500, 1};
    int exponent = middle[philox_below(generator, 6)] + (int)philox_below(generator, 8) - 4;
    double x = ldexp(1 + philox_unit(generator), exponent > 1023 ? 1023 : exponent);
    return philox_below(generator, 2) ? -x : x;
}

static void exactly(enum node_kind kind, mpfr_t out, double a, double b)
{
    mpfr_t y;
    mpfr_init2(y, 53);
    mpfr_set_d(out, a, MPFR_RNDN);
    mpfr_set_d(y, b, MPFR_RNDN);
    switch (kind) {
    case NODE_ADD:
        mpfr_add(out, out, y, MPFR_RNDN);
        break;
    case NODE_SUBTRACT:
        mpfr_sub(out, out, y, MPFR_RNDN);
        break;
    case NODE_MULTIPLY:
        mpfr_mul(out, out, y, MPFR_RNDN);
        break;
    default:
        mpfr_div(out, out, y, MPFR_RNDN);
    }
    mpfr_clear(y);
}

/* For points the result lies between the ends; where doubles overflow, no end claims that it is infinite. */
Test(expression_intervals, hold_what_is_beyond_doubles)
{
    static const enum node_kind kinds[] = {NODE_ADD, NODE_SUBTRACT, NODE_MULTIPLY, NODE_DIVIDE};
    mpfr_t truth;
    mpfr_init2(truth, 4096); /* sums of numbers 2^-1064 and 2^1023 are exact */
    struct philox generator;
    philox_start(&generator, 7);
    int beyond = 0;
    for (uint32_t i = 0; i < 40000; i++) {
        double a = strewn(&generator), b = strewn(&generator), low, high;
        enum node_kind kind = kinds[i % 4];
        struct intervals out = {&low, &high}, x = {&a, &a}, y = {&b, &b};
        intervals_evaluate(kind, out, (struct intervals[3]){x, y}, false, 1);
        exactly(kind, truth, a, b);
        cr_assert(mpfr_cmp_d(truth, low) >= 0 && mpfr_cmp_d(truth, high) <= 0,
                  "kind %d of %a and %a: between %a and %a", (int)kind, a, b, low, high);
        beyond += mpfr_cmpabs_ui(truth, 1) > 0 && mpfr_get_exp(truth) > 1024;
    }
    cr_expect_gt(beyond, 1000);
    mpfr_clear(truth);
}

/* Results that infinite operands or a division by zero make infinite are infinite for sure. */
Test(expression_intervals, infinite_operands_are_certain)
{
    double inf = INFINITY, one = 1, low, high;
    struct intervals out = {&low, &high}, x = {&inf, &inf}, y = {&one, &one};
    intervals_evaluate(NODE_ADD, out, (struct intervals[3]){x, y}, false, 1);
    cr_expect(low == INFINITY && high == INFINITY);
    intervals_evaluate(NODE_SUBTRACT, out, (struct intervals[3]){y, x}, false, 1);
    cr_expect(low == -INFINITY && high == -INFINITY);
    intervals_evaluate(NODE_MULTIPLY, out, (struct intervals[3]){x, x}, true, 1);
    cr_expect(low == INFINITY && high == INFINITY);
}
