/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the certified bits of a truth against those that the definition gives element by element. */

#include "reference/base/philox.h"
#include "reference/operator/value_batch.h"
#include "reference/program/refine.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* The same for numbers that are not filled in. */
static void expect_bits_of_numbers(struct truth *truth, int least)
{
    struct truth_output *out = &truth->output[0];
    struct value *known = out->value;
    double *number = malloc((size_t)out->elements * sizeof *number);
    for (int64_t i = 0; i < out->elements; i++) {
        number[i] = known[i].hi;
    }
    out->value = NULL;
    out->number = number;
    cr_assert_eq(refine_bits(truth, 0, 0, out->elements), least);
    out->value = known;
    out->number = NULL;
    free(number);
}

/* Of numbers and radii of any size: normal ones, subnormal, none, infinite. */
Test(refine, the_bits_of_values_of_any_size)
{
    enum { COUNT = 2 * BATCH_MAX + 3 };
    static const double sizes[] = {1, 1.5, 0x1p-1022, 0x1p-1030, 0x1.8p300};
    struct truth *truth = calloc(1, sizeof *truth);
    struct truth_output *out = &truth->output[0];
    struct shape shape = shape_of(1, (int64_t)COUNT);
    truth->bits = 400;
    truth->outputs = 1;
    cr_assert(truth_output_create(out, DTYPE_FLOAT64, &shape, 0, true) && truth_output_radius(out, true));
    for (int turn = 0; turn < 200; turn++) {
        struct philox g;
        philox_start(&g, (uint64_t)turn);
        int least = truth->bits;
        for (int i = 0; i < COUNT; i++) {
            double size = turn % 2 ? sizes[philox_below(&g, 5)] : sizes[philox_below(&g, 2)];
            double radius = ldexp(philox_unit(&g) * size, turn >= 190 ? 1 : size < 0x1p-1000 ? -5 : -100);
            int kind = (int)philox_below(&g, 16), from, to;
            radius = kind == 0 ? 0 : kind == 1 ? INFINITY : radius;
            if (turn % 4 == 2 && turn < 190 &&
                i >= BATCH_MAX) { /* one has a bit less, the others have many */
                radius = size * (i == BATCH_MAX + turn ? 0x1p-99 : 0x1p-120);
            }
            out->value[i] = value_of(kind % 2 ? size : -size);
            out->radius[i] = radius;
            frexp(size, &from);
            frexp(radius, &to);
            int bits = radius > 0 && radius < INFINITY ? from - 1 - to : least;
            least = bits < 0 ? 0 : bits < least ? bits : least;
        }
        cr_assert_eq(refine_bits(truth, 0, 0, COUNT), least, "%d: %d, not %d", turn,
                     refine_bits(truth, 0, 0, COUNT), least);
        cr_assert_geq(refine_bits(truth, 0, 5, 9), least);
        expect_bits_of_numbers(truth, least);
    }
    truth_destroy(&truth);
}
