/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every operator that writes into an operand. Each operand takes every layout while the others are
 * contiguous, then all take it together. Each operand that is read broadcasts in every way to a written
 * operand that is a whole tensor or a slice. */

#include "suites/inplace/operands.h"

#include <stdio.h>
#include <string.h>

/* The level of a layout. All layouts run at standard in float32 and, for operators that write their first
 * operand, in float16; in other dtypes those with gaps and offsets do. */
static enum level level_of(const struct writes *w, enum dtype dtype, enum layout layout)
{
    bool full = dtype == DTYPE_FLOAT32 || (dtype == DTYPE_FLOAT16 && w->written == 0);
    bool telling = layout == LAYOUT_TRANSPOSED_BLOCK || layout == LAYOUT_STEPPED2 || layout == LAYOUT_BLOCK;
    /* LAYOUT_DISTANT takes much memory */
    full = full && (layout != LAYOUT_DISTANT || dtype == DTYPE_FLOAT32);
    return full || telling ? LEVEL_STANDARD : LEVEL_EXHAUSTIVE;
}

/* --- layouts; parameter = operand · LAYOUT_COUNT + layout, TOGETHER for all operands */

enum { TOGETHER = WRITES_OPERANDS };

static void build_layout(struct builder *b)
{
    const struct writes *w = b->c->row;
    int who = (int)(b->c->parameter / LAYOUT_COUNT);
    enum layout layout = (enum layout)(b->c->parameter % LAYOUT_COUNT);
    struct shape shape = shape_of(3, (int64_t)3, (int64_t)7, (int64_t)5);
    struct view operand[WRITES_OPERANDS];
    for (int k = 0; k < w->operands; k++) {
        bool mine = who == TOGETHER || who == k;
        operand[k] = writes_operand(b, w, k, &shape, mine ? layout : LAYOUT_CONTIGUOUS, DATA_INTEGERS);
    }
    writes_step(b, w, w->operands, operand, NULL, true);
}

static void declare_layouts(struct suite_list *list, const struct writes *w, const struct op *op,
                            enum dtype dtype)
{
    for (int who = 0; who <= TOGETHER; who++) {
        if (who != TOGETHER && who >= w->operands) {
            continue;
        }
        for (int l = 0; l < LAYOUT_COUNT; l++) {
            enum layout layout = (enum layout)l;
            bool alone = who != TOGETHER;
            bool written = who == w->written || !alone;
            if ((alone && layout == LAYOUT_CONTIGUOUS) || (!alone && w->operands == 1 && layout) ||
                (written && layout_repeats(layout))) {
                continue;
            }
            enum level level = level_of(w, dtype, layout);
            bool smoke = !alone && layout == LAYOUT_TRANSPOSED_BLOCK;
            suite_declare_named(
                list,
                &(struct suite_case){.op = op,
                                     .dtype = dtype,
                                     .level = level_beyond_float16_32(smoke ? LEVEL_SMOKE : level, dtype),
                                     .covers = written
                                                   ? "layout_grid poison allow_non_contiguous gaps_untouched"
                                               : layout_repeats(layout) ? "expanded"
                                                                        : "layout_grid poison",
                                     .file = __FILE__,
                                     .line = __LINE__,
                                     .build = build_layout,
                                     .row = w,
                                     .parameter = who * LAYOUT_COUNT + l},
                "grid-%s-%s", alone ? w->label[who] : "all", layout_name(layout));
        }
    }
}

/* --- gaps; parameter = layout. Read and written operands have equal gaps, and those of the read operand hold
 * numbers: an implementation that copies the whole range at once changes gaps, which would not show if filler
 * were copied onto equal filler */

static void number_gaps(struct builder *b, const struct view *view)
{
    const struct storage *storage = &b->program->storage[view->storage];
    size_t size = dtype_info(view->dtype)->size;
    struct view element = {.storage = view->storage, .dtype = view->dtype, .shape = {.rank = 0}};
    for (size_t e = 0; (e + 1) * size <= storage->bytes; e++) {
        if (!storage_defined(storage, e * size)) {
            element.offset = (int64_t)e;
            program_define(b->program, &element);
            build_set(b, &element, 0, 1 + (double)(e % 2));
        }
    }
}

static void build_gaps(struct builder *b)
{
    const struct writes *w = b->c->row;
    struct shape shape = shape_of(2, (int64_t)13, (int64_t)9);
    struct view operand[WRITES_OPERANDS];
    for (int k = 0; k < w->operands; k++) {
        operand[k] = writes_operand(b, w, k, &shape, (enum layout)b->c->parameter, DATA_INTEGERS);
        if (k != w->written && !b->failed) {
            number_gaps(b, &operand[k]);
        }
    }
    writes_step(b, w, w->operands, operand, NULL, true);
}

static void declare_gaps(struct suite_list *list, const struct writes *w, const struct op *op,
                         enum dtype dtype)
{
    static const enum layout layouts[] = {LAYOUT_COLUMNS, LAYOUT_STEPPED2, LAYOUT_TRANSPOSED_BLOCK};
    for (int l = 0; l < 3 && w->operands > 1; l++) {
        bool standard = dtype == DTYPE_FLOAT32 || strcmp(w->name, "copy_") == 0;
        suite_declare_named(list,
                            &(struct suite_case){.op = op,
                                                 .dtype = dtype,
                                                 .level = standard ? LEVEL_STANDARD : LEVEL_EXHAUSTIVE,
                                                 .covers = "layout_grid gaps_untouched allow_non_contiguous",
                                                 .file = __FILE__,
                                                 .line = __LINE__,
                                                 .build = build_gaps,
                                                 .row = w,
                                                 .parameter = layouts[l]},
                            "gaps-hold-numbers-%s", layout_name(layouts[l]));
    }
}

/* --- broadcasts; parameter = operand · count + row */

#define ROW(name_, ...) .name = name_, .line = __LINE__, .shape = {__VA_ARGS__} /* rank and dimensions */

static const struct broadcast {
    const char *name;
    int line;
    struct shape shape; /* of the operand that broadcasts */
    enum layout layout, written;
    bool every_dtype; /* level standard in every dtype, not only in float32 and float16 */
} broadcasts[] = {
    {ROW("scalar", .rank = 0), .layout = LAYOUT_OFFSET1},
    {ROW("one", 1, {1}), .written = LAYOUT_COLUMNS},
    {ROW("row", 1, {5})},
    {ROW("row-stepped", 2, {1, 5}), .layout = LAYOUT_STEPPED2, .written = LAYOUT_TRANSPOSED},
    {ROW("column", 2, {7, 1}), .every_dtype = true},
    {ROW("column-slice", 3, {1, 7, 1}), .layout = LAYOUT_COLUMNS, .written = LAYOUT_BLOCK},
    {ROW("middle", 3, {3, 1, 5}), .layout = LAYOUT_PERMUTED, .written = LAYOUT_REVERSED, .every_dtype = true},
    {ROW("first", 3, {3, 1, 1}), .layout = LAYOUT_OFFSET3, .written = LAYOUT_TRANSPOSED_BLOCK},
};
enum { BROADCASTS = sizeof broadcasts / sizeof *broadcasts };

static void build_broadcast(struct builder *b)
{
    const struct writes *w = b->c->row;
    int who = (int)(b->c->parameter / BROADCASTS);
    const struct broadcast *row = &broadcasts[b->c->parameter % BROADCASTS];
    struct shape full = shape_of(3, (int64_t)3, (int64_t)7, (int64_t)5);
    struct view operand[WRITES_OPERANDS];
    for (int k = 0; k < w->operands; k++) {
        operand[k] = writes_operand(b, w, k, k == who ? &row->shape : &full,
                                    k == who          ? row->layout
                                    : k == w->written ? row->written
                                                      : LAYOUT_CONTIGUOUS,
                                    DATA_INTEGERS);
    }
    writes_step(b, w, w->operands, operand, NULL, true);
}

static void declare_broadcasts(struct suite_list *list, const struct writes *w, const struct op *op,
                               enum dtype dtype)
{
    for (int who = 0; who < w->operands; who++) {
        for (int r = 0; who != w->written && r < BROADCASTS; r++) {
            bool smoke = strcmp(broadcasts[r].name, "column") == 0 && dtype == DTYPE_FLOAT32;
            bool full = dtype == DTYPE_FLOAT32 || dtype == DTYPE_FLOAT16 || broadcasts[r].every_dtype;
            suite_declare_named(
                list,
                &(struct suite_case){.op = op,
                                     .dtype = dtype,
                                     .level = level_beyond_float16_32(smoke  ? LEVEL_SMOKE
                                                                      : full ? LEVEL_STANDARD
                                                                             : LEVEL_EXHAUSTIVE,
                                                                      dtype),
                                     .covers = "layout_grid broadcast_operands gaps_untouched",
                                     .file = __FILE__,
                                     .line = broadcasts[r].line,
                                     .build = build_broadcast,
                                     .row = w,
                                     .parameter = who * BROADCASTS + r},
                "broadcast-%s-%s", w->label[who], broadcasts[r].name);
        }
    }
}

static void declare(struct suite_list *list)
{
    for (int w = 0; w < writes_count(); w++) {
        const struct op *op = op_find(writes[w].name);
        for (int d = 0; op && d < DTYPE_COUNT; d++) {
            if (writes[w].dtypes >> d & 1) {
                declare_layouts(list, &writes[w], op, (enum dtype)d);
                declare_gaps(list, &writes[w], op, (enum dtype)d);
                declare_broadcasts(list, &writes[w], op, (enum dtype)d);
            }
        }
    }
}

const struct suite suite_inplace_grid = {.declare = declare};
