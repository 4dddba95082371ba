/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/options/options.h"

#include "harness/host/nearest.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS_MAX = 1000000, GIVEN_MAX = 64 };

void (*options_instead)(const struct command_help *help, int argc, char **argv);

/* The options given, as names of rows, which outlive the parsing. A process parses one command line. */
static struct {
    int count;
    const char *name[GIVEN_MAX];
} given;

bool texts_add(struct texts *texts, const char *text)
{
    const char **grown = realloc(texts->text, ((size_t)texts->count + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    texts->text = grown;
    texts->text[texts->count++] = text;
    return true;
}

void texts_destroy(struct texts *texts)
{
    free(texts->text);
    *texts = (struct texts){.count = 0};
}

int options_fault(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
    }
    va_end(arguments);
    char *visible = utf8_visible(text); /* the text may hold names of files and words of other programs */
    fprintf(stderr, "assay: %s\n", visible && text ? visible : "out of memory");
    free(visible);
    free(text);
    return EXIT_USAGE;
}

static bool read_integer(const struct option_row *row, const char *text, struct error *error)
{
    char *end;
    errno = 0;
    long long x = strtoll(text, &end, 10);
    if (end == text || *end || errno || x < row->least || (row->most && x > row->most)) {
        if (row->most) {
            return error_set(error, "--%s %s: give a whole number from %lld to %lld", row->name, text,
                             (long long)row->least, (long long)row->most);
        }
        return error_set(error, "--%s %s: give a whole number, at least %lld", row->name, text,
                         (long long)row->least);
    }
    *(int64_t *)row->to = x;
    return true;
}

static bool read_unsigned(const struct option_row *row, const char *text, struct error *error)
{
    char *end;
    errno = 0;
    unsigned long long x = strtoull(text, &end, 0);
    if (end == text || *end || errno || strchr(text, '-')) {
        return error_set(error, "--%s %s: give a whole number, decimal or 0x…", row->name, text);
    }
    *(uint64_t *)row->to = x;
    return true;
}

static bool read_positive(const struct option_row *row, const char *text, struct error *error)
{
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end || !isfinite(x) || x <= 0) {
        return error_set(error, "--%s %s: give a number greater than 0", row->name, text);
    }
    *(double *)row->to = x;
    return true;
}

static bool read_level(const struct option_row *row, const char *text, struct error *error)
{
    if (level_from_name(text, row->to)) {
        return true;
    }
    struct nearest nearest = {.word = text};
    for (int l = 0; l < LEVEL_COUNT; l++) {
        nearest_offer(&nearest, level_name((enum level)l));
    }
    return error_set(error, "unknown level \"%s\"; %s%s%s", text, nearest.best ? "did you mean " : "give ",
                     nearest.best ? nearest.best : "smoke, standard or exhaustive", nearest.best ? "?" : "");
}

static bool read_shard(const struct option_row *row, const char *text, struct error *error)
{
    char *slash = NULL, *end = NULL;
    errno = 0;
    long index = strtol(text, &slash, 10);
    long count = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
    bool digits = text[0] >= '0' && text[0] <= '9' && *slash == '/' && slash[1] >= '0' && slash[1] <= '9';
    if (!digits || *end || errno || index < 1 || index > count || count > SHARDS_MAX) {
        return error_set(error, "--%s %s: give K/N with 1 <= K <= N <= %d, for instance 2/4", row->name, text,
                         SHARDS_MAX);
    }
    *(struct shard *)row->to = (struct shard){(int)index, (int)count};
    return true;
}

static bool read_by(const struct option_row *row, const char *text, struct error *error)
{
    bool *by_operator = row->to;
    *by_operator = strcmp(text, "operator") == 0;
    return *by_operator || strcmp(text, "family") == 0 ||
           error_set(error, "--%s %s: give family or operator", row->name, text);
}

/* Reads one of the words of "text|json". The error message lists all of them. */
static bool read_choice(const struct option_row *row, const char *text, const char **to, struct error *error)
{
    char words[160], list[200] = "";
    size_t used = 0;
    struct nearest nearest = {.word = text};
    *to = text;
    snprintf(words, sizeof words, "%s", row->argument);
    char *rest = words, *word;
    while ((word = strsep(&rest, "|"))) {
        if (strcmp(word, text) == 0) {
            return true;
        }
        nearest_offer(&nearest, word);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 !used  ? ""
                                 : rest ? ", "
                                        : " or ",
                                 word);
    }
    if (nearest.best) {
        return error_set(error, "--%s %s: did you mean %s? Give %s", row->name, text, nearest.best, list);
    }
    return error_set(error, "--%s %s: give %s", row->name, text, list);
}

static bool read_color(const struct option_row *row, const char *text, struct error *error)
{
    const char *when;
    if (!read_choice(row, text, &when, error)) {
        return false;
    }
    text_colour_when(strcmp(when, "always") == 0  ? COLOUR_ALWAYS
                     : strcmp(when, "never") == 0 ? COLOUR_NEVER
                                                  : COLOUR_AUTO);
    return true;
}

bool options_takes_value(const struct option_row *row)
{
    return row->type != OPTION_FLAG && row->type != OPTION_BITS;
}

bool options_given(const char *name)
{
    for (int g = 0; g < given.count; g++) {
        if (strcmp(given.name[g], name) == 0) {
            return true;
        }
    }
    return false;
}

bool options_refuse(const char *const *names, const char *why, struct error *error)
{
    for (; *names; names++) {
        if (options_given(*names)) {
            return error_set(error, "--%s: %s", *names, why);
        }
    }
    return true;
}

static bool read_value(const struct option_row *row, const char *text, struct error *error)
{
    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)row->to = true;
        return true;
    case OPTION_TEXT:
        *(const char **)row->to = text;
        return true;
    case OPTION_PATH:
        *(const char **)row->to = text;
        return text[0] ||
               error_set(error, "--%s: the path is empty; give --%s %s", row->name, row->name, row->argument);
    case OPTION_TEXTS:
        return texts_add(row->to, text) || error_set(error, "out of memory");
    case OPTION_INTEGER:
        return read_integer(row, text, error);
    case OPTION_UNSIGNED:
        return read_unsigned(row, text, error);
    case OPTION_POSITIVE:
        return read_positive(row, text, error);
    case OPTION_LEVEL:
        return read_level(row, text, error);
    case OPTION_SHARD:
        return read_shard(row, text, error);
    case OPTION_GATE:
        return gate_parse(text, (unsigned)row->most, row->to, error);
    case OPTION_BITS:
        *(unsigned *)row->to |= (unsigned)row->most;
        return true;
    case OPTION_BY:
        return read_by(row, text, error);
    case OPTION_CHOICE:
        return read_choice(row, text, row->to, error);
    case OPTION_COLOR:
        return read_color(row, text, error);
    }
    return false;
}

/* Returns the row of this name if `is_long`, else the row of this letter; NULL if there is none. */
static const struct option_row *row_of(const struct option_row *row, const char *name, bool is_long)
{
    for (; row->name; row++) {
        if (is_long ? strcmp(name, row->name) == 0 : row->letter && name[0] == row->letter && !name[1]) {
            return row;
        }
    }
    return NULL;
}

const struct option_row *options_find(const struct option_row *rows, const char *word)
{
    bool is_long = word[0] == '-' && word[1] == '-';
    return word[0] == '-' && word[1] ? row_of(rows, word + (is_long ? 2 : 1), is_long) : NULL;
}

/* Returns the row of "--name…" or "-n". `length`: of the name without "=value". */
static const struct option_row *find(const struct option_row *row, const char *word, size_t length,
                                     struct error *error)
{
    static char typed[64],
        best[66]; /* static: the nearest name must outlive the loop; the parser runs once per process */
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    struct nearest nearest = {.word = typed};
    const struct option_row *found = row_of(row, typed, is_long);
    if (found) {
        return found;
    }
    for (; row->name; row++) {
        if (row->help) {
            nearest_offer(&nearest, row->name);
        }
    }
    nearest_offer(&nearest, "help");
    if (nearest.best && strlen(typed) > 1) {
        snprintf(best, sizeof best, "; did you mean --%s?", nearest.best);
    } else {
        snprintf(best, sizeof best, "; --help lists the options");
    }
    error_set(error, "unknown option \"%.*s\"%s", (int)length + (is_long ? 2 : 1), word, best);
    return NULL;
}

/* Prints the text with a hanging indent, wrapped at 80 columns. UTF-8 continuation bytes take no column. */
static void print_wrapped(const char *text, int indent)
{
    int column = indent;
    while (*text) {
        size_t word = strcspn(text, " ");
        int width = 0;
        for (size_t i = 0; i < word; i++) {
            width += ((unsigned char)text[i] & 0xC0) != 0x80;
        }
        if (column > indent && column + 1 + width > 80) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word, text);
        column += width;
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_help(const struct command_help *help)
{
    printf("usage: %s\n\n%s\n\noptions:\n", help->usage, help->about);
    for (const struct option_row *row = help->option; row->name; row++) {
        if (!row->help) {
            continue;
        }
        char left[64];
        char letter[] = {'-', row->letter, ',', ' ', 0};
        int used = snprintf(left, sizeof left, "  %s--%s%s%s", row->letter ? letter : "    ", row->name,
                            row->argument ? " " : "", row->argument ? row->argument : "");
        fputs(left, stdout);
        if (used > 27) {
            printf("\n%*s", 28, "");
        } else {
            printf("%*s", 28 - used, "");
        }
        print_wrapped(row->help, 28);
    }
    printf("      --help                this text\n");
    if (help->examples) {
        printf("\nexamples:\n%s\n", help->examples);
    }
}

static enum options_outcome wrong(const struct command_help *help, const char *text)
{
    options_fault("%s", text);
    fprintf(stderr, "usage: %s\n", help->usage);
    return OPTIONS_WRONG;
}

enum options_outcome options_parse(const struct command_help *help, int argc, char **argv,
                                   struct texts *words)
{
    struct error error = {.text = ""};
    bool ended = false;
    given.count = 0;
    if (options_instead) {
        options_instead(help, argc, argv);
        return OPTIONS_HELP;
    }
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (ended || word[0] != '-' || !word[1]) {
            if (!words) {
                error_set(&error, "\"%s\": this command takes options only", word);
                return wrong(help, error.text);
            }
            if (!texts_add(words, word)) {
                return wrong(help, "out of memory");
            }
            continue;
        }
        if (strcmp(word, "--") == 0) {
            ended = true;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(help);
            return OPTIONS_HELP;
        }
        const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
        size_t length = (equals ? (size_t)(equals - word) : strlen(word)) - (word[1] == '-' ? 2 : 1);
        const struct option_row *row = find(help->option, word, length, &error);
        if (!row) {
            return wrong(help, error.text);
        }
        const char *value = equals ? equals + 1 : NULL;
        if (!options_takes_value(row) && value) {
            error_set(&error, "--%s takes no value", row->name);
            return wrong(help, error.text);
        }
        if (options_takes_value(row) && !value && ++i >= argc) {
            error_set(&error, "--%s needs a value: --%s %s", row->name, row->name, row->argument);
            return wrong(help, error.text);
        }
        if (!read_value(row, value ? value : argv[i], &error)) {
            return wrong(help, error.text);
        }
        if (!options_given(row->name) && given.count < GIVEN_MAX) {
            given.name[given.count++] = row->name;
        }
    }
    return OPTIONS_OK;
}
