/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/collection_parts.h"

const char *collection_printable(const char *text, char printable[201])
{
    size_t n = 0;
    for (; text[n] && n < 200; n++) {
        unsigned char c = (unsigned char)text[n];
        bool control = c < 32 || c == 127 || (n && (unsigned char)text[n - 1] == 0xC2 && c < 0xA0);
        printable[n] = control ? '?' : text[n];
    }
    while (text[n] && n && ((unsigned char)text[n] & 0xC0) == 0x80) {
        n--; /* do not cut a character in half */
    }
    printable[n] = 0;
    return printable;
}
