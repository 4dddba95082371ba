/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/value_run.h"
#include "reference/wide_loops.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* A value is four words; all that makes a kind is the third. */
typedef uint64_t word __attribute__((may_alias));
enum { WORDS = sizeof(struct value) / sizeof(word), HI = 0, LO = 1, KIND = 2 };
static_assert(WORDS == 4 && sizeof(struct value) == WORDS * sizeof(word), "four words");
static_assert(offsetof(struct value, hi) == HI * sizeof(word) &&
                  offsetof(struct value, lo) == LO * sizeof(word),
              "two numbers first");
static_assert(offsetof(struct value, exponent) == KIND * sizeof(word) &&
                  offsetof(struct value, exact) == (KIND + 1) * sizeof(word) && VALUE_FINITE == 0,
              "then the kind");

WIDE_LOOPS static void take_apart(const word *value, size_t count, word *restrict hi, word *restrict lo,
                                  word *restrict kind)
{
    for (size_t i = 0; i < count; i++) {
        hi[i] = value[WORDS * i + HI];
        lo[i] = value[WORDS * i + LO];
        kind[i] = value[WORDS * i + KIND];
    }
}

void value_run_of(const struct value *value, int count, struct value_run *run)
{
    take_apart((const word *)value, (size_t)count, (word *)run->hi, (word *)run->lo, (word *)run->kind);
}

uint64_t value_run_kind(const struct value *value)
{
    uint64_t kind;
    memcpy(&kind, (const unsigned char *)value + KIND * sizeof kind, sizeof kind);
    return kind;
}

uint64_t value_run_far(void)
{
    return value_run_kind(&(struct value){.exponent = VALUE_FAR});
}
