/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_MEMORY_COUNTED_H
#define ASSAY_REFERENCE_BASE_MEMORY_COUNTED_H

/* Every allocation of assay's own sources that fails is counted (reference/base/memory.h): the Makefile includes
 * this header before each of them. Many functions live with a failed allocation: a bound becomes infinite, a
 * cache stays empty, a text is left out. Right as that is in each place, a verdict that rests on it is weaker
 * than it says, so whoever publishes the verdict has to know. Counted here, no such place can be forgotten,
 * nor one that is written later. */

#include "reference/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h> /* of musl: declares calloc once more, before the names are replaced */
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#ifdef __GLIBC__
#include <malloc.h> /* which declares them once more, before the names are replaced */
#endif

static inline void *memory_counted(void *memory)
{
    if (!memory) {
        memory_note_shortage();
    }
    return memory;
}

/* Of a function that returns a negative number where it has no memory. */
static inline int memory_counted_length(int length)
{
    if (length < 0) {
        memory_note_shortage();
    }
    return length;
}

/* Of functions that allocate and may fail for other reasons too: only the want of memory is counted. */
static inline void *memory_counted_handle(void *handle)
{
    if (!handle && errno == ENOMEM) {
        memory_note_shortage();
    }
    return handle;
}

/* The end of a stream leaves errno as it is. */
static inline ssize_t memory_counted_getline(char **line, size_t *size, FILE *stream)
{
    errno = 0;
    ssize_t length = getline(line, size, stream);
    if (length < 0 && errno == ENOMEM) {
        memory_note_shortage();
    }
    return length;
}

#undef strdup
#undef strndup
#define malloc(size)                   memory_counted((malloc)(size))
#define calloc(count, size)            memory_counted((calloc)(count, size))
#define realloc(memory, size)          memory_counted((realloc)(memory, size))
#define aligned_alloc(alignment, size) memory_counted((aligned_alloc)(alignment, size))
#define strdup(text)                   memory_counted((strdup)(text))
#define strndup(text, length)          memory_counted((strndup)(text, length))
#define open_memstream(text, size)     memory_counted((open_memstream)(text, size))
#define fopen(path, mode)              memory_counted_handle((fopen)(path, mode))
#define fdopen(file, mode)             memory_counted_handle((fdopen)(file, mode))
#define opendir(path)                  memory_counted_handle((opendir)(path))
#define getline(line, size, stream)    memory_counted_getline(line, size, stream)
#define asprintf(...)                  memory_counted_length((asprintf)(__VA_ARGS__))
#define vasprintf(text, format, list)  memory_counted_length((vasprintf)(text, format, list))

#endif
