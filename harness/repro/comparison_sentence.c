/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/comparison_parts.h"
#include "reference/base/memory.h"
#include "reports/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int count(const struct comparison *c, enum compared_verdict verdict)
{
    int n = 0;
    for (int b = 0; b < c->count; b++) {
        n += c->of[b].verdict == verdict;
    }
    return n;
}

static const char *value_text(double x, char text[TEXT_NUMBER])
{
    return isnan(x) ? "NaN" : isinf(x) ? (x > 0 ? "inf" : "-inf") : text_number(x, text);
}

/* Writes the measure: "340 times what independent rounding gives (the envelope's Q)". */
static void put_factor(FILE *to, const struct compared *of)
{
    char number[TEXT_NUMBER], got[TEXT_NUMBER], truth[TEXT_NUMBER];
    const char *by = of->by ? of->by : "";
    const struct difference_sum *sum = &of->from_truth;
    text_number(of->factor, number);
    if (strcmp(by, "special") == 0) {
        const struct value_tensor *tensor = &of->values->tensor[sum->special_in];
        fprintf(to, "%s where the truth is %s, in %" PRId64 " of %" PRId64 " elements",
                value_text(tensor->got[sum->special_at], got),
                value_text(tensor->truth[sum->special_at], truth), sum->special, sum->elements);
    } else if (strcmp(by, "Q") == 0) {
        fprintf(to, "%s times what independent rounding gives (the envelope's Q)", number);
    } else if (strcmp(by, "T") == 0) {
        fprintf(to, "%s times what independent rounding gives (T, the root mean square error)", number);
    } else if (strcmp(by, "G") == 0) {
        fprintf(to, "a common error of scale %s times what chance gives (G)", number);
    } else if (strcmp(by, "B") == 0) {
        fprintf(to, "%s times the certified bound of any legal rounding (B)", number);
    } else {
        fprintf(to, "%s", of->reason[0] ? of->reason : "beyond what independent rounding gives");
    }
}

static void put_names(FILE *to, const struct comparison *c, enum compared_verdict verdict)
{
    int left = count(c, verdict);
    for (int b = 0; b < c->count; b++) {
        if (c->of[b].verdict == verdict) {
            left--;
            fprintf(to, "%s%s", c->of[b].name, left > 1 ? ", " : left == 1 ? " and " : "");
        }
    }
}

/* Finds the backends that drift the same way as backend `first`, which is one of them. Returns their number.
 */
static int group_of(const struct comparison *c, int first, bool *member)
{
    int members = 0;
    for (int b = first; b < c->count; b++) {
        bool joins = c->of[b].verdict == VERDICT_DRIFTS;
        for (int a = first; a < b && joins; a++) {
            joins = !member[a] || c->pair[a * c->count + b].same_way;
        }
        member[b] = joins;
        members += joins;
    }
    return members;
}

/* Writes the greatest distance between members of a group. */
static void put_apart(FILE *to, const struct comparison *c, const bool *member)
{
    double most = 0;
    bool same = true;
    for (int a = 0; a < c->count; a++) {
        for (int b = a + 1; b < c->count; b++) {
            const struct pair *pair = &c->pair[a * c->count + b];
            if (member[a] && member[b]) {
                most = fmax(most, isnan(pair->apart) ? 0 : pair->apart);
                same = same && pair->sum.differing == 0;
            }
        }
    }
    if (same) {
        fputs(" (the same bits)", to);
    } else {
        fprintf(to, " (their results differ by %.2g %% of the error)", 100 * most);
    }
}

static void put_group(FILE *to, const struct comparison *c, int first, const bool *member, int members,
                      const char *separator)
{
    const char *between = separator;
    if (members == 1) {
        fprintf(to, "%s%s drifts: ", separator, c->of[first].name);
        put_factor(to, &c->of[first]);
        return;
    }
    for (int b = first, left = members; b < c->count; b++) {
        if (member[b]) {
            fprintf(to, "%s%s", between, c->of[b].name);
            between = --left > 1 ? ", " : " and ";
        }
    }
    fputs(" drift the same way", to);
    put_apart(to, c, member);
    between = ": ";
    for (int b = first; b < c->count; b++) {
        if (member[b]) {
            fprintf(to, "%s%s ", between, c->of[b].name);
            put_factor(to, &c->of[b]);
            between = ", ";
        }
    }
}

static bool put_drifting(FILE *to, const struct comparison *c)
{
    bool *shown = calloc((size_t)c->count + 1, sizeof *shown),
         *member = calloc((size_t)c->count + 1, sizeof *member);
    const char *separator = "";
    bool good = shown && member;
    for (int b = 0; good && b < c->count; b++) {
        if (c->of[b].verdict != VERDICT_DRIFTS || shown[b]) {
            continue;
        }
        memset(member, 0, (size_t)c->count * sizeof *member);
        int members = group_of(c, b, member);
        for (int m = b; m < c->count; m++) {
            if (member[m] && shown[m]) { /* already in another group */
                member[m] = false;
                members--;
            }
            shown[m] = shown[m] || member[m];
        }
        put_group(to, c, b, member, members, separator);
        separator = "; ";
    }
    free(shown);
    free(member);
    return good;
}

/* Writes how the answers differ where none is wrong. */
static void put_agreement(FILE *to, const struct comparison *c)
{
    struct difference_sum most = {.differing = 0};
    int pairs = 0;
    for (int a = 0; a < c->count; a++) {
        for (int b = a + 1; b < c->count; b++) {
            const struct pair *pair = &c->pair[a * c->count + b];
            if (pair->comparable) {
                pairs++;
                most.differing = pair->sum.differing > most.differing ? pair->sum.differing : most.differing;
                most.special = pair->sum.special > most.special ? pair->sum.special : most.special;
                most.max_ulp = fmax(most.max_ulp, pair->sum.max_ulp);
                most.elements = pair->sum.elements;
            }
        }
    }
    if (pairs && !most.differing) {
        fputs(": all bits are the same", to);
    } else if (pairs) {
        fprintf(to, ": they differ by at most %.3g ulp, in %" PRId64 " of %" PRId64 " elements", most.max_ulp,
                most.differing, most.elements);
    }
    if (most.special) {
        fprintf(to, ", and in NaN or infinity in %" PRId64, most.special);
    }
}

static void put_rest(FILE *to, const struct comparison *c)
{
    const int right = count(c, VERDICT_RIGHT), open = count(c, VERDICT_OPEN),
              drifting = count(c, VERDICT_DRIFTS);
    if (drifting && right) {
        fputs("; ", to);
        put_names(to, c, VERDICT_RIGHT);
        fputs(right > 1 ? " do not" : " does not", to);
    } else if (!drifting && right + open > 0) {
        fputs(right ? "none drifts" : "the limits are too wide to tell whether a backend drifts", to);
        put_agreement(to, c);
    } else if (!drifting && !count(c, VERDICT_WRONG)) {
        fputs("no backend has answered", to);
    }
    if (open && drifting + right > 0) {
        fprintf(to, "; the limits are too wide to judge ");
        put_names(to, c, VERDICT_OPEN);
    }
    for (int b = 0, shown = drifting + right + open; b < c->count; b++) {
        const struct compared *of = &c->of[b];
        bool wrong = of->verdict == VERDICT_WRONG;
        if (wrong || of->verdict == VERDICT_NO_ANSWER) {
            fprintf(to, "%s%s %s (%s%s%s)", shown || !count(c, VERDICT_WRONG) ? "; " : "", of->name,
                    wrong ? "is wrong, though not by rounding" : "gives no answer",
                    wrong && of->rule[0] ? of->rule : of->status, of->reason[0] ? ": " : "", of->reason);
            shown++;
        }
    }
}

char *comparison_sentence(const struct comparison *c)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    bool good = to && put_drifting(to, c);
    if (good) {
        put_rest(to, c);
    }
    good = memory_stream_text(to, &text) && good;
    for (char *end = good ? strchr(text, '\n') : NULL; end; end = strchr(end, '\n')) {
        *end = ' '; /* the reason may have several lines */
    }
    if (!good) {
        free(text);
    }
    return good ? text : NULL;
}
