/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/quantization/quantization_parts.h"

void quantization_limits(const struct attributes *attributes, enum dtype to, int64_t *least, int64_t *most)
{
    bool is_signed = dtype_info(to)->kind == KIND_SIGNED;
    int bits = 8 * (int)dtype_info(to)->size;
    *least = attributes_integer(attributes, "quant_min", is_signed ? -(INT64_C(1) << (bits - 1)) : 0);
    *most = attributes_integer(attributes, "quant_max", (INT64_C(1) << (bits - is_signed)) - 1);
}

/* --- shapes */

/* Returns the operand that is scaled. */
static int scaled_input(const struct op *op)
{
    return quantization_action(op) == FAKE_QUANTIZE_BACKWARD;
}

static bool check_tensor(const struct op *op, const struct attributes *a, struct error *reason)
{
    double scale = attributes_real(a, "scale", NAN);
    return (scale > 0 && isfinite(scale)) ||
           error_set(reason, "%s: scale must be a positive number", op->name);
}

/* Returns the dimension of the channels; −1 if `axis` is out of range. */
static int axis_of(const struct attributes *a, int rank)
{
    int64_t axis = attributes_integer(a, "axis", 0);
    return axis < -rank || axis >= rank ? -1 : (int)(axis < 0 ? axis + rank : axis);
}

static bool check_parameters(const struct op *op, const struct op_operands *operands, struct error *reason)
{
    const struct view *x = &operands->input[scaled_input(op)];
    const struct view *scales = &operands->input[operands->inputs - 2], *zeros = scales + 1;
    struct shape wanted = {.rank = 1};
    if (scales->dtype != DTYPE_FLOAT32 || zeros->dtype != DTYPE_INT32) {
        return error_set(reason, "%s: scales are float32, zero points int32", op->name);
    }
    if (quantization_grain(op) == GRAIN_CHANNEL) {
        int axis = axis_of(operands->attributes, x->shape.rank);
        if (axis < 0) {
            return error_set(reason, "%s: axis is out of range", op->name);
        }
        wanted.dim[0] = x->shape.dim[axis];
    } else {
        int64_t block = attributes_integer(operands->attributes, "block_size", 0);
        if (x->shape.rank == 0 || block < 1 || x->shape.dim[x->shape.rank - 1] % block != 0) {
            return error_set(reason, "%s: block_size must divide the last dimension", op->name);
        }
        wanted = x->shape;
        wanted.dim[wanted.rank - 1] /= block;
    }
    return (shape_equal(&scales->shape, &wanted) && shape_equal(&zeros->shape, &wanted)) ||
           error_set(reason, "%s: there must be a scale and a zero point of each %s", op->name,
                     quantization_grain(op) == GRAIN_CHANNEL ? "channel" : "block");
}

static bool check_limits(const struct op *op, const struct attributes *a, enum dtype to, struct error *reason)
{
    int64_t least, most, low, high, zero = attributes_integer(a, "zero_point", 0);
    quantization_limits(a, to, &least, &most);
    if (least > most) {
        return error_set(reason, "%s: quant_min must not be greater than quant_max", op->name);
    }
    if (quantization_action(op) == QUANTIZE) {
        quantization_limits(&(struct attributes){.count = 0}, to, &low, &high);
        if (least < low || most > high) {
            return error_set(reason, "%s: quant_min and quant_max must be numbers of %s", op->name,
                             dtype_info(to)->name);
        }
    }
    if (quantization_grain(op) == GRAIN_TENSOR && (zero < least || zero > most)) {
        return error_set(reason, "%s: zero_point must be between quant_min and quant_max", op->name);
    }
    return true;
}

bool quantization_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                            struct error *reason)
{
    enum quantization_action action = quantization_action(op);
    const struct view *leading = &operands->input[0], *x = &operands->input[scaled_input(op)];
    enum dtype to = action == QUANTIZE
                        ? (enum dtype)attributes_integer(operands->attributes, "dtype", DTYPE_INT8)
                    : action == DEQUANTIZE
                        ? (enum dtype)attributes_integer(operands->attributes, "out_dtype", DTYPE_FLOAT32)
                        : leading->dtype;
    *out = (struct op_signature){.outputs = 1, .output = {{.dtype = to, .shape = x->shape}}};
    if (!(op->dtypes >> leading->dtype & 1) || x->dtype != leading->dtype) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(leading->dtype)->name);
    }
    if (!shape_equal(&leading->shape, &x->shape)) {
        return error_set(reason, "%s: grad_output must have the shape of input", op->name);
    }
    if (action == QUANTIZE && !attributes_given(operands->attributes, "dtype")) {
        return error_set(reason, "%s: names no dtype", op->name);
    }
    if (action >= FAKE_QUANTIZE && !(attributes_given(operands->attributes, "quant_min") &&
                                     attributes_given(operands->attributes, "quant_max"))) {
        return error_set(reason, "%s: names no quant_min and quant_max", op->name);
    }
    return (quantization_grain(op) == GRAIN_TENSOR ? check_tensor(op, operands->attributes, reason)
                                                   : check_parameters(op, operands, reason)) &&
           (action == DEQUANTIZE ||
            check_limits(op, operands->attributes, action == QUANTIZE ? to : DTYPE_INT32, reason));
}

/* --- truth */

double quantization_nearest(double x, double s)
{
    double ratio = x / s, n = nearbyint(ratio), end = ldexp(1, SATURATES);
    if (!(fabs(ratio) < end)) {
        return copysign(end, ratio);
    }
    /* Twice the distance of x from the midpoints above and below, with one rounding, which keeps the sign. */
    double above = fma(-(2 * n + 1), s, 2 * x), below = fma(-(2 * n - 1), s, 2 * x);
    bool odd = fmod(n, 2) != 0;
    if (above > 0 || (above == 0 && odd)) {
        return n + 1;
    }
    return below < 0 || (below == 0 && odd) ? n - 1 : n;
}

/* Returns the index of the scale and the zero point of element i. */
static int64_t parameter_of(const struct op_call *call, const struct shape *shape, int64_t i)
{
    if (quantization_grain(call->op) == GRAIN_BLOCK) {
        return i / attributes_integer(call->attributes, "block_size", 1);
    }
    int axis = axis_of(call->attributes, shape->rank);
    int64_t inner = 1;
    for (int d = axis + 1; d < shape->rank; d++) {
        inner *= shape->dim[d];
    }
    return i / inner % shape->dim[axis];
}

static void parameters(const struct op_call *call, const struct shape *shape, int64_t i, double *s, double *z)
{
    if (quantization_grain(call->op) == GRAIN_TENSOR) {
        *s = attributes_real(call->attributes, "scale", 1);
        *z = (double)attributes_integer(call->attributes, "zero_point", 0);
        return;
    }
    int64_t at = parameter_of(call, shape, i);
    *s = tensor_component(&call->input[call->inputs - 2], at);
    *z = tensor_component(&call->input[call->inputs - 1], at);
}

static struct value true_of(const struct op_call *call, enum dtype dtype, double x, const double *known)
{
    int64_t least, most;
    enum quantization_action action = quantization_action(call->op);
    quantization_limits(call->attributes, action == QUANTIZE ? dtype : DTYPE_INT32, &least, &most);
    if (action == DEQUANTIZE) {
        return quantization_product(known[RATIO], known[SCALE]);
    }
    if (isnan(known[RATIO])) { /* any result is right: see quantization_accept */
        return value_of(action == FAKE_QUANTIZE_BACKWARD ? known[NUMBER] : 0);
    }
    double n =
        (isinf(x) ? copysign(ldexp(1, SATURATES), x) : quantization_nearest(x, known[SCALE])) + known[ZERO];
    double q = quantization_clamped(n, (double)least, (double)most);
    return action == QUANTIZE        ? value_of(q)
           : action == FAKE_QUANTIZE ? quantization_product(q - known[ZERO], known[SCALE])
                                     : value_of(q == n ? known[NUMBER] : 0);
}

bool quantization_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    const struct tensor *input = &call->input[scaled_input(call->op)];
    for (int64_t i = 0; i < out->elements; i++) {
        double *known = &out->sensitivity[i * SENSITIVITIES], x = tensor_component(input, i);
        parameters(call, &out->shape, i, &known[SCALE], &known[ZERO]);
        known[NUMBER] = tensor_component(&call->input[0], i);
        bool sound = known[SCALE] > 0 && isfinite(known[SCALE]); /* PyTorch does not define results for other
                                                                    scales */
        known[RATIO] = quantization_action(call->op) == DEQUANTIZE ? x - known[ZERO]
                       : sound                                     ? x / known[SCALE]
                                                                   : NAN;
        out->value[i] = true_of(call, out->dtype, x, known);
    }
    return true;
}

int quantization_sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return SENSITIVITIES;
}
