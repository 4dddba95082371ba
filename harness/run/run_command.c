/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/run_command.h"

#include "reports/gate.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char about[] =
    "Runs the selected cases on each backend and compares every element of the\n"
    "results with the certified truth.\n"
    "\n"
    "A GLOB selects case ids, family/operator/dtype/name; `*` also matches '/'. A\n"
    "word without wildcards also selects a family, an operator, a dtype, or\n"
    "everything below a path. @FILE stands for the ids and globs in a file, one a\n"
    "line; @- reads standard input. Without a GLOB, all cases of the level run.\n"
    "\n"
    "Each case runs twice in a worker process, with different poison in memory. A\n"
    "crash, a hang or a malformed answer costs that case only. A case that fails,\n"
    "crashes or hangs is rerun in fresh workers: alone, and after the cases that its\n"
    "worker had run before it (at most 4,096; for at most 64 failing cases, 60 s each\n"
    "and 300 s in all). If it fails only after other cases, its failure depends on\n"
    "them, and the replay command names the shortest list of them that reproduces it\n"
    "(assay repro CASE --after CASE…). If it passes in --repeat runs alone and after\n"
    "them, it is a flake; the third flake of one operator and dtype is a failure.\n"
    "\n"
    "A pass is cached: when the backend returns the same bits for the same case, seed\n"
    "and profile under the same assay, its verdict is not computed again.\n"
    "--no-verdict-cache judges every result anew, --no-cache also computes every\n"
    "truth anew.\n"
    "\n"
    "--wild replaces the inputs of all cases by numbers of the whole range, special\n"
    "values, and attributes far from their defaults. A correct backend passes these\n"
    "cases too, with any --seed; the replay command of a failure contains the seed.\n"
    "\n"
    "A case is vacuous when its error bounds are too wide or would accept a wrong\n"
    "answer. Vacuous cases are counted, but they are never a pass. `implausible`\n"
    "counts errors that are larger than independent rounding explains, but do not\n"
    "fail the case: its data are structured, or the backend declares no rounding. The\n"
    "column `sees` is the median resolution: the least relative scale error of a\n"
    "whole result that would fail.\n"
    "\n"
    "Ctrl-C or SIGTERM stops the run. The reports then contain what was measured, the\n"
    "other cases are missing, and the exit status is 1. The same command with --resume\n"
    "and the results file runs the missing cases alone. --last-failed runs the cases\n"
    "that failed when assay last ran in this folder on this backend.\n"
    "\n"
    "--self-test changes one value\n"
    "per family: it exits with 1 when every change was detected (a run with wrong\n"
    "values must fail) and with 3 when one was not.\n"
    "\n"
    "Exit status: 0 gate PASS; 1 gate FAIL, also when another process changed or\n"
    "removed the records during the run; 2 usage; 3 nothing could be run: a backend\n"
    "did not start, or supports none of the cases. With 2 and 3 the files of\n"
    "--results, --report and --junit state this in place of an earlier run; if the\n"
    "command line cannot be read, they stay as they are.";

static const char examples[] =
    "  assay run --level smoke                      a quick look\n"
    "  assay run logdet --backend vulkan:llvmpipe   one operator on one device\n"
    "  assay run 'inplace/*' --exclude '*int32*' --backend cpu --backend vulkan\n"
    "  assay run --baseline known.json --strict --report build/report    a gate in CI\n"
    "  assay run --baseline known.json --strict --update-baseline    rewrite known.json\n"
    "  assay run --shard 2/4 --results shard2.jsonl          then assay merge\n"
    "  assay run --shard 2/4 --costs last.jsonl --results shard2.jsonl    equal times";

enum options_outcome run_command_parse(struct run_command *run, int argc, char **argv)
{
    struct plan_options *common = &run->common;
    const struct option_row rows[] = {
        {'b', "backend", OPTION_TEXTS, &common->backends, "B",
         "vulkan, vulkan:N, vulkan:SUBSTRING, each also with +ROUTE (tiled, wide, portable) behind it; cpu, "
         "torch:DEVICE, onnx:PROVIDER, jax:PLATFORM, array:MODULE, call:FILE.py:FUNCTION or exec:COMMAND; "
         "may be given several times",
         0, 0},
        {0, "name", OPTION_TEXTS, &run->names, "NAME",
         "the name of the first backend in results, reports and baselines; given again, that of the next "
         "backend. A name keeps the history of a CI together where a selector contains a path",
         0, 0},
        {'x', "exclude", OPTION_TEXTS, &common->excludes, "GLOB",
         "leave these cases out; may be given several times", 0, 0},
        {'l', "level", OPTION_LEVEL, &common->level, "L", "smoke, standard (the default) or exhaustive", 0,
         0},
        {0, "seed", OPTION_UNSIGNED, &common->seed, "N", "seed of the random inputs, default 1", 0, 0},
        {0, "wild", OPTION_FLAG, &common->wild, NULL,
         "fill every floating-point operand and real attribute with values of the whole range and special "
         "values",
         0, 0},
        {'j', "jobs", OPTION_INTEGER, &common->jobs, "N",
         "worker processes, 1 to 256; default: one per usable processor, at most 16", 1, 256},
        {0, "shard", OPTION_SHARD, &common->shard, "K/N", "run the K-th of N disjoint parts of the selection",
         0, 0},
        {0, "costs", OPTION_PATH, &common->costs, "FILE",
         "balance the shards by the time of each case in these results of an earlier run; give every shard "
         "the same file. A case that the file lacks counts as the median of its operator",
         0, 0},
        {0, "time-limit", OPTION_POSITIVE, &common->time_limit, "S",
         "seconds to open the backend, and for each case on it, default 60; computing the truth may take ten "
         "times as long, at least 120 s",
         0, 0},
        {0, "repeat", OPTION_INTEGER, &common->repeat, "N",
         "runs of each case, compared bit by bit, default 2", 2, 1000},
        {0, "last-failed", OPTION_FLAG, &run->last_failed, NULL,
         "of the selected cases, run only those that failed the gate when they last ran in this folder on "
         "these backends (but with --no-cache); all of them where none failed",
         0, 0},
        {0, "resume", OPTION_PATH, &run->resume_path, "RESULTS",
         "go on with an interrupted run: keep its records, run the cases that have none, and write all "
         "records to --results or --report, else to RESULTS. Options, device and assay must be the same",
         0, 0},
        {0, "shuffle", OPTION_FLAG, &run->shuffle, NULL,
         "run the cases in an order that depends on the seed and mixes operators; by default the cases of an "
         "operator run together",
         0, 0},
        {0, "validate", OPTION_FLAG, &common->validate, NULL,
         "use the backend's validation layer; its messages fail a case", 0, 0},
        {0, "baseline", OPTION_PATH, &run->files.baseline, "FILE",
         "known failures (JSON), which do not fail the gate. The status error cannot be a known failure; use "
         "--exclude for such a case",
         0, 0},
        {0, "update-baseline", OPTION_FLAG, &run->update_baseline, NULL,
         "rewrite that file: remove the entries that pass, add the new failures", 0, 0},
        {0, "fail-on", OPTION_GATE, &run->gate, "LIST",
         "what else fails the gate, besides fail, crash, timeout, error and missing: flake, unsupported, "
         "unexpected_pass, stale, vacuous, range, implausible",
         0, GATE_OF_RECORDS},
        {0, "strict", OPTION_BITS, &run->gate, NULL, "--fail-on unsupported,flake,unexpected_pass,stale", 0,
         GATE_STRICT},
        {0, "max-failures", OPTION_INTEGER, &run->max_failures, "N",
         "stop after N failures; the other cases are missing", 1, INT_MAX},
        {0, "fail-fast", OPTION_FLAG, &run->fail_fast, NULL, "--max-failures 1", 0, 0},
        {0, "no-rerun", OPTION_FLAG, &run->no_rerun, NULL, "do not rerun failing cases", 0, 0},
        {0, "no-cache", OPTION_FLAG, &common->no_cache, NULL,
         "compute every truth and judge every result anew; neither read nor write the cache", 0, 0},
        {0, "no-verdict-cache", OPTION_FLAG, &common->no_verdict_cache, NULL,
         "judge every result anew, with truths from the cache. Use it for release gates: any code that runs "
         "as this user can forge a cached pass",
         0, 0},
        {0, "self-test", OPTION_FLAG, &run->self_test, NULL,
         "check that wrong values are detected, see above", 0, 0},
        {0, "results", OPTION_PATH, &run->files.results, "FILE",
         "write the records as JSON Lines, each as soon as it is known", 0, 0},
        {0, "junit", OPTION_PATH, &run->files.junit, "FILE", "write JUnit XML", 0, 0},
        {'r', "report", OPTION_PATH, &run->files.report, "DIR",
         "write results.jsonl, junit.xml, parity.html, parity.md and parity.csv", 0, 0},
        {0, "show", OPTION_INTEGER, &run->show, "N",
         "kinds of failure that are shown with an example, default 10; 0: all", 0, INT_MAX},
        {0, "by", OPTION_BY, &run->by_operator, "family|operator",
         "one row of the table for each of these, default family", 0, 0},
        OPTIONS_COLOR,
        {'q', "quiet", OPTION_FLAG, &run->quiet, NULL, "no progress on stderr", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay run [GLOB…] [OPTION…]", .about = about, .examples = examples, .option = rows};
    return options_parse(&help, argc, argv, &run->globs);
}

/* Two backends of one name would share one column of the report. */
static bool check_names(const struct run_command *run, struct error *error)
{
    int backends = run->common.backends.count ? run->common.backends.count : 1;
    if (run->names.count > backends) {
        return error_set(
            error, "--name %s: %d names are given for %d backend%s; give at most one name per --backend",
            run->names.text[backends], run->names.count, backends, backends == 1 ? "" : "s");
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
                             *name ? "another backend has that name" : "a name must not be empty");
        }
    }
    return true;
}

bool run_command_check(struct run_command *run, struct error *error)
{
    static const char *const of_records[] = {
        "resume",    "results",      "junit",    "report", "baseline", "fail-on", "strict",
        "fail-fast", "max-failures", "no-rerun", "show",   "by",       "name",    NULL};
    if (run->self_test &&
        !options_refuse(
            of_records,
            "this option cannot be used with --self-test, which changes values and keeps no records",
            error)) {
        return false;
    }
    if (run->fail_fast && run->max_failures) {
        return error_set(error, "--fail-fast means --max-failures 1; give only one of them");
    }
    run->max_failures = run->fail_fast ? 1 : run->max_failures;
    if (run->update_baseline && !run->files.baseline) {
        return error_set(error, "--update-baseline needs --baseline FILE, the file to rewrite");
    }
    if (run->last_failed && run->resume_path) {
        return error_set(error, "--last-failed and --resume each choose the cases; give only one of them");
    }
    if (run->resume_path && access(run->resume_path, R_OK) != 0) {
        return error_set(error, "--resume %s: %s", run->resume_path, strerror(errno));
    }
    if (run->resume_path && !run->files.results && !run->files.report) {
        run->files.results = run->resume_path;
    }
    return check_names(run, error) && run_files_check(&run->files, error);
}
