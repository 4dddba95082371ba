/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/workload.h"

#include <stdlib.h>
#include <string.h>

// clang-format off
#define ROW(...) {.rank = sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), .dim = {__VA_ARGS__}}
#define LAST_DIM {.count = 1, .item = {{.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {-1}}}}}

static const struct workload workloads[] = {
    {"sgn", 1, {{ROW(4), WORKLOAD_SIGNED, false}}, {.count = 0}},
    {"square", 1, {{ROW(4), WORKLOAD_SIGNED, false}}, {.count = 0}},
    {"add_", 2, {{ROW(4), WORKLOAD_SIGNED, false}, {ROW(4), WORKLOAD_SIGNED, false}}, {.count = 0}},
    {"mul_", 2, {{ROW(4), WORKLOAD_SIGNED, false}, {ROW(4), WORKLOAD_SIGNED, true}}, {.count = 0}},
    {"vector_norm", 1, {{ROW(60), WORKLOAD_SIGNED, false}}, LAST_DIM},
    {"matrix_norm", 1, {{ROW(8, 8), WORKLOAD_SIGNED, false}}, {.count = 0}},
    {"linear", 2, {{ROW(64), WORKLOAD_SIGNED, false}, {ROW(32, 64), WORKLOAD_SIGNED, true}}, {.count = 0}},
    {"mv", 2, {{ROW(192), WORKLOAD_SIGNED, false}, {ROW(192), WORKLOAD_SIGNED, true}}, {.count = 0}},
    {"layer_norm",
     3,
     {{ROW(64), WORKLOAD_SIGNED, false}, {ROW(64), WORKLOAD_POSITIVE, true}, {ROW(64), WORKLOAD_SIGNED, true}},
     {.count = 1,
      .item = {{.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {64}}}}}},
    {"group_norm",
     3,
     {{ROW(8, 12), WORKLOAD_SIGNED, false}, {ROW(8), WORKLOAD_POSITIVE, true}, {ROW(8), WORKLOAD_SIGNED, true}},
     {.count = 1, .item = {{.name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = 4}}}},
    {"csr_mm",
     4,
     {{ROW(64), WORKLOAD_CROW, false},
      {ROW(64), WORKLOAD_COLUMNS, false},
      {ROW(WORKLOAD_PER_ROW), WORKLOAD_ENTRIES, false},
      {ROW(64, 8), WORKLOAD_SIGNED, true}},
     {.count = 1, .item = {{.name = "size", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {0, 64}}}}}},
    {"logdet", 1, {{ROW(6, 6), WORKLOAD_DOMINANT, false}}, {.count = 0}},
    {"matrix_exp", 1, {{ROW(4, 4), WORKLOAD_SMALL, false}}, {.count = 0}},
};
// clang-format on

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

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
    int64_t bytes = 0;
    for (int o = 0; o < workload->operands; o++) {
        const struct workload_operand *operand = &workload->operand[o];
        int64_t size = (int64_t)dtype_info(dtype)->size;
        bytes += operand->shared                     ? 0
                 : operand->data == WORKLOAD_CROW    ? 8
                 : operand->data == WORKLOAD_COLUMNS ? 8 * WORKLOAD_PER_ROW
                                                     : shape_elements(&operand->row) * size;
    }
    return bytes;
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

/* Row r of the CSR matrix begins at its entry 4r; its columns depend on the row's key alone. */
static struct view place_indices(struct builder *b, const struct workload_operand *operand, int64_t first,
                                 int64_t batch)
{
    bool crow = operand->data == WORKLOAD_CROW;
    struct view view = build_vector(b, DTYPE_INT64, crow ? batch + 1 : batch * WORKLOAD_PER_ROW);
    int64_t step = operand->row.dim[0] / WORKLOAD_PER_ROW;
    for (int64_t i = 0; !b->failed && i < view.shape.dim[0]; i++) {
        int64_t key = (first + i / WORKLOAD_PER_ROW) % WORKLOAD_KEYS, nth = i % WORKLOAD_PER_ROW;
        int64_t value = crow ? i * WORKLOAD_PER_ROW : nth * step + key * (nth + 3) % step;
        build_set_bits(b, &view, i, 0, (uint64_t)value);
    }
    return view;
}

static struct view place(struct builder *b, const struct workload_operand *operand, int tensor, int64_t first,
                         int64_t batch)
{
    if (operand->data == WORKLOAD_CROW || operand->data == WORKLOAD_COLUMNS) {
        return place_indices(b, operand, first, batch);
    }
    struct shape shape = operand->row;
    int64_t row = shape_elements(&operand->row), keys = operand->shared ? 1 : WORKLOAD_KEYS;
    if (operand->data == WORKLOAD_ENTRIES) {
        shape.dim[0] *= batch;
    } else if (!operand->shared) {
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
    struct attributes attributes = workload->attributes;
    for (int k = 0; k < attributes.count; k++) {
        int64_t *dim = attributes.item[k].integers.item;
        dim[0] = attributes.item[k].integers.count && dim[0] == 0 ? batch : dim[0];
    }
    for (int o = 0; o < workload->operands; o++) {
        input[o] = place(b, &workload->operand[o], o, first, batch);
    }
    return b->failed ? NULL : build_step(b, op, &attributes, workload->operands, input);
}
