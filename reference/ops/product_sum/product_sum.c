/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/product_sum/product_sum.h"
#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/ops/product_sum/left_matrix.h"
#include "reference/ops/product_sum/product_sum_bound.h"
#include "reference/ops/product_sum/single_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the right matrix that are gathered at a time, and the least number of columns. */
enum { GATHERED = 1 << 19, COLUMNS_LEAST = 64 };

/* All sums of one judged tensor. */
struct sums {
    struct product_sum of;
    struct product_sum_block block;
    bool cast; /* the cast rounded or overflowed a factor */
    bool subnormal;
    struct truth *truth;
    struct truth_output *out;
    struct factor left, right, bias;
    struct single_sum exact;
    int64_t room;              /* terms for which there is room in l and r */
    int64_t *l, *r;            /* indices of the factors of one row and of one column */
    struct left_matrix matrix; /* of the current block */
    int64_t from;              /* first column of the current part of the block */
    struct factor_range range; /* of all columns of the block */
    bool good;                 /* memory sufficed, as far as `take` and `gather_column` know */
};

static const struct tensor *operand(const struct op_call *call, int i)
{
    return i >= 0 && i < call->inputs && !tensor_absent(&call->input[i]) ? &call->input[i] : NULL;
}

static bool sums_open(struct sums *s, const struct op_call *call, int output, struct truth *truth)
{
    *s = (struct sums){
        .truth = truth, .out = &truth->output[output], .of.map = call->op->product_sum, .good = true};
    s->of.left = s->of.right = s->of.bias = -1;
    return s->of.map->open(call, output, &s->of);
}

static void sums_close(struct sums *s)
{
    single_sum_clear(&s->exact);
    factor_clear(&s->left);
    factor_clear(&s->right);
    factor_clear(&s->bias);
    free(s->l);
    free(s->r);
    left_matrix_clear(&s->matrix);
    free(s->of.geometry);
}

/* Makes room for the indices and terms of one sum. */
static bool make_room(struct sums *s, int64_t terms)
{
    if (s->l && terms <= s->room) {
        return true;
    }
    if (s->l) {
        single_sum_clear(&s->exact);
    }
    free(s->l);
    free(s->r);
    s->room = terms;
    s->l = malloc(((size_t)terms + 1) * sizeof *s->l);
    s->r = malloc(((size_t)terms + 1) * sizeof *s->r);
    return single_sum_create(&s->exact, s->out->dtype == DTYPE_FLOAT64, s->of.left < 0, terms) && s->l &&
           s->r;
}

static void left_of(const struct sums *s, int64_t row, int64_t *index)
{
    if (s->of.left >= 0) {
        s->of.map->left(&s->of, &s->block, row, index);
    }
}

static struct single_terms terms_of(const struct sums *s, const int64_t *l, const int64_t *r, int64_t row,
                                    int64_t column)
{
    return (struct single_terms){.left = s->of.left < 0 ? NULL : &s->left,
                                 .right = &s->right,
                                 .bias = s->of.bias < 0 ? NULL : &s->bias,
                                 .l = s->of.left < 0 ? NULL : l,
                                 .r = r,
                                 .terms = s->block.terms,
                                 .bias_at = s->block.bias_first + (s->of.bias_of_rows ? row : column)};
}

/* Computes one element exactly; its row's indices are in s->l. */
static void exactly(struct sums *s, int64_t row, int64_t column)
{
    s->of.map->right(&s->of, &s->block, column, s->r);
    struct single_terms terms = terms_of(s, s->l, s->r, row, column);
    single_sum_of(&s->exact, &terms, s->out, s->of.map->element(&s->of, &s->block, row, column), true,
                  &s->truth->bits);
}

/* Fills the sensitivities that only casts and subnormal factors have. */
static void fill_rare(struct sums *s, int64_t row, int64_t column, double *sensitivity)
{
    size_t terms = (size_t)s->block.terms;
    int64_t *l = malloc((2 * terms + 1) * sizeof *l), *r = l ? l + terms : NULL;
    if (!l) {
        s->good = false;
        return;
    }
    left_of(s, row, l);
    s->of.map->right(&s->of, &s->block, column, r);
    struct single_terms of = terms_of(s, l, r, row, column);
    if (s->cast) {
        single_sum_casts(&of, sensitivity);
    }
    if (s->subnormal) {
        sensitivity[SUBNORMAL] = single_sum_subnormal(&of);
    }
    free(l);
}

static void take(void *user, int64_t row, int64_t part, const struct dot_enclosure *sum)
{
    struct sums *s = user;
    int64_t column = s->from + part, e = s->of.map->element(&s->of, &s->block, row, column);
    double *sensitivity = &s->out->sensitivity[e * s->out->sensitivities];
    s->out->radius[e] = sum->known ? sum->radius : NAN; /* NaN: compute_unknown computes it exactly */
    if (!sum->known) {
        return;
    }
    sensitivity[MAGNITUDE] = sum->magnitude;
    sensitivity[ONE_SIGN] = sum->one_sign;
    if (s->cast || s->subnormal) {
        fill_rare(s, row, column, sensitivity);
    }
    s->out->value[e] = value_from_dd(sum->value, sum->low);
    s->out->value[e].exact = sum->exact;
    single_sum_surround(&sum->envelope, s->of.left < 0, s->out, e);
}

/* Stores the factors of a column, `step` doubles apart. `to` may be NULL. */
static void gather(struct sums *s, int64_t column, double *to, int64_t step)
{
    s->of.map->right(&s->of, &s->block, column, s->r);
    for (int64_t k = 0; k < s->block.terms; k++) {
        double x = s->r[k] < 0 ? 0 : s->right.x[s->r[k]];
        factor_range_add(&s->range, x);
        if (to) {
            to[k * step] = x;
        }
    }
}

static void gather_column(void *user, int64_t part, double *to)
{
    struct sums *s = user;
    gather(s, s->from + part, to, SUM_LANES);
}

/* Fills the sensitivities that do not depend on an element's terms. */
static void describe(struct sums *s)
{
    const struct product_sum_block *b = &s->block;
    int64_t alike = b->alike > 0 ? b->alike : b->rows;
    for (int64_t from = 0; from < b->rows; from += alike) {
        int64_t end = from + alike < b->rows ? from + alike : b->rows;
        double greatest = 0;
        bool special = s->range.special;
        for (int64_t i = from; i < end; i++) {
            greatest = fmax(greatest, s->matrix.range[i].greatest);
            special = special || s->matrix.range[i].special;
        }
        greatest = greatest * s->range.greatest * (1 + 0x1p-52);
        for (int64_t i = from; i < end; i++) {
            for (int64_t j = 0; j < b->columns; j++) {
                int64_t e = s->of.map->element(&s->of, b, i, j);
                double *sensitivity = &s->out->sensitivity[e * s->out->sensitivities];
                sensitivity[TERMS] = (double)b->terms;
                sensitivity[PADDED] = (double)b->padded;
                sensitivity[BIAS] = s->of.bias >= 0;
                sensitivity[PLAIN_SUM] = s->of.left < 0;
                sensitivity[GREATEST] = greatest;
                sensitivity[HAS_SPECIAL] = special;
            }
        }
    }
}

/* Computes exactly what the enclosure left open in the `columns` columns from s->from on. */
static void compute_unknown(struct sums *s, int64_t columns)
{
    for (int64_t row = 0; row < s->block.rows; row++) {
        bool known = false; /* the row's indices are in s->l */
        for (int64_t j = s->from; j < s->from + columns; j++) {
            double *radius = &s->out->radius[s->of.map->element(&s->of, &s->block, row, j)];
            if (isnan(*radius)) {
                if (!known) {
                    left_of(s, row, s->l);
                }
                known = true;
                exactly(s, row, j);
                *radius = 0;
            }
        }
    }
}

static bool enclose_block(struct sums *s)
{
    const struct product_sum_block *b = &s->block;
    int64_t columns = GATHERED / b->terms > COLUMNS_LEAST ? GATHERED / b->terms : COLUMNS_LEAST;
    bool good = true;
    for (s->from = 0; good && s->from < b->columns; s->from += columns) {
        struct dot_enclosure_problem problem = {
            .rows = b->rows,
            .columns = b->columns - s->from < columns ? b->columns - s->from : columns,
            .terms = b->terms,
            .left = s->matrix.rows,
            .column = gather_column,
            .source = s,
            .bias_of_rows = s->of.bias_of_rows,
            .wide = s->out->dtype == DTYPE_FLOAT64};
        if (s->of.bias >= 0) {
            problem.bias = s->bias.x + b->bias_first + (s->of.bias_of_rows ? 0 : s->from);
        }
        envelope_widths(s->out->dtype, problem.u);
        good = dot_enclosures(&problem, take, s) && s->good;
        if (good) {
            compute_unknown(s, problem.columns);
        }
    }
    return good;
}

static void compute_block(struct sums *s)
{
    for (int64_t j = 0; j < s->block.columns; j++) {
        gather(s, j, NULL, 0);
    }
    for (int64_t i = 0; i < s->block.rows; i++) {
        left_of(s, i, s->l);
        for (int64_t j = 0; j < s->block.columns; j++) {
            exactly(s, i, j);
        }
    }
}

static bool take_factors(struct sums *s, const struct op_call *call)
{
    const int index[] = {s->of.left, s->of.right, s->of.bias};
    struct factor *factor[] = {&s->left, &s->right, &s->bias};
    for (int i = 0; i < 3; i++) {
        const struct tensor *tensor = operand(call, index[i]);
        if (tensor &&
            !factor_create(factor[i], tensor, s->out->dtype, NULL, shape_elements(&tensor->shape))) {
            return false;
        }
        s->cast = s->cast || factor[i]->cast;
        s->subnormal = s->subnormal || factor[i]->subnormal;
    }
    return true;
}

static bool all_sums(const struct op_call *call, int output, bool enclosed, struct truth *truth)
{
    struct sums s;
    bool good = sums_open(&s, call, output, truth) && make_room(&s, 0) && take_factors(&s, call) &&
                truth_output_envelope(s.out) && (!enclosed || truth_output_radius(s.out, true));
    for (int64_t number = 0; good && number < s.of.blocks; number++) {
        s.of.map->block(&s.of, number, &s.block);
        s.range = (struct factor_range){.greatest = 0};
        good = make_room(&s, s.block.terms) && left_matrix_gather(&s.matrix, &s.of, &s.block, &s.left, s.l);
        if (good && enclosed && s.block.terms > 0) {
            good = enclose_block(&s);
        } else if (good) {
            compute_block(&s);
        }
        if (good) {
            describe(&s);
        }
    }
    sums_close(&s);
    return good;
}

static bool all_outputs(const struct op_call *call, bool enclosed, struct truth *truth, struct error *error)
{
    bool good = true;
    for (int o = 0; o < truth->outputs && good; o++) {
        good = all_sums(call, o, enclosed, truth);
    }
    return good || error_set(error, "%s: out of memory", call->op->name);
}

bool product_sum_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return all_outputs(call, false, truth, error);
}

bool product_sum_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return all_outputs(call, true, truth, error);
}

/* Gathers only the factors of the element, and makes the indices those of the gathered factors. */
static bool take_factors_of(struct sums *s, const struct op_call *call, int64_t row, int64_t column)
{
    const struct tensor *left = operand(call, s->of.left), *right = operand(call, s->of.right),
                        *bias = operand(call, s->of.bias);
    enum dtype dtype = s->out->dtype;
    int64_t terms = s->block.terms, at = s->block.bias_first + (s->of.bias_of_rows ? row : column);
    left_of(s, row, s->l);
    s->of.map->right(&s->of, &s->block, column, s->r);
    bool good = (!left || factor_create(&s->left, left, dtype, s->l, terms)) &&
                factor_create(&s->right, right, dtype, s->r, terms) &&
                (!bias || factor_create(&s->bias, bias, dtype, &at, 1));
    for (int64_t k = 0; k < terms; k++) {
        s->l[k] = left && s->l[k] < 0 ? -1 : k;
        s->r[k] = s->r[k] < 0 ? -1 : k;
    }
    return good;
}

bool product_sum_certify(const struct op_call *call, struct truth *truth, int output, int64_t e,
                         struct error *error)
{
    struct sums s;
    int64_t row = 0, column = 0;
    bool good = sums_open(&s, call, output, truth);
    if (good) {
        s.of.map->place(&s.of, e, &s.block, &row, &column);
        good = make_room(&s, s.block.terms) && take_factors_of(&s, call, row, column);
    }
    if (good) {
        struct single_terms terms = terms_of(&s, s.l, s.r, row, column);
        terms.bias_at = 0;
        single_sum_of(&s.exact, &terms, s.out, e, false, &truth->bits);
        s.out->radius[e] = 0;
    }
    sums_close(&s);
    return good || error_set(error, "%s: out of memory", call->op->name);
}

int product_sum_sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return PRODUCT_SUM_SENSITIVITIES;
}
