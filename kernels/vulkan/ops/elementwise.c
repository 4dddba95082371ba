/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The element-wise operators: one planning function for all functions of lib/unary.inc, lib/binary.inc,
 * lib/ternary.inc, lib/activations.inc and lib/gradients.inc. */

#include "reference/ops/elementwise/elementwise.h"
#include "kernels/vulkan/kernel.h"

#include <math.h>
#include <string.h>

enum { OPERANDS = 3, ATTRIBUTES = 4 };

enum { NATIVE_HALVES = 2 }; /* of vk_dispatch.constants: NATIVE of lib/elementwise_wide.glsl */

struct arguments { /* of lib/elementwise.glsl */
    struct vk_view_argument operand[OPERANDS], result;
    uint64_t attribute[ATTRIBUTES];
};

struct function {
    const char *name;
    const char *shader[DTYPE_COUNT]; /* NULL: the dtype is unsupported */
};

/* The names of the shaders of a function: "STEM.NAME.DTYPE". */
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
/* The lists are included in the same order here, in the enumeration and in the table of operators. */
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

/* Fills `bits` with the attributes as the shader reads them, and returns their number. */
static int take_attributes(const struct step *step, enum dtype dtype, uint64_t bits[ATTRIBUTES])
{
    struct attributes all = step->attributes;
    int k = 0;
    op_default_attributes(step->op, dtype, &all);
    for (; k < ATTRIBUTES && step->op->attributes[k].name; k++) {
        const char *name = step->op->attributes[k].name;
        bool word = step->op->attributes[k].type == ATTRIBUTE_CHOICE;
        bits[k] = !dtype_is_floating(dtype)
                      ? (uint64_t)attributes_integer(&all, name, 0)
                      : vk_real_bits(dtype, word ? (double)attributes_integer(&all, name, 0)
                                                 : attributes_real(&all, name, 0));
    }
    return k;
}

/* --- the views whose elements are the arguments of the function
 * (reference/ops/elementwise/elementwise_views.h) */

/* The arguments and the result of one dispatch. The gradient of a function of two halves has a dispatch for
 * each half. */
struct part {
    int numbers;
    struct view number[OPERANDS], result;
};

/* Returns the first (half = 0) or the second half (1) along dimension d. */
static struct view half_of(const struct view *whole, int d, int half)
{
    struct view view = *whole;
    view.shape.dim[d] /= 2;
    view.offset += half * view.shape.dim[d] * view.stride[d];
    return view;
}

static void take_halves(const struct step *step, int half, struct part *part)
{
    const struct view *whole = &step->input[step->inputs - 1];
    int d = (int)attributes_integer(&step->attributes, "dim", -1);
    d += d < 0 ? whole->shape.rank : 0;
    if (step->inputs > 1) {
        part->number[part->numbers++] = step->input[0];
        part->result = half_of(&step->output[0], d, half);
    }
    for (int h = 0; h < 2; h++) {
        part->number[part->numbers++] = half_of(whole, d, h);
    }
}

/* Returns a view of the given shape whose elements are the weight of their channel (the index of dimension
 * 1), or the only weight. */
static struct view along_channels(const struct view *weight, const struct shape *shape)
{
    struct view view = *weight;
    int channels = 1;
    view.shape = *shape;
    memset(view.stride, 0, sizeof view.stride);
    if (shape_elements(&weight->shape) > 1) {
        view.stride[channels] = weight->stride[0];
    }
    return view;
}

static struct part part_of(const struct step *step, int half)
{
    const enum elementwise_views views = step->op->row ? step->op->row->views : VIEWS_OPERANDS;
    struct part part = {.numbers = 0, .result = step->output[0]};
    if (views == VIEWS_HALVES) {
        take_halves(step, half, &part);
        return part;
    }
    for (int k = 0; k < step->inputs; k++) {
        bool channels = views == VIEWS_CHANNELS && k == step->inputs - 1;
        part.number[part.numbers++] =
            (channels ? along_channels : view_broadcast)(&step->input[k], &step->output[0].shape);
    }
    return part;
}

/* --- the dispatches */

static void plan_part(struct vk_plan *plan, const struct step *step, const char *shader, int half)
{
    struct arguments arguments = {.attribute = {0}};
    const struct vk_view_argument *operand = arguments.operand;
    const struct part part = part_of(step, half);
    const enum dtype dtype = step->input[op_leading_input(step->op)].dtype;
    const bool wide = vk_plan_route(plan) == VK_WIDE;
    int attributes = take_attributes(step, dtype, arguments.attribute);
    arguments.attribute[attributes < ATTRIBUTES ? attributes : 0] = vk_real_bits(dtype, half);
    for (int k = 0; k < part.numbers && vk_plan_is_good(plan); k++) {
        arguments.operand[k] = vk_plan_elements(plan, &part.number[k]);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    arguments.result = vk_plan_elements(plan, &part.result);
    vk_plan_dispatch_elements(
        plan,
        &(struct vk_dispatch){.shader = shader,
                              .constants = {[NATIVE_HALVES] = wide && vk_plan_native_halves(plan)},
                              .groups = vk_groups(arguments.result.elements, VK_WORKGROUP),
                              .arguments = &arguments,
                              .bytes = sizeof arguments,
                              .line = {operand, operand + 1, operand + 2, &arguments.result},
                              .written = OPERANDS,
                              .elements = arguments.result.elements,
                              .iterations = (OPERANDS + 1) * VK_RANK_MAX + 64},
        dtype_info(dtype)->size);
}

/* True if the operands have the shapes that the views of the operator need: an even extent for halves, a
 * weight for each channel or one for all, and grad_output in the shape of the result. */
static bool views_fit(const struct step *step)
{
    const struct view *last = &step->input[step->inputs - 1], *first = &step->input[0];
    const int rank = last->shape.rank;
    if (step->op->row && step->op->row->views == VIEWS_CHANNELS) {
        const struct shape *x = &step->input[step->inputs - 2].shape;
        int64_t count = shape_elements(&last->shape), channels = x->rank > 1 ? x->dim[1] : 1;
        return rank <= 1 && (count == 1 || (x->rank > 0 && count == channels)) &&
               shape_equal(&first->shape, x);
    }
    if (step->op->row && step->op->row->views == VIEWS_HALVES) {
        int64_t dim = attributes_integer(&step->attributes, "dim", -1);
        if (dim < -rank || dim >= rank || last->shape.dim[dim < 0 ? dim + rank : dim] % 2) {
            return false;
        }
        struct view half = half_of(last, (int)(dim < 0 ? dim + rank : dim), 0);
        return step->inputs == 1 || shape_equal(&first->shape, &half.shape);
    }
    return true;
}

/* True unless the factor attribute of an operator on integers is a fraction. */
static bool factor_fits(const struct step *step, enum dtype dtype)
{
    const char *factor = step->op->row ? step->op->row->factor : NULL;
    double x = factor ? attributes_real(&step->attributes, factor, 1) : 1;
    return dtype_is_floating(dtype) || x == floor(x);
}

static void plan_elementwise(struct vk_plan *plan, const struct step *step)
{
    const struct function *function = &functions[vk_plan_variant(plan)];
    const enum dtype dtype = step->input[op_leading_input(step->op)].dtype;
    const char *const shader = function->shader[dtype];
    const bool halves = step->op->row && step->op->row->views == VIEWS_HALVES && step->inputs > 1;
    if (!views_fit(step)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: shapes do not fit", step->op->name);
    } else if (!factor_fits(step, dtype)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: of integers %s is a whole number", step->op->name,
                     step->op->row->factor);
    } else if (!shader) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    }
    for (int half = 0; half < (halves ? 2 : 1) && vk_plan_is_good(plan); half++) {
        plan_part(plan, step, shader, half);
    }
}

enum { /* indices into functions[] */
#undef ROW
#define ROW(name, ...) ROW_##name,
#include "kernels/vulkan/lib/activations.inc"
#include "kernels/vulkan/lib/binary.inc"
#include "kernels/vulkan/lib/gradients.inc"
#include "kernels/vulkan/lib/ternary.inc"
#include "kernels/vulkan/lib/unary.inc"
};

#undef ROW
#define ROW(name_, ...)                                                                                      \
    {.name = #name_, .variant = ROW_##name_, .plan = plan_elementwise},                                      \
        {.name = #name_, .route = VK_WIDE, .variant = ROW_##name_, .plan = plan_elementwise},
static const struct vk_op ops[] = {
#include "kernels/vulkan/lib/activations.inc"
#include "kernels/vulkan/lib/binary.inc"
#include "kernels/vulkan/lib/gradients.inc"
#include "kernels/vulkan/lib/ternary.inc"
#include "kernels/vulkan/lib/unary.inc"
};
const struct vk_op_set vk_op_set_elementwise = {ops, sizeof ops / sizeof *ops};
