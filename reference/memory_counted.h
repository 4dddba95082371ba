/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_MEMORY_COUNTED_H
#define ASSAY_REFERENCE_MEMORY_COUNTED_H

/* Every allocation of assay's own sources that fails is counted (reference/memory.h): the Makefile includes
 * this header before each of them. Many functions live with a failed allocation: a bound becomes infinite, a
 * cache stays empty, a text is left out. Right as that is in each place, a verdict that rests on it is weaker
 * than it says, so whoever publishes the verdict has to know. Counted here, no such place can be forgotten,
 * nor one that is written later. */

#include "reference/memory.h"

#include <stdlib.h>
#include <string.h>
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

#undef strdup
#undef strndup
#define malloc(size)                   memory_counted((malloc)(size))
#define calloc(count, size)            memory_counted((calloc)(count, size))
#define realloc(memory, size)          memory_counted((realloc)(memory, size))
#define aligned_alloc(alignment, size) memory_counted((aligned_alloc)(alignment, size))
#define strdup(text)                   memory_counted((strdup)(text))
#define strndup(text, length)          memory_counted((strndup)(text, length))
#define open_memstream(text, size)     memory_counted((open_memstream)(text, size))
#define asprintf(...)                  memory_counted_length((asprintf)(__VA_ARGS__))
#define vasprintf(text, format, list)  memory_counted_length((vasprintf)(text, format, list))

#endif
