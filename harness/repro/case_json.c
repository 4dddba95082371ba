/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/case_json.h"
#include "harness/repro/comparison.h"
#include "reports/records/fields.h"
#include "reports/text.h"

#include <stdlib.h>
#include <string.h>

static json_t *text_or_null(const char *text)
{
    return text ? field_text_put(text) : json_null();
}

static json_t *worst_object(const struct record_worst *worst)
{
    if (!worst->truth) {
        return json_null();
    }
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "index", (json_int_t)worst->index, "where",
                     text_or_null(worst->where), "inputs", text_or_null(worst->inputs), "truth",
                     text_or_null(worst->truth), "got", text_or_null(worst->got), "whole",
                     text_or_null(worst->whole), "ulp", field_real_put(worst->ulp), "nu",
                     field_real_put(worst->nu));
}

/* Adds the diagnosis, which is the last paragraph of a failure's detail as the worker writes it: "diagnosis:
 * explained by NAME: …". */
static void put_diagnosis(const struct record *record, json_t *to)
{
    static const char mark[] = "diagnosis: ", by[] = "explained by ";
    const char *text = record->detail ? strstr(record->detail, mark) : NULL;
    json_t *diagnosis = NULL, *hypothesis = NULL;
    for (const char *next = text; next; next = strstr(next + 1, mark)) {
        text = next;
    }
    if (text) {
        text += sizeof mark - 1;
        diagnosis = json_stringn(text, strcspn(text, "\n"));
    }
    if (text && strncmp(text, by, sizeof by - 1) == 0) {
        text += sizeof by - 1;
        hypothesis = json_stringn(text, strcspn(text, ":\n"));
    }
    json_object_set_new(to, "diagnosis", diagnosis ? diagnosis : json_null());
    json_object_set_new(to, "hypothesis", hypothesis ? hypothesis : json_null());
}

json_t *repro_case_answer(const struct record_header *header, const struct record *record, json_t *written)
{
    char *line = record_format(record);
    json_t *whole = line ? json_loads(line, 0, NULL) : NULL,
           *json = json_pack("{s:o, s:o, s:s, s:o}", "name", text_or_null(record->backend), "device",
                             text_or_null(header->device), "status", status_name(record->status), "reason",
                             text_or_null(record->reason));
    put_diagnosis(record, json);
    json_object_set_new(json, "worst", worst_object(&record->worst));
    json_object_set_new(json, "inputs_digest", text_or_null(record->inputs_digest));
    repro_put_metrics(record, record_judged(record) && record->elements > 0 && !record->series_count, json);
    json_object_set_new(json, "repro", text_or_null(record->repro));
    json_object_set_new(json, "written", written);
    json_object_set_new(json, "record", whole ? whole : json_null());
    free(line);
    return json;
}

json_t *repro_case_unavailable(const char *name, const char *reason)
{
    return json_pack("{s:s, s:s, s:o}", "name", name, "status", "unavailable", "reason",
                     field_text_put(reason));
}

void repro_case_print(const struct suite_case *c, const char *id, uint64_t seed, json_t *backends,
                      json_t *comparison)
{
    json_t *whole = json_pack("{s:s, s:s, s:s, s:I}", "case", id, "op", c->op ? c->op->name : "", "dtype",
                              dtype_info(c->dtype)->name, "seed", (json_int_t)seed);
    static const char *const shared[] = {"inputs_digest", "truth_bits", "diagnosis", "hypothesis"};
    for (size_t k = 0; k < sizeof shared / sizeof *shared;
         k++) { /* each member from the first backend that has it */
        json_t *value = NULL;
        for (size_t b = 0; b < json_array_size(backends) && (!value || json_is_null(value)); b++) {
            value = json_object_get(json_array_get(backends, b), shared[k]);
        }
        json_object_set(whole, shared[k], value ? value : json_null());
    }
    json_object_set(whole, "backends", backends);
    json_object_set(whole, "comparison", comparison ? comparison : json_null());
    json_print(stdout, whole, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(whole);
}
