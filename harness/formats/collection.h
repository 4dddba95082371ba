/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_COLLECTION_H
#define ASSAY_HARNESS_FORMATS_COLLECTION_H

/* Files that hold several named tensors: numpy's .npz and safetensors.
 *
 * Opening reads the file's description of its tensors and checks it against the file. Tensors are read one by
 * one on request. */

#include "reference/base/tensor.h"

#include <stdio.h>

struct archive;

struct collection_entry {
    char *name; /* owned */
    enum dtype dtype;
    struct shape shape;
    char *fault; /* owned; why this tensor cannot be read; NULL: it can */
    /* safetensors: place and size of its numbers in the file; .npz: sizes of its header and of its numbers
     */
    int64_t at, bytes;
    bool fortran;
};

struct collection {
    const char *path; /* owned by the caller */
    int count;
    struct collection_entry *entry; /* in the file's order */
    bool ordered;                   /* the order is that in which numpy.savez was given the tensors */
    struct archive *archive;        /* .npz */
    FILE *file;                     /* safetensors */
};

/* Opens a file by the ending of its path, .npz or .safetensors. Returns false with file and fault. The caller
 * closes the collection in either case. */
bool collection_open(struct collection *collection, const char *path, struct error *error);
void collection_close(struct collection *collection);

/* Returns the index of a name; −1: there is none. Names in .npz files lack the ".npy" of their member. */
int collection_find(const struct collection *collection, const char *name);

/* Reads entry i. Returns false with the error, which is the entry's fault if it has one. The caller destroys
 * the tensor. */
bool collection_read(struct collection *collection, int i, struct tensor *tensor, struct error *error);

/* Writes "x float32 [2, 3], y int64 [4]", cut with "…" where it does not fit. Control characters in names are
 * replaced. */
void collection_list(const struct collection *collection, char *text, size_t size);

/* Splits "A.npz:x" into "A.npz" and "x"; a text without a name gives the whole text and NULL. Returns false
 * if neither the text nor its first part has one of the endings. `path` receives the first part. */
bool collection_split(const char *text, char *path, size_t size, const char **name);

#endif
