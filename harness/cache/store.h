/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CACHE_STORE_H
#define ASSAY_HARNESS_CACHE_STORE_H

/* A store of bytes on disk, addressed by a digest of what they answer. It holds what can be computed again:
 * truths (harness/cache/cache.h) and verdicts (harness/cache/verdict_cache.h).
 *
 * An entry is one file: magic, version, XXH3 checksum, length, payload. It is written to a temporary file and
 * renamed, so that workers may share the directory without locks and a killed worker leaves no half entry. An
 * entry that does not verify is never used; the caller removes it. If the store cannot be written, a run is
 * slower but does not fail. */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store {
    char directory[PATH_MAX - 128];
    bool unwritable; /* a write failed; no further write is tried */
    int folder;      /* the open directory; −1: not opened yet, or not trusted */
};

/* Writes $XDG_CACHE_HOME/assay/NAME, else ~/.cache/assay/NAME. False if neither variable is set or the path
 * is too long. */
bool store_default_directory(const char *name, char *path, size_t size);

/* False if the name is too long. The directory is created by the first write. */
bool store_open(struct store *store, const char *directory);
void store_close(struct store *store);

/* True if entries of the directory may be believed: it belongs to this user and nobody else may write to it,
 * or it does not exist. Another user who can write to it could forge truths and passes. Code of the same user
 * can always forge them, which no file permission prevents. */
bool store_is_trusted(const char *directory);

/* `key` has 32 hex digits; `variant` distinguishes entries of one key. store_read returns the payload, owned
 * by the caller, or NULL: there is none, it is damaged (*damaged), or the file or a folder above it is not
 * trusted, as in store_is_trusted. */
unsigned char *store_read(struct store *store, const char key[33], uint64_t variant, size_t *size,
                          bool *damaged);
void store_write(struct store *store, const char key[33], uint64_t variant, const unsigned char *bytes,
                 size_t size);
void store_remove(const struct store *store, const char key[33], uint64_t variant);

/* True if an entry of this size that took this long to compute is worth its place: reading it must be clearly
 * faster than computing it again. Level standard's 20,000 truths were 1.8 GB, whose writing took as long as
 * computing them; the 1,300 that are worth it are 56 MB, and more than half of the time. */
bool store_worthwhile(int64_t nanoseconds, size_t bytes);

/* If the entries exceed `bytes`, removes those used longest ago until three quarters of it remain. Also
 * removes temporary files that are older than an hour. Returns the bytes that remain. */
uint64_t store_trim(const char *directory, uint64_t bytes);

enum { STORE_ENTRY_MAX = 64 << 20 }; /* larger entries are not stored */
#define STORE_TOTAL_MAX ((uint64_t)4 << 30)

#endif
