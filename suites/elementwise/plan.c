/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The forms of element-wise operators in the plan of sizes. */
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

#define UNARY(name_) PLAN_OPERATOR(name_, elementwise_unary, PLAN_FLAT)
static const struct plan_operator unary[] = {
    UNARY("abs"),       UNARY("neg"),      UNARY("floor"),      UNARY("ceil"),        UNARY("trunc"),
    UNARY("round"),     UNARY("relu"),     UNARY("reciprocal"), UNARY("sqrt"),        UNARY("rsqrt"),
    UNARY("exp"),       UNARY("exp2"),     UNARY("expm1"),      UNARY("log"),         UNARY("log2"),
    UNARY("log10"),     UNARY("log1p"),    UNARY("sin"),        UNARY("cos"),         UNARY("tan"),
    UNARY("asin"),      UNARY("acos"),     UNARY("atan"),       UNARY("sinh"),        UNARY("cosh"),
    UNARY("asinh"),     UNARY("acosh"),    UNARY("atanh"),      UNARY("logit"),       UNARY("tanh"),
    UNARY("erf"),       UNARY("erfc"),     UNARY("erfinv"),     UNARY("lgamma"),      UNARY("digamma"),
    UNARY("sigmoid"),   UNARY("silu"),     UNARY("logsigmoid"), UNARY("frac"),        UNARY("hardsigmoid"),
    UNARY("hardswish"), UNARY("selu"),     UNARY("mish"),       UNARY("softsign"),    UNARY("isnan"),
    UNARY("isinf"),     UNARY("isfinite"), UNARY("signbit"),    UNARY("bitwise_not"), UNARY("gelu"),
    UNARY("elu"),       UNARY("celu"),     UNARY("leaky_relu"), UNARY("softplus"),    UNARY("hardtanh"),
};

const struct plan_form plan_form_elementwise_unary = {
    .place = 40,
    PLAN_OPERATORS(unary),
    .dtypes = plan_common_dtypes,
    .build = elementwise_build_unary,
    .measure = measure_first_input,
    .restrict_to_domain = elementwise_restrict_to_domain,
};

#define MAPPED(name_) PLAN_OPERATOR(name_, elementwise_mapped, PLAN_FLAT)
static const struct plan_operator mapped[] = {
    MAPPED("prelu"),
    MAPPED("glu"),
    MAPPED("swiglu"),
    MAPPED("prelu_backward"),
    MAPPED("glu_backward"),
    MAPPED("sigmoid_backward"),
    MAPPED("tanh_backward"),
    MAPPED("relu_backward"),
    MAPPED("silu_backward"),
    MAPPED("logsigmoid_backward"),
    MAPPED("mish_backward"),
    MAPPED("selu_backward"),
    MAPPED("softsign_backward"),
    MAPPED("hardsigmoid_backward"),
    MAPPED("hardswish_backward"),
    MAPPED("gelu_backward"),
    MAPPED("elu_backward"),
    MAPPED("celu_backward"),
    MAPPED("leaky_relu_backward"),
    MAPPED("softplus_backward"),
    MAPPED("hardtanh_backward"),
    MAPPED("add"),
    MAPPED("sub"),
    MAPPED("mul"),
    MAPPED("div"),
    MAPPED("fmod"),
    MAPPED("remainder"),
    MAPPED("floor_divide"),
    MAPPED("pow"),
    MAPPED("ldexp"),
    MAPPED("hypot"),
    MAPPED("atan2"),
    MAPPED("logaddexp"),
    MAPPED("eq"),
    MAPPED("ne"),
    MAPPED("lt"),
    MAPPED("le"),
    MAPPED("gt"),
    MAPPED("ge"),
    MAPPED("maximum"),
    MAPPED("minimum"),
    MAPPED("fmax"),
    MAPPED("fmin"),
    MAPPED("copysign"),
    MAPPED("nextafter"),
    MAPPED("bitwise_and"),
    MAPPED("bitwise_or"),
    MAPPED("bitwise_xor"),
    MAPPED("bitwise_left_shift"),
    MAPPED("bitwise_right_shift"),
    MAPPED("lerp"),
    MAPPED("fma"),
    MAPPED("addcmul"),
    MAPPED("addcdiv"),
    MAPPED("clamp"),
    MAPPED("where"),
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
