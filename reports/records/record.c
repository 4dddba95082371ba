/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/memory.h"
#include "reports/records/fields.h"
#include "reports/records/record_series.h"
#include "reports/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
#define FIELD(type, kind, member) {#member, offsetof(struct type, member), kind, false}
#define REQUIRED(type, kind, member) {#member, offsetof(struct type, member), kind, true}
// clang-format on

static const struct field record_fields[] = {
    REQUIRED(record, TEXT, id),
    FIELD(record, TEXT, backend),
    REQUIRED(record, STATUS, status),
    FIELD(record, TEXT, reason),
    FIELD(record, TEXT, excused),
    FIELD(record, TEXT, rule),
    FIELD(record, TEXT, wrong_step),
    FIELD(record, TEXT, detail),
    FIELD(record, TEXT, repro),
    FIELD(record, TEXT, source),
    FIELD(record, TEXT, inputs_digest),
    FIELD(record, INT, truth_bits),
    FIELD(record, INT64, elements),
    FIELD(record, REAL, max_ulp),
    FIELD(record, REAL, mean_ulp),
    FIELD(record, REAL, bias_ulp),
    FIELD(record, REAL, bias_resolution),
    FIELD(record, REAL, max_nu),
    FIELD(record, REAL, p99_nu),
    FIELD(record, REAL, quality_nu),
    FIELD(record, REAL, median_rho),
    FIELD(record, REAL, resolution),
    FIELD(record, REAL, envelope_q),
    FIELD(record, REAL, envelope_t),
    FIELD(record, REAL, envelope_g),
    FIELD(record, INT64, envelope_groups),
    FIELD(record, REAL, implausible),
    FIELD(record, TEXT, implausible_by),
    FIELD(record, TEXT, implausible_step),
    FIELD(record, REAL, nmse),
    FIELD(record, REAL, bit_exact),
    FIELD(record, REAL, faithful),
    FIELD(record, INT64, over_0),
    FIELD(record, INT64, over_1),
    FIELD(record, INT64, over_bound),
    FIELD(record, INT, distinct),
    FIELD(record, INT, validation),
    FIELD(record, INT, remembered),
    FIELD(record, INT64, device_ns),
    FIELD(record, INT64, wall_ns),
    FIELD(record, INT64, reference_ns),
    FIELD(record, INT64, case_ns),
    FIELD(record, INT64, peak_bytes),
    FIELD(record, INT64, range_findings),
};

static const struct field worst_fields[] = {
    FIELD(record_worst, INT64, index), FIELD(record_worst, TEXT, where), FIELD(record_worst, TEXT, inputs),
    FIELD(record_worst, TEXT, truth),  FIELD(record_worst, TEXT, got),   FIELD(record_worst, TEXT, whole),
    FIELD(record_worst, REAL, ulp),    FIELD(record_worst, REAL, nu),
};

static const struct field runs_fields[] = {FIELD(record, INT, runs), FIELD(record, INT, runs_failed)};

static const struct field header_fields[] = {
    REQUIRED(record_header, TEXT, assay),
    FIELD(record_header, TEXT, commit),
    FIELD(record_header, TEXT, started),
    REQUIRED(record_header, TEXT, backend),
    FIELD(record_header, TEXT, device),
    FIELD(record_header, TEXT, driver),
    FIELD(record_header, TEXT, api),
    FIELD(record_header, TEXT, os),
    FIELD(record_header, TEXT, cpu),
    FIELD(record_header, UINT64, memory_bytes),
    FIELD(record_header, UINT64, device_memory_bytes),
    FIELD(record_header, UINT64, seed),
    FIELD(record_header, TEXT, level),
    FIELD(record_header, TEXT, command),
    FIELD(record_header, TEXT, reference),
    FIELD(record_header, INT64, expected),
    FIELD(record_header, TEXT, shard),
    FIELD(record_header, TEXT, partition),
    FIELD(record_header, TEXT, selection),
    FIELD(record_header, INT64, selected),
    FIELD(record_header, TEXT, options),
    FIELD(record_header, TEXT, lost_shards),
    FIELD(record_header, TEXT, offers),
    FIELD(record_header, TEXT, fault),
};

static bool put_pairs(json_t *object, const char *name, const struct record_pair *pairs, int count)
{
    if (count == 0) {
        return true;
    }
    json_t *inner = json_object();
    bool ok = inner;
    for (int i = 0; ok && i < count; i++) {
        const char *key = pairs[i].name ? pairs[i].name : "";
        char *valid = utf8_repair(key, strlen(key));
        ok = valid && !json_object_set_new(inner, valid,
                                           pairs[i].value ? field_text_put(pairs[i].value) : json_null());
        free(valid);
    }
    return !json_object_set_new(object, name, inner) && ok; /* the outer object owns `inner` from here on */
}

static char *dump(json_t *object, bool complete)
{
    char *text = complete ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(object);
    return text;
}

/* Only cases that were run again have these members. */
static bool runs_put(json_t *object, const struct record *record)
{
    return record->runs == 0 ||
           (!json_object_set_new(object, "runs", json_integer(record->runs)) &&
            !json_object_set_new(object, "runs_failed", json_integer(record->runs_failed)));
}

char *record_format(const struct record *record)
{
    if (record->line) {
        return strdup(record->line);
    }
    json_t *object = json_pack("{s:i}", "version", RECORD_VERSION);
    bool ok = object && fields_put(object, record, record_fields, COUNT(record_fields));
    ok = ok && histogram_put(object, record) && by_input_put(object, record) && series_put(object, record) &&
         runs_put(object, record);
    const struct record_worst *worst = &record->worst;
    bool shown = worst->index != -1 || worst->where || worst->inputs || worst->truth || worst->got ||
                 worst->ulp != 0 || worst->nu != 0;
    if (ok && shown) {
        json_t *inner = json_object();
        ok = inner && fields_put(inner, worst, worst_fields, COUNT(worst_fields));
        ok = !json_object_set_new(object, "worst", inner) && ok;
    }
    return dump(object, ok);
}

char *record_header_format(const struct record_header *header)
{
    json_t *object = json_pack("{s:i}", "version", header->version ? header->version : RECORD_VERSION);
    bool ok = object && fields_put(object, header, header_fields, COUNT(header_fields)) &&
              put_pairs(object, "profile", header->profile, header->profile_count) &&
              put_pairs(object, "environment", header->environment, header->environment_count);
    return dump(object, ok);
}

static bool write_line(FILE *to, char *line)
{
    bool ok = line && fputs(line, to) >= 0 && putc('\n', to) != EOF && fflush(to) == 0;
    free(line);
    return ok;
}

bool record_write(FILE *to, const struct record *record)
{
    return write_line(to, record_format(record));
}

bool record_header_write(FILE *to, const struct record_header *header)
{
    return write_line(to, record_header_format(header));
}

static bool get_pairs(json_t *object, const char *name, struct record_pair **pairs, int *count,
                      struct error *error)
{
    json_t *inner = json_object_get(object, name);
    size_t size = json_object_size(inner);
    if (inner && !json_is_object(inner) && !json_is_null(inner)) {
        return error_set(error, "member \"%s\" is not an object", name);
    }
    if (size == 0) {
        return true;
    }
    *pairs = calloc(size, sizeof **pairs);
    if (!*pairs) {
        return error_set(error, "out of memory");
    }
    const char *key;
    json_t *value;
    json_object_foreach(inner, key, value)
    {
        struct record_pair *pair = &(*pairs)[(*count)++];
        pair->name = strdup(key);
        if (!pair->name || (!json_is_null(value) && !field_text_get(value, &pair->value))) {
            return error_set(error, "member \"%s\" of \"%s\" is not a string", key, name);
        }
    }
    return true;
}

/* The line as a JSON object of a supported version; NULL with the fault in *error. */
static json_t *load(const char *line, size_t length, struct error *error)
{
    json_error_t fault;
    char *valid = utf8_repair(line, length);
    json_t *object = valid ? json_loads(valid, JSON_ALLOW_NUL, &fault) : NULL;
    int64_t version = RECORD_VERSION;
    if (!valid) {
        error_set(error, "out of memory");
    } else if (!object) {
        error_set(error, "not JSON: %s (column %d)", fault.text, fault.column);
    } else if (!json_is_object(object)) {
        error_set(error, "not a JSON object");
    } else if (json_object_get(object, "version") &&
               !field_integer_get(json_object_get(object, "version"), &version)) {
        error_set(error, "member \"version\" is not a whole number");
    } else if (version < 1 || version > RECORD_VERSION) {
        error_set(error, "version %lld: this assay reads up to version %d, use a newer one",
                  (long long)version, RECORD_VERSION);
    } else {
        free(valid);
        return object;
    }
    free(valid);
    json_decref(object);
    return NULL;
}

bool record_parse(const char *line, size_t length, struct record *record, struct error *error)
{
    memset(record, 0, sizeof *record);
    json_t *object = load(line, length, error);
    if (!object) {
        return false;
    }
    record->worst.index = -1;
    record->resolution = NAN; /* the default of an absent member */
    const json_t *worst = json_object_get(object, "worst");
    bool ok = fields_get(object, record, record_fields, COUNT(record_fields), error) &&
              fields_get(worst, &record->worst, worst_fields, COUNT(worst_fields), error) &&
              fields_get(object, record, runs_fields, COUNT(runs_fields), error) &&
              histogram_get(object, record, error) && by_input_get(object, record, error) &&
              series_get(object, record, error);
    json_decref(object);
    if (!ok) {
        record_clear(record);
    }
    return ok;
}

bool record_header_parse(const char *line, size_t length, struct record_header *header, struct error *error)
{
    memset(header, 0, sizeof *header);
    json_t *object = load(line, length, error);
    if (!object) {
        return false;
    }
    int64_t version = RECORD_VERSION;
    field_integer_get(json_object_get(object, "version"), &version);
    header->version = (int)version;
    bool ok = fields_get(object, header, header_fields, COUNT(header_fields), error) &&
              get_pairs(object, "profile", &header->profile, &header->profile_count, error) &&
              get_pairs(object, "environment", &header->environment, &header->environment_count, error);
    json_decref(object);
    if (!ok) {
        record_header_clear(header);
    }
    return ok;
}

static void forget_line(struct record *record)
{
    free(record->line);
    record->line = NULL;
}

void record_reason(struct record *record, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
    }
    va_end(arguments);
    free(record->reason);
    record->reason = text;
    forget_line(record);
}

void record_rule(struct record *record, const char *rule)
{
    free(record->rule);
    record->rule = memory_text(rule);
    forget_line(record);
}

void record_clear(struct record *record)
{
    fields_free(record, record_fields, COUNT(record_fields));
    fields_free(&record->worst, worst_fields, COUNT(worst_fields));
    series_free(record);
    free(record->by_input);
    free(record->line);
    memset(record, 0, sizeof *record);
}

bool record_copy(struct record *to, const struct record *from)
{
    *to = *from;
    to->line = NULL;
    bool ok = fields_copy(to, from, record_fields, COUNT(record_fields));
    ok = fields_copy(&to->worst, &from->worst, worst_fields, COUNT(worst_fields)) && ok;
    ok = series_copy(to, from) && ok;
    ok = by_input_copy(to, from) && ok;
    if (!ok) {
        record_clear(to);
    }
    return ok;
}

static void free_pairs(struct record_pair *pairs, int count)
{
    for (int i = 0; i < count; i++) {
        free(pairs[i].name);
        free(pairs[i].value);
    }
    free(pairs);
}

void record_header_clear(struct record_header *header)
{
    fields_free(header, header_fields, COUNT(header_fields));
    free_pairs(header->profile, header->profile_count);
    free_pairs(header->environment, header->environment_count);
    memset(header, 0, sizeof *header);
}

bool record_id_part(const char *id, int part, const char **text, int *length)
{
    for (int i = 0; id && i < part; i++) {
        const char *slash = strchr(id, '/');
        id = slash ? slash + 1 : NULL;
    }
    if (!id || part < 0 || part > 3) {
        return false;
    }
    *text = id;
    *length = part == 3 ? (int)strlen(id) : (int)strcspn(id, "/");
    return part == 3 || id[*length];
}
