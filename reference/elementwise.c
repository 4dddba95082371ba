/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/elementwise.h"
#include "reference/expression.h"
#include "reference/limit_run.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* --- what a thread has of a row: its formulas, parsed, and where they are worked out */

enum form { SAFE, NAIVE, FORMS };

struct parsed {
    const struct elementwise *row;
    struct expression *expression[FORMS];
    struct expression_workspace *workspace[FORMS];
    struct parsed *next;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void release(void *user)
{
    struct parsed *p = user;
    while (p) {
        struct parsed *next = p->next;
        for (int f = 0; f < FORMS; f++) {
            expression_workspace_destroy(&p->workspace[f]);
            expression_destroy(&p->expression[f]);
        }
        free(p);
        p = next;
    }
}

static void make_key(void)
{
    pthread_key_create(&key, release);
}

/* Where the formula of a row is worked out; NULL where there is none such, or no memory. */
static struct expression_workspace *workspace_of(const struct op *op, enum form form)
{
    static const struct expression_input inputs[] = {{"x", EXPRESSION_ELEMENT}, {.name = NULL}};
    const char *const formula[FORMS] = {op->row->formula, op->row->naive};
    struct error error;
    pthread_once(&once, make_key);
    struct parsed *all = pthread_getspecific(key), *p = all;
    while (p && p->row != op->row) {
        p = p->next;
    }
    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p) {
            return NULL;
        }
        p->row = op->row;
        p->next = all;
        if (pthread_setspecific(key, p) != 0) {
            free(p);
            return NULL;
        }
    }
    if (!p->workspace[form] && formula[form]) {
        expression_destroy(&p->expression[form]);
        p->expression[form] = expression_parse(formula[form], inputs, &error);
        p->workspace[form] = p->expression[form] ? expression_workspace_create(p->expression[form]) : NULL;
    }
    return p->workspace[form];
}

/* --- truth */

bool elementwise_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                           struct error *reason)
{
    const struct view *x = &operands->input[0];
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = x->dtype;
    out->output[0].shape = x->shape;
    return (op->dtypes >> x->dtype & 1) ||
           error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
}

bool elementwise_moves(const struct op_call *call)
{
    return call->op->row->moves;
}

/* A NaN whose sign bit is set as `exact` leaves that of 1. */
static struct value moved(const struct elementwise *row, const struct tensor *x, int64_t element)
{
    unsigned char bytes[8] = {0};
    size_t size = dtype_info(x->dtype)->size;
    memcpy(bytes, x->data + (size_t)element * size, size);
    bytes[size - 1] = row->exact(1) < 0 ? bytes[size - 1] ^ 0x80 : bytes[size - 1] & 0x7F;
    return value_of_element(x->dtype, bytes);
}

bool elementwise_exact(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    const struct elementwise *row = call->op->row;
    const struct tensor *x = &call->input[0];
    struct truth_output *out = &truth->output[0];
    bool wraps = x->dtype == DTYPE_INT32;
    for (int64_t i = 0; i < out->elements; i++) {
        double value = tensor_component(x, i), result = row->exact(value);
        result = wraps ? (double)(int32_t)(uint32_t)(int64_t)result : result;
        out->value[i] = row->moves && isnan(value) ? moved(row, x, i) : value_of(result);
    }
    return true;
}

void elementwise_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    accept_rounded(accept, out->dtype, query->profile, &out->value[query->element]);
    for (int set = 0; query->op->row->open_zero && set < accept->sets; set++) {
        accept->set[set].component[0].zero = ZERO_ANY;
    }
}

int elementwise_sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return 1;
}

/* Those of `count` elements that `wanted` marks, or all: x is their operands. */
static bool certify_some(const struct op *op, const double *x, int64_t count, const bool *wanted,
                         struct value *value, int *bits, struct error *error)
{
    const struct expression_row row = {.n = count, .input = &x};
    struct expression_workspace *workspace = workspace_of(op, SAFE);
    if (!workspace) {
        return error_set(error, "%s: out of memory", op->name);
    }
    return expression_certify(workspace, &row, wanted, value, bits, error);
}

static void take_operands(const struct op_call *call, struct truth_output *out)
{
    for (int64_t i = 0; i < out->elements; i++) {
        out->sensitivity[i] = tensor_component(&call->input[0], i);
    }
}

bool elementwise_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    take_operands(call, out);
    return certify_some(call->op, out->sensitivity, out->elements, NULL, out->value, &truth->bits, error);
}

/* Values within radii; what tier 1 does not tell is certified at once. */
static bool take_values(const struct op_call *call, struct truth *truth, const double *value, bool *wanted,
                        struct error *error)
{
    struct truth_output *out = &truth->output[0];
    bool any = false;
    for (int64_t i = 0; i < out->elements; i++) {
        wanted[i] = isinf(out->radius[i]);
        any = any || wanted[i];
        out->value[i] = value_of(value[i]);
        out->value[i].exact = out->radius[i] == 0;
        out->radius[i] = wanted[i] ? 0 : out->radius[i];
    }
    return !any ||
           certify_some(call->op, out->sensitivity, out->elements, wanted, out->value, &truth->bits, error);
}

bool elementwise_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    struct expression_workspace *workspace = workspace_of(call->op, SAFE);
    double *value = malloc(((size_t)out->elements + 1) * sizeof *value);
    bool *wanted = malloc((size_t)out->elements + 1);
    bool good = workspace && value && wanted && truth_output_radius(out);
    if (good) {
        const double *x = out->sensitivity;
        const struct expression_row row = {.n = out->elements, .input = &x};
        take_operands(call, out);
        expression_values(workspace, &row, value, out->radius);
        good = take_values(call, truth, value, wanted, error);
    } else {
        error_set(error, "%s: out of memory", call->op->name);
    }
    free(value);
    free(wanted);
    return good;
}

bool elementwise_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                         struct error *error)
{
    struct truth_output *out = &truth->output[output];
    out->radius[element] = 0;
    return certify_some(call->op, &out->sensitivity[element], 1, NULL, &out->value[element], &truth->bits,
                        error);
}

/* --- limits */

/* Of one form; infinite where there is no memory: nothing is accused for want of it. */
static void bounds_of(const struct bound_query *query, enum form form, int64_t first, int count,
                      double *compute)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *x = &out->sensitivity[first];
    const struct expression_row row = {.n = count, .input = &x};
    struct expression_workspace *workspace = workspace_of(query->op, form);
    struct expression_allowances allowances =
        expression_allowances_of(query->profile, out->dtype, 1, 0, query->exact);
    for (int i = 0; !workspace && i < count; i++) {
        compute[i] = INFINITY;
    }
    if (workspace) {
        expression_limits(workspace, &row, &allowances, compute);
    }
}

void elementwise_bounds(const struct bound_query *query, int64_t first, int count, double *compute)
{
    const struct truth_output *out = &query->truth->output[0];
    bool naive = query->profile->range == RANGE_NAIVE && query->op->row->naive;
    double other[LIMIT_RUN];
    bounds_of(query, SAFE, first, count, compute);
    if (naive) {
        bounds_of(query, NAIVE, first, count, other);
    }
    for (int i = 0; i < count; i++) {
        bool wider = naive && isfinite(other[i]); /* infinite: it escapes, which is another rule's */
        compute[i] = wider ? fmax(compute[i], other[i]) : compute[i];
        compute[i] = out->value[first + i].class == VALUE_FINITE ? compute[i] : 0;
    }
}

double elementwise_bound(const struct bound_query *query)
{
    double compute;
    elementwise_bounds(query, query->element, 1, &compute);
    return compute;
}

bool elementwise_rounds_once(const struct bound_query *query)
{
    return query->op->row->quotient && query->profile->primitives == PRIMITIVES_LIBM;
}

bool elementwise_naive_escapes(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *x = &out->sensitivity[query->element];
    const struct expression_row row = {.n = 1, .input = &x};
    struct expression_workspace *workspace = workspace_of(query->op, NAIVE);
    struct expression_allowances allowances =
        expression_allowances_of(query->profile, out->dtype, 1, 0, query->exact);
    struct expression_measure measure = {.escapes = false};
    if (workspace) {
        expression_measures(workspace, &row, &allowances, &measure);
    }
    return measure.escapes;
}
