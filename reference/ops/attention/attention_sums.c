/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_sums.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>
#include <stdlib.h>

static const double more = 1 + 0x1p-30; /* covers roundings of sums of doubles of one sign */

/* --- memory */

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

bool attention_sums_create(struct attention_sums *s, struct attention_group *g,
                           struct attention_gradient_exact *exact, struct truth *truth, bool certain)
{
    const struct attention *a = g->a;
    const size_t terms = (size_t)(g->room * greater(a->queries, a->keys)) + 1,
                 columns = (size_t)greater(a->width, a->value_width) + 1,
                 scores = (size_t)(g->room * a->queries * a->keys) + 1;
    *s = (struct attention_sums){.g = g, .exact = exact, .truth = truth, .certain = certain};
    s->member = malloc(((size_t)g->room + 1) * sizeof *s->member);
    s->left = malloc(scores * sizeof *s->left);
    s->right = malloc(terms * columns * sizeof *s->right);
    s->term = malloc(TERMS * terms * sizeof *s->term);
    s->sum = malloc(TERMS * columns * sizeof *s->sum);
    s->dot = malloc((size_t)greater(a->queries, a->keys) * columns * sizeof *s->dot);
    return s->member && s->left && s->right && s->term && s->sum && (s->dot || columns == 0);
}

void attention_sums_clear(struct attention_sums *s)
{
    free(s->member);
    free(s->left);
    free(s->right);
    free(s->term);
    free(s->sum);
    free(s->dot);
}

/* --- which terms */

/* The shape of one output's sums. */
struct layout {
    enum attention_gradient which;
    int64_t rows, columns, each; /* each: terms of a batch */
    int operand;                 /* the other factor */
};

static struct layout layout_of(const struct attention *a, enum attention_gradient which)
{
    switch (which) {
    case GRADIENT_QUERY:
        return (struct layout){which, a->queries, a->width, a->keys, 2};
    case GRADIENT_KEY:
        return (struct layout){which, a->keys, a->width, a->queries, 1};
    default:
        return (struct layout){which, a->keys, a->value_width, a->queries, 0};
    }
}

static int64_t matrix_of(const struct attention *a, enum attention_gradient which, int64_t batch)
{
    return which == GRADIENT_QUERY ? attention_query_matrix(a, batch)
           : which == GRADIENT_KEY ? attention_key_matrix(a, batch)
                                   : attention_value_matrix(a, batch);
}

/* The matrix of the other factor. */
static int64_t factor_matrix(const struct attention *a, enum attention_gradient which, int64_t batch)
{
    return which == GRADIENT_QUERY ? attention_key_matrix(a, batch)
           : which == GRADIENT_KEY ? attention_query_matrix(a, batch)
                                   : batch;
}

/* The place of the n-th term of a row among the scores of the group. */
static int64_t score_at(const struct attention_sums *s, const struct layout *l, int64_t row, int64_t n)
{
    const struct attention *a = s->g->a;
    const int64_t k = s->member[n / l->each], t = n % l->each;
    return l->which == GRADIENT_QUERY ? (k * a->queries + row) * a->keys + t
                                      : (k * a->queries + t) * a->keys + row;
}

/* --- certified elements */

struct terms {
    const struct attention_gradient_exact *exact;
    const struct layout *layout;
    int64_t matrix, row, column;
};

/* The n-th term: of every batch with this matrix, all keys or queries. Batches are counted through, because
 * those that share a matrix need not follow each other. */
static struct attention_term exact_term(const void *user, int64_t n)
{
    const struct terms *t = user;
    const struct attention *a = t->exact->a;
    int64_t left = n / t->layout->each, batch = -1;
    while (left >= 0) {
        batch++;
        left -= matrix_of(a, t->layout->which, batch) == t->matrix;
    }
    const int64_t at = n % t->layout->each, factor = factor_matrix(a, t->layout->which, batch);
    const bool query = t->layout->which == GRADIENT_QUERY;
    const struct tensor *tensor = &t->exact->call->input[t->layout->operand];
    return (struct attention_term){
        .batch = batch,
        .query = query ? t->row : at,
        .key = query ? at : t->row,
        .factor = tensor_component(tensor, (factor * t->layout->each + at) * t->layout->columns + t->column)};
}

bool attention_sums_certify(struct attention_gradient_exact *exact, struct truth *truth,
                            enum attention_gradient which, int64_t element, struct error *error)
{
    const struct attention *a = exact->a;
    const struct layout l = layout_of(a, which);
    const struct terms terms = {.exact = exact,
                                .layout = &l,
                                .matrix = element / (l.rows * l.columns),
                                .row = element / l.columns % l.rows,
                                .column = element % l.columns};
    int64_t batches = 0;
    for (int64_t b = 0; b < a->batches; b++) {
        batches += matrix_of(a, which, b) == terms.matrix;
    }
    const struct attention_exact_sum sum = {.count = batches * l.each,
                                            .of_p = which == GRADIENT_VALUE,
                                            .scaled = which != GRADIENT_VALUE,
                                            .term = exact_term,
                                            .user = &terms};
    struct truth_output *out = &truth->output[which];
    if (out->radius) {
        out->radius[element] = 0;
    }
    return attention_gradient_certify(exact, &sum, &out->value[element], &truth->bits, error);
}

/* --- one matrix */

static void load_factors(struct attention_sums *s, const struct layout *l, int64_t members)
{
    const struct attention *a = s->g->a;
    const int64_t count = l->each * l->columns;
    for (int64_t m = 0; m < members; m++) {
        int64_t matrix = factor_matrix(a, l->which, s->g->batch[s->member[m]]);
        tensor_components(&s->g->call->input[l->operand], matrix * count, count, s->right + m * count);
    }
}

MULTIVERSION static void add_term(const double *term, int64_t stride, const double *factor, int64_t columns,
                                  double *sum)
{
    for (int k = 0; k < TERM_VARIANCE; k++) {
        for (int64_t d = 0; d < columns; d++) {
            sum[k * columns + d] += term[k * stride] * fabs(factor[d]);
        }
    }
    for (int k = TERM_VARIANCE; k < TERM_LOGARITHM; k++) {
        for (int64_t d = 0; d < columns; d++) {
            sum[k * columns + d] += term[k * stride] * (factor[d] * factor[d]);
        }
    }
    for (int64_t d = 0; d < columns; d++) {
        sum[TERM_LOGARITHM * columns + d] += term[TERM_LOGARITHM * stride] * factor[d];
        sum[TERM_SHARED * columns + d] += term[TERM_SHARED * stride] * factor[d];
    }
}

/* IEEE 754's sum, without the terms of keys that take no part. */
static double sum_plainly(const struct attention_sums *s, int64_t row, int64_t terms, int64_t columns,
                          int64_t d)
{
    double sum = 0;
    for (int64_t n = 0; n < terms; n++) {
        double x = s->left[row * terms + n];
        sum += x != 0 ? x * s->right[n * columns + d] : 0;
    }
    return sum;
}

struct taking {
    struct attention_sums *s;
    int64_t columns;
};

static void take(void *user, int64_t row, int64_t column, const struct dot_enclosure *sum)
{
    const struct taking *t = user;
    t->s->dot[row * t->columns + column] = *sum;
}

/* Whether the row of the query's gradient belongs to a query without keys. */
static bool is_empty(const struct attention_sums *s, const struct layout *l, int64_t row, int64_t terms)
{
    const double *radius = attention_group_numbers(s->g, GROUP_P_RADIUS),
                 *p = attention_group_numbers(s->g, GROUP_P);
    bool empty = l->which == GRADIENT_QUERY && terms > 0;
    for (int64_t n = 0; n < terms && empty; n++) {
        int64_t at = score_at(s, l, row, n);
        empty = radius[at] == 0 && p[at] == 0; /* NaN is no 0 */
    }
    return empty;
}

static bool fill_element(struct attention_sums *s, const struct layout *l, int64_t row, int64_t terms,
                         int64_t d, int64_t element, bool empty, struct error *error)
{
    struct truth_output *out = &s->truth->output[l->which];
    const bool scaled = l->which != GRADIENT_VALUE;
    const double c = scaled ? s->g->a->scale : 1, size = fabs(c);
    const struct dot_enclosure *dot = &s->dot[row * l->columns + d];
    double sum[TERMS], square = size * size;
    for (int k = 0; k < TERMS; k++) {
        sum[k] = s->sum[k * l->columns + d] * (k < TERM_VARIANCE ? size : k < TERM_LOGARITHM ? square : c);
    }
    double value = c * (dot->value + dot->low);
    struct envelope *e = &out->envelope[element];
    attention_gradient_fill(s->g, sum, (double)terms, empty ? ATTENTION_IS_EMPTY : 0,
                            &out->sensitivity[element * ATTENTION_GRADIENT_SENSITIVITIES]);
    attention_gradient_surround(sum, size * dot->envelope.order, size * dot->envelope.squares, value, scaled,
                                e);
    e->spread = s->g->known && dot->known ? e->spread : INFINITY;
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        e->drift[k] += size * dot->envelope.drift[k];
    }
    e->group = element / l->columns / (l->which == GRADIENT_QUERY ? 1 : l->rows);
    e->group_spread = value;
    double plain = s->g->special ? c * sum_plainly(s, row, terms, l->columns, d) : 0;
    if (!isfinite(plain)) {
        out->value[element] = value_of(NAN);
        out->value[element].open = true;
        e->spread = INFINITY;
        return true;
    }
    if (empty || terms == 0) {
        out->value[element] = value_of(0);
        return true;
    }
    if (s->certain || !s->g->known || !dot->known) {
        return attention_sums_certify(s->exact, s->truth, l->which, element, error);
    }
    out->value[element] = value_of(value);
    out->radius[element] =
        size * dot->radius * (1 + 0x1p-40) + sum[TERM_RADIUS] * more + 0x1p-50 * fabs(value);
    out->value[element].exact = out->radius[element] == 0;
    return true;
}

/* The elements of a group share errors: S_c as if all its errors were one. A row of grad_query is a group; so
 * is a matrix of grad_key or grad_value, because the error of a query's sum of weights reaches all keys.
 * Before, group_spread holds the values. */
static void share(struct envelope *e, int64_t elements)
{
    double shared = 0, square = 0;
    for (int64_t d = 0; d < elements; d++) {
        shared += e[d].spread * fabs(e[d].group_spread);
        square += e[d].group_spread * e[d].group_spread;
    }
    for (int64_t d = 0; d < elements; d++) {
        e[d].group_spread = square > 0 ? shared / square : INFINITY;
    }
}

static bool fill_matrix(struct attention_sums *s, const struct layout *l, int64_t matrix, int64_t members,
                        struct error *error)
{
    const int64_t terms = members * l->each, rows = l->rows, columns = l->columns;
    const double *main = attention_group_numbers(s->g, l->which == GRADIENT_VALUE ? GROUP_P : GROUP_DS);
    load_factors(s, l, members);
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t n = 0; n < terms; n++) {
            s->left[r * terms + n] = main[score_at(s, l, r, n)];
        }
    }
    struct dot_enclosure_problem problem = {.rows = rows,
                                            .columns = columns,
                                            .terms = terms,
                                            .left = s->left,
                                            .right = s->right,
                                            .along = columns,
                                            .across = 1,
                                            .wide = true};
    struct taking taking = {.s = s, .columns = columns};
    envelope_widths(s->truth->output[0].dtype, problem.u);
    bool good = dot_enclosures(&problem, take, &taking) || error_set(error, "attention: out of memory");
    for (int64_t r = 0; good && r < rows; r++) {
        const int64_t first = (matrix * rows + r) * columns;
        for (int64_t k = 0; k < TERMS * columns; k++) {
            s->sum[k] = 0;
        }
        for (int64_t n = 0; n < terms; n++) {
            attention_term(s->g, l->which, score_at(s, l, r, n), s->term);
            add_term(s->term, 1, s->right + n * columns, columns, s->sum);
        }
        bool empty = is_empty(s, l, r, terms);
        for (int64_t d = 0; good && d < columns; d++) {
            good = fill_element(s, l, r, terms, d, first + d, empty, error);
        }
        if (columns > 0 && l->which == GRADIENT_QUERY) {
            share(&s->truth->output[l->which].envelope[first], columns);
        }
    }
    if (good && columns > 0 && l->which != GRADIENT_QUERY) {
        share(&s->truth->output[l->which].envelope[matrix * rows * columns], rows * columns);
    }
    return good;
}

bool attention_sums_fill(struct attention_sums *s, enum attention_gradient which, struct error *error)
{
    const struct attention *a = s->g->a;
    const struct layout l = layout_of(a, which);
    bool good = true;
    for (int64_t k = 0; good && k < s->g->count; k++) {
        const int64_t matrix = matrix_of(a, which, s->g->batch[k]);
        int64_t members = 0, before = 0;
        for (int64_t m = 0; m < s->g->count; m++) {
            if (matrix_of(a, which, s->g->batch[m]) == matrix) {
                before += m < k;
                s->member[members++] = m;
            }
        }
        good = before > 0 || fill_matrix(s, &l, matrix, members, error);
    }
    return good;
}
