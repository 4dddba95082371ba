/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* batch_norm and its gradient, of [batch, channels, …] with 2 to 5 dimensions.
 *
 * Definition: PyTorch torch.nn.functional.batch_norm(input, running_mean, running_var, weight=None,
 * bias=None, training=False, momentum=0.1, eps=1e-5). Training normalizes by the batch's own mean and biased
 * variance and moves the running statistics, where there are any, towards the mean and the *unbiased*
 * variance: (1 − momentum)·running + momentum·statistic, in place. Evaluation normalizes by the running
 * statistics and must leave them as they are: they are judged in either case. All operands have
 * the input's dtype, or scale, shift and running statistics are float32 beside a 16-bit input, as under
 * automatic mixed precision. The gradient is of [grad_out, input, running_mean?, running_var?, weight?] → dx,
 * and where there is a weight dweight and dbias. Must be rejected: training on a single value per channel,
 * evaluation without running statistics. Truth and bound: reference/normalization.h. */

#include "reference/bound_memo.h"
#include "reference/normalization.h"

#include <math.h>

enum { RUNNING_STATISTICS = 2, PARAMETERS = 4 };

static const char *const parameters[PARAMETERS] = {"running_mean", "running_var", "weight", "bias"};

static bool check_statistics(const struct op *op, const struct op_operands *operands, const struct view *x,
                             struct error *reason)
{
    const struct view *mean = normalization_view(op, operands, "running_mean"),
                      *variance = normalization_view(op, operands, "running_var");
    bool training = attributes_integer(operands->attributes, "training", 0) != 0;
    if (x->shape.rank < 2 || x->shape.rank > 5) {
        return error_set(reason, "%s: needs 2 to 5 dimensions [batch, channels, …]", op->name);
    }
    if (!mean != !variance) {
        return error_set(reason, "%s: one running statistic without the other", op->name);
    }
    if (!training && !mean) {
        return error_set(reason, "%s: evaluation needs running statistics", op->name);
    }
    return !training || x->shape.dim[0] * normalization_inner(&x->shape) != 1 ||
           error_set(reason, "%s: expected more than 1 value per channel when training", op->name);
}

/* What scale, shift and running statistics must have: the dtype of the first of them, which is the input's,
 * or float32 beside a 16-bit input. */
static enum dtype parameter_dtype(const struct op *op, const struct op_operands *operands, enum dtype input)
{
    bool narrow = input == DTYPE_FLOAT16 || input == DTYPE_BFLOAT16;
    for (int k = 0; k < PARAMETERS; k++) {
        const struct view *parameter = normalization_view(op, operands, parameters[k]);
        if (parameter) {
            return narrow && parameter->dtype == DTYPE_FLOAT32 ? DTYPE_FLOAT32 : input;
        }
    }
    return input;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = normalization_view(op, operands, "input");
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (!check_statistics(op, operands, x, reason) ||
        !normalization_fits(op, operands, "grad_out", x, &x->shape, reason)) {
        return false;
    }
    struct shape channels = {.rank = 1, .dim = {x->shape.dim[1]}};
    struct view parameter = *x;
    parameter.dtype = parameter_dtype(op, operands, x->dtype);
    for (int k = 0; k < PARAMETERS; k++) {
        if (!normalization_fits(op, operands, parameters[k], &parameter, &channels, reason)) {
            return false;
        }
    }
    bool affine = normalization_is_gradient(op) && normalization_view(op, operands, "weight");
    normalization_gradient_outputs(out, x, affine ? 2 : 0, &channels);
    for (int o = 1; o < out->outputs; o++) {
        out->output[o].dtype = parameter.dtype;
    }
    return true;
}

/* Judged tensors before y: the running statistics, where there are any. */
static int running_of(const struct op_call *call)
{
    bool updates = !normalization_is_gradient(call->op) && normalization_operand(call, "running_mean");
    return updates ? RUNNING_STATISTICS : 0;
}

static double momentum_of(const struct attributes *attributes)
{
    return attributes_real(attributes, "momentum", 0.1);
}

static int sensitivities(const struct op_call *call, int output)
{
    return output < running_of(call) ? RUNNING_SENSITIVITIES : normalization_op_sensitivities(call, output);
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct normalization n = normalization_of(call);
    int running = running_of(call);
    if (running) {
        double momentum = momentum_of(call->attributes);
        bool good = true;
        if (call->enclosed && !n.evaluates) {
            good = normalization_running_enclosure(&n, momentum, truth->output, &truth->bits);
        } else {
            normalization_running_truth(&n, momentum, truth->output, &truth->bits);
        }
        if (!good || !normalization_running_envelope(&n, momentum, &truth->output[0], &truth->output[1])) {
            return error_set(error, "%s: out of memory", call->op->name);
        }
    }
    return normalization_truth_behind(&n, call->enclosed, truth, &truth->output[running], error);
}

static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    if (output >= running_of(call)) {
        return normalization_op_certify(call, truth, output, element, error);
    }
    struct normalization n = normalization_of(call);
    normalization_running_certify(&n, momentum_of(call->attributes), output, element, &truth->output[output],
                                  &truth->bits);
    truth->output[output].radius[element] = 0;
    return true;
}

/* Whether a running statistic is judged: 0 the mean, 1 the variance. */
static bool of_running(const struct bound_query *query)
{
    return query->output < query->truth->outputs - 1;
}

static double bound(const struct bound_query *query)
{
    return of_running(query)
               ? normalization_running_bound(query, momentum_of(query->attributes), query->output == 1)
               : normalization_op_bound(query);
}

static bool naive_is_infinite(const struct bound_query *query)
{
    return !of_running(query) && normalization_op_naive_is_infinite(query);
}

static bool naive_escapes(const struct bound_query *query)
{
    return of_running(query) ? normalization_naive_running_escapes(query, query->output == 1)
                             : normalization_op_naive_escapes(query);
}

/* What else a running statistic may be. */
static unsigned other_running(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    if (isinf(value_approximately(&out->value[query->element]))) {
        return ACCEPT_NAN; /* an infinite mean: Welford takes inf − inf */
    }
    if (query->output == 0 || !normalization_variance_escapes(query)) {
        return 0;
    }
    double momentum = momentum_of(query->attributes);
    if (query->profile->rounding[query->profile->accumulate[out->dtype]] == ROUNDING_OPEN) {
        accept_escaped(accept, query->profile); /* MAX may stand for the infinity */
    }
    return momentum == 0 ? ACCEPT_NAN : momentum > 0 ? ACCEPT_POSITIVE_INFINITY : ACCEPT_NEGATIVE_INFINITY;
}

static void accept(const struct bound_query *query, struct accept *accept)
{
    if (!of_running(query)) {
        normalization_op_accept(query, accept);
        return;
    }
    normalization_accept(query, op_bound(query), false, accept);
    unsigned special = other_running(query, accept);
    for (int k = 0; k < accept->sets; k++) {
        accept->set[k].component[0].special |= special;
    }
}

static const struct op ops[] = {
    {.family = "norm",
     .name = "batch_norm",
     .dtypes = NORMALIZATION_DTYPES,
     .variant = NORMALIZATION_BATCH,
     .operands = {{"input", OPERAND_READ},
                  {"running_mean", OPERAND_MUTATED | OPERAND_OPTIONAL},
                  {"running_var", OPERAND_MUTATED | OPERAND_OPTIONAL},
                  {"weight", OPERAND_OPTIONAL},
                  {"bias", OPERAND_OPTIONAL}},
     .outputs = 1,
     .attributes = {{"training", ATTRIBUTE_BOOL}, {"momentum", ATTRIBUTE_REAL}, {"eps", ATTRIBUTE_REAL}},
     .defaults = {{"training", DEFAULT_VALUE, 0},
                  {"momentum", DEFAULT_VALUE, 0.1},
                  {"eps", DEFAULT_VALUE, 1e-5}},
     .signature = signature,
     .truth = truth,
     .enclose = truth,
     .certify = certify,
     .sensitivities = sensitivities,
     .bound = bound,
     .allowance = normalization_op_allowance,
     .naive_escapes = naive_escapes,
     .naive_is_infinite = naive_is_infinite,
     .naive_by_word = true,
     .accept = accept},
    {NORMALIZATION_OPERATOR, .name = "batch_norm_backward",
     .variant = NORMALIZATION_BATCH | NORMALIZATION_GRADIENT,
     .operands = {{"grad_out", OPERAND_READ},
                  {"input", OPERAND_READ},
                  {"running_mean", OPERAND_OPTIONAL},
                  {"running_var", OPERAND_OPTIONAL},
                  {"weight", OPERAND_OPTIONAL}},
     .outputs = 3, .attributes = {{"training", ATTRIBUTE_BOOL}, {"eps", ATTRIBUTE_REAL}},
     .defaults = {{"training", DEFAULT_VALUE, 0}, {"eps", DEFAULT_VALUE, 1e-5}}, .signature = signature},
};

const struct op_set op_set_batch_norm = {.op = ops, .count = sizeof ops / sizeof *ops};
