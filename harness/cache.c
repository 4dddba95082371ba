/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cache.h"

#include "harness/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { CACHE_VERSION = 1 };

struct cache {
    char directory[PATH_MAX - 128];
    struct truth_libraries libraries;
    bool unwritable; /* said once by errno, then not tried again */
    struct cache_statistics statistics;
};

/* The file's head; what follows is `length` bytes of truth_serialize. In host byte order: a foreign one fails
 * magic. */
struct head {
    uint64_t magic;
    uint32_t version;
    uint32_t reserved;
    uint64_t checksum_low, checksum_high; /* XXH3-128 over key and payload */
    uint64_t length;
};

static const uint64_t magic = 0x687475726B797361u; /* "asykruth" */
static const char temporary_suffix[] = ".tmpXXXXXX";

bool cache_default_directory(char *path, size_t size)
{
    const char *base = getenv("XDG_CACHE_HOME");
    if (base && base[0] == '/') {
        return (size_t)snprintf(path, size, "%s/assay/truth", base) < size;
    }
    base = getenv("HOME");
    return base && base[0] && (size_t)snprintf(path, size, "%s/.cache/assay/truth", base) < size;
}

struct cache *cache_create(const char *directory, struct truth_libraries libraries)
{
    struct cache *cache = calloc(1, sizeof *cache);
    if (cache && (size_t)snprintf(cache->directory, sizeof cache->directory, "%s", directory) >=
                     sizeof cache->directory) {
        cache_destroy(&cache);
    }
    if (cache) {
        cache->libraries = libraries;
    }
    return cache;
}

void cache_destroy(struct cache **cache)
{
    free(*cache);
    *cache = NULL;
}

struct cache_statistics cache_statistics(const struct cache *cache)
{
    return cache->statistics;
}

/* DIRECTORY/ab/cdef…-TRUTH_KEY: 256 folders keep each short. */
static void entry_path(const struct cache *cache, const struct op_call *call, char key[33],
                       char path[PATH_MAX])
{
    char answered_by[TRUTH_KEY];
    call_digest(call, key);
    truth_key(call->op, &cache->libraries, answered_by);
    snprintf(path, PATH_MAX, "%s/%.2s/%s-%016llx", cache->directory, key, key + 2,
             (unsigned long long)XXH3_64bits(answered_by, strlen(answered_by)));
}

static XXH128_hash_t checksum(const char *key, const unsigned char *bytes, size_t size)
{
    /* The key is in it, so that a file under another's name does not verify. */
    return XXH3_128bits_withSeed(bytes, size, XXH3_64bits(key, strlen(key)));
}

static unsigned char *read_entry(int file, const char *key, size_t *size)
{
    struct head head;
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
        read(file, &head, sizeof head) != (ssize_t)sizeof head || head.magic != magic ||
        head.version != CACHE_VERSION || head.reserved != 0 || head.length > CACHE_ENTRY_MAX ||
        (uint64_t)status.st_size != sizeof head + head.length) {
        return NULL;
    }
    unsigned char *bytes = malloc(head.length + 1);
    size_t got = 0;
    while (bytes && got < head.length) {
        ssize_t n = read(file, bytes + got, head.length - got);
        if (n <= 0) {
            break;
        }
        got += (size_t)n;
    }
    XXH128_hash_t sum = {0};
    if (bytes && got == head.length) {
        sum = checksum(key, bytes, got);
    }
    if (!bytes || got != head.length || sum.low64 != head.checksum_low || sum.high64 != head.checksum_high) {
        free(bytes);
        return NULL;
    }
    time_t now = time(NULL);
    if (now - status.st_mtime > 86400) { /* trim removes by age: once a day is exact enough, and cheap */
        futimens(file, NULL);
    }
    *size = got;
    return bytes;
}

static struct truth *lookup(void *user, const struct op_call *call)
{
    struct cache *cache = user;
    char key[33], path[PATH_MAX];
    entry_path(cache, call, key, path);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO under this name must not hang */
    struct truth *truth = NULL;
    if (file >= 0) {
        size_t size;
        unsigned char *bytes = read_entry(file, key, &size);
        truth = bytes ? truth_deserialize(bytes, size) : NULL;
        free(bytes);
        close(file);
        if (!truth) {
            unlink(path);
            cache->statistics.damaged++;
        }
    }
    if (truth) {
        cache->statistics.hits++;
    } else {
        cache->statistics.misses++;
    }
    return truth;
}

static bool write_all(int file, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    while (size) {
        ssize_t n = write(file, at, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* An entry takes some 30 us to write and to open, and 1 to 3 ns a byte to write and again to read, checksum
 * and file system included. */
enum { WORTHWHILE_NS = 200000, WORTHWHILE_NS_PER_BYTE = 5 };

bool cache_worthwhile(int64_t nanoseconds, size_t bytes)
{
    return bytes <= CACHE_ENTRY_MAX && nanoseconds >= WORTHWHILE_NS + (int64_t)bytes * WORTHWHILE_NS_PER_BYTE;
}

static void store(void *user, const struct op_call *call, const struct truth *truth, int64_t nanoseconds)
{
    struct cache *cache = user;
    size_t size = truth_serialized_size(truth);
    unsigned char *bytes =
        cache->unwritable || !cache_worthwhile(nanoseconds, size) ? NULL : truth_serialize(truth, &size);
    if (!bytes) {
        return;
    }
    char key[33], path[PATH_MAX], temporary[PATH_MAX + 16];
    entry_path(cache, call, key, path);
    XXH128_hash_t sum = checksum(key, bytes, size);
    struct head head = {.magic = magic,
                        .version = CACHE_VERSION,
                        .checksum_low = sum.low64,
                        .checksum_high = sum.high64,
                        .length = size};
    snprintf(temporary, sizeof temporary, "%s%s", path, temporary_suffix);
    int file = mkostemp(temporary, O_CLOEXEC); /* a new file under a name that nobody can know */
    if (file < 0 && errno == ENOENT && output_make_parents_as(path, 0700)) {
        snprintf(temporary, sizeof temporary, "%s%s", path, temporary_suffix);
        file = mkostemp(temporary, O_CLOEXEC);
    }
    bool good = file >= 0 && write_all(file, &head, sizeof head) && write_all(file, bytes, size);
    good = file >= 0 && close(file) == 0 && good && rename(temporary, path) == 0;
    if (!good) {
        if (file >= 0) {
            unlink(temporary);
        }
        cache->unwritable = true;
    }
    free(bytes);
}

struct truth_source cache_source(struct cache *cache)
{
    return (struct truth_source){.lookup = lookup, .store = store, .user = cache};
}

struct entry {
    char *path;
    uint64_t bytes;
    time_t used;
};

struct entries {
    size_t count, room;
    struct entry *entry;
    uint64_t bytes;
};

static void collect(const char *folder, struct entries *entries)
{
    DIR *directory = opendir(folder);
    for (struct dirent *item; directory && (item = readdir(directory));) {
        char path[PATH_MAX];
        struct stat status;
        if (item->d_name[0] == '.' ||
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, item->d_name) >= sizeof path ||
            lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
            continue;
        }
        if (strstr(item->d_name, ".tmp") && time(NULL) - status.st_mtime > 3600) {
            unlink(path); /* its worker was killed */
            continue;
        }
        if (entries->count == entries->room) {
            size_t room = entries->room ? entries->room * 2 : 256;
            struct entry *grown = realloc(entries->entry, room * sizeof *grown);
            if (!grown) {
                break;
            }
            entries->entry = grown;
            entries->room = room;
        }
        struct entry entry = {
            .path = strdup(path), .bytes = (uint64_t)status.st_size, .used = status.st_mtime};
        if (entry.path) {
            entries->entry[entries->count++] = entry;
            entries->bytes += entry.bytes;
        }
    }
    if (directory) {
        closedir(directory);
    }
}

static int older_first(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

uint64_t cache_trim(const char *directory, uint64_t bytes)
{
    struct entries entries = {.count = 0};
    for (int i = 0; i < 256; i++) {
        char folder[PATH_MAX];
        snprintf(folder, sizeof folder, "%s/%02x", directory, (unsigned)i);
        collect(folder, &entries);
    }
    if (entries.bytes > bytes) {
        qsort(entries.entry, entries.count, sizeof *entries.entry, older_first);
        /* Down to three quarters, so that the next run does not trim again. */
        for (size_t i = 0; i < entries.count && entries.bytes > bytes / 4 * 3; i++) {
            if (unlink(entries.entry[i].path) == 0) {
                entries.bytes -= entries.entry[i].bytes;
            }
        }
    }
    uint64_t rest = entries.bytes;
    for (size_t i = 0; i < entries.count; i++) {
        free(entries.entry[i].path);
    }
    free(entries.entry);
    return rest;
}
