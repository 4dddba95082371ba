/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_OPTIONS_MANUAL_H
#define ASSAY_HARNESS_OPTIONS_MANUAL_H

/* Prints a manual page (man(7) macros) from the same texts and tables as --help, so that both say the same.
 */

#include "harness/options/options.h"

/* Prints text with escapes, so that no character in it acts as a control line or an escape, and ASCII's - ' `
 * ^ ~ print as typed. */
void manual_text(const char *text);

/* Prints paragraphs, which are separated by empty lines. Indented lines keep their line breaks. */
void manual_paragraphs(const char *text);

/* Prints a section title (.SH) in capitals. */
void manual_section(const char *title);

/* Prints a list item (.TP): the tag in bold, the argument in italics (NULL: none), and what the item means.
 */
void manual_item(const char *tag, const char *argument, const char *text);

/* Prints the section of one command. Assign it to options_instead. */
void manual_command(const struct command_help *help, int argc, char **argv);

#endif
