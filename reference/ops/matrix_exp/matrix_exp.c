/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* matrix_exp: e^A of every matrix of a batch [..., n, n].
 *
 * Definition: PyTorch torch.linalg.matrix_exp. Truth and sensitivities: matrix_exponential.h.
 *
 * Error bound B: the greatest running bound of scaling and squaring over the scalings that a legal
 * implementation may choose, plus the truncated series. It is computed with the dtype's own u and is linear
 * in u to first order (R² is of second order), so that a profile with another u scales it. A wider
 * accumulating dtype does not reduce it, because the series may be truncated for the output dtype. The
 * denominator of the [13/13] approximant at its θ multiplies errors by e^‖X‖ (1.5·B for 1×1 matrices);
 * therefore the bound is at least 4·S of the envelope, which evaluates this approximant.
 *
 * A NaN in entry (p, q) makes every entry (i, j) NaN for which a walk i … p, q … j exists. Other entries do
 * not depend on it: their truth is that of A with this entry replaced by 0, and NaN is accepted as well,
 * since dense products spread it (0·NaN). An infinite entry: for n = 1, the result is e^inf = inf or e^-inf =
 * 0, or NaN; for n > 1, entries with such a walk may be NaN, an infinity or 0. If e^(A/2), or products of
 * both signs in the last squaring, leave the dtype's range, a dense algorithm computes inf − inf or 0·inf,
 * and NaN and both infinities are accepted besides the truth; if only products of the entry's own sign do,
 * the infinity of that sign. If |e^A| − B is beyond the range, no finite number is accepted. */

#include "reference/numeric/elementary/portable.h"
#include "reference/operator/op.h"
#include "reference/ops/matrix_exp/matrix_exp_envelope.h"
#include "reference/ops/matrix_exp/matrix_exponential.h"

#include <math.h>
#include <stdlib.h>

enum sensitivity {
    ROUNDING,        /* E for the dtype's u */
    UNDERFLOW_UNITS, /* units of η */
    PARTIAL,         /* log2 of the largest partial sum of the last squaring */
    OPPOSED,         /* log2 of the part of that sum whose sign may differ from the entry's */
    HUMP,            /* log2 of the largest entry of e^(A/2), e^(A/4), …, anywhere in the matrix */
    SPECIAL,         /* enum special */
    LOG2_ROUNDING,   /* log2 of ROUNDING, also if ROUNDING overflows or underflows */
    SENSITIVITIES
};
enum special { NONE, NEAR_SPECIAL, INFINITE };

enum { DTYPES = 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

/* Scaled norms ‖A/2^s‖₁ that implementations choose. The lower end is 0.5 in float32 and Taylor 12's θ in
 * float64; scaling to at most this norm gives a norm above half of it. The upper end is the θ of Padé 13 for
 * float64. In float32 it exceeds the θ of every degree in use (Padé 7: 3.93, Taylor 18: 3.01); Padé 13 at its
 * truncation θ of 11.2 would lose a factor e^‖A‖ in its denominator. */
static const struct matrix_exponential_scaling scaling_32 = {0.5, 5.3719}, scaling_64 = {0.29962, 5.3719};

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *a = &operands->input[0];
    if (!op_takes_square_matrices(op, operands, reason)) {
        return false;
    }
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = a->dtype;
    out->output[0].shape = a->shape;
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return SENSITIVITIES;
}

/* Marks the effect of the special entry `at`. Entries with a walk through it become NaN, with the kind NONE
 * if it is a NaN, else INFINITE; the others get the kind NEAR_SPECIAL unless they are NaN or marked
 * already. */
static void mark(int n, const bool *reach, int at, bool nan, struct value *value, double *s)
{
    for (int i = 0; i < n * n; i++) {
        double *kind = &s[i * SENSITIVITIES + SPECIAL];
        bool reached = reach[i / n * n + at / n] && reach[at % n * n + i % n];
        if (reached && nan) {
            value[i] = value_of(NAN);
            *kind = NONE;
        } else if (reached && !(value[i].class == VALUE_NAN && *kind == NONE)) {
            value[i] = value_of(NAN);
            *kind = INFINITE;
        } else if (!reached && *kind == NONE && value[i].class != VALUE_NAN) {
            *kind = NEAR_SPECIAL;
        }
    }
}

/* a: n² entries; finite, reach: room for n² entries each. */
static bool one_matrix(int n, const double *a, double *finite, bool *reach, enum dtype dtype,
                       struct value *value, double *s, int *bits, struct error *error)
{
    struct matrix_exponential e;
    for (int i = 0; i < n * n; i++) {
        finite[i] = isfinite(a[i]) ? a[i] : 0;
    }
    if (!matrix_exponential_compute(n, finite, dtype_unit_roundoff(dtype),
                                    dtype == DTYPE_FLOAT32 ? &scaling_32 : &scaling_64, &e, error)) {
        return false;
    }
    for (int i = 0; i < n * n; i++) {
        value[i] = e.value[i];
        double *to = &s[i * SENSITIVITIES];
        to[ROUNDING] = e.rounding[i];
        to[UNDERFLOW_UNITS] = e.underflow[i];
        to[PARTIAL] = e.overflow[i];
        to[OPPOSED] = e.opposed[i];
        to[HUMP] = e.log2_hump;
        to[SPECIAL] = NONE;
        to[LOG2_ROUNDING] = e.log2_rounding[i];
    }
    *bits = e.bits < *bits ? e.bits : *bits;
    matrix_exponential_clear(&e);
    if (n == 1 && isinf(a[0])) {
        value[0] = value_of(a[0] > 0 ? INFINITY : 0);
        s[SPECIAL] = NEAR_SPECIAL;
        return true;
    }
    matrix_reachability(n, a, reach);
    for (int i = 0; i < n * n; i++) {
        if (!isfinite(a[i])) {
            mark(n, reach, i, isnan(a[i]), value, s);
        }
    }
    return true;
}

static bool all_finite(const double *a, int64_t count)
{
    bool finite = true;
    for (int64_t i = 0; i < count; i++) {
        finite = finite && isfinite(a[i]);
    }
    return finite;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    const struct tensor *input = &call->input[0];
    struct truth_output *out = &truth->output[0];
    int n = (int)input->shape.dim[input->shape.rank - 1];
    int64_t size = (int64_t)n * n, batch = size ? out->elements / size : 0;
    double *a = malloc((2 * (size_t)size + 1) * sizeof *a);
    bool *reach = malloc((size_t)size + 1);
    bool good =
        (a && reach && truth_output_envelope(out)) || error_set(error, "%s: out of memory", call->op->name);
    for (int64_t m = 0; good && m < batch; m++) {
        for (int64_t i = 0; i < size; i++) {
            a[i] = tensor_component(input, m * size + i);
        }
        good = one_matrix(n, a, a + size, reach, input->dtype, &out->value[m * size],
                          &out->sensitivity[m * size * SENSITIVITIES], &truth->bits, error);
        if (good && all_finite(a, size) &&
            !matrix_exp_envelope(n, a, input->dtype, &out->value[m * size], m,
                                 &out->sensitivity[m * size * SENSITIVITIES] + ROUNDING, SENSITIVITIES,
                                 &out->envelope[m * size])) {
            good = error_set(error, "%s: out of memory", call->op->name);
        }
    }
    free(a);
    free(reach);
    return good;
}

static double bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *s = &out->sensitivity[query->element * SENSITIVITIES];
    if (query->exact || s[ROUNDING] == 0) { /* 0: entries across components, and the zero matrix: exact */
        return 0;
    }
    double u = profile_accumulate_roundoff(query->profile, out->dtype);
    double spread = out->envelope ? 4 * u * out->envelope[query->element].spread : 0,
           wider = fmax(1, u / dtype_unit_roundoff(out->dtype));
    return fmax(s[ROUNDING] * wider, isfinite(spread) ? spread : 0) +
           s[UNDERFLOW_UNITS] *
               profile_underflow_unit(query->profile, query->profile->accumulate[out->dtype]);
}

/* The primitive error: underflow of products. */
static double primitive_error(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    return out->sensitivity[query->element * SENSITIVITIES + UNDERFLOW_UNITS] *
           profile_underflow_unit(query->profile, query->profile->accumulate[out->dtype]);
}

/* True if |truth| − B exceeds the dtype's greatest number, so that no finite result is correct. Computed in
 * logarithms, because both may be beyond double's range; 2^-20 covers their rounding, u|truth|, and η, which
 * is far below u‖A‖₁‖e^A‖₁ here. */
static bool surely_overflows(const struct bound_query *query, double log2_truth)
{
    const struct truth_output *out = &query->truth->output[0];
    double u = profile_accumulate_roundoff(query->profile, out->dtype);
    double log2_bound = query->exact ? -INFINITY
                                     : out->sensitivity[query->element * SENSITIVITIES + LOG2_ROUNDING] +
                                           portable_log2(fmax(1, u / dtype_unit_roundoff(out->dtype)));
    double rest = 1 - portable_exp2(log2_bound - log2_truth + 0x1p-20) - 0x1p-20; /* NaN where B is unknown */
    return rest > 0 && log2_truth + portable_log2(rest) > portable_log2(dtype_max(out->dtype));
}

static void accept_matrix_exp(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *s = &out->sensitivity[query->element * SENSITIVITIES];
    const unsigned any = ACCEPT_NAN | ACCEPT_POSITIVE_INFINITY | ACCEPT_NEGATIVE_INFINITY;
    const struct value *value = &out->value[query->element];
    accept_default(accept, out->dtype, query->profile, value, bound(query));
    struct accept_set *set = &accept->set[0];
    set->component[0].zero = ZERO_ANY;                         /* the sum may cancel */
    set->radius = value->class == VALUE_NAN ? 0 : set->radius; /* nothing finite is accepted */
    if (s[SPECIAL] == INFINITE) {
        set->component[0].special = any;
        set->component[0].finite = true;
        set->component[0].centre = value_of(0);
        set->radius = 0;
        set->rule = RULE_OPERATOR;
    } else if (s[SPECIAL] == NEAR_SPECIAL) {
        set->component[0].special |= ACCEPT_NAN;
    } else if (value->class == VALUE_FINITE && !query->exact) {
        double limit = portable_log2(dtype_max(out->dtype)) - 0x1p-10;
        double log2_truth = portable_log2(fabs(value->hi)) + value->exponent;
        bool partial = s[PARTIAL] >= limit;
        if (surely_overflows(query, log2_truth)) {
            set->component[0].finite = false;
            set->component[0].special = value->hi > 0 ? ACCEPT_POSITIVE_INFINITY : ACCEPT_NEGATIVE_INFINITY;
            set->radius = 0;
        }
        if (s[HUMP] >= limit || (partial && s[OPPOSED] >= limit)) {
            set->component[0].special |= any;
        } else if (partial) {
            set->component[0].special |= value->hi > 0 ? ACCEPT_POSITIVE_INFINITY : ACCEPT_NEGATIVE_INFINITY;
        }
    }
}

static const struct op ops[] = {{.family = "linalg",
                                 .name = "matrix_exp",
                                 .operands = {{"A", OPERAND_READ}},
                                 .outputs = 1,
                                 .dtypes = DTYPES,
                                 .costly = true,
                                 .signature = signature,
                                 .truth = truth,
                                 .sensitivities = sensitivities,
                                 .bound = bound,
                                 .primitive_error = primitive_error,
                                 .accept = accept_matrix_exp}};

const struct op_set op_set_matrix_exp = {.op = ops, .count = 1};
