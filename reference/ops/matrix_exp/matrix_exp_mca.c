/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/matrix_exp/matrix_exp_mca.h"
#include "reference/numeric/matrix/double_lu.h"
#include "reference/numeric/matrix/exponential_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    LARGE = 5,   /* from this order on the nominal evaluation multiplies by tiles */
    CHUNK = 256, /* terms of a product whose factors fit in the first-level cache */
    DRAWN = 256  /* words of noise drawn at once, besides those that MCA_COLUMNS columns need */
};

bool mca_create(struct runs *r, int n, const double *a)
{
    int stride = n < LARGE ? n : lu_stride(n);
    size_t size = ((size_t)stride * (size_t)stride + 15) / 8 * 8, entries = (size_t)n * (size_t)n,
           shared = (entries + 7) / 8 * 8, chunk = DRAWN + MCA_COLUMNS * (2 * (size_t)n + 1),
           words = (mca_product_words(n) + 3) * MCA_LANES;
    *r = (struct runs){.n = n, .stride = stride, .size = (size_t)stride * (size_t)stride, .chunk = chunk};
    struct {
        double **matrix;
        size_t size;
    } part[32] = {{&r->x, size},
                  {&r->e, size},
                  {&r->next, size},
                  {&r->error, size},
                  {&r->panels, size},
                  {&r->shared_x, shared},
                  {&r->shared_error, shared},
                  {&r->lanes_x, entries * MCA_LANES},
                  {&r->lanes_next, entries * MCA_LANES},
                  {&r->drawn, 2 * (chunk + 4) * MCA_LANES}};
    size_t parts = 10, count = words;
    for (int k = 0; k < PADE_MATRICES; k++) {
        part[parts].matrix = &r->pade[k];
        part[parts++].size = size;
        part[parts].matrix = &r->lanes_pade[k];
        part[parts++].size = entries * MCA_LANES;
    }
    for (int g = 0; g < MCA_GROUPS; g++) {
        part[parts].matrix = &r->lanes_e[g];
        part[parts++].size = entries * MCA_LANES;
    }
    for (size_t k = 0; k < parts; k++) {
        count += part[k].size;
    }
    r->memory = aligned_alloc(64, count * sizeof(double));
    if (!r->memory) {
        return false;
    }
    memset(r->memory, 0, count * sizeof(double));
    double *at = (double *)r->memory + words;
    r->words = r->memory;
    for (size_t k = 0; k < parts; at += part[k++].size) {
        *part[k].matrix = at;
    }
    philox_start(&r->key, XXH3_64bits(a, entries * sizeof *a));
    return true;
}

void mca_destroy(struct runs *r)
{
    free(r->memory);
}

void mca_start(struct runs *r, const double *a, int squarings)
{
    int n = r->n;
    memset(r->e, 0, r->size * sizeof *r->e);
    for (int i = 0; i < n * n; i++) {
        double x = ldexp(a[i], -squarings), one = i / n == i % n;
        r->x[i / n * r->stride + i % n] = r->shared_x[i] = x;
        r->e[i / n * r->stride + i % n] = one;
        for (int lane = 0; lane < MCA_LANES; lane++) {
            r->lanes_x[i * MCA_LANES + lane] = x;
            for (int g = 0; g < MCA_GROUPS; g++) {
                r->lanes_e[g][i * MCA_LANES + lane] = one;
            }
        }
    }
}

/* --- nominal products; every element adds its terms in order */

/* to += left·right, and adds the energies unless `energy` is NULL. The padding beyond the order is not
 * multiplied, because an infinity times its zeros would be NaN. */
static void add_by_tiles(const struct runs *r, const double *left, const double *right, double *to,
                         double *energy)
{
    int stride = r->stride;
    lu_panels(stride, right, r->panels);
    for (int k = 0; k < r->n; k += CHUNK) {
        int terms = r->n - k < CHUNK ? r->n - k : CHUNK;
        for (int j = 0; j < stride; j += LU_TILE) {
            const double *panel = r->panels + panel_at(stride, k, j);
            for (int i = 0; i < stride; i += LU_TILE) {
                size_t row = (size_t)i * (size_t)stride;
                if (energy) {
                    struct exponential_factors factors = {
                        .left = left + row + k, .stride = stride, .panel = panel, .terms = terms};
                    exponential_energy(to + row + j, energy + row + j, stride, &factors);
                } else {
                    struct lu_factors factors = {left + row + k, stride, panel, terms};
                    lu_add(to + row + j, stride, &factors);
                }
            }
        }
    }
}

void mca_multiply(const struct runs *r, const double *left, const double *right, double *to)
{
    int n = r->n;
    memset(to, 0, r->size * sizeof *to);
    if (n >= LARGE) {
        add_by_tiles(r, left, right, to, NULL);
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double x = left[i * n + k];
            for (int j = 0; j < n; j++) {
                to[i * n + j] += x * right[k * n + j];
            }
        }
    }
}

void mca_multiply_energy(struct runs *r, const double *left, const double *right, double *to)
{
    int n = r->n;
    double *energy = r->error;
    memset(to, 0, r->size * sizeof *to);
    memset(energy, 0, r->size * sizeof *energy);
    if (n >= LARGE) {
        add_by_tiles(r, left, right, to, energy);
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double x = left[i * n + k];
            for (int j = 0; j < n; j++) {
                double product = x * right[k * n + j], sum = to[i * n + j] + product;
                to[i * n + j] = sum;
                energy[i * n + j] += product * product + sum * sum;
            }
        }
    }
}

/* --- perturbed evaluations: the words of each evaluation follow those of the evaluation before it */

/* Draws one word for each evaluation; the words are consecutive, four in a Philox block. */
static void draw_single_words(struct runs *r, uint64_t to[MCA_RUNS])
{
    struct mca_words words = {r->key.key, r->position, 4, 4};
    mca_kernel_words(&words, r->words);
    for (int run = 0; run < MCA_RUNS; run++) {
        to[run] = r->words[run % 4 * MCA_LANES + run / 4];
    }
}

void mca_step(struct runs *r, int k)
{
    uint64_t single[MCA_RUNS];
    size_t words = mca_product_words(r->n);
    for (int g = 0; g < MCA_GROUPS; g++) {
        struct mca_stream stream = {r, r->position + (uint64_t)g * MCA_LANES * words, words, 0, 0, 0};
        struct mca_product product = {.n = r->n,
                                      .shared = k ? r->shared_x : NULL,
                                      .left = r->lanes_e[g],
                                      .right = r->lanes_e[g],
                                      .divisor = k,
                                      .error = r->shared_error,
                                      .to = r->lanes_next};
        if (words > 1) {
            mca_take_words(&stream);
        } else if (g == 0) {
            draw_single_words(r, single);
        }
        product.bits = words > 1 ? r->words : single + g * MCA_LANES;
        mca_kernel_product(&product);
        r->lanes_next = r->lanes_e[g];
        r->lanes_e[g] = product.to;
    }
    r->position += MCA_RUNS * words;
}

void mca_take_words(struct mca_stream *s)
{
    struct runs *r = s->runs;
    size_t count = mca_product_words(r->n);
    struct mca_words words = {r->key.key, s->start + s->taken, s->apart, (int64_t)count};
    mca_kernel_words(&words, r->words);
    s->taken += count;
}

const double *mca_take(struct mca_stream *s, size_t count)
{
    struct runs *r = s->runs;
    const size_t row = MCA_LANES;
    if (s->taken + count > s->drawn) { /* move the remaining words to the front and append new ones */
        size_t left = s->drawn > s->taken ? (size_t)(s->drawn - s->taken) : 0;
        size_t more = r->chunk - left, needed = (size_t)(s->apart - s->taken) - left;
        struct mca_words words = {r->key.key, s->start + s->taken + left, s->apart, 0};
        words.count = (int64_t)(needed < more ? needed : more);
        if (left) {
            memmove(r->drawn, r->drawn + (size_t)(s->taken - s->first) * row, left * row * sizeof *r->drawn);
        }
        mca_kernel_noise(&words, noise, r->drawn + left * row);
        s->first = s->taken;
        s->drawn = s->taken + left + (uint64_t)words.count;
    }
    const double *at = r->drawn + (size_t)(s->taken - s->first) * row;
    s->taken += count;
    return at;
}
