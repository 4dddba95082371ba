/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/memory/images.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

static unsigned char poison(int run)
{
    return run % 2 == 0 ? 0xFF : 0x5A;
}

_Static_assert((int)STORAGE_MARGIN == (int)BACKEND_GUARD,
               "a storage's margins are the guards of a zero-copy image");

/* True if a check reads the storage after the run: it holds a judged tensor, or a relation names it. */
static bool is_read(const struct program *program, int s)
{
    bool read = false;
    for (int k = 0; k < program->steps && !read; k++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = step_judged(&program->step[k], judged);
        for (int o = 0; o < count; o++) {
            read = read || judged[o].storage == s;
        }
    }
    for (int k = 0; k < program->relations && !read; k++) {
        read = program->relation[k].a.storage == s || program->relation[k].b.storage == s;
    }
    return read;
}

static bool is_zero_copy(const struct images *images, int s)
{
    return images->zero_copy[s].low64 != 0 || images->zero_copy[s].high64 != 0;
}

static XXH128_hash_t digest_of(const struct storage *storage)
{
    return XXH3_128bits(storage->data, storage->bytes);
}

bool images_create_zero_copy(struct images *images, const struct program *program, size_t least,
                             const struct images *before)
{
    *images = (struct images){.storages = program->storages};
    images->image = calloc((size_t)program->storages + 1, sizeof *images->image);
    images->zero_copy = calloc((size_t)program->storages + 1, sizeof *images->zero_copy);
    bool good = images->image && images->zero_copy;
    for (int s = 0; good && s < program->storages; s++) {
        const struct storage *storage = &program->storage[s];
        if (storage->bytes >= least && storage->definition == DEFINED_ALL && !is_read(program, s)) {
            images->zero_copy[s] =
                before && is_zero_copy(before, s) ? before->zero_copy[s] : digest_of(storage);
        }
        images->image[s] =
            is_zero_copy(images, s) ? storage->data - STORAGE_MARGIN : storage_allocate(storage->bytes);
        good = images->image[s] != NULL;
    }
    if (!good) {
        images_destroy(images);
    }
    return good;
}

bool images_create(struct images *images, const struct program *program)
{
    return images_create_zero_copy(images, program, SIZE_MAX, NULL);
}

void images_destroy(struct images *images)
{
    for (int s = 0; images->image && images->zero_copy && s < images->storages; s++) {
        if (!is_zero_copy(images, s)) {
            free(images->image[s]);
        }
    }
    free(images->image);
    free(images->zero_copy);
    *images = (struct images){.storages = 0};
}

/* Copies those of eight bytes that are data. */
static void take_eight(const struct storage *storage, int64_t at, unsigned char *to)
{
    const unsigned char *from = storage->data + at;
    uint64_t bytes = storage_defined_eight(storage, (size_t)at) * 0xFF, data, filler;
    memcpy(&data, from, sizeof data);
    memcpy(&filler, to, sizeof filler);
    filler = (filler & ~bytes) | (data & bytes);
    memcpy(to, &filler, sizeof filler);
}

static bool is_inside(const struct storage *storage, int64_t first, int64_t last)
{
    return first >= 0 && last <= (int64_t)storage->bytes;
}

enum { GAP = 512 };

/* True if none of GAP bytes is data; `bits` has a bit for each. */
static bool is_gap(const unsigned char bits[GAP / 8])
{
    static const unsigned char none[GAP / 8];
    return memcmp(bits, none, sizeof none) == 0;
}

/* Writes what bytes [first, last) of a storage, or of one of its guards, hold when run `run` begins. */
static void initial(const struct storage *storage, int64_t first, int64_t last, int run, unsigned char *to)
{
    bool inside = is_inside(storage, first, last);
    if (inside && storage->definition == DEFINED_ALL) {
        if (last > first) { /* an empty storage may have no data */
            memcpy(to, storage->data + first, (size_t)(last - first));
        }
        return;
    }
    memset(to, poison(run), (size_t)(last - first));
    if (!inside) {
        return;
    }
    for (int64_t at = first, next; storage->definition == DEFINED_SOME && at < last; at = next) {
        unsigned char mask = storage->defined[at / 8];
        bool eight = at % 8 == 0 && at + 8 <= last;
        bool gap = eight && at % GAP == 0 && at + GAP <= last && is_gap(storage->defined + at / 8);
        next = at + (gap ? GAP : eight ? 8 : 1);
        if (eight && mask != 0) {
            take_eight(storage, at, to + (at - first));
        } else if (mask >> at % 8 & 1) {
            to[at - first] = storage->data[at];
        }
    }
}

void images_fill(struct images *images, const struct program *program, int run)
{
    for (int s = 0; s < program->storages; s++) {
        const struct storage *storage = &program->storage[s];
        int64_t bytes = (int64_t)storage->bytes;
        initial(storage, -BACKEND_GUARD, 0, run, images->image[s]);
        if (!is_zero_copy(images, s)) {
            initial(storage, 0, bytes, run, images->image[s] + BACKEND_GUARD);
        }
        initial(storage, bytes, bytes + BACKEND_GUARD, run, images->image[s] + BACKEND_GUARD + bytes);
    }
}

unsigned char **images_left(const struct images *images)
{
    unsigned char **left = calloc((size_t)images->storages + 1, sizeof *left);
    for (int s = 0; left && s < images->storages; s++) {
        left[s] = images->image[s] ? images->image[s] + BACKEND_GUARD : NULL;
    }
    return left;
}

unsigned char *images_element(const struct images *images, const struct view *view, int64_t i)
{
    size_t at = (size_t)view_element(view, i) * dtype_info(view->dtype)->size;
    return images->image[view->storage] + BACKEND_GUARD + at;
}

/* The same for at most CHUNK bytes: in the storage's own memory if they lie there, else in `room`. */
static const unsigned char *initially(const struct storage *storage, int64_t first, int64_t last, int run,
                                      unsigned char room[CHUNK])
{
    if (is_inside(storage, first, last) && storage->definition == DEFINED_ALL) {
        return storage->data + first;
    }
    initial(storage, first, last, run, room);
    return room;
}

/* The end of the part of a storage that begins at `at`: a guard, the storage, the other guard. */
static int64_t part_end(const struct storage *storage, int64_t at)
{
    int64_t bytes = (int64_t)storage->bytes;
    return at < 0 ? 0 : at < bytes ? bytes : bytes + BACKEND_GUARD;
}

/* True if no byte has changed. Of a zero-copy image only the guards are compared. */
static bool is_as_it_began(const unsigned char *image, const struct storage *storage, int run)
{
    unsigned char room[CHUNK];
    int64_t end = (int64_t)storage->bytes + BACKEND_GUARD;
    for (int64_t at = -BACKEND_GUARD, last; at < end; at = last) {
        int64_t part = part_end(storage, at);
        last = at + CHUNK < part ? at + CHUNK : part;
        const unsigned char *now = image + BACKEND_GUARD + at,
                            *before = initially(storage, at, last, run, room);
        if (now == before) {
            last = part;
        } else if (memcmp(before, now, (size_t)(last - at)) != 0) {
            return false;
        }
    }
    return true;
}

bool images_release_untouched(struct images *images, const struct program *program, int run)
{
    bool good = true;
    for (int s = 0; s < program->storages; s++) {
        const struct storage *storage = &program->storage[s];
        bool zero_copy = is_zero_copy(images, s); /* never one that is read */
        if (is_read(program, s)) {
            continue;
        }
        bool untouched = is_as_it_began(images->image[s], storage, run);
        if (zero_copy) {
            untouched = untouched && XXH128_isEqual(images->zero_copy[s], digest_of(storage));
            good = good && untouched;
        }
        if (untouched) {
            if (!zero_copy) {
                free(images->image[s]);
            }
            images->image[s] = NULL;
        }
    }
    return good;
}

bool images_restore(struct images *images, struct program *program, const struct program *again)
{
    for (int s = 0; s < images->storages; s++) {
        struct storage *storage = &program->storage[s];
        size_t bytes = storage->bytes;
        if (!images->image[s] || !is_zero_copy(images, s)) {
            continue;
        }
        unsigned char *image = storage_allocate(bytes);
        if (!image) {
            return false;
        }
        memcpy(image, images->image[s], bytes + 2 * BACKEND_GUARD);
        memcpy(storage->data, again->storage[s].data, bytes);
        images->image[s] = image;
        images->zero_copy[s] = (XXH128_hash_t){0, 0};
    }
    return true;
}

/* The bytes [first, last), at most CHUNK, of a storage or of one of its guards, that differ from what run
 * `run` began with. */
static void find_changes(const struct images *images, const struct program *program,
                         const struct ownership *ownership, int run, int s, int64_t first, int64_t last,
                         struct clobber *clobber)
{
    const struct storage *storage = &program->storage[s];
    const unsigned char *now = images->image[s] + BACKEND_GUARD + first;
    unsigned char room[CHUNK];
    const unsigned char *before = initially(storage, first, last, run, room);
    bool inside = is_inside(storage, first, last);
    if (memcmp(before, now, (size_t)(last - first)) == 0) {
        return;
    }
    for (int64_t k = 0; k < last - first; k++) {
        if (before[k] == now[k] || (inside && ownership_of(ownership, s, first + k))) {
            continue;
        }
        if (clobber->count++ == 0) {
            clobber->storage = s;
            clobber->byte = first + k;
            clobber->before = before[k];
            clobber->after = now[k];
            clobber->data = inside && storage_defined(storage, (size_t)(first + k));
        }
    }
}

bool images_clobbered(const struct images *images, const struct program *program,
                      const struct ownership *ownership, int run, struct clobber *clobber)
{
    *clobber = (struct clobber){.count = 0};
    for (int s = 0; s < program->storages; s++) {
        int64_t bytes = (int64_t)program->storage[s].bytes;
        for (int64_t at = -BACKEND_GUARD; images->image[s] && at < bytes + BACKEND_GUARD;) {
            int64_t owned = at < 0 || at >= bytes ? 0 : ownership_run(ownership, s, at), last = at + CHUNK;
            if (owned == 0) {
                int64_t end = part_end(&program->storage[s], at);
                last = last < end ? last : end;
                find_changes(images, program, ownership, run, s, at, last, clobber);
            }
            at = owned ? at + owned : last;
        }
    }
    return clobber->count > 0;
}
