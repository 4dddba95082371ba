/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Products of int8 against FLINT's integer matrices: only the exact integer is accepted. Scaled sums against
 * Arb: as many roundings are accepted as an implementation may have. */
#include "reference/test/support.h"

enum { M = 3, N = 4 };

static void fill(struct tensor *x, enum dtype dtype, int64_t rows, int64_t columns, struct philox *generator,
                 bool extreme)
{
    struct shape shape = shape_of(2, rows, columns);
    cr_assert(tensor_create(x, dtype, &shape));
    for (int64_t i = 0; i < rows * columns; i++) {
        uint32_t any = philox_below(generator, 256);
        x->data[i] = (unsigned char)(!extreme ? any : any < 16 ? 125 : any < 40 ? 0x80 : 127);
    }
}

static bool accepts_integer(const struct accept *accept, int64_t x)
{
    unsigned char got[4];
    dtype_store_bits(DTYPE_INT32, got, (uint64_t)x & UINT32_MAX);
    return accept_judge(accept, got).accepted;
}

/* [M, k] times [k, N]; FLINT multiplies the same numbers. */
static void product_of(fmpz_mat_t c, const struct tensor *a, const struct tensor *b, int64_t k, bool linear)
{
    fmpz_mat_t x, y;
    fmpz_mat_init(x, M, (slong)k);
    fmpz_mat_init(y, (slong)k, N);
    for (int64_t t = 0; t < k; t++) {
        for (int64_t i = 0; i < N; i++) {
            fmpz_set_si(fmpz_mat_entry(x, i % M, t), (int8_t)a->data[i % M * k + t]);
            fmpz_set_si(fmpz_mat_entry(y, t, i), (int8_t)b->data[linear ? i * k + t : t * N + i]);
        }
    }
    fmpz_mat_mul(c, x, y);
    fmpz_mat_clear(x);
    fmpz_mat_clear(y);
}

Test(int_mm, one_integer_is_right)
{
    static const int64_t terms[] = {0, 1, 7, 1041, 4099, 65537};
    struct philox generator;
    struct profile ieee = profile_ieee();
    philox_start(&generator, 3);
    for (size_t s = 0; s < 2 * sizeof terms / sizeof *terms; s++) {
        int64_t k = terms[s / 2];
        struct tensor input[2];
        fill(&input[0], DTYPE_INT8, M, k, &generator, s % 2);
        fill(&input[1], DTYPE_INT8, k, N, &generator, s % 2);
        fmpz_mat_t c;
        fmpz_mat_init(c, M, N);
        product_of(c, &input[0], &input[1], k, false);
        struct truth *truth = truth_of_call("int_mm", NULL, 2, input);
        for (int64_t i = 0; i < M * N; i++) {
            int64_t right = fmpz_get_si(fmpz_mat_entry(c, i / N, i % N));
            struct accept accept = accept_of("int_mm", NULL, &ieee, truth, 0, i, false);
            cr_assert(accepts_integer(&accept, right), "k = %d", (int)k);
            cr_assert_not(accepts_integer(&accept, right + 1) || accepts_integer(&accept, right - 1));
            cr_assert_not(right != (int16_t)right && accepts_integer(&accept, (int16_t)right), "16 bits");
        }
        fmpz_mat_clear(c);
        truth_destroy(&truth);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
}

/* The exact product, rounded to float32, and numbers `within` ulp of it must be accepted, numbers `without`
 * ulp from it must not. */
static void check_scaled(const struct accept *accept, int64_t sum, double x, double w, int within,
                         int without)
{
    arb_t exact, factor;
    arb_init(exact);
    arb_init(factor);
    arb_set_si(exact, (slong)sum);
    arb_set_d(factor, x);
    arb_mul(exact, exact, factor, 256);
    arb_set_d(factor, w);
    arb_mul(exact, exact, factor, 256);
    cr_assert(arb_is_exact(exact));
    float right = (float)arf_get_d(arb_midref(exact), ARF_RND_NEAR), up = right, down = right;
    cr_assert(accepts_double(accept, (double)right), "%lld·%g·%g", (long long)sum, x, w);
    for (int step = 1; step <= without; step++) {
        up = nextafterf(up, INFINITY);
        down = nextafterf(down, -INFINITY);
        bool both = accepts_double(accept, (double)up) && accepts_double(accept, (double)down);
        cr_assert(step > within || both, "%lld·%g·%g: %d", (long long)sum, x, w, step);
        bool either = accepts_double(accept, (double)up) || accepts_double(accept, (double)down);
        cr_assert_not(step == without && either, "%lld·%g·%g: %d", (long long)sum, x, w, step);
    }
    arb_clear(exact);
    arb_clear(factor);
}

Test(int_mm, a_scaled_sum_is_rounded_as_often_as_its_parts_are_no_float32)
{
    struct philox generator;
    struct profile ieee = profile_ieee();
    philox_start(&generator, 4);
    for (int kind = 0; kind < 8;
         kind++) { /* long sums, an input scale that is no power of two, and of the weight */
        int64_t k = kind & 4 ? 4099 : 33;
        struct tensor input[4];
        fill(&input[0], DTYPE_INT8, M, k, &generator, kind & 4);
        fill(&input[1], DTYPE_INT8, N, k, &generator, kind & 4);
        double x = kind & 1 ? (double)0.37F : 0.25, w[N];
        for (int j = 0; j < N; j++) {
            w[j] = kind & 2 ? (double)(0.013F * (float)(2 * j + 1)) : ldexp(1, -j);
        }
        input[2] = tensor_from(DTYPE_FLOAT32, (struct shape){.rank = 0}, &x);
        input[3] = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)N), w);
        fmpz_mat_t c;
        fmpz_mat_init(c, M, N);
        product_of(c, &input[0], &input[1], k, true);
        struct truth *truth = truth_of_call("int8_linear", NULL, 4, input);
        for (int64_t i = 0; i < M * N; i++) {
            int64_t sum = fmpz_get_si(fmpz_mat_entry(c, i / N, i % N));
            struct accept accept = accept_of("int8_linear", NULL, &ieee, truth, 0, i, false);
            int roundings = ((double)(float)sum != (double)sum) + ((kind & 3) == 3);
            if (sum != 0) { /* of n roundings half a place each at least, and one at most; the truth is half a
                               place off */
                check_scaled(&accept, sum, x, w[i % N], roundings > 0 ? 0 : -1,
                             roundings == 0 ? 1 : 2 + roundings);
            }
        }
        fmpz_mat_clear(c);
        truth_destroy(&truth);
        for (int o = 0; o < 4; o++) {
            tensor_destroy(&input[o]);
        }
    }
}

/* Both orders of the products, and a sum that was rounded before them. */
Test(int_mm, every_order_of_the_scales_is_taken)
{
    struct philox generator;
    struct profile ieee = profile_ieee();
    philox_start(&generator, 6);
    struct tensor input[4];
    fill(&input[0], DTYPE_INT8, M, 4099, &generator, true);
    fill(&input[1], DTYPE_INT8, N, 4099, &generator, true);
    for (int turn = 0; turn < 200; turn++) {
        double x = (double)(float)(0.1 + philox_unit(&generator)), w[N];
        for (int j = 0; j < N; j++) {
            w[j] = (double)(float)(0.1 + philox_unit(&generator));
        }
        input[2] = tensor_from(DTYPE_FLOAT32, (struct shape){.rank = 0}, &x);
        input[3] = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)N), w);
        struct truth *truth = truth_of_call("int8_linear", NULL, 4, input);
        fmpz_mat_t c;
        fmpz_mat_init(c, M, N);
        product_of(c, &input[0], &input[1], 4099, true);
        for (int64_t i = 0; i < M * N; i++) {
            float sum = (float)fmpz_get_si(fmpz_mat_entry(c, i / N, i % N)), s = (float)x,
                  t = (float)w[i % N];
            struct accept accept = accept_of("int8_linear", NULL, &ieee, truth, 0, i, false);
            float both = s * t, first = sum * s, second = sum * t;
            cr_assert(accepts_double(&accept, (double)(sum * both)));
            cr_assert(accepts_double(&accept, (double)(first * t)) &&
                      accepts_double(&accept, (double)(second * s)));
        }
        fmpz_mat_clear(c);
        truth_destroy(&truth);
        tensor_destroy(&input[2]);
        tensor_destroy(&input[3]);
    }
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

/* 6·3e37·2^-120: a product of two of the factors that is no float32, and results at its end. */
Test(int_mm, scales_far_from_1_overflow_in_one_order)
{
    static const struct {
        double x, w;
        bool may;
    } call[] = {{3e38, 0x1p-120, true}, {0x1p-120, 3e38, true}, {3e37, 0x1p-120, false}, {3e38, 0.5, false}};
    struct profile ieee = profile_ieee();
    for (int k = 0; k < 4; k++) {
        const double six[] = {2, 3};
        struct tensor input[4] = {tensor_from(DTYPE_INT8, shape_of(2, (int64_t)1, (int64_t)1), six),
                                  tensor_from(DTYPE_INT8, shape_of(2, (int64_t)1, (int64_t)1), six + 1),
                                  tensor_from(DTYPE_FLOAT32, (struct shape){.rank = 0}, &call[k].x),
                                  tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)1), &call[k].w)};
        struct truth *truth = truth_of_call("int8_linear", NULL, 4, input);
        struct accept accept = accept_of("int8_linear", NULL, &ieee, truth, 0, 0, false);
        const double right = (double)((float)(6 * call[k].w) * (float)call[k].x);
        cr_expect(accepts_double(&accept, right), "%d", k);
        cr_expect_eq(accepts_double(&accept, INFINITY), call[k].may || isinf(right), "%d", k);
        cr_expect_not(accepts_double(&accept, 1) || accepts_double(&accept, 0), "%d", k);
        truth_destroy(&truth);
        for (int o = 0; o < 4; o++) {
            tensor_destroy(&input[o]);
        }
    }
}

Test(int_mm, what_does_not_fit_is_refused)
{
    struct shape a = shape_of(2, (int64_t)3, (int64_t)4), b = shape_of(2, (int64_t)4, (int64_t)5),
                 batch = shape_of(3, (int64_t)2, (int64_t)3, (int64_t)4),
                 weight = shape_of(2, (int64_t)5, (int64_t)4), scalar = {.rank = 0},
                 five = shape_of(1, (int64_t)5), four = shape_of(1, (int64_t)4);
    struct view x = view_contiguous(0, DTYPE_INT8, &a), y = view_contiguous(1, DTYPE_INT8, &b), z = x;
    cr_expect_not(refuses("int_mm", NULL, 2, (const struct view[]){x, y}, NULL));
    cr_expect(refuses("int_mm", NULL, 2, (const struct view[]){y, x}, NULL));
    z.dtype = DTYPE_UINT8;
    cr_expect(refuses("int_mm", NULL, 2, (const struct view[]){z, y}, NULL));
    struct view several = view_contiguous(0, DTYPE_INT8, &batch), w = view_contiguous(1, DTYPE_INT8, &weight),
                one = view_contiguous(2, DTYPE_FLOAT32, &scalar),
                each = view_contiguous(3, DTYPE_FLOAT32, &five),
                fewer = view_contiguous(3, DTYPE_FLOAT32, &four);
    cr_expect(refuses("int_mm", NULL, 2, (const struct view[]){several, y}, NULL));
    cr_expect_not(refuses("int8_linear", NULL, 4, (const struct view[]){several, w, one, each}, NULL));
    cr_expect_not(refuses("int8_linear", NULL, 4, (const struct view[]){x, w, one, each}, NULL));
    cr_expect(refuses("int8_linear", NULL, 4, (const struct view[]){x, w, one, fewer}, NULL));
    cr_expect(refuses("int8_linear", NULL, 4, (const struct view[]){x, w, each, each}, NULL));
    cr_expect(refuses("int8_linear", NULL, 4, (const struct view[]){x, y, one, each}, NULL));
    one.dtype = DTYPE_FLOAT16;
    cr_expect(refuses("int8_linear", NULL, 4, (const struct view[]){x, w, one, each}, NULL));
}
