/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The table of cases of products, and operands that must be refused. */

#include "suites/shared/products.h"

enum {
    HALF = 1U << DTYPE_FLOAT16,
    BRAIN = 1U << DTYPE_BFLOAT16,
    NARROW = HALF | BRAIN,
    SINGLE = 1U << DTYPE_FLOAT32,
};
/* Bits of operators. A row without AUTOCAST is not for operators under autocast. VECTOR is mv, which has no
 * rows with batches or with a vector on the left. */
enum { MATMUL = 1, LINEAR = 2, BOTH = 3, AUTOCAST = 4, MATRICES = 7, VECTOR = 8, EVERY = 15 };

enum misfit { INNER, RIGHT_DTYPE, BIAS, NO_MATRIX, BATCH, COLUMN, SCALAR };

struct row {
    struct suite_row row;
    unsigned ops;   /* 0: all operators */
    unsigned lower; /* dtypes that the products are taken in; 0: all */
    enum misfit misfit;
    struct product_case product;
};

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    struct product_case p = row->product;
    struct view input[3];
    p.low = (enum dtype)b->c->parameter;
    product_step(b, &p, input);
}

/* Must be refused: a wrong inner dimension, dtype of the right operand, length of the bias, or rank for
 * mv. */
static void refuse(struct builder *b)
{
    enum misfit misfit = ((const struct row *)b->c->row)->misfit;
    struct product_case p = {.m = 3, .k = 4, .n = 5, .low = DTYPE_BFLOAT16};
    struct view input[3];
    struct step *step = product_step(b, &p, input);
    if (step) {
        struct attributes attributes = step->attributes;
        int inputs = step->inputs;
        b->program->steps = 0;
        if (misfit == INNER) {
            input[0].shape.dim[1] = 3;
        } else if (misfit == RIGHT_DTYPE) {
            struct shape shape = input[1].shape;
            enum dtype other = b->c->dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
            input[1] = build_tensor(b, other, &shape, LAYOUT_CONTIGUOUS);
        } else if (misfit == BIAS) {
            input[2].shape.dim[0] = 4;
        } else {
            input[0] = misfit == NO_MATRIX ? view_at(&input[0], 0) : input[0];
            input[0].shape.rank += misfit == BATCH; /* [3, 4, 4] and [4, 1] of strides 0 */
            input[1].shape.rank += misfit == COLUMN ? 1 : misfit == SCALAR ? -1 : 0;
            input[0].shape.dim[2] = 4;
            input[1].shape.dim[1] = 1;
        }
        build_rejection(b, b->c->op, &attributes, inputs, input);
    }
}

#define ROW(name_, level_, covers_, m_, k_, ...)                                                             \
    SUITE_ROW(name_, level_, covers_, .build = build), .product = {.m = m_, .k = k_, .n = __VA_ARGS__}
#define BATCHED(name_, ...)                                                                                  \
    ROW(name_, STANDARD, "product_strides layout_grid poison", 8, 7, 6, .data = PRODUCT_INTEGERS,            \
        .a_batch = {2, {2, 3}}, .b_batch = {2, {2, 3}}, __VA_ARGS__)
#define LAID(name_, level_, ...)                                                                             \
    ROW(name_, level_, "layout_grid poison", 8, 7, 6, .data = PRODUCT_INTEGERS, __VA_ARGS__)
#define LONG(name_, ...)                                                                                     \
    ROW(name_, STANDARD, "product_strides layout_grid poison", 9, 150, 1, .data = PRODUCT_INTEGERS,          \
        __VA_ARGS__)
#define TILED(name_, m_, k_, ...)                                                                            \
    ROW(name_, STANDARD, "product_sizes size_limits poison", m_, k_, __VA_ARGS__), .ops = MATRICES
#define UNSKIPPED "product_zero_times_nan special_values"

static const struct row rows[] = {
    {ROW("random-9x7x5", SMOKE, "product_sizes signed_bias", 9, 7, 5)},
    {ROW("integers-13x31x11", SMOKE, "product_exact", 13, 31, 11, .data = PRODUCT_INTEGERS)},
    {ROW("integers-7x1000x5", STANDARD, "product_exact", 7, 1000, 5, .data = PRODUCT_INTEGERS)},
    {ROW("integers-65x33x63", STANDARD, "product_exact product_sizes", 65, 33, 63, .data = PRODUCT_INTEGERS)},
    {ROW("cancel-5x255x3", SMOKE, "product_accumulation", 5, 255, 3, .data = PRODUCT_CANCEL)},
    {ROW("cancel-3x1000x4", STANDARD, "product_accumulation", 3, 1000, 4, .data = PRODUCT_CANCEL)},
    {ROW("cancel-2x4099x3", STANDARD, "product_accumulation", 2, 4099, 3, .data = PRODUCT_CANCEL)},
    {ROW("encoded-12x20x17", SMOKE, "self_encoding", 12, 20, 17, .data = PRODUCT_ENCODED)},
    {ROW("encoded-70x64x33", STANDARD, "self_encoding", 70, 64, 33, .data = PRODUCT_ENCODED)},
    {ROW("terms-0", SMOKE, "product_sizes", 3, 0, 4)},
    {ROW("terms-1", STANDARD, "product_sizes", 6, 1, 9)},
    {ROW("terms-31", STANDARD, "product_sizes", 9, 31, 8)},
    {ROW("terms-33", STANDARD, "product_sizes", 9, 33, 8)},
    {ROW("terms-255", STANDARD, "product_sizes signed_bias", 8, 255, 9)},
    {ROW("terms-257", STANDARD, "product_sizes signed_bias", 8, 257, 9)},
    {ROW("terms-1000", STANDARD, "product_sizes signed_bias", 6, 1000, 7)},
    {ROW("terms-4099", STANDARD, "product_sizes", 4, 4099, 6)},
    {ROW("terms-4099-positive", STANDARD, "product_sizes", 4, 4099, 6, .data = PRODUCT_POSITIVE)},
    {ROW("terms-65537-positive", STANDARD, "product_sizes size_limits", 2, 65537, 2,
         .data = PRODUCT_POSITIVE)},
    {ROW("no-rows", STANDARD, "product_sizes size_limits", 0, 5, 4)},
    {ROW("no-columns", STANDARD, "product_sizes size_limits", 4, 5, 0), .ops = MATRICES},
    {ROW("one-by-one", STANDARD, "product_sizes", 1, 1, 1)},
    {ROW("rows-4097", STANDARD, "product_sizes size_limits", 4097, 3, 2)},
    {ROW("columns-4097", STANDARD, "product_sizes size_limits", 2, 3, 4097), .ops = MATRICES},
    {ROW("terms-1-columns-65537", STANDARD, "product_sizes size_limits", 2, 1, 65537,
         .data = PRODUCT_INTEGERS),
     .ops = BOTH, .lower = SINGLE},
    {ROW("rows-65537", STANDARD, "product_sizes size_limits", 65537, 3, 2, .data = PRODUCT_INTEGERS),
     .ops = BOTH | VECTOR, .lower = SINGLE},
    {ROW("tiles-130x17x131", STANDARD, "product_sizes size_limits", 130, 17, 131, .data = PRODUCT_INTEGERS),
     .ops = BOTH, .lower = HALF | SINGLE},
    /* the extents of a tile and one more or less, with poison behind every edge; sums in parts; few columns
     */
    {TILED("tiles-33x129x31-block", 33, 129, 31, .laid = -1, .layout = LAYOUT_BLOCK)},
    {TILED("tiles-31x127x33-block", 31, 127, 33, .laid = -1, .layout = LAYOUT_BLOCK)},
    {TILED("tiles-65x15x63-block", 65, 15, 63, .laid = -1, .layout = LAYOUT_BLOCK)},
    {TILED("tiles-63x17x65-block", 63, 17, 65, .laid = -1, .layout = LAYOUT_BLOCK)},
    {TILED("tiles-64x32x64-block", 64, 32, 64, .laid = -1, .layout = LAYOUT_BLOCK)},
    {TILED("tiles-64x32x64", 64, 32, 64, .data = PRODUCT_INTEGERS)},
    {TILED("tiles-3x2049x7-block", 3, 2049, 7, .laid = -1, .layout = LAYOUT_BLOCK)},
    {TILED("tiles-7x3073x8", 7, 3073, 8, .data = PRODUCT_POSITIVE)},
    {TILED("tiles-70x33x8-block", 70, 33, 8, .laid = -1, .layout = LAYOUT_BLOCK)},
    {ROW("tiles-127x129x129-block", STANDARD, "product_sizes size_limits poison", 127, 129, 129, .laid = -1,
         .layout = LAYOUT_BLOCK),
     .ops = BOTH, .lower = SINGLE},
    {ROW("tiles-257x9x259", STANDARD, "product_sizes size_limits", 257, 9, 259, .data = PRODUCT_INTEGERS),
     .ops = MATMUL, .lower = SINGLE},
    {ROW("tiles-257x9x259", EXHAUSTIVE, "product_sizes size_limits", 257, 9, 259, .data = PRODUCT_INTEGERS),
     .ops = LINEAR, .lower = SINGLE},
    {ROW("tiles-1025x1x32769", EXHAUSTIVE, "product_sizes size_limits", 1025, 1, 32769,
         .data = PRODUCT_INTEGERS),
     .ops = BOTH, .lower = SINGLE},
    /* square: a second operand read as its transpose fits */
    {ROW("square-3", STANDARD, "product_square product_exact", 3, 3, 3, .data = PRODUCT_INTEGERS)},
    {ROW("square-16", STANDARD, "product_square product_exact", 16, 16, 16, .data = PRODUCT_INTEGERS)},
    {ROW("square-16-encoded", STANDARD, "product_square self_encoding", 16, 16, 16, .data = PRODUCT_ENCODED)},
    {ROW("square-64", STANDARD, "product_square product_exact", 64, 64, 64, .data = PRODUCT_INTEGERS),
     .lower = HALF | SINGLE},
    {ROW("square-256", EXHAUSTIVE, "product_square product_exact", 256, 256, 256, .data = PRODUCT_INTEGERS),
     .ops = BOTH, .lower = SINGLE},
    {ROW("no-bias", SMOKE, "product_exact flags", 6, 9, 7, .data = PRODUCT_INTEGERS, .no_bias = true),
     .ops = LINEAR | AUTOCAST},
    {ROW("batch-4", SMOKE, "product_batches", 5, 8, 3, .data = PRODUCT_INTEGERS, .a_batch = {1, {4}},
         .b_batch = {1, {4}})},
    {ROW("batch-left", STANDARD, "product_batches", 5, 8, 3, .a_batch = {2, {2, 3}})},
    {ROW("batch-right", STANDARD, "product_batches", 5, 8, 3, .b_batch = {2, {3, 2}}),
     .ops = MATMUL | AUTOCAST},
    {ROW("batch-broadcast", SMOKE, "product_batches", 5, 8, 3, .data = PRODUCT_INTEGERS,
         .a_batch = {3, {2, 1, 3}}, .b_batch = {2, {4, 1}}),
     .ops = MATMUL | AUTOCAST},
    {ROW("batch-65537", STANDARD, "product_batches size_limits", 1, 2, 1, .data = PRODUCT_INTEGERS,
         .a_batch = {1, {65537}}, .b_batch = {1, {65537}}),
     .ops = MATMUL, .lower = SINGLE},
    {ROW("batch-65537-left", STANDARD, "product_batches size_limits", 1, 2, 1, .data = PRODUCT_INTEGERS,
         .a_batch = {1, {65537}}),
     .ops = LINEAR, .lower = SINGLE},
    {BATCHED("batch-a-permuted", .layout = LAYOUT_PERMUTED)},
    {BATCHED("batch-b-permuted", .laid = 1, .layout = LAYOUT_PERMUTED), .ops = MATMUL | AUTOCAST},
    {BATCHED("batch-a-heads", .layout = LAYOUT_HEADS)},
    {BATCHED("batch-b-heads", .laid = 1, .layout = LAYOUT_HEADS), .ops = MATMUL | AUTOCAST},
    {BATCHED("batch-a-reversed", .layout = LAYOUT_REVERSED)},
    {BATCHED("batch-b-reversed", .laid = 1, .layout = LAYOUT_REVERSED), .ops = MATMUL | AUTOCAST},
    {BATCHED("batch-a-block", .layout = LAYOUT_BLOCK)},
    {BATCHED("batch-b-block", .laid = 1, .layout = LAYOUT_BLOCK), .ops = MATMUL | AUTOCAST},
    {BATCHED("batch-a-rows-stepped", .layout = LAYOUT_ROWS_STEPPED)},
    {BATCHED("batch-b-rows-stepped", .laid = 1, .layout = LAYOUT_ROWS_STEPPED), .ops = MATMUL | AUTOCAST},
    {BATCHED("batch-a-transposed", .layout = LAYOUT_TRANSPOSED)},
    {BATCHED("batch-b-transposed", .laid = 1, .layout = LAYOUT_TRANSPOSED), .ops = MATMUL | AUTOCAST},
    {BATCHED("batch-a-expanded-rows", .layout = LAYOUT_EXPANDED_ROWS)},
    {BATCHED("batch-b-expanded-rows", .laid = 1, .layout = LAYOUT_EXPANDED_ROWS), .ops = MATMUL | AUTOCAST},
    {BATCHED("batch-all-heads", .laid = -1, .layout = LAYOUT_HEADS), .ops = MATMUL | AUTOCAST},
    {ROW("batch-rank-5-permuted", STANDARD, "product_strides layout_grid", 3, 5, 4, .data = PRODUCT_INTEGERS,
         .a_batch = {3, {2, 3, 2}}, .b_batch = {3, {2, 3, 2}}, .layout = LAYOUT_PERMUTED)},
    {ROW("batch-rank-5-reversed", STANDARD, "product_strides layout_grid", 3, 5, 4, .data = PRODUCT_INTEGERS,
         .a_batch = {3, {2, 3, 2}}, .b_batch = {3, {2, 3, 2}}, .laid = 1, .layout = LAYOUT_REVERSED),
     .ops = MATMUL | AUTOCAST},
    {ROW("vector-left", STANDARD, "product_batches", 1, 33, 6, .data = PRODUCT_INTEGERS, .a_vector = true)},
    {ROW("vector-right", STANDARD, "product_batches", 6, 33, 1, .data = PRODUCT_INTEGERS, .b_vector = true),
     .ops = MATMUL | AUTOCAST},
    {ROW("vectors", STANDARD, "product_batches", 1, 33, 1, .data = PRODUCT_INTEGERS, .a_vector = true,
         .b_vector = true),
     .ops = MATMUL | AUTOCAST},
    {ROW("vector-left-stepped2", STANDARD, "product_strides layout_grid poison", 1, 33, 6,
         .data = PRODUCT_INTEGERS, .layout = LAYOUT_STEPPED2, .a_vector = true)},
    {ROW("vector-left-stepped3", STANDARD, "product_strides layout_grid poison", 1, 33, 6,
         .data = PRODUCT_INTEGERS, .layout = LAYOUT_STEPPED3, .a_vector = true)},
    {ROW("vector-left-expanded", STANDARD, "product_strides layout_grid poison", 1, 33, 6,
         .data = PRODUCT_INTEGERS, .layout = LAYOUT_EXPANDED, .a_vector = true)},
    {ROW("vector-right-stepped2", STANDARD, "product_strides layout_grid poison", 6, 33, 1,
         .data = PRODUCT_INTEGERS, .laid = 1, .layout = LAYOUT_STEPPED2, .b_vector = true),
     .ops = MATMUL | AUTOCAST},
    {ROW("vector-right-stepped3", STANDARD, "product_strides layout_grid poison", 6, 33, 1,
         .data = PRODUCT_INTEGERS, .laid = 1, .layout = LAYOUT_STEPPED3, .b_vector = true),
     .ops = MATMUL | AUTOCAST},
    {ROW("vector-right-expanded", STANDARD, "product_strides layout_grid poison", 6, 33, 1,
         .data = PRODUCT_INTEGERS, .laid = 1, .layout = LAYOUT_EXPANDED, .b_vector = true),
     .ops = MATMUL | AUTOCAST},
    {ROW("vectors-stepped2", STANDARD, "product_strides layout_grid poison", 1, 33, 1,
         .data = PRODUCT_INTEGERS, .laid = -1, .layout = LAYOUT_STEPPED2, .a_vector = true, .b_vector = true),
     .ops = MATMUL | AUTOCAST},
    {ROW("vectors-stepped3", STANDARD, "product_strides layout_grid poison", 1, 33, 1,
         .data = PRODUCT_INTEGERS, .laid = -1, .layout = LAYOUT_STEPPED3, .a_vector = true, .b_vector = true),
     .ops = MATMUL | AUTOCAST},
    {ROW("vector-right-of-batch", STANDARD, "product_batches", 4, 9, 1, .a_batch = {2, {2, 3}},
         .b_vector = true),
     .ops = MATMUL | AUTOCAST},
    {ROW("vector-left-of-rank-4", STANDARD, "product_batches", 1, 9, 5, .a_vector = true,
         .b_batch = {2, {2, 3}}),
     .ops = MATMUL | AUTOCAST},
    {ROW("batch-rank-2-left-of-4", STANDARD, "product_batches", 4, 9, 5, .b_batch = {2, {2, 3}}),
     .ops = MATMUL | AUTOCAST},
    {ROW("batch-broadcast-both", STANDARD, "product_batches", 3, 7, 5, .a_batch = {3, {2, 1, 3}},
         .b_batch = {3, {1, 4, 1}}),
     .ops = MATMUL | AUTOCAST},
    {ROW("vector-batch", STANDARD, "product_batches", 1, 9, 5, .a_vector = true, .b_batch = {1, {3}}),
     .ops = MATMUL | AUTOCAST},
    {ROW("overflow-5x4x3", SMOKE, "product_range", 5, 4, 3, .data = PRODUCT_OVERFLOW)},
    {ROW("overflow-3x100x2", STANDARD, "product_range", 3, 100, 2, .data = PRODUCT_OVERFLOW)},
    {ROW("nan-row", SMOKE, "product_nan special_values", 7, 9, 5, .data = PRODUCT_NAN_ROW)},
    {ROW("nan-row-65x130", STANDARD, "product_nan special_values", 65, 130, 3, .data = PRODUCT_NAN_ROW)},
    {ROW("infinite-column", STANDARD, "product_nan special_values", 7, 9, 5, .data = PRODUCT_NAN_COLUMN)},
    {ROW("zero-times-infinity", STANDARD, UNSKIPPED, 7, 9, 5, .data = PRODUCT_ZERO_TIMES_INF)},
    {ROW("zero-times-infinity-33x65", STANDARD, UNSKIPPED, 33, 65, 4, .data = PRODUCT_ZERO_TIMES_INF)},
    {ROW("infinity-times-zero", STANDARD, UNSKIPPED, 7, 9, 5, .data = PRODUCT_INF_TIMES_ZERO)},
    {ROW("infinity-times-zero-33x65", STANDARD, UNSKIPPED, 33, 65, 4, .data = PRODUCT_INF_TIMES_ZERO)},
    {ROW("subnormals", STANDARD, "product_range special_values", 6, 9, 5, .data = PRODUCT_SUBNORMAL),
     .lower = NARROW},
    {LAID("a-transposed", STANDARD, .layout = LAYOUT_TRANSPOSED)},
    {LAID("b-transposed", SMOKE, .laid = 1, .layout = LAYOUT_TRANSPOSED), .ops = MATRICES},
    {LAID("a-columns", STANDARD, .layout = LAYOUT_COLUMNS)},
    {LAID("b-columns", STANDARD, .laid = 1, .layout = LAYOUT_COLUMNS), .ops = MATRICES},
    {LAID("a-block", STANDARD, .layout = LAYOUT_BLOCK)},
    {LAID("b-block", STANDARD, .laid = 1, .layout = LAYOUT_BLOCK), .ops = MATRICES},
    {LAID("a-stepped2", STANDARD, .layout = LAYOUT_STEPPED2)},
    {LAID("b-stepped3", STANDARD, .laid = 1, .layout = LAYOUT_STEPPED3)},
    {LAID("a-offset1", STANDARD, .layout = LAYOUT_OFFSET1)},
    {LAID("b-offset3", STANDARD, .laid = 1, .layout = LAYOUT_OFFSET3)},
    {LAID("a-far", STANDARD, .layout = LAYOUT_FAR)},
    {LAID("b-far", STANDARD, .laid = 1, .layout = LAYOUT_FAR)},
    {LAID("a-expanded", STANDARD, .layout = LAYOUT_EXPANDED)},
    {LAID("b-expanded", STANDARD, .laid = 1, .layout = LAYOUT_EXPANDED)},
    {LAID("a-expanded-rows", STANDARD, .layout = LAYOUT_EXPANDED_ROWS)},
    {LAID("b-expanded-rows", STANDARD, .laid = 1, .layout = LAYOUT_EXPANDED_ROWS), .ops = MATRICES},
    {LAID("all-expanded-rows", STANDARD, .laid = -1, .layout = LAYOUT_EXPANDED_ROWS)},
    {LAID("bias-stepped3", STANDARD, .laid = 2, .layout = LAYOUT_STEPPED3), .ops = LINEAR | AUTOCAST},
    {LAID("bias-far", STANDARD, .laid = 2, .layout = LAYOUT_FAR), .ops = LINEAR | AUTOCAST},
    {LAID("bias-expanded", STANDARD, .laid = 2, .layout = LAYOUT_EXPANDED), .ops = LINEAR | AUTOCAST},
    {LAID("all-transposed-block", SMOKE, .laid = -1, .layout = LAYOUT_TRANSPOSED_BLOCK)},
    {LAID("all-columns", STANDARD, .laid = -1, .layout = LAYOUT_COLUMNS)},
    {LAID("all-stepped2", STANDARD, .laid = -1, .layout = LAYOUT_STEPPED2)},
    {LAID("all-offset1", STANDARD, .laid = -1, .layout = LAYOUT_OFFSET1)},
};

/* Only for mv: rows of more than 128 terms, which a workgroup processes together, and results of one
 * element. */
static const struct row vectors[] = {
    {ROW("random-65x200", SMOKE, "product_sizes signed_bias", 65, 200, 1)},
    {ROW("random-4099x1031", EXHAUSTIVE, "product_sizes signed_bias size_limits", 4099, 1031, 1)},
    {ROW("integers-4099x1031", STANDARD, "product_exact", 4099, 1031, 1, .data = PRODUCT_INTEGERS)},
    {ROW("encoded-64x333", STANDARD, "self_encoding", 64, 333, 1, .data = PRODUCT_ENCODED)},
    {ROW("square-150", STANDARD, "product_square", 150, 150, 1, .data = PRODUCT_INTEGERS)},
    {ROW("nothing", STANDARD, "product_sizes size_limits", 0, 0, 1)},
    {ROW("one-row", STANDARD, "product_sizes", 1, 333, 1, .data = PRODUCT_INTEGERS)},
    {ROW("terms-128", STANDARD, "product_sizes", 9, 128, 1)},
    {ROW("terms-129", STANDARD, "product_sizes", 9, 129, 1)},
    {ROW("terms-8192", STANDARD, "product_sizes", 3, 8192, 1)},
    {ROW("terms-8193", STANDARD, "product_sizes", 3, 8193, 1)},
    {ROW("edges", SMOKE, "special_values", 34, 1, 1, .data = PRODUCT_EDGES)},
    {ROW("ends-8x3", SMOKE, "product_range special_values", 8, 3, 1, .data = PRODUCT_ENDS)},
    {ROW("ends-8x200", STANDARD, "product_range special_values", 8, 200, 1, .data = PRODUCT_ENDS)},
    {ROW("infinite-term", STANDARD, "product_nan special_values", 7, 150, 1, .data = PRODUCT_NAN_COLUMN)},
    {ROW("zero-times-nan", STANDARD, UNSKIPPED, 9, 150, 1, .data = PRODUCT_ZERO_TIMES_INF)},
    {ROW("zero-times-infinity-9x151", STANDARD, UNSKIPPED, 9, 151, 1, .data = PRODUCT_ZERO_TIMES_INF)},
    {ROW("infinity-times-zero-9x151", STANDARD, UNSKIPPED, 9, 151, 1, .data = PRODUCT_INF_TIMES_ZERO)},
    {LONG("a-transposed-long", .layout = LAYOUT_TRANSPOSED)},
    {LONG("a-transposed-block-long", .layout = LAYOUT_TRANSPOSED_BLOCK)},
    {LONG("a-columns-long", .layout = LAYOUT_COLUMNS)},
    {LONG("a-stepped2-long", .layout = LAYOUT_STEPPED2)},
    {LONG("a-rows-stepped", .layout = LAYOUT_ROWS_STEPPED)},
    {LONG("a-offset1-long", .layout = LAYOUT_OFFSET1)},
    {LONG("a-distant", .layout = LAYOUT_DISTANT)},
    {LONG("a-expanded-long", .layout = LAYOUT_EXPANDED)},
    {LONG("a-expanded-rows-long", .layout = LAYOUT_EXPANDED_ROWS)},
    {LONG("b-stepped2-long", .laid = 1, .layout = LAYOUT_STEPPED2)},
    {LONG("b-offset3-long", .laid = 1, .layout = LAYOUT_OFFSET3)},
    {LONG("b-expanded-long", .laid = 1, .layout = LAYOUT_EXPANDED)},
    {LONG("all-stepped2-long", .laid = -1, .layout = LAYOUT_STEPPED2)},
};

/* Only under autocast: casts from float32 to the 16-bit dtype in the name. */
static const struct row casts[] = {
    {ROW("edges", SMOKE, "autocast_cast special_values", 34, 1, 1, .data = PRODUCT_EDGES, .no_bias = true)},
    {ROW("ties-13x31x11", SMOKE, "autocast_cast", 13, 31, 11, .data = PRODUCT_TIES)},
    {ROW("ties-4x1000x3", STANDARD, "autocast_cast", 4, 1000, 3, .data = PRODUCT_TIES)},
    {ROW("weight-float16", SMOKE, "autocast_cast", 9, 12, 7, .mixed = true, .other = DTYPE_FLOAT16)},
    {ROW("weight-bfloat16", STANDARD, "autocast_cast", 9, 12, 7, .mixed = true, .other = DTYPE_BFLOAT16)},
};

static const struct row alone[] = {
    {SUITE_ROW("rows-alone", STANDARD, "batch_invariance", .build = product_rows_alone)},
    {SUITE_ROW("rows-in-batches", STANDARD, "batch_invariance", .build = product_rows_in_batches)},
};

#define REFUSED(name_, misfit_)                                                                              \
    SUITE_ROW(name_, SMOKE, "product_refusals", .build = refuse), .misfit = misfit_

static const struct row refusals[] = {
    {REFUSED("refuse-inner", INNER)},
    {REFUSED("refuse-float64-beside", RIGHT_DTYPE)},
    {REFUSED("refuse-bias", BIAS), .ops = LINEAR | AUTOCAST},
    {REFUSED("refuse-vectors", NO_MATRIX), .ops = VECTOR},
    {REFUSED("refuse-batch", BATCH), .ops = VECTOR},
    {REFUSED("refuse-column", COLUMN), .ops = VECTOR},
    {REFUSED("refuse-scalar", SCALAR), .ops = VECTOR},
};

static bool asks(const struct row *row, const struct product_types *types)
{
    const struct product_case *p = &row->product;
    bool vector = product_is_vector(types->op), low = !row->lower || (row->lower >> types->low & 1);
    unsigned ops = row->ops ? row->ops : EVERY;
    unsigned one = vector ? VECTOR : product_is_linear(types->op) ? LINEAR : MATMUL;
    return low && (ops & one) && ((ops & AUTOCAST) || !product_is_autocast(types->op)) &&
           !(vector && (p->a_vector || p->a_batch.rank > 0 || p->b_batch.rank > 0));
}

/* Declares every row if `all`, else only the smoke cases. */
static void declare_rows(struct suite_list *list, const struct product_types *types, const struct row *row,
                         size_t count, bool all)
{
    for (size_t r = 0; r < count; r++) {
        enum level level = row[r].row.level;
        if (asks(&row[r], types) && (all || level == LEVEL_SMOKE)) {
            product_declare_row(list, types, __FILE__, &row[r].row, all ? level : LEVEL_STANDARD);
        }
    }
}

/* Returns the dtypes that autocast may take products of that dtype in; without autocast the dtype itself. */
static unsigned lower_types(const struct op *op, enum dtype dtype)
{
    return product_is_autocast(op) && dtype != DTYPE_FLOAT64 ? NARROW : 1U << dtype;
}

static void declare_types(struct suite_list *list, const struct product_types *types)
{
    bool autocast = product_is_autocast(types->op), single = types->dtype == DTYPE_FLOAT32;
    declare_rows(list, types, rows, sizeof rows / sizeof *rows, !autocast || single);
    if (product_is_vector(types->op)) {
        declare_rows(list, types, vectors, sizeof vectors / sizeof *vectors, true);
    }
    if (autocast && single) {
        declare_rows(list, types, casts, sizeof casts / sizeof *casts, true);
    }
    product_declare_chains(list, types);
    declare_rows(list, types, alone, sizeof alone / sizeof *alone, true);
    if (!autocast || types->low != DTYPE_FLOAT16) {
        declare_rows(list, types, refusals, sizeof refusals / sizeof *refusals, true);
    }
}

void product_declare(struct suite_list *list, const char *name)
{
    const struct op *op = op_find(name);
    for (int d = 0; op && d < DTYPE_COUNT; d++) {
        unsigned lower = op->dtypes >> d & 1 ? lower_types(op, (enum dtype)d) : 0;
        for (int t = 0; t < DTYPE_COUNT; t++) {
            if (lower >> t & 1) {
                declare_types(list, &(struct product_types){op, (enum dtype)d, (enum dtype)t});
            }
        }
    }
}
