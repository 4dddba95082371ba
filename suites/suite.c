/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#define XXH_STATIC_LINKING_ONLY /* for an XXH64 state on the stack */
#include "suites/suite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct suite_list {
    int count, room;
    struct suite_case *item;
    char **id;
    int kept;
    void **keep;
    bool failed; /* out of memory while declaring */
};

static const char *const level_names[] = {"smoke", "standard", "exhaustive"};

const char *level_name(enum level level)
{
    return level_names[level];
}

enum level level_beyond_float32(enum level level, enum dtype dtype)
{
    return level == LEVEL_SMOKE && dtype != DTYPE_FLOAT32 ? LEVEL_STANDARD : level;
}

enum level level_beyond_float16_32(enum level level, enum dtype dtype)
{
    bool rarer = dtype == DTYPE_BFLOAT16 || dtype == DTYPE_FLOAT64;
    return level == LEVEL_SMOKE && rarer ? LEVEL_STANDARD : level;
}

bool level_from_name(const char *name, enum level *level)
{
    for (int l = 0; l < LEVEL_COUNT; l++) {
        if (strcmp(name, level_names[l]) == 0) {
            *level = (enum level)l;
            return true;
        }
    }
    return false;
}

enum { ID_PARTS = 7 };

/* Stores the parts of an id with the slashes between them. */
static void id_parts(const struct suite_case *c, const char *part[ID_PARTS])
{
    const char *const parts[ID_PARTS] = {c->family ? c->family : c->op->family,
                                         "/",
                                         c->op->name,
                                         "/",
                                         dtype_info(c->dtype)->name,
                                         "/",
                                         c->name};
    memcpy(part, parts, sizeof parts);
}

/* Returns the id, which the caller frees; NULL when out of memory. */
static char *id_of(const struct suite_case *c)
{
    const char *part[ID_PARTS];
    size_t size = 1;
    id_parts(c, part);
    for (int p = 0; p < ID_PARTS; p++) {
        size += strlen(part[p]);
    }
    char *id = malloc(size), *end = id;
    for (int p = 0; id && p < ID_PARTS; p++) {
        end = stpcpy(end, part[p]);
    }
    return id;
}

static bool grow(struct suite_list *list)
{
    if (list->count < list->room) {
        return true;
    }
    int room = list->room ? 2 * list->room : 256;
    struct suite_case *item = realloc(list->item, (size_t)room * sizeof *item);
    if (item) {
        list->item = item;
    }
    char **id = realloc(list->id, (size_t)room * sizeof *id);
    if (id) {
        list->id = id;
    }
    if (!item || !id) {
        return false;
    }
    list->room = room;
    return true;
}

void suite_declare(struct suite_list *list, const struct suite_case *c)
{
    char *text = id_of(c);
    if (!text || !grow(list)) {
        free(text);
        list->failed = true;
        return;
    }
    struct suite_case copy = *c;
    copy.name = strrchr(text, '/') + 1; /* names hold no slash */
    list->item[list->count] = copy;
    list->id[list->count++] = text;
}

void suite_declare_named(struct suite_list *list, const struct suite_case *c, const char *format, ...)
{
    char *name = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&name, format, arguments);
    va_end(arguments);
    if (length < 0) {
        list->failed = true;
        return;
    }
    struct suite_case named = *c;
    named.name = name;
    suite_declare(list, &named);
    free(name);
}

void suite_fail(struct suite_list *list)
{
    list->failed = true;
}

bool suite_keep(struct suite_list *list, void *memory)
{
    /* the array is full: its size is `kept`, a power of two or 0 */
    if ((list->kept & (list->kept - 1)) == 0) {
        void **keep = realloc(list->keep, (size_t)(list->kept ? 2 * list->kept : 1) * sizeof *keep);
        if (!keep) {
            free(memory);
            list->failed = true;
            return false;
        }
        list->keep = keep;
    }
    list->keep[list->kept++] = memory;
    return true;
}

void suite_list_drop(struct suite_list *list, int index)
{
    size_t after = (size_t)(list->count - index - 1);
    free(list->id[index]);
    memmove(&list->id[index], &list->id[index + 1], after * sizeof *list->id);
    memmove(&list->item[index], &list->item[index + 1], after * sizeof *list->item);
    list->count--;
}

struct suite_list *suite_list_create(void)
{
    struct suite_list *list = calloc(1, sizeof *list);
    for (int s = 0; list && suite_sets[s]; s++) {
        suite_sets[s]->declare(list);
    }
    if (list && list->failed) {
        suite_list_destroy(&list);
    }
    return list;
}

void suite_list_destroy(struct suite_list **list)
{
    if (!*list) {
        return;
    }
    for (int i = 0; i < (*list)->count; i++) {
        free((*list)->id[i]);
    }
    for (int k = 0; k < (*list)->kept; k++) {
        free((*list)->keep[k]);
    }
    free((*list)->keep);
    free((*list)->id);
    free((*list)->item);
    free(*list);
    *list = NULL;
}

int suite_list_count(const struct suite_list *list)
{
    return list->count;
}

const struct suite_case *suite_list_at(const struct suite_list *list, int index)
{
    return &list->item[index];
}

const char *suite_list_id(const struct suite_list *list, int index)
{
    return list->id[index];
}

int suite_list_find(const struct suite_list *list, const char *id)
{
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->id[i], id) == 0) {
            return i;
        }
    }
    return -1;
}

void suite_generator(struct philox *generator, uint64_t seed, const struct suite_case *c, int tensor)
{
    const char *part[ID_PARTS];
    XXH64_state_t id;
    /* an odd factor: another key for each tensor */
    XXH64_reset(&id, seed + 0x9E3779B97F4A7C15U * (uint64_t)(tensor + 1));
    id_parts(c, part);
    for (int p = 0; p < ID_PARTS; p++) {
        XXH64_update(&id, part[p], strlen(part[p]));
    }
    philox_start(generator, XXH64_digest(&id));
}
