/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The operations of a gradient scaler with its state in explicit tensors: amp_scale, amp_unscale, amp_step,
 * amp_update_scale.
 *
 * Definition: PyTorch torch.amp.GradScaler and the two operators behind it,
 * _amp_foreach_non_finite_check_and_unscale_ and _amp_update_scale_.
 *
 *   - amp_scale [x, scale]: x·scale, in float32 for 16-bit x (promotion with a float32 tensor).
 *   - amp_unscale [grad…, found_inf, inv_scale]: every grad ← grad·inv_scale; found_inf ← 1 if any element of
 *     any grad was infinite or NaN before; otherwise found_inf is unchanged.
 *   - amp_step [param, grad, found_inf] {lr}: param ← param − lr·grad unless found_inf is set (SGD, skipped).
 *   - amp_update_scale [scale, growth_tracker, found_inf] {growth_factor, backoff_factor, growth_interval}:
 *     if found_inf is not 0, scale ← scale·backoff_factor and tracker ← 0. Else tracker ← tracker + 1; if it
 *     reaches growth_interval, scale ← scale·growth_factor unless that is infinite, and tracker ← 0.
 *
 * scale, inv_scale and found_inf are float32 tensors of one element, growth_tracker is int32.
 *
 * Truth: products and sums are exact as double-doubles or in MPFR. Error bound: one rounding of each result.
 * A 16-bit grad is multiplied in float32 first: one more rounding, unless float32 holds the product. lr and
 * the factors may be rounded to float32 first: one more rounding, unless they are float32 numbers. amp_step
 * is judged as add_ in reference/ops/inplace/inplace.c. Sensitivity: the magnitude that is rounded once more.
 * For amp_unscale: [0] if products are computed in float32, [1] if they are computed in the grad's own dtype,
 * to which inv_scale may have to be rounded. */

#include "reference/numeric/exact/exact_fma.h"
#include "reference/numeric/round_up.h"
#include "reference/operator/op.h"

#include <math.h>

enum { FLOATS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

static bool is_scalar(const struct op *op, const struct view *view, enum dtype dtype, const char *name,
                      struct error *reason)
{
    return (view->dtype == dtype && shape_elements(&view->shape) == 1) ||
           error_set(reason, "%s: %s must be one %s, of shape [] or [1]", op->name, name,
                     dtype_info(dtype)->name);
}

static bool is_real(const struct op *op, const struct view *view, struct error *reason)
{
    return (op->dtypes >> view->dtype & 1) ||
           error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(view->dtype)->name);
}

/* x·factor, exact: as a double-double for float64, else a double, which holds the product. A zero keeps its
 * sign. */
static struct value product_of(enum dtype dtype, double x, double factor)
{
    return dtype == DTYPE_FLOAT64 && isfinite(x * factor) && x * factor != 0 ? exact_fma(0, x, factor)
                                                                             : value_of(x * factor);
}

static int one_sensitivity(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return 1;
}

/* IN_FLOAT32: |grad·inv_scale| if float32 does not hold the product, else 0. IN_OWN_TYPE: |grad·inv_scale| if
 * the grad's dtype does not hold inv_scale, else 0. */
enum { IN_FLOAT32, IN_OWN_TYPE, UNSCALE_SENSITIVITIES };

static int unscale_sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return UNSCALE_SENSITIVITIES;
}

/* --- scale */

static bool scale_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                            struct error *reason)
{
    const struct view *x = &operands->input[0];
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = x->dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
    out->output[0].shape = x->shape;
    return is_real(op, x, reason) && is_scalar(op, &operands->input[1], DTYPE_FLOAT32, "scale", reason);
}

static bool scale_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    double scale = tensor_component(&call->input[1], 0);
    for (int64_t i = 0; i < out->elements; i++) {
        out->value[i] = product_of(out->dtype, tensor_component(&call->input[0], i), scale);
    }
    return true;
}

/* --- unscale */

static bool unscale_signature(const struct op *op, const struct op_operands *operands,
                              struct op_signature *out, struct error *reason)
{
    int grads = operands->inputs - 2;
    *out = (struct op_signature){.outputs = 0};
    for (int g = 0; g < grads; g++) {
        if (!is_real(op, &operands->input[g], reason)) {
            return false;
        }
        if (operands->input[g].dtype != operands->input[0].dtype) {
            return error_set(reason, "%s: all grads must have the same dtype", op->name);
        }
    }
    return is_scalar(op, &operands->input[grads], DTYPE_FLOAT32, "found_inf", reason) &&
           is_scalar(op, &operands->input[grads + 1], DTYPE_FLOAT32, "inv_scale", reason);
}

static bool unscale_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    int grads = call->inputs - 2;
    double inverse = tensor_component(&call->input[grads + 1], 0);
    double found = tensor_component(&call->input[grads], 0);
    for (int g = 0; g < grads; g++) {
        struct truth_output *out = &truth->output[g];
        for (int64_t i = 0; i < out->elements; i++) {
            double x = tensor_component(&call->input[g], i);
            found = isfinite(x) ? found : 1;
            out->value[i] = product_of(out->dtype, x, inverse);
            bool fits = out->dtype == DTYPE_FLOAT64 || dtype_holds(DTYPE_FLOAT32, x * inverse);
            double magnitude = round_up_product(fabs(x), fabs(inverse));
            double *s = &out->sensitivity[UNSCALE_SENSITIVITIES * i];
            s[IN_FLOAT32] = fits ? 0 : magnitude;
            s[IN_OWN_TYPE] = dtype_holds(out->dtype, inverse) ? 0 : magnitude;
        }
    }
    truth->output[grads].value[0] = value_of(found);
    return true;
}

static double unscale_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    const double *s = &out->sensitivity[UNSCALE_SENSITIVITIES * query->element];
    double rounded = s[accumulate == out->dtype ? IN_OWN_TYPE : IN_FLOAT32];
    if (rounded == 0 || !isfinite(rounded)) {
        return 0;
    }
    return profile_accumulate_roundoff(query->profile, out->dtype) * rounded +
           profile_underflow_unit(query->profile, accumulate);
}

/* True if only the result is rounded: the product is exact in the dtype in which it is computed, or this is
 * the grad's dtype, which holds inv_scale. */
static bool unscale_rounds_once(const struct bound_query *query)
{
    return unscale_bound(query) == 0;
}

/* --- step */

static bool step_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                           struct error *reason)
{
    const struct view *param = &operands->input[0], *grad = &operands->input[1];
    *out = (struct op_signature){.outputs = 0};
    if (!is_real(op, param, reason)) {
        return false;
    }
    if (grad->dtype != param->dtype || !shape_equal(&grad->shape, &param->shape)) {
        char wanted[SHAPE_TEXT];
        shape_print(&param->shape, wanted, sizeof wanted);
        return error_set(reason, "%s: grad must be %s %s, as param is", op->name,
                         dtype_info(param->dtype)->name, wanted);
    }
    return is_scalar(op, &operands->input[2], DTYPE_FLOAT32, "found_inf", reason);
}

static bool step_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    bool skipped = tensor_component(&call->input[2], 0) != 0; /* NaN, too */
    double lr = attributes_real(call->attributes, "lr", 0);
    for (int64_t i = 0; i < out->elements; i++) {
        double param = tensor_component(&call->input[0], i), grad = tensor_component(&call->input[1], i);
        out->value[i] = skipped ? value_of(param) : exact_fma(param, -lr, grad);
        out->sensitivity[i] = skipped ? 0 : round_up_product(fabs(lr), fabs(grad));
    }
    return true;
}

static double step_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double product = out->sensitivity[query->element];
    if (query->exact || product == 0 || out->value[query->element].class != VALUE_FINITE) {
        return 0;
    }
    bool fits = dtype_holds(accumulate, attributes_real(query->attributes, "lr", 0));
    double u = profile_accumulate_roundoff(query->profile, out->dtype);
    double error = (fits ? 1 : 2) * u * product + profile_underflow_unit(query->profile, accumulate);
    if (accumulate != out->dtype) {
        error += u * fabs(value_approximately(&out->value[query->element]));
    }
    return error;
}

/* True if lr·grad may overflow although the new param need not, as alpha·other of add_. */
static bool step_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    double product = out->sensitivity[query->element];
    return value->class != VALUE_NAN && product > dtype_max(query->profile->accumulate[out->dtype]) &&
           (isfinite(product) || value->class == VALUE_FINITE); /* not for an infinite grad */
}

/* --- update */

static bool update_signature(const struct op *op, const struct op_operands *operands,
                             struct op_signature *out, struct error *reason)
{
    *out = (struct op_signature){.outputs = 0};
    return is_scalar(op, &operands->input[0], DTYPE_FLOAT32, "scale", reason) &&
           is_scalar(op, &operands->input[1], DTYPE_INT32, "growth_tracker", reason) &&
           is_scalar(op, &operands->input[2], DTYPE_FLOAT32, "found_inf", reason);
}

static bool update_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    double scale = tensor_component(&call->input[0], 0), factor = 1;
    int64_t tracker = (int64_t)tensor_component(&call->input[1], 0) + 1;
    if (tensor_component(&call->input[2], 0) != 0) {
        factor = attributes_real(call->attributes, "backoff_factor", 0.5);
        tracker = 0;
    } else if (tracker == attributes_integer(call->attributes, "growth_interval", 2000)) {
        factor = attributes_real(call->attributes, "growth_factor", 2);
        factor = isfinite((float)(scale * factor)) ? factor : 1;
        tracker = 0;
    }
    truth->output[0].value[0] = product_of(DTYPE_FLOAT64, scale, factor);
    truth->output[0].sensitivity[0] =
        dtype_holds(DTYPE_FLOAT32, factor) ? 0 : round_up_product(fabs(scale), fabs(factor));
    truth->output[1].value[0] = value_of((double)tracker);
    truth->output[1].sensitivity[0] = 0;
    return true;
}

static double update_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    double rounded = out->sensitivity[query->element];
    return rounded == 0 ? 0 : profile_unit_roundoff(query->profile, DTYPE_FLOAT32) * rounded;
}

static const struct op ops[] = {
    {.family = "amp",
     .name = "amp_scale",
     .operands = {{"input", OPERAND_READ}, {"scale", OPERAND_READ}},
     .outputs = 1,
     .dtypes = FLOATS,
     .signature = scale_signature,
     .truth = scale_truth,
     .one_rounding = op_rounds_once},
    {.family = "amp",
     .name = "amp_unscale",
     .operands = {{"grad", OPERAND_MUTATED | OPERAND_VARIADIC},
                  {"found_inf", OPERAND_MUTATED},
                  {"inv_scale", OPERAND_READ}},
     .dtypes = FLOATS,
     .signature = unscale_signature,
     .truth = unscale_truth,
     .sensitivities = unscale_sensitivities,
     .bound = unscale_bound,
     .one_rounding = unscale_rounds_once},
    {.family = "amp",
     .name = "amp_step",
     .operands = {{"param", OPERAND_MUTATED}, {"grad", OPERAND_READ}, {"found_inf", OPERAND_READ}},
     .attributes = {{"lr", ATTRIBUTE_REAL}},
     .dtypes = FLOATS,
     .signature = step_signature,
     .truth = step_truth,
     .sensitivities = one_sensitivity,
     .bound = step_bound,
     .may_overflow = step_may_overflow},
    {.family = "amp",
     .name = "amp_update_scale",
     .operands = {{"scale", OPERAND_MUTATED},
                  {"growth_tracker", OPERAND_MUTATED},
                  {"found_inf", OPERAND_READ}},
     .attributes = {{"growth_factor", ATTRIBUTE_REAL},
                    {"backoff_factor", ATTRIBUTE_REAL},
                    {"growth_interval", ATTRIBUTE_INTEGER}},
     .dtypes = 1U << DTYPE_FLOAT32,
     .signature = update_signature,
     .truth = update_truth,
     .sensitivities = one_sensitivity,
     .bound = update_bound},
};

const struct op_set op_set_amp = {.op = ops, .count = sizeof ops / sizeof *ops};
