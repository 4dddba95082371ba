/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cache.h"
#include "harness/cli/commands.h"
#include "harness/cli/run.h"
#include "harness/cli/run_files.h"
#include "harness/cli/self_test.h"
#include "harness/environment.h"
#include "harness/files.h"
#include "harness/options/plan.h"
#include "harness/verdict_cache.h"
#include "harness/workers/signals.h"
#include "reference/memory.h"
#include "reports/text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run_command {
    struct plan_options common;
    struct texts globs, names;
    bool shuffle, self_test, update_baseline, fail_fast, quiet, no_rerun;
    unsigned gate;
    int64_t max_failures, show;
    bool by_operator;
    struct run_files files;

    struct plan plan;
    struct selection selection;
    struct baseline *baseline;
    char *command; /* the command line */
    struct results results;
    int64_t hits, misses, remembered;
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
    "fails, crashes or hangs is run again in fresh workers, alone and then after the cases that\n"
    "its worker had run before it, as far back as 4,096 (64 such cases, 60 s each, 300 s in all). If\n"
    "it fails after them it is a failure that depends on what ran before, and its replay names the\n"
    "shortest list that brings it out (assay repro CASE --after CASE…). If --repeat runs of each\n"
    "pass it is a flake; the third one of an operator and dtype is a failure.\n"
    "\n"
    "A pass is remembered: where the same bits come back to the same question (case, seed, profile,\n"
    "assay itself) its verdict is not worked out again. --no-verdict-cache judges everything, and\n"
    "--no-cache computes every truth anew, too.\n"
    "\n"
    "A case whose limits would accept a wrong answer, or are too wide, is vacuous: counted, never\n"
    "a pass. `implausible` counts findings that fail nothing: errors beyond what independent\n"
    "rounding makes, on structured data or where the backend declares no rounding. The column\n"
    "`sees` is the median resolution: the least relative error of scale that would fail.\n"
    "\n"
    "Ctrl-C or SIGTERM stops the run, writes the reports of what was measured with the rest\n"
    "as missing, and exits 1. --self-test spoils one value per family: it exits 1 when every\n"
    "one was caught (a run with wrong values must not be green) and 3 when one was not.\n"
    "\n"
    "Exit status: 0 the gate holds, 1 it does not, 2 usage, 3 nothing could be run: a backend\n"
    "did not start, or supports none of the cases.";

static const char examples[] =
    "  assay run --level smoke                      the quick look, on the best Vulkan device\n"
    "  assay run logdet --backend vulkan:llvmpipe   one operator on one device\n"
    "  assay run 'inplace/*' --exclude '*int32*' --backend cpu --backend vulkan\n"
    "  assay run --baseline known.json --strict --report build/report      the gate of a CI\n"
    "  assay run --baseline known.json --update-baseline    fixed ones out, new ones in\n"
    "  assay run --shard 2/4 --results shard2.jsonl         then assay merge\n"
    "  assay run --shard 2/4 --costs last.jsonl --results shard2.jsonl     parts of one length";

static enum options_outcome parse(struct run_command *run, int argc, char **argv)
{
    struct plan_options *common = &run->common;
    const struct option_row rows[] = {
        {'b', "backend", OPTION_TEXTS, &common->backends, "B",
         "vulkan, vulkan:N, vulkan:SUBSTRING, cpu, torch:DEVICE, onnx:PROVIDER, jax:PLATFORM, array:MODULE "
         "or exec:COMMAND; may be given several times",
         0, 0},
        {0, "name", OPTION_TEXTS, &run->names, "NAME",
         "what the first backend is called in results, reports and baselines, a second one the second "
         "backend; where a "
         "selector holds a path, names keep the history of a CI together",
         0, 0},
        {'x', "exclude", OPTION_TEXTS, &common->excludes, "GLOB",
         "leave these cases out; may be given several times", 0, 0},
        {'l', "level", OPTION_LEVEL, &common->level, "L", "smoke, standard (the default) or exhaustive", 0,
         0},
        {0, "seed", OPTION_UNSIGNED, &common->seed, "N", "of the random inputs, default 1", 0, 0},
        {'j', "jobs", OPTION_INTEGER, &common->jobs, "N",
         "worker processes, 1 to 256; default one per usable processor, but 16 where there are more", 1, 256},
        {0, "shard", OPTION_SHARD, &common->shard, "K/N", "the K-th of N disjoint parts of the selection", 0,
         0},
        {0, "costs", OPTION_PATH, &common->costs, "FILE",
         "balance the shards by what each case cost in these results of an earlier run, the same file for "
         "every "
         "shard; a case that is not in it costs the median of its operator",
         0, 0},
        {0, "time-limit", OPTION_POSITIVE, &common->time_limit, "S",
         "to open the backend, and for a case on it, default 60; its truth may take ten times that, at least "
         "120 s",
         0, 0},
        {0, "repeat", OPTION_INTEGER, &common->repeat, "N",
         "runs of each case, default 2, compared bit by bit", 2, 1000},
        {0, "shuffle", OPTION_FLAG, &run->shuffle, NULL,
         "hand cases out in an order that depends on the seed, operators mixed; without it those of an "
         "operator come together",
         0, 0},
        {0, "validate", OPTION_FLAG, &common->validate, NULL,
         "with the backend's validation layer; its messages fail a case", 0, 0},
        {0, "baseline", OPTION_PATH, &run->files.baseline, "FILE",
         "known failures (JSON): they do not fail the gate; an error is never a known failure, --exclude "
         "such a "
         "case",
         0, 0},
        {0, "update-baseline", OPTION_FLAG, &run->update_baseline, NULL,
         "rewrite that file: entries that pass go, new failures come", 0, 0},
        {0, "fail-on", OPTION_GATE, &run->gate, "LIST",
         "what fails the gate beside fail, crash, timeout, error and missing: flake, unsupported, "
         "unexpected_pass, stale, vacuous, range, implausible",
         0, GATE_OF_RECORDS},
        {0, "strict", OPTION_BITS, &run->gate, NULL, "--fail-on unsupported,flake,unexpected_pass,stale", 0,
         GATE_STRICT},
        {0, "max-failures", OPTION_INTEGER, &run->max_failures, "N",
         "stop after so many; the rest is missing", 1, INT_MAX},
        {0, "fail-fast", OPTION_FLAG, &run->fail_fast, NULL, "--max-failures 1", 0, 0},
        {0, "no-rerun", OPTION_FLAG, &run->no_rerun, NULL, "do not run failing cases again", 0, 0},
        {0, "no-cache", OPTION_FLAG, &common->no_cache, NULL,
         "compute every truth and judge every result anew; neither read nor write the cache", 0, 0},
        {0, "no-verdict-cache", OPTION_FLAG, &common->no_verdict_cache, NULL,
         "judge every result anew, with truths from the cache; for release gates: whoever runs code as this user can "
         "forge a remembered pass",
         0, 0},
        {0, "self-test", OPTION_FLAG, &run->self_test, NULL, "the negative control, see above", 0, 0},
        {0, "results", OPTION_PATH, &run->files.results, "FILE",
         "write records as JSON Lines, each as it is known", 0, 0},
        {0, "junit", OPTION_PATH, &run->files.junit, "FILE", "write JUnit XML", 0, 0},
        {'r', "report", OPTION_PATH, &run->files.report, "DIR",
         "write results.jsonl, junit.xml, parity.html, parity.md and parity.csv", 0, 0},
        {0, "show", OPTION_INTEGER, &run->show, "N",
         "kinds of failure shown with an example, default 10; 0: all", 0, INT_MAX},
        {0, "by", OPTION_BY, &run->by_operator, "family|operator",
         "what the table has a row for, default family", 0, 0},
        OPTIONS_COLOR,
        {'q', "quiet", OPTION_FLAG, &run->quiet, NULL, "no progress on stderr", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay run [GLOB…] [OPTION…]", .about = about, .examples = examples, .option = rows};
    return options_parse(&help, argc, argv, &run->globs);
}

static const char *id_of(const void *list, int index)
{
    return suite_list_id(list, index);
}

/* Two columns of one name would be one. */
static bool check_names(const struct run_command *run, struct error *error)
{
    int backends = run->common.backends.count ? run->common.backends.count : 1;
    if (run->names.count > backends) {
        return error_set(error, "--name %s: there are %d names for %d backend%s", run->names.text[backends],
                         run->names.count, backends, backends == 1 ? "" : "s");
    }
    for (int n = 0; n < run->names.count; n++) {
        const char *name = run->names.text[n];
        bool taken = !*name;
        for (int b = 0; b < run->common.backends.count; b++) {
            const char *other = b < run->names.count ? run->names.text[b] : run->common.backends.text[b];
            taken = taken || (b != n && strcmp(name, other) == 0);
        }
        if (taken) {
            return error_set(error, "--name \"%s\": %s", name,
                             *name ? "another backend has that name" : "a name is not empty");
        }
    }
    return true;
}

/* Opens and selects all that can be wrong in a command line. */
static bool prepare(struct run_command *run, struct error *error)
{
    if (!check_names(run, error)) {
        return false;
    }
    if (run->fail_fast && run->max_failures) {
        return error_set(error, "--fail-fast is --max-failures 1: give one of them");
    }
    run->max_failures = run->fail_fast ? 1 : run->max_failures;
    if (run->update_baseline && !run->files.baseline) {
        return error_set(error, "--update-baseline needs --baseline FILE");
    }
    static const char *const of_records[] = {
        "results",      "junit",    "report", "baseline", "fail-on", "strict", "fail-fast",
        "max-failures", "no-rerun", "show",   "by",       "name",    NULL};
    if (run->self_test &&
        !options_refuse(of_records, "--self-test spoils values and keeps no records: leave it out", error)) {
        return false;
    }
    if (!run_files_check(&run->files, error)) {
        return false;
    }
    if (!plan_open(&run->plan, &run->common, error) ||
        !plan_select(&run->plan, &run->common, &run->globs, &run->selection, error)) {
        return false;
    }
    if (run->shuffle) {
        selection_shuffle(&run->selection, run->common.seed);
    }
    if (run->files.baseline) {
        run->baseline = baseline_read(run->files.baseline, run->update_baseline, error);
        if (!run->baseline) {
            return false;
        }
        baseline_know(run->baseline, suite_list_count(run->plan.list), id_of, run->plan.list);
    }
    return run_files_open(&run->files, error);
}

static struct run_plan plan_for(const struct run_command *run, int b)
{
    const char *backend = run->common.backends.text[b];
    struct worker_setup setup = plan_setup(&run->plan, &run->common, backend);
    setup.verdicts = run->plan.verdicts[0] ? run->plan.verdicts : NULL;
    return (struct run_plan){.list = run->plan.list,
                             .name = b < run->names.count ? run->names.text[b] : NULL,
                             .selection = &run->selection,
                             .setup = setup,
                             .jobs = (int)run->common.jobs,
                             .mixed = run->shuffle,
                             .time_limit = run->common.time_limit,
                             .program = plan_program,
                             .command = run->command,
                             .level = run->common.level,
                             .baseline = run->baseline,
                             .to = run->files.to,
                             .gate = run->gate,
                             .max_failures = (int)run->max_failures,
                             .quiet = run->quiet,
                             .keep_suspects = run->no_rerun};
}

/* Every backend in turn. False when a file or memory failed. */
static bool run_backends(struct run_command *run)
{
    bool good = true;
    /* An interrupt before the first backend is open is one like any other: every case is missing. */
    for (int b = 0; b < run->common.backends.count && good && (b == 0 || !signals_stop()); b++) {
        struct run_plan plan = plan_for(run, b);
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
        run->remembered += outcome.usage.remembered;
        run->seconds += outcome.seconds;
        if (outcome.end == POOL_STOPPED) {
            break;
        }
    }
    if (run->misses && run->plan.cache[0]) {
        store_trim(run->plan.cache, STORE_TOTAL_MAX);
    }
    if (run->remembered < run->results.records && run->plan.verdicts[0]) { /* some may be new */
        store_trim(run->plan.verdicts, VERDICT_TOTAL_MAX);
    }
    return good;
}

static void tell(void *user, const char *text)
{
    (void)user;
    printf("%s\n", text);
}

/* Tells of stale entries, or writes the new file where one is asked for. Returns how many fail the gate. */
static int end_baseline(struct run_command *run, bool *written)
{
    if (!run->baseline) {
        return 0;
    }
    struct error error = {.text = ""};
    if (run->update_baseline) {
        int removed, added;
        if (!baseline_update(run->baseline, &removed, &added, &error)) {
            options_fault("%s", error.text);
            *written = false;
            return 0;
        }
        printf("%s: %d entr%s out, %d in%s\n", run->files.baseline, removed, removed == 1 ? "y" : "ies",
               added, added ? "; give each new one its reason" : "");
        return 0;
    }
    int stale = baseline_stale(run->baseline, tell, NULL);
    return run->gate & GATE_STALE ? stale : 0;
}

/* The exit status, and words for it where the records alone do not say it. */
static int judge_run(const struct run_command *run, bool written, int stale, char *words, size_t size)
{
    int status = report_exit_status(&run->results, run->gate);
    words[0] = 0;
    if (run->not_opened) {
        snprintf(words, size, "%s%d of %d backends could not run (exit 3)",
                 status == EXIT_GATE ? "gate FAILS, and " : "", run->not_opened, run->common.backends.count);
        return EXIT_NOTHING_RUN;
    }
    if (status != EXIT_HOLDS) {
        return status;
    }
    if (!written) {
        snprintf(words, size, "gate FAILS (exit 1): a file could not be written");
    } else if (memory_shortages()) {
        snprintf(words, size, "gate FAILS (exit 1): out of memory, records or reports may be incomplete");
    } else if (signals_stop()) {
        snprintf(words, size, "gate FAILS (exit 1): interrupted");
    } else if (stale) {
        snprintf(words, size, "gate FAILS (exit 1): %d stale baseline entr%s (%s)", stale,
                 stale == 1 ? "y" : "ies", gate_option(GATE_STALE, run->gate));
    }
    return words[0] ? EXIT_GATE : EXIT_HOLDS;
}

static int run_and_tell(struct run_command *run)
{
    run_files_remove_stale(&run->files);
    bool good = run_backends(run);
    if (run->results.headers == 0) {
        return EXIT_NOTHING_RUN;
    }
    files_sort(&run->results);
    int64_t lookups = run->hits + run->misses;
    struct summary_options summary = {.gate = run->gate,
                                      .by_operator = run->by_operator,
                                      .colour = text_colour(stdout),
                                      .failures_max = run->show,
                                      .seconds = run->seconds,
                                      .truth_from_cache = lookups ? (double)run->hits / (double)lookups : NAN,
                                      .remembered = run->remembered,
                                      .report_dir = run->files.report};
    good = run_files_write(&run->files, &run->results, &summary) && good;
    int stale = end_baseline(run, &good);
    char words[160];
    int status = judge_run(run, good, stale, words, sizeof words);
    summary.exit_status = status;
    summary.verdict = words[0] ? words : NULL;
    report_summary(stdout, &run->results, &summary);
    return status;
}

static int run_self_tests(const struct run_command *run)
{
    int status = EXIT_GATE;
    for (int b = 0; b < run->common.backends.count; b++) {
        struct run_plan plan = plan_for(run, b);
        int one = self_test(&plan);
        status = one > status ? one : status;
    }
    return status;
}

int cmd_run(int argc, char **argv)
{
    struct run_command run = {.common = plan_defaults(), .files = {.folder = -1}, .show = SUMMARY_SHOWN};
    struct error error = {.text = ""};
    signals_install(); /* before anything that takes time: from here on an interrupt ends in reports */
    enum options_outcome outcome = parse(&run, argc, argv);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    if (outcome == OPTIONS_OK) {
        run.command = environment_command(argc, argv);
        if (!prepare(&run, &error)) {
            status = options_fault("%s", error.text);
        } else {
            status = run.self_test ? run_self_tests(&run) : run_and_tell(&run);
        }
    }
    run_files_close(&run.files);
    baseline_destroy(&run.baseline);
    results_destroy(&run.results);
    selection_destroy(&run.selection);
    texts_destroy(&run.globs);
    texts_destroy(&run.names);
    plan_close(&run.plan, &run.common);
    free(run.command);
    return status;
}
