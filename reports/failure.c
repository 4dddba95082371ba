/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/losses.h"
#include "reports/report.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, INDENT = 5 };

/* The bytes of a line that fit into these columns, up to a blank; all of them where it has no blank there. */
static size_t fitting(const char *line, size_t length, int columns)
{
    size_t fits = 0;
    int used = 0;
    for (size_t i = 0; i < length; i++) {
        used +=
            ((unsigned char)line[i] & 0xc0) != 0x80; /* a byte that continues a character takes no column */
        if (used > columns && fits) {
            return fits;
        }
        if (line[i] == ' ' && i > 0 && line[i - 1] != ' ') {
            fits = i;
        }
    }
    return used > columns && fits ? fits : length;
}

/* Prints each line of the text indented, control characters spelled out. On a terminal lines are broken at
 * blanks, but not a command that is to be copied. */
static void block(FILE *to, const char *label, const char *text)
{
    char *shown = text && *text ? utf8_visible(text) : NULL;
    int columns = strcmp(label, "replay: ") == 0 ? 0 : text_columns(to);
    for (char *line = shown; line && *line;) {
        size_t length = strcspn(line, "\n"), inside = strspn(line, " ");
        int indent = length ? INDENT : 0;
        for (bool first = true; first || length; first = false) {
            int room = columns - indent - (first ? (int)strlen(label) : 0);
            size_t part = columns ? fitting(line, length, room) : length;
            fprintf(to, "%*s%s%.*s\n", indent, "", first && length ? label : "", (int)part, line);
            part += part < length && line[part] == ' ';
            line += part;
            length -= part;
            indent = INDENT + (int)(inside < 20 ? inside : 20) + 2;
        }
        line += *line == '\n';
    }
    free(shown);
}

/* Prints the heading. Its first word is the finding, where the status is pass or vacuous, else the status. */
static void heading(bool colour, FILE *to, const struct record *record)
{
    char *id = utf8_visible(record->id), *source = utf8_visible(record->source);
    int used = 1;
    bool judged = record->status == STATUS_PASS || record->status == STATUS_VACUOUS;
    const char *word = judged && record->range_findings > 0 ? "range"
                       : judged && record->implausible > 0  ? "implausible"
                                                            : status_name(record->status);
    fputs(colour ? "\x1b[31m" : "", to);
    for (const char *c = word; *c; c++, used++) {
        putc(*c == '_' ? ' ' : toupper((unsigned char)*c), to);
    }
    fprintf(to, "%s %s", colour ? "\x1b[0m" : "", id ? id : "");
    used += id ? utf8_columns(id) : 0;
    if (source && *source) {
        int gap = WIDTH - used - utf8_columns(source);
        if (gap >= 2) {
            fprintf(to, "%*s%s", gap, "", source);
        } else {
            fprintf(to, "\n%*s%s", INDENT, "", source);
        }
    }
    putc('\n', to);
    free(id);
    free(source);
}

/* "element 41 at step 1 output 0 [2, 0, 5]: truth …, got …" on one line where that fits, else one line each.
 */
static void element(FILE *to, const struct record_worst *worst)
{
    char place[64] = "", *line = NULL, *apart = NULL;
    if (worst->index >= 0) {
        snprintf(place, sizeof place, "element %" PRId64, worst->index);
    }
    const char *at = *place && worst->where ? " at " : "", *where = worst->where ? worst->where : "";
    const char *truth = worst->truth ? worst->truth : "unknown", *got = worst->got ? worst->got : "unknown";
    if (asprintf(&line, "%s%s%s: truth %s, got %s", place, at, where, truth, got) < 0) {
        line = NULL;
    }
    if (asprintf(&apart, "%s%s%s:\n  truth %s\n  got   %s", place, at, where, truth, got) < 0) {
        apart = NULL;
    }
    bool fits = line && utf8_columns(line) <= WIDTH - INDENT && !strchr(line, '\n');
    block(to, "", fits ? line : apart);
    free(line);
    free(apart);
    block(to, "  with  ", worst->inputs);
}

static void amount(FILE *to, const struct record *record)
{
    const struct record_worst *worst = &record->worst;
    char ulp[TEXT_NUMBER], nu[TEXT_NUMBER];
    if (worst->whole) {
        fprintf(to, "%*sjudged as a whole", INDENT, "");
    } else if (isnan(worst->ulp)) {
        fprintf(to, "%*sa special value", INDENT, "");
    } else {
        fprintf(to, "%*serror %s ulp", INDENT, "", text_number(worst->ulp, ulp));
    }
    bool by_envelope = record->rule && strcmp(record->rule, RECORD_RULE_ENVELOPE) == 0;
    if (!isnan(worst->nu)) {
        fprintf(to, ", error / %s %s", by_envelope ? "Q" : "bound", text_number(worst->nu, nu));
    }
    if (record->over_bound > 0) {
        fprintf(to, ", %" PRId64 " of %" PRId64 " outside", record->over_bound, record->elements);
    }
    putc('\n', to);
}

static void implausible(FILE *to, const struct record *record)
{
    if (record->implausible > 0) {
        fprintf(to, "%*s", INDENT, "");
        text_implausible(to, record);
        putc('\n', to);
    }
}

void report_failure(FILE *to, const struct record *record)
{
    report_failure_in(false, to, record);
}

void report_failure_in(bool colour, FILE *to, const struct record *record)
{
    const struct record_worst *worst = &record->worst;
    heading(colour, to, record);
    if (record->rule &&
        strcmp(record->rule, RECORD_RULE_SOMETIMES) == 0) { /* the element changes from run to run */
        block(to, "", record->reason);
        block(to, "replay: ", record->repro);
        return;
    }
    if (worst->truth || worst->got) {
        element(to, worst);
        amount(to, record);
    } else {
        block(to, "at ", worst->where);
        block(to, "with ", worst->inputs);
    }
    block(to, "", record->reason);
    if (record->detail && (!record->reason || strcmp(record->detail, record->reason))) {
        block(to, "", record->detail);
    }
    implausible(to, record);
    block(to, "replay: ", record->repro);
}

/* True if every case of the backend is unsupported and the backend did not run a single shard. Without a
 * header: every case of all. */
static bool judged_nothing(const struct results *results, const struct record_header *header)
{
    int records = 0;
    for (int i = 0; i < results->records; i++) {
        const struct record *record = &results->record[i];
        if (header && strcmp(record->backend, header->backend)) {
            continue;
        }
        if (record->status != STATUS_UNSUPPORTED) {
            return false;
        }
        records++;
    }
    return records > 0 && !(header && header->shard);
}

int report_exit_status(const struct results *results, unsigned gate)
{
    struct losses losses;
    bool whole = losses_find(results, false, &losses) && losses.count == 0;
    losses_destroy(&losses);
    if (results->records == 0 || !whole) {
        return 1; /* cases without a record fail the gate */
    }
    for (int i = 0; i < results->records; i++) {
        if (gate_fails(&results->record[i], gate)) {
            return 1;
        }
    }
    for (int h = 0; h < results->headers; h++) {
        if (judged_nothing(results, &results->header[h])) {
            return 3;
        }
    }
    return results->headers == 0 && judged_nothing(results, NULL) ? 3 : 0;
}
