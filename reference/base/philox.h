/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_PHILOX_H
#define ASSAY_REFERENCE_BASE_PHILOX_H

/* Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
 * easy as 1, 2, 3" (SC 2011). It uses integer arithmetic only, so the stream is the same on every machine.
 * Start a generator with a key, then draw words or numbers from it. */

#include <stdbool.h>
#include <stdint.h>

/* PHILOX_BLOCKS blocks of four words are generated at a time, side by side in vectors. */
enum { PHILOX_BLOCKS = 8, PHILOX_WORDS = 4 * PHILOX_BLOCKS };

struct philox {
    uint32_t key[2];
    uint32_t counter[4];         /* counter of the next block to generate */
    uint32_t word[PHILOX_WORDS]; /* words of the generated blocks */
    int used;                    /* number of these words that have been returned */
};

/* Generates one block: four words from a counter and a key. */
void philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

void philox_start(struct philox *generator, uint64_t key);
void philox_refill(struct philox *generator); /* generates the next PHILOX_BLOCKS blocks; called by
                                                 philox_next */

static inline uint32_t philox_next(struct philox *generator)
{
    if (generator->used == PHILOX_WORDS) {
        philox_refill(generator);
    }
    return generator->word[generator->used++];
}

uint64_t philox_next64(struct philox *generator);

/* Moves to word `position` of the stream; 0 is the first. */
void philox_seek(struct philox *generator, uint64_t position);

/* Returns an integer uniform on [0, n), n ≥ 1, without bias (Lemire's rejection method). */
uint32_t philox_below(struct philox *generator, uint32_t n);

/* philox_unit is uniform on the 2^24 multiples of 2^-24 in [0, 1). philox_signed is such a number with a
 * random sign, in (−1, 1). float32 holds both exactly. */
double philox_unit(struct philox *generator);
double philox_signed(struct philox *generator);

/* For tests: selects the loops of one isa, numbered as in reference/numeric/simd/isa_dispatch.inc (0 is the
 * generic one); isa < 0 restores the best available. Returns false if this build or processor lacks that isa.
 * Do not call it while another thread draws. */
bool philox_force(int isa);

#endif
