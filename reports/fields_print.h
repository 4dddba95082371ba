/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_FIELDS_PRINT_H
#define ASSAY_REPORTS_FIELDS_PRINT_H

/* The members of a C struct as text, letter by letter what jansson makes of fields_put, without the object.
 */

#include "reports/fields.h"

struct json_text {
    char *text; /* terminated; owned */
    size_t used, room;
    bool failed; /* out of memory: stays so */
};

void json_text_add(struct json_text *to, const char *text); /* as it is */
void json_text_integer(struct json_text *to, int64_t value);

/* "name":value for every member, a comma before each but the first of an object. */
void fields_print(struct json_text *to, const void *base, const struct field *fields, size_t count);

#endif
