/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Sensitivities are close upper bounds: random problems in float64, whose sensitivities double arithmetic
 * rounds, against sums and products of 2,000 bits. For each kind rounding to nearest must have been too low
 * at least once, else the data cannot show a missing rounding up. */

#include "reference/ops/normalization/normalization.h"
#include "reference/ops/product_sum/product_sum_bound.h"
#include "reference/test/call.h"

enum { BITS = 2000, TRIES = 60, N = 7 };

static uint64_t state = 11;

static double number(void)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    double x = 0.5 + (double)(state >> 12) * 0x1p-52;
    return state >> 11 & 1 ? -x : x;
}

static void fill(double *x, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] = number();
    }
}

/* A sum of magnitudes of products. */
struct exact {
    mpfr_t sum, term;
};

static struct exact exact_open(void)
{
    struct exact e;
    mpfr_inits2(BITS, e.sum, e.term, (mpfr_ptr)0);
    mpfr_set_zero(e.sum, 1);
    return e;
}

static void exact_add(struct exact *e, int factors, const double *factor)
{
    mpfr_set_ui(e->term, 1, MPFR_RNDN);
    for (int k = 0; k < factors; k++) {
        mpfr_mul_d(e->term, e->term, factor[k], MPFR_RNDN);
    }
    mpfr_abs(e->term, e->term, MPFR_RNDN);
    mpfr_add(e->sum, e->sum, e->term, MPFR_RNDN);
}
#define ADD(e_, ...)                                                                                         \
    exact_add(e_, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__})

static double exact_close(struct exact *e)
{
    double nearest = mpfr_get_d(e->sum, MPFR_RNDN);
    mpfr_clears(e->sum, e->term, (mpfr_ptr)0);
    return nearest;
}

/* Expects that `sensitivity` is at least the sum and not far above it; counts in *raised where the nearest
 * double is below the sum. Closes e. */
static void expect_above(struct exact *e, double sensitivity, int *raised, const char *what)
{
    cr_assert(mpfr_cmp_d(e->sum, sensitivity) <= 0, "%s: %a is below %a", what, sensitivity,
              mpfr_get_d(e->sum, MPFR_RNDU));
    *raised += mpfr_cmp_d(e->sum, mpfr_get_d(e->sum, MPFR_RNDN)) > 0;
    double nearest = exact_close(e);
    cr_assert(sensitivity <= nearest * (1 + 0x1p-40), "%s: %a is far above %a", what, sensitivity, nearest);
}

static const double *sensitivity_of(struct call *c, int output, int64_t element)
{
    if (!c->truth) {
        c->truth = truth_of_call(c->op, &c->attributes, c->inputs, c->input);
    }
    const struct truth_output *out = &c->truth->output[output];
    return &out->sensitivity[element * out->sensitivities];
}

Test(sensitivities, of_gradients_that_are_scaled)
{
    int raised[3] = {0};
    for (int t = 0; t < TRIES; t++) {
        double param = number(), grad = number(), lr = fabs(number());
        struct call c = call_of("amp_step");
        real_attribute(&c, "lr", lr);
        VECTOR(&c, DTYPE_FLOAT64, param);
        VECTOR(&c, DTYPE_FLOAT64, grad);
        VECTOR(&c, DTYPE_FLOAT32, 0);
        struct exact e = exact_open();
        ADD(&e, lr, grad);
        expect_above(&e, sensitivity_of(&c, 0, 0)[0], &raised[0], "amp_step: |lr·grad|");
        end(&c);
        c = call_of("grad_scaler"); /* two rounds at scales 0.5: grad·2, then ·4 */
        integers_attribute(&c, "calls", integers_of(4, (int64_t)1, (int64_t)2, (int64_t)1, (int64_t)2));
        real_attribute(&c, "lr", lr);
        VECTOR(&c, DTYPE_FLOAT64, param);
        VECTOR(&c, DTYPE_FLOAT64, grad);
        VECTOR(&c, DTYPE_FLOAT32, 0.5);
        VECTOR(&c, DTYPE_INT32, 0);
        e = exact_open();
        ADD(&e, lr, 2 * grad);
        ADD(&e, lr, 4 * grad);
        expect_above(&e, sensitivity_of(&c, 0, 0)[0], &raised[1], "grad_scaler: products");
        e = exact_open();
        mpfr_set_d(e.sum, lr, MPFR_RNDN);
        mpfr_mul_d(e.sum, e.sum, 2 * grad, MPFR_RNDN);
        mpfr_d_sub(e.sum, param, e.sum, MPFR_RNDN);
        mpfr_abs(e.sum, e.sum, MPFR_RNDN);
        expect_above(&e, sensitivity_of(&c, 0, 0)[1], &raised[2], "grad_scaler: stored results");
        end(&c);
    }
    for (int k = 0; k < 3; k++) {
        cr_expect_gt(raised[k], TRIES / 5, "%d", k);
    }
}

Test(sensitivities, of_sums_of_products)
{
    int raised[2] = {0};
    for (int t = 0; t < TRIES; t++) {
        double a[N], b[N], alpha = number(), start = number();
        fill(a, N);
        fill(b, N);
        struct call c = call_of("matmul");
        give(&c, DTYPE_FLOAT64, shape_of(2, (int64_t)1, (int64_t)N), a);
        give(&c, DTYPE_FLOAT64, shape_of(2, (int64_t)N, (int64_t)1), b);
        struct exact e = exact_open();
        for (int i = 0; i < N; i++) {
            ADD(&e, a[i], b[i]);
        }
        expect_above(&e, sensitivity_of(&c, 0, 0)[MAGNITUDE], &raised[0], "matmul: |A||B|");
        end(&c);
        c = call_of("sampled_addmm");
        integers_attribute(&c, "size", integers_of(2, (int64_t)1, (int64_t)1));
        real_attribute(&c, "alpha", alpha);
        VECTOR(&c, DTYPE_INT64, 0, 1);
        VECTOR(&c, DTYPE_INT64, 0);
        VECTOR(&c, DTYPE_FLOAT64, start);
        give(&c, DTYPE_FLOAT64, shape_of(2, (int64_t)1, (int64_t)N), a);
        give(&c, DTYPE_FLOAT64, shape_of(2, (int64_t)N, (int64_t)1), b);
        e = exact_open();
        for (int i = 0; i < N; i++) {
            ADD(&e, alpha, a[i], b[i]);
        }
        ADD(&e, start);
        expect_above(&e, sensitivity_of(&c, 0, 0)[1], &raised[1], "sampled_addmm: |alpha||A||B| + |c|");
        end(&c);
    }
    for (int k = 0; k < 2; k++) {
        cr_expect_gt(raised[k], TRIES / 5, "%d", k);
    }
}

/* The mean and sqrt(V), to 2,000 bits. */
static void deviations(const double x[N], mpfr_t centre, mpfr_t deviation)
{
    mpfr_t term;
    mpfr_init2(term, BITS);
    mpfr_set_zero(centre, 1);
    mpfr_set_zero(deviation, 1);
    for (int i = 0; i < N; i++) {
        mpfr_add_d(centre, centre, x[i], MPFR_RNDN);
    }
    mpfr_div_ui(centre, centre, N, MPFR_RNDN);
    for (int i = 0; i < N; i++) {
        mpfr_d_sub(term, x[i], centre, MPFR_RNDN);
        mpfr_sqr(term, term, MPFR_RNDN);
        mpfr_add(deviation, deviation, term, MPFR_RNDN);
    }
    mpfr_div_ui(deviation, deviation, N, MPFR_RNDN);
    mpfr_sqrt(deviation, deviation, MPFR_RNDN);
    mpfr_clear(term);
}

/* |x − m|/deviation, times `factor`. */
static struct exact normal(double x, mpfr_srcptr centre, mpfr_srcptr deviation, double factor)
{
    struct exact e = exact_open();
    mpfr_d_sub(e.sum, x, centre, MPFR_RNDN);
    mpfr_div(e.sum, e.sum, deviation, MPFR_RNDN);
    mpfr_mul_d(e.sum, e.sum, factor, MPFR_RNDN);
    mpfr_abs(e.sum, e.sum, MPFR_RNDN);
    return e;
}

/* mean|a·b|; b NULL: of ones. */
static struct exact mean(const double a[N], const double *b)
{
    struct exact e = exact_open();
    for (int i = 0; i < N; i++) {
        ADD(&e, a[i], b ? b[i] : 1);
    }
    mpfr_div_ui(e.sum, e.sum, N, MPFR_RNDN);
    return e;
}

enum { KINDS = 8 };

static void check_normalization(const double x[N], const double dy[N], int raised[KINDS])
{
    double ones[N];
    for (int i = 0; i < N; i++) {
        ones[i] = 1;
    }
    struct call c = call_of("layer_norm_backward");
    integers_attribute(&c, "normalized_shape", integers_of(1, (int64_t)N));
    real_attribute(&c, "eps", 0);
    give(&c, DTYPE_FLOAT64, shape_of(2, (int64_t)1, (int64_t)N), dy);
    give(&c, DTYPE_FLOAT64, shape_of(2, (int64_t)1, (int64_t)N), x);
    give(&c, DTYPE_FLOAT64, shape_of(1, (int64_t)N), ones);
    const double *dx = sensitivity_of(&c, 0, 2), *dweight = sensitivity_of(&c, 1, 2);
    mpfr_t centre, deviation;
    mpfr_inits2(BITS, centre, deviation, (mpfr_ptr)0);
    deviations(x, centre, deviation);
    struct exact e = exact_open();
    mpfr_abs(e.sum, centre, MPFR_RNDN);
    expect_above(&e, dx[GROUP_MEAN], &raised[0], "|mean|");
    e = exact_open();
    mpfr_set(e.sum, deviation, MPFR_RNDN);
    expect_above(&e, dx[GROUP_DEVIATION], &raised[1], "deviation");
    e = mean(x, NULL);
    expect_above(&e, dx[GROUP_MEAN_ABS], &raised[2], "mean|x|");
    e = mean(x, dy);
    expect_above(&e, dx[GROUP_W_X], &raised[3], "mean|w·x|");
    e = mean(dy, NULL);
    expect_above(&e, dx[GROUP_W], &raised[4], "mean|w|");
    e = normal(x[2], centre, deviation, 1);
    expect_above(&e, dx[ELEMENT_NORMAL], &raised[5], "|X|");
    e = normal(x[2], centre, deviation, dy[2]);
    expect_above(&e, dweight[CHANNEL_NORMAL], &raised[6], "sum e·|X|");
    e = exact_open();
    mpfr_d_div(e.sum, fabs(dy[2]), deviation, MPFR_RNDN);
    expect_above(&e, dweight[CHANNEL_R], &raised[7], "sum e·r");
    mpfr_clears(centre, deviation, (mpfr_ptr)0);
    end(&c);
}

Test(sensitivities, of_normalizations)
{
    int raised[KINDS] = {0};
    for (int t = 0; t < TRIES; t++) {
        double x[N], dy[N];
        fill(x, N);
        fill(dy, N);
        check_normalization(x, dy, raised);
    }
    for (int k = 0; k < KINDS; k++) {
        cr_expect_gt(raised[k], TRIES / 5, "%d", k);
    }
}
