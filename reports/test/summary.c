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
    add_record(&results, "elementwise/sgn/complex64/specials", "vulkan", STATUS_PASS)->max_nu = 0.71;
    for (int i = 0; i < 3; i++)
        add_record(&results, "linalg/logdet/float64/n", "vulkan", STATUS_UNSUPPORTED)->reason =
            text(i ? "shaderFloat64 missing" : "int64 missing");
    add_record(&results, "linalg/logdet/float32/w", "vulkan", STATUS_VACUOUS)->median_rho = 0.36;
    char *told;
    TELL(told, report_summary(to, &results, &usual));
    cr_assert_str_eq(
        told, "assay 0.1.0 · vulkan: llvmpipe (LLVM 15.0.6) · Mesa 22.3.6 · Vulkan 1.3\n"
              "  level standard · seed 1\n"
              "family       cases  pass  fail  other  max err/bound  worst case\n"
              "elementwise      1     1     0      0           0.71  sgn/complex64/specials\n"
              "linalg           5     0     1      4            inf  logdet/float32/odd-permutation-n5\n"
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
              "1 vacuous (33.3 % of 3 judged): the bound is no evidence, rho up to 0.36\n"
              "6 cases in 38.1 s, truth 96 % from cache · 1 failed · gate FAILS (exit 1) · build/report/\n");
    free(told);
    results_destroy(&results);
}

Test(summary, a_green_run)
{
    struct results results = {0};
    add_record(&results, "f/o/d/n", "cpu", STATUS_PASS);
    struct summary_options options = {.seconds = 0.04, .truth_from_cache = NAN};
    char *told;
    TELL(told, report_summary(to, &results, &options));
    cr_assert_str_eq(told, "cpu\n"
                           "family       cases  pass  fail  other  max err/bound  worst case\n"
                           "f                1     1     0      0              0  o/d/n\n"
                           "1 case in 0.0 s · 0 failed · gate holds\n");
    free(told);
    results_destroy(&results);
}

/* The start of each failure's heading in the order told. */
static void order_is(const char *told, const char *const *ids, int n)
{
    const char *at = told;
    for (int i = 0; i < n; i++) {
        char heading[100];
        snprintf(heading, sizeof heading, "\n%s", ids[i]);
        at = strstr(at, heading);
        cr_assert(at, "%s is not where it belongs in\n%s", ids[i], told);
        at++;
    }
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
        add_record(&results, id, "x", STATUS_FAIL)->max_nu = nu[i];
    }
    char *told;
    TELL(told, report_summary(to, &results, &usual));
    order_is(told, order, 8);
    cr_assert(!strstr(told, "more failure"));
    free(told);
    struct summary_options two = usual;
    two.failures_max = 2;
    TELL(told, report_summary(to, &results, &two));
    order_is(told, order, 2);
    cr_assert(!strstr(told, order[2]) && strstr(told, "\n… and 5 more failures\n"));
    cr_assert(strstr(told, "· 7 failed · 1 missing · gate FAILS (exit 1)"));
    free(told);
    results_destroy(&results);
}

Test(summary, every_status_is_told)
{
    struct results results = {0};
    fill(&results);
    char *told;
    TELL(told, report_summary(to, &results, &usual));
    static const char *const parts[] = {
        "\n1 unsupported: shaderFloat64 missing (1)\n", "\n1 expected to fail by the baseline: a ]]> ",
        "\n1 vacuous (14.3 % of 7 judged): the bound is no evidence, rho up to 0.36\n",
        "\n1 flaky: failed, then passed on the same bits\n     inplace/add_/float32/",
        "\n1 passed unexpectedly: the baseline is stale\n     elementwise/sgn/float32/"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_assert(strstr(told, parts[i]), "no \"%s\" in\n%s", parts[i], told);
    cr_assert(!strchr(told, '\x1b') && !strchr(told, '\x07'),
              "nothing from a device reaches the terminal raw");
    free(told);
    struct summary_options strict = usual;
    strict.strict = true;
    TELL(told, report_summary(to, &results, &strict));
    cr_assert(strstr(told, "1 unsupported (fails the gate: --strict): "));
    free(told);
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
    char *told;
    TELL(told, report_summary(to, &results, &usual));
    char *xml;
    TELL(xml, report_junit(to, &results, false, NULL));
    for (int i = 0; i < results.records / 2; i++) {
        struct record *a = &results.record[i], *b = &results.record[results.records - 1 - i], swap = *a;
        *a = *b;
        *b = swap;
    }
    char *again;
    TELL(again, report_summary(to, &results, &usual));
    char *xml_again;
    TELL(xml_again, report_junit(to, &results, false, NULL));
    cr_assert_str_eq(again, told);
    cr_assert_str_eq(xml_again, xml);
    free(told);
    free(again);
    free(xml);
    free(xml_again);
    results_destroy(&results);
}

Test(summary, gate)
{
    for (int status = 0; status < STATUS_COUNT; status++) {
        for (int strict = 0; strict < 2; strict++) {
            struct results results = {0};
            add_record(&results, "f/o/d/1", "x", STATUS_PASS);
            add_record(&results, "f/o/d/2", "x", (enum status)status);
            cr_assert_eq(report_exit_status(&results, strict),
                         status_fails_gate((enum status)status, strict));
            results_destroy(&results);
        }
    }
    struct results results = {0};
    cr_assert_eq(report_exit_status(&results, false), 1, "nothing was measured");
    add_record(&results, "f/o/d/1", "x", STATUS_UNSUPPORTED);
    cr_assert_eq(report_exit_status(&results, true), 1);
    results_destroy(&results);
    add_header(&results, "x", "d")->expected = 2;
    add_record(&results, "f/o/d/1", "x", STATUS_PASS);
    cr_assert_eq(report_exit_status(&results, false), 1, "one selected case has no record");
    char *told;
    TELL(told, report_summary(to, &results, &usual));
    cr_assert(
        strstr(told, ": 1 of 2 selected cases have no record: a run was cut short, or a shard is lost\n"));
    free(told);
    add_record(&results, "f/o/d/2", "x", STATUS_PASS);
    cr_assert_eq(report_exit_status(&results, false), 0);
    TELL(told, report_summary(to, &results, &usual));
    cr_assert(!strstr(told, "no record"));
    free(told);
    results_destroy(&results);
}

Test(failure, parts_that_fit_stand_on_one_line)
{
    struct results results = {0};
    struct record *record = add_record(&results, "f/o/float32/n", "x", STATUS_FAIL);
    record->worst = (struct record_worst){.index = 41,
                                          .where = text("output 0 [2, 5]"),
                                          .truth = text("1.5"),
                                          .ulp = 3.25,
                                          .nu = 3245,
                                          .got = text("1.75 (0x3fe00000)"),
                                          .inputs = text("x = -1.5 (0xbfc00000)")};
    record->reason = text("outside the bound");
    record->detail = text("first\nsecond");
    record->over_bound = 2;
    record->elements = 64;
    record->source = text("a/very/long/path/to/a/suite/that/does/not/fit/beside/the/id/of/its/case.c:123");
    char *told;
    TELL(told, report_failure(to, record));
    cr_assert_str_eq(told,
                     "FAIL f/o/float32/n\n"
                     "     a/very/long/path/to/a/suite/that/does/not/fit/beside/the/id/of/its/case.c:123\n"
                     "     element 41 at output 0 [2, 5]: truth 1.5, got 1.75 (0x3fe00000)\n"
                     "       with  x = -1.5 (0xbfc00000)\n"
                     "     error 3.25 ulp, error / bound 3.2e+3, 2 of 64 outside\n"
                     "     outside the bound\n"
                     "     first\n"
                     "     second\n");
    free(told);
    results_destroy(&results);
}

/* The source stands at the right edge of 80 columns as long as two blanks are left, else below. */
Test(failure, heading_fills_80_columns)
{
    for (int length = 60; length < 64; length++) {
        struct results results = {0};
        char id[80] = "";
        memset(id, 'i', (size_t)length);
        struct record *record = add_record(&results, id, "x", STATUS_FAIL);
        record->source = text("logdet.c:4567");
        char *told;
        TELL(told, report_failure(to, record));
        cr_assert_eq(strcspn(told, "\n"), length == 60 ? 80 : 5 + (size_t)length, "%s", told);
        cr_assert(strstr(told, length == 60 ? "i  logdet.c:4567\n" : "i\n     logdet.c:4567\n"));
        free(told);
        results_destroy(&results);
    }
}

Test(text, metrics)
{
    struct record record = {.max_ulp = 0.5,
                            .bias_ulp = -0.25,
                            .max_nu = 0.71,
                            .median_rho = 1e-7,
                            .elements = 64,
                            .device_ns = 1234567,
                            .distinct = 3,
                            .range_findings = 2,
                            .validation = 1};
    char *told;
    TELL(told, text_metrics(to, &record));
    cr_assert_str_eq(told, "max 0.5 ulp, bias -0.25 ulp, max err/bound 0.71, rho 1.0e-7, 64 elements, "
                           "device 1.235 ms, 3 distinct outputs, 2 RANGE findings, 1 validation message");
    free(told);
}

Test(text, numbers)
{
    static const struct {
        double value;
        const char *text, *exact;
    } table[] = {{0, "0", "0"},
                 {0.714, "0.714", "0.714"},
                 {3245, "3.2e+3", "3245"},
                 {NAN, "-", "nan"},
                 {999, "999", "999"},
                 {999.5, "1.0e+3", "999.5"},
                 {-0.5, "-0.5", "-0.5"},
                 {1e-100, "1.0e-100", "1e-100"},
                 {INFINITY, "inf", "inf"},
                 {-INFINITY, "-inf", "-inf"},
                 {0.1 + 0.2, "0.3", "0.30000000000000004"},
                 {0.001, "0.001", "0.001"},
                 {0.00099, "9.9e-4", "0.00099"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char out[TEXT_NUMBER];
        cr_assert_str_eq(text_number(table[i].value, out), table[i].text);
        cr_assert_str_eq(text_exact(table[i].value, out), table[i].exact);
    }
}

/* A backend that can do none of the cases has shown nothing. */
Test(summary, nothing_judged)
{
    struct results results = {0};
    char *told;
    add_header(&results, "x", "d");
    add_header(&results, "y", "d");
    for (int i = 0; i < 3; i++) {
        add_record(&results, "f/o/d/1", "x", STATUS_PASS);
        add_record(&results, "f/o/d/1", "y", STATUS_UNSUPPORTED);
    }
    cr_assert_eq(report_exit_status(&results, false), 3);
    TELL(told, report_summary(to, &results, &usual));
    cr_assert(strstr(told, "NOTHING JUDGED") && strstr(told, "(exit 3)") && !strstr(told, "holds"), "%s",
              told);
    free(told);
    results.header[1].shard = strdup("2/9");
    cr_assert_eq(report_exit_status(&results, false), 0, "one shard may be so");
    struct summary_options fails = usual;
    fails.exit_status = 1;
    fails.verdict = "gate FAILS (exit 1): interrupted";
    TELL(told, report_summary(to, &results, &fails));
    cr_assert(strstr(told, "gate FAILS (exit 1): interrupted") && !strstr(told, "holds"), "%s", told);
    free(told);
    results_destroy(&results);
}
