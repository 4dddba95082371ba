/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: to and clone. */
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"
#include "suites/shared/data.h"

/* Converts to the other dtypes in turn, from numbers that all of them hold up to rounding. */
static void build_to(const struct call_builder *m, const struct view *x)
{
    static const enum dtype targets[] = {DTYPE_FLOAT32, DTYPE_BFLOAT16, DTYPE_INT32, DTYPE_FLOAT16,
                                         DTYPE_FLOAT64, DTYPE_INT8,     DTYPE_INT64};
    enum { TARGETS = sizeof targets / sizeof *targets };
    enum dtype to = targets[m->call->turn % TARGETS];
    to = to == x->dtype ? targets[(m->call->turn + 1) % TARGETS] : to;
    struct philox generator = build_generator(m->b, 0);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        bool real = dtype_is_floating(x->dtype);
        build_set_bits(m->b, x, i, 0,
                       real ? data_between(&generator, x->dtype, 0, 6)
                            : (uint64_t)data_integer(&generator, 127));
    }
    struct attributes attributes = {
        .count = 1,
        .item = {{.name = "dtype", .type = ATTRIBUTE_CHOICE, .integer = to, .word = dtype_info(to)->name}}};
    build_step(m->b, m->b->c->op, &attributes, 1, x);
}

static void build(const struct call_builder *m)
{
    const struct shape shape = call_flat_shape(m);
    const struct view x = build_tensor(m->b, m->call->dtype, &shape, m->call->layout);
    if (op_attribute_named(m->b->c->op, "dtype")) {
        build_to(m, &x);
    } else {
        data_fill_sign_coded(m->b, &x, 0);
        build_unary(m->b, m->b->c->op, &x);
    }
}

extern const struct plan_form plan_form_conversion;

static const struct plan_operator operators[] = {
    PLAN_OPERATOR("to", conversion, PLAN_FLAT),
    PLAN_OPERATOR("clone", conversion, PLAN_FLAT),
};

const struct plan_form plan_form_conversion = {
    .place = 20,
    PLAN_OPERATORS(operators),
    .dtypes = plan_common_dtypes,
    .build = build,
    .measure = measure_first_input,
};
