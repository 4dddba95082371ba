/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests repro with tensors from files: what it writes and prints. */

TestSuite(repro, .init = trial_begin, .fini = trial_end, .timeout = 60);

static double two(int64_t i, int64_t j)
{
    return i == j ? 2 : i < j ? 1 : 0;
}

Test(repro, truth_bound_and_result_are_written)
{
    trial_matrix("A.npy", 3, 3, two);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/A.npy --backend cpu --output-dir FOLDER/out");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    double truth = trial_first("truth.npy", NULL), tail = trial_first("truth_tail.npy", NULL),
           got = trial_first("got-cpu.npy", NULL);
    cr_assert_eq(truth, 3 * log(2));
    cr_assert_eq(trial_first("radius.npy", NULL), 0);
    cr_assert(tail != 0 && fabs(tail) < 1e-15);
    cr_assert(fabs(got - truth) <= trial_first("bound.npy", NULL));
    cr_assert(strstr(trial->output, "right to the last place"), "%s", trial->output);
}

static double irregular(int64_t i, int64_t j)
{
    return (double)(float)sin((double)(i * 31 + j * 17 + 1));
}

/* The truth of a product has a radius, except that of the element that is shown. */
Test(repro, a_truth_within_radii_says_so)
{
    int64_t elements;
    trial_matrix("A.npy", 24, 24, irregular);
    trial_run("repro --op matmul --dtype float32 --input FOLDER/A.npy --input FOLDER/A.npy --backend cpu "
              "--output-dir FOLDER/out");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    double radius = trial_first("radius.npy", &elements), truth = trial_first("truth.npy", NULL),
           tail = trial_first("truth_tail.npy", NULL), exact = 0;
    cr_assert_eq(elements, 24 * 24);
    for (int k = 0; k < 24; k++) {
        exact += irregular(0, k) * irregular(k, 0);
    }
    cr_assert(radius > 0 && radius < 1e-13 && tail == 0, "%g", radius);
    cr_assert_lt(fabs(truth - exact), 1e-13);
}

Test(repro, an_ill_conditioned_matrix_is_no_defect)
{
    trial_matrix("H.npy", 7, 7, trial_hilbert);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/H.npy --backend cpu --format json");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    json_t *json = trial_json();
    cr_assert_str_eq(json_string_value(json_object_get(json, "op")), "logdet");
    cr_assert_eq(json_array_size(json_object_get(json, "backends")), 1);
    const char *text = json_string_value(json_object_get(json, "diagnosis"));
    cr_assert_eq(strncmp(text, "cannot tell: ", 13), 0, "%s", text);
    cr_expect(strstr(text, "the problem is ill-conditioned in this dtype"), "%s", text);
    cr_assert(json_is_null(json_object_get(json, "hypothesis")), "%s", trial->output);
    json_decref(json);
}

static double coarse(int64_t i, int64_t j)
{
    return sin((double)(i * 31 + j * 17 + i * j));
}

/* An element of a product does not have a block of the operands to itself. */
Test(repro, only_the_elements_own_inputs_are_shown)
{
    trial_matrix("A.npy", 9, 9, coarse);
    trial_run("repro --op matmul --dtype float32 --input FOLDER/A.npy --input FOLDER/A.npy --backend cpu");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    cr_assert(strstr(trial->output, "worst element"), "%s", trial->output);
    trial_matrix("B.npy", 9, 18, coarse);
    trial_run("repro --op linear --dtype float32 --input FOLDER/B.npy --input FOLDER/B.npy --backend cpu");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    cr_assert_not(strstr(trial->output, "input 0 ("), "%s", trial->output);
}

/* The diagnosis of a case follows the other details of the failure, with a worker and without one. */
Test(repro, a_failing_case_is_diagnosed)
{
    static const char *const how[] = {"", " --in-process"};
    setenv("ASSAY_TEST_ANSWER", "/dev/null", 1); /* nothing is written there */
    for (int h = 0; h < 2; h++) {
        trial_run("repro inplace/add_/float32/alpha-tenth-random --backend faulty%s", how[h]);
        cr_expect_eq(trial->status, 1, "%s", trial->output);
        cr_expect(strstr(trial->output, "diagnosis: explained by stale: "), "%s", trial->output);
    }
    unsetenv("ASSAY_TEST_ANSWER");
    trial_run("repro inplace/add_/float32/alpha-tenth-random --backend faulty");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect_not(strstr(trial->output, "diagnosis"), "%s", trial->output);
}

Test(repro, bad_words_are_named)
{
    trial_matrix("A.npy", 2, 2, two);
    static const struct {
        const char *words, *message;
    } row[] = {
        {"--op logdt --input FOLDER/A.npy", "did you mean logdet"},
        {"--op logdet --input FOLDER/none.npy", "No such file"},
        {"--op logdet", "--op with --input"},
        {"--op logdet --input FOLDER/A.npy --input FOLDER/A.npy", "takes 1 input (input); the 2 files"},
        {"--op add_ --input FOLDER/A.npy --input FOLDER/A.npy --attr alpha=x", "which takes a number"},
        {"--op logdet --input FOLDER/A.npy --dtype half", "unknown dtype"},
        {"--op logdet --input FOLDER/A.npy --format xml", "text or json"},
        {"--op logdet --input FOLDER/A.npy --seed 2", "contain nothing random"},
        {"--op logdet --input FOLDER/A.npy --seed two", "give a whole number"},
        {"--op logdet --input FOLDER/A.npy --in-process --time-limit 3", "cannot be used with --in-process"},
        {"--op logdet --input FOLDER/A.npy --dtype int32", "to one of float32, float64"},
        {"--op logdet --input FOLDER/A.npy --output-dir FOLDER/A.npy", "this is not a directory"},
        {"--op sparse_mm --input FOLDER/S.mtx", "makes 2 (a sparse matrix counts"},
        {"elementwise/sgn/float32/specials --format xml", "text or json"},
        {"elementwise/sgn/float32/specials --output-dir FOLDER/A.npy", "this is not a directory"},
        {"memory/sgn/float32/epochs --output-dir FOLDER/out", "has no tensors"},
        {"elementwise/sgn/float32/specials --attr a=1", "--attr needs --op"},
        {"elementwise/sgn/float32/specials --dtype float16", "--dtype needs --op"},
        {"elementwise/sgn/float32/specials --in-process --time-limit 3", "cannot be used with --in-process"},
        {"sgn", "one whole id is needed"}};
    trial_write("S.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        trial_run("repro --backend cpu %s", row[i].words);
        cr_assert_eq(trial->status, 2, "%s: %s", row[i].words, trial->output);
        cr_assert(strstr(trial->output, row[i].message), "%s: %s", row[i].words, trial->output);
    }
}

/* --- options */

static json_t *first_worst(json_t **whole)
{
    *whole = trial_json();
    return json_object_get(json_array_get(json_object_get(*whole, "backends"), 0), "worst");
}

Test(repro, an_attribute_is_of_the_operators_type)
{
    json_t *whole;
    trial_matrix("A.npy", 2, 2, two); /* 2 1, 0 2 */
    trial_run("repro --op vector_norm --input FOLDER/A.npy --attr dim=0 --backend cpu --format json");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    const char *where = json_string_value(json_object_get(first_worst(&whole), "where"));
    cr_assert(where && strncmp(where, "output 0 [", 10) == 0 && where[10] != ']', "one norm per column: %s",
              trial->output);
    json_decref(whole);
    trial_run("repro --op layer_norm --input FOLDER/A.npy --attr normalized_shape=2 --backend cpu");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_run("repro --op vector_norm --input FOLDER/A.npy --attr keepdim=true --backend cpu");
    cr_assert(strstr(trial->output, "output 0 [0, 0]"), "%s", trial->output);
}

/* Makes rows with one greatest number and with two. */
static double places(int64_t i, int64_t j)
{
    return i == j || (i == 1 && j == 3) ? 7 : (double)(i - j);
}

Test(repro, a_right_place_is_no_matter_of_conditioning)
{
    trial_matrix("A.npy", 3, 4, places);
    trial_run("repro --op argmax --dtype float32 --input FOLDER/A.npy --attr dim=1 --backend cpu");
    trial_expect(0, "no defect: the operator's own check of the whole result finds no error");
    cr_assert_not(strstr(trial->output, "conditioned"), "%s", trial->output);
}

Test(repro, dtype_leaves_masks_alone)
{
    trial_matrix("A.npy", 1, 1, two);
    FILE *file = fopen(trial_path("mask.npy"), "wb");
    cr_assert_not_null(file);
    char header[119];
    snprintf(header, sizeof header, "%-117s\n",
             "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 1), }");
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    fwrite(header, 1, 118, file);
    fputc(1, file);
    cr_assert_eq(fclose(file), 0);
    trial_run("repro --op masked_fill_ --dtype float16 --attr value=3 --input FOLDER/A.npy --input "
              "FOLDER/mask.npy --backend cpu");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    cr_assert(strstr(trial->output, "3 (0x4200)"), "%s", trial->output);
}

Test(repro, the_time_limit_ends_a_backend)
{
    trial_matrix("A.npy", 3, 3, two);
    trial_script("mute", "#!/bin/sh\nread -r line\necho '{\"hello\": 1, \"name\": \"mute\", \"dtypes\": "
                         "[\"float32\"], \"operators\": [\"logdet\"]}'\nexec sleep 100\n");
    trial_run("repro --op logdet --dtype float32 --input FOLDER/A.npy --backend exec:FOLDER/mute --backend "
              "cpu --time-limit 1 --output-dir FOLDER/out");
    cr_assert_eq(trial->status, 1, "%s", trial->output);
    cr_assert_lt(trial->seconds, 30);
    cr_assert(strstr(trial->output, "did not answer within the time limit of 1 s"), "%s", trial->output);
    cr_assert(strstr(trial->output, "right to the last place"), "the other one answers: %s", trial->output);
    cr_assert(trial_has("out/truth.npy") && trial_has("out/got-cpu.npy"));
}

static double scattered(int64_t i, int64_t j)
{
    return (double)((i * 7919 + j * 104729) % 1009) / 1009;
}

Test(repro, the_time_limit_ends_the_reference)
{
    trial_matrix("B.npy", 100, 100, scattered);
    trial_run("repro --op logdet --input FOLDER/B.npy --backend cpu --backend faulty --time-limit 0.01");
    cr_assert_eq(trial->status, 1, "%s", trial->output);
    cr_assert(strstr(trial->output, "the reference did not finish within"), "%s", trial->output);
}

Test(repro, repeats_count_and_the_cache_is_an_option)
{
    char script[PATH_MAX + 256], line[4096];
    int runs = 0;
    trial_matrix("A.npy", 3, 3, two);
    snprintf(script, sizeof script, "#!/bin/sh\ntee %s | %s\n", trial_path("log"), trial_program("example"));
    trial_script("listen", script);
    trial_run("repro --op sgn --dtype float32 --input FOLDER/A.npy --backend exec:FOLDER/listen --repeat 5");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    FILE *file = fopen(trial_path("log"), "rb");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        char *run = memmem(line, sizeof line, "\"run\":", 6);
        runs += run != NULL;
        memset(line, 0, sizeof line);
    }
    fclose(file);
    cr_assert_eq(runs, 5);
    trial_matrix("B.npy", 100, 100, scattered); /* takes long enough to be cached */
    trial_run("repro --op logdet --input FOLDER/B.npy --backend cpu --no-cache");
    cr_assert_not(trial_has("assay"), "%s", trial->output);
    trial_run("repro --op logdet --input FOLDER/B.npy --backend cpu --in-process");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    cr_assert(trial_has("assay"), "%s", trial->output);
}

/* --- output */

Test(repro, without_an_answer_there_are_no_numbers_and_no_file)
{
    char words[PATH_MAX + 256];
    trial_matrix("A.npy", 3, 3, two);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/A.npy --backend cpu --output-dir FOLDER/out");
    snprintf(words, sizeof words, "#!/bin/sh\nexec %s\n", trial_program("example"));
    trial_script("cpu", words);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/A.npy --backend exec:FOLDER/cpu "
              "--output-dir FOLDER/out");
    cr_assert_eq(trial->status, 1, "no answer is no pass: %s", trial->output);
    cr_assert(strstr(trial->output, "unsupported") && strstr(trial->output, "does not offer logdet"), "%s",
              trial->output);
    cr_assert_not(strstr(trial->output, "max ulp") || strstr(trial->output, "worst element"), "%s",
                  trial->output);
    cr_assert(trial_has("out/truth.npy"), "the truth needs no backend");
    snprintf(words, sizeof words, "ls %s/out | grep -v cpu.npy | grep -q got", trial->folder);
    cr_assert_neq(system(words), 0);
}

Test(repro, the_worst_element_is_always_shown)
{
    json_t *whole;
    trial_matrix("H.npy", 12, 12, trial_hilbert);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/H.npy --backend cpu --format json");
    json_t *worst = first_worst(&whole);
    cr_assert_eq(strlen(json_string_value(json_object_get(worst, "truth"))), 32, "%s", trial->output);
    cr_assert_str_eq(json_string_value(json_object_get(worst, "bound")), "inf");
    cr_assert(json_is_string(json_object_get(worst, "got")));
    json_decref(whole);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/H.npy --backend cpu");
    cr_assert(strstr(trial->output, "bound            inf") && strstr(trial->output, "amplification    inf"),
              "%s", trial->output);
    trial_matrix("A.npy", 2, 2, two);
    trial_run("repro --op sgn --input FOLDER/A.npy --backend cpu");
    cr_assert(strstr(trial->output, "truth            1\n") && strstr(trial->output, "bound            0\n"),
              "%s", trial->output);
    trial_run("repro elementwise/sgn/float32/specials --backend cpu");
    cr_assert(strstr(trial->output, "worst element    output 0 [0]"), "%s", trial->output);
    cr_assert(strstr(trial->output, "bound            0\n"), "%s", trial->output);
}

Test(repro, a_backend_that_does_not_start_leaves_the_others_their_results)
{
    json_t *whole;
    trial_matrix("A.npy", 3, 3, two);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/A.npy --backend exec:/nonexistent --backend "
              "cpu --output-dir FOLDER/out");
    cr_assert_eq(trial->status, 3, "%s", trial->output);
    cr_assert(strstr(trial->output, "does not greet") && strstr(trial->output, "right to the last place"),
              "%s", trial->output);
    cr_assert(trial_has("out/truth.npy") && trial_has("out/got-cpu.npy"));
    trial_faults("open refuse");
    trial_run("repro --op logdet --input FOLDER/A.npy --backend faulty --backend cpu --format json");
    cr_assert_eq(trial->status, 3, "%s", trial->output);
    cr_assert(strstr(trial->output, "out to lunch"), "%s", trial->output);
    char *json = strchr(trial->output, '{');
    memmove(trial->output, json, strlen(json) + 1);
    first_worst(&whole);
    json_t *backends = json_object_get(whole, "backends");
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(backends, 0), "status")),
                     "unavailable");
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(backends, 1), "status")), "pass");
    json_decref(whole);
}

Test(repro, what_cannot_be_written_is_exit_2)
{
    char words[PATH_MAX + 256];
    trial_matrix("A.npy", 3, 3, two);
    snprintf(words, sizeof words, "mkdir -p %s/out/got-cpu.npy", trial->folder);
    cr_assert_eq(system(words), 0);
    trial_run("repro --op logdet --input FOLDER/A.npy --backend cpu --output-dir FOLDER/out");
    cr_assert_eq(trial->status, 2, "%s", trial->output);
    cr_assert(strstr(trial->output, "got-cpu.npy: Is a directory"), "%s", trial->output);
    snprintf(words, sizeof words, "ls %s/out | grep -q tmp", trial->folder);
    cr_assert_neq(system(words), 0, "half a file is left");
    static const char *const what[] = {"elementwise/sgn/float32/specials",
                                       "--op logdet --input A.npy --format json",
                                       "--op logdet --input A.npy"};
    for (size_t w = 0; w < sizeof what / sizeof *what; w++) {
        snprintf(words, sizeof words, "cd %s && %s repro %s --backend cpu > /dev/full 2> /dev/null",
                 trial->folder, trial_program("assay-faulty"), what[w]);
        cr_assert_eq(WEXITSTATUS(system(words)), 2, "%s", what[w]);
    }
}

Test(repro, complex_results_are_written)
{
    char header[160] = "";
    FILE *file = fopen(trial_path("Z.npy"), "wb");
    cr_assert_not_null(file);
    const float z[4] = {3, 4, 0, -2};
    snprintf(header, sizeof header, "%-117s\n", "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }");
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    fwrite(header, 1, 118, file);
    fwrite(z, 1, sizeof z, file);
    cr_assert_eq(fclose(file), 0);
    trial_run("repro --op sgn --input FOLDER/Z.npy --backend cpu --output-dir FOLDER/out");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    file = fopen(trial_path("out/truth.npy"), "rb");
    cr_assert_not_null(file);
    double truth[4];
    cr_assert_eq(fread(header, 1, 128, file), 128);
    cr_assert(strstr(header + 10, "'<c16'"), "%s", header + 10);
    cr_assert_eq(fread(truth, 8, 4, file), 4);
    fclose(file);
    cr_assert(truth[0] == 0.6 && truth[1] == 0.8 && truth[2] == 0 && truth[3] == -1);
}

Test(repro, no_two_backends_share_a_file)
{
    char script[PATH_MAX + 64], dots[96] = "";
    snprintf(script, sizeof script, "#!/bin/sh\nexec %s\n", trial_program("example"));
    trial_script("a", script);
    trial_script("b", script);
    trial_matrix("A.npy", 2, 2, two);
    for (int i = 0; i < 40; i++) {
        strcat(dots, "/.");
    }
    trial_run("repro --op sgn --dtype float32 --input FOLDER/A.npy --backend exec:FOLDER%s/a --backend "
              "exec:FOLDER%s/b --output-dir FOLDER/out --format json",
              dots, dots);
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    json_t *whole = trial_json(), *backends = json_object_get(whole, "backends");
    const char *name[2];
    for (size_t b = 0; b < 2; b++) {
        json_t *written = json_object_get(json_array_get(backends, b), "written");
        name[b] = json_string_value(json_array_get(written, json_array_size(written) - 1));
        cr_assert(name[b] && strncmp(name[b], "got-exec_", 9) == 0, "%s", trial->output);
    }
    cr_assert_str_neq(name[0], name[1]);
    json_decref(whole);
}
