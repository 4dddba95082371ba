/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/check/findings.h"
#include "harness/host/version.h"
#include "reports/records/fields.h"
#include "reports/text.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct clause clauses[CHECKS] = {
#define CHECK(key_, name_, what_, section_, demand_) [CHECK_##key_] = {name_, what_, section_, demand_},
#include "harness/check/checks.def"
};

const struct clause *check_clause(enum check check)
{
    return &clauses[check];
}

void findings_tried(struct findings *findings, enum check check)
{
    findings->of[check].tried = true;
}

void findings_excuse(struct findings *findings, enum check check, const char *why_not)
{
    if (!findings->of[check].why_not) {
        findings->of[check].why_not = why_not;
    }
}

/* Appends a place, or if the complaint has none the text of the fault, unless it is there already. */
static void add_place(struct finding *finding, const char *first, const char *where)
{
    char *also = NULL;
    if (strcmp(where, first) == 0 || (finding->also && strstr(finding->also, where))) {
        return;
    }
    if (asprintf(&also, "%s%s%s", finding->also ? finding->also : "", finding->also ? "; " : "", where) > 0) {
        free(finding->also);
        finding->also = also;
    }
}

void findings_complain(struct findings *findings, enum check check, const struct complaint *complaint)
{
    struct finding *finding = &findings->of[check];
    finding->tried = true;
    if (finding->complaints++ > 0) {
        bool placed = complaint->where && complaint->where[0];
        add_place(finding, placed ? finding->where : finding->came,
                  placed ? complaint->where : complaint->came);
        return;
    }
    finding->where = strdup(complaint->where ? complaint->where : "");
    finding->sent = strdup(complaint->sent ? complaint->sent : "");
    finding->came = strdup(complaint->came);
    finding->fix = strdup(complaint->fix);
}

void findings_note(struct findings *findings, const char *format, ...)
{
    char *text = NULL, **grown = realloc(findings->note, ((size_t)findings->notes + 1) * sizeof *grown);
    va_list arguments;
    va_start(arguments, format);
    findings->note = grown ? grown : findings->note;
    if (grown && vasprintf(&text, format, arguments) >= 0) {
        findings->note[findings->notes++] = text;
    }
    va_end(arguments);
}

void findings_destroy(struct findings *findings)
{
    for (int k = 0; k < CHECKS; k++) {
        struct finding *finding = &findings->of[k];
        free(finding->where);
        free(finding->sent);
        free(finding->came);
        free(finding->fix);
        free(finding->also);
    }
    for (int n = 0; n < findings->notes; n++) {
        free(findings->note[n]);
    }
    free(findings->note);
    memset(findings, 0, sizeof *findings);
}

int findings_failed(const struct findings *findings)
{
    int failed = 0;
    for (int k = 0; k < CHECKS; k++) {
        failed += findings->of[k].complaints > 0;
    }
    return failed;
}

static void print_part(FILE *to, const char *title, const char *text)
{
    if (text && text[0]) {
        fprintf(to, "        %-9s", title);
        text_put_line(to, text);
        putc('\n', to);
    }
}

static void print_complaint(FILE *to, const struct finding *finding, const struct clause *clause)
{
    print_part(to, "where", finding->where);
    print_part(to, "sent", finding->sent);
    print_part(to, "came", finding->came);
    fprintf(to, "        %-9sexec-protocol.md, \"%s\": %s\n", "demanded", clause->section, clause->demand);
    print_part(to, "do", finding->fix);
    print_part(to, "also", finding->also);
}

/* Why a check was not tried. */
static const char *reason_of(const struct finding *finding, int failed)
{
    return finding->why_not ? finding->why_not
           : failed         ? "no operator that is offered has this, or its check ended at a complaint"
                            : "no operator that is offered has this";
}

/* Prints the names of the checks that were not tried, grouped by the reason. */
static void print_untried(const struct findings *findings, int failed, FILE *to)
{
    enum { WIDTH = 80, INDENT = 8 };
    for (int k = 0; k < CHECKS; k++) {
        const char *reason =
            findings->of[k].tried || findings->of[k].complaints ? NULL : reason_of(&findings->of[k], failed);
        for (int j = 0; j < k && reason; j++) {
            bool other = findings->of[j].tried || findings->of[j].complaints;
            reason = !other && strcmp(reason_of(&findings->of[j], failed), reason) == 0 ? NULL : reason;
        }
        if (!reason) {
            continue;
        }
        fprintf(to, "    -   not applicable, %s:", reason);
        int column = WIDTH;
        for (int j = k; j < CHECKS; j++) {
            const struct finding *finding = &findings->of[j];
            if (finding->tried || finding->complaints || strcmp(reason_of(finding, failed), reason) != 0) {
                continue;
            }
            int length = (int)strlen(clauses[j].name);
            bool breaks = column + 2 + length > WIDTH - 1; /* a comma follows */
            fprintf(to,
                    j == k   ? "\n%*s%s"
                    : breaks ? ",\n%*s%s"
                             : ", %*s%s",
                    breaks ? INDENT : 0, "", clauses[j].name);
            column = (breaks ? INDENT : column + 2) + length;
        }
        putc('\n', to);
    }
}

const char *findings_ended(const struct findings *findings)
{
    static const char ended[] = "no answer: it ended";
    const char *came = findings->of[CHECK_GREETS].came;
    return came && strncmp(came, ended, strlen(ended)) == 0 ? came + strlen("no answer: ") : NULL;
}

void findings_print(const struct findings *findings, const struct check_summary *summary, FILE *to)
{
    int failed = findings_failed(findings), passed = 0;
    fprintf(to, "assay %s · check ", version_number());
    text_put_line(to, summary->backend);
    putc('\n', to);
    if (summary->name[0]) {
        fprintf(to, "  ");
        text_put_line(to, summary->name);
        fputs(summary->device[0] ? " · " : "", to);
        text_put_line(to, summary->device);
        putc('\n', to);
    }
    for (int k = 0; k < CHECKS; k++) {
        const struct finding *finding = &findings->of[k];
        passed += finding->tried && !finding->complaints;
        if (!finding->tried && !finding->complaints) {
            continue;
        }
        fprintf(to, "  %s  %-20s %s\n", finding->complaints ? "FAIL" : "pass", clauses[k].name,
                clauses[k].what);
        if (finding->complaints) {
            print_complaint(to, finding, &clauses[k]);
        }
    }
    print_untried(findings, failed, to);
    for (int n = 0; n < findings->notes; n++) {
        fprintf(to, "  note  ");
        text_put_line(to, findings->note[n]);
        putc('\n', to);
    }
    fprintf(to, "%d checks: %d pass, %d fail, %d not applicable · %ld requests in %.1f s\n%s\n", CHECKS,
            passed, failed, CHECKS - passed - failed, summary->requests, summary->seconds,
            failed ? "the program does not keep the protocol"
                   : "the program keeps the protocol; assay run judges its numbers");
}

static json_t *text_of(const char *text)
{
    json_t *value = text ? json_string(text) : NULL;
    return value ? value : json_string(text ? "(no UTF-8)" : "");
}

static json_t *object_of(const struct finding *finding, const struct clause *clause)
{
    const char *verdict = finding->complaints ? "fail" : finding->tried ? "pass" : "not_applicable";
    json_t *object = json_pack("{s:s, s:s, s:s, s:s}", "check", clause->name, "verdict", verdict, "section",
                               clause->section, "demand", clause->demand);
    if (!finding->complaints && !finding->tried && finding->why_not) {
        json_object_set_new(object, "why_not", json_string(finding->why_not));
    }
    if (finding->complaints) {
        json_object_set_new(object, "complaints", json_integer(finding->complaints));
        json_object_set_new(object, "where", text_of(finding->where));
        json_object_set_new(object, "sent", text_of(finding->sent));
        json_object_set_new(object, "came", text_of(finding->came));
        json_object_set_new(object, "do", text_of(finding->fix));
        json_object_set_new(object, "also", text_of(finding->also));
    }
    return object;
}

bool findings_print_json(const struct findings *findings, const struct check_summary *summary, FILE *to)
{
    json_t *checks = json_array(), *notes = json_array();
    for (int k = 0; k < CHECKS; k++) {
        json_array_append_new(checks, object_of(&findings->of[k], &clauses[k]));
    }
    for (int n = 0; n < findings->notes; n++) {
        json_array_append_new(notes, text_of(findings->note[n]));
    }
    json_t *whole = json_pack("{s:s, s:s, s:o, s:o, s:b, s:I, s:o, s:o}", "assay", version_number(),
                              "backend", summary->backend, "name", text_of(summary->name), "device",
                              text_of(summary->device), "conforms", findings_failed(findings) == 0,
                              "requests", (json_int_t)summary->requests, "checks", checks, "notes", notes);
    bool good = whole && json_print(to, whole, JSON_INDENT(2)) && putc('\n', to) != EOF;
    json_decref(whole);
    return good;
}
