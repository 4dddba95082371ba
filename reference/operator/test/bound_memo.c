/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests that a memo, which caches values between the elements of a tensor, changes no error bound. */

#include "reference/operator/bound_memo.h"
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
    struct bound_memo memo = {.other = NULL};
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

/* --- runs, of queries under two profiles */

struct pair {
    struct profile profile[2];
    struct bound_memo memo[2];
    struct bound_query query[2];
};

static void pair_up(struct pair *p, const struct op *op, const struct attributes *attributes,
                    const struct truth *truth)
{
    p->profile[0] = p->profile[1] = profile_ieee();
    p->profile[0].primitives = PRIMITIVES_VULKAN;
    p->profile[0].subnormals[DTYPE_FLOAT32] = p->profile[1].subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    p->profile[1].primitives = PRIMITIVES_OPENCL;
    for (int k = 0; k < 2; k++) {
        p->memo[k] = (struct bound_memo){.other = &p->memo[!k], .other_profile = &p->profile[!k]};
        p->query[k] = (struct bound_query){.op = op,
                                           .profile = &p->profile[k],
                                           .attributes = attributes,
                                           .truth = truth,
                                           .quality = k == 1,
                                           .memo = &p->memo[k]};
    }
}

static void hold_beside_alone(const struct bound_query *query, double bound, double primitive_error)
{
    struct bound_query alone = *query;
    alone.memo = NULL;
    double b = op_bound(&alone), n = op_primitive_error(&alone);
    bool same = bound == b && primitive_error == n;
    bool near = query->quality && bound >= b && bound <= b * (1 + 1e-4) && primitive_error >= n &&
                primitive_error <= n * (1 + 1e-4);
    cr_assert(same || near, "%s, element %lld: %g and %g, alone %g and %g", query->op->name,
              (long long)query->element, bound, primitive_error, b, n);
}

/* A run, then each of its elements alone, the second profile before the first and behind it; with what
 * flushed operands make of them. */
static void hold_runs(const char *name, const struct attributes *attributes, int64_t rows, int64_t n)
{
    enum { COUNT = 6 * 40 };
    double x[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = i % 3 == 0 ? 0x1p-130 : 0.25 + i * 0.125;
    }
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(2, rows, n), x);
    struct truth *truth = truth_of_call(name, attributes, 1, &input);
    for (int first = 0; first < 2; first++) {
        struct pair p;
        double bound[BATCH_MAX], primitive_error[BATCH_MAX];
        bool plain[BATCH_MAX];
        int count = (int)truth->output[0].elements;
        memset(plain, true, sizeof plain);
        pair_up(&p, op_find(name), attributes, truth);
        for (int turn = 0; turn < 4; turn++) {
            struct bound_query query = p.query[(turn + first) % 2];
            op_bounds(&query, 0, count, bound);
            op_primitive_errors(&query, 0, count, plain, primitive_error);
            for (query.element = 0; query.element < count; query.element++) {
                hold_beside_alone(&query, bound[query.element], primitive_error[query.element]);
                struct bound_query flushed = query;
                flushed.truth = truth->flushed;
                hold_beside_alone(&flushed, op_bound(&flushed), op_primitive_error(&flushed));
                cr_assert_eq(op_bound(&query), bound[query.element]);
            }
        }
    }
    truth_destroy(&truth);
    tensor_destroy(&input);
}

Test(bound_memo, runs_are_their_elements)
{
    struct attributes none = {.count = 0},
                      last = {.count = 1, .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = 1}}},
                      dims = {.count = 1,
                              .item = {{.name = "dim",
                                        .type = ATTRIBUTE_INTEGERS,
                                        .integers = {.count = 1, .item = {1}}}}};
    hold_runs("log", &none, 6, 40);
    hold_runs("gelu", &none, 6, 40);
    hold_runs("softmax", &last, 6, 40);
    hold_runs("logsumexp", &dims, 40, 6);
    hold_runs("var", &dims, 40, 6);
}

/* A limit that is made of another operator's is not taken for that one. */
Test(bound_memo, operators_are_distinguished)
{
    enum { N = 5, C = 7 };
    double x[N * C], grad = 0.75, target[N] = {0, 3, 6, 1, 2}, weight[C];
    for (int i = 0; i < N * C; i++) {
        x[i] = (i * 37 % 19) * 0.25 - 2;
        weight[i % C] = 0.1 + i % C;
    }
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(0), &grad),
                             tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)N, (int64_t)C), x),
                             tensor_from(DTYPE_INT64, shape_of(1, (int64_t)N), target),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)C), weight)};
    struct attributes none = {.count = 0};
    struct truth *truth = truth_of_call("cross_entropy_backward", &none, 4, input);
    struct pair p;
    pair_up(&p, op_find("cross_entropy_backward"), &none, truth);
    for (int turn = 0; turn < 4; turn++) {
        struct bound_query query = p.query[turn / 2];
        for (query.element = 0; query.element < N * C; query.element++) {
            double first = turn % 2 ? op_bound(&query) : op_primitive_error(&query);
            hold_beside_alone(&query, op_bound(&query), op_primitive_error(&query));
            cr_assert_eq(first, turn % 2 ? op_bound(&query) : op_primitive_error(&query));
        }
    }
    truth_destroy(&truth);
    for (int i = 0; i < 4; i++) {
        tensor_destroy(&input[i]);
    }
}

/* A mean has one limit of each kind, which come together: whichever is asked for first, all are those that
 * are asked for alone. */
Test(bound_memo, of_means_as_alone)
{
    enum { N = 300, C = 7, FIRST = 4 }; /* FIRST: of either profile its bound or its allowance */
    static double x[N * C], share[N * C], target[N];
    double weight[C];
    for (int i = 0; i < N * C; i++) {
        x[i] = (i * 37 % 19) * 0.25 - 2;
        share[i] = (1 + i % C) / 28.0;
        target[i / C] = i / C * 5 % C;
        weight[i % C] = 0.1 + i % C;
    }
    for (int probable = 0; probable < 2; probable++) {
        struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)N, (int64_t)C), x),
                                 probable
                                     ? tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)N, (int64_t)C), share)
                                     : tensor_from(DTYPE_INT64, shape_of(1, (int64_t)N), target),
                                 tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)C), weight)};
        struct attributes none = {.count = 0};
        struct truth *truth = truth_of_call("cross_entropy", &none, 3, input);
        for (int first = 0; first < FIRST; first++) {
            struct pair p;
            pair_up(&p, op_find("cross_entropy"), &none, truth);
            (first % 2 ? op_primitive_error : op_bound)(&p.query[first / 2]);
            for (int k = 0; k < 2; k++) {
                const double *bound = p.memo[k].bound[BOUND_ONE].bound,
                             *primitive_error = p.memo[k].primitive_error[BOUND_ONE].bound;
                cr_assert(p.memo[k].bound[BOUND_ONE].truth == truth &&
                          p.memo[k].primitive_error[BOUND_ONE].truth == truth);
                cr_assert(*bound > *primitive_error && *primitive_error > 0);
                hold_beside_alone(&p.query[k], *bound, *primitive_error);
            }
        }
        truth_destroy(&truth);
        for (int i = 0; i < 3; i++) {
            tensor_destroy(&input[i]);
        }
    }
}

/* An element that was certified is asked for anew, its neighbours are not. */
Test(bound_memo, what_is_forgotten_is_asked_for_anew)
{
    double x[] = {1, 2, 3, 4, 5}, bound[BATCH_MAX];
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)5), x);
    struct attributes none = {.count = 0};
    struct truth *truth = truth_of_call("exp", &none, 1, &input);
    struct pair p;
    pair_up(&p, op_find("exp"), &none, truth);
    op_bounds(&p.query[0], 0, 5, bound);
    const double planted[] = {-1, -2, -3, -4, -5};
    op_cache_bounds(&p.query[0], 0, 5, planted);
    op_forget_bound(&p.memo[0], 2);
    for (int i = 0; i < 5; i++) {
        p.query[0].element = i;
        cr_expect_eq(op_bound(&p.query[0]), i == 2 ? bound[2] : planted[i], "element %d", i);
    }
    op_forget_bounds(&p.memo[0]);
    p.query[0].element = 3;
    cr_expect_eq(op_bound(&p.query[0]), bound[3]);
    truth_destroy(&truth);
    tensor_destroy(&input);
}

/* Elements that are asked for in turn are worked out together; one of them that was forgotten is not a reason
 * to work the rest out anew. */
Test(bound_memo, in_turn_as_alone)
{
    enum { COUNT = 700, FORGOTTEN = 400 };
    double x[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = (i - 350) / 64.0;
    }
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)COUNT), x);
    struct attributes none = {.count = 0};
    struct truth *truth = truth_of_call("exp", &none, 1, &input);
    struct pair p;
    pair_up(&p, op_find("exp"), &none, truth);
    const struct bound_known *run = &p.memo[0].bound[BOUND_RUN];
    for (int i = 0; i < COUNT; i++) {
        struct bound_query alone = p.query[0];
        p.query[0].element = alone.element = i;
        alone.memo = NULL;
        if (i == FORGOTTEN) {
            cr_assert(run->first < i && i + 1 < run->first + run->count);
            op_forget_bound(&p.memo[0], i);
        }
        const int64_t first = run->first;
        cr_expect_eq(op_bound(&p.query[0]), op_bound(&alone), "element %d", i);
        cr_expect(i != FORGOTTEN || run->first == first);
    }
    cr_expect_eq(run->first + run->count, COUNT);
    cr_expect_gt(run->count, COUNT / 8);
    truth_destroy(&truth);
    tensor_destroy(&input);
}

/* --- operands that may be taken for zeros */

/* A limit that sees one of the operands, though the truth does not. */
static void one_is_wider(const struct bound_query *query, int64_t first, int count, double *compute)
{
    const struct truth_output *out = &query->truth->output[0];
    for (int i = 0; i < count; i++) {
        compute[i] = out->sensitivity[first + i] == 0x1p-140 ? 2 : 1;
    }
}

Test(bound_memo, limits_of_operands_that_flush_to_the_same_truth)
{
    enum { COUNT = 5, MASKED = 4 };
    const double x[COUNT] = {0.5, 0x1p-130, 0x1p-140, -0x1p-149, 0x1p-130};
    static const char *const name[] = {"exp", "sinh"};
    const int64_t same[][COUNT] = {{-1, -1, 0, -1, 0}, {-1, 0, 0, 0, 0}};
    for (int k = 0; k < 2; k++) {
        struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)COUNT), x);
        struct attributes none = {.count = 0};
        struct truth *truth = any_truth_of_call(name[k], &none, 1, &input, true);
        struct profile profile = profile_ieee();
        struct op op = *op_find(name[k]);
        op.bounds = one_is_wider;
        struct bound_query query = {
            .op = &op, .profile = &profile, .attributes = &none, .truth = truth, .memo = NULL};
        double compute[COUNT];
        int64_t mask[COUNT] = {-1, -1, -1, -1, -1};
        mask[MASKED] = 0;
        op_bounds(&query, 0, COUNT, compute);
        cr_assert(compute[2] == 2 && truth->flushed);
        limits_flush_alike(&query, 0, COUNT, compute, mask);
        for (int i = 0; i < COUNT; i++) {
            cr_expect_eq(mask[i], same[k][i], "%s of %a", name[k], x[i]);
            cr_expect_eq(limit_flushes_alike(&query, i), i == 0, "%s of %a", name[k], x[i]);
        }
        truth_destroy(&truth);
        tensor_destroy(&input);
    }
}
