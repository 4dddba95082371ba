/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

/* Findings of class RANGE are wrong elements that the profile excuses. Every report counts them by name, and
 * none shows them as a plain pass or as a wide bound. */

static struct results results;

static void begin(void)
{
    add_header(&results, "x", "d");
    add_record(&results, "reduction/softmax/float32/clean", "x", STATUS_PASS)->max_nu = 0.9;
    struct record *some = add_record(&results, "reduction/softmax/float32/some", "x", STATUS_PASS);
    some->elements = 90;
    some->range_findings = 10;
    some->max_nu = 0.5;
    struct record *all = add_record(&results, "reduction/softmax/float32/all", "x", STATUS_VACUOUS);
    all->elements = 0;
    all->range_findings = 585;
    all->reason = text("finding of class RANGE: in 585 element(s) …");
    all->worst.got = text("nan (0x7fc00000)");
    all->worst.truth = text("0.25");
    struct record *wide = add_record(&results, "reduction/sum/float32/wide", "x", STATUS_VACUOUS);
    wide->rule = text(RECORD_RULE_WIDE);
}

static void end(void)
{
    results_destroy(&results);
}

TestSuite(range_findings, .init = begin, .fini = end);

static char *summary(unsigned gate)
{
    const struct summary_options options = {
        .gate = gate, .failures_max = SUMMARY_SHOWN, .seconds = NAN, .truth_from_cache = NAN};
    char *shown;
    PRINT(shown, report_summary(to, &results, &options));
    return shown;
}

Test(range_findings, the_summary_counts_them_apart_from_wide_bounds)
{
    char *shown = summary(0);
    cr_expect(strstr(shown, "\n     an intermediate leaves the range, as the profile declares (1)\n"), "%s",
              shown);
    cr_expect(strstr(shown, "\n     the bound is too wide (1)\n"), "%s", shown);
    cr_expect(strstr(shown,
                     "\n2 range: an intermediate result overflows or underflows, as the profile declares;\n"
                     "     reduction/softmax/float32/all: 585 wrong elements\n"),
              "%s", shown);
    cr_expect(strstr(shown, "gate: PASS"), "%s", shown);
    free(shown);
}

Test(range_findings, the_gate_shows_the_worst_of_them_as_its_example)
{
    char *shown = summary(GATE_RANGE);
    cr_expect(strstr(shown, "2 × softmax/float32, range:\nRANGE reduction/softmax/float32/all"), "%s", shown);
    cr_expect(strstr(shown, "got nan (0x7fc00000)"), "%s", shown);
    cr_expect(!strstr(shown, "PASS") && !strstr(shown, "VACUOUS"), "%s", shown);
    cr_expect(strstr(shown, "2 range (fails the gate: --fail-on range): "), "%s", shown);
    free(shown);
}

Test(range_findings, markdown_has_a_mark_of_its_own)
{
    char *shown;
    PRINT(shown, cr_assert(report_markdown(to, &results, 0, NULL)));
    cr_expect(strstr(shown, "| `reduction/softmax` | `r` |"), "%s", shown);
    cr_expect(strstr(shown, "`r` pass, except for wrong elements that the profile excuses"), "%s", shown);
    cr_expect(!strstr(shown, "✓"), "%s", shown);
    cr_expect(
        strstr(shown, "2 range: an intermediate result overflows or underflows, as the profile declares."),
        "%s", shown);
    free(shown);
    PRINT(shown, cr_assert(report_markdown(to, &results, GATE_RANGE, NULL)));
    cr_expect(strstr(shown, "they fail the gate by `--fail-on range`"), "%s", shown);
    free(shown);
}

Test(range_findings, csv_html_and_junit_have_the_number)
{
    char *shown;
    PRINT(shown, cr_assert(report_csv(to, &results, NULL)));
    cr_expect(strstr(shown, ",reduction/softmax/float32/all,2\r\n"), "%s", shown);
    cr_expect(strstr(shown, ",reduction/sum/float32/wide,0\r\n"), "%s", shown);
    free(shown);
    PRINT(shown, cr_assert(report_html(to, &results, NULL, NULL)));
    cr_expect(strstr(shown, "\"range\":2}") && strstr(shown, ">range</th>"));
    free(shown);
    PRINT(shown, cr_assert(report_junit(to, &results, 0, NULL)));
    cr_expect(strstr(shown, "10 RANGE findings") && strstr(shown, "585 RANGE findings"), "%s", shown);
    free(shown);
}
