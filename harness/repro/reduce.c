/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/child.h"
#include "harness/repro/drift.h"
#include "harness/repro/shrink.h"
#include "reports/fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 16 }; /* elements that are printed */

/* "0.5 (0x3f000000)": all digits of what it is, where there are no more than a float64 has. */
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

static json_t *shape_put(const struct shape *shape)
{
    json_t *list = json_array();
    for (int d = 0; d < shape->rank; d++) {
        json_array_append_new(list, json_integer(shape->dim[d]));
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
                                shape_put(&tensor->shape), "contiguous", view_is_contiguous(&view));
        if (problem->inputs.layout[i].filler) {
            json_object_set_new(one, "filler", json_true());
        } else if (shape_elements(&tensor->shape) <= SMALL) {
            json_object_set_new(one, "values", values_put(tensor));
        }
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *attributes_put(const struct attributes *attributes)
{
    json_t *object = json_object();
    for (int a = 0; a < attributes->count; a++) {
        const struct attribute *attribute = &attributes->item[a];
        json_object_set_new(object, attribute->name,
                            attribute->type == ATTRIBUTE_REAL       ? field_real_put(attribute->real)
                            : attribute->type == ATTRIBUTE_BOOL     ? json_boolean(attribute->integer)
                            : attribute->type == ATTRIBUTE_INTEGERS ? shape_put(&attribute->integers)
                                                                    : json_integer(attribute->integer));
    }
    return object;
}

/* The members that tell what was taken away. */
static void describe(json_t *json, const struct problem *from, const struct shrunk *shrunk)
{
    char before[200], after[200];
    shrink_sizes(from, before, sizeof before);
    shrink_sizes(&shrunk->problem, after, sizeof after);
    json_object_set_new(json, "before", json_string(before));
    json_object_set_new(json, "after", json_string(after));
    json_object_set_new(json, "tried", json_integer(shrunk->asked));
    json_object_set_new(json, "kept", json_integer(shrunk->taken));
    json_object_set_new(json, "complete", json_boolean(!shrunk->late));
    json_object_set_new(json, "alone", json_boolean(!shrunk->fresh));
    json_object_set_new(json, "inputs", inputs_put(&shrunk->problem));
    json_object_set_new(json, "attributes", attributes_put(&shrunk->problem.attributes));
    json_object_set_new(json, "hypothesis_before",
                        shrunk->before.hypothesis[0] ? json_string(shrunk->before.hypothesis) : json_null());
}

/* The shrunk call in place of the one that was given. */
static void take(struct drift *drift, const struct problem *problem)
{
    drift->attributes = problem->attributes;
    drift->inputs = problem->inputs;
    drift->c.dtype = repro_leading_input(drift)->dtype;
}

json_t *repro_reduce(struct drift *drift, const struct plan_options *options, json_t *backend)
{
    struct shrunk shrunk;
    struct error error = {.text = ""};
    const struct problem from = {drift->op, drift->attributes, drift->inputs};
    bool text = strcmp(drift->files->format, "json") != 0;
    if (!shrink_problem(drift, &from, drift->files->shrink_seconds, options->time_limit, &shrunk, &error)) {
        problem_clear(&shrunk.problem);
        json_object_set_new(backend, "not_shrunk", json_string(error.text));
        if (text) {
            printf("  %-16s %s\n", "not shrunk", error.text);
        }
        return NULL;
    }
    take(drift, &shrunk.problem);
    json_t *json = repro_ask(drift, options->time_limit);
    json_object_set_new(json, "name", json_string(drift->setup.backend));
    describe(json, &from, &shrunk);
    take(drift, &from);
    if (text) {
        repro_show_shrunk(json, shrunk.seconds);
    }
    problem_clear(&shrunk.problem);
    return json;
}
