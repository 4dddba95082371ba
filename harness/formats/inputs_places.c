/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/inputs_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAPS_MOST = 256 << 20, EXPANDED_MOST = 1 << 30 };

/* --- limits */

bool repro_memory_bounded(int64_t bytes, int64_t array)
{
    return bytes >= 0 && (bytes <= count_product(array, 64) || bytes <= 1 << 20) &&
           (bytes <= GAPS_MOST || bytes / 2 <= array);
}

bool repro_place_sane(const struct view *view)
{
    int64_t reach = view->offset, step;
    bool good = view->offset >= 0;
    for (int d = 0; good && d < view->shape.rank; d++) {
        int64_t stride = view->stride[d];
        good = stride > -INT64_MAX &&
               !__builtin_mul_overflow(stride < 0 ? -stride : stride, view->shape.dim[d], &step) &&
               !__builtin_add_overflow(reach, step, &reach);
    }
    return good && reach < INT64_MAX / 64;
}

/* Sets the least and the greatest element of a view that repro_place_sane accepts; 0 and −1 if it is empty.
 */
static void extent(const struct view *view, int64_t *least, int64_t *greatest)
{
    const bool empty = shape_elements(&view->shape) == 0;
    *least = empty ? 0 : view->offset;
    *greatest = empty ? -1 : view->offset;
    for (int d = 0; !empty && d < view->shape.rank; d++) {
        int64_t reach = (view->shape.dim[d] - 1) * view->stride[d];
        *(reach < 0 ? least : greatest) += reach;
    }
}

/* --- a new input */

bool inputs_append(struct reading *r, struct tensor *tensor, bool untyped)
{
    const int i = r->inputs->inputs;
    if (i == OPERANDS_MAX) {
        return error_set(r->error, "%s takes at most %d inputs, more are given with --input", r->op->name,
                         op_inputs_max(r->op));
    }
    r->untyped[i] = untyped;
    r->place[i] = view_contiguous(i, tensor->dtype, &tensor->shape);
    r->room[i] = shape_elements(&tensor->shape);
    r->inputs->input[r->inputs->inputs++] = *tensor;
    *tensor = (struct tensor){.data = NULL};
    return true;
}

/* --- reading --layout */

enum layout_kind { AS_READ, CONTIGUOUS, TRANSPOSED, CHANNELS_LAST, STRIDES };

struct layout_words {
    enum layout_kind kind;
    int strides;
    int64_t stride[RANK_MAX], offset;
    bool has_offset;
};

/* Reads whole numbers between commas. Stops before a word or at the end. Returns NULL with a fault. */
static const char *read_numbers(const char *text, int64_t number[RANK_MAX], int *count)
{
    char *end;
    *count = 0;
    while (*text && !(*text >= 'a' && *text <= 'z')) {
        errno = 0;
        number[*count < RANK_MAX ? *count : 0] = strtoll(text, &end, 10);
        if (end == text || errno || *count == RANK_MAX || (*end && (*end != ',' || !end[1]))) {
            return NULL;
        }
        ++*count;
        text = *end ? end + 1 : end;
    }
    return text;
}

static bool read_layout(const char *spec, struct layout_words *words)
{
    static const char *const names[] = {
        [CONTIGUOUS] = "contiguous", [TRANSPOSED] = "transposed", [CHANNELS_LAST] = "channels-last"};
    *words = (struct layout_words){.kind = AS_READ};
    if (strncmp(spec, "strides:", 8) == 0) {
        words->kind = STRIDES;
        spec = read_numbers(spec + 8, words->stride, &words->strides);
    }
    for (int k = CONTIGUOUS; spec && words->kind == AS_READ && k <= CHANNELS_LAST; k++) {
        size_t length = strlen(names[k]);
        if (strncmp(spec, names[k], length) == 0 && (!spec[length] || spec[length] == ',')) {
            words->kind = (enum layout_kind)k;
            spec += length + (spec[length] == ',');
        }
    }
    if (spec && strncmp(spec, "offset:", 7) == 0) {
        int count;
        int64_t number[RANK_MAX];
        spec = read_numbers(spec + 7, number, &count);
        words->offset = number[0];
        words->has_offset = spec && count == 1 && words->offset >= 0;
        spec = words->has_offset ? spec : NULL;
    }
    return spec && !*spec && (words->kind != AS_READ || words->has_offset);
}

/* Splits "I=…": sets the input's number. Returns what is behind the "=", or NULL with the fault. */
static const char *read_input(const struct reading *r, const char *option, const char *text, bool seen[],
                              int *input)
{
    char *end;
    errno = 0;
    long i = strtol(text, &end, 10);
    if (end == text || *end != '=' || errno || i < 0) {
        error_set(r->error, "--%s %s: write the input's number, from 0, and \"=\", as in --%s 0=%s", option,
                  text, option, strcmp(option, "layout") == 0 ? "transposed" : "4,3");
        return NULL;
    }
    if (i >= r->inputs->inputs) {
        error_set(r->error, "--%s %s: the inputs are numbered 0 to %d", option, text, r->inputs->inputs - 1);
        return NULL;
    }
    if (seen[i]) {
        error_set(r->error, "--%s %s: input %ld has one already; give one --%s for each input", option, text,
                  i, option);
        return NULL;
    }
    if (tensor_absent(&r->inputs->input[i])) {
        error_set(r->error, "--%s %s: input %ld (%s) is left out, or is made from a sparse matrix", option,
                  text, i, op_operand_name(r->op, r->inputs->inputs, (int)i));
        return NULL;
    }
    seen[i] = true;
    *input = (int)i;
    return end + 1;
}

/* --- --layout */

/* Sets the strides of a dense array whose dimensions lie in memory in this order, the outermost first. */
static void lay_in_order(struct view *view, const int order[])
{
    int64_t stride = 1;
    for (int k = view->shape.rank - 1; k >= 0; k--) {
        view->stride[order[k]] = stride;
        stride = count_product(stride, view->shape.dim[order[k]] > 0 ? view->shape.dim[order[k]] : 1);
    }
}

/* Sets the strides. Returns NULL, or why this is impossible. */
static const char *lay(struct view *view, const struct layout_words *words)
{
    const int rank = view->shape.rank;
    int order[RANK_MAX];
    for (int d = 0; d < rank; d++) {
        order[d] = d;
    }
    switch (words->kind) {
    case TRANSPOSED:
        if (rank < 2) {
            return "transposed needs at least 2 dimensions";
        }
        order[rank - 1] = rank - 2;
        order[rank - 2] = rank - 1;
        break;
    case CHANNELS_LAST:
        if (rank < 3 || rank > 5) {
            return "channels-last needs 3, 4 or 5 dimensions (NCL, NCHW or NCDHW)";
        }
        for (int d = 1; d < rank; d++) {
            order[d] = d < rank - 1 ? d + 1 : 1;
        }
        break;
    case STRIDES:
        if (words->strides != rank) {
            return "it has not one stride for each dimension";
        }
        memcpy(view->stride, words->stride, sizeof view->stride);
        return NULL;
    case AS_READ:
        return NULL;
    default:
        break;
    }
    lay_in_order(view, order);
    return NULL;
}

/* Returns false if elements of the input that share memory have different values; it writes the input to
 * memory and reads it again. */
static bool agrees(const struct tensor *tensor, const struct view *view, int64_t room)
{
    const size_t size = dtype_info(tensor->dtype)->size;
    unsigned char *memory = calloc((size_t)room + 1, size);
    struct tensor there = {.data = NULL};
    bool good = memory != NULL;
    if (good) {
        tensor_scatter(tensor, view, memory);
        good = tensor_gather(&there, view, memory) &&
               memcmp(there.data, tensor->data, tensor_bytes(tensor)) == 0;
    }
    tensor_destroy(&there);
    free(memory);
    return good;
}

static bool place_one(struct reading *r, const char *text, int i, const char *spec)
{
    struct layout_words words;
    struct view *view = &r->place[i], placed = *view;
    const struct tensor *tensor = &r->inputs->input[i];
    int64_t least, greatest;
    if (!read_layout(spec, &words)) {
        return error_set(r->error,
                         "--layout %s: write contiguous, transposed, channels-last or strides:S0,S1,…, then "
                         "at will \",offset:N\"; or offset:N alone",
                         text);
    }
    const char *fault = lay(&placed, &words);
    char shape[SHAPE_TEXT];
    shape_print(&tensor->shape, shape, sizeof shape);
    if (fault) {
        return error_set(r->error, "--layout %s: %s; input %d is %s", text, fault, i, shape);
    }
    placed.offset = 0;
    if (!repro_place_sane(&placed)) {
        return error_set(r->error, "--layout %s: its strides are too large for %s", text, shape);
    }
    extent(&placed, &least, &greatest);
    placed.offset = words.has_offset ? words.offset : -least;
    if (placed.offset + least < 0) {
        return error_set(r->error, "--layout %s: with these strides the offset must be at least %" PRId64,
                         text, -least);
    }
    const int64_t array = tensor_bytes(tensor) ? (int64_t)tensor_bytes(tensor) : 1;
    if (!repro_place_sane(&placed) ||
        !repro_memory_bounded(
            count_product(placed.offset + greatest + 1, (int64_t)dtype_info(tensor->dtype)->size), array)) {
        return error_set(r->error,
                         "--layout %s: input %d would lie over more than 64 times the memory of its values "
                         "(twice from 256 MiB on); use smaller strides",
                         text, i);
    }
    *view = placed;
    r->room[i] = placed.offset + greatest + 1;
    return words.kind != STRIDES || tensor_bytes(tensor) == 0 || agrees(tensor, &placed, r->room[i]) ||
           error_set(r->error,
                     "--layout %s: elements of input %d that share memory have different values; strides "
                     "under which elements overlap need equal ones",
                     text, i);
}

/* --- --expand */

/* Repeats input i as torch.expand does: new dimensions, and those of length 1, get stride 0. */
static bool expand_one(struct reading *r, const char *text, int i, const char *spec)
{
    struct tensor *tensor = &r->inputs->input[i], expanded;
    struct view *view = &r->place[i];
    struct shape to = {.rank = 0};
    char list[SHAPE_TEXT] = "", shape[SHAPE_TEXT];
    size_t length = strlen(spec);
    bool bracketed = length > 1 && length < sizeof list && spec[0] == '[' && spec[length - 1] == ']';
    snprintf(list, sizeof list, "%.*s", bracketed ? (int)length - 2 : (int)(sizeof list - 1),
             spec + bracketed);
    const char *end = read_numbers(list, to.dim, &to.rank);
    if (length >= sizeof list || !end || *end) {
        return error_set(r->error, "--expand %s: write a shape of at most %d numbers, as in --expand %d=4,3",
                         text, RANK_MAX, i);
    }
    const int skip = to.rank - tensor->shape.rank;
    bool good = skip >= 0;
    for (int d = 0; good && d < to.rank; d++) {
        int64_t own = d < skip ? 1 : tensor->shape.dim[d - skip];
        to.dim[d] = to.dim[d] == -1 && d >= skip ? own : to.dim[d];
        good = to.dim[d] >= 0 && (own == 1 || own == to.dim[d]);
    }
    shape_print(&tensor->shape, shape, sizeof shape);
    if (!good) {
        return error_set(r->error,
                         "--expand %s: input %d is %s; only new dimensions at the front and those of length "
                         "1 can be expanded",
                         text, i, shape);
    }
    if (op_is_indices(r->op, r->inputs->inputs, i)) {
        return error_set(r->error, "--expand %s: input %d has the indices of a sparse matrix", text, i);
    }
    if (shape_bytes(&to, tensor->dtype) > EXPANDED_MOST) {
        return error_set(r->error, "--expand %s: the expanded operand would have more than 1 GiB of values",
                         text);
    }
    struct view values = view_contiguous(0, tensor->dtype, &tensor->shape);
    struct view wide = view_broadcast(&values, &to), placed = view_broadcast(view, &to);
    for (int d = 0; d < to.rank; d++) { /* as in torch, a dimension keeps its stride if its length stays */
        if (d >= skip && view->shape.dim[d - skip] == to.dim[d]) {
            placed.stride[d] = view->stride[d - skip];
        }
    }
    if (!tensor_gather(&expanded, &wide, tensor->data)) {
        return error_set(r->error, "--expand %s: out of memory", text);
    }
    tensor_destroy(tensor);
    *tensor = expanded;
    *view = placed;
    return true;
}

/* --- all of it */

/* Drops the memory before and behind a slice of a large file that repro_memory_bounded would not admit. */
static bool trim(struct reading *r, int i)
{
    enum { ALIGNED = 64 };
    const struct tensor *tensor = &r->inputs->input[i];
    struct view *view = &r->place[i];
    const int64_t size = (int64_t)dtype_info(tensor->dtype)->size,
                  array = tensor_bytes(tensor) ? (int64_t)tensor_bytes(tensor) : 1;
    int64_t least, greatest;
    if (repro_memory_bounded(count_product(r->room[i], size), array)) {
        return true;
    }
    extent(view, &least, &greatest);
    view->offset -= least - least % ALIGNED;
    r->room[i] = greatest + 1 - (least - least % ALIGNED);
    return repro_memory_bounded(count_product(r->room[i], size), array) ||
           error_set(r->error,
                     "input %d: its slice lies over more than 64 times the memory of its values (twice from "
                     "256 MiB on); give it a place of its own with --layout %d=contiguous",
                     i, i);
}

/* Records the place of input i, unless it is contiguous in a memory of its own. */
static void record(struct reading *r, int i)
{
    const struct tensor *tensor = &r->inputs->input[i];
    const struct view *view = &r->place[i];
    struct repro_layout *layout = &r->inputs->layout[i];
    const struct view plain = view_contiguous(0, tensor->dtype, &tensor->shape);
    const int64_t elements = shape_elements(&tensor->shape);
    if (tensor_absent(tensor) || elements == 0 ||
        (memcmp(view->stride, plain.stride, sizeof *plain.stride * (size_t)plain.shape.rank) == 0 &&
         view->offset == 0 && r->room[i] == elements)) {
        return;
    }
    *layout = (struct repro_layout){.given = true,
                                    .storage = i,
                                    .bytes = r->room[i] * (int64_t)dtype_info(tensor->dtype)->size,
                                    .offset = view->offset};
    memcpy(layout->stride, view->stride, sizeof layout->stride);
}

bool inputs_place(struct reading *r, const struct repro_places *places)
{
    bool laid[OPERANDS_MAX] = {false}, expanded[OPERANDS_MAX] = {false}, good = true;
    for (int i = 0; i < r->inputs->inputs; i++) {
        r->place[i].dtype = r->inputs->input[i].dtype; /* it may have been rounded to another */
    }
    for (int k = 0; good && places && k < places->layouts->count; k++) {
        int i = 0;
        const char *text = places->layouts->text[k], *spec = read_input(r, "layout", text, laid, &i);
        good = spec && place_one(r, text, i, spec);
    }
    for (int i = 0; good && i < r->inputs->inputs; i++) {
        good = tensor_absent(&r->inputs->input[i]) || trim(r, i);
    }
    for (int k = 0; good && places && k < places->expands->count; k++) {
        int i = 0;
        const char *text = places->expands->text[k], *spec = read_input(r, "expand", text, expanded, &i);
        good = spec && expand_one(r, text, i, spec);
    }
    for (int i = 0; good && i < r->inputs->inputs; i++) {
        record(r, i);
    }
    return good;
}
