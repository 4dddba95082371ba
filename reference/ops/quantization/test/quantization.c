/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Quantization against rational arithmetic (GMP): the right integer, the band about a tie within which its
 * neighbour is right too, saturation, dequantized products, and the interval of the gradient. */
#include "reference/ops/quantization/quantization_affine.h"
#include "reference/test/support.h"

#include <gmp.h>

enum { MOST = 4000 };

static struct attributes of_tensor(double scale, int64_t zero, int64_t least, int64_t most)
{
    return (struct attributes){.count = 4,
                               .item = {{.name = "scale", .type = ATTRIBUTE_REAL, .real = scale},
                                        {.name = "zero_point", .type = ATTRIBUTE_INTEGER, .integer = zero},
                                        {.name = "quant_min", .type = ATTRIBUTE_INTEGER, .integer = least},
                                        {.name = "quant_max", .type = ATTRIBUTE_INTEGER, .integer = most}}};
}

static void name_dtype(struct attributes *a, const char *name, enum dtype dtype)
{
    a->item[a->count++] = (struct attribute){
        .name = name, .type = ATTRIBUTE_CHOICE, .integer = dtype, .word = dtype_info(dtype)->name};
}

static bool accepts_integer(const struct accept *accept, int64_t x)
{
    unsigned char got[8];
    dtype_store_bits(accept->dtype, got, (uint64_t)x);
    return accept_judge(accept, got).accepted;
}

/* x/s − (n + 1/2), n = floor(x/s), as a rational. */
static void beyond_half(double x, double s, mpz_t floor, mpq_t rest)
{
    mpq_t scale, half;
    mpq_inits(scale, half, NULL);
    mpq_set_d(rest, x);
    mpq_set_d(scale, s);
    mpq_div(rest, rest, scale);
    mpz_fdiv_q(floor, mpq_numref(rest), mpq_denref(rest));
    mpq_set_z(half, floor);
    mpq_sub(rest, rest, half);
    mpq_set_ui(half, 1, 2);
    mpq_sub(rest, rest, half);
    mpq_clears(scale, half, NULL);
}

/* Halves to even. */
static int64_t nearest(double x, double s)
{
    mpz_t floor;
    mpq_t rest;
    mpz_init(floor);
    mpq_init(rest);
    beyond_half(x, s, floor, rest);
    int side = mpq_sgn(rest);
    int64_t n = mpz_get_si(floor) + (side > 0 || (side == 0 && mpz_odd_p(floor)));
    mpz_clear(floor);
    mpq_clear(rest);
    return n;
}

/* |x/s − half|·2^24/|x/s|: how many units the quotient is from the next half. */
static double units_from_half(double x, double s)
{
    mpz_t floor;
    mpq_t rest;
    mpz_init(floor);
    mpq_init(rest);
    beyond_half(x, s, floor, rest);
    double units = fabs(mpq_get_d(rest)) * 0x1p24 / fabs(x / s);
    mpz_clear(floor);
    mpq_clear(rest);
    return units;
}

static int64_t held(int64_t n, int64_t least, int64_t most)
{
    return n < least ? least : n > most ? most : n;
}

/* A float32 next to (k + 1/2)·s, or anywhere. */
static double number(struct philox *generator, double s, int i)
{
    double k = (double)(int)philox_below(generator, 400) - 200;
    float x = (float)(i % 2 ? (k + 0.5) * s : (k + philox_unit(generator)) * s);
    for (int step = 0; i % 2 && step < i / 2 % 9; step++) {
        x = nextafterf(x, INFINITY);
    }
    return (double)x;
}

/* Two or three roundings of the quotient: two integers are right up to `two_to` units from a tie, one from
 * `one_from` units on. */
static void check_quantize(enum primitives primitives, double s, int64_t zero, int64_t least, int64_t most,
                           double one_from, double two_to)
{
    double x[MOST];
    struct philox generator;
    philox_start(&generator, (uint64_t)zero + 77);
    for (int i = 0; i < MOST; i++) {
        x[i] = number(&generator, s, i);
    }
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)MOST), x);
    struct attributes attributes = of_tensor(s, zero, least, most);
    name_dtype(&attributes, "dtype", DTYPE_INT8);
    struct truth *truth = truth_of_call("quantize_per_tensor", &attributes, 1, &input);
    struct profile ieee = profile_ieee();
    ieee.primitives = primitives;
    int two = 0;
    for (int i = 0; i < MOST; i++) {
        struct accept accept = accept_of("quantize_per_tensor", &attributes, &ieee, truth, 0, i, false);
        int64_t n = nearest(x[i], s), q = held(n + zero, least, most);
        double units = x[i] == 0 ? INFINITY : units_from_half(x[i], s);
        int64_t other = held((x[i] / s < (double)n ? n - 1 : n + 1) + zero, least, most);
        cr_assert_eq(truth->output[0].value[i].hi, (double)q, "%.9g / %g", x[i], s);
        cr_assert(accepts_integer(&accept, q));
        cr_assert_not(q < 127 && accepts_integer(&accept, q + 1) && (units > one_from || q + 1 != other),
                      "%.9g / %g: %g units", x[i], s, units);
        cr_assert_not(q > -128 && accepts_integer(&accept, q - 1) && (units > one_from || q - 1 != other));
        cr_assert(units > two_to || accepts_integer(&accept, other), "%.9g / %g: %g units", x[i], s, units);
        two += other != q && units <= two_to;
    }
    cr_expect(two > 0 || two_to < 0, "some lie in the band");
    truth_destroy(&truth);
    tensor_destroy(&input);
}

Test(quantization, one_integer_is_right_but_next_to_a_half)
{
    check_quantize(PRIMITIVES_LIBM, (double)0.3F, 5, -128, 127, 2.01, 1.99);
    check_quantize(PRIMITIVES_LIBM, 0.1, -3, -128, 127, 3.01, 2.99);
    check_quantize(PRIMITIVES_LIBM, (double)0.7F, 0, -8, 7, 2.01, 1.99);
    check_quantize(PRIMITIVES_LIBM, 0.25, 3, -128, 127, -1, -1); /* a power of two: no band at all */
    check_quantize(PRIMITIVES_LIBM, 2, -9, -100, 99, -1, -1);
    check_quantize(PRIMITIVES_VULKAN, (double)0.3F, 5, -128, 127, 6.01,
                   3.49); /* 2.5 ulp are 2.5 to 5 units */
    check_quantize(PRIMITIVES_VULKAN, 0.25, 3, -128, 127, -1, -1);
}

/* For all scales and x, including those for which x/s in doubles is a tie and the exact quotient is not. */
Test(quantization, the_nearest_integer_is_that_of_the_exact_quotient)
{
    struct philox generator;
    philox_start(&generator, 5);
    for (int i = 0; i < 20000; i++) {
        double s = ldexp(1 + philox_unit(&generator), (int)philox_below(&generator, 20) - 10);
        s = i % 3 ? (double)(float)s : s;
        double k = (double)(int)philox_below(&generator, 1U << (1 + i % 30)) - (double)(1 << (i % 30));
        double x = (k + (i % 2 ? 0.5 : philox_unit(&generator))) * s;
        for (int step = 0; step < i / 2 % 3; step++) {
            x = nextafter(x, i % 5 ? INFINITY : -INFINITY);
        }
        cr_assert_eq(quantization_nearest(x, s), (double)nearest(x, s), "%.17g / %.17g", x, s);
    }
    cr_expect_eq(quantization_nearest(1e30, 0.1), 0x1p40);
    cr_expect_eq(quantization_nearest(-1e30, 0.1), -0x1p40);
}

Test(quantization, what_is_beyond_saturates_and_a_nan_is_anything)
{
    const double x[] = {1e9, -1e9, INFINITY, -INFINITY, 64, 63.5, -64.5, 3e38, NAN};
    const int64_t q[] = {127, -128, 127, -128, 127, 127, -128, 127, 0};
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)9), x);
    struct attributes attributes = of_tensor(0.5, 1, -128, 127);
    name_dtype(&attributes, "dtype", DTYPE_INT8);
    struct truth *truth = truth_of_call("quantize_per_tensor", &attributes, 1, &input);
    struct profile ieee = profile_ieee();
    for (int i = 0; i < 9; i++) {
        struct accept accept = accept_of("quantize_per_tensor", &attributes, &ieee, truth, 0, i, false);
        for (int64_t got = -128; got < 128; got++) {
            cr_expect_eq(accepts_integer(&accept, got), i == 8 || got == q[i], "%g: %d", x[i], (int)got);
        }
    }
    truth_destroy(&truth);
    tensor_destroy(&input);
}

/* (q − z)·s rounded once if the scale is a number of the type. */
Test(quantization, back_is_one_product)
{
    double q[256];
    for (int i = 0; i < 256; i++) {
        q[i] = i - 128;
    }
    struct tensor input = tensor_from(DTYPE_INT8, shape_of(1, (int64_t)256), q);
    struct profile ieee = profile_ieee();
    for (int held = 0; held < 2; held++) {
        double s = held ? (double)0.3F : 0.3;
        struct attributes attributes = {
            .count = 2,
            .item = {{.name = "scale", .type = ATTRIBUTE_REAL, .real = s},
                     {.name = "zero_point", .type = ATTRIBUTE_INTEGER, .integer = 7}}};
        name_dtype(&attributes, "out_dtype", DTYPE_FLOAT32);
        struct truth *truth = truth_of_call("dequantize_per_tensor", &attributes, 1, &input);
        int wider = 0;
        for (int i = 0; i < 256; i++) {
            struct accept accept = accept_of("dequantize_per_tensor", &attributes, &ieee, truth, 0, i, false);
            float right = (float)((q[i] - 7) * s), in_floats = (float)(q[i] - 7) * (float)s;
            cr_assert(accepts_double(&accept, (double)right) && accepts_double(&accept, (double)in_floats));
            wider += accepts_double(&accept, (double)nextafterf(right, 1e9F));
            cr_assert_not(accepts_double(&accept, (double)(right + 3 * (nextafterf(right, 1e9F) - right))));
        }
        cr_expect_eq(wider > 0, !held, "%d", wider);
        truth_destroy(&truth);
    }
    tensor_destroy(&input);
}

/* At a tie the products of both neighbours are accepted, and no number between them. */
Test(quantization, a_fake_quantum_is_a_multiple_of_the_scale)
{
    const double s = (double)0.3F, x[] = {(double)(float)(2.5 * s), 0.31, 1e6, NAN};
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)4), x);
    struct attributes attributes = of_tensor(s, 2, -8, 7);
    struct truth *truth = truth_of_call("fake_quantize_per_tensor_affine", &attributes, 1, &input);
    struct profile ieee = profile_ieee();
    static const int right[][2] = {{2, 3}, {1, 1}, {5, 5}};
    for (int i = 0; i < 4; i++) {
        struct accept accept =
            accept_of("fake_quantize_per_tensor_affine", &attributes, &ieee, truth, 0, i, false);
        for (int n = -10; n < 6; n++) {
            bool wanted = i == 3 || n == right[i][0] || n == right[i][1];
            cr_expect_eq(accepts_double(&accept, (double)((float)n * 0.3F)), wanted, "%g: %d", x[i], n);
            cr_expect_eq(accepts_double(&accept, (n + 0.5) * s), i == 3, "%g: %d and a half", x[i], n);
        }
        cr_expect_eq(accepts_double(&accept, NAN), i == 3);
    }
    truth_destroy(&truth);
    tensor_destroy(&input);
}

Test(quantization, a_gradient_passes_at_both_ends_and_not_beyond)
{
    double grad[9] = {1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, NAN};
    const double s = 0.5, x[9] = {-4, -4.25, -4.5, 3.5, 3.75, 3.7, 4, INFINITY, 100};
    const bool passes[9] = {true, true, false, true, false, true, false, false, false};
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)9), grad),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)9), x)};
    struct attributes attributes = of_tensor(s, 0, -8, 7);
    const char *name = "fake_quantize_per_tensor_affine_backward";
    struct truth *truth = truth_of_call(name, &attributes, 2, input);
    struct profile ieee = profile_ieee();
    for (int i = 0; i < 9; i++) {
        struct accept accept = accept_of(name, &attributes, &ieee, truth, 0, i, false);
        cr_expect_eq(accepts_double(&accept, 1.5), passes[i], "%g", x[i]);
        cr_expect_eq(accepts_double(&accept, 0), !passes[i], "%g", x[i]);
        cr_expect_eq(accepts_double(&accept, -0.0), !passes[i], "%g", x[i]);
        cr_expect_eq(accepts_double(&accept, NAN), i == 8, "%g", x[i]);
    }
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

/* Against the integer of the exact quotient: outside the band about a tie there is one result, and the scale
 * of another channel does not always give it. */
Test(quantization, a_gradient_passes_where_its_own_channel_lets_it)
{
    enum { SIDE = 12, ALL = SIDE * SIDE };
    const char *name = "fake_quantize_per_channel_affine_backward";
    double grad[ALL], x[ALL], scales[SIDE], zeros[SIDE];
    struct profile ieee = profile_ieee();
    struct philox generator;
    philox_start(&generator, 91);
    for (int c = 0; c < SIDE; c++) {
        scales[c] = (double)(float)(0.3 * (1 + c));
        zeros[c] = c % 5 - 2;
    }
    for (int axis = -2; axis < 2; axis++) {
        int passed = 0, others = 0;
        for (int i = 0; i < ALL; i++) {
            int channel = axis == 0 || axis == -2 ? i / SIDE : i % SIDE;
            x[i] = number(&generator, scales[channel], i) / 16;
            grad[i] = i % 3 ? 1.5 : -2;
        }
        const struct shape square = shape_of(2, (int64_t)SIDE, (int64_t)SIDE),
                           each = shape_of(1, (int64_t)SIDE);
        struct tensor input[] = {
            tensor_from(DTYPE_FLOAT32, square, grad), tensor_from(DTYPE_FLOAT32, square, x),
            tensor_from(DTYPE_FLOAT32, each, scales), tensor_from(DTYPE_INT32, each, zeros)};
        struct attributes attributes = of_tensor(0, 0, -8, 7);
        attributes.item[0] = (struct attribute){.name = "axis", .type = ATTRIBUTE_INTEGER, .integer = axis};
        attributes.item[1] = attributes.item[--attributes.count];
        struct truth *truth = truth_of_call(name, &attributes, 4, input);
        for (int i = 0; i < ALL; i++) {
            int channel = axis == 0 || axis == -2 ? i / SIDE : i % SIDE,
                other = i / SIDE + i % SIDE - channel;
            double at = tensor_component(&input[1], i);
            int64_t n = nearest(at, scales[channel]) + (int64_t)zeros[channel],
                    wrong = nearest(at, scales[other]) + (int64_t)zeros[other];
            bool within = n >= -8 && n <= 7, one = units_from_half(at, scales[channel]) > 2.01;
            struct accept accept = accept_of(name, &attributes, &ieee, truth, 0, i, false);
            cr_expect(accepts_double(&accept, within ? grad[i] : 0), "axis %d: %g is %d", axis, at, (int)n);
            cr_expect(!one || !accepts_double(&accept, within ? 0 : grad[i]), "axis %d: %g", axis, at);
            passed += within;
            others += within != (wrong >= -8 && wrong <= 7);
        }
        cr_expect(passed > ALL / 8 && passed < ALL * 7 / 8 && others > ALL / 8, "%d, %d", passed, others);
        truth_destroy(&truth);
        for (int k = 0; k < 4; k++) {
            tensor_destroy(&input[k]);
        }
    }
}

/* The scale of an element: axis, also negative, and blocks of the last dimension. */
Test(quantization, each_channel_and_block_has_its_own_scale)
{
    double ones[24], scales[12], zeros[12];
    for (int i = 0; i < 24; i++) {
        ones[i] = 1;
        scales[i % 12] = 1 / (double)(1 + i % 12);
        zeros[i % 12] = 10 * (i % 12);
    }
    struct tensor x = tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)2, (int64_t)3, (int64_t)4), ones);
    struct profile ieee = profile_ieee();
    for (int kind = 0; kind < 4; kind++) { /* axes 0, 1, −1, then blocks of 2 */
        int64_t axis = kind == 2 ? -1 : kind;
        struct shape each =
            kind == 3 ? shape_of(3, (int64_t)2, (int64_t)3, (int64_t)2) : shape_of(1, (int64_t)(2 + kind));
        struct tensor input[] = {x, tensor_from(DTYPE_FLOAT32, each, scales),
                                 tensor_from(DTYPE_INT32, each, zeros)};
        const char *name = kind == 3 ? "quantize_per_block" : "quantize_per_channel";
        struct attributes attributes = {.count = 1,
                                        .item = {{.name = kind == 3 ? "block_size" : "axis",
                                                  .type = ATTRIBUTE_INTEGER,
                                                  .integer = kind == 3 ? 2 : axis}}};
        name_dtype(&attributes, "dtype", DTYPE_UINT8);
        struct truth *truth = truth_of_call(name, &attributes, 3, input);
        for (int i = 0; i < 24; i++) {
            int at = kind == 3 ? i / 2 : kind == 0 ? i / 12 : kind == 1 ? i / 4 % 3 : i % 4;
            struct accept accept = accept_of(name, &attributes, &ieee, truth, 0, i, false);
            cr_expect(accepts_integer(&accept, 11 * at + 1) && !accepts_integer(&accept, 11 * at + 2), "%d",
                      i);
        }
        truth_destroy(&truth);
        tensor_destroy(&input[1]);
        tensor_destroy(&input[2]);
    }
    tensor_destroy(&x);
}

Test(quantization, what_does_not_fit_is_refused)
{
    struct shape shape = shape_of(2, (int64_t)3, (int64_t)4), three = shape_of(1, (int64_t)3),
                 four = shape_of(1, (int64_t)4), halves = shape_of(2, (int64_t)3, (int64_t)2);
    struct view x = view_contiguous(0, DTYPE_FLOAT32, &shape);
    struct attributes good = of_tensor(0.5, 7, -8, 7), zero = of_tensor(0.5, 8, -8, 7),
                      empty = of_tensor(0.5, 0, 1, 0), negative = of_tensor(-0.5, 0, -8, 7);
    const char *fake = "fake_quantize_per_tensor_affine";
    cr_expect_not(refuses(fake, &good, 1, &x, NULL));
    cr_expect(refuses(fake, &zero, 1, &x, NULL) && refuses(fake, &empty, 1, &x, NULL) &&
              refuses(fake, &negative, 1, &x, NULL));
    cr_expect(refuses("quantize_per_tensor", &good, 1, &x, NULL), "names no dtype");
    struct view whole = view_contiguous(0, DTYPE_INT8, &shape);
    struct attributes back = {.count = 2,
                              .item = {{.name = "scale", .type = ATTRIBUTE_REAL, .real = 1},
                                       {.name = "zero_point", .type = ATTRIBUTE_INTEGER, .integer = 300}}};
    cr_expect_not(refuses("dequantize_per_tensor", &back, 1, &whole, NULL), "any zero point goes back");
    struct attributes wide = of_tensor(0.5, 0, -8, 128);
    name_dtype(&wide, "dtype", DTYPE_INT8);
    cr_expect(refuses("quantize_per_tensor", &wide, 1, &x, NULL), "128 is no int8");
    struct attributes channel = {.count = 1, .item = {{.name = "axis", .type = ATTRIBUTE_INTEGER}}},
                      block = channel;
    name_dtype(&channel, "dtype", DTYPE_INT8);
    block.item[0].name = "block_size";
    name_dtype(&block, "dtype", DTYPE_INT8);
    for (int64_t axis = -3; axis < 3; axis++) {
        const struct shape *each = axis == 0 || axis == -2 ? &three : &four;
        struct view operand[] = {x, view_contiguous(1, DTYPE_FLOAT32, each),
                                 view_contiguous(2, DTYPE_INT32, each)};
        channel.item[0].integer = axis;
        cr_expect_eq(refuses("quantize_per_channel", &channel, 3, operand, NULL), axis == -3 || axis == 2);
        const struct shape *other = each == &three ? &four : &three;
        const struct view fewer[] = {x, view_contiguous(1, DTYPE_FLOAT32, other),
                                     view_contiguous(2, DTYPE_INT32, other)};
        cr_expect(refuses("quantize_per_channel", &channel, 3, fewer, NULL), "axis %d", (int)axis);
        operand[1].dtype = DTYPE_FLOAT16;
        cr_expect(refuses("quantize_per_channel", &channel, 3, operand, NULL));
    }
    for (int64_t size = 0; size < 5; size++) {
        struct view operand[] = {x, view_contiguous(1, DTYPE_FLOAT32, &halves),
                                 view_contiguous(2, DTYPE_INT32, &halves)};
        block.item[0].integer = size;
        cr_expect_eq(refuses("quantize_per_block", &block, 3, operand, NULL), size != 2);
    }
}
