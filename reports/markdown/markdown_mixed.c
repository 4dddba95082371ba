/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The counts behind the signs of the matrix: cells whose cases have several statuses. */
#include "reference/base/memory.h"
#include "reports/markdown/markdown_parts.h"
#include "reports/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_COLUMNS = 160 };

static bool mixed(const struct parity_cell *cell)
{
    return cell->cases && cell->count[cell->verdict] < cell->cases;
}

static bool put_line(FILE *to, const struct parity *parity, const struct parity_row *row, int k)
{
    char *verdict = parity_verdict(&row->cell[k]);
    const char *const parts[] = {row->family, "/", row->op, "/", row->dtype};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        text_put_line(to, parts[i]);
    }
    if (parity->columns > 1) {
        putc(' ', to);
        text_put_line(to, parity->column[k].backend);
    }
    fprintf(to, ": %s\n", verdict ? verdict : "");
    free(verdict);
    return verdict;
}

void markdown_mixed(struct markdown *markdown, const struct parity *parity)
{
    char *text = NULL;
    size_t size;
    int cells = 0;
    FILE *to = open_memstream(&text, &size);
    markdown->ok = markdown->ok && to;
    for (int i = 0; to && i < parity->rows; i++) {
        for (int k = 0; k < parity->columns; k++) {
            if (mixed(&parity->row[i].cell[k])) {
                markdown->ok = put_line(to, parity, &parity->row[i], k) && markdown->ok;
                cells++;
            }
        }
    }
    markdown->ok = to && memory_stream_text(to, &text) && markdown->ok;
    if (cells && text) {
        markdown_put(markdown,
                     "<details><summary>%d cell%s of several statuses, with the counts</summary>\n\n", cells,
                     cells == 1 ? "" : "s");
        int left = markdown_block(markdown, text, LINE_COLUMNS);
        if (left) {
            markdown_say(markdown, "\n%d did not fit; csv has the counts of all.\n", left);
        }
        markdown_say(markdown, "\n</details>\n\n");
    }
    free(text);
}
