/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/coverage.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3 };

static const struct coverage_item items[] = {
#define X(key, section, text) {#key, section, text},
#include "suites/items.def"
#undef X
};

enum { ITEMS = sizeof items / sizeof *items };

int coverage_items(void)
{
    return ITEMS;
}

const struct coverage_item *coverage_item(int index)
{
    return &items[index];
}

int coverage_find(const char *key, size_t length)
{
    for (int i = 0; i < ITEMS; i++) {
        if (strlen(items[i].key) == length && memcmp(items[i].key, key, length) == 0) {
            return i;
        }
    }
    return -1;
}

/* The next word of a list separated by spaces; NULL at the end. */
static const char *next_word(const char *text, size_t *length)
{
    text += strspn(text, " ");
    *length = strcspn(text, " ");
    return *length ? text : NULL;
}

const char *coverage_unknown(const struct suite_case *c)
{
    size_t length;
    for (const char *word = next_word(c->covers, &length); word; word = next_word(word + length, &length)) {
        if (coverage_find(word, length) < 0) {
            return word;
        }
    }
    return NULL;
}

struct answer {
    int count;
    int first[SHOWN]; /* indices of cases, each of another operator */
    int shown;
};

static void note(struct answer *answer, const struct suite_list *list, int index)
{
    answer->count++;
    const struct suite_case *c = suite_list_at(list, index);
    bool new_operator = true;
    for (int k = 0; k < answer->shown; k++) {
        new_operator = new_operator && suite_list_at(list, answer->first[k])->op != c->op;
    }
    if (answer->shown < SHOWN && new_operator) {
        answer->first[answer->shown++] = index;
    }
}

int suite_coverage_write(FILE *file, const struct suite_list *list)
{
    struct answer *answer = calloc(ITEMS, sizeof *answer);
    if (!answer) {
        return -1;
    }
    for (int i = 0; i < suite_list_count(list); i++) {
        size_t length;
        const char *covers = suite_list_at(list, i)->covers;
        for (const char *word = next_word(covers, &length); word; word = next_word(word + length, &length)) {
            int item = coverage_find(word, length);
            if (item >= 0) {
                note(&answer[item], list, i);
            }
        }
    }
    int uncovered = 0;
    fprintf(file, "| section | item | cases | for example |\n|---|---|---:|---|\n");
    for (int k = 0; k < ITEMS; k++) {
        fprintf(file, "| %s | %s | %d |", items[k].section, items[k].text, answer[k].count);
        for (int s = 0; s < answer[k].shown; s++) {
            fprintf(file, "%s `%s`", s ? "," : "", suite_list_id(list, answer[k].first[s]));
        }
        fprintf(file, answer[k].count ? " |\n" : " no case |\n");
        uncovered += answer[k].count == 0;
    }
    free(answer);
    for (int s = 0; suite_sets[s]; s++) {
        if (suite_sets[s]->coverage) {
            fprintf(file, "\n");
            const int gaps = suite_sets[s]->coverage(file, list);
            if (gaps < 0) {
                return -1;
            }
            uncovered += gaps;
        }
    }
    return uncovered;
}
