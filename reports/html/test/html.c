/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/html/test/page.h"
#include "reports/parity.h"
#include "reports/report.h"
#include "reports/test/fixture.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <criterion/criterion.h>

static json_t *at(json_t *json, const char *path)
{
    char copy[100];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *rest = copy, *name; json && (name = strtok_r(NULL, ".", &rest));) {
        json = name[0] >= '0' && name[0] <= '9' ? json_array_get(json, (size_t)atoi(name))
                                                : json_object_get(json, name);
    }
    return json;
}

/* Checks that a JSON number has the value, to four digits or exactly; NaN is null, infinities are texts. */
static void is_number(const json_t *json, double value, bool exact, const char *what)
{
    double shown = json_is_null(json) ? NAN : json_number_value(json);
    if (json_is_string(json)) {
        shown = !strcmp(json_string_value(json), "inf") ? INFINITY : -INFINITY;
    }
    cr_assert(json, "%s is missing", what);
    if (isnan(value) || isinf(value) || exact) {
        cr_expect((isnan(shown) && isnan(value)) || shown == value, "%s: %g for %g", what, shown, value);
    } else {
        cr_expect(fabs(shown - value) <= 5e-4 * fabs(value), "%s: %g for %g", what, shown, value);
    }
}

static void is_text(const json_t *json, const char *text, const char *what)
{
    char *visible = text ? utf8_visible(text) : NULL;
    const char *shown = json_string_value(json);
    cr_expect(text ? shown && !strcmp(shown, visible) : !json || json_is_null(json), "%s: \"%s\" for \"%s\"",
              what, shown ? shown : "(none)", visible ? visible : "(none)");
    free(visible);
}

static void expect_cell(json_t *cell, const struct parity_cell *model)
{
    if (!model->cases) {
        cr_expect(json_is_integer(cell) && json_integer_value(cell) == 0);
        return;
    }
    for (int s = 0; s < STATUS_COUNT; s++) {
        cr_expect_eq(json_integer_value(json_array_get(at(cell, "count"), (size_t)s)), model->count[s]);
    }
    cr_expect_eq(json_integer_value(at(cell, "verdict")), (int)model->verdict);
    cr_expect_eq(json_integer_value(at(cell, "implausible")), model->implausible);
    is_number(at(cell, "max_ulp"), model->max_ulp, false, "max_ulp");
    is_number(at(cell, "bias_ulp"), model->bias_ulp, false, "bias_ulp");
    is_number(at(cell, "mean_ulp"), model->mean_ulp, false, "mean_ulp");
    is_number(at(cell, "bit_exact"), model->bit_exact, false, "bit_exact");
    is_number(at(cell, "faithful"), model->faithful, false, "faithful");
    is_number(at(cell, "allowed_ulp"), model->allowed_ulp, false, "allowed_ulp");
    is_number(at(cell, "max_nu"), model->max_nu, false, "max_nu");
    is_number(at(cell, "quality"), model->quality_nu, false, "quality");
    is_number(at(cell, "resolution"), model->resolution, false, "resolution");
    is_number(at(cell, "most_implausible"), model->most_implausible, false, "most_implausible");
}

/* The matrix of the page equals the parity table, cell by cell. */
Test(html, the_matrix_is_the_parity_table)
{
    struct results results = {0};
    struct parity parity;
    fill(&results);
    results.record[0].implausible = 12.3456;
    struct page page = page_of(&results);
    cr_assert(parity_build(&results, &parity, NULL));
    cr_assert_eq(json_array_size(at(page.data, "rows")), (size_t)parity.rows);
    cr_assert_eq(json_array_size(at(page.data, "backends")), (size_t)parity.columns);
    for (int i = 0; i < parity.rows; i++) {
        json_t *row = json_array_get(at(page.data, "rows"), (size_t)i);
        is_text(at(row, "0"), parity.row[i].family, "family");
        is_text(at(row, "1"), parity.row[i].op, "operator");
        is_text(at(row, "2"), parity.row[i].dtype, "dtype");
        for (int k = 0; k < parity.columns; k++) {
            json_t *backend = json_array_get(at(page.data, "backends"), (size_t)k);
            json_t *cell = json_array_get(at(backend, "cells"), (size_t)i);
            expect_cell(cell, &parity.row[i].cell[k]);
            if (parity.row[i].cell[k].cases) {
                char *id = page_id(&page, (int)json_integer_value(at(cell, "worst")));
                char *visible = utf8_visible(parity.row[i].cell[k].worst->id);
                cr_expect_str_eq(id, visible);
                free(visible);
                free(id);
            }
        }
    }
    parity_destroy(&parity);
    page_close(&page);
    results_destroy(&results);
}

/* Every record is on the page once, with its numbers. */
Test(html, the_columns_give_back_the_records)
{
    static const char *const names[] = {"max_ulp", "bias_ulp", "max_nu", "quality", "resolution"};
    struct results results = {0};
    fill(&results);
    add_record(&results, "odd-one-out", "cpu", STATUS_PASS)->max_nu = 0.123456;
    struct record *measured = add_record(&results, "norm/vector_norm/float32/x", "cpu", STATUS_PASS);
    measured->ulp_buckets = 3;
    memcpy(measured->ulp_bucket, (int64_t[]){7, 0, 12345}, 3 * sizeof(int64_t));
    measured->elements = 1LL << 40;
    measured->max_ulp = 0.987654321;
    struct page page = page_of(&results);
    for (int i = 0; i < results.records; i++) {
        const struct record *record = &results.record[i];
        struct page_record found = page_find(&page, record->backend, record->id);
        cr_assert(found.backend, "%s of %s is not there", record->id, record->backend);
        cr_expect_eq(found.status, 'a' + (int)record->status);
        const double values[] = {record->max_ulp, record->bias_ulp, record->max_nu, record->quality_nu,
                                 record->resolution};
        for (int n = 0; n < 5; n++) {
            is_number(json_array_get(at(at(found.backend, "records"), names[n]), (size_t)found.index),
                      values[n], record->status == STATUS_FAIL, names[n]);
        }
        is_number(json_array_get(at(found.backend, "records.elements"), (size_t)found.index),
                  (double)record->elements, true, "elements");
        json_t *shown = page_shown(&found);
        const char *reason =
            shown && at(shown, "reason")
                ? json_string_value(
                      json_array_get(at(page.data, "texts"), (size_t)json_integer_value(at(shown, "reason"))))
                : NULL;
        char *visible = record->reason ? utf8_visible(record->reason) : NULL;
        cr_expect(reason && visible ? !strcmp(reason, visible) : !reason && !visible, "%s: %s", record->id,
                  reason);
        free(visible);
        json_t *buckets = json_array_get(at(found.backend, "records.ulp"), (size_t)found.index);
        cr_expect_eq(json_array_size(buckets), (size_t)record->ulp_buckets);
        for (int b = 0; b < record->ulp_buckets; b++) {
            cr_expect_eq(json_integer_value(json_array_get(buckets, (size_t)b)), record->ulp_bucket[b]);
        }
    }
    page_close(&page);
    results_destroy(&results);
}

/* The worst element of a failure has all digits and bits; the replay command is there only where it does not
 * follow from id, backend and seed. */
Test(html, worst_elements_are_whole)
{
    struct results results = {0};
    add_header(&results, "vulkan", "device");
    add_failure(&results, "vulkan");
    struct record *odd = add_record(&results, "linalg/logdet/float32/other", "vulkan", STATUS_FAIL);
    odd->repro = text("assay repro linalg/logdet/float32/other --backend vulkan --seed 1 --after x/y/z/w");
    struct record *record = &results.record[0];
    record->worst.ulp = 0.1234567890123456;
    record->max_ulp = 1.0 / 3;
    record->detail = text("a\nb");
    struct page page = page_of(&results);
    struct page_record found = page_find(&page, "vulkan", ODD), other = page_find(&page, "vulkan", odd->id);
    json_t *shown = page_shown(&found);
    is_text(at(shown, "worst.truth"), record->worst.truth, "truth");
    is_text(at(shown, "worst.got"), record->worst.got, "got");
    is_text(at(shown, "worst.where"), record->worst.where, "where");
    is_number(at(shown, "worst.ulp"), record->worst.ulp, true, "worst.ulp");
    is_number(at(shown, "worst.nu"), INFINITY, true, "worst.nu");
    is_text(at(shown, "detail"), "a\nb", "detail");
    is_text(at(shown, "repro"), NULL, "repro that follows from id, backend and seed");
    is_text(at(page_shown(&other), "repro"), odd->repro, "repro");
    is_number(json_array_get(at(found.backend, "records.max_ulp"), (size_t)found.index), 1.0 / 3, true,
              "max_ulp");
    page_close(&page);
    results_destroy(&results);
}

/* Of 40 failures in a cell the worst 16 have their worst elements, and the page states that 24 have not. */
Test(html, what_is_left_out_is_counted)
{
    struct results results = {0};
    add_header(&results, "vulkan", "device");
    for (int i = 0; i < 40; i++) {
        char id[64];
        snprintf(id, sizeof id, "linalg/logdet/float32/case-%d", i);
        struct record *record = add_record(&results, id, "vulkan", STATUS_FAIL);
        record->max_nu = 2 + i * 7 % 40;
        record->worst.index = 0;
        record->worst.truth = text("1");
        record->reason = text("rule 3");
    }
    struct page page = page_of(&results);
    cr_expect_eq(json_integer_value(at(page.data, "backends.0.left_out.0")), 24);
    for (int i = 0; i < 40; i++) {
        struct page_record found = page_find(&page, "vulkan", results.record[i].id);
        json_t *shown = page_shown(&found);
        cr_expect_eq(json_integer_value(at(shown, "reason")),
                     json_integer_value(at(page.data, "cases.source.0")) + 1, "every reason is there, once");
        cr_expect_eq(at(shown, "worst") != NULL, results.record[i].max_nu >= 26, "error/limit %g",
                     results.record[i].max_nu);
    }
    page_close(&page);
    results_destroy(&results);
}

Test(html, curves_keep_their_thresholds)
{
    struct results results = {0};
    add_header(&results, "vulkan", "device");
    struct record *record = add_record(&results, "scaling/sgn/float32/curve", "vulkan", STATUS_FAIL);
    record->series_count = 1;
    record->series = calloc(1, sizeof *record->series);
    record->series[0] = (struct record_series){.name = text("time"),
                                               .unit = text("ns"),
                                               .points = 2,
                                               .x = calloc(2, sizeof(double)),
                                               .y = calloc(2, sizeof(double)),
                                               .limit = calloc(2, sizeof(double)),
                                               .rule = text("no cliff"),
                                               .octaves = 3,
                                               .exponent = 1.0125,
                                               .exponent_limit = 1.4,
                                               .breaks = true};
    record->series[0].x[1] = 65537;
    record->series[0].y[1] = 123456;
    record->series[0].limit[0] = NAN;
    record->series[0].limit[1] = 120000;
    struct page page = page_of(&results);
    json_t *series = at(page.data, "backends.0.series.0");
    is_text(at(series, "name"), "time", "name");
    is_text(at(series, "rule"), "no cliff", "rule");
    is_number(at(series, "x.1"), 65537, true, "x");
    is_number(at(series, "y.1"), 123456, true, "y");
    is_number(at(series, "limit.0"), NAN, true, "limit");
    is_number(at(series, "limit.1"), 120000, true, "limit");
    is_number(at(series, "exponent_limit"), 1.4, true, "exponent_limit");
    cr_expect(json_is_true(at(series, "breaks")));
    page_close(&page);
    results_destroy(&results);
}

static void add_errors(struct record *record, int count, const struct record_by_input *from)
{
    record->by_inputs = count;
    record->by_input = calloc((size_t)count, sizeof *from);
    memcpy(record->by_input, from, (size_t)count * sizeof *from);
}

/* The page has the greatest error of a cell's cases in each binade with the bound there; null for exponents
 * without one. */
Test(html, errors_by_input_are_those_of_the_cell)
{
    struct results results = {0};
    add_header(&results, "vulkan", "device");
    add_errors(add_record(&results, "elementwise/exp/float16/a", "vulkan", STATUS_PASS), 3,
               (struct record_by_input[]){{false, -1, 0.5, 1}, {false, 2, 1.5, 2}, {true, 3, 0.25, 7}});
    add_errors(add_record(&results, "elementwise/exp/float16/b", "vulkan", STATUS_PASS), 2,
               (struct record_by_input[]){{false, -1, 0.75, 3}, {false, 2, 1, 4}});
    add_record(&results, "elementwise/log/float16/a", "vulkan", STATUS_PASS);
    struct page page = page_of(&results);
    json_t *errors = at(page.data, "backends.0.errors");
    cr_assert_eq(json_array_size(errors), 1, "a cell without any has none");
    json_t *one = json_array_get(errors, 0);
    size_t row = (size_t)json_integer_value(at(one, "row"));
    is_text(at(json_array_get(at(page.data, "rows"), row), "1"), "exp", "row");
    cr_expect_eq(json_integer_value(at(one, "positive.from")), -1);
    cr_expect_eq(json_integer_value(at(one, "negative.from")), 3);
    cr_expect_eq(json_array_size(at(one, "positive.ulp")), 4);
    is_number(at(one, "positive.ulp.0"), 0.75, true, "the greater of two");
    is_number(at(one, "positive.allowed.0"), 3, true, "what it was allowed");
    is_number(at(one, "positive.ulp.1"), NAN, true, "an exponent without any");
    is_number(at(one, "positive.ulp.3"), 1.5, true, "the greater of two");
    is_number(at(one, "positive.allowed.3"), 2, true, "what it was allowed");
    is_number(at(one, "negative.ulp.0"), 0.25, true, "another sign");
    page_close(&page);
    results_destroy(&results);
}

Test(html, the_logbook_has_the_headers)
{
    struct results results = {0};
    fill(&results);
    results.header[0].seed = UINT64_MAX;
    results.header[0].expected = 50;
    struct page page = page_of(&results);
    json_t *backend = at(page.data, "backends.0");
    is_text(at(backend, "device"), "llvmpipe (LLVM 15.0.6)", "device");
    is_text(at(backend, "driver"), "Mesa 22.3.6", "driver");
    is_text(at(backend, "commit"), "abc123", "commit");
    is_text(at(backend, "seed"), "18446744073709551615", "seed");
    is_text(at(backend, "profile.1.1"), NASTY, "profile");
    is_text(at(backend, "environment.0.0"), "VK_ICD_FILENAMES", "environment");
    cr_expect(strstr(json_string_value(at(page.data, "losses.0")), "38 of 50"),
              "what is missing is reported");
    page_close(&page);
    results_destroy(&results);
}

Test(html, different_inputs_are_refused)
{
    struct results results = {0};
    struct error markdown = {0}, html = {0};
    fill(&results);
    add_record(&results, ODD, "cpu#2", STATUS_PASS)->inputs_digest = text("ff");
    FILE *null = fopen("/dev/null", "w");
    cr_expect_not(report_markdown(null, &results, 0, &markdown));
    cr_expect_not(report_html(null, &results, NULL, &html));
    cr_expect(strstr(html.text, "different inputs"), "%s", html.text);
    cr_expect_str_eq(html.text, markdown.text);
    fclose(null);
    results_destroy(&results);
}

/* Two records of one case and backend are both on the page and in the counts. */
Test(html, a_case_that_comes_twice_is_there_twice)
{
    struct results results = {0};
    for (int i = 0; i < 3; i++) {
        add_record(&results, "f/o/float32/n", i < 2 ? "x" : "y", STATUS_PASS);
    }
    struct page page = page_of(&results);
    cr_expect_eq(json_array_size(at(page.data, "cases.name")), 2);
    cr_expect_eq(json_array_size(at(page.data, "backends.0.records.max_nu")), 2);
    cr_expect_eq(json_array_size(at(page.data, "backends.1.records.max_nu")), 1);
    page_close(&page);
    results_destroy(&results);
}

/* The page of level standard on 4 backends, 76,000 records, stays below 8 MB: 105 bytes each. The numbers
 * here have all their digits. */
Test(html, a_record_takes_few_bytes)
{
    struct results results = {0};
    enum { CASES = 2000, BACKENDS = 4 };
    static const char *const backends[BACKENDS] = {"cpu", "vulkan", "torch:cuda", "exec:./mine"};
    results.record = calloc(1, sizeof *results.record);
    for (int b = 0; b < BACKENDS; b++) {
        add_header(&results, backends[b], "device");
        for (int c = 0; c < CASES; c++) {
            char id[100];
            snprintf(id, sizeof id, "norm/vector_norm/float%d/random-dims-last-two-n%d", 16 << c % 3, c);
            struct record *record = add_record(&results, id, backends[b], STATUS_PASS);
            record->max_ulp = 1.0 / (c + 3);
            record->bias_ulp = -1e-3 / (c + 7);
            record->max_nu = 1.0 / (b + c + 2);
            record->quality_nu = 0.7 / (b + c + 5);
            record->resolution = 1e-6 / (c + 1);
            record->elements = 64 + c;
            record->ulp_buckets = 5;
            for (int k = 0; k < 5; k++) {
                record->ulp_bucket[k] = (c + k) % 100;
            }
            record->source = text("suites/norm/vector_norm.c:271");
            record->worst.index = 3;
            record->worst.truth = text("0.577350269189625764509148780502");
            record->worst.got = text("0.577350259 (0x3f13cd3a)");
            record->worst.inputs = text("input 0 = 2.778e+38 (0x7f51); input 1 = 0.9961 (0x3f7f)");
        }
    }
    struct page page = page_of(&results);
    size_t each = (page.size - page.frame) / (CASES * BACKENDS);
    cr_expect_leq(each, 8000000 / 76000, "%zu bytes", each);
    page_close(&page);
    results_destroy(&results);
}
