/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/program/slices.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The host's image of one storage while the program is executed: its bytes, and a mark for each byte that an
 * earlier step produced inexactly, so that no later step may use it. */
struct image {
    unsigned char *bytes;
    unsigned char *inexact;
};

static void images_destroy(struct image *image, int count)
{
    for (int s = 0; image && s < count; s++) {
        free(image[s].bytes);
        free(image[s].inexact);
    }
    free(image);
}

static struct image *images_create(const struct program *program)
{
    struct image *image = calloc((size_t)program->storages + 1, sizeof *image);
    for (int s = 0; image && s < program->storages; s++) {
        const struct storage *storage = &program->storage[s];
        image[s].bytes = malloc(storage->bytes + 1);
        image[s].inexact = calloc(1, storage->bytes + 1);
        if (!image[s].bytes || !image[s].inexact) {
            images_destroy(image, program->storages);
            return NULL;
        }
        memcpy(image[s].bytes, storage->data, storage->bytes);
    }
    return image;
}

/* Writes the rounded truth into the view and marks the bytes that are not exact. */
static void write_back(const struct truth_output *output, const struct view *view, struct image *image)
{
    const struct dtype_info *info = dtype_info(view->dtype);
    size_t size = dtype_info(info->component)->size;
    for (int64_t i = 0; i < output->elements; i++) {
        size_t at = (size_t)view_element(view, i) * info->size;
        for (int c = 0; c < info->components; c++) {
            const struct value *value = &output->value[i * info->components + c];
            unsigned char *to = image->bytes + at + (size_t)c * size;
            value_store(value, info->component, to);
            bool exact = value->class != VALUE_FINITE ||
                         (value->exact && value->lo == 0 && dtype_load(info->component, to) == value->hi);
            if (info->component == DTYPE_INT64) {
                exact = value->exact;
            }
            memset(image->inexact + at + (size_t)c * size, !exact, size);
        }
    }
}

static void write_all(const struct step *step, const struct truth *truth, struct image *image)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = step_judged(step, judged);
    for (int j = 0; j < count; j++) {
        write_back(&truth->output[j], &judged[j], &image[judged[j].storage]);
    }
}

/* Returns whether an element of the view was produced inexactly. `images` is NULL in a program of one step,
 * whose operands are the program's own data. */
static bool reads_inexact(const struct view *view, const struct image *images)
{
    const struct image *image = images ? &images[view->storage] : NULL;
    if (!image) {
        return false;
    }
    size_t size = dtype_info(view->dtype)->size;
    int64_t count = shape_elements(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        if (image->inexact[(size_t)view_element(view, i) * size]) {
            return true;
        }
    }
    return false;
}

static int64_t process_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool step_truth(const struct program *program, int s, struct image *image,
                       const struct truth_source *source, struct truth **truth, struct error *error)
{
    const struct step *step = &program->step[s];
    struct tensor input[OPERANDS_MAX] = {{.data = NULL}};
    struct op_signature signature = {.outputs = step->outputs};
    for (int o = 0; o < step->outputs; o++) {
        signature.output[o].dtype = step->output[o].dtype;
        signature.output[o].shape = step->output[o].shape;
    }
    struct op_call call = {
        .op = step->op, .attributes = &step->attributes, .inputs = step->inputs, .input = input};
    call.enclosed = !(source && source->certified) &&
                    program_step_stands_alone(program, s); /* later steps compute with the number, so it
                                                              must be certified */
    bool good = true;
    for (int i = 0; i < step->inputs && good; i++) {
        const struct view *view = &step->input[i];
        if (view->storage < 0) {
            continue;
        }
        if (reads_inexact(view, image)) {
            good =
                error_set(error,
                          "step %d (%s) reads what an earlier step computed inexactly: give the chain data "
                          "that stays exact",
                          s, step->op->name);
        } else {
            good = tensor_borrow(&input[i], view,
                                 image ? image[view->storage].bytes : program->storage[view->storage].data) ||
                   error_set(error, "step %d (%s): out of memory", s, step->op->name);
        }
    }
    if (good) {
        *truth = source && source->lookup && step->op->costly ? source->lookup(source->user, &call) : NULL;
        if (!*truth) {
            int64_t begun = process_ns();
            *truth = op_truth(&call, &signature, error);
            if (*truth && source && source->store && step->op->costly) {
                source->store(source->user, &call, *truth, process_ns() - begun);
            }
        }
        good = *truth != NULL;
    }
    if (good && image) {
        write_all(step, *truth, image);
    }
    for (int i = 0; i < step->inputs; i++) {
        tensor_destroy(&input[i]);
    }
    return good;
}

bool program_truth_compute(const struct program *program, const struct truth_source *source,
                           struct program_truth *truth, struct error *error)
{
    *truth = (struct program_truth){.steps = program->steps};
    truth->truth = calloc((size_t)program->steps + 1, sizeof *truth->truth);
    if (truth->truth && source && source->sliced) {
        truth->slices = truth_slices_create(program, source->certified, source->sliced_least, error);
    }
    if (truth->slices) {
        return true;
    }
    struct image *image = program->steps > 1 ? images_create(program) : NULL;
    bool good = ((image || program->steps < 2) && truth->truth) ||
                error_set(error, "out of memory for the program's truth");
    for (int s = 0; s < program->steps && good; s++) {
        if (program->step[s].expect == EXPECT_VALUE) {
            good = step_truth(program, s, image, source, &truth->truth[s], error);
        }
    }
    images_destroy(image, program->storages); /* accepts NULL */
    if (!good) {
        program_truth_destroy(truth);
    }
    return good;
}

bool program_truth_complete(const struct program *program, struct program_truth *truth, struct error *error)
{
    struct truth_source source = {.certified = truth->slices && !truth->slices->call.enclosed};
    if (!truth->slices) {
        return true;
    }
    program_truth_destroy(truth);
    return program_truth_compute(program, &source, truth, error);
}

void program_truth_destroy(struct program_truth *truth)
{
    truth_slices_destroy(&truth->slices);
    for (int s = 0; truth->truth && s < truth->steps; s++) {
        truth_destroy(&truth->truth[s]);
    }
    free(truth->truth);
    *truth = (struct program_truth){.steps = 0};
}

bool program_step_inputs(const struct program *program, const struct program_truth *truth, int step,
                         struct tensor *input)
{
    const struct step *of = &program->step[step];
    struct image *image = step > 0 ? images_create(program) : NULL;
    bool good = step == 0 || image;
    for (int s = 0; good && s < step; s++) {
        if (truth->truth[s]) {
            write_all(&program->step[s], truth->truth[s], image);
        }
    }
    for (int i = 0; good && i < of->inputs; i++) {
        const struct view *view = &of->input[i];
        if (view->storage >= 0) {
            good = image ? tensor_gather(&input[i], view, image[view->storage].bytes)
                         : tensor_borrow(&input[i], view, program->storage[view->storage].data);
        }
    }
    images_destroy(image, program->storages);
    return good;
}
