/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROGRAM_SLICES_H
#define ASSAY_REFERENCE_PROGRAM_SLICES_H

/* The truth of a large call, some of its rows at a time.
 *
 * Rows that know nothing of each other (struct op_rows) may be asked one slice after the other: a slice is a
 * call of its own, of the rows in hand and of what every row reads, and has the same values, radii,
 * sensitivities, envelopes and so limits as the whole would have, to the bit. Memory then holds one slice.
 *
 * Of a slice's truth element 0 is element `first` of the judged tensor; groups of its envelope are numbered
 * from 0 again, none lies in two slices; its scale is its own. One thread at a time. */

#include "reference/program/program.h"

struct truth_slices {
    const struct program *program; /* of one step */
    struct op_rows rows;
    struct view judged; /* the one judged tensor */
    int64_t row;        /* its elements to a row */
    int64_t per;        /* rows to a slice */
    struct tensor input[OPERANDS_MAX];
    bool whole_gathered;

    /* The slice in hand: */
    struct op_call call;
    struct truth *truth;  /* NULL: none */
    int64_t first, count; /* elements of the judged tensor */
};

enum { SLICED_LEAST = 1 << 17 }; /* elements of a judged tensor that is worth it */

/* How the call of a program's only step falls into rows; false where it does not, or has several judged
 * tensors. */
bool truth_rows(const struct program *program, struct op_rows *rows);

/* NULL where the program's truth is not for slices: it has more than one step, its call is small or has no
 * rows. `certified`: values within radii will not do. `least`: elements from which on; 0: SLICED_LEAST. */
struct truth_slices *truth_slices_create(const struct program *program, bool certified, int64_t least,
                                         struct error *error);
void truth_slices_destroy(struct truth_slices **slices); /* accepts NULL, leaves NULL */

/* Turns to the slice with this element of the judged tensor. False with the reason. */
bool truth_slices_turn_to(struct truth_slices *slices, int64_t element, struct error *error);

/* CPU time that truths of slices have taken in this process so far, by whatever thread, nanoseconds. */
int64_t truth_slices_ns(void);

#endif
