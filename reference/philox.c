/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/philox.h"

void philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53U * c0, p1 = (uint64_t)0xCD9E8D57U * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

void philox_start(struct philox *generator, uint64_t key)
{
    *generator = (struct philox){.key = {(uint32_t)key, (uint32_t)(key >> 32)}, .used = 4};
}

uint32_t philox_next(struct philox *generator)
{
    if (generator->used == 4) {
        philox_block(generator->counter, generator->key, generator->block);
        generator->used = 0;
        for (int i = 0; i < 4 && ++generator->counter[i] == 0; i++) {
        }
    }
    return generator->block[generator->used++];
}

void philox_seek(struct philox *generator, uint64_t position)
{
    uint64_t block = position / 4;
    generator->counter[0] = (uint32_t)block;
    generator->counter[1] = (uint32_t)(block >> 32);
    generator->counter[2] = generator->counter[3] = 0;
    generator->used = 4;
    for (uint64_t word = 0; word < position % 4; word++) {
        philox_next(generator);
    }
}

uint64_t philox_next64(struct philox *generator)
{
    uint64_t low = philox_next(generator);
    return low | (uint64_t)philox_next(generator) << 32;
}

uint32_t philox_below(struct philox *generator, uint32_t n)
{
    /* Lemire, "Fast random integer generation in an interval" (2019): multiply, reject the biased low part.
     */
    uint32_t threshold = (0U - n) % n;
    uint64_t product;
    do {
        product = (uint64_t)philox_next(generator) * n;
    } while ((uint32_t)product < threshold);
    return (uint32_t)(product >> 32);
}

double philox_unit(struct philox *generator)
{
    return (philox_next(generator) >> 8) * 0x1p-24;
}

double philox_signed(struct philox *generator)
{
    uint32_t word = philox_next(generator);
    double magnitude = (word >> 8) * 0x1p-24;
    return word & 1 ? -magnitude : magnitude;
}
