/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/html/html_text.h"

#include "reports/text.h"
#include "reports/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void html_number(FILE *to, double value, int digits)
{
    char text[TEXT_NUMBER];
    if (isnan(value)) {
        fputs("null", to);
        return;
    }
    if (isinf(value)) {
        fputs(value > 0 ? "\"inf\"" : "\"-inf\"", to);
        return;
    }
    if (digits == HTML_EXACT) {
        text_exact(value, text);
    } else {
        snprintf(text, sizeof text, "%.*g", digits, value);
    }
    /* "1e-07" is "1e-7", "2e+05" is "2e5" */
    char *exponent = strchr(text, 'e');
    if (exponent) {
        const char *from = exponent + 1;
        char *end = exponent + 1;
        if (*from == '-') {
            *end++ = *from;
        }
        from += strspn(from, "+-0");
        memmove(end, from, strlen(from) + 1);
    }
    fputs(text, to);
}

void html_string(FILE *to, const char *text)
{
    if (!text) {
        fputs("null", to);
        return;
    }
    char *visible = utf8_visible(text);
    putc('"', to);
    for (const char *c = visible; c && *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == '\n' || byte == '\t') {
            fputs(byte == '\n' ? "\\n" : "\\t", to);
        } else if (byte == '"' || byte == '\\') {
            fprintf(to, "\\%c", byte);
        } else if (byte < 0x20 || byte == '<' || byte == '>' || byte == '&') {
            fprintf(to, "\\u%04x", byte);
        } else {
            putc(byte, to);
        }
    }
    putc('"', to);
    free(visible);
}

static int *slot_of(const struct html_texts *texts, const char *text)
{
    size_t mask = (size_t)texts->slots - 1; /* `slots` is a power of two and the table is never full */
    size_t at = (size_t)XXH3_64bits(text, strlen(text)) & mask;
    while (texts->slot[at] && strcmp(texts->text[texts->slot[at] - 1], text)) {
        at = (at + 1) & mask;
    }
    return &texts->slot[at];
}

static bool grow(struct html_texts *texts)
{
    int room = texts->room ? 2 * texts->room : 256;
    const char **larger = realloc(texts->text, (size_t)room * sizeof *larger);
    int *slot = calloc(2 * (size_t)room, sizeof *slot);
    if (larger) {
        texts->text = larger;
    }
    if (!larger || !slot) {
        free(slot);
        return false;
    }
    free(texts->slot);
    texts->slot = slot;
    texts->slots = 2 * room;
    texts->room = room;
    for (int i = 0; i < texts->count; i++) {
        *slot_of(texts, texts->text[i]) = i + 1;
    }
    return true;
}

int html_texts_add(struct html_texts *texts, const char *text)
{
    if (!text || texts->failed) {
        return -1;
    }
    if (texts->count == texts->room && !grow(texts)) {
        texts->failed = true;
        return -1;
    }
    int *slot = slot_of(texts, text);
    if (!*slot) {
        texts->text[texts->count++] = text;
        *slot = texts->count;
    }
    return *slot - 1;
}

void html_texts_write(FILE *to, const struct html_texts *texts)
{
    putc('[', to);
    for (int i = 0; i < texts->count; i++) {
        if (i) {
            putc(',', to);
        }
        html_string(to, texts->text[i]);
    }
    putc(']', to);
}

void html_texts_destroy(struct html_texts *texts)
{
    free(texts->text);
    free(texts->slot);
    *texts = (struct html_texts){.count = 0};
}
