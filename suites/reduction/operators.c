/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/reduction/operators.h"

#include "reference/ops/argmax/argmax.h"
#include "reference/ops/rowwise/rowwise.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned bits;
} special[] = {
    {"prod", ROW_NO_CANCELLING | ROW_NO_ENDS},
    {"mean", ROW_MANY_TERMS},
    {"mean_backward", ROW_MANY_TERMS},
    {"logsumexp", ROW_NO_EMPTY_LIST | ROW_LONG_NEGATIVE},
    {"logsumexp_backward", ROW_NO_ENDS | ROW_NO_EMPTY_LIST},
    {"softmax", ROW_LONG_RANDOM | ROW_LONG_NEGATIVE | ROW_LONG_NEGATIVE_DOUBLE},
    {"softmin", ROW_LONG_NEGATIVE},
    {"log_softmax", ROW_NO_SINGLE | ROW_LONG_RANDOM | ROW_LONG_RANDOM_DOUBLE},
    {"softmax_backward", ROW_NO_ZEROS},
    {"log_softmax_backward", ROW_NO_ENDS | ROW_NO_ZEROS | ROW_OF_LOGARITHMS},
    {"var", ROW_NO_ENDS | ROW_NO_ZEROS | ROW_MANY_TERMS},
    {"std", ROW_NO_ENDS | ROW_NO_ZEROS | ROW_MANY_TERMS},
    {"var_backward", ROW_NO_ENDS | ROW_NO_SINGLE | ROW_MANY_TERMS},
    {"std_backward", ROW_NO_ENDS | ROW_NO_ZEROS | ROW_NO_SINGLE | ROW_MANY_TERMS},
};

static unsigned kinds_of(const struct op *op)
{
    const struct rowwise *row = op->rowwise;
    const bool sums = op->truth == rowwise_sum_truth;
    const bool deviation = op_attribute_named(op, "correction");
    return (sums && !row->mean ? ROW_SUM : 0) | (sums && row->mean ? ROW_MEAN : 0) |
           (op->truth == rowwise_product ? ROW_PRODUCT : 0) | (row->count ? ROW_COUNT : 0) |
           (row->needs_terms ? ROW_EXTREMUM : 0) | (row->maps ? ROW_MAP : 0) |
           (row->gradient ? ROW_GRADIENT : 0) | (deviation ? ROW_DEVIATION : 0) |
           (deviation && row->gradient ? ROW_DEVIATION_GRADIENT : 0) |
           (row->needs_terms && row->gradient ? ROW_EXTREMUM_GRADIENT : 0) |
           (row->rescales ? ROW_EXPONENTIAL : 0) | (row->formula && op_inputs_max(op) == 1 ? ROW_FORMULA : 0);
}

unsigned row_operator(const struct op *op)
{
    unsigned bits = kinds_of(op);
    for (size_t k = 0; k < sizeof special / sizeof *special; k++) {
        bits |= strcmp(special[k].name, op->name) == 0 ? special[k].bits : 0;
    }
    return bits;
}

bool row_picks_least(const struct op *op)
{
    return op->rowwise ? op->rowwise->least : argmax_picks_least(op);
}
