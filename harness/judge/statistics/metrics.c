/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/statistics/metrics.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>
#include <string.h>

void metrics_destroy(struct metrics *metrics)
{
    quantile_clear(&metrics->error_over_bound);
    quantile_clear(&metrics->bound_over_scale);
    quantile_clear(&metrics->power);
    *metrics = (struct metrics){.elements = 0};
}

bool metrics_end_tensor(struct metrics *metrics, double scale)
{
    bool good = !metrics->lost && quantile_add_scaled(&metrics->bound_over_scale, &metrics->power, scale);
    quantile_clear(&metrics->power);
    return good;
}

double metrics_ulp_error(enum dtype dtype, const struct value *truth, const void *got)
{
    const struct dtype_info *info = dtype_info(dtype);
    size_t size = dtype_info(info->component)->size;
    double distance = 0, magnitude = 0;
    if (!dtype_is_floating(info->component) && truth[0].class == VALUE_FINITE) { /* steps, also of int64 */
        struct value x = value_of_element(info->component, got);
        return (x.hi - truth[0].hi) + (x.lo - truth[0].lo);
    }
    for (int c = 0; c < info->components; c++) {
        double x = dtype_load(info->component, (const unsigned char *)got + (size_t)c * size);
        if (!isfinite(x) || truth[c].class != VALUE_FINITE) {
            return NAN;
        }
        double e = value_distance(&truth[c], x), t = value_approximately(&truth[c]);
        distance = info->components == 1 ? e : portable_hypot(distance, e);
        magnitude = info->components == 1 ? fabs(t) : portable_hypot(magnitude, t);
    }
    if (magnitude == 0 && distance != 0) {
        return NAN; /* a zero has no unit in its last place; only error over bound measures this */
    }
    magnitude = fmin(magnitude, dtype_max(info->component));
    return distance / dtype_ulp(info->component, magnitude);
}

/* RN(truth) of one component, and whether that is what came back. */
static bool is_rounded(enum dtype component, const struct value *truth, const unsigned char *got,
                       double *nearest)
{
    unsigned char bytes[8];
    value_store(truth, component, bytes);
    *nearest = dtype_load(component, bytes);
    if (!dtype_is_floating(component)) {
        return dtype_bits(component, got) == dtype_bits(component, bytes);
    }
    double x = dtype_load(component, got);
    return x == *nearest || (isnan(x) && isnan(*nearest));
}

void metrics_add_bias(struct metrics *metrics, int part, double truth, double away, double step,
                      double compute_error, double ulp)
{
    bool slight = compute_error > 0 && 4 * compute_error <= ulp;
    bool tie = slight && fabs(fabs(away) - ulp / 2) <= compute_error;
    if (tie || compute_error >= fabs(truth)) {
        return;
    }
    double d = copysign(1, truth) * step / ulp;
    metrics->biased++;
    metrics->sum.d[part] += d;
    metrics->sum.square_d[part] += d * d;
    metrics->sum.bound[part] += compute_error / ulp;
    metrics->sum.scale[part] += fabs(truth) / ulp;
}

static void add_bias(struct metrics *metrics, int part, const struct measured *element, double rounded)
{
    double got = dtype_load(element->dtype, element->got), truth = value_approximately(&element->truth[0]);
    if (!isfinite(rounded) || truth == 0) {
        return;
    }
    metrics_add_bias(metrics, part, truth, -value_distance(&element->truth[0], rounded), got - rounded,
                     element->compute_error, dtype_ulp(element->dtype, truth));
}

void metrics_add(struct metrics *metrics, const struct measured *element)
{
    metrics->lost = !quantile_add(&metrics->error_over_bound, element->error_over_bound, 1) ||
                    !quantile_add(&metrics->power, element->power, 1) || metrics->lost;
    metrics->elements++;
    metrics->max_nu = fmax(metrics->max_nu, element->error_over_bound);
    metrics->max_quality = fmax(metrics->max_quality, element->quality_nu);
    metrics->over_bound += !element->accepted;
    double ulp = metrics_ulp_error(element->dtype, element->truth, element->got);
    const struct dtype_info *info = dtype_info(element->dtype), *part = dtype_info(info->component);
    double nearest[2];
    bool rounded = true;
    for (int c = 0; c < info->components; c++) {
        const unsigned char *got = (const unsigned char *)element->got + (size_t)c * part->size;
        rounded = is_rounded(info->component, &element->truth[c], got, &nearest[c]) && rounded;
    }
    metrics->exact += rounded;
    if (isnan(ulp)) { /* special: right or wrong, nothing between */
        metrics->missed += !element->accepted;
        metrics->over_0 += !rounded;
        metrics->over_1 += !element->accepted;
        metrics->faithful += element->accepted;
        return;
    }
    const int at = metrics_part(metrics);
    metrics->finite++;
    metrics->over_0 += ulp != 0;
    metrics->over_1 += fabs(ulp) > 1;
    metrics->faithful += fabs(ulp) < 1;
    metrics->max_ulp = fmax(metrics->max_ulp, fabs(ulp));
    metrics->sum.ulp[at] += fabs(ulp);
    metrics->bucket[metrics_bucket(ulp)]++;
    for (int c = 0; c < info->components; c++) {
        double got =
            dtype_load(info->component, (const unsigned char *)element->got + (size_t)c * part->size);
        double truth = value_approximately(&element->truth[c]),
               error = dtype_is_floating(info->component) ? value_distance(&element->truth[c], got)
                                                          : ulp; /* int64 is no double */
        metrics->sum.square_error[at] += error * error;
        metrics->sum.square_truth[at] += truth * truth;
    }
    if (info->kind == KIND_FLOAT && element->compute_error >= 0) {
        add_bias(metrics, at, element, nearest[0]);
    }
}

bool metrics_merge(struct metrics *to, struct metrics *from)
{
    int64_t *count[][2] = {
        {&to->elements, &from->elements}, {&to->finite, &from->finite},         {&to->over_0, &from->over_0},
        {&to->over_1, &from->over_1},     {&to->over_bound, &from->over_bound}, {&to->exact, &from->exact},
        {&to->faithful, &from->faithful}, {&to->missed, &from->missed},         {&to->biased, &from->biased}};
    double *sum[][2] = {{to->sum.ulp, from->sum.ulp},
                        {to->sum.square_error, from->sum.square_error},
                        {to->sum.square_truth, from->sum.square_truth},
                        {to->sum.d, from->sum.d},
                        {to->sum.square_d, from->sum.square_d},
                        {to->sum.bound, from->sum.bound},
                        {to->sum.scale, from->sum.scale}};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++) {
        *count[k][0] += *count[k][1];
    }
    for (size_t k = 0; k < sizeof sum / sizeof *sum; k++) {
        for (int part = 0; part < METRICS_PARTS; part++) {
            sum[k][0][part] += sum[k][1][part];
        }
    }
    for (int b = 0; b < METRICS_BUCKETS; b++) {
        to->bucket[b] += from->bucket[b];
    }
    to->max_ulp = fmax(to->max_ulp, from->max_ulp);
    to->max_nu = fmax(to->max_nu, from->max_nu);
    to->max_quality = fmax(to->max_quality, from->max_quality);
    to->lost = to->lost || from->lost;
    return !to->lost && quantile_merge(&to->error_over_bound, &from->error_over_bound) &&
           quantile_merge(&to->power, &from->power) &&
           quantile_merge(&to->bound_over_scale, &from->bound_over_scale);
}

int metrics_buckets(const struct metrics *metrics)
{
    int shown = METRICS_BUCKETS;
    while (shown > 0 && metrics->bucket[shown - 1] == 0) {
        shown--;
    }
    return shown;
}

double metrics_bias(const struct metrics *metrics)
{
    return metrics->biased ? metrics_sum(metrics->sum.d) / (double)metrics->biased : 0;
}

double metrics_bias_limit(const struct metrics *metrics)
{
    double observations = (double)metrics->biased / fmax(1, metrics->cluster);
    if (observations < BIAS_LEAST_ELEMENTS) {
        return INFINITY;
    }
    double n = (double)metrics->biased, mean = metrics_sum(metrics->sum.d) / n;
    double variance = fmax(0, metrics_sum(metrics->sum.square_d) / n - mean * mean) * n / (n - 1);
    return metrics_sum(metrics->sum.bound) / n + 6 * sqrt(variance * fmax(1, metrics->cluster) / n);
}

bool metrics_bias_fails(const struct metrics *metrics)
{
    return fabs(metrics_bias(metrics)) > metrics_bias_limit(metrics);
}

double metrics_bias_resolution(const struct metrics *metrics)
{
    const double scale = metrics_sum(metrics->sum.scale);
    if (scale == 0) {
        return INFINITY;
    }
    double n = (double)metrics->biased; /* one result moved by an ulp is the least that can show */
    return fmax(metrics_bias_limit(metrics), 1 / n) * n / scale;
}

double metrics_percentile_nu(struct metrics *metrics, double fraction)
{
    return quantile_at(&metrics->error_over_bound, fraction);
}

double metrics_median_rho(struct metrics *metrics)
{
    return quantile_at(&metrics->bound_over_scale, 0.5);
}
