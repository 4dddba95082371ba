/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_BLOCK_CASES_H
#define ASSAY_SUITES_BLOCK_CASES_H

/* The cases of a block: each call of its covering array forward, and forward and backward. */

#include "suites/block/array.h"
#include "suites/block/layers.h"

enum { BLOCK_NAME = 96 };

struct block_kind {
    const char *op;   /* the operator in the id: the one that leads the block */
    const char *name; /* begins a case's name */
    const char *file; /* where the block stands */
    int line;
    struct block_axes (*axes)(void);
    int batch, dtype; /* which axes */
    block_build *build;
    void (*print)(const struct block_call *call, char *text, size_t size); /* the rest of the name */
    bool separate; /* no sample depends on another: there are cases of samples alone too */
};

/* Declares the cases of a kind, which has static storage. The first call is a smoke case. Samples alone make
 * up to three blocks more, and are at level standard up to a work of BLOCK_ALONE. */
enum { BLOCK_ALONE = 1 << 23 };
void block_declare(struct suite_list *list, const struct block_kind *kind);

#endif
