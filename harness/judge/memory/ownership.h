/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_MEMORY_OWNERSHIP_H
#define ASSAY_HARNESS_JUDGE_MEMORY_OWNERSHIP_H

/* Which judged tensor wrote each byte of each storage last. Kept are the tensors' layouts, nothing per byte:
 * judged tensors are numbered from 1 through all steps, and of those in which a byte lies the last one has
 * it. Steps that must be rejected write nothing. */

#include "reference/program/program.h"

struct owned;

struct ownership {
    int storages;
    struct owned_list {
        int64_t count, room;
        struct owned *item; /* in the order of writing */
    } * storage;
    int64_t *first; /* per step, the mark of its first judged tensor */
};

/* False when out of memory; nothing is left to destroy then. */
bool ownership_create(struct ownership *ownership, const struct program *program, struct error *error);
void ownership_destroy(struct ownership *ownership);

int64_t ownership_mark(const struct ownership *ownership, int step, int judged);

/* The mark of a byte's owner; 0: nobody's. Guards are nobody's. */
int64_t ownership_of(const struct ownership *ownership, int storage, int64_t byte);

/* Whether no tensor after the one of this mark lies near its bytes: it then owns all of them. */
bool ownership_is_undisputed(const struct ownership *ownership, int storage, int64_t mark);

/* How many bytes from `byte` on are seen at once to be somebody's; 0: none, as far as that goes. */
int64_t ownership_run(const struct ownership *ownership, int storage, int64_t byte);

#endif
