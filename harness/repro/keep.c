/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Keeps the results that --bundle writes. */

#include "harness/exec/greeting.h"
#include "harness/host/environment.h"
#include "harness/repro/repro_parts.h"
#include "reports/records/fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- results */

static bool keep_truth(struct bundle_output *kept, const struct truth_output *output)
{
    int64_t components = output->elements * dtype_info(output->dtype)->components;
    *kept = (struct bundle_output){.dtype = output->dtype, .shape = output->shape};
    kept->truth = calloc((size_t)components + 1, sizeof(double));
    kept->tail = calloc((size_t)components + 1, sizeof(double));
    for (int64_t k = 0; kept->truth && kept->tail && k < components; k++) {
        const struct value *value = &output->value[k];
        kept->truth[k] = value_approximately(value);
        kept->tail[k] = ldexp(value->lo, value->exponent);
    }
    return kept->truth && kept->tail;
}

static bool keep_result(struct bundle_output *kept, const struct bound_query *query, const struct view *view,
                        const struct images *images)
{
    int64_t elements = query->truth->output[query->output].elements;
    kept->bound = calloc((size_t)elements + 1, sizeof(double));
    for (int64_t i = 0; kept->bound && i < elements; i++) {
        struct bound_query one = *query;
        struct accept accept;
        one.element = i;
        op_accept(&one, &accept);
        kept->bound[i] = accept.set[0].radius;
    }
    kept->answered = kept->bound != NULL;
    return kept->bound && tensor_gather(&kept->got, view, images->image[view->storage] + BACKEND_GUARD);
}

void repro_keep(struct repro *repro, const struct program *program, const struct program_truth *truth,
                const struct images *images, const struct profile *profile)
{
    const struct step *step = &program->step[0];
    struct view judged[TRUTH_OUTPUTS_MAX];
    int tensors = truth->truth[0] ? step_judged(step, judged) : 0;
    bool valued = images && repro_has_values(&repro->record), good = true;
    repro->kept = calloc(TRUTH_OUTPUTS_MAX, sizeof *repro->kept);
    repro->kept_count = 0;
    repro->profile = profile ? profile_of_operator(profile, step->op->name) : profile_ieee();
    for (int o = 0; repro->kept && good && o < tensors; o++) {
        struct bound_query query = {.op = step->op,
                                    .profile = &repro->profile,
                                    .attributes = &step->attributes,
                                    .truth = truth->truth[0],
                                    .output = o,
                                    .exact = step->exact};
        struct bundle_output *kept = &repro->kept[repro->kept_count++];
        good = keep_truth(kept, &truth->truth[0]->output[o]) &&
               (!valued || keep_result(kept, &query, &judged[o], images));
    }
    if (!repro->kept || !good) {
        snprintf(repro->unwritten, sizeof repro->unwritten, "out of memory for --bundle");
    }
}

void repro_keep_clear(struct repro *repro)
{
    for (int o = 0; o < repro->kept_count; o++) {
        free(repro->kept[o].truth);
        free(repro->kept[o].tail);
        free(repro->kept[o].bound);
        tensor_destroy(&repro->kept[o].got);
    }
    free(repro->kept);
    repro->kept = NULL;
    repro->kept_count = 0;
}

/* --- bundle.json */

json_t *repro_numbers_put(const int64_t *x, int count)
{
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        json_array_append_new(list, json_integer(x[k]));
    }
    return list;
}

json_t *repro_attributes_put(const struct attributes *attributes)
{
    json_t *object = json_object();
    for (int a = 0; a < attributes->count; a++) {
        const struct attribute *of = &attributes->item[a];
        if (of->assumed) {
            continue;
        }
        json_object_set_new(object, of->name,
                            of->type == ATTRIBUTE_REAL     ? field_real_put(of->real)
                            : of->type == ATTRIBUTE_BOOL   ? json_boolean(of->integer)
                            : of->type == ATTRIBUTE_CHOICE ? json_string(of->word)
                            : of->type == ATTRIBUTE_INTEGERS
                                ? repro_numbers_put(of->integers.item, of->integers.count)
                                : json_integer(of->integer));
    }
    return object;
}

/* Numbers the storages anew, in the order of the first operand in each. */
static int storage_of(const struct repro_inputs *inputs, int i)
{
    for (int j = 0; inputs->layout[i].given && j < i; j++) {
        if (inputs->layout[j].given && inputs->layout[j].storage == inputs->layout[i].storage) {
            return j;
        }
    }
    return i;
}

static json_t *input_put(const struct repro_inputs *inputs, int i)
{
    static const char *const origins[] = {
        [ORIGIN_UNDECLARED] = "undeclared", [ORIGIN_RANDOM] = "random", [ORIGIN_STRUCTURED] = "structured"};
    const struct tensor *tensor = &inputs->input[i];
    const struct repro_layout *layout = &inputs->layout[i];
    struct view view = problem_view(inputs, i);
    if (tensor_absent(tensor)) {
        return json_null();
    }
    int64_t bytes = layout->given ? layout->bytes : shape_bytes(&tensor->shape, tensor->dtype);
    return json_pack("{s:s, s:o, s:i, s:I, s:o, s:I, s:s, s:b}", "dtype", dtype_info(tensor->dtype)->name,
                     "shape", repro_numbers_put(tensor->shape.dim, tensor->shape.rank), "storage",
                     storage_of(inputs, i), "bytes", (json_int_t)bytes, "strides",
                     repro_numbers_put(view.stride, view.shape.rank), "offset", (json_int_t)view.offset,
                     "origin", origins[layout->origin], "filler", layout->filler);
}

static json_t *header_put(const struct repro *repro, const struct backend_info *info)
{
    struct record_header header = {.version = RECORD_VERSION, .seed = repro->setup.seed};
    environment_host(&header);
    if (info) {
        environment_device(&header, info);
    }
    char *text = record_header_format(&header);
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    record_header_clear(&header);
    return json ? json : json_object();
}

static json_t *member_or_null(const json_t *from, const char *name)
{
    json_t *value = json_object_get(from, name);
    return value ? json_incref(value) : json_null();
}

static json_t *verdict_put(const json_t *answer)
{
    static const char *const names[] = {"status", "rule", "reason", "diagnosis", "hypothesis"};
    json_t *verdict = json_object();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        json_object_set_new(verdict, names[n], member_or_null(answer, names[n]));
    }
    return verdict;
}

json_t *repro_keep_manifest(const struct repro *repro, const struct backend_info *info, const json_t *answer)
{
    json_t *inputs = json_array(), *outputs = json_array(), *shrunk = NULL;
    for (int i = 0; i < repro->inputs.inputs; i++) {
        json_array_append_new(inputs, input_put(&repro->inputs, i));
    }
    for (int o = 0; o < repro->kept_count; o++) {
        const struct bundle_output *kept = &repro->kept[o];
        json_array_append_new(outputs,
                              json_pack("{s:s, s:o, s:b}", "dtype", dtype_info(kept->dtype)->name, "shape",
                                        repro_numbers_put(kept->shape.dim, kept->shape.rank), "answered",
                                        kept->answered));
    }
    if (repro->shrunk) {
        shrunk = json_pack("{s:o, s:o}", "before", member_or_null(repro->shrunk, "before"), "after",
                           member_or_null(repro->shrunk, "after"));
    }
    bool declared = info && profile_summation(&info->profile, repro->op->name).kind == SUMMATION_DECLARED;
    return json_pack("{s:i, s:s, s:o, s:s, s:o, s:b, s:I, s:i, s:o, s:o, s:s, s:o, s:b, s:o, s:o, s:o}",
                     "assay_bundle", BUNDLE_VERSION, "replay",
                     "assay repro FILE, with -b BACKEND on another backend", "id",
                     repro->id ? json_string(repro->id) : json_null(), "op", repro->op->name, "attributes",
                     repro_attributes_put(&repro->attributes), "exact", repro->inputs.exact, "seed",
                     (json_int_t)repro->setup.seed, "repeat", repro->setup.repeat, "inputs", inputs,
                     "outputs", outputs, "backend", repro->setup.backend, "profile",
                     info ? greeting_profile_put(&info->profile, repro->op) : json_null(), "declared_order",
                     declared, "header", header_put(repro, info), "verdict", verdict_put(answer), "shrunk",
                     shrunk ? shrunk : json_null());
}

void repro_keep_write(struct repro *repro, const struct backend_info *info, json_t *answer)
{
    struct error error = {.text = ""};
    struct bundle bundle = {.problem = {repro->op, repro->attributes, repro->inputs},
                            .outputs = repro->kept_count};
    bundle.json = repro_keep_manifest(repro, info, answer);
    for (int o = 0; o < repro->kept_count; o++) {
        bundle.output[o] = repro->kept[o];
    }
    if (!bundle.json) {
        error_set(&error, "out of memory for --bundle %.400s", repro->files->bundle);
    }
    if (bundle.json && bundle_write(&bundle, repro->files->bundle, &error)) {
        json_object_set_new(answer, "bundle", json_string(repro->files->bundle));
    } else if (!repro->unwritten[0]) {
        memcpy(repro->unwritten, error.text, sizeof repro->unwritten);
    }
    json_decref(bundle.json);
}

/* After a crash the bundle holds the truth alone. */
void repro_keep_unanswered(struct repro *repro, json_t *answer)
{
    struct error error = {.text = ""};
    struct program_truth truth = {.steps = 0};
    struct program *program = suite_build(&repro->c, repro->setup.seed, &error);
    repro->unwritten[0] = '\0';
    if (program && program_truth_compute(program, NULL, &truth, &error)) {
        repro_keep(repro, program, &truth, NULL, NULL);
        repro_keep_write(repro, NULL, answer);
        repro_keep_clear(repro);
    } else {
        snprintf(repro->unwritten, sizeof repro->unwritten, "--bundle: %.400s", error.text);
    }
    if (repro->unwritten[0]) {
        json_object_set_new(answer, "unwritten", json_string(repro->unwritten));
    }
    program_truth_destroy(&truth);
    program_destroy(&program);
}
