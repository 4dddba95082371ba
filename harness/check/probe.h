/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_PROBE_H
#define ASSAY_HARNESS_CHECK_PROBE_H

/* One call to the program under test: made from a case of the suites, or from another call by changing one
 * thing, with the truth by which its answer is judged within wide bounds. */

#include "harness/check/conversation.h"
#include "suites/suite.h"

struct probe {
    struct program *program; /* has one step; NULL: none */
    struct program_truth truth;
    struct images images;    /* as sent, then as answered */
    enum step_status status; /* of the latest answer */
    char message[256];
};

/* How relayout lays out or changes the operands of a call. */
enum relayout {
    RELAYOUT_CONTIGUOUS,
    RELAYOUT_STEPPED,    /* every second element of a storage, from element 3 */
    RELAYOUT_TRANSPOSED, /* the last two dimensions are exchanged in memory, from element 1 */
    /* the first dimension of operands that are only read has stride 0, which changes the values */
    RELAYOUT_EXPANDED,
    RELAYOUT_ROLLED, /* element i + 1 gets the value of element i, in operands that hold numbers */
    RELAYOUT_NAN,    /* every number becomes NaN */
    /* the first dimension becomes 0, in the leading operand and in operands that have the same one */
    RELAYOUT_EMPTY
};

/* Returns the call of a one-step program with its operands changed as `how` says; NULL where the operator
 * refuses it, or where it would be the same call. `attributes`: replaces the call's own; NULL: keep them. */
struct program *relayout(const struct program *from, enum relayout how, const struct attributes *attributes);

/* Takes ownership of the program and computes its truth (of a call that must be refused: none). Returns false
 * if there is no program or no truth. */
bool probe_make(struct probe *probe, struct program *program, const struct profile *profile);
void probe_destroy(struct probe *probe);

/* Finds simple call number n of an operator: few ordinary numbers, contiguous, attributes at their defaults.
 */
bool probe_simple(struct probe *probe, const struct suite_list *list, const struct op *op, enum dtype dtype,
                  int n, const struct profile *profile);

/* Sends the call; the images begin with the poison of run `run`. In run 1 every storage comes back, if the
 * program offers that. */
enum step_status probe_ask(struct probe *probe, struct conversation *c, int run);

/* As probe_ask in run 0, with the request to run the operator `repeats` times after a warm-up. */
enum step_status probe_ask_repeated(struct probe *probe, struct conversation *c, int repeats);

/* Returns true if the answer is right: within 8 times the profile's error bound, or within a sixteenth of the
 * greatest element; within the error bound itself if `strict`. Otherwise describes the first wrong
 * element. */
bool probe_right(const struct probe *probe, const struct profile *profile, bool strict, char *text,
                 size_t size);

/* Returns true if the results of two calls have the same dtypes and shapes. */
bool probe_alike(const struct probe *a, const struct probe *b);

/* Returns true if two answers of the same form have the same bits (any NaN equals any NaN); otherwise
 * describes the first element that differs. */
bool probe_same(const struct probe *a, const struct probe *b, char *text, size_t size);

/* Returns true if an operand that should have been written in place came back as it was sent. */
bool probe_unwritten(const struct probe *probe);

#endif
