/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The envelope of running statistics, kept + p·statistic with kept = (1 − p)·old and the momentum p. Notation
 * of normalization_envelope.c. To p·S of the statistic the roundings of 1 − p, of p, of two products and of a
 * sum are added.
 *
 * If N samples are averaged, their statistics are independent: S² = p²·Σ S_s²/N². The sum of N terms
 * p·statistic_s, or of N updated values kept + p·statistic_s, adds the rounding errors of its order of
 * summation, and the division by N one rounding. A 16-bit statistic may be rounded once for each sample, as
 * in PyTorch. This is not a rounding of the accumulating dtype; it is added to the drift as the mean of
 * |updated value| times the roundoff of the statistic's dtype. */

#include "reference/ops/normalization/normalization_envelope.h"
#include "reference/ops/normalization/normalization_truth.h"

#include <math.h>

/* p·statistic, or its mean over the samples, with its S/u and drift D. */
struct update {
    double taken, spread, drift[ENVELOPE_WIDTHS];
};

/* The update by one group: by its unbiased variance if `variance`, else by its mean. */
static struct update update_of_group(const struct normalization *n, const struct group_envelope *s,
                                     double momentum, bool variance)
{
    double whole = 1 / (s->r * s->r), unbiased = s->n / (s->n - 1),
           scale = variance ? unbiased * 2 * whole : 1;
    struct update u = {.taken = momentum * (variance ? unbiased * (whole - n->eps) : s->m),
                       .spread = momentum * scale * (variance ? s->root : s->mean)};
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        u.drift[k] = fabs(momentum) * scale * (variance ? s->drift_root[k] : s->drift_mean[k]);
    }
    return u;
}

static struct update update_of_samples(struct normalization_workspace *w, int64_t channel, double momentum,
                                       double kept, enum dtype dtype, bool variance)
{
    const int64_t samples = normalization_samples(w->n);
    const double count = (double)samples, store = dtype_unit_roundoff(dtype);
    struct update all = {.taken = 0};
    struct envelope_sum plain, updated;
    double magnitude = 0;
    for (int64_t s = 0; s < samples; s++) {
        const int64_t group = normalization_group_of_sample(w->n, s, channel);
        struct update one = update_of_group(w->n, &w->group[group], momentum, variance);
        w->a[s] = one.taken;
        w->b[s] = kept + one.taken;
        magnitude += fabs(w->b[s]) / count;
        all.spread = envelope_join(all.spread, one.spread / count);
        for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
            all.drift[k] += one.drift[k] / count;
        }
    }
    envelope_sum(w->a, samples, w->u, &plain);
    envelope_sum(w->b, samples, w->u, &updated);
    all.taken = plain.total / count;
    all.spread = envelope_join(all.spread, envelope_join(plain.order, updated.order) / count);
    all.spread = envelope_join(all.spread, kept + all.taken);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        all.drift[k] +=
            (plain.drift[k] + updated.drift[k]) / count + (store > w->u[k] ? store * magnitude : 0);
    }
    return all;
}

static void running_element(struct normalization_workspace *w, struct truth_output *out, int64_t channel,
                            double momentum, double old, bool variance)
{
    struct envelope *e = &out->envelope[channel];
    const double kept = (1 - momentum) * old;
    struct update u = normalization_samples(w->n) > 1
                          ? update_of_samples(w, channel, momentum, kept, out->dtype, variance)
                          : update_of_group(w->n, &w->group[channel], momentum, variance);
    e->spread = envelope_join(envelope_join(u.spread, 2 * kept), envelope_join(2 * u.taken, kept + u.taken));
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        e->drift[k] = u.drift[k];
    }
    envelope_alone(e, channel, kept + u.taken);
}

bool normalization_running_envelope(const struct normalization *n, double momentum, struct truth_output *mean,
                                    struct truth_output *variance)
{
    struct normalization_workspace w;
    if (n->evaluates || normalization_length(n) < 2 || normalization_samples(n) == 0) {
        return true;
    }
    bool good = normalization_workspace_open(&w, n, mean, 1) && truth_output_envelope(variance);
    for (int64_t g = 0; good && g < normalization_groups(n); g++) {
        normalization_group_envelope(&w, g);
    }
    for (int64_t c = 0; good && c < n->channels; c++) {
        running_element(&w, mean, c, momentum, tensor_component(n->running_mean, c), false);
        running_element(&w, variance, c, momentum, tensor_component(n->running_var, c), true);
    }
    normalization_workspace_close(&w);
    return good;
}
