/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/fields_scan.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void skip_blanks(struct scan *scan)
{
    while (scan->at < scan->end && strchr(" \t\r\n", *scan->at) && *scan->at)
        scan->at++;
}

static bool next_is(struct scan *scan, char c)
{
    skip_blanks(scan);
    bool is = scan->at < scan->end && *scan->at == c;
    scan->at += is;
    return is;
}

/* A string of plain ASCII as it stands between its quotes; `escapes` where it has some of one letter. */
static bool scan_string(struct scan *scan, const char **text, size_t *length, bool *escapes)
{
    *escapes = false;
    if (!next_is(scan, '"'))
        return false;
    *text = scan->at;
    for (; scan->at < scan->end && *scan->at != '"'; scan->at++) {
        if ((unsigned char)*scan->at < 0x20 || (unsigned char)*scan->at >= 0x80)
            return false;
        if (*scan->at == '\\') {
            *escapes = true;
            scan->at++;
            if (scan->at >= scan->end || !*scan->at || !strchr("\"\\/bfnrt", *scan->at))
                return false;
        }
    }
    *length = (size_t)(scan->at - *text);
    return next_is(scan, '"');
}

static bool scan_text(struct scan *scan, char **value)
{
    const char *text;
    size_t length, used = 0;
    bool escapes;
    if (!scan_string(scan, &text, &length, &escapes) || !(*value = malloc(length + 1)))
        return false;
    if (!escapes) {
        memcpy(*value, text, length);
        used = length;
    }
    for (size_t i = 0; escapes && i < length; i++) {
        static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
        const char *letter = text[i] == '\\' ? strchr(letters, text[i + 1]) : NULL;
        i += text[i] == '\\';
        (*value)[used++] = letter ? meant[letter - letters] : text[i];
    }
    (*value)[used] = 0;
    return true;
}

static size_t digits(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return (size_t)(at - from);
}

/* The length of a number by JSON's grammar, 0 for none; `whole` where it has neither fraction nor exponent.
 */
static size_t number(const struct scan *scan, bool *whole)
{
    const char *at = scan->at, *end = scan->end;
    at += at < end && *at == '-';
    size_t count = digits(at, end);
    if (count == 0 || (count > 1 && *at == '0'))
        return 0;
    at += count;
    *whole = true;
    if (at < end && *at == '.') {
        *whole = false;
        count = digits(at + 1, end);
        at += 1 + count;
        if (count == 0)
            return 0;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        *whole = false;
        at += 1 + (at + 1 < end && (at[1] == '+' || at[1] == '-'));
        count = digits(at, end);
        at += count;
        if (count == 0)
            return 0;
    }
    return at < end ? (size_t)(at - scan->at) : 0;
}

/* Up to 18 digits, which no int64 lacks. */
bool scan_integer(struct scan *scan, int64_t *value)
{
    bool whole;
    skip_blanks(scan);
    size_t length = number(scan, &whole);
    bool negative = length && *scan->at == '-';
    if (!length || !whole || length - negative > 18)
        return false;
    *value = 0;
    for (size_t i = negative; i < length; i++)
        *value = 10 * *value + (scan->at[i] - '0');
    *value = negative ? -*value : *value;
    scan->at += length;
    return true;
}

static bool scan_named_real(struct scan *scan, double *value)
{
    static const struct {
        const char *name;
        double value;
    } special[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    const char *text;
    size_t length;
    bool escapes;
    if (!scan_string(scan, &text, &length, &escapes))
        return false;
    for (size_t i = 0; i < COUNT(special); i++) {
        if (strlen(special[i].name) == length && !memcmp(special[i].name, text, length)) {
            *value = special[i].value;
            return true;
        }
    }
    return false;
}

static bool scan_real(struct scan *scan, double *value)
{
    bool whole;
    skip_blanks(scan);
    if (scan->at < scan->end && *scan->at == '"')
        return scan_named_real(scan, value);
    size_t length = number(scan, &whole);
    int64_t integer;
    if (whole && length && scan_integer(scan, &integer)) {
        *value = (double)integer;
        return true;
    }
    if (length == 3 && !memcmp(scan->at, "0.0", 3))
        *value = 0;
    else if (length)
        *value = strtod(scan->at, NULL); /* the number ends before `end`, at what is none of it */
    scan->at += length;
    return length && !isinf(*value) && !whole;
}

static bool scan_status(struct scan *scan, enum status *status)
{
    char name[32];
    const char *text;
    size_t length;
    bool escapes;
    if (!scan_string(scan, &text, &length, &escapes) || escapes || length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = 0;
    return status_from_name(name, status);
}

static bool scan_field(struct scan *scan, const struct field *field, void *at)
{
    int64_t whole;
    switch (field->kind) {
    case TEXT:
        return scan_text(scan, at);
    case STATUS:
        return scan_status(scan, at);
    case INT:
        if (!scan_integer(scan, &whole) || whole < INT_MIN || whole > INT_MAX)
            return false;
        *(int *)at = (int)whole;
        return true;
    case INT64:
        return scan_integer(scan, at);
    case UINT64:
        return false;
    case REAL:
        return scan_real(scan, at);
    }
    return false;
}

/* The member of this name, sought from `hint` on: they come in the order of the table. */
static size_t find(const struct field *fields, size_t count, size_t hint, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = hint + i < count ? hint + i : hint + i - count;
        if (!strncmp(fields[at].name, name, length) && !fields[at].name[length])
            return at;
    }
    return count;
}

bool fields_scan(struct scan *scan, void *base, const struct field *fields, size_t count,
                 const struct scan_other *other)
{
    uint64_t seen = 0;
    size_t hint = 0;
    if (count > 64 || !next_is(scan, '{'))
        return false;
    for (bool more = true; more; more = next_is(scan, ',')) {
        const char *name;
        size_t length;
        bool escapes;
        if (!scan_string(scan, &name, &length, &escapes) || escapes || !next_is(scan, ':'))
            return false;
        size_t at = find(fields, count, hint, name, length);
        if (at == count) {
            if (!other || !other->take(scan, name, length, other->user))
                return false;
            continue;
        }
        if (seen >> at & 1 || !scan_field(scan, &fields[at], (char *)base + fields[at].offset))
            return false;
        seen |= UINT64_C(1) << at;
        hint = at + 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (fields[i].required && !(seen >> i & 1))
            return false;
    }
    return next_is(scan, '}');
}

bool scan_integers(struct scan *scan, int64_t *value, int most, int *count)
{
    *count = 0;
    if (!next_is(scan, '['))
        return false;
    if (next_is(scan, ']'))
        return true;
    do {
        if (*count >= most || !scan_integer(scan, &value[*count]))
            return false;
        ++*count;
    } while (next_is(scan, ','));
    return next_is(scan, ']');
}

bool scan_ends(struct scan *scan)
{
    skip_blanks(scan);
    return scan->at == scan->end;
}
