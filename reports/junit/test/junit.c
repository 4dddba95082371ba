/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/junit/test/junit_document.h"

static void quiet(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
}

Test(junit, the_schema_refuses_what_it_should)
{
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(SCHEMA);
    xmlSchemaPtr schema = xmlSchemaParse(parser);
    xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema);
    const char *wrong =
        "<testsuites><testsuite name='a' tests='0' failures='0' errors='0' time='1e-3'/></testsuites>";
    xmlDocPtr document = xmlReadMemory(wrong, (int)strlen(wrong), "x.xml", NULL, 0);
    xmlSchemaSetValidErrors(context, quiet, quiet, NULL);
    cr_assert(xmlSchemaValidateDoc(context, document) > 0, "a validator that takes anything proves nothing");
    xmlFreeDoc(document);
    xmlSchemaFreeValidCtxt(context);
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(parser);
}

Test(junit, every_status_has_its_place)
{
    struct results results = {0};
    fill(&results);
    xmlDocPtr document = document_of(&results, 0);
    says(document, "/testsuites/@tests", "15");
    says(document, "/testsuites/@failures", "1");
    says(document, "/testsuites/@errors", "4");
    says(document, "/testsuites/@time", "0.030");
    says(document, "count(//testcase/failure)", "1");
    says(document, "count(//testcase/error)", "4");
    says(document, "count(//testcase/skipped)", "4");
    says(document, "string(//error[@type='crash']/../@name)", "kahan");
    says(document, "string(//error[@type='timeout']/../@name)", "hang");
    says(document, "string(//error[@type='error']/../@name)", "refused");
    says(document, "string(//error[@type='missing']/../@name)", "shard");
    says(document, "string(//skipped[@type='unsupported']/@message)", "unsupported: shaderFloat64 missing");
    says(document, "starts-with(//skipped[@type='vacuous']/@message, 'vacuous: sees none; a ]]>')", "true");
    says(document, "starts-with(//skipped[@type='expected_fail']/@message, 'expected_fail: a ]]>')", "true");
    says(document, "count(" CASE("vulkan.inplace.add_.float32", "overlap|x") "/failure)", "0");
    says(document,
         "contains(" CASE("vulkan.inplace.add_.float32", "overlap|x") "/system-out, 'flake: failed, then')",
         "true");
    says(document,
         "contains(" CASE("vulkan.elementwise.sgn.float32", "denormal") "/system-out, 'baseline is stale')",
         "true");
    says(document, "count(" CASE("vulkan.elementwise.sgn.float16", "exhaustive") "/*)", "0");
    says(document, "string(" CASE("cpu.linalg.logdet.float32", "hilbert-n8") "/system-out)",
         "max 0 ulp, bias 0 ulp, max err/bound 0, sees –, 1 element, device 0.050 ms");
    xmlFreeDoc(document);
    results_destroy(&results);
}

Test(junit, strict_fails_what_the_gate_then_fails)
{
    struct results results = {0};
    fill(&results);
    xmlDocPtr document = document_of(&results, GATE_STRICT);
    says(document, "/testsuites/@failures", "4");
    says(document, "/testsuites/@errors", "4");
    says(document, "count(//failure[@type='flake'])", "1");
    says(document, "count(//failure[@type='unexpected_pass'])", "1");
    says(document, "count(//failure[@type='unsupported'])", "1");
    says(document, "count(//skipped)", "3");
    xmlFreeDoc(document);
    for (int r = 0; r < results.records; r++) {
        if (results.record[r].status == STATUS_UNSUPPORTED) {
            results.record[r].excused = text("known");
        }
    }
    document = document_of(&results, GATE_STRICT);
    says(document, "/testsuites/@failures", "3");
    says(document, "string(//skipped[@type='unsupported']/@message)",
         "unsupported: shaderFloat64 missing (in the baseline: known)");
    xmlFreeDoc(document);
    results_destroy(&results);
}

Test(junit, one_failure_word_for_word)
{
    struct results results = {0};
    fill(&results);
    xmlDocPtr document = document_of(&results, 0);
    says(document, "string(" CASE("vulkan.linalg.logdet.float32", "odd-permutation-n5") "/failure/@message)",
         "special-value rule 1: where the truth is NaN, the result must be NaN; output 0 [0]: "
         "truth NaN (the determinant is -1), got 0 (0x00000000)");
    says(document, "string(//failure/@type)", "fail");
    says(document, "string(//failure)",
         "FAIL linalg/logdet/float32/odd-permutation-n5          suites/linalg/logdet.c:41\n"
         "     element 0 at output 0 [0]:\n"
         "       truth NaN (the determinant is -1)\n"
         "       got   0 (0x00000000)\n"
         "     a special value, error / bound inf, 1 of 1 outside\n"
         "     special-value rule 1: where the truth is NaN, the result must be NaN\n"
         "     replay: assay repro linalg/logdet/float32/odd-permutation-n5 --backend vulkan --seed 1\n");
    says(document, "string(//failure/../@time)", "0.002");
    xmlFreeDoc(document);
    results_destroy(&results);
}

/* The message of a failure by the envelope names the statistic, its factor and the false alarm rate. A
 * finding is no failure: it is in the output of its case, which passes. */
Test(junit, the_envelope_in_failures_and_findings)
{
    static const char *const message =
        "rule envelope: the scale error that the results have in common (G = 7.5 over 64 groups) is "
        "1.25 times the limit of 6 (right results stay below 3.5; false alarms below 1e-8 per case)";
    struct results results = {0};
    struct record *record = add_record(&results, "f/o/float32/scaled", "x", STATUS_FAIL);
    record->reason = text(message);
    record->rule = text(RECORD_RULE_ENVELOPE);
    record = add_record(&results, "f/o/float32/odd", "x", STATUS_PASS);
    record->implausible = 12.4;
    record->implausible_by = text("T");
    record->resolution = 3e-7;
    record = add_record(&results, "f/o/float32/blind", "x", STATUS_VACUOUS);
    record->reason = text("no evidence: zeros in place of the result would pass");
    record->rule = text(RECORD_RULE_WRONG_CLASS "zeros");
    record->resolution = 2;
    char expected[400];
    xmlDocPtr document = document_of(&results, GATE_STRICT);
    snprintf(expected, sizeof expected, "fail: %s", message);
    says(document, "string(//failure/@message)", expected);
    says(document, "/testsuites/@failures", "1");
    says(document, "count(" CASE("x.f.o.float32", "odd") "/*)", "1");
    says(document, "string(" CASE("x.f.o.float32", "odd") "/system-out)",
         "max 0 ulp, bias 0 ulp, max err/bound 0, sees 3.0e-7, 1 element, device 0.050 ms\n"
         "implausible: 12.4 times the limit of independent rounding (root mean square)");
    says(document, "string(//skipped/@message)",
         "vacuous: sees 2; no evidence: zeros in place of the result would pass");
    xmlFreeDoc(document);
    results_destroy(&results);
}

Test(junit, suites_and_their_environment)
{
    struct results results = {0};
    fill(&results);
    xmlDocPtr document = document_of(&results, 0);
    says(document, "count(//testsuite)", "6");
    says(document, "string(//testsuite[1]/@name)", "vulkan.elementwise");
    says(document, "count(//testsuite[@name='vulkan.linalg']/@file)", "0");
    says(document, "string(//testsuite[@name='vulkan.linalg.logdet']/@file)", "suites/linalg/logdet.c");
    says(document, "count(//testsuite[@name='vulkan.linalg.logdet']/testcase/failure)", "1");
    says(document, "string(//testsuite[6]/@name)", "cpu.linalg");
    says(document, "string(//testsuite[1]/@timestamp)", "2026-01-31T12:00:00Z");
    says(document, "count(//testcase//property)", "0");
    says(document, "count(//testsuite[not(properties)])", "0");
    static const char *const pairs[][2] = {{"assay", "0.1.0"},
                                           {"commit", "abc123"},
                                           {"device", "llvmpipe (LLVM 15.0.6)"},
                                           {"driver", "Mesa 22.3.6"},
                                           {"seed", "1"},
                                           {"level", "standard"},
                                           {"api", "Vulkan 1.3"},
                                           {"profile.rounding", "rte"},
                                           {"environment.VK_ICD_FILENAMES", "/x/lvp.json"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char path[200];
        snprintf(path, sizeof path, "string(//testsuite[1]/properties/property[@name='%s']/@value)",
                 pairs[i][0]);
        says(document, path, pairs[i][1]);
        /* the whole environment once per backend, and what identifies the run with every suite */
        snprintf(path, sizeof path, "count(//testsuite/properties/property[@name='%s'])", pairs[i][0]);
        says(document, path, i < 6 ? "6" : "2");
    }
    xmlFreeDoc(document);
    results_destroy(&results);
}

/* Files of one name in one family, cases without a file or without a line, out of order: one suite per file,
 * unique names (Jenkins would drop a repeated one), every case once. */
Test(junit, a_suite_per_file)
{
    static const char *const sources[] = {
        "suites/b/x.c:7", NULL, "suites/a/x.c:1", "suites/b/x.c:3", "", "C:/suites/y.c:9", "noline.c", ":5"};
    struct results results = {0};
    add_header(&results, "exec:python3 /opt/ci-7/a.py --to /tmp/x", "d");
    for (int i = 0; i < 16; i++) {
        char id[] = "f/o/d/a";
        id[6] = (char)('a' + i);
        add_record(&results, id, results.header[0].backend, STATUS_CRASH)->source = text(sources[i % 8]);
    }
    add_record(&results, "short", results.header[0].backend, STATUS_PASS)->source = text("suites/a/x.c:1");
    xmlDocPtr document = document_of(&results, 0);
#define SUITE(name) "//testsuite[@name='exec:python3 a_py --to x." name "']"
    says(document, "count(//testsuite)", "6");
    says(document, "count(" SUITE("f") "[not(@file)]/testcase)", "6");
    says(document, "count(" SUITE("f.x") "[@file='suites/a/x.c']/testcase)", "2");
    says(document, "count(" SUITE("f.x (2)") "[@file='suites/b/x.c']/testcase)", "4");
    says(document, "count(" SUITE("f.y") "[@file='C:/suites/y.c']/testcase)", "2");
    says(document, "count(" SUITE("f.noline") "[@file='noline.c']/testcase)", "2");
    says(document, "count(" SUITE("short.x") "[@file='suites/a/x.c']/testcase)", "1");
    says(document, "string(" SUITE("f.x (2)") "/testcase[1]/error)",
         "CRASH f/o/d/a                                                     suites/b/x.c:7\n");
    xmlFreeDoc(document);
    results_destroy(&results);
}

/* A plain pass is one empty element; a pass with a finding or message has its output. */
Test(junit, output_where_there_is_something_to_say)
{
    struct results results = {0};
    for (int i = 0; i < 5; i++) {
        char id[] = "f/o/d/0";
        id[6] = (char)('0' + i);
        add_record(&results, id, "x", STATUS_PASS);
    }
    results.record[1].implausible = 3;
    results.record[2].range_findings = 1;
    results.record[3].validation = 2;
    results.record[4].distinct = 2;
    xmlDocPtr document = document_of(&results, 0);
    says(document, "count(" CASE("x.f.o.d", "0") "/node())", "0");
    static const char *const parts[] = {"implausible: 3 times", "1 RANGE finding", "2 validation messages",
                                        "2 distinct outputs"};
    for (int i = 0; i < 4; i++) {
        char path[200];
        snprintf(path, sizeof path, "contains(//testcase[@name='%d']/system-out, '%s')", i + 1, parts[i]);
        says(document, path, "true");
    }
    xmlFreeDoc(document);
    results_destroy(&results);
}

/* Every byte value, alone and in pairs, in every text that reaches the file. */
Test(junit, no_byte_breaks_the_file)
{
    struct results results = {0};
    for (int byte = 1; byte < 256; byte++) {
        char raw[] = {'x', (char)byte, (char)(byte * 7), ']', ']', '>', 0}, id[64];
        snprintf(id, sizeof id, "family/operator/float32/%s", raw);
        struct record *record = add_record(&results, id, raw, (enum status)(byte % STATUS_COUNT));
        record->reason = text(raw);
        record->detail = text(raw);
        record->repro = text(raw);
        record->worst = (struct record_worst){.where = text(raw), .truth = text(raw), .got = text(raw)};
    }
    xmlDocPtr document = document_of(&results, GATE_STRICT);
    says(document, "/testsuites/@tests", "255");
    xmlFreeDoc(document);
    results_destroy(&results);
}

Test(junit, texts_arrive_as_they_were_meant)
{
    struct results results = {0};
    add_record(&results, "f/o/float32/n", "x", STATUS_CRASH)->reason = text(NASTY);
    xmlDocPtr document = document_of(&results, 0);
    says(document, "string(//error)",
         "CRASH f/o/float32/n\n"
         "     a ]]> \"quoted\" 'single' <b>&amp; | \\x1b[31m bell\\x07 tab\t caf\xc3\xa9 \xf0\x9d\x94\xb8 "
         "bad\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \\ufffe end,\n     second line \\ `code`\n");
    xmlFreeDoc(document);
    results_destroy(&results);
}

Test(junit, names_are_unique)
{
    static const char *const ids[] = {"f/o/d/n",   "f/o/d/n",   "f/o/d/n (2)", "f/o/d/n",
                                      "f/o.d/d/n", "f/o/d/a/b", "short"};
    struct results results = {0};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        add_record(&results, ids[i], "exec:./a.py", STATUS_PASS);
    }
    add_record(&results, "f/o/d/n", "exec:_/a_py",
               STATUS_PASS); /* the same class once folder and dots are removed */
    char *xml = junit(&results, 0);
    xmlDocPtr document = valid(xml);
    says(document, "count(//testcase)", "8");
    static const char *const pairs[][2] = {{"f.o.d.d", "n"},   {"f.o.d", "a/b"},   {"f.o.d", "n"},
                                           {"f.o.d", "n (2)"}, {"f.o.d", "n (3)"}, {"f.o.d", "n (2) (2)"},
                                           {"f.o.d", "n (4)"}, {"other", "short"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char path[200];
        snprintf(path, sizeof path, "count(//testcase[@classname='exec:a_py.%s' and @name='%s'])",
                 pairs[i][0], pairs[i][1]);
        says(document, path, "1");
    }
    char *said = read_with_python("junit", xml);
    cr_assert(!said || !strncmp(said, "8 tests, ", 9), "%s", said);
    free(said);
    xmlFreeDoc(document);
    free(xml);
    results_destroy(&results);
}

Test(junit, times_are_plain_decimals_whose_sums_agree)
{
    struct results results = {0};
    static const int64_t times[] = {0, 499999, 500000, 1499999, 3723004000000, -5};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char id[] = "f/o/d/0";
        id[6] = (char)('0' + i);
        add_record(&results, id, "x", STATUS_PASS)->wall_ns = times[i];
    }
    xmlDocPtr document = document_of(&results, 0);
    static const char *const shown[] = {"0.000", "0.000", "0.001", "0.001", "3723.004", "0.000"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char path[64];
        snprintf(path, sizeof path, "string(//testcase[@name='%zu']/@time)", i);
        says(document, path, shown[i]);
    }
    says(document, "string(//testsuite/@time)", "3723.006");
    says(document, "string(/testsuites/@time)", "3723.006");
    xmlFreeDoc(document);
    results_destroy(&results);
}

/* The fault of a backend without results is the error of a testcase with the backend's name. */
Test(junit, a_backend_that_did_not_start_is_an_error)
{
    struct results results = {0};
    struct record_header *header = add_header(&results, "exec:./mine", NULL);
    header->fault = text("nothing was run: " NASTY);
    header->expected = 3;
    add_header(&results, "cpu", "d")->expected = 1;
    add_record(&results, "a/b/c/d", "cpu", STATUS_PASS);
    xmlDocPtr document = document_of(&results, 0);
    says(document, "string(/testsuites/@errors)", "1");
    says(document, "string(count(" CASE("exec:mine.missing", "exec:mine") "/error))", "1");
    char *message = ask(document, "string(//error/@message)");
    cr_expect(strstr(message, "3 of 3 selected cases have no record: nothing was run: a ]]>"), "%s", message);
    xmlFree(message);
    xmlFreeDoc(document);
    results_destroy(&results);
}

Test(junit, nothing_run_and_a_full_disk)
{
    struct results results = {0};
    struct error error = {0};
    char *xml = junit(&results, 0);
    xmlFreeDoc(valid(xml));
    free(xml);
    fill(&results);
    FILE *full = fopen("/dev/full", "w");
    cr_assert(!report_junit(full, &results, false, &error));
    cr_assert_str_eq(error.text, "JUnit: could not write the file");
    fclose(full);
    results_destroy(&results);
}
