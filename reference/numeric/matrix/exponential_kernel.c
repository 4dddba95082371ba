/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/matrix/exponential_kernel.h"
#include "reference/numeric/round_up.h"

#include <string.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* no vector crosses a call: all are inlined */
#endif
#define INLINE static inline __attribute__((always_inline))

struct loops {
    void (*pairs)(double *to, int64_t stride, const struct exponential_factors *factors);
    void (*energy)(double *to, double *energy, int64_t stride, const struct exponential_factors *factors);
    void (*squaring)(const struct exponential_squaring *squaring, double *all, double *opposed);
};

/* The generic isa: plain C. */
#define WIDTH   2
#define NAME(x) x##_plain
#define TARGET
#define REST(a, b, x) NAME(rest)(a, b, x)
#include "reference/numeric/matrix/exponential_kernel_body.inc"

#if defined(__x86_64__) && !defined(ASSAY_PLAIN_LOOPS)
#include <immintrin.h>

#define WIDTH         4
#define NAME(x)       x##_fma
#define TARGET        __attribute__((target("avx2,fma")))
#define REST(a, b, x) _mm256_fmsub_pd(a, b, x)
#include "reference/numeric/matrix/exponential_kernel_body.inc"

#define WIDTH         8
#define NAME(x)       x##_avx512
#define TARGET        __attribute__((target("avx512f")))
#define REST(a, b, x) _mm512_fmsub_pd(a, b, x)
#include "reference/numeric/matrix/exponential_kernel_body.inc"

#define ISAS ISA(NEEDS_NOTHING, plain), ISA(NEEDS_AVX2_AND_FMA, fma), ISA(NEEDS_AVX512, avx512)
#else
#define ISAS ISA(NEEDS_NOTHING, plain)
#endif

#include "reference/numeric/simd/isa_dispatch.inc"

bool exponential_force(int isa)
{
    return force_loops(isa);
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
