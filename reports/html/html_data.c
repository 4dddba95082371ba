/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/html/html_data.h"

#include "reports/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    const struct record *record;
    int row, column;
};

static int by_row_and_id(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int by = a->row - b->row;
    by = by ? by : strcmp(a->record->id, b->record->id);
    by = by ? by : a->column - b->column;
    return by ? by : (a->record > b->record) - (a->record < b->record); /* both point into one array */
}

static struct entry *entries_of(const struct results *results, const struct parity *parity)
{
    struct entry *entry = calloc((size_t)results->records + 1, sizeof *entry);
    int row = -1, column = -1;
    for (int i = 0; entry && i < results->records; i++) {
        const struct record *record = &results->record[i];
        row = parity_row_of(parity, record->id, row);
        column = parity_column_after(parity, record->backend, column);
        entry[i] = (struct entry){record, row, column};
    }
    if (entry) {
        qsort(entry, (size_t)results->records, sizeof *entry, by_row_and_id);
    }
    return entry;
}

/* Groups the records into cases. A second record of one case and backend begins another case, so that the
 * page shows every record. */
static void fill_cases(struct html_data *data, const struct entry *entry, int records)
{
    int columns = data->parity->columns;
    const struct record **end = data->all;
    for (int i = 0; i < records; i++) {
        struct html_case *at = data->cases ? &data->at[data->cases - 1] : NULL;
        const struct entry *before = i ? &entry[i - 1] : NULL;
        if (!at || strcmp(before->record->id, entry[i].record->id) || at->record[entry[i].column]) {
            at = &data->at[data->cases++];
            *at = (struct html_case){entry[i].row, end};
            end += columns;
        }
        at->record[entry[i].column] = entry[i].record;
    }
}

static int count_cases(const struct entry *entry, int records)
{
    int cases = 0;
    for (int i = 0; i < records; i++) {
        bool new = i == 0 || strcmp(entry[i - 1].record->id, entry[i].record->id) ||
                   entry[i - 1].column == entry[i].column;
        cases += new;
    }
    return cases;
}

bool html_data_build(const struct results *results, const struct parity *parity, struct html_data *data)
{
    *data = (struct html_data){.results = results, .parity = parity};
    struct entry *entry = entries_of(results, parity);
    /* An upper bound: a case begins at each new id and at each repeated column. */
    int most = entry ? count_cases(entry, results->records) : 0;
    size_t room = (size_t)most * (size_t)parity->columns;
    data->at = calloc((size_t)most + 1, sizeof *data->at);
    data->all = calloc(room + 1, sizeof *data->all);
    bool ok = entry && data->at && data->all;
    if (ok) {
        fill_cases(data, entry, results->records);
    }
    free(entry);
    return ok;
}

void html_data_destroy(struct html_data *data)
{
    free(data->at);
    free(data->all);
    html_texts_destroy(&data->texts);
    *data = (struct html_data){.cases = 0};
}

/* --- members other than the records */

static const struct record *any_record(const struct html_data *data, int at)
{
    int k = 0;
    while (!data->at[at].record[k]) {
        k++;
    }
    return data->at[at].record[k];
}

static void write_name(FILE *to, const struct parity_row *row, const char *id)
{
    const char *name;
    int length;
    size_t used = strlen(row->family) + strlen(row->op) + strlen(row->dtype) + 3;
    bool whole = record_id_part(id, 3, &name, &length) && name == id + used;
    fputs(whole ? "" : "[", to);
    html_string(to, whole ? name : id);
    fputs(whole ? "" : "]", to);
}

static void write_cases(FILE *to, struct html_data *data)
{
    const struct parity *parity = data->parity;
    fputs("\"rows\":[", to);
    for (int i = 0; i < parity->rows; i++) {
        fputs(i ? ",[" : "[", to);
        html_string(to, parity->row[i].family);
        putc(',', to);
        html_string(to, parity->row[i].op);
        putc(',', to);
        html_string(to, parity->row[i].dtype);
        putc(']', to);
    }
    fputs("],\n\"cases\":{\"in\":[", to);
    for (int i = 0, c = 0; i < parity->rows; i++) {
        int first = c;
        while (c < data->cases && data->at[c].row == i) {
            c++;
        }
        fprintf(to, "%s%d", i ? "," : "", c - first);
    }
    fputs("],\n\"name\":[", to);
    for (int c = 0; c < data->cases; c++) {
        fputs(c ? "," : "", to);
        write_name(to, &parity->row[data->at[c].row], any_record(data, c)->id);
    }
    fputs("],\n\"source\":[", to);
    for (int c = 0; c < data->cases; c++) {
        fprintf(to, "%s%d", c ? "," : "", html_texts_add(&data->texts, any_record(data, c)->source));
    }
    fputs("]},\n", to);
}

static void write_pairs(FILE *to, const char *name, const struct record_pair *pairs, int count)
{
    fprintf(to, ",\n\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        fputs(i ? ",[" : "[", to);
        html_string(to, pairs[i].name);
        putc(',', to);
        html_string(to, pairs[i].value);
        putc(']', to);
    }
    putc(']', to);
}

static void write_environment(FILE *to, const struct record_header *header)
{
    if (header) {
        write_pairs(to, "profile", header->profile, header->profile_count);
        write_pairs(to, "environment", header->environment, header->environment_count);
    }
}

/* Totals of a backend: counts by status, the median resolution, findings. */
static bool write_summary(FILE *to, const struct html_data *data, int column)
{
    const struct parity *parity = data->parity;
    int count[STATUS_COUNT] = {0}, implausible = 0, range = 0;
    struct resolutions resolutions = {.count = 0};
    bool ok = true;
    for (int i = 0; i < parity->rows; i++) {
        const struct parity_cell *cell = &parity->row[i].cell[column];
        implausible += cell->implausible;
        range += cell->range;
        for (int s = 0; s < STATUS_COUNT; s++) {
            count[s] += cell->count[s];
        }
    }
    for (int c = 0; ok && c < data->cases; c++) {
        const struct record *record = data->at[c].record[column];
        ok = !record || resolutions_add(&resolutions, record);
    }
    fputs(",\n\"summary\":{\"count\":[", to);
    for (int s = 0; s < STATUS_COUNT; s++) {
        fprintf(to, "%s%d", s ? "," : "", count[s]);
    }
    fputs("],\"resolution\":", to);
    html_number(to, resolutions_median(&resolutions), HTML_DIGITS);
    fprintf(to, ",\"implausible\":%d,\"range\":%d}", implausible, range);
    resolutions_destroy(&resolutions);
    return ok;
}

static int case_of(const struct html_data *data, const struct record *record, int column, int *from)
{
    for (int c = *from; c < data->cases; c++) {
        if (data->at[c].record[column] == record) {
            return *from = c;
        }
    }
    return -1;
}

/* One entry per row of the matrix; 0 where the backend has no case. */
static void write_cells(FILE *to, const struct html_data *data, int column)
{
    const struct parity *parity = data->parity;
    int from = 0;
    fputs(",\n\"cells\":[", to);
    for (int i = 0; i < parity->rows; i++) {
        const struct parity_cell *cell = &parity->row[i].cell[column];
        fputs(i ? ",\n" : "", to);
        if (!cell->cases) {
            putc('0', to);
            continue;
        }
        fputs("{\"count\":[", to);
        for (int s = 0; s < STATUS_COUNT; s++) {
            fprintf(to, "%s%d", s ? "," : "", cell->count[s]);
        }
        const struct {
            const char *name;
            double value;
        } numbers[] = {{"max_ulp", cell->max_ulp},       {"mean_ulp", cell->mean_ulp},
                       {"bias_ulp", cell->bias_ulp},     {"bit_exact", cell->bit_exact},
                       {"faithful", cell->faithful},     {"allowed_ulp", cell->allowed_ulp},
                       {"max_nu", cell->max_nu},         {"quality", cell->quality_nu},
                       {"resolution", cell->resolution}, {"most_implausible", cell->most_implausible}};
        fprintf(to, "],\"verdict\":%d,\"worst\":%d,\"implausible\":%d,\"range\":%d", (int)cell->verdict,
                case_of(data, cell->worst, column, &from), cell->implausible, cell->range);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            fprintf(to, ",\"%s\":", numbers[n].name);
            html_number(to, numbers[n].value, HTML_EXACT); /* the page makes the CSV file of them */
        }
        putc('}', to);
    }
    putc(']', to);
}

bool html_data_write(FILE *to, struct html_data *data, const struct losses *losses, const char *title,
                     const struct parity *before)
{
    bool ok = true;
    putc('{', to);
    html_words_write(to, title);
    fprintf(to, "\"told_max\":%d,\n", HTML_SHOWN_MAX);
    write_cases(to, data);
    fputs("\"backends\":[", to);
    for (int k = 0; ok && k < data->parity->columns; k++) {
        fputs(k ? ",\n{" : "{", to);
        html_header_write(to, &data->parity->column[k]);
        write_environment(to, data->parity->column[k].header);
        ok = write_summary(to, data, k);
        write_cells(to, data, k);
        html_records_write(to, data, k);
        ok = ok && html_shown_write(to, data, k);
        html_series_write(to, data, k);
        ok = html_errors_write(to, data, k) && ok;
        putc('}', to);
    }
    putc(']', to);
    html_losses_write(to, losses);
    ok = html_markdown_write(to, data) && ok;
    html_before_write(to, data->parity, before);
    fputs(",\n\"texts\":", to);
    html_texts_write(to, &data->texts);
    fputs("}\n", to);
    return ok && !data->texts.failed;
}
