/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Error bounds of normalization, to first order in u, except for the root, whose bound holds for any error.
 *
 * Notation of normalization_statistics.h. A sum of n terms has an error of h·u times the sum of magnitudes,
 * c·u is the relative error of a reciprocal square root, M = mean|x|, kappa² = 1 + m²/V.
 *
 *   E_m = (h + 2)·u·M                   the sum, and 1/n rounded and multiplied (Higham, ASNA, §4.2)
 *   E_V = (h + 5)·u·V·kappa + E_m²      Welford and Chan (Chan, Golub, LeVeque 1983); two-pass: kappa = 1,
 *                                       E_m² because it sums (x − m')² = (x − m)² + (m − m')²
 *   E_V = (h + 3)·u·V                   RMS, V the mean square
 *   rho = 1/sqrt(1 − q) − 1             relative error of r, q = E_V/(V + eps); at most
 *                                       sqrt((V + eps)/eps) − 1, because a computed V is not negative
 *   E_X = (1 + rho)·r·(E_m + 2u(|x| + |m|)) + |X|·(rho + (c + 4)u)
 *                                       x − m, or x·r − m·r with a fused scale and shift;
 *                                       RMS: only the second term
 *   E_y = |g|·E_X + u·(|g·X| + |b|)
 *
 * Gradients, w = g·dy rounded once, alpha = mean(w), beta = mean(w·X):
 *
 *   E_alpha = (h + 3)·u·mean|w|
 *   E_beta  = mean(|w|·E_X) + (h + 4)·u·mean|w·X|, and if the order of operations is not declared,
 *             (h + 4)·u·r·(mean|w·x| + |m|·mean|w|) more, since sum w·x − m·sum w is a common form
 *   E_dx    = (1 + rho)·r·(E_alpha + E_X·|beta| + |X|·E_beta + E_X·E_beta + 4u(|w| + |alpha| + |X·beta|))
 *             + |dx|·(rho + (c + 2)u)
 *   E_dg    = sum |dy|·E_X + (h + 2)·u·sum |dy·X|, h of the channel's sum; undeclared order: as for beta
 *   E_db    = h·u·sum |dy|
 *
 * Running statistics: momentum·E, plus 3u of each term, plus u·momentum·|old| if the momentum is rounded
 * before 1 − momentum.
 *
 * Those of instance_norm are the mean over N samples s of (1 − momentum)·old + momentum·statistic_s. Their
 * error is at most the mean of the samples' bounds. The mean of E_m is E_m of the mean of M_s; for E_V,
 *
 *     mean(E_m²) = ((h + 2)·u)²·mean(M²),
 *     mean(V·kappa) = mean(sqrt(V)·sqrt(V + m²)) ≤ sqrt(mean(V)·mean(V + m²))      (Cauchy and Schwarz),
 *
 * which is V·kappa for V = mean(V_s) and m² = mean(m_s²). So the formula of one sample holds with root mean
 * squares in place of M, m and the deviation. The mean over the samples adds (h_N + 2)·u·T, where h_N is the
 * depth of a sum of N terms and T = momentum·mean|statistic_s| + |1 − momentum|·|old|, whether statistics or
 * updated values are averaged; and up to η for each term. PyTorch stores each sample's updated value in the
 * dtype of the running statistic: one more rounding, u_out·T + η_out, if the form is not declared. It also
 * averages N copies of |old| in evaluation: (h_N + 2)·u·|old|, or 0 if the form is declared. */

#include "reference/ops/normalization/normalization_bound.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/round_up.h"
#include "reference/operator/bound_memo.h"

#include <math.h>
#include <string.h>

void normalization_describe(const struct moments *moments, double *sensitivity)
{
    sensitivity[GROUP_LENGTH] = moments->n;
    sensitivity[GROUP_MEAN_ABS] = moments->mean_abs;
    sensitivity[GROUP_MEAN] = moments->mean == 0 ? 0 : round_up_twice(fabs(moments->mean));
    sensitivity[GROUP_DEVIATION] = moments->deviation;
}

/* The factor `up` covers the roundings of a product of quotients. */
struct weight_measures normalization_weight_measures(const struct moments *m, double eps)
{
    const double up = 1 + 0x1p-48;
    double root = portable_hypot(m->deviation, sqrt(eps)), share = m->deviation / root,
           variance = share * share * up;
    return (struct weight_measures){.n = m->n,
                                    .r = m->r,
                                    .mean_abs = m->mean_abs,
                                    .mean = fabs(m->mean),
                                    .variance = variance,
                                    .kappa = variance * normalization_kappa(m->mean, m->deviation) * up,
                                    .square = m->mean_abs / root * (m->mean_abs / root) * up,
                                    .root = root / sqrt(eps) * up,
                                    .squares = sqrt(m->n) * portable_hypot(m->mean, m->deviation)};
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

void normalization_weight_term(const struct weight_measures *m, double e, double x, double normal, double *s)
{
    double share = e * m->r, weighted = e * normal;
    s[CHANNEL_LENGTH] = m->n;
    s[CHANNEL_MEAN_ABS] += share * m->mean_abs;
    s[CHANNEL_X] += share * (x + m->mean);
    s[CHANNEL_NORMAL] += weighted;
    s[CHANNEL_VARIANCE] += weighted * m->variance;
    s[CHANNEL_KAPPA] += weighted * m->kappa;
    s[CHANNEL_MEAN_SQUARE] += weighted * m->square;
    s[CHANNEL_R] += share;
    s[CHANNEL_E] += e;
    s[CHANNEL_PRODUCTS] += e * (x + m->mean);
    s[GREATEST_KAPPA] = greater(m->kappa, s[GREATEST_KAPPA]);
    s[GREATEST_MEAN_SQUARE] = greater(m->square, s[GREATEST_MEAN_SQUARE]);
    s[GREATEST_ROOT] = greater(m->root, s[GREATEST_ROOT]);
    s[GREATEST_R] = greater(m->r, s[GREATEST_R]);
    s[GREATEST_SQUARES] = greater(m->squares, s[GREATEST_SQUARES]);
}

void normalization_weight_close(double *s)
{
    static const int sums[] = {CHANNEL_MEAN_ABS, CHANNEL_X,           CHANNEL_NORMAL, CHANNEL_VARIANCE,
                               CHANNEL_KAPPA,    CHANNEL_MEAN_SQUARE, CHANNEL_R,      CHANNEL_E};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        s[sums[k]] *= 1 + (s[CHANNEL_TERMS] + 16) * 0x1p-52;
    }
}

struct arithmetic {
    double u, rsqrt, eta; /* roundoff of the accumulating dtype; error of 1/sqrt, relative; underflow unit */
    struct summation_order order;
    bool declared; /* the profile declares the form of assay's own kernels */
};

static struct arithmetic arithmetic_of(const struct bound_query *query)
{
    const struct profile *profile = query->profile;
    enum dtype accumulate = DTYPE_FLOAT64; /* the coarsest: float32 parameters may go with 16-bit elements */
    for (int o = 0; o < query->truth->outputs; o++) {
        enum dtype other = profile->accumulate[query->truth->output[o].dtype];
        accumulate = dtype_unit_roundoff(other) > dtype_unit_roundoff(accumulate) ? other : accumulate;
    }
    struct summation_order order = profile_summation(profile, query->op->name);
    return (struct arithmetic){.u = query->exact ? 0 : profile_unit_roundoff(profile, accumulate),
                               .rsqrt = profile_rsqrt_error(profile, accumulate, 1),
                               .eta = profile_underflow_unit(profile, accumulate),
                               .order = order,
                               .declared = order.kind == SUMMATION_DECLARED};
}

/* The most additions that a term of a sum of n terms passes through. assay's own trees: 64 (32 to 128)
 * running sums and a tree, or blocks of 8 summed pairwise. */
static double depth(const struct arithmetic *a, double n)
{
    double h = summation_depth(a->order, n);
    return h < 0 ? fmin(n > 1 ? n - 1 : 0, 12 + n / 32) : h;
}

static double error_of_mean(const struct arithmetic *a, double n, double mean_abs)
{
    return n == 0 ? 0 : (depth(a, n) + 2) * a->u * mean_abs + 4 * a->eta;
}

/* rho, the bound of the relative error of r; `greatest`: a bound of its computed ratio to the exact r. */
static double error_of_root(double q, double greatest)
{
    double first = q < 1 ? 1 / sqrt(1 - q) - 1 : INFINITY;
    return fmin(first, fmax(greatest - 1, 1));
}

/* The errors of the statistics of a group that enter X = deviation·r. */
struct spread {
    double mean, root, r, difference; /* E_m, rho, r, (1 + rho)·r */
};

static struct spread spread_of(const struct arithmetic *a, const double *s, bool centred, double eps)
{
    const double down = 1 - 0x1p-49; /* below the root of V + eps: the deviation was rounded up */
    double n = s[GROUP_LENGTH], root = portable_hypot(s[GROUP_DEVIATION], sqrt(eps)) * down, h = depth(a, n);
    struct spread spread = {.mean = centred ? error_of_mean(a, n, s[GROUP_MEAN_ABS]) : 0, .r = 1 / root};
    double share = s[GROUP_DEVIATION] / root, mean = spread.mean / root; /* all of E_V over V + eps */
    double kappa = a->declared ? 1 : normalization_kappa(s[GROUP_MEAN], s[GROUP_DEVIATION]);
    double variance = (h + (centred ? 5 : 3)) * a->u * share * share * (centred ? kappa : 1) + mean * mean;
    if (centred &&
        !a->declared) { /* V·kappa = sqrt(V)·hypot(sqrt(V), m), of a V that the mean's error adds to */
        variance += (h + 5) * a->u * mean * s[GROUP_MEAN] / root;
    }
    double greatest =
        eps < a->eta ? INFINITY : root / down / down / sqrt(eps); /* an eps that vanishes bounds nothing */
    spread.root = n == 0 ? 0 : error_of_root(variance + 4 * a->eta / root / root, greatest);
    spread.difference = (1 + spread.root) * spread.r;
    return spread;
}

/* The part of the error bound that all elements of a group share; cached in query->memo. */
struct group {
    struct arithmetic a;
    struct spread spread;
};

static struct group group_of(const struct bound_query *query, const double *s, bool centred, double eps)
{
    struct bound_shared *shared = query->memo ? &query->memo->shared[query->exact] : NULL;
    const double key[] = {s[GROUP_LENGTH],    s[GROUP_MEAN_ABS], s[GROUP_MEAN],
                          s[GROUP_DEVIATION], centred,           eps};
    struct group group;
    _Static_assert(sizeof group <= sizeof shared->room && sizeof key <= sizeof shared->key, "no room");
    if (shared && shared->profile == query->profile && memcmp(shared->key, key, sizeof key) == 0) {
        memcpy(&group, shared->room, sizeof group);
        return group;
    }
    group.a = arithmetic_of(query);
    group.spread = spread_of(&group.a, s, centred, eps);
    if (shared) {
        shared->profile = query->profile;
        memcpy(shared->key, key, sizeof key);
        memcpy(shared->room, &group, sizeof group);
    }
    return group;
}

/* a·b, and 0 if a factor is 0 although the other is infinite. */
static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static double error_of_normal(const struct arithmetic *a, const struct spread *spread, bool centred, double x,
                              double mean, double normal)
{
    double difference = centred ? spread->mean + 2 * a->u * (x + mean) + 4 * a->eta : 0;
    return times(spread->difference, difference) + times(normal, spread->root + 4 * a->u + a->rsqrt) +
           2 * a->eta;
}

static const double *sensitivity_of(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    return &out->sensitivity[query->element * out->sensitivities];
}

static const struct value *value_at(const struct bound_query *query)
{
    return &query->truth->output[query->output].value[query->element];
}

/* True if V + eps = 0: a rounded mean leaves deviations that are divided by 0, so that any result is
 * legal. */
static bool is_undefined(const double *s, double eps)
{
    return s[GROUP_LENGTH] > 0 && s[GROUP_DEVIATION] == 0 && eps == 0;
}

double normalization_bound(const struct bound_query *query, bool centred, double eps)
{
    const double *s = sensitivity_of(query);
    if (is_undefined(s, eps)) {
        return INFINITY;
    }
    if (value_at(query)->class != VALUE_FINITE) {
        return 0;
    }
    struct group group = group_of(query, s, centred, eps);
    struct arithmetic a = group.a;
    double normal =
        error_of_normal(&a, &group.spread, centred, s[ELEMENT_X], s[GROUP_MEAN], s[ELEMENT_NORMAL]);
    double scale = s[ELEMENT_WEIGHT];
    return times(scale, normal) + a.u * (scale * s[ELEMENT_NORMAL] + s[ELEMENT_BIAS]) + 2 * a.eta;
}

bool normalization_root_is_open(const struct bound_query *query, bool centred, double eps)
{
    const double *s = sensitivity_of(query);
    return value_at(query)->class == VALUE_FINITE && s[GROUP_LENGTH] > 0 && !is_undefined(s, eps) &&
           isinf(group_of(query, s, centred, eps).spread.root);
}

double normalization_gradient_bound(const struct bound_query *query, bool centred, double eps)
{
    const double *s = sensitivity_of(query);
    const struct value *value = value_at(query);
    if (is_undefined(s, eps)) {
        return INFINITY;
    }
    if (value->class != VALUE_FINITE) {
        return 0;
    }
    struct group group = group_of(query, s, centred, eps);
    struct arithmetic a = group.a;
    struct spread spread = group.spread;
    double dx = fabs(value_approximately(value)), n = s[GROUP_LENGTH], h = depth(&a, n);
    if (n == 0) { /* evaluation: w·r */
        return dx * (a.rsqrt + 5 * a.u) + 2 * a.eta * (1 + spread.r);
    }
    double x = s[ELEMENT_X], m = s[GROUP_MEAN], X = s[ELEMENT_NORMAL], w = s[ELEMENT_WEIGHT];
    double alpha = centred ? s[ELEMENT_BIAS] : 0, beta = s[GROUP_PROJECTION];
    double normal = error_of_normal(&a, &spread, centred, x, m, X);
    double error_alpha = centred ? (h + 3) * a.u * s[GROUP_W] + 2 * a.eta : 0;
    double weighted = s[GROUP_W_X] + m * s[GROUP_W];
    double error_beta =
        (h + 4) * a.u * s[GROUP_W_NORMAL] + times(s[GROUP_W_NORMAL], spread.root + 4 * a.u + a.rsqrt);
    if (centred) {
        error_beta += times(spread.difference, spread.mean * s[GROUP_W] + 2 * a.u * weighted);
    }
    if (!a.declared) {
        error_beta += times((h + 4) * a.u * spread.r, weighted);
    }
    error_beta += 4 * a.eta * (1 + s[GROUP_W]);
    double inner = error_alpha + times(normal, beta) + times(X, error_beta) + times(normal, error_beta) +
                   4 * a.u * (w + alpha + X * beta) + 4 * a.eta;
    return times(spread.difference, inner) + times(dx, spread.root + a.rsqrt + 2 * a.u) + 2 * a.eta;
}

double normalization_weight_bound(const struct bound_query *query, bool centred)
{
    const double *s = sensitivity_of(query);
    if (isinf(s[GREATEST_R])) {
        return INFINITY; /* V + eps = 0 */
    }
    if (value_at(query)->class != VALUE_FINITE) {
        return 0;
    }
    struct arithmetic a = arithmetic_of(query);
    double n = s[CHANNEL_LENGTH], terms = s[CHANNEL_TERMS], h = depth(&a, n), H = depth(&a, terms);
    double mean = n == 0 || !centred ? 0 : (h + 2) * a.u, rounding = s[CHANNEL_NORMAL] * (4 * a.u + a.rsqrt);
    double eta = a.eta * (2 * terms + 4 * s[CHANNEL_R] + 2 * s[CHANNEL_E]);
    if (n == 0) {
        return 2 * a.u * s[CHANNEL_X] + rounding + (H + 2) * a.u * (s[CHANNEL_NORMAL] + s[CHANNEL_X]) + eta;
    }
    double second = mean * mean + (a.declared ? 0 : (h + 5) * a.u * mean); /* as in spread_of */
    double variance = centred ? (h + 5) * a.u * (a.declared ? s[CHANNEL_VARIANCE] : s[CHANNEL_KAPPA])
                              : (h + 3) * a.u * s[CHANNEL_VARIANCE];
    variance += second * s[CHANNEL_MEAN_SQUARE];
    double q = (h + 5) * a.u * s[GREATEST_KAPPA] + second * s[GREATEST_MEAN_SQUARE] +
               4 * a.eta * s[GREATEST_R] * s[GREATEST_R];
    variance += 4 * a.eta * s[GREATEST_R] * s[GREATEST_R] * s[CHANNEL_NORMAL];
    /* rho is convex in q and 0 at 0: rho(q_j) ≤ q_j·rho(q)/q for q_j ≤ q. For q ≥ 3/4 its greatest value. */
    double root = q < 0.75 ? (q > 0 ? (1 / sqrt(1 - q) - 1) / q : 0.5) * variance
                           : times(fmax(s[GREATEST_ROOT] - 1, 1), s[CHANNEL_NORMAL]);
    double stretched = q < 0.75 ? 1 / sqrt(1 - q) : fmax(s[GREATEST_ROOT], 2);
    double difference = centred ? times(stretched, mean * s[CHANNEL_MEAN_ABS] + 2 * a.u * s[CHANNEL_X]) : 0;
    double sum = (H + 2) * a.u * (s[CHANNEL_NORMAL] + (a.declared ? 0 : s[CHANNEL_X]));
    return difference + root + rounding + sum + stretched * eta;
}

double normalization_bias_bound(const struct bound_query *query)
{
    const double *s = sensitivity_of(query);
    if (value_at(query)->class != VALUE_FINITE) {
        return 0;
    }
    struct arithmetic a = arithmetic_of(query);
    const struct truth_output *out = &query->truth->output[query->output];
    bool flushes = profile_loses_subnormals(query->profile, out->dtype); /* each addition may flush its sum */
    return depth(&a, s[CHANNEL_TERMS]) * (a.u * s[BIAS_SUM_ABS] + (flushes ? a.eta : 0));
}

/* The error that averaging over samples adds. `total`: the mean of the terms' magnitudes; `stored`: each term
 * is rounded to the statistic's dtype first. */
static double error_of_average(const struct bound_query *query, const struct arithmetic *a, double samples,
                               double total, bool stored)
{
    const enum dtype dtype = query->truth->output[query->output].dtype;
    double store = !stored || query->exact ? 0 : profile_unit_roundoff(query->profile, dtype),
           lost = stored ? profile_underflow_unit(query->profile, dtype) : 0;
    return samples < 2 ? 0 : ((depth(a, samples) + 2) * a->u + store) * total + (samples + 2) * a->eta + lost;
}

double normalization_running_bound(const struct bound_query *query, double momentum, bool variance)
{
    const double *s = sensitivity_of(query);
    double n = s[GROUP_LENGTH], samples = s[RUNNING_SAMPLES], share = fabs(momentum),
           rest = fabs(1 - momentum);
    if ((n == 0 && samples < 2) || value_at(query)->class != VALUE_FINITE) {
        return 0; /* evaluation: the statistic is not changed */
    }
    struct arithmetic a = arithmetic_of(query);
    if (n == 0) {
        return a.declared ? 0 : error_of_average(query, &a, samples, s[RUNNING_OLD], false);
    }
    double mean = error_of_mean(&a, n, s[GROUP_MEAN_ABS]), statistic = s[GROUP_MEAN], error = mean;
    if (variance) {
        double unbiased = n / (n - 1), V = s[GROUP_DEVIATION] * s[GROUP_DEVIATION];
        double kappa = a.declared ? 1 : normalization_kappa(statistic, s[GROUP_DEVIATION]);
        error = unbiased * ((depth(&a, n) + 5) * a.u * V * kappa + mean * mean);
        statistic = unbiased * V;
    }
    double total = share * statistic + rest * s[RUNNING_OLD];
    return share * error + 3 * a.u * total + a.u * share * s[RUNNING_OLD] + 4 * a.eta +
           error_of_average(query, &a, samples, total, !a.declared);
}

bool normalization_variance_may_overflow(const struct bound_query *query, double momentum)
{
    const double *s = sensitivity_of(query);
    const enum dtype dtype = query->truth->output[query->output].dtype;
    double n = s[GROUP_LENGTH], greatest = s[RUNNING_GREATEST];
    if (n == 0 || value_at(query)->class != VALUE_FINITE) {
        return false;
    }
    double max = dtype_max(query->profile->accumulate[dtype]), unbiased = n / (n - 1) * greatest * greatest;
    double updated = fabs(momentum) * unbiased + fabs(1 - momentum) * s[RUNNING_OLD];
    return unbiased + normalization_running_bound(query, 1, true) > max ||
           (s[RUNNING_SAMPLES] > 1 && updated * (1 + 0x1p-7) > dtype_max(dtype));
}

void normalization_accept(const struct bound_query *query, double error, bool nan, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    accept_default(accept, out->dtype, query->profile, &out->value[query->element], error);
    accept_any_zero(accept);
    for (int k = 0; nan && k < accept->sets; k++) {
        accept->set[k].component[0].special |= ACCEPT_NAN;
    }
}
