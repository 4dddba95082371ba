/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* copy_: moves every bit pattern of the 16-bit formats, and copies into other dtypes, which round once.
 * Midpoints: suites/shared/midpoints.h. */

#include "suites/inplace/operands.h"
#include "suites/shared/midpoints.h"

#include <stdio.h>

struct row {
    enum dtype from, to;
    enum data data;
    const char *suffix;
    enum layout written, read;
    bool midpoints; /* midpoints instead of `data` */
    int line;
};

static void build_conversion(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape =
        row->data == DATA_SPECIALS ? update_specials_shape(row->from) : shape_of(2, (int64_t)29, (int64_t)41);
    struct view operand[2] = {build_tensor(b, row->to, &shape, row->written),
                              build_tensor(b, row->from, &shape, row->read)};
    if (row->midpoints) {
        struct philox generator = build_generator(b, 1);
        for (int64_t i = 0; i < shape_elements(&shape); i++) {
            build_set_bits(b, &operand[1], i, 0, midpoint_bits(&generator, row->from, row->to, i));
        }
    } else {
        update_fill(b, &operand[1], row->data, 0, 1);
    }
    build_step(b, b->c->op, NULL, 2, operand);
}

/* All 2^16 patterns. The case's parameter is the layout of the written operand. */
static void build_patterns(struct builder *b)
{
    struct shape shape = shape_of(2, (int64_t)256, (int64_t)256);
    struct view operand[2] = {build_tensor(b, b->c->dtype, &shape, (enum layout)b->c->parameter),
                              build_tensor(b, b->c->dtype, &shape, LAYOUT_OFFSET1)};
    for (int64_t i = 0; i < 65536; i++) {
        build_set_bits(b, &operand[1], i, 0, (uint64_t)i);
    }
    build_step(b, b->c->op, NULL, 2, operand);
}

/* Contiguous operands, and strided ones on either side. */
#define COPY(from_, to_, suffix_, ...)                                                                       \
    {.from = DTYPE_##from_, .to = DTYPE_##to_, .line = __LINE__, .suffix = suffix_, __VA_ARGS__},            \
    {                                                                                                        \
        .from = DTYPE_##from_, .to = DTYPE_##to_, .line = __LINE__, .suffix = suffix_ "-strided",            \
        .written = LAYOUT_TRANSPOSED_BLOCK, .read = LAYOUT_STEPPED2, __VA_ARGS__                             \
    }

static const struct row rows[] = {
    COPY(FLOAT32, FLOAT16, "random", .data = DATA_RANDOM),
    COPY(FLOAT32, FLOAT16, "wide-exponents", .data = DATA_WIDE),
    COPY(FLOAT32, FLOAT16, "specials", .data = DATA_SPECIALS),
    COPY(FLOAT32, BFLOAT16, "random", .data = DATA_RANDOM),
    COPY(FLOAT32, BFLOAT16, "wide-exponents", .data = DATA_WIDE),
    COPY(FLOAT32, BFLOAT16, "overflow", .data = DATA_HUGE),
    COPY(FLOAT32, BFLOAT16, "specials", .data = DATA_SPECIALS),
    COPY(FLOAT32, FLOAT64, "random", .data = DATA_RANDOM),
    COPY(FLOAT32, FLOAT64, "specials", .data = DATA_SPECIALS),
    COPY(FLOAT64, FLOAT32, "random", .data = DATA_RANDOM),
    COPY(FLOAT64, FLOAT32, "wide-exponents", .data = DATA_WIDE),
    COPY(FLOAT64, FLOAT32, "specials", .data = DATA_SPECIALS),
    COPY(FLOAT16, FLOAT32, "wide-exponents", .data = DATA_WIDE),
    COPY(BFLOAT16, FLOAT32, "wide-exponents", .data = DATA_WIDE),
    COPY(FLOAT32, INT32, "random", .data = DATA_RANDOM),
    COPY(INT32, FLOAT32, "random", .data = DATA_RANDOM),
    COPY(INT32, FLOAT32, "specials", .data = DATA_SPECIALS),
    COPY(INT64, FLOAT32, "random", .data = DATA_RANDOM),
    COPY(INT64, FLOAT32, "beyond-double", .data = DATA_ODD_LARGE),
    COPY(INT64, FLOAT32, "specials", .data = DATA_SPECIALS),
    COPY(INT32, INT64, "random", .data = DATA_RANDOM),
    COPY(INT64, INT32, "random", .data = DATA_RANDOM),
    COPY(FLOAT64, FLOAT16, "random", .data = DATA_RANDOM),
    COPY(FLOAT64, FLOAT16, "wide-exponents", .data = DATA_WIDE),
    COPY(FLOAT64, FLOAT16, "specials", .data = DATA_SPECIALS),
    COPY(FLOAT64, BFLOAT16, "random", .data = DATA_RANDOM),
    COPY(FLOAT64, BFLOAT16, "wide-exponents", .data = DATA_WIDE),
    COPY(FLOAT64, BFLOAT16, "specials", .data = DATA_SPECIALS),
    COPY(FLOAT16, BFLOAT16, "wide-exponents", .data = DATA_WIDE),
    COPY(BFLOAT16, FLOAT16, "wide-exponents", .data = DATA_WIDE),
    COPY(INT32, BFLOAT16, "specials", .data = DATA_SPECIALS),
    COPY(INT64, BFLOAT16, "specials", .data = DATA_SPECIALS),
    COPY(FLOAT64, FLOAT32, "midpoints", .midpoints = true),
    COPY(FLOAT64, FLOAT16, "midpoints", .midpoints = true),
    COPY(FLOAT64, BFLOAT16, "midpoints", .midpoints = true),
    COPY(FLOAT32, FLOAT16, "midpoints", .midpoints = true),
    COPY(FLOAT32, BFLOAT16, "midpoints", .midpoints = true),
    COPY(FLOAT16, BFLOAT16, "midpoints", .midpoints = true),
    COPY(BFLOAT16, FLOAT16, "midpoints", .midpoints = true),
    COPY(INT32, FLOAT32, "midpoints", .midpoints = true),
    COPY(INT32, FLOAT16, "midpoints", .midpoints = true),
    COPY(INT32, BFLOAT16, "midpoints", .midpoints = true),
    COPY(INT64, FLOAT32, "midpoints", .midpoints = true),
    COPY(INT64, FLOAT16, "midpoints", .midpoints = true),
    COPY(INT64, BFLOAT16, "midpoints", .midpoints = true),
};

static void declare(struct suite_list *list)
{
    const struct op *op = op_find("copy_");
    for (size_t r = 0; op && r < sizeof rows / sizeof *rows; r++) {
        suite_declare_named(list,
                            &(struct suite_case){.op = op,
                                                 .dtype = rows[r].to,
                                                 .level = LEVEL_STANDARD,
                                                 .covers = "conversions",
                                                 .file = __FILE__,
                                                 .line = rows[r].line,
                                                 .build = build_conversion,
                                                 .row = &rows[r]},
                            "from-%s-%s", dtype_info(rows[r].from)->name, rows[r].suffix);
    }
    static const enum dtype halves[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16};
    static const enum layout layouts[] = {LAYOUT_CONTIGUOUS, LAYOUT_TRANSPOSED, LAYOUT_STEPPED2};
    for (int k = 0; op && k < 6; k++) {
        suite_declare_named(list,
                            &(struct suite_case){.op = op,
                                                 .dtype = halves[k / 3],
                                                 .level = LEVEL_STANDARD,
                                                 .covers = "all_patterns payloads",
                                                 .file = __FILE__,
                                                 .line = __LINE__,
                                                 .build = build_patterns,
                                                 .parameter = layouts[k % 3]},
                            "all-patterns-%s", layout_name(layouts[k % 3]));
    }
}

const struct suite suite_inplace_conversions = {.declare = declare};
