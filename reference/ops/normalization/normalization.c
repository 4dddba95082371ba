/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/normalization/normalization.h"

#include "reference/operator/bound_memo.h"

enum normalization_kind normalization_kind(const struct op *op)
{
    return (enum normalization_kind)(op->variant & ~NORMALIZATION_GRADIENT);
}

bool normalization_is_gradient(const struct op *op)
{
    return op->variant & NORMALIZATION_GRADIENT;
}

static bool is_centred(const struct op *op)
{
    return normalization_kind(op) != NORMALIZATION_RMS;
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

static bool certify_weight(const struct normalization *n, struct truth *truth, struct truth_output *dweight,
                           int64_t channel, struct error *error)
{
    struct normalization_weight_certifier *c = normalization_weight_certifier_create(n, error);
    bool good = c && normalization_weight_certify(c, channel, dweight, &truth->bits, error);
    normalization_weight_certifier_destroy(&c);
    return good;
}

/* Certifies one element of a gradient; output 0 is dx, 1 dweight, 2 dbias. */
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

static double eps_of(const struct op *op, const struct attributes *attributes, enum dtype dtype)
{
    bool of_dtype = normalization_kind(op) == NORMALIZATION_RMS;
    return attributes_real(attributes, "eps", of_dtype ? 2 * dtype_unit_roundoff(dtype) : 1e-5);
}

int64_t normalization_inner(const struct shape *shape)
{
    int64_t inner = 1;
    for (int d = 2; d < shape->rank; d++) {
        inner = count_product(inner, shape->dim[d]);
    }
    return inner;
}

/* layer_norm and rms_norm: the dimensions of normalized_shape become channels, those before it the batch. */
static void take_rows(const struct op_call *call, struct normalization *n)
{
    struct shape normalized;
    integers_to_shape(attributes_integers(call->attributes, "normalized_shape"), &normalized);
    n->channels = shape_elements(&normalized);
    n->inner = n->batch = n->groups_per_sample = 1;
    for (int d = 0; d < n->x->shape.rank - normalized.rank; d++) {
        n->batch = count_product(n->batch, n->x->shape.dim[d]);
    }
}

static void take_channels(const struct op_call *call, enum normalization_kind kind, struct normalization *n)
{
    n->batch = n->x->shape.dim[0];
    n->channels = n->x->shape.dim[1];
    n->inner = normalization_inner(&n->x->shape);
    n->evaluates = kind == NORMALIZATION_BATCH ? !attributes_integer(call->attributes, "training", 0)
                   : kind == NORMALIZATION_INSTANCE
                       ? !attributes_integer(call->attributes, "use_input_stats", 1)
                       : false;
    n->over_batch = kind == NORMALIZATION_BATCH || n->evaluates; /* given statistics are a channel's */
    n->averages = kind == NORMALIZATION_INSTANCE;
    n->groups_per_sample = kind == NORMALIZATION_INSTANCE ? n->channels
                           : kind == NORMALIZATION_GROUP
                               ? attributes_integer(call->attributes, "num_groups", 1)
                               : 0;
}

struct normalization normalization_of(const struct op_call *call)
{
    const enum normalization_kind kind = normalization_kind(call->op);
    const struct tensor *x = normalization_operand(call, "input");
    struct normalization n = {.centred = is_centred(call->op),
                              .eps = eps_of(call->op, call->attributes, x->dtype),
                              .x = x,
                              .grad = normalization_operand(call, "grad_out"),
                              .running_mean = normalization_operand(call, "running_mean"),
                              .running_var = normalization_operand(call, "running_var"),
                              .weight = normalization_operand(call, "weight"),
                              .bias = normalization_operand(call, "bias")};
    if (kind == NORMALIZATION_LAYER || kind == NORMALIZATION_RMS) {
        take_rows(call, &n);
    } else {
        take_channels(call, kind, &n);
    }
    return n;
}

int normalization_op_sensitivities(const struct op_call *call, int output)
{
    static const int gradient[] = {GRADIENT_SENSITIVITIES, CHANNEL_SENSITIVITIES, BIAS_SENSITIVITIES};
    return normalization_is_gradient(call->op) ? gradient[output] : FORWARD_SENSITIVITIES;
}

bool normalization_truth_behind(const struct normalization *n, bool enclosed, struct truth *truth,
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

bool normalization_op_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct normalization n = normalization_of(call);
    return normalization_truth_behind(&n, call->enclosed, truth, truth->output, error);
}

bool normalization_op_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                              struct error *error)
{
    struct normalization n = normalization_of(call);
    struct truth_output *out = &truth->output[output];
    bool good = n.grad ? certify_gradient(&n, truth, output, element, error)
                       : certify_forward(&n, truth, out, element, error);
    if (good && out->radius) {
        out->radius[element] = 0;
    }
    return good;
}

static double queried_eps(const struct bound_query *query)
{
    /* Only the default eps of rms_norm depends on the dtype; all its judged tensors have the dtype of x. */
    return eps_of(query->op, query->attributes, query->truth->output[0].dtype);
}

double normalization_op_bound(const struct bound_query *query)
{
    bool centred = is_centred(query->op);
    double eps = queried_eps(query);
    return !normalization_is_gradient(query->op) ? normalization_bound(query, centred, eps)
           : query->output == 0                  ? normalization_gradient_bound(query, centred, eps)
           : query->output == 1                  ? normalization_weight_bound(query, centred)
                                                 : normalization_bias_bound(query);
}

/* The primitive error is the error bound without the rounding of sums and products, as for an exact query. */
double normalization_op_primitive_error(const struct bound_query *query)
{
    struct bound_query exact = *query;
    exact.exact = true;
    return query->op->bound(&exact);
}

static enum naive naive_of(const struct bound_query *query)
{
    bool gradient = normalization_is_gradient(query->op);
    return !gradient || query->output == 0 ? normalization_naive(query, queried_eps(query), gradient)
           : query->output == 1            ? normalization_naive_weight(query)
                                           : NAIVE_IN_RANGE;
}

bool normalization_op_naive_may_overflow(const struct bound_query *query)
{
    return naive_of(query) != NAIVE_IN_RANGE;
}

bool normalization_op_naive_is_infinite(const struct bound_query *query)
{
    return naive_of(query) == NAIVE_INFINITE;
}

void normalization_op_accept(const struct bound_query *query, struct accept *accept)
{
    bool nan = !normalization_is_gradient(query->op) &&
               normalization_root_is_open(query, is_centred(query->op), queried_eps(query));
    normalization_accept(query, op_bound(query), nan, accept);
}
