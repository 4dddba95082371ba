/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROGRAM_SLICES_H
#define ASSAY_REFERENCE_PROGRAM_SLICES_H

/* The truth of a large call, computed some rows at a time, so that memory holds one slice only.
 *
 * Independent rows (struct op_rows: no element of one depends on another) may be computed in slices. A slice
 * is a call of its own, with some rows and with the operands that every row reads. It has the same values,
 * radii, sensitivities and envelopes, and so the same bounds, as the whole, to the bit.
 *
 * Element 0 of a slice's truth is element `first` of the judged tensor. Groups of its envelope are numbered
 * from 0 in each slice, and no group lies in two slices; the scale is that of the slice. Threads must not
 * share one. */

#include "reference/program/program.h"

struct truth_slices {
    const struct program *program;
    int step;                   /* its only step, or an observed one */
    unsigned char *const *left; /* as in truth_source */
    struct op_rows rows;
    struct view judged; /* the only judged tensor */
    int64_t row;        /* elements in a row of the judged tensor */
    int64_t per;        /* rows in a slice */
    struct tensor input[OPERANDS_MAX];
    bool whole_gathered;

    /* The current slice: */
    struct op_call call;
    struct truth *truth;  /* NULL: none */
    int64_t first, count; /* the elements of the judged tensor that the slice covers */
};

enum { SLICED_LEAST = 1 << 17 }; /* judged tensors of fewer elements are not sliced */

/* Sets the rows of the call of a step. Returns false if it has none, or several judged tensors. */
bool truth_rows(const struct program *program, int step, struct op_rows *rows);

/* Returns NULL where the truth of the step is not for slices, because its call is small or has no rows; also
 * NULL, with an error, when out of memory. `left`: as in truth_source. `certified`: values within radii are
 * not allowed. `least`: the least number of elements for slices; 0: SLICED_LEAST. */
struct truth_slices *truth_slices_create(const struct program *program, int step, unsigned char *const *left,
                                         bool certified, int64_t least, struct error *error);
void truth_slices_destroy(struct truth_slices **slices); /* accepts NULL, leaves NULL */

/* Seeks to the slice that contains `element` of the judged tensor and computes its truth. Returns false with
 * the reason. */
bool truth_slices_turn_to(struct truth_slices *slices, int64_t element, struct error *error);

/* Returns the CPU time in nanoseconds that all threads of this process have spent on truths of slices so far.
 */
int64_t truth_slices_ns(void);

#endif
