/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/norm/power_norm.h"

#include "reference/numeric/elementary/portable.h"
#include "reference/operator/ziv.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum { FAR = 1 << 30 };          /* |log2| of a number that is outside the range of every dtype */
enum { WHOLE_POWER_MAX = 1024 }; /* integer powers up to this one are cheaper than logarithms */
enum { ROOT_MAX = 8 };           /* and so are roots up to this one */

struct problem {
    const double *x;
    int64_t n;
    double p, lead;
};

static double lead_of(const double *x, int64_t n, double p)
{
    double lead = p > 0 ? 0 : INFINITY;
    for (int64_t i = 0; i < n; i++) {
        lead = p > 0 ? fmax(lead, x[i]) : fmin(lead, x[i]);
    }
    return lead;
}

/* --- truth */

/* t ← t^k and t ← t^(1/k) of t ≥ 0 */
static void enclose_power(mpfi_ptr t, unsigned long k)
{
    mpfr_pow_ui(&t->left, &t->left, k, MPFR_RNDD);
    mpfr_pow_ui(&t->right, &t->right, k, MPFR_RNDU);
}

static void enclose_root(mpfi_ptr t, unsigned long k)
{
    mpfr_rootn_ui(&t->left, &t->left, k, MPFR_RNDD);
    mpfr_rootn_ui(&t->right, &t->right, k, MPFR_RNDU);
}

/* True if 2·p is an integer of magnitude at most ROOT_MAX. */
static bool is_half_whole(double p)
{
    return 2 * p == floor(2 * p) && fabs(2 * p) <= ROOT_MAX;
}

static bool is_whole(double p)
{
    return p == floor(p) && fabs(p) <= WHOLE_POWER_MAX;
}

/* Encloses log x of a double with one evaluation of the logarithm. */
static void enclose_logarithm(mpfi_ptr t, double x)
{
    mpfr_set_d(&t->left, x, MPFR_RNDN);
    bool rounded = mpfr_log(&t->left, &t->left, MPFR_RNDD) != 0;
    mpfr_set(&t->right, &t->left, MPFR_RNDN);
    if (rounded) {
        mpfr_nextabove(&t->right);
    }
}

/* t ← exp t, with one evaluation if t is narrow: exp(a + w) ≤ exp(a)·(1 + 2w) for w ≤ 1. */
static void enclose_exponential(mpfi_ptr t)
{
    mpfr_t width;
    mpfr_init2(width, 64);
    mpfr_sub(width, &t->right, &t->left, MPFR_RNDU);
    if (mpfr_cmp_d(width, 0x1p-64) > 0) {
        mpfi_exp(t, t);
    } else {
        mpfr_exp(&t->left, &t->left, MPFR_RNDD);
        mpfr_set(&t->right, &t->left, MPFR_RNDN);
        mpfr_nextabove(&t->right); /* exp of the left end, rounded up */
        mpfr_mul_2ui(width, width, 1, MPFR_RNDU);
        mpfr_mul(width, width, &t->right, MPFR_RNDU);
        mpfr_add(&t->right, &t->right, width, MPFR_RNDU);
    }
    mpfr_clear(width);
}

/* Encloses (x/lead)^p for x > 0. A term below MPFR's least positive number is enclosed by 0 and this
 * number. */
static void enclose_term(mpfi_ptr t, double x, double lead, mpfi_srcptr log_lead, double p)
{
    bool whole = is_whole(p);
    if (!whole && !is_half_whole(p)) {
        enclose_logarithm(t, x);
        mpfi_sub(t, t, log_lead);
        mpfi_mul_d(t, t, p);
        enclose_exponential(t);
        return;
    }
    mpfi_set_d(t, x);
    mpfi_div_d(t, t, lead);
    if (p < 0) {
        mpfi_inv(t, t);
    }
    if (!whole) {
        mpfi_sqrt(t, t);
    }
    enclose_power(t, (unsigned long)fabs(whole ? p : 2 * p));
}

/* S ← S^(1/p) of S ≥ 1. */
static void enclose_inverse_power(mpfi_ptr sum, double p)
{
    if (is_half_whole(p)) { /* the square of the root of order 2p */
        bool whole = p == floor(p);
        enclose_root(sum, (unsigned long)fabs(whole ? p : 2 * p));
        if (!whole) {
            enclose_power(sum, 2);
        }
        if (p < 0) {
            mpfi_inv(sum, sum);
        }
        return;
    }
    mpfi_log(sum, sum);
    mpfi_div_d(sum, sum, p);
    mpfi_exp(sum, sum);
}

/* Encloses lead·S^(1/p). Terms of elements equal to lead are exactly 1, so that S = 1 gives the exact norm
 * lead. */
static void enclose_norm(void *user, mpfr_prec_t precision, mpfi_t out[])
{
    const struct problem *problem = user;
    mpfi_t sum, term, log_lead;
    mpfi_init2(sum, precision);
    mpfi_init2(term, precision);
    mpfi_init2(log_lead, precision);
    if (!is_whole(problem->p) && !is_half_whole(problem->p)) {
        enclose_logarithm(log_lead, problem->lead);
    }
    mpfi_set_ui(sum, 0);
    for (int64_t i = 0; i < problem->n; i++) {
        if (problem->x[i] == problem->lead) {
            mpfi_add_ui(sum, sum, 1);
        } else if (problem->x[i] != 0) {
            enclose_term(term, problem->x[i], problem->lead, log_lead, problem->p);
            mpfi_add(sum, sum, term);
        }
    }
    enclose_inverse_power(sum, problem->p);
    mpfi_mul_d(out[0], sum, problem->lead);
    mpfi_clear(sum);
    mpfi_clear(term);
    mpfi_clear(log_lead);
}

mpfr_prec_t power_norm_bits(const double *x, int64_t n, int p)
{
    int least = INT_MAX, greatest = INT_MIN, terms;
    for (int64_t i = 0; i < n; i++) {
        int e;
        if (x[i] != 0 && isfinite(x[i])) {
            frexp(x[i], &e);
            least = e < least ? e : least;
            greatest = e > greatest ? e : greatest;
        }
    }
    frexp((double)n, &terms);
    return least > greatest ? 2 : (mpfr_prec_t)p * (greatest - least + 53) + terms;
}

/* Sums of positive numbers in double, raised by more than their rounding errors (n < 2^20). */
void power_norm_describe(const double *x, int64_t n, double p, double *s)
{
    enum { BATCH = 64 };
    const double lead = lead_of(x, n, p), log_lead = portable_log2(lead), up = 1 + 0x1p-30;
    double sum = 0, plain = 0, relative = 0;
    for (int64_t first = 0; first < n; first += BATCH) {
        const int64_t count = n - first < BATCH ? n - first : BATCH;
        double log[BATCH], ratio[BATCH], share[BATCH], radius[BATCH];
        elementary_log2(x + first, log, radius, (size_t)count);
        for (int64_t i = 0; i < count; i++) {
            const double of = x[first + i];
            ratio[i] = of == lead ? 0 : of == 0 ? -INFINITY : log[i] - log_lead;
            share[i] = p * ratio[i];
        }
        elementary_exp2(share, share, radius, (size_t)count);
        for (int64_t i = 0; i < count; i++) {
            if (share[i] > 0) {
                sum += share[i];
                plain += share[i] * fabs(log[i]);
                relative += share[i] * fabs(ratio[i]);
            }
        }
    }
    s[POWER_NORM_PLAIN] = plain / sum * up;
    s[POWER_NORM_RELATIVE] = relative / sum * up;
    s[POWER_NORM_SUM] = portable_log2(sum) * up;
    s[POWER_NORM_LEAD] = log_lead;
}

bool power_norm_truth(const double *x, int64_t n, double p, struct value *value, double *s, int *bits,
                      struct error *error)
{
    struct problem problem = {.x = x, .n = n, .p = p, .lead = lead_of(x, n, p)};
    power_norm_describe(x, n, p, s);
    const double log_norm = s[POWER_NORM_LEAD] + s[POWER_NORM_SUM] / p;
    if (fabs(log_norm) > FAR) {
        *value = (struct value){.hi = 1, .exponent = log_norm > 0 ? FAR : -FAR};
        return true;
    }
    const struct ziv ziv = {.enclose = enclose_norm, .user = &problem, .count = 1};
    return ziv_refine(&ziv, value, bits, error);
}

/* --- bound
 *
 * Let t be |x| divided by a scale s, t^p = exp2(p·log2 t), S the sum of these powers, and y = s·S^(1/p). If
 * the error of each term is a factor exp(±ε), that of S is no greater, and that of y is exp(±ε/|p|): the root
 * divides by |p| the errors that the powers multiplied by |p|. So y is well conditioned in x for every p, and
 * large orders are the most accurate. To first order, relative to y:
 *
 *   terms   (E_pow(p, |p|·T) + h·u + lost)/|p|,  T = Σ share·|log2 t|
 *   root    E_pow(1/p, R) + ln2·R·2u,  R = |log2 S|/|p|; the second term is the rounding of 1/p
 *   scale   the quotient |x|/s, whose error is multiplied by p and divided by p again; the product with s
 *   p       if the accumulating dtype does not hold p: u·ln2·T of the terms, u·ln2·R of the root; not in
 *           float64, since p is a double, and rounding it to float32 there is an error
 *
 * each the greatest over three forms: unscaled (directly, if that does not leave the range, or by
 * logarithms); scaled by a power of two, which is exact and leaves the leading t in [1/2, 2] and its power
 * within 2^±|p|; or scaled by the leading element. Underflow loses at most η of each term, relative to a sum
 * of at least 2^-|p| or 1. A power of two is a safe scale only while this loss is below u, |p| ≤ log2(u/η)
 * (125 in float32), and while 2^|p|·S is in range; for greater |p| only the leading element is a legal scale,
 * and 2^|p| is omitted. */

/* A bound of the relative error of x^q if |q·log2 x| ≤ size. */
static double power_error(const struct bound_query *query, double u, double q, double size)
{
    enum primitives primitives = query->profile->primitives;
    if (primitives != PRIMITIVES_VULKAN && primitives != PRIMITIVES_OPENCL) {
        enum dtype type = query->profile->accumulate[query->truth->output[0].dtype];
        return primitives_ulps(primitives, PRIMITIVE_POW, type) * 2 * u;
    }
    /* log2: 3 ulp, or 4 times an ulp of 1 on [1/2, 2]; the product; exp2: 3 + 2|argument| ulp. */
    double logarithm = 3 * 2 * u * size + fabs(q) * 8 * u, argument = logarithm + 2 * u * size;
    return M_LN2 * argument + (3 + 2 * size) * 2 * u;
}

double power_norm_bound(const struct bound_query *query, const double *s, double p, double h)
{
    const struct profile *profile = query->profile;
    const enum dtype dtype = query->truth->output[0].dtype, accumulate = profile->accumulate[dtype];
    const double u = profile_accumulate_roundoff(profile, dtype), order = fabs(p);
    const double eta = profile_underflow_unit(profile, accumulate);
    const bool two =
        order <= portable_log2(u / eta) && order + s[POWER_NORM_SUM] <= dtype_info(accumulate)->emax;
    const double margin = two ? 1 : 0, log_norm = s[POWER_NORM_LEAD] + s[POWER_NORM_SUM] / p;
    const double term_log = fmax(s[POWER_NORM_PLAIN], s[POWER_NORM_RELATIVE] + margin);
    const double root_log = fmax(fabs(log_norm), s[POWER_NORM_SUM] / order + margin);
    const double unheld = dtype_holds(accumulate, p) ? 0 : u;
    const double lost = s[POWER_NORM_TERMS] * eta * (two ? portable_exp2(order) : 1);
    const double terms = (power_error(query, u, p, order * term_log) + h * u + lost) / order;
    const double root = power_error(query, u, 1 / p, root_log) + M_LN2 * root_log * 2 * u;
    const double scale = profile_divide_error(profile, accumulate, 1) + u;
    const double error = terms + root + scale + unheld * M_LN2 * (term_log + root_log);
    const double y = value_approximately(&query->truth->output[0].value[query->element]);
    /* For small orders the error is a factor; the norm overflows even if it is divided by this factor. */
    if (log_norm - error / M_LN2 > dtype_info(dtype)->emax + 1) {
        return 0;
    }
    if (isinf(y) &&
        isfinite(error)) { /* y overflows; one that may still round into the range is near DBL_MAX */
        return portable_above(elementary_expm1, error) * portable_above(elementary_exp, error) * DBL_MAX;
    }
    return y == 0 ? eta : portable_above(elementary_expm1, error) * y + eta;
}
