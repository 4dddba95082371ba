/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/op.h"

#include <math.h>
#include <string.h>

static const struct attribute *find_attribute(const struct attributes *attributes, const char *name)
{
    for (int i = 0; attributes && i < attributes->count; i++) {
        if (strcmp(attributes->item[i].name, name) == 0) {
            return &attributes->item[i];
        }
    }
    return NULL;
}

bool attributes_given(const struct attributes *attributes, const char *name)
{
    return find_attribute(attributes, name) != NULL;
}

double attributes_real(const struct attributes *attributes, const char *name, double otherwise)
{
    const struct attribute *attribute = find_attribute(attributes, name);
    if (!attribute) {
        return otherwise;
    }
    return attribute->type == ATTRIBUTE_REAL ? attribute->real : (double)attribute->integer;
}

int64_t attributes_integer(const struct attributes *attributes, const char *name, int64_t otherwise)
{
    const struct attribute *attribute = find_attribute(attributes, name);
    if (!attribute) {
        return otherwise;
    }
    if (attribute->type != ATTRIBUTE_REAL) {
        return attribute->integer;
    }
    const double end = 0x1p63; /* what no int64 holds is cut at its ends; NaN, which has no integer, is 0 */
    return attribute->real >= end    ? INT64_MAX
           : attribute->real >= -end ? (int64_t)attribute->real
           : isnan(attribute->real)  ? 0
                                     : INT64_MIN;
}

const struct shape *attributes_integers(const struct attributes *attributes, const char *name)
{
    const struct attribute *attribute = find_attribute(attributes, name);
    return attribute && attribute->type == ATTRIBUTE_INTEGERS ? &attribute->integers : NULL;
}
