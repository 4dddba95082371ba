/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

/* Known answers of philox4x32-10, from the kat_vectors of the authors' Random123 distribution. */
Test(philox, known_answers)
{
    struct {
        uint32_t counter[4], key[2], expect[4];
    } row[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        philox_block(row[i].counter, row[i].key, out);
        cr_assert_arr_eq(out, row[i].expect, sizeof out, "vector %d", i);
    }
}

/* Words from `position` on, block by block. */
static void expect_stream(uint64_t key, uint64_t position, int isa)
{
    struct philox generator;
    const uint32_t keys[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    philox_start(&generator, key);
    philox_seek(&generator, position);
    for (int i = 0; i < 5 * PHILOX_WORDS + 3; i++) {
        uint64_t word = position + (uint64_t)i, block = word / 4;
        const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32)};
        uint32_t out[4];
        philox_block(counter, keys, out);
        cr_assert_eq(philox_next(&generator), out[word % 4], "machine %d: word %d from %#llx on", isa, i,
                     (unsigned long long)position);
    }
}

/* Many blocks at a time are the same stream, also across a carry of the counter, on every machine. */
Test(philox, side_by_side)
{
    int isa = 0;
    for (; philox_force(isa); isa++) {
        expect_stream(0x0123456789ABCDEF, 0, isa);
        expect_stream(0xFFFFFFFFFFFFFFFF, 5, isa);
        expect_stream(1, ((uint64_t)1 << 34) - 9, isa);
        expect_stream(0x9E3779B97F4A7C15, ((uint64_t)0x7FFFFFFF << 32) + 2, isa);
    }
    philox_force(-1);
    cr_expect_gt(isa, 0);
}

Test(philox, ranges)
{
    struct philox generator;
    philox_start(&generator, 7);
    int seen[10] = {0};
    for (int i = 0; i < 10000; i++) {
        double u = philox_unit(&generator), s = philox_signed(&generator);
        cr_assert(u >= 0 && u < 1 && s > -1 && s < 1);
        seen[philox_below(&generator, 10)]++;
    }
    for (int i = 0; i < 10; i++) {
        cr_assert(seen[i] > 850 && seen[i] < 1150, "digit %d: %d of 10000", i, seen[i]);
    }
}

/* Of a range that rejects nearly half of the words: those that Lemire's condition leaves, and no other. */
Test(philox, what_would_lean_is_rejected)
{
    const uint32_t n = 0x80000001U, biased = (0U - n) % n;
    struct philox ours, words;
    philox_start(&ours, 7);
    philox_start(&words, 7);
    int rejected = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t product = (uint64_t)philox_next(&words) * n;
        for (; (uint32_t)product < biased; rejected++) {
            product = (uint64_t)philox_next(&words) * n;
        }
        cr_assert_eq(philox_below(&ours, n), (uint32_t)(product >> 32), "number %d", i);
    }
    cr_expect(rejected > 800 && rejected < 1200, "%d rejected", rejected);
}
