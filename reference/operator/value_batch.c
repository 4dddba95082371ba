/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/value_batch.h"
#include "reference/numeric/simd/multiversion.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A struct value is four words: hi, lo, the kind (exponent, class and flags) and `exact`. */
typedef uint64_t word __attribute__((may_alias));
enum { WORDS = sizeof(struct value) / sizeof(word), HI = 0, LO = 1, KIND = 2, EXACT = 3 };
static_assert(WORDS == 4 && sizeof(struct value) == WORDS * sizeof(word), "four words");
static_assert(offsetof(struct value, hi) == HI * sizeof(word) &&
                  offsetof(struct value, lo) == LO * sizeof(word),
              "two numbers first");
static_assert(offsetof(struct value, exponent) == KIND * sizeof(word) &&
                  offsetof(struct value, exact) == EXACT * sizeof(word) && VALUE_FINITE == 0,
              "then the kind");

/* Splits values into arrays. Returns whether every kind is 0. */
MULTIVERSION static bool take_apart(const word *value, size_t count, word *restrict hi, word *restrict lo,
                                    word *restrict kind)
{
    word any = 0;
    for (size_t i = 0; i < count; i++) {
        hi[i] = value[WORDS * i + HI];
        lo[i] = value[WORDS * i + LO];
        kind[i] = value[WORDS * i + KIND];
        any |= value[WORDS * i + KIND];
    }
    return any == 0;
}

void value_batch_of(const struct value *value, int count, struct value_batch *run)
{
    run->numbers =
        take_apart((const word *)value, (size_t)count, (word *)run->hi, (word *)run->lo, (word *)run->kind);
    run->of = value;
}

static word word_of(const struct value *value, int k)
{
    word bits;
    memcpy(&bits, (const unsigned char *)value + (size_t)k * sizeof bits, sizeof bits);
    return bits;
}

uint64_t value_batch_kind(const struct value *value)
{
    return word_of(value, KIND);
}

uint64_t value_batch_far(void)
{
    return value_batch_kind(&(struct value){.exponent = VALUE_FAR});
}

static double number_of(word bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

MULTIVERSION static void put_together(word *restrict value, const double *number, const double *radius,
                                      size_t count, word far, word exact)
{
    for (size_t i = 0; i < count; i++) {
        double x = number[i], one = copysign(1, x);
        const int64_t beyond = mask_of(radius[i] == INFINITY);
        double hi = beyond ? one : x;
        word bits;
        memcpy(&bits, &hi, sizeof bits);
        value[WORDS * i + HI] = bits;
        value[WORDS * i + LO] = 0;
        value[WORDS * i + KIND] = far & (word)beyond;
        value[WORDS * i + EXACT] = exact & (word)mask_of(radius[i] == 0);
    }
}

void values_of_numbers(struct value *value, const double *number, const double *radius, int64_t count)
{
    put_together((word *)value, number, radius, (size_t)count, value_batch_far(),
                 word_of(&(struct value){.exact = true}, EXACT));
}

/* Fills the arrays as value_batch_of does after values_of_numbers. Returns whether every kind is 0. */
MULTIVERSION static bool run_of_numbers(const double *number, const double *radius, int count, word far,
                                        double *restrict hi, word *restrict kind)
{
    int64_t any = 0;
    for (int i = 0; i < count; i++) {
        double x = number[i], one = copysign(1, x);
        const int64_t beyond = mask_of(radius[i] == INFINITY);
        hi[i] = beyond ? one : x;
        kind[i] = far & (word)beyond;
        any |= beyond;
    }
    return any == 0;
}

const void *value_batch_place(const struct truth_output *out, int64_t first)
{
    return out->value ? (const void *)&out->value[first] : &out->number[first];
}

void value_batch_at(const struct truth_output *out, int64_t first, int count, struct value_batch *run)
{
    if (out->value) {
        value_batch_of(&out->value[first], count, run);
        return;
    }
    run->numbers = run_of_numbers(&out->number[first], &out->radius[first], count, value_batch_far(), run->hi,
                                  (word *)run->kind);
    memset(run->lo, 0, (size_t)count * sizeof *run->lo);
    run->of = value_batch_place(out, first);
}

struct value truth_output_value(const struct truth_output *out, int64_t element)
{
    struct value value;
    if (out->value) {
        return out->value[element];
    }
    values_of_numbers(&value, &out->number[element], &out->radius[element], 1);
    return value;
}

bool truth_output_fill(struct truth_output *out)
{
    if (!out->value && out->number) {
        out->value = malloc((size_t)out->elements * sizeof *out->value);
        if (out->value) {
            values_of_numbers(out->value, out->number, out->radius, out->elements);
        }
    }
    return out->value || out->elements == 0;
}

/* Returns the bits of the greatest |value| ≤ most; the bits of non-negative doubles have the order of the
 * numbers. Returns −1 if a value is neither a number without an exponent nor beyond all types. */
MULTIVERSION static int64_t greatest_of(const word *value, size_t count, word far, double most)
{
    int64_t greatest = 0, odd = 0;
    for (size_t i = 0; i < count; i++) {
        const word kind = value[WORDS * i + KIND];
        double size = fabs(number_of(value[WORDS * i + HI]));
        int64_t bits, number = mask_of(kind == 0);
        memcpy(&bits, &size, sizeof bits);
        bits &= number & mask_of(size <= most);
        greatest = bits > greatest ? bits : greatest;
        odd |= ~(number | mask_of(kind == far));
    }
    return odd ? -1 : greatest;
}

double values_greatest(const struct value *value, int64_t count, double most)
{
    const uint64_t far = value_batch_far();
    double greatest = 0;
    for (int64_t first = 0; first < count; first += BATCH_MAX) {
        const int some = count - first < BATCH_MAX ? (int)(count - first) : BATCH_MAX;
        int64_t bits = greatest_of((const word *)(value + first), (size_t)some, far, most);
        double size = bits > 0 ? number_of((word)bits) : 0;
        for (int i = 0; bits < 0 && i < some; i++) {
            double one = fabs(value_approximately(&value[first + i]));
            size = one <= most && one > size ? one : size;
        }
        greatest = size > greatest ? size : greatest;
    }
    return greatest;
}
