/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_TIES_H
#define ASSAY_HARNESS_SHRINK_TIES_H

/* Finds the dimensions of a call that belong together according to its shape rule: the rule is asked about
 * shapes in which some dimensions of equal length are twice as long, and the smallest set that it accepts is
 * one dimension of the problem. The length is doubled so that a number of groups still divides it, and so
 * that a broadcast 1 differs from the length to which it is broadcast. Numbers in list attributes
 * (normalized_shape, size) belong to a set as dimensions do. */

#include "harness/shrink/problem.h"

enum member_kind {
    MEMBER_DIMENSION,  /* dimension `place` of operand `index` */
    MEMBER_ROW_STARTS, /* the dimension of crow_indices, which is one longer than the number of rows */
    MEMBER_ATTRIBUTE   /* number `place` of attribute `index` */
};

struct member {
    enum member_kind kind;
    int index, place;
};

enum { MEMBERS_MAX = OPERANDS_MAX * RANK_MAX + ATTRIBUTES_MAX * INTEGERS_MAX };
enum { TIE_MEMBERS_MAX = 16 }; /* larger sets are not found, and their dimensions keep their length */

struct tie {
    int64_t length;
    int members;
    struct member member[TIE_MEMBERS_MAX];
};

struct ties {
    int count;
    struct tie tie[MEMBERS_MAX];
};

/* Finds the ties of all dimensions longer than 1. */
void ties_find(struct ties *ties, const struct problem *problem);

/* Returns the tie that contains this dimension of the operand; NULL: none. */
const struct tie *ties_of(const struct ties *ties, int operand, int dimension);

/* Copies the problem with only the kept elements of the tie: `count` indices in rising order. Entries of a
 * sparse matrix in removed rows or columns are removed. A whole-number attribute that divides the length (a
 * number of groups) is reduced in proportion where the shape rule requires it. Returns false with `to` empty
 * where the rule accepts no such problem, or memory runs out. */
bool tie_keep(struct problem *to, const struct problem *from, const struct ties *ties, const struct tie *tie,
              const int64_t *kept, int64_t count);

/* Adapts strides, offset and size of a layout to a new shape, with the same gaps between elements and rows.
 */
void tie_lay(struct repro_layout *layout, const struct shape *before, const struct shape *after, size_t size);

#endif
