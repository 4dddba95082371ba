/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/ziv.h"

#include <limits.h>

int ziv_certified_bits(mpfi_srcptr enclosure)
{
    if (mpfi_nan_p(enclosure) || mpfi_inf_p(enclosure)) {
        return 0;
    }
    if (mpfr_equal_p(&enclosure->left, &enclosure->right)) {
        return INT_MAX;
    }
    if (mpfi_has_zero(enclosure)) {
        return 0;
    }
    mpfr_t width, least;
    mpfr_inits2(64, width, least, (mpfr_ptr)0);
    mpfi_diam_abs(width, enclosure);
    mpfi_mig(least, enclosure);
    /* width < 2^a and least ≥ 2^(b−1): relative width < 2^(a−b+1) */
    long bits = mpfr_get_exp(least) - mpfr_get_exp(width) - 1;
    mpfr_clears(width, least, (mpfr_ptr)0);
    return bits < 0 ? 0 : (int)bits;
}

/* Returns whether every enclosure certifies ZIV_TARGET_BITS; if so, stores the values. */
static bool harvest(mpfi_t enclosure[], int count, mpfr_prec_t precision, struct value out[], int *bits)
{
    int least = INT_MAX;
    for (int i = 0; i < count; i++) {
        int certified = ziv_certified_bits(enclosure[i]);
        least = certified < least ? certified : least;
    }
    if (least < ZIV_TARGET_BITS) {
        return false;
    }
    mpfr_t middle;
    mpfr_init2(middle, precision + 2);
    for (int i = 0; i < count; i++) {
        mpfi_mid(middle, enclosure[i]);
        out[i] = value_from_mpfr(middle, ziv_certified_bits(enclosure[i]) == INT_MAX);
    }
    mpfr_clear(middle);
    *bits = least < *bits ? least : *bits;
    return true;
}

bool ziv_refine(const struct ziv *ziv, struct value out[], int *bits, struct error *error)
{
    mpfr_prec_t precision = ziv->start ? ziv->start : ZIV_START_BITS;
    if (ziv->count > ZIV_TOGETHER_MAX) {
        return error_set(error, "%d enclosures climb together, at most %d can (ZIV_TOGETHER_MAX)", ziv->count,
                         ZIV_TOGETHER_MAX);
    }
    for (; precision <= ZIV_CAP_BITS; precision *= 2) {
        mpfi_t enclosure[ZIV_TOGETHER_MAX];
        for (int i = 0; i < ziv->count; i++) {
            mpfi_init2(enclosure[i], precision);
        }
        ziv->enclose(ziv->user, precision, enclosure);
        bool done = harvest(enclosure, ziv->count, precision, out, bits);
        for (int i = 0; i < ziv->count; i++) {
            mpfi_clear(enclosure[i]);
        }
        if (done) {
            return true;
        }
    }
    return error_set(error, "the precision ladder reached its cap of %d bits without certifying %d",
                     ZIV_CAP_BITS, ZIV_TARGET_BITS);
}
