/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/npy.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <string.h>

/* Tests results that exist already: --got, --profile and --name. */

TestSuite(given, .init = trial_begin, .fini = trial_end, .timeout = 60);

#define CALL "repro --op add --input FOLDER/a.npy --input FOLDER/b.npy "

/* Writes a float32 or other tensor of 2 × 3 elements. */
static void write_matrix(const char *name, enum dtype dtype, const double *values)
{
    struct tensor tensor;
    struct error error = {.text = ""};
    const struct shape shape = shape_of(2, 2, 3);
    cr_assert(tensor_create(&tensor, dtype, &shape));
    for (int k = 0; k < 6; k++) {
        dtype_store(dtype, tensor.data + (size_t)k * dtype_info(dtype)->size, values[k]);
    }
    cr_assert(npy_write_tensor(trial_path(name), &tensor, &error), "%s", error.text);
    tensor_destroy(&tensor);
}

static void write_files(void)
{
    static const double a[] = {1, 2, 3, 4, 5, 6}, b[] = {10, 20, 30, 40, 50, 60},
                        sum[] = {11, 22, 33, 44, 55, 66}, off[] = {11, 22, 33, 44, 55, 67},
                        odd[] = {11, 22, 33, 44, 55, 66.1};
    write_matrix("a.npy", DTYPE_FLOAT32, a);
    write_matrix("b.npy", DTYPE_FLOAT32, b);
    write_matrix("sum.npy", DTYPE_FLOAT32, sum);
    write_matrix("off.npy", DTYPE_FLOAT32, off);
    write_matrix("double.npy", DTYPE_FLOAT64, sum);
    write_matrix("half.npy", DTYPE_FLOAT16, sum);
    write_matrix("odd.npy", DTYPE_FLOAT64, odd);
}

static void expect(int status, const char *says, const char *options)
{
    trial_run(CALL "%s", options);
    cr_expect_eq(trial->status, status, "%s: %s", options, trial->output);
    cr_expect(strstr(trial->output, says), "%s: %s", options, trial->output);
}

Test(given, a_result_is_judged_without_a_device)
{
    write_files();
    expect(0, "recorded: pass", "--got FOLDER/sum.npy");
    expect(1, "recorded: fail", "--got FOLDER/off.npy");
    /* other dtypes, where each number is one of the result's */
    expect(0, "recorded: pass", "--got FOLDER/double.npy");
    expect(0, "recorded: pass", "--got FOLDER/half.npy");
    expect(2, "holds 66.1, which is no number of float32", "--got FOLDER/odd.npy");
}

Test(given, what_does_not_fit_is_refused)
{
    write_files();
    expect(2, "add has 1 result to judge, --got is given 2 times",
           "--got FOLDER/sum.npy --got FOLDER/sum.npy");
    trial_run("repro --op sum --input FOLDER/a.npy --got FOLDER/a.npy");
    cr_expect_eq(trial->status, 2);
    cr_expect(strstr(trial->output, "it has the shape [2, 3], the result of this call []"), "%s",
              trial->output);
    expect(2, "No such file", "--got FOLDER/none.npy");
    expect(2, "--shrink cannot be used with --got", "--got FOLDER/sum.npy --shrink");
    expect(2, "--profile needs --got", "--profile ieee -b cpu");
    trial_run("repro linalg/logdet/float32/hilbert-n8 --got FOLDER/sum.npy");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
}

Test(given, backends_are_asked_beside_it_by_their_names)
{
    write_files();
    trial_run("repro --op add --input FOLDER/a.npy --input FOLDER/b.npy --got FOLDER/off.npy --profile ieee "
              "--name phone --name host --backend cpu");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, "phone: fail"), "%s", trial->output);
    cr_expect(strstr(trial->output, "host: pass"), "%s", trial->output);
    cr_expect(strstr(trial->output, "comparison: phone drifts"), "%s", trial->output);
    expect(2, "--name is given 2 times, for 1 backend", "--got FOLDER/sum.npy --name a --name b");
}

/* Rounding is promised: the sum of a and b has one right result. Not promised: it may be one ulp off. */
Test(given, the_profile_decides)
{
    static const double a[] = {1, 2, 3, 4, 5, 0x1p24}, b[] = {10, 20, 30, 40, 50, 1.5},
                        near[] = {11, 22, 33, 44, 55, 0x1p24};
    write_matrix("a.npy", DTYPE_FLOAT32, a);
    write_matrix("b.npy", DTYPE_FLOAT32, b);
    write_matrix("near.npy", DTYPE_FLOAT32, near);
    trial_write("open.json", "{\"rounding\": \"open\"}");
    trial_write("greeting.json", "{\"name\": \"x\", \"profile\": {\"rounding\": \"rte\"}}");
    trial_write("misspelt.json", "{\"roundng\": \"rte\"}");
    trial_write("broken.json", "{\"rounding\": ");
    expect(1, "recorded: fail", "--got FOLDER/near.npy");
    expect(0, "recorded: pass", "--got FOLDER/near.npy --profile FOLDER/open.json");
    expect(1, "recorded: fail", "--got FOLDER/near.npy --profile FOLDER/greeting.json");
    expect(1, "recorded: fail", "--got FOLDER/near.npy --profile torch:cuda");
    expect(0, "recorded: pass", "--got FOLDER/near.npy --profile torch:mps");
    expect(2, "did you mean \"rounding\"", "--got FOLDER/near.npy --profile FOLDER/misspelt.json");
    expect(2, "line 1: ", "--got FOLDER/near.npy --profile FOLDER/broken.json");
    expect(2, "did you mean torch:cuda; the names are none, ieee, opencl",
           "--got FOLDER/near.npy --profile torch:cud");
}

/* An in-place operator has its operand as it is after the call; a bundle keeps the result. */
Test(given, a_bundle_holds_it)
{
    write_files();
    trial_run("repro --op add_ --input FOLDER/a.npy --input FOLDER/b.npy --got FOLDER/off.npy --bundle "
              "FOLDER/x.zip");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    trial_run("repro FOLDER/x.zip");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, "still there"), "%s", trial->output);
    cr_expect_not(strstr(trial->output, "only -b starts it"), "%s", trial->output);
}

/* A wrong result has no time; the last backend is the one to compare with. */
Test(given, times_of_right_results)
{
    write_files();
    trial_run("repro --op add --input FOLDER/a.npy --input FOLDER/b.npy --backend cpu --bench");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, " µs, the least of 20 runs"), "%s", trial->output);
    cr_expect_not(strstr(trial->output, "times as long"), "%s", trial->output);
    setenv("ASSAY_TEST_VALUES", "negated", 1);
    expect(1, "time             not shown: the result is not known to be right",
           "--backend faulty --backend cpu --bench");
    cr_expect_not(strstr(trial->output, "times as long"), "%s", trial->output);
    expect(0, "the least of 3 runs", "--backend cpu --bench --repeat 3");
    trial_run("repro linalg/logdet/float32/hilbert-n8 --bench");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
}
