/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/gate/baseline_parts.h"
#include "harness/host/output.h"
#include "reports/records/input.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The line of the n-th entry, which jansson does not keep: that of the n-th '{' directly inside an array
 * inside the top object. */
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

/* The members of an entry, in the order in which they are written. */
static const struct member {
    const char *name;
    size_t offset; /* of its text in struct entry */
    int version;   /* that has it */
} members[] = {
    {"id", offsetof(struct entry, id), 1},           {"status", offsetof(struct entry, status), 2},
    {"backend", offsetof(struct entry, backend), 1}, {"device", offsetof(struct entry, device), 1},
    {"driver", offsetof(struct entry, driver), 1},   {"reason", offsetof(struct entry, reason), 1},
    {"link", offsetof(struct entry, link), 2},       {"owner", offsetof(struct entry, owner), 2},
    {"expires", offsetof(struct entry, expires), 2},
};
enum { MEMBERS = sizeof members / sizeof *members };

static bool is_date(const char *text)
{
    struct tm day = {.tm_year = 0};
    char again[16] = "";
    const char *end = strptime(text, "%Y-%m-%d", &day);
    return end && !*end && strftime(again, sizeof again, "%Y-%m-%d", &day) == 10 &&
           strcmp(again, text) == 0 &&
           day.tm_mday <= (day.tm_mon == 1                                                             ? 29
                           : day.tm_mon == 3 || day.tm_mon == 5 || day.tm_mon == 8 || day.tm_mon == 10 ? 30
                                                                                                       : 31);
}

static bool names_excusable(const char *text)
{
    enum status status;
    return status_from_name(text, &status) && is_excusable(status);
}

/* Reads the texts of an entry. True, with the fault in `why`, if one is wrong: a mistyped "device", for
 * example, would make the entry apply everywhere. */
static bool is_wrong(struct entry *entry, int version, char *why, size_t size)
{
    const char *name;
    json_t *value;
    *why = 0;
    json_object_foreach(entry->object, name, value)
    {
        int m = 0;
        while (m < MEMBERS && (strcmp(name, members[m].name) != 0 || members[m].version > version)) {
            m++;
        }
        if (m == MEMBERS) {
            size_t used = (size_t)snprintf(why, size, "unknown member \"%s\"; an entry of version %d has",
                                           name, version);
            for (int k = 0; k < MEMBERS && used < size; k++) {
                if (members[k].version <= version) {
                    used += (size_t)snprintf(why + used, size - used, "%s %s", k ? "," : "", members[k].name);
                }
            }
            return true;
        }
        if (!json_is_string(value)) {
            snprintf(why, size, "\"%s\" must be a string", name);
            return true;
        }
        *(const char **)((char *)entry + members[m].offset) = json_string_value(value);
    }
    const char *text =
        !entry->id || !*entry->id           ? "\"id\" must name a case or glob"
        : !entry->reason || !*entry->reason ? "\"reason\" must say why it fails"
        : entry->status && !names_excusable(entry->status)
            ? "\"status\" must be fail, crash, timeout, unsupported or vacuous; nothing excuses the others"
        : entry->expires && !is_date(entry->expires) ? "\"expires\" must be a day, YYYY-MM-DD"
                                                     : "";
    snprintf(why, size, "%s", text);
    return *why;
}

static bool read_entries(struct baseline *baseline, const char *text, size_t length, struct error *error)
{
    json_t *list = json_object_get(baseline->document, "entries");
    int64_t version = json_integer_value(json_object_get(baseline->document, "version"));
    if (version < 1 || version > BASELINE_VERSION) {
        return error_set(error, "%s:1: \"version\" must be 1 or %d", baseline->path, BASELINE_VERSION);
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
        char why[256] = "an entry must be an object";
        entry->object = json_array_get(list, i);
        entry->line = line_of_entry(text, length, (int)i);
        if (!json_is_object(entry->object) || is_wrong(entry, (int)version, why, sizeof why)) {
            return error_set(error, "%s:%d: %s", baseline->path, entry->line, why);
        }
    }
    return true;
}

struct baseline *baseline_read(const char *path, bool create, struct error *error)
{
    struct baseline *baseline = calloc(1, sizeof *baseline);
    size_t length = 0;
    char *text = NULL;
    struct error why = {.text = ""};
    bool absent = create && access(path, F_OK) != 0 && errno == ENOENT;
    bool good = baseline && (baseline->path = strdup(path)) && (baseline->added = json_array()) &&
                (baseline->seen = json_object());
    if (!good) {
        error_set(error, "out of memory");
    } else if (!absent && !(text = input_text(path, &length, &why))) {
        good = error_set(error, "cannot read the baseline %s", why.text);
    } else if (absent) {
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
    } else {
        time_t now = time(NULL);
        struct tm day;
        gmtime_r(&now, &day);
        strftime(baseline->today, sizeof baseline->today, "%Y-%m-%d", &day);
    }
    return baseline;
}

void baseline_destroy(struct baseline **baseline)
{
    if (*baseline) {
        json_decref((*baseline)->document);
        json_decref((*baseline)->added);
        json_decref((*baseline)->seen);
        free((*baseline)->entry);
        free((*baseline)->path);
        free(*baseline);
        *baseline = NULL;
    }
}

/* --- writing */

/* A copy of the entry with its members in the order of `members`. */
static json_t *ordered(json_t *object)
{
    json_t *entry = json_object();
    for (int m = 0; entry && m < MEMBERS; m++) {
        json_t *value = json_object_get(object, members[m].name);
        if (value && json_object_set(entry, members[m].name, value) != 0) {
            json_decref(entry);
            entry = NULL;
        }
    }
    return entry;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Each entry as a line that begins with its id, so that sorted lines are sorted entries. NULL if out of
 * memory. */
static char **lines_of(json_t *entries)
{
    size_t count = json_array_size(entries);
    char **line = calloc(count + 1, sizeof *line);
    bool good = line != NULL;
    for (size_t i = 0; good && i < count; i++) {
        json_t *entry = ordered(json_array_get(entries, i));
        line[i] = entry ? json_dumps(entry, 0) : NULL;
        json_decref(entry);
        good = line[i] != NULL;
    }
    if (line && good) {
        qsort(line, count, sizeof *line, by_text);
        return line;
    }
    for (size_t i = 0; line && i < count; i++) {
        free(line[i]);
    }
    free(line);
    return NULL;
}

static bool put(FILE *to, const struct baseline *baseline, char *const *line, size_t count)
{
    const char *name;
    json_t *value;
    fprintf(to, "{\n  \"version\": %d,\n", BASELINE_VERSION);
    json_object_foreach(baseline->document, name, value)
    {
        if (strcmp(name, "version") != 0 && strcmp(name, "entries") != 0) {
            char *text = json_dumps(value, JSON_ENCODE_ANY);
            json_t *key = json_string(name);
            char *quoted = key ? json_dumps(key, JSON_ENCODE_ANY) : NULL;
            fprintf(to, "  %s: %s,\n", quoted ? quoted : "\"\"", text ? text : "null");
            bool whole = text && quoted;
            json_decref(key);
            free(text);
            free(quoted);
            if (!whole) {
                return false;
            }
        }
    }
    fprintf(to, "  \"entries\": [");
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "%s\n    %s", i ? "," : "", line[i]);
    }
    fprintf(to, "%s]\n}\n", count ? "\n  " : "");
    return !ferror(to);
}

bool baseline_write(const struct baseline *baseline, json_t *entries, struct error *error)
{
    size_t count = json_array_size(entries);
    char **line = lines_of(entries);
    struct output output;
    bool good = line || error_set(error, "out of memory for %s", baseline->path);
    if (good && (good = output_begin(&output, baseline->path, error))) {
        bool written = put(output.file, baseline, line, count);
        good = output_end(&output, written, error) ||
               (!written && error_set(error, "cannot write the baseline %s", baseline->path));
    }
    for (size_t i = 0; line && i < count; i++) {
        free(line[i]);
    }
    free(line);
    return good;
}
