/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_CLUSTERS_H
#define ASSAY_REPORTS_CLUSTERS_H

/* What fails, together: the cases of one backend, operator and dtype that fail by one rule. A backend that
 * answers zeros fails in hundreds of cases and in a few dozen clusters. */

#include "reports/gate.h"

struct cluster {
    const char *backend, *operator, * dtype, *rule; /* borrowed; operator and dtype are not terminated */
    int operator_length, dtype_length;
    int count;
    double weight;                /* what tells more of two examples; 0 where the records say it themselves */
    const void *of;               /* what else the example is to the caller; NULL */
    const struct record *example; /* of the greatest weight, then the urgent-most, of equals the worst by
                                     error / bound, then by id */
};

struct clusters {
    int count, cases; /* clusters; their cases together */
    struct cluster *cluster;
};

/* Those of one backend (NULL: of all) that fail the gate, but not what is missing: that has nothing to tell
 * one by one. The most urgent first: wrong answers by error / bound, then what gave no answer, then what the
 * gate alone minds; of equals that of more cases. False when out of memory. */
bool clusters_build(const struct results *results, const char *backend, unsigned gate,
                    struct clusters *clusters);
/* Those of all backends whose errors are implausible; the rule is by what, the weight the factor. */
bool clusters_implausible(const struct results *results, struct clusters *clusters);
void clusters_destroy(struct clusters *clusters);

/* Any others: a cluster of one record, `backend` NULL where that makes no difference; and what stands in
 * `cluster` one by one, folded and sorted, `count` then tells how many are left. */
struct cluster cluster_of(const struct record *record, const char *backend, const char *rule, double weight,
                          const void *of);
void clusters_fold(struct clusters *clusters);

/* "bound", "crash", "implausible": the rule by which a record fails the gate. */
const char *cluster_rule(const struct record *record, unsigned gate);

/* Which of two failing records is told first: < 0 for a. */
int cluster_compare(const struct record *a, const struct record *b);

#endif
