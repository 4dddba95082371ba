/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_TIES_H
#define ASSAY_HARNESS_SHRINK_TIES_H

/* Which dimensions of a call belong together, as its shape rule says: the rule is asked about shapes in which
 * some of equal length are twice as long, and the smallest set that it takes is one dimension of the problem.
 * Twice, so that a number of groups still divides it, and so that a 1 that is broadcast is told from what it
 * is broadcast to. Numbers in lists (normalized_shape, size) belong to a set as dimensions do. */

#include "harness/shrink/problem.h"

enum member_kind {
    MEMBER_DIMENSION,  /* of operand `index` */
    MEMBER_ROW_STARTS, /* the only one of crow_indices: one longer than there are rows */
    MEMBER_ATTRIBUTE   /* number `place` of attribute `index` */
};

struct member {
    enum member_kind kind;
    int index, place;
};

enum { MEMBERS_MAX = OPERANDS_MAX * RANK_MAX + ATTRIBUTES_MAX * INTEGERS_MAX };
enum { TIE_MEMBERS_MAX = 16 }; /* a set that takes more is not found: its dimension keeps its length */

struct tie {
    int64_t length;
    int members;
    struct member member[TIE_MEMBERS_MAX];
};

struct ties {
    int count;
    struct tie tie[MEMBERS_MAX];
};

/* Of all dimensions longer than 1. */
void ties_find(struct ties *ties, const struct problem *problem);

/* Those that hold the dimension of that operand; NULL: none. */
const struct tie *ties_of(const struct ties *ties, int operand, int dimension);

/* The problem with those elements of the tie alone, `count` of them in rising order. Entries of a sparse
 * matrix in rows or columns that go, go too; attributes of one whole number that divides the length (a number
 * of groups) shrink in proportion where the shape rule asks for it. False, `to` empty, where the rule takes
 * nothing of the kind, or memory is short. */
bool tie_keep(struct problem *to, const struct problem *from, const struct ties *ties, const struct tie *tie,
              const int64_t *kept, int64_t count);

/* The strides that another length of each dimension has, with the same gaps between elements and rows. */
void tie_lay(struct repro_layout *layout, const struct shape *before, const struct shape *after, size_t size);

#endif
