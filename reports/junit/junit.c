/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/groups.h"
#include "reports/junit/junit_parts.h"
#include "reports/records/losses.h"
#include "reports/report.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* JUnit XML after Jenkins' junit-10 schema. What readers do with it decides the layout: GitLab shows the text
 * of a failure, Jenkins its message. Readers identify a case by classname + name, so these are unique;
 * Jenkins drops a suite whose name and timestamp it has seen, so names of suites are unique too. The schema
 * has the file of a suite, not of a case, so there is a suite per file that declares cases, and the line is
 * behind the file's name in the first line of a failure's text, where GitHub's actions look for it. */

static void property(struct junit *junit, const char *prefix, const char *name, const char *value)
{
    char *full = NULL;
    if (!value || !*value) {
        return;
    }
    if (asprintf(&full, "%s%s", prefix, name ? name : "") < 0) {
        junit->ok = false;
        return;
    }
    junit_start(junit, "property");
    junit_attribute(junit, "name", full);
    junit_attribute(junit, "value", value);
    junit_end(junit);
    free(full);
}

static void property_number(struct junit *junit, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    property(junit, "", name, text);
}

/* Writes the whole header in the first suite of a backend (`whole`), and what identifies the run in its other
 * suites. */
static void properties(struct junit *junit, const struct record_header *header, bool whole)
{
    junit_start(junit, "properties");
    property(junit, "", "assay", header->assay);
    property(junit, "", "commit", header->commit);
    property(junit, "", "backend", header->backend);
    property(junit, "", "device", header->device);
    property(junit, "", "driver", header->driver);
    property_number(junit, "seed", header->seed);
    property(junit, "", "level", header->level);
    if (whole) {
        property(junit, "", "api", header->api);
        property(junit, "", "os", header->os);
        property(junit, "", "cpu", header->cpu);
        property_number(junit, "memory_bytes", header->memory_bytes);
        property_number(junit, "device_memory_bytes", header->device_memory_bytes);
        property(junit, "", "command", header->command);
    }
    for (int i = 0; whole && i < header->profile_count; i++) {
        property(junit, "profile.", header->profile[i].name, header->profile[i].value);
    }
    for (int i = 0; whole && i < header->environment_count; i++) {
        property(junit, "environment.", header->environment[i].name, header->environment[i].value);
    }
    junit_end(junit);
}

static void tally(const struct results *results, const struct groups *groups, int index, unsigned gate,
                  int total[OUTCOMES])
{
    const struct group *group = &groups->group[index];
    for (int i = 0; i < group->cases; i++) {
        total[junit_outcome(&results->record[groups->sorted[group->first + i]], gate)]++;
    }
}

/* The name of a suite, "vulkan.linalg.logdet": backend, family, and the file's name without folder and
 * suffix. The tree owns it. */
static const char *suite_name(struct junit *junit, const struct group *group)
{
    char *backend = junit_backend(group->backend), *name = NULL, *shown = NULL;
    const char *file = group->file, *end = file + group->file_length;
    for (const char *c = file; c < end; c++) {
        file = *c == '/' ? c + 1 : file;
    }
    const char *dot = memchr(file, '.', (size_t)(end - file));
    int length = (int)((dot ? dot : end) - file);
    if (backend && asprintf(&name, "%s.%.*s%s%.*s", backend, group->family_length, group->family,
                            length ? "." : "", length, file) >= 0) {
        shown = utf8_visible(name);
    }
    const char *unique = junit_unique(&junit->suites, "", shown);
    junit->ok = junit->ok && unique;
    free(backend);
    free(name);
    free(shown);
    return unique;
}

static void suite_file(struct junit *junit, const struct group *group)
{
    char *file = group->file_length ? strndup(group->file, (size_t)group->file_length) : NULL;
    if (file) {
        junit_attribute(junit, "file", file);
    }
    free(file);
}

static void testsuite(struct junit *junit, const struct results *results, const struct groups *groups,
                      int index)
{
    const struct group *group = &groups->group[index];
    const struct record_header *header = results_header(results, group->backend);
    int total[OUTCOMES] = {0};
    tally(results, groups, index, junit->gate, total);
    const char *name = suite_name(junit, group);
    if (!name) {
        return;
    }
    junit_start(junit, "testsuite");
    junit_attribute(junit, "name", name);
    suite_file(junit, group);
    junit_count(junit, "tests", group->cases);
    junit_count(junit, "failures", total[FAILED]);
    junit_count(junit, "errors", total[ERRED]);
    junit_count(junit, "skipped", total[SKIPPED]);
    junit_time(junit, group->milliseconds);
    if (header && header->started) {
        junit_attribute(junit, "timestamp", header->started);
    }
    if (header) {
        properties(junit, header, index == 0 || strcmp(group[-1].backend, group->backend) != 0);
    }
    for (int i = 0; i < group->cases; i++) {
        junit_case(junit, &results->record[groups->sorted[group->first + i]]);
    }
    junit_end(junit);
}

/* Writes a testcase with an error for a loss, because the names of lost cases are unknown but a reader that
 * counts errors must see one. A loss with a fault carries the backend's name. */
static void lost_cases(struct junit *junit, const struct loss *loss, int number)
{
    char selection[128], *backend = junit_backend(loss->backend), *class = NULL, *text = loss_text(loss);
    if (!backend || asprintf(&class, "%s.missing", backend) < 0) {
        class = NULL;
    }
    const char *name = junit_unique(&junit->suites, "", class);
    junit->ok = junit->ok && name && text;
    if (junit->ok) {
        junit_start(junit, "testsuite");
        junit_attribute(junit, "name", name);
        junit_count(junit, "tests", 1);
        junit_count(junit, "failures", 0);
        junit_count(junit, "errors", 1);
        junit_count(junit, "skipped", 0);
        junit_time(junit, 0);
        junit_start(junit, "testcase");
        junit_attribute(junit, "classname", class);
        bool several = strchr(loss->shards, ',') != NULL;
        if (loss->shards[0]) {
            snprintf(selection, sizeof selection, "shard%s %s", several ? "s" : "", loss->shards);
        } else {
            snprintf(selection, sizeof selection, "selection %d", number);
        }
        junit_attribute(junit, "name", loss->fault ? backend : selection);
        junit_time(junit, 0);
        junit_start(junit, "error");
        junit_attribute(junit, "message", text);
        junit_attribute(junit, "type", status_name(STATUS_MISSING));
        junit_end(junit);
        junit_end(junit);
        junit_end(junit);
    }
    free(text);
    free(backend);
    free(class);
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
    junit_check(junit, xmlTextWriterSetIndent(junit->xml, 1));
    junit_check(junit, xmlTextWriterStartDocument(junit->xml, "1.0", "UTF-8", NULL));
    junit_start(junit, "testsuites");
    junit_attribute(junit, "name", "assay");
    junit_count(junit, "tests", results->records + losses.count);
    junit_count(junit, "failures", total[FAILED]);
    junit_count(junit, "errors", total[ERRED] + losses.count);
    junit_time(junit, milliseconds);
    for (int i = 0; i < losses.count; i++) {
        lost_cases(junit, &losses.loss[i], i + 1);
    }
    losses_destroy(&losses);
    for (int i = 0; i < groups->count; i++) {
        testsuite(junit, results, groups, i);
    }
    junit_end(junit);
    junit_check(junit, xmlTextWriterEndDocument(junit->xml));
    junit_check(junit, xmlTextWriterFlush(junit->xml));
}

bool report_junit(FILE *to, const struct results *results, unsigned gate, struct error *error)
{
    struct groups groups;
    if (!groups_build(results, GROUP_BY_FILE, &groups)) {
        return error_set(error, "JUnit: out of memory");
    }
    struct junit junit = {.ok = true, .gate = gate};
    xmlBufferPtr buffer =
        xmlBufferCreate(); /* written to a buffer first, so that a failure leaves no partial file */
    junit.xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (junit.xml) {
        document(&junit, results, &groups);
    }
    bool complete = junit.xml && junit.ok;
    xmlFreeTextWriter(junit.xml);
    if (complete) {
        fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), to);
    }
    xmlBufferFree(buffer);
    junit_forget(&junit.names);
    junit_forget(&junit.suites);
    groups_destroy(&groups);
    if (!complete) {
        return error_set(error, "JUnit: out of memory");
    }
    return (fflush(to) == 0 && !ferror(to)) || error_set(error, "JUnit: could not write the file");
}
