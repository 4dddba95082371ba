/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *room_for(int64_t doubles, bool cleared)
{
    const size_t count = (size_t)doubles;
    return cleared ? calloc(count, sizeof(double)) : malloc(count * sizeof(double));
}

bool truth_output_create(struct truth_output *output, enum dtype dtype, const struct shape *shape,
                         int sensitivities, bool cleared)
{
    *output = (struct truth_output){.dtype = dtype, .shape = *shape, .sensitivities = sensitivities};
    output->elements = shape_elements(shape);
    const int64_t components = count_product(output->elements, dtype_info(dtype)->components);
    const int64_t doubles = count_product(output->elements, sensitivities);
    if (count_product(components, sizeof *output->value) == INT64_MAX ||
        count_product(doubles, sizeof *output->sensitivity) == INT64_MAX) {
        return false;
    }
    const size_t bytes = (size_t)components * sizeof *output->value;
    output->value = components ? cleared ? calloc(1, bytes) : malloc(bytes) : NULL;
    output->sensitivity = doubles ? room_for(doubles, cleared) : NULL;
    return (output->value || !components) && (output->sensitivity || !doubles);
}

bool truth_output_radius(struct truth_output *output, bool cleared)
{
    output->radius = room_for(output->elements * dtype_info(output->dtype)->components + 1, cleared);
    return output->radius != NULL;
}

bool truth_output_envelope(struct truth_output *output)
{
    output->envelope = calloc((size_t)output->elements + 1, sizeof *output->envelope);
    for (int64_t i = 0; output->envelope && i < output->elements; i++) {
        output->envelope[i].spread = INFINITY;
        output->envelope[i].group = -1;
    }
    return output->envelope != NULL;
}

void truth_destroy(struct truth **truth)
{
    if (!*truth) {
        return;
    }
    for (int o = 0; o < (*truth)->outputs; o++) {
        free((*truth)->output[o].value);
        free((*truth)->output[o].radius);
        free((*truth)->output[o].number);
        free((*truth)->output[o].sensitivity);
        free((*truth)->output[o].envelope);
    }
    truth_destroy(&(*truth)->flushed);
    free(*truth);
    *truth = NULL;
}

/* --- serialised form: a header of fixed fields, then the arrays of each output in order, then the flushed
 * truth */

struct writer {
    unsigned char *bytes;
    size_t size, used;
};

static void put(struct writer *writer, const void *from, size_t size)
{
    if (writer->bytes && size) {
        memcpy(writer->bytes + writer->used, from, size);
    }
    writer->used += size;
}

static void put_truth(struct writer *writer, const struct truth *truth)
{
    int32_t head[5] = {TRUTH_SERIAL_VERSION, truth->outputs, truth->bits, truth->flushed != NULL,
                       (int32_t)truth->flushed_dtypes};
    put(writer, head, sizeof head);
    for (int o = 0; o < truth->outputs; o++) {
        const struct truth_output *output = &truth->output[o];
        int32_t kind[5] = {(int32_t)output->dtype, output->sensitivities, output->envelope != NULL,
                           output->shape.rank, output->radius != NULL};
        put(writer, kind, sizeof kind);
        put(writer, output->shape.dim, (size_t)output->shape.rank * sizeof *output->shape.dim);
        put(writer, &output->scale, sizeof output->scale);
        size_t components = (size_t)output->elements * (size_t)dtype_info(output->dtype)->components;
        put(writer, output->value, components * sizeof *output->value);
        put(writer, output->radius, output->radius ? components * sizeof *output->radius : 0);
        put(writer, output->sensitivity,
            (size_t)output->elements * (size_t)output->sensitivities * sizeof(double));
        put(writer, output->envelope,
            output->envelope ? (size_t)output->elements * sizeof *output->envelope : 0);
    }
    if (truth->flushed) {
        put_truth(writer, truth->flushed);
    }
}

size_t truth_serialized_size(const struct truth *truth)
{
    struct writer measure = {.bytes = NULL};
    put_truth(&measure, truth);
    return measure.used;
}

unsigned char *truth_serialize(const struct truth *truth, size_t *size)
{
    size_t bytes = truth_serialized_size(truth);
    struct writer writer = {.bytes = malloc(bytes), .size = bytes};
    if (writer.bytes) {
        put_truth(&writer, truth);
        *size = writer.used;
    }
    return writer.bytes;
}

struct reader {
    const unsigned char *bytes;
    size_t size, used;
};

static bool get(struct reader *reader, void *to, size_t size)
{
    if (size > reader->size - reader->used) {
        return false;
    }
    if (size) {
        memcpy(to, reader->bytes + reader->used, size);
    }
    reader->used += size;
    return true;
}

static bool shape_is_sane(const struct shape *shape, size_t bytes_left)
{
    int64_t elements = 1;
    for (int d = 0; d < shape->rank; d++) {
        if (shape->dim[d] < 0 || shape->dim[d] > (int64_t)bytes_left) {
            return false;
        }
        elements = count_product(elements, shape->dim[d]);
        if (elements > (int64_t)bytes_left) {
            return false;
        }
    }
    return true;
}

static bool get_output(struct reader *reader, struct truth_output *output)
{
    int32_t kind[5];
    double scale;
    if (!get(reader, kind, sizeof kind) || kind[0] < 0 || kind[0] >= DTYPE_COUNT || kind[1] < 0 ||
        kind[1] > 1 << 16 || kind[2] < 0 || kind[2] > 1 || kind[3] < 0 || kind[3] > RANK_MAX || kind[4] < 0 ||
        kind[4] > 1) {
        return false;
    }
    struct shape shape = {.rank = kind[3]};
    if (!get(reader, shape.dim, (size_t)shape.rank * sizeof *shape.dim) ||
        !get(reader, &scale, sizeof scale) || !shape_is_sane(&shape, reader->size)) {
        return false;
    }
    if (!truth_output_create(output, (enum dtype)kind[0], &shape, kind[1], true) ||
        (kind[2] && !truth_output_envelope(output)) || (kind[4] && !truth_output_radius(output, true))) {
        return false;
    }
    output->scale = scale;
    size_t components = (size_t)output->elements * (size_t)dtype_info(output->dtype)->components;
    return get(reader, output->value, components * sizeof *output->value) &&
           get(reader, output->radius, output->radius ? components * sizeof *output->radius : 0) &&
           get(reader, output->sensitivity, (size_t)output->elements * (size_t)kind[1] * sizeof(double)) &&
           get(reader, output->envelope,
               output->envelope ? (size_t)output->elements * sizeof *output->envelope : 0);
}

static struct truth *get_truth(struct reader *reader, int depth)
{
    int32_t head[5];
    if (!get(reader, head, sizeof head) || head[0] != TRUTH_SERIAL_VERSION || head[1] < 0 ||
        head[1] > TRUTH_OUTPUTS_MAX || (head[3] && depth)) {
        return NULL;
    }
    struct truth *truth = calloc(1, sizeof *truth);
    bool good = truth != NULL;
    if (good) {
        truth->bits = head[2];
        truth->flushed_dtypes = (uint32_t)head[4];
        while (good && truth->outputs < head[1]) {
            good = get_output(reader, &truth->output[truth->outputs++]);
        }
        if (good && head[3]) {
            truth->flushed = get_truth(reader, depth + 1);
            good = truth->flushed != NULL;
        }
    }
    if (!good) {
        truth_destroy(&truth);
    }
    return truth;
}

struct truth *truth_deserialize(const unsigned char *bytes, size_t size)
{
    struct reader reader = {.bytes = bytes, .size = size};
    struct truth *truth = get_truth(&reader, 0);
    if (truth && reader.used != size) {
        truth_destroy(&truth);
    }
    return truth;
}
