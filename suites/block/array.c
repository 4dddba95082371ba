/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/block/array.h"

#include <string.h>

enum { OPEN = -1 };

struct search {
    const struct block_axes *axes;
    bool covered[BLOCK_AXES][BLOCK_VALUES][BLOCK_AXES][BLOCK_VALUES];
};

/* Returns how many pairs of a choice are not covered yet: all of them, or those with axis `of`. `mark` covers
 * them. */
static int pairs(struct search *s, const int choice[BLOCK_AXES], int of, bool mark)
{
    int gain = 0;
    for (int a = 0; a < s->axes->count; a++) {
        for (int b = 0; b < s->axes->count; b++) {
            const bool concerns = a != b && choice[a] != OPEN && choice[b] != OPEN && (of < 0 || a == of);
            if (concerns) {
                bool *covered = &s->covered[a][choice[a]][b][choice[b]];
                gain += !*covered;
                *covered = *covered || mark;
            }
        }
    }
    return gain;
}

/* Fills the values of a choice; an open axis has its first value, which is the least. */
static void values_of(const struct block_axes *axes, const int choice[BLOCK_AXES], int64_t value[BLOCK_AXES])
{
    memset(value, 0, BLOCK_AXES * sizeof *value);
    for (int a = 0; a < axes->count; a++) {
        value[a] = axes->axis[a].value[choice[a] == OPEN ? 0 : choice[a]];
    }
}

/* Whether a whole choice, or one that open axes may still complete, is within the limit. An open axis may
 * have to be larger than its first value, where that one makes no block. */
static bool fits(const struct block_axes *axes, const int choice[BLOCK_AXES], int64_t limit)
{
    int64_t value[BLOCK_AXES];
    bool whole = true;
    for (int a = 0; a < axes->count; a++) {
        whole = whole && choice[a] != OPEN;
    }
    values_of(axes, choice, value);
    const int64_t work = axes->work(value);
    return work <= limit && (work >= 0 || !whole);
}

/* Gives each open axis the value that covers most pairs, of equal ones the first. Returns false if no value
 * fits. */
static bool complete(struct search *s, int choice[BLOCK_AXES], int64_t limit)
{
    for (int a = 0; a < s->axes->count; a++) {
        int best = OPEN, most = -1;
        if (choice[a] != OPEN) {
            continue;
        }
        for (int v = 0; v < s->axes->axis[a].values; v++) {
            choice[a] = v;
            const int gain = fits(s->axes, choice, limit) ? pairs(s, choice, a, false) : -1;
            best = gain > most ? v : best;
            most = gain > most ? gain : most;
        }
        choice[a] = best;
        if (best == OPEN) {
            return false;
        }
    }
    return fits(s->axes, choice, limit);
}

/* Appends the choice as a call and covers its pairs. */
static int append(struct search *s, const int choice[BLOCK_AXES], enum level level, struct block_call *call,
                  int count)
{
    if (count < BLOCK_CALLS_MAX) {
        call[count] = (struct block_call){.level = level};
        values_of(s->axes, choice, call[count].value);
        pairs(s, choice, -1, true);
        count++;
    }
    return count;
}

static int cover(struct search *s, enum level level, int64_t limit, struct block_call *call, int count)
{
    const struct block_axes *axes = s->axes;
    for (int k = 0; k < BLOCK_AXES * BLOCK_VALUES * BLOCK_AXES * BLOCK_VALUES; k++) {
        /* the greatest values first: later calls complete themselves with what is left of the small ones */
        const int a = k / BLOCK_VALUES / BLOCK_AXES / BLOCK_VALUES, b = k / BLOCK_VALUES % BLOCK_AXES,
                  v = BLOCK_VALUES - 1 - k / BLOCK_VALUES / BLOCK_AXES % BLOCK_VALUES,
                  w = BLOCK_VALUES - 1 - k % BLOCK_VALUES;
        if (a >= axes->count || b >= axes->count || a >= b || v >= axes->axis[a].values ||
            w >= axes->axis[b].values || s->covered[a][v][b][w]) {
            continue;
        }
        int choice[BLOCK_AXES];
        for (int c = 0; c < BLOCK_AXES; c++) {
            choice[c] = c == a ? v : c == b ? w : OPEN;
        }
        if (complete(s, choice, limit)) {
            count = append(s, choice, level, call, count);
        }
    }
    return count;
}

int block_array(const struct block_axes *axes, struct block_call call[BLOCK_CALLS_MAX])
{
    struct search s = {.axes = axes};
    int small[BLOCK_AXES] = {0};
    for (int a = 0; a < axes->count; a++) {
        for (int v = 0; v < axes->axis[a].values; v++) {
            small[a] = axes->axis[a].value[v] == axes->small[a] ? v : small[a];
        }
    }
    int count = append(&s, small, LEVEL_SMOKE, call, 0);
    count = cover(&s, LEVEL_STANDARD, block_standard, call, count);
    return cover(&s, LEVEL_EXHAUSTIVE, block_exhaustive, call, count);
}
