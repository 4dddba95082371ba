/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Reduces large angles in integers (Payne and Hanek): x = ±M·2^e with an integer M < 2^53, and x·2/π modulo 4
 * needs only those bits of 2/π that M·2^e makes neither multiples of 4 nor negligible. 224 bits, from the
 * start of the word that holds the first bit that counts, leave an error below M·2^-s < 2^-138 quarter turns,
 * where s ≥ 191 is the number of bits after the point of the product; the bits after the 160th of them are
 * dropped. No double is nearer to a multiple of π/2 than 2^-62 (Muller et al., Elementary Functions (2016),
 * 11.3), so the remainder errs by less than 2^-75 of itself. */

#include "reference/numeric/double_double.h"
#include "reference/numeric/elementary/elementary_special.h"
#include "reference/numeric/elementary/elementary_tables.h"

#include <math.h>
#include <stdbool.h>

enum { PART = 7, LIMBS = PART + 2, KEPT = 5 };

/* Returns 32 bits of a product, of which the lowest is bit `from`. */
static uint32_t bits_from(const uint32_t *product, int from)
{
    uint64_t both = product[from / 32] | (uint64_t)(from / 32 + 1 < LIMBS ? product[from / 32 + 1] : 0) << 32;
    return (uint32_t)(both >> from % 32);
}

/* Sets product = m times PART words of 2/π from word `first` on, least significant limb first. */
static void multiply(uint64_t m, int first, uint32_t *product)
{
    uint64_t low = m & UINT32_MAX, high = m >> 32, carry = 0, before = 0;
    for (int limb = 0; limb < LIMBS; limb++) {
        uint64_t word = limb < PART ? elementary_two_over_pi[first + PART - 1 - limb] : 0;
        uint64_t a = low * word + (carry & UINT32_MAX), b = high * before;
        carry = (carry >> 32) + (a >> 32) + (b >> 32);
        uint64_t sum = (a & UINT32_MAX) + (b & UINT32_MAX);
        product[limb] = (uint32_t)sum;
        carry += sum >> 32;
        before = word;
    }
}

struct angle elementary_large_angle(double x)
{
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
    e -= 53;
    int first = e < 2 ? 0 : (e - 2) / 32, point = 32 * (first + PART) - e;
    uint32_t product[LIMBS];
    multiply(m, first, product);
    uint64_t quadrant = bits_from(product, point);
    bool above = bits_from(product, point - 32) >> 31; /* the next multiple is nearer */
    struct double_double turn = {0, 0};
    for (int k = 1; k <= KEPT; k++) {
        uint32_t bits = bits_from(product, point - 32 * k);
        turn = dd_plus(turn, ldexp(above ? ~bits : bits, -32 * k));
    }
    struct double_double r =
        dd_multiply(turn, (struct double_double){ELEMENTARY_HALF_PI, ELEMENTARY_HALF_PI_REST});
    double sign = above != (x < 0) ? -1 : 1;
    quadrant += above;
    return (struct angle){sign * r.hi, sign * r.lo, x < 0 ? -quadrant : quadrant};
}
