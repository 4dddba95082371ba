/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/conflict.h"
#include "reports/records/join.h"
#include "reports/text.h"

#include <stdlib.h>
#include <string.h>

static bool grow(void **array, int count, int *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    int more = *room ? 2 * *room : 16;
    void *larger = realloc(*array, (size_t)more * size);
    if (!larger) {
        return false;
    }
    *array = larger;
    *room = more;
    return true;
}

static struct record_header *header_named(const struct results *results, const char *name)
{
    for (int i = 0; i < results->headers; i++) {
        if (text_same(results->header[i].backend, name)) {
            return &results->header[i];
        }
    }
    return NULL;
}

/* The header of the column for this header, NULL if it is new. Fills `name` with the column's name: "vulkan",
 * "vulkan#2", … */
static struct record_header *header_like(struct results *results, const struct record_header *header,
                                         char *name, size_t size)
{
    snprintf(name, size, "%s", header->backend);
    for (int n = 2;; n++) {
        struct record_header *known = header_named(results, name);
        if (!known || (text_same(known->device, header->device) && text_same(known->driver, header->driver) &&
                       text_same(known->api, header->api))) {
            return known;
        }
        snprintf(name, size, "%.900s#%d", header->backend, n);
    }
}

static bool alias_set(struct join *join, const char *name, const char *known, int part)
{
    int i = 0;
    while (i < join->aliases && strcmp(join->alias[i].name, name)) {
        i++;
    }
    if (i == join->aliases) {
        struct alias *larger = realloc(join->alias, (size_t)(i + 1) * sizeof *larger);
        char *copy = strdup(name);
        if (larger) {
            join->alias = larger;
        }
        if (!larger || !copy) {
            free(copy);
            return false;
        }
        join->alias[join->aliases++] = (struct alias){.name = copy};
    }
    free(join->alias[i].known);
    join->alias[i].part = part;
    join->alias[i].known = text_same(name, known) ? NULL : strdup(known);
    return join->alias[i].known || text_same(name, known);
}

static char *copy(const char *text)
{
    return text ? strdup(text) : NULL;
}

static bool part_add(struct join *join, const struct record_header *header, const char *name)
{
    struct results *to = join->to;
    if (!grow((void **)&to->part, to->parts, &join->part_room, sizeof *to->part)) {
        return false;
    }
    struct record_part *part = &to->part[to->parts++];
    *part = (struct record_part){.backend = copy(name),
                                 .started = copy(header->started),
                                 .command = copy(header->command),
                                 .shard = copy(header->shard),
                                 .partition = copy(header->partition),
                                 .selection = copy(header->selection),
                                 .fault = copy(header->fault),
                                 .lost_shards = copy(header->lost_shards),
                                 .expected = header->expected,
                                 .selected = header->selected};
    if (part->backend) {
        conflict_of_part(to, part);
    }
    return part->backend;
}

bool join_header(struct join *join, struct record_header *header, bool part)
{
    char name[1024];
    struct record_header *known = header_like(join->to, header, name, sizeof name);
    if ((part && !part_add(join, header, name)) ||
        !alias_set(join, header->backend, name, part ? join->to->parts : 0)) {
        return false;
    }
    if (known) {
        conflict_of_headers(join->to, known, header);
        record_header_clear(header);
        return true;
    }
    if (!grow((void **)&join->to->header, join->to->headers, &join->header_room, sizeof *header)) {
        return false;
    }
    if (!text_same(header->backend, name)) {
        char *renamed = strdup(name);
        if (!renamed) {
            return false;
        }
        free(header->backend);
        header->backend = renamed;
    }
    join->to->header[join->to->headers++] = *header;
    *header = (struct record_header){0};
    return true;
}

static const struct alias *alias_of(const struct join *join, const char *name)
{
    for (int i = 0; i < join->aliases; i++) {
        if (text_same(join->alias[i].name, name)) {
            return &join->alias[i];
        }
    }
    return NULL;
}

/* Replaces the name by the name in the results. */
static bool rename_backend(const struct alias *alias, char **backend)
{
    if (!alias || !alias->known) {
        return true;
    }
    char *renamed = strdup(alias->known);
    if (renamed) {
        free(*backend);
        *backend = renamed;
    }
    return renamed;
}

/* Puts the record into the column that its name stands for; without an alias it has no header yet. */
static bool record_under(const struct alias *alias, struct record *record)
{
    if (!rename_backend(alias, &record->backend)) {
        return false;
    }
    if (alias && alias->known) { /* the line has the old name */
        free(record->line);
        record->line = NULL;
    }
    record->part = alias ? alias->part : 0;
    return true;
}

bool join_record(struct join *join, struct record *record, int before)
{
    int part = record->part;
    if (!grow((void **)&join->to->record, join->to->records, &join->record_room, sizeof *record) ||
        !record_under(alias_of(join, record->backend), record)) {
        return false;
    }
    record->part = part ? before + part : record->part;
    join->to->record[join->to->records++] = *record;
    *record = (struct record){0};
    return true;
}

static void part_clear(struct record_part *part)
{
    free(part->backend);
    free(part->started);
    free(part->command);
    free(part->shard);
    free(part->partition);
    free(part->selection);
    free(part->fault);
    free(part->lost_shards);
    *part = (struct record_part){.backend = NULL};
}

bool join_bare(struct join *join, const char *backend, const char *fault)
{
    struct results *to = join->to;
    struct record_header header = {.version = RECORD_VERSION,
                                   .assay = strdup("unknown"),
                                   .backend = strdup(backend),
                                   .fault = strdup(fault)};
    for (int r = 0; r < to->records; r++) {
        header.expected += !to->record[r].part && text_same(to->record[r].backend, backend);
    }
    char *name = strdup(backend);
    bool good = name && header.assay && header.backend && header.fault && join_header(join, &header, true);
    for (int r = 0; good && r < to->records; r++) {
        struct record *record = &to->record[r];
        if (record->part || !text_same(record->backend, name)) {
            continue;
        }
        good = record_under(alias_of(join, name), record);
    }
    free(name);
    record_header_clear(&header);
    return good;
}

static bool join_part(struct join *join, struct record_part *part)
{
    struct results *to = join->to;
    if (!grow((void **)&to->part, to->parts, &join->part_room, sizeof *part) ||
        !rename_backend(alias_of(join, part->backend), &part->backend)) {
        return false;
    }
    conflict_of_part(to, part);
    to->part[to->parts++] = *part;
    *part = (struct record_part){.backend = NULL};
    return true;
}

void join_expected(struct results *results)
{
    for (int h = 0; h < results->headers; h++) {
        int64_t expected = 0;
        bool any = false;
        for (int p = 0; p < results->parts; p++) {
            bool counted = !text_same(results->part[p].backend, results->header[h].backend);
            any = any || !counted;
            for (int q = 0; q < p && !counted; q++) {
                counted = record_same_part(&results->part[p], &results->part[q]);
            }
            expected += counted ? 0 : results->part[p].expected;
        }
        if (any) {
            results->header[h].expected = expected;
        }
    }
}

bool results_add_header(struct results *results, struct record_header *header)
{
    struct record_header *grown = realloc(results->header, ((size_t)results->headers + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    results->header = grown;
    grown[results->headers++] = *header;
    *header = (struct record_header){.version = 0};
    return true;
}

bool results_add_record(struct results *results, struct record *record)
{
    /* The array grows in powers of two: its capacity is the least power of two that holds the count. */
    if ((results->records & (results->records - 1)) == 0) {
        size_t room = results->records ? (size_t)results->records * 2 : 1;
        struct record *grown = realloc(results->record, room * sizeof *grown);
        if (!grown) {
            return false;
        }
        results->record = grown;
    }
    results->record[results->records++] = *record;
    *record = (struct record){.id = NULL};
    return true;
}

bool record_same_part(const struct record_part *a, const struct record_part *b)
{
    if (!text_same(a->backend, b->backend) || !text_same(a->shard, b->shard)) {
        return false;
    }
    if (a->selection && b->selection) {
        return text_same(a->selection, b->selection);
    }
    return text_same(a->started, b->started) && text_same(a->command, b->command);
}

void join_end(struct join *join)
{
    for (int i = 0; i < join->aliases; i++) {
        free(join->alias[i].name);
        free(join->alias[i].known);
    }
    free(join->alias);
}

/* Makes parts of headers that have none, in results made in memory or merged before. */
static bool headers_to_parts(struct join *join)
{
    struct results *to = join->to;
    bool ok = true;
    for (int h = 0; ok && h < to->headers && (h > 0 || to->parts == 0); h++) {
        ok = part_add(join, &to->header[h], to->header[h].backend);
        for (int r = 0; ok && r < to->records; r++) {
            if (text_same(to->record[r].backend, to->header[h].backend)) {
                to->record[r].part = to->parts;
            }
        }
    }
    return ok;
}

bool results_join(struct results *to, struct results *from)
{
    struct join join = {
        .to = to, .header_room = to->headers, .record_room = to->records, .part_room = to->parts};
    bool ok = headers_to_parts(&join);
    int before = to->parts;
    for (int i = 0; ok && i < from->headers; i++) {
        ok = join_header(&join, &from->header[i], from->parts == 0);
    }
    for (int i = 0; ok && i < from->parts; i++) {
        ok = join_part(&join, &from->part[i]);
    }
    for (int i = 0; ok && i < from->records; i++) {
        ok = join_record(&join, &from->record[i], before);
    }
    join_end(&join);
    if (!to->conflict) {
        to->conflict = from->conflict;
        from->conflict = NULL;
    }
    to->torn = to->torn || from->torn;
    if (ok) {
        join_expected(to);
        results_destroy(from);
    }
    return ok;
}

void results_forget_parts(struct results *results)
{
    for (int p = 0; p < results->parts; p++) {
        part_clear(&results->part[p]);
    }
    free(results->part);
    results->part = NULL;
    results->parts = 0;
    for (int r = 0; r < results->records; r++) {
        results->record[r].part = 0;
    }
}

void results_destroy(struct results *results)
{
    for (int i = 0; i < results->headers; i++) {
        record_header_clear(&results->header[i]);
    }
    for (int i = 0; i < results->records; i++) {
        record_clear(&results->record[i]);
    }
    results_forget_parts(results);
    free(results->conflict);
    free(results->header);
    free(results->record);
    *results = (struct results){0};
}
