/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A program of the exec protocol that computes as the witness does, but for one peculiarity:
 *
 *     peculiar PECULIARITY GREETING.json
 *
 * GREETING.json holds the members of "profile" and, where it likes, "operators". Each peculiarity is what
 * some real backend does and its profile may declare; harness/test/declared.c holds them against the judge.
 */

#include "kernels/cpu/witness.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct call {
    const struct op *op;
    struct attributes attributes;
    int storages, inputs, outputs;
    unsigned char *storage[OPERANDS_MAX];
    size_t bytes[OPERANDS_MAX];
    struct cpu_view input[OPERANDS_MAX], output[OPERANDS_MAX];
};

static const char *peculiarity;

static bool peculiar(const char *name)
{
    return strcmp(peculiarity, name) == 0;
}

/* --- peculiarities */

/* Sums of float32, one after the other. */
static void sum_in_sequence(const struct call *c)
{
    float sum = 0;
    int64_t n = shape_elements(&c->input[0].shape);
    for (int64_t i = 0; i < n; i++) {
        sum += fabsf((float)cpu_load(&c->input[0], i));
    }
    cpu_store(&c->output[0], 0, sum);
}

/* √Σx² of the whole tensor, nothing scaled. */
static void norm_naively(const struct call *c, float factor)
{
    float sum = 0;
    int64_t n = shape_elements(&c->input[0].shape);
    for (int64_t i = 0; i < n; i++) {
        float x = (float)cpu_load(&c->input[0], i);
        sum += x * x;
    }
    cpu_store(&c->output[0], 0, sqrtf(sum) * factor);
}

enum { HALF = 64 };
typedef float block[HALF][HALF];

static void multiply(block a, block b, block c)
{
    for (int i = 0; i < HALF; i++) {
        for (int j = 0; j < HALF; j++) {
            c[i][j] = 0;
            for (int k = 0; k < HALF; k++) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}

static void combine(block x, float sign, block y, block out)
{
    for (int i = 0; i < HALF * HALF; i++) {
        out[i / HALF][i % HALF] = x[i / HALF][i % HALF] + sign * y[i / HALF][i % HALF];
    }
}

/* One level of Strassen's product of two matrices of order 128 (Strassen 1969). */
static void multiply_fast(const struct call *c)
{
    static block a[4], b[4], m[7], s, t;
    for (int64_t e = 0; e < 4 * HALF * HALF; e++) {
        int64_t i = e / (2 * HALF), j = e % (2 * HALF);
        a[i / HALF * 2 + j / HALF][i % HALF][j % HALF] = (float)cpu_load(&c->input[0], e);
        b[i / HALF * 2 + j / HALF][i % HALF][j % HALF] = (float)cpu_load(&c->input[1], e);
    }
    combine(a[0], 1, a[3], s), combine(b[0], 1, b[3], t), multiply(s, t, m[0]);
    combine(a[2], 1, a[3], s), multiply(s, b[0], m[1]);
    combine(b[1], -1, b[3], t), multiply(a[0], t, m[2]);
    combine(b[2], -1, b[0], t), multiply(a[3], t, m[3]);
    combine(a[0], 1, a[1], s), multiply(s, b[3], m[4]);
    combine(a[2], -1, a[0], s), combine(b[0], 1, b[1], t), multiply(s, t, m[5]);
    combine(a[1], -1, a[3], s), combine(b[2], 1, b[3], t), multiply(s, t, m[6]);
    for (int64_t e = 0; e < 4 * HALF * HALF; e++) {
        int64_t row = e / (2 * HALF), column = e % (2 * HALF), i = row % HALF, j = column % HALF;
        int which = (int)(row / HALF * 2 + column / HALF);
        float of[] = {m[0][i][j] + m[3][i][j] - m[4][i][j] + m[6][i][j], m[2][i][j] + m[4][i][j],
                      m[1][i][j] + m[3][i][j], m[0][i][j] - m[1][i][j] + m[2][i][j] + m[5][i][j]};
        cpu_store(&c->output[0], e, of[which]);
    }
}

static void round_attributes(struct attributes *attributes)
{
    for (int a = 0; a < attributes->count; a++) {
        attributes->item[a].real = (float)attributes->item[a].real;
    }
}

/* NaN becomes `x` in the elements of output 0. */
static void replace_nan(const struct call *c, double x)
{
    for (int64_t i = 0; i < shape_elements(&c->output[0].shape); i++) {
        if (isnan(cpu_load(&c->output[0], i))) {
            cpu_store(&c->output[0], i, x);
        }
    }
}

/* Every other answer is one place further. */
static void flicker(const struct call *c)
{
    static int calls;
    if (calls++ % 2) {
        double x = cpu_load(&c->output[0], 0);
        cpu_store(&c->output[0], 0, nextafterf((float)x, INFINITY));
    }
}

static bool is(const struct call *c, const char *name)
{
    return strcmp(c->op->name, name) == 0;
}

static bool is_whole(const struct call *c)
{
    return c->outputs == 1 && shape_elements(&c->output[0].shape) == 1 && c->input[0].dtype == DTYPE_FLOAT32;
}

/* A backend that knows no defaults, or another one for rms_norm. */
static bool lacks_an_attribute(struct call *c, struct error *reason)
{
    for (int a = 0; peculiar("no-defaults") && a < ATTRIBUTES_MAX && c->op->attributes[a].name; a++) {
        if (op_has_default(c->op, c->op->attributes[a].name) &&
            !attributes_given(&c->attributes, c->op->attributes[a].name)) {
            return !error_set(reason, "no %s is given", c->op->attributes[a].name);
        }
    }
    if (peculiar("eps-of-layer-norm") && !attributes_given(&c->attributes, "eps")) {
        c->attributes.item[c->attributes.count++] =
            (struct attribute){.name = "eps", .type = ATTRIBUTE_REAL, .real = 1e-5};
    }
    return false;
}

static enum cpu_status compute(struct call *c, struct error *reason)
{
    double order = attributes_real(&c->attributes, "ord", 2);
    if (peculiar("float32-attributes")) {
        round_attributes(&c->attributes);
    }
    if (lacks_an_attribute(c, reason)) {
        return CPU_UNSUPPORTED;
    }
    if (peculiar("recursive") && is(c, "vector_norm") && is_whole(c) && order == 1) {
        return sum_in_sequence(c), CPU_OK;
    }
    if ((peculiar("naive") || peculiar("naive-wrong")) && is(c, "vector_norm") && is_whole(c) && order == 2) {
        return norm_naively(c, peculiar("naive") ? 1 : 1.001F), CPU_OK;
    }
    if (peculiar("strassen") && is(c, "matmul") && c->outputs == 1 && c->output[0].shape.rank == 2 &&
        shape_elements(&c->output[0].shape) == 4 * HALF * HALF && c->input[0].shape.dim[1] == 2 * HALF) {
        return multiply_fast(c), CPU_OK;
    }
    if (peculiar("float32-only") && c->input[0].dtype != DTYPE_FLOAT32) {
        error_set(reason, "no kernel");
        return CPU_UNSUPPORTED; /* which it reports as an error */
    }
    const struct cpu_op *op = cpu_op_find(c->op->name);
    enum cpu_status status = op->run(op, &c->attributes, c->inputs, c->input, c->outputs, c->output, reason);
    if (status == CPU_OK && c->outputs) {
        if (peculiar("sgn-of-half") && c->output[0].dtype == DTYPE_FLOAT16) {
            replace_nan(c, 0);
        } else if (peculiar("slogdet-sign") && is(c, "slogdet")) {
            replace_nan(c, 1);
        } else if (peculiar("flicker") && is(c, "vector_norm") && is_whole(c)) {
            flicker(c);
        }
    }
    return status;
}

/* --- the protocol */

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

/* Operands that must be refused were taken: an output that nobody has asked for. */
static void answer_anything(const json_t *request)
{
    json_t *reply =
        json_pack("{s:O, s:s, s:[{s:s, s:[i]}], s:O}", "id", json_object_get(request, "id"), "status", "ok",
                  "outputs", "dtype", "float32", "shape", 2, "mutated", json_object_get(request, "mutates"));
    send(reply);
    json_decref(reply);
}

static void send_mutated(const json_t *request, const struct call *c)
{
    bool sent[OPERANDS_MAX] = {false};
    size_t i;
    json_t *index;
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
    enum cpu_status status = c.op && cpu_op_find(c.op->name) ? compute(&c, &reason) : CPU_UNSUPPORTED;
    json_t *id = json_object_get(request, "id");
    if (status == CPU_REJECTED && peculiar("accepting")) {
        answer_anything(request);
        send_mutated(request, &c);
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
        send(reply);
        json_decref(reply);
        send_mutated(request, &c);
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
    json_t *told = json_load_file(path, 0, NULL), *operators = json_array(), *dtypes = json_array();
    json_t *profile =
        json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:s}}", "rounding", "rte", "subnormals", "kept", "primitives",
                  "libm", "invariance", "bits", "accumulate", "float16", "float32", "bfloat16", "float32");
    for (int o = 0; o < op_count(); o++) {
        if (!op_result_is_counted(op_at(o), 0) &&
            cpu_op_find(op_at(o)->name)) { /* it does not count entries */
            json_array_append_new(operators, json_string(op_at(o)->name));
        }
    }
    for (int d = 0; d < DTYPE_COUNT; d++) {
        json_array_append_new(dtypes, json_string(dtype_info((enum dtype)d)->name));
    }
    json_object_update(profile, json_object_get(told, "profile"));
    json_t *own = json_object_get(told, "operators");
    json_t *hello = json_pack("{s:i, s:s, s:o, s:o, s:O}", "hello", 1, "name", peculiarity, "dtypes", dtypes,
                              "profile", profile, "operators", own ? own : operators);
    send(hello);
    json_decref(hello);
    json_decref(operators);
    json_decref(told);
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
            answer(request);
        }
        fflush(stdout);
        json_decref(request);
    }
    free(line);
    return 0;
}
