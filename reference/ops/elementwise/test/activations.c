/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Activations with attributes and gradients of activations against Arb; gradients against the difference
 * quotient of the activation over 2^-600 at 2,000 bits, which needs no derivative. */
#include "reference/test/arb.h"

enum { PRECISION = 2400, STEP = 600 };

static void add_real(arb_t y, const arb_t x, double real)
{
    arb_t c;
    arb_init(c);
    arb_set_d(c, real);
    arb_add(y, x, c, PRECISION);
    arb_clear(c);
}

static void times_real(arb_t y, const arb_t x, double real)
{
    arb_t c;
    arb_init(c);
    arb_set_d(c, real);
    arb_mul(y, x, c, PRECISION);
    arb_clear(c);
}

static void decimal(arb_t y, const char *digits)
{
    arb_set_str(y, digits, PRECISION);
}

typedef void activation(arb_t y, const arb_t x, const double *p);

static void sigmoid(arb_t y, const arb_t x, const double *p)
{
    (void)p;
    arb_neg(y, x);
    arb_exp(y, y, PRECISION);
    arb_add_ui(y, y, 1, PRECISION);
    arb_inv(y, y, PRECISION);
}

static void relu(arb_t y, const arb_t x, const double *p)
{
    (void)p;
    if (arb_is_positive(x)) {
        arb_set(y, x);
    } else {
        arb_zero(y);
    }
}

static void silu(arb_t y, const arb_t x, const double *p)
{
    arb_t s;
    arb_init(s);
    sigmoid(s, x, p);
    arb_mul(y, s, x, PRECISION);
    arb_clear(s);
}

/* log(1 + exp(t))/beta */
static void softplus_of(arb_t y, const arb_t x, double beta)
{
    times_real(y, x, beta);
    arb_exp(y, y, PRECISION);
    arb_log1p(y, y, PRECISION);
    times_real(y, y, 1 / beta);
}

static void logsigmoid(arb_t y, const arb_t x, const double *p)
{
    (void)p;
    softplus_of(y, x, -1);
}

static void mish(arb_t y, const arb_t x, const double *p)
{
    (void)p;
    arb_t t;
    arb_init(t);
    softplus_of(t, x, 1);
    arb_tanh(t, t, PRECISION);
    arb_mul(y, t, x, PRECISION);
    arb_clear(t);
}

static void elu(arb_t y, const arb_t x, const double *p)
{
    if (arb_is_positive(x)) {
        arb_set(y, x);
        return;
    }
    arb_expm1(y, x, PRECISION);
    times_real(y, y, p[0]);
}

static void celu(arb_t y, const arb_t x, const double *p)
{
    arb_t alpha;
    arb_init(alpha);
    arb_set_d(alpha, p[0]);
    arb_set(y, x);
    if (!arb_is_positive(x)) {
        arb_div(y, x, alpha, PRECISION);
        arb_expm1(y, y, PRECISION);
        arb_mul(y, y, alpha, PRECISION);
    }
    arb_clear(alpha);
}

static void selu(arb_t y, const arb_t x, const double *p)
{
    (void)p;
    arb_t factor;
    arb_init(factor);
    arb_set(y, x);
    if (!arb_is_positive(x)) {
        arb_expm1(y, x, PRECISION);
        decimal(factor, "1.6732632423543772848170429916717");
        arb_mul(y, y, factor, PRECISION);
    }
    decimal(factor, "1.0507009873554804934193349852946");
    arb_mul(y, y, factor, PRECISION);
    arb_clear(factor);
}

static void softsign(arb_t y, const arb_t x, const double *p)
{
    (void)p;
    arb_t size;
    arb_init(size);
    arb_abs(size, x);
    arb_add_ui(size, size, 1, PRECISION);
    arb_div(y, x, size, PRECISION);
    arb_clear(size);
}

static void hardsigmoid(arb_t y, const arb_t x, const double *p)
{
    (void)p;
    arb_t end;
    arb_init(end);
    arb_add_si(y, x, 3, PRECISION);
    arb_max(y, y, end, PRECISION);
    arb_set_si(end, 6);
    arb_min(y, y, end, PRECISION);
    arb_div_si(y, y, 6, PRECISION);
    arb_clear(end);
}

static void hardswish(arb_t y, const arb_t x, const double *p)
{
    arb_t s;
    arb_init(s);
    hardsigmoid(s, x, p);
    arb_mul(y, s, x, PRECISION);
    arb_clear(s);
}

static void gelu(arb_t y, const arb_t x, const double *p)
{
    (void)p;
    arb_t t;
    arb_init(t);
    arb_sqrt_ui(t, 2, PRECISION);
    arb_div(t, x, t, PRECISION);
    arb_neg(t, t);
    arb_hypgeom_erfc(t, t, PRECISION);
    arb_mul(y, t, x, PRECISION);
    times_real(y, y, 0.5);
    arb_clear(t);
}

/* x/(1 + exp(−2t)), t = √(2/π)·(x + 0.044715·x³) */
static void gelu_tanh(arb_t y, const arb_t x, const double *p)
{
    (void)p;
    arb_t t, c;
    arb_init(t);
    arb_init(c);
    arb_pow_ui(t, x, 3, PRECISION);
    decimal(c, "0.044715");
    arb_mul(t, t, c, PRECISION);
    arb_add(t, t, x, PRECISION);
    arb_const_pi(c, PRECISION);
    arb_inv(c, c, PRECISION);
    times_real(c, c, 2);
    arb_sqrt(c, c, PRECISION);
    arb_mul(t, t, c, PRECISION);
    times_real(t, t, 2);
    sigmoid(c, t, NULL);
    arb_mul(y, c, x, PRECISION);
    arb_clear(t);
    arb_clear(c);
}

static void leaky_relu(arb_t y, const arb_t x, const double *p)
{
    times_real(y, x, arb_is_positive(x) ? 1 : p[0]);
}

static void softplus(arb_t y, const arb_t x, const double *p)
{
    arb_t t, threshold;
    arb_init(t);
    arb_init(threshold);
    times_real(t, x, p[0]);
    arb_set_d(threshold, p[1]);
    if (arb_gt(t, threshold)) {
        arb_set(y, x);
    } else {
        softplus_of(y, x, p[0]);
    }
    arb_clear(t);
    arb_clear(threshold);
}

static void hardtanh(arb_t y, const arb_t x, const double *p)
{
    arb_t end;
    arb_init(end);
    arb_set_d(end, p[0]);
    arb_max(y, x, end, PRECISION);
    arb_set_d(end, p[1]);
    arb_min(y, y, end, PRECISION);
    arb_clear(end);
}

#define REAL(n, x)                                                                                           \
    {                                                                                                        \
        .name = n, .type = ATTRIBUTE_REAL, .real = x                                                         \
    }
#define TANH                                                                                                 \
    {                                                                                                        \
        .count = 1, .item = {                                                                                \
            {.name = "approximate", .type = ATTRIBUTE_CHOICE, .word = "tanh", .integer = 1}                  \
        }                                                                                                    \
    }

/* kink: numbers near which a difference quotient is no derivative */
static const struct {
    const char *name; /* of the activation; with _backward of its gradient */
    activation *arb;
    double p[2]; /* attributes in their order */
    struct attributes given;
    double kink[3];
    bool forward; /* has attributes: the others are tested in unary.c */
} rows[] = {
    {"relu", relu, {0}, {.count = 0}, {0}, false},
    {"silu", silu, {0}, {.count = 0}, {1e9}, false},
    {"logsigmoid", logsigmoid, {0}, {.count = 0}, {1e9}, false},
    {"mish", mish, {0}, {.count = 0}, {1e9}, false},
    {"selu", selu, {0}, {.count = 0}, {0}, false},
    {"softsign", softsign, {0}, {.count = 0}, {0}, false},
    {"hardsigmoid", hardsigmoid, {0}, {.count = 0}, {3, -3}, false},
    {"hardswish", hardswish, {0}, {.count = 0}, {3, -3}, false},
    {"gelu", gelu, {0}, {.count = 0}, {1e9}, true},
    {"gelu", gelu_tanh, {0}, TANH, {1e9}, true},
    {"elu", elu, {1}, {.count = 0}, {0}, true},
    {"elu", elu, {0.3}, {.count = 1, .item = {REAL("alpha", 0.3)}}, {0}, true},
    {"celu", celu, {1}, {.count = 0}, {0}, true},
    {"celu", celu, {2.7}, {.count = 1, .item = {REAL("alpha", 2.7)}}, {0}, true},
    {"leaky_relu", leaky_relu, {0.01}, {.count = 0}, {0}, true},
    {"leaky_relu", leaky_relu, {0.25}, {.count = 1, .item = {REAL("negative_slope", 0.25)}}, {0}, true},
    {"softplus", softplus, {1, 20}, {.count = 0}, {20}, true},
    {"softplus",
     softplus,
     {2, 5},
     {.count = 2, .item = {REAL("beta", 2), REAL("threshold", 5)}},
     {2.5},
     true},
    {"hardtanh", hardtanh, {-1, 1}, {.count = 0}, {-1, 1}, true},
    {"hardtanh",
     hardtanh,
     {0.1, 6},
     {.count = 2, .item = {REAL("min_val", 0.1), REAL("max_val", 6)}},
     {0.1, 6},
     true},
};
enum { ROWS = sizeof rows / sizeof *rows, COUNT = 400 };

static bool near_kink(int row, double x)
{
    bool near = false;
    for (int k = 0; k < 3; k++) {
        near = near || (rows[row].kink[k] != 1e9 && fabs(x - rows[row].kink[k]) < 0x1p-60);
    }
    return near;
}

/* grad·(f(x + h) − f(x − h))/2h */
static void quotient(arb_t y, int row, double grad, double x)
{
    arb_t up, down, h;
    arb_init(up);
    arb_init(down);
    arb_init(h);
    arb_set_d(h, 1);
    arb_mul_2exp_si(h, h, -STEP);
    add_real(up, h, x);
    arb_neg(down, h);
    add_real(down, down, x);
    rows[row].arb(up, up, rows[row].p);
    rows[row].arb(down, down, rows[row].p);
    difference_quotient(y, up, down, grad, STEP, PRECISION);
    arb_clear(up);
    arb_clear(down);
    arb_clear(h);
}

static void fill(enum dtype dtype, uint64_t seed, double *grad, double *x)
{
    struct philox g;
    philox_start(&g, seed);
    for (int i = 0; i < COUNT; i++) {
        unsigned char bytes[8];
        dtype_store(dtype, bytes, ldexp(philox_signed(&g), (int)philox_below(&g, 14) - 8));
        x[i] = dtype_load(dtype, bytes);
        dtype_store(dtype, bytes, ldexp(philox_signed(&g), (int)philox_below(&g, 9) - 4));
        grad[i] = dtype_load(dtype, bytes);
    }
}

static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

static void hold(int row, enum dtype dtype, bool gradient, bool enclosed)
{
    double grad[COUNT], x[COUNT];
    char name[40];
    fill(dtype, 31 + (uint64_t)row, grad, x);
    struct tensor input[] = {tensor_from(dtype, shape_of(1, (int64_t)COUNT), grad),
                             tensor_from(dtype, shape_of(1, (int64_t)COUNT), x)};
    snprintf(name, sizeof name, "%s%s", rows[row].name, gradient ? "_backward" : "");
    struct truth *truth =
        any_truth_of_call(name, &rows[row].given, gradient ? 2 : 1, &input[gradient ? 0 : 1], enclosed);
    const struct truth_output *out = &truth->output[0];
    arb_t y;
    arb_init(y);
    for (int i = 0; i < COUNT; i++) {
        if (near_kink(row, x[i]) || x[i] == 0 || grad[i] == 0) {
            continue;
        }
        if (gradient) {
            quotient(y, row, grad[i], x[i]);
        } else {
            arb_set_d(y, x[i]);
            rows[row].arb(y, y, rows[row].p);
        }
        expect_near(&out->value[i], out->radius ? out->radius[i] : 0, y, PRECISION, name, x[i], grad[i]);
    }
    arb_clear(y);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

Test(activations, agree_with_arb)
{
    for (int row = 0; row < ROWS; row++) {
        for (size_t d = 0; rows[row].forward && d < sizeof dtypes / sizeof *dtypes; d++) {
            hold(row, dtypes[d], false, true);
        }
        if (rows[row].forward) {
            hold(row, DTYPE_FLOAT32, false, false);
        }
    }
}

Test(activations, gradients_are_difference_quotients)
{
    for (int row = 0; row < ROWS; row++) {
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
            hold(row, dtypes[d], true, true);
        }
        hold(row, DTYPE_FLOAT32, true, false);
    }
}

/* gelu's slope at -40, below 2^-1,149, times 2^1000: Φ(x) + x·φ(x) by Mills' ratio. */
Test(activations, grad_output_brings_a_slope_back_into_range)
{
    const double grad[] = {0x1p1000}, x[] = {-40};
    const double expected =
        -exp(-800 - 0.91893853320467274178 + log(40 - (1 - 1.0 / 1600 + 3.0 / 2560000) / 40) + 1000 * M_LN2);
    struct tensor input[2] = {tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)1), grad),
                              tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)1), x)};
    struct truth *truth = truth_of_call("gelu_backward", NULL, 2, input);
    double known = value_approximately(&truth->output[0].value[0]);
    cr_expect_float_eq(known / expected, 1, 1e-9, "%g, not %g", known, expected);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}
