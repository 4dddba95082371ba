/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/attributes.h"
#include "harness/options/nearest.h"
#include "reference/matmul.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* strtoll without what it forgives: a value out of range, no digits. *end is where it stopped. */
static bool whole(const char *text, char **end, int64_t *x)
{
    errno = 0;
    long long value = strtoll(text, end, 10);
    *x = value;
    return *end != text && errno == 0;
}

static bool is_whole(const char *text, int64_t *x)
{
    char *end;
    return !isspace((unsigned char)*text) && whole(text, &end, x) && !*end;
}

/* A number that float64 holds; what overflows is no number, an infinity is written out. */
static bool is_real(const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    bool written = strcasestr(text, "inf") != NULL;
    return !isspace((unsigned char)*text) && end != text && !*end && (!isinf(*x) || written);
}

static bool is_bool(const char *text, int64_t *x)
{
    *x = strcasecmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *x || strcasecmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

/* What autocast may cast to, by name or by ONNX's number. */
static bool is_dtype(const char *text, int64_t *x)
{
    *x = strcmp(text, "float16") == 0 ? ONNX_FLOAT16 : strcmp(text, "bfloat16") == 0 ? ONNX_BFLOAT16 : 0;
    return *x || (is_whole(text, x) && (*x == ONNX_FLOAT16 || *x == ONNX_BFLOAT16));
}

static const char *past_blanks(const char *text)
{
    return text + strspn(text, " ");
}

static bool is_list(const char *text, struct shape *list)
{
    char close = *text == '[' ? ']' : *text == '(' ? ')' : '\0';
    text += close != '\0';
    *list = (struct shape){.rank = 0};
    for (;;) {
        char *end;
        if (list->rank == RANK_MAX || !whole(text, &end, &list->dim[list->rank])) {
            return false;
        }
        list->rank++;
        text = past_blanks(end);
        if (*text != ',') {
            break;
        }
        text = past_blanks(text + 1);
    }
    return *text == close && (!close || !text[1]);
}

/* What the type takes; *value where the text fits it. */
static const char *convert(enum attribute_type type, const char *text, struct attribute *value)
{
    value->type = type;
    switch (type) {
    case ATTRIBUTE_INTEGER:
        return is_whole(text, &value->integer) ? NULL : "a whole number of at most 64 bits";
    case ATTRIBUTE_REAL:
        return is_real(text, &value->real) ? NULL : "a number, inf, -inf or nan";
    case ATTRIBUTE_BOOL:
        return is_bool(text, &value->integer) ? NULL : "true, false, 1 or 0";
    case ATTRIBUTE_INTEGERS:
        return is_list(text, &value->integers) ? NULL : "1 to 6 whole numbers: 4, or 2,3";
    case ATTRIBUTE_DTYPE:
        value->type = ATTRIBUTE_INTEGER;
        return is_dtype(text, &value->integer) ? NULL : "float16 or bfloat16";
    case ATTRIBUTE_NUMBER: /* settled when the dtype is known */
        value->type = is_whole(text, &value->integer) ? ATTRIBUTE_INTEGER : ATTRIBUTE_REAL;
        return value->type == ATTRIBUTE_INTEGER || is_real(text, &value->real) ? NULL
                                                                               : "a number, inf, -inf or nan";
    }
    return "nothing";
}

static bool unknown(const struct op *op, const char *text, const char *name, struct error *error)
{
    char known[256] = "";
    struct nearest nearest = {.word = name};
    size_t used = 0;
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name && used < sizeof known; a++) {
        nearest_offer(&nearest, op->attributes[a].name);
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", a ? ", " : "",
                                 op->attributes[a].name);
    }
    if (!known[0]) {
        return error_set(error, "--attr %s: %s has no attributes", text, op->name);
    }
    return error_set(error, "--attr %s: %s has no attribute \"%s\"%s%s; it has %s", text, op->name, name,
                     nearest.best ? ", did you mean " : "", nearest.best ? nearest.best : "", known);
}

static bool read_one(const struct op *op, const char *text, struct attributes *attributes,
                     struct error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        return error_set(error, "--attr %s: give NAME=VALUE", text);
    }
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    const struct op_attribute *declared = NULL;
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name && !declared; a++) {
        declared = strcmp(op->attributes[a].name, name) == 0 ? &op->attributes[a] : NULL;
    }
    if (!declared) {
        return unknown(op, text, name, error);
    }
    for (int a = 0; a < attributes->count; a++) {
        if (attributes->item[a].name == declared->name) {
            return error_set(error, "--attr %s: %s is given twice", text, name);
        }
    }
    struct attribute *attribute = &attributes->item[attributes->count++];
    *attribute = (struct attribute){.name = declared->name};
    const char *takes = convert(declared->type, equals + 1, attribute);
    return !takes || error_set(error, "--attr %s: \"%s\" does not fit %s of %s, which takes %s", text,
                               equals + 1, name, op->name, takes);
}

bool repro_attributes_read(const struct op *op, const struct texts *texts, struct attributes *attributes,
                           struct error *error)
{
    *attributes = (struct attributes){.count = 0};
    for (int t = 0; t < texts->count; t++) {
        if (!read_one(op, texts->text[t], attributes, error)) {
            return false;
        }
    }
    return true;
}

static bool is_number(const struct op *op, const char *name)
{
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        if (strcmp(op->attributes[a].name, name) == 0) {
            return op->attributes[a].type == ATTRIBUTE_NUMBER;
        }
    }
    return false;
}

bool repro_attributes_settle(const struct op *op, enum dtype leading, struct attributes *attributes,
                             struct error *error)
{
    for (int a = 0; a < attributes->count; a++) {
        struct attribute *attribute = &attributes->item[a];
        if (!is_number(op, attribute->name)) {
            continue;
        }
        if (dtype_is_floating(leading) && attribute->type == ATTRIBUTE_INTEGER) {
            attribute->real = (double)attribute->integer;
            attribute->type = ATTRIBUTE_REAL;
        } else if (!dtype_is_floating(leading) && attribute->type == ATTRIBUTE_REAL) {
            return error_set(
                error,
                "--attr %s=%g: %s of %s takes a whole number of at most 64 bits; --dtype float32 "
                "rounds the inputs to a floating type first",
                attribute->name, attribute->real, op->name, dtype_info(leading)->name);
        }
    }
    return true;
}
