/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_TRUTH_H
#define ASSAY_REFERENCE_OPS_NORMALIZATION_NORMALIZATION_TRUTH_H

/* Truths and envelopes of normalizations, of their gradients and of running statistics. Functions named
 * …_truth certify all elements with MPFR; functions named …_enclosure fill values with proved radii in
 * double-double and certify the elements that these cannot decide; functions named …_certify certify one
 * element, with the same result as …_truth. All lower `*bits` to the number of certified relative bits. */

#include "reference/ops/normalization/normalization_statistics.h"

bool normalization_truth(const struct normalization *n, struct truth_output *y, int *bits,
                         struct error *error);
bool normalization_enclosure(const struct normalization *n, struct truth_output *y, int *bits,
                             struct error *error);
/* A certifier caches the statistics of the last group; `group` must be the group of `element`. */
struct normalization_certifier *
normalization_certifier_create(const struct normalization *n); /* NULL: no memory */
void normalization_certifier_destroy(struct normalization_certifier **certifier);
bool normalization_certify(struct normalization_certifier *certifier, int64_t group, int64_t element,
                           struct truth_output *y, int *bits, struct error *error);
/* The updated running statistics, (1 − momentum)·running + momentum·statistic with the unbiased variance, and
 * for instance_norm the mean of this over the samples; unchanged in evaluation. out[0] is running_mean,
 * out[1] running_var. The enclosure returns false when out of memory. In normalization_running_certify, `out`
 * is the tensor of output `output` (0 or 1). */
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
bool normalization_gradient_enclosure(const struct normalization *n, struct truth_output *dx,
                                      struct truth_output *dweight, struct truth_output *dbias, int *bits,
                                      struct error *error);
struct normalization_input_certifier *
normalization_input_certifier_create(const struct normalization *n); /* NULL: no memory */
void normalization_input_certifier_destroy(struct normalization_input_certifier **certifier);
void normalization_input_certify(struct normalization_input_certifier *certifier, int64_t group,
                                 int64_t element, struct truth_output *dx, int *bits);
/* Computes the exact statistics of every group. NULL with the reason when out of memory. */
struct normalization_weight_certifier *normalization_weight_certifier_create(const struct normalization *n,
                                                                             struct error *error);
void normalization_weight_certifier_destroy(struct normalization_weight_certifier **certifier);
bool normalization_weight_certify(struct normalization_weight_certifier *certifier, int64_t channel,
                                  struct truth_output *dweight, int *bits, struct error *error);
void normalization_bias_certify(const struct normalization *n, int64_t channel, struct truth_output *dbias,
                                int *bits);

/* --- envelopes (reference/operator/envelope.h), derived in normalization_envelope.c; false when out of
 * memory. `out` are the `outputs` judged tensors y, or dx, dweight, dbias. */
bool normalization_envelope(const struct normalization *n, struct truth_output *out, int outputs);
bool normalization_running_envelope(const struct normalization *n, double momentum, struct truth_output *mean,
                                    struct truth_output *variance);

#endif
