/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The table of products, and what is asked of rows alone and of operands that fit no product. */

#include "suites/shared/products.h"

#include <stdio.h>
#include <string.h>

enum {
    HALF = 1U << DTYPE_FLOAT16,
    BRAIN = 1U << DTYPE_BFLOAT16,
    NARROW = HALF | BRAIN,
    SINGLE = 1U << DTYPE_FLOAT32,
    FULL = SINGLE | 1U << DTYPE_FLOAT64,
    ALL = NARROW | FULL
};
enum { MATMUL = 1, LINEAR = 2, BOTH = 3, AUTOCAST = 4, EVERY = 7 }; /* without AUTOCAST: not under autocast */

struct row {
    const char *name;
    enum level level;
    unsigned ops, dtypes; /* dtypes: in which the products are taken */
    struct product_case product;
    const char *covers;
    int line;
};

#define ROW(name_, level_, ops_, dtypes_, m_, k_, n_, data_, covers_, ...)                                   \
    {                                                                                                        \
        .name = name_, .level = LEVEL_##level_, .ops = ops_, .dtypes = dtypes_,                              \
        .product = {.m = m_, .k = k_, .n = n_, .data = PRODUCT_##data_, __VA_ARGS__}, .covers = covers_,     \
        .line = __LINE__                                                                                     \
    }
#define BATCH(...)                                                                                           \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

static const struct row rows[] = {
    ROW("random-9x7x5", SMOKE, EVERY, ALL, 9, 7, 5, RANDOM, "product_sizes signed_bias", .laid = 0),
    ROW("integers-13x31x11", SMOKE, EVERY, ALL, 13, 31, 11, INTEGERS, "product_exact", .laid = 0),
    ROW("integers-7x1000x5", STANDARD, EVERY, ALL, 7, 1000, 5, INTEGERS, "product_exact", .laid = 0),
    ROW("integers-65x33x63", STANDARD, EVERY, ALL, 65, 33, 63, INTEGERS, "product_exact product_sizes",
        .laid = 0),
    ROW("cancel-5x255x3", SMOKE, EVERY, ALL, 5, 255, 3, CANCEL, "product_accumulation", .laid = 0),
    ROW("cancel-3x1000x4", STANDARD, EVERY, ALL, 3, 1000, 4, CANCEL, "product_accumulation", .laid = 0),
    ROW("cancel-2x4099x3", STANDARD, EVERY, ALL, 2, 4099, 3, CANCEL, "product_accumulation", .laid = 0),
    ROW("encoded-12x20x17", SMOKE, EVERY, ALL, 12, 20, 17, ENCODED, "self_encoding", .laid = 0),
    ROW("encoded-70x64x33", STANDARD, EVERY, ALL, 70, 64, 33, ENCODED, "self_encoding", .laid = 0),
    ROW("terms-0", SMOKE, EVERY, ALL, 3, 0, 4, RANDOM, "product_sizes", .laid = 0),
    ROW("terms-1", STANDARD, EVERY, ALL, 6, 1, 9, RANDOM, "product_sizes", .laid = 0),
    ROW("terms-31", STANDARD, EVERY, ALL, 9, 31, 8, RANDOM, "product_sizes", .laid = 0),
    ROW("terms-33", STANDARD, EVERY, ALL, 9, 33, 8, RANDOM, "product_sizes", .laid = 0),
    ROW("terms-255", STANDARD, EVERY, ALL, 8, 255, 9, RANDOM, "product_sizes signed_bias", .laid = 0),
    ROW("terms-257", STANDARD, EVERY, ALL, 8, 257, 9, RANDOM, "product_sizes signed_bias", .laid = 0),
    ROW("terms-1000", STANDARD, EVERY, ALL, 6, 1000, 7, RANDOM, "product_sizes signed_bias", .laid = 0),
    ROW("terms-4099", STANDARD, EVERY, ALL, 4, 4099, 6, RANDOM, "product_sizes", .laid = 0),
    ROW("terms-4099-positive", STANDARD, EVERY, ALL, 4, 4099, 6, POSITIVE, "product_sizes", .laid = 0),
    ROW("terms-65537-positive", STANDARD, EVERY, ALL, 2, 65537, 2, POSITIVE, "product_sizes size_limits",
        .laid = 0),
    ROW("no-rows", STANDARD, EVERY, ALL, 0, 5, 4, RANDOM, "product_sizes size_limits", .laid = 0),
    ROW("no-columns", STANDARD, EVERY, ALL, 4, 5, 0, RANDOM, "product_sizes size_limits", .laid = 0),
    ROW("one-by-one", STANDARD, EVERY, ALL, 1, 1, 1, RANDOM, "product_sizes", .laid = 0),
    ROW("rows-4097", STANDARD, EVERY, ALL, 4097, 3, 2, RANDOM, "product_sizes size_limits", .laid = 0),
    ROW("columns-4097", STANDARD, EVERY, ALL, 2, 3, 4097, RANDOM, "product_sizes size_limits", .laid = 0),
    ROW("terms-1-columns-65537", STANDARD, BOTH, SINGLE, 2, 1, 65537, INTEGERS, "product_sizes size_limits",
        .laid = 0),
    ROW("rows-65537", STANDARD, BOTH, SINGLE, 65537, 3, 2, INTEGERS, "product_sizes size_limits", .laid = 0),
    ROW("tiles-130x17x131", STANDARD, BOTH, HALF | SINGLE, 130, 17, 131, INTEGERS,
        "product_sizes size_limits", .laid = 0),
    ROW("tiles-257x9x259", STANDARD, MATMUL, SINGLE, 257, 9, 259, INTEGERS, "product_sizes size_limits",
        .laid = 0),
    ROW("tiles-257x9x259", EXHAUSTIVE, LINEAR, SINGLE, 257, 9, 259, INTEGERS, "product_sizes size_limits",
        .laid = 0),
    ROW("tiles-1025x1x32769", EXHAUSTIVE, BOTH, SINGLE, 1025, 1, 32769, INTEGERS, "product_sizes size_limits",
        .laid = 0),
    /* square: a second operand read as its transpose fits */
    ROW("square-3", STANDARD, EVERY, ALL, 3, 3, 3, INTEGERS, "product_square product_exact", .laid = 0),
    ROW("square-16", STANDARD, EVERY, ALL, 16, 16, 16, INTEGERS, "product_square product_exact", .laid = 0),
    ROW("square-16-encoded", STANDARD, EVERY, ALL, 16, 16, 16, ENCODED, "product_square self_encoding",
        .laid = 0),
    ROW("square-64", STANDARD, EVERY, HALF | SINGLE, 64, 64, 64, INTEGERS, "product_square product_exact",
        .laid = 0),
    ROW("square-256", EXHAUSTIVE, BOTH, SINGLE, 256, 256, 256, INTEGERS, "product_square product_exact",
        .laid = 0),
    ROW("no-bias", SMOKE, LINEAR | AUTOCAST, ALL, 6, 9, 7, INTEGERS, "product_exact flags", .no_bias = true),
    ROW("batch-4", SMOKE, EVERY, ALL, 5, 8, 3, INTEGERS, "product_batches", .a_batch = BATCH(1, {4}),
        .b_batch = BATCH(1, {4})),
    ROW("batch-left", STANDARD, EVERY, ALL, 5, 8, 3, RANDOM, "product_batches", .a_batch = BATCH(2, {2, 3})),
    ROW("batch-right", STANDARD, MATMUL | AUTOCAST, ALL, 5, 8, 3, RANDOM, "product_batches",
        .b_batch = BATCH(2, {3, 2})),
    ROW("batch-broadcast", SMOKE, MATMUL | AUTOCAST, ALL, 5, 8, 3, INTEGERS, "product_batches",
        .a_batch = BATCH(3, {2, 1, 3}), .b_batch = BATCH(2, {4, 1})),
    ROW("batch-65537", STANDARD, MATMUL, SINGLE, 1, 2, 1, INTEGERS, "product_batches size_limits",
        .a_batch = BATCH(1, {65537}), .b_batch = BATCH(1, {65537})),
    ROW("batch-65537-left", STANDARD, LINEAR, SINGLE, 1, 2, 1, INTEGERS, "product_batches size_limits",
        .a_batch = BATCH(1, {65537})),
#define BATCHED(name_, ops_, which_, layout_)                                                                \
    ROW(name_, STANDARD, ops_, ALL, 8, 7, 6, INTEGERS, "product_strides layout_grid poison",                 \
        .a_batch = BATCH(2, {2, 3}), .b_batch = BATCH(2, {2, 3}), .laid = which_,                            \
        .layout = LAYOUT_##layout_)
#define BATCHED_EITHER(name_, layout_)                                                                       \
    BATCHED("batch-a-" name_, EVERY, 0, layout_), BATCHED("batch-b-" name_, MATMUL | AUTOCAST, 1, layout_)
    BATCHED_EITHER("permuted", PERMUTED),
    BATCHED_EITHER("heads", HEADS),
    BATCHED_EITHER("reversed", REVERSED),
    BATCHED_EITHER("block", BLOCK),
    BATCHED_EITHER("rows-stepped", ROWS_STEPPED),
    BATCHED_EITHER("transposed", TRANSPOSED),
    BATCHED_EITHER("expanded-rows", EXPANDED_ROWS),
    BATCHED("batch-all-heads", MATMUL | AUTOCAST, -1, HEADS),
    ROW("batch-rank-5-permuted", STANDARD, EVERY, ALL, 3, 5, 4, INTEGERS, "product_strides layout_grid",
        .a_batch = BATCH(3, {2, 3, 2}), .b_batch = BATCH(3, {2, 3, 2}), .laid = 0, .layout = LAYOUT_PERMUTED),
    ROW("batch-rank-5-reversed", STANDARD, MATMUL | AUTOCAST, ALL, 3, 5, 4, INTEGERS,
        "product_strides layout_grid", .a_batch = BATCH(3, {2, 3, 2}), .b_batch = BATCH(3, {2, 3, 2}),
        .laid = 1, .layout = LAYOUT_REVERSED),
    ROW("vector-left", STANDARD, EVERY, ALL, 1, 33, 6, INTEGERS, "product_batches", .a_vector = true),
    ROW("vector-right", STANDARD, MATMUL | AUTOCAST, ALL, 6, 33, 1, INTEGERS, "product_batches",
        .b_vector = true),
    ROW("vectors", STANDARD, MATMUL | AUTOCAST, ALL, 1, 33, 1, INTEGERS, "product_batches", .a_vector = true,
        .b_vector = true),
#define VECTOR(name_, ops_, m_, n_, which_, layout_, ...)                                                    \
    ROW(name_, STANDARD, ops_, ALL, m_, 33, n_, INTEGERS, "product_strides layout_grid poison",              \
        .laid = which_, .layout = LAYOUT_##layout_, __VA_ARGS__)
    VECTOR("vector-left-stepped2", EVERY, 1, 6, 0, STEPPED2, .a_vector = true),
    VECTOR("vector-left-stepped3", EVERY, 1, 6, 0, STEPPED3, .a_vector = true),
    VECTOR("vector-left-expanded", EVERY, 1, 6, 0, EXPANDED, .a_vector = true),
    VECTOR("vector-right-stepped2", MATMUL | AUTOCAST, 6, 1, 1, STEPPED2, .b_vector = true),
    VECTOR("vector-right-stepped3", MATMUL | AUTOCAST, 6, 1, 1, STEPPED3, .b_vector = true),
    VECTOR("vector-right-expanded", MATMUL | AUTOCAST, 6, 1, 1, EXPANDED, .b_vector = true),
    VECTOR("vectors-stepped2", MATMUL | AUTOCAST, 1, 1, -1, STEPPED2, .a_vector = true, .b_vector = true),
    VECTOR("vectors-stepped3", MATMUL | AUTOCAST, 1, 1, -1, STEPPED3, .a_vector = true, .b_vector = true),
    ROW("vector-right-of-batch", STANDARD, MATMUL | AUTOCAST, ALL, 4, 9, 1, RANDOM, "product_batches",
        .a_batch = BATCH(2, {2, 3}), .b_vector = true),
    ROW("vector-left-of-rank-4", STANDARD, MATMUL | AUTOCAST, ALL, 1, 9, 5, RANDOM, "product_batches",
        .a_vector = true, .b_batch = BATCH(2, {2, 3})),
    ROW("batch-rank-2-left-of-4", STANDARD, MATMUL | AUTOCAST, ALL, 4, 9, 5, RANDOM, "product_batches",
        .b_batch = BATCH(2, {2, 3})),
    ROW("batch-broadcast-both", STANDARD, MATMUL | AUTOCAST, ALL, 3, 7, 5, RANDOM, "product_batches",
        .a_batch = BATCH(3, {2, 1, 3}), .b_batch = BATCH(3, {1, 4, 1})),
    ROW("vector-batch", STANDARD, MATMUL | AUTOCAST, ALL, 1, 9, 5, RANDOM, "product_batches",
        .a_vector = true, .b_batch = BATCH(1, {3})),
    ROW("overflow-5x4x3", SMOKE, EVERY, ALL, 5, 4, 3, OVERFLOW, "product_range", .laid = 0),
    ROW("overflow-3x100x2", STANDARD, EVERY, ALL, 3, 100, 2, OVERFLOW, "product_range", .laid = 0),
    ROW("nan-row", SMOKE, EVERY, ALL, 7, 9, 5, NAN_ROW, "product_nan special_values", .laid = 0),
    ROW("nan-row-65x130", STANDARD, EVERY, ALL, 65, 130, 3, NAN_ROW, "product_nan special_values", .laid = 0),
    ROW("infinite-column", STANDARD, EVERY, ALL, 7, 9, 5, NAN_COLUMN, "product_nan special_values",
        .laid = 0),
#define UNSKIPPED "product_zero_times_nan special_values"
    ROW("zero-times-infinity", STANDARD, EVERY, ALL, 7, 9, 5, ZERO_TIMES_INF, UNSKIPPED, .laid = 0),
    ROW("zero-times-infinity-33x65", STANDARD, EVERY, ALL, 33, 65, 4, ZERO_TIMES_INF, UNSKIPPED, .laid = 0),
    ROW("infinity-times-zero", STANDARD, EVERY, ALL, 7, 9, 5, INF_TIMES_ZERO, UNSKIPPED, .laid = 0),
    ROW("infinity-times-zero-33x65", STANDARD, EVERY, ALL, 33, 65, 4, INF_TIMES_ZERO, UNSKIPPED, .laid = 0),
    ROW("subnormals", STANDARD, EVERY, NARROW, 6, 9, 5, SUBNORMAL, "product_range special_values", .laid = 0),
#define LAID(name_, level_, which_, layout_)                                                                 \
    ROW(name_, level_, EVERY, ALL, 8, 7, 6, INTEGERS, "layout_grid poison", .laid = which_,                  \
        .layout = LAYOUT_##layout_)
    LAID("a-transposed", STANDARD, 0, TRANSPOSED),
    LAID("b-transposed", SMOKE, 1, TRANSPOSED),
    LAID("a-columns", STANDARD, 0, COLUMNS),
    LAID("b-columns", STANDARD, 1, COLUMNS),
    LAID("a-block", STANDARD, 0, BLOCK),
    LAID("b-block", STANDARD, 1, BLOCK),
    LAID("a-stepped2", STANDARD, 0, STEPPED2),
    LAID("b-stepped3", STANDARD, 1, STEPPED3),
    LAID("a-offset1", STANDARD, 0, OFFSET1),
    LAID("b-offset3", STANDARD, 1, OFFSET3),
    LAID("a-far", STANDARD, 0, FAR),
    LAID("b-far", STANDARD, 1, FAR),
    LAID("a-expanded", STANDARD, 0, EXPANDED),
    LAID("b-expanded", STANDARD, 1, EXPANDED),
    LAID("a-expanded-rows", STANDARD, 0, EXPANDED_ROWS),
    LAID("b-expanded-rows", STANDARD, 1, EXPANDED_ROWS),
    LAID("all-expanded-rows", STANDARD, -1, EXPANDED_ROWS),
#define BIAS(name_, layout_)                                                                                 \
    ROW("bias-" name_, STANDARD, LINEAR | AUTOCAST, ALL, 8, 7, 6, INTEGERS, "layout_grid poison", .laid = 2, \
        .layout = LAYOUT_##layout_)
    BIAS("stepped3", STEPPED3),
    BIAS("far", FAR),
    BIAS("expanded", EXPANDED),
    LAID("all-transposed-block", SMOKE, -1, TRANSPOSED_BLOCK),
    LAID("all-columns", STANDARD, -1, COLUMNS),
    LAID("all-stepped2", STANDARD, -1, STEPPED2),
    LAID("all-offset1", STANDARD, -1, OFFSET1),
};

/* Only under autocast: from float32, to the type named. */
static const struct row casts[] = {
    ROW("edges", SMOKE, AUTOCAST, NARROW, 34, 1, 1, EDGES, "autocast_cast special_values", .no_bias = true),
    ROW("ties-13x31x11", SMOKE, AUTOCAST, NARROW, 13, 31, 11, TIES, "autocast_cast", .laid = 0),
    ROW("ties-4x1000x3", STANDARD, AUTOCAST, NARROW, 4, 1000, 3, TIES, "autocast_cast", .laid = 0),
    ROW("weight-float16", SMOKE, AUTOCAST, NARROW, 9, 12, 7, RANDOM, "autocast_cast", .mixed = true,
        .other = DTYPE_FLOAT16),
    ROW("weight-bfloat16", STANDARD, AUTOCAST, NARROW, 9, 12, 7, RANDOM, "autocast_cast", .mixed = true,
        .other = DTYPE_BFLOAT16),
};

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    struct product_case p = row->product;
    struct view input[3];
    p.low = (enum dtype)b->c->parameter;
    product_step(b, &p, input);
}

/* Each row of A alone gives that row of the product. */
static void build_alone(struct builder *b)
{
    struct product_case p = {
        .m = 5, .k = 130, .n = 6, .data = PRODUCT_RANDOM, .low = (enum dtype)b->c->parameter};
    struct view input[3];
    struct step *step = product_step(b, &p, input);
    struct view whole = step ? step->output[0] : input[0], every = input[0];
    for (int64_t i = 0; step && i < p.m; i += 2) {
        input[0] = view_window(&every, i, 1, 1);
        step = product_again(b, &p, step->inputs, input);
        if (step) {
            struct view row = view_window(&whole, i, 1, 1);
            build_relate(b, &row, &step->output[0], "a row of the product alone");
        }
    }
}

/* Operands that fit no product; parameter: which. */
static void build_refusal(struct builder *b)
{
    struct product_case p = {.m = 3, .k = 4, .n = 5, .low = DTYPE_BFLOAT16};
    struct view input[3];
    struct step *step = product_step(b, &p, input);
    if (step) {
        struct attributes attributes = step->attributes;
        int inputs = step->inputs;
        b->program->steps = 0;
        if (b->c->parameter == 0) {
            input[0].shape.dim[1] = 3;
        } else if (b->c->parameter == 1) {
            struct shape shape = input[1].shape;
            enum dtype other = b->c->dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
            input[1] = build_tensor(b, other, &shape, LAYOUT_CONTIGUOUS);
        } else {
            input[2].shape.dim[0] = 4;
        }
        build_rejection(b, b->c->op, &attributes, inputs, input);
    }
}

struct declaration {
    struct suite_list *list;
    const struct op *op;
    enum dtype dtype, low;
    bool named; /* the name says what is cast to */
};

static void declare_case(const struct declaration *d, const char *name, enum level level, const char *covers,
                         int line, const struct row *row, int64_t parameter,
                         void (*builder)(struct builder *b))
{
    char full[96];
    snprintf(full, sizeof full, "%s%s%s", d->named ? "to-" : "", d->named ? dtype_info(d->low)->name : "",
             d->named ? "-" : "");
    snprintf(full + strlen(full), sizeof full - strlen(full), "%s", name);
    suite_declare(d->list, &(struct suite_case){.op = d->op,
                                                .dtype = d->dtype,
                                                .name = full,
                                                .level = level_beyond_float16_32(level, d->dtype),
                                                .covers = covers,
                                                .file = __FILE__,
                                                .line = line,
                                                .build = builder,
                                                .row = row,
                                                .parameter = parameter});
}

/* `all`: every row, else the smoke cases alone. */
static void declare_rows(const struct declaration *d, const struct row *row, size_t count, bool all)
{
    bool autocast = product_is_autocast(d->op);
    unsigned ops = product_is_linear(d->op) ? LINEAR : MATMUL;
    for (size_t r = 0; r < count; r++) {
        bool asked = autocast ? (row[r].ops & AUTOCAST) && ((row[r].ops & BOTH) == 0 || (row[r].ops & ops))
                              : (row[r].ops & ops) != 0;
        if (asked && (row[r].dtypes >> d->low & 1) && (all || row[r].level == LEVEL_SMOKE)) {
            enum level level = all ? row[r].level : LEVEL_STANDARD;
            declare_case(d, row[r].name, level, row[r].covers, row[r].line, &row[r], d->low, build);
        }
    }
}

static void declare_refusals(const struct declaration *d)
{
    static const char *const names[] = {"refuse-inner", "refuse-float64-beside", "refuse-bias"};
    for (int k = 0; k < (product_is_linear(d->op) ? 3 : 2); k++) {
        declare_case(d, names[k], LEVEL_SMOKE, "product_refusals", __LINE__, NULL, k, build_refusal);
    }
}

void product_declare(struct suite_list *list, const char *name)
{
    const struct op *op = op_find(name);
    bool autocast = op && product_is_autocast(op);
    for (int s = 0; op && s < DTYPE_COUNT; s++) {
        for (int t = 0; (op->dtypes >> s & 1) && t < DTYPE_COUNT; t++) {
            bool target = autocast && s != DTYPE_FLOAT64 ? (NARROW >> t & 1) != 0 : t == s;
            struct declaration d = {list, op, (enum dtype)s, (enum dtype)t, autocast && s != t};
            if (!target) {
                continue;
            }
            declare_rows(&d, rows, sizeof rows / sizeof *rows, !autocast || s == DTYPE_FLOAT32);
            if (autocast && s == DTYPE_FLOAT32) {
                declare_rows(&d, casts, sizeof casts / sizeof *casts, true);
            }
            product_declare_chains(list, op, d.dtype, d.low, d.named);
            declare_case(&d, "rows-alone", LEVEL_STANDARD, "batch_invariance", __LINE__, NULL, t,
                         build_alone);
            if (!autocast || t != DTYPE_FLOAT16) {
                declare_refusals(&d);
            }
        }
    }
}
