/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/programs/faulty_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MAX = 256, BYTES_MAX = 1 << 20 };

/* The elements of one view, gathered: row-major, without gaps. */
struct values {
    size_t bytes;
    int64_t elements;
    unsigned char *data;
};

static struct values gather(const struct view *view, unsigned char *const *image)
{
    size_t size = dtype_info(view->dtype)->size;
    struct values values = {.elements = shape_elements(&view->shape)};
    values.bytes = (size_t)values.elements * size;
    values.data = malloc(values.bytes + 1);
    for (int64_t i = 0; values.data && i < values.elements; i++) {
        memcpy(values.data + (size_t)i * size,
               image[view->storage] + BACKEND_GUARD + (size_t)view_element(view, i) * size, size);
    }
    return values;
}

static void scatter(const struct view *view, unsigned char *const *image, const struct values *values)
{
    size_t size = dtype_info(view->dtype)->size;
    for (int64_t i = 0; values->data && i < values->elements; i++) {
        memcpy(image[view->storage] + BACKEND_GUARD + (size_t)view_element(view, i) * size,
               values->data + (size_t)i * size, size);
    }
}

/* One call. */
struct call {
    const struct step *step;
    struct view out; /* its last judged view */
    unsigned char **image;
    const char *op;
};

static struct kept {
    const char *op;
    uint32_t key;
    struct values values;
} kept[KEPT_MAX];
static int kepts;

static struct values *find(const char *op, size_t bytes, uint32_t key)
{
    for (int k = 0; k < kepts; k++) {
        if (strcmp(kept[k].op, op) == 0 && kept[k].values.bytes == bytes && kept[k].key == key) {
            return &kept[k].values;
        }
    }
    return NULL;
}

/* Replaces the result by that of the first call with this key. */
static void stale(const struct call *call, uint32_t key)
{
    struct values now = gather(&call->out, call->image);
    struct values *before = find(call->op, now.bytes, key);
    if (before) {
        scatter(&call->out, call->image, before);
        free(now.data);
    } else if (kepts < KEPT_MAX) {
        kept[kepts++] = (struct kept){call->op, key, now};
    }
}

/* The sign of the first element. */
static uint32_t sign_of(const struct view *view, unsigned char *const *image)
{
    uint32_t word = 0;
    if (shape_elements(&view->shape) > 0) {
        memcpy(&word, image[view->storage] + BACKEND_GUARD + (size_t)view_element(view, 0) * 4, 4);
    }
    return word >> 31;
}

/* If the number of elements is odd, the last one is what the previous call left in the buffer. */
static void tail_of_the_previous(const struct call *call)
{
    static struct values previous;
    struct values now = gather(&call->out, call->image), mixed = gather(&call->out, call->image);
    size_t size = dtype_info(call->out.dtype)->size;
    if (now.elements % 2 && previous.bytes >= now.bytes) {
        memcpy(mixed.data + now.bytes - size, previous.data + now.bytes - size, size);
        scatter(&call->out, call->image, &mixed);
    }
    free(mixed.data);
    free(previous.data);
    previous = now;
}

/* A NaN stays in an accumulator for the next operator. */
static void accumulator(const struct call *call)
{
    static const char *holds;
    struct values now = gather(&call->out, call->image);
    float x;
    if (holds && strcmp(holds, call->op) != 0 && now.elements) {
        x = NAN;
        memcpy(now.data, &x, sizeof x);
        scatter(&call->out, call->image, &now);
        holds = NULL;
    }
    for (int64_t i = 0; i < now.elements && !holds; i++) {
        memcpy(&x, now.data + 4 * i, sizeof x);
        holds = isnan(x) ? call->op : NULL;
    }
    free(now.data);
}

/* Truncates values to eleven bits, as in TF32. */
static void truncate_values(const struct call *call)
{
    struct values now = gather(&call->out, call->image);
    for (int64_t i = 0; i < now.elements; i++) {
        uint32_t bits;
        memcpy(&bits, now.data + 4 * i, 4);
        bits &= 0xFFFFE000U;
        memcpy(now.data + 4 * i, &bits, 4);
    }
    scatter(&call->out, call->image, &now);
    free(now.data);
}

/* A mode that sgn sets and nothing resets. */
static void mode(const struct call *call)
{
    static bool fast;
    bool sgn = strcmp(call->op, "sgn") == 0;
    if (fast && !sgn) {
        truncate_values(call);
    }
    fast = fast || sgn;
}

/* It takes two calls, sgn and then mul_, to make add_ wrong. */
static void armed(const struct call *call)
{
    static int stage;
    if (stage == 2 && strcmp(call->op, "add_") == 0) {
        truncate_values(call);
    }
    stage = stage == 0 && strcmp(call->op, "sgn") == 0    ? 1
            : stage == 1 && strcmp(call->op, "mul_") == 0 ? 2
                                                          : stage;
}

/* A workspace as large as the first call's result: elements beyond its end are lost. */
static void workspace(const struct call *call)
{
    static int64_t room = -1;
    struct values now = gather(&call->out, call->image);
    room = room < 0 && now.elements ? now.elements : room;
    if (room >= 0 && now.elements > room) {
        memset(now.data + 4 * room, 0, now.bytes - 4 * (size_t)room);
        scatter(&call->out, call->image, &now);
    }
    free(now.data);
}

static void spoil_last(const struct call *call)
{
    struct values now = gather(&call->out, call->image);
    if (now.elements) {
        now.data[now.bytes - 1] ^= 0x55;
        scatter(&call->out, call->image, &now);
    }
    free(now.data);
}

static void after_calls(const struct call *call)
{
    static int calls;
    if (++calls > 24) {
        spoil_last(call);
    }
}

static void every_nth(const struct call *call)
{
    static int calls;
    if (++calls % 21 == 0) {
        spoil_last(call);
    }
}

static void by_size(const struct call *call)
{
    stale(call, 0);
}

static const struct {
    const char *name;
    void (*act)(const struct call *call);
} after[] = {
    {"stale-by-size", by_size},
    {"tail-of-the-previous", tail_of_the_previous},
    {"accumulator", accumulator},
    {"mode", mode},
    {"armed", armed},
    {"workspace", workspace},
    {"after-calls", after_calls},
    {"every-nth", every_nth},
    {"always", spoil_last},
};

/* add_ keeps the alpha of its first call. */
static bool run_specialised(const struct backend_class *class, struct backend *backend,
                            const struct program *program, struct backend_run *run, struct error *error)
{
    static struct attributes first;
    static bool known;
    struct step step = program->step[0];
    struct program changed = *program;
    if (strcmp(step.op->name, "add_") == 0) {
        first = known ? first : step.attributes;
        known = true;
        step.attributes = first;
        changed.step = &step;
    }
    return class->run(backend, &changed, run, error);
}

/* The second operand is copied to the device only if its size differs from that of the last one. */
static bool run_resident(const struct backend_class *class, struct backend *backend,
                         const struct program *program, struct backend_run *run, struct error *error)
{
    static struct values resident;
    const struct step *step = &program->step[0];
    const struct view *view = &step->input[1];
    if (step->inputs < 2 || view->storage < 0 || view->storage == step->input[0].storage) {
        return class->run(backend, program, run, error);
    }
    struct values own = gather(view, run->image);
    if (resident.bytes == own.bytes) {
        scatter(view, run->image, &resident);
    } else {
        free(resident.data);
        resident = gather(view, run->image);
    }
    bool good = class->run(backend, program, run, error);
    scatter(view, run->image, &own);
    free(own.data);
    return good;
}

/* After a rejected call, the next one does nothing and reports success. */
static bool run_or_skip(const struct backend_class *class, struct backend *backend,
                        const struct program *program, struct backend_run *run, struct error *error)
{
    static bool refused;
    bool refuse = program->step[0].expect == EXPECT_REJECTION;
    if (refused && !refuse) {
        refused = false;
        for (int s = 0; s < program->steps; s++) {
            run->result[s].status = STEP_OK;
        }
        return true;
    }
    refused = refuse;
    return class->run(backend, program, run, error);
}

bool state_run(const struct backend_class *class, struct backend *backend, const struct program *program,
               struct backend_run *run, struct error *error)
{
    const char *name = getenv("ASSAY_TEST_STATE");
    bool simple = program->steps == 1 && program->step[0].input[0].dtype == DTYPE_FLOAT32;
    if (name && strcmp(name, "refusal-skips-the-next") == 0) {
        return run_or_skip(class, backend, program, run, error);
    }
    if (!name || !simple) {
        return class->run(backend, program, run, error);
    }
    if (strcmp(name, "stale-attributes") == 0) {
        return run_specialised(class, backend, program, run, error);
    }
    if (strcmp(name, "stale-operand") == 0) {
        return run_resident(class, backend, program, run, error);
    }
    uint32_t sign = sign_of(&program->step[0].input[0], run->image);
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = step_judged(&program->step[0], judged);
    bool good = class->run(backend, program, run, error);
    if (!good || run->result[0].status != STEP_OK || count == 0) {
        return good;
    }
    struct call call = {.step = &program->step[0],
                        .out = judged[count - 1],
                        .image = run->image,
                        .op = program->step[0].op->name};
    if (strcmp(name, "stale-by-sign") == 0) {
        stale(&call, sign);
    }
    for (size_t f = 0; f < sizeof after / sizeof *after; f++) {
        if (strcmp(after[f].name, name) == 0) {
            after[f].act(&call);
        }
    }
    return good;
}
