/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/shapes/attention_sizes.h"

#include <math.h>

static int64_t from_end(const struct shape *shape, int d)
{
    return d < shape->rank ? shape->dim[shape->rank - 1 - d] : 1;
}

/* Joins the leading dimensions of an operand to those of the result. Grouped heads divide the result's. */
static bool join(struct shape *all, const struct shape *own, bool grouped, int64_t *group)
{
    int rank = all->rank > own->rank - 2 ? all->rank : own->rank - 2;
    struct shape both = {.rank = rank};
    *group = 1;
    for (int d = 0; d < rank; d++) {
        int64_t x = from_end(all, d), y = from_end(own, d + 2);
        if (grouped && d == 0) {
            if (y == 0 || x % y != 0) {
                return false;
            }
            *group = x / y;
            y = x;
        }
        if (x != y && x != 1 && y != 1) {
            return false;
        }
        both.dim[rank - 1 - d] = x == 1 ? y : x;
    }
    *all = both;
    return true;
}

static bool mask_fits(const struct attention_sizes *s, const struct view *mask, enum dtype dtype)
{
    const struct shape *m = &mask->shape;
    bool fits = m->rank <= s->all.rank + 2 && (from_end(m, 0) == 1 || from_end(m, 0) == s->keys) &&
                (from_end(m, 1) == 1 || from_end(m, 1) == s->queries) &&
                (mask->dtype == DTYPE_BOOL || mask->dtype == dtype);
    for (int d = 2; d < m->rank && fits; d++) {
        fits = from_end(m, d) == 1 || from_end(m, d) == from_end(&s->all, d - 2);
    }
    return fits;
}

const char *attention_sizes_of(const struct attributes *attributes, int inputs, const struct view *input,
                               struct attention_sizes *s)
{
    const struct shape *q = &input[0].shape, *k = &input[1].shape, *v = &input[2].shape;
    const bool grouped = attributes_integer(attributes, "enable_gqa", 0);
    *s = (struct attention_sizes){.masked = inputs > 3 && input[3].storage >= 0,
                                  .causal = attributes_integer(attributes, "is_causal", 0)};
    for (int i = 0; i < 3; i++) {
        if (!dtype_is_real(input[i].dtype) || input[i].dtype != input[0].dtype || input[i].shape.rank < 2) {
            return "the operands' dtypes or ranks do not fit";
        }
    }
    s->queries = from_end(q, 1);
    s->width = from_end(q, 0);
    s->keys = from_end(k, 1);
    s->value_width = from_end(v, 0);
    int64_t unused;
    if (from_end(k, 0) != s->width || from_end(v, 1) != s->keys) {
        return "rows of query and key, or the numbers of keys and values, differ";
    }
    if ((grouped && (q->rank < 3 || k->rank < 3 || v->rank < 3)) || !join(&s->all, q, false, &unused) ||
        !join(&s->all, k, grouped, &s->key_group) || !join(&s->all, v, grouped, &s->value_group)) {
        return "the leading dimensions do not fit";
    }
    if (s->masked && s->causal) {
        return "a mask and is_causal exclude each other";
    }
    if (s->masked && !mask_fits(s, &input[3], input[0].dtype)) {
        return "the mask does not fit";
    }
    s->scale = attributes_real(attributes, "scale", 1 / sqrt((double)(s->width ? s->width : 1)));
    return NULL;
}

bool attention_sizes_fit(const struct attention_sizes *s, const struct shape *result)
{
    struct shape own = s->all;
    own.dim[own.rank++] = s->queries;
    own.dim[own.rank++] = s->value_width;
    return shape_equal(&own, result);
}
