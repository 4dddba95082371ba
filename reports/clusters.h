/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_CLUSTERS_H
#define ASSAY_REPORTS_CLUSTERS_H

/* Clusters of failing cases: the cases of one backend, operator and dtype that fail by one rule. A backend
 * that answers zeros fails in hundreds of cases, but in a few dozen clusters. */

#include "reports/gate.h"

struct cluster {
    const char *backend, *operator, * dtype, *rule; /* borrowed; operator and dtype are not terminated */
    int operator_length, dtype_length;
    int count;
    double weight;  /* decides which case is the example: the greatest weight; 0 where the records decide */
    const void *of; /* what the caller attaches to the example; NULL for nothing */
    const struct record *example; /* the case of the greatest weight; of equals the most urgent one, then the
                                     largest error / bound, then the first id */
};

struct clusters {
    int count, cases; /* clusters; the cases in all of them */
    struct cluster *cluster;
};

/* Builds the clusters of the cases of one backend (NULL: of all backends) that fail the gate. Missing cases
 * are left out: nothing is known of them one by one. The order is by urgency: wrong answers by error / bound,
 * then cases without an answer, then cases that fail only by an addition of the gate; of equals the cluster
 * with more cases comes first. False when out of memory. */
bool clusters_build(const struct results *results, const char *backend, unsigned gate,
                    struct clusters *clusters);
/* The same for cases of all backends with an `implausible` finding. The rule is the statistic in words
 * (text_statistic), the weight is the factor above its limit. */
bool clusters_implausible(const struct results *results, struct clusters *clusters);
void clusters_destroy(struct clusters *clusters);

/* For lists of other kinds: cluster_of makes a cluster of one record (`backend` NULL where clusters span
 * backends). clusters_fold takes the first `count` such clusters, joins and sorts them, and sets `count` to
 * the number of clusters that remain. */
struct cluster cluster_of(const struct record *record, const char *backend, const char *rule, double weight,
                          const void *of);
void clusters_fold(struct clusters *clusters);

/* The rule by which a record fails the gate: "bound", "crash", "implausible". */
const char *cluster_rule(const struct record *record, unsigned gate);

/* Orders two failing records, the one to print first being the lesser: < 0 when that is a. */
int cluster_compare(const struct record *a, const struct record *b);

#endif
