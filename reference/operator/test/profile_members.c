/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/program/program.h"
#include "reference/test/support.h"

/* What the members of a profile change in the acceptance sets, and where naive forms leave the range. */

Test(profile_members, depth_of_a_declared_order)
{
    static const struct {
        struct summation_order order;
        double n, h;
    } row[] = {{{SUMMATION_UNDECLARED, 0}, 100, 99}, {{SUMMATION_RECURSIVE, 0}, 100, 99},
               {{SUMMATION_PAIRWISE, 0}, 100, 7},    {{SUMMATION_PAIRWISE, 0}, 128, 7},
               {{SUMMATION_PAIRWISE, 0}, 129, 8},    {{SUMMATION_BLOCKED, 8}, 100, 15},
               {{SUMMATION_BLOCKED, 8}, 4, 3}, /* no more than there are */
               {{SUMMATION_BLOCKED, 1}, 100, 99},    {{SUMMATION_RECURSIVE, 0}, 0, 0},
               {{SUMMATION_PAIRWISE, 0}, 1, 0},      {{SUMMATION_BLOCKED, 8}, 1, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cr_expect_eq(summation_depth(row[i].order, row[i].n), row[i].h, "row %zu: %g", i,
                     summation_depth(row[i].order, row[i].n));
    }
}

/* 1×256 times 256×1, all 0.1: K·u·|A||B| shrinks to (h + 1)·u·|A||B|. */
Test(profile_members, a_declared_order_narrows_a_product)
{
    double x[256];
    for (int k = 0; k < 256; k++) {
        x[k] = 0.1;
    }
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)256), x),
                             tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)256, (int64_t)1), x)};
    struct truth *truth = truth_of_call("matmul", NULL, 2, input);
    const struct operator_summation other[] = {{"linear", {SUMMATION_PAIRWISE, 0}}, {NULL, {0, 0}}},
                                    own[] = {{"matmul", {SUMMATION_PAIRWISE, 0}}, {NULL, {0, 0}}};
    struct profile profile = profile_ieee();
    double magnitude = 256 * (double)0.1F * (double)0.1F, u = 0x1p-24;
    double any = accept_of("matmul", NULL, &profile, truth, 0, 0, false).set[0].radius;
    profile.summations = other;
    cr_expect_eq(accept_of("matmul", NULL, &profile, truth, 0, 0, false).set[0].radius, any);
    profile.summations = own;
    double pairwise = accept_of("matmul", NULL, &profile, truth, 0, 0, false).set[0].radius;
    cr_expect(fabs(any - 257 * u * magnitude) < 0.1 * u * magnitude, "%g", any / u / magnitude);
    cr_expect(fabs(pairwise - 10 * u * magnitude) < 0.1 * u * magnitude, "%g", pairwise / u / magnitude);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

/* [[1e-4, 0], [0, 1]]·1 with a NaN in the other row: a fast product may take either everywhere. */
Test(profile_members, a_fast_product_is_bounded_normwise)
{
    static double a[128 * 128], b[128 * 128];
    for (int k = 0; k < 128 * 128; k++) {
        a[k] = k < 128 ? 1e-4 : 1;
        b[k] = 1;
    }
    a[128 * 128 - 1] = NAN;
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)128, (int64_t)128), a),
                             tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)128, (int64_t)128), b)};
    struct truth *truth = truth_of_call("matmul", NULL, 2, input);
    const struct operator_algorithm fast[] = {{"matmul", 64, 0}, {NULL, 0, 0}};
    struct profile profile = profile_ieee();
    double right = 128 * (double)1e-4F;
    struct accept classical = accept_of("matmul", NULL, &profile, truth, 0, 0, false);
    profile.algorithms = fast;
    struct accept normwise = accept_of("matmul", NULL, &profile, truth, 0, 0, false);
    cr_expect(accepts_double(&classical, right) && accepts_double(&normwise, right));
    cr_expect(accepts_double(&normwise, right + 1e-4) && !accepts_double(&classical, right + 1e-4));
    cr_expect(accepts_double(&normwise, NAN) && !accepts_double(&classical, NAN));
    /* 18·(64² + 6·64)·u·max|A|·max|B| = 4.8e-3 */
    cr_expect(accepts_double(&normwise, right + 4e-3) && !accepts_double(&normwise, right + 6e-3));
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

static bool is_finding(const char *name, const struct attributes *attributes, const struct truth *truth,
                       int output)
{
    struct profile profile = profile_ieee();
    struct bound_query query = {
        .op = op_find(name), .profile = &profile, .attributes = attributes, .truth = truth, .output = output};
    cr_expect_not(op_range_finding(&query, NULL), "%s: the profile is safe", name);
    profile.range = RANGE_NAIVE;
    return op_range_finding(&query, NULL);
}

static bool finds(const char *name, const struct attributes *attributes, enum dtype dtype, struct shape shape,
                  const double *x)
{
    struct tensor tensor = tensor_from(dtype, shape, x);
    struct truth *truth = truth_of_call(name, attributes, 1, &tensor);
    bool found = is_finding(name, attributes, truth, truth->outputs - 1);
    truth_destroy(&truth);
    tensor_destroy(&tensor);
    return found;
}

Test(profile_members, naive_norms)
{
    struct attributes one = {.count = 1, .item = {{.name = "ord", .type = ATTRIBUTE_REAL, .real = 1}}};
    struct attributes three = {.count = 1, .item = {{.name = "ord", .type = ATTRIBUTE_REAL, .real = 3}}};
    struct attributes minus = {.count = 1, .item = {{.name = "ord", .type = ATTRIBUTE_REAL, .real = -2}}};
    struct attributes harmonic = {.count = 1, .item = {{.name = "ord", .type = ATTRIBUTE_REAL, .real = -1}}};
    struct shape two = shape_of(1, (int64_t)2), matrix = shape_of(2, (int64_t)1, (int64_t)2);
    const double plain[] = {3, 4}, huge[] = {3e19, 4e19}, tiny[] = {3e-25, 4e-25}, zero[] = {0, 0},
                 nan[] = {NAN, 1e30}, cubes[] = {1e13, 1e13}, reciprocal[] = {0x1p-1023, 0x1p-1023};
    cr_expect_not(finds("vector_norm", NULL, DTYPE_FLOAT32, two, plain));
    cr_expect(finds("vector_norm", NULL, DTYPE_FLOAT32, two, huge));
    cr_expect(finds("vector_norm", NULL, DTYPE_FLOAT32, two, tiny));
    cr_expect_not(finds("vector_norm", NULL, DTYPE_FLOAT64, two, huge));
    cr_expect_not(finds("vector_norm", NULL, DTYPE_FLOAT32, two, zero));
    cr_expect_not(finds("vector_norm", NULL, DTYPE_FLOAT32, two, nan));
    cr_expect_not(finds("vector_norm", &one, DTYPE_FLOAT32, two, huge));
    cr_expect_not(finds("vector_norm", NULL, DTYPE_FLOAT32, two, cubes));
    cr_expect(finds("vector_norm", &three, DTYPE_FLOAT32, two, cubes));
    cr_expect(finds("vector_norm", &minus, DTYPE_FLOAT32, two, huge));
    /* 2^1023 + 2^1023 is the first number beyond float64, and log2 of the greatest one rounds to 1024. */
    cr_expect(finds("vector_norm", &harmonic, DTYPE_FLOAT64, two, reciprocal));
    cr_expect(finds("matrix_norm", NULL, DTYPE_FLOAT32, matrix, huge));
    cr_expect_not(finds("matrix_norm", &one, DTYPE_FLOAT32, matrix, huge));
}

Test(profile_members, naive_signs_and_determinants)
{
    struct shape scalar = shape_of(1, (int64_t)1), square = shape_of(2, (int64_t)2, (int64_t)2);
    const double plain[] = {3, 4}, huge[] = {3e30, 4e30}, tiny[] = {3e-25, 4e-25}, zero[] = {0, 0},
                 nan[] = {NAN, 1}, small[] = {1e-30, 0, 0, 1e-30}, eye[] = {2, 0, 0, 2};
    cr_expect_not(finds("sgn", NULL, DTYPE_COMPLEX64, scalar, plain));
    cr_expect(finds("sgn", NULL, DTYPE_COMPLEX64, scalar, huge));
    cr_expect(finds("sgn", NULL, DTYPE_COMPLEX64, scalar, tiny));
    cr_expect_not(finds("sgn", NULL, DTYPE_COMPLEX64, scalar, zero));
    cr_expect_not(finds("sgn", NULL, DTYPE_COMPLEX64, scalar, nan));
    cr_expect_not(finds("sgn", NULL, DTYPE_FLOAT32, scalar, huge));
    cr_expect(finds("logdet", NULL, DTYPE_FLOAT32, square, small));
    cr_expect(finds("slogdet", NULL, DTYPE_FLOAT32, square, small));
    cr_expect_not(finds("logdet", NULL, DTYPE_FLOAT64, square, small));
    cr_expect_not(finds("logdet", NULL, DTYPE_FLOAT32, square, eye));
}

static struct attributes normalized(double eps)
{
    return (struct attributes){
        .count = 2,
        .item = {
            {.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {4}}},
            {.name = "eps", .type = ATTRIBUTE_REAL, .real = eps}}};
}

Test(profile_members, naive_statistics)
{
    struct shape row = shape_of(2, (int64_t)1, (int64_t)4);
    const double plain[] = {1, 2, 3, 5}, huge[] = {1e20, -1e20, 2e20, 3e20},
                 tiny[] = {1e-25, 2e-25, 3e-25, 5e-25};
    struct attributes usual = normalized(1e-5), none = normalized(0);
    static const char *const names[] = {"layer_norm", "rms_norm"};
    for (int k = 0; k < 2; k++) {
        cr_expect_not(finds(names[k], &usual, DTYPE_FLOAT32, row, plain), "%s", names[k]);
        cr_expect(finds(names[k], &usual, DTYPE_FLOAT32, row, huge), "%s", names[k]);
        cr_expect_not(finds(names[k], &usual, DTYPE_FLOAT64, row, huge), "%s", names[k]);
        cr_expect_not(finds(names[k], &usual, DTYPE_FLOAT32, row, tiny), "eps holds it up");
        cr_expect(finds(names[k], &none, DTYPE_FLOAT32, row, tiny), "%s", names[k]);
    }
}

/* dx, dweight, dbias of layer_norm: a sum of dy has nothing naive. */
Test(profile_members, naive_gradients)
{
    struct shape row = shape_of(2, (int64_t)1, (int64_t)4), tail = shape_of(1, (int64_t)4);
    const double plain[] = {1, 2, 3, 5}, huge[] = {1e20, -1e20, 2e20, 3e20}, large[] = {1e13, 0, -1e13, 2e13};
    const struct {
        const double *x;
        bool found[3];
    } rows[] = {{plain, {false, false, false}}, {huge, {true, true, false}}, {large, {true, false, false}}};
    struct attributes usual = normalized(1e-5);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tensor input[] = {tensor_from(DTYPE_FLOAT32, row, plain),
                                 tensor_from(DTYPE_FLOAT32, row, rows[i].x),
                                 tensor_from(DTYPE_FLOAT32, tail, plain)};
        struct truth *truth = truth_of_call("layer_norm_backward", &usual, 3, input);
        for (int output = 0; output < 3; output++) {
            cr_expect_eq(is_finding("layer_norm_backward", &usual, truth, output), rows[i].found[output],
                         "row %zu, output %d", i, output);
        }
        truth_destroy(&truth);
        for (int k = 0; k < 3; k++) {
            tensor_destroy(&input[k]);
        }
    }
}

Test(profile_members, naive_running_statistics)
{
    struct shape row = shape_of(2, (int64_t)4, (int64_t)1), channel = shape_of(1, (int64_t)1);
    const double huge[] = {1e18, -1e18, 2e18, 3e19}, one[] = {1};
    struct attributes trains = {.count = 1,
                                .item = {{.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1}}};
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, row, huge), tensor_from(DTYPE_FLOAT32, channel, one),
                             tensor_from(DTYPE_FLOAT32, channel, one)};
    struct truth *truth = truth_of_call("batch_norm", &trains, 3, input);
    cr_expect_not(is_finding("batch_norm", &trains, truth, 0), "the mean");
    cr_expect(is_finding("batch_norm", &trains, truth, 1) || truth->output[1].value[0].class != VALUE_FINITE,
              "the variance");
    cr_expect(is_finding("batch_norm", &trains, truth, 2), "y");
    truth_destroy(&truth);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
}

Test(profile_members, a_nan_may_have_a_sign)
{
    const double a[] = {NAN, 1, 2, 3}, b[] = {1, 1, 1, 1};
    struct profile profile = profile_ieee();
    struct tensor nan = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)2), a);
    struct tensor singular = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)2), b);
    struct truth *truth = truth_of_call("slogdet", NULL, 1, &nan);
    struct truth *other = truth_of_call("slogdet", NULL, 1, &singular);
    struct accept strict = accept_of("slogdet", NULL, &profile, truth, 0, 0, false);
    profile.slogdet_nan_sign = SLOGDET_NAN_SIGN_NUMBER;
    struct accept number = accept_of("slogdet", NULL, &profile, truth, 0, 0, false);
    struct accept logarithm = accept_of("slogdet", NULL, &profile, truth, 1, 0, false);
    struct accept sign = accept_of("slogdet", NULL, &profile, other, 0, 0, false);
    cr_expect(accepts_double(&strict, NAN) && !accepts_double(&strict, 1));
    cr_expect(accepts_double(&number, NAN) && accepts_double(&number, 1) && accepts_double(&number, -1));
    cr_expect(accepts_double(&number, 0) && !accepts_double(&number, 0.5) && !accepts_double(&number, 2));
    cr_expect(accepts_double(&logarithm, NAN) && !accepts_double(&logarithm, 1));
    cr_expect_not(accepts_double(&sign, NAN));
    struct bound_query query = {.op = op_find("slogdet"), .profile = &profile, .truth = truth};
    bool scaled;
    cr_expect_eq(op_resolving_power(&query, &number, &scaled), 0);
    truth_destroy(&truth);
    truth_destroy(&other);
    tensor_destroy(&nan);
    tensor_destroy(&singular);
}

Test(profile_members, attributes_are_rounded_to_float32)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)2);
    struct view x[] = {program_input(program, DTYPE_FLOAT64, &shape),
                       program_input(program, DTYPE_FLOAT64, &shape)};
    struct attributes alpha = {.count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 0.1}}};
    char before[33], after[33];
    program_step(program, op_find("add_"), &alpha, 2, x);
    program_digest(program, before);
    program_adapt(program, &(struct profile){.attributes_float32 = true});
    program_digest(program, after);
    cr_expect_eq(program->step[0].attributes.item[0].real, (double)0.1F);
    cr_expect_str_neq(before, after, "another case than the one with 0.1");
    program_destroy(&program);
}

/* An eps that is left out, of 16-bit dtypes alone, and what is given stays. */
Test(profile_members, an_eps_that_is_left_out_becomes_that_of_float32)
{
    const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    struct attributes without = {.count = 1,
                                 .item = {{"normalized_shape", ATTRIBUTE_INTEGERS, .integers = {1, {2}}}}},
                      with = {.count = 2, .item = {without.item[0], {"eps", ATTRIBUTE_REAL, .real = 0.5}}};
    for (int declared = 0; declared < 2; declared++) {
        for (int d = 0; d < 4; d++) {
            struct program *program = program_create();
            const struct view x = program_input(program, dtypes[d], &(struct shape){.rank = 1, .dim = {2}});
            program_step(program, op_find("rms_norm"), &without, 1, &x);
            program_step(program, op_find("rms_norm"), &with, 1, &x);
            program_adapt(program, &(struct profile){.epsilon_float32 = declared});
            struct attributes *a = &program->step[0].attributes;
            bool assumed = declared && d < 2; /* 16 bits */
            cr_expect(a->count == 1 + assumed && program->step[1].attributes.item[1].real == 0.5 &&
                      (!assumed || (a->item[1].assumed && a->item[1].real == 0x1p-23)));
            program_destroy(&program);
        }
    }
}

static struct truth *truth_with(const char *name, enum dtype dtype, const struct attributes *attributes)
{
    const double x[] = {0.01, -0.02, 0.03, 0.05};
    bool norm = op_inputs_min(op_find(name)) == 1;
    struct shape shape = shape_of(2, (int64_t)1, (int64_t)4);
    struct tensor input[] = {tensor_from(dtype, shape, x), tensor_from(dtype, shape, x),
                             tensor_from(dtype, shape, x)};
    struct truth *truth = truth_of_call(name, attributes, norm ? 1 : op_inputs_min(op_find(name)), input);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
    return truth;
}

/* The default that stands beside an attribute is the one that the truth takes. */
Test(profile_members, defaults_are_what_is_left_out)
{
    static const char *const names[] = {"vector_norm", "layer_norm", "rms_norm", "rms_norm_backward",
                                        "group_norm",  "add_",       "addcmul_", "add_out"};
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (size_t i = 0; i < sizeof names / sizeof *names * 4; i++) {
        const char *name = names[i / 4];
        enum dtype dtype = dtypes[i % 4];
        struct attributes required = {.count = 0};
        if (strstr(name, "group")) {
            required = (struct attributes){
                .count = 1, .item = {{.name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = 2}}};
        } else if (strstr(name, "layer") || strstr(name, "rms")) {
            required = normalized(0);
            required.count = 1;
        }
        struct attributes all = required;
        op_default_attributes(op_find(name), dtype, &all);
        cr_expect_gt(all.count, required.count, "%s", name);
        struct truth *without = truth_with(name, dtype, &required), *with = truth_with(name, dtype, &all);
        for (int64_t e = 0; e < with->output[0].elements; e++) {
            const struct value *a = &without->output[0].value[e], *b = &with->output[0].value[e];
            cr_expect(a->hi == b->hi && a->lo == b->lo, "%s of %s", name, dtype_info(dtype)->name);
        }
        truth_destroy(&without);
        truth_destroy(&with);
    }
}

Test(profile_members, eps_of_rms_norm_is_the_spacing_of_one)
{
    static const struct {
        enum dtype dtype;
        double eps;
    } row[] = {{DTYPE_FLOAT16, 0x1p-10},
               {DTYPE_BFLOAT16, 0x1p-7},
               {DTYPE_FLOAT32, 0x1p-23},
               {DTYPE_FLOAT64, 0x1p-52}};
    for (size_t i = 0; i < 4; i++) {
        struct attributes none = {.count = 0};
        op_default_attributes(op_find("rms_norm"), row[i].dtype, &none);
        cr_expect_eq(attributes_real(&none, "eps", 0), row[i].eps, "%s", dtype_info(row[i].dtype)->name);
    }
}

/* Sums of 16-bit products in matrix units: u of the accumulator doubles, and the envelope may fail nothing;
 * of the operators that are named, and where the sums are held wider than the dtype. */
Test(profile_members, matrix_units_promise_no_rounding)
{
    double x[64];
    for (int k = 0; k < 64; k++) {
        x[k] = 1 + k / 64.0;
    }
    const char *const units[] = {"matmul", NULL};
    for (int wide = 0; wide < 2; wide++) {
        enum dtype dtype = wide ? DTYPE_FLOAT32 : DTYPE_FLOAT16;
        struct tensor input[] = {tensor_from(dtype, shape_of(2, (int64_t)1, (int64_t)64), x),
                                 tensor_from(dtype, shape_of(2, (int64_t)64, (int64_t)1), x)};
        struct truth *truth = truth_of_call("matmul", NULL, 2, input);
        struct profile plain = profile_ieee();
        plain.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
        plain.matrix_units = units;
        struct profile product = profile_of_operator(&plain, "matmul"),
                       other = profile_of_operator(&plain, "linear");
        struct bound_query query = {.op = op_find("matmul"), .profile = &product, .truth = truth};
        double with = query.op->bound(&query);
        struct envelope_limit limit;
        op_envelope(&query, &limit);
        cr_expect_eq(limit.may_fail, wide == 1);
        query.profile = &other;
        double without = query.op->bound(&query);
        op_envelope(&query, &limit);
        cr_expect(limit.may_fail);
        cr_expect(wide ? with == without : with > 1.99 * without && with < 2.01 * without, "%g %g", with,
                  without);
        truth_destroy(&truth);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
}

/* alpha·(e^x − 1) loses x beside 1: 0 of −2^-30 where the profile names the operator, and under no other. */
Test(profile_members, documented_forms_of_the_operators_that_are_named)
{
    static const char *const elu[] = {"elu", NULL}, *const other[] = {"celu", NULL};
    const double x[] = {-0x1p-30, -1};
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), x);
    struct truth *truth = truth_of_call("elu", NULL, 1, &input);
    struct attributes none = {.count = 0};
    struct profile profile = profile_ieee(), own = profile_of_operator(&profile, "elu");
    struct accept accept = accept_of("elu", &none, &own, truth, 0, 0, false);
    cr_expect_not(accepts_double(&accept, 0));
    profile.documented = other;
    own = profile_of_operator(&profile, "elu");
    accept = accept_of("elu", &none, &own, truth, 0, 0, false);
    cr_expect_not(accepts_double(&accept, 0));
    profile.documented = elu;
    own = profile_of_operator(&profile, "elu");
    accept = accept_of("elu", &none, &own, truth, 0, 0, false);
    cr_expect(accepts_double(&accept, 0) && accepts_double(&accept, -0x1p-30));
    cr_expect_not(accepts_double(&accept, -0x1p-22));
    accept = accept_of("elu", &none, &own, truth, 0, 1, false);
    cr_expect_not(accepts_double(&accept, -0.6322), "the documented formula loses no digit at -1");
    truth_destroy(&truth);
    tensor_destroy(&input);
}
