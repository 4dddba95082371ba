/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_MEMORY_H
#define ASSAY_REFERENCE_BASE_MEMORY_H

/* Shortages of memory are counted, for not every caller notices one: a text of a record that could not be
 * copied, a bound that became infinite, a report that was cut short. Whoever publishes a result asks whether
 * the count rose since the work on it began: a result with a hole is an error, not a pass. Failed allocations
 * of assay's own sources count themselves (reference/base/memory_counted.h). Any thread may call these functions.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How many shortages this process has counted so far; and counts one more. */
uint64_t memory_shortages(void);
void memory_note_shortage(void);

/* Says on standard error that the process is out of memory and exits with status 2, for places that have no
 * other way to fail. */
_Noreturn void memory_exit(void);

/* malloc for libraries that lose data or crash where it fails (jansson 2.14 drops characters of a text). A
 * shortage is counted and the request repeated once; if it fails again, this is memory_exit. Never NULL. */
void *memory_or_exit(size_t size);

/* A copy of the text, owned by the caller; NULL for NULL, or when out of memory. */
char *memory_text(const char *text);

/* Formats a text, owned by the caller. NULL when out of memory. */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Closes a stream of open_memstream, or takes NULL where there was no memory for one, and returns the
 * stream's text, which `*text` held and the caller owns from now on. NULL unless the text is complete: a
 * stream that ran out of memory has cut it short, which is counted here. */
char *memory_stream_text(FILE *stream, char **text);

#endif
