/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/test/hostile.h"
#include "reports/compare/compare.h"
#include "reports/report.h"

#include <criterion/criterion.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

/* Texts from backends and files are shown but have no effect. For the parity page see html_page.c, for
 * Markdown its own tests. */

static struct results results;

static void begin(void)
{
    fill_hostile(&results);
}

static void end(void)
{
    results_destroy(&results);
}

TestSuite(hostile, .init = begin, .fini = end);

/* True if the text is valid UTF-8 without control characters other than line ends, overrides and invisible
 * characters. */
static void harmless(const char *shown)
{
    for (const unsigned char *c = (const unsigned char *)shown; *c; c++) {
        cr_assert((*c >= 0x20 || *c == '\n' || *c == '\t' || (*c == '\r' && c[1] == '\n')) && *c != 0x7f,
                  "byte %02x at %.40s", *c, (const char *)c);
    }
    static const char *const hidden[] = {"\xe2\x80\xae", "\xe2\x80\xa8", "\xef\xbb\xbf", "\xff",
                                         "\xed\xa0",     "\xc2\x9b",     "\xe2\x81\xa6", "\xd8\x9c",
                                         "\xe2\x80\x8f", "\xc2\x85"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        cr_expect_null(strstr(shown, hidden[i]), "%zu at %.40s", i, strstr(shown, hidden[i]));
    }
}

static void read_as(const char *script, const char *modules, const char *format, const char *shown,
                    const char *expected)
{
    char *said = read_by(script, modules, format, shown);
    if (said) {
        cr_expect(strncmp(said, expected, strlen(expected)) == 0, "%s: %s", format, said);
    }
    free(said);
}

Test(hostile, csv)
{
    char *shown, expected[80];
    PRINT(shown, cr_assert(report_csv(to, &results, NULL)));
    harmless(shown);
    snprintf(expected, sizeof expected, "%d rows, %d cases\n", HOSTILE, HOSTILE);
    read_as("readers.py", "csv", "csv", shown, expected);
    free(shown);
}

Test(hostile, junit)
{
    char *shown, expected[80];
    PRINT(shown, cr_assert(report_junit(to, &results, GATE_STRICT, NULL)));
    harmless(shown);
    xmlDocPtr document = xmlReadMemory(shown, (int)strlen(shown), "x.xml", NULL, XML_PARSE_NONET);
    cr_assert(document, "%s", shown);
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    xmlXPathObjectPtr found =
        xmlXPathEvalExpression(BAD_CAST "count(//*[not(contains(' testsuites testsuite properties property "
                                        "testcase failure system-out ', concat(' ', name(), ' ')))])",
                               context);
    cr_expect_eq(found->floatval, 0, "%g elements of theirs", found->floatval);
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    xmlFreeDoc(document);
    snprintf(expected, sizeof expected, "%d suites, %d with a file, %d cases, %d red\n", HOSTILE, HOSTILE,
             HOSTILE, HOSTILE);
    read_as("junit_readers.py", "xml.etree", "rules", shown, expected);
    snprintf(expected, sizeof expected, "%d tests, %d failures, 0 errors", HOSTILE, HOSTILE);
    read_as("junit_readers.py", "junitparser", "junitparser", shown, expected);
    free(shown);
}

Test(hostile, terminal)
{
    char *shown;
    PRINT(shown,
          report_summary(to, &results, &(struct summary_options){.seconds = NAN, .truth_from_cache = NAN}));
    harmless(shown);
    free(shown);
}

/* Every list of the summary: clusters of several cases, of one line, reasons, findings, a backend without a
 * header, the members of a header. */
Test(hostile, every_list_of_the_terminal)
{
    static const char evil[] = "\x1b]0;t\x07\xc2\x9b"
                               "2J\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\x8f\nFAIL";
    struct results all = {0};
    add_header(&all, evil, evil)->fault = text(evil);
    for (int i = 0; i < 8 * STATUS_COUNT; i++) {
        char *id = NULL;
        cr_assert_gt(asprintf(&id, "f%s/o%d%s/d%s/%d%s", evil, i / 2 % 4, evil, evil, i, evil), 0);
        struct record *record = add_record(&all, id, i % 2 ? evil : "no header\x1b[1m", (enum status)(i / 8));
        free(id);
        record->reason = text(evil);
        record->rule = text(i % 3 ? evil : "wrong class: \x1b[31m");
        record->implausible = i % 5;
        record->implausible_by = text(evil);
        record->range_findings = i % 7;
    }
    for (int by = 0; by < 4; by++) {
        char *shown;
        PRINT(shown, report_summary(to, &all,
                                    &(struct summary_options){.gate = GATE_OF_RECORDS,
                                                              .by_operator = by % 2,
                                                              .failures_max = by < 2 ? 2 : 0,
                                                              .report_dir = evil,
                                                              .seconds = NAN,
                                                              .truth_from_cache = NAN}));
        harmless(shown);
        free(shown);
    }
    char *shown;
    PRINT(shown, cr_assert(report_markdown(to, &all, GATE_OF_RECORDS, NULL)));
    harmless(shown);
    free(shown);
    results_destroy(&all);
}

/* A comparison in its three formats; JSON spells out hidden characters. */
Test(hostile, comparison)
{
    struct results old = {0};
    fill_hostile(&old);
    for (int r = 0; r < old.records; r++) {
        old.record[r].status = r % 2 ? STATUS_PASS : STATUS_FAIL;
        results.record[r].series[0].y[0] = 7;
    }
    for (int table = 0; table < 2; table++) {
        const struct compare_options options = {.error_ratio = 2,
                                                .least_error = 0.05,
                                                .curve_ratio = 1.5,
                                                .gate = GATE_OF_COMPARE,
                                                .by_family = table};
        struct comparison comparison;
        cr_assert(compare_build(&old, &results, &options, &comparison));
        snprintf(comparison.why, sizeof comparison.why, "%s", table ? "different \x1b[31m devices" : "");
        char *shown;
        PRINT(shown, cr_assert(compare_text(to, &results, &comparison, &options)));
        harmless(shown);
        free(shown);
        PRINT(shown, cr_assert(compare_markdown(to, &results, &comparison, &options)));
        harmless(shown);
        free(shown);
        PRINT(shown, cr_assert(compare_json(to, &results, &comparison, &options)));
        harmless(shown);
        free(shown);
        compare_destroy(&comparison);
    }
    results_destroy(&old);
}

/* Names with "\u0000", which would end a C string, and with bytes that are no UTF-8. */
Test(hostile, what_a_file_holds)
{
    static const char file[] =
        "{\"assay\":\"0\",\"backend\":\"b\\u0000=1\",\"device\":\"d\\u0000\\ud800\"}\n"
        "{\"id\":\"f/o/float32/"
        "\\u0000\xff\",\"backend\":\"b\\u0000=1\",\"status\":\"fail\",\"reason\":\"\xc3(\"}\n";
    char *name = temporary(file, sizeof file - 1), *shown;
    struct results read;
    struct error error = {0};
    bool good = results_read(name, &read, &error);
    unlink(name);
    free(name);
    if (!good) { /* a lone surrogate is no JSON text: refused by line */
        cr_expect(strstr(error.text, ":1: not JSON"), "%s", error.text);
        return;
    }
    PRINT(shown, cr_assert(report_csv(to, &read, NULL)));
    harmless(shown);
    read_as("readers.py", "csv", "csv", shown, "1 rows, 1 cases\n");
    free(shown);
    PRINT(shown, cr_assert(report_junit(to, &read, 0, NULL)));
    harmless(shown);
    free(shown);
    results_destroy(&read);
}
