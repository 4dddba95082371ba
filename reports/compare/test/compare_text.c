/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare/test/compare_fixture.h"

#include <jansson.h>

/* Tests of the printed comparison: noise, clusters, tables, the gate, Markdown. */

TestSuite(compare_text, .init = begin, .fini = end);

/* Twice the cost: within the spread of the repeats, beyond it, on a machine that was twice as slow at
 * everything, and on a faster machine. */
Test(compare_text, a_curve_counts_beyond_spread_and_pace)
{
    static const double old[] = {100, 60, 40, 30, 25}, twice[] = {200, 120, 80, 60, 50};
    static const struct {
        const char *id;
        double before, after, pace; /* spreads, as shares; of the new machine */
        bool worse;
    } cases[] = {{"f/o/d/wide", 0.7, 0.7, 100, false},         {"f/o/d/sharp", 0.05, 0.05, 100, true},
                 {"f/o/d/busy", 0.05, 0.05, 190, false},       {"f/o/d/quiet", 0.05, 0.05, 50, true},
                 {"f/o/d/little-busy", 0.05, 0.05, 120, true}, {"f/o/d/both-spreads", 0.7, 0.2, 100, false},
                 {"f/o/d/both-less", 0.6, 0.1, 100, true}};
    enum { CASES = sizeof cases / sizeof *cases };
    for (int i = 0; i < CASES; i++) {
        add_beside(add_curve(&before, cases[i].id, old, 5), cases[i].before, 100);
        add_beside(add_curve(&after, cases[i].id, twice, 5), cases[i].after, cases[i].pace);
    }
    cr_assert(compare_build(&before, &after, &options, &comparison));
    for (int i = 0; i < CASES; i++) {
        const struct change *change = change_of(cases[i].id);
        cr_expect_eq(change != NULL, cases[i].worse, "%s", cases[i].id);
        cr_expect(!change || change->kind == CHANGE_CURVE_WORSE);
    }
    cr_expect_eq(comparison.excused, 3);
    cr_expect_eq(comparison.unsure, 0);
    cr_expect_float_eq(change_of("f/o/d/quiet")->ratio, 2, 1e-12, "a faster machine is no false alarm");
    char *shown = as_text(&options);
    cr_expect(strstr(shown, "curves     7 compared, 3 changed more than 1.5 times, which their spreads or "
                            "the machine's pace explain\n"),
              "%s", shown);
    cr_expect(strstr(shown, "\ncosts more: 4 in 1 group\n  4 × o/d, time per item: f/o/d/"), "%s", shown);
    free(shown);
}

/* Half the cost is better by the same rule, and not because the machine was busy before. */
Test(compare_text, a_faster_machine_is_no_faster_backend)
{
    static const double old[] = {100, 60, 40, 30, 25}, half[] = {50, 30, 20, 15, 12.5};
    add_beside(add_curve(&before, "f/o/d/busy-before", old, 5), 0.05, 190);
    add_beside(add_curve(&after, "f/o/d/busy-before", half, 5), 0.05, 100);
    add_beside(add_curve(&before, "f/o/d/better", old, 5), 0.05, 100);
    add_beside(add_curve(&after, "f/o/d/better", half, 5), 0.05, 100);
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect_null(change_of("f/o/d/busy-before"));
    cr_expect_eq(change_of("f/o/d/better")->kind, CHANGE_CURVE_BETTER);
}

/* Older files have no spread: the ratio alone decides, and the report states it. Bytes need no spread. */
Test(compare_text, a_curve_without_spread_by_its_ratio)
{
    static const double old[] = {100, 60, 40}, twice[] = {200, 120, 80};
    add_curve(&before, "f/o/d/old", old, 3);
    add_beside(add_curve(&after, "f/o/d/old", twice, 3), 0.05, 100);
    for (int k = 0; k < 2; k++) {
        struct record_series *bytes = add_curve(k ? &after : &before, "f/o/d/bytes", k ? twice : old, 3);
        free(bytes->unit);
        bytes->unit = text("bytes");
    }
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect(change_of("f/o/d/old") && change_of("f/o/d/bytes"));
    cr_expect_eq(comparison.unsure, 1);
    char *shown = as_text(&options);
    cr_expect(strstr(shown, "2 compared, 1 of time compared by their ratio alone, without a spread\n"), "%s",
              shown);
    free(shown);
    compare_destroy(&comparison);
    struct compare_options off = options;
    off.no_curves = true;
    cr_assert(compare_build(&before, &after, &off, &comparison));
    cr_expect(comparison.changes == 0 && comparison.curves == 0);
    shown = as_text(&off);
    cr_expect(strstr(shown, "curves     left out (--curves off)\n"), "%s", shown);
    free(shown);
}

Test(compare_text, says_first_what_it_compares)
{
    free(after.header[0].level);
    after.header[0].level = text("smoke");
    after.header[0].reference = text("00bb");
    after.header[0].seed = 7;
    add(&before, "f/o/d/a", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/a", STATUS_PASS, 0.2, "d");
    add(&before, "g/o/d/a", STATUS_PASS, 0.2, "d"), add(&after, "g/o/d/a", STATUS_PASS, 0.2, "d");
    add(&before, "g/o/d/b", STATUS_PASS, 0.2, "d"), add(&after, "g/o/d/b", STATUS_PASS, 0.2, "e");
    add(&after, "g/o/d/c", STATUS_PASS, 0.2, "d");
    cr_assert(compare_build(&before, &after, &options, &comparison));
    char *shown = as_text(&options);
    cr_expect(strstr(shown, "the runs, old -> new where they differ\n"
                            "  backend    vulkan\n"
                            "  device     gpu (driver 1)  ->  gpu (driver 2)\n"
                            "  driver     driver 1  ->  driver 2\n"
                            "  assay      0.1.0 (abc123)\n"
                            "  reference  unknown  ->  00bb\n"
                            "  level      standard  ->  smoke\n"
                            "  seed       1  ->  7\n"
                            "  started    2026-01-31T12:00:00Z\n"
                            "  command    assay run\n"
                            "  cases      2 compared (f 1, g 1), 0 only in the old run, 1 only in the new, 1 "
                            "left out because their "
                            "inputs differ (another seed or another assay)\n"
                            "  curves     0 compared\n") == shown,
              "%s", shown);
    cr_expect(strstr(shown, "nothing got worse"), "brackets make no other device: %s", shown);
    free(shown);
}

/* 559 changes, of which four clusters are shown. */
Test(compare_text, changes_in_kinds)
{
    char id[64];
    for (int i = 0; i < 559; i++) {
        snprintf(id, sizeof id, "f/op%d/float32/case-%d", i % 4, i);
        add(&before, id, STATUS_PASS, 0.5, "d");
        add(&after, id, STATUS_FAIL, i == 42 ? 1e6 : 2, "d");
        after.record[i].rule = text("bound");
    }
    cr_assert(compare_build(&before, &after, &options, &comparison));
    char *shown = as_text(&options);
    cr_expect(strstr(shown,
                     "\nverdict worse: 559 in 4 groups\n  140 × op2/float32, bound: f/op2/float32/case-42\n"
                     "      pass -> fail\n"),
              "%s", shown);
    free(shown);
    struct compare_options few = options;
    few.shown = 1;
    shown = as_text(&few);
    cr_expect(strstr(shown, "  … and 419 more in 3 groups (--show 0 shows all)\n"), "%s", shown);
    free(shown);
    PRINT(shown, cr_assert(compare_json(to, &after, &comparison, &options)));
    json_t *root = json_loads(shown, 0, NULL), *groups = json_object_get(root, "groups");
    cr_expect_eq(json_array_size(groups), 4);
    cr_expect_eq(json_array_size(json_object_get(root, "changes")), 559);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(groups, 0), "count")), 140);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(groups, 0), "rule")), "bound");
    json_decref(root);
    free(shown);
}

static void add_ulp(struct results *to, const char *id, enum status status, double ulp)
{
    add(to, id, status, 0.1, "d");
    to->record[to->records - 1].max_ulp = ulp;
}

static void two_devices(void)
{
    free(after.header[0].device);
    after.header[0].device = text("another gpu");
    add_ulp(&before, "f/a/d/1", STATUS_PASS, 0), add_ulp(&after, "f/a/d/1", STATUS_PASS, 2);
    add_ulp(&before, "f/a/d/2", STATUS_PASS, 1), add_ulp(&after, "f/a/d/2", STATUS_PASS, 3);
    add_ulp(&before, "f/a/d/3", STATUS_FAIL, 9), add_ulp(&after, "f/a/d/3", STATUS_PASS, 1);
    add_ulp(&before, "f/b/d/1", STATUS_PASS, 1), add_ulp(&after, "f/b/d/1", STATUS_CRASH, NAN);
    add_ulp(&before, "f/b/d/2", STATUS_FAIL, 9), add_ulp(&after, "f/b/d/2", STATUS_FAIL, 9);
}

Test(compare_text, two_devices_make_a_table)
{
    two_devices();
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect_not(compare_fails(&comparison, &after, compare_gate(&comparison, &options)));
    char *shown = as_text(&options);
    cr_expect(
        strstr(shown, "\ndifferent devices: gpu (driver 1) and another gpu: a table, not a regression\n"),
        "%s", shown);
    cr_expect(strstr(shown, "\nf/a           3      2     1      3     0         1         0        3.46\n"),
              "%s", shown);
    cr_expect(strstr(shown, "\nf/b           2      1     1      0     2         0         1           -\n"),
              "%s", shown);
    cr_expect(strstr(shown, "\nfails in the new run only: 1\n  1 × f/b/d/1\n      crash\n"), "%s", shown);
    cr_expect(strstr(shown, "a table, not a regression (exit 0)\n") && !strstr(shown, "verdict worse"), "%s",
              shown);
    free(shown);
    struct compare_options asked = options;
    asked.gate = GATE_WORSE;
    asked.by_family = true;
    shown = as_text(&asked);
    cr_expect(strstr(shown, "verdict worse: 1") && strstr(shown, "WORSE (exit 1)"), "%s", shown);
    cr_expect(strstr(shown, "\nf             5 "), "%s", shown);
    free(shown);
    PRINT(shown, cr_assert(compare_json(to, &after, &comparison, &options)));
    json_t *root = json_loads(shown, 0, NULL), *table = json_object_get(root, "table");
    cr_expect_eq(json_array_size(json_object_get(table, "rows")), 2, "%s", shown);
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(table, "all"), "new_only_fails")), 1);
    cr_expect(json_is_false(json_object_get(root, "fails")));
    json_decref(root);
    free(shown);
}

/* Another name of the same driver's program is still a regression; another program is not. */
Test(compare_text, two_names_of_one_backend)
{
    add(&before, "f/o/d/a", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/a", STATUS_FAIL, 2, "d");
    free(after.header[0].backend), free(after.record[0].backend);
    after.header[0].backend = text("exec:./mine-2"), after.record[0].backend = text("exec:./mine-2");
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect(!comparison.why[0] && compare_worse(&comparison));
    compare_destroy(&comparison);
    free(after.header[0].driver);
    after.header[0].driver = text("other 2");
    cr_assert(compare_build(&before, &after, &options, &comparison));
    cr_expect_str_eq(comparison.why, "different backends: vulkan and exec:./mine-2");
}

Test(compare_text, the_gate_of_the_new_run)
{
    static const struct {
        unsigned gate;
        bool fails;
    } asked[] = {{0, true},
                 {GATE_NONE, false},
                 {GATE_NONE | GATE_FAIL, true},
                 {GATE_NONE | GATE_FLAKE, true},
                 {GATE_NONE | GATE_UNSUPPORTED, false},
                 {GATE_NONE | GATE_IMPLAUSIBLE, true}};
    add(&before, "f/o/d/a", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/a", STATUS_FAIL, 2, "d");
    add(&before, "f/o/d/b", STATUS_FLAKE, 0.2, "d"), add(&after, "f/o/d/b", STATUS_FLAKE, 0.2, "d");
    add(&before, "f/o/d/c", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/c", STATUS_PASS, 0.2, "d");
    after.record[2].implausible = 3;
    cr_assert(compare_build(&before, &after, &options, &comparison));
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct compare_options how = options;
        how.gate = asked[i].gate;
        unsigned gate = compare_gate(&comparison, &how);
        cr_expect_eq(compare_fails(&comparison, &after, gate), asked[i].fails, "%u", asked[i].gate);
    }
    struct compare_options how = options;
    how.gate = GATE_NONE | GATE_FLAKE;
    char *shown = as_text(&how);
    cr_expect(strstr(shown, "\nfails in the new run by --fail-on flake: 1, for instance f/o/d/b\n") &&
                  strstr(shown, "gate of the new run: FAIL (exit 1)"),
              "%s", shown);
    free(shown);
    how.gate = GATE_NONE;
    shown = as_text(&how);
    cr_expect(strstr(shown, "worse, but --fail-on none (exit 0)"), "%s", shown);
    free(shown);
}

static void read_markdown(const struct compare_options *how, const char *const *parts, size_t count)
{
    char *shown;
    PRINT(shown, cr_assert(compare_markdown(to, &after, &comparison, how)));
    cr_expect_leq(strlen(shown), 65000);
    char *said = read_with_python("markdown", shown);
    cr_expect(!said || !strstr(said, "Traceback"), "%s", said);
    for (size_t i = 0; said && i < count; i++) {
        cr_expect(strstr(said, parts[i]), "no \"%s\" in\n%s", parts[i], said);
    }
    free(said);
    free(shown);
}

Test(compare_text, markdown_for_a_pull_request)
{
    static const char *const parts[] = {"\n## assay compare: WORSE (exit 1)\n",
                                        "\nCases: `2 compared (f 2)`\n",
                                        "\nrow: **driver** / driver 1 / driver 2\n",
                                        "\nrow: seed / 1 / the same\n",
                                        "\n### verdict worse: 1\n",
                                        "\nrow: 1 / o/d / bound / a|b / pass -> fail: @octocat [x](y)\n",
                                        "\n### larger error, still within its bound: 1\n"};
    add(&before, "f/o/d/a|b", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/a|b", STATUS_FAIL, 2, "d");
    after.record[0].rule = text("bound");
    after.record[0].reason = text("@octocat\n[x](y)");
    add(&before, "f/o/d/c", STATUS_PASS, 0.2, "d"), add(&after, "f/o/d/c", STATUS_PASS, 0.9, "d");
    cr_assert(compare_build(&before, &after, &options, &comparison));
    read_markdown(&options, parts, sizeof parts / sizeof *parts);
}

Test(compare_text, markdown_of_a_table)
{
    static const char *const parts[] = {"\n## assay compare: a table, not a regression (exit 0)\n",
                                        "`different devices: gpu (driver 1) and another gpu`: a table",
                                        "\nrow: all / 5 / 3 / 2 / 3 / 2 / 1 / 1 / 3.46 / d/1\n"};
    two_devices();
    cr_assert(compare_build(&before, &after, &options, &comparison));
    read_markdown(&options, parts, sizeof parts / sizeof *parts);
}

Test(compare_text, markdown_always_fits_a_comment)
{
    static const char *const parts[] = {"groups did not fit; `--format json` has them.\n"};
    struct compare_options all = options;
    all.shown = 0;
    for (int i = 0; i < 4000; i++) {
        char *id;
        cr_assert(asprintf(&id, "f%d/<b>|``[x](y)@you%d/www.evil.example/%d%0*d", i / 900, i, i, 100, i) > 0);
        add(&before, id, STATUS_PASS, i % 3 ? 0.1 : 0.9, "d");
        add(&after, id, i % 2 ? STATUS_FAIL : STATUS_PASS, 0.9, "d");
        after.record[i].reason = text(NASTY);
        free(id);
    }
    cr_assert(compare_build(&before, &after, &all, &comparison));
    read_markdown(&all, parts, 1);
    free(after.header[0].device);
    after.header[0].device = text("|</details> another gpu\n# x");
    compare_destroy(&comparison);
    all.gate = GATE_WORSE | GATE_FAIL;
    cr_assert(compare_build(&before, &after, &all, &comparison));
    read_markdown(&all, parts, 1);
}
