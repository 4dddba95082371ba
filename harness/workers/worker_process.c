/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* `assay worker`: a worker that is driven through two pipes, and the command line that starts it. */

#include "harness/host/descriptors.h"
#include "harness/host/platform.h"
#include "harness/host/processors.h"
#include "harness/host/version.h"
#include "harness/options/options.h"
#include "harness/workers/child.h"
#include "harness/workers/worker.h"
#include "reference/base/memory.h"

#include <fcntl.h>
#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

void worker_arguments(const struct worker_setup *setup, int processes, struct worker_arguments *arguments)
{
    int n = 0;
    const char **argv = arguments->argv;
    snprintf(arguments->seed, sizeof arguments->seed, "%" PRIu64, setup->seed);
    snprintf(arguments->repeat, sizeof arguments->repeat, "%d", setup->repeat);
    argv[n++] = "assay";
    argv[n++] = "worker";
    argv[n++] = "--backend";
    argv[n++] = setup->backend;
    argv[n++] = "--seed";
    argv[n++] = arguments->seed;
    argv[n++] = "--repeat";
    argv[n++] = arguments->repeat;
    snprintf(arguments->processes, sizeof arguments->processes, "%d", processes);
    argv[n++] = "--processes";
    argv[n++] = arguments->processes;
    if (setup->validate) {
        argv[n++] = "--validate";
    }
    if (setup->time_limit > 0) {
        snprintf(arguments->time_limit, sizeof arguments->time_limit, "%.10g", setup->time_limit);
        argv[n++] = "--time-limit";
        argv[n++] = arguments->time_limit;
    }
    if (setup->explain) {
        argv[n++] = "--explain";
    }
    if (setup->values) {
        argv[n++] = "--values";
        argv[n++] = setup->values;
    }
    if (setup->cache) {
        argv[n++] = "--cache";
        argv[n++] = setup->cache;
    }
    if (setup->verdicts) {
        argv[n++] = "--verdicts";
        argv[n++] = setup->verdicts;
    }
    argv[n] = NULL;
}

/* Writes one whole line, or exits: without a parent there is nothing left to do. */
static void answer(const char *line, size_t length)
{
    if (!descriptor_write(CHILD_ANSWERS_FD, line, length)) {
        _exit(0);
    }
}

/* Writes the head, the body (may be NULL) and a newline as one message. Frees the body. */
static void answer_with(const char *head, char *body)
{
    size_t used = strlen(head), more = body ? strlen(body) : 0;
    char *line = malloc(used + more + 1);
    if (!line) {
        _exit(70);
    }
    memcpy(line, head, used);
    if (body) {
        memcpy(line + used, body, more);
    }
    line[used + more] = '\n';
    answer(line, used + more + 1);
    free(line);
    free(body);
}

/* The state of this process: its worker and the current case. */
struct process {
    struct worker *worker;
    const struct worker_setup *setup;
    const struct suite_list *list;
    int sequence; /* sequence number of the current case, for the phase lines */
};

static void report_phase(void *user, enum case_phase phase)
{
    const struct process *process = user;
    char line[64];
    if (phase == PHASE_REFERENCE) {
        return; /* every case starts in this phase: the parent knows */
    }
    int length = snprintf(line, sizeof line, "phase %d %s\n", process->sequence, worker_phase_name(phase));
    answer(line, (size_t)length);
}

/* Writes the head of the answer "done SEQ …" for the latest case, without its record. */
static void print_done(const struct process *process, const struct cache_statistics *before, bool alive,
                       char *head, size_t size)
{
    struct cache_statistics after = worker_cache_statistics(process->worker);
    struct case_cost cost = worker_cost(process->worker);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    snprintf(head, size, "done %d %lld %lld %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %lld ",
             process->sequence, (long long)(after.hits - before->hits),
             (long long)(after.misses - before->misses), !alive, cost.reference, cost.device, cost.judge,
             cost.procedure, (long long)platform_peak_kibibytes(&usage));
}

/* Runs the case that one request names. Returns false when the worker must exit. */
static bool serve(struct process *process, const char *request)
{
    int index, mode, at = 0;
    if (sscanf(request, "case %d %d %d %n", &process->sequence, &index, &mode, &at) != 3 || !at ||
        mode < WORKER_JUDGED || mode > WORKER_UNJUDGED || index < 0 ||
        index >= suite_list_count(process->list) ||
        strcmp(suite_list_id(process->list, index), request + at) != 0) {
        fprintf(stderr, "worker: a request out of form: %s\n", request);
        return false;
    }
    struct record record;
    struct cache_statistics before = worker_cache_statistics(process->worker);
    bool alive = worker_run(process->worker, index, (enum worker_mode)mode, &record);
    char head[256];
    print_done(process, &before, alive, head, sizeof head);
    char *body = record_format(&record);
    record_clear(&record);
    if (!body) {
        _exit(70);
    }
    answer_with(head, body);
    return alive;
}

static void prepare_process(void)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a hung worker must not outlive a killed parent */
#endif
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* a core dump per crashing case would take minutes */
    fcntl(CHILD_REQUESTS_FD, F_SETFD, FD_CLOEXEC);
    fcntl(CHILD_ANSWERS_FD, F_SETFD, FD_CLOEXEC);
}

static void serve_all(struct process *process)
{
    struct record_header header = {.version = RECORD_VERSION};
    header.assay = memory_text(version_number());
    header.backend = memory_text(process->setup->backend);
    worker_describe(process->worker, &header);
    char head[32];
    snprintf(head, sizeof head, "hello %d ", CHILD_PROTOCOL);
    answer_with(head, record_header_format(&header));
    record_header_clear(&header);
    FILE *requests = fdopen(CHILD_REQUESTS_FD, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (requests && (length = getline(&line, &room, requests)) > 0) {
        line[length - (line[length - 1] == '\n')] = 0;
        if (!serve(process, line)) {
            break;
        }
    }
    free(line);
    if (requests) {
        fclose(requests);
    }
}

/* Sets LP_NUM_THREADS, unless the user has set it, so that this process uses its share of the processors.
 * llvmpipe starts a thread for every processor, and each dispatch wakes all of them: with as many processes
 * as processors they only take turns (a fifth of the device's time). A process with one processor needs no
 * threads: the queue's own thread then runs the dispatch. A single process needs no more threads than the
 * processors that it may use. */
static void share_processors(int64_t processes)
{
    const int usable = processors_usable();
    const int64_t share = usable / processes;
    char threads[24];
    snprintf(threads, sizeof threads, "%" PRId64, share < 2 ? 0 : share);
    if (processes > 1 || usable < sysconf(_SC_NPROCESSORS_ONLN)) {
        setenv("LP_NUM_THREADS", threads, 0);
    }
}

/* Keeps freed memory in the process. Otherwise the pages of a large case would go back to the system with
 * each freed tensor, to be requested and cleared again for the next case: a tenth of the time of an
 * exhaustive block. case_run returns them before a large case of another size. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the largest value that mallopt accepts */
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
#endif
}

int worker_main(int argc, char **argv)
{
    struct worker_setup setup = {.seed = 1};
    int64_t repeat = 2, processes = 1;
    const struct option_row rows[] = {
        {.name = "backend", .type = OPTION_TEXT, .to = &setup.backend, .argument = "B"},
        {.name = "cache", .type = OPTION_TEXT, .to = &setup.cache, .argument = "DIR"},
        {.name = "verdicts", .type = OPTION_TEXT, .to = &setup.verdicts, .argument = "DIR"},
        {.name = "seed", .type = OPTION_UNSIGNED, .to = &setup.seed, .argument = "N"},
        {.name = "repeat", .type = OPTION_INTEGER, .to = &repeat, .argument = "N", .least = 2},
        {.name = "processes", .type = OPTION_INTEGER, .to = &processes, .argument = "N", .least = 1},
        {.name = "validate", .type = OPTION_FLAG, .to = &setup.validate},
        {.name = "time-limit", .type = OPTION_POSITIVE, .to = &setup.time_limit, .argument = "S"},
        {.name = "explain", .type = OPTION_FLAG, .to = &setup.explain},
        {.name = "values", .type = OPTION_TEXT, .to = &setup.values, .argument = "FILE"},
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay worker, started by assay run", .about = "", .option = rows};
    if (options_parse(&help, argc, argv, NULL) != OPTIONS_OK || !setup.backend ||
        fcntl(CHILD_ANSWERS_FD, F_GETFD) < 0) {
        return options_fault("worker: this command is for assay's own use; see assay run --help");
    }
    setup.repeat = (int)repeat;
    prepare_process();
    share_processors(processes);
    keep_freed_memory();
    struct error error = {.text = ""};
    struct suite_list *list = suite_list_create();
    struct worker *worker = list ? worker_open(&setup, list, &error) : NULL;
    if (worker) {
        struct process process = {.worker = worker, .setup = &setup, .list = list};
        worker_on_phase(worker, report_phase, &process);
        serve_all(&process);
        worker_close(&worker);
    } else {
        for (char *c = error.text; *c; c++) {
            *c = *c == '\n' ? ' ' : *c;
        }
        answer_with("refused ", memory_text(error.text[0] ? error.text : "no reason given"));
    }
    suite_list_destroy(&list);
    return 0;
}
