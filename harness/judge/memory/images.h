/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_MEMORY_IMAGES_H
#define ASSAY_HARNESS_JUDGE_MEMORY_IMAGES_H

/* Memory images of a program: what a backend is given and what it must leave alone.
 *
 * Every storage gets a guard zone on both sides; guards and every byte that no tensor defines carry a poison
 * pattern, another one in every other run. Poison A is 0xFF (NaN in every float, −1 in every integer), poison
 * B a finite pattern; a kernel that reads filler then gives NaN, or two different answers. */

#include "reference/program/backend.h"
#include "harness/judge/memory/ownership.h"
#include "reference/base/hash.h"

struct images {
    int storages;
    unsigned char **image; /* of storage_allocate: bytes + 2·BACKEND_GUARD; NULL: released */
    XXH128_hash_t *lent;   /* of an image that is the program's own memory the digest of its data; else 0 */
};

bool images_create(struct images *images, const struct program *program);
/* The same, but for operands of at least `least` bytes that no step writes to and no relation names: their
 * images are the program's own memory, for as long as images_release_untouched has not been asked. `before`:
 * images of an earlier run of the same program, which know the digests of what was lent; or NULL. */
bool images_create_lent(struct images *images, const struct program *program, size_t least,
                        const struct images *before);
void images_destroy(struct images *images);

/* Fills all images with the program's data and the poison of run `run` (0, 1, 2, …). */
void images_fill(struct images *images, const struct program *program, int run);

/* After run `run`: gives back the images of storages that no step writes to and no relation names, where each
 * byte is what it was. Nobody looks at them again. False where the program's own memory was written to, which
 * was lent: the data is to be put back then. */
bool images_release_untouched(struct images *images, const struct program *program, int run);

/* Puts the data of lent images back from the same program, built once more, and keeps what was found there as
 * images of their own. False when out of memory. */
bool images_restore(struct images *images, struct program *program, const struct program *again);

/* The bytes of a view's i-th element. */
unsigned char *images_element(const struct images *images, const struct view *view, int64_t i);

/* Finds the first byte that no step owns and that differs from what the run began with. */
struct clobber {
    int storage;
    int64_t byte;  /* offset from the storage's first byte; negative or ≥ bytes: in a guard zone */
    int64_t count; /* all such bytes */
    unsigned char before, after;
    bool data; /* an input's data, not filler */
};
bool images_clobbered(const struct images *images, const struct program *program,
                      const struct ownership *ownership, int run, struct clobber *clobber);

#endif
