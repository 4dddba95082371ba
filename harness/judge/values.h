/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_VALUES_H
#define ASSAY_HARNESS_JUDGE_VALUES_H

/* A backend's results as numbers beside truth and bound: what outlives the process that asked it, so that
 * results of several backends can be held against each other. */

#include "harness/judge/memory/images.h"
#include "reference/program/program.h"

struct value_tensor {
    int step, judged; /* judged tensor of a step, as step_judged counts them */
    enum dtype dtype;
    struct shape shape;
    /* One number per component, and one bound per element: infinity where a side is open. truth + tail is the
     * truth, to `radius`: 0 where it is certified to 104 bits and more; got rounds where an int64 is beyond
     * 2^53. */
    double *truth, *tail, *radius, *got, *bound;
    unsigned char *bytes; /* as the backend gave them */
};

struct values {
    int count;
    struct value_tensor *tensor; /* owned, as are its arrays */
};

static inline int64_t value_components(const struct value_tensor *tensor)
{
    return count_product(shape_elements(&tensor->shape), dtype_info(tensor->dtype)->components);
}

/* The judged tensors that no later step has written to. The caller clears in either case; false when out of
 * memory. */
bool values_take(struct values *values, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile);
void values_clear(struct values *values);

/* Across processes of one machine and build, through a file that is empty until then. values_load is false
 * where the other process did not write all of it. */
bool values_save(const struct values *values, const char *path);
bool values_load(struct values *values, const char *path);

#endif
