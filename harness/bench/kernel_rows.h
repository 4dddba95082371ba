/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_KERNEL_ROWS_H
#define ASSAY_HARNESS_BENCH_KERNEL_ROWS_H

/* The rows of `assay bench kernels --sizes`: calls of one operator at sizes that people use. A new row is a
 * line of the table in kernel_rows.c. */

#include "reference/program/program.h"

/* The operands of a call, as functions of a row's sizes. */
enum kernel_form {
    FORM_UNARY,   /* [n] */
    FORM_BINARY,  /* [n], [n] */
    FORM_PRODUCT, /* m, k, n: [m, k], [k, n] */
    FORM_LINEAR,  /* a, b, k, n: input [a, b, k], weight [n, k], bias [n] */
    FORM_WINDOWS, /* n, c, s, k: input [n, c, s + k − 1, s + k − 1], weight [c, c, k, k], bias [c]; a gradient
                     has grad_output [n, c, s, s] first, and no bias */
    FORM_BATCH,        /* b, m, k, n: [b, m, k], [b, k, n] */
    FORM_HEADS,        /* b, h, l, d: query, key and value [b, h, l, d]; a gradient has grad_output first */
    FORM_VECTOR,       /* m, n: [m, n], [n] */
    FORM_ROW,          /* [..., n]: normalized_shape [n]; layer_norm also has a bias */
    FORM_CHANNELS,     /* [n, c, h, w]: weight and bias [c] */
    FORM_ROWS,         /* [r, c] */
    FORM_PEAKS,        /* [r, c]: the greatest element of each row is unique */
    FORM_SHARES,       /* [r, c], [r, c]: a gradient and a softmax: positive, the sum of a row is about 1 */
    FORM_SQUARES,      /* [..., n, n], positive-definite */
    FORM_SMALL,        /* [..., n, n] of a norm near 1 */
    FORM_CLASSES,      /* samples, classes: input [samples, classes], target [samples] */
    FORM_CHOICES,      /* the same, for an operator that reads one class of each sample */
    FORM_SPARSE,       /* rows, columns: CSR [rows, rows] with ten entries a row, and [rows, columns] */
    FORM_SPARSE_VECTOR /* rows: the same, and [rows] */
};

enum { KERNEL_SIZES = 4, KERNEL_NAME = 64 };

struct kernel_row {
    const char *op;
    enum dtype dtype;
    enum kernel_form form;
    int64_t size[KERNEL_SIZES];   /* 0 behind the last */
    struct attributes attributes; /* those that no size determines */
};

int kernel_rows(void); /* their number */

/* Returns row `index` with sizes whose product is `scale` times smaller, as near as sizes of at least
 * KERNEL_LEAST allow: the largest size is halved again and again. */
enum { KERNEL_LEAST = 16 }; /* more than the entries in a row of a sparse matrix */
struct kernel_row kernel_row(int index, int64_t scale);

/* The row whose result is a copy of `elements` float32 numbers. */
struct kernel_row kernel_row_copy(int64_t elements);

/* Writes "matmul/float32/4096x4096x4096". The sizes are those of the form. */
void kernel_row_name(const struct kernel_row *row, char name[KERNEL_NAME]);

/* Returns the floating-point operations of a row that arithmetic bounds; 0 for a row that memory bounds, and
 * for matrix_exp, whose algorithms differ in their number. */
double kernel_row_operations(const struct kernel_row *row);

/* Returns whether a row is bound by memory and touches all of its operands: its time is compared with that of
 * a copy. */
bool kernel_row_is_copying(const struct kernel_row *row);

/* Returns the bytes of all operands and results, which a call reads or writes at least once. */
int64_t kernel_program_bytes(const struct program *program);

/* Returns kernel_program_bytes of the row's program without building it. */
int64_t kernel_row_bytes(const struct kernel_row *row);

/* Builds the call with operands from Philox. Returns NULL with the reason. The caller destroys it. */
struct program *kernel_row_build(const struct kernel_row *row, uint64_t seed, struct error *error);

#endif
