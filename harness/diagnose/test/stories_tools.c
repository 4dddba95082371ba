/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/test/stories.h"

#include <math.h>

struct story_data story;

double story_uniform(void)
{
    story.seed += 0x9E3779B97F4A7C15u;
    uint64_t z = story.seed;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

double story_normal(void)
{
    double r = sqrt(-2 * log(story_uniform()));
    return r * cos(6.283185307179586 * story_uniform());
}

double story_round(enum dtype dtype, double x)
{
    unsigned char bytes[8];
    if (!dtype_is_floating(dtype)) {
        return x;
    }
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

static struct story_tensor *begin(int i, enum dtype dtype, struct shape shape)
{
    struct story_tensor *in = &story.in[i];
    in->dtype = dtype;
    in->shape = shape;
    story.inputs = i >= story.inputs ? i + 1 : story.inputs;
    return in;
}

void story_numbers(int i, enum dtype dtype, struct shape shape, double scale, double shift)
{
    struct story_tensor *in = begin(i, dtype, shape);
    for (int64_t k = 0; k < shape_elements(&shape); k++) {
        in->x[k] = story_round(dtype, scale * story_normal() + shift);
    }
}

void story_whole(int i, enum dtype dtype, struct shape shape, int64_t least, int64_t most)
{
    struct story_tensor *in = begin(i, dtype, shape);
    for (int64_t k = 0; k < shape_elements(&shape); k++) {
        in->x[k] = floor((double)least + story_uniform() * (double)(most - least + 1));
    }
}

void story_scalar(int i, enum dtype dtype, double x)
{
    begin(i, dtype, (struct shape){.rank = 0})->x[0] = story_round(dtype, x);
}

void story_result(enum dtype dtype, struct shape shape)
{
    story.results = 1;
    story.got[0].dtype = dtype;
    story.got[0].shape = shape;
}

void story_put(int64_t at, long double x)
{
    story.got[0].x[at] = story_round(story.got[0].dtype, (double)x);
}

double story_in(int i, int64_t at)
{
    return story.in[i].x[at];
}

void story_matmul(int64_t m, int64_t k, int64_t n, bool transposed)
{
    story_result(story.in[0].dtype, shape_of(2, m, n));
    for (int64_t e = 0; e < m * n; e++) {
        long double sum = 0;
        for (int64_t l = 0; l < k; l++) {
            sum += (long double)story_in(0, e / n * k + l) *
                   (long double)story_in(1, transposed ? e % n * k + l : l * n + e % n);
        }
        story_put(e, sum);
    }
}

void story_layer_norm(int64_t rows, int64_t n, double eps, double times, int w, int b)
{
    story_result(story.in[0].dtype, story.in[0].shape);
    for (int64_t r = 0; r < rows; r++) {
        long double mean = 0, variance = 0;
        for (int64_t k = 0; k < n; k++) {
            mean += (long double)story_in(0, r * n + k) / (long double)n;
        }
        for (int64_t k = 0; k < n; k++) {
            long double d = (long double)story_in(0, r * n + k) - mean;
            variance += d * d / (long double)n;
        }
        for (int64_t k = 0; k < n; k++) {
            long double y = ((long double)story_in(0, r * n + k) - mean) /
                            sqrtl(variance * (long double)times + (long double)eps);
            y *= w >= 0 ? (long double)story_in(w, k) : 1;
            story_put(r * n + k, y + (b >= 0 ? (long double)story_in(b, k) : 0));
        }
    }
}

double story_sum(const double *term, int64_t count, int64_t block, enum dtype format)
{
    double sum = 0;
    for (int64_t first = 0; first < count; first += block) {
        double total = 0;
        for (int64_t k = first; k < count && k < first + block; k++) {
            total += term[k];
        }
        sum = story_round(format, sum + total);
    }
    return sum;
}
