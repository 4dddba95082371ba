/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests that the cases of midpoints fail a conversion that rounds twice, for every pair of dtypes in which
 * the bits can differ. */

#include "reference/operator/accept.h"
#include "suites/suite.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* An intermediate rounding to the precision of the target without its range: differs where the result
 * underflows. */
enum { PRECISION = DTYPE_COUNT };

static const struct pair {
    enum dtype from, to;
    int between;
} pairs[] = {
    {DTYPE_FLOAT64, DTYPE_FLOAT16, DTYPE_FLOAT32},  {DTYPE_FLOAT64, DTYPE_FLOAT16, PRECISION},
    {DTYPE_FLOAT64, DTYPE_BFLOAT16, DTYPE_FLOAT32}, {DTYPE_FLOAT64, DTYPE_BFLOAT16, PRECISION},
    {DTYPE_FLOAT64, DTYPE_FLOAT32, PRECISION},      {DTYPE_FLOAT32, DTYPE_FLOAT16, PRECISION},
    {DTYPE_FLOAT32, DTYPE_BFLOAT16, PRECISION},     {DTYPE_INT32, DTYPE_BFLOAT16, DTYPE_FLOAT32},
    {DTYPE_INT64, DTYPE_BFLOAT16, DTYPE_FLOAT32},   {DTYPE_INT64, DTYPE_BFLOAT16, DTYPE_FLOAT64},
    {DTYPE_INT64, DTYPE_FLOAT32, DTYPE_FLOAT64},
};

/* Returns x after the first rounding, by the conversions of C. */
static double first_rounding(const struct pair *pair, const unsigned char *bytes)
{
    if (!dtype_is_floating(pair->from)) {
        int64_t n = dtype_load_integer(pair->from, bytes);
        return pair->between == DTYPE_FLOAT32 ? (double)(float)n : (double)n;
    }
    double x = dtype_load(pair->from, bytes);
    if (pair->between == DTYPE_FLOAT32) {
        return (double)(float)x;
    }
    int e, bits = dtype_info(pair->to)->precision;
    double m = frexp(x, &e);
    return ldexp(nearbyint(ldexp(m, bits)), e - bits);
}

/* Returns the truth of the only step of the case, from contiguous copies of its operands. */
static struct truth *truth_of(const struct step *step, struct tensor input[2])
{
    struct op_operands operands = {
        .attributes = &step->attributes, .inputs = step->inputs, .input = step->input, .value = input};
    struct op_signature signature;
    struct op_call call = {
        .op = step->op, .attributes = &step->attributes, .inputs = step->inputs, .input = input};
    struct error error = {.text = ""};
    cr_assert(step->op->signature(step->op, &operands, &signature, &error), "%s", error.text);
    struct truth *truth = op_truth(&call, &signature, &error);
    cr_assert_not_null(truth, "%s", error.text);
    return truth;
}

static bool accepts(const struct step *step, const struct truth *truth, int64_t i, const unsigned char *got)
{
    struct profile ieee = profile_ieee();
    ieee.accumulate[DTYPE_FLOAT16] = ieee.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    struct bound_query query = {
        .op = step->op, .profile = &ieee, .attributes = &step->attributes, .truth = truth, .element = i};
    struct accept accept;
    op_accept(&query, &accept);
    return accept_judge(&accept, got).accepted;
}

/* Returns how many elements of the case reject the result of two roundings. */
static int refused(const struct suite_case *c, const struct pair *pair)
{
    struct program *program = suite_build(c, 1, NULL);
    cr_assert_not_null(program);
    const struct step *step = &program->step[0];
    int source = step->inputs - 1; /* the first input of copy_ is the operand that it writes */
    const struct view *from = &step->input[source];
    size_t size = dtype_info(pair->from)->size;
    struct tensor input[2];
    int count = 0;
    cr_assert(tensor_create(&input[1 - source], pair->to, &from->shape));
    cr_assert(tensor_create(&input[source], pair->from, &from->shape));
    for (int64_t i = 0; i < shape_elements(&from->shape); i++) {
        memcpy(input[source].data + (size_t)i * size,
               program->storage[from->storage].data + (size_t)view_element(from, i) * size, size);
    }
    struct truth *truth = truth_of(step, input);
    for (int64_t i = 0; i < shape_elements(&from->shape); i++) {
        unsigned char once[8], twice[8];
        value_store(&truth->output[0].value[i], pair->to, once);
        dtype_store(pair->to, twice, first_rounding(pair, input[source].data + (size_t)i * size));
        cr_assert(accepts(step, truth, i, once));
        bool differs = dtype_bits(pair->to, once) != dtype_bits(pair->to, twice);
        cr_assert_eq(!accepts(step, truth, i, twice), differs, "element %d", (int)i);
        count += differs;
    }
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    program_destroy(&program);
    return count;
}

Test(conversions, midpoints_fail_two_roundings_in_every_pair)
{
    struct suite_list *list = suite_list_create();
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        char id[96];
        snprintf(id, sizeof id, "inplace/copy_/%s/from-%s-midpoints", dtype_info(pairs[p].to)->name,
                 dtype_info(pairs[p].from)->name);
        int index = suite_list_find(list, id);
        cr_assert_geq(index, 0, "%s is gone", id);
        cr_expect_gt(refused(suite_list_at(list, index), &pairs[p]), 10, "%s, pair %zu", id, p);
        snprintf(id, sizeof id, "conversion/to/%s/%s-midpoints", dtype_info(pairs[p].from)->name,
                 dtype_info(pairs[p].to)->name);
        index = suite_list_find(list, id);
        cr_assert_geq(index, 0, "%s is gone", id);
        cr_expect_gt(refused(suite_list_at(list, index), &pairs[p]), 10, "%s, pair %zu", id, p);
    }
    suite_list_destroy(&list);
}
