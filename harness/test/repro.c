/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/npy.h"
#include "harness/test/faulty.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Tensors from files: what is written and what is said. */

static struct trial *trial;

static void begin(void)
{
    trial = trial_create();
}

static void end(void)
{
    trial_destroy(&trial);
}

TestSuite(repro, .init = begin, .fini = end, .timeout = 60);

static void write_matrix(const char *name, int64_t n, double (*entry)(int64_t i, int64_t j))
{
    char path[128];
    double a[100];
    struct shape shape = shape_of(2, n, n);
    for (int64_t k = 0; k < n * n; k++) {
        a[k] = entry(k / n, k % n);
    }
    snprintf(path, sizeof path, "%s/%s", trial->folder, name);
    cr_assert(npy_write(path, 1, &shape, a, NULL));
}

static double hilbert(int64_t i, int64_t j)
{
    return 1.0 / (double)(i + j + 1);
}

static double two(int64_t i, int64_t j)
{
    return i == j ? 2 : i < j ? 1 : 0;
}

static double read_first(const char *name)
{
    char path[128];
    struct tensor tensor;
    struct error error = {.text = ""};
    snprintf(path, sizeof path, "%s/out/%s", trial->folder, name);
    cr_assert(npy_read(path, &tensor, &error), "%s", error.text);
    double x = tensor_component(&tensor, 0);
    tensor_destroy(&tensor);
    return x;
}

Test(repro, truth_bound_and_result_are_written)
{
    write_matrix("A.npy", 3, two);
    trial_run(trial,
              "repro --op logdet --dtype float32 --input FOLDER/A.npy --backend cpu --output-dir FOLDER/out");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    double truth = read_first("truth.npy"), tail = read_first("truth_tail.npy"),
           got = read_first("got-cpu.npy");
    cr_assert_eq(truth, 3 * log(2));
    cr_assert(tail != 0 && fabs(tail) < 1e-15);
    cr_assert(fabs(got - truth) <= read_first("bound.npy"));
    cr_assert(strstr(trial->output, "right to the last place"), "%s", trial->output);
}

Test(repro, an_ill_conditioned_matrix_is_no_defect)
{
    write_matrix("H.npy", 7, hilbert);
    trial_run(trial, "repro --op logdet --dtype float32 --input FOLDER/H.npy --backend cpu --format json");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    json_t *json = json_loads(trial->output, 0, NULL);
    cr_assert_not_null(json, "%s", trial->output);
    cr_assert_str_eq(json_string_value(json_object_get(json, "op")), "logdet");
    cr_assert_eq(json_array_size(json_object_get(json, "backends")), 1);
    cr_assert(strstr(json_string_value(json_object_get(json, "diagnosis")), "no defect"));
    json_decref(json);
}

Test(repro, bad_words_are_named)
{
    write_matrix("A.npy", 2, two);
    static const struct {
        const char *words, *message;
    } row[] = {{"--op logdt --input FOLDER/A.npy", "did you mean logdet"},
               {"--op logdet --input FOLDER/none.npy", "No such file"},
               {"--op logdet", "--op with --input"},
               {"--op logdet --input FOLDER/A.npy --input FOLDER/A.npy", "takes 1 to 1 inputs"},
               {"--op add_ --input FOLDER/A.npy --input FOLDER/A.npy --attr alpha=x", "is no number"},
               {"--op logdet --input FOLDER/A.npy --dtype half", "no dtype of that name"},
               {"--op logdet --input FOLDER/A.npy --format xml", "text or json"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        trial_run(trial, "repro --backend cpu %s", row[i].words);
        cr_assert_eq(trial->status, 2, "%s: %s", row[i].words, trial->output);
        cr_assert(strstr(trial->output, row[i].message), "%s: %s", row[i].words, trial->output);
    }
}
