/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
#define ROW(...) {.rank = sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), .dim = {__VA_ARGS__}}
#define DIM {.count = 1, .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = -1}}}
#define SHAPE(n) {.count = 1, .item = {{.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {n}}}}}
#define SHAPE_AND_EPS(n, eps_) {.count = 2, .item = {{.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {n}}}, \
                                            {.name = "eps", .type = ATTRIBUTE_REAL, .real = eps_}}}
#define NONE     ROW_SUM, NULL, NULL /* no operand is WORKLOAD_MIDPOINT, and no program */
#define TRAINING {.count = 1, .item = {{.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1}}}
#define CSR_ROWS {.count = 1, .item = {{.name = "size", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {0, 64}}}}}
#define LAST_DIM {.count = 1, .item = {{.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {-1}}}}}

static const struct workload workloads[] = {
    {"sgn", 1, {{ROW(4), WORKLOAD_SIGNED, false}}, {.count = 0}, NONE},
    {"square", 1, {{ROW(4), WORKLOAD_SIGNED, false}}, {.count = 0}, NONE},
    {"add_", 2, {{ROW(4), WORKLOAD_SIGNED, false}, {ROW(4), WORKLOAD_SIGNED, false}}, {.count = 0}, NONE},
    {"mul_", 2, {{ROW(4), WORKLOAD_SIGNED, false}, {ROW(4), WORKLOAD_SIGNED, true}}, {.count = 0}, NONE},
    {"vector_norm", 1, {{ROW(60), WORKLOAD_SIGNED, false}}, LAST_DIM, NONE},
    {"matrix_norm", 1, {{ROW(8, 8), WORKLOAD_SIGNED, false}}, {.count = 0}, NONE},
    {"linear", 2, {{ROW(64), WORKLOAD_SIGNED, false}, {ROW(32, 64), WORKLOAD_SIGNED, true}}, {.count = 0}, NONE},
    {"mv", 2, {{ROW(192), WORKLOAD_SIGNED, false}, {ROW(192), WORKLOAD_SIGNED, true}}, {.count = 0}, NONE},
    {"layer_norm", 3, {{ROW(64), WORKLOAD_SIGNED, false}, {ROW(64), WORKLOAD_POSITIVE, true}, {ROW(64), WORKLOAD_SIGNED, true}},
     SHAPE(64), NONE},
    {"group_norm", 3, {{ROW(8, 12), WORKLOAD_SIGNED, false}, {ROW(8), WORKLOAD_POSITIVE, true}, {ROW(8), WORKLOAD_SIGNED, true}},
     {.count = 1, .item = {{.name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = 4}}}, NONE},
    {"csr_mm", 4,
     {{ROW(64), WORKLOAD_CROW, false}, {ROW(64), WORKLOAD_COLUMNS, false}, {ROW(4), WORKLOAD_ENTRIES, false},
      {ROW(64, 8), WORKLOAD_SIGNED, true}}, CSR_ROWS, NONE},
    {"logdet", 1, {{ROW(6, 6), WORKLOAD_DOMINANT, false}}, {.count = 0}, NONE},
    {"matrix_exp", 1, {{ROW(4, 4), WORKLOAD_SMALL, false}}, {.count = 0}, NONE},
};

/* Workloads whose results show the order of sums: by sums that cancel, by results near a midpoint, or by many
 * elements. */
static const struct workload orders[] = {
    {"vector_norm", 1, {{ROW(60), WORKLOAD_MIDPOINT, false}}, LAST_DIM, ROW_NORM, NULL, NULL},
    {"matrix_norm", 1, {{ROW(8, 8), WORKLOAD_MIDPOINT, false}}, {.count = 0}, ROW_NORM, NULL, NULL},
    {"linear", 2, {{ROW(64), WORKLOAD_CANCELLING, false}, {ROW(32, 64), WORKLOAD_TWICE, true}}, {.count = 0}, NONE},
    {"mv", 2, {{ROW(192), WORKLOAD_CANCELLING, false}, {ROW(192), WORKLOAD_TWICE, true}}, {.count = 0}, NONE},
    {"sum", 1, {{ROW(60), WORKLOAD_MIDPOINT, false}}, LAST_DIM, ROW_SUM, NULL, NULL},
    {"mean", 1, {{ROW(60), WORKLOAD_MIDPOINT, false}}, LAST_DIM, ROW_MEAN, NULL, NULL},
    {"prod", 1, {{ROW(60), WORKLOAD_MIDPOINT, false}}, LAST_DIM, ROW_PRODUCT, NULL, NULL},
    {"var", 1, {{ROW(60), WORKLOAD_MIDPOINT, false}}, LAST_DIM, ROW_VARIANCE, NULL, NULL},
    {"std", 1, {{ROW(60), WORKLOAD_MIDPOINT, false}}, LAST_DIM, ROW_DEVIATION, NULL, NULL},
    {"logsumexp", 1, {{ROW(60), WORKLOAD_MIDPOINT, false}}, LAST_DIM, ROW_LOGSUMEXP, NULL, NULL},
    {"rms_norm", 1, {{ROW(60), WORKLOAD_MIDPOINT, false}}, SHAPE_AND_EPS(60, 0), ROW_RMS, NULL, NULL},
    {"csr_mm", 4,
     {{ROW(64), WORKLOAD_CROW, false}, {ROW(64), WORKLOAD_COLUMNS, false}, {ROW(64), WORKLOAD_CANCELLING_ENTRIES, false},
      {ROW(64, 8), WORKLOAD_TWICE_DOWN, true}}, CSR_ROWS, NONE},
    {"csr_mv", 4,
     {{ROW(64), WORKLOAD_CROW, false}, {ROW(64), WORKLOAD_COLUMNS, false}, {ROW(64), WORKLOAD_CANCELLING_ENTRIES, false},
      {ROW(64), WORKLOAD_TWICE, true}}, CSR_ROWS, NONE},
};

/* Maps show the order by the number of their elements: rows are long in 16-bit dtypes, short in others. */
#define MAPS(n_, gradient_, group_) \
    {"softmax", 1, {{ROW(n_), WORKLOAD_SIGNED, false}}, DIM, NONE}, \
    {"softmin", 1, {{ROW(n_), WORKLOAD_SIGNED, false}}, DIM, NONE}, \
    {"log_softmax", 1, {{ROW(n_), WORKLOAD_DOMINATED, false}}, DIM, NONE}, \
    {"softmax_backward", 2, {{ROW(n_), WORKLOAD_WIDE, false}, {ROW(n_), WORKLOAD_SMALL, false}}, DIM, NONE}, \
    {"log_softmax_backward", 2, {{ROW(n_), WORKLOAD_WIDE, false}, {ROW(n_), WORKLOAD_NEGATIVE, false}}, DIM, NONE}, \
    {"layer_norm", 3, {{ROW(n_), WORKLOAD_SIGNED, false}, {ROW(n_), WORKLOAD_POSITIVE, true}, {ROW(n_), WORKLOAD_SIGNED, true}}, \
    SHAPE(n_), NONE}, \
    {"layer_norm_backward", 3, \
    {{ROW(gradient_), WORKLOAD_SIGNED, false}, {ROW(gradient_), WORKLOAD_SIGNED, false}, {ROW(gradient_), WORKLOAD_POSITIVE, true}}, SHAPE(gradient_), NONE}, \
    {"rms_norm_backward", 3, \
    {{ROW(gradient_), WORKLOAD_SIGNED, false}, {ROW(gradient_), WORKLOAD_SIGNED, false}, {ROW(gradient_), WORKLOAD_POSITIVE, true}}, SHAPE_AND_EPS(gradient_, 0x1p-16), NONE}, \
    {"group_norm", 3, {{ROW(8, group_), WORKLOAD_SIGNED, false}, {ROW(8), WORKLOAD_POSITIVE, true}, {ROW(8), WORKLOAD_SIGNED, true}}, \
    {.count = 1, .item = {{.name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = 4}}}, NONE}, \
    {"instance_norm", 1, {{ROW(8, 2 * group_), WORKLOAD_SIGNED, false}}, {.count = 0}, NONE}, \
    {"batch_norm", 1, {{ROW(n_), WORKLOAD_CHANNELS, false}}, TRAINING, NONE},
static const struct workload long_maps[] = {MAPS(1000, 1000, 240)};
static const struct workload short_maps[] = {MAPS(60, 60, 12)};
// clang-format on

static const struct workload *find(const struct workload *table, size_t count, const char *op)
{
    for (size_t w = 0; w < count; w++) {
        if (strcmp(table[w].op, op) == 0) {
            return &table[w];
        }
    }
    return NULL;
}

const struct workload *workload_find(const char *op)
{
    return find(workloads, sizeof workloads / sizeof *workloads, op);
}

const struct workload *workload_of_order(const char *op, enum dtype dtype)
{
    const struct workload *maps = dtype_info(dtype)->size == 2 ? long_maps : short_maps;
    const struct workload *found = find(orders, sizeof orders / sizeof *orders, op);
    found = found ? found : find(maps, sizeof long_maps / sizeof *long_maps, op);
    return found ? found : workload_find(op);
}

static bool is_index(const struct workload_operand *operand)
{
    return operand->data == WORKLOAD_CROW || operand->data == WORKLOAD_COLUMNS;
}

static bool is_entries(const struct workload_operand *operand)
{
    return operand->data == WORKLOAD_ENTRIES || operand->data == WORKLOAD_CANCELLING_ENTRIES;
}

/* Returns the number of entries in a row of the CSR matrix. */
static int64_t entries_per_row(const struct workload *workload)
{
    for (int o = 0; o < workload->operands; o++) {
        if (is_entries(&workload->operand[o])) {
            return workload->operand[o].row.dim[0];
        }
    }
    return 0;
}

int64_t workload_row_bytes(const struct workload *workload, enum dtype dtype)
{
    int64_t bytes = workload->program ? workload->row_bytes(dtype) : 0;
    for (int o = 0; o < workload->operands; o++) {
        const struct workload_operand *operand = &workload->operand[o];
        int64_t size = (int64_t)dtype_info(dtype)->size;
        bytes += operand->shared                     ? 0
                 : operand->data == WORKLOAD_CROW    ? 8
                 : operand->data == WORKLOAD_COLUMNS ? 8 * entries_per_row(workload)
                                                     : shape_elements(&operand->row) * size;
    }
    return bytes;
}

/* Computes the rest of a row: the second half from the first, or the last two numbers from all others
 * (near_midpoint). */
static void complete_row(const struct workload *workload, const struct workload_operand *operand,
                         enum dtype dtype, double *row, int64_t n)
{
    if (operand->data == WORKLOAD_MIDPOINT) {
        near_midpoint(workload->result, dtype, row, n);
        return;
    }
    const bool cancelling =
        operand->data == WORKLOAD_CANCELLING || operand->data == WORKLOAD_CANCELLING_ENTRIES;
    for (int64_t j = 0; j < n / 2; j++) {
        const double sign = cancelling ? -1 : 1;
        const bool small = cancelling && j == 0;
        row[j] *= small ? 0x1p-12 : 1;
        row[j + n / 2] = small ? row[n / 2] * 0x1p-12 : sign * row[j];
    }
}

static bool is_completed(const struct workload_operand *operand)
{
    return operand->data == WORKLOAD_CANCELLING || operand->data == WORKLOAD_CANCELLING_ENTRIES ||
           operand->data == WORKLOAD_TWICE || operand->data == WORKLOAD_TWICE_DOWN ||
           operand->data == WORKLOAD_MIDPOINT;
}

/* Returns a number of one of many sizes. (Sums of 16-bit numbers of one size are exact in float32, and their
 * order does not show.) */
static double draw_wide(struct philox *generator)
{
    static const double size[] = {1, 0x1p-4, 0x1p-8, 0x1p-12, 0x1p-16, 2};
    return size[philox_below(generator, sizeof size / sizeof *size)] * philox_signed(generator);
}

/* Returns a term of a row whose result is one number. */
static double draw_term(enum row_result result, struct philox *generator)
{
    switch (result) {
    case ROW_PRODUCT:
        return 0.75 + 0.75 * philox_unit(generator);
    case ROW_LOGSUMEXP:
        return 4 * philox_signed(generator) - 6; /* with 60 terms the result is near 0 */
    default:
        return draw_wide(generator);
    }
}

/* Draws element j of a row from its generator. */
static double draw(const struct workload *workload, const struct workload_operand *operand,
                   struct philox *generator, int64_t j)
{
    int64_t n = operand->row.rank == 2 ? operand->row.dim[1] : 1;
    switch (operand->data) {
    case WORKLOAD_POSITIVE:
        return 4 * philox_unit(generator) + 0x1p-6;
    case WORKLOAD_WIDE:
        return draw_wide(generator);
    case WORKLOAD_DOMINATED:
        return j == 0 ? 0 : 2.5 * philox_signed(generator) - 11.5;
    case WORKLOAD_NEGATIVE:
        return -4 * philox_unit(generator) - 0x1p-6;
    case WORKLOAD_DOMINANT:
        return philox_signed(generator) / 2 + (j / n == j % n ? (double)n : 0);
    case WORKLOAD_SMALL:
        return philox_signed(generator) / 4;
    case WORKLOAD_MIDPOINT:
        return draw_term(workload->result, generator);
    default:
        return 4 * philox_signed(generator);
    }
}

/* Makes the index operands. All rows of the CSR matrix have equally many entries; their columns depend only
 * on the row's key. */
static struct view place_indices(struct builder *b, const struct workload_operand *operand, int64_t entries,
                                 int64_t first, int64_t batch)
{
    bool crow = operand->data == WORKLOAD_CROW;
    struct view view = build_vector(b, DTYPE_INT64, crow ? batch + 1 : batch * entries);
    int64_t step = operand->row.dim[0] / entries;
    for (int64_t i = 0; !b->failed && i < view.shape.dim[0]; i++) {
        int64_t key = (first + i / entries) % WORKLOAD_KEYS, nth = i % entries;
        int64_t value = crow ? i * entries : nth * step + key * (nth + 3) % step;
        build_set_bits(b, &view, i, 0, (uint64_t)value);
    }
    return view;
}

/* Fills in the numbers of the row with this key, which depend on no other row. */
static void fill_row(const struct builder *b, const struct workload *workload, int tensor, int64_t key,
                     double *numbers)
{
    const struct workload_operand *operand = &workload->operand[tensor];
    struct philox generator = build_generator(b, tensor * WORKLOAD_KEYS + (int)key);
    const int64_t row = shape_elements(&operand->row);
    const bool whole = operand->data == WORKLOAD_MIDPOINT || /* a norm reduces the whole matrix */
                       operand->data == WORKLOAD_TWICE_DOWN;
    const int64_t length = whole ? row : operand->row.dim[operand->row.rank - 1];
    for (int64_t j = 0; j < row; j++) {
        numbers[j] = draw(workload, operand, &generator, j);
    }
    for (int64_t j = 0; is_completed(operand) && j < row; j += length) {
        complete_row(workload, operand, b->c->dtype, numbers + j, length);
    }
}

static struct view place(struct builder *b, const struct workload *workload, int tensor, int64_t first,
                         int64_t batch)
{
    const struct workload_operand *operand = &workload->operand[tensor];
    if (is_index(operand)) {
        return place_indices(b, operand, entries_per_row(workload), first, batch);
    }
    struct shape shape = operand->row;
    int64_t row = shape_elements(&operand->row), keys = operand->shared ? 1 : WORKLOAD_KEYS;
    if (is_entries(operand)) {
        shape.dim[0] *= batch;
    } else if (!operand->shared) {
        memmove(&shape.dim[1], &shape.dim[0], (size_t)shape.rank * sizeof *shape.dim);
        shape.dim[0] = batch;
        shape.rank++;
    }
    struct view view = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    double *numbers = malloc((size_t)(row + 1) * sizeof *numbers);
    if (!numbers) {
        build_fail(b, "out of memory for a workload");
        return view;
    }
    int64_t rows = operand->shared ? 1 : batch, size = row * (int64_t)dtype_info(view.dtype)->size;
    for (int64_t r = 0; !b->failed && r < rows && r < keys; r++) {
        fill_row(b, workload, tensor, operand->shared ? 0 : (first + r) % keys, numbers);
        for (int64_t j = 0; j < row; j++) {
            build_set(b, &view, r * row + j, numbers[j]);
        }
    }
    unsigned char *data = b->failed ? NULL : b->program->storage[view.storage].data;
    /* copy rows: keys repeat after WORKLOAD_KEYS rows */
    for (int64_t r = keys; !b->failed && r < rows; r++) {
        memcpy(data + r * size, data + (r - keys) * size, (size_t)size);
    }
    free(numbers);
    if (operand->data == WORKLOAD_CHANNELS) {
        memmove(&view.shape.dim[1], &view.shape.dim[0], (size_t)view.shape.rank * sizeof *view.shape.dim);
        memmove(&view.stride[1], &view.stride[0], (size_t)view.shape.rank * sizeof *view.stride);
        view.shape.dim[0] = 1;
        view.shape.rank++;
    }
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
        input[o] = place(b, workload, o, first, batch);
    }
    return b->failed ? NULL : build_step(b, op, &attributes, workload->operands, input);
}

void workload_append(struct builder *b, const struct workload *workload, int64_t first, int64_t batch)
{
    if (workload->program) {
        workload->program(b, batch);
    } else {
        workload_step(b, workload, first, batch);
    }
}
