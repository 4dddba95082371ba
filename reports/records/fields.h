/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_FIELDS_H
#define ASSAY_REPORTS_RECORDS_FIELDS_H

/* Members of a C struct to and from the members of a JSON object.
 *
 * One table per struct says everything about its members: writing, parsing, copying and freeing cannot
 * disagree. */

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
}; /* char *, enum status, int, int64_t, uint64_t, double */

struct field {
    const char *name;
    size_t offset;
    enum kind kind;
    bool required;
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Adds every member; a NULL text is left out. False when out of memory. */
bool fields_put(json_t *object, const void *base, const struct field *fields, size_t count);

/* Reads every member that is there; null counts as absent. False with the member that is missing or of
 * another type; what was read until then stays in `base`, for fields_free. */
bool fields_get(const json_t *object, void *base, const struct field *fields, size_t count,
                struct error *error);

void fields_free(void *base, const struct field *fields, size_t count); /* the texts, not the struct */

/* Replaces the texts in `to`, a plain copy of `from`, by copies of its own. False when out of memory. */
bool fields_copy(void *to, const void *from, const struct field *fields, size_t count);

/* One value. Texts are made valid UTF-8 both ways; the caller owns the result. */
json_t *field_text_put(const char *text);
json_t *field_real_put(double value); /* "nan", "inf", "-inf" where JSON has no number */
bool field_text_get(const json_t *json, char **text);
bool field_integer_get(const json_t *json, int64_t *value);
bool field_real_get(const json_t *json, double *value);

/* Writes a text that is JSON, or an object. Controls and what is hidden (utf8_is_hidden) stand in strings,
 * where \u says the same: a terminal obeys nothing of it. False when the stream has failed, or out of memory.
 */
bool json_put(FILE *to, const char *text);
bool json_print(FILE *to, const json_t *json, size_t flags);

#endif
