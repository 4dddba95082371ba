/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* layer_norm, rms_norm and their gradients.
 *
 * Definition: PyTorch torch.nn.functional.layer_norm(input, normalized_shape, weight=None, bias=None,
 * eps=1e-5) and rms_norm(input, normalized_shape, weight=None, eps). The gradients recompute the statistics
 * from input: [grad_out, input, weight?] → dx, and where there is a weight dweight, and for layer_norm dbias.
 * Where eps is left out it is 1e-5. Truth and bound: reference/normalization.h. */

#include "reference/normalization.h"

#include <string.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

static bool is_gradient(const struct op *op)
{
    return strstr(op->name, "_backward") != NULL;
}

static bool is_centred(const struct op *op)
{
    return strncmp(op->name, "layer", 5) == 0;
}

static double eps_of(const struct attributes *attributes)
{
    return attributes_real(attributes, "eps", 1e-5);
}

static bool is_tail(const struct shape *tail, const struct shape *of)
{
    for (int d = 0; d < tail->rank; d++) {
        if (tail->rank > of->rank || tail->dim[d] != of->dim[of->rank - tail->rank + d]) {
            return false;
        }
    }
    return tail->rank > 0;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    bool gradient = is_gradient(op);
    const struct view *x = &operands->input[gradient];
    const struct shape *normalized = attributes_integers(operands->attributes, "normalized_shape");
    *out = (struct op_signature){.outputs = 1};
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (!normalized || !is_tail(normalized, &x->shape)) {
        return error_set(reason, "%s: normalized_shape must be the input's last dimensions", op->name);
    }
    if (gradient &&
        (operands->input[0].dtype != x->dtype || !shape_equal(&operands->input[0].shape, &x->shape))) {
        return error_set(reason, "%s: grad_out must have the input's dtype and shape", op->name);
    }
    bool affine = false;
    for (int i = gradient + 1; i < operands->inputs; i++) {
        const struct view *parameter = &operands->input[i];
        if (parameter->storage < 0) {
            continue;
        }
        affine = affine || i == gradient + 1;
        if (parameter->dtype != x->dtype || !shape_equal(&parameter->shape, normalized)) {
            return error_set(reason, "%s: weight and bias must have normalized_shape and the input's dtype",
                             op->name);
        }
    }
    out->output[0].dtype = x->dtype;
    out->output[0].shape = x->shape;
    if (gradient && affine) {
        out->outputs = is_centred(op) ? 3 : 2;
        for (int o = 1; o < out->outputs; o++) {
            out->output[o].dtype = x->dtype;
            out->output[o].shape = *normalized;
        }
    }
    return true;
}

static const struct tensor *input_or_none(const struct op_call *call, int i)
{
    return i < call->inputs && !tensor_absent(&call->input[i]) ? &call->input[i] : NULL;
}

static struct normalization describe(const struct op_call *call)
{
    const struct shape *normalized = attributes_integers(call->attributes, "normalized_shape");
    bool gradient = is_gradient(call->op);
    struct normalization n = {.centred = is_centred(call->op),
                              .channels = shape_elements(normalized),
                              .inner = 1,
                              .batch = 1,
                              .groups_per_sample = 1,
                              .eps = eps_of(call->attributes),
                              .x = &call->input[gradient],
                              .grad = gradient ? &call->input[0] : NULL,
                              .weight = input_or_none(call, gradient + 1),
                              .bias = gradient ? NULL : input_or_none(call, 2)};
    for (int d = 0; d < n.x->shape.rank - normalized->rank; d++) {
        n.batch *= n.x->shape.dim[d];
    }
    return n;
}

static int sensitivities(const struct op_call *call, int output)
{
    static const int of_gradient[] = {GRADIENT_SENSITIVITIES, CHANNEL_SENSITIVITIES, BIAS_SENSITIVITIES};
    return is_gradient(call->op) ? of_gradient[output] : FORWARD_SENSITIVITIES;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct normalization n = describe(call);
    struct truth_output *out = truth->output;
    return n.grad ? normalization_gradient_truth(&n, &out[0], truth->outputs > 1 ? &out[1] : NULL,
                                                 truth->outputs > 2 ? &out[2] : NULL, &truth->bits, error)
                  : normalization_truth(&n, &out[0], &truth->bits, error);
}

static double bound(const struct bound_query *query)
{
    bool centred = is_centred(query->op);
    double eps = eps_of(query->attributes);
    if (!is_gradient(query->op)) {
        return normalization_bound(query, centred, eps);
    }
    return query->output == 0   ? normalization_gradient_bound(query, centred, eps)
           : query->output == 1 ? normalization_weight_bound(query, centred)
                                : normalization_bias_bound(query);
}

static void accept(const struct bound_query *query, struct accept *accept)
{
    normalization_accept(query, bound(query), accept);
}

#define OPERATOR(name_, inputs_, outputs_)                                                                   \
    {                                                                                                        \
        .family = "norm", .name = name_, .inputs_min = 1, .inputs_max = inputs_, .outputs = outputs_,        \
        .attributes = {"normalized_shape", "eps"}, .dtypes = DTYPES, .costly = true, .signature = signature, \
        .truth = truth, .sensitivities = sensitivities, .bound = bound, .accept = accept                     \
    }

static const struct op ops[] = {OPERATOR("layer_norm", 3, 1), OPERATOR("rms_norm", 2, 1),
                                OPERATOR("layer_norm_backward", 3, 3), OPERATOR("rms_norm_backward", 3, 2)};

const struct op_set op_set_layer_norm = {.op = ops, .count = sizeof ops / sizeof *ops};
