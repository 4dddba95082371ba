/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_PHILOX_H
#define ASSAY_REFERENCE_BASE_PHILOX_H

/* Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
 * easy as 1, 2, 3" (SC 2011). Integer arithmetic only: the same stream on every machine. */

#include <stdbool.h>
#include <stdint.h>

/* Blocks are made so many at a time, side by side. */
enum { PHILOX_BLOCKS = 8, PHILOX_WORDS = 4 * PHILOX_BLOCKS };

struct philox {
    uint32_t key[2];
    uint32_t counter[4];         /* of the first block that is not made yet */
    uint32_t word[PHILOX_WORDS]; /* of those that are */
    int used;                    /* how many of them are handed out */
};

/* One block: counter → four words. */
void philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

void philox_start(struct philox *generator, uint64_t key);
void philox_refill(struct philox *generator); /* the next blocks; for philox_next */

static inline uint32_t philox_next(struct philox *generator)
{
    if (generator->used == PHILOX_WORDS) {
        philox_refill(generator);
    }
    return generator->word[generator->used++];
}

uint64_t philox_next64(struct philox *generator);

/* Goes on with word `position` of the stream; 0 is the first. */
void philox_seek(struct philox *generator, uint64_t position);

/* Uniform on [0, n), n ≥ 1, without bias (Lemire's rejection). */
uint32_t philox_below(struct philox *generator, uint32_t n);

/* Uniform on the 2^24 multiples of 2^-24 in [0, 1); and on (−1, 1), sign and magnitude. Exact in float32. */
double philox_unit(struct philox *generator);
double philox_signed(struct philox *generator);

/* The loops of one machine alone (reference/numeric/simd/isa_dispatch.inc), to compare; < 0: the best that there is.
 * False where there are none. Not while another thread draws. */
bool philox_force(int isa);

#endif
