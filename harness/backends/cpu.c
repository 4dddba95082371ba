/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The backend "cpu": the witness of kernels/cpu on the host's memory. */

#include "harness/backend.h"
#include "kernels/cpu/witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

struct backend {
    struct backend_info info;
};

/* "model name" of /proc/cpuinfo; elsewhere, or on processors that do not give it, the machine's architecture.
 */
static void processor_name(char *text, size_t size)
{
    char line[512];
    text[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !text[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(text, size, "%s", colon + 1 + strspn(colon + 1, " "));
            text[strcspn(text, "\n")] = '\0';
        }
    }
    if (file) {
        fclose(file);
    }
    struct utsname machine;
    if (!text[0] && uname(&machine) == 0) {
        snprintf(text, size, "%s", machine.machine);
    }
}

/* What C on this host gives: IEEE 754 to nearest even with gradual underflow; 16-bit floats computed in
 * float32; the host's libm. Sums run in the dtype, in an order that is not declared. */
static struct profile host_profile(void)
{
    struct profile profile = profile_ieee();
    profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    profile.summation = SUMMATION_UNDECLARED;
    profile.primitives = PRIMITIVES_LIBM;
    profile.sgn_nan = SGN_NAN_IS_NAN;
    profile.sgn_zero = SGN_ZERO_KEPT;
    return profile;
}

static struct backend *cpu_open(const struct backend_options *options, struct error *error)
{
    if (options && options->selector && options->selector[0]) {
        error_set(error, "the cpu backend has one device; leave \":%s\" out", options->selector);
        return NULL;
    }
    struct backend *backend = calloc(1, sizeof *backend);
    if (!backend) {
        error_set(error, "out of memory");
        return NULL;
    }
    struct backend_info *info = &backend->info;
    snprintf(info->name, sizeof info->name, "cpu");
    processor_name(info->device, sizeof info->device);
    snprintf(info->driver, sizeof info->driver, "plain C");
    snprintf(info->api, sizeof info->api, "C17");
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    info->memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    info->profile = host_profile();
    return backend;
}

static void cpu_close(struct backend **backend)
{
    free(*backend);
    *backend = NULL;
}

static void cpu_info(const struct backend *backend, struct backend_info *info)
{
    *info = backend->info;
}

static struct cpu_view locate(const struct view *view, unsigned char **image)
{
    struct cpu_view located = {.dtype = view->dtype, .shape = view->shape};
    memcpy(located.stride, view->stride, sizeof located.stride);
    if (view->storage >= 0) {
        located.data =
            image[view->storage] + BACKEND_GUARD + view->offset * (int64_t)dtype_info(view->dtype)->size;
    }
    return located;
}

static void run_step(const struct step *step, unsigned char **image, struct step_result *result)
{
    static const enum step_status statuses[] = {
        [CPU_OK] = STEP_OK, [CPU_REJECTED] = STEP_REJECTED, [CPU_UNSUPPORTED] = STEP_UNSUPPORTED};
    struct cpu_view input[OPERANDS_MAX], output[TRUTH_OUTPUTS_MAX];
    const struct cpu_op *op = cpu_op_find(step->op->name);
    if (!op) {
        result->status = STEP_UNSUPPORTED;
        snprintf(result->message, sizeof result->message, "the witness has no %s", step->op->name);
        return;
    }
    for (int i = 0; i < step->inputs; i++) {
        input[i] = locate(&step->input[i], image);
    }
    for (int o = 0; o < step->outputs; o++) {
        output[o] = locate(&step->output[o], image);
    }
    struct error reason = {.text = ""};
    result->status =
        statuses[op->run(&step->attributes, step->inputs, input, step->outputs, output, &reason)];
    memcpy(result->message, reason.text, sizeof result->message - 1);
}

static bool cpu_run(struct backend *backend, const struct program *program, struct backend_run *run,
                    struct error *error)
{
    (void)backend;
    (void)error;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int s = 0; s < program->steps; s++) {
        run->result[s] = (struct step_result){.status = STEP_NOT_RUN};
    }
    for (int s = 0; s < program->steps; s++) {
        run_step(&program->step[s], run->image, &run->result[s]);
        if (run->result[s].status != STEP_OK && run->result[s].status != STEP_REJECTED) {
            break;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    run->device_ns = (int64_t)(end.tv_sec - start.tv_sec) * 1000000000 + (end.tv_nsec - start.tv_nsec);
    return true;
}

/* The witness allocates nothing that outlives a step. */
static void cpu_memory(struct backend *backend, struct backend_memory *memory)
{
    (void)backend;
    *memory = (struct backend_memory){.limit = 0};
}

static void cpu_empty_cache(struct backend *backend)
{
    (void)backend;
}

static int cpu_validation_messages(struct backend *backend, char *text, size_t size)
{
    (void)backend;
    if (size) {
        text[0] = '\0';
    }
    return 0;
}

static int cpu_list(const struct backend_options *options)
{
    struct error error = {.text = ""};
    struct backend *backend = cpu_open(options, &error);
    if (!backend) {
        printf("cpu: %s\n", error.text);
        return 0;
    }
    printf("cpu      %s\n", backend->info.device);
    printf("         plain C in the dtype's own precision, the witness; float16 bfloat16 float32 float64 "
           "complex64 int32\n");
    printf("         memory %.1f GiB\n", (double)backend->info.memory_bytes / 0x1p30);
    cpu_close(&backend);
    return 1;
}

const struct backend_class backend_class_cpu = {
    .name = "cpu",
    .help = "plain C in the dtype's own precision: the witness",
    .open = cpu_open,
    .close = cpu_close,
    .info = cpu_info,
    .run = cpu_run,
    .memory = cpu_memory,
    .empty_cache = cpu_empty_cache,
    .validation_messages = cpu_validation_messages,
    .list = cpu_list,
};
