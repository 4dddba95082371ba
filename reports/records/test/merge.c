/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/merge.h"
#include "reports/records/losses.h"
#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

/* Files of runs with the cases a … h; "abc" means that a file holds these. */

static struct results all;
static int shown;

static void end(void)
{
    results_destroy(&all);
}

TestSuite(merge_results, .fini = end);

static void hear(void *user, const char *what)
{
    (void)user;
    (void)what;
    shown++;
}

static void add_file(const char *selection, int selected, const char *shard, int expected, const char *cases,
                     enum status status)
{
    struct results one = {0};
    struct record_header *header = add_header(&one, "x", "d");
    header->selection = text(selection);
    header->selected = selected;
    header->shard = text(shard);
    header->expected = expected;
    for (; *cases; cases++) {
        char id[] = "f/o/d/?";
        id[6] = *cases;
        add_record(&one, id, "x", status);
    }
    cr_assert(results_join(&all, &one));
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct record *)a)->id, ((const struct record *)b)->id);
}

static const struct record_header *merge(bool whole)
{
    struct error error = {0};
    shown = 0;
    qsort(all.record, (size_t)all.records, sizeof *all.record, by_id);
    cr_assert(merge_results(&all, whole, hear, NULL, &error), "%s", error.text);
    return &all.header[0];
}

Test(merge_results, shards)
{
    add_file("S", 6, "1/3", 2, "ab", STATUS_PASS);
    add_file("S", 6, "3/3", 2, "ef", STATUS_PASS);
    struct losses losses;
    char *line;
    cr_assert(losses_find(&all, false, &losses) && losses.count == 0, "each is whole by itself");
    losses_destroy(&losses);
    cr_assert(losses_find(&all, true, &losses) && losses.count == 1);
    cr_expect_eq(losses.loss[0].lost, 2);
    line = loss_text(&losses.loss[0]);
    cr_expect_str_eq(line, "x: 2 of 6 selected cases have no record: shard 2/3 is not there");
    free(line);
    losses_destroy(&losses);
    const struct record_header *header = merge(true);
    cr_expect(header->expected == 6 && header->selected == 6 && !header->shard && shown == 1);
    cr_expect(strstr(header->command, "(and 1 more)"), "%s", header->command);
    cr_expect_eq(report_exit_status(&all, 0), 1);
    add_file("S", 6, "2/3", 2, "cd", STATUS_PASS);
    header = merge(true);
    cr_expect(header->expected == 6 && all.records == 6 && shown == 0);
    cr_expect_eq(report_exit_status(&all, 0), 0);
}

Test(merge_results, a_case_counts_once)
{
    add_file("S", 4, NULL, 4, "ab", STATUS_PASS); /* its run was killed */
    add_file("S", 4, NULL, 4, "ab", STATUS_PASS);
    const struct record_header *header = merge(true);
    cr_expect(header->expected == 4 && all.records == 2 && shown == 1);
    add_file("S", 4, NULL, 4, "bcd", STATUS_PASS);
    header = merge(true);
    cr_expect(header->expected == 4 && all.records == 4 && shown == 0);
}

Test(merge_results, the_measured_and_the_worse_one_stand)
{
    add_file("S", 2, NULL, 2, "ab", STATUS_MISSING);
    add_file("S", 2, NULL, 2, "ab", STATUS_PASS);
    merge(true);
    cr_expect(all.records == 2 && shown == 0 && all.record[0].status == STATUS_PASS);
    add_file("S", 2, NULL, 2, "a", STATUS_CRASH);
    merge(true);
    cr_expect(all.records == 2 && all.record[0].status == STATUS_CRASH &&
              all.record[1].status == STATUS_PASS);
    cr_expect_eq(shown, 1);
}

/* Runs of some cases beside a run of all: the number of cases of one does not hide what another lost. */
Test(merge_results, selections_side_by_side)
{
    add_file("S", 4, NULL, 4, "abcd", STATUS_PASS);
    add_file("T", 1, NULL, 1, "b", STATUS_PASS);
    const struct record_header *header = merge(true);
    cr_expect(header->expected == 4 && shown == 0);
    cr_expect_str_eq(header->selection, "S");
    add_file("S", 4, "1/2", 2, "ac", STATUS_PASS);
    merge(true);
    cr_expect_eq(shown, 0, "all are still there");
    add_file("U", 3, NULL, 3, "gh", STATUS_PASS);
    header = merge(true);
    cr_expect(header->expected == 7 && all.records == 6 && shown == 1 && !header->selection);
    cr_expect_eq(report_exit_status(&all, 0), 1);
}

/* Records that no header states are incomplete results, and the merged file states it too. */
Test(merge_results, more_cases_than_the_headers_speak_of_fail_the_gate)
{
    add_file("S", 2, NULL, 2, "ab", STATUS_PASS);
    cr_expect_eq(report_exit_status(&all, 0), 0);
    add_record(&all, "f/o/d/c", "x", STATUS_PASS)->part = 1;
    cr_expect_eq(report_exit_status(&all, 0), 1);
    const struct record_header *header = merge(true);
    cr_expect_str_eq(header->fault, "3 cases have a record, but the headers state 2: a header is lost; run "
                                    "again, or leave this file out");
    cr_expect_eq(report_exit_status(&all, 0), 1);
}

Test(merge_results, a_fault_of_a_header_fails_the_gate)
{
    add_file("S", 1, NULL, 1, "a", STATUS_PASS);
    all.part[0].fault = text("the backend did not start: \x1b[31mno device");
    cr_expect_eq(report_exit_status(&all, 0), 1);
    struct losses losses;
    cr_assert(losses_find(&all, false, &losses) && losses.count == 1);
    char *line = loss_text(&losses.loss[0]);
    cr_expect_str_eq(line, "x: the backend did not start: \\x1b[31mno device");
    free(line);
    losses_destroy(&losses);
    merge(true);
    cr_expect(all.header[0].fault && report_exit_status(&all, 0) == 1);
}

Test(merge_results, other_inputs_are_refused)
{
    struct error error = {0};
    add_file("S", 1, NULL, 1, "a", STATUS_PASS);
    add_file("S", 1, NULL, 1, "a", STATUS_PASS);
    all.record[0].inputs_digest = text("00");
    all.record[1].inputs_digest = text("01");
    cr_expect_not(merge_results(&all, true, hear, NULL, &error));
    cr_expect(strstr(error.text, "f/o/d/a on x was judged on different inputs"), "%s", error.text);
}

Test(merge_results, contradictions_are_noted)
{
    add_file("S", 1, NULL, 1, "a", STATUS_PASS);
    cr_expect_null(all.conflict);
    struct results one = {0};
    add_header(&one, "x", "d")->seed = 2;
    cr_assert(results_join(&all, &one));
    cr_expect_str_eq(all.conflict, "x: seed 1 and seed 2");
}
