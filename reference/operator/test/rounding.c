/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests rule 10: an operation that rounds once has one right answer, to the bit. Expected answers come from
 * MPFR, from the processor's own float arithmetic, or from hand calculation. */

#include "reference/test/support.h"

#include <float.h>

static const enum dtype floats[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

static bool accepts_bits(const struct accept *accept, uint64_t bits)
{
    unsigned char bytes[8];
    dtype_store_bits(accept->dtype, bytes, bits);
    return accept_judge(accept, bytes).accepted;
}

/* Only `bits`: not its neighbours, not those two away, not the one of the other sign, not NaN. */
static void only(const struct accept *accept, uint64_t bits, const char *what)
{
    unsigned char nan[8];
    uint64_t sign = (uint64_t)1 << (8 * dtype_info(accept->dtype)->size - 1);
    dtype_store(accept->dtype, nan, NAN);
    cr_assert(accepts_bits(accept, bits), "%s: 0x%llx is right", what, (unsigned long long)bits);
    cr_assert_not(accepts_bits(accept, bits + 1), "%s: one above 0x%llx", what, (unsigned long long)bits);
    cr_assert_not(accepts_bits(accept, bits ^ sign), "%s: the sign of 0x%llx", what,
                  (unsigned long long)bits);
    cr_assert((bits & ~sign) == 0 || !accepts_bits(accept, bits - 1), "%s: one below 0x%llx", what,
              (unsigned long long)bits);
    cr_assert_not(accept_judge(accept, nan).accepted);
}

/* hi + lo rounded to nearest, ties to even, by MPFR alone. */
static uint64_t nearest(enum dtype dtype, double hi, double lo)
{
    const struct dtype_info *info = dtype_info(dtype);
    mpfr_t exact, rounded;
    unsigned char bytes[8];
    mpfr_init2(exact, 2400);
    mpfr_init2(rounded, 2400);
    mpfr_set_d(exact, hi, MPFR_RNDN);
    mpfr_add_d(exact, exact, lo, MPFR_RNDN);
    long exponent = mpfr_zero_p(exact) ? info->emin : (long)mpfr_get_exp(exact) - 1;
    long unit = (exponent < info->emin ? info->emin : exponent) - info->precision + 1;
    mpfr_mul_2si(rounded, exact, -unit, MPFR_RNDN);
    mpfr_rint(rounded, rounded, MPFR_RNDN); /* rint: ties to even */
    mpfr_mul_2si(rounded, rounded, unit, MPFR_RNDN);
    double x = mpfr_get_d(rounded, MPFR_RNDN);
    dtype_store(dtype, bytes, fabs(x) > dtype_max(dtype) ? copysign(INFINITY, x) : x);
    mpfr_clears(exact, rounded, (mpfr_ptr)0);
    return dtype_bits(dtype, bytes);
}

/* At, just above and just below a midpoint of two neighbours, normal and subnormal, and beside it by amounts
 * that a bound of half an ulp does not see. */
Test(rounding, one_answer_beside_every_midpoint)
{
    struct profile ieee = profile_ieee();
    struct philox generator;
    philox_start(&generator, 90);
    for (int t = 0; t < 4000; t++) {
        enum dtype dtype = floats[t % 3];
        const struct dtype_info *info = dtype_info(dtype);
        int low = info->emin - info->precision + 1;
        int e = low + (int)philox_below(&generator, (uint32_t)(info->emax - low));
        int bits = e - low + 1 < info->precision ? e - low + 1 : info->precision;
        double m = ldexp(1, bits - 1) + floor(philox_unit(&generator) * ldexp(1, bits - 1)) + 0.5;
        double sign = t % 2 ? -1 : 1, hi = sign * ldexp(m, e - bits + 1);
        double lo = sign * ldexp((int)philox_below(&generator, 3) - 1, e - 70);
        struct value value = value_from_dd(hi, lo);
        struct accept accept;
        accept_rounded(&accept, dtype, &ieee, &value);
        only(&accept, nearest(dtype, hi, lo), info->name);
    }
    struct value tie = value_from_dd(1, 0x1p-53); /* of float64, where hi is the answer */
    struct accept accept;
    accept_rounded(&accept, DTYPE_FLOAT64, &ieee, &tie);
    only(&accept, nearest(DTYPE_FLOAT64, 1, 0x1p-53), "float64");
}

Test(rounding, ends_of_the_range)
{
    struct profile ieee = profile_ieee();
    struct value under = value_of(-0x1p-26), over = value_of(65520), last = value_of(65519.99);
    struct accept accept;
    accept_rounded(&accept, DTYPE_FLOAT16, &ieee, &under);
    only(&accept, 0x8000, "-2^-26 is -0");
    accept_rounded(&accept, DTYPE_FLOAT16, &ieee, &over);
    cr_assert(accepts_bits(&accept, 0x7C00) && !accepts_bits(&accept, 0x7BFF));
    accept_rounded(&accept, DTYPE_FLOAT16, &ieee, &last);
    cr_assert(accepts_bits(&accept, 0x7BFF) && !accepts_bits(&accept, 0x7C00));
    struct value nan = value_of(NAN);
    accept_rounded(&accept, DTYPE_FLOAT16, &ieee, &nan);
    cr_assert(accepts_bits(&accept, 0x7C01) && accepts_bits(&accept, 0xFFFF) && !accepts_bits(&accept, 0));
    ieee.special_values[DTYPE_FLOAT16] = false;
    accept_rounded(&accept, DTYPE_FLOAT16, &ieee, &under);
    cr_assert(accepts_bits(&accept, 0x8000) && accepts_bits(&accept, 0), "no sign of zero was promised");
}

Test(rounding, a_direction_that_is_open_keeps_the_bound)
{
    struct value value = value_of(1 + 0x1.8p-12);
    struct accept accept;
    for (int wider = 0; wider < 2; wider++) {
        struct profile open = profile_ieee();
        open.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
        accept_rounded(&accept, DTYPE_FLOAT16, &open, &value);
        only(&accept, 0x3C00, "declared");
        open.rounding[wider ? DTYPE_FLOAT32 : DTYPE_FLOAT16] = ROUNDING_OPEN;
        value = value_of(1 + 0x1.FFp-12); /* just below half an ulp */
        accept_rounded(&accept, DTYPE_FLOAT16, &open, &value);
        cr_assert(accepts_bits(&accept, 0x3C00));
        cr_assert(accept.set[0].radius > 0, "a bound, %d", wider);
    }
}

Test(rounding, tininess_before_or_after_rounding)
{
    struct profile flush = profile_ieee();
    flush.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    struct value least = value_from_dd(0x1p-126, -0x1p-180); /* tiny before rounding, and not after */
    struct value normal = value_from_dd(0x1p-126, 0x1p-180), tiny = value_of(0x1.000003p-127);
    struct accept accept;
    accept_rounded(&accept, DTYPE_FLOAT32, &flush, &least);
    cr_assert(accepts_double(&accept, 0x1p-126) && accepts_double(&accept, 0) &&
              accepts_double(&accept, -0.0));
    cr_assert_not(accepts_double(&accept, 0x1p-126 - 0x1p-149));
    accept_rounded(&accept, DTYPE_FLOAT32, &flush, &normal);
    cr_assert(accepts_double(&accept, 0x1p-126) && !accepts_double(&accept, 0));
    accept_rounded(&accept, DTYPE_FLOAT32, &flush, &tiny);
    cr_assert(accepts_double(&accept, 0x1.000004p-127) && accepts_double(&accept, 0));
    cr_assert_not(accepts_double(&accept, 0x1p-127));
    struct profile through = profile_ieee(); /* bfloat16 in float32, whose subnormals are flushed */
    through.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    through.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    accept_rounded(&accept, DTYPE_BFLOAT16, &through, &tiny);
    cr_assert(accepts_double(&accept, 0) && accepts_double(&accept, 0x1p-127));
    struct profile ieee = profile_ieee();
    accept_rounded(&accept, DTYPE_FLOAT32, &ieee, &least);
    cr_assert_not(accepts_double(&accept, 0));
}

/* --- conversions */

/* x beside a midpoint of `to`, by so little that a number between the two dtypes does not see it. */
static const struct pair {
    enum dtype from, to;
    double real;
    int64_t integer;
    uint64_t right, twice; /* rounded once, and through the dtype in between */
    const char *between;
} pairs[] = {
    {DTYPE_FLOAT64, DTYPE_FLOAT16, 1 + 0x1p-11 + 0x1p-40, 0, 0x3C01, 0x3C00, "float32"},
    {DTYPE_FLOAT64, DTYPE_FLOAT16, 1 + 0x3p-11 - 0x1p-40, 0, 0x3C01, 0x3C02, "float32"},
    {DTYPE_FLOAT64, DTYPE_FLOAT16, -0x1p-25 - 0x1p-60, 0, 0x8001, 0x8000, "float32, subnormal"},
    {DTYPE_FLOAT64, DTYPE_BFLOAT16, 1 + 0x1p-8 + 0x1p-40, 0, 0x3F81, 0x3F80, "float32"},
    {DTYPE_FLOAT64, DTYPE_BFLOAT16, 0x1p-134 + 0x1p-170, 0, 1, 0, "float32, subnormal"},
    {DTYPE_FLOAT64, DTYPE_FLOAT32, 0x1p-127 + 0x1p-150 + 0x1p-152, 0, 0x00400001, 0x00400000,
     "24 bits, subnormal"},
    {DTYPE_FLOAT32, DTYPE_FLOAT16, 0x1p-15 + 0x1p-25 + 0x1p-27, 0, 0x0201, 0x0200, "11 bits, subnormal"},
    {DTYPE_FLOAT32, DTYPE_BFLOAT16, 0x1p-127 + 0x1p-134 + 0x1p-136, 0, 0x0041, 0x0040, "8 bits, subnormal"},
    {DTYPE_INT32, DTYPE_BFLOAT16, 0, (1 << 30) + (1 << 22) + 1, 0x4E81, 0x4E80, "float32"},
    {DTYPE_INT64, DTYPE_BFLOAT16, 0, (1LL << 40) + (1LL << 32) + 1, 0x5381, 0x5380, "float32"},
    {DTYPE_INT64, DTYPE_BFLOAT16, 0, -(1LL << 60) - (1LL << 52) - 1, 0xDD81, 0xDD80, "float32 or float64"},
    {DTYPE_INT64, DTYPE_FLOAT32, 0, (1LL << 60) + (1LL << 36) + 1, 0x5D800001, 0x5D800000, "float64"},
    {DTYPE_INT64, DTYPE_FLOAT64, 0, (1LL << 60) + (1LL << 7) + 1, 0x43B0000000000001, 0x43B0000000000000,
     "nothing: truncated"},
};

static struct accept of_pair(const struct pair *pair, const struct profile *profile)
{
    double zero = 0;
    struct shape one = shape_of(1, (int64_t)1);
    struct tensor input[2] = {tensor_from(pair->to, one, &zero), tensor_from(pair->from, one, &pair->real)};
    if (!dtype_is_floating(pair->from)) {
        dtype_store_integer(pair->from, input[1].data, pair->integer);
    }
    struct truth *truth = truth_of_call("copy_", NULL, 2, input);
    struct accept accept = accept_of("copy_", NULL, profile, truth, 0, 0, false);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    return accept;
}

Test(rounding, a_conversion_that_rounds_twice_fails_in_every_pair)
{
    struct profile ieee = profile_ieee();
    ieee.accumulate[DTYPE_FLOAT16] = ieee.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        struct accept accept = of_pair(&pairs[p], &ieee);
        unsigned char got[8];
        cr_assert(accepts_bits(&accept, pairs[p].right), "row %zu", p);
        cr_assert_not(accepts_bits(&accept, pairs[p].twice), "row %zu through %s", p, pairs[p].between);
        dtype_store_bits(pairs[p].to, got, pairs[p].twice);
        cr_assert_eq(accept_judge(&accept, got).rule, RULE_ROUNDED);
    }
}

Test(rounding, conversions_that_are_declared_to_go_through_float32)
{
    struct profile through = profile_ieee();
    through.conversions_via_float32 = true;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        struct accept accept = of_pair(&pairs[p], &through);
        bool float32 = strncmp(pairs[p].between, "float32", 7) == 0;
        cr_assert(accepts_bits(&accept, pairs[p].right), "row %zu", p);
        cr_assert_eq(accepts_bits(&accept, pairs[p].twice), float32, "row %zu", p);
        cr_assert_not(accepts_bits(&accept, pairs[p].right + 1) && accepts_bits(&accept, pairs[p].right - 1),
                      "row %zu", p);
    }
}

static struct attributes real_attribute(const char *name, double x)
{
    return (struct attributes){.count = 1, .item = {{.name = name, .type = ATTRIBUTE_REAL, .real = x}}};
}

Test(rounding, a_value_and_a_limit_are_converted_once)
{
    double zero = 0, x = 1 + 0x1p-11 + 0x1p-40;
    struct tensor input = tensor_from(DTYPE_FLOAT16, shape_of(1, (int64_t)1), &zero);
    struct profile ieee = profile_ieee();
    struct attributes value = real_attribute("value", x), least = real_attribute("min", x);
    struct truth *filled = truth_of_call("fill_", &value, 1, &input);
    struct truth *clamped = truth_of_call("clamp_", &least, 1, &input);
    struct accept fill = accept_of("fill_", &value, &ieee, filled, 0, 0, false);
    struct accept clamp = accept_of("clamp_", &least, &ieee, clamped, 0, 0, false);
    only(&fill, 0x3C01, "fill_");
    only(&clamp, 0x3C01, "clamp_");
    ieee.conversions_via_float32 = true;
    fill = accept_of("fill_", &value, &ieee, filled, 0, 0, false);
    cr_assert(accepts_bits(&fill, 0x3C01) && accepts_bits(&fill, 0x3C00));
    truth_destroy(&filled);
    truth_destroy(&clamped);
    tensor_destroy(&input);
}

/* --- + − × ÷ */

static double random_number(struct philox *generator, enum dtype dtype, int span)
{
    unsigned char bytes[8];
    int e = (int)philox_below(generator, 2 * (uint32_t)span) - span;
    dtype_store(dtype, bytes, ldexp(philox_signed(generator), e));
    return dtype_load(dtype, bytes);
}

/* The result of one operation in the dtype by the processor: in double for the 16-bit formats, whose sums,
 * products and quotients of these exponents do not round to a midpoint there. */
static uint64_t computed(enum dtype dtype, char sign, double x, double y)
{
    unsigned char bytes[8];
    if (dtype == DTYPE_FLOAT32) {
        volatile float a = (float)x, b = (float)y;
        float r = sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b;
        dtype_store(dtype, bytes, (double)r);
    } else {
        volatile double a = x, b = y;
        dtype_store(dtype, bytes, sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b);
    }
    return dtype_bits(dtype, bytes);
}

static void arithmetic(const char *name, char sign, const struct profile *profile)
{
    struct philox generator;
    philox_start(&generator, 91);
    for (int t = 0; t < 1200; t++) {
        enum dtype dtype = floats[t % 4];
        int span = dtype == DTYPE_FLOAT16 ? 7 : 30;
        double x = random_number(&generator, dtype, span), y = random_number(&generator, dtype, span);
        struct tensor input[2] = {tensor_from(dtype, shape_of(1, (int64_t)1), &x),
                                  tensor_from(dtype, shape_of(1, (int64_t)1), &y)};
        struct truth *truth = truth_of_call(name, NULL, 2, input);
        struct accept accept = accept_of(name, NULL, profile, truth, 0, 0, false);
        uint64_t bits = computed(dtype, sign, x, y);
        char what[96];
        snprintf(what, sizeof what, "%s of %s: %a %c %a", name, dtype_info(dtype)->name, x, sign, y);
        if (x != 0 && y != 0 && dtype_load(dtype, (const unsigned char *)&bits) != 0) {
            only(&accept, bits, what);
        }
        truth_destroy(&truth);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
}

Test(rounding, one_step_of_arithmetic_is_the_processors)
{
    struct profile ieee = profile_ieee(), wide = profile_ieee();
    wide.accumulate[DTYPE_FLOAT16] = wide.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    const struct profile *const profiles[] = {&ieee, &wide};
    for (int p = 0; p < 2; p++) {
        arithmetic("add_", '+', profiles[p]);
        arithmetic("sub_", '-', profiles[p]);
        arithmetic("mul_", '*', profiles[p]);
        arithmetic("div_", '/', profiles[p]);
    }
}

static struct accept of_two(const char *name, const struct attributes *attributes, enum dtype dtype, double x,
                            double y, const struct profile *profile)
{
    struct tensor input[2] = {tensor_from(dtype, shape_of(1, (int64_t)1), &x),
                              tensor_from(dtype, shape_of(1, (int64_t)1), &y)};
    int inputs = strcmp(name, "square") == 0 ? 1 : 2;
    struct truth *truth = truth_of_call(name, attributes, inputs, input);
    struct accept accept = accept_of(name, attributes, profile, truth, 0, 0, false);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    return accept;
}

Test(rounding, a_product_with_alpha_rounds_too_and_may_contract)
{
    struct profile ieee = profile_ieee(), wide = profile_ieee();
    wide.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    float alpha = 1 + 0x1p-12F, x = -1, y = alpha; /* the square rounds 2^-24 away */
    volatile float product = alpha * y;
    float plain = x + product, contracted = fmaf(alpha, y, x);
    cr_assert_neq(plain, contracted, "the example must tell them apart");
    struct attributes factor = real_attribute("alpha", (double)alpha);
    struct accept accept = of_two("add_", &factor, DTYPE_FLOAT32, (double)x, (double)y, &ieee);
    cr_assert(accepts_double(&accept, (double)plain) && accepts_double(&accept, (double)contracted));
    /* 1 + 2^-11·(1 + 2^-10)²: exact in float32 as a product, but 1 + 2^-11 + 2^-20 + 2^-31 is no float32
     * number; 1 + 2^-11·(1 + 2^-20) would round to a midpoint there: a bound, not one answer. */
    factor = real_attribute("alpha", 1 + 0x1p-10);
    accept = of_two("add_", &factor, DTYPE_FLOAT16, 1, 0x1p-11 * (1 + 0x1p-10), &wide);
    cr_assert(accept.set[0].radius > 0);
    factor = real_attribute("alpha", 0.5); /* half the least subnormal may round to zero before the sum */
    accept = of_two("add_", &factor, DTYPE_FLOAT32, 0x3p-149, 0x1p-149, &ieee);
    cr_assert(accepts_double(&accept, 0x3p-149) && accepts_double(&accept, 0x4p-149));
    factor = real_attribute("alpha", -2);
    accept = of_two("add_", &factor, DTYPE_FLOAT16, 1, -0x1p-12 * (1 + 0x1p-10), &wide);
    only(&accept, 0x3C01, "-2 times a number rounds nothing");
}

Test(rounding, a_division_with_an_allowance_keeps_it)
{
    struct profile vulkan = profile_ieee();
    struct accept accept = of_two("div_", NULL, DTYPE_FLOAT32, 1, 3, &vulkan);
    only(&accept, 0x3EAAAAAB, "1/3");
    vulkan.primitives = PRIMITIVES_VULKAN;
    accept = of_two("div_", NULL, DTYPE_FLOAT32, 1, 3, &vulkan);
    cr_assert(accepts_bits(&accept, 0x3EAAAAAA) && accepts_bits(&accept, 0x3EAAAAAC));
}

/* A product of floats by the processor is the only answer, also where the next one lies within u|truth|. */
static void product_is_the_processors(const char *name, float x, float y)
{
    struct profile ieee = profile_ieee();
    struct accept accept = of_two(name, NULL, DTYPE_FLOAT32, (double)x, (double)y, &ieee);
    volatile float product = x * y;
    unsigned char bytes[8];
    dtype_store(DTYPE_FLOAT32, bytes, (double)product);
    only(&accept, dtype_bits(DTYPE_FLOAT32, bytes), name);
}

Test(rounding, squares_and_scaled_gradients)
{
    struct philox generator;
    philox_start(&generator, 92);
    for (int t = 0; t < 200; t++) {
        float x = (float)(1 + philox_unit(&generator)), y = (float)(1 + philox_unit(&generator));
        product_is_the_processors("square", x, x);
        product_is_the_processors("amp_scale", x, y);
    }
    double x = 0x1.004p0, zero = 0, scale = 0x1.800002p0;
    struct shape one = shape_of(1, (int64_t)1);
    struct tensor input[3] = {tensor_from(DTYPE_FLOAT16, one, &x), tensor_from(DTYPE_FLOAT32, one, &zero),
                              tensor_from(DTYPE_FLOAT32, one, &scale)};
    struct profile wide = profile_ieee();
    wide.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    struct truth *truth = truth_of_call("amp_unscale", NULL, 3, input);
    struct accept accept = accept_of("amp_unscale", NULL, &wide, truth, 0, 0, false);
    cr_assert(accept.set[0].radius > 0, "a product of 35 bits rounds to float32 first");
    truth_destroy(&truth);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
}
