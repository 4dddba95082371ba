/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The element-wise kit: the functions of lib/unary.inc and its kin, one launch for all of them. */

#include "kernels/vulkan/kernel.h"

enum { OPERANDS = 3, ATTRIBUTES = 4 };

struct arguments { /* of lib/elementwise.glsl */
    struct vk_view_argument operand[OPERANDS], result;
    uint64_t attribute[ATTRIBUTES];
};

struct function {
    const char *name;
    const char *shader[DTYPE_COUNT]; /* NULL where there is none */
};

/* The shaders of a row: "STEM.NAME.DTYPE". */
#define SHADER(name, dtype) STEM "." #name "." dtype
#define HALVES(name)        [DTYPE_FLOAT16] = SHADER(name, "float16"), [DTYPE_BFLOAT16] = SHADER(name, "bfloat16")
#define SINGLES(name)       HALVES(name), [DTYPE_FLOAT32] = SHADER(name, "float32")
#define REALS(name)         SINGLES(name), [DTYPE_FLOAT64] = SHADER(name, "float64")
#define INTEGERS(name)      [DTYPE_INT32] = SHADER(name, "int32"), [DTYPE_INT64] = SHADER(name, "int64")

#define ROW(name_, ...)           {.name = #name_, .shader = {__VA_ARGS__}},
#define BITS(name, term)          ROW(name, REALS(name), [DTYPE_INT32] = SHADER(name, "int32"))
#define REAL_(name, term)         ROW(name, REALS(name))
#define SINGLE(name, term)        ROW(name, SINGLES(name))
#define NUMBER(name, real, whole) ROW(name, REALS(name), INTEGERS(name))
#define NARROW(name, real, whole) ROW(name, SINGLES(name), INTEGERS(name))
#define WORDS(name, term)         ROW(name, REALS(name), INTEGERS(name))
#define CONDITION(name, term)     ROW(name, REALS(name), INTEGERS(name))
#define WORDS_FLOAT(name, term)   ROW(name, REALS(name))
#define TEST(name, term)          ROW(name, REALS(name), INTEGERS(name))
#define TEST_FLOAT(name, term)    ROW(name, REALS(name))
#define INTEGER(name, term)       ROW(name, INTEGERS(name))
/* Lists in the order of their names, here and in the table of operators. */
static const struct function functions[] = {
#define STEM "activations"
#include "kernels/vulkan/lib/activations.inc"
#undef STEM
#define STEM "binary"
#include "kernels/vulkan/lib/binary.inc"
#undef STEM
#define STEM "gradients"
#include "kernels/vulkan/lib/gradients.inc"
#undef STEM
#define STEM "ternary"
#include "kernels/vulkan/lib/ternary.inc"
#undef STEM
#define STEM "unary"
#include "kernels/vulkan/lib/unary.inc"
#undef STEM
};

static void take_attributes(const struct step *step, enum dtype dtype, uint64_t bits[ATTRIBUTES])
{
    struct attributes all = step->attributes;
    op_default_attributes(step->op, dtype, &all);
    for (int k = 0; k < ATTRIBUTES && step->op->attributes[k].name; k++) {
        const char *name = step->op->attributes[k].name;
        bool word = step->op->attributes[k].type == ATTRIBUTE_CHOICE;
        bits[k] = vk_real_bits(dtype, word ? (double)attributes_integer(&all, name, 0)
                                           : attributes_real(&all, name, 0));
    }
}

static void plan_elementwise(struct vk_plan *plan, const struct step *step)
{
    const struct function *function = &functions[vk_plan_variant(plan)];
    const enum dtype dtype = step->input[op_leading_input(step->op)].dtype;
    const char *const shader = function->shader[dtype];
    struct arguments arguments = {.attribute = {0}};
    struct vk_lines lines = {.elements = 0};
    if (!shader) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    }
    for (int k = 0; k < step->inputs && vk_plan_is_good(plan); k++) {
        struct view whole = view_broadcast(&step->input[k], &step->output[0].shape);
        arguments.operand[k] = vk_plan_elements(plan, &whole);
        lines.line[k] = vk_line_of(&arguments.operand[k]);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    arguments.result = vk_plan_elements(plan, &step->output[0]);
    lines.line[OPERANDS] = vk_line_of(&arguments.result);
    lines.elements = arguments.result.elements;
    take_attributes(step, dtype, arguments.attribute);
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                 .groups = vk_groups(arguments.result.elements, VK_WORKGROUP),
                                                 .arguments = &arguments,
                                                 .bytes = sizeof arguments,
                                                 .lines = &lines,
                                                 .iterations = (OPERANDS + 1) * VK_RANK_MAX + 64});
}

enum { /* places in the table */
#undef ROW
#define ROW(name, ...) ROW_##name,
#include "kernels/vulkan/lib/activations.inc"
#include "kernels/vulkan/lib/binary.inc"
#include "kernels/vulkan/lib/gradients.inc"
#include "kernels/vulkan/lib/ternary.inc"
#include "kernels/vulkan/lib/unary.inc"
};

#undef ROW
#define ROW(name_, ...) {.name = #name_, .variant = ROW_##name_, .plan = plan_elementwise},
static const struct vk_op ops[] = {
#include "kernels/vulkan/lib/activations.inc"
#include "kernels/vulkan/lib/binary.inc"
#include "kernels/vulkan/lib/gradients.inc"
#include "kernels/vulkan/lib/ternary.inc"
#include "kernels/vulkan/lib/unary.inc"
};
const struct vk_op_set vk_op_set_elementwise = {ops, sizeof ops / sizeof *ops};
