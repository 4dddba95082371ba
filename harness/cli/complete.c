/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/complete.h"

#include "harness/backends/backends.h"
#include "reference/operator/op.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct typed *complete_typed;

/* Length of the part of the last word that every candidate keeps, such as "--level=" or "flake,". */
static int kept;

static const char *last(const struct typed *typed)
{
    return typed->word[typed->count - 1];
}

bool typed_read(struct typed *typed, const char *line)
{
    size_t length = strlen(line);
    *typed = (struct typed){.text = malloc(length + 1), .word = calloc(length + 3, sizeof *typed->word)};
    char *to = typed->text, quote = 0;
    if (!to || !typed->word) {
        typed_destroy(typed);
        return false;
    }
    bool inside = false; /* inside a word */
    for (; *line; line++) {
        if (!quote && isspace((unsigned char)*line)) {
            *to = 0;
            to += inside;
            inside = false;
            continue;
        }
        if (!inside) {
            typed->word[typed->count++] = to;
            inside = true;
        }
        if (quote ? *line == quote : *line == '\'' || *line == '"') {
            quote = quote ? 0 : *line;
        } else {
            line += *line == '\\' && quote != '\'' && line[1];
            *to++ = *line;
        }
    }
    *to = 0;
    if (!inside) {
        typed->word[typed->count++] = to;
    }
    if (typed->count < 2) {
        typed_destroy(typed);
        return false;
    }
    return true;
}

void typed_destroy(struct typed *typed)
{
    free(typed->word);
    free(typed->text);
    *typed = (struct typed){.count = 0};
}

void complete_begin(const struct typed *typed, enum complete_kind kind)
{
    static const char *const names[] = {"words", "files", "directories"};
    printf("%s\n%s\n%s\n", names[kind], last(typed) + kept, last(typed));
}

/* Prints the first `length` bytes of a candidate if it begins with the typed text. */
static void offer(const struct typed *typed, const char *candidate, size_t length)
{
    const char *begun = last(typed) + kept;
    size_t typing = strlen(begun);
    if (typing <= length && strncmp(begun, candidate, typing) == 0) {
        printf("%.*s%.*s\n", kept, last(typed), (int)length, candidate);
    }
}

void complete_offer(const struct typed *typed, const char *candidate)
{
    offer(typed, candidate, strlen(candidate));
}

static void offer_levels(const struct typed *typed)
{
    for (int l = 0; l < LEVEL_COUNT; l++) {
        complete_offer(typed, level_name((enum level)l));
    }
}

static void offer_dtypes(const struct typed *typed)
{
    for (int d = 0; d < DTYPE_COUNT; d++) {
        complete_offer(typed, dtype_info((enum dtype)d)->name);
    }
}

static void offer_operators(const struct typed *typed)
{
    for (int o = 0; op_at(o); o++) {
        complete_offer(typed, op_at(o)->name);
    }
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Collects the ids that begin with `begun`, each up to the end of its next part, sorted and without
 * repetitions. Returns their number. The texts are owned by the caller. */
static int parts_behind(const struct suite_list *list, const char *begun, char **part)
{
    size_t typing = strlen(begun);
    int count = suite_list_count(list), found = 0, kinds = 0;
    for (int i = 0; i < count; i++) {
        const char *id = suite_list_id(list, i);
        if (strncmp(id, begun, typing) == 0) {
            size_t length = typing + strcspn(id + typing, "/");
            part[found] = strndup(id, length + (id[length] == '/'));
            found += part[found] != NULL;
        }
    }
    qsort(part, (size_t)found, sizeof *part, compare_texts);
    for (int i = 0; i < found; i++) {
        if (kinds > 0 && strcmp(part[kinds - 1], part[i]) == 0) {
            free(part[i]);
        } else {
            part[kinds++] = part[i];
        }
    }
    return kinds;
}

/* Completes ids one part at a time, like paths, because there are tens of thousands. A part that is the only
 * match is followed by the next part at once, because bash would close an open quote after it. */
static void offer_ids(const struct typed *typed)
{
    struct suite_list *list = suite_list_create();
    char **part = list ? calloc((size_t)suite_list_count(list) + 1, sizeof *part) : NULL;
    int found = part ? parts_behind(list, last(typed) + kept, part) : 0;
    while (found == 1 && part[0][strlen(part[0]) - 1] == '/') {
        char *only = part[0];
        found = parts_behind(list, only, part);
        free(only);
    }
    for (int i = 0; i < found; i++) {
        complete_offer(typed, part[i]);
        free(part[i]);
    }
    free(part);
    suite_list_destroy(&list);
}

/* Offers the selectors in the help of each backend: "jax, jax:cpu, jax:gpu or jax:tpu, …". A selector in
 * capitals stands for any text. */
static void offer_backends(const struct typed *typed)
{
    for (int b = 0; backends_at(b); b++) {
        const char *name = backends_at(b)->name, *word = backends_at(b)->help;
        size_t length = strlen(name);
        for (; *word; word += strcspn(word, " ,"), word += strspn(word, " ,")) {
            if (strncmp(word, name, length) == 0 && word[length] == ':') {
                bool any = isupper((unsigned char)word[length + 1]);
                offer(typed, word, any ? length + 1 : strcspn(word, " ,"));
            }
        }
        if (strcmp(name, "exec") != 0) { /* exec needs its command */
            complete_offer(typed, name);
        }
    }
}

static void offer_choices(const struct typed *typed, const char *choices, size_t length)
{
    for (const char *end = choices + length; choices < end; choices++) {
        size_t word = strcspn(choices, "|"), left = (size_t)(end - choices);
        word = word > left ? left : word;
        offer(typed, choices, word);
        choices += word;
    }
}

/* Offers the gate additions that the list does not have yet, after its last comma. */
static void offer_gate(const struct typed *typed, unsigned known)
{
    const char *begun = last(typed) + kept, *comma = strrchr(begun, ',');
    unsigned named = 0;
    struct error error;
    char list[200];
    int whole = comma ? (int)(comma - begun) : 0;
    snprintf(list, sizeof list, "%.*s", whole, begun);
    bool good = !comma || gate_parse(list, known, &named, &error);
    kept += comma ? whole + 1 : 0;
    complete_begin(typed, COMPLETE_WORDS);
    for (int g = 0; good && gate_name(g, known); g++) {
        unsigned one = 0;
        if (gate_parse(gate_name(g, known), known, &one, &error) && !(one & named)) {
            complete_offer(typed, gate_name(g, known));
        }
    }
}

/* True after "exec:", where the name of a program follows. */
static bool is_program(const struct typed *typed)
{
    bool program = strncmp(last(typed) + kept, "exec:", 5) == 0;
    kept += program ? 5 : 0;
    return program;
}

static bool is(const char *argument, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(argument, name, length) == 0;
}

static bool ends(const char *argument, size_t length, const char *end)
{
    return strlen(end) <= length && strncmp(argument + length - strlen(end), end, strlen(end)) == 0;
}

/* Offers the values of an argument according to its name. Numbers and free names have none. */
static void offer_argument(const struct typed *typed, const char *argument, size_t length)
{
    bool backend =
        is(argument, length, "B") || is(argument, length, "BACKEND") || is(argument, length, "exec:COMMAND");
    if (is(argument, length, "DIR")) {
        complete_begin(typed, COMPLETE_DIRECTORIES);
    } else if (is(argument, length, "FILE") || ends(argument, length, ".jsonl") ||
               ends(argument, length, ".npy") || (backend && is_program(typed))) {
        complete_begin(typed, COMPLETE_FILES);
    } else {
        complete_begin(typed, COMPLETE_WORDS);
    }
    bool glob = is(argument, length, "GLOB");
    if (backend) {
        offer_backends(typed);
    } else if (is(argument, length, "L")) {
        offer_levels(typed);
    } else if (is(argument, length, "D")) {
        offer_dtypes(typed);
    } else if (is(argument, length, "OP") || is(argument, length, "OPERATOR")) {
        offer_operators(typed);
    } else if (glob || is(argument, length, "CASE") || is(argument, length, "CASE-ID")) {
        offer_ids(typed);
    } else if (memchr(argument, '|', length)) {
        offer_choices(typed, argument, length);
    }
    if (glob) {
        offer_operators(typed);
        offer_dtypes(typed);
    }
}

static void offer_value(const struct typed *typed, const struct option_row *row)
{
    if (row->type == OPTION_GATE) {
        offer_gate(typed, (unsigned)row->most);
    } else {
        offer_argument(typed, row->argument, strlen(row->argument));
    }
}

static void offer_options(const struct typed *typed, const struct option_row *row)
{
    char name[80];
    complete_begin(typed, COMPLETE_WORDS);
    for (; row->name; row++) {
        snprintf(name, sizeof name, "--%s", row->name);
        if (row->help) {
            complete_offer(typed, name);
        }
    }
    complete_offer(typed, "--help");
}

/* Offers what the usage line, such as "assay bench reference|kernels [GLOB…] [OPTION…]", names at this place
 * before its first option. A word that ends in "…" is valid at all later places. */
static void offer_place(const struct typed *typed, const char *usage, int place)
{
    const char *argument = NULL;
    size_t length = 0;
    usage += strcspn(usage, " ");
    usage += strspn(usage, " ");
    for (int at = 0;; at++) {
        usage += strcspn(usage, " ");
        usage += strspn(usage, " ");
        const char *word = usage + (*usage == '[');
        size_t size = strcspn(word, " ]");
        if (!size || *word == '-' || *word == '|' || strncasecmp(word, "option", 6) == 0 || *word == '(') {
            break;
        }
        bool on = ends(word, size, "…");
        argument = word;
        length = size - (on ? strlen("…") : 0);
        if (at == place || on) {
            offer_argument(typed, argument, length);
            return;
        }
    }
    complete_begin(typed, COMPLETE_WORDS);
}

void complete_command(const struct command_help *help, int argc, char **argv)
{
    const struct option_row *row = NULL; /* the option whose value comes next */
    int place = 0;
    bool ended = false;
    for (int i = 1; i < argc - 1; i++) {
        bool value = row != NULL;
        row = value || ended ? NULL : options_find(help->option, argv[i]);
        row = row && options_takes_value(row) ? row : NULL;
        ended = ended || (!value && strcmp(argv[i], "--") == 0);
        place += !value && (ended ? strcmp(argv[i], "--") != 0 : argv[i][0] != '-');
    }
    char *word = argv[argc - 1], *equals = strchr(word, '='), name[64];
    kept = 0;
    if (row) {
        offer_value(complete_typed, row);
        return;
    }
    if (!ended && equals && strncmp(word, "--", 2) == 0) {
        snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
        row = options_find(help->option, name);
        kept = (int)(equals - word) + 1;
        if (row && options_takes_value(row)) {
            offer_value(complete_typed, row);
        } else {
            complete_begin(complete_typed, COMPLETE_WORDS);
        }
    } else if (!ended && word[0] == '-') {
        offer_options(complete_typed, help->option);
    } else {
        offer_place(complete_typed, help->usage, place);
    }
}
