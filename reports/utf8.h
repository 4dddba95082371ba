/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_UTF8_H
#define ASSAY_REPORTS_UTF8_H

/* UTF-8 (RFC 3629) for reports. Texts come from drivers, workers and devices, so no byte of them is trusted.
 * Surrogates, overlong forms and values above U+10FFFF are ill-formed. There is no state; all functions are
 * thread-safe. */

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

/* A copy that is safe in XML 1.0, on a terminal and in a table, for the caller to free; NULL when out of
 * memory. It is repaired as by utf8_repair, and "\r\n" becomes a newline. These are spelled out ("\x1b",
 * "\u202e"): control characters except newline and tab, U+FFFE and U+FFFF, and characters that reorder or
 * hide text, so that a text cannot look like another one. NULL text gives "". */
char *utf8_visible(const char *text);

/* True if utf8_visible spells this code point out. */
bool utf8_is_hidden(uint32_t code);

/* Width on a terminal: code points without combining marks (U+0300 to U+036F). */
int utf8_columns(const char *text);

#endif
