/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_ARCHIVE_H
#define ASSAY_HARNESS_FORMATS_ARCHIVE_H

/* Zip archives: reading members that are stored or deflated, writing stored ones. On libzip.
 *
 * Nothing that an archive says is believed before it is checked: archive_open refuses names that stand twice
 * or lead out of a folder, encryption, other compressions, members that share bytes of the file (so that a
 * small file cannot name the same megabyte a thousand times) and sizes that deflate cannot reach (its longest
 * match is 258 bytes for 2 bits: Deutsch, RFC 1951, 3.2.5, at most 1032 : 1). What comes out must have the
 * declared size and checksum. No member is ever a file on disk. Not shared between threads. */

#include "reference/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct archive_member {
    const char *name; /* UTF-8, valid until archive_close; no control characters, no "..", not absolute */
    uint64_t size;    /* of its content, as declared */
};

struct archive;

/* NULL with file and fault. */
struct archive *archive_open(const char *path, struct error *error);
int archive_count(const struct archive *archive);
const struct archive_member *archive_member(const struct archive *archive, int i); /* in the file's order */
int archive_find(const struct archive *archive, const char *name);                 /* -1: not there */
void archive_close(struct archive **archive);

/* The first bytes of member i, at most `size`: for what tells how large the rest may be. `got` of them are
 * there. */
bool archive_peek(struct archive *archive, int i, void *bytes, size_t size, size_t *got, struct error *error);

/* The whole member, which the caller frees; a zero byte stands behind it. Refused where it is larger than
 * `limit` bytes, before any memory is taken. */
bool archive_read(struct archive *archive, int i, uint64_t limit, unsigned char **bytes, struct error *error);

/* An archive that is being written: the same members make the same bytes, whenever they are written. */
struct archive_writer;

/* NULL where memory lacks; the file is begun by archive_write_end. */
struct archive_writer *archive_write_begin(struct error *error);

/* Adds a member of that name, whose bytes are copied. The name is as archive_open has it. */
bool archive_add(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
                 struct error *error);

/* Writes the file, whole or not at all (output.h), where `path` is not NULL; and ends the writer. */
bool archive_write_end(struct archive_writer **writer, const char *path, struct error *error);

#endif
