/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/report.h"
#include "reports/test/fixture.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <criterion/criterion.h>

static const struct summary_options usual = {
    .seconds = 38.1, .truth_from_cache = 0.96, .report_dir = "build/report/"};

Test(summary, a_small_run_word_for_word)
{
    struct results results = {0};
    add_header(&results, "vulkan", "llvmpipe (LLVM 15.0.6)");
    add_failure(&results, "vulkan");
    struct record *pass = add_record(&results, "elementwise/sgn/complex64/specials", "vulkan", STATUS_PASS);
    pass->max_nu = 0.71;
    pass->resolution = 6e-8;
    for (int i = 0; i < 3; i++) {
        add_record(&results, "linalg/logdet/float64/n", "vulkan", STATUS_UNSUPPORTED)->reason =
            text(i ? "shaderFloat64 missing" : "int64 missing");
    }
    add_record(&results, "linalg/logdet/float32/w", "vulkan", STATUS_VACUOUS)->resolution = 0.36;
    char *shown;
    PRINT(shown, report_summary(to, &results, &usual));
    cr_assert_str_eq(
        shown,
        "assay 0.1.0 · vulkan: llvmpipe (LLVM 15.0.6) · Mesa 22.3.6 · Vulkan 1.3\n"
        "  level standard · seed 1\n"
        "family       cases  pass  fail  other  max err/bound    sees  worst case\n"
        "elementwise      1     1     0      0           0.71  6.0e-8  sgn/complex64/specials\n"
        "linalg           5     0     1      4            inf    0.36  logdet/float32/odd-permutation-n5\n"
        "FAIL linalg/logdet/float32/odd-permutation-n5          suites/linalg/logdet.c:41\n"
        "     element 0 at output 0 [0]:\n"
        "       truth NaN (the determinant is -1)\n"
        "       got   0 (0x00000000)\n"
        "     a special value, error / bound inf, 1 of 1 outside\n"
        "     special-value rule 1: where the truth is NaN, the result must be NaN\n"
        "     replay: assay repro linalg/logdet/float32/odd-permutation-n5 --backend vulkan --seed 1\n"
        "3 unsupported:\n"
        "     shaderFloat64 missing (2)\n"
        "     int64 missing (1)\n"
        "1 vacuous (33.3 % of 3 judged), no evidence: the bound is too wide (1)\n"
        "6 cases in 38.1 s, truth 96 % from cache · build/report/\n"
        "gate: FAIL: 1 failed\n");
    free(shown);
    results_destroy(&results);
}

Test(summary, a_green_run)
{
    struct results results = {0};
    add_record(&results, "f/o/d/n", "cpu", STATUS_PASS);
    struct summary_options options = {.seconds = 0.04, .truth_from_cache = NAN};
    char *shown;
    PRINT(shown, report_summary(to, &results, &options));
    cr_assert_str_eq(shown, "cpu\n"
                            "family       cases  pass  fail  other  max err/bound    sees  worst case\n"
                            "f                1     1     0      0              0       –  o/d/n\n"
                            "1 case in 0.0 s · 0 failed · gate: PASS\n");
    free(shown);
    results_destroy(&results);
}

/* Checks that the headings of the failures come in this order. */
static void order_is(const char *shown, const char *const *ids, int n)
{
    const char *at = shown;
    for (int i = 0; i < n; i++) {
        char heading[100];
        snprintf(heading, sizeof heading, "\n%s", ids[i]);
        at = strstr(at, heading);
        cr_assert(at, "%s is not where it belongs in\n%s", ids[i], shown);
        at++;
    }
}

/* The median resolution leaves out unknown ones and refusals, which judge no element. */
Test(summary, a_family_sees_its_median_resolution)
{
    static const double seen[] = {1e-7, NAN, 4e-7, INFINITY, 2e-7, NAN};
    struct results results = {0};
    for (int i = 0; i < 6; i++) {
        char id[] = "f/o/d/0";
        id[6] = (char)('0' + i);
        add_record(&results, id, "x", STATUS_PASS)->resolution = seen[i];
    }
    struct record *refusal = add_record(&results, "f/o/d/refusal", "x", STATUS_PASS);
    refusal->elements = 0, refusal->resolution = INFINITY;
    add_record(&results, "f/o/d/crash", "x", STATUS_CRASH)->resolution = INFINITY;
    char *shown;
    PRINT(shown, report_summary(to, &results, &usual));
    cr_assert(strstr(shown, "\nf                8     7     1      0              0  4.0e-7  o/d/0\n"), "%s",
              shown);
    free(shown);
    results.record[2].resolution = INFINITY;
    PRINT(shown, report_summary(to, &results, &usual));
    cr_assert(strstr(shown, "              0    none  o/d/0\n"), "%s", shown);
    free(shown);
    results_destroy(&results);
}

/* Findings take one line of at most 80 columns with the worst case by name, and leave the gate as it is. */
Test(summary, implausible_is_a_finding)
{
    static const double factors[] = {1.5, 12.4, 0, 3};
    static const char *const by[] = {"Q", "T", NULL, "G"};
    struct results results = {0};
    for (int i = 0; i < 4; i++) {
        char id[] = "linalg/logdet/float32/hilbert-n0";
        id[sizeof id - 2] = (char)('0' + i);
        struct record *record = add_record(&results, id, "x", i == 3 ? STATUS_VACUOUS : STATUS_PASS);
        record->implausible = factors[i];
        record->implausible_by = text(by[i]);
    }
    char *shown;
    PRINT(shown, report_summary(to, &results, &usual));
    cr_assert(strstr(shown, "\n3 implausible: up to 12.4 times the limit of independent rounding,\n     "
                            "linalg/logdet/float32/hilbert-n1 (root mean square)\n"),
              "%s", shown);
    cr_assert(strstr(shown, " · 0 failed · gate: PASS"), "%s", shown);
    cr_assert_eq(report_exit_status(&results, GATE_STRICT), 0, "no status, not even under --strict");
    free(shown);
    results_destroy(&results);
}

Test(summary, vacuous_cases_by_their_reason)
{
    static const char *const rules[] = {RECORD_RULE_WRONG_CLASS "zeros",
                                        RECORD_RULE_WIDE,
                                        NULL,
                                        RECORD_RULE_WRONG_CLASS "the negated truth",
                                        RECORD_RULE_WRONG_CLASS "the negated truth",
                                        RECORD_RULE_WRONG_CLASS "the negated truth"};
    struct results results = {0};
    for (int i = 0; i < 6; i++) {
        struct record *record = add_record(&results, "f/o/d/n", "x", STATUS_VACUOUS);
        record->rule = text(rules[i]);
        record->reason = text(i % 2 ? "0.36" : "0.4"); /* reasons with numbers of their own */
    }
    add_record(&results, "f/o/d/n", "x", STATUS_PASS);
    char *shown;
    PRINT(shown, report_summary(to, &results, &usual));
    cr_assert(strstr(shown, "\n6 vacuous (85.7 % of 7 judged), no evidence:\n"
                            "     the negated truth would pass (3)\n"
                            "     the bound is too wide (2)\n"
                            "     zeros would pass (1)\n"),
              "%s", shown);
    free(shown);
    results_destroy(&results);
}

Test(summary, failures_stand_worst_first)
{
    static const double nu[] = {3, NAN, 1.5, 1e6};
    static const char *const order[] = {
        "FAIL f/o/d/1",  "FAIL f/o/d/3",    "FAIL f/o/d/0",  "FAIL f/o/d/2",
        "CRASH f/o/d/c", "TIMEOUT f/o/d/t", "ERROR f/o/d/e", "1 missing (fails the gate): "};
    struct results results = {0};
    add_record(&results, "f/o/d/m", "x", STATUS_MISSING);
    add_record(&results, "f/o/d/e", "x", STATUS_ERROR);
    add_record(&results, "f/o/d/t", "x", STATUS_TIMEOUT);
    add_record(&results, "f/o/d/c", "x", STATUS_CRASH);
    for (int i = 0; i < 4; i++) {
        char id[] = "f/o/d/0";
        id[6] = (char)('0' + i);
        struct record *record = add_record(&results, id, "x", STATUS_FAIL);
        record->max_nu = nu[i];
        record->rule = text(id + 6); /* each in a cluster of its own */
    }
    char *shown;
    PRINT(shown, report_summary(to, &results, &usual));
    order_is(shown, order, 8);
    cr_assert(!strstr(shown, "more failure") && !strstr(shown, "×"));
    free(shown);
    struct summary_options one = usual;
    one.failures_max = 1; /* one with its example, then four with a line each */
    PRINT(shown, report_summary(to, &results, &one));
    order_is(shown, order, 1);
    cr_assert(!strstr(shown, order[1]) &&
                  strstr(shown, "\n    1  o/d                       0             f/o/d/0\n"),
              "%s", shown);
    cr_assert(strstr(shown, "\n… and 2 more failures in 2 groups (--show 0 shows all)\n"), "%s", shown);
    cr_assert(strstr(shown, "\ngate: FAIL: 7 failed, 1 missing\n"));
    free(shown);
    results_destroy(&results);
}

/* Hundreds of failures make a few clusters of operator, dtype and rule, each with its worst case as example.
 */
Test(summary, failures_are_reported_by_kind)
{
    struct results results = {0};
    for (int i = 0; i < 30; i++) {
        char id[] = "f/sgn/float32/00";
        id[14] = (char)('0' + i / 10), id[15] = (char)('0' + i % 10);
        struct record *record = add_record(&results, id, "x", STATUS_FAIL);
        record->max_nu = i;
        record->rule = text(i % 3 ? "bound" : "bias");
    }
    add_record(&results, "f/sgn/float16/00", "x", STATUS_FAIL)->max_nu = 100;
    add_record(&results, "f/sgn/float32/crash", "x", STATUS_CRASH);
    char *shown;
    PRINT(shown, report_summary(to, &results, &usual));
    static const char *const parts[] = {
        "\n32 failures in 4 groups (operator, dtype, rule), with one example each\n",
        "\nFAIL f/sgn/float16/00\n", "\n20 × sgn/float32, bound:\nFAIL f/sgn/float32/29\n",
        "\n10 × sgn/float32, bias:\nFAIL f/sgn/float32/27\n", "\nCRASH f/sgn/float32/crash\n"};
    const char *at = shown;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *found = strstr(at, parts[i]);
        cr_assert(found, "no \"%s\" in its place in\n%s", parts[i], shown);
        at = found;
    }
    free(shown);
    results_destroy(&results);
}

Test(summary, a_row_per_operator)
{
    struct results results = {0};
    add_record(&results, "f/add_/float32/1", "x", STATUS_PASS);
    add_record(&results, "f/add_/float16/1", "x", STATUS_FAIL);
    add_record(&results, "f/add_out/float32/1", "x", STATUS_PASS);
    struct summary_options options = usual;
    options.by_operator = true;
    char *shown;
    PRINT(shown, report_summary(to, &results, &options));
    cr_assert(strstr(shown, "\noperator     cases  pass  fail ") &&
                  strstr(shown, "\nf/add_           2     1     1 ") &&
                  strstr(shown, "\nf/add_out        1     1     0 "),
              "%s", shown);
    free(shown);
    results_destroy(&results);
}

/* An addition of --fail-on fails the gate, the summary names the option, and every reader of the JUnit file
 * sees a failure. */
Test(summary, what_fail_on_adds)
{
    static const struct {
        const char *name;
        enum status status;
    } added[] = {{"flake", STATUS_FLAKE},
                 {"unsupported", STATUS_UNSUPPORTED},
                 {"unexpected_pass", STATUS_UNEXPECTED_PASS},
                 {"vacuous", STATUS_VACUOUS},
                 {"range", STATUS_PASS},
                 {"implausible", STATUS_PASS}};
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        struct results results = {0};
        struct error error = {.text = ""};
        unsigned gate = 0;
        add_record(&results, "f/o/d/1", "x", STATUS_PASS);
        struct record *record = add_record(&results, "f/o/d/2", "x", added[i].status);
        record->range_findings = i == 4;
        record->implausible = i == 5 ? 3 : 0;
        cr_assert(gate_parse(added[i].name, GATE_OF_RECORDS, &gate, &error), "%s", error.text);
        cr_assert_eq(report_exit_status(&results, 0), 0, "%s", added[i].name);
        cr_assert_eq(report_exit_status(&results, gate), 1, "%s", added[i].name);
        char *xml;
        PRINT(xml, report_junit(to, &results, gate, NULL));
        cr_assert(strstr(xml, "failures=\"1\"") && strstr(xml, "<failure message=\""), "%s: %s",
                  added[i].name, xml);
        char type[40];
        snprintf(type, sizeof type, "type=\"%s\"", added[i].name);
        cr_assert(strstr(xml, type), "%s: %s", added[i].name, xml);
        free(xml);
        record->status = STATUS_EXPECTED_FAIL; /* the baseline excuses it with its findings */
        cr_assert_eq(report_exit_status(&results, GATE_OF_RECORDS), 0, "%s", added[i].name);
        results_destroy(&results);
    }
    struct error error = {.text = ""};
    unsigned gate = 0;
    cr_assert(gate_parse("flake,stale", GATE_OF_RECORDS, &gate, &error) && gate == (GATE_FLAKE | GATE_STALE));
    cr_assert(!gate_parse("flake,", GATE_OF_RECORDS, &gate, &error) &&
              !gate_parse("fail", GATE_OF_RECORDS, &gate, &error) &&
              !gate_parse("worse", GATE_OF_RECORDS, &gate, &error));
    cr_assert(strstr(error.text, "\"worse\" is unknown; give flake, unsupported, "), "%s", error.text);
}

Test(summary, every_status_is_reported)
{
    struct results results = {0};
    fill(&results);
    char *shown;
    PRINT(shown, report_summary(to, &results, &usual));
    static const char *const parts[] = {
        "\n1 unsupported: shaderFloat64 missing (1)\n", "\n1 expected to fail (in the baseline): a ]]> ",
        "\n1 vacuous (14.3 % of 7 judged), no evidence: the bound is too wide (1)\n",
        "\n1 flaky: failed, then passed on the same inputs\n     inplace/add_/float32/",
        "\n1 passed unexpectedly: the baseline is stale\n     elementwise/sgn/float32/"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        cr_assert(strstr(shown, parts[i]), "no \"%s\" in\n%s", parts[i], shown);
    }
    cr_assert(!strchr(shown, '\x1b') && !strchr(shown, '\x07'),
              "nothing from a device reaches the terminal raw");
    free(shown);
    struct summary_options strict = usual;
    strict.gate = GATE_STRICT;
    PRINT(shown, report_summary(to, &results, &strict));
    cr_assert(strstr(shown, "1 unsupported (fails the gate: --strict): "));
    free(shown);
    results_destroy(&results);
}

Test(summary, completion_order_changes_nothing)
{
    struct results results = {0};
    fill(&results);
    for (int i = 0; i < 4; i++) { /* equally wrong */
        char id[] = "linalg/logdet/float32/0";
        id[sizeof id - 2] = (char)('0' + i);
        add_record(&results, id, "cpu", STATUS_FAIL)->max_nu = 7;
    }
    char *shown;
    PRINT(shown, report_summary(to, &results, &usual));
    char *xml;
    PRINT(xml, report_junit(to, &results, 0, NULL));
    for (int i = 0; i < results.records / 2; i++) {
        struct record *a = &results.record[i], *b = &results.record[results.records - 1 - i], swap = *a;
        *a = *b;
        *b = swap;
    }
    char *again;
    PRINT(again, report_summary(to, &results, &usual));
    char *xml_again;
    PRINT(xml_again, report_junit(to, &results, 0, NULL));
    cr_assert_str_eq(again, shown);
    cr_assert_str_eq(xml_again, xml);
    free(shown);
    free(again);
    free(xml);
    free(xml_again);
    results_destroy(&results);
}

Test(summary, gate)
{
    for (int status = 0; status < STATUS_COUNT; status++) {
        for (unsigned gate = 0; gate <= GATE_STRICT; gate += GATE_STRICT) {
            struct results results = {0};
            add_record(&results, "f/o/d/1", "x", STATUS_PASS);
            add_record(&results, "f/o/d/2", "x", (enum status)status);
            cr_assert_eq(report_exit_status(&results, gate), gate_fails_status((enum status)status, gate));
            results_destroy(&results);
        }
    }
    struct results results = {0};
    cr_assert_eq(report_exit_status(&results, 0), 1, "nothing was measured");
    add_record(&results, "f/o/d/1", "x", STATUS_UNSUPPORTED);
    cr_assert_eq(report_exit_status(&results, GATE_STRICT), 1);
    results_destroy(&results);
    add_header(&results, "x", "d")->expected = 2;
    add_record(&results, "f/o/d/1", "x", STATUS_PASS);
    cr_assert_eq(report_exit_status(&results, 0), 1, "one selected case has no record");
    char *shown;
    PRINT(shown, report_summary(to, &results, &usual));
    cr_assert(
        strstr(shown, ": 1 of 2 selected cases have no record: a run was cut short, or a shard is lost\n"));
    free(shown);
    add_record(&results, "f/o/d/2", "x", STATUS_PASS);
    cr_assert_eq(report_exit_status(&results, 0), 0);
    PRINT(shown, report_summary(to, &results, &usual));
    cr_assert(!strstr(shown, "no record"));
    free(shown);
    results_destroy(&results);
}
