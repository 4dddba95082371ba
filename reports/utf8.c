/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of a sequence by its first byte, and the range of its second byte, which excludes overlong
 * forms, surrogates and values above U+10FFFF; 0 for a byte that begins no sequence. */
static size_t lead(unsigned char byte, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xbf;
    if (byte < 0x80) {
        return 1;
    }
    if (byte >= 0xc2 && byte <= 0xdf) {
        return 2;
    }
    if (byte >= 0xe0 && byte <= 0xef) {
        if (byte == 0xe0) {
            *low = 0xa0;
        }
        if (byte == 0xed) {
            *high = 0x9f;
        }
        return 3;
    }
    if (byte >= 0xf0 && byte <= 0xf4) {
        if (byte == 0xf0) {
            *low = 0x90;
        }
        if (byte == 0xf4) {
            *high = 0x8f;
        }
        return 4;
    }
    return 0;
}

size_t utf8_decode(const char *text, size_t length, uint32_t *code)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char low, high;
    size_t need = lead(bytes[0], &low, &high);
    if (need == 1) {
        *code = bytes[0];
        return 1;
    }
    *code = UTF8_REPLACEMENT;
    if (need == 0) {
        return 1;
    }
    uint32_t value = bytes[0] & (0xffU >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if (i >= length || bytes[i] < low || bytes[i] > high) {
            return i;
        }
        value = value << 6 | (bytes[i] & 0x3fU);
        low = 0x80;
        high = 0xbf;
    }
    *code = value;
    return need;
}

size_t utf8_encode(uint32_t code, char out[4])
{
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; code >>= 6) {
        out[i] = (char)(0x80U | (code & 0x3fU));
    }
    out[0] = (char)(marks[size] | code);
    return size;
}

/* True if the text is ASCII without NUL and needs no repair. */
static bool plain(const char *text, size_t length)
{
    unsigned char high = 0;
    for (size_t i = 0; i < length; i++) {
        high |= (unsigned char)(text[i] | (text[i] == 0 ? 0x80 : 0));
    }
    return high < 0x80;
}

char *utf8_repair(const char *text, size_t length)
{
    if (plain(text, length)) {
        return strndup(text, length);
    }
    char *copy = malloc(3 * length + 1); /* one bad byte becomes the three of U+FFFD */
    if (!copy) {
        return NULL;
    }
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += utf8_decode(text + at, length - at, &code);
        used += utf8_encode(code ? code : UTF8_REPLACEMENT, copy + used);
    }
    copy[used] = 0;
    return copy;
}

/* True for bidirectional controls, zero-width and other invisible format characters and line separators:
 * Unicode 15, categories Cf, Zl and Zp, except prepended marks of Arabic and others that are visible. */
static bool invisible(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0xad, 0xad},     {0x34f, 0x34f},   {0x61c, 0x61c},   {0x115f, 0x1160},  {0x17b4, 0x17b5},
        {0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},  {0x3164, 0x3164},
        {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        if (code >= ranges[r][0] && code <= ranges[r][1]) {
            return true;
        }
    }
    return false;
}

static bool is_control(uint32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
}

bool utf8_is_hidden(uint32_t code)
{
    return is_control(code) || code == 0xfffe || code == 0xffff || invisible(code);
}

char *utf8_visible(const char *text)
{
    size_t length = text ? strlen(text) : 0, used = 0;
    char *copy = malloc(4 * length + 8); /* "\\x1b" is four bytes for one, "\\u00ad" six for two */
    if (!copy) {
        return NULL;
    }
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += utf8_decode(text + at, length - at, &code);
        if (code == '\r' && at < length && text[at] == '\n') {
            continue;
        }
        if (!utf8_is_hidden(code)) {
            used += utf8_encode(code, copy + used);
        } else if (is_control(code)) {
            used += (size_t)sprintf(copy + used, "\\x%02x", (unsigned)code);
        } else {
            used += (size_t)sprintf(copy + used, code <= 0xffff ? "\\u%04x" : "\\U%08x", (unsigned)code);
        }
    }
    copy[used] = 0;
    return copy;
}

int utf8_columns(const char *text)
{
    int columns = 0;
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += utf8_decode(text + at, length - at, &code);
        columns += code < 0x300 || code > 0x36f;
    }
    return columns;
}
