/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the vector loops, to the bit, against plain ones, for every isa that the processor has. */

#include "reference/numeric/matrix/exponential_kernel.h"
#include "reference/numeric/round_up.h"
#include "reference/test/support.h"

enum { TILE = EXPONENTIAL_TILE, TERMS = 37, STRIDE = 40, ISAS = 8 };

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
    for (int isa = 0; isa < ISAS; isa++) {
        if (!exponential_force(isa)) {
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
            cr_assert_eq(to[r * STRIDE + c], sum, "pairs, machine %d", isa);
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
            cr_assert(to[r * STRIDE + c] == sum && energy[r * STRIDE + c] == squares, "machine %d", isa);
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
static void check_squaring(struct philox *g, bool wide, int isa)
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
            sum = round_up_sum(sum, round_up_product(row[0][k], panel[0][at]));
            if (row[2][k] * panel[2][at] != expected[lane]) {
                against = round_up_sum(against, round_up_product(row[1][k], panel[1][at]));
            }
        }
        cr_assert(same(sum, all[lane]), "machine %d: %a, not %a", isa, all[lane], sum);
        cr_assert(same(against, opposed[lane]), "machine %d: %a, not %a", isa, opposed[lane], against);
    }
}

Test(exponential_kernel, magnitudes_are_rounded_up_as_elsewhere)
{
    for (int isa = 0; isa < ISAS; isa++) {
        struct philox g;
        philox_start(&g, 2);
        for (int round = 0; exponential_force(isa) && round < 60; round++) {
            check_squaring(&g, round % 2, isa);
        }
    }
    cr_assert(exponential_force(-1));
}
