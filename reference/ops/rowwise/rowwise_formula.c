/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Row-wise operators with formulas: their truth.
 *
 * The sensitivities of a result for the row are the row's operands. Those of an element of a map are its
 * operands and a digest of all operands of the call, by which cached bounds of the map are found
 * (rowwise_limits.c). */

#include "reference/ops/rowwise/rowwise_infinite.h"
#include "reference/ops/rowwise/rowwise_workspace.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

int rowwise_sensitivities(const struct op_call *call, int output)
{
    (void)output;
    const struct shape *shape = rowwise_shape(call);
    unsigned mask;
    int64_t terms = 1;
    rowwise_mask(call->op, call->attributes, shape->rank, &mask);
    for (int d = 0; d < shape->rank; d++) {
        terms *= mask >> d & 1 ? shape->dim[d] : 1;
    }
    return call->op->rowwise->maps ? call->inputs + 1 : (int)(terms * call->inputs);
}

/* The state of one call, which is evaluated row by row. */
struct work {
    const struct op_call *call;
    struct truth *truth;
    struct truth_output *out;
    struct rowwise_rows rows;
    struct expression_workspace *workspace, *limits; /* of the truth's formula, and of the one that programs
                                                        compute */
    bool maps;
    double *operands, *value, *radius;
    struct value *certified;
    struct envelope *envelope;
    bool *wanted;
};

static bool work_open(struct work *w, const struct op_call *call, struct truth *truth)
{
    *w = (struct work){.call = call, .truth = truth, .out = &truth->output[0]};
    w->maps = call->op->rowwise->maps;
    w->workspace = rowwise_workspace(call->op, ROWWISE_TRUTH);
    w->limits = rowwise_workspace(call->op, ROWWISE_SAFE);
    if (!rowwise_rows_create(&w->rows, call->op, call->attributes, rowwise_shape(call))) {
        return false;
    }
    const size_t terms = (size_t)w->rows.terms, results = w->maps ? terms + 1 : 1;
    w->operands = malloc((terms * (size_t)call->inputs + 1) * sizeof(double));
    w->value = malloc(results * sizeof(double));
    w->radius = malloc(results * sizeof(double));
    w->certified = malloc(results * sizeof(struct value));
    w->envelope = malloc(results * sizeof(struct envelope));
    w->wanted = malloc(results);
    return w->workspace && w->limits && w->operands && w->value && w->radius && w->certified && w->envelope &&
           w->wanted;
}

static void work_close(struct work *w)
{
    rowwise_rows_clear(&w->rows);
    free(w->operands);
    free(w->value);
    free(w->radius);
    free(w->certified);
    free(w->envelope);
    free(w->wanted);
}

/* Gathers the operands of the row, one after the other; returns true if one is infinite or NaN. */
static bool gather(struct work *w, int64_t row)
{
    bool special = false;
    double *to = w->operands;
    for (int k = 0; k < w->call->inputs; k++) {
        bool of_row = w->call->op->rowwise->gradient && k == 0;
        for (int64_t t = 0; t < w->rows.terms; t++) {
            *to = tensor_component(&w->call->input[k], of_row ? row : rowwise_element(&w->rows, row, t));
            special = special || !isfinite(*to);
            to++;
        }
    }
    return special;
}

/* Returns the judged element of result t of the row. */
static int64_t result_of(const struct work *w, int64_t row, int64_t t)
{
    return w->maps ? rowwise_element(&w->rows, row, t) : row;
}

static void take_sensitivities(struct work *w, int64_t row, double digest)
{
    const int64_t terms = w->rows.terms;
    const int inputs = w->call->inputs;
    if (terms == 0) {
        return;
    }
    if (!w->maps) {
        memcpy(&w->out->sensitivity[row * w->out->sensitivities], w->operands,
               (size_t)(terms * inputs) * sizeof(double));
        return;
    }
    for (int64_t t = 0; t < terms; t++) {
        double *to = &w->out->sensitivity[result_of(w, row, t) * w->out->sensitivities];
        for (int k = 0; k < inputs; k++) {
            to[k] = w->operands[k * terms + t];
        }
        to[inputs] = digest;
    }
}

static double digest_of(const struct op_call *call)
{
    uint64_t digest = (uint64_t)call->inputs;
    for (int k = 0; k < call->inputs; k++) {
        const struct tensor *x = &call->input[k];
        digest = XXH3_64bits_withSeed(x->data, tensor_bytes(x), digest);
        digest = XXH3_64bits_withSeed(x->shape.dim, (size_t)x->shape.rank * sizeof *x->shape.dim, digest);
    }
    for (int a = 0; a < call->attributes->count; a++) {
        const struct attribute *attribute = &call->attributes->item[a];
        digest = XXH3_64bits_withSeed(&attribute->integer, sizeof attribute->integer, digest);
        digest = XXH3_64bits_withSeed(&attribute->real, sizeof attribute->real, digest);
    }
    return (double)(digest >> 12);
}

/* Evaluates a row in tier 1, and certifies together the results that tier 1 does not know, does not know the
 * sign of, or with `all` encloses in a radius. */
static bool one_row(struct work *w, bool all, struct error *error)
{
    const struct op_call *call = w->call;
    const int64_t results = w->maps ? w->rows.terms : 1;
    struct rowwise_arguments a;
    bool any = false;
    rowwise_take(call->op, call->attributes, w->out->dtype, w->operands, w->rows.terms, &a);
    expression_values(w->workspace, &a.row, w->value, w->radius);
    for (int64_t t = 0; t < results; t++) {
        w->wanted[t] = isinf(w->radius[t]) || w->radius[t] > fabs(w->value[t]) || (all && w->radius[t] > 0);
        any = any || w->wanted[t];
        w->certified[t] = value_of(w->value[t]);
        w->certified[t].exact = w->radius[t] == 0;
    }
    return (!any ||
            expression_certify(w->workspace, &a.row, w->wanted, w->certified, &w->truth->bits, error)) &&
           (expression_envelope(w->limits, &a.row, w->out->dtype, w->envelope) ||
            error_set(error, "%s: out of memory", call->op->name));
}

/* Adds the rounding of Welford's and Chan's running means at every step: sqrt(2/3)·u·κ·V of the sum of
 * squares, for which 3/2 is taken (normalization_envelope.c). A gradient is relative to the root. */
static void add_running_means(struct work *w)
{
    const int64_t terms = w->rows.terms;
    const double n = (double)terms, *x = w->operands + (w->call->op->rowwise->gradient ? terms : 0);
    double m = 0, squares = 0;
    for (int64_t k = 0; k < terms; k++) {
        m += x[k] / n;
    }
    for (int64_t k = 0; k < terms; k++) {
        squares += (x[k] - m) * (x[k] - m);
    }
    double kappa = squares > 0 ? envelope_join(sqrt(squares / n), m) / sqrt(squares / n) : 1;
    for (int64_t t = 0; t < (w->maps ? terms : 1); t++) {
        w->envelope[t].spread = envelope_join(
            w->envelope[t].spread, (w->call->op->rowwise->root ? 0.75 : 1.5) * kappa * fabs(w->value[t]));
    }
}

static void put_row(struct work *w, int64_t row, bool special)
{
    bool infinite = false;
    for (int64_t t = 0; special && t < (w->maps ? w->rows.terms : 1); t++) {
        infinite = infinite || value_is_infinite(&w->certified[t]);
    }
    const struct rowwise_terms terms = {w->call,       w->limits, w->operands,
                                        w->rows.terms, w->maps,   w->out->dtype};
    const bool meets = infinite && rowwise_meets_infinity(&terms);
    for (int64_t t = 0; t < (w->maps ? w->rows.terms : 1); t++) {
        int64_t element = result_of(w, row, t);
        w->out->value[element] = w->certified[t];
        w->out->value[element].special_input = special;
        if (infinite && value_is_infinite(&w->certified[t])) {
            const enum rowwise_slope slope = rowwise_slope_of(&terms, t);
            w->out->value[element].meets = meets || slope == SLOPE_VANISHES;
            w->out->value[element].open = slope == SLOPE_OPEN;
        }
        w->out->envelope[element] = w->envelope[t];
        if (!w->maps) {
            envelope_alone(&w->out->envelope[element], element, w->value[t]);
        }
        if (w->out->radius) {
            w->out->radius[element] = w->wanted[t] ? 0 : w->radius[t];
        }
    }
}

static bool answer(const struct op_call *call, struct truth *truth, bool enclosed, struct error *error)
{
    struct work w;
    bool good = (work_open(&w, call, truth) && truth_output_envelope(w.out) &&
                 (!enclosed || truth_output_radius(w.out, true))) ||
                error_set(error, "%s: out of memory", call->op->name);
    /* Certifying one element of a map costs a whole row: those of float64, which all need it, are certified
     * together. */
    bool all = !enclosed || (w.maps && w.out->dtype == DTYPE_FLOAT64);
    double digest = digest_of(call);
    for (int64_t row = 0; good && row < w.rows.rows; row++) {
        bool special = gather(&w, row);
        take_sensitivities(&w, row, digest);
        if (w.rows.terms == 0 && !w.maps) {
            w.out->value[row] = value_of(call->op->rowwise->empty);
        } else if (w.rows.terms > 0) {
            good = one_row(&w, all, error);
            if (good && call->op->rowwise->deviates) {
                add_running_means(&w);
            }
            if (good) {
                put_row(&w, row, special);
            }
        }
    }
    work_close(&w);
    return good;
}

bool rowwise_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, truth, false, error);
}

bool rowwise_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, truth, true, error);
}

/* Returns the row of an element of a map and fills its place in the row. */
static int64_t row_of(const struct op_call *call, int64_t element, int64_t *term)
{
    const struct shape *shape = rowwise_shape(call);
    int64_t row = 0, rows = 1, terms = 1;
    unsigned mask;
    rowwise_mask(call->op, call->attributes, shape->rank, &mask);
    *term = 0;
    for (int d = shape->rank; d-- > 0; element /= shape->dim[d]) {
        bool inside = mask >> d & 1;
        *(inside ? term : &row) += element % shape->dim[d] * (inside ? terms : rows);
        *(inside ? &terms : &rows) *= shape->dim[d];
    }
    return row;
}

/* Returns the cached certified row of a map, many elements of which may be requested: one element would take
 * as long as the row. NULL if it is not cached. */
static const struct rowwise_certified *known_row(const struct op_call *call, int64_t row, double digest)
{
    const struct rowwise_certified *known = rowwise_certified_row();
    bool same =
        known && known->value && known->op == call->op && known->digest == digest && known->row == row;
    return same ? known : NULL;
}

static const struct rowwise_certified *certified_row(struct work *w, int64_t row, double digest,
                                                     struct error *error)
{
    struct rowwise_certified *known = rowwise_certified_row();
    struct rowwise_arguments a;
    if (known) {
        free(known->value);
        *known = (struct rowwise_certified){.op = w->call->op, .digest = digest, .row = row, .bits = INT_MAX};
        known->special = gather(w, row);
        known->value = malloc((size_t)w->rows.terms * sizeof *known->value);
    }
    if (!known || !known->value) {
        error_set(error, "%s: out of memory", w->call->op->name);
        return NULL;
    }
    rowwise_take(w->call->op, w->call->attributes, w->out->dtype, w->operands, w->rows.terms, &a);
    if (!expression_certify(w->workspace, &a.row, NULL, known->value, &known->bits, error)) {
        free(known->value);
        known->value = NULL;
        return NULL;
    }
    return known;
}

static void put_certified(struct truth *truth, struct truth_output *out, int64_t element,
                          const struct value *value, bool special, int bits)
{
    out->value[element] = *value;
    out->value[element].special_input = special;
    out->radius[element] = 0;
    truth->bits = bits < truth->bits ? bits : truth->bits;
}

static bool certify_in_map(const struct op_call *call, struct truth *truth, int output, int64_t element,
                           struct error *error)
{
    struct truth_output *out = &truth->output[output];
    double digest = out->sensitivity[(element + 1) * out->sensitivities - 1];
    int64_t term, row = row_of(call, element, &term);
    const struct rowwise_certified *known = known_row(call, row, digest);
    if (!known) {
        struct work w;
        if (work_open(&w, call, truth)) {
            known = certified_row(&w, row, digest, error);
        } else {
            error_set(error, "%s: out of memory", call->op->name);
        }
        work_close(&w);
    }
    if (known) {
        put_certified(truth, out, element, &known->value[term], known->special, known->bits);
    }
    return known != NULL;
}

bool rowwise_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                     struct error *error)
{
    struct truth_output *out = &truth->output[output];
    struct rowwise_arguments a;
    struct value value = out->value[element];
    struct work w;
    int bits = INT_MAX;
    if (call->op->rowwise->maps) {
        return certify_in_map(call, truth, output, element, error);
    }
    bool good = work_open(&w, call, truth) || error_set(error, "%s: out of memory", call->op->name);
    bool special = good && gather(&w, element);
    if (good) {
        rowwise_take(call->op, call->attributes, out->dtype, w.operands, w.rows.terms, &a);
        good = expression_certify(w.workspace, &a.row, NULL, &value, &bits, error);
    }
    if (good) {
        put_certified(truth, out, element, &value, special, bits);
    }
    work_close(&w);
    return good;
}
