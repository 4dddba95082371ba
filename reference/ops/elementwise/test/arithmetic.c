/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of several numbers against Arb, against rational arithmetic, at special values, and for
 * integers. */
#include "reference/test/arb.h"

#include <gmp.h>

enum { PRECISION = 2400, COUNT = 3000 };
static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

/* --- against Arb */

typedef void function(arb_t y, const arb_t *x);

#define BINARY(name, f)                                                                                      \
    static void name(arb_t y, const arb_t *x)                                                                \
    {                                                                                                        \
        f(y, x[0], x[1], PRECISION);                                                                         \
    }
BINARY(add, arb_add)
BINARY(sub, arb_sub)
BINARY(mul, arb_mul)
BINARY(div_, arb_div)
BINARY(pow_, arb_pow)
BINARY(hypot_, arb_hypot)
BINARY(atan2_, arb_atan2)

static const double ALPHA = 0.1;

/* ALPHA times the second number. */
static void scale(arb_t y, const arb_t *x)
{
    arb_set_d(y, ALPHA);
    arb_mul(y, y, x[1], PRECISION);
}

static void scaled_sum(arb_t y, const arb_t *x)
{
    scale(y, x);
    arb_add(y, x[0], y, PRECISION);
}

static void scaled_difference(arb_t y, const arb_t *x)
{
    scale(y, x);
    arb_sub(y, x[0], y, PRECISION);
}

static void logaddexp(arb_t y, const arb_t *x)
{
    arb_t e;
    arb_init(e);
    arb_exp(e, x[0], PRECISION);
    arb_exp(y, x[1], PRECISION);
    arb_add(y, y, e, PRECISION);
    arb_log(y, y, PRECISION);
    arb_clear(e);
}

static void lerp(arb_t y, const arb_t *x)
{
    arb_sub(y, x[1], x[0], PRECISION);
    arb_mul(y, y, x[2], PRECISION);
    arb_add(y, y, x[0], PRECISION);
}

static void addcmul(arb_t y, const arb_t *x)
{
    arb_mul(y, x[1], x[2], PRECISION);
    arb_add(y, y, x[0], PRECISION);
}

static void addcdiv(arb_t y, const arb_t *x)
{
    arb_div(y, x[1], x[2], PRECISION);
    arb_add(y, y, x[0], PRECISION);
}

static void ldexp_(arb_t y, const arb_t x[3])
{
    arb_set_ui(y, 2);
    arb_pow(y, y, x[1], PRECISION);
    arb_mul(y, y, x[0], PRECISION);
}

static void fma_(arb_t y, const arb_t x[3])
{
    arb_set(y, x[2]);
    arb_addmul(y, x[0], x[1], PRECISION);
}

/* exponents: from −this to this */
static const struct {
    const char *name;
    function *arb;
    int operands, exponents;
    bool positive, alpha;
} rows[] = {
    {"add", scaled_sum, 2, 12, false, true},  {"sub", scaled_difference, 2, 12, false, true},
    {"add", add, 2, 12, false, false},        {"sub", sub, 2, 12, false, false},
    {"mul", mul, 2, 12, false, false},        {"div", div_, 2, 12, false, false},
    {"pow", pow_, 2, 3, true, false},         {"hypot", hypot_, 2, 12, false, false},
    {"atan2", atan2_, 2, 12, false, false},   {"logaddexp", logaddexp, 2, 7, false, false},
    {"ldexp", ldexp_, 2, 6, false, false},    {"fma", fma_, 3, 8, false, false},
    {"lerp", lerp, 3, 8, false, false},       {"addcmul", addcmul, 3, 6, false, false},
    {"addcdiv", addcdiv, 3, 6, false, false},
};

/* Random numbers of the dtype. */
static struct tensor numbers(enum dtype dtype, uint64_t seed, int exponents, bool positive)
{
    double x[COUNT];
    struct philox g;
    philox_start(&g, seed);
    for (int i = 0; i < COUNT; i++) {
        int e = (int)philox_below(&g, 2 * (uint32_t)exponents) - exponents;
        x[i] = ldexp(1 + philox_unit(&g), e) * (positive || philox_below(&g, 2) ? 1 : -1);
    }
    return tensor_from(dtype, shape_of(1, (int64_t)COUNT), x);
}

static void hold_against_arb(int row, enum dtype dtype, bool enclosed)
{
    struct tensor input[3];
    arb_t y, x[3];
    for (int k = 0; k < 3; k++) {
        input[k] = numbers(dtype, 7 + 10 * (uint64_t)row + (uint64_t)k, rows[row].exponents,
                           rows[row].positive && k == 0);
        arb_init(x[k]);
    }
    arb_init(y);
    struct attributes alpha = {.count = rows[row].alpha,
                               .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = ALPHA}}};
    struct truth *truth = any_truth_of_call(rows[row].name, &alpha, rows[row].operands, input, enclosed);
    const struct truth_output *out = &truth->output[0];
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 3; k++) {
            arb_set_d(x[k], tensor_component(&input[k], i));
        }
        rows[row].arb(y, (const arb_t *)x);
        if (!arb_is_zero(y)) {
            expect_near(&out->value[i], out->radius ? out->radius[i] : 0, y, PRECISION, rows[row].name,
                        tensor_component(&input[0], i), tensor_component(&input[1], i));
        }
    }
    arb_clear(y);
    for (int k = 0; k < 3; k++) {
        arb_clear(x[k]);
        tensor_destroy(&input[k]);
    }
    truth_destroy(&truth);
}

Test(arithmetic, agrees_with_arb)
{
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
            hold_against_arb((int)row, dtypes[d], true);
        }
        hold_against_arb((int)row, DTYPE_FLOAT32, false);
    }
}

/* --- against rational arithmetic: remainders and floors of quotients */

/* Computes floor(x/y) and x − floor(x/y)·y; or x/y truncated, and its remainder. */
static void divide(mpq_t x, mpq_t y, bool floors, mpz_t quotient, mpq_t rest)
{
    mpq_t q;
    mpq_init(q);
    mpq_div(q, x, y);
    if (floors) {
        mpz_fdiv_q(quotient, mpq_numref(q), mpq_denref(q));
    } else {
        mpz_tdiv_q(quotient, mpq_numref(q), mpq_denref(q));
    }
    mpq_set_z(q, quotient);
    mpq_mul(q, q, y);
    mpq_sub(rest, x, q);
    mpq_clear(q);
}

/* True if the value is this rational exactly, or to 2^-104 of it. */
static bool is_rational(const struct value *value, mpq_t q)
{
    mpq_t v, limit;
    mpfr_t f;
    mpfr_init2(f, 2400);
    value_to_mpfr(value, f);
    mpq_init(v);
    mpq_init(limit);
    mpfr_get_q(v, f);
    mpq_sub(v, v, q);
    mpq_abs(v, v);
    mpq_abs(limit, q);
    mpq_div_2exp(limit, limit, 104);
    bool near = mpq_sgn(v) == 0 || (!value->exact && mpq_cmp(v, limit) <= 0);
    mpq_clear(v);
    mpq_clear(limit);
    mpfr_clear(f);
    return near && value->class == VALUE_FINITE;
}

static void hold_against_rationals(enum dtype dtype, int exponents)
{
    static const struct {
        const char *name;
        bool floors, rest;
        int64_t mode; /* of rounding */
    } of[] = {{"fmod", false, true, 0},
              {"remainder", true, true, 0},
              {"floor_divide", true, false, 0},
              {"div", false, false, 1},
              {"div", true, false, 2}};
    struct tensor input[] = {numbers(dtype, 5, exponents, false), numbers(dtype, 6, exponents, false)};
    mpq_t x, y, rest;
    mpz_t quotient;
    mpq_inits(x, y, rest, NULL);
    mpz_init(quotient);
    for (size_t f = 0; f < sizeof of / sizeof *of; f++) {
        struct attributes mode = {
            .count = of[f].mode > 0,
            .item = {{.name = "rounding_mode", .type = ATTRIBUTE_CHOICE, .integer = of[f].mode}}};
        struct truth *truth = truth_of_call(of[f].name, &mode, 2, input);
        for (int i = 0; i < COUNT; i++) {
            mpq_set_d(x, tensor_component(&input[0], i));
            mpq_set_d(y, tensor_component(&input[1], i));
            divide(x, y, of[f].floors, quotient, rest);
            if (!of[f].rest) {
                mpq_set_z(rest, quotient);
            }
            cr_expect(is_rational(&truth->output[0].value[i], rest), "%s(%a, %a) is not %g", of[f].name,
                      tensor_component(&input[0], i), tensor_component(&input[1], i),
                      truth->output[0].value[i].hi);
        }
        truth_destroy(&truth);
    }
    mpz_clear(quotient);
    mpq_clears(x, y, rest, NULL);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

Test(arithmetic, rests_and_floors_are_those_of_rational_numbers)
{
    hold_against_rationals(DTYPE_FLOAT16, 10);
    hold_against_rationals(DTYPE_BFLOAT16, 30);
    hold_against_rationals(DTYPE_FLOAT32, 8);
    hold_against_rationals(DTYPE_FLOAT32, 60);
    hold_against_rationals(DTYPE_FLOAT64, 8);
    hold_against_rationals(DTYPE_FLOAT64, 500);
}

/* --- special values, as C's Annex F and PyTorch have them */

static double at(const char *name, double x, double y)
{
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)1), &x),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)1), &y)};
    struct truth *truth = truth_of_call(name, NULL, 2, input);
    double result = value_approximately(&truth->output[0].value[0]);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    return result;
}

Test(arithmetic, special_values)
{
    const double inf = INFINITY, nan = NAN;
    const struct {
        const char *name;
        double x, y, result;
    } row[] = {
        {"add", 0.0, -0.0, 0.0},
        {"add", -0.0, -0.0, -0.0},
        {"add", inf, -inf, nan},
        {"sub", 0.0, 0.0, 0.0},
        {"sub", -0.0, 0.0, -0.0},
        {"sub", inf, inf, nan},
        {"mul", -0.0, 3, -0.0},
        {"mul", 0, inf, nan},
        {"mul", -inf, 2, -inf},
        {"div", 1, 0.0, inf},
        {"div", 1, -0.0, -inf},
        {"div", 0, 0, nan},
        {"div", inf, inf, nan},
        {"div", -1, inf, -0.0},
        {"pow", -0.0, -3, -inf},
        {"pow", -0.0, -2, inf},
        {"pow", -0.0, 3, -0.0},
        {"pow", 0, -inf, inf},
        {"pow", nan, 0, 1},
        {"pow", 1, nan, 1},
        {"pow", -1, inf, 1},
        {"pow", -1, -inf, 1},
        {"pow", 0.5, -inf, inf},
        {"pow", 2, -inf, 0},
        {"pow", -inf, -3, -0.0},
        {"pow", -inf, 3, -inf},
        {"pow", -inf, 2, inf},
        {"pow", -8, 1.0 / 3, nan},
        {"pow", -2, 3, -8},
        {"ldexp", 0, inf, nan},
        {"ldexp", -0.0, 3e38, -0.0},
        {"ldexp", -inf, -3e38, -inf},
        {"ldexp", inf, -inf, nan},
        {"ldexp", 0, nan, nan},
        {"ldexp", nan, 0, nan},
        {"ldexp", 2, -inf, 0},
        {"ldexp", -2, inf, -inf},
        {"ldexp", 0x1p-149, 276, 0x1p127},
        {"ldexp", 0x1p127, -276, 0x1p-149},
        {"hypot", inf, nan, inf},
        {"hypot", nan, -inf, inf},
        {"hypot", nan, 1, nan},
        {"hypot", -0.0, 0, 0.0},
        {"atan2", 0.0, 1, 0.0},
        {"atan2", -0.0, 1, -0.0},
        {"atan2", 0.0, 0.0, 0.0},
        {"atan2", -0.0, 0.0, -0.0},
        {"atan2", 0.0, -0.0, M_PI},
        {"atan2", -0.0, -0.0, -M_PI},
        {"atan2", -0.0, -3, -M_PI},
        {"atan2", 0x1p-149, -0x1p-149, 3 * M_PI_4},
        {"atan2", 3, -0.0, M_PI_2},
        {"atan2", -3, 0.0, -M_PI_2},
        {"atan2", inf, inf, M_PI_4},
        {"atan2", -inf, -inf, -3 * M_PI_4},
        {"atan2", inf, -5, M_PI_2},
        {"atan2", 5, inf, 0.0},
        {"atan2", -5, -inf, -M_PI},
        {"atan2", nan, 1, nan},
        {"atan2", 1, -nan, nan},
        {"atan2", inf, nan, nan},
        {"logaddexp", inf, inf, inf},
        {"logaddexp", -inf, -inf, -inf},
        {"logaddexp", inf, -inf, inf},
        {"logaddexp", -inf, 1, 1},
        {"fmod", 5, inf, 5},
        {"fmod", inf, 2, nan},
        {"fmod", 5, 0, nan},
        {"fmod", -0.0, 5, -0.0},
        {"fmod", -4, 2, -0.0},
        {"remainder", 5, -3, -1},
        {"remainder", -5, 3, 1},
        {"remainder", inf, 3, nan},
        {"floor_divide", -1, 2, -1},
        {"floor_divide", 7, -2, -4},
        {"floor_divide", 1, 0, inf},
        {"maximum", nan, 1, nan},
        {"maximum", 1, nan, nan},
        {"minimum", nan, -inf, nan},
        {"fmax", nan, 1, 1},
        {"fmax", 1, nan, 1},
        {"fmin", nan, nan, nan},
        {"fmin", -inf, nan, -inf},
        {"copysign", 1, -0.0, -1},
        {"copysign", -3, 0, 3},
        {"copysign", inf, -nan, -inf},
        {"nextafter", 0, 1, 0x1p-149},
        {"nextafter", 0, -1, -0x1p-149},
        {"nextafter", 1, 2, 1 + 0x1p-23},
        {"nextafter", 0x1p-149, -1, 0.0},
        {"nextafter", inf, 0, 0x1.fffffep127},
        {"eq", nan, nan, 0},
        {"ne", nan, nan, 1},
        {"eq", 0, -0.0, 1},
        {"lt", -0.0, 0, 0},
        {"le", -0.0, 0, 1},
        {"lt", nan, 1, 0},
        {"ge", 1, nan, 0},
        {"gt", inf, 0x1.fffffep127, 1},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        double got = at(row[k].name, row[k].x, row[k].y), result = row[k].result;
        bool zeros = got == 0 && strstr("remainder floor_divide", row[k].name); /* of either sign */
        bool same = isnan(result) ? isnan(got) : got == result && (zeros || signbit(got) == signbit(result));
        cr_expect(same, "%s(%g, %g) is %g and not %g", row[k].name, row[k].x, row[k].y, got, result);
    }
}
