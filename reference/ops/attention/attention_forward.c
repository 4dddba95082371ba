/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_forward.h"
#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/ops/attention/attention_bound.h"
#include "reference/ops/attention/attention_columns.h"
#include "reference/ops/attention/attention_exact.h"
#include "reference/ops/attention/attention_values.h"

#include <math.h>
#include <stdlib.h>

enum { SCORES_AT_ONCE = 1 << 16 }; /* scores that memory holds at a time, unless one row has more */

/* Covers the roundings of sums of up to 2^20 doubles of one sign. */
static const double more = 1 + 0x1p-30;

struct forward {
    struct attention a;
    struct attention_scores s;
    struct attention_exact exact;
    const struct op_call *call;
    struct truth *truth;
    struct truth_output *out;
    int64_t room; /* rows at a time */
    struct attention_values v;
    double *left;              /* rows × M: weights */
    struct dot_enclosure *sum; /* rows × (Dv + 1): Σ weight·value and Σ weight */
    double *weight;            /* WEIGHTS × M, of the current row */
    double *column, *result;   /* SUMS × Dv, and O: Dv */
};

/* The current row. */
struct place {
    int64_t batch, query; /* in the whole call */
    int64_t element;      /* offset of the row in the query tensor */
    int64_t out;          /* number of its first result in the truth */
};

static bool forward_create(struct forward *f, const struct op_call *call, struct truth *truth, int64_t most)
{
    *f = (struct forward){.call = call, .truth = truth, .out = &truth->output[0]};
    attention_of_call(call, &attention_forward_operands, &f->a);
    const size_t keys = (size_t)f->a.keys + 1, columns = (size_t)f->a.value_width + 1;
    int64_t room = SCORES_AT_ONCE / (f->a.keys > 0 ? f->a.keys : 1);
    room = room < most ? room : most;
    f->room = room < 1 ? 1 : room;
    const size_t rows = (size_t)f->room;
    f->left = malloc(rows * keys * sizeof *f->left);
    f->sum = malloc(rows * columns * sizeof *f->sum);
    f->weight = malloc(WEIGHTS * keys * sizeof *f->weight);
    f->column = malloc(SUMS * columns * sizeof *f->column);
    f->result = malloc(columns * sizeof *f->result);
    bool good = attention_scores_create(&f->s, call, &attention_forward_operands, &f->a, f->room);
    good = attention_exact_create(&f->exact, call, &attention_forward_operands, &f->a) && good;
    good = attention_values_create(&f->v, &f->a) && good;
    return good && f->left && f->sum && f->weight && f->column && f->result;
}

static void forward_clear(struct forward *f)
{
    attention_scores_clear(&f->s);
    attention_exact_clear(&f->exact);
    attention_values_clear(&f->v);
    free(f->left);
    free(f->sum);
    free(f->weight);
    free(f->column);
    free(f->result);
}

static struct place place_of(const struct forward *f, int64_t local)
{
    int64_t row = local + f->call->first_row;
    struct place p = {.out = local * f->a.value_width};
    p.batch = row / f->a.queries;
    p.query = row % f->a.queries;
    int64_t first = f->call->whole ? local : attention_query_matrix(&f->a, p.batch) * f->a.queries + p.query;
    p.element = first * f->a.width;
    return p;
}

/* --- certified elements */

struct column {
    struct forward *f;
    int64_t d;
};

static void enclose_exactly(void *user, mpfr_prec_t precision, mpfi_t out[])
{
    const struct column *c = user;
    struct attention_exact *e = &c->f->exact;
    mpfi_t term;
    attention_exact_weights(e, precision);
    mpfi_init2(term, precision);
    mpfi_set_ui(out[0], 0);
    for (int64_t j = 0; j < e->a->keys; j++) {
        if (e->takes[j]) {
            attention_exact_add(out[0], e->weight[j], c->f->v.value[j * (e->a->value_width + 1) + c->d],
                                term);
        }
    }
    mpfi_div(out[0], out[0], e->total);
    attention_exact_zero(out[0]);
    mpfi_clear(term);
}

/* Makes column d of the row to which `exact` was sought what the truth is. */
static bool certify_column(struct forward *f, const struct place *p, int64_t d, struct error *error)
{
    struct column column = {.f = f, .d = d};
    const struct ziv ziv = {.enclose = enclose_exactly, .user = &column, .count = 1};
    if (f->out->radius) {
        f->out->radius[p->out + d] = 0;
    }
    return ziv_refine(&ziv, &f->out->value[p->out + d], &f->truth->bits, error) ||
           error_set(error, "%s: a result is neither certified nor 0", f->call->op->name);
}

/* --- rows */

/* Fills a whole row with one value, without sensitivities of its own. */
static void fill_with(struct forward *f, const struct place *p, const struct attention_row *row, double x)
{
    for (int64_t d = 0; d < f->a.value_width; d++) {
        double *s = &f->out->sensitivity[(p->out + d) * ATTENTION_SENSITIVITIES];
        f->out->value[p->out + d] = value_of(x);
        attention_common(&f->a, row, s);
        f->out->envelope[p->out + d].spread = INFINITY;
        f->out->envelope[p->out + d].group = -1;
    }
}

/* What values that are not finite make of column d: the infinity or NaN that follows from those of keys that
 * take part, or NaN beside the number because of the others. */
static void put_special(struct forward *f, const struct place *p, int64_t row, int64_t d)
{
    const struct attention_score *score = &f->s.score[row * f->a.keys];
    double *s = &f->out->sensitivity[(p->out + d) * ATTENTION_SENSITIVITIES], sum = 0;
    bool small = false, spoilt = false;
    for (int64_t j = 0; j < f->a.keys; j++) {
        double x = f->v.original[j * f->a.value_width + d];
        if (isfinite(x)) {
            continue;
        }
        bool takes = score[j].key == ATTENTION_TAKES_PART;
        spoilt = spoilt || !takes;
        sum += takes ? x : 0;
        /* e^-9 is above what float16 takes for a probability, and no program loses it */
        small = small || (takes && f->s.x[j] < -9);
    }
    struct value *value = &f->out->value[p->out + d];
    if (spoilt) {
        s[ATTENTION_FLAGS] = (int)s[ATTENTION_FLAGS] | ATTENTION_MAY_BE_NAN;
    }
    if (sum != 0) { /* infinite or NaN */
        *value = value_of(sum);
        value->meets = small || spoilt;
        f->out->envelope[p->out + d].spread = INFINITY;
        if (f->out->radius) {
            f->out->radius[p->out + d] = 0;
        }
    }
}

static double subnormal_values(const struct forward *f, int64_t d)
{
    double sum = 0, least = dtype_least_normal(f->out->dtype);
    for (int64_t j = 0; j < f->a.keys; j++) {
        double x = fabs(f->v.original[j * f->a.value_width + d]);
        sum += x < least ? f->s.probability[j] * x : 0;
    }
    return sum * more;
}

static void put_sensitivities(struct forward *f, const struct attention_row *row, int64_t d,
                              const struct dot_enclosure *products, double total, double *s)
{
    const int64_t columns = f->a.value_width;
    const double *sum = f->column + d;
    attention_common(&f->a, row, s);
    s[ATTENTION_SCORES] = sum[SUM_SCORES * columns] * more;
    s[ATTENTION_DISTANCE] = sum[SUM_DISTANCE * columns] * more;
    s[ATTENTION_SPREAD] = sum[SUM_SPREAD * columns] * more;
    s[ATTENTION_MAGNITUDE] = sum[SUM_MAGNITUDE * columns] * more;
    s[ATTENTION_VALUES] = sum[SUM_VALUES * columns] * more;
    s[ATTENTION_ENERGY] = products->envelope.squares / total;
    s[ATTENTION_SPREAD_ENERGY] = sqrt(sum[SUM_SQUARE * columns]);
    s[ATTENTION_DISTANCE_ENERGY] = sqrt(sum[SUM_DISTANCE_SQUARE * columns]);
    s[ATTENTION_SUBNORMAL_VALUES] = f->v.subnormal ? subnormal_values(f, d) : 0;
}

/* S² = Σ P²(V − O)²τ² + 2E + 2q + O²(2E_l + 2): E is the energy of the prefixes of Σ P·V, where each addition
 * may come with a rescaling, q that of its products, E_l that of Σ P; two for the division. */
static void put_envelope(struct forward *f, int64_t d, const struct dot_enclosure *products,
                         const struct dot_enclosure *weights, double result, struct envelope *e)
{
    const int64_t columns = f->a.value_width;
    const double *sum = f->column + d, total = weights->value;
    double order = products->envelope.order / total, squares = products->envelope.squares / total,
           below = weights->envelope.order / total;
    double own = 2 * order * order + 2 * squares * squares + result * result * (2 * below * below + 2);
    e->spread = sqrt(sum[SUM_TAU * columns] + own);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        double u = f->s.u[k];
        e->drift[k] = products->envelope.drift[k] / total +
                      fabs(result) * weights->envelope.drift[k] / total + sum[(SUM_DRIFT + k) * columns] +
                      u * u * (sum[SUM_SECOND * columns] + own);
    }
}

/* The elements of a row share the errors of its weights: S_c as if all errors of the row were one. */
static void put_group(struct forward *f, const struct place *p)
{
    double shared = 0, square = 0;
    for (int64_t d = 0; d < f->a.value_width; d++) {
        shared += f->out->envelope[p->out + d].spread * fabs(f->result[d]);
        square += f->result[d] * f->result[d];
    }
    for (int64_t d = 0; d < f->a.value_width; d++) {
        f->out->envelope[p->out + d].group = p->out / f->a.value_width;
        f->out->envelope[p->out + d].group_spread = square > 0 ? shared / square : INFINITY;
    }
}

/* The radius of Σ weight·V / Σ weight: weights err by `row->radius` of themselves, which moves the result by
 * Σ P|V − O| times that; lost weights, both sums and the quotients follow. */
static double radius_of(const struct attention_row *row, const double *s,
                        const struct dot_enclosure *products, const struct dot_enclosure *weights,
                        double result)
{
    double size = fabs(result);
    double sums = (products->radius + size * weights->radius) / weights->value;
    double lost = ATTENTION_LOST * (s[ATTENTION_VALUES] + s[ATTENTION_KEYS] * size);
    return 1.01 * (row->radius * s[ATTENTION_SPREAD] + sums + lost) + 0x1p-50 * size;
}

static bool fill_row(struct forward *f, const struct place *p, int64_t row, bool certain, struct error *error)
{
    const int64_t columns = f->a.value_width;
    struct attention_row described;
    attention_row_describe(&f->s, row, &described);
    if (described.empty || described.is_nan) {
        fill_with(f, p, &described, described.empty ? 0 : NAN);
        for (int64_t d = 0; described.empty && f->v.special && d < columns; d++) {
            put_special(f, p, row, d);
        }
        return true;
    }
    const struct dot_enclosure *sum = &f->sum[row * (columns + 1)], *weights = &sum[columns];
    for (int64_t d = 0; d < columns; d++) {
        f->result[d] = (sum[d].value + sum[d].low) / weights->value;
    }
    attention_weights(&f->s, row, f->weight);
    attention_columns(f->weight, f->a.keys, f->v.value, columns + 1, columns, f->result, f->column);
    attention_exact_seek(&f->exact, &f->s, row, &described, p->batch, p->query, p->element);
    bool good = true;
    for (int64_t d = 0; good && d < columns; d++) {
        const int64_t e = p->out + d;
        double *s = &f->out->sensitivity[e * ATTENTION_SENSITIVITIES];
        bool known = described.known && sum[d].known && weights->known;
        put_sensitivities(f, &described, d, &sum[d], weights->value, s);
        put_envelope(f, d, &sum[d], weights, f->result[d], &f->out->envelope[e]);
        f->out->envelope[e].spread = known ? f->out->envelope[e].spread : INFINITY;
        if (s[ATTENTION_VALUES] == 0) {
            f->out->value[e] = value_of(0);
        } else if (certain || !known) {
            good = certify_column(f, p, d, error);
        } else {
            f->out->value[e] = value_from_dd(f->result[d], 0);
            f->out->value[e].exact = false;
            f->out->radius[e] = radius_of(&described, s, &sum[d], weights, f->result[d]);
        }
        if (f->v.special) {
            put_special(f, p, row, d);
        }
    }
    put_group(f, p);
    return good;
}

static void take(void *user, int64_t row, int64_t column, const struct dot_enclosure *sum)
{
    struct forward *f = user;
    f->sum[row * (f->a.value_width + 1) + column] = *sum;
}

/* Computes the weights of `rows` rows and their sums of products with the values. */
static bool multiply(struct forward *f, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++) {
        struct attention_row described;
        attention_row_describe(&f->s, r, &described);
        bool number = !described.empty && !described.is_nan;
        for (int64_t j = 0; j < f->a.keys; j++) {
            f->left[r * f->a.keys + j] = number ? f->s.weight[j] : 0;
        }
    }
    struct dot_enclosure_problem problem = {.rows = rows,
                                            .columns = f->a.value_width + 1,
                                            .terms = f->a.keys,
                                            .left = f->left,
                                            .right = f->v.value,
                                            .along = f->a.value_width + 1,
                                            .across = 1,
                                            .wide = true};
    envelope_widths(f->out->dtype, problem.u);
    return dot_enclosures(&problem, take, f);
}

static bool all_rows(const struct op_call *call, bool certain, struct truth *truth, struct error *error)
{
    struct forward f;
    const int64_t columns = truth->output[0].shape.dim[truth->output[0].shape.rank - 1];
    const int64_t rows = columns > 0 ? truth->output[0].elements / columns : 0;
    bool good = forward_create(&f, call, truth, rows) && truth_output_envelope(f.out) &&
                (certain || truth_output_radius(f.out, true));
    good = good || error_set(error, "%s: out of memory", call->op->name);
    for (int64_t local = 0, count; good && local < rows; local += count) {
        struct place first = place_of(&f, local);
        count = f.a.queries - first.query < f.room ? f.a.queries - first.query : f.room;
        count = rows - local < count ? rows - local : count;
        attention_values_load(&f.v, &f.a, &call->input[2], first.batch);
        good = (attention_scores_compute(&f.s, first.batch, first.query, count, first.element) &&
                multiply(&f, count)) ||
               error_set(error, "%s: out of memory", call->op->name);
        for (int64_t r = 0; good && r < count; r++) {
            struct place place = place_of(&f, local + r);
            good = fill_row(&f, &place, r, certain, error);
        }
    }
    forward_clear(&f);
    return good;
}

bool attention_forward_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return all_rows(call, true, truth, error);
}

bool attention_forward_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return all_rows(call, truth->output[0].dtype == DTYPE_FLOAT64, truth, error);
}

bool attention_forward_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                               struct error *error)
{
    (void)output;
    struct forward f;
    struct attention_row described;
    if (!forward_create(&f, call, truth, 1)) {
        forward_clear(&f);
        return error_set(error, "%s: out of memory", call->op->name);
    }
    const struct place p = place_of(&f, element / f.a.value_width);
    attention_values_load(&f.v, &f.a, &call->input[2], p.batch);
    bool good = attention_scores_compute(&f.s, p.batch, p.query, 1, p.element) ||
                error_set(error, "%s: out of memory", call->op->name);
    if (good) {
        attention_row_describe(&f.s, 0, &described);
        attention_exact_seek(&f.exact, &f.s, 0, &described, p.batch, p.query, p.element);
        good = certify_column(&f, &p, element % f.a.value_width, error);
    }
    forward_clear(&f);
    return good;
}
