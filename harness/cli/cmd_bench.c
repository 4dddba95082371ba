/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/bench.h"
#include "harness/cache/cache.h"
#include "harness/cli/bench_options.h"
#include "harness/cli/commands.h"
#include "harness/host/clock.h"
#include "reference/program/observed.h"
#include "reports/text.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

/* A row of `bench reference`: all cases of one operator and dtype. */
struct row {
    char name[128];
    int cases;
    int64_t elements, hits;
    double cold, warm;
};

static bool time_truth(const struct suite_case *c, uint64_t seed, const struct truth_source *source,
                       double *seconds, int64_t *elements, struct error *error)
{
    struct program *program = suite_build(c, seed, error);
    struct program_truth truth = {.steps = 0};
    struct truth_source own = *source;
    unsigned char **left = NULL;
    bool good = program != NULL;
    if (good && program_is_observed(program)) {
        left = program_rehearse(program, error); /* no backend runs: the operands of observed steps */
        own.left = left;
        good = left != NULL;
    }
    double start = clock_seconds();
    good = good && program_truth_compute(program, &own, &truth, error);
    *seconds += clock_seconds() - start;
    for (int s = 0; good && s < truth.steps; s++) {
        for (int o = 0; truth.truth[s] && o < truth.truth[s]->outputs; o++) {
            *elements += truth.truth[s]->output[o].elements;
        }
    }
    program_truth_destroy(&truth);
    program_left_destroy(program, &left);
    program_destroy(&program);
    return good;
}

static void print_row(const struct row *row)
{
    double n = (double)row->elements;
    printf("%-34s %6d %10" PRId64 " %11.0f %11.0f %9.1f %9.1f %5" PRId64 "\n", row->name, row->cases,
           row->elements, n / row->cold, n / row->warm, row->cold * 1e3, row->warm * 1e3, row->hits);
}

/* Returns the row of a name, appended if it is new; NULL when out of memory. */
static struct row *row_of(struct row **rows, int *count, const char *name)
{
    for (int r = 0; r < *count; r++) {
        if (strcmp((*rows)[r].name, name) == 0) {
            return &(*rows)[r];
        }
    }
    struct row *larger = realloc(*rows, ((size_t)*count + 1) * sizeof *larger);
    if (!larger) {
        return NULL;
    }
    *rows = larger;
    larger[*count] = (struct row){.name = ""};
    snprintf(larger[*count].name, sizeof larger->name, "%s", name);
    return &larger[(*count)++];
}

static void add_row(struct row *sum, const struct row *one)
{
    sum->cases++;
    sum->elements += one->elements;
    sum->cold += one->cold;
    sum->warm += one->warm;
    sum->hits += one->hits;
}

/* Computes each truth, then requests it again, so that a cached truth comes from disk the second time. */
static bool measure_reference(const struct plan *plan, const struct plan_options *options,
                              const struct selection *selection, struct cache *cache, struct error *error)
{
    struct truth_source source = cache_source(cache);
    struct row *rows = NULL, total = {.name = "in all"};
    int count = 0;
    bool good = true;
    for (int i = 0; i < selection->count && good; i++) {
        const struct suite_case *c = suite_list_at(plan->list, selection->index[i]);
        char name[128];
        struct row one = {.cases = 1};
        int64_t again = 0, hits = cache_statistics(cache).hits;
        snprintf(name, sizeof name, "%s/%s/%s", c->op->family, c->op->name, dtype_info(c->dtype)->name);
        if (c->procedure) {
            continue; /* a procedure has no truth */
        }
        good = time_truth(c, options->seed, &source, &one.cold, &one.elements, error) &&
               time_truth(c, options->seed, &source, &one.warm, &again, error);
        one.hits = cache_statistics(cache).hits - hits;
        struct row *row = good ? row_of(&rows, &count, name) : NULL;
        if (row) {
            add_row(row, &one);
            add_row(&total, &one);
        }
    }
    printf("%-34s %6s %10s %11s %11s %9s %9s %5s\n", "operator", "cases", "truths", "cold/s", "warm/s",
           "cold ms", "warm ms", "hits");
    for (int r = 0; r < count && good; r++) {
        print_row(&rows[r]);
    }
    print_row(&total);
    free(rows);
    return good;
}

int bench_reference(const struct plan *plan, const struct plan_options *options,
                    const struct selection *selection)
{
    char folder[] = "/tmp/assay-bench-XXXXXX";
    struct error error = {.text = "cannot make a folder under /tmp"};
    struct cache *cache = mkdtemp(folder) ? cache_create(folder, truth_libraries()) : NULL;
    bool good = cache && measure_reference(plan, options, selection, cache, &error);
    if (cache) {
        cache_destroy(&cache);
        nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    if (!good) {
        options_fault("bench reference: %s", error.text);
        return EXIT_GATE;
    }
    return EXIT_HOLDS;
}

static int slowest_first(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    return (x->device_ns < y->device_ns) - (x->device_ns > y->device_ns);
}

int bench_kernels(const struct plan *plan, const struct plan_options *options,
                  const struct selection *selection)
{
    int status = EXIT_HOLDS;
    for (int b = 0; b < options->backends.count; b++) {
        struct results results = {.headers = 0};
        struct run_outcome outcome;
        struct error error = {.text = ""};
        struct run_plan run = {.list = plan->list,
                               .selection = selection,
                               .setup = plan_setup(plan, options, options->backends.text[b]),
                               .jobs = 1, /* two workers would disturb each other's measurements */
                               .time_limit = options->time_limit,
                               .program = plan_program,
                               .level = options->level,
                               .keep_suspects = true};
        if (!run_backend(&run, &results, &outcome, &error)) {
            options_fault("%s: %s", run.setup.backend, error.text);
            results_destroy(&results);
            return EXIT_NOTHING_RUN;
        }
        qsort(results.record, (size_t)results.records, sizeof *results.record, slowest_first);
        printf("%s: ", run.setup.backend);
        text_put_line(stdout, results.header[0].device);
        printf("\n%12s %10s %12s %10s  case\n", "device us", "cells", "cells/s", "run us");
        for (int r = 0; r < results.records; r++) {
            const struct record *record = &results.record[r];
            double device = (double)record->device_ns * 1e-9;
            printf("%12.1f %10" PRId64 " %12.3g %10.1f  %s%s%s\n", device * 1e6, record->elements,
                   device > 0 ? (double)record->elements / device : 0, (double)record->wall_ns * 1e-3,
                   record->id, record->status == STATUS_PASS ? "" : " ",
                   record->status == STATUS_PASS ? "" : status_name(record->status));
        }
        results_destroy(&results);
        status = outcome.end == POOL_COMPLETE ? status : EXIT_GATE;
    }
    return status;
}

static int run_sizes(struct plan_options *options, const struct texts *globs, int64_t scale)
{
    struct plan plan;
    struct error error = {.text = ""};
    const bool good = plan_open(&plan, options, &error);
    const int status = good ? bench_kernel_sizes(options, globs, scale) : options_fault("%s", error.text);
    suite_list_destroy(&plan.list);
    return status;
}

static int run_subject(const char *subject, struct plan_options *options, const struct texts *globs,
                       bool has_level)
{
    struct plan plan;
    struct selection selection = {.count = 0};
    struct error error = {.text = ""};
    bool runner = strcmp(subject, "runner") == 0, wrong = strcmp(subject, "wrong") == 0;
    if (!has_level) {
        options->level = runner || wrong ? LEVEL_STANDARD : LEVEL_SMOKE;
    }
    int status = EXIT_USAGE;
    if (strcmp(subject, "resolution") == 0) {
        return bench_resolution(options, globs);
    }
    if (strcmp(subject, "sizes") == 0) {
        return bench_sizes(options, globs);
    }
    if (strcmp(subject, "elementary") == 0) {
        return bench_elementary(options, globs);
    }
    if (!plan_open(&plan, options, &error) || !plan_select(&plan, options, globs, &selection, &error)) {
        options_fault("%s", error.text);
    } else if (runner) {
        status = bench_runner(&plan, options, globs);
    } else if (wrong) {
        status = bench_wrong(&plan, options, &selection);
    } else if (strcmp(subject, "digest") == 0) {
        status = bench_digest(&plan, options, &selection);
    } else if (strcmp(subject, "kernels") == 0) {
        status = bench_kernels(&plan, options, &selection);
    } else {
        status = bench_reference(&plan, options, &selection);
    }
    selection_destroy(&selection);
    suite_list_destroy(&plan.list);
    return status;
}

int cmd_bench(int argc, char **argv)
{
    struct plan_options options = plan_defaults();
    options.level = LEVEL_COUNT;
    bool sizes = false;
    int64_t scale = 1;
    struct texts words = {.count = 0};
    const struct option_row rows[] = {
        {'b', "backend", OPTION_TEXTS, &options.backends, "B", "default the best Vulkan device", 0, 0},
        {'l', "level", OPTION_LEVEL, &options.level, "L", "which cases", 0, 0},
        {'x', "exclude", OPTION_TEXTS, &options.excludes, "GLOB", "leave these cases out", 0, 0},
        {'j', "jobs", OPTION_INTEGER, &options.jobs, "N",
         "processes of runner, resolution and wrong; threads of sizes", 1, 256},
        {0, "seed", OPTION_UNSIGNED, &options.seed, "N", "seed of the random inputs, default 1", 0, 0},
        {0, "repeat", OPTION_INTEGER, &options.repeat, "N", "runs of each case; kernels reports the fastest",
         2, 1000},
        {0, "sizes", OPTION_FLAG, &sizes, NULL, "kernels: rows of real sizes instead of the suite's cases", 0,
         0},
        {0, "scale", OPTION_INTEGER, &scale, "N", "kernels --sizes: rows of about N times fewer elements", 1,
         1 << 28},
        {.name = NULL},
    };
    const struct command_help help = {
        .usage =
            "assay bench reference|kernels|runner|resolution|wrong|sizes|digest|elementary [GLOB…] [OPTION…]",
        .about = bench_about,
        .examples = bench_examples,
        .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &words);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    if (outcome == OPTIONS_OK && words.count == 0) {
        options_fault("bench needs a subject: reference, kernels, runner, resolution, wrong, sizes, digest "
                      "or elementary");
    } else if (outcome == OPTIONS_OK && (status = bench_check_subject(words.text[0])) == EXIT_HOLDS) {
        struct texts globs = {.count = words.count - 1, .text = words.text + 1};
        struct error error = {.text = ""};
        if (!bench_check_options(words.text[0], &options, sizes, &error)) {
            status = options_fault("%s", error.text);
        } else if (sizes) {
            status = run_sizes(&options, &globs, scale);
        } else {
            status = run_subject(words.text[0], &options, &globs, options.level != LEVEL_COUNT);
        }
    }
    texts_destroy(&words);
    texts_destroy(&options.backends);
    texts_destroy(&options.excludes);
    return status;
}
