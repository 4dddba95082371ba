/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The script that every recipe of packaging/recipes calls, with the variables of each CI service, and the
 * files of the services. */

#define GLOB "elementwise/sgn/float32"

static char text[1 << 16];

TestSuite(recipes, .init = trial_begin, .fini = trial_end, .timeout = 120);

static const char *read_file(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", trial->folder, name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = 0;
    if (file) {
        fclose(file);
    }
    return text;
}

/* Runs "gate WORDS" with these variables; returns its exit status, its output is in `text`. */
static int gate(const char *variables, const char *script, const char *words)
{
    char command[PATH_MAX + 2048];
    snprintf(command, sizeof command,
             "env -u GITHUB_STEP_SUMMARY -u ASSAY_SHARD -u ASSAY_COSTS -u CI_NODE_INDEX -u CI_NODE_TOTAL -u "
             "SLURM_ARRAY_TASK_ID "
             "ASSAY=%s ASSAY_REPORT=%s/report %s packaging/recipes/%s %s >%s/output 2>&1",
             trial_program("assay-faulty"), trial->folder, variables, script, words, trial->folder);
    int status = system(command);
    read_file("output");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool made(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/report/%s", trial->folder, name);
    return access(path, R_OK) == 0;
}

static int run(const char *variables, const char *script)
{
    return gate(variables, script,
                "run " GLOB " --level smoke --backend faulty --name mine --quiet --no-rerun");
}

static int merge(const char *variables, const char *parts)
{
    char words[300];
    snprintf(words, sizeof words, "merge %s/report/%s", trial->folder, parts);
    return gate(variables, "gate", words);
}

Test(recipes, gitlab_and_github)
{
    char variable[160];
    cr_assert_eq(run("CI_NODE_INDEX=1 CI_NODE_TOTAL=2", "gate"), 0, "%s", text);
    cr_assert_eq(run("ASSAY_SHARD=2/2", "gate"), 0, "%s", text);
    cr_expect(made("part-1-2.jsonl") && made("part-1-2.xml") && made("part-2-2.jsonl"));
    snprintf(variable, sizeof variable, "GITHUB_STEP_SUMMARY=%s/step", trial->folder);
    cr_expect_eq(merge(variable, "part-*.jsonl"), 0, "%s", text);
    cr_expect(made("all.jsonl") && made("junit.xml") && made("parity.html"));
    cr_expect(strstr(read_file("step"), "15 cases · 0 failed · gate: PASS"), "%s", text);
    cr_expect(strstr(read_file("report/junit.xml"), "classname=\"mine.elementwise.sgn.float32\""), "%s",
              text);
}

Test(recipes, a_lost_part_is_named_and_fails)
{
    cr_assert_eq(run("ASSAY_SHARD=1/3", "gate"), 0, "%s", text);
    cr_assert_eq(run("ASSAY_SHARD=3/3", "gate"), 0, "%s", text);
    cr_expect_eq(merge("", "part-*.jsonl"), 1, "%s", text);
    cr_expect(strstr(text, "mine: 5 of 15 selected cases have no record"), "%s", text);
    cr_expect(strstr(read_file("report/junit.xml"), "mine.missing"), "%s", text);
}

Test(recipes, a_wrong_value_fails_part_and_gate)
{
    trial_faults("wrong %s", trial_id(GLOB, 2));
    int failed = run("ASSAY_SHARD=1/2", "gate");
    failed += run("ASSAY_SHARD=2/2", "gate");
    cr_expect_eq(failed, 1, "one part holds the case");
    char variable[160];
    snprintf(variable, sizeof variable, "GITHUB_STEP_SUMMARY=%s/step", trial->folder);
    cr_expect_eq(merge(variable, "part-*.jsonl"), 1, "%s", text);
    cr_expect(strstr(read_file("report/summary.md"), "gate: FAIL: 1 failed\n```\n"), "%s", text);
    cr_expect(strstr(read_file("step"), "gate: FAIL: 1 failed\n```\n"), "%s", text);
}

Test(recipes, slurm)
{
    static const char array[] =
        "SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_MAX=5 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_ID=";
    char variables[200];
    for (int task = 4; task <= 5; task++) {
        snprintf(variables, sizeof variables, "%s%d", array, task);
        cr_expect_eq(run(variables, "slurm.sh"), 0, "%s", text);
    }
    cr_expect(made("part-1-2.jsonl") && made("part-2-2.jsonl"));
    cr_expect_eq(gate("", "slurm.sh", "merge"), 0, "%s", text);
    cr_expect(strstr(text, "15 cases · 0 failed · gate: PASS"), "%s", text);
    /* 1, 3 and 5 would be called the first three of three, and two of five would run */
    cr_expect_eq(
        run("SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=5 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_ID=3",
            "slurm.sh"),
        2);
    cr_expect(strstr(text, "the job array has gaps or steps"), "%s", text);
}

/* A real report by the rules of the services, its failure with file and line. */
Test(recipes, the_report_keeps_the_services_rules)
{
    char command[300];
    if (system("python3 -c 'import xml.etree.ElementTree' 2>/dev/null")) {
        fprintf(stderr, "skipped: python3 with xml.etree is not here, so nothing reads this JUnit\n");
        return;
    }
    trial_faults("wrong %s", trial_id(GLOB, 2));
    cr_assert_eq(run("", "gate"), 1, "%s", text);
    cr_assert_eq(merge("", "part-*.jsonl"), 1, "%s", text);
    snprintf(command, sizeof command,
             "python3 reports/test/junit_readers.py rules %s/report/junit.xml >%s/output 2>&1", trial->folder,
             trial->folder);
    cr_expect_eq(system(command), 0, "%s", read_file("output"));
    cr_expect(strstr(read_file("output"), "suites, "), "%s", text);
    cr_expect(strstr(text, " 15 cases, 1 red"), "%s", text);
    cr_expect(strstr(read_file("report/junit.xml"), "file=\"suites/elementwise/sgn.c\""), "%s", text);
}

/* The second run is balanced by the first; parts that found different costs are refused. */
Test(recipes, costs_of_the_last_run)
{
    char costs[128], first[300];
    snprintf(costs, sizeof costs, "ASSAY_COSTS=%s/costs", trial->folder);
    snprintf(first, sizeof first, "%s ASSAY_SHARD=1/2", costs);
    cr_assert_eq(run(first, "gate"), 0, "%s", text);
    cr_expect_not(strstr(read_file("report/part-1-2.jsonl"), "\"partition\""), "there is no earlier run yet");
    cr_assert_eq(run("ASSAY_SHARD=2/2", "gate"), 0, "%s", text);
    cr_assert_eq(merge(costs, "part-*.jsonl"), 0, "%s", text);
    cr_assert_eq(run(first, "gate"), 0, "%s", text);
    cr_expect(strstr(read_file("report/part-1-2.jsonl"), "\"partition\""), "%s", text);
    cr_expect_eq(merge(costs, "part-*.jsonl"), 2, "%s", text);
    cr_expect(strstr(text, "give every shard the same --costs"), "%s", text);
    snprintf(first, sizeof first, "%s ASSAY_SHARD=2/2", costs);
    cr_assert_eq(run(first, "gate"), 0, "%s", text);
    cr_expect_eq(merge(costs, "part-*.jsonl"), 0, "%s", text);
}

Test(recipes, half_a_service_is_refused)
{
    cr_expect_neq(run("CI_NODE_TOTAL=2", "gate"), 0);
    cr_expect(strstr(text, "CI_NODE_INDEX: is not set, though CI_NODE_TOTAL is"), "%s", text);
    cr_expect_eq(gate("", "gate", "walk"), 2);
    cr_expect(strstr(text, "gate run [ARGUMENT…]"), "%s", text);
    cr_expect_not(made("all.jsonl"));
}

/* Runs a shell command, in which $T is the trial's folder; its output is in `text`. */
static int shell(const char *command)
{
    char whole[PATH_MAX + 1200];
    setenv("T", trial->folder, 1);
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    snprintf(whole, sizeof whole, "{ %s; } >%s/output 2>&1", command, trial->folder);
    int status = system(whole);
    read_file("output");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define BUILD_WHEEL "PATH=\"$T:$PATH\" sh \"$T/tree/packaging/recipes/gate\" build \"$T/wheel\""

/* A tree with the recipes alone, and a make that writes what `make wheel` would. */
Test(recipes, the_wheel_is_built_once_for_the_same_sources)
{
    trial_script("make",
                 "#!/bin/sh\n[ \"$1\" = wheel ] && mkdir -p build/dist && echo \"$*\" >>\"$T/made\" && "
                 "echo x >build/dist/assay-1-py3-none-any.whl\n");
    cr_assert_eq(shell("mkdir -p \"$T/tree/.ci\" && cp -R packaging \"$T/tree/\" && "
                       "echo 'echo \"$*\" >>\"$T/needed\"' >\"$T/tree/.ci/deps\""),
                 0, "%s", text);
    cr_assert_eq(shell(BUILD_WHEEL " && test -x \"$T/wheel/gate\" && ls \"$T/wheel\""), 0, "%s", text);
    cr_expect(strstr(text, "assay-1-py3-none-any.whl\ngate\n"), "%s", text);
    cr_expect_str_eq(read_file("needed"), "program\n", "a wheel needs nothing of the tests");
    cr_assert_eq(shell(BUILD_WHEEL), 0, "%s", text);
    cr_expect(strstr(text, "is that of these sources"), "%s", text);
    cr_expect_str_eq(read_file("made"), "wheel\n");
    cr_assert_eq(shell("echo '#' >>\"$T/tree/packaging/wheel.py\"; ASSAY_COMMIT=v1 " BUILD_WHEEL), 0, "%s",
                 text);
    cr_expect_str_eq(read_file("made"), "wheel\nwheel COMMIT=v1\n");
    cr_expect_eq(shell("cp packaging/recipes/gate \"$T/alone\" && sh \"$T/alone\" build \"$T/wheel\""), 2,
                 "%s", text);
    cr_expect(strstr(text, "it needs the source tree of assay"), "%s", text);
    cr_expect_eq(shell("sh \"$T/alone\" install"), 2, "%s", text);
    cr_expect(strstr(text, "there is no assay-*.whl in "), "%s", text);
}

/* The percentage of truths that the last run took from the cache. */
static int from_cache(void)
{
    const char *said = strstr(text, ", truth ");
    return said ? atoi(said + strlen(", truth ")) : -1;
}

/* Truths come from the folder that the service keeps, also where it has unpacked it for everybody to write.
 */
Test(recipes, the_cache_of_truths_is_kept)
{
    char words[] = "run linalg/matrix_exp/float32 --level smoke --backend cpu", variables[200];
    snprintf(variables, sizeof variables, "ASSAY_CACHE=%s/kept", trial->folder);
    cr_assert_eq(gate(variables, "gate", words), 0, "%s", text);
    int first = from_cache();
    cr_expect(first >= 0 && first < 20, "%s", text);
    cr_assert_eq(shell("find \"$T/kept/assay/truth\" -type f | grep . && chmod -R a+w \"$T/kept\""), 0, "%s",
                 text);
    cr_assert_eq(gate(variables, "gate", words), 0, "%s", text);
    cr_expect_gt(from_cache(), first + 20, "%s", text);
    cr_expect_neq(shell("find \"$T/kept/assay/verdict\" -type f | grep ."), 0, "verdicts are kept: %s", text);
}

/* The files of two services by their published schemas, and the scripts of GitHub's action. */
Test(recipes, files_of_the_services_keep_their_schemas)
{
    trial_needs_modules("check_jsonschema, ruamel.yaml");
    cr_expect_eq(shell("\"$ASSAY_PYTHON\" packaging/test/service_files.py forms"), 0, "%s", text);
    cr_expect(strstr(text, "3 files keep their schemas"), "%s", text);
    char command[PATH_MAX + 200];
    snprintf(command, sizeof command,
             "mkdir \"$T/action\" && \"$ASSAY_PYTHON\" packaging/test/service_files.py run %s \"$T/action\"",
             trial_program("assay-faulty"));
    cr_expect_eq(shell(command), 0, "%s", text);
    cr_expect(strstr(text, "the action's scripts run"), "%s", text);
}
