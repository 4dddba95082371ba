/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/matrix/lu_kernel.h"

#include <string.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* no vector crosses a call: all are inlined */
#endif
#define INLINE static inline __attribute__((always_inline))

struct loops {
    void (*subtract)(double *to, int64_t stride, const struct lu_factors *factors);
    void (*add)(double *to, int64_t stride, const struct lu_factors *factors);
    void (*dot2)(struct lu_pairs *pairs, const struct lu_factors *factors);
    void (*energy)(double *rest, double *energy, const struct lu_factors *factors);
    double (*update)(double *y, const double *x, double l, int64_t count);
};

/* The generic isa: plain C. */
#define WIDTH   2
#define NAME(x) x##_plain
#define TARGET
#define REST(a, b, x) NAME(dekker)(a, b, x)
#include "reference/numeric/matrix/lu_kernel_body.inc"

#if defined(__x86_64__) && !defined(ASSAY_PLAIN_LOOPS)
#include <immintrin.h>

#define WIDTH         4
#define NAME(x)       x##_avx2
#define TARGET        __attribute__((target("avx2")))
#define REST(a, b, x) NAME(dekker)(a, b, x)
#include "reference/numeric/matrix/lu_kernel_body.inc"

/* A fused multiply-add gives the same error term as the seventeen operations of Dekker's product. */
#define WIDTH         4
#define NAME(x)       x##_fma
#define TARGET        __attribute__((target("avx2,fma")))
#define REST(a, b, x) _mm256_fmsub_pd(a, b, x)
#include "reference/numeric/matrix/lu_kernel_body.inc"

#define WIDTH         8
#define NAME(x)       x##_avx512
#define TARGET        __attribute__((target("avx512f")))
#define REST(a, b, x) _mm512_fmsub_pd(a, b, x)
#include "reference/numeric/matrix/lu_kernel_body.inc"

#define ISAS                                                                                                 \
    ISA(NEEDS_NOTHING, plain), ISA(NEEDS_AVX2, avx2), ISA(NEEDS_AVX2_AND_FMA, fma), ISA(NEEDS_AVX512, avx512)
#else
#define ISAS ISA(NEEDS_NOTHING, plain)
#endif

#include "reference/numeric/simd/isa_dispatch.inc"

bool lu_force(int isa)
{
    return force_loops(isa);
}

void lu_subtract(double *to, int64_t stride, const struct lu_factors *factors)
{
    loops_here()->subtract(to, stride, factors);
}

void lu_add(double *to, int64_t stride, const struct lu_factors *factors)
{
    loops_here()->add(to, stride, factors);
}

void lu_dot2(struct lu_pairs *pairs, const struct lu_factors *factors)
{
    loops_here()->dot2(pairs, factors);
}

void lu_energy(double *rest, double *energy, const struct lu_factors *factors)
{
    loops_here()->energy(rest, energy, factors);
}

double lu_update(double *y, const double *x, double l, int64_t count)
{
    return loops_here()->update(y, x, l, count);
}
