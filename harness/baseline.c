/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/baseline.h"

#include "harness/output.h"

#include <errno.h>
#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { BASELINE_VERSION = 1 };

struct entry {
    json_t *object; /* borrowed from the document */
    const char *id, *backend, *device, *driver, *reason;
    int line;
    bool unknown;    /* names no case that there is */
    int met, failed; /* cases of this run that it named, and those among them that failed */
};

struct baseline {
    char *path;
    json_t *document;
    int entries;
    struct entry *entry;
    const char *backend, *device, *driver;
    json_t *added; /* new failures, as entries */
};

/* jansson does not tell where an object stood: the n-th '{' directly inside an array inside the top object.
 */
static int line_of_entry(const char *text, size_t length, int n)
{
    int line = 1, depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        line += c == '\n';
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (c == '{' && depth == 2 && n-- == 0) {
                return line;
            }
            depth++;
        } else if (c == '}' || c == ']') {
            depth--;
        }
    }
    return line;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    *length = 0;
    for (size_t room = 0; file && !feof(file);) {
        if (*length + 1 >= room) {
            room = room ? room * 2 : 4096;
            char *grown = realloc(text, room);
            if (!grown) {
                break;
            }
            text = grown;
        }
        *length += fread(text + *length, 1, room - 1 - *length, file);
        text[*length] = 0;
        if (ferror(file)) {
            free(text);
            text = NULL;
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return text;
}

/* A string member; false when it is there and not a string, or missing and required. */
static bool member(json_t *object, const char *name, bool required, const char **text)
{
    json_t *value = json_object_get(object, name);
    *text = json_string_value(value);
    return value ? *text && (!required || **text) : !required;
}

/* The first member that means nothing: a mistyped "device" would make its entry apply everywhere. */
static const char *unknown_member(json_t *object)
{
    static const char *const known[] = {"id", "backend", "device", "driver", "reason"};
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        bool found = false;
        for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
            found = found || strcmp(name, known[k]) == 0;
        }
        if (!found) {
            return name;
        }
    }
    return NULL;
}

static bool read_entries(struct baseline *baseline, const char *text, size_t length, struct error *error)
{
    json_t *list = json_object_get(baseline->document, "entries");
    json_t *version = json_object_get(baseline->document, "version");
    if (!json_is_integer(version) || json_integer_value(version) != BASELINE_VERSION) {
        return error_set(error, "%s:1: \"version\" must be %d", baseline->path, BASELINE_VERSION);
    }
    if (!json_is_array(list)) {
        return error_set(error, "%s:1: \"entries\" must be an array", baseline->path);
    }
    baseline->entry = calloc(json_array_size(list) + 1, sizeof *baseline->entry);
    if (!baseline->entry) {
        return error_set(error, "out of memory");
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct entry *entry = &baseline->entry[baseline->entries++];
        entry->object = json_array_get(list, i);
        entry->line = line_of_entry(text, length, (int)i);
        const char *wrong =
            !json_is_object(entry->object)                              ? "an entry must be an object"
            : !member(entry->object, "id", true, &entry->id)            ? "\"id\" must name a case or glob"
            : !member(entry->object, "reason", true, &entry->reason)    ? "\"reason\" must say why it fails"
            : !member(entry->object, "backend", false, &entry->backend) ? "\"backend\" must be a string"
            : !member(entry->object, "device", false, &entry->device)   ? "\"device\" must be a string"
            : !member(entry->object, "driver", false, &entry->driver)   ? "\"driver\" must be a string"
                                                                        : NULL;
        if (wrong) {
            return error_set(error, "%s:%d: %s", baseline->path, entry->line, wrong);
        }
        const char *unknown = unknown_member(entry->object);
        if (unknown) {
            return error_set(error,
                             "%s:%d: unknown member \"%s\"; an entry has id, backend, device, driver and "
                             "reason",
                             baseline->path, entry->line, unknown);
        }
    }
    return true;
}

struct baseline *baseline_read(const char *path, bool create, struct error *error)
{
    struct baseline *baseline = calloc(1, sizeof *baseline);
    size_t length = 0;
    char *text = NULL;
    bool good = baseline && (baseline->path = strdup(path)) && (baseline->added = json_array());
    if (!good) {
        error_set(error, "out of memory");
    } else if (!(text = read_file(path, &length)) && !(create && errno == ENOENT)) {
        good = error_set(error, "cannot read the baseline %s: %s", path, strerror(errno));
    } else if (!text) {
        baseline->document = json_pack("{s:i, s:[]}", "version", BASELINE_VERSION, "entries");
        good = baseline->document || error_set(error, "out of memory");
    } else {
        json_error_t fault;
        baseline->document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);
        good = baseline->document ? read_entries(baseline, text, length, error)
                                  : error_set(error, "%s:%d: %s", path, fault.line, fault.text);
    }
    free(text);
    if (!good) {
        baseline_destroy(&baseline);
    }
    return baseline;
}

void baseline_destroy(struct baseline **baseline)
{
    if (*baseline) {
        json_decref((*baseline)->document);
        json_decref((*baseline)->added);
        free((*baseline)->entry);
        free((*baseline)->path);
        free(*baseline);
        *baseline = NULL;
    }
}

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

bool baseline_names(const struct baseline *baseline, const char *id)
{
    for (int i = 0; i < baseline->entries; i++) {
        if (names(baseline, &baseline->entry[i], id)) {
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
static void remember(struct baseline *baseline, const struct record *record)
{
    char *backend = escape_pattern(baseline->backend);
    json_t *entry = json_pack("{s:s, s:s, s:s, s:s}", "id", record->id, "backend", backend ? backend : "",
                              "device", baseline->device, "reason",
                              record->reason && record->reason[0] ? record->reason : "fails, reason unknown");
    free(backend);
    if (entry) {
        json_array_append_new(baseline->added, entry);
    }
}

void baseline_apply(struct baseline *baseline, struct record *record)
{
    bool failed =
        record->status == STATUS_FAIL || record->status == STATUS_CRASH || record->status == STATUS_TIMEOUT;
    bool passed = record->status == STATUS_PASS;
    const struct entry *found = NULL;
    for (int i = 0; i < baseline->entries && (failed || passed); i++) {
        struct entry *entry = &baseline->entry[i];
        if (names(baseline, entry, record->id)) {
            entry->met++;
            entry->failed += failed;
            found = !found || is_exact(entry, record->id) ? entry
                                                          : found; /* the exact one speaks before a glob */
        }
    }
    if (failed && !found) {
        remember(baseline, record);
    } else if (failed) {
        free(record->reason);
        record->status = STATUS_EXPECTED_FAIL;
        record->reason = strdup(found->reason);
    } else if (found && is_exact(found, record->id)) {
        char text[512];
        snprintf(text, sizeof text, "passes, but %s:%d expects it to fail: %s", baseline->path, found->line,
                 found->reason);
        free(record->reason);
        record->status = STATUS_UNEXPECTED_PASS;
        record->reason = strdup(text);
    }
}

static bool is_stale(const struct entry *entry)
{
    return entry->unknown || (entry->met > 0 && entry->failed == 0);
}

int baseline_stale(const struct baseline *baseline, void (*tell)(void *user, const char *text), void *user)
{
    int stale = 0;
    for (int i = 0; i < baseline->entries; i++) {
        const struct entry *entry = &baseline->entry[i];
        if (is_stale(entry)) {
            char text[512];
            if (entry->unknown) {
                snprintf(text, sizeof text, "%s:%d: \"%s\" is stale: it names no case that there is",
                         baseline->path, entry->line, entry->id);
            } else {
                snprintf(text, sizeof text, "%s:%d: \"%s\" is stale: %d case%s met, none failed",
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
    json_t *list = json_array(), *document = json_copy(baseline->document);
    *removed = 0;
    *added = (int)json_array_size(baseline->added);
    for (int i = 0; list && i < baseline->entries; i++) {
        if (is_stale(&baseline->entry[i])) {
            ++*removed;
        } else {
            json_array_append(list, baseline->entry[i].object);
        }
    }
    bool good = list && document && json_array_extend(list, baseline->added) == 0 &&
                json_object_set(document, "entries", list) == 0;
    struct output output;
    if (!good) {
        error_set(error, "out of memory for %s", baseline->path);
    } else if ((good = output_begin(&output, baseline->path, error))) {
        bool dumped =
            json_dumpf(document, output.file, JSON_INDENT(2)) == 0 && fputc('\n', output.file) != EOF;
        good = output_end(&output, dumped, error) ||
               (!dumped && error_set(error, "cannot write the baseline %s", baseline->path));
    }
    json_decref(list);
    json_decref(document);
    return good;
}
