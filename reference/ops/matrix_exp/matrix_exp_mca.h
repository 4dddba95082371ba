/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXP_MCA_H
#define ASSAY_REFERENCE_OPS_MATRIX_EXP_MATRIX_EXP_MCA_H

/* Internal to matrix_exp_envelope.h: Monte Carlo arithmetic. One nominal evaluation of e^A in double and
 * MCA_RUNS perturbed evaluations advance together, one operation at a time: call mca_create, mca_start, then
 * mca_approximate or one mca_step for each product, and compare the results.
 *
 * Matrices of the nominal evaluation are row-major, rows `stride` apart; from order 5 on padded with zeros as
 * in double_lu.h. Perturbed evaluations are computed in groups of eight, one SIMD lane each
 * (mca_kernel.h). */

#include "reference/base/philox.h"
#include "reference/numeric/matrix/mca_kernel.h"

#include <stdbool.h>
#include <stddef.h>

enum { MCA_RUNS = 24, MCA_GROUPS = MCA_RUNS / MCA_LANES, PADE_MATRICES = 5 };

/* The unit roundoff of the perturbed evaluations: far above double's, far below 1/condition. */
static const double noise = 0x1p-30;

struct runs {
    int n, stride;
    size_t size;          /* of a nominal matrix, in elements */
    double *x, *e;        /* nominal: the scaled matrix and the result so far */
    double *next, *error; /* nominal: the last product and its energies (mca_multiply_energy) */
    double *panels, *pade[PADE_MATRICES];
    double *shared_x, *shared_error; /* n×n: the scaled matrix; the magnitude of each element's error */
    double *lanes_x, *lanes_e[MCA_GROUPS]; /* perturbed, in lanes: the scaled matrix and the results so far */
    double *lanes_next, *lanes_pade[PADE_MATRICES];
    uint64_t *words;   /* random words for a product */
    struct philox key; /* derived from the matrix */
    uint64_t position; /* index of the next word of the random stream */
    double *drawn;     /* noise of a group: see mca_take */
    size_t chunk;
    void *memory;
};

/* a: n×n, from whose bits the key of the noise is derived. False when out of memory; mca_destroy must be
 * called in either case. */
bool mca_create(struct runs *r, int n, const double *a);
void mca_destroy(struct runs *r);

/* Sets x = a/2^squarings and e = I in all evaluations. */
void mca_start(struct runs *r, const double *a, int squarings);

/* Nominal: to = left·right; the second also sets error = Σ_k s_k² + p_k² over the products p_k and prefix
 * sums s_k of each element. `to` must differ from both factors. */
void mca_multiply(const struct runs *r, const double *left, const double *right, double *to);
void mca_multiply_energy(struct runs *r, const double *left, const double *right, double *to);

/* Perturbed: e = I + (x·e)/k, or e = e·e if k is 0, each element perturbed by ±shared_error. */
void mca_step(struct runs *r, int k);

/* Sets e = the [m/m] Padé approximant at x, in all evaluations. */
void mca_approximate(struct runs *r, int m);

/* The random words of one group of perturbed evaluations. */
struct mca_stream {
    struct runs *runs;
    /* start: index of the first lane's first word; apart: the distance from lane to lane, which is the number
     * of words that one evaluation consumes. */
    uint64_t start, apart;
    /* Words of each lane: `taken` are consumed, [first, drawn) are in runs->drawn. */
    uint64_t taken, first, drawn;
};

/* Converts the next `count` ≤ runs->chunk words of each lane to numbers ±noise, valid until the next call. */
const double *mca_take(struct mca_stream *stream, size_t count);

/* The number of words that a product consumes: one bit for each element. */
static inline size_t mca_product_words(int n)
{
    return ((size_t)n * (size_t)n + 31) / 32;
}

/* Stores the next mca_product_words(n) words of each lane in runs->words. */
void mca_take_words(struct mca_stream *stream);

#endif
