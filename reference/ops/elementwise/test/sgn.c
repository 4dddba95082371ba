/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

/* The certified complex quotient against Arb. */
Test(sgn, complex_agrees_with_arb_to_100_bits)
{
    enum { COUNT = 3000 };
    double *z = malloc(2 * COUNT * sizeof *z);
    struct philox generator;
    philox_start(&generator, 3);
    for (int i = 0; i < 2 * COUNT; i++) {
        z[i] = (double)(float)ldexp(philox_signed(&generator) + 0x1p-30,
                                    (int)philox_below(&generator, 250) - 125);
    }
    struct tensor tensor = tensor_from(DTYPE_COMPLEX64, shape_of(1, (int64_t)COUNT), z);
    struct truth *truth = truth_of_call("sgn", NULL, 1, &tensor);
    cr_assert_geq(truth->bits, 104);
    arb_t a, b, norm;
    arb_init(a);
    arb_init(b);
    arb_init(norm);
    for (int64_t i = 0; i < COUNT; i++) {
        arb_set_d(a, tensor_component(&tensor, 2 * i));
        arb_set_d(b, tensor_component(&tensor, 2 * i + 1));
        arb_hypot(norm, a, b, 1200);
        arb_div(a, a, norm, 300);
        arb_div(b, b, norm, 300);
        cr_assert_lt(value_distance_log2(&truth->output[0].value[2 * i], a), -100);
        cr_assert_lt(value_distance_log2(&truth->output[0].value[2 * i + 1], b), -100);
    }
    arb_clear(a);
    arb_clear(b);
    arb_clear(norm);
    truth_destroy(&truth);
    tensor_destroy(&tensor);
    free(z);
}

/* Real sgn from the bit pattern alone, on every float16 and a million float32. */
static double sgn_by_bits(enum dtype dtype, uint64_t bits)
{
    int width = 8 * (int)dtype_info(dtype)->size, fraction = dtype_info(dtype)->precision - 1;
    uint64_t magnitude = bits & (((uint64_t)1 << (width - 1)) - 1);
    uint64_t infinity = ((((uint64_t)1 << (width - 1 - fraction)) - 1)) << fraction;
    double sign = bits >> (width - 1) ? -1 : 1;
    return magnitude > infinity ? NAN : magnitude == 0 ? copysign(0, sign) : sign;
}

static void check_real(enum dtype dtype, int64_t count, const uint64_t *bits)
{
    struct tensor tensor;
    struct shape shape = shape_of(1, count);
    cr_assert(tensor_create(&tensor, dtype, &shape));
    for (int64_t i = 0; i < count; i++) {
        dtype_store_bits(dtype, tensor.data + (size_t)i * dtype_info(dtype)->size, bits[i]);
    }
    struct truth *truth = truth_of_call("sign", NULL, 1, &tensor);
    for (int64_t i = 0; i < count; i++) {
        double expect = sgn_by_bits(dtype, bits[i]), got = value_approximately(&truth->output[0].value[i]);
        cr_assert(isnan(expect) ? isnan(got) : got == expect && signbit(got) == signbit(expect),
                  "%s 0x%llx: %g", dtype_info(dtype)->name, (unsigned long long)bits[i], got);
    }
    truth_destroy(&truth);
    tensor_destroy(&tensor);
}

Test(sgn, real_agrees_with_the_bit_pattern_on_a_million_inputs)
{
    enum { COUNT = 1000000 };
    uint64_t *bits = malloc(COUNT * sizeof *bits);
    struct philox generator;
    philox_start(&generator, 4);
    for (int i = 0; i < COUNT; i++) {
        bits[i] = philox_next(&generator);
    }
    check_real(DTYPE_FLOAT32, COUNT, bits);
    for (uint64_t i = 0; i < 65536; i++) {
        bits[i] = i;
    }
    check_real(DTYPE_FLOAT16, 65536, bits);
    check_real(DTYPE_BFLOAT16, 65536, bits);
    free(bits);
}

Test(sgn, infinite_complex_accepts_quotient_and_direction_only)
{
    double z[4] = {INFINITY, 3, -INFINITY, INFINITY};
    struct tensor tensor = tensor_from(DTYPE_COMPLEX64, shape_of(1, (int64_t)2), z);
    struct truth *truth = truth_of_call("sgn", NULL, 1, &tensor);
    struct profile ieee = profile_ieee();
    struct accept accept = accept_of("sgn", NULL, &ieee, truth, 0, 0, false);
    float quotient[2] = {NAN, 0}, direction[2] = {1, 0}, wrong[2] = {1, 1}, zero[2] = {0, 0};
    cr_assert(accept_judge(&accept, quotient).accepted);
    cr_assert(accept_judge(&accept, direction).accepted);
    cr_assert_not(accept_judge(&accept, wrong).accepted);
    cr_assert_not(accept_judge(&accept, zero).accepted);
    accept = accept_of("sgn", NULL, &ieee, truth, 0, 1, false);
    float diagonal[2] = {-0.70710678F, 0.70710678F}, mirrored[2] = {0.70710678F, 0.70710678F};
    cr_assert(accept_judge(&accept, diagonal).accepted);
    cr_assert_not(accept_judge(&accept, mirrored).accepted);
    truth_destroy(&truth);
    tensor_destroy(&tensor);
}
