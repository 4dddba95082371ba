/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_COLLECTION_H
#define ASSAY_HARNESS_FORMATS_COLLECTION_H

/* Files that hold several tensors by name: numpy's .npz and safetensors.
 *
 * Opening reads what the file says of its tensors and checks that against the file; only the tensor that is
 * asked for is read. */

#include "reference/base/tensor.h"

#include <stdio.h>

struct archive;

struct collection_entry {
    char *name; /* owned */
    enum dtype dtype;
    struct shape shape;
    char *fault;       /* owned; why this tensor cannot be read, NULL: it can */
    int64_t at, bytes; /* safetensors: of its numbers in the file; .npz: of its header, of its numbers */
    bool fortran;
};

struct collection {
    const char *path; /* the caller's */
    int count;
    struct collection_entry *entry; /* in the file's order */
    bool ordered;                   /* that order is the caller's of numpy.savez, and not the writer's */
    struct archive *archive;        /* .npz */
    FILE *file;                     /* safetensors */
};

/* By the path's ending, .npz or .safetensors; false with file and fault. Closed by the caller in either case.
 */
bool collection_open(struct collection *collection, const char *path, struct error *error);
void collection_close(struct collection *collection);

/* The tensor of that name; numpy's names do without the ".npy" of their member. −1: none. */
int collection_find(const struct collection *collection, const char *name);

/* Reads entry i, whose fault is the error where it has one; the caller destroys the tensor. */
bool collection_read(struct collection *collection, int i, struct tensor *tensor, struct error *error);

/* "x float32 [2, 3], y int64 [4]", cut with "…" where it does not fit; of a hostile name what is printable.
 */
void collection_list(const struct collection *collection, char *text, size_t size);

/* "A.npz" and "x" of "A.npz:x", or the whole and NULL; false where neither the text nor its first part has
 * one of the endings. `path` holds the first part. */
bool collection_split(const char *text, char *path, size_t size, const char **name);

#endif
