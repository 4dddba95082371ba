/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_OPTIONS_OPTIONS_H
#define ASSAY_HARNESS_OPTIONS_OPTIONS_H

/* Parses command lines. A table binds options to variables; options may stand in any order, and messages name
 * the nearest option. Accepted forms are `--name value`, `--name=value` and `-n value`; `--` ends the
 * options. Parsed texts point into argv. */

#include "reference/base/error.h"
#include "reports/gate.h"
#include "suites/suite.h"

/* The exit status of every command. */
enum exit_status { EXIT_HOLDS = 0, EXIT_GATE = 1, EXIT_USAGE = 2, EXIT_NOTHING_RUN = 3 };

struct texts {
    int count;
    const char **text; /* owned array of texts that are not owned */
};

bool texts_add(struct texts *texts, const char *text); /* returns false when out of memory */
void texts_destroy(struct texts *texts);

enum option_type {
    OPTION_FLAG,     /* bool *, set to true */
    OPTION_TEXT,     /* const char ** */
    OPTION_PATH,     /* const char **, not empty */
    OPTION_TEXTS,    /* struct texts *, to which the value is appended */
    OPTION_INTEGER,  /* int64_t *, within [least, most] */
    OPTION_UNSIGNED, /* uint64_t *, decimal or 0x… */
    OPTION_POSITIVE, /* double *, > 0, finite */
    OPTION_LEVEL,    /* enum level * */
    OPTION_SHARD,    /* struct shard * */
    /* unsigned *: gate additions (reports/gate.h) are added to it; `most`: the mask of additions that may be
     * named */
    OPTION_GATE,
    OPTION_BITS,   /* unsigned *: the bits of `most` are set in it; takes no value */
    OPTION_BY,     /* bool *: true for "operator", false for "family": the subject of a table's rows */
    OPTION_CHOICE, /* const char **: one of the words that `argument` lists: "text|json" */
    OPTION_COLOR   /* passed to text_colour_when(); `to` is NULL */
};

struct shard {
    int index, count; /* 1 ≤ index ≤ count; count 0: no sharding */
};

struct option_row {
    char letter;      /* 0: no short form */
    const char *name; /* without "--" */
    enum option_type type;
    void *to;
    /* shown in --help; selects the completion of values (complete.h); NULL for an option without a value */
    const char *argument;
    const char *help;    /* one line; NULL hides the option */
    int64_t least, most; /* limits of OPTION_INTEGER; most 0: no upper limit */
};

struct command_help {
    const char *usage;               /* "assay run [GLOB…] [OPTION…]" */
    const char *about;               /* a paragraph or more */
    const char *examples;            /* lines, indented by two */
    const struct option_row *option; /* NULL name at the end */
};

enum options_outcome { OPTIONS_OK, OPTIONS_HELP, OPTIONS_WRONG };

/* Parses argv[1…]. Arguments that are no options go to `words` (NULL: they are refused). Prints the help to
 * stdout or the fault to stderr; the command then returns 0 for OPTIONS_HELP and EXIT_USAGE for
 * OPTIONS_WRONG. */
enum options_outcome options_parse(const struct command_help *help, int argc, char **argv,
                                   struct texts *words);

/* Returns true if the latest parsed command line had the option --name, with any value. */
bool options_given(const char *name);

/* Refuses options that would have no effect. `names` ends in NULL. If one of them was given, returns false
 * with the first one and `why`, as in "--show: goes with --format text". */
bool options_refuse(const char *const *names, const char *why, struct error *error);

/* Returns the row of an option that a word such as "--name" or "-n" names; NULL where there is no such
 * option. options_takes_value returns true if it needs a value. */
const struct option_row *options_find(const struct option_row *rows, const char *word);
bool options_takes_value(const struct option_row *row);

/* If set, options_parse calls this function with the command's help instead of parsing, and the command ends
 * as after --help. The manual and the completion are made in this way, from the tables that parse the command
 * line. */
extern void (*options_instead)(const struct command_help *help, int argc, char **argv);

/* The row of --color, which is the same in every command; text.h describes it. */
#define OPTIONS_COLOR                                                                                        \
    {                                                                                                        \
        0, "color", OPTION_COLOR, NULL, "auto|always|never",                                                 \
            "colour the output; auto: on a terminal, unless NO_COLOR, CLICOLOR_FORCE or TERM decide "        \
            "otherwise",                                                                                     \
            0, 0                                                                                             \
    }

/* Prints "assay: " and the text to stderr. Returns EXIT_USAGE. */
int options_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
