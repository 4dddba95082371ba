/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_CHECK_H
#define ASSAY_HARNESS_CHECK_CHECK_H

/* Does a program keep docs/reference/exec-protocol.md? Every clause as a check of checks.def. Of form and of
 * state, not of numbers: those are judged by wide limits, and for the rest by `assay run`. */

#include "harness/check/conversation.h"
#include "suites/suite.h"

struct check_options {
    const char *command;          /* what sh is to run */
    double time_limit;            /* seconds, of the greeting and of each answer */
    const char *const *operators; /* globs, NULL at the end; none: all that it offers */
};

/* Fills the findings and what the summary says of the program. False where it cannot be started: it ended
 * before it said anything (the findings say why). */
bool check_program(const struct check_options *options, struct findings *findings, struct conversation *c);

/* --- between the files of this room */

struct probe;

struct checker {
    struct conversation *c;
    struct suite_list *list;
    const struct op *op; /* the operator in hand, its leading dtype and its simple call */
    enum dtype dtype;
    struct probe *base;
    bool full;  /* everything is asked, not only whether it answers: once per operator */
    bool large; /* asked already */
    bool right; /* the last operator answered its simple call, and again */
    /* What notes tell at the end: where no call was simple enough, where none was supported. */
    FILE *unasked, *unsupported;
    bool answered;    /* something was, and not with unsupported */
    char reason[256]; /* of the last unsupported */
};

/* Complaints so far, to see whether one has been added. */
int checker_complaints(const struct checker *k);

/* A complaint about an answer that should have been ok. */
void checker_complain_status(struct checker *k, enum check check, const struct probe *probe, const char *fix);
/* After a call of run 1 that was answered ok: complains of bytes that changed and should not have, in gaps of
 * what is written (CHECK_GAPS) and, where all storages came back, in operands that are only read
 * (CHECK_OPERANDS). */
void checker_check_memory(struct checker *k, const struct probe *probe);
/* Asks a call whose answer may be ok or unsupported; complains of anything else under `check`, also of wrong
 * values. True: answered, and right. Takes the program over. */
bool checker_expect(struct checker *k, enum check check, struct program *program, const char *fix);

bool check_attributes(struct checker *k); /* these two: false where something was complained of */
bool check_absent(struct checker *k);
void check_layouts(struct checker *k);  /* strides, gaps, shared storages, empty tensors, bits, size */
void check_refusals(struct checker *k); /* operands that must be refused */
void check_operators(struct checker *k, const char *const *globs);
void check_beyond_the_offer(struct checker *k); /* what was not offered */
void check_memory(struct checker *k);
void check_end(struct checker *k);

#endif
