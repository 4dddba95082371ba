/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Arithmetic on integers: modulo 2^width, and without a conversion to float. */
#include "reference/test/arb.h"

#include <gmp.h>

enum { COUNT = 4000 };

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

/* --- against integers of any size */

/* Returns x modulo 2^bits as a number of the dtype. */
static int64_t modulo(enum dtype dtype, const mpz_t x)
{
    unsigned char bytes[8];
    mpz_t rest;
    mpz_init(rest);
    mpz_fdiv_r_2exp(rest, x, 64);
    dtype_store_bits(dtype, bytes, mpz_get_ui(rest));
    mpz_clear(rest);
    return dtype_load_integer(dtype, bytes);
}

/* Any number of bits, of either sign; the first ones are where quotients wrap or are whole. */
static struct tensor any_integers(enum dtype dtype, uint64_t seed, bool divisors)
{
    static const int64_t first[][2] = {{INT64_MIN, -1}, {INT32_MIN, -1}, {7, -2},        {-7, 2},
                                       {-8, 2},         {0, -3},         {INT64_MIN, 2}, {INT64_MAX, -1},
                                       {-1, INT64_MAX}, {1, INT64_MIN}};
    enum { FIRST = sizeof first / sizeof *first };
    double none[COUNT] = {0};
    struct tensor x = tensor_from(dtype, shape_of(1, (int64_t)COUNT), none);
    struct philox g;
    philox_start(&g, seed);
    for (int i = 0; i < COUNT; i++) {
        int64_t number = (int64_t)philox_next64(&g) >> philox_below(&g, 64);
        number = i < FIRST ? first[i][divisors] : divisors && number == 0 ? 3 : number;
        unsigned char *at = x.data + (size_t)i * dtype_info(dtype)->size;
        dtype_store_bits(dtype, at, (uint64_t)number);
        if (divisors && dtype_load_integer(dtype, at) == 0) {
            dtype_store_bits(dtype, at, 3);
        }
    }
    return x;
}

static int64_t integer_at(const struct tensor *x, int i)
{
    return dtype_load_integer(x->dtype, x->data + (size_t)i * dtype_info(x->dtype)->size);
}

static struct attributes rounding(int64_t mode)
{
    return (struct attributes){
        .count = 1, .item = {{.name = "rounding_mode", .type = ATTRIBUTE_CHOICE, .integer = mode}}};
}

/* hi may be 2^63 if lo is below 0. */
static bool is_integer(const struct value *value, int64_t integer)
{
    mpz_t sum, low;
    mpz_init_set_d(sum, value->hi);
    mpz_init_set_d(low, value->lo);
    mpz_add(sum, sum, low);
    bool same = mpz_cmp_si(sum, integer) == 0;
    mpz_clears(sum, low, NULL);
    return same;
}

static void hold_quotients(enum dtype dtype, int64_t mode)
{
    struct tensor input[] = {any_integers(dtype, 3, false), any_integers(dtype, 4, true)};
    struct attributes attributes = rounding(mode);
    struct truth *truth = truth_of_call("div", &attributes, 2, input);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (int i = 0; i < COUNT; i++) {
        const struct value *value = &truth->output[0].value[i];
        mpz_set_si(x, integer_at(&input[0], i));
        mpz_set_si(y, integer_at(&input[1], i));
        (mode == 1 ? mpz_tdiv_q : mpz_fdiv_q)(x, x, y);
        cr_expect(value->exact && is_integer(value, modulo(dtype, x)),
                  "%lld over %lld by mode %lld is %.17g and not %lld", (long long)integer_at(&input[0], i),
                  (long long)integer_at(&input[1], i), (long long)mode, value->hi,
                  (long long)modulo(dtype, x));
    }
    mpz_clears(x, y, NULL);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

Test(arithmetic_integers, quotients_are_those_of_whole_numbers)
{
    for (int64_t mode = 1; mode <= 2; mode++) {
        hold_quotients(DTYPE_INT32, mode);
        hold_quotients(DTYPE_INT64, mode);
    }
}

static void hold_sums(const char *name, enum dtype dtype, int64_t alpha)
{
    struct tensor input[] = {any_integers(dtype, 5, false), any_integers(dtype, 6, false)};
    struct attributes attributes = {.count = 1,
                                    .item = {{.name = "alpha", .type = ATTRIBUTE_INTEGER, .integer = alpha}}};
    struct truth *truth = truth_of_call(name, &attributes, 2, input);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (int i = 0; i < COUNT; i++) {
        const struct value *value = &truth->output[0].value[i];
        mpz_set_si(x, integer_at(&input[0], i));
        mpz_set_si(y, alpha);
        mpz_mul_si(y, y, integer_at(&input[1], i));
        (strcmp(name, "add") == 0 ? mpz_add : mpz_sub)(x, x, y);
        cr_expect(value->exact && is_integer(value, modulo(dtype, x)), "%s(%lld, %lld) with %lld is not %lld",
                  name, (long long)integer_at(&input[0], i), (long long)integer_at(&input[1], i),
                  (long long)alpha, (long long)modulo(dtype, x));
    }
    mpz_clears(x, y, NULL);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

Test(arithmetic_integers, a_factor_passes_through_no_float)
{
    static const int64_t alphas[] = {1, 0, -1, 3, 16777217, 0x20000000000001, INT64_MIN, INT64_MAX};
    for (size_t k = 0; k < sizeof alphas / sizeof *alphas; k++) {
        hold_sums("add", DTYPE_INT32, alphas[k]);
        hold_sums("sub", DTYPE_INT32, alphas[k]);
        hold_sums("add", DTYPE_INT64, alphas[k]);
        hold_sums("sub", DTYPE_INT64, alphas[k]);
    }
}

Test(arithmetic_integers, a_quotient_that_is_not_rounded_is_no_integer)
{
    const struct shape eight = shape_of(1, (int64_t)8);
    const struct attributes none = {.count = 0}, exact = rounding(0), cut = rounding(1),
                            floored = rounding(2);
    static const enum dtype dtypes[] = {DTYPE_INT32, DTYPE_INT64};
    for (int d = 0; d < 2; d++) {
        struct view x[] = {view_contiguous(0, dtypes[d], &eight), view_contiguous(1, dtypes[d], &eight)};
        cr_expect(refuses("div", &none, 2, x, NULL));
        cr_expect(refuses("div", &exact, 2, x, NULL));
        cr_expect_not(refuses("div", &cut, 2, x, NULL));
        cr_expect_not(refuses("div", &floored, 2, x, NULL));
    }
}
