/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/clusters.h"
#include "reports/summary_parts.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- environment line: pieces with a middle dot between, broken before column 80 */

static void piece(FILE *to, int *column, const char *label, const char *text)
{
    char *shown = text && *text ? utf8_visible(text) : NULL;
    if (!shown) {
        return;
    }
    int width = utf8_columns(label) + utf8_columns(shown);
    const char *between = *column ? " · " : "";
    if (*column && *column + 3 + width > SUMMARY_WIDTH) {
        fprintf(to, "\n  ");
        between = "";
        *column = 2;
    }
    fprintf(to, "%s%s%s", between, label, shown);
    *column += utf8_columns(between) + width;
    free(shown);
}

static void environment(FILE *to, const struct results *results, const char *backend)
{
    const struct record_header *header = results_header(results, backend);
    char *device = NULL, assay[64], seed[24];
    int column = 0;
    if (!header) {
        text_put_line(to, backend);
        putc('\n', to);
        return;
    }
    if (asprintf(&device, "%s: %s", backend, header->device ? header->device : "unknown device") < 0) {
        device = NULL;
    }
    snprintf(assay, sizeof assay, "assay %.50s", header->assay);
    snprintf(seed, sizeof seed, "%" PRIu64, header->seed);
    piece(to, &column, "", assay);
    piece(to, &column, "", device);
    piece(to, &column, "", header->driver);
    piece(to, &column, "", header->api);
    piece(to, &column, "level ", header->level);
    piece(to, &column, "seed ", seed);
    putc('\n', to);
    free(device);
}

/* Leaves the end of an id, which says more than its beginning, where a terminal is too narrow for it. Returns
 * the same text; `columns` below 8: as it is. */
static char *shortened(char *text, int columns)
{
    size_t length = text ? strlen(text) : 0;
    if (columns >= 8 && length > (size_t)columns) {
        memmove(text + 2, text + length - (size_t)(columns - 2), (size_t)columns - 1);
        memcpy(text, "..", 2);
    }
    return text;
}

/* --- one row per family */

/* The caller frees it. */
static char *family_shown(const struct group *group)
{
    char *family = strndup(group->family, (size_t)group->family_length);
    char *shown = family ? text_one_line(family) : NULL;
    free(family);
    return shown;
}

static void families(const struct summary *summary, const char *backend)
{
    const struct groups *groups = &summary->groups;
    int width = 11;
    for (int i = 0; i < groups->count; i++) {
        width = groups->group[i].family_length > width ? groups->group[i].family_length : width;
    }
    fprintf(summary->to, "%-*s  cases  pass  fail  other  max err/bound    sees  worst case\n", width,
            summary->options->by_operator ? "operator" : "family");
    for (int i = 0; i < groups->count; i++) {
        const struct group *group = &groups->group[i];
        const char *worst = group->worst ? group->worst->id : "";
        char nu[TEXT_NUMBER], sees[TEXT_NUMBER];
        if (strcmp(group->backend, backend)) {
            continue;
        }
        int fail = summary_failed(group->count), pass = group->count[STATUS_PASS];
        if (group->worst && !strncmp(worst, group->family, (size_t)group->family_length) &&
            worst[group->family_length] == '/') {
            worst += group->family_length + 1;
        }
        char *shown = shortened(text_one_line(worst), text_columns(summary->to) - width - 51),
             *family = family_shown(group);
        fprintf(summary->to, "%-*s  %5d %5d ", width, family ? family : "", group->cases, pass);
        free(family);
        summary_colour(summary, fail ? "31" : "0");
        fprintf(summary->to, "%5d", fail);
        summary_colour(summary, "0");
        fprintf(summary->to, " %6d  %13s", group->cases - pass - fail,
                text_number(group->worst ? record_nu(group->worst) : NAN, nu));
        const char *resolution = text_resolution(group->resolution, sees);
        fprintf(summary->to, "%*s%s%s%s\n", 8 - utf8_columns(resolution), "", resolution,
                shown && *shown ? "  " : "", shown ? shown : "");
        free(shown);
    }
}

/* --- failures, worst first */

/* "logdet/float32". The caller frees it. */
static char *cluster_name(const struct cluster *cluster)
{
    char *name = NULL, *shown = NULL;
    if (asprintf(&name, "%.*s/%.*s", cluster->operator_length, cluster->operator, cluster->dtype_length,
                 cluster->dtype) >= 0) {
        shown = text_one_line(name);
        free(name);
    }
    return shown;
}

static void cluster_line(FILE *to, const struct cluster *cluster)
{
    char *id = text_one_line(cluster->example->id), *name = cluster_name(cluster),
         *rule = text_one_line(cluster->rule);
    int names = name ? utf8_columns(name) : 0, rules = rule ? utf8_columns(rule) : 0;
    id = shortened(id, text_columns(to) - 7 - (names > 24 ? names : 24) - 2 - (rules > 12 ? rules : 12) - 2);
    fprintf(to, "%5d  %-24s  %-12s  %s\n", cluster->count, name ? name : "", rule ? rule : "", id ? id : "");
    free(id);
    free(name);
    free(rule);
}

static void failures(const struct summary *summary, const char *backend)
{
    enum { LINES = 4 }; /* lines for each cluster with an example */
    struct clusters clusters;
    if (!clusters_build(summary->results, backend, summary->options->gate & (GATE_RANGE | GATE_IMPLAUSIBLE),
                        &clusters)) {
        return;
    }
    int shown = summary_limit(summary, clusters.count), c = 0;
    int64_t most = (1 + LINES) * summary->options->failures_max;
    if (clusters.cases > clusters.count) {
        fprintf(summary->to, "%d failures in %d group%s (operator, dtype, rule), with one example each\n",
                clusters.cases, clusters.count, clusters.count == 1 ? "" : "s");
    }
    for (; c < shown; c++) {
        const struct cluster *cluster = &clusters.cluster[c];
        if (cluster->count > 1) {
            char *name = cluster_name(cluster);
            fprintf(summary->to, "%d × %s, ", cluster->count, name ? name : "");
            text_put_line(summary->to, cluster->rule);
            fputs(":\n", summary->to);
            free(name);
        }
        report_failure_in(summary->options->colour, summary->to, cluster->example);
    }
    for (; c < clusters.count && c < most; c++) {
        cluster_line(summary->to, &clusters.cluster[c]);
    }
    int rest = 0;
    for (int k = c; k < clusters.count; k++) {
        rest += clusters.cluster[k].count;
    }
    if (rest) {
        fprintf(summary->to, "… and %d more failure%s in %d group%s (--show 0 shows all)\n", rest,
                rest == 1 ? "" : "s", clusters.count - c, clusters.count - c == 1 ? "" : "s");
    }
    clusters_destroy(&clusters);
}

static void backend_section(const struct summary *summary, const char *backend)
{
    environment(summary->to, summary->results, backend);
    families(summary, backend);
    failures(summary, backend);
    summary_others(summary, backend);
}

void report_summary(FILE *to, const struct results *results, const struct summary_options *options)
{
    struct summary summary = {.to = to, .results = results, .options = options};
    summary.chosen = calloc((size_t)results->records + 1, sizeof *summary.chosen);
    if (summary.chosen &&
        groups_build(results, options->by_operator ? GROUP_BY_OPERATOR : GROUP_BY_FAMILY, &summary.groups)) {
        for (int i = 0; i < summary.groups.count; i++) {
            const char *backend = summary.groups.group[i].backend; /* groups of one backend stand together */
            if (i == 0 || strcmp(backend, summary.groups.group[i - 1].backend)) {
                backend_section(&summary, backend);
            }
        }
        groups_destroy(&summary.groups);
    }
    free(summary.chosen);
    summary_closing(&summary);
    fflush(to);
}
