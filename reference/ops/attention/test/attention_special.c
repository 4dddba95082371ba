/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Special values, rows without keys, refused operands, and what the bound and the envelope refuse. */

#include "reference/ops/attention/test/attention_forms.h"

static const char name[] = "scaled_dot_product_attention";

/* One query [1, 1], two keys k and values v, an optional mask of two numbers. */
static struct call two(double q, double k0, double k1, double v0, double v1)
{
    struct call c = call_of(name);
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, q);
    MATRIX(&c, DTYPE_FLOAT32, 2, 1, k0, k1);
    MATRIX(&c, DTYPE_FLOAT32, 2, 1, v0, v1);
    return c;
}

static struct call masked(double v0, double v1, double m0, double m1)
{
    struct call c = two(1, 1, 1, v0, v1);
    MATRIX(&c, DTYPE_FLOAT32, 1, 2, m0, m1);
    return c;
}

static struct call conditional(struct call c, double m0, double m1)
{
    MATRIX(&c, DTYPE_BOOL, 1, 2, m0, m1);
    return c;
}

#define EXPECT(call_, ...)                                                                                   \
    {                                                                                                        \
        struct call c = call_;                                                                               \
        __VA_ARGS__;                                                                                         \
        end(&c);                                                                                             \
    }

Test(attention_special, masks){
    EXPECT(masked(3, 5, 0, 0), cr_expect(takes(&c, 0, 0, 4) && !takes(&c, 0, 0, 5)))
        EXPECT(masked(3, 5, 0, -INFINITY), cr_expect(takes(&c, 0, 0, 3) && !takes(&c, 0, 0, 3.001)))
            EXPECT(masked(3, 5, 0, -1e30), cr_expect(takes(&c, 0, 0, 3) && !takes(&c, 0, 0, 3.001)))
                EXPECT(masked(3, 5, 0, -10),
                       cr_expect(takes(&c, 0, 0, 3 + 2 / (1 + exp(10))) && !takes(&c, 0, 0, 3)))
                    EXPECT(masked(3, 5, 0, INFINITY), cr_expect(takes(&c, 0, 0, NAN) && !takes(&c, 0, 0, 5)))
                        EXPECT(masked(3, 5, NAN, 0), cr_expect(takes(&c, 0, 0, NAN) && !takes(&c, 0, 0, 5)))
                            EXPECT(conditional(two(1, 1, 1, 3, 5), 0, 1),
                                   cr_expect(takes(&c, 0, 0, 5) && !takes(&c, 0, 0, 3) &&
                                             !takes(&c, 0, 0, NAN)))}

/* NaN behind a mask: 0·NaN, or the key is skipped. */
Test(attention_special, nan_behind_a_mask){
    EXPECT(masked(3, NAN, 0, -INFINITY),
           cr_expect(takes(&c, 0, 0, NAN) && takes(&c, 0, 0, 3) && !takes(&c, 0, 0, 4)))
        EXPECT(conditional(two(1, 1, NAN, 3, 5), 1, 0),
               cr_expect(takes(&c, 0, 0, NAN) && takes(&c, 0, 0, 3) && !takes(&c, 0, 0, 4)))
            EXPECT(conditional(two(1, 1, NAN, 3, 5), 1, 1),
                   cr_expect(takes(&c, 0, 0, NAN) && !takes(&c, 0, 0, 3)))
                EXPECT(masked(3, NAN, 0, -1e30), cr_expect(takes(&c, 0, 0, NAN) && !takes(&c, 0, 0, 3)))
                    EXPECT(masked(3, INFINITY, 0, -1),
                           cr_expect(takes(&c, 0, 0, INFINITY) && !takes(&c, 0, 0, NAN)))
                        EXPECT(masked(3, INFINITY, 0, -100),
                               cr_expect(takes(&c, 0, 0, INFINITY) && takes(&c, 0, 0, NAN)))
                            EXPECT(masked(-INFINITY, INFINITY, 0, 0),
                                   cr_expect(takes(&c, 0, 0, NAN) && !takes(&c, 0, 0, INFINITY)))}

Test(attention_special, infinite_scores){
    EXPECT(two(1, 1, INFINITY, 3, 5), cr_expect(takes(&c, 0, 0, NAN) && !takes(&c, 0, 0, 5)))
        EXPECT(two(1, 1, -INFINITY, 3, 5), cr_expect(takes(&c, 0, 0, 3) && !takes(&c, 0, 0, NAN)))
            EXPECT(two(0, 1, INFINITY, 3, 5), cr_expect(takes(&c, 0, 0, NAN) && !takes(&c, 0, 0, 3)))
                EXPECT(two(1e30, 1e30, 1, 3, 5), cr_expect(takes(&c, 0, 0, NAN) && takes(&c, 0, 0, 3)))
                    EXPECT(two(1, 1e4, 9.9e3, 3, 5), cr_expect(takes(&c, 0, 0, 3) && !takes(&c, 0, 0, NAN)))}

Test(attention_special, a_row_without_a_key)
{
    static const enum attention_empty_row rows[] = {ATTENTION_EMPTY_ROW_OPEN, ATTENTION_EMPTY_ROW_ZERO,
                                                    ATTENTION_EMPTY_ROW_NAN};
    for (int r = 0; r < 3; r++) {
        struct call c = masked(3, 5, -INFINITY, -INFINITY);
        c.profile.attention_empty_row = rows[r];
        cr_expect_eq(takes(&c, 0, 0, 0), r < 2);
        cr_expect_eq(takes(&c, 0, 0, NAN), r != 1);
        cr_expect_not(takes(&c, 0, 0, 4) || takes(&c, 0, 0, 3) || takes(&c, 0, 0, INFINITY));
        end(&c);
    }
    struct call c = call_of(name);
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)2), (double[]){1, 1});
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)0, (int64_t)2), NULL);
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)0, (int64_t)1), NULL);
    cr_expect(takes(&c, 0, 0, 0) && takes(&c, 0, 0, NAN) && !takes(&c, 0, 0, 1), "there are no keys");
    end(&c);
}

/* Rows without elements, results without rows, one key, and values that cancel. */
Test(attention_special, sizes_of_zero_and_one)
{
    struct call c = call_of(name);
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)0), NULL);
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)0), NULL);
    MATRIX(&c, DTYPE_FLOAT32, 2, 1, 3, 5);
    cr_expect(takes(&c, 0, 0, 4) && !takes(&c, 0, 0, NAN), "all scores are 0");
    end(&c);
    c = call_of(name);
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)0, (int64_t)2), NULL);
    MATRIX(&c, DTYPE_FLOAT32, 1, 2, 3, 5);
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 5);
    struct truth *truth = truth_of_call(name, &c.attributes, c.inputs, c.input);
    cr_expect_eq(truth->output[0].elements, 0);
    truth_destroy(&truth);
    end(&c);
}

Test(attention_special, gradients_without_columns_of_values_are_zero)
{
    struct call c = call_of("scaled_dot_product_attention_backward");
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)0), NULL);
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 1);
    MATRIX(&c, DTYPE_FLOAT32, 2, 1, 1, 2);
    give(&c, DTYPE_FLOAT32, shape_of(2, (int64_t)2, (int64_t)0), NULL);
    for (int output = 0; output < 2; output++) {
        cr_expect(takes(&c, output, 0, 0) && !takes(&c, output, 0, 1e-40), "output %d", output);
    }
    end(&c);
}

Test(attention_special, values_that_cancel){
    EXPECT(two(7, 3, 3, 1, -1),
           cr_expect(takes(&c, 0, 0, 0) && takes(&c, 0, 0, -0.0) && !takes(&c, 0, 0, 1e-3)))}

/* e^-90 is subnormal in float32: programs give it or 0. */
Test(attention_special, subnormal_probabilities)
{
    EXPECT(masked(0, 1, 0, -90),
           cr_expect(takes(&c, 0, 0, 0) && takes(&c, 0, 0, (double)0x1p-130F) && !takes(&c, 0, 0, 0x1p-120)))
    EXPECT(masked(0, 0x1p60, 0, -90), cr_expect(takes(&c, 0, 0, 0) && takes(&c, 0, 0, 0x1p60 * exp(-90))))
}

static bool refused(const struct attributes *attributes, int inputs, const struct shape *shape,
                    const enum dtype *dtype)
{
    struct view view[4];
    for (int i = 0; i < inputs; i++) {
        view[i] = view_contiguous(i, dtype[i], &shape[i]);
    }
    return refuses(name, attributes, inputs, view, NULL);
}

Test(attention_special, what_must_be_rejected_is)
{
    const enum dtype f[] = {DTYPE_FLOAT32, DTYPE_FLOAT32, DTYPE_FLOAT32, DTYPE_FLOAT32},
                     mixed[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_FLOAT32},
                     b[] = {f[0], f[0], f[0], DTYPE_BOOL}, half[] = {f[0], f[0], f[0], DTYPE_FLOAT16},
                     integer[] = {DTYPE_INT32, DTYPE_INT32, DTYPE_INT32};
#define S(...) shape_of(4, __VA_ARGS__)
    const int64_t o = 1, t = 2, h = 3, six = 6;
    const struct shape q = S(t, six, h, t), k = S(t, six, h, t), kv = S(t, t, h, t), wide = S(t, six, h, h),
                       four = S(t, h + 1, h, t), mask = S(t, o, h, h), bad = S(t, o, h, t);
    struct attributes none = {.count = 0},
                      causal = {.count = 1,
                                .item = {{.name = "is_causal", .type = ATTRIBUTE_BOOL, .integer = 1}}},
                      gqa = {.count = 1,
                             .item = {{.name = "enable_gqa", .type = ATTRIBUTE_BOOL, .integer = 1}}};
    cr_expect_not(refused(&none, 3, (struct shape[]){q, k, k}, f));
    cr_expect_not(refused(&causal, 3, (struct shape[]){q, k, wide}, f));
    cr_expect_not(refused(&none, 4, (struct shape[]){q, k, k, mask}, f));
    cr_expect_not(refused(&none, 4, (struct shape[]){q, k, k, mask}, b));
    cr_expect_not(refused(&gqa, 3, (struct shape[]){q, kv, kv}, f));
    cr_expect(refused(&none, 3, (struct shape[]){q, kv, kv}, f), "heads without enable_gqa");
    cr_expect(refused(&gqa, 3, (struct shape[]){q, four, four}, f), "6 heads and 4");
    cr_expect(refused(&causal, 4, (struct shape[]){q, k, k, mask}, b), "a mask and is_causal");
    cr_expect(refused(&none, 4, (struct shape[]){q, k, k, bad}, b), "a mask of two keys for three");
    cr_expect(refused(&none, 4, (struct shape[]){q, k, k, mask}, half), "a mask of another dtype");
    cr_expect(refused(&none, 3, (struct shape[]){q, wide, k}, f), "D");
    cr_expect(refused(&none, 3, (struct shape[]){q, k, S(t, six, t, t)}, f), "M");
    cr_expect(refused(&none, 3, (struct shape[]){q, k, k}, mixed), "dtypes");
    cr_expect(refused(&none, 3, (struct shape[]){q, k, k}, integer), "integers");
    cr_expect(refused(&none, 3, (struct shape[]){shape_of(1, t), k, k}, f), "a vector");
}

/* A probability rounded to bfloat16 is legal unless the profile says float32. */
Test(attention_special, probabilities_are_rounded_as_the_profile_says)
{
    const double p = attention_held(DTYPE_BFLOAT16, 1 / (1 + exp(-1)));
    for (int declared = 0; declared < 2; declared++) {
        struct call c = call_of(name);
        MATRIX(&c, DTYPE_BFLOAT16, 1, 1, 1);
        MATRIX(&c, DTYPE_BFLOAT16, 2, 1, 1, 0);
        MATRIX(&c, DTYPE_BFLOAT16, 2, 1, 128, -100);
        c.profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
        if (declared) {
            c.profile.attention_probabilities[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
        }
        const double q = attention_held(DTYPE_BFLOAT16, 1 - 1 / (1 + exp(-1)));
        cr_expect(takes(&c, 0, 0, 128 / (1 + exp(-1)) - 100 / (1 + exp(1))));
        cr_expect_eq(takes(&c, 0, 0, 128 * p - 100 * q + 0.25), !declared);
        end(&c);
    }
}

/* Masked keys count for nothing in a call that is sliced: rows of a slice are those of the whole. */
Test(attention_special, slices_are_the_rows_of_the_whole)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct attention_case p = attention_case_any(DTYPE_FLOAT32, seed, 9);
        struct truth *whole = any_truth_of_call(name, &p.attributes, p.inputs - 1, p.input + 1, true);
        struct view view[4];
        struct tensor input[4];
        for (int i = 0; i < p.inputs - 1; i++) {
            input[i] = p.input[i + 1];
            view[i] = view_contiguous(i, input[i].dtype, &input[i].shape);
        }
        const struct op *op = op_find(name);
        struct op_rows rows = {.output = 0};
        struct op_operands operands = {.attributes = &p.attributes, .inputs = p.inputs - 1, .input = view};
        cr_assert(op->rows(&operands, &rows) && rows.output == 3 && rows.input[0] == 3 && !rows.input[1]);
        const int64_t total = p.batch * p.heads * p.queries, from = total / 3, count = total - from;
        input[0].shape = shape_of(2, count, (int64_t)p.width);
        input[0].data += from * p.width * (int64_t)sizeof(float);
        struct op_signature signature = {.outputs = 1};
        signature.output[0].dtype = DTYPE_FLOAT32;
        signature.output[0].shape = shape_of(2, count, (int64_t)p.value_width);
        struct op_call call = {.op = op,
                               .attributes = &p.attributes,
                               .inputs = p.inputs - 1,
                               .input = input,
                               .enclosed = true,
                               .first_row = from,
                               .whole = view};
        struct error error;
        struct truth *part = op_truth(&call, &signature, &error);
        cr_assert_not_null(part);
        const struct truth_output *a = &whole->output[0], *b = &part->output[0];
        for (int64_t e = 0; e < b->elements; e++) {
            int64_t at = from * p.value_width + e;
            cr_expect(a->value[at].hi == b->value[e].hi && a->radius[at] == b->radius[e]);
            cr_expect_eq(memcmp(&a->sensitivity[at * a->sensitivities], &b->sensitivity[e * b->sensitivities],
                                sizeof(double) * (size_t)a->sensitivities),
                         0);
            cr_expect(a->envelope[at].spread == b->envelope[e].spread || isnan(b->envelope[e].spread));
        }
        truth_destroy(&part);
        truth_destroy(&whole);
        attention_case_clear(&p);
    }
}
