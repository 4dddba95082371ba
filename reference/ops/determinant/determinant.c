/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/determinant/determinant.h"
#include "reference/numeric/exact/exact_determinant.h"
#include "reference/operator/ziv.h"
#include "reference/ops/determinant/determinant_fixed.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A matrix of intervals during elimination. */
struct elimination {
    int n;
    mpfi_t *a; /* n×n row-major */
    int *row;  /* row[i]: where row i of the permuted matrix is stored */
    int sign;  /* of the permutation, then of the pivots so far */
};

static mpfi_ptr at(struct elimination *e, int i, int j)
{
    return e->a[e->row[i] * e->n + j];
}

static void elimination_create(struct elimination *e, int n, const double *a, mpfr_prec_t precision)
{
    *e = (struct elimination){.n = n, .sign = 1};
    e->a = malloc((size_t)n * (size_t)n * sizeof *e->a);
    e->row = malloc((size_t)n * sizeof *e->row);
    for (int i = 0; i < n * n; i++) {
        mpfi_init2(e->a[i], precision);
        mpfi_set_d(e->a[i], a[i]);
    }
    for (int i = 0; i < n; i++) {
        e->row[i] = i;
    }
}

static void elimination_destroy(struct elimination *e)
{
    for (int i = 0; i < e->n * e->n; i++) {
        mpfi_clear(e->a[i]);
    }
    free(e->a);
    free(e->row);
}

/* The row whose entry in column k is furthest from 0; −1 if every candidate interval contains 0. */
static int find_pivot(struct elimination *e, int k)
{
    mpfr_t best, mig;
    mpfr_inits2(64, best, mig, (mpfr_ptr)0);
    mpfr_set_zero(best, 1);
    int pivot = -1;
    for (int i = k; i < e->n; i++) {
        mpfi_mig(mig, at(e, i, k));
        if (mpfr_greater_p(mig, best)) {
            mpfr_set(best, mig, MPFR_RNDN);
            pivot = i;
        }
    }
    mpfr_clears(best, mig, (mpfr_ptr)0);
    return pivot;
}

static void eliminate_below(struct elimination *e, int k, mpfi_t factor, mpfi_t product)
{
    for (int i = k + 1; i < e->n; i++) {
        if (mpfi_is_zero(at(e, i, k))) {
            continue;
        }
        mpfi_div(factor, at(e, i, k), at(e, k, k));
        for (int j = k + 1; j < e->n; j++) {
            mpfi_mul(product, factor, at(e, k, j));
            mpfi_sub(at(e, i, j), at(e, i, j), product);
        }
    }
}

/* Encloses log|det| and finds the sign; false if a pivot may be 0 at this precision. */
static bool enclose_log(int n, const double *a, mpfr_prec_t precision, mpfi_t log_abs, int *sign)
{
    struct elimination e;
    elimination_create(&e, n, a, precision);
    mpfi_t det, factor, product;
    mpfi_init2(det, precision);
    mpfi_init2(factor, precision);
    mpfi_init2(product, precision);
    mpfi_set_si(det, 1);
    bool decided = true;
    for (int k = 0; k < n && decided; k++) {
        int pivot = find_pivot(&e, k);
        decided = pivot >= 0;
        if (!decided) {
            break;
        }
        if (pivot != k) {
            int t = e.row[k];
            e.row[k] = e.row[pivot];
            e.row[pivot] = t;
            e.sign = -e.sign;
        }
        eliminate_below(&e, k, factor, product);
        if (mpfi_is_neg(at(&e, k, k))) {
            e.sign = -e.sign;
        }
        mpfi_mul(det, det, at(&e, k, k));
    }
    if (decided) {
        *sign = e.sign;
        mpfi_abs(det, det);
        mpfi_log(log_abs, det);
    }
    mpfi_clear(det);
    mpfi_clear(factor);
    mpfi_clear(product);
    elimination_destroy(&e);
    return decided;
}

static void fill_exact(struct determinant *d, enum exact_determinant exact)
{
    d->bits = INT_MAX;
    d->sign = exact == DETERMINANT_ZERO ? 0 : exact == DETERMINANT_ONE ? 1 : -1;
    d->logabs = value_of(exact == DETERMINANT_ZERO ? -INFINITY : 0);
    d->log2_abs = value_approximately(&d->logabs);
}

/* Climbs the precision ladder. The first time that det = 0 or |det| = 1 is possible, exact integer arithmetic
 * decides whether it holds. */
static bool climb(int n, const double *a, struct determinant *d, mpfr_prec_t *precision, struct error *error)
{
    bool asked = false;
    for (; *precision <= ZIV_CAP_BITS; *precision *= 2) {
        mpfi_t log_abs;
        mpfi_init2(log_abs, *precision);
        bool decided = enclose_log(n, a, *precision, log_abs, &d->sign);
        int bits = decided ? ziv_certified_bits(log_abs) : 0;
        bool done = decided && bits >= ZIV_TARGET_BITS && !mpfi_has_zero(log_abs);
        if (done) {
            mpfr_t middle;
            mpfr_init2(middle, *precision + 2);
            mpfi_mid(middle, log_abs);
            d->logabs = value_from_mpfr(middle, false);
            d->log2_abs = mpfr_get_d(middle, MPFR_RNDN) / M_LN2;
            d->bits = bits == INT_MAX ? ZIV_TARGET_BITS : bits;
            mpfr_clear(middle);
        } else if (!asked && (!decided || mpfi_has_zero(log_abs))) {
            asked = true;
            enum exact_determinant exact = exact_determinant_decide(n, a);
            done = exact != DETERMINANT_OTHER;
            if (done) {
                fill_exact(d, exact);
            }
        }
        mpfi_clear(log_abs);
        if (done) {
            return true;
        }
    }
    return error_set(error, "determinant of order %d: the precision ladder reached its cap of %d bits", n,
                     ZIV_CAP_BITS);
}

/* Interval elimination loses about 1.5 bits per step on ordinary matrices; 2 are added. */
static mpfr_prec_t first_precision(int n)
{
    return ZIV_START_BITS + 2 * n;
}

/* Elimination in double, then in integers. *certified: `d` has the value. False when out of memory. */
static bool verify(int n, const double *a, struct verified_determinant *v, struct determinant *d,
                   bool *certified)
{
    *certified = false;
    return verified_determinant_create(v, n, a) && verified_determinant_prove(v) &&
           (!v->verified || determinant_fixed(v, d, certified));
}

bool determinant_value(int n, const double *a, struct determinant *determinant, struct error *error)
{
    struct verified_determinant v = {.n = 0};
    bool certified = false;
    *determinant = (struct determinant){.sign = 0};
    bool memory = n > DETERMINANT_LARGEST || verify(n, a, &v, determinant, &certified);
    verified_determinant_destroy(&v);
    if (!memory || certified) {
        return memory || error_set(error, "determinant of order %d: out of memory", n);
    }
    mpfr_prec_t precision = first_precision(n);
    return climb(n, a, determinant, &precision, error);
}

bool determinant_by_ziv(int n, const double *a, double least_roundoff, double underflow,
                        struct determinant *determinant, struct error *error)
{
    *determinant = (struct determinant){.sign = 0};
    mpfr_prec_t precision = first_precision(n);
    if (!climb(n, a, determinant, &precision, error)) {
        return false;
    }
    return determinant_sensitivities(n, a, least_roundoff, underflow, precision, determinant) ||
           error_set(error, "determinant of order %d: out of memory", n);
}

bool determinant_compute(int n, const double *a, double least_roundoff, double underflow,
                         struct determinant *determinant, struct error *error)
{
    struct verified_determinant v = {.n = 0};
    struct determinant value = {.sign = 0};
    bool certified = false;
    if (n > DETERMINANT_LARGEST) {
        return determinant_by_ziv(n, a, least_roundoff, underflow, determinant, error);
    }
    bool memory = verify(n, a, &v, &value, &certified), verified = memory && v.verified;
    memory =
        memory && (!verified || verified_determinant_describe(&v, least_roundoff, underflow, determinant));
    verified_determinant_destroy(&v);
    if (!memory) {
        return error_set(error, "determinant of order %d: out of memory", n);
    }
    if (!verified) {
        return determinant_by_ziv(n, a, least_roundoff, underflow, determinant, error);
    }
    mpfr_prec_t precision = first_precision(n);
    bool good = certified || climb(n, a, &value, &precision, error);
    determinant->sign = value.sign;
    determinant->logabs = value.logabs;
    determinant->log2_abs = value.log2_abs;
    determinant->bits = value.bits;
    return good;
}

void determinant_clear(struct determinant *determinant)
{
    free(determinant->log2_coefficient);
    *determinant = (struct determinant){.sign = 0};
}
