/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Quantization per tensor, per channel and per block. Scales and zero points are views that are broadcast
 * over their channel or block; a block becomes a dimension of its own, so that one kernel serves all. */

#include "kernels/vulkan/kernel.h"

enum action { QUANTIZE, FAKE, BACKWARD, DEQUANTIZE };
enum grain { TENSOR, CHANNEL = 4, BLOCK = 8 }; /* a variant is an action plus a grain */

struct arguments { /* of quantization.comp */
    struct vk_view_argument x, scales, zeros, grad, result;
    float scale, inverse;
    int32_t zero, least, most;
    uint32_t padding;
};

struct parameters {
    struct view scales, zeros;
};

static const char *const shader[][DTYPE_COUNT] = {
    [QUANTIZE] = {[DTYPE_FLOAT16] = "quantization.quantize_float16",
                  [DTYPE_BFLOAT16] = "quantization.quantize_bfloat16",
                  [DTYPE_FLOAT32] = "quantization.quantize_float32"},
    [FAKE] = {[DTYPE_FLOAT16] = "quantization.fake_float16",
              [DTYPE_BFLOAT16] = "quantization.fake_bfloat16",
              [DTYPE_FLOAT32] = "quantization.fake_float32"},
    [BACKWARD] = {[DTYPE_FLOAT16] = "quantization.backward_float16",
                  [DTYPE_BFLOAT16] = "quantization.backward_bfloat16",
                  [DTYPE_FLOAT32] = "quantization.backward_float32"},
    [DEQUANTIZE] = {[DTYPE_FLOAT16] = "quantization.dequantize_float16",
                    [DTYPE_BFLOAT16] = "quantization.dequantize_bfloat16",
                    [DTYPE_FLOAT32] = "quantization.dequantize_float32"}};

/* Splits the last dimension into two: the blocks, and the elements of a block. */
static struct view in_blocks(const struct view *x, int64_t block)
{
    struct view split = *x;
    int last = x->shape.rank - 1;
    split.shape.rank++;
    split.shape.dim[last] = x->shape.dim[last] / block;
    split.shape.dim[last + 1] = block;
    split.stride[last] = x->stride[last] * block;
    split.stride[last + 1] = x->stride[last];
    return split;
}

/* Broadcasts a vector to the shape, along dimension `axis`. */
static struct view along(const struct view *vector, const struct shape *shape, int axis)
{
    struct view wide = {
        .storage = vector->storage, .dtype = vector->dtype, .offset = vector->offset, .shape = *shape};
    wide.stride[axis] = vector->stride[0];
    return wide;
}

static bool fits(const struct view *scales, const struct shape *wanted)
{
    return scales->storage >= 0 && shape_equal(&scales->shape, wanted);
}

static void spread_channels(struct vk_plan *plan, const struct step *step, const struct view *x,
                            struct parameters *p)
{
    int rank = x->shape.rank;
    int64_t axis = attributes_integer(&step->attributes, "axis", 0);
    if (axis < -rank || axis >= rank) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: axis is out of range", step->op->name);
        return;
    }
    axis += axis < 0 ? rank : 0;
    struct shape wanted = shape_of(1, x->shape.dim[axis]);
    if (!fits(&p->scales, &wanted) || !fits(&p->zeros, &wanted)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a scale and a zero point for each channel", step->op->name);
        return;
    }
    p->scales = along(&p->scales, &x->shape, (int)axis);
    p->zeros = along(&p->zeros, &x->shape, (int)axis);
}

static void spread_blocks(struct vk_plan *plan, const struct step *step, struct view *x, struct view *result,
                          struct parameters *p)
{
    int last = x->shape.rank - 1;
    int64_t block = attributes_integer(&step->attributes, "block_size", 0);
    if (last < 0 || block < 1 || x->shape.dim[last] % block != 0) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: blocks divide the last dimension", step->op->name);
        return;
    }
    struct shape wanted = x->shape;
    wanted.dim[last] /= block;
    if (!fits(&p->scales, &wanted) || !fits(&p->zeros, &wanted)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a scale and a zero point for each block", step->op->name);
        return;
    }
    if (last + 1 >= RANK_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %d dimensions", step->op->name, last + 1);
        return;
    }
    *x = in_blocks(x, block);
    *result = in_blocks(result, block);
    struct view *const each[] = {&p->scales, &p->zeros};
    for (int k = 0; k < 2; k++) {
        each[k]->shape = x->shape;
        each[k]->stride[last + 1] = 0;
    }
}

/* Sets the interval of q, the scale and the zero point. Rejects those that int32, in which the kernel
 * computes, or the quantized dtype cannot represent. */
static void take_interval(struct vk_plan *plan, const struct step *step, enum action action, enum dtype whole,
                          struct arguments *arguments)
{
    const struct attributes *a = &step->attributes;
    bool is_signed = dtype_info(whole)->kind == KIND_SIGNED;
    int bits = 8 * (int)dtype_info(whole)->size;
    int64_t least = attributes_integer(a, "quant_min", is_signed ? -(INT64_C(1) << (bits - 1)) : 0);
    int64_t most = attributes_integer(a, "quant_max", (INT64_C(1) << (bits - is_signed)) - 1);
    int64_t zero = attributes_integer(a, "zero_point", 0);
    bool scalar = attributes_given(a, "scale");
    arguments->scale = (float)attributes_real(a, "scale", 1);
    arguments->inverse = 1.0F / arguments->scale;
    arguments->zero = (int32_t)zero;
    arguments->least = (int32_t)least;
    arguments->most = (int32_t)most;
    bool held = least >= (is_signed ? -(INT64_C(1) << (bits - 1)) : 0) && most < INT64_C(1)
                                                                                     << (bits - is_signed);
    if (action != DEQUANTIZE && (least > most || (scalar && (zero < least || zero > most)))) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: zero_point must be between quant_min and quant_max",
                     step->op->name);
    } else if (!held || zero != (int32_t)zero) {
        vk_plan_fail(plan, action == QUANTIZE ? LAUNCH_REJECTED : LAUNCH_UNSUPPORTED,
                     "%s: quant_min and quant_max must be numbers of %s", step->op->name,
                     dtype_info(whole)->name);
    }
}

static uint32_t width_of(enum dtype whole)
{
    return whole == DTYPE_INT8 ? 0 : whole == DTYPE_UINT8 ? 1 : 2;
}

static void plan_quantization(struct vk_plan *plan, const struct step *step)
{
    enum action action = (enum action)(vk_plan_variant(plan) % 4);
    enum grain grain = (enum grain)(vk_plan_variant(plan) / 4 * 4);
    const struct attributes *a = &step->attributes; /* a step that must be refused has no output */
    struct view x = step->input[action == BACKWARD], result = step->output[0];
    struct arguments arguments = {.zero = 0};
    struct parameters p = {{.storage = -1}, {.storage = -1}};
    enum dtype real = action == DEQUANTIZE ? (enum dtype)attributes_integer(a, "out_dtype", DTYPE_FLOAT32)
                                           : x.dtype,
               whole = action == DEQUANTIZE ? x.dtype
                       : action == QUANTIZE ? (enum dtype)attributes_integer(a, "dtype", DTYPE_INT8)
                                            : DTYPE_INT32;
    if (!shader[action][real]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(real)->name);
    } else if (action == BACKWARD && !shape_equal(&x.shape, &step->input[0].shape)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: grad_output has another shape", step->op->name);
    }
    take_interval(plan, step, action, whole, &arguments);
    if (grain != TENSOR) {
        p = (struct parameters){step->input[step->inputs - 2], step->input[step->inputs - 1]};
    }
    if (vk_plan_is_good(plan) && grain == CHANNEL) {
        spread_channels(plan, step, &x, &p);
    } else if (vk_plan_is_good(plan) && grain == BLOCK) {
        spread_blocks(plan, step, &x, &result, &p);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    arguments.x = vk_plan_elements(plan, &x);
    arguments.result = vk_plan_elements(plan, &result);
    arguments.scales = grain == TENSOR ? arguments.x : vk_plan_elements(plan, &p.scales);
    arguments.zeros = grain == TENSOR ? arguments.x : vk_plan_elements(plan, &p.zeros);
    arguments.grad = action == BACKWARD ? vk_plan_elements(plan, &step->input[0]) : arguments.x;
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader[action][real],
                                                 .constants = {width_of(whole), grain != TENSOR},
                                                 .groups = vk_groups(arguments.result.elements, VK_WORKGROUP),
                                                 .arguments = &arguments,
                                                 .bytes = sizeof arguments,
                                                 .iterations = 5 * VK_RANK_MAX});
}

#define OP(name_, variant_)                                                                                  \
    {                                                                                                        \
        .name = name_, .variant = (variant_), .plan = plan_quantization                                      \
    }

static const struct vk_op ops[] = {
    OP("quantize_per_tensor", QUANTIZE + TENSOR),
    OP("quantize_per_channel", QUANTIZE + CHANNEL),
    OP("quantize_per_block", QUANTIZE + BLOCK),
    OP("dequantize_per_tensor", DEQUANTIZE + TENSOR),
    OP("dequantize_per_channel", DEQUANTIZE + CHANNEL),
    OP("dequantize_per_block", DEQUANTIZE + BLOCK),
    OP("fake_quantize_per_tensor_affine", FAKE + TENSOR),
    OP("fake_quantize_per_channel_affine", FAKE + CHANNEL),
    OP("fake_quantize_per_tensor_affine_backward", BACKWARD + TENSOR),
    OP("fake_quantize_per_channel_affine_backward", BACKWARD + CHANNEL),
};
const struct vk_op_set vk_op_set_quantization = {ops, sizeof ops / sizeof *ops};
