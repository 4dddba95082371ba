/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/protocol.h"
#include "harness/exec/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const json_int_t DEVICE_NS_MAX = 3600000000000000; /* a thousand hours, so that sums stay in range */

/* --- requests */

static json_t *integers(const int64_t *x, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(list, json_integer(x[i]));
    }
    return list;
}

static json_t *real_number(double x)
{
    return isfinite(x) ? json_real(x) : json_string(isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

static json_t *attributes_object(const struct attributes *attributes)
{
    json_t *object = json_object();
    for (int i = 0; i < attributes->count; i++) {
        const struct attribute *attribute = &attributes->item[i];
        if (attribute->assumed) {
            continue;
        }
        json_t *value = attribute->type == ATTRIBUTE_REAL     ? real_number(attribute->real)
                        : attribute->type == ATTRIBUTE_BOOL   ? json_boolean(attribute->integer != 0)
                        : attribute->type == ATTRIBUTE_CHOICE ? json_string(attribute->word)
                        : attribute->type == ATTRIBUTE_INTEGERS
                            ? integers(attribute->integers.item, attribute->integers.count)
                            : json_integer(attribute->integer);
        json_object_set_new(object, attribute->name, value);
    }
    return object;
}

/* Returns the request's own number of a storage; appends a storage that is new. */
static int storage_number(struct exec_request *request, int storage)
{
    for (int s = 0; s < request->storages; s++) {
        if (request->storage[s] == storage) {
            return s;
        }
    }
    request->storage[request->storages] = storage;
    return request->storages++;
}

static json_t *inputs_list(const struct step *step, struct exec_request *request)
{
    json_t *list = json_array();
    for (int i = 0; i < step->inputs; i++) {
        const struct view *view = &step->input[i];
        if (view->storage < 0) {
            json_array_append_new(list, json_null());
            continue;
        }
        json_array_append_new(
            list, json_pack("{s:i, s:s, s:o, s:o, s:I}", "storage", storage_number(request, view->storage),
                            "dtype", dtype_info(view->dtype)->name, "shape",
                            integers(view->shape.dim, view->shape.rank), "strides",
                            integers(view->stride, view->shape.rank), "offset", (json_int_t)view->offset));
    }
    return list;
}

/* Lists the numbers of the inputs that the step overwrites. */
static json_t *mutates_of(const struct step *step)
{
    json_t *list = json_array();
    for (int i = 0; i < step->inputs; i++) {
        if (op_mutates(step->op, step->inputs, i) && step->input[i].storage >= 0) {
            json_array_append_new(list, json_integer(i));
        }
    }
    return list;
}

/* Lists the distinct storages that the reply brings back: all storages of the request, or those that the step
 * writes to. */
static void list_returned_storages(const struct step *step, bool return_all, struct exec_request *request)
{
    if (return_all) {
        request->returned = request->storages;
        memcpy(request->returned_storage, request->storage, sizeof request->storage);
        return;
    }
    for (int i = 0; i < step->inputs; i++) {
        bool known = !op_mutates(step->op, step->inputs, i) || step->input[i].storage < 0;
        for (int m = 0; m < request->returned; m++) {
            known = known || request->returned_storage[m] == step->input[i].storage;
        }
        if (!known) {
            request->returned_storage[request->returned++] = step->input[i].storage;
        }
    }
}

/* Returns the JSON text and a line feed, which the caller frees; NULL when out of memory. Releases `json`. */
static char *line_of(json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    size_t length = text ? strlen(text) : 0;
    char *line = text ? malloc(length + 2) : NULL;
    if (line) {
        memcpy(line, text, length);
        memcpy(line + length, "\n", 2);
    }
    free(text);
    json_decref(json);
    return line;
}

/* Returns PyTorch's default of an attribute: a number, true or false, a word, "finfo.eps", or null where the
 * attribute has none. */
static json_t *default_of(const struct op *op, const struct op_attribute *attribute)
{
    const struct op_default *known = op_default_named(op, attribute->name);
    if (!known) {
        return json_null();
    }
    if (known->kind == DEFAULT_EPSILON) {
        return json_string("finfo.eps");
    }
    const int64_t number = (int64_t)known->value;
    return attribute->type == ATTRIBUTE_BOOL ? json_boolean(number != 0)
           : attribute->type == ATTRIBUTE_CHOICE
               ? json_string(op_choice_numbered(op, attribute->name, number)->word)
           : attribute->type == ATTRIBUTE_REAL  ? real_number(known->value)
           : known->value == rint(known->value) ? json_integer(number)
                                                : real_number(known->value);
}

static json_t *attributes_of(const struct op *op)
{
    json_t *object = json_object();
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        json_object_set_new(object, op->attributes[a].name, default_of(op, &op->attributes[a]));
    }
    return object;
}

char *exec_format_hello(void)
{
    json_t *names = json_array(), *attributes = json_object();
    for (int o = 0; o < op_count(); o++) {
        json_array_append_new(names, json_string(op_at(o)->name));
        if (op_at(o)->attributes[0].name) {
            json_object_set_new(attributes, op_at(o)->name, attributes_of(op_at(o)));
        }
    }
    return line_of(json_pack("{s:i, s:o, s:o}", "hello", 1, "operators", names, "attributes", attributes));
}

static json_t *step_json(long id, const struct program *program, const struct step *step, bool return_all,
                         struct exec_request *request)
{
    *request = (struct exec_request){.line = NULL};
    json_t *inputs = inputs_list(step, request), *mutates = mutates_of(step);
    json_t *outputs = json_array(), *storages = json_array();
    list_returned_storages(step, return_all, request);
    for (int o = 0; o < step->outputs; o++) {
        const struct view *view = &step->output[o];
        json_t *shape = integers(view->shape.dim, view->shape.rank);
        if (op_result_is_counted(step->op, o)) {
            json_array_set_new(shape, (size_t)view->shape.rank - 1, json_null());
        }
        json_array_append_new(
            outputs, json_pack("{s:s, s:o}", "dtype", dtype_info(view->dtype)->name, "shape", shape));
    }
    for (int s = 0; s < request->storages; s++) {
        json_array_append_new(storages,
                              json_integer((json_int_t)program->storage[request->storage[s]].bytes));
    }
    json_t *json = json_pack("{s:I, s:s, s:o, s:o, s:o, s:o, s:o}", "id", (json_int_t)id, "run",
                             step->op->name, "attributes", attributes_object(&step->attributes), "storages",
                             storages, "inputs", inputs, "outputs", outputs, "mutates", mutates);
    if (return_all && json_object_set_new(json, "return_storages", json_true()) != 0) {
        json_decref(json);
        json = NULL;
    }
    return json;
}

bool exec_format_step(long id, const struct program *program, const struct step *step, bool return_all,
                      struct exec_request *request)
{
    request->line = line_of(step_json(id, program, step, return_all, request));
    return request->line != NULL;
}

bool exec_format_repeated(long id, const struct program *program, const struct step *step, int repeats,
                          int warm_up, int rounds, struct exec_request *request)
{
    json_t *json = step_json(id, program, step, false, request);
    json_object_set_new(json, "repeats", json_integer(repeats));
    json_object_set_new(json, "warm_up", json_integer(warm_up));
    if (rounds > 1) {
        json_object_set_new(json, "rounds", json_integer(rounds));
    }
    request->line = line_of(json);
    return request->line != NULL;
}

/* --- replies */

static bool same_shape(const json_t *list, const struct shape *shape)
{
    if (!json_is_array(list) || (int)json_array_size(list) != shape->rank) {
        return false;
    }
    for (int d = 0; d < shape->rank; d++) {
        const json_t *dim = json_array_get(list, (size_t)d);
        if (!json_is_integer(dim) || json_integer_value(dim) != shape->dim[d]) {
            return false;
        }
    }
    return true;
}

/* Computes the bytes of an output of any dtype and shape. Returns false if its description is malformed or
 * the size overflows. */
static bool output_bytes(const json_t *output, uint64_t *bytes)
{
    const char *name = json_string_value(json_object_get(output, "dtype"));
    const json_t *shape = json_object_get(output, "shape");
    enum dtype dtype;
    if (!name || !dtype_from_name(name, &dtype) || !json_is_array(shape)) {
        return false;
    }
    *bytes = dtype_info(dtype)->size;
    for (size_t d = 0; d < json_array_size(shape); d++) {
        const json_t *dim = json_array_get(shape, d);
        if (!json_is_integer(dim) || json_integer_value(dim) < 0 ||
            __builtin_mul_overflow(*bytes, (uint64_t)json_integer_value(dim), bytes)) {
            return false;
        }
    }
    return true;
}

/* Adds up the bytes of outputs that a program sends for operands that it should have refused. Such a step
 * declares no outputs. */
static bool count_unasked(const json_t *outputs, struct exec_reply *reply, struct error *error)
{
    for (size_t o = 0; o < json_array_size(outputs); o++) {
        uint64_t bytes;
        if (!output_bytes(json_array_get(outputs, o), &bytes) ||
            __builtin_add_overflow(reply->unasked, bytes, &reply->unasked)) {
            return error_set(error, "output %zu has no dtype or no shape", o);
        }
    }
    return true;
}

/* Checks the outputs of an answer. An output of another shape makes it malformed, except where the operator
 * finds the number of elements itself: then a wrong number is a wrong answer. */
static bool check_outputs(const json_t *json, const struct step *step, bool return_all,
                          struct exec_reply *reply, struct error *error)
{
    const json_t *outputs = json_object_get(json, "outputs"), *mutated = json_object_get(json, "mutated");
    bool refused = step->expect == EXPECT_REJECTION;
    if (return_all != json_is_true(json_object_get(json, "return_storages"))) {
        return error_set(error, return_all
                                    ? "the greeting offers \"return_storages\", and an answer to a request "
                                      "that has it lacks \"return_storages\": true"
                                    : "\"return_storages\" was not asked for");
    }
    if (refused && !count_unasked(outputs, reply, error)) {
        return false;
    }
    if (!refused && (int)json_array_size(outputs) != step->outputs) {
        return error_set(error, "the answer has %zu outputs, %d were asked for", json_array_size(outputs),
                         step->outputs);
    }
    for (int o = 0; o < step->outputs; o++) {
        const json_t *output = json_array_get(outputs, (size_t)o);
        const char *dtype = json_string_value(json_object_get(output, "dtype"));
        char number[RESULT_TEXT];
        op_print_result(step->op, o, number);
        if (!dtype || strcmp(dtype, dtype_info(step->output[o].dtype)->name) != 0) {
            return error_set(error, "output %s is %s, %s was asked for", number,
                             dtype ? dtype : "of no dtype", dtype_info(step->output[o].dtype)->name);
        }
        if (!same_shape(json_object_get(output, "shape"), &step->output[o].shape)) {
            char shape[SHAPE_TEXT];
            shape_print(&step->output[o].shape, shape, sizeof shape);
            if (op_result_is_counted(step->op, o)) {
                reply->status = STEP_MISSHAPEN;
                snprintf(reply->message, sizeof reply->message, "output %.30s has another shape than %s",
                         number, shape);
                return true;
            }
            return error_set(error, "output %s has another shape than %s", number, shape);
        }
    }
    json_t *mutates = mutates_of(step);
    bool same = json_equal(mutates, mutated) || (json_array_size(mutates) == 0 && !mutated);
    json_decref(mutates);
    return same || error_set(error, "\"mutated\" must be the list that \"mutates\" was");
}

static json_t *parse_answer(const char *line, long id, struct error *error)
{
    json_error_t fault;
    json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, &fault);
    if (!json_is_object(json)) {
        error_set(error, "no JSON object: \"%.80s\"", line);
    } else if (json_integer_value(json_object_get(json, "id")) != id) {
        error_set(error, "an answer to another request than %ld", id);
    } else {
        return json;
    }
    json_decref(json);
    return NULL;
}

bool exec_parse_reply(const char *line, long id, const struct step *step, bool return_all,
                      struct exec_reply *reply, struct error *error)
{
    static const struct {
        const char *name;
        enum step_status status;
    } words[] = {{"ok", STEP_OK},
                 {"unsupported", STEP_UNSUPPORTED},
                 {"rejected", STEP_REJECTED},
                 {"out_of_memory", STEP_OUT_OF_MEMORY},
                 {"error", STEP_ERROR}};
    *reply = (struct exec_reply){.status = STEP_NOT_RUN};
    json_t *json = parse_answer(line, id, error);
    if (!json) {
        return false;
    }
    const char *status = json_string_value(json_object_get(json, "status"));
    for (size_t w = 0; status && w < sizeof words / sizeof *words; w++) {
        if (strcmp(status, words[w].name) == 0) {
            reply->status = words[w].status;
        }
    }
    bool good =
        reply->status != STEP_NOT_RUN || error_set(error, "status \"%.40s\" is none", status ? status : "");
    if (good && !json_copy_text(json, "message", reply->message, sizeof reply->message)) {
        json_copy_text(json, "reason", reply->message, sizeof reply->message);
    }
    if (good && reply->status == STEP_UNSUPPORTED && !reply->message[0]) {
        snprintf(reply->message, sizeof reply->message, "the program gave no reason");
    }
    const json_t *device_ns = json_object_get(json, "device_ns");
    json_int_t ns = json_is_integer(device_ns) ? json_integer_value(device_ns) : 0;
    reply->device_ns = ns < 0 ? 0 : ns > DEVICE_NS_MAX ? DEVICE_NS_MAX : ns;
    good = good && (reply->status != STEP_OK || check_outputs(json, step, return_all, reply, error));
    json_decref(json);
    return good;
}

bool exec_parse_memory(const char *line, long id, bool *agrees, struct backend_memory *memory,
                       struct error *error)
{
    json_t *json = parse_answer(line, id, error);
    if (!json) {
        return false;
    }
    static const char *const keys[] = {"allocated", "reserved", "peak", "limit"};
    uint64_t *const values[] = {&memory->allocated, &memory->reserved, &memory->peak, &memory->limit};
    for (int k = 0; k < 4; k++) {
        json_int_t value = json_integer_value(json_object_get(json, keys[k]));
        *values[k] = value > 0 ? (uint64_t)value : 0;
    }
    json_int_t process = json_integer_value(json_object_get(json, "process"));
    memory->process = process > 0 ? (int64_t)process : 0;
    const char *status = json_string_value(json_object_get(json, "status"));
    *agrees = !status || strcmp(status, "ok") == 0;
    json_decref(json);
    return true;
}
