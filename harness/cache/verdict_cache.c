/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cache/verdict_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { DIGEST = 32, JUDGE_AT = 0, INPUTS_AT = DIGEST, ANSWER_AT = 2 * DIGEST, RECORD_AT = 3 * DIGEST };

struct verdict_cache {
    struct store store;
    char judge[DIGEST + 1]; /* digest of the code that judges */
};

struct verdict_cache *verdict_cache_create(const char *directory, const char *judge,
                                           struct truth_libraries libraries)
{
    struct verdict_cache *cache = calloc(1, sizeof *cache);
    char text[512];
    if (cache && !store_open(&cache->store, directory)) {
        verdict_cache_destroy(&cache);
    }
    if (cache) {
        int length = snprintf(text, sizeof text, "%.200s mpfr %.32s gmp %.32s mpfi %.32s", judge,
                              libraries.mpfr, libraries.gmp, libraries.mpfi);
        XXH128_hash_t hash = XXH3_128bits(text, (size_t)length);
        snprintf(cache->judge, sizeof cache->judge, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
    }
    return cache;
}

void verdict_cache_destroy(struct verdict_cache **cache)
{
    if (*cache) {
        store_close(&(*cache)->store);
    }
    free(*cache);
    *cache = NULL;
}

static bool lookup(void *user, const struct question *question, char answer[33], struct record *record)
{
    struct verdict_cache *cache = user;
    char key[33];
    size_t size;
    bool damaged, found = false;
    question_digest(question, key);
    unsigned char *bytes = store_read(&cache->store, key, 0, &size, &damaged);
    const char *text = (const char *)bytes;
    if (bytes && size > RECORD_AT && memcmp(text + JUDGE_AT, cache->judge, DIGEST) == 0 &&
        memcmp(text + INPUTS_AT, question->inputs_digest, DIGEST) == 0) {
        struct error error;
        memcpy(answer, text + ANSWER_AT, DIGEST);
        answer[DIGEST] = 0;
        found = record_parse(text + RECORD_AT, size - RECORD_AT, record, &error);
        damaged = !found;
    }
    if (damaged) {
        store_remove(&cache->store, key, 0);
    }
    free(bytes);
    return found;
}

static void store(void *user, const struct question *question, const char answer[33],
                  const struct record *record, int64_t nanoseconds)
{
    struct verdict_cache *cache = user;
    char key[33], *line = store_worthwhile(nanoseconds, 0) ? record_format(record) : NULL;
    size_t length = line ? strlen(line) : 0;
    unsigned char *bytes = line ? malloc(RECORD_AT + length) : NULL;
    if (bytes) {
        question_digest(question, key);
        memcpy(bytes + JUDGE_AT, cache->judge, DIGEST);
        memcpy(bytes + INPUTS_AT, question->inputs_digest, DIGEST);
        memcpy(bytes + ANSWER_AT, answer, DIGEST);
        memcpy(bytes + RECORD_AT, line, length);
        store_write(&cache->store, key, 0, bytes, RECORD_AT + length);
    }
    free(bytes);
    free(line);
}

struct verdict_source verdict_cache_source(struct verdict_cache *cache)
{
    return (struct verdict_source){.lookup = lookup, .store = store, .user = cache};
}
