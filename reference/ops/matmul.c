/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* matmul [a, b], linear [input, weight, bias?], and both under autocast.
 *
 * Definition: PyTorch torch.matmul (batches broadcast, a vector is a row on the left and a column on the
 * right) and torch.nn.functional.linear: input·weightᵀ + bias. autocast_matmul and autocast_linear are the
 * same calls inside torch.autocast: every operand but float64 is cast to the type that the attribute `dtype`
 * names, which is then the result's; float64 operands stay. `dtype` counts as ONNX's TensorProto.DataType
 * does: 10 is float16, 16 is bfloat16.
 *
 * Truth: exact sums of products of the operands, after a cast that rounds to nearest even.
 *
 * Bound: profile_sum_error(r)·(|A||B| + |bias|) with r = h + 1, one more with bias. h = K − 1 for any order;
 * assay's own holds h ≤ 127 + ⌈K/128⌉: blocks of 128. Each product and each sum may underflow. Where the
 * direction of rounding is open, the cast may give the other neighbour of a factor that it rounds, also where
 * the sum itself is exact; where its subnormals may be flushed, terms with one may be lost.
 *
 * Where products or partial sums may leave the range, NaN and the infinities are accepted, unless every term
 * has one sign: the infinity of that sign then, or the sum.
 *
 * A product that the profile declares fast (Strassen's, or Winograd's form, whose constant is the greater) is
 * bounded normwise: after l levels down to blocks of n0, 18^l·(n0² + 6·n0)·u·max|A|·max|B| (Higham, §23.2.2),
 * and a NaN or an infinity in either operand may reach every element. */

#include "reference/matmul.h"
#include "reference/ladder.h"
#include "reference/upward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

/* Of each element: K, |A||B| + |bias|, the part of it whose factors are subnormal after the cast, whether
 * there is a bias, whether the cast can make an infinity of a finite factor, what the cast's other
 * neighbours of the factors would change, whether all terms that are not zero have one sign; of the two
 * matrices max|A|·max|B| over what is finite, and whether not all is. */
enum {
    TERMS,
    MAGNITUDE,
    SUBNORMAL,
    BIAS,
    CAST_INFINITE,
    CAST_OTHER,
    ONE_SIGN,
    GREATEST,
    HAS_SPECIAL,
    SENSITIVITIES
};

/* Any sum of 2^40 products of two float32, or of two float64; 2 · 53 for a product. */
enum { NARROW_BITS = 640, WIDE_BITS = 4352, PRODUCT_BITS = 106, BLOCK = 128 };

enum dtype matmul_autocast_dtype(const struct attributes *attributes)
{
    int64_t code = attributes_integer(attributes, "dtype", 0);
    return code == ONNX_FLOAT16 ? DTYPE_FLOAT16 : code == ONNX_BFLOAT16 ? DTYPE_BFLOAT16 : DTYPE_COUNT;
}

static bool is_linear(const struct op *op)
{
    return op->inputs_max == 3;
}

static bool is_autocast(const struct op *op)
{
    return op->attributes[0].name != NULL;
}

/* The type in which an operand takes part. */
static enum dtype taken_as(const struct op *op, const struct attributes *attributes, enum dtype dtype)
{
    return is_autocast(op) && dtype != DTYPE_FLOAT64 ? matmul_autocast_dtype(attributes) : dtype;
}

struct product {
    int64_t m, n, k;
    struct shape a, b, all; /* batch dimensions: of either operand, and broadcast together */
    struct shape result;
};

static bool broadcast_together(const struct shape *a, const struct shape *b, struct shape *all)
{
    all->rank = a->rank > b->rank ? a->rank : b->rank;
    for (int d = 1; d <= all->rank; d++) {
        int64_t x = d <= a->rank ? a->dim[a->rank - d] : 1, y = d <= b->rank ? b->dim[b->rank - d] : 1;
        if (x != y && x != 1 && y != 1) {
            return false;
        }
        all->dim[all->rank - d] = x == 1 ? y : x;
    }
    return true;
}

/* False where the shapes of a and b (of input and weight) make no product. */
static bool product_of(bool linear, const struct shape *a, const struct shape *b, struct product *p)
{
    *p = (struct product){.m = 1, .n = 1};
    if (a->rank == 0 || b->rank == 0 || (linear && b->rank != 2)) {
        return false;
    }
    int kb = linear ? 1 : b->rank == 1 ? 0 : b->rank - 2;
    p->k = a->dim[a->rank - 1];
    p->m = a->rank > 1 ? a->dim[a->rank - 2] : 1;
    p->n = b->rank > 1 ? b->dim[linear ? 0 : b->rank - 1] : 1;
    p->a.rank = a->rank > 2 ? a->rank - 2 : 0;
    p->b.rank = b->rank > 2 ? b->rank - 2 : 0;
    memcpy(p->a.dim, a->dim, sizeof p->a.dim);
    memcpy(p->b.dim, b->dim, sizeof p->b.dim);
    if (p->k != b->dim[kb] || !broadcast_together(&p->a, &p->b, &p->all)) {
        return false;
    }
    p->result = p->all;
    if (a->rank > 1) {
        p->result.dim[p->result.rank++] = p->m;
    }
    if (b->rank > 1) {
        p->result.dim[p->result.rank++] = p->n;
    }
    return true;
}

static bool has_bias(int inputs, const struct view *input)
{
    return inputs > 2 && input[2].storage >= 0;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *input = operands->input;
    bool bias = has_bias(operands->inputs, input);
    if (is_autocast(op) && matmul_autocast_dtype(operands->attributes) == DTYPE_COUNT) {
        return error_set(reason, "%s: dtype must be 10 (float16) or 16 (bfloat16)", op->name);
    }
    enum dtype dtype = taken_as(op, operands->attributes, input[0].dtype);
    for (int i = 0; i < (bias ? 3 : 2); i++) {
        if (!(op->dtypes >> input[i].dtype & 1)) {
            return error_set(reason, "%s: dtype %s is not supported", op->name,
                             dtype_info(input[i].dtype)->name);
        }
        if (taken_as(op, operands->attributes, input[i].dtype) != dtype) {
            return error_set(reason, "%s: input %d is %s beside %s", op->name, i,
                             dtype_info(input[i].dtype)->name, dtype_info(input[0].dtype)->name);
        }
    }
    struct product p;
    if (!product_of(is_linear(op), &input[0].shape, &input[1].shape, &p)) {
        char a[128], b[128];
        shape_print(&input[0].shape, a, sizeof a);
        shape_print(&input[1].shape, b, sizeof b);
        return error_set(reason, "%s: shapes %s and %s cannot be multiplied; expected are %s", op->name, a, b,
                         is_linear(op) ? "[…, k] and [n, k]"
                                       : "[…, m, k] and […, k, n], or a vector [k] for either");
    }
    if (bias && (input[2].shape.rank != 1 || input[2].shape.dim[0] != p.n)) {
        return error_set(reason, "%s: bias must be [%lld], as many as weight has rows", op->name,
                         (long long)p.n);
    }
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = dtype;
    out->output[0].shape = p.result;
    return true;
}

enum { SUBNORMAL_FACTOR = 1, CAST_OVERFLOWED = 2 };

/* One operand after the cast, and how far the neighbour on the other side of what was cast lies. */
struct factor {
    double *x, *other;
    unsigned char *flags;
};

/* From the neighbour that rounding to nearest gave to the other one; 0 where the cast is exact. */
static double distance_to_other(enum dtype dtype, double before, double after)
{
    return before == after || !isfinite(before) || isinf(after) ? 0 : dtype_ulp(dtype, before);
}

static bool factor_create(struct factor *factor, const struct tensor *tensor, enum dtype dtype)
{
    int64_t count = shape_elements(&tensor->shape);
    factor->x = malloc(((size_t)count + 1) * sizeof *factor->x);
    factor->other = malloc(((size_t)count + 1) * sizeof *factor->other);
    factor->flags = malloc(((size_t)count + 1) * sizeof *factor->flags);
    for (int64_t i = 0; factor->x && factor->other && factor->flags && i < count; i++) {
        unsigned char bytes[8];
        double before = tensor_component(tensor, i);
        dtype_store(dtype, bytes, before);
        factor->x[i] = dtype_load(dtype, bytes);
        factor->other[i] = distance_to_other(dtype, before, factor->x[i]);
        factor->flags[i] =
            (unsigned char)((dtype_is_subnormal(dtype, bytes) ? SUBNORMAL_FACTOR : 0) |
                            (isfinite(before) && fabs(before) > dtype_max(dtype) ? CAST_OVERFLOWED : 0));
    }
    return factor->x && factor->other && factor->flags;
}

static void factor_clear(struct factor *factor)
{
    free(factor->x);
    free(factor->other);
    free(factor->flags);
}

/* Greatest finite magnitude of `count` elements; *special where there is another. */
static double greatest_of(const struct factor *factor, int64_t from, int64_t count, bool *special)
{
    double greatest = 0;
    for (int64_t i = from; i < from + count; i++) {
        bool finite = isfinite(factor->x[i]);
        greatest = finite ? fmax(greatest, fabs(factor->x[i])) : greatest;
        *special = *special || !finite;
    }
    return greatest;
}

struct sum {
    mpfr_t exact, term;
    double special, magnitude, subnormal, cast_other;
    bool wide, cast_infinite, positive, negative;
};

static void sum_start(struct sum *s)
{
    mpfr_set_zero(s->exact, 1);
    s->special = s->magnitude = s->subnormal = s->cast_other = 0;
    s->cast_infinite = s->positive = s->negative = false;
}

/* Adds a·b; p and q: distances to the casts' other neighbours. */
static void sum_add(struct sum *s, double a, double b, double p, double q, int flags)
{
    s->cast_infinite = s->cast_infinite || (flags & CAST_OVERFLOWED);
    if ((a != 0 || p > 0) && (b != 0 || q > 0)) {
        s->positive = s->positive || signbit(a) == signbit(b);
        s->negative = s->negative || signbit(a) != signbit(b);
    }
    if (!isfinite(a) || !isfinite(b)) {
        s->special += a * b; /* 0 · inf and inf − inf are NaN, as in IEEE 754 */
        return;
    }
    double magnitude = s->wide ? upward_product(fabs(a), fabs(b)) : fabs(a * b); /* float32: exact */
    s->magnitude = upward_sum(s->magnitude, magnitude);
    if (flags & SUBNORMAL_FACTOR) {
        s->subnormal = upward_sum(s->subnormal, magnitude);
    }
    if (p > 0 || q > 0) { /* (|a| + p)(|b| + q) − |a||b|: powers of two times numbers of the lower type */
        s->cast_other = upward_sum(s->cast_other, upward_sum(upward_sum(fabs(a) * q, fabs(b) * p), p * q));
    }
    if (!s->wide) {
        mpfr_add_d(s->exact, s->exact, a * b, MPFR_RNDN);
    } else if (a != 0 && b != 0) {
        mpfr_set_d(s->term, a, MPFR_RNDN);
        mpfr_mul_d(s->term, s->term, b, MPFR_RNDN);
        mpfr_add(s->exact, s->exact, s->term, MPFR_RNDN);
    }
}

static struct value sum_value(const struct sum *s, int64_t terms, bool bias, double *sensitivity, int *bits)
{
    sensitivity[TERMS] = (double)terms;
    sensitivity[MAGNITUDE] = s->magnitude;
    sensitivity[SUBNORMAL] = s->subnormal;
    sensitivity[BIAS] = bias;
    sensitivity[CAST_INFINITE] = s->cast_infinite;
    sensitivity[CAST_OTHER] = s->cast_other;
    sensitivity[ONE_SIGN] = !(s->positive && s->negative);
    if (s->special != 0) { /* infinite or NaN */
        return value_of(s->special);
    }
    struct value value = value_from_mpfr(s->exact, true);
    if (!value.exact && LADDER_TARGET_BITS < *bits) {
        *bits = LADDER_TARGET_BITS; /* a pair holds 106 */
    }
    return value;
}

/* The envelope of one element; its products, and the bias behind them, are in `term`. */
static void surround(const struct product *p, bool bias, double *term, struct truth_output *out, int64_t e)
{
    struct envelope *envelope = &out->envelope[e];
    struct envelope_sum sum;
    double u[ENVELOPE_WIDTHS];
    envelope_widths(out->dtype, u);
    if (bias) {
        envelope_sum_started(term, p->k + 1, u, &sum);
    } else {
        envelope_sum(term, p->k, u, &sum);
    }
    envelope->spread = envelope_join(sum.order, sum.squares);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        envelope->drift[k] = sum.drift[k];
    }
    envelope_alone(envelope, e, sum.total);
}

static void fill(const struct product *p, bool linear, const struct factor factor[3], struct sum *s,
                 double *term, struct truth *truth)
{
    struct truth_output *out = &truth->output[0];
    const struct factor *a = &factor[0], *b = &factor[1], *bias = &factor[2];
    int64_t along = linear ? 1 : p->n, across = linear ? p->k : 1;
    double greatest = 0;
    bool special = false;
    for (int64_t e = 0; e < out->elements; e++) {
        int64_t batch = e / (p->m * p->n), i = e / p->n % p->m, j = e % p->n;
        int64_t first = shape_broadcast_element(&p->a, &p->all, batch) * p->m * p->k;
        int64_t second = shape_broadcast_element(&p->b, &p->all, batch) * p->k * p->n;
        int64_t row = first + i * p->k, column = second + j * across;
        if (i == 0 && j == 0) {
            special = false;
            greatest = greatest_of(a, first, p->m * p->k, &special) *
                       greatest_of(b, second, p->k * p->n, &special) * (1 + 0x1p-52);
        }
        sum_start(s);
        for (int64_t k = 0; k < p->k; k++) {
            int64_t x = row + k, y = column + k * along;
            sum_add(s, a->x[x], b->x[y], a->other[x], b->other[y], a->flags[x] | b->flags[y]);
            term[k] = a->x[x] * b->x[y];
        }
        if (bias->x) {
            sum_add(s, bias->x[j], 1, bias->other[j], 0, bias->flags[j]);
            term[p->k] = bias->x[j];
        }
        surround(p, bias->x != NULL, term, out, e);
        out->value[e] =
            sum_value(s, p->k, bias->x != NULL, &out->sensitivity[e * SENSITIVITIES], &truth->bits);
        out->sensitivity[e * SENSITIVITIES + GREATEST] = greatest;
        out->sensitivity[e * SENSITIVITIES + HAS_SPECIAL] = special;
    }
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    enum dtype dtype = truth->output[0].dtype;
    struct factor factor[3] = {{.x = NULL}};
    struct product p;
    struct sum s = {.wide = dtype == DTYPE_FLOAT64};
    int factors = call->inputs > 2 && !tensor_absent(&call->input[2]) ? 3 : 2;
    bool good = product_of(is_linear(call->op), &call->input[0].shape, &call->input[1].shape, &p);
    for (int i = 0; i < factors; i++) {
        good = factor_create(&factor[i], &call->input[i], dtype) && good;
    }
    double *term = good ? malloc(((size_t)p.k + 1) * sizeof *term) : NULL;
    good = term && truth_output_envelope(&truth->output[0]);
    mpfr_init2(s.exact, s.wide ? WIDE_BITS : NARROW_BITS);
    mpfr_init2(s.term, PRODUCT_BITS);
    if (good) {
        fill(&p, is_linear(call->op), factor, &s, term, truth);
    }
    free(term);
    mpfr_clears(s.exact, s.term, (mpfr_ptr)0);
    for (int i = 0; i < 3; i++) {
        factor_clear(&factor[i]);
    }
    return good || error_set(error, "%s: out of memory", call->op->name);
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return SENSITIVITIES;
}

/* A sum of one sign twice beyond the range: the infinity, or MAX where rounding may be towards zero. */
static bool is_beyond(const struct value *value, const double *s, enum dtype accumulate)
{
    return s[ONE_SIGN] != 0 && fabs(ldexp(value->hi, value->exponent - 1)) > dtype_max(accumulate);
}

/* What a fast product makes of max|A|·max|B|: the greatest intermediate, and the normwise error in units of
 * u; 0 where products are classical. The halves of a block that is split are no smaller than the crossover.
 */
struct fast {
    double growth, error;
};

static struct fast fast_of(const struct bound_query *query, const double *s)
{
    int64_t crossover = profile_fast_crossover(query->profile, query->op->name);
    struct fast fast = {.growth = 0};
    if (crossover > 0) {
        double levels = fmax(0, floor(log2(s[TERMS] / (double)crossover)));
        double power = pow(18, levels), block = ceil(s[TERMS] / exp2(levels));
        fast.growth = power * block * s[GREATEST];
        fast.error = power * (block * block + 6 * block) * s[GREATEST];
    }
    return fast;
}

static double bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    const double *s = &out->sensitivity[query->element * SENSITIVITIES];
    const struct profile *profile = query->profile;
    struct fast fast = fast_of(query, s);
    if (value->class != VALUE_FINITE) {
        return 0;
    }
    enum dtype accumulate = profile->accumulate[out->dtype];
    double cast = profile->rounding[out->dtype] == ROUNDING_OPEN ? s[CAST_OTHER] : 0;
    double magnitude = s[MAGNITUDE] + cast;
    cast += profile_unit_roundoff(profile, out->dtype) * cast; /* the result is rounded with it */
    if ((magnitude == 0 && fast.growth == 0) ||
        (query->exact &&
         fmax(magnitude, fast.growth) <= ldexp(1, dtype_info(accumulate)->precision))) { /* integers */
        return cast;
    }
    double k = s[TERMS], h = summation_depth(profile_summation(profile, query->op->name), k);
    h = h < 0 ? fmin(k - 1, BLOCK - 1 + ceil(k / BLOCK)) : h;
    double relative = profile_sum_error(profile, out->dtype, h + 1 + s[BIAS]);
    if (isinf(s[MAGNITUDE]) && relative < 0.5 && is_beyond(value, s, accumulate)) {
        return 0;
    }
    double error = relative * magnitude + profile_accumulate_roundoff(profile, out->dtype) * fast.error +
                   (2 * k + 2) * profile_underflow_unit(profile, accumulate) + cast;
    if (profile_loses_subnormals(profile, out->dtype)) {
        error += s[SUBNORMAL];
    }
    return error;
}

/* What is not random: underflow of products and sums, operands taken for zeros. */
static double allowance(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *s = &out->sensitivity[query->element * SENSITIVITIES];
    double underflow =
        (2 * s[TERMS] + 2) * profile_underflow_unit(query->profile, query->profile->accumulate[out->dtype]);
    return underflow + (profile_loses_subnormals(query->profile, out->dtype) ? s[SUBNORMAL] : 0);
}

/* A product or a partial sum may leave the range where the whole does not; where all terms have one sign, the
 * whole does, too. A factor that the cast overflows is MAX where the direction of rounding is open. */
static bool escapes(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *s = &out->sensitivity[query->element * SENSITIVITIES];
    const struct value *value = &out->value[query->element];
    if (s[CAST_INFINITE] != 0 && query->profile->rounding[out->dtype] == ROUNDING_OPEN) {
        return true;
    }
    if (s[HAS_SPECIAL] != 0 && profile_fast_crossover(query->profile, query->op->name) > 0) {
        return true; /* sums of blocks take them everywhere */
    }
    if (fast_of(query, s).growth > dtype_max(query->profile->accumulate[out->dtype])) {
        return true;
    }
    return value->class != VALUE_NAN && s[ONE_SIGN] == 0 &&
           s[MAGNITUDE] + bound(query) > dtype_max(query->profile->accumulate[out->dtype]);
}

/* The sign of a zero depends on the order of summation. */
static void accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    accept_default(accept, out->dtype, query->profile, value, bound(query));
    for (int set = 0; value->class == VALUE_FINITE && value->hi == 0 && set < accept->sets; set++) {
        accept->set[set].component[0].zero = ZERO_ANY;
    }
}

#define OP(family_, name_, inputs_max_, attribute_)                                                          \
    {                                                                                                        \
        .family = family_, .name = name_, .inputs_min = 2, .inputs_max = inputs_max_, .outputs = 1,          \
        .attributes = {{attribute_, ATTRIBUTE_DTYPE}}, .dtypes = DTYPES, .costly = true,                     \
        .signature = signature, .truth = truth, .sensitivities = sensitivities, .bound = bound,              \
        .allowance = allowance, .escapes = escapes, .accept = accept                                         \
    }

static const struct op ops[] = {
    OP("linalg", "matmul", 2, NULL),
    OP("linalg", "linear", 3, NULL),
    OP("amp", "autocast_matmul", 2, "dtype"),
    OP("amp", "autocast_linear", 3, "dtype"),
};

const struct op_set op_set_matmul = {.op = ops, .count = sizeof ops / sizeof *ops};
