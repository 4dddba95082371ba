/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grows an array by one zeroed element and returns that. NULL when out of memory; the array is then
 * unchanged. */
static void *append(void *array, int *count, size_t size)
{
    void **pointer = array;
    void *grown = realloc(*pointer, ((size_t)*count + 1) * size);
    if (!grown) {
        return NULL;
    }
    *pointer = grown;
    void *element = (unsigned char *)grown + (size_t)*count * size;
    memset(element, 0, size);
    ++*count;
    return element;
}

struct program *program_create(void)
{
    return calloc(1, sizeof(struct program));
}

void program_destroy(struct program **program)
{
    if (!*program) {
        return;
    }
    for (int s = 0; s < (*program)->storages; s++) {
        free((*program)->storage[s].data - STORAGE_MARGIN);
        free((*program)->storage[s].defined);
    }
    free((*program)->storage);
    free((*program)->step);
    free((*program)->relation);
    free(*program);
    *program = NULL;
}

size_t storage_pages(size_t bytes)
{
    const size_t all = bytes + 2 * STORAGE_MARGIN;
    return bytes < STORAGE_PAGED ? 0 : (all + STORAGE_PAGE - 1) / STORAGE_PAGE * STORAGE_PAGE;
}

unsigned char *storage_allocate(size_t bytes)
{
    const size_t pages = storage_pages(bytes);
    return pages ? aligned_alloc(STORAGE_PAGE, pages) : malloc(bytes + 2 * STORAGE_MARGIN);
}

int program_storage(struct program *program, size_t bytes)
{
    if (bytes >= (size_t)INT64_MAX - 2 * STORAGE_PAGE) { /* the size is a saturated product */
        return -1;
    }
    unsigned char *memory = storage_allocate(bytes), *defined = calloc(1, bytes / 8 + 1);
    struct storage *storage = NULL;
    if (memory && defined) {
        memset(memory, 0, bytes + 2 * STORAGE_MARGIN);
        storage = append(&program->storage, &program->storages, sizeof *storage);
    }
    if (!storage) {
        free(memory);
        free(defined);
        return -1;
    }
    *storage = (struct storage){.bytes = bytes, .data = memory + STORAGE_MARGIN, .defined = defined};
    return program->storages - 1;
}

static void define_bytes(struct storage *storage, size_t first, size_t count)
{
    for (size_t at = first; at < first + count; at++) {
        storage->defined[at / 8] |= (unsigned char)(1U << at % 8);
    }
}

void program_define(struct program *program, const struct view *view)
{
    struct storage *storage = &program->storage[view->storage];
    size_t size = dtype_info(view->dtype)->size;
    int64_t count = shape_elements(&view->shape);
    if (storage->definition == DEFINED_ALL) {
        return;
    }
    if (view_is_contiguous(view) && view->offset == 0 && (size_t)count * size == storage->bytes) {
        storage->definition = DEFINED_ALL;
        return;
    }
    storage->definition = DEFINED_SOME;
    for (int64_t i = 0; i < count; i++) {
        define_bytes(storage, (size_t)view_element(view, i) * size, size);
    }
}

bool storage_defines(const struct storage *storage, const struct view *view)
{
    size_t size = dtype_info(view->dtype)->size;
    int64_t elements = storage->definition == DEFINED_ALL ? 0 : shape_elements(&view->shape);
    for (int64_t i = 0; i < elements; i++) {
        if (!storage_defined(storage, (size_t)view_element(view, i) * size)) {
            return false;
        }
    }
    return true;
}

static unsigned char *component_at(struct program *program, const struct view *view, int64_t i, int c)
{
    const struct dtype_info *info = dtype_info(view->dtype);
    size_t at = (size_t)view_element(view, i) * info->size + (size_t)c * dtype_info(info->component)->size;
    return program->storage[view->storage].data + at;
}

void program_set(struct program *program, const struct view *view, int64_t i, int c, double x)
{
    dtype_store(dtype_info(view->dtype)->component, component_at(program, view, i, c), x);
}

void program_set_bits(struct program *program, const struct view *view, int64_t i, int c, uint64_t bits)
{
    dtype_store_bits(dtype_info(view->dtype)->component, component_at(program, view, i, c), bits);
}

void program_set_patterns(struct program *program, const struct view *view, uint64_t first)
{
    unsigned char *to = component_at(program, view, 0, 0);
    const int64_t count = shape_elements(&view->shape);
    uint32_t word = (uint32_t)first;
    /* float32 is the most common */
    for (int64_t i = 0; view->dtype == DTYPE_FLOAT32 && i < count; i++, word++) {
        memcpy(to + i * (int64_t)sizeof word, &word, sizeof word);
    }
    for (int64_t i = 0; view->dtype != DTYPE_FLOAT32 && i < count; i++) {
        program_set_bits(program, view, i, 0, first + (uint64_t)i);
    }
}

struct view program_output(struct program *program, enum dtype dtype, const struct shape *shape)
{
    return view_contiguous(program_storage(program, (size_t)shape_bytes(shape, dtype)), dtype, shape);
}

struct view program_input(struct program *program, enum dtype dtype, const struct shape *shape)
{
    struct view view = program_output(program, dtype, shape);
    if (view.storage >= 0) {
        program->storage[view.storage].definition = DEFINED_ALL;
    }
    return view;
}

/* Returns whether every element of the view is data of the program that no step appended so far writes. */
static bool is_known(const struct program *program, const struct view *view)
{
    if (view->storage < 0 || view->storage >= program->storages ||
        !view_in_bounds(view, program->storage[view->storage].bytes)) {
        return false;
    }
    for (int s = 0; s < program->steps; s++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = step_judged(&program->step[s], judged);
        for (int j = 0; j < count; j++) {
            if (judged[j].storage == view->storage) {
                return false;
            }
        }
    }
    return storage_defines(&program->storage[view->storage], view);
}

bool program_operands(const struct program *program, const struct op *op, const struct attributes *attributes,
                      int inputs, const struct view *input, struct tensor *value,
                      struct op_operands *operands)
{
    *operands =
        (struct op_operands){.attributes = attributes, .inputs = inputs, .input = input, .value = value};
    memset(value, 0, OPERANDS_MAX * sizeof *value);
    if (inputs > OPERANDS_MAX) {
        return false;
    }
    for (int i = 0; i < inputs; i++) {
        if (op_is_indices(op, inputs, i) && is_known(program, &input[i]) &&
            !tensor_borrow(&value[i], &input[i], program->storage[input[i].storage].data)) {
            return false;
        }
    }
    return true;
}

struct step *program_step(struct program *program, const struct op *op, const struct attributes *attributes,
                          int inputs, const struct view *input)
{
    struct op_operands operands;
    struct op_signature signature = {.outputs = 0};
    struct tensor value[OPERANDS_MAX];
    bool good = program_operands(program, op, attributes, inputs, input, value, &operands);
    bool accepted = good && op_signature(op, &operands, &signature, NULL);
    for (int i = 0; i < OPERANDS_MAX; i++) {
        tensor_destroy(&value[i]);
    }
    struct step *step = good ? append(&program->step, &program->steps, sizeof *step) : NULL;
    if (!step) {
        return NULL;
    }
    step->op = op;
    step->inputs = inputs;
    if (attributes) {
        step->attributes = *attributes;
    }
    memcpy(step->input, input, (size_t)inputs * sizeof *input);
    if (!accepted) {
        step->expect = EXPECT_REJECTION;
        return step;
    }
    step->outputs = signature.outputs;
    for (int o = 0; o < signature.outputs; o++) {
        step->output[o] = program_output(program, signature.output[o].dtype, &signature.output[o].shape);
    }
    return step;
}

bool program_relate(struct program *program, const struct view *a, const struct view *b, const char *text)
{
    struct relation *relation = append(&program->relation, &program->relations, sizeof *relation);
    if (relation) {
        *relation = (struct relation){.a = *a, .b = *b, .text = text};
    }
    return relation != NULL;
}

static void round_attributes(struct attributes *attributes)
{
    for (int a = 0; a < attributes->count; a++) {
        if (attributes->item[a].type == ATTRIBUTE_REAL) {
            attributes->item[a].real = (float)attributes->item[a].real;
        }
    }
}

/* Gives a 16-bit operator whose eps is omitted the eps of float32 instead of its own dtype's. */
static void assume_epsilon(const struct op *op, enum dtype leading, struct attributes *attributes)
{
    const int before = attributes->count;
    const enum dtype of =
        dtype_info(leading)->size == 2 && dtype_is_floating(leading) ? DTYPE_FLOAT32 : leading;
    struct attributes all = *attributes;
    op_default_attributes(op, of, &all);
    for (int a = before; of != leading && a < all.count; a++) {
        if (op_default_is_epsilon(op, all.item[a].name)) {
            all.item[a].assumed = true;
            attributes->item[attributes->count++] = all.item[a];
        }
    }
}

void program_adapt(struct program *program, const struct profile *profile)
{
    for (int s = 0; s < program->steps; s++) {
        struct step *step = &program->step[s];
        if (profile->attributes_float32) {
            round_attributes(&step->attributes);
        }
        const struct op_operands operands = {
            .attributes = &step->attributes, .inputs = step->inputs, .input = step->input};
        struct attribute assumed;
        if (step->op->assumes && step->attributes.count < ATTRIBUTES_MAX &&
            step->op->assumes(step->op, profile, &operands, &assumed)) {
            step->attributes.item[step->attributes.count++] = assumed;
        }
        if (profile->epsilon_float32 && step->inputs > 0) {
            assume_epsilon(step->op, step->input[op_leading_input(step->op)].dtype, &step->attributes);
        }
    }
}

int step_judged(const struct step *step, struct view judged[TRUTH_OUTPUTS_MAX])
{
    int count = 0;
    for (int i = 0; i < step->inputs; i++) {
        if (op_mutates(step->op, step->inputs, i) && step->input[i].storage >= 0) {
            judged[count++] = step->input[i];
        }
    }
    for (int o = 0; o < step->outputs; o++) {
        judged[count++] = step->output[o];
    }
    return count;
}

void step_print_judged(const struct step *step, int judged, char text[JUDGED_TEXT])
{
    struct view views[TRUTH_OUTPUTS_MAX];
    int written = step_judged(step, views) - step->outputs;
    char number[RESULT_TEXT];
    op_print_result(step->op, judged - written, number);
    if (judged < written) {
        snprintf(number, sizeof number, "%d", judged);
    }
    snprintf(text, JUDGED_TEXT, "%s %s", judged < written ? "input" : "output", number);
}
