/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* int_mm [input, mat2], int8_linear [input, weight, input_scale, weight_scales]: products of int8 in int32.
 *
 * int_mm: PyTorch torch._int_mm, [m, k] times [k, n]: sums of products of int8 as int32, exact. Sums of up to
 * 131,071 terms cannot overflow; longer sums, which no test uses, wrap modulo 2^32.
 *
 * int8_linear: a linear layer with quantized input and weight (zero points 0): [..., k] times the transposed
 * [n, k]; the int32 sums are multiplied by the scale of the input (one number) and of the weight's row. The
 * result is float32. The sum is exact. Three operations round once each: the conversion of the sum to
 * float32, which is exact for a sum of 24 bits; the first product (of both scales, or of either with the
 * sum), which is exact if a scale is a power of two; and the last product. Since the scales may be multiplied
 * first, their product should be a normal number; if it is not, every finite result is accepted. If a product
 * of two of the three factors overflows and the result does not, infinities and NaN are accepted, too.
 *
 * Sensitivities of int8_linear: [0] the number of roundings before the last one, or −1 if the product of the
 * scales is not a normal number; [1] 1 if a product of two of the three factors overflows, else 0. */

#include "reference/operator/op.h"
#include "reference/ops/matmul/matmul.h"

#include <math.h>

enum { INPUT, WEIGHT, INPUT_SCALE, WEIGHT_SCALES };
enum { ROUNDINGS, OVERFLOWS, SENSITIVITIES };

static bool is_linear(const struct op *op)
{
    return op->variant & MATMUL_LINEAR;
}

static bool check_scales(const struct op *op, const struct view *input, struct error *reason)
{
    struct shape scalar = {.rank = 0}, rows = shape_of(1, input[WEIGHT].shape.dim[0]);
    if (input[INPUT_SCALE].dtype != DTYPE_FLOAT32 || input[WEIGHT_SCALES].dtype != DTYPE_FLOAT32) {
        return error_set(reason, "%s: scales are float32", op->name);
    }
    return (shape_equal(&input[INPUT_SCALE].shape, &scalar) &&
            shape_equal(&input[WEIGHT_SCALES].shape, &rows)) ||
           error_set(reason, "%s: there must be one input_scale, and a scale of each row of weight",
                     op->name);
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *a = &operands->input[INPUT], *b = &operands->input[WEIGHT];
    bool linear = is_linear(op);
    *out = (struct op_signature){.outputs = 1, .output = {{.dtype = linear ? DTYPE_FLOAT32 : DTYPE_INT32}}};
    if (a->dtype != DTYPE_INT8 || b->dtype != DTYPE_INT8) {
        return error_set(reason, "%s: dtype %s is not supported", op->name,
                         dtype_info(a->dtype != DTYPE_INT8 ? a->dtype : b->dtype)->name);
    }
    if (b->shape.rank != 2 || a->shape.rank < 1 || (!linear && a->shape.rank != 2) ||
        a->shape.dim[a->shape.rank - 1] != b->shape.dim[linear]) {
        return error_set(reason, "%s: expected are %s", op->name,
                         linear ? "[..., k] and [n, k]" : "[m, k] and [k, n]");
    }
    out->output[0].shape = a->shape;
    out->output[0].shape.dim[a->shape.rank - 1] = b->shape.dim[!linear];
    return !linear || check_scales(op, operands->input, reason);
}

static int64_t sum_of(const struct op_call *call, int64_t row, int64_t column, int64_t k, int64_t n)
{
    const int8_t *a = (const int8_t *)call->input[INPUT].data, *b = (const int8_t *)call->input[WEIGHT].data;
    bool linear = is_linear(call->op);
    int64_t sum = 0;
    for (int64_t t = 0; t < k; t++) {
        sum += (int64_t)a[row * k + t] * b[linear ? column * k + t : t * n + column];
    }
    return sum;
}

static struct value wrapped(int64_t sum)
{
    unsigned char bytes[4];
    dtype_store_bits(DTYPE_INT32, bytes, (uint64_t)sum & UINT32_MAX);
    return value_of_integer(dtype_load_integer(DTYPE_INT32, bytes));
}

static bool is_power_of_two(double s)
{
    int exponent;
    return fabs(frexp(s, &exponent)) == 0.5;
}

/* sum·x·w as a double-double; exact, since the factors have 32, 24 and 24 bits. */
static struct value scaled(double sum, double x, double w)
{
    double both = x * w, hi = sum * both;
    return isfinite(hi) ? value_from_dd(hi, fma(sum, both, -hi)) : value_of(hi);
}

static double roundings(double sum, double x, double w)
{
    double both = fabs(x * w);
    if (!(both >= dtype_least_normal(DTYPE_FLOAT32) && both <= dtype_max(DTYPE_FLOAT32))) {
        return -1;
    }
    return !dtype_holds(DTYPE_FLOAT32, sum) + !(is_power_of_two(x) || is_power_of_two(w));
}

static bool overflows(double sum, double x, double w)
{
    const double most = dtype_max(DTYPE_FLOAT32) * (1 + dtype_unit_roundoff(DTYPE_FLOAT32) / 2);
    return isfinite(x) && isfinite(w) && fabs(sum * x * w) <= dtype_max(DTYPE_FLOAT32) &&
           (fabs(sum * x) >= most || fabs(sum * w) >= most || fabs(x * w) >= most);
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    const struct shape *a = &call->input[INPUT].shape;
    int64_t k = a->dim[a->rank - 1], n = out->shape.dim[a->rank - 1];
    for (int64_t i = 0; i < out->elements; i++) {
        struct value sum = wrapped(sum_of(call, i / n, i % n, k, n));
        if (!is_linear(call->op)) {
            out->value[i] = sum;
            continue;
        }
        double x = tensor_component(&call->input[INPUT_SCALE], 0),
               w = tensor_component(&call->input[WEIGHT_SCALES], i % n);
        out->value[i] = scaled(sum.hi, x, w);
        out->sensitivity[SENSITIVITIES * i + ROUNDINGS] = roundings(sum.hi, x, w);
        out->sensitivity[SENSITIVITIES * i + OVERFLOWS] = overflows(sum.hi, x, w);
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return is_linear(call->op) ? SENSITIVITIES : 0;
}

/* The error of the roundings before the last one, to second order. */
static double bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    double steps = out->sensitivities ? out->sensitivity[SENSITIVITIES * query->element + ROUNDINGS] : 0;
    double u = profile_accumulate_roundoff(query->profile, DTYPE_FLOAT32);
    double size = fabs(value_approximately(&out->value[query->element]));
    return steps < 0 ? INFINITY : steps * (1 + 4 * u) * u * size;
}

static bool may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    return out->sensitivities && out->sensitivity[SENSITIVITIES * query->element + OVERFLOWS] != 0;
}

static bool rounds_once(const struct bound_query *query)
{
    return bound(query) == 0 && !may_overflow(query);
}

static void accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    double error = bound(query);
    if (error > 0) {
        accept_default(accept, out->dtype, query->profile, value, error);
    } else {
        accept_rounded(accept, out->dtype, query->profile, value);
    }
    if (may_overflow(query)) {
        accept_overflowed(accept, query->profile);
    }
}

#define OP(name_, variant_, ...)                                                                             \
    {                                                                                                        \
        .family = "quantization", .name = name_, .variant = variant_, .outputs = 1,                          \
        .dtypes = 1U << DTYPE_INT8, .signature = signature, .truth = truth, .sensitivities = sensitivities,  \
        .bound = bound, .one_rounding = rounds_once, .accept = accept, .operands = __VA_ARGS__               \
    }

static const struct op ops[] = {
    OP("int_mm", 0, {{"input", OPERAND_READ}, {"mat2", OPERAND_READ}}),
    OP("int8_linear", MATMUL_LINEAR,
       {{"input", OPERAND_READ},
        {"weight", OPERAND_READ},
        {"input_scale", OPERAND_READ},
        {"weight_scales", OPERAND_READ}}),
};

const struct op_set op_set_int_mm = {.op = ops, .count = sizeof ops / sizeof *ops};
