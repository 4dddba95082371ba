/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_MATRIX_EXP_RUNS_H
#define ASSAY_REFERENCE_MATRIX_EXP_RUNS_H

/* The inside of matrix_exp_envelope.h: the disturbed runs, their products and their noise. Not for others.
 *
 * Matrices are row-major, rows `stride` apart: from order 16 on as in double_lu.h, 0 beyond the order. */

#include "reference/philox.h"

#include <stdbool.h>
#include <stddef.h>

enum { RUNS = 24, PADE_MATRICES = 5 };

static const double noise = 0x1p-30; /* u of the disturbed runs: far above double's, far below 1/condition */

struct runs {
    int n, stride;
    size_t size;          /* of a matrix */
    double *x;            /* the scaled matrix */
    double *e[RUNS + 1];  /* e[0] is undisturbed */
    double *next, *error; /* a product; what an element's error is multiplied with */
    double *panels;
    double *pade[PADE_MATRICES];
    struct philox generator;
    uint64_t position; /* of the next word in the generator's stream */
    uint64_t reached;  /* the word that the generator itself would give next */
    double *drawn[4];  /* ±noise by the words of blocks; word t of those drawn last: drawn_at(r, t)[0] */
    uint64_t first, blocks;          /* the blocks that are there */
    uint64_t offset;                 /* of those drawn last, in words */
    double *inner, *outer, *columns; /* noise of a row, of eight columns */
    double *memory;
};

/* e: I in all runs; the noise is keyed by a, n×n. False when out of memory; destroy then as well. */
bool runs_create(struct runs *r, int n, const double *a);
void runs_destroy(struct runs *r);

/* to = left·right; and error = Σ_k s_k² + p_k² of each element's prefixes and products. `to` is another. */
void runs_multiply(const struct runs *r, const double *left, const double *right, double *to);
void runs_multiply_energy(struct runs *r, const double *left, const double *right, double *to);

/* ±error on every element of e, by one bit of noise each. */
void runs_disturb(struct runs *r, double *e);

/* Draws `count` ≤ 4·n + 4 words for noise; of each word the sign. */
void runs_draw(struct runs *r, size_t count);

/* Draws pairs of words into inner[0 .. n) and outer[0 .. n). */
void runs_draw_pairs(struct runs *r);

/* Draws `count` words for each of `lanes` ≤ 8 columns, one column after the other: word t of column k is
 * columns[8·t + k]. */
void runs_draw_columns(struct runs *r, size_t count, size_t lanes);

/* Words t, t + 4, t + 8, … of those drawn. */
static inline const double *drawn_at(const struct runs *r, size_t t)
{
    return r->drawn[(r->offset + t) % 4] + (r->offset + t) / 4;
}

/* Words t, t + 2, t + 4, …, `count` of them. */
void runs_every_other(const struct runs *r, size_t t, size_t count, double *to);

/* e = the [m/m] approximant at x, disturbed but in run 0. */
void runs_approximate(struct runs *r, int run, int m, double *e);

#endif
