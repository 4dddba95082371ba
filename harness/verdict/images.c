/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/images.h"

#include <stdlib.h>
#include <string.h>

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
    if (at < 0 || at >= (int64_t)storage->bytes || !storage->defined[at]) {
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
        for (size_t at = 0; at < storage->bytes; at++) {
            bytes[at] = storage->defined[at] ? storage->data[at] : bytes[at];
        }
    }
}

unsigned char *images_element(const struct images *images, const struct view *view, int64_t i)
{
    size_t at = (size_t)view_element(view, i) * dtype_info(view->dtype)->size;
    return images->image[view->storage] + BACKEND_GUARD + at;
}

uint16_t ownership_mark(const struct ownership *ownership, int step, int judged)
{
    return (uint16_t)(ownership->first[step] + judged);
}

static void own(struct ownership *ownership, const struct view *view, uint16_t mark)
{
    size_t size = dtype_info(view->dtype)->size;
    int64_t count = shape_elements(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        size_t at = (size_t)view_element(view, i) * size;
        for (size_t b = 0; b < size; b++) {
            ownership->owner[view->storage][at + b] = mark;
        }
    }
}

static bool lay_out(struct ownership *ownership, const struct program *program)
{
    ownership->owner = calloc((size_t)program->storages + 1, sizeof *ownership->owner);
    ownership->first = calloc((size_t)program->steps + 1, sizeof *ownership->first);
    bool good = ownership->owner && ownership->first;
    for (int s = 0; good && s < program->storages; s++) {
        ownership->owner[s] = calloc(program->storage[s].bytes + 1, sizeof **ownership->owner);
        good = ownership->owner[s] != NULL;
    }
    return good;
}

bool ownership_create(struct ownership *ownership, const struct program *program, struct error *error)
{
    int64_t next = 1;
    *ownership = (struct ownership){.storages = program->storages};
    bool good = lay_out(ownership, program) || error_set(error, "out of memory for who writes which byte");
    for (int s = 0; good && s < program->steps; s++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = program->step[s].expect == EXPECT_VALUE ? step_judged(&program->step[s], judged) : 0;
        if (next + count - 1 > OWNERS_MAX) {
            good = error_set(error, "steps up to %d write more than %d tensors (OWNERS_MAX)", s, OWNERS_MAX);
            break;
        }
        ownership->first[s] = (uint16_t)next;
        next += count;
        for (int j = 0; j < count; j++) {
            own(ownership, &judged[j], ownership_mark(ownership, s, j));
        }
    }
    if (!good) {
        ownership_destroy(ownership);
    }
    return good;
}

void ownership_destroy(struct ownership *ownership)
{
    for (int s = 0; ownership->owner && s < ownership->storages; s++) {
        free(ownership->owner[s]);
    }
    free(ownership->owner);
    free(ownership->first);
    *ownership = (struct ownership){.storages = 0};
}

bool images_clobbered(const struct images *images, const struct program *program,
                      const struct ownership *ownership, int run, struct clobber *clobber)
{
    *clobber = (struct clobber){.count = 0};
    for (int s = 0; s < program->storages; s++) {
        const struct storage *storage = &program->storage[s];
        int64_t bytes = (int64_t)storage->bytes;
        for (int64_t at = -BACKEND_GUARD; at < bytes + BACKEND_GUARD; at++) {
            bool inside = at >= 0 && at < bytes;
            unsigned char before = initial(storage, at, run), after = images->image[s][at + BACKEND_GUARD];
            if (before == after || (inside && ownership->owner[s][at])) {
                continue;
            }
            if (clobber->count++ == 0) {
                clobber->storage = s;
                clobber->byte = at;
                clobber->before = before;
                clobber->after = after;
                clobber->data = inside && storage->defined[at];
            }
        }
    }
    return clobber->count > 0;
}
