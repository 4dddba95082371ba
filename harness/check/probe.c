/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/check/probe.h"
#include "harness/judge/judge.h"
#include "harness/judge/verification.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t SEED = 1;
enum { BUILDS_MAX = 400 };

static const double WIDE = 8, SHARE = 1.0 / 16;

void probe_destroy(struct probe *probe)
{
    if (probe->program) {
        images_destroy(&probe->images);
        program_truth_destroy(&probe->truth);
        program_destroy(&probe->program);
    }
    *probe = (struct probe){.program = NULL};
}

bool probe_make(struct probe *probe, struct program *program, const struct profile *profile)
{
    struct error error = {.text = ""};
    *probe = (struct probe){.program = program, .status = STEP_NOT_RUN};
    if (program) {
        program_adapt(program, profile);
    }
    if (!program || program->steps != 1 || !program_truth_compute(program, NULL, &probe->truth, &error) ||
        !images_create(&probe->images, program)) {
        probe_destroy(probe);
        return false;
    }
    return true;
}

enum step_status probe_ask(struct probe *probe, struct conversation *c, int run)
{
    images_fill(&probe->images, probe->program, run);
    c->return_storages = run == 1 && c->hello.return_storages;
    return probe->status = conversation_ask(c, probe->program, &probe->images, probe->message);
}

enum step_status probe_ask_repeated(struct probe *probe, struct conversation *c, int repeats)
{
    c->repeats = repeats;
    enum step_status status = probe_ask(probe, c, 0);
    c->repeats = 0;
    return status;
}

/* --- simple calls */

/* Returns true for zero, and for numbers whose squares, summed a few hundred times, stay in the range of
 * every format. */
static bool ordinary(double x)
{
    return x == 0 || (fabs(x) >= 0x1p-5 && fabs(x) <= 8);
}

/* Replaces other numbers by ordinary ones of the same sign. Operands must each have a storage of their own.
 */
static void make_ordinary(struct program *program)
{
    const struct step *step = &program->step[0];
    for (int i = 0; i < step->inputs; i++) {
        const struct view *view = &step->input[i];
        const struct dtype_info *info = dtype_info(view->dtype);
        size_t size = dtype_info(info->component)->size;
        if (view->storage < 0 || op_is_indices(step->op, step->inputs, i) ||
            !dtype_is_floating(view->dtype)) {
            continue;
        }
        int64_t components = shape_elements(&view->shape) * info->components;
        for (int64_t k = 0; k < components; k++) {
            unsigned char *at = program->storage[view->storage].data + (size_t)k * size;
            double x = dtype_load(info->component, at);
            if (!ordinary(x)) {
                dtype_store(info->component, at, copysign(1 + (double)(k * 37 % 64) / 32, x));
            }
        }
    }
}

/* Returns true if the truth is all finite and not all zero, so that a wrong answer shows. `much`: also
 * requires a leading operand of at least two dimensions, two rows and two columns. */
static bool tells(const struct probe *probe, bool much)
{
    const struct truth *truth = probe->truth.truth[0];
    const struct step *step = &probe->program->step[0];
    const struct shape *shape = &step->input[op_leading_input(step->op)].shape;
    int64_t elements = 0;
    bool nonzero = false;
    if (much && (shape->rank < 2 || shape->dim[0] < 2 || shape->dim[shape->rank - 1] < 2)) {
        return false;
    }
    for (int o = 0; truth && o < truth->outputs; o++) {
        const struct truth_output *output = &truth->output[o];
        elements += output->elements;
        for (int64_t k = 0; k < output->elements * dtype_info(output->dtype)->components; k++) {
            if (output->value[k].class != VALUE_FINITE) {
                return false;
            }
            nonzero = nonzero || output->value[k].hi != 0;
        }
    }
    return elements > 0 && nonzero;
}

static bool is_plain(const struct program *program)
{
    const struct step *step = &program->step[0];
    size_t bytes = 0;
    if (program->steps != 1 || step->expect != EXPECT_VALUE) {
        return false;
    }
    for (int s = 0; s < program->storages; s++) {
        bytes += program->storage[s].bytes;
    }
    for (int i = 0; i < step->inputs; i++) {
        for (int k = 0; k < i; k++) {
            if (step->input[i].storage >= 0 && step->input[i].storage == step->input[k].storage) {
                return false;
            }
        }
        int64_t elements = shape_elements(&step->input[i].shape);
        if (step->input[i].storage >= 0 && elements == 0) {
            return false;
        }
    }
    return bytes <= 16384;
}

/* Returns the step's attributes, with those that have a default at their default. */
static struct attributes at_defaults(const struct step *step)
{
    struct attributes given = {.count = 0};
    for (int a = 0; a < step->attributes.count; a++) {
        if (!op_has_default(step->op, step->attributes.item[a].name)) {
            given.item[given.count++] = step->attributes.item[a];
        }
    }
    op_default_attributes(step->op, step->input[op_leading_input(step->op)].dtype, &given);
    return given;
}

/* Builds call number *n among the usable cases of one level; counts *n down. */
static bool find_simple(struct probe *probe, const struct suite_list *list, const struct op *op,
                        enum dtype dtype, int *n, bool much, enum level level, const struct profile *profile)
{
    int builds = 0;
    for (int k = 0; k < suite_list_count(list) && builds < BUILDS_MAX; k++) {
        const struct suite_case *c = suite_list_at(list, k);
        struct error error = {.text = ""};
        if (c->op != op || c->dtype != dtype || c->procedure || c->level != level) {
            continue;
        }
        struct program *whole = suite_build(c, SEED, &error), *program = NULL;
        builds++;
        if (whole && is_plain(whole) && whole->step[0].op == op) {
            struct attributes attributes = at_defaults(&whole->step[0]);
            program = relayout(whole, RELAYOUT_CONTIGUOUS, &attributes);
            /* the defaults are not valid on this call */
            program = program ? program : relayout(whole, RELAYOUT_CONTIGUOUS, NULL);
        }
        if (whole) {
            program_destroy(&whole);
        }
        if (program) {
            make_ordinary(program);
        }
        if (probe_make(probe, program, profile)) {
            if (tells(probe, much) && (*n)-- == 0) {
                return true;
            }
            probe_destroy(probe);
        }
    }
    return false;
}

bool probe_simple(struct probe *probe, const struct suite_list *list, const struct op *op, enum dtype dtype,
                  int n, const struct profile *profile)
{
    for (int way = 0; way < 4; way++) {
        if (find_simple(probe, list, op, dtype, &n, way < 2, way % 2 ? LEVEL_STANDARD : LEVEL_SMOKE,
                        profile)) {
            return true;
        }
    }
    *probe = (struct probe){.program = NULL};
    return false;
}

/* --- answers */

/* Returns true if a finite number lies within WIDE times the error bound or SHARE times the greatest element.
 */
static bool is_near(const struct truth_output *output, int64_t e, const struct accept *accept,
                    const unsigned char *got)
{
    const struct dtype_info *info = dtype_info(output->dtype);
    double limit = SHARE * output->scale;
    for (int s = 0; s < accept->sets; s++) {
        limit = fmax(limit, WIDE * accept->set[s].radius);
    }
    for (int k = 0; k < info->components; k++) {
        const struct value *truth = &output->value[e * info->components + k];
        double x = dtype_load(info->component, got + (size_t)k * dtype_info(info->component)->size);
        if (truth->class != VALUE_FINITE || !isfinite(x) ||
            !(fabs(x - value_approximately(truth)) <= limit)) {
            return false;
        }
    }
    return dtype_is_floating(output->dtype);
}

static void describe(const struct probe *probe, int judged, int64_t e, const unsigned char *got, char *text,
                     size_t size)
{
    const struct truth_output *output = &probe->truth.truth[0]->output[judged];
    const struct dtype_info *info = dtype_info(output->dtype);
    char shape[SHAPE_TEXT], bits[96], truth[2][64] = {"", ""};
    for (int k = 0; k < info->components; k++) {
        value_print(&output->value[e * info->components + k], 6, truth[k], sizeof truth[k]);
    }
    explain_bits(output->dtype, got, bits, sizeof bits);
    shape_print(&output->shape, shape, sizeof shape);
    snprintf(text, size, "element %lld of result %d, %s, is %s; the truth is %s%s%s", (long long)e, judged,
             shape, bits, truth[0], truth[1][0] ? ", " : "", truth[1]);
}

bool probe_right(const struct probe *probe, const struct profile *declared, bool strict, char *text,
                 size_t size)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    const struct step *step = &probe->program->step[0];
    const struct profile own = profile_of_operator(declared, step->op->name), *profile = &own;
    int count = step_judged(step, judged);
    struct verified verified;
    if (step->op->verify &&
        verification_find(probe->program, &probe->truth, &probe->images, profile, &verified) &&
        !verified.worst.accepted) {
        snprintf(text, size, "%s", verified.worst.sentence);
        return false;
    }
    for (int j = 0; j < count && probe->truth.truth[0]; j++) {
        const struct truth_output *output = &probe->truth.truth[0]->output[j];
        struct bound_query query = {.op = step->op,
                                    .profile = profile,
                                    .attributes = &step->attributes,
                                    .truth = probe->truth.truth[0],
                                    .output = j};
        for (query.element = 0; query.element < output->elements; query.element++) {
            struct accept accept;
            const unsigned char *got = images_element(&probe->images, &judged[j], query.element);
            op_accept(&query, &accept);
            if (!accept.incomplete && !accept_judge(&accept, got).accepted &&
                !op_range_finding(&query, got) && (strict || !is_near(output, query.element, &accept, got))) {
                describe(probe, j, query.element, got, text, size);
                return false;
            }
        }
    }
    return true;
}

bool probe_alike(const struct probe *a, const struct probe *b)
{
    struct view judged[TRUTH_OUTPUTS_MAX], other[TRUTH_OUTPUTS_MAX];
    int count = step_judged(&a->program->step[0], judged);
    bool alike = count == step_judged(&b->program->step[0], other);
    for (int j = 0; alike && j < count; j++) {
        alike = judged[j].dtype == other[j].dtype && shape_equal(&judged[j].shape, &other[j].shape);
    }
    return alike;
}

bool probe_same(const struct probe *a, const struct probe *b, char *text, size_t size)
{
    struct view judged[TRUTH_OUTPUTS_MAX], other[TRUTH_OUTPUTS_MAX];
    int count = step_judged(&a->program->step[0], judged);
    step_judged(&b->program->step[0], other);
    for (int j = 0; j < count; j++) {
        for (int64_t e = 0; e < shape_elements(&judged[j].shape); e++) {
            const unsigned char *x = images_element(&a->images, &judged[j], e),
                                *y = images_element(&b->images, &other[j], e);
            if (!same_number(judged[j].dtype, x, y)) {
                char bits[2][96];
                explain_bits(judged[j].dtype, x, bits[0], sizeof bits[0]);
                explain_bits(judged[j].dtype, y, bits[1], sizeof bits[1]);
                snprintf(text, size, "element %lld of result %d was %s, then %s", (long long)e, j, bits[0],
                         bits[1]);
                return false;
            }
        }
    }
    return true;
}

bool probe_unwritten(const struct probe *probe)
{
    const struct step *step = &probe->program->step[0];
    struct images sent;
    bool same = op_writes(step->op) && images_create(&sent, probe->program);
    if (!same) {
        return false;
    }
    images_fill(&sent, probe->program, 0);
    for (int i = 0; i < step->inputs; i++) {
        int s = op_mutates(step->op, step->inputs, i) ? step->input[i].storage : -1;
        same = same && (s < 0 || memcmp(sent.image[s], probe->images.image[s],
                                        probe->program->storage[s].bytes + BACKEND_GUARD) == 0);
    }
    images_destroy(&sent);
    return same;
}
