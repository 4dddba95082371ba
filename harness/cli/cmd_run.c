/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cache/cache.h"
#include "harness/cache/verdict_cache.h"
#include "harness/cli/commands.h"
#include "harness/host/environment.h"
#include "harness/options/files.h"
#include "harness/run/last_failed.h"
#include "harness/run/run.h"
#include "harness/run/run_command.h"
#include "harness/run/self_test.h"
#include "harness/selection/plan.h"
#include "harness/workers/signals.h"
#include "reference/base/memory.h"
#include "reports/groups.h"
#include "reports/text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *id_of(const void *list, int index)
{
    return suite_list_id(list, index);
}

static const char *name_of(const struct run_command *run, int b)
{
    return b < run->names.count ? run->names.text[b] : run->common.backends.text[b];
}

/* Reads which cases failed last on the backends. Where none did, all selected cases run. */
static bool find_failed(struct run_command *run, struct error *error)
{
    for (int b = 0; run->last_failed && b < run->common.backends.count; b++) {
        if (!last_failed_read(name_of(run, b), &run->failed, error)) {
            return false;
        }
    }
    if (run->last_failed && run->failed.count == 0) {
        options_fault("--last-failed: no case failed when it last ran here, so all selected cases run");
    }
    run->common.among = run->failed.count ? &run->failed : NULL;
    return true;
}

/* Opens the plan, selects the cases and reads the baseline. */
static bool prepare(struct run_command *run, struct error *error)
{
    if (!plan_open(&run->plan, &run->common, error) || !find_failed(run, error) ||
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
    return true;
}

static struct run_plan plan_for(struct run_command *run, int b)
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
                             .to = run->files.to.file ? &run->files.to : NULL,
                             .gate = run->gate,
                             .max_failures = (int)run->max_failures,
                             .quiet = run->quiet,
                             .keep_suspects = run->no_rerun};
}

/* Reads the run to go on with, and checks that it was run by the same command. */
static bool prepare_resume(struct run_command *run, struct error *error)
{
    bool good = resume_read(run->resume_path, &run->resume, error);
    for (int h = 0; good && h < run->resume.results.headers; h++) {
        const char *backend = run->resume.results.header[h].backend;
        bool named = false;
        for (int b = 0; b < run->common.backends.count && !named; b++) {
            named = strcmp(name_of(run, b), backend) == 0;
        }
        good = named || error_set(error, "--resume %s: it has a run of %s, which this command does not name",
                                  run->resume_path, backend);
    }
    for (int b = 0; good && b < run->common.backends.count; b++) {
        const struct record_header *earlier = resume_header(&run->resume, name_of(run, b));
        struct run_plan plan = plan_for(run, b);
        struct record_header now = {.version = 0};
        run_header(&plan, &now);
        good = !earlier || resume_same_command(&run->resume, earlier, &now, error);
        record_header_clear(&now);
    }
    return good;
}

/* Writes what is kept of the run to go on with, before anything runs. */
static bool begin_resume(struct run_command *run, struct error *error)
{
    int backends = run->common.backends.count;
    run->rest = run->resume.path ? calloc((size_t)backends, sizeof *run->rest) : NULL;
    bool good = !run->resume.path || run->rest || error_set(error, "out of memory");
    for (int b = 0; run->rest && good && b < backends; b++) {
        struct run_plan plan = plan_for(run, b);
        struct selection *rest = &run->rest[b];
        *rest = run->selection;
        rest->index = malloc(((size_t)run->selection.count + 1) * sizeof *rest->index);
        good = rest->index || error_set(error, "out of memory");
        if (good) {
            memcpy(rest->index, run->selection.index, (size_t)run->selection.count * sizeof *rest->index);
            struct resume_target target = {plan.list, plan.baseline, plan.gate, plan.to, &run->results};
            good = resume_keep(&run->resume, name_of(run, b), &target, rest, error);
            fprintf(stderr, "assay: %s: %d of %d cases are kept from %s\n", name_of(run, b),
                    run->selection.count - rest->count, run->selection.count, run->resume.path);
        }
    }
    return good;
}

/* Notes in the results that a backend was not started. Returns false when a file or memory failed. */
static bool note_not_started(struct run_command *run, const struct run_plan *plan, const char *why)
{
    struct error error = {.text = ""};
    bool good = run_not_started(plan, why, &run->results, &error);
    if (!good) {
        options_fault("%s", error.text);
    }
    return good;
}

/* Runs the backends one after the other. Returns false when a file or memory failed. */
static bool run_backends(struct run_command *run)
{
    bool good = true;
    int reached = 0;
    /* The first backend is tried even after an interrupt, so that the records say of every case that it is
     * missing. */
    for (int b = 0; b < run->common.backends.count && good && (b == 0 || !signals_stop()); b++) {
        struct run_plan plan = plan_for(run, b);
        struct run_outcome outcome;
        reached = b + 1;
        struct error error = {.text = ""};
        if (run->rest) {
            plan.resume = &run->resume;
            plan.selection = &run->rest[b];
            plan.earlier = results_header(&run->results, name_of(run, b));
            if (plan.selection->count == 0) {
                continue;
            }
        }
        if (!run_backend(&plan, &run->results, &outcome, &error)) {
            options_fault("%s: %s", plan.setup.backend, error.text);
            run->not_opened += outcome.end == POOL_NOT_OPENED;
            run->refused = run->refused || outcome.refused;
            good =
                outcome.end == POOL_NOT_OPENED && (plan.earlier || note_not_started(run, &plan, error.text));
        }
        if (outcome.usage.bad_end[0]) {
            options_fault("%s: a worker %s after its last case; no case fails because of it, but the backend "
                          "does not close cleanly",
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
    for (int b = reached; b < run->common.backends.count && good; b++) {
        struct run_plan plan = plan_for(run, b);
        good = results_header(&run->results, name_of(run, b)) ||
               note_not_started(run, &plan, "the run was stopped before this backend");
    }
    if (run->misses && run->plan.cache[0]) {
        store_trim(run->plan.cache, STORE_TOTAL_MAX);
    }
    if (run->remembered < run->results.records && run->plan.verdicts[0]) { /* some verdicts may be new */
        store_trim(run->plan.verdicts, VERDICT_TOTAL_MAX);
    }
    return good;
}

static void tell(void *user, const char *text)
{
    (void)user;
    text_put_line(stdout, text);
    putchar('\n');
}

/* Reports stale entries, or writes the new baseline if requested. Returns how many stale entries fail the
 * gate. */
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
        text_put_line(stdout, run->files.baseline);
        printf(": %d entr%s removed, %d added%s\n", removed, removed == 1 ? "y" : "ies", added,
               added ? "; write the reason of each new entry" : "");
        return 0;
    }
    int stale = baseline_stale(run->baseline, tell, NULL);
    return run->gate & GATE_STALE ? stale : 0;
}

/* What else fails the gate, besides the records; "" if nothing does. */
static void find_cause(bool written, int stale, char *words, size_t size)
{
    const char *cause = !written             ? "a file could not be written"
                        : memory_shortages() ? "out of memory, so records or reports may be incomplete"
                        : signals_stop()     ? "interrupted"
                                             : "";
    snprintf(words, size, "%s", cause);
    if (!*cause && stale) {
        snprintf(words, size, "%d stale baseline entr%s", stale, stale == 1 ? "y" : "ies");
    }
}

/* Describes backends that could not run; "" if all ran. */
static void find_not_opened(const struct run_command *run, char *words, size_t size)
{
    bool fails = false;
    *words = 0;
    for (int r = 0; r < run->results.records; r++) {
        fails = fails || gate_fails(&run->results.record[r], run->gate);
    }
    if (run->not_opened) {
        snprintf(words, size, "%s%d of %d backends could not run (exit 3)", fails ? "gate: FAIL, and " : "",
                 run->not_opened, run->common.backends.count);
    }
}

static struct summary_options summary_of(const struct run_command *run)
{
    int64_t lookups = run->hits + run->misses;
    return (struct summary_options){.gate = run->gate,
                                    .by_operator = run->by_operator,
                                    .colour = text_colour(stdout),
                                    .failures_max = run->show,
                                    .seconds = run->seconds,
                                    .truth_from_cache = lookups ? (double)run->hits / (double)lookups : NAN,
                                    .remembered = run->remembered,
                                    .report_dir = run->files.report,
                                    .baseline = run->baseline != NULL};
}

static int run_and_report(struct run_command *run)
{
    struct error error = {.text = ""};
    if (!run_files_begin(&run->files, &error) || !begin_resume(run, &error)) {
        return options_fault("%s", error.text);
    }
    bool good = run_backends(run);
    if (run->results.headers == 0) {
        return EXIT_NOTHING_RUN;
    }
    files_sort(&run->results);
    struct summary_options summary = summary_of(run);
    good = run_files_write(&run->files, &run->results, &summary) && good;
    if (run->not_opened == run->common.backends.count || run->refused) {
        return run->refused ? EXIT_USAGE : EXIT_NOTHING_RUN; /* the message has been printed */
    }
    for (int b = 0; b < run->common.backends.count && !run->common.no_cache; b++) {
        last_failed_write(name_of(run, b), &run->results, run->gate);
    }
    int stale = end_baseline(run, &good);
    char cause[160], not_opened[160];
    find_cause(good, stale, cause, sizeof cause);
    find_not_opened(run, not_opened, sizeof not_opened);
    summary.cause = *cause ? cause : NULL;
    summary.verdict = *not_opened ? not_opened : NULL;
    summary.exit_status = EXIT_NOTHING_RUN;
    report_summary(stdout, &run->results, &summary);
    if (signals_stop() && run->files.to.path[0]) {
        options_fault("the same command with --resume %s runs the rest", run->files.to.path);
    }
    int status = run->not_opened ? EXIT_NOTHING_RUN : report_exit_status(&run->results, run->gate);
    return status == EXIT_HOLDS && *cause ? EXIT_GATE : status;
}

/* Refuses to run. Writes files that say so, in case an earlier run left some there. */
static int refuse(struct run_command *run, const char *why)
{
    struct error error = {.text = ""};
    options_fault("%s", why);
    if (run->resume_path) {
        return EXIT_USAGE; /* the records to go on with stay */
    }
    if (run->common.backends.count == 0) { /* the default backend is not known yet */
        plan_open(&run->plan, &run->common, &error);
    }
    bool good = run_files_begin(&run->files, &error) || (options_fault("%s", error.text), false);
    for (int b = 0; b < run->common.backends.count && good; b++) {
        struct run_plan plan = plan_for(run, b);
        good = note_not_started(run, &plan, why);
    }
    struct summary_options summary = summary_of(run);
    if (good) {
        run_files_write(&run->files, &run->results, &summary);
    }
    return EXIT_USAGE;
}

static int run_self_tests(struct run_command *run)
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
    /* before anything that takes time, so that an interrupt from here on still ends in reports */
    signals_install();
    enum options_outcome outcome = run_command_parse(&run, argc, argv);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    if (outcome == OPTIONS_OK) {
        run.command = environment_command(argc, argv);
        bool known = run_command_check(&run, &error), opened = known && run_files_open(&run.files, &error);
        status = !known || (!opened && run.files.busy) ? options_fault("%s", error.text)
                 : !opened || !prepare(&run, &error) || (run.resume_path && !prepare_resume(&run, &error))
                     ? refuse(&run, error.text)
                 : run.self_test ? run_self_tests(&run)
                                 : run_and_report(&run);
    }
    run_files_close(&run.files);
    baseline_destroy(&run.baseline);
    results_destroy(&run.results);
    for (int b = 0; run.rest && b < run.common.backends.count; b++) {
        selection_destroy(&run.rest[b]);
    }
    free(run.rest);
    resume_destroy(&run.resume);
    case_words_destroy(&run.failed);
    selection_destroy(&run.selection);
    texts_destroy(&run.globs);
    texts_destroy(&run.names);
    plan_close(&run.plan, &run.common);
    free(run.command);
    return status;
}
