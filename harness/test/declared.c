/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every member of a profile that describes what real backends do has one here (peculiar_program.c) that is
 * accused without it, and not with it. */

#include "harness/exec/greeting.h"
#include "harness/formats/npy.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(declared, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* Exit status of `run GLOBS`; its records are read. */
static int run(const char *peculiarity, const char *greeting, const char *globs)
{
    trial_peculiar(peculiarity, greeting);
    trial_run("run %s --backend exec:FOLDER/p --jobs 1 --no-rerun --results FOLDER/r --quiet", globs);
    cr_assert(trial->status == 0 || trial->status == 1, "%s", trial->output);
    trial_read("r");
    cr_assert_gt(trial->results.records, 0);
    return trial->status;
}

/* Accused with the one greeting, whatever fails being a failure, and not with the other. */
static void expect(const char *peculiarity, const char *accused, const char * not, const char *globs)
{
    cr_expect_eq(run(peculiarity, accused, globs), 1, "%s %s\n%s", peculiarity, accused, trial->output);
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

/* 100,000 equal terms in sequence: every addition errs the same way. */
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

/* What the word means of norms excuses no other operator. */
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

/* The documented formula of an operator is right where its own name is declared, and a wrong result is not.
 */
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

/* What is asked of it is what is asked of the others, so that one table holds both. */
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

/* Rows of very different size: a fast product's error in the small ones is that of the large ones. */
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

/* It has kernels for float32 alone, and reports an error for other dtypes. */
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

/* More names than a list once held, the one that matters last. */
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

/* rms_norm's own eps is torch.finfo(dtype).eps; layer_norm's would show. */
Test(declared, eps_that_is_left_out)
{
    cr_expect_eq(run("eps-of-layer-norm", "{}", "norm/rms_norm*/*/eps-left-out"), 1, "%s", trial->output);
    cr_expect_eq(trial_records(STATUS_FAIL), trial->results.records, "%s", trial->output);
    cr_expect_eq(run("eps-of-layer-norm", "{}", "norm/layer_norm*/*/eps-left-out"), 0, "%s", trial->output);
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

/* The bias is the third operand: beside a weight of None it is not taken for the second. */
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

Test(declared, as_the_witness_without_a_peculiarity)
{
    cr_expect_eq(run("none", "{}", "norm/* linalg/slogdet/* --level smoke"), 0, "%s", trial->output);
}

/* --- the words */

static bool greets(const char *profile, struct exec_hello *hello, struct error *error)
{
    char line[1024];
    snprintf(
        line, sizeof line,
        "{\"hello\": 1, \"name\": \"x\", \"dtypes\": [\"float32\", \"float16\"], \"operators\": [\"sgn\", "
        "\"matmul\"], \"profile\": {%s}}",
        profile);
    error->text[0] = '\0';
    return exec_parse_hello(line, hello, error);
}

Test(declared_words, every_member_is_read)
{
    struct exec_hello hello;
    struct error error;
    cr_assert(
        greets("\"summation\": {\"matmul\": \"blocked:96\"}, \"range\": \"naive\", \"refusals\": "
               "\"open\", \"ties\": \"first\", \"slogdet_nan_sign\": \"number\", \"sgn_zero\": {\"float16\": "
               "\"open\"}, "
               "\"attributes\": \"float32\", \"algorithm\": {\"matmul\": \"fast:32\"}, \"conversions\": "
               "\"via-float32\", \"accumulate\": \"float32\", \"accumulate_own\": [\"matmul\"]",
               &hello, &error),
        "%s", error.text);
    const struct profile *p = &hello.profile;
    struct summation_order order = profile_summation(p, "matmul");
    cr_expect(order.kind == SUMMATION_BLOCKED && order.size == 96);
    cr_expect_eq(profile_summation(p, "sgn").kind, SUMMATION_UNDECLARED);
    cr_expect(p->refusals == REFUSALS_OPEN && p->attributes_float32);
    cr_expect(p->slogdet_nan_sign == SLOGDET_NAN_SIGN_NUMBER && p->conversions_via_float32);
    cr_expect_eq(p->ties, TIES_FIRST);
    cr_expect(p->sgn_zero[DTYPE_FLOAT16] == SGN_ZERO_OPEN && p->sgn_zero[DTYPE_FLOAT32] == SGN_ZERO_KEPT);
    cr_expect_eq(profile_fast_crossover(p, "matmul"), 32);
    cr_expect_eq(profile_fast_crossover(p, "linear"), 0);
    cr_expect_eq(p->accumulate[DTYPE_FLOAT16], DTYPE_FLOAT32);
    exec_hello_clear(&hello);
    cr_assert(greets("", &hello, &error));
    p = &hello.profile;
    cr_expect(p->refusals == REFUSALS_PYTORCH && !p->attributes_float32);
    cr_expect(p->slogdet_nan_sign == SLOGDET_NAN_SIGN_NAN && !p->conversions_via_float32);
    cr_expect_eq(p->ties, TIES_ANY);
    exec_hello_clear(&hello);
}

static const char *const ranged[] = {"sgn",       "vector_norm", "rms_norm", "batch_norm_backward",
                                     "logdet",    "softmax",     "sigmoid",  "cross_entropy_backward",
                                     "logsumexp", "hypot"};

static enum range range_of(const char *range, const char *op)
{
    char line[512];
    struct exec_hello hello;
    struct error error = {.text = ""};
    int used = snprintf(line, sizeof line,
                        "{\"hello\": 1, \"name\": \"x\", \"dtypes\": [\"float32\"], \"profile\": {%s}, "
                        "\"operators\": [",
                        range);
    for (size_t i = 0; i < sizeof ranged / sizeof *ranged; i++) {
        used += snprintf(line + used, sizeof line - (size_t)used, "%s\"%s\"", i ? ", " : "", ranged[i]);
    }
    snprintf(line + used, sizeof line - (size_t)used, "]}");
    cr_assert(exec_parse_hello(line, &hello, &error), "%s", error.text);
    enum range own = profile_of_operator(&hello.profile, op).range;
    exec_hello_clear(&hello);
    return own;
}

/* The bare word means the operators whose textbook form the page names: a softmax is none of them. */
Test(declared_words, range_is_of_each_operator)
{
    for (size_t i = 0; i < sizeof ranged / sizeof *ranged; i++) {
        const char *op = ranged[i];
        enum range by_word = i < 5 ? RANGE_NAIVE : RANGE_SAFE;
        cr_expect_eq(range_of("\"range\": \"naive\"", op), by_word, "%s", op);
        cr_expect_eq(range_of("\"range\": \"safe\"", op), RANGE_SAFE, "%s", op);
        cr_expect_eq(range_of("\"range\": []", op), RANGE_SAFE, "%s", op);
        cr_expect_eq(range_of("", op), RANGE_SAFE, "%s", op);
        cr_expect_eq(range_of("\"range\": [\"softmax\", \"rms_norm\", \"unheard_of\"]", op),
                     strcmp(op, "softmax") && strcmp(op, "rms_norm") ? RANGE_SAFE : RANGE_NAIVE, "%s", op);
    }
}

Test(declared_words, what_is_misspelt_is_named)
{
    static const struct {
        const char *profile, *message;
    } row[] = {{"\"sumation\": \"pairwise\"", "did you mean \"summation\""},
               {"\"conversion\": \"direct\"", "did you mean \"conversions\""},
               {"\"colour\": \"red\"", "\"colour\" is no member"},
               {"\"summation\": \"blocked\"", "\"pairwise\", \"blocked:SIZE\""},
               {"\"summation\": \"blocked:0\"", "blocked:SIZE"},
               {"\"summation\": \"blocked:-4\"", "blocked:SIZE"},
               {"\"summation\": {\"matmul\": 7}", "no string"},
               {"\"algorithm\": \"strassen\"", "\"classical\", \"fast\", \"fast:SIZE\""},
               {"\"accumulate\": \"single\"", "is no dtype"},
               {"\"sgn_nan\": {\"float31\": \"nan\"}", "\"float31\" is no dtype"},
               {"\"nondeterministic\": \"sgn\"", "must be a list of names"},
               {"\"nondeterministic\": [7]", "must be a list of names"},
               {"\"range\": \"naiv\"", "it takes \"safe\", \"naive\" or a list of operators"},
               {"\"range\": {\"sgn\": \"naive\"}", "or a list of operators"},
               {"\"documented_forms\": \"elu\"", "must be a list of names"},
               {"\"range\": [\"sgn\", 1]", "must be a list of names"},
               {"\"attributes\": \"float16\"", "\"float64\", \"float32\""}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct exec_hello hello;
        struct error error;
        cr_expect_not(greets(row[i].profile, &hello, &error), "%s", row[i].profile);
        cr_expect(strstr(error.text, row[i].message), "%s: %s", row[i].profile, error.text);
        exec_hello_clear(&hello);
    }
}

Test(declared_words, the_page_lists_every_member)
{
    FILE *file = fopen("harness/exec/PROTOCOL.md", "r");
    cr_assert_not_null(file, "to be run from the root of the tree");
    static char page[1 << 16];
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    for (int m = 0; greeting_member(m); m++) {
        char row[64];
        snprintf(row, sizeof row, "\n| `%s` |", greeting_member(m));
        cr_expect(strstr(page, row), "%s", greeting_member(m));
    }
}
