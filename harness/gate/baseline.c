/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/gate/baseline_parts.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

int baseline_count(const struct baseline *baseline)
{
    return baseline->entries;
}

void baseline_device(struct baseline *baseline, const char *backend, const char *device, const char *driver)
{
    baseline->backend = backend ? backend : "";
    baseline->device = device ? device : "";
    baseline->driver = driver ? driver : "";
}

static bool is_exact(const struct entry *entry, const char *id)
{
    return strcmp(entry->id, id) == 0;
}

static bool names_case(const struct entry *entry, const char *id)
{
    return is_exact(entry, id) || fnmatch(entry->id, id, 0) == 0;
}

void baseline_know(struct baseline *baseline, int cases, const char *(*id)(const void *list, int index),
                   const void *list)
{
    for (int i = 0; i < baseline->entries; i++) {
        struct entry *entry = &baseline->entry[i];
        entry->unknown = true;
        for (int c = 0; c < cases && entry->unknown; c++) {
            entry->unknown = !names_case(entry, id(list, c));
        }
    }
}

static bool names(const struct baseline *baseline, const struct entry *entry, const char *id)
{
    return names_case(entry, id) &&
           (!entry->backend || strcmp(entry->backend, baseline->backend) == 0 ||
            fnmatch(entry->backend, baseline->backend, 0) == 0) &&
           (!entry->device || strcasestr(baseline->device, entry->device)) &&
           (!entry->driver || strcasestr(baseline->driver, entry->driver));
}

void baseline_date(struct baseline *baseline, const char *today)
{
    snprintf(baseline->today, sizeof baseline->today, "%s", today);
}

/* Dates of this form are in the order of their texts. */
static bool has_expired(const struct baseline *baseline, const struct entry *entry)
{
    return entry->expires && strcmp(baseline->today, entry->expires) >= 0;
}

static bool excuses(const struct baseline *baseline, const struct entry *entry, enum status status)
{
    bool excusable = status == STATUS_FAIL || status == STATUS_CRASH || status == STATUS_TIMEOUT;
    return excusable && !has_expired(baseline, entry) &&
           (!entry->status || strcmp(entry->status, status_name(status)) == 0);
}

bool baseline_excuses(const struct baseline *baseline, const char *id, enum status status)
{
    for (int i = 0; i < baseline->entries; i++) {
        const struct entry *entry = &baseline->entry[i];
        if (names(baseline, entry, id) && excuses(baseline, entry, status)) {
            return true;
        }
    }
    return false;
}

/* A pattern that matches this text alone; the caller frees it. */
static char *escape_pattern(const char *text)
{
    char *pattern = malloc(2 * strlen(text) + 1), *end = pattern;
    for (; pattern && *text; text++) {
        if (strchr("*?[]\\", *text)) {
            *end++ = '\\';
        }
        *end++ = *text;
    }
    if (pattern) {
        *end = 0;
    }
    return pattern;
}

/* A failure that no entry names, as the entry that --update-baseline would write. */
static void propose_entry(struct baseline *baseline, const struct record *record)
{
    char *backend = escape_pattern(baseline->backend);
    json_t *entry =
        json_pack("{s:s, s:s, s:s, s:s, s:s}", "id", record->id, "status", status_name(record->status),
                  "backend", backend ? backend : "", "device", baseline->device, "reason",
                  record->reason && record->reason[0] ? record->reason : "fails for an unknown reason");
    free(backend);
    if (entry) {
        json_array_append_new(baseline->added, entry);
    }
}

/* The entry that applies to a case: of those that excuse it if `excusing`, else of those that name it; an
 * exact id before a glob. */
static struct entry *entry_for(struct baseline *baseline, const struct record *record, bool excusing)
{
    struct entry *found = NULL;
    for (int i = 0; i < baseline->entries; i++) {
        struct entry *entry = &baseline->entry[i];
        if (names(baseline, entry, record->id) && (!excusing || excuses(baseline, entry, record->status)) &&
            (!found || is_exact(entry, record->id))) {
            found = entry;
        }
    }
    return found;
}

/* Says in the reason of a failure why the entry that names it does not excuse it. */
static void refuse(struct baseline *baseline, const struct entry *entry, struct record *record)
{
    const char *own = record->reason ? record->reason : "no reason given";
    if (has_expired(baseline, entry)) {
        record_reason(record, "%s; %s:%d expected this failure (%s), but the entry expired on %s", own,
                      baseline->path, entry->line, entry->reason, entry->expires);
    } else {
        propose_entry(baseline, record); /* in place of an entry of another status */
        record_reason(record, "%s; %s:%d expects a %s", own, baseline->path, entry->line, entry->status);
    }
}

void baseline_apply(struct baseline *baseline, struct record *record)
{
    bool failed =
        record->status == STATUS_FAIL || record->status == STATUS_CRASH || record->status == STATUS_TIMEOUT;
    if (!failed && record->status != STATUS_PASS) {
        return;
    }
    for (int i = 0; i < baseline->entries; i++) {
        struct entry *entry = &baseline->entry[i];
        bool named = names(baseline, entry, record->id);
        entry->met += named;
        entry->excused +=
            named && (excuses(baseline, entry, record->status) || (failed && has_expired(baseline, entry)));
    }
    const struct entry *excuse = failed ? entry_for(baseline, record, true) : NULL;
    const struct entry *named = excuse ? excuse : entry_for(baseline, record, false);
    if (excuse) {
        record_reason(record, "%s%s%s%s", excuse->reason, excuse->link ? " (" : "",
                      excuse->link ? excuse->link : "", excuse->link ? ")" : "");
        record->status = STATUS_EXPECTED_FAIL;
    } else if (failed && named) {
        refuse(baseline, named, record);
    } else if (failed) {
        propose_entry(baseline, record);
    } else if (named && is_exact(named, record->id)) {
        record_reason(record, "passes, but %s:%d expects it to fail: %s", baseline->path, named->line,
                      named->reason);
        record->status = STATUS_UNEXPECTED_PASS;
    }
}

static bool is_stale(const struct entry *entry)
{
    return entry->unknown || (entry->met > 0 && entry->excused == 0);
}

int baseline_stale(const struct baseline *baseline, void (*tell)(void *user, const char *text), void *user)
{
    int stale = 0;
    for (int i = 0; i < baseline->entries; i++) {
        const struct entry *entry = &baseline->entry[i];
        if (is_stale(entry)) {
            char text[512];
            if (entry->unknown) {
                snprintf(text, sizeof text, "%s:%d: \"%s\" is stale: it matches no case", baseline->path,
                         entry->line, entry->id);
            } else {
                snprintf(text, sizeof text,
                         "%s:%d: \"%s\" is stale: it matches %d case%s, and none of them fails as expected",
                         baseline->path, entry->line, entry->id, entry->met, entry->met == 1 ? "" : "s");
            }
            tell(user, text);
            stale++;
        }
    }
    return stale;
}

bool baseline_update(struct baseline *baseline, int *removed, int *added, struct error *error)
{
    json_t *list = json_array();
    *removed = 0;
    *added = (int)json_array_size(baseline->added);
    for (int i = 0; list && i < baseline->entries; i++) {
        if (is_stale(&baseline->entry[i])) {
            ++*removed;
        } else {
            json_array_append(list, baseline->entry[i].object);
        }
    }
    bool good = list && json_array_extend(list, baseline->added) == 0;
    good = good ? baseline_write(baseline, list, error)
                : error_set(error, "out of memory for %s", baseline->path);
    json_decref(list);
    return good;
}
