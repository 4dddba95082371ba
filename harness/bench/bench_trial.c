/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/bench_trial.h"

#include "harness/judge/judge.h"

#include <math.h>
#include <string.h>

const char *spoil_name(enum spoil spoil)
{
    static const char *const name[SPOILS] = {"as computed",   "scale N+8u",    "scale N+64u", "scale N+32u",
                                             "scale N+1000u", "TF32 operands", "wrong sign",  "-inf",
                                             "log + 1e-4",    "norm 1e-4"};
    return name[spoil];
}

void trial_close(struct trial *t)
{
    images_destroy(&t->images);
    program_truth_destroy(&t->truth);
    program_destroy(&t->program);
}

static bool trial_run(struct trial *t, const struct cpu_backend *cpu_backend, struct error *error)
{
    struct backend_run run = {.image = t->images.image, .result = &t->result};
    return cpu_backend->class->run(cpu_backend->backend, t->program, &run, error) &&
           (t->result.status == STEP_OK || error_set(error, "%s", t->result.message));
}

bool trial_open(struct trial *t, const struct problem *problem, const struct cpu_backend *cpu_backend,
                struct error *error)
{
    struct backend_info info;
    struct view judged[TRUTH_OUTPUTS_MAX];
    memset(t, 0, sizeof *t);
    t->program = problem_build(problem, error);
    if (!t->program || !program_truth_compute(t->program, NULL, &t->truth, error) ||
        !images_create(&t->images, t->program)) {
        return false;
    }
    cpu_backend->class->info(cpu_backend->backend, &info);
    t->profile = info.profile;
    t->tensor = step_judged(&t->program->step[0], judged) - 1;
    t->output = judged[t->tensor];
    images_fill(&t->images, t->program, 0);
    return trial_run(t, cpu_backend, error);
}

unsigned char *trial_element(const struct trial *t, int64_t i)
{
    return images_element(&t->images, &t->output, i);
}

const struct value *trial_truth(const struct trial *t, int64_t element)
{
    return truth_value(&t->truth.truth[0]->output[t->tensor], element);
}

struct bound_query trial_query(const struct trial *t, int64_t element)
{
    const struct step *step = &t->program->step[0];
    return (struct bound_query){.op = step->op,
                                .profile = &t->profile,
                                .attributes = &step->attributes,
                                .truth = t->truth.truth[0],
                                .output = t->tensor,
                                .element = element};
}

/* Rounds every operand to TF32's 11 bits and runs the CPU backend again. */
static bool spoil_operands(struct trial *t, const struct cpu_backend *cpu_backend, struct error *error)
{
    const struct step *step = &t->program->step[0];
    for (int i = 0; i < step->inputs; i++) {
        const struct view *view = &step->input[i];
        for (int64_t k = 0; view->storage >= 0 && k < shape_elements(&view->shape); k++) {
            unsigned char *at = images_element(&t->images, view, k);
            dtype_store(view->dtype, at, dtype_significant(dtype_load(view->dtype, at), 11, false));
        }
    }
    return trial_run(t, cpu_backend, error);
}

void trial_copy(const struct trial *t, const struct images *to, const struct images *from, int except)
{
    for (int s = 0; s < t->program->storages; s++) {
        if (s != except) {
            memcpy(to->image[s], from->image[s], t->program->storage[s].bytes + 2 * BACKEND_GUARD);
        }
    }
}

static void spoil_scale(struct trial *t, double units)
{
    double u = dtype_unit_roundoff(t->output.dtype);
    for (int64_t i = 0; i < shape_elements(&t->output.shape); i++) {
        struct bound_query query = trial_query(t, i);
        struct envelope_limit limit;
        op_envelope(&query, &limit);
        double truth = value_approximately(trial_truth(t, i));
        double got = dtype_load(t->output.dtype, trial_element(t, i));
        dtype_store(t->output.dtype, trial_element(t, i),
                    got + truth * units * u + copysign(limit.certain, truth));
    }
}

static double frobenius(const struct trial *t)
{
    double sum = 0;
    for (int64_t i = 0; i < shape_elements(&t->output.shape); i++) {
        double x = value_approximately(trial_truth(t, i));
        sum += x * x;
    }
    return sqrt(sum);
}

static void spoil_elements(struct trial *t, enum spoil spoil)
{
    double norm = spoil == SPOIL_NORMWISE ? frobenius(t) / sqrt((double)shape_elements(&t->output.shape)) : 0;
    bool sign_tensor =
        spoil == SPOIL_SIGN && t->program->step[0].op->outputs == 2; /* of slogdet: the first output */
    struct trial first = *t;
    if (sign_tensor) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        step_judged(&t->program->step[0], judged);
        first.output = judged[0];
    }
    for (int64_t i = 0; i < shape_elements(&t->output.shape); i++) {
        unsigned char *at = trial_element(&first, i);
        double x = dtype_load(t->output.dtype, at);
        struct bound_query query = trial_query(t, i);
        if (sign_tensor) {
            dtype_store(t->output.dtype, at, -x);
        } else if (spoil == SPOIL_SIGN && query.op->flipped_sign) {
            query.op->flipped_sign(&query, at);
        } else {
            dtype_store(t->output.dtype, at,
                        spoil == SPOIL_SINGULAR ? -INFINITY
                        : spoil == SPOIL_LOG    ? x + 1e-4 * fmax(1, fabs(x))
                                                : x + (i % 3 == 1 ? -1 : 1) * 1e-4 * norm);
        }
    }
}

bool trial_judge(const struct trial *t, struct record *record, struct error *error)
{
    struct judge_run run = {.images = &t->images, .result = &t->result};
    struct judge_request request = {
        .program = t->program, .truth = &t->truth, .profile = &t->profile, .runs = 1, .run = &run};
    memset(record, 0, sizeof *record);
    return judge(&request, record, error);
}

static double scale_units(enum spoil spoil)
{
    return spoil == SPOIL_SCALE_8 ? 8 : spoil == SPOIL_SCALE_32 ? 32 : spoil == SPOIL_SCALE_64 ? 64 : 1000;
}

bool trial_spoil(struct trial *t, enum spoil spoil, const struct images *computed,
                 const struct cpu_backend *cpu_backend, struct error *error)
{
    bool good = true;
    trial_copy(t, &t->images, computed, -1);
    if (spoil == SPOIL_TF32) {
        good = spoil_operands(t, cpu_backend, error);
        trial_copy(t, &t->images, computed, t->output.storage);
    } else if (spoil >= SPOIL_SCALE_8 && spoil <= SPOIL_SCALE_1000) {
        spoil_scale(t, scale_units(spoil));
    } else if (spoil != SPOIL_NONE) {
        spoil_elements(t, spoil);
    }
    return good;
}

bool trial_has_value(const struct trial *t, enum spoil spoil)
{
    const struct truth_output *out = &t->truth.truth[0]->output[t->tensor];
    bool scales = spoil >= SPOIL_SCALE_8 && spoil <= SPOIL_SCALE_1000;
    return !(scales || spoil == SPOIL_LOG) || out->value[0].class == VALUE_FINITE;
}
