/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_DTYPE_H
#define ASSAY_REFERENCE_BASE_DTYPE_H

/* Element types, under their array-API names, and correctly rounded conversions between them.
 *
 * Formats: IEEE 754-2019 binary16, binary32, binary64; bfloat16 (8 exponent bits, 8 bits of precision);
 * complex64 is a pair of float32 (real, imaginary). All loads and stores are little-endian host memory and
 * need no alignment. Every function here is pure and thread-safe. */

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
    int precision;        /* p: significand bits with the implicit one; of the component; 0 for integers */
    int emin, emax; /* exponents of the least and greatest normal number: 2^emin, 2^emax·(2 − 2^(1−p)) */
    /* of the component: */
    double max;             /* greatest finite value; of int64 2^63, since INT64_MAX is no double */
    double least_normal;    /* 2^emin */
    double least_subnormal; /* 2^(emin−p+1) */
    double unit_roundoff;   /* u = 2^-p: half the distance from 1 to its successor */
};

extern const struct dtype_info dtype_infos[DTYPE_COUNT];

static inline const struct dtype_info *dtype_info(enum dtype dtype)
{
    return &dtype_infos[dtype];
}

/* Finds a dtype by its array-API name. False when there is none; *dtype is then untouched. */
bool dtype_from_name(const char *name, enum dtype *dtype);

/* "float16, float32": the names of a set, 1 << dtype each, as far as there is room. */
void dtypes_print(unsigned dtypes, char *text, size_t size);

static inline bool dtype_is_floating(enum dtype dtype) /* real or complex floating point */
{
    return dtype_infos[dtype].kind == KIND_FLOAT || dtype_infos[dtype].kind == KIND_COMPLEX;
}

static inline bool dtype_is_integer(enum dtype dtype) /* signed or unsigned integer; bool is neither */
{
    return dtype_infos[dtype].kind == KIND_SIGNED || dtype_infos[dtype].kind == KIND_UNSIGNED;
}

/* One *component* of an element as a double. Exact for every dtype except int64, whose values beyond 2^53
 * round to nearest even; use dtype_load_integer there. `component` must not be complex64. */
static inline double dtype_load(enum dtype component, const void *from);
double dtype_load_other(enum dtype component,
                        const void *from); /* of dtype_load, what is neither float32 nor float64 */
int64_t dtype_load_integer(enum dtype component, const void *from); /* integers and bool only */

/* Stores x rounded once, to nearest, ties to even (IEEE 754 roundTiesToEven: overflow gives infinity,
 * underflow is gradual). Integers: x must be integral and in range; bool stores x != 0. */
void dtype_store(enum dtype component, void *to, double x);
void dtype_store_integer(enum dtype component, void *to, int64_t x);
void dtype_store_mpfr(enum dtype component, void *to, mpfr_srcptr x);

/* hi + lo rounded once to nearest even, where |lo| ≤ ulp(hi)/2: no double rounding. */
void dtype_store_dd(enum dtype component, void *to, double hi, double lo);

/* Bits of one component, zero-extended: what a report prints as 0x…; its width is 8·size of the component. */
uint64_t dtype_bits(enum dtype component, const void *from);
void dtype_store_bits(enum dtype component, void *to, uint64_t bits);

bool dtype_holds(enum dtype component, double x); /* x is a number of the dtype; never of a NaN */
/* x with so many bits of significand and exponents of any size: to nearest, ties to even, or cut off. */
double dtype_significant(double x, int bits, bool cut);
bool dtype_is_subnormal(enum dtype component, const void *from); /* false for integers and zero */

/* 2^e of the binade [2^e, 2^(e+1)) that a normal double lies in; of a power of two, of the one below it
 * (dtype_ulp). */
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

/* x·2^exponent, rounded once, as ldexp: without its cost where the power itself is a normal number. */
double dtype_scale(double x, int exponent);

/* ulp(y) = 2^(max(e, emin) − p + 1), e = ⌊log2 |y|⌋; the spacing just below |y| where |y| is a power of two
 * above 2^emin. Goldberg's ulp with the smaller value at powers of two. y finite. ulp(0) is the least
 * subnormal. */
double dtype_ulp_anywhere(enum dtype component, double y); /* that, in more steps */
static inline double dtype_ulp(enum dtype component, double y)
{
    double unit = 2 * dtype_unit_roundoff(component), size = y < 0 ? -y : y;
    bool normal = dtype_infos[component].kind == KIND_FLOAT && size >= 2 * dtype_least_normal(component);
    return normal ? dtype_binade_below(y) * unit : dtype_ulp_anywhere(component, y);
}

/* RN(x) of a number whose rounding is a normal number of float16, bfloat16 or float32. */
static inline double dtype_round_normal(enum dtype component, double x)
{
    double spacing = dtype_binade(x) * 2 * dtype_unit_roundoff(component);
    return (x / spacing + 0x1.8p52 - 0x1.8p52) * spacing;
}

/* The exponent of the lowest bit of x that is set; x finite, not 0. */
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
