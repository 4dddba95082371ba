/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/forms.h"

#include "reference/bound_memo.h"
#include "reference/test/form_arithmetic.h"
#include "reference/test/support.h"
#include "reference/value_run.h"

#include <stdio.h>

enum { KINDS = 10, DTYPES = 4 };
static const enum dtype dtypes[DTYPES] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

/* --- inputs */

static double normal(struct philox *g)
{
    const double size = sqrt(-2 * log(1 - philox_unit(g)));
    return size * cos(2 * M_PI * philox_unit(g));
}

static double signed_power(struct philox *g, double low, double high) /* ±2^e, e uniform */
{
    const double size = exp2(low + (high - low) * philox_unit(g));
    return philox_next(g) & 1 ? size : -size;
}

/* A few units in the last place beside one of the places where formulas change. */
static double beside(struct philox *g, enum dtype dtype, double place)
{
    return place + ((int)philox_below(g, 7) - 3) * dtype_ulp(dtype, place);
}

static double draw(struct philox *g, enum dtype dtype, int kind)
{
    static const double kinks[] = {0, 0.5, 1, 1.5, 2, 3, 6, 10, 20, 89, 0.7, 1.7};
    static const double specials[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0.5, -3, 3};
    const struct dtype_info *info = dtype_info(dtype);
    const double sign = philox_next(g) & 1 ? 1 : -1, least = dtype_least_normal(dtype),
                 most = dtype_max(dtype);
    switch (kind) {
    case 0: /* uniform */
        return 8 * philox_signed(g);
    case 1:
        return normal(g);
    case 2: /* log-uniform */
        return signed_power(g, -12, 12);
    case 3: /* near zero */
        return signed_power(g, -info->precision - 4, -4);
    case 4: /* near kinks */
        return sign * beside(g, dtype, kinks[philox_below(g, sizeof kinks / sizeof *kinks)]);
    case 5: /* tiny */
        return signed_power(g, info->emin, info->emin + info->precision + 2.0);
    case 6: /* huge */
        return signed_power(g, info->emax - info->precision, info->emax + 0.9);
    case 7: /* subnormal */
        return least * philox_signed(g);
    case 8: /* special values */
        return philox_below(g, 8) == 0 ? sign * (philox_next(g) & 1 ? most : least)
                                       : specials[philox_below(g, sizeof specials / sizeof *specials)];
    default: /* near one and near midpoints: few digits, of which products and sums end in halves */
        return philox_next(g) & 1 ? sign * beside(g, dtype, 1)
                                  : sign * (1 + 2 * philox_below(g, 512)) / exp2(philox_below(g, 14));
    }
}

static double into_domain(enum form_domain domain, enum dtype dtype, double x)
{
    const double size = fabs(x), inside = size > 1 ? 1 / size : size;
    switch (domain) {
    case DOMAIN_UNIT:
        return inside;
    case DOMAIN_SIGNED_UNIT:
        return size > 1 ? 1 / x : x;
    case DOMAIN_POSITIVE:
        return size;
    case DOMAIN_ABOVE_ONE:
        return size < 1 ? 1 / size : size;
    case DOMAIN_INSIDE:
        return fmin(fmax(inside, 0x1p-20), 1 - 0x1p-8);
    case DOMAIN_LOGARITHM:
        return -fmod(size, 60);
    case DOMAIN_BELOW_END:
        return size > dtype_max(dtype) / 4 && !isinf(x) ? x / 4 : x;
    case DOMAIN_MODERATE:
        return isinf(x) ? x : fmod(x, 1024);
    case DOMAIN_WEIGHT:
        return isinf(x) ? size : fmod(size, 1024);
    case DOMAIN_ANY:
        break;
    }
    return x;
}

/* Kind k of the operands of one element: an operand is of that kind or normal, or lies beside the one before
 * it. */
static void draw_element(const struct forms *f, int operands, enum dtype dtype, int kind, struct philox *g,
                         double *x)
{
    const int chosen = (int)philox_below(g, (uint32_t)operands);
    for (int k = 0; k < operands; k++) {
        const bool own = k == chosen || philox_next(g) & 1;
        x[k] = draw(g, dtype, own ? kind : 1);
        if (k > 0 && isfinite(x[k - 1]) && philox_below(g, 6) == 0) {
            x[k] = beside(g, dtype, x[k - 1]) * (philox_next(g) & 1 ? 1 : 1 + 0.01 * normal(g));
        }
        x[k] = form_round(dtype, into_domain(f->domain[k], dtype, x[k]));
    }
}

/* --- calls */

struct bench {
    const struct forms *forms;
    const struct op *op;
    enum dtype dtype;
    struct attributes attributes;
    int operands, elements;
    double *x; /* those of an element beside one another */
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
    struct expression_input inputs[FORM_OPERANDS + ATTRIBUTES_MAX + 1];
    int count = 0, next = 0;
    for (int k = 0; k < b->operands; k++) {
        const char *own = op_operand_name(b->op, b->operands, k);
        const bool grad = strcmp(own, "grad_output") == 0, weight = strcmp(own, "pos_weight") == 0;
        inputs[count++] = (struct expression_input){grad     ? "grad"
                                                    : weight ? own
                                                             : plain[next++],
                                                    EXPRESSION_ELEMENT};
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

static struct bench begin(const struct forms *f, enum dtype dtype, int each)
{
    struct bench b = {.forms = f, .op = op_find(f->op), .dtype = dtype, .elements = KINDS * each};
    cr_assert_not_null(b.op, "%s", f->op);
    b.operands = op_inputs_max(b.op);
    b.attributes = attributes_of(b.op, f->attributes);
    b.x = malloc((size_t)b.elements * (size_t)b.operands * sizeof *b.x);
    cr_assert_not_null(b.x);
    struct philox g;
    philox_start(&g, 1 + (uint64_t)dtype);
    for (int i = 0; i < b.elements; i++) {
        draw_element(f, b.operands, dtype, i % KINDS, &g, &b.x[(size_t)i * (size_t)b.operands]);
    }
    const struct shape shape = shape_of(1, (int64_t)b.elements);
    double *column = malloc((size_t)b.elements * sizeof *column);
    cr_assert_not_null(column);
    for (int k = 0; k < b.operands; k++) {
        for (int i = 0; i < b.elements; i++) {
            column[i] = b.x[i * b.operands + k];
        }
        b.input[k] = tensor_from(dtype, shape, column);
    }
    free(column);
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

/* What came of one form in one dtype. */
struct found {
    int refused, naive; /* naive: of those, the ones whose evaluation left the range */
    int unexcused;      /* refused under the profile that makes the form legal, or no finding there */
    double nu;          /* the greatest error over bound */
    char worst[200];    /* the first one that must not be refused */
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

/* Judges one result, by a truth that is certified where it would be refused. */
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

static void describe(const struct bench *b, const struct form *form, int element, double got, double nu,
                     struct found *found)
{
    char operands[120] = "";
    for (int k = 0, used = 0; k < b->operands && used < 100; k++) {
        used += snprintf(operands + used, sizeof operands - (size_t)used, " %.9g",
                         b->x[element * b->operands + k]);
    }
    const struct value truth = truth_output_value(&b->truth->output[0], element);
    snprintf(found->worst, sizeof found->worst, "at%s: %.9g, truth %.9g, error/bound %.3g", operands, got,
             value_approximately(&truth), nu);
    (void)form;
}

/* Judges all forms at one element. */
static void judge_element(const struct bench *b, struct expression *const *parsed, int element,
                          const struct profile *strict, const struct profile *const *own, struct found *found)
{
    struct accept accept, excused;
    struct bound_query query = {
        .op = b->op, .profile = strict, .attributes = &b->attributes, .truth = b->truth, .element = element};
    double input[FORM_OPERANDS + ATTRIBUTES_MAX];
    int count = 0;
    for (; count < b->operands; count++) {
        input[count] = b->x[element * b->operands + count];
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
            found[f].nu = verdict.accepted || !left ? fmax(found[f].nu, verdict.nu) : found[f].nu;
            found[f].refused += !verdict.accepted;
            found[f].naive += !verdict.accepted && left;
            if (!verdict.accepted && own[f]) {
                struct bound_query other = query;
                other.profile = own[f];
                op_accept(&other, &excused);
                must = !judge(b, &other, &excused, got).accepted && !op_range_finding(&other);
            }
            found[f].unexcused += must;
            if (must && !found[f].worst[0]) {
                describe(b, &b->forms->form[f], element, got, verdict.nu, &found[f]);
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
    for (int i = 0; i < b.elements; i++) {
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
            struct found found[FORMS_MOST] = {{.nu = 0}};
            judge_forms(&table[r], dtypes[d], each, found);
            for (int f = 0; f < FORMS_MOST && table[r].form[f].formula; f++) {
                const struct form *form = &table[r].form[f];
                refused[f] += found[f].refused;
                naive[f] += found[f].naive;
                cr_log_info("%s %s, %s, %s: error/bound %.3g, refused %d (left the range %d)", table[r].op,
                            table[r].attributes ? table[r].attributes : "", dtype_info(dtypes[d])->name,
                            form->formula, found[f].nu, found[f].refused, found[f].naive);
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
