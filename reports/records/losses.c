/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/losses.h"
#include "reports/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The parts of the results, or its headers where it has none, grouped by backend and selection. */
struct view {
    const struct results *results;
    struct record_part *part; /* its texts are borrowed */
    int parts;
    int *group; /* for each part the first part of its group */
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
                                                 .fault = header->fault,
                                                 .lost_shards = header->lost_shards,
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

/* Counts the cases of each group, each once, in have[group]. */
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

/* The number of cases that the group's parts state together. */
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

/* Lists the shards K/N without a part, where all parts of the group are shards of one N. */
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

/* Copies the shards that an earlier merge found to be lost, if a part of the group states some. */
static void copy_shards(const struct view *view, int group, char *text, size_t size)
{
    for (int p = group; p < view->parts; p++) {
        if (view->group[p] == group && view->part[p].lost_shards && !*text) {
            snprintf(text, size, "%s", view->part[p].lost_shards);
        }
    }
}

/* The first fault that a part of the group states; NULL: none. */
static const char *fault_of(const struct view *view, int group)
{
    for (int p = group; p < view->parts; p++) {
        if (view->group[p] == group && view->part[p].fault) {
            return view->part[p].fault;
        }
    }
    return NULL;
}

/* True if the group's headers state a number of cases; handwritten ones may not. */
static bool states_count(const struct view *view, int group)
{
    for (int p = group; p < view->parts; p++) {
        if (view->group[p] == group && (view->part[p].expected > 0 || view->part[p].selection)) {
            return true;
        }
    }
    return false;
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
        if (view.group[g] != g) {
            continue;
        }
        int64_t want = wanted(&view, g, whole);
        struct loss loss = {.backend = view.part[g].backend, .wanted = want, .fault = fault_of(&view, g)};
        loss.lost = want > have[g] ? want - have[g] : 0;
        loss.extra = have[g] > want && states_count(&view, g) ? have[g] - want : 0;
        if (loss.lost && whole) {
            name_shards(&view, g, loss.shards, sizeof loss.shards);
        }
        if (loss.lost && !*loss.shards) {
            copy_shards(&view, g, loss.shards, sizeof loss.shards);
        }
        if (loss.lost || loss.extra || loss.fault) {
            losses->loss[losses->count++] = loss;
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

static void put_cause(FILE *to, const struct loss *loss)
{
    if (loss->fault) {
        fputs(loss->fault, to);
    } else if (loss->extra) {
        fprintf(to,
                "%" PRId64 " cases have a record, but the headers state %" PRId64
                ": a header is lost; run again, or leave this file out",
                loss->wanted + loss->extra, loss->wanted);
    } else if (loss->shards[0]) {
        bool several = strchr(loss->shards, ',') != NULL;
        fprintf(to, "shard%s %s %s not there", several ? "s" : "", loss->shards, several ? "are" : "is");
    } else {
        fputs("a run was cut short, or a shard is lost", to);
    }
}

char *loss_text(const struct loss *loss)
{
    char *text = NULL, *line = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (memory) {
        fprintf(memory, "%s: ", loss->backend);
        if (loss->lost) {
            fprintf(memory, "%" PRId64 " of %" PRId64 " selected case%s no record: ", loss->lost,
                    loss->wanted, loss->wanted == 1 ? " has" : "s have");
        }
        put_cause(memory, loss);
        line = fclose(memory) == 0 ? text_one_line(text) : NULL;
    }
    free(text);
    return line;
}
