/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/judge.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/judge/statistics/metrics.h"
#include "reference/base/memory.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/ops/elementwise/elementwise_views.h"
#include "reference/program/observed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 30, SMALL_INPUT = 16 };

static int print_component(enum dtype component, const void *from, char *text, size_t size)
{
    unsigned long long bits = (unsigned long long)dtype_bits(component, from);
    int hex = 2 * (int)dtype_info(component)->size;
    if (!dtype_is_floating(component)) {
        return snprintf(text, size, "%lld (0x%0*llx)", (long long)dtype_load_integer(component, from), hex,
                        bits);
    }
    static const int digits[DTYPE_COUNT] = {
        [DTYPE_FLOAT16] = 5, [DTYPE_BFLOAT16] = 4, [DTYPE_FLOAT32] = 9, [DTYPE_FLOAT64] = 17};
    return snprintf(text, size, "%.*g (0x%0*llx)", digits[component], dtype_load(component, from), hex, bits);
}

void explain_bits(enum dtype dtype, const void *element, char *text, size_t size)
{
    const struct dtype_info *info = dtype_info(dtype);
    int used = print_component(info->component, element, text, size);
    if (info->components == 2 && used > 0 && (size_t)used + 3 < size) {
        used += snprintf(text + used, size - (size_t)used, " + i ");
        print_component(info->component, (const unsigned char *)element + dtype_info(info->component)->size,
                        text + used, size - (size_t)used);
    }
}

/* As many decimal digits as are certain; one at least. */
static int digits_of(const struct value *truth, double radius)
{
    double size = fabs(value_approximately(truth)),
           digits = radius > 0 ? floor(portable_log10(size / radius)) : DIGITS;
    return digits >= DIGITS ? DIGITS : digits >= 1 ? (int)digits : 1;
}

static void print_truth(const struct explained *what, char *text, size_t size)
{
    value_print(&what->truth[0], digits_of(&what->truth[0], what->radius[0]), text, size);
    if (dtype_info(what->view.dtype)->components == 2) {
        size_t used = strlen(text);
        used += (size_t)snprintf(text + used, size - used, " + i ");
        value_print(&what->truth[1], digits_of(&what->truth[1], what->radius[1]), text + used, size - used);
    }
}

static void print_index(const struct shape *shape, int64_t element, char *text, size_t size)
{
    struct shape index = *shape;
    for (int d = shape->rank - 1; d >= 0; d--) {
        index.dim[d] = element % shape->dim[d];
        element /= shape->dim[d];
    }
    shape_print(&index, text, size);
}

/* Whether each output element has a block of the input's last dimensions to itself. */
static bool has_blocks(const struct shape *input, const struct shape *output)
{
    bool blocks = input->rank >= output->rank;
    for (int d = 0; blocks && d < output->rank; d++) {
        blocks = input->dim[d] == output->dim[d];
    }
    return blocks;
}

static void print_element(FILE *to, const struct program *program, const struct view *view, int64_t i)
{
    char text[160];
    explain_bits(view->dtype,
                 program->storage[view->storage].data +
                     (size_t)view_element(view, i) * dtype_info(view->dtype)->size,
                 text, sizeof text);
    fprintf(to, "%s", text);
}

/* The numbers that an element is made of, where they are views of the operands. */
static void print_views(FILE *to, const struct explained *what)
{
    const struct step *step = &what->program->step[0];
    struct tensor input[OPERANDS_MAX] = {0};
    struct elementwise_place place[ELEMENTWISE_OPERANDS];
    for (int k = 0; k < step->inputs; k++) {
        input[k].shape = step->input[k].shape;
    }
    const struct op_call call = {
        .op = step->op, .attributes = &step->attributes, .inputs = step->inputs, .input = input};
    elementwise_places(&call, &what->view.shape, what->element, place);
    for (int k = 0; k < elementwise_numbers(step->op); k++) {
        if (place[k].operand >= 0) {
            fprintf(to, "%sinput %d (%s) = ", k ? "; " : "", place[k].operand,
                    op_operand_name(step->op, step->inputs, place[k].operand));
            print_element(to, what->program, &step->input[place[k].operand], place[k].element);
        }
    }
}

/* The elements of one input that belong to an output element: the broadcast one, or its block (a small
 * matrix). */
static void print_input(FILE *to, const struct program *program, const struct view *view,
                        const struct shape *output, int64_t element)
{
    int64_t per = 1, first = 0, have = shape_elements(&view->shape), elements = shape_elements(output);
    if (shape_broadcasts(&view->shape, output)) {
        first = shape_broadcast_element(&view->shape, output, element);
    } else {
        per = elements && has_blocks(&view->shape, output) ? have / elements : 0;
        first = element * per;
    }
    if (per < 1 || per > SMALL_INPUT) {
        return;
    }
    for (int64_t i = first; i < first + per; i++) {
        fprintf(to, "%s", i > first ? ", " : "");
        print_element(to, program, view, i);
    }
}

/* Inputs are only known where the step is the program's first: later ones read what the device computed. */
static char *print_inputs(const struct explained *what)
{
    char *text = NULL;
    size_t size = 0;
    if (what->step != 0) {
        return NULL;
    }
    FILE *to = open_memstream(&text, &size);
    if (!to) {
        return memory_stream_text(to, &text);
    }
    const struct step *step = &what->program->step[0];
    bool views = step->op->row && step->op->row->views != VIEWS_OPERANDS;
    if (views) {
        print_views(to, what);
    }
    for (int i = 0; i < step->inputs && !views; i++) {
        if (step->input[i].storage >= 0) {
            fprintf(to, "%sinput %d (%s) = ", i ? "; " : "", i, op_operand_name(step->op, step->inputs, i));
            print_input(to, what->program, &step->input[i], &what->view.shape, what->element);
        }
    }
    if (!memory_stream_text(to, &text)) {
        return NULL;
    }
    if (strstr(text, "= ;")) { /* too large to show */
        free(text);
        text = NULL;
    } else if (size >= 2 && strcmp(text + size - 2, "= ") == 0) {
        free(text);
        text = NULL;
    }
    return text;
}

/* |got - truth| of a real element; NaN where either is no number. */
static double distance_from_truth(const struct explained *what)
{
    const struct dtype_info *info = dtype_info(what->view.dtype);
    const struct value *truth = what->truth;
    if (truth->class != VALUE_FINITE || info->components != 1) {
        return NAN;
    }
    double got = dtype_load(info->component, what->got);
    return isfinite(got) ? fabs(value_distance(truth, got)) : NAN;
}

void explain_envelope(const struct explained *what, FILE *to)
{
    const struct envelope_limit *limit = &what->limit;
    if (!what->accept.set[0].component[0].finite || !evidence_decides(&what->accept, limit) ||
        !isfinite(limit->certain)) {
        return;
    }
    double reach = envelope_limit_reach(limit), error = distance_from_truth(what);
    fprintf(to, "envelope: deviation S = %.4g, certain part N = %.4g, limit Q = 16 S + N = %.4g\n",
            limit->spread, limit->certain, reach);
    if (!isnan(error) && limit->spread > 0) {
        fprintf(to, "the error exceeds N by %.3g S; it is %.3g of the limit Q\n",
                fmax(0, error - limit->certain) / limit->spread, error / reach);
    } else if (!isnan(error) && reach > 0) {
        fprintf(to, "the error is %.3g of the limit Q\n", error / reach);
    }
}

void explained_take_truth(struct explained *what, const struct truth_output *output, int64_t at)
{
    int components = dtype_info(output->dtype)->components;
    for (int c = 0; c < components; c++) {
        what->truth[c] = output->value[at * components + c];
        what->radius[c] = output->radius ? output->radius[at * components + c] : 0;
    }
}

void explain_where(const struct program *program, int step, int judged, const struct shape *shape,
                   int64_t element, char where[EXPLAINED_WHERE])
{
    char link[STEP_TEXT + 2] = "", index[SHAPE_TEXT], name[JUDGED_TEXT];
    if (program->steps > 1) {
        program_print_step(program, step, link);
        strcat(link, program_is_observed(program) ? ": " : " ");
    }
    step_print_judged(&program->step[step], judged, name);
    print_index(shape, element, index, sizeof index);
    snprintf(where, EXPLAINED_WHERE, "%s%s %s", link, name, index);
}

void explain_element(const struct explained *what, struct record *record, FILE *detail)
{
    char where[EXPLAINED_WHERE], truth[256], got[256];
    explain_where(what->program, what->step, what->judged, &what->view.shape, what->element, where);
    print_truth(what, truth, sizeof truth);
    explain_bits(what->view.dtype, what->got, got, sizeof got);
    record->worst.index = what->element;
    free(record->worst.where);
    free(record->worst.inputs);
    free(record->worst.truth);
    free(record->worst.got);
    free(record->worst.whole);
    record->worst.whole = NULL;
    record->worst.where = memory_text(where);
    record->worst.inputs = print_inputs(what);
    record->worst.truth = memory_text(truth);
    record->worst.got = memory_text(got);
    record->worst.ulp = metrics_ulp_error(what->view.dtype, what->truth, what->got);
    record->worst.nu = what->verdict.error_over_bound;
    if (!detail) {
        return;
    }
    if (what->accept.set[0].component[0].finite) {
        bool rounded = what->accept.set[0].rule == RULE_ROUNDED;
        fprintf(detail, "the error bound is B = %.6g here%s\n", what->accept.set[0].radius,
                rounded ? ", around the truth rounded to nearest" : "");
    }
    explain_envelope(what, detail);
}

/* The operand of a step that a changed byte of a storage belongs to, and which of its elements. */
struct clobbered {
    int step, input;
    int64_t element;
};

/* False where the byte is no element of an operand that its step only reads. */
static bool find_operand(const struct clobber *clobber, const struct program *program,
                         struct clobbered *found)
{
    for (int s = 0; s < program->steps; s++) {
        const struct step *step = &program->step[s];
        for (int i = 0; i < step->inputs; i++) {
            const struct view *view = &step->input[i];
            const int64_t size = (int64_t)dtype_info(view->dtype)->size;
            if (view->storage != clobber->storage || op_mutates(step->op, step->inputs, i)) {
                continue;
            }
            for (int64_t e = 0; e < shape_elements(&view->shape); e++) {
                int64_t at = view_element(view, e) * size;
                if (clobber->byte >= at && clobber->byte < at + size) {
                    *found = (struct clobbered){.step = s, .input = i, .element = e};
                    return true;
                }
            }
        }
    }
    return false;
}

static void explain_operand(const struct clobber *clobber, const struct program *program,
                            const struct images *images, const struct clobbered *found, FILE *detail)
{
    const struct step *step = &program->step[found->step];
    const struct view *view = &step->input[found->input];
    const size_t size = dtype_info(view->dtype)->size;
    const unsigned char *sent =
        program->storage[view->storage].data + view_element(view, found->element) * (int64_t)size;
    char index[SHAPE_TEXT], before[160], after[160];
    print_index(&view->shape, found->element, index, sizeof index);
    explain_bits(view->dtype, sent, before, sizeof before);
    explain_bits(view->dtype, images_element(images, view, found->element), after, sizeof after);
    fprintf(
        detail,
        "an operand that is only read was overwritten, %lld byte(s) of its storage in all: input %d of step "
        "%d (%s), element %s, was %s and became %s\n",
        (long long)clobber->count, found->input, found->step, step->op->name, index, before, after);
}

void explain_clobber(const struct clobber *clobber, const struct program *program,
                     const struct images *images, FILE *detail)
{
    int64_t bytes = (int64_t)program->storage[clobber->storage].bytes;
    struct clobbered found;
    if (clobber->data && find_operand(clobber, program, &found)) {
        explain_operand(clobber, program, images, &found, detail);
        return;
    }
    const char *what = clobber->byte < 0        ? "the guard zone before"
                       : clobber->byte >= bytes ? "the guard zone behind"
                       : clobber->data          ? "an operand that must not change in"
                                                : "a gap of";
    fprintf(detail,
            "%lld byte(s) were written that belong to no result; the first lies in %s storage %d of %lld "
            "bytes, at byte "
            "%lld: 0x%02x became 0x%02x\n",
            (long long)clobber->count, what, clobber->storage, (long long)bytes, (long long)clobber->byte,
            clobber->before, clobber->after);
}
