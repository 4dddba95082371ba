/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/kernel_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define INTEGER(name_, value_)                                                                               \
    {                                                                                                        \
        .count = 1, .item = { {.name = name_, .type = ATTRIBUTE_INTEGER, .integer = (value_)} }              \
    }
#define LIST(name_, value_)                                                                                  \
    {                                                                                                        \
        .count = 1, .item = {                                                                                \
            {.name = name_, .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {value_}}}          \
        }                                                                                                    \
    }
#define CHOICE(name_, number_, word_)                                                                        \
    {                                                                                                        \
        .count = 1, .item = {                                                                                \
            {.name = name_, .type = ATTRIBUTE_CHOICE, .integer = (number_), .word = word_}                   \
        }                                                                                                    \
    }
#define TRAINING                                                                                             \
    {                                                                                                        \
        .count = 1, .item = { {.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1} }                   \
    }
#define NONE                                                                                                 \
    {                                                                                                        \
        .count = 0                                                                                           \
    }

#define F16  DTYPE_FLOAT16
#define BF16 DTYPE_BFLOAT16
#define F32  DTYPE_FLOAT32
#define F64  DTYPE_FLOAT64
enum { M64 = 1 << 26, M256 = 1 << 28, SIDE = 16384 };

static const struct kernel_row rows[] = {
    {"matmul", F32, FORM_PRODUCT, {512, 512, 512}, NONE},
    {"matmul", F32, FORM_PRODUCT, {4096, 4096, 4096}, NONE},
    {"matmul", F32, FORM_PRODUCT, {64, 65537, 64}, NONE},
    {"matmul", F16, FORM_PRODUCT, {4096, 4096, 4096}, NONE},
    {"matmul", F16, FORM_PRODUCT, {64, 65537, 64}, NONE},
    {"matmul", BF16, FORM_PRODUCT, {4096, 4096, 4096}, NONE},
    {"matmul", F64, FORM_PRODUCT, {1024, 1024, 1024}, NONE},
    {"int_mm", DTYPE_INT8, FORM_PRODUCT, {2048, 2048, 2048}, NONE},
    {"linear", F32, FORM_LINEAR, {32, 128, 768, 768}, NONE},
    {"linear", F16, FORM_LINEAR, {32, 128, 768, 768}, NONE},
    {"matmul", F32, FORM_PRODUCT, {256, 2304, 6272}, NONE}, /* the products of the next row */
    {"conv2d", F32, FORM_WINDOWS, {32, 256, 14, 3}, NONE},
    {"conv2d", F16, FORM_WINDOWS, {32, 256, 14, 3}, NONE},
    {"conv2d", F32, FORM_WINDOWS, {32, 64, 56, 3}, NONE},
    {"conv2d", F32, FORM_WINDOWS, {32, 256, 56, 1}, NONE},
    {"conv2d_backward", F32, FORM_WINDOWS, {32, 256, 14, 3}, NONE},
    {"conv_transpose2d", F32, FORM_WINDOWS, {32, 256, 14, 3}, NONE},
    {"matmul", F32, FORM_BATCH, {16, 512, 64, 512}, NONE}, /* the parts of the attention below */
    {"softmax", F32, FORM_ROWS, {8192, 512}, INTEGER("dim", -1)},
    {"matmul", F32, FORM_BATCH, {16, 512, 512, 64}, NONE},
    {"scaled_dot_product_attention", F32, FORM_HEADS, {2, 8, 512, 64}, NONE},
    {"scaled_dot_product_attention", F32, FORM_HEADS, {8, 16, 1024, 64}, NONE},
    {"scaled_dot_product_attention", F16, FORM_HEADS, {8, 16, 1024, 64}, NONE},
    {"scaled_dot_product_attention_backward", F32, FORM_HEADS, {2, 8, 512, 64}, NONE},
    {"mv", F32, FORM_VECTOR, {8192, 8192}, NONE},
    {"layer_norm", F32, FORM_ROW, {32, 128, 768}, NONE},
    {"layer_norm", F32, FORM_ROW, {8, 65537}, NONE},
    {"layer_norm", F16, FORM_ROW, {32, 128, 768}, NONE},
    {"layer_norm_backward", F32, FORM_ROW, {32, 128, 768}, NONE},
    {"rms_norm", F32, FORM_ROW, {32, 128, 768}, NONE},
    {"rms_norm", F32, FORM_ROW, {8, 65537}, NONE},
    {"rms_norm_backward", F32, FORM_ROW, {32, 128, 768}, NONE},
    {"rms_norm_backward", F32, FORM_ROW, {8, 65537}, NONE},
    {"batch_norm", F32, FORM_CHANNELS, {32, 256, 56, 56}, TRAINING},
    {"instance_norm", F32, FORM_CHANNELS, {32, 256, 56, 56}, NONE},
    {"group_norm", F32, FORM_CHANNELS, {32, 256, 56, 56}, INTEGER("num_groups", 8)},
    {"softmax", F32, FORM_ROWS, {SIDE, SIDE}, INTEGER("dim", -1)},
    {"softmax", F32, FORM_ROWS, {4096, 1000}, INTEGER("dim", -1)},
    {"log_softmax", F32, FORM_ROWS, {4096, 32000}, INTEGER("dim", -1)},
    {"softmax_backward", F32, FORM_SHARES, {4096, 32000}, INTEGER("dim", -1)},
    {"sum", F32, FORM_UNARY, {M256}, NONE},
    {"sum", F32, FORM_ROWS, {SIDE, SIDE}, LIST("dim", -1)},
    {"sum", F32, FORM_ROWS, {SIDE, SIDE}, LIST("dim", 0)},
    {"mean", F32, FORM_ROWS, {SIDE, SIDE}, LIST("dim", -1)},
    {"amax", F32, FORM_ROWS, {SIDE, SIDE}, LIST("dim", -1)},
    {"argmax", F32, FORM_PEAKS, {SIDE, SIDE}, INTEGER("dim", -1)},
    {"var", F32, FORM_ROWS, {SIDE, SIDE}, LIST("dim", -1)},
    {"logsumexp", F32, FORM_ROWS, {SIDE, SIDE}, LIST("dim", -1)},
    {"vector_norm", F32, FORM_UNARY, {M64}, NONE},
    {"neg", F32, FORM_UNARY, {M256}, NONE},
    {"add", F32, FORM_BINARY, {M256}, NONE},
    {"exp", F32, FORM_UNARY, {M256}, NONE},
    {"neg", F16, FORM_UNARY, {M256}, NONE},
    {"add", F16, FORM_BINARY, {M256}, NONE},
    {"exp", F16, FORM_UNARY, {M256}, NONE},
    {"mul", F32, FORM_BINARY, {M64}, NONE},
    {"square", F32, FORM_UNARY, {M64}, NONE},
    {"gelu", F32, FORM_UNARY, {M64}, NONE},
    {"gelu_backward", F32, FORM_BINARY, {M64}, NONE},
    {"sigmoid", F32, FORM_UNARY, {M64}, NONE},
    {"silu", F32, FORM_UNARY, {M64}, NONE},
    {"to", F32, FORM_UNARY, {M64}, CHOICE("dtype", DTYPE_FLOAT16, "float16")},
    {"mse_loss", F32, FORM_BINARY, {M64}, NONE},
    {"cross_entropy", F32, FORM_CLASSES, {4096, 32000}, NONE},
    {"nll_loss", F32, FORM_CHOICES, {65536, 1000}, NONE},
    {"logdet", F32, FORM_SQUARES, {200}, NONE},
    {"logdet", F32, FORM_SQUARES, {1000}, NONE},
    {"logdet", F32, FORM_SQUARES, {10000, 32}, NONE},
    {"matrix_exp", F32, FORM_SMALL, {256}, NONE},
    {"matrix_exp", F32, FORM_SMALL, {10000, 32}, NONE},
    {"csr_mm", F32, FORM_SPARSE, {100000, 64}, NONE},
    {"csr_mv", F32, FORM_SPARSE_VECTOR, {100000}, NONE},
};

int kernel_rows(void)
{
    return (int)(sizeof rows / sizeof *rows);
}

struct kernel_row kernel_row(int index, int64_t scale)
{
    struct kernel_row row = rows[index];
    while (scale > 1) {
        int largest = 0;
        for (int d = 1; d < KERNEL_SIZES; d++) {
            largest = row.size[d] > row.size[largest] ? d : largest;
        }
        if (row.size[largest] < 2 * KERNEL_LEAST) {
            break;
        }
        row.size[largest] = (row.size[largest] + 1) / 2; /* an odd size stays odd where it is 2^k + 1 */
        scale = (scale + 1) / 2;
    }
    return row;
}

struct kernel_row kernel_row_copy(int64_t elements)
{
    return (struct kernel_row){"clone", F32, FORM_UNARY, {elements}, NONE};
}

void kernel_row_name(const struct kernel_row *row, char name[KERNEL_NAME])
{
    static const char prefix[] = "scaled_dot_product_"; /* left out: the name must fit the table */
    const bool shortened = strncmp(row->op, prefix, sizeof prefix - 1) == 0;
    int used = snprintf(name, KERNEL_NAME, "%s/%s/", row->op + (shortened ? sizeof prefix - 1 : 0),
                        dtype_info(row->dtype)->name);
    for (int d = 0; d < KERNEL_SIZES && row->size[d] > 0 && used < KERNEL_NAME; d++) {
        used += snprintf(name + used, (size_t)(KERNEL_NAME - used), "%s%" PRId64, d ? "x" : "", row->size[d]);
    }
    const struct attribute *first = &row->attributes.item[0];
    if (row->attributes.count > 0 && first->type == ATTRIBUTE_INTEGERS && first->integers.item[0] == 0 &&
        used < KERNEL_NAME) {
        snprintf(name + used, (size_t)(KERNEL_NAME - used), "/columns");
    }
}

double kernel_row_operations(const struct kernel_row *row)
{
    const int64_t *size = row->size;
    double product = 1;
    switch (row->form) {
    case FORM_PRODUCT:
    case FORM_BATCH:
    case FORM_LINEAR:
        for (int d = 0; d < KERNEL_SIZES && size[d] > 0; d++) {
            product *= (double)size[d];
        }
        return 2 * product;
    case FORM_WINDOWS: /* each gradient has as many products */
        product = (double)size[0] * (double)(size[1] * size[1]) * (double)(size[2] * size[2]) *
                  (double)(size[3] * size[3]);
        return 2 * product * (strstr(row->op, "_backward") ? 2 : 1);
    case FORM_HEADS: /* the gradient has five products in place of two */
        product = (double)(size[0] * size[1]) * (double)(size[2] * size[2]) * (double)size[3];
        return 2 * product * (strstr(row->op, "_backward") ? 5 : 2);
    case FORM_SQUARES: { /* the elimination of n rows takes n³/3 products and as many differences */
        double n = (double)size[size[1] > 0];
        return (size[1] > 0 ? (double)size[0] : 1) * 2 / 3 * n * n * n;
    }
    default:
        return 0;
    }
}

bool kernel_row_is_copying(const struct kernel_row *row)
{
    return row->form != FORM_PRODUCT && row->form != FORM_LINEAR && row->form != FORM_WINDOWS &&
           row->form != FORM_BATCH && row->form != FORM_HEADS && row->form != FORM_SQUARES &&
           row->form != FORM_SMALL && row->form != FORM_CHOICES;
}
