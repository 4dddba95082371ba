/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/verification.h"
#include "harness/judge/judge.h"
#include "reference/base/memory.h"
#include "reference/program/observed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One step to be verified: its operands, its outputs and its truth. */
struct subject {
    const struct step *step;
    const struct truth *truth;
    struct profile profile;
    struct op_call call;
    struct tensor input[OPERANDS_MAX], got[TRUTH_OUTPUTS_MAX];
};

/* True if no later step has written to any of the step's outputs. */
static bool is_whole(const struct program *program, const struct ownership *ownership, int s)
{
    const struct step *step = &program->step[s];
    for (int o = 0; o < step->outputs; o++) {
        const struct view *view = &step->output[o];
        int64_t size = (int64_t)dtype_info(view->dtype)->size, mark = ownership_mark(ownership, s, o);
        bool undisputed = ownership_is_undisputed(ownership, view->storage, mark);
        for (int64_t i = 0; !undisputed && i < shape_elements(&view->shape); i++) {
            if (ownership_of(ownership, view->storage, view_element(view, i) * size) != mark) {
                return false;
            }
        }
    }
    return true;
}

static void subject_close(struct subject *subject)
{
    for (int i = 0; i < OPERANDS_MAX; i++) {
        tensor_destroy(&subject->input[i]);
    }
    for (int o = 0; o < TRUTH_OUTPUTS_MAX; o++) {
        tensor_destroy(&subject->got[o]);
    }
}

/* False if out of memory; subject_close must be called in either case. */
static bool subject_open(struct subject *subject, const struct program *program,
                         const struct program_truth *truth, const struct profile *profile,
                         const struct images *images, int s)
{
    const struct step *step = &program->step[s];
    memset(subject, 0, sizeof *subject);
    subject->step = step;
    subject->truth = truth->truth[s];
    subject->profile = profile_of_operator(profile, step->op->name);
    subject->call = (struct op_call){
        .op = step->op, .attributes = &step->attributes, .inputs = step->inputs, .input = subject->input};
    bool good = program_step_inputs(program, truth, s, subject->input);
    for (int o = 0; good && o < step->outputs; o++) {
        const struct view *view = &step->output[o];
        good = tensor_gather(&subject->got[o], view, images->image[view->storage] + BACKEND_GUARD);
    }
    return good;
}

static bool ask(const struct subject *subject, struct verification *found)
{
    const struct verification_query query = {
        .call = &subject->call, .profile = &subject->profile, .truth = subject->truth, .got = subject->got};
    *found = verification_none();
    return subject->step->op->verify(&query, found);
}

/* --- wrong results that must not pass */

enum wrong { WRONG_ZEROS, WRONG_DOUBLED, WRONG_ONE_MORE, WRONGS };

static const char *const wrong_name[WRONGS] = {"zeros", "twice the truth", "truth + 1"};

static int64_t components_of(const struct truth_output *output)
{
    return count_product(output->elements, dtype_info(output->dtype)->components);
}

static bool all_zero(const struct truth_output *output)
{
    for (int64_t k = 0; k < components_of(output); k++) {
        if (output->value[k].class != VALUE_FINITE || output->value[k].hi != 0) {
            return false;
        }
    }
    return true;
}

/* Writes the wrong result as the output's bytes; an output that is not verified gets the rounded truth. */
static void put_wrong(struct tensor *got, const struct truth_output *output, bool verified, enum wrong wrong)
{
    enum dtype component = dtype_info(output->dtype)->component;
    size_t size = dtype_info(component)->size;
    for (int64_t k = 0; k < components_of(output); k++) {
        struct value value = output->value[k];
        if (verified && wrong == WRONG_ZEROS) {
            value = value_of(0);
        } else if (verified && value.class == VALUE_FINITE) {
            double x = value_approximately(&value),
                   most = component == DTYPE_INT64 ? 0x1p62 : dtype_max(component);
            value = value_of(fmin(wrong == WRONG_DOUBLED ? 2 * x : x + 1, most));
        }
        value_store(&value, component, got->data + (size_t)k * size);
    }
}

/* True if the wrong result differs from the truth in the verified outputs: zeros in place of zeros do not. */
static bool is_wrong(const struct subject *subject, enum wrong wrong)
{
    bool zero = true;
    int64_t elements = 0;
    for (int o = 0; o < subject->truth->outputs; o++) {
        if (step_is_verified(subject->step, o)) {
            zero = zero && all_zero(&subject->truth->output[o]);
            elements += subject->truth->output[o].elements;
        }
    }
    return elements > 0 && (wrong == WRONG_ONE_MORE) == zero;
}

/* Sets *class to the name of a wrong result that passes. False if out of memory. */
static bool try_classes(struct subject *subject, const char **class)
{
    for (int w = 0; w < WRONGS && !*class; w++) {
        struct verification found;
        if (!is_wrong(subject, (enum wrong)w)) {
            continue;
        }
        for (int o = 0; o < subject->truth->outputs; o++) {
            put_wrong(&subject->got[o], &subject->truth->output[o], step_is_verified(subject->step, o),
                      (enum wrong)w);
        }
        if (!ask(subject, &found)) {
            return false;
        }
        *class = found.accepted ? wrong_name[w] : NULL;
    }
    return true;
}

/* --- steps and cases */

static bool step_needs_it(const struct program *program, const struct program_truth *truth,
                          const struct ownership *ownership, int s)
{
    return program->step[s].op->verify && truth->truth && truth->truth[s] && is_whole(program, ownership, s);
}

/* `first_counts`: the first refused step is the worst. */
static void take(struct verified *verified, const struct subject *subject, const struct verification *found,
                 int s, bool first_counts)
{
    double error_over_bound =
        found->accepted ? fmin(found->error_over_bound, 1) : fmax(found->error_over_bound, nextafter(1, 2));
    for (int o = 0; o < subject->truth->outputs; o++) {
        verified->elements += step_is_verified(subject->step, o) ? subject->truth->output[o].elements : 0;
    }
    verified->refused += found->accepted ? 0 : found->refused > 0 ? found->refused : 1;
    verified->resolution = fmin(verified->resolution, found->resolution); /* passes over NaN */
    verified->widest = fmax(verified->widest, found->resolution);
    const bool first = first_counts && verified->refused_steps > 0;
    if (!found->accepted && verified->refused_steps < VERIFIED_STEPS) {
        verified->refused_step[verified->refused_steps++] = s;
    }
    if (!verified->any || (!first && error_over_bound > verified->error_over_bound)) {
        verified->error_over_bound = error_over_bound;
        verified->worst = *found;
        verified->step = s;
    }
    verified->any = true;
}

bool verification_of_case(const struct program *program, const struct program_truth *truth,
                          const struct profile *profile, const struct images *images,
                          const struct ownership *ownership, bool classes, struct verified *verified)
{
    bool good = true;
    *verified =
        (struct verified){.worst = verification_none(), .resolution = (double)NAN, .widest = (double)NAN};
    for (int s = 0; good && s < program->steps; s++) {
        struct subject subject;
        struct verification found;
        if (!step_needs_it(program, truth, ownership, s)) {
            continue;
        }
        const char *class = NULL;
        good = subject_open(&subject, program, truth, profile, images, s) && ask(&subject, &found);
        if (good) {
            take(verified, &subject, &found, s, program_is_observed(program));
        }
        good = good && (!classes || !found.accepted || try_classes(&subject, &class));
        if (class && !verified->accepted_class) {
            verified->accepted_class = class;
            verified->accepted_step = s;
        }
        subject_close(&subject);
    }
    return good;
}

static void put_text(char **to, const char *text)
{
    free(*to);
    *to = memory_text(text);
}

void verification_show(const struct verified *verified, const struct program *program,
                       const struct program_truth *truth, const struct images *images, struct record *record)
{
    const struct verification *found = &verified->worst;
    const struct truth_output *output = &truth->truth[verified->step]->output[found->output];
    char where[EXPLAINED_WHERE], got[160], wanted[160];
    if (found->element < 0 || found->element >= output->elements) {
        return;
    }
    const struct view *view = &program->step[verified->step].output[found->output];
    explain_where(program, verified->step, found->output, &output->shape, found->element, where);
    explain_bits(output->dtype, images_element(images, view, found->element), got, sizeof got);
    value_print(truth_value(output, found->element), 30, wanted, sizeof wanted);
    record->worst.index = found->element;
    record->worst.ulp = (double)NAN;
    record->worst.nu = verified->error_over_bound;
    put_text(&record->worst.where, where);
    put_text(&record->worst.inputs, NULL);
    put_text(&record->worst.whole, found->rule ? found->rule : VERIFICATION_RULE);
    put_text(&record->worst.truth, found->wanted[0] ? found->wanted : wanted);
    put_text(&record->worst.got, found->got[0] ? found->got : got);
}

bool verification_find(const struct program *program, const struct program_truth *truth,
                       const struct images *images, const struct profile *profile, struct verified *verified)
{
    struct ownership ownership;
    bool good = ownership_create(&ownership, program, NULL) &&
                verification_of_case(program, truth, profile, images, &ownership, false, verified) &&
                verified->any;
    ownership_destroy(&ownership);
    return good;
}
