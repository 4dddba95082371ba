/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CACHE_CACHE_H
#define ASSAY_HARNESS_CACHE_CACHE_H

/* Truths on disk. An entry is addressed by the call, call_digest, and by the code that computes its truth,
 * truth_key. An entry that does not verify is removed, and the truth is computed again. */

#include "harness/cache/store.h"
#include "harness/cache/truth_key.h"
#include "reference/program/program.h"

struct cache;

struct cache_statistics {
    int64_t hits, misses; /* lookups with and without a cached truth */
    int64_t damaged;      /* damaged entries that were removed; counted in misses, too */
};

#define CACHE_FOLDER "truth" /* a name for store_default_directory */

/* The libraries are truth_libraries(), or a test's own. NULL if out of memory or if the directory's name is
 * too long; the directory itself is created by the first write. */
struct cache *cache_create(const char *directory, struct truth_libraries libraries);
void cache_destroy(struct cache **cache);

/* A source of truths that reads the cache and adds truths that are worth their place (store_worthwhile).
 * Valid while the cache lives. */
struct truth_source cache_source(struct cache *cache);
struct cache_statistics cache_statistics(const struct cache *cache);

#endif
