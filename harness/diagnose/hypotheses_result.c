/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Hypotheses about a result that was computed right: it lost its sign, or landed in another place. */

#include "harness/diagnose/hypotheses_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void try_places(struct search *s)
{
    try_transposed(s);
    try_rows(s);
}
