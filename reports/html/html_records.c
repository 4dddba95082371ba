/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/html/html_data.h"

#include "reports/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- one column per number */

static double elements(const struct record *r)
{
    return (double)r->elements;
}

static double max_ulp(const struct record *r)
{
    return r->max_ulp;
}

static double bias_ulp(const struct record *r)
{
    return r->bias_ulp;
}

static double max_nu(const struct record *r)
{
    return r->max_nu;
}

static double quality(const struct record *r)
{
    return r->quality_nu;
}

static double resolution(const struct record *r)
{
    return r->resolution;
}

static double microseconds(const struct record *r)
{
    return (double)r->device_ns * 1e-3;
}

static const struct {
    const char *name;
    double (*of)(const struct record *record);
    int digits; /* digits for records that did not fail; 0: exact for all */
} columns[] = {{"elements", elements, 0},           {"max_ulp", max_ulp, HTML_DIGITS},
               {"bias_ulp", bias_ulp, HTML_DIGITS}, {"max_nu", max_nu, HTML_DIGITS},
               {"quality", quality, HTML_DIGITS},   {"resolution", resolution, HTML_DIGITS},
               {"device_us", microseconds, 3}};

static void write_column(FILE *to, const struct html_data *data, int column, size_t what)
{
    bool first = true;
    fprintf(to, ",\n\"%s\":[", columns[what].name);
    for (int c = 0; c < data->cases; c++) {
        const struct record *record = data->at[c].record[column];
        if (!record) {
            continue;
        }
        bool exact =
            columns[what].digits == 0 || (record->status == STATUS_FAIL && columns[what].digits != 3);
        fputs(first ? "" : ",", to);
        html_number(to, columns[what].of(record), exact ? HTML_EXACT : columns[what].digits);
        first = false;
    }
    putc(']', to);
}

/* Writes the counts by bucket; 0 where the record has no histogram. */
static void write_histogram(FILE *to, const struct record *record)
{
    if (record->ulp_buckets == 0) {
        putc('0', to);
        return;
    }
    for (int b = 0; b < record->ulp_buckets; b++) {
        fprintf(to, "%c%" PRId64, b ? ',' : '[', record->ulp_bucket[b]);
    }
    putc(']', to);
}

void html_records_write(FILE *to, struct html_data *data, int column)
{
    fputs(",\n\"records\":{\"status\":\"", to);
    for (int c = 0; c < data->cases; c++) {
        const struct record *record = data->at[c].record[column];
        putc(record ? 'a' + (int)record->status : '.', to);
    }
    putc('"', to);
    for (size_t what = 0; what < sizeof columns / sizeof *columns; what++) {
        write_column(to, data, column, what);
    }
    fputs(",\n\"ulp\":[", to);
    bool first = true;
    for (int c = 0; c < data->cases; c++) {
        if (!data->at[c].record[column]) {
            continue;
        }
        fputs(first ? "" : ",", to);
        write_histogram(to, data->at[c].record[column]);
        first = false;
    }
    fputs("]}", to);
}

/* --- details of some records */

struct suspect {
    const struct record *record;
    int at; /* index of its case */
};

static bool interesting(const struct record *record)
{
    return record->implausible > 0 || (record->status != STATUS_PASS && record->status != STATUS_VACUOUS &&
                                       record->status != STATUS_UNSUPPORTED);
}

static int worst_first(const void *left, const void *right)
{
    const struct suspect *a = left, *b = right;
    return parity_worse(a->record, b->record) ? -1 : parity_worse(b->record, a->record) ? 1 : a->at - b->at;
}

/* Marks the cases of a row whose worst elements the page shows: the cell's worst case, and the first
 * HTML_SHOWN_MAX of those that did not pass or are findings. Returns how many were left out. */
static int choose(const struct html_data *data, int column, int first, int end, struct suspect *suspect,
                  unsigned char *shown)
{
    int count = 0;
    const struct record *worst = NULL;
    int worst_at = -1;
    for (int c = first; c < end; c++) {
        const struct record *record = data->at[c].record[column];
        if (record && interesting(record)) {
            suspect[count++] = (struct suspect){record, c};
        }
        if (record && parity_worse(record, worst)) {
            worst = record;
            worst_at = c;
        }
    }
    if (worst_at >= 0) {
        shown[worst_at] = 1;
    }
    if (count) {
        qsort(suspect, (size_t)count, sizeof *suspect, worst_first);
    }
    for (int i = 0; i < count && i < HTML_SHOWN_MAX; i++) {
        shown[suspect[i].at] = 1;
    }
    return count > HTML_SHOWN_MAX ? count - HTML_SHOWN_MAX : 0;
}

/* True if the replay command follows from id, backend and seed, so that the page can make it. */
static bool derivable(const struct record *record, const struct record_header *header)
{
    char *made = NULL;
    uint64_t seed = header ? header->seed : 0;
    if (asprintf(&made, "assay repro %s --backend %s --seed %" PRIu64, record->id, record->backend, seed) <
        0) {
        return false;
    }
    bool same = header && record->repro && !strcmp(made, record->repro);
    free(made);
    return same;
}

static void write_worst(FILE *to, const struct record_worst *worst)
{
    const struct {
        const char *name, *value;
    } texts[] = {{"where", worst->where},
                 {"inputs", worst->inputs},
                 {"truth", worst->truth},
                 {"got", worst->got},
                 {"whole", worst->whole}};
    fprintf(to, ",\"worst\":{\"index\":%" PRId64, worst->index);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].value) {
            fprintf(to, ",\"%s\":", texts[i].name);
            html_string(to, texts[i].value);
        }
    }
    fputs(",\"ulp\":", to);
    html_number(to, worst->ulp, HTML_EXACT);
    fputs(",\"nu\":", to);
    html_number(to, worst->nu, HTML_EXACT);
    putc('}', to);
}

/* Writes the details of a record. Reasons repeat, so they go by index; details do not. */
static void write_shown(FILE *to, struct html_data *data, int column, int c, bool whole)
{
    const struct record *record = data->at[c].record[column];
    const struct record_worst *worst = &record->worst;
    fprintf(to, "{\"case\":%d", c);
    if (record->reason) {
        fprintf(to, ",\"reason\":%d", html_texts_add(&data->texts, record->reason));
    }
    if (record->rule) {
        fprintf(to, ",\"rule\":%d", html_texts_add(&data->texts, record->rule));
    }
    if (record->implausible > 0) {
        fputs(",\"implausible\":", to);
        html_number(to, record->implausible, HTML_DIGITS);
        fputs(",\"by\":", to);
        html_string(to, record->implausible_by);
    }
    if (whole && record->repro && !derivable(record, data->parity->column[column].header)) {
        fputs(",\"repro\":", to);
        html_string(to, record->repro);
    }
    if (whole && record->detail && (!record->reason || strcmp(record->detail, record->reason))) {
        fputs(",\"detail\":", to);
        html_string(to, record->detail);
    }
    if (whole && record->over_bound) {
        fprintf(to, ",\"outside\":%" PRId64, record->over_bound);
    }
    if (whole && (worst->index != -1 || worst->where || worst->inputs || worst->truth || worst->got)) {
        write_worst(to, worst);
    }
    putc('}', to);
}

bool html_shown_write(FILE *to, struct html_data *data, int column)
{
    unsigned char *shown = calloc((size_t)data->cases + 1, sizeof *shown);
    struct suspect *suspect = calloc((size_t)data->cases + 1, sizeof *suspect);
    bool ok = shown && suspect, first = true;
    fputs(",\n\"left_out\":[", to);
    for (int i = 0, c = 0; ok && i < data->parity->rows; i++) {
        int begin = c;
        while (c < data->cases && data->at[c].row == i) {
            c++;
        }
        fprintf(to, "%s%d", i ? "," : "", choose(data, column, begin, c, suspect, shown));
    }
    fputs("],\n\"told\":[", to);
    for (int c = 0; ok && c < data->cases; c++) {
        const struct record *record = data->at[c].record[column];
        if (!record || !(shown[c] || record->reason || record->rule || record->implausible > 0)) {
            continue;
        }
        fputs(first ? "" : ",\n", to);
        write_shown(to, data, column, c, shown[c]);
        first = false;
    }
    putc(']', to);
    free(shown);
    free(suspect);
    return ok;
}

/* --- curves */

static void write_points(FILE *to, const char *name, const double *value, int count)
{
    fprintf(to, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        fputs(i ? "," : "", to);
        html_number(to, value[i], 6); /* bytes and nanoseconds, precise enough for a plot */
    }
    putc(']', to);
}

static void write_series(FILE *to, int c, const struct record_series *series)
{
    fprintf(to, "{\"case\":%d,\"name\":", c);
    html_string(to, series->name);
    fputs(",\"unit\":", to);
    html_string(to, series->unit);
    write_points(to, "x", series->x, series->points);
    write_points(to, "y", series->y, series->points);
    if (series->limit) {
        write_points(to, "limit", series->limit, series->points);
    }
    if (series->rule) {
        fputs(",\"rule\":", to);
        html_string(to, series->rule);
    }
    if (series->octaves > 0) {
        fprintf(to, ",\"octaves\":%d,\"exponent\":", series->octaves);
        html_number(to, series->exponent, HTML_DIGITS);
    }
    if (series->exponent_limit > 0) {
        fputs(",\"exponent_limit\":", to);
        html_number(to, series->exponent_limit, HTML_DIGITS);
    }
    if (series->factor > 0) {
        fputs(",\"factor\":", to);
        html_number(to, series->factor, HTML_DIGITS);
    }
    fputs(series->breaks ? ",\"breaks\":true}" : "}", to);
}

void html_series_write(FILE *to, const struct html_data *data, int column)
{
    bool first = true;
    fputs(",\n\"series\":[", to);
    for (int c = 0; c < data->cases; c++) {
        const struct record *record = data->at[c].record[column];
        for (int s = 0; record && s < record->series_count; s++) {
            fputs(first ? "" : ",\n", to);
            write_series(to, c, &record->series[s]);
            first = false;
        }
    }
    putc(']', to);
}
