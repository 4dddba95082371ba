/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Arithmetic on integers: modulo their width, and through no float. */
#include "reference/test/arb.h"

static int64_t whole(enum dtype dtype, const char *name, int64_t x, int64_t y)
{
    double none = 0;
    struct tensor input[] = {tensor_from(dtype, shape_of(1, (int64_t)1), &none),
                             tensor_from(dtype, shape_of(1, (int64_t)1), &none)};
    dtype_store_bits(dtype, input[0].data, (uint64_t)x);
    dtype_store_bits(dtype, input[1].data, (uint64_t)y);
    struct truth *truth = truth_of_call(name, NULL, strcmp(name, "bitwise_not") == 0 ? 1 : 2, input);
    const struct value *value = &truth->output[0].value[0];
    cr_expect(value->exact && value->class == VALUE_FINITE);
    int64_t result = (int64_t)value->hi + (int64_t)value->lo;
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    return result;
}

Test(arithmetic_integers, integers_are_taken_modulo_their_width_and_pass_through_no_float)
{
    const int64_t odd = (INT64_C(1) << 53) + 1, most = INT64_MAX;
    const struct {
        enum dtype dtype;
        const char *name;
        int64_t x, y, result;
    } row[] = {
        {DTYPE_INT32, "add", INT32_MAX, 1, INT32_MIN},
        {DTYPE_INT32, "mul", 65537, 65537, 131073},
        {DTYPE_INT32, "sub", INT32_MIN, 1, INT32_MAX},
        {DTYPE_INT32, "floor_divide", -7, 2, -4},
        {DTYPE_INT32, "remainder", -7, 2, 1},
        {DTYPE_INT32, "fmod", -7, 2, -1},
        {DTYPE_INT32, "bitwise_left_shift", 1, 31, INT32_MIN},
        {DTYPE_INT32, "bitwise_right_shift", -8, 1, -4},
        {DTYPE_INT64, "add", most, 2, INT64_MIN + 1},
        {DTYPE_INT64, "mul", odd, 3, 3 * odd},
        {DTYPE_INT64, "sub", odd, -2, odd + 2},
        {DTYPE_INT64, "maximum", odd, odd - 1, odd},
        {DTYPE_INT64, "minimum", -odd, -odd + 1, -odd},
        {DTYPE_INT64, "floor_divide", -odd, 2, -(odd + 1) / 2},
        {DTYPE_INT64, "remainder", odd, 4, 1},
        {DTYPE_INT64, "bitwise_xor", odd, 1, odd - 1},
        {DTYPE_INT64, "bitwise_and", -1, odd, odd},
        {DTYPE_INT64, "bitwise_or", odd, 2, odd + 2},
        {DTYPE_INT64, "bitwise_not", odd, 0, -odd - 1},
        {DTYPE_INT64, "bitwise_left_shift", 1, 63, INT64_MIN},
        {DTYPE_INT64, "bitwise_right_shift", INT64_MIN, 62, -2},
        {DTYPE_INT64, "eq", odd, odd - 1, 0},
        {DTYPE_INT64, "lt", odd - 1, odd, 1},
        {DTYPE_INT64, "ge", -odd, -odd + 1, 0},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        int64_t got = whole(row[k].dtype, row[k].name, row[k].x, row[k].y);
        cr_expect(got == row[k].result, "%s(%lld, %lld) is %lld and not %lld", row[k].name,
                  (long long)row[k].x, (long long)row[k].y, (long long)got, (long long)row[k].result);
    }
}
