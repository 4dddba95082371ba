/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_INPUT_H
#define ASSAY_REPORTS_RECORDS_INPUT_H

/* Files that a user names. They may be anything: a pipe that nobody writes to, an endless device, a file
 * whose one line fills the memory. */

#include "reference/base/error.h"

#include <stdio.h>
#include <sys/types.h>

/* Opens a regular file for reading, without waiting. NULL, with the path and the fault in *error, for a
 * directory, a pipe, a socket or a device, and where the system cannot open it. */
FILE *input_open(const char *path, struct error *error);

/* The longest line, and the longest text that is read whole, in bytes. */
enum { INPUT_MOST = 64 << 20 };

/* Reads the next line, as getline(3), and returns its length with the newline. −1 at the end of the file; −1
 * with *error set where it cannot be read or is longer than INPUT_MOST. `number` is its line number, from 1.
 */
ssize_t input_line(FILE *file, char **line, size_t *room, const char *path, long number, struct error *error);

/* The whole file as a text that the caller frees; its zero bytes stay, and one is appended. NULL with *error
 * set where it cannot be read or is longer than INPUT_MOST. */
char *input_text(const char *path, size_t *length, struct error *error);

#endif
