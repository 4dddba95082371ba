/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/agreement.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Moves *text to the next word of a list separated by blanks. Returns the length of the word; 0 at the end.
 */
static size_t next_word(const char **text)
{
    *text += strspn(*text, " ");
    return strcspn(*text, " ");
}

static bool has_word(const char *text, const char *word, size_t length)
{
    for (size_t n; (n = next_word(&text)) > 0; text += n) {
        if (n == length && memcmp(text, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Finds the first word of `text` that `other` does not contain. Returns its length; 0 when there is none. */
static size_t missing_word(const char *text, const char *other, const char **word)
{
    for (size_t n; (n = next_word(&text)) > 0; text += n) {
        if (!has_word(other, text, n)) {
            *word = text;
            return n;
        }
    }
    return 0;
}

static bool same_words(const char *a, const char *b)
{
    const char *word;
    return a && b ? missing_word(a, b, &word) == 0 && missing_word(b, a, &word) == 0 : a == b;
}

static bool same_text(const char *what, const char *first, const char *other, char *text, size_t size)
{
    if (same_words(first, other)) {
        return true;
    }
    snprintf(text, size, "%s is \"%.100s\"; the first worker's was \"%.100s\"", what, other ? other : "",
             first ? first : "");
    return false;
}

/* Compares the lists of offered operators, whose words look like "sgn:float32,float64". Names one word that
 * differs, because the whole list is too long for a message. */
static bool same_offers(const char *first, const char *other, char *text, size_t size)
{
    const char *word;
    first = first ? first : "";
    other = other ? other : "";
    size_t length = missing_word(first, other, &word);
    if (length > 0) {
        snprintf(text, size, "it does not offer %.*s; the first worker's did", (int)length, word);
        return false;
    }
    length = missing_word(other, first, &word);
    if (length > 0) {
        snprintf(text, size, "it offers %.*s; the first worker's did not", (int)length, word);
    }
    return length == 0;
}

static const char *profile_value(const struct record_header *header, const char *name)
{
    for (int i = 0; i < header->profile_count; i++) {
        if (strcmp(header->profile[i].name, name) == 0) {
            return header->profile[i].value;
        }
    }
    return NULL;
}

/* Returns true if every member of profile `a` is in `b` with the same value. `a_first`: `a` is the first
 * worker's. */
static bool same_profile(const struct record_header *a, const struct record_header *b, bool a_first,
                         char *text, size_t size)
{
    for (int i = 0; i < a->profile_count; i++) {
        char what[128];
        const char *name = a->profile[i].name, *mine = a->profile[i].value, *theirs = profile_value(b, name);
        snprintf(what, sizeof what, "the profile's %s", name);
        if (!same_text(what, a_first ? mine : theirs, a_first ? theirs : mine, text, size)) {
            return false;
        }
    }
    return true;
}

bool agreement_holds(const struct record_header *first, const struct record_header *other, char *text,
                     size_t size)
{
    if (first->device_memory_bytes != other->device_memory_bytes) {
        snprintf(text, size, "the device has %" PRIu64 " bytes of memory; the first worker's had %" PRIu64,
                 other->device_memory_bytes, first->device_memory_bytes);
        return false;
    }
    return same_text("the device", first->device, other->device, text, size) &&
           same_text("the driver", first->driver, other->driver, text, size) &&
           same_text("the API", first->api, other->api, text, size) &&
           same_profile(first, other, true, text, size) && same_profile(other, first, false, text, size) &&
           same_offers(first->offers, other->offers, text, size);
}
