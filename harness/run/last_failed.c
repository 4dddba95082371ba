/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/last_failed.h"

#include "harness/cache/store.h"
#include "reference/base/memory.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* The key of the backend's entry: a digest of the working directory and the backend's name. */
static bool open_entry(const char *backend, struct store *store, char key[33])
{
    char folder[PATH_MAX], place[2 * PATH_MAX];
    if (!store_default_directory("last-failed", folder, sizeof folder) || !store_open(store, folder) ||
        !getcwd(folder, sizeof folder)) {
        return false;
    }
    int length = snprintf(place, sizeof place, "%s\n%s", folder, backend);
    if (length < 0 || (size_t)length >= sizeof place) {
        return false;
    }
    XXH128_hash_t digest = XXH3_128bits(place, (size_t)length);
    snprintf(key, 33, "%016" PRIx64 "%016" PRIx64, (uint64_t)digest.high64, (uint64_t)digest.low64);
    return true;
}

/* The entry's text, one id a line; NULL where there is none. The caller frees it. */
static char *read_entry(struct store *store, const char key[33])
{
    bool damaged = false;
    size_t size = 0;
    unsigned char *bytes = store_read(store, key, 0, &size, &damaged);
    char *text = bytes ? malloc(size + 1) : NULL;
    if (text) {
        memcpy(text, bytes, size);
        text[size] = 0;
    }
    free(bytes);
    return text;
}

bool last_failed_read(const char *backend, struct case_words *ids, struct error *error)
{
    struct store store;
    char key[33], *text = NULL;
    if (open_entry(backend, &store, key)) {
        text = read_entry(&store, key);
        store_close(&store);
    }
    if (!text) {
        return error_set(error,
                         "--last-failed: no earlier run of %s in this folder is known; run without it first",
                         backend);
    }
    bool good = true;
    for (char *rest = text, *id; good && (id = strsep(&rest, "\n"));) {
        good = !*id || case_words_add(ids, id);
    }
    free(text);
    return good || error_set(error, "out of memory");
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Writes the ids of the earlier text whose cases have no record now. */
static void put_earlier(FILE *to, char *text, const char *backend, const struct results *results)
{
    void *ran = NULL;
    for (int r = 0; r < results->records; r++) {
        const struct record *record = &results->record[r];
        if (strcmp(record->backend, backend) == 0 && record->status != STATUS_MISSING) {
            tsearch(record->id, &ran, by_text);
        }
    }
    for (char *rest = text, *id; rest && (id = strsep(&rest, "\n"));) {
        if (*id && !tfind(id, &ran, by_text)) {
            fprintf(to, "%s\n", id);
        }
    }
    while (ran) {
        tdelete(*(void **)ran, &ran, by_text);
    }
}

void last_failed_write(const char *backend, const struct results *results, unsigned gate)
{
    struct store store;
    char key[33], *text = NULL, *earlier;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (to && open_entry(backend, &store, key)) {
        earlier = read_entry(&store, key);
        put_earlier(to, earlier, backend, results);
        free(earlier);
        for (int r = 0; r < results->records; r++) {
            const struct record *record = &results->record[r];
            if (strcmp(record->backend, backend) == 0 && record->status != STATUS_MISSING &&
                gate_fails(record, gate)) {
                fprintf(to, "%s\n", record->id);
            }
        }
        if (memory_stream_text(to, &text)) {
            store_write(&store, key, 0, (const unsigned char *)text, strlen(text));
        }
        store_close(&store);
    } else if (to) {
        memory_stream_text(to, &text);
    }
    free(text);
}
