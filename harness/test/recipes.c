/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The script that every recipe of packaging/recipes calls, with the variables of each CI service. */

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
