/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bundle/bundle.h"
#include "harness/bundle/bundle_members.h"
#include "harness/exec/profile_file.h"
#include "harness/selection/operator_names.h"
#include "reports/records/fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *bundle_text(const struct bundle *bundle, const char *object, const char *member)
{
    const json_t *from = object ? json_object_get(bundle->json, object) : bundle->json;
    const char *text = json_string_value(json_object_get(from, member));
    return text ? text : "";
}

/* Reads "dtype" and "shape" of an array, and checks that its size in bytes does not overflow. */
static bool read_array(const json_t *object, const char *where, enum dtype *dtype, struct shape *shape,
                       struct error *error)
{
    const char *name = json_string_value(json_object_get(object, "dtype"));
    if (!dtype_from_name(name, dtype)) {
        return error_set(error, "%s: \"%.40s\" is no dtype", where, name);
    }
    int64_t bytes = 64; /* bytes per element, at most */
    if (!bundle_numbers(json_object_get(object, "shape"), where, 0, RANK_MAX, shape->dim, &shape->rank,
                        error)) {
        return false;
    }
    for (int d = 0; d < shape->rank; d++) { /* also counts the other dimensions of an empty array */
        bytes = count_product(bytes, shape->dim[d] ? shape->dim[d] : 1);
    }
    return bytes < INT64_MAX || error_set(error, "%s: no memory holds its shape", where);
}

/* --- operands */

static const char *const origins[] = {"undeclared", "random", "structured"};

static bool read_layout(const json_t *object, const char *where, const struct tensor *tensor,
                        struct repro_layout *layout, struct error *error)
{
    int rank;
    const char *origin = json_string_value(json_object_get(object, "origin"));
    int64_t storage = json_integer_value(json_object_get(object, "storage"));
    *layout = (struct repro_layout){.given = true,
                                    .filler = json_is_true(json_object_get(object, "filler")),
                                    .bytes = json_integer_value(json_object_get(object, "bytes")),
                                    .offset = json_integer_value(json_object_get(object, "offset"))};
    if (!bundle_numbers(json_object_get(object, "strides"), where, INT64_MIN, RANK_MAX, layout->stride, &rank,
                        error)) {
        return false;
    }
    int o = 0;
    while (o < 3 && strcmp(origin, origins[o]) != 0) {
        o++;
    }
    if (o == 3) {
        return error_set(error, "%s: \"origin\" is undeclared, random or structured", where);
    }
    layout->origin = (enum origin)o;
    if (rank != tensor->shape.rank) {
        return error_set(error, "%s: it has not one stride for each dimension", where);
    }
    if (storage < 0 || storage >= OPERANDS_MAX) {
        return error_set(error, "%s: \"storage\" must be 0 to %d", where, OPERANDS_MAX - 1);
    }
    layout->storage = (int)storage;
    /* Limits the memory between elements. No array in the file pays for it, and an array of zeros compresses
     * to a thousandth. */
    if (!repro_memory_bounded(layout->bytes, shape_bytes(&tensor->shape, tensor->dtype))) {
        return error_set(error, "%s: \"bytes\" may be 64 times what the array takes, twice from 256 MiB on",
                         where);
    }
    return true;
}

static bool read_input(const json_t *object, int i, struct bundle *bundle, struct error *error)
{
    static const struct rule rules[] = {{"dtype", STRING},  {"shape", LIST},    {"storage", INTEGER},
                                        {"bytes", INTEGER}, {"strides", LIST},  {"offset", INTEGER},
                                        {"origin", STRING}, {"filler", BOOLEAN}};
    struct tensor *tensor = &bundle->problem.inputs.input[i];
    struct repro_layout *layout = &bundle->problem.inputs.layout[i];
    char where[32];
    snprintf(where, sizeof where, "input %d", i);
    if (json_is_null(object)) {
        return true;
    }
    if (!CHECK(object, where, rules, error) ||
        !read_array(object, where, &tensor->dtype, &tensor->shape, error) ||
        !read_layout(object, where, tensor, layout, error)) {
        return false;
    }
    struct view view = view_contiguous(0, tensor->dtype, &tensor->shape);
    memcpy(view.stride, layout->stride, sizeof view.stride);
    view.offset = layout->offset;
    return (repro_place_sane(&view) && view_in_bounds(&view, (size_t)layout->bytes)) ||
           error_set(error, "%s: it lies beyond its memory of %" PRId64 " bytes", where, layout->bytes);
}

static bool read_inputs(const json_t *list, struct bundle *bundle, struct error *error)
{
    const struct op *op = bundle->problem.op;
    size_t i;
    json_t *item;
    int count = (int)json_array_size(list);
    if (count < op_inputs_min(op) || count > op_inputs_max(op)) {
        return error_set(error, "%s takes %d to %d inputs, \"inputs\" has %d", op->name, op_inputs_min(op),
                         op_inputs_max(op), count);
    }
    json_array_foreach(list, i, item)
    {
        bundle->problem.inputs.inputs++;
        if (!read_input(item, (int)i, bundle, error)) {
            return false;
        }
        if (json_is_null(item) && !op_may_lack(op, count, (int)i)) {
            return error_set(error, "input %zu (%s) of %s cannot be left out", i,
                             op_operand_name(op, count, (int)i), op->name);
        }
    }
    return true;
}

/* --- attributes */

/* Reads a word that the operator declares, or for a CODE its number. */
static bool read_choice(const struct op *op, const struct op_attribute *of, const json_t *value,
                        struct attribute *attribute)
{
    const struct op_choice *choice = NULL;
    if (of->type == ATTRIBUTE_CHOICE && json_is_string(value)) {
        choice = op_choice_named(op, of->name, json_string_value(value));
    } else if (of->type == ATTRIBUTE_CODE && json_is_integer(value)) {
        attribute->type = ATTRIBUTE_INTEGER;
        choice = op_choice_numbered(op, of->name, json_integer_value(value));
    }
    if (choice) {
        attribute->integer = choice->number;
        attribute->word = of->type == ATTRIBUTE_CHOICE ? choice->word : NULL;
    }
    return choice != NULL;
}

static bool read_attribute(const struct op *op, const struct op_attribute *of, const json_t *value,
                           struct attribute *attribute, struct error *error)
{
    bool good = false;
    *attribute = (struct attribute){.name = of->name, .type = of->type};
    if (of->type == ATTRIBUTE_NUMBER) {
        attribute->type = json_is_integer(value) ? ATTRIBUTE_INTEGER : ATTRIBUTE_REAL;
    }
    switch (attribute->type) {
    case ATTRIBUTE_CHOICE:
    case ATTRIBUTE_CODE:
        good = read_choice(op, of, value, attribute);
        break;
    case ATTRIBUTE_INTEGER:
        attribute->integer = json_integer_value(value);
        good = json_is_integer(value);
        break;
    case ATTRIBUTE_BOOL:
        good = json_is_boolean(value);
        attribute->integer = json_is_true(value);
        break;
    case ATTRIBUTE_INTEGERS:
        if (json_is_integer(value)) { /* dim=-1 for dim=[-1] */
            attribute->integers = (struct integers){.count = 1, .item = {json_integer_value(value)}};
            return true;
        }
        good = json_is_array(value);
        return (good || error_set(error, "attribute \"%s\" must be a list", of->name)) &&
               bundle_numbers(value, of->name, INT64_MIN, INTEGERS_MAX, attribute->integers.item,
                              &attribute->integers.count, error);
    default:
        good = field_real_get(value, &attribute->real);
    }
    return good || error_set(error, "attribute \"%s\" is of another type", of->name);
}

static bool read_attributes(json_t *object, struct bundle *bundle, struct error *error)
{
    const char *key;
    json_t *value;
    struct attributes *attributes = &bundle->problem.attributes;
    json_object_foreach(object, key, value)
    {
        const struct op_attribute *of = op_attribute_named(bundle->problem.op, key);
        if (!of) {
            return error_set(error, "%s has no attribute \"%.40s\"", bundle->problem.op->name, key);
        }
        if (!read_attribute(bundle->problem.op, of, value, &attributes->item[attributes->count], error)) {
            return false;
        }
        attributes->count++;
    }
    return true;
}

/* --- the rest */

static bool read_outputs(const json_t *list, struct bundle *bundle, struct error *error)
{
    static const struct rule rules[] = {
        {"dtype", STRING}, {"shape", LIST}, {"answered", BOOLEAN}, {"truth", BOOLEAN_OR_ABSENT}};
    size_t o;
    json_t *item;
    if (json_array_size(list) > TRUTH_OUTPUTS_MAX) {
        return error_set(error, "\"outputs\" has %zu tensors, at most %d are taken", json_array_size(list),
                         TRUTH_OUTPUTS_MAX);
    }
    json_array_foreach(list, o, item)
    {
        char where[32];
        struct bundle_output *output = &bundle->output[bundle->outputs++];
        snprintf(where, sizeof where, "output %zu", o);
        if (!CHECK(item, where, rules, error) ||
            !read_array(item, where, &output->dtype, &output->shape, error)) {
            return false;
        }
        output->answered = json_is_true(json_object_get(item, "answered"));
        output->unjudged = json_is_false(json_object_get(item, "truth"));
    }
    return true;
}

/* Reads the profile, in the members of a greeting, as it holds for this operator. */
static bool read_profile(const json_t *profile, bool declared_order, struct bundle *bundle,
                         struct error *error)
{
    if (!json_is_object(profile)) {
        return true;
    }
    if (!profile_take(profile, bundle->problem.op, &bundle->hello, error)) {
        return false;
    }
    bundle->hello.profile.summation = declared_order ? SUMMATION_DECLARED : SUMMATION_UNDECLARED;
    bundle->profiled = true;
    return true;
}

static bool check_all(const json_t *json, struct error *error)
{
    static const struct rule rules[] = {{"assay_bundle", INTEGER},
                                        {"replay", STRING},
                                        {"id", STRING_OR_NULL},
                                        {"op", STRING},
                                        {"attributes", OBJECT},
                                        {"exact", BOOLEAN},
                                        {"seed", INTEGER},
                                        {"repeat", INTEGER},
                                        {"inputs", LIST},
                                        {"outputs", LIST},
                                        {"backend", STRING},
                                        {"profile", OBJECT_OR_NULL},
                                        {"declared_order", BOOLEAN},
                                        {"header", OBJECT},
                                        {"verdict", OBJECT},
                                        {"shrunk", OBJECT_OR_NULL}};
    static const struct rule verdict[] = {{"status", STRING},
                                          {"rule", STRING_OR_NULL},
                                          {"reason", STRING_OR_NULL},
                                          {"diagnosis", STRING},
                                          {"hypothesis", STRING_OR_NULL}};
    static const struct rule shrunk[] = {{"before", STRING}, {"after", STRING}};
    const json_t *version = json_object_get(json, "assay_bundle"), *smaller = json_object_get(json, "shrunk");
    if (json_is_integer(version) && json_integer_value(version) != BUNDLE_VERSION) {
        return error_set(error, "it is of version %" JSON_INTEGER_FORMAT ", this assay reads %d",
                         json_integer_value(version), BUNDLE_VERSION);
    }
    enum status status;
    const json_t *of = json_object_get(json, "verdict");
    return CHECK(json, "the bundle", rules, error) && CHECK(of, "\"verdict\"", verdict, error) &&
           (json_is_null(smaller) || CHECK(smaller, "\"shrunk\"", shrunk, error)) &&
           (status_from_name(json_string_value(json_object_get(of, "status")), &status) ||
            error_set(error, "\"verdict\": \"status\" is none that assay has"));
}

bool bundle_read_json(const char *text, size_t size, struct bundle *bundle, struct error *error)
{
    json_error_t fault;
    *bundle = (struct bundle){.outputs = 0};
    bundle->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &fault);
    if (!bundle->json) {
        return error_set(error, "line %d: %s", fault.line, fault.text);
    }
    if (!check_all(bundle->json, error)) {
        return false;
    }
    const json_t *json = bundle->json;
    const char *name = bundle_text(bundle, NULL, "op");
    struct error why = {.text = ""};
    bundle->problem.op = operator_named(name, &why);
    bundle->problem.inputs.exact = json_is_true(json_object_get(json, "exact"));
    if (!bundle->problem.op) {
        return error_set(error, "%.300s", why.text);
    }
    return read_attributes(json_object_get(json, "attributes"), bundle, error) &&
           read_inputs(json_object_get(json, "inputs"), bundle, error) &&
           read_outputs(json_object_get(json, "outputs"), bundle, error) &&
           read_profile(json_object_get(json, "profile"),
                        json_is_true(json_object_get(json, "declared_order")), bundle, error);
}
