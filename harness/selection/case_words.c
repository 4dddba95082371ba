/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/case_words.h"

#include "reference/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Takes over both texts. */
static bool add(struct case_words *words, char *text, char *origin)
{
    size_t room = (size_t)words->count + 1;
    char **texts = realloc(words->text, room * sizeof *texts);
    words->text = texts ? texts : words->text;
    char **origins = texts ? realloc(words->origin, room * sizeof *origins) : NULL;
    words->origin = origins ? origins : words->origin;
    if (!text || !origins) {
        free(text);
        free(origin);
        return false;
    }
    words->text[words->count] = text;
    words->origin[words->count++] = origin;
    return true;
}

bool case_words_add(struct case_words *words, const char *text)
{
    return add(words, memory_text(text), NULL);
}

/* The line without blanks around it; NULL for a blank line and a comment. */
static char *word_of(char *line)
{
    char *word = line + strspn(line, " \t\r\n");
    size_t length = strlen(word);
    while (length && strchr(" \t\r\n", word[length - 1])) {
        word[--length] = 0;
    }
    return *word && *word != '#' ? word : NULL;
}

static bool read_lines(FILE *file, const char *path, struct case_words *words, struct error *error)
{
    char *line = NULL;
    size_t size = 0;
    int number = 0, before = words->count;
    bool good = true;
    while (good && getline(&line, &size, file) >= 0) {
        const char *word = word_of(line);
        number++;
        if (word && *word == '{') {
            good =
                error_set(error,
                          "%s:%d: this is a line of JSON, and a file of case ids is expected; to go on with "
                          "an interrupted run, give --resume %s",
                          path, number, path);
        } else if (word) {
            char *origin = memory_format("%s:%d", path, number);
            good = (origin && add(words, memory_text(word), origin)) || error_set(error, "out of memory");
        }
    }
    if (good && ferror(file)) {
        good = error_set(error, "cannot read %s: %s", path, strerror(errno));
    }
    free(line);
    return good && (words->count > before ||
                    error_set(error, "%s names no case: write one case id or glob a line", path));
}

static bool read_file(const char *path, struct case_words *words, struct error *error)
{
    if (strcmp(path, "-") == 0) {
        return read_lines(stdin, "standard input", words, error);
    }
    FILE *file = fopen(path, "r");
    if (!file) {
        return error_set(error, "cannot read the case ids of @%s: %s", path, strerror(errno));
    }
    bool good = read_lines(file, path, words, error);
    fclose(file);
    return good;
}

bool case_words_expand(const struct texts *texts, struct case_words *words, struct error *error)
{
    *words = (struct case_words){.count = 0};
    bool good = true;
    for (int t = 0; good && t < texts->count; t++) {
        const char *text = texts->text[t];
        good = *text == '@' ? read_file(text + 1, words, error)
                            : add(words, memory_text(text), NULL) || error_set(error, "out of memory");
    }
    if (!good) {
        case_words_destroy(words);
    }
    return good;
}

void case_words_destroy(struct case_words *words)
{
    for (int w = 0; w < words->count; w++) {
        free(words->text[w]);
        free(words->origin[w]);
    }
    free(words->text);
    free(words->origin);
    *words = (struct case_words){.count = 0};
}
