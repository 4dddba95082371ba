/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/npy_pack.h"
#include "harness/host/environment.h"
#include "harness/host/output.h"
#include "harness/repro/repro_child.h"
#include "harness/repro/repro_parts.h"
#include "harness/repro/repro_trials.h"
#include "harness/shrink/shrink.h"
#include "reference/base/memory.h"
#include "reports/records/fields.h"
#include "reports/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL = 16 /* operands up to this number of elements are printed */, PATH_SIZE = 1200 };

/* Writes a component as "0.5 (0x3f000000)": with as many digits as identify it, at most 17. */
static void component_text(enum dtype component, const unsigned char *at, char *text, size_t size)
{
    int hex = 2 * (int)dtype_info(component)->size, used = 0;
    if (dtype_is_floating(component)) {
        double x = dtype_load(component, at);
        bool whole = fabs(x) < 1e15 && x == trunc(x);
        used = whole ? snprintf(text, size, "%.0f", x) : 0;
        for (int digits = 1; !whole && digits <= 17; digits++) {
            used = snprintf(text, size, "%.*g", digits, x);
            if (strtod(text, NULL) == x || isnan(x)) {
                break;
            }
        }
    } else {
        used = snprintf(text, size, "%" PRId64, dtype_load_integer(component, at));
    }
    snprintf(text + used, size - (size_t)used, " (0x%0*" PRIx64 ")", hex, dtype_bits(component, at));
}

static json_t *values_put(const struct tensor *tensor)
{
    const struct dtype_info *info = dtype_info(tensor->dtype);
    int64_t components = shape_elements(&tensor->shape) * info->components;
    json_t *list = json_array();
    for (int64_t k = 0; k < components; k++) {
        char text[64];
        component_text(info->component, tensor->data + (size_t)k * dtype_info(info->component)->size, text,
                       sizeof text);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

static json_t *inputs_put(const struct problem *problem)
{
    json_t *list = json_array();
    for (int i = 0; i < problem->inputs.inputs; i++) {
        const struct tensor *tensor = &problem->inputs.input[i];
        if (tensor_absent(tensor)) {
            json_array_append_new(list, json_null());
            continue;
        }
        struct view view = problem_view(&problem->inputs, i);
        json_t *one = json_pack("{s:s, s:o, s:b}", "dtype", dtype_info(tensor->dtype)->name, "shape",
                                repro_numbers_put(tensor->shape.dim, tensor->shape.rank), "contiguous",
                                view_is_contiguous(&view));
        if (problem->inputs.layout[i].filler) {
            json_object_set_new(one, "filler", json_true());
        } else if (shape_elements(&tensor->shape) <= SMALL) {
            json_object_set_new(one, "values", values_put(tensor));
        }
        json_array_append_new(list, one);
    }
    return list;
}

/* Adds the members that describe the search. */
static void describe(json_t *json, const struct shrunk *shrunk)
{
    json_object_set_new(json, "tried", json_integer(shrunk->tried));
    json_object_set_new(json, "kept", json_integer(shrunk->taken));
    json_object_set_new(json, "complete", json_boolean(!shrunk->late));
    json_object_set_new(json, "alone", json_boolean(!shrunk->fresh));
    json_object_set_new(json, "inputs", inputs_put(&shrunk->problem));
    json_object_set_new(json, "attributes", repro_attributes_put(&shrunk->problem.attributes));
    json_object_set_new(json, "hypothesis_before",
                        shrunk->before.hypothesis[0] ? json_string(shrunk->before.hypothesis) : json_null());
}

/* Replaces the call by the given one. */
static void take(struct repro *repro, const struct problem *problem)
{
    repro->attributes = problem->attributes;
    repro->inputs = problem->inputs;
    repro->c.dtype = repro_leading_input(repro)->dtype;
}

/* Returns the file of a shrunk operand, "DIR/shrunk-vulkan-0.npy", beside "DIR/got-vulkan.npy". */
static void operand_path(const char *folder, const char *got, int i, char *path, size_t size)
{
    snprintf(path, size, "%.1000s/shrunk-%.120s-%d.npy", folder, got + strlen("got-"), i);
}

void repro_reduce_clear(const char *folder, const char *got)
{
    for (int i = 0; i < OPERANDS_MAX; i++) {
        char path[PATH_SIZE];
        operand_path(folder, got, i, path, sizeof path);
        unlink(path);
    }
}

/* Writes the operands for other tools, or for --input; bfloat16 as float32, which holds it exactly. */
static bool write_inputs(struct repro *repro, const struct problem *problem, struct error *error)
{
    bool good = true;
    repro_reduce_clear(repro->files->output_dir, repro->got);
    for (int i = 0; good && i < problem->inputs.inputs; i++) {
        const struct tensor *tensor = &problem->inputs.input[i];
        enum dtype as = tensor->dtype == DTYPE_BFLOAT16 ? DTYPE_FLOAT32 : tensor->dtype;
        struct tensor copy;
        char path[PATH_SIZE];
        size_t length;
        operand_path(repro->files->output_dir, repro->got, i, path, sizeof path);
        if (tensor_absent(tensor)) {
            continue;
        }
        if (!tensor_create(&copy, as, &tensor->shape)) {
            return error_set(error, "out of memory for %s", path);
        }
        for (int64_t k = 0; as != tensor->dtype && k < shape_elements(&tensor->shape); k++) {
            dtype_store(as, copy.data + (size_t)k * dtype_info(as)->size, tensor_component(tensor, k));
        }
        const void *bytes = as == tensor->dtype ? tensor->data : copy.data;
        unsigned char *file = npy_pack(npy_descr(as), &tensor->shape, bytes, tensor_bytes(&copy), &length);
        good = file ? output_write(path, (const char *)file, length, error)
                    : error_set(error, "out of memory for %s", path);
        free(file);
        tensor_destroy(&copy);
    }
    return good;
}

static bool quote_attribute(const struct attribute *attribute, char *text, size_t size)
{
    char *word = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&word, &length);
    if (!to) {
        return false;
    }
    fprintf(to, "%s=", attribute->name);
    if (attribute->type == ATTRIBUTE_REAL) {
        fprintf(to, "%.17g", attribute->real);
    } else if (attribute->type == ATTRIBUTE_CHOICE) {
        fputs(attribute->word, to);
    } else if (attribute->type != ATTRIBUTE_INTEGERS) {
        fprintf(to, "%" PRId64, attribute->integer);
    }
    for (int k = 0; attribute->type == ATTRIBUTE_INTEGERS && k < attribute->integers.count; k++) {
        fprintf(to, "%s%" PRId64, k ? "," : "", attribute->integers.item[k]);
    }
    bool good = memory_stream_text(to, &word);
    if (good) {
        environment_quote(text, size, "--attr");
        environment_quote(text, size, word);
    }
    free(word);
    return good;
}

/* Appends the place in memory of an operand that is not contiguous; its file holds the values alone. */
static void quote_layout(const struct problem *problem, int i, char *text, size_t size)
{
    const struct view view = problem_view(&problem->inputs, i);
    char word[64 + 24 * RANK_MAX];
    int used = snprintf(word, sizeof word, "%d=strides:", i);
    if (view.storage < 0 || (view_is_contiguous(&view) && view.offset == 0)) {
        return;
    }
    for (int d = 0; d < view.shape.rank; d++) {
        used += snprintf(word + used, sizeof word - (size_t)used, "%" PRId64 ",", view.stride[d]);
    }
    snprintf(word + used, sizeof word - (size_t)used, "offset:%" PRId64, view.offset);
    environment_quote(text, size, "--layout");
    environment_quote(text, size, word);
}

/* Returns the size of the command below if every character needs a quote. */
static size_t replay_size(const struct repro *repro, const struct problem *problem)
{
    size_t operands = (size_t)problem->inputs.inputs * (PATH_SIZE + 128 + 24 * RANK_MAX),
           attributes = (size_t)problem->attributes.count * (INTEGERS_MAX + 4) * 24;
    for (int a = 0; a < problem->attributes.count; a++) {
        attributes += strlen(problem->attributes.item[a].name);
    }
    return 4 * (strlen(repro->files->bundle ? repro->files->bundle : "") + strlen(problem->op->name) +
                operands + attributes + strlen(repro->setup.backend) + 64);
}

/* Writes the command that replays the shrunk call. Returns false when out of memory. */
static bool replay(const struct repro *repro, const struct problem *problem, char *text, size_t size)
{
    bool good = true;
    char path[PATH_SIZE];
    snprintf(text, size, "assay repro");
    if (repro->files->bundle) {
        environment_quote(text, size, repro->files->bundle);
    } else {
        environment_quote(text, size, "--op");
        environment_quote(text, size, problem->op->name);
        if (problem->inputs.input[op_leading_input(problem->op)].dtype == DTYPE_BFLOAT16) {
            environment_quote(text, size, "--dtype");
            environment_quote(text, size, "bfloat16");
        }
        for (int a = 0; a < problem->attributes.count; a++) {
            good = quote_attribute(&problem->attributes.item[a], text, size) && good;
        }
        for (int i = 0; i < problem->inputs.inputs; i++) {
            operand_path(repro->files->output_dir, repro->got, i, path, sizeof path);
            environment_quote(text, size, "--input");
            environment_quote(text, size, tensor_absent(&problem->inputs.input[i]) ? "none" : path);
            quote_layout(problem, i, text, size);
        }
    }
    environment_quote(text, size, "--backend");
    environment_quote(text, size, repro->setup.backend);
    return good;
}

/* Asks the backend about the shrunk call, with a diagnosis and --bundle. Writes no files of --output-dir but
 * the shrunk operands, because the others belong to the original call. */
static json_t *ask_again(struct repro *repro, const struct plan_options *options, const struct problem *from,
                         const struct shrunk *shrunk)
{
    char before[200], after[200];
    struct error error = {.text = ""};
    shrink_sizes(from, before, sizeof before);
    shrink_sizes(&shrunk->problem, after, sizeof after);
    json_t *sizes = json_pack("{s:s, s:s}", "before", before, "after", after);
    repro->shrunk = sizes;
    repro->bundling = repro->files->bundle != NULL;
    repro->no_files = true;
    json_t *json = repro_ask(repro, options->time_limit);
    json_object_update_missing(json, sizes);
    const char *status = json_string_value(json_object_get(json, "status"));
    if (repro->bundling && status && (strcmp(status, "crash") == 0 || strcmp(status, "timeout") == 0)) {
        repro_keep_unanswered(repro, json);
    }
    if (repro->files->output_dir && !write_inputs(repro, &shrunk->problem, &error)) {
        json_object_set_new(json, "unwritten", json_string(error.text));
    }
    if (repro->files->bundle || repro->files->output_dir) {
        size_t size = replay_size(repro, &shrunk->problem);
        char *text = malloc(size);
        if (text && replay(repro, &shrunk->problem, text, size)) {
            json_object_set_new(json, "replay", json_string(text));
        }
        free(text);
    }
    repro->bundling = repro->no_files = false;
    repro->shrunk = NULL;
    json_decref(sizes);
    return json;
}

/* Searches for the smallest problem with a copy of `repro`, whose inputs the search replaces. */
static bool search(const struct repro *repro, const struct problem *from, double time_limit,
                   struct shrunk *shrunk, struct error *error)
{
    struct repro_trials trials;
    struct repro *own = malloc(sizeof *own);
    *shrunk = (struct shrunk){.taken = 0};
    if (!own) {
        return error_set(error, "out of memory");
    }
    *own = *repro;
    own->c.row = own;
    own->setup.cache = NULL; /* the search needs each of its thousands of truths once */
    own->verdict_only = true;
    repro_trials_begin(&trials, own, time_limit);
    bool good = shrink_problem(&trials.trials, from, repro->files->shrink_seconds, shrunk, error);
    free(own);
    return good;
}

json_t *repro_reduce(struct repro *repro, const struct plan_options *options, json_t *backend)
{
    struct shrunk shrunk;
    struct error error = {.text = ""};
    const struct problem from = {repro->op, repro->attributes, repro->inputs};
    bool text = strcmp(repro->files->format, "json") != 0;
    if (!search(repro, &from, options->time_limit, &shrunk, &error)) {
        problem_clear(&shrunk.problem);
        json_object_set_new(backend, "not_shrunk", json_string(error.text));
        if (text && repro->id) { /* the case's own report is not directly above */
            text_put_line(stdout, repro->setup.backend);
            fputs(": not shrunk: ", stdout);
        } else if (text) {
            printf("  %-16s ", "not shrunk");
        }
        if (text) {
            text_put_line(stdout, error.text);
            putchar('\n');
        }
        return NULL;
    }
    take(repro, &shrunk.problem);
    json_t *json = ask_again(repro, options, &from, &shrunk);
    json_object_set_new(json, "name", json_string(repro->label));
    describe(json, &shrunk);
    take(repro, &from);
    const char *unwritten = json_string_value(json_object_get(json, "unwritten"));
    if (unwritten) {
        json_object_set_new(backend, "unwritten", json_string(unwritten));
    }
    if (text) {
        repro_show_shrunk(json, shrunk.seconds);
    }
    problem_clear(&shrunk.problem);
    return json;
}
