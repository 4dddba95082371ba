/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/nearest.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 255 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment (Damerau–Levenshtein without repeated edits), three rows. */
int nearest_distance(const char *a, const char *b)
{
    int la = (int)strnlen(a, WORD_MAX), lb = (int)strnlen(b, WORD_MAX);
    int rows[3][WORD_MAX + 1];
    for (int j = 0; j <= lb; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= la; i++) {
        int *before = rows[(i + 1) % 3], *above = rows[(i - 1) % 3], *row = rows[i % 3];
        row[0] = i;
        for (int j = 1; j <= lb; j++) {
            int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            row[j] = least(above[j - 1] + (ca != cb), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2])) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[la % 3][lb];
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    int length = (int)strnlen(nearest->word, WORD_MAX);
    int distance = nearest_distance(nearest->word, candidate);
    int limit = length / 3 > 2 ? length / 3 : length > 3 ? 2 : 1; /* farther is another word, not a slip */
    if (length >= 2 && strncasecmp(nearest->word, candidate, (size_t)length) == 0) {
        distance = least(distance, 1);
    }
    if (distance <= limit && distance < (int)strlen(candidate) &&
        (!nearest->best || distance < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}
