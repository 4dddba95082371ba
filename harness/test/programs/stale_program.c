/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A program of the exec protocol with a fault of state, for tests: it computes sgn of float32, but a call
 * whose result has as many elements as that of an earlier call returns that call's result. Each request gets
 * the same answer twice, so that no case shows the fault alone. */

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hello[] =
    "{\"hello\": 1, \"name\": \"stale\", \"dtypes\": [\"float32\"], \"operators\": [\"sgn\"], \"profile\": "
    "{\"rounding\": \"rte\", \"subnormals\": \"kept\"}}";

enum { SIZES = 1024 };
static float *known[SIZES]; /* the first result of each number of elements */

static long long number(const json_t *list, size_t i)
{
    return (long long)json_integer_value(json_array_get(list, i));
}

static float element(const json_t *view, const unsigned char *storage, long long i)
{
    const json_t *shape = json_object_get(view, "shape"), *strides = json_object_get(view, "strides");
    long long at = (long long)json_integer_value(json_object_get(view, "offset"));
    float value;
    for (size_t d = json_array_size(shape); d-- > 0;) {
        at += i % number(shape, d) * number(strides, d);
        i /= number(shape, d);
    }
    memcpy(&value, storage + 4 * at, sizeof value);
    return value;
}

static void answer(const json_t *request, const unsigned char *storage)
{
    const json_t *x = json_array_get(json_object_get(request, "inputs"), 0);
    const json_t *shape = json_object_get(x, "shape");
    long long count = 1;
    for (size_t d = 0; d < json_array_size(shape); d++) {
        count *= number(shape, d);
    }
    float *values = malloc(((size_t)count + 1) * sizeof *values);
    char *dims = json_dumps(shape, JSON_COMPACT);
    if (!values || !dims) {
        exit(1);
    }
    for (long long i = 0; i < count; i++) {
        float v = element(x, storage, i);
        values[i] = v > 0 ? 1 : v < 0 ? -1 : v;
    }
    if (count < SIZES && !known[count]) {
        known[count] = values;
    } else if (count < SIZES) {
        memcpy(values, known[count], (size_t)count * sizeof *values);
    }
    printf("{\"id\": %lld, \"status\": \"ok\", \"outputs\": [{\"dtype\": \"float32\", \"shape\": %s}], "
           "\"mutated\": []}\n",
           (long long)json_integer_value(json_object_get(request, "id")), dims);
    fwrite(values, sizeof *values, (size_t)count, stdout);
    free(dims);
    if (count >= SIZES || known[count] != values) {
        free(values);
    }
}

/* Reads the storages of a request, one behind the other; sgn reads the first. */
static unsigned char *read_storages(const json_t *request)
{
    const json_t *sizes = json_object_get(request, "storages");
    size_t all = 0;
    for (size_t s = 0; s < json_array_size(sizes); s++) {
        all += (size_t)number(sizes, s);
    }
    unsigned char *bytes = malloc(all + 1);
    if (!bytes || fread(bytes, 1, all, stdin) != all) {
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
        if (json_object_get(request, "hello")) {
            puts(hello);
        } else {
            unsigned char *storage = read_storages(request);
            answer(request, storage);
            free(storage);
        }
        fflush(stdout);
        json_decref(request);
    }
    free(line);
    return 0;
}
