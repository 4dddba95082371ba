/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_BENCH_TRIAL_H
#define ASSAY_HARNESS_BENCH_BENCH_TRIAL_H

/* A trial: one random problem (suites/problems.h) that the CPU backend solves, its result spoiled in one way,
 * and the verdict. */

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

struct cpu_backend {
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

/* Builds the problem, its truth and the backend's result. Call trial_close in either case. */
bool trial_open(struct trial *t, const struct problem *problem, const struct cpu_backend *cpu_backend,
                struct error *error);
void trial_close(struct trial *t);

/* Return the bytes of an element of the output, its truth, and the query for its error bound. */
unsigned char *trial_element(const struct trial *t, int64_t i);
const struct value *trial_truth(const struct trial *t, int64_t element);
struct bound_query trial_query(const struct trial *t, int64_t element);

/* Copies the images, except that of storage `except` (−1: copies all). */
void trial_copy(const struct trial *t, const struct images *to, const struct images *from, int except);

/* Returns true if the result can be spoiled in this way: a negative determinant has no logarithm. */
bool trial_has_value(const struct trial *t, enum spoil spoil);

/* Copies the images in `computed` and spoils the result in them. The operands are as before afterwards. */
bool trial_spoil(struct trial *t, enum spoil spoil, const struct images *computed,
                 const struct cpu_backend *cpu_backend, struct error *error);

bool trial_judge(const struct trial *t, struct record *record, struct error *error);

#endif
