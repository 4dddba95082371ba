/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_UTF8_H
#define ASSAY_REPORTS_UTF8_H

/* UTF-8 (RFC 3629) as reports need it: texts come from drivers, workers and devices, so no byte of them is
 * trusted. Surrogates, overlong forms and values above U+10FFFF are ill-formed. No state; thread-safe. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xfffd };

/* Decodes one code point of at most `length` bytes, `length` > 0. Returns the bytes consumed (≥ 1); an
 * ill-formed sequence gives UTF8_REPLACEMENT and consumes its longest well-formed beginning, or one byte. */
size_t utf8_decode(const char *text, size_t length, uint32_t *code);

/* Encodes a valid code point; returns the bytes written. */
size_t utf8_encode(uint32_t code, char out[4]);

/* A valid copy that the caller frees: every ill-formed sequence and every NUL becomes U+FFFD. NULL when out
 * of memory. */
char *utf8_repair(const char *text, size_t length);

/* A copy that is safe in XML 1.0, on a terminal and in a table, for the caller to free: repaired, and control
 * characters but newline and tab, which XML forbids and terminals obey, are spelled out ("\x1b"), U+FFFE and
 * U+FFFF likewise; so are the characters that change the order of what follows or show as nothing ("\u202e"),
 * behind which a text may say something else than it seems to.
 * "\r\n" is a newline. NULL text gives "". NULL when out of memory. */
char *utf8_visible(const char *text);

/* Whether the code point is one of those that utf8_visible spells out. */
bool utf8_is_hidden(uint32_t code);

/* Columns on a terminal: code points without combining marks. */
int utf8_columns(const char *text);

#endif
