/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

static struct attributes along(int64_t dim)
{
    return (struct attributes){.count = 1,
                               .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = dim}}};
}

static void expect(const char *name, const struct attributes *attributes, const struct tensor *x,
                   const int64_t *places, const bool *alone)
{
    struct truth *truth = truth_of_call(name, attributes, 1, x);
    cr_assert_eq(truth->outputs, 1);
    cr_assert_eq(truth->output[0].dtype, DTYPE_INT64);
    for (int64_t i = 0; i < truth->output[0].elements; i++) {
        cr_expect_eq(truth->output[0].value[i].hi, (double)places[i], "%s: row %lld is %g", name,
                     (long long)i, truth->output[0].value[i].hi);
        cr_expect_eq(truth->output[0].value[i].exact, alone[i], "%s: row %lld", name, (long long)i);
    }
    truth_destroy(&truth);
}

Test(argmax, the_first_of_the_leading_ones_and_whether_it_is_alone)
{
    static const double x[4][4] = {
        {3, 9, 9, -1}, {0, -0.0, -2, -5}, {NAN, 4, NAN, 8}, {-4, -3, INFINITY, -9}};
    struct tensor input = tensor_from(DTYPE_FLOAT16, shape_of(2, (int64_t)4, (int64_t)4), &x[0][0]);
    struct attributes last = along(-1), first = along(0);
    expect("argmax", &last, &input, (int64_t[]){1, 0, 0, 2}, (bool[]){false, false, false, true});
    expect("argmin", &last, &input, (int64_t[]){3, 3, 0, 3}, (bool[]){true, true, false, true});
    expect("argmax", &first, &input, (int64_t[]){2, 0, 2, 2}, (bool[]){true, true, true, true});
    expect("argmax", NULL, &input, (int64_t[]){8}, (bool[]){false});
    tensor_destroy(&input);
}

Test(argmax, integers_are_compared_whole)
{
    static const int64_t x[3] = {INT64_C(1) << 53, (INT64_C(1) << 53) + 1, INT64_MIN};
    struct tensor input = tensor_from_integers(DTYPE_INT64, shape_of(1, (int64_t)3), x);
    expect("argmax", NULL, &input, (int64_t[]){1}, (bool[]){true});
    expect("argmin", NULL, &input, (int64_t[]){2}, (bool[]){true});
    tensor_destroy(&input);
}

static struct shape shape_along(const struct shape *x, int64_t dim, bool given, bool keep)
{
    struct attributes attributes = {.count = 0};
    struct view view = view_contiguous(0, DTYPE_FLOAT32, x);
    if (given) {
        attributes = along(dim);
    }
    if (keep) {
        attributes.item[attributes.count++] =
            (struct attribute){.name = "keepdim", .type = ATTRIBUTE_BOOL, .integer = 1};
    }
    struct op_operands operands = {.attributes = &attributes, .inputs = 1, .input = &view};
    struct op_signature signature;
    cr_assert(op_signature(op_find("argmax"), &operands, &signature, NULL));
    return signature.output[0].shape;
}

Test(argmax, shapes_are_pytorchs)
{
    const struct shape x = shape_of(3, (int64_t)2, (int64_t)3, (int64_t)4), scalar = {.rank = 0};
    const struct shape middle = shape_of(2, (int64_t)2, (int64_t)4),
                       kept = shape_of(3, (int64_t)2, (int64_t)3, (int64_t)1),
                       ones = shape_of(3, (int64_t)1, (int64_t)1, (int64_t)1);
    struct shape got = shape_along(&x, 1, true, false);
    cr_expect(shape_equal(&got, &middle));
    got = shape_along(&x, -2, true, false);
    cr_expect(shape_equal(&got, &middle));
    got = shape_along(&x, 2, true, true);
    cr_expect(shape_equal(&got, &kept));
    got = shape_along(&x, 0, false, true);
    cr_expect(shape_equal(&got, &ones));
    got = shape_along(&x, 0, false, false);
    cr_expect(shape_equal(&got, &scalar));
    got = shape_along(&scalar, -1, true, true);
    cr_expect(shape_equal(&got, &scalar));
}

static bool refuses_shape(struct shape shape, const struct attributes *attributes)
{
    struct view view = view_contiguous(0, DTYPE_FLOAT32, &shape);
    return refuses("argmin", attributes, 1, &view, NULL);
}

Test(argmax, nothing_has_no_greatest_element)
{
    struct attributes zero = along(0), one = along(1), two = along(2), below = along(-3);
    cr_expect(refuses_shape(shape_of(2, (int64_t)3, (int64_t)0), &one));
    cr_expect_not(refuses_shape(shape_of(2, (int64_t)3, (int64_t)0), &zero));
    cr_expect(refuses_shape(shape_of(2, (int64_t)3, (int64_t)0), NULL));
    cr_expect(refuses_shape(shape_of(2, (int64_t)3, (int64_t)4), &two));
    cr_expect(refuses_shape(shape_of(2, (int64_t)3, (int64_t)4), &below));
    cr_expect(refuses_shape((struct shape){.rank = 0}, &one));
    cr_expect_not(refuses_shape((struct shape){.rank = 0}, &zero));
}

/* Outputs and what is declared of them. */
Test(argmax, outputs_have_names_and_roles)
{
    char text[RESULT_TEXT];
    cr_expect_null(op_result_name(op_find("argmax"), 0));
    cr_expect(op_result_is_verified(op_find("argmax"), 0));
    cr_expect_not(op_result_is_verified(op_find("sgn"), 0));
    cr_expect_str_eq(op_result_name(op_find("slogdet"), 1), "logabsdet");
    cr_expect_str_eq(op_result_name(op_find("coalesce"), 0), "indices");
    cr_expect(op_result_is_counted(op_find("coalesce"), 1));
    cr_expect_not(op_result_is_counted(op_find("sparse_transpose"), 1));
    cr_expect_not(op_result_is_counted(op_find("to_dense"), 0));
    op_print_result(op_find("slogdet"), 0, text);
    cr_expect_str_eq(text, "0 (sign)");
    op_print_result(op_find("amp_unscale"), OPERANDS_MAX - 1, text);
    cr_expect_str_eq(text, "31");
    for (int o = 0; o < op_count(); o++) {
        const struct op *op = op_at(o);
        bool any = false;
        for (int k = 0; k < RESULTS_NAMED; k++) {
            cr_expect(k < op->outputs || (!op->results[k].name && !op->results[k].role),
                      "%s has no output %d", op->name, k);
            any = any || (op->results[k].role & RESULT_VERIFIED);
        }
        cr_expect_eq(any, op->verify != NULL, "%s: what `verify` judges", op->name);
        cr_expect_not(op->verify && op_writes(op), "%s: judged tensors are its outputs", op->name);
    }
}
