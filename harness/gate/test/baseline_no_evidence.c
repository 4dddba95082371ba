/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Entries for cases that are unsupported or vacuous. */
#include "harness/gate/test/baseline_fixture.h"

TestSuite(baseline_no_evidence, .init = make_file, .fini = drop_file);

static void refuse_stale(void *user, const char *text)
{
    (void)user;
    cr_expect(false, "%s", text);
}

static void keep_stale(void *user, const char *text)
{
    strncat(user, text, 500);
}

static const char *const not_run =
    "{\"version\": 2, \"entries\": [\n"
    "  {\"id\": \"a/b/float64/*\", \"status\": \"unsupported\", \"reason\": \"no doubles\"},\n"
    "  {\"id\": \"a/b/float32/x\", \"status\": \"unsupported\", \"reason\": \"not yet\"},\n"
    "  {\"id\": \"a/b/float32/y\", \"status\": \"vacuous\", \"reason\": \"ill-conditioned\"},\n"
    "  {\"id\": \"a/b/float16/z\", \"reason\": \"any failure\"}\n"
    "]}\n";

/* An excused case keeps its status, and the record says what excuses it. */
Test(baseline_no_evidence, unsupported_and_vacuous_are_excused_by_name_alone)
{
    struct baseline *baseline = read_text(not_run);
    cr_expect_eq(apply(baseline, "a/b/float64/q", STATUS_UNSUPPORTED, "no doubles"), STATUS_UNSUPPORTED);
    cr_expect_eq(apply(baseline, "a/b/float32/x", STATUS_UNSUPPORTED, "not yet"), STATUS_UNSUPPORTED);
    cr_expect_eq(apply(baseline, "a/b/float32/y", STATUS_VACUOUS, "ill-cond"), STATUS_VACUOUS);
    cr_expect_eq(baseline_stale(baseline, refuse_stale, NULL), 0);
    cr_expect_eq(apply(baseline, "a/b/float16/z", STATUS_UNSUPPORTED, "its own"), STATUS_UNSUPPORTED,
                 "an entry without a status excuses failures");
    cr_expect_eq(apply(baseline, "a/b/float64/q", STATUS_FAIL, "expects it to be unsupported"), STATUS_FAIL);
    cr_expect_eq(apply(baseline, "a/b/float64/q", STATUS_VACUOUS, "its own"), STATUS_VACUOUS,
                 "this gate does not fail on vacuous cases");
    cr_expect_eq(apply(baseline, "a/b/float32/x", STATUS_PASS, "expects it to be unsupported"),
                 STATUS_UNEXPECTED_PASS);
    cr_expect_eq(apply(baseline, "a/b/float32/y", STATUS_UNSUPPORTED, "expects it to be vacuous"),
                 STATUS_UNSUPPORTED);
    cr_expect_eq(apply(baseline, "a/b/float64/q", STATUS_PASS, "its own"), STATUS_PASS);
    baseline_destroy(&baseline);
}

/* A glob whose cases are supported by now is stale; one that met failures only is not. */
Test(baseline_no_evidence, an_entry_for_unsupported_cases_becomes_stale)
{
    struct baseline *baseline = read_text(not_run);
    apply(baseline, "a/b/float64/q", STATUS_PASS, NULL);
    apply(baseline, "a/b/float64/r", STATUS_PASS, NULL);
    apply(baseline, "a/b/float16/z", STATUS_UNSUPPORTED, NULL);
    char said[600] = "";
    cr_expect_eq(baseline_stale(baseline, keep_stale, said), 1);
    cr_expect(strstr(said,
                     ":2: \"a/b/float64/*\" is stale: it expects its cases to be unsupported, and none of "
                     "the 2 that ran does"),
              "%s", said);
    baseline_destroy(&baseline);
}

/* Cases of one operator and dtype that are all unsupported get one entry; where one of them runs, the others
 * are named, so that a release that stops supporting that one is seen. */
Test(baseline_no_evidence, update_joins_what_is_unsupported_as_a_whole)
{
    struct error error = {.text = ""};
    int removed, added;
    struct baseline *baseline = read_text("{\"version\": 2, \"entries\": []}");
    static const char *const ids[] = {"a/b/float64/q", "a/b/float64/r", "a/c/float32/q", "a/c/float32/r"};
    for (int i = 0; i < 4; i++) {
        apply(baseline, ids[i], STATUS_UNSUPPORTED, NULL);
    }
    apply(baseline, "a/c/float32/s", STATUS_PASS, NULL);
    apply(baseline, "a/c/float32/t", STATUS_VACUOUS, NULL);
    cr_assert(baseline_update(baseline, &removed, &added, &error), "%s", error.text);
    cr_expect_eq(added, 3);
    baseline_destroy(&baseline);
    baseline = baseline_read(path, false, &error);
    cr_assert(baseline, "%s", error.text);
    baseline_device(baseline, "vulkan", "llvmpipe (LLVM 15.0.6, 256 bits)", "");
    cr_expect(baseline_excuses(baseline, "a/b/float64/new", STATUS_UNSUPPORTED), "the whole dtype");
    cr_expect(baseline_excuses(baseline, "a/c/float32/r", STATUS_UNSUPPORTED));
    cr_expect_not(baseline_excuses(baseline, "a/c/float32/s", STATUS_UNSUPPORTED), "it was supported");
    cr_expect_not(baseline_excuses(baseline, "a/b/float64/new", STATUS_FAIL));
    baseline_destroy(&baseline);
}
