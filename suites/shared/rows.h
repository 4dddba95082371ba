/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_ROWS_H
#define ASSAY_SUITES_SHARED_ROWS_H

/* Tables of cases: a row holds what one case has of its own, the table what all rows share, and one call
 * declares the rows for every operator and dtype.
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

/* The members that every row has. A suite's own row struct starts with this one and calls it `row`. */
struct suite_row {
    const char *name; /* the last part of the case id */
    enum level level;
    int line;
    const char *covers; /* keys of suites/items.def; NULL: those of the table */
    const char *op;     /* the row's operator, in a table that names none */
    unsigned ops;       /* which of the table's operators the row is for, bit k the k-th; 0: all */
    unsigned dtypes;    /* bit DTYPE_…; 0: the table's */
    bool same_level;    /* the level holds in every dtype, whatever the table's `level` returns */
    void (*build)(struct builder *b); /* NULL: that of the table */
    int64_t parameter;                /* for the use of `build` */
    bool fresh;                       /* as in struct suite_case */
};

/* Initialises `row`: name, level without LEVEL_, covers, then other members by name. */
#define SUITE_ROW(name_, level_, ...)                                                                        \
    .row = {.name = name_, .level = LEVEL_##level_, .line = __LINE__, .covers = __VA_ARGS__}

enum { SUITE_TABLE_OPS = 4 };

struct suite_table {
    const void *rows; /* static array of `count` rows of `size` bytes each */
    size_t count, size;
    const char *file;
    const char *ops[SUITE_TABLE_OPS]; /* the operators; none: each row names its own */
    const char *suffix;               /* appended to every name after a hyphen; NULL: none */
    const void *subject;              /* `subject` of the cases */
    unsigned dtypes;                  /* the cases have these of the operator's dtypes; 0: all */
    unsigned within; /* no row has a case in other dtypes, whatever its own `dtypes`; 0: no restriction */
    const char *covers;
    void (*build)(struct builder *b);
    /* maps a row's level in a dtype; NULL: unchanged */
    enum level (*level)(enum level level, enum dtype dtype);
    enum level least; /* cases of a lower level are raised to this one */
    /* whether the row has a case for the operator and dtype; NULL: every row */
    bool (*asks)(const void *row, const struct op *op, enum dtype dtype);

    /* For measurements: see struct suite_case. */
    const char *family;
    const struct procedure *procedure;
};

/* Initialises the members of a struct suite_table that say where its rows are. */
#define SUITE_ROWS(rows_)                                                                                    \
    .rows = rows_, .count = sizeof rows_ / sizeof *rows_, .size = sizeof *rows_, .file = __FILE__

/* Declares every row for each of the table's operators in turn, dtype by dtype; if the table names none, row
 * by row. Operators that the reference does not define are skipped. A case's `row` points to the row of the
 * table. */
void suite_declare_rows(struct suite_list *list, const struct suite_table *table);

#endif
