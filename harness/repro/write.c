/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/npy.h"
#include "harness/repro/drift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRUTH, TAIL, BOUND, GOT, ARRAYS };

static void file_name(const char *stem, int tensors, int judged, char *name, size_t size)
{
    if (tensors > 1) {
        snprintf(name, size, "%s-%d.npy", stem, judged);
    } else {
        snprintf(name, size, "%s.npy", stem);
    }
}

void repro_write_clear(const char *directory, const char *stem)
{
    for (int judged = -1; judged < TRUTH_OUTPUTS_MAX; judged++) {
        char name[160], path[4096];
        file_name(stem, judged < 0 ? 1 : 2, judged, name, sizeof name);
        if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) < sizeof path) {
            unlink(path);
        }
    }
}

static void write_array(struct drift *drift, const char *stem, int tensors, int judged, int components,
                        const struct shape *shape, const double *values)
{
    char name[160], path[4096];
    struct error error = {.text = ""};
    file_name(stem, tensors, judged, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", drift->files->output_dir, name);
    if (npy_write(path, components, shape, values, &error)) {
        json_array_append_new(drift->written, json_string(name));
    } else if (!drift->unwritten[0]) {
        memcpy(drift->unwritten, error.text, sizeof drift->unwritten);
    }
}

/* One number for each component, but one bound for each element. */
static void fill(const struct bound_query *query, const struct view *view, const struct images *images,
                 double *values[ARRAYS])
{
    const struct truth_output *output = &query->truth->output[query->output];
    const struct dtype_info *info = dtype_info(output->dtype);
    size_t size = dtype_info(info->component)->size;
    for (int64_t i = 0; i < output->elements; i++) {
        struct bound_query one = *query;
        struct accept accept;
        one.element = i;
        op_accept(&one, &accept);
        values[BOUND][i] = accept.set[0].radius;
        const unsigned char *bytes =
            images->image[view->storage] + BACKEND_GUARD + (size_t)view_element(view, i) * info->size;
        for (int c = 0; c < info->components; c++) {
            int64_t k = i * info->components + c;
            const struct value *truth = &output->value[k];
            values[TRUTH][k] = value_approximately(truth);
            values[TAIL][k] = ldexp(truth->lo, truth->exponent);
            values[GOT][k] = dtype_load(info->component, bytes + (size_t)c * size);
        }
    }
}

static void write_tensor(struct drift *drift, const struct bound_query *query, const struct view *view,
                         const struct images *images, int tensors)
{
    const struct truth_output *output = &query->truth->output[query->output];
    int components = dtype_info(output->dtype)->components;
    size_t count = (size_t)output->elements * (size_t)components;
    double *values[ARRAYS];
    bool good = true;
    for (int n = 0; n < ARRAYS; n++) {
        values[n] = calloc(count + 1, sizeof(double));
        good = good && values[n];
    }
    if (good) {
        fill(query, view, images, values);
    } else if (!drift->unwritten[0]) {
        snprintf(drift->unwritten, sizeof drift->unwritten, "out of memory for the files of --output-dir");
    }
    const char *const names[ARRAYS] = {"truth", "truth_tail", "bound", drift->got};
    for (int n = 0; good && n < ARRAYS; n++) {
        if (n == GOT ? repro_has_values(&drift->record) : drift->first) {
            write_array(drift, names[n], tensors, query->output, n == BOUND ? 1 : components, &output->shape,
                        values[n]);
        }
    }
    for (int n = 0; n < ARRAYS; n++) {
        free(values[n]);
    }
}

void repro_write(struct drift *drift, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile)
{
    const struct step *step = &program->step[0];
    struct view judged[TRUTH_OUTPUTS_MAX];
    int tensors = truth->truth[0] ? step_judged(step, judged) : 0;
    struct profile own = profile_of_operator(profile, step->op->name);
    for (int o = 0; o < tensors; o++) {
        struct bound_query query = {.op = step->op,
                                    .profile = &own,
                                    .attributes = &step->attributes,
                                    .truth = truth->truth[0],
                                    .output = o};
        write_tensor(drift, &query, &judged[o], images, tensors);
    }
}
