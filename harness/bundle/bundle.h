/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BUNDLE_BUNDLE_H
#define ASSAY_HARNESS_BUNDLE_BUNDLE_H

/* A bundle: one call with its results and their circumstances in one file. The file is a zip archive of
 * uncompressed members, which numpy.load opens as .npz, with a member bundle.json.
 *
 *   input-I.npy        operand I, row-major, bit by bit; bfloat16 as its bits (uint16)
 *   truth-O.npy, truth_tail-O.npy, bound-O.npy
 *                      of judged tensor O, float64 (complex128); the truth is the sum of the first two
 *   got-O.npy          the first run's result, bit by bit
 *                      An output of bundle.json with "truth": false has got-O.npy alone
 *   bundle.json        operator, attributes, layouts (strides, offset, shared memory), seed, environment,
 *                      backend, profile, verdict
 *
 * Memory between the elements of an operand is filled as in every run.
 *
 * A bundle may come from anyone. Members, types, sizes and names are checked before they are used, unknown
 * ones are refused, and nothing in a bundle is executed: the backend that it names is used only if that can
 * start no program but assay's own. */

#include "harness/exec/protocol.h"
#include "harness/shrink/problem.h"

#include <jansson.h>

enum { BUNDLE_VERSION = 1 };

struct bundle_output {
    enum dtype dtype;
    struct shape shape;
    double *truth, *tail; /* owned; one number per component */
    double *bound;        /* owned; one number per element; NULL: unknown */
    struct tensor got;    /* without data: no result */
    bool answered;        /* there is a result */
    bool unjudged;        /* "truth": false: neither truth nor bound are known, as in a capture */
};

struct bundle {
    struct problem problem;
    json_t *json; /* bundle.json, checked; owned */
    int outputs;  /* number of judged tensors; 0: the truth is unknown */
    struct bundle_output output[TRUTH_OUTPUTS_MAX];
    bool profiled;
    struct exec_hello hello; /* holds the profile and its lists */
};

void bundle_clear(struct bundle *bundle);

/* Write or read a bundle. Return false with file and fault. Call bundle_clear after bundle_read in either
 * case. */
bool bundle_write(const struct bundle *bundle, const char *path, struct error *error);
bool bundle_read(const char *path, struct bundle *bundle, struct error *error);

/* Reads bundle.json alone: operands and outputs have types and shapes, but no data. The caller clears the
 * bundle in either case. */
bool bundle_read_json(const char *text, size_t size, struct bundle *bundle, struct error *error);

/* Returns true if the bundle holds the truth of each of its results, of which there is at least one. */
bool bundle_has_truth(const struct bundle *bundle);

/* Returns true if the file begins like a zip archive. */
bool bundle_is_one(const char *path);

/* Returns the text of a member of bundle.json, or of an object in it (NULL: at the top); "" if there is none.
 */
const char *bundle_text(const struct bundle *bundle, const char *object, const char *member);

#endif
