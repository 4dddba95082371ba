/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_VALUES_H
#define ASSAY_HARNESS_JUDGE_VALUES_H

/* A backend's results as numbers, beside truth and bound. They outlive the process that ran the backend, so
 * that results of several backends can be compared. */

#include "harness/judge/memory/images.h"
#include "reference/program/program.h"

struct value_tensor {
    int step, judged; /* judged tensor of a step, counted as step_judged does */
    enum dtype dtype;
    struct shape shape;
    /* One number per component, but one bound per element, infinite if one side is open. truth + tail is the
     * truth, up to `radius`, which is 0 if the truth is certified to 104 bits or more. `got` is rounded if an
     * int64 lies beyond 2^53. */
    double *truth, *tail, *radius, *got, *bound;
    unsigned char *bytes; /* the result as the backend returned it */
};

struct values {
    int count;
    struct value_tensor *tensor; /* owned, as are its arrays */
};

static inline int64_t value_components(const struct value_tensor *tensor)
{
    return count_product(shape_elements(&tensor->shape), dtype_info(tensor->dtype)->components);
}

/* Collects the judged tensors that no later step writes to. False if out of memory; the caller calls
 * values_clear in either case. */
bool values_take(struct values *values, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile);
void values_clear(struct values *values);

/* Visits the numbers of a program's only judged tensor slice by slice, where its truth comes in slices. Each
 * part has the shape [elements]; all parts in turn are the tensor, row-major. Returns false if out of memory,
 * if a slice has no truth, or once `take` returns false. */
typedef bool values_take_part(void *user, const struct value_tensor *part);
bool values_in_slices(const struct program *program, const struct program_truth *truth,
                      const struct images *images, const struct profile *profile, values_take_part *take,
                      void *user);

/* Transfer values between processes of one build on one machine, through a file. values_load returns false if
 * the file is not complete; the caller calls values_clear in either case. */
bool values_save(const struct values *values, const char *path);
bool values_load(struct values *values, const char *path);

#endif
