/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Arithmetic on two and three numbers (reference/ops/elementwise/elementwise.h).
 *
 * Definitions: PyTorch's torch.NAME of tensors of one dtype; integers wrap modulo 2^bits. fmod has the sign
 * of the dividend, remainder that of the divisor; both are exact, except for the one addition that moves
 * fmod's result across zero. floor_divide, and div with rounding_mode "floor", is the floor of the exact
 * quotient, (x − remainder)/y. Programs that take the floor of a rounded quotient, as PyTorch documents it,
 * are one off next to an integer; that is right too, and likewise for rounding_mode "trunc". A quotient by
 * zero is infinite or NaN; for integers it is undefined, and the reference returns 0. div of integers needs a
 * rounding_mode, because their quotient is no integer. pow, hypot: C's Annex F. ldexp is x·2^y for any number
 * y. fma is x·y + z, rounded once or twice, as is x ± alpha·y of add and sub, whose alpha is a whole number
 * for integers. logaddexp of equal infinities is that infinity. */

#include "reference/ops/elementwise/arithmetic.h"

#include <math.h>

enum { FLOATS = ELEMENTWISE_FLOATS, NUMBERS = FLOATS | ELEMENTWISE_INTEGERS };

/* Returns a + b exactly, as two doubles if necessary (Knuth's TwoSum). */
static struct value sum_of(double a, double b)
{
    double s = a + b, t = s - a, lost = (a - (s - t)) + (b - t);
    return isfinite(s) && lost != 0 ? value_from_dd(s, lost) : value_of(s);
}

static struct value remainder_of_fmod(enum dtype dtype, const double *x)
{
    (void)dtype;
    return value_of(fmod(x[0], x[1]));
}

static struct value remainder_of_floor(enum dtype dtype, const double *x)
{
    (void)dtype;
    double r = fmod(x[0], x[1]);
    return r != 0 && (r < 0) != (x[1] < 0) ? sum_of(r, x[1]) : value_of(r);
}

enum { QUOTIENT_BITS = 2200 }; /* bits of the largest quotient of two float64, and some more */

/* Returns floor(x/y) for finite x and y, y not 0. */
static struct value floor_of_quotient(double x, double y)
{
    double near = x / y;
    if (fabs(near) < 0x1p50) {
        double r = fmod(x, y);
        r = r != 0 && (r < 0) != (y < 0) ? r + y : r;
        double q = nearbyint((x - r) / y); /* off by less than 2^-1 */
        return value_of(q == 0 ? copysign(0, near) : q);
    }
    mpfr_t q;
    mpfr_init2(q, QUOTIENT_BITS);
    mpfr_set_d(q, x, MPFR_RNDN);
    mpfr_div_d(q, q, y, MPFR_RNDD);
    mpfr_floor(q, q);
    struct value value = value_from_mpfr(q, false);
    mpfr_clear(q);
    return value;
}

static struct value floor_quotient(enum dtype dtype, const double *x)
{
    (void)dtype;
    if (x[1] == 0) {
        return value_of(x[0] / x[1]);
    }
    if (isinf(x[1]) && isfinite(x[0])) {
        bool below = x[0] != 0 && (x[0] < 0) != (x[1] < 0);
        return value_of(below ? -1 : x[0] / x[1]);
    }
    return isfinite(x[0]) && isfinite(x[1]) ? floor_of_quotient(x[0], x[1]) : value_of(NAN);
}

static struct value quotient_cut_off(enum dtype dtype, const double *x)
{
    (void)dtype;
    if (x[1] == 0 || !isfinite(x[0]) || !isfinite(x[1])) {
        return value_of(x[0] / x[1]);
    }
    struct value q = floor_of_quotient(fabs(x[0]), fabs(x[1]));
    bool negative = signbit(x[0]) != signbit(x[1]);
    q.hi = negative ? -q.hi : q.hi;
    q.lo = negative ? -q.lo : q.lo;
    return q;
}

/* Returns half the distance between the least and the greatest whole number that legal quotients may be cut
 * to, and their midpoint; `exact` is the whole number of the exact quotient. A division that rounds to
 * nearest takes no quotient past a whole number towards zero, as long as u·|q| < 1/4 or there is no
 * remainder; else the two roundings of (x − remainder)/y may lead to the next whole number. `stored`: the
 * relative error of rounding the quotient first, where that is an operation of its own, as with PyTorch's
 * 16-bit types. */
static double slack_of_quotient(const struct profile *profile, enum dtype dtype, const double *x,
                                struct value exact, double (*whole)(double), double stored, double *middle)
{
    double q = x[0] / x[1], u = profile_accumulate_roundoff(profile, dtype);
    if (!isfinite(q)) {
        return 0;
    }
    double away = profile_divide_error(profile, profile->accumulate[dtype], q) + (2 * u + stored) * fabs(q);
    double here = value_approximately(&exact), low = fmin(here, whole(q - away)),
           high = fmax(here, whole(q + away));
    bool nearest =
        primitives_divide_rounded(profile->primitives) && (4 * u * fabs(q) < 1 || fmod(x[0], x[1]) == 0);
    low = nearest && (q > 0 || whole == floor) ? here : low;
    high = nearest && q < 0 && whole != floor ? here : high;
    *middle = low / 2 + high / 2;
    return high / 2 - low / 2;
}

static double slack_of_floor(const struct profile *profile, enum dtype dtype, const double *x, double *middle)
{
    return slack_of_quotient(profile, dtype, x, floor_quotient(dtype, x), floor, 0, middle);
}

static double slack_of_div_floor(const struct profile *profile, enum dtype dtype, const double *x,
                                 double *middle)
{
    return slack_of_quotient(profile, dtype, x, floor_quotient(dtype, x), floor,
                             profile_unit_roundoff(profile, dtype), middle);
}

static double slack_of_cut(const struct profile *profile, enum dtype dtype, const double *x, double *middle)
{
    return slack_of_quotient(profile, dtype, x, quotient_cut_off(dtype, x), trunc,
                             profile_unit_roundoff(profile, dtype), middle);
}

static bool rest_is_lost(enum dtype dtype, const double *x)
{
    double rest = isfinite(x[0]) && x[1] != 0 ? fmod(x[0], x[1]) : 0;
    return rest != 0 && fabs(rest) < dtype_least_normal(dtype);
}

/* The remainder counts as 0 when it is tested, so the divisor is not added to it; or when the divisor is
 * added. */
static int lossy_remainder(enum dtype dtype, const double *x, double *also)
{
    if (!rest_is_lost(dtype, x)) {
        return 0;
    }
    also[0] = fmod(x[0], x[1]);
    also[1] = x[1];
    return (also[0] < 0) != (x[1] < 0) ? 2 : 1;
}

/* The remainder counts as 0, so 1 is not subtracted from the quotient. */
static int lossy_floor(enum dtype dtype, const double *x, double *also)
{
    also[0] = rint(x[0] / x[1]);
    return rest_is_lost(dtype, x) ? 1 : 0;
}

static int64_t sum_of_integers(const int64_t *x)
{
    return (int64_t)((uint64_t)x[0] + (uint64_t)x[1]);
}

static int64_t difference_of_integers(const int64_t *x)
{
    return (int64_t)((uint64_t)x[0] - (uint64_t)x[1]);
}

/* x ± alpha·y */
static int64_t scaled_sum_of_integers(const int64_t *x)
{
    return (int64_t)((uint64_t)x[0] + (uint64_t)x[2] * (uint64_t)x[1]);
}

static int64_t scaled_difference_of_integers(const int64_t *x)
{
    return (int64_t)((uint64_t)x[0] - (uint64_t)x[2] * (uint64_t)x[1]);
}

/* x + value·y·z */
static int64_t sum_with_product_of_integers(const int64_t *x)
{
    return (int64_t)((uint64_t)x[0] + (uint64_t)x[3] * (uint64_t)x[1] * (uint64_t)x[2]);
}

static int64_t product_of_integers(const int64_t *x)
{
    return (int64_t)((uint64_t)x[0] * (uint64_t)x[1]);
}

/* C's %, whose quotient is truncated; 0 for a divisor of 0. */
static int64_t rest_of_integers(const int64_t *x)
{
    return x[1] == 0 || x[1] == -1 ? 0 : x[0] % x[1];
}

static int64_t remainder_of_integers(const int64_t *x)
{
    int64_t r = rest_of_integers(x);
    return r != 0 && (r < 0) != (x[1] < 0) ? r + x[1] : r;
}

static int64_t floor_quotient_of_integers(const int64_t *x)
{
    if (x[1] == -1) {
        return (int64_t)(0 - (uint64_t)x[0]);
    }
    return x[1] == 0 ? 0 : x[0] / x[1] - (x[0] % x[1] != 0 && (x[0] < 0) != (x[1] < 0));
}

static int64_t cut_quotient_of_integers(const int64_t *x)
{
    if (x[1] == -1) {
        return (int64_t)(0 - (uint64_t)x[0]);
    }
    return x[1] == 0 ? 0 : x[0] / x[1];
}

#define FORMULA(name, dtypes) ELEMENTWISE_OP(name, dtypes, ELEMENTWISE_TWO), ELEMENTWISE_BY_FORMULA
#define EXACT(name, dtypes)   ELEMENTWISE_OP(name, dtypes, ELEMENTWISE_TWO), ELEMENTWISE_EXACTLY
#define OF_THREE(name, a, b, c)                                                                              \
    ELEMENTWISE_OP(name, FLOATS, {{a, OPERAND_READ}, {b, OPERAND_READ}, {c, OPERAND_READ}}),                 \
        ELEMENTWISE_BY_FORMULA
#define VALUE .attributes = {{"value", ATTRIBUTE_REAL}}, .defaults = {{"value", DEFAULT_VALUE, 1}}
#define ALPHA .attributes = {{"alpha", ATTRIBUTE_NUMBER}}, .defaults = {{"alpha", DEFAULT_VALUE, 1}}
#define SPECIALS                                                                                             \
    .accept = elementwise_accept_formula, .bounded = true /* special values depend on the form               \
                                                           */
#define ROW ELEMENTWISE_ROW

/* atan of the lesser magnitude over the greater; the quadrant comes from the signs, which zeros have too. The
 * quotient of two infinities counts as 1. */
#define ATAN2                                                                                                \
    "a = abs(x); b = abs(y); m = max(a, b); "                                                                \
    "t = atan(m == 0 ? 0 : m == inf ? (a == b ? 1 : 0) : min(a, b) / m); h = a > b ? pi / 2 - t : t; "       \
    "k = signbit(y) != 0 ? pi - h : h; signbit(x) != 0 ? -k : k"

/* In two steps, because 2^y alone may leave the range; beyond 2^±5000 no type tells results apart. A zero
 * stays unchanged unless y is infinite. */
#define LDEXP                                                                                                \
    "t = min(max(y, -5000), 5000); h = t / 2; "                                                              \
    "abs(y) == inf ? x * exp2(y) : x == 0 ? x * (1 + 0 * y) : x * exp2(h) * exp2(t - h)"

/* lerp as PyTorch documents it (FIRST); from the other end, as PyTorch computes it for weights from 1/2 on
 * (LAST); and by two products, as FMix of GLSL.std.450 is defined (MIX). They cancel for weights outside [0,
 * 1], and from 4 on may lose all digits; but only they stay in range between numbers of opposite signs. For
 * an infinite operand any form is right, with what its parts may lose: a difference that is flushed beside an
 * infinite weight, a product beside an infinite end. */
#define FIRST(w) "x + " w " * (y - x)"
#define LAST(w)  "y - (y - x) * (1 - " w ")"
#define MIX(w)   "x * (1 - " w ") + y * " w
#define CLOSE(w) "abs(" w ") <= 4 ? " MIX(w) " : " FIRST(w)
#define LOST(w)                                                                                              \
    "abs(" w ") == inf ? 1 / abs(y - x) : abs(y) == inf ? abs(x * (1 - " w ")) : abs(x) == inf ? abs(y * " w \
    ") : 0"

static const struct elementwise cut = {.value = quotient_cut_off,
                                       .integer = cut_quotient_of_integers,
                                       .slack = slack_of_cut,
                                       .lossy = lossy_floor,
                                       .open_zero = true};
static const struct elementwise floored = {.value = floor_quotient,
                                           .integer = floor_quotient_of_integers,
                                           .slack = slack_of_div_floor,
                                           .lossy = lossy_floor,
                                           .open_zero = true};

const struct elementwise arithmetic_div = {
    .formula = "x / y", .quotient = true, .choice = "rounding_mode", .chosen = {[1] = &cut, [2] = &floored}};
static const struct elementwise scaled_sum = {
    .formula = "x + alpha * y", .partial = "abs(alpha * y)", .integer = scaled_sum_of_integers};
static const struct elementwise scaled_difference = {
    .formula = "x - alpha * y", .partial = "abs(alpha * y)", .integer = scaled_difference_of_integers};
const struct elementwise arithmetic_add = {
    .formula = "x + y", .integer = sum_of_integers, .factor = "alpha", .scaled = &scaled_sum};
const struct elementwise arithmetic_sub = {
    .formula = "x - y", .integer = difference_of_integers, .factor = "alpha", .scaled = &scaled_difference};
const struct elementwise arithmetic_mul = {.formula = "x * y", .integer = product_of_integers};

#define SAFE(w)                                                                                              \
    "abs(" w                                                                                                 \
    ") > 1 ? " FIRST(w) " : x < 0 ? (y > 0 ? " MIX(w) " : " FIRST(w) ") : y < 0 ? " MIX(w) " : " FIRST(w)
#define LERP(w)                                                                                              \
    .formula = SAFE(w), .form = {FIRST(w), LAST(w), CLOSE(w)}, .naive = LAST(w),                             \
    .also = {FIRST(w), LAST(w), MIX(w)}, .partial = LOST(w), .beyond = "abs(y - x)",                         \
    .rounds = "abs(" w " * (y - x))", .open_zero = true, .infinite_beyond = true
static const struct elementwise lerp_by_number = {LERP("weight")};
const struct elementwise arithmetic_lerp = {LERP("z"), .number = "weight", .by_number = &lerp_by_number};
/* x plus 0 times a number of which only the sign counts: the sign is known even where the product underflows
 * or overflows. */
#define NOTHING "x + value * (signbit(y) == signbit(z) ? 1 : -1)"
#define PRODUCT "x + value * (y * z)"
#define SHARE   "x + value * (y / z)"
/* Orders that stay in range: of three factors the median comes last; of a quotient, value scales y if one of
 * |value| and |y| is less than 1 and the other is not. */
#define SAFE_PRODUCT                                                                                         \
    "a = abs(y); b = abs(z); m = min(max(a, b), max(min(a, b), abs(value))); "                               \
    "m == a ? x + y * (value * z) : m == b ? x + z * (value * y) : " PRODUCT
#define SAFE_SHARE                                                                                           \
    "abs(value) < 1 ? (abs(y) < 1 ? " SHARE " : x + value * y / z) : abs(y) < 1 ? x + value * y / z "        \
    ": " SHARE
/* `partial` and `also` cover what orders of three factors make of an infinite one if the other two vanish or
 * leave the range. */
const struct elementwise arithmetic_addcmul = {
    .formula = SAFE_PRODUCT,
    .also = {"value == 0 ? (max(abs(y), abs(z)) < inf ? " NOTHING " : " PRODUCT ") : " PRODUCT},
    .form = {PRODUCT, "x + value * y * z"},
    .partial = "abs(y) == inf ? 1 / abs(value * z) : abs(z) == inf ? 1 / abs(value * y) : "
               "max(abs(y * z), max(abs(value * y), abs(value * y * z)))",
    .beyond = "max(abs(y * z), max(abs(value * y), abs(value * z)))",
    .rounds = "abs(value * y * z)",
    .infinite_beyond = true,
    .integer = sum_with_product_of_integers,
    .whole = "value"};
const struct elementwise arithmetic_addcdiv = {
    .formula = SAFE_SHARE,
    .also = {"value == 0 ? (abs(y) < inf ? (0 < abs(z) ? " NOTHING " : " SHARE ") : " SHARE ") : " SHARE},
    .form = {SHARE, "x + value * y / z"},
    .partial = "abs(y) == inf ? 0 : abs(z) == inf ? abs(value * y) : z == 0 ? 1 / abs(value * y) : "
               "max(abs(y / z), max(abs(value * y), abs(value * y / z)))",
    .beyond = "max(abs(y / z), abs(value * y))",
    .rounds = "abs(value * y / z)",
    .over_infinity = true,
    .infinite_beyond = true};

static const struct op ops[] = {
    {FORMULA("add", NUMBERS), ALPHA, ELEMENTWISE_EITHER, .row = &arithmetic_add},
    {FORMULA("sub", NUMBERS), ALPHA, ELEMENTWISE_EITHER, .row = &arithmetic_sub},
    {FORMULA("mul", NUMBERS), .row = &arithmetic_mul},
    {FORMULA("div", NUMBERS), ELEMENTWISE_EITHER, .attributes = {{"rounding_mode", ATTRIBUTE_CHOICE}},
     .defaults = {{"rounding_mode", DEFAULT_VALUE, 0}},
     .choices = {{"rounding_mode", "none", 0}, {"rounding_mode", "trunc", 1}, {"rounding_mode", "floor", 2}},
     .row = &arithmetic_div},
    {EXACT("fmod", NUMBERS), ROW(.value = remainder_of_fmod, .integer = rest_of_integers)},
    {EXACT("remainder", NUMBERS), ROW(.value = remainder_of_floor, .integer = remainder_of_integers,
                                      .lossy = lossy_remainder, .open_zero = true)},
    {EXACT("floor_divide", NUMBERS), ROW(.value = floor_quotient, .integer = floor_quotient_of_integers,
                                         .slack = slack_of_floor, .lossy = lossy_floor, .open_zero = true)},
    {FORMULA("pow", FLOATS), ROW(.formula = "pow(x, y)", .infinite_beyond = true)},
    {FORMULA("ldexp", FLOATS), SPECIALS,
     ROW(.formula = LDEXP, .naive = "x * exp2(y)", .partial = "exp2(-y)", .infinite_beyond = true)},
    {FORMULA("hypot", FLOATS),
     ROW(.formula = "a = abs(x); b = abs(y); m = max(a, b); q = min(a, b) / m; "
                    "a == inf ? inf : b == inf ? inf : m == 0 ? 0 : m * sqrt(1 + q * q)",
         .naive = "sqrt(x * x + y * y)")},
    {FORMULA("atan2", FLOATS), ROW(.formula = ATAN2)},
    {FORMULA("logaddexp", FLOATS),
     ROW(.formula = "d = x == y ? 0 : x - y; max(x, y) + log1p(exp(-abs(d)))", .one_order = true)},
    {OF_THREE("lerp", "input", "end", "weight"), SPECIALS, .row = &arithmetic_lerp},
    {OF_THREE("fma", "input", "other", "addend"), SPECIALS,
     ROW(.formula = "x * y + z", .partial = "abs(x * y)", .infinite_beyond = true)},
    {OF_THREE("addcmul", "input", "tensor1", "tensor2"), VALUE, SPECIALS, .row = &arithmetic_addcmul},
    {OF_THREE("addcdiv", "input", "tensor1", "tensor2"), VALUE, SPECIALS, .row = &arithmetic_addcdiv},
};

const struct op_set op_set_arithmetic = {.op = ops, .count = sizeof ops / sizeof *ops};
