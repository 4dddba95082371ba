/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_OPTIONS_OPTIONS_H
#define ASSAY_HARNESS_OPTIONS_OPTIONS_H

/* Command lines: a table of options bound to variables, parsed in any order, with messages that name the
 * nearest option. `--name value`, `--name=value`, `-n value`; `--` ends the options. Texts point into argv.
 */

#include "reference/base/error.h"
#include "reports/gate.h"
#include "suites/suite.h"

/* What every command returns to the shell. */
enum exit_status { EXIT_HOLDS = 0, EXIT_GATE = 1, EXIT_USAGE = 2, EXIT_NOTHING_RUN = 3 };

struct texts {
    int count;
    const char **text; /* owned array of borrowed texts */
};

bool texts_add(struct texts *texts, const char *text); /* false when out of memory */
void texts_destroy(struct texts *texts);

enum option_type {
    OPTION_FLAG,     /* bool *, set */
    OPTION_TEXT,     /* const char ** */
    OPTION_PATH,     /* const char **, not empty */
    OPTION_TEXTS,    /* struct texts *, appended */
    OPTION_INTEGER,  /* int64_t *, within [least, most] */
    OPTION_UNSIGNED, /* uint64_t *, decimal or 0x… */
    OPTION_POSITIVE, /* double *, > 0, finite */
    OPTION_LEVEL,    /* enum level * */
    OPTION_SHARD,    /* struct shard * */
    OPTION_GATE, /* unsigned *: a list of reports/gate.h is added to it; `most`: the additions it may name */
    OPTION_BITS, /* unsigned *: `most` is added to it; no value */
    OPTION_BY,   /* bool *: "operator", not "family": what a table has a row of */
    OPTION_CHOICE, /* const char **, one of the words of `argument`: "text|json" */
    OPTION_COLOR   /* text_colour_when() is told; `to` is NULL */
};

struct shard {
    int index, count; /* 1 ≤ index ≤ count; count 0: no sharding */
};

struct option_row {
    char letter;      /* 0: none */
    const char *name; /* without "--" */
    enum option_type type;
    void *to;
    const char *argument; /* shown in --help and completed by its name (complete.h); NULL for a flag */
    const char *help;     /* one line; NULL hides the option */
    int64_t least, most;  /* OPTION_INTEGER; most 0: no upper limit */
};

struct command_help {
    const char *usage;               /* "assay run [GLOB…] [OPTION…]" */
    const char *about;               /* a paragraph or more */
    const char *examples;            /* lines, indented by two */
    const struct option_row *option; /* NULL name at the end */
};

enum options_outcome { OPTIONS_OK, OPTIONS_HELP, OPTIONS_WRONG };

/* Parses argv[1…]; what is no option goes to `words` (NULL: words are refused). Prints help to stdout or the
 * fault to stderr itself: a command returns 0 for HELP and EXIT_USAGE for WRONG. */
enum options_outcome options_parse(const struct command_help *help, int argc, char **argv,
                                   struct texts *words);

/* Whether --name stood in the command line that was parsed last, whatever its value. */
bool options_given(const char *name);

/* Refuses what would be ignored: the first of these names (NULL at the end) that was given is told with
 * `why`, as in "--show: goes with --format text". False when one was. */
bool options_refuse(const char *const *names, const char *why, struct error *error);

/* Whether `name` wants a value, with its row; NULL where there is no such option. */
const struct option_row *options_find(const struct option_row *rows, const char *word);
bool options_takes_value(const struct option_row *row);

/* Set, this is called with what a command has to say of itself, and the command ends as after --help: manual
 * and completion are made of the tables that the command line is read by. */
extern void (*options_instead)(const struct command_help *help, int argc, char **argv);

/* The usual row of --color; text.h says what it does. */
#define OPTIONS_COLOR                                                                                        \
    {                                                                                                        \
        0, "color", OPTION_COLOR, NULL, "auto|always|never",                                                 \
            "escape codes for colour; auto: on a terminal, as NO_COLOR, CLICOLOR_FORCE and TERM say", 0, 0   \
    }

/* Prints "assay: text" to stderr and returns EXIT_USAGE. */
int options_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
