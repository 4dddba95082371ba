/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A backend that returns the results of a bundle, for use where the bundle's own backend is not available.
 */

#include "harness/repro/repro_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct backend {
    const struct bundle *bundle;
};

struct backend *repro_recorded_open(const struct bundle *bundle)
{
    struct backend *backend = calloc(1, sizeof *backend);
    if (backend) {
        backend->bundle = bundle;
    }
    return backend;
}

static void close_recorded(struct backend **backend)
{
    free(*backend);
    *backend = NULL;
}

static void info(const struct backend *backend, struct backend_info *info)
{
    const struct bundle *bundle = backend->bundle;
    *info = (struct backend_info){.name = REPRO_RECORDED};
    snprintf(info->device, sizeof info->device, "%s", bundle_text(bundle, "header", "device"));
    snprintf(info->driver, sizeof info->driver, "%s", bundle_text(bundle, "header", "driver"));
    info->profile = bundle->profiled ? bundle->hello.profile : profile_ieee();
}

/* Returns true if a recorded result is one of the call; else says what it is and what the call gives. */
static bool fits(const struct bundle_output *output, const struct view *judged, int o, char *message,
                 size_t size)
{
    char is[SHAPE_TEXT], wanted[SHAPE_TEXT], text[2 * SHAPE_TEXT + 100];
    if (!output->answered) {
        snprintf(message, size, "result %d is not recorded: the backend gave no answer", o);
        return false;
    }
    shape_print(&output->shape, is, sizeof is);
    shape_print(&judged->shape, wanted, sizeof wanted);
    snprintf(text, sizeof text, "result %d is recorded as %s %s, this call gives %s %s", o,
             dtype_info(output->dtype)->name, is, dtype_info(judged->dtype)->name, wanted);
    snprintf(message, size, "%.200s", text);
    return output->dtype == judged->dtype && shape_equal(&output->shape, &judged->shape);
}

static bool run(struct backend *backend, const struct program *program, struct backend_run *run,
                struct error *error)
{
    const struct bundle *bundle = backend->bundle;
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = step_judged(&program->step[0], judged);
    char *message = run->result[0].message;
    const size_t size = sizeof run->result[0].message;
    bool there = true;
    (void)error;
    if (count != bundle->outputs) {
        snprintf(message, size, "%d result%s recorded, %s has %d to judge %.100s", bundle->outputs,
                 bundle->outputs == 1 ? " is" : "s are", program->step[0].op->name, count,
                 bundle_text(bundle, "verdict", "reason"));
        there = false;
    }
    for (int o = 0; there && o < count; o++) {
        there = fits(&bundle->output[o], &judged[o], o, message, size);
    }
    run->result[0].status = there ? STEP_OK : STEP_ERROR;
    for (int o = 0; there && o < count; o++) {
        tensor_scatter(&bundle->output[o].got, &judged[o], run->image[judged[o].storage] + BACKEND_GUARD);
    }
    return true;
}

const struct backend_class repro_recorded_class = {.name = REPRO_RECORDED,
                                                   .help = "the results of a bundle",
                                                   .open = NULL,
                                                   .close = close_recorded,
                                                   .info = info,
                                                   .run = run};

/* --- the bundle's truth */

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Compares truths. A truth that is not exact is certified to about 104 bits; its last bits depend on the
 * enclosure. */
static bool same_truth(const struct value *value, double truth, double tail)
{
    double lo = ldexp(value->lo, value->exponent);
    return same(value_approximately(value), truth) &&
           (same(lo, tail) || !isfinite(truth) || fabs(lo - tail) <= ldexp(fabs(truth), -98));
}

void repro_compare_truth(struct repro *repro, const struct program *program,
                         const struct program_truth *truth)
{
    const struct truth *own = truth->truth[0];
    const struct bundle *bundle = repro->recorded;
    (void)program;
    repro->reference[0] = '\0';
    if (!own || !bundle_has_truth(bundle)) { /* captures and --got have none */
        return;
    }
    if (own->outputs != bundle->outputs) {
        snprintf(repro->reference, sizeof repro->reference, "%d judged tensors here, %d in the bundle",
                 own->outputs, bundle->outputs);
    }
    for (int o = 0; o < own->outputs && !repro->reference[0]; o++) {
        const struct truth_output *mine = &own->output[o];
        const struct bundle_output *kept = &bundle->output[o];
        if (mine->dtype != kept->dtype || !shape_equal(&mine->shape, &kept->shape)) {
            snprintf(repro->reference, sizeof repro->reference, "output %d has another dtype or shape", o);
            return;
        }
        int64_t components = mine->elements * dtype_info(mine->dtype)->components;
        for (int64_t k = 0; k < components && !repro->reference[0]; k++) {
            if (!same_truth(&mine->value[k], kept->truth[k], kept->tail[k])) {
                snprintf(repro->reference, sizeof repro->reference,
                         "component %lld of output %d is %.17g here and %.17g in the bundle", (long long)k, o,
                         value_approximately(&mine->value[k]), kept->truth[k]);
            }
        }
    }
}
