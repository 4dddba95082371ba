/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The element-wise functions, a row each.
 *
 * Breakpoints (`turn`): ends of the ranges of results of float32 and float16 (exp: 88.7, 89.4 with subnormals
 * −103.97, 11.09), of polynomials in common use (expm1, log1p: ln2/2; erf: 0.84375, 1.25, 2.857; tanh: 0.625,
 * 9), and of saturation. */

#include "suites/shared/functions_attributes.h"

#define GELU                                                                                                 \
    {                                                                                                        \
        .vanishes = true, .least = -5, .most = 5, .turn = { 1e-4, -5.5, -13.3, 0.7, -3.719, -8.3, 5.5, -1 }  \
    }
#define ELU                                                                                                  \
    {                                                                                                        \
        .least = -10, .most = 10, .turn = { 0.34657359, -0.34657359, 1e-4, -1e-4, -17.3, -8.3, 88 }          \
    }
#define SOFTPLUS                                                                                             \
    {                                                                                                        \
        .least = -10, .most = 30, .turn = { 1e-4, 16.6, -16.6, 20, 10, -88.7228394, -103.972084, -17.3 }     \
    }
#define SIGMOID                                                                                              \
    {                                                                                                        \
        .least = -10, .most = 10, .turn = {                                                                  \
            1e-4,                                                                                            \
            16.6,                                                                                            \
            -16.6,                                                                                           \
            -88.7228394,                                                                                     \
            -103.972084,                                                                                     \
            88.7228394,                                                                                      \
            -17.3,                                                                                           \
            3                                                                                                \
        }                                                                                                    \
    }
#define LINE                                                                                                 \
    {                                                                                                        \
        .least = -4, .most = 4, .turn = { 1, -1, 0.5, -2, 3, -3, 6, 1e-4 }                                   \
    }
#define ANGLE                                                                                                \
    {                                                                                                        \
        .least = -10, .most = 10, .turn = {                                                                  \
            0.78539816339,                                                                                   \
            1.5707963268,                                                                                    \
            3.1415926536,                                                                                    \
            6.2831853072,                                                                                    \
            1e-4,                                                                                            \
            100,                                                                                             \
            1e5,                                                                                             \
            1e30                                                                                             \
        }                                                                                                    \
    }
#define NUMBERS                                                                                              \
    {                                                                                                        \
        .least = -100, .most = 100, .turn = { 1, -1, 1024, 65504, 0.1 }                                      \
    }
#define POSITIVE                                                                                             \
    {                                                                                                        \
        .positive = true, .least = 0x1p-10, .most = 100, .turn = { 1, 2, 0.5, 3 }                            \
    }
#define GRADIENT                                                                                             \
    {                                                                                                        \
        .least = -4, .most = 4, .turn = { 1, -1, 65504 }                                                     \
    }
#define OUTPUT                                                                                               \
    {                                                                                                        \
        .least = -1, .unit = true, .most = 1, .turn = { 1, -1, 0.5, 1e-4 }                                   \
    }
#define PROBABILITY                                                                                          \
    {                                                                                                        \
        .positive = true, .least = 0, .unit = true, .most = 1, .turn = { 1, 0.25, 0.5, 1e-4 }                \
    }
#define WEIGHT                                                                                               \
    {                                                                                                        \
        .least = 0, .most = 1, .turn = { 0.5, 1, 0.25, 2 }                                                   \
    }
#define STEP                                                                                                 \
    {                                                                                                        \
        .least = -100, .most = 100, .turn = { 0.5, 1, -0.5, -1, 1023.5, 8388607.5, 4503599627370495.5 }      \
    }
#define HYPERBOLIC                                                                                           \
    {                                                                                                        \
        .least = -10, .most = 10, .turn = {                                                                  \
            1e-3,                                                                                            \
            20,                                                                                              \
            88.7228394,                                                                                      \
            89.4159851,                                                                                      \
            11.0898664,                                                                                      \
            11.7835,                                                                                         \
            -20,                                                                                             \
            710.4758                                                                                         \
        }                                                                                                    \
    }
#define SINE                                                                                                 \
    {                                                                                                        \
        .least = -0.99, .most = 0.99, .turn = { 1, -1, 0.5, -0.5, 0.70710678, 1e-4, 0.9999 }                 \
    }
#define SLOPE                                                                                                \
    {                                                                                                        \
        .least = -100, .most = 100, .turn = { 1, -1, 0.41421356, 2.41421356, 0.6875, 67108864, 1e-4 }        \
    }
#define TWO   .operands = 2
#define THREE .operands = 3

static const struct function functions[] = {
    {.name = "abs", .domain = {{.least = -100, .most = 100, .turn = {1, -1}}}},
    {.name = "neg", .domain = {{.least = -100, .most = 100, .turn = {1, -1}}}},
    {.name = "floor", .domain = {STEP}},
    {.name = "ceil", .domain = {STEP}},
    {.name = "trunc", .domain = {STEP}},
    {.name = "round",
     .domain = {{.least = -100,
                 .most = 100,
                 .turn = {0.5, 1.5, -0.5, -2.5, 1023.5, 8388607.5, 4503599627370495.5}}}},
    {.name = "relu", .domain = {{.least = -100, .most = 100, .turn = {1, -1}}}},
    {.name = "reciprocal", .domain = {{.least = -100, .most = 100, .turn = {1, 3, -1, 65504}}}},
    {.name = "sqrt", .domain = {{.positive = true, .least = 0x1p-20, .most = 100, .turn = {1, 2, 4, 3}}}},
    {.name = "rsqrt", .domain = {{.positive = true, .least = 0x1p-20, .most = 100, .turn = {1, 2, 4, 3}}}},
    {.name = "exp",
     .domain = {{.least = -10,
                 .most = 10,
                 .turn = {0.34657359, 88.7228394, 11.0898664, -87.3365448, -103.972084, -9.7, -17.3,
                          709.78}}}},
    {.name = "exp2", .domain = {{.least = -14, .most = 14, .turn = {0.5, 1, -1, 128, -126, -149, 16, -24}}}},
    {.name = "expm1",
     .domain = {{.least = -10,
                 .most = 10,
                 .turn = {0.34657359, -0.34657359, 1.0397208, 88.7228394, 11.0898664, -17.3, -8.3, 1e-4}}}},
    {.name = "log",
     .domain = {{.positive = true,
                 .least = 0x1p-20,
                 .most = 100,
                 .turn = {1, 0.70710678, 1.41421356, 2, 0.5, 2.71828183}}}},
    {.name = "log2",
     .domain =
         {{.positive = true, .least = 0x1p-20, .most = 100, .turn = {1, 0.70710678, 1.41421356, 2, 0.5, 8}}}},
    {.name = "log10",
     .domain = {{.positive = true,
                 .least = 0x1p-20,
                 .most = 100,
                 .turn = {1, 0.70710678, 1.41421356, 10, 0.1, 1000}}}},
    {.name = "log1p",
     .domain = {{.least = -0.99,
                 .most = 100,
                 .turn = {-0.29289322, 0.41421356, 1e-4, -1e-4, -0.5, 1, -0.99609375}}}},
    {.name = "sin", .cases = FUNCTION_ANGLE, .domain = {ANGLE}},
    {.name = "cos", .cases = FUNCTION_ANGLE, .domain = {ANGLE}},
    {.name = "tan", .cases = FUNCTION_ANGLE, .domain = {ANGLE}},
    {.name = "asin", .domain = {SINE}},
    {.name = "acos", .domain = {SINE}},
    {.name = "atan", .domain = {SLOPE}},
    {.name = "sinh", .domain = {HYPERBOLIC}},
    {.name = "cosh", .domain = {HYPERBOLIC}},
    {.name = "asinh",
     .domain = {{.least = -100, .most = 100, .turn = {1e-3, 1, 1e4, -1e4, 1.8446744e19, -1, 0.5}}}},
    {.name = "acosh",
     .domain = {{.positive = true, .least = 1, .most = 100, .turn = {1, 1.5, 2, 1e4, 1.8446744e19}}}},
    {.name = "atanh", .domain = {{.least = -0.99, .most = 0.99, .turn = {1e-3, 1, -1, 0.5, -0.5}}}},
    {.name = "logit",
     .domain = {{.positive = true, .least = 0.01, .most = 0.99, .turn = {1e-3, 1, 0.5, 0.25, 0.75}}}},
    {.name = "tanh",
     .domain = {{.least = -8, .most = 8, .turn = {0.625, 1e-3, 9.0109, 20, 0.549306, -0.625, -9.0109, 22}}}},
    {.name = "erf",
     .domain = {{.least = -3, .most = 3, .turn = {0.84375, 1.25, 2.857, 3.83, -0.84375, -1.25, 1e-4, 6}}}},
    {.name = "erfc",
     .domain = {{.least = -3, .most = 3, .turn = {0.25, 0.84375, 1.25, 2.857, -0.84375, 9.19, 10.05, 27.2}}}},
    {.name = "erfinv",
     .domain = {{.least = -0.999,
                 .most = 0.999,
                 .turn = {0.7, -0.7, 0.99999994, 0.9966, 0.5, -0.99609375, 1, 1e-4}}}},
    {.name = "lgamma",
     .cases = FUNCTION_ROOT_AT_2,
     .domain = {{.least = -6, .most = 20, .turn = {1, 2, -2.4570247, -2.7476826, -3.1432159, 8, 2.5, -0.5}}}},
    {.name = "digamma",
     .domain = {{.least = -6,
                 .most = 20,
                 .turn = {1.4616321, 1, 2, -0.5040831, -1.5734985, -2.6107209, 6, 10}}}},
    {.name = "sigmoid",
     .domain = {{.least = -10,
                 .most = 10,
                 .turn = {1e-4, 16.6, -16.6, -88.7228394, -103.972084, 88.7228394, -17.3, -709.78}}}},
    {.name = "silu",
     .domain = {{.least = -10,
                 .most = 10,
                 .turn = {1e-4, 16.6, -16.6, -88.7228394, -103.972084, 88.7228394, -17.3, 3}}}},
    {.name = "logsigmoid",
     .domain = {{.least = -10,
                 .most = 10,
                 .turn = {1e-4, 16.6, -16.6, 88.7228394, 103.972084, 17.3, -709.78}}}},
    {.name = "frac",
     .domain = {{.least = -100,
                 .most = 100,
                 .turn = {0.5, 1, -0.5, -2, 1023.5, 8388607.5, 4503599627370495.5}}}},
    {.name = "hardsigmoid", .domain = {{.least = -4, .most = 4, .turn = {3, -3, 1e-4, -2.5, 0.5, 2.9}}}},
    {.name = "hardswish", .domain = {{.least = -4, .most = 4, .turn = {3, -3, 1e-4, -2.5, 0.5, 2.9, 6550}}}},
    {.name = "selu",
     .domain = {{.least = -10,
                 .most = 10,
                 .turn = {0.34657359, -0.34657359, 1e-4, -1e-4, -17.3, -8.3, 62000}}}},
    {.name = "mish",
     .domain = {{.least = -10,
                 .most = 10,
                 .turn = {1e-4, 16.6, -16.6, -88.7228394, -103.972084, 20, -17.3, 3}}}},
    {.name = "softsign", .domain = {{.least = -100, .most = 100, .turn = {1, -1, 1024, 8388608}}}},
    {.name = "isnan", .domain = {NUMBERS}},
    {.name = "isinf", .domain = {NUMBERS}},
    {.name = "isfinite", .domain = {NUMBERS}},
    {.name = "signbit", .domain = {NUMBERS}},
    {.name = "bitwise_not", .domain = {NUMBERS}},

    {.name = "gelu", .domain = {GELU}, .given = GIVEN(ASKED("tanh", WORD("approximate", "tanh", 1)))},
    {.name = "elu", .domain = {ELU}, .given = elu_givens},
    {.name = "celu", .domain = {ELU}, .given = celu_givens},
    {.name = "leaky_relu", .domain = {LINE}, .given = slopes},
    {.name = "softplus", .domain = {SOFTPLUS}, .given = softplus_givens},
    {.name = "hardtanh", .domain = {LINE}, .given = intervals},

    {.name = "sigmoid_backward", .domain = {GRADIENT, PROBABILITY}, TWO},
    {.name = "tanh_backward", .domain = {GRADIENT, OUTPUT}, TWO},
    {.name = "relu_backward", .domain = {GRADIENT, LINE}, TWO},
    {.name = "silu_backward", .domain = {GRADIENT, SIGMOID}, TWO},
    {.name = "logsigmoid_backward", .domain = {GRADIENT, SIGMOID}, TWO},
    {.name = "mish_backward", .domain = {GRADIENT, SIGMOID}, TWO},
    {.name = "selu_backward", .domain = {GRADIENT, ELU}, TWO},
    {.name = "softsign_backward", .domain = {GRADIENT, NUMBERS}, TWO},
    {.name = "hardsigmoid_backward", .domain = {GRADIENT, LINE}, TWO},
    {.name = "hardswish_backward", .domain = {GRADIENT, LINE}, TWO},
    {.name = "gelu_backward",
     .domain = {GRADIENT, GELU},
     TWO,
     .given = GIVEN(ASKED("tanh", WORD("approximate", "tanh", 1)))},
    {.name = "elu_backward", .domain = {GRADIENT, ELU}, TWO, .given = elu_givens},
    {.name = "celu_backward", .domain = {GRADIENT, ELU}, TWO, .given = celu_givens},
    {.name = "leaky_relu_backward", .domain = {GRADIENT, LINE}, TWO, .given = slopes},
    {.name = "softplus_backward", .domain = {GRADIENT, SOFTPLUS}, TWO, .given = softplus_givens},
    {.name = "hardtanh_backward", .domain = {GRADIENT, LINE}, TWO, .given = intervals},

    {.name = "prelu", .domain = {LINE, WEIGHT}, TWO},
    {.name = "glu", .domain = {NUMBERS, SIGMOID}, TWO},
    {.name = "swiglu", .domain = {SIGMOID, NUMBERS}, TWO},
    {.name = "prelu_backward", .domain = {GRADIENT, LINE, WEIGHT}, THREE},
    {.name = "glu_backward", .domain = {GRADIENT, NUMBERS, SIGMOID}, THREE},

    {.name = "add", .domain = {NUMBERS, NUMBERS}, TWO, .given = alphas},
    {.name = "sub", .domain = {NUMBERS, NUMBERS}, TWO, .given = alphas},
    {.name = "mul", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "div",
     .cases = FUNCTION_QUOTIENT | FUNCTION_ZEROS,
     .domain = {NUMBERS,
                {.least = -100, .most = 100, .turn = {1, -1, 1024, 65504, 0.1}, .whole = WHOLE_DIVISOR}},
     TWO,
     .given = GIVEN(ASKED("trunc", WORD("rounding_mode", "trunc", 1)),
                    ASKED("floor", WORD("rounding_mode", "floor", 2)))},
#define DIVISOR                                                                                              \
    {                                                                                                        \
        .least = -100, .most = 100, .turn = {1, -1, 3, 0.1, 7}, .whole = WHOLE_DIVISOR                       \
    }
    {.name = "fmod", .cases = FUNCTION_QUOTIENT, .domain = {NUMBERS, DIVISOR}, TWO},
    {.name = "remainder", .cases = FUNCTION_QUOTIENT, .domain = {NUMBERS, DIVISOR}, TWO},
    {.name = "floor_divide", .cases = FUNCTION_QUOTIENT | FUNCTION_STEPS, .domain = {NUMBERS, DIVISOR}, TWO},
    {.name = "pow",
     .cases = FUNCTION_STRATA | FUNCTION_ZEROS,
     .domain = {POSITIVE, {.least = -6, .most = 6, .turn = {1, 2, 0.5, -1, 3, -2, 16777215}}},
     TWO},
    {.name = "ldexp",
     .domain = {NUMBERS, {.least = -10, .most = 10, .turn = {1, -1, 0.5, 15, -24, 127, -149, 200}}},
     TWO},
    {.name = "hypot", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "atan2", .cases = FUNCTION_ZEROS, .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "logaddexp", .domain = {SIGMOID, SIGMOID}, TWO},
    {.name = "eq", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "ne", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "lt", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "le", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "gt", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "ge", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "maximum", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "minimum", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "fmax", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "fmin", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "copysign", .cases = FUNCTION_ZEROS, .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "nextafter", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "bitwise_and", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "bitwise_or", .domain = {NUMBERS, NUMBERS}, TWO},
    {.name = "bitwise_xor", .domain = {NUMBERS, NUMBERS}, TWO},
#define SHIFT                                                                                                \
    {                                                                                                        \
        .least = 0, .most = 31, .turn = {1, 8, 31}, .whole = WHOLE_SHIFT                                     \
    }
    {.name = "bitwise_left_shift", .cases = FUNCTION_SHIFT_LEFT, .domain = {NUMBERS, SHIFT}, TWO},
    {.name = "bitwise_right_shift", .domain = {NUMBERS, SHIFT}, TWO},

    {.name = "lerp", .cases = FUNCTION_SPECIALS, .domain = {NUMBERS, NUMBERS, WEIGHT}, THREE},
    {.name = "fma", .domain = {NUMBERS, NUMBERS, NUMBERS}, THREE},
    {.name = "addcmul",
     .cases = FUNCTION_SPECIALS,
     .domain = {NUMBERS, NUMBERS, LINE},
     THREE,
     .given = values},
    {.name = "addcdiv",
     .cases = FUNCTION_SPECIALS,
     .domain = {NUMBERS, NUMBERS, LINE},
     THREE,
     .given = values},
    {.name = "clamp",
     .cases = FUNCTION_SPECIALS,
     .domain = {NUMBERS,
                {.least = -100, .most = 0, .turn = {-1, -100}},
                {.least = -10, .most = 100, .turn = {1, 1024}}},
     THREE},
    {.name = "where",
     .cases = FUNCTION_SPECIALS,
     .domain = {{.condition = true, .most = 1}, NUMBERS, NUMBERS},
     THREE},
};

int function_count(void)
{
    return (int)(sizeof functions / sizeof *functions);
}

const struct function *function_at(int index)
{
    return &functions[index];
}
