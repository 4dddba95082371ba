/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/program/observed.h"
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

/* Marks what a step writes as inexact, so that only observed steps may read it. */
static void mark_inexact(const struct step *step, struct image *image)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = step_judged(step, judged);
    for (int j = 0; j < count; j++) {
        const size_t size = dtype_info(judged[j].dtype)->size;
        const int64_t elements = shape_elements(&judged[j].shape);
        for (int64_t i = 0; i < elements; i++) {
            memset(image[judged[j].storage].inexact + (size_t)view_element(&judged[j], i) * size, 1, size);
        }
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

/* What the operands of steps are read from. */
struct memory {
    struct image *image;        /* the program as the host executes it; NULL: its own data */
    unsigned char *const *left; /* what a run left; NULL: no run */
};

/* Sets an operand of a step to the values from which its truth is found. */
static bool read_operand(const struct program *program, int s, int i, const struct memory *memory,
                         struct tensor *input, struct error *error)
{
    const struct view *view = &program->step[s].input[i];
    unsigned char *bytes =
        memory->image ? memory->image[view->storage].bytes : program->storage[view->storage].data;
    char name[STEP_TEXT];
    program_print_step(program, s, name);
    if (program_operand_is_observed(program, s, i)) {
        if (!memory->left) {
            return error_set(error,
                             "%s is judged from what the device computed before: its truth exists only after "
                             "a run",
                             name);
        }
        bytes = program_operand_bytes(program, memory->left, s, i);
    } else if (reads_inexact(view, memory->image)) {
        return error_set(error,
                         "%s reads what an earlier step computed inexactly: give the chain data that stays "
                         "exact, or declare the step observed",
                         name);
    }
    return tensor_borrow(input, view, bytes) || error_set(error, "%s: out of memory", name);
}

static bool step_truth(const struct program *program, int s, const struct memory *memory,
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
                    program_step_is_separate(program, s); /* later steps compute with the number, so it must
                                                             be certified */
    bool good = true;
    for (int i = 0; i < step->inputs && good; i++) {
        good = step->input[i].storage < 0 || read_operand(program, s, i, memory, &input[i], error);
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
    if (good && memory->image) {
        write_all(step, *truth, memory->image);
    }
    for (int i = 0; i < step->inputs; i++) {
        tensor_destroy(&input[i]);
    }
    return good;
}

/* Returns whether a step's operands may be intermediates that the host has to compute. */
static bool needs_images(const struct program *program)
{
    bool needs = false;
    for (int s = 1; s < program->steps; s++) {
        needs = needs || !program->step[s].observed;
    }
    return needs;
}

/* Lets the truth of a step come in slices if it is large enough and needed for no other. */
static bool slice(const struct program *program, int s, const struct truth_source *source,
                  struct program_truth *truth, struct error *error)
{
    const bool separate =
        program->steps == 1 || (program->step[s].observed && program_step_is_separate(program, s));
    if (!source || !source->sliced || !separate) {
        return false;
    }
    struct truth_slices *slices =
        truth_slices_create(program, s, source->left, source->certified, source->sliced_least, error);
    if (slices && !truth->slices) {
        truth->slices = calloc((size_t)program->steps, sizeof *truth->slices);
    }
    if (slices && truth->slices) {
        truth->slices[s] = slices;
        return true;
    }
    truth_slices_destroy(&slices);
    return false;
}

bool program_truth_compute(const struct program *program, const struct truth_source *source,
                           struct program_truth *truth, struct error *error)
{
    const int steps = source && source->steps ? source->steps : program->steps;
    *truth = (struct program_truth){.steps = program->steps, .left = source ? source->left : NULL};
    truth->truth = calloc((size_t)program->steps + 1, sizeof *truth->truth);
    const bool images = needs_images(program);
    struct memory memory = {.image = images ? images_create(program) : NULL, .left = truth->left};
    bool good = ((memory.image || !images) && truth->truth) ||
                error_set(error, "out of memory for the program's truth");
    for (int s = 0; s < steps && good; s++) {
        if (program->step[s].expect != EXPECT_VALUE) {
            continue;
        }
        good = slice(program, s, source, truth, error) ||
               step_truth(program, s, &memory, source, &truth->truth[s], error);
        if (good && memory.image && program_step_observes(program, s)) {
            mark_inexact(&program->step[s], memory.image);
        }
    }
    images_destroy(memory.image, program->storages); /* accepts NULL */
    if (!good) {
        program_truth_destroy(truth);
    }
    return good;
}

unsigned char **program_rehearse(const struct program *program, struct error *error)
{
    const struct truth_source source = {.certified = true};
    struct image *image = images_create(program);
    unsigned char **left = calloc((size_t)program->storages + 1, sizeof *left);
    bool good = (image && left) || error_set(error, "out of memory for the program's truth");
    for (int s = 0; good && s < program->storages; s++) {
        left[s] = image[s].bytes;
    }
    for (int s = 0; good && s < program->steps; s++) {
        const struct memory memory = {.image = image, .left = left};
        struct truth *truth = NULL;
        good = program->step[s].expect != EXPECT_VALUE ||
               step_truth(program, s, &memory, &source, &truth, error);
        truth_destroy(&truth);
    }
    for (int s = 0; good && s < program->storages; s++) {
        image[s].bytes = NULL; /* `left` owns them now */
    }
    images_destroy(image, program->storages);
    if (!good) {
        free(left);
        left = NULL;
    }
    return left;
}

void program_left_destroy(const struct program *program, unsigned char ***left)
{
    for (int s = 0; *left && s < program->storages; s++) {
        free((*left)[s]);
    }
    free(*left);
    *left = NULL;
}

bool program_truth_complete(const struct program *program, struct program_truth *truth, struct error *error)
{
    struct truth_source source = {.left = truth->left};
    bool sliced = false;
    for (int s = 0; truth->slices && s < truth->steps; s++) {
        sliced = sliced || truth->slices[s];
        source.certified = source.certified || (truth->slices[s] && !truth->slices[s]->call.enclosed);
        source.steps = program_truth_has(truth, s) ? s + 1 : source.steps;
    }
    if (!sliced) {
        return true;
    }
    program_truth_destroy(truth);
    return program_truth_compute(program, &source, truth, error);
}

void program_truth_destroy(struct program_truth *truth)
{
    for (int s = 0; truth->slices && s < truth->steps; s++) {
        truth_slices_destroy(&truth->slices[s]);
    }
    free(truth->slices);
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
    const bool needs = step > 0 && !of->observed;
    struct image *image = needs ? images_create(program) : NULL;
    bool good = !needs || image;
    for (int s = 0; good && needs && s < step; s++) {
        if (truth->truth[s]) {
            write_all(&program->step[s], truth->truth[s], image);
        }
    }
    for (int i = 0; good && i < of->inputs; i++) {
        const struct view *view = &of->input[i];
        if (view->storage >= 0) {
            good = image
                       ? tensor_gather(&input[i], view, image[view->storage].bytes)
                       : tensor_borrow(&input[i], view, program_operand_bytes(program, truth->left, step, i));
        }
    }
    images_destroy(image, program->storages);
    return good;
}
