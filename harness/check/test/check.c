/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/check/findings.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Tests `assay check`: a program with one flaw gets one complaint, under the check that names the flaw; a
 * program without flaws gets none. */

TestSuite(check, .init = trial_begin, .fini = trial_end, .timeout = 120);

/* Returns the command's report as JSON. */
static json_t *report(void)
{
    json_error_t fault;
    const char *brace = strchr(trial->output, '{');
    json_t *json = brace ? json_loads(brace, 0, &fault) : NULL;
    cr_assert(json, "%s", trial->output);
    return json;
}

static const char *member(const json_t *check, const char *name)
{
    const char *text = json_string_value(json_object_get(check, name));
    return text ? text : "";
}

struct flaw {
    const char *flaw, *operators, *check, *came; /* operators: globs that are sufficient to show the flaw */
};

/* Expects that exactly the named check fails, with these words about the answer. */
static void expect(const struct flaw *flaws, size_t count)
{
    trial_needs_python();
    for (size_t f = 0; f < count; f++) {
        trial_run("check exec:exec${IFS}python3${IFS}harness/test/programs/flawed_program.py${IFS}%s %s "
                  "--time-limit "
                  "1.5 --format json",
                  flaws[f].flaw, flaws[f].operators);
        cr_expect_eq(trial->status, 1, "%s: %s", flaws[f].flaw, trial->output);
        json_t *json = report(), *check;
        size_t i;
        int failed = 0;
        json_array_foreach(json_object_get(json, "checks"), i, check)
        {
            if (strcmp(member(check, "verdict"), "fail") != 0) {
                continue;
            }
            failed++;
            cr_expect_str_eq(member(check, "check"), flaws[f].check, "%s: %s, %s", flaws[f].flaw,
                             member(check, "check"), member(check, "came"));
            cr_expect(strstr(member(check, "came"), flaws[f].came), "%s: %s", flaws[f].flaw,
                      member(check, "came"));
            cr_expect(member(check, "demand")[0] && member(check, "section")[0] && member(check, "do")[0],
                      "%s", flaws[f].flaw);
        }
        cr_expect_eq(failed, 1, "%s: %d complaints\n%s", flaws[f].flaw, failed, trial->output);
        json_decref(json);
    }
}
#define EXPECT(...)                                                                                          \
    static const struct flaw flaws[] = {__VA_ARGS__};                                                        \
    expect(flaws, sizeof flaws / sizeof *flaws)

Test(check, text_on_stdout)
{
    EXPECT({"banner", "sgn", "stdout-clean", "\"Welcome to mylib 2.1\""},
           {"print-before", "sgn", "stdout-clean",
            "1 line of text before the message, the first: \"computing...\""},
           {"print-between", "sgn", "stdout-clean", "text between the line and the bytes: \"computing...\""},
           {"print-behind", "sgn", "stdout-clean", "text behind an answer: \"done with it\""});
}

Test(check, programs_that_die_or_hang)
{
    EXPECT({"dies", "sgn", "lives",
            "it was killed by signal 9 (Killed); the last line of its stderr: segmentation imminent"},
           {"hangs", "sgn", "answers-in-time", "nothing within 1.5 s"},
           {"late-greeting", "sgn", "greeting-in-time", "nothing within 1.5 s"});
}

Test(check, greetings)
{
    EXPECT({"greeting-cut", "sgn", "greeting-line", "'}' expected"},
           {"version-2", "sgn", "greeting-members", "\"hello\" is 2"},
           {"no-name", "sgn", "greeting-members", "\"name\" is missing"},
           {"memory-word", "sgn", "greeting-members", "\"memory\" is neither true nor false"},
           {"misspelt-member", "sgn", "greeting-spelling",
            "\"proflie\" is no member; did you mean \"profile\"?"},
           {"misspelt-dtype", "sgn", "greeting-dtypes", "\"flaot16\" is no dtype; did you mean \"float16\"?"},
           {"dtypes-lack", "sgn", "greeting-dtypes", "\"sgn\" is offered on float64, which \"dtypes\" lacks"},
           {"misspelt-operator", "sgn", "greeting-operators",
            "\"vector_nrom\" is no operator; did you mean \"vector_norm\"?"},
           {"only-strangers", "sgn", "greeting-operators",
            "none of the operators or none of the dtypes is one that assay knows"},
           {"profile-word", "sgn", "greeting-profile", "\"rounding\" does not know \"nearest\""},
           {"profile-member", "sgn", "greeting-profile", "did you mean \"rounding\"?"},
           {"profile-operator", "sgn", "greeting-profile",
            "\"vector_nom\" in nondeterministic is no operator; did you mean \"vector_norm\"?"},
           {"profile-range", "sgn", "greeting-profile",
            "\"sofmax\" in range is no operator; did you mean \"softmax\"?"});
}

/* Both faults are reported. */
Test(check, two_slips_of_one_kind)
{
    trial_needs_python();
    trial_run(
        "check exec:exec${IFS}python3${IFS}harness/test/programs/flawed_program.py${IFS}misspelt-twice sgn");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, "came     \"proflie\" is no member"), "%s", trial->output);
    cr_expect(strstr(trial->output, "also     \"devise\" is no member; did you mean \"device\"?"), "%s",
              trial->output);
}

Test(check, answers_out_of_form)
{
    EXPECT({"no-json", "sgn", "answer-json", "no JSON object: \"status ok\""},
           {"nan-in-json", "sgn", "answer-json", "NaN"},
           {"wrong-id", "sgn", "answer-id", "\"id\": 2 where 1 was asked"},
           {"no-id", "sgn", "answer-id", "no \"id\" where 1 was asked"},
           {"status-okay", "sgn", "answer-status", "\"status\": \"okay\""},
           {"no-reason", "copy_", "answer-reason", "\"unsupported\" without a \"reason\""},
           {"misspelt-answer", "sgn", "answer-spelling",
            "\"device_nS\" is no member; did you mean \"device_ns\"?"},
           {"other-shape", "sgn", "answer-outputs", "output 0 has another shape than [19, 23]"},
           {"no-mutated", "add_", "answer-outputs", "\"mutated\" must be the list that \"mutates\" was"},
           {"long", "sgn", "answer-bytes", "4 bytes more than the"});
}

Test(check, bytes_and_times)
{
    EXPECT({"short", "sgn", "answer-bytes", "that were declared, then nothing for 1.5 s"},
           {"negative-ns", "sgn", "device-ns", "\"device_ns\": -5"},
           {"real-ns", "sgn", "device-ns", "is no integer"},
           {"long-ns", "sgn", "device-ns", "where the whole exchange took"});
}

Test(check, values)
{
    EXPECT({"unsupported", "sgn", "offers", "not today"},
           {"wrong-values", "sgn", "answers", "; the truth is"},
           {"unwritten", "add_", "writes-in-place", "the storage came back as it was sent"},
           {"flicker", "sgn", "repeats", "element 0 of result 0 was"});
}

Test(check, state)
{
    EXPECT({"stale", "sgn", "state", "the answer of the request before, on other values"},
           {"leftover-nan", "sgn", "state", "then nan"},
           {"leftover-tail", "sgn", "state", "of result 0 was"});
}

Test(check, repeated_runs)
{
    EXPECT({"repeats-chain", "sgn", "repeated", "element 0 of result 0 was"},
           {"repeats-all-ns", "vector_norm", "repeated", "for one of 64 runs, where the whole exchange took"},
           {"repeats-no-ns", "sgn", "repeated", "no \"device_ns\" greater than 0"},
           {"repeats-refused", "sgn", "repeated", "what is repeats?"});
}

Test(check, attributes_and_absent_operands)
{
    EXPECT({"default-0", "add_", "attributes-left-out", "; the truth is"},
           {"default-missing", "add_", "attributes-left-out", "KeyError"},
           {"ignores-alpha", "add_", "attributes-given", "the answer of the simple call"},
           {"ignores-ord", "vector_norm", "attributes-given", "the answer of the simple call"},
           {"no-null", "clamp_", "absent-operands", "clamp_ needs two limits"});
}

Test(check, layouts)
{
    EXPECT({"ignores-strides", "sgn", "strides", "; the truth is"},
           {"ignores-offset", "add_", "strides", "; the truth is"},
           {"stride-0", "sgn", "expanded", "a stride of 0"},
           {"gaps", "add_", "gaps", "bytes changed that belong to no result"},
           {"storage-of-its-own", "add_", "shared-storage", "; the truth is"},
           {"refuses-empty", "sgn", "empty", "nothing to do"}, {"large", "sgn", "large", "; the truth is"});
}

Test(check, special_values)
{
    EXPECT({"quiets", "copy_", "bits", "; the truth is"}, {"flushes", "copy_", "bits", "; the truth is"});
}

Test(check, refusals)
{
    EXPECT({"takes-all", "add_", "refusals", "operands were taken that must be refused"},
           {"error-for-rejected", "add_", "refusals", "\"status\": \"error\""},
           {"unread-storages", "sgn", "not-offered", "it ended with exit status 1"},
           {"takes-unknown", "sgn", "not-offered", "\"status\": \"ok\""},
           {"any-dtype", "sgn", "not-offered", "; the truth is"});
}

Test(check, memory)
{
    EXPECT({"negative-memory", "sgn", "memory", "\"allocated\" is no count of bytes"},
           {"peak-below", "sgn", "memory", "\"peak\": 1, and \"allocated\": 4096"},
           {"no-process", "sgn", "memory", "no process has that number"},
           {"no-empty-cache", "sgn", "memory", "\"status\": \"error\""},
           {"leaks", "sgn", "memory-growth", "\"allocated\" grew in every one of the last 5 samples"});
}

Test(check, the_end)
{
    EXPECT({"goes-on", "sgn", "ends", "it still ran 1.5 s later"},
           {"nobody-listens", "sgn", "ends-unheard", "it still ran 1.5 s later"});
}

/* --- right programs */

/* Expects that no check fails. `all`: every check was tried. */
static void expect_none(bool all)
{
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    json_t *json = report(), *check;
    size_t i;
    cr_expect(json_is_true(json_object_get(json, "conforms")));
    cr_expect_eq(json_array_size(json_object_get(json, "checks")), (size_t)CHECKS);
    json_array_foreach(json_object_get(json, "checks"), i, check)
    {
        const char *verdict = member(check, "verdict");
        cr_expect_str_neq(verdict, "fail", "%s", member(check, "check"));
        cr_expect(!all || strcmp(verdict, "pass") == 0, "%s: %s", member(check, "check"), verdict);
    }
    json_decref(json);
}

Test(check, a_right_program_passes_every_check)
{
    trial_needs_python();
    trial_run("check exec:exec${IFS}python3${IFS}harness/test/programs/flawed_program.py --time-limit 10 "
              "--format json");
    expect_none(true);
}

Test(check, the_starter_in_python)
{
    trial_needs_python();
    trial_run("check exec:exec${IFS}python3${IFS}harness/adapters/starter.py --time-limit 10 --format json");
    expect_none(false);
    trial_run("run elementwise/sgn inplace/add_ norm/vector_norm --level smoke --backend "
              "exec:exec${IFS}python3${IFS}harness/adapters/starter.py --results FOLDER/r");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    trial_read("r");
    cr_expect_gt(trial_records(STATUS_PASS), 200, "%s", trial->output);
}

Test(check, the_starter_in_c)
{
    const char *example = trial_program("example");
    trial_run("check exec:%s --time-limit 10 --format json", example);
    expect_none(false);
    trial_run("run elementwise/sgn/float32 --level smoke --backend exec:%s", example);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
}

/* Checks every operator of assay, computed by the CPU backend. */
Test(check, the_cpu_backend_takes_seconds)
{
    const char *peculiar = trial_program("peculiar");
    trial_script("profile", "{}");
    trial_run("check exec:%s${IFS}none${IFS}FOLDER/profile --time-limit 30 --format json", peculiar);
    expect_none(false);
}

Test(check, numpy_by_its_adapter)
{
    const char *python = getenv("ASSAY_PYTHON");
    char command[256];
    snprintf(command, sizeof command, "%s -c 'import numpy' 2>/dev/null", python ? python : "python3");
    if (system(command) != 0) {
        cr_skip_test("no numpy in %s: its adapter is not tried", python ? python : "python3");
    }
    trial_run("check array:numpy --format json");
    expect_none(false);
}

/* --- the command */

/* The sections that complaints cite exist. */
Test(check, sections_are_headings_of_the_page)
{
    static char page[32768];
    FILE *file = fopen("docs/reference/exec-protocol.md", "r");
    cr_assert(file, "the tests run at the top of the tree");
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    for (int k = 0; k < CHECKS; k++) {
        char heading[96];
        snprintf(heading, sizeof heading, "# %s", check_clause((enum check)k)->section);
        cr_expect(strstr(page, heading), "%s", heading);
        for (int l = 0; l < k; l++) {
            cr_expect_str_neq(check_clause((enum check)k)->name, check_clause((enum check)l)->name);
        }
    }
}

Test(check, a_program_that_does_not_start_is_exit_3)
{
    trial_run("check exec:FOLDER/nothing");
    cr_expect_eq(trial->status, 3, "%s", trial->output);
    cr_expect(strstr(trial->output, "does not greet: it ended with exit status 127"), "%s", trial->output);
    cr_expect_eq(strchr(trial->output, '\n')[1], 0, "one line: %s", trial->output);
    trial_run("check exec:true");
    cr_expect_eq(trial->status, 3, "%s", trial->output);
}

Test(check, text_and_usage)
{
    const char *example = trial_program("example");
    trial_run("check exec:%s --time-limit 10", example);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "  pass  strides "), "%s", trial->output);
    cr_expect(strstr(trial->output, "not applicable, its greeting has no \"memory\": true"), "%s",
              trial->output);
    cr_expect(strstr(trial->output, "the program keeps the protocol"), "%s", trial->output);
    trial_run("check");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    trial_run("check cpu");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    cr_expect(strstr(trial->output, "check works on programs of the exec protocol, and backend cpu is none"),
              "%s", trial->output);
    trial_run("check exec:%s --format xml", example);
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    trial_run("check exec:%s 'nothing*'", example);
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    trial_run("help check");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "assay check BACKEND"), "%s", trial->output);
}
