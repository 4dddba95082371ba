/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/attributes.h"
#include "harness/host/nearest.h"
#include "reference/base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Reads a whole number as strtoll does. Returns false for a value out of range and for a text without digits.
 * *end points to where it stopped. */
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

/* Reads a real that float64 holds. Overflow is refused; an infinity must be written as such. */
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

static const char *past_blanks(const char *text)
{
    return text + strspn(text, " ");
}

static bool is_list(const char *text, struct integers *list)
{
    char close = *text == '[' ? ']' : *text == '(' ? ')' : '\0';
    text += close != '\0';
    *list = (struct integers){.count = 0};
    for (;;) {
        char *end;
        if (list->count == INTEGERS_MAX || !whole(text, &end, &list->item[list->count])) {
            return false;
        }
        list->count++;
        text = past_blanks(end);
        if (*text != ',') {
            break;
        }
        text = past_blanks(text + 1);
    }
    return *text == close && (!close || !text[1]);
}

/* Reads a word that the operator declares. For a CODE its number is accepted as well. */
static bool is_choice(const struct op *op, const struct op_attribute *declared, const char *text,
                      struct attribute *value)
{
    const struct op_choice *choice = op_choice_named(op, declared->name, text);
    if (!choice && declared->type == ATTRIBUTE_CODE && is_whole(text, &value->integer)) {
        choice = op_choice_numbered(op, declared->name, value->integer);
    }
    if (choice) {
        value->integer = choice->number;
        value->word = declared->type == ATTRIBUTE_CHOICE ? choice->word : NULL;
    }
    return choice != NULL;
}

/* Reads the text as the declared type into *value. Returns false if it does not fit; then *value says what is
 * accepted. */
static bool convert(const struct op *op, const struct op_attribute *declared, const char *text,
                    struct attribute *value, char *takes, size_t size)
{
    const char *kind = "a number, inf, -inf or nan";
    bool fits = false;
    value->type = declared->type;
    switch (declared->type) {
    case ATTRIBUTE_INTEGER:
        fits = is_whole(text, &value->integer);
        kind = "a whole number of at most 64 bits";
        break;
    case ATTRIBUTE_REAL:
        fits = is_real(text, &value->real);
        break;
    case ATTRIBUTE_BOOL:
        fits = is_bool(text, &value->integer);
        kind = "true, false, 1 or 0";
        break;
    case ATTRIBUTE_INTEGERS:
        fits = is_list(text, &value->integers);
        snprintf(takes, size, "1 to %d whole numbers: 4, or 2,3", INTEGERS_MAX);
        return fits;
    case ATTRIBUTE_CODE:
        value->type = ATTRIBUTE_INTEGER; /* fall through */
    case ATTRIBUTE_CHOICE:
        fits = is_choice(op, declared, text, value);
        op_print_choices(op, declared->name, takes, size);
        return fits;
    case ATTRIBUTE_NUMBER: /* its type is chosen once the dtype is known */
        value->type = is_whole(text, &value->integer) ? ATTRIBUTE_INTEGER : ATTRIBUTE_REAL;
        fits = value->type == ATTRIBUTE_INTEGER || is_real(text, &value->real);
        break;
    }
    snprintf(takes, size, "%s", kind);
    return fits;
}

static bool unknown(const struct op *op, const char *text, const char *name, struct error *error)
{
    char *known = NULL;
    size_t length = 0;
    struct nearest nearest = {.word = name};
    FILE *to = open_memstream(&known, &length);
    for (int a = 0; to && a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        nearest_offer(&nearest, op->attributes[a].name);
        fprintf(to, "%s%s", a ? ", " : "", op->attributes[a].name);
    }
    if (!memory_stream_text(to, &known)) {
        return error_set(error, "--attr %s: out of memory", text);
    }
    if (length == 0) {
        error_set(error, "--attr %s: %s has no attributes", text, op->name);
    } else {
        error_set(error, "--attr %s: %s has no attribute \"%s\"%s%s; it has %s", text, op->name, name,
                  nearest.best ? ", did you mean " : "", nearest.best ? nearest.best : "", known);
    }
    free(known);
    return false;
}

static bool read_one(const struct op *op, const char *text, struct attributes *attributes,
                     struct error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        return error_set(error, "--attr %s: give NAME=VALUE", text);
    }
    char *name = strndup(text, (size_t)(equals - text)), takes[200];
    const struct op_attribute *declared = name ? op_attribute_named(op, name) : NULL;
    bool known = declared || (name ? unknown(op, text, name, error) : error_set(error, "out of memory"));
    free(name);
    if (!known) {
        return false;
    }
    for (int a = 0; a < attributes->count; a++) {
        if (attributes->item[a].name == declared->name) {
            return error_set(error, "--attr %s: %s is given twice", text, declared->name);
        }
    }
    /* there is room: no more than the declared attributes are given */
    struct attribute *attribute = &attributes->item[attributes->count++];
    *attribute = (struct attribute){.name = declared->name};
    return convert(op, declared, equals + 1, attribute, takes, sizeof takes) ||
           error_set(error, "--attr %s: \"%s\" does not fit %s of %s, which takes %s", text, equals + 1,
                     declared->name, op->name, takes);
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

bool repro_attributes_resolve(const struct op *op, enum dtype leading, struct attributes *attributes,
                              struct error *error)
{
    for (int a = 0; a < attributes->count; a++) {
        struct attribute *attribute = &attributes->item[a];
        if (op_attribute_named(op, attribute->name)->type != ATTRIBUTE_NUMBER) {
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
