/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/matmul/matmul_sums.h"
#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/numeric/round_up.h"
#include "reference/operator/ziv.h"
#include "reference/ops/matmul/matmul_bound.h"
#include "reference/ops/matmul/matmul_factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Precisions in which sums of up to 2^40 products of two float32 or of two float64, and one product, are
 * exact. */
enum { NARROW_BITS = 640, WIDE_BITS = 4352, PRODUCT_BITS = 106 };

struct sum {
    mpfr_t exact, term;
    double special, magnitude, subnormal;
    bool wide;
    struct casts casts;
};

static void sum_start(struct sum *s)
{
    mpfr_set_zero(s->exact, 1);
    s->special = s->magnitude = s->subnormal = 0;
    s->casts = (struct casts){.other = 0};
}

static void casts_describe(const struct casts *c, double *sensitivity)
{
    sensitivity[CAST_INFINITE] = c->infinite;
    sensitivity[CAST_OTHER] = c->other;
    sensitivity[ONE_SIGN] = !(c->positive && c->negative);
}

/* Adds a·b. */
static void sum_add(struct sum *s, double a, double b, double p, double q, int flags)
{
    casts_add(&s->casts, a, b, p, q, flags);
    if (!isfinite(a) || !isfinite(b)) {
        s->special += a * b; /* 0 · inf and inf − inf are NaN, as in IEEE 754 */
        return;
    }
    double magnitude = s->wide ? round_up_product(fabs(a), fabs(b)) : fabs(a * b); /* float32: exact */
    s->magnitude = round_up_sum(s->magnitude, magnitude);
    if (flags & SUBNORMAL_FACTOR) {
        s->subnormal = round_up_sum(s->subnormal, magnitude);
    }
    if (!s->wide) {
        mpfr_add_d(s->exact, s->exact, a * b, MPFR_RNDN);
    } else if (a != 0 && b != 0) {
        mpfr_set_d(s->term, a, MPFR_RNDN);
        mpfr_mul_d(s->term, s->term, b, MPFR_RNDN);
        mpfr_add(s->exact, s->exact, s->term, MPFR_RNDN);
    }
}

static struct value sum_value(const struct sum *s, double *sensitivity, int *bits)
{
    sensitivity[MAGNITUDE] = s->magnitude;
    sensitivity[SUBNORMAL] = s->subnormal;
    casts_describe(&s->casts, sensitivity);
    if (s->special != 0) { /* infinite or NaN */
        return value_of(s->special);
    }
    struct value value = value_from_mpfr(s->exact, true);
    if (!value.exact && ZIV_TARGET_BITS < *bits) {
        *bits = ZIV_TARGET_BITS; /* a double-double has 106 bits */
    }
    return value;
}

static void surround(const struct envelope_sum *sum, struct truth_output *out, int64_t e)
{
    struct envelope *envelope = &out->envelope[e];
    envelope->spread = envelope_join(sum->order, sum->squares);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        envelope->drift[k] = sum->drift[k];
    }
    envelope_alone(envelope, e, sum->total);
}

/* All elements of one call. */
struct sums {
    struct product p;
    bool linear, wide, has_bias;
    bool cast; /* the cast rounded or overflowed a factor */
    struct truth *truth;
    struct truth_output *out;
    struct factor a, b, bias;
    struct sum s;
    double *term;
    int64_t first, second, from; /* offsets of both matrices of the current batch, and of its elements */
    int64_t known;               /* the offset of the right matrix that the next two describe; < 0: none */
    double greatest;             /* max|B| */
    bool special;                /* B has a NaN or an infinity */
};

static bool sums_create(struct sums *s, const struct op_call *call, bool linear, struct truth *truth)
{
    *s = (struct sums){.linear = linear, .truth = truth, .out = &truth->output[0], .known = -1};
    s->wide = s->out->dtype == DTYPE_FLOAT64;
    s->s.wide = s->wide;
    s->has_bias = call->inputs > 2 && !tensor_absent(&call->input[2]);
    mpfr_init2(s->s.exact, s->wide ? WIDE_BITS : NARROW_BITS);
    mpfr_init2(s->s.term, PRODUCT_BITS);
    if (!product_of(linear, &call->input[0].shape, &call->input[1].shape, &s->p)) {
        return false;
    }
    s->term = malloc(((size_t)s->p.k + 1) * sizeof *s->term);
    return s->term != NULL;
}

static void sums_clear(struct sums *s)
{
    mpfr_clears(s->s.exact, s->s.term, (mpfr_ptr)0);
    factor_clear(&s->a);
    factor_clear(&s->b);
    factor_clear(&s->bias);
    free(s->term);
}

/* Computes element e exactly: Σ a[row + k]·b[column + k·along], and the bias. Overwrites its envelope only if
 * `anew`. */
static void one_sum(struct sums *s, int64_t e, int64_t row, int64_t column, int64_t along, int64_t bias_at,
                    bool anew)
{
    const struct factor *a = &s->a, *b = &s->b, *bias = &s->bias;
    double *sensitivity = &s->out->sensitivity[e * MATMUL_SENSITIVITIES], u[ENVELOPE_WIDTHS];
    sum_start(&s->s);
    for (int64_t k = 0; k < s->p.k; k++) {
        int64_t x = row + k, y = column + k * along;
        sum_add(&s->s, a->x[x], b->x[y], factor_other(a, x), factor_other(b, y), a->flags[x] | b->flags[y]);
        s->term[k] = a->x[x] * b->x[y];
    }
    if (s->has_bias) {
        sum_add(&s->s, bias->x[bias_at], 1, factor_other(bias, bias_at), 0, bias->flags[bias_at]);
        s->term[s->p.k] = bias->x[bias_at];
    }
    s->out->value[e] = sum_value(&s->s, sensitivity, &s->truth->bits);
    if (anew) {
        struct envelope_sum sum;
        envelope_widths(s->out->dtype, u);
        if (s->has_bias) {
            envelope_sum_started(s->term, s->p.k + 1, u, &sum);
        } else {
            envelope_sum(s->term, s->p.k, u, &sum);
        }
        surround(&sum, s->out, e);
    }
}

static void enter_batch(struct sums *s, int64_t batch)
{
    const struct product *p = &s->p;
    s->first = shape_broadcast_element(&p->a, &p->all, batch) * p->m * p->k;
    s->second = shape_broadcast_element(&p->b, &p->all, batch) * p->k * p->n;
    s->from = batch * p->m * p->n;
}

/* Fills the sensitivities that the elements of the batch share. */
static void describe_batch(struct sums *s)
{
    const struct product *p = &s->p;
    if (s->second != s->known) {
        s->known = s->second;
        s->special = false;
        s->greatest = factor_greatest(&s->b, s->second, p->k * p->n, &s->special);
    }
    bool special = s->special;
    double greatest = factor_greatest(&s->a, s->first, p->m * p->k, &special) * s->greatest * (1 + 0x1p-52);
    for (int64_t e = s->from; e < s->from + p->m * p->n; e++) {
        double *sensitivity = &s->out->sensitivity[e * MATMUL_SENSITIVITIES];
        sensitivity[TERMS] = (double)p->k;
        sensitivity[BIAS] = s->has_bias;
        sensitivity[GREATEST] = greatest;
        sensitivity[HAS_SPECIAL] = special;
    }
}

/* Describes this batch and the following ones that multiply more rows by the same right matrix. Returns their
 * number. */
static int64_t enter_batches(struct sums *s, int64_t batch, int64_t batches)
{
    int64_t first, second, count = 0;
    enter_batch(s, batch);
    first = s->first;
    second = s->second;
    do {
        describe_batch(s);
        count++;
        enter_batch(s, batch + count < batches ? batch + count : batch);
    } while (batch + count < batches && s->second == second && s->first == first + count * s->p.m * s->p.k);
    enter_batch(s, batch);
    return count;
}

static void exactly(struct sums *s, int64_t e)
{
    const struct product *p = &s->p;
    int64_t i = (e - s->from) / p->n, j = (e - s->from) % p->n;
    one_sum(s, e, s->first + i * p->k, s->second + j * (s->linear ? p->k : 1), s->linear ? 1 : p->n, j, true);
}

/* The sensitivity SUBNORMAL of element (i, j). */
static double subnormal_part(const struct sums *s, int64_t i, int64_t j)
{
    int64_t row = s->first + i * s->p.k, column = s->second + j * (s->linear ? s->p.k : 1);
    double sum = 0;
    for (int64_t k = 0; k < s->p.k; k++) {
        int64_t y = column + k * (s->linear ? 1 : s->p.n);
        if ((s->a.flags[row + k] | s->b.flags[y]) & SUBNORMAL_FACTOR) {
            sum = round_up_sum(sum, round_up_product(fabs(s->a.x[row + k]), fabs(s->b.x[y])));
        }
    }
    bool bias = s->has_bias && (s->bias.flags[j] & SUBNORMAL_FACTOR);
    return bias ? round_up_sum(sum, fabs(s->bias.x[j])) : sum;
}

static void cast_part(const struct sums *s, int64_t i, int64_t j, double *sensitivity)
{
    const struct factor *a = &s->a, *b = &s->b, *bias = &s->bias;
    int64_t x = s->first + i * s->p.k, y = s->second + j * (s->linear ? s->p.k : 1);
    struct casts casts = {.other = 0};
    for (int64_t k = 0; k < s->p.k; k++, x++, y += s->linear ? 1 : s->p.n) {
        casts_add(&casts, a->x[x], b->x[y], factor_other(a, x), factor_other(b, y),
                  a->flags[x] | b->flags[y]);
    }
    if (s->has_bias) {
        casts_add(&casts, bias->x[j], 1, factor_other(bias, j), 0, bias->flags[j]);
    }
    casts_describe(&casts, sensitivity);
}

static void take(void *user, int64_t i, int64_t j, const struct dot_enclosure *sum)
{
    struct sums *s = user;
    int64_t e = s->from + i * s->p.n + j;
    double *sensitivity = &s->out->sensitivity[e * MATMUL_SENSITIVITIES];
    s->out->radius[e] = sum->known ? sum->radius : NAN; /* NaN: enclose_batches computes it exactly */
    if (!sum->known) {
        return;
    }
    sensitivity[MAGNITUDE] = sum->magnitude;
    sensitivity[ONE_SIGN] = sum->one_sign;
    if (s->cast) {
        cast_part(s, i, j, sensitivity);
    }
    if (s->a.subnormal || s->b.subnormal || s->bias.subnormal) {
        sensitivity[SUBNORMAL] = subnormal_part(s, i, j);
    }
    s->out->value[e] = value_from_dd(sum->value, sum->low);
    s->out->value[e].exact = sum->exact;
    surround(&sum->envelope, s->out, e);
}

static bool enclose_batches(struct sums *s, int64_t batches)
{
    const struct product *p = &s->p;
    int64_t rows = batches * p->m;
    struct dot_enclosure_problem problem = {.rows = rows,
                                            .columns = p->n,
                                            .terms = p->k,
                                            .left = s->a.x + s->first,
                                            .right = s->b.x + s->second,
                                            .along = s->linear ? 1 : p->n,
                                            .across = s->linear ? p->k : 1,
                                            .bias = s->has_bias ? s->bias.x : NULL,
                                            .wide = s->wide};
    envelope_widths(s->out->dtype, problem.u);
    if (!dot_enclosures(&problem, take, s)) {
        return false;
    }
    for (int64_t e = s->from; e < s->from + rows * p->n; e++) {
        if (isnan(s->out->radius[e])) {
            exactly(s, e);
            s->out->radius[e] = 0;
        }
    }
    return true;
}

static bool take_factors(struct sums *s, const struct op_call *call)
{
    struct factor *factor[] = {&s->a, &s->b, &s->bias};
    for (int i = 0; i < (s->has_bias ? 3 : 2); i++) {
        int64_t count = shape_elements(&call->input[i].shape);
        if (!factor_create(factor[i], &call->input[i], s->out->dtype, 0, 1, count)) {
            return false;
        }
    }
    return true;
}

/* Casts only the factors of element e. */
static bool take_factors_of(struct sums *s, const struct op_call *call, int64_t e)
{
    const struct product *p = &s->p;
    const enum dtype dtype = s->out->dtype;
    int64_t batch = e / (p->m * p->n), i = e / p->n % p->m, j = e % p->n;
    int64_t first = shape_broadcast_element(&p->a, &p->all, batch) * p->m * p->k,
            second = shape_broadcast_element(&p->b, &p->all, batch) * p->k * p->n;
    return factor_create(&s->a, &call->input[0], dtype, first + i * p->k, 1, p->k) &&
           factor_create(&s->b, &call->input[1], dtype, second + j * (s->linear ? p->k : 1),
                         s->linear ? 1 : p->n, p->k) &&
           (!s->has_bias || factor_create(&s->bias, &call->input[2], dtype, j, 1, 1));
}

static bool all_sums(const struct op_call *call, bool linear, bool enclosed, struct truth *truth)
{
    struct sums s;
    bool good =
        sums_create(&s, call, linear, truth) && take_factors(&s, call) && truth_output_envelope(s.out);
    int64_t each = s.p.m * s.p.n, batches = good && each ? s.out->elements / each : 0;
    s.cast = s.a.cast || s.b.cast || s.bias.cast;
    enclosed = enclosed && s.p.k > 0;
    good = good && (!enclosed || truth_output_radius(s.out, true));
    for (int64_t batch = 0, count; good && batch < batches; batch += count) {
        count = enter_batches(&s, batch, batches);
        if (enclosed) {
            good = enclose_batches(&s, count);
            continue;
        }
        for (int64_t e = s.from; e < s.from + count * each; e++) {
            exactly(&s, e);
        }
    }
    sums_clear(&s);
    return good;
}

bool matmul_truth(const struct op_call *call, bool linear, struct truth *truth, struct error *error)
{
    return all_sums(call, linear, false, truth) || error_set(error, "%s: out of memory", call->op->name);
}

bool matmul_enclose(const struct op_call *call, bool linear, struct truth *truth, struct error *error)
{
    return all_sums(call, linear, true, truth) || error_set(error, "%s: out of memory", call->op->name);
}

bool matmul_certify(const struct op_call *call, bool linear, struct truth *truth, int64_t e,
                    struct error *error)
{
    struct sums s;
    bool good = sums_create(&s, call, linear, truth) && take_factors_of(&s, call, e);
    if (good) {
        one_sum(&s, e, 0, 0, 1, 0, false);
        s.out->radius[e] = 0;
    }
    sums_clear(&s);
    return good || error_set(error, "%s: out of memory", call->op->name);
}
