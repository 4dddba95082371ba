/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A program of the exec protocol that computes as the CPU backend does, with one peculiarity:
 *
 *     peculiar PECULIARITY GREETING.json
 *
 * GREETING.json holds the members of "profile" and optionally "operators" and "return_storages". Each
 * peculiarity is the behaviour of some real backend, which its profile may declare;
 * harness/exec/test/declared.c tests them against the judge. */

#include "harness/test/programs/peculiar.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *peculiarity;

bool peculiar(const char *name)
{
    return strcmp(peculiarity, name) == 0;
}

static double real_of(const json_t *value)
{
    const char *text = json_string_value(value);
    return text ? strtod(text, NULL) : json_number_value(value);
}

static int read_numbers(const json_t *list, int64_t *number)
{
    int count = (int)json_array_size(list);
    for (int k = 0; k < count; k++) {
        number[k] = json_integer_value(json_array_get(list, (size_t)k));
    }
    return count;
}

static void read_attributes(const json_t *json, struct call *c)
{
    for (int a = 0; c->op && a < ATTRIBUTES_MAX && c->op->attributes[a].name; a++) {
        const char *name = c->op->attributes[a].name;
        const json_t *value = json_object_get(json, name);
        const char *word = json_string_value(value);
        const struct op_choice *choice = word ? op_choice_named(c->op, name, word) : NULL;
        if (value) {
            struct attribute *to = &c->attributes.item[c->attributes.count++];
            *to = (struct attribute){
                .name = name, .word = choice ? choice->word : NULL, .real = real_of(value)};
            to->type = choice                   ? ATTRIBUTE_CHOICE
                       : json_is_array(value)   ? ATTRIBUTE_INTEGERS
                       : json_is_boolean(value) ? ATTRIBUTE_BOOL
                       : json_is_integer(value) ? ATTRIBUTE_INTEGER
                                                : ATTRIBUTE_REAL;
            to->integer = choice ? choice->number : json_is_true(value) ? 1 : json_integer_value(value);
            to->integers.count = read_numbers(value, to->integers.item);
        }
    }
}

static struct cpu_view read_view(const json_t *json, const struct call *c)
{
    struct cpu_view view = {.data = NULL};
    if (!json_is_object(json)) {
        return view;
    }
    dtype_from_name(json_string_value(json_object_get(json, "dtype")), &view.dtype);
    view.shape.rank = read_numbers(json_object_get(json, "shape"), view.shape.dim);
    read_numbers(json_object_get(json, "strides"), view.stride);
    view.data = c->storage[json_integer_value(json_object_get(json, "storage"))] +
                json_integer_value(json_object_get(json, "offset")) * (int64_t)dtype_info(view.dtype)->size;
    return view;
}

static void make_output(const json_t *json, struct cpu_view *view)
{
    dtype_from_name(json_string_value(json_object_get(json, "dtype")), &view->dtype);
    view->shape.rank = read_numbers(json_object_get(json, "shape"), view->shape.dim);
    int64_t step = 1;
    for (int d = view->shape.rank; d-- > 0;) {
        view->stride[d] = step;
        step *= view->shape.dim[d];
    }
    view->data = calloc((size_t)step + 1, dtype_info(view->dtype)->size);
}

static void read_call(const json_t *request, struct call *c)
{
    const json_t *sizes = json_object_get(request, "storages"), *inputs = json_object_get(request, "inputs");
    const json_t *outputs = json_object_get(request, "outputs");
    const char *run = json_string_value(json_object_get(request, "run"));
    *c = (struct call){.op = run ? op_find(run) : NULL,
                       .storages = (int)json_array_size(sizes),
                       .inputs = (int)json_array_size(inputs),
                       .outputs = (int)json_array_size(outputs)};
    for (int s = 0; s < c->storages; s++) {
        c->bytes[s] = (size_t)json_integer_value(json_array_get(sizes, (size_t)s));
        c->storage[s] = malloc(c->bytes[s] + 1);
        if (!c->storage[s] || fread(c->storage[s], 1, c->bytes[s], stdin) != c->bytes[s]) {
            exit(1);
        }
    }
    read_attributes(json_object_get(request, "attributes"), c);
    for (int i = 0; i < c->inputs; i++) {
        c->input[i] = read_view(json_array_get(inputs, (size_t)i), c);
    }
    for (int o = 0; o < c->outputs; o++) {
        make_output(json_array_get(outputs, (size_t)o), &c->output[o]);
    }
}

static void send(const json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    puts(text);
    free(text);
}

static void repeat_return_storages(const json_t *request, json_t *reply)
{
    if (json_is_true(json_object_get(request, "return_storages")) && !peculiar("forgetful")) {
        json_object_set_new(reply, "return_storages", json_true());
    }
}

/* Overwrites with zeros, after the result is computed, the operands that the request says are only read. */
static void overwrite_operands(const json_t *request, const struct call *c)
{
    bool written[OPERANDS_MAX] = {false};
    size_t i;
    json_t *index;
    json_array_foreach(json_object_get(request, "mutates"), i, index)
    {
        written[json_integer_value(index)] = true;
    }
    for (int k = 0; k < c->inputs; k++) {
        for (int64_t e = 0; !written[k] && c->input[k].data && e < shape_elements(&c->input[k].shape); e++) {
            memset(cpu_at(&c->input[k], e), 0, dtype_info(c->input[k].dtype)->size);
        }
    }
}

/* Answers a call that must be refused with an output that was not requested. */
static void answer_anything(const json_t *request)
{
    json_t *reply =
        json_pack("{s:O, s:s, s:[{s:s, s:[i]}], s:O}", "id", json_object_get(request, "id"), "status", "ok",
                  "outputs", "dtype", "float32", "shape", 2, "mutated", json_object_get(request, "mutates"));
    repeat_return_storages(request, reply);
    send(reply);
    json_decref(reply);
}

/* Sends every storage if the request wants that, else the storages that it says are written to. */
static void send_storages(const json_t *request, const struct call *c)
{
    bool sent[OPERANDS_MAX] = {false};
    size_t i;
    json_t *index;
    for (int s = 0; json_is_true(json_object_get(request, "return_storages")) && s < c->storages; s++) {
        fwrite(c->storage[s], 1, c->bytes[s], stdout);
        sent[s] = true;
    }
    json_array_foreach(json_object_get(request, "mutates"), i, index)
    {
        const json_t *input =
            json_array_get(json_object_get(request, "inputs"), (size_t)json_integer_value(index));
        json_int_t s = json_integer_value(json_object_get(input, "storage"));
        if (!sent[s]) {
            fwrite(c->storage[s], 1, c->bytes[s], stdout);
        }
        sent[s] = true;
    }
}

static void answer(const json_t *request)
{
    static const float pair[2] = {1, 2};
    struct call c;
    struct error reason = {.text = "no such operator"};
    read_call(request, &c);
    enum cpu_status status =
        c.op && cpu_op_find(c.op->name) ? peculiar_compute(&c, &reason) : CPU_UNSUPPORTED;
    json_t *id = json_object_get(request, "id");
    if (status == CPU_REJECTED && peculiar("accepting")) {
        answer_anything(request);
        send_storages(request, &c);
        fwrite(pair, sizeof pair, 1, stdout);
    } else if (status != CPU_OK) {
        json_t *reply = json_pack("{s:O, s:s, s:s}", "id", id, "status",
                                  status == CPU_REJECTED ? "rejected" : "error", "message", reason.text);
        send(reply);
        json_decref(reply);
    } else {
        json_t *reply =
            json_pack("{s:O, s:s, s:O, s:O}", "id", id, "status", "ok", "outputs",
                      json_object_get(request, "outputs"), "mutated", json_object_get(request, "mutates"));
        if (peculiar("overwriting")) {
            overwrite_operands(request, &c);
        }
        repeat_return_storages(request, reply);
        send(reply);
        json_decref(reply);
        send_storages(request, &c);
        for (int o = 0; o < c.outputs; o++) {
            size_t size = dtype_info(c.output[o].dtype)->size;
            fwrite(c.output[o].data, size, (size_t)shape_elements(&c.output[o].shape), stdout);
        }
    }
    for (int s = 0; s < c.storages; s++) {
        free(c.storage[s]);
    }
    for (int o = 0; o < c.outputs; o++) {
        free(c.output[o].data);
    }
}

static void greet(const char *path)
{
    json_t *shown = json_load_file(path, 0, NULL), *operators = json_array(), *dtypes = json_array();
    json_t *profile =
        json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:s}}", "rounding", "rte", "subnormals", "kept", "primitives",
                  "libm", "invariance", "bits", "accumulate", "float16", "float32", "bfloat16", "float32");
    for (int o = 0; o < op_count(); o++) {
        if (!op_result_is_counted(op_at(o), 0) &&
            cpu_op_find(op_at(o)->name)) { /* this program does not count entries */
            json_array_append_new(operators, json_string(op_at(o)->name));
        }
    }
    for (int d = 0; d < DTYPE_COUNT; d++) {
        json_array_append_new(dtypes, json_string(dtype_info((enum dtype)d)->name));
    }
    json_object_update(profile, json_object_get(shown, "profile"));
    json_t *own = json_object_get(shown, "operators");
    json_t *hello = json_pack("{s:i, s:s, s:o, s:o, s:O}", "hello", 1, "name", peculiarity, "dtypes", dtypes,
                              "profile", profile, "operators", own ? own : operators);
    json_object_set_new(hello, "return_storages",
                        json_boolean(!json_is_false(json_object_get(shown, "return_storages"))));
    if (json_is_false(json_object_get(shown, "profile"))) {
        json_object_del(hello, "profile");
    }
    send(hello);
    json_decref(hello);
    json_decref(operators);
    json_decref(shown);
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t room = 0;
    peculiarity = argc > 1 ? argv[1] : "none";
    while (getline(&line, &room, stdin) > 0) {
        json_t *request = json_loads(line, 0, NULL);
        if (json_object_get(request, "hello")) {
            greet(argc > 2 ? argv[2] : "/dev/null");
        } else {
            if (peculiar("slow")) { /* so that a second worker process is started as well */
                nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
            }
            answer(request);
        }
        fflush(stdout);
        json_decref(request);
    }
    free(line);
    return 0;
}
