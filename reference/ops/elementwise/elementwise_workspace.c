/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/elementwise/elementwise_workspace.h"
#include "reference/ops/elementwise/elementwise_views.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* --- formulas, parsed */

struct parsed {
    const struct elementwise *row;
    struct expression *expression[ELEMENTWISE_FORMS];
    struct expression_workspace *workspace[ELEMENTWISE_FORMS];
    struct parsed *next;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void release(void *user)
{
    struct parsed *p = user;
    while (p) {
        struct parsed *next = p->next;
        for (int f = 0; f < ELEMENTWISE_FORMS; f++) {
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

/* Parses a formula with the names of its inputs, operands before attributes. With halves the second number is
 * `other` and the last number of a gradient is `half`. */
static struct expression *parse(const struct op *op, const char *formula)
{
    static const char *const name[] = {"x", "y", "z"};
    struct expression_input inputs[ELEMENTWISE_INPUTS + 1];
    struct error error;
    int count = 0, operands = op_inputs_max(op), numbers = elementwise_numbers(op), plain = 0;
    for (int k = 0; k < numbers; k++) {
        const char *own = k < operands ? op->operands[k].name : k == numbers - 1 && k > 2 ? "half" : "other";
        bool grad = strcmp(own, "grad_output") == 0,
             named = strcmp(own, "pos_weight") == 0 || strcmp(own, "count") == 0 || strcmp(own, "half") == 0;
        inputs[count++] = (struct expression_input){grad    ? "grad"
                                                    : named ? own
                                                            : name[plain++],
                                                    EXPRESSION_ELEMENT};
    }
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        if (op->attributes[a].type != ATTRIBUTE_CHOICE) {
            inputs[count++] = (struct expression_input){op->attributes[a].name, EXPRESSION_ATTRIBUTE};
        }
    }
    inputs[count] = (struct expression_input){.name = NULL};
    return expression_parse(formula, inputs, &error);
}

/* Returns this thread's entry for the row, and moves it to the front of the list; NULL when out of memory. */
static struct parsed *parsed_of(const struct elementwise *row)
{
    pthread_once(&once, make_key);
    struct parsed *all = pthread_getspecific(key), *p = all, *before = NULL;
    while (p && p->row != row) {
        before = p;
        p = p->next;
    }
    if (p && before) { /* thousands of calls for one row follow */
        before->next = p->next;
        p->next = all;
        if (pthread_setspecific(key, p) != 0) {
            p->next = before->next; /* undo */
            before->next = p;
        }
    }
    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p) {
            return NULL;
        }
        p->row = row;
        p->next = all;
        if (pthread_setspecific(key, p) != 0) {
            free(p);
            return NULL;
        }
    }
    return p;
}

static const char *formula_of(const struct elementwise *row, enum elementwise_form form)
{
    switch (form) {
    case FORM_SAFE:
        return row->formula;
    case FORM_NAIVE:
        return row->naive;
    case FORM_DOCUMENTED:
        return row->documented;
    case FORM_PARTIAL:
        return row->partial;
    case FORM_BEYOND:
        return row->beyond;
    case FORM_ROUNDS:
        return row->rounds;
    default:
        return form < FORM_NAIVE ? row->form[form - FORM_OTHER] : row->also[form - FORM_ALSO];
    }
}

struct expression_workspace *elementwise_workspace(const struct op *op, const struct elementwise *row,
                                                   enum elementwise_form form)
{
    const char *const formula = formula_of(row, form);
    struct parsed *p = parsed_of(row);
    if (p && !p->workspace[form] && formula) {
        expression_destroy(&p->expression[form]);
        p->expression[form] = parse(op, formula);
        p->workspace[form] = p->expression[form] ? expression_workspace_create(p->expression[form]) : NULL;
    }
    return p ? p->workspace[form] : NULL;
}

const struct expression *elementwise_expression(const struct elementwise *row, enum elementwise_form form)
{
    const struct parsed *p = parsed_of(row);
    return p ? p->expression[form] : NULL;
}

/* --- operands */

static void take_attributes(const struct op *op, const struct attributes *given, enum dtype dtype, int used,
                            struct elementwise_arguments *a)
{
    struct attributes all = *given;
    op_default_attributes(op, dtype, &all);
    for (int t = 0; t < ATTRIBUTES_MAX && op->attributes[t].name; t++) {
        if (op->attributes[t].type != ATTRIBUTE_CHOICE) {
            a->attribute[t] = attributes_real(&all, op->attributes[t].name, 0);
            a->input[used++] = &a->attribute[t];
        }
    }
}

void elementwise_take(const struct op *op, const struct attributes *given, enum dtype dtype,
                      const double *operands, int64_t count, struct elementwise_arguments *a)
{
    int inputs = elementwise_numbers(op);
    a->input[0] = operands;
    for (int k = 0; k < inputs && inputs > 1; k++) {
        for (int64_t i = 0; i < count; i++) {
            a->operand[k][i] = operands[i * inputs + k];
        }
        a->input[k] = a->operand[k];
    }
    if (op->attributes[0].name) {
        take_attributes(op, given, dtype, inputs, a);
    }
    a->row = (struct expression_row){.n = count, .input = a->input};
}

void elementwise_from_truth(const struct bound_query *query, int64_t first, int count,
                            struct elementwise_arguments *a)
{
    const struct truth_output *out = &query->truth->output[0];
    elementwise_take(query->op, query->attributes, out->dtype, &out->sensitivity[first * out->sensitivities],
                     count, a);
}
