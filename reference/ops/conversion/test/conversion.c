/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Conversions between all dtypes against Arb's arf: the test decodes and encodes elements by the fields of
 * their formats, rounded as integers of the target's last place. The result is accepted, and its neighbours
 * are not. */
#include "reference/ops/conversion/conversion_rules.h"
#include "reference/test/support.h"

static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_INT8,
                                    DTYPE_UINT8,   DTYPE_INT32,    DTYPE_INT64,   DTYPE_BOOL};
enum { DTYPES = sizeof dtypes / sizeof *dtypes, RANDOM = 3000 };

struct layout { /* of a float */
    int bits, fraction, bias;
};

static struct layout layout_of(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_FLOAT16:
        return (struct layout){16, 10, 15};
    case DTYPE_BFLOAT16:
        return (struct layout){16, 7, 127};
    case DTYPE_FLOAT32:
        return (struct layout){32, 23, 127};
    default:
        return (struct layout){64, 52, 1023};
    }
}

static bool is_float(enum dtype dtype)
{
    return dtype <= DTYPE_FLOAT64;
}

static int width_of(enum dtype dtype)
{
    return dtype == DTYPE_INT64 || dtype == DTYPE_FLOAT64   ? 64
           : dtype == DTYPE_INT32 || dtype == DTYPE_FLOAT32 ? 32
           : is_float(dtype)                                ? 16
                                                            : 8;
}

static void decode(enum dtype dtype, uint64_t bits, arf_t x)
{
    int width = width_of(dtype);
    bool negative = bits >> (width - 1) & 1;
    if (!is_float(dtype)) {
        bool two = dtype != DTYPE_UINT8 && dtype != DTYPE_BOOL && negative && width < 64;
        arf_set_si(x, (slong)(two ? bits | UINT64_MAX << (width - 1) : bits));
        return;
    }
    struct layout l = layout_of(dtype);
    uint64_t fraction = bits & ((UINT64_C(1) << l.fraction) - 1);
    int exponent = (int)(bits >> l.fraction & ((UINT64_C(1) << (l.bits - 1 - l.fraction)) - 1));
    if (exponent == 2 * l.bias + 1) {
        fraction != 0 ? arf_nan(x) : negative ? arf_neg_inf(x) : arf_pos_inf(x);
        return;
    }
    arf_set_ui(x, exponent ? fraction | UINT64_C(1) << l.fraction : fraction);
    arf_mul_2exp_si(x, x, (exponent ? exponent : 1) - l.bias - l.fraction);
    if (negative) {
        arf_neg(x, x);
    }
}

/* Returns the bits of x rounded to nearest even; x is finite and not 0. */
static uint64_t encode_float(enum dtype dtype, const arf_t x)
{
    struct layout l = layout_of(dtype);
    fmpz_t n, top;
    arf_t scaled;
    fmpz_init(n);
    fmpz_init(top);
    arf_init(scaled);
    arf_abs_bound_lt_2exp_fmpz(top, x); /* |x| < 2^top, strictly for a power of two */
    slong least = 1 - l.bias - l.fraction, unit = fmpz_get_si(top) - 1 - l.fraction;
    unit = unit < least ? least : unit;
    arf_mul_2exp_si(scaled, x, -unit);
    arf_abs(scaled, scaled);
    arf_get_fmpz(n, scaled, ARF_RND_NEAR);
    uint64_t result = fmpz_get_ui(n) + ((uint64_t)(unit - least) << l.fraction); /* n includes the implicit
                                                                                    bit */
    uint64_t infinity = (uint64_t)(2 * l.bias + 1) << l.fraction;
    result = result > infinity ? infinity : result;
    uint64_t sign = arf_sgn(x) < 0 ? UINT64_C(1) << (l.bits - 1) : 0;
    fmpz_clear(n);
    fmpz_clear(top);
    arf_clear(scaled);
    return result | sign;
}

enum kind { KIND_BITS, KIND_NAN_ANY, KIND_OPEN };

/* Returns x truncated to the dtype; *kind is KIND_OPEN where the dtype does not hold it: n + 2^(w − 1), or n
 * for an unsigned dtype, is no number of w bits. */
static uint64_t whole_of(const arf_t x, enum dtype to, enum kind *kind)
{
    if (!arf_is_finite(x) || arf_cmpabs_2exp_si(x, 80) > 0) {
        *kind = KIND_OPEN;
        return 0;
    }
    fmpz_t n, end;
    fmpz_init(n);
    fmpz_init(end);
    arf_get_fmpz(n, x, ARF_RND_DOWN);
    if (to != DTYPE_UINT8) {
        fmpz_set_ui(end, UINT64_C(1) << (width_of(to) - 1));
    }
    fmpz_add(n, n, end);
    bool fits = fmpz_sgn(n) >= 0 && fmpz_bits(n) <= (mp_limb_t)width_of(to);
    uint64_t result = fits ? fmpz_get_ui(n) - fmpz_get_ui(end) : 0;
    *kind = fits ? KIND_BITS : KIND_OPEN;
    fmpz_clear(n);
    fmpz_clear(end);
    return result;
}

static uint64_t expected_of(enum dtype from, uint64_t bits, enum dtype to, enum kind *kind)
{
    *kind = KIND_BITS;
    arf_t x;
    arf_init(x);
    decode(from, bits, x);
    uint64_t result = 0;
    struct layout l = layout_of(to);
    bool negative = is_float(from) && bits >> (width_of(from) - 1) & 1;
    if (to == DTYPE_BOOL) {
        result = !arf_is_zero(x);
    } else if (is_float(to)) {
        uint64_t sign = negative ? UINT64_C(1) << (l.bits - 1) : 0;
        *kind = arf_is_nan(x) ? KIND_NAN_ANY : KIND_BITS;
        result = arf_is_zero(x)  ? sign
                 : arf_is_nan(x) ? 0
                 : arf_is_inf(x) ? sign | (uint64_t)(2 * l.bias + 1) << l.fraction
                                 : encode_float(to, x);
    } else if (is_float(from)) {
        result = whole_of(x, to, kind);
    } else {
        result = (uint64_t)arf_get_si(x, ARF_RND_DOWN);
    }
    arf_clear(x);
    return width_of(to) == 64 ? result : result & ((UINT64_C(1) << width_of(to)) - 1);
}

static struct attributes into(enum dtype to)
{
    return (struct attributes){
        .count = 1,
        .item = {{.name = "dtype", .type = ATTRIBUTE_CHOICE, .integer = to, .word = dtype_info(to)->name}}};
}

/* Returns pattern i: all patterns for a narrow source, else random ones, half of them near the edges of the
 * target's range, and every exponent. */
static uint64_t pattern(enum dtype from, int i, struct philox *generator)
{
    uint64_t word = philox_next64(generator);
    if (width_of(from) <= 16) {
        return from == DTYPE_BOOL ? (uint64_t)(i & 1) : (uint64_t)i;
    }
    if (!is_float(from)) {
        return (uint64_t)((int64_t)word >> (i % 64));
    }
    struct layout l = layout_of(from);
    static const int near[] = {0,  -1, 6,  7,   8,   30,  31,  32,  62,   63,
                               64, 15, 16, 127, 128, -14, -24, -25, -126, -133};
    int count = 2 * l.bias + 2, exponent = i % 2 ? i / 2 % count : near[i / 2 % 20] + l.bias;
    uint64_t fraction = word & ((UINT64_C(1) << l.fraction) - 1);
    fraction = i % 3 == 0 ? fraction & UINT64_MAX << (l.fraction - i % 13) : fraction; /* few digits: ties */
    return (word >> 63) << (l.bits - 1) | (uint64_t)exponent << l.fraction |
           (fraction & ((UINT64_C(1) << l.fraction) - 1));
}

static bool accepts_bits(const struct accept *accept, uint64_t bits)
{
    unsigned char got[8];
    dtype_store_bits(accept->dtype, got, bits);
    return accept_judge(accept, got).accepted;
}

static void check_pair(enum dtype from, enum dtype to)
{
    struct philox generator;
    philox_start(&generator, (uint64_t)from * DTYPE_COUNT + to);
    int count = width_of(from) == 16 ? 65536 : width_of(from) == 8 ? 256 : RANDOM, open = 0;
    struct tensor x;
    struct shape shape = shape_of(1, (int64_t)count);
    cr_assert(tensor_create(&x, from, &shape));
    for (int i = 0; i < count; i++) {
        dtype_store_bits(from, x.data + (size_t)i * dtype_info(from)->size, pattern(from, i, &generator));
    }
    struct attributes attributes = into(to);
    struct truth *truth = truth_of_call("to", &attributes, 1, &x);
    struct profile ieee = profile_ieee();
    uint64_t mask = width_of(to) == 64 ? UINT64_MAX : (UINT64_C(1) << width_of(to)) - 1;
    for (int i = 0; i < count; i++) {
        enum kind kind;
        uint64_t bits = dtype_bits(from, x.data + (size_t)i * dtype_info(from)->size);
        uint64_t expected = expected_of(from, bits, to, &kind), nan = is_float(to) ? mask >> 1 : 0;
        struct accept accept = accept_of("to", &attributes, &ieee, truth, 0, i, false);
        open += kind == KIND_OPEN;
        if (kind == KIND_NAN_ANY) {
            cr_assert(accepts_bits(&accept, nan) && !accepts_bits(&accept, 0), "%#llx",
                      (unsigned long long)bits);
        } else if (kind == KIND_OPEN) {
            cr_assert(accepts_bits(&accept, 0) && accepts_bits(&accept, mask >> 1 & 77));
        } else {
            cr_assert(accepts_bits(&accept, expected), "%s %#llx into %s: not %#llx", dtype_info(from)->name,
                      (unsigned long long)bits, dtype_info(to)->name, (unsigned long long)expected);
            cr_assert_not(accepts_bits(&accept, (expected + 1) & mask), "%s %#llx into %s",
                          dtype_info(from)->name, (unsigned long long)bits, dtype_info(to)->name);
            cr_assert_not(accepts_bits(&accept, (expected - 1) & mask));
            cr_assert_not(is_float(to) && accepts_bits(&accept, expected ^ (mask ^ mask >> 1)),
                          "another sign");
        }
    }
    cr_expect_lt(open, count, "something is defined");
    truth_destroy(&truth);
    tensor_destroy(&x);
}

Test(conversion, each_pair_rounds_truncates_and_wraps_as_integers_say)
{
    for (int from = 0; from < DTYPES; from++) {
        for (int to = 0; to < DTYPES; to++) {
            if (from != to) {
                check_pair(dtypes[from], dtypes[to]);
            }
        }
    }
}

/* With one dtype every bit counts, whatever the profile leaves open; for complex64 in both components. */
Test(conversion, a_clone_keeps_every_bit)
{
    const uint32_t patterns[] = {0x7FC00001, 0x7F800001, 0xFFFFFFFF, 0x80000000, 1, 0x80000001};
    struct profile profile = profile_ieee();
    profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    profile.special_values[DTYPE_FLOAT32] = false;
    struct attributes none = {.count = 0};
    for (int complex = 0; complex < 2; complex++) {
        enum dtype dtype = complex ? DTYPE_COMPLEX64 : DTYPE_FLOAT32;
        struct tensor x;
        struct shape shape = shape_of(1, (int64_t)(complex ? 3 : 6));
        cr_assert(tensor_create(&x, dtype, &shape));
        memcpy(x.data, patterns, sizeof patterns);
        struct truth *truth = truth_of_call("clone", &none, 1, &x);
        cr_assert_null(truth->flushed);
        for (int i = 0; i < 6; i++) {
            uint32_t got[6];
            struct accept accept = accept_of("clone", &none, &profile, truth, 0, complex ? i / 2 : i, false);
            memcpy(got, patterns, sizeof got);
            const uint32_t *at = &got[complex ? i / 2 * 2 : i];
            cr_expect(accept_judge(&accept, at).accepted, "%d", i);
            got[i] = i < 3 ? 0x7FC00000 : 0;
            cr_expect_not(accept_judge(&accept, at).accepted, "%d of %s", i, dtype_info(dtype)->name);
        }
        truth_destroy(&truth);
        tensor_destroy(&x);
    }
}

/* A subnormal that may be flushed may become true or false; other nonzero numbers become true. */
Test(conversion, a_subnormal_that_may_be_flushed_is_either)
{
    const double x[] = {0x1p-149, 0x1p-126, 0.5, NAN, 0};
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)5), x);
    struct attributes attributes = into(DTYPE_BOOL);
    struct truth *truth = truth_of_call("to", &attributes, 1, &input);
    struct profile profile = profile_ieee();
    for (int flushes = 0; flushes < 2; flushes++) {
        profile.subnormals[DTYPE_FLOAT32] = flushes ? SUBNORMALS_MAY_FLUSH : SUBNORMALS_KEPT;
        for (int i = 0; i < 5; i++) {
            struct accept accept = accept_of("to", &attributes, &profile, truth, 0, i, false);
            cr_expect_eq(accepts_bits(&accept, 1), i < 4, "%d", i);
            cr_expect_eq(accepts_bits(&accept, 0), i == 4 || (i == 0 && flushes), "%d", i);
            cr_expect_not(accepts_bits(&accept, 2), "a bool is 0 or 1");
        }
    }
    truth_destroy(&truth);
    tensor_destroy(&input);
}

Test(conversion, a_dtype_must_be_named)
{
    struct shape two = shape_of(1, (int64_t)2);
    struct view x = view_contiguous(0, DTYPE_FLOAT32, &two),
                complex = view_contiguous(0, DTYPE_COMPLEX64, &two);
    struct attributes attributes = into(DTYPE_INT8);
    cr_expect(refuses("to", NULL, 1, &x, NULL));
    cr_expect_not(refuses("to", &attributes, 1, &x, NULL));
    cr_expect(refuses("to", &attributes, 1, &complex, NULL));
    cr_expect_not(refuses("clone", NULL, 1, &complex, NULL));
}
