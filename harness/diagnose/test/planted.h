/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_DIAGNOSE_TEST_PLANTED_H
#define ASSAY_HARNESS_DIAGNOSE_TEST_PLANTED_H

/* Wrong results with a known cause, for tests of the diagnosis: operands, and the results of a backend with
 * that fault, computed by plain loops in long double. */

#include "reference/base/tensor.h"

enum { PLANT_INPUTS = 5, PLANT_NUMBERS = 8192 };

struct plant {
    uint64_t seed;
    enum dtype dtype; /* of all operands and results */
    int inputs;
    struct {
        struct shape shape;
        double x[PLANT_NUMBERS];
    } in[PLANT_INPUTS];
    double got[PLANT_NUMBERS];
    int64_t numbers;  /* numbers of `got` that are set */
    double parameter; /* for determinants: the sign that is wanted */
};

/* The current plant, and its operands before the fault changed them, which repro is given. */
extern struct plant plant, given;
enum { M = 12, K = 96, N = 12 }; /* the sizes of products */

/* x rounded or cut off to `bits` bits; x rounded to a format. */
double plant_bits(double x, int bits, bool cut);
double plant_round(enum dtype dtype, double x);
void plant_format(struct plant *p, enum dtype format);        /* rounds all operands */
void plant_result_format(struct plant *p, enum dtype format); /* rounds the results */

/* Sets an operand to N(0,1)·scale + shift, rounded to the dtype. */
void plant_input(struct plant *p, int i, struct shape shape, double scale, double shift);

/* Right results, rounded once to the dtype. */
void plant_matmul(struct plant *p, int64_t m, int64_t k, int64_t n);
void plant_linear(struct plant *p, int64_t m, int64_t k, int64_t n); /* x·Wᵀ */
void plant_layer_norm(struct plant *p, int64_t rows, int64_t n, double eps);
void plant_norm(struct plant *p, int64_t rows, int64_t n, double ord);
void plant_shift(int64_t n, int operand); /* adds its element i % n to got[i] */
void plant_add(struct plant *p, int64_t n);
void plant_mul(struct plant *p, int64_t n);

/* Normalizes groups of n elements with the variance E[x²] − E[x]², in float32. */
void plant_naive(struct plant *p, int64_t groups, int64_t n, double eps);
double plant_log_determinant(const double *a, int64_t n, int *sign, bool float32); /* elimination */

/* Operands of the current plant, and changes to it. */
void given_product(double scale);
void given_weights(double scale);
void given_vectors(double scale);
void given_rows(double scale, double shift);
void plant_keep(void);
void plant_cut(int bits, bool truncate);
void plant_scale(double factor);
void right_matmul(void);
void right_linear(void);

/* Operands and results, each with the fault that the name says. */
void plant_fault_tf32_matmul(void);
void plant_fault_tf32_linear(void);
void plant_fault_tf32_biased(void);
void plant_fault_tf32_add(void);
void plant_fault_brain_input(void);
void plant_fault_half_matmul(void);
void plant_fault_half_linear(void);
void plant_fault_half_add(void);
void plant_fault_brain_matmul(void);
void plant_fault_brain_linear(void);
void plant_fault_brain_mul(void);
void plant_fault_single_matmul(void);
void plant_fault_single_mul(void);
void plant_fault_single_norm(void);
void plant_fault_unbiased_layer(void);
void plant_fault_unbiased_batch(void);
void plant_fault_eps_other(void);
void plant_fault_naive_layer(void);
void plant_fault_naive_layer_far(void);
void plant_fault_naive_group(void);
void plant_fault_naive_batch(void);
void plant_fault_ord_single(void);
void plant_fault_ord_single_small(void);
void plant_fault_ord_single_large(void);
void plant_fault_ord_half(void);
void plant_fault_ord_half_small(void);
void plant_fault_ord_half_large(void);
void plant_fault_eps_single(void);
void plant_fault_eps_single_large(void);
void plant_fault_eps_single_tiny(void);
void plant_fault_eps_half(void);
void plant_fault_eps_half_small(void);
void plant_fault_eps_half_large(void);
void plant_fault_eps_ignored(void);
void plant_fault_lost_sign(void);
void plant_fault_gained_sign(void);
void plant_fault_flipped_sign(void);
void plant_fault_negated_matmul(void);
void plant_fault_unwritten_add(void);
void plant_fault_unwritten_matmul(void);
void plant_fault_half_written(void);
void plant_fault_tail_of_zeros(void);
void plant_fault_all_zeros(void);
void plant_fault_zero_norms(void);
void plant_fault_input_is_result(void);
void plant_fault_transposed_result(void);
void plant_fault_misread_operand(void);
void plant_fault_misread_weight(void);
void plant_fault_columns_throughout(void);
void plant_fault_swapped_rows(void);
void plant_fault_reversed_rows(void);
void plant_fault_shifted_norms(void);
void plant_fault_first_row_everywhere(void);
void plant_fault_doubled_matmul(void);
void plant_fault_scaled_norms(void);
void plant_fault_scaled_layer(void);
void plant_fault_brain_result(void);
void plant_fault_half_result(void);
void plant_fault_single_result(void);
void plant_fault_single_throughout(void);
void plant_fault_hilbert_4(void);
void plant_fault_hilbert_5(void);
void plant_fault_hilbert_9(void);
void plant_fault_cancelling_matmul(void);
void plant_fault_one_element_off(void);
void plant_fault_noise(void);
void plant_fault_last_term(void);
void plant_fault_no_mean(void);
void plant_fault_rows_drift(void);
void plant_fault_all_nan(void);
void plant_fault_off_by_twenty(void);
void plant_fault_added_constant(void);

#endif
