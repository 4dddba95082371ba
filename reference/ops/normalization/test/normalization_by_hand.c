/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Normalizations computed by hand: exact values and zeros, special values, results inside and outside the
 * error bounds, and checks of operands. */

#include "reference/program/program.h"
#include "reference/test/normalization_model.h"

static struct model row(enum dtype dtype, int64_t batch, int64_t n, double eps, const double *x)
{
    struct model m = {.name = "layer_norm",
                      .gradient = "layer_norm_backward",
                      .dtype = dtype,
                      .batch = batch,
                      .channels = n,
                      .inner = 1,
                      .groups = 1,
                      .centred = true,
                      .eps = eps};
    memcpy(m.x, x, (size_t)(batch * n) * sizeof *x);
    for (int64_t c = 0; c < n; c++) {
        m.weight[c] = 1;
    }
    return m;
}

Test(normalization_by_hand, values_known_by_hand)
{
    static const double threes[4] = {3, -3, 3, -3}, far[2] = {0x1p22 + 2, 0x1p22};
    struct model m = row(DTYPE_FLOAT32, 1, 4, 7, threes), pair = row(DTYPE_FLOAT32, 1, 2, 3, far);
    struct truth *truth = truth_of_model(&m, false);
    for (int i = 0; i < 4; i++) {
        cr_expect(truth->output[0].value[i].exact && truth->output[0].value[i].hi == (i % 2 ? -0.75 : 0.75));
    }
    truth_destroy(&truth);
    truth = truth_of_model(&pair, false);
    cr_expect(truth->output[0].value[0].exact && truth->output[0].value[0].hi == 0.5);
    cr_expect(truth->output[0].value[1].exact && truth->output[0].value[1].hi == -0.5);
    truth_destroy(&truth);
}

Test(normalization_by_hand, what_cancels_is_exactly_zero)
{
    static const double threes[8] = {3, -3, 3, -3, 3, -3, 3, -3};
    struct model m = row(DTYPE_FLOAT64, 2, 4, 27, threes); /* X = ±3/6, 1/6 inexact */
    m.affine = true;
    for (int c = 0; c < 4; c++) {
        m.bias[c] = c % 2 ? 0.5 : -0.5; /* −X */
        m.dy[c] = 1 + c;
        m.dy[4 + c] = -1 - c; /* equal rows, opposite gradients: dweight = dbias = 0 */
    }
    struct truth *truth = truth_of_model(&m, false);
    for (int i = 0; i < 8; i++) {
        cr_expect(truth->output[0].value[i].exact && truth->output[0].value[i].hi == 0);
    }
    truth_destroy(&truth);
    truth = truth_of_model(&m, true);
    for (int c = 0; c < 4; c++) {
        cr_expect(truth->output[1].value[c].exact && truth->output[1].value[c].hi == 0);
        cr_expect(truth->output[2].value[c].exact && truth->output[2].value[c].hi == 0);
    }
    truth_destroy(&truth);
    struct model level = row(DTYPE_FLOAT32, 1, 4, 1e-5, (const double[4]){1, 2, 4, 9});
    for (int c = 0; c < 4; c++) {
        level.dy[c] = 0.7; /* the same everywhere: y does not change with its mean */
    }
    truth = truth_of_model(&level, true);
    for (int c = 0; c < 4; c++) {
        cr_expect(truth->output[0].value[c].exact && truth->output[0].value[c].hi == 0);
    }
    truth_destroy(&truth);
}

Test(normalization_by_hand, a_special_value_stays_in_its_group)
{
    static const double x[9] = {1, 2, 4, 1, NAN, 3, INFINITY, 1, 2};
    struct model m = row(DTYPE_FLOAT32, 3, 3, 1e-5, x);
    for (int rms = 0; rms < 2; rms++) {
        m.name = rms ? "rms_norm" : "layer_norm";
        m.centred = !rms;
        struct truth *truth = truth_of_model(&m, false);
        for (int i = 0; i < 9; i++) {
            bool finite = truth->output[0].value[i].class == VALUE_FINITE;
            cr_expect_eq(finite, i < 3 || (rms && i > 6), "%s, element %d", m.name, i);
        }
        truth_destroy(&truth);
    }
}

/* RMS: X of the other elements of a row with an infinity is 0, so that only the infinity's scale has no
 * gradient. */
Test(normalization_by_hand, an_infinity_leaves_other_scales_their_gradient)
{
    static const double x[6] = {1, 2, 4, INFINITY, 1, 2};
    struct model m = row(DTYPE_FLOAT32, 2, 3, 1e-5, x);
    m.name = "rms_norm";
    m.gradient = "rms_norm_backward";
    m.centred = false;
    m.affine = true;
    for (int i = 0; i < 6; i++) {
        m.dy[i] = 1;
    }
    struct truth *truth = truth_of_model(&m, true);
    cr_expect_eq(truth->output[1].value[0].class, VALUE_NAN);
    cr_expect_float_eq(value_approximately(&truth->output[1].value[1]), 2 / sqrt(7), 1e-5);
    cr_expect_float_eq(value_approximately(&truth->output[1].value[2]), 4 / sqrt(7), 1e-5);
    truth_destroy(&truth);
}

/* An infinite running variance makes X = 0, a variance of −1 has no root, an infinite mean makes y
 * infinite. */
Test(normalization_by_hand, running_statistics_that_are_no_numbers)
{
    struct model m = {.name = "batch_norm",
                      .gradient = "batch_norm_backward",
                      .dtype = DTYPE_FLOAT32,
                      .batch = 2,
                      .channels = 4,
                      .inner = 1,
                      .centred = true,
                      .evaluates = true,
                      .eps = 1e-5,
                      .x = {1, 1, 1, 1, 2, 2, 2, 2},
                      .running_mean = {0, 0, INFINITY, NAN},
                      .running_var = {INFINITY, -1, 1, 1}};
    struct truth *truth = truth_of_model(&m, false);
    const struct value *y = truth->output[2].value;
    cr_expect(y[0].class == VALUE_FINITE && y[0].hi == 0);
    cr_expect_eq(y[1].class, VALUE_NAN);
    cr_expect_eq(y[2].class, VALUE_NEGATIVE_INFINITY);
    cr_expect_eq(y[3].class, VALUE_NAN);
    cr_expect_eq(truth->output[0].value[2].class, VALUE_POSITIVE_INFINITY, "left as it is");
    truth_destroy(&truth);
}

/* --- bounds */

static float naive(const float *x, int n, float eps, int i, bool two_pass)
{
    float sum = 0, squares = 0;
    for (int k = 0; k < n; k++) {
        sum += x[k];
    }
    float mean = sum / (float)n;
    for (int k = 0; k < n; k++) {
        squares += two_pass ? (x[k] - mean) * (x[k] - mean) : x[k] * x[k];
    }
    float variance = squares / (float)n - (two_pass ? 0 : mean * mean);
    return (x[i] - mean) / sqrtf(variance + eps);
}

Test(normalization_by_hand, the_bound_refuses_the_naive_variance_and_admits_two_passes)
{
    struct model m = {.name = "layer_norm",
                      .dtype = DTYPE_FLOAT32,
                      .batch = 1,
                      .channels = 33,
                      .inner = 1,
                      .groups = 1,
                      .centred = true,
                      .eps = 1e-5,
                      .mean = 1e3};
    int refused = 0;
    struct profile profile = profile_ieee();
    for (uint64_t seed = 0; seed < 20; seed++) {
        fill(&m, seed);
        float x[33];
        for (int i = 0; i < 33; i++) {
            x[i] = (float)m.x[i];
        }
        struct truth *truth = truth_of_model(&m, false);
        struct attributes attributes = attributes_of(&m);
        bool wrong = false;
        for (int i = 0; i < 33; i++) {
            struct accept accept = accept_of("layer_norm", &attributes, &profile, truth, 0, i, false);
            cr_expect(accepts_double(&accept, (double)naive(x, 33, 1e-5F, i, true)), "seed %d", (int)seed);
            wrong = wrong || !accepts_double(&accept, (double)naive(x, 33, 1e-5F, i, false));
        }
        refused += wrong;
        truth_destroy(&truth);
    }
    cr_expect_geq(refused, 18);
}

Test(normalization_by_hand, the_bound_refuses_the_biased_running_variance)
{
    struct model m = {.name = "batch_norm",
                      .gradient = "batch_norm_backward",
                      .dtype = DTYPE_FLOAT32,
                      .batch = 3,
                      .channels = 2,
                      .inner = 4,
                      .centred = true,
                      .affine = true,
                      .eps = 1e-5};
    fill(&m, 7);
    struct truth *truth = truth_of_model(&m, false);
    struct attributes attributes = attributes_of(&m);
    struct profile profile = profile_ieee();
    for (int c = 0; c < 2; c++) {
        double right = value_approximately(&truth->output[1].value[c]), old = m.running_var[c];
        double biased = 0.9 * old + (right - 0.9 * old) * 11 / 12;
        struct accept accept = accept_of("batch_norm", &attributes, &profile, truth, 1, c, false);
        cr_expect(accepts_double(&accept, right));
        cr_expect_not(accepts_double(&accept, biased));
    }
    truth_destroy(&truth);
}

/* Two samples, means 1 and 4, unbiased variances 2 and 8; momentum 1/2: exact. */
static const struct model halved = {.name = "instance_norm",
                                    .dtype = DTYPE_FLOAT32,
                                    .batch = 2,
                                    .channels = 1,
                                    .inner = 2,
                                    .groups = 1,
                                    .centred = true,
                                    .running = true,
                                    .eps = 1e-5,
                                    .x = {0, 2, 2, 6},
                                    .running_mean = {3},
                                    .running_var = {7}};

static struct truth *truth_of_halved(double mean, double variance, double x, double momentum)
{
    struct shape one = shape_of(1, (int64_t)1);
    double data[4] = {0, 2, 2, x};
    struct tensor input[3] = {
        tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)2, (int64_t)1, (int64_t)2), data),
        tensor_from(DTYPE_FLOAT32, one, &mean), tensor_from(DTYPE_FLOAT32, one, &variance)};
    struct attributes attributes = attributes_of(&halved);
    attributes.item[2].real = momentum;
    struct truth *truth = truth_of_call("instance_norm", &attributes, 3, input);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
    return truth;
}

Test(normalization_by_hand, running_statistics_are_the_mean_over_the_samples)
{
    static const double momentum[] = {0, 0.5, 1}, mean[] = {3, 2.75, 2.5}, variance[] = {7, 6, 5};
    for (int k = 0; k < 3; k++) {
        struct truth *truth = truth_of_halved(3, 7, 6, momentum[k]);
        cr_assert_eq(truth->outputs, 3);
        cr_expect(truth->output[0].value[0].exact && truth->output[0].value[0].hi == mean[k], "%g",
                  momentum[k]);
        cr_expect(truth->output[1].value[0].exact && truth->output[1].value[0].hi == variance[k], "%g",
                  momentum[k]);
        truth_destroy(&truth);
    }
}

Test(normalization_by_hand, a_special_sample_reaches_the_mean_over_the_samples)
{
    struct truth *infinite = truth_of_halved(3, 7, INFINITY, 0.5),
                 *old = truth_of_halved(-INFINITY, 7, 6, 0.5),
                 *both = truth_of_halved(-INFINITY, INFINITY, INFINITY, 0.5);
    cr_expect_eq(infinite->output[0].value[0].class, VALUE_POSITIVE_INFINITY);
    cr_expect_eq(infinite->output[1].value[0].class, VALUE_NAN);
    cr_expect_eq(old->output[0].value[0].class, VALUE_NEGATIVE_INFINITY);
    cr_expect(old->output[1].value[0].class == VALUE_FINITE && old->output[1].value[0].hi == 6);
    cr_expect_eq(both->output[0].value[0].class, VALUE_NAN);
    cr_expect_eq(both->output[1].value[0].class, VALUE_NAN);
    truth_destroy(&infinite);
    truth_destroy(&old);
    truth_destroy(&both);
}

Test(normalization_by_hand, the_bound_refuses_the_statistics_of_one_sample)
{
    struct truth *truth = truth_of_halved(3, 7, 6, 0.5);
    struct attributes attributes = attributes_of(&halved);
    struct profile profile = profile_ieee();
    attributes.item[2].real = 0.5;
    for (int o = 0; o < 2; o++) {
        static const double right[] = {2.75, 6}, first[] = {2, 4.5}, last[] = {3.5, 7.5}, biased = 4.75;
        struct accept accept = accept_of("instance_norm", &attributes, &profile, truth, o, 0, false);
        cr_expect(accepts_double(&accept, right[o]));
        cr_expect_not(accepts_double(&accept, first[o]) || accepts_double(&accept, last[o]));
        cr_expect_not(o == 1 && accepts_double(&accept, biased));
        cr_expect_not(accepts_double(&accept, INFINITY) || accepts_double(&accept, NAN));
    }
    truth_destroy(&truth);
}

/* 16-bit statistics are kept for each sample by PyTorch: one sample's may leave their range, although the
 * mean does not: variances 80,000 and three times 0. */
Test(normalization_by_hand, a_sample_beyond_the_range_of_its_statistic_may_make_it_infinite)
{
    static const double x[8] = {0, 400, 1, 1, 1, 1, 1, 1};
    for (int momentum = 0; momentum < 2; momentum++) {
        struct shape one = shape_of(1, (int64_t)1);
        struct tensor input[3] = {
            tensor_from(DTYPE_FLOAT16, shape_of(3, (int64_t)4, (int64_t)1, (int64_t)2), x),
            tensor_from(DTYPE_FLOAT16, one, (double[]){1}), tensor_from(DTYPE_FLOAT16, one, (double[]){1})};
        struct attributes attributes = attributes_of(&halved);
        attributes.item[2].real = momentum;
        struct truth *truth = truth_of_call("instance_norm", &attributes, 3, input);
        struct profile profile = profile_ieee();
        profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
        struct accept accept = accept_of("instance_norm", &attributes, &profile, truth, 1, 0, false);
        cr_expect(accepts_double(&accept, momentum ? 20000 : 1));
        cr_expect_eq(accepts_double(&accept, INFINITY), momentum);
        truth_destroy(&truth);
        for (int i = 0; i < 3; i++) {
            tensor_destroy(&input[i]);
        }
    }
}

Test(normalization_by_hand, zeros_may_have_either_sign)
{
    static const double same[3] = {5, 5, 5};
    struct model m = row(DTYPE_FLOAT32, 1, 3, 1, same);
    struct truth *truth = truth_of_model(&m, false);
    struct attributes attributes = attributes_of(&m);
    struct profile profile = profile_ieee();
    struct accept accept = accept_of("layer_norm", &attributes, &profile, truth, 0, 0, false);
    cr_expect(accepts_double(&accept, 0.0) && accepts_double(&accept, -0.0));
    cr_expect_not(accepts_double(&accept, 1e-3));
    truth_destroy(&truth);
}

/* --- operands */

static struct view contiguous(struct shape shape)
{
    return view_contiguous(0, DTYPE_FLOAT32, &shape);
}

Test(normalization_by_hand, operands_that_do_not_fit_are_refused)
{
    struct view x = contiguous(shape_of(3, (int64_t)2, (int64_t)6, (int64_t)1));
    struct view absent = {.storage = -1}, channels = contiguous(shape_of(1, (int64_t)6));
    struct view few = contiguous(shape_of(1, (int64_t)5)),
                one = contiguous(shape_of(2, (int64_t)1, (int64_t)6));
    struct attributes groups = {.count = 1,
                                .item = {{.name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = 4}}};
    struct attributes trains = {.count = 1,
                                .item = {{.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1}}};
    struct attributes none = {.count = 0};
    cr_expect(refuses("group_norm", &groups, 1, &x, NULL));
    groups.item[0].integer = 3;
    cr_expect_not(refuses("group_norm", &groups, 1, &x, NULL));
    cr_expect_not(refuses("group_norm", &groups, 2, (struct view[]){x, channels}, NULL));
    cr_expect(refuses("group_norm", &groups, 2, (struct view[]){x, few}, NULL));
    cr_expect(refuses("instance_norm", &none, 1, &x, NULL));
    struct view wide = contiguous(shape_of(3, (int64_t)2, (int64_t)6, (int64_t)4));
    cr_expect_not(refuses("instance_norm", &none, 1, &wide, NULL));
    struct attributes given = {.count = 1, .item = {{.name = "use_input_stats", .type = ATTRIBUTE_BOOL}}};
    cr_expect(refuses("instance_norm", &none, 2, (struct view[]){wide, channels}, NULL));
    cr_expect(refuses("instance_norm", &none, 3, (struct view[]){wide, absent, channels}, NULL));
    cr_expect_not(refuses("instance_norm", &none, 3, (struct view[]){wide, channels, channels}, NULL));
    cr_expect(refuses("instance_norm", &none, 3, (struct view[]){x, channels, channels}, NULL));
    cr_expect(refuses("instance_norm", &none, 3, (struct view[]){wide, few, few}, NULL));
    cr_expect(refuses("instance_norm", &given, 1, &wide, NULL));
    cr_expect(refuses("instance_norm", &given, 3, (struct view[]){wide, channels, absent}, NULL));
    cr_expect_not(refuses("instance_norm", &given, 3, (struct view[]){x, channels, channels}, NULL));
    cr_expect_not(refuses("instance_norm", &given, 3, (struct view[]){one, channels, channels}, NULL));
    cr_expect_not(refuses("instance_norm", &none, 3, (struct view[]){wide, absent, absent}, NULL));
    cr_expect_not(refuses("instance_norm", &none, 4, (struct view[]){wide, absent, absent, channels}, NULL));
    cr_expect_not(refuses("batch_norm", &trains, 1, &x, NULL));
    cr_expect(refuses("batch_norm", &trains, 1, &one, NULL));
    cr_expect(refuses("batch_norm", &none, 1, &x, NULL));
    cr_expect_not(refuses("batch_norm", &none, 3, (struct view[]){one, channels, channels}, NULL));
    cr_expect(refuses("batch_norm", &none, 3, (struct view[]){x, channels, absent}, NULL));
    cr_expect(refuses("layer_norm", &none, 1, &x, NULL));
    struct view half = x, narrow = channels, twice = channels;
    half.dtype = narrow.dtype = DTYPE_FLOAT16;
    twice.dtype = DTYPE_FLOAT64;
    cr_expect_not(refuses("batch_norm", &none, 3, (struct view[]){half, channels, channels}, NULL));
    cr_expect_not(refuses("batch_norm", &none, 3, (struct view[]){half, narrow, narrow}, NULL));
    cr_expect(refuses("batch_norm", &none, 3, (struct view[]){half, channels, narrow}, NULL));
    cr_expect(refuses("batch_norm", &none, 3, (struct view[]){x, twice, twice}, NULL));
    cr_expect_not(refuses("instance_norm", &given, 3, (struct view[]){half, channels, channels}, NULL));
    cr_expect(refuses("instance_norm", &given, 3, (struct view[]){half, channels, narrow}, NULL));
}

/* An absent weight differs from an empty weight and from a weight of any value. */
Test(normalization_by_hand, an_absent_operand_is_part_of_the_key)
{
    static const double x[3] = {1, 2, 4}, ones[3] = {1, 1, 1};
    struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), x), {.data = NULL}};
    struct op_call call = {.op = op_find("layer_norm"), .inputs = 2, .input = input};
    char absent[33], present[33];
    cr_expect(tensor_absent(&input[1]));
    call_digest(&call, absent);
    input[1] = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), ones);
    cr_expect_not(tensor_absent(&input[1]));
    call_digest(&call, present);
    cr_expect_str_neq(absent, present);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}
