/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/markdown/markdown_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DTYPES_MOST = 12, SYMBOLS_MOST = 16, MATRIX_NAME = 64 };

static const struct {
    const char *name, *heading;
} short_names[] = {{"float16", "f16"},   {"bfloat16", "bf16"}, {"float32", "f32"}, {"float64", "f64"},
                   {"complex64", "c64"}, {"int8", "i8"},       {"uint8", "u8"},    {"int32", "i32"},
                   {"int64", "i64"},     {"bool", "bool"}};
enum { SHORT_NAMES = sizeof short_names / sizeof *short_names };

struct matrix {
    const struct parity *parity;
    const char *dtype[DTYPES_MOST];
    int dtypes;
    int other; /* rows of the parity table whose dtype has no column here */
    bool met[STATUS_COUNT], range, none;
};

static int rank(const char *dtype)
{
    int i = 0;
    while (i < SHORT_NAMES && strcmp(short_names[i].name, dtype) != 0) {
        i++;
    }
    return i;
}

static int by_rank(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int by = rank(x) - rank(y);
    return by ? by : strcmp(x, y);
}

static int column_of(const struct matrix *matrix, const char *dtype)
{
    int k = 0;
    while (k < matrix->dtypes && strcmp(matrix->dtype[k], dtype) != 0) {
        k++;
    }
    return k;
}

static void find_dtypes(struct matrix *matrix)
{
    for (int i = 0; i < matrix->parity->rows; i++) {
        const char *dtype = matrix->parity->row[i].dtype;
        if (column_of(matrix, dtype) < matrix->dtypes) {
            continue;
        }
        if (matrix->dtypes < DTYPES_MOST) {
            matrix->dtype[matrix->dtypes++] = dtype;
        } else {
            matrix->other++;
        }
    }
    if (matrix->dtypes) {
        qsort(matrix->dtype, (size_t)matrix->dtypes, sizeof *matrix->dtype, by_rank);
    }
}

/* Appends a cell such as "✓✗·": one symbol per backend; empty where no backend has the row. */
static void put_cell(struct matrix *matrix, struct markdown_table *table, const struct parity_row *row)
{
    char text[SYMBOLS_MOST * 4 + 8] = "";
    int columns = row ? matrix->parity->columns : 0;
    for (int k = 0; k < columns && k < SYMBOLS_MOST; k++) {
        const struct parity_cell *cell = &row->cell[k];
        if (!cell->cases) {
            strcat(text, "_");
            matrix->none = true;
            continue;
        }
        const char *sign = parity_cell_sign(cell);
        bool range = strcmp(sign, parity_sign(cell->verdict)) != 0;
        strcat(text, sign);
        matrix->range = matrix->range || range;
        matrix->met[cell->verdict] = matrix->met[cell->verdict] || !range;
    }
    if (columns > SYMBOLS_MOST) {
        strcat(text, "…");
    }
    table_put(table, columns ? "`%s`" : "%s", text);
}

static bool same_operator(const struct parity_row *a, const struct parity_row *b)
{
    return strcmp(a->family, b->family) == 0 && strcmp(a->op, b->op) == 0;
}

/* Appends one row for the operator of the rows first … end − 1. */
static void put_operator(struct matrix *matrix, struct markdown_table *table, int first, int end)
{
    const struct parity_row *row = matrix->parity->row;
    char name[2 * MATRIX_NAME];
    snprintf(name, sizeof name, "%.*s/%.*s", MATRIX_NAME - 1, row[first].family, MATRIX_NAME - 1,
             row[first].op);
    table_code(table, name, MATRIX_NAME);
    for (int k = 0; k < matrix->dtypes; k++) {
        const struct parity_row *found = NULL;
        for (int i = first; i < end && !found; i++) {
            found = strcmp(row[i].dtype, matrix->dtype[k]) == 0 ? &row[i] : NULL;
        }
        put_cell(matrix, table, found);
    }
}

static void put_legend(struct markdown *markdown, const struct matrix *matrix)
{
    const char *between = "";
    markdown_say(markdown, "\n");
    if (matrix->range) {
        markdown_say(markdown, "`%s` %s", PARITY_RANGE_SIGN, PARITY_RANGE_MEANING);
        between = " · ";
    }
    for (int i = 0; i < STATUS_COUNT; i++) {
        enum status status = parity_status_at(i);
        if (matrix->met[status]) {
            markdown_say(markdown, "%s`%s` %s", between, parity_sign(status), parity_sign_meaning(status));
            between = " · ";
        }
    }
    markdown_say(markdown, "%s\n\n", matrix->none ? " · `_` nothing measured" : "");
}

void markdown_matrix(struct markdown *markdown, const struct parity *parity)
{
    struct matrix matrix = {.parity = parity};
    struct markdown_table table = {.ok = true};
    char sides[DTYPES_MOST + 1];
    find_dtypes(&matrix);
    table.columns = 1 + matrix.dtypes;
    memset(sides, 'l', sizeof sides);
    table_put(&table, "operator");
    for (int k = 0; k < matrix.dtypes; k++) {
        int known = rank(matrix.dtype[k]);
        if (known < SHORT_NAMES) {
            table_put(&table, "%s", short_names[known].heading);
        } else {
            table_code(&table, matrix.dtype[k], MARKDOWN_NAME / 2);
        }
    }
    for (int i = 0, end; i < parity->rows; i = end) {
        for (end = i + 1; end < parity->rows && same_operator(&parity->row[i], &parity->row[end]);) {
            end++;
        }
        put_operator(&matrix, &table, i, end);
    }
    markdown_put(markdown, "### Operators\n\n");
    if (parity->columns > 1) {
        markdown_put(markdown, "One symbol per backend, in the order of their numbers.\n\n");
    }
    int left = table_print(markdown, &table, sides);
    put_legend(markdown, &matrix);
    if (left > 0 || matrix.other) {
        markdown_say(markdown,
                     "%d operators, and %d pairs of an operator and a dtype, did not fit; `assay report "
                     "RESULTS --format html`, or csv, has them.\n\n",
                     left > 0 ? left : 0, matrix.other);
    }
    table_destroy(&table);
}
