/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_INPUT_H
#define ASSAY_REPORTS_RECORDS_INPUT_H

/* Files that a user names to be read. They may be anything: a pipe that nobody writes to, a device without end, a
 * file of one line that fills memory. */

#include "reference/base/error.h"

#include <stdio.h>
#include <sys/types.h>

/* Opens a regular file for reading, without waiting for anybody. NULL, with the path and what it is, for a
 * directory, a pipe, a socket or a device; NULL with the system's words where it cannot be opened. */
FILE *input_open(const char *path, struct error *error);

/* A line is at most so long, and so is a text that is read whole. */
enum { INPUT_MOST = 64 << 20 };

/* The next line with its newline, as getline(3) reads it: its length; −1 at the end of the file, with *error set
 * where it could not be read or is longer than INPUT_MOST. `number` is the line's, from 1. */
ssize_t input_line(FILE *file, char **line, size_t *room, const char *path, long number, struct error *error);

/* The whole file as a text that the caller frees; its zero bytes stay, and one stands behind it. NULL with the
 * fault, also of a file longer than INPUT_MOST. */
char *input_text(const char *path, size_t *length, struct error *error);

#endif
