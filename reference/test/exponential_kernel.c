/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Loops in vectors against plain ones, to the bit, on every machine that this one can be. */

#include "reference/exponential_kernel.h"
#include "reference/test/support.h"
#include "reference/upward.h"

enum { TILE = EXPONENTIAL_TILE, TERMS = 37, STRIDE = 40, MACHINES = 8 };

static void fill(struct philox *g, double *x, int count, bool wide)
{
    for (int i = 0; i < count; i++) {
        double scale = wide ? ldexp(1, (int)philox_below(g, 2400) - 1200) : 1;
        x[i] = philox_signed(g) * scale;
    }
}

Test(exponential_kernel, products_are_the_textbooks)
{
    double left[TILE * STRIDE], other[TILE * STRIDE], panel[TERMS * TILE], second[TERMS * TILE];
    double start[2 * TILE * STRIDE], to[TILE * STRIDE], energy[TILE * STRIDE];
    struct philox g;
    philox_start(&g, 1);
    fill(&g, left, TILE * STRIDE, false);
    fill(&g, other, TILE * STRIDE, false);
    fill(&g, panel, TERMS * TILE, false);
    fill(&g, second, TERMS * TILE, false);
    fill(&g, start, 2 * TILE * STRIDE, false);
    struct exponential_factors factors = {left, other, STRIDE, panel, second, TERMS};
    for (int machine = 0; machine < MACHINES; machine++) {
        if (!exponential_force(machine)) {
            continue;
        }
        memcpy(to, start, sizeof to);
        exponential_pairs(to, STRIDE, &factors);
        for (int i = 0; i < TILE * TILE; i++) {
            int r = i / TILE, c = i % TILE;
            double sum = start[r * STRIDE + c];
            for (int k = 0; k < TERMS; k++) {
                sum +=
                    left[r * STRIDE + k] * panel[k * TILE + c] + other[r * STRIDE + k] * second[k * TILE + c];
            }
            cr_assert_eq(to[r * STRIDE + c], sum, "pairs, machine %d", machine);
        }
        memcpy(to, start, sizeof to);
        memcpy(energy, start + TILE * STRIDE, sizeof energy);
        exponential_energy(to, energy, STRIDE, &factors);
        for (int i = 0; i < TILE * TILE; i++) {
            int r = i / TILE, c = i % TILE;
            double sum = start[r * STRIDE + c], squares = start[(TILE + r) * STRIDE + c];
            for (int k = 0; k < TERMS; k++) {
                double product = left[r * STRIDE + k] * panel[k * TILE + c];
                sum += product;
                squares += product * product + sum * sum;
            }
            cr_assert(to[r * STRIDE + c] == sum && energy[r * STRIDE + c] == squares, "machine %d", machine);
        }
        cr_assert_eq(to[TILE], start[TILE], "beside the tile");
    }
    cr_assert(exponential_force(-1));
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The same numbers far in and out of range, with zeros, infinities and unknown signs. */
static void check_squaring(struct philox *g, bool wide, int machine)
{
    double row[3][TERMS], panel[3][TERMS * TILE], expected[TILE], all[TILE], opposed[TILE];
    for (int m = 0; m < 3; m++) {
        fill(g, row[m], TERMS, wide);
        fill(g, panel[m], TERMS * TILE, wide);
        for (int i = 0; i < TERMS * TILE + TERMS; i++) {
            double *x = i < TERMS ? &row[m][i] : &panel[m][i - TERMS];
            uint32_t kind = philox_below(g, 32);
            *x = m == 2      ? (kind < 12   ? 1
                                : kind < 24 ? -1
                                : kind < 28 ? 0
                                            : NAN)
                 : kind == 0 ? 0
                 : kind == 1 ? (wide ? INFINITY : 0x1p-460)
                             : fabs(*x);
        }
    }
    for (int lane = 0; lane < TILE; lane++) {
        expected[lane] = lane % 3 - 1;
    }
    struct exponential_squaring squaring = {row[0],   row[1],   row[2], panel[0],
                                            panel[1], panel[2], TERMS,  expected};
    exponential_squaring(&squaring, all, opposed);
    for (int lane = 0; lane < TILE; lane++) {
        double sum = 0, against = 0;
        for (int k = 0; k < TERMS; k++) {
            int at = k * TILE + lane;
            sum = upward_sum(sum, upward_product(row[0][k], panel[0][at]));
            if (row[2][k] * panel[2][at] != expected[lane]) {
                against = upward_sum(against, upward_product(row[1][k], panel[1][at]));
            }
        }
        cr_assert(same(sum, all[lane]), "machine %d: %a, not %a", machine, all[lane], sum);
        cr_assert(same(against, opposed[lane]), "machine %d: %a, not %a", machine, opposed[lane], against);
    }
}

Test(exponential_kernel, magnitudes_are_rounded_up_as_elsewhere)
{
    for (int machine = 0; machine < MACHINES; machine++) {
        struct philox g;
        philox_start(&g, 2);
        for (int round = 0; exponential_force(machine) && round < 60; round++) {
            check_squaring(&g, round % 2, machine);
        }
    }
    cr_assert(exponential_force(-1));
}

/* `count` words from word `position` on, as noise. */
static void words(const struct philox *g, uint64_t position, int count, double *to)
{
    struct philox h = *g;
    philox_seek(&h, position);
    for (int t = 0; t < count; t++) {
        to[t] = philox_next(&h) >> 31 ? 0.5 : -0.5;
    }
}

Test(exponential_kernel, noise_is_that_of_the_stream)
{
    static const uint64_t start[] = {0, 1, 4, 7, 1002, (1ULL << 34) - 6};
    double drawn[4][48], *to[4] = {drawn[0], drawn[1], drawn[2], drawn[3]}, columns[(TERMS + 3) * TILE],
                         expected[TERMS * TILE];
    struct philox g;
    philox_start(&g, 0x123456789abcdef0);
    for (int machine = 0; machine < MACHINES; machine++) {
        for (size_t s = 0; exponential_force(machine) && s < sizeof start / sizeof *start; s++) {
            exponential_noise(g.key, start[s], 48, 0.5, to);
            words(&g, 4 * start[s], 4 * 48, expected);
            for (int t = 0; t < 4 * 48; t++) {
                cr_assert_eq(drawn[t % 4][t / 4], expected[t], "machine %d, word %d", machine, t);
            }
            exponential_noise_columns(g.key, start[s], TERMS, 0.5, columns);
            words(&g, start[s], TERMS * TILE, expected);
            for (int t = 0; t < TERMS * TILE; t++) {
                cr_assert_eq(columns[t % TERMS * TILE + t / TERMS], expected[t], "machine %d, word %d",
                             machine, t);
            }
        }
    }
    cr_assert(exponential_force(-1));
}

static double subtract(double x, double product, double inner, double outer)
{
    product += inner * product;
    x -= product;
    return x + outer * x;
}

Test(exponential_kernel, noisy_rows_are_subtracted_in_order)
{
    double to[TERMS], x[TERMS], from[TERMS], inner[TERMS], outer[TERMS], panel[TERMS * STRIDE],
        z[TERMS * 2 * TILE], chain[TILE];
    struct philox g;
    philox_start(&g, 3);
    fill(&g, x, TERMS, false);
    fill(&g, from, TERMS, false);
    fill(&g, inner, TERMS, false);
    fill(&g, outer, TERMS, false);
    fill(&g, panel, TERMS * STRIDE, false);
    fill(&g, z, TERMS * 2 * TILE, false);
    for (int machine = 0; machine < MACHINES; machine++) {
        for (int count = 0; exponential_force(machine) && count <= TERMS; count++) {
            memcpy(to, x, sizeof to);
            exponential_update(to, from, 0.75, inner, outer, count);
            for (int j = 0; j < TERMS; j++) {
                double expected = j < count ? subtract(x[j], 0.75 * from[j], inner[j], outer[j]) : x[j];
                cr_assert_eq(to[j], expected, "machine %d, %d of %d", machine, j, count);
            }
            memcpy(chain, x, sizeof chain);
            exponential_chain(chain, from, panel, STRIDE, z, count);
            for (int lane = 0; lane < TILE; lane++) {
                double expected = x[lane];
                for (int k = 0; k < count; k++) {
                    const double *noise = z + 2 * TILE * k + lane;
                    expected = subtract(expected, from[k] * panel[k * STRIDE + lane], noise[0], noise[TILE]);
                }
                cr_assert_eq(chain[lane], expected, "machine %d, %d terms", machine, count);
            }
        }
    }
    cr_assert(exponential_force(-1));
}
