/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/values.h"
#include "harness/judge/traversal.h"
#include "reference/operator/bound_batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPLETE = 0x6F6B }; /* at the end of a file that was written whole */

static bool make_room(struct value_tensor *tensor)
{
    const size_t components = (size_t)value_components(tensor),
                 elements = (size_t)shape_elements(&tensor->shape);
    tensor->truth = calloc(components + 1, sizeof(double));
    tensor->tail = calloc(components + 1, sizeof(double));
    tensor->radius = calloc(components + 1, sizeof(double));
    tensor->got = calloc(components + 1, sizeof(double));
    tensor->bound = calloc(elements + 1, sizeof(double));
    tensor->bytes = calloc(elements + 1, dtype_info(tensor->dtype)->size);
    return tensor->truth && tensor->tail && tensor->radius && tensor->got && tensor->bound && tensor->bytes;
}

static void free_room(struct value_tensor *tensor)
{
    free(tensor->truth);
    free(tensor->tail);
    free(tensor->radius);
    free(tensor->got);
    free(tensor->bound);
    free(tensor->bytes);
}

/* Copies the numbers of element `i` of the tensor, which is element `at` of the slice's truth. */
static void take_element(struct value_tensor *tensor, const struct truth_output *output, int64_t i,
                         int64_t at, const unsigned char *bytes)
{
    const struct dtype_info *info = dtype_info(output->dtype);
    size_t size = dtype_info(info->component)->size;
    memcpy(tensor->bytes + (size_t)i * info->size, bytes, info->size);
    for (int c = 0; c < info->components; c++) {
        int64_t k = i * info->components + c, from = at * info->components + c;
        const struct value *truth = &output->value[from];
        tensor->truth[k] = value_approximately(truth);
        tensor->tail[k] = ldexp(truth->lo, truth->exponent);
        tensor->radius[k] = output->radius ? output->radius[from] : 0;
        tensor->got[k] = dtype_load(info->component, bytes + (size_t)c * size);
    }
}

/* Finds the error bounds of `count` ≤ BATCH_MAX elements of the slice's truth from `first` on: together where
 * that is possible. */
static void find_bounds(struct traversal *t, int64_t first, int count, bool together, double *bound)
{
    struct value_batch truth;
    struct bound_batch limit;
    struct accept accept;
    if (together) {
        value_batch_at(t->output, first, count, &truth);
        bound_batch_of(&t->query, first, count, &truth, &limit);
    }
    for (int i = 0; i < count; i++) {
        if (together && limit.plain[i]) {
            bound[i] = limit.radius[i];
            continue;
        }
        t->query.element = first + i;
        op_accept(&t->query, &accept);
        bound[i] = accept.set[0].unbounded_below ? INFINITY : accept.set[0].radius;
    }
}

/* Copies the elements of the current slice that no later step has written to, and returns their number. The
 * first element of `tensor` is element `origin` of the judged tensor. */
static int64_t take_slice(struct value_tensor *tensor, struct traversal *t, int64_t origin,
                          const struct images *images)
{
    const bool together = bound_batch_concerns(&t->query);
    struct element_block block;
    int64_t taken = 0;
    while (traversal_next_block(t, &block)) {
        const unsigned char *bytes = element_block_in(&block, images);
        for (int64_t i = 0; i < block.count; i++, bytes += block.stride) {
            const int64_t at = block.first - t->first + i;
            if (i % BATCH_MAX == 0) {
                int count = block.count - i < BATCH_MAX ? (int)(block.count - i) : BATCH_MAX;
                find_bounds(t, at, count, together, &tensor->bound[block.first - origin + i]);
            }
            take_element(tensor, t->output, block.first - origin + i, at, bytes);
        }
        taken += block.count;
    }
    return taken;
}

/* Copies the elements of all slices. */
static int64_t take_elements(struct value_tensor *tensor, struct traversal *t, const struct images *images)
{
    int64_t taken = 0;
    while (traversal_next_slice(t)) {
        taken += take_slice(tensor, t, 0, images);
    }
    return taken;
}

bool values_in_slices(const struct program *program, const struct program_truth *truth,
                      const struct images *images, const struct profile *profile, values_take_part *take,
                      void *user)
{
    struct ownership ownership;
    if (!ownership_create(&ownership, program, NULL)) {
        return false;
    }
    struct traversal t = traversal_of(program, truth, profile, &ownership);
    bool good = traversal_next_tensor(&t);
    while (good && traversal_next_slice(&t)) {
        struct value_tensor part = {.step = t.step,
                                    .judged = t.judged,
                                    .dtype = t.view.dtype,
                                    .shape = {.rank = 1, .dim = {t.end - t.first}}};
        good = make_room(&part) && take_slice(&part, &t, t.first, images) == t.end - t.first &&
               take(user, &part);
        free_room(&part);
    }
    ownership_destroy(&ownership);
    return good && !t.failed;
}

bool values_take(struct values *values, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile)
{
    struct ownership ownership;
    *values = (struct values){.count = 0};
    values->tensor = calloc((size_t)program->steps * TRUTH_OUTPUTS_MAX + 1, sizeof *values->tensor);
    if (!values->tensor || !ownership_create(&ownership, program, NULL)) {
        return false;
    }
    bool good = true;
    struct traversal t = traversal_of(program, truth, profile, &ownership);
    while (good && traversal_next_tensor(&t)) {
        struct value_tensor *tensor = &values->tensor[values->count++];
        *tensor = (struct value_tensor){
            .step = t.step, .judged = t.judged, .dtype = t.view.dtype, .shape = t.view.shape};
        good = make_room(tensor);
        if (good && take_elements(tensor, &t, images) < t.elements) {
            free_room(tensor);
            values->count--;
        }
    }
    ownership_destroy(&ownership);
    return good;
}

void values_clear(struct values *values)
{
    for (int t = 0; t < values->count; t++) {
        free_room(&values->tensor[t]);
    }
    free(values->tensor);
    *values = (struct values){.count = 0};
}

/* --- from one process to another */

typedef size_t transfer(void *, size_t, size_t, FILE *);

static size_t put(void *from, size_t size, size_t count, FILE *file)
{
    return fwrite(from, size, count, file);
}

static bool move_arrays(const struct value_tensor *tensor, transfer *move, FILE *file)
{
    const size_t components = (size_t)value_components(tensor),
                 elements = (size_t)shape_elements(&tensor->shape), size = dtype_info(tensor->dtype)->size;
    return move(tensor->truth, sizeof(double), components, file) == components &&
           move(tensor->tail, sizeof(double), components, file) == components &&
           move(tensor->radius, sizeof(double), components, file) == components &&
           move(tensor->got, sizeof(double), components, file) == components &&
           move(tensor->bound, sizeof(double), elements, file) == elements &&
           move(tensor->bytes, size, elements, file) == elements;
}

bool values_save(const struct values *values, const char *path)
{
    FILE *file = fopen(path, "wbe");
    int complete = COMPLETE;
    bool good = file && fwrite(&values->count, sizeof values->count, 1, file) == 1;
    for (int t = 0; good && t < values->count; t++) {
        good = fwrite(&values->tensor[t], sizeof values->tensor[t], 1, file) == 1 &&
               move_arrays(&values->tensor[t], put, file);
    }
    good = good && fwrite(&complete, sizeof complete, 1, file) == 1;
    return file && fclose(file) == 0 && good;
}

bool values_load(struct values *values, const char *path)
{
    FILE *file = fopen(path, "rbe");
    int count = 0, complete = 0;
    *values = (struct values){.count = 0};
    bool good = file && fread(&count, sizeof count, 1, file) == 1 && count >= 0;
    values->tensor = good ? calloc((size_t)count + 1, sizeof *values->tensor) : NULL;
    good = good && values->tensor;
    while (good && values->count < count) {
        struct value_tensor *tensor = &values->tensor[values->count];
        good = fread(tensor, sizeof *tensor, 1, file) == 1;
        if (good) { /* its pointers are those of the other process */
            values->count++;
            good = make_room(tensor) && move_arrays(tensor, fread, file);
        } else {
            *tensor = (struct value_tensor){.truth = NULL};
        }
    }
    good = good && fread(&complete, sizeof complete, 1, file) == 1 && complete == COMPLETE;
    if (file) {
        fclose(file);
    }
    return good;
}
