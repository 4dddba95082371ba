/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The verdict of a cell of the parity table, and its sign. Every format takes both from here. */
#include "reference/base/memory.h"
#include "reports/parity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum status order[STATUS_COUNT] = {
    STATUS_FAIL,    STATUS_CRASH,   STATUS_TIMEOUT,         STATUS_ERROR,
    STATUS_MISSING, STATUS_FLAKE,   STATUS_UNEXPECTED_PASS, STATUS_EXPECTED_FAIL,
    STATUS_PASS,    STATUS_VACUOUS, STATUS_UNSUPPORTED,
};

int parity_rank(enum status status)
{
    int i = 0;
    while (i < STATUS_COUNT - 1 && order[i] != status) {
        i++;
    }
    return i;
}

enum status parity_status_at(int rank)
{
    return order[rank];
}

static const struct {
    const char *sign, *meaning;
} signs[STATUS_COUNT] = {
    [STATUS_PASS] = {"✓", "pass (some cases may be vacuous or unsupported)"},
    [STATUS_FAIL] = {"F", "fail"},
    [STATUS_VACUOUS] = {"v", "vacuous, and no case passes: no evidence"},
    [STATUS_UNSUPPORTED] = {"·", "unsupported"},
    [STATUS_CRASH] = {"C", "crash"},
    [STATUS_TIMEOUT] = {"T", "timeout"},
    [STATUS_ERROR] = {"E", "error"},
    [STATUS_MISSING] = {"M", "missing"},
    [STATUS_EXPECTED_FAIL] = {"k", "known failure (in the baseline)"},
    [STATUS_UNEXPECTED_PASS] = {"!", "unexpected pass"},
    [STATUS_FLAKE] = {"~", "flake"},
};

const char *parity_sign(enum status status)
{
    return signs[status].sign;
}

const char *parity_sign_meaning(enum status status)
{
    return signs[status].meaning;
}

const char *parity_cell_sign(const struct parity_cell *cell)
{
    bool range = cell->range && (cell->verdict == STATUS_PASS || cell->verdict == STATUS_VACUOUS);
    return range ? PARITY_RANGE_SIGN : parity_sign(cell->verdict);
}

char *parity_verdict(const struct parity_cell *cell)
{
    char *text = NULL;
    size_t size;
    FILE *memory = cell->cases ? open_memstream(&text, &size) : NULL;
    if (!memory) {
        return cell->cases ? NULL : strdup("-");
    }
    fputs(status_name(cell->verdict), memory);
    const char *before = " (";
    for (int i = 0; i < STATUS_COUNT && cell->count[cell->verdict] != cell->cases; i++) {
        enum status status = parity_status_at(i);
        if (cell->count[status]) {
            fprintf(memory, "%s%d %s", before, cell->count[status], status_name(status));
            before = ", ";
        }
    }
    if (*before == ',') {
        putc(')', memory);
    }
    return memory_stream_text(memory, &text);
}
