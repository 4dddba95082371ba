/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/product_sum/scatter_sum.h"

#include <stdlib.h>

struct geometry {
    int64_t inner;
    const int64_t *source; /* all sources, sorted by target */
    int64_t first[];       /* those of target v: source[first[v]] to source[first[v + 1] − 1] */
};

bool scatter_sum_open(struct product_sum *sum, int right, int64_t sources, int64_t vectors, int64_t inner,
                      scatter_target *target, const void *user)
{
    struct geometry *g = calloc(1, sizeof *g + ((size_t)vectors + (size_t)sources + 2) * sizeof *g->first);
    sum->geometry = g;
    if (!g) {
        return false;
    }
    int64_t *first = g->first + 1, *source = g->first + vectors + 2;
    g->inner = inner;
    g->source = source;
    for (int64_t i = 0; i < sources; i++) {
        const int64_t v = target(user, i);
        if (v >= 0) {
            first[v]++;
        }
    }
    for (int64_t v = 0, before = 0; v < vectors; v++) {
        const int64_t count = first[v];
        first[v] = before;
        before += count;
    }
    for (int64_t i = 0; i < sources; i++) { /* afterwards first[v] is the end of v, that is g->first[v + 1] */
        const int64_t v = target(user, i);
        if (v >= 0) {
            source[first[v]++] = i;
        }
    }
    sum->right = right;
    sum->blocks = vectors;
    return true;
}

void scatter_sum_block(const struct product_sum *sum, int64_t number, struct product_sum_block *block)
{
    const struct geometry *g = sum->geometry;
    const int64_t terms = g->first[number + 1] - g->first[number];
    *block = (struct product_sum_block){
        .number = number, .rows = 1, .columns = g->inner, .terms = terms, .padded = terms};
}

void scatter_sum_right(const struct product_sum *sum, const struct product_sum_block *block, int64_t column,
                       int64_t *index)
{
    const struct geometry *g = sum->geometry;
    const int64_t *source = g->source + g->first[block->number];
    for (int64_t k = 0; k < block->terms; k++) {
        index[k] = source[k] * g->inner + column;
    }
}

int64_t scatter_sum_element(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                            int64_t column)
{
    const struct geometry *g = sum->geometry;
    (void)row;
    return block->number * g->inner + column;
}

void scatter_sum_place(const struct product_sum *sum, int64_t element, struct product_sum_block *block,
                       int64_t *row, int64_t *column)
{
    const struct geometry *g = sum->geometry;
    scatter_sum_block(sum, element / g->inner, block);
    *row = 0;
    *column = element % g->inner;
}
