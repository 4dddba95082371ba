/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXP_MCA_H
#define ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXP_MCA_H

/* The inside of matrix_exp_envelope.h: the undisturbed run, the disturbed ones and their noise. Not for
 * others.
 *
 * Matrices of the undisturbed run are row-major, rows `stride` apart: from order 5 on as in double_lu.h, 0
 * beyond the order. Disturbed runs go in groups of eight, side by side as in mca_kernel.h. */

#include "reference/base/philox.h"
#include "reference/numeric/matrix/mca_kernel.h"

#include <stdbool.h>
#include <stddef.h>

enum { MCA_RUNS = 24, MCA_GROUPS = MCA_RUNS / MCA_LANES, PADE_MATRICES = 5 };

static const double noise = 0x1p-30; /* u of the disturbed runs: far above double's, far below 1/condition */

struct runs {
    int n, stride;
    size_t size;          /* of a matrix */
    double *x, *e;        /* the scaled matrix; of the undisturbed run */
    double *next, *error; /* a product; what an element's error is multiplied with */
    double *panels, *pade[PADE_MATRICES];
    double *shared_x, *shared_error;       /* n×n */
    double *lanes_x, *lanes_e[MCA_GROUPS]; /* of eight runs */
    double *lanes_next, *lanes_pade[PADE_MATRICES];
    uint64_t *words;   /* of a product's noise */
    struct philox key; /* of the noise, with the matrix */
    uint64_t position; /* of the next word in its stream */
    double *drawn;     /* noise of a group: see mca_take */
    size_t chunk;
    void *memory;
};

/* The noise is keyed by a, n×n. False when out of memory; destroy then as well. */
bool mca_create(struct runs *r, int n, const double *a);
void mca_destroy(struct runs *r);

/* x = a/2^squarings; e = I in all runs. */
void mca_start(struct runs *r, const double *a, int squarings);

/* Of the undisturbed run: to = left·right; and error = Σ_k s_k² + p_k² of each element's prefixes and
 * products. `to` is another. */
void mca_multiply(const struct runs *r, const double *left, const double *right, double *to);
void mca_multiply_energy(struct runs *r, const double *left, const double *right, double *to);

/* What the disturbed runs do by themselves: e = I + (x·e)/k, or e = e·e where k is 0, with shared_error. */
void mca_step(struct runs *r, int k);

/* e = the [m/m] approximant at x, in all runs. */
void mca_approximate(struct runs *r, int m);

/* A group's noise, word after word. */
struct mca_stream {
    struct runs *runs;
    uint64_t start, apart; /* the first lane's first word; from lane to lane, what a run takes in all */
    uint64_t taken, first, drawn; /* words of each lane: the next; those that are there */
};

/* The next `count` ≤ runs->chunk words: numbers ±noise, which stay until the next call. */
const double *mca_take(struct mca_stream *stream, size_t count);

/* Words that a product takes, a bit for each element. */
static inline size_t mca_product_words(int n)
{
    return ((size_t)n * (size_t)n + 31) / 32;
}

/* The words of a product, as they are, in runs->words. */
void mca_take_words(struct mca_stream *stream);

#endif
