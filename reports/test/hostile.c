/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/test/hostile.h"
#include "reports/report.h"

#include <criterion/criterion.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

/* What comes from backends and files is shown and does nothing. For the parity page: html_page.c; for
 * Markdown: its own tests. */

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

/* Nothing that a terminal or an editor obeys: no controls but line ends, no override, no invisible character,
 * and valid UTF-8. */
static void harmless(const char *told)
{
    for (const unsigned char *c = (const unsigned char *)told; *c; c++) {
        cr_assert((*c >= 0x20 || *c == '\n' || *c == '\t' || (*c == '\r' && c[1] == '\n')) && *c != 0x7f,
                  "byte %02x at %.40s", *c, (const char *)c);
    }
    static const char *const hidden[] = {"\xe2\x80\xae", "\xe2\x80\xa8", "\xef\xbb\xbf", "\xff", "\xed\xa0"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        cr_expect_null(strstr(told, hidden[i]), "%zu at %.40s", i, strstr(told, hidden[i]));
    }
}

static void read_as(const char *script, const char *modules, const char *format, const char *told,
                    const char *expected)
{
    char *said = read_by(script, modules, format, told);
    if (said) {
        cr_expect(strncmp(said, expected, strlen(expected)) == 0, "%s: %s", format, said);
    }
    free(said);
}

Test(hostile, csv)
{
    char *told, expected[80];
    TELL(told, cr_assert(report_csv(to, &results, NULL)));
    harmless(told);
    snprintf(expected, sizeof expected, "%d rows, %d cases\n", HOSTILE, HOSTILE);
    read_as("readers.py", "csv", "csv", told, expected);
    free(told);
}

Test(hostile, junit)
{
    char *told, expected[80];
    TELL(told, cr_assert(report_junit(to, &results, GATE_STRICT, NULL)));
    harmless(told);
    xmlDocPtr document = xmlReadMemory(told, (int)strlen(told), "x.xml", NULL, XML_PARSE_NONET);
    cr_assert(document, "%s", told);
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
    read_as("junit_readers.py", "xml.etree", "rules", told, expected);
    snprintf(expected, sizeof expected, "%d tests, %d failures, 0 errors", HOSTILE, HOSTILE);
    read_as("junit_readers.py", "junitparser", "junitparser", told, expected);
    free(told);
}

Test(hostile, terminal)
{
    char *told;
    TELL(told,
         report_summary(to, &results, &(struct summary_options){.seconds = NAN, .truth_from_cache = NAN}));
    harmless(told);
    free(told);
}

/* "\u0000" in a file, and bytes that are no UTF-8: names that a C string would cut short or nobody can read.
 */
Test(hostile, what_a_file_holds)
{
    static const char file[] =
        "{\"assay\":\"0\",\"backend\":\"b\\u0000=1\",\"device\":\"d\\u0000\\ud800\"}\n"
        "{\"id\":\"f/o/float32/"
        "\\u0000\xff\",\"backend\":\"b\\u0000=1\",\"status\":\"fail\",\"reason\":\"\xc3(\"}\n";
    char *name = temporary(file, sizeof file - 1), *told;
    struct results read;
    struct error error = {0};
    bool good = results_read(name, &read, &error);
    unlink(name);
    free(name);
    if (!good) { /* a lone surrogate is no JSON text: refused by line */
        cr_expect(strstr(error.text, ":1: not JSON"), "%s", error.text);
        return;
    }
    TELL(told, cr_assert(report_csv(to, &read, NULL)));
    harmless(told);
    read_as("readers.py", "csv", "csv", told, "1 rows, 1 cases\n");
    free(told);
    TELL(told, cr_assert(report_junit(to, &read, 0, NULL)));
    harmless(told);
    free(told);
    results_destroy(&read);
}
