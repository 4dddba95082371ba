/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/operator_names.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <string.h>

/* Tests operators by the names that users write, and what is said of them. */

Test(operator_names, pytorchs_names)
{
    static const char *const rows[][2] = {
        {"logdet", "logdet"},
        {"torch.mean", "mean"},
        {"aten::logdet", "logdet"},
        {"aten::mean.dim", "mean"},
        {"aten.add_.Tensor", "add_"},
        {"nn.LayerNorm", "layer_norm"},
        {"torch.nn.BatchNorm3d", "batch_norm"},
        {"torch.nn.functional.gelu", "gelu"},
        {"F.log_softmax", "log_softmax"},
        {"nn.CrossEntropyLoss", "cross_entropy"},
        {"MSELoss", "mse_loss"},
        {"nn.BCELoss", "binary_cross_entropy"},
        {"SiLU", "silu"},
        {"bmm", "matmul"},
        {"torch.linalg.norm", "vector_norm"},
        {"np.divide", "div"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct error error = {.text = ""};
        const struct op *op = operator_named(rows[r][0], &error);
        cr_expect(op && strcmp(op->name, rows[r][1]) == 0, "%s: %s", rows[r][0], op ? op->name : error.text);
    }
}

Test(operator_names, what_comes_nearest)
{
    static const char *const rows[][2] = {
        {"lstm", "not in this version; nearest: linear, sigmoid, tanh"},
        {"nn.LSTM", "not in this version"},
        {"sofmax", "did you mean softmax"},
        {"add__", "did you mean add_"},
        {"mul_.Tensor", "unknown operator"},
        {"", "unknown operator"},
        {"torch.", "unknown operator"},
        {"xyzzy", "assay list --operators shows them"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct error error = {.text = ""};
        const struct op *op = operator_named(rows[r][0], &error);
        cr_expect_null(op, "%s: %s", rows[r][0], op ? op->name : "");
        cr_expect(strstr(error.text, rows[r][1]), "%s: %s", rows[r][0], error.text);
    }
}

/* In place or not are two operators: neither stands for the other. */
Test(operator_names, every_operator_is_named_by_its_own_name_alone)
{
    for (int o = 0; o < op_count(); o++) {
        struct error error = {.text = ""};
        char path[160], documented[200];
        snprintf(path, sizeof path, "torch.%s", op_at(o)->name);
        cr_expect_eq(operator_named(op_at(o)->name, &error), op_at(o));
        cr_expect_eq(operator_named(path, &error), op_at(o), "%s", path);
        operator_documented(op_at(o), documented, sizeof documented);
        cr_expect(strstr(documented, "torch") || strncmp(documented, "none; ", 6) == 0, "%s: %s",
                  op_at(o)->name, documented);
    }
}

TestSuite(operator_help, .init = trial_begin, .fini = trial_end, .timeout = 60);

Test(operator_help, one_operator)
{
    trial_run("help operator nn.BatchNorm2d");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    static const char *const says[] = {"batch_norm, of the family norm",
                                       "torch.nn.functional.batch_norm",
                                       "running_mean, may be left out (none), overwritten and judged",
                                       "momentum: real = 0.1",
                                       "eps: real = 1e-05",
                                       "cpu vulkan",
                                       "assay repro --op batch_norm --input input.npy"};
    for (size_t s = 0; s < sizeof says / sizeof *says; s++) {
        cr_expect(strstr(trial->output, says[s]), "%s\n%s", says[s], trial->output);
    }
    trial_run("help operator lstm");
    cr_expect_eq(trial->status, 2);
    cr_expect(strstr(trial->output, "nearest: linear, sigmoid, tanh"), "%s", trial->output);
    trial_run("help operator");
    cr_expect_eq(trial->status, 2);
}

Test(operator_help, the_list)
{
    trial_run("list --operators");
    cr_expect_eq(trial->status, 0);
    int lines = 0;
    for (const char *at = trial->output; (at = strchr(at, '\n')); at++) {
        lines++;
    }
    cr_expect_eq(lines, op_count());
    trial_run("list --operators layer_*");
    cr_expect(
        strstr(trial->output, "layer_norm                 input, weight?, bias? → 1; normalized_shape: "),
        "%s", trial->output);
    cr_expect_not(strstr(trial->output, "batch_norm"), "%s", trial->output);
    trial_run("list --operators lstm");
    cr_expect_eq(trial->status, 2);
    trial_run("list --operators --count");
    cr_expect_eq(trial->status, 2);
}
