/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/memory.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic uint64_t shortages;

uint64_t memory_shortages(void)
{
    return atomic_load(&shortages);
}

void memory_note_shortage(void)
{
    atomic_fetch_add(&shortages, 1);
}

_Noreturn void memory_exit(void)
{
    static const char words[] = "assay: out of memory\n";
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    _exit(2);
}

void *memory_or_exit(size_t size)
{
    void *memory = malloc(size);
    memory = memory ? memory : malloc(size);
    if (!memory) {
        memory_exit();
    }
    return memory;
}

char *memory_text(const char *text)
{
    return text ? strdup(text) : NULL;
}

char *memory_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}

char *memory_stream_text(FILE *stream, char **text)
{
    bool good = stream && !ferror(stream);
    good = stream && fclose(stream) == 0 && good && *text;
    if (!good && stream) {
        free(*text);
        memory_note_shortage();
    }
    *text = good ? *text : NULL;
    return *text;
}
