/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* argmax and argmin: a scan of each row, with the processor's comparisons. A NaN leads; of ties the first
 * element. */

#include "kernels/cpu/cpu_backend.h"

#include <math.h>
#include <string.h>

enum { GREATEST, LEAST };

/* True if element i leads element j, which is later in the row. */
static bool leads(const struct cpu_view *x, int64_t i, int64_t j, int variant)
{
    if (!dtype_is_real(x->dtype)) {
        int64_t a = cpu_load_integer(x, i), b = cpu_load_integer(x, j);
        return variant == LEAST ? a <= b : a >= b;
    }
    double a = cpu_load(x, i), b = cpu_load(x, j);
    return isnan(a) || (!isnan(b) && (variant == LEAST ? a <= b : a >= b));
}

static int64_t leader(const struct cpu_view *row, int variant)
{
    int64_t best = 0, count = shape_elements(&row->shape);
    for (int64_t i = 1; i < count; i++) {
        best = leads(row, best, i, variant) ? best : i;
    }
    return best;
}

/* Returns x restricted to the reduced dimensions or to the others; dim −1 reduces all. */
static struct cpu_view part_of(const struct cpu_view *x, int dim, bool reduced)
{
    struct cpu_view part = {.data = x->data, .dtype = x->dtype};
    for (int d = 0; d < x->shape.rank; d++) {
        if ((dim < 0 || d == dim) == reduced) {
            part.stride[part.shape.rank] = x->stride[d];
            part.shape.dim[part.shape.rank++] = x->shape.dim[d];
        }
    }
    return part;
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)inputs, (void)outputs;
    const struct cpu_view *x = &input[0];
    int64_t dim = attributes_integer(attributes, "dim", 0), dimensions = x->shape.rank ? x->shape.rank : 1;
    bool all = !attributes_given(attributes, "dim");
    if (!dtype_is_real(x->dtype) && x->dtype != DTYPE_INT32 && x->dtype != DTYPE_INT64) {
        error_set(reason, "the CPU backend has no %s for %s", op->name, dtype_info(x->dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (!all && (dim < -dimensions || dim >= dimensions)) {
        return cpu_reject(reason, "a dimension is out of range");
    }
    int which = all ? -1 : (int)(dim < 0 ? dim + dimensions : dim);
    struct cpu_view row = part_of(x, which, true), kept = part_of(x, which, false);
    if (shape_elements(&row.shape) == 0) {
        return cpu_reject(reason, "no greatest or least of no elements");
    }
    int64_t count = shape_elements(&kept.shape);
    for (int64_t i = 0; i < count; i++) {
        row.data = cpu_at(&kept, i);
        int64_t place = leader(&row, op->variant);
        memcpy(cpu_at(&output[0], i), &place, sizeof place);
    }
    return CPU_OK;
}

static const struct cpu_op ops[] = {{.name = "argmax", .variant = GREATEST, .run = run},
                                    {.name = "argmin", .variant = LEAST, .run = run}};

const struct cpu_op_set cpu_op_set_argmax = {.op = ops, .count = sizeof ops / sizeof *ops};
