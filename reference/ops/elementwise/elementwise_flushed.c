/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Gradients of the element-wise kit where subnormal numbers may be flushed. */

#include "reference/operator/bound_memo.h"
#include "reference/ops/elementwise/elementwise_workspace.h"

#include <math.h>

/* Half of grad may be flushed (gelu's, whose slope is 1.13 at most), or a product of it in each of two terms:
 * no more than two and a quarter times the least normal number is lost, one of which acceptance has. */
void elementwise_allow_flushed(const struct bound_query *query,
                               const struct primitive_errors *primitive_errors, int64_t first, int count,
                               double *bound)
{
    const struct truth_output *out = &query->truth->output[0];
    const bool concerned = !query->exact && elementwise_is_gradient(query->op);
    const double flushed = concerned ? primitive_errors->of[EXPRESSION_FLUSH] : 0;
    const double *grad = &out->sensitivity[first * out->sensitivities];
    for (int i = 0; flushed > 0 && i < count; i++) {
        bound[i] += fabs(grad[(int64_t)i * out->sensitivities]) < 4 * flushed ? 2 * flushed : 0;
    }
}
