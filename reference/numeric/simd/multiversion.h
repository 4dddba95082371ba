/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_SIMD_MULTIVERSION_H
#define ASSAY_REFERENCE_NUMERIC_SIMD_MULTIVERSION_H

/* MULTIVERSION marks a function whose loops the compiler vectorises. The compiler emits the function for the
 * baseline isa, for AVX2 and (gcc 12 and later) for AVX-512, and the loader selects the best at start. All
 * versions give the same bits, because every element is computed separately by IEEE 754 operations without
 * contraction. `make check` tests the version that the loader selects; -DASSAY_PLAIN_LOOPS builds only the
 * baseline. Sanitizer builds have only the baseline too, because the loader selects versions before the
 * sanitizer's memory exists. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(ASSAY_PLAIN_LOOPS) &&        \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if __GNUC__ >= 12
#define MULTIVERSION __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define MULTIVERSION __attribute__((target_clones("avx2", "default")))
#endif
#else
#define MULTIVERSION
#endif

/* Returns all ones for true, 0 for false. Compilers vectorise selections by masks where they do not vectorise
 * conditions. */
static inline int64_t mask_of(bool all)
{
    return -(int64_t)all;
}

/* Returns a where the mask is all ones and b where it is 0, without a branch. */
static inline double either(int64_t mask, double a, double b)
{
    int64_t first, second;
    memcpy(&first, &a, sizeof a);
    memcpy(&second, &b, sizeof b);
    first = (first & mask) | (second & ~mask);
    memcpy(&a, &first, sizeof a);
    return a;
}

#endif
