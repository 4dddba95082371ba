/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_ARCHIVE_H
#define ASSAY_HARNESS_FORMATS_ARCHIVE_H

/* Reads zip archives with stored or deflated members, and writes archives with stored members. Based on
 * libzip.
 *
 * Everything that an archive says is checked before it is used. archive_open refuses repeated names, names
 * that lead out of a directory, encryption, other compressions, members that share bytes of the file (so that
 * a small file cannot name the same megabyte a thousand times) and sizes that deflate cannot reach (its
 * longest match is 258 bytes for 2 bits: Deutsch, RFC 1951, 3.2.5, at most 1032 : 1). The content must have
 * the declared size and checksum. No member is ever written to disk. Do not share an archive between
 * threads. */

#include "reference/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct archive_member {
    const char *name; /* UTF-8, valid until archive_close; no control characters, no "..", not absolute */
    uint64_t size;    /* of its content, as declared */
};

struct archive;

/* Opens an archive. Returns NULL with file and fault. */
struct archive *archive_open(const char *path, struct error *error);
int archive_count(const struct archive *archive);
const struct archive_member *archive_member(const struct archive *archive, int i); /* in the file's order */
int archive_find(const struct archive *archive, const char *name);                 /* −1: there is none */
void archive_close(struct archive **archive);

/* Reads the first bytes of member i, at most `size`, and sets `got` to their number. A format's header in
 * them tells how large the rest may be. */
bool archive_peek(struct archive *archive, int i, void *bytes, size_t size, size_t *got, struct error *error);

/* Reads the whole member, which the caller frees; a zero byte follows it. Refuses a member that is larger
 * than `limit` bytes before it allocates memory. */
bool archive_read(struct archive *archive, int i, uint64_t limit, unsigned char **bytes, struct error *error);

/* An archive that is being written. The same members make the same bytes at any time. */
struct archive_writer;

/* Begins an archive in memory. Returns NULL when out of memory. */
struct archive_writer *archive_write_begin(struct error *error);

/* Adds a member with a copy of the bytes. archive_open must accept the name. */
bool archive_add(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
                 struct error *error);

/* Writes the file, complete or not at all (output.h), if `path` is not NULL, and destroys the writer. */
bool archive_write_end(struct archive_writer **writer, const char *path, struct error *error);

#endif
