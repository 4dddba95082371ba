/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/measure.h"
#include "harness/host/clock.h"
#include "harness/host/pace.h"

#include "reference/base/memory.h"
#include "suites/shared/procedure.h"

#include <dirent.h>
#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* The bench of a procedure: one backend and the memory images of the current program. */
struct workbench {
    struct bench bench; /* first: the procedure sees only this */
    const struct backend_class *class;
    struct backend *backend;
    const struct case_options *options;
    struct backend_info info;
    struct images images;
    unsigned char **storage;
    struct step_result *result;
    int runs;
    uint64_t limit;           /* bytes that the procedure lets the backend reserve; 0: it sets no limit */
    int64_t shown, device_ns; /* when the time limit was last restarted; device time of all executions */
};

static void release(struct workbench *w)
{
    if (w->images.image) {
        images_destroy(&w->images);
    }
    free(w->storage);
    free(w->result);
    w->images = (struct images){.image = NULL};
    w->storage = NULL;
    w->result = NULL;
}

/* Restarts the time limit, which holds for each part of the work and not for the whole procedure. */
static void tell(struct workbench *w, bool at_once)
{
    int64_t now = clock_ns();
    if (w->options->phase && (at_once || now - w->shown > 500000000)) {
        w->shown = now;
        w->options->phase(w->options->user, PHASE_RUN);
    }
}

static void summarise(const struct workbench *w, const struct program *program, struct execution *execution)
{
    execution->status = STEP_OK;
    for (int s = 0; s < program->steps && execution->status == STEP_OK; s++) {
        execution->status = w->result[s].status;
        memcpy(execution->message, w->result[s].message, sizeof execution->message);
    }
}

/* A procedure may take a shortage for the end of the device's memory, if the backend states a limit. Without
 * a limit this machine was short of memory, and the measurement is void. */
static void refuse_shortage(struct workbench *w, struct execution *execution)
{
    struct backend_memory memory = {.limit = 0};
    if (execution->status != STEP_OUT_OF_MEMORY || w->limit) {
        return;
    }
    if (w->class->memory) {
        w->class->memory(w->backend, &memory);
    }
    if (!memory.limit) {
        char text[sizeof execution->message];
        memcpy(text, execution->message, sizeof text);
        snprintf(execution->message, sizeof execution->message, "out of memory: %.160s%s", text,
                 " (the backend states no limit of its device's memory)");
        execution->status = STEP_ERROR;
    }
}

static bool execute(struct bench *bench, const struct program *program, struct execution *execution,
                    struct error *error)
{
    struct workbench *w = bench->user;
    release(w);
    *execution = (struct execution){.status = STEP_NOT_RUN};
    w->result = calloc((size_t)program->steps + 1, sizeof *w->result);
    w->storage = calloc((size_t)program->storages + 1, sizeof *w->storage);
    if (!w->result || !w->storage || !images_create(&w->images, program)) {
        return error_set(error, "out of memory for memory images");
    }
    images_fill(&w->images, program, w->runs++ % 2);
    tell(w, false);
    execution->pace_ns = pace_ns();
    struct backend_run run = {.image = w->images.image, .result = w->result};
    int64_t start = clock_ns();
    if (!w->class->run(w->backend, program, &run, error)) {
        return false;
    }
    int64_t wall = clock_ns() - start;
    execution->device_ns = run.device_ns > 0 ? run.device_ns : wall;
    w->device_ns += execution->device_ns;
    for (int s = 0; s < program->storages; s++) {
        w->storage[s] = w->images.image[s] + BACKEND_GUARD;
    }
    execution->storage = w->storage;
    summarise(w, program, execution);
    refuse_shortage(w, execution);
    return true;
}

/* Second number of /proc/PID/statm: resident pages. 0 where there is no /proc. */
static double resident_bytes(int64_t process)
{
    char path[64];
    long long size, pages = 0;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/statm", process);
    FILE *from = fopen(path, "r");
    if (from) {
        if (fscanf(from, "%lld %lld", &size, &pages) != 2) {
            pages = 0;
        }
        fclose(from);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static double open_descriptors(int64_t process)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/fd", process);
    DIR *folder = opendir(path);
    while (folder && readdir(folder)) {
        count++;
    }
    if (folder) {
        closedir(folder);
    }
    return count > 3 ? count - 2 - (process == getpid()) : 0; /* ".", ".." and the folder itself */
}

static void usage(struct bench *bench, struct usage *usage)
{
    struct workbench *w = bench->user;
    *usage = (struct usage){.resident = 0};
    if (w->class->memory) {
        w->class->memory(w->backend, &usage->memory);
    }
    int64_t process = usage->memory.process ? usage->memory.process : (int64_t)getpid();
    usage->resident = resident_bytes(process);
#ifdef __SANITIZE_ADDRESS__
    if (!usage->memory.process) {
        usage->resident = 0; /* AddressSanitizer keeps what is freed, up to 256 MiB of it */
    }
#endif
    usage->descriptors = open_descriptors(process);
}

static void empty_cache(struct bench *bench)
{
    struct workbench *w = bench->user;
    release(w);
    if (w->class->empty_cache) {
        w->class->empty_cache(w->backend);
    }
#ifdef __GLIBC__
    malloc_trim(0); /* memory that this process has freed does not count as the backend's */
#endif
}

static bool limit_memory(struct bench *bench, uint64_t bytes)
{
    struct workbench *w = bench->user;
    bool limited = w->class->limit_memory && w->class->limit_memory(w->backend, bytes);
    w->limit = limited ? bytes : w->limit;
    return limited;
}

static double *copy_of(const double *from, int points)
{
    size_t size = (size_t)points * sizeof *from;
    double *to = malloc(size + 1);
    if (to) {
        memcpy(to, from, size);
    }
    return to;
}

static bool keep_limit(const struct series *from, struct record_series *to)
{
    to->limit = copy_of(from->limit, from->points);
    to->rule = memory_text(from->rule);
    return to->limit && (to->rule || !from->rule);
}

static bool keep_series(const struct series_set *set, struct record *record)
{
    record->series = calloc((size_t)set->count + 1, sizeof *record->series);
    for (int s = 0; record->series && s < set->count; s++) {
        const struct series *from = &set->item[s];
        struct record_series *to = &record->series[record->series_count++];
        to->name = memory_text(from->name);
        to->unit = memory_text(from->unit);
        to->x = copy_of(from->x, from->points);
        to->y = copy_of(from->y, from->points);
        to->spread = from->spread ? copy_of(from->spread, from->points) : NULL;
        to->pace = from->pace ? copy_of(from->pace, from->points) : NULL;
        if (!to->name || !to->unit || !to->x || !to->y || (from->spread && !to->spread) ||
            (from->pace && !to->pace)) {
            return false;
        }
        to->points = from->points;
        to->octaves = from->octaves;
        to->exponent = from->exponent;
        to->factor = from->factor;
        to->exponent_limit = from->exponent_limit;
        to->breaks = from->breaks;
        if (from->limit && !keep_limit(from, to)) {
            return false;
        }
        /* Ratios of times are measured only if the times call for a closer look; their points do not count.
         */
        record->elements += strcmp(from->unit, "times") == 0 ? 0 : from->points;
    }
    return record->series != NULL;
}

static void conclude(const struct finding *finding, struct record *record)
{
    static const enum status statuses[] = {STATUS_PASS, STATUS_FAIL, STATUS_UNSUPPORTED, STATUS_ERROR};
    record->status = statuses[finding->kind];
    if (finding->kind != FINDING_NONE || finding->remark[0]) {
        record->reason = memory_text(finding->kind != FINDING_NONE ? finding->reason : finding->remark);
    }
    if (finding->kind == FINDING_FAIL) {
        record->rule = memory_text("measurement");
        record->detail = memory_text(finding->detail);
    }
}

/* A procedure has no memory images to digest: its inputs follow from its name and the seed. */
static void digest(const char *id, uint64_t seed, struct record *record)
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(id, strlen(id), seed);
    char text[33];
    snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
    record->inputs_digest = memory_text(text);
}

bool measure(const struct suite_case *c, const char *id, const struct backend_class *class,
             struct backend *backend, const struct case_options *options, struct record *record)
{
    struct workbench w = {.class = class, .backend = backend, .options = options};
    struct series_set set = {.count = 0};
    struct finding finding = {.kind = FINDING_NONE};
    struct error error = {.text = ""};
    w.bench = (struct bench){.info = &w.info,
                             .seed = options->seed,
                             .user = &w,
                             .execute = execute,
                             .usage = usage,
                             .empty_cache = empty_cache,
                             .limit_memory = limit_memory};
    class->info(backend, &w.info);
    digest(id, options->seed, record);
    record->distinct = 1;
    record->max_ulp = record->mean_ulp = record->bias_ulp = record->bias_resolution = NAN;
    record->max_nu = record->p99_nu = record->quality_nu = record->median_rho = NAN;
    record->resolution = record->nmse = record->bit_exact = record->faithful = NAN;
    int64_t start = clock_ns();
    tell(&w, true);
    bool alive = c->procedure->run(c, &w.bench, &set, &finding, &error);
    record->wall_ns = clock_ns() - start;
    record->device_ns = w.device_ns;
    if (!alive) {
        finding_note(&finding, FINDING_ERROR, "%s", error.text);
    } else if (finding.kind == FINDING_NONE && c->procedure->verdict) {
        if (options->self_test && c->procedure->spoil) {
            c->procedure->spoil(&set);
        }
        c->procedure->verdict(&set, &finding);
    }
    if (c->procedure->limits) {
        c->procedure->limits(&set);
    }
    if (!keep_series(&set, record)) {
        finding_note(&finding, FINDING_ERROR, "out of memory for the series");
    }
    conclude(&finding, record);
    release(&w);
    series_clear(&set);
    return alive;
}
