/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/merge.h"

#include "reports/records/losses.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 20 };

struct merge {
    void (*tell)(void *user, const char *text);
    void *user;
    int differing;
};

static void report_differing(struct merge *merge, const struct record *kept, const struct record *dropped)
{
    char text[512];
    if (merge->differing++ < SHOWN_MAX) {
        snprintf(text, sizeof text, "%.300s on %.80s: %s and %s in two files; %s is kept", kept->id,
                 kept->backend, status_name(dropped->status), status_name(kept->status),
                 status_name(kept->status));
        merge->tell(merge->user, text);
    }
}

/* Keeps one of two records of a case in `kept` and clears the other. */
static void join(struct merge *merge, struct record *kept, struct record *other)
{
    bool differ =
        kept->status != other->status && kept->status != STATUS_MISSING && other->status != STATUS_MISSING;
    bool take = kept->status == STATUS_MISSING ||
                (differ && status_severity(other->status) > status_severity(kept->status));
    if (take) {
        struct record swapped = *kept;
        *kept = *other;
        *other = swapped;
    }
    if (differ) {
        report_differing(merge, kept, other);
    }
    record_clear(other);
}

static bool other_inputs(const struct record *a, const struct record *b)
{
    return a->inputs_digest && b->inputs_digest && *a->inputs_digest && *b->inputs_digest &&
           strcmp(a->inputs_digest, b->inputs_digest) != 0;
}

static bool merge_records(struct results *results, void (*tell)(void *user, const char *text), void *user,
                          struct error *error)
{
    struct merge merge = {.tell = tell, .user = user};
    int kept = 0;
    bool good = true;
    for (int r = 0; r < results->records; r++) {
        struct record *record = &results->record[r], *last = kept ? &results->record[kept - 1] : NULL;
        bool same = last && !strcmp(last->id, record->id) && !strcmp(last->backend, record->backend);
        if (same && good && other_inputs(last, record)) {
            good = error_set(error,
                             "%.300s on %.80s was judged on different inputs (digests %.40s and %.40s): "
                             "these runs cannot be merged",
                             record->id, record->backend, last->inputs_digest, record->inputs_digest);
        }
        if (same) {
            join(&merge, last, record);
        } else if (&results->record[kept++] != record) {
            results->record[kept - 1] = *record;
        }
    }
    results->records = kept;
    if (merge.differing > SHOWN_MAX) {
        char text[80];
        snprintf(text, sizeof text, "… and %d more cases that differ", merge.differing - SHOWN_MAX);
        tell(user, text);
    }
    return good;
}

/* The digest of the selection that the backend's records form together; NULL where they come from several
 * selections. If nothing is lost, a selection of as many cases as all records contains the others. */
static const char *whole_selection(const struct results *results, const struct record_header *header,
                                   bool complete)
{
    const char *selection = NULL;
    bool one = true;
    for (int p = 0; p < results->parts; p++) {
        const struct record_part *part = &results->part[p];
        if (strcmp(part->backend, header->backend)) {
            continue;
        }
        if (complete && part->selection && part->selected == header->expected) {
            return part->selection;
        }
        one = one && part->selection && (!selection || !strcmp(selection, part->selection));
        selection = part->selection;
    }
    return one ? selection : NULL;
}

/* Makes one command of those of several parts: the first, and how many more there are. */
static void join_command(const struct results *results, struct record_header *header)
{
    int more = -1;
    char *text;
    for (int p = 0; p < results->parts; p++) {
        bool counted = strcmp(results->part[p].backend, header->backend) != 0;
        for (int q = 0; q < p && !counted; q++) {
            counted = record_same_part(&results->part[p], &results->part[q]);
        }
        more += !counted;
    }
    if (more > 0 && header->command && asprintf(&text, "%s (and %d more)", header->command, more) >= 0) {
        free(header->command);
        header->command = text;
    }
}

/* Keeps a loss as the header's fault where the joined numbers no longer show it. */
static void join_fault(struct record_header *header, const struct losses *losses)
{
    for (int i = 0; i < losses->count && !header->fault; i++) {
        const struct loss *loss = &losses->loss[i];
        if (strcmp(loss->backend, header->backend) || !(loss->fault || loss->extra)) {
            continue;
        }
        char *text = loss->fault ? NULL : loss_text(loss);
        header->fault = loss->fault ? strdup(loss->fault) : text ? strdup(strchr(text, ' ') + 1) : NULL;
        free(text);
    }
}

/* Keeps the names of the lost shards, which the merged records no longer show. */
static void join_lost_shards(struct record_header *header, const struct losses *losses)
{
    free(header->lost_shards);
    header->lost_shards = NULL;
    for (int i = 0; i < losses->count && !header->lost_shards; i++) {
        const struct loss *loss = &losses->loss[i];
        if (strcmp(loss->backend, header->backend) == 0 && loss->lost && loss->shards[0]) {
            header->lost_shards = strdup(loss->shards);
        }
    }
}

/* Rewrites the header for the merged records: it expects the cases that are there and those that are lost. */
static void join_header(const struct results *results, struct record_header *header, bool whole,
                        const struct losses *losses)
{
    int64_t there = 0, lost = 0;
    for (int r = 0; r < results->records; r++) {
        there += !strcmp(results->record[r].backend, header->backend);
    }
    for (int i = 0; i < losses->count; i++) {
        lost += !strcmp(losses->loss[i].backend, header->backend) ? losses->loss[i].lost : 0;
    }
    header->expected = there + lost;
    join_fault(header, losses);
    join_lost_shards(header, losses);
    const char *selection = whole ? whole_selection(results, header, lost == 0) : NULL;
    char *copy = selection ? strdup(selection) : NULL;
    free(header->selection);
    free(header->shard);
    free(header->partition);
    header->selection = copy;
    header->shard = header->partition = NULL;
    header->selected = copy ? header->expected : 0;
    join_command(results, header);
}

bool merge_results(struct results *results, bool whole, void (*tell)(void *user, const char *text),
                   void *user, struct error *error)
{
    struct losses losses;
    if (!losses_find(results, whole, &losses)) {
        losses_destroy(&losses);
        return error_set(error, "out of memory");
    }
    for (int i = 0; i < losses.count; i++) {
        char *text = loss_text(&losses.loss[i]);
        tell(user, text ? text : "");
        free(text);
    }
    bool good = merge_records(results, tell, user, error);
    for (int h = 0; good && h < results->headers; h++) {
        join_header(results, &results->header[h], whole, &losses);
    }
    if (good) {
        results_forget_parts(results);
    }
    losses_destroy(&losses);
    return good;
}
