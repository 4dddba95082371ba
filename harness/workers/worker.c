/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/worker.h"

#include "harness/backends.h"
#include "harness/cache.h"
#include "harness/clock.h"
#include "harness/environment.h"
#include "harness/options/options.h"
#include "harness/verdict/hypotheses.h"
#include "harness/verdict/values.h"
#include "harness/verdict/worst.h"
#include "harness/version.h"
#include "harness/workers/child.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

struct worker {
    struct worker_setup setup;
    const struct suite_list *list;
    const struct backend_class *class;
    struct backend *backend;
    struct cache *cache;
    struct truth_source source;
    void (*phase)(void *user, enum case_phase phase);
    int sequence;          /* of the case in hand, for the phase lines */
    struct record *record; /* of the case in hand */
};

const char *worker_phase_name(enum case_phase phase)
{
    static const char *const names[] = {"reference", "run", "judge"};
    return names[phase];
}

char *worker_source(const struct suite_case *c)
{
    char text[512];
    snprintf(text, sizeof text, "%s:%d", c->file ? c->file : "?", c->line);
    return strdup(text);
}

char *worker_replay(const struct worker_setup *setup, const char *id)
{
    return worker_replay_after(setup, id, NULL, NULL, 0);
}

char *worker_replay_after(const struct worker_setup *setup, const char *id, const struct suite_list *list,
                          const int *before, int count)
{
    char number[32];
    size_t size = 4 * (strlen(id) + strlen(setup->backend)) + 256; /* a quote takes four */
    for (int i = 0; i < count; i++) {
        size += 4 * strlen(suite_list_id(list, before[i])) + 16;
    }
    char *text = calloc(1, size);
    if (!text) {
        return NULL;
    }
    environment_quote(text, size, "assay");
    environment_quote(text, size, "repro");
    environment_quote(text, size, id);
    environment_quote(text, size, "--backend");
    environment_quote(text, size, setup->backend);
    snprintf(number, sizeof number, "%" PRIu64, setup->seed);
    environment_quote(text, size, "--seed");
    environment_quote(text, size, number);
    if (setup->repeat > 2) {
        snprintf(number, sizeof number, "%d", setup->repeat);
        environment_quote(text, size, "--repeat");
        environment_quote(text, size, number);
    }
    if (setup->validate) {
        environment_quote(text, size, "--validate");
    }
    if (setup->time_limit > 0 && setup->time_limit != WORKER_TIME_LIMIT) {
        snprintf(number, sizeof number, "%.10g", setup->time_limit);
        environment_quote(text, size, "--time-limit");
        environment_quote(text, size, number);
    }
    for (int i = 0; i < count; i++) {
        environment_quote(text, size, "--after");
        environment_quote(text, size, suite_list_id(list, before[i]));
    }
    return text;
}

struct worker *worker_open(const struct worker_setup *setup, const struct suite_list *list,
                           struct error *error)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        error_set(error, "out of memory");
        return NULL;
    }
    worker->setup = *setup;
    worker->list = list;
    struct backend_options options = {.validate = setup->validate};
    worker->class = backends_find(setup->backend, &options.selector, error);
    worker->backend = worker->class ? worker->class->open(&options, error) : NULL;
    if (!worker->backend) {
        free(worker);
        return NULL;
    }
    worker->cache = setup->cache ? cache_create(setup->cache, truth_libraries()) : NULL;
    if (worker->cache) {
        worker->source = cache_source(worker->cache);
    }
    return worker;
}

void worker_close(struct worker **worker)
{
    if (*worker) {
        (*worker)->class->close(&(*worker)->backend);
        if ((*worker)->cache) {
            cache_destroy(&(*worker)->cache);
        }
        free(*worker);
        *worker = NULL;
    }
}

void worker_describe(const struct worker *worker, struct record_header *header)
{
    struct backend_info info = {.name = ""};
    worker->class->info(worker->backend, &info);
    environment_device(header, &info);
}

/* A wrong result's cause, behind what else is told of it. */
static void diagnose(struct record *record, const struct program *program, const struct program_truth *truth,
                     const struct images *images, const struct profile *profile)
{
    struct hypothesis best;
    char *detail = NULL;
    const char *before = record->detail ? record->detail : "";
    if (record->status != STATUS_FAIL || record->elements == 0 ||
        !hypotheses_of_program(program, truth, images, profile, NULL, NULL, &best) || !best.wrong) {
        return;
    }
    int length = best.name[0]
                     ? asprintf(&detail, "%sdiagnosis: explained by %s: %s\n", before, best.name, best.text)
                     : asprintf(&detail, "%sdiagnosis: not explained by any hypothesis%s\n", before,
                                best.cut ? " that there was time for" : "");
    if (length >= 0) {
        free(record->detail);
        record->detail = detail;
    }
}

/* What is not saved, for want of room, is missing where it would be read. */
static void save_values(const struct worker *worker, const struct program *program,
                        const struct program_truth *truth, const struct images *images,
                        const struct profile *profile)
{
    struct values values;
    if (worker->setup.values) {
        if (values_take(&values, program, truth, images, profile)) {
            values_save(&values, worker->setup.values);
        }
        values_clear(&values);
    }
}

/* What passed exactly has no worst element in its record: shown is the first one then. */
static void explain(void *user, const struct program *program, const struct program_truth *truth,
                    const struct images *images, const struct profile *profile)
{
    struct record *record = ((struct worker *)user)->record;
    struct explained worst;
    char *text = NULL;
    size_t size = 0;
    save_values(user, program, truth, images, profile);
    diagnose(record, program, truth, images, profile);
    if ((record->status != STATUS_PASS && record->status != STATUS_VACUOUS) || record->elements == 0 ||
        !worst_find(program, truth, images, profile, &worst)) {
        return;
    }
    explain_element(&worst, record, NULL);
    FILE *to = open_memstream(&text, &size);
    double bound = worst_bound(&worst);
    if (to && isnan(bound)) {
        fputs("none: the result is a special value\n", to);
    } else if (to) {
        fprintf(to, "%.4g\n", bound);
        explain_envelope(&worst, to);
    }
    if (to && fclose(to) == 0) {
        free(record->detail);
        record->detail = text;
    }
}

bool worker_run(struct worker *worker, int index, enum worker_mode mode, struct record *record)
{
    const struct suite_case *c = suite_list_at(worker->list, index);
    const char *id = suite_list_id(worker->list, index);
    struct case_options options = {.seed = worker->setup.seed,
                                   .repeat = worker->setup.repeat,
                                   .self_test = mode == WORKER_SELF_TEST,
                                   .unjudged = mode == WORKER_UNJUDGED,
                                   .source = worker->cache ? &worker->source : NULL,
                                   .phase = worker->phase,
                                   .inspect = worker->setup.explain ? explain : NULL,
                                   .user = worker};
    *record = (struct record){.resolution = NAN, .worst = {.index = -1}};
    worker->record = record;
    int64_t start = clock_ns();
    bool alive = case_run(c, id, worker->class, worker->backend, &options, record);
    record->case_ns = clock_ns() - start;
    if (!record->id) {
        record->id = strdup(id);
    }
    if (!record->source) {
        record->source = worker_source(c);
    }
    free(record->backend);
    free(record->repro);
    record->backend = strdup(worker->setup.backend);
    record->repro = worker_replay(&worker->setup, id);
    return alive;
}

void worker_arguments(const struct worker_setup *setup, struct worker_arguments *arguments)
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
    argv[n] = NULL;
}

/* Writes one whole line, or ends: without a parent there is nothing left to do. */
static void answer(const char *line, size_t length)
{
    while (length) {
        ssize_t n = write(CHILD_ANSWERS_FD, line, length);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            _exit(0);
        }
        line += n;
        length -= (size_t)n;
    }
}

/* Writes the head and, after it, the body (may be NULL) and a newline as one message. Frees the body. */
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

static void tell_phase(void *user, enum case_phase phase)
{
    const struct worker *worker = user;
    char line[64];
    int length = snprintf(line, sizeof line, "phase %d %s\n", worker->sequence, worker_phase_name(phase));
    answer(line, (size_t)length);
}

/* Runs what one request names. False when the worker must end. */
static bool serve(struct worker *worker, const char *request)
{
    int index, mode, at = 0;
    if (sscanf(request, "case %d %d %d %n", &worker->sequence, &index, &mode, &at) != 3 || !at ||
        mode < WORKER_JUDGED || mode > WORKER_UNJUDGED || index < 0 ||
        index >= suite_list_count(worker->list) ||
        strcmp(suite_list_id(worker->list, index), request + at) != 0) {
        fprintf(stderr, "worker: a request out of form: %s\n", request);
        return false;
    }
    struct cache_statistics before = {0}, after = {0};
    if (worker->cache) {
        before = cache_statistics(worker->cache);
    }
    struct record record;
    bool alive = worker_run(worker, index, (enum worker_mode)mode, &record);
    if (worker->cache) {
        after = cache_statistics(worker->cache);
    }
    char head[96];
    snprintf(head, sizeof head, "done %d %lld %lld %d ", worker->sequence,
             (long long)(after.hits - before.hits), (long long)(after.misses - before.misses), !alive);
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

static void serve_all(struct worker *worker)
{
    struct record_header header = {.version = RECORD_VERSION};
    header.assay = strdup(version_number());
    header.backend = strdup(worker->setup.backend);
    worker_describe(worker, &header);
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
        if (!serve(worker, line)) {
            break;
        }
    }
    free(line);
    if (requests) {
        fclose(requests);
    }
}

int worker_main(int argc, char **argv)
{
    struct worker_setup setup = {.seed = 1};
    int64_t repeat = 2;
    const struct option_row rows[] = {
        {.name = "backend", .type = OPTION_TEXT, .to = &setup.backend, .argument = "B"},
        {.name = "cache", .type = OPTION_TEXT, .to = &setup.cache, .argument = "DIR"},
        {.name = "seed", .type = OPTION_UNSIGNED, .to = &setup.seed, .argument = "N"},
        {.name = "repeat", .type = OPTION_INTEGER, .to = &repeat, .argument = "N", .least = 2},
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
    struct error error = {.text = ""};
    struct suite_list *list = suite_list_create();
    struct worker *worker = list ? worker_open(&setup, list, &error) : NULL;
    if (worker) {
        worker->phase = tell_phase;
        serve_all(worker);
        worker_close(&worker);
    } else {
        for (char *c = error.text; *c; c++) {
            *c = *c == '\n' ? ' ' : *c;
        }
        answer_with("refused ", strdup(error.text[0] ? error.text : "no reason given"));
    }
    suite_list_destroy(&list);
    return 0;
}
