/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Callbacks of the operators that update running statistics in place, batch_norm and instance_norm, and the
 * check of their parameters. */

#include "reference/operator/bound_memo.h"
#include "reference/ops/normalization/normalization.h"

#include <math.h>

enum { RUNNING_STATISTICS = 2, PARAMETERS = 4 };

static const char *const parameters[PARAMETERS] = {"running_mean", "running_var", "weight", "bias"};

/* The dtype that scale, shift and running statistics must have: float32 if the input has 16 bits and the
 * first of them that is given is float32, else the input's dtype. */
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

bool normalization_parameters_fit(const struct op *op, const struct op_operands *operands,
                                  const struct view *x, enum dtype *dtype, struct error *reason)
{
    struct shape channels = {.rank = 1, .dim = {x->shape.dim[1]}};
    struct view parameter = *x;
    *dtype = parameter.dtype = parameter_dtype(op, operands, x->dtype);
    for (int k = 0; k < PARAMETERS; k++) {
        if (!normalization_fits(op, operands, parameters[k], &parameter, &channels, reason)) {
            return false;
        }
    }
    return true;
}

bool normalization_statistics_given(const struct op *op, const struct op_operands *operands, bool evaluates,
                                    struct error *reason)
{
    const struct view *mean = normalization_view(op, operands, "running_mean"),
                      *variance = normalization_view(op, operands, "running_var");
    if (!mean != !variance) {
        return error_set(reason, "%s: one running statistic without the other", op->name);
    }
    return !evaluates || mean || error_set(reason, "%s: evaluation needs running statistics", op->name);
}

/* The number of judged tensors before y: the running statistics, if there are any. */
static int running_of(const struct op_call *call)
{
    bool updates = !normalization_is_gradient(call->op) && normalization_operand(call, "running_mean");
    return updates ? RUNNING_STATISTICS : 0;
}

static double momentum_of(const struct attributes *attributes)
{
    return attributes_real(attributes, "momentum", 0.1);
}

int normalization_updating_sensitivities(const struct op_call *call, int output)
{
    return output < running_of(call) ? RUNNING_SENSITIVITIES : normalization_op_sensitivities(call, output);
}

bool normalization_updating_truth(const struct op_call *call, struct truth *truth, struct error *error)
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

bool normalization_updating_certify(const struct op_call *call, struct truth *truth, int output,
                                    int64_t element, struct error *error)
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

/* True if the queried output is a running statistic: 0 is the mean, 1 the variance. */
static bool of_running(const struct bound_query *query)
{
    return query->output < query->truth->outputs - 1;
}

double normalization_updating_bound(const struct bound_query *query)
{
    return of_running(query)
               ? normalization_running_bound(query, momentum_of(query->attributes), query->output == 1)
               : normalization_op_bound(query);
}

bool normalization_updating_naive_may_overflow(const struct bound_query *query)
{
    return of_running(query) ? normalization_naive_running_may_overflow(query, query->output == 1)
                             : normalization_op_naive_may_overflow(query);
}

bool normalization_updating_naive_is_infinite(const struct bound_query *query)
{
    return !of_running(query) && normalization_op_naive_is_infinite(query);
}

/* The special values that are accepted for a running statistic besides its truth. */
static unsigned other_running(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    if (isinf(value_approximately(&out->value[query->element]))) {
        return ACCEPT_NAN; /* an infinite mean: Welford's form computes inf − inf */
    }
    double momentum = momentum_of(query->attributes);
    if (query->output == 0 || !normalization_variance_may_overflow(query, momentum)) {
        return 0;
    }
    if (query->profile->rounding[query->profile->accumulate[out->dtype]] == ROUNDING_OPEN) {
        accept_overflowed(accept, query->profile); /* the greatest finite number may replace the infinity */
    }
    return momentum == 0 ? ACCEPT_NAN : momentum > 0 ? ACCEPT_POSITIVE_INFINITY : ACCEPT_NEGATIVE_INFINITY;
}

void normalization_updating_accept(const struct bound_query *query, struct accept *accept)
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
