/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What a memo keeps between the elements of a tensor changes no limit. */

#include "reference/test/support.h"

static void same_envelope(const struct envelope_limit *a, const struct envelope_limit *b, const char *name,
                          int64_t e)
{
    cr_assert(a->known == b->known && a->fixed == b->fixed && a->may_fail == b->may_fail &&
                  a->group == b->group && a->spread == b->spread && a->certain == b->certain &&
                  a->group_spread == b->group_spread,
              "%s, element %lld: S %g and %g, N %g and %g", name, (long long)e, a->spread, b->spread,
              a->certain, b->certain);
}

/* What the memo keeps is of another truth, whose doubles are held in doubles. */
static void ask_before(const char *name, const struct attributes *attributes, int inputs,
                       const struct tensor *input, const struct profile *profile, struct bound_memo *memo)
{
    struct tensor wide[2];
    for (int i = 0; i < inputs; i++) {
        cr_assert(tensor_create(&wide[i], DTYPE_FLOAT64, &input[i].shape));
        for (int64_t k = 0; k < shape_elements(&input[i].shape); k++) {
            dtype_store(DTYPE_FLOAT64, wide[i].data + 8 * k, tensor_component(&input[i], k));
        }
    }
    struct truth *truth = truth_of_call(name, attributes, inputs, wide);
    const struct bound_query query = {
        .op = op_find(name), .profile = profile, .attributes = attributes, .truth = truth, .memo = memo};
    struct envelope_limit limit;
    op_envelope(&query, &limit);
    cr_assert_eq(memo->terms.truth, truth);
    truth_destroy(&truth);
    for (int i = 0; i < inputs; i++) {
        tensor_destroy(&wide[i]);
    }
}

static void same_limits(const char *name, const struct attributes *attributes, int inputs,
                        struct tensor *input)
{
    struct truth *truth = truth_of_call(name, attributes, inputs, input); /* lives beside the other one */
    struct profile declared = profile_ieee(), other = profile_ieee();
    struct bound_memo memo = {.truth = NULL};
    double distinct = 0, last = -1;
    ask_before(name, attributes, inputs, input, &other, &memo);
    other.accumulate[DTYPE_FLOAT32] = DTYPE_FLOAT64;
    /* Element by element in eight ways, then way by way: what is kept is another way's, or another element's.
     */
    int64_t elements = truth->output[0].elements;
    for (int64_t turn = 0; turn < 2 * 8 * elements; turn++) {
        bool by_way = turn >= 8 * elements;
        int64_t e = by_way ? turn % elements : turn / 8, way = by_way ? turn / elements % 8 : turn % 8;
        struct bound_query query = {.op = op_find(name),
                                    .profile = way & 1 ? &declared : &other,
                                    .attributes = attributes,
                                    .truth = truth,
                                    .element = e,
                                    .exact = way >> 1 & 1,
                                    .quality = way >> 2 & 1};
        struct accept plain, kept;
        struct envelope_limit limit, limit_kept;
        op_envelope(&query, &limit);
        double alone = op_bound(&query);
        op_accept(&query, &plain);
        query.memo = &memo;
        op_accept(&query, &kept);
        op_envelope(&query, &limit_kept);
        same_envelope(&limit, &limit_kept, name, e);
        cr_assert_eq(op_bound(&query), alone, "%s, element %lld", name, (long long)e);
        cr_assert_eq(kept.set[0].radius, plain.set[0].radius, "%s, element %lld", name, (long long)e);
        distinct += alone != last;
        last = alone;
    }
    cr_assert_gt(distinct, (double)truth->output[0].elements);
    truth_destroy(&truth);
}

Test(bound_memo, limits_are_those_without_one)
{
    enum { ROWS = 7, N = 5 };
    double x[ROWS * N];
    struct philox generator;
    philox_start(&generator, 3);
    for (int i = 0; i < ROWS * N; i++) {
        x[i] = philox_signed(&generator) * (1 + i / N * 3) + i / N;
    }
    struct tensor rows[] = {tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)ROWS, (int64_t)N), x),
                            tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)N, (int64_t)ROWS), x)};
    struct attributes shape = {
        .count = 1,
        .item = {
            {.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {N}}}}};
    struct attributes none = {.count = 0};
    same_limits("layer_norm", &shape, 1, rows);
    same_limits("rms_norm", &shape, 1, rows);
    same_limits("matmul", &none, 2, rows);
    tensor_destroy(&rows[0]);
    tensor_destroy(&rows[1]);
}
