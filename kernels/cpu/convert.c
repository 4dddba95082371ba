/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/cpu/convert.h"
#include "kernels/cpu/half.h"

#include <string.h>

int64_t cpu_integer_at(enum dtype dtype, const unsigned char *from)
{
    int32_t single;
    int64_t wide;
    switch (dtype) {
    case DTYPE_INT8:
        return (int8_t)*from;
    case DTYPE_INT32:
        memcpy(&single, from, sizeof single);
        return single;
    case DTYPE_INT64:
        memcpy(&wide, from, sizeof wide);
        return wide;
    default:
        return *from;
    }
}

void cpu_put_integer(enum dtype dtype, unsigned char *to, int64_t x)
{
    uint32_t low = (uint32_t)x;
    if (dtype == DTYPE_INT64) {
        memcpy(to, &x, sizeof x);
    } else if (dtype == DTYPE_INT32) {
        memcpy(to, &low, sizeof low);
    } else {
        *to = dtype == DTYPE_BOOL ? x != 0 : (unsigned char)low;
    }
}

static double float_at(enum dtype dtype, const unsigned char *from)
{
    uint16_t half;
    float single;
    double wide;
    if (dtype == DTYPE_FLOAT64) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    if (dtype == DTYPE_FLOAT32) {
        memcpy(&single, from, sizeof single);
        return (double)single;
    }
    memcpy(&half, from, sizeof half);
    return (double)(dtype == DTYPE_FLOAT16 ? float16_to_float(half) : bfloat16_to_float(half));
}

/* Rounds `single` to a 16-bit format. The caller has rounded it to odd, so that this equals one rounding. */
static void put_half(enum dtype dtype, unsigned char *to, float single)
{
    uint16_t half = dtype == DTYPE_FLOAT16 ? float16_from_float(single) : bfloat16_from_float(single);
    memcpy(to, &half, sizeof half);
}

static void put_float(enum dtype dtype, unsigned char *to, double x)
{
    float single = (float)x;
    if (dtype == DTYPE_FLOAT64) {
        memcpy(to, &x, sizeof x);
    } else if (dtype == DTYPE_FLOAT32) {
        memcpy(to, &single, sizeof single);
    } else {
        put_half(dtype, to, half_odd_from_double(x));
    }
}

static void put_whole(enum dtype dtype, unsigned char *to, int64_t n)
{
    float single = (float)n;
    double wide = (double)n;
    if (dtype == DTYPE_FLOAT64) {
        memcpy(to, &wide, sizeof wide);
    } else if (dtype == DTYPE_FLOAT32) {
        memcpy(to, &single, sizeof single);
    } else {
        put_half(dtype, to, half_odd_from_integer(n));
    }
}

/* Rounds x toward zero; returns INT64_MIN for NaN and beyond the range of int64, which C leaves undefined. */
static int64_t truncated(double x)
{
    return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}

void cpu_convert(enum dtype from, const unsigned char *source, enum dtype to, unsigned char *target)
{
    if (from == to) {
        memcpy(target, source, dtype_info(to)->size);
    } else if (!dtype_is_real(from)) {
        int64_t n = cpu_integer_at(from, source);
        if (dtype_is_real(to)) {
            put_whole(to, target, n);
        } else {
            cpu_put_integer(to, target, n);
        }
    } else {
        double x = float_at(from, source);
        if (dtype_is_real(to)) {
            put_float(to, target, x);
        } else {
            cpu_put_integer(to, target, to == DTYPE_BOOL ? x != 0 : truncated(x));
        }
    }
}
