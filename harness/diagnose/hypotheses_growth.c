/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/hypotheses_parts.h"

#include <math.h>
#include <stdlib.h>

enum { RIVALS = 4 };

bool growth_open(struct growth *growth, int64_t capacity)
{
    *growth = (struct growth){.capacity = capacity};
    size_t bytes = ((size_t)capacity + 1) * sizeof *growth->error;
    growth->error = malloc(bytes);
    growth->base = malloc(bytes);
    bool good = growth->error && growth->base;
    for (int r = 0; r < RIVALS; r++) {
        growth->rival[r] = malloc(bytes);
        good = good && growth->rival[r];
    }
    if (!good) {
        growth_close(growth);
    }
    return good;
}

void growth_close(struct growth *growth)
{
    free(growth->error);
    free(growth->base);
    for (int r = 0; r < RIVALS; r++) {
        free(growth->rival[r]);
    }
    *growth = (struct growth){.count = 0};
}

void growth_add(struct growth *growth, double error, double base, double scale, double truth, double other)
{
    int64_t k = growth->count++;
    growth->error[k] = error;
    growth->base[k] = base;
    growth->rival[0][k] = scale;
    growth->rival[1][k] = fabs(truth);
    growth->rival[2][k] = 1;
    growth->rival[3][k] = other;
}

/* The logarithm of the likelihood of the errors, up to a constant, if they are a times the rival's scale. */
static double likelihood(const struct growth *growth, int rival, double a)
{
    double sum = 0;
    for (int64_t k = 0; k < growth->count; k++) {
        double scale = a * growth->rival[rival][k], base = growth->base[k],
               variance = scale * scale + base * base;
        if (variance > 0) {
            sum -= log(variance) / 2 + growth->error[k] * growth->error[k] / variance / 2;
        } else if (growth->error[k] != 0) {
            return -INFINITY;
        }
    }
    return sum;
}

/* The greatest likelihood over a, which is sought from root mean squares on: first in factors of 2, then of
 * 2^(1/8). */
static double greatest(const struct growth *growth, int rival, double *size)
{
    double square = 0, errors = 0, best = -INFINITY;
    for (int64_t k = 0; k < growth->count; k++) {
        square += growth->rival[rival][k] * growth->rival[rival][k];
        errors += growth->error[k] * growth->error[k];
    }
    double middle = square > 0 ? sqrt(errors / square) : 1;
    *size = middle;
    for (int fine = 0; fine <= 1; fine++) {
        double from = *size;
        for (int e = fine ? -8 : -12; e <= (fine ? 8 : 12); e++) {
            double a = from * exp2(fine ? e / 8. : e), l = likelihood(growth, rival, a);
            if (l > best) {
                best = l;
                *size = a;
            }
        }
    }
    return best;
}

bool growth_favours(const struct growth *growth, double *size)
{
    const double margin = 4;
    double other, best = greatest(growth, 0, size);
    bool favoured = growth->count > 0 && isfinite(best);
    for (int r = 1; favoured && r < RIVALS; r++) {
        favoured = best >= greatest(growth, r, &other) + margin;
    }
    return favoured;
}
