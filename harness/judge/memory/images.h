/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_MEMORY_IMAGES_H
#define ASSAY_HARNESS_JUDGE_MEMORY_IMAGES_H

/* Memory images of a program: the memory that a backend is given and, in part, must leave alone.
 *
 * Every storage has a guard zone on both sides. Guards and every byte that no tensor defines carry a poison
 * pattern, which alternates between runs. Poison A is 0xFF (NaN in every float, −1 in every signed integer),
 * poison B a finite pattern; a kernel that reads poison then returns NaN, or two different results. */

#include "harness/judge/memory/ownership.h"
#include "reference/base/hash.h"
#include "reference/program/backend.h"

struct images {
    int storages;
    unsigned char **image;    /* from storage_allocate: bytes + 2·BACKEND_GUARD; NULL: released */
    XXH128_hash_t *zero_copy; /* digest of the data of a zero-copy image; else 0 */
};

/* Allocates an image for each storage. False if out of memory; there is then nothing to destroy. */
bool images_create(struct images *images, const struct program *program);
/* As images_create, but inputs of at least `least` bytes that no step writes to and no relation names are
 * passed zero-copy: their images are the program's own memory. `before`: images of an earlier run of the same
 * program, whose digests are used again; or NULL. */
bool images_create_zero_copy(struct images *images, const struct program *program, size_t least,
                             const struct images *before);
void images_destroy(struct images *images);

/* Fills all images with the program's data and the poison of run `run` (0, 1, 2, …). */
void images_fill(struct images *images, const struct program *program, int run);

/* To be called after run `run`: releases the images of storages that no step writes to and no relation names,
 * if no byte has changed; no check reads them afterwards. Returns false if the backend overwrote a zero-copy
 * input: images_restore must then restore its data. */
bool images_release_untouched(struct images *images, const struct program *program, int run);

/* Restores the data of overwritten zero-copy inputs from `again`, the same program built once more. The
 * images keep the overwritten bytes, in memory of their own. False if out of memory. */
bool images_restore(struct images *images, struct program *program, const struct program *again);

/* Returns for each storage the bytes that a run has left in it, or NULL where they are released: operands of
 * observed steps (struct truth_source). Release the array, but not the bytes, with free(). NULL when out of
 * memory. */
unsigned char **images_left(const struct images *images);

/* The bytes of element i of a view. */
unsigned char *images_element(const struct images *images, const struct view *view, int64_t i);

/* Finds the first byte that no step owns and that differs from what it was when the run began. Returns true
 * if there is one. */
struct clobber {
    int storage;
    int64_t byte;  /* offset from the storage's first byte; negative or ≥ bytes: in a guard zone */
    int64_t count; /* the number of such bytes */
    unsigned char before, after;
    bool data; /* it belongs to an input's data, not to poison */
};
bool images_clobbered(const struct images *images, const struct program *program,
                      const struct ownership *ownership, int run, struct clobber *clobber);

#endif
