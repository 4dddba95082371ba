/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_COMPLETE_H
#define ASSAY_HARNESS_CLI_COMPLETE_H

/* Computes what a shell offers for a command line that is being typed (harness/options/assay.bash calls it).
 * The first line of the answer is the kind: "words", "files" or "directories". The second is the part of the
 * last word with which a file name begins; the third is the last word without quotes. Then follow the
 * candidates, one per line, each in place of the whole word. No device is opened and no file is read. */

#include "harness/options/options.h"

/* A command line up to the cursor, split into words as a shell does, without quotes and backslashes. The last
 * word, which may be empty, is the one being typed. */
struct typed {
    int count;
    char **word;
    char *text; /* the storage of the words */
};

/* returns false when out of memory, or when nothing was typed */
bool typed_read(struct typed *typed, const char *line);
void typed_destroy(struct typed *typed);

enum complete_kind { COMPLETE_WORDS, COMPLETE_FILES, COMPLETE_DIRECTORIES };

void complete_begin(const struct typed *typed, enum complete_kind kind);
void complete_offer(const struct typed *typed,
                    const char *candidate); /* prints the candidate if it begins with the typed text */

/* The function for options_instead: completes the line in complete_typed with options, with their values by
 * the name of the argument ("GLOB", "FILE", "text|json"), or with what the usage line names at this
 * place. */
extern const struct typed *complete_typed;
void complete_command(const struct command_help *help, int argc, char **argv);

#endif
