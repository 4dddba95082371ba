/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/reduction/fills.h"
#include "reference/ops/rowwise/rowwise.h"
#include "suites/reduction/operators.h"
#include "suites/shared/data.h"

#include <math.h>

enum { PLACES = 12 };

/* Returns the special place of row r: every place of short rows; of longer ones the ends of vectors,
 * workgroups and parts. */
static int64_t place_of(int64_t r, int64_t terms)
{
    const int64_t ends[PLACES] = {terms - 1, 0, 63, 64, 255, 256, 4095, 4096, 8191, 8192, 4097, terms / 2};
    return terms <= 257 ? (r * 7 + terms - 1) % terms : ends[r % PLACES] % terms;
}

static bool is_place(int64_t r, int64_t k, int64_t terms)
{
    return k == place_of(r, terms);
}

struct filling filling_of(const struct builder *b, enum fill fill, int64_t rows, int64_t terms)
{
    const struct op *op = b->c->op;
    const bool real = dtype_is_floating(b->c->dtype);
    return (struct filling){.fill = fill,
                            .rows = rows,
                            .terms = terms,
                            .most = real ? dtype_max(b->c->dtype) : 0,
                            .real = real,
                            .multiplies = row_operator(op) & ROW_PRODUCT,
                            .least = row_picks_least(op) || op->rowwise->decreases};
}

/* Returns a factor of a product whose partial products stay in range in every order: ones, and up to 32
 * factors near one. Integer dtypes: odd integers. */
static double factor(const struct filling *f, int64_t row, int64_t term, struct philox *generator)
{
    const int64_t every = f->terms > 64 ? f->terms / 24 : 2;
    const double sign = philox_below(generator, 2) ? -1 : 1;
    const bool takes_part = (term + row) % every == 0;
    if (!f->real) {
        return sign * (1 + 2 * (double)philox_below(generator, 500));
    }
    if (f->fill == FILL_WHOLE || !takes_part) { /* exact in every order */
        return sign * (takes_part ? (term / every % 2 ? 1.5 : 2) : 1);
    }
    return (f->fill == FILL_POSITIVE ? 1 : sign) * (0.75 + 0.5625 * philox_unit(generator));
}

/* Element k of row r. */
static double fill_one(const struct filling *f, int64_t r, int64_t k, struct philox *generator)
{
    const int64_t terms = f->terms;
    const double most = f->most, lead = f->least ? -1 : 1;
    const bool last = r == f->rows - 1;
    const double whole = f->multiplies ? factor(f, r, k, generator) : (double)philox_below(generator, 17) - 8;
    switch (f->fill) {
    case FILL_POSITIVE:
        return f->multiplies ? whole : 0.5 + philox_unit(generator) / 2;
    case FILL_CANCELS:
        return k % 3 == 2 ? philox_unit(generator) : (k % 3 ? -1 : 1) * (double)(1024 + k / 3 % 7 * 128);
    case FILL_ENDS:
        return (r % 3 == 0 || k % 2 ? 1 : -1) * (r % 2 ? most : most / (double)(2 * terms)) *
               (r % 4 == 3 ? -1 : 1);
    case FILL_EQUAL:
        return 1.375;
    case FILL_ZEROS:
        return (r % 3 == 0 ? k + r : r) % 2 ? -0.0 : 0.0;
    case FILL_NEGATIVE:
        return -lead * (is_place(r, k, terms) ? 1 : 2 + philox_unit(generator));
    case FILL_DECIDES:
        return is_place(r, k, terms) ? lead * 64 : f->multiplies ? (double)(k % 3 ? 1 : -1) : whole / 8;
    case FILL_NAN:
        return !last && is_place(r, k, terms) ? (double)NAN : whole;
    case FILL_INFINITE:
        return k == terms / 2 && r % 4 == 2     ? -(double)INFINITY
               : !last && is_place(r, k, terms) ? (r % 2 ? -1 : 1) * (double)INFINITY
                                                : whole;
    case FILL_NOTHING:
        return r % 3 == 2 && is_place(r, k, terms) ? whole : -(double)INFINITY;
    case FILL_LOGITS:
        return (r % 2 ? -1e4 : 1e4) - (k % 3 ? 16 * philox_unit(generator) : 80 + 1.5 * (double)(k % 20));
    case FILL_SWAMPED:
        return k == 0 ? 4096 : f->most > 1e300 ? 0x1.8p-42 : 0x1.8p-13;
    case FILL_OFFSET:
        return 1000 + 4 * philox_unit(generator); /* bfloat16 holds 1000 and 1004 */
    default:
        return whole;
    }
}

void fill_set(struct builder *b, const struct view *x, int64_t i, const struct filling *filling, int64_t row,
              int64_t term, struct philox *generator)
{
    const enum fill fill = filling->fill;
    const enum dtype dtype = b->c->dtype;
    const bool last = term == filling->terms - 1;
    if (fill == FILL_RANDOM && filling->real && !filling->multiplies) {
        build_set_bits(b, x, i, 0, data_between(generator, dtype, -4, 4));
    } else if (fill == FILL_RANDOM && !filling->multiplies) {
        build_set_bits(b, x, i, 0, (uint64_t)data_integer(generator, 1 << 30));
    } else if (fill == FILL_SUBNORMAL && (row % 2 || !last)) {
        build_set_bits(b, x, i, 0, term % 5 == 4 ? 0 : data_subnormal(generator, dtype, i));
    } else if (fill == FILL_SUBNORMAL) {
        build_set(b, x, i, filling->least ? -2 : 2);
    } else if (fill == FILL_WRAP) {
        uint64_t most = (UINT64_C(1) << (8 * dtype_info(dtype)->size - 1)) - 1;
        build_set_bits(b, x, i, 0,
                       (row % 2 ? most + 1 : most) - (term % 3 ? 0 : philox_below(generator, 1 << 20)));
    } else if (fill == FILL_RARE) {
        if (term % 4 == 3 || last) { /* other elements are 0 from build_tensor() */
            build_set(b, x, i, last ? 2 : 1);
        }
    } else {
        double one = fill_one(filling, row, term, generator);
        build_set(b, x, i, filling->real ? one : trunc(one));
    }
}
