/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CACHE_H
#define ASSAY_HARNESS_CACHE_H

/* Truths on disk, addressed by what was asked, call_digest, and by what answered it, truth_key.
 *
 * One file per truth: magic, version, XXH3 checksum, length, payload. Written to a temporary file and
 * renamed, so that workers may share the directory without locks and a killed one leaves no half entry. What
 * does not verify is removed and computed again, never used. A cache that cannot be written is a slow run,
 * not a failed one. */

#include "harness/truth_key.h"
#include "reference/program.h"

struct cache;

struct cache_statistics {
    int64_t hits, misses; /* lookups answered, and not */
    int64_t damaged;      /* entries thrown away, counted in misses too */
};

/* $XDG_CACHE_HOME/assay/truth, else ~/.cache/assay/truth; false when neither variable is set. */
bool cache_default_directory(char *path, size_t size);

/* The libraries are truth_libraries(), or a test's own. The directory is created at the first store. */
struct cache *cache_create(const char *directory, struct truth_libraries libraries);
void cache_destroy(struct cache **cache);

/* Whether a truth of so many bytes that took so long is worth its place: one that is computed about as fast as
 * it is read is not. Standard's 20,000 truths were 1.8 GB, whose writing took as long as computing them; the
 * 1,300 that are worth it are 56 MB, and more than half of the time. */
bool cache_worthwhile(int64_t nanoseconds, size_t bytes);

/* Stores what is worthwhile. Valid while the cache lives. */
struct truth_source cache_source(struct cache *cache);
struct cache_statistics cache_statistics(const struct cache *cache);

/* Removes the entries used longest ago until the directory holds at most `bytes`, and temporary files left
 * behind. Returns the bytes that remain. */
uint64_t cache_trim(const char *directory, uint64_t bytes);

enum { CACHE_ENTRY_MAX = 64 << 20 }; /* a larger truth is computed each time */
#define CACHE_TOTAL_MAX ((uint64_t)4 << 30)

#endif
