/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_TEST_HOSTILE_H
#define ASSAY_REPORTS_TEST_HOSTILE_H

/* Names that imitate markup, scripts, formulas, escape sequences or other texts, in every place that has a
 * name. Static, as in fixture.h. */

#include "reports/test/fixture.h"

static const char *const hostile[] = {"</script><script>alert(1)</script>",
                                      "<img src=x onerror=alert(1)>",
                                      "javascript:alert(1)",
                                      "<!-- <script>",
                                      "a\xe2\x80\xaegpj.exe",
                                      "\"'`\\ ]]> &lt; &amp;",
                                      "line\nbreak\tand\r\nmore",
                                      "\x01\x1b[31m\x7f",
                                      "bad\xff\xed\xa0\x80utf8",
                                      "__proto__",
                                      "=HYPERLINK(\"http://x\",1)",
                                      "\n@SUM(A1)",
                                      ("\xef\xbc\x9d"
                                       "1+1"),
                                      "-1+1|cmd' /C calc'!A0",
                                      "[a](javascript:x) ![b](y) | c | `d` **e** # f",
                                      "<http://x> &#x3c;b&#x3e;",
                                      "| --- |\n\n# heading\n- item",
                                      "\xe2\x80\xa8line\xe2\x80\xa9separators\xef\xbb\xbf"};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

FIXTURE void fill_hostile(struct results *results)
{
    for (int i = 0; i < HOSTILE; i++) {
        char *id = NULL;
        struct record_header *header = add_header(results, hostile[i], hostile[(i + 1) % HOSTILE]);
        header->environment[0].value = (free(header->environment[0].value), text(hostile[i]));
        header->profile[0].name = (free(header->profile[0].name), text(hostile[i]));
        if (asprintf(&id, "f/%s/%s/%s", hostile[(i + 2) % HOSTILE], hostile[(i + 3) % HOSTILE], hostile[i]) <
            0) {
            abort();
        }
        struct record *record = add_record(results, id, hostile[i], STATUS_FAIL);
        free(id);
        record->reason = text(hostile[i]);
        record->rule = text(hostile[i]);
        record->detail = text(hostile[(i + 4) % HOSTILE]);
        record->repro = text(hostile[i]);
        record->source = text(hostile[i]);
        record->implausible = 2;
        record->implausible_by = text(hostile[i]);
        record->worst = (struct record_worst){.index = 0,
                                              .where = text(hostile[i]),
                                              .inputs = text(hostile[i]),
                                              .truth = text(hostile[i]),
                                              .got = text(hostile[i])};
        record->series_count = 1;
        record->series = calloc(1, sizeof *record->series);
        record->series[0] = (struct record_series){.name = text(hostile[i]),
                                                   .unit = text(hostile[i]),
                                                   .rule = text(hostile[i]),
                                                   .x = calloc(1, sizeof(double)),
                                                   .y = calloc(1, sizeof(double))};
    }
}

#endif
