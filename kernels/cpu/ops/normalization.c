/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Layer, RMS, group, instance and batch normalization and their gradients: assigns the operands, checks them,
 * and describes how the elements are grouped (normalization.h). */

#include "kernels/cpu/normalization.h"

#include <float.h>

/* Variants: a kind, with the flag GRADIENT for its gradient. */
enum { LAYER, RMS, GROUP, INSTANCE, BATCH, KINDS = 7, GRADIENT = 8 };

static bool fits(const struct cpu_view *view, const struct cpu_view *x, const struct shape *shape)
{
    return !view->data || (view->dtype == x->dtype && shape_equal(&view->shape, shape));
}

/* Assigns the outputs: Y, or the gradient of the input there, then DWEIGHT and DBIAS. */
static void take_outputs(struct cpu_view tensor[TENSORS], int outputs, const struct cpu_view *output)
{
    for (int o = 0; o < outputs; o++) {
        tensor[Y + o] = output[o];
    }
}

/* torch.finfo(dtype).eps */
static double spacing_of_one(enum dtype dtype)
{
    return dtype == DTYPE_FLOAT64    ? DBL_EPSILON
           : dtype == DTYPE_FLOAT32  ? (double)FLT_EPSILON
           : dtype == DTYPE_BFLOAT16 ? 0x1p-7
                                     : 0x1p-10;
}

static enum cpu_status layer(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                             const struct cpu_view *input, int outputs, const struct cpu_view *output,
                             struct error *reason)
{
    bool centred = (op->variant & KINDS) == LAYER, gradient = op->variant & GRADIENT;
    const struct integers *given = attributes_integers(attributes, "normalized_shape");
    struct shape tail;
    struct cpu_view tensor[TENSORS] = {{.data = NULL}};
    struct grouping g = {.centred = centred, .gradient = gradient, .batch = 1, .channels = 1, .inner = 1};
    for (int i = 0; i < inputs; i++) {
        tensor[gradient ? (i == 0   ? GRAD
                           : i == 1 ? X
                                    : WEIGHT)
                        : (i == 0   ? X
                           : i == 1 ? WEIGHT
                                    : BIAS)] = input[i];
    }
    take_outputs(tensor, outputs, output);
    g.eps = attributes_real(attributes, "eps", centred ? 1e-5 : spacing_of_one(tensor[X].dtype));
    const struct shape *shape = &tensor[X].shape;
    if (!dtype_is_real(tensor[X].dtype)) {
        error_set(reason, "the CPU backend normalizes no %s", dtype_info(tensor[X].dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (!given || !integers_to_shape(given, &tail) || tail.rank < 1 || tail.rank > shape->rank) {
        return cpu_reject(reason, "normalized_shape does not fit");
    }
    for (int d = 0; d < shape->rank; d++) {
        int of_tail = d - (shape->rank - tail.rank);
        int64_t *count = of_tail < 0 ? &g.batch : &g.channels;
        *count = count_product(*count, shape->dim[d]);
        if (of_tail >= 0 && tail.dim[of_tail] != shape->dim[d]) {
            return cpu_reject(reason, "normalized_shape is not the end of the shape");
        }
    }
    if (!fits(&tensor[WEIGHT], &tensor[X], &tail) || !fits(&tensor[BIAS], &tensor[X], &tail) ||
        !fits(&tensor[GRAD], &tensor[X], shape)) {
        return cpu_reject(reason, "an operand does not fit the input");
    }
    g.groups = g.batch;
    g.members = g.channels;
    return cpu_normalize(&g, tensor, reason);
}

/* Group, instance and batch normalization of [batch, channels, …]. */
static enum cpu_status channelled(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                  const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                  struct error *reason)
{
    int kind = op->variant & KINDS;
    bool gradient = op->variant & GRADIENT;
    static const int group[] = {X, WEIGHT, BIAS}, full[] = {X, MEAN, VARIANCE, WEIGHT, BIAS},
                     of_gradient[] = {GRAD, X, WEIGHT},
                     of_batch_gradient[] = {GRAD, X, MEAN, VARIANCE, WEIGHT};
    const int *place = gradient        ? kind == BATCH ? of_batch_gradient : of_gradient
                       : kind == GROUP ? group
                                       : full;
    struct cpu_view tensor[TENSORS] = {{.data = NULL}};
    for (int i = 0; i < inputs; i++) {
        tensor[place[i]] = input[i];
    }
    take_outputs(tensor, outputs, output);
    const struct shape *shape = &tensor[X].shape;
    if (!dtype_is_real(tensor[X].dtype)) {
        error_set(reason, "the CPU backend normalizes no %s", dtype_info(tensor[X].dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (shape->rank < (kind == INSTANCE && gradient ? 3 : 2) || (kind == BATCH && shape->rank > 5)) {
        return cpu_reject(reason, "too few or too many dimensions");
    }
    bool evaluates = (kind == BATCH && !attributes_integer(attributes, "training", 0)) ||
                     (kind == INSTANCE && !gradient && !attributes_integer(attributes, "use_input_stats", 1));
    struct grouping g = {.centred = true,
                         .gradient = gradient,
                         .over_batch = kind == BATCH || evaluates,
                         .evaluates = evaluates,
                         .updates = !evaluates && !gradient && tensor[MEAN].data,
                         .batch = shape->dim[0],
                         .channels = shape->dim[1],
                         .inner = 1,
                         .eps = attributes_real(attributes, "eps", 1e-5),
                         .momentum = attributes_real(attributes, "momentum", 0.1)};
    for (int d = 2; d < shape->rank; d++) {
        g.inner = count_product(g.inner, shape->dim[d]);
    }
    int64_t per_sample = kind == INSTANCE ? g.channels : attributes_integer(attributes, "num_groups", 1);
    if (per_sample <= 0 || g.channels % per_sample != 0) {
        return cpu_reject(reason, "the groups do not divide the channels");
    }
    g.groups = g.over_batch ? g.channels : g.batch * per_sample;
    g.members = g.over_batch ? g.batch * g.inner : g.channels / per_sample * g.inner;
    struct shape channels = {.rank = 1, .dim = {g.channels}};
    bool good = fits(&tensor[GRAD], &tensor[X], shape);
    struct cpu_view like =
        tensor[X]; /* parameters of batch_norm and instance_norm may be float32 beside 16-bit elements */
    const struct cpu_view *first = tensor[MEAN].data     ? &tensor[MEAN]
                                   : tensor[WEIGHT].data ? &tensor[WEIGHT]
                                                         : &tensor[BIAS];
    if ((kind == BATCH || (kind == INSTANCE && !gradient)) && first->data && first->dtype == DTYPE_FLOAT32 &&
        dtype_info(like.dtype)->size == 2) {
        like.dtype = DTYPE_FLOAT32;
    }
    for (int k = WEIGHT; k <= VARIANCE; k++) {
        good = good && fits(&tensor[k], &like, &channels);
    }
    if (!good || !tensor[MEAN].data != !tensor[VARIANCE].data || (g.evaluates && !tensor[MEAN].data)) {
        return cpu_reject(reason, "an operand is missing or does not fit the input");
    }
    if (kind != GROUP && !g.evaluates && g.members == 1) {
        return cpu_reject(reason, "a single value per channel");
    }
    return cpu_normalize(&g, tensor, reason);
}

static const struct cpu_op ops[] = {
    {.name = "layer_norm", .variant = LAYER, .run = layer},
    {.name = "layer_norm_backward", .variant = LAYER | GRADIENT, .run = layer},
    {.name = "rms_norm", .variant = RMS, .run = layer},
    {.name = "rms_norm_backward", .variant = RMS | GRADIENT, .run = layer},
    {.name = "group_norm", .variant = GROUP, .run = channelled},
    {.name = "group_norm_backward", .variant = GROUP | GRADIENT, .run = channelled},
    {.name = "instance_norm", .variant = INSTANCE, .run = channelled},
    {.name = "instance_norm_backward", .variant = INSTANCE | GRADIENT, .run = channelled},
    {.name = "batch_norm", .variant = BATCH, .run = channelled},
    {.name = "batch_norm_backward", .variant = BATCH | GRADIENT, .run = channelled},
};

const struct cpu_op_set cpu_op_set_normalization = {.op = ops, .count = sizeof ops / sizeof *ops};
