/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/clusters.h"
#include "reports/groups.h"
#include "reports/losses.h"
#include "reports/report.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* JUnit XML as Jenkins' junit-10 schema describes it. What the readers do with it decides where things stand:
 * GitLab shows the text of a failure, Jenkins its message; a reader keys cases by classname + name, so those
 * are unique. */

struct junit {
    xmlTextWriterPtr xml;
    bool ok;
    unsigned gate;
    void *names; /* tsearch tree of the "classname\nname" given out */
};

enum outcome { PASSED, FAILED, ERRED, SKIPPED, OUTCOMES };

/* What fails the gate is red in every reader. */
static enum outcome outcome(const struct record *record, unsigned gate)
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

static void check(struct junit *junit, int written)
{
    junit->ok = junit->ok && written >= 0;
}

static void start(struct junit *junit, const char *name)
{
    check(junit, xmlTextWriterStartElement(junit->xml, BAD_CAST name));
}

static void end(struct junit *junit)
{
    check(junit, xmlTextWriterEndElement(junit->xml));
}

/* libxml2 escapes markup, but writes control characters, which no XML 1.0 reader takes, as they come. */
static void attribute(struct junit *junit, const char *name, const char *value)
{
    char *valid = utf8_visible(value);
    junit->ok = junit->ok && valid;
    if (valid)
        check(junit, xmlTextWriterWriteAttribute(junit->xml, BAD_CAST name, BAD_CAST valid));
    free(valid);
}

static void attribute_count(struct junit *junit, const char *name, int count)
{
    check(junit, xmlTextWriterWriteFormatAttribute(junit->xml, BAD_CAST name, "%d", count));
}

static void attribute_time(struct junit *junit, int64_t milliseconds)
{
    check(junit, xmlTextWriterWriteFormatAttribute(junit->xml, BAD_CAST "time", "%" PRId64 ".%03d",
                                                   milliseconds / 1000, (int)(milliseconds % 1000)));
}

static void content(struct junit *junit, const char *text)
{
    char *valid = utf8_visible(text);
    junit->ok = junit->ok && valid;
    if (valid)
        check(junit, xmlTextWriterWriteString(junit->xml, BAD_CAST valid));
    free(valid);
}

static void property(struct junit *junit, const char *prefix, const char *name, const char *value)
{
    char *full = NULL;
    if (!value || !*value)
        return;
    if (asprintf(&full, "%s%s", prefix, name ? name : "") < 0) {
        junit->ok = false;
        return;
    }
    start(junit, "property");
    attribute(junit, "name", full);
    attribute(junit, "value", value);
    end(junit);
    free(full);
}

static void property_number(struct junit *junit, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    property(junit, "", name, text);
}

static void properties(struct junit *junit, const struct record_header *header)
{
    start(junit, "properties");
    property(junit, "", "assay", header->assay);
    property(junit, "", "commit", header->commit);
    property(junit, "", "backend", header->backend);
    property(junit, "", "device", header->device);
    property(junit, "", "driver", header->driver);
    property(junit, "", "api", header->api);
    property(junit, "", "os", header->os);
    property(junit, "", "cpu", header->cpu);
    property_number(junit, "memory_bytes", header->memory_bytes);
    property_number(junit, "device_memory_bytes", header->device_memory_bytes);
    property_number(junit, "seed", header->seed);
    property(junit, "", "level", header->level);
    property(junit, "", "command", header->command);
    for (int i = 0; i < header->profile_count; i++)
        property(junit, "profile.", header->profile[i].name, header->profile[i].value);
    for (int i = 0; i < header->environment_count; i++)
        property(junit, "environment.", header->environment[i].name, header->environment[i].value);
    end(junit);
}

/* Dots separate packages for the readers, so a backend's own ("exec:./adapter") become underscores. */
static char *class_name(const struct record *record)
{
    char *backend = utf8_visible(record->backend), *id = utf8_visible(record->id), *name = NULL;
    const char *text;
    int length;
    for (char *dot = backend; dot && (dot = strchr(dot, '.'));)
        *dot = '_';
    if (backend && id && record_id_part(id, 3, &text, &length)) {
        if (asprintf(&name, "%s.%.*s", backend, (int)(text - 1 - id), id) < 0)
            name = NULL;
        for (char *slash = name ? name + strlen(backend) : NULL; slash && (slash = strchr(slash, '/'));)
            *slash = '.';
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

/* The rest of the id; " (2)" and so on behind it when that pair has been given out. The tree owns the
 * result's text. */
static const char *unique_name(struct junit *junit, const struct record *record, const char *class)
{
    const char *rest = record->id;
    int length;
    record_id_part(record->id, 3, &rest, &length);
    char *shown = utf8_visible(rest);
    const char *result = NULL;
    for (int n = 1; shown && !result; n++) {
        char *pair = NULL, suffix[24] = "";
        if (n > 1)
            snprintf(suffix, sizeof suffix, " (%d)", n);
        if (asprintf(&pair, "%s\n%s%s", class, shown, suffix) < 0)
            break;
        char **kept = tsearch(pair, &junit->names, compare);
        if (kept && *kept == pair)
            result = pair + strlen(class) + 1;
        else
            free(pair);
        if (!kept)
            break;
    }
    free(shown);
    return result;
}

/* One line that says what is wrong: Jenkins shows nothing else in its list. */
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
                              "implausible: %s times the limit of independent rounding%s%s, and --fail-on "
                              "implausible",
                              text_number(record->implausible, factor), record->implausible_by ? ", by " : "",
                              record->implausible_by ? record->implausible_by : "")
                   : asprintf(&line, "%" PRId64 " finding(s) of class RANGE, and --fail-on range",
                              record->range_findings);
    } else if (worst->truth && worst->got && outcome(record, junit->gate) == FAILED) {
        made = asprintf(&line, "%s%s%s%struth %s, got %s", reason, *reason ? "; " : "",
                        worst->where ? worst->where : "", worst->where ? ": " : "", worst->truth, worst->got);
    } else {
        made = asprintf(&line, "%s%s%s", status_name(record->status), *reason ? ": " : "", reason);
    }
    if (made < 0) {
        junit->ok = false;
        return;
    }
    char *shown = text_one_line(line);
    attribute(junit, "message", shown);
    attribute(junit, "type",
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
        junit->ok = fclose(memory) == 0 && junit->ok;
    }
    junit->ok = junit->ok && memory && text;
    content(junit, text);
    free(text);
}

static void put_system_out(FILE *to, const struct record *record)
{
    text_metrics(to, record);
    if (record->implausible > 0)
        putc('\n', to);
    text_implausible(to, record);
    if (record->status == STATUS_FLAKE)
        fprintf(to, "\nflake: failed, then passed on the same bits in fresh processes, alone and after its "
                    "history\n");
    if (record->status == STATUS_EXPECTED_FAIL)
        putc('\n', to);
    if (record->status == STATUS_FLAKE || record->status == STATUS_EXPECTED_FAIL)
        report_failure(to, record);
    if (record->status == STATUS_UNEXPECTED_PASS)
        fprintf(to, "\nunexpected pass, the baseline is stale: %s", record->reason ? record->reason : "");
}

static void testcase(struct junit *junit, const struct record *record)
{
    static const char *const element[OUTCOMES] = {
        [FAILED] = "failure", [ERRED] = "error", [SKIPPED] = "skipped"};
    enum outcome result = outcome(record, junit->gate);
    char *class = class_name(record);
    const char *name = class ? unique_name(junit, record, class) : NULL;
    junit->ok = junit->ok && name;
    if (junit->ok) {
        start(junit, "testcase");
        attribute(junit, "classname", class);
        attribute(junit, "name", name);
        attribute_time(junit, record_milliseconds(record));
        if (result != PASSED) {
            start(junit, element[result]);
            message(junit, record);
            if (result != SKIPPED)
                failure_text(junit, record, report_failure);
            end(junit);
        }
        if (record_judged(record)) {
            start(junit, "system-out");
            failure_text(junit, record, put_system_out);
            end(junit);
        }
        end(junit);
    }
    free(class);
}

static void tally(const struct results *results, const struct groups *groups, int index, unsigned gate,
                  int total[OUTCOMES])
{
    const struct group *group = &groups->group[index];
    for (int i = 0; i < group->cases; i++)
        total[outcome(&results->record[groups->sorted[group->first + i]], gate)]++;
}

static void testsuite(struct junit *junit, const struct results *results, const struct groups *groups,
                      int index)
{
    const struct group *group = &groups->group[index];
    const struct record_header *header = results_header(results, group->backend);
    int total[OUTCOMES] = {0};
    char *name = NULL;
    tally(results, groups, index, junit->gate, total);
    if (asprintf(&name, "%s.%.*s", group->backend, group->family_length, group->family) < 0) {
        junit->ok = false;
        return;
    }
    start(junit, "testsuite");
    attribute(junit, "name", name);
    attribute_count(junit, "tests", group->cases);
    attribute_count(junit, "failures", total[FAILED]);
    attribute_count(junit, "errors", total[ERRED]);
    attribute_count(junit, "skipped", total[SKIPPED]);
    attribute_time(junit, group->milliseconds);
    if (header && header->started)
        attribute(junit, "timestamp", header->started);
    if (header)
        properties(junit, header);
    for (int i = 0; i < group->cases; i++)
        testcase(junit, &results->record[groups->sorted[group->first + i]]);
    end(junit);
    free(name);
}

/* Cases without a record have no name here, but a reader that counts errors must not see green. */
static void lost_cases(struct junit *junit, const struct losses *losses)
{
    for (int i = 0; i < losses->count; i++) {
        char text[256], *name = NULL;
        if (asprintf(&name, "%s.missing", losses->loss[i].backend) < 0) {
            junit->ok = false;
            return;
        }
        for (char *dot = name; (dot = strchr(dot, '.')) && dot < name + strlen(losses->loss[i].backend);)
            *dot = '_';
        start(junit, "testsuite");
        attribute(junit, "name", name);
        attribute_count(junit, "tests", 1);
        attribute_count(junit, "failures", 0);
        attribute_count(junit, "errors", 1);
        attribute_count(junit, "skipped", 0);
        attribute_time(junit, 0);
        start(junit, "testcase");
        attribute(junit, "classname", name);
        snprintf(text, sizeof text, "selection %d", i + 1);
        attribute(junit, "name", text);
        attribute_time(junit, 0);
        start(junit, "error");
        attribute(junit, "message", loss_text(&losses->loss[i], text, sizeof text));
        attribute(junit, "type", status_name(STATUS_MISSING));
        end(junit);
        end(junit);
        end(junit);
        free(name);
    }
}

static void document(struct junit *junit, const struct results *results, const struct groups *groups)
{
    int total[OUTCOMES] = {0};
    int64_t milliseconds = 0;
    struct losses losses;
    junit->ok = losses_find(results, false, &losses) && junit->ok;
    for (int i = 0; i < groups->count; i++) {
        tally(results, groups, i, junit->gate, total);
        milliseconds += groups->group[i].milliseconds;
    }
    check(junit, xmlTextWriterSetIndent(junit->xml, 1));
    check(junit, xmlTextWriterStartDocument(junit->xml, "1.0", "UTF-8", NULL));
    start(junit, "testsuites");
    attribute(junit, "name", "assay");
    attribute_count(junit, "tests", results->records + losses.count);
    attribute_count(junit, "failures", total[FAILED]);
    attribute_count(junit, "errors", total[ERRED] + losses.count);
    attribute_time(junit, milliseconds);
    lost_cases(junit, &losses);
    losses_destroy(&losses);
    for (int i = 0; i < groups->count; i++)
        testsuite(junit, results, groups, i);
    end(junit);
    check(junit, xmlTextWriterEndDocument(junit->xml));
    check(junit, xmlTextWriterFlush(junit->xml));
}

bool report_junit(FILE *to, const struct results *results, unsigned gate, struct error *error)
{
    struct groups groups;
    if (!groups_build(results, GROUP_BY_FAMILY, &groups))
        return error_set(error, "JUnit: out of memory");
    struct junit junit = {.ok = true, .gate = gate};
    xmlBufferPtr buffer =
        xmlBufferCreate(); /* whole before the first byte is written: half a file is no file */
    junit.xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (junit.xml)
        document(&junit, results, &groups);
    bool complete = junit.xml && junit.ok;
    xmlFreeTextWriter(junit.xml);
    if (complete)
        fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), to);
    xmlBufferFree(buffer);
    tdestroy(junit.names, free);
    groups_destroy(&groups);
    if (!complete)
        return error_set(error, "JUnit: out of memory");
    return (fflush(to) == 0 && !ferror(to)) || error_set(error, "JUnit: could not write the file");
}
