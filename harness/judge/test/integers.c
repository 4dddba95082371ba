/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Integer results that may be off by one: round(x), which a fast reciprocal may send to the other side of a
 * half. */

#include "harness/judge/test/mock.h"

#include <string.h>

enum { N = 4 };

static bool takes_any(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    (void)op, (void)reason;
    *out = (struct op_signature){.outputs = 1};
    out->output[0].dtype = DTYPE_INT8;
    out->output[0].shape = operands->input[0].shape;
    return true;
}

static bool rounded(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    for (int64_t i = 0; i < truth->output[0].elements; i++) {
        truth->output[0].value[i] = value_of_integer((int64_t)tensor_component(&call->input[0], i));
    }
    return true;
}

static double one_step(const struct bound_query *query)
{
    return query->exact ? 0 : 1;
}

static const struct op quantize = {.family = "test",
                                   .name = "quantize",
                                   .operands = {{"input", OPERAND_READ}},
                                   .outputs = 1,
                                   .dtypes = 1U << DTYPE_FLOAT32,
                                   .signature = takes_any,
                                   .truth = rounded,
                                   .bound = one_step};

static void open_quantize(struct mock *m, const double x[N], bool exact)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)N);
    struct view in = program_input(program, DTYPE_FLOAT32, &shape);
    for (int i = 0; i < N; i++) {
        program_set(program, &in, i, 0, x[i]);
    }
    program_step(program, &quantize, NULL, 1, &in)->exact = exact;
    mock_open(m, program, 2);
    mock_answer(m);
}

static const struct record *off_by(struct mock *m, int element, int steps)
{
    for (int r = 0; r < m->runs; r++) {
        int8_t *got = mock_element(m, r, &m->program->step[0].output[0], 0);
        got[element] = (int8_t)(got[element] + steps);
    }
    return mock_verdict(m);
}

Test(integers, a_step_is_within_the_bound)
{
    static const double x[N] = {100, -90, 60, 127};
    struct mock m;
    open_quantize(&m, x, false);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_PASS, "%s", record->reason);
    cr_expect_eq(record->max_nu, 0);
    cr_expect_float_eq(record->resolution, 1.5 / 127, 1e-12, "half a step beyond the first: %g",
                       record->resolution);
    cr_expect_float_eq(record->median_rho, 1.0 / 127, 1e-12);
    record = off_by(&m, 1, 1);
    cr_expect_eq(record->status, STATUS_PASS, "%s", record->reason);
    cr_expect_eq(record->max_nu, 1);
    cr_expect_eq(record->max_ulp, 1);
    cr_expect_eq(record->over_0, 1);
    cr_expect_eq(record->bit_exact, 0.75);
    cr_expect_eq(record->worst.index, 1);
    record = off_by(&m, 1, 1);
    cr_expect_eq(record->status, STATUS_FAIL);
    cr_expect_str_eq(record->rule, "bound");
    cr_expect_eq(record->max_nu, 2);
    cr_expect_eq(record->max_ulp, 2);
    cr_expect_eq(record->over_bound, 1);
    mock_close(&m);
}

Test(integers, a_probe_has_one_answer)
{
    static const double x[N] = {100, -90, 60, 127};
    struct mock m;
    open_quantize(&m, x, true);
    cr_expect_eq(mock_verdict(&m)->status, STATUS_PASS);
    const struct record *record = off_by(&m, 2, -1);
    cr_expect_eq(record->status, STATUS_FAIL);
    cr_expect_eq(record->max_nu, INFINITY);
    cr_expect_eq(record->max_ulp, 1);
    mock_close(&m);
}

Test(integers, small_results_are_no_evidence)
{
    struct mock m;
    open_quantize(&m, (const double[N]){1, -1, 1, 1}, false);
    cr_expect_str_eq(mock_verdict(&m)->rule, "wrong class: twice the truth");
    mock_close(&m);
    open_quantize(&m, (const double[N]){0, 0, 0, 0}, false);
    cr_expect_str_eq(mock_verdict(&m)->rule, "wrong class: truth + 1");
    mock_close(&m);
    open_quantize(&m, (const double[N]){3, 4, -3, 2}, false);
    cr_expect_str_eq(mock_verdict(&m)->rule, RECORD_RULE_WIDE);
    mock_close(&m);
}
