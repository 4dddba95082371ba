/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare/compare_parts.h"
#include "reports/groups.h"
#include "reports/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *shown(const char *text)
{
    return text && *text ? text : "unknown";
}

/* --- one device, or two */

/* The length of the device's name without the brackets behind it, which name the driver or chip: "llvmpipe
 * (LLVM 15.0.6, 256 bits)" and "llvmpipe (LLVM 17.0.1, 256 bits)" are one device. */
static size_t model(const char *device)
{
    const char *bracket = strstr(device, " (");
    return bracket ? (size_t)(bracket - device) : strlen(device);
}

static bool same_start(const char *a, size_t length, const char *b, size_t other)
{
    return length == other && memcmp(a, b, length) == 0;
}

static bool same_device(const struct record_header *a, const struct record_header *b)
{
    return !a->device || !b->device || same_start(a->device, model(a->device), b->device, model(b->device));
}

/* True if the names are equal, or the first words of the drivers are: two builds of one backend may have two
 * names. */
static bool same_backend(const struct record_header *a, const struct record_header *b)
{
    const char *x = a->driver ? a->driver : "", *y = b->driver ? b->driver : "";
    size_t length = strcspn(x, " "), other = strcspn(y, " ");
    return same_start(a->backend, strcspn(a->backend, "#"), b->backend, strcspn(b->backend, "#")) ||
           (length && same_start(x, length, y, other));
}

static void judge(struct comparison *comparison, const struct compare_pair *pair)
{
    const struct record_header *a = pair->before, *b = pair->after;
    if (!a || !b || comparison->why[0]) {
        return;
    }
    if (!same_device(a, b)) {
        snprintf(comparison->why, sizeof comparison->why, "different devices: %.100s and %.100s", a->device,
                 b->device);
    } else if (!same_backend(a, b)) {
        snprintf(comparison->why, sizeof comparison->why, "different backends: %.100s and %.100s", a->backend,
                 b->backend);
    }
}

bool compare_find_pairs(const struct results *before, const struct results *after, bool by_name,
                        struct comparison *comparison)
{
    comparison->pair = calloc((size_t)before->headers + 1, sizeof *comparison->pair);
    if (!comparison->pair) {
        return false;
    }
    if (!by_name) {
        const char *x = before->records ? before->record[0].backend : NULL;
        const char *y = after->records ? after->record[0].backend : NULL;
        comparison->pair[comparison->pairs++] =
            (struct compare_pair){x ? results_header(before, x) : NULL, y ? results_header(after, y) : NULL};
    }
    for (int h = 0; by_name && h < before->headers; h++) {
        const struct record_header *header = &before->header[h];
        const struct record_header *other = results_header(after, header->backend);
        if (other) {
            comparison->pair[comparison->pairs++] = (struct compare_pair){header, other};
        }
    }
    for (int p = 0; p < comparison->pairs; p++) {
        judge(comparison, &comparison->pair[p]);
    }
    return true;
}

/* --- facts of the runs */

static void fact(struct compare_fact *fact, const char *name, const char *before, const char *after)
{
    fact->name = name;
    char *x = text_one_line(shown(before)), *y = text_one_line(shown(after));
    snprintf(fact->before, sizeof fact->before, "%s", x ? x : "");
    snprintf(fact->after, sizeof fact->after, "%s", y ? y : "");
    free(x);
    free(y);
}

static const char *version(const struct record_header *header, char *text, size_t size)
{
    snprintf(text, size, "%.40s (%.60s)", shown(header->assay), shown(header->commit));
    return text;
}

static const char *seed(const struct record_header *header, char *text, size_t size)
{
    snprintf(text, size, "%" PRIu64, header->seed);
    return text;
}

void compare_facts(const struct compare_pair *pair, struct compare_fact facts[COMPARE_FACTS])
{
    static const struct record_header nothing = {.version = 0};
    const struct record_header *a = pair->before ? pair->before : &nothing,
                               *b = pair->after ? pair->after : &nothing;
    char x[128], y[128];
    int n = 0;
    fact(&facts[n++], "backend", a->backend, b->backend);
    fact(&facts[n++], "device", a->device, b->device);
    fact(&facts[n++], "driver", a->driver, b->driver);
    fact(&facts[n++], "assay", version(a, x, sizeof x), version(b, y, sizeof y));
    fact(&facts[n++], "reference", a->reference, b->reference);
    fact(&facts[n++], "level", a->level, b->level);
    fact(&facts[n++], "seed", seed(a, x, sizeof x), seed(b, y, sizeof y));
    fact(&facts[n++], "started", a->started, b->started);
    fact(&facts[n++], "command", a->command, b->command);
}

void compare_cases(FILE *to, const struct comparison *comparison)
{
    enum { FAMILIES_MOST = 16 };
    fprintf(to, "%d compared", comparison->compared);
    const char *before = " (";
    int families = 0;
    for (int first = 0, end; first < comparison->compared; first = end) {
        const char *family = "other", *other;
        int length = 5, other_length;
        record_id_part(comparison->match[first].before->id, 0, &family, &length);
        for (end = first + 1; end < comparison->compared; end++) {
            other = "other", other_length = 5;
            record_id_part(comparison->match[end].before->id, 0, &other, &other_length);
            if (!same_start(family, (size_t)length, other, (size_t)other_length)) {
                break;
            }
        }
        char *name = strndup(family, (size_t)(length < 40 ? length : 40)),
             *shown = name ? text_one_line(name) : NULL;
        if (++families <= FAMILIES_MOST) {
            fprintf(to, "%s%s %d", before, shown ? shown : "", end - first);
        }
        before = ", ";
        free(name);
        free(shown);
    }
    fprintf(to, "%s%s", families > FAMILIES_MOST ? ", …" : "", families ? ")" : "");
    if (comparison->only_before || comparison->only_after) {
        fprintf(to, ", %d only in the old run, %d only in the new", comparison->only_before,
                comparison->only_after);
    }
    if (comparison->other_inputs) {
        fprintf(to, ", %d left out because their inputs differ (another seed or another assay)",
                comparison->other_inputs);
    }
}

void compare_curves_said(FILE *to, const struct comparison *comparison, const struct compare_options *options)
{
    if (options->no_curves) {
        fputs("left out (--curves off)", to);
    } else {
        fprintf(to, "%d compared", comparison->curves);
    }
    if (comparison->excused) {
        fprintf(to, ", %d changed more than %g times, which their spreads or the machine's pace explain",
                comparison->excused, options->curve_ratio);
    }
    if (comparison->unsure) {
        fprintf(to, ", %d of time compared by their ratio alone, without a spread", comparison->unsure);
    }
}
