/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/images.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

static unsigned char poison(int run)
{
    return run % 2 == 0 ? 0xFF : 0x5A;
}

bool images_create(struct images *images, const struct program *program)
{
    *images = (struct images){.storages = program->storages};
    images->image = calloc((size_t)program->storages + 1, sizeof *images->image);
    for (int s = 0; images->image && s < program->storages; s++) {
        images->image[s] = malloc(program->storage[s].bytes + 2 * BACKEND_GUARD);
        if (!images->image[s]) {
            images_destroy(images);
            return false;
        }
    }
    return images->image != NULL;
}

void images_destroy(struct images *images)
{
    for (int s = 0; images->image && s < images->storages; s++) {
        free(images->image[s]);
    }
    free(images->image);
    *images = (struct images){.storages = 0};
}

/* What byte `at` (from the storage's first byte) of a storage holds when run `run` begins. */
static unsigned char initial(const struct storage *storage, int64_t at, int run)
{
    if (at < 0 || at >= (int64_t)storage->bytes || !storage_defined(storage, (size_t)at)) {
        return poison(run);
    }
    return storage->data[at];
}

void images_fill(struct images *images, const struct program *program, int run)
{
    for (int s = 0; s < program->storages; s++) {
        const struct storage *storage = &program->storage[s];
        unsigned char *bytes = images->image[s] + BACKEND_GUARD;
        memset(images->image[s], poison(run), storage->bytes + 2 * BACKEND_GUARD);
        if (storage->definition == DEFINED_ALL) {
            memcpy(bytes, storage->data, storage->bytes);
        }
        for (size_t at = 0; storage->definition == DEFINED_SOME && at < storage->bytes; at++) {
            bytes[at] = storage_defined(storage, at) ? storage->data[at] : bytes[at];
        }
    }
}

unsigned char *images_element(const struct images *images, const struct view *view, int64_t i)
{
    size_t at = (size_t)view_element(view, i) * dtype_info(view->dtype)->size;
    return images->image[view->storage] + BACKEND_GUARD + at;
}

/* Whether all bytes [first, last), which lie in a storage or in one of its guards, are as run `run` found
 * them: the usual case, seen without a look at each byte. False may also mean that it is not seen at once. */
static bool unchanged(const struct images *images, const struct storage *storage, int run, int s,
                      int64_t first, int64_t last)
{
    const unsigned char *now = images->image[s] + first + BACKEND_GUARD;
    size_t count = (size_t)(last - first);
    bool inside = first >= 0 && last <= (int64_t)storage->bytes;
    if (inside && storage->definition == DEFINED_ALL) {
        return memcmp(storage->data + first, now, count) == 0;
    }
    return (!inside || storage->definition == DEFINED_NONE) && now[0] == poison(run) &&
           memcmp(now, now + 1, count - 1) == 0; /* each byte is what the one before it is */
}

/* The bytes [first, last) of a storage, or of one of its guards, that differ from what run `run` began with.
 */
static void find_changes(const struct images *images, const struct program *program,
                         const struct ownership *ownership, int run, int s, int64_t first, int64_t last,
                         struct clobber *clobber)
{
    const struct storage *storage = &program->storage[s];
    if (unchanged(images, storage, run, s, first, last)) {
        return;
    }
    for (int64_t at = first; at < last; at++) {
        bool inside = at >= 0 && at < (int64_t)storage->bytes;
        unsigned char before = initial(storage, at, run), after = images->image[s][at + BACKEND_GUARD];
        if (before == after || (inside && ownership_of(ownership, s, at))) {
            continue;
        }
        if (clobber->count++ == 0) {
            clobber->storage = s;
            clobber->byte = at;
            clobber->before = before;
            clobber->after = after;
            clobber->data = inside && storage_defined(storage, (size_t)at);
        }
    }
}

bool images_clobbered(const struct images *images, const struct program *program,
                      const struct ownership *ownership, int run, struct clobber *clobber)
{
    *clobber = (struct clobber){.count = 0};
    for (int s = 0; s < program->storages; s++) {
        int64_t bytes = (int64_t)program->storage[s].bytes;
        for (int64_t at = -BACKEND_GUARD; at < bytes + BACKEND_GUARD;) {
            int64_t owned = at < 0 || at >= bytes ? 0 : ownership_run(ownership, s, at), last = at + CHUNK;
            if (owned == 0) {
                int64_t end = at < 0       ? 0
                              : at < bytes ? bytes
                                           : bytes + BACKEND_GUARD; /* where its part ends */
                last = last < end ? last : end;
                find_changes(images, program, ownership, run, s, at, last, clobber);
            }
            at = owned ? at + owned : last;
        }
    }
    return clobber->count > 0;
}
