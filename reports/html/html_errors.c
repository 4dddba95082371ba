/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Errors by input of a cell: the greatest of all its cases in each binade. */

#include "reports/html/html_data.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST = -1100, EXPONENTS = 2200, SIDES = 2, DIGITS = 2 };

struct side {
    int first, last; /* exponents above LEAST; first > last: none */
    double ulp[EXPONENTS], allowed[EXPONENTS];
};

/* Empties a side; all exponents from first to last may be set. */
static void clear(struct side *side)
{
    for (int e = side->first; e <= side->last; e++) {
        side->ulp[e] = side->allowed[e] = NAN;
    }
    side->first = EXPONENTS;
    side->last = -1;
}

static void add(struct side *sides, const struct record *record)
{
    for (int k = 0; k < record->by_inputs; k++) {
        const struct record_by_input *one = &record->by_input[k];
        struct side *side = &sides[one->negative];
        int e = one->exponent - LEAST;
        if (e < 0 || e >= EXPONENTS) {
            continue;
        }
        side->first = e < side->first ? e : side->first;
        side->last = e > side->last ? e : side->last;
        if (!(one->ulp <= side->ulp[e])) { /* also true while ulp[e] is NaN, that is, unset */
            side->ulp[e] = one->ulp;
            side->allowed[e] = one->allowed;
        }
    }
}

static void write_numbers(FILE *to, const char *name, const double *value, const struct side *side)
{
    fprintf(to, ",\"%s\":[", name);
    for (int e = side->first; e <= side->last; e++) {
        fputs(e > side->first ? "," : "", to);
        html_number(to, value[e], DIGITS);
    }
    putc(']', to);
}

static bool write_cell(FILE *to, int row, const struct side *sides, bool first)
{
    static const char *const name[SIDES] = {"positive", "negative"};
    if (sides[0].last < 0 && sides[1].last < 0) {
        return first;
    }
    fprintf(to, "%s{\"row\":%d", first ? "" : ",\n", row);
    for (int s = 0; s < SIDES; s++) {
        if (sides[s].last >= 0) {
            fprintf(to, ",\"%s\":{\"from\":%d", name[s], sides[s].first + LEAST);
            write_numbers(to, "ulp", sides[s].ulp, &sides[s]);
            write_numbers(to, "allowed", sides[s].allowed, &sides[s]);
            putc('}', to);
        }
    }
    putc('}', to);
    return false;
}

bool html_errors_write(FILE *to, const struct html_data *data, int column)
{
    struct side *sides = malloc(SIDES * sizeof *sides);
    bool first = true;
    for (int s = 0; sides && s < SIDES; s++) {
        sides[s].first = 0;
        sides[s].last = EXPONENTS - 1;
    }
    fputs(",\n\"errors\":[", to);
    for (int c = 0, next; sides && c < data->cases; c = next) {
        clear(&sides[0]);
        clear(&sides[1]);
        for (next = c; next < data->cases && data->at[next].row == data->at[c].row; next++) {
            const struct record *record = data->at[next].record[column];
            if (record) {
                add(sides, record);
            }
        }
        first = write_cell(to, data->at[c].row, sides, first);
    }
    putc(']', to);
    bool good = sides != NULL;
    free(sides);
    return good;
}
