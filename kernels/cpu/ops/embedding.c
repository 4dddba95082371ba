/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* embedding: copies of the rows that indices name. embedding_backward: for each row a list of the vectors
 * whose index names it, which are summed as in dot.h, in float32 for the 16-bit types. */

#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/dot.h"

#include <stdlib.h>
#include <string.h>

static bool names_rows(const struct attributes *attributes, const struct cpu_view *indices, int64_t rows)
{
    const int64_t padding = attributes_integer(attributes, "padding_idx", 0);
    bool good = !attributes_given(attributes, "padding_idx") || (padding >= -rows && padding < rows);
    for (int64_t i = 0; good && i < shape_elements(&indices->shape); i++) {
        const int64_t row = cpu_load_integer(indices, i);
        good = row >= 0 && row < rows;
    }
    return good;
}

static enum cpu_status forward(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                               const struct cpu_view *input, int outputs, const struct cpu_view *output,
                               struct error *reason)
{
    (void)op, (void)inputs;
    const struct cpu_view *table = &input[0], *indices = &input[1];
    if (!dtype_is_real(table->dtype) || indices->dtype != DTYPE_INT64 || table->shape.rank != 2 ||
        !names_rows(attributes, indices, table->shape.dim[0])) {
        return cpu_reject(reason, "the table, the indices or padding_idx do not fit");
    }
    const int64_t width = table->shape.dim[1];
    const size_t size = dtype_info(table->dtype)->size;
    for (int64_t i = 0; outputs > 0 && i < shape_elements(&output[0].shape); i++) {
        const int64_t row = cpu_load_integer(indices, i / width);
        memcpy(cpu_at(&output[0], i), cpu_at(table, row * width + i % width), size);
    }
    return CPU_OK;
}

struct lists {
    int64_t *head, *next; /* of each row the first vector, of each vector the next one; −1: the end */
    double *wide, *ones;
    float *narrow, *units;
};

static bool make_lists(struct lists *l, int64_t rows, const struct cpu_view *indices, bool wide,
                       struct error *reason)
{
    const int64_t count = shape_elements(&indices->shape);
    const size_t size = wide ? sizeof(double) : sizeof(float);
    void *terms, *ones;
    l->head = cpu_allocate(rows, sizeof *l->head, reason);
    l->next = cpu_allocate(count, sizeof *l->next, reason);
    terms = cpu_allocate(count, size, reason);
    ones = cpu_allocate(count, size, reason);
    l->wide = terms;
    l->narrow = terms;
    l->ones = ones;
    l->units = ones;
    if (!l->head || !l->next || !terms || !ones) {
        return false;
    }
    memset(l->head, 0xff, (size_t)rows * sizeof *l->head);
    for (int64_t i = count - 1; i >= 0; i--) {
        const int64_t row = cpu_load_integer(indices, i);
        l->next[i] = l->head[row];
        l->head[row] = i;
        if (wide) {
            l->ones[i] = 1;
        } else {
            l->units[i] = 1;
        }
    }
    return true;
}

static double sum_of(const struct lists *l, int64_t row, const struct cpu_view *grad, int64_t width,
                     int64_t column, bool wide)
{
    int64_t count = 0;
    for (int64_t i = l->head[row]; i >= 0; i = l->next[i]) {
        const double x = cpu_load(grad, i * width + column);
        if (wide) {
            l->wide[count++] = x;
        } else {
            l->narrow[count++] = (float)x;
        }
    }
    return wide ? dot_double(l->wide, l->ones, count) : (double)dot_float(l->narrow, l->units, count);
}

static enum cpu_status backward(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                struct error *reason)
{
    (void)op, (void)inputs;
    const struct cpu_view *grad = &input[0], *indices = &input[1];
    const int64_t rows = attributes_integer(attributes, "num_weights", -1);
    const int rank = indices->shape.rank;
    struct shape leading = grad->shape;
    leading.rank = rank;
    if (!dtype_is_real(grad->dtype) || indices->dtype != DTYPE_INT64 || rows < 0 ||
        grad->shape.rank != rank + 1 || !shape_equal(&leading, &indices->shape) ||
        !names_rows(attributes, indices, rows)) {
        return cpu_reject(reason, "grad_output, indices, num_weights or padding_idx do not fit");
    }
    if (outputs == 0) {
        return CPU_OK;
    }
    const int64_t width = grad->shape.dim[rank], padding = attributes_integer(attributes, "padding_idx", 0);
    const bool wide = grad->dtype == DTYPE_FLOAT64;
    struct lists l;
    bool good = make_lists(&l, rows, indices, wide, reason);
    if (good && attributes_given(attributes, "padding_idx")) {
        l.head[padding < 0 ? padding + rows : padding] = -1;
    }
    for (int64_t e = 0; good && e < rows * width; e++) {
        cpu_store(&output[0], e, sum_of(&l, e / width, grad, width, e % width, wide));
    }
    free(l.head);
    free(l.next);
    free(l.wide);
    free(l.ones);
    return good ? CPU_OK : CPU_OUT_OF_MEMORY;
}

static const struct cpu_op ops[] = {{.name = "embedding", .run = forward},
                                    {.name = "embedding_backward", .run = backward}};

const struct cpu_op_set cpu_op_set_embedding = {.op = ops, .count = sizeof ops / sizeof *ops};
