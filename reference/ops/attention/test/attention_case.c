/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/test/attention_case.h"

static double held(enum dtype dtype, double x)
{
    unsigned char bytes[8];
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

static double normal(struct philox *g)
{
    double sum = -6; /* twelve uniform numbers: variance 1 */
    for (int k = 0; k < 12; k++) {
        sum += philox_unit(g);
    }
    return sum;
}

static double *numbers(const struct attention_case *p, struct philox *g, int count, double factor)
{
    double *x = malloc(((size_t)count + 1) * sizeof *x);
    cr_assert(x);
    for (int i = 0; i < count; i++) {
        x[i] = held(p->dtype, normal(g) * factor);
    }
    return x;
}

static void fill_mask(struct attention_case *p, struct philox *g)
{
    const int count = p->mask_batch * p->mask_heads * p->mask_queries * p->keys;
    p->bias = malloc(((size_t)count + 1) * sizeof *p->bias);
    cr_assert(p->bias);
    for (int i = 0; i < count; i++) {
        bool out = philox_below(g, 10) < 4;
        double finite = held(p->dtype, normal(g));
        p->bias[i] = p->mask == MASK_BOOL       ? (out ? -INFINITY : 0)
                     : p->mask == MASK_INFINITE ? (out ? -INFINITY : finite)
                                                : finite;
    }
}

void attention_case_fill(struct attention_case *p, uint64_t seed, double peak)
{
    struct philox g;
    philox_start(&g, seed);
    const int heads = p->batch * p->heads, key_heads = p->batch * p->key_heads;
    p->query = numbers(p, &g, heads * p->queries * p->width, peak);
    p->key = numbers(p, &g, key_heads * p->keys * p->width, 1);
    p->value = numbers(p, &g, key_heads * p->keys * p->value_width, 1);
    p->grad = numbers(p, &g, heads * p->queries * p->value_width, 1);
    fill_mask(p, &g);
    const int64_t b = p->batch, h = p->heads, kh = p->key_heads, l = p->queries, m = p->keys, d = p->width,
                  v = p->value_width;
    p->input[0] = tensor_from(p->dtype, shape_of(4, b, h, l, v), p->grad);
    p->input[1] = tensor_from(p->dtype, shape_of(4, b, h, l, d), p->query);
    p->input[2] = tensor_from(p->dtype, shape_of(4, b, kh, m, d), p->key);
    p->input[3] = tensor_from(p->dtype, shape_of(4, b, kh, m, v), p->value);
    p->inputs = 4;
    if (p->mask != MASK_NONE && p->mask != MASK_CAUSAL) {
        struct shape shape =
            shape_of(4, (int64_t)p->mask_batch, (int64_t)p->mask_heads, (int64_t)p->mask_queries, m);
        if (p->mask == MASK_BOOL) {
            cr_assert(tensor_create(&p->input[4], DTYPE_BOOL, &shape));
            for (int64_t i = 0; i < shape_elements(&shape); i++) {
                p->input[4].data[i] = p->bias[i] == 0;
            }
        } else {
            p->input[4] = tensor_from(p->dtype, shape, p->bias);
        }
        p->inputs = 5;
    }
    p->scale = p->scaled ? p->scale : 1 / sqrt(p->width);
    p->attributes = (struct attributes){.count = 0};
    struct attribute *item = p->attributes.item;
    if (p->scaled) {
        item[p->attributes.count++] =
            (struct attribute){.name = "scale", .type = ATTRIBUTE_REAL, .real = p->scale};
    }
    if (p->mask == MASK_CAUSAL) {
        item[p->attributes.count++] =
            (struct attribute){.name = "is_causal", .type = ATTRIBUTE_BOOL, .integer = 1};
    }
    if (p->heads != p->key_heads) {
        item[p->attributes.count++] =
            (struct attribute){.name = "enable_gqa", .type = ATTRIBUTE_BOOL, .integer = 1};
    }
}

void attention_case_clear(struct attention_case *p)
{
    for (int i = 0; i < p->inputs; i++) {
        tensor_destroy(&p->input[i]);
    }
    free(p->query);
    free(p->key);
    free(p->value);
    free(p->grad);
    free(p->bias);
}

int64_t attention_case_mask(const struct attention_case *p, int b, int h, int i, int j)
{
    int64_t at = p->mask_batch > 1 ? b : 0;
    at = at * p->mask_heads + (p->mask_heads > 1 ? h : 0);
    at = at * p->mask_queries + (p->mask_queries > 1 ? i : 0);
    return at * p->keys + j;
}

bool attention_case_takes(const struct attention_case *p, int b, int h, int i, int j, double *bias)
{
    *bias = 0;
    if (p->mask == MASK_NONE || p->mask == MASK_CAUSAL) {
        return p->mask == MASK_NONE || j <= i;
    }
    double x = p->bias[attention_case_mask(p, b, h, i, j)];
    *bias = x == -INFINITY ? 0 : x;
    return x != -INFINITY;
}

const double *attention_case_query(const struct attention_case *p, int b, int h, int i)
{
    return p->query + ((b * p->heads + h) * p->queries + i) * p->width;
}

const double *attention_case_key(const struct attention_case *p, int b, int h, int j)
{
    return p->key + ((b * p->key_heads + h / (p->heads / p->key_heads)) * p->keys + j) * p->width;
}

const double *attention_case_value(const struct attention_case *p, int b, int h, int j)
{
    return p->value + ((b * p->key_heads + h / (p->heads / p->key_heads)) * p->keys + j) * p->value_width;
}

const double *attention_case_grad(const struct attention_case *p, int b, int h, int i)
{
    return p->grad + ((b * p->heads + h) * p->queries + i) * p->value_width;
}

struct attention_case attention_case_any(enum dtype dtype, uint64_t seed, int most)
{
    struct philox g;
    philox_start(&g, seed + 1000);
    struct attention_case p = {.dtype = dtype};
    p.batch = 1 + (int)philox_below(&g, 2);
    p.key_heads = 1 + (int)philox_below(&g, 2);
    p.heads = p.key_heads * (1 + (int)philox_below(&g, 2));
    p.queries = 1 + (int)philox_below(&g, (uint32_t)most);
    p.keys = 1 + (int)philox_below(&g, (uint32_t)most);
    p.width = 1 + (int)philox_below(&g, (uint32_t)most);
    p.value_width = 1 + (int)philox_below(&g, (uint32_t)most);
    p.mask = (enum case_mask)philox_below(&g, MASK_KINDS);
    p.mask_batch = philox_below(&g, 2) ? p.batch : 1;
    p.mask_heads = philox_below(&g, 2) ? p.heads : 1;
    p.mask_queries = philox_below(&g, 2) ? p.queries : 1;
    p.scaled = philox_below(&g, 2);
    p.scale = 0.3;
    const double peaks[] = {1, 1, 1, 10};
    attention_case_fill(&p, seed, peaks[philox_below(&g, 4)]);
    return p;
}
