/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/groups.h"
#include "reports/text.h"

#include <stdlib.h>
#include <string.h>

const struct record_header *results_header(const struct results *results, const char *backend)
{
    for (int i = 0; i < results->headers; i++) {
        if (!strcmp(results->header[i].backend, backend))
            return &results->header[i];
    }
    return NULL;
}

int64_t record_milliseconds(const struct record *record)
{
    return record->wall_ns > 0 ? (record->wall_ns + 500000) / 1000000 : 0;
}

/* Backends in the order of headers, those without one behind them by name; then by id, which keeps a family
 * together; ids without a family last. */
static int compare(const void *left, const void *right, void *context)
{
    const struct results *results = context;
    const struct record *a = &results->record[*(const int *)left], *b = &results->record[*(const int *)right];
    const struct record_header *header_a = results_header(results, a->backend);
    const struct record_header *header_b = results_header(results, b->backend);
    const char *text;
    int length;
    if (header_a != header_b)
        return !header_a ? 1 : !header_b ? -1 : header_a < header_b ? -1 : 1;
    int by = strcmp(a->backend, b->backend);
    by = by ? by : record_id_part(b->id, 0, &text, &length) - record_id_part(a->id, 0, &text, &length);
    by = by ? by : strcmp(a->id, b->id);
    return by ? by : (a > b) - (a < b);
}

static void count(struct group *group, const struct record *record)
{
    group->cases++;
    group->count[record->status]++;
    group->milliseconds += record_milliseconds(record);
    if (record_judged(record) && (!group->worst || record_nu(record) > record_nu(group->worst)))
        group->worst = record;
}

static bool same(const struct group *a, const struct group *b)
{
    return !strcmp(a->backend, b->backend) && a->family_length == b->family_length &&
           !memcmp(a->family, b->family, (size_t)a->family_length);
}

bool groups_build(const struct results *results, struct groups *groups)
{
    size_t size = (size_t)results->records + 1;
    *groups = (struct groups){.sorted = calloc(size, sizeof *groups->sorted)};
    if (!groups->sorted)
        return false;
    for (int i = 0; i < results->records; i++)
        groups->sorted[i] = i;
    qsort_r(groups->sorted, size - 1, sizeof *groups->sorted, compare, (void *)results);
    for (int i = 0; i < results->records; i++) {
        const struct record *record = &results->record[groups->sorted[i]];
        struct group made = {.backend = record->backend, .family = "other", .family_length = 5, .first = i};
        record_id_part(record->id, 0, &made.family, &made.family_length);
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
    return true;
}

void groups_destroy(struct groups *groups)
{
    free(groups->group);
    free(groups->sorted);
    *groups = (struct groups){0};
}
