/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* group_norm, instance_norm and their gradients.
 *
 * Definition: PyTorch torch.nn.functional.group_norm(input, num_groups, weight=None, bias=None, eps=1e-5),
 * and instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True,
 * momentum=0.1, eps=1e-5) of the input's own statistics, without running ones: a group per channel. The
 * gradients are of [grad_out, input, weight?] → dx, and where there is a weight dweight and dbias. Must be
 * rejected: groups that do not divide the channels, instance_norm of a single value. Truth and bound:
 * reference/normalization.h. */

#include "reference/bound_memo.h"
#include "reference/normalization.h"

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

static bool is_instance(const struct op *op)
{
    return normalization_kind(op) == NORMALIZATION_INSTANCE;
}

static int64_t inner_of(const struct shape *shape)
{
    int64_t inner = 1;
    for (int d = 2; d < shape->rank; d++) {
        inner = count_product(inner, shape->dim[d]);
    }
    return inner;
}

static bool check_groups(const struct op *op, const struct op_operands *operands, const struct view *x,
                         struct error *reason)
{
    if (x->shape.rank < (is_instance(op) ? 3 : 2)) {
        return error_set(reason, "%s: needs dimensions [batch, channels, …]", op->name);
    }
    int64_t channels = x->shape.dim[1], groups = attributes_integer(operands->attributes, "num_groups", 0);
    if (!is_instance(op)) {
        return (groups > 0 && channels % groups == 0) ||
               error_set(reason, "%s: %lld groups do not divide %lld channels", op->name, (long long)groups,
                         (long long)channels);
    }
    bool running = !attributes_integer(operands->attributes, "use_input_stats", 1);
    for (int i = 1; !normalization_is_gradient(op) && i < 3 && i < operands->inputs; i++) {
        running = running || operands->input[i].storage >= 0;
    }
    if (running) {
        return error_set(reason, "%s: of the input's own statistics, without running ones", op->name);
    }
    return inner_of(&x->shape) != 1 ||
           error_set(reason, "%s: a channel of a single value has no variance", op->name);
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = normalization_view(op, operands, "input");
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (!check_groups(op, operands, x, reason)) {
        return false;
    }
    struct shape channels = {.rank = 1, .dim = {x->shape.dim[1]}};
    if (!normalization_fits(op, operands, "grad_out", x, &x->shape, reason) ||
        !normalization_fits(op, operands, "weight", x, &channels, reason) ||
        !normalization_fits(op, operands, "bias", x, &channels, reason)) {
        return false;
    }
    bool affine = normalization_is_gradient(op) && normalization_view(op, operands, "weight");
    normalization_gradient_outputs(out, x, affine ? 2 : 0, &channels);
    return true;
}

static struct normalization describe(const struct op_call *call)
{
    const struct tensor *x = normalization_operand(call, "input");
    struct normalization n = {.centred = true,
                              .batch = x->shape.dim[0],
                              .channels = x->shape.dim[1],
                              .inner = inner_of(&x->shape),
                              .eps = attributes_real(call->attributes, "eps", 1e-5),
                              .x = x,
                              .grad = normalization_operand(call, "grad_out"),
                              .weight = normalization_operand(call, "weight"),
                              .bias = normalization_operand(call, "bias")};
    n.groups_per_sample =
        is_instance(call->op) ? n.channels : attributes_integer(call->attributes, "num_groups", 1);
    return n;
}

static int sensitivities(const struct op_call *call, int output)
{
    return normalization_is_gradient(call->op) ? normalization_gradient_sensitivities(output)
                                               : FORWARD_SENSITIVITIES;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct normalization n = describe(call);
    return normalization_any_truth(&n, call->enclosed, truth, truth->output, error);
}

static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    struct normalization n = describe(call);
    return normalization_any_certify(&n, truth, output, element, error);
}

static double bound(const struct bound_query *query)
{
    double eps = attributes_real(query->attributes, "eps", 1e-5);
    return normalization_is_gradient(query->op) ? normalization_any_gradient_bound(query, true, eps)
                                                : normalization_bound(query, true, eps);
}

static double allowance(const struct bound_query *query)
{
    return normalization_allowance(query, bound);
}

static bool naive_escapes(const struct bound_query *query)
{
    bool gradient = normalization_is_gradient(query->op);
    return query->output == 0
               ? normalization_naive_escapes(query, attributes_real(query->attributes, "eps", 1e-5), gradient)
           : query->output == 1 ? normalization_naive_weight_escapes(query)
                                : false;
}

static void accept(const struct bound_query *query, struct accept *accept)
{
    bool nan = !normalization_is_gradient(query->op) &&
               normalization_root_is_open(query, true, attributes_real(query->attributes, "eps", 1e-5));
    normalization_accept(query, op_bound(query), nan, accept);
}

/* Each sample has groups of its own; scale and shift are those of all. Gradients of those sum over samples,
 * so that such a call, of several judged tensors, has no rows. */
static bool rows_of_samples(const struct op_operands *operands, struct op_rows *rows)
{
    (void)operands;
    rows->output = rows->input[0] = 1;
    return true;
}

static bool gradient_rows(const struct op_operands *operands, struct op_rows *rows)
{
    rows->input[1] = 1;
    return (operands->inputs < 3 || operands->input[2].storage < 0) && rows_of_samples(operands, rows);
}

#define OPERATOR(name_, variant_, outputs_, rows_, ...)                                                      \
    {                                                                                                        \
        .family = "norm", .name = name_, .variant = variant_, .outputs = outputs_,                           \
        .defaults = {{"use_input_stats", DEFAULT_VALUE, 1},                                                  \
                     {"momentum", DEFAULT_VALUE, 0.1},                                                       \
                     {"eps", DEFAULT_VALUE, 1e-5}},                                                          \
        .dtypes = DTYPES, .signature = signature, .truth = truth, .enclose = truth, .certify = certify,      \
        .rows = rows_, .sensitivities = sensitivities, .bound = bound, .allowance = allowance,               \
        .naive_escapes = naive_escapes, .accept = accept, .bounded = true, __VA_ARGS__                       \
    }
#define GRADIENT                                                                                             \
    .operands = {{"grad_out", OPERAND_READ}, {"input", OPERAND_READ}, {"weight", OPERAND_OPTIONAL}}

static const struct op ops[] = {
    OPERATOR("group_norm", NORMALIZATION_GROUP, 1, rows_of_samples,
             .operands = {{"input", OPERAND_READ}, {"weight", OPERAND_OPTIONAL}, {"bias", OPERAND_OPTIONAL}},
             .attributes = {{"num_groups", ATTRIBUTE_INTEGER}, {"eps", ATTRIBUTE_REAL}}),
    OPERATOR("group_norm_backward", NORMALIZATION_GROUP | NORMALIZATION_GRADIENT, 3, gradient_rows, GRADIENT,
             .attributes = {{"num_groups", ATTRIBUTE_INTEGER}, {"eps", ATTRIBUTE_REAL}}),
    OPERATOR("instance_norm", NORMALIZATION_INSTANCE, 1, rows_of_samples,
             .operands = {{"input", OPERAND_READ},
                          {"running_mean", OPERAND_OPTIONAL},
                          {"running_var", OPERAND_OPTIONAL},
                          {"weight", OPERAND_OPTIONAL},
                          {"bias", OPERAND_OPTIONAL}},
             .attributes = {{"use_input_stats", ATTRIBUTE_BOOL},
                            {"momentum", ATTRIBUTE_REAL},
                            {"eps", ATTRIBUTE_REAL}}),
    OPERATOR("instance_norm_backward", NORMALIZATION_INSTANCE | NORMALIZATION_GRADIENT, 3, gradient_rows,
             GRADIENT, .attributes = {{"eps", ATTRIBUTE_REAL}}),
};

const struct op_set op_set_group_norm = {.op = ops, .count = sizeof ops / sizeof *ops};
