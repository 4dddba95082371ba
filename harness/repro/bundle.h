/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_BUNDLE_H
#define ASSAY_HARNESS_REPRO_BUNDLE_H

/* One call, what came of it and where, in one file: a zip archive of stored members that numpy.load opens as
 * .npz, and bundle.json.
 *
 *   input-I.npy   operand I, its elements row-major, bit by bit; bfloat16 is its bits (uint16). Where they
 * lie (strides, offset, shared memory) stands in bundle.json; memory between them is filler, as in every run
 *   truth-O.npy, truth_tail-O.npy, bound-O.npy   of judged tensor O, float64 (complex128): the truth is the
 * sum of the first two got-O.npy     the first run's result, bit by bit bundle.json   the rest: operator,
 * attributes, seed, environment, backend, profile, verdict
 *
 * A bundle comes from anywhere. Members, types, sizes and names are checked before they are used, what is not
 * known is refused, and nothing in it is run: a backend that it names is asked only where naming it can start
 * no program but ours. */

#include "harness/exec/protocol.h"
#include "harness/shrink/problem.h"

#include <jansson.h>

enum { BUNDLE_VERSION = 1 };

struct bundle_output {
    enum dtype dtype;
    struct shape shape;
    double *truth, *tail; /* owned; one for each component */
    double *bound;        /* one for each element; NULL: not known */
    struct tensor got;    /* no data: no result */
    bool answered;        /* there is one */
};

struct bundle {
    struct problem problem;
    json_t *json; /* bundle.json, checked; owned */
    int outputs;  /* judged tensors; 0: the truth is not known */
    struct bundle_output output[TRUTH_OUTPUTS_MAX];
    bool profiled;
    struct exec_hello hello; /* holds the profile */
};

void bundle_clear(struct bundle *bundle);

/* False with file and fault. */
bool bundle_write(const struct bundle *bundle, const char *path, struct error *error);
bool bundle_read(const char *path, struct bundle *bundle, struct error *error);

/* bundle.json alone: operands and outputs then have types and shapes, and no data. The caller clears in
 * either case. */
bool bundle_read_json(const char *text, size_t size, struct bundle *bundle, struct error *error);

/* Whether the file begins as an archive does. */
bool bundle_is_one(const char *path);

/* Its texts: "" where there is none. */
const char *bundle_text(const struct bundle *bundle, const char *object, const char *member);

#endif
