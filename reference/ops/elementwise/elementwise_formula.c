/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Element-wise rows with formulas: their truth. The sensitivities of an element are its operands. */

#include "reference/formula/expression_double_intervals.h"
#include "reference/numeric/simd/multiversion.h"
#include "reference/operator/value_batch.h"
#include "reference/ops/elementwise/elementwise_views.h"
#include "reference/ops/elementwise/elementwise_workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True if the call is computed by a formula; for integers, or for the chosen row, it may be an exact
 * function. */
static bool computes(const struct op_call *call)
{
    return dtype_is_floating(call->input[op_leading_input(call->op)].dtype) &&
           elementwise_row(call->op, call->attributes)->formula;
}

int elementwise_sensitivities(const struct op_call *call, int output)
{
    return computes(call) ? elementwise_numbers(call->op) : elementwise_exact_sensitivities(call, output);
}

static int64_t step_of(const struct op_call *call, int64_t elements)
{
    return elementwise_numbers(call->op) == 1 ? elements : BATCH_MAX;
}

/* Certifies the elements that `wanted` marks, or all; `operands` are those of `count` elements. */
static bool certify_some(const struct op_call *call, const struct truth_output *out, const double *operands,
                         int64_t count, const bool *wanted, struct value *value, int *bits,
                         struct error *error)
{
    const struct elementwise *row = elementwise_row(call->op, call->attributes);
    struct expression_workspace *workspace = elementwise_workspace(call->op, row, FORM_SAFE);
    if (!workspace) {
        return error_set(error, "%s: out of memory", call->op->name);
    }
    int64_t step = step_of(call, count);
    struct elementwise_arguments a;
    bool good = true;
    for (int64_t i = 0; i < count && good; i += step) {
        int64_t some = count - i < step ? count - i : step;
        elementwise_take(call->op, call->attributes, out->dtype, operands + i * elementwise_numbers(call->op),
                         some, &a);
        good = expression_certify(workspace, &a.row, wanted ? wanted + i : NULL, value + i, bits, error);
    }
    return good;
}

/* True if the slope of a gradient must be certified instead of the result: grad_output is 0 or infinite and
 * tier 1 does not know the result. Replaces grad_output in the sensitivities by ±1. */
static bool needs_slope(const struct op_call *call, double *x, double value, double radius)
{
    bool known = radius == 0 && !isinf(value);
    if (known || (x[0] != 0 && !isinf(x[0])) || !elementwise_is_gradient(call->op)) {
        return false;
    }
    x[0] = copysign(1, x[0]);
    return true;
}

/* Returns grad, which is 0 or infinite, times the slope: infinite or NaN if grad is infinite, NaN for a slope
 * of 0. */
static struct value times_slope(double grad, const struct value *value)
{
    if (grad == 0) {
        return value->class == VALUE_FINITE ? value_of(copysign(0, value->hi)) : value_of(NAN);
    }
    bool far = value->class == VALUE_FINITE && value->hi != 0; /* no double need be near the slope */
    return value_of(far ? copysign(INFINITY, value->hi) : value_approximately(value) * INFINITY);
}

/* A value beyond the numbers of all dtypes, with the sign of `sign`. */
static struct value far_beyond(double sign)
{
    return (struct value){.hi = copysign(1, sign), .exponent = VALUE_FAR};
}

/* True for a half-line (reference/formula/expression_double_intervals.h) of a type narrower than float64,
 * which lies beyond all its numbers. */
static bool is_beyond(enum dtype dtype, double value, double radius)
{
    return isinf(radius) && fabs(value) >= BALLS_FAR && dtype != DTYPE_FLOAT64;
}

/* Takes the truth of one element from tier 1; returns false if that is not enough. */
static bool take_shown(const struct op_call *call, struct truth_output *out, int64_t i, double value,
                       double radius)
{
    bool slope = needs_slope(call, &out->sensitivity[i * out->sensitivities], value, radius);
    bool beyond = is_beyond(out->dtype, value, radius);
    bool open = !beyond && (!(radius <= fabs(value)) || isinf(radius)); /* the sign must be known at least */
    out->value[i] = beyond ? far_beyond(value) : value_of(value);
    out->value[i].exact = radius == 0;
    return !slope && !(open && radius != 0);
}

/* True if tier 1 knows all elements of a batch with their signs, as numbers or as beyond those of the type.
 * Fills the greatest |value| that the type has. */
MULTIVERSION static bool all_known(enum dtype dtype, const double *value, const double *radius, int64_t count,
                                   double *greatest)
{
    const int64_t narrow = mask_of(dtype != DTYPE_FLOAT64);
    const double most = dtype_max(dtype);
    int64_t known = -1, top = 0; /* as bits, which are ordered as the numbers are */
    for (int64_t i = 0; i < count; i++) {
        double size = fabs(value[i]);
        int64_t number = mask_of(size < INFINITY) & mask_of(radius[i] <= size), bits;
        known &= number | (narrow & mask_of(size >= BALLS_FAR) & mask_of(radius[i] == INFINITY));
        memcpy(&bits, &size, sizeof bits);
        bits &= mask_of(size <= most);
        top = bits > top ? bits : top;
    }
    memcpy(greatest, &top, sizeof top);
    return known != 0;
}

/* Takes a batch from tier 1, element by element. Marks elements that are left to be certified: unknown ones,
 * those of unknown sign, and with `all` those with a radius; their radii become 0. Returns true if there are
 * any. */
static bool take_each(const struct op_call *call, struct truth_output *out, bool all, int64_t first,
                      int count, const double *value, double *radius, bool *wanted)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        double r = radius[i];
        wanted[i] = !take_shown(call, out, first + i, value[i], r) || (all && r > 0);
        any = any || wanted[i];
        radius[i] = wanted[i] ? 0 : r;
    }
    return any;
}

/* Takes all elements from tier 1, batch by batch, and sets the tensor's scale to their greatest magnitude.
 * Marks in `wanted` elements that are left to be certified; returns true if there are any. */
static bool take_tier_1(const struct op_call *call, struct truth_output *out,
                        struct expression_workspace *workspace, bool *wanted)
{
    const bool all = !out->radius, gradient = elementwise_is_gradient(call->op);
    double greatest, value[BATCH_MAX], own[BATCH_MAX];
    bool any = false;
    out->scaled = true;
    for (int64_t first = 0; first < out->elements; first += BATCH_MAX) {
        int count = out->elements - first < BATCH_MAX ? (int)(out->elements - first) : BATCH_MAX;
        double *radius = all ? own : out->radius + first;
        struct elementwise_arguments a;
        elementwise_take(call->op, call->attributes, out->dtype,
                         &out->sensitivity[first * out->sensitivities], count, &a);
        expression_values(workspace, &a.row, value, radius);
        if (!all && !gradient && all_known(out->dtype, value, radius, count, &greatest)) { /* the usual
                                                                                              case */
            memset(wanted + first, false, (size_t)count * sizeof *wanted);
            values_of_numbers(out->value + first, value, radius, count);
            out->scale = fmax(out->scale, greatest);
        } else {
            any = take_each(call, out, all, first, count, value, radius, wanted + first) || any;
            out->scaled = false;
        }
    }
    return any;
}

static bool takes_numbers(const struct op_call *call, const struct truth_output *out)
{
    return call->numbers && out->sensitivities == 1 && out->dtype != DTYPE_FLOAT64 &&
           !elementwise_is_gradient(call->op);
}

/* Takes all elements from tier 1 as plain numbers, without struct value, if tier 1 is enough for all; else
 * returns false and takes nothing. */
static bool take_numbers(const struct op_call *call, struct truth_output *out,
                         struct expression_workspace *workspace)
{
    double greatest, most = 0, *number = malloc((size_t)out->elements * sizeof *number + 1);
    bool known = number != NULL;
    for (int64_t first = 0; known && first < out->elements; first += BATCH_MAX) {
        const int count = out->elements - first < BATCH_MAX ? (int)(out->elements - first) : BATCH_MAX;
        double *radius = out->radius + first;
        struct elementwise_arguments a;
        elementwise_take(call->op, call->attributes, out->dtype, &out->sensitivity[first], count, &a);
        expression_values(workspace, &a.row, number + first, radius);
        known = all_known(out->dtype, number + first, radius, count, &greatest);
        most = fmax(most, greatest);
    }
    if (!known) {
        free(number);
        return false;
    }
    free(out->value);
    out->value = NULL;
    out->number = number;
    out->scale = fmax(out->scale, most);
    out->scaled = true;
    return true;
}

/* Certifies the marked elements together. */
static bool certify_rest(const struct op_call *call, struct truth *truth, const bool *wanted,
                         struct error *error)
{
    struct truth_output *out = &truth->output[0];
    if (!certify_some(call, out, out->sensitivity, out->elements, wanted, out->value, &truth->bits, error)) {
        return false;
    }
    for (int64_t i = 0; out->sensitivities > 1 && i < out->elements; i++) {
        double x[ELEMENTWISE_OPERANDS];
        if (wanted[i]) {
            elementwise_operands(call, &out->shape, i, 1, x);
            bool slope = x[0] != out->sensitivity[i * out->sensitivities];
            out->value[i] = slope ? times_slope(x[0], &out->value[i]) : out->value[i];
        }
    }
    return true;
}

static bool answer(const struct op_call *call, struct truth *truth, bool enclosed, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    struct expression_workspace *workspace =
        elementwise_workspace(call->op, elementwise_row(call->op, call->attributes), FORM_SAFE);
    bool *wanted = malloc((size_t)out->elements + 1);
    bool good = workspace && wanted && (!enclosed || truth_output_radius(out, false));
    if (good) {
        elementwise_operands(call, &out->shape, 0, out->elements, out->sensitivity);
        good = (enclosed && takes_numbers(call, out) && take_numbers(call, out, workspace)) ||
               !take_tier_1(call, out, workspace, wanted) || certify_rest(call, truth, wanted, error);
    } else {
        error_set(error, "%s: out of memory", call->op->name);
    }
    for (int64_t i = 0; good && out->sensitivities > 1 && i < out->elements; i++) {
        elementwise_leave_open(call, out, i);
    }
    free(wanted);
    return good;
}

bool elementwise_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return computes(call) ? answer(call, truth, false, error) : elementwise_exact(call, truth, error);
}

bool elementwise_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return computes(call) ? answer(call, truth, true, error) : elementwise_exact(call, truth, error);
}

bool elementwise_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                         struct error *error)
{
    struct truth_output *out = &truth->output[output];
    out->radius[element] = 0;
    return certify_some(call, out, &out->sensitivity[element * out->sensitivities], 1, NULL,
                        &out->value[element], &truth->bits, error);
}
