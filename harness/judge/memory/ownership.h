/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_MEMORY_OWNERSHIP_H
#define ASSAY_HARNESS_JUDGE_MEMORY_OWNERSHIP_H

/* Records which judged tensor wrote each byte of each storage last. It stores the layouts of the tensors, and
 * nothing per byte. Judged tensors have marks, numbered from 1 through all steps; a byte belongs to the last
 * tensor in which it lies. Steps that must be rejected write nothing. */

#include "reference/program/program.h"

struct owned;

struct ownership {
    int storages;
    struct owned_list {
        int64_t count, room;
        struct owned *item; /* in the order of writing */
    } * storage;
    int64_t *first; /* of each step: the mark of its first judged tensor */
};

/* False if out of memory; there is then nothing to destroy. */
bool ownership_create(struct ownership *ownership, const struct program *program, struct error *error);
void ownership_destroy(struct ownership *ownership);

/* The mark of a judged tensor. */
int64_t ownership_mark(const struct ownership *ownership, int step, int judged);

/* The mark of the tensor that owns a byte; 0: none. Bytes of guards have no owner. */
int64_t ownership_of(const struct ownership *ownership, int storage, int64_t byte);

/* True if no tensor after the one of this mark overlaps its range of bytes: it then owns all of them. */
bool ownership_is_undisputed(const struct ownership *ownership, int storage, int64_t mark);

/* How many bytes from `byte` on certainly have an owner, as tensors without gaps show; 0: unknown. */
int64_t ownership_run(const struct ownership *ownership, int storage, int64_t byte);

#endif
