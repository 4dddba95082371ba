/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_FIELDS_H
#define ASSAY_REPORTS_RECORDS_FIELDS_H

/* Members of a C struct to and from the members of a JSON object. One table per struct describes its members
 * for writing, parsing, copying and freeing, so that these cannot disagree. */

#include "reference/base/error.h"
#include "reports/records/record.h"
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

enum kind {
    TEXT,
    STATUS,
    INT,
    INT64,
    UINT64,
    REAL
}; /* the C types: char *, enum status, int, int64_t, uint64_t, double */

struct field {
    const char *name;
    size_t offset;
    enum kind kind;
    bool required;
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Adds every member except NULL texts to the object. False when out of memory. */
bool fields_put(json_t *object, const void *base, const struct field *fields, size_t count);

/* Reads every member that the object has; null counts as absent. False, naming the member in *error, when a
 * required one is missing or one has another type; what was read until then stays in `base` for fields_free.
 */
bool fields_get(const json_t *object, void *base, const struct field *fields, size_t count,
                struct error *error);

void fields_free(void *base, const struct field *fields, size_t count); /* frees the texts, not the struct */

/* Replaces the texts in `to`, which is a plain copy of `from`, by copies of their own. False when out of
 * memory. */
bool fields_copy(void *to, const void *from, const struct field *fields, size_t count);

/* Single values. Texts are made valid UTF-8 in both directions; the caller owns the result. */
json_t *field_text_put(const char *text);
json_t *field_real_put(double value); /* the strings "nan", "inf", "-inf" where JSON has no number */
bool field_text_get(const json_t *json, char **text);
bool field_integer_get(const json_t *json, int64_t *value);
bool field_real_get(const json_t *json, double *value);

/* Print JSON, given as text or as an object. Control and invisible characters (utf8_is_hidden) in strings
 * become \u escapes, so that a terminal obeys none of them. False when the stream has failed, or out of
 * memory. */
bool json_put(FILE *to, const char *text);
bool json_print(FILE *to, const json_t *json, size_t flags);

#endif
