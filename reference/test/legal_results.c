/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Results of other legal algorithms in corners of the range, and results that no legal algorithm has: one
 * line each. */

#include "reference/test/call.h"

static struct call layer_gradient(double eps, const double dy[3], const double x[3])
{
    struct call c = call_of("layer_norm_backward");
    integers_attribute(&c, "normalized_shape", integers_of(1, (int64_t)3));
    real_attribute(&c, "eps", eps);
    MATRIX(&c, DTYPE_FLOAT32, 1, 3, dy[0], dy[1], dy[2]);
    MATRIX(&c, DTYPE_FLOAT32, 1, 3, x[0], x[1], x[2]);
    VECTOR(&c, DTYPE_FLOAT32, 1, 1, 1);
    return c;
}

Test(legal_results, an_infinite_gradient_leaves_infinities_or_nan)
{
    struct call c = layer_gradient(1e-5, (double[]){1, 1, INFINITY}, (double[]){1, 2, 4});
    for (int i = 0; i < 3; i++) {
        cr_expect(takes(&c, 0, i, NAN) && takes(&c, 0, i, -INFINITY) && takes(&c, 0, i, INFINITY));
        cr_expect_not(takes(&c, 0, i, 1), "dx %d", i);
    }
    cr_expect(takes(&c, 1, 2, INFINITY) && takes(&c, 1, 2, NAN));
    cr_expect_not(takes(&c, 1, 2, 3));
    cr_expect_not(takes(&c, 1, 0, NAN), "a channel without it");
    end(&c);
    c = layer_gradient(1e-5, (double[]){1, 1, 1}, (double[]){1, NAN, 4});
    cr_expect(takes(&c, 1, 1, NAN));
    cr_expect_not(takes(&c, 1, 1, INFINITY), "a NaN decides");
    end(&c);
}

static struct call batch(double eps, int64_t samples, const double *x, double mean, double variance)
{
    struct call c = call_of("batch_norm");
    c.attributes.item[c.attributes.count++] =
        (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1};
    real_attribute(&c, "eps", eps);
    give(&c, DTYPE_FLOAT32, shape_of(2, samples, (int64_t)1), x);
    VECTOR(&c, DTYPE_FLOAT32, mean);
    VECTOR(&c, DTYPE_FLOAT32, variance);
    return c;
}

Test(legal_results, running_statistics_in_corners)
{
    struct call c = batch(1e-5, 3, (double[]){1, 2, 4}, 0, INFINITY);
    cr_expect(takes(&c, 1, 0, INFINITY));
    cr_expect_not(takes(&c, 1, 0, 5));
    end(&c);
    c = batch(0, 3, (double[]){2, 2, 2}, 0, 1);
    cr_expect(takes(&c, 1, 0, 0.9F), "no variance, and nothing divides by it");
    cr_expect_not(takes(&c, 1, 0, NAN));
    cr_expect(takes(&c, 2, 0, NAN) && takes(&c, 2, 0, 0), "0/0, or PyTorch's inverse root 0");
    end(&c);
    c = batch(1e-5, 0, (double[]){0}, 1, 2);
    cr_expect(takes(&c, 0, 0, 1) && takes(&c, 0, 0, NAN) && takes(&c, 1, 0, 2));
    cr_expect_not(takes(&c, 0, 0, 5));
    end(&c);
}

Test(legal_results, normalization_without_eps)
{
    struct call c = call_of("layer_norm");
    integers_attribute(&c, "normalized_shape", integers_of(1, (int64_t)5));
    real_attribute(&c, "eps", 0);
    MATRIX(&c, DTYPE_FLOAT32, 1, 5, 57710424, 57710440, 57710456, 57710456, 57710424);
    for (int i = 0; i < 5; i++) {
        struct truth *truth = truth_of_call(c.op, &c.attributes, c.inputs, c.input);
        struct bound_query query = {.op = op_find(c.op),
                                    .profile = &c.profile,
                                    .attributes = &c.attributes,
                                    .truth = truth,
                                    .element = i};
        cr_expect_not(isnan(query.op->bound(&query)), "element %d", i);
        truth_destroy(&truth);
    }
    cr_expect(takes(&c, 0, 1, -0.269), "two passes over a mean that rounds");
    end(&c);
    c = call_of("layer_norm");
    integers_attribute(&c, "normalized_shape", integers_of(1, (int64_t)2));
    real_attribute(&c, "eps", 0);
    MATRIX(&c, DTYPE_FLOAT32, 1, 2, 0.1F, 0.1F);
    cr_expect(takes(&c, 0, 0, -1) && takes(&c, 0, 0, NAN));
    end(&c);
    c = layer_gradient(0, (double[]){1, 2, 3}, (double[]){1, 2, 4});
    cr_expect_not(takes(&c, 1, 1, 1e9), "a benign group is held to its bound");
    end(&c);
}

Test(legal_results, bias_gradients_that_flush)
{
    struct call c = layer_gradient(1e-5, (double[]){0, 0, 0}, (double[]){1, 2, 4});
    end(&c);
    c = call_of("layer_norm_backward");
    integers_attribute(&c, "normalized_shape", integers_of(1, (int64_t)1));
    double dy[12], x[12];
    for (int i = 0; i < 12; i++) {
        dy[i] = i % 2 ? -0x1p-126 : 0x1.8p-126;
        x[i] = i;
    }
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)12, (int64_t)1), dy);
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)12, (int64_t)1), x);
    VECTOR(&c, DTYPE_FLOAT32, 1);
    cr_expect_not(takes(&c, 2, 0, 0));
    c.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    cr_expect(takes(&c, 2, 0, 0));
    end(&c);
}

Test(legal_results, copies_out_of_range_are_undefined)
{
    struct call c = call_of("copy_");
    VECTOR(&c, DTYPE_INT32, 0, 0, 0, 0);
    VECTOR(&c, DTYPE_FLOAT32, NAN, 1e20, -2147483648.0, 3.75);
    cr_expect(takes(&c, 0, 0, 0) && takes(&c, 0, 1, 2147483647) && takes(&c, 0, 1, -2147483648.0));
    cr_expect(takes(&c, 0, 2, -2147483648.0) && takes(&c, 0, 3, 3));
    cr_expect_not(takes(&c, 0, 2, 0) || takes(&c, 0, 3, 4));
    end(&c);
}

static bool clamp_is_legal(enum dtype dtype, const char *name, double x)
{
    struct shape one = shape_of(1, (int64_t)1);
    struct view self = view_contiguous(0, dtype, &one);
    struct attributes a = {.count = name != NULL,
                           .item = {{.name = name, .type = ATTRIBUTE_REAL, .real = x}}};
    return !refuses("clamp_", &a, 1, &self, NULL);
}

Test(legal_results, limits_of_clamp)
{
    cr_expect(clamp_is_legal(DTYPE_FLOAT32, "min", INFINITY) && clamp_is_legal(DTYPE_FLOAT32, "min", NAN));
    cr_expect(clamp_is_legal(DTYPE_FLOAT32, "max", 0) && clamp_is_legal(DTYPE_FLOAT32, "max", 1));
    cr_expect(clamp_is_legal(DTYPE_INT32, "min", -3));
    cr_expect_not(clamp_is_legal(DTYPE_INT32, "min", 1.5));
    cr_expect_not(clamp_is_legal(DTYPE_FLOAT32, NULL, 0));
}

static struct call ternary(const char *op, double value, double x, double a, double b)
{
    struct call c = call_of(op);
    if (strcmp(op, "lerp_") != 0) {
        real_attribute(&c, "value", value);
    }
    VECTOR(&c, DTYPE_FLOAT32, x);
    VECTOR(&c, DTYPE_FLOAT32, a);
    VECTOR(&c, DTYPE_FLOAT32, b);
    return c;
}

Test(legal_results, products_that_leave_the_range_beside_what_is_special)
{
    static const struct {
        const char *op;
        double value, x, a, b, right, also, never;
    } rows[] = {
        {"addcmul_", 1e-30, 0, 1e-30, INFINITY, INFINITY, NAN, 42},
        {"addcdiv_", 1e30, 0, 1e30, INFINITY, 0, NAN, 42},
        {"addcdiv_", 1e-30, 0, 1e-30, 0, INFINITY, NAN, 42},
        {"addcdiv_", 1e30, 0, 1e30, 1e30, 1e30, INFINITY, 42}, /* PyTorch multiplies value and y first */
        {"addcmul_", 1e30, 1, 1e30, 1e-30, 1e30, INFINITY, 42},
        {"lerp_", 0, -3e38, 3e38, 0.25, -1.5e38, INFINITY, 42},
        {"addcmul_", 2, 1, 3, INFINITY, INFINITY, INFINITY, NAN},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct call c = ternary(rows[r].op, rows[r].value, rows[r].x, rows[r].a, rows[r].b);
        cr_expect(takes(&c, 0, 0, rows[r].right), "row %zu", r);
        cr_expect(takes(&c, 0, 0, rows[r].also), "row %zu", r);
        cr_expect_not(takes(&c, 0, 0, rows[r].never), "row %zu", r);
        end(&c);
    }
    struct call c = call_of("add_");
    real_attribute(&c, "alpha", 1e30);
    VECTOR(&c, DTYPE_FLOAT32, 1);
    VECTOR(&c, DTYPE_FLOAT32, 1e10);
    cr_expect(takes(&c, 0, 0, INFINITY));
    cr_expect_not(takes(&c, 0, 0, 42));
    end(&c);
}

Test(legal_results, sums_that_leave_the_range)
{
    struct call c = call_of("matmul");
    MATRIX(&c, DTYPE_FLOAT32, 3, 3, -3e38, -3e38, INFINITY, 2e30, 2e30, 1, 3e38, 3e38, -3e38);
    MATRIX(&c, DTYPE_FLOAT32, 3, 2, 1, 1e30, 1, 1e30, 1, 1);
    cr_expect(takes(&c, 0, 0, INFINITY) && takes(&c, 0, 0, NAN), "-inf + inf on the way");
    cr_expect(takes(&c, 0, 3, INFINITY));
    cr_expect_not(takes(&c, 0, 3, NAN), "terms of one sign");
    cr_expect_not(takes(&c, 0, 3, 7));
    cr_expect(takes(&c, 0, 4, 3e38) && takes(&c, 0, 4, INFINITY) && takes(&c, 0, 4, NAN));
    cr_expect_not(takes(&c, 0, 4, 7));
    end(&c);
}

static struct call sparse(const char *op, double alpha, double value, double dense)
{
    struct call c = call_of(op);
    integers_attribute(&c, "size", integers_of(2, (int64_t)1, (int64_t)1));
    if (strcmp(op, "sparse_addmm") == 0) {
        real_attribute(&c, "alpha", alpha);
        MATRIX(&c, DTYPE_FLOAT32, 1, 1, 0);
    }
    MATRIX(&c, DTYPE_INT64, 2, 1, 0, 0);
    VECTOR(&c, DTYPE_FLOAT32, value);
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, dense);
    return c;
}

Test(legal_results, alpha_comes_first_or_last)
{
    struct call c = sparse("sparse_addmm", 1e30, 1e-25, 1e-25);
    cr_expect(takes(&c, 0, 0, 0) && takes(&c, 0, 0, 1e-20));
    cr_expect_not(takes(&c, 0, 0, 1));
    end(&c);
    c = sparse("sparse_addmm", 1e-30, 1e20, 1e20);
    cr_expect(takes(&c, 0, 0, INFINITY) && takes(&c, 0, 0, 1e10));
    cr_expect_not(takes(&c, 0, 0, 7));
    end(&c);
    c = sparse("sparse_mm", 1, 1e-39, 1e30);
    cr_expect_not(takes(&c, 0, 0, 0.5e-9));
    c.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    cr_expect(takes(&c, 0, 0, 0));
    end(&c);
}

Test(legal_results, a_cast_under_open_rounding)
{
    struct call c = call_of("autocast_matmul");
    c.attributes = (struct attributes){.count = 1,
                                       .item = {{.name = "dtype", .type = ATTRIBUTE_INTEGER, .integer = 10}}};
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 65530);
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 1);
    cr_expect_not(takes(&c, 0, 0, 65504));
    c.profile.rounding[DTYPE_FLOAT16] = ROUNDING_OPEN;
    cr_expect(takes(&c, 0, 0, 65504) && takes(&c, 0, 0, INFINITY));
    end(&c);
}

Test(legal_results, exponentials)
{
    struct call c = call_of("matrix_exp");
    double a[16] = {-11.2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)4, (int64_t)4), a);
    cr_expect_not(takes(&c, 0, 0, -0.03), "e^-11.2");
    end(&c);
    for (int negative = 0; negative < 2; negative++) {
        c = call_of("matrix_exp");
        MATRIX(&c, DTYPE_FLOAT32, 1, 1, negative ? -INFINITY : INFINITY);
        cr_expect(takes(&c, 0, 0, negative ? 0 : INFINITY) && takes(&c, 0, 0, NAN));
        cr_expect_not(takes(&c, 0, 0, negative ? INFINITY : 0));
        end(&c);
    }
}

/* Products in float16, with the factor rounded to it. */
Test(legal_results, gradients_unscaled_in_their_own_type)
{
    struct call c = call_of("amp_unscale");
    VECTOR(&c, DTYPE_FLOAT16, 1.5, 2.75, 0x1.234p3);
    VECTOR(&c, DTYPE_FLOAT32, 0);
    VECTOR(&c, DTYPE_FLOAT32, 1.0 / 3);
    for (int i = 0; i < 3; i++) {
        unsigned char third[2], product[2];
        dtype_store(DTYPE_FLOAT16, third, 1.0 / 3);
        dtype_store(DTYPE_FLOAT16, product,
                    dtype_load(DTYPE_FLOAT16, third) * tensor_component(&c.input[0], i));
        cr_expect(takes(&c, 0, i, dtype_load(DTYPE_FLOAT16, product)), "element %d", i);
    }
    end(&c);
}

/* Tiny matrices where subnormals may be flushed: the results are bounded too. */
Test(legal_results, determinants_near_the_end_of_the_range)
{
    struct call c = call_of("logdet");
    MATRIX(&c, DTYPE_FLOAT32, 3, 3, 1e-37, 0, 0, 0, 1e-37, 0, 0, 0, 1e-37);
    c.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    cr_expect(takes(&c, 0, 0, -255.5864F));
    cr_expect_not(takes(&c, 0, 0, -5));
    end(&c);
}

/* Operands may be flushed where their own dtype may be, not where another one is; bfloat16 follows
 * float32. */
Test(legal_results, operands_of_a_dtype_that_keeps_subnormals)
{
    static const struct {
        enum dtype operand, flushed;
        double least;
        bool zero;
    } row[] = {
        {DTYPE_FLOAT16, DTYPE_FLOAT16, 0x1p-24, true},   {DTYPE_FLOAT16, DTYPE_FLOAT32, 0x1p-24, false},
        {DTYPE_BFLOAT16, DTYPE_FLOAT32, 0x1p-133, true}, {DTYPE_FLOAT32, DTYPE_FLOAT64, 0x1p-149, false},
        {DTYPE_FLOAT64, DTYPE_FLOAT64, 0x1p-1074, true}, {DTYPE_FLOAT64, DTYPE_FLOAT32, 0x1p-1074, false},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct call c = call_of("sgn");
        VECTOR(&c, row[k].operand, row[k].least);
        c.profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
        c.profile.subnormals[row[k].flushed] = SUBNORMALS_MAY_FLUSH;
        cr_expect(takes(&c, 0, 0, 1), "row %zu", k);
        cr_expect_eq(takes(&c, 0, 0, 0), row[k].zero, "row %zu", k);
        end(&c);
    }
}

/* A device that promises nothing for NaN and infinity: any result is right for an element with such an
 * operand; for its neighbours only the usual results. */
Test(legal_results, special_operands_of_a_device_that_promises_nothing_of_them)
{
    struct call c = call_of("sgn");
    VECTOR(&c, DTYPE_FLOAT32, INFINITY, -2, NAN);
    cr_expect_not(takes(&c, 0, 0, NAN));
    c.profile.special_values[DTYPE_FLOAT32] = false;
    cr_expect(takes(&c, 0, 0, NAN) && takes(&c, 0, 0, 1) && takes(&c, 0, 2, 0));
    cr_expect_not(takes(&c, 0, 1, NAN) || takes(&c, 0, 1, 1));
    end(&c);
    c = call_of("add_");
    MATRIX(&c, DTYPE_FLOAT32, 2, 2, 1, 2, 3, 4);
    VECTOR(&c, DTYPE_FLOAT32, 5, -INFINITY);
    c.profile.special_values[DTYPE_FLOAT32] = false;
    cr_expect(takes(&c, 0, 1, 0) && takes(&c, 0, 3, NAN) && takes(&c, 0, 2, 8));
    cr_expect_not(takes(&c, 0, 2, 9));
    end(&c);
}

/* Half of a gradient may be flushed, and then everything computed from it is 0; not if it is a hundred times
 * as large, nor where subnormals are kept. */
Test(legal_results, a_gradient_is_flushed_before_it_is_multiplied)
{
    static const char *const names[] = {"gelu_backward", "mish_backward"};
    for (int n = 0; n < 2; n++) {
        struct call c = call_of(names[n]);
        VECTOR(&c, DTYPE_FLOAT64, 0x1.0000000000001p-1022, 0x1p-1015);
        VECTOR(&c, DTYPE_FLOAT64, 1.5, 1.5);
        c.profile.subnormals[DTYPE_FLOAT64] = SUBNORMALS_MAY_FLUSH;
        cr_expect(takes(&c, 0, 0, 0), "%s", names[n]);
        cr_expect_not(takes(&c, 0, 1, 0), "%s", names[n]);
        c.profile.subnormals[DTYPE_FLOAT64] = SUBNORMALS_KEPT;
        cr_expect_not(takes(&c, 0, 0, 0), "%s", names[n]);
        end(&c);
    }
}

/* Where the operands differ by far more than ln 2 the result is the greater one, also if the difference
 * leaves the range. */
Test(legal_results, logaddexp_of_large_numbers_is_the_greater_one)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        const double most = dtype_max(dtypes[d]), next = most - dtype_ulp(dtypes[d], most);
        struct call c = call_of("logaddexp");
        VECTOR(&c, dtypes[d], most, -most, next, -next, most);
        VECTOR(&c, dtypes[d], -most, next, next, -next, 1);
        for (int i = 0; i < 5; i++) {
            const double right = i == 0 || i == 4 ? most : i == 3 ? -next : next;
            cr_expect(takes(&c, 0, i, right), "%s, %d", dtype_info(dtypes[d])->name, i);
            const double wrong[] = {0, NAN, right / 2, -right, -copysign(INFINITY, right)};
            for (int k = 0; k < 5; k++) {
                cr_expect_not(takes(&c, 0, i, wrong[k]), "%s, %d: %g", dtype_info(dtypes[d])->name, i,
                              wrong[k]);
            }
        }
        end(&c);
    }
}

/* The difference leaves the range, and the result lies near its end: infinities are accepted, and no other
 * number. */
Test(legal_results, lerp_next_to_the_greatest_number_may_leave_the_range)
{
    const double most = dtype_max(DTYPE_FLOAT32);
    struct call c = call_of("lerp");
    VECTOR(&c, DTYPE_FLOAT32, -most, most);
    VECTOR(&c, DTYPE_FLOAT32, most, -most);
    VECTOR(&c, DTYPE_FLOAT32, 1 - 0x1p-24, 1 - 0x1p-24);
    cr_expect(takes(&c, 0, 0, -INFINITY) && takes(&c, 0, 0, INFINITY));
    cr_expect(takes(&c, 0, 0, most) && takes(&c, 0, 1, -most));
    cr_expect_not(takes(&c, 0, 0, -most) || takes(&c, 0, 1, most));
    end(&c);
}
