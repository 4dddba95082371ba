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

struct sorted {
    struct group *group;
    int *place; /* of the old index in the new order; −1 = not yet taken */
    int count;
};

static void take(struct sorted *sorted, const struct groups *groups, const char *backend)
{
    for (int i = 0; i < groups->count; i++) {
        if (sorted->place[i] < 0 && !strcmp(groups->group[i].backend, backend)) {
            sorted->place[i] = sorted->count;
            sorted->group[sorted->count++] = groups->group[i];
        }
    }
}

/* Backends one after the other, those with a header first: in the file their records may be interleaved. */
static bool order(const struct results *results, struct groups *groups)
{
    size_t size = (size_t)groups->count + 1;
    struct sorted sorted = {calloc(size, sizeof *sorted.group), malloc(size * sizeof *sorted.place), 0};
    if (!sorted.group || !sorted.place) {
        free(sorted.group);
        free(sorted.place);
        return false;
    }
    memset(sorted.place, -1, size * sizeof *sorted.place);
    for (int i = 0; i < results->headers; i++)
        take(&sorted, groups, results->header[i].backend);
    for (int i = 0; i < groups->count; i++)
        take(&sorted, groups, groups->group[i].backend);
    for (int i = 0; i < results->records; i++)
        groups->of[i] = sorted.place[groups->of[i]];
    free(sorted.place);
    free(groups->group);
    groups->group = sorted.group;
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
