/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions that compare, choose, or read bits (reference/ops/elementwise/elementwise.h).
 *
 * Definitions: PyTorch's torch.NAME of tensors of one dtype. Comparisons are IEEE 754's: with a NaN only ne
 * is true. maximum, minimum and clamp return NaN if an operand is NaN; fmax and fmin ignore one NaN; of zeros
 * of both signs either may be chosen. copysign and where move bits, including the payload of a NaN. Shifts
 * are by less than the width of the dtype; right shifts are arithmetic. */

#include "reference/ops/elementwise/elementwise.h"

#include <math.h>

enum { FLOATS = ELEMENTWISE_FLOATS, INTEGERS = ELEMENTWISE_INTEGERS, NUMBERS = FLOATS | INTEGERS };

#define COMPARISON(name, operator)                                                                           \
    static struct value name##_numbers(enum dtype dtype, const double *x)                                    \
    {                                                                                                        \
        (void)dtype;                                                                                         \
        return value_of(x[0] operator x[1]);                                                                 \
    }                                                                                                        \
    static int64_t name##_integers(const int64_t *x)                                                         \
    {                                                                                                        \
        return x[0] operator x[1];                                                                           \
    }
COMPARISON(eq, ==)
COMPARISON(ne, !=)
COMPARISON(lt, <)
COMPARISON(le, <=)
COMPARISON(gt, >)
COMPARISON(ge, >=)

static struct value greater(enum dtype dtype, const double *x)
{
    (void)dtype;
    return value_of(isnan(x[0]) || x[0] > x[1] ? x[0] : x[1]);
}

static struct value lesser(enum dtype dtype, const double *x)
{
    (void)dtype;
    return value_of(isnan(x[0]) || x[0] < x[1] ? x[0] : x[1]);
}

static struct value greater_number(enum dtype dtype, const double *x)
{
    (void)dtype;
    return value_of(isnan(x[1]) || x[0] > x[1] ? x[0] : x[1]);
}

static struct value lesser_number(enum dtype dtype, const double *x)
{
    (void)dtype;
    return value_of(isnan(x[1]) || x[0] < x[1] ? x[0] : x[1]);
}

static int64_t greater_integer(const int64_t *x)
{
    return x[0] > x[1] ? x[0] : x[1];
}

static int64_t lesser_integer(const int64_t *x)
{
    return x[0] < x[1] ? x[0] : x[1];
}

/* min(max(input, min), max), which is max where min > max. */
static struct value clamped(enum dtype dtype, const double *x)
{
    if (isnan(x[0]) || isnan(x[1]) || isnan(x[2])) {
        return value_of(NAN);
    }
    const double raised[2] = {x[0] < x[1] ? x[1] : x[0], x[2]};
    return lesser(dtype, raised);
}

static int64_t clamped_integer(const int64_t *x)
{
    int64_t raised = x[0] < x[1] ? x[1] : x[0];
    return raised > x[2] ? x[2] : raised;
}

/* Returns the next number of the dtype from x[0] towards x[1]: bits count up or down between numbers of one
 * sign. */
static struct value next_after(enum dtype dtype, const double *x)
{
    unsigned char bytes[8];
    if (isnan(x[0]) || isnan(x[1]) || x[0] == x[1]) {
        return value_of(isnan(x[0]) || isnan(x[1]) ? NAN : x[1]);
    }
    if (x[0] == 0) {
        return value_of(copysign(dtype_least_subnormal(dtype), x[1]));
    }
    dtype_store(dtype, bytes, x[0]);
    uint64_t bits = dtype_bits(dtype, bytes);
    dtype_store_bits(dtype, bytes, (x[1] > x[0]) == (x[0] > 0) ? bits + 1 : bits - 1);
    return value_of(dtype_load(dtype, bytes));
}

static uint64_t with_sign(const struct elementwise_format *format, const uint64_t *x)
{
    return (x[0] & ~format->sign) | (x[1] & format->sign);
}

static uint64_t chosen(const struct elementwise_format *format, const uint64_t *x)
{
    (void)format;
    return x[0] ? x[1] : x[2];
}

static int64_t chosen_integer(const int64_t *x)
{
    return x[0] ? x[1] : x[2];
}

static int64_t and_of(const int64_t *x)
{
    return x[0] & x[1];
}

static int64_t or_of(const int64_t *x)
{
    return x[0] | x[1];
}

static int64_t xor_of(const int64_t *x)
{
    return x[0] ^ x[1];
}

static int64_t not_of(const int64_t *x)
{
    return ~x[0];
}

static int64_t shifted_left(const int64_t *x)
{
    return x[1] < 0 || x[1] > 63 ? 0 : (int64_t)((uint64_t)x[0] << x[1]);
}

static int64_t shifted_right(const int64_t *x)
{
    return x[0] >> (x[1] < 0 || x[1] > 63 ? 63 : x[1]);
}

#define PREDICATE(name, test)                                                                                \
    static struct value name##_number(enum dtype dtype, const double *x)                                     \
    {                                                                                                        \
        (void)dtype;                                                                                         \
        return value_of((test) != 0);                                                                        \
    }
PREDICATE(isnan, isnan(x[0]))
PREDICATE(isinf, isinf(x[0]))
PREDICATE(isfinite, isfinite(x[0]))

static uint64_t sign_of_bits(const struct elementwise_format *format, const uint64_t *x)
{
    return (*x & format->sign) != 0;
}

static int64_t sign_of_integer(const int64_t *x)
{
    return *x < 0;
}

/* Where x[0] is subnormal and counts as 0, its neighbour is the least number with the sign of x[1]. */
static int lossy_next(enum dtype dtype, const double *x, double *also)
{
    double least = dtype_least_normal(dtype);
    bool lost = x[0] != 0 && fabs(x[0]) < least && !isnan(x[1]);
    *also = x[1] == 0 ? x[1] : copysign(2 * dtype_unit_roundoff(dtype) * least, x[1]);
    return lost ? 1 : 0;
}

#define TWO(name, dtypes) ELEMENTWISE_OP(name, dtypes, ELEMENTWISE_TWO), ELEMENTWISE_EXACTLY
#define ONE(name, dtypes) ELEMENTWISE_OP(name, dtypes, ELEMENTWISE_ONE), ELEMENTWISE_EXACTLY
#define COMPARED(name)                                                                                       \
    {                                                                                                        \
        TWO(#name, NUMBERS), ROW(.value = name##_numbers, .integer = name##_integers, .predicate = true)     \
    }
#define BETWEEN                                                                                              \
    ELEMENTWISE_OP("clamp", NUMBERS,                                                                         \
                   {{"input", OPERAND_READ}, {"min", OPERAND_READ}, {"max", OPERAND_READ}}),                 \
        ELEMENTWISE_EXACTLY
#define WHERE                                                                                                \
    ELEMENTWISE_OP("where", NUMBERS,                                                                         \
                   {{"condition", OPERAND_CONDITION}, {"input", OPERAND_READ}, {"other", OPERAND_READ}}),    \
        ELEMENTWISE_EXACTLY
#define ROW ELEMENTWISE_ROW

static const struct op ops[] = {
    COMPARED(eq),
    COMPARED(ne),
    COMPARED(lt),
    COMPARED(le),
    COMPARED(gt),
    COMPARED(ge),
    {TWO("maximum", NUMBERS), ROW(.value = greater, .integer = greater_integer, .selects = true)},
    {TWO("minimum", NUMBERS), ROW(.value = lesser, .integer = lesser_integer, .selects = true)},
    {TWO("fmax", FLOATS), ROW(.value = greater_number, .selects = true)},
    {TWO("fmin", FLOATS), ROW(.value = lesser_number, .selects = true)},
    {BETWEEN, ROW(.value = clamped, .integer = clamped_integer, .selects = true)},
    {WHERE, ROW(.bits = chosen, .integer = chosen_integer)},
    {TWO("copysign", FLOATS), ROW(.bits = with_sign)},
    {TWO("nextafter", FLOATS), ROW(.value = next_after, .lossy = lossy_next)},
    {TWO("bitwise_and", INTEGERS), ROW(.integer = and_of)},
    {TWO("bitwise_or", INTEGERS), ROW(.integer = or_of)},
    {TWO("bitwise_xor", INTEGERS), ROW(.integer = xor_of)},
    {ONE("bitwise_not", INTEGERS), ROW(.integer = not_of)},
    {TWO("bitwise_left_shift", INTEGERS), ROW(.integer = shifted_left)},
    {TWO("bitwise_right_shift", INTEGERS), ROW(.integer = shifted_right)},
    {ONE("isnan", FLOATS), ROW(.value = isnan_number, .predicate = true)},
    {ONE("isinf", FLOATS), ROW(.value = isinf_number, .predicate = true)},
    {ONE("isfinite", FLOATS), ROW(.value = isfinite_number, .predicate = true)},
    {ONE("signbit", NUMBERS), ROW(.bits = sign_of_bits, .integer = sign_of_integer, .predicate = true)},
};

const struct op_set op_set_comparisons = {.op = ops, .count = sizeof ops / sizeof *ops};
