/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CACHE_STORE_H
#define ASSAY_HARNESS_CACHE_STORE_H

/* Bytes on disk under a digest of what they answer: truths (harness/cache/cache.h) and verdicts
 * (harness/cache/verdict_cache.h), which can be worked out again.
 *
 * One file per entry: magic, version, XXH3 checksum, length, payload. Written to a temporary file and
 * renamed, so that workers may share the directory without locks and a killed one leaves no half entry. What
 * does not verify is removed by who finds it, never used. A store that cannot be written is a slow run, not a
 * failed one. */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store {
    char directory[PATH_MAX - 128];
    bool unwritable; /* said once by errno, then not tried again */
    int folder;      /* the open directory, where it is trusted; −1: not yet looked for, or not trusted */
};

/* $XDG_CACHE_HOME/assay/NAME, else ~/.cache/assay/NAME; false when neither variable is set. */
bool store_default_directory(const char *name, char *path, size_t size);

/* False where the name is too long. The directory is created at the first write. */
bool store_open(struct store *store, const char *directory);
void store_close(struct store *store);

/* Whether entries of the directory are believed: it belongs to this user and nobody else may write to it, or it
 * is not there. What another user can write may hold forged truths and passes; code of the same user can always
 * forge, which no file permission prevents. */
bool store_is_trusted(const char *directory);

/* `key`: 32 hex digits; `variant` tells entries of one key apart. The payload, owned by the caller; NULL:
 * there is none, it is damaged, or the file or a folder above it is not trusted (as store_is_trusted). */
unsigned char *store_read(struct store *store, const char key[33], uint64_t variant, size_t *size,
                          bool *damaged);
void store_write(struct store *store, const char key[33], uint64_t variant, const unsigned char *bytes,
                 size_t size);
void store_remove(const struct store *store, const char key[33], uint64_t variant);

/* Whether what took so long and has so many bytes is worth its place: what is found about as fast as it is
 * read is not. Standard's 20,000 truths were 1.8 GB, whose writing took as long as computing them; the 1,300
 * that are worth it are 56 MB, and more than half of the time. */
bool store_worthwhile(int64_t nanoseconds, size_t bytes);

/* Removes the entries used longest ago until the directory holds at most `bytes`, and temporary files left
 * behind. Returns the bytes that remain. */
uint64_t store_trim(const char *directory, uint64_t bytes);

enum { STORE_ENTRY_MAX = 64 << 20 }; /* what is larger is found out each time */
#define STORE_TOTAL_MAX ((uint64_t)4 << 30)

#endif
