/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_DIAGNOSE_TEST_STORIES_H
#define ASSAY_HARNESS_DIAGNOSE_TEST_STORIES_H

/* Stories: calls with the wrong results of a backend, whose cause is known, or which have none that assay
 * knows. Beside the faults of planted.h these have operands of several dtypes, and more causes. */

#include "reference/base/tensor.h"

enum { STORY_INPUTS = 5, STORY_NUMBERS = 8192 };

struct story_tensor {
    enum dtype dtype;
    struct shape shape;
    double x[STORY_NUMBERS];
};

/* The operands and results of the current story. `pattern`: elements of result 0 from `patterned` on have
 * these bytes, repeated. */
struct story_data {
    uint64_t seed;
    int inputs, results;
    struct story_tensor in[STORY_INPUTS], got[1];
    unsigned char pattern[4];
    int64_t patterned; /* < 0: none */
};
extern struct story_data story;

struct story {
    const char *name, *call, *expected; /* expected NULL: not explained; "undefined": of a conversion */
    void (*tell)(void);
    const char *dtype; /* for --dtype; NULL: the files have it */
};

extern const struct story stories_first[], stories_second[], stories_third[],
    stories_alike[]; /* end with a NULL name */

/* --- operands, rounded to their dtype */

double story_uniform(void); /* in (0, 1) */
double story_normal(void);
double story_round(enum dtype dtype, double x);
void story_numbers(int i, enum dtype dtype, struct shape shape, double scale, double shift); /* N(0, 1) */
void story_whole(int i, enum dtype dtype, struct shape shape, int64_t least, int64_t most);
void story_scalar(int i, enum dtype dtype, double x);

/* Sets dtype and shape of the result; story_put sets one element. */
void story_result(enum dtype dtype, struct shape shape);
void story_put(int64_t at, long double x);
double story_in(int i, int64_t at);

/* --- right results, rounded once */

void story_matmul(int64_t m, int64_t k, int64_t n, bool transposed); /* of inputs 0 and 1 */
/* (x − m)/sqrt(v·times + eps)·w + b of rows of n, of input 0; w and b: inputs, or −1 */
void story_layer_norm(int64_t rows, int64_t n, double eps, double times, int w, int b);

/* Adds terms one after the other, each sum rounded to `format`. `block`: totals of this many terms are added.
 */
double story_sum(const double *term, int64_t count, int64_t block, enum dtype format);

#endif
