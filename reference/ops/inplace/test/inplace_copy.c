/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

static struct tensor bits_of(enum dtype dtype, int count, const uint64_t *bits)
{
    struct shape shape = shape_of(1, (int64_t)count);
    struct tensor tensor;
    cr_assert(tensor_create(&tensor, dtype, &shape));
    for (int i = 0; i < count; i++) {
        dtype_store_bits(dtype, tensor.data + (size_t)i * dtype_info(dtype)->size, bits[i]);
    }
    return tensor;
}

static bool takes(const struct truth *truth, const struct op *op, const struct profile *profile, int64_t i,
                  uint64_t bits, enum accept_rule *rule)
{
    struct attributes none = {.count = 0};
    struct bound_query query = {
        .op = op, .profile = profile, .attributes = &none, .truth = truth, .element = i};
    struct accept accept;
    unsigned char got[8];
    op_accept(&query, &accept);
    dtype_store_bits(truth->output[0].dtype, got, bits);
    struct accept_verdict verdict = accept_judge(&accept, got);
    *rule = verdict.rule;
    return verdict.accepted;
}

Test(inplace_copy, every_bit_counts_also_where_a_device_flushes)
{
    const uint64_t zeros[5] = {0}, patterns[5] = {0x7FC00001, 0x7F800001, 0xFFFFFFFF, 0x80000000, 1};
    struct tensor input[2] = {bits_of(DTYPE_FLOAT32, 5, zeros), bits_of(DTYPE_FLOAT32, 5, patterns)};
    struct truth *truth = truth_of_call("copy_", NULL, 2, input);
    struct profile profile = profile_ieee();
    profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    profile.special_values[DTYPE_FLOAT32] = false;
    enum accept_rule rule;
    cr_assert_null(truth->flushed);
    for (int i = 0; i < 5; i++) {
        unsigned char stored[4];
        value_store(&truth->output[0].value[i], DTYPE_FLOAT32, stored);
        cr_assert_eq(dtype_bits(DTYPE_FLOAT32, stored), patterns[i]);
        cr_assert(takes(truth, op_find("copy_"), &profile, i, patterns[i], &rule));
        cr_assert_not(takes(truth, op_find("copy_"), &profile, i, i < 3 ? 0x7FC00000 : 0, &rule), "%d", i);
        cr_assert(i >= 3 || rule == RULE_PAYLOAD);
    }
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

Test(inplace_copy, what_a_mask_leaves_keeps_its_payload)
{
    const uint64_t patterns[2] = {0x7C01, 0x7C01}, mask[2] = {0, 1};
    struct tensor input[2] = {bits_of(DTYPE_FLOAT16, 2, patterns), bits_of(DTYPE_BOOL, 2, mask)};
    struct attributes nan = {.count = 1, .item = {{.name = "value", .type = ATTRIBUTE_REAL, .real = NAN}}};
    struct truth *truth = truth_of_call("masked_fill_", &nan, 2, input);
    struct profile ieee = profile_ieee();
    enum accept_rule rule;
    cr_assert(takes(truth, op_find("masked_fill_"), &ieee, 0, 0x7C01, &rule));
    cr_assert_not(takes(truth, op_find("masked_fill_"), &ieee, 0, 0x7E01, &rule));
    cr_assert(takes(truth, op_find("masked_fill_"), &ieee, 1, 0x7E01, &rule), "a computed NaN is any NaN");
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

static const int64_t far[] = {INT64_MAX, INT64_MIN, (1LL << 53) + 1, -(1LL << 53) - 1, 0, 1, -1, 1LL << 62};
enum { FAR = sizeof far / sizeof *far };

static struct truth *of_integers(const char *name, const struct attributes *attributes, int operands,
                                 struct tensor input[3])
{
    uint64_t bits[3][FAR * FAR];
    for (int i = 0; i < FAR * FAR; i++) {
        bits[0][i] = (uint64_t)far[i / FAR];
        bits[1][i] = (uint64_t)far[i % FAR];
        bits[2][i] = (uint64_t)far[(i + i / FAR) % FAR];
    }
    for (int k = 0; k < 3; k++) {
        input[k] = bits_of(DTYPE_INT64, FAR * FAR, bits[k]);
    }
    return truth_of_call(name, attributes, operands, input);
}

/* Every pair of large numbers, modulo 2^64: the stored truth, and an acceptance set that is one number. */
static void integers(const char *name, int operands, int64_t alpha, uint64_t (*expected)(const int64_t x[3]))
{
    struct tensor input[3];
    struct attributes attributes = {
        .count = 1,
        .item = {{.name = operands == 3 ? "value" : "alpha", .type = ATTRIBUTE_INTEGER, .integer = alpha}}};
    struct truth *truth = of_integers(name, name[0] == 'm' ? NULL : &attributes, operands, input);
    struct profile ieee = profile_ieee();
    for (int64_t i = 0; i < FAR * FAR; i++) {
        int64_t x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = dtype_load_integer(DTYPE_INT64, input[k].data + 8 * i);
        }
        uint64_t right = expected(x);
        unsigned char stored[8];
        enum accept_rule rule;
        value_store(&truth->output[0].value[i], DTYPE_INT64, stored);
        cr_assert_eq(dtype_bits(DTYPE_INT64, stored), right, "%s[%d]", name, (int)i);
        cr_assert(takes(truth, op_find(name), &ieee, i, right, &rule));
        cr_assert_not(takes(truth, op_find(name), &ieee, i, right + 1, &rule));
        cr_assert_not(takes(truth, op_find(name), &ieee, i, right - 1, &rule));
        cr_assert_not(takes(truth, op_find(name), &ieee, i, right ^ (uint64_t)1 << 63, &rule));
    }
    truth_destroy(&truth);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
}

static uint64_t sum(const int64_t x[3])
{
    return (uint64_t)x[0] + 3 * (uint64_t)x[1];
}
static uint64_t difference(const int64_t x[3])
{
    return (uint64_t)x[0] - 3 * (uint64_t)x[1];
}
static uint64_t product(const int64_t x[3])
{
    return (uint64_t)x[0] * (uint64_t)x[1];
}
static uint64_t sum_of_product(const int64_t x[3])
{
    return (uint64_t)x[0] + 3 * (uint64_t)x[1] * (uint64_t)x[2];
}

Test(inplace_copy, int64_is_exact_modulo_two_to_64)
{
    integers("add_", 2, 3, sum);
    integers("sub_", 2, 3, difference);
    integers("mul_", 2, 1, product);
    integers("addcmul_", 3, 3, sum_of_product);
}

Test(inplace_copy, conversions)
{
    const double x[4] = {2.9, -2.9, 16777217, -0.5};
    double zero[4] = {0};
    struct tensor input[2] = {tensor_from(DTYPE_INT32, shape_of(1, (int64_t)4), zero),
                              tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)4), x)};
    struct truth *truth = truth_of_call("copy_", NULL, 2, input);
    const double expected[4] = {2, -2, 16777216, 0};
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(truth->output[0].value[i].hi, expected[i]);
    }
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    const uint64_t wide[1] = {0xFFFFFFFF80000001}, none[1] = {0};
    struct tensor narrow[2] = {bits_of(DTYPE_INT32, 1, none), bits_of(DTYPE_INT64, 1, wide)};
    truth = truth_of_call("copy_", NULL, 2, narrow);
    cr_assert_eq(truth->output[0].value[0].hi, -2147483647.0);
    truth_destroy(&truth);
    tensor_destroy(&input[1]);
    tensor_destroy(&narrow[0]);
    tensor_destroy(&narrow[1]);
}

Test(inplace_copy, out_is_what_is_guarded)
{
    struct shape eight = shape_of(1, (int64_t)8), seven = shape_of(1, (int64_t)7);
    struct view x = view_contiguous(0, DTYPE_FLOAT32, &seven), y = view_contiguous(1, DTYPE_FLOAT32, &seven),
                shifted = x, wide = view_contiguous(2, DTYPE_FLOAT32, &eight);
    shifted.offset = 1;
    cr_assert_not(refuses("add_out", NULL, 3, (const struct view[]){x, y, x}, NULL));
    cr_assert(refuses("add_out", NULL, 3, (const struct view[]){x, y, shifted}, NULL));
    cr_assert_not(refuses("add_out", NULL, 3, (const struct view[]){x, shifted, y}, NULL),
                  "what is read may overlap");
    cr_assert(refuses("add_out", NULL, 3, (const struct view[]){wide, y, x}, NULL));
    struct view mask = view_contiguous(3, DTYPE_BOOL, &seven);
    cr_assert_not(refuses("masked_fill_", NULL, 2, (const struct view[]){x, mask}, NULL));
    cr_assert(refuses("masked_fill_", NULL, 2, (const struct view[]){x, y}, NULL));
    cr_assert(refuses("clamp_", NULL, 1, (const struct view[]){x}, NULL), "no limit at all");
    struct view integers = view_contiguous(4, DTYPE_INT32, &seven);
    cr_assert(refuses("div_", NULL, 2, (const struct view[]){integers, integers}, NULL));
}
