/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/costs.h"
#include "harness/selection/select.h"
#include "harness/test/trial.h"
#include "reports/records/record.h"
#include "suites/shared/procedure.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests shards by costs: the file and its contents, the partition, and the commands. */

#define GLOB "elementwise/sgn/float32"
#define RUN  "run " GLOB " --level smoke --backend faulty --quiet --no-rerun "

TestSuite(costs, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* Writes a line for a case, of backend x unless `more` names another one. */
static void put(char *text, size_t size, int index, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "{\"id\":\"%s\",\"status\":\"pass\",%s}\n",
             suite_list_id(trial->list, index), more);
}

#define X "\"backend\":\"x\","

Test(costs, what_a_record_tells)
{
    char text[8192] = "{\"assay\":\"9\",\"backend\":\"x\",\"seed\":77,\"level\":\"exhaustive\"}\n";
    int count = suite_list_count(trial->list);
    struct costs costs;
    struct error error;
    put(text, sizeof text, 0, X "\"case_ns\":700,\"wall_ns\":90");
    put(text, sizeof text, 1, X "\"wall_ns\":90,\"reference_ns\":10");
    put(text, sizeof text, 2, X "\"case_ns\":-5,\"wall_ns\":-9223372036854775808,\"reference_ns\":10");
    put(text, sizeof text, 3, X "\"case_ns\":9223372036854775807");
    put(text, sizeof text, 4, X "\"case_ns\":9223372036854775807");
    put(text, sizeof text, 4, "\"backend\":\"y\",\"case_ns\":9223372036854775807");
    put(text, sizeof text, 5, X "\"case_ns\":20");
    put(text, sizeof text, 5, X "\"case_ns\":50");
    put(text, sizeof text, 5, "\"backend\":\"y\",\"case_ns\":7");
    put(text, sizeof text, 5, X "\"case_ns\":30");
    put(text, sizeof text, 6, X "\"case_ns\":0");
    strcat(text, "{\"id\":\"no/such/case/here\",\"status\":\"pass\",\"backend\":\"x\",\"case_ns\":1}\n"
                 "{\"id\":\"\",\"status\":\"pass\",\"backend\":\"\",\"case_ns\":1}\n");
    strcat(text, "{\"id\":\"torn"); /* the run was killed */
    trial_write("costs", text);
    cr_assert(costs_read(trial_path("costs"), trial->list, &costs, &error), "%s", error.text);
    static const int64_t expected[] = {700, 100, 10, 10800000000000, 10800000000000, 57};
    for (int i = 0; i < 6; i++) {
        cr_expect(costs.cost[i] == expected[i] && costs.recorded[i], "%d costs %lld", i,
                  (long long)costs.cost[i]);
    }
    for (int i = 6; i < count; i++) {
        cr_assert(costs.cost[i] > 0 && !costs.recorded[i]);
    }
    costs_destroy(&costs);
}

Test(costs, the_median_of_the_operator_stands_for_the_unknown)
{
    char text[65536] = "";
    int count = suite_list_count(trial->list), of_first = 0, other = 0;
    const struct op *first = suite_list_at(trial->list, 0)->op;
    for (int i = 0; i < count && (of_first < 3 || other < 9); i++) {
        char more[80];
        bool own = suite_list_at(trial->list, i)->op == first;
        if ((own && of_first < 3) || (!own && other < 9)) {
            /* 1, 100 and 3 for cases of the first operator, 1000 for others */
            snprintf(more, sizeof more, X "\"case_ns\":%d", own ? (int[]){1, 100, 3}[of_first] : 1000);
            put(text, sizeof text, i, more);
            of_first += own;
            other += !own;
        }
    }
    struct costs costs;
    struct error error;
    trial_write("costs", text);
    cr_assert(costs_read(trial_path("costs"), trial->list, &costs, &error), "%s", error.text);
    for (int i = 0; i < count; i++) {
        if (!costs.recorded[i]) {
            cr_assert_eq(costs.cost[i], suite_list_at(trial->list, i)->op == first ? 3 : 1000);
        }
    }
    costs_destroy(&costs);
}

Test(costs, what_is_no_results_file_is_refused_by_name)
{
    static const char *const texts[][2] = {
        {"", "no result header or record in it"},
        {"{\"assay\":\"9\",\"backend\":\"x\"}\n", "no record contains the time of one of the cases"},
        {"{\"id\":\"a/b/c/d\",\"status\":\"pass\",\"backend\":\"x\",\"case_ns\":5}\n",
         "no record contains the time"},
        {"{\"id\":1}\n", ":1: member \"id\" cannot be 1"},
        {"\x7f\x45LF\n", ":1: not JSON"},
    };
    struct costs costs;
    struct error error;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        trial_write("costs", texts[i][0]);
        cr_expect_not(costs_read(trial_path("costs"), trial->list, &costs, &error));
        cr_expect(strstr(error.text, trial_path("costs")) && strstr(error.text, texts[i][1]), "%s",
                  error.text);
        cr_expect_null(costs.cost);
    }
    cr_expect_not(costs_read("/nowhere/at/all", trial->list, &costs, &error));
    cr_expect(strstr(error.text, "/nowhere/at/all: No such file"), "%s", error.text);
}

/* Returns costs like real ones: most are small, a few are a thousand times larger. */
static struct costs any_costs(int count)
{
    struct costs costs = {.cost = calloc((size_t)count, sizeof *costs.cost),
                          .recorded = calloc((size_t)count, sizeof *costs.recorded)};
    uint64_t state = 88172645463325252U;
    for (int i = 0; i < count; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        costs.cost[i] = 1 + (int64_t)(state >> 44) / (1 + (int64_t)(state >> 20) % 1000);
    }
    return costs;
}

Test(costs, shards_are_a_partition_of_one_length)
{
    int count = suite_list_count(trial->list);
    struct costs costs = any_costs(count);
    int64_t most = 0;
    for (int i = 0; i < count; i++) {
        most = costs.cost[i] > most ? costs.cost[i] : most;
    }
    for (int n = 1; n <= 7; n += 2) {
        int *seen = calloc((size_t)count, sizeof *seen);
        int64_t least_load = INT64_MAX, most_load = 0;
        int fewest_alone = count, most_alone = 0;
        for (int k = 1; k <= n; k++) {
            struct selection_query query = {.level = LEVEL_EXHAUSTIVE, .shard = {k, n}, .costs = &costs};
            struct selection part;
            struct error error;
            cr_assert(select_cases(trial->list, &query, &part, &error), "%s", error.text);
            int64_t load = 0;
            int alone = 0;
            for (int i = 0; i < part.count; i++) {
                const struct procedure *procedure = suite_list_at(trial->list, part.index[i])->procedure;
                seen[part.index[i]]++;
                load += costs.cost[part.index[i]];
                alone += procedure && procedure->alone;
                cr_assert(i == 0 || part.index[i] > part.index[i - 1], "in the order of the list");
            }
            least_load = load < least_load ? load : least_load;
            most_load = load > most_load ? load : most_load;
            fewest_alone = alone < fewest_alone ? alone : fewest_alone;
            most_alone = alone > most_alone ? alone : most_alone;
            cr_expect_eq(part.whole, count);
            cr_expect_eq(strlen(part.partition), 32);
            selection_destroy(&part);
        }
        for (int i = 0; i < count; i++) {
            cr_assert_eq(seen[i], 1, "%s is in %d shards of %d", suite_list_id(trial->list, i), seen[i], n);
        }
        cr_expect_leq(most_load - least_load, most, "%lld and %lld", (long long)most_load,
                      (long long)least_load);
        cr_expect(fewest_alone > 0 && most_alone < count / n / 10, "every shard has measurements");
        free(seen);
    }
    costs_destroy(&costs);
}

Test(costs, one_file_one_partition)
{
    int count = suite_list_count(trial->list);
    struct costs costs = any_costs(count);
    char digest[3][33];
    struct error error;
    for (int i = 0; i < 3; i++) {
        struct selection part;
        struct selection_query query = {.level = LEVEL_EXHAUSTIVE, .shard = {i % 2 + 1, 2}, .costs = &costs};
        costs.cost[0] += i == 2 ? 1000000000 : 0;
        cr_assert(select_cases(trial->list, &query, &part, &error));
        memcpy(digest[i], part.partition, sizeof digest[i]);
        selection_destroy(&part);
    }
    cr_expect_str_eq(digest[0], digest[1]);
    cr_expect_str_neq(digest[0], digest[2]);
    struct selection_query query = {.level = LEVEL_SMOKE, .shard = {1000000, 1000000}, .costs = &costs};
    struct selection part;
    cr_expect_not(select_cases(trial->list, &query, &part, &error));
    cr_expect(strstr(error.text, "use at most"), "%s", error.text);
    costs_destroy(&costs);
}

/* Writes the costs of the first cases only; the first one costs as much as all others together. */
static void write_costs(int cases)
{
    char text[8192] = "";
    for (int i = 0; i < cases; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "{\"id\":\"%s\",\"status\":\"pass\"," X "\"case_ns\":%d}\n",
                 trial_id(GLOB, i), i ? 1000000 : 1000000 * (trial_count(GLOB) - 1));
    }
    trial_write("costs", text);
}

Test(costs, shards_run_and_merge)
{
    int count = trial_count(GLOB);
    write_costs(count);
    trial_run("list " GLOB " --level smoke --shard 1/2 --costs FOLDER/costs");
    trial_expect(0, trial_id(GLOB, 0));
    cr_expect_eq(strchr(trial->output, '\n') - trial->output + 1, (long)strlen(trial->output),
                 "the dear case is alone in its shard: %s", trial->output);
    for (int k = 1; k <= 2; k++) {
        trial_run(RUN "--shard %d/2 --costs FOLDER/costs --results FOLDER/s%d", k, k);
        trial_expect(0, "gate: PASS");
        cr_expect_not(strstr(trial->output, "--costs"), "nothing is guessed: %s", trial->output);
    }
    trial_read("s2");
    cr_expect_eq(trial->results.records, count - 1);
    cr_expect_eq(strlen(trial->results.header[0].partition), 32);
    trial_run("merge FOLDER/s1 FOLDER/s2 -o FOLDER/all");
    trial_expect(0, "gate: PASS");
    trial_read("all");
    cr_expect(trial->results.records == count && !trial->results.header[0].partition);
    cr_expect_gt(trial_record(trial_id(GLOB, 0))->case_ns, 0, "the next run's costs");
    trial_run("run " GLOB " --level smoke --backend faulty --quiet --shard 1/2 --costs FOLDER/all "
              "--results FOLDER/again");
    trial_expect(0, "gate: PASS");
    trial_run("merge FOLDER/s2 -o FOLDER/m");
    trial_expect(1, "1 of 15 selected cases have no record: shard 1/2 is not there");
}

Test(costs, shards_that_were_cut_in_two_ways_are_refused)
{
    write_costs(trial_count(GLOB));
    trial_run(RUN "--shard 1/2 --costs FOLDER/costs --results FOLDER/s1");
    trial_run(RUN "--shard 2/2 --results FOLDER/s2");
    trial_run("merge FOLDER/s1 FOLDER/s2 -o FOLDER/m");
    trial_expect(2, "s2 and the files before it are of different runs");
    trial_expect(2, "shard 1/2 was cut by partition ");
    trial_expect(2, "shard 2/2 by a partition without costs; give every shard the same --costs");
    write_costs(1);
    trial_run(RUN "--shard 2/2 --costs FOLDER/costs --results FOLDER/s3");
    trial_expect(0, "costs: 14 of 15 selected cases have no time in this file");
    trial_run("merge FOLDER/s3 FOLDER/s1 -o FOLDER/m");
    trial_expect(2, "shard 2/2 was cut by partition ");
    trial_run(RUN "--results FOLDER/whole");
    trial_run("merge FOLDER/s1 FOLDER/whole -o FOLDER/m");
    trial_expect(0, "gate: PASS"); /* a whole run was not cut at all */
}

Test(costs, options_that_make_no_sense)
{
    trial_run(RUN "--costs FOLDER/costs");
    trial_expect(2, "--costs balances shards; give --shard K/N too");
    trial_run(RUN "--shard 1/2 --costs FOLDER/costs");
    trial_expect(2, "costs: No such file");
    trial_run("list --costs");
    trial_expect(2, "--costs needs a value");
    trial_run(RUN "--shard 1/2 --costs=");
    trial_expect(2, "--costs: the path is empty");
}
