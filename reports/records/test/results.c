/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/record.h"
#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

/* A results file in memory: header and records. */
static char *file_of(const struct results *results, size_t *size)
{
    char *content = NULL;
    FILE *to = open_memstream(&content, size);
    for (int i = 0; i < results->headers; i++) {
        cr_assert(record_header_write(to, &results->header[i]));
    }
    for (int i = 0; i < results->records; i++) {
        cr_assert(record_write(to, &results->record[i]));
    }
    fclose(to);
    return content;
}

static bool read_text(const char *content, size_t size, struct results *results, struct error *error)
{
    char *name = temporary(content, size);
    bool ok = results_read(name, results, error);
    unlink(name);
    free(name);
    return ok;
}

Test(results, a_file_reads_back)
{
    struct results written = {0}, back;
    struct error error = {0};
    size_t size;
    fill(&written);
    char *content = file_of(&written, &size);
    cr_assert(read_text(content, size, &back, &error), "%s", error.text);
    cr_assert(back.headers == 2 && back.records == STATUS_COUNT + 4);
    for (int i = 0; i < back.records; i++) {
        char *a = record_format(&written.record[i]), *b = record_format(&back.record[i]);
        cr_assert_str_eq(a, b);
        free(a);
        free(b);
    }
    free(content);
    results_destroy(&back);
    results_destroy(&written);
    cr_assert(!back.record && back.records == 0);
}

/* A record that is read and written again keeps its line, with members of a later version, until its reason
 * or the name of its backend changes. */
Test(results, a_line_is_kept_until_its_record_changes)
{
    static const char line[] = "{\"version\":2, \"id\":\"a/b/c/d\", "
                               "\"backend\":\"v\",\"status\":\"fail\",\"rule\":\"bound\",\"unheard-of\":[1]}";
    char content[1024];
    int length = snprintf(content, sizeof content,
                          "{\"assay\":\"1\",\"backend\":\"v\",\"device\":\"one\"}\n%s\r\n"
                          "{\"assay\":\"1\",\"backend\":\"v\",\"device\":\"two\"}\n%s\n",
                          line, line);
    struct results results;
    struct error error = {0};
    char *name = temporary(content, (size_t)length);
    cr_assert(results_read_lines(name, &results, &error), "%s", error.text);
    unlink(name);
    free(name);
    struct record copy;
    cr_assert(record_copy(&copy, &results.record[0]));
    char *kept = record_format(&results.record[0]), *renamed = record_format(&results.record[1]);
    char *made = record_format(&copy);
    record_reason(&results.record[0], "another");
    char *changed = record_format(&results.record[0]);
    cr_expect_str_eq(kept, line);
    cr_expect(strstr(renamed, "v#2") && !strstr(renamed, "unheard-of"), "%s", renamed);
    cr_expect(!strstr(made, "unheard-of"), "%s", made);
    cr_expect(strstr(changed, "another") && !strstr(changed, "unheard-of"), "%s", changed);
    free(kept);
    free(renamed);
    free(made);
    free(changed);
    record_clear(&copy);
    results_destroy(&results);
}

/* Wherever the writer dies, every finished line is read and nothing is invented. */
Test(results, a_cut_at_any_byte_loses_only_the_last_line)
{
    struct results written = {0}, back;
    size_t size;
    add_header(&written, "vulkan", "a");
    add_failure(&written, "vulkan");
    add_record(&written, "a/b/c/d", "vulkan", STATUS_PASS);
    char *content = file_of(&written, &size), *first = strchr(content, '\n') + 1;
    for (size_t cut = (size_t)(first - content); cut <= size; cut++) {
        struct error error = {0};
        int lines = 0;
        for (size_t i = 0; i < cut; i++) {
            lines += content[i] == '\n';
        }
        lines += content[cut] == '\n'; /* complete except for its newline */
        cr_assert(read_text(content, cut, &back, &error), "cut at %zu: %s", cut, error.text);
        cr_assert(back.headers == 1 && back.records == lines - 1, "cut at %zu", cut);
        results_destroy(&back);
    }
    free(content);
    results_destroy(&written);
}

static void refuses(const char *content, const char *where, const char *what)
{
    struct results results;
    struct error error = {0};
    cr_assert(!read_text(content, strlen(content), &results, &error), "%s", content);
    cr_assert(strstr(error.text, where) && strstr(error.text, what), "%s", error.text);
    cr_assert(results.records == 0 && !results.header);
}

#define HEADER "{\"version\":1,\"assay\":\"0.1.0\",\"backend\":\"x\"}\n"
#define RECORD "{\"version\":1,\"id\":\"a/b/c/d\",\"backend\":\"x\",\"status\":\"pass\"}\n"

Test(results, damage_is_named_by_file_and_line)
{
    refuses(HEADER RECORD "{\"id\":\n" RECORD, "/tmp/assay-reports-", "not JSON");
    refuses(HEADER RECORD "{\"id\":\n" RECORD, ":3: ", "not JSON");
    refuses(HEADER "\n{\"id\":\"a\",\"backend\":\"x\",\"status\":\"?\"}\n", ":3: ", "\"status\"");
    refuses("{\"version\":9,\"assay\":\"9\",\"backend\":\"x\"}", ":1: ", "version 9");
    refuses("{\"assay\":\"9\"}\n", ":1: ", "\"backend\" is missing");
    refuses(HEADER "{\"id\":\"a/b/c/d\",\"status\":\"pass\"}\n", ":2: ", "\"backend\" is missing");
    refuses("", "", "no result header or record");
    refuses("{\"version\":1,\"ass", "", "no result header or record");
    struct results results;
    struct error error = {0};
    cr_assert(!results_read("/nowhere/x.jsonl", &results, &error));
    cr_assert_str_eq(error.text, "/nowhere/x.jsonl: No such file or directory");
}

Test(results, shards_share_a_header_and_another_device_does_not)
{
    const char *content =
        "{\"assay\":\"1\",\"backend\":\"v\",\"device\":\"A\",\"command\":\"--shard 1/2\",\"expected\":3}\n"
        "{\"id\":\"a/b/c/1\",\"backend\":\"v\",\"status\":\"pass\"}\n"
        "{\"assay\":\"1\",\"backend\":\"v\",\"device\":\"A\",\"command\":\"--shard 2/2\",\"expected\":2}\n"
        "{\"assay\":\"1\",\"backend\":\"v\",\"device\":\"B\",\"expected\":7}\n"
        "{\"id\":\"a/b/c/1\",\"backend\":\"v\",\"status\":\"fail\"}\n"
        "{\"assay\":\"1\",\"backend\":\"v\",\"device\":\"A\",\"command\":\"--shard 1/2\",\"expected\":3}\n"
        "{\"id\":\"a/b/c/2\",\"backend\":\"v\",\"status\":\"pass\"}\n";
    struct results results;
    struct error error = {0};
    cr_assert(read_text(content, strlen(content), &results, &error), "%s", error.text);
    cr_assert(results.headers == 2 && results.records == 3);
    cr_assert_str_eq(results.header[0].backend, "v");
    cr_assert_str_eq(results.header[1].backend, "v#2");
    cr_assert_eq(results.header[0].expected, 5, "the same shard twice counts once");
    cr_assert_eq(results.header[1].expected, 7);
    cr_assert_str_eq(results.record[0].backend, "v");
    cr_assert_str_eq(results.record[1].backend, "v#2");
    cr_assert_str_eq(results.record[2].backend, "v");
    results_destroy(&results);
}

/* Records without a header of their backend: a file that lost its first lines, one that lost the header of
 * its second backend, one whose header comes too late. */
Test(results, records_without_a_header_are_not_whole)
{
#define OTHER "{\"version\":1,\"id\":\"a/b/c/d\",\"backend\":\"y\",\"status\":\"pass\"}\n"
    static const struct {
        const char *content, *backend, *fault; /* of the last header */
    } rows[] = {{RECORD RECORD, "x", ":1: 2 records have no header: "},
                {HEADER RECORD OTHER, "y", ":3: 1 record has no header: "},
                {RECORD HEADER RECORD, "x", ":1: 1 record has no header: "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct results results;
        struct error error = {0};
        cr_assert(read_text(rows[i].content, strlen(rows[i].content), &results, &error), "%s", error.text);
        int faults = 0;
        for (int p = 0; p < results.parts; p++) {
            const char *fault = results.part[p].fault;
            faults += fault != NULL;
            cr_expect(!fault || strstr(fault, rows[i].fault), "%s", fault);
            cr_expect(!fault || !strncmp(results.part[p].backend, rows[i].backend, 1));
        }
        cr_expect_eq(faults, 1, "%zu", i);
        cr_expect_eq(report_exit_status(&results, 0), 1, "%zu", i);
        for (int r = 0; r < results.records; r++) {
            cr_expect_gt(results.record[r].part, 0, "%zu", i);
        }
        struct results again = {0};
        cr_assert(results_join(&again, &results));
        cr_expect_eq(report_exit_status(&again, 0), 1, "%zu: joined", i);
        results_destroy(&again);
    }
}

/* The torn line may have been another backend's header, whose cases nobody counts. */
Test(results, a_torn_line_that_is_no_case_s_is_not_whole)
{
    static const char whole[] = "{\"assay\":\"1\",\"backend\":\"x\",\"expected\":1}\n" RECORD,
                      torn[] = "{\"version\":2,\"as";
    char content[512];
    struct results results;
    struct error error = {0};
    cr_assert(read_text(whole, strlen(whole), &results, &error));
    cr_expect_eq(report_exit_status(&results, 0), 0);
    results_destroy(&results);
    snprintf(content, sizeof content, "%s%s", whole, torn);
    cr_assert(read_text(content, strlen(content), &results, &error) && results.torn);
    cr_expect_eq(report_exit_status(&results, 0), 1);
    cr_expect(strstr(results.part[0].fault, ":3: the last line is cut short"), "%s", results.part[0].fault);
    results_destroy(&results);
}

Test(results, files_join)
{
    struct results all = {0}, next = {0};
    for (int i = 0; i < 40; i++) { /* one device under two names, often enough to grow every array */
        add_header(&next, "vulkan", i % 2 ? "A" : "B");
        add_record(&next, "a/b/c/d", "vulkan", STATUS_PASS);
        cr_assert(results_join(&all, &next));
        cr_assert(next.records == 0 && !next.record && !next.header);
    }
    cr_assert(all.headers == 2 && all.records == 40);
    cr_assert_str_eq(all.record[38].backend, "vulkan");
    cr_assert_str_eq(all.record[39].backend, "vulkan#2");
    results_destroy(&all);
}
