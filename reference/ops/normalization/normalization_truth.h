/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_TRUTH_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_TRUTH_H

/* Truths of normalizations and of their gradients, and their envelopes. `bits` is lowered to what was
 * certified. */

#include "reference/ops/normalization/normalization_statistics.h"

bool normalization_truth(const struct normalization *n, struct truth_output *y, int *bits,
                         struct error *error);
/* The same within radii, where that is cheaper; and one element of it, of group `group`, as `truth` has it.
 */
bool normalization_enclosure(const struct normalization *n, struct truth_output *y, int *bits,
                             struct error *error);
struct normalization_certifier *
normalization_certifier_create(const struct normalization *n); /* NULL: no memory */
void normalization_certifier_destroy(struct normalization_certifier **certifier);
bool normalization_certify(struct normalization_certifier *certifier, int64_t group, int64_t element,
                           struct truth_output *y, int *bits, struct error *error);
/* (1 − momentum)·running + momentum·statistic, the variance unbiased; of instance_norm the mean of that over
 * the samples; unchanged in evaluation. */
/* `out`: of the mean, then of the variance; one element of output 0 or 1. The same within radii: false when
 * out of memory. */
void normalization_running_truth(const struct normalization *n, double momentum, struct truth_output *out,
                                 int *bits);
bool normalization_running_enclosure(const struct normalization *n, double momentum, struct truth_output *out,
                                     int *bits);
void normalization_running_certify(const struct normalization *n, double momentum, int output,
                                   int64_t channel, struct truth_output *out, int *bits);
/* dweight and dbias may be NULL. */
bool normalization_gradient_truth(const struct normalization *n, struct truth_output *dx,
                                  struct truth_output *dweight, struct truth_output *dbias, int *bits,
                                  struct error *error);
/* The same within radii; and one element of each, as the truth has it. */
bool normalization_gradient_enclosure(const struct normalization *n, struct truth_output *dx,
                                      struct truth_output *dweight, struct truth_output *dbias, int *bits,
                                      struct error *error);
struct normalization_input_certifier *
normalization_input_certifier_create(const struct normalization *n); /* NULL: no memory */
void normalization_input_certifier_destroy(struct normalization_input_certifier **certifier);
void normalization_input_certify(struct normalization_input_certifier *certifier, int64_t group,
                                 int64_t element, struct truth_output *dx, int *bits);
/* Takes the exact statistics of every group. */
struct normalization_weight_certifier *normalization_weight_certifier_create(const struct normalization *n,
                                                                             struct error *error);
void normalization_weight_certifier_destroy(struct normalization_weight_certifier **certifier);
bool normalization_weight_certify(struct normalization_weight_certifier *certifier, int64_t channel,
                                  struct truth_output *dweight, int *bits, struct error *error);
void normalization_bias_certify(const struct normalization *n, int64_t channel, struct truth_output *dbias,
                                int *bits);

/* --- envelopes (reference/operator/envelope.h, derived in normalization_envelope.c); false when out of memory */
bool normalization_envelope(const struct normalization *n, struct truth_output *out, int outputs);
bool normalization_running_envelope(const struct normalization *n, double momentum, struct truth_output *mean,
                                    struct truth_output *variance);

#endif
