/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/parity.h"
#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

Test(parity, rows_columns_and_cells)
{
    struct results results = {0};
    struct parity parity;
    struct error error = {0};
    fill(&results);
    cr_assert(parity_build(&results, &parity, &error), "%s", error.text);
    static const char *const rows[][3] = {
        {"elementwise", "sgn", "float16"}, {"elementwise", "sgn", "float32"},
        {"elementwise", "sgn", "float64"}, {"elementwise", "sgn", "complex64"},
        {"inplace", "add_", "float32"},    {"inplace", "add_", "int32"},
        {"linalg", "det", "float32"},      {"linalg", "logdet", "float32"},
        {"linalg", "logdet", "float64"}};
    cr_assert(parity.rows == 9 && parity.columns == 2);
    for (int i = 0; i < 9; i++) {
        cr_assert_str_eq(parity.row[i].family, rows[i][0]);
        cr_assert_str_eq(parity.row[i].op, rows[i][1]);
        cr_assert_str_eq(parity.row[i].dtype, rows[i][2]);
    }
    const struct parity_cell *cell = &parity.row[7].cell[0];
    cr_assert(cell->verdict == STATUS_FAIL && cell->cases == 2 && cell->judged == 2);
    cr_assert(cell->count[STATUS_FAIL] == 1 && cell->count[STATUS_VACUOUS] == 1);
    cr_assert(cell->max_nu == INFINITY && cell->max_ulp == 0.5 && cell->vacuous == 0.5, "NaN is passed over");
    cr_assert_str_eq(cell->worst->id, ODD);
    cr_assert(parity.row[0].cell[0].bias_ulp == -0.125, "the largest in magnitude, with its sign");
    cr_assert(parity.row[2].cell[0].judged == 0 && isnan(parity.row[2].cell[0].max_ulp));
    cr_assert_eq(parity.row[1].cell[1].cases, 0);
    parity_destroy(&parity);
    results_destroy(&results);
}

Test(parity, dtypes_in_their_order)
{
    static const char *const order[] = {"float16", "bfloat16", "float32", "float64", "complex64", "int8",
                                        "uint8",   "int32",    "int64",   "bool",    "float8"};
    struct results results = {0};
    struct parity parity;
    for (int i = 11; i-- > 0;) {
        char id[64];
        snprintf(id, sizeof id, "f/o/%s/n", order[i]);
        add_record(&results, id, "x", STATUS_PASS);
    }
    cr_assert(parity_build(&results, &parity, NULL) && parity.rows == 11);
    for (int i = 0; i < 11; i++) {
        cr_assert_str_eq(parity.row[i].dtype, order[i]);
    }
    parity_destroy(&parity);
    results_destroy(&results);
}

/* Each status takes precedence over all before it, whichever comes first in the file. */
Test(parity, a_verdict_speaks_against_a_backend_else_for_it)
{
    static const enum status order[] = {
        STATUS_UNSUPPORTED,     STATUS_VACUOUS, STATUS_PASS,    STATUS_EXPECTED_FAIL,
        STATUS_UNEXPECTED_PASS, STATUS_FLAKE,   STATUS_MISSING, STATUS_ERROR,
        STATUS_TIMEOUT,         STATUS_CRASH,   STATUS_FAIL};
    for (int i = 0; i < STATUS_COUNT; i++) {
        for (int k = 0; k < STATUS_COUNT; k++) {
            struct results results = {0};
            struct parity parity;
            add_record(&results, "f/o/d/1", "x", order[i]);
            add_record(&results, "f/o/d/2", "x", order[k]);
            cr_assert(parity_build(&results, &parity, NULL));
            cr_assert_eq(parity.row[0].cell[0].verdict, order[i > k ? i : k]);
            cr_assert_eq(parity.row[0].cell[0].worst->status, order[i > k ? i : k]);
            parity_destroy(&parity);
            results_destroy(&results);
        }
    }
}

Test(parity, verdict_in_words)
{
    struct parity_cell cell = {.verdict = STATUS_PASS, .cases = 3, .count = {[STATUS_PASS] = 3}};
    char *words = parity_verdict(&cell);
    cr_assert_str_eq(words, "pass");
    free(words);
    cell = (struct parity_cell){.verdict = STATUS_FAIL,
                                .cases = 12,
                                .count = {[STATUS_FAIL] = 1, [STATUS_PASS] = 10, [STATUS_UNSUPPORTED] = 1}};
    words = parity_verdict(&cell);
    cr_assert_str_eq(words, "fail (1 fail, 10 pass, 1 unsupported)");
    free(words);
    cell = (struct parity_cell){0};
    words = parity_verdict(&cell);
    cr_assert_str_eq(words, "-");
    free(words);
}

Test(parity, other_inputs_are_other_questions)
{
    struct results results = {0};
    struct error error = {0};
    fill(&results);
    free(results.record[results.records - 2].inputs_digest);
    results.record[results.records - 2].inputs_digest = text("ffeeddccbbaa99887766554433221100");
    bool ok;
    char *shown;
    PRINT(shown, ok = report_markdown(to, &results, 0, &error));
    cr_assert(!ok);
    cr_assert_str_eq(shown, "", "a refused table prints nothing");
    cr_assert_str_eq(error.text,
                     "parity table: " ODD " was judged on different inputs: vulkan has digest "
                     "00112233445566778899aabbccddeeff, cpu has ffeeddccbbaa99887766554433221100; "
                     "run both with the same assay and seed");
    free(shown);
    PRINT(shown, ok = report_csv(to, &results, &error));
    cr_assert(!ok && !*shown);
    free(shown);
    results_destroy(&results);
}

Test(parity, no_digest_is_no_difference)
{
    struct results results = {0};
    struct parity parity;
    add_record(&results, "f/o/d/1", "a", STATUS_PASS)->inputs_digest = text("00");
    add_record(&results, "f/o/d/1", "b", STATUS_UNSUPPORTED);
    add_record(&results, "f/o/d/2", "b", STATUS_PASS)->inputs_digest = text("11");
    cr_assert(parity_build(&results, &parity, NULL));
    parity_destroy(&parity);
    results_destroy(&results);
}

/* The resolution of a cell is the median over its cases that have one; findings are counted and change no
 * verdict. */
Test(parity, resolution_and_findings_of_a_row)
{
    static const double seen[] = {3e-7, NAN, 1e-7, 2e-7, 9e-7, INFINITY}, factors[] = {0, 2, 0, 12.4, 0, 0};
    struct results results = {0};
    struct parity parity;
    for (int i = 0; i < 6; i++) {
        char id[] = "f/o/float32/0";
        id[12] = (char)('0' + i);
        struct record *record = add_record(&results, id, "x", STATUS_PASS);
        record->resolution = seen[i];
        record->implausible = factors[i];
    }
    add_record(&results, "f/o/float64/unknown", "x", STATUS_PASS);
    add_record(&results, "f/o/int32/blind", "x", STATUS_PASS)->resolution = INFINITY;
    cr_assert(parity_build(&results, &parity, NULL));
    cr_assert(parity.row[0].cell[0].resolution == 3e-7 && parity.row[0].cell[0].implausible == 2);
    cr_assert(parity.row[0].cell[0].most_implausible == 12.4 && parity.row[0].cell[0].verdict == STATUS_PASS);
    cr_assert(isnan(parity.row[1].cell[0].resolution) && isinf(parity.row[2].cell[0].resolution));
    parity_destroy(&parity);
    char *shown;
    PRINT(shown, cr_assert(report_csv(to, &results, NULL)));
    cr_assert(strstr(shown, ",3e-07,2,12.4,0,f/o/float32/0,0\r\n"), "%s", shown);
    cr_assert(strstr(shown, ",0,,0,,0,f/o/float64/unknown,0\r\n") &&
                  strstr(shown, ",0,inf,0,,0,f/o/int32/blind,0\r\n"),
              "%s", shown);
    free(shown);
    results_destroy(&results);
}

/* Means are over all elements; the bound is that of the case nearest to its limit. */
Test(parity, accuracy_is_that_of_all_elements)
{
    struct results results = {0};
    struct parity parity;
    struct record *few = add_record(&results, "f/o/float32/few", "x", STATUS_PASS);
    few->elements = 100;
    few->mean_ulp = 2;
    few->bit_exact = 0.5;
    few->faithful = 0.75;
    few->max_nu = few->worst.nu = 0.5;
    few->worst.ulp = -3;
    struct record *many = add_record(&results, "f/o/float32/many", "x", STATUS_PASS);
    many->elements = 300;
    many->mean_ulp = 0;
    many->max_nu = many->worst.nu = 0.25;
    many->worst.ulp = 1;
    struct record *none = add_record(&results, "f/o/float32/special", "x", STATUS_PASS);
    none->elements = 50;
    none->mean_ulp = NAN;
    add_record(&results, "f/o/float64/refused", "x", STATUS_PASS)->elements = 0;
    cr_assert(parity_build(&results, &parity, NULL));
    const struct parity_cell *cell = &parity.row[0].cell[0];
    cr_expect_eq(cell->mean_ulp, 0.5);
    cr_expect_eq(cell->bit_exact, 0.875);
    cr_expect_eq(cell->faithful, 0.9375);
    cr_expect_eq(cell->allowed_ulp, 6);
    cr_expect(isnan(parity.row[1].cell[0].mean_ulp) && isnan(parity.row[1].cell[0].allowed_ulp));
    parity_destroy(&parity);
    results_destroy(&results);
}

Test(parity, equals_are_distinguished_by_name)
{
    for (int first = 0; first < 2; first++) {
        struct results results = {0};
        struct parity parity;
        add_record(&results, first ? "f/o/d/b" : "f/o/d/a", "x", STATUS_PASS);
        add_record(&results, first ? "f/o/d/a" : "f/o/d/b", "x", STATUS_PASS);
        cr_assert(parity_build(&results, &parity, NULL));
        cr_assert_str_eq(parity.row[0].cell[0].worst->id, "f/o/d/a");
        parity_destroy(&parity);
        results_destroy(&results);
    }
}

Test(parity, a_full_disk_is_noticed)
{
    struct results results = {0};
    struct error error = {0};
    FILE *full = fopen("/dev/full", "w");
    fill(&results);
    cr_assert(!report_markdown(full, &results, 0, &error));
    cr_assert_str_eq(error.text, "Markdown: could not write the file");
    cr_assert(!report_csv(full, &results, &error));
    cr_assert_str_eq(error.text, "CSV: could not write the file");
    fclose(full);
    results_destroy(&results);
}

Test(parity, csv_line_by_line)
{
    struct results results = {0};
    fill(&results);
    char *shown;
    PRINT(shown, cr_assert(report_csv(to, &results, NULL)));
    cr_assert(
        strstr(shown,
               "family,operator,dtype,backend,device,driver,verdict,cases,pass,fail,vacuous,unsupported,"
               "crash,timeout,error,expected_fail,unexpected_pass,flake,missing,max_ulp,mean_ulp,bias_ulp,"
               "bit_exact,faithful,allowed_ulp,"
               "max_error_over_bound,quality,median_resolution,implausible,most_implausible,vacuous_share,"
               "worst_case,range\r\n") == shown);
    cr_assert(strstr(
        shown, "\r\nlinalg,logdet,float32,vulkan,llvmpipe (LLVM 15.0.6),Mesa 22.3.6,fail,2,0,1,1,0,0,0,0,0,"
               "0,0,0,0.5,0,0,1,1,,inf,0,inf,0,,0.5," ODD ",0\r\n"));
    cr_assert(strstr(
        shown,
        "\r\nelementwise,sgn,float16,cpu,\"a processor, \"\"plain C\"\"\",Mesa 22.3.6,pass,1,1,0,0,0,0,"
        "0,0,0,0,0,0,0,0,0,1,1,,0.71,0,,0,,0,elementwise/sgn/float16/exhaustive,0\r\n"));
    cr_assert(strstr(
        shown, ",unsupported,1,0,0,0,1,0,0,0,0,0,0,0,,,,,,,,,,0,,,elementwise/sgn/float64/specials,0\r\n"));
    free(shown);
    results_destroy(&results);
}

/* A device names itself, so its name must be a plain text wherever the table is read. */
Test(parity, csv_runs_nothing_in_a_spreadsheet)
{
    static const char *const names[][2] = {{"=1+1", ",'=1+1,"},
                                           {"+1", ",'+1,"},
                                           {"-1", ",'-1,"},
                                           {"@SUM(A1)", ",'@SUM(A1),"},
                                           {"\t=1", ",\"'\t=1\","},
                                           {"\r=1", ",\\x0d=1,"},
                                           {"\n=1", ",\"'\n=1\","},
                                           {"\xef\xbc\x9d"
                                            "1",
                                            ",'\xef\xbc\x9d"
                                            "1,"},
                                           {"\x1b[31m", ",\\x1b[31m,"},
                                           {"=HYPERLINK(\"x\",1)", ",\"'=HYPERLINK(\"\"x\"\",1)\","},
                                           {"a=1", ",a=1,"},
                                           {"", ",cpu,,Mesa"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct results results = {0};
        fill(&results);
        free(results.header[1].device);
        results.header[1].device = text(names[i][0]);
        char *shown;
        PRINT(shown, cr_assert(report_csv(to, &results, NULL)));
        cr_expect(strstr(shown, names[i][1]), "%s in\n%s", names[i][1], shown);
        cr_expect(strstr(shown, ",-0.125,"), "numbers stay numbers");
        free(shown);
        results_destroy(&results);
    }
}

Test(parity, an_independent_reader_finds_the_same_cells)
{
    struct results results = {0};
    fill(&results);
    free(results.header[1].device);
    results.header[1].device = text("a,\"b\"\r\nc");
    char *shown;
    PRINT(shown, cr_assert(report_csv(to, &results, NULL)));
    char *said = read_with_python("csv", shown);
    if (said) {
        cr_assert(!strncmp(said, "11 rows, 15 cases\n", 18), "%s", said);
        cr_assert(strstr(said, "\nsgn / float16 / cpu / a,\"b\"\nc / pass\n"), "%s", said);
        cr_assert(strstr(said, "\nlogdet / float32 / vulkan / llvmpipe (LLVM 15.0.6) / fail\n"), "%s", said);
    }
    free(said);
    free(shown);
    results_destroy(&results);
}
