/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_OPTIONS_MARKDOWN_H
#define ASSAY_HARNESS_OPTIONS_MARKDOWN_H

/* Markdown from the texts and tables that --help prints, so that the pages of docs/reference say the same.
 * Everything is written to stdout. */

#include "harness/options/options.h"

/* Text with every character escaped that Markdown would read as markup. What stands between backquotes is
 * written as it is. `cell`: inside a table, where a vertical bar ends a cell even between backquotes. */
void markdown_text(const char *text, bool cell);

/* Paragraphs between empty lines; indented lines become blocks of code. */
void markdown_paragraphs(const char *text);

/* The page of one command: usage, what it does, its options, examples. Called through options_instead. */
void markdown_command(const struct command_help *help, int argc, char **argv);

#endif
