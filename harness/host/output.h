/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_OUTPUT_H
#define ASSAY_HARNESS_HOST_OUTPUT_H

/* Files that appear whole or not at all: written beside their place, synchronised, renamed. A symbolic link
 * stays one. What is no regular file (a device, a pipe) is written where it is; "-" is the standard output.
 */

#include "reference/base/error.h"

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

struct output {
    FILE *file;
    char path[PATH_MAX];      /* resolved */
    char temporary[PATH_MAX]; /* "" when written in place */
};

/* Opens, making the directories that lack. False names the file and the fault. */
bool output_begin(struct output *output, const char *path, struct error *error);

/* Puts the file in its place when `good` and everything was written; else what stood there stays. False with
 * the fault, which stays what it is when `good` was false. */
bool output_end(struct output *output, bool good, struct error *error);

/* The same for a text that is there already. */
bool output_write(const char *path, const char *text, size_t size, struct error *error);

/* Keeps others that ask away from a regular file or a directory for as long as `fd` is open; other kinds are
 * nobody's. False, who holds it in the error, when it is held. */
bool output_lock(int fd, const char *path, struct error *error);

/* mkdir -p of the directory that holds `path`. */
bool output_make_parents(const char *path);
/* The same; what is made has this mode, less the umask: 0700 is nobody else's. */
bool output_make_parents_as(const char *path, mode_t mode);

/* Whether two paths mean one file, also where it is not there yet. */
bool output_same(const char *a, const char *b);

#endif
