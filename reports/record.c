/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/fields.h"
#include "reports/utf8.h"

#include <math.h>
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
    FIELD(record, TEXT, rule),
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
    FIELD(record, REAL, nmse),
    FIELD(record, REAL, bit_exact),
    FIELD(record, REAL, faithful),
    FIELD(record, INT64, over_0),
    FIELD(record, INT64, over_1),
    FIELD(record, INT64, over_bound),
    FIELD(record, INT, distinct),
    FIELD(record, INT, validation),
    FIELD(record, INT64, device_ns),
    FIELD(record, INT64, wall_ns),
    FIELD(record, INT64, reference_ns),
    FIELD(record, INT64, peak_bytes),
    FIELD(record, INT64, range_findings),
};

static const struct field worst_fields[] = {
    FIELD(record_worst, INT64, index), FIELD(record_worst, TEXT, where), FIELD(record_worst, TEXT, inputs),
    FIELD(record_worst, TEXT, truth),  FIELD(record_worst, TEXT, got),   FIELD(record_worst, REAL, ulp),
    FIELD(record_worst, REAL, nu),
};

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
    FIELD(record_header, TEXT, selection),
    FIELD(record_header, INT64, selected),
};

enum { POINTS_MAX = 1 << 16 }; /* of one series; and series of one record */

static bool put_pairs(json_t *object, const char *name, const struct record_pair *pairs, int count)
{
    if (count == 0)
        return true;
    json_t *inner = json_object();
    bool ok = inner;
    for (int i = 0; ok && i < count; i++) {
        const char *key = pairs[i].name ? pairs[i].name : "";
        char *valid = utf8_repair(key, strlen(key));
        ok = valid && !json_object_set_new(inner, valid,
                                           pairs[i].value ? field_text_put(pairs[i].value) : json_null());
        free(valid);
    }
    return !json_object_set_new(object, name, inner) && ok; /* the outer object owns inner from here */
}

static json_t *numbers(const double *value, int count)
{
    json_t *array = json_array();
    bool ok = array;
    for (int i = 0; ok && i < count; i++)
        ok = !json_array_append_new(array, field_real_put(value[i]));
    if (!ok)
        json_decref(array);
    return ok ? array : NULL;
}

static bool put_series(json_t *object, const struct record *record)
{
    if (record->series_count == 0)
        return true;
    json_t *all = json_array();
    bool ok = all;
    for (int s = 0; ok && s < record->series_count; s++) {
        const struct record_series *series = &record->series[s];
        json_t *one = json_pack("{s:o, s:o, s:o, s:o}", "name", field_text_put(series->name), "unit",
                                field_text_put(series->unit), "x", numbers(series->x, series->points), "y",
                                numbers(series->y, series->points));
        if (one && series->octaves > 0)
            ok = !json_object_set_new(one, "octaves", json_integer(series->octaves)) &&
                 !json_object_set_new(one, "exponent", field_real_put(series->exponent));
        if (one && series->factor > 0)
            ok = !json_object_set_new(one, "factor", field_real_put(series->factor)) && ok;
        ok = one && !json_array_append_new(all, one) && ok;
    }
    return !json_object_set_new(object, "series", all) && ok;
}

static char *dump(json_t *object, bool complete)
{
    char *text = complete ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(object);
    return text;
}

char *record_format(const struct record *record)
{
    json_t *object = json_pack("{s:i}", "version", RECORD_VERSION);
    bool ok = object && fields_put(object, record, record_fields, COUNT(record_fields));
    ok = ok && put_series(object, record);
    const struct record_worst *worst = &record->worst;
    bool told = worst->index != -1 || worst->where || worst->inputs || worst->truth || worst->got ||
                worst->ulp != 0 || worst->nu != 0;
    if (ok && told) {
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
    if (inner && !json_is_object(inner) && !json_is_null(inner))
        return error_set(error, "member \"%s\" is not an object", name);
    if (size == 0)
        return true;
    *pairs = calloc(size, sizeof **pairs);
    if (!*pairs)
        return error_set(error, "out of memory");
    const char *key;
    json_t *value;
    json_object_foreach(inner, key, value)
    {
        struct record_pair *pair = &(*pairs)[(*count)++];
        pair->name = strdup(key);
        if (!pair->name || (!json_is_null(value) && !field_text_get(value, &pair->value)))
            return error_set(error, "member \"%s\" of \"%s\" is not a string", key, name);
    }
    return true;
}

static bool get_numbers(const json_t *array, double **value, int *count)
{
    size_t size = json_array_size(array);
    *value = calloc(size + 1, sizeof **value);
    bool ok = *value && json_is_array(array) && size <= POINTS_MAX;
    for (size_t i = 0; ok && i < size; i++)
        ok = field_real_get(json_array_get(array, i), &(*value)[i]);
    *count = (int)size;
    return ok;
}

/* What was fitted to a curve; absent where nothing was. */
static bool get_fit(const json_t *one, struct record_series *series)
{
    const json_t *octaves = json_object_get(one, "octaves"), *exponent = json_object_get(one, "exponent");
    const json_t *factor = json_object_get(one, "factor");
    int64_t count = 0;
    bool ok = !octaves || (field_integer_get(octaves, &count) && count >= 0 && count <= POINTS_MAX);
    series->octaves = (int)count;
    return ok && (!exponent || field_real_get(exponent, &series->exponent)) &&
           (!factor || field_real_get(factor, &series->factor));
}

static bool get_series(const json_t *object, struct record *record, struct error *error)
{
    const json_t *all = json_object_get(object, "series");
    size_t size = json_array_size(all);
    if (!all || json_is_null(all))
        return true;
    if (!json_is_array(all) || size > POINTS_MAX)
        return error_set(error, "member \"series\" is not an array");
    record->series = calloc(size + 1, sizeof *record->series);
    for (size_t s = 0; record->series && s < size; s++) {
        const json_t *one = json_array_get(all, s);
        struct record_series *series = &record->series[record->series_count++];
        int points = 0;
        if (!field_text_get(json_object_get(one, "name"), &series->name) ||
            !field_text_get(json_object_get(one, "unit"), &series->unit) ||
            !get_numbers(json_object_get(one, "x"), &series->x, &points) ||
            !get_numbers(json_object_get(one, "y"), &series->y, &series->points) || points != series->points)
            return error_set(error, "series %zu has no name, no unit, or x and y of different lengths", s);
        if (!get_fit(one, series))
            return error_set(error, "series %zu has an exponent or a factor that is no number", s);
    }
    return record->series || error_set(error, "out of memory");
}

static void free_series(struct record *record)
{
    for (int s = 0; s < record->series_count; s++) {
        free(record->series[s].name);
        free(record->series[s].unit);
        free(record->series[s].x);
        free(record->series[s].y);
    }
    free(record->series);
}

static double *copy_numbers(const double *from, int count)
{
    double *to = malloc((size_t)count * sizeof *to + 1);
    if (to)
        memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static bool copy_series(struct record *to, const struct record *from)
{
    to->series_count = 0;
    to->series = from->series_count ? calloc((size_t)from->series_count, sizeof *to->series) : NULL;
    for (int s = 0; to->series && s < from->series_count; s++) {
        const struct record_series *series = &from->series[s];
        to->series[to->series_count++] = (struct record_series){.name = strdup(series->name),
                                                                .unit = strdup(series->unit),
                                                                .points = series->points,
                                                                .octaves = series->octaves,
                                                                .exponent = series->exponent,
                                                                .factor = series->factor,
                                                                .x = copy_numbers(series->x, series->points),
                                                                .y = copy_numbers(series->y, series->points)};
        const struct record_series *made = &to->series[s];
        if (!made->name || !made->unit || !made->x || !made->y)
            return false;
    }
    return to->series_count == from->series_count;
}

/* The line as an object of a version that we can read; NULL with what is wrong. */
static json_t *load(const char *line, size_t length, struct error *error)
{
    json_error_t fault;
    char *valid = utf8_repair(line, length);
    json_t *object = valid ? json_loads(valid, JSON_ALLOW_NUL, &fault) : NULL;
    int64_t version = RECORD_VERSION;
    if (!valid)
        error_set(error, "out of memory");
    else if (!object)
        error_set(error, "not JSON: %s (column %d)", fault.text, fault.column);
    else if (!json_is_object(object))
        error_set(error, "not a JSON object");
    else if (json_object_get(object, "version") &&
             !field_integer_get(json_object_get(object, "version"), &version))
        error_set(error, "member \"version\" is not a whole number");
    else if (version < 1 || version > RECORD_VERSION)
        error_set(error, "version %lld: this assay reads up to version %d, use a newer one",
                  (long long)version, RECORD_VERSION);
    else {
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
    if (!object)
        return false;
    record->worst.index = -1;
    record->resolution = NAN; /* unless it says so */
    const json_t *worst = json_object_get(object, "worst");
    bool ok = fields_get(object, record, record_fields, COUNT(record_fields), error) &&
              fields_get(worst, &record->worst, worst_fields, COUNT(worst_fields), error) &&
              get_series(object, record, error);
    json_decref(object);
    if (!ok)
        record_clear(record);
    return ok;
}

bool record_header_parse(const char *line, size_t length, struct record_header *header, struct error *error)
{
    memset(header, 0, sizeof *header);
    json_t *object = load(line, length, error);
    if (!object)
        return false;
    int64_t version = RECORD_VERSION;
    field_integer_get(json_object_get(object, "version"), &version);
    header->version = (int)version;
    bool ok = fields_get(object, header, header_fields, COUNT(header_fields), error) &&
              get_pairs(object, "profile", &header->profile, &header->profile_count, error) &&
              get_pairs(object, "environment", &header->environment, &header->environment_count, error);
    json_decref(object);
    if (!ok)
        record_header_clear(header);
    return ok;
}

void record_clear(struct record *record)
{
    fields_free(record, record_fields, COUNT(record_fields));
    fields_free(&record->worst, worst_fields, COUNT(worst_fields));
    free_series(record);
    memset(record, 0, sizeof *record);
}

bool record_copy(struct record *to, const struct record *from)
{
    *to = *from;
    bool ok = fields_copy(to, from, record_fields, COUNT(record_fields));
    ok = fields_copy(&to->worst, &from->worst, worst_fields, COUNT(worst_fields)) && ok;
    ok = copy_series(to, from) && ok;
    if (!ok)
        record_clear(to);
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
    if (!id || part < 0 || part > 3)
        return false;
    *text = id;
    *length = part == 3 ? (int)strlen(id) : (int)strcspn(id, "/");
    return part == 3 || id[*length];
}
