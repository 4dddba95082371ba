/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_CPU_BACKEND_H
#define ASSAY_KERNELS_CPU_CPU_BACKEND_H

/* The CPU backend: operators in plain C, computed in the dtype's own precision. It shares no arithmetic with
 * reference/.
 *
 * It shows that ordinary code can pass the suite, and which errors a CPU makes in that precision. Its
 * operators work on strided views of raw memory, like GPU kernels. A file in ops/ exports a set of operators;
 * cpu_op_find finds one by name. */

#include "reference/program/program.h"

/* An operand: pointer to element (0, …, 0), shape, strides in elements. */
struct cpu_view {
    unsigned char *data;
    enum dtype dtype;
    struct shape shape;
    int64_t stride[RANK_MAX];
};

enum cpu_status { CPU_OK, CPU_REJECTED, CPU_UNSUPPORTED, CPU_OUT_OF_MEMORY };

struct cpu_op {
    const char *name; /* operator name as in reference/ */
    int variant;      /* tag private to the file: a number or flags for operators that share a function */
    const struct cpu_function *function; /* kernels/cpu/elementwise.h */
    const struct cpu_row_function *row;  /* kernels/cpu/rows.h */
    /* Computes the outputs. input[i].data is NULL for an absent operand. Sets `reason` unless it returns
     * CPU_OK. */
    enum cpu_status (*run)(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason);
};

/* Sets the reason and returns CPU_REJECTED: the operator must refuse these operands. */
static inline enum cpu_status cpu_reject(struct error *reason, const char *text)
{
    error_set(reason, "%s", text);
    return CPU_REJECTED;
}

/* Zeroed working memory for `count` elements of `size` bytes, owned by the caller, who frees it. NULL
 * when this machine has no memory for it: `reason` then says what was requested, and the operator returns
 * CPU_OUT_OF_MEMORY. A count of 0 is no reason for NULL. */
void *cpu_allocate(int64_t count, size_t size, struct error *reason);

struct cpu_op_set {
    const struct cpu_op *op;
    int count;
};

/* Returns x restricted to the dimensions d whose bit d is set in `mask`, at index 0 of the others. */
struct cpu_view cpu_restricted(const struct cpu_view *x, unsigned mask);

/* Address of the i-th element in row-major order. */
unsigned char *cpu_at(const struct cpu_view *view, int64_t i);

double cpu_load(const struct cpu_view *view, int64_t i);
int64_t cpu_load_integer(const struct cpu_view *view, int64_t i); /* of int32 or int64 */
void cpu_store(const struct cpu_view *view, int64_t i,
               double x); /* x must be a float32 value unless float64 */

const struct cpu_op *cpu_op_find(const char *name); /* NULL when the CPU backend lacks it */

#endif
