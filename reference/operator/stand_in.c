/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/stand_in.h"

#include "reference/operator/bound_memo.h"

/* --- calls */

static bool begin(struct stood *s, const struct op_call *call, struct error *error)
{
    const struct stand_in *kit = call->op->stand_in;
    *s = (struct stood){.call = *call};
    s->call.op = kit->op(call->op, call->attributes);
    s->call.inputs = op_inputs_max(s->call.op);
    s->call.input = s->input;
    return kit->stand(s, call) || error_set(error, "%s: out of memory", call->op->name);
}

static void end(struct stood *s)
{
    for (int k = 0; k < s->call.inputs; k++) {
        if (s->own[k]) {
            tensor_destroy(&s->input[k]);
        }
    }
}

bool stand_in_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct stood s;
    bool good = begin(&s, call, error) && s.call.op->truth(&s.call, truth, error);
    end(&s);
    return good;
}

bool stand_in_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct stood s;
    bool good = begin(&s, call, error) && s.call.op->enclose(&s.call, truth, error);
    end(&s);
    return good;
}

bool stand_in_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                      struct error *error)
{
    struct stood s;
    bool good = begin(&s, call, error) && s.call.op->certify(&s.call, truth, output, element, error);
    end(&s);
    return good;
}

/* --- limits */

static struct bound_query query_of(const struct bound_query *query)
{
    struct bound_query inner = *query;
    inner.op = query->op->stand_in->op(query->op, query->attributes);
    return inner;
}

double stand_in_bound(const struct bound_query *query)
{
    const struct bound_query inner = query_of(query);
    return op_bound(&inner);
}

void stand_in_bounds(const struct bound_query *query, int64_t first, int count, double *compute)
{
    const struct bound_query inner = query_of(query);
    op_bounds(&inner, first, count, compute);
}

double stand_in_allowance(const struct bound_query *query)
{
    const struct bound_query inner = query_of(query);
    return op_allowance(&inner);
}

void stand_in_accept(const struct bound_query *query, struct accept *accept)
{
    const struct bound_query inner = query_of(query);
    op_hand_on_bound(query, &inner);
    inner.op->accept(&inner, accept);
}

bool stand_in_naive_escapes(const struct bound_query *query)
{
    const struct bound_query inner = query_of(query);
    return inner.op->naive_escapes && inner.op->naive_escapes(&inner);
}
