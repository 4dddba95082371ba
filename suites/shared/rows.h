/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_ROWS_H
#define ASSAY_SUITES_SHARED_ROWS_H

/* Tables of cases: a row says what its case is called and what it asks, a table what all of its rows have in
 * common, and one call declares them for every operator and dtype.
 *
 *     struct row {
 *         struct suite_row row;
 *         int n;
 *     };
 *     static const struct row rows[] = {
 *         {SUITE_ROW("hilbert-n6", SMOKE, "hilbert"), .n = 6},
 *     };
 *     suite_declare_rows(list, &(struct suite_table){
 *                                  SUITE_ROWS(rows), .ops = {"logdet", "slogdet"}, .build = build});
 */

#include "suites/build.h"

/* What every row says; the first member of a suite's own rows, and called `row`. */
struct suite_row {
    const char *name; /* of the case: the last part of its id */
    enum level level;
    int line;
    const char *covers;               /* keys of suites/items.def; NULL: the table's */
    const char *op;                   /* in a table that names no operators: the row's own */
    unsigned ops;                     /* those of the table's that the row is for, bit k the k-th; 0: all */
    unsigned dtypes;                  /* bit DTYPE_…; 0: the table's */
    bool same_level;                  /* in every dtype, whatever the table's `level` says */
    void (*build)(struct builder *b); /* NULL: the table's */
    int64_t parameter;                /* the builder's own */
    bool fresh;                       /* as in struct suite_case */
};

/* That member: name, level without LEVEL_, covers, then others by their names. */
#define SUITE_ROW(name_, level_, ...)                                                                        \
    .row = {.name = name_, .level = LEVEL_##level_, .line = __LINE__, .covers = __VA_ARGS__}

enum { SUITE_TABLE_OPS = 4 };

struct suite_table {
    const void *rows; /* `count` of them, of `size` bytes each; static */
    size_t count, size;
    const char *file;
    const char *ops[SUITE_TABLE_OPS]; /* the operators that are asked; none: each row's own */
    const char *suffix;               /* behind every name and a hyphen; NULL: none */
    const void *subject;              /* of the cases */
    unsigned dtypes;                  /* of these, those that the operator has; 0: all */
    unsigned within;                  /* no row is asked in others, whatever it says itself; 0: in any */
    const char *covers;
    void (*build)(struct builder *b);
    enum level (*level)(enum level level, enum dtype dtype); /* of a row's level in a dtype; NULL: the same */
    enum level least;                                        /* no case has a lesser one */
    bool (*asks)(const void *row, const struct op *op, enum dtype dtype); /* NULL: every row */

    /* Measurements, see struct suite_case. */
    const char *family;
    const struct procedure *procedure;
};

/* The members of a struct suite_table that say where its rows are. */
#define SUITE_ROWS(rows_)                                                                                    \
    .rows = rows_, .count = sizeof rows_ / sizeof *rows_, .size = sizeof *rows_, .file = __FILE__

/* Declares every row for each operator in turn, dtype by dtype; where rows name their own operators, row by
 * row. Operators that reference/ does not define are left out. A case's `row` is the row of the table. */
void suite_declare_rows(struct suite_list *list, const struct suite_table *table);

#endif
