/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_HTML_HTML_TEXT_H
#define ASSAY_REPORTS_HTML_HTML_TEXT_H

/* JSON that can stand in a <script> element: numbers with few digits, texts without "<", repeated texts only
 * once. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { HTML_DIGITS = 4, HTML_EXACT = 17 };

/* Prints the number with this many significant digits; HTML_EXACT: with as many as it takes to read the same
 * double back. NaN is null, infinities are the texts "inf" and "-inf". */
void html_number(FILE *to, double value, int digits);

/* Prints a JSON string, visible as by utf8_visible, with '<', '>' and '&' as \u003c and so on, so that no
 * text can end the element. NULL is null. */
void html_string(FILE *to, const char *text);

/* A set of texts, each with an index. */
struct html_texts {
    int count, room, slots;
    const char **text; /* borrowed */
    int *slot;         /* open addressing, 1 + index; 0: free */
    bool failed;       /* out of memory */
};

int html_texts_add(struct html_texts *texts,
                   const char *text); /* adds it if new; returns its index, −1 for NULL */
void html_texts_write(FILE *to, const struct html_texts *texts);
void html_texts_destroy(struct html_texts *texts);

#endif
