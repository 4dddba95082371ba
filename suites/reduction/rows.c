/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Row-wise operators (reference/ops/rowwise/rowwise.h): special values at every place of a row, decisive
 * elements of long rows, dimensions, layouts, sums that are exact, wrap, cancel or leave the range. */

#include "suites/shared/rows.h"
#include "suites/reduction/fills.h"
#include "suites/reduction/operators.h"
#include "suites/shared/data.h"

#include "reference/ops/rowwise/rowwise.h"

#include <math.h>
#include <string.h>

enum { DIMENSIONS = 3 };

struct row {
    struct suite_row row;
    int rank;
    int64_t dim[5];
    int dims; /* number of dimensions in `along`; −1: no `dim` is passed */
    int along[DIMENSIONS];
    bool keep;
    enum layout layout;
    enum fill fill;
    int correction; /* added to the correction 1 of a variance */
    unsigned only;  /* for operators with any of these bits (operators.h); 0: all */
    unsigned never; /* not for operators with any of these */
};

/* --- builders */

static struct attributes attributes_of(const struct op *op, int dims, const int *along, bool keep,
                                       int correction)
{
    struct attributes a = {.count = 0};
    struct integers list = {.count = dims};
    for (int k = 0; k < dims; k++) {
        list.item[k] = along[k];
    }
    if (dims >= 0) {
        a.item[a.count++] = (struct attribute){.name = "dim",
                                               .type = op_attribute_named(op, "dim")->type,
                                               .integer = dims > 0 ? along[0] : 0,
                                               .integers = list};
    }
    if (keep && op_attribute_named(op, "keepdim")) {
        a.item[a.count++] = (struct attribute){.name = "keepdim", .type = ATTRIBUTE_BOOL, .integer = 1};
    }
    if (correction != 0 && op_attribute_named(op, "correction")) {
        a.item[a.count++] =
            (struct attribute){.name = "correction", .type = ATTRIBUTE_INTEGER, .integer = 1 + correction};
    }
    return a;
}

/* Adds the operand beside x in input[0]: grad_output, which comes first, or the forward output. */
static void add_operand(struct builder *b, struct view *input, int64_t terms,
                        const struct attributes *attributes)
{
    const struct row *row = b->c->row;
    if (b->c->op->rowwise->gradient) {
        input[1] = input[0];
        input[0] = data_row_gradients(b, attributes, &input[1],
                                      row->layout == LAYOUT_CONTIGUOUS      ? LAYOUT_CONTIGUOUS
                                      : row->layout == LAYOUT_EXPANDED_ROWS ? LAYOUT_EXPANDED
                                                                            : LAYOUT_STEPPED3);
    } else if (op_inputs_max(b->c->op) > 1) {
        input[1] = build_tensor(b, b->c->dtype, &input[0].shape, row->layout);
        data_fill_probabilities(b, &input[1], 1, terms, row_operator(b->c->op) & ROW_OF_LOGARITHMS);
    }
}

static struct attributes attributes_of_row(const struct builder *b)
{
    const struct row *row = b->c->row;
    return attributes_of(b->c->op, row->dims, row->along, row->keep, row->correction);
}

/* Makes the operands. Rows lie along the reduced dimension; along the last one if there are several. */
static void make(struct builder *b, struct view *input)
{
    const struct row *row = b->c->row;
    const struct attributes attributes = attributes_of_row(b);
    struct shape shape = {.rank = row->rank};
    memcpy(shape.dim, row->dim, sizeof row->dim);
    struct view x = build_tensor(b, b->c->dtype, &shape, row->layout);
    struct philox generator = build_generator(b, 0);
    int64_t elements = shape_elements(&shape), inner = 1, terms = elements;
    int rank = row->rank ? row->rank : 1; /* invalid dimensions are beyond the rank */
    int d = row->dims == 1 ? (row->along[0] % rank + rank) % rank : row->rank - 1;
    if (row->rank > 0 && row->dims != -1) {
        terms = shape.dim[d];
        for (int k = d + 1; k < shape.rank; k++) {
            inner *= shape.dim[k];
        }
    }
    const struct filling filling = filling_of(b, row->fill, elements > 0 ? elements / terms : 0, terms);
    for (int64_t i = 0, outer = 0; i < elements; outer += inner) {
        for (int64_t term = 0; term < terms; term++) {
            for (int64_t r = outer; r < outer + inner; r++) {
                fill_set(b, &x, i++, &filling, r, term, &generator);
            }
        }
    }
    build_origin(b, &x, row->fill == FILL_RANDOM);
    input[0] = x;
    add_operand(b, input, terms, &attributes);
}

static void build(struct builder *b)
{
    struct attributes attributes = attributes_of_row(b);
    struct view input[ROWWISE_OPERANDS];
    make(b, input);
    build_step(b, b->c->op, &attributes, op_inputs_max(b->c->op), input);
}

/* Stores a special value that is valid for the operand: forward outputs are probabilities, their logarithms,
 * or NaN. Finite gradients stay small enough for products of doubles not to overflow. */
static void set_special(struct builder *b, const struct view *input, int operand, int64_t i, uint64_t bits)
{
    const bool logarithm = row_operator(b->c->op) & ROW_OF_LOGARITHMS;
    unsigned char bytes[8];
    build_set_bits(b, &input[operand], i, 0, bits);
    if (op_inputs_max(b->c->op) == 1 || b->c->op->rowwise->gradient) {
        return;
    }
    dtype_store_bits(b->c->dtype, bytes, bits);
    double x = dtype_load(b->c->dtype, bytes);
    if (operand > 0 && (logarithm ? x > 0 : x < 0 || x > 1)) {
        build_set(b, &input[operand], i, logarithm ? -x : 0);
    } else if (operand == 0 && fabs(x) > 0x1p1000 && isfinite(x)) {
        build_set(b, &input[operand], i, x * 0x1p-100);
    }
}

/* Each special value at each place of a row; in rows of two places every pair of them. For the first operand,
 * then for the second. */
static void build_specials(struct builder *b)
{
    const int operands = op_inputs_max(b->c->op);
    uint64_t bits[SPECIALS_MAX];
    int count = special_bits(b->c->dtype, bits);
    int64_t terms = b->c->parameter, rows = terms == 2 ? count * count : count * terms;
    struct shape shape = shape_of(2, rows * operands, terms);
    struct view input[ROWWISE_OPERANDS];
    struct philox generator = build_generator(b, 0);
    struct attributes attributes = attributes_of(b->c->op, 1, (const int[]){1}, false, 0);
    const bool gradient = b->c->op->rowwise->gradient;
    input[0] = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    add_operand(b, input, terms, &attributes);
    for (int64_t i = 0; i < rows * terms * operands; i++) {
        int64_t r = i / terms % rows, k = i % terms;
        const int operand = (int)(i / terms / rows);
        const int64_t at = gradient && operand == 0 ? i / terms : i;
        build_set(b, &input[gradient], i, (double)philox_below(&generator, 9) - 4);
        if (terms == 2) {
            set_special(b, input, operand, at, bits[k ? r / count : r % count]);
        } else if (k == r % terms) {
            set_special(b, input, operand, at, bits[r / terms]);
        }
    }
    build_step(b, b->c->op, &attributes, operands, input);
}

/* A single row must have the result that it has within the batch. */
static void invariance(struct builder *b)
{
    const struct row *row = b->c->row;
    const int operands = op_inputs_max(b->c->op);
    struct view input[ROWWISE_OPERANDS], alone[ROWWISE_OPERANDS];
    make(b, input);
    struct attributes all = attributes_of(b->c->op, 1, (const int[]){1}, false, 0),
                      one = attributes_of(b->c->op, 1, (const int[]){0}, false, 0);
    struct step *step = build_step(b, b->c->op, &all, operands, input);
    const struct view y = step ? step->output[0] : input[0];
    const int64_t picks[] = {0, row->dim[0] / 2, row->dim[0] - 1};
    for (int k = 0; !b->failed && k < 3; k++) {
        struct view inside = view_at(&y, picks[k]);
        for (int i = 0; i < operands; i++) {
            alone[i] = view_at(&input[i], picks[k]);
        }
        step = build_step(b, b->c->op, &one, operands, alone);
        if (step) {
            build_relate(b, &inside, &step->output[0], "a row alone has the result it has within the batch");
        }
    }
}

static void refuse(struct builder *b)
{
    struct view input[ROWWISE_OPERANDS];
    make(b, input);
    struct attributes attributes = attributes_of_row(b);
    build_rejection(b, b->c->op, &attributes, op_inputs_max(b->c->op), input);
}

/* Must be refused: grad_output of a keepdim that is not passed, or of the input's shape. */
static void refuse_gradient(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view input[ROWWISE_OPERANDS];
    struct attributes attributes = attributes_of_row(b);
    make(b, input);
    const struct shape shape = b->c->parameter ? input[1].shape : shape_of(2, row->dim[0], (int64_t)1);
    input[0] = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    build_rejection(b, b->c->op, &attributes, op_inputs_max(b->c->op), input);
}

#define REALS          ROWWISE_FLOATS
#define HALVES         (1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16)
#define WIDE           (1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 | 1U << DTYPE_INT32 | 1U << DTYPE_INT64)
#define FLOAT32        (1U << DTYPE_FLOAT32)
#define INTEGERS       (1U << DTYPE_INT32 | 1U << DTYPE_INT64)
#define REAL(...)      SUITE_ROW(__VA_ARGS__, .dtypes = REALS)
#define ALONG(...)     .dims = sizeof((int[]){__VA_ARGS__}) / sizeof(int), .along = {__VA_ARGS__}
#define MATRIX(r_, c_) .rank = 2, .dim = {r_, c_}, ALONG(1)
#define CUBE           .rank = 3, .dim = {5, 6, 7}
#define NARROW         (1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | FLOAT32)
#define LAID(name_, level_, layout_)                                                                         \
    SUITE_ROW(name_, level_, "layout_grid poison"), MATRIX(9, 33), .layout = LAYOUT_##layout_

static const struct row rows[] = {
    {SUITE_ROW("specials", SMOKE, "special_values", .build = build_specials, .parameter = 5)},
    {SUITE_ROW("specials-pairs", STANDARD, "special_values", .build = build_specials, .parameter = 2)},
    {SUITE_ROW("random-33", SMOKE, "row_sums"), MATRIX(17, 33)},
    {SUITE_ROW("random-1000", STANDARD, "row_sums signed_bias"), MATRIX(33, 1000)},
    {SUITE_ROW("random-5000", STANDARD, "row_sums", .dtypes = WIDE), MATRIX(17, 5000), .never = ROW_MAP},
    {SUITE_ROW("random-5000", STANDARD, "row_sums", .dtypes = WIDE), MATRIX(3, 5000), .only = ROW_MAP},
    {SUITE_ROW("whole", STANDARD, "row_sums"), MATRIX(9, 65), .fill = FILL_WHOLE},
    {REAL("positive", STANDARD, "one_sided row_sums"), MATRIX(9, 257), .fill = FILL_POSITIVE},
    {REAL("positive-4099", STANDARD, "one_sided row_sums"), MATRIX(5, 4099), .fill = FILL_POSITIVE},
    {REAL("swamped-150001", STANDARD, "one_sided row_sums"), MATRIX(2, 150001), .fill = FILL_SWAMPED,
     .only = ROW_SUM | ROW_MEAN},
    {REAL("swamped-200001", STANDARD, "one_sided row_sums"), .rank = 1, .dim = {200001}, ALONG(0),
     .fill = FILL_SWAMPED, .only = ROW_SUM | ROW_MEAN},
    {REAL("cancels", STANDARD, "row_sums"), MATRIX(9, 300), .fill = FILL_CANCELS, .never = ROW_NO_CANCELLING},
    {REAL("ends", STANDARD, "row_sums special_values"), MATRIX(8, 6), .fill = FILL_ENDS,
     .never = ROW_NO_ENDS},
    {SUITE_ROW("wraps", STANDARD, "row_sums", .dtypes = INTEGERS), MATRIX(6, 70), .fill = FILL_WRAP},
    {SUITE_ROW("wraps-4099", STANDARD, "row_sums", .dtypes = INTEGERS), MATRIX(6, 4099), .fill = FILL_WRAP},
    {SUITE_ROW("equal", STANDARD, "one_sided"), MATRIX(5, 257), .fill = FILL_EQUAL, .never = ROW_DEVIATION},
    {REAL("zeros", STANDARD, "special_values"), MATRIX(9, 33), .fill = FILL_ZEROS, .never = ROW_NO_ZEROS},
    {SUITE_ROW("negative", STANDARD, "one_sided"), MATRIX(9, 65), .fill = FILL_NEGATIVE},
    {REAL("subnormals", SMOKE, "special_values"), MATRIX(11, 17), .fill = FILL_SUBNORMAL},
    {SUITE_ROW("decides-33", SMOKE, "row_places"), MATRIX(33, 33), .fill = FILL_DECIDES},
    {SUITE_ROW("decides-257", STANDARD, "row_places"), MATRIX(257, 257), .fill = FILL_DECIDES,
     .never = ROW_FORMULA | ROW_GRADIENT},
    {SUITE_ROW("decides-257", STANDARD, "row_places"), MATRIX(33, 257), .fill = FILL_DECIDES,
     .only = ROW_FORMULA},
    {SUITE_ROW("decides-9001", STANDARD, "row_places"), MATRIX(7, 9001), .fill = FILL_DECIDES,
     .never = ROW_MAP},
    {SUITE_ROW("decides-9001", STANDARD, "row_places"), MATRIX(2, 9001), .fill = FILL_DECIDES,
     .only = ROW_MAP},
    {REAL("nan-33", SMOKE, "row_places nan_places"), MATRIX(34, 33), .fill = FILL_NAN},
    {REAL("nan-9001", STANDARD, "row_places nan_places"), MATRIX(13, 9001), .fill = FILL_NAN,
     .never = ROW_MAP},
    {REAL("nan-9001", STANDARD, "row_places nan_places"), MATRIX(3, 9001), .fill = FILL_NAN, .only = ROW_MAP},
    {REAL("nan-4097", STANDARD, "row_places nan_places"), MATRIX(13, 4097), .fill = FILL_NAN,
     .never = ROW_MAP},
    {REAL("infinities", STANDARD, "row_places special_values"), MATRIX(13, 33), .fill = FILL_INFINITE},
    {REAL("infinities-9001", STANDARD, "row_places"), MATRIX(13, 9001), .fill = FILL_INFINITE,
     .never = ROW_MAP},
    {REAL("infinities-9001", STANDARD, "row_places"), MATRIX(4, 9001), .fill = FILL_INFINITE,
     .only = ROW_MAP},
    {REAL("nothing", SMOKE, "special_values one_sided"), MATRIX(7, 33), .fill = FILL_NOTHING},
    {REAL("nothing-4099", STANDARD, "special_values one_sided"), MATRIX(4, 4099), .fill = FILL_NOTHING},
    {SUITE_ROW("length-1", STANDARD, "row_dimensions"), .rank = 1, .dim = {1}, ALONG(0),
     .never = ROW_NO_SINGLE},
    {SUITE_ROW("rows-of-1", STANDARD, "row_dimensions"), MATRIX(5, 1), .keep = true, .never = ROW_NO_SINGLE},
    {SUITE_ROW("scalar", STANDARD, "row_dimensions"), .rank = 0, ALONG(-1), .keep = true,
     .never = ROW_NO_SINGLE},
    {SUITE_ROW("scalar-all", STANDARD, "row_dimensions"), .rank = 0, .dims = -1,
     .never = ROW_DEVIATION_GRADIENT},
    {SUITE_ROW("batch-empty", STANDARD, "row_dimensions"), MATRIX(0, 5)},
    {SUITE_ROW("rows-empty", SMOKE, "row_dimensions"), MATRIX(3, 0)},
    {SUITE_ROW("all-empty", STANDARD, "row_dimensions"), .rank = 2, .dim = {0, 3}, .dims = -1},
    {SUITE_ROW("cube-0", STANDARD, "row_dimensions flags"), CUBE, ALONG(0)},
    {SUITE_ROW("cube-1", SMOKE, "row_dimensions flags"), CUBE, ALONG(1), .keep = true},
    {SUITE_ROW("cube-2", STANDARD, "row_dimensions flags"), CUBE, ALONG(-1)},
    {SUITE_ROW("cube-01", STANDARD, "row_dimensions flags"), CUBE, ALONG(1, 0)},
    {SUITE_ROW("cube-02", STANDARD, "row_dimensions flags"), CUBE, ALONG(0, 2), .keep = true},
    {SUITE_ROW("cube-12", STANDARD, "row_dimensions flags"), CUBE, ALONG(-2, -1)},
    {SUITE_ROW("cube-012", STANDARD, "row_dimensions flags"), CUBE, ALONG(0, -1, 1), .keep = true},
    {SUITE_ROW("cube-all", STANDARD, "row_dimensions flags"), CUBE, .dims = -1},
    {SUITE_ROW("cube-all-keep", STANDARD, "row_dimensions flags"), CUBE, .dims = -1, .keep = true},
    {SUITE_ROW("cube-empty-list", STANDARD, "row_dimensions flags"), CUBE, .dims = 0,
     .never = ROW_NO_EMPTY_LIST},
    {SUITE_ROW("square-0", STANDARD, "row_dimensions"), .rank = 2, .dim = {31, 31}, ALONG(-2)},
    {LAID("transposed", SMOKE, TRANSPOSED)},
    {LAID("block", STANDARD, BLOCK)},
    {LAID("stepped3", STANDARD, STEPPED3)},
    {LAID("rows-stepped", STANDARD, ROWS_STEPPED)},
    {LAID("offset1", STANDARD, OFFSET1)},
    {LAID("transposed-block", STANDARD, TRANSPOSED_BLOCK)},
    {SUITE_ROW("expanded-rows", STANDARD, "expanded"), MATRIX(9, 33), .layout = LAYOUT_EXPANDED_ROWS},
    {SUITE_ROW("rank-4-heads", STANDARD, "layout_grid poison"), .rank = 4, .dim = {2, 3, 5, 7}, ALONG(-3),
     .layout = LAYOUT_HEADS},
    {SUITE_ROW("rank-4-permuted", STANDARD, "layout_grid poison"), .rank = 4, .dim = {2, 3, 5, 7},
     ALONG(0, 2), .layout = LAYOUT_PERMUTED},
    {SUITE_ROW("apart-4d", STANDARD, "apart row_dimensions"), .rank = 4, .dim = {3, 4, 3, 5}, ALONG(1, 3)},
    {SUITE_ROW("apart-4d-kept", STANDARD, "apart row_dimensions"), .rank = 4, .dim = {4, 3, 5, 3},
     ALONG(0, -2), .keep = true},
    {SUITE_ROW("apart-5d", STANDARD, "apart row_dimensions"), .rank = 5, .dim = {3, 2, 3, 4, 3}, ALONG(1, 3)},
    {SUITE_ROW("between-4d", STANDARD, "apart row_dimensions"), .rank = 4, .dim = {2, 3, 4, 3}, ALONG(2)},
    {SUITE_ROW("between-5d", STANDARD, "apart row_dimensions"), .rank = 5, .dim = {2, 3, 4, 2, 3}, ALONG(-3)},
    {SUITE_ROW("batch-invariance-65", STANDARD, "batch_invariance", .build = invariance), MATRIX(9, 65)},
    {SUITE_ROW("batch-invariance-4099", STANDARD, "batch_invariance", .build = invariance, .dtypes = WIDE),
     MATRIX(5, 4099), .layout = LAYOUT_BLOCK},
    {SUITE_ROW("length-16777217", STANDARD, "size_limits", .dtypes = FLOAT32, .fresh = true), .rank = 1,
     .dim = {16777217}, ALONG(0), .fill = FILL_RARE, .only = ROW_SUM},
    {SUITE_ROW("length-16777217", EXHAUSTIVE, "size_limits", .dtypes = FLOAT32, .fresh = true), .rank = 1,
     .dim = {16777217}, ALONG(0), .fill = FILL_RARE, .only = ROW_EXTREMUM | ROW_COUNT | ROW_MEAN,
     .never = ROW_GRADIENT},
    {REAL("logits", SMOKE, "one_sided special_values"), MATRIX(9, 65), .fill = FILL_LOGITS,
     .only = ROW_EXPONENTIAL},
    {REAL("logits-4099", STANDARD, "one_sided"), MATRIX(5, 4099), .fill = FILL_LOGITS,
     .only = ROW_EXPONENTIAL},
    {SUITE_ROW("columns-200000", STANDARD, "size_limits", .dtypes = NARROW), MATRIX(1, 200000),
     .only = ROW_LONG_RANDOM},
    {SUITE_ROW("columns-200001", STANDARD, "size_limits", .dtypes = NARROW), MATRIX(1, 200001),
     .fill = FILL_NEGATIVE, .only = ROW_LONG_NEGATIVE},
    {SUITE_ROW("columns-200000", STANDARD, "size_limits", .dtypes = 1U << DTYPE_FLOAT64), MATRIX(1, 200000),
     .only = ROW_LONG_RANDOM_DOUBLE},
    {SUITE_ROW("columns-200001", STANDARD, "size_limits", .dtypes = 1U << DTYPE_FLOAT64), MATRIX(1, 200001),
     .fill = FILL_NEGATIVE, .only = ROW_LONG_NEGATIVE_DOUBLE},
    {REAL("offset", SMOKE, "normalize_offset"), MATRIX(9, 33), .fill = FILL_OFFSET, .only = ROW_DEVIATION},
    {REAL("offset-4099", STANDARD, "normalize_offset"), MATRIX(5, 4099), .fill = FILL_OFFSET,
     .only = ROW_DEVIATION},
    {SUITE_ROW("degrees-1582", STANDARD, "flags signed_bias", .dtypes = HALVES), MATRIX(480, 1582),
     .only = ROW_DEVIATION, .never = ROW_GRADIENT},
    {SUITE_ROW("degrees-1582", STANDARD, "flags", .dtypes = WIDE), MATRIX(48, 1582), .only = ROW_DEVIATION,
     .never = ROW_GRADIENT},
    {SUITE_ROW("degrees-1582-first", STANDARD, "flags signed_bias", .dtypes = HALVES), .rank = 2,
     .dim = {1582, 480}, ALONG(0), .only = ROW_DEVIATION, .never = ROW_GRADIENT},
    {SUITE_ROW("degrees-1582-first", STANDARD, "flags", .dtypes = WIDE), .rank = 2, .dim = {1582, 48},
     ALONG(0), .only = ROW_DEVIATION, .never = ROW_GRADIENT},
    {REAL("ties", SMOKE, "one_sided"), MATRIX(17, 33), .fill = FILL_WHOLE, .only = ROW_EXTREMUM_GRADIENT},
    /* More terms than float16 can count: its greatest number is 65,504, and a count in it stops at 2,048. */
    {SUITE_ROW("ties-65521", STANDARD, "one_sided size_limits", .dtypes = HALVES), MATRIX(1, 65521),
     .fill = FILL_EQUAL, .only = ROW_EXTREMUM_GRADIENT},
    {SUITE_ROW("positive-65521", STANDARD, "row_sums size_limits", .dtypes = HALVES), MATRIX(1, 65521),
     .fill = FILL_POSITIVE, .only = ROW_MANY_TERMS},
    {REAL("degrees-9", STANDARD, "flags"), MATRIX(33, 9), .only = ROW_DEVIATION_GRADIENT},
    {REAL("degrees-5", SMOKE, "flags"), MATRIX(64, 5), .only = ROW_DEVIATION},
    {REAL("correction-0", STANDARD, "flags"), MATRIX(9, 17), .correction = -1, .only = ROW_DEVIATION},
    {REAL("correction-3", STANDARD, "flags"), MATRIX(9, 5), .correction = 2, .only = ROW_DEVIATION},
    {REAL("correction-all", STANDARD, "flags"), MATRIX(9, 3), .correction = 2, .only = ROW_DEVIATION,
     .never = ROW_GRADIENT},
    {REAL("correction-beyond", STANDARD, "flags"), MATRIX(9, 3), .correction = 4, .only = ROW_DEVIATION,
     .never = ROW_GRADIENT},
    {SUITE_ROW("refuse-dimension", SMOKE, "row_refusals", .build = refuse), .rank = 2, .dim = {3, 5},
     ALONG(2)},
    {SUITE_ROW("refuse-dimension-negative", STANDARD, "row_refusals", .build = refuse), .rank = 2,
     .dim = {3, 5}, ALONG(-3)},
    {SUITE_ROW("refuse-twice", STANDARD, "row_refusals", .build = refuse), .rank = 2, .dim = {3, 5},
     ALONG(1, -1)},
    {REAL("refuse-grad-kept", SMOKE, "row_refusals", .build = refuse_gradient), MATRIX(3, 5),
     .only = ROW_GRADIENT},
    {REAL("refuse-grad-whole", STANDARD, "row_refusals", .build = refuse_gradient, .parameter = 1),
     MATRIX(3, 3), .only = ROW_GRADIENT},
    {SUITE_ROW("refuse-empty", STANDARD, "row_refusals", .build = refuse), MATRIX(3, 0),
     .only = ROW_EXTREMUM},
    {SUITE_ROW("refuse-empty-all", STANDARD, "row_refusals", .build = refuse), .rank = 2, .dim = {0, 3},
     .dims = -1, .only = ROW_EXTREMUM},
};

/* Whether an operator has the case: one with a single `dim` takes no list, and one that needs terms no empty
 * row. */
static bool asks(const void *at, const struct op *op, enum dtype dtype)
{
    (void)dtype;
    const struct row *row = at;
    bool single = op_attribute_named(op, "dim")->type == ATTRIBUTE_INTEGER, empty = false;
    for (int d = 0; d < row->rank; d++) {
        empty = empty || row->dim[d] == 0;
    }
    bool computes = row->row.build != refuse && row->row.build != refuse_gradient &&
                    !(row->rank == 2 && row->dim[0] == 0 && row->dims == 1);
    const unsigned bits = row_operator(op);
    return !(bits & row->never) && (!row->only || (bits & row->only)) &&
           !(single && row->dims != 1 && !row->row.parameter) &&
           !(op->rowwise->needs_terms && empty && computes);
}

static void declare(struct suite_list *list)
{
    for (int k = 0; k < op_count(); k++) {
        const struct op *op = op_at(k);
        if (op->rowwise) {
            suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {op->name}, .asks = asks,
                                                           .build = build, .level = level_beyond_float16_32});
        }
    }
}

const struct suite suite_reduction_rows = {.declare = declare};
