/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/midpoints.h"

#include <math.h>

/* Returns a midpoint of size 2^e as an integer times 2^*unit: m + 1/2 units of the target, where m has as
 * many bits as the target has at 2^e. */
static uint64_t midpoint(struct philox *generator, const struct dtype_info *to, int e, int *unit)
{
    int least = to->emin - to->precision + 1, bits = e - least + 1;
    bits = bits < to->precision ? bits : to->precision; /* 0: half the least subnormal */
    uint64_t leading = (uint64_t)1 << bits, random = philox_next(generator) & (leading - 1);
    *unit = e - bits;
    return ((leading >> 1) | random >> 1) << 1 | 1;
}

static int between(struct philox *generator, int low, int high)
{
    return low + (int)philox_below(generator, (uint32_t)(high - low + 1));
}

uint64_t midpoint_bits(struct philox *generator, enum dtype from, enum dtype to, int64_t i)
{
    const struct dtype_info *target = dtype_info(to), *source = dtype_info(from);
    int unit, bits = 8 * (int)source->size;
    uint64_t beside = i % 4 == 2 ? 1 : i % 4 == 3 ? UINT64_MAX : 0, sign = (uint64_t)(i / 4 & 1), x;
    if (!dtype_is_floating(from)) {
        int most = bits - 2 < target->emax ? bits - 2 : target->emax;
        x = midpoint(generator, target, between(generator, target->precision, most), &unit);
        x = (x << unit) + beside;
        return sign ? 0 - x : x;
    }
    int low = target->emin - target->precision, high = target->emax;
    int least = source->emin - source->precision + 1;
    if (least < target->emin) { /* half of the midpoints are subnormal */
        low = i % 8 < 4 ? target->emin : low > least ? low : least;
        high = i % 8 < 4 ? high : target->emin - 1;
    } else {
        low = least;
    }
    high = high > source->emax ? source->emax : high;
    unsigned char bytes[8];
    x = midpoint(generator, target, between(generator, low, high), &unit);
    dtype_store(from, bytes, ldexp((double)x, unit));
    return (dtype_bits(from, bytes) + beside) | sign << (bits - 1);
}
