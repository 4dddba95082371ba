/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_OUTPUT_H
#define ASSAY_HARNESS_HOST_OUTPUT_H

/* Writes files that appear whole or not at all: a file is written beside its place, synchronised and renamed.
 * A symbolic link stays one. A path that is no regular file (a device, a pipe) is written directly; "-" is
 * the standard output. */

#include "reference/base/error.h"

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

struct output {
    FILE *file;
    char path[PATH_MAX];      /* resolved */
    char temporary[PATH_MAX]; /* "" when written in place */
};

/* Opens the file and creates missing directories. False with the file's name and the fault. */
bool output_begin(struct output *output, const char *path, struct error *error);

/* Puts the file in its place if `good` and everything was written; otherwise the earlier file stays. False
 * with the fault; if `good` was false, the error is left as it is. */
bool output_end(struct output *output, bool good, struct error *error);

/* Writes a whole text in this way. */
bool output_write(const char *path, const char *text, size_t size, struct error *error);

/* Locks a regular file or a directory against other processes that call this, for as long as `fd` is open.
 * False, with the holder in the error, if another process holds the lock. True without a lock for other kinds
 * of file, and where the file system has no locks. */
bool output_lock(int fd, const char *path, struct error *error);

/* Creates the directory that holds `path`, and those above it. */
bool output_make_parents(const char *path);
/* As output_make_parents, with this mode less the umask; 0700 keeps other users out. */
bool output_make_parents_as(const char *path, mode_t mode);

/* True if two paths name the same file, also if it does not exist yet. */
bool output_same(const char *a, const char *b);

#endif
