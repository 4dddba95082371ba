/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SELECTION_CASE_WORDS_H
#define ASSAY_HARNESS_SELECTION_CASE_WORDS_H

/* The words that select cases: globs of the command line, and the lines of files of ids that it names as
 * "@FILE". Such a file has one id or glob a line; blank lines and lines that begin with '#' are ignored, and
 * "@-" is the standard input. */

#include "harness/options/options.h"

struct case_words {
    int count;
    char **text;   /* owned */
    char **origin; /* owned; "ids.txt:3" for a line of a file, NULL for a word of the command line */
};

/* Expands the texts. Returns false with the file and the reason if a file cannot be read or has no id. */
bool case_words_expand(const struct texts *texts, struct case_words *words, struct error *error);

/* Appends a copy of a word. Returns false when out of memory. */
bool case_words_add(struct case_words *words, const char *text);
void case_words_destroy(struct case_words *words);

#endif
