/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Element-wise gradients where subnormal numbers may be flushed. */

#include "reference/operator/bound_memo.h"
#include "reference/ops/elementwise/elementwise_workspace.h"

#include <math.h>

/* Half of grad may be flushed (gelu, whose slope is at most 1.13), or a product of it in each of two terms.
 * At most two and a quarter times the least normal number is lost, and acceptance already allows one of
 * these. */
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
