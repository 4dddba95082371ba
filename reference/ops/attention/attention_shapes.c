/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The shape rule of attention, and the places of the operands' rows. */

#include "reference/ops/attention/attention.h"

#include <math.h>

/* Returns all dimensions but the last two. */
static struct shape leading_of(const struct shape *shape)
{
    struct shape leading = *shape;
    leading.rank = shape->rank > 2 ? shape->rank - 2 : 0;
    return leading;
}

static int64_t from_end(const struct shape *shape, int d)
{
    return shape->rank > d ? shape->dim[shape->rank - 1 - d] : 1;
}

/* The leading dimensions of keys or values, with as many heads as the query has. Returns false if the heads
 * do not divide. */
static bool repeat_heads(const struct shape *query, struct shape *leading, int64_t *group)
{
    int64_t heads = query->rank ? query->dim[query->rank - 1] : 0,
            own = leading->rank ? leading->dim[leading->rank - 1] : 0;
    if (query->rank == 0 || leading->rank == 0 || own == 0 || heads % own != 0) {
        return false;
    }
    *group = heads / own;
    leading->dim[leading->rank - 1] = heads;
    return true;
}

static bool broadcast_leading(struct attention *a, const struct shape *key, const struct shape *value)
{
    struct shape both;
    return shape_broadcast(&a->query, key, &both) && shape_broadcast(&both, value, &a->all);
}

static bool mask_fits(struct attention *a, const struct shape *mask)
{
    struct shape scores = a->all;
    scores.dim[scores.rank++] = a->queries;
    scores.dim[scores.rank++] = a->keys;
    a->mask = leading_of(mask);
    a->mask_rows = from_end(mask, 1);
    a->mask_columns = from_end(mask, 0);
    return shape_broadcasts(mask, &scores);
}

static void find_scale(struct attention *a, const struct attributes *attributes)
{
    a->scaled = attributes_given(attributes, "scale");
    a->scale =
        a->scaled ? attributes_real(attributes, "scale", 1) : 1 / sqrt(a->width > 0 ? (double)a->width : 1);
}

bool attention_of_shapes(const char *name, const struct attributes *attributes, const struct shape *query,
                         const struct shape *key, const struct shape *value, const struct shape *mask,
                         enum dtype mask_dtype, struct attention *a, struct error *reason)
{
    *a = (struct attention){.key_group = 1, .value_group = 1};
    if (query->rank < 2 || key->rank < 2 || value->rank < 2) {
        return error_set(reason, "%s: query, key and value need two dimensions or more", name);
    }
    a->queries = from_end(query, 1);
    a->width = from_end(query, 0);
    a->keys = from_end(key, 1);
    a->value_width = from_end(value, 0);
    if (from_end(key, 0) != a->width) {
        return error_set(reason, "%s: rows of query have %lld elements, rows of key %lld", name,
                         (long long)a->width, (long long)from_end(key, 0));
    }
    if (from_end(value, 1) != a->keys) {
        return error_set(reason, "%s: there are %lld keys but %lld values", name, (long long)a->keys,
                         (long long)from_end(value, 1));
    }
    a->query = leading_of(query);
    a->key = leading_of(key);
    a->value = leading_of(value);
    struct shape key_all = a->key, value_all = a->value;
    if (attributes_integer(attributes, "enable_gqa", 0) &&
        (!repeat_heads(&a->query, &key_all, &a->key_group) ||
         !repeat_heads(&a->query, &value_all, &a->value_group))) {
        return error_set(reason, "%s: the heads of query must be a multiple of those of key and of value",
                         name);
    }
    if (!broadcast_leading(a, &key_all, &value_all)) {
        return error_set(reason, "%s: the leading dimensions of query, key and value do not broadcast", name);
    }
    a->causal = attributes_integer(attributes, "is_causal", 0);
    if (a->causal && mask) {
        return error_set(reason, "%s: a mask must not be given together with is_causal", name);
    }
    a->masked = mask != NULL;
    a->boolean = mask && mask_dtype == DTYPE_BOOL;
    if (mask && !mask_fits(a, mask)) {
        return error_set(reason, "%s: the mask does not broadcast to [..., %lld, %lld]", name,
                         (long long)a->queries, (long long)a->keys);
    }
    find_scale(a, attributes);
    a->batches = shape_elements(&a->all);
    return true;
}

bool attention_of_operands(const struct op *op, const struct op_operands *operands,
                           const struct attention_operands *at, struct attention *a, struct error *reason)
{
    const struct view *input = operands->input;
    const struct view *mask =
        operands->inputs > at->mask && input[at->mask].storage >= 0 ? &input[at->mask] : NULL;
    enum dtype dtype = input[at->query].dtype;
    if (!(op->dtypes >> dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(dtype)->name);
    }
    for (int i = 0; i <= at->value; i++) {
        if (input[i].dtype != dtype) {
            return error_set(reason, "%s: input %d (%s) is %s beside %s", op->name, i,
                             op_operand_name(op, operands->inputs, i), dtype_info(input[i].dtype)->name,
                             dtype_info(dtype)->name);
        }
    }
    if (mask && mask->dtype != DTYPE_BOOL && mask->dtype != dtype) {
        return error_set(reason, "%s: attn_mask must be bool or %s, not %s", op->name,
                         dtype_info(dtype)->name, dtype_info(mask->dtype)->name);
    }
    return attention_of_shapes(op->name, operands->attributes, &input[at->query].shape, &input[at->key].shape,
                               &input[at->value].shape, mask ? &mask->shape : NULL,
                               mask ? mask->dtype : dtype, a, reason);
}

void attention_of_call(const struct op_call *call, const struct attention_operands *at, struct attention *a)
{
    const struct shape *shape[OPERANDS_MAX];
    for (int i = 0; i < call->inputs; i++) {
        shape[i] = call->whole ? &call->whole[i].shape : &call->input[i].shape;
    }
    bool masked = call->inputs > at->mask && !tensor_absent(&call->input[at->mask]);
    attention_of_shapes(call->op->name, call->attributes, shape[at->query], shape[at->key], shape[at->value],
                        masked ? shape[at->mask] : NULL, masked ? call->input[at->mask].dtype : DTYPE_FLOAT32,
                        a, NULL);
}

int64_t attention_query_matrix(const struct attention *a, int64_t batch)
{
    return shape_broadcast_element(&a->query, &a->all, batch);
}

/* The matrix of keys or values, of whose heads `group` query heads share one. */
static int64_t shared_matrix(const struct attention *a, const struct shape *own, int64_t group, int64_t batch)
{
    if (group == 1) {
        return shape_broadcast_element(own, &a->all, batch);
    }
    struct shape grouped = a->all;
    int64_t heads = a->all.dim[a->all.rank - 1];
    grouped.dim[grouped.rank - 1] = heads / group;
    return shape_broadcast_element(own, &grouped, batch / heads * (heads / group) + batch % heads / group);
}

int64_t attention_key_matrix(const struct attention *a, int64_t batch)
{
    return shared_matrix(a, &a->key, a->key_group, batch);
}

int64_t attention_value_matrix(const struct attention *a, int64_t batch)
{
    return shared_matrix(a, &a->value, a->value_group, batch);
}

int64_t attention_mask_element(const struct attention *a, int64_t batch, int64_t query, int64_t key)
{
    int64_t matrix = shape_broadcast_element(&a->mask, &a->all, batch);
    return (matrix * a->mask_rows + (a->mask_rows == 1 ? 0 : query)) * a->mask_columns +
           (a->mask_columns == 1 ? 0 : key);
}
