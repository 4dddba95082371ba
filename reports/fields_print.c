/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/fields_print.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(struct json_text *to, const char *text, size_t length)
{
    if (to->used + length + 1 > to->room) {
        size_t room = 2 * (to->used + length) + 1024;
        char *larger = to->failed ? NULL : realloc(to->text, room);
        if (!larger) {
            to->failed = true;
            return;
        }
        to->text = larger;
        to->room = room;
    }
    memcpy(to->text + to->used, text, length);
    to->used += length;
    to->text[to->used] = 0;
}

void json_text_add(struct json_text *to, const char *text)
{
    add(to, text, strlen(text));
}

static void add_unsigned(struct json_text *to, uint64_t value)
{
    char digit[24];
    size_t at = sizeof digit;
    do {
        digit[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    add(to, digit + at, sizeof digit - at);
}

void json_text_integer(struct json_text *to, int64_t value)
{
    if (value < 0)
        add(to, "-", 1);
    add_unsigned(to, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* What must be escaped: quotes, backslashes, controls. */
static void add_escape(struct json_text *to, unsigned char c)
{
    static const char letters[] = "\"\\bfnrt", meant[] = "\"\\\b\f\n\r\t";
    const char *found = strchr(meant, c);
    char text[8];
    if (found)
        snprintf(text, sizeof text, "\\%c", letters[found - meant]);
    else
        snprintf(text, sizeof text, "\\u%04X", c);
    json_text_add(to, text);
}

static void add_quoted(struct json_text *to, const char *text)
{
    add(to, "\"", 1);
    while (*text) {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\')
            plain++;
        add(to, text, plain);
        text += plain;
        if (*text)
            add_escape(to, (unsigned char)*text++);
    }
    add(to, "\"", 1);
}

static void add_text(struct json_text *to, const char *text)
{
    char *valid = utf8_repair(text, strlen(text));
    if (valid)
        add_quoted(to, valid);
    to->failed = to->failed || !valid;
    free(valid);
}

/* 17 digits, which give the number back; a dot or an exponent, so that it stays a real. */
static void add_real(struct json_text *to, double value)
{
    char text[40];
    if (isnan(value) || isinf(value)) {
        json_text_add(to, isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"");
        return;
    }
    if (value == 0) {
        json_text_add(to, signbit(value) ? "-0.0" : "0.0");
        return;
    }
    int length = snprintf(text, sizeof text, "%.17g", value);
    char *exponent = memchr(text, 'e', (size_t)length);
    if (!exponent && !memchr(text, '.', (size_t)length)) {
        strcpy(text + length, ".0");
    } else if (exponent) {
        /* no plus, no zeros in front */
        char *from = exponent + 1 + (exponent[1] == '+' || exponent[1] == '-');
        char *digits = exponent + 1 + (exponent[1] == '-');
        from += strspn(from, "0");
        memmove(digits, from, strlen(from) + 1);
    }
    json_text_add(to, text);
}

static void add_field(struct json_text *to, const struct field *field, const void *at)
{
    switch (field->kind) {
    case TEXT:
        add_text(to, *(char *const *)at);
        return;
    case STATUS:
        add_quoted(to, status_name(*(const enum status *)at));
        return;
    case INT:
        json_text_integer(to, *(const int *)at);
        return;
    case INT64:
        json_text_integer(to, *(const int64_t *)at);
        return;
    case UINT64: /* what int64 cannot hold is a string, as in fields_put */
        json_text_add(to, *(const uint64_t *)at > INT64_MAX ? "\"" : "");
        add_unsigned(to, *(const uint64_t *)at);
        json_text_add(to, *(const uint64_t *)at > INT64_MAX ? "\"" : "");
        return;
    case REAL:
        add_real(to, *(const double *)at);
        return;
    }
}

void fields_print(struct json_text *to, const void *base, const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const void *at = (const char *)base + fields[i].offset;
        if (fields[i].kind == TEXT && !*(char *const *)at)
            continue;
        json_text_add(to, to->used && to->text[to->used - 1] == '{' ? "\"" : ",\"");
        json_text_add(to, fields[i].name);
        json_text_add(to, "\":");
        add_field(to, &fields[i], at);
    }
}
