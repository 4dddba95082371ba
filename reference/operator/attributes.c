/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/op.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct integers integers_of(int count, ...)
{
    struct integers integers = {.count = count};
    va_list numbers;
    va_start(numbers, count);
    for (int k = 0; k < count; k++) {
        integers.item[k] = va_arg(numbers, int64_t);
    }
    va_end(numbers);
    return integers;
}

struct integers integers_of_shape(const struct shape *shape)
{
    struct integers integers = {.count = shape->rank};
    memcpy(integers.item, shape->dim, (size_t)shape->rank * sizeof *shape->dim);
    return integers;
}

bool integers_to_shape(const struct integers *integers, struct shape *shape)
{
    *shape = (struct shape){.rank = 0};
    bool good = integers->count <= RANK_MAX;
    for (int k = 0; good && k < integers->count; k++) {
        good = integers->item[k] >= 0;
    }
    if (good) {
        shape->rank = integers->count;
        memcpy(shape->dim, integers->item, (size_t)integers->count * sizeof *shape->dim);
    }
    return good;
}

static const struct attribute *find_attribute(const struct attributes *attributes, const char *name)
{
    for (int i = 0; attributes && i < attributes->count; i++) {
        const char *other = attributes->item[i].name; /* called for each element: compare pointers first */
        if (other == name || (other[0] == name[0] && strcmp(other, name) == 0)) {
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
    const double end = 0x1p63; /* a real beyond int64 gives the end of the range; NaN gives 0 */
    return attribute->real >= end    ? INT64_MAX
           : attribute->real >= -end ? (int64_t)attribute->real
           : isnan(attribute->real)  ? 0
                                     : INT64_MIN;
}

const struct integers *attributes_integers(const struct attributes *attributes, const char *name)
{
    const struct attribute *attribute = find_attribute(attributes, name);
    return attribute && attribute->type == ATTRIBUTE_INTEGERS ? &attribute->integers : NULL;
}

/* --- declarations of attributes */

const struct op_attribute *op_attribute_named(const struct op *op, const char *name)
{
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        if (strcmp(op->attributes[a].name, name) == 0) {
            return &op->attributes[a];
        }
    }
    return NULL;
}

/* Returns the next word of the attribute from `choice` on; NULL if there is none. */
static const struct op_choice *next_choice(const struct op *op, const char *attribute,
                                           const struct op_choice *choice)
{
    while (choice < op->choices + CHOICES_MAX && choice->attribute) {
        if (strcmp(choice->attribute, attribute) == 0) {
            return choice;
        }
        choice++;
    }
    return NULL;
}

const struct op_choice *op_choice_named(const struct op *op, const char *attribute, const char *word)
{
    const struct op_choice *choice = next_choice(op, attribute, op->choices);
    while (choice && strcmp(choice->word, word) != 0) {
        choice = next_choice(op, attribute, choice + 1);
    }
    return choice;
}

const struct op_choice *op_choice_numbered(const struct op *op, const char *attribute, int64_t number)
{
    const struct op_choice *choice = next_choice(op, attribute, op->choices);
    while (choice && choice->number != number) {
        choice = next_choice(op, attribute, choice + 1);
    }
    return choice;
}

void op_print_choices(const struct op *op, const char *attribute, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    const struct op_choice *next, *choice = next_choice(op, attribute, op->choices);
    for (bool first = true; choice && used < size; choice = next, first = false) {
        next = next_choice(op, attribute, choice + 1);
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 first  ? ""
                                 : next ? ", "
                                        : " or ",
                                 choice->word);
    }
}
