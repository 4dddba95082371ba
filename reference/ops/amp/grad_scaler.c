/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* grad_scaler: the effect of a sequence of calls of a gradient scaler with an optimizer, and the sequences
 * that must be rejected.
 *
 * grad_scaler [param, grad, param, grad, …, scale, growth_tracker] {calls, lr, growth_factor, backoff_factor,
 * growth_interval}. `calls` lists, for one optimizer (SGD) over all params: 0 unscale_, 1 step, 2 update. All
 * operands are overwritten.
 *
 * Definition: PyTorch torch.amp.GradScaler.
 *   unscale_: found_inf ← true if an element of any grad is infinite or NaN; every grad ← grad·(1/scale).
 *     Legal once between two updates, and not after step.
 *   step: unscale_, unless it was called; then param ← param − lr·grad for all params, or for none if
 *     found_inf. Legal once between two updates.
 *   update: as amp_update_scale (amp.c). Legal only after unscale_ or step.
 * float16 grads must be rejected: they would be unscaled in the range of float16.
 *
 * Truth: scale and factors must be powers of two, so that 1/scale is exact. Then grads are products by a
 * power of two, and params are exact sums, computed in MPFR. Error bound: grads have errors only if they are
 * subnormal; params have one rounding of the accumulating dtype for each product, for lr unless that dtype
 * holds it, and for the sum of each step; and one rounding of their own dtype for the result of each step
 * except the last. Sensitivities: [0] the sum of magnitudes of the products, [1] of the results of steps
 * except the last, [2] the number of roundings of subnormals, times |lr| for params. */

#include "reference/numeric/round_up.h"
#include "reference/operator/op.h"

#include <math.h>

enum { EXACT_BITS = 4500 };
enum call { UNSCALE, STEP, UPDATE };
enum sensitivity { PRODUCTS, STORED, LOST, SENSITIVITIES };

/* The effect of each call of a sequence, given whether grads are infinite. */
struct replay {
    int calls;
    struct {
        bool unscales, steps; /* a step that is not skipped */
        double factor;        /* 1/scale at an unscale_ */
    } call[INTEGERS_MAX];
    double scale;
    int64_t tracker;
};

static const char *const refused[] = {"unscale_ was called already, or step, since the last update",
                                      "step was called already since the last update",
                                      "update without unscale_ or step since the last one"};

static bool sequence_is_legal(const struct op *op, const struct integers *calls, struct error *reason)
{
    enum { READY, UNSCALED, STEPPED } stage = READY;
    for (int c = 0; c < calls->count; c++) {
        if (calls->item[c] < UNSCALE || calls->item[c] > UPDATE) {
            return error_set(reason, "%s: call %d: %lld is none of 0 (unscale_), 1 (step), 2 (update)",
                             op->name, c + 1, (long long)calls->item[c]);
        }
        bool legal = calls->item[c] == UNSCALE ? stage == READY
                     : calls->item[c] == STEP  ? stage != STEPPED
                                               : stage != READY;
        if (!legal) {
            return error_set(reason, "%s: call %d: %s", op->name, c + 1, refused[calls->item[c]]);
        }
        stage = calls->item[c] == UNSCALE ? UNSCALED : calls->item[c] == STEP ? STEPPED : READY;
    }
    return true;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct integers *calls = attributes_integers(operands->attributes, "calls");
    const struct view *input = operands->input;
    int tensors = operands->inputs - 2;
    *out = (struct op_signature){.outputs = 0};
    if (tensors % 2) {
        return error_set(reason, "%s takes pairs of param and grad, then scale and growth_tracker", op->name);
    }
    for (int t = 0; t < tensors; t++) {
        if (!(op->dtypes >> input[t].dtype & 1) || input[t].dtype != input[0].dtype) {
            return error_set(reason, "%s: params and grads must all be float32 or all float64", op->name);
        }
        if (t % 2 && !shape_equal(&input[t].shape, &input[t - 1].shape)) {
            char wanted[SHAPE_TEXT];
            shape_print(&input[t - 1].shape, wanted, sizeof wanted);
            return error_set(reason, "%s: grad %d must be %s, as its param is", op->name, t / 2, wanted);
        }
    }
    for (int s = tensors; s < tensors + 2; s++) {
        enum dtype dtype = s == tensors ? DTYPE_FLOAT32 : DTYPE_INT32;
        if (input[s].dtype != dtype || shape_elements(&input[s].shape) != 1) {
            return error_set(reason, "%s: %s must be one %s, of shape [] or [1]", op->name,
                             s == tensors ? "scale" : "growth_tracker", dtype_info(dtype)->name);
        }
    }
    return calls && calls->count > 0 ? sequence_is_legal(op, calls, reason)
                                     : error_set(reason, "%s: calls are missing", op->name);
}

static bool is_power_of_two(double x)
{
    int exponent;
    return x > 0 && isfinite(x) && frexp(x, &exponent) == 0.5;
}

/* x·factor for a power of two, infinite if it overflows the dtype. */
static double scaled(enum dtype dtype, double x, double factor)
{
    double product = x * factor;
    return fabs(product) > dtype_max(dtype) ? copysign(INFINITY, product) : product;
}

/* True if any grad is infinite or NaN after `calls` calls. */
static bool any_infinite(const struct op_call *call, const struct replay *replay, int calls)
{
    for (int t = 1; t < call->inputs - 2; t += 2) {
        for (int64_t i = 0; i < shape_elements(&call->input[t].shape); i++) {
            double grad = tensor_component(&call->input[t], i);
            for (int c = 0; c < calls; c++) {
                grad = replay->call[c].unscales ? scaled(call->input[t].dtype, grad, replay->call[c].factor)
                                                : grad;
            }
            if (!isfinite(grad)) {
                return true;
            }
        }
    }
    return false;
}

static void update(const struct attributes *attributes, bool found, struct replay *replay)
{
    double grown = replay->scale * attributes_real(attributes, "growth_factor", 2);
    replay->tracker++;
    if (found) {
        replay->scale *= attributes_real(attributes, "backoff_factor", 0.5);
        replay->tracker = 0;
    } else if (replay->tracker == attributes_integer(attributes, "growth_interval", 2000)) {
        replay->scale = grown <= dtype_max(DTYPE_FLOAT32) ? grown : replay->scale;
        replay->tracker = 0;
    }
}

static bool replay_calls(const struct op_call *call, struct replay *replay, struct error *error)
{
    const struct integers *calls = attributes_integers(call->attributes, "calls");
    const double factors[] = {tensor_component(&call->input[call->inputs - 2], 0),
                              attributes_real(call->attributes, "growth_factor", 2),
                              attributes_real(call->attributes, "backoff_factor", 0.5)};
    for (int k = 0; k < 3; k++) {
        if (!is_power_of_two(factors[k])) {
            return error_set(error,
                             "the reference of grad_scaler knows scales and factors that are powers of "
                             "two, not %g; take amp_unscale and amp_update_scale",
                             factors[k]);
        }
    }
    *replay = (struct replay){.calls = calls->count,
                              .scale = factors[0],
                              .tracker = (int64_t)tensor_component(&call->input[call->inputs - 1], 0)};
    bool unscaled = false, found = false;
    for (int c = 0; c < calls->count; c++) {
        if (calls->item[c] == UPDATE) {
            update(call->attributes, found, replay);
            unscaled = false;
            continue;
        }
        if (!unscaled) {
            found = any_infinite(call, replay, c);
            replay->call[c].unscales = unscaled = true;
            replay->call[c].factor = 1 / replay->scale;
        }
        replay->call[c].steps = calls->item[c] == STEP && !found;
    }
    return true;
}

/* Computes element i of a param and its grad after all calls. */
static void one(const struct op_call *call, const struct replay *replay, double lr, int64_t i,
                struct truth_output *param, struct truth_output *grad)
{
    enum dtype dtype = param->dtype;
    double p = tensor_component(&call->input[0], i), g = tensor_component(&call->input[1], i);
    double products = 0, stored = 0, last = 0, lost = 0;
    mpfr_t sum, product;
    mpfr_init2(sum, EXACT_BITS);
    mpfr_init2(product, 2 * 53);
    mpfr_set_d(sum, p, MPFR_RNDN);
    for (int c = 0; c < replay->calls; c++) {
        if (replay->call[c].unscales) {
            g = scaled(dtype, g, replay->call[c].factor);
            lost += !dtype_holds(dtype, g);
        }
        if (replay->call[c].steps) {
            mpfr_set_d(product, -lr, MPFR_RNDN);
            mpfr_mul_d(product, product, g, MPFR_RNDN);
            mpfr_add(sum, sum, product, MPFR_RNDN);
            products = round_up_sum(products, round_up_product(fabs(lr), fabs(g)));
            stored = round_up_sum(stored, last);
            p -= lr * g; /* used only if the result is 0 or not finite */
            last = fabs(mpfr_get_d(sum, MPFR_RNDA));
        }
    }
    param->value[i] = !mpfr_number_p(sum) ? value_of(p)
                      : mpfr_zero_p(sum)  ? value_of(p == 0 ? p : 0)
                                          : value_from_mpfr(sum, true);
    double *s = &param->sensitivity[SENSITIVITIES * i], *t = &grad->sensitivity[SENSITIVITIES * i];
    s[PRODUCTS] = products;
    s[STORED] = stored;
    s[LOST] = round_up_product(fabs(lr), lost);
    grad->value[i] = value_of(g);
    t[LOST] = lost;
    mpfr_clears(sum, product, (mpfr_ptr)0);
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct replay replay = {.calls = 0};
    if (!replay_calls(call, &replay, error)) {
        return false;
    }
    int tensors = call->inputs - 2;
    for (int t = 0; t < tensors; t += 2) {
        struct op_call pair = *call;
        pair.input = &call->input[t];
        for (int64_t i = 0; i < truth->output[t].elements; i++) {
            one(&pair, &replay, attributes_real(call->attributes, "lr", 0), i, &truth->output[t],
                &truth->output[t + 1]);
        }
    }
    truth->output[tensors].value[0] = value_of(replay.scale);
    truth->output[tensors + 1].value[0] = value_of((double)replay.tracker);
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return SENSITIVITIES;
}

static double bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = &out->sensitivity[SENSITIVITIES * query->element];
    const struct value *value = &out->value[query->element];
    bool rounds = s[PRODUCTS] != 0 || s[LOST] != 0;
    if (query->exact || !rounds || value->class != VALUE_FINITE) {
        return 0;
    }
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double u = profile_accumulate_roundoff(query->profile, out->dtype);
    int count = dtype_holds(accumulate, attributes_real(query->attributes, "lr", 0)) ? 1 : 2;
    double error = u * count * s[PRODUCTS] + profile_unit_roundoff(query->profile, out->dtype) * s[STORED];
    if (accumulate != out->dtype && s[PRODUCTS] != 0) {
        error += u * (s[STORED] + fabs(value_approximately(value)));
    }
    int calls = attributes_integers(query->attributes, "calls")->count;
    return error + (calls + s[LOST]) * profile_underflow_unit(query->profile, out->dtype);
}

/* True if lr·grad may overflow although the param need not; lr is an attribute. */
static bool may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    double max = dtype_max(query->profile->accumulate[out->dtype]);
    return out->value[query->element].class != VALUE_NAN &&
           out->sensitivity[SENSITIVITIES * query->element + PRODUCTS] > max;
}

static const struct op ops[] = {
    {.family = "amp",
     .name = "grad_scaler",
     .operands = {{"param", OPERAND_MUTATED | OPERAND_VARIADIC},
                  {"grad", OPERAND_MUTATED | OPERAND_VARIADIC},
                  {"scale", OPERAND_MUTATED},
                  {"growth_tracker", OPERAND_MUTATED}},
     .attributes = {{"calls", ATTRIBUTE_INTEGERS},
                    {"lr", ATTRIBUTE_REAL},
                    {"growth_factor", ATTRIBUTE_REAL},
                    {"backoff_factor", ATTRIBUTE_REAL},
                    {"growth_interval", ATTRIBUTE_INTEGER}},
     .dtypes = 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .bound = bound,
     .may_overflow = may_overflow},
};

const struct op_set op_set_grad_scaler = {.op = ops, .count = sizeof ops / sizeof *ops};
