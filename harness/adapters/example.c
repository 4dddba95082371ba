/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A backend of assay to start from, in C with jansson: sgn of float32 on any strided view. (In Python:
 * starter.py, with an in-place operator, attributes and refusals.)
 *
 *      cc -o example example.c -ljansson
 *      assay check exec:./example                       does it keep the protocol?
 *      assay run --level smoke --backend exec:./example     are its numbers right?
 *
 * Copy it, and change in this order: `hello` (its name, what it offers and promises), answer_sgn (call your
 * library), main (its other operators). The rest is the conversation of exec-protocol.md. Only answers may be
 * written to stdout: if a library prints there, write the answers to a copy of descriptor 1, and make 1 a
 * copy of 2. */

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hello[] = "{\"hello\": 1, \"name\": \"example\", \"version\": \"1\", \"device\": \"the "
                            "host\", \"dtypes\": [\"float32\"],"
                            " \"operators\": [\"sgn\"], \"return_storages\": true, \"profile\": "
                            "{\"rounding\": \"rte\", \"subnormals\": "
                            "\"kept\", \"invariance\": \"bits\"}}";

static long long number(const json_t *list, size_t i)
{
    return (long long)json_integer_value(json_array_get(list, i));
}

/* Returns the place in the storage, in elements, of element i of a view in row-major order. */
static long long element(const json_t *view, long long i)
{
    const json_t *shape = json_object_get(view, "shape"), *strides = json_object_get(view, "strides");
    long long at = (long long)json_integer_value(json_object_get(view, "offset"));
    for (size_t d = json_array_size(shape); d-- > 0;) {
        at += i % number(shape, d) * number(strides, d);
        i /= number(shape, d);
    }
    return at;
}

/* Answers a call of sgn. If the request has "return_storages", its storages are sent before the result, as
 * the call has left them. A program that works on a device must copy them back from there; otherwise nobody
 * sees that an operand was overwritten. */
static void answer_sgn(json_int_t id, const json_t *request, const unsigned char *storage, size_t total)
{
    const int every = json_is_true(json_object_get(request, "return_storages"));
    const json_t *x = json_array_get(json_object_get(request, "inputs"), 0),
                 *shape = json_object_get(x, "shape");
    long long count = 1;
    for (size_t d = 0; d < json_array_size(shape); d++) {
        count *= number(shape, d);
    }
    char *dims = json_dumps(shape, JSON_COMPACT);
    printf("{\"id\": %lld, \"status\": \"ok\", \"device_ns\": 0, \"outputs\": [{\"dtype\": \"float32\", "
           "\"shape\": %s}],"
           " \"mutated\": []%s}\n",
           (long long)id, dims, every ? ", \"return_storages\": true" : "");
    free(dims);
    if (every) {
        fwrite(storage, 1, total, stdout);
    }
    for (long long i = 0; i < count; i++) {
        float value;
        memcpy(&value, storage + 4 * element(x, i), sizeof value);
        value = value > 0 ? 1 : value < 0 ? -1 : value; /* NaN and ±0 stay as they are */
        fwrite(&value, sizeof value, 1, stdout);
    }
}

static int is_float32(const json_t *request)
{
    const json_t *x = json_array_get(json_object_get(request, "inputs"), 0);
    const char *dtype = json_string_value(json_object_get(x, "dtype"));
    return dtype && strcmp(dtype, "float32") == 0;
}

/* Reads the request's storages, one after the other. sgn has one operand, which is in the first. */
static unsigned char *read_storages(const json_t *request, size_t *total)
{
    const json_t *sizes = json_object_get(request, "storages");
    *total = 0;
    for (size_t s = 0; s < json_array_size(sizes); s++) {
        *total += (size_t)number(sizes, s);
    }
    unsigned char *bytes = malloc(*total + 1);
    if (!bytes || fread(bytes, 1, *total, stdin) != *total) {
        exit(1);
    }
    return bytes;
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        json_t *request = json_loads(line, 0, NULL);
        const char *run = json_string_value(json_object_get(request, "run"));
        json_int_t id = json_integer_value(json_object_get(request, "id"));
        if (json_object_get(request, "hello")) {
            puts(hello);
        } else {
            size_t total;
            unsigned char *storage = read_storages(request, &total); /* these bytes follow every request */
            if (run && strcmp(run, "sgn") == 0 && is_float32(request)) {
                answer_sgn(id, request, storage, total);
            } else {
                printf("{\"id\": %lld, \"status\": \"unsupported\", \"reason\": \"sgn of float32 is all "
                       "there is\"}\n",
                       (long long)id);
            }
            free(storage);
        }
        fflush(stdout);
        json_decref(request);
    }
    free(line);
    return 0;
}
