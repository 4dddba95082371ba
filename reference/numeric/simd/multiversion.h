/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_SIMD_MULTIVERSION_H
#define ASSAY_REFERENCE_NUMERIC_SIMD_MULTIVERSION_H

/* MULTIVERSION before a function whose loops the compiler makes vectors of: it is there for every machine, for
 * those with AVX2 and for those with AVX-512 (of gcc 12 and later), and the loader takes the best one. Every
 * number is computed alone, by operations that round as IEEE 754 says, never contracted: all give the same
 * bits (harness/test/mutations/mutate.sh and `make check` run what the machine has; -DASSAY_PLAIN_LOOPS leaves the
 * plain one). Under sanitizers there is the plain one: the loader chooses before their memory is there. */

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

/* All bits of what is true: choices by masks become vectors where those by conditions do not. */
static inline int64_t mask_of(bool all)
{
    return -(int64_t)all;
}

/* a where the mask is all ones, else b: without a branch that a compiler would make of a choice. */
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
