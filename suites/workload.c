/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/workload.h"

#include <stdlib.h>
#include <string.h>

// clang-format off
#define ROW(...) {.rank = sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), .dim = {__VA_ARGS__}}
#define LAST_DIM {.count = 1, .item = {{.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.rank = 1, .dim = {-1}}}}}

static const struct workload workloads[] = {
    {"sgn", 1, {{ROW(16), WORKLOAD_SIGNED, false}}, {.count = 0}},
    {"square", 1, {{ROW(16), WORKLOAD_SIGNED, false}}, {.count = 0}},
    {"add_", 2, {{ROW(16), WORKLOAD_SIGNED, false}, {ROW(16), WORKLOAD_SIGNED, false}}, {.count = 0}},
    {"mul_", 2, {{ROW(16), WORKLOAD_SIGNED, false}, {ROW(16), WORKLOAD_SIGNED, true}}, {.count = 0}},
    {"vector_norm", 1, {{ROW(100), WORKLOAD_SIGNED, false}}, LAST_DIM},
    {"matrix_norm", 1, {{ROW(8, 8), WORKLOAD_SIGNED, false}}, {.count = 0}},
    {"logdet", 1, {{ROW(6, 6), WORKLOAD_DOMINANT, false}}, {.count = 0}},
    {"matrix_exp", 1, {{ROW(4, 4), WORKLOAD_SMALL, false}}, {.count = 0}},
};
// clang-format on

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

int workload_count(void)
{
    return WORKLOADS;
}

const struct workload *workload_at(int index)
{
    return &workloads[index];
}

const struct workload *workload_find(const char *op)
{
    for (int w = 0; w < WORKLOADS; w++) {
        if (strcmp(workloads[w].op, op) == 0) {
            return &workloads[w];
        }
    }
    return NULL;
}

int64_t workload_row_bytes(const struct workload *workload, enum dtype dtype)
{
    int64_t elements = 0;
    for (int o = 0; o < workload->operands; o++) {
        elements += workload->operand[o].shared ? 0 : shape_elements(&workload->operand[o].row);
    }
    return elements * (int64_t)dtype_info(dtype)->size;
}

/* Element j of the row that `generator` is at. */
static double draw(const struct workload_operand *operand, struct philox *generator, int64_t j)
{
    int64_t n = operand->row.rank == 2 ? operand->row.dim[1] : 1;
    switch (operand->data) {
    case WORKLOAD_POSITIVE:
        return 4 * philox_unit(generator) + 0x1p-6;
    case WORKLOAD_DOMINANT:
        return philox_signed(generator) / 2 + (j / n == j % n ? (double)n : 0);
    case WORKLOAD_SMALL:
        return philox_signed(generator) / 4;
    default:
        return 4 * philox_signed(generator);
    }
}

static struct view place(struct builder *b, const struct workload_operand *operand, int tensor, int64_t first,
                         int64_t batch)
{
    struct shape shape = operand->row;
    int64_t row = shape_elements(&operand->row), keys = operand->shared ? 1 : WORKLOAD_KEYS;
    if (!operand->shared) {
        memmove(&shape.dim[1], &shape.dim[0], (size_t)shape.rank * sizeof *shape.dim);
        shape.dim[0] = batch;
        shape.rank++;
    }
    struct view view = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    double *table = malloc(((size_t)(keys * row) + 1) * sizeof *table);
    if (!table) {
        build_fail(b, "out of memory for a workload");
        return view;
    }
    struct philox generator = build_generator(b, tensor);
    for (int64_t i = 0; i < keys * row; i++) {
        table[i] = draw(operand, &generator, i % row);
    }
    int64_t rows = operand->shared ? 1 : batch, size = row * (int64_t)dtype_info(view.dtype)->size;
    for (int64_t r = 0; !b->failed && r < rows && r < keys; r++) {
        for (int64_t j = 0; j < row; j++) {
            build_set(b, &view, r * row + j, table[(first + r) % keys * row + j]);
        }
    }
    unsigned char *data = b->failed ? NULL : b->program->storage[view.storage].data;
    for (int64_t r = keys; !b->failed && r < rows; r++) { /* contiguous: the keys come round */
        memcpy(data + r * size, data + (r - keys) * size, (size_t)size);
    }
    free(table);
    return view;
}

struct step *workload_step(struct builder *b, const struct workload *workload, int64_t first, int64_t batch)
{
    struct view input[WORKLOAD_OPERANDS_MAX];
    const struct op *op = op_find(workload->op);
    for (int o = 0; o < workload->operands; o++) {
        input[o] = place(b, &workload->operand[o], o, first, batch);
    }
    return b->failed ? NULL : build_step(b, op, &workload->attributes, workload->operands, input);
}
