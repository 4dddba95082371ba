/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/baseline.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/assay-baseline-XXXXXX";

static void make_file(void)
{
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
}

static void drop_file(void)
{
    unlink(path);
}

TestSuite(baseline, .init = make_file, .fini = drop_file);

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0);
    fclose(file);
}

static struct baseline *read_text(const char *text)
{
    struct error error = {.text = ""};
    write_text(text);
    struct baseline *baseline = baseline_read(path, false, &error);
    cr_assert(baseline, "%s", error.text);
    baseline_device(baseline, "vulkan", "llvmpipe (LLVM 15.0.6, 256 bits)",
                    "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)");
    return baseline;
}

static enum status apply(struct baseline *baseline, const char *id, enum status status, const char *reason)
{
    struct record record = {.id = strdup(id), .status = status, .reason = strdup("its own reason")};
    baseline_apply(baseline, &record);
    status = record.status;
    cr_expect(!reason || strstr(record.reason, reason), "reason: %s", record.reason);
    record_clear(&record);
    return status;
}

static const char *const four =
    "{\"version\": 1, \"entries\": [\n"
    "  {\"id\": \"a/b/float32/exact\", \"reason\": \"known {here} [too]\"},\n"
    "  {\"id\": \"a/b/float16/*\", \"backend\": \"vulkan*\", \"device\": \"LLVMpipe\", \"reason\": \"the "
    "glob\"},\n"
    "  {\"id\": \"a/b/float64/other\", \"device\": \"GeForce\", \"reason\": \"elsewhere\"},\n"
    "  {\"id\": \"a/c/*\", \"driver\": \"Mesa 22.3\", \"reason\": \"driver\"}\n"
    "]}\n";

Test(baseline, statuses)
{
    struct baseline *baseline = read_text(four);
    cr_expect_eq(baseline_count(baseline), 4);
    cr_expect_eq(apply(baseline, "a/b/float32/exact", STATUS_FAIL, "known {here}"), STATUS_EXPECTED_FAIL);
    cr_expect_eq(apply(baseline, "a/b/float32/exact", STATUS_CRASH, "known"), STATUS_EXPECTED_FAIL);
    cr_expect_eq(apply(baseline, "a/b/float32/exact", STATUS_TIMEOUT, "known"), STATUS_EXPECTED_FAIL);
    cr_expect_eq(apply(baseline, "a/b/float32/exact", STATUS_ERROR, "its own"), STATUS_ERROR);
    cr_expect_eq(apply(baseline, "a/b/float32/exact", STATUS_UNSUPPORTED, "its own"), STATUS_UNSUPPORTED);
    cr_expect_eq(apply(baseline, "a/b/float32/exact", STATUS_PASS, "expects it to fail"),
                 STATUS_UNEXPECTED_PASS);
    cr_expect_eq(apply(baseline, "a/b/float16/x/y", STATUS_FAIL, "the glob"), STATUS_EXPECTED_FAIL);
    cr_expect_eq(apply(baseline, "a/b/float16/x", STATUS_PASS, "its own"), STATUS_PASS,
                 "a glob forgives passes");
    cr_expect_eq(apply(baseline, "a/b/float64/other", STATUS_FAIL, "its own"), STATUS_FAIL, "another device");
    cr_expect_eq(apply(baseline, "a/c/int32/z", STATUS_FAIL, "driver"), STATUS_EXPECTED_FAIL);
    cr_expect_eq(apply(baseline, "a/d/int32/z", STATUS_FAIL, "its own"), STATUS_FAIL);
    cr_expect(baseline_names(baseline, "a/b/float16/q"));
    cr_expect_not(baseline_names(baseline, "a/b/float64/other"));
    baseline_device(baseline, "cpu", "llvmpipe", "");
    cr_expect_not(baseline_names(baseline, "a/b/float16/q"), "another backend");
    cr_expect_not(baseline_names(baseline, "a/c/x/y"), "another driver");
    baseline_destroy(&baseline);
}

static void count_stale(void *user, const char *text)
{
    cr_expect(strstr(text, ":3: \"a/b/float16/*\" is stale: 2 cases met"), "%s", text);
    ++*(int *)user;
}

Test(baseline, glob_is_stale_when_nothing_fails)
{
    struct baseline *baseline = read_text(four);
    int stale = 0;
    cr_expect_eq(baseline_stale(baseline, count_stale, &stale), 0, "what met nothing is not stale");
    apply(baseline, "a/b/float16/x", STATUS_PASS, NULL);
    apply(baseline, "a/b/float16/y", STATUS_PASS, NULL);
    apply(baseline, "a/c/int32/z", STATUS_PASS, NULL);
    apply(baseline, "a/c/int32/w", STATUS_FAIL, NULL);
    cr_expect_eq(baseline_stale(baseline, count_stale, &stale), 1);
    cr_expect_eq(stale, 1);
    baseline_destroy(&baseline);
}

Test(baseline, update_shrinks_and_adds)
{
    struct baseline *baseline = read_text(four);
    struct error error = {.text = ""};
    int removed, added;
    apply(baseline, "a/b/float32/exact", STATUS_PASS, NULL);
    apply(baseline, "a/b/float16/x", STATUS_FAIL, NULL);
    apply(baseline, "a/d/int32/new", STATUS_FAIL, NULL);
    cr_assert(baseline_update(baseline, &removed, &added, &error), "%s", error.text);
    cr_expect_eq(removed, 1);
    cr_expect_eq(added, 1);
    baseline_destroy(&baseline);
    baseline = baseline_read(path, false, &error);
    cr_assert(baseline, "%s", error.text);
    cr_expect_eq(baseline_count(baseline), 4);
    baseline_device(baseline, "vulkan", "llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe Mesa 22.3.6");
    cr_expect(baseline_names(baseline, "a/d/int32/new"));
    cr_expect_not(baseline_names(baseline, "a/b/float32/exact"), "it passed, it is out");
    cr_expect(baseline_names(baseline, "a/b/float16/x"), "it still fails");
    baseline_device(baseline, "vulkan", "GeForce 9", "");
    cr_expect(baseline_names(baseline, "a/b/float64/other"), "what another device needs stays");
    baseline_destroy(&baseline);
}

static void expect_fault(const char *text, const char *part)
{
    struct error error = {.text = ""};
    write_text(text);
    struct baseline *baseline = baseline_read(path, true, &error);
    cr_expect_null(baseline);
    cr_expect(strstr(error.text, path) && strstr(error.text, part), "expected \"%s\" in \"%s\"", part,
              error.text);
}

Test(baseline, errors_name_file_and_line)
{
    expect_fault("{\"version\": 1,\n \"entries\": [\n\n {\"id\": \"x\" \"reason\": 1}]}", ":4:");
    expect_fault(
        "{\"version\": 1, \"entries\": [\n {\"id\": \"{\\\"\", \"reason\": \"r\"},\n\n {\"id\": \"x\"}]}",
        ":4: \"reason\" must say");
    expect_fault("{\"version\": 1, \"entries\": [\n {\"id\": \"x\", \"reason\": \"\"}]}", ":2: \"reason\"");
    expect_fault("{\"version\": 1, \"entries\": [\n {\"reason\": \"r\"}]}", ":2: \"id\"");
    expect_fault("{\"version\": 1, \"entries\": [\n {\"id\": \"x\", \"reason\": \"r\", \"device\": 3}]}",
                 ":2: \"device\"");
    expect_fault("{\"version\": 1, \"entries\": [7]}", ": an entry must be an object");
    expect_fault(
        "{\"version\": 1, \"entries\": [\n {\"id\": \"x\", \"reason\": \"r\", \"devise\": \"H200\"}]}",
        ":2: unknown member \"devise\"");
    expect_fault("{\"version\": 2, \"entries\": []}", "\"version\" must be 1");
    expect_fault("{\"version\": 1, \"entries\": {}}", "must be an array");
    expect_fault("", ":1:");
}

Test(baseline, a_missing_file_is_empty_only_when_it_may_be_created)
{
    struct error error = {.text = ""};
    unlink(path);
    cr_expect_null(baseline_read(path, false, &error));
    cr_expect(strstr(error.text, path));
    struct baseline *baseline = baseline_read(path, true, &error);
    cr_assert(baseline, "%s", error.text);
    cr_expect_eq(baseline_count(baseline), 0);
    baseline_destroy(&baseline);
}

static const char *one_case(const void *list, int index)
{
    (void)list;
    (void)index;
    return "a/b/float16/x";
}

static void count_all(void *user, const char *text)
{
    *(int *)user += strstr(text, "names no case") != NULL;
}

Test(baseline, an_entry_that_names_no_case_is_stale)
{
    struct baseline *baseline = read_text(four);
    struct error error = {.text = ""};
    int told = 0, removed, added;
    baseline_know(baseline, 1, one_case, NULL);
    cr_expect_eq(baseline_stale(baseline, count_all, &told), 3);
    cr_expect_eq(told, 3);
    cr_assert(baseline_update(baseline, &removed, &added, &error), "%s", error.text);
    cr_expect_eq(removed, 3);
    baseline_destroy(&baseline);
}

/* A selector may hold what a pattern means something by. */
Test(baseline, what_update_writes_is_met_again)
{
    static const char *const selectors[] = {"exec:./a [0] *", "exec:a\\b?", "exec:]["};
    for (int s = 0; s < 3; s++) {
        struct error error = {.text = ""};
        int removed, added;
        struct baseline *baseline = read_text("{\"version\": 1, \"entries\": []}");
        baseline_device(baseline, selectors[s], "d", "");
        apply(baseline, "a/b/float16/x", STATUS_FAIL, NULL);
        cr_assert(baseline_update(baseline, &removed, &added, &error) && added == 1, "%s", error.text);
        baseline_destroy(&baseline);
        baseline = baseline_read(path, false, &error);
        cr_assert(baseline, "%s", error.text);
        baseline_device(baseline, selectors[s], "d", "");
        cr_expect(baseline_names(baseline, "a/b/float16/x"), "%s", selectors[s]);
        baseline_device(baseline, "exec:./a 0 more", "d", "");
        cr_expect_not(baseline_names(baseline, "a/b/float16/x"), "%s alone", selectors[s]);
        baseline_destroy(&baseline);
    }
}
