/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/clusters.h"
#include "reports/text.h"

#include <stdlib.h>
#include <string.h>

/* The share of a case's elements that are findings of class RANGE; 0 unless the case passes or is vacuous. */
static double range_share(const struct record *record)
{
    double findings = (double)record->range_findings;
    bool excused = record->status == STATUS_PASS || record->status == STATUS_VACUOUS;
    return excused && findings > 0 ? findings / (findings + (double)record->elements) : 0;
}

/* Rank: failing statuses in the order of `order`, then cases with RANGE findings, then passes, then the rest.
 */
static int urgency(const struct record *record)
{
    static const enum status order[] = {STATUS_FAIL,  STATUS_CRASH,           STATUS_TIMEOUT,    STATUS_ERROR,
                                        STATUS_FLAKE, STATUS_UNEXPECTED_PASS, STATUS_UNSUPPORTED};
    int i = 0, n = (int)(sizeof order / sizeof *order);
    while (i < n && order[i] != record->status) {
        i++;
    }
    return i < n ? i : range_share(record) > 0 ? n : record->status == STATUS_PASS ? n + 1 : n + 2;
}

static int compare_urgency(const struct record *a, const struct record *b)
{
    double nu_a = record_nu(a), nu_b = record_nu(b), share_a = range_share(a), share_b = range_share(b);
    int by = urgency(a) - urgency(b);
    by = by ? by : (share_a < share_b) - (share_a > share_b);
    return by ? by : (nu_a < nu_b) - (nu_a > nu_b);
}

int cluster_compare(const struct record *a, const struct record *b)
{
    int by = compare_urgency(a, b);
    return by ? by : strcmp(a->id, b->id); /* any order of completion gives the same text */
}

const char *cluster_rule(const struct record *record, unsigned gate)
{
    if (record->status == STATUS_FAIL) {
        return record->rule && *record->rule ? record->rule : "fail";
    }
    if (gate_fails_status(record->status, gate)) {
        return status_name(record->status);
    }
    return (gate & GATE_IMPLAUSIBLE) && record->implausible > 0 ? "implausible" : "range";
}

struct cluster cluster_of(const struct record *record, const char *backend, const char *rule, double weight,
                          const void *of)
{
    struct cluster c = {.backend = backend ? backend : "",
                        .operator= record->id,
                        .operator_length = (int)strlen(record->id),
                        .dtype = "",
                        .rule = rule,
                        .count = 1,
                        .weight = weight,
                        .of = of,
                        .example = record};
    record_id_part(record->id, 1, &c.operator, & c.operator_length);
    record_id_part(record->id, 2, &c.dtype, &c.dtype_length);
    return c;
}

static int compare_texts(const char *a, int a_length, const char *b, int b_length)
{
    int by = memcmp(a, b, (size_t)(a_length < b_length ? a_length : b_length));
    return by ? by : a_length - b_length;
}

/* Sorts members of one cluster together, its example first. */
static int by_cluster(const void *left, const void *right)
{
    const struct cluster *a = left, *b = right;
    int by = strcmp(a->backend, b->backend);
    by = by ? by : compare_texts(a->operator, a->operator_length, b->operator, b->operator_length);
    by = by ? by : compare_texts(a->dtype, a->dtype_length, b->dtype, b->dtype_length);
    by = by ? by : strcmp(a->rule, b->rule);
    by = by ? by : (a->weight < b->weight) - (a->weight > b->weight);
    by = by ? by : cluster_compare(a->example, b->example);
    return by ? by : (a->of > b->of) - (a->of < b->of); /* both point into one array */
}

static bool same(const struct cluster *a, const struct cluster *b)
{
    return strcmp(a->backend, b->backend) == 0 &&
           compare_texts(a->operator, a->operator_length, b->operator, b->operator_length) == 0 &&
           compare_texts(a->dtype, a->dtype_length, b->dtype, b->dtype_length) == 0 &&
           strcmp(a->rule, b->rule) == 0;
}

static int by_urgency(const void *left, const void *right)
{
    const struct cluster *a = left, *b = right;
    int by = (a->weight < b->weight) - (a->weight > b->weight);
    by = by ? by : compare_urgency(a->example, b->example);
    by = by ? by : b->count - a->count;
    return by ? by : by_cluster(a, b);
}

void clusters_fold(struct clusters *clusters)
{
    struct cluster *all = clusters->cluster;
    int n = clusters->count, count = 0;
    if (n) {
        qsort(all, (size_t)n, sizeof *all, by_cluster);
    }
    for (int i = 0; i < n; i++) {
        if (count && same(&all[count - 1], &all[i])) {
            all[count - 1].count++;
        } else {
            all[count++] = all[i];
        }
    }
    if (count) {
        qsort(all, (size_t)count, sizeof *all, by_urgency);
    }
    clusters->count = count;
    clusters->cases = n;
}

static bool begin(const struct results *results, struct clusters *clusters)
{
    *clusters = (struct clusters){.cluster = calloc((size_t)results->records + 1, sizeof(struct cluster))};
    return clusters->cluster;
}

bool clusters_build(const struct results *results, const char *backend, unsigned gate,
                    struct clusters *clusters)
{
    if (!begin(results, clusters)) {
        return false;
    }
    for (int i = 0; i < results->records; i++) {
        const struct record *record = &results->record[i];
        bool ours = !backend || strcmp(record->backend, backend) == 0;
        if (ours && record->status != STATUS_MISSING && gate_fails(record, gate)) {
            clusters->cluster[clusters->count++] =
                cluster_of(record, record->backend, cluster_rule(record, gate), 0, record);
        }
    }
    clusters_fold(clusters);
    return true;
}

bool clusters_implausible(const struct results *results, struct clusters *clusters)
{
    if (!begin(results, clusters)) {
        return false;
    }
    for (int i = 0; i < results->records; i++) {
        const struct record *record = &results->record[i];
        if (record->implausible > 0) {
            clusters->cluster[clusters->count++] = cluster_of(
                record, record->backend, text_statistic(record->implausible_by), record->implausible, record);
        }
    }
    clusters_fold(clusters);
    return true;
}

void clusters_destroy(struct clusters *clusters)
{
    free(clusters->cluster);
    *clusters = (struct clusters){0};
}
