/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the elementary functions in double against MPFR at 200 bits: every element lies within its radius. */

#include "reference/numeric/elementary/test/elementary.h"

static const struct elementary_row *row_of(const char *name)
{
    for (int f = 0; f < ELEMENTARY_ROWS; f++) {
        if (strcmp(elementary_rows[f].name, name) == 0) {
            return &elementary_rows[f];
        }
    }
    cr_assert_fail("%s", name);
    return NULL;
}

/* Counts what is said of each. */
static void hold_all(const struct elementary_row *row, const double *x, size_t count, int64_t said[5])
{
    double value[ELEMENTARY_BATCH], radius[ELEMENTARY_BATCH];
    mpfr_t from, truth;
    mpfr_inits2(ELEMENTARY_BITS, from, truth, (mpfr_ptr)0);
    row->function(x, value, radius, count);
    for (size_t i = 0; i < count; i++) {
        mpfr_set_d(from, x[i], MPFR_RNDN);
        row->truth(truth, from, MPFR_RNDN);
        struct elementary_claim claim = {row->name, x[i], 0, value[i], radius[i], row->error};
        enum elementary_says says = elementary_hold(&claim, truth);
        cr_assert(says != NOT_KNOWN || fabs(x[i]) < 0x1p-1022, "%s %a is unknown", row->name, x[i]);
        said[says]++;
    }
    mpfr_clears(from, truth, (mpfr_ptr)0);
}

/* Until so many have a radius of their own. */
static void hold_random(const struct elementary_row *row, int64_t least)
{
    double x[ELEMENTARY_BATCH];
    int64_t said[5] = {0}, batches = 0;
    struct philox g;
    philox_start(&g, 11);
    for (; said[KNOWN] < least; batches++) {
        for (int i = 0; i < ELEMENTARY_BATCH; i++) {
            x[i] = elementary_input(&g, (enum elementary_kind)(i % ELEMENTARY_KINDS));
        }
        hold_all(row, x, ELEMENTARY_BATCH, said);
    }
    cr_assert_lt(batches * ELEMENTARY_BATCH, 3 * least, "%s tells few", row->name);
    cr_assert_gt(said[EXACT], 0);
    mpfr_free_cache();
}

/* x nearer to a multiple of π/2 than others of its exponent: numerators of the convergents of π/2·2^-e, as
 * long as they have at most 53 bits; the last ones are the nearest. */
static int nearest_quarters(int e, double *x, int most)
{
    mpfr_t ratio, whole;
    mpz_t p[2], a;
    int count = 0;
    mpfr_inits2(1400, ratio, whole, (mpfr_ptr)0);
    mpz_inits(p[0], p[1], a, NULL);
    mpfr_const_pi(ratio, MPFR_RNDN);
    mpfr_div_2si(ratio, ratio, 1 + e, MPFR_RNDN);
    mpz_set_ui(p[1], 1);
    while (count < most) { /* p[0]: the one before last, p[1]: the last */
        mpfr_floor(whole, ratio);
        mpfr_get_z(a, whole, MPFR_RNDN);
        mpz_addmul(p[0], a, p[1]);
        mpz_swap(p[0], p[1]);
        if (mpz_sizeinbase(p[1], 2) > 53) {
            break;
        }
        if (mpz_sgn(p[1]) > 0) {
            x[count++] = ldexp(mpz_get_d(p[1]), e);
        }
        mpfr_sub(ratio, ratio, whole, MPFR_RNDN);
        mpfr_ui_div(ratio, 1, ratio, MPFR_RNDN);
    }
    mpfr_clears(ratio, whole, (mpfr_ptr)0);
    mpz_clears(p[0], p[1], a, NULL);
    return count;
}

#define HOLDS(name, error)                                                                                   \
    Test(elementary, name##_is_within_its_radius)                                                            \
    {                                                                                                        \
        hold_random(row_of(#name), 20000);                                                                   \
    }                                                                                                        \
    Test(elementary_slow, name##_is_within_its_radius_takes_seconds, .timeout = 600)                         \
    {                                                                                                        \
        hold_random(row_of(#name), 1000000);                                                                 \
    }
ELEMENTARY_FUNCTIONS(HOLDS)

Test(elementary, angles_next_to_quarter_turns)
{
    double x[128];
    int64_t said[5] = {0}, least = 0;
    for (int e = -55; e <= 971; e += e < 120 ? 1 : 17) {
        int count = nearest_quarters(e, x, 128);
        least += count > 0 ? 3 : 0;
        for (int f = 0; f < ELEMENTARY_ROWS; f++) {
            mpfr_function *truth = elementary_rows[f].truth;
            if (truth == mpfr_sin || truth == mpfr_cos || truth == mpfr_tan) {
                hold_all(&elementary_rows[f], x, (size_t)count, said);
            }
        }
    }
    cr_assert_gt(least, 300);
    cr_assert_geq(said[KNOWN], least);
}

/* Where rows of the tables of erf and erfc meet, and on them. */
Test(elementary, each_row_of_erf_and_erfc)
{
    enum { ROWS = 11 * 128 };
    double x[ROWS];
    int64_t said[5] = {0};
    for (int i = 0; i < ROWS; i++) {
        x[i] = (i + 1) / 128.0;
    }
    hold_all(row_of("erf"), x, ROWS, said);
    hold_all(row_of("erfc"), x, ROWS, said);
    cr_assert_eq(said[KNOWN], 2 * ROWS);
}

/* Beyond the table, to where it is below 2^-1000. */
Test(elementary, erfc_far_out)
{
    enum { STEPS = 2048 };
    double x[STEPS];
    int64_t said[5] = {0};
    for (int i = 0; i < STEPS; i++) {
        x[i] = i == 0 ? nextafter(11, 12) : 11 + i * (M_PI / 384);
    }
    hold_all(row_of("erfc"), x, STEPS, said);
    cr_assert_eq(said[KNOWN] + said[BELOW], STEPS);
    cr_assert_gt(said[KNOWN], 1800);
    cr_assert_gt(said[BELOW], 0);
}

/* Every float16 and every bfloat16. */
Test(elementary, sixteen_bits_takes_seconds, .timeout = 120)
{
    const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16};
    double x[ELEMENTARY_BATCH];
    for (int f = 0; f < ELEMENTARY_ROWS; f++) {
        int64_t said[5] = {0};
        for (int block = 0; block < 2 * 65536 / ELEMENTARY_BATCH; block++) {
            for (int i = 0; i < ELEMENTARY_BATCH; i++) {
                const uint16_t bits[4] = {(uint16_t)(block * ELEMENTARY_BATCH + i)};
                x[i] = dtype_load(dtypes[block * ELEMENTARY_BATCH / 65536], bits);
            }
            hold_all(&elementary_rows[f], x, ELEMENTARY_BATCH, said);
        }
        cr_assert_eq(said[NOT_KNOWN], 0);
    }
}

/* One float32 in ASSAY_STRIDE, from the first pattern of bits on: 1 means all, some hours a function. */
Test(elementary_slow, float32_by_strides_takes_seconds, .timeout = 0)
{
    const char *text = getenv("ASSAY_STRIDE");
    uint64_t stride = text ? strtoull(text, NULL, 10) : 65537;
    double x[ELEMENTARY_BATCH];
    cr_assert_gt(stride, 0);
    for (int f = 0; f < ELEMENTARY_ROWS; f++) {
        int64_t said[5] = {0};
        for (uint64_t next = 0; next <= UINT32_MAX;) {
            size_t count = 0;
            for (; count < ELEMENTARY_BATCH && next <= UINT32_MAX; next += stride) {
                uint32_t bits = (uint32_t)next;
                float one;
                memcpy(&one, &bits, sizeof one);
                x[count++] = (double)one;
            }
            hold_all(&elementary_rows[f], x, count, said);
        }
        cr_assert_eq(said[NOT_KNOWN], 0, "every float32 is known");
    }
}

Test(elementary, special_arguments)
{
    const struct {
        const char *name;
        double x, value, radius;
    } rows[] = {
        {"exp", INFINITY, INFINITY, 0},
        {"exp", -INFINITY, 0, 0},
        {"exp", -750, 0x1p-1022, 0x1p-1022},
        {"exp", 1000, INFINITY, INFINITY},
        {"log", 1, 0, 0},
        {"log", 0, -INFINITY, 0},
        {"log", -0.0, -INFINITY, 0},
        {"log", -1, NAN, 0},
        {"log", INFINITY, INFINITY, 0},
        {"log2", 0x1p-1074, -1074, 1074 * 0x1p-50},
        {"log2", 8, 3, 3 * 0x1p-50},
        {"tanh", -0.0, -0.0, 0},
        {"tanh", INFINITY, 1, 0},
        {"tanh", -INFINITY, -1, 0},
        {"erf", -0.0, -0.0, 0},
        {"erf", -INFINITY, -1, 0},
        {"sin", -0.0, -0.0, 0},
        {"sin", INFINITY, NAN, 0},
        {"cos", -INFINITY, NAN, 0},
        {"tan", INFINITY, NAN, 0},
        {"cos", 0, 1, 0x1p-51},
        {"expm1", -0.0, -0.0, 0},
        {"expm1", -INFINITY, -1, 0},
        {"expm1", INFINITY, INFINITY, 0},
        {"log1p", -1, -INFINITY, 0},
        {"log1p", -2, NAN, 0},
        {"log1p", -0.0, -0.0, 0},
        {"log1p", INFINITY, INFINITY, 0},
        {"exp2", -INFINITY, 0, 0},
        {"sigmoid", INFINITY, 1, 0},
        {"sigmoid", -INFINITY, 0, 0},
        {"log10", 0, -INFINITY, 0},
        {"log2", 0.5, -1, 0x1p-50},
        {"sin", 0x1p-1000, 0x1p-1000, 0x1p-1051 + 0x1p-1073},
        {"sin", 0x1p-1023, 0x1p-1023, 0x1p-1074},
        {"erf", -0x1p-1074, -0x1p-1074, 0x1p-1074},
        {"erfc", INFINITY, 0, 0},
        {"erfc", -INFINITY, 2, 0},
        {"erfc", 27, 0x1p-1001, 0x1p-1001},
        {"atan", -0.0, -0.0, 0},
        {"atan", 1, M_PI_4, 0x1p-50 * M_PI_4},
        {"atan", INFINITY, M_PI_2, 0x1p-50 * M_PI_2},
        {"atan", -INFINITY, -M_PI_2, 0x1p-50 * M_PI_2},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double value, radius;
        row_of(rows[r].name)->function(&rows[r].x, &value, &radius, 1);
        bool same = isnan(rows[r].value) ? isnan(value)
                                         : value == rows[r].value && signbit(value) == signbit(rows[r].value);
        cr_expect(same && radius == rows[r].radius, "%s %a: %a, %a", rows[r].name, rows[r].x, value, radius);
    }
    for (int f = 0; f < ELEMENTARY_ROWS; f++) {
        double x = NAN, radius;
        elementary_rows[f].function(&x, &x, &radius, 1);
        cr_expect(isnan(x) && radius == 0, "%s NaN", elementary_rows[f].name);
    }
}

/* In batches of `count` from an odd address, in place. */
static void by_parts(const struct elementary_row *row, const double *x, size_t count, double *value,
                     double *radius)
{
    static unsigned char bytes[ELEMENTARY_BATCH * sizeof(double) + 1];
    memcpy(bytes + 1, x, ELEMENTARY_BATCH * sizeof *x);
    for (size_t i = 0; i < ELEMENTARY_BATCH; i += count) {
        size_t here = ELEMENTARY_BATCH - i < count ? ELEMENTARY_BATCH - i : count;
        double part[ELEMENTARY_BATCH];
        memcpy(part, bytes + 1 + i * sizeof *x, here * sizeof *x);
        row->function(part, part, radius + i, here);
        memcpy(value + i, part, here * sizeof *part);
    }
}

Test(elementary, same_bits_on_every_machine_in_every_batch)
{
    static double x[ELEMENTARY_BATCH], value[2][ELEMENTARY_BATCH], radius[2][ELEMENTARY_BATCH];
    const size_t counts[] = {1, 3, 7, 4096};
    struct philox g;
    philox_start(&g, 12);
    for (int i = 0; i < ELEMENTARY_BATCH; i++) {
        x[i] = elementary_input(&g, (enum elementary_kind)(i % ELEMENTARY_KINDS));
    }
    for (int f = 0; f < ELEMENTARY_ROWS; f++) {
        cr_assert(elementary_force(0));
        elementary_rows[f].function(x, value[0], radius[0], ELEMENTARY_BATCH);
        for (int k = 0; k < 8 * 4; k++) {
            if (elementary_force(k / 4)) {
                by_parts(&elementary_rows[f], x, counts[k % 4], value[1], radius[1]);
                cr_assert_arr_eq(value[0], value[1], sizeof *value, "%s, machine %d, %zu at a time",
                                 elementary_rows[f].name, k / 4, counts[k % 4]);
                cr_assert_arr_eq(radius[0], radius[1], sizeof *radius, "%s", elementary_rows[f].name);
            }
        }
    }
    cr_assert(elementary_force(-1));
}

typedef void arb_function(arb_t, const arb_t, slong);

/* Another library, whose enclosures are rigorous, on some of them. */
Test(elementary, arb_says_the_same)
{
    static const struct {
        const char *name;
        arb_function *of;
    } rows[] = {{"exp", arb_exp},         {"log", arb_log},           {"tanh", arb_tanh},
                {"erf", arb_hypgeom_erf}, {"erfc", arb_hypgeom_erfc}, {"sin", arb_sin},
                {"cos", arb_cos},         {"tan", arb_tan},           {"expm1", arb_expm1},
                {"log1p", arb_log1p},     {"atan", arb_atan}};
    double x[ELEMENTARY_BATCH], value[ELEMENTARY_BATCH], radius[ELEMENTARY_BATCH];
    struct philox g;
    arb_t from, truth, rest;
    arb_init(from);
    arb_init(truth);
    arb_init(rest);
    philox_start(&g, 13);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (int i = 0; i < ELEMENTARY_BATCH; i++) {
            x[i] = elementary_input(&g, i % 2 ? SIZED : NEAR_ONE);
        }
        row_of(rows[r].name)->function(x, value, radius, ELEMENTARY_BATCH);
        for (int i = 0; i < ELEMENTARY_BATCH; i++) {
            if (radius[i] > 0x1p-900 && !isinf(radius[i])) { /* a mag_t has its own doubles */
                arb_set_d(from, x[i]);
                rows[r].of(truth, from, ELEMENTARY_BITS);
                arb_set_d(rest, value[i]);
                arb_sub(rest, truth, rest, ELEMENTARY_BITS);
                mag_t most;
                mag_init(most);
                arb_get_mag(most, rest);
                cr_assert_leq(mag_get_d(most), radius[i] * (1 + 0x1p-20), "%s %a", rows[r].name, x[i]);
                mag_clear(most);
            }
        }
    }
    arb_clear(from);
    arb_clear(truth);
    arb_clear(rest);
}
