/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cache.h"
#include "harness/cli/commands.h"
#include "harness/cli/files.h"
#include "harness/cli/plan.h"
#include "harness/cli/self_test.h"
#include "harness/environment.h"
#include "harness/workers/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run_command {
    struct plan_options common;
    struct texts globs;
    bool shuffle, self_test, update_baseline, strict, fail_fast, quiet, no_rerun;
    const char *baseline_path, *results_path, *junit_path, *report_dir;

    struct plan plan;
    struct selection selection;
    struct baseline *baseline;
    FILE *to; /* the results file; NULL: none */
    char to_path[PATH_MAX];
    char *command; /* the command line */
    struct results results;
    int64_t hits, misses;
    double seconds;
    int not_opened; /* backends */
};

static const char about[] =
    "Runs the selected cases on each backend and judges every element against the truth.\n"
    "\n"
    "A GLOB selects case ids, family/operator/dtype/name; `*` crosses '/'. A word without\n"
    "wildcards also means a family, an operator, a dtype, or all below a path. Without GLOB,\n"
    "all cases of the level run. Each case runs twice with different poison in memory, in a\n"
    "worker process: a crash, a hang or a malformed answer costs that case alone. A case that\n"
    "fails, crashes or hangs is run again in a fresh worker: passing then makes it a flake.\n"
    "\n"
    "Ctrl-C or SIGTERM stops the run, writes the reports of what was measured with the rest\n"
    "as missing, and exits 1. --self-test spoils one value per family: it exits 1 when every\n"
    "one was caught (a run with wrong values must not be green) and 3 when one was not.\n"
    "\n"
    "Exit status: 0 the gate holds, 1 it does not, 2 usage, 3 nothing could be run.";

static const char examples[] =
    "  assay run --level smoke                      the quick look, on the best Vulkan device\n"
    "  assay run logdet --backend vulkan:llvmpipe   one operator on one device\n"
    "  assay run 'inplace/*' --exclude '*int32*' --backend cpu --backend vulkan\n"
    "  assay run --baseline known.json --strict --report build/report      the gate of a CI\n"
    "  assay run --baseline known.json --update-baseline    fixed ones out, new ones in\n"
    "  assay run --shard 2/4 --results shard2.jsonl         then assay merge";

static enum options_outcome parse(struct run_command *run, int argc, char **argv)
{
    struct plan_options *common = &run->common;
    const struct option_row rows[] = {
        {'b', "backend", OPTION_TEXTS, &common->backends, "B",
         "vulkan, vulkan:N, vulkan:SUBSTRING, cpu, torch:DEVICE or exec:COMMAND; may be given several times",
         0, 0},
        {'x', "exclude", OPTION_TEXTS, &common->excludes, "GLOB",
         "leave these cases out; may be given several times", 0, 0},
        {'l', "level", OPTION_LEVEL, &common->level, "L", "smoke, standard (the default) or exhaustive", 0,
         0},
        {0, "seed", OPTION_UNSIGNED, &common->seed, "N", "of the random inputs, default 1", 0, 0},
        {'j', "jobs", OPTION_INTEGER, &common->jobs, "N",
         "worker processes, default one per processor, at most 16", 1, 256},
        {0, "shard", OPTION_SHARD, &common->shard, "K/N", "the K-th of N disjoint parts of the selection", 0,
         0},
        {0, "time-limit", OPTION_POSITIVE, &common->time_limit, "S",
         "for a case on the device, default 60; its truth may take ten times that, at least 120 s", 0, 0},
        {0, "repeat", OPTION_INTEGER, &common->repeat, "N",
         "runs of each case, default 2, compared bit by bit", 2, 1000},
        {0, "shuffle", OPTION_FLAG, &run->shuffle, NULL,
         "hand cases out in an order that depends on the seed", 0, 0},
        {0, "validate", OPTION_FLAG, &common->validate, NULL,
         "with the backend's validation layer; its messages fail a case", 0, 0},
        {0, "baseline", OPTION_TEXT, &run->baseline_path, "FILE",
         "known failures (JSON): they do not fail the gate", 0, 0},
        {0, "update-baseline", OPTION_FLAG, &run->update_baseline, NULL,
         "rewrite that file: entries that pass go, new failures come", 0, 0},
        {0, "strict", OPTION_FLAG, &run->strict, NULL,
         "unsupported, flake, unexpected pass and stale baseline entries fail the gate", 0, 0},
        {0, "fail-fast", OPTION_FLAG, &run->fail_fast, NULL, "stop at the first failure; the rest is missing",
         0, 0},
        {0, "no-rerun", OPTION_FLAG, &run->no_rerun, NULL, "do not run failing cases again", 0, 0},
        {0, "no-cache", OPTION_FLAG, &common->no_cache, NULL,
         "compute every truth; neither read nor write the cache", 0, 0},
        {0, "self-test", OPTION_FLAG, &run->self_test, NULL, "the negative control, see above", 0, 0},
        {0, "results", OPTION_TEXT, &run->results_path, "FILE",
         "write records as JSON Lines, each as it is known", 0, 0},
        {0, "junit", OPTION_TEXT, &run->junit_path, "FILE", "write JUnit XML", 0, 0},
        {'r', "report", OPTION_TEXT, &run->report_dir, "DIR",
         "write results.jsonl, junit.xml, parity.md and parity.csv", 0, 0},
        {'q', "quiet", OPTION_FLAG, &run->quiet, NULL, "no progress on stderr", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay run [GLOB…] [OPTION…]", .about = about, .examples = examples, .option = rows};
    return options_parse(&help, argc, argv, &run->globs);
}

/* Opens and selects all that can be wrong in a command line. */
static bool prepare(struct run_command *run, struct error *error)
{
    if (run->update_baseline && !run->baseline_path) {
        return error_set(error, "--update-baseline needs --baseline FILE");
    }
    if (!plan_open(&run->plan, &run->common, error) ||
        !plan_select(&run->plan, &run->common, &run->globs, &run->selection, error)) {
        return false;
    }
    if (run->shuffle) {
        selection_shuffle(&run->selection, run->common.seed);
    }
    if (run->baseline_path) {
        run->baseline = baseline_read(run->baseline_path, run->update_baseline, error);
        if (!run->baseline) {
            return false;
        }
    }
    if (run->results_path) {
        snprintf(run->to_path, sizeof run->to_path, "%s", run->results_path);
    } else if (run->report_dir) {
        snprintf(run->to_path, sizeof run->to_path, "%s/results.jsonl", run->report_dir);
    }
    if (run->to_path[0] && !run->self_test) {
        run->to = files_create(run->to_path, error);
        return run->to != NULL;
    }
    return true;
}

static struct run_plan plan_for(const struct run_command *run, const char *backend)
{
    return (struct run_plan){.list = run->plan.list,
                             .selection = &run->selection,
                             .setup = plan_setup(&run->plan, &run->common, backend),
                             .jobs = (int)run->common.jobs,
                             .time_limit = run->common.time_limit,
                             .program = plan_program,
                             .command = run->command,
                             .level = run->common.level,
                             .baseline = run->baseline,
                             .to = run->to,
                             .strict = run->strict,
                             .fail_fast = run->fail_fast,
                             .quiet = run->quiet,
                             .keep_suspects = run->no_rerun};
}

/* Every backend in turn. False when a file or memory failed. */
static bool run_backends(struct run_command *run)
{
    bool good = true;
    for (int b = 0; b < run->common.backends.count && good && !signals_stop(); b++) {
        struct run_plan plan = plan_for(run, run->common.backends.text[b]);
        struct run_outcome outcome;
        struct error error = {.text = ""};
        if (!run_backend(&plan, &run->results, &outcome, &error)) {
            options_fault("%s: %s", plan.setup.backend, error.text);
            run->not_opened += outcome.end == POOL_NOT_OPENED;
            good = outcome.end == POOL_NOT_OPENED;
        }
        if (outcome.usage.bad_end[0]) {
            options_fault(
                "%s: a worker %s, after its last case: no case fails by it, but the backend does not close "
                "cleanly",
                plan.setup.backend, outcome.usage.bad_end);
        }
        run->hits += outcome.usage.hits;
        run->misses += outcome.usage.misses;
        run->seconds += outcome.seconds;
        if (outcome.end == POOL_STOPPED) {
            break;
        }
    }
    if (run->misses && run->plan.cache[0]) {
        cache_trim(run->plan.cache, CACHE_TOTAL_MAX);
    }
    return good;
}

static bool write_one(const struct run_command *run, const char *directory, const char *name,
                      enum report_format format)
{
    char path[PATH_MAX];
    struct error error = {.text = ""};
    snprintf(path, sizeof path, "%s%s%s", directory ? directory : "", directory ? "/" : "", name);
    if (!files_write_report(path, format, &run->results, run->strict, &error)) {
        options_fault("%s", error.text);
        return false;
    }
    return true;
}

static bool write_reports(struct run_command *run)
{
    bool good = true;
    struct error error = {.text = ""};
    if (run->to && !files_close(run->to, run->to_path, &error)) {
        options_fault("%s", error.text);
        good = false;
    }
    run->to = NULL;
    if (run->results_path && run->report_dir) { /* --results took the records; the report has them as well */
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/results.jsonl", run->report_dir);
        FILE *file = files_create(path, &error);
        for (int h = 0; file && h < run->results.headers; h++) {
            record_header_write(file, &run->results.header[h]);
        }
        for (int r = 0; file && r < run->results.records; r++) {
            record_write(file, &run->results.record[r]);
        }
        if (!file || !files_close(file, path, &error)) {
            options_fault("%s", error.text);
            good = false;
        }
    }
    if (run->report_dir) {
        good = write_one(run, run->report_dir, "junit.xml", REPORT_JUNIT) && good;
        good = write_one(run, run->report_dir, "parity.md", REPORT_MARKDOWN) && good;
        good = write_one(run, run->report_dir, "parity.csv", REPORT_CSV) && good;
    }
    if (run->junit_path) {
        good = write_one(run, NULL, run->junit_path, REPORT_JUNIT) && good;
    }
    return good;
}

static void tell(void *user, const char *text)
{
    (void)user;
    printf("%s\n", text);
}

/* Stale entries, and the new file where one is asked for. Returns whether the gate fails on it. */
static bool end_baseline(struct run_command *run)
{
    if (!run->baseline) {
        return false;
    }
    struct error error = {.text = ""};
    if (run->update_baseline) {
        int removed, added;
        if (!baseline_update(run->baseline, &removed, &added, &error)) {
            options_fault("%s", error.text);
            return true;
        }
        printf("%s: %d entr%s out, %d in; give each new one its reason\n", run->baseline_path, removed,
               removed == 1 ? "y" : "ies", added);
        return false;
    }
    return baseline_stale(run->baseline, tell, NULL) > 0 && run->strict;
}

static int run_and_tell(struct run_command *run)
{
    bool good = run_backends(run);
    if (run->results.headers == 0) {
        return EXIT_NOTHING_RUN;
    }
    files_sort(&run->results);
    good = write_reports(run) && good;
    int64_t lookups = run->hits + run->misses;
    struct summary_options summary = {.strict = run->strict,
                                      .failures_max = 10,
                                      .seconds = run->seconds,
                                      .truth_from_cache = lookups ? (double)run->hits / (double)lookups : NAN,
                                      .report_dir = run->report_dir};
    report_summary(stdout, &run->results, &summary);
    bool stale = end_baseline(run);
    if (run->not_opened) {
        return EXIT_NOTHING_RUN;
    }
    return !good || stale || signals_stop() ? EXIT_GATE : report_exit_status(&run->results, run->strict);
}

static int run_self_tests(const struct run_command *run)
{
    int status = EXIT_GATE;
    for (int b = 0; b < run->common.backends.count; b++) {
        struct run_plan plan = plan_for(run, run->common.backends.text[b]);
        int one = self_test(&plan);
        status = one > status ? one : status;
    }
    return status;
}

int cmd_run(int argc, char **argv)
{
    struct run_command run = {.common = plan_defaults()};
    struct error error = {.text = ""};
    enum options_outcome outcome = parse(&run, argc, argv);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    if (outcome == OPTIONS_OK) {
        run.command = environment_command(argc, argv);
        signals_install(); /* from here on an interrupt ends in reports */
        if (!prepare(&run, &error)) {
            status = options_fault("%s", error.text);
        } else {
            status = run.self_test ? run_self_tests(&run) : run_and_tell(&run);
        }
    }
    if (run.to) {
        fclose(run.to);
    }
    baseline_destroy(&run.baseline);
    results_destroy(&run.results);
    selection_destroy(&run.selection);
    texts_destroy(&run.globs);
    plan_close(&run.plan, &run.common);
    free(run.command);
    return status;
}
