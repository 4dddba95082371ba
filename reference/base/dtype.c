/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/dtype.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Loads and stores copy in the host's byte order; dtype.h promises little-endian storage. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "assay needs a little-endian host");
_Static_assert(FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "float and double must be binary32 and binary64");

const struct dtype_info dtype_infos[DTYPE_COUNT] = {
    [DTYPE_FLOAT16] = {"float16", 2, KIND_FLOAT, DTYPE_FLOAT16, 1, 11, -14, 15, 65504, 0x1p-14, 0x1p-24,
                       0x1p-11},
    [DTYPE_BFLOAT16] = {"bfloat16", 2, KIND_FLOAT, DTYPE_BFLOAT16, 1, 8, -126, 127, 0x1.FEp127, 0x1p-126,
                        0x1p-133, 0x1p-8},
    [DTYPE_FLOAT32] = {"float32", 4, KIND_FLOAT, DTYPE_FLOAT32, 1, 24, -126, 127, FLT_MAX, FLT_MIN,
                       FLT_TRUE_MIN, 0x1p-24},
    [DTYPE_FLOAT64] = {"float64", 8, KIND_FLOAT, DTYPE_FLOAT64, 1, 53, -1022, 1023, DBL_MAX, DBL_MIN,
                       DBL_TRUE_MIN, 0x1p-53},
    [DTYPE_COMPLEX64] = {"complex64", 8, KIND_COMPLEX, DTYPE_FLOAT32, 2, 24, -126, 127, FLT_MAX, FLT_MIN,
                         FLT_TRUE_MIN, 0x1p-24},
    [DTYPE_INT8] = {"int8", 1, KIND_SIGNED, DTYPE_INT8, 1, 0, 0, 0, INT8_MAX, 1, 2, 1},
    [DTYPE_UINT8] = {"uint8", 1, KIND_UNSIGNED, DTYPE_UINT8, 1, 0, 0, 0, UINT8_MAX, 1, 2, 1},
    [DTYPE_INT32] = {"int32", 4, KIND_SIGNED, DTYPE_INT32, 1, 0, 0, 0, INT32_MAX, 1, 2, 1},
    [DTYPE_INT64] = {"int64", 8, KIND_SIGNED, DTYPE_INT64, 1, 0, 0, 0, 0x1p63, 1, 2, 1},
    [DTYPE_BOOL] = {"bool", 1, KIND_BOOL, DTYPE_BOOL, 1, 0, 0, 0, 1, 1, 2, 1},
};

bool dtype_from_name(const char *name, enum dtype *dtype)
{
    for (int d = 0; d < DTYPE_COUNT; d++) {
        if (strcmp(dtype_infos[d].name, name) == 0) {
            *dtype = (enum dtype)d;
            return true;
        }
    }
    return false;
}

void dtypes_print(unsigned dtypes, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int d = 0; d < DTYPE_COUNT && used < size; d++) {
        if (dtypes >> d & 1) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     dtype_info((enum dtype)d)->name);
        }
    }
}

double dtype_scale(double x, int exponent)
{
    if (exponent < -1022 || exponent > 1023) {
        return ldexp(x, exponent);
    }
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return x * power;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns the value of a 16-bit float with `fraction` stored significand bits; exact. */
static double half_width_to_double(uint16_t bits, int fraction, int emin)
{
    uint64_t sign = (uint64_t)(bits >> 15) << 63, fields = bits & 0x7FFFU;
    uint64_t infinity = 0x7FFFU >> fraction << fraction;
    if (fields >= infinity) {
        return copysign(fields > infinity ? NAN : INFINITY, bits >> 15 ? -1 : 1);
    }
    if (fields >> fraction == 0) {
        return copysign(dtype_scale((double)fields, emin - fraction), bits >> 15 ? -1 : 1);
    }
    return double_of(sign | ((fields << (52 - fraction)) + ((uint64_t)(emin - 1 + 1023) << 52)));
}

/* Rounds hi + lo (|lo| ≤ ulp(hi)/2) to a narrower binary format of p bits, to nearest, ties to even. Returns
 * the bits of the format without the sign; a result beyond its range is infinity. `rest` is what hi exceeds a
 * multiple of the format's local unit by. lo decides only where `rest` is exactly half a unit; it is too
 * small to change any other case. */
static uint64_t round_pair(double hi, double lo, int p, int emin, int emax)
{
    const int fraction = p - 1;
    const uint64_t infinity = (uint64_t)(emax - emin + 2) << fraction;
    uint64_t magnitude = bits_of(hi) & INT64_MAX;
    int e = (int)(magnitude >> 52) - 1023;
    if (magnitude > (uint64_t)2047 << 52) {
        return infinity | (uint64_t)1 << (fraction - 1);
    }
    uint64_t significand = (magnitude & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int shift = 52 - fraction + (e < emin ? emin - e : 0);
    if (shift > 53) {
        return 0; /* below half of the least number; so are all subnormal doubles */
    }
    if (e > emax) {
        return infinity;
    }
    uint64_t whole = significand >> shift, half = (uint64_t)1 << (shift - 1);
    uint64_t rest = significand & (2 * half - 1);
    double beyond = hi < 0 ? -lo : lo;
    whole += rest > half || (rest == half && (beyond > 0 || (beyond == 0 && (whole & 1))));
    /* A carry into the exponent field is right: it gives the least normal number, the next binade or
     * infinity. */
    return e < emin ? whole : ((uint64_t)(e - emin) << fraction) + whole;
}

double dtype_load_other(enum dtype component, const void *from)
{
    switch (component) {
    case DTYPE_FLOAT16: {
        uint16_t bits;
        memcpy(&bits, from, sizeof bits);
        return half_width_to_double(bits, 10, -14);
    }
    case DTYPE_BFLOAT16: {
        uint16_t bits;
        memcpy(&bits, from, sizeof bits);
        return half_width_to_double(bits, 7, -126);
    }
    default:
        return (double)dtype_load_integer(component, from);
    }
}

int64_t dtype_load_integer(enum dtype component, const void *from)
{
    switch (component) {
    case DTYPE_INT8: {
        int8_t x;
        memcpy(&x, from, sizeof x);
        return x;
    }
    case DTYPE_INT32: {
        int32_t x;
        memcpy(&x, from, sizeof x);
        return x;
    }
    case DTYPE_INT64: {
        int64_t x;
        memcpy(&x, from, sizeof x);
        return x;
    }
    default: {
        uint8_t x;
        memcpy(&x, from, sizeof x);
        return component == DTYPE_BOOL ? x != 0 : x;
    }
    }
}

/* Returns whether x lies half way between two float32 numbers of the normal range, or below that range. Only
 * there can a low part of less than half an ulp of x change how x rounds to float32. */
static bool between_floats(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x1FFFFFFF) == 0x10000000 || !(fabs(x) >= FLT_MIN);
}

void dtype_store_dd(enum dtype component, void *to, double hi, double lo)
{
    const struct dtype_info *info = &dtype_infos[component];
    switch (component) {
    case DTYPE_FLOAT16:
    case DTYPE_BFLOAT16: {
        uint64_t rounded = round_pair(hi, lo, info->precision, info->emin, info->emax);
        uint16_t bits = (uint16_t)(rounded | (signbit(hi) ? 0x8000U : 0));
        memcpy(to, &bits, sizeof bits);
        return;
    }
    case DTYPE_FLOAT32: {
        if (lo == 0 || !between_floats(hi)) {
            float x = (float)hi;
            memcpy(to, &x, sizeof x);
            return;
        }
        uint64_t rounded = round_pair(hi, lo, info->precision, info->emin, info->emax);
        uint32_t bits = (uint32_t)rounded | (signbit(hi) ? 0x80000000U : 0);
        memcpy(to, &bits, sizeof bits);
        return;
    }
    case DTYPE_FLOAT64:
        memcpy(to, &hi, sizeof hi); /* |lo| ≤ ulp(hi)/2, so hi is hi + lo rounded; a normalised
                                       double-double breaks ties to even */
        return;
    default: {
        /* hi may be 2^63 with a negative lo: add modulo 2^64. */
        uint64_t sum = hi >= 0x1p63 ? (uint64_t)1 << 63 : (uint64_t)(int64_t)hi;
        dtype_store_integer(component, to, (int64_t)(sum + (uint64_t)(int64_t)lo));
    }
    }
}

void dtype_store(enum dtype component, void *to, double x)
{
    if (component == DTYPE_BOOL) {
        dtype_store_integer(component, to, x != 0);
    } else {
        dtype_store_dd(component, to, x, 0);
    }
}

void dtype_store_integer(enum dtype component, void *to, int64_t x)
{
    switch (component) {
    case DTYPE_INT32: {
        int32_t y = (int32_t)x;
        memcpy(to, &y, sizeof y);
        return;
    }
    case DTYPE_INT64:
        memcpy(to, &x, sizeof x);
        return;
    case DTYPE_BOOL: {
        uint8_t y = x != 0;
        memcpy(to, &y, sizeof y);
        return;
    }
    default: {
        uint8_t y = (uint8_t)x;
        memcpy(to, &y, sizeof y);
    }
    }
}

void dtype_store_mpfr(enum dtype component, void *to, mpfr_srcptr x)
{
    const struct dtype_info *info = &dtype_infos[component];
    if (!dtype_is_floating(component)) {
        dtype_store_integer(component, to, (int64_t)mpfr_get_si(x, MPFR_RNDN));
        return;
    }
    /* Rounds once to the precision and exponent range of the target. mpfr_subnormalize takes the ternary
     * value, so that gradual underflow does not round twice. MPFR's exponent range is per thread; it is
     * restored below. */
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t rounded;
    mpfr_init2(rounded, info->precision);
    mpfr_set_emin(info->emin - info->precision + 2);
    mpfr_set_emax(info->emax + 1);
    int ternary = mpfr_set(rounded, x, MPFR_RNDN);
    ternary = mpfr_check_range(rounded, ternary, MPFR_RNDN);
    mpfr_subnormalize(rounded, ternary, MPFR_RNDN);
    double y = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    mpfr_clear(rounded);
    dtype_store(component, to, y);
}

uint64_t dtype_bits(enum dtype component, const void *from)
{
    uint64_t bits = 0;
    memcpy(&bits, from, dtype_infos[component].size);
    return bits;
}

void dtype_store_bits(enum dtype component, void *to, uint64_t bits)
{
    switch (dtype_infos[component].size) { /* copies of a constant size compile to one store */
    case 2:
        memcpy(to, &bits, 2);
        return;
    case 4:
        memcpy(to, &bits, 4);
        return;
    default:
        memcpy(to, &bits, dtype_infos[component].size);
    }
}

bool dtype_holds(enum dtype component, double x)
{
    unsigned char bytes[8];
    dtype_store(component, bytes, x);
    return dtype_load(component, bytes) == x;
}

double dtype_significant(double x, int bits, bool cut)
{
    int e;
    if (!isfinite(x) || x == 0) {
        return x;
    }
    double m = ldexp(frexp(x, &e), bits);
    return ldexp(cut ? trunc(m) : nearbyint(m), e - bits);
}

bool dtype_is_subnormal(enum dtype component, const void *from)
{
    if (dtype_infos[component].kind != KIND_FLOAT) {
        return false;
    }
    double x = fabs(dtype_load(component, from));
    return x > 0 && x < dtype_least_normal(component);
}

double dtype_ulp_anywhere(enum dtype component, double y)
{
    const struct dtype_info *info = &dtype_infos[component];
    if (info->kind != KIND_FLOAT) {
        return 1;
    }
    if (y == 0) {
        return dtype_least_subnormal(component);
    }
    /* A power of two takes the spacing below it: subtracting 1 gives the exponent of the next smaller double.
     */
    uint64_t bits;
    memcpy(&bits, &y, sizeof bits);
    int e = (int)(((bits & INT64_MAX) - 1) >> 52) - 1023;
    if (e < info->emin) {
        e = info->emin;
    }
    return dtype_scale(1, e - info->precision + 1);
}
