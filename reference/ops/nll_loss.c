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

#include "reference/bound_memo.h"
#include "reference/class_loss.h"
#include "reference/loss.h"

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
    *target = class_loss_target(&call->input[first + 1], sample);
    bool counts =
        *target != class_loss_ignored(call->attributes) && (!first || *target == i / g->inner % g->classes);
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
    g->classes = class_loss_classes(&x->shape, &others);
    for (int d = 2; d < x->shape.rank; d++) {
        g->inner *= x->shape.dim[d];
    }
    weight = weight && !tensor_absent(weight) ? weight : NULL;
    g->call.op = stands_for(call->op, call->attributes);
    g->call.input = g->input;
    g->call.inputs = op_inputs_max(g->call.op);
    double count = 0;
    for (int64_t i = 0; i < shape_elements(&target->shape); i++) {
        count += class_loss_target(target, i) != class_loss_ignored(call->attributes);
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
    return op_bound(&inner);
}

static void bounds(const struct bound_query *query, int64_t first, int count, double *compute)
{
    const struct bound_query inner = inner_query(query);
    op_bounds(&inner, first, count, compute);
}

static double allowance(const struct bound_query *query)
{
    const struct bound_query inner = inner_query(query);
    return op_allowance(&inner);
}

static void accepts(const struct bound_query *query, struct accept *accept)
{
    const struct bound_query inner = inner_query(query);
    op_hand_on_bound(query, &inner);
    inner.op->accept(&inner, accept);
}

#define NLL(name_, variant_, ...)                                                                            \
    {                                                                                                        \
        .family = "loss", .name = name_, .variant = variant_, .operands = {__VA_ARGS__}, .outputs = 1,       \
        .dtypes = ELEMENTWISE_FLOATS,                                                                        \
        .attributes = {{"reduction", ATTRIBUTE_CHOICE}, {"ignore_index", ATTRIBUTE_INTEGER}},                \
        .defaults = {{"reduction", DEFAULT_VALUE, LOSS_MEAN}, {"ignore_index", DEFAULT_VALUE, -100}},        \
        LOSS_REDUCTION, .signature = class_loss_signature, .truth = whole_truth, .enclose = enclose,         \
        .certify = certify, .sensitivities = sensitivities, .bound = bound, .bounds = bounds,                \
        .allowance = allowance, .accept = accepts, .bounded = true                                           \
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
