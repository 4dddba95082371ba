/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests `assay bench kernels --sizes`: right backends agree, wrong ones are named, and one that crashes costs
 * a row. */

#include "harness/bench/kernel_rows.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(kernel_sizes, .init = trial_begin, .fini = trial_end, .timeout = 240);

/* Checks that each row has a line for each of two backends; `scale` is that of the run. */
static void expect_all_rows(int64_t scale)
{
    char name[KERNEL_NAME], line[KERNEL_NAME + 8];
    for (int r = 0; r < kernel_rows(); r++) {
        const struct kernel_row row = kernel_row(r, scale);
        kernel_row_name(&row, name);
        for (int b = 1; b <= 2; b++) {
            snprintf(line, sizeof line, "%-38s%2d ", name, b);
            cr_expect(strstr(trial->output, line), "no line \"%s\" in %s", line, trial->output);
        }
    }
}

Test(kernel_sizes, vulkan_and_cpu_agree_in_every_row_takes_seconds)
{
    trial_run("bench kernels --sizes --scale 4194304 --backend vulkan --backend cpu");
    cr_expect_eq(trial->status, 0, "exit %d: %s", trial->status, trial->output);
    cr_expect(!strstr(trial->output, "DIFFERS") && !strstr(trial->output, "failed"), "%s", trial->output);
    cr_expect(!strstr(trial->output, "unsupported") && !strstr(trial->output, "memory"), "%s", trial->output);
    cr_expect(strstr(trial->output, "; copy ") && !strstr(trial->output, "; copy -"), "%s", trial->output);
    expect_all_rows(4194304);
    for (const char *line = trial->output; line && *line; line = strchr(line, '\n') + 1) {
        cr_expect_leq(strcspn(line, "\n"), 80, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

Test(kernel_sizes, vulkan_and_cpu_agree_in_rows_of_several_forms)
{
    trial_run_expect(0, "matmul/float16/",
                     "bench kernels --sizes matmul linear csr_mm cross_entropy argmax layer_norm_backward "
                     "--scale 1048576 --backend vulkan --backend cpu");
    cr_expect(!strstr(trial->output, "DIFFERS"), "%s", trial->output);
}

Test(kernel_sizes, words_and_excludes_select_rows_by_operator_or_name)
{
    trial_run_expect(0, "sum/float32/64x64/columns",
                     "bench kernels --sizes sum neg/float16 --exclude *67108864 --scale 65536 -b cpu");
    cr_expect(strstr(trial->output, "neg/float16/4096 ") && !strstr(trial->output, "neg/float32"), "%s",
              trial->output);
    trial_run_expect(0, "sum/float32/16x16/columns",
                     "bench kernels --sizes sum/float32/16384x16384/columns --scale 1000000 -b cpu --seed 3");
    cr_expect(!strstr(trial->output, "sum/float32/16x16 "), "%s", trial->output);
}

/* Makes FOLDER/p, a program of the exec protocol whose vector_norm is `statement` in Python, given the right
 * result as `good`. */
static void make_program(const char *statement)
{
    char folder[PATH_MAX], script[2 * PATH_MAX];
    cr_assert(getcwd(folder, sizeof folder));
    snprintf(script, sizeof script,
             "import math, os, sys\n"
             "sys.path.insert(0, '%s/harness/adapters')\n"
             "import starter\n"
             "right = starter.OPERATORS['vector_norm']\n"
             "def norm(a, x):\n"
             "    [(dtype, shape, good)] = right(a, x)\n"
             "    %s\n"
             "starter.OPERATORS['vector_norm'] = norm\n"
             "starter.serve()\n",
             folder, statement);
    trial_write("p.py", script);
    trial_needs_python();
}

#define NORM                                                                                                 \
    "bench kernels --sizes vector_norm square --scale 65536 --backend "                                      \
    "exec:exec${IFS}python3${IFS}FOLDER/p.py "

Test(kernel_sizes, wrong_result_is_named_and_fails)
{
    make_program("return [(dtype, shape, good)]");
    trial_run_expect(0, "unsupported", NORM "--backend cpu");
    cr_expect(strstr(trial->output, "*: single runs"), "the starter offers no repeats: %s", trial->output);
    make_program("return [(dtype, shape, [1.001 * v for v in good])]");
    trial_run_expect(1, "DIFFERS: 1.00e-03 in norm from backend 2, more than 1e-04", NORM "--backend cpu");
    cr_expect(strstr(trial->output, "1 result differs from backend 2."), "%s", trial->output);
    make_program("return [(dtype, shape, [math.nan for v in good])]");
    trial_run_expect(1, "DIFFERS: inf in norm", NORM "--backend cpu");
    /* also where the wrong one is the last */
    trial_run_expect(1, "DIFFERS: inf in norm",
                     "bench kernels --sizes vector_norm --scale 65536 -b cpu "
                     "-b exec:exec${IFS}python3${IFS}FOLDER/p.py");
}

Test(kernel_sizes, crash_of_a_backend_costs_its_row_alone)
{
    make_program("os._exit(7)");
    trial_run_expect(1, "crashed: ", NORM "--backend cpu");
    cr_expect(strstr(trial->output, "1 measurement failed."), "%s", trial->output);
    cr_expect(strstr(trial->output, "square/float32/1024"), "%s", trial->output);
}

static void refused(const char *part, const char *words)
{
    trial_run_expect(2, part, words);
}

Test(kernel_sizes, usage_errors_say_what_to_do)
{
    refused("--sizes: this option needs bench kernels", "bench reference --sizes");
    refused("--scale: this option needs bench kernels --sizes", "bench kernels --scale 4");
    refused("--level: this option has no effect with --sizes", "bench kernels --sizes --level smoke");
    refused("--repeat: this option has no effect with --sizes", "bench kernels --sizes --repeat 3");
    refused("--scale 0", "bench kernels --sizes --scale 0");
    refused("no row matches \"matmull\"; did you mean matmul?", "bench kernels --sizes matmull");
    refused("no row is selected", "bench kernels --sizes --exclude *");
    refused("unknown backend \"vulcan\"; did you mean vulkan?", "bench kernels --sizes -b vulcan");
    trial_run_expect(
        3, "--backend exec:exit: ", "bench kernels --sizes square --scale 65536 -b cpu -b exec:exit");
}
