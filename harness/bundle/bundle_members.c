/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bundle/bundle_members.h"
#include "harness/host/nearest.h"

#include <string.h>

static bool fits(const json_t *value, enum form form)
{
    switch (form) {
    case STRING:
        return json_is_string(value);
    case STRING_OR_NULL:
        return json_is_string(value) || json_is_null(value);
    case INTEGER:
        return json_is_integer(value);
    case BOOLEAN:
    case BOOLEAN_OR_ABSENT:
        return json_is_boolean(value);
    case LIST:
        return json_is_array(value);
    case OBJECT:
        return json_is_object(value);
    case OBJECT_OR_NULL:
        return json_is_object(value) || json_is_null(value);
    }
    return false;
}

bool bundle_check(const json_t *object, const char *where, const struct rule *rules, int count,
                  struct error *error)
{
    static const char *const words[] = {"a text", "a text or null", "a whole number",    "true or false",
                                        "a list", "an object",      "an object or null", "true or false"};
    const char *key;
    json_t *value;
    if (!json_is_object(object)) {
        return error_set(error, "%s must be an object", where);
    }
    for (int r = 0; r < count; r++) {
        value = json_object_get(object, rules[r].name);
        if (!value && rules[r].form == BOOLEAN_OR_ABSENT) {
            continue;
        }
        if (!value || !fits(value, rules[r].form)) {
            return error_set(error, value ? "%s: \"%s\" must be %s" : "%s: \"%s\" is missing: %s", where,
                             rules[r].name, words[rules[r].form]);
        }
    }
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        struct nearest nearest = {.word = key};
        bool known = false;
        for (int r = 0; r < count && !known; r++) {
            known = strcmp(key, rules[r].name) == 0;
            nearest_offer(&nearest, rules[r].name);
        }
        if (!known) {
            return error_set(error, "%s: \"%.40s\" is no member%s%s%s", where, key,
                             nearest.best ? "; did you mean \"" : "", nearest.best ? nearest.best : "",
                             nearest.best ? "\"?" : "");
        }
    }
    return true;
}

bool bundle_numbers(const json_t *list, const char *where, int64_t least, int most, int64_t *x, int *count,
                    struct error *error)
{
    size_t k;
    json_t *item;
    if (json_array_size(list) > (size_t)most) {
        return error_set(error, "%s: it has %zu numbers, at most %d are taken", where, json_array_size(list),
                         most);
    }
    *count = (int)json_array_size(list);
    json_array_foreach(list, k, item)
    {
        if (!json_is_integer(item) || json_integer_value(item) < least) {
            return error_set(error, "%s: number %zu must be a whole one%s", where, k,
                             least == 0 ? ", 0 or more" : "");
        }
        x[k] = json_integer_value(item);
    }
    return true;
}
