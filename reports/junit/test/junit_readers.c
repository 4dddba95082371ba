/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

/* Tests with other readers of the report: Python's own parser, junitparser, junit2html, and the rules of CI
 * services. */

static char *junit(const struct results *results)
{
    struct error error = {0};
    bool ok;
    char *xml;
    PRINT(xml, ok = report_junit(to, results, 0, &error));
    cr_assert(ok, "%s", error.text);
    return xml;
}

Test(junit_readers, independent_readers_count_the_same)
{
    static const struct {
        const char *script, *modules, *format, *expected;
    } readers[] = {
        {"readers.py", "xml.etree", "junit", "15 tests, 1 failures, 4 errors, 4 skipped, 0.030 s\n"},
        {"junit_readers.py", "xml.etree", "rules", "6 suites, 1 with a file, 15 cases, 5 red\n"},
        {"junit_readers.py", "junitparser", "junitparser", "15 tests, 1 failures, 4 errors, 4 skipped\n"},
        {"junit_readers.py", "junit2htmlreport", "junit2html", "15 tests, 5 failed, 4 skipped\n"}};
    struct results results = {0};
    fill(&results);
    char *xml = junit(&results);
    for (size_t r = 0; r < sizeof readers / sizeof *readers; r++) {
        char *said = read_by(readers[r].script, readers[r].modules, readers[r].format, xml);
        if (said) {
            cr_expect_str_eq(said, readers[r].expected, "%s says %s", readers[r].format, said);
        }
        free(said);
    }
    free(xml);
    results_destroy(&results);
}

/* The checker of the rules must detect violations. */
Test(junit_readers, the_rules_refuse_what_they_should)
{
    static const char *const broken[][2] = {
        {"<testcase classname='a.b' name='n'/><testcase classname='a.b' name='n'/>", "GitLab drops a case"},
        {"<testcase classname='x./y.b' name='n'/>", "a path in a class"},
        {"<testcase classname='b' name='n'/>", "for a package"},
        {"<testcase classname='a.b' name='n'><failure message='m'>at y.c:4</failure></testcase>",
         "no x.c:LINE"},
        {"<testcase classname='a.b' name='n'><failure>at x.c:4</failure></testcase>", "shows the message"},
        {"</testsuite><testsuite name='s'>", "Jenkins drops a suite"}};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char xml[400];
        snprintf(xml, sizeof xml, "<testsuites><testsuite name='s' file='x.c'>%s</testsuite></testsuites>",
                 broken[i][0]);
        char *said = read_by("junit_readers.py", "xml.etree", "rules", xml);
        cr_expect(!said || strstr(said, broken[i][1]), "%s: %s", broken[i][0], said);
        free(said);
    }
    char *long_output = calloc(1, 2000);
    strcpy(long_output, "<testsuites><testsuite name='s'><testcase classname='a.b' name='n'><system-out>");
    memset(long_output + strlen(long_output), 'x', 1001);
    strcat(long_output, "</system-out></testcase></testsuite></testsuites>");
    char *said = read_by("junit_readers.py", "xml.etree", "rules", long_output);
    cr_expect(!said || strstr(said, "Jenkins cuts 1001 characters"), "%s", said);
    free(said);
    free(long_output);
}
