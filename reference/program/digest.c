/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/hash.h"
#include "reference/base/memory.h"
#include "reference/program/program.h"

#include <stdio.h>
#include <string.h>

/* Digests of programs and calls. Numbers enter as fixed-width little-endian bytes, strings with their length,
 * so that no two different programs feed the same bytes. */

static void feed_integer(XXH3_state_t *state, int64_t x)
{
    XXH3_128bits_update(state, &x, sizeof x);
}

static void feed_string(XXH3_state_t *state, const char *text)
{
    feed_integer(state, (int64_t)strlen(text));
    XXH3_128bits_update(state, text, strlen(text));
}

static void feed_shape(XXH3_state_t *state, const struct shape *shape)
{
    feed_integer(state, shape->rank);
    for (int d = 0; d < shape->rank; d++) {
        feed_integer(state, shape->dim[d]);
    }
}

static void feed_attributes(XXH3_state_t *state, const struct attributes *attributes)
{
    int count = attributes ? attributes->count : 0;
    feed_integer(state, count);
    for (int i = 0; i < count; i++) {
        const struct attribute *attribute = &attributes->item[i];
        feed_string(state, attribute->name);
        feed_integer(state, attribute->type);
        feed_integer(state, attribute->integer);
        if (attribute->type == ATTRIBUTE_CHOICE) {
            feed_string(state, attribute->word);
        }
        XXH3_128bits_update(state, &attribute->real, sizeof attribute->real);
        feed_integer(state, attribute->integers.count);
        for (int k = 0; k < attribute->integers.count; k++) {
            feed_integer(state, attribute->integers.item[k]);
        }
    }
}

static void feed_view(XXH3_state_t *state, const struct view *view)
{
    feed_integer(state, view->storage);
    feed_integer(state, view->dtype);
    feed_shape(state, &view->shape);
    for (int d = 0; d < view->shape.rank; d++) {
        feed_integer(state, view->stride[d]);
    }
    feed_integer(state, view->offset);
}

static void finish(XXH3_state_t *state, char hex[33])
{
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    snprintf(hex, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    XXH3_freeState(state);
}

/* Feeds one byte for each byte of the storage: 1 for data, 0 for filler. */
static void feed_definition(XXH3_state_t *state, const struct storage *storage)
{
    unsigned char mark[4096];
    for (size_t first = 0; first < storage->bytes; first += sizeof mark) {
        size_t count = storage->bytes - first < sizeof mark ? storage->bytes - first : sizeof mark;
        memset(mark, storage->definition == DEFINED_ALL, count);
        for (size_t k = 0; storage->definition == DEFINED_SOME && k < count; k += sizeof(uint64_t)) {
            uint64_t eight = storage_defined_eight(storage, first + k);
            memcpy(mark + k, &eight, count - k < sizeof eight ? count - k : sizeof eight);
        }
        XXH3_128bits_update(state, mark, count);
    }
}

void program_digest(const struct program *program, char hex[33])
{
    XXH3_state_t *state = XXH3_createState();
    if (!state) {
        memory_exit();
    }
    XXH3_128bits_reset(state);
    feed_integer(state, program->storages);
    for (int s = 0; s < program->storages; s++) {
        const struct storage *storage = &program->storage[s];
        feed_integer(state, (int64_t)storage->bytes);
        XXH3_128bits_update(state, storage->data, storage->bytes);
        feed_definition(state, storage);
    }
    feed_integer(state, program->steps);
    for (int s = 0; s < program->steps; s++) {
        const struct step *step = &program->step[s];
        feed_string(state, step->op->name);
        feed_attributes(state, &step->attributes);
        feed_integer(state, step->inputs);
        for (int i = 0; i < step->inputs; i++) {
            feed_view(state, &step->input[i]);
        }
        feed_integer(state, step->outputs);
        for (int o = 0; o < step->outputs; o++) {
            feed_view(state, &step->output[o]);
        }
        feed_integer(state, step->expect);
        feed_integer(state, step->exact);
        if (step->observed) {
            feed_integer(state, -1); /* no length of a name: the next step begins with one */
        }
    }
    finish(state, hex);
}

void call_digest(const struct op_call *call, char hex[33])
{
    XXH3_state_t *state = XXH3_createState();
    if (!state) {
        memory_exit();
    }
    XXH3_128bits_reset(state);
    feed_string(state, call->op->name);
    feed_attributes(state, call->attributes);
    feed_integer(state, call->inputs);
    feed_integer(state, call->enclosed && call->op->enclose);
    for (int i = 0; i < call->inputs; i++) {
        if (tensor_absent(&call->input[i])) {
            feed_integer(state, -1);
            continue;
        }
        feed_integer(state, call->input[i].dtype);
        feed_shape(state, &call->input[i].shape);
        XXH3_128bits_update(state, call->input[i].data, tensor_bytes(&call->input[i]));
    }
    finish(state, hex);
}
