/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Fills the record of a judged case: status, reason and metrics. */

#include "harness/judge/judging.h"
#include "reference/base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double vacuous_rho = 0.1;

/* Adds the outputs that `verify` judges; they are not measured element by element. */
static void add_verified(const struct judging *j, struct record *record)
{
    const struct verified *v = &j->verified;
    if (!v->any) {
        return;
    }
    if (j->metrics.elements == 0) {
        record->max_ulp = record->mean_ulp = record->p99_nu = record->quality_nu = (double)NAN;
        record->median_rho = record->nmse = record->bit_exact = record->faithful = (double)NAN;
        record->resolution = v->resolution;
    } else {
        record->resolution = fmin(record->resolution, v->resolution); /* fmin ignores NaN */
    }
    record->median_rho = fmax(record->median_rho, v->widest);
    record->elements += v->elements;
    record->over_bound += v->refused;
    record->max_nu = fmax(record->max_nu, v->error_over_bound);
}

static void fill_record(struct judging *j, struct record *record)
{
    struct metrics *m = &j->metrics;
    double n = m->elements ? (double)m->elements : 1;
    record->truth_bits = j->bits == INT_MAX ? 0 : j->bits;
    record->elements = m->elements;
    record->max_ulp = m->missed ? NAN : m->max_ulp; /* the greatest error then has no number of ulp */
    record->mean_ulp = m->finite ? metrics_sum(m->sum.ulp) / (double)m->finite : m->missed ? NAN : 0;
    record->bias_ulp = m->biased >= BIAS_LEAST_ELEMENTS ? metrics_bias(m) : 0; /* a few elements show none */
    record->bias_resolution = metrics_bias_resolution(m);
    record->max_nu = m->max_nu;
    record->quality_nu = m->max_quality;
    record->p99_nu = metrics_percentile_nu(m, 0.99);
    record->median_rho = metrics_median_rho(m);
    record->resolution = m->elements ? j->envelope.resolution : NAN; /* a refusal resolves nothing */
    record->envelope_q = j->envelope.q;
    record->envelope_t = j->envelope.t;
    record->envelope_g = j->envelope.g;
    record->envelope_groups = j->envelope.groups;
    if (j->envelope.implausible > 1) {
        record->implausible = j->envelope.implausible;
        record->implausible_by = memory_text(j->envelope.implausible_by);
        if (j->observed) {
            char name[STEP_TEXT];
            program_print_step(j->request->program, j->envelope.implausible_step, name);
            record->implausible_step = memory_text(name);
        }
    }
    const double error = metrics_sum(m->sum.square_error), truth = metrics_sum(m->sum.square_truth);
    record->nmse = truth > 0 ? error / truth : error > 0 ? INFINITY : 0;
    record->bit_exact = m->elements ? (double)m->exact / n : 1;
    record->faithful = m->elements ? (double)m->faithful / n : 1;
    memcpy(record->ulp_bucket, m->bucket, sizeof record->ulp_bucket);
    record->ulp_buckets = metrics_buckets(m);
    record->over_0 = m->over_0;
    record->over_1 = m->over_1;
    record->over_bound = m->over_bound;
    record->range_findings = j->range_findings;
    add_verified(j, record);
}

/* Describes what the profile leaves open and the backend made use of. */
static void describe_findings(struct judging *j)
{
    size_t used = 0;
    if (j->range_findings) {
        used =
            (size_t)snprintf(j->reason, sizeof j->reason,
                             "finding of class RANGE: in %lld element(s) an intermediate of the naive form "
                             "leaves the range, as the profile declares",
                             (long long)j->range_findings);
    }
    if (j->taken) {
        snprintf(j->reason + used, sizeof j->reason - used,
                 "%s%d step(s) took operands that PyTorch refuses, which the profile leaves open%s",
                 used ? "; " : "", j->taken, j->lost ? ": later steps are not judged" : "");
    }
}

/* If `verify` accepts a wrong result, the case proves as little as if its error bounds accepted one. */
static void note_accepted_class(struct judging *j)
{
    const struct verified *v = &j->verified;
    struct envelope_result *r = &j->envelope;
    if (v->accepted_class && !r->accepted_class) {
        r->accepted_class = v->accepted_class;
        snprintf(r->accepted_where, sizeof r->accepted_where, "what step %d returns", v->accepted_step);
    }
}

/* Names the step of a chain in which the envelope would refuse what the bound accepts. */
static void describe_implausible(struct judging *j, const struct record *record)
{
    if (record->implausible_step) {
        snprintf(j->reason, sizeof j->reason,
                 "finding of class ENVELOPE: %s exceeds the limit of independent rounding %.3g times (%s)",
                 record->implausible_step, record->implausible, record->implausible_by);
    }
}

void judging_conclude(struct judging *j, struct record *record)
{
    fill_record(j, record);
    note_accepted_class(j);
    if (j->failed) {
        record->status = STATUS_FAIL;
        record_rule(record, j->rule);
    } else if (j->taken || j->range_findings) {
        bool vague = record->median_rho > vacuous_rho || j->envelope.accepted_class;
        bool nothing = record->elements == 0; /* no element was judged */
        record->status = nothing && j->taken ? STATUS_UNSUPPORTED
                         : nothing || vague  ? STATUS_VACUOUS
                                             : STATUS_PASS;
        describe_findings(j);
    } else if (j->envelope.accepted_class) {
        record->status = STATUS_VACUOUS;
        char rule[96];
        snprintf(rule, sizeof rule, RECORD_RULE_WRONG_CLASS "%s", j->envelope.accepted_class);
        record_rule(record, rule);
        snprintf(j->reason, sizeof j->reason, "no evidence: %s in place of %s would pass",
                 j->envelope.accepted_class, j->envelope.accepted_where);
    } else if (record->median_rho > vacuous_rho) {
        record->status = STATUS_VACUOUS;
        record_rule(record, RECORD_RULE_WIDE);
        snprintf(j->reason, sizeof j->reason,
                 "the bound is too wide to be evidence: median bound/scale is %.3g, above %.1g",
                 record->median_rho, vacuous_rho);
    } else {
        record->status = STATUS_PASS;
        describe_implausible(j, record);
    }
    if (j->reason[0]) {
        free(record->reason);
        record->reason = memory_text(j->reason);
    }
}
