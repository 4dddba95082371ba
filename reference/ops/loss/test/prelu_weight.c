/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* prelu's gradient by the weight against sums of products in Arb and the difference quotient of the forward.
 * float32 programs of any tree are accepted, wrong ones are not; results at the kink and at special values;
 * shapes and refusals. */

#include "reference/test/arb.h"
#include "reference/test/call.h"

enum { CHANNELS = 3, MOST = 4 * CHANNELS * 6, PRECISION = 600, STEP = 100 };

struct problem {
    bool each;        /* a weight for each channel */
    int batch, inner; /* inner 0: the channels are the last dimension */
    enum dtype dtype;
    double grad[MOST], x[MOST], weight[CHANNELS];
};

static struct problem problem_of(struct philox *g, int i)
{
    struct problem m = {.each = i % 2 == 0,
                        .batch = 1 + (int)philox_below(g, 4),
                        .inner = (int)philox_below(g, 7),
                        .dtype = i % 3 == 0   ? DTYPE_FLOAT16
                                 : i % 3 == 1 ? DTYPE_FLOAT32
                                              : DTYPE_FLOAT64};
    for (int k = 0; k < MOST; k++) {
        m.grad[k] = (double)(float)ldexp(philox_signed(g), (int)philox_below(g, 8));
        m.x[k] = philox_below(g, 9) ? (double)(float)ldexp(philox_signed(g), (int)philox_below(g, 8)) : 0;
    }
    for (int c = 0; c < CHANNELS; c++) {
        m.weight[c] = 0.25 * (1 + c);
    }
    return m;
}

static int inner_of(const struct problem *m)
{
    return m->inner > 0 ? m->inner : 1;
}

/* Creates the operands, and rounds the numbers of the problem to the dtype. */
static void operands_of(struct problem *m, struct tensor input[3])
{
    struct shape shape = shape_of(3, (int64_t)m->batch, (int64_t)CHANNELS, (int64_t)m->inner);
    shape.rank = m->inner > 0 ? 3 : 2;
    input[0] = tensor_from(m->dtype, shape, m->grad);
    input[1] = tensor_from(m->dtype, shape, m->x);
    input[2] = tensor_from(m->dtype, shape_of(1, (int64_t)(m->each ? CHANNELS : 1)), m->weight);
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        m->grad[i] = tensor_component(&input[0], i);
        m->x[i] = tensor_component(&input[1], i);
    }
}

static bool belongs(const struct problem *m, int i, int sum)
{
    return !m->each || i / inner_of(m) % CHANNELS == sum;
}

/* Σ grad·prelu(x) of one sum's elements, its weight moved by `step`·2^-STEP. */
static void forward(arb_t y, const struct problem *m, int sum, int step)
{
    arb_t term, weight;
    arb_init(term);
    arb_init(weight);
    arb_zero(y);
    for (int i = 0; i < m->batch * CHANNELS * inner_of(m); i++) {
        arb_set_d(weight, m->weight[m->each ? sum : 0]);
        arb_set_si(term, step);
        arb_mul_2exp_si(term, term, -STEP);
        arb_add(weight, weight, term, PRECISION);
        arb_set_d(term, m->x[i]);
        if (m->x[i] <= 0) {
            arb_mul(term, term, weight, PRECISION);
        }
        arb_set_d(weight, belongs(m, i, sum) ? m->grad[i] : 0);
        arb_addmul(y, term, weight, PRECISION);
    }
    arb_clear(term);
    arb_clear(weight);
}

static void products(arb_t y, const struct problem *m, int sum)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_zero(y);
    for (int i = 0; i < m->batch * CHANNELS * inner_of(m); i++) {
        arb_set_d(a, m->grad[i]);
        arb_set_d(b, m->x[i]);
        if (belongs(m, i, sum) && m->x[i] <= 0) {
            arb_addmul(y, a, b, PRECISION);
        }
    }
    arb_clear(a);
    arb_clear(b);
}

Test(prelu_weight, sums_are_arbs_and_the_difference_quotients_of_the_forward)
{
    struct philox g;
    arb_t y, above, below;
    philox_start(&g, 71);
    arb_init(y);
    arb_init(above);
    arb_init(below);
    for (int trial = 0; trial < 300; trial++) {
        struct problem m = problem_of(&g, trial);
        struct tensor input[3];
        operands_of(&m, input);
        struct truth *truth = any_truth_of_call("prelu_backward_weight", NULL, 3, input, trial % 4 > 1);
        const struct truth_output *out = &truth->output[0];
        cr_assert_eq(out->elements, m.each ? CHANNELS : 1);
        for (int sum = 0; sum < out->elements; sum++) {
            products(y, &m, sum);
            expect_near(&out->value[sum], out->radius ? out->radius[sum] : 0, y, PRECISION, "sum", trial,
                        sum);
            forward(above, &m, sum, 1);
            forward(below, &m, sum, -1);
            arb_sub(above, above, below, PRECISION);
            arb_mul_2exp_si(above, above, STEP - 1);
            cr_expect(arb_overlaps(above, y), "%d: sum %d is not the slope", trial, sum);
        }
        truth_destroy(&truth);
        for (int k = 0; k < 3; k++) {
            tensor_destroy(&input[k]);
        }
    }
    arb_clear(y);
    arb_clear(above);
    arb_clear(below);
}

/* --- programs in float32 */

enum { TERMS = 200 };

static struct call call_on(const float *grad, const float *x, int n)
{
    struct call call = call_of("prelu_backward_weight");
    double a[TERMS], b[TERMS];
    for (int k = 0; k < n; k++) {
        a[k] = (double)grad[k];
        b[k] = (double)x[k];
    }
    give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)n), a);
    give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)n), b);
    VECTOR(&call, DTYPE_FLOAT32, 0.25);
    return call;
}

/* Products rounded, or fused into a running sum. */
static float fused(const float *grad, const float *x, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum = x[k] > 0 ? sum : fmaf(grad[k], x[k], sum);
    }
    return sum;
}

Test(prelu_weight, no_tree_is_reported_falsely_and_what_is_wrong_is)
{
    struct philox g;
    int forgotten = 0, halved = 0, trials = 300;
    philox_start(&g, 72);
    for (int trial = 0; trial < trials; trial++) {
        float grad[TERMS], x[TERMS], term[TERMS], other[TERMS], half = 0;
        const int n = 2 + (int)philox_below(&g, TERMS - 1);
        for (int k = 0; k < n; k++) { /* negative products: no sum is near 0 */
            grad[k] = (float)(0.5 + philox_unit(&g));
            x[k] = (float)((philox_below(&g, 2) && k > 0 ? 1 : -1) * (0.5 + philox_unit(&g)));
            term[k] = x[k] > 0 ? 0 : grad[k] * x[k];
            other[k] = x[k] > 0 ? grad[k] * x[k] : 0;
            unsigned char bytes[2];
            dtype_store(DTYPE_FLOAT16, bytes, (double)(half + term[k]));
            half = (float)dtype_load(DTYPE_FLOAT16, bytes);
        }
        struct call call = call_on(grad, x, n);
        const double right = (double)by_any_tree(term, n, false, &g);
        cr_expect(takes(&call, 0, 0, right), "a tree of %d", n);
        cr_expect(takes(&call, 0, 0, (double)fused(grad, x, n)), "fused, %d", n);
        cr_expect_not(takes(&call, 0, 0, (double)by_any_tree(other, n, false, &g)), "the other side, %d", n);
        cr_expect_not(takes(&call, 0, 0, 0.25 * right), "times the weight, %d", n);
        forgotten += !takes(&call, 0, 0, right - (double)term[0]);
        halved += !takes(&call, 0, 0, (double)half);
        end(&call);
    }
    cr_expect_eq(forgotten, trials, "a term is missed in %d", trials - forgotten);
    cr_expect_gt(halved, trials * 9 / 10, "float16 is taken for float32 in %d", trials - halved);
}

/* --- which elements count */

static struct call pair(double grad, double x)
{
    struct call call = call_of("prelu_backward_weight");
    VECTOR(&call, DTYPE_FLOAT32, grad, 1);
    VECTOR(&call, DTYPE_FLOAT32, x, -3);
    VECTOR(&call, DTYPE_FLOAT32, 0.25);
    return call;
}

static void gives(double grad, double x, double right, double wrong)
{
    struct call call = pair(grad, x);
    cr_expect(takes(&call, 0, 0, right), "%g at %g: %g is right", grad, x, right);
    cr_expect_not(takes(&call, 0, 0, wrong), "%g at %g: %g is wrong", grad, x, wrong);
    end(&call);
}

Test(prelu_weight, positive_inputs_do_not_count_whatever_the_gradient_is)
{
    gives(2, 5, -3, 7);
    gives(NAN, 5, -3, NAN);
    gives(INFINITY, 5, -3, INFINITY);
    gives(1, INFINITY, -3, NAN);
    gives(0, INFINITY, -3, NAN);
    gives(2, -5, -13, -3);
    gives(INFINITY, -5, -INFINITY, -3);
    gives(1, NAN, NAN, -3);
    gives(1, -INFINITY, -INFINITY, -3);
    gives(0, -INFINITY, NAN, -3);
    gives(INFINITY, 0, NAN, -3);
    gives(NAN, -0.0, NAN, -3);
    gives(4, 0, -3, 1);
}

Test(prelu_weight, zeros_have_either_sign_and_nothing_adds_up_to_one)
{
    for (int n = 0; n < 3; n++) { /* no element, one that does not count, and one at 0 */
        struct call call = call_of("prelu_backward_weight");
        const double grad = 2, x = n == 1 ? 3 : 0;
        give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)(n > 0)), &grad);
        give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)(n > 0)), &x);
        VECTOR(&call, DTYPE_FLOAT32, 0.25);
        cr_expect(takes(&call, 0, 0, 0) && takes(&call, 0, 0, -0.0), "%d", n);
        cr_expect_not(takes(&call, 0, 0, 1e-40) || takes(&call, 0, 0, NAN), "%d", n);
        end(&call);
    }
}

static struct view view_with(struct shape shape)
{
    return view_contiguous(0, DTYPE_FLOAT32, &shape);
}

Test(prelu_weight, shapes_are_the_weights_and_those_of_the_inputs_gradient)
{
    const struct view none = view_with((struct shape){.rank = 0}), one = view_with(shape_of(1, (int64_t)1)),
                      two = view_with(shape_of(1, (int64_t)2)), three = view_with(shape_of(1, (int64_t)3)),
                      row = view_with(shape_of(2, (int64_t)1, (int64_t)3)),
                      square = view_with(shape_of(2, (int64_t)2, (int64_t)3)),
                      cube = view_with(shape_of(3, (int64_t)2, (int64_t)3, (int64_t)4));
    const struct view *const weight[] = {&none, &one, &three};
    const struct op *op = op_find("prelu_backward_weight");
    const struct attributes attributes = {.count = 0};
    for (int w = 0; w < 3; w++) {
        struct view input[] = {cube, cube, *weight[w]};
        struct op_operands operands = {.attributes = &attributes, .inputs = 3, .input = input};
        struct op_signature signature;
        struct error error = {.text = ""};
        cr_assert(op->signature(op, &operands, &signature, &error), "%s", error.text);
        cr_expect(shape_equal(&signature.output[0].shape, &weight[w]->shape), "weight %d", w);
    }
#define REFUSED(g, x, w) refuses("prelu_backward_weight", NULL, 3, (struct view[]){g, x, w}, NULL)
    cr_expect(REFUSED(square, square, two) && REFUSED(square, square, row) && REFUSED(three, three, three));
    cr_expect(REFUSED(row, square, three) && REFUSED(three, square, three), "grad_output of another shape");
}
