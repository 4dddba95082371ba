/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/convolution/convolution_map.h"
#include "reference/ops/convolution/convolution_shape.h"

#include <stdlib.h>

enum kind { CONVOLUTION_OF_X, CONVOLUTION_OF_Y, CONVOLUTION_OF_BOTH, CONVOLUTION_CHANNELS };

/* Positions of X in one dimension that the same taps meet: those with the same remainder by the stride. */
struct residue {
    int64_t first, count;    /* first, first + stride, … */
    int64_t tap, step, taps; /* the taps that meet it: tap, tap + step, … */
};

struct geometry {
    struct convolution c;
    enum kind kind;
    int64_t x_group, y_group; /* channels of a group */
    int64_t x_size, y_size, taps;
    int64_t residues[CONVOLUTION_RANK_MAX];
    bool of_x; /* CONVOLUTION_CHANNELS: sums of X, not of Y */
};

static enum kind kind_of(const struct op *op, int output)
{
    bool transposed = op->variant & CONVOLUTION_TRANSPOSED;
    if (!(op->variant & CONVOLUTION_GRADIENT)) {
        return transposed ? CONVOLUTION_OF_Y : CONVOLUTION_OF_X;
    }
    return output == 1   ? CONVOLUTION_OF_BOTH
           : output == 2 ? CONVOLUTION_CHANNELS
           : transposed  ? CONVOLUTION_OF_X
                         : CONVOLUTION_OF_Y;
}

/* Chooses the operands: left factors are weights, or elements of Y for gradients of weights. */
static void choose_operands(const struct op_call *call, const struct geometry *g, struct product_sum *sum)
{
    bool gradient = call->op->variant & CONVOLUTION_GRADIENT;
    if (!gradient) {
        sum->left = 1;
        sum->right = 0;
        sum->bias = call->inputs > 2 && !tensor_absent(&call->input[2]) ? 2 : -1;
        sum->bias_of_rows = true;
        return;
    }
    bool transposed = call->op->variant & CONVOLUTION_TRANSPOSED;
    sum->left = g->kind == CONVOLUTION_CHANNELS ? -1 : g->kind != CONVOLUTION_OF_BOTH ? 2 : transposed;
    sum->right = g->kind == CONVOLUTION_OF_BOTH ? !transposed : 0;
}

static bool map_open(const struct op_call *call, int output, struct product_sum *sum)
{
    const bool gradient = call->op->variant & CONVOLUTION_GRADIENT;
    struct geometry *g = calloc(1, sizeof *g);
    struct error unused;
    sum->geometry = g;
    if (!g) {
        return false;
    }
    convolution_of(call->op, call->attributes, &call->input[gradient].shape, &call->input[1 + gradient].shape,
                   &g->c, &unused);
    g->kind = kind_of(call->op, output);
    g->x_group = g->c.x_channels / g->c.groups;
    g->y_group = g->c.y_channels / g->c.groups;
    g->x_size = convolution_x_size(&g->c);
    g->y_size = convolution_y_size(&g->c);
    g->taps = convolution_taps(&g->c);
    g->of_x = call->op->variant & CONVOLUTION_TRANSPOSED;
    choose_operands(call, g, sum);
    sum->blocks = g->kind == CONVOLUTION_CHANNELS ? 1 : g->c.groups;
    for (int i = 0; i < g->c.rank && g->kind == CONVOLUTION_OF_Y; i++) {
        g->residues[i] = smaller(g->c.stride[i], g->c.x[i]);
        sum->blocks *= g->residues[i];
    }
    return true;
}

/* The residue with this number in dimension i. Taps t with (x + begin − t·dilation) divisible by the stride
 * form a progression whose step is stride / gcd(stride, dilation). */
static struct residue residue_of(const struct convolution *c, int i, int64_t number)
{
    struct residue r = {
        .first = number, .count = (c->x[i] - number + c->stride[i] - 1) / c->stride[i], .tap = -1, .step = 1};
    int64_t last = 0;
    for (int64_t t = 0; t < c->kernel[i]; t++) {
        if ((number + c->begin[i] - t * c->dilation[i]) % c->stride[i] == 0) {
            r.step = r.taps == 1 ? t - last : r.step;
            r.tap = r.tap < 0 ? t : r.tap;
            last = t;
            r.taps++;
        }
    }
    return r;
}

/* Splits the number of a CONVOLUTION_OF_Y block into its group and residues. Returns the group. */
static int64_t residues_of(const struct geometry *g, int64_t number,
                           struct residue residue[CONVOLUTION_RANK_MAX])
{
    for (int i = g->c.rank - 1; i >= 0; i--) {
        residue[i] = residue_of(&g->c, i, number % g->residues[i]);
        number /= g->residues[i];
    }
    return number;
}

static void map_block(const struct product_sum *sum, int64_t number, struct product_sum_block *block)
{
    const struct geometry *g = sum->geometry;
    struct residue residue[CONVOLUTION_RANK_MAX];
    int64_t positions = 1, taps = 1;
    *block = (struct product_sum_block){.number = number};
    switch (g->kind) {
    case CONVOLUTION_OF_X:
        block->rows = g->y_group;
        block->columns = g->c.batch * g->y_size;
        block->terms = g->x_group * g->taps;
        block->bias_first = number * g->y_group;
        break;
    case CONVOLUTION_OF_Y:
        block->bias_first = residues_of(g, number, residue) * g->x_group;
        for (int i = 0; i < g->c.rank; i++) {
            positions *= residue[i].count;
            taps *= residue[i].taps;
        }
        block->rows = g->x_group;
        block->columns = g->c.batch * positions;
        block->terms = g->y_group * taps;
        block->padded = g->y_group * g->taps;
        break;
    case CONVOLUTION_OF_BOTH:
        block->rows = g->y_group;
        block->columns = g->x_group * g->taps;
        block->terms = g->c.batch * g->y_size;
        break;
    case CONVOLUTION_CHANNELS:
        block->rows = 1;
        block->columns = g->of_x ? g->c.x_channels : g->c.y_channels;
        block->terms = g->c.batch * (g->of_x ? g->x_size : g->y_size);
        break;
    }
    block->padded = block->padded > block->terms ? block->padded : block->terms;
}

/* Splits a row-major index of `size` into positions. */
static void unravel(int64_t index, const int64_t *size, int rank, int64_t *at)
{
    for (int i = rank - 1; i >= 0; i--) {
        at[i] = index % size[i];
        index /= size[i];
    }
}

/* Returns the index in X of position y and tap t; −1 in the padding. */
static int64_t x_at(const struct convolution *c, const int64_t *y, const int64_t *t)
{
    int64_t at = 0;
    for (int i = 0; i < c->rank; i++) {
        int64_t x = y[i] * c->stride[i] - c->begin[i] + t[i] * c->dilation[i];
        if (x < 0 || x >= c->x[i]) {
            return -1;
        }
        at = at * c->x[i] + x;
    }
    return at;
}

/* Returns the index in Y of what tap t carries to position x; −1 if it lies outside. */
static int64_t y_at(const struct convolution *c, const int64_t *x, const int64_t *t)
{
    int64_t at = 0;
    for (int i = 0; i < c->rank; i++) {
        int64_t strided = x[i] + c->begin[i] - t[i] * c->dilation[i];
        if (strided < 0 || strided % c->stride[i] != 0 || strided / c->stride[i] >= c->y[i]) {
            return -1;
        }
        at = at * c->y[i] + strided / c->stride[i];
    }
    return at;
}

/* Returns tap number k of the residues: its place in the kernel, and its positions in t. */
static int64_t tap_of(const struct convolution *c, const struct residue *residue, int64_t k, int64_t *t)
{
    int64_t at = 0, step = 1;
    for (int i = c->rank - 1; i >= 0; i--) {
        t[i] = residue[i].tap + k % residue[i].taps * residue[i].step;
        k /= residue[i].taps;
        at += t[i] * step;
        step *= c->kernel[i];
    }
    return at;
}

static int64_t taps_of(const struct convolution *c, const struct residue *residue)
{
    int64_t taps = 1;
    for (int i = 0; i < c->rank; i++) {
        taps *= residue[i].taps;
    }
    return taps;
}

static void map_left(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                     int64_t *index)
{
    const struct geometry *g = sum->geometry;
    struct residue residue[CONVOLUTION_RANK_MAX];
    int64_t t[CONVOLUTION_RANK_MAX], group, taps;
    switch (g->kind) {
    case CONVOLUTION_OF_X:
        for (int64_t k = 0; k < block->terms; k++) {
            index[k] = (block->number * g->y_group + row) * block->terms + k;
        }
        break;
    case CONVOLUTION_OF_Y:
        group = residues_of(g, block->number, residue);
        taps = taps_of(&g->c, residue);
        for (int64_t k = 0; k < block->terms; k++) {
            index[k] = ((group * g->y_group + k / taps) * g->x_group + row) * g->taps +
                       tap_of(&g->c, residue, k % taps, t);
        }
        break;
    case CONVOLUTION_OF_BOTH:
        for (int64_t k = 0; k < block->terms; k++) {
            int64_t sample = k / g->y_size;
            index[k] =
                (sample * g->c.y_channels + block->number * g->y_group + row) * g->y_size + k % g->y_size;
        }
        break;
    case CONVOLUTION_CHANNELS: /* a plain sum */
        break;
    }
}

/* The position in X of element `column` of a residue, and its sample. */
static int64_t residue_position(const struct geometry *g, const struct residue *residue, int64_t column,
                                int64_t *x)
{
    for (int i = g->c.rank - 1; i >= 0; i--) {
        x[i] = residue[i].first + column % residue[i].count * g->c.stride[i];
        column /= residue[i].count;
    }
    return column;
}

static void right_of_x(const struct geometry *g, int64_t group, int64_t column, int64_t *index)
{
    int64_t y[CONVOLUTION_RANK_MAX], t[CONVOLUTION_RANK_MAX], sample = column / g->y_size;
    int64_t first = (sample * g->c.x_channels + group * g->x_group) * g->x_size;
    unravel(column % g->y_size, g->c.y, g->c.rank, y);
    for (int64_t k = 0; k < g->taps && g->x_group > 0; k++) {
        unravel(k, g->c.kernel, g->c.rank, t);
        int64_t at = x_at(&g->c, y, t);
        for (int64_t channel = 0; channel < g->x_group; channel++) {
            index[channel * g->taps + k] = at < 0 ? -1 : first + channel * g->x_size + at;
        }
    }
}

static void right_of_y(const struct geometry *g, int64_t number, int64_t column, int64_t *index)
{
    struct residue residue[CONVOLUTION_RANK_MAX];
    int64_t x[CONVOLUTION_RANK_MAX], t[CONVOLUTION_RANK_MAX];
    int64_t group = residues_of(g, number, residue), taps = taps_of(&g->c, residue);
    int64_t sample = residue_position(g, residue, column, x);
    int64_t first = (sample * g->c.y_channels + group * g->y_group) * g->y_size;
    for (int64_t k = 0; k < taps; k++) {
        tap_of(&g->c, residue, k, t);
        int64_t at = y_at(&g->c, x, t);
        for (int64_t channel = 0; channel < g->y_group; channel++) {
            index[channel * taps + k] = at < 0 ? -1 : first + channel * g->y_size + at;
        }
    }
}

static void right_of_both(const struct geometry *g, int64_t group, int64_t column, int64_t *index)
{
    int64_t y[CONVOLUTION_RANK_MAX], t[CONVOLUTION_RANK_MAX];
    int64_t channel = group * g->x_group + column / g->taps;
    unravel(column % g->taps, g->c.kernel, g->c.rank, t);
    for (int64_t k = 0; k < g->y_size && g->c.batch > 0; k++) {
        unravel(k, g->c.y, g->c.rank, y);
        int64_t at = x_at(&g->c, y, t);
        for (int64_t sample = 0; sample < g->c.batch; sample++) {
            index[sample * g->y_size + k] =
                at < 0 ? -1 : (sample * g->c.x_channels + channel) * g->x_size + at;
        }
    }
}

static void map_right(const struct product_sum *sum, const struct product_sum_block *block, int64_t column,
                      int64_t *index)
{
    const struct geometry *g = sum->geometry;
    const int64_t size = g->of_x ? g->x_size : g->y_size;
    switch (g->kind) {
    case CONVOLUTION_OF_X:
        right_of_x(g, block->number, column, index);
        break;
    case CONVOLUTION_OF_Y:
        right_of_y(g, block->number, column, index);
        break;
    case CONVOLUTION_OF_BOTH:
        right_of_both(g, block->number, column, index);
        break;
    case CONVOLUTION_CHANNELS:
        for (int64_t k = 0; k < block->terms; k++) {
            index[k] = (k / size * block->columns + column) * size + k % size;
        }
        break;
    }
}

static int64_t map_element(const struct product_sum *sum, const struct product_sum_block *block, int64_t row,
                           int64_t column)
{
    const struct geometry *g = sum->geometry;
    struct residue residue[CONVOLUTION_RANK_MAX];
    int64_t x[CONVOLUTION_RANK_MAX], sample, at = 0, group;
    switch (g->kind) {
    case CONVOLUTION_OF_X:
        sample = column / g->y_size;
        return (sample * g->c.y_channels + block->number * g->y_group + row) * g->y_size + column % g->y_size;
    case CONVOLUTION_OF_Y:
        group = residues_of(g, block->number, residue);
        sample = residue_position(g, residue, column, x);
        for (int i = 0; i < g->c.rank; i++) {
            at = at * g->c.x[i] + x[i];
        }
        return (sample * g->c.x_channels + group * g->x_group + row) * g->x_size + at;
    case CONVOLUTION_OF_BOTH:
        return (block->number * g->y_group + row) * block->columns + column;
    case CONVOLUTION_CHANNELS:
        break;
    }
    return column;
}

/* The place of an element of X in its residue's block. */
static void place_in_residue(const struct product_sum *sum, int64_t e, struct product_sum_block *block,
                             int64_t *row, int64_t *column)
{
    const struct geometry *g = sum->geometry;
    int64_t x[CONVOLUTION_RANK_MAX], channel = e / g->x_size % g->c.x_channels;
    int64_t number = channel / g->x_group, at = e / g->x_size / g->c.x_channels; /* the sample */
    unravel(e % g->x_size, g->c.x, g->c.rank, x);
    for (int i = 0; i < g->c.rank; i++) {
        int64_t residue = x[i] % g->c.stride[i];
        number = number * g->residues[i] + residue;
        at = at * residue_of(&g->c, i, residue).count + x[i] / g->c.stride[i];
    }
    map_block(sum, number, block);
    *row = channel % g->x_group;
    *column = at;
}

static void map_place(const struct product_sum *sum, int64_t e, struct product_sum_block *block, int64_t *row,
                      int64_t *column)
{
    const struct geometry *g = sum->geometry;
    int64_t channel, columns;
    *row = 0;
    switch (g->kind) {
    case CONVOLUTION_OF_X:
        channel = e / g->y_size % g->c.y_channels;
        map_block(sum, channel / g->y_group, block);
        *row = channel % g->y_group;
        *column = e / g->y_size / g->c.y_channels * g->y_size + e % g->y_size;
        break;
    case CONVOLUTION_OF_Y:
        place_in_residue(sum, e, block, row, column);
        break;
    case CONVOLUTION_OF_BOTH:
        columns = g->x_group * g->taps;
        map_block(sum, e / columns / g->y_group, block);
        *row = e / columns % g->y_group;
        *column = e % columns;
        break;
    case CONVOLUTION_CHANNELS:
        map_block(sum, 0, block);
        *column = e;
        break;
    }
}

const struct product_sum_map convolution_map = {.open = map_open,
                                                .block = map_block,
                                                .left = map_left,
                                                .right = map_right,
                                                .element = map_element,
                                                .place = map_place};
