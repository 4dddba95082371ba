/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Tests `--backend call:` with the functions of harness/test/programs/called_functions.py: right ones pass,
 * and wrong ones fail with a reason that says what is wrong with them. */

TestSuite(called, .init = trial_begin, .fini = trial_end, .timeout = 600);

#define FUNCTIONS "harness/test/programs/called_functions.py"

static void on(const char *runtime)
{
    trial_needs_modules(runtime);
    setenv("CALLED_ON", runtime, 1);
}

static void judge(const char *function, const char *operator_name, const char *globs)
{
    trial_run("run %s --level smoke --jobs 1 --no-rerun --results FOLDER/r --backend call:" FUNCTIONS
              ":%s=%s",
              globs, function, operator_name);
    trial_read("r");
    cr_assert_gt(trial->results.records, 0, "%s: %s", function, trial->output);
}

static void expect_right(const char *function, const char *operator_name, const char *globs)
{
    judge(function, operator_name, globs);
    cr_expect_eq(trial->status, 0, "%s: %s", function, trial->output);
    cr_expect_eq(trial_records(STATUS_FAIL) + trial_records(STATUS_ERROR) + trial_records(STATUS_CRASH), 0,
                 "%s: %s", function, trial->output);
    cr_expect_gt(trial_records(STATUS_PASS), trial->results.records / 2, "%s: %s", function, trial->output);
}

/* Expects that at least `least` cases fail for a reason that contains `word` or by the rule of this name. */
static void expect_wrong(const char *function, const char *operator_name, const char *globs, const char *word,
                         int least)
{
    int found = 0;
    judge(function, operator_name, globs);
    cr_expect_eq(trial->status, 1, "%s: exit %d: %s", function, trial->status, trial->output);
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        bool failed = record->status == STATUS_FAIL || record->status == STATUS_ERROR;
        found += failed && ((record->reason && strstr(record->reason, word)) ||
                            (record->rule && strcmp(record->rule, word) == 0));
    }
    cr_expect_geq(found, least, "%s: %d cases fail by \"%s\": %s", function, found, word, trial->output);
}

static void right_functions(void)
{
    expect_right("softmax", "softmax", "reduction/softmax/float32");
    expect_right("by_reciprocal", "softmax", "reduction/softmax/float32");
    expect_right("by_logarithm", "softmax", "reduction/softmax/float32");
    expect_right("add", "add", "elementwise/add/float32");
    expect_right("add_", "add_", "inplace/add_/float32");
    expect_right("matmul", "matmul", "linalg/matmul/float32");
    expect_right("layer_norm", "layer_norm", "norm/layer_norm/float32");
}

static void wrong_functions(void)
{
    static const struct {
        const char *function, *word;
        int least;
    } rows[] = {
        {"tiny_is_zero", "bound", 3},
        {"half_sums", "bound", 5},
        {"overwrites", "stray write", 8},
        {"returns_operand", "aliasing: result 0 shares memory with operand 0", 8},
        {"same_buffer", "aliasing: result 0 shares memory with the result of an earlier call", 8},
        {"changes_last", "aliasing: this call has changed the result of an earlier call", 8},
        {"unwritten", "", 5},
        {"by_address", "remembered by address", 8},
        {"by_shape", "remembered by shape", 8},
        {"first_sizes", "right only for the sizes of its first call: after calls on other sizes the result",
         3},
        {"first_buffer", "right only for the sizes of its first call: after calls on other sizes, ", 3},
        {"random_last_bit", "not repeatable", 8},
        {"nothing", "result 0 is of type NoneType, not a ", 8},
        {"a_number", "result 0 is of type float, not a ", 8},
        {"short", "result 0 is float32 [1, 6, 7], and float32 [5, 6, 7] is expected", 1},
        {"half_result", "result 0 is float16 [5, 6, 7], and float32 [5, 6, 7] is expected", 1},
        {"two", "the function returned 2 results, and the operator has 1", 8},
        {"raises", "ValueError: no such luck (called_functions.py:", 8},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        expect_wrong(rows[r].function, "softmax", "reduction/softmax/float32", rows[r].word, rows[r].least);
    }
    expect_wrong("clone", "clone", "conversion/clone/float32",
                 "aliasing: result 0 shares memory with operand 0", 3);
}

Test(called, right_functions_pass_takes_seconds)
{
    on("numpy");
    right_functions();
}

Test(called, wrong_functions_fail_takes_seconds)
{
    on("numpy");
    wrong_functions();
}

Test(called, right_functions_pass_on_torch_takes_seconds)
{
    on("torch");
    right_functions();
}

Test(called, wrong_functions_fail_on_torch_takes_seconds)
{
    on("torch");
    wrong_functions();
}

/* What a function does not take or has not implemented is unsupported, and the reason says so. */
Test(called, what_a_function_does_not_take_is_unsupported)
{
    on("numpy");
    judge("add_", "add_", "inplace/add_/float32/chain-alpha* inplace/add_/float32/*alpha*");
    cr_expect_gt(trial_records(STATUS_UNSUPPORTED), 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "add_ does not take alpha, and the call has alpha = "), "%s",
              trial->output);
    judge("only_matrices", "softmax", "reduction/softmax/float32");
    cr_expect(strstr(trial->output, "NotImplementedError: only matrices (called_functions.py:"), "%s",
              trial->output);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    judge("softmax", "softmax", "reduction/softmax/float16"); /* ASSAY_DTYPES */
    cr_expect_eq(trial_records(STATUS_UNSUPPORTED), trial->results.records, "%s", trial->output);
}

static const char two_functions[] = "import numpy\n"
                                    "def plus(x, y):\n"
                                    "    return x + y\n"
                                    "ASSAY_OPERATORS = {'add': plus}\n"
                                    "ASSAY_PROFILE = {'ties': 'first'}\n";

/* The forms of a selector, each with the operator that it stands for. */
Test(called, the_forms_of_a_selector_takes_seconds)
{
    static const char *const good[] = {
        "repro elementwise/add/float32/ordinary --backend call:FOLDER/a'b.py:plus=add",
        "repro elementwise/add/float32/ordinary --backend call:FOLDER/a'b.py:plus=add@numpy",
        "repro elementwise/add/float32/ordinary --backend call:FOLDER/a'b.py",
        "repro elementwise/add/float32/ordinary --backend call:FOLDER/many.toml",
        "repro --op add --input FOLDER/x.npy --input FOLDER/x.npy --backend call:FOLDER/a'b.py:plus",
        ("repro --op add --input FOLDER/x.npy --input FOLDER/x.npy -b call:FOLDER/a'b.py:plus --bundle "
         "FOLDER/b.zip"),
        "repro FOLDER/b.zip --backend call:FOLDER/a'b.py:plus",
    };
    const double x[4] = {1, 2, 3, 0.1};
    const char *id = trial_id("elementwise/add/float32/*", 0);
    on("numpy");
    trial_write("a'b.py", two_functions);
    trial_write("many.toml", "add = \"a'b.py:plus\"\n");
    trial_array("x.npy", shape_of(1, (int64_t)4), x);
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
        char words[300];
        const char *named = strstr(good[g], "elementwise/add/float32/ordinary");
        snprintf(words, sizeof words, "%.*s%s%s", named ? 6 : (int)strlen(good[g]), good[g], named ? id : "",
                 named ? named + strlen("elementwise/add/float32/ordinary") : "");
        trial_run("%s", words);
        cr_expect_eq(trial->status, 0, "%s: %s", words, trial->output);
        cr_expect(strstr(trial->output, "pass"), "%s: %s", words, trial->output);
    }
}

Test(called, a_selector_that_names_nothing_says_what_to_do)
{
    static const struct {
        const char *selector, *part;
    } rows[] = {
        {"", "give call:FILE.py:FUNCTION"},
        {":FOLDER/a.py:plus",
         "\"plus\" is no operator of assay: append one to the selector, a.py:plus=softmax"},
        {":FOLDER/a.py:plus=addd", "\"addd\" is no operator of assay; did you mean add?"},
        {":FOLDER/a.py:minus", "a.py has no function minus"},
        {":FOLDER/absent.py:plus", "there is no file "},
        {":no.such.module:plus", "there is no module no.such.module"},
        {":FOLDER/broken.py:plus", "broken.py cannot be loaded: SyntaxError: "},
        {":FOLDER/raising.py:plus", "raising.py cannot be loaded: ValueError: not today (raising.py:2)"},
        {":FOLDER/broken.toml", "broken.toml: add must be \"FILE.py:FUNCTION\""},
        {":FOLDER/raising.py", "raising.py cannot be loaded"},
    };
    on("numpy");
    trial_write("a.py", two_functions);
    trial_write("broken.py", "def plus(:\n");
    trial_write("raising.py", "\nraise ValueError('not today')\n");
    trial_write("broken.toml", "add = 3\n");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        trial_run("run elementwise/add/float32 --level smoke --backend call%s", rows[r].selector);
        cr_expect_eq(trial->status, 3, "%s: %s", rows[r].selector, trial->output);
        cr_expect(strstr(trial->output, rows[r].part), "%s: %s", rows[r].selector, trial->output);
    }
}
