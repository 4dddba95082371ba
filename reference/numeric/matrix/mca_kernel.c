/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/matrix/mca_kernel.h"

#include <math.h>
#include <string.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* no vector crosses a call: all are inlined */
#endif
#define UNROLL _Pragma("GCC unroll 10")
#define INLINE static inline __attribute__((always_inline))

enum { PHILOX_ROUNDS = 10 };
struct philox_keys {
    uint64_t of_round[PHILOX_ROUNDS][2];
};

struct loops {
    void (*product)(const struct mca_product *product);
    void (*eliminate)(int n, double *a, double *b, int k, int i, const double *noise);
    void (*substitute)(int n, const double *a, double *b, int i, int j, int columns, const double *noise);
    void (*pivot)(int n, const double *a, int k, int64_t row[MCA_LANES]);
    void (*accumulate)(int64_t count, double c, const double *power, double *to, const double *noise);
    void (*combine)(int64_t count, const double *u, double *v, double *e, const double *noise);
    void (*words)(const struct philox_keys *keys, const struct mca_words *words, uint64_t *to);
    void (*noise)(const struct philox_keys *keys, const struct mca_words *words, double size, double *to);
};

/* The generic isa: plain C. */
#define WIDTH   2
#define NAME(x) x##_plain
#define TARGET
#define ROOT(x)         ((lanes){sqrt((x)[0]), sqrt((x)[1])})
#define XOR(a, b, c)    ((a) ^ (b) ^ (c))
#define MULTIPLY(x, f)  (((x)&NAME(spread_word)(UINT32_MAX)) * NAME(spread_word)(f))
#define SELECT(m, a, b) ((b) ^ (((a) ^ (b)) & (m)))
#define SIGNED(w, s, x) ((~(w) & (s)) ^ (x))
#include "reference/numeric/matrix/mca_kernel_body.inc"

#if defined(__x86_64__) && !defined(ASSAY_PLAIN_LOOPS)
#include <immintrin.h>

#define WIDTH           4
#define NAME(x)         x##_avx2
#define TARGET          __attribute__((target("avx2")))
#define ROOT(x)         ((lanes)_mm256_sqrt_pd((__m256d)(x)))
#define XOR(a, b, c)    ((a) ^ (b) ^ (c))
#define MULTIPLY(x, f)  ((words)_mm256_mul_epu32((__m256i)(x), (__m256i)NAME(spread_word)(f)))
#define SELECT(m, a, b) ((b) ^ (((a) ^ (b)) & (m)))
#define SIGNED(w, s, x) ((~(w) & (s)) ^ (x))
#include "reference/numeric/matrix/mca_kernel_body.inc"

#define WIDTH               8
#define NAME(x)             x##_avx512
#define TARGET              __attribute__((target("avx512f")))
#define ROOT(x)             ((lanes)_mm512_sqrt_pd((__m512d)(x)))
#define MULTIPLY(x, f)      ((words)_mm512_mul_epu32((__m512i)(x), (__m512i)NAME(spread_word)(f)))
#define TERNARY(a, b, c, f) ((words)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), f))
#define XOR(a, b, c)        TERNARY(a, b, c, 0x96)
#define SELECT(m, a, b)     TERNARY(m, a, b, 0xca)
#define SIGNED(w, s, x)     TERNARY(w, s, x, 0xa6)
#include "reference/numeric/matrix/mca_kernel_body.inc"

#define ISAS ISA(NEEDS_NOTHING, plain), ISA(NEEDS_AVX2, avx2), ISA(NEEDS_AVX512, avx512)
#else
#define ISAS ISA(NEEDS_NOTHING, plain)
#endif

#include "reference/numeric/simd/isa_dispatch.inc"

bool mca_kernel_force(int isa)
{
    return force_loops(isa);
}

void mca_kernel_product(const struct mca_product *product)
{
    loops_here()->product(product);
}

void mca_kernel_eliminate(int n, double *a, double *b, int k, int i, const double *noise)
{
    loops_here()->eliminate(n, a, b, k, i, noise);
}

void mca_kernel_substitute(int n, const double *a, double *b, int i, int j, int columns, const double *noise)
{
    loops_here()->substitute(n, a, b, i, j, columns, noise);
}

void mca_kernel_pivot(int n, const double *a, int k, int64_t row[MCA_LANES])
{
    loops_here()->pivot(n, a, k, row);
}

void mca_kernel_accumulate(int64_t count, double c, const double *power, double *to, const double *noise)
{
    loops_here()->accumulate(count, c, power, to, noise);
}

void mca_kernel_combine(int64_t count, const double *u, double *v, double *e, const double *noise)
{
    loops_here()->combine(count, u, v, e, noise);
}

static struct philox_keys keys_of(const uint32_t key[2])
{
    struct philox_keys keys;
    for (uint32_t round = 0; round < PHILOX_ROUNDS; round++) {
        keys.of_round[round][0] = (uint32_t)(key[0] + round * 0x9E3779B9U);
        keys.of_round[round][1] = (uint32_t)(key[1] + round * 0xBB67AE85U);
    }
    return keys;
}

void mca_kernel_words(const struct mca_words *words, uint64_t *to)
{
    struct philox_keys keys = keys_of(words->key);
    loops_here()->words(&keys, words, to);
}

void mca_kernel_noise(const struct mca_words *words, double size, double *to)
{
    struct philox_keys keys = keys_of(words->key);
    loops_here()->noise(&keys, words, size, to);
}
