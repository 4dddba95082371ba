/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/gate/baseline_parts.h"
#include "reports/gate.h"

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

/* The status that the entry names; STATUS_COUNT where it names none and so excuses any failure. */
static enum status status_of(const struct entry *entry)
{
    enum status status = STATUS_COUNT;
    return entry->status && status_from_name(entry->status, &status) ? status : STATUS_COUNT;
}

/* True if the entry speaks of such a case. One that expects failures says nothing about a case that could not
 * be run or is no evidence. */
static bool concerns(const struct entry *entry, enum status status)
{
    return !is_no_evidence(status) || is_no_evidence(status_of(entry));
}

static bool excuses(const struct baseline *baseline, const struct entry *entry, enum status status)
{
    bool same = status_of(entry) == STATUS_COUNT ? status_is_failure(status) : status_of(entry) == status;
    return same && !has_expired(baseline, entry);
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

/* What fails the gate and has no entry, as the entry that --update-baseline would write. */
static void propose_entry(struct baseline *baseline, const struct record *record)
{
    char *backend = escape_pattern(baseline->backend);
    json_t *entry =
        json_pack("{s:s, s:s, s:s, s:s, s:s}", "id", record->id, "status", status_name(record->status),
                  "backend", backend ? backend : "", "device", baseline->device, "reason",
                  record->reason && record->reason[0] ? record->reason : "no reason was given");
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

/* What the entry expects of a case, as the end of "expects it to …". */
static const char *expectation(const struct entry *entry)
{
    enum status status = status_of(entry);
    return status == STATUS_UNSUPPORTED ? "be unsupported"
           : status == STATUS_VACUOUS   ? "be vacuous"
           : status == STATUS_CRASH     ? "crash"
           : status == STATUS_TIMEOUT   ? "time out"
                                        : "fail";
}

/* Says in the record's reason why the entry that names it does not excuse it. */
static void refuse(struct baseline *baseline, const struct entry *entry, struct record *record)
{
    const char *own = record->reason ? record->reason : "no reason given";
    if (has_expired(baseline, entry)) {
        record_reason(record, "%s; %s:%d expected it to %s (%s), but the entry expired on %s", own,
                      baseline->path, entry->line, expectation(entry), entry->reason, entry->expires);
    } else {
        propose_entry(baseline, record); /* in place of an entry of another status */
        record_reason(record, "%s; %s:%d expects it to %s", own, baseline->path, entry->line,
                      expectation(entry));
    }
}

/* The length of "family/operator/dtype" in an id; 0 where the id has fewer parts. */
static size_t prefix_length(const char *id)
{
    const char *name;
    int length;
    return record_id_part(id, 3, &name, &length) ? (size_t)(name - id) - 1 : 0;
}

/* The key under which the cases of an operator, dtype, backend and device are counted. The caller frees it.
 */
static char *seen_key(const char *id, const char *backend, const char *device)
{
    char *key = NULL;
    return asprintf(&key, "%.*s\n%s\n%s", (int)prefix_length(id), id, backend, device) < 0 ? NULL : key;
}

static void note_seen(struct baseline *baseline, const char *id)
{
    char *backend = escape_pattern(baseline->backend);
    char *key = backend ? seen_key(id, backend, baseline->device) : NULL;
    if (key) {
        json_int_t count = json_integer_value(json_object_get(baseline->seen, key));
        json_object_set_new(baseline->seen, key, json_integer(count + 1));
    }
    free(key);
    free(backend);
}

/* Counts in each entry that names the case whether it met and excused it. */
static void note_met(struct baseline *baseline, const struct record *record)
{
    for (int i = 0; i < baseline->entries; i++) {
        struct entry *entry = &baseline->entry[i];
        bool met = names(baseline, entry, record->id) && concerns(entry, record->status);
        entry->met += met;
        entry->excused += met && (excuses(baseline, entry, record->status) ||
                                  (record->status != STATUS_PASS && has_expired(baseline, entry)));
    }
}

static void excuse(const struct entry *entry, struct record *record)
{
    const char *open = entry->link ? " (" : "", *link = entry->link ? entry->link : "",
               *close = entry->link ? ")" : "";
    if (status_is_failure(record->status)) {
        record_reason(record, "%s%s%s%s", entry->reason, open, link, close);
        record->status = STATUS_EXPECTED_FAIL;
        return;
    }
    free(record->excused);
    if (asprintf(&record->excused, "%s%s%s%s", entry->reason, open, link, close) < 0) {
        record->excused = NULL; /* without memory the case fails the gate: the safe side */
    }
}

void baseline_apply(struct baseline *baseline, struct record *record, unsigned gate)
{
    note_seen(baseline, record->id);
    if (!is_excusable(record->status) && record->status != STATUS_PASS) {
        return;
    }
    note_met(baseline, record);
    const struct entry *excusing = entry_for(baseline, record, true);
    const struct entry *named = excusing ? excusing : entry_for(baseline, record, false);
    if (excusing) {
        excuse(excusing, record);
    } else if (record->status == STATUS_PASS) {
        if (named && is_exact(named, record->id)) {
            record_reason(record, "passes, but %s:%d expects it to %s: %s", baseline->path, named->line,
                          expectation(named), named->reason);
            record->status = STATUS_UNEXPECTED_PASS;
        }
    } else if (gate_fails_status(record->status, gate)) {
        if (named) {
            refuse(baseline, named, record);
        } else {
            propose_entry(baseline, record);
        }
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
                snprintf(
                    text, sizeof text,
                    "%s:%d: \"%s\" is stale: it expects its cases to %s, and none of the %d that ran does",
                    baseline->path, entry->line, entry->id, expectation(entry), entry->met);
            }
            tell(user, text);
            stale++;
        }
    }
    return stale;
}

static const char *member(const json_t *entry, const char *name)
{
    const char *text = json_string_value(json_object_get(entry, name));
    return text ? text : "";
}

static bool is_alike(const json_t *a, const json_t *b)
{
    size_t length = prefix_length(member(a, "id"));
    return length == prefix_length(member(b, "id")) &&
           strncmp(member(a, "id"), member(b, "id"), length + 1) == 0 &&
           strcmp(member(a, "status"), member(b, "status")) == 0 &&
           strcmp(member(a, "backend"), member(b, "backend")) == 0 &&
           strcmp(member(a, "device"), member(b, "device")) == 0 &&
           strcmp(member(a, "reason"), member(b, "reason")) == 0;
}

/* Makes one entry of the new entries from `first` on that are like the first, "family/operator/dtype/" and an
 * asterisk, if they are all cases of this operator and dtype that ran: nothing that is supported today is
 * then excused. The others are removed. */
static void join_unsupported(struct baseline *baseline, size_t first)
{
    json_t *entry = json_array_get(baseline->added, first);
    const char *id = member(entry, "id");
    char *key = seen_key(id, member(entry, "backend"), member(entry, "device")), *glob = NULL;
    json_int_t ran = key ? json_integer_value(json_object_get(baseline->seen, key)) : 0, alike = 0;
    for (size_t i = first; i < json_array_size(baseline->added); i++) {
        alike += is_alike(entry, json_array_get(baseline->added, i));
    }
    free(key);
    if (alike < 2 || alike != ran || asprintf(&glob, "%.*s/*", (int)prefix_length(id), id) < 0) {
        return;
    }
    for (size_t i = json_array_size(baseline->added) - 1; i > first; i--) {
        if (is_alike(entry, json_array_get(baseline->added, i))) {
            json_array_remove(baseline->added, i);
        }
    }
    json_object_set_new(entry, "id", json_string(glob));
    free(glob);
}

bool baseline_update(struct baseline *baseline, int *removed, int *added, struct error *error)
{
    json_t *list = json_array();
    *removed = 0;
    for (size_t i = 0; i < json_array_size(baseline->added); i++) {
        if (strcmp(member(json_array_get(baseline->added, i), "status"), status_name(STATUS_UNSUPPORTED)) ==
            0) {
            join_unsupported(baseline, i);
        }
    }
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
