/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/block/array.h"

#include <criterion/criterion.h>

static struct block_call call[BLOCK_CALLS_MAX];

/* Too large for level standard with both greatest values, too large for any level with a third. Blocks of
 * (1, 1) do not exist. */
static int64_t work(const int64_t value[BLOCK_AXES])
{
    if (value[0] == 1 && value[1] == 1) {
        return -1;
    }
    return value[0] == 7 && value[1] == 9 ? value[2] == 4 ? block_exhaustive + 1 : block_standard + 1 : 1;
}

static const struct block_axes axes = {.count = 4,
                                       .axis = {{3, {1, 3, 7}}, {4, {1, 2, 5, 9}}, {2, {0, 4}}, {2, {0, 1}}},
                                       .small = {3, 2, 0, 1},
                                       .work = work};

/* Returns the lowest level of a call with both values; LEVEL_COUNT: there is none. */
static enum level level_of_pair(int count, int a, int64_t x, int b, int64_t y)
{
    enum level least = LEVEL_COUNT;
    for (int k = 0; k < count; k++) {
        const bool both = call[k].value[a] == x && call[k].value[b] == y;
        least = both && call[k].level < least ? call[k].level : least;
    }
    return least;
}

Test(block_array, has_every_pair_at_the_level_that_it_fits)
{
    const int count = block_array(&axes, call);
    int pairs = 0;
    for (int a = 0; a < axes.count; a++) {
        for (int b = a + 1; b < axes.count; b++) {
            for (int v = 0; v < axes.axis[a].values; v++) {
                for (int w = 0; w < axes.axis[b].values; w++) {
                    const int64_t x = axes.axis[a].value[v], y = axes.axis[b].value[w];
                    const enum level level = level_of_pair(count, a, x, b, y);
                    const bool none = a == 0 && b == 1 && x == 1 && y == 1;
                    const bool large = a == 0 && b == 1 && x == 7 && y == 9;
                    cr_expect(none    ? level == LEVEL_COUNT
                              : large ? level == LEVEL_EXHAUSTIVE
                                      : level <= LEVEL_STANDARD,
                              "axes %d and %d, %lld and %lld: level %d", a, b, (long long)x, (long long)y,
                              (int)level);
                    pairs++;
                }
            }
        }
    }
    cr_expect_eq(pairs, 12 + 6 + 6 + 8 + 8 + 4);
    cr_expect_lt(count, 20, "%d calls", count);
}

Test(block_array, begins_with_the_small_call)
{
    cr_assert_gt(block_array(&axes, call), 0);
    cr_expect_eq(call[0].level, LEVEL_SMOKE);
    for (int a = 0; a < axes.count; a++) {
        cr_expect_eq(call[0].value[a], axes.small[a]);
    }
}

Test(block_array, keeps_to_the_limits)
{
    const int count = block_array(&axes, call);
    for (int k = 0; k < count; k++) {
        const int64_t cost = work(call[k].value);
        cr_expect(cost >= 0 &&
                  cost <= (call[k].level == LEVEL_EXHAUSTIVE ? block_exhaustive : block_standard));
    }
}
