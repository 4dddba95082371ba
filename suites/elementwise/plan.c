/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Element-wise operators in the plan of sizes: every function of suites/shared/functions.def is in one of two
 * forms, by the number of its operands. */
#include "suites/elementwise/plan_calls.h"
#include "suites/plan/measure.h"

extern const struct plan_form plan_form_elementwise_signs, plan_form_elementwise_square,
    plan_form_elementwise_unary, plan_form_elementwise_mapped;

static const struct plan_operator signs[] = {
    PLAN_OPERATOR("sgn", elementwise_signs, PLAN_FLAT),
    PLAN_OPERATOR("sign", elementwise_signs, PLAN_FLAT),
};

const struct plan_form plan_form_elementwise_signs = {
    .place = 10,
    PLAN_OPERATORS(signs),
    .dtypes = plan_common_dtypes,
    .build = elementwise_build_signs,
    .measure = measure_first_input,
};

static const struct plan_operator square[] = {PLAN_OPERATOR("square", elementwise_square, PLAN_FLAT)};

const struct plan_form plan_form_elementwise_square = {
    .place = 11,
    PLAN_OPERATORS(square),
    .dtypes = plan_common_dtypes,
    .build = elementwise_build_square,
    .measure = measure_first_input,
};

static const struct plan_operator unary[] = {
#define FUNCTION(name_, ...) PLAN_OPERATOR(#name_, elementwise_unary, PLAN_FLAT),
#define FUNCTION_OF(operands_, name_, ...)
#define FUNCTION_VIEWED(operands_, name_, ...)
#include "suites/shared/functions.def"
};

const struct plan_form plan_form_elementwise_unary = {
    .place = 40,
    PLAN_OPERATORS(unary),
    .dtypes = plan_common_dtypes,
    .build = elementwise_build_unary,
    .measure = measure_first_input,
    .restrict_to_domain = elementwise_restrict_to_domain,
};

static const struct plan_operator mapped[] = {
#define FUNCTION(name_, ...)
#define FUNCTION_OF(operands_, name_, ...)
#define FUNCTION_VIEWED(operands_, name_, ...) PLAN_OPERATOR(#name_, elementwise_mapped, PLAN_FLAT),
#include "suites/shared/functions.def"
#define FUNCTION(name_, ...)
#define FUNCTION_VIEWED(operands_, name_, ...)
#define FUNCTION_OF(operands_, name_, ...) PLAN_OPERATOR(#name_, elementwise_mapped, PLAN_FLAT),
#include "suites/shared/functions.def"
};

const struct plan_form plan_form_elementwise_mapped = {
    .place = 50,
    PLAN_OPERATORS(mapped),
    .variants = CALL_BROADCASTS,
    .build = elementwise_build_mapped,
    .measure = elementwise_measure_mapped,
    .restrict_to_domain = elementwise_restrict_to_domain,
    .broadcasts = elementwise_broadcasts,
    .build_middle = elementwise_build_middle,
    .channels = elementwise_channels,
    .prepare_turn = elementwise_prepare_turn,
};
