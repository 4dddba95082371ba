/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* vector_norm: (Σ|x|^p)^(1/p) over the dimensions `dim` (absent: all); matrix_norm: the Frobenius norm and
 * the norms of order ±1 and ±inf over the last two dimensions.
 *
 * Definition: PyTorch torch.linalg.vector_norm(x, ord=2, dim=None, keepdim=False), torch.linalg.matrix_norm;
 * here a matrix_norm without `ord` is the Frobenius norm. p = 0 counts the nonzero elements, including NaN;
 * inf is the greatest and −inf the least |x|. For other p and for ±inf, a NaN makes the norm NaN. An empty
 * reduction is 0, and must be rejected for p < 0 and ±inf, which have no identity. No intermediate may leave
 * the range (rule 6).
 *
 * Truth: for p = 1 … 4, Σ|x|^p exactly, and its root enclosed on the precision ladder; else power_norm.h.
 *
 * Error bound, if the reduction of n terms has a relative error of h·u: h·u·y for p = 1; (h/2 + 1 +
 * c_sqrt)·u·y for p = 2; for other p see power_norm.c. h = n − 1 if the order is not declared; the declared
 * trees (64 to 128 terms in sequence, a tree, and at most the same again for the partial results) have h <
 * 256 + n/2^17. */

#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/exact/power_sum.h"
#include "reference/operator/reduction.h"
#include "reference/operator/ziv.h"
#include "reference/ops/norm/norm_envelope.h"
#include "reference/ops/norm/power_norm.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

enum { VECTOR, MATRIX };

static bool is_matrix(const struct op *op)
{
    return op->variant == MATRIX;
}

static bool is_frobenius(const struct op *op, const struct attributes *attributes)
{
    return is_matrix(op) && isnan(attributes_real(attributes, "ord", NAN));
}

/* The order p of the norm; 2 if the call omits it. */
static double order_of(const struct attributes *attributes)
{
    return attributes_real(attributes, "ord", 2);
}

/* Sets bit d of *mask if dimension d is reduced. False if `dim` has a dimension out of range or twice. */
static bool reduced_dimensions(const struct op *op, const struct attributes *attributes, int rank,
                               unsigned *mask)
{
    *mask = 0;
    if (is_matrix(op)) {
        *mask = 3U << (rank - 2);
        return true;
    }
    const struct integers *dim = attributes_integers(attributes, "dim");
    for (int k = 0; dim && k < dim->count; k++) {
        int64_t d = dim->item[k] < 0 ? dim->item[k] + rank : dim->item[k];
        if (d < 0 || d >= rank || *mask >> d & 1) {
            return false;
        }
        *mask |= 1U << d;
    }
    *mask = dim && dim->count ? *mask : (1U << rank) - 1;
    return true;
}

/* True if the reduction is empty and its order has no identity. */
static bool lacks_identity(const struct op *op, double p, unsigned mask, const struct shape *shape)
{
    if (is_matrix(op)) {
        return shape->dim[shape->rank - (isinf(p) ? 2 : 1)] == 0; /* ±inf: the greatest row sum */
    }
    bool empty = false;
    for (int d = 0; d < shape->rank; d++) {
        empty = empty || ((mask >> d & 1) && shape->dim[d] == 0);
    }
    return empty && (p < 0 || isinf(p));
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = &operands->input[0];
    double p = order_of(operands->attributes);
    bool frobenius = is_frobenius(op, operands->attributes);
    unsigned mask;
    *out = (struct op_signature){.outputs = 1};
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (is_matrix(op) && x->shape.rank < 2) {
        return error_set(reason, "%s: needs at least two dimensions", op->name);
    }
    if (isnan(p) || (is_matrix(op) && !frobenius && fabs(p) != 1 && !isinf(p))) {
        return error_set(reason, "%s: order %g is not supported", op->name, p);
    }
    if (!reduced_dimensions(op, operands->attributes, x->shape.rank, &mask)) {
        return error_set(reason, "%s: a dimension out of range, or named twice", op->name);
    }
    if (!frobenius && lacks_identity(op, p, mask, &x->shape)) {
        return error_set(reason, "%s: order %g has no identity, and there is nothing to reduce", op->name, p);
    }
    bool keep = attributes_integer(operands->attributes, "keepdim", 0) != 0;
    out->output[0].dtype = x->dtype;
    for (int d = 0; d < x->shape.rank; d++) {
        bool reduced = mask >> d & 1;
        if (!reduced || keep) {
            out->output[0].shape.dim[out->output[0].shape.rank++] = reduced ? 1 : x->shape.dim[d];
        }
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return POWER_NORM_SENSITIVITIES;
}

/* --- one norm */

struct whole_power {
    int p;
    mpfr_t sum;
};

static void enclose_root(void *user, mpfr_prec_t precision, mpfi_t out[])
{
    const struct whole_power *power = user;
    (void)precision;
    mpfr_rootn_ui(&out[0]->left, power->sum, (unsigned long)power->p, MPFR_RNDD);
    mpfr_rootn_ui(&out[0]->right, power->sum, (unsigned long)power->p, MPFR_RNDU);
}

static bool finite_norm(const double *x, int64_t n, double p, struct value *value, double *s, int *bits,
                        struct error *error)
{
    if (p < 1 || p > POWER_SUM_MOST || p != floor(p)) {
        return power_norm_truth(x, n, p, value, s, bits, error);
    }
    if (p > 2) {
        power_norm_describe(x, n, p, s);
    }
    struct whole_power power = {.p = (int)p};
    struct ziv ziv = {.enclose = enclose_root, .user = &power, .count = 1};
    mpfr_init2(power.sum, power_norm_bits(x, n, power.p));
    power_sum(x, n, 1, power.p, power.sum);
    bool good = ziv_refine(&ziv, value, bits, error);
    mpfr_clear(power.sum);
    return good;
}

/* Computes the norm of n magnitudes; overwrites x. */
static bool one_norm(double *x, int64_t n, double p, struct value *value, double *s, int *bits,
                     struct error *error)
{
    double least = INFINITY, greatest = 0, nonzero = 0;
    bool nan = false;
    int64_t finite = 0;
    s[POWER_NORM_TERMS] = (double)n;
    for (int64_t i = 0; i < n; i++) {
        nan = nan || isnan(x[i]);
        nonzero += x[i] != 0;
        least = fmin(least, x[i]);
        greatest = fmax(greatest, x[i]);
        if (isfinite(x[i])) {
            x[finite++] = x[i];
        }
    }
    double special = p == 0 ? nonzero : nan ? NAN : isinf(p) ? p > 0 ? greatest : least : -1;
    if (special == -1 && (p > 0 ? isinf(greatest) || greatest == 0 : least == 0 || isinf(least))) {
        special = p > 0 ? greatest : least; /* a 0 or an infinity decides, or all elements are such */
    }
    if (special != -1) {
        *value = value_of(special);
        return true;
    }
    return finite_norm(x, finite, p, value, s, bits, error); /* p < 0: an infinity adds 0 */
}

/* ±1: sums of columns, ±inf: sums of rows; the greatest or the least of them. */
static void extreme_sum(double *x, int64_t rows, int64_t columns, double p, struct value *value, double *s,
                        int *bits)
{
    bool by_column = fabs(p) == 1, nan = false;
    int64_t sums = by_column ? columns : rows, terms = by_column ? rows : columns;
    mpfr_t best, sum;
    mpfr_inits2(power_norm_bits(x, rows * columns, 1), best, sum, (mpfr_ptr)0);
    for (int64_t k = 0; k < sums; k++) {
        power_sum(by_column ? x + k : x + k * columns, terms, by_column ? columns : 1, 1, sum);
        nan = nan || mpfr_nan_p(sum);
        if (k == 0 || (p > 0 ? mpfr_greater_p(sum, best) : mpfr_less_p(sum, best))) {
            mpfr_set(best, sum, MPFR_RNDN);
        }
    }
    *value = nan ? value_of(NAN) : value_from_mpfr(best, true);
    *bits = !value->exact && ZIV_TARGET_BITS < *bits ? ZIV_TARGET_BITS : *bits; /* dd: 106 bits */
    s[POWER_NORM_TERMS] = (double)terms;
    mpfr_clears(best, sum, (mpfr_ptr)0);
}

/* The envelope of element o, whose magnitudes x are finite. */
static bool surround(const double *x, int64_t n, double p, struct truth_output *out, int64_t o)
{
    double y = value_approximately(&out->value[o]);
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return true;
        }
    }
    return !isfinite(y) || norm_envelope(x, n, p, out->dtype, y, o, &out->envelope[o]);
}

/* The same for ±1 and ±inf: the envelope of the column or row whose sum is the norm. */
static bool surround_extreme(const double *x, int64_t rows, int64_t columns, double p,
                             struct truth_output *out, int64_t o)
{
    bool by_column = fabs(p) == 1;
    int64_t sums = by_column ? columns : rows, terms = by_column ? rows : columns, nearest = 0;
    double y = value_approximately(&out->value[o]), least = INFINITY;
    double *term = malloc(((size_t)terms + 1) * sizeof *term);
    for (int64_t k = 0; k < sums; k++) {
        double sum = 0;
        for (int64_t i = 0; i < terms; i++) {
            sum += by_column ? x[i * columns + k] : x[k * columns + i];
        }
        nearest = fabs(sum - y) < least ? k : nearest;
        least = fabs(sum - y) < least ? fabs(sum - y) : least;
    }
    for (int64_t i = 0; term && sums && i < terms; i++) {
        term[i] = by_column ? x[i * columns + nearest] : x[nearest * columns + i];
    }
    bool good = term && surround(term, sums ? terms : 0, 1, out, o);
    free(term);
    return good;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct tensor *input = &call->input[0];
    const struct shape *shape = &input->shape;
    struct truth_output *out = &truth->output[0];
    double p = order_of(call->attributes);
    bool sums = is_matrix(call->op) && !is_frobenius(call->op, call->attributes);
    unsigned mask;
    struct reduction r = {.term = NULL};
    bool good = reduced_dimensions(call->op, call->attributes, shape->rank, &mask) &&
                reduction_create(&r, shape, mask);
    double *x = good ? malloc(((size_t)r.terms + 1) * sizeof *x) : NULL;
    good = (x && truth_output_envelope(out)) || error_set(error, "%s: out of memory", call->op->name);
    for (int64_t o = 0; good && o < out->elements; o++) {
        double *s = &out->sensitivity[o * POWER_NORM_SENSITIVITIES];
        for (int64_t k = 0; k < r.terms; k++) {
            x[k] = fabs(tensor_component(input, r.base[o] + r.term[k]));
        }
        if (sums) {
            int64_t rows = shape->dim[shape->rank - 2], columns = shape->dim[shape->rank - 1];
            extreme_sum(x, rows, columns, p, &out->value[o], s, &truth->bits);
            good = surround_extreme(x, rows, columns, p, out, o);
        } else {
            good = one_norm(x, r.terms, p, &out->value[o], s, &truth->bits, error) &&
                   surround(x, r.terms, p, out, o);
        }
    }
    free(x);
    reduction_clear(&r);
    return good;
}

/* --- bound */

static double bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *s = &out->sensitivity[query->element * POWER_NORM_SENSITIVITIES];
    const struct value *value = &out->value[query->element];
    bool sums = is_matrix(query->op) && !is_frobenius(query->op, query->attributes);
    double p = sums ? 1 : order_of(query->attributes), y = value_approximately(value);
    if (value->class != VALUE_FINITE || value->hi == 0 || isinf(p)) {
        return 0;
    }
    y = fmin(y, DBL_MAX); /* a norm beyond double that may still round into the range is near DBL_MAX */
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double u = profile_accumulate_roundoff(query->profile, out->dtype), n = s[POWER_NORM_TERMS];
    double h = summation_depth(profile_summation(query->profile, query->op->name), n);
    h = h < 0 ? fmin(n - 1, 256 + n * 0x1p-17) : h; /* of assay's own tree */
    double eta = profile_underflow_unit(query->profile, accumulate);
    double lost = n * eta; /* relative to a scaled sum, which is at least 1 */
    if (p == 0) {
        return n * u < 0.5 ? 0 : h * u * y;
    }
    if (query->exact) {
        h = 0;
    }
    bool tiny = y < 2 * dtype_least_normal(accumulate); /* a partial sum, or the result, may be flushed */
    bool flushed = tiny && query->profile->subnormals[accumulate] == SUBNORMALS_MAY_FLUSH;
    if (p == 1) {
        return h * u * y + (flushed ? eta : 0);
    }
    if (p == 2) {
        return (0.5 * (h + 2) * u + lost) * y + profile_sqrt_error(query->profile, accumulate, y);
    }
    return power_norm_bound(query, s, p, h);
}

/* The primitive error: the error bound without the rounding of sums. */
static double primitive_error(const struct bound_query *query)
{
    struct bound_query exact = *query;
    exact.exact = true;
    return bound(&exact);
}

/* True if the sum of powers y^p of the naive form, without scaling, overflows or loses digits by
 * underflow. */
static bool naive_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    bool sums = is_matrix(query->op) && !is_frobenius(query->op, query->attributes);
    double p = sums ? 1 : order_of(query->attributes),
           n = out->sensitivity[query->element * POWER_NORM_SENSITIVITIES];
    if (value->class != VALUE_FINITE || value->hi == 0 || p == 0 || p == 1 || isinf(p)) {
        return false;
    }
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double u = profile_unit_roundoff(query->profile, accumulate);
    double power = p * (portable_log2(fabs(value->hi)) + value->exponent);
    double most = portable_log2(dtype_max(accumulate)); /* 1024 of float64: its greatest number rounds up */
    return power >= most ||
           power + portable_log2(u) < portable_log2(n * profile_underflow_unit(query->profile, accumulate));
}

static const struct op ops[] = {
    {.family = "norm",
     .name = "vector_norm",
     .variant = VECTOR,
     .operands = {{"x", OPERAND_READ}},
     .outputs = 1,
     .attributes = {{"ord", ATTRIBUTE_REAL}, {"dim", ATTRIBUTE_INTEGERS}, {"keepdim", ATTRIBUTE_BOOL}},
     .defaults = {{"ord", DEFAULT_VALUE, 2}, {"keepdim", DEFAULT_VALUE, 0}},
     .dtypes = DTYPES,
     .costly = true,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .bound = bound,
     .primitive_error = primitive_error,
     .naive_may_overflow = naive_may_overflow,
     .naive_by_word = true},
    {.family = "norm",
     .name = "matrix_norm",
     .variant = MATRIX,
     .operands = {{"A", OPERAND_READ}},
     .outputs = 1,
     .attributes = {{"ord", ATTRIBUTE_REAL}, {"keepdim", ATTRIBUTE_BOOL}},
     .defaults = {{"keepdim", DEFAULT_VALUE, 0}},
     .dtypes = DTYPES,
     .costly = true,
     .signature = signature,
     .truth = truth,
     .sensitivities = sensitivities,
     .bound = bound,
     .primitive_error = primitive_error,
     .naive_may_overflow = naive_may_overflow,
     .naive_by_word = true},
};

const struct op_set op_set_vector_norm = {.op = ops, .count = sizeof ops / sizeof *ops};
