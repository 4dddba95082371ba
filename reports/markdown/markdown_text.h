/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_MARKDOWN_MARKDOWN_TEXT_H
#define ASSAY_REPORTS_MARKDOWN_MARKDOWN_TEXT_H

/* Markdown for a comment on a forge, of limited size. GitHub limits the body of a comment to 65,536
 * characters; this counts bytes, of which a character has at least one.
 *
 * Texts come from backends, devices and files: they stand in code spans and fenced blocks, in which no forge
 * looks for markup, links, @mentions, #references or :emoji:. */

#include <stdbool.h>
#include <stddef.h>

enum { MARKDOWN_MOST = 65000, MARKDOWN_SPARE = 512 };

/* A text of sections. A section may use its own share and what the sections before it left over. */
struct markdown {
    char *text; /* MARKDOWN_MOST + 1 bytes */
    size_t used, room;
    bool ok; /* false once memory has run out */
};

bool markdown_begin(struct markdown *markdown); /* false when out of memory */
void markdown_end(struct markdown *markdown);

/* Begins a section: adds its share to the room. All shares, and MARKDOWN_SPARE for each, must fit
 * MARKDOWN_MOST. */
void markdown_section(struct markdown *markdown, size_t share);

/* Appends the text. False, and nothing is appended, where the section has no room for all of it. */
bool markdown_put(struct markdown *markdown, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with MARKDOWN_SPARE bytes more, for a line that must appear, such as what was left out. */
bool markdown_say(struct markdown *markdown, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text as a code span of at most `columns` columns, "…" where it was cut. The caller frees it; NULL when
 * out of memory. `cell`: for a table, where `|` needs another form. */
char *markdown_code(const char *text, int columns, bool cell);

/* Appends a fenced block of these lines, each cut to `columns` (at most 200). Returns how many lines had no
 * room. */
int markdown_block(struct markdown *markdown, const char *lines, int columns);

/* --- tables, padded up to a width so that their source is readable, unless they would not fit then */

struct markdown_table {
    int columns, cells, room;
    char **cell; /* row by row, owned; the first row is the heading */
    bool ok;
};

/* Append a cell: Markdown, or a text that becomes a code span. */
void table_put(struct markdown_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_code(struct markdown_table *table, const char *text, int columns);

/* Prints the table; `sides` has one letter per column, 'l' or 'r' for a column aligned right. Returns how
 * many rows had no room, −1 when out of memory. */
int table_print(struct markdown *markdown, const struct markdown_table *table, const char *sides);
void table_destroy(struct markdown_table *table);

#endif
