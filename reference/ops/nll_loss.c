/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* nll_loss and its gradient by the input: −weight·input at the place that the target names.
 *
 * Definition: PyTorch's torch.nn.functional.nll_loss. input [C], [N, C] or [N, C, d…], target (int64) the
 * same without C, weight [C]. A target that is ignore_index counts for nothing, any other one lies in [0, C).
 * The mean is over the weights of the targets that count: NaN where there are none. The gradient is 0 at all
 * other places, whatever grad_output is.
 *
 * What is gathered is judged as formulas of the element-wise and of the row kit are (reference/loss.h): x is
 * the input at the target, z the weight there, 0 where nothing counts, and count how many targets do, or −1
 * of a call with weights, whose sum is rounded. */

#include "reference/loss.h"

#include <inttypes.h>
#include <math.h>

enum { GIVEN = 3 };

#define OVER "c = row_max(count); t = c >= 0 ? c : sum(z); "
#define PICKED                                                                                               \
    {"input", OPERAND_READ},                                                                                 \
    {                                                                                                        \
        "weight", OPERAND_READ                                                                               \
    }
#define COUNTED                                                                                              \
    PICKED,                                                                                                  \
    {                                                                                                        \
        "count", OPERAND_READ                                                                                \
    }
#define OWN .name = "nll_loss", .outputs = 1, .dtypes = ELEMENTWISE_FLOATS
#define ROWS(...)                                                                                            \
    OWN, ROWWISE_BY_FORMULA, .accept = rowwise_accept_formula, .operands = {COUNTED}, ROWWISE_ROW(__VA_ARGS__)
static const struct loss_forms forward = {
    {[LOSS_NONE] = {OWN, .elementwise = true, ELEMENTWISE_BY_FORMULA, .accept = elementwise_accept_formula,
                    .operands = {PICKED}, ELEMENTWISE_ROW(.formula = "-(x * y)", .open_zero = true)},
     [LOSS_MEAN] = {ROWS(.formula = OVER "sum(-(x * z)) / t", .empty = NAN, .open_zero = true)},
     [LOSS_SUM] = {ROWS(.formula = "sum(-(x * z))", .open_zero = true)}}};

#define MAP(...)                                                                                             \
    .name = "nll_loss_backward", .outputs = 1, .dtypes = ELEMENTWISE_FLOATS, ROWWISE_BY_FORMULA,             \
    .accept = rowwise_accept_formula,                                                                        \
    .operands = {{"grad_output", OPERAND_READ}, {"weight", OPERAND_READ}, {"count", OPERAND_READ}},          \
    ROWWISE_ROW(.maps = true, .open_zero = true, __VA_ARGS__)
static const struct loss_forms backward = {
    {[LOSS_NONE] = {MAP(.formula = "z == 0 ? 0 : -(z * grad)")},
     [LOSS_SUM] = {MAP(.formula = "z == 0 ? 0 : -(z * grad)")},
     [LOSS_MEAN] = {MAP(.formula = OVER "z == 0 ? 0 : -(z * grad) / t",
                        .form = OVER "z == 0 ? 0 : -(z * (grad / t))")}}};

static bool is_gradient(const struct op *op)
{
    return op->variant != 0;
}

static const struct op *stands_for(const struct op *op, const struct attributes *attributes)
{
    return &(is_gradient(op) ? &backward : &forward)
                ->op[attributes_integer(attributes, "reduction", LOSS_MEAN)];
}

static int64_t ignored(const struct attributes *attributes)
{
    return attributes_integer(attributes, "ignore_index", -100);
}

/* --- shapes */

/* The dimension of the classes, how many there are, and the shape without it. */
static int64_t classes_of(const struct shape *input, struct shape *others)
{
    const int at = input->rank > 1;
    *others = (struct shape){.rank = 0};
    for (int d = 0; d < input->rank; d++) {
        if (d != at) {
            others->dim[others->rank++] = input->dim[d];
        }
    }
    return input->rank > 0 ? input->dim[at] : 0;
}

static int64_t target_at(const struct tensor *target, int64_t i)
{
    return dtype_load_integer(target->dtype, target->data + (size_t)i * dtype_info(target->dtype)->size);
}

static bool targets_fit(const struct op *op, const struct op_operands *operands, int at, int64_t classes,
                        struct error *reason)
{
    const struct tensor *target = operands->value ? &operands->value[at] : NULL;
    for (int64_t i = 0; target && target->data && i < shape_elements(&target->shape); i++) {
        int64_t t = target_at(target, i);
        if (t != ignored(operands->attributes) && (t < 0 || t >= classes)) {
            return error_set(reason, "%s: target %" PRId64 " is not in [0, %" PRId64 ")", op->name, t,
                             classes);
        }
    }
    return true;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const int first = is_gradient(op);
    const struct view *x = &operands->input[first], *target = x + 1;
    const struct view *weight = operands->inputs > first + 2 ? x + 2 : NULL;
    const bool reduced = attributes_integer(operands->attributes, "reduction", LOSS_MEAN) != LOSS_NONE;
    struct shape others, scalar = {.rank = 0};
    const int64_t classes = classes_of(&x->shape, &others);
    *out = (struct op_signature){.outputs = 1};
    if (!(op->dtypes >> x->dtype & 1) || target->dtype != DTYPE_INT64) {
        return error_set(reason, "%s: input is floating, target int64", op->name);
    }
    if (x->shape.rank == 0 || !shape_equal(&target->shape, &others)) {
        return error_set(reason, "%s: target has the input's shape without the classes", op->name);
    }
    if (weight && weight->storage >= 0 &&
        (weight->dtype != x->dtype || weight->shape.rank != 1 || weight->shape.dim[0] != classes)) {
        return error_set(reason, "%s: weight is one number for each class, of the input's dtype", op->name);
    }
    if (first && (operands->input[0].dtype != x->dtype ||
                  !shape_equal(&operands->input[0].shape, reduced ? &scalar : &others))) {
        return error_set(reason, "%s: grad_output has not the shape of the loss", op->name);
    }
    out->output[0].dtype = x->dtype;
    out->output[0].shape = first ? x->shape : reduced ? scalar : others;
    return targets_fit(op, operands, first + 1, classes, reason);
}

/* --- calls */

struct gathered {
    struct op_call call;
    struct tensor input[GIVEN];
    int64_t inner, classes; /* elements behind a class */
};

static void gathered_clear(struct gathered *g)
{
    for (int k = 0; k < GIVEN; k++) {
        tensor_destroy(&g->input[k]);
    }
}

static void put(struct tensor *to, int64_t i, double x)
{
    dtype_store(DTYPE_FLOAT64, to->data + (size_t)i * sizeof(double), x);
}

/* Element i of what is judged: the sample that it belongs to, and whether its target names it. */
static int64_t sample_of(const struct gathered *g, const struct op_call *call, int64_t i, int64_t *target)
{
    const int first = is_gradient(call->op);
    const int64_t sample = first ? i / (g->classes * g->inner) * g->inner + i % g->inner : i;
    *target = target_at(&call->input[first + 1], sample);
    bool counts = *target != ignored(call->attributes) && (!first || *target == i / g->inner % g->classes);
    *target = counts ? *target : -1;
    return sample;
}

/* Shapes of rows of the whole: the input's of a gradient, else the target's. */
static bool gather(struct gathered *g, const struct op_call *call, struct error *error)
{
    const int first = is_gradient(call->op);
    const struct tensor *x = &call->input[first], *weight = call->inputs > first + 2 ? x + 2 : NULL;
    const struct tensor *target = x + 1;
    const struct shape *shape = first ? &x->shape : &target->shape;
    struct shape others;
    *g = (struct gathered){.call = *call, .inner = 1};
    g->classes = classes_of(&x->shape, &others);
    for (int d = 2; d < x->shape.rank; d++) {
        g->inner *= x->shape.dim[d];
    }
    weight = weight && !tensor_absent(weight) ? weight : NULL;
    g->call.op = stands_for(call->op, call->attributes);
    g->call.input = g->input;
    g->call.inputs = op_inputs_max(g->call.op);
    double count = 0;
    for (int64_t i = 0; i < shape_elements(&target->shape); i++) {
        count += target_at(target, i) != ignored(call->attributes);
    }
    for (int k = 0; k < GIVEN; k++) {
        if (!tensor_create(&g->input[k], DTYPE_FLOAT64, shape)) {
            return error_set(error, "%s: out of memory", call->op->name);
        }
    }
    for (int64_t i = 0; i < shape_elements(shape); i++) {
        int64_t t, sample = sample_of(g, call, i, &t);
        int64_t at = first ? (call->input[0].shape.rank == 0 ? 0 : sample)
                           : (sample / g->inner * g->classes + t) * g->inner + sample % g->inner;
        put(&g->input[0], i, t < 0 ? 0 : tensor_component(first ? &call->input[0] : x, at));
        put(&g->input[1], i, t < 0 ? 0 : weight ? tensor_component(weight, t) : 1);
        put(&g->input[2], i, weight ? -1 : count);
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    const int first = is_gradient(call->op);
    struct tensor input[GIVEN] = {
        {.dtype = call->input[first].dtype, .shape = call->input[first + !first].shape}};
    struct op_call inner = *call;
    inner.op = stands_for(call->op, call->attributes);
    inner.inputs = op_inputs_max(inner.op);
    inner.input = input;
    return inner.op->sensitivities(&inner, output);
}

static bool answer(const struct op_call *call, struct truth *truth, bool enclosed, struct error *error)
{
    struct gathered g;
    bool good =
        gather(&g, call, error) && (enclosed ? g.call.op->enclose : g.call.op->truth)(&g.call, truth, error);
    gathered_clear(&g);
    return good;
}

static bool whole_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, truth, false, error);
}

static bool enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, truth, true, error);
}

static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    struct gathered g;
    bool good = gather(&g, call, error) && g.call.op->certify(&g.call, truth, output, element, error);
    gathered_clear(&g);
    return good;
}

static struct bound_query inner_query(const struct bound_query *query)
{
    struct bound_query inner = *query;
    inner.op = stands_for(query->op, query->attributes);
    return inner;
}

static double bound(const struct bound_query *query)
{
    const struct bound_query inner = inner_query(query);
    return inner.op->bound(&inner);
}

static double allowance(const struct bound_query *query)
{
    const struct bound_query inner = inner_query(query);
    return inner.op->allowance ? inner.op->allowance(&inner) : 0;
}

static void accepts(const struct bound_query *query, struct accept *accept)
{
    const struct bound_query inner = inner_query(query);
    inner.op->accept(&inner, accept);
}

#define NLL(name_, variant_, ...)                                                                            \
    {                                                                                                        \
        .family = "loss", .name = name_, .variant = variant_, .operands = {__VA_ARGS__}, .outputs = 1,       \
        .dtypes = ELEMENTWISE_FLOATS,                                                                        \
        .attributes = {{"reduction", ATTRIBUTE_CHOICE}, {"ignore_index", ATTRIBUTE_INTEGER}},                \
        .defaults = {{"reduction", DEFAULT_VALUE, LOSS_MEAN}, {"ignore_index", DEFAULT_VALUE, -100}},        \
        .choices = {{"reduction", "none", LOSS_NONE},                                                        \
                    {"reduction", "mean", LOSS_MEAN},                                                        \
                    {"reduction", "sum", LOSS_SUM}},                                                         \
        .signature = signature, .truth = whole_truth, .enclose = enclose, .certify = certify,                \
        .sensitivities = sensitivities, .bound = bound, .allowance = allowance, .accept = accepts            \
    }
#define OPERANDS                                                                                             \
    {"input", OPERAND_READ}, {"target", OPERAND_INDICES},                                                    \
    {                                                                                                        \
        "weight", OPERAND_OPTIONAL                                                                           \
    }
static const struct op ops[] = {
    NLL("nll_loss", 0, OPERANDS),
    NLL("nll_loss_backward", 1, {"grad_output", OPERAND_READ}, OPERANDS),
};

const struct op_set op_set_nll_loss = {.op = ops, .count = sizeof ops / sizeof *ops};
