/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare/compare_parts.h"
#include "reports/compare/test/compare_fixture.h"

#include <criterion/criterion.h>
#include <jansson.h>

TestSuite(compare, .init = begin, .fini = end);

Test(compare, verdicts_and_errors)
{
    add(&before, "f/o/d/breaks", STATUS_PASS, 0.5, "d"), add(&after, "f/o/d/breaks", STATUS_FAIL, 9, "d");
    add(&before, "f/o/d/heals", STATUS_CRASH, NAN, "d"), add(&after, "f/o/d/heals", STATUS_PASS, 0.5, "d");
    add(&before, "f/o/d/grows", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/grows", STATUS_PASS, 0.7, "d");
    add(&before, "f/o/d/tiny", STATUS_PASS, 1e-6, "d"), add(&after, "f/o/d/tiny", STATUS_PASS, 0.04, "d");
    add(&before, "f/o/d/same", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/same", STATUS_PASS, 0.39, "d");
    add(&before, "f/o/d/inputs", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/inputs", STATUS_FAIL, 7, "e");
    add(&before, "f/o/d/gone", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/new", STATUS_FAIL, 3, "d");
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect_eq(comparison.compared, 5);
    cr_expect_eq(comparison.other_inputs, 1);
    cr_expect_eq(comparison.only_before, 1);
    cr_expect_eq(comparison.only_after, 1);
    cr_expect_eq(comparison.changes, 4);
    cr_expect_eq(change_of("f/o/d/gone")->kind, CHANGE_GONE);
    cr_expect_eq(change_of("f/o/d/breaks")->kind, CHANGE_VERDICT_WORSE);
    cr_expect_eq(change_of("f/o/d/heals")->kind, CHANGE_VERDICT_BETTER);
    cr_expect_eq(change_of("f/o/d/grows")->kind, CHANGE_ERROR_WORSE);
    cr_expect_float_eq(change_of("f/o/d/grows")->ratio, 3.5, 1e-12);
    cr_expect(compare_worse(&comparison));
}

Test(compare, gone_is_worse_unless_a_subset_is_meant)
{
    struct compare_options subset = options;
    add(&before, "f/o/d/a", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/a", STATUS_PASS, 0.2, "d");
    add(&before, "f/o/d/gone", STATUS_PASS, 0.2, "d"), add(&before, "f/o/d/not", STATUS_MISSING, NAN, "d");
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect(comparison.changes == 1 && compare_worse(&comparison),
              "what was missing before is not lost now");
    compare_destroy(&comparison);
    subset.subset = true;
    cr_assert(compare_build(&before, &after, &subset, &comparison));
    cr_expect(comparison.only_before == 2 && !compare_worse(&comparison));
}

Test(compare, better_alone_is_not_worse)
{
    add(&before, "f/o/d/a", STATUS_FAIL, 5, "d"), add(&after, "f/o/d/a", STATUS_PASS, 0.1, "d");
    add(&before, "f/o/d/b", STATUS_PASS, 0.9, "d"), add(&after, "f/o/d/b", STATUS_PASS, 0.1, "d");
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect_eq(comparison.changes, 2);
    cr_expect_not(compare_worse(&comparison));
}

/* Errors below least_error count as least_error: 0.8 is 80 times 0.01 and 16 times 5 %. */
Test(compare, a_ratio_is_not_reported_as_that_of_other_numbers)
{
    add(&before, "f/o/d/a", STATUS_PASS, 0.01, "d"), add(&after, "f/o/d/a", STATUS_PASS, 0.8, "d");
    add(&before, "f/o/d/b", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/b", STATUS_PASS, 0.8, "d");
    cr_assert(compare_build(&before, &after, &options, &comparison));
    char *floored = compare_what(change_of("f/o/d/a")), *plain = compare_what(change_of("f/o/d/b"));
    cr_expect_str_eq(floored, "error / bound 0.01 -> 0.8 (at least 16 times)");
    cr_expect_str_eq(plain, "error / bound 0.2 -> 0.8 (4 times)");
    free(floored);
    free(plain);
}

/* The median decides: one noisy point changes nothing, twice the cost at every point does. */
Test(compare, curves_by_the_median_of_ratios)
{
    const double old[] = {100, 60, 40, 30, 25}, noisy[] = {100, 60, 400, 30, 25},
                 twice[] = {200, 120, 80, 60, 50};
    add_curve(&before, "f/o/d/noisy", old, 5), add_curve(&after, "f/o/d/noisy", noisy, 5);
    add_curve(&before, "f/o/d/slow", old, 5), add_curve(&after, "f/o/d/slow", twice, 4);
    add_curve(&before, "f/o/d/fast", twice, 5), add_curve(&after, "f/o/d/fast", old, 5);
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect_eq(comparison.curves, 3);
    cr_expect_null(change_of("f/o/d/noisy"));
    cr_expect_eq(change_of("f/o/d/slow")->kind, CHANGE_CURVE_WORSE);
    cr_expect_float_eq(change_of("f/o/d/slow")->ratio, 2, 1e-12);
    cr_expect_eq(change_of("f/o/d/fast")->kind, CHANGE_CURVE_BETTER);
}

/* Six pairs: failing by the envelope, vacuous, a narrower limit, failing by the envelope with a larger error,
 * failing by the certified bound, and a larger error of the result itself. */
static void add_sharper_pairs(void)
{
    static const struct {
        const char *id, *rule;
        enum status status;
        double nu, ulp;
    } now[] = {{"f/o/d/envelope", RECORD_RULE_ENVELOPE, STATUS_FAIL, 3, 40},
               {"f/o/d/vacuous", RECORD_RULE_WRONG_CLASS "zeros", STATUS_VACUOUS, 0.2, 40},
               {"f/o/d/narrower", NULL, STATUS_PASS, 0.9, 40},
               {"f/o/d/grown", RECORD_RULE_ENVELOPE, STATUS_FAIL, 300, 4000},
               {"f/o/d/bound", NULL, STATUS_FAIL, 3, 40},
               {"f/o/d/larger", NULL, STATUS_PASS, 0.9, 180}};
    for (size_t i = 0; i < sizeof now / sizeof *now; i++) {
        add(&before, now[i].id, STATUS_PASS, 0.2, "d");
        before.record[before.records - 1].max_ulp = 40;
        add(&after, now[i].id, now[i].status, now[i].nu, "d");
        after.record[after.records - 1].max_ulp = now[i].ulp;
        after.record[after.records - 1].rule = text(now[i].rule);
    }
}

/* Both runs are written and read as files, the old one in version 1, which lacks newer members. */
static void through_files(struct results *results, bool old)
{
    char *content = NULL;
    PRINT(content, cr_assert(record_header_write(to, &results->header[0]));
          for (int r = 0; r < results->records; r++) cr_assert(record_write(to, &results->record[r])));
    for (char *at = content; old && (at = strstr(at, "\"version\":2"));) {
        at[10] = '1';
    }
    char *path = temporary(content, strlen(content));
    struct error error = {0};
    results_destroy(results);
    cr_assert(results_read(path, results, &error), "%s", error.text);
    unlink(path);
    free(path);
    free(content);
}

Test(compare, another_reference_judges_more_sharply)
{
    static const enum change_kind kinds[] = {CHANGE_SHARPER,       CHANGE_SHARPER,       CHANGE_SHARPER,
                                             CHANGE_VERDICT_WORSE, CHANGE_VERDICT_WORSE, CHANGE_ERROR_WORSE};
    static const char *const ids[] = {"f/o/d/envelope", "f/o/d/vacuous", "f/o/d/narrower",
                                      "f/o/d/grown",    "f/o/d/bound",   "f/o/d/larger"};
    before.header[0].reference = text("00aa");
    after.header[0].reference = text("00bb");
    add_sharper_pairs();
    through_files(&before, true);
    through_files(&after, false);
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect_eq(comparison.changes, 6);
    for (int i = 0; i < 6; i++) {
        cr_expect_eq(change_of(ids[i])->kind, kinds[i], "%s", ids[i]);
    }
    cr_expect(compare_worse(&comparison));
    char *shown;
    PRINT(shown, cr_assert(compare_text(to, &after, &comparison, &options)));
    cr_expect(strstr(shown, "judged more strictly by another reference, not worse: 3\n"), "%s", shown);
    cr_expect(strstr(shown, "pass -> vacuous"), "%s", shown);
    free(shown);
    PRINT(shown, cr_assert(compare_json(to, &after, &comparison, &options)));
    cr_expect(strstr(shown, "\"kind\": \"sharper\""), "%s", shown);
    free(shown);
}

Test(compare, sharper_alone_is_not_worse)
{
    before.header[0].reference = text("00aa");
    after.header[0].reference = text("00bb");
    add_sharper_pairs();
    for (int r = 5; r > 2; r--) {
        record_clear(&before.record[--before.records]);
        record_clear(&after.record[--after.records]);
    }
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect(comparison.changes == 3 && !compare_worse(&comparison));
    char *shown;
    PRINT(shown, cr_assert(compare_text(to, &after, &comparison, &options)));
    cr_expect(strstr(shown, "nothing got worse"), "%s", shown);
    free(shown);
}

/* Under one reference, or an unknown one, a worse result is a change of the result. */
Test(compare, one_reference_makes_it_worse)
{
    for (int known = 0; known < 2; known++) {
        before.header[0].reference = known ? text("00aa") : NULL;
        after.header[0].reference = text("00aa");
        if (!known) {
            add_sharper_pairs();
        }
        cr_assert(compare_build(&before, &after, &options, &comparison));
        cr_expect_eq(change_of("f/o/d/envelope")->kind, CHANGE_VERDICT_WORSE);
        cr_expect_eq(change_of("f/o/d/vacuous")->kind, CHANGE_VERDICT_WORSE);
        cr_expect_eq(change_of("f/o/d/narrower")->kind, CHANGE_ERROR_WORSE);
        compare_destroy(&comparison);
        free(after.header[0].reference);
        after.header[0].reference = NULL;
    }
}

Test(compare, json_and_text_say_the_same)
{
    char *content = NULL;
    size_t size;
    add(&before, "f/o/d/breaks", STATUS_PASS, 0.5, "d"),
        add(&after, "f/o/d/breaks", STATUS_FAIL, INFINITY, "d");
    cr_assert(compare_build(&before, &after, &options, &comparison));
    FILE *to = open_memstream(&content, &size);
    cr_assert(compare_json(to, &after, &comparison, &options));
    fclose(to);
    json_t *root = json_loads(content, 0, NULL), *one = json_array_get(json_object_get(root, "changes"), 0);
    cr_assert(root, "%s", content);
    cr_expect(json_is_true(json_object_get(root, "worse")));
    cr_expect_str_eq(json_string_value(json_object_get(one, "id")), "f/o/d/breaks");
    cr_expect_str_eq(json_string_value(json_object_get(one, "new")), "inf");
    json_decref(root);
    free(content);
    to = open_memstream(&content, &size);
    cr_assert(compare_text(to, &after, &comparison, &options));
    fclose(to);
    cr_expect(strstr(content, "pass -> fail") && strstr(content, "WORSE (exit 1)"), "%s", content);
    free(content);
}
