/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/exact/residue_kernel.h"

#include <string.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* no vector crosses a call: all are inlined */
#endif
#define INLINE static inline __attribute__((always_inline))

struct loops {
    void (*add)(double *tile, const struct residue_factors *factors);
    void (*reduce)(double *tile, const struct residue_moduli *moduli);
};

/* The generic isa: plain C. */
#define WIDTH   2
#define NAME(x) x##_plain
#define TARGET
#define MORE(sum, a, b) ((sum) + (a) * (b))
#include "reference/numeric/exact/residue_kernel_body.inc"

#if defined(__x86_64__) && !defined(ASSAY_PLAIN_LOOPS)
#include <immintrin.h>

#define WIDTH           4
#define NAME(x)         x##_avx2
#define TARGET          __attribute__((target("avx2")))
#define MORE(sum, a, b) ((sum) + (a) * (b))
#include "reference/numeric/exact/residue_kernel_body.inc"

#define WIDTH           4
#define NAME(x)         x##_fma
#define TARGET          __attribute__((target("avx2,fma")))
#define MORE(sum, a, b) _mm256_fmadd_pd(a, b, sum)
#include "reference/numeric/exact/residue_kernel_body.inc"

#define WIDTH           8
#define NAME(x)         x##_avx512
#define TARGET          __attribute__((target("avx512f")))
#define MORE(sum, a, b) _mm512_fmadd_pd(a, b, sum)
#include "reference/numeric/exact/residue_kernel_body.inc"

#define ISAS                                                                                                 \
    ISA(NEEDS_NOTHING, plain), ISA(NEEDS_AVX2, avx2), ISA(NEEDS_AVX2_AND_FMA, fma), ISA(NEEDS_AVX512, avx512)
#else
#define ISAS ISA(NEEDS_NOTHING, plain)
#endif

#include "reference/numeric/simd/isa_dispatch.inc"

bool residue_force(int isa)
{
    return force_loops(isa);
}

void residue_add(double *tile, const struct residue_factors *factors)
{
    loops_here()->add(tile, factors);
}

void residue_reduce(double *tile, const struct residue_moduli *moduli)
{
    loops_here()->reduce(tile, moduli);
}
