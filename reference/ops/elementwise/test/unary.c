/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of one number against Arb, over every float16 pattern and random numbers of the other dtypes;
 * special values one by one. */
#include "reference/test/arb.h"

typedef void function(arb_t y, const arb_t x, slong precision);

static void times_operand(function *f, arb_t y, const arb_t x, slong p)
{
    arb_t operand;
    arb_init(operand);
    arb_set(operand, x);
    f(y, x, p);
    arb_mul(y, y, operand, p);
    arb_clear(operand);
}

static void reciprocal(arb_t y, const arb_t x, slong p)
{
    arb_inv(y, x, p);
}

static void exp2_(arb_t y, const arb_t x, slong p)
{
    arb_t two;
    arb_init(two);
    arb_set_ui(two, 2);
    arb_pow(y, two, x, p);
    arb_clear(two);
}

static void log2_(arb_t y, const arb_t x, slong p)
{
    arb_log_base_ui(y, x, 2, p);
}

static void log10_(arb_t y, const arb_t x, slong p)
{
    arb_log_base_ui(y, x, 10, p);
}

/* 1/(1 + exp(−x)) */
static void sigmoid(arb_t y, const arb_t x, slong p)
{
    arb_neg(y, x);
    arb_exp(y, y, p);
    arb_add_ui(y, y, 1, p);
    arb_inv(y, y, p);
}

static void logsigmoid(arb_t y, const arb_t x, slong p)
{
    arb_neg(y, x);
    arb_exp(y, y, 2 * p);
    arb_log1p(y, y, p);
    arb_neg(y, y);
}

static void silu(arb_t y, const arb_t x, slong p)
{
    times_operand(sigmoid, y, x, p);
}

static void hardsigmoid(arb_t y, const arb_t x, slong p)
{
    arb_add_si(y, x, 3, p);
    arb_t end;
    arb_init(end);
    arb_max(y, y, end, p);
    arb_set_si(end, 6);
    arb_min(y, y, end, p);
    arb_div_si(y, y, 6, p);
    arb_clear(end);
}

static void hardswish(arb_t y, const arb_t x, slong p)
{
    times_operand(hardsigmoid, y, x, p);
}

static void selu(arb_t y, const arb_t x, slong p)
{
    static const char *const scale = "1.0507009873554804934193349852946",
                             *const alpha = "1.6732632423543772848170429916717";
    arb_t factor;
    arb_init(factor);
    arb_set(y, x);
    if (!arb_is_positive(x)) {
        arb_expm1(y, x, p);
        arb_set_str(factor, alpha, p);
        arb_mul(y, y, factor, p);
    }
    arb_set_str(factor, scale, p);
    arb_mul(y, y, factor, p);
    arb_clear(factor);
}

static void mish(arb_t y, const arb_t x, slong p)
{
    arb_t e;
    arb_init(e);
    arb_exp(e, x, 4 * p);
    arb_log1p(e, e, 4 * p);
    arb_tanh(e, e, 4 * p);
    arb_mul(y, x, e, p);
    arb_clear(e);
}

static void softsign(arb_t y, const arb_t x, slong p)
{
    arb_t size;
    arb_init(size);
    arb_abs(size, x);
    arb_add_ui(size, size, 1, p);
    arb_div(y, x, size, p);
    arb_clear(size);
}

static void logit(arb_t y, const arb_t x, slong p)
{
    arb_t rest;
    arb_init(rest);
    arb_sub_ui(rest, x, 1, p);
    arb_neg(rest, rest);
    arb_div(y, x, rest, p);
    arb_log(y, y, p);
    arb_clear(rest);
}

static const struct {
    const char *name;
    function *arb;
    bool positive;
} rows[] = {{"reciprocal", reciprocal, false},
            {"sqrt", arb_sqrt, true},
            {"rsqrt", arb_rsqrt, true},
            {"exp", arb_exp, false},
            {"exp2", exp2_, false},
            {"expm1", arb_expm1, false},
            {"log", arb_log, true},
            {"log2", log2_, true},
            {"log10", log10_, true},
            {"log1p", arb_log1p, true},
            {"sin", arb_sin, false},
            {"cos", arb_cos, false},
            {"tan", arb_tan, false},
            {"asin", arb_asin, false},
            {"acos", arb_acos, false},
            {"atan", arb_atan, false},
            {"sinh", arb_sinh, false},
            {"cosh", arb_cosh, false},
            {"asinh", arb_asinh, false},
            {"acosh", arb_acosh, true},
            {"atanh", arb_atanh, false},
            {"logit", logit, true},
            {"tanh", arb_tanh, false},
            {"erf", arb_hypgeom_erf, false},
            {"erfc", arb_hypgeom_erfc, false},
            {"erfinv", arb_hypgeom_erfinv, false},
            {"lgamma", arb_log_gamma, false},
            {"digamma", arb_digamma, false},
            {"sigmoid", sigmoid, false},
            {"silu", silu, false},
            {"softsign", softsign, false},
            {"sinc", arb_sinc_pi, false},
            {"mish", mish, false},
            {"selu", selu, false},
            {"hardswish", hardswish, false},
            {"hardsigmoid", hardsigmoid, false},
            {"logsigmoid", logsigmoid, false}};
enum { ROWS = sizeof rows / sizeof *rows, PRECISION = 400 };

static void hold_against_arb(int row, enum dtype dtype, const double *x, int64_t count, bool enclosed)
{
    struct tensor input = tensor_from(dtype, shape_of(1, count), x);
    struct truth *truth = any_truth_of_call(rows[row].name, NULL, 1, &input, enclosed);
    const struct truth_output *out = &truth->output[0];
    arb_t y;
    arb_init(y);
    for (int64_t i = 0; i < count; i++) {
        double at = tensor_component(&input, i);
        if (isfinite(at) && at != 0 && !(rows[row].positive && at < 0) && fabs(at) < 700 &&
            !(at == 1 && strncmp(rows[row].name, "log", 3) == 0) &&
            !((at == 1 || at == 2) && strcmp(rows[row].name, "lgamma") == 0)) {
            arb_set_d(y, at);
            rows[row].arb(y, y, PRECISION);
            if (!arb_is_finite(y)) {
                continue; /* special values: below */
            }
            expect_near(&out->value[i], out->radius ? out->radius[i] : 0, y, PRECISION, rows[row].name, at,
                        0);
        }
    }
    arb_clear(y);
    truth_destroy(&truth);
    tensor_destroy(&input);
}

Test(unary, agrees_with_arb_on_float16)
{
    double *x = malloc(65536 * sizeof *x);
    for (int i = 0; i < 65536; i++) {
        uint16_t bits = (uint16_t)i;
        x[i] = dtype_load(DTYPE_FLOAT16, &bits);
    }
    for (int row = 0; row < ROWS; row++) {
        hold_against_arb(row, DTYPE_FLOAT16, x, 65536, true);
    }
    free(x);
}

Test(unary, agrees_with_arb_on_random_numbers)
{
    enum { COUNT = 2000 };
    double x[COUNT];
    struct philox g;
    philox_start(&g, 12);
    for (int i = 0; i < COUNT; i++) {
        x[i] = ldexp(philox_signed(&g), (int)philox_below(&g, 60) - 50);
    }
    for (int row = 0; row < ROWS; row++) {
        hold_against_arb(row, DTYPE_FLOAT32, x, COUNT, true);
        hold_against_arb(row, DTYPE_FLOAT64, x, COUNT, true);
        hold_against_arb(row, DTYPE_FLOAT64, x, COUNT / 10, false);
    }
}

static struct value at(const char *name, double x, bool enclosed)
{
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)1), &x);
    struct truth *truth = any_truth_of_call(name, NULL, 1, &input, enclosed);
    struct value value = truth->output[0].value[0];
    truth_destroy(&truth);
    tensor_destroy(&input);
    return value;
}

Test(unary, special_values)
{
    static const struct {
        const char *name;
        double x, y;
    } row[] = {
        {"abs", -0.0, 0},
        {"neg", 0, -0.0},
        {"floor", -0.0, -0.0},
        {"floor", -0.5, -1},
        {"ceil", -0.5, -0.0},
        {"trunc", -0.5, -0.0},
        {"round", 2.5, 2},
        {"round", -0.5, -0.0},
        {"relu", -1, 0},
        {"relu", NAN, NAN},
        {"reciprocal", -0.0, -INFINITY},
        {"reciprocal", -INFINITY, -0.0},
        {"sqrt", -0.0, -0.0},
        {"sqrt", -1, NAN},
        {"rsqrt", -0.0, -INFINITY},
        {"rsqrt", 0, INFINITY},
        {"rsqrt", INFINITY, 0},
        {"rsqrt", -1, NAN},
        {"exp", -INFINITY, 0},
        {"exp", 0, 1},
        {"exp", NAN, NAN},
        {"expm1", -0.0, -0.0},
        {"expm1", -INFINITY, -1},
        {"log", 1, 0},
        {"log", 0, -INFINITY},
        {"log", -0.0, -INFINITY},
        {"log", -1, NAN},
        {"log2", 8, 3},
        {"log10", 1000, 3},
        {"log1p", -0.0, -0.0},
        {"log1p", -1, -INFINITY},
        {"log1p", -2, NAN},
        {"tanh", -0.0, -0.0},
        {"tanh", -INFINITY, -1},
        {"erf", -0.0, -0.0},
        {"erf", INFINITY, 1},
        {"erfc", INFINITY, 0},
        {"erfc", -INFINITY, 2},
        {"erfc", 0, 1},
        {"erfinv", -0.0, -0.0},
        {"erfinv", 1, INFINITY},
        {"erfinv", -1, -INFINITY},
        {"erfinv", 1 + 0x1p-23, NAN},
        {"erfinv", -INFINITY, NAN},
        {"erfinv", NAN, NAN},
        {"lgamma", 1, 0},
        {"lgamma", 2, 0},
        {"lgamma", 0, INFINITY},
        {"lgamma", -0.0, INFINITY},
        {"lgamma", -3, INFINITY},
        {"lgamma", -8388608, INFINITY},
        {"lgamma", -INFINITY, INFINITY},
        {"lgamma", INFINITY, INFINITY},
        {"lgamma", NAN, NAN},
        {"digamma", 0, -INFINITY},
        {"digamma", -0.0, INFINITY},
        {"digamma", -1, NAN},
        {"digamma", -8388608, NAN},
        {"digamma", INFINITY, INFINITY},
        {"digamma", -INFINITY, NAN},
        {"digamma", NAN, NAN},
        {"sigmoid", 0, 0.5},
        {"sigmoid", -INFINITY, 0},
        {"sigmoid", INFINITY, 1},
        {"silu", -INFINITY, NAN},
        {"silu", -0.0, -0.0},
        {"silu", INFINITY, INFINITY},
        {"sin", -0.0, -0.0},
        {"sin", INFINITY, NAN},
        {"cos", -INFINITY, NAN},
        {"cos", 0, 1},
        {"tan", -0.0, -0.0},
        {"asin", -0.0, -0.0},
        {"asin", -1, -M_PI_2},
        {"asin", 1 + 0x1p-23, NAN},
        {"acos", 1, 0.0},
        {"acos", -1, M_PI},
        {"acos", -INFINITY, NAN},
        {"atan", -0.0, -0.0},
        {"atan", -INFINITY, -M_PI_2},
        {"sinh", -0.0, -0.0},
        {"sinh", -INFINITY, -INFINITY},
        {"cosh", -INFINITY, INFINITY},
        {"cosh", -0.0, 1},
        {"asinh", -0.0, -0.0},
        {"asinh", -INFINITY, -INFINITY},
        {"acosh", 1, 0},
        {"acosh", 0.5, NAN},
        {"acosh", INFINITY, INFINITY},
        {"atanh", -0.0, -0.0},
        {"atanh", -1, -INFINITY},
        {"atanh", 1.5, NAN},
        {"logit", 0, -INFINITY},
        {"logit", 1, INFINITY},
        {"logit", 0.5, 0},
        {"logit", -0.5, NAN},
        {"softsign", -0.0, -0.0},
        {"sinc", 0, 1},
        {"sinc", -0.0, 1},
        {"sinc", -3, 0},
        {"sinc", 0x1p100, 0},
        {"sinc", -INFINITY, NAN},
        {"softsign", INFINITY, NAN},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct value value = at(row[k].name, row[k].x, false);
        double y = value_approximately(&value);
        bool same = isnan(row[k].y) ? isnan(y) : y == row[k].y && signbit(y) == signbit(row[k].y);
        bool known = value.exact || value.class != VALUE_FINITE || fabs(y) == M_PI_2 || y == M_PI;
        cr_expect(same && known, "%s(%g) is %g", row[k].name, row[k].x, y);
    }
}

/* No type has numbers there: only sign and size are known. */
Test(unary, beyond_every_type)
{
    for (int enclosed = 0; enclosed < 2; enclosed++) {
        struct value huge = at("exp", 1e30, enclosed), tiny = at("exp", -1e30, enclosed),
                     small = at("silu", -1e30, enclosed);
        cr_expect(huge.class == VALUE_FINITE && isinf(value_approximately(&huge)) && huge.hi > 0);
        cr_expect(tiny.class == VALUE_FINITE && tiny.hi > 0 && value_approximately(&tiny) < 0x1p-1000);
        cr_expect(small.class == VALUE_FINITE && small.hi < 0 && value_approximately(&small) > -0x1p-900);
    }
}

Test(unary, a_nan_keeps_its_payload_where_its_sign_bit_alone_is_changed)
{
    static const uint32_t nan[] = {0x7FC12345, 0xFF812345};
    double none[2] = {0, 0};
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), none);
    memcpy(input.data, nan, sizeof nan);
    struct truth *magnitude = truth_of_call("abs", NULL, 1, &input),
                 *other = truth_of_call("neg", NULL, 1, &input);
    for (int i = 0; i < 2; i++) {
        uint32_t a, b;
        value_store(&magnitude->output[0].value[i], DTYPE_FLOAT32, &a);
        value_store(&other->output[0].value[i], DTYPE_FLOAT32, &b);
        cr_expect(a == (nan[i] & 0x7FFFFFFF) && b == (nan[i] ^ 0x80000000), "%x, %x", a, b);
    }
    truth_destroy(&magnitude);
    truth_destroy(&other);
    tensor_destroy(&input);
}

Test(unary, integers_wrap)
{
    double x[] = {-2147483648.0, 5, -5};
    struct tensor input = tensor_from(DTYPE_INT32, shape_of(1, (int64_t)3), x);
    struct truth *magnitude = truth_of_call("abs", NULL, 1, &input),
                 *other = truth_of_call("neg", NULL, 1, &input);
    cr_expect(magnitude->output[0].value[0].hi == -2147483648.0 && magnitude->output[0].value[2].hi == 5);
    cr_expect(other->output[0].value[0].hi == -2147483648.0 && other->output[0].value[1].hi == -5);
    truth_destroy(&magnitude);
    truth_destroy(&other);
    tensor_destroy(&input);
}
