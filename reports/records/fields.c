/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/fields.h"
#include "reports/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- writing: false only when out of memory */

json_t *field_text_put(const char *text)
{
    char *valid = utf8_repair(text, strlen(text));
    json_t *json = valid ? json_string(valid) : NULL;
    free(valid);
    return json;
}

json_t *field_real_put(double value)
{
    if (isnan(value)) {
        return json_string("nan");
    }
    if (isinf(value)) {
        return json_string(value > 0 ? "inf" : "-inf");
    }
    return json_real(value);
}

/* JSON readers disagree about unsigned 64-bit integers, so a value beyond int64 becomes a string. */
static json_t *unsigned_json(uint64_t value)
{
    char text[24];
    if (value <= INT64_MAX) {
        return json_integer((json_int_t)value);
    }
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

static json_t *field_json(const struct field *field, const void *at)
{
    switch (field->kind) {
    case TEXT:
        return field_text_put(*(char *const *)at);
    case STATUS:
        return json_string(status_name(*(const enum status *)at));
    case INT:
        return json_integer(*(const int *)at);
    case INT64:
        return json_integer(*(const int64_t *)at);
    case UINT64:
        return unsigned_json(*(const uint64_t *)at);
    case REAL:
        return field_real_put(*(const double *)at);
    }
    return NULL;
}

bool fields_put(json_t *object, const void *base, const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const void *at = (const char *)base + fields[i].offset;
        if (fields[i].kind == TEXT && !*(char *const *)at) {
            continue;
        }
        if (json_object_set_new(object, fields[i].name, field_json(&fields[i], at))) {
            return false;
        }
    }
    return true;
}

/* --- parsing */

bool field_integer_get(const json_t *json, int64_t *value)
{
    if (json_is_integer(json)) {
        *value = json_integer_value(json);
        return true;
    }
    /* Languages with one number type write 3.0 for 3. */
    double real = json_is_real(json) ? json_real_value(json) : NAN;
    if (!(fabs(real) <= 0x1p53 && real == trunc(real))) {
        return false;
    }
    *value = (int64_t)real;
    return true;
}

static bool unsigned_of(const json_t *json, uint64_t *value)
{
    int64_t whole;
    if (field_integer_get(json, &whole)) {
        *value = (uint64_t)whole;
        return whole >= 0;
    }
    const char *text = json_string_value(json);
    char *end;
    if (!text || *text < '0' || *text > '9') { /* strtoull would accept blanks and a sign */
        return false;
    }
    errno = 0;
    *value = strtoull(text, &end, 10);
    return !errno && !*end;
}

bool field_real_get(const json_t *json, double *value)
{
    static const struct {
        const char *name;
        double value;
    } special[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    if (json_is_number(json)) {
        *value = json_number_value(json);
        return true;
    }
    for (size_t i = 0; json_is_string(json) && i < COUNT(special); i++) {
        if (!strcmp(json_string_value(json), special[i].name)) {
            *value = special[i].value;
            return true;
        }
    }
    return false;
}

bool field_text_get(const json_t *json, char **text)
{
    if (!json_is_string(json)) {
        return false;
    }
    *text =
        utf8_repair(json_string_value(json), json_string_length(json)); /* "\u0000" would end a C string */
    return *text;
}

static bool field_of(const struct field *field, const json_t *json, void *at)
{
    int64_t whole;
    switch (field->kind) {
    case TEXT:
        return field_text_get(json, at);
    case STATUS:
        return status_from_name(json_string_value(json), at);
    case INT:
        if (!field_integer_get(json, &whole) || whole < INT_MIN || whole > INT_MAX) {
            return false;
        }
        *(int *)at = (int)whole;
        return true;
    case INT64:
        return field_integer_get(json, at);
    case UINT64:
        return unsigned_of(json, at);
    case REAL:
        return field_real_get(json, at);
    }
    return false;
}

bool fields_get(const json_t *object, void *base, const struct field *fields, size_t count,
                struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *json = json_object_get(object, fields[i].name);
        if (!json || json_is_null(json)) {
            if (fields[i].required) {
                return error_set(error, "member \"%s\" is missing", fields[i].name);
            }
            continue;
        }
        if (!field_of(&fields[i], json, (char *)base + fields[i].offset)) {
            char *shown = json_dumps(json, JSON_ENCODE_ANY | JSON_COMPACT);
            error_set(error, "member \"%s\" cannot be %.80s", fields[i].name, shown ? shown : "this");
            free(shown);
            return false;
        }
    }
    return true;
}

/* --- ownership */

void fields_free(void *base, const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fields[i].kind == TEXT) {
            free(*(char **)((char *)base + fields[i].offset));
        }
    }
}

bool fields_copy(void *to, const void *from, const struct field *fields, size_t count)
{
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        if (fields[i].kind != TEXT) {
            continue;
        }
        const char *text = *(char *const *)((const char *)from + fields[i].offset);
        char **copy = (char **)((char *)to + fields[i].offset);
        *copy = text ? strdup(text) : NULL;
        ok = ok && (*copy || !text);
    }
    return ok;
}

/* --- printing */

bool json_put(FILE *to, const char *text)
{
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        char valid[4];
        uint32_t code;
        at += utf8_decode(text + at, length - at, &code);
        if (!utf8_is_hidden(code)) {
            fwrite(valid, 1, utf8_encode(code, valid), to);
        } else if (code < 0x10000) {
            fprintf(to, "\\u%04x", code);
        } else {
            fprintf(to, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
        }
    }
    return !ferror(to);
}

bool json_print(FILE *to, const json_t *json, size_t flags)
{
    char *text = json ? json_dumps(json, flags) : NULL;
    bool good = text && json_put(to, text);
    free(text);
    return good;
}
