/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/parity.h"
#include "reports/groups.h"
#include "reports/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int dtype_rank(const char *dtype)
{
    static const char *const order[] = {"float16", "bfloat16", "float32", "float64", "complex64",
                                        "int8",    "uint8",    "int32",   "int64",   "bool"};
    int i = 0, n = (int)(sizeof order / sizeof *order);
    while (i < n && strcmp(order[i], dtype)) {
        i++;
    }
    return i; /* unknown dtypes come last, by name */
}

static int compare_rows(const void *left, const void *right)
{
    const struct parity_row *a = left, *b = right;
    int by = strcmp(a->family, b->family);
    by = by ? by : strcmp(a->op, b->op);
    by = by ? by : dtype_rank(a->dtype) - dtype_rank(b->dtype);
    return by ? by : strcmp(a->dtype, b->dtype);
}

static int compare_ids(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left, *b = *(const struct record *const *)right;
    int by = strcmp(a->id, b->id);
    return by ? by : (a > b) - (a < b);
}

static bool shown(const char *text)
{
    return text && *text;
}

/* False if two records of one id differ in inputs_digest: a table of different inputs would compare nothing.
 */
static bool same_questions(const struct results *results, struct error *error)
{
    const struct record **sorted = calloc((size_t)results->records + 1, sizeof *sorted);
    if (!sorted) {
        return error_set(error, "parity table: out of memory");
    }
    for (int i = 0; i < results->records; i++) {
        sorted[i] = &results->record[i];
    }
    qsort(sorted, (size_t)results->records, sizeof *sorted, compare_ids);
    bool ok = true;
    const struct record *first = NULL; /* the first of this id that has a digest */
    for (int i = 0; ok && i < results->records; i++) {
        const struct record *record = sorted[i];
        if (first && strcmp(first->id, record->id)) {
            first = NULL;
        }
        if (!shown(record->inputs_digest)) {
            continue;
        }
        if (!first) {
            first = record;
        } else if (strcmp(first->inputs_digest, record->inputs_digest)) {
            ok = error_set(error,
                           "parity table: %.160s was judged on different inputs: %.60s has digest %.40s, "
                           "%.60s has %.40s; run both with the same assay and seed",
                           record->id, first->backend, first->inputs_digest, record->backend,
                           record->inputs_digest);
        }
    }
    free(sorted);
    return ok;
}

static int column_of(struct parity *parity, const char *backend, const struct record_header *header)
{
    int known = parity_column_of(parity, backend);
    if (known >= 0) {
        return known;
    }
    struct parity_column *larger = realloc(parity->column, (size_t)(parity->columns + 1) * sizeof *larger);
    if (!larger) {
        return -1;
    }
    parity->column = larger;
    larger[parity->columns] = (struct parity_column){backend, header};
    return parity->columns++;
}

static bool make_columns(const struct results *results, struct parity *parity)
{
    bool ok = true;
    for (int i = 0; ok && i < results->headers; i++) {
        ok = column_of(parity, results->header[i].backend, &results->header[i]) >= 0;
    }
    for (int i = 0, column = -1; ok && i < results->records; i++) {
        const char *backend = results->record[i].backend;
        column = parity_column_after(parity, backend, column);
        column = column < 0 ? column_of(parity, backend, NULL) : column;
        ok = column >= 0;
    }
    return ok;
}

/* A copy of a part of the id; "other" for ids without that part. */
static char *part(const char *id, int number)
{
    const char *text = "other";
    int length = 5;
    record_id_part(id, number, &text, &length);
    return strndup(text, (size_t)length);
}

static bool at_row(const struct parity_row *row, const char *id)
{
    const char *const parts[] = {row->family, row->op, row->dtype};
    for (int i = 0; i < 3; i++) {
        const char *text = "other";
        int length = 5;
        record_id_part(id, i, &text, &length);
        if (strlen(parts[i]) != (size_t)length || memcmp(parts[i], text, (size_t)length)) {
            return false;
        }
    }
    return true;
}

static struct parity_row *row_of(struct parity *parity, const char *id)
{
    for (int i = parity->rows; i-- > 0;) { /* from the end: records of one operator follow each other */
        if (at_row(&parity->row[i], id)) {
            return &parity->row[i];
        }
    }
    struct parity_row *larger = realloc(parity->row, (size_t)(parity->rows + 1) * sizeof *larger);
    if (!larger) {
        return NULL;
    }
    parity->row = larger;
    struct parity_row *row = &larger[parity->rows++];
    *row = (struct parity_row){part(id, 0), part(id, 1), part(id, 2),
                               calloc((size_t)parity->columns, sizeof *row->cell)};
    return row->family && row->op && row->dtype && row->cell ? row : NULL;
}

/* True for pass and all that ranks behind it. */
static bool harmless(const struct record *record)
{
    return parity_rank(record->status) >= parity_rank(STATUS_PASS);
}

bool parity_worse(const struct record *a, const struct record *b)
{
    if (!b) {
        return true;
    }
    if (harmless(a) && harmless(b) && a->range_findings != b->range_findings) {
        return a->range_findings > b->range_findings;
    }
    if (a->status != b->status) {
        return parity_rank(a->status) < parity_rank(b->status);
    }
    double nu_a = record_nu(a), nu_b = record_nu(b);
    return nu_a > nu_b || (nu_a == nu_b && strcmp(a->id, b->id) < 0);
}

/* Adds to sums, which close_rows divides into means. */
static void add_shares(struct parity_cell *cell, const struct record *record)
{
    double n = (double)record->elements;
    if (n > 0 && !isnan(record->mean_ulp) && !isnan(record->bit_exact) && !isnan(record->faithful)) {
        cell->elements += n;
        cell->mean_ulp += n * record->mean_ulp;
        cell->bit_exact += n * record->bit_exact;
        cell->faithful += n * record->faithful;
    }
}

static bool add(struct parity_cell *cell, const struct record *record)
{
    if (cell->cases == 0) {
        cell->max_ulp = cell->bias_ulp = cell->max_nu = cell->quality_nu = cell->vacuous = cell->resolution =
            cell->most_implausible = cell->allowed_ulp = NAN;
    }
    cell->cases++;
    cell->count[record->status]++;
    if (parity_worse(record, cell->worst)) {
        cell->worst = record;
    }
    if (cell->cases == 1 || parity_rank(record->status) < parity_rank(cell->verdict)) {
        cell->verdict = record->status;
    }
    if (!record_judged(record)) {
        return true;
    }
    cell->judged++;
    if (record->implausible > 0) {
        cell->implausible++;
        cell->most_implausible = fmax(cell->most_implausible, record->implausible);
    }
    cell->range += record->range_findings > 0;
    cell->vacuous = (double)cell->count[STATUS_VACUOUS] / cell->judged;
    cell->max_ulp = fmax(cell->max_ulp, record->max_ulp); /* fmax passes over NaN */
    add_shares(cell, record);
    if (record->worst.nu > 0 && isfinite(record->worst.nu) && !(record->max_nu <= cell->max_nu)) {
        cell->allowed_ulp = fabs(record->worst.ulp) / record->worst.nu;
    }
    cell->max_nu = fmax(cell->max_nu, record->max_nu);
    cell->quality_nu = fmax(cell->quality_nu, record->quality_nu);
    if (!isnan(record->bias_ulp) && !(fabs(record->bias_ulp) <= fabs(cell->bias_ulp))) {
        cell->bias_ulp = record->bias_ulp;
    }
    return resolutions_add(&cell->resolutions, record);
}

static void close_rows(struct parity *parity)
{
    for (int i = 0; i < parity->rows; i++) {
        for (int k = 0; k < parity->columns; k++) {
            struct parity_cell *cell = &parity->row[i].cell[k];
            cell->resolution = resolutions_median(&cell->resolutions);
            cell->mean_ulp /= cell->elements; /* NaN where there are none */
            cell->bit_exact /= cell->elements;
            cell->faithful /= cell->elements;
        }
    }
}

bool parity_build(const struct results *results, struct parity *parity, struct error *error)
{
    *parity = (struct parity){0};
    if (!same_questions(results, error)) {
        return false;
    }
    bool ok = make_columns(results, parity);
    for (int i = 0, column = -1; ok && i < results->records; i++) {
        const struct record *record = &results->record[i];
        struct parity_row *row = row_of(parity, record->id);
        column = parity_column_after(parity, record->backend, column);
        ok = row && add(&row->cell[column], record);
    }
    if (!ok) {
        parity_destroy(parity);
        return error_set(error, "parity table: out of memory");
    }
    close_rows(parity);
    if (parity->rows) {
        qsort(parity->row, (size_t)parity->rows, sizeof *parity->row, compare_rows);
    }
    return true;
}

void parity_destroy(struct parity *parity)
{
    for (int i = 0; i < parity->rows; i++) {
        free(parity->row[i].family);
        free(parity->row[i].op);
        free(parity->row[i].dtype);
        for (int k = 0; parity->row[i].cell && k < parity->columns; k++) {
            resolutions_destroy(&parity->row[i].cell[k].resolutions);
        }
        free(parity->row[i].cell);
    }
    free(parity->row);
    free(parity->column);
    *parity = (struct parity){0};
}

int parity_row_of(const struct parity *parity, const char *id, int near)
{
    if (near >= 0 && near < parity->rows && at_row(&parity->row[near], id)) {
        return near;
    }
    for (int i = 0; i < parity->rows; i++) {
        if (at_row(&parity->row[i], id)) {
            return i;
        }
    }
    return -1;
}

int parity_column_after(const struct parity *parity, const char *backend, int before)
{
    for (int i = 0, k = before + 1; i < parity->columns; i++, k++) {
        k = k >= 0 && k < parity->columns ? k : 0;
        if (!strcmp(parity->column[k].backend, backend)) {
            return k;
        }
    }
    return -1;
}

int parity_column_of(const struct parity *parity, const char *backend)
{
    return parity_column_after(parity, backend, -1);
}
