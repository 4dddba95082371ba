/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Special values, rejections and bounds of the sparse operators. */

#include "reference/test/support.h"

static double element(const struct truth *truth, int64_t i)
{
    return value_approximately(&truth->output[0].value[i]);
}

/* [[0*, 0], [2, 0], [0, 0]] with a stored zero at (0, 0), times a vector. */
Test(sparse_rules, a_stored_zero_takes_part_and_what_is_not_stored_does_not)
{
    const int64_t places[] = {0, 1, 0, 0};
    const double v[] = {0, 2}, x[] = {INFINITY, NAN};
    struct attributes size = size_of(3, 2);
    struct tensor input[] = {tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)2), places),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), v),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), x)};
    struct truth *truth = truth_of_call("sparse_mv", &size, 3, input);
    cr_expect(isnan(element(truth, 0)));
    cr_expect_eq(element(truth, 1), INFINITY);
    cr_expect_eq(element(truth, 2), 0);
    cr_expect(truth->output[0].value[2].exact);
    truth_destroy(&truth);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
}

/* (0 + 1)·inf is inf, 0·inf + 1·inf is NaN: where entries share a place, either order is right; alone, 0·inf
 * is NaN. */
Test(sparse_rules, duplicates_may_be_summed_before_they_meet_an_infinity)
{
    const int64_t places[] = {0, 0, 1, 0, 0, 0};
    const double v[] = {0, 1, 0}, x[] = {INFINITY};
    struct attributes size = size_of(2, 1);
    struct profile ieee = profile_ieee();
    struct tensor input[] = {tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)3), places),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), v),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)1), x)};
    struct truth *truth = truth_of_call("sparse_mv", &size, 3, input);
    struct accept shared = accept_of("sparse_mv", &size, &ieee, truth, 0, 0, false);
    struct accept alone = accept_of("sparse_mv", &size, &ieee, truth, 0, 1, false);
    cr_expect(accepts_double(&shared, NAN) && accepts_double(&shared, INFINITY));
    cr_expect_not(accepts_double(&shared, 1));
    cr_expect(accepts_double(&alone, NAN));
    cr_expect_not(accepts_double(&alone, INFINITY));
    truth_destroy(&truth);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
}

Test(sparse_rules, beta_zero_ignores_what_it_multiplies)
{
    const int64_t places[] = {0, 0};
    const double v[] = {3}, x[] = {5}, c[] = {NAN, INFINITY};
    struct attributes size = size_of(2, 1), ignored = size;
    ignored.item[1] = (struct attribute){.name = "beta", .type = ATTRIBUTE_REAL, .real = 0};
    ignored.count = 2;
    struct tensor input[] = {tensor_from(DTYPE_FLOAT64, shape_of(2, (int64_t)2, (int64_t)1), c),
                             tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)1), places),
                             tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)1), v),
                             tensor_from(DTYPE_FLOAT64, shape_of(2, (int64_t)1, (int64_t)1), x)};
    struct truth *truth = truth_of_call("sparse_addmm", &ignored, 4, input);
    cr_expect_eq(element(truth, 0), 15);
    cr_expect_eq(element(truth, 1), 0);
    truth_destroy(&truth);
    truth = truth_of_call("sparse_addmm", &size, 4, input);
    cr_expect(isnan(element(truth, 0)) && isinf(element(truth, 1)));
    truth_destroy(&truth);
    for (int k = 0; k < 4; k++) {
        tensor_destroy(&input[k]);
    }
}

static bool coo_rejected(int64_t row, int64_t column, int64_t values, int64_t dense_rows, enum dtype index)
{
    const int64_t places[] = {0, row, 1, column};
    struct attributes size = size_of(4, 3);
    struct tensor value[3] = {tensor_from_integers(index, shape_of(2, (int64_t)2, (int64_t)2), places)};
    struct shape shape[] = {shape_of(1, values), shape_of(2, dense_rows, (int64_t)5)};
    struct view input[] = {view_contiguous(0, index, &value[0].shape),
                           view_contiguous(1, DTYPE_FLOAT32, &shape[0]),
                           view_contiguous(2, DTYPE_FLOAT32, &shape[1])};
    bool refused = refuses("sparse_mm", &size, 3, input, value);
    tensor_destroy(&value[0]);
    return refused;
}

Test(sparse_rules, places_outside_the_matrix_are_rejected)
{
    cr_expect_not(coo_rejected(3, 2, 2, 3, DTYPE_INT64));
    cr_expect_not(coo_rejected(0, 0, 2, 3, DTYPE_INT32));
    cr_expect(coo_rejected(4, 2, 2, 3, DTYPE_INT64));
    cr_expect(coo_rejected(3, 3, 2, 3, DTYPE_INT32));
    cr_expect(coo_rejected(-1, 2, 2, 3, DTYPE_INT64));
    cr_expect(coo_rejected(3, -1, 2, 3, DTYPE_INT32));
    cr_expect(coo_rejected(3, (int64_t)1 << 32, 2, 3, DTYPE_INT64));
    cr_expect(coo_rejected(((int64_t)1 << 32) + 1, 2, 2, 3, DTYPE_INT64));
    cr_expect(coo_rejected(3, 2, 1, 3, DTYPE_INT64), "fewer values than entries");
    cr_expect(coo_rejected(3, 2, 2, 4, DTYPE_INT64), "a dense operand of another height");
    cr_expect(coo_rejected(3, 2, 2, 3, DTYPE_UINT8), "indices of another dtype");
}

static bool csr_columns_rejected(const int64_t crow[4], int64_t first, int64_t second)
{
    const int64_t columns[] = {first, second};
    struct attributes size = size_of(3, 2);
    struct tensor value[4] = {tensor_from_integers(DTYPE_INT64, shape_of(1, (int64_t)4), crow),
                              tensor_from_integers(DTYPE_INT64, shape_of(1, (int64_t)2), columns)};
    struct shape two = shape_of(1, (int64_t)2);
    struct view input[] = {view_contiguous(0, DTYPE_INT64, &value[0].shape),
                           view_contiguous(1, DTYPE_INT64, &value[1].shape),
                           view_contiguous(2, DTYPE_FLOAT32, &two), view_contiguous(3, DTYPE_FLOAT32, &two)};
    bool refused = refuses("csr_mv", &size, 4, input, value);
    tensor_destroy(&value[0]);
    tensor_destroy(&value[1]);
    return refused;
}

static bool csr_rejected(const int64_t crow[4], int64_t column)
{
    return csr_columns_rejected(crow, 0, column);
}

/* PyTorch's invariant: columns increase along a row, but not from one row to the next. */
Test(sparse_rules, columns_that_do_not_rise_are_rejected)
{
    cr_expect_not(csr_columns_rejected((int64_t[]){0, 0, 2, 2}, 0, 1));
    cr_expect(csr_columns_rejected((int64_t[]){0, 0, 2, 2}, 1, 0), "unsorted");
    cr_expect(csr_columns_rejected((int64_t[]){0, 2, 2, 2}, 1, 1), "one place twice");
    cr_expect_not(csr_columns_rejected((int64_t[]){0, 1, 1, 2}, 1, 0), "two rows");
    cr_expect_not(csr_columns_rejected((int64_t[]){0, 1, 2, 2}, 1, 1), "two rows");
}

Test(sparse_rules, rows_that_are_none_are_rejected)
{
    cr_expect_not(csr_rejected((int64_t[]){0, 1, 1, 2}, 1));
    cr_expect_not(csr_rejected((int64_t[]){0, 0, 0, 2}, 1));
    cr_expect(csr_rejected((int64_t[]){1, 1, 1, 2}, 1), "begins with 1");
    cr_expect(csr_rejected((int64_t[]){0, 1, 1, 3}, 1), "ends behind the last entry");
    cr_expect(csr_rejected((int64_t[]){0, 1, 1, 1}, 1), "ends before it");
    cr_expect(csr_rejected((int64_t[]){0, 2, 1, 2}, 1), "decreases");
    cr_expect(csr_rejected((int64_t[]){0, 1, 1, 2}, 2), "a column outside");
    cr_expect(csr_rejected((int64_t[]){0, 1, 1, 2}, -1), "a negative column");
}

/* If an earlier step computes the indices, only shapes are checked; the shape of coalesce is then unknown. */
Test(sparse_rules, unknown_indices_are_believed)
{
    struct attributes size = size_of(4, 3);
    struct shape places = shape_of(2, (int64_t)2, (int64_t)2), two = shape_of(1, (int64_t)2);
    struct view input[] = {view_contiguous(0, DTYPE_INT64, &places), view_contiguous(1, DTYPE_FLOAT32, &two)};
    cr_expect_not(refuses("to_dense", &size, 2, input, NULL));
    cr_expect(refuses("coalesce", &size, 2, input, NULL));
    cr_expect_eq(op_leading_input(op_find("sparse_mm")), 1);
    cr_expect_eq(op_leading_input(op_find("csr_mm")), 2);
    cr_expect_eq(op_leading_input(op_find("sparse_addmm")), 0);
}

/* A row of n entries: summed in any order in float32 it stays inside, a lost entry does not. */
Test(sparse_rules, any_order_is_inside_and_a_lost_entry_is_not)
{
    enum { COUNT = 300 };
    struct profile profile = profile_ieee();
    struct attributes size = size_of(1, COUNT);
    int64_t places[2 * COUNT] = {0};
    double v[COUNT], x[COUNT];
    float forward = 0, backward = 0, lost = 0;
    for (int i = 0; i < COUNT; i++) {
        places[COUNT + i] = i;
        v[i] = (double)(float)(1 + i * 0.01) * (i % 3 ? 1 : -1);
        x[i] = (double)(float)(1.7 - i * 0.001);
        forward += (float)v[i] * (float)x[i];
        lost += i ? (float)v[i] * (float)x[i] : 0;
    }
    for (int i = COUNT; i-- > 0;) {
        backward += (float)v[i] * (float)x[i];
    }
    struct tensor input[] = {
        tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)COUNT), places),
        tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)COUNT), v),
        tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)COUNT), x)};
    struct truth *truth = truth_of_call("sparse_mv", &size, 3, input);
    struct accept accept = accept_of("sparse_mv", &size, &profile, truth, 0, 0, false);
    cr_expect(accepts_double(&accept, (double)forward) && accepts_double(&accept, (double)backward));
    cr_expect_not(accepts_double(&accept, (double)lost));
    struct bound_query query = {
        .op = op_find("sparse_mv"), .profile = &profile, .attributes = &size, .truth = truth};
    double magnitude = truth->output[0].sensitivity[1], u = 0x1p-24;
    cr_expect_float_eq(query.op->bound(&query), COUNT * u * magnitude, 1e-12);
    profile.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    cr_expect_float_eq(query.op->bound(&query), COUNT * 2 * u / (1 - COUNT * 2 * u) * magnitude, 1e-12);
    query.exact = true;
    cr_expect_eq(query.op->bound(&query), 0);
    truth_destroy(&truth);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
}

/* Entries without duplicates are exact to the bit, sums of duplicates within (K − 1)·u·Σ|v|. */
Test(sparse_rules, a_single_entry_is_exact)
{
    const int64_t places[] = {1, 0, 1, 0, 0, 1, 0, 0};
    const double v[] = {0.1F, 0.3F, 0.7F, 16777216};
    struct profile profile = profile_ieee();
    struct attributes size = size_of(2, 2);
    struct tensor input[] = {tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)4), places),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)4), v)};
    struct truth *truth = truth_of_call("coalesce", &size, 2, input);
    cr_assert_eq(truth->output[1].elements, 3); /* (0, 0), (0, 1), (1, 0) */
    struct accept once = accept_of("coalesce", &size, &profile, truth, 1, 1, false);
    cr_expect(accepts_double(&once, 0.3F));
    cr_expect_not(accepts_double(&once, (double)nextafterf(0.3F, 1)));
    struct accept twice = accept_of("coalesce", &size, &profile, truth, 1, 2, false);
    cr_expect(accepts_double(&twice, (double)(0.1F + 0.7F)));
    cr_expect_not(accepts_double(&twice, 0.7F));
    struct accept index = accept_of("coalesce", &size, &profile, truth, 0, 4, false);
    unsigned char one[8] = {1}, two[8] = {2};
    cr_expect(accept_judge(&index, one).accepted);
    cr_expect_not(accept_judge(&index, two).accepted);
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}
