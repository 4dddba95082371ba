/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/matmul/matmul_shape.h"

#include <string.h>

bool product_of(bool linear, const struct shape *a, const struct shape *b, struct product *p)
{
    *p = (struct product){.m = 1, .n = 1};
    if (a->rank == 0 || b->rank == 0 || (linear && b->rank != 2)) {
        return false;
    }
    int kb = linear ? 1 : b->rank == 1 ? 0 : b->rank - 2;
    p->k = a->dim[a->rank - 1];
    p->m = a->rank > 1 ? a->dim[a->rank - 2] : 1;
    p->n = b->rank > 1 ? b->dim[linear ? 0 : b->rank - 1] : 1;
    p->a.rank = a->rank > 2 ? a->rank - 2 : 0;
    p->b.rank = b->rank > 2 ? b->rank - 2 : 0;
    memcpy(p->a.dim, a->dim, sizeof p->a.dim);
    memcpy(p->b.dim, b->dim, sizeof p->b.dim);
    if (p->k != b->dim[kb] || !shape_broadcast(&p->a, &p->b, &p->all)) {
        return false;
    }
    p->result = p->all;
    if (a->rank > 1) {
        p->result.dim[p->result.rank++] = p->m;
    }
    if (b->rank > 1) {
        p->result.dim[p->result.rank++] = p->n;
    }
    return true;
}
