/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_COMPLETE_H
#define ASSAY_HARNESS_CLI_COMPLETE_H

/* What a shell offers for a command line that is being typed (harness/options/assay.bash asks). The answer's
 * first line is the kind, "words", "files" or "directories"; the second is what of the last word a file's
 * name begins with; the third is the last word, without what quotes it; then one candidate a line, each in
 * place of the whole word. No device is opened and no file is read. */

#include "harness/options/options.h"

/* A command line up to the cursor, split as a shell does: words between blanks, quotes and backslashes taken
 * off. The last word, perhaps empty, is the one that is being typed. */
struct typed {
    int count;
    char **word;
    char *text; /* holds them */
};

bool typed_read(struct typed *typed, const char *line); /* false: out of memory, or nothing was typed */
void typed_destroy(struct typed *typed);

enum complete_kind { COMPLETE_WORDS, COMPLETE_FILES, COMPLETE_DIRECTORIES };

void complete_begin(const struct typed *typed, enum complete_kind kind);
void complete_offer(const struct typed *typed,
                    const char *candidate); /* where it begins with what is typed */

/* Goes where options_instead points, for the line in complete_typed: options, their values by the name of the
 * argument ("GLOB", "FILE", "text|json"), else what the usage line names at this place. */
extern const struct typed *complete_typed;
void complete_command(const struct command_help *help, int argc, char **argv);

#endif
