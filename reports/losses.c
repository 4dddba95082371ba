/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/losses.h"
#include "reports/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The parts of the results, or its headers where it has no parts; and which of them asked for one selection.
 */
struct view {
    const struct results *results;
    struct record_part *part; /* texts borrowed */
    int parts;
    int *group; /* per part: the first part of its backend and selection */
};

static bool view_build(const struct results *results, struct view *view)
{
    bool noted = results->parts > 0;
    *view = (struct view){.results = results, .parts = noted ? results->parts : results->headers};
    view->part = calloc((size_t)view->parts + 1, sizeof *view->part);
    view->group = calloc((size_t)view->parts + 1, sizeof *view->group);
    for (int p = 0; view->part && p < view->parts; p++) {
        if (noted) {
            view->part[p] = results->part[p];
        } else {
            const struct record_header *header = &results->header[p];
            view->part[p] = (struct record_part){.backend = header->backend,
                                                 .shard = header->shard,
                                                 .selection = header->selection,
                                                 .expected = header->expected,
                                                 .selected = header->selected};
        }
    }
    for (int p = 0; view->part && view->group && p < view->parts; p++) {
        const struct record_part *part = &view->part[p];
        view->group[p] = p;
        for (int q = 0; q < p && view->group[p] == p; q++) {
            const struct record_part *other = &view->part[q];
            bool one = part->selection && other->selection && text_same(part->backend, other->backend) &&
                       text_same(part->selection, other->selection);
            view->group[p] = one || (noted && record_same_part(part, other)) ? view->group[q] : p;
        }
    }
    return view->part && view->group;
}

static void view_destroy(struct view *view)
{
    free(view->part);
    free(view->group);
}

static int group_of(const struct view *view, const struct record *record)
{
    if (record->part > 0 && record->part <= view->parts && view->results->parts) {
        return view->group[record->part - 1];
    }
    for (int p = 0; p < view->parts; p++) {
        if (text_same(view->part[p].backend, record->backend)) {
            return view->group[p];
        }
    }
    return -1;
}

struct place {
    int group;
    const char *id;
};

static int by_group_and_id(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->group != y->group ? x->group - y->group : strcmp(x->id, y->id);
}

/* have[group] = its cases, each once. */
static bool count_cases(const struct view *view, int64_t *have)
{
    int records = view->results->records;
    struct place *place = malloc(((size_t)records + 1) * sizeof *place);
    if (!place) {
        return false;
    }
    for (int r = 0; r < records; r++) {
        const struct record *record = &view->results->record[r];
        place[r] = (struct place){group_of(view, record), record->id};
    }
    qsort(place, (size_t)records, sizeof *place, by_group_and_id);
    for (int r = 0; r < records; r++) {
        if (place[r].group >= 0 && (r == 0 || by_group_and_id(&place[r - 1], &place[r]) != 0)) {
            have[place[r].group]++;
        }
    }
    free(place);
    return true;
}

/* What the group's parts promised together. */
static int64_t wanted(const struct view *view, int group, bool whole)
{
    int64_t sum = 0, all = 0;
    for (int p = group; p < view->parts; p++) {
        const struct record_part *part = &view->part[p];
        if (view->group[p] != group) {
            continue;
        }
        bool counted = false;
        for (int q = group; q < p; q++) {
            counted = counted || (view->group[q] == group && text_same(part->shard, view->part[q].shard));
        }
        sum += counted ? 0 : part->expected;
        if (part->selection && (whole || !part->shard)) {
            all = part->selected > all ? part->selected : all;
        }
    }
    return all ? all : sum;
}

/* Names the shards K/N of which no part is there, where all parts are shards of one N. */
static void name_shards(const struct view *view, int group, char *text, size_t size)
{
    int shards = 0;
    size_t used = 0;
    *text = 0;
    for (int p = group; p < view->parts; p++) {
        int k, n;
        if (view->group[p] != group) {
            continue;
        }
        if (!view->part[p].shard || sscanf(view->part[p].shard, "%d/%d", &k, &n) != 2 ||
            (shards && n != shards)) {
            return;
        }
        shards = n;
    }
    int lacking = 0;
    for (int k = 1; k <= shards && used + 32 < size; k++) {
        char name[32];
        bool there = false;
        snprintf(name, sizeof name, "%d/%d", k, shards);
        for (int p = group; p < view->parts && !there; p++) {
            there = view->group[p] == group && text_same(view->part[p].shard, name);
        }
        if (!there) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", lacking++ ? ", " : "", name);
        }
    }
    if (used + 32 >= size) {
        snprintf(text + used, size - used, ", …");
    }
}

bool losses_find(const struct results *results, bool whole, struct losses *losses)
{
    struct view view;
    int64_t *have = NULL;
    *losses = (struct losses){.count = 0};
    bool good = view_build(results, &view);
    if (good) {
        have = calloc((size_t)view.parts + 1, sizeof *have);
        losses->loss = calloc((size_t)view.parts + 1, sizeof *losses->loss);
        good = have && losses->loss && count_cases(&view, have);
    }
    for (int g = 0; good && g < view.parts; g++) {
        int64_t want = view.group[g] == g ? wanted(&view, g, whole) : 0;
        if (want <= have[g]) {
            continue;
        }
        struct loss *loss = &losses->loss[losses->count++];
        *loss = (struct loss){.backend = view.part[g].backend, .lost = want - have[g], .wanted = want};
        if (whole) {
            name_shards(&view, g, loss->shards, sizeof loss->shards);
        }
    }
    free(have);
    view_destroy(&view);
    return good;
}

void losses_destroy(struct losses *losses)
{
    free(losses->loss);
    *losses = (struct losses){.count = 0};
}

const char *loss_text(const struct loss *loss, char *text, size_t size)
{
    bool several = strchr(loss->shards, ',') != NULL;
    char *backend = text_one_line(loss->backend);
    int used = snprintf(
        text, size, "%.60s: %" PRId64 " of %" PRId64 " selected case%s no record: ", backend ? backend : "",
        loss->lost, loss->wanted, loss->wanted == 1 ? " has" : "s have");
    free(backend);
    if (used < 0 || (size_t)used >= size) {
        return text;
    }
    if (loss->shards[0]) {
        snprintf(text + used, size - (size_t)used, "shard%s %s %s not there", several ? "s" : "",
                 loss->shards, several ? "are" : "is");
    } else {
        snprintf(text + used, size - (size_t)used, "a run was cut short, or a shard is lost");
    }
    return text;
}
