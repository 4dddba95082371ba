/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cache/store.h"
#include "harness/host/descriptors.h"

#include "harness/host/output.h"

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

enum { STORE_VERSION = 1 };

/* The head of an entry's file, before `length` bytes of payload. It is in host byte order: a file of the
 * other order fails `magic`. */
struct head {
    uint64_t magic;
    uint32_t version;
    uint32_t reserved;
    uint64_t checksum_low, checksum_high; /* XXH3-128 over key and payload */
    uint64_t length;
};

static const uint64_t magic = 0x687475726B797361u; /* "asykruth" */
static const char temporary_suffix[] = ".tmpXXXXXX";

bool store_default_directory(const char *name, char *path, size_t size)
{
    const char *base = getenv("XDG_CACHE_HOME");
    if (base && base[0] == '/') {
        return (size_t)snprintf(path, size, "%s/assay/%s", base, name) < size;
    }
    base = getenv("HOME");
    return base && base[0] && (size_t)snprintf(path, size, "%s/.cache/assay/%s", base, name) < size;
}

bool store_open(struct store *store, const char *directory)
{
    *store = (struct store){.folder = -1};
    return (size_t)snprintf(store->directory, sizeof store->directory, "%s", directory) <
           sizeof store->directory;
}

/* DIRECTORY/ab/cdef…-VARIANT: 256 folders keep each short. */
static void entry_path(const struct store *store, const char key[33], uint64_t variant, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%.2s/%s-%016llx", store->directory, key, key + 2,
             (unsigned long long)variant);
}

static XXH128_hash_t checksum(const char *key, const unsigned char *bytes, size_t size)
{
    /* The key seeds the checksum, so that a file under another's name does not verify. */
    return XXH3_128bits_withSeed(bytes, size, XXH3_64bits(key, strlen(key)));
}

/* True if an open file or folder is this user's, and only this user may write to it. */
static bool is_ours(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && status.st_uid == geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static int open_folder(int at, const char *name)
{
    int folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0 && !is_ours(folder)) {
        close(folder);
        folder = -1;
    }
    return folder;
}

bool store_is_trusted(const char *directory)
{
    int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool trusted = folder < 0 || is_ours(folder);
    if (folder >= 0) {
        close(folder);
    }
    return trusted;
}

void store_close(struct store *store)
{
    if (store->folder >= 0) {
        close(store->folder);
    }
    store->folder = -1;
}

/* The entry's file, open; −1: there is none that is trusted. */
static int open_entry(struct store *store, const char key[33], uint64_t variant)
{
    char sub[3], name[64];
    if (store->folder < 0) {
        store->folder = open_folder(AT_FDCWD, store->directory);
    }
    snprintf(sub, sizeof sub, "%.2s", key);
    snprintf(name, sizeof name, "%s-%016llx", key + 2, (unsigned long long)variant);
    int folder = store->folder >= 0 ? open_folder(store->folder, sub) : -1;
    int file = folder >= 0 ? openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                           : -1; /* a FIFO under this name must not hang */
    if (folder >= 0) {
        close(folder);
    }
    if (file >= 0 && !is_ours(file)) {
        close(file);
        file = -1;
    }
    return file;
}

static unsigned char *read_entry(int file, const char *key, size_t *size)
{
    struct head head;
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
        read(file, &head, sizeof head) != (ssize_t)sizeof head || head.magic != magic ||
        head.version != STORE_VERSION || head.reserved != 0 || head.length > STORE_ENTRY_MAX ||
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

unsigned char *store_read(struct store *store, const char key[33], uint64_t variant, size_t *size,
                          bool *damaged)
{
    int file = open_entry(store, key, variant);
    unsigned char *bytes = file >= 0 ? read_entry(file, key, size) : NULL;
    *damaged = file >= 0 && !bytes;
    if (file >= 0) {
        close(file);
    }
    return bytes;
}

void store_remove(const struct store *store, const char key[33], uint64_t variant)
{
    char path[PATH_MAX];
    entry_path(store, key, variant, path);
    unlink(path);
}

void store_write(struct store *store, const char key[33], uint64_t variant, const unsigned char *bytes,
                 size_t size)
{
    if (store->unwritable || size > STORE_ENTRY_MAX) {
        return;
    }
    char path[PATH_MAX], temporary[PATH_MAX + 16];
    entry_path(store, key, variant, path);
    XXH128_hash_t sum = checksum(key, bytes, size);
    struct head head = {.magic = magic,
                        .version = STORE_VERSION,
                        .checksum_low = sum.low64,
                        .checksum_high = sum.high64,
                        .length = size};
    snprintf(temporary, sizeof temporary, "%s%s", path, temporary_suffix);
    int file = mkostemp(temporary, O_CLOEXEC); /* a new file under a name that nobody can predict */
    if (file < 0 && errno == ENOENT && output_make_parents_as(path, 0700)) {
        snprintf(temporary, sizeof temporary, "%s%s", path, temporary_suffix);
        file = mkostemp(temporary, O_CLOEXEC);
    }
    bool good =
        file >= 0 && descriptor_write(file, &head, sizeof head) && descriptor_write(file, bytes, size);
    good = file >= 0 && close(file) == 0 && good && rename(temporary, path) == 0;
    if (!good) {
        if (file >= 0) {
            unlink(temporary);
        }
        store->unwritable = true;
    }
}

/* An entry takes some 30 us to write and to open, and 1 to 3 ns a byte to write and again to read, checksum
 * and file system included. */
enum { WORTHWHILE_NS = 200000, WORTHWHILE_NS_PER_BYTE = 5 };

bool store_worthwhile(int64_t nanoseconds, size_t bytes)
{
    return bytes <= STORE_ENTRY_MAX && nanoseconds >= WORTHWHILE_NS + (int64_t)bytes * WORTHWHILE_NS_PER_BYTE;
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

uint64_t store_trim(const char *directory, uint64_t bytes)
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
