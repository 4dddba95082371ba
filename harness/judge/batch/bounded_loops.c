/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/batch/bounded_loops.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* no vector passes between functions: all are inlined */
#define INLINE static inline __attribute__((always_inline))

/* From this error over bound on an element is judged alone. */
#define NEAR_LIMIT (1 - 0x1p-6)

struct loops {
    void (*errors)(const struct bounded_format *format, int count, struct bounded_batch *run);
    void (*plain_ratios)(int count, struct bounded_batch *run);
    void (*ratios)(int count, bool may_fail, struct bounded_batch *run);
    void (*quality)(int count, struct bounded_batch *run);
    void (*measures)(const struct bounded_format *format, int from, int to, bool open,
                     struct bounded_batch *run);
    double (*greatest)(const double *x, int count);
    int64_t (*sums)(int from, int to, const struct bounded_batch *run, int part, struct metrics_sums *sum);
    void (*resolve)(const struct bounded_format *format, int from, int to, double known,
                    struct bounded_batch *run, struct bounded_resolution *found);
    void (*count)(int from, int to, const struct bounded_batch *run, struct bounded_counts *counts);
    bool (*whole)(const struct bounded_format *format, int count, double known, bool open,
                  struct bounded_batch *run, struct bounded_whole *whole);
};

/* The generic ISA. */
#define WIDTH        2
#define NAME(x)      x##_plain
#define FOUR_NAME(x) x##_plain
#define TARGET
#include "harness/judge/batch/bounded_loops_body.inc"

#if defined(__x86_64__) && !defined(ASSAY_PLAIN_LOOPS)
#define WIDTH        4
#define NAME(x)      x##_avx2
#define FOUR_NAME(x) x##_avx2
#define TARGET       __attribute__((target("avx2")))
#include "harness/judge/batch/bounded_loops_body.inc"

#define WIDTH        8
#define NAME(x)      x##_avx512
#define FOUR_NAME(x) x##_avx2
#define TARGET       __attribute__((target("avx512f")))
#include "harness/judge/batch/bounded_loops_body.inc"

#define ISAS ISA(NEEDS_NOTHING, plain), ISA(NEEDS_AVX2, avx2), ISA(NEEDS_AVX512, avx512)
#else
#define ISAS ISA(NEEDS_NOTHING, plain)
#endif

#include "reference/numeric/simd/isa_dispatch.inc"

bool bounded_loops_force(int isa)
{
    return force_loops(isa);
}

struct bounded_format bounded_format_of(enum dtype dtype)
{
    return (struct bounded_format){.unit = 2 * dtype_unit_roundoff(dtype),
                                   .least_normal = dtype_least_normal(dtype),
                                   .narrow = dtype != DTYPE_FLOAT64};
}

/* Masks with all bits set where the flag is true. */
static void spread_masks(const bool *flag, int count, int64_t *mask)
{
    for (int i = 0; i < count; i++) {
        mask[i] = -(int64_t)flag[i];
    }
}

void bounded_loops_errors(const struct bounded_format *format, int count, struct bounded_batch *run)
{
    memcpy(run->plain, run->limit.plain, (size_t)count * sizeof *run->plain);
    loops_here()->errors(format, count, run);
}

void bounded_loops_ratios(int count, bool may_fail, struct bounded_batch *run)
{
    if (run->limit.enveloped) {
        spread_masks(run->limit.known, count, run->known);
        loops_here()->ratios(count, may_fail, run);
    } else {
        loops_here()->plain_ratios(count, run);
    }
}

void bounded_loops_quality(int count, struct bounded_batch *run)
{
    for (int i = 0; i < count; i++) {
        run->plain[i] &= run->good.plain[i];
    }
    if (run->good.enveloped) {
        spread_masks(run->good.known, count, run->known);
    }
    loops_here()->quality(count, run);
}

void bounded_loops_measures(const struct bounded_format *format, int from, int to, bool open,
                            struct bounded_batch *run)
{
    loops_here()->measures(format, from, to, open, run);
}

double bounded_loops_greatest(const double *x, int count)
{
    return loops_here()->greatest(x, count);
}

int64_t bounded_loops_sums(int from, int to, const struct bounded_batch *run, int part,
                           struct metrics_sums *sum)
{
    return loops_here()->sums(from, to, run, part, sum);
}

void bounded_loops_resolve(const struct bounded_format *format, int from, int to, double known,
                           struct bounded_batch *run, struct bounded_resolution *found)
{
    loops_here()->resolve(format, from, to, known, run, found);
}

void bounded_loops_count(int from, int to, const struct bounded_batch *run, struct bounded_counts *counts)
{
    *counts = (struct bounded_counts){.exact = 0};
    loops_here()->count(from, to, run, counts);
}

bool bounded_loops_whole(const struct bounded_format *format, int count, double known, bool open,
                         struct bounded_batch *run, struct bounded_whole *whole)
{
    return loops_here()->whole(format, count, known, open, run, whole);
}
