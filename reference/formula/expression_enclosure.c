/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Encloses an expression at any precision, and climbs the precision ladder for its elements. */

#include "reference/formula/expression_arbiter.h"
#include "reference/formula/expression_workspace.h"
#include "reference/operator/ziv.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { OTHERS_REFINED_AT = 4 * ZIV_START_BITS /* few numbers other than 0 are still open there */ };

bool expression_enclose(const struct expression *e, const struct expression_row *row, int64_t element,
                        mpfr_prec_t precision, mpfi_ptr out)
{
    struct arbiter w;
    bool good = arbiter_open(&w, e, row, precision);
    if (good) {
        mpfi_set_prec(out, precision);
        mpfi_set(out, arbiter_result(&w, element));
    }
    arbiter_close(&w);
    return good;
}

/* True if the enclosure lies beyond 2^±VALUE_FAR; *out is then that power with the truth's sign. */
static bool is_far(mpfi_srcptr x, struct value *out)
{
    bool negative = mpfr_sgn(&x->right) <= 0, point = mpfr_equal_p(&x->left, &x->right);
    mpfr_srcptr near = negative ? &x->right : &x->left, far = negative ? &x->left : &x->right;
    bool one_sign = !mpfi_nan_p(x) && !point && (mpfr_sgn(&x->left) >= 0 || negative);
    bool beyond = one_sign && mpfr_regular_p(near) && mpfr_get_exp(near) > VALUE_FAR;
    bool vanishes = one_sign && mpfr_regular_p(far) && mpfr_get_exp(far) < -VALUE_FAR;
    *out = (struct value){.hi = negative ? -1 : 1, .exponent = beyond ? VALUE_FAR : -VALUE_FAR};
    return beyond || vanishes;
}

/* Certifies open elements at one precision. Returns the number of elements that stay open. */
static int64_t refine_some(struct arbiter *w, bool *open, int64_t count, struct value *out, int *bits)
{
    int64_t left = 0;
    mpfr_t middle;
    mpfr_init2(middle, w->precision + 2);
    for (int64_t j = 0; j < count; j++) {
        if (!open[j]) {
            continue;
        }
        mpfi_srcptr result = arbiter_result(w, j);
        int certified = ziv_certified_bits(result);
        bool infinite = mpfr_inf_p(&result->left) && mpfr_equal_p(&result->left, &result->right);
        struct value far = value_of(NAN);
        bool done = infinite || w->nan[w->e->root] || is_far(result, &far);
        if (done) {
            out[j] = infinite ? value_of(mpfr_sgn(&result->left) < 0 ? -INFINITY : INFINITY) : far;
        } else if (certified >= ZIV_TARGET_BITS) {
            mpfi_mid(middle, result);
            out[j] = value_from_mpfr(middle, certified == INT_MAX);
            *bits = certified < *bits ? certified : *bits;
        }
        open[j] = !done && certified < ZIV_TARGET_BITS;
        left += open[j];
    }
    mpfr_clear(middle);
    return left;
}

/* True if an operand is infinite or NaN. */
static bool has_special(const struct arbiter *w)
{
    const struct expression *e = w->e;
    for (int k = 0; k < e->inputs; k++) {
        const bool each = e->input[k].role == EXPRESSION_ELEMENT;
        for (int64_t j = 0; j < (each ? w->row->n : 1); j++) {
            if (!isfinite(w->row->input[k][j])) {
                return true;
            }
        }
    }
    return false;
}

/* Decides elements that no precision certifies. Where an enclosure contains 0, elements that are exactly 0.
 * Where an infinite operand meets its opposite, or a number that may be 0: NaN and infinities are both right,
 * depending on the order of operations, so the value is open. Returns the number of elements that stay
 * open. */
static int64_t refine_others(struct arbiter *w, bool *open, int64_t count, struct value *out)
{
    int64_t left = 0;
    for (int64_t j = 0; j < count; j++) {
        const bool unbounded = mpfi_nan_p(arbiter_result(w, j)) || mpfi_inf_p(arbiter_result(w, j));
        if (open[j] && unbounded) {
            open[j] = !has_special(w);
            out[j] = value_of(NAN);
            out[j].open = !open[j];
        } else if (open[j] && mpfi_has_zero(arbiter_result(w, j)) && arbiter_is_zero(w, j)) {
            out[j] = value_of(0);
            open[j] = false;
        }
        left += open[j];
    }
    return left;
}

static bool climb(const struct expression *e, const struct expression_row *row, bool *open, int64_t count,
                  struct value *out, int *bits, struct error *error)
{
    int64_t left = 1;
    for (mpfr_prec_t p = ZIV_START_BITS; left > 0 && p <= ZIV_CAP_BITS; p *= 2) {
        struct arbiter w;
        bool good = arbiter_open(&w, e, row, p);
        left = good ? refine_some(&w, open, count, out, bits) : 0;
        if (left > 0 && p == OTHERS_REFINED_AT) {
            left = refine_others(&w, open, count, out);
        }
        arbiter_close(&w);
        if (!good) {
            return error_set(error, "out of memory");
        }
    }
    return left == 0 ||
           error_set(error, "the precision ladder reached its cap of %d bits without certifying %d",
                     ZIV_CAP_BITS, ZIV_TARGET_BITS);
}

bool expression_certify(struct expression_workspace *workspace, const struct expression_row *row,
                        const bool *wanted, struct value *out, int *bits, struct error *error)
{
    const struct expression *e = workspace->e;
    int64_t count = e->node[e->root].of_row ? 1 : row->n, left = 0;
    double *value = malloc(((size_t)count + 1) * sizeof *value),
           *radius = malloc(((size_t)count + 1) * sizeof *radius);
    bool *open = malloc((size_t)count + 1), good = value && radius && open;
    if (good) {
        expression_values(workspace, row, value, radius);
    }
    for (int64_t j = 0; good && j < count; j++) {
        bool asked = !wanted || wanted[j];
        open[j] = asked && radius[j] != 0;
        left += open[j];
        if (asked && radius[j] == 0) {
            out[j] = value_of(value[j]);
        }
    }
    if (!good) {
        error_set(error, "out of memory");
    }
    good = good && (left == 0 || climb(e, row, open, count, out, bits, error));
    free(value);
    free(radius);
    free(open);
    return good;
}
