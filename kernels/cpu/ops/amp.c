/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The operations of a gradient scaler. The 16-bit types are computed in float32. */

#include "kernels/cpu/cpu_backend.h"

#include <math.h>
#include <string.h>

static float scalar(const struct cpu_view *view)
{
    float x;
    memcpy(&x, view->data, sizeof x);
    return x;
}

static void set_scalar(const struct cpu_view *view, float x)
{
    memcpy(view->data, &x, sizeof x);
}

static bool is_scalar(const struct cpu_view *view, enum dtype dtype)
{
    return view->dtype == dtype && shape_elements(&view->shape) == 1;
}

static bool same_shape(const struct cpu_view *a, const struct cpu_view *b)
{
    bool same = a->shape.rank == b->shape.rank && a->dtype == b->dtype;
    for (int d = 0; same && d < a->shape.rank; d++) {
        same = a->shape.dim[d] == b->shape.dim[d];
    }
    return same;
}

static enum cpu_status refuse(struct error *reason)
{
    return cpu_reject(reason, "an operand's shape or dtype does not fit the others");
}

static double times(const struct cpu_view *view, int64_t i, float factor)
{
    double x = cpu_load(view, i);
    return view->dtype == DTYPE_FLOAT64 ? x * (double)factor : (double)((float)x * factor);
}

static enum cpu_status scale(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                             const struct cpu_view *input, int outputs, const struct cpu_view *output,
                             struct error *reason)
{
    (void)op, (void)attributes, (void)inputs;
    if (!dtype_is_real(input[0].dtype) || !is_scalar(&input[1], DTYPE_FLOAT32)) {
        return refuse(reason);
    }
    int64_t count = shape_elements(&input[0].shape);
    for (int64_t i = 0; outputs > 0 && i < count; i++) {
        cpu_store(&output[0], i, times(&input[0], i, scalar(&input[1])));
    }
    return CPU_OK;
}

static enum cpu_status unscale(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                               const struct cpu_view *input, int outputs, const struct cpu_view *output,
                               struct error *reason)
{
    (void)op, (void)attributes, (void)outputs, (void)output;
    const struct cpu_view *found = &input[inputs - 2], *inverse = &input[inputs - 1];
    bool good = is_scalar(found, DTYPE_FLOAT32) && is_scalar(inverse, DTYPE_FLOAT32);
    for (int g = 0; g < inputs - 2; g++) {
        good = good && dtype_is_real(input[g].dtype) && input[g].dtype == input[0].dtype;
    }
    if (!good) {
        return refuse(reason);
    }
    for (int g = 0; g < inputs - 2; g++) {
        int64_t count = shape_elements(&input[g].shape);
        for (int64_t i = 0; i < count; i++) {
            if (!isfinite(cpu_load(&input[g], i))) {
                set_scalar(found, 1);
            }
            cpu_store(&input[g], i, times(&input[g], i, scalar(inverse)));
        }
    }
    return CPU_OK;
}

static enum cpu_status step(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                            const struct cpu_view *input, int outputs, const struct cpu_view *output,
                            struct error *reason)
{
    (void)op, (void)inputs, (void)outputs, (void)output;
    double lr = attributes_real(attributes, "lr", 0);
    if (!dtype_is_real(input[0].dtype) || !same_shape(&input[0], &input[1]) ||
        !is_scalar(&input[2], DTYPE_FLOAT32)) {
        return refuse(reason);
    }
    int64_t count = scalar(&input[2]) == 0 ? shape_elements(&input[0].shape) : 0;
    for (int64_t i = 0; i < count; i++) {
        double p = cpu_load(&input[0], i), g = cpu_load(&input[1], i);
        bool twice = input[0].dtype == DTYPE_FLOAT64;
        cpu_store(&input[0], i, twice ? p - lr * g : (double)((float)p - (float)lr * (float)g));
    }
    return CPU_OK;
}

static enum cpu_status update_scale(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                    const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                    struct error *reason)
{
    (void)op, (void)inputs, (void)outputs, (void)output;
    if (!is_scalar(&input[0], DTYPE_FLOAT32) || !is_scalar(&input[1], DTYPE_INT32) ||
        !is_scalar(&input[2], DTYPE_FLOAT32)) {
        return refuse(reason);
    }
    int32_t tracker;
    memcpy(&tracker, input[1].data, sizeof tracker);
    tracker++;
    if (scalar(&input[2]) != 0) {
        set_scalar(&input[0], scalar(&input[0]) * (float)attributes_real(attributes, "backoff_factor", 0.5));
        tracker = 0;
    } else if (tracker == attributes_integer(attributes, "growth_interval", 2000)) {
        float grown = scalar(&input[0]) * (float)attributes_real(attributes, "growth_factor", 2);
        if (isfinite(grown)) {
            set_scalar(&input[0], grown);
        }
        tracker = 0;
    }
    memcpy(input[1].data, &tracker, sizeof tracker);
    return CPU_OK;
}

enum { CALL_UNSCALE, CALL_STEP, CALL_UPDATE };
enum stage { READY, UNSCALED, STEPPED };

static enum stage stage_after(int64_t call)
{
    return call == CALL_UNSCALE ? UNSCALED : call == CALL_STEP ? STEPPED : READY;
}

static bool sequence_is_legal(const struct integers *calls)
{
    enum stage stage = READY;
    bool legal = calls && calls->count > 0;
    for (int c = 0; legal && c < calls->count; c++) {
        int64_t call = calls->item[c];
        legal = call == CALL_UNSCALE ? stage == READY
                : call == CALL_STEP  ? stage != STEPPED
                                     : call == CALL_UPDATE && stage != READY;
        stage = stage_after(call);
    }
    return legal;
}

/* Runs the operators above in the order in which a gradient scaler and its optimizer call them. The operands
 * are [param, grad, …, scale, tracker]. */
static enum cpu_status grad_scaler(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                   const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                   struct error *reason)
{
    const struct integers *calls = attributes_integers(attributes, "calls");
    float found = 0, inverse = 0;
    int pairs = (inputs - 2) / 2;
    struct cpu_view scale_now = input[inputs - 2], tracker = input[inputs - 1], unscaled[OPERANDS_MAX];
    struct cpu_view found_inf = {.data = (unsigned char *)&found, .dtype = DTYPE_FLOAT32};
    struct cpu_view inv_scale = {.data = (unsigned char *)&inverse, .dtype = DTYPE_FLOAT32};
    bool good = inputs % 2 == 0 && sequence_is_legal(calls) && is_scalar(&scale_now, DTYPE_FLOAT32) &&
                is_scalar(&tracker, DTYPE_INT32);
    for (int p = 0; p < pairs; p++) {
        enum dtype dtype = input[2 * p].dtype;
        good = good && (dtype == DTYPE_FLOAT32 || dtype == DTYPE_FLOAT64) && dtype == input[0].dtype &&
               same_shape(&input[2 * p], &input[2 * p + 1]);
        unscaled[p] = input[2 * p + 1];
    }
    unscaled[pairs] = found_inf;
    unscaled[pairs + 1] = inv_scale;
    enum stage stage = READY;
    for (int c = 0; good && c < calls->count; c++) {
        if (calls->item[c] != CALL_UPDATE && stage == READY) {
            found = 0;
            inverse = (float)(1 / (double)scalar(&scale_now));
            unscale(op, attributes, pairs + 2, unscaled, outputs, output, reason);
        }
        for (int p = 0; calls->item[c] == CALL_STEP && p < pairs; p++) {
            step(op, attributes, 3, (struct cpu_view[]){input[2 * p], input[2 * p + 1], found_inf}, outputs,
                 output, reason);
        }
        if (calls->item[c] == CALL_UPDATE) {
            update_scale(op, attributes, 3, (struct cpu_view[]){scale_now, tracker, found_inf}, outputs,
                         output, reason);
        }
        stage = stage_after(calls->item[c]);
    }
    return good ? CPU_OK : refuse(reason);
}

static const struct cpu_op ops[] = {{.name = "grad_scaler", .run = grad_scaler},
                                    {.name = "amp_scale", .run = scale},
                                    {.name = "amp_unscale", .run = unscale},
                                    {.name = "amp_step", .run = step},
                                    {.name = "amp_update_scale", .run = update_scale}};

const struct cpu_op_set cpu_op_set_amp = {.op = ops, .count = sizeof ops / sizeof *ops};
