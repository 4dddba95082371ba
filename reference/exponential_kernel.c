/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/exponential_kernel.h"
#include "reference/upward.h"

#include <string.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* no vector passes between functions: all are inlined */
#endif
#define UNROLL _Pragma("GCC unroll 10")
#define INLINE static inline __attribute__((always_inline))

enum { PHILOX_ROUNDS = 10 };
struct philox_keys {
    uint64_t of_round[PHILOX_ROUNDS][2];
};

struct loops {
    void (*pairs)(double *to, int64_t stride, const struct exponential_factors *factors);
    void (*energy)(double *to, double *energy, int64_t stride, const struct exponential_factors *factors);
    void (*squaring)(const struct exponential_squaring *squaring, double *all, double *opposed);
    void (*update)(double *to, const double *from, double f, const double *inner, const double *outer,
                   int64_t count);
    void (*chain)(double *to, const double *left, const double *panel, int64_t stride, const double *noise,
                  int64_t terms);
    void (*noise)(const struct philox_keys *keys, uint64_t block, int64_t count, uint64_t bits,
                  double *const to[4]);
    void (*columns)(const struct philox_keys *keys, uint64_t position, int64_t count, uint64_t bits,
                    double *to);
};

/* What every machine has: C alone. */
#define WIDTH   2
#define NAME(x) x##_plain
#define TARGET
#define REST(a, b, x)  NAME(rest)(a, b, x)
#define XOR(a, b, c)   ((a) ^ (b) ^ (c))
#define MULTIPLY(x, f) (((x)&NAME(spread_word)(UINT32_MAX)) * NAME(spread_word)(f))
#include "reference/exponential_kernel_body.inc"

#if defined(__x86_64__) && !defined(ASSAY_PLAIN_LOOPS)
#include <immintrin.h>

#define WIDTH          4
#define NAME(x)        x##_fma
#define TARGET         __attribute__((target("avx2,fma")))
#define REST(a, b, x)  _mm256_fmsub_pd(a, b, x)
#define XOR(a, b, c)   ((a) ^ (b) ^ (c))
#define MULTIPLY(x, f) ((words)_mm256_mul_epu32((__m256i)(x), (__m256i)NAME(spread_word)(f)))
#include "reference/exponential_kernel_body.inc"

#define WIDTH          8
#define NAME(x)        x##_avx512
#define TARGET         __attribute__((target("avx512f")))
#define REST(a, b, x)  _mm512_fmsub_pd(a, b, x)
#define XOR(a, b, c)   ((words)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), 0x96))
#define MULTIPLY(x, f) ((words)_mm512_mul_epu32((__m512i)(x), (__m512i)NAME(spread_word)(f)))
#include "reference/exponential_kernel_body.inc"

static const struct loops *loops_at(int machine)
{
    switch (machine) {
    case 0:
        return &loops_plain;
    case 1:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &loops_fma : NULL;
    case 2:
        return __builtin_cpu_supports("avx512f") ? &loops_avx512 : NULL;
    default:
        return NULL;
    }
}
enum { MACHINES = 3 };
#else
static const struct loops *loops_at(int machine)
{
    return machine == 0 ? &loops_plain : NULL;
}
enum { MACHINES = 1 };
#endif

#include "reference/kernel_machine.inc"

bool exponential_force(int machine)
{
    return force_loops(machine);
}

void exponential_pairs(double *to, int64_t stride, const struct exponential_factors *factors)
{
    loops_here()->pairs(to, stride, factors);
}

void exponential_energy(double *to, double *energy, int64_t stride, const struct exponential_factors *factors)
{
    loops_here()->energy(to, energy, stride, factors);
}

void exponential_squaring(const struct exponential_squaring *squaring, double all[EXPONENTIAL_TILE],
                          double opposed[EXPONENTIAL_TILE])
{
    loops_here()->squaring(squaring, all, opposed);
}

void exponential_update(double *to, const double *from, double f, const double *inner, const double *outer,
                        int64_t count)
{
    loops_here()->update(to, from, f, inner, outer, count);
}

void exponential_chain(double *to, const double *left, const double *panel, int64_t stride,
                       const double *noise, int64_t terms)
{
    loops_here()->chain(to, left, panel, stride, noise, terms);
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

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

void exponential_noise(const uint32_t key[2], uint64_t block, int64_t count, double size, double *const to[4])
{
    struct philox_keys keys = keys_of(key);
    loops_here()->noise(&keys, block, count, bits_of(size), to);
}

void exponential_noise_columns(const uint32_t key[2], uint64_t position, int64_t count, double size,
                               double *to)
{
    struct philox_keys keys = keys_of(key);
    loops_here()->columns(&keys, position, count, bits_of(size), to);
}
