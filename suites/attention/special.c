/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Attention on special values, with sizes of 0, and operands that must be refused. */

#include "suites/attention/calls.h"

#define SPECIAL(name_, level_, ...) CALL(name_, level_, "special_values", 1, 2, 5, 9, 8, __VA_ARGS__)
#define EMPTY(name_, b_, h_, l_, m_, ...)                                                                    \
    CALL("none-" name_, STANDARD, "attention_sizes size_limits", b_, h_, l_, m_, __VA_ARGS__)

static const struct attention_row rows[] = {
    SPECIAL("nan-value", STANDARD, .data = ATTENTION_NAN_VALUE),
    SPECIAL("nan-value-masked", SMOKE, .data = ATTENTION_NAN_VALUE, .mask = ATTENTION_LAST),
    SPECIAL("nan-value-causal", STANDARD, .data = ATTENTION_NAN_VALUE, .causal = true),
    SPECIAL("nan-key", STANDARD, .data = ATTENTION_NAN_KEY),
    SPECIAL("nan-key-masked", SMOKE, .data = ATTENTION_NAN_KEY, .mask = ATTENTION_LAST),
    SPECIAL("infinite-key", STANDARD, .data = ATTENTION_INFINITE_KEY),
    SPECIAL("infinite-key-masked", STANDARD, .data = ATTENTION_INFINITE_KEY, .mask = ATTENTION_LAST),
    SPECIAL("mask-plus-infinity", STANDARD, .mask = ATTENTION_PLUS_INFINITY),
    SPECIAL("subnormal", STANDARD, .data = ATTENTION_SUBNORMAL),
    FORWARD_CALL("subnormal-probabilities", SMOKE, "special_values attention_maximum", 1, 2, 5, 39, 8,
                 .mask = ATTENTION_UNDERFLOW),
    EMPTY("keys", 2, 2, 3, 0, 8),
    EMPTY("queries", 2, 2, 0, 5, 8),
    EMPTY("batches", 0, 2, 3, 5, 8),
    EMPTY("heads", 2, 0, 3, 5, 8),
    FORWARD_CALL("none-columns", STANDARD, "attention_sizes size_limits", 2, 2, 3, 5, 8, .value_width = -1),
    EMPTY("width", 2, 2, 3, 5, 0, .value_width = 4),
};

/* --- refusals */

enum misfit {
    MISFIT_WIDTH,
    MISFIT_VALUES,
    MISFIT_DTYPE,
    MISFIT_HEADS,
    MISFIT_GROUPS,
    MISFIT_MASK,
    MISFIT_MASK_DTYPE,
    MISFIT_CAUSAL,
    MISFIT_RANK
};

static void change(struct builder *b, enum misfit misfit, struct attention_built *call)
{
    struct view *query = &call->input[call->query], *key = query + 1, *value = query + 2, *mask = query + 3;
    enum dtype other = b->c->dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
    struct shape shape = key->shape;
    switch (misfit) {
    case MISFIT_WIDTH:
        shape.dim[3]++;
        *key = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
        break;
    case MISFIT_VALUES:
        value->shape.dim[2]--;
        break;
    case MISFIT_DTYPE:
        *key = build_tensor(b, other, &shape, LAYOUT_CONTIGUOUS);
        break;
    case MISFIT_HEADS:
    case MISFIT_GROUPS:
        key->shape.dim[1] = value->shape.dim[1] = 4; /* of 6 */
        break;
    case MISFIT_MASK:
        mask->shape.dim[3]--;
        break;
    case MISFIT_MASK_DTYPE:
        shape = mask->shape;
        *mask = build_tensor(b, DTYPE_INT32, &shape, LAYOUT_CONTIGUOUS);
        break;
    case MISFIT_CAUSAL:
        build_add_attribute(&call->attributes, "is_causal", ATTRIBUTE_BOOL, 1);
        break;
    case MISFIT_RANK:
        *query = view_at(query, 0);
        *query = view_at(query, 0);
        *query = view_at(query, 0);
        break;
    }
    if (misfit == MISFIT_GROUPS) {
        build_add_attribute(&call->attributes, "enable_gqa", ATTRIBUTE_BOOL, 1);
    }
}

static void refuse(struct builder *b)
{
    enum misfit misfit = (enum misfit)b->c->parameter;
    const bool masked = misfit == MISFIT_MASK || misfit == MISFIT_MASK_DTYPE || misfit == MISFIT_CAUSAL;
    const struct attention_call call = {.batch = 2,
                                        .heads = 6,
                                        .queries = 3,
                                        .keys = 5,
                                        .width = 4,
                                        .mask = masked ? ATTENTION_CONDITIONS : ATTENTION_NO_MASK};
    struct attention_built built;
    attention_operands(b, &call, &built);
    change(b, misfit, &built);
    build_rejection(b, b->c->op, &built.attributes, built.inputs, built.input);
}

#define REFUSE(name_, misfit_)                                                                               \
    {                                                                                                        \
        SUITE_ROW("refuse-" name_, STANDARD, "attention_refused", .build = refuse,                           \
                  .parameter = MISFIT_##misfit_)                                                             \
    }

static const struct attention_row refusals[] = {
    REFUSE("width", WIDTH),           REFUSE("values", VALUES),      REFUSE("dtype", DTYPE),
    REFUSE("heads", HEADS),           REFUSE("groups", GROUPS),      REFUSE("mask", MASK),
    REFUSE("mask-dtype", MASK_DTYPE), REFUSE("causal-mask", CAUSAL), REFUSE("vector", RANK),
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), ATTENTION_OPS, .build = attention_build,
                                                   .level = level_beyond_float16_32});
    suite_declare_rows(
        list, &(struct suite_table){SUITE_ROWS(refusals), ATTENTION_OPS, .level = level_beyond_float16_32});
}

const struct suite suite_attention_special = {.declare = declare};
