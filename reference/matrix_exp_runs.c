/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/matrix_exp_runs.h"
#include "reference/double_lu.h"
#include "reference/exponential_kernel.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    LARGE = 5,   /* orders from which products go by tiles */
    CHUNK = 256, /* terms of a product whose factors stay in a core's nearest cache */
    BLOCKS = 256 /* of noise at once, and as many as a row needs */
};

bool runs_create(struct runs *r, int n, const double *a)
{
    int stride = n < LARGE ? n : lu_stride(n);
    size_t size = ((size_t)stride * (size_t)stride + 15) / 8 * 8, row = (size_t)n / 8 * 8 + 16;
    size_t drawn = BLOCKS + row,
           count = (RUNS + 5 + PADE_MATRICES) * size + 4 * drawn + (2 + 2 * LU_TILE) * row;
    *r = (struct runs){.n = n, .stride = stride, .size = (size_t)stride * (size_t)stride};
    r->memory = aligned_alloc(64, count * sizeof *r->memory);
    if (!r->memory) {
        return false;
    }
    memset(r->memory, 0, count * sizeof *r->memory);
    double *at = r->memory;
    double **matrix[] = {&r->x,       &r->next,    &r->error,   &r->panels, &r->pade[0],
                         &r->pade[1], &r->pade[2], &r->pade[3], &r->pade[4]};
    for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++, at += size) {
        *matrix[k] = at;
    }
    for (int k = 0; k <= RUNS; k++, at += size) {
        r->e[k] = at;
    }
    for (int k = 0; k < 4; k++, at += drawn) {
        r->drawn[k] = at;
    }
    r->inner = at;
    r->outer = at + row;
    r->columns = at + 2 * row;
    r->reached = UINT64_MAX;
    philox_start(&r->generator, XXH3_64bits(a, (size_t)n * (size_t)n * sizeof *a));
    return true;
}

void runs_destroy(struct runs *r)
{
    free(r->memory);
}

/* --- products, every element in the order of its terms */

/* to += left·right, and the energies too where there is room for them. What is beyond the order takes no
 * part: an infinity times its zeros would be NaN. */
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

void runs_multiply(const struct runs *r, const double *left, const double *right, double *to)
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

void runs_multiply_energy(struct runs *r, const double *left, const double *right, double *to)
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

/* --- noise */

/* x, or −x where it is not `kept`, without a branch: no processor guesses these. */
static inline double with_sign(double x, uint32_t kept)
{
    uint64_t image;
    memcpy(&image, &x, sizeof image);
    image ^= (uint64_t)(kept ^ 1) << 63;
    memcpy(&x, &image, sizeof x);
    return x;
}

void runs_disturb(struct runs *r, double *e)
{
    uint32_t bits = 0;
    size_t i = 0;
    if (r->reached != r->position) { /* the products of one step follow one another */
        philox_seek(&r->generator, r->position);
    }
    for (int row = 0; row < r->n; row++) {
        double *to = e + (size_t)row * (size_t)r->stride;
        const double *error = r->error + (size_t)row * (size_t)r->stride;
        for (int j = 0; j < r->n; j++, i++) {
            bits = i % 32 == 0 ? philox_next(&r->generator) : bits >> 1;
            to[j] += with_sign(error[j], bits & 1);
        }
    }
    r->position += (i + 31) / 32;
    r->reached = r->position;
}

void runs_draw(struct runs *r, size_t count)
{
    uint64_t first = r->position / 4, behind = (r->position + count + 3) / 4;
    if (first < r->first || behind > r->first + r->blocks) {
        r->first = first;
        r->blocks = BLOCKS + (uint64_t)r->n / 8 * 8 + 8;
        exponential_noise(r->generator.key, r->first, (int64_t)r->blocks, noise, r->drawn);
    }
    r->offset = r->position - 4 * r->first;
    r->position += count;
}

void runs_draw_columns(struct runs *r, size_t count, size_t lanes)
{
    exponential_noise_columns(r->generator.key, r->position, (int64_t)count, noise, r->columns);
    r->position += count * lanes;
}

void runs_every_other(const struct runs *r, size_t t, size_t count, double *to)
{
    const double *even = drawn_at(r, t), *odd = drawn_at(r, t + 2);
    for (size_t k = 0; k < count; k += 2) { /* one more where that is odd */
        to[k] = even[k / 2];
        to[k + 1] = odd[k / 2];
    }
}

void runs_draw_pairs(struct runs *r)
{
    runs_draw(r, 2 * (size_t)r->n);
    runs_every_other(r, 0, (size_t)r->n, r->inner);
    runs_every_other(r, 1, (size_t)r->n, r->outer);
}
