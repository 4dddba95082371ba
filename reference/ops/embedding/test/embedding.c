/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests embedding by its bits, and its gradient against sums in Arb that are scattered index by index. */
#include "reference/test/support.h"

#include "reference/ops/product_sum/product_sum_bound.h"

enum { ROWS = 7, WIDTH = 5, COUNT = 60, BITS = 4000 };

static struct attributes attributes_for(int64_t rows, bool padded, int64_t padding)
{
    struct attributes a = {.count = 0};
    if (rows >= 0) {
        a.item[a.count++] =
            (struct attribute){.name = "num_weights", .type = ATTRIBUTE_INTEGER, .integer = rows};
    }
    if (padded) {
        a.item[a.count++] =
            (struct attribute){.name = "padding_idx", .type = ATTRIBUTE_INTEGER, .integer = padding};
    }
    return a;
}

Test(embedding, moves_every_bit_of_the_rows_that_indices_name)
{
    static const uint32_t bits[6] = {0x7fa12345, 0x80000000, 1, 0xff800000, 0xffc00001, 0x3f800000};
    static const int64_t at[4] = {2, 0, 1, 2};
    struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)3, (int64_t)2), (double[6]){0}),
                              tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)2), at)};
    memcpy(input[0].data, bits, sizeof bits);
    for (int padded = 0; padded < 2; padded++) {
        struct attributes attributes = attributes_for(-1, padded, -1);
        struct truth *truth = truth_of_call("embedding", &attributes, 2, input);
        const struct shape wanted = shape_of(3, (int64_t)2, (int64_t)2, (int64_t)2);
        cr_assert(shape_equal(&truth->output[0].shape, &wanted));
        for (int i = 0; i < 8; i++) {
            const struct value wanted_value = value_of_element(DTYPE_FLOAT32, &bits[at[i / 2] * 2 + i % 2]),
                               *v = &truth->output[0].value[i];
            cr_expect(v->class == wanted_value.class && v->hi == wanted_value.hi &&
                          v->lo == wanted_value.lo && signbit(v->hi) == signbit(wanted_value.hi) &&
                          v->payload == wanted_value.payload &&
                          v->payload == (wanted_value.class == VALUE_NAN),
                      "element %d", i);
        }
        truth_destroy(&truth);
    }
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

/* Compares a gradient with the sums of the rows of x, in which NaN and infinities add up as doubles. */
static void compare(const struct truth *truth, const double *x, const int64_t *at, int64_t padding)
{
    for (int64_t e = 0; e < ROWS * WIDTH; e++) {
        const struct value *v = &truth->output[0].value[e];
        double special = 0;
        int terms = 0;
        arb_t sum, term;
        arb_init(sum);
        arb_init(term);
        for (int i = 0; i < COUNT; i++) {
            const double y = x[i * WIDTH + e % WIDTH];
            if (at[i] != e / WIDTH || at[i] == padding) {
                continue;
            }
            terms++;
            if (isfinite(y)) {
                arb_set_d(term, y);
                arb_add(sum, sum, term, BITS);
            } else {
                special += y;
            }
        }
        cr_expect_eq(truth->output[0].sensitivity[e * PRODUCT_SUM_SENSITIVITIES + TERMS], terms);
        if (special != 0) {
            cr_expect(v->class == (isnan(special) ? VALUE_NAN
                                   : special > 0  ? VALUE_POSITIVE_INFINITY
                                                  : VALUE_NEGATIVE_INFINITY),
                      "element %lld", (long long)e);
        } else if (terms == 0) {
            cr_expect(v->class == VALUE_FINITE && v->hi == 0 && v->lo == 0, "element %lld", (long long)e);
        } else {
            cr_expect_leq(value_distance_log2(v, sum), -103, "element %lld", (long long)e);
        }
        arb_clear(sum);
        arb_clear(term);
    }
}

static void check_gradient(enum dtype dtype, bool special, bool padded, int64_t padding)
{
    struct philox g;
    double x[COUNT * WIDTH];
    int64_t at[COUNT];
    philox_start(&g, dtype * 4 + special + 2 * padded);
    for (int i = 0; i < COUNT; i++) {
        at[i] = philox_below(&g, ROWS - 1); /* no index names the last row */
    }
    for (int i = 0; i < COUNT * WIDTH; i++) {
        unsigned char bytes[8];
        double y = ldexp(philox_unit(&g) - 0.5, (int)philox_below(&g, 12) - 6);
        y = special && philox_below(&g, 40) == 0 ? (philox_below(&g, 2) ? INFINITY : NAN) : y;
        dtype_store(dtype, bytes, y);
        x[i] = dtype_load(dtype, bytes);
    }
    struct tensor input[2] = {
        tensor_from(dtype, shape_of(4, (int64_t)3, (int64_t)4, (int64_t)5, (int64_t)WIDTH), x),
        tensor_from_integers(DTYPE_INT64, shape_of(3, (int64_t)3, (int64_t)4, (int64_t)5), at)};
    struct attributes attributes = attributes_for(ROWS, padded, padding);
    struct error error = {.text = ""};
    const struct op *op = op_find("embedding_backward");
    struct truth *truth = truth_of_call(op->name, &attributes, 2, input);
    struct truth *near = any_truth_of_call(op->name, &attributes, 2, input, true);
    compare(truth, x, at, !padded ? -1 : padding < 0 ? padding + ROWS : padding);
    struct op_call call = {.op = op, .attributes = &attributes, .inputs = 2, .input = input};
    for (int64_t e = 0; e < ROWS * WIDTH; e++) {
        const struct value *v = &truth->output[0].value[e], *w = &near->output[0].value[e];
        cr_expect(v->class != VALUE_FINITE ||
                  fabs((w->hi - v->hi) + (w->lo - v->lo)) <= near->output[0].radius[e] * (1 + 0x1p-30));
        cr_assert(op->certify(&call, near, 0, e, &error));
        cr_expect(v->class == w->class && v->hi == w->hi && v->lo == w->lo);
    }
    truth_destroy(&truth);
    truth_destroy(&near);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

Test(embedding, gradients_agree_with_arb)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        check_gradient(dtypes[d], false, false, 0);
        check_gradient(dtypes[d], true, false, 0);
        check_gradient(dtypes[d], false, true, 2);
        check_gradient(dtypes[d], false, true, -3);
    }
}

static bool refuses_call(const char *name, struct shape first, struct shape at, const int64_t *index,
                         struct attributes attributes, enum dtype indices)
{
    const struct view view[2] = {view_contiguous(0, DTYPE_FLOAT32, &first), view_contiguous(1, indices, &at)};
    struct tensor value[2] = {{.dtype = DTYPE_FLOAT32}};
    value[1] = tensor_from_integers(indices, at, index);
    bool refused = refuses(name, &attributes, 2, view, value);
    tensor_destroy(&value[1]);
    return refused;
}

Test(embedding, refuses_indices_that_name_no_row)
{
    const struct shape table = shape_of(2, (int64_t)3, (int64_t)2), two = shape_of(1, (int64_t)2),
                       grad = shape_of(2, (int64_t)2, (int64_t)4),
                       cube = shape_of(3, (int64_t)3, (int64_t)2, (int64_t)1);
    const struct attributes none = {.count = 0};
    static const int64_t right[] = {0, 2}, least[] = {0, -1}, most[] = {3, 0}, high[] = {0, INT64_C(1) << 32};
    const enum dtype wide = DTYPE_INT64;
    cr_expect(!refuses_call("embedding", table, two, right, none, wide));
    cr_expect(refuses_call("embedding", table, two, least, none, wide));
    cr_expect(refuses_call("embedding", table, two, most, none, wide));
    cr_expect(refuses_call("embedding", table, two, high, none, wide));
    cr_expect(refuses_call("embedding", table, two, right, none, DTYPE_INT32));
    cr_expect(refuses_call("embedding", cube, two, right, none, wide));
    cr_expect(!refuses_call("embedding", table, two, right, attributes_for(-1, true, -3), wide));
    cr_expect(refuses_call("embedding", table, two, right, attributes_for(-1, true, -4), wide));
    cr_expect(refuses_call("embedding", table, two, right, attributes_for(-1, true, 3), wide));
    cr_expect(!refuses_call("embedding_backward", grad, two, right, attributes_for(3, false, 0), wide));
    cr_expect(refuses_call("embedding_backward", grad, two, right, attributes_for(2, false, 0), wide));
    cr_expect(refuses_call("embedding_backward", grad, two, right, none, wide));
    cr_expect(refuses_call("embedding_backward", table, two, right, attributes_for(3, false, 0), wide));
}
