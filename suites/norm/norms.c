/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/norm/norms.h"

#include <math.h>

static void fill_pairs(struct builder *b, const struct view *x, bool pairs)
{
    uint64_t bits[SPECIALS_MAX];
    int count = special_bits(b->c->dtype, bits);
    for (int i = 0; pairs && i < count * count; i++) {
        build_set_bits(b, x, 2 * i, 0, bits[i / count]);
        build_set_bits(b, x, 2 * i + 1, 0, bits[i % count]);
    }
    for (int i = 0; !pairs && i < count; i++) {
        build_set(b, x, 3 * i, 1.5);
        build_set_bits(b, x, 3 * i + 1, 0, bits[i]);
        build_set(b, x, 3 * i + 2, 3);
    }
}

/* Rows (3, 4)·2^k, with k from near the least to near the greatest exponent of the format. */
static void fill_pythagoras(struct builder *b, const struct view *x)
{
    const struct dtype_info *info = dtype_info(b->c->dtype);
    int64_t rows = x->shape.dim[0];
    for (int64_t r = 0; r < rows; r++) {
        int low = info->emin + 1, high = info->emax - 3;
        int k = low + (int)(r * (high - low) / (rows - 1));
        k = info->emax == 127 && r == 1 ? 63 : info->emax == 127 && r == 2 ? -75 : k;
        build_set(b, x, 2 * r, ldexp(r % 2 ? -3 : 4, k));
        build_set(b, x, 2 * r + 1, ldexp(r % 2 ? 4 : 3, k));
    }
}

/* Returns the place of the special value in group r of n elements. If there are n groups, every place occurs
 * (7 divides no such n); otherwise the ends of vectors and workgroups do. */
static int64_t place(int64_t r, int64_t groups, int64_t n)
{
    const int64_t ends[] = {0, 31, 32, 63, 64, 255, 256, n / 2, n - 1};
    return groups == n ? r * 7 % n : ends[r % 9] % n;
}

static void fill_random(struct builder *b, const struct view *x, enum norm_fill fill)
{
    struct philox generator = build_generator(b, 0);
    enum dtype dtype = b->c->dtype;
    int64_t count = shape_elements(&x->shape);
    int64_t length = x->shape.rank ? x->shape.dim[x->shape.rank - 1] : 1;
    int64_t groups = x->shape.rank ? x->shape.dim[0] : 1, group = groups ? count / groups : 0;
    int lift = dtype == DTYPE_FLOAT16 && count > 1000 ? -8 : dtype == DTYPE_FLOAT16 ? -2 : 0;
    for (int64_t i = 0; i < count; i++) {
        bool last = i % length == length - 1;
        switch (fill) {
        case NORM_CONSTANT:
            build_set(b, x, i, dtype == DTYPE_FLOAT16 ? 12.345678 : 12345.678);
            break;
        case NORM_INTEGERS:
            build_set(b, x, i, data_integer(&generator, 8));
            break;
        case NORM_SUBNORMALS:
            build_set_bits(b, x, i, 0, data_subnormal(&generator, dtype, i));
            break;
        case NORM_OUTLIER:
            build_set_bits(b, x, i, 0, data_between(&generator, dtype, -9, -7));
            break;
        default:
            build_set_bits(b, x, i, 0, data_between(&generator, dtype, -3 + lift, 3 + lift));
        }
        if (last && fill == NORM_OUTLIER) {
            build_set(b, x, i, 1000);
        } else if (last && fill == NORM_NAN_LAST) {
            build_set(b, x, i, (double)NAN);
        } else if ((fill == NORM_NAN_EACH || fill == NORM_INFINITY_EACH) &&
                   i % group == place(i / group, groups, group)) {
            build_set(b, x, i, fill == NORM_NAN_EACH ? (double)NAN : i / group % 2 ? -HUGE_VAL : HUGE_VAL);
        }
    }
}

static void fill_ends(struct builder *b, const struct view *x)
{
    int emax = dtype_info(b->c->dtype)->emax, emin = dtype_info(b->c->dtype)->emin;
    int64_t columns = x->shape.dim[1];
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        int e = i / columns % 4 == 0   ? (emax + 1) / 2 - 1 /* squares are in range, their sum is not */
                : i / columns % 4 == 1 ? (emax + 1) / 2
                : i / columns % 4 == 2 ? emin / 2
                                       : emin / 2 - 4;
        build_set(b, x, i, ldexp(1 + (double)(i % columns) / 32, e) * (i % 2 ? -1 : 1));
    }
}

static void fill_close(struct builder *b, const struct view *x)
{
    struct philox generator = build_generator(b, 0);
    int64_t n = x->shape.dim[1];
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        int64_t k = i % n;
        double greatest = 1.984375, least = 1.0625, between = 1.125 + 0.75 * philox_unit(&generator);
        double magnitude = k <= 1 || k >= n - 2 ? greatest : k == 2 || k == n / 2 ? least : between;
        build_set(b, x, i, ldexp(i % 2 ? -magnitude : magnitude, (int)(i / n) - 2));
    }
}

static void fill_apart(struct builder *b, const struct view *x)
{
    const struct dtype_info *info = dtype_info(b->c->dtype);
    int64_t n = x->shape.dim[1];
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        int row = (int)(i / n);
        bool high = i % n == row % n;
        /* Far enough from the ends for norms of small orders, and for subnormals that may be flushed. */
        build_set(b, x, i, ldexp(high ? 1.25 : -1.75, high ? info->emax - 16 - row : info->emin + 28 + row));
    }
}

struct view norm_tensor(struct builder *b, const struct shape *requested, enum layout layout,
                        enum norm_fill fill)
{
    struct shape shape = *requested;
    uint64_t bits[SPECIALS_MAX];
    int specials = special_bits(b->c->dtype, bits);
    if (fill == NORM_SPECIALS || fill == NORM_TRIPLES) {
        shape.dim[0] = fill == NORM_SPECIALS ? specials * specials : specials;
    }
    struct view x = build_tensor(b, b->c->dtype, &shape, layout);
    if (fill == NORM_SPECIALS || fill == NORM_TRIPLES) {
        fill_pairs(b, &x, fill == NORM_SPECIALS);
    } else if (fill == NORM_PYTHAGORAS) {
        fill_pythagoras(b, &x);
    } else if (fill == NORM_RANGE_ENDS) {
        fill_ends(b, &x);
    } else if (fill == NORM_CLOSE) {
        fill_close(b, &x);
    } else if (fill == NORM_APART) {
        fill_apart(b, &x);
    } else if (fill == NORM_SMALL_EXACT) {
        build_set(b, &x, 0, 3e-25);
        build_set(b, &x, 1, 4e-25);
    } else {
        fill_random(b, &x, fill);
        build_origin(b, &x, fill == NORM_RANDOM || fill == NORM_OUTLIER);
    }
    return x;
}
