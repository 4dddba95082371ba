/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_DTYPE_H
#define ASSAY_REFERENCE_BASE_DTYPE_H

/* Element types, under their array-API names, and correctly rounded conversions between them.
 *
 * The floating formats are IEEE 754-2019 binary16, binary32 and binary64, and bfloat16 (8 exponent bits, 8
 * bits of precision). complex64 is a float32 real part followed by a float32 imaginary part; most functions
 * take one *component* of an element. Loads and stores use little-endian host memory and need no alignment.
 * Every function here is pure and thread-safe. */

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum dtype {
    DTYPE_FLOAT16,
    DTYPE_BFLOAT16,
    DTYPE_FLOAT32,
    DTYPE_FLOAT64,
    DTYPE_COMPLEX64,
    DTYPE_INT8,
    DTYPE_UINT8,
    DTYPE_INT32,
    DTYPE_INT64,
    DTYPE_BOOL,
    DTYPE_COUNT
};

enum dtype_kind { KIND_FLOAT, KIND_COMPLEX, KIND_SIGNED, KIND_UNSIGNED, KIND_BOOL };

struct dtype_info {
    const char *name; /* array-API name, e.g. "bfloat16" */
    size_t size;      /* bytes of one element */
    enum dtype_kind kind;
    enum dtype component; /* float32 for complex64, else the dtype itself */
    int components;       /* 2 for complex64, else 1 */
    int precision;        /* p: significand bits of the component, the implicit one included; 0 for
                             integers and bool */
    /* Exponents of the least and the greatest normal number, 2^emin and 2^emax·(2 − 2^(1−p)). */
    int emin, emax;
    /* The members below describe the component. */
    double max;             /* greatest finite value; 2^63 for int64, because INT64_MAX is no double */
    double least_normal;    /* 2^emin */
    double least_subnormal; /* 2^(emin−p+1) */
    double unit_roundoff;   /* u = 2^-p: half the distance from 1 to its successor */
};

extern const struct dtype_info dtype_infos[DTYPE_COUNT];

static inline const struct dtype_info *dtype_info(enum dtype dtype)
{
    return &dtype_infos[dtype];
}

/* Finds a dtype by its array-API name. Returns false for an unknown name and leaves *dtype unchanged. */
bool dtype_from_name(const char *name, enum dtype *dtype);

/* Prints the names of a set of dtypes (bit 1 << dtype each) as "float16, float32", cut off where `text` is
 * full. */
void dtypes_print(unsigned dtypes, char *text, size_t size);

static inline bool dtype_is_floating(enum dtype dtype) /* real or complex floating point */
{
    return dtype_infos[dtype].kind == KIND_FLOAT || dtype_infos[dtype].kind == KIND_COMPLEX;
}

static inline bool dtype_is_real(enum dtype dtype) /* float16, bfloat16, float32, float64 */
{
    return dtype_infos[dtype].kind == KIND_FLOAT;
}

static inline bool dtype_is_integer(enum dtype dtype) /* signed or unsigned integer; bool is neither */
{
    return dtype_infos[dtype].kind == KIND_SIGNED || dtype_infos[dtype].kind == KIND_UNSIGNED;
}

/* Returns one component of an element as a double. The conversion is exact for every dtype except int64,
 * whose values beyond 2^53 round to nearest even; use dtype_load_integer there. `component` must not be
 * complex64. */
static inline double dtype_load(enum dtype component, const void *from);
/* dtype_load for every component type except float32 and float64. */
double dtype_load_other(enum dtype component, const void *from);
int64_t dtype_load_integer(enum dtype component, const void *from); /* integers and bool only */

/* Stores x, rounded once to nearest, ties to even (IEEE 754 roundTiesToEven: overflow gives infinity,
 * underflow is gradual). For integers x must be integral and in range; bool stores x != 0. */
void dtype_store(enum dtype component, void *to, double x);
void dtype_store_integer(enum dtype component, void *to, int64_t x);
void dtype_store_mpfr(enum dtype component, void *to, mpfr_srcptr x);

/* Stores hi + lo rounded once to nearest even, without double rounding. Requires |lo| ≤ ulp(hi)/2. */
void dtype_store_dd(enum dtype component, void *to, double hi, double lo);

/* Returns the bits of one component, zero-extended. Reports print them as 0x…; 8·size of them are
 * significant. */
uint64_t dtype_bits(enum dtype component, const void *from);
void dtype_store_bits(enum dtype component, void *to, uint64_t bits);

bool dtype_holds(enum dtype component, double x); /* true if x is a value of the dtype; false for NaN */
/* Rounds x to `bits` significand bits, with no limit on the exponent: to nearest, ties to even, or towards
 * zero if `cut`. */
double dtype_significant(double x, int bits, bool cut);
bool dtype_is_subnormal(enum dtype component, const void *from); /* false for integers and zero */

/* Returns the power of two 2^e with 2^e ≤ |x| < 2^(e+1). x must be a normal double. dtype_binade_below
 * returns 2^(e−1) instead where |x| is itself a power of two; dtype_ulp uses it. */
static inline double dtype_binade(double x)
{
    uint64_t bits;
    double power;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0x7ff0000000000000);
    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline double dtype_binade_below(double x)
{
    uint64_t bits;
    double power;
    memcpy(&bits, &x, sizeof bits);
    bits = ((bits & INT64_MAX) - 1) >> 52 << 52;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline double dtype_max(enum dtype component)
{
    return dtype_infos[component].max;
}

static inline double dtype_least_normal(enum dtype component)
{
    return dtype_infos[component].least_normal;
}

static inline double dtype_least_subnormal(enum dtype component)
{
    return dtype_infos[component].least_subnormal;
}

static inline double dtype_unit_roundoff(enum dtype component)
{
    return dtype_infos[component].unit_roundoff;
}

/* Returns x·2^exponent, rounded once, as ldexp does. It is faster than ldexp where 2^exponent is a normal
 * double. */
double dtype_scale(double x, int exponent);

/* Returns ulp(y) = 2^(max(e, emin) − p + 1) with e = ⌊log2 |y|⌋, except that a power of two above 2^emin gets
 * the spacing just below it. This is Goldberg's ulp with the smaller value at powers of two. y must be
 * finite. ulp(0) is the least subnormal; the ulp of an integer or bool type is 1. */
/* dtype_ulp for every y and type, without the fast path. */
double dtype_ulp_anywhere(enum dtype component, double y);
static inline double dtype_ulp(enum dtype component, double y)
{
    double unit = 2 * dtype_unit_roundoff(component), size = y < 0 ? -y : y;
    bool normal = dtype_infos[component].kind == KIND_FLOAT && size >= 2 * dtype_least_normal(component);
    return normal ? dtype_binade_below(y) * unit : dtype_ulp_anywhere(component, y);
}

/* Returns x rounded to nearest even. `component` is float16, bfloat16 or float32, and the result must be a
 * normal number of it. */
static inline double dtype_round_normal(enum dtype component, double x)
{
    double spacing = dtype_binade(x) * 2 * dtype_unit_roundoff(component);
    return (x / spacing + 0x1.8p52 - 0x1.8p52) * spacing;
}

/* Returns the exponent of the lowest set bit of x. x must be finite and not 0. */
static inline int dtype_lowest_bit(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7FF);
    uint64_t digits = (bits & 0xFFFFFFFFFFFFF) | (exponent ? (uint64_t)1 << 52 : 0);
    return (exponent ? exponent : 1) - 1075 + __builtin_ctzll(digits);
}

static inline double dtype_load(enum dtype component, const void *from)
{
    if (component == DTYPE_FLOAT32) {
        float x;
        memcpy(&x, from, sizeof x);
        return (double)x;
    }
    if (component == DTYPE_FLOAT64) {
        double x;
        memcpy(&x, from, sizeof x);
        return x;
    }
    return dtype_load_other(component, from);
}

#endif
