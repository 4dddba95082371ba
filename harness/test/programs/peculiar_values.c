/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What peculiar_program.c computes in another way than the CPU backend. */

#include "harness/test/programs/peculiar_forms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void round_attributes(struct attributes *attributes)
{
    for (int a = 0; a < attributes->count; a++) {
        attributes->item[a].real = (float)attributes->item[a].real;
    }
}

/* Replaces NaN by `x` in the elements of output 0. */
static void replace_nan(const struct call *c, double x)
{
    for (int64_t i = 0; i < shape_elements(&c->output[0].shape); i++) {
        if (isnan(cpu_load(&c->output[0], i))) {
            cpu_store(&c->output[0], i, x);
        }
    }
}

/* Every second answer is shifted by one place. */
static void flicker(const struct call *c)
{
    static int calls;
    if (calls++ % 2) {
        double x = cpu_load(&c->output[0], 0);
        cpu_store(&c->output[0], 0, nextafterf((float)x, INFINITY));
    }
}

static bool is(const struct call *c, const char *name)
{
    return strcmp(c->op->name, name) == 0;
}

static bool is_whole(const struct call *c)
{
    return c->outputs == 1 && shape_elements(&c->output[0].shape) == 1 && c->input[0].dtype == DTYPE_FLOAT32;
}

/* Refuses a call without an attribute as a backend without defaults does, or uses another default for
 * rms_norm. */
static bool lacks_an_attribute(struct call *c, struct error *reason)
{
    for (int a = 0; peculiar("no-defaults") && a < ATTRIBUTES_MAX && c->op->attributes[a].name; a++) {
        if (op_has_default(c->op, c->op->attributes[a].name) &&
            !attributes_given(&c->attributes, c->op->attributes[a].name)) {
            return !error_set(reason, "no %s is given", c->op->attributes[a].name);
        }
    }
    if (peculiar("eps-of-layer-norm") && !attributes_given(&c->attributes, "eps")) {
        c->attributes.item[c->attributes.count++] =
            (struct attribute){.name = "eps", .type = ATTRIBUTE_REAL, .real = 1e-5};
    }
    if (peculiar("eps-of-float32") && !attributes_given(&c->attributes, "eps")) {
        c->attributes.item[c->attributes.count++] =
            (struct attribute){.name = "eps", .type = ATTRIBUTE_REAL, .real = 0x1p-23};
    }
    return false;
}

/* Reverses the last dimension but `behind` of a view. */
static void reverse(struct cpu_view *view, int behind, int64_t length)
{
    const int d = view->shape.rank - 1 - behind;
    if (view->data && d >= 0 && view->shape.dim[d] == length && length > 0) {
        view->data += (length - 1) * view->stride[d] * (int64_t)dtype_info(view->dtype)->size;
        view->stride[d] = -view->stride[d];
    }
}

/* Reverses the sums of a CSR matrix in which all rows have all columns: the columns stay in their order, and
 * the values of each row and the rows of the dense operand are reversed. */
static void reverse_full_csr(struct call *c)
{
    const struct integers *size = attributes_integers(&c->attributes, "size");
    struct cpu_view *values = &c->input[2], *dense = &c->input[3];
    if (size->item[0] <= 4 || dtype_info(values->dtype)->size != 2 ||
        values->shape.dim[0] != size->item[0] * size->item[1]) {
        return;
    }
    const int64_t all = values->shape.dim[0]; /* all values are reversed, and so are the rows of the result */
    reverse(values, 0, all);
    reverse(dense, dense->shape.rank - 1, size->item[1]);
    reverse(&c->output[0], dense->shape.rank - 1, size->item[0]);
}

/* Uses another order for more than four rows of 16-bit numbers, as kernels for batches do: their sums go from
 * the end of a row to its beginning. The results of no other operator depend on that order. */
static void reverse_rows(struct call *c)
{
    const struct cpu_view *x = &c->input[0];
    const bool product = is(c, "mv") || is(c, "linear") || is(c, "matmul");
    const bool matrices =
        is(c, "matrix_norm") || is(c, "group_norm") || is(c, "instance_norm") || is(c, "batch_norm");
    if (is(c, "csr_mm") || is(c, "csr_mv")) {
        reverse_full_csr(c);
        return;
    }
    if (x->shape.rank != (matrices ? 3 : 2) || x->shape.dim[is(c, "batch_norm") ? 1 : 0] <= 4 ||
        x->shape.dim[0] == x->shape.dim[1] || dtype_info(x->dtype)->size != 2 ||
        !dtype_is_floating(x->dtype)) {
        return;
    }
    const int64_t n = x->shape.dim[x->shape.rank - 1];
    for (int i = 0; i < (product ? 2 : c->inputs); i++) {
        reverse(&c->input[i], i == 1 && is(c, "matmul") && c->input[i].shape.rank > 1, n);
    }
    for (int o = 0; !product && o < c->outputs; o++) {
        reverse(&c->output[o], 0, n);
    }
}

static void scale_results(const struct call *c, double factor)
{
    for (int64_t i = 0; i < shape_elements(&c->output[0].shape); i++) {
        cpu_store(&c->output[0], i, (float)(cpu_load(&c->output[0], i) * factor));
    }
}

/* The count that a 16-bit type holds after counting `terms` one by one: in float16 infinity from 65,520 on,
 * if the whole count is converted, in bfloat16 at most 256. */
static double count_of(enum dtype dtype, double terms)
{
    return dtype == DTYPE_BFLOAT16 ? fmin(terms, 256) : terms >= 65520 ? INFINITY : terms;
}

/* Divides results of 16-bit operands by a count in that type: the longest dimension, in the cases that show
 * it. */
static void count_in_own_type(const struct call *c)
{
    const struct cpu_view *x = &c->input[op_leading_input(c->op)];
    double terms = 1;
    for (int k = 0; k < c->inputs; k++) {
        for (int d = 0; c->input[k].data && d < c->input[k].shape.rank; d++) {
            terms = fmax(terms, (double)c->input[k].shape.dim[d]);
        }
    }
    for (int o = 0; o < c->outputs && terms > 60000 && dtype_info(x->dtype)->size == 2; o++) {
        for (int64_t i = 0; i < shape_elements(&c->output[o].shape); i++) {
            cpu_store(&c->output[o], i, cpu_load(&c->output[o], i) * terms / count_of(x->dtype, terms));
        }
    }
}

enum cpu_status peculiar_compute(struct call *c, struct error *reason)
{
    double order = attributes_real(&c->attributes, "ord", 2);
    if (peculiar("float32-attributes")) {
        round_attributes(&c->attributes);
    }
    if (lacks_an_attribute(c, reason)) {
        return CPU_UNSUPPORTED;
    }
    if (peculiar("recursive") && is(c, "vector_norm") && is_whole(c) && order == 1) {
        return sum_in_sequence(c), CPU_OK;
    }
    if ((peculiar("naive") || peculiar("naive-wrong")) && is(c, "vector_norm") && is_whole(c) && order == 2) {
        return norm_naively(c, peculiar("naive") ? 1 : 1.001F), CPU_OK;
    }
    if (peculiar("naive-softmax") && is(c, "softmax") && c->outputs == 1 && c->input[0].shape.rank > 0) {
        return softmax_naively(c), CPU_OK;
    }
    if ((peculiar("documented-elu") || peculiar("wrong-elu")) && is(c, "elu")) {
        return elu_as_documented(c, peculiar("wrong-elu") ? 1.001F : 1), CPU_OK;
    }
    if (peculiar("strassen") && is(c, "matmul") && c->outputs == 1 && c->output[0].shape.rank == 2 &&
        shape_elements(&c->output[0].shape) == STRASSEN_ORDER * STRASSEN_ORDER &&
        c->input[0].shape.dim[1] == STRASSEN_ORDER) {
        return multiply_fast(c), CPU_OK;
    }
    if (peculiar("float32-only") && c->input[0].dtype != DTYPE_FLOAT32) {
        error_set(reason, "no kernel");
        return CPU_UNSUPPORTED; /* reported as an error */
    }
    struct call taken = *c; /* whose views may be reversed: the memory is the caller's */
    if (peculiar("order-by-batch")) {
        reverse_rows(&taken);
    }
    const struct cpu_op *op = cpu_op_find(c->op->name);
    enum cpu_status status =
        op->run(op, &taken.attributes, taken.inputs, taken.input, taken.outputs, taken.output, reason);
    if (status == CPU_OK && c->outputs) {
        if (peculiar("sgn-of-half") && c->output[0].dtype == DTYPE_FLOAT16) {
            replace_nan(c, 0);
        } else if (peculiar("slogdet-sign") && is(c, "slogdet")) {
            replace_nan(c, 1);
        } else if (peculiar("too-large")) {
            scale_results(c, dtype_info(c->output[0].dtype)->size == 2 ? 1 + 0x1p-8 : 1.03);
        } else if (peculiar("count-in-own-type")) {
            count_in_own_type(c);
        } else if (peculiar("flicker") && is(c, "vector_norm") && is_whole(c)) {
            flicker(c);
        }
    }
    return status;
}
