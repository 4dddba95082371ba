/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Activations whose numbers are views of their operands: places by hand, truths against Arb, the gradient of
 * glu against a difference quotient over 2^-600, refusals, and results that are accepted beside the truth. */
#include "reference/ops/elementwise/elementwise_views.h"
#include "reference/test/arb.h"
#include "reference/test/call.h"

enum { PRECISION = 2400, STEP = 600, OUTER = 3, HALF = 4, INNER = 5, WHOLE = OUTER * 2 * HALF * INNER };

static struct attributes along(int64_t dim)
{
    return (struct attributes){.count = 1,
                               .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = dim}}};
}

static double result(const struct truth *truth, int64_t i)
{
    return value_approximately(&truth->output[0].value[i]);
}

/* All operands but the weights are −1, so each result is the weight of its channel, negated. */
Test(activation_views, a_weight_belongs_to_an_index_of_dimension_1)
{
    const struct shape shapes[] = {shape_of(3, (int64_t)3, (int64_t)3, (int64_t)3),
                                   shape_of(2, (int64_t)4, (int64_t)3),
                                   shape_of(4, (int64_t)2, (int64_t)3, (int64_t)5, (int64_t)3)};
    double negative[90];
    for (int i = 0; i < 90; i++) {
        negative[i] = -1;
    }
    for (int s = 0; s < 3; s++) {
        struct tensor input[] = {tensor_from(DTYPE_FLOAT64, shapes[s], negative),
                                 tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)3), (double[]){5, 7, 11})};
        struct truth *truth = truth_of_call("prelu", NULL, 2, input);
        struct tensor with_grad[] = {input[0], input[0], input[1]};
        struct truth *slope = truth_of_call("prelu_backward", NULL, 3, with_grad);
        int64_t inner = s == 0 ? 3 : s == 1 ? 1 : 15;
        for (int64_t i = 0; i < truth->output[0].elements; i++) {
            double weight = (double[]){5, 7, 11}[i / inner % 3];
            cr_expect_eq(result(truth, i), -weight, "shape %d, element %d", s, (int)i);
            cr_expect_eq(result(slope, i), -weight, "shape %d, gradient %d", s, (int)i);
        }
        truth_destroy(&truth);
        truth_destroy(&slope);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
}

/* --- halves */

static void sigmoid(arb_t y, const arb_t x)
{
    arb_neg(y, x);
    arb_exp(y, y, PRECISION);
    arb_add_ui(y, y, 1, PRECISION);
    arb_inv(y, y, PRECISION);
}

static void forward(arb_t y, bool silu, const arb_t a, const arb_t b)
{
    arb_t s;
    arb_init(s);
    sigmoid(s, silu ? a : b);
    arb_mul(y, s, a, PRECISION);
    if (silu) {
        arb_mul(y, y, b, PRECISION);
    }
    arb_clear(s);
}

static void fill(double *x, int count, uint64_t seed)
{
    struct philox g;
    philox_start(&g, seed);
    for (int i = 0; i < count; i++) {
        x[i] = (double)(float)ldexp(philox_signed(&g), (int)philox_below(&g, 12) - 6);
    }
}

static void hold(const char *name, bool silu, int64_t dim, bool enclosed)
{
    double x[WHOLE];
    fill(x, WHOLE, 7 + (uint64_t)dim);
    struct tensor input =
        tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)OUTER, (int64_t)(2 * HALF), (int64_t)INNER), x);
    const struct attributes attributes = along(dim);
    struct truth *truth = any_truth_of_call(name, &attributes, 1, &input, enclosed);
    const struct truth_output *out = &truth->output[0];
    arb_t a, b, y;
    arb_init(a);
    arb_init(b);
    arb_init(y);
    cr_assert_eq(out->elements, WHOLE / 2);
    for (int o = 0, i = 0; o < OUTER; o++) {
        for (int h = 0; h < HALF; h++) {
            for (int k = 0; k < INNER; k++, i++) {
                double first = x[(o * 2 * HALF + h) * INNER + k],
                       second = x[(o * 2 * HALF + HALF + h) * INNER + k];
                arb_set_d(a, first);
                arb_set_d(b, second);
                forward(y, silu, a, b);
                expect_near(&out->value[i], out->radius ? out->radius[i] : 0, y, PRECISION, name, first,
                            second);
            }
        }
    }
    arb_clear(a);
    arb_clear(b);
    arb_clear(y);
    truth_destroy(&truth);
    tensor_destroy(&input);
}

Test(activation_views, halves_agree_with_arb)
{
    for (int enclosed = 0; enclosed < 2; enclosed++) {
        hold("glu", false, 1, enclosed);
        hold("glu", false, -2, enclosed);
        hold("swiglu", true, 1, enclosed);
    }
}

/* (f(x + h) − f(x − h))/2h for the half whose gradient is tested. */
static void quotient(arb_t y, double grad, double first, double second, bool of_second)
{
    arb_t a, b, up, down, h;
    arb_init(a);
    arb_init(b);
    arb_init(up);
    arb_init(down);
    arb_init(h);
    arb_set_d(h, 1);
    arb_mul_2exp_si(h, h, -STEP);
    for (int side = 0; side < 2; side++) {
        arb_set_d(a, first);
        arb_set_d(b, second);
        arb_add(of_second ? b : a, of_second ? b : a, h, PRECISION);
        forward(side ? down : up, false, a, b);
        arb_neg(h, h);
    }
    difference_quotient(y, up, down, grad, STEP, PRECISION);
    arb_clear(a);
    arb_clear(b);
    arb_clear(up);
    arb_clear(down);
    arb_clear(h);
}

Test(activation_views, gradients_of_halves_are_difference_quotients)
{
    double x[WHOLE], grad[WHOLE / 2];
    fill(x, WHOLE, 3);
    fill(grad, WHOLE / 2, 4);
    struct tensor input[] = {
        tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)OUTER, (int64_t)HALF, (int64_t)INNER), grad),
        tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)OUTER, (int64_t)(2 * HALF), (int64_t)INNER), x)};
    const struct attributes attributes = along(1);
    struct truth *truth = truth_of_call("glu_backward", &attributes, 2, input);
    const struct truth_output *out = &truth->output[0];
    arb_t y;
    arb_init(y);
    cr_assert_eq(out->elements, WHOLE);
    for (int i = 0; i < WHOLE; i++) {
        int o = i / (2 * HALF * INNER), half = i / (HALF * INNER) % 2, rest = i % (HALF * INNER);
        int place = o * 2 * HALF * INNER + rest, g = o * HALF * INNER + rest;
        quotient(y, grad[g], x[place], x[place + HALF * INNER], half == 1);
        expect_near(&out->value[i], 0, y, PRECISION, "glu_backward", x[place], grad[g]);
    }
    arb_clear(y);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

/* --- refusals */

static struct view view_of(enum dtype dtype, struct shape shape)
{
    return view_contiguous(0, dtype, &shape);
}

Test(activation_views, refuse_what_has_no_such_views)
{
    struct view none = view_of(DTYPE_FLOAT32, shape_of(0)),
                one = view_of(DTYPE_FLOAT32, shape_of(1, (int64_t)1)),
                two = view_of(DTYPE_FLOAT32, shape_of(1, (int64_t)2)),
                three = view_of(DTYPE_FLOAT32, shape_of(1, (int64_t)3)),
                wide = view_of(DTYPE_FLOAT64, shape_of(1, (int64_t)3)),
                square = view_of(DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)3)),
                row = view_of(DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)3)),
                empty = view_of(DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)0)),
                nothing = view_of(DTYPE_FLOAT32, shape_of(1, (int64_t)0));
    const struct attributes first = along(0), last = along(-1), beyond = along(2), before = along(-3);
#define PRELU(x, w) refuses("prelu", NULL, 2, (struct view[]){x, w}, NULL)
    cr_expect_not(PRELU(square, three) || PRELU(square, one) || PRELU(square, none) || PRELU(three, one) ||
                  PRELU(none, one) || PRELU(none, none) || PRELU(empty, nothing) || PRELU(empty, one));
    cr_expect(PRELU(square, two), "a weight for each index of dimension 0");
    cr_expect(PRELU(square, row), "a weight of two dimensions");
    cr_expect(PRELU(three, three), "a vector has one channel");
    cr_expect(PRELU(none, two) && PRELU(none, nothing), "a scalar has one channel");
    cr_expect(PRELU(square, wide), "two dtypes");
#define GLU(x, a) refuses("glu", a, 1, (struct view[]){x}, NULL)
    cr_expect_not(GLU(square, &first) || GLU(two, NULL) || GLU(empty, &last));
    cr_expect(GLU(square, &last) && GLU(square, NULL) && GLU(three, NULL), "an odd extent");
    cr_expect(GLU(square, &beyond) && GLU(square, &before) && GLU(none, NULL), "no such dimension");
#define BACK(g, x, a) refuses("glu_backward", a, 2, (struct view[]){g, x}, NULL)
    cr_expect_not(BACK(row, square, &first) || BACK(one, two, NULL));
    cr_expect(BACK(square, square, &first) && BACK(three, square, &first), "a gradient of another shape");
    cr_expect(refuses("prelu_backward", NULL, 3, (struct view[]){row, square, three}, NULL));
    cr_expect_not(refuses("prelu_backward", NULL, 3, (struct view[]){square, square, three}, NULL));
}

/* --- accepted results */

static struct call two(const char *op, double x, double y)
{
    struct call call = call_of(op);
    VECTOR(&call, DTYPE_FLOAT32, x, y);
    return call;
}

static void holds(struct call call, int64_t element, double right, double other, double wrong)
{
    cr_expect(takes(&call, 0, element, right) && takes(&call, 0, element, other), "%s: %g and %g are right",
              call.op, right, other);
    cr_expect_not(takes(&call, 0, element, wrong), "%s: %g is wrong", call.op, wrong);
    end(&call);
}

static struct call weighted(const char *op, double x, double weight)
{
    struct call call = call_of(op);
    if (strcmp(op, "prelu_backward") == 0) {
        VECTOR(&call, DTYPE_FLOAT32, 4);
    }
    VECTOR(&call, DTYPE_FLOAT32, x);
    VECTOR(&call, DTYPE_FLOAT32, weight);
    return call;
}

Test(activation_views, slopes_at_zero_are_either_sides)
{
    holds(weighted("prelu_backward", 0, 0.25), 0, 1, 4, 2);
    holds(weighted("prelu_backward", -1e-40, 0.25), 0, 1, 1, 4);
    holds(weighted("prelu_backward", 1e-40, 0.25), 0, 4, 4, 1);
    holds(weighted("prelu", 0, INFINITY), 0, NAN, 0, INFINITY);
    holds(weighted("prelu", 0, -1), 0, -0.0, 0, 1);
    holds(weighted("prelu", NAN, 1), 0, NAN, NAN, 0);
}

/* grad_output times the weight, or grad_output itself: both are right at 0, and at a subnormal number that
 * may count as 0. */
static struct call infinite_slope(double grad, double x, double weight, bool flushes)
{
    struct call call = call_of("prelu_backward");
    VECTOR(&call, DTYPE_FLOAT32, grad);
    VECTOR(&call, DTYPE_FLOAT32, x);
    VECTOR(&call, DTYPE_FLOAT32, weight);
    call.profile.subnormals[DTYPE_FLOAT32] = flushes ? SUBNORMALS_MAY_FLUSH : SUBNORMALS_KEPT;
    return call;
}

Test(activation_views, an_infinite_gradient_has_either_sides_slope_at_zero)
{
    holds(infinite_slope(INFINITY, 0, -0.5, false), 0, -INFINITY, INFINITY, 1);
    holds(infinite_slope(-INFINITY, -0.0, -0.5, false), 0, INFINITY, -INFINITY, -1);
    holds(infinite_slope(INFINITY, 0, 0, false), 0, NAN, INFINITY, -INFINITY);
    holds(infinite_slope(1, 0, INFINITY, false), 0, INFINITY, 1, 2);
    holds(infinite_slope(3, 0, -INFINITY, false), 0, -INFINITY, 3, INFINITY);
    holds(infinite_slope(INFINITY, 0, 0.5, false), 0, INFINITY, INFINITY, -INFINITY);
    holds(infinite_slope(INFINITY, -1e-40, -0.5, true), 0, -INFINITY, INFINITY, 1);
    holds(infinite_slope(INFINITY, 1e-40, -0.5, true), 0, -INFINITY, INFINITY, 1);
    holds(infinite_slope(INFINITY, -1e-40, -0.5, false), 0, -INFINITY, -INFINITY, INFINITY);
    holds(infinite_slope(INFINITY, 1e-40, -0.5, false), 0, INFINITY, INFINITY, -INFINITY);
    holds(infinite_slope(INFINITY, 1, -0.5, true), 0, INFINITY, INFINITY, -INFINITY);
    holds(infinite_slope(INFINITY, -1, -0.5, true), 0, -INFINITY, -INFINITY, INFINITY);
}

Test(activation_views, what_vanishes_beside_an_infinity_may_be_lost)
{
    holds(two("glu", INFINITY, -200), 0, INFINITY, NAN, -INFINITY);
    holds(two("glu", INFINITY, -2), 0, INFINITY, INFINITY, NAN);
    holds(two("glu", INFINITY, -INFINITY), 0, NAN, NAN, INFINITY);
    holds(two("glu", -INFINITY, INFINITY), 0, -INFINITY, -INFINITY, NAN);
    holds(two("glu", -0.0, -3e38), 0, -0.0, -0.0, 0);
    holds(two("glu", 0, NAN), 0, NAN, NAN, 0);
    holds(two("swiglu", -200, INFINITY), 0, -INFINITY, NAN, INFINITY);
    holds(two("swiglu", -2, INFINITY), 0, -INFINITY, -INFINITY, NAN);
    holds(two("swiglu", -3e38, 0), 0, -0.0, -0.0, 0);
    holds(two("swiglu", -INFINITY, 1), 0, NAN, NAN, 0);
}
