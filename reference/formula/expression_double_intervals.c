/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The rounding errors of + − × ÷ and square roots are known exactly: of sums and products by error-free
 * transformations (reference/numeric/double_double.h), of quotients and roots by the residue. So an exact
 * result has radius 0. */

#include "reference/formula/expression_double_intervals.h"
#include "reference/formula/expression_range_ends.h"
#include "reference/numeric/double_double.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>

#define GREAT 0x1p990  /* below it, splitting a factor stays in range */
#define TINY  0x1p-900 /* below it, the residue may underflow */
#define LEAST BALLS_LEAST
#define UP    BALLS_UP

static inline struct ball at(struct balls b, size_t i)
{
    return (struct ball){b.value[i], b.radius[i]};
}

static inline double plain(enum node_kind kind, double a, double b)
{
    return kind == NODE_ADD ? a + b : kind == NODE_SUBTRACT ? a - b : kind == NODE_MULTIPLY ? a * b : a / b;
}

/* Recomputes the lanes whose result is not an ordinary number. */
static void refine(enum node_kind kind, struct balls out, struct balls x, struct balls y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool sum = kind == NODE_ADD || kind == NODE_SUBTRACT; /* sums split no factor */
        bool known = fabs(out.value[i]) < (sum ? INFINITY : GREAT);
        if (!(out.radius[i] < GREAT && known)) {
            struct ball b = ball_exceptional(kind, plain(kind, x.value[i], y.value[i]), at(x, i), at(y, i));
            out.value[i] = b.v;
            out.radius[i] = b.r;
        }
    }
}

MULTIVERSION static bool is_odd(struct balls out, size_t count)
{
    int odd = 0;
    for (size_t i = 0; i < count; i++) {
        odd |= !(out.radius[i] < GREAT) | !(fabs(out.value[i]) < GREAT);
    }
    return odd;
}

MULTIVERSION static void add(struct balls out, struct balls x, struct balls y, double sign, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct double_double sum = dd_sum(x.value[i], sign * y.value[i]);
        double own = x.radius[i] + y.radius[i], r = own + fabs(sum.lo);
        bool nothing = ((x.value[i] == 0) & (x.radius[i] == 0)) | ((y.value[i] == 0) & (y.radius[i] == 0));
        out.value[i] = sum.hi;
        out.radius[i] = nothing ? own
                        : r > 0 ? r * UP + LEAST
                                : r; /* radius 0 keeps the sign of the number that 0 is added to */
    }
}

MULTIVERSION static void multiply(struct balls out, struct balls x, struct balls y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double a = x.value[i], b = y.value[i], ra = x.radius[i], rb = y.radius[i];
        struct double_double product = dd_product(a, b);
        double size = fabs(product.hi), rest = fabs(product.lo);
        rest = size < TINY ? size * 0x1p-53 + 0x1p-1074 : rest;
        rest = ((a == 0) | (b == 0)) ? 0 : rest;
        double r = fabs(a) * rb + fabs(b) * ra + ra * rb + rest;
        bool nothing = ((a == 0) & (ra == 0)) | ((b == 0) & (rb == 0)); /* 0, whatever the other is */
        r = ((ra + rb > 0) & !nothing) ? r + LEAST : r;
        /* 0 times a number of unknown sign is a 0 of unknown sign */
        bool signless = ((a == 0) & (rb >= fabs(b)) & (rb > 0)) | ((b == 0) & (ra >= fabs(a)) & (ra > 0));
        double most = nothing ? INFINITY : GREAT;
        bool large = !(fabs(a) < most) | !(fabs(b) < most) | signless;
        r = r > 0 ? r * UP + LEAST : r;
        /* factors of known sign, down to 0, give a product of known sign: [0, its greatest size] */
        bool signs = (ra <= fabs(a)) & (rb <= fabs(b)) & (r > size) & (a != 0) & (b != 0);
        double half = (size + r) * 0.5 * UP + LEAST;
        out.value[i] = signs ? copysign(half, product.hi) : product.hi;
        out.radius[i] = large ? INFINITY : signs ? half : r;
    }
}

MULTIVERSION static void divide(struct balls out, struct balls x, struct balls y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double a = x.value[i], b = y.value[i], ra = x.radius[i], rb = y.radius[i], v = a / b;
        struct double_double back = dd_product(v, b);
        double size = fabs(v), rest = fabs((a - back.hi) - back.lo), least = fabs(b) - rb;
        int64_t zero = mask_of(a == 0), small = mask_of(fabs(a) < TINY) | mask_of(size < TINY) |
                                                mask_of(size > 0x1p900) | mask_of(fabs(b) > 0x1p900);
        double lost = either(small & ~(zero & mask_of(b != 0)), size * 0x1p-53 + 0x1p-1074, 0);
        double r =
            (either(small | zero, 0, rest) + ra + size * rb) / least + lost; /* lost: without a residue */
        r = r > 0 ? r * UP + LEAST : r;
        int64_t signs = mask_of(ra <= fabs(a)) & mask_of(r > size) & ~zero; /* as for products */
        double half = (size + r) * 0.5 * UP + LEAST;
        out.value[i] = either(signs, copysign(half, v), v);
        out.radius[i] =
            either(mask_of(!(least > 0)) | mask_of(!(least < INFINITY)), INFINITY, either(signs, half, r));
    }
}

static struct ball root(struct ball a)
{
    double v = sqrt(a.v);
    if (ball_is_nan(a) || (a.r == 0 && !(a.v > 0 && a.v < INFINITY))) {
        return (struct ball){v, 0}; /* NaN, zeros, infinity, negative numbers */
    }
    if (!(a.v - a.r > 0) || !(a.r < INFINITY)) {
        return ball_unknown;
    }
    struct double_double square = dd_product(v, v);
    bool small = a.v < TINY; /* the residue may underflow */
    double rest = small ? 0 : fabs((a.v - square.hi) - square.lo);
    return (struct ball){v, balls_wider((rest + a.r) / v + (small ? v * 0x1p-52 : 0))};
}

MULTIVERSION static void roots(struct balls out, struct balls x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ball b = root(at(x, i));
        out.value[i] = b.v;
        out.radius[i] = b.r;
    }
}

MULTIVERSION static void reciprocal_roots(struct balls out, struct balls x, size_t count)
{
    double value[EXPRESSION_BLOCK], radius[EXPRESSION_BLOCK], one[EXPRESSION_BLOCK],
        zero[EXPRESSION_BLOCK] = {0};
    struct balls roots_of = {value, radius}, ones = {one, zero};
    for (size_t i = 0; i < count; i++) {
        one[i] = 1;
    }
    roots(roots_of, x, count);
    divide(out, ones, roots_of, count);
    refine(NODE_DIVIDE, out, ones, roots_of, count);
}

/* --- choices */

static inline int64_t nan_mask(struct ball b)
{
    return mask_of(b.v != b.v) & mask_of(b.r == 0);
}

/* A mask: the balls a and b are disjoint. */
static inline int64_t apart_mask(struct ball a, struct ball b)
{
    return mask_of(fabs(a.v - b.v) > (a.r + b.r) * UP);
}

static inline struct ball least_or_most(struct ball a, struct ball b, bool most)
{
    int64_t nan = nan_mask(a) | nan_mask(b), unknown = mask_of(a.r == INFINITY) | mask_of(b.r == INFINITY);
    int64_t decided = mask_of(a.r + b.r == 0) | apart_mask(a, b);
    int64_t above = mask_of(a.v > b.v) | (mask_of(a.v == b.v) & mask_of(copysign(1, a.v) > 0));
    int64_t first = above ^ mask_of(!most); /* +0 is above −0 */
    double v = either(first, a.v, b.v), r = either(first, a.r, b.r);
    r = either(decided, r, either(mask_of(a.r > b.r), a.r, b.r));
    return (struct ball){either(nan | unknown, NAN, v), either(nan, 0, either(unknown, INFINITY, r))};
}

MULTIVERSION static void choose_extremes(bool most, struct balls out, struct balls x, struct balls y,
                                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ball b = least_or_most(at(x, i), at(y, i), most);
        out.value[i] = b.v;
        out.radius[i] = b.r;
    }
}

/* 1, 0, or the ball 1 ± 1 where the comparison is undecided. */
MULTIVERSION static void compare(enum node_kind kind, struct balls out, struct balls x, struct balls y,
                                 size_t count)
{
    const int64_t less = mask_of(kind == NODE_LESS || kind == NODE_LESS_EQUAL),
                  equal = mask_of(kind == NODE_EQUAL || kind == NODE_LESS_EQUAL),
                  unequal = mask_of(kind == NODE_NOT_EQUAL);
    for (size_t i = 0; i < count; i++) {
        struct ball a = at(x, i), b = at(y, i);
        int64_t nan = nan_mask(a) | nan_mask(b), exact = mask_of(a.r == 0) & mask_of(b.r == 0);
        int64_t apart = mask_of(a.r < INFINITY) & mask_of(b.r < INFINITY) & apart_mask(a, b);
        int64_t open = ~(nan | exact | apart), same = mask_of(a.v == b.v);
        int64_t holds = (less & mask_of(a.v < b.v)) | (equal & same) | (unequal & ~same);
        out.value[i] = open | (holds & (~nan | unequal)) ? 1 : 0;
        out.radius[i] = open ? 1 : 0;
    }
}

/* `restrict` lets the compiler vectorize a loop over this many arrays. */
MULTIVERSION static void choose(double *restrict value, double *restrict radius,
                                const struct balls argument[3], size_t count)
{
    const double *condition = argument[0].value, *within = argument[0].radius;
    const struct balls x = argument[1], y = argument[2];
    for (size_t i = 0; i < count; i++) {
        int64_t open = mask_of(within[i] > 0), first = mask_of(condition[i] != 0);
        value[i] = either(open, NAN, either(first, x.value[i], y.value[i]));
        radius[i] = either(open, INFINITY, either(first, x.radius[i], y.radius[i]));
    }
}

/* 1, 0, or the ball 1 ± 1 where the sign is unknown. */
MULTIVERSION static void sign_bits(struct balls out, struct balls x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool decided = x.radius[i] == 0 || fabs(x.value[i]) > x.radius[i];
        out.value[i] = !decided || signbit(x.value[i]);
        out.radius[i] = !decided;
    }
}

void balls_evaluate(enum node_kind kind, struct balls out, const struct balls x[3], size_t count)
{
    switch (kind) {
    case NODE_NEGATE:
    case NODE_ABS:
        for (size_t i = 0; i < count; i++) {
            out.value[i] = kind == NODE_ABS ? fabs(x[0].value[i]) : -x[0].value[i];
            out.radius[i] = x[0].radius[i];
        }
        return;
    case NODE_SIGNBIT:
        sign_bits(out, x[0], count);
        return;
    case NODE_ADD:
    case NODE_SUBTRACT:
        add(out, x[0], x[1], kind == NODE_ADD ? 1 : -1, count);
        break;
    case NODE_MULTIPLY:
        multiply(out, x[0], x[1], count);
        break;
    case NODE_DIVIDE:
        divide(out, x[0], x[1], count);
        break;
    case NODE_SQRT:
        roots(out, x[0], count);
        return;
    case NODE_RSQRT:
        reciprocal_roots(out, x[0], count);
        return;
    case NODE_POW:
        balls_pow(out, x[0], x[1], count);
        return;
    case NODE_MIN:
    case NODE_MAX:
        choose_extremes(kind == NODE_MAX, out, x[0], x[1], count);
        return;
    case NODE_SELECT:
        choose(out.value, out.radius, x, count);
        return;
    case NODE_LESS:
    case NODE_LESS_EQUAL:
    case NODE_EQUAL:
    case NODE_NOT_EQUAL:
        compare(kind, out, x[0], x[1], count);
        return;
    default:
        balls_function(kind, out, x[0], count);
        return;
    }
    if (is_odd(out, count)) {
        refine(kind, out, x[0], x[1], count);
    }
}

/* --- sums over a row */

void balls_sum_add(struct balls_sum *s, enum node_kind kind, struct balls terms, size_t count)
{
    if (s->n == 0) {
        s->most = -INFINITY;
    }
    for (size_t i = 0; i < count; i++) {
        struct ball b = at(terms, i);
        bool nan = ball_is_nan(b);
        s->nan |= nan;
        s->unknown |= b.r == INFINITY;
        if (kind == NODE_ROW_MAX) {
            struct ball most = least_or_most((struct ball){s->most, s->most_radius}, b, true);
            s->most = nan || b.r == INFINITY ? s->most : most.v;
            s->most_radius = nan || b.r == INFINITY ? s->most_radius : most.r;
            continue;
        }
        struct double_double sum = dd_sum(s->hi[i % BALLS_LANES], b.v);
        s->hi[i % BALLS_LANES] = sum.hi;
        s->lo[i % BALLS_LANES] += sum.lo;
        s->lost |= sum.lo != 0;
        s->up |= b.v == INFINITY;
        s->down |= b.v == -INFINITY;
        s->absolute += fabs(b.v);
        s->radius += b.r;
    }
    s->n += (double)count;
}

/* The error bound of compensated lanes (reference/numeric/compensated_lanes.h) holds for lanes filled from
 * blocks of any size. */
static struct ball total_of(const struct balls_sum *s)
{
    double hi = 0, lo = 0;
    bool lost = s->lost;
    for (int lane = 0; lane < BALLS_LANES; lane++) {
        struct double_double sum = dd_sum(hi, s->hi[lane]);
        hi = sum.hi;
        lo += sum.lo + s->lo[lane];
        lost = lost || sum.lo != 0;
    }
    if (s->up || s->down) {
        return (struct ball){s->up && s->down ? NAN : s->up ? INFINITY : -INFINITY, 0};
    }
    if (!(s->absolute < GREAT)) {
        return ball_unknown;
    }
    double depth = s->n / BALLS_LANES + 10, r = s->radius * (1 + s->n * 0x1p-52);
    struct double_double total = dd_sum(hi, lo);
    r += lost ? fabs(total.lo) + depth * depth * 0x1p-105 * s->absolute : 0;
    return (struct ball){s->n == 0 ? 0 : total.hi, balls_wider(r)};
}

void balls_sum_close(const struct balls_sum *s, enum node_kind kind, double *value, double *radius)
{
    struct ball b = s->nan ? (struct ball){NAN, 0} : s->unknown ? ball_unknown : total_of(s);
    if (kind == NODE_ROW_MAX && !s->nan && !s->unknown) {
        b = (struct ball){s->n == 0 ? -INFINITY : s->most, s->most_radius};
    }
    if (kind == NODE_MEAN) {
        double n = s->n, zero = 0;
        struct balls out = {value, radius}, sum = {&b.v, &b.r}, count = {&n, &zero};
        balls_evaluate(NODE_DIVIDE, out, (struct balls[3]){sum, count}, 1);
        return;
    }
    *value = b.v;
    *radius = b.r;
}
