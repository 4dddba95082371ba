/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/memory.h"
#include "reports/clusters.h"
#include "reports/groups.h"
#include "reports/junit/junit_parts.h"
#include "reports/report.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

enum outcome junit_outcome(const struct record *record, unsigned gate)
{
    switch (record->status) {
    case STATUS_FAIL:
        return FAILED;
    case STATUS_FLAKE:
    case STATUS_UNEXPECTED_PASS:
    case STATUS_PASS:
        return gate_fails(record, gate) ? FAILED : PASSED;
    case STATUS_VACUOUS:
    case STATUS_UNSUPPORTED:
    case STATUS_EXPECTED_FAIL:
        return gate_fails(record, gate) ? FAILED : SKIPPED;
    default:
        return ERRED;
    }
}

/* The beginning of the path that ends at `slash`: behind the last blank, colon, equals sign or quote. */
static char *word_before(char *start, char *slash)
{
    while (slash > start && !strchr(" :='\"", slash[-1])) {
        slash--;
    }
    return slash;
}

/* Removes folders, because they differ between machines and a reader that keeps a history takes another class
 * for another case. Dots would separate packages. */
char *junit_backend(const char *backend)
{
    char *name = utf8_visible(backend);
    for (char *slash; name && (slash = strchr(name, '/'));) {
        char *word = word_before(name, slash);
        memmove(word, slash + 1, strlen(slash + 1) + 1);
    }
    for (char *dot = name; dot && (dot = strchr(dot, '.'));) {
        *dot = '_';
    }
    return name;
}

static char *class_name(const struct record *record)
{
    char *backend = junit_backend(record->backend), *id = utf8_visible(record->id), *name = NULL;
    const char *text;
    int length;
    if (backend && id && record_id_part(id, 3, &text, &length)) {
        if (asprintf(&name, "%s.%.*s", backend, (int)(text - 1 - id), id) < 0) {
            name = NULL;
        }
        for (char *slash = name ? name + strlen(backend) : NULL; slash && (slash = strchr(slash, '/'));) {
            *slash = '.';
        }
    } else if (backend && id && asprintf(&name, "%s.other", backend) < 0) {
        name = NULL;
    }
    free(backend);
    free(id);
    return name;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

const char *junit_unique(void **given, const char *before, const char *name)
{
    const char *result = NULL;
    for (int n = 1; name && !result; n++) {
        char *pair = NULL, suffix[24] = "";
        if (n > 1) {
            snprintf(suffix, sizeof suffix, " (%d)", n);
        }
        if (asprintf(&pair, "%s%s%s", before, name, suffix) < 0) {
            break;
        }
        char **kept = tsearch(pair, given, compare);
        if (kept && *kept == pair) {
            result = pair + strlen(before);
        } else {
            free(pair);
        }
        if (!kept) {
            memory_note_shortage();
            break;
        }
    }
    return result;
}

void junit_forget(void **given)
{
    while (*given) { /* a tsearch node begins with its key; tdestroy is an extension that macOS lacks */
        char *key = *(char **)*given;
        tdelete(key, given, compare);
        free(key);
    }
}

/* The part of the id behind family, operator and dtype, unique within its class. */
static const char *case_name(struct junit *junit, const struct record *record, const char *class)
{
    const char *rest = record->id, *name = NULL;
    char *before = NULL;
    int length;
    record_id_part(record->id, 3, &rest, &length);
    char *shown = utf8_visible(rest);
    if (asprintf(&before, "%s\n", class) >= 0) {
        name = junit_unique(&junit->names, before, shown);
        free(before);
    }
    free(shown);
    return name;
}

/* Writes the message, one line that says what is wrong: Jenkins' list shows nothing else. */
static void message(struct junit *junit, const struct record *record)
{
    const struct record_worst *worst = &record->worst;
    const char *reason = record->reason ? record->reason : "";
    char *line = NULL;
    int made;
    if (record->status == STATUS_VACUOUS) {
        char sees[TEXT_NUMBER];
        made = asprintf(&line, "vacuous: sees %s; %s", text_resolution(record->resolution, sees),
                        *reason ? reason : "the bound is too wide to be evidence");
    } else if (!gate_fails_status(record->status, junit->gate) && gate_fails(record, junit->gate)) {
        char factor[TEXT_NUMBER];
        made = record->implausible > 0
                   ? asprintf(&line,
                              "implausible: %s times the limit of independent rounding%s%s%s%s%s; --fail-on "
                              "implausible makes it fail",
                              text_number(record->implausible, factor), record->implausible_by ? " (" : "",
                              text_statistic(record->implausible_by), record->implausible_by ? ")" : "",
                              record->implausible_step ? " in " : "",
                              record->implausible_step ? record->implausible_step : "")
                   : asprintf(&line, "%" PRId64 " finding(s) of class RANGE; --fail-on range makes it fail",
                              record->range_findings);
    } else if (worst->truth && worst->got && junit_outcome(record, junit->gate) == FAILED) {
        made = asprintf(&line, "%s%s%s%struth %s, got %s", reason, *reason ? "; " : "",
                        worst->where ? worst->where : "", worst->where ? ": " : "", worst->truth, worst->got);
    } else {
        made = asprintf(&line, "%s%s%s", status_name(record->status), *reason ? ": " : "", reason);
    }
    char *known = NULL; /* what the baseline says of it */
    if (made >= 0 && gate_excuses(record)) {
        made = asprintf(&known, "%s (in the baseline: %s)", line, record->excused);
    }
    if (made < 0) {
        junit->ok = false;
        free(line);
        return;
    }
    char *shown = text_one_line(known ? known : line);
    free(known);
    junit_attribute(junit, "message", shown);
    junit_attribute(junit, "type",
                    gate_fails(record, junit->gate) && record->status != STATUS_FAIL
                        ? cluster_rule(record, junit->gate)
                        : status_name(record->status));
    free(shown);
    free(line);
}

static void failure_text(struct junit *junit, const struct record *record,
                         void (*put)(FILE *, const struct record *))
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (memory) {
        put(memory, record);
    }
    junit->ok = memory_stream_text(memory, &text) && junit->ok;
    junit_content(junit, text);
    free(text);
}

static void put_system_out(FILE *to, const struct record *record)
{
    text_metrics(to, record);
    if (record->range_findings > 0 && record->reason) {
        putc('\n', to);
        fputs(record->reason, to);
    }
    if (record->implausible > 0) {
        putc('\n', to);
    }
    text_implausible(to, record);
    if (record->status == STATUS_FLAKE) {
        fprintf(to, "\nflake: failed, then passed on the same bits in fresh processes, alone and after its "
                    "history\n");
    }
    if (record->status == STATUS_EXPECTED_FAIL) {
        putc('\n', to);
    }
    if (record->status == STATUS_FLAKE || record->status == STATUS_EXPECTED_FAIL) {
        report_failure(to, record);
    }
    if (record->status == STATUS_UNEXPECTED_PASS) {
        fprintf(to, "\nunexpected pass, the baseline is stale: %s", record->reason ? record->reason : "");
    }
}

/* True for a pass without findings or messages. Its numbers are in the results and in the parity page, and
 * would fill half of a large report. */
static bool plain_pass(const struct record *record)
{
    return record->status == STATUS_PASS && !(record->implausible > 0) && record->range_findings == 0 &&
           record->validation == 0 && record->distinct <= 1;
}

void junit_case(struct junit *junit, const struct record *record)
{
    static const char *const element[OUTCOMES] = {
        [FAILED] = "failure", [ERRED] = "error", [SKIPPED] = "skipped"};
    enum outcome result = junit_outcome(record, junit->gate);
    char *class = class_name(record);
    const char *name = class ? case_name(junit, record, class) : NULL;
    junit->ok = junit->ok && name;
    if (junit->ok) {
        junit_start(junit, "testcase");
        junit_attribute(junit, "classname", class);
        junit_attribute(junit, "name", name);
        junit_time(junit, record_milliseconds(record));
        if (result != PASSED) {
            junit_start(junit, element[result]);
            message(junit, record);
            if (result != SKIPPED) {
                failure_text(junit, record, report_failure);
            }
            junit_end(junit);
        }
        if (record_judged(record) && !plain_pass(record)) {
            junit_start(junit, "system-out");
            failure_text(junit, record, put_system_out);
            junit_end(junit);
        }
        junit_end(junit);
    }
    free(class);
}
