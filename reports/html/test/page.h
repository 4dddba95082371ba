/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_HTML_TEST_PAGE_H
#define ASSAY_REPORTS_HTML_TEST_PAGE_H

/* The parity page taken apart again, by jansson. Static functions, as in fixture.h. */

#include "reports/page/page.h"
#include "reports/report.h"
#include "reports/test/fixture.h"
#include "reports/utf8.h"

#include <criterion/criterion.h>
#include <jansson.h>

struct page {
    char *text;         /* all of it */
    size_t size, frame; /* of all, and of what is the same for all results */
    char *block;        /* the data alone */
    json_t *data;
};

/* Fails the test where the data are no JSON or what stands around them is not the page as embedded. */
FIXTURE struct page page_with(const struct results *results, const struct html_options *options)
{
    struct page page = {.frame = page_before_size + page_after_size};
    struct error error = {0};
    json_error_t fault;
    FILE *to = open_memstream(&page.text, &page.size);
    cr_assert(report_html(to, results, options, &error), "%s", error.text);
    fclose(to);
    cr_assert(page.size > page.frame && !memcmp(page.text, page_before, page_before_size) &&
                  !memcmp(page.text + page.size - page_after_size, page_after, page_after_size),
              "the results stand in the block of data alone");
    page.block = strndup(page.text + page_before_size, page.size - page.frame);
    page.data = json_loads(page.block, JSON_REJECT_DUPLICATES, &fault);
    cr_assert(page.data, "%s at %d: %.60s", fault.text, fault.position,
              page.block + (fault.position > 30 ? fault.position - 30 : 0));
    return page;
}

FIXTURE struct page page_of(const struct results *results)
{
    return page_with(results, NULL);
}

FIXTURE void page_close(struct page *page)
{
    json_decref(page->data);
    free(page->block);
    free(page->text);
}

/* The id of a case, put together as the script does; the caller frees it. */
FIXTURE char *page_id(const struct page *page, int number)
{
    const json_t *cases = json_object_get(page->data, "cases");
    const json_t *name = json_array_get(json_object_get(cases, "name"), (size_t)number);
    if (json_is_array(name)) {
        return text(json_string_value(json_array_get(name, 0)));
    }
    size_t row = 0;
    for (int end = 0;; row++) {
        end += (int)json_integer_value(json_array_get(json_object_get(cases, "in"), row));
        if (number < end) {
            break;
        }
    }
    const json_t *part = json_array_get(json_object_get(page->data, "rows"), row);
    char *id = NULL;
    if (asprintf(&id, "%s/%s/%s/%s", json_string_value(json_array_get(part, 0)),
                 json_string_value(json_array_get(part, 1)), json_string_value(json_array_get(part, 2)),
                 json_string_value(name)) < 0) {
        abort();
    }
    return id;
}

struct page_record {
    json_t *backend; /* NULL: not there */
    int number;      /* its case */
    int index;       /* in the backend's columns */
    char status;
};

FIXTURE struct page_record page_find(const struct page *page, const char *backend, const char *id)
{
    json_t *backends = json_object_get(page->data, "backends");
    char *visible = utf8_visible(id), *known = utf8_visible(backend);
    struct page_record found = {.backend = NULL};
    for (size_t k = 0; k < json_array_size(backends) && !found.backend; k++) {
        json_t *one = json_array_get(backends, k);
        const char *status = json_string_value(json_object_get(json_object_get(one, "records"), "status"));
        if (strcmp(json_string_value(json_object_get(one, "name")), known)) {
            continue;
        }
        for (int c = 0, index = 0; status[c] && !found.backend; c++) {
            char *name = status[c] == '.' ? NULL : page_id(page, c);
            if (name && !strcmp(name, visible)) {
                found = (struct page_record){one, c, index, status[c]};
            }
            index += name != NULL;
            free(name);
        }
    }
    free(visible);
    free(known);
    return found;
}

/* What is said of it; NULL where nothing is. */
FIXTURE json_t *page_shown(const struct page_record *found)
{
    size_t i;
    json_t *shown;
    json_array_foreach(json_object_get(found->backend, "told"), i, shown)
    {
        if (json_integer_value(json_object_get(shown, "case")) == found->number) {
            return shown;
        }
    }
    return NULL;
}

#endif
