/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_MARKDOWN_MARKDOWN_TEXT_H
#define ASSAY_REPORTS_MARKDOWN_MARKDOWN_TEXT_H

/* Markdown for a comment on a forge: a text of limited size, whatever it is about. GitHub takes 65,536
 * characters (its own limit of a comment's body); what is counted here are bytes, of which a character has at
 * least one.
 *
 * Texts come from backends, devices and files: they stand in code spans and fenced blocks, in which no forge
 * looks for markup, links, @mentions, #references or :emoji:. */

#include <stdbool.h>
#include <stddef.h>

enum { MARKDOWN_MOST = 65000, MARKDOWN_SPARE = 512 };

/* A section may use what the sections before it left over, and its own share. */
struct markdown {
    char *text; /* of MARKDOWN_MOST + 1 bytes */
    size_t used, room;
    bool ok; /* false once memory has run out */
};

bool markdown_begin(struct markdown *markdown); /* false when out of memory */
void markdown_end(struct markdown *markdown);

/* Adds a section's share to the room. All shares, and MARKDOWN_SPARE for each, must fit MARKDOWN_MOST. */
void markdown_section(struct markdown *markdown, size_t share);

/* Appends the whole text, or nothing and returns false where the section has no room for it. */
bool markdown_put(struct markdown *markdown, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with MARKDOWN_SPARE bytes more: for what must be said of that. */
bool markdown_say(struct markdown *markdown, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One line as a code span of at most so many columns, "…" where it was cut. The caller frees it; NULL when
 * out of memory. In a table's cell a `|` needs another form. */
char *markdown_code(const char *text, int columns, bool cell);

/* A fenced block of these lines, each cut to `columns` (at most 200); as many as there is room for. Returns
 * how many lines were left out. */
int markdown_block(struct markdown *markdown, const char *lines, int columns);

/* --- tables, of which the source reads well too: columns are padded, up to a width */

struct markdown_table {
    int columns, cells, room;
    char **cell; /* row by row, owned; the first row is the heading */
    bool ok;
};

/* Cells are Markdown, or a text that becomes a code span. */
void table_put(struct markdown_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_code(struct markdown_table *table, const char *text, int columns);

/* Numeric columns ('r' in `sides`, one letter a column) stand on the right. Returns how many rows were left
 * out, −1 when out of memory. */
int table_print(struct markdown *markdown, const struct markdown_table *table, const char *sides);
void table_destroy(struct markdown_table *table);

#endif
