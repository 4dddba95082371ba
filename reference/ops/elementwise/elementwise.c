/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The element-wise operator class: rows of a call, shapes, and exact functions. Formulas are in
 * elementwise_formula.c and elementwise_limits.c. */

#include "reference/ops/elementwise/elementwise_views.h"

#include <math.h>
#include <string.h>

const struct elementwise *elementwise_row(const struct op *op, const struct attributes *attributes)
{
    const struct elementwise *row = op->row;
    if (row->factor && attributes_real(attributes, row->factor, 1) != 1) {
        return row->scaled;
    }
    if (row->number && attributes_given(attributes, row->number)) {
        return row->by_number;
    }
    int64_t number = row->choice ? attributes_integer(attributes, row->choice, 0) : 0;
    return number > 0 && number < ELEMENTWISE_CHOICES && row->chosen[number] ? row->chosen[number] : row;
}

bool elementwise_takes(const struct op *op, const struct attributes *attributes, enum dtype dtype)
{
    const char *factor = op->row->factor;
    bool whole = !factor || fmod(attributes_real(attributes, factor, 1), 1) == 0;
    return (op->dtypes >> dtype & 1) &&
           (dtype_is_floating(dtype) || (elementwise_row(op, attributes)->integer && whole));
}

/* Fills the shape that all operands broadcast to; returns false with the reason if there is none. */
static bool broadcast(const struct op *op, const struct op_operands *operands, struct shape *shape,
                      struct error *reason)
{
    *shape = (struct shape){.rank = 0};
    for (int k = 0; k < operands->inputs; k++) {
        const struct shape *one = &operands->input[k].shape;
        if (!shape_broadcast(one, shape, shape)) {
            char own[96], before[96];
            shape_print(one, own, sizeof own);
            shape_print(shape, before, sizeof before);
            return error_set(reason, "%s: %s of shape %s does not broadcast with %s", op->name,
                             op_operand_name(op, operands->inputs, k), own, before);
        }
    }
    return true;
}

static bool refuse_dtype(const struct op *op, const struct attributes *attributes, enum dtype dtype,
                         struct error *reason)
{
    const char *name = dtype_info(dtype)->name, *choice = op->row->choice, *factor = op->row->factor;
    if ((op->dtypes >> dtype & 1) && factor) {
        return error_set(reason, "%s: of %s %s must be a whole number", op->name, name, factor);
    }
    if (!(op->dtypes >> dtype & 1) || !choice) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, name);
    }
    const struct op_choice *chosen =
        op_choice_numbered(op, choice, attributes_integer(attributes, choice, 0));
    return error_set(reason, "%s: of %s there is no %s with %s %s", op->name, name, name, choice,
                     chosen ? chosen->word : "unknown");
}

static bool attributes_hold(const struct op *op, const struct attributes *attributes, struct error *reason)
{
    const char *name = op->row->nonzero;
    return !name || attributes_real(attributes, name, 1) != 0 ||
           error_set(reason, "%s: %s must not be 0", op->name, name);
}

bool elementwise_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                           struct error *reason)
{
    const struct view *x = &operands->input[op_leading_input(op)];
    int inputs = operands->inputs;
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = op->row->predicate ? DTYPE_BOOL : x->dtype;
    for (int k = 0; k < inputs; k++) {
        enum dtype dtype = operands->input[k].dtype;
        bool condition = op_is_condition(op, inputs, k);
        if (dtype != (condition ? DTYPE_BOOL : x->dtype)) {
            return error_set(reason, "%s: %s is %s, where %s is wanted", op->name,
                             op_operand_name(op, inputs, k), dtype_info(dtype)->name,
                             dtype_info(condition ? DTYPE_BOOL : x->dtype)->name);
        }
    }
    return (elementwise_takes(op, operands->attributes, x->dtype) ||
            refuse_dtype(op, operands->attributes, x->dtype, reason)) &&
           attributes_hold(op, operands->attributes, reason) &&
           (op->row->views == VIEWS_OPERANDS ? broadcast : elementwise_views_shape)(
               op, operands, &out->output[0].shape, reason);
}

static double number_at(const struct op_call *call, const struct elementwise_place *place)
{
    return place->operand < 0 ? place->constant
                              : tensor_component(&call->input[place->operand], place->element);
}

/* Reads one operand's number of each element into x, `stride` apart; 0 for an absent operand. */
static void take_broadcast(const struct op_call *call, int operand, const struct shape *shape, int64_t first,
                           int64_t count, int stride, double *x)
{
    if (!elementwise_given(call, operand)) {
        for (int64_t i = 0; i < count; i++) {
            x[i * stride] = 0;
        }
        return;
    }
    const struct tensor *input = &call->input[operand];
    bool same = shape_equal(&input->shape, shape);
    if (same && stride == 1) {
        tensor_components(input, first, count, x);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t at = same ? first + i : shape_broadcast_element(&input->shape, shape, first + i);
        x[i * stride] = tensor_component(input, at);
    }
}

void elementwise_operands(const struct op_call *call, const struct shape *shape, int64_t first, int64_t count,
                          double *x)
{
    const int numbers = elementwise_numbers(call->op);
    struct elementwise_place place[ELEMENTWISE_OPERANDS];
    if (call->op->row->views == VIEWS_OPERANDS) {
        for (int k = 0; count > 0 && k < numbers; k++) { /* without elements x may be NULL */
            take_broadcast(call, k, shape, first, count, numbers, x + k);
        }
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        elementwise_places(call, shape, first + i, place);
        for (int k = 0; k < numbers; k++) {
            x[i * numbers + k] = number_at(call, &place[k]);
        }
    }
}

bool elementwise_any_is_nan(const double *x, int count)
{
    bool any = false;
    for (int k = 0; k < count; k++) {
        any = any || isnan(x[k]);
    }
    return any;
}

void elementwise_leave_open(const struct op_call *call, struct truth_output *out, int64_t element)
{
    struct elementwise_place place[ELEMENTWISE_OPERANDS];
    struct value *value = &out->value[element];
    bool marks = call->op->row->views != VIEWS_OPERANDS; /* for other rows op_truth does so */
    if (value->class == VALUE_NAN && !marks) {
        return;
    }
    const int numbers = elementwise_numbers(call->op);
    if (out->sensitivities == numbers && !marks &&
        !elementwise_any_is_nan(&out->sensitivity[element * numbers], numbers)) {
        return;
    }
    elementwise_places(call, &out->shape, element, place);
    for (int k = 0; k < numbers; k++) {
        const struct tensor *x = &call->input[place[k].operand < 0 ? 0 : place[k].operand];
        const struct dtype_info *info = dtype_info(x->dtype);
        const unsigned char *from = x->data + (size_t)place[k].element * info->size;
        if (place[k].operand >= 0 && dtype_is_floating(x->dtype) && !isfinite(dtype_load(x->dtype, from))) {
            bool quiet = dtype_bits(x->dtype, from) >> (info->precision - 2) & 1;
            bool signalling = !quiet && isnan(dtype_load(x->dtype, from));
            value->open = value->open || (signalling && value->class != VALUE_NAN);
            value->special_input = value->special_input || marks;
        }
    }
}

bool elementwise_moves(const struct op_call *call)
{
    return elementwise_row(call->op, call->attributes)->bits != NULL;
}

int elementwise_exact_sensitivities(const struct op_call *call, int output)
{
    (void)output;
    const struct elementwise *row = elementwise_row(call->op, call->attributes);
    return (row->selects || row->slack || row->lossy) && dtype_is_floating(call->input[0].dtype)
               ? elementwise_numbers(call->op)
               : 0;
}

/* Computes from bits: every bit of the result counts, including those of a NaN. */
static struct value of_bits(const struct elementwise *row, const struct op_call *call, enum dtype dtype,
                            const struct shape *shape, int64_t i)
{
    const struct dtype_info *info = dtype_info(dtype);
    const uint64_t sign = UINT64_C(1) << (8 * info->size - 1);
    const struct elementwise_format format = {sign, sign - (UINT64_C(1) << (info->precision - 1))};
    uint64_t x[ELEMENTWISE_OPERANDS];
    unsigned char bytes[8];
    for (int k = 0; k < elementwise_numbers(call->op); k++) {
        const struct tensor *input = &call->input[k];
        int64_t at = shape_broadcast_element(&input->shape, shape, i);
        x[k] = dtype_bits(input->dtype, input->data + (size_t)at * dtype_info(input->dtype)->size);
    }
    uint64_t result = row->bits(&format, x);
    if (row->predicate) {
        return value_of(result != 0);
    }
    dtype_store_bits(dtype, bytes, result);
    return value_of_element(dtype, bytes);
}

/* Returns the number of the dtype that is congruent to x modulo 2^bits. */
static int64_t wrapped(enum dtype dtype, int64_t x)
{
    int beyond = 64 - 8 * (int)dtype_info(dtype)->size;
    uint64_t bits = (uint64_t)x << beyond;
    return dtype_info(dtype)->kind == KIND_SIGNED ? (int64_t)bits >> beyond : (int64_t)(bits >> beyond);
}

static struct value of_integers(const struct elementwise *row, const struct op_call *call,
                                const struct truth_output *out, int64_t i)
{
    int64_t x[ELEMENTWISE_OPERANDS];
    const int numbers = elementwise_numbers(call->op);
    for (int k = 0; k < numbers; k++) {
        const struct tensor *input = &call->input[k];
        int64_t at = shape_broadcast_element(&input->shape, &out->shape, i);
        x[k] = dtype_load_integer(input->dtype, input->data + (size_t)at * dtype_info(input->dtype)->size);
    }
    const char *behind = row->whole ? row->whole : call->op->row->factor;
    if (behind) {
        x[numbers] = attributes_integer(call->attributes, behind, 1);
    }
    int64_t result = row->integer(x);
    return value_of_integer(row->predicate ? result : wrapped(out->dtype, result));
}

bool elementwise_exact(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    const struct elementwise *row = elementwise_row(call->op, call->attributes);
    const struct tensor *leading = &call->input[op_leading_input(call->op)];
    struct truth_output *out = &truth->output[0];
    for (int64_t i = 0; i < out->elements; i++) {
        double x[ELEMENTWISE_OPERANDS];
        if (!dtype_is_floating(leading->dtype)) {
            out->value[i] = of_integers(row, call, out, i);
            continue;
        }
        if (row->bits) {
            out->value[i] = of_bits(row, call, leading->dtype, &out->shape, i);
            continue;
        }
        elementwise_operands(call, &out->shape, i, 1, x);
        out->value[i] = row->value ? row->value(leading->dtype, x) : value_of(row->exact(x[0]));
        for (int k = 0; k < out->sensitivities; k++) {
            out->sensitivity[i * out->sensitivities + k] = x[k];
        }
        if (out->dtype != DTYPE_BOOL) {
            elementwise_leave_open(call, out, i);
        }
    }
    return true;
}

/* Returns E_compute of an exact function and the number that it is measured from. */
static double slack_of(const struct bound_query *query, double *middle)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    const struct truth_output *out = &query->truth->output[0];
    return row->slack && out->sensitivities
               ? row->slack(query->profile, out->dtype,
                            &out->sensitivity[query->element * out->sensitivities], middle)
               : 0;
}

/* Fills `also` with the results of programs that treat a subnormal intermediate as zero, and returns their
 * number. */
static int lost_of(const struct bound_query *query, double *also)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    const struct truth_output *out = &query->truth->output[0];
    return row->lossy && out->sensitivities && profile_loses_subnormals(query->profile, out->dtype)
               ? row->lossy(out->dtype, &out->sensitivity[query->element * out->sensitivities], also)
               : 0;
}

bool elementwise_exact_rounds_once(const struct bound_query *query)
{
    double middle, also[ELEMENTWISE_LOSSY];
    return slack_of(query, &middle) == 0 && lost_of(query, also) == 0;
}

/* Accepts the other operands that may be chosen: zeros of the other sign, and subnormals where a device may
 * compare them as zeros. */
static void accept_others(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *x = &out->sensitivity[query->element * out->sensitivities];
    double y = value_approximately(&out->value[query->element]), least = dtype_least_normal(out->dtype);
    bool flushes = profile_loses_subnormals(query->profile, out->dtype);
    for (int k = 0; k < out->sensitivities; k++) {
        if ((y == 0 && x[k] == 0 && signbit(x[k]) != signbit(y)) ||
            (flushes && fabs(y) < least && fabs(x[k]) < least)) {
            accept_also(accept, x[k]);
        }
    }
}

void elementwise_accept(const struct bound_query *query, struct accept *accept)
{
    const struct elementwise *row = elementwise_row(query->op, query->attributes);
    const struct truth_output *out = &query->truth->output[0];
    double middle = 0, slack = slack_of(query, &middle);
    if (slack > 0) {
        struct value between = value_of(middle);
        accept_default(accept, out->dtype, query->profile, &between, slack);
    } else {
        accept_rounded(accept, out->dtype, query->profile, &out->value[query->element]);
    }
    if (row->open_zero) {
        accept_any_zero(accept);
    }
    if (row->selects && out->sensitivities) {
        accept_others(query, accept);
    }
    double also[ELEMENTWISE_LOSSY];
    int others = lost_of(query, also);
    for (int k = 0; k < others; k++) {
        accept_also(accept, also[k]);
    }
}
