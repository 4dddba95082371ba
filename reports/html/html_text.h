/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_HTML_HTML_TEXT_H
#define ASSAY_REPORTS_HTML_HTML_TEXT_H

/* JSON that may stand in a <script> of a page: numbers as short as their digits allow, texts without a single
 * "<", and each text only once. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { HTML_DIGITS = 4, HTML_EXACT = 17 };

/* The number in so many digits; HTML_EXACT: as many as it takes to read the same double back. null for NaN,
 * "inf" and "-inf" as texts: JSON has none of them. */
void html_number(FILE *to, double value, int digits);

/* As a JSON string, made visible as utf8_visible does; '<', '>' and '&' as \u003c and so on, so that nothing
 * ends the element that holds it. null for NULL. */
void html_string(FILE *to, const char *text);

/* Texts that are told by number. */
struct html_texts {
    int count, room, slots;
    const char **text; /* borrowed */
    int *slot;         /* open addressing, 1 + index; 0: free */
    bool failed;       /* out of memory */
};

int html_texts_add(struct html_texts *texts, const char *text); /* its number; −1 for NULL */
void html_texts_write(FILE *to, const struct html_texts *texts);
void html_texts_destroy(struct html_texts *texts);

#endif
