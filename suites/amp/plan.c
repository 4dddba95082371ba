/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: scaling of gradients, and products under autocast. */
#include "suites/linalg/plan_products.h"
#include "suites/plan/measure.h"

#include <math.h>
#include <string.h>

static struct view scalar_of(const struct call_builder *m, double x)
{
    struct shape one = shape_of(1, (int64_t)1);
    struct view view = build_tensor(m->b, DTYPE_FLOAT32, &one, LAYOUT_OFFSET1);
    build_set(m->b, &view, 0, x);
    return view;
}

static void build(const struct call_builder *m)
{
    const char *name = m->b->c->op->name;
    struct shape shape = call_flat_shape(m);
    int64_t count = shape_elements(&shape);
    struct attributes attributes = {.count = 0};
    struct view input[3];
    int inputs = 0;
    for (int k = 0; k < (strcmp(name, "amp_step") == 0 ? 2 : 1); k++) {
        input[inputs] = build_tensor(m->b, m->call->dtype, &shape, call_layout(m, k, 2));
        call_fill_random(m, &input[inputs++], k);
    }
    if (strcmp(name, "amp_scale") == 0) {
        input[inputs++] = scalar_of(m, 0.3125);
    } else if (strcmp(name, "amp_unscale") == 0) {
        call_set_decisive(m, &input[0], (struct run){0, 1, count > 1 ? count : 0}, 0, 1, (double)INFINITY,
                          false);
        input[inputs++] = scalar_of(m, 0);
        input[inputs++] = scalar_of(m, 0.25);
    } else {
        input[inputs++] = scalar_of(m, 0);
        attributes.count = 1;
        attributes.item[0] = (struct attribute){.name = "lr", .type = ATTRIBUTE_REAL, .real = 0.25};
    }
    build_step(m->b, m->b->c->op, &attributes, inputs, input);
}

extern const struct plan_form plan_form_amp_scaler, plan_form_amp_products;

#define SCALER(name_) PLAN_OPERATOR(name_, amp_scaler, PLAN_FLAT)
static const struct plan_operator scalers[] = {SCALER("amp_scale"), SCALER("amp_unscale"),
                                               SCALER("amp_step")};

const struct plan_form plan_form_amp_scaler = {
    .place = 70,
    PLAN_OPERATORS(scalers),
    .places = true,
    .build = build,
    .measure = measure_first_input,
};

static const struct plan_operator products[] = {
    PLAN_OPERATOR("autocast_matmul", amp_products, PRODUCT_AXES),
    PLAN_OPERATOR("autocast_linear", amp_products, PRODUCT_AXES),
};

const struct plan_form plan_form_amp_products = {
    .place = 90,
    PLAN_OPERATORS(products),
    PRODUCT_FORM,
    .build = product_call_build,
};
