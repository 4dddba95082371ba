/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* sgn(z) = z/|z| of complex numbers: where |z|² overflows, underflows or is dominated by one component, and
 * where treating the components one by one is wrong. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

struct row {
    struct suite_row row;
};

static void set_pair(struct builder *b, const struct view *z, int64_t i, double re, double im)
{
    if (!b->failed) {
        program_set(b->program, z, i, 0, re);
        program_set(b->program, z, i, 1, im);
    }
}

/* 2^k by exact doubling and halving. */
static double power_of_two(int k)
{
    double x = 1;
    for (; k > 0; k--) {
        x *= 2;
    }
    for (; k < 0; k++) {
        x /= 2;
    }
    return x;
}

/* (3 + 4i)·2^k in all four quadrants, k from −149 to 125: always ±0.6 ± 0.8i, from the subnormal end to
 * overflow of |z|². */
static void build_pythagorean(struct builder *b)
{
    const int least = (int)b->c->parameter, greatest = 125;
    struct view z = build_vector(b, b->c->dtype, 4 * (greatest - least + 1));
    for (int k = least; k <= greatest; k++) {
        double s = power_of_two(k);
        for (int q = 0; q < 4; q++) {
            set_pair(b, &z, 4 * (k - least) + q, (q & 1 ? -3 : 3) * s, (q & 2 ? -4 : 4) * s);
        }
    }
    build_unary(b, b->c->op, &z);
}

/* Random directions of moderate size: |z| between 2^-5 and 2^5. Enough elements for the test of bias. */
static void build_directions(struct builder *b)
{
    struct view z = build_vector(b, b->c->dtype, b->c->parameter);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < b->c->parameter; i++) {
        build_set_bits(b, &z, i, 0, data_between(&generator, DTYPE_FLOAT32, -4, 3));
        build_set_bits(b, &z, i, 1, data_between(&generator, DTYPE_FLOAT32, -4, 3));
    }
    build_unary(b, b->c->op, &z);
}

/* Points of the unit circle, (1 − t², 2t)/(1 + t²) for t = j/64: rational, rounded to float32. */
static void build_circle(struct builder *b)
{
    struct view z = build_vector(b, b->c->dtype, 4 * 65);
    for (int j = 0; j <= 64; j++) {
        double re = (4096.0 - j * j) / (4096 + j * j), im = 128.0 * j / (4096 + j * j);
        for (int q = 0; q < 4; q++) {
            set_pair(b, &z, 4 * j + q, q & 1 ? -re : re, q & 2 ? -im : im);
        }
    }
    build_unary(b, b->c->op, &z);
}

/* Both components of about 2^parameter: |z|² overflows from 2^64 on, underflows below 2^-75. */
static void build_magnitude(struct builder *b)
{
    int e = (int)b->c->parameter;
    struct view z = build_vector(b, b->c->dtype, 300);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < 300; i++) {
        build_set_bits(b, &z, i, 0, data_between(&generator, DTYPE_FLOAT32, e, e + 1));
        build_set_bits(b, &z, i, 1, data_between(&generator, DTYPE_FLOAT32, e, e + 1));
    }
    build_unary(b, b->c->op, &z);
}

/* One component 2^100 or so, the other 2^-100: the small one vanishes beside the large one. */
static void build_mixed(struct builder *b)
{
    struct view z = build_vector(b, b->c->dtype, 200);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < 200; i++) {
        build_set_bits(b, &z, i, (int)(i & 1), data_between(&generator, DTYPE_FLOAT32, 95, 105));
        build_set_bits(b, &z, i, (int)(~i & 1), data_between(&generator, DTYPE_FLOAT32, -105, -95));
    }
    build_unary(b, b->c->op, &z);
}

/* The components' exponents differ by up to 30: each size of the smaller one's share. */
static void build_near(struct builder *b)
{
    struct view z = build_vector(b, b->c->dtype, 1024);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < 1024; i++) {
        int e = -90 + (int)philox_below(&generator, 180), gap = (int)(i % 31);
        build_set_bits(b, &z, i, (int)(i & 1), data_between(&generator, DTYPE_FLOAT32, e, e));
        build_set_bits(b, &z, i, (int)(~i & 1), data_between(&generator, DTYPE_FLOAT32, e - gap, e - gap));
    }
    build_unary(b, b->c->op, &z);
}

/* Both components subnormal, or one subnormal and one just normal. */
static void build_tiny(struct builder *b)
{
    struct view z = build_vector(b, b->c->dtype, 23 * 23 + 23);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < 23 * 23; i++) {
        build_set_bits(b, &z, i, 0, data_subnormal(&generator, DTYPE_FLOAT32, i % 23));
        build_set_bits(b, &z, i, 1, data_subnormal(&generator, DTYPE_FLOAT32, i / 23));
    }
    for (int64_t i = 23 * 23; i < 23 * 24; i++) {
        build_set_bits(b, &z, i, 0, data_between(&generator, DTYPE_FLOAT32, -126, -124));
        build_set_bits(b, &z, i, 1, data_subnormal(&generator, DTYPE_FLOAT32, i));
    }
    build_unary(b, b->c->op, &z);
}

/* The axes: parameter is the component that is not zero. All exponents, zeros of both signs. Exactly ±1. */
static void build_axis(struct builder *b)
{
    int64_t length = 2 * 255;
    struct view z = build_vector(b, b->c->dtype, length);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < length; i++) {
        build_set_bits(b, &z, i, (int)b->c->parameter, data_any_exponent(&generator, DTYPE_FLOAT32, i));
        build_set_bits(b, &z, i, 1 - (int)b->c->parameter, i & 1 ? 0x80000000U : 0);
    }
    build_unary(b, b->c->op, &z);
}

/* A few numbers that decide between formulas, named in the table's comments. */
struct point {
    uint32_t re, im;
};

static const struct point infinities[] = {
    {0x7F800000, 0},          {0xFF800000, 0x80000000}, {0, 0x7F800000},          {0x80000000, 0xFF800000},
    {0x7F800000, 0x7F800000}, {0xFF800000, 0x7F800000}, {0x7F800000, 0xFF800000}, {0xFF800000, 0xFF800000},
    {0x7F800000, 0x3F800000}, {0xC0400000, 0x7F800000}, {0x7F7FFFFF, 0xFF800000}, {0x7F800000, 1},
};
static const struct point nans[] = {
    {0x7FC00000, 0x7FC00000}, {0x7FC00000, 0},          {0, 0x7FC00000},          {0x7FC00000, 0x3F800000},
    {0xBF800000, 0xFFC00000}, {0x7FC00000, 0x7F800000}, {0xFF800000, 0x7FC00000}, {0x7F800001, 0x40400000},
    {0x40400000, 0xFFBFFFFF}, {0x7FC00000, 1},
};
static const struct point zeros[] = {
    {0, 0},          {0x80000000, 0}, {0, 0x80000000}, {0x80000000, 0x80000000},
    {0x3F800000, 0}, {0, 0xBF800000}, {0, 0},          {0xBF800000, 0x80000000},
};
static const struct point extremes[] = {
    {0x7E967699, 0x7E967699}, /* (1e38, 1e38) */
    {0x7F7FFFFF, 0x7F7FFFFF}, /* both FLT_MAX: |z| itself overflows */
    {0xFF7FFFFF, 0x7F7FFFFF}, {0x7F7FFFFF, 0x3F800000}, {0x00000001, 0x00000001}, /* both 1.4e-45 */
    {0x80000001, 0x00000001}, {0x00000001, 0x00000003}, {0x00800000, 0x80800000}, /* both least normal */
    {0x7F7FFFFF, 0x00000001}, {0x1F800000, 0x1F800000},                           /* 2^-64: |z|² = 2^-127 */
    {0x5F800000, 0x5F800000}, {0x20000000, 0x9F800000},
};

static const struct {
    const struct point *point;
    int count;
} point_sets[] = {{infinities, sizeof infinities / sizeof *infinities},
                  {nans, sizeof nans / sizeof *nans},
                  {zeros, sizeof zeros / sizeof *zeros},
                  {extremes, sizeof extremes / sizeof *extremes}};

static void build_points(struct builder *b)
{
    int count = point_sets[b->c->parameter].count;
    struct view z = build_vector(b, b->c->dtype, count);
    for (int i = 0; i < count; i++) {
        build_set_bits(b, &z, i, 0, point_sets[b->c->parameter].point[i].re);
        build_set_bits(b, &z, i, 1, point_sets[b->c->parameter].point[i].im);
    }
    build_unary(b, b->c->op, &z);
}

static const struct row rows[] = {
    {SUITE_ROW("pythagorean", SMOKE, "power_of_two_equivariance", .build = build_pythagorean,
               .parameter = -126)},
    {SUITE_ROW("pythagorean-subnormal", STANDARD, "power_of_two_equivariance special_values",
               .build = build_pythagorean, .parameter = -149)},
    {SUITE_ROW("directions", SMOKE, "signed_bias", .build = build_directions, .parameter = 512)},
    {SUITE_ROW("directions-4096", STANDARD, "signed_bias self_encoding", .build = build_directions,
               .parameter = 4096)},
    {SUITE_ROW("unit-circle", SMOKE, "signed_bias", .build = build_circle)},
    {SUITE_ROW("magnitude-2^126", SMOKE, "exponents power_of_two_equivariance", .build = build_magnitude,
               .parameter = 126)},
    {SUITE_ROW("magnitude-2^64", STANDARD, "exponents power_of_two_equivariance", .build = build_magnitude,
               .parameter = 64)},
    {SUITE_ROW("magnitude-2^-76", STANDARD, "exponents power_of_two_equivariance", .build = build_magnitude,
               .parameter = -76)},
    {SUITE_ROW("magnitude-2^-126", SMOKE, "exponents power_of_two_equivariance", .build = build_magnitude,
               .parameter = -126)},
    {SUITE_ROW("mixed-2^100", SMOKE, "exponents", .build = build_mixed)},
    {SUITE_ROW("gap-0-to-30", STANDARD, "exponents", .build = build_near)},
    {SUITE_ROW("tiny", STANDARD, "special_values exponents", .build = build_tiny)},
    {SUITE_ROW("real-axis", SMOKE, "special_values exponents", .build = build_axis)},
    {SUITE_ROW("imaginary-axis", SMOKE, "special_values exponents", .build = build_axis, .parameter = 1)},
    {SUITE_ROW("infinities", SMOKE, "special_values", .build = build_points)},
    {SUITE_ROW("nans", SMOKE, "special_values", .build = build_points, .parameter = 1)},
    {SUITE_ROW("zeros", SMOKE, "special_values", .build = build_points, .parameter = 2)},
    {SUITE_ROW("extremes", SMOKE, "special_values exponents", .build = build_points, .parameter = 3)},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(
        list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"sgn"}, .dtypes = 1U << DTYPE_COMPLEX64});
}

const struct suite suite_elementwise_complex_sgn = {.declare = declare};
