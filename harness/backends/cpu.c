/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The CPU backend: an independent implementation in plain C, in the dtype's own precision, that works on the
 * images themselves. */

#include "harness/host/clock.h"
#include "harness/host/platform.h"
#include "kernels/cpu/cpu_backend.h"
#include "reference/program/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct backend {
    char device[256];
};

static void name_processor(char *text, size_t size)
{
    if (!platform_processor(text, size)) {
        snprintf(text, size, "host processor");
    }
}

static struct backend *open_backend(const struct backend_options *options, struct error *error)
{
    if (options->selector && *options->selector) {
        error_set(error, "backend cpu has one device and takes no selector, got \"%s\"", options->selector);
        return NULL;
    }
    struct backend *backend = calloc(1, sizeof *backend);
    if (!backend) {
        error_set(error, "backend cpu: out of memory");
        return NULL;
    }
    name_processor(backend->device, sizeof backend->device);
    return backend;
}

static void close_backend(struct backend **backend)
{
    free(*backend);
    *backend = NULL;
}

static void info(const struct backend *backend, struct backend_info *info)
{
    *info = (struct backend_info){.name = "cpu", .driver = "assay's CPU backend, plain C", .api = "C17"};
    info->returns_operands = true; /* every image comes back whole, operands included */
    info->repeats = true;
    snprintf(info->device, sizeof info->device, "%s", backend->device);
    info->profile = profile_ieee();
    info->profile.summation = SUMMATION_DECLARED;
    info->profile.ties = TIES_FIRST;
    info->profile.padding = PADDING_SKIPPED;
    info->profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    info->profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    info->profile.attention_probabilities[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    info->profile.attention_probabilities[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    info->profile.attention_empty_row = ATTENTION_EMPTY_ROW_ZERO;
}

static struct cpu_view locate(const struct view *view, unsigned char **image)
{
    struct cpu_view located = {.dtype = view->dtype, .shape = view->shape};
    if (view->storage >= 0) {
        located.data =
            image[view->storage] + BACKEND_GUARD + view->offset * (int64_t)dtype_info(view->dtype)->size;
    }
    memcpy(located.stride, view->stride, sizeof located.stride);
    return located;
}

static void run_step(const struct step *step, unsigned char **image, struct step_result *result)
{
    const struct cpu_op *op = cpu_op_find(step->op->name);
    struct cpu_view input[OPERANDS_MAX], output[TRUTH_OUTPUTS_MAX];
    struct error reason = {.text = ""};
    for (int i = 0; i < step->inputs; i++) {
        input[i] = locate(&step->input[i], image);
    }
    for (int o = 0; o < step->outputs; o++) {
        output[o] = locate(&step->output[o], image);
    }
    enum cpu_status status = CPU_UNSUPPORTED;
    if (op) {
        status = op->run(op, &step->attributes, step->inputs, input, step->outputs, output, &reason);
    } else {
        error_set(&reason, "the CPU backend does not support %s", step->op->name);
    }
    static const enum step_status statuses[] = {[CPU_OK] = STEP_OK,
                                                [CPU_REJECTED] = STEP_REJECTED,
                                                [CPU_UNSUPPORTED] = STEP_UNSUPPORTED,
                                                [CPU_OUT_OF_MEMORY] = STEP_OUT_OF_MEMORY};
    result->status = statuses[status];
    snprintf(result->message, sizeof result->message, "%.*s", (int)sizeof result->message - 1, reason.text);
}

static void run_once(const struct program *program, struct backend_run *run)
{
    bool going = true;
    for (int s = 0; s < program->steps; s++) {
        run->result[s].status = STEP_NOT_RUN;
        if (going) {
            run_step(&program->step[s], run->image, &run->result[s]);
            going = run->result[s].status == STEP_OK || run->result[s].status == STEP_REJECTED;
        }
    }
}

static int ascending(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool run(struct backend *backend, const struct program *program, struct backend_run *run,
                struct error *error)
{
    (void)backend, (void)error;
    const bool repeated = backend_may_repeat(program);
    const int times = repeated && run->repeats > 1 ? run->repeats : 1,
              most = repeated && run->rounds > 1 ? run->rounds : 1,
              rounds = most < BACKEND_ROUNDS_MAX ? most : BACKEND_ROUNDS_MAX;
    int64_t ns[BACKEND_ROUNDS_MAX];
    for (int w = 0; repeated && w < run->warm_up; w++) {
        run_once(program, run);
    }
    for (int round = 0; round < rounds; round++) {
        const int64_t start = clock_ns();
        for (int r = 0; r < times; r++) {
            run_once(program, run);
        }
        ns[round] = (clock_ns() - start) / times;
    }
    qsort(ns, (size_t)rounds, sizeof *ns, ascending);
    run->device_ns = ns[rounds / 2];
    return true;
}

static void memory(struct backend *backend, struct backend_memory *memory)
{
    (void)backend;
    /* it works on the images and allocates nothing that lasts */
    *memory = (struct backend_memory){.allocated = 0};
}

static void empty_cache(struct backend *backend)
{
    (void)backend;
}

static int list(const struct backend_options *options)
{
    (void)options;
    char device[256];
    name_processor(device, sizeof device);
    printf("cpu       %s\n          an independent implementation in plain C, in the dtype's own precision\n",
           device);
    return 1;
}

const struct backend_class backend_class_cpu = {
    .name = "cpu",
    .help = "an independent implementation in plain C, in the dtype's own precision",
    .open = open_backend,
    .close = close_backend,
    .info = info,
    .run = run,
    .memory = memory,
    .empty_cache = empty_cache,
    .list = list};
