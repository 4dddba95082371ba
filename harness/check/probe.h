/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_PROBE_H
#define ASSAY_HARNESS_CHECK_PROBE_H

/* One call that a program is asked: made from a case of the suites, or from another call by changing one
 * thing, with the truth by which the answer is judged in wide limits. */

#include "harness/check/conversation.h"
#include "suites/suite.h"

struct probe {
    struct program *program; /* of one step; NULL: none */
    struct program_truth truth;
    struct images images;    /* as asked, then as answered */
    enum step_status status; /* of the last answer */
    char message[256];
};

/* How the operands of a call are laid out, or changed. */
enum relayout {
    RELAYOUT_CONTIGUOUS,
    RELAYOUT_STEPPED,    /* every second element of a storage, three in */
    RELAYOUT_TRANSPOSED, /* the last two dimensions exchanged in memory, one element in */
    RELAYOUT_EXPANDED,   /* the first dimension of what is only read has stride 0: other values */
    RELAYOUT_ROLLED,     /* element i + 1 has the value of element i, in what holds numbers */
    RELAYOUT_NAN,        /* every number is NaN */
    RELAYOUT_EMPTY /* the first dimension is 0, of the leading operand and of those that have the same one */
};

/* The operator's call on the operands of a one-step program, in the layout; NULL where the operator refuses
 * it, or where it would be the same call. `attributes`: instead of its own; NULL. */
struct program *relayout(const struct program *from, enum relayout how, const struct attributes *attributes);

/* Takes the program over and computes its truth (that of a refusal is none). False: there is none. */
bool probe_make(struct probe *probe, struct program *program, const struct profile *profile);
void probe_destroy(struct probe *probe);

/* The n-th simple call of an operator: few, ordinary numbers, contiguous, attributes at their defaults. */
bool probe_simple(struct probe *probe, const struct suite_list *list, const struct op *op, enum dtype dtype,
                  int n, const struct profile *profile);

/* Asks it; the images begin with the poison of run `run`. In run 1 every storage comes back, where the program
 * offers that. */
enum step_status probe_ask(struct probe *probe, struct conversation *c, int run);

/* Whether the answer is the truth: by the profile's bound times 8, or a sixteenth of the greatest element; to
 * the profile's bound itself if `strict`. False with the first element that is not. */
bool probe_right(const struct probe *probe, const struct profile *profile, bool strict, char *text,
                 size_t size);

/* Whether the results of two calls have the same dtypes and shapes. */
bool probe_alike(const struct probe *a, const struct probe *b);

/* Whether two alike answers have the same bits (a NaN any NaN); false with the first element that differs. */
bool probe_same(const struct probe *a, const struct probe *b, char *text, size_t size);

/* Whether a judged tensor that is written in place is as it was sent, and should not be. */
bool probe_unwritten(const struct probe *probe);

#endif
