/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Each thread has one memory, as large as its largest workspace needs; the workspace that claimed it last
 * owns it. Otherwise a hundred formulas would hold some hundred KiB each, and the columns of a block would be
 * in no cache. */

#include "reference/formula/expression_workspace.h"

#include <pthread.h>
#include <stdlib.h>

enum { COLUMNS = 8 + EXPRESSION_KINDS };

struct room {
    double *memory;
    size_t numbers; /* the size of `memory` */
    double *terms;
    int64_t terms_count;
    const struct expression_workspace *owner; /* the workspace whose columns it holds; NULL: none */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void release(void *user)
{
    struct room *room = user;
    free(room->memory);
    free(room->terms);
    free(room);
}

static void make_key(void)
{
    pthread_key_create(&key, release);
}

static struct room *room_of_thread(void)
{
    pthread_once(&once, make_key);
    return pthread_getspecific(key);
}

static size_t numbers_of(const struct expression *e)
{
    size_t nodes = (size_t)e->nodes, column = nodes * EXPRESSION_BLOCK, classes = EXPRESSION_CLASSES;
    return COLUMNS * column + nodes * (1 + classes + 2 * nodes) + classes * EXPRESSION_BLOCK +
           (column + sizeof(double) - 1) / sizeof(double);
}

/* Enlarges this thread's memory for such a workspace if necessary. Returns false when out of memory. */
static bool make_room(const struct expression *e)
{
    struct room *room = room_of_thread();
    if (!room) {
        room = calloc(1, sizeof *room);
        if (!room || pthread_setspecific(key, room) != 0) {
            free(room);
            return false;
        }
    }
    size_t numbers = numbers_of(e);
    if (room->numbers < numbers) {
        free(room->memory);
        room->memory = calloc(numbers, sizeof *room->memory);
        room->numbers = room->memory ? numbers : 0;
        room->owner = NULL;
    }
    return room->numbers >= numbers;
}

struct expression_workspace *expression_workspace_create(const struct expression *e)
{
    struct expression_workspace *w = make_room(e) ? calloc(1, sizeof *w) : NULL;
    if (w) {
        w->e = e;
    }
    return w;
}

void expression_workspace_destroy(struct expression_workspace **workspace)
{
    struct room *room = room_of_thread();
    if (room && room->owner == *workspace) {
        room->owner = NULL;
    }
    free(*workspace);
    *workspace = NULL;
}

void workspace_claim(struct expression_workspace *w)
{
    struct room *room = room_of_thread();
    if (room->owner == w) {
        return;
    }
    const struct expression *e = w->e;
    size_t nodes = (size_t)e->nodes, column = nodes * EXPRESSION_BLOCK, classes = EXPRESSION_CLASSES;
    double **const at[] = {&w->value, &w->radius, &w->low, &w->high, &w->least,
                           &w->most,  &w->down,   &w->up,  &w->error};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        *at[k] = room->memory + k * column;
    }
    w->absolute = room->memory + COLUMNS * column;
    w->total = w->absolute + nodes;
    w->slope_low = w->total + nodes * classes;
    w->slope_high = w->slope_low + nodes * nodes;
    w->sink = w->slope_high + nodes * nodes;
    w->escaped = (unsigned char *)(w->sink + classes * EXPRESSION_BLOCK);
    w->held = 0;
    room->owner = w;
}

double *workspace_terms(int64_t n)
{
    struct room *room = room_of_thread();
    if (room->terms_count < n) {
        free(room->terms);
        room->terms = malloc((size_t)n * sizeof *room->terms);
        room->terms_count = room->terms ? n : 0;
    }
    return room->terms_count >= n ? room->terms : NULL;
}
