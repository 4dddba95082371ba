/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What the page makes of its data: CSV and Markdown as the formats give them, links, changes since an earlier
 * release. node runs the page's own scripts. */
#include "reports/html/test/page.h"
#include "reports/report.h"
#include "reports/test/fixture.h"
#include "reports/test/hostile.h"

#include <criterion/criterion.h>
#include <float.h>

/* What page_formats.js prints for the page; the caller frees it. Skips the test where node is not here. */
static char *page_says(const struct page *page, const char *what)
{
    if (system("command -v node > /dev/null 2>&1")) {
        cr_skip_test("skipped: node is not here, so the script is not run");
    }
    char *name = temporary(page->text, page->size), command[300], *said = NULL;
    size_t size, length;
    char buffer[4096];
    snprintf(command, sizeof command, "node reports/html/test/page_formats.js %s %s 2>&1", name, what);
    FILE *reader = popen(command, "r"), *to = open_memstream(&said, &size);
    while ((length = fread(buffer, 1, sizeof buffer, reader)) > 0) {
        fwrite(buffer, 1, length, to);
    }
    fclose(to);
    cr_expect_eq(pclose(reader), 0, "%s", said);
    unlink(name);
    free(name);
    return said;
}

static uint64_t mix(uint64_t state)
{
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ULL;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebULL;
    return state ^ (state >> 31);
}

/* Numbers of every form: any bits, powers of two (whose decimals lie between two roundings), integers. */
static double some_number(uint64_t index)
{
    static const double given[] = {0,     -0.0,    1,      -2.5,     1e15, 123456789012345678.0, 1e-4, 1e-5,
                                   1e300, DBL_MIN, 5e-324, INFINITY, NAN,  4503599627370497.0,   1e16, 0.1};
    uint64_t bits = mix(index + 1);
    double value;
    if (index < sizeof given / sizeof *given) {
        return given[index];
    }
    if (index % 3 == 0) {
        return ldexp(index % 2 ? 1 : -1, (int)(bits % 200) - 120);
    }
    if (index % 3 == 1) {
        return (double)(int64_t)(bits >> (bits % 50));
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void fill_numbers(struct results *results)
{
    add_header(results, "x", "=1+1, \"quoted\"");
    add_header(results, "-y", NASTY);
    for (uint64_t i = 0; i < 600; i++) {
        char id[80];
        snprintf(id, sizeof id, "family/operator/dtype-%d/case", (int)i);
        struct record *record = add_record(results, id, i % 2 ? "x" : "-y", (enum status)(i % STATUS_COUNT));
        record->max_ulp = some_number(7 * i);
        record->mean_ulp = some_number(7 * i + 1);
        record->bias_ulp = some_number(7 * i + 2);
        record->max_nu = some_number(7 * i + 3);
        record->quality_nu = some_number(7 * i + 4);
        record->resolution = some_number(7 * i + 5);
        record->implausible = i % 5 ? 0 : fabs(some_number(7 * i + 6));
        record->worst.nu = record->max_nu;
        record->worst.ulp = some_number(7 * i + 8);
    }
}

static void expect_csv(const struct results *results)
{
    char *wanted;
    struct page page = page_of(results);
    PRINT(wanted, cr_assert(report_csv(to, results, NULL)));
    char *said = page_says(&page, "csv");
    size_t at = 0;
    while (wanted[at] && wanted[at] == said[at]) {
        at++;
    }
    size_t from = at > 60 ? at - 60 : 0;
    cr_expect_eq(wanted[at], said[at], "\n%.160s\nand, from the page,\n%.160s", wanted + from, said + from);
    free(said);
    free(wanted);
    page_close(&page);
}

Test(html_formats, the_csv_of_the_page_is_that_of_the_format)
{
    struct results results = {0};
    fill(&results);
    results.header[0].expected = 50; /* a loss */
    expect_csv(&results);
    results_destroy(&results);
    results = (struct results){0};
    fill_numbers(&results);
    expect_csv(&results);
    results_destroy(&results);
    results = (struct results){0};
    fill_hostile(&results);
    expect_csv(&results);
    results_destroy(&results);
}

/* Of one family it is the same table with the rows of that family. */
Test(html_formats, the_markdown_of_the_page_is_that_of_the_format)
{
    struct results results = {0};
    fill(&results);
    char *wanted;
    PRINT(wanted, cr_assert(report_markdown(to, &results, 0, NULL)));
    struct page page = page_of(&results);
    char *all = page_says(&page, "markdown"), *one = page_says(&page, "markdown inplace");
    char *totals = strstr(all, "\n\n"), *matrix = strstr(all, "### Operators");
    cr_assert(totals && matrix);
    char *of_totals = strndup(all, (size_t)(totals - all));
    cr_expect(strstr(wanted, of_totals), "%s\nis not in\n%s", of_totals, wanted);
    cr_expect(strstr(wanted, matrix), "%s\nis not in\n%s", matrix, wanted);
    cr_expect(strstr(one, "### Operators") && strstr(one, "| `inplace/add_`    |"), "%s", one);
    cr_expect(!strstr(one, "linalg/") && !strstr(one, "elementwise/"), "%s", one);
    cr_expect(strstr(one, "| operator          | f16  |") && strstr(one, " fail · "), "%s", one);
    free(of_totals);
    free(one);
    free(all);
    free(wanted);
    page_close(&page);
    results_destroy(&results);
}

Test(html_formats, every_cell_has_a_link_that_leads_back_to_it)
{
    struct results results = {0};
    fill_hostile(&results);
    struct page page = page_of(&results);
    char *said = page_says(&page, "cells");
    int lines = 0;
    for (char *line = said; *line; line += strcspn(line, "\n") + 1, lines++) {
        cr_expect(!strncmp(line, "same cell=", 10), "%.100s", line);
        cr_expect_null(memchr(line + 10, ' ', strcspn(line + 10, "\n")), "a blank would end the link: %.100s",
                       line);
    }
    cr_expect_geq(lines, HOSTILE);
    free(said);
    page_close(&page);
    results_destroy(&results);
}

Test(html_formats, labels_of_charts_stay_inside_the_picture)
{
    struct results results = {0};
    fill(&results);
    struct page page = page_of(&results);
    char *said = page_says(&page, "labels");
    cr_expect_str_eq(said, "1926 labels\n");
    free(said);
    page_close(&page);
    results_destroy(&results);
}

/* --- title and earlier release */

static void fill_release(struct results *results, const char *backend, bool new)
{
    add_header(results, backend, "device");
    add_record(results, "f/same/float32/a", backend, STATUS_PASS);
    add_record(results, "f/worse/float32/a", backend, STATUS_PASS);
    add_record(results, "f/worse/float32/b", backend, new ? STATUS_FAIL : STATUS_PASS)->max_nu =
        new ? 3 : 0.5;
    add_record(results, "f/better/float32/a", backend, new ? STATUS_PASS : STATUS_CRASH);
    add_record(results, new ? "f/added/float32/a" : "f/gone/float32/a", backend, STATUS_PASS);
    add_record(results, "f/counts/float32/a", backend, STATUS_PASS);
    add_record(results, "f/counts/float32/b", backend, new ? STATUS_UNSUPPORTED : STATUS_PASS);
}

/* Backends of one name stand beside each other; where both have one backend only, the names may differ. */
Test(html_formats, the_page_says_what_changed_since_an_earlier_release)
{
    static const char *const pairs[][2] = {{"lib", "lib"}, {"lib 2.1", "lib 2.0"}};
    for (int p = 0; p < 2; p++) {
        struct results now = {0}, before = {0};
        fill_release(&now, pairs[p][0], true);
        fill_release(&before, pairs[p][1], false);
        struct page page = page_with(&now, &(struct html_options){.before = &before});
        char *said = page_says(&page, "changes"), wanted[600];
        snprintf(wanted, sizeof wanted,
                 "f/worse/float32 | %s | pass 2 | fail (1 pass, 1 fail)\n"
                 "f/added/float32 | %s | no case | pass 1\n"
                 "f/counts/float32 | %s | pass 2 | pass (1 pass, 1 unsupported)\n"
                 "f/gone/float32 | %s | pass 1 | no case\n"
                 "f/better/float32 | %s | crash 1 | pass 1\n",
                 pairs[p][0], pairs[p][0], pairs[p][0], pairs[p][0], pairs[p][0]);
        cr_expect_str_eq(said, wanted);
        free(said);
        page_close(&page);
        results_destroy(&now);
        results_destroy(&before);
    }
}

Test(html_formats, backends_without_an_earlier_release_have_no_changes)
{
    struct results now = {0}, before = {0};
    fill_release(&now, "a", true);
    fill_release(&now, "b", true);
    fill_release(&before, "c", false);
    struct page page =
        page_with(&now, &(struct html_options){.before = &before, .title = "Release <2> & \"more\""});
    char *said = page_says(&page, "changes");
    cr_expect_str_eq(said, "f/gone/float32 | c | pass 1 | no case\n");
    cr_expect_str_eq(json_string_value(json_object_get(page.data, "title")), "Release <2> & \"more\"");
    free(said);
    page_close(&page);
    page = page_of(&now);
    cr_expect(json_is_null(json_object_get(page.data, "title")) && !json_object_get(page.data, "before"));
    page_close(&page);
    results_destroy(&now);
    results_destroy(&before);
}
