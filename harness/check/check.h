/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_CHECK_H
#define ASSAY_HARNESS_CHECK_CHECK_H

/* Checks that a program keeps docs/reference/exec-protocol.md: every clause of that page is a check of
 * checks.def. The checks are about form and state. Numbers are compared only within wide bounds
 * (probe_right); `assay run` judges them. */

#include "harness/check/conversation.h"
#include "suites/suite.h"

struct check_options {
    const char *command;          /* the command for sh */
    double time_limit;            /* seconds, for the greeting and for each answer */
    const char *const *operators; /* globs, NULL at the end; none: all operators that the program offers */
};

/* Runs all checks; fills the findings and the parts of `c` that the summary prints. Returns false if the
 * program could not be started or ended before its greeting (the findings say why). */
bool check_program(const struct check_options *options, struct findings *findings, struct conversation *c);

/* --- shared by the files of this folder */

struct probe;

struct checker {
    struct conversation *c;
    struct suite_list *list;
    const struct op *op; /* the current operator, its leading dtype and its simple call */
    enum dtype dtype;
    struct probe *base;
    bool full;  /* run every check, not only the simple call: once per operator */
    bool large; /* the large call has been made */
    bool right; /* the last operator answered its simple call correctly, twice */
    /* Texts of notes at the end: places without a simple call, and places whose simple calls were all
     * unsupported. */
    FILE *unasked, *unsupported;
    bool answered;    /* at least one call was answered otherwise than with unsupported */
    char reason[256]; /* of the latest answer unsupported */
};

/* Returns the number of complaints so far. */
int checker_complaints(const struct checker *k);

/* Complains of an answer whose status should have been ok. */
void checker_complain_status(struct checker *k, enum check check, const struct probe *probe, const char *fix);
/* After a call of run 1 that was answered ok: complains of bytes that changed and must not, in gaps of
 * written operands (CHECK_GAPS) and, if all storages came back, in operands that are only read
 * (CHECK_OPERANDS). */
void checker_check_memory(struct checker *k, const struct probe *probe);
/* Sends a call whose answer may be ok or unsupported. Complains of any other status, and of wrong values,
 * under `check`. Takes ownership of the program. Returns true if the answer was ok and correct, or if the
 * call could not be made. */
bool checker_expect(struct checker *k, enum check check, struct program *program, const char *fix);

bool check_attributes(struct checker *k); /* both return false after a complaint */
bool check_absent(struct checker *k);
/* Checks requests to repeat the operator. `is_exact`: the same call has the same bits. Returns false after a
 * complaint. */
bool check_repeated(struct checker *k, bool is_exact);
void check_layouts(struct checker *k);  /* strides, gaps, shared storages, empty tensors, bits, size */
void check_refusals(struct checker *k); /* operands that must be refused */
void check_operators(struct checker *k, const char *const *globs);
void check_beyond_the_offer(struct checker *k); /* operators and dtypes that were not offered */
void check_memory(struct checker *k);
void check_end(struct checker *k);

#endif
