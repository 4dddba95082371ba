/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_FUNCTIONS_ATTRIBUTES_H
#define ASSAY_SUITES_SHARED_FUNCTIONS_ATTRIBUTES_H

/* The attributes that cases of element-wise functions pass, for functions.def only. */

#include "suites/shared/functions.h"

#define GIVEN(...)                                                                                           \
    (const struct function_given[])                                                                          \
    {                                                                                                        \
        __VA_ARGS__,                                                                                         \
        {                                                                                                    \
            .suffix = NULL                                                                                   \
        }                                                                                                    \
    }
#define ASKED(name, ...)                                                                                     \
    {                                                                                                        \
        .suffix = name, .attributes = WITH(__VA_ARGS__)                                                      \
    }
#define BEYOND(...)                                                                                          \
    {                                                                                                        \
        .suffix = "", .attributes = WITH(__VA_ARGS__), .beyond = true                                        \
    }
#define WITH(...)                                                                                            \
    {                                                                                                        \
        .count = sizeof((struct attribute[]){__VA_ARGS__}) / sizeof(struct attribute), .item = {             \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define WHOLE(n, i)                                                                                          \
    {                                                                                                        \
        .name = n, .type = ATTRIBUTE_INTEGER, .integer = i                                                   \
    }
#define NUMBER(n, x)                                                                                         \
    {                                                                                                        \
        .name = n, .type = ATTRIBUTE_REAL, .real = x                                                         \
    }
#define WORD(n, w, i)                                                                                        \
    {                                                                                                        \
        .name = n, .type = ATTRIBUTE_CHOICE, .word = w, .integer = i                                         \
    }

/* alpha: powers of two, whose products are exact; 3; 0.1, which no float holds; 0, which makes NaN of an
 * infinity; a number whose products leave the range. Of integer dtypes also numbers that float32, and
 * float64, do not hold. */
enum {
    SINGLES = 1 << DTYPE_BFLOAT16 | 1 << DTYPE_FLOAT32,
    FLOATS = SINGLES | 1 << DTYPE_FLOAT16 | 1 << DTYPE_FLOAT64,
    INTEGERS = 1 << DTYPE_INT32 | 1 << DTYPE_INT64
};
#define ALPHA(name, attribute, dtypes_, laid_)                                                               \
    {                                                                                                        \
        .suffix = "alpha-" name, .attributes = WITH(attribute), .dtypes = dtypes_, .laid = laid_             \
    }
static const struct function_given alphas[] = {
    ALPHA("2", NUMBER("alpha", 2), FLOATS, false),
    ALPHA("minus-half", NUMBER("alpha", -0.5), FLOATS, false),
    ALPHA("3", NUMBER("alpha", 3), FLOATS, true),
    ALPHA("tenth", NUMBER("alpha", 0.1), FLOATS, false),
    ALPHA("0", NUMBER("alpha", 0), FLOATS, false),
    ALPHA("large", NUMBER("alpha", 30000), 1 << DTYPE_FLOAT16, false),
    ALPHA("large", NUMBER("alpha", 1e38), SINGLES, false),
    ALPHA("large", NUMBER("alpha", 1e308), 1 << DTYPE_FLOAT64, false),
    ALPHA("3", WHOLE("alpha", 3), INTEGERS, true),
    ALPHA("minus-1", WHOLE("alpha", -1), INTEGERS, false),
    ALPHA("16777217", WHOLE("alpha", 16777217), INTEGERS, false),
    ALPHA("far", WHOLE("alpha", 0x20000000000001), 1 << DTYPE_INT64, false),
    {.suffix = NULL}};

/* Below and above the defaults, and where an exponential on the left of the bend overflows. */
static const struct function_given elu_givens[] = {ASKED("alpha", NUMBER("alpha", 0.3)),
                                                   BEYOND(NUMBER("alpha", 0.03125)),
                                                   BEYOND(NUMBER("alpha", 6.5)),
                                                   {.suffix = NULL}};
static const struct function_given celu_givens[] = {ASKED("alpha", NUMBER("alpha", 2.7)),
                                                    BEYOND(NUMBER("alpha", 0.03125)),
                                                    BEYOND(NUMBER("alpha", 6.5)),
                                                    {.suffix = NULL}};
static const struct function_given slopes[] = {ASKED("slope", NUMBER("negative_slope", 0.25)),
                                               BEYOND(NUMBER("negative_slope", -0.75)),
                                               BEYOND(NUMBER("negative_slope", 3)),
                                               BEYOND(NUMBER("negative_slope", 0.001)),
                                               {.suffix = NULL}};
static const struct function_given softplus_givens[] = {
    ASKED("beta", NUMBER("beta", 2), NUMBER("threshold", 5)),
    BEYOND(NUMBER("threshold", 200)),
    BEYOND(NUMBER("threshold", 2000)),
    BEYOND(NUMBER("beta", 0.25), NUMBER("threshold", 1500)),
    BEYOND(NUMBER("beta", 8), NUMBER("threshold", 1)),
    {.suffix = NULL}};
static const struct function_given intervals[] = {
    ASKED("relu6", NUMBER("min_val", 0.1), NUMBER("max_val", 6)),
    BEYOND(NUMBER("min_val", -7.5), NUMBER("max_val", -2)),
    BEYOND(NUMBER("min_val", 3), NUMBER("max_val", 3.5)),
    BEYOND(NUMBER("min_val", -1000), NUMBER("max_val", 2000)),
    {.suffix = NULL}};
static const struct function_given values[] = {ASKED("value", NUMBER("value", 0.3)),
                                               BEYOND(NUMBER("value", -2.5)),
                                               BEYOND(NUMBER("value", 40)),
                                               {.suffix = NULL}};

#endif
