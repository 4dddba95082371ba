/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_MEMORY_COUNTED_H
#define ASSAY_REFERENCE_BASE_MEMORY_COUNTED_H

/* Replaces malloc and other allocating functions by versions that count their failures
 * (reference/base/memory.h). The Makefile includes this header before every source file of assay, so that no
 * call is forgotten.
 *
 * Counting is necessary because many functions continue after a failed allocation: a bound becomes infinite,
 * a cache stays empty, a text is left out. A verdict that rests on such a result is weaker than it claims,
 * and whoever publishes it must know. */

#include "reference/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h> /* musl declares calloc here again; this must come before the macros below */
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#ifdef __GLIBC__
#include <malloc.h> /* glibc declares the functions here again; this must come before the macros below */
#endif

static inline void *memory_counted(void *memory)
{
    if (!memory) {
        memory_note_shortage();
    }
    return memory;
}

/* Counts a shortage for functions that return a negative length when out of memory. */
static inline int memory_counted_length(int length)
{
    if (length < 0) {
        memory_note_shortage();
    }
    return length;
}

/* Counts a shortage for functions that return NULL for other reasons too: only ENOMEM counts. */
static inline void *memory_counted_handle(void *handle)
{
    if (!handle && errno == ENOMEM) {
        memory_note_shortage();
    }
    return handle;
}

/* getline returns −1 both at the end of the stream, which leaves errno unchanged, and when out of memory. */
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
