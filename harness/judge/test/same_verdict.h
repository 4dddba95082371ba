/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TEST_SAME_VERDICT_H
#define ASSAY_HARNESS_JUDGE_TEST_SAME_VERDICT_H

/* Compares two verdicts on the same results that were reached in different ways. Sums may differ by the order
 * of their additions. */

#include "harness/judge/test/mock.h"

#include <math.h>
#include <string.h>

static inline void expect_near(double a, double b, double share, const char *what)
{
    cr_expect(a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= share * fabs(b),
              "%s: %.17g one way, %.17g the other", what, a, b);
}

static inline void expect_same_verdict(const struct record *a, const struct record *b)
{
    cr_expect_eq(a->status, b->status, "%d, %d", a->status, b->status);
    cr_expect(a->elements == b->elements && a->over_0 == b->over_0 && a->over_1 == b->over_1 &&
              a->over_bound == b->over_bound && a->worst.index == b->worst.index &&
              a->envelope_groups == b->envelope_groups);
    cr_expect_eq(memcmp(a->ulp_bucket, b->ulp_bucket, sizeof a->ulp_bucket), 0);
    cr_expect(!a->reason == !b->reason && (!a->reason || strcmp(a->reason, b->reason) == 0), "%s, %s",
              a->reason ? a->reason : "no reason", b->reason ? b->reason : "no reason");
    cr_expect(!a->detail == !b->detail && (!a->detail || strcmp(a->detail, b->detail) == 0), "%s\n%s",
              a->detail, b->detail);
    cr_expect(!a->worst.truth == !b->worst.truth &&
                  (!a->worst.truth || !strcmp(a->worst.truth, b->worst.truth)),
              "%s, %s", a->worst.truth, b->worst.truth);
    cr_expect_eq(a->by_inputs, b->by_inputs);
    for (int k = 0; k < a->by_inputs && k < b->by_inputs; k++) {
        const struct record_by_input *x = &a->by_input[k], *y = &b->by_input[k];
        cr_expect(x->negative == y->negative && x->exponent == y->exponent && x->ulp == y->ulp &&
                      x->allowed == y->allowed,
                  "2^%d: %g of %g, %g of %g", x->exponent, x->ulp, x->allowed, y->ulp, y->allowed);
    }
    expect_near(a->max_ulp, b->max_ulp, 0, "max_ulp");
    expect_near(a->max_nu, b->max_nu, 0, "max_nu");
    expect_near(a->quality_nu, b->quality_nu, 0, "quality_nu");
    expect_near(a->envelope_q, b->envelope_q, 0, "Q");
    expect_near(a->mean_ulp, b->mean_ulp, 1e-12, "mean_ulp");
    expect_near(a->nmse, b->nmse, 1e-12, "nmse");
    expect_near(a->bias_ulp, b->bias_ulp, 1e-9, "bias_ulp");
    expect_near(a->bias_resolution, b->bias_resolution, 1e-9, "bias_resolution");
    expect_near(a->envelope_t, b->envelope_t, 1e-12, "T");
    expect_near(a->envelope_g, b->envelope_g, 1e-9, "G");
    expect_near(a->resolution, b->resolution, 1e-6, "resolution");
    expect_near(a->p99_nu, b->p99_nu, 0.01, "p99_nu");
    expect_near(a->median_rho, b->median_rho, 0.01, "median_rho");
}

#endif
