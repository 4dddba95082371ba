/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* HTML, CSV and Markdown agree on every cell. reports/test/same_cells.py reads the three and compares them.
 */
#include "reports/parity.h"
#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

/* What same_cells.py prints for the three reports; *status is its exit status. The caller frees the text. */
static char *compare(const char *html, const char *csv, const char *markdown, int *status)
{
    const char *const content[] = {html, csv, markdown};
    char *file[3], command[400], *said = calloc(1, 65536);
    for (int i = 0; i < 3; i++) {
        file[i] = temporary(content[i], strlen(content[i]));
    }
    snprintf(command, sizeof command, "python3 reports/test/same_cells.py %s %s %s 2>&1", file[0], file[1],
             file[2]);
    FILE *reader = popen(command, "r");
    said[fread(said, 1, 65535, reader)] = 0;
    *status = pclose(reader);
    for (int i = 0; i < 3; i++) {
        unlink(file[i]);
        free(file[i]);
    }
    return said;
}

static struct record *add(struct results *results, const char *backend, int i, int k, int number,
                          enum status status)
{
    char id[80];
    snprintf(id, sizeof id, "family-%d/operator-%d/dtype-%d/case-%d", i % 3, i, k, number);
    struct record *record = add_record(results, id, backend, status);
    record->max_nu = 1.0 / (3 + i + 7 * k + number);
    record->max_ulp = record->mean_ulp = 1e-5 / (1 + i * k + number);
    record->bias_ulp = -record->max_ulp / 3;
    record->resolution = 1e-7 / (i + 1);
    record->worst.nu = record->max_nu;
    record->worst.ulp = record->max_ulp;
    return record;
}

/* Backend `pairs` has every pair of statuses in a cell, `triples` a passing case more, `range` findings of
 * class RANGE in cells that vary, and no record in the cells on the diagonal. */
static void fill_mixes(struct results *results)
{
    add_header(results, "pairs", "device");
    add_header(results, "triples", "device, \"with\" commas");
    add_header(results, "range: three", "device");
    for (int i = 0; i < STATUS_COUNT; i++) {
        for (int k = 0; k < STATUS_COUNT; k++) {
            for (int b = 0; b < 2; b++) {
                add(results, b ? "triples" : "pairs", i, k, 0, (enum status)i);
                add(results, b ? "triples" : "pairs", i, k, 1, (enum status)k);
            }
            add(results, "triples", i, k, 2, STATUS_PASS);
            if (i != k) {
                add(results, "range: three", i, k, 0, (enum status)i)->range_findings = k;
                add(results, "range: three", i, k, 1, (enum status)k)->range_findings = i;
            }
        }
    }
    results->record[0].max_nu = INFINITY;
    results->record[0].max_ulp = NAN;
    results->record[3].implausible = 12.3456789;
}

Test(agreement, every_mix_of_statuses_is_the_same_in_html_csv_and_markdown)
{
    struct results results = {0};
    char *html, *csv, *markdown;
    int status;
    fill_mixes(&results);
    PRINT(html, cr_assert(report_html(to, &results, NULL, NULL)));
    PRINT(csv, cr_assert(report_csv(to, &results, NULL)));
    PRINT(markdown, cr_assert(report_markdown(to, &results, 0, NULL)));
    char *said = compare(html, csv, markdown, &status);
    cr_expect_eq(status, 0, "%s", said);
    cr_expect(strstr(said, "352 cells, 352 of them in Markdown, 340 mixed, 340 of them with counts"), "%s",
              said);
    free(said);

    /* The comparison notices a wrong sign in Markdown, and a wrong verdict in CSV. */
    char *sign = strstr(markdown, "`C"), *verdict = strstr(csv, "Mesa 22.3.6,vacuous,");
    cr_assert(sign && verdict);
    memcpy(sign, "`F", 2);
    memcpy(verdict, "Mesa 22.3.6,timeout,", 20);
    said = compare(html, csv, markdown, &status);
    cr_expect_neq(status, 0);
    cr_expect(strstr(said, ": sign of Markdown: F and C\n"), "%s", said);
    cr_expect(strstr(said, ": verdict of CSV: timeout and "), "%s", said);
    free(said);
    free(html);
    free(csv);
    free(markdown);
    results_destroy(&results);
}
