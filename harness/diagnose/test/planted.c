/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/test/planted.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `repro --op` says of planted results: their cause or "not explained", but never another cause. */

TestSuite(planted, .init = trial_begin, .fini = trial_end, .timeout = 300);

static const struct row {
    void (*plant)(void);
    const char *name, *op, *dtype, *expected; /* NULL: not explained; "conditioning": in the words */
} table[] = {
    {plant_fault_tf32_matmul, "tf32 matmul", "matmul", "float32", "operands-tf32"},
    {plant_fault_tf32_linear, "tf32 linear, cut off", "linear", "float32", "operands-tf32"},
    {plant_fault_tf32_biased, "tf32 linear with a float32 bias", "linear", "float32", "operands-tf32"},
    {plant_fault_tf32_add, "tf32 add_", "add_", "float32", "operands-tf32"},
    {plant_fault_half_matmul, "float16 matmul", "matmul", "float32", "operands-float16"},
    {plant_fault_half_linear, "float16 linear", "linear", "float32", "operands-float16"},
    {plant_fault_half_add, "float16 add_", "add_", "float32", "operands-float16"},
    {plant_fault_brain_matmul, "bfloat16 matmul", "matmul", "float32", "operands-bfloat16"},
    {plant_fault_brain_linear, "bfloat16 linear, cut off", "linear", "float32", "operands-bfloat16"},
    {plant_fault_brain_mul, "bfloat16 mul_", "mul_", "float32", "operands-bfloat16"},
    {plant_fault_single_matmul, "float32 matmul", "matmul", "float64", "operands-float32"},
    {plant_fault_single_mul, "float32 mul_", "mul_", "float64", "operands-float32"},
    {plant_fault_single_norm, "float32 norm", "vector_norm --attr dim=1", "float64", "operands-float32"},
    {plant_fault_brain_input, "bfloat16 input, float32 scale and shift",
     "layer_norm --attr normalized_shape=128", "float32", "operands-bfloat16"},
    {plant_fault_unbiased_layer, "variance over n - 1", "layer_norm --attr normalized_shape=128", "float32",
     "unbiased-variance"},
    {plant_fault_unbiased_batch, "variance over n - 1, no shift", "batch_norm --attr training=true",
     "float32", "unbiased-variance"},
    {plant_fault_eps_other, "eps 1e-3 for 1e-5", "layer_norm --attr normalized_shape=128", "float32",
     "eps-other"},
    {plant_fault_naive_layer, "naive layer_norm", "layer_norm --attr normalized_shape=128", "float32",
     "naive-variance"},
    {plant_fault_naive_layer_far, "naive layer_norm, far", "layer_norm --attr normalized_shape=128",
     "float32", "naive-variance"},
    {plant_fault_naive_group, "naive group_norm", "group_norm --attr num_groups=2", "float32",
     "naive-variance"},
    {plant_fault_naive_batch, "naive batch_norm", "batch_norm --attr training=true", "float32",
     "naive-variance"},
    {plant_fault_ord_single, "ord 2.1", "vector_norm --attr dim=1 --attr ord=2.1", "float64", "ord-float32"},
    {plant_fault_ord_single_small, "ord 0.3", "vector_norm --attr dim=1 --attr ord=0.3", "float64",
     "ord-float32"},
    {plant_fault_ord_single_large, "ord 7.7", "vector_norm --attr dim=1 --attr ord=7.7", "float64",
     "ord-float32"},
    {plant_fault_ord_half, "ord 2.1 in half", "vector_norm --attr dim=1 --attr ord=2.1", "float32",
     "ord-float16"},
    {plant_fault_ord_half_small, "ord 0.3 in half", "vector_norm --attr dim=1 --attr ord=0.3", "float32",
     "ord-float16"},
    {plant_fault_ord_half_large, "ord 3.3 in half", "vector_norm --attr dim=1 --attr ord=3.3", "float64",
     "ord-float16"},
    {plant_fault_eps_single, "eps 1e-5", "layer_norm --attr normalized_shape=128", "float64", "eps-float32"},
    {plant_fault_eps_single_large, "eps 0.1", "layer_norm --attr normalized_shape=128 --attr eps=0.1",
     "float64", "eps-float32"},
    {plant_fault_eps_single_tiny, "eps 1e-12", "layer_norm --attr normalized_shape=128 --attr eps=1e-12",
     "float64", "eps-float32"},
    {plant_fault_eps_half, "eps 1e-5 in half", "layer_norm --attr normalized_shape=128", "float32",
     "eps-float16"},
    {plant_fault_eps_half_small, "eps 3e-6 in half", "layer_norm --attr normalized_shape=128 --attr eps=3e-6",
     "float32", "eps-float16"},
    {plant_fault_eps_half_large, "eps 0.1 in half", "layer_norm --attr normalized_shape=128 --attr eps=0.1",
     "float32", "eps-float16"},
    {plant_fault_eps_ignored, "no eps", "layer_norm --attr normalized_shape=128", "float32", "eps-ignored"},
    {plant_fault_lost_sign, "log of |det|", "logdet", "float32", "wrong-sign"},
    {plant_fault_gained_sign, "NaN for a positive det", "logdet", "float32", "wrong-sign"},
    {plant_fault_flipped_sign, "slogdet", "slogdet", "float32", "wrong-sign"},
    {plant_fault_negated_matmul, "negated product", "matmul", "float32", "wrong-sign"},
    {plant_fault_unwritten_add, "nothing written in place", "add_", "float32", "stale"},
    {plant_fault_unwritten_matmul, "nothing written", "matmul", "float32", "stale"},
    {plant_fault_half_written, "half of it written", "matmul", "float32", "stale"},
    {plant_fault_tail_of_zeros, "a tail of zeros", "matmul", "float32", "zeros"},
    {plant_fault_all_zeros, "zeros", "layer_norm --attr normalized_shape=128", "float32", "zeros"},
    {plant_fault_zero_norms, "norms of zero", "vector_norm --attr dim=1", "float32", "zeros"},
    {plant_fault_input_is_result, "the operand itself", "layer_norm --attr normalized_shape=128", "float32",
     "operand-copied"},
    {plant_fault_transposed_result, "the result by columns", "matmul", "float32", "layout"},
    {plant_fault_misread_operand, "an operand by columns", "matmul", "float32", "layout"},
    {plant_fault_misread_weight, "a weight by columns", "linear", "float32", "layout"},
    {plant_fault_columns_throughout, "all by columns", "matmul", "float32", "layout"},
    {plant_fault_swapped_rows, "two rows swapped", "matmul", "float32", "permutation"},
    {plant_fault_reversed_rows, "rows reversed", "layer_norm --attr normalized_shape=128", "float32",
     "permutation"},
    {plant_fault_shifted_norms, "norms one place on", "vector_norm --attr dim=1", "float32", "permutation"},
    {plant_fault_first_row_everywhere, "one row everywhere", "matmul", "float32", "repeated-rows"},
    {plant_fault_doubled_matmul, "twice the product", "matmul", "float32", "scale"},
    {plant_fault_scaled_norms, "n/(n - 1)", "vector_norm --attr dim=1", "float32", "scale"},
    {plant_fault_scaled_layer, "a factor of 1.003", "layer_norm --attr normalized_shape=128", "float32",
     NULL},
    {plant_fault_brain_result, "stored as bfloat16", "matmul", "float32", "result-bfloat16"},
    {plant_fault_half_result, "stored as float16", "layer_norm --attr normalized_shape=128", "float32",
     "result-float16"},
    {plant_fault_single_result, "stored as float32", "matmul", "float64", "result-float32"},
    {plant_fault_single_throughout, "float32 throughout", "matmul", "float64", "computed-float32"},
    {plant_fault_hilbert_4, "Hilbert, n = 4", "logdet", "float32", "conditioning"},
    {plant_fault_hilbert_5, "Hilbert, n = 5", "logdet", "float32", "conditioning"},
    {plant_fault_hilbert_9, "Hilbert, n = 9", "logdet", "float32", "conditioning"},
    {plant_fault_cancelling_matmul, "terms that cancel", "matmul", "float32", "conditioning"},
    {plant_fault_one_element_off, "one element off", "matmul", "float32", NULL},
    {plant_fault_noise, "noise", "matmul", "float32", NULL},
    {plant_fault_noise, "noise in float64", "matmul", "float64", NULL},
    {plant_fault_last_term, "the last term left out", "matmul", "float32", NULL},
    {plant_fault_no_mean, "no mean taken off", "layer_norm --attr normalized_shape=128", "float32", NULL},
    {plant_fault_rows_drift, "a factor per row", "matmul", "float32", NULL},
    {plant_fault_all_nan, "NaN everywhere", "layer_norm --attr normalized_shape=128", "float32", NULL},
    {plant_fault_off_by_twenty, "log det - 20", "logdet", "float32", NULL},
    {plant_fault_added_constant, "a constant more", "vector_norm --attr dim=1", "float32", NULL},
};

/* Writes operands and results and runs repro; the diagnosis is owned by *whole. */
static json_t *ask(const struct row *row, uint64_t seed, json_t **whole)
{
    char name[16], inputs[400] = "";
    memset(&plant, 0, sizeof plant);
    plant.seed = seed;
    cr_assert(dtype_from_name(row->dtype, &plant.dtype));
    row->plant();
    for (int i = 0; i < given.inputs; i++) {
        snprintf(name, sizeof name, "%d.npy", i);
        trial_array(name, given.in[i].shape, given.in[i].x);
        snprintf(inputs + strlen(inputs), sizeof inputs - strlen(inputs), " --input FOLDER/%d.npy", i);
    }
    FILE *file = fopen(trial_path("answer"), "wb");
    cr_assert_not_null(file);
    for (int64_t k = 0; k < plant.numbers; k++) {
        unsigned char bytes[8];
        dtype_store(plant.dtype, bytes, plant.got[k]);
        fwrite(bytes, dtype_info(plant.dtype)->size, 1, file);
    }
    cr_assert_eq(fclose(file), 0);
    setenv("ASSAY_TEST_ANSWER", trial_path("answer"), 1);
    trial_run("repro --op %s --dtype %s%s --backend faulty --format json", row->op, row->dtype, inputs);
    *whole = trial_json();
    return json_array_get(json_object_get(*whole, "backends"), 0);
}

/* Numbers in the text are those of the element that is shown. */
static void check_numbers(const struct row *row, const json_t *backend, const char *text)
{
    char number[40];
    const json_t *ulp = json_object_get(json_object_get(backend, "worst"), "ulp");
    if (text && strstr(text, "the element shown is") && json_is_number(ulp)) {
        snprintf(number, sizeof number, "the element shown is %.3g ulp off", fabs(json_number_value(ulp)));
        cr_expect(strstr(text, number), "%s: %s in \"%s\"", row->name, number, text);
    }
}

static void diagnose_all(uint64_t seed)
{
    int right = 0, wrong = 0, count = (int)(sizeof table / sizeof *table);
    for (int r = 0; r < count; r++) {
        json_t *whole, *backend = ask(&table[r], seed, &whole);
        const char *name = json_string_value(json_object_get(backend, "hypothesis")),
                   *text = json_string_value(json_object_get(backend, "diagnosis")),
                   *expected = table[r].expected;
        bool conditioning = expected && strcmp(expected, "conditioning") == 0;
        bool none = !name && text && (strstr(text, "not explained") != NULL) == !conditioning;
        bool good = conditioning ? none && strstr(text, "ill-conditioned") != NULL
                    : expected   ? name && strcmp(name, expected) == 0
                                 : none;
        right += good;
        wrong += !good && !none;
        cr_expect(good, "%s: expected %s, found %s: %s", table[r].name, expected ? expected : "none",
                  name ? name : "none", text ? text : trial->output);
        check_numbers(&table[r], backend, text);
        json_decref(whole);
    }
    cr_expect_geq(count, 30);
    cr_expect_eq(wrong, 0);
    cr_expect_eq(right, count);
}

Test(planted, the_cause_is_named_or_none_is)
{
    diagnose_all(0);
}

Test(planted, other_numbers_do_not_change_it_takes_seconds)
{
    diagnose_all(1);
}

static const struct row *row_of(const char *name)
{
    const struct row *found = NULL;
    for (size_t r = 0; r < sizeof table / sizeof *table; r++) {
        found = strcmp(table[r].name, name) == 0 ? &table[r] : found;
    }
    cr_assert_not_null(found, "%s", name);
    return found;
}

Test(planted, nan_is_no_number_of_ulp)
{
    json_t *whole, *backend = ask(row_of("NaN everywhere"), 0, &whole);
    const char *ulp = json_string_value(json_object_get(backend, "max_ulp"));
    cr_assert(ulp && strcmp(ulp, "nan") == 0, "%s", trial->output);
    json_decref(whole);
    trial_run("repro --op layer_norm --attr normalized_shape=128 --dtype float32 --input FOLDER/0.npy "
              "--backend faulty");
    cr_assert(strstr(trial->output, "max ulp          –"), "%s", trial->output);
}

Test(planted, bits_are_counted_beside_every_narrower_format)
{
    static const struct {
        const char *name;
        const char *words;
    } rows[] = {{"noise", "(TF32 and float16 have 11, bfloat16 has 8)"},
                {"noise in float64", "(float32 has 24, TF32 and float16 have 11, bfloat16 has 8)"}};
    for (size_t r = 0; r < 2; r++) {
        json_t *whole, *backend = ask(row_of(rows[r].name), 0, &whole);
        const char *text = json_string_value(json_object_get(backend, "diagnosis"));
        cr_expect(text && strstr(text, rows[r].words), "%s: %s", rows[r].name, text ? text : "-");
        json_decref(whole);
    }
}
