/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/exact/dot_enclosure_kernel.h"

#include <string.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* no vector crosses a call: all are inlined */
#endif
#define INLINE static inline __attribute__((always_inline))

struct loops {
    void (*narrow)(const struct sum_pass *pass, struct sum_lanes out[SUM_ROWS]);
    void (*wide)(const struct sum_pass *pass, struct sum_lanes out[SUM_ROWS]);
    void (*small)(const struct sum_pass *pass, double limit[SUM_ROWS][SUM_LANES],
                  double out[SUM_ROWS][SUM_LANES]);
};

/* The generic isa: plain C. */
#define WIDTH   2
#define NAME(x) x##_plain
#define TARGET
#define MAX(a, b) ((lanes)((((a) > (b)) & (masks)(a)) | (~((a) > (b)) & (masks)(b))))
#define LEAST(a, b)                                                                                          \
    ((lanes)(((((a) < (b)) & ((a) > 0)) & (masks)(a)) | (~(((a) < (b)) & ((a) > 0)) & (masks)(b))))
#include "reference/numeric/exact/dot_enclosure_body.inc"

#if defined(__x86_64__) && !defined(ASSAY_PLAIN_LOOPS)
#include <immintrin.h>

#define WIDTH   2
#define NAME(x) x##_sse2
#define TARGET
#define MAX(a, b)   _mm_max_pd(a, b)
#define LEAST(a, b) _mm_min_pd(_mm_or_pd(a, _mm_cmpeq_pd(a, _mm_setzero_pd())), b) /* of a NaN: b */
#include "reference/numeric/exact/dot_enclosure_body.inc"

#define WIDTH       4
#define NAME(x)     x##_avx2
#define TARGET      __attribute__((target("avx2")))
#define MAX(a, b)   _mm256_max_pd(a, b)
#define LEAST(a, b) _mm256_min_pd(_mm256_or_pd(a, _mm256_cmp_pd(a, _mm256_setzero_pd(), _CMP_EQ_OQ)), b)
#include "reference/numeric/exact/dot_enclosure_body.inc"

#define WIDTH       8
#define NAME(x)     x##_avx512
#define TARGET      __attribute__((target("avx512f")))
#define MAX(a, b)   _mm512_max_pd(a, b)
#define LEAST(a, b) _mm512_mask_min_pd(b, _mm512_cmp_pd_mask(a, _mm512_setzero_pd(), _CMP_GT_OQ), a, b)
#include "reference/numeric/exact/dot_enclosure_body.inc"

#define ISAS                                                                                                 \
    ISA(NEEDS_NOTHING, plain), ISA(NEEDS_NOTHING, sse2), ISA(NEEDS_AVX2, avx2), ISA(NEEDS_AVX512, avx512)
#else
#define ISAS ISA(NEEDS_NOTHING, plain)
#endif

#include "reference/numeric/simd/isa_dispatch.inc"

bool sum_pass_force(int isa)
{
    return force_loops(isa);
}

void sum_pass_narrow(const struct sum_pass *pass, struct sum_lanes lanes[SUM_ROWS])
{
    loops_here()->narrow(pass, lanes);
}

void sum_pass_wide(const struct sum_pass *pass, struct sum_lanes lanes[SUM_ROWS])
{
    loops_here()->wide(pass, lanes);
}

void sum_pass_small(const struct sum_pass *pass, double limit[SUM_ROWS][SUM_LANES],
                    double small[SUM_ROWS][SUM_LANES])
{
    loops_here()->small(pass, limit, small);
}
