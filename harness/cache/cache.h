/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CACHE_CACHE_H
#define ASSAY_HARNESS_CACHE_CACHE_H

/* Truths on disk, addressed by what was asked, call_digest, and by what answered it, truth_key. What does not
 * verify is removed and computed again. */

#include "harness/cache/store.h"
#include "harness/cache/truth_key.h"
#include "reference/program/program.h"

struct cache;

struct cache_statistics {
    int64_t hits, misses; /* lookups answered, and not */
    int64_t damaged;      /* entries thrown away, counted in misses too */
};

#define CACHE_FOLDER "truth" /* of store_default_directory */

/* The libraries are truth_libraries(), or a test's own. */
struct cache *cache_create(const char *directory, struct truth_libraries libraries);
void cache_destroy(struct cache **cache);

/* Stores what is worthwhile. Valid while the cache lives. */
struct truth_source cache_source(struct cache *cache);
struct cache_statistics cache_statistics(const struct cache *cache);

#endif
