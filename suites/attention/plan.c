/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: attention and its gradient. The variants have no mask, conditions, and causal
 * rows. */

#include "suites/attention/calls.h"
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"

extern const struct plan_form plan_form_attention_calls;

static void build(const struct call_builder *m)
{
    const bool gradient = attention_is_gradient(m->b->c->op);
    const int64_t keys = call_size(m, PLAN_KEYS), value_width = call_size(m, PLAN_VALUE_WIDTH);
    const struct attention_call call = {.batch = call_size(m, PLAN_BATCH),
                                        .heads = call_size(m, PLAN_HEADS),
                                        .queries = call_size(m, PLAN_QUERIES),
                                        .keys = keys,
                                        .width = call_size(m, PLAN_HEAD_WIDTH),
                                        .value_width = value_width > 0 ? value_width : -1,
                                        .mask = m->call->variant == 1 && keys > 0 ? ATTENTION_CONDITIONS
                                                                                  : ATTENTION_NO_MASK,
                                        .mask_dims = m->call->turn % 2 ? MASK_ALL : MASK_KEYS,
                                        .causal = m->call->variant == 2,
                                        .laid = (int[]){0, 1, 2, gradient ? 4 : 0}[m->call->turn % 4],
                                        .layout = m->call->layout};
    attention_step(m->b, &call);
}

static int64_t measure(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    const int query = attention_is_gradient(step->op);
    const struct shape *q = &step->input[query].shape, *k = &step->input[query + 1].shape,
                       *v = &step->input[query + 2].shape;
    switch (kind) {
    case PLAN_BATCH:
        return q->rank > 3 ? measure_span(q, 0, q->rank - 3) : 1;
    case PLAN_HEADS:
        return q->rank > 2 ? measure_last(q, 3) : 1;
    case PLAN_QUERIES:
        return measure_last(q, 2);
    case PLAN_KEYS:
        return measure_last(k, 2);
    case PLAN_HEAD_WIDTH:
        return measure_last(q, 1);
    case PLAN_VALUE_WIDTH:
        return measure_last(v, 1);
    default:
        return -1;
    }
}

/* An open number of keys counts as what the gradient's calls have at least. */
enum { LEAST_KEYS = 3 };

static int64_t work(const struct plan_choice *choice)
{
    const int64_t queries = choice->size[PLAN_QUERIES],
                  keys = choice->open[PLAN_KEYS] ? LEAST_KEYS : choice->size[PLAN_KEYS],
                  width = choice->size[PLAN_HEAD_WIDTH] + choice->size[PLAN_VALUE_WIDTH];
    return choice->size[PLAN_BATCH] * choice->size[PLAN_HEADS] *
           (queries * keys * (width + 1) + (queries + keys) * width);
}

/* Divides the gradient's queries by 16: with probabilities near 0 and 1 it would be no evidence. So would it
 * be if all keys or values were negative and alike: of these every other row is divided. */
static void restrict_to_domain(struct builder *b, int operand, const struct view *x)
{
    const struct storage *storage = &b->program->storage[x->storage];
    const struct shape *s = &x->shape;
    enum { QUERY = 1, KEY, VALUE };
    for (int64_t i = 0; attention_is_gradient(b->c->op) && i < shape_elements(s); i++) {
        const double number =
            dtype_load(x->dtype, storage->data + view_element(x, i) * (int64_t)dtype_info(x->dtype)->size);
        const bool even = i / s->dim[s->rank - 1] % s->dim[s->rank - 2] % 2 == 0;
        if (operand == QUERY || ((operand == KEY || operand == VALUE) && number < 0 && even)) {
            build_set(b, x, i, number / 16);
        }
    }
}

/* One key alone has the probability 1: the gradients of query and key are 0. */
#define AXES_OF(keys_)                                                                                       \
    PLAN_AXIS(BATCH, 0, 5120), PLAN_AXIS(HEADS, 0, 5120), PLAN_AXIS(QUERIES, 0, 65537),                      \
        PLAN_AXIS(HEAD_WIDTH, 0, 5120), PLAN_AXIS(VALUE_WIDTH, 0, 5120), keys_

static const struct plan_operator operators[] = {
    PLAN_OPERATOR("scaled_dot_product_attention", attention_calls, AXES_OF(PLAN_AXIS(KEYS, 0, 65537))),
    PLAN_OPERATOR("scaled_dot_product_attention_backward", attention_calls,
                  AXES_OF(PLAN_TELLING(KEYS, 2, 65537, LEAST_KEYS))),
};

const struct plan_form plan_form_attention_calls = {
    .place = 115,
    PLAN_OPERATORS(operators),
    .variants = 3,
    .pairs_to = 17,
    .budget = {.least = 1024, .times = 24, .plus = 64, .beyond_large = true},
    .work = work,
    .build = build,
    .measure = measure,
    .large = 3,
    .restrict_to_domain = restrict_to_domain,
};
