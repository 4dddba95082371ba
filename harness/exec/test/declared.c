/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the members of a profile that describe what real backends do. For each one peculiar_program.c has a
 * peculiarity that fails without the member and passes with it. */

#include "harness/formats/npy.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(declared, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* Runs `run GLOBS` and reads the records. Returns the exit status. */
static int run(const char *peculiarity, const char *greeting, const char *globs)
{
    trial_peculiar(peculiarity, greeting);
    trial_run("run %s --backend exec:FOLDER/p --jobs 1 --no-rerun --results FOLDER/r --quiet", globs);
    cr_assert(trial->status == 0 || trial->status == 1, "%s", trial->output);
    trial_read("r");
    cr_assert_gt(trial->results.records, 0);
    return trial->status;
}

/* Expects that the peculiarity fails with the one greeting and passes with the other. */
static void expect(const char *peculiarity, const char *reported_falsely, const char * not, const char *globs)
{
    cr_expect_eq(run(peculiarity, reported_falsely, globs), 1, "%s %s\n%s", peculiarity, reported_falsely,
                 trial->output);
    cr_expect_gt(trial_records(STATUS_FAIL), 0, "%s", trial->output);
    cr_expect_eq(run(peculiarity, not, globs), 0, "%s %s\n%s", peculiarity, not, trial->output);
}

static int repro(const char *peculiarity, const char *greeting, const char *words)
{
    trial_peculiar(peculiarity, greeting);
    trial_run("repro %s --dtype float32 --backend exec:FOLDER/p", words);
    cr_assert(trial->status == 0 || trial->status == 1, "%s", trial->output);
    return trial->status;
}

static double tenth(int64_t i, int64_t j)
{
    (void)i, (void)j;
    return 0.1;
}

/* The sum has 100,000 equal terms in sequence, so that every addition errs the same way. */
Test(declared, summation)
{
    trial_matrix("x.npy", 1, 100000, tenth);
    static const struct {
        const char *greeting;
        int status;
    } row[] = {{"{\"profile\": {}}", 0},
               {"{\"profile\": {\"summation\": \"recursive\"}}", 0},
               {"{\"profile\": {\"summation\": \"pairwise\"}}", 1},
               {"{\"profile\": {\"summation\": \"blocked:256\"}}", 1},
               {"{\"profile\": {\"summation\": {\"vector_norm\": \"pairwise\"}}}", 1},
               {"{\"profile\": {\"summation\": {\"matmul\": \"pairwise\"}}}", 0},
               {"{\"profile\": {\"summation\": {\"vector_norm\": \"blocked:2\"}}}", 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int status =
            repro("recursive", row[i].greeting, "--op vector_norm --attr ord=1 --input FOLDER/x.npy");
        cr_expect_eq(status, row[i].status, "%s\n%s", row[i].greeting, trial->output);
    }
}

Test(declared, range)
{
    const char *globs = "norm/vector_norm/float32/tiny-* "
                        "norm/vector_norm/float32/length-33-*";
    expect("naive", "{}", "{\"profile\": {\"range\": \"naive\"}}", globs);
    int64_t findings = 0;
    for (int r = 0; r < trial->results.records; r++) {
        findings += trial->results.record[r].range_findings;
    }
    cr_expect_gt(findings, 0, "%s", trial->output);
    cr_expect_gt(trial_records(STATUS_PASS), 0, "%s", trial->output);
    /* what leaves no range stays a failure */
    cr_expect_eq(
        run("naive-wrong", "{\"profile\": {\"range\": \"naive\"}}", "norm/vector_norm/float32/length-33-p2"),
        1, "%s", trial->output);
}

/* The word applies only to norms, and excuses no other operator. */
Test(declared, range_of_another_operator)
{
    static const char globs[] = "reduction/softmax/float32/logits reduction/softmax/float32/specials";
    expect("naive-softmax", "{\"profile\": {\"range\": \"naive\"}}",
           "{\"profile\": {\"range\": [\"softmax\"]}}", globs);
    cr_expect_gt(trial->results.record[0].range_findings + trial->results.record[1].range_findings, 0, "%s",
                 trial->output);
    cr_expect_eq(
        run("naive-softmax", "{\"profile\": {\"range\": [\"vector_norm\", \"log_softmax\"]}}", globs), 1,
        "%s", trial->output);
}

/* The documented formula of an operator is accepted if its own name is declared; a wrong result is not. */
Test(declared, documented_forms)
{
    static const char globs[] = "elementwise/elu/float32/exponents elementwise/elu/float32/ordinary";
    static const char named[] = "{\"profile\": {\"documented_forms\": [\"elu\"]}}";
    expect("documented-elu", "{\"profile\": {\"documented_forms\": [\"celu\", \"selu\"]}}", named, globs);
    cr_expect_gt(trial_records(STATUS_PASS), 0, "%s", trial->output);
    cr_expect_eq(run("wrong-elu", named, globs), 1, "%s", trial->output);
}

Test(declared, refusals)
{
    expect("accepting", "{}", "{\"profile\": {\"refusals\": \"open\"}}",
           "norm/layer_norm/float32/refuse-shapes inplace/add_/float32/refuse-* "
           "sparse/sparse_mm/float32/refuse-* norm/layer_norm/float32/length-33");
    cr_expect_eq(trial_records(STATUS_PASS), 1, "nothing else was judged");
    cr_expect_eq(trial_records(STATUS_UNSUPPORTED), trial->results.records - 1, "%s", trial->output);
}

Test(declared, slogdet_nan_sign)
{
    expect("slogdet-sign", "{}", "{\"profile\": {\"slogdet_nan_sign\": \"number\"}}",
           "linalg/slogdet/float32/nan-*");
    cr_expect_eq(trial_records(STATUS_PASS), trial->results.records, "%s", trial->output);
}

Test(declared, sgn_nan_of_one_dtype)
{
    const char *globs = "elementwise/sgn/float16/specials elementwise/sgn/float32/specials";
    expect("sgn-of-half", "{}", "{\"profile\": {\"sgn_nan\": {\"float16\": \"zero\"}}}", globs);
    cr_expect_eq(run("sgn-of-half", "{\"profile\": {\"sgn_nan\": \"zero\"}}", globs), 1, "%s", trial->output);
    cr_expect_eq(run("none", "{\"profile\": {\"sgn_zero\": {\"float16\": \"positive\"}}}", globs), 1, "%s",
                 trial->output);
    cr_expect_eq(run("none", "{\"profile\": {\"sgn_zero\": {\"float16\": \"open\"}}}", globs), 0, "%s",
                 trial->output);
}

Test(declared, attributes_in_float32)
{
    expect("float32-attributes", "{}", "{\"profile\": {\"attributes\": \"float32\"}}",
           "norm/layer_norm/float64/variances norm/batch_norm/float64/train-variances "
           "inplace/add_/float64/alpha-*");
}

/* The declaration does not change the inputs, so that one table can hold both backends. */
Test(declared, rounded_attributes_are_the_same_inputs)
{
    static const char cases[] = "inplace/add_/float64/alpha-tenth-random";
    char digest[2][33];
    for (int k = 0; k < 2; k++) {
        run("float32-attributes", k ? "{\"profile\": {\"attributes\": \"float32\"}}" : "{}", cases);
        snprintf(digest[k], sizeof digest[k], "%s", trial->results.record[0].inputs_digest);
    }
    cr_expect_str_eq(digest[0], digest[1]);
}

static double mixed(int64_t i, int64_t j)
{
    double x = 1 + (double)(i * 37 % 64 + j * 23 % 61) / 128;
    return i < 64 ? x : 1e5 * x;
}

/* With rows of very different size, the error of a fast product in the small ones is that of the large ones.
 */
Test(declared, algorithm)
{
    const char *words = "--op matmul --input FOLDER/a.npy --input FOLDER/b.npy";
    trial_matrix("a.npy", 128, 128, mixed);
    trial_matrix("b.npy", 128, 128, tenth);
    cr_expect_eq(repro("strassen", "{}", words), 1, "%s", trial->output);
    cr_expect_eq(repro("strassen", "{\"profile\": {\"algorithm\": \"fast\"}}", words), 0, "%s",
                 trial->output);
    cr_expect_eq(repro("strassen", "{\"profile\": {\"algorithm\": {\"matmul\": \"fast:64\"}}}", words), 0,
                 "%s", trial->output);
    cr_expect_eq(repro("strassen", "{\"profile\": {\"algorithm\": {\"linear\": \"fast\"}}}", words), 1, "%s",
                 trial->output);
}

/* The program has kernels for float32 only, and reports an error for other dtypes. */
Test(declared, dtypes_of_an_operator)
{
    const char *globs = "elementwise/square --level smoke";
    cr_expect_eq(run("float32-only", "{}", globs), 1, "%s", trial->output);
    cr_expect_gt(trial_records(STATUS_ERROR), 0);
    cr_expect_eq(run("float32-only", "{\"operators\": {\"square\": [\"float32\"]}}", globs), 0, "%s",
                 trial->output);
    cr_expect_gt(trial_records(STATUS_UNSUPPORTED), 0);
    cr_expect_gt(trial_records(STATUS_PASS), 0);
}

/* The list has more names than it could once hold, and the decisive one is last. */
Test(declared, nondeterministic_operators_beyond_sixteen)
{
    char greeting[8192] = "{\"profile\": {\"nondeterministic\": [";
    for (int o = 0; o < op_count(); o++) {
        if (strcmp(op_at(o)->name, "vector_norm") != 0) {
            strcat(strcat(strcat(greeting, "\""), op_at(o)->name), "\", ");
        }
    }
    cr_assert_lt(strlen(greeting), sizeof greeting / 2);
    strcat(greeting, "\"vector_norm\"]}}");
    expect("flicker", "{}", greeting, "norm/vector_norm/float32/length-33-p2");
}

/* The default eps of rms_norm is torch.finfo(dtype).eps; that of layer_norm would give another result. */
Test(declared, eps_that_is_left_out)
{
    cr_expect_eq(run("eps-of-layer-norm", "{}", "norm/rms_norm*/*/eps-left-out"), 1, "%s", trial->output);
    cr_expect_eq(trial_records(STATUS_FAIL), trial->results.records, "%s", trial->output);
    cr_expect_eq(run("eps-of-layer-norm", "{}", "norm/layer_norm*/*/eps-left-out"), 0, "%s", trial->output);
}

/* The eps of float32 is used for a 16-bit dtype: PyTorch's documentation and results differ there. */
Test(declared, eps_of_float32)
{
    static const char halves[] = "norm/rms_norm*/*float16/eps-left-out";
    expect("eps-of-float32", "{}", "{\"profile\": {\"default_eps\": \"float32\"}}", halves);
    cr_expect_eq(run("eps-of-float32", "{}", "norm/rms_norm*/float32/eps-left-out"), 0, "%s", trial->output);
}

static double small(int64_t i, int64_t j)
{
    return 1e-3 * (double)(1 + (3 * i + j) % 5);
}

/* repro sends every attribute that has a default, as cases do. */
Test(declared, repro_sends_defaults)
{
    static const char *const words[] = {
        "--op layer_norm --attr normalized_shape=8 --input FOLDER/x.npy",
        "--op rms_norm --attr normalized_shape=8 --input FOLDER/x.npy",
        "--op batch_norm --input FOLDER/x.npy --input none --input none --attr training=1",
        "--op vector_norm --input FOLDER/x.npy", "--op add_ --input FOLDER/x.npy --input FOLDER/x.npy"};
    trial_matrix("x.npy", 4, 8, small);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cr_expect_eq(repro("no-defaults", "{}", words[i]), 0, "%s\n%s", words[i], trial->output);
    }
}

static double ramp(int64_t i, int64_t j)
{
    (void)i;
    return (double)(j + 1);
}

/* The bias is the third operand, and is not taken for the second if the weight is None. */
Test(declared, repro_leaves_out_an_operand)
{
    const char *words = "--op layer_norm --attr normalized_shape=1,8 --input FOLDER/x.npy --input none "
                        "--input FOLDER/b.npy --output-dir FOLDER/out";
    struct tensor truth;
    struct error error = {.text = ""};
    trial_matrix("x.npy", 1, 8, ramp);
    trial_matrix("b.npy", 1, 8, tenth);
    cr_assert_eq(repro("none", "{}", words), 0, "%s", trial->output);
    cr_assert(npy_read(trial_path("out/truth.npy"), &truth, &error), "%s", error.text);
    double sum = 0;
    for (int64_t i = 0; i < 8; i++) {
        sum += tensor_component(&truth, i);
    }
    cr_expect_lt(fabs(sum - 8 * (double)0.1F), 1e-12, "a shift by the bias, and no scale: %g", sum);
    tensor_destroy(&truth);
    trial_run("repro --op layer_norm --attr normalized_shape=8 --input none --backend cpu");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    cr_expect(strstr(trial->output, "input 0 (input) of layer_norm cannot be left out"), "%s", trial->output);
    trial_run("repro --op amp_unscale --input FOLDER/x.npy --input FOLDER/x.npy --input none --input "
              "FOLDER/x.npy --backend cpu");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    cr_expect(strstr(trial->output, "cannot be left out"), "%s", trial->output);
}

Test(declared, as_the_cpu_backend_without_a_peculiarity)
{
    cr_expect_eq(run("none", "{}", "norm/* linalg/slogdet/* --level smoke"), 0, "%s", trial->output);
}
