/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/text.h"
#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

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
    char *shown;
    PRINT(shown, report_failure(to, record));
    cr_assert_str_eq(shown,
                     "FAIL f/o/float32/n\n"
                     "     a/very/long/path/to/a/suite/that/does/not/fit/beside/the/id/of/its/case.c:123\n"
                     "     element 41 at output 0 [2, 5]: truth 1.5, got 1.75 (0x3fe00000)\n"
                     "       with  x = -1.5 (0xbfc00000)\n"
                     "     error 3.25 ulp, error / bound 3.2e+3, 2 of 64 outside\n"
                     "     outside the bound\n"
                     "     first\n"
                     "     second\n");
    free(shown);
    results_destroy(&results);
}

/* A failure by the envelope names Q, and a finding beside a failure is printed. */
Test(failure, by_the_envelope)
{
    struct results results = {0};
    struct record *record = add_record(&results, "f/o/float32/n", "x", STATUS_FAIL);
    record->worst = (struct record_worst){.index = 0,
                                          .where = text("output 0 []"),
                                          .truth = text("1.5"),
                                          .ulp = 40,
                                          .nu = 2.5,
                                          .got = text("1.6")};
    record->reason = text("rule envelope: within B, but beyond Q");
    record->detail = text("B = 1 here");
    record->rule = text(RECORD_RULE_ENVELOPE);
    record->over_bound = 1;
    record->implausible = 7;
    record->implausible_by = text("G");
    record->implausible_step = text("step 7 of 19, softmax_backward");
    char *shown;
    PRINT(shown, report_failure(to, record));
    cr_assert_str_eq(
        shown,
        "FAIL f/o/float32/n\n"
        "     element 0 at output 0 []: truth 1.5, got 1.6\n"
        "     error 40 ulp, error / Q 2.5, 1 of 1 outside\n"
        "     rule envelope: within B, but beyond Q\n"
        "     B = 1 here\n"
        "     implausible: 7 times the limit of independent rounding (common scale error) in step 7 of 19, "
        "softmax_backward\n");
    free(shown);
    results_destroy(&results);
}

/* The source is right-aligned at column 80 as long as two blanks are left, else it is on the next line. */
Test(failure, heading_fills_80_columns)
{
    for (int length = 60; length < 64; length++) {
        struct results results = {0};
        char id[80] = "";
        memset(id, 'i', (size_t)length);
        struct record *record = add_record(&results, id, "x", STATUS_FAIL);
        record->source = text("logdet.c:4567");
        char *shown;
        PRINT(shown, report_failure(to, record));
        cr_assert_eq(strcspn(shown, "\n"), length == 60 ? 80 : 5 + (size_t)length, "%s", shown);
        cr_assert(strstr(shown, length == 60 ? "i  logdet.c:4567\n" : "i\n     logdet.c:4567\n"));
        free(shown);
        results_destroy(&results);
    }
}

Test(text, metrics)
{
    struct record record = {.max_ulp = 0.5,
                            .bias_ulp = -0.25,
                            .max_nu = 0.71,
                            .resolution = 1e-7,
                            .elements = 64,
                            .device_ns = 1234567,
                            .distinct = 3,
                            .validation = 1};
    char *shown;
    PRINT(shown, text_metrics(to, &record));
    cr_assert_str_eq(shown, "max 0.5 ulp, bias -0.25 ulp, max err/bound 0.71, sees 1.0e-7, 64 elements, "
                            "device 1.235 ms, 3 distinct outputs, 1 validation message");
    free(shown);
}

Test(text, resolutions)
{
    static const struct {
        double value;
        const char *text;
    } table[] = {{3e-7, "3.0e-7"}, {0.36, "0.36"}, {INFINITY, "none"}, {NAN, "–"}, {0, "0"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char out[TEXT_NUMBER];
        cr_assert_str_eq(text_resolution(table[i].value, out), table[i].text);
    }
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

/* The shortest decimal that reads back, found by trying all lengths, for random bit patterns, short decimals
 * and subnormals. */
Test(text, exact_is_the_shortest)
{
    uint64_t state = 20260131;
    for (int i = 0; i < 20000; i++) {
        char out[TEXT_NUMBER], wanted[TEXT_NUMBER] = "";
        double value;
        state = state * 6364136223846793005U + 1442695040888963407U;
        uint64_t bits = i % 4 == 1 ? state >> 12 >> state % 50 : state; /* a subnormal one, now and then */
        memcpy(&value, &bits, sizeof value);
        if (i % 4 == 0) {
            value = (double)(state >> 40) / 1000;
        }
        if (!isfinite(value)) {
            continue;
        }
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(wanted, sizeof wanted, "%.*g", digits, value);
            if (strtod(wanted, NULL) == value) {
                break;
            }
        }
        text_exact(value, out); /* "8670" for "8.67e+03" is fine too */
        cr_assert(strtod(out, NULL) == value && strlen(out) <= strlen(wanted), "%s for %s", out, wanted);
    }
}
