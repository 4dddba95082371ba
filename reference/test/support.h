/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_TEST_SUPPORT_H
#define ASSAY_REFERENCE_TEST_SUPPORT_H

/* Helpers that all tests of reference/ share: Criterion, Arb under either of its header locations, and calls
 * of one operator. */

#include <criterion/criterion.h>
#include <mpfr.h> /* before FLINT 3's headers, which declare arf_set_mpfr only then */

#if __has_include(<flint/arb_mat.h>)
#include <flint/arb.h>
#include <flint/arb_hypgeom.h>
#include <flint/arb_mat.h>
#include <flint/fmpz_mat.h>
#else
#include <arb.h>
#include <arb_hypgeom.h>
#include <arb_mat.h>
#include <flint/fmpz_mat.h>
#endif

#include "reference/base/philox.h"
#include "reference/operator/op.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns a contiguous tensor of doubles (components in order) rounded to the dtype. */
static inline struct tensor tensor_from(enum dtype dtype, struct shape shape, const double *x)
{
    struct tensor tensor;
    cr_assert(tensor_create(&tensor, dtype, &shape));
    const struct dtype_info *info = dtype_info(dtype);
    int64_t components = shape_elements(&shape) * info->components;
    for (int64_t k = 0; k < components; k++) {
        dtype_store(info->component, tensor.data + (size_t)k * dtype_info(info->component)->size, x[k]);
    }
    return tensor;
}

/* Returns a contiguous tensor of integers, which a double may not hold. */
static inline struct tensor tensor_from_integers(enum dtype dtype, struct shape shape, const int64_t *x)
{
    struct tensor tensor;
    cr_assert(tensor_create(&tensor, dtype, &shape));
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        dtype_store_integer(dtype, tensor.data + (size_t)i * dtype_info(dtype)->size, x[i]);
    }
    return tensor;
}

/* Returns the sum or product of x[0] to x[n − 1] in float32 by a random tree; n ≥ 1. */
static inline float by_any_tree(const float *x, int n, bool multiply, struct philox *g)
{
    if (n == 1) {
        return x[0];
    }
    int cut = 1 + (int)philox_below(g, (uint32_t)n - 1);
    float low = by_any_tree(x, cut, multiply, g), high = by_any_tree(x + cut, n - cut, multiply, g);
    return multiply ? low * high : low + high;
}

/* Returns the attribute `size` of sparse operators. */
static inline struct attributes size_of(int64_t rows, int64_t columns)
{
    return (struct attributes){
        .count = 1,
        .item = {
            {.name = "size", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {rows, columns}}}}};
}

/* Returns the truth of one operator on contiguous tensors, with radii if `enclosed`; the caller destroys
 * it. */
static inline struct truth *any_truth_of_call(const char *name, const struct attributes *attributes,
                                              int inputs, const struct tensor *input, bool enclosed)
{
    const struct op *op = op_find(name);
    struct view view[OPERANDS_MAX];
    for (int i = 0; i < inputs; i++) {
        view[i] = view_contiguous(tensor_absent(&input[i]) ? -1 : i, input[i].dtype, &input[i].shape);
    }
    struct attributes none = {.count = 0};
    struct op_operands operands = {
        .attributes = attributes ? attributes : &none, .inputs = inputs, .input = view, .value = input};
    struct op_signature signature = {.outputs = 0};
    struct error error = {.text = ""};
    cr_assert(op->signature(op, &operands, &signature, &error), "%s", error.text);
    struct op_call call = {
        .op = op, .attributes = operands.attributes, .inputs = inputs, .input = input, .enclosed = enclosed};
    struct truth *truth = op_truth(&call, &signature, &error);
    cr_assert_not_null(truth, "%s", error.text);
    return truth;
}

static inline struct truth *truth_of_call(const char *name, const struct attributes *attributes, int inputs,
                                          const struct tensor *input)
{
    return any_truth_of_call(name, attributes, inputs, input, false);
}

/* True if the operator refuses these operands; expects a reason then. `value` has the elements of operands
 * that the signature reads; may be NULL. */
static inline bool refuses(const char *name, const struct attributes *attributes, int inputs,
                           const struct view *input, const struct tensor *value)
{
    const struct op *op = op_find(name);
    struct attributes none = {.count = 0};
    struct op_operands operands = {
        .attributes = attributes ? attributes : &none, .inputs = inputs, .input = input, .value = value};
    struct op_signature signature;
    struct error reason = {.text = ""};
    bool accepted = op->signature(op, &operands, &signature, &reason);
    cr_expect(accepted || reason.text[0], "a refusal must say why");
    return !accepted;
}

/* Returns the acceptance set of one element under a profile. */
static inline struct accept accept_of(const char *name, const struct attributes *attributes,
                                      const struct profile *profile, const struct truth *truth, int output,
                                      int64_t element, bool exact)
{
    struct bound_query query = {.op = op_find(name),
                                .profile = profile,
                                .attributes = attributes,
                                .truth = truth,
                                .output = output,
                                .element = element,
                                .exact = exact};
    struct accept accept;
    op_accept(&query, &accept);
    return accept;
}

static inline bool accepts_double(const struct accept *accept, double x)
{
    unsigned char bytes[8];
    dtype_store(accept->dtype, bytes, x);
    return accept_judge(accept, bytes).accepted;
}

/* Returns log2(|value − x|/|x|), an upper bound; −inf if they are equal. The value is finite and x is an Arb
 * ball. */
static inline double value_distance_log2(const struct value *value, const arb_t x)
{
    mpfr_t m;
    arb_t v, difference;
    mpfr_init2(m, 256);
    arb_init(v);
    arb_init(difference);
    value_to_mpfr(value, m);
    arf_set_mpfr(arb_midref(v), m);
    arb_sub(difference, v, x, 1024);
    arb_div(difference, difference, x, 64);
    arf_t bound;
    arf_init(bound);
    arb_get_abs_ubound_arf(bound, difference, 64);
    double log2_bound = arf_is_zero(bound) ? -INFINITY : log2(arf_get_d(bound, ARF_RND_UP));
    arf_clear(bound);
    arb_clear(v);
    arb_clear(difference);
    mpfr_clear(m);
    return log2_bound;
}

/* Returns how many random problems a test tries: `usual`, or what ASSAY_PROBLEMS asks for. */
static inline uint64_t problems_asked(uint64_t usual)
{
    const char *asked = getenv("ASSAY_PROBLEMS");
    return asked ? strtoull(asked, NULL, 10) : usual;
}

#endif
