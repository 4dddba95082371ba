/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests sums of products against MPFR, and the loops of each isa against each other. */

#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/base/philox.h"
#include "reference/numeric/exact/dot_enclosure_kernel.h"

#include <criterion/criterion.h>
#include <math.h>
#include <mpfr.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 29, MOST_TERMS = 96, EXACT_BITS = 4352 };

struct made {
    struct dot_enclosure_problem problem;
    double left[ROWS * MOST_TERMS], right[MOST_TERMS * COLUMNS], bias[ROWS];
    struct dot_enclosure sum[ROWS * COLUMNS];
};

enum bias { BIAS_NONE, BIAS_OF_COLUMNS, BIAS_OF_ROWS, BIASES };
enum kind { NORMAL, POSITIVE, INTEGERS, CANCELLING, SPREAD, WITH_ZEROS, ALIKE, KINDS };

/* In [0, 1), 24 or 53 bits. */
static double uniform(struct philox *generator, bool wide)
{
    double high = (double)(philox_next(generator) >> 8) * 0x1p-24;
    return wide ? high + (double)(philox_next(generator) >> 3) * 0x1p-53 : high;
}

static double number(struct philox *generator, enum kind kind, bool wide)
{
    double x = uniform(generator, wide), y = uniform(generator, wide);
    switch (kind) {
    case POSITIVE:
        return x;
    case INTEGERS:
        return floor(16 * x) - 8;
    case SPREAD: /* every binade of the narrow range, or of the wide one's */
        return ldexp(y < 0.5 ? 0.5 + x / 2 : -0.5 - x / 2,
                     (int)(philox_next(generator) % (wide ? 380 : 200)) - (wide ? 190 : 100));
    case WITH_ZEROS:
        return philox_next(generator) % 3 ? x - 0.5 : 0;
    case ALIKE: /* so near each other that sums of many lie on a lattice coarse beside their deviation */
        return 1 + floor(16 * x) * (wide ? 0x1p-52 : 0x1p-16);
    default: /* of many binades, on no common grid */
        return wide ? (2 * x - 1) * y : (double)(float)((2 * x - 1) * y);
    }
}

/* The second half of a row undoes the first, all but the last bits. */
static void cancel(struct made *m)
{
    int64_t half = m->problem.terms / 2;
    for (int64_t i = 0; i < m->problem.rows; i++) {
        double *row = &m->left[i * m->problem.terms];
        for (int64_t k = 0; k < half; k++) {
            row[half + k] = -row[k];
        }
    }
    for (int64_t k = 0; k < half; k++) {
        for (int64_t j = 0; j < m->problem.columns; j++) {
            double x = m->right[k * COLUMNS + j];
            m->right[(half + k) * COLUMNS + j] = j % 4 == 0 ? x : (double)(float)(x * (1 + 0x1p-20));
        }
    }
}

static void column_of(void *source, int64_t j, double *to)
{
    const struct made *m = source;
    for (int64_t k = 0; k < m->problem.terms; k++) {
        to[k * SUM_LANES] = m->right[k * COLUMNS + j];
    }
}

/* With a bias of rows, the columns come from a function too. */
static void make(struct made *m, enum kind kind, bool wide, enum bias bias, int64_t terms, uint64_t seed)
{
    struct philox generator;
    philox_start(&generator, seed * KINDS + (uint64_t)kind);
    m->problem = (struct dot_enclosure_problem){.rows = ROWS - 1,
                                                .columns = COLUMNS,
                                                .terms = terms,
                                                .left = m->left,
                                                .right = bias == BIAS_OF_ROWS ? NULL : m->right,
                                                .column = column_of,
                                                .source = m,
                                                .bias_of_rows = bias == BIAS_OF_ROWS,
                                                .along = COLUMNS,
                                                .across = 1,
                                                .bias = bias ? m->bias : NULL,
                                                .wide = wide};
    envelope_widths(wide ? DTYPE_FLOAT64 : DTYPE_FLOAT16, m->problem.u);
    for (int64_t i = 0; i < ROWS * terms; i++) {
        m->left[i] = number(&generator, kind, wide);
    }
    for (int64_t i = 0; i < terms * COLUMNS; i++) {
        m->right[i] = number(&generator, kind, wide);
    }
    for (int j = 0; j < ROWS; j++) {
        m->bias[j] = number(&generator, kind, wide);
    }
    if (kind == CANCELLING) {
        cancel(m);
    }
}

static void keep(void *user, int64_t row, int64_t column, const struct dot_enclosure *sum)
{
    struct made *m = user;
    m->sum[row * COLUMNS + column] = *sum;
}

static void count(struct made *m)
{
    memset(m->sum, 0, sizeof m->sum);
    cr_assert(dot_enclosures(&m->problem, keep, m));
}

static double bias_at(const struct made *m, int64_t row, int64_t column)
{
    return m->bias[m->problem.bias_of_rows ? row : column];
}

static void exactly(const struct made *m, int64_t row, int64_t column, mpfr_t sum, mpfr_t term)
{
    mpfr_set_zero(sum, 1);
    for (int64_t k = 0; k < m->problem.terms; k++) {
        mpfr_set_d(term, m->left[row * m->problem.terms + k], MPFR_RNDN);
        mpfr_mul_d(term, term, m->right[k * COLUMNS + column], MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    if (m->problem.bias) {
        mpfr_add_d(sum, sum, bias_at(m, row, column), MPFR_RNDN);
    }
}

/* Elements of which something is wrong; counts those that are said to be exact. */
static int64_t misjudged(const struct made *m, int64_t *exact)
{
    mpfr_t sum, term, gap;
    int64_t wrong = 0;
    mpfr_init2(sum, EXACT_BITS);
    mpfr_init2(term, 106);
    mpfr_init2(gap, EXACT_BITS);
    for (int64_t e = 0; e < (ROWS - 1) * COLUMNS; e++) {
        const struct dot_enclosure *s = &m->sum[e];
        exactly(m, e / COLUMNS, e % COLUMNS, sum, term);
        mpfr_sub_d(gap, sum, s->value, MPFR_RNDN);
        mpfr_sub_d(gap, gap, s->low, MPFR_RNDN);
        mpfr_abs(gap, gap, MPFR_RNDN);
        *exact += s->exact;
        wrong += !s->known || mpfr_cmp_d(gap, s->radius) > 0 || (s->exact && !mpfr_zero_p(gap)) ||
                 (s->exact && s->radius != 0) ||
                 mpfr_cmpabs(sum, (mpfr_set_d(term, s->magnitude, MPFR_RNDN), term)) > 0;
    }
    mpfr_clears(sum, term, gap, (mpfr_ptr)0);
    return wrong;
}

static void hold_against_mpfr(enum kind kind, int rounds)
{
    static struct made m;
    int64_t exact = 0;
    for (int round = 0; round < rounds; round++) {
        bool wide = round % 2;
        make(&m, kind, wide, (enum bias)(round / 2 % BIASES), kind == CANCELLING ? 30 : 1 + round * 7 % 24,
             (uint64_t)round);
        count(&m);
        cr_assert_eq(misjudged(&m, &exact), 0, "kind %d, round %d", kind, round);
    }
    cr_assert(kind != INTEGERS || exact == (int64_t)rounds * (ROWS - 1) * COLUMNS);
    cr_assert(kind != SPREAD || exact < (int64_t)rounds * (ROWS - 1) * COLUMNS / 4);
}

Test(dot_enclosure, a_few_of_each_kind_lie_within_their_radii)
{
    for (int kind = 0; kind < KINDS; kind++) {
        hold_against_mpfr((enum kind)kind, 12);
    }
}

/* 890 × 39 × 29 = 1.007 million sums of each kind. */
Test(dot_enclosure, a_million_of_each_kind_takes_seconds)
{
    for (int kind = 0; kind < KINDS; kind++) {
        hold_against_mpfr((enum kind)kind, 890);
    }
}

Test(dot_enclosure, a_radius_is_no_wider_than_it_must_be)
{
    static struct made m;
    double mean[2] = {0, 0}; /* in units of Σ|x| */
    for (int wide = 0; wide < 2; wide++) {
        make(&m, NORMAL, wide, BIAS_NONE, MOST_TERMS, 5);
        count(&m);
        for (int64_t e = 0; e < (ROWS - 1) * COLUMNS; e++) {
            cr_assert_gt(m.sum[e].radius, 0);
            mean[wide] += m.sum[e].radius / m.sum[e].magnitude / ((ROWS - 1) * COLUMNS);
        }
    }
    cr_assert_lt(mean[0], MOST_TERMS / 4 * 0x1p-53, "%g", mean[0]); /* K·u for any order */
    cr_assert_lt(mean[1], 0x1p-90, "%g", mean[1]);
}

/* One bit too far apart for 53 bits, where the sum itself is small. */
Test(dot_enclosure, exact_is_said_with_proof_only)
{
    double left[] = {0x1p30, 1, -0x1p30}, right[] = {0x1p23, 0x1p-1, 0x1p23};
    static struct made m;
    make(&m, NORMAL, false, BIAS_NONE, 3, 1);
    m.problem.rows = 1;
    m.problem.columns = 1;
    m.problem.along = 1;
    memcpy(m.left, left, sizeof left);
    memcpy(m.right, right, sizeof right);
    count(&m);
    cr_assert(!m.sum[0].exact && m.sum[0].radius >= 0.5, "2^53 + 1/2 - 2^53 is %g", m.sum[0].value);
    m.right[0] = m.right[2] = 0x1p20;
    count(&m);
    cr_assert(m.sum[0].exact && m.sum[0].value == 0.5 && m.sum[0].radius == 0);
}

Test(dot_enclosure, the_envelope_is_that_of_the_terms_to_the_bit)
{
    static struct made m;
    int64_t drifting = 0;
    for (int round = 0; round < 2 * BIASES * KINDS; round++) {
        enum kind kind = (enum kind)(round / (2 * BIASES));
        enum bias bias = (enum bias)(round / 2 % BIASES);
        bool wide = round % 2;
        if (kind == SPREAD && wide) {
            continue; /* squares beyond 2^-1022 of the greatest are lost by the one and kept by the other */
        }
        make(&m, kind, wide, bias, kind == CANCELLING ? 30 : MOST_TERMS - 3, 7);
        count(&m);
        for (int64_t e = 0; e < (ROWS - 1) * COLUMNS; e++) {
            double term[MOST_TERMS + 1];
            struct envelope_sum sum;
            int64_t terms = m.problem.terms;
            for (int64_t k = 0; k < terms; k++) {
                term[k] = m.left[e / COLUMNS * terms + k] * m.right[k * COLUMNS + e % COLUMNS];
            }
            term[terms] = bias_at(&m, e / COLUMNS, e % COLUMNS);
            if (bias != BIAS_NONE) {
                envelope_sum_started(term, terms + 1, m.problem.u, &sum);
            } else {
                envelope_sum(term, terms, m.problem.u, &sum);
            }
            cr_assert(memcmp(&sum, &m.sum[e].envelope, sizeof sum) == 0,
                      "round %d, element %lld: order %a and %a", round, (long long)e, sum.order,
                      m.sum[e].envelope.order);
            drifting += kind == ALIKE && sum.drift[ENVELOPE_OWN] > 0;
        }
    }
    cr_assert_eq(drifting, (int64_t)2 * BIASES * (ROWS - 1) * COLUMNS);
}

/* Member by member: what lies between them is anyone's. */
static bool same_sums(const struct made *m, const struct made *n)
{
    const size_t numbers = offsetof(struct dot_enclosure, value);
    bool same = true;
    for (int e = 0; e < ROWS * COLUMNS; e++) {
        const struct dot_enclosure *a = &m->sum[e], *b = &n->sum[e];
        same = same && a->known == b->known && a->exact == b->exact && a->one_sign == b->one_sign &&
               memcmp(&a->value, &b->value, sizeof *a - numbers) == 0;
    }
    return same;
}

Test(dot_enclosure, the_same_bits_on_every_machine_and_with_any_number_of_threads)
{
    static struct made first, other;
    for (int round = 0; round < 2 * BIASES * KINDS; round++) {
        make(&first, (enum kind)(round / (2 * BIASES)), round % 2, (enum bias)(round / 2 % BIASES), 63, 11);
        memcpy(&other, &first, sizeof first);
        other.problem.left = other.left;
        other.problem.right = first.problem.right ? other.right : NULL;
        other.problem.source = &other;
        other.problem.bias = first.problem.bias ? other.bias : NULL;
        count(&first);
        for (int isa = 0; sum_pass_force(isa); isa++) {
            count(&other);
            cr_assert(same_sums(&first, &other), "round %d on machine %d", round, isa);
        }
        sum_pass_force(-1);
    }
}

static double *large(int64_t count, uint64_t seed)
{
    struct philox generator;
    philox_start(&generator, seed);
    double *x = malloc((size_t)count * sizeof *x);
    for (int64_t i = 0; i < count; i++) {
        x[i] = uniform(&generator, false) - 0.5;
    }
    return x;
}

static void add_up(void *user, int64_t row, int64_t column, const struct dot_enclosure *sum)
{
    uint64_t *digest = user, bits;
    memcpy(&bits, &sum->envelope.order, sizeof bits);
    __atomic_fetch_add(digest, bits * (uint64_t)(row * 1000 + column + 1), __ATOMIC_RELAXED);
}

Test(dot_enclosure, threads_share_the_rows_of_a_large_problem)
{
    enum { N = 203, K = 173 };
    uint64_t digest[5] = {0};
    double *left = large(N * K, 1), *right = large(N * K, 2);
    struct dot_enclosure_problem problem = {
        .rows = N, .columns = N, .terms = K, .left = left, .right = right, .along = 1, .across = K};
    envelope_widths(DTYPE_FLOAT32, problem.u);
    for (int threads = 1; threads < 5; threads++) {
        dot_enclosure_threads(threads);
        cr_assert(dot_enclosures(&problem, add_up, &digest[threads]));
        cr_assert_eq(digest[threads], digest[1], "%d threads", threads);
    }
    dot_enclosure_threads(1);
    free(left);
    free(right);
}

Test(dot_enclosure, what_is_no_number_or_out_of_range_is_not_known)
{
    static struct made m;
    const double odd[] = {NAN, INFINITY, 0x1p-201, 0x1p201};
    for (int wide = 0; wide < 2; wide++) {
        for (size_t o = 0; o < sizeof odd / sizeof *odd; o++) {
            bool refused = wide || !isfinite(odd[o]);
            enum bias bias = o % 2 ? BIAS_OF_ROWS : BIAS_OF_COLUMNS;
            make(&m, NORMAL, wide, bias, 9, 3);
            m.left[2 * 9 + 4] = odd[o];
            m.right[8 * COLUMNS + 28] = odd[o];
            m.bias[3] = odd[o];
            count(&m);
            for (int64_t e = 0; e < (ROWS - 1) * COLUMNS; e++) {
                int64_t row = e / COLUMNS, column = e % COLUMNS;
                bool touched = row == 2 || column == 28 || (bias == BIAS_OF_ROWS ? row : column) == 3;
                cr_assert_eq(m.sum[e].known, !(touched && refused), "element %lld, %g", (long long)e, odd[o]);
            }
        }
    }
}

Test(dot_enclosure, one_sign_is_that_of_all_terms)
{
    static struct made m;
    make(&m, POSITIVE, false, false, 5, 3);
    count(&m);
    cr_assert(m.sum[7].one_sign);
    m.left[0] = -m.left[0];
    count(&m);
    cr_assert(!m.sum[7].one_sign);
    cr_assert(m.sum[COLUMNS].one_sign);
}
