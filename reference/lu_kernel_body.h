/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The loops of reference/lu_kernel.h for one machine: included by lu_kernel.c once for each, with
 *
 *   WIDTH          numbers in a vector
 *   NAME(x)        the names of this machine's functions
 *   REST(a, b, x)  a·b − x, exactly, x = a·b rounded
 *   TARGET         the attribute that lets a function use this machine's instructions
 *
 * Nothing else differs: each lane is added up alone, by + − × that round as IEEE 754 says. */

typedef double NAME(lanes) __attribute__((vector_size(WIDTH * sizeof(double))));
typedef int64_t NAME(masks) __attribute__((vector_size(WIDTH * sizeof(int64_t))));
#define lanes NAME(lanes)
#define masks NAME(masks)

TARGET INLINE lanes NAME(spread)(double x)
{
    return x - (lanes){0};
}

TARGET INLINE lanes NAME(magnitude)(lanes x)
{
    return (lanes)((masks)x & (INT64_MAX - (masks){0})); /* all but the sign */
}

TARGET INLINE lanes NAME(load)(const double *from)
{
    lanes x;
    memcpy(&x, from, sizeof x);
    return x;
}

TARGET INLINE void NAME(store)(double *to, lanes x)
{
    memcpy(to, &x, sizeof x);
}

/* Veltkamp's split; Dekker's product. */
TARGET INLINE lanes NAME(dekker)(lanes a, lanes b, lanes x)
{
    lanes s = a * NAME(spread)(0x1p27 + 1), t = b * NAME(spread)(0x1p27 + 1);
    lanes p = s - (s - a), q = t - (t - b), r = a - p, v = b - q;
    return r * v - (((x - p * q) - r * q) - p * v);
}

#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define LOAD(r)  lanes sum##r = NAME(load)(to + lane + (r)*stride);
#define STORE(r) NAME(store)(to + lane + (r)*stride, sum##r);
#define LESS(r)  sum##r -= column * left[(r)*apart];
#define MORE(r)  sum##r += column * left[(r)*apart];
#define PRODUCT(name, TERM)                                                                                  \
    TARGET static void NAME(name)(double *to, int64_t stride, const struct lu_factors *f)                    \
    {                                                                                                        \
        int64_t apart = f->stride;                                                                           \
        for (int lane = 0; lane < LU_TILE; lane += WIDTH) {                                                  \
            const double *left = f->left, *panel = f->panel + lane;                                          \
            EACH(LOAD)                                                                                       \
            for (int64_t k = 0; k < f->terms; k++, left++, panel += LU_TILE) {                               \
                lanes column = NAME(load)(panel);                                                            \
                EACH(TERM)                                                                                   \
            }                                                                                                \
            EACH(STORE)                                                                                      \
        }                                                                                                    \
    }
PRODUCT(subtract, LESS)
PRODUCT(add, MORE)

struct NAME(pair) {
    lanes total, low, absolute;
};
#define pair NAME(pair)

/* Knuth's TwoSum: what rounding loses goes to `low`, with what the product has lost. */
TARGET INLINE void NAME(add_product)(struct pair *p, lanes a, lanes b)
{
    lanes x = a * b, rest = REST(a, b, x);
    lanes sum = p->total + x, back = sum - p->total;
    p->low += ((p->total - (sum - back)) + (x - back)) + rest;
    p->total = sum;
    p->absolute += NAME(magnitude)(x);
}

TARGET static void NAME(dot2)(struct lu_pairs *to, const struct lu_factors *f)
{
    const lanes zero = NAME(spread)(0);
    for (int part = 0; part < LU_TILE / 2 * (LU_TILE / WIDTH); part++) {
        int row = part % (LU_TILE / 2) * 2, lane = part / (LU_TILE / 2) * WIDTH, at = row * LU_TILE + lane;
        const double *first = f->left + row * f->stride, *second = first + f->stride;
        struct pair a = {NAME(load)(to->total + at), zero, zero},
                    b = {NAME(load)(to->total + at + LU_TILE), zero, zero};
        for (int64_t k = 0; k < f->terms; k++) {
            lanes column = NAME(load)(f->panel + k * LU_TILE + lane);
            NAME(add_product)(&a, column, NAME(spread)(first[k]));
            NAME(add_product)(&b, column, NAME(spread)(second[k]));
        }
        NAME(store)(to->total + at, a.total);
        NAME(store)(to->low + at, a.low);
        NAME(store)(to->absolute + at, a.absolute);
        NAME(store)(to->total + at + LU_TILE, b.total);
        NAME(store)(to->low + at + LU_TILE, b.low);
        NAME(store)(to->absolute + at + LU_TILE, b.absolute);
    }
}

struct NAME(state) {
    lanes rest, energy;
};
#define state NAME(state)

TARGET INLINE void NAME(add_energy)(struct state *s, lanes column, double left)
{
    lanes product = column * left;
    s->rest -= product;
    s->energy += product * product + s->rest * s->rest;
}

#define STATE(r)                                                                                             \
    struct state s##r = {NAME(load)(rest + at + (r)*LU_TILE), NAME(load)(energy + at + (r)*LU_TILE)};
#define COUNT(r) NAME(add_energy)(&s##r, column, left[(r)*f->stride]);
#define KEEP(r)                                                                                              \
    NAME(store)(rest + at + (r)*LU_TILE, s##r.rest);                                                         \
    NAME(store)(energy + at + (r)*LU_TILE, s##r.energy);
TARGET static void NAME(energies)(double *rest, double *energy, const struct lu_factors *f)
{
    for (int part = 0; part < 2 * (LU_TILE / WIDTH); part++) {
        int row = part % 2 * 4, lane = part / 2 * WIDTH, at = row * LU_TILE + lane;
        const double *left = f->left + row * f->stride, *panel = f->panel + lane;
        STATE(0) STATE(1) STATE(2) STATE(3) for (int64_t k = 0; k < f->terms; k++, left++, panel += LU_TILE)
        {
            lanes column = NAME(load)(panel);
            COUNT(0) COUNT(1) COUNT(2) COUNT(3)
        }
        KEEP(0) KEEP(1) KEEP(2) KEEP(3)
    }
}

TARGET static double NAME(update)(double *y, const double *x, double l, int64_t count)
{
    lanes greatest = NAME(spread)(0), factor = NAME(spread)(l);
    for (int64_t j = 0; j < count; j += WIDTH) {
        lanes z = NAME(load)(y + j) - NAME(load)(x + j) * factor, size = NAME(magnitude)(z);
        NAME(store)(y + j, z);
        greatest = (lanes)(((size > greatest) & (masks)size) | (~(size > greatest) & (masks)greatest));
    }
    double most = 0;
    for (int lane = 0; lane < WIDTH; lane++) {
        most = greatest[lane] > most ? greatest[lane] : most;
    }
    return most;
}

static const struct loops NAME(loops) = {NAME(subtract), NAME(add), NAME(dot2), NAME(energies), NAME(update)};

#undef lanes
#undef masks
#undef EACH
#undef LOAD
#undef STORE
#undef LESS
#undef MORE
#undef PRODUCT
#undef pair
#undef state
#undef STATE
#undef COUNT
#undef KEEP
#undef WIDTH
#undef NAME
#undef REST
#undef TARGET
