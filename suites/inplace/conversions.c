/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* copy_: every bit pattern of the 16-bit formats moved, and copies into another dtype, which round once. */

#include "suites/operands.h"

#include <stdio.h>

static const struct row {
    enum dtype from, to;
    enum data data;
    const char *suffix;
    enum layout written, read;
    int line;
} rows[] = {
#define PAIR(from_, to_, data_, suffix_, written_, read_)                                                    \
    {                                                                                                        \
        DTYPE_##from_, DTYPE_##to_, DATA_##data_, suffix_, LAYOUT_##written_, LAYOUT_##read_, __LINE__       \
    }
#define BOTH(from_, to_, data_, suffix_)                                                                     \
    PAIR(from_, to_, data_, suffix_, CONTIGUOUS, CONTIGUOUS),                                                \
        PAIR(from_, to_, data_, suffix_ "-strided", TRANSPOSED_BLOCK, STEPPED2)
    BOTH(FLOAT32, FLOAT16, RANDOM, "random"),
    BOTH(FLOAT32, FLOAT16, WIDE, "wide-exponents"),
    BOTH(FLOAT32, FLOAT16, SPECIALS, "specials"),
    BOTH(FLOAT32, BFLOAT16, RANDOM, "random"),
    BOTH(FLOAT32, BFLOAT16, WIDE, "wide-exponents"),
    BOTH(FLOAT32, BFLOAT16, HUGE, "overflow"),
    BOTH(FLOAT32, BFLOAT16, SPECIALS, "specials"),
    BOTH(FLOAT32, FLOAT64, RANDOM, "random"),
    BOTH(FLOAT32, FLOAT64, SPECIALS, "specials"),
    BOTH(FLOAT64, FLOAT32, RANDOM, "random"),
    BOTH(FLOAT64, FLOAT32, WIDE, "wide-exponents"),
    BOTH(FLOAT64, FLOAT32, SPECIALS, "specials"),
    BOTH(FLOAT16, FLOAT32, WIDE, "wide-exponents"),
    BOTH(BFLOAT16, FLOAT32, WIDE, "wide-exponents"),
    BOTH(FLOAT32, INT32, RANDOM, "random"),
    BOTH(INT32, FLOAT32, RANDOM, "random"),
    BOTH(INT32, FLOAT32, SPECIALS, "specials"),
    BOTH(INT64, FLOAT32, RANDOM, "random"),
    BOTH(INT64, FLOAT32, ODD_LARGE, "beyond-double"),
    BOTH(INT64, FLOAT32, SPECIALS, "specials"),
    BOTH(INT32, INT64, RANDOM, "random"),
    BOTH(INT64, INT32, RANDOM, "random"),
};

static bool build_conversion(const struct suite_case *c, uint64_t seed, struct program *program,
                             struct error *error)
{
    struct builder b = builder_of(c, seed, program, error);
    const struct row *row = c->row;
    struct shape shape =
        row->data == DATA_SPECIALS ? update_specials_shape(row->from) : shape_of(2, (int64_t)29, (int64_t)41);
    struct view operand[2] = {build_tensor(&b, row->to, &shape, row->written),
                              build_tensor(&b, row->from, &shape, row->read)};
    update_fill(&b, &operand[1], row->data, 0, 1);
    build_step(&b, c->op, NULL, 2, operand);
    return build_done(&b);
}

/* 2^16 patterns; parameter: the layout of what is written. */
static bool build_patterns(const struct suite_case *c, uint64_t seed, struct program *program,
                           struct error *error)
{
    struct builder b = builder_of(c, seed, program, error);
    struct shape shape = shape_of(2, (int64_t)256, (int64_t)256);
    struct view operand[2] = {build_tensor(&b, c->dtype, &shape, (enum layout)c->parameter),
                              build_tensor(&b, c->dtype, &shape, LAYOUT_OFFSET1)};
    for (int64_t i = 0; i < 65536; i++) {
        build_set_bits(&b, &operand[1], i, 0, (uint64_t)i);
    }
    build_step(&b, c->op, NULL, 2, operand);
    return build_done(&b);
}

static void declare(struct suite_list *list)
{
    const struct op *op = op_find("copy_");
    for (size_t r = 0; op && r < sizeof rows / sizeof *rows; r++) {
        char name[64];
        snprintf(name, sizeof name, "from-%s-%s", dtype_info(rows[r].from)->name, rows[r].suffix);
        suite_declare(list, &(struct suite_case){.op = op,
                                                 .dtype = rows[r].to,
                                                 .name = name,
                                                 .level = LEVEL_STANDARD,
                                                 .covers = "conversions",
                                                 .file = __FILE__,
                                                 .line = rows[r].line,
                                                 .build = build_conversion,
                                                 .row = &rows[r]});
    }
    static const enum dtype halves[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16};
    static const enum layout layouts[] = {LAYOUT_CONTIGUOUS, LAYOUT_TRANSPOSED, LAYOUT_STEPPED2};
    for (int k = 0; op && k < 6; k++) {
        char name[64];
        snprintf(name, sizeof name, "all-patterns-%s", layout_name(layouts[k % 3]));
        suite_declare(list, &(struct suite_case){.op = op,
                                                 .dtype = halves[k / 3],
                                                 .name = name,
                                                 .level = LEVEL_STANDARD,
                                                 .covers = "all_patterns payloads",
                                                 .file = __FILE__,
                                                 .line = __LINE__,
                                                 .build = build_patterns,
                                                 .parameter = layouts[k % 3]});
    }
}

const struct suite suite_inplace_conversions = {.declare = declare};
