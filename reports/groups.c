/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/groups.h"
#include "reports/resolution.h"
#include "reports/text.h"

#include <stdlib.h>
#include <string.h>

const struct record_header *results_header(const struct results *results, const char *backend)
{
    for (int i = 0; i < results->headers; i++) {
        if (!strcmp(results->header[i].backend, backend)) {
            return &results->header[i];
        }
    }
    return NULL;
}

int64_t record_milliseconds(const struct record *record)
{
    return record->wall_ns > 0 ? (record->wall_ns + 500000) / 1000000 : 0;
}

struct place {
    const struct record *record;
    int header;       /* index of its backend among the headers; backends without a header come last */
    const char *file; /* for GROUP_BY_FILE: "" where the record names no file; else NULL */
    int file_length;
};

/* The file in "suites/linalg/logdet.c:41". */
static const char *file_of(const struct record *record, int *length)
{
    const char *source = record->source ? record->source : "", *colon = strrchr(source, ':');
    bool line = colon && strspn(colon + 1, "0123456789") == strlen(colon + 1);
    *length = line ? (int)(colon - source) : (int)strlen(source);
    return source;
}

static int compare_texts(const char *a, int a_length, const char *b, int b_length)
{
    int by = memcmp(a, b, (size_t)(a_length < b_length ? a_length : b_length));
    return by ? by : a_length - b_length;
}

/* By family, then by file; records without a file come first. */
static int compare_files(const struct place *p, const struct place *q)
{
    const char *a, *b;
    int a_length, b_length, by = 0;
    if (record_id_part(p->record->id, 0, &a, &a_length) && record_id_part(q->record->id, 0, &b, &b_length)) {
        by = compare_texts(a, a_length, b, b_length);
    }
    return by ? by : compare_texts(p->file, p->file_length, q->file, q->file_length);
}

/* Backends in the order of headers, those without a header by name behind them; then by id. Ids without a
 * family come last. */
static int compare(const void *left, const void *right)
{
    const struct place *p = left, *q = right;
    const struct record *a = p->record, *b = q->record;
    const char *text;
    int length;
    if (p->header != q->header) {
        return p->header < q->header ? -1 : 1;
    }
    int by = strcmp(a->backend, b->backend);
    by = by ? by : record_id_part(b->id, 0, &text, &length) - record_id_part(a->id, 0, &text, &length);
    by = by || !p->file ? by : compare_files(p, q);
    by = by ? by : strcmp(a->id, b->id);
    return by ? by : (a > b) - (a < b);
}

/* The indices of the records in that order; the caller frees them. */
static int *sort(const struct results *results, enum group_by group_by)
{
    size_t size = (size_t)results->records + 1;
    struct place *place = calloc(size, sizeof *place);
    int *sorted = calloc(size, sizeof *sorted);
    if (place && sorted) {
        for (int i = 0; i < results->records; i++) {
            const struct record_header *header = results_header(results, results->record[i].backend);
            int rank = header ? (int)(header - results->header) : results->headers;
            place[i] = (struct place){.record = &results->record[i], .header = rank};
            if (group_by == GROUP_BY_FILE) {
                place[i].file = file_of(place[i].record, &place[i].file_length);
            }
        }
        qsort(place, size - 1, sizeof *place, compare);
        for (int i = 0; i < results->records; i++) {
            sorted[i] = (int)(place[i].record - results->record);
        }
    } else {
        free(sorted);
        sorted = NULL;
    }
    free(place);
    return sorted;
}

static void count(struct group *group, const struct record *record)
{
    group->cases++;
    group->count[record->status]++;
    group->milliseconds += record_milliseconds(record);
    if (record_judged(record) && (!group->worst || record_nu(record) > record_nu(group->worst))) {
        group->worst = record;
    }
}

static bool same(const struct group *a, const struct group *b)
{
    return !strcmp(a->backend, b->backend) && a->family_length == b->family_length &&
           !memcmp(a->family, b->family, (size_t)a->family_length) && a->file_length == b->file_length &&
           !memcmp(a->file ? a->file : "", b->file ? b->file : "", (size_t)a->file_length);
}

static bool find_resolution(const struct results *results, const struct groups *groups, struct group *group)
{
    struct resolutions known = {.count = 0};
    bool good = true;
    for (int i = 0; good && i < group->cases; i++) {
        good = resolutions_add(&known, &results->record[groups->sorted[group->first + i]]);
    }
    group->resolution = resolutions_median(&known);
    resolutions_destroy(&known);
    return good;
}

bool groups_build(const struct results *results, enum group_by by, struct groups *groups)
{
    *groups = (struct groups){.sorted = sort(results, by)};
    if (!groups->sorted) {
        return false;
    }
    for (int i = 0; i < results->records; i++) {
        const struct record *record = &results->record[groups->sorted[i]];
        struct group made = {.backend = record->backend, .family = "other", .family_length = 5, .first = i};
        if (record_id_part(record->id, 0, &made.family, &made.family_length) && by == GROUP_BY_OPERATOR) {
            const char *operator;
            int length;
            if (record_id_part(record->id, 1, &operator, & length)) {
                made.family_length = (int)(operator- made.family) + length;
            }
        }
        if (by == GROUP_BY_FILE) {
            made.file = file_of(record, &made.file_length);
        }
        if (groups->count == 0 || !same(&groups->group[groups->count - 1], &made)) {
            struct group *larger = realloc(groups->group, (size_t)(groups->count + 1) * sizeof *larger);
            if (!larger) {
                groups_destroy(groups);
                return false;
            }
            groups->group = larger;
            larger[groups->count++] = made;
        }
        count(&groups->group[groups->count - 1], record);
    }
    for (int g = 0; g < groups->count; g++) {
        if (!find_resolution(results, groups, &groups->group[g])) {
            groups_destroy(groups);
            return false;
        }
    }
    return true;
}

void groups_destroy(struct groups *groups)
{
    free(groups->group);
    free(groups->sorted);
    *groups = (struct groups){0};
}
