/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_OPTIONS_MANUAL_H
#define ASSAY_HARNESS_OPTIONS_MANUAL_H

/* A manual page (man(7) macros) from the texts and tables that --help prints, so that it says the same. */

#include "harness/options/options.h"

/* Text as roff prints it, whatever stands in it: no control line, no escape, ASCII's - ' ` ^ ~ as they are
 * typed. */
void manual_text(const char *text);

/* Paragraphs between empty lines; lines that are indented keep their breaks. */
void manual_paragraphs(const char *text);

/* .SH with a title in capitals. */
void manual_section(const char *title);

/* .TP: a bold tag and what it means; `tag` may end in an argument in italics. */
void manual_item(const char *tag, const char *argument, const char *text);

/* The section of one command. Goes where options_instead points. */
void manual_command(const struct command_help *help, int argc, char **argv);

#endif
