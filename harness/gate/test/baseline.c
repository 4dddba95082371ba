/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/gate/test/baseline_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(baseline, .init = make_file, .fini = drop_file);

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
    cr_expect(baseline_excuses(baseline, "a/b/float16/q", STATUS_FAIL));
    cr_expect_not(baseline_excuses(baseline, "a/b/float64/other", STATUS_FAIL));
    baseline_device(baseline, "cpu", "llvmpipe", "");
    cr_expect_not(baseline_excuses(baseline, "a/b/float16/q", STATUS_FAIL), "another backend");
    cr_expect_not(baseline_excuses(baseline, "a/c/x/y", STATUS_FAIL), "another driver");
    baseline_destroy(&baseline);
}

static void count_stale(void *user, const char *text)
{
    cr_expect(
        strstr(
            text,
            ":3: \"a/b/float16/*\" is stale: it expects its cases to fail, and none of the 2 that ran does"),
        "%s", text);
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
    cr_expect(baseline_excuses(baseline, "a/d/int32/new", STATUS_FAIL));
    cr_expect_not(baseline_excuses(baseline, "a/b/float32/exact", STATUS_FAIL), "it passed, it is out");
    cr_expect(baseline_excuses(baseline, "a/b/float16/x", STATUS_FAIL), "it still fails");
    baseline_device(baseline, "vulkan", "GeForce 9", "");
    cr_expect(baseline_excuses(baseline, "a/b/float64/other", STATUS_FAIL),
              "what another device needs stays");
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
    expect_fault("{\"version\": 3, \"entries\": []}", "\"version\" must be 1 or 2");
    expect_fault(
        "{\"version\": 1, \"entries\": [\n {\"id\": \"x\", \"reason\": \"r\", \"owner\": \"a\"}]}",
        ":2: unknown member \"owner\"; an entry of version 1 has id, backend, device, driver, reason");
    expect_fault(
        "{\"version\": 2, \"entries\": [\n {\"id\": \"x\", \"reason\": \"r\", \"status\": \"error\"}]}",
        ":2: \"status\" must be fail, crash, timeout, unsupported or vacuous");
    static const char *const days[] = {"tomorrow", "2026-13-01", "2026-02-30", "2026-1-1",
                                       "2026-01-01T00:00"};
    for (size_t d = 0; d < sizeof days / sizeof *days; d++) {
        char text[160];
        snprintf(text, sizeof text,
                 "{\"version\": 2, \"entries\": [{\"id\": \"x\", \"reason\": \"r\", \"expires\": \"%s\"}]}",
                 days[d]);
        expect_fault(text, ":1: \"expires\" must be a day");
    }
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
    *(int *)user += strstr(text, "it matches no case") != NULL;
}

Test(baseline, an_entry_that_names_no_case_is_stale)
{
    struct baseline *baseline = read_text(four);
    struct error error = {.text = ""};
    int shown = 0, removed, added;
    baseline_know(baseline, 1, one_case, NULL);
    cr_expect_eq(baseline_stale(baseline, count_all, &shown), 3);
    cr_expect_eq(shown, 3);
    cr_assert(baseline_update(baseline, &removed, &added, &error), "%s", error.text);
    cr_expect_eq(removed, 3);
    baseline_destroy(&baseline);
}

/* A selector may contain characters that are special in patterns. */
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
        cr_expect(baseline_excuses(baseline, "a/b/float16/x", STATUS_FAIL), "%s", selectors[s]);
        baseline_device(baseline, "exec:./a 0 more", "d", "");
        cr_expect_not(baseline_excuses(baseline, "a/b/float16/x", STATUS_FAIL), "%s alone", selectors[s]);
        baseline_destroy(&baseline);
    }
}

/* --- version 2 */

static const char *const second =
    "{\"version\": 2, \"note\": [1], \"entries\": [\n"
    "  {\"reason\": \"late\", \"id\": \"a/d/float32/z\", \"expires\": \"2026-06-01\", \"owner\": \"ann\"},\n"
    "  {\"id\": \"a/b/float32/x\", \"status\": \"fail\", \"reason\": \"wrong\", \"link\": "
    "\"https://bugs/1\"},\n"
    "  {\"id\": \"a/c/*\", \"status\": \"crash\", \"reason\": \"dies\"}\n"
    "]}\n";

Test(baseline, an_entry_excuses_its_status_alone)
{
    struct baseline *baseline = read_text(second);
    baseline_date(baseline, "2026-05-31");
    cr_expect_eq(apply(baseline, "a/b/float32/x", STATUS_FAIL, "wrong (https://bugs/1)"),
                 STATUS_EXPECTED_FAIL);
    cr_expect_eq(apply(baseline, "a/b/float32/x", STATUS_CRASH, "its own reason; /tmp"), STATUS_CRASH);
    cr_expect_eq(apply(baseline, "a/b/float32/x", STATUS_TIMEOUT, "expects it to fail"), STATUS_TIMEOUT);
    cr_expect_eq(apply(baseline, "a/c/float32/y", STATUS_CRASH, "dies"), STATUS_EXPECTED_FAIL);
    cr_expect_eq(apply(baseline, "a/c/float32/y", STATUS_FAIL, "expects it to crash"), STATUS_FAIL);
    cr_expect(baseline_excuses(baseline, "a/c/float32/y", STATUS_CRASH));
    cr_expect_not(baseline_excuses(baseline, "a/c/float32/y", STATUS_FAIL));
    cr_expect_not(baseline_excuses(baseline, "a/c/float32/y", STATUS_PASS));
    baseline_destroy(&baseline);
}

Test(baseline, an_expired_entry_excuses_nothing_and_says_so)
{
    struct baseline *baseline = read_text(second);
    struct error error = {.text = ""};
    int removed, added;
    baseline_date(baseline, "2026-05-31");
    cr_expect_eq(apply(baseline, "a/d/float32/z", STATUS_FAIL, "late"), STATUS_EXPECTED_FAIL,
                 "the day before");
    baseline_date(baseline, "2026-06-01");
    cr_expect_not(baseline_excuses(baseline, "a/d/float32/z", STATUS_FAIL));
    cr_expect_eq(apply(baseline, "a/d/float32/z", STATUS_FAIL,
                       "expected it to fail (late), but the entry expired on 2026-06-01"),
                 STATUS_FAIL);
    cr_assert(baseline_update(baseline, &removed, &added, &error), "%s", error.text);
    cr_expect_eq(added, 0, "a person renews it");
    cr_expect_eq(removed, 0);
    baseline_destroy(&baseline);
}

static char *written(void)
{
    char text[4096];
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    cr_assert(file && length > 0);
    text[length] = 0;
    fclose(file);
    return strdup(text);
}

/* Sorted, an entry a line, its members in one order; updated again, the same bytes. */
Test(baseline, update_writes_what_review_can_read)
{
    struct error error = {.text = ""};
    char *once = NULL;
    for (int round = 0; round < 2; round++) {
        int removed, added;
        struct baseline *baseline = round ? baseline_read(path, false, &error) : read_text(second);
        cr_assert(baseline, "%s", error.text);
        baseline_device(baseline, "vulkan", "llvmpipe", "Mesa");
        baseline_date(baseline, "2026-01-01");
        apply(baseline, "a/a/float32/new", STATUS_TIMEOUT, NULL);
        apply(baseline, "a/b/float32/x", STATUS_FAIL, NULL);
        cr_assert(baseline_update(baseline, &removed, &added, &error), "%s", error.text);
        cr_expect_eq(added, 1 - round);
        baseline_destroy(&baseline);
        char *text = written();
        cr_expect_str_eq(
            text,
            "{\n  \"version\": 2,\n  \"note\": [1],\n  \"entries\": [\n"
            "    {\"id\": \"a/a/float32/new\", \"status\": \"timeout\", \"backend\": \"vulkan\", \"device\": "
            "\"llvmpipe\", \"reason\": \"its own reason\"},\n"
            "    {\"id\": \"a/b/float32/x\", \"status\": \"fail\", \"reason\": \"wrong\", \"link\": "
            "\"https://bugs/1\"},\n"
            "    {\"id\": \"a/c/*\", \"status\": \"crash\", \"reason\": \"dies\"},\n"
            "    {\"id\": \"a/d/float32/z\", \"reason\": \"late\", \"owner\": \"ann\", \"expires\": "
            "\"2026-06-01\"}\n"
            "  ]\n}\n");
        cr_expect(!once || strcmp(once, text) == 0);
        free(once);
        once = text;
    }
    free(once);
}

/* Read and gated, it stays as it is; only an update makes it version 2. */
Test(baseline, version_1_is_rewritten_by_an_update_alone)
{
    struct error error = {.text = ""};
    int removed, added;
    struct baseline *baseline = read_text(four);
    apply(baseline, "a/b/float32/exact", STATUS_FAIL, NULL);
    char *text = written();
    cr_expect_str_eq(text, four);
    free(text);
    cr_assert(baseline_update(baseline, &removed, &added, &error), "%s", error.text);
    baseline_destroy(&baseline);
    text = written();
    cr_expect(strstr(text, "\"version\": 2,"), "%s", text);
    free(text);
    baseline = baseline_read(path, false, &error);
    cr_assert(baseline && baseline_count(baseline) == 4, "%s", error.text);
    baseline_destroy(&baseline);
}
