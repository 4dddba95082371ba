/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/philox.h"

enum { PHILOX_ROUNDS = 10 };
#define PHILOX_FIRST  0xD2511F53U
#define PHILOX_SECOND 0xCD9E8D57U
#define PHILOX_KEY_0  0x9E3779B9U
#define PHILOX_KEY_1  0xBB67AE85U

void philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        uint64_t p0 = (uint64_t)PHILOX_FIRST * c0, p1 = (uint64_t)PHILOX_SECOND * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += PHILOX_KEY_0;
        k1 += PHILOX_KEY_1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* --- PHILOX_BLOCKS blocks of consecutive counters */

struct loops {
    void (*blocks)(uint32_t counter[4], const uint32_t key[2], uint32_t out[4 * PHILOX_BLOCKS]);
};

static inline void count_on(uint32_t counter[4])
{
    for (int w = 0; w < 4 && ++counter[w] == 0; w++) {
    }
}

static void blocks_plain(uint32_t counter[4], const uint32_t key[2], uint32_t out[4 * PHILOX_BLOCKS])
{
    for (int b = 0; b < PHILOX_BLOCKS; b++, count_on(counter)) {
        philox_block(counter, key, &out[4 * b]);
    }
}
static const struct loops loops_plain = {blocks_plain};

#if defined(__x86_64__) && !defined(ASSAY_PLAIN_LOOPS)
#include <immintrin.h>

#define WIDTH   2
#define NAME(x) x##_sse2
#define TARGET
#define MULTIPLY(a, b) _mm_mul_epu32((__m128i)(a), (__m128i)(b))
#include "reference/base/philox_body.inc"

#define WIDTH          4
#define NAME(x)        x##_avx2
#define TARGET         __attribute__((target("avx2")))
#define MULTIPLY(a, b) _mm256_mul_epu32((__m256i)(a), (__m256i)(b))
#include "reference/base/philox_body.inc"

#define WIDTH          8
#define NAME(x)        x##_avx512
#define TARGET         __attribute__((target("avx512f")))
#define MULTIPLY(a, b) _mm512_mul_epu32((__m512i)(a), (__m512i)(b))
#include "reference/base/philox_body.inc"

#define ISAS                                                                                                 \
    ISA(NEEDS_NOTHING, plain), ISA(NEEDS_NOTHING, sse2), ISA(NEEDS_AVX2, avx2), ISA(NEEDS_AVX512, avx512)
#else
#define ISAS ISA(NEEDS_NOTHING, plain)
#endif

#include "reference/numeric/simd/isa_dispatch.inc"

bool philox_force(int isa)
{
    return force_loops(isa);
}

/* --- the stream */

void philox_start(struct philox *generator, uint64_t key)
{
    generator->key[0] = (uint32_t)key;
    generator->key[1] = (uint32_t)(key >> 32);
    philox_seek(generator, 0);
}

void philox_refill(struct philox *generator)
{
    loops_here()->blocks(generator->counter, generator->key, generator->word);
    generator->used = 0;
}

void philox_seek(struct philox *generator, uint64_t position)
{
    uint64_t block = position / 4;
    generator->counter[0] = (uint32_t)block;
    generator->counter[1] = (uint32_t)(block >> 32);
    generator->counter[2] = generator->counter[3] = 0;
    generator->used = PHILOX_WORDS;
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
    /* Lemire, "Fast random integer generation in an interval" (2019): multiply, and reject the biased low
     * part. The test for n comes first because the division is then rarely needed. */
    uint64_t product = (uint64_t)philox_next(generator) * n;
    if ((uint32_t)product < n) {
        for (uint32_t biased = (0U - n) % n; (uint32_t)product < biased;) {
            product = (uint64_t)philox_next(generator) * n;
        }
    }
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
