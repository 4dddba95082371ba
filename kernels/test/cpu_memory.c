/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests that operators of the CPU backend report a lack of working memory: operands have 2^48 elements, all
 * at one address, for which no machine has memory. */

#include "kernels/cpu/cpu_backend.h"

#include <criterion/criterion.h>
#include <string.h>

enum { OPERANDS_MOST = 4 };
#define HUGE_COUNT ((int64_t)1 << 48)

struct row {
    const char *name;
    int inputs;
    struct shape input[OPERANDS_MOST], output;
    const char *list; /* name of an attribute of `items` integers; NULL: the attribute is dim = 0 */
    int items;
    int64_t item[2];
    unsigned integers;    /* bit i: input i holds int64 */
    int64_t first_stride; /* of dimension 0 of the first input */
};

#define VECTOR(n)                                                                                            \
    {                                                                                                        \
        .rank = 1, .dim = { n }                                                                              \
    }
#define MATRIX(m, n)                                                                                         \
    {                                                                                                        \
        .rank = 2, .dim = { m, n }                                                                           \
    }
#define CUBE(b, m, n)                                                                                        \
    {                                                                                                        \
        .rank = 3, .dim = { b, m, n }                                                                        \
    }
#define NUMBER                                                                                               \
    {                                                                                                        \
        .rank = 0                                                                                            \
    }

static const struct row rows[] = {
    {.name = "sum", .inputs = 1, .input = {VECTOR(HUGE_COUNT)}, .output = NUMBER},
    {.name = "softmax", .inputs = 1, .input = {VECTOR(HUGE_COUNT)}, .output = VECTOR(HUGE_COUNT)},
    {.name = "matmul",
     .inputs = 2,
     .input = {MATRIX(HUGE_COUNT, 1), MATRIX(1, 1)},
     .output = MATRIX(HUGE_COUNT, 1)},
    {.name = "linear",
     .inputs = 2,
     .input = {MATRIX(1, 1), MATRIX(HUGE_COUNT, 1)},
     .output = MATRIX(1, HUGE_COUNT)},
    {.name = "layer_norm",
     .inputs = 1,
     .input = {MATRIX(1, HUGE_COUNT)},
     .output = MATRIX(1, HUGE_COUNT),
     .list = "normalized_shape",
     .items = 1,
     .item = {HUGE_COUNT}},
    {.name = "group_norm", .inputs = 1, .input = {MATRIX(HUGE_COUNT, 1)}, .output = MATRIX(HUGE_COUNT, 1)},
    {.name = "vector_norm", .inputs = 1, .input = {VECTOR(HUGE_COUNT)}, .output = NUMBER},
    {.name = "matrix_norm", .inputs = 1, .input = {MATRIX(HUGE_COUNT, 1)}, .output = NUMBER},
    {.name = "logdet", .inputs = 1, .input = {CUBE(1, 1 << 24, 1 << 24)}, .output = VECTOR(1)},
    {.name = "matrix_exp",
     .inputs = 1,
     .input = {CUBE(1, 1 << 24, 1 << 24)},
     .output = CUBE(1, 1 << 24, 1 << 24)},
    {.name = "mse_loss", .inputs = 2, .input = {VECTOR(HUGE_COUNT), VECTOR(HUGE_COUNT)}, .output = NUMBER},
    {.name = "cross_entropy",
     .inputs = 2,
     .input = {MATRIX(HUGE_COUNT, 1), MATRIX(HUGE_COUNT, 1)},
     .output = NUMBER},
    {.name = "prelu_backward_weight",
     .inputs = 3,
     .input = {MATRIX(HUGE_COUNT, 1), MATRIX(HUGE_COUNT, 1), VECTOR(1)},
     .output = VECTOR(1)},
    {.name = "coalesce",
     .inputs = 2,
     .input = {MATRIX(2, HUGE_COUNT), VECTOR(HUGE_COUNT)},
     .output = MATRIX(2, 0),
     .list = "size",
     .items = 2,
     .item = {1, 1},
     .integers = 1},
    {.name = "sparse_mm",
     .inputs = 3,
     .input = {MATRIX(2, 0), VECTOR(0), MATRIX(1, 1)},
     .output = MATRIX(HUGE_COUNT, 1),
     .list = "size",
     .items = 2,
     .item = {HUGE_COUNT, 1},
     .integers = 1},
    {.name = "csr_mv",
     .inputs = 4,
     .input = {VECTOR(2), VECTOR(HUGE_COUNT), VECTOR(HUGE_COUNT), VECTOR(1)},
     .output = VECTOR(1),
     .list = "size",
     .items = 2,
     .item = {1, 1},
     .integers = 3},
    {.name = "sampled_addmm",
     .inputs = 4,
     .input = {VECTOR(2), VECTOR(HUGE_COUNT), VECTOR(HUGE_COUNT), MATRIX(1, 1)},
     .output = VECTOR(HUGE_COUNT),
     .list = "size",
     .items = 2,
     .item = {1, 1},
     .integers = 3},
    {.name = "add_", .inputs = 2, .input = {VECTOR(2), VECTOR(2)}, .first_stride = HUGE_COUNT / 4},
};

static struct attributes attributes_of(const struct row *row)
{
    struct attributes attributes = {.count = 1,
                                    .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = 0}}};
    if (row->list) {
        attributes.item[0] =
            (struct attribute){.name = row->list,
                               .type = ATTRIBUTE_INTEGERS,
                               .integers = {.count = row->items, .item = {row->item[0], row->item[1]}}};
    }
    return attributes;
}

Test(cpu_memory, an_operator_without_memory_says_so_and_how_much_it_requested)
{
    static double element[2];
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct row *row = &rows[r];
        const struct cpu_op *op = cpu_op_find(row->name);
        struct cpu_view input[OPERANDS_MOST + 1] = {{.data = NULL}},
                                              output[TRUTH_OUTPUTS_MAX] = {{.data = NULL}};
        const struct attributes attributes = attributes_of(row);
        struct error reason = {.text = ""};
        cr_assert(op, "%s", row->name);
        for (int i = 0; i < row->inputs; i++) {
            input[i] = (struct cpu_view){.data = (unsigned char *)element,
                                         .dtype = row->integers >> i & 1 ? DTYPE_INT64 : DTYPE_FLOAT32,
                                         .shape = row->input[i]};
        }
        input[0].stride[0] = row->first_stride;
        output[0] =
            (struct cpu_view){.data = (unsigned char *)element, .dtype = DTYPE_FLOAT32, .shape = row->output};
        enum cpu_status status = op->run(op, &attributes, row->inputs, input, 1, output, &reason);
        cr_expect_eq(status, CPU_OUT_OF_MEMORY, "%s: status %d: %s", row->name, (int)status, reason.text);
        cr_expect(strstr(reason.text, "no memory for ") && strstr(reason.text, " elements of "), "%s: %s",
                  row->name, reason.text);
    }
}
