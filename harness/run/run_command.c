/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/run_command.h"

#include "reports/gate.h"

#include <limits.h>
#include <string.h>

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
    "--wild gives all cases other inputs than they were written for: numbers of the whole range,\n"
    "special values, attributes far from their defaults. A right program passes there as well, and\n"
    "with another --seed each time; a failure is replayed by the seed that it prints.\n"
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
    "Exit status: 0 the gate holds, 1 it does not (also where another process has changed or\n"
    "removed the records meanwhile), 2 usage, 3 nothing could be run: a backend did not start,\n"
    "or supports none of the cases. With 2 and 3 the files of --results, --report and --junit\n"
    "say so in place of an earlier run's; a command line that cannot be read leaves them alone.";

static const char examples[] =
    "  assay run --level smoke                      the quick look, on the best Vulkan device\n"
    "  assay run logdet --backend vulkan:llvmpipe   one operator on one device\n"
    "  assay run 'inplace/*' --exclude '*int32*' --backend cpu --backend vulkan\n"
    "  assay run --baseline known.json --strict --report build/report      the gate of a CI\n"
    "  assay run --baseline known.json --update-baseline    fixed ones out, new ones in\n"
    "  assay run --shard 2/4 --results shard2.jsonl         then assay merge\n"
    "  assay run --shard 2/4 --costs last.jsonl --results shard2.jsonl     parts of one length";

enum options_outcome run_command_parse(struct run_command *run, int argc, char **argv)
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
        {0, "wild", OPTION_FLAG, &common->wild, NULL,
         "fill every floating operand and the attributes that are real numbers with values of the whole "
         "range and special values, in place of those that the cases were written for",
         0, 0},
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
         "judge every result anew, with truths from the cache; for release gates: whoever runs code as this "
         "user "
         "can forge a remembered pass",
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

/* Two backends of one name would share one column of the report. */
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

bool run_command_check(struct run_command *run, struct error *error)
{
    static const char *const of_records[] = {
        "results",      "junit",    "report", "baseline", "fail-on", "strict", "fail-fast",
        "max-failures", "no-rerun", "show",   "by",       "name",    NULL};
    if (run->self_test &&
        !options_refuse(of_records, "--self-test spoils values and keeps no records: leave it out", error)) {
        return false;
    }
    if (run->fail_fast && run->max_failures) {
        return error_set(error, "--fail-fast is --max-failures 1: give one of them");
    }
    run->max_failures = run->fail_fast ? 1 : run->max_failures;
    if (run->update_baseline && !run->files.baseline) {
        return error_set(error, "--update-baseline needs --baseline FILE");
    }
    return check_names(run, error) && run_files_check(&run->files, error);
}
