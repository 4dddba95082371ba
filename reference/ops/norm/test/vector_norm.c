/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/norm/test/vector_norm.h"

#include <float.h>

static double rounded_norm(enum dtype dtype, double p, int64_t n, const double *x)
{
    struct truth *truth = norm_of(dtype, p, n, x);
    double y = value_approximately(&truth->output[0].value[0]);
    truth_destroy(&truth);
    return y;
}

/* (Σ|x|^p)^(1/p) in balls of 400 bits and as many more as p·log|x| and log(Σ)/p may take. */
static void arb_norm(arb_t y, const double *x, int64_t n, double p)
{
    const slong bits = 400 + 4 * labs(lround(log2(fabs(p))));
    arb_t term, power;
    arb_init(term);
    arb_init(power);
    arb_set_d(power, p);
    arb_zero(y);
    for (int64_t i = 0; i < n; i++) {
        arb_set_d(term, fabs(x[i]));
        arb_pow(term, term, power, bits);
        arb_add(y, y, term, bits);
    }
    arb_inv(power, power, bits);
    arb_pow(y, y, power, bits);
    arb_clear(term);
    arb_clear(power);
}

static void check_order(enum dtype dtype, double p, int trials)
{
    static const int64_t lengths[] = {1, 2, 3, 33, 257};
    double x[257];
    arb_t y;
    arb_init(y);
    for (int trial = 0; trial < trials; trial++) {
        int64_t n = lengths[trial % 5];
        random_row(x, n, dtype, (uint64_t)trial, trial % 2 ? 3 : dtype == DTYPE_FLOAT16 ? 10 : 100);
        struct truth *truth = norm_of(dtype, p, n, x);
        arb_norm(y, x, n, p);
        cr_expect_leq(value_distance_log2(&truth->output[0].value[0], y), -103, "%s, order %g, n = %d",
                      dtype_info(dtype)->name, p, (int)n);
        truth_destroy(&truth);
    }
    arb_clear(y);
}

Test(vector_norm, agrees_with_arb_in_every_order)
{
    static const double orders[] = {1, 2, 3, 4, 0.5, 1.5, -1, -2, 7, 0.1};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        check_order(DTYPE_FLOAT32, orders[k], 100);
        check_order(DTYPE_FLOAT16, orders[k], 100);
        check_order(DTYPE_FLOAT64, orders[k], 100);
    }
}

/* Large ones: the greatest (least) element, and how often it stands there. Small ones: up to 2^(8·10^7).
 * Orders that no float32 holds. */
Test(vector_norm, agrees_with_arb_in_huge_tiny_and_unheld_orders)
{
    static const double orders[] = {2.1,   0.3,  128,  -128,  1000, -1000,    1e5,   1e10,
                                    -1e10, 1e15, 0.01, -0.01, 1e-5, -0x1p-23, 1e100, -1e100};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        check_order(DTYPE_FLOAT32, orders[k], 10);
        check_order(DTYPE_FLOAT64, orders[k], 10);
    }
}

/* The ends of double are orders, too; equal elements count; beyond 2^±2^30 no digits are asked for. */
Test(vector_norm, any_order_has_an_answer)
{
    static const double orders[] = {DBL_MAX, 1e300, 1e17, 1e10, 1e-10, 1e-300, 0x1p-1074};
    double x[3] = {1.5, -3, 3}, one[3] = {0, -3, 0};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        double p = orders[k];
        double many = rounded_norm(DTYPE_FLOAT64, p, 3, x), few = rounded_norm(DTYPE_FLOAT64, -p, 3, x);
        if (p > 1) {
            cr_expect_float_eq(many, 3 * exp2(1 / p), 1e-15, "order %g: %.17g", p, many);
            cr_expect_eq(few, 1.5, "order %g", -p);
        } else {
            cr_expect(isinf(many) && few == 0, "order %g: %g, %g", p, many, few);
        }
        cr_expect_eq(rounded_norm(DTYPE_FLOAT64, p, 3, one), 3, "order %g of one element", p);
        cr_expect_eq(rounded_norm(DTYPE_FLOAT64, -p, 3, one), 0, "order %g with zeros", -p);
    }
}

Test(vector_norm, values_known_by_hand)
{
    double three_four[3] = {3, -4, 0}, ones[4] = {1, -1, 1, 1};
    const enum dtype types[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int t = 0; t < 4; t++) {
        cr_expect_eq(rounded_norm(types[t], 2, 3, three_four), 5);
        cr_expect_eq(rounded_norm(types[t], 1, 3, three_four), 7);
        cr_expect_eq(rounded_norm(types[t], 0, 3, three_four), 2);
        cr_expect_eq(rounded_norm(types[t], INFINITY, 3, three_four), 4);
        cr_expect_eq(rounded_norm(types[t], -INFINITY, 3, three_four), 0);
        cr_expect_eq(rounded_norm(types[t], -2, 3, three_four), 0);
        cr_expect_eq(rounded_norm(types[t], 0.5, 4, ones), 16);
        cr_expect_eq(rounded_norm(types[t], -1, 4, ones), 0.25);
    }
    for (int k = -140; k <= 120; k++) {
        double scaled[2] = {ldexp(3, k), ldexp(4, k)};
        struct truth *truth = norm_of(DTYPE_FLOAT32, 2, 2, scaled);
        cr_expect(truth->output[0].value[0].exact && truth->output[0].value[0].hi == ldexp(5, k));
        truth_destroy(&truth);
    }
    double ends[2] = {0x1p1023, 0x1p-1074};
    struct truth *sum = norm_of(DTYPE_FLOAT64, 1, 2, ends); /* 2,098 bits apart: no pair holds it */
    cr_expect_eq(value_approximately(&sum->output[0].value[0]), 0x1p1023);
    cr_expect_not(sum->output[0].value[0].exact);
    truth_destroy(&sum);
}

Test(vector_norm, special_values)
{
    double nan[3] = {1, NAN, INFINITY}, inf[2] = {-INFINITY, 2}, infinite[2] = {INFINITY, -INFINITY};
    double zeros[2] = {0, -0.0}, mixed[4] = {0, NAN, -INFINITY, -0.0};
    static const double orders[] = {1, 2, 3, 0.5, -1, INFINITY, -INFINITY};
    for (int k = 0; k < 7; k++) {
        double p = orders[k];
        cr_expect(isnan(rounded_norm(DTYPE_FLOAT32, p, 3, nan)), "order %g", p);
        cr_expect_eq(rounded_norm(DTYPE_FLOAT32, p, 2, inf), p > 0 ? INFINITY : 2, "order %g", p);
        cr_expect_eq(rounded_norm(DTYPE_FLOAT32, p, 2, infinite), INFINITY, "order %g", p);
        cr_expect_eq(rounded_norm(DTYPE_FLOAT32, p, 2, zeros), 0, "order %g", p);
    }
    cr_expect_eq(rounded_norm(DTYPE_FLOAT32, 0, 4, mixed), 2);
    cr_expect_eq(rounded_norm(DTYPE_FLOAT32, 2, 0, NULL), 0);
    cr_expect_eq(rounded_norm(DTYPE_FLOAT32, 0, 0, NULL), 0);
}

/* x[i][j][k] = 100i + 10j + k + 1 over [2, 3, 4]: the 1-norm over {0, 2}, kept. */
Test(vector_norm, dimensions_are_those_named)
{
    double x[24];
    for (int i = 0; i < 24; i++) {
        x[i] = 100 * (i / 12) + 10 * (i / 4 % 3) + i % 4 + 1;
    }
    struct tensor input = tensor_from(DTYPE_FLOAT64, shape_of(3, (int64_t)2, (int64_t)3, (int64_t)4), x);
    struct attributes attributes = order(1);
    attributes.item[1] = (struct attribute){
        .name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {-1, 0}}};
    attributes.item[2] = (struct attribute){.name = "keepdim", .type = ATTRIBUTE_BOOL, .integer = 1};
    attributes.count = 3;
    struct truth *truth = truth_of_call("vector_norm", &attributes, 1, &input);
    struct shape kept = shape_of(3, (int64_t)1, (int64_t)3, (int64_t)1);
    cr_assert(shape_equal(&truth->output[0].shape, &kept));
    for (int j = 0; j < 3; j++) {
        cr_expect_eq(truth->output[0].value[j].hi, 420 + 80 * j);
    }
    truth_destroy(&truth);
    tensor_destroy(&input);
}

static double matrix_norm(double p, int rows, int columns, const double *x)
{
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)rows, (int64_t)columns), x);
    struct attributes attributes = order(p);
    struct truth *truth = truth_of_call("matrix_norm", isnan(p) ? NULL : &attributes, 1, &input);
    double y = value_approximately(&truth->output[0].value[0]);
    truth_destroy(&truth);
    tensor_destroy(&input);
    return y;
}

Test(vector_norm, matrices_by_hand)
{
    double x[6] = {1, -2, 3, 4, 0, -6}, nan[4] = {1, NAN, 2, 3}, pair[2] = {3, 4};
    cr_expect_eq(matrix_norm(1, 2, 3, x), 9);
    cr_expect_eq(matrix_norm(-1, 2, 3, x), 2);
    cr_expect_eq(matrix_norm(INFINITY, 2, 3, x), 10);
    cr_expect_eq(matrix_norm(-INFINITY, 2, 3, x), 6);
    cr_expect_eq(matrix_norm(NAN, 1, 2, pair), 5);
    cr_expect(isnan(matrix_norm(1, 2, 2, nan)) && isnan(matrix_norm(-INFINITY, 2, 2, nan)));
}

Test(vector_norm, what_must_be_rejected_is)
{
    static const struct {
        const char *name;
        double p;
        int64_t rows, columns;
        bool rejected;
    } calls[] = {{"vector_norm", 2, 0, 3, false},        {"vector_norm", 0, 0, 3, false},
                 {"vector_norm", INFINITY, 0, 3, true},  {"vector_norm", -INFINITY, 3, 0, true},
                 {"vector_norm", -1, 0, 3, true},        {"vector_norm", NAN, 3, 3, true},
                 {"matrix_norm", 1, 0, 3, false},        {"matrix_norm", 1, 3, 0, true},
                 {"matrix_norm", INFINITY, 3, 0, false}, {"matrix_norm", -INFINITY, 0, 3, true},
                 {"matrix_norm", 2, 3, 3, true},         {"matrix_norm", -1, 3, 3, false}};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        struct attributes attributes = order(calls[k].p);
        struct shape shape = shape_of(2, calls[k].rows, calls[k].columns);
        struct view x = view_contiguous(0, DTYPE_FLOAT32, &shape);
        bool rejected = refuses(calls[k].name, &attributes, 1, &x, NULL);
        bool expected = calls[k].rejected && !(isnan(calls[k].p) && calls[k].name[0] == 'm');
        cr_expect_eq(rejected, expected, "%s, order %g, call %d", calls[k].name, calls[k].p, (int)k);
    }
    struct attributes twice = order(2);
    struct shape square = shape_of(2, (int64_t)2, (int64_t)2);
    struct view x = view_contiguous(0, DTYPE_FLOAT32, &square);
    twice.count = 2;
    twice.item[1] = (struct attribute){
        .name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {1, -1}}};
    cr_expect(refuses("vector_norm", &twice, 1, &x, NULL));
    twice.item[1].integers = integers_of(1, (int64_t)-3);
    cr_expect(refuses("vector_norm", &twice, 1, &x, NULL));
}
