/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests faults of state (faulty_state.c): every case passes alone and fails only because of what ran before
 * it. Each fault must be found with one worker and in a shard, the report must name the cases before it, and
 * its replay command must reproduce it. */

#define GLOBS "inplace/add_/float32 inplace/mul_/float32 elementwise/sgn/float32 elementwise/square/float32"

/* Each fault takes hundreds of fresh processes, and a process with sanitizers takes a second to start. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

TestSuite(state, .init = trial_begin, .fini = trial_end, .timeout = 600, .disabled = SANITIZED);

/* Runs the replay command of a failure, cut before `cut` if that is given. Returns the exit status. */
static int replay(const char *line, const char *cut)
{
    const char *words = strchr(line, ' ');
    const char *stop = cut ? strstr(line, cut) : NULL;
    size_t size = strlen(line) + PATH_MAX + 512;
    char *command = malloc(size);
    cr_assert(command && words);
    snprintf(command, size, "%s%.*s >%s/replayed 2>&1", trial_program("assay-faulty"),
             (int)(stop ? stop - words : (long)strlen(words)), words, trial->folder);
    int status = system(command);
    free(command);
    return status;
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (const char *at = text; at && (at = strstr(at, word)); at++) {
        found++;
    }
    return found;
}

/* Expects at least one failure that names what must run before it, and no flake. Each must replay with these
 * cases and not without. Returns the smallest number of cases that a failure names. */
static int expect_history(const char *what)
{
    int replayed = 0, shortest = 1000;
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        cr_expect_neq(record->status, STATUS_FLAKE, "%s: %s is no luck: %s", what, record->id,
                      record->reason);
        if (record->status != STATUS_FAIL) {
            continue;
        }
        cr_expect(strncmp(record->reason, "depends on earlier cases: ", 26) == 0, "%s: %s: %s", what,
                  record->id, record->reason);
        cr_expect(record->detail && strstr(record->detail, "it fails after these cases"), "%s",
                  record->detail);
        int named = count(record->repro, " --after ");
        shortest = named < shortest ? named : shortest;
        if (replayed++ < 2) {
            cr_expect_eq(replay(record->repro, NULL), 256, "%s: %s does not fail", what, record->repro);
            cr_expect_eq(replay(record->repro, " --after "), 0, "%s: %s fails alone", what, record->id);
        }
    }
    cr_expect_gt(replayed, 0, "%s: nothing depends on earlier cases\n%s", what, trial->output);
    return shortest;
}

/* Tests the fault with one worker and in a shard of four. At most `most` cases may be named. */
static void check(const char *fault, const char *options, int most)
{
    static const char *const parts[] = {"", "--shard 1/4"};
    setenv("ASSAY_TEST_STATE", fault, 1);
    for (int p = 0; p < 2; p++) {
        char what[96];
        snprintf(what, sizeof what, "%s %s", fault, parts[p]);
        trial_run("run " GLOBS " --level smoke --backend faulty --jobs 1 %s %s --results FOLDER/r", parts[p],
                  options);
        cr_expect_eq(trial->status, 1, "%s: exit %d: %s", what, trial->status, trial->output);
        trial_read("r");
        int named = expect_history(what);
        cr_expect_leq(named, most, "%s: %d cases are named", what, named);
        cr_expect(strstr(trial->output, " --after "), "the summary's replay has it: %s", trial->output);
    }
}

Test(state, a_cache_keyed_by_size)
{
    check("stale-by-size", "", 1);
}

Test(state, a_cache_keyed_by_size_and_sign)
{
    check("stale-by-sign", "", 1);
}

Test(state, attributes_of_the_first_call)
{
    check("stale-attributes", "", 1);
}

Test(state, an_operand_that_stays_on_the_device)
{
    check("stale-operand", "", 1);
}

Test(state, the_previous_result_s_last_element)
{
    check("tail-of-the-previous", "", 1);
}

Test(state, an_accumulator_that_is_not_reset)
{
    check("accumulator", "", 1);
}

Test(state, a_mode_left_set_by_another_operator)
{
    check("mode", "", 1);
}

/* Sixty-four suspects are run again; the others fail, and say that they were not run again. */
Test(state, a_bound_is_reported)
{
    setenv("ASSAY_TEST_STATE", "always", 1);
    trial_run("run " GLOBS " --level smoke --backend faulty --jobs 2 --results FOLDER/r");
    trial_read("r");
    int failed = 0, declined = 0;
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        failed += record->status == STATUS_FAIL;
        declined += record->detail && strstr(record->detail, "not rerun, because 64 failing cases");
    }
    cr_expect_gt(failed, 64);
    cr_expect_eq(declined, failed - 64, "%d of %d", declined, failed);
}

/* The history found does not depend on the number of workers. */
Test(state, with_three_workers)
{
    setenv("ASSAY_TEST_STATE", "mode", 1);
    trial_run("run " GLOBS " --level smoke --backend faulty --jobs 3 --results FOLDER/r");
    trial_read("r");
    expect_history("mode, three workers");
}

/* A replay in this process is for debuggers. The test also covers what --after refuses. */
Test(state, a_replay_in_this_process)
{
    const char *first = trial_id("elementwise/sgn/float32", 0);
    setenv("ASSAY_TEST_STATE", "mode", 1);
    trial_run("repro inplace/mul_/float32/random --backend faulty --in-process --after %s", first);
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, " --after elementwise/sgn/float32/"), "%s", trial->output);
    trial_run("repro inplace/mul_/float32/random --backend faulty --in-process");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    trial_run("repro inplace/mul_/float32/random --backend faulty --after elementwise/sgn/float32/none");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    trial_run("repro --op sgn --input FOLDER/x.npy --backend faulty --after %s", first);
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    cr_expect(strstr(trial->output, "--after needs a case"), "%s", trial->output);
}

/* A program behind exec: answers with its previous result. */
Test(state, a_program_s_previous_result)
{
    static const char *const parts[] = {"", "--shard 1/4"};
    for (int p = 0; p < 2; p++) {
        trial_run(
            "run elementwise/sgn/float32 --exclude *chain* --exclude *position* --exclude *plan* --backend "
            "exec:%s --jobs 1 %s "
            "--results FOLDER/r",
            trial_program("stale"), parts[p]);
        cr_expect_eq(trial->status, 1, "%s", trial->output);
        trial_read("r");
        expect_history("exec");
    }
}

Test(state, two_operators_in_their_order)
{
    check("armed", "", 2);
}

Test(state, a_workspace_of_the_first_call_s_size)
{
    check("workspace", "", 1);
}

Test(state, after_so_many_calls)
{
    check("after-calls", "", 12);
}

Test(state, every_so_many_calls)
{
    check("every-nth", "", 10);
}

Test(state, what_a_refusal_leaves)
{
    check("refusal-skips-the-next", "--shuffle", 1);
}
