/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The loops of reference/exact_sum_kernel.h for one machine: included by exact_sum_kernel.c once for each,
 * with
 *
 *   WIDTH        numbers in a vector
 *   NAME(x)      the names of this machine's functions
 *   MAX(a, b)    the greater, lane by lane
 *   LEAST(a, b)  the lesser, b where a is 0
 *   TARGET       the attribute that lets a function use this machine's instructions
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

struct NAME(running) {
    lanes total, low, absolute, squares, energy, greatest, least;
};
#define running NAME(running)

TARGET INLINE void NAME(start)(struct running *r)
{
    const lanes zero = NAME(spread)(0);
    *r = (struct running){zero, zero, zero, zero, zero, zero, NAME(spread)(__builtin_inf())};
}

TARGET INLINE void NAME(count_term)(struct running *r, lanes x)
{
    lanes size = NAME(magnitude)(x);
    r->absolute += size;
    r->squares += x * x;
    r->least = LEAST(size, r->least);
}

TARGET INLINE void NAME(count_prefix)(struct running *r)
{
    r->energy += r->total * r->total;
    r->greatest = MAX(NAME(magnitude)(r->total), r->greatest);
}

TARGET INLINE void NAME(add)(struct running *r, lanes x)
{
    r->total += x;
    NAME(count_term)(r, x);
}

/* Knuth's TwoSum: what rounding loses goes to `low`, with what the term itself has lost. */
TARGET INLINE void NAME(add_two)(struct running *r, lanes x, lanes rest)
{
    lanes sum = r->total + x, back = sum - r->total;
    r->low += ((r->total - (sum - back)) + (x - back)) + rest;
    r->total = sum;
    NAME(count_term)(r, x);
}

/* Veltkamp's split; Dekker's product a·b = x + rest. */
struct NAME(split) {
    lanes high, low;
};
#define split NAME(split)

TARGET INLINE struct split NAME(halves)(lanes a)
{
    lanes t = a * NAME(spread)(0x1p27 + 1), high = t - (t - a);
    return (struct split){high, a - high};
}

TARGET INLINE lanes NAME(rest)(lanes x, const struct split *a, const struct split *b)
{
    return a->low * b->low - (((x - a->high * b->high) - a->low * b->high) - a->high * b->low);
}

TARGET INLINE void NAME(finish)(const struct running *r, struct sum_lanes *out, int lane)
{
    NAME(store)(out->total + lane, r->total);
    NAME(store)(out->low + lane, r->low);
    NAME(store)(out->absolute + lane, r->absolute);
    NAME(store)(out->squares + lane, r->squares);
    NAME(store)(out->energy + lane, r->energy);
    NAME(store)(out->greatest + lane, r->greatest);
    NAME(store)(out->least + lane, r->least);
}

TARGET static void NAME(narrow)(const struct sum_pass *pass, struct sum_lanes out[SUM_ROWS])
{
    const double *first = pass->left[0], *second = pass->left[1];
    for (int lane = 0; lane < SUM_LANES; lane += WIDTH) {
        const double *panel = pass->panel + lane;
        struct running a, b;
        int64_t k = 0;
        NAME(start)(&a);
        NAME(start)(&b);
        if (pass->head) {
            NAME(add)(&a, NAME(load)(pass->head + lane));
            NAME(add)(&b, NAME(load)(pass->head + lane));
        } else if (pass->terms > 0) { /* the first prefix is a term, not a sum */
            NAME(add)(&a, NAME(load)(panel) * first[0]);
            NAME(add)(&b, NAME(load)(panel) * second[0]);
            k = 1;
        }
        for (; k < pass->terms; k++) {
            lanes column = NAME(load)(panel + k * SUM_LANES);
            NAME(add)(&a, column * first[k]);
            NAME(add)(&b, column * second[k]);
            NAME(count_prefix)(&a);
            NAME(count_prefix)(&b);
        }
        if (pass->tail) {
            NAME(add)(&a, NAME(load)(pass->tail + lane));
            NAME(add)(&b, NAME(load)(pass->tail + lane));
            NAME(count_prefix)(&a);
            NAME(count_prefix)(&b);
        }
        NAME(finish)(&a, &out[0], lane);
        NAME(finish)(&b, &out[1], lane);
    }
}

TARGET INLINE void NAME(add_product)(struct running *r, const double *column, double factor)
{
    lanes a = NAME(load)(column), b = NAME(spread)(factor), x = a * b;
    struct split halves_a = NAME(halves)(a), halves_b = NAME(halves)(b);
    NAME(add_two)(r, x, NAME(rest)(x, &halves_a, &halves_b));
}

TARGET static void NAME(wide)(const struct sum_pass *pass, struct sum_lanes out[SUM_ROWS])
{
    for (int part = 0; part < SUM_ROWS * (SUM_LANES / WIDTH); part++) {
        int row = part % SUM_ROWS, lane = part / SUM_ROWS * WIDTH;
        const double *left = pass->left[row], *panel = pass->panel + lane;
        struct running r;
        int64_t k = 0;
        NAME(start)(&r);
        if (pass->head) {
            NAME(add_two)(&r, NAME(load)(pass->head + lane), NAME(spread)(0));
        } else if (pass->terms > 0) {
            NAME(add_product)(&r, panel, left[0]);
            k = 1;
        }
        for (; k < pass->terms; k++) {
            NAME(add_product)(&r, panel + k * SUM_LANES, left[k]);
            NAME(count_prefix)(&r);
        }
        if (pass->tail) {
            NAME(add_two)(&r, NAME(load)(pass->tail + lane), NAME(spread)(0));
            NAME(count_prefix)(&r);
        }
        NAME(finish)(&r, &out[row], lane);
    }
}

TARGET INLINE void NAME(add_small)(lanes *sum, lanes x, lanes limit)
{
    lanes size = NAME(magnitude)(x);
    *sum += (lanes)((masks)size & (size <= limit));
}

TARGET static void NAME(small)(const struct sum_pass *pass, double limit[SUM_ROWS][SUM_LANES],
                               double out[SUM_ROWS][SUM_LANES])
{
    for (int part = 0; part < SUM_ROWS * (SUM_LANES / WIDTH); part++) {
        int row = part % SUM_ROWS, lane = part / SUM_ROWS * WIDTH;
        const double *left = pass->left[row], *panel = pass->panel + lane;
        lanes sum = NAME(spread)(0), most = NAME(load)(limit[row] + lane);
        if (pass->head) {
            NAME(add_small)(&sum, NAME(load)(pass->head + lane), most);
        }
        for (int64_t k = 0; k < pass->terms; k++) {
            NAME(add_small)(&sum, NAME(load)(panel + k * SUM_LANES) * left[k], most);
        }
        if (pass->tail) {
            NAME(add_small)(&sum, NAME(load)(pass->tail + lane), most);
        }
        NAME(store)(out[row] + lane, sum);
    }
}

static const struct loops NAME(loops) = {NAME(narrow), NAME(wide), NAME(small)};

#undef lanes
#undef masks
#undef running
#undef split
#undef WIDTH
#undef NAME
#undef MAX
#undef LEAST
#undef TARGET
