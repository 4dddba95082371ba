/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/elementwise/test/forms.h"

#include "reference/operator/bound_memo.h"
#include "reference/operator/value_batch.h"
#include "reference/ops/elementwise/test/form_arithmetic.h"
#include "reference/ops/elementwise/test/form_inputs.h"
#include "reference/test/support.h"

#include <stdio.h>

enum { DTYPES = 4 };
static const enum dtype dtypes[DTYPES] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

/* --- calls */

struct bench {
    const struct forms *forms;
    const struct op *op;
    enum dtype dtype;
    struct attributes attributes;
    int operands, elements;
    int numbers; /* numbers of an element: one of each operand, or both halves of the last one */
    int results; /* elements of the result: twice as many where each half has a gradient of its own */
    double *x;   /* the numbers of an element, side by side */
    struct tensor input[FORM_OPERANDS];
    struct truth *truth;
};

/* "alpha=1.7 reduction=none" */
static struct attributes attributes_of(const struct op *op, const char *text)
{
    struct attributes all = {.count = 0};
    char name[64], word[64];
    for (int used = 0; text && sscanf(text, " %63[^=]=%63s%n", name, word, &used) == 2; text += used) {
        const struct op_attribute *declared = op_attribute_named(op, name);
        const struct op_choice *choice = op_choice_named(op, name, word);
        cr_assert_not_null(declared, "%s has no attribute %s", op->name, name);
        struct attribute *a = &all.item[all.count++];
        a->name = declared->name;
        a->type = choice                             ? ATTRIBUTE_CHOICE
                  : declared->type == ATTRIBUTE_BOOL ? ATTRIBUTE_BOOL
                                                     : ATTRIBUTE_REAL;
        a->integer = choice ? choice->number : strcmp(word, "true") == 0;
        a->real = choice || declared->type == ATTRIBUTE_BOOL ? 0 : strtod(word, NULL);
        a->word = choice ? choice->word : NULL;
    }
    return all;
}

/* The names of a formula: operands, then attributes that are numbers. */
static struct expression *parse(const struct bench *b, const char *formula)
{
    static const char *const plain[] = {"x", "y", "z", "u"};
    struct expression_input inputs[FORM_OPERANDS + 1 + ATTRIBUTES_MAX + 1];
    int count = 0, next = 0;
    for (int k = 0; k < b->numbers; k++) {
        const char *own = k < b->operands ? op_operand_name(b->op, b->operands, k) : "";
        const bool grad = strcmp(own, "grad_output") == 0, weight = strcmp(own, "pos_weight") == 0;
        inputs[count++] = (struct expression_input){grad     ? "grad"
                                                    : weight ? own
                                                             : plain[next++],
                                                    EXPRESSION_ELEMENT};
    }
    if (b->results > b->elements) {
        inputs[count++] = (struct expression_input){"half", EXPRESSION_ELEMENT};
    }
    for (int a = 0; a < ATTRIBUTES_MAX && b->op->attributes[a].name; a++) {
        if (b->op->attributes[a].type != ATTRIBUTE_CHOICE) {
            inputs[count++] = (struct expression_input){b->op->attributes[a].name, EXPRESSION_ATTRIBUTE};
        }
    }
    inputs[count] = (struct expression_input){.name = NULL};
    struct error error = {.text = ""};
    struct expression *e = expression_parse(formula, inputs, &error);
    cr_assert_not_null(e, "%s: %s: %s", b->op->name, formula, error.text);
    return e;
}

/* One operand of all elements: of VIEWS_HALVES the last one has the elements' x, then their y; of
 * VIEWS_CHANNELS the elements are channels, and the last operand has a number for each. */
static struct tensor operand_of(const struct bench *b, int k)
{
    const enum elementwise_views views = b->forms->views;
    const bool last = k == b->operands - 1;
    const int halves = views == VIEWS_HALVES && last ? 2 : 1;
    double *column = malloc((size_t)(halves * b->elements) * sizeof *column);
    cr_assert_not_null(column);
    for (int i = 0; i < halves * b->elements; i++) {
        column[i] = b->x[i % b->elements * b->numbers + k + i / b->elements];
    }
    const struct shape shape = views == VIEWS_CHANNELS && !last
                                   ? shape_of(2, (int64_t)1, (int64_t)b->elements)
                                   : shape_of(1, (int64_t)(halves * b->elements));
    const struct tensor operand = tensor_from(b->dtype, shape, column);
    free(column);
    return operand;
}

static struct bench begin(const struct forms *f, enum dtype dtype, int each)
{
    struct bench b = {.forms = f, .op = op_find(f->op), .dtype = dtype, .elements = FORM_KINDS * each};
    cr_assert_not_null(b.op, "%s", f->op);
    b.operands = op_inputs_max(b.op);
    b.numbers = b.operands + (f->views == VIEWS_HALVES);
    b.results = f->views == VIEWS_HALVES && b.operands == 2 ? 2 * b.elements : b.elements;
    b.attributes = attributes_of(b.op, f->attributes);
    b.x = malloc((size_t)b.elements * (size_t)b.numbers * sizeof *b.x);
    cr_assert_not_null(b.x);
    struct philox g;
    philox_start(&g, 1 + (uint64_t)dtype);
    for (int i = 0; i < b.elements; i++) {
        form_draw(f, b.numbers, dtype, i % FORM_KINDS, &g, &b.x[(size_t)i * (size_t)b.numbers]);
    }
    for (int k = 0; k < b.operands; k++) {
        b.input[k] = operand_of(&b, k);
    }
    b.truth = any_truth_of_call(f->op, &b.attributes, b.operands, b.input, true);
    return b;
}

static void end(struct bench *b)
{
    truth_destroy(&b->truth);
    for (int k = 0; k < b->operands; k++) {
        tensor_destroy(&b->input[k]);
    }
    free(b->x);
}

/* --- judgement */

/* The outcome of one form in one dtype. */
struct found {
    int refused, naive; /* naive: those whose evaluation left the range */
    int unexcused;      /* refused under the profile that makes the form legal, or accepted without a finding
                           there */
    double error_over_bound; /* the greatest error over bound */
    char worst[200];         /* the first result that was refused wrongly */
};

static struct profile profile_for(enum form_status status, const char *op)
{
    static const char *names[2];
    struct profile profile = profile_ieee();
    names[0] = op;
    profile.naive_range = status == FORM_NAIVE || status == FORM_DOCUMENTED ? names : NULL;
    profile.documented = status == FORM_DOCUMENTED ? names : NULL;
    return profile_of_operator(&profile, op);
}

static void certify(const struct bench *b, int element)
{
    struct truth_output *out = &b->truth->output[0];
    if (out->radius && out->radius[element] > 0 && b->op->certify) {
        struct error error = {.text = ""};
        const struct op_call call = {.op = b->op,
                                     .attributes = &b->attributes,
                                     .inputs = b->operands,
                                     .input = b->input,
                                     .enclosed = true};
        cr_assert(b->op->certify(&call, b->truth, 0, element, &error), "%s", error.text);
    }
}

/* Judges one result; the truth is certified first if the result would be refused. */
static struct accept_verdict judge(const struct bench *b, const struct bound_query *query,
                                   struct accept *accept, double got)
{
    unsigned char bytes[8];
    dtype_store(b->dtype, bytes, got);
    struct accept_verdict verdict = accept_judge(accept, bytes);
    if (!verdict.accepted) {
        certify(b, (int)query->element);
        op_accept(query, accept);
        verdict = accept_judge(accept, bytes);
    }
    return verdict;
}

static void describe(const struct bench *b, const struct form *form, int element, double got,
                     double error_over_bound, struct found *found)
{
    char operands[120] = "";
    for (int k = 0, used = 0; k < b->numbers && used < 100; k++) {
        used += snprintf(operands + used, sizeof operands - (size_t)used, " %.9g",
                         b->x[element % b->elements * b->numbers + k]);
    }
    const struct value truth = truth_output_value(&b->truth->output[0], element);
    snprintf(found->worst, sizeof found->worst, "at%s: %.9g, truth %.9g, error/bound %.3g", operands, got,
             value_approximately(&truth), error_over_bound);
    (void)form;
}

/* Judges all forms at one element. */
static void judge_element(const struct bench *b, struct expression *const *parsed, int element,
                          const struct profile *strict, const struct profile *const *own, struct found *found)
{
    struct accept accept, excused;
    struct bound_query query = {
        .op = b->op, .profile = strict, .attributes = &b->attributes, .truth = b->truth, .element = element};
    double input[FORM_OPERANDS + 1 + ATTRIBUTES_MAX];
    int count = 0;
    for (; count < b->numbers; count++) {
        input[count] = b->x[element % b->elements * b->numbers + count];
    }
    if (b->results > b->elements) {
        input[count++] = element / b->elements;
    }
    struct attributes all = b->attributes;
    op_default_attributes(b->op, b->dtype, &all);
    for (int a = 0; a < ATTRIBUTES_MAX && b->op->attributes[a].name; a++) {
        if (b->op->attributes[a].type != ATTRIBUTE_CHOICE) {
            input[count++] = form_round(b->dtype, attributes_real(&all, b->op->attributes[a].name, 0));
        }
    }
    op_accept(&query, &accept);
    for (int f = 0; f < FORMS_MOST && parsed[f]; f++) {
        const enum form_status status = b->forms->form[f].status;
        for (int fused = 0; fused < 2; fused++) {
            bool left = false;
            const double got = form_evaluate(parsed[f], b->dtype, input, fused, &left);
            struct accept_verdict verdict = judge(b, &query, &accept, got);
            bool must = !verdict.accepted && !(left && (status == FORM_NAIVE || status == FORM_OVERFLOWS));
            found[f].error_over_bound = verdict.accepted || !left
                                            ? fmax(found[f].error_over_bound, verdict.error_over_bound)
                                            : found[f].error_over_bound;
            found[f].refused += !verdict.accepted;
            found[f].naive += !verdict.accepted && left;
            if (!verdict.accepted && own[f]) {
                struct bound_query other = query;
                other.profile = own[f];
                op_accept(&other, &excused);
                must = !judge(b, &other, &excused, got).accepted && !op_range_finding(&other, NULL);
            }
            found[f].unexcused += must;
            if (must && !found[f].worst[0]) {
                describe(b, &b->forms->form[f], element, got, verdict.error_over_bound, &found[f]);
            }
        }
    }
}

static void judge_forms(const struct forms *forms, enum dtype dtype, int each, struct found *found)
{
    struct bench b = begin(forms, dtype, each);
    struct expression *parsed[FORMS_MOST] = {NULL};
    struct profile profiles[FORMS_MOST], strict = profile_for(FORM_LEGAL, forms->op);
    const struct profile *own[FORMS_MOST] = {NULL};
    for (int f = 0; f < FORMS_MOST && forms->form[f].formula; f++) {
        const enum form_status status = forms->form[f].status;
        parsed[f] = parse(&b, forms->form[f].formula);
        profiles[f] = profile_for(status, forms->op);
        own[f] = status == FORM_NAIVE || status == FORM_DOCUMENTED ? &profiles[f] : NULL;
    }
    for (int i = 0; i < b.results; i++) {
        judge_element(&b, parsed, i, &strict, own, found);
    }
    for (int f = 0; f < FORMS_MOST; f++) {
        expression_destroy(&parsed[f]);
    }
    end(&b);
}

void forms_judge(const struct forms *table, size_t count, int each)
{
    for (size_t r = 0; r < count; r++) {
        int refused[FORMS_MOST] = {0}, naive[FORMS_MOST] = {0};
        for (int d = 0; d < DTYPES; d++) {
            struct found found[FORMS_MOST] = {{.error_over_bound = 0}};
            judge_forms(&table[r], dtypes[d], each, found);
            for (int f = 0; f < FORMS_MOST && table[r].form[f].formula; f++) {
                const struct form *form = &table[r].form[f];
                refused[f] += found[f].refused;
                naive[f] += found[f].naive;
                cr_log_info("%s %s, %s, %s: error/bound %.3g, refused %d (left the range %d)", table[r].op,
                            table[r].attributes ? table[r].attributes : "", dtype_info(dtypes[d])->name,
                            form->formula, found[f].error_over_bound, found[f].refused, found[f].naive);
                cr_expect(form->status == FORM_REFUSED || found[f].unexcused == 0,
                          "%s %s, %s, %s: %d refused, %s", table[r].op,
                          table[r].attributes ? table[r].attributes : "", dtype_info(dtypes[d])->name,
                          form->formula, found[f].unexcused, found[f].worst);
            }
        }
        for (int f = 0; f < FORMS_MOST && table[r].form[f].formula; f++) {
            const enum form_status status = table[r].form[f].status;
            const int count_of = status == FORM_NAIVE || status == FORM_OVERFLOWS ? naive[f] : refused[f];
            cr_expect((status == FORM_LEGAL) == (count_of == 0), "%s, %s: %d results refused", table[r].op,
                      table[r].form[f].formula, count_of);
        }
    }
}
