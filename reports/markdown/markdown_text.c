/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/markdown/markdown_text.h"
#include "reference/base/memory.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PADDED_MOST = 48 };

bool markdown_begin(struct markdown *markdown)
{
    *markdown = (struct markdown){.text = malloc(MARKDOWN_MOST + 1), .ok = true};
    if (markdown->text) {
        markdown->text[0] = 0;
    }
    return markdown->text;
}

void markdown_end(struct markdown *markdown)
{
    free(markdown->text);
    *markdown = (struct markdown){0};
}

void markdown_section(struct markdown *markdown, size_t share)
{
    size_t room = markdown->room + share + MARKDOWN_SPARE;
    markdown->room = room < MARKDOWN_MOST - MARKDOWN_SPARE ? room : MARKDOWN_MOST - MARKDOWN_SPARE;
}

static bool append(struct markdown *markdown, const char *text, size_t length, size_t room)
{
    room = room < MARKDOWN_MOST ? room : MARKDOWN_MOST;
    if (markdown->used + length > room) {
        return false;
    }
    memcpy(markdown->text + markdown->used, text, length);
    markdown->used += length;
    markdown->text[markdown->used] = 0;
    return true;
}

static bool append_format(struct markdown *markdown, size_t room, const char *format, va_list arguments)
{
    char *text = NULL;
    int length = vasprintf(&text, format, arguments);
    if (length < 0) {
        markdown->ok = false;
        return false;
    }
    bool fits = append(markdown, text, (size_t)length, room);
    free(text);
    return fits;
}

bool markdown_put(struct markdown *markdown, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool fits = append_format(markdown, markdown->room, format, arguments);
    va_end(arguments);
    return fits;
}

bool markdown_say(struct markdown *markdown, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool fits = append_format(markdown, markdown->room + MARKDOWN_SPARE, format, arguments);
    va_end(arguments);
    return fits;
}

/* Cuts a line to this many columns, of which the last is "…"; the buffer must have room for that behind the
 * line. */
static void cut(char *line, int columns)
{
    size_t length = strlen(line), at = 0, last = 0;
    int seen = 0;
    if (utf8_columns(line) <= columns) {
        return;
    }
    while (at < length) {
        uint32_t code;
        size_t next = at + utf8_decode(line + at, length - at, &code);
        seen += code < 0x300 || code > 0x36f;
        if (seen > columns) {
            break;
        }
        last = at;
        at = next;
    }
    strcpy(line + last, "…");
}

/* The text as one visible line of at most `columns` columns, made of its first 4 · columns bytes. */
static char *one_line(const char *text, int columns)
{
    size_t most = 4 * (size_t)columns;
    char *beginning = strndup(text ? text : "", most), *line = beginning ? text_one_line(beginning) : NULL;
    free(beginning);
    char *copy = line ? malloc(strlen(line) + sizeof "…") : NULL;
    if (copy) {
        strcpy(copy, line);
        if (text && strlen(text) > most && utf8_columns(copy) <= columns) {
            strcat(copy, "…");
        }
        cut(copy, columns);
    }
    free(line);
    return copy;
}

static size_t longest_run(const char *text, char of)
{
    size_t most = 0, run = 0;
    for (; *text; text++) {
        run = *text == of ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most;
}

/* A code span for a table that would split it at `|`: as HTML, where character references have no meaning as
 * structure (CommonMark 0.31, 6.2). The invisible space keeps readers that look for addresses in plain text
 * from finding one. */
static char *as_references(const char *line)
{
    char *copy = malloc(24 * strlen(line) + sizeof "<code></code>"), *end = copy;
    if (!copy) {
        return NULL;
    }
    end = stpcpy(end, "<code>");
    for (const char *c = line; *c; c++) {
        if ((unsigned char)*c < 0x80 && !isalnum((unsigned char)*c) && *c != ' ') {
            end += sprintf(end, "&#%d;%s", *c, strchr("@:.#", *c) ? "&#8203;" : "");
        } else {
            *end++ = *c;
        }
    }
    strcpy(end, "</code>");
    return copy;
}

char *markdown_code(const char *text, int columns, bool cell)
{
    char *line = one_line(text, columns), *span = NULL;
    if (line && cell && strchr(line, '|')) {
        span = as_references(line);
    } else if (line && !line[strspn(line, " ")]) {
        span = strdup("");
    } else if (line) {
        size_t ticks = longest_run(line, '`') + 1, length = strlen(line);
        const char *gap = line[0] == '`' || line[length - 1] == '`' ? " " : "";
        span = malloc(2 * ticks + length + 3);
        if (span) {
            memset(span, '`', ticks);
            char *end = span + ticks + sprintf(span + ticks, "%s%s%s", gap, line, gap);
            memset(end, '`', ticks);
            end[ticks] = 0;
        }
    }
    free(line);
    return span;
}

int markdown_block(struct markdown *markdown, const char *lines, int columns)
{
    size_t ticks = longest_run(lines, '`') + 1, most = (size_t)columns + 1; /* no line is longer */
    ticks = ticks < 3 ? 3 : ticks < most ? ticks : most;
    char *fence = malloc(ticks + 1);
    markdown->ok = markdown->ok && fence;
    if (!fence) {
        return 0;
    }
    memset(fence, '`', ticks);
    fence[ticks] = 0;
    int left = 0;
    bool open = markdown_put(markdown, "%stext\n", fence);
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        char *copy = strndup(line, length), *shown = copy ? one_line(copy, columns) : NULL;
        markdown->ok = markdown->ok && shown;
        if (left || !open || !shown || !markdown_put(markdown, "%s\n", shown)) {
            left++; /* once a line had no room, the following lines are left out too */
        }
        free(copy);
        free(shown);
        line += length + (line[length] == '\n');
    }
    if (open) {
        markdown_say(markdown, "%s\n", fence);
    }
    free(fence);
    return left;
}

static void add(struct markdown_table *table, char *cell)
{
    if (table->ok && cell && table->cells == table->room) {
        int more = table->room ? 2 * table->room : 64;
        char **larger = realloc(table->cell, (size_t)more * sizeof *larger);
        table->ok = larger;
        if (larger) {
            table->cell = larger;
            table->room = more;
        }
    }
    table->ok = table->ok && cell;
    if (table->ok) {
        table->cell[table->cells++] = cell;
    } else {
        free(cell);
    }
}

void table_put(struct markdown_table *table, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
    }
    va_end(arguments);
    add(table, text);
}

void table_code(struct markdown_table *table, const char *text, int columns)
{
    add(table, markdown_code(text, columns, true));
}

/* Prints a row as one line, its columns padded to their width. */
static bool put_row(struct markdown *markdown, const struct markdown_table *table, int row, const int *width,
                    const char *sides)
{
    char *line = NULL;
    size_t size;
    FILE *to = open_memstream(&line, &size);
    if (!to) {
        return markdown->ok = false;
    }
    for (int k = 0; k < table->columns; k++) {
        const char *cell = table->cell[row * table->columns + k];
        int gap = width[k] - utf8_columns(cell);
        gap = gap > 0 ? gap : 0;
        bool right = sides[k] == 'r';
        fprintf(to, "| %*s%s%*s ", right ? gap : 0, "", cell, right ? 0 : gap, "");
    }
    fputs("|\n", to);
    for (int k = 0; row == 0 && k < table->columns; k++) {
        fprintf(to, "|%s", sides[k] == 'r' ? "-" : ":");
        for (int dash = 0; dash < width[k]; dash++) {
            putc('-', to);
        }
        fprintf(to, "%s%s", sides[k] == 'r' ? ":" : "-", k == table->columns - 1 ? "|\n" : "");
    }
    markdown->ok = memory_stream_text(to, &line) && markdown->ok;
    bool fits = line && append(markdown, line, strlen(line), markdown->room);
    free(line);
    return fits;
}

/* Sets the width of each column to that of its widest cell, at most PADDED_MOST; to 0, which pads nothing,
 * where the padded table would not fit. */
static void find_widths(const struct markdown *markdown, const struct markdown_table *table, int *width)
{
    size_t bytes = 0, rows = (size_t)(table->cells / table->columns);
    for (int i = 0; i < table->cells; i++) {
        int columns = utf8_columns(table->cell[i]), *most = &width[i % table->columns];
        bytes += strlen(table->cell[i]) - (size_t)columns;
        columns = columns < PADDED_MOST ? columns : PADDED_MOST;
        *most = columns > *most ? columns : *most;
    }
    for (int k = 0; k < table->columns; k++) {
        bytes += (rows + 1) * ((size_t)width[k] + strlen("|  "));
    }
    if (markdown->used + bytes + 2 * rows > markdown->room) {
        memset(width, 0, (size_t)table->columns * sizeof *width);
    }
}

int table_print(struct markdown *markdown, const struct markdown_table *table, const char *sides)
{
    int n = table->columns, rows = table->ok ? table->cells / n : 0, printed = 0;
    int *width = calloc((size_t)n, sizeof *width);
    if (!table->ok || !width) {
        free(width);
        markdown->ok = false;
        return -1;
    }
    find_widths(markdown, table, width);
    while (printed < rows && put_row(markdown, table, printed, width, sides)) {
        printed++;
    }
    free(width);
    return rows - printed;
}

void table_destroy(struct markdown_table *table)
{
    for (int i = 0; i < table->cells; i++) {
        free(table->cell[i]);
    }
    free(table->cell);
    *table = (struct markdown_table){0};
}
