/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The cells of another release of the backends, for comparison. */

#include "reports/html/html_data.h"

#include <string.h>

/* The column that a backend of the other release stands beside: the one of its name; where both tables have
 * one column only, that one, because a version may be part of the name. −1: none. */
static int partner(const struct parity *parity, const struct parity *before, int column)
{
    int same = parity_column_of(parity, before->column[column].backend);
    return same < 0 && parity->columns == 1 && before->columns == 1 ? 0 : same;
}

static bool same_row(const struct parity_row *a, const struct parity_row *b)
{
    return !strcmp(a->family, b->family) && !strcmp(a->op, b->op) && !strcmp(a->dtype, b->dtype);
}

/* The row of `in` with the names of `row`; NULL: none. Tries *near first and sets it. */
static const struct parity_row *find(const struct parity *in, const struct parity_row *row, int *near)
{
    for (int i = 0; i < in->rows; i++) {
        int at = (*near + i) % in->rows;
        if (same_row(&in->row[at], row)) {
            *near = at + 1;
            return &in->row[at];
        }
    }
    return NULL;
}

static void write_cell(FILE *to, const struct parity_cell *cell)
{
    if (!cell || !cell->cases) {
        putc('0', to);
        return;
    }
    fprintf(to, "[%d,", (int)cell->verdict);
    html_number(to, cell->max_nu, HTML_DIGITS);
    fprintf(to, ",%d,[", cell->range);
    for (int s = 0; s < STATUS_COUNT; s++) {
        fprintf(to, "%s%d", s ? "," : "", cell->count[s]);
    }
    fputs("]]", to);
}

static void write_backend(FILE *to, const struct parity *parity, const struct parity *before, int column)
{
    int near = 0;
    html_header_write(to, &before->column[column]);
    fprintf(to, ",\"of\":%d,\n\"cells\":[", partner(parity, before, column));
    for (int i = 0; i < parity->rows; i++) {
        const struct parity_row *row = find(before, &parity->row[i], &near);
        fputs(i ? "," : "", to);
        write_cell(to, row ? &row->cell[column] : NULL);
    }
    putc(']', to);
}

static void write_gone(FILE *to, const struct parity *parity, const struct parity *before)
{
    int near = 0;
    bool first = true;
    for (int i = 0; i < before->rows; i++) {
        const struct parity_row *row = &before->row[i];
        for (int k = 0; !find(parity, row, &near) && k < before->columns; k++) {
            if (!row->cell[k].cases) {
                continue;
            }
            const char *const parts[] = {row->family, row->op, row->dtype};
            for (int p = 0; p < 3; p++) {
                fputs(p ? "," : first ? "[" : ",\n[", to);
                html_string(to, parts[p]);
            }
            fprintf(to, ",%d,", k);
            write_cell(to, &row->cell[k]);
            putc(']', to);
            first = false;
        }
    }
}

void html_before_write(FILE *to, const struct parity *parity, const struct parity *before)
{
    if (!before) {
        return;
    }
    fputs(",\n\"before\":{\"backends\":[", to);
    for (int k = 0; k < before->columns; k++) {
        fputs(k ? ",\n{" : "{", to);
        write_backend(to, parity, before, k);
        putc('}', to);
    }
    fputs("],\n\"gone\":[", to);
    write_gone(to, parity, before);
    fputs("]}", to);
}
