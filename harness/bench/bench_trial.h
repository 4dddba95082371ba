/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_BENCH_TRIAL_H
#define ASSAY_HARNESS_BENCH_BENCH_TRIAL_H

/* One random problem (suites/problems.h) that the witness solves, what it computed spoiled, and the verdict.
 */

#include "harness/backends/backends.h"
#include "harness/judge/memory/images.h"
#include "reports/records/record.h"
#include "suites/problems.h"

enum spoil {
    SPOIL_NONE,
    SPOIL_SCALE_8,
    SPOIL_SCALE_64,
    SPOIL_SCALE_32,
    SPOIL_SCALE_1000,
    SPOIL_TF32,
    SPOIL_SIGN,
    SPOIL_SINGULAR,
    SPOIL_LOG,
    SPOIL_NORMWISE,
    SPOILS
};

const char *spoil_name(enum spoil spoil);

struct witness {
    const struct backend_class *class;
    struct backend *backend;
};

struct trial {
    struct program *program;
    struct program_truth truth;
    struct profile profile;
    struct images images;
    struct step_result result;
    struct view output; /* the last judged tensor */
    int tensor;
};

/* Builds the problem, its truth and what the backend computes. To be closed also where it failed. */
bool trial_open(struct trial *t, const struct problem *problem, const struct witness *witness,
                struct error *error);
void trial_close(struct trial *t);

/* Of the output: its bytes, truth, and the query for its limits. */
unsigned char *trial_element(const struct trial *t, int64_t i);
const struct value *trial_truth(const struct trial *t, int64_t element);
struct bound_query trial_query(const struct trial *t, int64_t element);

/* Copies the images, but not that of the storage `except` (−1: all). */
void trial_copy(const struct trial *t, const struct images *to, const struct images *from, int except);

/* Whether there is something to spoil: a negative determinant has no logarithm. */
bool trial_has_value(const struct trial *t, enum spoil spoil);

/* Spoils what was computed, which `computed` holds; the operands are again as they were. */
bool trial_spoil(struct trial *t, enum spoil spoil, const struct images *computed,
                 const struct witness *witness, struct error *error);

bool trial_judge(const struct trial *t, struct record *record, struct error *error);

#endif
