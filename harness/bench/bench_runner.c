/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/bench.h"
#include "harness/cache/verdict_cache.h"
#include "harness/host/clock.h"
#include "harness/host/platform.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h> /* declares mkdtemp on macOS */

enum { TINY_ELEMENTS = 64, TINY_TASKS = 4000 };

struct bench {
    struct plan *plan;
    const struct plan_options *options;
    const struct texts *globs;
    char folder[64]; /* XDG_CACHE_HOME of the runs */
};

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)walk;
    /* removes everything but the directory itself */
    return type == FTW_DP && strchr(path + 5, '/') == NULL ? 0 : remove(path);
}

/* Returns the CPU time of this process and of all processes that it has waited for. */
static double core_seconds(void)
{
    struct rusage usage[2];
    double seconds = 0;
    getrusage(RUSAGE_SELF, &usage[0]);
    getrusage(RUSAGE_CHILDREN, &usage[1]);
    for (int u = 0; u < 2; u++) {
        seconds += (double)(usage[u].ru_utime.tv_sec + usage[u].ru_stime.tv_sec) +
                   (double)(usage[u].ru_utime.tv_usec + usage[u].ru_stime.tv_usec) * 1e-6;
    }
    return seconds;
}

/* Prints the parts of the work. The rest is not counted by any part: starting processes, inputs, records, and
 * programs behind exec:, whose time is counted only when they have ended. */
static void print_cost(const struct pool_usage *usage, double all)
{
    const struct case_cost *cost = &usage->cost;
    double device = (double)cost->device * 1e-9, procedures = (double)cost->procedure * 1e-9,
           reference = (double)cost->reference * 1e-9, judge = (double)cost->judge * 1e-9;
    printf("  core-seconds   %.2f: device %.2f, procedures %.2f, reference %.2f, judge %.2f, rest %.2f\n",
           all, device, procedures, reference, judge, all - device - procedures - reference - judge);
    printf("  largest worker %.1f MiB, after %s\n", (double)usage->largest / 1024,
           usage->largest_case ? usage->largest_case : "no case");
}

/* Runs one level, with or without the verdict cache. Keeps the results for the caller if requested. */
static bool run_level(const struct bench *bench, enum level level, const char *name, bool remembered,
                      struct results *keep)
{
    struct plan_options options = *bench->options;
    struct selection selection;
    struct results results = {.headers = 0};
    struct run_outcome outcome;
    struct error error = {.text = ""};
    options.level = level;
    if (!plan_select(bench->plan, &options, bench->globs, &selection, &error)) {
        printf("%-16s no case\n", name);
        return true;
    }
    struct run_plan run = {.list = bench->plan->list,
                           .selection = &selection,
                           .setup = plan_setup(bench->plan, &options, options.backends.text[0]),
                           .jobs = (int)options.jobs,
                           .time_limit = options.time_limit,
                           .program = plan_program,
                           .level = level,
                           .keep_suspects = true};
    run.setup.verdicts = remembered ? bench->plan->verdicts : NULL;
    double before = core_seconds();
    bool good = run_backend(&run, &results, &outcome, &error);
    if (good && outcome.end != POOL_COMPLETE) {
        options_fault("%s: interrupted, so nothing was measured", name);
    } else if (good) {
        int failed = 0;
        for (int r = 0; r < results.records; r++) {
            failed += gate_fails(&results.record[r], 0);
        }
        printf("%-16s %6d cases %8.2f s  (device open after %.2f s; truths: %lld from cache, %lld computed; "
               "%lld verdicts from cache; %d not passing)\n",
               name, results.records, outcome.seconds, outcome.open_seconds, (long long)outcome.usage.hits,
               (long long)outcome.usage.misses, (long long)outcome.usage.remembered, failed);
        print_cost(&outcome.usage, core_seconds() - before);
        fflush(stdout);
    } else {
        options_fault("%s: %s", run.setup.backend, error.text);
    }
    good = good && outcome.end == POOL_COMPLETE;
    selection_destroy(&selection);
    if (keep && good) {
        *keep = results;
    } else {
        results_destroy(&results);
    }
    return good;
}

struct tally {
    double first, last; /* seconds until the device was open, and until the last record */
    int64_t run_ns, device_ns, reference_ns;
    int records;
};

static void tally_opened(void *user, const struct record_header *device)
{
    struct tally *tally = user;
    (void)device;
    tally->first = clock_seconds();
}

static enum pool_reply tally_done(void *user, struct pool_outcome *outcome)
{
    struct tally *tally = user;
    const struct record *record = outcome->record;
    tally->last = clock_seconds();
    tally->run_ns += record->wall_ns;
    tally->device_ns += record->device_ns;
    tally->reference_ns += record->reference_ns;
    tally->records++;
    return POOL_NEXT;
}

/* Runs the passing cases with few elements many times, to measure the overhead of a case. */
static bool run_tiny(const struct bench *bench, const struct results *results, int jobs)
{
    struct pool_task *task = calloc(TINY_TASKS, sizeof *task);
    int kinds = 0;
    for (int r = 0; task && r < results->records && kinds < TINY_TASKS; r++) {
        const struct record *record = &results->record[r];
        if (record->status == STATUS_PASS && record->elements > 0 && record->elements <= TINY_ELEMENTS) {
            task[kinds++].index = suite_list_find(bench->plan->list, record->id);
        }
    }
    if (!kinds) {
        printf("no passing case with at most %d elements\n", TINY_ELEMENTS);
        free(task);
        return task != NULL;
    }
    for (int t = kinds; t < TINY_TASKS; t++) {
        task[t] = task[t - kinds];
    }
    struct tally tally = {.records = 0};
    struct pool_usage usage = {0};
    struct error error = {.text = ""};
    struct pool_options options = {
        .setup = plan_setup(bench->plan, bench->options, bench->options->backends.text[0]),
        .list = bench->plan->list,
        .jobs = jobs,
        .time_limit = bench->options->time_limit,
        .program = plan_program,
        .opened = tally_opened,
        .done = tally_done,
        .user = &tally,
    };
    enum pool_end end = pool_run(&options, task, TINY_TASKS, &usage, &error);
    free(task);
    if (end != POOL_COMPLETE) {
        options_fault("tiny cases: %s", error.text[0] ? error.text : "interrupted");
        return false;
    }
    double seconds = tally.last - tally.first, n = tally.records;
    double each = seconds * jobs / n * 1e3, run = (double)tally.run_ns / n * 1e-6;
    printf("tiny, %d worker%s %6.0f cases/s; per case %.3f ms: run %.3f (device %.3f), reference %.3f, rest "
           "%.3f; "
           "overhead %.3f ms\n",
           jobs, jobs == 1 ? " " : "s", n / seconds, each, run, (double)tally.device_ns / n * 1e-6,
           (double)tally.reference_ns / n * 1e-6, each - run - (double)tally.reference_ns / n * 1e-6,
           each - (double)tally.device_ns / n * 1e-6 * (double)bench->options->repeat);
    fflush(stdout);
    return true;
}

static void print_memory(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    printf("peak memory      runner %.1f MiB, largest worker %.1f MiB\n",
           (double)platform_peak_kibibytes(&self) / 1024, (double)platform_peak_kibibytes(&children) / 1024);
}

int bench_runner(struct plan *plan, const struct plan_options *options, const struct texts *globs)
{
    struct bench bench = {
        .plan = plan, .options = options, .globs = globs, .folder = "/tmp/assay-bench-XXXXXX"};
    if (!mkdtemp(bench.folder)) {
        options_fault("bench runner: cannot make a folder under /tmp");
        return EXIT_GATE;
    }
    /* Uses caches of its own, also for the driver, so that cold means cold. */
    setenv("XDG_CACHE_HOME", bench.folder, 1);
    setenv("MESA_SHADER_CACHE_DIR", bench.folder, 1);
    store_default_directory(CACHE_FOLDER, plan->cache, sizeof plan->cache);
    store_default_directory(VERDICT_FOLDER, plan->verdicts, sizeof plan->verdicts);
    struct results smoke = {.headers = 0};
    bool good = run_level(&bench, LEVEL_SMOKE, "smoke, cold", false, NULL) &&
                run_level(&bench, LEVEL_SMOKE, "smoke, warm", true, &smoke) &&
                run_level(&bench, LEVEL_SMOKE, "smoke, again", true, NULL);
    good = good && run_tiny(&bench, &smoke, 1) &&
           (options->jobs == 1 || run_tiny(&bench, &smoke, (int)options->jobs));
    if (good && options->level >= LEVEL_STANDARD) {
        nftw(bench.folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
        good = run_level(&bench, LEVEL_STANDARD, "standard, cold", false, NULL) &&
               run_level(&bench, LEVEL_STANDARD, "standard, warm", true, NULL) &&
               run_level(&bench, LEVEL_STANDARD, "standard, again", true, NULL);
    }
    print_memory();
    results_destroy(&smoke);
    nftw(bench.folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    remove(bench.folder);
    return good ? EXIT_HOLDS : EXIT_NOTHING_RUN;
}
