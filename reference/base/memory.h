/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_MEMORY_H
#define ASSAY_REFERENCE_BASE_MEMORY_H

/* Counts failed allocations, and allocates for callers that cannot report a failure.
 *
 * Many callers survive a failed allocation with a weaker result: a record lacks a text, a bound becomes
 * infinite, a report is cut short. Whoever publishes a result therefore checks whether memory_shortages()
 * rose since the work on it began; if so, the result is an error and not a pass. Failed allocations in
 * assay's own sources are counted automatically (reference/base/memory_counted.h). Any thread may call these
 * functions. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* memory_shortages returns how many failed allocations this process has counted so far; memory_note_shortage
 * counts one more. */
uint64_t memory_shortages(void);
void memory_note_shortage(void);

/* Prints on standard error that the process is out of memory and exits with status 2. For places that have no
 * other way to fail. */
_Noreturn void memory_exit(void);

/* malloc for libraries that lose data or crash when it fails (jansson 2.14 drops characters of a text). After
 * a failure, which is counted, it tries once more and then calls memory_exit. Never returns NULL. */
void *memory_or_exit(size_t size);

/* Returns a copy of the text, owned by the caller; NULL for NULL, and NULL when out of memory. */
char *memory_text(const char *text);

/* Formats a text as sprintf does and returns it, owned by the caller. NULL when out of memory. */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Closes a stream of open_memstream and returns its text, which the caller owns. `text` is the pointer that
 * was passed to open_memstream. Returns NULL if the stream ran out of memory and its text is cut short, which
 * is counted; also returns NULL if `stream` is NULL because open_memstream failed. */
char *memory_stream_text(FILE *stream, char **text);

#endif
