/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Compares a result with the truth of a changed call: on a few rows first, then on all of it. */

#include "harness/diagnose/hypotheses_parts.h"

enum { ROWS_TRIED = 4, ROWS_LEAST = 64 }; /* with fewer rows the whole call is quick */

/* `count` rows from `first` on, of a tensor whose `leading` dimensions count the rows; the memory is the
 * tensor's. *row: elements of a row. */
static struct tensor rows_of(const struct tensor *tensor, int leading, int64_t first, int64_t count,
                             int64_t *row)
{
    struct tensor part = {.dtype = tensor->dtype,
                          .shape = {.rank = tensor->shape.rank - leading + 1, .dim = {count}}};
    *row = 1;
    for (int d = leading; d < tensor->shape.rank; d++) {
        part.shape.dim[d - leading + 1] = tensor->shape.dim[d];
        *row = count_product(*row, tensor->shape.dim[d]);
    }
    part.data = tensor->data + (size_t)(first * *row) * dtype_info(tensor->dtype)->size;
    return part;
}

static bool has_rows(const struct changed *changed, const struct holding *h, struct op_rows *rows)
{
    struct view view[OPERANDS_MAX];
    const struct op_call *call = &changed->call;
    *rows = (struct op_rows){.output = 0};
    for (int i = 0; i < call->inputs; i++) {
        const struct tensor *input = &call->input[i];
        view[i] = view_contiguous(tensor_absent(input) ? -1 : i, input->dtype, &input->shape);
    }
    const struct op_operands operands = {
        .attributes = call->attributes, .inputs = call->inputs, .input = view};
    /* errors of fast products depend on operands of all rows */
    return call->op->rows && profile_fast_crossover(h->profile, call->op->name) == 0 &&
           call->op->rows(&operands, rows);
}

static int64_t first_refused(const bool *refused, int64_t elements)
{
    int64_t i = 0;
    while (i < elements && !refused[i]) {
        i++;
    }
    return i;
}

/* True if an element does not fit, of rows that begin at element `from`; the truth in `h` is that of these
 * rows. */
static bool any_misfit(const struct search *s, const struct holding *h, int64_t from)
{
    const struct truth_output *out = &h->truth->output[0];
    for (int64_t i = 0; i < out->elements; i++) {
        double excess;
        bool requested = !h->refused_only || s->refused[0][from + i];
        if (requested && !fits(h, 0, i, element_of(&h->got[0], from + i), &excess)) {
            return true;
        }
    }
    return false;
}

/* True if a few rows of the changed call already show that its truth does not explain the result. Most
 * hypotheses are wrong and end here. False if the rows of the call are not independent or are few. */
static bool rows_refute(const struct search *s, const struct changed *changed, const struct holding *whole)
{
    struct op_rows rows;
    const struct truth *truth = s->of->truth;
    if (truth->outputs != 1 || !has_rows(changed, whole, &rows)) {
        return false;
    }
    const struct tensor *got = &whole->got[0];
    int64_t row, size, elements = shape_elements(&got->shape);
    rows_of(got, rows.output, 0, 1, &row);
    int64_t count = row > 0 ? elements / row : 0, refused = first_refused(s->refused[0], elements);
    if (count < ROWS_LEAST || refused == elements) {
        return false;
    }
    int64_t first = refused / row < count - ROWS_TRIED ? refused / row : count - ROWS_TRIED;
    struct tensor input[OPERANDS_MAX];
    struct view operands[OPERANDS_MAX];
    struct op_call call = changed->call;
    call.input = input;
    call.first_row = first;
    call.whole = operands;
    for (int i = 0; i < call.inputs; i++) {
        const struct tensor *from = &changed->input[i];
        operands[i] = view_contiguous(tensor_absent(from) ? -1 : i, from->dtype, &from->shape);
        input[i] = rows.input[i] && !tensor_absent(from)
                       ? rows_of(from, rows.input[i], first, ROWS_TRIED, &size)
                       : *from;
    }
    struct op_signature signature = {.outputs = 1};
    signature.output[0].dtype = got->dtype;
    signature.output[0].shape = rows_of(got, rows.output, first, ROWS_TRIED, &size).shape;
    struct error error;
    struct truth *some = op_truth(&call, &signature, &error);
    bool refuted = false;
    if (some) {
        struct refine refine;
        struct holding h = *whole;
        refine_open_call(&refine, &call, some);
        h.truth = some;
        h.refine = &refine;
        refuted = any_misfit(s, &h, first * row);
        refine_close(&refine);
    }
    truth_destroy(&some);
    return refuted;
}

struct fit changed_fit(struct search *s, const struct changed *changed, struct holding h)
{
    struct fit fit = {.holds = false};
    struct refine refine;
    h.attributes = &changed->attributes;
    if (search_late(s) || !changed_is_legal(s, changed) || rows_refute(s, changed, &h)) {
        return fit;
    }
    struct truth *truth = changed_truth(s, changed);
    if (truth) {
        refine_open_call(&refine, &changed->call, truth);
        h.truth = truth;
        h.refine = &refine;
        fit = fit_all(s, &h);
        refine_close(&refine);
    }
    truth_destroy(&truth);
    return fit;
}
