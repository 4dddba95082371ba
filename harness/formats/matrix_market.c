/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/matrix_market.h"

#include "reports/records/input.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum symmetry { GENERAL, SYMMETRIC, SKEW };
enum field { REAL, INTEGER, PATTERN };

struct entry {
    int64_t row, column;
    double value;
};

struct reader {
    FILE *file;
    const char *path;
    struct error *error;
    char *line;  /* owned */
    bool unread; /* a line could not be read, as the error says */
    size_t room;
    int number; /* of the current line */
    bool coordinate;
    enum field field;
    enum symmetry symmetry;
    int64_t rows, columns, stored; /* stored: number of entries that the file must hold */
    struct entry *entry;
    int64_t entries, entries_room;
};

static bool fault(struct reader *r, const char *what)
{
    return !r->unread && error_set(r->error, "%s:%d: %s", r->path, r->number, what);
}

static bool next_line(struct reader *r)
{
    struct error why = {.text = ""};
    ssize_t length = input_line(r->file, &r->line, &r->room, r->path, ++r->number, &why);
    if (why.text[0]) {
        *r->error = why;
        r->unread = true;
    }
    if (length >= 0 && strlen(r->line) != (size_t)length) {
        r->line[0] = '\0'; /* a zero byte: the file is no text, and nothing before it counts */
    }
    return length >= 0;
}

/* Reads the next line that is neither empty nor a comment. */
static bool next_data(struct reader *r)
{
    while (next_line(r)) {
        const char *text = r->line + strspn(r->line, " \t\r\n");
        if (*text && *text != '%') {
            return true;
        }
    }
    return false;
}

static bool at_end(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

static bool read_integer(char **text, int64_t *x)
{
    char *end;
    errno = 0;
    long long value = strtoll(*text, &end, 10);
    bool good = end != *text && errno == 0 && strchr(" \t\r\n", *end);
    *text = end;
    *x = value;
    return good;
}

static bool read_value(struct reader *r, char **text, double *x)
{
    if (r->field == INTEGER) {
        const int64_t most = (int64_t)1 << 53;
        int64_t value;
        bool good = read_integer(text, &value);
        *x = (double)value;
        if (good && (value > most || value < -most)) {
            return fault(r, "an integer beyond 2^53 does not fit in float64");
        }
        return good || fault(r, "an integer is missing here");
    }
    char *end;
    *x = strtod(*text, &end);
    bool good = end != *text && strchr(" \t\r\n", *end);
    *text = end;
    return good || fault(r, "a number is missing here");
}

/* --- the header */

static bool choose(const char *word, const char *const *words, int count, int *chosen)
{
    for (int w = 0; word && w < count; w++) {
        if (strcasecmp(word, words[w]) == 0) {
            *chosen = w;
            return true;
        }
    }
    return false;
}

static bool read_banner(struct reader *r)
{
    static const char *const formats[] = {"array", "coordinate"},
                             *const fields[] = {"real", "integer", "pattern"},
                             *const symmetries[] = {"general", "symmetric", "skew-symmetric"};
    int format = 0, field = 0, symmetry = 0;
    const char *separators = " \t\r\n";
    if (!next_line(r)) {
        return fault(r, "the file is empty");
    }
    char *rest = NULL, *banner = strtok_r(r->line, separators, &rest),
         *object = strtok_r(NULL, separators, &rest);
    const char *word[3];
    for (int w = 0; w < 3; w++) {
        word[w] = banner ? strtok_r(NULL, separators, &rest) : NULL;
    }
    if (!banner || strcasecmp(banner, "%%MatrixMarket") != 0 || !object ||
        strcasecmp(object, "matrix") != 0) {
        return fault(r, "a MatrixMarket file begins with \"%%MatrixMarket matrix\"");
    }
    if (!choose(word[0], formats, 2, &format)) {
        return fault(r, "the format must be coordinate or array");
    }
    if (word[1] && strcasecmp(word[1], "complex") == 0) {
        return fault(r, "complex matrices have no sparse operator here; give real and imaginary part apart");
    }
    if (!choose(word[1], fields, 3, &field)) {
        return fault(r, "the field must be real, integer or pattern");
    }
    if (!choose(word[2], symmetries, 3, &symmetry)) {
        return fault(r, "the symmetry must be general, symmetric or skew-symmetric");
    }
    r->coordinate = format == 1;
    r->field = (enum field)field;
    r->symmetry = (enum symmetry)symmetry;
    if (r->field == PATTERN && (!r->coordinate || r->symmetry == SKEW)) {
        return fault(r, "a pattern has no values, so it is neither an array nor skew-symmetric");
    }
    return true;
}

static bool read_size(struct reader *r)
{
    if (!next_data(r)) {
        return fault(r, "the line with the size is missing");
    }
    char *text = r->line;
    bool good = read_integer(&text, &r->rows) && read_integer(&text, &r->columns) &&
                (!r->coordinate || read_integer(&text, &r->stored)) && at_end(text);
    if (!good || r->rows < 0 || r->columns < 0 || r->stored < 0) {
        return fault(r, r->coordinate ? "the size must be rows, columns, entries"
                                      : "the size must be rows, columns");
    }
    if (r->rows > INT32_MAX || r->columns > INT32_MAX || r->stored > INT32_MAX) {
        return fault(r, "more than 2^31 - 1 rows, columns or entries");
    }
    if (r->symmetry != GENERAL && r->rows != r->columns) {
        return fault(r, "a symmetric matrix must be square");
    }
    if (!r->coordinate) {
        r->stored = r->symmetry == GENERAL     ? r->rows * r->columns
                    : r->symmetry == SYMMETRIC ? r->rows * (r->rows + 1) / 2
                                               : r->rows * (r->rows - 1) / 2;
    }
    return true;
}

/* --- entries */

static bool append(struct reader *r, int64_t row, int64_t column, double value)
{
    if (r->entries == r->entries_room) {
        int64_t room = 2 * r->entries_room + 64;
        struct entry *grown = realloc(r->entry, (size_t)room * sizeof *grown);
        if (!grown) {
            return fault(r, "out of memory");
        }
        r->entry = grown;
        r->entries_room = room;
    }
    r->entry[r->entries++] = (struct entry){row, column, value};
    return true;
}

/* Appends an entry of the file and, off the diagonal of a symmetric matrix, its mirror image. */
static bool add(struct reader *r, int64_t row, int64_t column, double value)
{
    bool good = append(r, row, column, value);
    if (good && r->symmetry != GENERAL && row != column) {
        good = append(r, column, row, r->symmetry == SKEW ? -value : value);
    }
    return good;
}

static bool read_coordinate(struct reader *r)
{
    char *text = r->line;
    int64_t row, column;
    double value = 1;
    if (!read_integer(&text, &row) || !read_integer(&text, &column)) {
        return fault(r, "row and column are missing here");
    }
    if (row < 1 || row > r->rows || column < 1 || column > r->columns) {
        return fault(r, "the entry lies outside the matrix (rows and columns count from 1)");
    }
    if (r->symmetry != GENERAL && (row < column || (r->symmetry == SKEW && row == column))) {
        return fault(r, r->symmetry == SKEW ? "a skew-symmetric file holds what is below the diagonal"
                                            : "a symmetric file holds the lower triangle");
    }
    if (r->field != PATTERN && !read_value(r, &text, &value)) {
        return false;
    }
    return at_end(text) ? add(r, row - 1, column - 1, value) : fault(r, "more on the line than an entry");
}

/* Reads the entries of an array, which are stored column by column; of a symmetric matrix from the diagonal
 * down. */
static bool read_all(struct reader *r)
{
    int64_t column = 0, row = r->symmetry == SKEW ? 1 : 0;
    for (int64_t k = 0; k < r->stored; k++) {
        if (!next_data(r)) {
            return fault(r, "the file ends before its last entry");
        }
        if (r->coordinate) {
            if (!read_coordinate(r)) {
                return false;
            }
            continue;
        }
        char *text = r->line;
        double value;
        if (!read_value(r, &text, &value)) {
            return false;
        }
        if (!at_end(text)) {
            return fault(r, "more on the line than a number");
        }
        if (!add(r, row, column, value)) {
            return false;
        }
        if (++row == r->rows) {
            column++;
            row = r->symmetry == GENERAL ? 0 : r->symmetry == SKEW ? column + 1 : column;
        }
    }
    return (!next_data(r) && !r->unread) || fault(r, "more entries than the size says");
}

/* --- tensors */

static void put(struct tensor *tensor, int64_t i, double value)
{
    memcpy(tensor->data + (size_t)i * sizeof value, &value, sizeof value);
}

static bool make_tensors(struct reader *r, struct matrix_market *matrix)
{
    struct shape places = shape_of(2, (int64_t)2, r->entries), list = shape_of(1, r->entries),
                 whole = shape_of(2, r->rows, r->columns);
    bool good = tensor_create(&matrix->values, DTYPE_FLOAT64, r->coordinate ? &list : &whole) &&
                (!r->coordinate || tensor_create(&matrix->indices, DTYPE_INT64, &places));
    for (int64_t p = 0; good && p < r->entries; p++) {
        const struct entry *e = &r->entry[p];
        put(&matrix->values, r->coordinate ? p : e->row * r->columns + e->column, e->value);
        if (r->coordinate) {
            dtype_store_integer(DTYPE_INT64, matrix->indices.data + (size_t)p * 8, e->row);
            dtype_store_integer(DTYPE_INT64, matrix->indices.data + (size_t)(r->entries + p) * 8, e->column);
        }
    }
    return good || fault(r, "out of memory");
}

bool matrix_market_read(const char *path, struct matrix_market *matrix, struct error *error)
{
    struct reader r = {.path = path, .error = error, .file = input_open(path, error)};
    *matrix = (struct matrix_market){.rows = 0};
    if (!r.file) {
        return false;
    }
    bool good = read_banner(&r) && read_size(&r) && read_all(&r) && make_tensors(&r, matrix);
    matrix->coordinate = r.coordinate;
    matrix->rows = r.rows;
    matrix->columns = r.columns;
    free(r.line);
    free(r.entry);
    fclose(r.file);
    return good;
}

void matrix_market_clear(struct matrix_market *matrix)
{
    tensor_destroy(&matrix->indices);
    tensor_destroy(&matrix->values);
}
