/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/normalization.h"

enum normalization_kind normalization_kind(const struct op *op)
{
    return (enum normalization_kind)(op->variant & ~NORMALIZATION_GRADIENT);
}

bool normalization_is_gradient(const struct op *op)
{
    return op->variant & NORMALIZATION_GRADIENT;
}

const struct tensor *normalization_operand(const struct op_call *call, const char *name)
{
    int i = op_input_named(call->op, name);
    return i >= 0 && i < call->inputs && !tensor_absent(&call->input[i]) ? &call->input[i] : NULL;
}

const struct view *normalization_view(const struct op *op, const struct op_operands *operands,
                                      const char *name)
{
    int i = op_input_named(op, name);
    return i >= 0 && i < operands->inputs && operands->input[i].storage >= 0 ? &operands->input[i] : NULL;
}

bool normalization_fits(const struct op *op, const struct op_operands *operands, const char *name,
                        const struct view *x, const struct shape *shape, struct error *reason)
{
    const struct view *operand = normalization_view(op, operands, name);
    char wanted[SHAPE_TEXT];
    shape_print(shape, wanted, sizeof wanted);
    return !operand || (operand->dtype == x->dtype && shape_equal(&operand->shape, shape)) ||
           error_set(reason, "%s: input %d (%s) must be %s %s", op->name, op_input_named(op, name), name,
                     dtype_info(x->dtype)->name, wanted);
}

void normalization_gradient_outputs(struct op_signature *out, const struct view *x, int parameters,
                                    const struct shape *shape)
{
    *out = (struct op_signature){.outputs = 1 + parameters};
    for (int o = 0; o <= parameters; o++) {
        out->output[o].dtype = x->dtype;
        out->output[o].shape = o == 0 ? x->shape : *shape;
    }
}

int normalization_gradient_sensitivities(int output)
{
    static const int count[] = {GRADIENT_SENSITIVITIES, CHANNEL_SENSITIVITIES, BIAS_SENSITIVITIES};
    return count[output];
}

static bool certify_weight(const struct normalization *n, struct truth *truth, struct truth_output *dweight,
                           int64_t channel, struct error *error)
{
    struct normalization_weight_certifier *c = normalization_weight_certifier_create(n, error);
    bool good = c && normalization_weight_certify(c, channel, dweight, &truth->bits, error);
    normalization_weight_certifier_destroy(&c);
    return good;
}

/* Of a gradient: output 0 is dx, 1 dweight, 2 dbias. */
static bool certify_gradient(const struct normalization *n, struct truth *truth, int output, int64_t element,
                             struct error *error)
{
    struct truth_output *out = &truth->output[output];
    if (output == 1) {
        return certify_weight(n, truth, out, element, error);
    }
    if (output == 2) {
        normalization_bias_certify(n, element, out, &truth->bits);
        return true;
    }
    struct normalization_input_certifier *c = normalization_input_certifier_create(n);
    if (!c) {
        return error_set(error, "out of memory");
    }
    normalization_input_certify(c, normalization_group_of(n, element), element, out, &truth->bits);
    normalization_input_certifier_destroy(&c);
    return true;
}

static bool certify_forward(const struct normalization *n, struct truth *truth, struct truth_output *y,
                            int64_t element, struct error *error)
{
    struct normalization_certifier *c = normalization_certifier_create(n);
    bool good =
        c && normalization_certify(c, normalization_group_of(n, element), element, y, &truth->bits, error);
    normalization_certifier_destroy(&c);
    return good;
}

bool normalization_any_certify(const struct normalization *n, struct truth *truth, int output,
                               int64_t element, struct error *error)
{
    struct truth_output *out = &truth->output[output];
    bool good = n->grad ? certify_gradient(n, truth, output, element, error)
                        : certify_forward(n, truth, out, element, error);
    if (good && out->radius) {
        out->radius[element] = 0;
    }
    return good;
}

bool normalization_any_truth(const struct normalization *n, bool enclosed, struct truth *truth,
                             struct truth_output *out, struct error *error)
{
    int64_t outputs = truth->outputs - (out - truth->output);
    struct truth_output *dweight = outputs > 1 ? &out[1] : NULL, *dbias = outputs > 2 ? &out[2] : NULL;
    bool good =
        n->grad ? (enclosed ? normalization_gradient_enclosure
                            : normalization_gradient_truth)(n, &out[0], dweight, dbias, &truth->bits, error)
                : (enclosed ? normalization_enclosure : normalization_truth)(n, &out[0], &truth->bits, error);
    return good && (normalization_envelope(n, out, (int)outputs) || error_set(error, "out of memory"));
}

double normalization_any_gradient_bound(const struct bound_query *query, bool centred, double eps)
{
    return query->output == 0   ? normalization_gradient_bound(query, centred, eps)
           : query->output == 1 ? normalization_weight_bound(query, centred)
                                : normalization_bias_bound(query);
}

double normalization_allowance(const struct bound_query *query, double (*bound)(const struct bound_query *))
{
    struct bound_query exact = *query;
    exact.exact = true;
    return bound(&exact);
}
