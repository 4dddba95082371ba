/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/lowering.h"

#include "reference/operator/bound_memo.h"

/* --- calls */

static bool begin(struct lowered_call *s, const struct op_call *call, struct error *error)
{
    const struct lowering *lowering = call->op->lowering;
    *s = (struct lowered_call){.call = *call};
    s->call.op = lowering->op(call->op, call->attributes);
    s->call.inputs = op_inputs_max(s->call.op);
    s->call.input = s->input;
    return lowering->lower(s, call) || error_set(error, "%s: out of memory", call->op->name);
}

static void end(struct lowered_call *s)
{
    for (int k = 0; k < s->call.inputs; k++) {
        if (s->own[k]) {
            tensor_destroy(&s->input[k]);
        }
    }
}

bool lowering_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct lowered_call s;
    bool good = begin(&s, call, error) && s.call.op->truth(&s.call, truth, error);
    end(&s);
    return good;
}

bool lowering_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct lowered_call s;
    bool good = begin(&s, call, error) && s.call.op->enclose(&s.call, truth, error);
    end(&s);
    return good;
}

bool lowering_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                      struct error *error)
{
    struct lowered_call s;
    bool good = begin(&s, call, error) && s.call.op->certify(&s.call, truth, output, element, error);
    end(&s);
    return good;
}

/* --- bounds */

static struct bound_query query_of(const struct bound_query *query)
{
    struct bound_query inner = *query;
    inner.op = query->op->lowering->op(query->op, query->attributes);
    return inner;
}

double lowering_bound(const struct bound_query *query)
{
    const struct bound_query inner = query_of(query);
    return op_bound(&inner);
}

void lowering_bounds(const struct bound_query *query, int64_t first, int count, double *compute)
{
    const struct bound_query inner = query_of(query);
    op_bounds(&inner, first, count, compute);
}

double lowering_primitive_error(const struct bound_query *query)
{
    const struct bound_query inner = query_of(query);
    return op_primitive_error(&inner);
}

void lowering_accept(const struct bound_query *query, struct accept *accept)
{
    const struct bound_query inner = query_of(query);
    op_hand_on_bound(query, &inner);
    inner.op->accept(&inner, accept);
}

bool lowering_naive_may_overflow(const struct bound_query *query)
{
    const struct bound_query inner = query_of(query);
    return inner.op->naive_may_overflow && inner.op->naive_may_overflow(&inner);
}
