/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/kernel_call.h"

#include <math.h>
#include <string.h>

static void add(struct kernel_call *call, enum dtype dtype, struct shape shape, enum kernel_fill fill,
                double scale)
{
    call->operand[call->operands++] =
        (struct kernel_operand){.dtype = dtype, .shape = shape, .fill = fill, .scale = scale};
}

static void add_indices(struct kernel_call *call, int64_t count, enum kernel_fill fill, int64_t bound)
{
    add(call, DTYPE_INT64, shape_of(1, count), fill, 1);
    call->operand[call->operands - 1].bound = bound;
}

static struct attribute *attribute(struct kernel_call *call, const char *name, enum attribute_type type)
{
    struct attribute *a = &call->attributes.item[call->attributes.count++];
    *a = (struct attribute){.name = name, .type = type};
    return a;
}

static struct shape shape_of_sizes(const struct kernel_row *row)
{
    struct shape shape = {.rank = 0};
    for (int d = 0; d < KERNEL_SIZES && row->size[d] > 0; d++) {
        shape.dim[shape.rank++] = row->size[d];
    }
    return shape;
}

/* The gradient of a normalization takes the gradient of its result first, and no bias. */
static void make_normalization(struct kernel_call *call, const struct kernel_row *row, bool channels)
{
    const struct shape shape = shape_of_sizes(row),
                       one = shape_of(1, shape.dim[channels ? 1 : shape.rank - 1]);
    const bool gradient = strstr(row->op, "_backward") != NULL;
    if (gradient) {
        add(call, row->dtype, shape, FILL_SIGNED, 1);
    }
    add(call, row->dtype, shape, FILL_SIGNED, 1);
    add(call, row->dtype, one, FILL_SIGNED, 1);
    if (!gradient && strcmp(row->op, "rms_norm") != 0) {
        add(call, row->dtype, one, FILL_SIGNED, 1);
    }
    if (!channels) {
        attribute(call, "normalized_shape", ATTRIBUTE_INTEGERS)->integers = integers_of_shape(&one);
    } else if (strcmp(row->op, "group_norm") != 0) { /* the running statistics */
        call->absent = 2;
        call->absent_before = 1;
    }
    attribute(call, "eps", ATTRIBUTE_REAL)->real = 1e-5;
}

static void make_sparse(struct kernel_call *call, const struct kernel_row *row)
{
    const int64_t rows = row->size[0], entries = rows * KERNEL_ENTRIES;
    add_indices(call, rows + 1, FILL_STARTS, 0);
    add_indices(call, entries, FILL_COLUMNS, rows);
    add(call, row->dtype, shape_of(1, entries), FILL_SIGNED, 1);
    add(call, row->dtype, row->size[1] > 0 ? shape_of(2, rows, row->size[1]) : shape_of(1, rows), FILL_SIGNED,
        1);
    attribute(call, "size", ATTRIBUTE_INTEGERS)->integers = integers_of(2, rows, rows);
}

static void make_windows(struct kernel_call *call, const struct kernel_row *row)
{
    const int64_t *n = row->size, side = n[2] + n[3] - 1;
    const bool gradient = strstr(row->op, "_backward") != NULL;
    if (gradient) {
        add(call, row->dtype, shape_of(4, n[0], n[1], n[2], n[2]), FILL_SIGNED, 1);
    }
    add(call, row->dtype, shape_of(4, n[0], n[1], side, side), FILL_SIGNED, 1);
    add(call, row->dtype, shape_of(4, n[1], n[1], n[3], n[3]), FILL_SIGNED,
        1 / sqrt((double)(n[1] * n[3] * n[3])));
    if (!gradient) {
        add(call, row->dtype, shape_of(1, n[1]), FILL_SIGNED, 1);
    }
}

static void make_matrices(struct kernel_call *call, const struct kernel_row *row, enum kernel_fill fill)
{
    struct shape shape = shape_of_sizes(row);
    const int64_t n = shape.dim[shape.rank - 1];
    shape.dim[shape.rank++] = n;
    add(call, row->dtype, shape, fill, 1 / sqrt((double)n));
}

struct kernel_call kernel_call_of(const struct kernel_row *row)
{
    struct kernel_call call = {.attributes = row->attributes};
    const int64_t *n = row->size;
    const struct shape whole = shape_of_sizes(row);
    const enum dtype dtype = row->dtype;
    switch (row->form) {
    case FORM_UNARY:
    case FORM_ROWS:
        add(&call, dtype, whole, FILL_SIGNED, 1);
        break;
    case FORM_BINARY:
        add(&call, dtype, whole, FILL_SIGNED, 1);
        add(&call, dtype, whole, FILL_SIGNED, 1);
        break;
    case FORM_PRODUCT:
        add(&call, dtype, shape_of(2, n[0], n[1]), FILL_SIGNED, 1);
        add(&call, dtype, shape_of(2, n[1], n[2]), FILL_SIGNED, 1);
        break;
    case FORM_LINEAR:
        add(&call, dtype, shape_of(3, n[0], n[1], n[2]), FILL_SIGNED, 1);
        add(&call, dtype, shape_of(2, n[3], n[2]), FILL_SIGNED, 1 / sqrt((double)n[2]));
        add(&call, dtype, shape_of(1, n[3]), FILL_SIGNED, 1);
        break;
    case FORM_WINDOWS:
        make_windows(&call, row);
        break;
    case FORM_BATCH:
        add(&call, dtype, shape_of(3, n[0], n[1], n[2]), FILL_SIGNED, 1);
        add(&call, dtype, shape_of(3, n[0], n[2], n[3]), FILL_SIGNED, 1);
        break;
    case FORM_HEADS:
        for (int i = strstr(row->op, "_backward") ? 0 : 1; i < 4; i++) {
            add(&call, dtype, whole, FILL_SIGNED, 1);
        }
        break;
    case FORM_VECTOR:
        add(&call, dtype, whole, FILL_SIGNED, 1);
        add(&call, dtype, shape_of(1, n[1]), FILL_SIGNED, 1);
        break;
    case FORM_ROW:
    case FORM_CHANNELS:
        make_normalization(&call, row, row->form == FORM_CHANNELS);
        break;
    case FORM_PEAKS:
        add(&call, dtype, whole, FILL_PEAKS, 1);
        break;
    case FORM_SHARES:
        add(&call, dtype, whole, FILL_SIGNED, 1);
        add(&call, dtype, whole, FILL_POSITIVE, 2 / (double)n[1]);
        break;
    case FORM_SQUARES:
    case FORM_SMALL:
        make_matrices(&call, row, row->form == FORM_SQUARES ? FILL_SQUARES : FILL_SIGNED);
        break;
    case FORM_CLASSES:
    case FORM_CHOICES:
        add(&call, dtype, whole, FILL_SIGNED, 1);
        add_indices(&call, n[0], FILL_BELOW, n[1]);
        break;
    case FORM_SPARSE:
    case FORM_SPARSE_VECTOR:
        make_sparse(&call, row);
        break;
    }
    return call;
}
