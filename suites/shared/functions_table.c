/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The domains that rows of suites/shared/functions.def share, and the table that is made of the rows.
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
#define DIVISOR                                                                                              \
    {                                                                                                        \
        .least = -100, .most = 100, .turn = {1, -1, 3, 0.1, 7}, .whole = WHOLE_DIVISOR                       \
    }
#define SHIFT                                                                                                \
    {                                                                                                        \
        .least = 0, .most = 31, .turn = {1, 8, 31}, .whole = WHOLE_SHIFT                                     \
    }

static const struct function functions[] = {
#define FUNCTION(name_, ...)               {.name = #name_, __VA_ARGS__},
#define FUNCTION_OF(operands_, name_, ...) {.name = #name_, .operands = operands_, __VA_ARGS__},
#define FUNCTION_VIEWED                    FUNCTION_OF
#include "suites/shared/functions.def"
};

int function_count(void)
{
    return (int)(sizeof functions / sizeof *functions);
}

const struct function *function_at(int index)
{
    return &functions[index];
}
