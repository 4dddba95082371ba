/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/unary.h"
#include "suites/shared/data.h"

#include <string.h>

/* Turns: ends of float32's and float16's ranges of results (exp: 88.7, 89.4 with subnormals −103.97, 11.09),
 * of polynomials in common use (expm1, log1p: ln2/2; erf: 0.84375, 1.25, 2.857; tanh: 0.625, 9), saturation.
 */
static const struct unary unaries[] = {
    {"abs", .least = -100, .most = 100, .turn = {1, -1}},
    {"neg", .least = -100, .most = 100, .turn = {1, -1}},
    {"floor", .least = -100, .most = 100, .turn = {0.5, 1, -0.5, -1, 1023.5, 8388607.5, 4503599627370495.5}},
    {"ceil", .least = -100, .most = 100, .turn = {0.5, 1, -0.5, -1, 1023.5, 8388607.5, 4503599627370495.5}},
    {"trunc", .least = -100, .most = 100, .turn = {0.5, 1, -0.5, -1, 1023.5, 8388607.5, 4503599627370495.5}},
    {"round", .least = -100, .most = 100,
     .turn = {0.5, 1.5, -0.5, -2.5, 1023.5, 8388607.5, 4503599627370495.5}},
    {"relu", .least = -100, .most = 100, .turn = {1, -1}},
    {"reciprocal", .least = -100, .most = 100, .turn = {1, 3, -1, 65504}},
    {"sqrt", true, 0x1p-20, 100, {1, 2, 4, 3}},
    {"rsqrt", true, 0x1p-20, 100, {1, 2, 4, 3}},
    {"exp", .least = -10, .most = 10,
     .turn = {0.34657359, 88.7228394, 11.0898664, -87.3365448, -103.972084, -9.7, -17.3, 709.78}},
    {"exp2", .least = -14, .most = 14, .turn = {0.5, 1, -1, 128, -126, -149, 16, -24}},
    {"expm1", .least = -10, .most = 10,
     .turn = {0.34657359, -0.34657359, 1.0397208, 88.7228394, 11.0898664, -17.3, -8.3, 1e-4}},
    {"log", true, 0x1p-20, 100, {1, 0.70710678, 1.41421356, 2, 0.5, 2.71828183}},
    {"log2", true, 0x1p-20, 100, {1, 0.70710678, 1.41421356, 2, 0.5, 8}},
    {"log10", true, 0x1p-20, 100, {1, 0.70710678, 1.41421356, 10, 0.1, 1000}},
    {"log1p", .least = -0.99, .most = 100,
     .turn = {-0.29289322, 0.41421356, 1e-4, -1e-4, -0.5, 1, -0.99609375}},
    {"tanh", .least = -8, .most = 8, .turn = {0.625, 1e-3, 9.0109, 20, 0.549306, -0.625, -9.0109, 22}},
    {"erf", .least = -3, .most = 3, .turn = {0.84375, 1.25, 2.857, 3.83, -0.84375, -1.25, 1e-4, 6}},
    {"erfc", .least = -3, .most = 3, .turn = {0.25, 0.84375, 1.25, 2.857, -0.84375, 9.19, 10.05, 27.2}},
    {"sigmoid", .least = -10, .most = 10,
     .turn = {1e-4, 16.6, -16.6, -88.7228394, -103.972084, 88.7228394, -17.3, -709.78}},
    {"silu", .least = -10, .most = 10,
     .turn = {1e-4, 16.6, -16.6, -88.7228394, -103.972084, 88.7228394, -17.3, 3}},
    {"logsigmoid", .least = -10, .most = 10,
     .turn = {1e-4, 16.6, -16.6, 88.7228394, 103.972084, 17.3, -709.78}},
    {"frac", .least = -100, .most = 100, .turn = {0.5, 1, -0.5, -2, 1023.5, 8388607.5, 4503599627370495.5}},
    {"hardsigmoid", .least = -4, .most = 4, .turn = {3, -3, 1e-4, -2.5, 0.5, 2.9}},
    {"hardswish", .least = -4, .most = 4, .turn = {3, -3, 1e-4, -2.5, 0.5, 2.9, 6550}},
    {"selu", .least = -10, .most = 10, .turn = {0.34657359, -0.34657359, 1e-4, -1e-4, -17.3, -8.3, 62000}},
    {"mish", .least = -10, .most = 10, .turn = {1e-4, 16.6, -16.6, -88.7228394, -103.972084, 20, -17.3, 3}},
    {"softsign", .least = -100, .most = 100, .turn = {1, -1, 1024, 8388608}},
};

int unary_count(void)
{
    return (int)(sizeof unaries / sizeof *unaries);
}

const struct unary *unary_at(int index)
{
    return &unaries[index];
}

const struct unary *unary_named(const char *name)
{
    for (int k = 0; k < unary_count(); k++) {
        if (strcmp(unaries[k].name, name) == 0) {
            return &unaries[k];
        }
    }
    return NULL;
}

void unary_fill(struct builder *b, const struct unary *unary, const struct view *x)
{
    struct philox generator = build_generator(b, 0);
    uint64_t sign = unary->positive ? format_of(x->dtype).sign : 0;
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        uint64_t bits = dtype_is_floating(x->dtype) ? data_between(&generator, x->dtype, -4, 4)
                                                    : data_any_exponent(&generator, x->dtype, i);
        build_set_bits(b, x, i, 0, bits & ~sign);
    }
}
