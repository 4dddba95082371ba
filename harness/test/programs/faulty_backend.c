/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/backends/backends.h"
#include "harness/test/programs/faulty_memory.h"
#include "harness/test/programs/faulty_state.h"
#include "harness/test/programs/faulty_values.h"
#include "harness/test/programs/faulty_work.h"
#include "harness/workers/child.h"
#include "suites/suite.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A backend for the tests of the harness: the CPU backend, which misbehaves in chosen cases.
 *
 *   ASSAY_TEST_FAULTS   one line per fault, "FAULT ID": see `act`. "open FAULT" and "close FAULT" concern the
 *                       device. "once-FAULT" happens in the first process that comes to it, and not again
 *   ASSAY_TEST_MARKS    folder for the marks of "once"
 *   ASSAY_TEST_SLOW     milliseconds that every case takes longer
 *   ASSAY_TEST_LIMIT    bytes of memory that it says it may reserve
 *   ASSAY_TEST_STATE    a fault of state: see faulty_state.c
 *   ASSAY_TEST_VALUES   a fault that depends on the operands' values: see faulty_values.c
 *   ASSAY_TEST_ANSWER   a file whose bytes replace the results of step 0, one judged tensor after the other;
 *                       results beyond its end are not written
 */

extern const struct backend_class backend_class_cpu;

enum { FAULTS_MAX = 16, ROW = 16 /* bytes of one in suites/shared/workload.c */ };

struct fault {
    char name[32], id[256], digest[33];
};

struct backend {
    struct backend *cpu;
    int faults;
    struct fault fault[FAULTS_MAX];
    int slow_ms;
};

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

/* The fault that is due, or NULL: "segv" each time, "once-segv" until its mark is there. */
static const char *due(const struct fault *fault)
{
    if (strncmp(fault->name, "once-", 5) != 0) {
        return fault->name;
    }
    char path[512];
    const char *marks = getenv("ASSAY_TEST_MARKS");
    snprintf(path, sizeof path, "%s/%s", marks ? marks : "/nonexistent",
             fault->digest[0] ? fault->digest : "open");
    int mark = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
    if (mark < 0) {
        return "";
    }
    close(mark);
    return fault->name + 5;
}

static void say(const char *text)
{
    if (write(CHILD_ANSWERS_FD, text, strlen(text)) < 0) {
        _exit(9);
    }
}

/* Faults of the process and of its answers. A sanitizer's handlers are taken out, so that signals stay
 * signals. */
static void act(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"segv", SIGSEGV}, {"abort", SIGABRT}, {"kill", SIGKILL}, {"fpe", SIGFPE}};
    for (unsigned s = 0; s < sizeof signals / sizeof *signals; s++) {
        if (strcmp(name, signals[s].name) == 0) {
            fprintf(stderr, "about to die of %s\n", name);
            signal(signals[s].number, SIG_DFL);
            raise(signals[s].number);
        }
    }
    if (strcmp(name, "hang") == 0) {
        for (;;) {
            sleep_ms(1000);
        }
    } else if (strcmp(name, "exit") == 0) {
        _exit(7);
    } else if (strcmp(name, "garbage") == 0) {
        say("\x01\xff]]> not an answer\n");
    } else if (strcmp(name, "wrong-sequence") == 0) {
        say("done 999999 0 0 0 0 0 0 0 0 {\"version\":1}\n");
    } else if (strcmp(name, "mute") == 0) {
        close(CHILD_ANSWERS_FD);
        for (;;) {
            sleep_ms(1000);
        }
    }
    work_act(name);
}

static bool find_digest(struct fault *fault, const struct suite_list *list, struct error *error)
{
    int index = suite_list_find(list, fault->id);
    struct program *program = index < 0 ? NULL : suite_build(suite_list_at(list, index), 1, error);
    if (!program) {
        return error_set(error, "faulty: no case %s", fault->id);
    }
    program_digest(program, fault->digest);
    program_destroy(&program);
    return true;
}

static bool read_faults(struct backend *backend, struct error *error)
{
    const char *text = getenv("ASSAY_TEST_FAULTS");
    struct suite_list *list = suite_list_create();
    bool good = list != NULL;
    while (good && text && *text && backend->faults < FAULTS_MAX) {
        struct fault *fault = &backend->fault[backend->faults];
        size_t length = strcspn(text, "\n");
        char line[300];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (sscanf(line, "%31s %255[^\n]", fault->name, fault->id) == 2) {
            backend->faults++;
            good = strcmp(fault->name, "open") == 0 || strcmp(fault->name, "close") == 0 ||
                   find_digest(fault, list, error);
        }
        text += length + (text[length] == '\n');
    }
    suite_list_destroy(&list);
    return good;
}

static void faulty_close(struct backend **backend)
{
    if (*backend) {
        for (int f = 0; f < (*backend)->faults; f++) {
            act(strcmp((*backend)->fault[f].name, "close") == 0 ? (*backend)->fault[f].id : "");
        }
        backend_class_cpu.close(&(*backend)->cpu);
        free(*backend);
        *backend = NULL;
    }
}

static struct backend *faulty_open(const struct backend_options *options, struct error *error)
{
    struct backend *backend = calloc(1, sizeof *backend);
    if (!backend || !read_faults(backend, error)) {
        free(backend);
        return NULL;
    }
    const char *slow = getenv("ASSAY_TEST_SLOW");
    backend->slow_ms = slow ? atoi(slow) : 0;
    for (int f = 0; f < backend->faults; f++) {
        struct fault *fault = &backend->fault[f];
        if (strcmp(fault->name, "open") != 0) {
            continue;
        }
        struct fault opening = {.digest = ""};
        snprintf(opening.name, sizeof opening.name, "%.31s", fault->id);
        if (strcmp(fault->id, "refuse-later") == 0) { /* only the first process opens the device */
            snprintf(opening.name, sizeof opening.name, "once-open");
            if (strcmp(due(&opening), "open") != 0) {
                error_set(error, "the device does not come back");
                free(backend);
                return NULL;
            }
        } else if (strcmp(fault->id, "refuse") == 0) {
            error_set(error, "the device is out to lunch");
            free(backend);
            return NULL;
        }
        act(due(&opening));
    }
    backend->cpu = backend_class_cpu.open(options, error);
    if (!backend->cpu) {
        faulty_close(&backend);
    }
    return backend;
}

static void faulty_info(const struct backend *backend, struct backend_info *info)
{
    backend_class_cpu.info(backend->cpu, info);
    snprintf(info->name, sizeof info->name, "faulty");
}

/* Changes the last byte of the last judged element of every step. */
static void spoil(const struct program *program, struct backend_run *run)
{
    for (int s = 0; s < program->steps; s++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = step_judged(&program->step[s], judged);
        int64_t elements = count ? shape_elements(&judged[count - 1].shape) : 0;
        if (elements > 0) {
            const struct view *view = &judged[count - 1];
            size_t size = dtype_info(view->dtype)->size;
            size_t at = ((size_t)view_element(view, elements - 1) + 1) * size - 1;
            run->image[view->storage][BACKEND_GUARD + at] ^= 0x55;
        }
    }
}

/* ASSAY_TEST_PROCEDURE: what goes wrong slowly, or only in large batches. Times are made up, so that tests do
 * not depend on how busy the machine is: 20 us and 10 ns for each byte of the first storage. */
static void misbehave(const struct program *program, struct backend_run *run)
{
    const char *what = getenv("ASSAY_TEST_PROCEDURE");
    static unsigned runs;
    size_t bytes = program->storages ? program->storage[0].bytes : 0;
    if (!what) {
        return;
    }
    runs++;
    run->device_ns = 20000 + 10 * (int64_t)bytes;
    int64_t rows = program->steps ? program->step[0].input[0].shape.dim[0] : 0;
    if (strcmp(what, "square") == 0) {
        run->device_ns = 20000 + 40 * rows * rows;
    } else if (strcmp(what, "rows-256") == 0) { /* 250 times an item's time at 65,537 rows */
        run->device_ns = 20000 + 40 * rows + 40 * rows * rows / 256;
    }
    if (strcmp(what, "leak-memory") == 0) {
        unsigned char *lost = malloc(65536);
        if (lost) {
            memset(lost, (int)runs, 65536); /* touched, and never freed */
        }
        __asm__ volatile("" : : "r"(lost) : "memory");
    } else if (strcmp(what, "leak-file") == 0) {
        if (open("/dev/null", O_RDONLY) < 0) {
            _exit(9);
        }
    } else if (strcmp(what, "cliff") == 0 && bytes == 65536) {
        run->device_ns *= 3;
    } else if (strcmp(what, "slow") == 0) {
        run->device_ns *= 5;
    } else if (strcmp(what, "noise") == 0) { /* two out of five runs meet a busy machine */
        run->device_ns *= runs * 2654435761U % 5 < 2 ? 3 : 1;
    } else if (strcmp(what, "row") == 0 && bytes >= 65537 * ROW) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        step_judged(&program->step[0], judged);
        unsigned char *out = run->image[judged[0].storage] + BACKEND_GUARD;
        memcpy(out, out + 65536 * ROW, ROW);
    } else if (strcmp(what, "batch") == 0 && bytes == 64 * ROW) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        step_judged(&program->step[0], judged);
        run->image[judged[0].storage][BACKEND_GUARD + 63 * ROW] ^= 1; /* the last bit of one element */
    }
}

/* Writes the bytes of ASSAY_TEST_ANSWER over the results. */
static void answer(const struct program *program, struct backend_run *run)
{
    FILE *file = fopen(getenv("ASSAY_TEST_ANSWER"), "rb");
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = step_judged(&program->step[0], judged);
    unsigned char element[16];
    run->result[0].status = file ? STEP_OK : STEP_ERROR;
    for (int o = 0; file && o < count; o++) {
        size_t size = dtype_info(judged[o].dtype)->size;
        for (int64_t i = 0; i < shape_elements(&judged[o].shape); i++) {
            if (fread(element, size, 1, file) == 1) {
                memcpy(run->image[judged[o].storage] + BACKEND_GUARD +
                           (size_t)view_element(&judged[o], i) * size,
                       element, size);
            }
        }
    }
    if (file) {
        fclose(file);
    }
}

/* Runs the CPU backend and applies ASSAY_TEST_VALUES. */
static bool values_run(struct backend *backend, const struct program *program, struct backend_run *run,
                       struct error *error)
{
    const char *fault = getenv("ASSAY_TEST_VALUES");
    unsigned char **before = calloc((size_t)program->storages + 1, sizeof *before);
    bool good = before != NULL;
    for (int s = 0; good && s < program->storages; s++) {
        size_t bytes = program->storage[s].bytes + 2 * BACKEND_GUARD;
        before[s] = malloc(bytes);
        good = before[s] != NULL;
        memcpy(before[s], run->image[s], good ? bytes : 0);
    }
    if (good) {
        values_die(fault, program, before);
        good = backend_class_cpu.run(backend->cpu, program, run, error);
        values_spoil(fault, program, before, run->image);
    }
    for (int s = 0; before && s < program->storages; s++) {
        free(before[s]);
    }
    free(before);
    return good;
}

static bool faulty_run(struct backend *backend, const struct program *program, struct backend_run *run,
                       struct error *error)
{
    char digest[33];
    const char *name = "";
    program_digest(program, digest);
    for (int f = 0; f < backend->faults && !name[0]; f++) {
        if (strcmp(backend->fault[f].digest, digest) == 0) {
            name = due(&backend->fault[f]);
        }
    }
    sleep_ms(backend->slow_ms);
    act(name);
    if (getenv("ASSAY_TEST_ANSWER")) {
        answer(program, run);
        return true;
    }
    if (getenv("ASSAY_TEST_VALUES")) {
        return values_run(backend, program, run, error);
    }
    if (short_of_memory(program, run) || (counted_memory() && !counted_run(program, run))) {
        return true;
    }
    if (strcmp(name, "lost") == 0) {
        return error_set(error, "the device is lost");
    }
    if (strcmp(name, "memory") == 0) {
        for (int s = 0; s < program->steps; s++) {
            run->result[s].status = s ? STEP_NOT_RUN : STEP_OUT_OF_MEMORY;
        }
        snprintf(run->result[0].message, sizeof run->result[0].message, "no byte is left");
        return true;
    }
    if (strcmp(name, "nameless") == 0) { /* of the run's first case */
        say("done 1 0 0 0 0 0 0 0 0 {\"version\":2,\"status\":\"pass\",\"id\":\"");
        say(getenv("ASSAY_TEST_ID"));
        say("\"}\n");
    } else if (strcmp(name, "unexplained") == 0) {
        run->result[0].status = STEP_UNSUPPORTED; /* and no message */
        return true;
    }
    bool good = state_run(&backend_class_cpu, backend->cpu, program, run, error);
    if (strcmp(name, "wrong") == 0) {
        spoil(program, run);
    }
    misbehave(program, run);
    return good;
}

static void faulty_memory(struct backend *backend, struct backend_memory *memory)
{
    *memory = (struct backend_memory){.peak = 0};
    if (counted_memory()) {
        counted_usage(memory);
    } else if (backend_class_cpu.memory) {
        backend_class_cpu.memory(backend->cpu, memory);
    }
    const char *limit = getenv("ASSAY_TEST_LIMIT");
    memory->limit = limit ? strtoull(limit, NULL, 10) : 0;
}

static bool faulty_limit_memory(struct backend *backend, uint64_t bytes)
{
    (void)backend;
    counted_limit(bytes);
    return counted_memory();
}

static void faulty_empty_cache(struct backend *backend)
{
    counted_empty();
    if (backend_class_cpu.empty_cache) {
        backend_class_cpu.empty_cache(backend->cpu);
    }
}

static const struct backend_class faulty = {
    .name = "faulty",
    .help = "the CPU backend with faults, for tests",
    .open = faulty_open,
    .close = faulty_close,
    .info = faulty_info,
    .run = faulty_run,
    .memory = faulty_memory,
    .empty_cache = faulty_empty_cache,
    .limit_memory = faulty_limit_memory,
};

const struct backend_class *const backend_classes_extra[] = {&faulty, NULL};
