/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_JSON_H
#define ASSAY_HARNESS_EXEC_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Copies a string member; "" and false when it is missing or is no string. */
static inline bool json_copy_text(const json_t *object, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(text, size, "%s", value ? value : "");
    return value != NULL;
}

#endif
