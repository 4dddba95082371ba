/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Arithmetic and comparisons of two and three numbers (kernels/cpu/elementwise.h). */

#include "kernels/cpu/elementwise.h"

#include <math.h>

#define SHIFTED(F, r) ((r) != 0 && ((r) < 0) != (y < 0) ? (r) + y : (r)) /* remainder with the sign of y */
#define GREATER(F)    (isnan(x) || x > y ? x : y)
#define LESSER(F)     (isnan(x) || x < y ? x : y)

#define NUMBERS(FUNCTION, REAL, F)                                                                           \
    FUNCTION(add, REAL, x + p[0] * y)                                                                        \
    FUNCTION(sub, REAL, x - p[0] * y)                                                                        \
    FUNCTION(mul, REAL, x *y)                                                                                \
    FUNCTION(div, REAL, p[0] == 0 ? x / y : p[0] == 1 ? F(trunc)(x / y) : F(floor_quotient)(x, y))           \
    FUNCTION(fmod, REAL, F(fmod)(x, y))                                                                      \
    FUNCTION(remainder, REAL, SHIFTED(F, F(fmod)(x, y)))                                                     \
    FUNCTION(floor_divide, REAL, F(floor_quotient)(x, y))                                                    \
    FUNCTION(maximum, REAL, GREATER(F))                                                                      \
    FUNCTION(minimum, REAL, LESSER(F))                                                                       \
    FUNCTION(clamp, REAL, isnan(z) ? z : x<y ? (y > z ? z : y) : isnan(y) ? y : x> z ? z : x)                \
    FUNCTION(eq, REAL, x == y)                                                                               \
    FUNCTION(ne, REAL, x != y)                                                                               \
    FUNCTION(lt, REAL, x < y)                                                                                \
    FUNCTION(le, REAL, x <= y)                                                                               \
    FUNCTION(gt, REAL, x > y)                                                                                \
    FUNCTION(ge, REAL, x >= y)

#define REALS(FUNCTION, REAL, F)                                                                             \
    FUNCTION(ldexp, REAL, F(times_power)(x, y))                                                              \
    FUNCTION(fma, REAL, F(fma)(x, y, z))                                                                     \
    FUNCTION(pow, REAL, F(pow)(x, y))                                                                        \
    FUNCTION(hypot, REAL, F(hypot)(x, y))                                                                    \
    FUNCTION(atan2, REAL, F(atan2)(x, y))                                                                    \
    FUNCTION(logaddexp, REAL, GREATER(F) + F(log1p)(F(exp)(-(x == y ? 0 : F(fabs)(x - y)))))                 \
    FUNCTION(fmax, REAL, isnan(y) || x > y ? x : y)                                                          \
    FUNCTION(fmin, REAL, isnan(y) || x < y ? x : y)                                                          \
    FUNCTION(isnan, REAL, (REAL)(isnan(x) != 0))                                                             \
    FUNCTION(isinf, REAL, (REAL)(isinf(x) != 0))                                                             \
    FUNCTION(isfinite, REAL, (REAL)(isfinite(x) != 0))                                                       \
    FUNCTION(lerp, REAL, z < (REAL)0.5 ? x + z * (y - x) : y - (y - x) * (1 - z))                            \
    FUNCTION(addcmul, REAL, x + p[0] * (y * z))                                                              \
    FUNCTION(addcdiv, REAL, x + p[0] * (y / z))

/* Floor of x/y from the exact remainder: the floor of a rounded quotient can be off by one. */
#define DEFINE_FLOOR_QUOTIENT(name, REAL, F)                                                                 \
    static REAL name(REAL x, REAL y)                                                                         \
    {                                                                                                        \
        if (y == 0 || isnan(x) || isnan(y) || isinf(x)) {                                                    \
            return isinf(x) && y != 0 ? (REAL)NAN : x / y;                                                   \
        }                                                                                                    \
        REAL r = F(fmod)(x, y), q = isinf(y) ? 0 : (x - r) / y;                                              \
        q = F(nearbyint)(q) - (r != 0 && (r < 0) != (y < 0));                                                \
        return q == 0 ? F(copysign)(0, x / y) : q;                                                           \
    }
DEFINE_FLOOR_QUOTIENT(floor_quotientf, float, CPU_FLOAT)
DEFINE_FLOOR_QUOTIENT(floor_quotient, double, CPU_DOUBLE)

/* x·2^y. Zeros and infinities stay unchanged for finite y. */
#define DEFINE_TIMES_POWER(name, REAL, F)                                                                    \
    static REAL name(REAL x, REAL y)                                                                         \
    {                                                                                                        \
        if (isfinite(y) && (x == 0 || isinf(x))) {                                                           \
            return x;                                                                                        \
        }                                                                                                    \
        return isinf(y) ? x * F(exp2)(y) : x * F(exp2)(y / 2) * F(exp2)(y - y / 2);                          \
    }
DEFINE_TIMES_POWER(times_powerf, float, CPU_FLOAT)
DEFINE_TIMES_POWER(times_power, double, CPU_DOUBLE)

static int64_t rest_of(int64_t x, int64_t y)
{
    return y == 0 || y == -1 ? 0 : x % y;
}

static int64_t quotient_of(int64_t x, int64_t y)
{
    return y == 0 ? 0 : y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

static int64_t whole_floor_quotient(int64_t x, int64_t y)
{
    return quotient_of(x, y) - (rest_of(x, y) != 0 && (x < 0) != (y < 0));
}

/* Returns the bits of the number next to x in the direction of y (nextafter). */
static uint64_t next_to(uint64_t x, uint64_t y, const struct cpu_bits *form)
{
    uint64_t a = x & ~form->sign, b = y & ~form->sign;
    if (a > form->infinity || b > form->infinity) {
        return a > form->infinity ? x : y;
    }
    if (x == y || (a == 0 && b == 0)) {
        return y;
    }
    if (a == 0) {
        return (y & form->sign) | 1;
    }
    bool away = (x & form->sign) == (y & form->sign) && b > a;
    return away ? x + 1 : x - 1;
}

NUMBERS(CPU_DEFINE, float, CPU_FLOAT)
NUMBERS(CPU_DEFINE, double, CPU_DOUBLE)
REALS(CPU_DEFINE, float, CPU_FLOAT)
REALS(CPU_DEFINE, double, CPU_DOUBLE)
CPU_DEFINE_INTEGER(add, (int64_t)((uint64_t)x + (uint64_t)p[0] * (uint64_t)y))
CPU_DEFINE_INTEGER(sub, (int64_t)((uint64_t)x - (uint64_t)p[0] * (uint64_t)y))
CPU_DEFINE_INTEGER(mul, (int64_t)((uint64_t)x *(uint64_t)y))
CPU_DEFINE_INTEGER(div, p[0] == 2 ? whole_floor_quotient(x, y) : quotient_of(x, y))
CPU_DEFINE_INTEGER(fmod, rest_of(x, y))
CPU_DEFINE_INTEGER(remainder, SHIFTED(, rest_of(x, y)))
CPU_DEFINE_INTEGER(floor_divide, whole_floor_quotient(x, y))
CPU_DEFINE_INTEGER(maximum, x > y ? x : y)
CPU_DEFINE_INTEGER(minimum, x < y ? x : y)
CPU_DEFINE_INTEGER(clamp, x<y ? (y > z ? z : y) : x> z ? z : x)
CPU_DEFINE_INTEGER(eq, x == y)
CPU_DEFINE_INTEGER(ne, x != y)
CPU_DEFINE_INTEGER(lt, x < y)
CPU_DEFINE_INTEGER(le, x <= y)
CPU_DEFINE_INTEGER(gt, x > y)
CPU_DEFINE_INTEGER(ge, x >= y)
CPU_DEFINE_INTEGER(where, x ? y : z)
CPU_DEFINE_INTEGER(bitwise_and, x &y)
CPU_DEFINE_INTEGER(bitwise_or, x | y)
CPU_DEFINE_INTEGER(bitwise_xor, x ^ y)
CPU_DEFINE_INTEGER(bitwise_not, ~x)
CPU_DEFINE_INTEGER(bitwise_left_shift, y<0 || y> 63 ? 0 : (int64_t)((uint64_t)x << y))
CPU_DEFINE_INTEGER(bitwise_right_shift, x >> (y < 0 || y > 63 ? 63 : y))
CPU_DEFINE_INTEGER(signbit, x < 0)
CPU_DEFINE_BITS(where, x ? y : z)
CPU_DEFINE_BITS(copysign, (x & ~form->sign) | (y & form->sign))
CPU_DEFINE_BITS(signbit, x & form->sign)
CPU_DEFINE_BITS(nextafter, next_to(x, y, form))

#define BOTH(name, REAL, term)                                                                               \
    CPU_OP(#name, .single = name##_of_float, .wide = name##_of_double, .integer = name##_of_integer)
#define INTEGER(name) CPU_OP(#name, .integer = name##_of_integer)

static const struct cpu_op ops[] = {
    NUMBERS(BOTH, , ) REALS(CPU_NUMBERS, , )                                  /* */
    CPU_OP("where", .bits = where_of_bits, .integer = where_of_integer)       /* */
    CPU_OP("copysign", .bits = copysign_of_bits)                              /* */
    CPU_OP("nextafter", .bits = nextafter_of_bits)                            /* */
    CPU_OP("signbit", .bits = signbit_of_bits, .integer = signbit_of_integer) /* */
    INTEGER(bitwise_and) INTEGER(bitwise_or) INTEGER(bitwise_xor)             /* */
    INTEGER(bitwise_not) INTEGER(bitwise_left_shift) INTEGER(bitwise_right_shift)};

const struct cpu_op_set cpu_op_set_arithmetic = {.op = ops, .count = sizeof ops / sizeof *ops};
