/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Hypotheses about a result that was computed right: it was not stored, lost its sign or a factor, or landed
 * in another place. */

#include "harness/diagnose/hypotheses_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory that the call did not write */

static bool same_bytes(const struct tensor *a, const struct tensor *b, int64_t element)
{
    return memcmp(element_of(a, element), element_of(b, element), dtype_info(a->dtype)->size) == 0;
}

static bool is_zero(const struct tensor *tensor, int64_t element)
{
    const struct dtype_info *info = dtype_info(tensor->dtype);
    bool zero = true;
    for (int c = 0; c < info->components; c++) {
        zero = zero && dtype_load(info->component, element_of(tensor, element) +
                                                       (size_t)c * dtype_info(info->component)->size) == 0;
    }
    return zero;
}

/* Offers the hypothesis that every refused element is as it was before the call (or zero, or equal to another
 * tensor). Other elements are not compared. */
static void offer_kept(struct search *s, const struct tensor *const other[], const char *name,
                       const char *text)
{
    int64_t elements = 0, refused = 0, first = -1;
    bool all = s->refusals > 0;
    for (int o = 0; all && o < s->of->truth->outputs; o++) {
        int64_t count = s->of->truth->output[o].elements;
        for (int64_t i = 0; all && i < count; i++) {
            if (s->refused[o][i]) {
                all =
                    other ? other[o] && same_bytes(&s->of->got[o], other[o], i) : is_zero(&s->of->got[o], i);
                first = refused++ == 0 ? i : first;
            }
        }
        elements += count;
    }
    const struct fit fit = {.holds = all, .explained = refused, .gain = INFINITY};
    search_offer(s, &fit, name, "%lld of %lld elements, the first in place %lld, %s", (long long)refused,
                 (long long)elements, (long long)first, text);
}

void try_memory(struct search *s)
{
    const struct tensor *other[TRUTH_OUTPUTS_MAX];
    int outputs = s->of->truth->outputs;
    for (int o = 0; o < outputs; o++) {
        other[o] = &s->of->before[o];
    }
    offer_kept(s, other, "stale", "are what memory held before the call: nothing was written there");
    offer_kept(s, NULL, "zeros", "are 0");
    for (int i = 0; i < s->of->call->inputs; i++) {
        const struct tensor *input = &s->of->call->input[i];
        char text[160];
        bool like = input->data && s->of->truth->output[0].elements > 1;
        for (int o = 0; o < outputs; o++) {
            bool same = input->dtype == s->of->got[o].dtype &&
                        shape_elements(&input->shape) == shape_elements(&s->of->got[o].shape);
            other[o] = same ? input : NULL;
        }
        snprintf(text, sizeof text, "are those of input %d (%s) as it was given", i, input_name(s, i));
        if (like) {
            offer_kept(s, other, "operand-copied", text);
        }
    }
}

/* --- sign */

static void negate(struct tensor *tensor, int64_t first, int64_t count)
{
    enum dtype component = dtype_info(tensor->dtype)->component;
    size_t size = dtype_info(component)->size;
    int components = dtype_info(tensor->dtype)->components;
    for (int64_t k = first * components; k < (first + count) * components; k++) {
        unsigned char *at = tensor->data + (size_t)k * size;
        if (dtype_is_floating(component)) {
            dtype_store(component, at, -dtype_load(component, at));
        } else if (dtype_is_integer(component)) {
            dtype_store_bits(component, at, 0 - dtype_bits(component, at));
        }
    }
}

/* Tries determinants of the other sign: those of the matrices with their first row negated. */
static void try_determinant(struct search *s)
{
    struct changed changed;
    bool good = changed_create(&changed, s->of->call);
    struct tensor *a = &changed.input[0];
    int64_t n = a->shape.rank >= 2 ? a->shape.dim[a->shape.rank - 1] : 0;
    for (int64_t first = 0; good && n > 0 && first < shape_elements(&a->shape); first += n * n) {
        negate(a, first, n);
    }
    struct truth *truth = good && n > 0 && !search_late(s) ? changed_truth(s, &changed) : NULL;
    if (truth) {
        struct holding h = holding_of(s);
        struct refine refine;
        refine_open_call(&refine, &changed.call, truth);
        h.truth = truth;
        h.refine = &refine;
        h.refused_only = true;
        struct fit fit = fit_all(s, &h);
        refine_close(&refine);
        search_offer(s, &fit, "wrong-sign", "%lld element(s) are those of a determinant of the other sign",
                     (long long)fit.explained);
    }
    truth_destroy(&truth);
    s->memory = s->memory || !good;
    changed_destroy(&changed);
}

void try_sign(struct search *s)
{
    struct tensor got[TRUTH_OUTPUTS_MAX] = {{.data = NULL}};
    bool good = got_copy(s, got);
    for (int o = 0; good && o < s->of->truth->outputs; o++) {
        negate(&got[o], 0, shape_elements(&got[o].shape));
    }
    if (good) {
        struct holding h = holding_of(s);
        h.got = got;
        h.refused_only = true;
        struct fit fit = fit_all(s, &h);
        search_offer(s, &fit, "wrong-sign", "%lld element(s) have the wrong sign", (long long)fit.explained);
    }
    got_destroy(s, got);
    s->memory = s->memory || !good;
    if (s->of->call->op->flipped_sign && !s->best->name[0]) {
        try_determinant(s);
    }
}

/* --- another place */

static void try_transposed(struct search *s)
{
    struct tensor got[TRUTH_OUTPUTS_MAX] = {{.data = NULL}};
    bool good = got_copy(s, got), any = false;
    for (int o = 0; good && o < s->of->truth->outputs; o++) {
        any = misread(&got[o]) || any;
    }
    if (any) {
        struct holding h = holding_of(s);
        h.got = got;
        struct fit fit = fit_all(s, &h);
        search_offer(s, &fit, "layout", "the results lie in the other order, rows for columns");
    }
    got_destroy(s, got);
    s->memory = s->memory || !good;
}

/* One judged tensor as rows of its last dimension; each element of a vector is a row. */
struct rows {
    int64_t count, length, *from; /* row r of the result is row from[r] of the truth */
    struct limit *limit;
    const struct tensor *got;
};

static bool row_fits(const struct rows *rows, int64_t r, int64_t t)
{
    for (int64_t j = 0; j < rows->length; j++) {
        const struct limit *limit = &rows->limit[t * rows->length + j];
        double x = dtype_load(rows->got->dtype, element_of(rows->got, r * rows->length + j));
        double slack =
            isfinite(x) && dtype_is_floating(rows->got->dtype) ? dtype_ulp(rows->got->dtype, x) : 0;
        if (!(fabs(x - limit->centre) <= limit->reach + slack) && !(isnan(x) && isnan(limit->centre))) {
            return false;
        }
    }
    return true;
}

/* Matches each row with refused elements with the first row of the truth that it fits and that is free, or
 * with any if `again`. False if a row fits none. */
static bool match_rows(struct rows *rows, const bool *refused, bool *taken, bool again)
{
    for (int64_t r = 0; r < rows->count; r++) {
        bool own = true;
        for (int64_t j = 0; j < rows->length; j++) {
            own = own && !refused[r * rows->length + j];
        }
        rows->from[r] = own ? r : -1;
        taken[r] = own;
    }
    for (int64_t r = 0; r < rows->count; r++) {
        for (int64_t t = 0; rows->from[r] < 0 && t < rows->count; t++) {
            if ((again || !taken[t]) && row_fits(rows, r, t)) {
                rows->from[r] = t;
                taken[t] = true;
            }
        }
        if (rows->from[r] < 0) {
            return false;
        }
    }
    return true;
}

/* Puts the rows back and compares the result with the truth. `taken`: rows of the truth that some row of the
 * result matches. */
static void hold_rows(struct search *s, const struct rows *rows, const bool *taken, bool again)
{
    struct tensor got[TRUTH_OUTPUTS_MAX] = {{.data = NULL}};
    bool good = got_copy(s, got);
    size_t bytes = (size_t)rows->length * dtype_info(rows->got->dtype)->size;
    int64_t moved = 0, first = -1;
    for (int64_t r = 0; good && r < rows->count; r++) {
        memcpy(got[0].data + (size_t)rows->from[r] * bytes, rows->got->data + (size_t)r * bytes, bytes);
        first = rows->from[r] != r && moved++ == 0 ? r : first;
    }
    if (good && again) { /* rows of the truth that no row of the result matches count as right */
        for (int64_t r = 0; r < rows->count * rows->length; r++) {
            if (!taken[r / rows->length]) {
                value_store(&s->of->truth->output[0].value[r], rows->got->dtype,
                            got[0].data + (size_t)r * dtype_info(rows->got->dtype)->size);
            }
        }
    }
    if (good && moved > 0) {
        struct holding h = holding_of(s);
        h.got = got;
        struct fit fit = fit_all(s, &h);
        const char *unit = rows->length > 1 ? "row" : "element";
        search_offer(s, &fit, again ? "repeated-rows" : "permutation",
                     "%lld %s(s) of the result are others of the truth%s: %s %lld is the truth's %s %lld",
                     (long long)moved, unit, again ? ", some more than once" : ", each once", unit,
                     (long long)first, unit, (long long)(first < 0 ? 0 : rows->from[first]));
    }
    got_destroy(s, got);
    s->memory = s->memory || !good;
}

/* Tries other places for the rows of the first judged tensor, if it alone is wrong. */
static void try_rows(struct search *s)
{
    enum { ROWS_MAX = 4096 }; /* the search is quadratic */
    const struct truth_output *out = &s->of->truth->output[0];
    int rank = out->shape.rank;
    struct rows rows = {.got = &s->of->got[0], .length = rank > 1 ? out->shape.dim[rank - 1] : 1};
    rows.count = rows.length > 0 ? out->elements / rows.length : 0;
    if (rows.count < 2 || rows.count > ROWS_MAX || dtype_info(out->dtype)->components != 1) {
        return;
    }
    bool *taken = calloc((size_t)rows.count, sizeof *taken);
    rows.from = calloc((size_t)rows.count, sizeof *rows.from);
    rows.limit = calloc((size_t)out->elements, sizeof *rows.limit);
    if (taken && rows.from && rows.limit) {
        const struct holding h = holding_of(s);
        for (int64_t i = 0; i < out->elements; i++) {
            rows.limit[i] = limit_of(&h, 0, i);
        }
        if (match_rows(&rows, s->refused[0], taken, false)) {
            hold_rows(s, &rows, taken, false);
        } else if (rows.length > 1 && match_rows(&rows, s->refused[0], taken, true)) {
            hold_rows(s, &rows, taken, true);
        }
    } else {
        s->memory = true;
    }
    free(taken);
    free(rows.from);
    free(rows.limit);
}

/* --- a factor */

/* The factor between result and truth by least squares over finite elements, each weighed by its error bound.
 */
static double common_factor(const struct search *s, int64_t *refused)
{
    const struct holding h = holding_of(s);
    double along = 0, square = 0;
    *refused = 0;
    for (int o = 0; o < s->of->truth->outputs; o++) {
        const struct truth_output *out = &s->of->truth->output[o];
        for (int64_t i = 0; dtype_info(out->dtype)->kind == KIND_FLOAT && i < out->elements; i++) {
            struct limit limit = limit_of(&h, o, i);
            double x = dtype_load(out->dtype, element_of(&s->of->got[o], i));
            double width = limit.reach + dtype_unit_roundoff(out->dtype) * fabs(limit.centre);
            if (limit.finite && isfinite(x) && isfinite(width) && width > 0) {
                double t = limit.centre / width;
                along += x / width * t;
                square += t * t;
                *refused += s->refused[o][i] && limit.centre != 0;
            }
        }
    }
    return square > 0 ? along / square : NAN;
}

void try_factor(struct search *s)
{
    enum { ELEMENTS_LEAST = 3 }; /* one number is a multiple of any other */
    int64_t refused;
    struct holding h = holding_of(s);
    h.factor = common_factor(s, &refused);
    if (refused >= ELEMENTS_LEAST && isfinite(h.factor) && h.factor != 0 && h.factor != 1) {
        struct fit fit = fit_all(s, &h);
        search_offer(s, &fit, "scale", "the result is %.9g times the truth", h.factor);
    }
}

void try_places(struct search *s)
{
    try_transposed(s);
    try_rows(s);
}
