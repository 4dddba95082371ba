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

/* Position of a backend in the order of headers; those without a header come last. */
static int rank(const struct results *results, const char *backend)
{
    const struct record_header *header = results_header(results, backend);
    return header ? (int)(header - results->header) : results->headers;
}

static int find(struct groups *groups, const struct record *record)
{
    struct group made = {.backend = record->backend, .family = "other", .family_length = 5};
    record_id_part(record->id, 0, &made.family, &made.family_length);
    for (int i = 0; i < groups->count; i++) {
        const struct group *group = &groups->group[i];
        if (!strcmp(group->backend, made.backend) && group->family_length == made.family_length &&
            !memcmp(group->family, made.family, (size_t)made.family_length))
            return i;
    }
    struct group *larger = realloc(groups->group, (size_t)(groups->count + 1) * sizeof *larger);
    if (!larger)
        return -1;
    groups->group = larger;
    larger[groups->count] = made;
    return groups->count++;
}

static void count(struct group *group, const struct record *record)
{
    group->cases++;
    group->count[record->status]++;
    group->milliseconds += record_milliseconds(record);
    if (record_judged(record) && (!group->worst || record_nu(record) > record_nu(group->worst) ||
                                  (record_nu(record) == record_nu(group->worst) &&
                                   record->status == STATUS_FAIL && group->worst->status != STATUS_FAIL)))
        group->worst = record;
}

/* Stable sort by the order of headers: records of two backends may be interleaved in the file. */
static bool order(const struct results *results, struct groups *groups)
{
    int n = groups->count, used = 0;
    struct group *sorted = calloc((size_t)n + 1, sizeof *sorted);
    int *place = calloc((size_t)n + 1, sizeof *place);
    bool ok = sorted && place;
    for (int header = 0; ok && header <= results->headers; header++) {
        for (int i = 0; i < n; i++) {
            if (rank(results, groups->group[i].backend) == header) {
                place[i] = used;
                sorted[used++] = groups->group[i];
            }
        }
    }
    for (int i = 0; ok && i < results->records; i++)
        groups->of[i] = place[groups->of[i]];
    free(place);
    if (!ok) {
        free(sorted);
        return false;
    }
    free(groups->group);
    groups->group = sorted;
    return true;
}

bool groups_build(const struct results *results, struct groups *groups)
{
    *groups = (struct groups){0};
    groups->of = calloc((size_t)results->records + 1, sizeof *groups->of);
    bool ok = groups->of;
    for (int i = 0; ok && i < results->records; i++) {
        groups->of[i] = find(groups, &results->record[i]);
        ok = groups->of[i] >= 0;
        if (ok)
            count(&groups->group[groups->of[i]], &results->record[i]);
    }
    ok = ok && order(results, groups);
    if (!ok)
        groups_destroy(groups);
    return ok;
}

void groups_destroy(struct groups *groups)
{
    free(groups->group);
    free(groups->of);
    *groups = (struct groups){0};
}
