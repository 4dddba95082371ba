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

static bool run(struct backend *backend, const struct program *program, struct backend_run *run,
                struct error *error)
{
    const struct bundle *bundle = backend->bundle;
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = step_judged(&program->step[0], judged);
    bool there = count == bundle->outputs;
    (void)error;
    for (int o = 0; there && o < count; o++) {
        const struct bundle_output *output = &bundle->output[o];
        there = output->answered && output->dtype == judged[o].dtype &&
                shape_equal(&output->shape, &judged[o].shape);
    }
    run->result[0].status = there ? STEP_OK : STEP_ERROR;
    if (!there) {
        snprintf(run->result[0].message, sizeof run->result[0].message,
                 "the bundle holds no result that fits: %.100s", bundle_text(bundle, "verdict", "reason"));
    }
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
