/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every sparse operator on the same matrices: orders of entries, duplicates, gaps, sizes, special values,
 * index widths, layouts of each operand. */

#include "suites/sparse/matrices.h"

#include <stdio.h>
#include <string.h>

enum {
    ALL = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    LARGE = 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
};

struct row {
    const char *name;
    enum level level;
    unsigned dtypes;
    struct sparse_case matrix;
    const char *covers;
    int line;
    bool csr;         /* asked of CSR operators, too: what makes COO difficult is nothing to them */
    const char *only; /* operators, blanks on both sides of every name; NULL: all */
};

#define ROW(name_, level_, dtypes_, csr_, rows_, columns_, entries_, width_, kind_, fill_, narrow_, covers_) \
    {                                                                                                        \
        .name = name_, .level = LEVEL_##level_, .dtypes = dtypes_,                                           \
        .matrix = {.rows = rows_,                                                                            \
                   .columns = columns_,                                                                      \
                   .entries = entries_,                                                                      \
                   .width = width_,                                                                          \
                   .kind = SPARSE_##kind_,                                                                   \
                   .fill = FILL_##fill_,                                                                     \
                   .narrow = narrow_,                                                                        \
                   .alpha = 1,                                                                               \
                   .beta = 1},                                                                               \
        .covers = covers_, .line = __LINE__, .csr = csr_                                                     \
    }

/* 2^32 places and more; a dense result would take 17 GB. */
#define FAR_PLACES(name_, narrow_)                                                                           \
    {                                                                                                        \
        .name = name_, .level = LEVEL_STANDARD, .dtypes = LARGE,                                             \
        .matrix = {.rows = 65537,                                                                            \
                   .columns = 65537,                                                                         \
                   .entries = 300,                                                                           \
                   .width = 1,                                                                               \
                   .kind = SPARSE_FAR,                                                                       \
                   .fill = FILL_RANDOM,                                                                      \
                   .narrow = narrow_,                                                                        \
                   .alpha = 1,                                                                               \
                   .beta = 1},                                                                               \
        .covers = "sparse_far size_limits", .line = __LINE__,                                                \
        .only = " coalesce sparse_transpose sparse_mv "                                                      \
    }

static const struct row rows[] = {
    ROW("random-9x7", SMOKE, ALL, true, 9, 7, 20, 3, RANDOM, RANDOM, false, "sparse_order self_encoding"),
    ROW("random-9x7-int32", SMOKE, ALL, true, 9, 7, 20, 3, RANDOM, RANDOM, true, "sparse_index_width"),
    ROW("random-33x65", STANDARD, ALL, true, 33, 65, 300, 5, RANDOM, RANDOM, false,
        "sparse_order self_encoding signed_bias"),
    ROW("random-70x130-int32", STANDARD, ALL, true, 70, 130, 500, 17, RANDOM, RANDOM, true,
        "sparse_index_width"),
    ROW("random-1x1", STANDARD, ALL, true, 1, 1, 3, 1, RANDOM, RANDOM, false, "sparse_sizes"),
    /* square and not symmetric: a matrix read as its transpose fits */
    ROW("square-9x9", STANDARD, ALL, true, 9, 9, 25, 3, RANDOM, RANDOM, false, "sparse_square self_encoding"),
    ROW("square-9x9-width-9", STANDARD, ALL, true, 9, 9, 25, 9, RANDOM, RANDOM, true, "sparse_square"),
    ROW("square-9x9-integers", STANDARD, ALL, true, 9, 9, 25, 9, RANDOM, INTEGERS, false,
        "sparse_square integers_exact"),
    ROW("random-300x2", STANDARD, ALL, true, 300, 2, 400, 1, RANDOM, RANDOM, false, "sparse_order"),
    ROW("unique-9x8", STANDARD, ALL, false, 9, 8, 31, 3, UNIQUE, RANDOM, false, "sparse_order"),
    ROW("unique-40x30", STANDARD, ALL, false, 40, 30, 300, 7, UNIQUE, RANDOM, true, "sparse_order"),
    ROW("sorted", STANDARD, ALL, false, 17, 19, 70, 4, SORTED, RANDOM, false, "sparse_order"),
    ROW("by-column", STANDARD, ALL, false, 17, 19, 70, 4, BY_COLUMN, RANDOM, false, "sparse_order"),
    ROW("duplicates", SMOKE, ALL, false, 5, 4, 60, 3, HEAVY, RANDOM, false, "sparse_duplicates"),
    ROW("duplicates-1000", STANDARD, ALL, false, 9, 12, 1000, 2, HEAVY, POSITIVE, true, "sparse_duplicates"),
    ROW("duplicates-one-place", STANDARD, ALL, false, 3, 5, 300, 2, ONE_PLACE, POSITIVE, false,
        "sparse_duplicates"),
    ROW("cancelling", SMOKE, ALL, false, 12, 10, 36, 3, CANCELLING, RANDOM, false, "sparse_cancelling"),
    ROW("cancelling-33", STANDARD, ALL, false, 33, 31, 150, 2, CANCELLING, RANDOM, true, "sparse_cancelling"),
    ROW("empty-rows", SMOKE, ALL, true, 11, 8, 14, 3, GAPS, RANDOM, false, "sparse_empty_rows"),
    ROW("empty-rows-65", STANDARD, ALL, true, 65, 64, 130, 2, GAPS, RANDOM, true, "sparse_empty_rows"),
    ROW("no-entries", SMOKE, ALL, true, 5, 4, 0, 3, RANDOM, RANDOM, false, "sparse_no_entries"),
    ROW("no-entries-int32", STANDARD, ALL, true, 65, 1, 0, 1, RANDOM, RANDOM, true, "sparse_no_entries"),
    ROW("no-rows", STANDARD, ALL, true, 0, 4, 0, 3, RANDOM, RANDOM, false, "sparse_sizes size_limits"),
    ROW("no-columns", STANDARD, ALL, true, 4, 0, 0, 3, RANDOM, RANDOM, false, "sparse_sizes size_limits"),
    ROW("no-width", STANDARD, ALL, true, 4, 5, 9, 0, RANDOM, RANDOM, false, "sparse_sizes size_limits"),
    ROW("zero-times-infinity", SMOKE, ALL, true, 11, 10, 24, 3, GAPS, INFINITIES, false,
        "sparse_explicit_zero special_values"),
    ROW("zero-times-infinity-33", STANDARD, ALL, true, 33, 30, 90, 2, GAPS, INFINITIES, true,
        "sparse_explicit_zero special_values"),
    ROW("specials", STANDARD, ALL, true, 36, 36, 34, 34, DIAGONAL, SPECIALS, false, "special_values"),
    ROW("subnormals", STANDARD, ALL, true, 9, 8, 24, 3, RANDOM, SUBNORMALS, false, "special_values"),
    ROW("integers", SMOKE, ALL, true, 13, 11, 50, 5, RANDOM, INTEGERS, false, "integers_exact"),
    ROW("integers-duplicates", STANDARD, ALL, false, 7, 5, 200, 3, HEAVY, INTEGERS, true,
        "integers_exact sparse_duplicates"),
    ROW("integers-3000", STANDARD, LARGE, true, 300, 257, 3000, 3, RANDOM, INTEGERS, false,
        "integers_exact size_limits"),
    ROW("one-row-257", STANDARD, ALL, true, 9, 300, 257, 2, ONE_ROW, POSITIVE, false, "sparse_one_row"),
    ROW("one-row-5000", STANDARD, ALL, true, 3, 9000, 5000, 1, ONE_ROW, POSITIVE, false, "sparse_one_row"),
    ROW("entries-63", STANDARD, ALL, true, 20, 21, 63, 2, SORTED, RANDOM, false, "size_limits"),
    ROW("entries-64", STANDARD, ALL, true, 20, 21, 64, 2, RANDOM, RANDOM, true, "size_limits"),
    ROW("entries-65", STANDARD, ALL, true, 20, 21, 65, 2, RANDOM, RANDOM, false, "size_limits"),
    ROW("entries-1025", STANDARD, ALL, true, 64, 65, 1025, 1, RANDOM, RANDOM, false, "size_limits"),
    ROW("rows-65537", STANDARD, 1U << DTYPE_FLOAT32, true, 65537, 5, 70000, 1, GAPS, RANDOM, false,
        "size_limits sparse_empty_rows"),
    ROW("columns-65537", STANDARD, 1U << DTYPE_FLOAT32, true, 5, 65537, 3000, 1, RANDOM, RANDOM, true,
        "size_limits"),
    FAR_PLACES("far-places", false),
    FAR_PLACES("far-places-int32", true),
    ROW("entries-200000", EXHAUSTIVE, 1U << DTYPE_FLOAT32, true, 20011, 15, 200000, 1, RANDOM, POSITIVE,
        false, "size_limits"),
};

/* Layouts of one operand after the other, and of all; the latter at the row's level. */
#define LAYOUT(name_, level_, dtypes_, layout_)                                                              \
    {                                                                                                        \
        .name = name_, .level = LEVEL_##level_, .dtypes = dtypes_,                                           \
        .matrix = {.rows = 8,                                                                                \
                   .columns = 7,                                                                             \
                   .entries = 19,                                                                            \
                   .width = 4,                                                                               \
                   .kind = SPARSE_UNIQUE,                                                                    \
                   .layout = LAYOUT_##layout_,                                                               \
                   .alpha = 1,                                                                               \
                   .beta = 1},                                                                               \
        .covers = "layout_grid poison", .line = __LINE__                                                     \
    }

static const struct row layouts[] = {
    LAYOUT("transposed", STANDARD, ALL, TRANSPOSED),
    LAYOUT("columns", STANDARD, LARGE, COLUMNS),
    LAYOUT("block", STANDARD, LARGE, BLOCK),
    LAYOUT("stepped2", STANDARD, ALL, STEPPED2),
    LAYOUT("stepped3", STANDARD, LARGE, STEPPED3),
    LAYOUT("offset1", STANDARD, ALL, OFFSET1),
    LAYOUT("offset3", STANDARD, LARGE, OFFSET3),
    LAYOUT("transposed-block", SMOKE, ALL, TRANSPOSED_BLOCK),
    LAYOUT("far", STANDARD, LARGE, FAR),
    LAYOUT("expanded", STANDARD, LARGE, EXPANDED),
    LAYOUT("expanded-rows", STANDARD, LARGE, EXPANDED_ROWS),
};

static const struct {
    const char *name;
    double alpha, beta;
    enum sparse_fill fill;
} scales[] = {{"alpha-half", 0.5, 1, FILL_RANDOM},
              {"alpha-beta", -2, 0.75, FILL_RANDOM},
              {"beta-zero", 1.5, 0, FILL_RANDOM},
              {"beta-zero-nan", 1, 0, FILL_INFINITIES},
              {"beta-zero-nan-alpha", -0.5, 0, FILL_INFINITIES}};

static void build_case(struct builder *b, const struct sparse_case *s)
{
    struct view input[OPERANDS_MAX];
    const struct op *op = b->c->op;
    struct attributes attributes = sparse_attributes(op, s);
    int inputs = sparse_build(b, sparse_operands_of(op), s, input);
    struct step *step = build_step(b, op, &attributes, inputs, input);
    if (step && s->fill == FILL_INTEGERS) {
        step->exact = true;
    }
}

static void build(struct builder *b)
{
    const struct row *row = b->c->row;
    struct sparse_case s = row->matrix;
    s.laid = (int)b->c->parameter;
    build_case(b, &s);
}

static void build_scaled(struct builder *b)
{
    struct sparse_case s = {.rows = 9,
                            .columns = 8,
                            .entries = 21,
                            .width = 5,
                            .kind = SPARSE_GAPS,
                            .fill = scales[b->c->parameter].fill,
                            .alpha = scales[b->c->parameter].alpha,
                            .beta = scales[b->c->parameter].beta};
    build_case(b, &s);
}

static void declare_one(struct suite_list *list, const struct op *op, enum dtype dtype, const struct row *row,
                        int laid, enum level level, const char *name)
{
    suite_declare(list, &(struct suite_case){.op = op,
                                             .dtype = dtype,
                                             .name = name,
                                             .level = level_beyond_float32(level, dtype),
                                             .covers = row->covers,
                                             .file = __FILE__,
                                             .line = row->line,
                                             .build = build,
                                             .row = row,
                                             .parameter = laid});
}

static void declare_layouts(struct suite_list *list, const struct op *op, enum dtype dtype)
{
    int operands = (int)strlen(sparse_operands_of(op));
    for (size_t r = 0; r < sizeof layouts / sizeof *layouts; r++) {
        for (int k = -1; (layouts[r].dtypes >> dtype & 1) && k < operands; k++) {
            char name[64], which[16] = "all";
            bool indices = k < 0 || strchr("IRC", sparse_operands_of(op)[k]);
            if (indices && layout_repeats(layouts[r].matrix.layout)) {
                continue; /* one entry, given again and again, is another matrix */
            }
            if (k >= 0) {
                snprintf(which, sizeof which, "input%d", k);
            }
            snprintf(name, sizeof name, "%s-%s", which, layouts[r].name);
            declare_one(list, op, dtype, &layouts[r], k, k < 0 ? layouts[r].level : LEVEL_STANDARD, name);
        }
    }
}

static void declare_scales(struct suite_list *list, const struct op *op, enum dtype dtype)
{
    for (size_t k = 0; op->attributes[1].name && k < sizeof scales / sizeof *scales; k++) {
        suite_declare(list, &(struct suite_case){.op = op,
                                                 .dtype = dtype,
                                                 .name = scales[k].name,
                                                 .level = level_beyond_float32(LEVEL_SMOKE, dtype),
                                                 .covers = "flags sparse_beta_zero",
                                                 .file = __FILE__,
                                                 .line = __LINE__,
                                                 .build = build_scaled,
                                                 .parameter = (int64_t)k});
    }
}

static bool listed(const char *only, const char *name)
{
    char blanked[48];
    snprintf(blanked, sizeof blanked, " %s ", name);
    return !only || strstr(only, blanked);
}

static void declare(struct suite_list *list)
{
    for (int o = 0; o < op_count(); o++) {
        const struct op *op = op_at(o);
        const char *letters = sparse_operands_of(op);
        for (int d = 0; letters && d < DTYPE_COUNT; d++) {
            for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
                bool asked = (rows[r].csr || letters[0] != 'R') && listed(rows[r].only, op->name);
                if (asked && (rows[r].dtypes >> d & 1) && (op->dtypes >> d & 1)) {
                    declare_one(list, op, (enum dtype)d, &rows[r], 0, rows[r].level, rows[r].name);
                }
            }
            if (op->dtypes >> d & 1) {
                declare_layouts(list, op, (enum dtype)d);
                declare_scales(list, op, (enum dtype)d);
            }
        }
    }
}

const struct suite suite_sparse_operators = {.declare = declare};
