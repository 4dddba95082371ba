/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* avg_pool1d, avg_pool2d, avg_pool3d [input], and their gradients [grad_output, input], of whose input only
 * the shape counts.
 *
 * Definition: PyTorch torch.nn.functional.avg_pool2d: the sum of a window, in whose padding there are zeros,
 * over a whole number (pool_divisor). The gradient at a position is the sum over the windows that hold it of
 * grad_output over the divisor of the window.
 *
 * Calls are lowered to row-wise formulas (reference/ops/rowwise/rowwise.h): a row has the elements of a
 * window, or the windows of an element, and zeros beside them, which round nothing. The product with the
 * reciprocal of a divisor is legal as well. */

#include "reference/operator/lowering.h"
#include "reference/ops/pooling/pool_shape.h"
#include "reference/ops/rowwise/rowwise.h"

enum { TERM, DIVISOR, GIVEN }; /* operands of the lowered call */

#define OWN(...)                                                                                             \
    {                                                                                                        \
        .name = "avg_pool", .outputs = 1, .dtypes = ROWWISE_FLOATS, ROWWISE_BY_FORMULA,                      \
        .accept = rowwise_accept_formula, .operands = {{"input", OPERAND_READ}, {"count", OPERAND_READ}},    \
        ROWWISE_ROW(.open_zero = true, __VA_ARGS__)                                                          \
    }

static const struct op forward =
                           OWN(.formula = "sum(x) / row_max(count)", .form = "sum(x) * (1 / row_max(count))"),
                       backward = OWN(.formula = "sum(x / count)", .form = "sum(x * (1 / count))");

static const struct op *stands_for(const struct op *op, const struct attributes *attributes)
{
    (void)attributes;
    return op->variant & POOL_GRADIENT ? &backward : &forward;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const int gradient = (op->variant & POOL_GRADIENT) != 0;
    const struct view *grad = &operands->input[0], *x = &operands->input[gradient];
    struct pool p;
    for (int i = 0; i <= gradient; i++) {
        if (!(op->dtypes >> operands->input[i].dtype & 1) || operands->input[i].dtype != grad->dtype) {
            return error_set(reason, "%s: operands are floating and of one dtype", op->name);
        }
    }
    if (!pool_of(op, operands->attributes, &x->shape, &p, reason)) {
        return false;
    }
    if (gradient && !shape_equal(&grad->shape, &p.output)) {
        char wanted[SHAPE_TEXT];
        shape_print(&p.output, wanted, sizeof wanted);
        return error_set(reason, "%s: grad_output must have the shape of the result, %s", op->name, wanted);
    }
    *out = (struct op_signature){.outputs = 1, .output[0] = {x->dtype, gradient ? x->shape : p.output}};
    return true;
}

/* --- calls */

static struct pool pool_of_call(const struct op_call *call)
{
    struct pool p;
    struct error unused;
    pool_of(call->op, call->attributes, &call->input[call->inputs - 1].shape, &p, &unused);
    return p;
}

/* Returns the shape of the lowered operands: that of the result, and a dimension for the row. */
static struct shape rows_of(const struct op_call *call, const struct pool *p)
{
    const bool gradient = call->op->variant & POOL_GRADIENT;
    struct shape shape = gradient ? call->input[1].shape : p->output;
    shape.dim[shape.rank++] = gradient ? pool_windows(p) : pool_taps(p);
    return shape;
}

static struct attributes along_rows(const struct shape *rows)
{
    return (struct attributes){
        .count = 1,
        .item = {
            {.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {rows->rank - 1}}}}};
}

/* Sets the row of element e. */
static void set_row(struct lowered_call *s, const struct op_call *call, const struct pool *p, int64_t e,
                    int64_t terms)
{
    const bool gradient = call->op->variant & POOL_GRADIENT;
    const int64_t own = gradient ? pool_x_size(p) : pool_y_size(p), place = e % own,
                  first = e / own * (gradient ? pool_y_size(p) : pool_x_size(p));
    double divisor = gradient ? 1 : (double)pool_divisor(p, place);
    for (int64_t k = 0; k < terms; k++) {
        const int64_t at = gradient ? pool_window(p, place, k) : pool_meets(p, place, k);
        if (gradient) {
            divisor = at < 0 ? 1 : (double)pool_divisor(p, at);
        }
        tensor_put(&s->input[TERM], e * terms + k,
                   at < 0 ? 0 : tensor_component(&call->input[0], first + at));
        tensor_put(&s->input[DIVISOR], e * terms + k, divisor);
    }
}

/* Makes the operands of the lowered call, and fills the rows of `count` elements from `first` on. */
static bool fill_rows(struct lowered_call *s, const struct op_call *call, int64_t first, int64_t count)
{
    const struct pool p = pool_of_call(call);
    const struct shape rows = rows_of(call, &p);
    s->attributes = along_rows(&rows);
    s->call.attributes = &s->attributes;
    for (int k = 0; k < GIVEN; k++) {
        s->own[k] = true;
        if (!tensor_create(&s->input[k], DTYPE_FLOAT64, &rows)) {
            return false;
        }
    }
    for (int64_t e = first; e < first + count; e++) {
        set_row(s, call, &p, e, rows.dim[rows.rank - 1]);
    }
    return true;
}

static bool lower(struct lowered_call *s, const struct op_call *call)
{
    const struct pool p = pool_of_call(call);
    const struct shape rows = rows_of(call, &p);
    const int64_t terms = rows.dim[rows.rank - 1];
    return fill_rows(s, call, 0, terms > 0 ? shape_elements(&rows) / terms : 0);
}

/* As lowering_certify, but gathers only the row of the element. */
static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    struct lowered_call s = {.call = *call};
    s.call.op = stands_for(call->op, call->attributes);
    s.call.inputs = GIVEN;
    s.call.input = s.input;
    bool good = fill_rows(&s, call, element, 1) || error_set(error, "%s: out of memory", call->op->name);
    good = good && s.call.op->certify(&s.call, truth, output, element, error);
    for (int k = 0; k < GIVEN; k++) {
        if (s.own[k]) {
            tensor_destroy(&s.input[k]);
        }
    }
    return good;
}

static int sensitivities(const struct op_call *call, int output)
{
    const struct pool p = pool_of_call(call);
    const struct shape rows = rows_of(call, &p);
    const struct attributes attributes = along_rows(&rows);
    const struct tensor input[GIVEN] = {{.dtype = call->input[0].dtype, .shape = rows},
                                        {.dtype = call->input[0].dtype, .shape = rows}};
    struct op_call inner = *call;
    inner.op = stands_for(call->op, call->attributes);
    inner.inputs = GIVEN;
    inner.input = input;
    inner.attributes = &attributes;
    return rowwise_sensitivities(&inner, output);
}

#define LISTS                                                                                                \
    {"kernel_size", ATTRIBUTE_INTEGERS}, {"stride", ATTRIBUTE_INTEGERS}, {"padding", ATTRIBUTE_INTEGERS},    \
        {"ceil_mode", ATTRIBUTE_BOOL},                                                                       \
    {                                                                                                        \
        "count_include_pad", ATTRIBUTE_BOOL                                                                  \
    }
#define MEMBERS(name_, variant_, ...)                                                                        \
    .family = "pooling", .name = name_, .variant = (variant_), .outputs = 1, .dtypes = ROWWISE_FLOATS,       \
    .attributes = {__VA_ARGS__},                                                                             \
    .defaults = {{"ceil_mode", DEFAULT_VALUE, 0}, {"count_include_pad", DEFAULT_VALUE, 1}},                  \
    .signature = signature, .lowering = &(const struct lowering){.op = stands_for, .lower = lower},          \
    .truth = lowering_truth, .enclose = lowering_enclose, .certify = certify,                                \
    .sensitivities = sensitivities, LOWERING_LIMITS, .bounded = true
#define TWO(name_, rank_, ...)                                                                               \
    {.operands = {{"input", OPERAND_READ}}, MEMBERS(name_, rank_, __VA_ARGS__)},                             \
    {                                                                                                        \
        .operands = {{"grad_output", OPERAND_READ}, {"input", OPERAND_READ}},                                \
        .results = {{"grad_input", 0}}, MEMBERS(name_ "_backward", (rank_) | POOL_GRADIENT, __VA_ARGS__)     \
    }

static const struct op ops[] = {
    TWO("avg_pool1d", 1, LISTS),
    TWO("avg_pool2d", 2, LISTS, {"divisor_override", ATTRIBUTE_INTEGER}),
    TWO("avg_pool3d", 3, LISTS, {"divisor_override", ATTRIBUTE_INTEGER}),
};

const struct op_set op_set_avg_pool = {.op = ops, .count = sizeof ops / sizeof *ops};
