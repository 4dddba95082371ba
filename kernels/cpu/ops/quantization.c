/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Quantization. The quotient is a float32 division; integers are computed in 64 bits. */

#include "kernels/cpu/convert.h"

#include <math.h>

enum action { QUANTIZE, FAKE, BACKWARD, DEQUANTIZE };
enum grain { TENSOR, CHANNEL, BLOCK };

struct work {
    enum action action;
    enum grain grain;
    const struct cpu_view *x, *scales, *zeros, *grad, *to;
    float scale;
    int64_t zero, least, most;
    int axis;
    int64_t block;
};

/* Returns the index of the scale and zero point of element i. */
static int64_t place(const struct work *work, int64_t i)
{
    if (work->grain == BLOCK) {
        return i / work->block;
    }
    for (int d = work->x->shape.rank - 1; d > work->axis; d--) {
        i /= work->x->shape.dim[d];
    }
    return i % work->x->shape.dim[work->axis];
}

static void element(const struct work *work, int64_t i)
{
    float s = work->scale;
    int64_t z = work->zero;
    if (work->grain != TENSOR) {
        s = (float)cpu_load(work->scales, place(work, i));
        z = cpu_load_integer(work->zeros, place(work, i));
    }
    if (work->action == DEQUANTIZE) {
        int64_t q = cpu_integer_at(work->x->dtype, cpu_at(work->x, i));
        cpu_store(work->to, i, (double)((float)(q - z) * s));
        return;
    }
    float n = nearbyintf((float)cpu_load(work->x, i) / s);
    n = n > 0x1p40F ? 0x1p40F : n >= -0x1p40F ? n : -0x1p40F; /* a NaN gives the least q */
    int64_t sum = (int64_t)n + z, q = sum < work->least ? work->least : sum > work->most ? work->most : sum;
    if (work->action == QUANTIZE) {
        cpu_put_integer(work->to->dtype, cpu_at(work->to, i), q);
    } else if (work->action == FAKE) {
        cpu_store(work->to, i, (double)((float)(q - z) * s));
    } else if (q == sum) {
        cpu_convert(work->grad->dtype, cpu_at(work->grad, i), work->to->dtype, cpu_at(work->to, i));
    } else {
        cpu_store(work->to, i, 0);
    }
}

/* True if scales and zero points have the shape that the grain needs. */
static bool fits(struct work *work, const struct attributes *attributes)
{
    struct shape wanted = work->x->shape;
    int rank = wanted.rank;
    int64_t axis = attributes_integer(attributes, "axis", 0);
    work->block = attributes_integer(attributes, "block_size", 1);
    if (work->grain == CHANNEL) {
        if (axis < -rank || axis >= rank) {
            return false;
        }
        work->axis = (int)(axis < 0 ? axis + rank : axis);
        wanted = shape_of(1, work->x->shape.dim[work->axis]);
    } else {
        if (rank == 0 || work->block < 1 || wanted.dim[rank - 1] % work->block != 0) {
            return false;
        }
        wanted.dim[rank - 1] /= work->block;
    }
    return shape_equal(&work->scales->shape, &wanted) && shape_equal(&work->zeros->shape, &wanted);
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)outputs;
    struct work work = {.action = (enum action)(op->variant & 3),
                        .grain = (enum grain)(op->variant >> 2),
                        .scales = &input[inputs - 2],
                        .zeros = &input[inputs - 1],
                        .grad = input,
                        .to = output,
                        .scale = (float)attributes_real(attributes, "scale", 1),
                        .zero = attributes_integer(attributes, "zero_point", 0)};
    work.x = &input[work.action == BACKWARD];
    enum dtype whole = work.action == DEQUANTIZE ? input->dtype
                       : work.action == QUANTIZE
                           ? (enum dtype)attributes_integer(attributes, "dtype", DTYPE_INT8)
                           : DTYPE_INT32;
    int64_t end = INT64_C(1) << (8 * dtype_info(whole)->size - (whole != DTYPE_UINT8));
    int64_t lowest = whole == DTYPE_UINT8 ? 0 : -end;
    work.least = attributes_integer(attributes, "quant_min", lowest);
    work.most = attributes_integer(attributes, "quant_max", end - 1);
    if (work.grain != TENSOR && !fits(&work, attributes)) {
        return cpu_reject(reason, "scales and zero points do not fit the tensor");
    }
    bool within = work.zero >= work.least && work.zero <= work.most;
    bool beyond = work.action == QUANTIZE && (work.least < lowest || work.most >= end);
    bool sound = work.least <= work.most && !beyond && (work.grain != TENSOR || within);
    if (work.action != DEQUANTIZE && !sound) {
        return cpu_reject(reason, "zero_point must be between quant_min and quant_max, numbers of the dtype");
    }
    if (work.action == BACKWARD && !shape_equal(&input[0].shape, &input[1].shape)) {
        return cpu_reject(reason, "grad_output has another shape");
    }
    for (int64_t i = 0; i < shape_elements(&work.x->shape); i++) {
        element(&work, i);
    }
    return CPU_OK;
}

#define OP(name_, action, grain)                                                                             \
    {                                                                                                        \
        .name = name_, .variant = (action) | (grain) << 2, .run = run                                        \
    }

static const struct cpu_op ops[] = {
    OP("quantize_per_tensor", QUANTIZE, TENSOR),
    OP("quantize_per_channel", QUANTIZE, CHANNEL),
    OP("quantize_per_block", QUANTIZE, BLOCK),
    OP("dequantize_per_tensor", DEQUANTIZE, TENSOR),
    OP("dequantize_per_channel", DEQUANTIZE, CHANNEL),
    OP("dequantize_per_block", DEQUANTIZE, BLOCK),
    OP("fake_quantize_per_tensor_affine", FAKE, TENSOR),
    OP("fake_quantize_per_channel_affine", FAKE, CHANNEL),
    OP("fake_quantize_per_tensor_affine_backward", BACKWARD, TENSOR),
    OP("fake_quantize_per_channel_affine_backward", BACKWARD, CHANNEL),
};
const struct cpu_op_set cpu_op_set_quantization = {.op = ops, .count = sizeof ops / sizeof *ops};
