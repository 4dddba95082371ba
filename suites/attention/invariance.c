/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A sample alone against the same sample in a batch, a head alone against the same head among others, and
 * equal queries at several places. */

#include "suites/attention/calls.h"

/* Appends the call on one index of the first dimension of all operands that have several. */
static const struct step *alone(struct builder *b, const struct attention_built *all, int64_t index)
{
    struct attention_built one = *all;
    for (int k = 0; k < one.inputs; k++) {
        bool several =
            one.input[k].shape.rank == all->input[all->query].shape.rank && one.input[k].shape.dim[0] > 1;
        one.input[k] = several ? view_window(&all->input[k], index, 1, 1) : all->input[k];
    }
    return build_step(b, b->c->op, &one.attributes, one.inputs, one.input);
}

/* Results whose first dimension has as many indices as the query's. */
static void members(struct builder *b)
{
    const struct attention_call *call = &((const struct attention_row *)b->c->row)->call;
    struct attention_built all;
    attention_operands(b, call, &all);
    const struct step *step = build_step(b, b->c->op, &all.attributes, all.inputs, all.input);
    if (!step) {
        return;
    }
    const int64_t count = all.input[all.query].shape.dim[0], picks[] = {0, count / 2, count - 1};
    struct view whole[TRUTH_OUTPUTS_MAX];
    const int outputs = step->outputs;
    for (int o = 0; o < outputs; o++) {
        whole[o] = step->output[o];
    }
    for (int k = 0; k < 3; k++) {
        const struct step *one = alone(b, &all, picks[k]);
        for (int o = 0; one && o < outputs; o++) {
            struct view own = one->output[o];
            if (whole[o].shape.dim[0] == count) {
                const struct view inside = view_window(&whole[o], picks[k], 1, 1);
                build_relate(b, &inside, &own,
                             "attention of a sample or head is the same alone and in a batch");
            }
        }
    }
}

/* All queries are equal: so are their results. */
static void equal_queries(struct builder *b)
{
    const struct attention_call *call = &((const struct attention_row *)b->c->row)->call;
    struct attention_built all;
    attention_operands(b, call, &all);
    for (int k = 0; k < all.query + 1; k++) { /* grad_output too */
        const struct view *x = &all.input[k];
        const int64_t width = x->shape.dim[1];
        struct philox g = build_generator(b, 100 + k);
        for (int64_t d = 0; d < width; d++) {
            const uint64_t bits = data_between(&g, b->c->dtype, -2, 0);
            for (int64_t i = 0; i < x->shape.dim[0]; i++) {
                build_set_bits(b, x, i * width + d, 0, bits);
            }
        }
        build_origin(b, x, false);
    }
    const struct step *step = build_step(b, b->c->op, &all.attributes, all.inputs, all.input);
    if (step) {
        const struct view y = step->output[0], first = view_window(&y, 0, 1, 1);
        for (int64_t i = 1; i < y.shape.dim[0]; i++) {
            const struct view other = view_window(&y, i, 1, 1);
            build_relate(b, &other, &first, "equal queries have equal results at every place");
        }
    }
}

#define MEMBERS(name_, level_, ...)                                                                          \
    {                                                                                                        \
        SUITE_ROW("invariance-" name_, level_, "batch_invariance", .build = members), .call = {              \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define EQUAL(name_, level_, ...)                                                                            \
    {                                                                                                        \
        SUITE_ROW("invariance-" name_, level_, "position_invariance", .build = equal_queries), .call = {     \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static const struct attention_row rows[] = {
    MEMBERS("batch", SMOKE, .batch = 5, .heads = 2, .queries = 7, .keys = 11, .width = 12),
    MEMBERS("batch-33", STANDARD, .batch = 33, .heads = 1, .queries = 3, .keys = 9, .width = 8),
    MEMBERS("batch-mask", STANDARD, .batch = 5, .heads = 2, .queries = 7, .keys = 11, .width = 12,
            .mask = ATTENTION_CONDITIONS),
    MEMBERS("batch-causal", STANDARD, .batch = 3, .heads = 2, .queries = 17, .keys = 33, .width = 40,
            .causal = true),
    MEMBERS("batch-groups", STANDARD, .batch = 3, .heads = 4, .key_heads = 2, .queries = 5, .keys = 9,
            .width = 8),
    MEMBERS("heads", STANDARD, .batch = 1, .heads = 5, .queries = 7, .keys = 11, .width = 12, .rank = 3),
    MEMBERS("heads-65", STANDARD, .batch = 1, .heads = 65, .queries = 2, .keys = 5, .width = 8, .rank = 3),
    EQUAL("queries", SMOKE, .batch = 1, .heads = 1, .queries = 33, .keys = 17, .width = 12, .rank = 2),
    EQUAL("queries-129", STANDARD, .batch = 1, .heads = 1, .queries = 129, .keys = 65, .width = 8, .rank = 2),
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(
        list, &(struct suite_table){SUITE_ROWS(rows), ATTENTION_OPS, .level = level_beyond_float16_32});
}

const struct suite suite_attention_invariance = {.declare = declare};
