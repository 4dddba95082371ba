/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What convolutions accept at the border, and the roundings of their bound. */
#include "reference/test/support.h"

static struct attribute one_number(const char *name, int64_t number)
{
    return (struct attribute){
        .name = name, .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {number}}};
}

static struct attributes with_padding(int64_t padding)
{
    struct attributes a = {.count = 1};
    a.item[0] = one_number("padding", padding);
    return a;
}

/* The first weight is infinite and lies in the padding of the first element alone, whose sum is 2·3 without
 * it. */
Test(convolution_bound, the_profile_says_what_an_infinity_in_the_padding_gives)
{
    double x[] = {2, 5}, w[] = {INFINITY, 3};
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)1, (int64_t)1, (int64_t)2), x),
                             tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)1, (int64_t)1, (int64_t)2), w)};
    struct attributes attributes = with_padding(1);
    struct truth *truth = truth_of_call("conv1d", &attributes, 2, input);
    for (int word = PADDING_OPEN; word <= PADDING_ZEROS; word++) {
        struct profile profile = profile_ieee();
        profile.padding = (enum padding)word;
        struct accept border = accept_of("conv1d", &attributes, &profile, truth, 0, 0, false),
                      inside = accept_of("conv1d", &attributes, &profile, truth, 0, 1, false);
        cr_expect_eq(accepts_double(&border, 6), word != PADDING_ZEROS, "%s", padding_name(profile.padding));
        cr_expect_eq(accepts_double(&border, NAN), word != PADDING_SKIPPED, "%s",
                     padding_name(profile.padding));
        cr_expect_not(accepts_double(&border, INFINITY));
        cr_expect(accepts_double(&inside, INFINITY) && !accepts_double(&inside, NAN));
    }
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

/* Of 256 taps with stride 64 every position has four: its sum is rounded as four products are, whatever order
 * is declared for all 256. */
Test(convolution_bound, zeros_between_the_elements_of_a_strided_gradient_round_nothing)
{
    enum { TAPS = 256, STRIDE = 64, SIZE = 4 };
    double x[SIZE] = {1, 1, 1, 1}, w[TAPS];
    for (int t = 0; t < TAPS; t++) {
        w[t] = 1 + t % 7;
    }
    struct tensor input[] = {
        tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)1, (int64_t)1, (int64_t)SIZE), x),
        tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)1, (int64_t)1, (int64_t)TAPS), w)};
    struct attributes attributes = {.count = 1};
    attributes.item[0] = one_number("stride", STRIDE);
    struct truth *truth = truth_of_call("conv_transpose1d", &attributes, 2, input);
    struct profile profile = profile_ieee();
    const int64_t middle = 3 * STRIDE + 5;
    double exact = value_approximately(&truth->output[0].value[middle]), u = 0x1p-24;
    for (int declared = 0; declared < 2; declared++) {
        profile.summation = declared ? SUMMATION_DECLARED : SUMMATION_UNDECLARED;
        struct accept accept = accept_of("conv_transpose1d", &attributes, &profile, truth, 0, middle, false);
        cr_expect(accepts_double(&accept, exact * (1 + 4 * u)));
        cr_expect_not(accepts_double(&accept, exact * (1 + 16 * u)));
    }
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}
