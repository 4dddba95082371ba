/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The members of the page's data that are not numbers: title, signs, headers, losses, the Markdown text. */

#include "reports/html/html_data.h"

#include "reports/markdown/markdown_parts.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_status_texts(FILE *to, const char *name, const char *(*of)(enum status))
{
    fprintf(to, "\"%s\":[", name);
    for (int s = 0; s < STATUS_COUNT; s++) {
        fputs(s ? "," : "", to);
        html_string(to, of((enum status)s));
    }
    fputs("],\n", to);
}

void html_words_write(FILE *to, const char *title)
{
    fputs("\"title\":", to);
    html_string(to, title);
    fputs(",\n", to);
    write_status_texts(to, "statuses", status_name);
    write_status_texts(to, "signs", parity_sign);
    write_status_texts(to, "meanings", parity_sign_meaning);
    fputs("\"range\":[", to);
    html_string(to, PARITY_RANGE_SIGN);
    putc(',', to);
    html_string(to, PARITY_RANGE_MEANING);
    fputs("],\n\"severity\":[", to);
    for (int s = 0; s < STATUS_COUNT; s++) {
        fprintf(to, "%s%d", s ? "," : "", status_severity((enum status)s));
    }
    fputs("],\n", to);
}

void html_losses_write(FILE *to, const struct losses *losses)
{
    fputs(",\n\"losses\":[", to);
    for (int i = 0; i < losses->count; i++) {
        char *text = loss_text(&losses->loss[i]);
        fputs(i ? "," : "", to);
        html_string(to, text ? text : "");
        free(text);
    }
    fputs("],\n\"lost\":[", to);
    for (int i = 0; i < losses->count; i++) {
        fputs(i ? ",[" : "[", to);
        html_string(to, losses->loss[i].backend);
        fprintf(to, ",%" PRId64 "]", losses->loss[i].lost);
    }
    putc(']', to);
}

bool html_markdown_write(FILE *to, const struct html_data *data)
{
    char *text = markdown_tables(data->results, data->parity);
    fputs(",\n\"markdown\":", to);
    html_string(to, text);
    bool ok = text;
    free(text);
    return ok;
}

void html_header_write(FILE *to, const struct parity_column *column)
{
    const struct record_header *header = column->header;
    fputs("\"name\":", to);
    html_string(to, column->backend);
    if (!header) {
        return;
    }
    const struct {
        const char *name, *value;
    } texts[] = {{"device", header->device},   {"driver", header->driver}, {"api", header->api},
                 {"assay", header->assay},     {"commit", header->commit}, {"reference", header->reference},
                 {"started", header->started}, {"level", header->level},   {"command", header->command},
                 {"shard", header->shard},     {"os", header->os},         {"cpu", header->cpu}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].value) {
            fprintf(to, ",\"%s\":", texts[i].name);
            html_string(to, texts[i].value);
        }
    }
    /* the seed is a text, because a double does not hold 64 bits */
    fprintf(to, ",\"seed\":\"%" PRIu64 "\",\"memory\":%" PRIu64 ",\"device_memory\":%" PRIu64, header->seed,
            header->memory_bytes, header->device_memory_bytes);
}
