/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cache/cache.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct cache {
    struct store store;
    struct truth_libraries libraries;
    struct cache_statistics statistics;
};

struct cache *cache_create(const char *directory, struct truth_libraries libraries)
{
    struct cache *cache = calloc(1, sizeof *cache);
    if (cache && !store_open(&cache->store, directory)) {
        cache_destroy(&cache);
    }
    if (cache) {
        cache->libraries = libraries;
    }
    return cache;
}

void cache_destroy(struct cache **cache)
{
    if (*cache) {
        store_close(&(*cache)->store);
    }
    free(*cache);
    *cache = NULL;
}

struct cache_statistics cache_statistics(const struct cache *cache)
{
    return cache->statistics;
}

/* Sets the key of the call and returns the variant: a digest of the code that computes its truth. */
static uint64_t key_of(const struct cache *cache, const struct op_call *call, char key[33])
{
    char answered_by[TRUTH_KEY];
    call_digest(call, key);
    truth_key(call->op, &cache->libraries, answered_by);
    return XXH3_64bits(answered_by, strlen(answered_by));
}

static struct truth *lookup(void *user, const struct op_call *call)
{
    struct cache *cache = user;
    char key[33];
    size_t size;
    bool damaged;
    uint64_t variant = key_of(cache, call, key);
    unsigned char *bytes = store_read(&cache->store, key, variant, &size, &damaged);
    struct truth *truth = bytes ? truth_deserialize(bytes, size) : NULL;
    if (damaged || (bytes && !truth)) {
        store_remove(&cache->store, key, variant);
        cache->statistics.damaged++;
    }
    free(bytes);
    if (truth) {
        cache->statistics.hits++;
    } else {
        cache->statistics.misses++;
    }
    return truth;
}

static void store(void *user, const struct op_call *call, const struct truth *truth, int64_t nanoseconds)
{
    struct cache *cache = user;
    size_t size = truth_serialized_size(truth);
    bool worthwhile = !cache->store.unwritable && store_worthwhile(nanoseconds, size);
    unsigned char *bytes = worthwhile ? truth_serialize(truth, &size) : NULL;
    if (bytes) {
        char key[33];
        uint64_t variant = key_of(cache, call, key);
        store_write(&cache->store, key, variant, bytes, size);
        free(bytes);
    }
}

struct truth_source cache_source(struct cache *cache)
{
    return (struct truth_source){.lookup = lookup, .store = store, .user = cache};
}
